//! Which classes and properties spans of words may name, with how well they fit.

use super::question::Asked;
use eruca_indexer::lexicon::{cue, gradable, is_function_word, synonyms, translations};
use eruca_indexer::{SchemaKind, SchemaNames, SchemaTerm};
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
    for (number, word) in names.words.iter().enumerate() {
        for at in 0..asked.len() {
            let strength = strength(asked, at, word);
            if strength > 0.0 {
                meets.entry(number).or_default().push((at, strength));
            }
        }
    }
    meets
}

/// How well the word of the question stands for the word of a name.
fn strength(asked: &Asked, at: usize, name: &str) -> f32 {
    let word = &asked.words[at];
    let norm = word.norm.as_str();
    if norm == name || word.folded == name || (norm.len() <= 4 && norm.strip_suffix('s') == Some(name)) {
        return 1.0;
    }
    if norm.chars().count() < 3 {
        return 0.0;
    }
    // "fname" is read as "f name".
    if name.chars().count() == 1 && norm.starts_with(name) && !is_function_word(norm) {
        return 0.7;
    }
    if translations(norm).iter().any(|t| t == name) || translations(&word.folded).iter().any(|t| t == name) {
        return 0.9;
    }
    let cued = gradable(&word.folded).is_some();
    if same_stem(norm, name) {
        return 0.85;
    }
    if synonyms(norm).iter().any(|t| t == name) || synonyms(&word.folded).iter().any(|t| t == name) {
        return 0.72;
    }
    if cued || is_function_word(norm) || name.chars().count() < 3 {
        return 0.0;
    }
    if is_typo(norm, name) {
        return 0.8;
    }
    match norm.strip_prefix(name) {
        // An abbreviation: "num" of "number".
        Some(rest) if !rest.is_empty() && name.chars().count() <= 5 => 0.6,
        _ if name.starts_with(norm) && norm.chars().count() >= 4 => 0.6,
        _ if is_compound(norm, name) || is_compound(name, norm) => 0.6,
        _ => 0.0,
    }
}

/// "produktkategorie" ends with "kategorie".
fn is_compound(word: &str, head: &str) -> bool {
    head.chars().count() >= 4 && word.chars().count() > head.chars().count() + 2 && word.ends_with(head)
}

/// Whether two words have the same stem; spellings of cognates (k and c, z and c) are one.
fn same_stem(a: &str, b: &str) -> bool {
    if a.chars().next().map(cognate) != b.chars().next().map(cognate) {
        return false;
    }
    let (a, b) = (stem(a), stem(b));
    a == b && a.chars().count() >= 3
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

fn is_typo(a: &str, b: &str) -> bool {
    let (long, short) = (a.chars().count().max(b.chars().count()), a.chars().count().min(b.chars().count()));
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
            assert!(same_stem(a, b), "{a} {b}: {} {}", stem(a), stem(b));
        }
        assert!(!same_stem("student", "stadium"));
    }
}
