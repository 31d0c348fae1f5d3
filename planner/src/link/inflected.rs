//! Inflected names in sentences: "в Москве" refers to "Москва". The endings are in the packs; of all possible base forms, only
//! those that occur in a name of the index are looked up.

use super::LinkError;
use super::things::{Candidates, MAX_CANDIDATES, Names, SAME_NAME_FIT};
use crate::question::{ParsedQuestion, Span, Word};

/// Penalty on the fit of an inflected name, so that exact matches come first.
const INFLECTED: f32 = 0.04;
/// Maximum number of names looked up for one span.
const MAX_BASES: usize = 16;

/// Adds candidates for base forms of the words, unless the words match a name as they are.
pub(super) fn with_bases(
    index: &Names<'_>,
    question: &ParsedQuestion,
    span: Span,
    (mut entities, mut values): Candidates,
) -> Result<Candidates, LinkError> {
    let same = entities.iter().map(|hit| hit.score).chain(values.iter().map(|hit| hit.score));
    if same.fold(0.0, f32::max) >= SAME_NAME_FIT {
        return Ok((entities, values));
    }
    for name in bases(index, question, span) {
        let (mut things, mut texts) = index.strict(question.language, &name)?;
        things.iter_mut().for_each(|hit| hit.score -= INFLECTED);
        texts.iter_mut().for_each(|hit| hit.score -= INFLECTED);
        merge(&mut entities, things, |a, b| a.record.iri == b.record.iri, |hit| hit.score);
        merge(&mut values, texts, |a, b| a.record == b.record, |hit| hit.score);
    }
    Ok((entities, values))
}

/// Adds hits that are new or fit better than before; best first.
fn merge<T>(found: &mut Vec<T>, new: Vec<T>, same: impl Fn(&T, &T) -> bool, score: impl Fn(&T) -> f32) {
    for hit in new {
        match found.iter_mut().find(|known| same(known, &hit)) {
            Some(known) if score(known) < score(&hit) => *known = hit,
            Some(_) => {}
            None => found.push(hit),
        }
    }
    found.sort_by(|a, b| score(b).total_cmp(&score(a)));
    found.truncate(MAX_CANDIDATES);
}

/// Possible base forms of a span: each word in a form that occurs in names.
fn bases(index: &Names<'_>, question: &ParsedQuestion, span: Span) -> Vec<String> {
    let written = question.folded_of(span);
    let mut names = vec![String::new()];
    for word in question.words_of(span) {
        let forms = forms(index, question, word);
        let on = |name: &String| forms.iter().map(|form| format!("{name} {form}")).collect::<Vec<_>>();
        names = names.iter().flat_map(on).take(MAX_BASES).collect();
    }
    let names = names.into_iter().map(|name| name.trim().to_owned());
    names.filter(|name| !name.is_empty() && *name != written).collect()
}

/// The forms of a word that occur in names, including itself; function words stay as they are.
fn forms(index: &Names<'_>, question: &ParsedQuestion, word: &Word) -> Vec<String> {
    let language = question.language;
    if language.is_function_word(&word.folded) {
        return vec![word.folded.clone()];
    }
    let mut forms = language.name_forms(&word.folded);
    if forms.is_empty() {
        return vec![word.folded.clone()];
    }
    forms.push(word.folded.clone());
    forms.retain(|form| index.holds(form));
    forms
}
