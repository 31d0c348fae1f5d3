//! Words joined, split, or split at the wrong letter: other words that the same letters may spell.

use super::words::Words;

/// Maximum number of respellings returned.
const MAX_RESPELLINGS: usize = 3;
/// Maximum number of words of a text that is respelt; longer texts are sentences.
const MAX_WORDS: usize = 12;
/// Minimum length of a text in which one letter may stand for the space between two words.
const MIN_CHARS_TO_SKIP_ONE: usize = 6;

/// Other ways to split the words of a text, if every resulting word occurs in some name: `gbpbhd` → `gbp bhd`,
/// `lac eleste` → `la celeste`, `euro invest` → `euroinvest`. Rare words first.
pub(super) fn respellings(known: &dyn Words, words: &[&str]) -> Vec<String> {
    let mut found: Vec<(u64, String)> = Vec::new();
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    for (at, word) in words.iter().enumerate() {
        let alone = cuts(word, None);
        let with_next = words.get(at + 1).map(|next| cuts(&format!("{word}{next}"), Some(word)));
        for (cut, replaced) in
            alone.into_iter().map(|cut| (cut, 1)).chain(with_next.into_iter().flatten().map(|cut| (cut, 2)))
        {
            if let Some(documents) = rarest(known, &cut) {
                let (before, after) = (words.iter().take(at), words.iter().skip(at + replaced));
                let spelt = before.copied().chain(cut.iter().map(String::as_str)).chain(after.copied());
                found.push((documents, spelt.collect::<Vec<_>>().join(" ")));
            }
        }
    }
    found.sort();
    found.dedup_by(|a, b| a.1 == b.1);
    found.into_iter().take(MAX_RESPELLINGS).map(|(_, text)| text).collect()
}

/// The words that any such respelling of a text consists of: those that have to be known.
pub(super) fn respelt_words(words: &[&str]) -> Vec<String> {
    if words.len() > MAX_WORDS {
        return Vec::new();
    }
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [word, next] => Some(cuts(&format!("{word}{next}"), Some(word))),
        _ => None,
    });
    words.iter().map(|word| cuts(word, None)).chain(pairs).flatten().flatten().collect()
}

/// The text split in two at every letter, also with one letter left out there; joined, and split only near
/// the end of `first`, if it was two words.
fn cuts(text: &str, first: Option<&str>) -> Vec<Vec<String>> {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    let mut found = Vec::new();
    if let Some(first) = first {
        found.push(vec![text.to_owned()]);
        let boundary = ends.iter().position(|end| *end == first.len());
        let near = boundary.into_iter().flat_map(|at| [at.checked_sub(1), Some(at + 1)]).flatten();
        for end in near.filter_map(|at| ends.get(at)) {
            found.extend(halves(text, *end, *end));
        }
        return found;
    }
    for (at, end) in ends.iter().enumerate() {
        found.extend(halves(text, *end, *end));
        if ends.len() + 1 >= MIN_CHARS_TO_SKIP_ONE
            && let Some(next) = ends.get(at + 1)
        {
            found.extend(halves(text, *end, *next));
        }
    }
    found
}

/// The text before one position and that from another on.
fn halves(text: &str, end: usize, start: usize) -> Option<Vec<String>> {
    Some(vec![text.get(..end)?.to_owned(), text.get(start..)?.to_owned()])
}

/// The number of documents of the rarest word; `None` if one does not occur.
fn rarest(known: &dyn Words, words: &[String]) -> Option<u64> {
    let mut least = u64::MAX;
    for word in words {
        least = least.min(known.documents(word));
        if least == 0 {
            return None;
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_reach_all_letters_or_move_the_space() {
        let cut = |text: &str, first| {
            cuts(text, first).into_iter().map(|words| words.join(" ")).collect::<Vec<_>>()
        };
        assert_eq!(cut("añb", None), ["a ñb", "añ b"]);
        assert!(cut("trustpowernltd", None).contains(&"trustpower ltd".to_owned()));
        assert_eq!(cut("laceleste", Some("lac")), ["laceleste", "la celeste", "lace leste"]);
        assert!(cut("", None).is_empty());
    }
}
