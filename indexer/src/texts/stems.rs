//! The stems of the words of passages and questions, so that "burned" answers "burn": by the language that each is in.

use super::{Passage, PassageSource};
use eruca_language::text::{fold, words};
use eruca_language::{Language, detect, fallback, language};

/// The language of a passage: that of its tag, or the one that it seems to be in.
pub(super) fn language_of(passage: &Passage) -> &'static Language {
    let tagged = match &passage.source {
        PassageSource::Literal { language: tag, .. } => language(tag),
        PassageSource::Document { .. } => None,
    };
    tagged.or_else(|| detect(&passage.text)).unwrap_or_else(fallback)
}

/// The stems of a text's words, separated by spaces.
pub(super) fn stems(text: &str, language: &Language) -> String {
    let stem = |start, end| language.stem(&fold(text.get(start..end).unwrap_or_default()));
    words(text).into_iter().map(|token| stem(token.span.0, token.span.1)).collect::<Vec<_>>().join(" ")
}
