//! How a question becomes the beginning of its answer: "What is {x}" > "{x} is {value}". Lines of the file `retell`.

use super::Language;
use super::files::Files;
use super::template::Template;
use crate::text::fold;

/// What answer a question must have to be rephrased in this way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetoldForm {
    /// A number of things.
    Count,
    /// One thing or value.
    One,
    /// Several things.
    Many,
    /// A number with a unit.
    Unit,
    /// Any number.
    Number,
    /// A day, or a moment.
    Day,
    /// A year.
    Year,
}

/// A part of a question's pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetoldPart {
    /// One of these folded words.
    Words(Vec<String>),
    /// One word or more, kept by this name.
    Slot(String),
}

/// How questions of one shape become statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retelling {
    /// For which answers.
    pub form: RetoldForm,
    /// The whole question.
    pub pattern: Vec<RetoldPart>,
    /// The sentence; nothing where such questions cannot be rephrased well.
    pub sentence: Option<Template>,
}

/// Reads lines of `form : pattern > sentence`.
pub(super) fn read(files: &mut Files) -> Vec<Retelling> {
    let mut found = Vec::new();
    files.each_pair("retell", |form, line| {
        let (pattern, sentence) = line.split_once('>')?;
        let pattern: Vec<RetoldPart> = pattern.split_whitespace().map(part).collect::<Option<_>>()?;
        let sentence = match sentence.trim() {
            "-" => None,
            text => Some(Template::parse(text)?),
        };
        found.push(Retelling { form: form_of(form)?, pattern, sentence });
        Some(())
    });
    found
}

fn form_of(name: &str) -> Option<RetoldForm> {
    Some(match name {
        "count" => RetoldForm::Count,
        "one" => RetoldForm::One,
        "many" => RetoldForm::Many,
        "unit" => RetoldForm::Unit,
        "number" => RetoldForm::Number,
        "day" => RetoldForm::Day,
        "year" => RetoldForm::Year,
        _ => return None,
    })
}

fn part(text: &str) -> Option<RetoldPart> {
    match text.strip_prefix('{') {
        Some(slot) => {
            let name = slot.strip_suffix('}').filter(|name| !name.is_empty())?;
            Some(RetoldPart::Slot(name.to_owned()))
        }
        None => Some(RetoldPart::Words(text.split('/').map(fold).collect())),
    }
}

impl Language {
    /// The ways to rephrase questions, in the order in which they are tried.
    pub fn retellings(&self) -> &[Retelling] {
        &self.retellings
    }
}
