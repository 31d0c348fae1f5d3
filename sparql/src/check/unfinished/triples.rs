//! The triple patterns of a group, as far as they can be read. What is no triple pattern is passed over, and after what cannot be
//! read, reading goes on with the next full stop.
//!
//! What stands on the next lines does not belong to a term that is being written, except for punctuation: nobody types the full
//! stop first.

use super::{Piece, SparqlToken, SparqlTokenKind, groups};
use crate::terms::Prefixes;
use std::fmt;

/// Maximum nesting of blank nodes in brackets.
const MAX_BRACKETS: usize = 8;
/// Keywords at which triple patterns end.
const KEYWORDS: [&str; 12] = [
    "FILTER", "BIND", "OPTIONAL", "MINUS", "UNION", "GRAPH", "SERVICE", "VALUES", "EXISTS", "NOT", "SELECT",
    "WHERE",
];

/// A triple pattern: subject, predicate or path, object, as SPARQL writes them.
#[derive(Debug, Clone)]
pub(super) struct TriplePattern([String; 3]);

impl TriplePattern {
    /// Whether this is one of its terms.
    pub(super) fn has(&self, term: &str) -> bool {
        self.0.iter().any(|part| part == term)
    }

    /// Its variables and blank nodes.
    pub(super) fn variables(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|part| part.starts_with('?') || part.starts_with("_:")).cloned()
    }
}

impl fmt::Display for TriplePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [subject, predicate, object] = &self.0;
        write!(f, "{subject} {predicate} {object} .")
    }
}

/// What is the same for all groups.
pub(super) struct Reading<'t> {
    /// The variable in the place of the cursor.
    pub(super) place: &'t str,
    /// What the names of variables begin with that the query does not have.
    pub(super) own: &'t str,
    /// How many of these there are.
    pub(super) count: usize,
    pub(super) prefixes: &'t Prefixes,
}

/// The triple patterns of a group's content.
pub(super) fn triples_of(group: &[Piece<'_>], reading: &mut Reading<'_>) -> Vec<TriplePattern> {
    let mut reader = Reader { rest: group, reading, found: Vec::new() };
    reader.group();
    reader.found
}

/// A path as alternatives of steps.
type Path = Vec<Vec<Step>>;

/// A step of a path.
struct Step {
    /// As it is written.
    text: String,
    /// Whether it is the place, and then whether backwards.
    place: Option<bool>,
}

fn written(steps: &[Step]) -> String {
    steps.iter().map(|step| step.text.as_str()).collect::<Vec<_>>().join("/")
}

struct Reader<'t, 'a, 'r> {
    rest: &'t [Piece<'a>],
    reading: &'t mut Reading<'r>,
    found: Vec<TriplePattern>,
}

impl<'a> Reader<'_, 'a, '_> {
    fn peek(&self) -> Option<SparqlToken<'a>> {
        self.rest.first().map(|piece| piece.token)
    }

    fn is_at(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.is(text))
    }

    fn is_at_keyword(&self) -> bool {
        self.peek().is_some_and(|token| KEYWORDS.iter().any(|word| token.is_word(word)))
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    fn take(&mut self, text: &str) -> bool {
        let is_there = self.is_at(text);
        self.skip(usize::from(is_there));
        is_there
    }

    /// A variable that the query does not have.
    fn fresh(&mut self) -> String {
        self.reading.count += 1;
        format!("?{}{}", self.reading.own, self.reading.count)
    }

    fn group(&mut self) {
        while self.peek().is_some() {
            let left = self.rest.len();
            if self.is_at("{") {
                self.braces();
            } else if self.is_at_keyword() {
                self.clause();
            } else if self.statement().is_none() {
                self.pass_statement();
            }
            // Nothing is read twice.
            self.skip(usize::from(self.rest.len() == left));
        }
    }

    fn pass_statement(&mut self) {
        while self.peek().is_some() && !self.is_at(".") && !self.is_at("{") && !self.is_at_keyword() {
            self.skip(1);
        }
    }

    /// Passes over braces with their content.
    fn braces(&mut self) {
        self.skip(1);
        let content = groups::content(self.rest).len();
        self.skip(content + 1);
    }

    /// Passes over brackets with their content, if there are any.
    fn brackets(&mut self) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                // The closing one, unless there are none.
                self.skip(usize::from(token.is(")")));
                return;
            }
            self.skip(1);
        }
    }

    /// Passes over what is no triple pattern, up to its braces.
    fn clause(&mut self) {
        let Some(keyword) = self.peek() else { return };
        self.skip(1);
        let is_constraint = ["FILTER", "BIND"].iter().any(|word| keyword.is_word(word));
        let words = match () {
            () if is_constraint => 3,
            () if keyword.is_word("GRAPH") || keyword.is_word("VALUES") => 1,
            () if keyword.is_word("SERVICE") => 2,
            () => 0,
        };
        for _ in 0..words {
            let is_word = self.peek().is_some_and(|token| {
                use SparqlTokenKind::{Iri, PrefixedName, Variable, Word};
                matches!(token.kind, Iri | PrefixedName | Variable | Word)
            });
            self.skip(usize::from(is_word));
        }
        self.brackets();
    }

    fn statement(&mut self) -> Option<()> {
        if self.take(".") {
            return Some(());
        }
        let is_bracketed = self.is_at("[");
        let subject = self.term(0)?;
        if (is_bracketed && self.ends_properties())
            || (subject == self.reading.place && self.is_on_next_line())
        {
            return Some(());
        }
        self.properties(&subject, 0)
    }

    fn ends_properties(&self) -> bool {
        self.is_at_keyword() || [".", "]", "{", "}"].iter().any(|end| self.is_at(end)) || self.rest.is_empty()
    }

    /// Whether the next piece belongs to another line's triple pattern.
    fn is_on_next_line(&self) -> bool {
        let punctuation = [".", ";", ",", "]"];
        self.rest
            .first()
            .is_some_and(|piece| piece.begins_line && !punctuation.iter().any(|sign| piece.token.is(sign)))
    }

    /// Predicates with their objects.
    fn properties(&mut self, subject: &str, depth: usize) -> Option<()> {
        loop {
            let mut goes_on = false;
            while self.take(";") {
                goes_on = true;
            }
            if self.ends_properties() {
                return Some(());
            }
            let path = self.path()?;
            let is_place = path.iter().flatten().any(|step| step.place.is_some());
            self.objects(subject, &path, is_place, depth)?;
            // A line that is being put between others, after a semicolon.
            let is_between = goes_on && is_place && self.is_on_next_line() && !self.is_at_variable();
            if !self.is_at(";") && !is_between {
                return Some(());
            }
        }
    }

    fn is_at_variable(&self) -> bool {
        self.peek().is_some_and(|token| token.kind == SparqlTokenKind::Variable)
    }

    fn objects(&mut self, subject: &str, path: &Path, is_place: bool, depth: usize) -> Option<()> {
        loop {
            let is_missing = self.ends_properties() || self.is_at(";") || self.is_at(",");
            if is_missing || (is_place && self.is_on_next_line()) {
                // Before the predicate is there, nobody has written the object; any other one is missing.
                if is_place {
                    let object = self.fresh();
                    self.add(subject, path, &object);
                }
            } else {
                let object = self.term(depth)?;
                self.add(subject, path, &object);
                if object == self.reading.place && self.is_on_next_line() {
                    return Some(());
                }
            }
            if !self.take(",") {
                return Some(());
            }
        }
    }

    /// Adds the triple pattern. Where the place is a step of a path, the steps before and after it become triple patterns.
    fn add(&mut self, subject: &str, path: &Path, object: &str) {
        let with_place = path.iter().find_map(|steps| {
            let at = steps.iter().position(|step| step.place.is_some())?;
            let (before, rest) = steps.split_at_checked(at)?;
            rest.split_first().map(|(step, after)| (before, step.place == Some(true), after))
        });
        let Some((before, is_backwards, after)) = with_place else {
            let alternatives: Vec<String> = path.iter().map(|steps| written(steps)).collect();
            self.found.push(TriplePattern([subject.to_owned(), alternatives.join("|"), object.to_owned()]));
            return;
        };
        let (mut from, mut to) = (subject.to_owned(), object.to_owned());
        if !before.is_empty() {
            from = self.fresh();
            self.found.push(TriplePattern([subject.to_owned(), written(before), from.clone()]));
        }
        if !after.is_empty() {
            to = self.fresh();
            self.found.push(TriplePattern([to.clone(), written(after), object.to_owned()]));
        }
        let (from, to) = if is_backwards { (to, from) } else { (from, to) };
        self.found.push(TriplePattern([from, self.reading.place.to_owned(), to]));
    }

    /// A predicate or path.
    fn path(&mut self) -> Option<Path> {
        let mut path = vec![Vec::new()];
        loop {
            let step = self.step()?;
            path.last_mut()?.push(step);
            if self.take("|") {
                path.push(Vec::new());
            } else if !self.take("/") {
                return Some(path);
            }
        }
    }

    fn step(&mut self) -> Option<Step> {
        let mut text = String::new();
        let is_backwards = self.is_at("^");
        while let Some(sign) = self.peek().filter(|token| token.is("^") || token.is("!")) {
            text.push_str(sign.text);
            self.skip(1);
        }
        let first = self.peek()?;
        if first.is("(") {
            self.path_in_brackets(&mut text)?;
        } else {
            text.push_str(&self.predicate(first)?);
            self.skip(1);
        }
        let place = (first.text == self.reading.place).then_some(is_backwards);
        while let Some(sign) = self.peek().filter(|token| ["*", "+", "?"].iter().any(|sign| token.is(sign))) {
            text.push_str(sign.text);
            self.skip(1);
        }
        Some(Step { text, place })
    }

    /// Brackets in a path, without the place: what it means in there, triple patterns cannot say.
    fn path_in_brackets(&mut self, text: &mut String) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            let token = self.peek()?;
            if token.text == self.reading.place {
                return None;
            }
            match token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                "/" | "|" | "^" | "!" | "*" | "+" | "?" => {}
                _ => text.push_str(&self.predicate(token)?),
            }
            if token.kind == SparqlTokenKind::Punctuation {
                text.push_str(token.text);
            }
            self.skip(1);
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// An IRI or variable in the place of a predicate.
    fn predicate(&self, token: SparqlToken<'a>) -> Option<String> {
        match token.kind {
            SparqlTokenKind::Word => (token.text == "a").then(|| "a".to_owned()),
            _ => self.iri(token).or_else(|| token.variable().map(|name| format!("?{name}"))),
        }
    }

    /// An IRI in full.
    fn iri(&self, token: SparqlToken<'a>) -> Option<String> {
        match token.kind {
            SparqlTokenKind::Iri => Some(token.text.to_owned()),
            SparqlTokenKind::PrefixedName => {
                self.reading.prefixes.expand(token.text).map(|iri| format!("<{iri}>"))
            }
            _ => None,
        }
    }

    /// A subject or object.
    fn term(&mut self, depth: usize) -> Option<String> {
        let token = self.peek()?;
        if token.is("[") {
            return self.in_brackets(depth + 1);
        }
        self.skip(1);
        match token.kind {
            SparqlTokenKind::Variable => token.variable().map(|name| format!("?{name}")),
            SparqlTokenKind::BlankNode | SparqlTokenKind::Number => Some(token.text.to_owned()),
            SparqlTokenKind::String => self.literal(token),
            SparqlTokenKind::Word if token.is_word("TRUE") || token.is_word("FALSE") => {
                Some(token.text.to_ascii_lowercase())
            }
            SparqlTokenKind::Punctuation if token.is("+") || token.is("-") => {
                let number = self.peek().filter(|next| next.kind == SparqlTokenKind::Number)?;
                self.skip(1);
                Some(format!("{}{}", token.text, number.text))
            }
            _ => self.iri(token),
        }
    }

    /// A literal: its text, then its language or type.
    fn literal(&mut self, text: SparqlToken<'a>) -> Option<String> {
        let after = self.peek();
        if let Some(tag) = after.filter(|token| token.kind == SparqlTokenKind::LangTag) {
            self.skip(1);
            return Some(format!("{}{}", text.text, tag.text));
        }
        if !self.take("^^") {
            return Some(text.text.to_owned());
        }
        let datatype = self.iri(self.peek()?)?;
        self.skip(1);
        Some(format!("{}^^{datatype}", text.text))
    }

    /// A blank node in brackets, with its properties.
    fn in_brackets(&mut self, depth: usize) -> Option<String> {
        if depth > MAX_BRACKETS {
            return None;
        }
        self.skip(1);
        let node = self.fresh();
        self.properties(&node, depth)?;
        (self.take("]") || self.rest.is_empty()).then_some(node)
    }
}
