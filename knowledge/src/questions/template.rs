//! Questions whose names may be replaced: "Who leads Sales?" with the parameter `Sales` also reads "Who leads Research?".

use super::key::{KeyToken, tokens};
use super::{Parameter, VerifiedQuestion};

/// Words of a name that takes the place of another.
const MAX_NAME_WORDS: usize = 8;

/// A name put in the place of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced<'a> {
    /// The parameter.
    pub parameter: &'a Parameter,
    /// The name in its place, as it is written in the question that is asked.
    pub name: String,
}

/// A verified question that becomes the one that is asked when names are replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled<'a> {
    /// The verified question.
    pub question: &'a VerifiedQuestion,
    /// The names that are replaced; at least one.
    pub replaced: Vec<Replaced<'a>>,
}

/// The words of a question around its parameters.
#[derive(Debug)]
pub(super) struct Template {
    /// The words before each parameter, and those behind the last one.
    before: Vec<Vec<String>>,
    behind: Vec<String>,
    /// In the order of the question.
    parameters: Vec<Parameter>,
}

impl Template {
    /// The template of a question; `None` without parameters, and if nothing but names is left or two names touch.
    pub(super) fn of(question: &VerifiedQuestion) -> Option<Self> {
        let words = texts(&tokens(&question.question));
        let mut places: Vec<(usize, usize, &Parameter)> = Vec::new();
        for parameter in &question.parameters {
            let name = texts(&tokens(&parameter.name));
            let at = words.windows(name.len().max(1)).position(|window| window == name.as_slice())?;
            places.push((at, at + name.len(), parameter));
        }
        places.sort_by_key(|(from, ..)| *from);
        let (mut before, mut end) = (Vec::new(), 0);
        for (from, to, _) in &places {
            let between = words.get(end..*from)?;
            if between.is_empty() && !before.is_empty() {
                return None;
            }
            before.push(between.to_vec());
            end = *to;
        }
        let behind = words.get(end..)?.to_vec();
        let is_bare = behind.is_empty() && before.iter().all(Vec::is_empty);
        let parameters = places.into_iter().map(|(_, _, parameter)| parameter.clone()).collect();
        (!before.is_empty() && !is_bare).then_some(Self { before, behind, parameters })
    }

    /// The names that stand in the places of the parameters; `None` if other words differ, or if all names are the same.
    pub(super) fn fill(&self, text: &str, asked: &[KeyToken]) -> Option<Vec<Replaced<'_>>> {
        let asked = without_end(asked, &self.behind)?;
        let first = self.before.first()?;
        let mut rest = without_start(asked, first)?;
        let mut replaced = Vec::new();
        for (at, parameter) in self.parameters.iter().enumerate() {
            let name = match self.before.get(at + 1) {
                None => std::mem::take(&mut rest),
                Some(next) => {
                    let (name, after) = split_once(rest, next)?;
                    rest = after;
                    name
                }
            };
            if name.is_empty() || name.len() > MAX_NAME_WORDS {
                return None;
            }
            if texts(name) != texts(&tokens(&parameter.name)) {
                let (from, to) = (name.first()?.span.0, name.last()?.span.1);
                replaced.push(Replaced { parameter, name: text.get(from..to)?.to_owned() });
            }
        }
        (!replaced.is_empty()).then_some(replaced)
    }
}

fn texts(tokens: &[KeyToken]) -> Vec<String> {
    tokens.iter().map(|token| token.text.clone()).collect()
}

fn same(tokens: &[KeyToken], words: &[String]) -> bool {
    tokens.len() == words.len() && tokens.iter().zip(words).all(|(token, word)| token.text == *word)
}

fn without_start<'a>(tokens: &'a [KeyToken], words: &[String]) -> Option<&'a [KeyToken]> {
    let (start, rest) = tokens.split_at_checked(words.len())?;
    same(start, words).then_some(rest)
}

fn without_end<'a>(tokens: &'a [KeyToken], words: &[String]) -> Option<&'a [KeyToken]> {
    let (rest, end) = tokens.split_at_checked(tokens.len().checked_sub(words.len())?)?;
    same(end, words).then_some(rest)
}

/// What is before and behind words that stand there once.
fn split_once<'a>(tokens: &'a [KeyToken], words: &[String]) -> Option<(&'a [KeyToken], &'a [KeyToken])> {
    let mut places = tokens.windows(words.len().max(1)).enumerate().filter(|(_, window)| same(window, words));
    let (at, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    Some((tokens.get(..at)?, tokens.get(at + words.len()..)?))
}
