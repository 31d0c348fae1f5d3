//! What supports each sentence of an answer: the rows that it speaks of, and the triples that make them results.
//!
//! Support is looked up, never taken from the text: a sentence of a model whose names or numbers are in no row and no triple is
//! not supported.

use super::model::{MAX_ROWS, is_whole};
use super::values::SHORT;
use super::verify::SayableFacts;
use super::{AnswerContext, Verbalizer};
use eruca_api::{Claim, ClaimSupport, PartOfText, ShownTerm, WordedBy, Words, WordsKind};
use eruca_dataset::{Support, support};
use eruca_sparql::proof::{Note, Part, Proof};
use eruca_sparql::{Results, Term, Triple, triple_terms};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Sentences that are looked at.
const MAX_SENTENCES: usize = 30;
/// Rows of one sentence whose proofs are looked up.
const MAX_ROWS_OF_ONE: usize = 5;
/// Triples shown of one sentence.
const MAX_TRIPLES: usize = 20;
/// Marks that end a sentence; the latter also without a space behind.
const ENDS: [char; 4] = ['.', '!', '?', '…'];
const ENDS_ALONE: [char; 3] = ['。', '！', '？'];

/// A sentence of an answer.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sentence {
    text: String,
    parts: Vec<PartOfText>,
    /// The things that it names.
    iris: Vec<String>,
    /// Whether it proposes a question.
    asks: bool,
}

/// A sentence of an answer in parts, with what supports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SupportedSentence {
    /// The sentence in parts.
    pub parts: Vec<PartOfText>,
    /// What supports it.
    pub claim: Claim,
}

/// The sentences of an answer, each with what supports it. Looks up proofs for `time` at most.
pub async fn claims(context: &AnswerContext<'_>, words: &Words, time: Duration) -> Vec<SupportedSentence> {
    let teller = Verbalizer::new(*context);
    let sentences = sentences(&words.parts);
    let rows: Vec<Vec<usize>> =
        sentences.iter().enumerate().map(|(at, sentence)| rows_of(&teller, words, at, sentence)).collect();
    let wanted: BTreeSet<usize> = rows.iter().flatten().copied().collect();
    let found = support(context.dataset, context.query, context.answer, wanted, time).await;
    let names = names(context, &found.triples()).await;
    let told = sentences.into_iter().zip(rows);
    told.map(|(sentence, rows)| {
        let parts = sentence.parts.clone();
        SupportedSentence { parts, claim: claim(&teller, words, sentence, rows, &found, &names) }
    })
    .collect()
}

impl Sentence {
    fn push(&mut self, mut part: PartOfText) {
        if self.parts.is_empty() {
            part.text = part.text.trim_start().to_owned();
        }
        if part.text.is_empty() {
            return;
        }
        self.text.push_str(&part.text);
        self.iris.extend(part.iri.clone());
        self.asks |= part.asks;
        self.parts.push(part);
    }

    fn trim(&mut self) {
        self.text.truncate(self.text.trim_end().len());
        if let Some(last) = self.parts.last_mut() {
            last.text.truncate(last.text.trim_end().len());
        }
    }
}

fn sentences(parts: &[PartOfText]) -> Vec<Sentence> {
    let mut found = vec![Sentence::default()];
    for part in parts {
        let Some(last) = found.last_mut() else { continue };
        if !part.is_plain() {
            last.push(part.clone());
            continue;
        }
        let mut rest = part.text.as_str();
        while let Some((before, behind)) = ended(rest) {
            if let Some(last) = found.last_mut() {
                last.push(PartOfText { text: before.to_owned(), ..part.clone() });
            }
            found.push(Sentence::default());
            rest = behind;
        }
        if let Some(last) = found.last_mut() {
            last.push(PartOfText { text: rest.to_owned(), ..part.clone() });
        }
    }
    found.iter_mut().for_each(Sentence::trim);
    found.retain(|sentence| !sentence.text.is_empty());
    found.truncate(MAX_SENTENCES);
    found
}

/// The text up to the first end of a sentence, and what is behind it.
fn ended(text: &str) -> Option<(&str, &str)> {
    let at = text.char_indices().find_map(|(at, c)| {
        let end = at + c.len_utf8();
        let behind = text.get(end..)?;
        let goes_on = |next: char| next.is_lowercase();
        let spaced = behind.starts_with(char::is_whitespace);
        let ends = ENDS_ALONE.contains(&c)
            || ENDS.contains(&c) && spaced && !behind.trim_start().starts_with(goes_on);
        ends.then_some(end)
    })?;
    text.split_at_checked(at)
}

/// The rows that a sentence speaks of.
fn rows_of(teller: &Verbalizer<'_>, words: &Words, at: usize, sentence: &Sentence) -> Vec<usize> {
    if sentence.asks || !matches!(words.kind, WordsKind::Answer | WordsKind::Doubt) {
        return Vec::new();
    }
    let is_first = at == 0;
    match &teller.context.answer.results {
        Results::Boolean(_) if is_first => vec![0],
        Results::Boolean(_) | Results::Graph(_) => Vec::new(),
        Results::Solutions(found) if teller.context.computed.is_some() && is_first => {
            (0..found.rows.len().min(MAX_ROWS_OF_ONE)).collect()
        }
        Results::Solutions(found) => {
            let rows = found.rows.iter().take(MAX_ROWS).enumerate();
            let said = rows.filter(|(_, row)| is_said(teller, sentence, row));
            said.map(|(at, _)| at).take(MAX_ROWS_OF_ONE).collect()
        }
    }
}

/// Whether a sentence names a thing or a value of the row.
fn is_said(teller: &Verbalizer<'_>, sentence: &Sentence, row: &[Option<Term>]) -> bool {
    row.iter().enumerate().any(|(at, term)| {
        if let Some(Term::NamedNode(node)) = term
            && sentence.iris.iter().any(|iri| iri == node.as_str())
        {
            return true;
        }
        let written = teller.cell(teller.context.columns.get(at), term.as_ref(), SHORT).text();
        stands(&sentence.text, &written)
    })
}

/// Whether the words stand in a text, as whole words.
fn stands(text: &str, words: &str) -> bool {
    !words.is_empty() && text.match_indices(words).any(|(at, _)| is_whole(text, at, words.len()))
}

fn claim(
    teller: &Verbalizer<'_>,
    words: &Words,
    sentence: Sentence,
    rows: Vec<usize>,
    found: &Support,
    names: &BTreeMap<String, String>,
) -> Claim {
    let proofs: Vec<&Proof> =
        found.proofs.iter().filter(|(row, _)| rows.contains(row)).map(|(_, proof)| proof).collect();
    let mut triples: Vec<Triple> = Vec::new();
    for triple in proofs.iter().flat_map(|proof| proof.triples()) {
        if !triples.contains(&triple) {
            triples.push(triple);
        }
    }
    let unverified = match words.by {
        WordedBy::Reading => Vec::new(),
        WordedBy::Model if rows.is_empty() => SayableFacts::none(teller).unverified(&sentence.text),
        WordedBy::Model => SayableFacts::of(teller).with_triples(&triples, names).unverified(&sentence.text),
    };
    let support = match (rows.is_empty(), unverified.is_empty()) {
        (true, true) => ClaimSupport::Remark,
        (true, false) => ClaimSupport::None,
        (false, _) => found_for(teller, &proofs, &triples),
    };
    let supported = match support {
        ClaimSupport::Remark | ClaimSupport::Late => None,
        ClaimSupport::None => Some(false),
        _ => Some(unverified.is_empty()),
    };
    let counted = proofs.iter().find_map(|proof| proof.counted());
    let more = triples.len().saturating_sub(MAX_TRIPLES);
    let triples = triples.iter().take(MAX_TRIPLES).map(|triple| shown(triple, names)).collect();
    Claim { text: sentence.text, support, supported, rows, triples, more, counted, unverified }
}

fn found_for(teller: &Verbalizer<'_>, proofs: &[&Proof], triples: &[Triple]) -> ClaimSupport {
    let has = |wanted: fn(&Part) -> bool| proofs.iter().flat_map(|proof| &proof.parts).any(wanted);
    let late = proofs.is_empty() || proofs.iter().any(|proof| proof.notes.contains(&Note::NoTime));
    if teller.context.computed.is_some() {
        ClaimSupport::Computed
    } else if has(|part| matches!(part, Part::Members(_))) {
        ClaimSupport::Count
    } else if !triples.is_empty() {
        ClaimSupport::Triples
    } else if has(|part| matches!(part, Part::Absent { .. })) {
        ClaimSupport::Absence
    } else if late {
        ClaimSupport::Late
    } else {
        ClaimSupport::None
    }
}

fn shown(triple: &Triple, names: &BTreeMap<String, String>) -> Vec<ShownTerm> {
    let term = |term: &Term| {
        let mut shown = ShownTerm::from(term);
        shown.name(names);
        shown
    };
    triple_terms(triple).iter().map(term).collect()
}

/// The names of the things in the triples.
async fn names(context: &AnswerContext<'_>, triples: &[Triple]) -> BTreeMap<String, String> {
    let iri = |term: Term| match term {
        Term::NamedNode(node) => Some(node.as_str().to_owned()),
        Term::BlankNode(_) | Term::Literal(_) => None,
    };
    let iris: BTreeSet<String> = triples.iter().flat_map(triple_terms).filter_map(iri).collect();
    context.dataset.fetch_names(iris.iter().map(String::as_str)).await;
    let named = |iri: String| {
        let name = context.labels.get(&iri).cloned().or_else(|| context.dataset.label(&iri));
        name.map(|name| (iri, name))
    };
    iris.into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let part = PartOfText { text: text.to_owned(), ..PartOfText::default() };
        sentences(&[part]).into_iter().map(|sentence| sentence.text).collect()
    }

    #[test]
    fn sentences_end_where_another_begins() {
        assert_eq!(split("It has 3.5 ha. It is old!"), ["It has 3.5 ha.", "It is old!"]);
        assert_eq!(split("Hills, e.g. of sand, are there."), ["Hills, e.g. of sand, are there."]);
        assert_eq!(split("有三个。在那里。"), ["有三个。", "在那里。"]);
        assert!(split(" ").is_empty());
        let name = PartOfText::of_thing("St. Gallen".to_owned(), "http://a.example/g".to_owned());
        let behind = PartOfText { text: " lies there. Yes.".to_owned(), ..PartOfText::default() };
        let found = sentences(&[name, behind]);
        assert_eq!(found[0].text, "St. Gallen lies there.");
        assert_eq!((found[0].iris.len(), found[1].iris.len()), (1, 0));
    }
}
