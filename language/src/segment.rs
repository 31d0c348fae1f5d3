//! Word segmentation for languages without spaces: a text is split into the fewest words that the pack lists. Text unknown to the
//! pack is split into single characters, as in the indexes, so that a name is a run of them.

use super::files::Files;
use super::order::Order;
use crate::text::{fold, is_unspaced, word_spans};
use rustc_hash::FxHashSet;
use toml::{Table, Value};

/// Files with words that occur in questions and names; the others contain output phrases.
const TABLES: [&str; 5] =
    ["language.toml", "words.toml", "numbers-and-dates.toml", "quantities.toml", "questions.toml"];
const LISTS: [&str; 4] = ["countries.txt", "related.txt", "synonyms.txt", "translations.txt"];
/// Tables in these files whose words do not occur in questions: they are used alone, or in column names.
const LEFT_OUT: [&str; 5] = ["column_ends", "divides", "fillers", "help", "symbols"];
/// The cost of a listed word, and of an unlisted character.
const LISTED: u32 = 2;
const UNKNOWN: u32 = 3;

/// The words of a pack for a language without spaces.
#[derive(Debug, Default)]
pub(super) struct Segments {
    words: FxHashSet<String>,
    /// Length of the longest word in characters.
    longest: usize,
}

impl Segments {
    /// Reads the words of a pack; none for a language with spaces.
    pub(super) fn read(files: &Files, order: &Order) -> Self {
        let mut found = Self::default();
        if !order.unspaced {
            return found;
        }
        let mut texts: Vec<String> =
            LISTS.iter().flat_map(|name| files.lines(name)).map(str::to_owned).collect();
        for name in TABLES {
            let table: Table = toml::from_str(files.text(name)).unwrap_or_default();
            all_texts(Value::Table(table), &mut texts);
        }
        let words = texts.iter().flat_map(|text| text.split(|c: char| !c.is_alphanumeric()));
        for word in words.filter(|word| word.contains(is_unspaced)) {
            found.longest = found.longest.max(word.chars().count());
            found.words.insert(fold(word));
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
        // The cost of the rest from each piece on, and the end of its first word.
        let mut best: Vec<(u32, usize)> = vec![(0, pieces.len()); pieces.len() + 1];
        for from in (0..pieces.len()).rev() {
            let cost = |to: usize, cost: u32| (cost + best.get(to).map_or(0, |best| best.0), to);
            let words = self.words_at(text, &pieces, from).map(|to| cost(to, LISTED));
            // Among equal splits, longer words at the end are more likely.
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

    /// The ends of the listed words that start at a piece.
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

/// All texts in a value, except in the excluded tables.
fn all_texts(value: Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(values) => values.into_iter().for_each(|value| all_texts(value, found)),
        Value::Table(table) => {
            let kept = table.into_iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()));
            kept.for_each(|(_, value)| all_texts(value, found));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::{Language, detect, language, languages, neutral};

    fn pack(tag: &str) -> &'static Language {
        language(tag).unwrap_or_else(|| neutral(tag))
    }

    #[test]
    fn texts_without_spaces_are_cut_into_words_of_the_pack() {
        let cut = |text: &str| {
            let words = pack("zh").cut(text).into_iter().filter_map(|(from, to)| text.get(from..to));
            words.map(str::to_owned).collect::<Vec<_>>().join(" ")
        };
        for (text, words) in [
            ("林晓东什么时候出生？", "林 晓 东 什么时候 出生"),
            ("人口超过100万的城市", "人口 超过 100 万 的 城市"),
            ("1990年4月2日", "1990 年 4月 2日"),
            ("Red Hill的導演", "Red Hill 的 導演"),
            ("", ""),
        ] {
            assert_eq!(cut(text), words, "{text}");
        }
    }

    #[test]
    fn languages_with_spaces_are_not_cut() {
        let unspaced = languages().filter(|language| language.is_unspaced()).map(Language::tag);
        assert_eq!(unspaced.collect::<Vec<_>>(), ["zh"]);
        assert!(!pack("en").is_unlisted("red") && pack("zh").is_unlisted("晓"));
        assert!(!pack("zh").is_unlisted("电影") && !pack("zh").is_unlisted("film"));
    }

    #[test]
    fn what_asks_tells_the_language_and_names_do_not() {
        for (question, tag) in [
            ("The Lord of the Rings的导演是谁？", "zh"),
            ("Who的专辑有哪些？", "zh"),
            ("紅高原的導演是誰？", "zh"),
            ("張藝謀", "zh"),
            ("最长的三条河流", "zh"),
            ("2020年以后的音乐会", "zh"),
            ("Who wrote 我的名字是红?", "en"),
            ("東京の人口", "ja"),
            ("東京の人口は何人ですか", "ja"),
        ] {
            assert_eq!(detect(question).map(Language::tag), Some(tag), "{question}");
        }
    }
}
