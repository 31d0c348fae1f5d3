//! Which classes and properties spans of words may name, with how well they fit.

use super::question::{Asked, Word};
use eruca_indexer::lexicon::{cue, gradable, is_function_word, synonyms, translations};
use eruca_indexer::{SchemaKind, SchemaNames, SchemaTerm};
use std::cell::OnceCell;
use std::collections::BTreeMap;

/// Words of the longest span.
const MAX_SPAN: usize = 6;
/// A span below this fit names nothing.
const MIN_FIT: f32 = 0.45;
/// Words of a name that say little: what kind of record it is, units, keys.
const FILLERS: &[&str] = &[
    "data",
    "list",
    "table",
    "info",
    "information",
    "record",
    "detail",
    "tbl",
    "the",
    "of",
    "a",
    "an",
    "is",
    "has",
    "in",
    "by",
    "for",
    "ref",
    "fk",
    "mm",
    "cm",
    "m",
    "km",
    "g",
    "kg",
    "eur",
    "usd",
    "total",
    "value",
    "original",
    "official",
    "to",
    "and",
    "on",
    "at",
    "with",
    "from",
];

/// A class or property that a span may name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NameHit {
    pub kind: SchemaKind,
    pub iri: String,
    /// Numbers of the first word and of the one behind the last.
    pub words: (usize, usize),
    /// 1 for the very name.
    pub fit: f32,
}

/// How well each word of the question meets each word of the names; only where it does.
type Meets = BTreeMap<usize, Vec<(usize, f32)>>;

/// All classes and properties that spans of the question may name.
pub(super) fn schema_hits(names: &SchemaNames, asked: &Asked) -> Vec<NameHit> {
    let meets = meets(names, asked);
    let mut touched: Vec<usize> =
        meets.keys().flat_map(|word| names.holders[*word].iter().copied()).collect();
    let short = names.words.iter().enumerate().filter(|(_, word)| initials(word, asked).is_some());
    touched.extend(short.flat_map(|(word, _)| names.holders[word].iter().copied()));
    touched.sort_unstable();
    touched.dedup();
    let mut hits = Vec::new();
    for term in touched.into_iter().map(|at| &names.terms[at]) {
        let mut best: BTreeMap<(usize, usize), f32> = BTreeMap::new();
        for name in &term.names {
            for (span, fit) in spans_of(names, term, name, &meets, asked) {
                let known = best.entry(span).or_insert(0.0);
                *known = known.max(fit);
            }
        }
        for name in term.names.iter().filter(|name| name.len() == 1) {
            let known = name.first().map_or("", |word| names.words[*word].as_str());
            if let Some(span) = initials(known, asked) {
                best.entry(span).or_insert(0.85);
            }
        }
        hits.extend(best.into_iter().map(|(words, fit)| NameHit {
            kind: term.kind,
            iri: term.iri.clone(),
            words,
            fit,
        }));
    }
    hits
}

/// The words whose initials make up a short name: "mpg" for "miles per gallon".
fn initials(name: &str, asked: &Asked) -> Option<(usize, usize)> {
    let letters: Vec<char> = name.chars().collect();
    if !(3..=5).contains(&letters.len()) {
        return None;
    }
    let fits = |start: &usize| {
        letters.iter().enumerate().all(|(at, letter)| {
            let word = asked.words.get(start + at);
            let together = at == 0 || asked.breaks.get(start + at).is_some_and(Option::is_none);
            together && word.is_some_and(|word| word.folded.len() > 2 && word.folded.starts_with(*letter))
        })
    };
    let start = (0..asked.len().saturating_sub(letters.len() - 1)).find(fits)?;
    Some((start, start + letters.len()))
}

fn meets(names: &SchemaNames, asked: &Asked) -> Meets {
    let mut meets = Meets::new();
    let words: Vec<AskedWord<'_>> = asked.words.iter().map(AskedWord::of).collect();
    for (number, name) in names.words.iter().enumerate() {
        let name = NameWord::of(name);
        let found = words.iter().map(|word| strength(word, &name)).enumerate();
        let found: Vec<(usize, f32)> = found.filter(|(_, strength)| *strength > 0.0).collect();
        if !found.is_empty() {
            meets.insert(number, found);
        }
    }
    meets
}

/// A word of the question with what is looked up of it once: it is compared with every word of every name.
struct AskedWord<'a> {
    norm: &'a str,
    folded: &'a str,
    chars: usize,
    says_nothing: bool,
    translations: [&'static [String]; 2],
    synonyms: [&'static [String]; 2],
    /// It asks for a measure, so that a likeness of letters means nothing.
    cued: bool,
    first: Option<char>,
    stem: String,
}

impl<'a> AskedWord<'a> {
    fn of(word: &'a Word) -> Self {
        let (norm, folded) = (word.norm.as_str(), word.folded.as_str());
        Self {
            norm,
            folded,
            chars: norm.chars().count(),
            says_nothing: is_function_word(norm),
            translations: [translations(norm), translations(folded)],
            synonyms: [synonyms(norm), synonyms(folded)],
            cued: gradable(folded).is_some(),
            first: norm.chars().next().map(cognate),
            stem: stem(norm),
        }
    }
}

/// A word of a name.
struct NameWord<'a> {
    text: &'a str,
    chars: usize,
    first: Option<char>,
    stem: OnceCell<String>,
}

impl<'a> NameWord<'a> {
    fn of(text: &'a str) -> Self {
        let first = text.chars().next().map(cognate);
        Self { text, chars: text.chars().count(), first, stem: OnceCell::new() }
    }

    fn is_in(&self, lists: [&[String]; 2]) -> bool {
        lists.into_iter().flatten().any(|word| word == self.text)
    }

    /// Whether both have the same stem; spellings of cognates (k and c, z and c) are one.
    fn has_stem_of(&self, word: &AskedWord<'_>) -> bool {
        let stem = || self.stem.get_or_init(|| stem(self.text));
        self.first == word.first && word.stem == *stem() && word.stem.chars().count() >= 3
    }
}

/// How well the word of the question stands for the word of a name.
fn strength(word: &AskedWord<'_>, name: &NameWord<'_>) -> f32 {
    let (norm, text) = (word.norm, name.text);
    if norm == text || word.folded == text || (norm.len() <= 4 && norm.strip_suffix('s') == Some(text)) {
        return 1.0;
    }
    if word.chars < 3 {
        return 0.0;
    }
    // "fname" is read as "f name".
    if name.chars == 1 && norm.starts_with(text) && !word.says_nothing {
        return 0.7;
    }
    if name.is_in(word.translations) {
        return 0.9;
    }
    if name.has_stem_of(word) {
        return 0.85;
    }
    if name.is_in(word.synonyms) {
        return 0.72;
    }
    if word.cued || word.says_nothing || name.chars < 3 {
        return 0.0;
    }
    if is_typo((norm, word.chars), (text, name.chars)) {
        return 0.8;
    }
    match norm.strip_prefix(text) {
        // An abbreviation: "num" of "number".
        Some(rest) if !rest.is_empty() && name.chars <= 5 => 0.6,
        _ if text.starts_with(norm) && word.chars >= 4 => 0.6,
        _ if is_compound((norm, word.chars), (text, name.chars)) => 0.6,
        _ if is_compound((text, name.chars), (norm, word.chars)) => 0.6,
        _ => 0.0,
    }
}

/// "produktkategorie" ends with "kategorie". Both with the number of their characters.
fn is_compound((word, word_chars): (&str, usize), (head, head_chars): (&str, usize)) -> bool {
    head_chars >= 4 && word_chars > head_chars + 2 && word.ends_with(head)
}

fn cognate(c: char) -> char {
    match c {
        'k' | 'z' => 'c',
        other => other,
    }
}

fn stem(word: &str) -> String {
    const ENDINGS: &[&str] = &[
        "abilities",
        "ability",
        "ibility",
        "ibilitat",
        "abilitat",
        "ational",
        "ations",
        "ation",
        "itions",
        "ition",
        "ibeln",
        "ibel",
        "ible",
        "able",
        "ings",
        "ing",
        "ions",
        "ion",
        "ment",
        "ance",
        "ence",
        "ness",
        "ers",
        "er",
        "ors",
        "or",
        "ees",
        "ee",
        "ed",
        "es",
        "en",
        "ity",
        "ive",
        "al",
        "ly",
        "e",
        "n",
        "s",
        "y",
    ];
    let ending = ENDINGS
        .iter()
        .find(|ending| word.strip_suffix(**ending).is_some_and(|stem| stem.chars().count() >= 4));
    let stem = ending.map_or(word, |ending| &word[..word.len() - ending.len()]);
    let mut plain: String = stem.chars().map(cognate).collect();
    // A doubled last consonant belongs to the ending: "programmer", "shipped".
    let last: Vec<char> = plain.chars().rev().take(2).collect();
    if last.len() == 2 && last[0] == last[1] && plain.len() > 4 {
        plain.pop();
    }
    plain
}

fn is_typo((a, a_chars): (&str, usize), (b, b_chars): (&str, usize)) -> bool {
    let (long, short) = (a_chars.max(b_chars), a_chars.min(b_chars));
    let allowed = if short >= 9 { 2 } else { usize::from(short >= 6) };
    allowed > 0
        && long - short <= allowed
        && a.chars().next() == b.chars().next()
        && eruca_indexer::edit_distance(a, b) <= allowed
}

/// The spans that a name may stand for, each with its fit.
fn spans_of(
    names: &SchemaNames,
    term: &SchemaTerm,
    name: &[usize],
    meets: &Meets,
    asked: &Asked,
) -> Vec<((usize, usize), f32)> {
    let mut found = Vec::new();
    let starts: Vec<usize> =
        name.iter().filter_map(|word| meets.get(word)).flatten().map(|(at, _)| *at).collect();
    for start in starts.iter().copied() {
        for end in starts.iter().map(|at| at + 1).filter(|end| *end > start && end - start <= MAX_SPAN) {
            if (start + 1..end).any(|at| asked.breaks[at].is_some_and(|c| c != '(')) {
                continue;
            }
            let fit = fit(names, term, name, meets, asked, (start, end));
            if fit >= MIN_FIT {
                found.push(((start, end), fit));
            }
        }
    }
    found
}

/// How well a name fits a span: every word of the span that says something has to meet a word of the name, and
/// words of the name that are not said take from it.
fn fit(
    names: &SchemaNames,
    term: &SchemaTerm,
    name: &[usize],
    meets: &Meets,
    asked: &Asked,
    span: (usize, usize),
) -> f32 {
    let mut used = vec![false; name.len()];
    let (mut met, mut said) = (0.0_f32, 0.0_f32);
    let (mut glued, mut disordered, mut last_place) = (false, false, None);
    for at in span.0..span.1 {
        let best = name
            .iter()
            .enumerate()
            .filter(|(place, _)| !used[*place])
            .filter_map(|(place, word)| {
                let (_, strength) = meets.get(word)?.iter().find(|(position, _)| *position == at)?;
                Some((place, *strength))
            })
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        match best {
            Some((place, strength)) => {
                // "date of birth" is in order; "id of the student" is an id, and a student.
                disordered |= glued && last_place.is_some_and(|last| place < last);
                last_place = Some(place);
                used[place] = true;
                met += strength;
                said += 1.0;
            }
            None if is_glue(asked, at) => glued = true,
            None => return 0.0,
        }
    }
    if disordered {
        return 0.0;
    }
    let only_glue = (span.0..span.1).all(|at| is_glue(asked, at) || is_filler(&asked.words[at].norm));
    if said == 0.0 || (only_glue && said < name.len() as f32) {
        return 0.0;
    }
    let (mut whole, mut held, mut heads) = (0.0_f32, 0.0_f32, 0.0_f32);
    for (place, word) in name.iter().enumerate() {
        let last = place + 1 == name.len();
        let weight = match name.len() {
            1 => 1.0,
            _ if is_filler(&names.words[*word]) => 0.15,
            _ if term.class_words.contains(word) => 0.3,
            _ => 1.0,
        };
        whole += weight;
        if used[place] {
            held += weight;
            heads += if last { 0.05 } else { 0.0 };
        }
    }
    (met / said) * (held / whole).sqrt().min(1.0) * 0.95 + heads
}

/// Whether a word names nothing; "name" does here, in any language's list of commands.
pub(super) fn says_nothing(norm: &str) -> bool {
    is_function_word(norm) && !["name", "nombre"].contains(&norm)
}

fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// Words between the words of a name: "date of birth".
fn is_glue(asked: &Asked, at: usize) -> bool {
    let word = &asked.words[at];
    let cued = cue(&[word.folded.as_str()]).is_some();
    says_nothing(&word.norm) && !cued
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_meet_across_endings_and_spellings() {
        for (a, b) in [("reliable", "reliability"), ("kompatibel", "compatible"), ("directed", "director")] {
            assert_eq!(stem(a), stem(b));
        }
        assert_ne!(stem("student"), stem("stadium"));
    }
}
