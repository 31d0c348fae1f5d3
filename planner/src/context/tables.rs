//! Tables of a database (W3C direct mapping): row IRIs mean nothing to people, so rows are shown by their naming columns; and key
//! columns are ignored where a link column holds the same.

use super::{Context, Naming};
use crate::meaning::{Answer, Base, Column, ColumnFunction, Condition, Iri, Set, Step};
use crate::question::Span;
use crate::schema::Kind;
use eruca_indexer::ValueKind;
use eruca_language::text::{humanize, words};
use eruca_language::{Cue, fallback};
use eruca_sparql::local_name;

/// The prefix that the direct mapping gives columns referring to rows of another table.
const LINK: &str = "ref-";
/// Maximum number of letters before an ending that means "name": "fname", "surname".
const MAX_BEFORE_NAME: usize = 4;
/// Maximum number of columns that together name a row: a first name and a last name.
const MAX_NAME_PARTS: usize = 2;

impl<'k> Context<'k> {
    /// Whether the graph is a direct mapping of a relational database.
    pub fn is_tabular(&self) -> bool {
        *self.tabular.get_or_init(|| {
            let card = &self.schema.index.card;
            let table = |iri: &str| iri.split_once('#').is_some_and(|(table, _)| card.class(table).is_some());
            let mapped = card.properties.iter().filter(|property| table(&property.iri)).count();
            mapped > 0 && 3 * mapped > 2 * card.properties.len().saturating_sub(4)
        })
    }

    /// Whether a column holds only the key of a row that another column links to.
    pub fn is_key(&self, property: &str) -> bool {
        let twin = property.split_once('#').map(|(table, column)| format!("{table}#{LINK}{column}"));
        twin.is_some_and(|twin| self.schema.property(&twin).is_some())
    }

    /// Whether a column holds keys, its own or foreign: numbers that measure nothing.
    pub fn is_identifier(&self, property: &str) -> bool {
        let Some((_, column)) = property.split_once('#') else { return false };
        let all = self.keys.get_or_init(|| {
            let links = self.schema.index.card.properties.iter().filter_map(|card| card.iri.split_once('#'));
            links.filter_map(|(_, column)| column.strip_prefix(LINK).map(str::to_owned)).collect()
        });
        all.contains(column) || self.is_own_key(property)
    }

    /// Whether a column identifies the rows of its table: it is part of their IRIs.
    fn is_own_key(&self, property: &str) -> bool {
        let Some((table, column)) = property.split_once('#') else { return false };
        if let Some(known) = self.own_keys.borrow().get(property) {
            return *known;
        }
        let edges = self.schema.property(property).into_iter().flat_map(|card| &card.edges);
        let row = edges.flat_map(|edge| &edge.samples).next().map(|key| format!("{table}/{column}={key}"));
        let found =
            row.is_some_and(|row| self.schema.index.entities.get(&row).is_ok_and(|row| row.is_some()));
        self.own_keys.borrow_mut().insert(property.to_owned(), found);
        found
    }

    /// Whether the values of a set are keys: not quantities, and not to be added up.
    pub fn holds_keys(&self, set: &Set<'k>) -> bool {
        let key = |condition: &Condition<'k>| match condition {
            Condition::Joined(path, _) => path.first().is_some_and(|step| self.is_identifier(step.property)),
            _ => false,
        };
        set.kind.is_values() && set.conditions.iter().any(key)
    }

    /// How directly a property names its row, judging by its own name; none if it does not.
    pub(crate) fn naming(&self, property: Iri<'k>) -> Option<Naming> {
        let known = self.called.naming.borrow().get(property).copied();
        known.unwrap_or_else(|| {
            let found = self.naming_anew(property);
            self.called.naming.borrow_mut().insert(property, found);
            found
        })
    }

    fn naming_anew(&self, property: Iri<'k>) -> Option<Naming> {
        let of = self.schema.property(property).and_then(|card| card.edges.first()?.class.as_deref());
        let class = of.map_or_else(Vec::new, |class| words(&humanize(local_name(class))));
        let named = words(&humanize(local_name(property)));
        let heads: Vec<Option<&str>> = named.iter().map(|word| before_name(&word.text)).collect();
        heads.iter().any(Option::is_some).then_some(())?;
        let rest = named.iter().zip(heads).map(|(word, head)| head.unwrap_or(&word.text));
        let rest: Vec<&str> = rest
            .filter(|rest| !rest.is_empty() && !class.iter().any(|word| begins(&word.text, rest)))
            .collect();
        Some(match rest.as_slice() {
            [] => Naming::Whole,
            [one] if one.chars().count() <= MAX_BEFORE_NAME || is_place(one) => Naming::Part,
            _ => Naming::Other,
        })
    }

    /// Whether a path ends in another thing's name or key, asked for just as "name", though the given things have one themselves.
    pub fn is_name_of_other(&self, of: &Kind<'k>, path: &[Step<'k>]) -> bool {
        let Some(last) = path.last() else { return false };
        let key = self.is_own_key(last.property);
        if !key && self.naming(last.property).is_none() {
            return false;
        }
        let links = self.links.schema.iter().filter(|link| link.iri == last.property);
        let bare = |span: Span| self.cues(Cue::NameOf).any(|cue| cue.contains(span));
        let attributes = self.schema.attributes(of);
        let mut own = attributes.iter().map(|(property, _)| self.naming(property));
        links.map(|link| link.span).all(bare)
            && own.any(|naming| naming.is_some_and(|own| own != Naming::Other))
    }

    /// The columns that name the rows of a table: one called a name, or the parts of one.
    pub fn naming_columns(&self, kind: &Kind<'k>) -> Option<Vec<Column<'k>>> {
        let column = |property| Column { then: vec![Step { property, forward: true }], ..Column::this() };
        let chosen: Vec<Column<'k>> = self.naming_properties(kind).into_iter().map(column).collect();
        let chosen = if chosen.is_empty() { self.named_elsewhere(kind) } else { chosen };
        (!chosen.is_empty()).then_some(chosen)
    }

    /// Names for rows without a text column: those of the row in another table with the same key, or else the key.
    fn named_elsewhere(&self, kind: &Kind<'k>) -> Vec<Column<'k>> {
        let column = |then| Column { then, ..Column::this() };
        let hops = kind.classes().first().into_iter().flat_map(|class| self.schema.index.graph.hops(class));
        for hop in hops.filter(|hop| hop.forward && self.is_own_key(&hop.property.replace(LINK, ""))) {
            let Some(link) = self.schema.property(&hop.property) else { continue };
            let Some(class) = self.schema.class(&hop.class) else { continue };
            let link = Step { property: link.iri.as_str(), forward: true };
            let names = self.naming_properties(&Kind::class(class)).into_iter();
            let found: Vec<_> =
                names.map(|property| column(vec![link, Step { property, forward: true }])).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let attributes = self.schema.attributes(kind);
        let own = attributes.iter().filter(|(property, _)| self.is_own_key(property));
        own.take(1).map(|(property, _)| column(vec![Step { property, forward: true }])).collect()
    }

    fn naming_properties(&self, kind: &Kind<'k>) -> Vec<Iri<'k>> {
        let texts = self.schema.attributes(kind);
        let texts = texts.iter().copied().filter(|(_, kind)| *kind == ValueKind::Text);
        let texts = texts.filter(|(iri, _)| !self.names_time(iri) || self.naming(iri).is_some());
        let texts: Vec<(Iri<'k>, Option<Naming>)> = texts.map(|(iri, _)| (iri, self.naming(iri))).collect();
        let of = |wanted: Option<Naming>, most: usize| -> Vec<Iri<'k>> {
            texts.iter().filter(|(_, naming)| *naming == wanted).map(|(iri, _)| *iri).take(most).collect()
        };
        let sorts = [
            (Some(Naming::Whole), 1),
            (Some(Naming::Part), MAX_NAME_PARTS),
            (Some(Naming::Other), 1),
            (None, 1),
        ];
        sorts
            .into_iter()
            .map(|(sort, most)| of(sort, most))
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }
}

/// What precedes the word for a name: nothing in "name", "f" in "fname".
fn before_name(word: &str) -> Option<&str> {
    let is_name = |word: &str| fallback().cues_at(&[word]).iter().any(|(cue, _)| *cue == Cue::NameOf);
    let ends = word.char_indices().map(|(at, _)| word.split_at_checked(at));
    ends.flatten().find(|(_, end)| end.len() >= MAX_BEFORE_NAME && is_name(end)).map(|(head, _)| head)
}

fn begins(word: &str, part: &str) -> bool {
    part.chars().count() > 1 && word.starts_with(part)
}

/// Ordinals and similar words: "first", "last".
fn is_place(word: &str) -> bool {
    let language = fallback();
    language.ordinal(word).is_some()
        || language.cues_at(&[word]).iter().any(|(cue, _)| *cue == Cue::FirstInRow)
        || language.grade(word).is_some()
}

/// The kind that a column leads to, for members of a set.
pub(crate) fn end<'k>(context: &Context<'k>, of: &Set<'k>, column: &Column<'k>) -> Option<Kind<'k>> {
    let at = match &column.of {
        Some(set) => set.kind.clone(),
        None => context.schema.follow_path(&column.path, &of.kind)?,
    };
    context.schema.follow_path(&column.then, &at)
}

/// The answer with table rows replaced by their naming columns.
pub(crate) fn told<'k>(context: &Context<'k>, answer: &Answer<'k>) -> Answer<'k> {
    let Answer::List { of, columns, order, limit } = answer else { return answer.clone() };
    if !context.is_tabular() || matches!(of.base, Base::Values(_)) {
        return answer.clone();
    }
    let this = [Column::this()];
    let shown = if columns.is_empty() { &this } else { columns.as_slice() };
    let columns =
        shown.iter().flat_map(|column| named(context, of, column)).fold(Vec::new(), |mut all, column| {
            if !all.contains(&column) {
                all.push(column);
            }
            all
        });
    Answer::List { of: of.clone(), columns, order: order.clone(), limit: *limit }
}

/// A column of rows, replaced by the columns that name them.
fn named<'k>(context: &Context<'k>, of: &Set<'k>, column: &Column<'k>) -> Vec<Column<'k>> {
    let kind = end(context, of, column)
        .filter(|kind| column.what == ColumnFunction::Value && matches!(kind, Kind::Classes(_)));
    let Some(names) = kind.and_then(|kind| context.naming_columns(&kind)) else {
        return vec![column.clone()];
    };
    let on = |name: Column<'k>| Column {
        then: column.then.iter().chain(&name.then).copied().collect(),
        ..column.clone()
    };
    names.into_iter().map(on).collect()
}

#[cfg(test)]
mod tests;
