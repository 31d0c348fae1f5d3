//! From what can be asked to a question: real values are chosen from the graph, and the query that the question is made from is run
//! once, so that nobody judges a question about nothing.

use super::names::Names;
use super::options::{Choice, Construct, Named};
use super::values::{Pair, distinct_names, extensive, known_first, looks_like_years, usual, year};
use crate::service::browse::{LOOK_TIME, number, rounded, rows, wording};
use eruca_knowledge::test_set::id_of;
use eruca_sparql::{Answer, Results, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Pairs of things and values that are fetched to choose from.
const MAX_PAIRS: usize = 1_000;
/// Rows that a person can judge, at most.
const MAX_ROWS: usize = 50;
/// The greatest part of a class that has no value, for a question about those.
const MAX_LACKING: f64 = 0.6;
/// Well-known things of a class, which are asked about first.
const KNOWN_THINGS: usize = 40;

/// A question with the query that it is made from.
pub(super) struct Made {
    pub text: String,
    pub query: String,
}

/// The phrase and its values, and the query.
struct Draft {
    key: &'static str,
    values: Vec<(&'static str, String)>,
    query: String,
}

/// Makes questions in one language; what is chosen follows from the seed alone.
pub(super) struct Maker<'a> {
    pub names: Names<'a>,
    pub seed: u64,
}

impl Maker<'_> {
    /// The question of a choice; `None` where the graph has no values that fit.
    pub(super) async fn make(&self, choice: &Choice<'_>, variant: u8) -> Option<Made> {
        let chance = Chance { seed: self.seed, about: about(choice), variant };
        let Draft { key, mut values, query } = self.draft(choice, &chance).await?;
        values.push(("class", choice.subject.one.clone()));
        match &choice.subject.many {
            Some(many) => values.push(("classes", many.clone())),
            None if needs_many(choice.construct) => return None,
            None => {}
        }
        if let Some(Named { name, .. }) = &choice.property {
            values.push(("property", name.clone()));
        }
        let given = self.run(&query).await?;
        if !can_be_judged(choice, &given) {
            return None;
        }
        let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let text = wording(self.names.language, key, &values, chance.of("wording", 2) == 1)?;
        Some(Made { text, query })
    }

    async fn draft(&self, choice: &Choice<'_>, chance: &Chance) -> Option<Draft> {
        let draft = |key, values, query| Some(Draft { key, values, query });
        let things = self.things(choice);
        let property = choice.property.as_ref().map(|one| one.iri.as_str()).unwrap_or_default();
        match choice.construct {
            Construct::List => draft("list", Vec::new(), format!("SELECT DISTINCT ?x WHERE {{ {things} }}")),
            Construct::Count => draft(
                "count",
                Vec::new(),
                format!("SELECT (COUNT(DISTINCT ?x) AS ?count) WHERE {{ {things} }}"),
            ),
            Construct::Value => self.value(choice, property, chance).await,
            Construct::Truth => self.truth(choice, property, chance).await,
            Construct::Filter | Construct::FilterCount | Construct::Within => {
                self.filter(choice, property, chance).await
            }
            Construct::Bound | Construct::Date => self.bound(choice, property, chance).await,
            Construct::Comparison => self.comparison(choice, property, chance).await,
            Construct::Superlative => self.superlative(&things, property, chance).await,
            Construct::Average | Construct::Sum => self.aggregate(choice, property).await,
            Construct::Steps => self.steps(choice, property, chance).await,
            Construct::Group => {
                let kind = choice.kind.as_ref()?;
                let is_kind =
                    format!("?kind {} <{}>", self.names.dataset.vocabulary().type_path(true), kind.iri);
                let query = format!(
                    "SELECT ?kind (COUNT(DISTINCT ?x) AS ?count) WHERE {{ {things} . ?x <{property}> ?kind . {is_kind} }} GROUP BY ?kind"
                );
                draft("group", vec![("kind", kind.name.clone())], query)
            }
            Construct::Negation => {
                let query = format!(
                    "SELECT DISTINCT ?x WHERE {{ {things} FILTER NOT EXISTS {{ ?x <{property}> ?value }} }}"
                );
                draft("without", Vec::new(), query)
            }
        }
    }

    /// The pattern of the things that a question is about.
    fn things(&self, choice: &Choice<'_>) -> String {
        format!("?x {} <{}>", self.names.dataset.vocabulary().type_path(true), choice.subject.iri)
    }

    /// Things with their values, in an order that does not depend on the engine, the best known first.
    async fn pairs(&self, choice: &Choice<'_>, property: &str) -> Option<Vec<Pair>> {
        let things = self.things(choice);
        let query = format!(
            "SELECT DISTINCT ?x ?value WHERE {{ {things} . ?x <{property}> ?value }} LIMIT {MAX_PAIRS}"
        );
        let answer = self.run(&query).await?;
        let pairs: BTreeSet<(String, String)> = BTreeSet::new();
        let mut seen = pairs;
        let mut found: Vec<Pair> = Vec::new();
        for row in rows(&answer) {
            let (Some(Some(thing)), Some(Some(value))) = (row.first(), row.get(1)) else { continue };
            if seen.insert((thing.to_string(), value.to_string())) {
                found.push(Pair { thing: thing.clone(), value: value.clone() });
            }
        }
        let best = self.names.dataset.index.entities.best_of_class(&choice.subject.iri, KNOWN_THINGS);
        let known = best.unwrap_or_default().into_iter().map(|entity| entity.iri).collect();
        Some(known_first(found, &known))
    }

    /// Pairs whose things have a name of their own.
    async fn named_pairs(&self, choice: &Choice<'_>, property: &str) -> Option<Vec<(Pair, String)>> {
        let pairs = self.pairs(choice, property).await?;
        Some(distinct_names(pairs, |term| self.names.term(term)))
    }

    async fn value(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let pairs = self.named_pairs(choice, property).await?;
        let (pair, name) = chance.one("thing", &pairs)?;
        let query = format!("SELECT DISTINCT ?value WHERE {{ {} <{property}> ?value }}", pair.thing);
        Some(Draft { key: "property", values: vec![("thing", name.clone())], query })
    }

    async fn truth(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let pairs = self.named_pairs(choice, property).await?;
        let (pair, name) = chance.one("thing", &pairs)?;
        let is_true = chance.of("truth", 2) == 1;
        let of_thing: BTreeSet<String> = pairs
            .iter()
            .filter(|(one, _)| one.thing == pair.thing)
            .map(|(one, _)| one.value.to_string())
            .collect();
        let others: Vec<&Term> = pairs
            .iter()
            .map(|(one, _)| &one.value)
            .filter(|value| !of_thing.contains(&value.to_string()))
            .collect();
        let value = if is_true { &pair.value } else { chance.one("other", &others).copied()? };
        let query = format!("ASK {{ {} <{property}> {value} }}", pair.thing);
        let values = vec![("thing", name.clone()), ("value", self.names.term(value)?)];
        Some(Draft { key: "truth", values, query })
    }

    async fn filter(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let pairs = self.pairs(choice, property).await?;
        let named: Vec<(Term, String)> = usual(&pairs, MAX_ROWS)
            .into_iter()
            .filter_map(|term| Some((term.clone(), self.names.term(term)?)))
            .collect();
        let (value, name) = chance.one("value", &named)?;
        let things = self.things(choice);
        let counts = choice.construct == Construct::FilterCount;
        let asked = if counts { "(COUNT(DISTINCT ?x) AS ?count)" } else { "DISTINCT ?x" };
        let query = format!("SELECT {asked} WHERE {{ {things} . ?x <{property}> {value} }}");
        let key = match choice.construct {
            Construct::FilterCount => "counted",
            Construct::Within => "within",
            _ => "relation",
        };
        Some(Draft { key, values: vec![("thing", name.clone())], query })
    }

    /// Things whose number is above a round bound, or whose date is after a year.
    async fn bound(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let pairs = self.pairs(choice, property).await?;
        let is_date = choice.construct == Construct::Date;
        let read =
            |pair: &Pair| if is_date { year(&pair.value) } else { number(Some(&Some(pair.value.clone()))) };
        let mut all: Vec<f64> = pairs.iter().filter_map(read).collect();
        all.sort_by(f64::total_cmp);
        // Between the middle and nine tenths, so that few are above it.
        let tenth = 5 + chance.of("bound", 4);
        let value = *all.get(all.len() * tenth / 10)?;
        let bound = if is_date { value - 1.0 } else { rounded(value)? };
        let above = all.iter().filter(|value| **value > bound).count();
        if above == 0 || above > MAX_ROWS || above == all.len() {
            return None;
        }
        let (key, measured) = match is_date {
            true => ("since", "<http://www.w3.org/2001/XMLSchema#integer>(SUBSTR(STR(?value), 1, 4))"),
            false => ("bound", "?value"),
        };
        let things = self.things(choice);
        let query = format!(
            "SELECT DISTINCT ?x WHERE {{ {things} . ?x <{property}> ?value FILTER ({measured} > {bound}) }}"
        );
        Some(Draft { key, values: vec![("value", bound.to_string())], query })
    }

    async fn comparison(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let pairs = self.named_pairs(choice, property).await?;
        let (first, name) = chance.one("thing", &pairs)?;
        let value = |pair: &Pair| number(Some(&Some(pair.value.clone())));
        let is_other = |one: &&(Pair, String)| one.0.thing != first.thing && value(&one.0) != value(first);
        let others: Vec<_> = pairs.iter().filter(is_other).collect();
        let (second, other) = chance.one("other", &others)?;
        let query = format!(
            "SELECT ?x WHERE {{ VALUES ?x {{ {} {} }} ?x <{property}> ?value }} ORDER BY DESC(?value) LIMIT 1",
            first.thing, second.thing
        );
        Some(Draft { key: "compare", values: vec![("thing", name.clone()), ("other", other.clone())], query })
    }

    /// The thing with the highest or lowest number, where it is one.
    async fn superlative(&self, things: &str, property: &str, chance: &Chance) -> Option<Draft> {
        let (key, order) = match chance.variant % 2 {
            0 => ("most", "DESC(?value)"),
            _ => ("least", "ASC(?value)"),
        };
        let best = |limit: usize, also: &str| {
            format!(
                "SELECT DISTINCT ?x{also} WHERE {{ {things} . ?x <{property}> ?value }} ORDER BY {order} LIMIT {limit}"
            )
        };
        let answer = self.run(&best(2, " ?value")).await?;
        let value = |at: usize| number(rows(&answer).get(at)?.get(1));
        (value(0)? != value(1)?).then_some(())?;
        // The value stands in the row too: without it, DISTINCT and the order do not go together.
        Some(Draft {
            key,
            values: Vec::new(),
            query: format!("SELECT ?x WHERE {{ {{ {} }} }}", best(1, " ?value")),
        })
    }

    async fn aggregate(&self, choice: &Choice<'_>, property: &str) -> Option<Draft> {
        let pairs = self.pairs(choice, property).await?;
        let values: Vec<f64> =
            pairs.iter().filter_map(|one| number(Some(&Some(one.value.clone())))).collect();
        let is_sum = choice.construct == Construct::Sum;
        if values.len() < 3 || looks_like_years(&values) || (is_sum && !extensive(&values)) {
            return None;
        }
        let (key, function) = if is_sum { ("total", "SUM") } else { ("average", "AVG") };
        let things = self.things(choice);
        let each = format!("SELECT DISTINCT ?x ?value WHERE {{ {things} . ?x <{property}> ?value }}");
        let query = format!("SELECT ({function}(?value) AS ?{key}) WHERE {{ {{ {each} }} }}");
        Some(Draft { key, values: Vec::new(), query })
    }

    async fn steps(&self, choice: &Choice<'_>, property: &str, chance: &Chance) -> Option<Draft> {
        let link = choice.link.as_ref()?;
        let pairs = self.named_pairs(choice, &link.iri).await?;
        // "The capital of" something is one.
        let is_only =
            |one: &&(Pair, String)| pairs.iter().filter(|(other, _)| other.thing == one.0.thing).count() == 1;
        let mut single: Vec<_> = pairs.iter().filter(is_only).collect();
        for _ in 0..5 {
            let (pair, name) = chance.one("thing", &single)?;
            let query = format!(
                "SELECT DISTINCT ?value WHERE {{ {} <{}> ?step . ?step <{property}> ?value }}",
                pair.thing, link.iri
            );
            if self.run(&query).await.is_some_and(|answer| !answer.gives_nothing()) {
                let values = vec![("thing", name.clone()), ("link", link.name.clone())];
                return Some(Draft { key: "steps", values, query });
            }
            let thing = pair.thing.clone();
            single.retain(|(one, _)| one.thing != thing);
        }
        None
    }

    async fn run(&self, query: &str) -> Option<Arc<Answer>> {
        let query = self.names.dataset.check(query).ok()?;
        self.names.dataset.run(&query, LOOK_TIME / 2).await.ok()
    }
}

/// What a choice is about, for chance.
fn about(choice: &Choice<'_>) -> String {
    let iri = |named: &Option<Named>| named.as_ref().map(|one| one.iri.clone()).unwrap_or_default();
    [choice.subject.iri.clone(), iri(&choice.property), iri(&choice.link)].join(" ")
}

fn needs_many(construct: Construct) -> bool {
    !matches!(
        construct,
        Construct::Value
            | Construct::Truth
            | Construct::Steps
            | Construct::Comparison
            | Construct::Superlative
    )
}

/// Whether a person can say from the rows whether they are right.
fn can_be_judged(choice: &Choice<'_>, given: &Answer) -> bool {
    let count = given.row_count();
    let few_enough = match choice.construct {
        Construct::Negation => count as f64 <= choice.subject.instances as f64 * MAX_LACKING,
        Construct::Group => count > 1,
        _ => true,
    };
    let is_truth = matches!(given.results, Results::Boolean(_));
    is_truth || (!given.gives_nothing() && count <= MAX_ROWS && few_enough && given.incomplete.is_none())
}

/// What is drawn from a seed: the same each time for the same question.
struct Chance {
    seed: u64,
    about: String,
    variant: u8,
}

impl Chance {
    /// A number below `end`.
    fn of(&self, what: &str, end: usize) -> usize {
        let drawn = id_of(&[what, &self.about, &self.seed.to_string(), &self.variant.to_string()]);
        let drawn = u64::from_str_radix(&drawn, 16).unwrap_or_default();
        usize::try_from(drawn % (end.max(1) as u64)).unwrap_or_default()
    }

    /// One of these: of the best known ones, which stand first.
    fn one<'b, T>(&self, what: &str, all: &'b [T]) -> Option<&'b T> {
        all.get(self.of(what, all.len().min(KNOWN_THINGS)))
    }
}
