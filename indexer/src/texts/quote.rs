//! The part of a passage that is quoted for a question: the sentence with most of its words, and those after it as far
//! as there is room.

use super::search::{asked_words, words_and_stems};
use eruca_language::Language;
use unicode_segmentation::UnicodeSegmentation;

/// Maximum length of a quote in bytes, unless a single sentence is longer.
const MAX_QUOTE: usize = 320;

/// The sentences of a text that fit a question best.
pub(super) fn quote<'a>(text: &'a str, question: &str, language: &Language) -> &'a str {
    let asked = asked_words(question);
    let sentences: Vec<(usize, &str)> = text.split_sentence_bound_indices().collect();
    let shared = |sentence: &str| {
        let (words, stems) = words_and_stems(&[sentence], language);
        asked.iter().filter(|asked| asked.is_in(&words, &stems)).count()
    };
    // The first of the best.
    let best = (0..sentences.len()).rev().max_by_key(|at| sentences.get(*at).map(|(_, text)| shared(text)));
    let Some(first) = best else { return text.trim() };
    let up_to = |last: usize| {
        let (start, _) = sentences.get(first)?;
        let (end, sentence) = sentences.get(last)?;
        text.get(*start..end + sentence.len()).map(str::trim)
    };
    let longer = (first + 1..sentences.len()).map_while(up_to).take_while(|longer| longer.len() <= MAX_QUOTE);
    longer.last().or_else(|| up_to(first)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    fn quote<'a>(text: &'a str, question: &str) -> &'a str {
        super::quote(text, question, eruca_language::fallback())
    }

    #[test]
    fn the_sentence_that_fits_is_quoted_with_what_follows() {
        let filler = "Nothing of interest happened in the village for a very long time indeed. ".repeat(6);
        let text = format!("{filler}The mill burned down in 1840. Lightning had struck it. {filler}");
        let told = quote(&text, "Why did the mill burn down, was it lightning?");
        assert!(told.contains("burned down in 1840. Lightning had struck it."), "{told}");
        assert!(told.len() <= 320);
        assert_eq!(quote("One sentence", "anything"), "One sentence");
        assert_eq!(quote("", "anything"), "");
    }
}
