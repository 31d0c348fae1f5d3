//! Turns words into Tantivy queries: which words count, what they may stand for, and the stages of the search.

use super::FIELDS;
use super::expand::{Expansion, Reach, allowed_edits, similar_terms};
use super::forms::AnyForm;
use super::reader::DocumentReader;
use super::similarity::SearchedText;
use super::terms::Terms;
use eruca_language::text::{Token, TokenKind, name_key, searched_part, tokens};
use tantivy::Term;
use tantivy::query::{Bm25Weight, BooleanQuery, BoostQuery, ConstScoreQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

/// Maximum number of documents found by the leading words together; beyond that, the most frequent words only affect the order.
const MAX_LEADING_DOCUMENTS: u64 = 10_000;

/// Tantivy's length code for every name, since lengths are not stored.
const NO_LENGTH: u8 = 1;

/// Whether descriptions are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Prose {
    Too,
    No,
    Only,
}

/// A search by name.
pub struct NameQuery<'a> {
    /// The text to search for: a name, a code, some words; already shortened by [`searched_part`].
    pub(crate) text: &'a str,
    /// Maximum number of hits.
    pub limit: usize,
    /// Only documents with all of these filter terms.
    pub filters: Vec<String>,
    /// Alternatives for a word: `heavy` → (`weight`, 0.8).
    pub alternatives: &'a (dyn Fn(&str) -> Vec<(String, f32)> + Sync),
    /// Only documents that contain all words exactly: no misspelt forms, no completions.
    pub strict: bool,
    /// Also documents with misspelt forms of words that occur exactly in other names, if those
    /// are few: "Maroon" is a name, but may be meant for "Maroson". And documents with longer names if many have
    /// exactly this name, or this name without its function words.
    pub lenient: bool,
    /// Function words (articles, question words), which are ignored unless there is nothing else.
    pub ignored: &'a (dyn Fn(&str) -> bool + Sync),
}

impl<'a> NameQuery<'a> {
    /// A search without filters, alternatives or ignored words. Of a long text, only the first words are used.
    pub fn new(text: &'a str, limit: usize) -> Self {
        Self {
            text: searched_part(text),
            limit,
            filters: Vec::new(),
            strict: false,
            lenient: false,
            alternatives: &|_| Vec::new(),
            ignored: &|_| false,
        }
    }

    /// The same search for another text.
    pub(super) fn for_text<'b>(&self, text: &'b str) -> NameQuery<'b>
    where
        'a: 'b,
    {
        NameQuery { text: searched_part(text), filters: self.filters.clone(), ..*self }
    }
}

/// A word of the question with its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// The normalized word.
    pub text: String,
    /// Its weight: the inverse document frequency.
    pub weight: f32,
    /// Alternatives to it, with their weights.
    pub alternatives: Vec<(String, f32)>,
    /// Its characters.
    pub(super) chars: Vec<char>,
    /// Number of edits allowed.
    pub(super) edits: u8,
}

impl QueryToken {
    pub(super) fn new(
        text: String,
        weight: f32,
        alternatives: impl FnOnce(&str) -> Vec<(String, f32)>,
    ) -> Self {
        let (alternatives, chars, edits) =
            (alternatives(&text), text.chars().collect(), allowed_edits(&text));
        Self { text, weight, alternatives, chars, edits }
    }
}

/// The search text, looked up in the dictionary.
pub(super) struct SearchPlan<'q> {
    query: &'q NameQuery<'q>,
    terms: Vec<AskedTerm>,
    small_words: Vec<String>,
    key: String,
    documents: u64,
}

impl<'q> SearchPlan<'q> {
    /// Plans a search; `None` when the text has no word.
    pub(super) fn new(terms: &Terms, documents: u64, query: &'q NameQuery<'q>) -> Option<Self> {
        let (words, small_words) = asked_words(query);
        if words.is_empty() {
            return None;
        }
        let terms = words.into_iter().map(|word| AskedTerm::look_up(terms, word, query)).collect();
        Some(Self { query, terms, small_words, key: name_key(query.text), documents })
    }

    /// Whether every word occurs somewhere exactly.
    pub(super) fn all_known(&self) -> bool {
        self.terms.iter().all(|term| term.documents > 0)
    }

    /// The content words, as written.
    pub(super) fn words(&self) -> Vec<&str> {
        self.terms.iter().map(|term| term.token.text.as_str()).collect()
    }

    /// Looks up misspelt forms and completions of every word.
    pub(super) fn expand(&mut self, terms: &Terms, reach: Reach) {
        for term in &mut self.terms {
            term.similar = similar_terms(terms, &term.token.text, reach);
        }
    }

    /// The search text for comparison with candidates.
    pub(super) fn asked(&self) -> SearchedText {
        let tokens = self.terms.iter().map(|term| term.weighed(self.documents)).collect();
        SearchedText { tokens, small_words: self.small_words.clone(), key: self.key.clone() }
    }

    /// Documents with a name of the same words, in any order.
    pub(super) fn same_words(&self) -> Box<dyn Query> {
        let mut words: Vec<&str> = self.key.split(' ').collect();
        words.sort_unstable();
        let query =
            TermQuery::new(Term::from_field_text(FIELDS.words, &words.join(" ")), IndexRecordOption::Basic);
        self.filtered(Box::new(ConstScoreQuery::new(Box::new(query), 1.0)))
    }

    /// Documents with all words and others.
    pub(super) fn all_words_and_more(&self) -> Box<dyn Query> {
        let clauses = vec![(Occur::Must, self.all_words()), (Occur::MustNot, self.same_words())];
        Box::new(BooleanQuery::new(clauses))
    }

    /// Documents with all words.
    pub(super) fn all_words(&self) -> Box<dyn Query> {
        self.all(AskedTerm::query)
    }

    /// Whether some of the words are function words.
    pub(super) fn has_small_words(&self) -> bool {
        !self.small_words.is_empty()
    }

    /// Documents with all words, including function words.
    pub(super) fn all_words_and_small_words(&self) -> Box<dyn Query> {
        let small = self.small_words.iter().map(|word| (Occur::Must, term_query(FIELDS.name, word, 0.0)));
        Box::new(BooleanQuery::new(small.chain([(Occur::Must, self.all_words())]).collect()))
    }

    /// Documents with all words or similar forms of them.
    pub(super) fn all_words_alike(&self) -> Box<dyn Query> {
        self.all(AskedTerm::alike_query)
    }

    fn all(&self, query: fn(&AskedTerm) -> Box<dyn Query>) -> Box<dyn Query> {
        let mut clauses: Vec<_> = self.terms.iter().map(|term| (Occur::Must, query(term))).collect();
        match clauses.len() {
            1 => self.filtered(clauses.remove(0).1),
            _ => self.filtered(Box::new(BooleanQuery::new(clauses))),
        }
    }

    /// Documents with any word, its misspelt forms or completions.
    pub(super) fn any_word(&self, prose: Prose) -> Box<dyn Query> {
        let mut terms: Vec<&AskedTerm> = self.terms.iter().collect();
        terms.sort_by_key(|term| term.reach());
        let mut documents = 0;
        let leading = terms.iter().take_while(|term| {
            let fits = documents == 0 || documents + term.reach() <= MAX_LEADING_DOCUMENTS;
            documents += term.reach();
            fits
        });
        let leading = leading.count();
        let (leading, helping) = terms.split_at(leading);
        let clause = |term: &&AskedTerm| (Occur::Should, term.loose_query(prose));
        let query: Box<dyn Query> = match leading {
            [only] => only.loose_query(prose),
            _ => Box::new(BooleanQuery::new(leading.iter().map(clause).collect())),
        };
        // Nested instead of a flat union, in which Tantivy would read ahead for the terms that only affect the order.
        let helped = helping
            .iter()
            .fold(query, |query, term| Box::new(BooleanQuery::new(vec![(Occur::Must, query), clause(term)])));
        self.filtered(helped)
    }

    /// Whether the search text has more than one word.
    pub(super) fn has_several_words(&self) -> bool {
        self.terms.len() > 1
    }

    /// Upper bound of a document's word score for any of these queries, without prose: the sum of the best forms.
    pub(super) fn most(&self, reader: &DocumentReader) -> f32 {
        let (documents, length) = (reader.documents(), reader.words_per_document());
        let score = |text: &str, weight: f32| {
            let with_it = reader.terms.documents(text);
            let bm25 = || Bm25Weight::for_one_term_without_explain(with_it, documents, length);
            if with_it == 0 { 0.0 } else { weight * bm25().score(NO_LENGTH, 1) }
        };
        self.terms.iter().map(|term| term.most(&score)).sum()
    }

    fn filtered(&self, query: Box<dyn Query>) -> Box<dyn Query> {
        let mut clauses = vec![(Occur::Must, query)];
        for filter in &self.query.filters {
            let term = TermQuery::new(Term::from_field_text(FIELDS.filter, filter), IndexRecordOption::Basic);
            clauses
                .push((Occur::Must, Box::new(ConstScoreQuery::new(Box::new(term), 0.0)) as Box<dyn Query>));
        }
        match clauses.len() {
            1 => clauses.remove(0).1,
            _ => Box::new(BooleanQuery::new(clauses)),
        }
    }
}

/// The content words and the function words; parts of a hyphenated word know their compound.
pub(super) fn asked_words(query: &NameQuery<'_>) -> (Vec<QueryWord>, Vec<String>) {
    let all = tokens(query.text);
    let plain = all.iter().filter(|token| token.kind == TokenKind::Word);
    // A function word with alternatives counts as a content word: "when" asks for a date.
    let (small, counting): (Vec<&Token>, Vec<&Token>) =
        plain.partition(|token| (query.ignored)(&token.text) && (query.alternatives)(&token.text).is_empty());
    let (small, counting) = if counting.is_empty() { (counting, small) } else { (small, counting) };
    let word = |token: &Token| QueryWord {
        text: token.text.clone(),
        parts: parts_of(&all, token),
        compound: compound_with(&all, token),
    };
    (counting.into_iter().map(word).collect(), small.into_iter().map(|token| token.text.clone()).collect())
}

pub(super) struct QueryWord {
    pub(super) text: String,
    /// Parts of a CamelCase word.
    parts: Vec<String>,
    /// The compound of the hyphenated word that it is a part of.
    pub(super) compound: Option<String>,
}

fn parts_of(all: &[Token], word: &Token) -> Vec<String> {
    let parts = all.iter().filter(|t| t.kind == TokenKind::Part && t.position == word.position);
    parts.map(|token| token.text.clone()).collect()
}

fn compound_with(all: &[Token], word: &Token) -> Option<String> {
    let holds =
        |t: &&Token| t.kind == TokenKind::Compound && t.span.0 <= word.span.0 && t.span.1 >= word.span.1;
    all.iter().filter(holds).max_by_key(|token| token.span.1 - token.span.0).map(|token| token.text.clone())
}

/// A word with its dictionary data.
struct AskedTerm {
    token: QueryToken,
    parts: Vec<String>,
    documents: u64,
    similar: Vec<Expansion>,
}

impl AskedTerm {
    fn look_up(terms: &Terms, word: QueryWord, query: &NameQuery<'_>) -> Self {
        let QueryWord { text, parts, compound } = word;
        let mut token = QueryToken::new(text, 1.0, query.alternatives);
        token.alternatives.extend(compound.map(|compound| (compound, 1.0)));
        let alternatives = token.alternatives.iter().map(|(text, _)| terms.documents(text));
        let documents = alternatives.fold(terms.documents(&token.text), u64::max);
        Self { token, parts, documents, similar: Vec::new() }
    }

    /// The word, its alternatives, or all of its parts.
    fn query(&self) -> Box<dyn Query> {
        let mut choices = vec![term_query(FIELDS.name, &self.token.text, 1.0)];
        choices.extend(
            self.token.alternatives.iter().map(|(text, weight)| term_query(FIELDS.name, text, *weight)),
        );
        if !self.parts.is_empty() {
            let parts = self.parts.iter().map(|part| term_query(FIELDS.name, part, 0.9)).collect();
            choices.push(Box::new(BooleanQuery::intersection(parts)));
        }
        any_of(choices)
    }

    /// The same with misspelt forms and completions.
    fn alike_query(&self) -> Box<dyn Query> {
        let mut choices = vec![self.query()];
        choices.extend(self.similar.iter().map(|e| term_query(FIELDS.name, &e.term, e.weight)));
        any_of(choices)
    }

    /// The same with prose, or prose alone.
    fn loose_query(&self, prose: Prose) -> Box<dyn Query> {
        let mut choices = if prose == Prose::Only { Vec::new() } else { vec![self.alike_query()] };
        if prose != Prose::No {
            choices.push(term_query(FIELDS.text, &self.token.text, 0.2));
            choices.extend(
                self.token
                    .alternatives
                    .iter()
                    .map(|(text, weight)| term_query(FIELDS.text, text, 0.2 * weight)),
            );
        }
        any_of(choices)
    }

    /// The score of its best form.
    fn most(&self, score: &impl Fn(&str, f32) -> f32) -> f32 {
        let itself = score(&self.token.text, 1.0);
        let related = self.token.alternatives.iter().map(|(text, weight)| score(text, *weight));
        let similar = self.similar.iter().map(|form| score(&form.term, form.weight));
        let parts = self.parts.iter().map(|part| score(part, 0.9)).sum();
        related.chain(similar).chain([parts]).fold(itself, f32::max)
    }

    /// Upper bound of the number of documents found by it or similar words.
    fn reach(&self) -> u64 {
        self.similar.iter().map(|e| e.documents).sum::<u64>() + self.documents
    }

    /// The word with its weight.
    fn weighed(&self, total: u64) -> QueryToken {
        let documents = self.similar.iter().map(|e| e.documents).max().unwrap_or(0).max(self.documents);
        QueryToken { weight: weight(documents, total), ..self.token.clone() }
    }
}

/// The weight of a word that occurs in the names of this many documents: rare words weigh more; a word that occurs in none
/// weighs little, since it cannot distinguish candidates.
pub(super) fn weight(documents: u64, total: u64) -> f32 {
    let (total, known) = (total as f32, documents as f32);
    let idf = (1.0 + (total - known + 0.5).max(0.0) / (known + 0.5)).ln();
    if documents == 0 { 0.3 * idf } else { idf.max(0.1) }
}

pub(super) fn any_of(mut choices: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match choices.len() {
        1 => choices.remove(0),
        _ => Box::new(AnyForm::of(choices)),
    }
}

pub(super) fn term_query(field: Field, text: &str, weight: f32) -> Box<dyn Query> {
    let query = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic);
    Box::new(BoostQuery::new(Box::new(query), weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::sample::write;
    use proptest::prelude::*;
    use tantivy::query::EnableScoring;
    use tantivy::{DocSet, TERMINATED};

    fn highest_score(reader: &DocumentReader, query: &dyn Query) -> f32 {
        let weight = query.weight(EnableScoring::enabled_from_searcher(&reader.searcher)).unwrap();
        let mut highest = 0.0_f32;
        for segment in reader.searcher.segment_readers() {
            let mut scorer = weight.scorer(segment, 1.0).unwrap();
            while scorer.doc() != TERMINATED {
                highest = highest.max(scorer.score());
                scorer.advance();
            }
        }
        highest
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn nothing_scores_more_than_the_most(
            names in proptest::collection::vec("(alpha|alphas|beta|betaGamma|gam-ma)( [abg][a-z]{0,5}){0,3}", 1..40),
            text in "(alpha|alpah|beta|BetaGamma|gam|delta)( (alphas|betta|gam-ma|zeta)){0,2}",
        ) {
            let folder = tempfile::tempdir().unwrap();
            let things: Vec<(String, u64)> = names.into_iter().map(|name| (name, 0)).collect();
            write(folder.path(), &things, None);
            let reader = DocumentReader::open(folder.path()).unwrap();
            let related = |word: &str| vec![(format!("{word}s"), 0.8)];
            let query = NameQuery { alternatives: &related, ..NameQuery::new(&text, 10) };
            let mut plan = SearchPlan::new(&reader.terms, reader.documents(), &query).unwrap();
            plan.expand(&reader.terms, Reach::Far);
            let most = plan.most(&reader) * 1.000_001;
            for query in [plan.all_words(), plan.all_words_alike(), plan.any_word(Prose::No)] {
                let highest = highest_score(&reader, query.as_ref());
                prop_assert!(highest <= most, "{highest} of {most}");
            }
        }
    }
}
