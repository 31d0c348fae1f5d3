//! A search by name before it is run: which words count, what they may stand for, and how much each weighs. The same for
//! every place in which names are kept; `query` turns it into queries of Tantivy, `remote` into those of a server.

use super::expand::{Expansion, Reach, allowed_edits, similar_terms};
use super::similarity::SearchedText;
use super::words::Words;
use eruca_language::text::{Token, TokenKind, name_key, searched_part, tokens};

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
    pub(super) query: &'q NameQuery<'q>,
    pub(super) terms: Vec<AskedTerm>,
    pub(super) small_words: Vec<String>,
    /// The whole text as returned by [`name_key`].
    key: String,
    /// Number of documents in the index.
    pub(super) documents: u64,
}

impl<'q> SearchPlan<'q> {
    /// Plans a search; `None` when the text has no word.
    pub(super) fn new(words: &dyn Words, documents: u64, query: &'q NameQuery<'q>) -> Option<Self> {
        let (asked, small_words) = asked_words(query);
        if asked.is_empty() {
            return None;
        }
        let terms = asked.into_iter().map(|word| AskedTerm::look_up(words, word, query)).collect();
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
    pub(super) fn expand(&mut self, words: &dyn Words, reach: Reach) {
        for term in &mut self.terms {
            term.similar = similar_terms(words, &term.token.text, reach);
        }
    }

    /// The search text for comparison with candidates.
    pub(super) fn asked(&self) -> SearchedText {
        let tokens = self.terms.iter().map(|term| term.weighed(self.documents)).collect();
        SearchedText { tokens, small_words: self.small_words.clone(), key: self.key.clone() }
    }

    /// Whether some of the words are function words.
    pub(super) fn has_small_words(&self) -> bool {
        !self.small_words.is_empty()
    }

    /// Whether the search text has more than one word.
    pub(super) fn has_several_words(&self) -> bool {
        self.terms.len() > 1
    }

    /// The words of the text in alphabetical order, as `names::word_set` has those of a name.
    pub(super) fn word_set(&self) -> String {
        let mut words: Vec<&str> = self.key.split(' ').collect();
        words.sort_unstable();
        words.join(" ")
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

impl QueryWord {
    /// Everything that is looked up for it: itself, alternatives to it, its parts, its compound.
    pub(super) fn forms(&self, alternatives: &(dyn Fn(&str) -> Vec<(String, f32)> + Sync)) -> Vec<String> {
        let mut forms = vec![self.text.clone()];
        forms.extend(alternatives(&self.text).into_iter().map(|(word, _)| word));
        forms.extend(self.parts.iter().chain(&self.compound).cloned());
        forms
    }
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
pub(super) struct AskedTerm {
    pub(super) token: QueryToken,
    pub(super) parts: Vec<String>,
    pub(super) documents: u64,
    pub(super) similar: Vec<Expansion>,
}

impl AskedTerm {
    fn look_up(words: &dyn Words, word: QueryWord, query: &NameQuery<'_>) -> Self {
        let QueryWord { text, parts, compound } = word;
        let mut token = QueryToken::new(text, 1.0, query.alternatives);
        token.alternatives.extend(compound.map(|compound| (compound, 1.0)));
        let alternatives = token.alternatives.iter().map(|(text, _)| words.documents(text));
        let documents = alternatives.fold(words.documents(&token.text), u64::max);
        Self { token, parts, documents, similar: Vec::new() }
    }

    /// Upper bound of the number of documents found by it or similar words.
    pub(super) fn reach(&self) -> u64 {
        self.similar.iter().map(|e| e.documents).sum::<u64>() + self.documents
    }

    /// The word with its weight.
    pub(super) fn weighed(&self, total: u64) -> QueryToken {
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
