//! From words to Tantivy queries: what is asked, which terms may be meant, in which stages to search.

use super::expand::{Expansion, similar_terms};
use super::{Fields, LexicalError};
use crate::text::{Token, TokenKind, name_key, tokens};
use tantivy::query::{
    BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query, TermQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

/// A search by name.
pub struct NameQuery<'a> {
    /// What is looked for: a name, a code, some words.
    pub text: &'a str,
    /// Hits wanted.
    pub limit: usize,
    /// Only documents with all of these filter terms.
    pub filters: Vec<String>,
    /// Other words for a word: `heavy` → (`weight`, 0.8).
    pub alternatives: &'a (dyn Fn(&str) -> Vec<(String, f32)> + Sync),
    /// Only documents in which all words occur as they are written: no misspelt forms, no completions.
    pub strict: bool,
    /// Words that say nothing (articles, question words); ignored unless there is nothing else.
    pub ignored: &'a (dyn Fn(&str) -> bool + Sync),
}

impl<'a> NameQuery<'a> {
    /// A search without filters, alternatives or ignored words.
    pub fn new(text: &'a str, limit: usize) -> Self {
        Self {
            text,
            limit,
            filters: Vec::new(),
            strict: false,
            alternatives: &|_| Vec::new(),
            ignored: &|_| false,
        }
    }
}

/// A word of the question and how much it counts.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryToken {
    /// The normalized word.
    pub text: String,
    /// Its weight: the inverse document frequency.
    pub weight: f32,
    /// Other words for it, with their weights.
    pub alternatives: Vec<(String, f32)>,
}

/// What to run and how to order what is found.
pub(super) struct Plan {
    pub(super) stages: Vec<Box<dyn Query>>,
    pub(super) tokens: Vec<QueryToken>,
    pub(super) key: String,
}

/// Plans a search; `None` when the text holds no word, or when a strict search can find nothing.
pub(super) fn plan(
    searcher: &Searcher,
    fields: Fields,
    query: &NameQuery<'_>,
) -> Result<Option<Plan>, LexicalError> {
    let words = asked_words(query);
    if words.is_empty() {
        return Ok(None);
    }
    let key = name_key(query.text);
    let mut terms = Vec::with_capacity(words.len());
    for word in words {
        terms.push(AskedTerm::look_up(searcher, fields.name, word, query)?);
    }
    let exact = key_query(fields, &key);
    let strict: Vec<_> = terms.iter().map(|term| (Occur::Must, term.query(fields))).collect();
    let strict: Box<dyn Query> = Box::new(BooleanQuery::new(strict));
    let complete = terms.iter().all(|term| term.documents > 0) && matches_any(searcher, strict.as_ref())?;
    if query.strict && !complete {
        return Ok(None);
    }
    if !complete {
        for term in &mut terms {
            term.similar = similar_terms(searcher, fields.name, &term.token.text)?;
        }
    }
    let loose = terms.iter().map(|term| (Occur::Should, term.loose_query(fields))).collect();
    let mut stages: Vec<Box<dyn Query>> = vec![exact];
    if complete {
        stages.push(strict);
    }
    if !query.strict {
        stages.push(Box::new(BooleanQuery::new(loose)));
    }
    let stages = stages.into_iter().map(|stage| filtered(stage, fields.filter, &query.filters)).collect();
    let total = searcher.num_docs();
    Ok(Some(Plan { stages, tokens: terms.into_iter().map(|term| term.weigh(total)).collect(), key }))
}

/// The words that count, with compounds instead of their members when the text is hyphenated.
fn asked_words(query: &NameQuery<'_>) -> Vec<Word> {
    let all = tokens(query.text);
    let plain: Vec<&Token> = all.iter().filter(|token| token.kind == TokenKind::Word).collect();
    // A word that says nothing by itself may still ask for something: "when" asks for a date.
    let ignored =
        |token: &Token| (query.ignored)(&token.text) && (query.alternatives)(&token.text).is_empty();
    let all_ignored = plain.iter().all(|token| ignored(token));
    plain
        .into_iter()
        .filter(|token| all_ignored || !ignored(token))
        .map(|token| Word {
            text: token.text.clone(),
            parts: parts_of(&all, token),
            compound: compound_with(&all, token),
        })
        .collect()
}

struct Word {
    text: String,
    /// Parts of a CamelCase word.
    parts: Vec<String>,
    /// The hyphenated word it is a member of, joined.
    compound: Option<String>,
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

/// A word with what the dictionary knows of it.
struct AskedTerm {
    token: QueryToken,
    parts: Vec<String>,
    documents: u64,
    similar: Vec<Expansion>,
}

impl AskedTerm {
    fn look_up(
        searcher: &Searcher,
        field: Field,
        word: Word,
        query: &NameQuery<'_>,
    ) -> tantivy::Result<Self> {
        let mut alternatives = (query.alternatives)(&word.text);
        alternatives.extend(word.compound.map(|compound| (compound, 1.0)));
        let mut documents = searcher.doc_freq(&Term::from_field_text(field, &word.text))?;
        for (alternative, _) in &alternatives {
            documents = documents.max(searcher.doc_freq(&Term::from_field_text(field, alternative))?);
        }
        let token = QueryToken { text: word.text, weight: 1.0, alternatives };
        Ok(Self { token, parts: word.parts, documents, similar: Vec::new() })
    }

    /// The word, its other words, or all of its parts.
    fn query(&self, fields: Fields) -> Box<dyn Query> {
        let mut choices = vec![term_query(fields.name, &self.token.text, 1.0)];
        choices.extend(
            self.token.alternatives.iter().map(|(text, weight)| term_query(fields.name, text, *weight)),
        );
        if !self.parts.is_empty() {
            let parts = self.parts.iter().map(|part| term_query(fields.name, part, 0.9)).collect();
            choices.push(Box::new(BooleanQuery::intersection(parts)));
        }
        Box::new(DisjunctionMaxQuery::new(choices))
    }

    /// The same with misspelt forms, completions and prose.
    fn loose_query(&self, fields: Fields) -> Box<dyn Query> {
        let mut choices = vec![self.query(fields), term_query(fields.text, &self.token.text, 0.2)];
        choices.extend(self.similar.iter().map(|e| term_query(fields.name, &e.term, e.weight)));
        choices.extend(
            self.token.alternatives.iter().map(|(text, weight)| term_query(fields.text, text, 0.2 * weight)),
        );
        Box::new(DisjunctionMaxQuery::new(choices))
    }

    /// Gives the word its weight: rare words count more; a word that no name holds counts little, since it
    /// cannot tell candidates apart.
    fn weigh(mut self, total: u64) -> QueryToken {
        let documents = self.similar.iter().map(|e| e.documents).max().unwrap_or(0).max(self.documents);
        let (total, known) = (total as f32, documents as f32);
        let idf = (1.0 + (total - known + 0.5).max(0.0) / (known + 0.5)).ln();
        self.token.weight = if documents == 0 { 0.3 * idf } else { idf.max(0.1) };
        self.token
    }
}

fn term_query(field: Field, text: &str, weight: f32) -> Box<dyn Query> {
    let query = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic);
    Box::new(BoostQuery::new(Box::new(query), weight))
}

fn key_query(fields: Fields, key: &str) -> Box<dyn Query> {
    let query = TermQuery::new(Term::from_field_text(fields.key, key), IndexRecordOption::Basic);
    Box::new(ConstScoreQuery::new(Box::new(query), 1.0))
}

fn filtered(query: Box<dyn Query>, field: Field, filters: &[String]) -> Box<dyn Query> {
    if filters.is_empty() {
        return query;
    }
    let mut clauses = vec![(Occur::Must, query)];
    for filter in filters {
        let term = TermQuery::new(Term::from_field_text(field, filter), IndexRecordOption::Basic);
        clauses.push((Occur::Must, Box::new(ConstScoreQuery::new(Box::new(term), 0.0)) as Box<dyn Query>));
    }
    Box::new(BooleanQuery::new(clauses))
}

fn matches_any(searcher: &Searcher, query: &dyn Query) -> tantivy::Result<bool> {
    let found = searcher.search(query, &tantivy::collector::TopDocs::with_limit(1).order_by_score())?;
    Ok(!found.is_empty())
}
