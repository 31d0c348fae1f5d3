//! Recall at k by search, kind and language, and how many terms were lost where.

use super::record::{FoundTerm, GroundingRecord};
use super::{Reason, Search, TermKind};
use crate::EvalError;
use crate::resample::{Measured, measured};
use crate::stats::mean;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of the file with the summary.
pub const GROUNDING_SUMMARY_FILE: &str = "grounding.json";
/// The name of all languages, or of all kinds, together.
pub const ALL: &str = "all";
/// The language of questions for which the file says none.
const UNKNOWN: &str = "unknown";

/// The figures of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GroundingSummary {
    /// Number of questions.
    pub questions: usize,
    /// Questions that could not be measured.
    pub failed: usize,
    /// Questions whose gold queries have no terms to be found.
    pub without_terms: usize,
    /// The embedding models whose vectors were searched; none where there are words alone.
    pub models: Vec<String>,
    /// The numbers of first hits.
    pub cuts: Vec<usize>,
    /// Number of terms by kind.
    pub terms: BTreeMap<&'static str, usize>,
    /// The recall of each search, by language and kind.
    pub recall: Vec<Recall>,
    /// What the first prompt has, by language and kind.
    pub prompt: Vec<Prompted>,
    /// Where terms were lost, by kind.
    pub lost: Vec<LostTerms>,
}

/// The recall of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recall {
    /// The search.
    pub search: String,
    /// The language of the questions, or all.
    pub lang: String,
    /// The kind of terms, or all.
    pub kind: &'static str,
    /// Number of questions with such terms.
    pub questions: usize,
    /// Number of terms.
    pub terms: usize,
    /// For each k, the mean share of a question's terms that are among the first k hits.
    pub at: BTreeMap<usize, Measured>,
    /// For each k, how many different hits of this kind a question has, in the mean.
    pub hits: BTreeMap<usize, f64>,
    /// The mean over questions of the mean of 1/rank over terms; 0 for what is not found.
    pub mrr: f64,
}

/// What the first prompt has of the gold terms.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prompted {
    /// The language of the questions, or all.
    pub lang: String,
    /// The kind of terms, or all.
    pub kind: &'static str,
    /// Number of questions with such terms.
    pub questions: usize,
    /// Number of terms.
    pub terms: usize,
    /// The mean share of a question's terms in what it tells of the words of the question.
    pub told: Measured,
    /// The same with what it shows of the graph.
    pub shown: Measured,
}

/// Terms lost for a reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LostTerms {
    /// The reason.
    pub reason: Reason,
    /// The kind of terms.
    pub kind: TermKind,
    /// Number of terms.
    pub terms: usize,
    /// How many of them the first prompt shows all the same, since it shows all or a part of the graph.
    pub shown: usize,
    /// How many of them have a rank behind the first hits.
    pub ranked: usize,
}

/// A question with those of its terms that count.
struct Terms<'a> {
    record: &'a GroundingRecord,
    terms: Vec<&'a FoundTerm>,
}

/// The figures of some records.
pub fn summarize_grounding(records: &[GroundingRecord], cuts: &[usize]) -> GroundingSummary {
    let measured: Vec<&GroundingRecord> = records.iter().filter(|record| record.error.is_none()).collect();
    let (mut recall, mut prompt) = (Vec::new(), Vec::new());
    for search in searches(records) {
        for (lang, kind, questions) in groups(&measured, |term| term.ranks.contains_key(&search)) {
            recall.extend(recall_of(&search, &lang, kind, &questions, cuts));
        }
    }
    for (lang, kind, questions) in groups(&measured, |_| true) {
        prompt.extend(prompted(lang, kind, &questions));
    }
    let all = || measured.iter().flat_map(|record| &record.terms);
    let count = |kind: TermKind| all().filter(|term| term.kind == kind).count();
    let models: BTreeSet<&String> = records.iter().filter_map(|record| record.model.as_ref()).collect();
    GroundingSummary {
        questions: records.len(),
        failed: records.len() - measured.len(),
        without_terms: measured.iter().filter(|record| record.terms.is_empty()).count(),
        models: models.into_iter().cloned().collect(),
        cuts: cuts.to_vec(),
        terms: TermKind::ALL.into_iter().map(|kind| (kind.name(), count(kind))).collect(),
        recall,
        prompt,
        lost: lost_terms(&all().collect::<Vec<_>>()),
    }
}

/// The searches of the records, in the order of tables.
pub(super) fn searches(records: &[GroundingRecord]) -> Vec<String> {
    let terms = || records.iter().flat_map(|record| &record.terms);
    let known: BTreeSet<&String> = terms().flat_map(|term| term.ranks.keys()).collect();
    let mut searches: Vec<Search> = [true, false].into_iter().flat_map(Search::of).collect();
    searches.sort_unstable();
    searches.dedup();
    searches.into_iter().map(Search::name).filter(|name| known.contains(name)).collect()
}

/// The terms of each question by language and kind, each also for all; without groups that have no terms. A single language is told
/// once, and all kinds together only where each of them can be found.
fn groups<'a>(
    records: &[&'a GroundingRecord],
    counts: impl Fn(&FoundTerm) -> bool,
) -> Vec<(String, &'static str, Vec<Terms<'a>>)> {
    let lang_of = |record: &GroundingRecord| record.lang.clone().unwrap_or_else(|| UNKNOWN.to_owned());
    let langs: BTreeSet<String> = records.iter().map(|record| lang_of(record)).collect();
    let several = langs.len() > 1;
    let whole = records.iter().flat_map(|record| &record.terms).all(&counts);
    let kinds = TermKind::ALL.into_iter().map(Some).chain(whole.then_some(None));
    let kinds: Vec<Option<TermKind>> = kinds.collect();
    let mut groups = Vec::new();
    for lang in langs.into_iter().map(Some).chain(several.then_some(None)) {
        for kind in &kinds {
            let is_wanted = |term: &&FoundTerm| counts(term) && kind.is_none_or(|kind| term.kind == kind);
            let own =
                records.iter().filter(|record| lang.as_ref().is_none_or(|lang| lang_of(record) == *lang));
            let questions =
                own.map(|record| Terms { record, terms: record.terms.iter().filter(is_wanted).collect() });
            let questions: Vec<Terms<'_>> = questions.filter(|one| !one.terms.is_empty()).collect();
            if !questions.is_empty() {
                let lang = lang.clone().unwrap_or_else(|| ALL.to_owned());
                groups.push((lang, kind.map_or(ALL, TermKind::name), questions));
            }
        }
    }
    groups
}

fn recall_of(
    search: &str,
    lang: &str,
    kind: &'static str,
    questions: &[Terms<'_>],
    cuts: &[usize],
) -> Option<Recall> {
    let at =
        cuts.iter().map(|cut| Some((*cut, measured(&shares(questions, |term| found(term, search, *cut)))?)));
    let reciprocal = |term: &&FoundTerm| rank(term, search).map_or(0.0, |rank| 1.0 / rank as f64);
    let of_question = |one: &Terms<'_>| mean(&one.terms.iter().map(reciprocal).collect::<Vec<_>>());
    Some(Recall {
        search: search.to_owned(),
        lang: lang.to_owned(),
        kind,
        questions: questions.len(),
        terms: questions.iter().map(|one| one.terms.len()).sum(),
        at: at.collect::<Option<_>>()?,
        hits: cuts.iter().map(|cut| (*cut, mean_hits(questions, search, kind, *cut))).collect(),
        mrr: mean(&questions.iter().map(of_question).collect::<Vec<_>>()),
    })
}

/// The mean number of different hits of a kind, or of all.
fn mean_hits(questions: &[Terms<'_>], search: &str, kind: &str, cut: usize) -> f64 {
    let of_question = |Terms { record, .. }: &Terms<'_>| {
        let kinds = record.hits.get(search).into_iter().flatten();
        let counts = kinds.filter(|(own, _)| kind == ALL || own.name() == kind);
        counts.filter_map(|(_, counts)| counts.get(&cut)).sum::<usize>() as f64
    };
    mean(&questions.iter().map(of_question).collect::<Vec<_>>())
}

fn prompted(lang: String, kind: &'static str, questions: &[Terms<'_>]) -> Option<Prompted> {
    Some(Prompted {
        lang,
        kind,
        questions: questions.len(),
        terms: questions.iter().map(|one| one.terms.len()).sum(),
        told: measured(&shares(questions, |term| term.told))?,
        shown: measured(&shares(questions, |term| term.shown))?,
    })
}

fn rank(term: &FoundTerm, search: &str) -> Option<usize> {
    term.ranks.get(search).copied().flatten()
}

/// Whether a search has a term among its first hits.
pub(super) fn found(term: &FoundTerm, search: &str, cut: usize) -> bool {
    rank(term, search).is_some_and(|rank| rank <= cut)
}

/// For each question, the share of its terms for which something holds.
fn shares(questions: &[Terms<'_>], holds: impl Fn(&FoundTerm) -> bool) -> Vec<f64> {
    let share = |Terms { terms, .. }: &Terms<'_>| {
        terms.iter().filter(|term| holds(term)).count() as f64 / terms.len().max(1) as f64
    };
    questions.iter().map(share).collect()
}

fn lost_terms(terms: &[&FoundTerm]) -> Vec<LostTerms> {
    let mut all = Vec::new();
    for (reason, kind) in Reason::ALL.into_iter().flat_map(|reason| TermKind::ALL.map(|kind| (reason, kind)))
    {
        let own = terms.iter().filter(|term| term.kind == kind);
        let own: Vec<&FoundTerm> =
            own.filter(|term| term.lost.is_some_and(|lost| lost.reason == reason)).copied().collect();
        if !own.is_empty() {
            let ranked = own.iter().filter(|term| term.lost.is_some_and(|lost| lost.rank.is_some())).count();
            let shown = own.iter().filter(|term| term.shown).count();
            all.push(LostTerms { reason, kind, terms: own.len(), shown, ranked });
        }
    }
    all
}

/// Writes a summary into a folder.
///
/// # Errors
/// When it cannot be written.
pub fn write_grounding_summary(summary: &GroundingSummary, folder: &Path) -> Result<(), EvalError> {
    let path = folder.join(GROUNDING_SUMMARY_FILE);
    let text = serde_json::to_string_pretty(summary).map_err(std::io::Error::from);
    text.and_then(|text| std::fs::write(&path, text + "\n")).map_err(|reason| EvalError::write(&path, reason))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Lost;
    use super::*;

    /// A term with its rank in a search of its own, and where it was lost.
    fn term(kind: TermKind, name: &str, rank: Option<usize>, lost: Option<Reason>) -> FoundTerm {
        let words = Some(("spans, words".to_owned(), rank));
        let vectors = kind.has_vectors().then(|| ("spans, vectors".to_owned(), Some(1)));
        FoundTerm {
            kind,
            term: format!("http://e/{name}"),
            names: vec![name.to_owned()],
            ranks: words.into_iter().chain(vectors).collect(),
            told: lost.is_none(),
            shown: lost != Some(Reason::NotTold),
            lost: lost.map(|reason| Lost { reason, rank: rank.filter(|rank| *rank > 5) }),
        }
    }

    pub(crate) fn records() -> Vec<GroundingRecord> {
        use TermKind::{Class, Entity, Property};
        let record = |id: &str, lang: &str, terms: Vec<FoundTerm>| GroundingRecord {
            id: id.to_owned(),
            dataset: "d".to_owned(),
            question: format!("<b>question</b> {id}"),
            lang: Some(lang.to_owned()),
            model: Some("small".to_owned()),
            error: None,
            hits: BTreeMap::from([(
                "spans, words".to_owned(),
                BTreeMap::from([(Entity, BTreeMap::from([(1, 2), (5, 7)]))]),
            )]),
            terms,
        };
        let broken = GroundingRecord { error: Some("no gold query".to_owned()), ..record("e", "en", vec![]) };
        vec![
            record(
                "a",
                "en",
                vec![term(Entity, "Rhine", Some(1), None), term(Class, "River", Some(2), None)],
            ),
            record(
                "b",
                "en",
                vec![
                    term(Property, "length", Some(9), Some(Reason::RankedLow)),
                    term(Property, "source", None, Some(Reason::Implicit)),
                    term(Entity, "Elbe", Some(4), Some(Reason::NotTold)),
                ],
            ),
            record("c", "de", vec![term(Entity, "Donau", Some(1), None)]),
            record("d", "de", vec![]),
            broken,
        ]
    }

    fn recall<'a>(summary: &'a GroundingSummary, search: &str, lang: &str, kind: &str) -> &'a Recall {
        let wanted = |recall: &&Recall| recall.search == search && recall.lang == lang && recall.kind == kind;
        summary.recall.iter().find(wanted).unwrap()
    }

    #[test]
    fn recall_is_a_mean_over_the_questions_with_such_terms() {
        let summary = summarize_grounding(&records(), &[1, 5]);
        assert_eq!((summary.questions, summary.failed, summary.without_terms), (5, 1, 1));
        assert_eq!(summary.models, ["small"]);
        assert_eq!((summary.terms["entity"], summary.terms["property"], summary.terms["value"]), (3, 2, 0));
        let entities = recall(&summary, "spans, words", "en", "entity");
        assert_eq!((entities.questions, entities.terms, entities.mrr), (2, 2, 0.625));
        assert_eq!((entities.at[&1].mean, entities.at[&5].mean), (0.5, 1.0));
        assert_eq!((entities.hits[&1], entities.hits[&5]), (2.0, 7.0));
        let all = recall(&summary, "spans, words", "all", "all");
        // Each question counts once: 1, a third, 1.
        assert!((all.at[&5].mean - 7.0 / 9.0).abs() < 1e-12, "{all:?}");
        assert_eq!(recall(&summary, "spans, vectors", "en", "property").at[&1].mean, 1.0);
        let vectors = summary.recall.iter().filter(|recall| recall.search == "spans, vectors");
        assert!(vectors.into_iter().all(|recall| recall.kind != ALL), "things have no vectors");
        let prompt = summary.prompt.iter().find(|one| one.lang == "en" && one.kind == ALL).unwrap();
        assert!((prompt.told.mean - 0.5).abs() < 1e-12 && (prompt.shown.mean - 5.0 / 6.0).abs() < 1e-12);
        let lost: Vec<(Reason, usize, usize, usize)> =
            summary.lost.iter().map(|one| (one.reason, one.terms, one.shown, one.ranked)).collect();
        assert_eq!(
            lost,
            [(Reason::Implicit, 1, 1, 0), (Reason::RankedLow, 1, 1, 1), (Reason::NotTold, 1, 0, 0)]
        );
    }

    #[test]
    fn nothing_gives_no_figures() {
        let summary = summarize_grounding(&[], &[1]);
        assert!(summary.recall.is_empty() && summary.prompt.is_empty() && summary.lost.is_empty());
    }
}
