//! Statements of an entity, read from the endpoint: queries in standard SPARQL, each with a row limit.

use super::{DERIVED_FROM, QualifiedStatement, ShownRank, StatementValue};
use crate::tools::ToolContext;
use eruca_indexer::vocabulary::{Namespaces, RDF_TYPE, StatementPart};
use eruca_sparql::{Answer, Literal, QueryError, Results, Term};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of rows read of statement parts.
const MAX_PART_ROWS: usize = 6_000;
/// Maximum number of rows read of references.
const MAX_REFERENCE_ROWS: usize = 1_500;

/// Statements that were read.
#[derive(Debug, Default)]
pub(super) struct ReadStatements {
    pub(super) statements: Vec<QualifiedStatement>,
    /// Whether there may be more than were read.
    pub(super) is_cut: bool,
}

/// The statements of an entity with these properties.
pub(super) async fn statements(
    iri: &str,
    properties: &[u32],
    names: &Namespaces,
    context: &ToolContext<'_>,
) -> Result<ReadStatements, QueryError> {
    let query = parts_query(&format!("<{iri}> ?p ?st"), properties, names);
    let answer = run(&query, context).await?;
    Ok(read_parts(&answer, names))
}

/// One statement of a property, with qualifiers if possible, and its subject.
pub(super) async fn one_statement(
    property: u32,
    qualifier: Option<u32>,
    names: &Namespaces,
    context: &ToolContext<'_>,
) -> Result<Option<(String, ReadStatements)>, QueryError> {
    let claim = names.predicate(StatementPart::Claim, property);
    let qualified = qualifier.map_or_else(String::new, |qualifier| {
        format!(" . ?st <{}> ?any", names.predicate(StatementPart::Qualifier, qualifier))
    });
    let query = format!("SELECT ?s ?st WHERE {{ ?s <{claim}> ?st{qualified} }} LIMIT 1");
    let found = run(&query, context).await?;
    let Some([Some(Term::NamedNode(thing)), Some(Term::NamedNode(node))]) =
        rows(&found).first().map(Vec::as_slice)
    else {
        return Ok(None);
    };
    let (thing, node) = (thing.as_str(), node.as_str());
    let answer = run(&parts_query(&format!("<{thing}> ?p ?st"), &[property], names), context).await?;
    let mut read = read_parts(&answer, names);
    read.statements.retain(|statement| statement.node == node);
    Ok((!read.statements.is_empty()).then(|| (thing.to_owned(), read)))
}

/// References of the statements of one property, with the values of their properties.
pub(super) async fn references(
    iri: &str,
    property: u32,
    names: &Namespaces,
    context: &ToolContext<'_>,
) -> Result<References, QueryError> {
    let claim = names.predicate(StatementPart::Claim, property);
    let prefix = format!("{}P", names.namespace(StatementPart::Reference));
    let query = format!(
        "SELECT ?ref ?r ?v WHERE {{ <{iri}> <{claim}> ?st . ?st <{DERIVED_FROM}> ?ref . ?ref ?r ?v \
         FILTER(STRSTARTS(STR(?r), \"{prefix}\")) }} LIMIT {MAX_REFERENCE_ROWS}"
    );
    let answer = run(&query, context).await?;
    let mut found = References::new();
    for row in rows(&answer) {
        let [Some(node), Some(Term::NamedNode(property)), Some(value)] = row.as_slice() else { continue };
        let Some((_, number)) = names.part(property.as_str()) else { continue };
        let values = found.entry(key(node)).or_default();
        let value = (number, StatementValue::of(value));
        // Several statements can share a reference.
        if !values.contains(&value) {
            values.push(value);
        }
    }
    for values in found.values_mut() {
        values.sort_by_cached_key(|(number, value)| (*number, super::text::sort_key(value)));
    }
    Ok(found)
}

/// Values of references by reference node.
pub(super) type References = HashMap<String, Vec<(u32, StatementValue)>>;

pub(super) async fn run(query: &str, context: &ToolContext<'_>) -> Result<Arc<Answer>, QueryError> {
    let query = context.dataset.check(query)?;
    context.dataset.run(&query, context.timeout).await
}

pub(super) fn rows(answer: &Answer) -> &[Vec<Option<Term>>] {
    match &answer.results {
        Results::Solutions(solutions) => &solutions.rows,
        Results::Boolean(_) | Results::Graph(_) => &[],
    }
}

/// Values, qualifiers, ranks and references; units of quantities, and times with a precision other than the day. Each part is
/// self-contained, so that no engine evaluates one of them over the whole graph.
fn parts_query(start: &str, properties: &[u32], names: &Namespaces) -> String {
    let claims: Vec<String> = properties
        .iter()
        .map(|number| format!("<{}>", names.predicate(StatementPart::Claim, *number)))
        .collect();
    let start = format!("VALUES ?p {{ {} }} {start} .", claims.join(" "));
    let prefix = |part| format!("{}P", names.namespace(part));
    let (value, qualifier) = (prefix(StatementPart::Value), prefix(StatementPart::Qualifier));
    let none = prefix(StatementPart::NoValue);
    let term = Namespaces::term;
    format!(
        "SELECT ?p ?st ?q ?v ?unit ?precision WHERE {{ {{ {start} ?st ?q ?v FILTER(STRSTARTS(STR(?q), \"{value}\") || \
         STRSTARTS(STR(?q), \"{qualifier}\") || ?q = <{DERIVED_FROM}> || (?q = <{}> && ?v != <{}>) || \
         (?q = <{RDF_TYPE}> && STRSTARTS(STR(?v), \"{none}\"))) }} \
         UNION {{ {start} ?st ?q ?node . ?node <{}> ?v ; <{}> ?unit }} \
         UNION {{ {start} ?st ?q ?node . ?node <{}> ?v ; <{}> ?precision FILTER(?precision != 11) }} }} LIMIT {MAX_PART_ROWS}",
        term("rank"),
        term("NormalRank"),
        term("quantityAmount"),
        term("quantityUnit"),
        term("timeValue"),
        term("timePrecision"),
    )
}

fn read_parts(answer: &Answer, names: &Namespaces) -> ReadStatements {
    let rows = rows(answer);
    let mut statements: Vec<QualifiedStatement> = Vec::new();
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut nodes = Vec::new();
    for row in rows {
        let [
            Some(Term::NamedNode(claim)),
            Some(node),
            Some(Term::NamedNode(part)),
            Some(value),
            unit,
            precision,
        ] = row.as_slice()
        else {
            continue;
        };
        let Some((StatementPart::Claim, number)) = names.part(claim.as_str()) else { continue };
        let node = key(node);
        let at = *positions.entry(node.clone()).or_insert_with(|| {
            statements.push(new_statement(node, number));
            statements.len() - 1
        });
        let Some(statement) = statements.get_mut(at) else { continue };
        match (unit, precision) {
            (None, None) => add_part(statement, part.as_str(), value, names),
            (unit, precision) => nodes.push((at, part.as_str(), value, unit, precision)),
        }
    }
    for (at, part, value, unit, precision) in nodes {
        if let (Some(statement), Some((part, number))) = (statements.get_mut(at), names.part(part)) {
            let said = SaidByNode { amount: value, unit: unit.as_ref(), precision: precision.as_ref() };
            refine(statement, part, number, &said);
        }
    }
    mark_best(&mut statements);
    super::sort(&mut statements);
    ReadStatements { statements, is_cut: answer.incomplete.is_some() || rows.len() >= MAX_PART_ROWS }
}

fn new_statement(node: String, property: u32) -> QualifiedStatement {
    QualifiedStatement {
        node,
        property,
        value: StatementValue::None,
        rank: ShownRank::Normal,
        qualifiers: Vec::new(),
        references: Vec::new(),
        is_best: true,
    }
}

fn add_part(statement: &mut QualifiedStatement, predicate: &str, value: &Term, names: &Namespaces) {
    let object = match value {
        Term::NamedNode(node) => node.as_str(),
        _ => "",
    };
    match names.part(predicate) {
        Some((StatementPart::Value, _)) => statement.value = StatementValue::of(value),
        Some((StatementPart::Qualifier, number)) => {
            statement.qualifiers.push((number, StatementValue::of(value)));
        }
        Some(_) => {}
        None if predicate == DERIVED_FROM => statement.references.push(key(value)),
        None if object == Namespaces::term("PreferredRank") => statement.rank = ShownRank::Preferred,
        None if object == Namespaces::term("DeprecatedRank") => statement.rank = ShownRank::Deprecated,
        None => {
            // `wdno:` of another property means that this qualifier has no value.
            if let Some((StatementPart::NoValue, number)) = names.part(object)
                && number != statement.property
            {
                statement.qualifiers.push((number, StatementValue::None));
            }
        }
    }
}

/// The content of a value node.
struct SaidByNode<'a> {
    amount: &'a Term,
    unit: Option<&'a Term>,
    precision: Option<&'a Term>,
}

/// Adds the content of a value node to the value that it belongs to.
fn refine(statement: &mut QualifiedStatement, part: StatementPart, number: u32, said: &SaidByNode<'_>) {
    let values: Vec<&mut StatementValue> = match part {
        StatementPart::ValueNode => vec![&mut statement.value],
        StatementPart::QualifierNode => {
            let of_property = statement.qualifiers.iter_mut().filter(|(known, _)| *known == number);
            of_property.map(|(_, value)| value).collect()
        }
        _ => return,
    };
    for value in values {
        let StatementValue::Known { term, unit, precision } = value else { continue };
        if lexical(term) != lexical(said.amount) {
            continue;
        }
        if let Some(Term::NamedNode(node)) = said.unit
            && Namespaces::is_unit(node.as_str())
        {
            *unit = Some(node.as_str().to_owned());
        }
        *precision = said.precision.and_then(lexical).and_then(|text| text.parse().ok()).or(*precision);
    }
}

fn lexical(term: &Term) -> Option<&str> {
    if let Term::Literal(literal) = term { Some(Literal::value(literal)) } else { None }
}

/// `wdt:` has the preferred statements of a property if there are any, otherwise the normal ones.
fn mark_best(statements: &mut [QualifiedStatement]) {
    let preferred: Vec<u32> = statements
        .iter()
        .filter(|statement| statement.rank == ShownRank::Preferred)
        .map(|statement| statement.property)
        .collect();
    for statement in statements {
        let best =
            if preferred.contains(&statement.property) { ShownRank::Preferred } else { ShownRank::Normal };
        statement.is_best = statement.rank == best;
    }
}

fn key(term: &Term) -> String {
    match term {
        Term::NamedNode(node) => node.as_str().to_owned(),
        other => other.to_string(),
    }
}
