//! Why a query gave nothing: the part whose addition leaves no solution, what that position really holds,
//! and terms the graph does not know. Everything is asked of the endpoint within a small time.

use super::ToolContext;
use super::statements::{StatementProbe, ended, property_of, rank_or_class};
use crate::rendering::cell_text;
use eruca_dataset::{Dataset, MAX_NAME_CHARS, quoted_name};
use eruca_indexer::vocabulary::{Namespaces, StatementPart, XSD_STRING, is_meta, is_record_property};
use eruca_indexer::{ClassCard, PropertyCard, SchemaKind};
use eruca_language::text::{humanize, percent_decode};
use eruca_sparql::{
    Answer, Atom, AtomKind, CheckedQuery, Conjunction, FederationPart, Filter, NamedNode, Results, Term,
    local_name,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time for all probes of one diagnosis.
const PROBE_TIME: Duration = Duration::from_secs(8);
/// Time to find out whether the graph has the IRIs of a query.
const UNKNOWN_TIME: Duration = Duration::from_secs(2);
/// Parts that are probed; more make a query too large to explain.
const MAX_ATOMS: usize = 14;
/// Values shown of a position.
const MAX_VALUES: usize = 4;
/// Direct claims of a thing that are looked at, and properties shown of them.
const MAX_CLAIMS: usize = 500;
const MAX_PROPERTIES: usize = 20;
/// Nearest known names shown.
const MAX_NEAREST: usize = 3;
/// Names looked at for those.
const MAX_LOOKED_AT: usize = 12;

/// A sentence or two on why the query gave nothing, with what could be changed.
pub async fn explain_empty(query: &CheckedQuery, context: &ToolContext<'_>) -> String {
    if query.calls_services() {
        let parts = context.dataset.parts_of(query, PROBE_TIME.min(context.timeout)).await;
        return parts_text(context.dataset, &parts);
    }
    let probe = Probe { dataset: context.dataset, until: Instant::now() + PROBE_TIME.min(context.timeout) };
    probe.find_culprit(&query.model().conjunction).await
}

/// What each part of a query over several datasets returned.
fn parts_text(dataset: &Dataset, parts: &[FederationPart]) -> String {
    let name = |service: &str| {
        let member = dataset.members().iter().find(|(iri, _)| iri == service);
        quoted_name(member.map_or(service, |(_, member)| &member.id))
    };
    let told = parts.iter().map(|FederationPart { service, rows, restricted_to }| {
        let restricted = restricted_to.map(|known| format!(" for the {known} solutions of the parts before"));
        format!("the part for {} has {rows} rows{}", name(service), restricted.unwrap_or_default())
    });
    let told: Vec<String> = told.collect();
    match told.as_slice() {
        [] => "Some part has no solution; run the parts one by one.".to_owned(),
        told => format!("In the order in which they were asked: {}.", told.join("; ")),
    }
}

struct Probe<'a> {
    dataset: &'a Dataset,
    until: Instant,
}

impl StatementProbe for Probe<'_> {
    async fn ask(&self, text: &str) -> Option<Answer> {
        let left = self.until.checked_duration_since(Instant::now())?;
        let query = self.dataset.check(text).ok()?;
        self.dataset.run(&query, left).await.ok().map(Arc::unwrap_or_clone)
    }
}

impl Probe<'_> {
    /// Whether the graph has an IRI that the index does not know. Asked where things without a name are left out of it, and where
    /// the query gave rows, perhaps by this very IRI.
    async fn is_there(&self, iri: &str, gave_rows: bool) -> bool {
        let names = self.dataset.vocabulary().statements.as_ref();
        if !gave_rows && names.is_none_or(|names| !names.is_entity(iri)) {
            return false;
        }
        let query =
            format!("ASK {{ {{ <{iri}> ?p ?o }} UNION {{ ?s ?p <{iri}> }} UNION {{ ?s <{iri}> ?o }} }}");
        let answer = self.ask(&query).await.map(|answer| answer.results);
        // What could not be found out is not called unknown.
        !matches!(answer, Some(Results::Boolean(false)))
    }

    async fn find_culprit(&self, core: &Conjunction) -> String {
        if core.atoms.is_empty() || core.atoms.len() > MAX_ATOMS {
            return "The graph has no solution for this query; check it part by part.".to_owned();
        }
        for atom in &core.atoms {
            if self.matches(&[atom], &[]).await == Some(false) {
                return self.explain_atom(atom, &core.atoms).await;
            }
        }
        let ordered = connected_order(&core.atoms);
        for count in 2..=ordered.len() {
            let together = &ordered[..count];
            if self.matches(together, &[]).await == Some(false) {
                return self.explain_join(together).await;
            }
        }
        let filters: Vec<&Filter> = core.row_filters().collect();
        for (index, filter) in filters.iter().enumerate() {
            if self.matches(&ordered, filters.get(..=index).unwrap_or_default()).await == Some(false) {
                return self.explain_filter(&ordered, filter).await;
            }
        }
        "All patterns and filters match together; check OPTIONAL, MINUS, HAVING and LIMIT/OFFSET, one of which removes every row.".to_owned()
    }

    /// Whether the parts match together; `None` when it could not be found out in time.
    async fn matches(&self, atoms: &[&Atom], filters: &[&Filter]) -> Option<bool> {
        let mut atoms = atoms.to_vec();
        // A group between them would part triples that share a blank node, which SPARQL does not allow.
        atoms.sort_by_key(|atom| atom.kind == AtomKind::Group);
        let filters: String = filters.iter().map(|filter| format!(" {}", filter.text)).collect();
        let answer = self.ask(&format!("ASK {{ {}{filters} }}", joined(&atoms))).await?;
        match answer.results {
            Results::Boolean(found) => Some(found),
            Results::Solutions(_) | Results::Graph(_) => None,
        }
    }

    async fn explain_atom(&self, atom: &Atom, all: &[Atom]) -> String {
        let shown = self.dataset.compact_text(&atom.text);
        let others: Vec<&Atom> = all.iter().filter(|other| *other != atom).collect();
        for before in [others.as_slice(), &[]] {
            if let Some(reason) = rank_or_class(self, self.dataset, before, atom).await {
                return format!("No triple matches `{shown}`. {reason}");
            }
        }
        if let (Some(predicate), Some(class)) = (atom.predicate(), atom.object_iri())
            && self.dataset.vocabulary().is_type(predicate)
        {
            return format!("No triple matches `{shown}`. {}", self.explain_class(predicate, class));
        }
        let held = match (atom.predicate(), atom.object_constant(), atom.subject_iri()) {
            (Some(predicate), Some(_), subject) => self.values_of(predicate, subject).await,
            (Some(_), None, Some(subject)) => self.properties_of(subject).await,
            _ => None,
        };
        let held = held.map_or_else(String::new, |text| format!(" {text}"));
        format!("No triple matches `{shown}`.{held}")
    }

    fn explain_class(&self, predicate: &str, iri: &str) -> String {
        let name = self.dataset.compact(iri);
        let Some(class) = self.dataset.index.card.class(iri) else {
            return format!("{name} is not a class of this graph; find the right one with search_class.");
        };
        let path = self.dataset.compact_text(&self.dataset.vocabulary().type_path(true));
        match class.instances_with_subclasses {
            0 => format!("The class {name} has no instances."),
            all if predicate != self.dataset.vocabulary().type_property => {
                format!("Its {all} instances are reached with `{path} {name}`.")
            }
            all => {
                format!(
                    "The class {name} has no direct instances, but {all} in subclasses: write `{path} {name}`."
                )
            }
        }
    }

    /// What the object position holds: of this subject if it is given, else of any.
    async fn values_of(&self, predicate: &str, subject: Option<&str>) -> Option<String> {
        let subject_text = subject.map_or_else(|| "?s".to_owned(), |iri| format!("<{iri}>"));
        let query = format!("SELECT DISTINCT ?v {{ {subject_text} <{predicate}> ?v }} LIMIT {MAX_VALUES}");
        let values = self.column(&query).await?;
        let name = self.dataset.compact(predicate);
        if let Some(subject) = subject.filter(|_| values.is_empty()) {
            return self.properties_of(subject).await;
        }
        (!values.is_empty()).then(|| format!("Objects of {name} are like {}.", values.join(", ")))
    }

    async fn properties_of(&self, subject: &str) -> Option<String> {
        let properties = match &self.dataset.vocabulary().statements {
            Some(names) => self.direct_claims(subject, names).await?,
            None => self.column(&format!("SELECT DISTINCT ?p {{ <{subject}> ?p ?o }} LIMIT 30")).await?,
        };
        let name = self.dataset.compact(subject);
        if properties.is_empty() {
            return Some(format!("{name} is not the subject of any triple."));
        }
        Some(format!("{name} has {}.", properties.join(", ")))
    }

    /// What a thing has directly, the most used properties first, without identifiers.
    async fn direct_claims(&self, subject: &str, names: &Namespaces) -> Option<Vec<String>> {
        let prefix = names.namespace(StatementPart::Direct);
        let query = format!(
            "SELECT DISTINCT ?p {{ <{subject}> ?p ?o FILTER(STRSTARTS(STR(?p), \"{prefix}\")) }} LIMIT {MAX_CLAIMS}"
        );
        let Results::Solutions(solutions) = self.ask(&query).await?.results else { return None };
        let card = |row: &Vec<Option<Term>>| match row.first() {
            Some(Some(Term::NamedNode(node))) => self.dataset.index.card.property(node.as_str()),
            _ => None,
        };
        let mut cards: Vec<&PropertyCard> = solutions.rows.iter().filter_map(card).collect();
        cards.retain(|card| card.statements.as_ref().is_none_or(|facts| !facts.is_external_id()));
        cards.sort_by(|a, b| b.subjects.cmp(&a.subjects).then_with(|| a.iri.cmp(&b.iri)));
        Some(cards.iter().take(MAX_PROPERTIES).map(|card| self.dataset.named(&card.iri)).collect())
    }

    async fn explain_join(&self, together: &[&Atom]) -> String {
        let Some((last, before)) = together.split_last() else { return String::new() };
        let shown = self.dataset.compact_text(&last.text);
        let rest: Vec<String> = before.iter().map(|atom| self.dataset.compact_text(&atom.text)).collect();
        let mut text = format!("`{}` has matches, but adding `{shown}` leaves none.", rest.join(" . "));
        if let Some(reason) = rank_or_class(self, self.dataset, before, last).await {
            return format!("{text} {reason}");
        }
        if let Some(held) = self.sample_bindings(before, last).await {
            text.push_str(&held);
        }
        text.push_str(&self.other_class(before, last).await);
        text
    }

    /// Where the subject of the failing part is of another class than what has its property: what the one has, and how the
    /// other is reached.
    async fn other_class(&self, before: &[&Atom], last: &Atom) -> String {
        let (card, vocabulary) = (&self.dataset.index.card, self.dataset.vocabulary());
        let property = last.predicate().and_then(|predicate| card.property(predicate));
        let property = property.filter(|_| !vocabulary.classes_are_things);
        let Some(property) = property.filter(|property| !vocabulary.is_schema(&property.iri)) else {
            return String::new();
        };
        let owners: Vec<&str> = property.edges.iter().filter_map(|edge| edge.class.as_deref()).collect();
        let (Some(owner), Some(subject)) = (owners.first(), last.subject_variable()) else {
            return String::new();
        };
        let classes = self.classes_of(subject, before).await;
        if classes.is_empty() || classes.iter().any(|class| owners.contains(&class.as_str())) {
            return String::new();
        }
        let mut text = String::new();
        if let [class] = classes.as_slice() {
            let had = self.names(card.properties_from(class));
            text = format!(" ?{subject} is a {}, whose instances have {had}.", self.dataset.compact(class));
        }
        let (name, leading) = (self.dataset.compact(&property.iri), self.names(card.properties_to(owner)));
        text.push_str(&format!(" {name} is a property of {}", self.dataset.compact(owner)));
        if !leading.is_empty() {
            text.push_str(&format!(", to which {leading} leads"));
        }
        text + "."
    }

    /// The classes of what a variable is bound to, a few of them.
    async fn classes_of(&self, variable: &str, before: &[&Atom]) -> Vec<String> {
        let (parts, kind) = (joined(before), &self.dataset.vocabulary().type_property);
        let query =
            format!("SELECT DISTINCT ?class {{ {parts} . ?{variable} <{kind}> ?class }} LIMIT {MAX_VALUES}");
        let Some(Results::Solutions(solutions)) = self.ask(&query).await.map(|answer| answer.results) else {
            return Vec::new();
        };
        let classes = solutions.rows.into_iter().filter_map(|row| match row.into_iter().next() {
            Some(Some(Term::NamedNode(class))) => Some(class.into_string()),
            _ => None,
        });
        classes.filter(|class| !is_meta(class)).collect()
    }

    /// Properties by name, without those that every thing may have.
    fn names<'c>(&self, properties: impl Iterator<Item = &'c PropertyCard>) -> String {
        let vocabulary = self.dataset.vocabulary();
        let own = properties.filter(|property| !vocabulary.is_schema(&property.iri));
        let names: Vec<String> =
            own.take(MAX_PROPERTIES).map(|property| self.dataset.compact(&property.iri)).collect();
        names.join(", ")
    }

    /// What the variables shared with the failing part are bound to without it.
    async fn sample_bindings(&self, before: &[&Atom], last: &Atom) -> Option<String> {
        let is_shared = |name: &&String| before.iter().any(|atom| atom.variables.contains(name));
        let shared = last.variables.iter().find(is_shared)?;
        let values = self.values(shared, before).await?;
        let held = match last.predicate() {
            Some(predicate) => self.values_of(predicate, None).await.unwrap_or_default(),
            None => String::new(),
        };
        (!values.is_empty()).then(|| format!(" Without it ?{shared} is {}. {held}", values.join(", ")))
    }

    /// Some values that a variable has where atoms match.
    async fn values(&self, variable: &str, atoms: &[&Atom]) -> Option<Vec<String>> {
        self.column(&format!("SELECT DISTINCT ?{variable} {{ {} }} LIMIT {MAX_VALUES}", joined(atoms))).await
    }

    async fn explain_filter(&self, atoms: &[&Atom], filter: &Filter) -> String {
        let shown = self.dataset.compact_text(&filter.text);
        let mut text = format!("The patterns match, but `{shown}` removes every solution.");
        if let Some(reason) = ended(self.dataset, filter) {
            return format!("{text} {reason}");
        }
        let mut seen: Vec<(&str, Vec<String>)> = Vec::new();
        let is_bound = |name: &&str| atoms.iter().any(|atom| atom.variables.iter().any(|one| one == name));
        for variable in filter.variables().into_iter().filter(is_bound).take(2) {
            if let Some(values) = self.values(variable, atoms).await.filter(|values| !values.is_empty()) {
                text.push_str(&format!(" Values of ?{variable} are like {}.", values.join(", ")));
                seen.push((variable, values));
            }
        }
        text.push_str(&other_datatype(filter, &seen));
        if filter.is_absence() {
            text.push_str(" Each has what must not be there: that may be the answer.");
        }
        text
    }

    /// The first column of a query's result as written in SPARQL, things with their names; nodes that only carry are left out.
    async fn column(&self, query: &str) -> Option<Vec<String>> {
        let answer = self.ask(query).await?;
        let Results::Solutions(solutions) = answer.results else { return None };
        let cells = solutions.rows.iter().filter_map(|row| row.first().cloned().flatten());
        let names = self.dataset.vocabulary().statements.as_ref();
        let carries = |iri: &NamedNode| names.is_some_and(|names| names.is_reified_node(iri.as_str()));
        let shown = |term: Term| match term {
            Term::NamedNode(node) if carries(&node) => None,
            Term::NamedNode(node) => Some(self.dataset.named(node.as_str())),
            other => Some(cell_text(self.dataset, &other, MAX_NAME_CHARS)),
        };
        Some(cells.filter_map(shown).collect())
    }
}

/// Of a filter that compares numbers with strings: which of them is to be cast.
fn other_datatype(filter: &Filter, seen: &[(&str, Vec<String>)]) -> String {
    if filter.reads_texts() {
        return String::new();
    }
    let is_number = |text: &str| text.parse::<f64>().is_ok();
    let quoted =
        |value: &str| value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).is_some_and(is_number);
    let texts = seen.iter().find(|(_, values)| values.iter().any(|value| quoted(value)));
    if let Some((variable, _)) = texts {
        return format!(" A quoted number is a string: cast it, e.g. xsd:decimal(?{variable}).");
    }
    let bare = |value: &String| !value.starts_with('"') || value.contains("\"^^");
    let numbers = seen.iter().any(|(_, values)| !values.is_empty() && values.iter().all(bare));
    let mut strings = filter.literals().filter(|literal| literal.datatype().as_str() == XSD_STRING);
    match strings.find(|literal| is_number(literal.value())).filter(|_| numbers) {
        Some(number) => {
            format!(" \"{}\" is a string: write the number without quotation marks.", number.value())
        }
        None => String::new(),
    }
}

/// The atoms in an order in which each shares a variable with an earlier one where that is possible, so that
/// no needless cross product is asked for.
fn connected_order(atoms: &[Atom]) -> Vec<&Atom> {
    let mut left: Vec<&Atom> = atoms.iter().collect();
    let mut ordered: Vec<&Atom> = Vec::new();
    while !left.is_empty() {
        let linked = left.iter().position(|atom| ordered.iter().any(|before| before.joins(atom)));
        ordered.push(left.remove(linked.unwrap_or(0)));
    }
    ordered
}

/// Atoms as they match together.
fn joined(atoms: &[&Atom]) -> String {
    let parts: Vec<&str> = atoms.iter().map(|atom| atom.text.as_str()).collect();
    parts.join(" . ")
}

/// IRIs of the query that the dataset does not know, with the nearest known ones; `None` when all are known. What is in the graph of
/// an answer with rows is known, whatever the index has.
pub async fn unknown_terms(
    query: &CheckedQuery,
    answer: Option<&Answer>,
    context: &ToolContext<'_>,
) -> Option<String> {
    let dataset = context.dataset;
    let gave_rows = answer.is_some_and(|answer| !answer.gives_nothing());
    let probe = Probe { dataset, until: Instant::now() + UNKNOWN_TIME.min(context.timeout) };
    let mut notes = Vec::new();
    for iri in &query.model().iris {
        if is_known(iri, dataset) || probe.is_there(iri, gave_rows).await {
            continue;
        }
        if let Some(names) = &dataset.vocabulary().statements
            && property_of(names, iri).is_some()
        {
            notes.push(format!("{} (no such property: find it with search_property)", dataset.compact(iri)));
            continue;
        }
        let mut near = nearest_entities(dataset, iri);
        if near.is_empty() {
            near = nearest_properties(dataset, iri).await;
        }
        let hint =
            if near.is_empty() { String::new() } else { format!(" (nearest known: {})", near.join(", ")) };
        notes.push(format!("{}{hint}", dataset.compact(iri)));
    }
    (!notes.is_empty())
        .then(|| format!("The graph does not know {}. IRIs must be copied exactly.", notes.join("; ")))
}

fn is_known(iri: &str, dataset: &Dataset) -> bool {
    let card = &dataset.index.card;
    let graph = card.named_graphs.iter().any(|(name, _)| name == iri)
        // What names begin with may stand in a query for the beginnings of names.
        || card.prefixes.iter().any(|(_, namespace)| namespace == iri);
    // Without an index nothing is unknown but what the endpoint says.
    !dataset.is_indexed() || is_meta(iri) || graph || is_of_statements(iri, dataset) || card.class(iri).is_some() || card.property(iri).is_some()
        // An index that cannot be read must not make every IRI unknown.
        || dataset.index.entities.get(iri).map_or(true, |entity| entity.is_some())
}

/// A part of the statements of a known property, or a word that every such graph has.
fn is_of_statements(iri: &str, dataset: &Dataset) -> bool {
    let Some(names) = &dataset.vocabulary().statements else { return false };
    let known = |number| dataset.index.card.property(&names.direct(number)).is_some();
    // References are not counted, so that nothing is known of what they have.
    let of_reference = matches!(names.part(iri), Some((StatementPart::Reference, _)));
    let word =
        Namespaces::is_term(iri) || names.is_reified_node(iri) || of_reference || is_record_property(iri);
    word || property_of(names, iri).is_some_and(known)
}

/// Entities whose IRI is the same but for escapes and case, or whose name is like the IRI's local name.
pub fn nearest_entities(dataset: &Dataset, iri: &str) -> Vec<String> {
    let wanted = percent_decode(iri).to_lowercase();
    let hits = dataset.index.entities.search(&humanize(local_name(iri)), None, 10).unwrap_or_default();
    let (same, like): (Vec<_>, Vec<_>) =
        hits.iter().partition(|hit| percent_decode(&hit.record.iri).to_lowercase() == wanted);
    let chosen =
        if same.is_empty() { like.into_iter().filter(|hit| hit.score > 0.6).collect() } else { same };
    chosen.into_iter().take(MAX_NEAREST).map(|hit| dataset.named(&hit.record.iri)).collect()
}

/// Classes and properties of the query that nothing has, with used ones like them.
pub async fn unused_terms(query: &CheckedQuery, dataset: &Dataset) -> Vec<String> {
    let card = &dataset.index.card;
    let unused = |iri: &String| card.property(iri).is_some_and(PropertyCard::is_unused);
    let mut notes = Vec::new();
    let model = query.model();
    for iri in model.iris.iter().filter(|iri| unused(iri)) {
        let name = dataset.compact(iri);
        if !model.wanted_iris.contains(iri) {
            notes.push(format!(
                "{name} is declared and never used, so that its NOT EXISTS or MINUS leaves nothing out."
            ));
            continue;
        }
        let near = nearest_properties(dataset, iri).await;
        let hint =
            if near.is_empty() { String::new() } else { format!("; used instead: {}", near.join(", ")) };
        notes.push(format!("{name} is declared and never used{hint}."));
    }
    notes
}

/// Other properties and classes that are used and whose name is like that of the IRI.
pub async fn nearest_properties(dataset: &Dataset, iri: &str) -> Vec<String> {
    let card = &dataset.index.card;
    let name = humanize(local_name(iri));
    let is_used = |other: &str| {
        let unused = card.property(other).is_some_and(PropertyCard::is_unused)
            || card.class(other).is_some_and(ClassCard::is_unused);
        other != iri && !unused
    };
    let mut near = Vec::new();
    // In the place of a property stands another one.
    let kinds = match card.property(iri) {
        Some(_) => &[SchemaKind::Property][..],
        None => &[SchemaKind::Property, SchemaKind::Class],
    };
    for kind in kinds {
        let hits = dataset.index.schema.search(*kind, &name, MAX_LOOKED_AT).await.unwrap_or_default();
        let like = hits.iter().filter(|hit| hit.fit > 0.4 && is_used(&hit.iri));
        near.extend(like.take(MAX_NEAREST).map(|hit| dataset.named(&hit.iri)));
    }
    near.truncate(MAX_NEAREST);
    near
}
