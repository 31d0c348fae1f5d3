//! Which terms of the dictionary a word may mean: itself, words one or two edits away, words it begins.

use tantivy::query::FuzzyTermQuery;
use tantivy::schema::Field;
use tantivy::termdict::TermStreamer;
use tantivy::{Searcher, Term};

/// Terms taken into a query for one word.
const MAX_EXPANSIONS: usize = 24;
/// Terms looked at per segment before the search for more is given up.
const MAX_SCANNED: usize = 2_000;

/// A dictionary term that a word may mean.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expansion {
    pub(super) term: String,
    /// Weight of a match, 1 for the word itself.
    pub(super) weight: f32,
    pub(super) documents: u64,
}

/// Edits allowed for a word: none in short ones, where every word is another word's neighbour.
pub(super) fn allowed_edits(word: &str) -> u8 {
    let letters = word.chars().count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match letters {
        _ if digits * 2 > letters => 0,
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Misspelt forms and completions of `word`, best first.
pub(super) fn similar_terms(
    searcher: &Searcher,
    field: Field,
    word: &str,
) -> tantivy::Result<Vec<Expansion>> {
    let mut found: Vec<Expansion> = Vec::new();
    let edits = allowed_edits(word);
    for distance in 1..=edits {
        let weight = if distance == 1 { 0.7 } else { 0.45 };
        let query = FuzzyTermQuery::new(Term::from_field_text(field, word), distance, true);
        for segment in searcher.segment_readers() {
            let inverted = segment.inverted_index(field)?;
            let stream = inverted.terms().search(query.automaton()?).into_stream()?;
            collect(stream, weight, &mut found);
        }
        if !found.is_empty() {
            break;
        }
    }
    if word.chars().count() >= 3 {
        complete(searcher, field, word, &mut found)?;
    }
    found.retain(|expansion| expansion.term != word);
    found.sort_by(|a, b| {
        b.weight.total_cmp(&a.weight).then(b.documents.cmp(&a.documents)).then_with(|| a.term.cmp(&b.term))
    });
    found.truncate(MAX_EXPANSIONS);
    Ok(found)
}

fn complete(
    searcher: &Searcher,
    field: Field,
    word: &str,
    found: &mut Vec<Expansion>,
) -> tantivy::Result<()> {
    let mut above = word.to_owned();
    above.push(char::MAX);
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let stream = inverted.terms().range().ge(word).lt(&above).into_stream()?;
        collect(stream, 0.5, found);
    }
    Ok(())
}

fn collect<A>(mut stream: TermStreamer<'_, A>, weight: f32, found: &mut Vec<Expansion>)
where
    A: tantivy_fst::Automaton,
    A::State: Clone,
{
    let mut scanned = 0;
    while scanned < MAX_SCANNED && stream.advance() {
        scanned += 1;
        let documents = u64::from(stream.value().doc_freq);
        let Ok(term) = std::str::from_utf8(stream.key()) else { continue };
        match found.iter_mut().find(|expansion| expansion.term == term) {
            Some(known) => known.documents += documents,
            None => found.push(Expansion { term: term.to_owned(), weight, documents }),
        }
    }
}
