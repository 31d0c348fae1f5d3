//! Splits the text into words: joins the parts of numbers, and separates glued units and possessive endings.
//!
//! A question of more than 80 words, or 40 content words (`MAX_TELLING_WORDS`), is not planned; its answer says so.

use super::arrange::Place;
use super::quotes::Quoted;
use super::{Word, WordKind};
use eruca_language::text::{fold, is_unspaced, normalize_word, words};
use eruca_language::{Degree, Language, POSSESSIVE};

/// Maximum number of words read; the rest is ignored.
pub const MAX_WORDS: usize = 80;
/// Punctuation that separates sentences and clauses.
const BREAKS: &[char] = &['.', '?', '!', ';', ':', ',', '—', '–', '(', ')', '…'];
/// Punctuation that ends sentences: a capital after it means nothing.
const ENDS: &[char] = &['.', '?', '!', ':', '…'];
/// Maximum number of digits of a number with a glued unit.
const MAX_UNIT_DIGITS: usize = 6;
/// Maximum number of letters in a glued unit.
const MAX_UNIT: usize = 3;

/// Minimum length of an ordinal before a superlative in one word.
const MIN_RANK: usize = 4;

/// A piece of the text that becomes a word.
struct Piece {
    from: usize,
    to: usize,
    possessive: bool,
}

/// The words of a text, and whether more follow.
pub(super) fn read(
    text: &str,
    language: &'static Language,
    quoted: &[Quoted],
    arranged: Option<Vec<Place>>,
) -> (Vec<Word>, bool) {
    let mut pieces: Vec<Piece> = Vec::new();
    let written = || words(text).into_iter().map(|token| (token.span.0, token.span.1, false)).collect();
    for (from, to, possessive) in arranged.unwrap_or_else(written) {
        match possessive {
            true => pieces.push(Piece { from, to, possessive }),
            false => add(text, language, &mut pieces, (from, to)),
        }
        if pieces.len() > MAX_WORDS {
            break;
        }
    }
    let pieces: Vec<Piece> = pieces.into_iter().flat_map(|piece| with_ending(text, quoted, piece)).collect();
    let shouted = is_shouted(text, language, &pieces);
    let mut found: Vec<Word> = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().take(MAX_WORDS) {
        let mut word = word(text, language, piece, &found);
        word.capital &= !shouted;
        found.push(word);
    }
    super::particles::join(&mut found, language);
    name_characters(&mut found, language);
    // In a text without any lower-case letter, capitals mean nothing.
    if !language.is_unspaced() && !text.contains(char::is_lowercase) {
        found.iter_mut().for_each(|word| word.capital = false);
    }
    (found, pieces.len() > MAX_WORDS)
}

/// In languages without spaces, characters missing from the pack are parts of names, and so is one between two of them.
fn name_characters(words: &mut [Word], language: &Language) {
    let unlisted: Vec<bool> = words.iter().map(|word| language.is_unlisted(&word.folded)).collect();
    let is = |at: Option<usize>| at.and_then(|at| unlisted.get(at)).is_some_and(|unlisted| *unlisted);
    for (at, word) in words.iter_mut().enumerate() {
        let character = word.raw.chars().count() == 1 && word.raw.contains(is_unspaced);
        let within = is(at.checked_sub(1)) && is(Some(at + 1)) && !language.is_function_word(&word.folded);
        word.capital |= is(Some(at)) || (character && within);
    }
}

fn add(text: &str, language: &Language, pieces: &mut Vec<Piece>, (from, to): (usize, usize)) {
    let digits = part(text, from, to).chars().take_while(char::is_ascii_digit).count();
    let middle = from + digits;
    let unit = part(text, middle, to);
    match pieces.last_mut() {
        Some(last) if (unit.is_empty() || is_unit(unit)) && joins(text, language, last, from, middle) => {
            last.to = middle;
            pieces.extend((!unit.is_empty()).then_some(Piece { from: middle, to, possessive: false }));
        }
        _ => pieces.extend(split(text, language, from, to)),
    }
}

/// Whether capitals mean nothing because function words inside the text have them too.
fn is_shouted(text: &str, language: &Language, pieces: &[Piece]) -> bool {
    let raw = pieces.iter().skip(1).map(|piece| part(text, piece.from, piece.to));
    let small: Vec<&str> =
        raw.filter(|raw| raw.chars().count() > 1 && language.is_function_word(&fold(raw))).collect();
    !small.is_empty() && small.iter().all(|raw| raw.starts_with(char::is_uppercase))
}

/// "15,000", "1.5" and "15.03.2010" look like several words but are one number, depending on the language.
fn joins(text: &str, language: &Language, last: &Piece, from: usize, to: usize) -> bool {
    let (before, next) = (part(text, last.from, last.to), part(text, from, to));
    let mut between = part(text, last.to, from).chars();
    let (Some(mark), None) = (between.next(), between.next()) else { return false };
    let is_number = |c: char| c.is_ascii_digit() || language.is_thousands_mark(c) || is_decimal(language, c);
    if !is_digits(next) || !before.chars().all(is_number) || !before.starts_with(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    let first_group = before.chars().take_while(char::is_ascii_digit).count();
    let grouped = language.is_thousands_mark(mark) && next.len() == 3 && first_group <= 3;
    grouped || is_decimal(language, mark)
}

/// A point between digits is part of the number in every language.
fn is_decimal(language: &Language, mark: char) -> bool {
    mark == '.' || language.is_decimal_mark(mark)
}

/// "15x15" is two numbers, "15mm" a number and a unit; "3rd" stays whole. "zweitälteste" is "second" and "oldest".
fn split(text: &str, language: &Language, from: usize, to: usize) -> Vec<Piece> {
    let raw = part(text, from, to);
    let digits = raw.chars().take_while(char::is_ascii_digit).count();
    let rest = raw.get(digits..).unwrap_or_default();
    let piece = |from, to| Piece { from, to, possessive: false };
    if let Some(middle) = ranked(language, raw) {
        return vec![piece(from, from + middle), piece(from + middle, to)];
    }
    let listed = language.ordinal(&fold(raw)).is_some() || language.month(&fold(raw)).is_some();
    if digits == 0 || rest.is_empty() || listed {
        return vec![piece(from, to)];
    }
    let middle = from + digits;
    if rest.strip_prefix(['x', 'X']).is_some_and(is_digits) {
        return vec![piece(from, middle), piece(middle + 1, to)];
    }
    match is_unit(rest) && digits <= MAX_UNIT_DIGITS {
        true => vec![piece(from, middle), piece(middle, to)],
        false => vec![piece(from, to)],
    }
}

/// The start of a superlative that follows an ordinal in the same word.
fn ranked(language: &Language, raw: &str) -> Option<usize> {
    if language.grade(raw).is_some() {
        return None;
    }
    raw.char_indices().skip(MIN_RANK).map(|(at, _)| at).find(|at| {
        let Some((rank, rest)) = raw.split_at_checked(*at) else { return false };
        language.grade(rest).is_some_and(|grade| grade.degree == Degree::Superlative)
            && language.ordinal(&fold(rank)).is_some()
    })
}

fn is_unit(text: &str) -> bool {
    text.chars().count() <= MAX_UNIT && text.chars().all(char::is_alphabetic)
}

/// The piece, and a possessive ending after it.
fn with_ending(text: &str, quoted: &[Quoted], piece: Piece) -> Vec<Piece> {
    let rest = text.get(piece.to..).unwrap_or_default();
    let mut chars = rest.chars();
    let Some(mark @ ('\'' | '’')) = chars.next() else { return vec![piece] };
    let behind = chars.next();
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let length = if matches!(behind, Some('s' | 'S')) && ends(chars.next()) {
        mark.len_utf8() + 1
    } else if part(text, piece.from, piece.to).ends_with('s') && ends(behind) && !closes(quoted, piece.to) {
        mark.len_utf8()
    } else {
        return vec![piece];
    };
    let ending = Piece { from: piece.to, to: piece.to + length, possessive: true };
    vec![piece, ending]
}

fn closes(quoted: &[Quoted], at: usize) -> bool {
    quoted.iter().any(|quoted| quoted.to == at)
}

fn word(text: &str, language: &Language, piece: &Piece, before: &[Word]) -> Word {
    let last = before.last();
    let raw = part(text, piece.from, piece.to).to_owned();
    let folded = if piece.possessive { POSSESSIVE.to_owned() } else { fold(&raw) };
    let between = part(text, last.map_or(0, |last| last.bytes.1), piece.from);
    // Punctuation touching only the next word belongs to that word: ".NET".
    let own = between.ends_with('.') && between.trim_end_matches('.').ends_with(char::is_whitespace);
    let between = if own { between.trim_end_matches('.') } else { between };
    let mark = between.chars().find(|c| BREAKS.contains(c));
    let broken = mark.filter(|mark| *mark != '.' || !last.is_some_and(|last| is_shortened(language, last)));
    let starts = last.is_none() || broken.is_some_and(|mark| ENDS.contains(&mark));
    Word {
        norm: if piece.possessive { POSSESSIVE.to_owned() } else { normalize_word(&raw) },
        stem: language.stem(&folded),
        bytes: (piece.from, piece.to),
        kind: WordKind::Noun,
        broken: broken.filter(|_| last.is_some()),
        capital: !piece.possessive && is_name(language, &raw, &folded, starts, before),
        folded,
        raw,
    }
}

/// Whether a period after the word belongs to it: initials, titles, ordinals, abbreviated scales.
fn is_shortened(language: &Language, word: &Word) -> bool {
    let mut chars = word.raw.chars();
    let first = chars.next();
    let capital = first.is_some_and(char::is_uppercase);
    let second_small = chars.clone().next().is_none_or(char::is_lowercase);
    let short = capital && second_small && chars.count() <= 1;
    let title = capital && language.is_function_word(&word.folded);
    let ordinal = language.has_dotted_ordinals() && word.raw.len() <= 2 && is_digits(&word.raw);
    let listed = language.scale(&word.raw).is_some() || language.month(&word.folded).is_some();
    short || title || ordinal || listed
}

/// A capital indicates a name unless it is due to a sentence start or a capitalized common noun.
fn is_name(language: &Language, raw: &str, folded: &str, starts: bool, before: &[Word]) -> bool {
    let mut chars = raw.chars();
    let capital = chars.next().is_some_and(char::is_uppercase);
    if chars.any(char::is_uppercase) || !capital {
        return raw.contains(char::is_uppercase);
    }
    if starts || language.is_function_word(folded) {
        return false;
    }
    !language.has_noun_capitals() || !(is_announced(language, before) || language.knows(&normalize_word(raw)))
}

/// Whether the preceding words show that a noun follows: a determiner, possibly with an adjective.
fn is_announced(language: &Language, before: &[Word]) -> bool {
    let announces = |word: &Word| language.is_determiner(&word.folded);
    match before {
        [.., determiner, adjective] if adjective.raw.starts_with(char::is_lowercase) => {
            announces(adjective) || (announces(determiner) && !language.is_function_word(&adjective.folded))
        }
        [.., last] => announces(last),
        [] => false,
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}
