//! Finds words of an automaton within one or two edits of a word, by walking both at once.
//!
//! A Levenshtein automaton would visit every child of every node in reach; here, once the edits are used up,
//! only the one possible child is looked up.

use tantivy_fst::raw::{CompiledAddr, Fst};

/// Passes on the words that are at most `edits` insertions, deletions, substitutions or transpositions
/// away from `word`, some of them more than once. The first `fixed` characters must be the same.
pub(super) fn visit<D: std::ops::Deref<Target = [u8]>>(
    fst: &Fst<D>,
    word: &str,
    edits: u8,
    fixed: usize,
    take: &mut dyn FnMut(&str),
) {
    let word: Vec<char> = word.chars().collect();
    let mut walk = AutomatonWalk { fst, word: &word, fixed, path: String::new(), take };
    walk.step(fst.root().addr(), 0, edits);
}

struct AutomatonWalk<'a, D> {
    fst: &'a Fst<D>,
    word: &'a [char],
    fixed: usize,
    path: String,
    take: &'a mut dyn FnMut(&str),
}

impl<D: std::ops::Deref<Target = [u8]>> AutomatonWalk<'_, D> {
    /// Continues from a node, where the characters of the word before `at` have been matched.
    fn step(&mut self, node: CompiledAddr, at: usize, edits: u8) {
        let wanted = self.word.get(at).copied();
        if wanted.is_none() && self.fst.node(node).is_final() {
            (self.take)(&self.path);
        }
        if let Some(wanted) = wanted {
            self.follow(node, &[wanted], at + 1, edits);
        }
        if edits == 0 || at < self.fixed {
            return;
        }
        if let Some(wanted) = wanted {
            self.step(node, at + 1, edits - 1);
            if let Some(next) = self.word.get(at + 1).copied().filter(|next| *next != wanted) {
                self.follow(node, &[next, wanted], at + 2, edits - 1);
            }
        }
        self.any(node, &mut Vec::new(), at, edits - 1);
    }

    /// Continues after exactly these characters, if the automaton has them.
    fn follow(&mut self, mut node: CompiledAddr, characters: &[char], at: usize, edits: u8) {
        let length = self.path.len();
        for character in characters {
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let here = self.fst.node(node);
                let Some(next) = here.find_input(byte) else {
                    self.path.truncate(length);
                    return;
                };
                node = here.transition_addr(next);
            }
            self.path.push(*character);
        }
        self.step(node, at, edits);
        self.path.truncate(length);
    }

    /// Continues after every character that the automaton has here, as an insertion or a substitution for the one at `at`.
    fn any(&mut self, node: CompiledAddr, bytes: &mut Vec<u8>, at: usize, edits: u8) {
        let here = self.fst.node(node);
        for transition in here.transitions() {
            bytes.push(transition.inp);
            match std::str::from_utf8(bytes).ok().and_then(|text| text.chars().next()) {
                Some(character) => {
                    self.path.push(character);
                    self.step(transition.addr, at, edits);
                    if self.word.get(at).is_some_and(|wanted| *wanted != character) {
                        self.step(transition.addr, at + 1, edits);
                    }
                    self.path.pop();
                }
                None if bytes.len() < 4 => self.any(transition.addr, bytes, at, edits),
                None => {}
            }
            bytes.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::similarity::edit_distance;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use tantivy_fst::Map;

    fn near(words: &BTreeSet<String>, word: &str, edits: u8) -> BTreeSet<String> {
        let map = Map::from_iter(words.iter().map(|word| (word, 1))).unwrap();
        let mut found = BTreeSet::new();
        visit(map.as_fst(), word, edits, 0, &mut |word| {
            found.insert(word.to_owned());
        });
        found
    }

    proptest! {
        #[test]
        fn the_words_within_reach_are_those_of_the_distance(
            words in proptest::collection::btree_set("[aбñ漢]{0,5}", 1..40),
            word in "[aбñ漢]{1,5}",
            edits in 0_u8..3,
        ) {
            let within = |other: &&String| edit_distance(&word, other) <= usize::from(edits);
            let wanted: BTreeSet<String> = words.iter().filter(within).cloned().collect();
            prop_assert_eq!(near(&words, &word, edits), wanted);
        }
    }

    #[test]
    fn two_edits_reach_further() {
        let words = ["celeste", "celestial", "seleste", "zeleszte"].map(str::to_owned).into();
        assert_eq!(near(&words, "selecte", 2), ["celeste", "seleste"].map(str::to_owned).into());
    }
}
