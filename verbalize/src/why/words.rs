//! Verbalizes RDF terms and SPARQL expressions.

use super::TABLE;
use super::names::ReasonNames;
use eruca_dataset::{Dataset, MAX_NAME_CHARS};
use eruca_language::Language;
use eruca_language::text::humanize;
use eruca_sparql::{Formula, Literal, Term, XSD, is_numeric_type, local_name, one_line};

/// The language-pack table with the phrases for values.
const SAY: &str = "say";
/// Maximum length, in characters, of a text within a sentence.
const MAX_TEXT: usize = 80;
/// Maximum number of items listed within a sentence.
const MAX_LISTED: usize = 8;
/// Maximum nesting depth of expressions that is verbalized; anything deeper is elided.
const MAX_DEPTH: usize = 24;

/// Verbalizes terms and expressions in a language, with the labels of a dataset and the names of a query's variables.
#[derive(Clone, Copy)]
pub(super) struct Wording<'a> {
    pub(super) dataset: &'a Dataset,
    pub(super) language: &'static Language,
    pub(super) names: &'a ReasonNames,
    /// Whether the query is shown alongside: variables are then written at their binding site as they are in the
    /// query.
    pub(super) beside_query: bool,
}

/// How an expression is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaDetail {
    /// Every subexpression with a known value is replaced by this value.
    Value,
    /// The outermost call as written, with its arguments replaced by their values.
    Worked,
    /// As written in the query.
    Written,
}

impl Wording<'_> {
    /// The phrase for a key, with its placeholders filled.
    pub(super) fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        self.language.say(TABLE, key, values).into_owned()
    }

    fn knows(&self, key: &str) -> bool {
        self.language.phrase(TABLE, key).is_some()
    }

    /// The label of an entity, class or property.
    pub(super) fn name(&self, iri: &str) -> String {
        let name = self.dataset.schema_name(iri);
        if !name.trim().is_empty() {
            return name;
        }
        self.dataset.compact(iri)
    }

    /// A variable as written (`?name`) if the query is shown alongside, otherwise its display name.
    pub(super) fn written(&self, name: &str) -> String {
        if self.beside_query { format!("?{name}") } else { self.variable(name) }
    }

    /// The display name of a variable.
    pub(super) fn variable(&self, name: &str) -> String {
        match self.names.get(name) {
            Some(called) => called.text.clone(),
            None if self.beside_query => format!("?{name}"),
            None if self.names.is_bound(name) || name.starts_with('_') => self.say("something", &[]),
            None => humanize(name),
        }
    }

    pub(super) fn term(&self, term: &Term) -> String {
        self.measured(term, None)
    }

    /// A term; numbers are shown with the unit.
    pub(super) fn measured(&self, term: &Term, unit: Option<&str>) -> String {
        match term {
            Term::NamedNode(node) => self.name(node.as_str()),
            Term::Literal(literal) => self.literal(literal, unit),
            _ => self.say("something", &[]),
        }
    }

    fn literal(&self, literal: &Literal, unit: Option<&str>) -> String {
        let datatype = literal.datatype();
        let local = datatype.as_str().strip_prefix(XSD);
        let text = one_line(literal.value(), MAX_TEXT);
        let value =
            |key: &'static str, values: &[(&str, &str)]| self.language.say(SAY, key, values).into_owned();
        // If the unit is known, strings of digits count as numbers too.
        if local.is_some_and(is_numeric_type) || unit.is_some() {
            return self.number(literal.value(), unit).unwrap_or(text);
        }
        match local {
            Some("boolean") if matches!(literal.value(), "true" | "1") => value("yes", &[]),
            Some("boolean") => value("no", &[]),
            Some("string") => value("quoted", &[("x", &text)]),
            _ if literal.language().is_some() => value("quoted", &[("x", &text)]),
            Some(name) => self.language.written_time(name, literal.value()).unwrap_or(text),
            None => text,
        }
    }

    /// A number in the format of the language. Without a unit it may be a year, which is not digit-grouped.
    fn number(&self, text: &str, unit: Option<&str>) -> Option<String> {
        let values = |number: &str| match unit {
            None => number.to_owned(),
            Some("%") => self.language.say(SAY, "percent", &[("n", number)]).into_owned(),
            Some(unit) => self.language.say(SAY, "with_unit", &[("n", number), ("unit", unit)]).into_owned(),
        };
        if unit.is_none() && may_be_year(text) {
            return Some(text.to_owned());
        }
        self.language.written_number(text).map(|number| values(&number))
    }

    /// A list of items, the last one joined by a conjunction.
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

    pub(super) fn formula(&self, formula: &Formula, told: FormulaDetail) -> String {
        self.formula_within(formula, told, 0)
    }

    fn formula_within(&self, formula: &Formula, told: FormulaDetail, depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        match formula {
            Formula::Term(term) => self.term(term),
            Formula::Variable { name, value: Some(value) } if told != FormulaDetail::Written => {
                let called = self.names.get(name);
                let value = self.measured(value, called.and_then(|called| called.unit));
                called.map_or_else(|| value.clone(), |called| self.valued(&called.text, &value))
            }
            Formula::Variable { name, .. } => self.variable(name),
            Formula::Call { name, arguments, value } => match value {
                // A comparison is shown by its operands; only computed values are replaced by their results.
                Some(value) if told == FormulaDetail::Value && !is_truth(value) => {
                    let value = self.measured(value, self.unit(formula));
                    let written = has_variable(formula)
                        .then(|| self.call(name, arguments, FormulaDetail::Written, depth));
                    written.map_or_else(|| value.clone(), |written| self.valued(&written, &value))
                }
                _ => self.call(name, arguments, told, depth),
            },
        }
    }

    /// A name with its value, shown once if both are equal.
    fn valued(&self, name: &str, value: &str) -> String {
        if name == value { value.to_owned() } else { self.say("valued", &[("name", name), ("value", value)]) }
    }

    /// The unit of the value of an expression.
    pub(super) fn unit(&self, formula: &Formula) -> Option<&'static str> {
        match formula {
            Formula::Term(_) => None,
            Formula::Variable { name, .. } => self.names.get(name)?.unit,
            Formula::Call { name, arguments, .. } if keeps_unit(name) => {
                arguments.iter().find_map(|argument| self.unit(argument))
            }
            Formula::Call { .. } => None,
        }
    }

    fn call(&self, name: &str, arguments: &[Formula], told: FormulaDetail, depth: usize) -> String {
        let inner = if told == FormulaDetail::Worked { FormulaDetail::Value } else { told };
        if let ([only], true) = (arguments, is_cast(name)) {
            return self.formula_within(only, told, depth + 1);
        }
        let compares = is_comparison(name) || keeps_unit(name);
        let unit = arguments.iter().filter(|_| compares).find_map(|one| self.unit(one));
        let said: Vec<String> = arguments
            .iter()
            .map(|one| {
                if let Formula::Term(term) = one {
                    return self.measured(term, unit.filter(|_| is_number(term)));
                }
                let nested = if is_arithmetic(name) && told == FormulaDetail::Worked { told } else { inner };
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

fn is_number(term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if literal.datatype().as_str().strip_prefix(XSD).is_some_and(is_numeric_type))
}

/// Whether an integer may be a calendar year (1000 to 2099).
fn may_be_year(text: &str) -> bool {
    text.len() == 4 && text.parse::<u32>().is_ok_and(|year| (1000..2100).contains(&year))
}

fn has_variable(formula: &Formula) -> bool {
    match formula {
        Formula::Term(_) => false,
        Formula::Variable { .. } => true,
        // An aggregate without an argument, COUNT(*), ranges over whole solutions.
        Formula::Call { arguments, name, .. } => {
            name.starts_with("count") || arguments.iter().any(has_variable)
        }
    }
}

/// Comparison operators: their arguments share a unit.
fn is_comparison(name: &str) -> bool {
    matches!(name, "equal" | "not_equal" | "greater" | "at_least" | "less" | "at_most" | "in" | "not_in")
}

/// Functions whose result has the unit of their arguments.
fn keeps_unit(name: &str) -> bool {
    let whole = name.trim_end_matches("_distinct");
    is_cast(name)
        || matches!(
            whole,
            "add"
                | "subtract"
                | "minus"
                | "abs"
                | "round"
                | "ceil"
                | "floor"
                | "str"
                | "sum"
                | "avg"
                | "min"
                | "max"
                | "sample"
                | "coalesce"
        )
}

/// Whether the function is an XSD cast; casts are not verbalized.
fn is_cast(name: &str) -> bool {
    name.starts_with(XSD)
}

fn is_arithmetic(name: &str) -> bool {
    matches!(name, "add" | "subtract" | "multiply" | "divide" | "minus")
}

/// Whether a subexpression needs parentheses.
fn needs_brackets(around: &str, part: &Formula, told: FormulaDetail) -> bool {
    let Formula::Call { name, value, .. } = part else { return false };
    if told == FormulaDetail::Value && value.as_ref().is_some_and(|value| !is_truth(value)) {
        return false;
    }
    let joins = |name: &str| matches!(name, "and" | "or");
    (is_arithmetic(around) && is_arithmetic(name))
        || (joins(around) && joins(name) && around != name.as_str())
}

#[cfg(test)]
mod tests {
    use super::{SAY, TABLE, may_be_year};
    use eruca_language::fallback;

    /// The sources of the module without their tests.
    const SOURCES: [&str; 3] =
        [include_str!("clauses.rs"), include_str!("parts.rs"), include_str!("words.rs")];

    #[test]
    fn only_whole_numbers_of_the_last_thousand_years_may_be_years() {
        assert!(may_be_year("1994") && may_be_year("2026"));
        for text in ["0994", "2850", "12000", "199.", "-199", "+199", ""] {
            assert!(!may_be_year(text), "{text}");
        }
    }

    #[test]
    fn every_phrase_that_is_said_is_in_the_packs() {
        let is_key = |text: &&str| {
            text.contains('_')
                && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
                && !text.starts_with('_')
        };
        let mut keys = 0;
        for source in SOURCES {
            let code = source.split("#[cfg(test)]").next().unwrap();
            // Every second piece between quotation marks is a string literal.
            for key in code.split('"').skip(1).step_by(2).filter(is_key) {
                let known = [TABLE, SAY].iter().any(|file| fallback().phrase(file, key).is_some());
                assert!(known, "{key}");
                keys += 1;
            }
        }
        assert!(keys > 40, "{keys}");
    }
}
