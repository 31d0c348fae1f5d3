//! How text becomes tokens: one rule for labels, IRI local names, values, schema terms and questions.
//!
//! Folding removes case and diacritics (Unicode NFKD plus the letters NFKD leaves alone), words are split
//! at everything that is neither letter nor digit, CamelCase and hyphenated words are also kept whole, and
//! a plural `s` is removed. Knows nothing of RDF or Tantivy's index; [`LabelTokenizer`] only adapts the rule.
//!
//! Searches look at the first 64 words and 1,000 characters of their text ([`searched_part`]), cut here, at the lowest
//! layer.

mod simplified;

use percent_encoding::percent_decode_str;
use simplified::simplified;
use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Hyphenated words are also kept as one token up to this many characters.
const MAX_COMPOUND_CHARS: usize = 32;
/// Longer tokens are cut: they are encoded data, not words.
const MAX_TOKEN_CHARS: usize = 64;
/// Maximum number of words that a search uses. Its time and memory grow with them; no name is that long.
pub const MAX_SEARCH_WORDS: usize = 64;
/// Maximum number of characters that a search uses.
pub const MAX_SEARCH_CHARS: usize = 1_000;

/// How a token relates to the word it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// A word as written.
    Word,
    /// A part of a CamelCase word.
    Part,
    /// Hyphenated words joined: `e-mail` gives `email`.
    Compound,
}

/// A folded token of a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Token {
    /// The folded, singular form.
    pub text: String,
    /// The index of the word in the text.
    pub position: usize,
    /// Byte offsets of the word in the text.
    pub span: (usize, usize),
    /// How it relates to the word.
    pub kind: TokenKind,
}

/// Removes case and diacritics: `Größe` → `grosse`, `Łódź` → `lodz`, `MÜLLER` → `muller`. Chinese characters are simplified, so
/// that traditional texts match, too.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut folded = String::with_capacity(text.len());
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        for lower in c.to_lowercase().filter(|c| !is_combining_mark(*c)) {
            match lower {
                'ß' => folded.push_str("ss"),
                'æ' => folded.push_str("ae"),
                'œ' => folded.push_str("oe"),
                'þ' => folded.push_str("th"),
                'ø' => folded.push('o'),
                'đ' | 'ð' => folded.push('d'),
                'ł' => folded.push('l'),
                'ħ' => folded.push('h'),
                'ı' => folded.push('i'),
                other => folded.push(simplified(other)),
            }
        }
    }
    folded
}

/// The singular of a folded English or Spanish-like plural: Harman's S-stemmer (JASIS 1991) with the
/// sibilant endings added. Applied to both sides of every match, so it need not be a dictionary form.
pub fn singular(word: &str) -> &str {
    if !word.ends_with('s')
        || word.chars().count() <= 3
        || ["ss", "us", "is"].iter().any(|e| word.ends_with(e))
    {
        return word;
    }
    let sibilant = ["ches", "shes", "sses", "xes", "zes"].iter().any(|e| word.ends_with(e));
    let ending = if sibilant { "es" } else { "s" };
    word.strip_suffix(ending).unwrap_or(word)
}

/// Folds one word to its token form: folded, singular, `-ies` as `-y`, cut at [`MAX_TOKEN_CHARS`].
pub fn normalize_word(word: &str) -> String {
    let mut folded = fold(word);
    // Ligatures that stand for phrases decompose into several words.
    folded.retain(|c| !c.is_whitespace());
    let stem = match folded.strip_suffix("ies") {
        Some(stem) if stem.chars().count() >= 2 && !stem.ends_with(['e', 'a']) => format!("{stem}y"),
        _ => {
            let length = singular(&folded).len();
            let mut stem = folded;
            stem.truncate(length);
            stem
        }
    };
    if stem.len() <= MAX_TOKEN_CHARS {
        return stem;
    }
    first_chars(&stem, MAX_TOKEN_CHARS).to_owned()
}

/// The tokens of a text in order: each word, then its parts or the compound it closes.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut compound: Vec<(usize, usize)> = Vec::new();
    for (position, (start, end)) in word_spans(text).into_iter().enumerate() {
        let word = part(text, start, end);
        found.push(Token { text: normalize_word(word), position, span: (start, end), kind: TokenKind::Word });
        push_parts(&mut found, word, position, (start, end));
        let joined = compound.last().is_some_and(|(_, last)| part(text, *last, start) == "-");
        if !joined {
            compound.clear();
        }
        compound.push((start, end));
        push_compound(&mut found, text, position, &compound);
    }
    found.retain(|token| !token.text.is_empty());
    found
}

/// The words of a text, one token each: no parts, no compounds.
pub fn words(text: &str) -> Vec<Token> {
    tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word).collect()
}

/// The part of a text used by searches: the first [`MAX_SEARCH_WORDS`] words within [`MAX_SEARCH_CHARS`] characters. Every search
/// truncates its text with this, so that no caller can cause long searches.
pub fn searched_part(text: &str) -> &str {
    // Every word has at least one byte, so this text has at most as many words.
    if text.len() <= MAX_SEARCH_WORDS {
        return text;
    }
    let text = first_chars(text, MAX_SEARCH_CHARS);
    match word_spans(text).get(MAX_SEARCH_WORDS - 1..) {
        Some([(_, end), _, ..]) => part(text, 0, *end),
        _ => text,
    }
}

/// The first characters of a text.
pub fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| part(text, 0, end))
}

/// The text between two byte positions; empty if they are not character boundaries.
fn part(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

/// The whole text as one key: its word tokens joined by a space. Equal keys mean equal names.
pub fn name_key(text: &str) -> String {
    words(text).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

/// A readable text for an IRI's local name: `areaOfExpertise` → `area of expertise`, `weight_g` → `weight g`. Numbers with dots
/// stay whole: `3.2.1.46`. Very long names are truncated.
pub fn humanize(local_name: &str) -> String {
    let decoded = percent_decode(first_chars(local_name, MAX_SEARCH_CHARS));
    let mut readable: Vec<String> = Vec::new();
    let mut before = 0;
    for (start, end) in word_spans(&decoded) {
        let word = part(&decoded, start, end);
        let dotted = part(&decoded, before, start) == "." && word.starts_with(|c: char| c.is_ascii_digit());
        before = end;
        if let Some(number) =
            readable.last_mut().filter(|last| dotted && last.ends_with(|c: char| c.is_ascii_digit()))
        {
            number.push('.');
            number.push_str(word);
            continue;
        }
        let parts = case_parts(word);
        if parts.len() > 1 {
            readable
                .extend(parts.iter().map(|p| if is_acronym(p) { (*p).to_owned() } else { p.to_lowercase() }));
        } else {
            readable.push(word.to_owned());
        }
    }
    readable.join(" ")
}

/// Decodes `%XX` where the result is UTF-8; otherwise returns the text as it is. For reading only: IRIs
/// themselves stay byte-exact.
pub fn percent_decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

fn is_acronym(part: &str) -> bool {
    part.chars().count() > 1 && part.chars().all(|c| c.is_uppercase() || c.is_numeric())
}

/// Byte spans of the words: runs of letters, digits and marks; characters of scripts written without
/// spaces stand alone.
pub fn word_spans(text: &str) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let in_word = if c.is_ascii() {
            c.is_ascii_alphanumeric()
        } else {
            c.is_alphanumeric() || is_combining_mark(c)
        };
        if in_word && !is_unspaced(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(begin) = start.take() {
            spans.push((begin, at));
        }
        if in_word {
            spans.push((at, at + c.len_utf8()));
        }
    }
    if let Some(begin) = start {
        spans.push((begin, text.len()));
    }
    spans.retain(|(start, end)| !is_possessive(text, *start, *end));
    spans
}

/// The `s` of "John's" and "what's" is not a word.
fn is_possessive(text: &str, start: usize, end: usize) -> bool {
    part(text, start, end).eq_ignore_ascii_case("s") && part(text, 0, start).ends_with(['\'', '’'])
}

/// Scripts without spaces between words: Thai to Myanmar, kana, Han.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x3040..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Splits at lower→Upper and before the last capital of an acronym: `HTTPServer` → `HTTP`, `Server`.
fn case_parts(word: &str) -> Vec<&str> {
    if !word.chars().skip(1).any(char::is_uppercase) {
        return vec![word];
    }
    let mut chars = word.char_indices().peekable();
    let mut parts = Vec::new();
    let (mut begin, mut last) = (0, None);
    while let Some((at, c)) = chars.next() {
        let Some(before) = last.replace(c) else { continue };
        let next_lower = chars.peek().is_some_and(|(_, n)| n.is_lowercase());
        let boundary =
            c.is_uppercase() && (char::is_lowercase(before) || (before.is_uppercase() && next_lower));
        if boundary {
            parts.push(part(word, begin, at));
            begin = at;
        }
    }
    parts.push(part(word, begin, word.len()));
    parts
}

fn push_parts(found: &mut Vec<Token>, word: &str, position: usize, span: (usize, usize)) {
    if !word.chars().skip(1).any(char::is_uppercase) {
        return;
    }
    let parts = case_parts(word);
    if parts.len() > 1 {
        let tokens = parts.iter().map(|part| Token {
            text: normalize_word(part),
            position,
            span,
            kind: TokenKind::Part,
        });
        found.extend(tokens);
    }
}

fn push_compound(found: &mut Vec<Token>, text: &str, position: usize, compound: &[(usize, usize)]) {
    let (Some(first), Some(last)) = (compound.first(), compound.last()) else { return };
    if compound.len() < 2 || last.1 - first.0 > MAX_COMPOUND_CHARS {
        return;
    }
    let joined: String = compound.iter().map(|(start, end)| part(text, *start, *end)).collect();
    found.push(Token {
        text: normalize_word(&joined),
        position,
        span: (first.0, last.1),
        kind: TokenKind::Compound,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|t| t.text).collect()
    }

    #[test]
    fn folds_case_and_diacritics() {
        assert_eq!(fold("Größe MÜLLER Łódź Straße Ærø"), "grosse muller lodz strasse aero");
    }

    #[test]
    fn keeps_codes_and_hyphenated_words_whole_and_in_parts() {
        assert_eq!(texts("U990-5234138"), ["u990", "5234138", "u9905234138"]);
        assert_eq!(texts("e-mail"), ["e", "mail", "email"]);
    }

    #[test]
    fn splits_camel_case_beside_the_whole_word() {
        assert_eq!(texts("SkySync HTTPServer"), ["skysync", "sky", "sync", "httpserver", "http", "server"]);
    }

    #[test]
    fn plural_and_singular_meet() {
        for (plural, one) in
            [("Switches", "switch"), ("Services", "service"), ("categories", "category"), ("boxes", "box")]
        {
            assert_eq!(normalize_word(plural), normalize_word(one), "{plural}");
        }
        assert_eq!(normalize_word("status"), "status");
        assert_eq!(normalize_word("gas"), "gas");
    }

    #[test]
    fn local_names_become_readable() {
        assert_eq!(humanize("areaOfExpertise"), "area of expertise");
        assert_eq!(humanize("weight_g"), "weight g");
        assert_eq!(humanize("3.2.1.46"), "3.2.1.46");
        assert_eq!(humanize("EC_1.1.1.n5.to"), "EC 1.1.1 n5 to");
        assert_eq!(humanize("hasECNumber.label"), "has EC number label");
        assert_eq!(humanize("S%C3%A3o_Paulo"), "São Paulo");
        assert_eq!(humanize("hasBOMPart"), "has BOM part");
    }

    #[test]
    fn a_possessive_s_is_no_word() {
        assert_eq!(texts("what's John’s S-Bahn"), ["what", "john", "s", "bahn", "sbahn"]);
    }

    #[test]
    fn scripts_without_spaces_are_split_by_character() {
        assert_eq!(texts("東京 Tokyo"), ["东", "京", "tokyo"]);
    }

    #[test]
    fn traditional_and_simplified_characters_meet() {
        assert_eq!(fold("導演"), fold("导演"));
        assert_eq!(name_key("臺灣大學"), name_key("台湾大学"));
        assert_ne!(fold("大学"), fold("文学"));
    }

    #[test]
    fn a_search_looks_at_the_first_words() {
        let words = "word ".repeat(100_000);
        assert_eq!(searched_part(&words).split(' ').count(), MAX_SEARCH_WORDS);
        assert_eq!(searched_part(&"x".repeat(100_000)).len(), MAX_SEARCH_CHARS);
        assert_eq!(searched_part(&"東".repeat(100_000)).chars().count(), MAX_SEARCH_WORDS);
        let whole = "a name of few words, which is looked at as a whole, to its last word and mark!";
        assert_eq!(searched_part(whole), whole);
    }

    proptest! {
        #[test]
        fn the_searched_part_has_the_first_tokens(text in "(\\PC{0,3}[ -]){0,90}") {
            let (part, all) = (words(searched_part(&text)), words(&text));
            prop_assert!(part.len() <= MAX_SEARCH_WORDS);
            // A word consisting only of marks yields no token, but counts.
            prop_assert!(word_spans(&text).len() > MAX_SEARCH_WORDS || part.len() == all.len());
            prop_assert!(part.iter().zip(&all).all(|(a, b)| a.text == b.text));
        }

        #[test]
        fn never_panics_and_spans_are_valid(text in "\\PC{0,80}") {
            for token in tokens(&text) {
                prop_assert!(text.get(token.span.0..token.span.1).is_some());
                prop_assert!(!token.text.is_empty());
            }
        }

        #[test]
        fn folding_twice_changes_nothing(text in "\\PC{0,40}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
