//! The numbers under which a server finds names: of words, of whole names, of filters, and of the words that resemble one.
//! They are stored with the index, so that they must never change.
//!
//! Two texts may have the same number. What is found is compared with the question anyway, so that this costs a candidate and
//! never gives a wrong hit.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;
use uuid::Uuid;

/// Any fixed key will do.
const KEY: (u64, u64) = (0x6572_7563_612d_6e61, 0x6d65_732d_6b65_7973);
/// Words of up to this number of characters have the numbers of their deletions, so that one edit is found for sure.
const MAX_DELETIONS: usize = 8;
/// Words of this number of characters or more have those of their trigrams: of long ones, two edits leave enough.
const MIN_TRIGRAMS: usize = 6;
/// Longest beginning that has a number.
pub(super) const MAX_START: usize = 8;
/// From this number of characters on, a search word may have two edits (`expand::allowed_edits`).
const TWO_EDITS: usize = 8;

/// A word in a name or in prose.
pub(super) fn word(word: &str) -> u32 {
    short(hash(b'w', word))
}

/// All documents with a filter term.
pub(super) fn all_of(filter: &str) -> u32 {
    short(hash(b'a', filter))
}

/// A filter term.
pub(super) fn filter(term: &str) -> i64 {
    hash(b'f', term).cast_signed()
}

/// A name: its words in alphabetical order.
pub(super) fn name(word_set: &str) -> i64 {
    hash(b'n', word_set).cast_signed()
}

/// The beginning of a word.
pub(super) fn start(start: &str) -> u32 {
    short(hash(b's', &start.chars().take(MAX_START).collect::<String>()))
}

/// The beginnings of a word.
pub(super) fn starts(word: &str) -> impl Iterator<Item = u32> {
    let ends = word.char_indices().map(|(at, character)| at + character.len_utf8()).take(MAX_START);
    ends.filter_map(|end| Some(short(hash(b's', word.get(..end)?))))
}

/// The numbers that a word shares with those that resemble it.
pub(super) fn resembling(word: &str) -> Vec<u32> {
    let characters: Vec<char> = word.chars().collect();
    let mut keys = Vec::new();
    if characters.len() <= MAX_DELETIONS {
        keys.extend(deletions(word, &characters));
    }
    if characters.len() >= MIN_TRIGRAMS {
        keys.extend(trigrams(&characters));
    }
    keys
}

/// The numbers by which to look for words that resemble a search word.
pub(super) fn asked_resembling(word: &str) -> Vec<u32> {
    let characters: Vec<char> = word.chars().collect();
    match characters.len() {
        0..TWO_EDITS => deletions(word, &characters),
        _ => trigrams(&characters),
    }
}

/// The word, and the word without each of its characters.
fn deletions(word: &str, characters: &[char]) -> Vec<u32> {
    let without = |at: usize| {
        let (before, after) = (characters.iter().take(at), characters.iter().skip(at + 1));
        before.chain(after).collect::<String>()
    };
    let texts = std::iter::once(word.to_owned()).chain((0..characters.len()).map(without));
    texts.map(|text| short(hash(b'd', &text))).collect()
}

/// Each three characters in sequence; the ends count as characters.
fn trigrams(characters: &[char]) -> Vec<u32> {
    let ends = ['\u{2}', '\u{3}'];
    let whole: Vec<char> =
        ends.iter().take(1).chain(characters).chain(ends.iter().skip(1)).copied().collect();
    whole.windows(3).map(|three| short(hash(b'g', &three.iter().collect::<String>()))).collect()
}

/// The id of the point of a document or a word in a part of the index.
pub(super) fn id(part: &str, id: &str) -> Uuid {
    Uuid::new_v5(&Uuid::NAMESPACE_URL, format!("{part} {id}").as_bytes())
}

fn hash(kind: u8, text: &str) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(KEY.0, KEY.1);
    hasher.write_u8(kind);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// The number of a dimension of a sparse vector.
fn short(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::similarity::edit_distance;
    use proptest::prelude::*;

    #[test]
    fn the_numbers_are_those_of_the_indexes_that_exist() {
        assert_eq!(word("river"), 170_528_181);
        assert_eq!(filter("river"), -2_779_623_794_076_761_664);
        assert_eq!(name("old river"), -3_689_911_766_969_106_532);
    }

    proptest! {
        #[test]
        fn a_short_word_shares_a_number_with_every_word_one_edit_away(
            word in "[a-dñß]{4,7}", at in 0_usize..8, edit in 0_u8..4, letter in "[a-dñ]",
        ) {
            let mut other: Vec<char> = word.chars().collect();
            let at = at.min(other.len() - 1);
            match edit {
                0 => { other.remove(at); }
                1 => other.insert(at, letter.chars().next().unwrap()),
                2 => other[at] = letter.chars().next().unwrap(),
                _ => other.swap(at, (at + 1).min(word.chars().count() - 1)),
            }
            let other: String = other.into_iter().collect();
            prop_assert!(edit_distance(&word, &other) <= 1);
            let stored = resembling(&other);
            prop_assert!(asked_resembling(&word).iter().any(|key| stored.contains(key)), "{word} {other}");
        }
    }

    #[test]
    fn a_beginning_is_found_among_the_beginnings() {
        assert!(starts("günther").any(|key| key == start("gün")));
        assert!(starts("transformation").any(|key| key == start("transformat")));
        assert!(!starts("river").any(|key| key == start("rivet")));
    }
}
