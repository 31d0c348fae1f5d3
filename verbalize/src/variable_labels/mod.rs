//! What people call the variables of a query: by the class that they are said to have, by the property whose values they
//! hold, by the aggregate that they are; with the unit, where the property tells it. Reasons and answers in words say the
//! same names. Uses `dataset`; the words of aggregates are in the language packs (`say`).

pub(crate) mod units;

use eruca_dataset::Dataset;
use eruca_language::text::humanize;
use eruca_language::{Language, Piece};
use eruca_sparql::{Aggregate, Atom, AtomKind, CheckedQuery, ColumnSource, Place, TermPattern, one_line};
use std::collections::{BTreeMap, BTreeSet};
use units::{NameWithUnit, of_property};

/// What queries call a decade, and all that they work out from times, with a number behind it.
const DECADE: &str = "decade";
const MONTH: &str = "month";
const YEAR: &str = "year";
const WORKED_OUT: [&str; 5] = ["age", YEAR, DECADE, "century", MONTH];
/// Characters of a title.
const MAX_TITLE: usize = 100;

/// What a variable is called by the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Title {
    /// The name, without its unit.
    pub text: String,
    /// The property whose values it holds.
    pub property: Option<String>,
    /// The unit of its numbers.
    pub unit: Option<&'static str>,
}

/// What a variable is called, whether the graph has a name for it or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct VariableTitle {
    /// The name.
    pub text: String,
    /// The unit of its numbers, where a property tells it.
    pub unit: Option<&'static str>,
    /// Whether the name is one of the graph, and not the variable's.
    pub named: bool,
}

/// The variables of a query with what is known of them.
pub(crate) struct Titles<'a> {
    dataset: &'a Dataset,
    language: &'static Language,
    atoms: Vec<Atom>,
    sources: BTreeMap<String, ColumnSource>,
}

impl<'a> Titles<'a> {
    /// Those of a query, for readers of a language; `dataset` is as [`Dataset::asked`] gives it.
    pub fn of(dataset: &'a Dataset, query: &CheckedQuery, language: &'static Language) -> Self {
        let model = query.model();
        let sources = model.sources().into_iter().map(|source| (source.name.clone(), source)).collect();
        Self { dataset, language, atoms: model.atoms.clone(), sources }
    }

    /// Where a column comes from.
    pub fn source(&self, column: &str) -> Option<&ColumnSource> {
        self.sources.get(column)
    }

    /// The name that the graph has for what a column holds, or for what it is made of.
    pub fn title(&self, column: &str) -> Option<Title> {
        self.certainly(self.source(column)?.of.as_ref()?)
    }

    /// What a column is called.
    pub fn column(&self, name: &str) -> VariableTitle {
        if let Some(own) = self.worked_out(name) {
            return own;
        }
        let source = self.source(name);
        let aggregate = source.and_then(|source| source.aggregate);
        let is_year = source.is_some_and(|source| source.is_year);
        let counts = aggregate == Some(Aggregate::Count);
        let title = self.title(name);
        let unit = title.as_ref().filter(|_| !counts && !is_year).and_then(|title| title.unit);
        let named = title.is_some() || aggregate.is_some();
        let text = match (title, is_year) {
            (Some(title), true) => self.said("year_of", &title.text),
            (Some(title), false) => self.aggregated(aggregate, &title.text),
            (None, _) if counts => self.language.say("say", "count", &[]).into_owned(),
            (None, _) => self.only_class(name).unwrap_or_else(|| humanize(name)),
        };
        VariableTitle { text, unit, named }
    }

    /// Ages, decades and centuries are worked out, and no property has their name.
    fn worked_out(&self, name: &str) -> Option<VariableTitle> {
        let worked_out =
            self.source(name).is_some_and(|source| source.of.is_none() && source.aggregate.is_none());
        let said = |key: &str| match self.language.phrase("say", key)?.pieces() {
            [Piece::Text(text)] => Some(text.as_str()),
            _ => None,
        };
        let own = WORKED_OUT.iter().find(|known| **known == unnumbered(name) && worked_out)?;
        let unit = if *own == "age" { said("years") } else { None };
        Some(VariableTitle { text: said(own)?.to_owned(), unit, named: true })
    }

    /// Whether a column holds years that were worked out, or decades, by their first years.
    pub fn is_decade(&self, name: &str) -> bool {
        [YEAR, DECADE].contains(&unnumbered(name)) && self.worked_out(name).is_some()
    }

    /// Whether a column holds months of any year, by their numbers.
    pub fn is_month(&self, name: &str) -> bool {
        unnumbered(name) == MONTH && self.worked_out(name).is_some()
    }

    /// What any variable is called, also one that is not shown.
    pub fn variable(&self, name: &str) -> VariableTitle {
        let column = self.source(name).map(|_| self.column(name)).filter(|column| column.named);
        if let Some(called) = column {
            return called;
        }
        match self.certainly(name).or_else(|| self.among(name, Place::Negated, Place::Negated)) {
            Some(title) => VariableTitle { text: title.text, unit: title.unit, named: true },
            None => VariableTitle { text: humanize(name), unit: None, named: false },
        }
    }

    /// The variables of all patterns, and behind them the columns that are made of them.
    pub fn variables(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for name in self.nodes().chain(self.sources.keys().map(String::as_str)) {
            if !found.iter().any(|known| known == name) {
                found.push(name.to_owned());
            }
        }
        found
    }

    /// The variables that stand for something in the graph.
    pub fn bound(&self) -> BTreeSet<String> {
        self.nodes().map(str::to_owned).collect()
    }

    fn nodes(&self) -> impl Iterator<Item = &str> {
        self.atoms.iter().flat_map(|atom| [atom.subject_variable(), atom.object_variable()]).flatten()
    }

    fn aggregated(&self, aggregate: Option<Aggregate>, title: &str) -> String {
        let key = match aggregate {
            None | Some(Aggregate::Other) => return title.to_owned(),
            Some(Aggregate::Count) => "count_of",
            Some(Aggregate::Sum) => "sum_of",
            Some(Aggregate::Average) => "average_of",
            Some(Aggregate::Minimum) => "least_of",
            Some(Aggregate::Maximum) => "greatest_of",
        };
        self.said(key, title)
    }

    fn said(&self, key: &'static str, title: &str) -> String {
        self.language.say("say", key, &[("x", title)]).into_owned()
    }

    fn certainly(&self, variable: &str) -> Option<Title> {
        self.among(variable, Place::Certain, Place::Optional)
    }

    /// The atoms in a place, or where they hold more certainly.
    fn atoms(&self, place: Place) -> impl Iterator<Item = &Atom> {
        self.atoms.iter().filter(move |atom| atom.place <= place)
    }

    /// The class that a variable is said to have, or the property whose objects it holds, be it only in a further place.
    fn among(&self, variable: &str, place: Place, further: Place) -> Option<Title> {
        if let Some(class) = self.class(variable, place) {
            return Some(Title { text: self.name(class), property: None, unit: None });
        }
        let holds = |atom: &&Atom| atom.object_variable() == Some(variable) && atom.kind == AtomKind::Triple;
        let property = self.atoms(place).chain(self.atoms(further)).find(holds)?.predicate()?;
        Some(Title::of_property(self.dataset, property))
    }

    /// The class that all things with the properties of a variable have, as far as the index knows.
    fn only_class(&self, variable: &str) -> Option<String> {
        let of = |atom: &&Atom| atom.subject_variable() == Some(variable);
        let cards = self.atoms(Place::Certain).filter(of).filter_map(|atom| {
            self.dataset.index.card.property(atom.predicate()?).filter(|card| !card.more_edges)
        });
        let only = cards.into_iter().find_map(|card| {
            let mut classes = card.edges.iter().map(|edge| edge.class.as_deref());
            let first = classes.next()??;
            classes.all(|class| class == Some(first)).then(|| first.to_owned())
        })?;
        Some(self.name(&only))
    }

    /// The class of a variable, said directly or by way of a class below it.
    fn class(&self, variable: &str, place: Place) -> Option<&str> {
        let typed = self.atoms(place).filter(|atom| {
            atom.subject_variable() == Some(variable)
                && atom.predicates.first().is_some_and(|iri| self.is_type(iri))
        });
        let mut classes =
            typed.filter_map(|atom| atom.object_iri().or_else(|| self.above(atom.object.as_ref()?, place)));
        classes.next()
    }

    fn above(&self, class: &TermPattern, place: Place) -> Option<&str> {
        let subclass = &self.dataset.vocabulary().subclass_property;
        let leads = |atom: &&Atom| {
            atom.subject.as_ref() == Some(class) && atom.predicates.iter().all(|known| known == subclass)
        };
        self.atoms(place).filter(leads).find_map(Atom::object_iri)
    }

    fn is_type(&self, iri: &str) -> bool {
        self.dataset.vocabulary().is_type(iri)
    }

    fn name(&self, iri: &str) -> String {
        name(self.dataset, iri)
    }
}

/// The name of a variable without the number behind it.
fn unnumbered(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

impl Title {
    /// What a property is called, and the unit of its values.
    pub fn of_property(dataset: &Dataset, property: &str) -> Self {
        let text = name(dataset, property);
        let (text, unit) = match of_property(&dataset.index, property, &text) {
            Some(NameWithUnit { title, unit }) => (title, Some(unit)),
            None => (text, None),
        };
        Self { text, property: Some(property.to_owned()), unit }
    }
}

fn name(dataset: &Dataset, iri: &str) -> String {
    let name = one_line(dataset.schema_name(iri).trim(), MAX_TITLE);
    if name.is_empty() { one_line(iri, MAX_TITLE) } else { name }
}
