//! The form of the answer as stated by a model, and how a query differs from it.

use super::prune::{AskedColumn, asked_columns, is_number, kept_columns};
use super::read::{AnswerForm, FormKind};
use eruca_dataset::{Dataset, RunQuery, quoted_name};
use eruca_indexer::vocabulary::RDF_TYPE;
use eruca_sparql::{Answer, CheckedQuery, QueryForm, Results, Term};

/// What a model states about the answer before searching for it; parts left out are undecided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatedForm {
    /// The kind of result.
    pub kind: Option<FormKind>,
    /// The content of the columns, in order; empty if not stated.
    pub columns: Vec<String>,
    /// The sort order of the rows.
    pub order: Option<String>,
    /// The number of results that the question asks for.
    pub limit: Option<usize>,
}

impl StatedForm {
    /// Takes over the parts of a later statement; the rest stays as stated before. Columns belong to the kind that they
    /// were stated with: another kind without columns has none.
    pub fn update(&mut self, later: Self) {
        let Self { kind, columns, order, limit } = later;
        if !columns.is_empty() || kind.is_some_and(|kind| Some(kind) != self.kind) {
            self.columns = columns;
        }
        self.kind = kind.or(self.kind);
        self.order = order.or(self.order.take());
        self.limit = limit.or(self.limit);
    }
}

/// How a query that has run differs from the statement, one sentence per difference. Surplus columns are ignored if they
/// can be dropped without asking the model.
pub fn differences(form: &AnswerForm, run: &RunQuery, dataset: &Dataset) -> Vec<String> {
    let (Some(kind), Ok(answer)) = (form.stated.kind, &run.result) else { return Vec::new() };
    if let Some(difference) = other_query_form(kind, run.query.form()) {
        return vec![difference];
    }
    if kind == FormKind::Ask {
        return Vec::new();
    }
    let columns = match kind {
        FormKind::Count => no_number(&run.query, answer),
        FormKind::Things | FormKind::Values => other_kind(form, kind, &run.query, answer, dataset),
        _ => other_columns(form, &run.query, answer, dataset),
    };
    columns
        .into_iter()
        .chain(no_order(form, &run.query, answer))
        .chain(other_limit(form, &run.query, answer))
        .collect()
}

fn other_query_form(kind: FormKind, query: QueryForm) -> Option<String> {
    match (kind, query) {
        (FormKind::Ask, QueryForm::Ask) => None,
        (FormKind::Ask, _) => {
            Some("You stated yes/no, but the query is not an ASK: write ASK { ... }.".to_owned())
        }
        (_, QueryForm::Select) => None,
        (_, _) => Some(format!(
            "You stated {}, but the query is not a SELECT: select what the question asks for.",
            kind.name()
        )),
    }
}

fn no_number(query: &CheckedQuery, answer: &Answer) -> Option<String> {
    let counted = query.model().columns(RDF_TYPE).iter().any(|column| column.aggregated) || is_number(answer);
    (!counted).then(|| {
        let rows = answer.row_count();
        format!(
            "You stated a count, but the query returns {rows} rows instead of their number: select (COUNT(DISTINCT ?x) AS ?n)."
        )
    })
}

fn other_columns(
    form: &AnswerForm,
    query: &CheckedQuery,
    answer: &Answer,
    dataset: &Dataset,
) -> Option<String> {
    let stated = &form.stated.columns;
    let kept = kept_columns(form, query, answer, dataset);
    (!stated.is_empty() && kept.len() != stated.len()).then(|| {
        let (wanted, found) = (stated.len(), kept.len());
        let advice = if found < wanted { "select the missing ones" } else { "leave out the others" };
        format!(
            "You stated {wanted} columns ({}), but the query returns {found} (?{}): {advice}.",
            stated.iter().map(|column| quoted_name(column)).collect::<Vec<_>>().join(", "),
            kept.join(", ?")
        )
    })
}

/// Several columns of one kind, or values where things were stated and vice versa. Columns that can be dropped without
/// asking (names, sort keys, entities beside their values) are ignored.
fn other_kind(
    form: &AnswerForm,
    kind: FormKind,
    query: &CheckedQuery,
    answer: &Answer,
    dataset: &Dataset,
) -> Option<String> {
    let columns = asked_columns(query, answer, dataset);
    let of = |things: bool| -> Vec<&str> {
        let meant = columns.iter().filter(|column| column.thing == things && !column.sorts);
        meant.map(|column| column.name.as_str()).collect()
    };
    let (things, values) = (of(true), of(false));
    let several = |names: &[&str], what: &str| {
        format!(
            "You stated {what} of one kind, but the query returns {} columns of them (?{}): select the one that the question asks \
             for, or state a table.",
            names.len(),
            names.join(", ?")
        )
    };
    match (kind, things.as_slice(), values.as_slice()) {
        (FormKind::Values, _, [_, _, ..]) => Some(several(&values, "values")),
        (FormKind::Values, [thing, ..], []) if columns.iter().all(|column| !column.literal) => Some(format!(
            "You stated values, but ?{thing} contains things: select the value that the question asks for, or state things."
        )),
        (FormKind::Things, [_, _, ..], _) => Some(several(&things, "things")),
        (FormKind::Things, [thing], [_, ..]) if !form.names && shows_values(&columns) => Some(format!(
            "You stated things, which are one column, but the query returns ?{}: one column is what was asked for. Select ?{thing} \
             alone, or state a table.",
            names(&columns).join(", ?")
        )),
        (FormKind::Things, [], [value, ..]) if !form.names => Some(format!(
            "You stated things, but ?{value} contains literals: select the things that have them, or state values."
        )),
        _ => None,
    }
}

/// Whether there is a column of literals that are neither labels nor sort keys.
fn shows_values(columns: &[AskedColumn]) -> bool {
    columns.iter().any(|column| !column.thing && !column.sorts)
}

fn names(columns: &[AskedColumn]) -> Vec<&str> {
    columns.iter().map(|column| column.name.as_str()).collect()
}

fn no_order(form: &AnswerForm, query: &CheckedQuery, answer: &Answer) -> Option<String> {
    let order = form.stated.order.as_ref()?;
    // Rows that tie for the first place have no order.
    let tied = form.stated.limit.is_some() && query.model().keeps_ties;
    let matters = answer.row_count() > 1 && !query.model().is_ordered() && !tied;
    matters.then(|| {
        format!("You stated an order ({}), but the query has no ORDER BY: add it.", quoted_name(order))
    })
}

fn other_limit(form: &AnswerForm, query: &CheckedQuery, answer: &Answer) -> Option<String> {
    let (limit, rows) = (form.stated.limit?, answer.row_count());
    let tied = query.model().keeps_ties || share_a_place(limit, query, answer);
    (rows > limit && !tied).then(|| {
        format!("You stated a limit of {limit}, but the query returns {rows} rows: add LIMIT {limit}, or keep only those that share the last place.")
    })
}

/// Whether all rows from the last requested one on have the same sort key.
fn share_a_place(limit: usize, query: &CheckedQuery, answer: &Answer) -> bool {
    let Results::Solutions(solutions) = &answer.results else { return false };
    let at: Vec<usize> = query
        .model()
        .sorted_by()
        .filter_map(|key| solutions.variables.iter().position(|name| name == key))
        .collect();
    let key =
        |row: &Vec<Option<Term>>| at.iter().map(|at| row.get(*at).cloned().flatten()).collect::<Vec<_>>();
    let mut rows = solutions.rows.iter().skip(limit.saturating_sub(1)).map(key);
    let first = rows.next();
    !at.is_empty() && first.is_some_and(|first| rows.all(|other| other == first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;
    use eruca_planner::question::ParsedQuestion;
    use std::time::Duration;

    const PONDS: &str = r#"
        @prefix ponds: <http://ponds.example/> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        ponds:a a ponds:Pond ; rdfs:label "Alder" ; ponds:depth 4 ; ponds:length 90 ; ponds:owner ponds:x .
        ponds:b a ponds:Pond ; rdfs:label "Birch" ; ponds:depth 4 ; ponds:length 70 ; ponds:owner ponds:x .
        ponds:c a ponds:Pond ; rdfs:label "Cedar" ; ponds:depth 3 ; ponds:length 20 ; ponds:owner ponds:y .
    "#;

    /// The differences reported for a query and a stated form.
    async fn told(kind: &str, limit: Option<usize>, query: &str) -> String {
        let graph = graph_of("ponds", PONDS).await;
        let query = graph.dataset.check(query).unwrap();
        let result = graph.dataset.run(&query, Duration::from_secs(20)).await;
        let stated = StatedForm { kind: FormKind::parse(kind), limit, ..StatedForm::default() };
        let form = AnswerForm::read(&ParsedQuestion::read("Which ponds are there?", &[])).stated_as(stated);
        differences(&form, &RunQuery::new(query, result), &graph.dataset).join("\n")
    }

    #[test]
    fn another_kind_has_no_columns_of_the_one_before() {
        let mut form = StatedForm {
            kind: FormKind::parse("table"),
            columns: vec!["gene".to_owned(), "change".to_owned()],
            order: Some("desc".to_owned()),
            limit: Some(3),
        };
        form.update(StatedForm { kind: FormKind::parse("table"), ..StatedForm::default() });
        assert_eq!(form.columns.len(), 2);
        form.update(StatedForm { kind: FormKind::parse("things"), ..StatedForm::default() });
        assert!(form.columns.is_empty() && form.order.as_deref() == Some("desc") && form.limit == Some(3));
    }

    #[tokio::test]
    async fn values_in_two_columns_and_things_that_are_literals_are_told() {
        let two = "SELECT ?d ?l { ?p ponds:depth ?d ; ponds:length ?l }";
        insta::assert_snapshot!(told("values", None, two).await, @"You stated values of one kind, but the query returns 2 columns of them (?d, ?l): select the one that the question asks for, or state a table.");
        insta::assert_snapshot!(told("values", None, "SELECT ?p { ?p a ponds:Pond }").await, @"You stated values, but ?p contains things: select the value that the question asks for, or state things.");
        insta::assert_snapshot!(told("things", None, "SELECT ?d { ?p ponds:depth ?d }").await, @"You stated things, but ?d contains literals: select the things that have them, or state values.");
        insta::assert_snapshot!(told("things", None, "SELECT ?p ?o { ?p ponds:owner ?o }").await, @"You stated things of one kind, but the query returns 2 columns of them (?p, ?o): select the one that the question asks for, or state a table.");
        insta::assert_snapshot!(told("things", None, "SELECT ?p ?d { ?p ponds:depth ?d }").await, @"You stated things, which are one column, but the query returns ?p, ?d: one column is what was asked for. Select ?p alone, or state a table.");
        for (kind, fits) in [
            ("values", "SELECT ?p ?d { ?p ponds:depth ?d }"),
            ("values", "SELECT ?d { ?p ponds:depth ?d }"),
            ("values", "SELECT (MAX(?d) AS ?most) { ?p ponds:depth ?d }"),
            ("values", "SELECT ?l { ?p ponds:depth ?d ; ponds:length ?l } ORDER BY ?d"),
            ("values", "SELECT ?p (COUNT(?d) AS ?n) { ?p ponds:depth ?d } GROUP BY ?p"),
            ("things", "SELECT ?name { ?p a ponds:Pond ; rdfs:label ?name }"),
            ("things", "SELECT ?p ?name ?d { ?p ponds:depth ?d ; rdfs:label ?name } ORDER BY ?d"),
            ("things", "SELECT ?p { ?p ponds:depth 77 }"),
        ] {
            assert_eq!(told(kind, None, fits).await, "", "{kind}: {fits}");
        }
    }

    #[tokio::test]
    async fn results_that_share_the_first_place_are_no_fault() {
        let all = "SELECT ?p { ?p ponds:depth ?d { SELECT (MAX(?e) AS ?d) { ?x ponds:depth ?e } } }";
        assert_eq!(told("things", Some(1), all).await, "");
        let shown = "SELECT ?p ?d { ?p ponds:depth ?d FILTER(?d > 3) } ORDER BY DESC(?d)";
        assert_eq!(told("things", Some(1), shown).await, "");
        let more = "SELECT ?p ?d { ?p ponds:depth ?d } ORDER BY DESC(?d)";
        insta::assert_snapshot!(told("things", Some(1), more).await, @"You stated a limit of 1, but the query returns 3 rows: add LIMIT 1, or keep only those that share the last place.");
    }

    #[tokio::test]
    async fn each_difference_says_in_a_line_what_to_do() {
        let things = "SELECT ?p { ?p a ponds:Pond }";
        insta::assert_snapshot!(told("ask", None, things).await, @"You stated yes/no, but the query is not an ASK: write ASK { ... }.");
        insta::assert_snapshot!(told("count", None, things).await, @"You stated a count, but the query returns 3 rows instead of their number: select (COUNT(DISTINCT ?x) AS ?n).");
        insta::assert_snapshot!(told("things", Some(2), things).await, @"You stated a limit of 2, but the query returns 3 rows: add LIMIT 2, or keep only those that share the last place.");
        insta::assert_snapshot!(told("things", None, "ASK { ?p a ponds:Pond }").await, @"You stated things, but the query is not a SELECT: select what the question asks for.");
    }
}
