//! Spans that may name things or values of the graph, longest first, with their candidates. Reads the index.

use super::Facts;
use super::inflected::with_bases;
use super::rule::{addresses, is_in_a_text, may_be_name};
use super::written::{self, MAX_NAMESAKES, keep_written};
use crate::pace::AllowedTime;
use crate::question::{ParsedQuestion, Span, Word, WordKind};
use eruca_indexer::{DatasetIndex, EntityHit, Label, LexicalError, PropertyValue, ValueHit, is_like_a_part};
use eruca_language::text::{fold, is_unspaced, name_key, normalize_word};
use eruca_language::{Language, fallback};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Maximum number of words in a span.
const MAX_SPAN_WORDS: usize = 7;
/// The maximum in scripts without spaces, where unknown words are split into single characters.
const MAX_SPAN_CHARACTERS: usize = 14;
/// Maximum number of candidates per span.
pub const MAX_CANDIDATES: usize = 4;
/// Minimum fit of a single word.
const MIN_WORD_FIT: f32 = 0.7;
/// Minimum fit of a name with words beyond those of the span.
const MIN_SPAN_FIT: f32 = 0.8;
/// The fit of an exact name.
pub(crate) const SAME_NAME_FIT: f32 = 1.2;

/// Penalty on the fit of a name matched through another language.
const TRANSLATED: f32 = 0.2;
/// Maximum number of words in a translated span.
const MAX_TRANSLATED: usize = 2;
/// Maximum number of alternative names looked up per span.
const MAX_OTHER_NAMES: usize = 4;

/// Why a look-up failed.
#[derive(Debug)]
pub struct LinkError(pub LexicalError);

impl std::fmt::Display for LinkError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the index cannot be searched: {}", self.0)
    }
}

impl std::error::Error for LinkError {}

impl From<LexicalError> for LinkError {
    fn from(error: LexicalError) -> Self {
        Self(error)
    }
}

/// A span of the question that may name things or values.
#[derive(Debug, Clone)]
pub struct Mention {
    /// The words as written in the question.
    pub text: String,
    /// Their position.
    pub span: Span,
    /// Things it may name, best first.
    pub entities: Vec<EntityHit>,
    /// Literal values it may be, best first.
    pub values: Vec<ValueHit>,
    /// Whether it is the exact, whole name of something although its words have other meanings: "Never Let Me Go", an IRI.
    pub title: bool,
    /// Facts about the things, by IRI, once fetched.
    pub facts: Vec<(String, Facts)>,
}

impl Mention {
    /// Results from outside the index, as far as they fit the span by the same measure.
    pub fn elsewhere(text: &str, span: Span, mut entities: Vec<EntityHit>) -> Option<Self> {
        entities.retain(|hit| hit.score >= least_fit(span));
        mention(text, span, (entities, Vec::new()))
    }

    /// The best fit among its candidates.
    pub fn fit(&self) -> f32 {
        let entity = self.entities.first().map_or(0.0, |hit| hit.score);
        self.values.first().map_or(0.0, |hit| hit.score).max(entity)
    }

    /// The thing that it names, if no other has an equally good name.
    pub fn only_thing(&self) -> Option<&str> {
        match self.entities.as_slice() {
            [first, second, ..] if second.score >= first.score => None,
            [first, ..] => Some(&first.record.iri),
            [] => None,
        }
    }

    /// The value that it matches, if exactly one thing has it and no thing has that name: a code, an identifier.
    pub fn only_value(&self) -> Option<&PropertyValue> {
        match (self.entities.as_slice(), self.values.as_slice()) {
            ([], [first, second, ..]) if second.score >= first.score => None,
            ([], [first, ..]) => Some(&first.record).filter(|value| value.count == 1),
            _ => None,
        }
    }

    /// Whether the words match a name exactly.
    pub fn is_same_name(&self) -> bool {
        self.fit() >= SAME_NAME_FIT
    }
}

/// Things and values for one text.
pub type Candidates = (Vec<EntityHit>, Vec<ValueHit>);

/// Name look-ups in an index, cached for one question: each text is looked up once.
pub(super) struct Names<'i> {
    index: &'i DatasetIndex,
    strict: RefCell<FxHashMap<String, Candidates>>,
    alike: RefCell<FxHashMap<String, Candidates>>,
}

impl<'i> Names<'i> {
    fn of(index: &'i DatasetIndex) -> Self {
        Self { index, strict: RefCell::default(), alike: RefCell::default() }
    }

    /// Whether any name contains a folded word.
    pub(super) fn holds(&self, folded: &str) -> bool {
        let word = normalize_word(folded);
        self.index.entities.has_word(&word) || self.index.values.has_word(&word)
    }

    /// Names that contain all words of a text. Function words of the language are optional, since "die" is a content word in
    /// English; but names that contain them rank first: "Dr Ada Lind" before another Ada Lind.
    pub(super) fn strict(&self, language: &Language, text: &str) -> Result<Candidates, LinkError> {
        once(&self.strict, text, || {
            // The indexes split languages without spaces into characters.
            let ignored = |word: &str| !language.is_unspaced() && language.is_function_word(word);
            let (mut entities, mut values) = self.all_words(text, &ignored)?;
            let found = !entities.is_empty() || !values.is_empty();
            if found && text.split_whitespace().any(|word| ignored(&fold(word.trim_matches('.')))) {
                let (things, texts) = self.all_words(text, &|_| false)?;
                prefer(&mut entities, things, |a, b| a.record.iri == b.record.iri, |hit| hit.score);
                prefer(&mut values, texts, |a, b| a.record == b.record, |hit| hit.score);
            }
            Ok((entities, values))
        })
    }

    fn all_words(
        &self,
        text: &str,
        ignored: &(dyn Fn(&str) -> bool + Sync),
    ) -> Result<Candidates, LinkError> {
        Ok((
            self.index.entities.search_strict(text, MAX_CANDIDATES, ignored)?,
            self.index.values.search_strict(text, MAX_CANDIDATES, ignored)?,
        ))
    }

    /// Names that contain all words of a text, including function words.
    pub(super) fn namesakes(&self, text: &str) -> Result<Candidates, LinkError> {
        Ok((
            self.index.entities.search_strict(text, MAX_NAMESAKES, &|_| false)?,
            self.index.values.search_strict(text, MAX_NAMESAKES, &|_| false)?,
        ))
    }

    /// Names similar to a text, including spelling variants.
    fn alike(&self, text: &str) -> Result<Candidates, LinkError> {
        once(&self.alike, text, || {
            Ok((
                self.index.entities.search(text, None, MAX_CANDIDATES)?,
                self.index.values.search(text, None, MAX_CANDIDATES)?,
            ))
        })
    }
}

/// The cached result, or a new look-up. All texts are from one question, and so in one language.
fn once(
    known: &RefCell<FxHashMap<String, Candidates>>,
    text: &str,
    look: impl FnOnce() -> Result<Candidates, LinkError>,
) -> Result<Candidates, LinkError> {
    if let Some(found) = known.borrow().get(text) {
        return Ok(found.clone());
    }
    let found = look()?;
    known.borrow_mut().insert(text.to_owned(), found.clone());
    Ok(found)
}

/// The candidates for all spans of the question. A span with a match blocks its words for shorter spans, except those that are
/// exact names themselves ("Lake House" may be one thing, or a lake and a house).
///
/// # Errors
/// When an index cannot be read.
pub fn mentions(index: &DatasetIndex, question: &ParsedQuestion) -> Result<Vec<Mention>, LinkError> {
    mentions_within(index, question, None)
}

/// The same within a time limit: longest spans first.
pub(super) fn mentions_within(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    time: Option<AllowedTime<'_>>,
) -> Result<Vec<Mention>, LinkError> {
    let index = &Names::of(index);
    let (mut found, mut titles) = (quoted(index, question)?, addressed(index, question)?);
    titles.extend(written::titles(index, question, time)?);
    let quoted = |span: Span| question.quotes.iter().any(|quote| quote.span.overlaps(span));
    titles.retain(|title| !quoted(title.span));
    let titled: Vec<Span> = titles.iter().map(|title| title.span).collect();
    found.extend(titles.into_iter().map(|title| Mention { title: true, ..title }));
    let mut taken: Vec<bool> = vec![false; question.len()];
    for mention in &found {
        take(&mut taken, mention.span);
    }
    let longest = if question.language.is_unspaced() { MAX_SPAN_CHARACTERS } else { MAX_SPAN_WORDS };
    for length in (1..=longest.min(question.len())).rev() {
        for from in 0..=question.len() - length {
            if time.is_some_and(|time| !time.goes_on()) {
                break;
            }
            let span = Span::new(from, from + length);
            if titled.iter().any(|title| title.overlaps(span)) {
                continue;
            }
            if let Some(mention) = at(index, question, span, &taken)? {
                take(&mut taken, span);
                found.push(mention);
            }
        }
    }
    found.iter_mut().for_each(|mention| mention.title |= is_run_of_characters(question, mention));
    found.sort_by_key(|mention| (mention.span.from, std::cmp::Reverse(mention.span.to)));
    Ok(found)
}

/// Whether an exact name consists of several words of a language without spaces, one of which is not in its pack: then the other
/// words mean nothing by themselves, either.
fn is_run_of_characters(question: &ParsedQuestion, mention: &Mention) -> bool {
    let unlisted = |word: &Word| question.language.is_unlisted(&word.folded);
    mention.span.len() > 1 && mention.is_same_name() && question.words_of(mention.span).iter().any(unlisted)
}

fn take(taken: &mut [bool], span: Span) {
    if let Some(words) = taken.get_mut(usize::from(span.from)..usize::from(span.to)) {
        words.fill(true);
    }
}

/// The things whose IRIs are in the question.
fn addressed(names: &Names<'_>, question: &ParsedQuestion) -> Result<Vec<Mention>, LinkError> {
    let mut found = Vec::new();
    for address in addresses(question) {
        let thing = names.index.entities.get(&address.iri)?;
        let hit = thing.map(|entity| EntityHit { record: entity, score: SAME_NAME_FIT });
        found.extend(mention(&address.iri, address.span, (hit.into_iter().collect(), Vec::new())));
    }
    Ok(found)
}

fn quoted(index: &Names<'_>, question: &ParsedQuestion) -> Result<Vec<Mention>, LinkError> {
    let mut found = Vec::new();
    for quote in &question.quotes {
        let (mut entities, mut values) = index.strict(question.language, &quote.text)?;
        // Quotations must match exactly.
        entities.retain(|hit| hit.score >= SAME_NAME_FIT);
        values.retain(|hit| hit.score >= SAME_NAME_FIT);
        found.extend(mention(&quote.text, quote.span, (entities, values)));
    }
    Ok(found)
}

fn at(
    index: &Names<'_>,
    question: &ParsedQuestion,
    span: Span,
    taken: &[bool],
) -> Result<Option<Mention>, LinkError> {
    let covered =
        taken.get(usize::from(span.from)..usize::from(span.to)).is_none_or(|words| words.contains(&true));
    if !may_be_name(question, span) {
        return Ok(None);
    }
    let text = question.text_of(span);
    let (mut entities, mut values) = match span.len() {
        1 if !covered && may_be_misspelt(question, span) => misspelt(index, question, span)?,
        _ => index.strict(question.language, text)?,
    };
    let least = if covered { SAME_NAME_FIT } else { least_fit(span) };
    for country in by_nearness(question, span) {
        let (places, names) = index.strict(question.language, country)?;
        prefer(&mut entities, places, |a, b| a.record.iri == b.record.iri, |hit| hit.score);
        prefer(&mut values, names, |a, b| a.record == b.record, |hit| hit.score);
    }
    (entities, values) = with_bases(index, question, span, (entities, values))?;
    if entities.is_empty() && values.is_empty() && !covered {
        (entities, values) = elsewhere(index, question, span)?;
    }
    let common = is_common_noun(question, span);
    entities.retain(|hit| hit.score >= least && !(common && is_foreign_name(question, text, hit)));
    entities.retain(|hit| !is_described(text, span, hit) && is_together(question, text, hit));
    values.retain(|hit| holds_together(question, text, &[&hit.record.text]));
    values.retain(|hit| hit.score >= least && !is_in_a_text(span.len(), &hit.record.text));
    let mut candidates = (entities, values);
    let same = candidates.0.iter().map(|hit| hit.score).chain(candidates.1.iter().map(|hit| hit.score));
    let crowded = same.filter(|score| *score >= SAME_NAME_FIT).count() >= MAX_CANDIDATES;
    if crowded {
        // An exactly spelled match may rank behind others with the same words.
        candidates = with_namesakes(index, question, span, candidates)?;
    }
    let text = keep_written(question, span, &mut candidates).unwrap_or(text);
    Ok(mention(text, span, candidates))
}

/// Whether a name of a thing contains the text's characters contiguously, in scripts without spaces.
pub(crate) fn is_together(question: &ParsedQuestion, text: &str, hit: &EntityHit) -> bool {
    let local = hit.record.iri.rsplit(['/', '#']).next();
    let names: Vec<&str> = hit.record.labels.iter().map(|label| label.text.as_str()).chain(local).collect();
    holds_together(question, text, &names)
}

/// Whether a name contains the text's characters contiguously, in scripts without spaces: a single character is not enough, and
/// apart they belong to other words.
fn holds_together(question: &ParsedQuestion, text: &str, names: &[&str]) -> bool {
    if !question.language.is_unspaced() || !text.contains(is_unspaced) {
        return true;
    }
    let wanted = name_key(text);
    let alone = text.chars().count() == 1;
    let has = |name: &&str| {
        let key = name_key(name);
        if alone { key == wanted } else { key.contains(&wanted) }
    };
    // Without such characters it is a name in another language.
    names.iter().any(has) || !names.iter().any(|name| name.contains(is_unspaced))
}

fn least_fit(span: Span) -> f32 {
    if span.len() == 1 { MIN_WORD_FIT } else { MIN_SPAN_FIT }
}

/// The candidates, or instead those spelled exactly as in the question, if there are several with the same words.
fn with_namesakes(
    index: &Names<'_>,
    question: &ParsedQuestion,
    span: Span,
    known: Candidates,
) -> Result<Candidates, LinkError> {
    let mut all = index.namesakes(question.text_of(span))?;
    all.0.retain(|hit| hit.score >= SAME_NAME_FIT);
    all.1.retain(|hit| hit.score >= SAME_NAME_FIT);
    let written = keep_written(question, span, &mut all).is_some();
    all.0.truncate(MAX_CANDIDATES);
    all.1.truncate(MAX_CANDIDATES);
    Ok(if written { all } else { known })
}

/// Candidates for a word including misspellings; for part of a longer name, excluding those that match only this word.
fn misspelt(index: &Names<'_>, question: &ParsedQuestion, span: Span) -> Result<Candidates, LinkError> {
    let text = question.text_of(span);
    let (mut entities, mut values) = index.alike(text)?;
    let whole = question.text_of(name_around(question, span));
    entities.retain(|hit| !hit.record.labels.iter().any(|label| is_like_a_part(whole, &label.text)));
    values.retain(|hit| !is_like_a_part(whole, &hit.record.text));
    Ok((entities, values))
}

/// The span extended by adjacent words that are written as one name with it.
fn name_around(question: &ParsedQuestion, span: Span) -> Span {
    let is_name = |at: u16| {
        question.words.get(usize::from(at)).is_some_and(|word| word.kind == WordKind::Name && word.capital)
    };
    let mut whole = span;
    while is_name(span.from)
        && whole.from > 0
        && is_name(whole.from - 1)
        && !question.is_broken(Span { from: whole.from - 1, ..whole })
    {
        whole.from -= 1;
    }
    while is_name(span.from) && is_name(whole.to) && !question.is_broken(Span { to: whole.to + 1, ..whole }) {
        whole.to += 1;
    }
    whole
}

/// The names of the country that a span refers to, with the name as written last: "France" more likely means France than French.
fn by_nearness(question: &ParsedQuestion, span: Span) -> Vec<&'static String> {
    let written = question.folded_of(span);
    let mut names: Vec<&String> = question.language.country(&written).iter().collect();
    names.sort_by_key(|name| fold(name) == written);
    names
}

/// Exact matches for the alternative names of a span, with a lower fit than if they were written in the question.
fn elsewhere(index: &Names<'_>, question: &ParsedQuestion, span: Span) -> Result<Candidates, LinkError> {
    for name in other_names(question, span) {
        let (mut entities, mut values) = index.strict(question.language, &name)?;
        entities.retain(|hit| hit.score >= SAME_NAME_FIT);
        values.retain(|hit| hit.score >= SAME_NAME_FIT);
        if !entities.is_empty() || !values.is_empty() {
            entities.iter_mut().for_each(|hit| hit.score -= TRANSLATED);
            values.iter_mut().for_each(|hit| hit.score -= TRANSLATED);
            return Ok((entities, values));
        }
    }
    Ok(Candidates::default())
}

/// Translations of common nouns into the fallback language, and compounds split into parts.
fn other_names(question: &ParsedQuestion, span: Span) -> Vec<String> {
    let (words, language) = (question.words_of(span), question.language);
    let whole = language.translations(&question.folded_of(span));
    if words.len() > MAX_TRANSLATED || words.iter().any(|word| word.kind != WordKind::Noun) {
        return whole.iter().take(MAX_OTHER_NAMES).cloned().collect();
    }
    let mut names = vec![String::new()];
    for word in words {
        let called = called(language, word);
        let on = |name: &String| called.iter().map(|word| format!("{name} {word}")).collect::<Vec<_>>();
        names = names.iter().flat_map(on).take(MAX_OTHER_NAMES).collect();
    }
    let said = |name: &String| name.trim() != question.folded_of(span);
    names.into_iter().filter(said).map(|name| name.trim().to_owned()).collect()
}

/// Possible forms of a word in other languages: its translations, or those of its parts, or its parts, or itself.
fn called(language: &Language, word: &Word) -> Vec<String> {
    let translated = |norm: &str| language.translations(norm).to_vec();
    let mut found = translated(&word.norm);
    // "Qualitätskontrolle" translates to two English words that form one name.
    found.extend((found.len() > 1).then(|| found.join(" ")));
    if found.is_empty() && language.has_compounds() {
        let known =
            |part: &str| language.is_noun(&normalize_word(part)) || fallback().is_noun(&normalize_word(part));
        let is_word = |part: &str| !language.is_function_word(part) && known(part);
        let parts = language.splits(&word.folded, &is_word).into_iter().next().unwrap_or_default();
        let first = |part: &String| {
            translated(&normalize_word(part)).into_iter().next().unwrap_or_else(|| part.clone())
        };
        let whole: Vec<String> = parts.iter().map(first).collect();
        found.extend([whole.join(" "), parts.join(" ")].into_iter().filter(|name| !name.is_empty()));
    }
    if found.is_empty() {
        found.push(word.norm.clone());
    }
    found
}

/// Moves exact matches to the front.
fn prefer<T>(found: &mut Vec<T>, better: Vec<T>, same: impl Fn(&T, &T) -> bool, score: impl Fn(&T) -> f32) {
    let very: Vec<T> = better.into_iter().filter(|hit| score(hit) >= SAME_NAME_FIT).collect();
    found.retain(|known| !very.iter().any(|hit| same(known, hit)));
    found.splice(0..0, very);
}

/// Cue words and words that the language knows are not misspelled names.
fn may_be_misspelt(question: &ParsedQuestion, span: Span) -> bool {
    let Some(word) = question.words.get(usize::from(span.from)) else { return false };
    let cued = question.cues.iter().any(|cue| cue.span.contains(span));
    let graded = question.grades.iter().any(|grade| grade.span.contains(span));
    let numbered = question.numerals.iter().any(|numeral| numeral.span.contains(span));
    let known = !question.language.related(&word.norm).is_empty() || question.language.is_noun(&word.norm);
    !cued && !graded && !numbered && (word.capital || !known)
}

/// Whether a span is a common noun written as such and not a name: "island", which is Iceland in other languages.
fn is_common_noun(question: &ParsedQuestion, span: Span) -> bool {
    let [word] = question.words_of(span) else { return false };
    !word.capital && word.kind == WordKind::Noun && question.language.is_noun(&word.norm)
}

/// Whether the words are a thing's name in another language than the question's, in which it has a different name.
fn is_foreign_name(question: &ParsedQuestion, text: &str, hit: &EntityHit) -> bool {
    let written = fold(text);
    let same = |label: &Label| fold(&label.text) == written;
    let ours = |label: &Label| label.language.is_empty() || label.language == question.language.tag();
    let labels = &hit.record.labels;
    labels.iter().any(same)
        && labels.iter().any(ours)
        && !labels.iter().any(|label| same(label) && ours(label))
}

/// Whether the words occur only inside a description: "average" does not name a thing whose description contains the word. A
/// capitalized word may be part of a long title.
fn is_described(text: &str, span: Span, hit: &EntityHit) -> bool {
    let wanted = fold(text);
    let labels = hit.record.labels.iter().map(|label| label.text.as_str());
    let shortest = labels.filter(|label| fold(label).contains(&wanted)).min_by_key(|label| label.len());
    !text.starts_with(char::is_uppercase) && shortest.is_some_and(|label| is_in_a_text(span.len(), label))
}

pub(super) fn mention(text: &str, span: Span, (entities, values): Candidates) -> Option<Mention> {
    let mention = Mention { text: text.to_owned(), span, entities, values, title: false, facts: Vec::new() };
    (mention.fit() > 0.0).then_some(mention)
}
