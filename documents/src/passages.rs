//! Cuts the text of a document into passages at the ends of paragraphs and sentences.

use crate::document::{Document, one_line};
use unicode_segmentation::UnicodeSegmentation;

/// Length in characters at which a passage is full.
const FULL: usize = 600;
/// Maximum length of a passage in characters; a longer sentence is cut between words.
const MAX_PASSAGE_CHARS: usize = 1_200;
/// A paragraph is not cut for a rest shorter than this, in characters.
const SHORT: usize = 200;

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The heading above it; empty if there is none.
    pub heading: &'a str,
    /// Its page, from 1.
    pub page: Option<u32>,
    /// Its text on one line.
    pub text: String,
}

/// The passages of a document in order.
pub fn pieces(document: &Document) -> impl Iterator<Item = Piece<'_>> {
    document.sections.iter().flat_map(|section| {
        let texts = joined(section.paragraphs.iter().flat_map(|paragraph| text_pieces(paragraph)));
        let piece = |text| Piece { heading: &section.heading, page: section.page, text };
        texts.into_iter().map(piece)
    })
}

/// The passages of a text that stands alone, like a literal.
pub fn text_pieces(text: &str) -> Vec<String> {
    let text = one_line(text);
    if length(&text) <= FULL + SHORT {
        return if text.is_empty() { Vec::new() } else { vec![text] };
    }
    let mut texts = joined(text.split_sentence_bounds().flat_map(parts));
    // A last sentence alone says little.
    if let [.., before, last] = texts.as_slice()
        && length(last) < SHORT
        && length(before) + length(last) < MAX_PASSAGE_CHARS
    {
        let whole = format!("{before} {last}");
        texts.truncate(texts.len() - 2);
        texts.push(whole);
    }
    texts
}

/// Neighbouring texts joined until they are full.
fn joined(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut used = 0;
    for text in texts {
        let size = length(&text);
        match found.last_mut() {
            Some(last) if used + size < FULL => {
                last.push(' ');
                last.push_str(&text);
                used += size + 1;
            }
            _ => {
                found.push(text);
                used = size;
            }
        }
    }
    found
}

/// A sentence, in parts if it is too long.
fn parts(sentence: &str) -> Vec<String> {
    let sentence = sentence.trim();
    if length(sentence) <= MAX_PASSAGE_CHARS {
        return if sentence.is_empty() { Vec::new() } else { vec![sentence.to_owned()] };
    }
    let (mut found, mut part, mut used) = (Vec::new(), String::new(), 0);
    // Words without spaces between them are cut as well.
    for word in sentence.split_word_bounds().flat_map(fragments) {
        let size = length(word);
        if used + size > FULL && !part.is_empty() {
            found.push(std::mem::take(&mut part).trim().to_owned());
            used = 0;
        }
        part.push_str(word);
        used += size;
    }
    found.push(part.trim().to_owned());
    found.retain(|part| !part.is_empty());
    found
}

/// A word in pieces of a bounded length.
fn fragments(word: &str) -> Vec<&str> {
    if word.len() <= FULL {
        return vec![word];
    }
    let (mut found, mut rest) = (Vec::new(), word);
    while !rest.is_empty() {
        let end = rest.floor_char_boundary(FULL).max(1);
        let (first, others) = rest.split_at_checked(end).unwrap_or((rest, ""));
        found.push(first);
        rest = others;
    }
    found
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Section;
    use proptest::prelude::*;

    fn document(paragraphs: &[&str]) -> Document {
        let paragraphs = paragraphs.iter().map(|text| (*text).to_owned()).collect();
        let section = Section { heading: "History".to_owned(), page: Some(2), paragraphs };
        Document { sections: vec![section], ..Document::default() }
    }

    #[test]
    fn short_paragraphs_share_a_passage_and_keep_their_place() {
        let document = document(&["It was built in 1932.", "It was closed in 1990."]);
        let found: Vec<_> = pieces(&document).collect();
        let text = "It was built in 1932. It was closed in 1990.".to_owned();
        assert_eq!(found, [Piece { heading: "History", page: Some(2), text }]);
    }

    #[test]
    fn long_paragraphs_are_cut_at_sentences() {
        let sentence = "The mill ground the grain of the whole valley for three hundred years. ";
        let found = text_pieces(&sentence.repeat(30));
        assert!(found.len() > 2);
        assert!(
            found.iter().all(|text| text.starts_with("The mill") && text.ends_with("years.")),
            "{found:?}"
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost_and_no_passage_is_too_long(text in "(\\PC{0,40}[ .\n]){0,120}") {
            let found = text_pieces(&text);
            prop_assert!(found.iter().all(|piece| length(piece) <= MAX_PASSAGE_CHARS + FULL));
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>();
            prop_assert_eq!(letters(&found.concat()), letters(&text));
        }
    }
}
