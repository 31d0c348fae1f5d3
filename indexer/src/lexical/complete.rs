//! Names that begin with a text: suggestions while a user types. All words but the last are complete, the last one
//! is a prefix.

use super::collect::Search;
use super::query::{any_of, term_query};
use super::reader::DocumentReader;
use super::search::NameIndex;
use super::words::Words;
use super::{FIELDS, LexicalError, Named};
use eruca_language::text::{TokenKind, fold, searched_part, tokens};
use serde::de::DeserializeOwned;
use tantivy::Term;
use tantivy::query::{BooleanQuery, ConstScoreQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

/// Maximum number of words compared that start with the last word of the text; and of those used, most frequent first.
const MAX_BEGINNING: usize = 2_000;
const MAX_ENDINGS: usize = 64;
/// Documents fetched per requested one, from which names that start with the whole text are ranked first.
pub(super) const POOL: usize = 8;

impl NameIndex {
    /// The documents with a name that begins with the text, best first: names that begin with the whole text before
    /// those that contain its words, then by prominence.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn complete<P: DeserializeOwned + Named>(
        &self,
        text: &str,
        limit: usize,
    ) -> Result<Vec<P>, LexicalError> {
        let text = searched_part(text);
        let Some(query) = going_on(&self.reader, text) else { return Ok(Vec::new()) };
        let start = fold(text.trim());
        let mut found: Vec<P> = self.best_of(query, limit.saturating_mul(POOL))?;
        found.sort_by_cached_key(|payload| std::cmp::Reverse((rank(payload, &start), payload.uses())));
        found.truncate(limit);
        Ok(found)
    }

    /// The most prominent documents with a filter term.
    ///
    /// # Errors
    /// When the index cannot be read.
    pub fn best_with<P: DeserializeOwned>(&self, filter: &str, limit: usize) -> Result<Vec<P>, LexicalError> {
        let term = Term::from_field_text(FIELDS.filter, filter);
        self.best_of(Box::new(TermQuery::new(term, IndexRecordOption::Basic)), limit)
    }

    fn best_of<P: DeserializeOwned>(
        &self,
        query: Box<dyn Query>,
        limit: usize,
    ) -> Result<Vec<P>, LexicalError> {
        // All words get the same score, so that only the prior decides.
        let query = ConstScoreQuery::new(query, 1.0);
        self.guarded(|| {
            let found = Search::new(&self.reader, &query)?.best(limit, || 1.0)?;
            found.into_iter().filter_map(|address| self.row(address)).map(|row| self.payload(row)).collect()
        })
    }
}

/// 2 if the text is a whole name, 1 if a name begins with it, otherwise 0.
pub(super) fn rank<P: Named>(payload: &P, start: &str) -> u8 {
    let name = |name: &str| match fold(name) {
        name if name == start => 2,
        name if name.starts_with(start) => 1,
        _ => 0,
    };
    payload.names().into_iter().map(name).max().unwrap_or(0)
}

/// All words before the last one, and a word that starts with it; `None` if there is no such word.
fn going_on(reader: &DocumentReader, text: &str) -> Option<Box<dyn Query>> {
    let tokens = tokens(text);
    let mut words: Vec<_> = tokens.iter().filter(|token| token.kind == TokenKind::Word).collect();
    let last = words.pop()?;
    let last_as_typed = fold(text.get(last.span.0..last.span.1).unwrap_or(&last.text));
    let mut parts: Vec<Box<dyn Query>> =
        words.iter().map(|word| term_query(FIELDS.name, &word.text, 1.0)).collect();
    // The typed word may be a plural; the index contains only singulars.
    let mut endings = beginning(reader, &last_as_typed);
    if reader.terms.documents(&last.text) > 0 && !endings.contains(&last.text) {
        endings.push(last.text.clone());
    }
    if endings.is_empty() {
        return None;
    }
    parts.push(any_of(endings.iter().map(|word| term_query(FIELDS.name, word, 1.0)).collect()));
    Some(Box::new(BooleanQuery::intersection(parts)))
}

/// Words that start with `start`, most frequent first.
fn beginning(reader: &DocumentReader, start: &str) -> Vec<String> {
    let mut found: Vec<(u64, String)> = Vec::new();
    reader
        .terms
        .beginning(start, MAX_BEGINNING, &mut |word, documents| found.push((documents, word.to_owned())));
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    found.into_iter().take(MAX_ENDINGS).map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::IntegrityAlarm;
    use crate::lexical::sample::{Thing, write};

    fn completed(names: &[(&str, u64)], text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let things: Vec<(String, u64)> =
            names.iter().map(|(name, uses)| ((*name).to_owned(), *uses)).collect();
        write(folder.path(), &things, None);
        let index = NameIndex::open(folder.path(), &IntegrityAlarm::default()).unwrap();
        let found: Vec<Thing> = index.complete(text, 3).unwrap();
        found.into_iter().map(|thing| thing.0).collect()
    }

    const NAMES: [(&str, u64); 6] = [
        ("Paris", 90),
        ("Parana River", 20),
        ("Treaty of Paris", 99),
        ("United Kingdom", 50),
        ("United States", 60),
        ("Kingdom of the Isles", 5),
    ];

    #[test]
    fn the_last_word_may_be_unfinished_and_names_that_begin_so_come_first() {
        assert_eq!(completed(&NAMES, "par"), ["Paris", "Parana River", "Treaty of Paris"]);
        assert_eq!(completed(&NAMES, "paris"), ["Paris", "Treaty of Paris"]);
        assert_eq!(completed(&NAMES, "united k"), ["United Kingdom"]);
        assert_eq!(completed(&NAMES, "UNITED STATES"), ["United States"]);
        assert_eq!(completed(&NAMES, "u"), ["United States", "United Kingdom"]);
    }

    #[test]
    fn what_goes_on_nowhere_gives_nothing() {
        for text in ["", "  ", "zz", "paris zz", "zz paris", "?!"] {
            assert_eq!(completed(&NAMES, text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn the_best_known_of_a_filter_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let things: Vec<(String, u64)> = (0..30).map(|uses| (format!("thing {uses}"), uses)).collect();
        write(folder.path(), &things, None);
        let index = NameIndex::open(folder.path(), &IntegrityAlarm::default()).unwrap();
        let found: Vec<Thing> = index.best_with("f1", 2).unwrap();
        assert_eq!(found.iter().map(|thing| thing.1).collect::<Vec<_>>(), [28, 25]);
        assert!(index.best_with::<Thing>("f9", 2).unwrap().is_empty());
    }
}
