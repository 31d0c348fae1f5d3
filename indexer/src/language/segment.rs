//! Where words begin and end in a language that puts no space between them: a text is cut into the fewest words that its pack
//! lists. What the pack does not know stays in single characters, as the indexes have them, so that a name is a run of them.

use super::files::Files;
use super::order::Order;
use crate::text::{fold, is_unspaced, word_spans};
use rustc_hash::FxHashSet;

/// Files whose words occur in questions and in names; the others hold what is told.
const FILES: [&str; 20] = [
    "cues", "countries", "dates", "follow", "function_words", "gradable", "language", "light_verbs", "measures", "months",
    "numbers", "ordinals", "prepositions", "questions", "related", "states", "synonyms", "translations", "truths", "units",
];
/// What a listed word costs, and what a character that is none.
const LISTED: u32 = 2;
const UNKNOWN: u32 = 3;

/// The words of a pack that are written without spaces.
#[derive(Debug, Default)]
pub(super) struct Segments {
    words: FxHashSet<String>,
    /// Characters of the longest one.
    longest: usize,
}

impl Segments {
    /// The words of a pack; none where the language has spaces.
    pub(super) fn read(files: &Files, order: &Order) -> Self {
        let mut found = Self::default();
        if !order.unspaced {
            return found;
        }
        // Phrases with places are told, not asked.
        for line in FILES.iter().flat_map(|name| files.lines(name)).filter(|line| !line.contains('{')) {
            for word in line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(is_unspaced)) {
                found.longest = found.longest.max(word.chars().count());
                found.words.insert(fold(word));
            }
        }
        found
    }

    /// Whether the pack has a folded word.
    pub(super) fn lists(&self, folded: &str) -> bool {
        self.words.contains(folded)
    }

    /// Byte spans of the words of a text.
    pub(super) fn spans(&self, text: &str) -> Vec<(usize, usize)> {
        let pieces = word_spans(text);
        // What the rest costs from each piece on, and where its first word ends.
        let mut best: Vec<(u32, usize)> = vec![(0, pieces.len()); pieces.len() + 1];
        for from in (0..pieces.len()).rev() {
            let cost = |to: usize, cost: u32| (cost + best.get(to).map_or(0, |best| best.0), to);
            let words = self.words_at(text, &pieces, from).map(|to| cost(to, LISTED));
            // Of equal ways the one with the longer last words is mostly meant.
            let first = words.min().unwrap_or_else(|| cost(from + 1, UNKNOWN));
            let first = first.min(cost(from + 1, UNKNOWN));
            best.get_mut(from).into_iter().for_each(|place| *place = first);
        }
        let mut found = Vec::new();
        let mut at = 0;
        while let (Some((from, _)), Some((_, next))) = (pieces.get(at), best.get(at)) {
            let last = next.checked_sub(1).and_then(|last| pieces.get(last));
            found.extend(last.map(|(_, to)| (*from, *to)));
            at = (*next).max(at + 1);
        }
        found
    }

    /// Where the listed words end that begin at a piece.
    fn words_at<'a>(
        &'a self,
        text: &'a str,
        pieces: &'a [(usize, usize)],
        from: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let joined = pieces.get(from..).unwrap_or_default().windows(2).take_while(|pair| match pair {
            [(_, end), (start, _)] => end == start,
            _ => false,
        });
        let most = joined.count() + 1;
        let start = pieces.get(from).map_or(0, |(start, _)| *start);
        (1..=most.min(self.longest)).filter_map(move |length| {
            let (_, end) = pieces.get(from + length - 1)?;
            let word = text.get(start..*end)?;
            (word.contains(is_unspaced) && self.words.contains(&fold(word))).then_some(from + length)
        })
    }
}
