//! What the owner of a graph knows of it, applied: hidden terms are taken out of the index and of results, entries about what the
//! graph does not have are left out, and words of the house are found in questions.

use super::{Dataset, LookupError};
use eruca_indexer::texts::{Passage, PassageSource};
use eruca_indexer::{DatasetIndex, Entity, Hides, SchemaKind, edit_distance};
use eruca_knowledge::questions::VerifiedQuestion;
use eruca_knowledge::{GlossaryEntry, Hidden, Knowledge, Meaning, TermKind};
use eruca_language::text::fold;
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{AllowedTime, Glossary, LinkError, Named, link_by};
use eruca_sparql::{
    Answer, CheckedQuery, Prefixes, QueryError, Results, SparqlEndpoint, Term, Triple, View, ViewEndpoint,
    local_name, one_line,
};
use std::sync::Arc;

/// Maximum number of warnings about terms that a graph does not have.
const MAX_WARNINGS: usize = 20;
/// Maximum length of an IRI in a message, in characters.
const MAX_IRI_CHARS: usize = 300;

impl Dataset {
    /// What the owner of the graph knows of it, as far as the graph has it.
    pub fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// Whether an IRI must not be seen.
    pub fn hides(&self, iri: &str) -> bool {
        self.knowledge.hidden.hides(iri)
    }

    /// Identifies what is hidden, in all datasets if it is several; empty if nothing is.
    pub fn seal(&self) -> String {
        let members = self.members().iter().map(|(_, member)| member.knowledge.hidden.seal());
        let seals: Vec<String> = members.filter(|seal| !seal.is_empty()).collect();
        if self.is_several() { seals.join(" ") } else { self.knowledge.hidden.seal() }
    }

    /// Whether the text of a query may be shown: it names nothing hidden.
    pub fn shows_query(&self, query: &str) -> bool {
        let checked = || self.check(query).ok();
        self.knowledge.hidden.is_empty() || checked().is_some_and(|query| self.named_hidden(&query).is_none())
    }

    /// What may be seen of a verified question: nothing if its query names something hidden. What it gave when it was checked tells
    /// a role, from which more is hidden, what others see.
    pub fn seen_question(&self, question: VerifiedQuestion, by_role: bool) -> Option<VerifiedQuestion> {
        let outcome = question.outcome.clone().filter(|_| !by_role || self.knowledge.hidden.is_empty());
        self.shows_query(&question.query).then_some(VerifiedQuestion { outcome, ..question })
    }

    /// Whether the graph that is asked was stored without what is hidden: whatever a query names is then as if it had never been.
    fn is_without_hidden(&self) -> bool {
        is_without_hidden(self.endpoint.as_ref(), &self.index, &self.knowledge)
    }

    fn named_hidden(&self, query: &CheckedQuery) -> Option<String> {
        named_in(&self.knowledge.hidden, query)
    }

    /// The candidates for the words of a question, with the words of the house.
    ///
    /// # Errors
    /// When an index cannot be read.
    pub fn link(&self, question: &ParsedQuestion, time: Option<AllowedTime<'_>>) -> Result<Named, LinkError> {
        link_by(&self.index, &self.glossary, question, time)
    }

    /// The same with a further entry of the glossary.
    #[must_use]
    pub fn with_entry(&self, entry: GlossaryEntry) -> Self {
        let mut knowledge = Knowledge::clone(&self.knowledge);
        knowledge.glossary.push(entry);
        self.knowing_now(knowledge)
    }

    /// The same where words mean this, whatever the owner says of them.
    #[must_use]
    pub fn meaning(&self, entries: Vec<GlossaryEntry>) -> Self {
        let said: Vec<String> =
            entries.iter().flat_map(|entry| &entry.words).map(|word| fold(word)).collect();
        let mut knowledge = Knowledge::clone(&self.knowledge);
        knowledge.glossary.retain_mut(|own| {
            let needs_none = own.words.is_empty();
            own.words.retain(|word| !said.contains(&fold(word)));
            needs_none || !own.words.is_empty()
        });
        knowledge.glossary.extend(entries);
        self.knowing_now(knowledge)
    }

    fn knowing_now(&self, knowledge: Knowledge) -> Self {
        let glossary = Arc::new(Glossary::of(&knowledge));
        Self { knowledge: Arc::new(knowledge), glossary, ..self.clone() }
    }

    /// The first term of an entry that the graph does not have, or that must not be seen, which is the same to everybody.
    pub fn lacks(&self, entry: &GlossaryEntry) -> Option<String> {
        let lacking = |(kind, iri): &(TermKind, &str)| {
            self.hides(iri) || !is_unknown(&self.index) && is_lacking(&self.index, *kind, iri)
        };
        let term = entry.terms().into_iter().find(lacking).map(|(_, iri)| iri.to_owned());
        term.or_else(|| hides_entry(&self.knowledge.hidden, entry).then(String::new))
    }

    /// Whether an IRI is that of a class or property of the graph that may be seen.
    pub fn has_term(&self, iri: &str) -> bool {
        let card = &self.index.card;
        !self.hides(iri) && (card.class(iri).is_some() || card.property(iri).is_some())
    }

    /// The IRIs of classes or properties that the owner has this word for, or words that begin with it.
    pub(super) fn called_by_owner(&self, kind: SchemaKind, text: &str, unfinished: bool) -> Vec<&str> {
        let entries = self.glossary.called(text, unfinished).into_iter();
        let iri = |entry: &GlossaryEntry| match (&entry.meaning, kind) {
            (Meaning::Class(iri), SchemaKind::Class) | (Meaning::Property(iri), SchemaKind::Property) => {
                Some(iri.clone())
            }
            _ => None,
        };
        let found: Vec<String> = entries.filter_map(iri).collect();
        let known = |iri: String| {
            let card = &self.index.card;
            let class = card.class(&iri).map(|card| card.iri.as_str());
            class.or_else(|| card.property(&iri).map(|card| card.iri.as_str()))
        };
        found.into_iter().filter_map(known).collect()
    }

    /// The things that the owner has this word for, or words that begin with it.
    pub(super) fn things_of_owner(&self, text: &str, unfinished: bool) -> Result<Vec<Entity>, LookupError> {
        let mut found: Vec<Entity> = Vec::new();
        for entry in self.glossary.called(text, unfinished) {
            let Meaning::Thing(iri) = &entry.meaning else { continue };
            let is_new = found.iter().all(|known| known.iri != *iri);
            found.extend(self.index.entities.get(iri)?.filter(|_| is_new));
        }
        Ok(found)
    }

    /// Refuses a query that names something hidden, unless the graph is without it.
    pub(super) fn refuse_hidden(&self, query: &CheckedQuery) -> Result<(), QueryError> {
        match self.named_hidden(query).filter(|_| !self.is_without_hidden()) {
            Some(iri) => {
                let reason = format!("<{}> cannot be used here; leave it out", one_line(&iri, MAX_IRI_CHARS));
                Err(QueryError::Refused { reason })
            }
            None => Ok(()),
        }
    }

    /// An answer without the rows and triples that show something hidden.
    pub(super) fn seen(&self, mut answer: Answer) -> Answer {
        if self.knowledge.hidden.is_empty() || self.is_without_hidden() {
            return answer;
        }
        match &mut answer.results {
            Results::Solutions(solutions) => {
                solutions.rows.retain(|row| !row.iter().flatten().any(|term| self.hides_term(term)));
            }
            Results::Graph(triples) => triples.retain(|triple| !self.hides_triple(triple)),
            Results::Boolean(_) => {}
        }
        answer
    }

    fn hides_term(&self, term: &Term) -> bool {
        match term {
            Term::NamedNode(node) => self.hides(node.as_str()),
            Term::Literal(literal) => self.hides(literal.value()),
            Term::BlankNode(_) => false,
        }
    }

    fn hides_triple(&self, triple: &Triple) -> bool {
        let subject = Term::from(triple.subject.clone());
        self.hides_term(&subject) || self.hides(triple.predicate.as_str()) || self.hides_term(&triple.object)
    }

    /// Whether a passage is a text of something hidden.
    pub(super) fn hides_passage(&self, passage: &Passage) -> bool {
        match &passage.source {
            PassageSource::Literal { subject, property, .. } => self.hides(subject) || self.hides(property),
            PassageSource::Document { .. } => false,
        }
    }
}

/// The prefixes that queries to an indexed graph may use without declaring them.
pub fn prefixes_of(index: &DatasetIndex) -> Prefixes {
    Prefixes::well_known().merged(&index.card.prefixes)
}

fn is_without_hidden(endpoint: &dyn SparqlEndpoint, index: &DatasetIndex, knowledge: &Knowledge) -> bool {
    endpoint.is_own() && index.manifest.without == Some(knowledge.hidden.seal())
}

/// An endpoint of which no more can be asked than may be seen.
pub(super) fn seen_of(
    endpoint: Arc<dyn SparqlEndpoint>,
    index: &DatasetIndex,
    knowledge: &Knowledge,
) -> Arc<dyn SparqlEndpoint> {
    match is_without_hidden(endpoint.as_ref(), index, knowledge) {
        true => endpoint,
        false => ViewEndpoint::over(endpoint, View::without((&knowledge.hidden).into())),
    }
}

/// Hides what is hidden, and leaves out entries about what the graph does not have.
pub(super) fn applied(mut knowledge: Knowledge, index: &mut DatasetIndex) -> Knowledge {
    if !knowledge.hidden.is_empty() {
        let hidden = knowledge.hidden.clone();
        let hides: Hides = Arc::new(move |iri: &str| hidden.hides(iri));
        index.hide(&hides);
    }
    let hidden = knowledge.hidden.clone();
    let mut glossary = std::mem::take(&mut knowledge.glossary);
    glossary.retain(|entry| !is_left_out(&knowledge, index, entry));
    knowledge.glossary = glossary;
    knowledge.notes.retain(|note| note.about.as_deref().is_none_or(|iri| !hidden.hides(iri)));
    knowledge
}

/// The number of entries of the glossary that are not used: they name what the graph does not have, or what must not be seen.
pub fn unused_entries(knowledge: &Knowledge, index: &DatasetIndex) -> usize {
    let is_unused = |entry: &&GlossaryEntry| is_left_out(knowledge, index, entry);
    knowledge.glossary.iter().filter(is_unused).count()
}

fn is_left_out(knowledge: &Knowledge, index: &DatasetIndex, entry: &GlossaryEntry) -> bool {
    hides_entry(&knowledge.hidden, entry) || (!is_unknown(index) && lacking(index, entry).is_some())
}

/// The places of entries that are not used because they name what must not be seen, as messages.
pub fn hidden_entries(knowledge: &Knowledge) -> Vec<String> {
    let hidden = knowledge.glossary.iter().filter(|entry| hides_entry(&knowledge.hidden, entry));
    let told = hidden.map(|entry| format!("{}: names what is hidden, so it is not used", entry.origin));
    told.take(MAX_WARNINGS).collect()
}

/// Terms of the knowledge that a graph does not have, each with its place and the nearest term that the graph has.
pub fn knowledge_warnings(knowledge: &Knowledge, index: &DatasetIndex) -> Vec<String> {
    if is_unknown(index) {
        return Vec::new();
    }
    let shown = knowledge.glossary.iter().filter(|entry| !hides_entry(&knowledge.hidden, entry));
    let entries = shown.filter_map(|entry| Some((&entry.origin, lacking(index, entry)?)));
    let notes = knowledge.notes.iter().filter_map(|note| {
        let iri = note.about.as_deref()?;
        let known = index.card.class(iri).is_some() || index.card.property(iri).is_some();
        Some((&note.origin, (TermKind::Thing, iri))).filter(|_| !known)
    });
    let told = entries.chain(notes).map(|(origin, (kind, iri))| {
        let what = match kind {
            TermKind::Class => "class",
            TermKind::Property => "property",
            TermKind::Thing => "term",
        };
        let near = nearest(index, kind, iri).filter(|near| !knowledge.hidden.hides(near));
        let near = near.map(|near| format!("; did you mean <{near}>?"));
        format!(
            "{origin}: the graph has no {what} <{}>{}",
            one_line(iri, MAX_IRI_CHARS),
            near.unwrap_or_default()
        )
    });
    let mut told: Vec<String> = told.take(MAX_WARNINGS + 1).collect();
    if told.len() > MAX_WARNINGS {
        told.truncate(MAX_WARNINGS);
        told.push("there are more terms that the graph does not have".to_owned());
    }
    told
}

/// Whether nothing is known of what a graph has: its names are looked up elsewhere.
fn is_unknown(index: &DatasetIndex) -> bool {
    index.version.is_empty()
}

/// The first term of an entry that the graph does not have.
fn lacking<'e>(index: &DatasetIndex, entry: &'e GlossaryEntry) -> Option<(TermKind, &'e str)> {
    entry.terms().into_iter().find(|(kind, iri)| is_lacking(index, *kind, iri))
}

fn is_lacking(index: &DatasetIndex, kind: TermKind, iri: &str) -> bool {
    match kind {
        TermKind::Class => index.card.class(iri).is_none(),
        TermKind::Property => index.card.property(iri).is_none(),
        // What cannot be looked up now may be there.
        TermKind::Thing => index.entities.get(iri).is_ok_and(|found| found.is_none()),
    }
}

/// Whether an entry would show something hidden.
fn hides_entry(hidden: &Hidden, entry: &GlossaryEntry) -> bool {
    let query = match &entry.meaning {
        Meaning::Pattern(pattern) => Some(pattern.fragment().query()),
        _ => None,
    };
    entry.terms().iter().any(|(_, iri)| hidden.hides(iri))
        || query.is_some_and(|query| named_in(hidden, query).is_some())
}

/// The hidden IRI that a query names: as a term, or as a text of which it could make one.
fn named_in(hidden: &Hidden, query: &CheckedQuery) -> Option<String> {
    if hidden.is_empty() {
        return None;
    }
    let text = query.algebra().to_string();
    let parts = text.split(['<', '"']).skip(1);
    let named = parts.filter_map(|part| part.split(['>', '"']).next());
    let mut named = named.filter(|iri| hidden.hides(iri));
    named.next().map(str::to_owned)
}

fn nearest<'a>(index: &'a DatasetIndex, kind: TermKind, iri: &str) -> Option<&'a str> {
    let classes = index.card.classes.iter().map(|card| card.iri.as_str());
    let properties = index.card.properties.iter().map(|card| card.iri.as_str());
    let known: Vec<&str> = match kind {
        TermKind::Class => classes.collect(),
        TermKind::Property => properties.collect(),
        TermKind::Thing => classes.chain(properties).collect(),
    };
    let (distance, near) = known.into_iter().map(|known| (edit_distance(iri, known), known)).min()?;
    (distance <= local_name(iri).chars().count().div_ceil(3)).then_some(near)
}

#[cfg(test)]
mod tests;
