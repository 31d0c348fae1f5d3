//! What an article says of one thing: pictures, and drafts of lines from its properties.

use super::super::Verbalizer;
use super::super::card::{Card, ended};
use super::super::columns::of_property;
use super::super::lists::shown;
use super::super::phrase::Phrase;
use super::super::values::{LONG, SHORT};
use super::sections::Draft;
use super::sources::Sources;
use eruca_api::{ArticlePicture, ArticleThing, Column, ColumnKind, SectionKind, href};
use eruca_dataset::{EntityGroup, ValueGroup};
use eruca_indexer::media::{is_picture_property, picture};
use eruca_indexer::vocabulary::DESCRIBING_PROPERTIES;
use eruca_sparql::{Literal, NamedNode, Term, one_line};

/// Values of a line; one more is shown if it would be the only one left out.
const MAX_VALUES: usize = 4;
/// Pictures of a thing.
const MAX_PICTURES: usize = 2;

impl Verbalizer<'_> {
    /// What is told of a thing with at most `room` sources; `None` if nothing is.
    pub(super) fn told_thing(
        &self,
        card: &Card<'_>,
        cut: bool,
        room: usize,
        sources: &mut Sources<'_>,
    ) -> Option<ArticleThing> {
        let subject = NamedNode::new(card.iri).ok()?;
        let before = sources.len();
        let (pictures, more_pictures) = self.pictures(card, &subject, room, sources);
        let room = room.saturating_sub(sources.len() - before);
        let (sections, more) = self.sections(&subject, self.drafts(card), room, sources);
        if sections.is_empty() && pictures.is_empty() {
            return None;
        }
        Some(ArticleThing {
            iri: card.iri.to_owned(),
            name: self.thing(card.iri).text(),
            href: href(card.iri),
            pictures,
            more_pictures,
            sections,
            more,
            cut,
            improve: self.context.dataset.improve_address(card.iri),
        })
    }

    /// The first pictures, and how many more there are.
    fn pictures(
        &self,
        card: &Card<'_>,
        subject: &NamedNode,
        room: usize,
        sources: &mut Sources<'_>,
    ) -> (Vec<ArticlePicture>, usize) {
        let all = self.picture_values(card);
        let mut pictures = Vec::new();
        for (address, property, value) in all.iter().take(MAX_PICTURES.min(room)) {
            let statement = [subject.clone().into(), (*property).clone().into(), (*value).clone()];
            let Some(source) = sources.statement(&statement) else { break };
            let column = of_property(self.context.dataset, property.as_str(), &[value]);
            let (name, title) = (self.thing(card.iri), Phrase::from(column.title));
            let title = self.phrase("detailed", &[("value", name), ("details", title)]).text();
            pictures.push(ArticlePicture { title, address: address.clone(), source });
        }
        let more = all.len() - pictures.len();
        (pictures, more)
    }

    /// The addresses of all pictures, each once, with the properties and values that they come from.
    fn picture_values<'c>(&self, card: &Card<'c>) -> Vec<(String, &'c NamedNode, &'c Term)> {
        let index = &self.context.dataset.index.card;
        let mut found: Vec<(String, &NamedNode, &Term)> = Vec::new();
        for (property, values) in &card.facts {
            let expected = is_picture_property(property.as_str(), index.property(property.as_str()));
            for value in values {
                let address = picture(value, expected);
                let address = address.filter(|one| found.iter().all(|(known, ..)| known != one));
                found.extend(address.map(|address| (address, *property, *value)));
            }
        }
        found
    }

    /// A line for each property, in the order in which they are told.
    fn drafts<'c>(&self, card: &Card<'c>) -> Vec<Draft<'c>> {
        let dataset = self.context.dataset;
        let naming = &dataset.index.card.naming_properties;
        let (mut drafts, mut kinds) = (Vec::new(), None);
        for (property, values) in &card.facts {
            let iri = property.as_str();
            if naming.iter().any(|known| known == iri) {
                continue;
            }
            let values: Vec<&'c Term> =
                values.iter().copied().filter(|value| !matches!(value, Term::BlankNode(_))).collect();
            let values = dataset.in_own_language(values);
            let draft = if dataset.vocabulary().is_type(iri) {
                kinds = kinds.or_else(|| self.kinds_line(card.iri, property, &values));
                continue;
            } else if DESCRIBING_PROPERTIES.contains(&iri) {
                description(property, &values)
            } else {
                self.property_line(property, &values)
            };
            drafts.extend(draft);
        }
        // Properties with few values say most. Engines return rows in any order.
        let key = |draft: &Draft<'c>| (!draft.describes, draft.values.len() + draft.more, draft.property);
        drafts.sort_by(|one, other| key(one).cmp(&key(other)));
        kinds.into_iter().chain(drafts).collect()
    }

    /// "K2 – mountain."
    fn kinds_line<'c>(&self, iri: &str, property: &'c NamedNode, values: &[&'c Term]) -> Option<Draft<'c>> {
        let kept = shown(values.len(), MAX_VALUES);
        let class = |value: &&Term| match value {
            Term::NamedNode(class) => {
                Some(Phrase::name(self.context.dataset.schema_name(class.as_str()), class.as_str()))
            }
            Term::BlankNode(_) | Term::Literal(_) => None,
        };
        let names: Vec<Phrase> = values.iter().filter_map(class).collect();
        if names.is_empty() {
            return None;
        }
        let what = self.list_of(&mut names.into_iter(), MAX_VALUES);
        let phrase = self.phrase("card", &[("name", self.thing(iri)), ("what", ended(what))]);
        Some(Draft::new(SectionKind::Identity, phrase, property, values, kept))
    }

    /// "Height: 8,611 m".
    fn property_line<'c>(&self, property: &'c NamedNode, values: &[&'c Term]) -> Option<Draft<'c>> {
        let values: Vec<&'c Term> = values.iter().copied().filter(|value| !is_blank(value)).collect();
        let index = &self.context.dataset.index.card;
        let expected = is_picture_property(property.as_str(), index.property(property.as_str()));
        // Pictures are shown, not told.
        if values.iter().all(|value| picture(value, expected).is_some()) {
            return None;
        }
        let kept = shown(values.len(), MAX_VALUES);
        let column = of_property(self.context.dataset, property.as_str(), &values);
        let most = if values.len() == 1 { LONG } else { SHORT };
        let mut cells = values.iter().map(|value| self.cell(Some(&column), Some(value), most));
        let value = self.list_of(&mut cells, MAX_VALUES);
        let kind = self.kind_of_section(&column, values.first().copied());
        let titled = self.phrase("titled", &[("title", Phrase::from(column.title)), ("value", value)]);
        Some(Draft::new(kind, titled.capitalized(), property, &values, kept))
    }

    fn kind_of_section(&self, column: &Column, first: Option<&Term>) -> SectionKind {
        let (dataset, property) = (self.context.dataset, column.name.as_str());
        if first.is_some_and(|value| dataset.is_position(property, value)) {
            return SectionKind::Places;
        }
        match (dataset.value_group(property, first), dataset.entity_group(property)) {
            (ValueGroup::Entities, EntityGroup::People) => SectionKind::People,
            (ValueGroup::Entities, EntityGroup::Places) => SectionKind::Places,
            (ValueGroup::Entities, EntityGroup::Others) => SectionKind::Links,
            (ValueGroup::Dates, _) => SectionKind::Times,
            (ValueGroup::Numbers, _) => SectionKind::Measures,
            // Numbers are often written as text.
            (ValueGroup::Texts, _) if column.kind == ColumnKind::Number => SectionKind::Measures,
            (ValueGroup::Texts, _) => SectionKind::Identity,
            (ValueGroup::Identifiers, _) => SectionKind::Identifiers,
            (ValueGroup::Media, _) => SectionKind::Media,
        }
    }
}

/// The first description in the reader's language.
fn description<'c>(property: &'c NamedNode, values: &[&'c Term]) -> Option<Draft<'c>> {
    let text = |value: &&'c Term| match *value {
        Term::Literal(literal) => Some((*value, told(literal)?)),
        Term::NamedNode(_) | Term::BlankNode(_) => None,
    };
    let (value, text) = values.iter().find_map(text)?;
    let draft = Draft::new(SectionKind::Identity, Phrase::from(text), property, &[value], 1);
    Some(Draft { describes: true, ..draft })
}

fn told(literal: &Literal) -> Option<String> {
    Some(one_line(literal.value().trim(), LONG)).filter(|text| !text.is_empty())
}

fn is_blank(value: &Term) -> bool {
    matches!(value, Term::Literal(literal) if literal.value().trim().is_empty())
}
