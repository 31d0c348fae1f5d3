//! Which words of a question are no names, whatever the graph calls its things: words that say nothing by themselves,
//! comparatives and superlatives, and the parts of an address. What is quoted or written as a name may be one all the same.
//! Uses the question alone.

use eruca_indexer::language::{Degree, is_function_word};
use eruca_planner::question::{Question, Span, Word, WordKind};

/// How addresses begin.
const SCHEMES: &[&str] = &["http://", "https://", "urn:"];
/// What ends a sentence or clause and may stand behind an address.
const BEHIND: &[char] = &['.', ',', ';', ':', '?', '!', ')', '>', '"', '\''];

/// An address in a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    /// Its words.
    pub span: Span,
    /// The address.
    pub iri: String,
}

/// The words that are no names, in order.
pub(super) fn not_names(question: &Question) -> Vec<u16> {
    let addresses = addresses(question);
    let graded = |at: u16| {
        question.grades.iter().any(|found| found.span.has(at) && found.grade.degree != Degree::Positive)
    };
    let in_address = |at: u16| addresses.iter().any(|address| address.span.has(at));
    let is_none = |at: &u16| {
        let Some(word) = question.word(*at) else { return false };
        in_address(*at) || (!is_marked(word) && (is_small(question, word) || graded(*at)))
    };
    (0..question.all().to).filter(is_none).collect()
}

/// The addresses in a question; those of one word may be names, too.
pub(super) fn addresses(question: &Question) -> Vec<Address> {
    let starts = SCHEMES.iter().flat_map(|scheme| question.text.match_indices(scheme));
    let mut found: Vec<Address> = starts.filter_map(|(at, _)| address(question, at)).collect();
    found.sort_by_key(|address| address.span.from);
    found
}

fn address(question: &Question, at: usize) -> Option<Address> {
    let rest = question.text.get(at..)?;
    let whole = rest.split(|c: char| c.is_whitespace() || matches!(c, '<' | '>')).next()?;
    let iri = whole.trim_end_matches(BEHIND).to_owned();
    let inside = |word: &Word| word.bytes.0 >= at && word.bytes.1 <= at + iri.len();
    let from = question.words.iter().position(inside)?;
    let to = question.words.iter().rposition(inside)? + 1;
    Some(Address { span: Span::new(from, to), iri })
}

/// Quoted, or with a capital that a name has.
fn is_marked(word: &Word) -> bool {
    word.capital || word.kind == WordKind::Quoted
}

/// Says nothing by itself in the question's language; in another one only if it is no noun of the question's, since the
/// language of a short question may be taken for another.
fn is_small(question: &Question, word: &Word) -> bool {
    let language = question.language;
    word.kind == WordKind::Function || (is_function_word(&word.norm) && !language.is_noun(&word.norm))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_names_in(text: &str) -> Vec<String> {
        let question = Question::read(text, &[]);
        let words = not_names(&question);
        words.into_iter().filter_map(|at| Some(question.word(at)?.raw.clone())).collect()
    }

    #[test]
    fn small_words_and_superlatives_are_no_names_unless_they_are_written_as_such() {
        assert_eq!(no_names_in("the longest song"), ["the", "longest"]);
        assert_eq!(no_names_in("Who sings \"the longest\"?"), ["Who"]);
        assert!(!no_names_in("Which band plays the song Longest?").contains(&"Longest".to_owned()));
        // "high" may be a value.
        assert!(!no_names_in("Which jobs have high priority?").contains(&"high".to_owned()));
    }

    #[test]
    fn an_address_is_one_name_and_its_parts_are_none() {
        let question = Question::read("What is linked to http://db.example/org/13269, and since when?", &[]);
        let found = addresses(&question);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].iri, "http://db.example/org/13269");
        let parts = no_names_in("What is linked to http://db.example/org/13269?");
        for part in ["http", "db", "org", "13269"] {
            assert!(parts.iter().any(|word| word == part), "{part}: {parts:?}");
        }
    }
}
