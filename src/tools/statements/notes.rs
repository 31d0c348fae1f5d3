//! What looks wrong in a query about statements, judged by the index. Sends no query.

use super::text::{StatementShape, pattern};
use super::{facts_of, property_of};
use crate::rendering::{named, owners, predicate, qualifiers, units};
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::{Namespaces, RDF_TYPE, RDFS_SUB_CLASS_OF, StatementPart};
use eruca_sparql::{Atom, CheckedQuery, QueryModel};
use std::collections::{BTreeMap, HashSet};

/// Sentences for a model; none in graphs without statements.
pub(in crate::tools) fn notes(query: &CheckedQuery, dataset: &Dataset) -> Vec<String> {
    let Some(names) = &dataset.vocabulary().statements else { return Vec::new() };
    let view = View { dataset, names, model: query.model() };
    let nodes = view.nodes();
    let mut notes: Vec<String> = nodes.iter().flat_map(|(node, uses)| view.of_node(node, uses)).collect();
    notes.extend(view.wrong_type());
    notes.extend(view.unused());
    notes.extend(view.mixed_units());
    let mut seen = HashSet::new();
    notes.retain(|note| seen.insert(note.clone()));
    notes
}

struct View<'a> {
    dataset: &'a Dataset,
    names: &'a Namespaces,
    model: &'a QueryModel,
}

/// How a query uses a node.
#[derive(Default)]
struct Uses {
    /// Statement parts of which it is the subject, with the property's number.
    has: Vec<(StatementPart, u32)>,
    /// Properties of which it is a statement, that is, the object of `p:`.
    claims: Vec<u32>,
}

impl Uses {
    fn numbers(&self, wanted: StatementPart) -> impl Iterator<Item = u32> {
        self.has.iter().filter(move |(part, _)| *part == wanted).map(|(_, number)| *number)
    }

    fn is_thing(&self) -> bool {
        self.has.iter().any(|(part, _)| matches!(part, StatementPart::Direct | StatementPart::Claim))
    }
}

impl View<'_> {
    /// Every subject and statement of the query, in a fixed order.
    fn nodes(&self) -> BTreeMap<String, Uses> {
        let mut nodes: BTreeMap<String, Uses> = BTreeMap::new();
        for atom in &self.model.atoms {
            let Some((part, number)) = atom.predicate().and_then(|iri| self.names.part(iri)) else {
                continue;
            };
            if let Some(subject) = &atom.subject {
                nodes.entry(subject.to_string()).or_default().has.push((part, number));
            }
            if let Some(object) = atom.object.as_ref().filter(|_| part == StatementPart::Claim) {
                nodes.entry(object.to_string()).or_default().claims.push(number);
            }
        }
        nodes
    }

    fn of_node(&self, node: &str, uses: &Uses) -> Vec<String> {
        if !uses.claims.is_empty() {
            return self.of_statement(node, uses);
        }
        let entity = node.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let is_thing = uses.is_thing() || entity.is_some_and(|iri| self.names.is_entity(iri));
        let wrong = uses.has.iter().find(|(part, _)| part.is_of_statement());
        match wrong {
            Some((part, number)) if is_thing => vec![self.misplaced(node, *part, *number, uses)],
            Some(_) => self.wrong_qualifiers(uses.numbers(StatementPart::Value).collect(), uses),
            None => Vec::new(),
        }
    }

    /// A note about `pq:` or `ps:` used on an entity.
    fn misplaced(&self, node: &str, part: StatementPart, number: u32, uses: &Uses) -> String {
        let node = self.dataset.compact_text(node);
        let wrong = predicate(self.dataset, self.names, part, number);
        let example = match part {
            StatementPart::Qualifier | StatementPart::QualifierNode => self.qualified(&node, number, uses),
            _ => pattern(self.dataset, self.names, &node, &StatementShape::of(number, &[])),
        };
        format!("{wrong} belongs to a statement, and {node} is a thing; go through its statement: {example}.")
    }

    /// How to reach a qualifier: through a property that the query uses on the entity, else through those that have it.
    fn qualified(&self, node: &str, number: u32, uses: &Uses) -> String {
        let direct = self.names.direct(number);
        let has = |owner: &u32| {
            let facts = facts_of(self.dataset, self.names, *owner);
            facts.is_some_and(|facts| facts.never_has(&direct) == Some(false))
        };
        let mut asked = uses.has.iter().filter(|(part, _)| !part.is_of_statement()).map(|(_, asked)| *asked);
        if let Some(owner) = asked.find(has) {
            return pattern(self.dataset, self.names, node, &StatementShape::of(owner, &[number]));
        }
        let qualifier = self.dataset.compact(&self.names.predicate(StatementPart::Qualifier, number));
        let owners = owners(self.dataset, &direct);
        let owners = named(&owners, |iri| self.dataset.named(iri));
        let owners = if owners.is_empty() { owners } else { format!(", where P is one of {owners}") };
        format!("{node} p:P ?st . ?st ps:P ?value ; {qualifier} ?q{owners}")
    }

    fn of_statement(&self, node: &str, uses: &Uses) -> Vec<String> {
        let mut notes = Vec::new();
        let claim = |number: u32| predicate(self.dataset, self.names, StatementPart::Claim, number);
        let owner = uses.claims.first().copied().unwrap_or_default();
        // Inside a path, the node has no name.
        let name = if node.starts_with('?') { node } else { "What a path leads to here" };
        if let Some(number) = uses.numbers(StatementPart::Direct).next() {
            let wrong = self.dataset.compact(&self.names.direct(number));
            let value = self.dataset.compact(&self.names.predicate(StatementPart::Value, owner));
            notes.push(format!(
                "{name} is a statement of {}, and {wrong} begins at things: its value is behind {value}.",
                claim(owner)
            ));
        }
        let values = [StatementPart::Value, StatementPart::ValueNode, StatementPart::NormalizedNode];
        for (part, number) in uses.has.iter().filter(|(part, _)| values.contains(part)) {
            if !uses.claims.contains(number) {
                notes.push(format!(
                    "{name} is a statement of {}, so that {} never matches: its value is behind {}.",
                    claim(owner),
                    predicate(self.dataset, self.names, *part, *number),
                    self.dataset.compact(&self.names.predicate(*part, owner))
                ));
            }
        }
        notes.extend(self.wrong_qualifiers(uses.claims.clone(), uses));
        notes
    }

    /// A note about qualifiers that the statements of none of these properties have.
    fn wrong_qualifiers(&self, owners: Vec<u32>, uses: &Uses) -> Vec<String> {
        let mut notes = Vec::new();
        let qualifiers_used =
            uses.numbers(StatementPart::Qualifier).chain(uses.numbers(StatementPart::QualifierNode));
        for number in qualifiers_used {
            let direct = self.names.direct(number);
            let never = |owner: &u32| {
                facts_of(self.dataset, self.names, *owner)
                    .is_some_and(|facts| facts.never_has(&direct) == Some(true))
            };
            let Some(owner) = owners.first().filter(|_| owners.iter().all(never)) else { continue };
            let known = facts_of(self.dataset, self.names, *owner)
                .and_then(|facts| qualifiers(self.dataset, self.names, facts))
                .map_or_else(|| "they have no qualifiers".to_owned(), |known| format!("they have {known}"));
            notes.push(format!(
                "No statement of {} has {}; {known}.",
                predicate(self.dataset, self.names, StatementPart::Claim, *owner),
                predicate(self.dataset, self.names, StatementPart::Qualifier, number),
            ));
        }
        notes
    }

    /// A note about `rdf:type` and `rdfs:subClassOf` where the graph uses other properties for them.
    fn wrong_type(&self) -> Vec<String> {
        let vocabulary = self.dataset.vocabulary();
        let wrong = |iri: &String| {
            (iri == RDF_TYPE && vocabulary.type_property != RDF_TYPE)
                || (iri == RDFS_SUB_CLASS_OF && vocabulary.subclass_property != RDFS_SUB_CLASS_OF)
        };
        let used = self.model.atoms.iter().filter(|atom| atom.predicates.iter().any(wrong));
        used.filter_map(Atom::object_iri)
            .filter(|class| self.names.is_entity(class))
            .map(|class| {
                let path = self.dataset.compact_text(&vocabulary.type_path(true));
                format!(
                    "Things have no rdf:type or rdfs:subClassOf here: write ?x {path} {}.",
                    self.dataset.named(class)
                )
            })
            .collect()
    }

    /// Notes about properties in a position where they never occur.
    fn unused(&self) -> Vec<String> {
        let (mut notes, mut nowhere) = (Vec::new(), HashSet::new());
        for iri in self.model.atoms.iter().flat_map(|atom| &atom.predicates) {
            let Some((part, number)) = self.names.part(iri) else { continue };
            let Some(card) = self.dataset.index.card.property(&self.names.direct(number)) else { continue };
            let Some(facts) = &card.statements else { continue };
            let direct = self.dataset.compact(&card.iri);
            let name = predicate(self.dataset, self.names, part, number);
            match part {
                StatementPart::Direct | StatementPart::Claim
                    if card.usage == 0 && facts.statements == 0 && facts.qualifies > 0 =>
                {
                    let right = self.dataset.compact(&self.names.predicate(StatementPart::Qualifier, number));
                    notes.push(format!("{name} is only a qualifier here: use {right} on a statement."));
                }
                StatementPart::Direct if card.usage == 0 => {}
                StatementPart::Claim | StatementPart::Value
                    if facts.statements == 0 && card.usage > 0 && nowhere.insert(number) =>
                {
                    notes.push(format!("{name} leads nowhere: the graph has direct values only, {direct}."));
                }
                StatementPart::Qualifier if facts.qualifies == 0 && facts.statements > 0 => {
                    notes.push(format!("{name} is never a qualifier; things have it directly, {direct}."));
                }
                _ => {}
            }
        }
        notes
    }

    /// A note about quantities that are compared, ordered or added up although they have different units.
    fn mixed_units(&self) -> Vec<String> {
        let looks = ["quantityUnit", "quantityNormalized"].map(Namespaces::term);
        let normalized =
            |iri: &String| matches!(self.names.part(iri), Some((StatementPart::NormalizedNode, _)));
        if self.model.iris.iter().any(|iri| looks.contains(iri) || normalized(iri)) {
            return Vec::new();
        }
        let kind = &self.dataset.vocabulary().type_property;
        let sorts = |name: &str| self.model.sorted_by().any(|key| key == name);
        let usages = self.model.usages(kind);
        let numbers = usages.iter().filter(|usage| usage.as_number || sorts(&usage.name));
        let numbers = numbers.flat_map(|usage| &usage.is);
        let mut notes = Vec::new();
        for number in numbers.filter_map(|iri| property_of(self.names, iri)) {
            let Some(facts) = facts_of(self.dataset, self.names, number) else { continue };
            let known: Vec<String> = units(facts)
                .map(|(unit, count)| format!("{} ({count})", self.dataset.named(unit)))
                .take(3)
                .collect();
            if known.len() < 2 {
                continue;
            }
            let short = |part| self.dataset.compact(&self.names.predicate(part, number));
            notes.push(format!(
                "{} is measured in {}: compare only one unit (?st {}/{} ?unit) or the base unit (?st {}/{} ?number).",
                self.dataset.named(&facts.direct),
                known.join(", "),
                short(StatementPart::ValueNode),
                self.dataset.compact(&Namespaces::term("quantityUnit")),
                short(StatementPart::NormalizedNode),
                self.dataset.compact(&Namespaces::term("quantityAmount")),
            ));
        }
        notes
    }
}
