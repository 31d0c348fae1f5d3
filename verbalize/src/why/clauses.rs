//! Describes the clauses of a query in natural language.

use super::words::{FormulaDetail, Wording};
use crate::variable_labels::units::of_property;
use eruca_api::QueryPart;
use eruca_sparql::{Clause, Formula, Says, Term};

/// Maximum nesting depth of subqueries that is verbalized; anything deeper is elided.
const MAX_DEPTH: usize = 12;

impl Wording<'_> {
    /// The outline of a query, one part per clause.
    pub(super) fn outline(&self, clauses: &[Clause]) -> Vec<QueryPart> {
        let mut parts = Vec::new();
        let mut rest = clauses;
        while let Some((first, behind)) = rest.split_first() {
            let below = behind.first().and_then(|second| self.of_a_kind(first, second));
            rest = if below.is_some() { behind.get(1..).unwrap_or_default() } else { behind };
            let (sparql, words) = match below {
                Some(both) => both,
                None => (first.sparql.clone(), self.clause(first, 0)),
            };
            parts.push(QueryPart { sparql: self.dataset.compact_text(&sparql), words });
        }
        parts
    }

    /// All clauses in a single phrase.
    pub(super) fn clauses(&self, clauses: &[Clause]) -> String {
        self.clauses_within(clauses, 0)
    }

    fn clauses_within(&self, clauses: &[Clause], depth: usize) -> String {
        if depth > MAX_DEPTH {
            return "…".to_owned();
        }
        let mut said = Vec::new();
        let mut rest = clauses;
        while let Some((first, behind)) = rest.split_first() {
            match behind.first().and_then(|second| self.of_a_kind(first, second)) {
                Some((_, words)) => {
                    said.push(words);
                    rest = behind.get(1..).unwrap_or_default();
                }
                None => {
                    said.push(self.clause(first, depth));
                    rest = behind;
                }
            }
        }
        said.join("; ")
    }

    /// Merges `?s a _:c` and a property path from `_:c` to a class into one phrase: "is a (kind of) class".
    fn of_a_kind(&self, first: &Clause, second: &Clause) -> Option<(String, String)> {
        let (Says::Triples(triples), Says::Path([from, path, class])) = (&first.says, &second.says) else {
            return None;
        };
        let (last, before) = triples.split_last()?;
        let [subject, property, object] = last;
        let Formula::Term(Term::NamedNode(node)) = property else { return None };
        let open = matches!(path, Formula::Call { name, .. } if name == "path_any");
        let hidden = matches!(object, Formula::Variable { name, .. } if name.starts_with('_'));
        if !open || !hidden || object != from || !self.dataset.vocabulary().is_type(node.as_str()) {
            return None;
        }
        let (subject, class) = (self.node(subject), self.node(class));
        // Avoid repeating the name when the subject is labelled like its class.
        let words = match subject == class {
            true => class,
            false => self.say("is_below", &[("subject", &subject), ("class", &class)]),
        };
        let words = if before.is_empty() { words } else { format!("{}; {words}", self.triples(before)) };
        Some((format!("{} {}", first.sparql, second.sparql), words))
    }

    fn said(&self, formula: &Formula) -> String {
        self.formula(formula, FormulaDetail::Value)
    }

    /// A node of a triple pattern: its bound value if known, or the variable as written when the query is shown
    /// alongside.
    fn node(&self, formula: &Formula) -> String {
        match formula {
            Formula::Variable { value: Some(value), .. } => self.term(value),
            Formula::Variable { name, .. } => self.written(name),
            other => self.said(other),
        }
    }

    fn clause(&self, clause: &Clause, depth: usize) -> String {
        let inside = |clauses: &[Clause]| self.clauses_within(clauses, depth + 1);
        match &clause.says {
            Says::Triples(triples) => self.triples(triples),
            Says::Path([from, path, to]) => self.say(
                "way",
                &[
                    ("subject", &self.node(from)),
                    ("object", &self.node(to)),
                    ("path", &self.formula(path, FormulaDetail::Written)),
                ],
            ),
            Says::Condition(formula) if self.beside_query => {
                self.say("condition", &[("condition", &self.said(formula))])
            }
            Says::Condition(formula) => self.said(formula),
            Says::Optional(all) => self.say("optional", &[("what", &inside(all))]),
            Says::Exists(all) => self.say("exists_clause", &[("what", &inside(all))]),
            Says::Without(all) => self.say("without", &[("what", &inside(all))]),
            Says::Either(branches) => {
                let all: Vec<String> = branches.iter().map(|branch| inside(branch)).collect();
                self.say("either", &[("list", &self.list(&all, "list_or"))])
            }
            Says::Within(name, all) => {
                self.say("within", &[("name", &self.node(name)), ("what", &inside(all))])
            }
            Says::Subquery(all) => self.say("subquery", &[("what", &inside(all))]),
            other => self.of_rows(other),
        }
    }

    /// Clauses about rows rather than nodes: BIND, VALUES, GROUP BY, aggregates, projection, solution modifiers.
    fn of_rows(&self, says: &Says) -> String {
        let names = |all: &[String]| {
            let all: Vec<String> = all.iter().map(|name| self.variable(name)).collect();
            self.list(&all, "list_and")
        };
        match says {
            Says::Named(name, formula) => self.say(
                "named",
                &[("name", &self.written(name)), ("formula", &self.formula(formula, FormulaDetail::Written))],
            ),
            Says::Values(all, rows) => self.values(all, rows),
            Says::Groups(all) => self.say("groups", &[("list", &names(all))]),
            Says::Aggregate(name, formula) => {
                let formula = self.formula(formula, FormulaDetail::Written);
                match name {
                    Some(name) => {
                        self.say("aggregate_named", &[("name", &self.written(name)), ("formula", &formula)])
                    }
                    None => self.say("aggregate", &[("formula", &formula)]),
                }
            }
            Says::Columns(all, once) => {
                self.say(if *once { "columns_once" } else { "columns" }, &[("list", &names(all))])
            }
            Says::Ask => self.say("ask", &[]),
            Says::Graph => self.say("graph", &[]),
            Says::Order(keys) => self.say("order", &[("list", &self.keys(keys, FormulaDetail::Written))]),
            Says::Limit(limit, offset) => self.limit(*limit, *offset),
            _ => String::new(),
        }
    }

    /// The sort keys of an ORDER BY.
    pub(super) fn keys(&self, keys: &[(Formula, bool)], told: FormulaDetail) -> String {
        let all: Vec<String> = keys
            .iter()
            .map(|(formula, down)| {
                let key = if *down { "descending" } else { "ascending" };
                let what = self.formula(formula, FormulaDetail::Written);
                let value = formula.value().filter(|_| told != FormulaDetail::Written);
                let what = match value {
                    Some(value) => format!("{what} = {}", self.measured(value, self.unit(formula))),
                    None => what,
                };
                self.say(key, &[("what", &what)])
            })
            .collect();
        self.list(&all, "list_and")
    }

    fn limit(&self, limit: Option<usize>, offset: usize) -> String {
        let (count, before) = (limit.unwrap_or_default().to_string(), offset.to_string());
        match (limit, offset) {
            (Some(1), 0) => self.say("limit_one", &[]),
            (Some(_), 0) => self.say("limit", &[("n", &count)]),
            (Some(_), _) => self.say("limit_after", &[("n", &count), ("offset", &before)]),
            (None, _) => self.say("offset", &[("offset", &before)]),
        }
    }

    fn values(&self, names: &[String], rows: &[Vec<Option<Term>>]) -> String {
        let all: Vec<String> = names.iter().map(|name| self.variable(name)).collect();
        match names {
            [_] => {
                let cells = rows.iter().filter_map(|row| row.first()?.as_ref());
                let cells: Vec<String> = cells.map(|cell| self.term(cell)).collect();
                let (name, list) = (self.list(&all, "list_and"), self.list(&cells, "list_or"));
                self.say("values_clause", &[("name", &name), ("list", &list)])
            }
            _ => self.say(
                "values_many",
                &[("list", &self.list(&all, "list_and")), ("n", &rows.len().to_string())],
            ),
        }
    }

    /// Triples that share a subject: its classes first, then its properties.
    fn triples(&self, triples: &[[Formula; 3]]) -> String {
        let Some([subject, _, _]) = triples.first() else { return String::new() };
        let subject = self.node(subject);
        let is_type = |property: &Formula| match property {
            Formula::Term(Term::NamedNode(node)) => self.dataset.vocabulary().is_type(node.as_str()),
            _ => false,
        };
        let (classes, has): (Vec<_>, Vec<_>) = triples.iter().partition(|[_, property, _]| is_type(property));
        // Avoid repeating the name when the subject is labelled like its class.
        let classes = classes.iter().map(|[_, _, class]| self.node(class)).filter(|class| *class != subject);
        let classes: Vec<String> = classes.collect();
        let has: Vec<String> = has.iter().map(|[_, property, object]| self.has(property, object)).collect();
        let (class, list) = (self.list(&classes, "list_and"), self.list(&has, "list_and"));
        let key = match (classes.is_empty(), has.is_empty()) {
            (true, true) => return subject,
            (false, true) => "is_a",
            (false, false) => "is_and_has",
            (true, false) => "has",
        };
        self.say(key, &[("subject", &subject), ("class", &class), ("list", &list)])
    }

    /// A property with its value; if both have the same name, it is mentioned once.
    fn has(&self, property: &Formula, object: &Formula) -> String {
        let measured = match (property, object.value()) {
            (Formula::Term(Term::NamedNode(node)), Some(Term::Literal(_))) => {
                of_property(&self.dataset.index, node.as_str(), &self.name(node.as_str()))
            }
            _ => None,
        };
        let (property, object) = match (measured, object.value()) {
            (Some(measured), Some(value)) => (measured.title, self.measured(value, Some(measured.unit))),
            _ => (self.node(property), self.node(object)),
        };
        match property == object {
            true => property,
            false => self.say("property", &[("property", &property), ("object", &object)]),
        }
    }
}
