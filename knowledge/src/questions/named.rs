//! Which names of a question stand in its query: they become its parameters, so that others can take their places.

use super::key::tokens;
use super::{MAX_PARAMETERS, Parameter};

/// The parameters of a question, from the names of the terms in its query (each with how the term is written). A name counts if
/// it stands in the question once; of those that overlap, the one with most words, and of a term's names the longest.
#[must_use]
pub fn named_parameters(question: &str, names: &[(String, String)]) -> Vec<Parameter> {
    let asked = tokens(question);
    let mut found: Vec<((usize, usize), Parameter)> = Vec::new();
    let mut longest: Vec<&(String, String)> = names.iter().collect();
    longest.sort_by_key(|(name, _)| std::cmp::Reverse(tokens(name).len()));
    for (name, value) in longest {
        let words = tokens(name);
        let fits = |at: &usize| {
            let window = asked.iter().skip(*at).take(words.len()).map(|token| &token.text);
            window.eq(words.iter().map(|token| &token.text))
        };
        let mut places = (0..asked.len()).filter(fits);
        let (Some(from), None) = (places.next().filter(|_| !words.is_empty()), places.next()) else {
            continue;
        };
        let to = from + words.len();
        // Names that touch cannot be told apart in another question.
        let is_free = |((start, end), known): &((usize, usize), Parameter)| {
            (to < *start || from > *end) && known.value != *value
        };
        let written = asked.get(from).zip(asked.get(to - 1));
        let written = written.and_then(|(first, last)| question.get(first.span.0..last.span.1));
        let Some(written) = written.filter(|_| found.iter().all(is_free)) else { continue };
        found.push(((from, to), Parameter { name: written.to_owned(), value: value.clone() }));
    }
    found.sort_by_key(|(place, _)| *place);
    // Nothing but a name is no question that others can be put into.
    let named: usize = found.iter().map(|((from, to), _)| to - from).sum();
    if named == asked.len() || found.len() > MAX_PARAMETERS {
        return Vec::new();
    }
    found.into_iter().map(|(_, parameter)| parameter).collect()
}
