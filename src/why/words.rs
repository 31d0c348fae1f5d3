//! Terms and formulas in words.

use super::number;
use crate::dataset::{Dataset, MAX_NAME_CHARS};
use eruca_indexer::language::Language;
use eruca_indexer::text::humanize;
use eruca_sparql::proof::Formula;
use eruca_sparql::{Literal, Term, is_numeric_type, local_name, one_line};

/// Where the datatypes of XML Schema are.
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";
/// Which file of the packs holds the words.
const FILE: &str = "explain";
/// Characters of a text that stands within a sentence.
const MAX_TEXT: usize = 80;
/// Things that are listed within a sentence.
const MAX_LISTED: usize = 8;
/// Formulas within formulas that are put in words; deeper ones are cut.
const MAX_DEPTH: usize = 24;

/// What puts things in words: the names of a dataset in a language.
#[derive(Clone, Copy)]
pub(super) struct Wording<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) language: &'static Language,
}

/// How precise a formula is told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Every part that has a value by this value.
    Value,
    /// The outermost call as it is written, what is in it by its values.
    Worked,
    /// As it is written in the query.
    Written,
}

impl Wording<'_> {
    /// The phrase of a key with its places filled.
    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.language.say(FILE, key, values).into_owned()
    }

    fn knows(&self, key: &str) -> bool {
        self.language.phrase(FILE, key).is_some()
    }

    /// The name of a thing, class or property.
    pub(super) fn name(&self, iri: &str) -> String {
        let name = self.dataset.schema_name(iri);
        if !name.trim().is_empty() {
            return name;
        }
        self.dataset.compact(iri)
    }

    pub(super) fn variable(name: &str) -> String {
        format!("?{name}")
    }

    pub(super) fn term(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(node) => self.name(node.as_str()),
            Term::Literal(literal) => self.literal(literal),
            _ => self.say("something", &[]),
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        let datatype = literal.datatype();
        let text = one_line(literal.value(), MAX_TEXT);
        if is_numeric_type(datatype.as_str()) {
            let sample = self.say("number_sample", &[]);
            return number::written(literal.value(), &sample).unwrap_or(text);
        }
        let is = |local: &str| datatype.as_str().strip_prefix(XSD) == Some(local);
        if is("boolean") {
            return match literal.value() {
                "true" | "1" => self.say("true", &[]),
                _ => self.say("false", &[]),
            };
        }
        if is("string") || literal.language().is_some() {
            self.say("quoted", &[("text", &text)])
        } else {
            text
        }
    }

    /// Things one after the other, the last one joined by a word.
    pub(super) fn list(&self, all: &[String], join: &str) -> String {
        let mut shown: Vec<String> = all.iter().take(MAX_LISTED).cloned().collect();
        if all.len() > MAX_LISTED {
            shown.push("…".to_owned());
        }
        match shown.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, before)) => self.say(join, &[("list", &before.join(", ")), ("last", last)]),
            None => String::new(),
        }
    }

    pub(super) fn formula(&self, formula: &Formula, told: Told) -> String {
        self.formula_within(formula, told, 0)
    }

    fn formula_within(&self, formula: &Formula, told: Told, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        match formula {
            Formula::Term(term) => self.term(term),
            Formula::Variable { name, value } => match value {
                Some(value) if told != Told::Written => self.term(value),
                _ => Self::variable(name),
            },
            Formula::Call { name, arguments, value } => match value {
                // A condition is told by what is compared; only what is worked out by its value.
                Some(value) if told == Told::Value && !is_truth(value) => self.term(value),
                _ => self.call(name, arguments, told, depth),
            },
        }
    }

    fn call(&self, name: &str, arguments: &[Formula], told: Told, depth: usize) -> String {
        let inner = if told == Told::Worked { Told::Value } else { told };
        if let ([only], true) = (arguments, is_cast(name)) {
            return self.formula_within(only, told, depth + 1);
        }
        let said: Vec<String> = arguments
            .iter()
            .map(|one| {
                let nested = if is_arithmetic(name) && told == Told::Worked { told } else { inner };
                let text = self.formula_within(one, nested, depth + 1);
                if needs_brackets(name, one, nested) { format!("({text})") } else { text }
            })
            .collect();
        self.filled(name, &said)
    }

    fn filled(&self, name: &str, said: &[String]) -> String {
        let at = |at: usize| said.get(at).map_or("", String::as_str);
        let key = match (name, said.is_empty()) {
            ("count" | "count_distinct", true) => "count_all",
            _ => name,
        };
        if !self.knows(key) {
            let list = said.join(", ");
            let name = one_line(&humanize(local_name(name)), MAX_NAME_CHARS);
            return self.say("other", &[("name", &name), ("list", &list)]);
        }
        let list = match key {
            "in" | "not_in" => self.list(said.get(1..).unwrap_or_default(), "list_or"),
            "values" => self.list(said, "list_or"),
            _ => self.list(said, "list_and"),
        };
        self.say(key, &[("a", at(0)), ("b", at(1)), ("c", at(2)), ("list", &list)])
    }
}

fn is_truth(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.datatype().as_str().strip_prefix(XSD) == Some("boolean"))
}

/// Casts say nothing to people.
fn is_cast(name: &str) -> bool {
    name.starts_with(XSD)
}

fn is_arithmetic(name: &str) -> bool {
    matches!(name, "add" | "subtract" | "multiply" | "divide" | "minus")
}

/// Whether a part of a formula has to be set off from what is around it.
fn needs_brackets(around: &str, part: &Formula, told: Told) -> bool {
    let Formula::Call { name, value, .. } = part else { return false };
    if told == Told::Value && value.as_ref().is_some_and(|value| !is_truth(value)) {
        return false;
    }
    let joins = |name: &str| matches!(name, "and" | "or");
    (is_arithmetic(around) && is_arithmetic(name))
        || (joins(around) && joins(name) && around != name.as_str())
}
