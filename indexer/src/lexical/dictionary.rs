//! The words of some names in memory, for searches whose candidates come from elsewhere: what a question's words may
//! mean, and how well a name fits, by the same rules as in an index of names.

use super::expand::allowed_edits;
use super::names::encode;
use super::plan::{NameQuery, QueryToken, QueryWord, asked_words, weight};
use super::rank::PROSE_SCORE;
use super::similarity::{SearchedText, edit_distance, fit};
use eruca_language::text::{name_key, tokens};
use eruca_language::{is_function_word, related_words};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of expansions of one unknown word in a search.
const MAX_EXPANSIONS: usize = 24;

/// Words with the numbers of the documents whose names contain them.
#[derive(Debug, Clone, Default)]
pub struct Dictionary {
    words: BTreeMap<String, Vec<u32>>,
    /// The group of each document.
    groups: Vec<String>,
}

/// A question prepared for comparison with names.
#[derive(Debug, Clone)]
pub struct AskedName {
    asked: SearchedText,
    /// Weighted words of the dictionary that misspelt or incomplete words may stand for.
    pub similar: Vec<(String, f32)>,
}

impl Dictionary {
    /// A dictionary of documents, each given by its group and names.
    pub fn of<'a>(documents: impl Iterator<Item = (&'a str, &'a [String])>) -> Self {
        let mut dictionary = Self::default();
        for (group, names) in documents {
            let words: BTreeSet<String> =
                names.iter().flat_map(|name| tokens(name)).map(|token| token.text).collect();
            for word in words {
                dictionary.words.entry(word).or_default().push(dictionary.groups.len() as u32);
            }
            dictionary.groups.push(group.to_owned());
        }
        dictionary
    }

    /// Prepares a question about a group. Expansions of misspelt words are searched for unless the names of one of its
    /// documents contain all words as they are.
    pub fn ask(&self, group: &str, text: &str) -> AskedName {
        let query =
            NameQuery { alternatives: &related_words, ignored: &is_function_word, ..NameQuery::new(text, 1) };
        let (words, small_words) = asked_words(&query);
        let words: Vec<QueryToken> = words.into_iter().map(token).collect();
        let complete = self.hold_all(group, &words);
        let (mut asked, mut similar) = (Vec::new(), Vec::new());
        for word in words {
            let near = if complete { Vec::new() } else { self.near(&word.text) };
            let known = choices(&word).chain(near.iter().map(|(near, _)| near.as_str()));
            let documents = known.map(|text| self.holding(text).len()).max().unwrap_or_default();
            asked.push(QueryToken { weight: weight(documents as u64, self.groups.len() as u64), ..word });
            similar.extend(near);
        }
        AskedName { asked: SearchedText { tokens: asked, small_words, key: name_key(query.text) }, similar }
    }

    fn holding(&self, word: &str) -> &[u32] {
        self.words.get(word).map_or(&[], Vec::as_slice)
    }

    /// The numbers of the documents whose names contain a word of the question or one of its expansions.
    pub fn holding_any(&self, question: &AskedName) -> BTreeSet<u32> {
        let asked = question.asked.tokens.iter().flat_map(choices);
        let words = asked.chain(question.similar.iter().map(|(word, _)| word.as_str()));
        words.flat_map(|word| self.holding(word)).copied().collect()
    }

    /// Whether the names of one document in the group contain all words, or alternatives to them.
    fn hold_all(&self, group: &str, words: &[QueryToken]) -> bool {
        let holding = |word: &QueryToken| -> BTreeSet<u32> {
            choices(word).flat_map(|text| self.holding(text)).copied().collect()
        };
        let all = words.iter().map(holding).reduce(|all, these| &all & &these);
        let in_group = |at: &u32| self.groups.get(*at as usize).is_some_and(|known| known == group);
        all.is_some_and(|all| all.iter().any(in_group))
    }

    /// Words at the smallest edit distance at which there are any, and words that start with it.
    fn near(&self, word: &str) -> Vec<(String, f32)> {
        let edits = usize::from(allowed_edits(word));
        let length = word.chars().count();
        let mut by_distance: Vec<Vec<(String, f32)>> = vec![Vec::new(); edits + 1];
        for known in self.words.keys().filter(|known| *known != word) {
            if edits > 0 && length.abs_diff(known.chars().count()) <= edits {
                let distance = edit_distance(word, known);
                if let Some(list) = by_distance.get_mut(distance) {
                    list.push((known.clone(), if distance == 1 { 0.7 } else { 0.45 }));
                }
            }
        }
        let mut found = by_distance.into_iter().find(|list| !list.is_empty()).unwrap_or_default();
        if length >= 3 {
            let begun = self.words.range(word.to_owned()..).take_while(|(known, _)| known.starts_with(word));
            found.extend(begun.filter(|(known, _)| *known != word).map(|(known, _)| (known.clone(), 0.5)));
        }
        found.truncate(MAX_EXPANSIONS);
        found
    }
}

fn token(word: QueryWord) -> QueryToken {
    let mut token = QueryToken::new(word.text, 1.0, related_words);
    token.alternatives.extend(word.compound.map(|compound| (compound, 1.0)));
    token
}

/// The word and its alternatives.
fn choices(word: &QueryToken) -> impl Iterator<Item = &str> {
    std::iter::once(word.text.as_str()).chain(word.alternatives.iter().map(|(text, _)| text.as_str()))
}

impl AskedName {
    /// How well the best of some names fits; as in a search, a match in the prose alone scores little. `None` if
    /// neither names nor prose contain a word of the question.
    pub fn fit<'a>(&self, names: impl Iterator<Item = &'a str>, prose: &str) -> Option<f32> {
        let best = names.map(|name| fit(&self.asked, &encode(name)).score).fold(0.0, f32::max);
        if best > 0.0 {
            return Some(best);
        }
        let held = |text: &str| self.asked.tokens.iter().flat_map(choices).any(|word| word == text);
        tokens(prose).iter().any(|token| held(&token.text)).then_some(PROSE_SCORE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dictionary() -> Dictionary {
        let names =
            [vec!["population".to_owned()], vec!["populated place".to_owned()], vec!["capital".to_owned()]];
        Dictionary::of(names.iter().map(|names| ("class", names.as_slice())))
    }

    #[test]
    fn misspelt_and_unfinished_words_mean_words_of_the_dictionary() {
        assert_eq!(dictionary().ask("class", "populaton").similar, [("population".to_owned(), 0.7)]);
        let begun: Vec<String> =
            dictionary().ask("class", "popul").similar.into_iter().map(|(word, _)| word).collect();
        assert_eq!(begun, ["populated", "population"]);
    }

    #[test]
    fn names_with_the_words_fit_best() {
        let asked = dictionary().ask("class", "the population");
        let fit = |name: &str| asked.fit(std::iter::once(name), "").unwrap_or_default();
        assert!(fit("population") > fit("population density") && fit("population density") > fit("capital"));
    }
}
