//! A dataset ready for questions: its index, its endpoint, and the rules for queries to it.
//!
//! Shared by the agent, the tools and the planner. Knows the index and SPARQL, nothing about models. Names are looked up
//! through `lookup`; `live` looks them up at a Wikibase.

#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod cache;
mod completion;
mod federation;
mod known;
mod live;
mod lookup;
mod namesake;
mod near_questions;
mod pages;
mod run_query;
mod search_in;
mod support;
#[cfg(any(test, feature = "testing"))]
#[expect(clippy::unwrap_used, reason = "only tests call it")]
pub mod testing;
mod value_group;

pub use completion::TermCompletions;
pub use federation::ID_SEPARATOR;
pub use known::{hidden_entries, knowledge_warnings, prefixes_of, unused_entries};
pub use live::{LiveCaches, LiveNames};
pub use lookup::{KnownTerm, LookedUp, LookupError, SchemaFound};
pub use namesake::is_number;
pub use near_questions::QuestionMeanings;
pub use pages::improve_address;
pub use run_query::RunQuery;
pub use search_in::{PatternError, PatternHit, PatternHits, PatternPlace, PatternSearch};
pub use support::{ProofEndpoint, Support, support, wanted};
pub use value_group::{EntityGroup, ValueGroup};

use crate::cache::{Cache, Weight};
use crate::federation::Federation;
use async_trait::async_trait;
use eruca_indexer::vocabulary::Vocabulary;
use eruca_indexer::{DatasetIndex, Label, display_label};
use eruca_knowledge::questions::WatchedQuestions;
use eruca_knowledge::{Knowledge, Pattern};
use eruca_language::text::{fold, humanize};
use eruca_language::{Language, fallback, language};
use eruca_planner::question::ParsedQuestion;
use eruca_planner::{Glossary, Runner};
use eruca_sparql::{
    Answer, CUT_MARK, CheckedQuery, Limits, Prefixes, QueryError, QueryPolicy, SparqlEndpoint, TableStyle,
    check, is_language_tag, local_name, one_line, quoted, render_table, unescaped,
};
use std::sync::Arc;
use std::time::Duration;

/// Longer names are cut: they are prose, or an attempt to be read as something else.
pub const MAX_NAME_CHARS: usize = 200;

/// Maximum number of alternative names shown per class or property.
const MAX_SYNONYMS: usize = 2;

/// How queries to a dataset are run.
#[derive(Debug, Clone)]
pub struct QueryRules {
    /// Limits of one query.
    pub limits: Limits,
    /// What queries may contain.
    pub policy: QueryPolicy,
}

/// A dataset ready for questions. Shared between questions; cheap to clone.
#[derive(Clone)]
pub struct Dataset {
    /// The main id.
    pub id: String,
    /// Alternative ids.
    pub aliases: Vec<String>,
    /// The display name.
    pub name: String,
    /// Languages in which labels are preferred; empty for all.
    pub languages: Vec<String>,
    /// The opened index.
    pub index: Arc<DatasetIndex>,
    /// Where queries run.
    pub endpoint: Arc<dyn SparqlEndpoint>,
    /// How queries are run.
    pub rules: QueryRules,
    prefixes: Prefixes,
    results: Option<Arc<ResultCache>>,
    live: Option<Arc<LiveNames>>,
    indexed: bool,
    /// The datasets that it is made of, if it is several.
    federation: Option<Federation>,
    editor: Option<String>,
    improve: Option<String>,
    notes: Vec<String>,
    questions: Arc<WatchedQuestions>,
    meanings: Option<Arc<QuestionMeanings>>,
    knowledge: Arc<Knowledge>,
    glossary: Arc<Glossary>,
}

/// Results of queries, by dataset and query.
pub type ResultCache = Cache<Arc<Answer>>;

impl Weight for Arc<Answer> {
    fn bytes(&self) -> usize {
        self.kept_bytes()
    }
}

/// Maximum number of rows of a cached result: the cache is for look-ups, not downloads.
const MAX_KEPT_ROWS: usize = 200;

/// Ids and display name of a dataset, and the languages of the names in it.
#[derive(Debug, Clone, Default)]
pub struct DatasetNames {
    /// The main id.
    pub id: String,
    /// Alternative ids.
    pub aliases: Vec<String>,
    /// The display name.
    pub name: String,
    /// Languages in which labels are preferred; empty for all.
    pub languages: Vec<String>,
}

impl DatasetNames {
    /// A dataset with one name and no preferred language.
    pub fn of(id: &str) -> Self {
        Self { id: id.to_owned(), name: id.to_owned(), ..Self::default() }
    }
}

impl Dataset {
    /// Assembles a dataset.
    pub fn new(
        names: DatasetNames,
        index: DatasetIndex,
        endpoint: Arc<dyn SparqlEndpoint>,
        rules: QueryRules,
    ) -> Self {
        Self::knowing(names, index, endpoint, rules, Knowledge::default())
    }

    /// The same with what the owner of the graph knows of it.
    pub fn knowing(
        names: DatasetNames,
        mut index: DatasetIndex,
        endpoint: Arc<dyn SparqlEndpoint>,
        rules: QueryRules,
        knowledge: Knowledge,
    ) -> Self {
        let DatasetNames { id, aliases, name, languages } = names;
        let knowledge = known::applied(knowledge, &mut index);
        let prefixes = prefixes_of(&index);
        // Whatever is asked of the endpoint, and by whom, sees no more than this.
        let endpoint = known::seen_of(endpoint, &index, &knowledge);
        let glossary = Arc::new(Glossary::of(&knowledge));
        let index = Arc::new(index);
        Self {
            id,
            aliases,
            name,
            languages,
            index,
            endpoint,
            rules,
            prefixes,
            results: None,
            live: None,
            indexed: true,
            federation: None,
            editor: None,
            improve: None,
            notes: Vec::new(),
            questions: Arc::default(),
            meanings: None,
            knowledge: Arc::new(knowledge),
            glossary,
        }
    }

    /// The same with notes on what did not open as configured, in words for people.
    #[must_use]
    pub fn noted(self, notes: Vec<String>) -> Self {
        Self { notes, ..self }
    }

    /// Notes on what did not open as configured, in words for people.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The same with the verified questions of a folder.
    #[must_use]
    pub fn with_questions(self, questions: WatchedQuestions) -> Self {
        Self { questions: Arc::new(questions), ..self }
    }

    /// The questions that people have verified.
    pub fn questions(&self) -> &WatchedQuestions {
        &self.questions
    }

    /// The same with a cache for results of its endpoint.
    #[must_use]
    pub fn with_cache(self, results: Arc<ResultCache>) -> Self {
        Self { results: Some(results), ..self }
    }

    /// Parts of the stored files that could not be read and are missing from answers. A remote endpoint may have them.
    pub fn unread(&self) -> &[String] {
        if self.endpoint.is_own() { &self.index.manifest.unread } else { &[] }
    }

    /// Parses a question. If its words do not reveal its language, one of the preferred languages is assumed, or the
    /// one that most names are in.
    pub fn read(&self, question: &str) -> ParsedQuestion {
        let names = self.index.card.languages.iter().map(|(tag, _)| tag.clone());
        let likely: Vec<String> = self.languages.iter().cloned().chain(names).collect();
        ParsedQuestion::read(question, &likely)
    }

    /// The same for one question: names are shown in its language where they exist in it.
    #[must_use]
    pub fn asked(&self, question: &ParsedQuestion) -> Self {
        let language = question.language;
        if language.is_unknown() { self.clone() } else { self.for_language(language.tag()) }
    }

    /// The same for a reader of this language: names are shown in it where they exist in it.
    #[must_use]
    pub fn for_language(&self, language: &str) -> Self {
        Self {
            languages: readers_first(language, &self.languages),
            federation: self.members_for_language(language),
            ..self.clone()
        }
    }

    /// The reader's language, if it has a pack.
    pub fn reader(&self) -> &'static Language {
        self.languages.iter().find_map(|tag| language(tag)).unwrap_or_else(fallback)
    }

    /// The vocabulary with which its graph types and labels entities.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.index.manifest.vocabulary
    }

    /// Whether `name` is one of its ids.
    pub fn answers_to(&self, name: &str) -> bool {
        self.id == name || self.aliases.iter().any(|alias| alias == name)
    }

    /// Identifies this dataset as currently indexed.
    pub fn version(&self) -> String {
        let versions = self.members().iter().map(|(_, member)| format!("\n{}", member.index.version));
        let known = self.knowledge.stamp();
        format!("{}\n{}\n{known}{}", self.id, self.index.version, versions.collect::<String>())
    }

    /// Prefixes that queries may use without declaring them; the dataset's own take precedence over well-known ones.
    pub fn prefixes(&self) -> &Prefixes {
        &self.prefixes
    }

    /// Checks a query and expands its prefixes.
    ///
    /// # Errors
    /// When it does not parse, is not read-only, or violates the policy.
    pub fn check(&self, query: &str) -> Result<CheckedQuery, QueryError> {
        // The engine may have been recognised since the dataset was opened.
        let policy = QueryPolicy { dialect: self.endpoint.dialect(), ..self.rules.policy.clone() };
        let query = check(query, &self.prefixes, &policy)?;
        self.refuse_hidden(&query)?;
        Ok(query)
    }

    /// Runs a checked query within the configured limits and, if sooner, `timeout`.
    ///
    /// # Errors
    /// Any error of the endpoint.
    pub async fn run(&self, query: &CheckedQuery, timeout: Duration) -> Result<Arc<Answer>, QueryError> {
        match self.results.as_ref().and_then(|results| results.get(&self.key_of(query))) {
            Some(known) => Ok(known),
            None => self.run_anew(query, timeout).await,
        }
    }

    /// The same, with a result that does not come from the cache.
    ///
    /// # Errors
    /// Any error of the endpoint.
    pub async fn run_anew(&self, query: &CheckedQuery, timeout: Duration) -> Result<Arc<Answer>, QueryError> {
        let limits = Limits { timeout: timeout.min(self.rules.limits.timeout), ..self.rules.limits };
        let answer = Arc::new(self.seen(self.endpoint.query(query, limits).await?));
        if let Some(results) = &self.results
            && answer.incomplete.is_none()
            && answer.row_count() <= MAX_KEPT_ROWS
        {
            results.put(self.key_of(query), answer.clone());
        }
        Ok(answer)
    }

    fn key_of(&self, query: &CheckedQuery) -> String {
        format!("{}\n{}", self.version(), query.text())
    }

    /// An IRI as written in prompts and tables: a prefixed name where that is legal, otherwise `<…>`; shortened in
    /// the middle if very long. Not for queries.
    pub fn compact(&self, iri: &str) -> String {
        self.index.card.prefixes.shown(iri)
    }

    /// SPARQL text with full IRIs replaced by prefixed names, for display.
    pub fn compact_text(&self, text: &str) -> String {
        let mut shown = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('<') {
            shown.push_str(before);
            let bracketed = after.split_once('>');
            match bracketed.filter(|(iri, _)| iri.contains(':') && !iri.contains(char::is_whitespace)) {
                Some((iri, behind)) => {
                    shown.push_str(&self.compact(iri));
                    rest = behind;
                }
                None => {
                    shown.push('<');
                    rest = after;
                }
            }
        }
        shown.push_str(rest);
        shown
    }

    /// The IRI that a model or user wrote: `<iri>`, a bare IRI, or a prefixed name.
    ///
    /// # Errors
    /// A sentence for the model if it is none of these, or an IRI that was shortened for display.
    pub fn resolve(&self, written: &str) -> Result<String, String> {
        let shown = quoted_name(written);
        if written.contains(CUT_MARK) {
            return Err(format!(
                "{shown} was cut when it was shown, so that it cannot be used; reach it in a query by its label or by \
                 what it is joined to"
            ));
        }
        self.expanded(written).ok_or_else(|| {
            format!("{shown} is neither an IRI nor a prefixed name with a known prefix; search for it")
        })
    }

    fn expanded(&self, written: &str) -> Option<String> {
        let written = written.trim();
        let bare = written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).unwrap_or(written);
        // Hidden characters in an IRI were shown as escapes.
        let whole = || unescaped(bare).into_owned();
        if bare.contains("://") || bare.starts_with("urn:") {
            return Some(whole());
        }
        let in_brackets = bare.len() < written.len() && bare.contains(':');
        self.prefixes.expand(bare).or_else(|| in_brackets.then(whole))
    }

    /// The display name of a resource, class or property, if known: one line, shortened.
    pub fn label(&self, iri: &str) -> Option<String> {
        let live = || self.live.as_ref()?.label(iri, &self.languages);
        let own = self.indexed_label(iri).or_else(|| Some(one_line(&live()?, MAX_NAME_CHARS)));
        own.or_else(|| self.other_members().find_map(|member| member.label(iri)))
    }

    fn indexed_label(&self, iri: &str) -> Option<String> {
        let card = &self.index.card;
        let schema = card.class(iri).map(|c| &c.labels).or_else(|| card.property(iri).map(|p| &p.labels));
        if let Some(label) = schema.and_then(|labels| display_label(labels, &self.languages)) {
            return Some(one_line(label, MAX_NAME_CHARS));
        }
        let entity = self.index.entities.get(iri).ok().flatten()?;
        display_label(&entity.labels, &self.languages).map(|label| one_line(label, MAX_NAME_CHARS))
    }

    /// The name of a resource, class or property for a model, in quotes.
    pub fn quoted_label(&self, iri: &str) -> Option<String> {
        self.label(iri).map(|label| quoted_name(&label))
    }

    /// An IRI as written in prompts, with its name if the IRI alone is opaque: `wd:Q5 "human"`.
    pub fn named(&self, iri: &str) -> String {
        let shown = self.compact(iri);
        match is_opaque(local_name(iri)).then(|| self.quoted_label(iri)).flatten() {
            Some(label) => format!("{shown} {label}"),
            None => shown,
        }
    }

    /// An IRI as written in prompts, with its name if known: `wd:Q5 "human"`.
    pub fn with_label(&self, iri: &str) -> String {
        let label = self.quoted_label(iri).map_or_else(String::new, |label| format!(" {label}"));
        format!("{}{label}", self.compact(iri))
    }

    /// The name of a class or property: its label or its readable local name.
    pub fn schema_name(&self, iri: &str) -> String {
        if let Some(words) = Pattern::words_of(iri) {
            return one_line(words, MAX_NAME_CHARS);
        }
        self.label(iri).unwrap_or_else(|| one_line(&humanize(local_name(iri)), MAX_NAME_CHARS))
    }

    /// Alternative names of a class or property in the question's language, in the form in which they follow its name:
    /// `, also "price", "cost"`.
    pub fn synonyms(&self, iri: &str, labels: &[Label]) -> String {
        let Some(language) = self.languages.first() else { return String::new() };
        let shown = self.schema_name(iri);
        let asked = labels.iter().filter(|label| {
            let primary = label.language.split('-').next().unwrap_or_default();
            primary == language && fold(&label.text) != fold(&shown)
        });
        let names: Vec<String> = asked
            .take(MAX_SYNONYMS)
            .map(|label| quoted_name(&one_line(&label.text, MAX_NAME_CHARS)))
            .collect();
        if names.is_empty() { String::new() } else { format!(", also {}", names.join(", ")) }
    }

    /// A result as a table for models, with the first and last rows.
    pub fn table(&self, answer: &Answer, first_rows: usize, last_rows: usize) -> String {
        let label = |iri: &str| self.label(iri);
        let style = TableStyle {
            first_rows,
            last_rows,
            max_columns: 12,
            cell_chars: 120,
            prefixes: &self.index.card.prefixes,
            label: &label,
        };
        render_table(answer, &style)
    }
}

#[async_trait]
impl Runner for Dataset {
    async fn run(&self, query: &str, timeout: Duration) -> Result<(CheckedQuery, Answer), QueryError> {
        let query = self.check(query)?;
        let answer = Self::run(self, &query, timeout).await?;
        Ok((query, Arc::unwrap_or_clone(answer)))
    }
}

/// The languages for showing names: the reader's, then the preferred ones.
fn readers_first(reader: &str, preferred: &[String]) -> Vec<String> {
    let others = preferred.iter().filter(|other| *other != reader).cloned();
    std::iter::once(reader.to_owned()).chain(others).collect()
}

/// A language tag for a model; in quotes if it is not a valid tag.
pub fn shown_tag(tag: &str) -> String {
    if is_language_tag(tag) { tag.to_owned() } else { quoted_name(tag) }
}

/// A name for a model: in quotes, shortened.
pub fn quoted_name(name: &str) -> String {
    quoted(name, MAX_NAME_CHARS)
}

/// Whether a local name is a number rather than words, like `Q42` or `BFO_0000050`.
fn is_opaque(name: &str) -> bool {
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    let digits = name.chars().filter(char::is_ascii_digit).count();
    digits > 0 && (letters <= 2 || (letters <= 6 && digits >= 3))
}

#[cfg(test)]
mod tests {
    use super::{is_opaque, readers_first};

    #[test]
    fn the_readers_language_comes_first_and_once() {
        let preferred = ["en", "de", "fr"].map(str::to_owned);
        assert_eq!(readers_first("de", &preferred), ["de", "en", "fr"]);
        assert_eq!(readers_first("zh", &preferred), ["zh", "en", "de", "fr"]);
        assert_eq!(readers_first("en", &[]), ["en"]);
    }

    #[test]
    fn numbers_are_told_from_names() {
        for name in ["Q42", "P57", "BFO_0000050", "MCBO_0000123", "0042"] {
            assert!(is_opaque(name), "{name}");
        }
        for name in ["Person", "area2", "phone1", "Route66", "population2020", ""] {
            assert!(!is_opaque(name), "{name}");
        }
    }
}
