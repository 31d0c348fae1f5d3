//! A file of verified questions: `[[questions]]` entries in TOML, checked one by one. Reads and writes texts, no files.

use super::key::{question_key, tokens};
use super::page::{parse_duration, written_duration};
use super::{Outcome, Parameter, VerifiedQuestion};
use serde::Deserialize;
use std::fmt::Write as _;
use toml::{Spanned, Value};

/// Longest question, in characters.
pub const MAX_QUESTION_CHARS: usize = 1_000;
/// Longest query, in bytes; the service takes no longer one.
pub const MAX_QUERY_BYTES: usize = 20_000;
/// Longest of the other texts, in characters.
const MAX_TEXT_CHARS: usize = 2_000;
/// Names in a question that may be replaced.
pub const MAX_PARAMETERS: usize = 4;

/// Something wrong in a file: its line, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub line: Option<usize>,
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    questions: Vec<Spanned<Written>>,
}

/// An entry as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    id: Option<String>,
    name: Option<String>,
    question: String,
    lang: Option<String>,
    query: String,
    by: String,
    at: Value,
    comment: Option<String>,
    #[serde(default)]
    parameters: Vec<WrittenParameter>,
    view: Option<String>,
    refresh: Option<String>,
    #[serde(default)]
    stale: bool,
    rows: Option<usize>,
    digest: Option<String>,
    aside: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenParameter {
    name: String,
    value: String,
    #[serde(rename = "as")]
    alias: Option<String>,
}

/// The entries of a file, each with its number in it, and what is wrong with the others.
pub(super) fn parse(text: &str) -> (Vec<(usize, VerifiedQuestion)>, Vec<Wrong>) {
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let line = error.span().map(|span| line(span.start));
            let what = format!(
                "{}; an entry of [[questions]] has question, query, by and at, and may have name, view, refresh, stale, lang, comment, parameters, id, rows, digest and aside",
                error.message().trim_end()
            );
            return (Vec::new(), vec![Wrong { line, what }]);
        }
    };
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (number, entry) in file.questions.into_iter().enumerate() {
        let start = entry.span().start;
        match checked(entry.into_inner()) {
            Ok(question) => found.push((number, question)),
            Err(what) => wrong.push(Wrong { line: Some(line(start)), what }),
        }
    }
    (found, wrong)
}

fn checked(written: Written) -> Result<VerifiedQuestion, String> {
    let Written { parameters, .. } = &written;
    let parameter = |WrittenParameter { name, value, alias }: &WrittenParameter| Parameter {
        name: name.clone(),
        value: value.clone(),
        alias: alias.clone(),
    };
    let parameters = parameters.iter().map(parameter).collect();
    let at = match written.at {
        Value::Datetime(date) => date.date.map(|date| date.to_string()).unwrap_or_default(),
        Value::String(text) => text,
        _ => String::new(),
    };
    let digest = written.digest;
    let question = VerifiedQuestion {
        id: written.id,
        name: written.name,
        question: written.question.trim().to_owned(),
        lang: written.lang.map(|tag| tag.to_lowercase()),
        query: written.query.trim().to_owned(),
        by: written.by.trim().to_owned(),
        at: at.trim().to_owned(),
        comment: written.comment,
        parameters,
        view: written.view,
        refresh: written.refresh.as_deref().map(parse_duration).transpose()?,
        stale: written.stale,
        outcome: written.rows.map(|rows| Outcome { rows, digest }),
        aside: written.aside,
    };
    question.check()?;
    Ok(question)
}

impl VerifiedQuestion {
    /// Checks what can be checked without a graph.
    ///
    /// # Errors
    /// What is wrong and what to do, as a part of a sentence.
    pub fn check(&self) -> Result<(), String> {
        let Self { id, question, lang, query, by, at, comment, parameters, aside, .. } = self;
        if question_key(question).is_empty() {
            return Err("the question is empty; write it in words".to_owned());
        }
        if question.chars().count() > MAX_QUESTION_CHARS {
            return Err(format!("the question has more than {MAX_QUESTION_CHARS} characters; shorten it"));
        }
        if query.is_empty() || query.len() > MAX_QUERY_BYTES {
            return Err(format!("the query must have between 1 and {MAX_QUERY_BYTES} bytes"));
        }
        if by.is_empty() {
            return Err("'by' is empty; it names who has checked the query".to_owned());
        }
        if !is_date(at) {
            return Err("'at' must be the date of the check, like 2026-01-31".to_owned());
        }
        let is_tag =
            |tag: &String| !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !lang.iter().all(is_tag) {
            return Err("'lang' must be a language tag like \"en\"".to_owned());
        }
        let texts = [Some(by), id.as_ref(), comment.as_ref(), aside.as_ref()];
        if texts.into_iter().flatten().any(|text| text.chars().count() > MAX_TEXT_CHARS) {
            return Err(format!("by, id, comment and aside have at most {MAX_TEXT_CHARS} characters each"));
        }
        self.check_parameters(parameters)?;
        self.check_page()
    }

    fn check_parameters(&self, parameters: &[Parameter]) -> Result<(), String> {
        if parameters.len() > MAX_PARAMETERS {
            return Err(format!("at most {MAX_PARAMETERS} names can be parameters"));
        }
        let words: Vec<String> = tokens(&self.question).into_iter().map(|token| token.text).collect();
        for Parameter { name, value, .. } in parameters {
            let named: Vec<String> = tokens(name).into_iter().map(|token| token.text).collect();
            let times =
                words.windows(named.len().max(1)).filter(|window| *window == named.as_slice()).count();
            if times != 1 {
                return Err(format!(
                    "the parameter '{name}' must stand in the question once; it stands there {times} times"
                ));
            }
            if value.trim().is_empty() || value.chars().count() > MAX_TEXT_CHARS {
                return Err(format!(
                    "the value of the parameter '{name}' must be the IRI or the quoted text that stands for it in the query"
                ));
            }
        }
        Ok(())
    }

    /// The entry as it is written into a file.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let Self { id, name, question, lang, query, by, at, comment, parameters, view, aside, .. } = self;
        let some = |value: &Option<String>| value.as_deref().map(string);
        let parameters: Vec<String> = parameters.iter().map(parameter_toml).collect();
        let lines = [
            ("aside", some(aside)),
            ("id", some(id)),
            ("name", some(name)),
            ("question", Some(string(question))),
            ("lang", some(lang)),
            ("query", Some(query_string(query))),
            ("by", Some(string(by))),
            ("at", Some(at.clone())),
            ("comment", some(comment)),
            ("parameters", (!parameters.is_empty()).then(|| format!("[{}]", parameters.join(", ")))),
            ("view", some(view)),
            ("refresh", self.refresh.map(|every| string(&written_duration(every)))),
            ("stale", self.stale.then(|| "true".to_owned())),
        ];
        let mut text = "[[questions]]\n".to_owned();
        for (key, value) in lines.into_iter().chain(outcome_lines(self.outcome.as_ref())) {
            if let Some(value) = value {
                // Writing to a String cannot fail.
                let _written = writeln!(text, "{key} = {value}");
            }
        }
        text
    }
}

fn parameter_toml(Parameter { name, value, alias }: &Parameter) -> String {
    let alias = alias.as_ref().map(|alias| format!(", as = {}", string(alias))).unwrap_or_default();
    format!("{{ name = {}, value = {}{alias} }}", string(name), string(value))
}

/// The only entry of a text.
///
/// # Errors
/// What is wrong and what to do, as a part of a sentence.
pub(crate) fn parse_one(text: &str) -> Result<VerifiedQuestion, String> {
    let (mut found, mut wrong) = parse(text);
    match (found.pop(), wrong.pop()) {
        (Some((0, question)), None) => Ok(question),
        (_, Some(wrong)) => Err(wrong.what),
        _ => Err("must be exactly one entry of [[questions]]".to_owned()),
    }
}

/// The keys of an outcome with their values in TOML.
pub(super) fn outcome_lines(outcome: Option<&Outcome>) -> [(&'static str, Option<String>); 2] {
    let digest = outcome.and_then(|outcome| outcome.digest.as_deref().map(string));
    [("rows", outcome.map(|outcome| outcome.rows.to_string())), ("digest", digest)]
}

/// A text as a string of TOML on one line.
pub(crate) fn string(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + 2);
    written.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            '\n' => written.push_str("\\n"),
            '\t' => written.push_str("\\t"),
            c if c.is_control() => {
                // Writing to a String cannot fail.
                let _written = write!(written, "\\u{:04X}", u32::from(c));
            }
            c => written.push(c),
        }
    }
    written.push('"');
    written
}

/// A query as a string of several lines, as people write them, where TOML allows that.
fn query_string(query: &str) -> String {
    let query = query.replace("\r\n", "\n");
    let is_plain = !query.contains("'''") && !query.chars().any(|c| c.is_control() && c != '\n' && c != '\t');
    if is_plain { format!("'''\n{}\n'''", query.trim()) } else { string(&query) }
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, digits: usize| {
        let plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| part.parse::<u16>().ok()).flatten()
    };
    number(year, 4).is_some()
        && number(month, 2).is_some_and(|month| (1..=12).contains(&month))
        && number(day, 2).is_some_and(|day| (1..=31).contains(&day))
}
