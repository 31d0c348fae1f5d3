//! Why patterns over statements match nothing: a rank that hides a value, a qualifier that these statements do not have, a
//! class that has instances only through its subclasses, a unit that no value has.

use crate::rendering::predicate;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::{Namespaces, RDF_TYPE, StatementPart};
use eruca_sparql::{Answer, Atom, Filter, Results, Term};

/// Maximum number of rows fetched to find a reason.
const MAX_ROWS: usize = 4;

/// Queries the endpoint within the remaining time; `None` if there is no time left, or the query fails.
pub(in crate::tools) trait StatementProbe {
    async fn ask(&self, query: &str) -> Option<Answer>;
}

/// Why adding `last` to patterns that match together (`before` may be empty) leaves no match, if one of these reasons applies.
pub(in crate::tools) async fn rank_or_class(
    probe: &impl StatementProbe,
    dataset: &Dataset,
    before: &[&Atom],
    last: &Atom,
) -> Option<String> {
    let names = dataset.vocabulary().statements.as_ref()?;
    let reason = EmptyReason { probe, dataset, names, before };
    let predicate = last.predicate()?;
    let (subject, object) = (&last.subject.as_ref()?.to_string(), &last.object.as_ref()?.to_string());
    if predicate == RDF_TYPE && last.object_iri() == Some(&Namespaces::term("BestRank")) {
        return reason.not_best(subject).await;
    }
    if predicate == Namespaces::term("quantityUnit") {
        return reason.other_units(subject, last).await;
    }
    match names.part(predicate)? {
        (StatementPart::Direct, _) if dataset.vocabulary().is_type(predicate) => {
            reason.class_below(subject, last).await
        }
        (StatementPart::Direct, number) => reason.hidden(subject, object, number).await,
        (StatementPart::Qualifier | StatementPart::QualifierNode, number) => {
            reason.other_qualifiers(subject, object, number).await
        }
        _ => None,
    }
}

struct EmptyReason<'a, P> {
    probe: &'a P,
    dataset: &'a Dataset,
    names: &'a Namespaces,
    before: &'a [&'a Atom],
}

impl<P: StatementProbe> EmptyReason<'_, P> {
    /// The rows that the earlier patterns and `more` match.
    async fn rows(&self, columns: &str, more: &str) -> Option<Vec<Vec<Option<Term>>>> {
        let mut parts: Vec<&str> = self.before.iter().map(|atom| atom.text.as_str()).collect();
        parts.push(more);
        let query = format!("SELECT DISTINCT {columns} WHERE {{ {} }} LIMIT {MAX_ROWS}", parts.join(" . "));
        match self.probe.ask(&query).await?.results {
            Results::Solutions(solutions) => Some(solutions.rows).filter(|rows| !rows.is_empty()),
            Results::Boolean(_) | Results::Graph(_) => None,
        }
    }

    fn shown(&self, term: &Term) -> String {
        match term {
            Term::NamedNode(node) => match Namespaces::is_term(node.as_str()) {
                true => self.dataset.compact(node.as_str()),
                false => self.dataset.named(node.as_str()),
            },
            other => super::text::value_text(self.dataset, &super::StatementValue::of(other)),
        }
    }

    fn listed(&self, rows: &[Vec<Option<Term>>]) -> String {
        let row = |row: &Vec<Option<Term>>| {
            let cells: Vec<String> = row.iter().flatten().map(|term| self.shown(term)).collect();
            match cells.split_last() {
                Some((rank, [])) if rank.ends_with("Rank") => format!("one ({rank})"),
                Some((rank, values)) if rank.ends_with("Rank") => format!("{} ({rank})", values.join(" ")),
                _ => cells.join(" "),
            }
        };
        let mut shown: Vec<String> = rows.iter().map(row).collect();
        shown.sort();
        shown.join(", ")
    }

    /// A note about a value that exists, but not with `wdt:`.
    async fn hidden(&self, subject: &str, object: &str, number: u32) -> Option<String> {
        let of = |part| self.names.predicate(part, number);
        let (claim, value, rank) =
            (of(StatementPart::Claim), of(StatementPart::Value), Namespaces::term("rank"));
        let more = format!(
            "{subject} <{claim}> ?hiddenStatement . ?hiddenStatement <{value}> {object} ; <{rank}> ?hiddenRank"
        );
        let columns: Vec<&str> = [subject, object].into_iter().filter(|end| end.starts_with('?')).collect();
        let rows = self.rows(&format!("{} ?hiddenRank", columns.join(" ")), &more).await?;
        let short = |part| self.dataset.compact(&of(part));
        Some(format!(
            "A rank hides it: {} has only values of best rank. With {}/{} there is {}.",
            short(StatementPart::Direct),
            short(StatementPart::Claim),
            short(StatementPart::Value),
            self.listed(&rows)
        ))
    }

    async fn not_best(&self, statement: &str) -> Option<String> {
        let rank = Namespaces::term("rank");
        let rows = self.rows("?hiddenRank", &format!("{statement} <{rank}> ?hiddenRank")).await?;
        let best = self.dataset.compact(&Namespaces::term("BestRank"));
        Some(format!("A rank hides it: without `{statement} a {best}` there is {}.", self.listed(&rows)))
    }

    /// A note about the qualifiers that these statements have instead.
    async fn other_qualifiers(&self, statement: &str, object: &str, number: u32) -> Option<String> {
        let ties = [StatementPart::Claim, StatementPart::Value];
        let is_statement = self.before.iter().any(|atom| {
            let part = atom.predicate().and_then(|iri| self.names.part(iri)).map(|(part, _)| part);
            let mut ends = [&atom.subject, &atom.object].into_iter().flatten();
            part.is_some_and(|part| ties.contains(&part)) && ends.any(|end| end.to_string() == statement)
        });
        if !is_statement {
            return None;
        }
        let wanted = predicate(self.dataset, self.names, StatementPart::Qualifier, number);
        let own = self.names.predicate(StatementPart::Qualifier, number);
        if !object.starts_with('?')
            && let Some(rows) = self.rows("?otherValue", &format!("{statement} <{own}> ?otherValue")).await
        {
            return Some(format!("The statements that are left have {wanted} {}.", self.listed(&rows)));
        }
        let prefix = format!("{}P", self.names.namespace(StatementPart::Qualifier));
        let more = format!(
            "{statement} ?otherQualifier ?otherValue FILTER(STRSTARTS(STR(?otherQualifier), \"{prefix}\"))"
        );
        let Some(rows) = self.rows("?otherQualifier", &more).await else {
            return Some(format!("The statements that are left have no qualifiers, so no {wanted}."));
        };
        let known = rows.iter().filter_map(|row| match row.first() {
            Some(Some(Term::NamedNode(node))) => self.names.part(node.as_str()),
            _ => None,
        });
        let mut known: Vec<(StatementPart, u32)> = known.collect();
        known.sort_by_key(|(_, number)| *number);
        let known: Vec<String> = known
            .into_iter()
            .map(|(part, number)| predicate(self.dataset, self.names, part, number))
            .collect();
        Some(format!("The statements that are left do not have {wanted}; they have {}.", known.join(", ")))
    }

    /// A note about a class that the entity belongs to only through a subclass.
    async fn class_below(&self, thing: &str, last: &Atom) -> Option<String> {
        let class = last.object_iri()?;
        let vocabulary = self.dataset.vocabulary();
        let (direct, wider) = (vocabulary.type_path(false), &vocabulary.subclass_property);
        let more = format!("{thing} {direct} ?classBelow . ?classBelow <{wider}>+ <{class}>");
        let below = self.rows("?classBelow", &more).await?;
        let path = self.dataset.compact_text(&vocabulary.type_path(true));
        let (thing, class) = (self.dataset.compact_text(thing), self.dataset.named(class));
        Some(format!(
            "The class is reached only through classes below it, such as {}: write `{thing} {path} {class}`.",
            self.listed(&below)
        ))
    }

    async fn other_units(&self, node: &str, last: &Atom) -> Option<String> {
        last.object_constant()?;
        let unit = Namespaces::term("quantityUnit");
        let rows = self.rows("?otherUnit", &format!("{node} <{unit}> ?otherUnit")).await?;
        let is_unit = |row: &Vec<Option<Term>>| match row.first() {
            Some(Some(Term::NamedNode(node))) => Namespaces::is_unit(node.as_str()),
            _ => false,
        };
        let rows: Vec<Vec<Option<Term>>> = rows.into_iter().filter(is_unit).collect();
        Some(match rows.is_empty() {
            true => "The values that are left have no unit.".to_owned(),
            false => format!("The values that are left are in {}.", self.listed(&rows)),
        })
    }
}

/// A note about what a FILTER NOT EXISTS over a qualifier removes, if `filter` is one.
pub(in crate::tools) fn ended(dataset: &Dataset, filter: &Filter) -> Option<String> {
    let names = dataset.vocabulary().statements.as_ref()?;
    let prefix = names.namespace(StatementPart::Qualifier);
    let (_, number) = names.part(filter.absent_iris().find(|iri| iri.starts_with(&*prefix))?)?;
    let name = predicate(dataset, names, StatementPart::Qualifier, number);
    Some(format!(
        "Every statement that is left has {name}, so that none is without it; take the latest one instead (ORDER BY DESC on \
         a date, LIMIT 1), or the value of best rank (wdt:)."
    ))
}
