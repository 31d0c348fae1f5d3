//! Parts of a query that no word justifies: they need a reason in the graph.

use super::parts::{Mode, Node, Statement};
use super::{Audit, Doubt, Entry, Part};
use crate::meaning::Step;
use crate::question::Span;
use crate::schema::Kind;
use eruca_indexer::PropertyCard;
use eruca_language::{AnswerKind, Role, fallback};

/// Maximum share of a property's statements that a class may exclude without a word for it.
const MOST_LEFT: f32 = 0.5;

/// Maximum number of classes compared with one by name.
const MAX_CLASSES: usize = 30;

impl<'k> Audit<'_, 'k> {
    /// Doubts properties, classes and things that were not asked for.
    pub(super) fn unsaid(&mut self) {
        let parts = self.parts;
        for statement in &parts.statements {
            if !self.is_said(&statement.property) && !self.is_inferred(statement) {
                self.doubt(Doubt::Unsaid(statement.property.clone()));
            }
        }
        for (node, class, _) in &parts.classes {
            if !self.is_said(class) && !self.is_kind_of(node, class) {
                self.doubt(Doubt::Unsaid(class.clone()));
            }
            self.narrow(node, class);
        }
        self.holders();
        self.shared();
        for thing in parts.things() {
            if !self.is_said(thing) || self.is_taken_from(thing) {
                self.doubt(Doubt::Unsaid(thing.to_owned()));
            }
        }
    }

    /// Doubts comparisons on an unmentioned node whose link to the answer is not mentioned either: "countries founded after 1950"
    /// are not those with a town founded then.
    fn holders(&mut self) {
        let parts = self.parts;
        let shown = parts.shown();
        let hidden = |node: &Node| {
            matches!(node, Node::Variable(name) if !shown.contains(name))
                && !parts.classes.iter().any(|(typed, ..)| typed == node)
        };
        let compared = parts.conditions.iter().flat_map(|(formula, _)| parts.statements_in(formula));
        let held: Vec<&Statement> = compared.filter(|statement| hidden(&statement.subject)).collect();
        for statement in held {
            let node = &statement.subject;
            let joins = |other: &&Statement| {
                other.property != statement.property && (other.subject == *node || other.object == *node)
            };
            let mut links = parts.statements.iter().filter(joins).peekable();
            if let Some(first) = links.peek().map(|link| link.property.clone())
                && !links.any(|link| self.has_own_words(&link.property) || !self.is_said(&link.property))
            {
                self.doubt(Doubt::Unsaid(first));
            }
        }
    }

    /// Doubts two things joined through a shared object without a word for it: a match in a hall is not the match of a team from
    /// the hall's town.
    fn shared(&mut self) {
        let parts = self.parts;
        let shown = parts.shown();
        let named =
            |node: &Node| parts.classes.iter().any(|(typed, class, _)| typed == node && self.is_said(class));
        let proven = |statement: &Statement| {
            let own = |entry: &&Entry| entry.part == Part::Term(statement.property.clone());
            self.entries.iter().filter(own).any(|entry| !entry.right.is_weak())
        };
        let required = || parts.statements.iter().filter(|statement| statement.mode == Mode::Required);
        let hidden = |statement: &&Statement| {
            matches!(&statement.object, Node::Variable(name) if !shown.contains(name))
                && !named(&statement.object)
        };
        let meets = |statement: &&Statement| {
            let same =
                |other: &Statement| other.object == statement.object && other.subject != statement.subject;
            required().any(|other| same(other) && !proven(other))
        };
        let found = required().filter(hidden).filter(|statement| !proven(statement)).find(meets);
        if let Some(property) = found.map(|statement| statement.property.clone()) {
            self.doubt(Doubt::Unsaid(property));
        }
    }

    /// Whether some words justify this property and nothing else.
    fn has_own_words(&self, property: &str) -> bool {
        let shared = |span: Span| {
            let other = |part: &Part| matches!(part, Part::Term(iri) if iri != property);
            self.entries.iter().any(|entry| other(&entry.part) && entry.span.overlaps(span))
        };
        self.entries.iter().any(|entry| entry.part == Part::Term(property.to_owned()) && !shared(entry.span))
    }

    /// Whether a word justifies a class, property or thing.
    pub(super) fn is_said(&self, iri: &str) -> bool {
        let is = |part: &Part| matches!(part, Part::Term(own) | Part::Thing(own) if own == iri);
        self.entries.iter().any(|entry| is(&entry.part))
    }

    /// Whether the words that weakly match a thing match something else in the query better: "the tower they hang in" is not All
    /// Saints Tower.
    fn is_taken_from(&self, thing: &str) -> bool {
        let own = |part: &Part| matches!(part, Part::Thing(iri) if iri == thing);
        let better = |span: Span| {
            let strong =
                |entry: &&Entry| !own(&entry.part) && !entry.right.is_weak() && entry.span.contains(span);
            self.entries.iter().any(|entry| strong(&entry))
        };
        let mut named = self.entries.iter().filter(|entry| own(&entry.part)).peekable();
        named.peek().is_some() && named.all(|entry| entry.right.is_weak() && better(entry.span))
    }

    /// Whether a property is implied: it names things, is the only path between its ends, or leads from an unnamed node to its
    /// value.
    fn is_inferred(&self, statement: &Statement) -> bool {
        if self.is_naming(&statement.property) {
            return true;
        }
        let (from, to) = (self.kind_of(&statement.subject), self.kind_of(&statement.object));
        self.is_only_way(&statement.property, &from, &to)
            || self.is_value_within(statement)
            || self.is_value_named(statement)
            || self.is_only_time(statement)
            || self.is_place_of(statement)
            || self.is_way_within(statement)
    }

    /// Whether it is the only property leading to an unclassed node, one of whose values was asked for: the town of a brewery is
    /// that of its address.
    fn is_way_within(&self, statement: &Statement) -> bool {
        let schema = &self.context.schema;
        let inner = |other: &Statement| {
            other.subject == statement.object
                && self.is_said(&other.property)
                && schema.starts_unclassed(&other.property)
        };
        let ways = schema.to_unclassed(&self.kind_of(&statement.subject));
        matches!(ways.as_slice(), [only] if only.property == statement.property)
            && self.parts.statements.iter().any(inner)
    }

    /// Whether a property holds names.
    pub(super) fn is_naming(&self, property: &str) -> bool {
        let context = self.context;
        context.schema.property(property).is_some_and(|card| context.naming(&card.iri).is_some())
    }

    fn is_only_way(&self, property: &str, from: &Kind<'k>, to: &Kind<'k>) -> bool {
        let schema = &self.context.schema;
        let ways = schema.ways(from, to);
        let direct: Vec<Step<'k>> = ways
            .iter()
            .filter_map(|way| <[Step<'k>; 1]>::try_from(way.path.clone()).ok())
            .map(|[step]| step)
            .collect();
        matches!(direct.as_slice(), [only] if only.property == property && only.forward)
    }

    /// Whether it leads from the object of a requested statement to the literal that represents it.
    fn is_value_within(&self, statement: &Statement) -> bool {
        let inner = |other: &Statement| other.object == statement.subject && self.is_said(&other.property);
        let value = self.context.schema.property(&statement.property).is_some_and(PropertyCard::has_literals);
        value && self.parts.statements.iter().any(inner)
    }

    /// Whether a preposition of place precedes the object, and the property is named by such a preposition or by a noun for
    /// places: "cities in Italy", by `locatedIn` or `country`.
    fn is_place_of(&self, statement: &Statement) -> bool {
        let Node::Iri(place) = &statement.object else { return false };
        let question = self.question();
        let named = |entry: &&Entry| matches!(&entry.part, Part::Thing(iri) if iri == place);
        let placed = |entry: &Entry| {
            let before =
                (entry.span.from.saturating_sub(2)..entry.span.from).filter_map(|at| question.role_at(at));
            before.into_iter().any(|role| matches!(role, Role::In | Role::From))
        };
        let languages = [question.language, fallback()];
        let names = self.context.names_of(&statement.property);
        let by_role =
            names.iter().flatten().any(|word| languages.iter().any(|one| one.role(word) == Some(Role::In)));
        let kind = self.kind_of_thing(place);
        let classes: Vec<Vec<String>> =
            kind.classes().iter().flat_map(|class| self.class_names(class)).collect();
        let by_kind = names
            .iter()
            .any(|name| classes.iter().any(|class| name.last().is_some() && name.last() == class.last()));
        // A "country" is where something is; a "birth place" is where it once was.
        let by_noun = names.iter().any(|name| {
            matches!(name.as_slice(), [noun] if languages.iter().any(|one| one.kind_of_noun(noun) == Some(AnswerKind::Place)))
        });
        self.entries.iter().filter(named).any(placed) && (by_role || by_kind || by_noun)
    }

    /// Whether it is the only property that a time in the question can refer to: "manuscripts from 1616".
    fn is_only_time(&self, statement: &Statement) -> bool {
        let attributes = self.context.schema.attributes(&self.kind_of(&statement.subject));
        let timed = |(property, kind): &&(&str, eruca_indexer::ValueKind)| {
            kind.is_time() || self.context.names_time(property)
        };
        let times: Vec<&str> = attributes.iter().filter(timed).map(|(property, _)| *property).collect();
        times == [statement.property.as_str()] && !self.question().periods.is_empty()
    }

    /// Whether a literal named in the question is a known value of it.
    fn is_value_named(&self, statement: &Statement) -> bool {
        let mentions = self.context.links.mentions.iter().flat_map(|mention| &mention.values);
        let mut values = mentions.filter(|hit| hit.record.property == statement.property);
        let said = |text: &str| {
            self.entries.iter().any(|entry| matches!(&entry.part, Part::Value(own) if own == text))
        };
        values.any(|hit| said(&hit.record.text))
    }

    /// The kind of a node: from its class in the query, the types of the thing, and the properties leading to it.
    pub(super) fn kind_of(&self, node: &Node) -> Kind<'k> {
        let schema = &self.context.schema;
        let own =
            self.parts.classes.iter().filter(|(typed, _, mode)| typed == node && *mode != Mode::Negated);
        let classes: Vec<&str> = own.map(|(_, class, _)| class.as_str()).collect();
        if let Some(class) = classes.iter().find_map(|class| schema.class(class)) {
            return Kind::class(class);
        }
        if let Some(pattern) = classes.iter().find_map(|class| schema.pattern(class)) {
            return pattern.things().clone();
        }
        match node {
            Node::Iri(iri) => self.kind_of_thing(iri),
            Node::Literal(_) => Kind::Unknown,
            Node::Variable(name) => {
                let given = self.parts.values_of(name).find_map(|term| match term {
                    eruca_sparql::Term::NamedNode(iri) => Some(self.kind_of_thing(iri.as_str())),
                    _ => None,
                });
                given.unwrap_or_else(|| self.kind_by_statements(node))
            }
        }
    }

    fn kind_of_thing(&self, iri: &str) -> Kind<'k> {
        let all = self.context.links.mentions.iter().flat_map(|mention| &mention.entities);
        let hit = all.into_iter().find(|hit| hit.record.iri == iri);
        hit.map_or(Kind::Unknown, |hit| self.context.schema.kind_of_types(&hit.record.types))
    }

    fn kind_by_statements(&self, node: &Node) -> Kind<'k> {
        let schema = &self.context.schema;
        let kinds = self.parts.statements.iter().filter_map(|statement| {
            let step = schema.forward(&statement.property)?;
            if statement.object == *node {
                Some(schema.end(step))
            } else if statement.subject == *node {
                Some(schema.start(step))
            } else {
                None
            }
        });
        kinds.into_iter().find(|kind| *kind != Kind::Unknown).unwrap_or(Kind::Unknown)
    }

    /// Whether a class adds nothing to what a node's properties or "who" imply.
    fn is_kind_of(&self, node: &Node, class: &str) -> bool {
        let schema = &self.context.schema;
        let Some(class) = schema.class(class) else { return false };
        if self.is_of_pattern(node, class) {
            return true;
        }
        let kept = |statement: &Statement| {
            let Some(card) = schema.property(&statement.property) else { return false };
            let is_it = |own: &str| schema.index.graph.is_a(own, class) || own == class;
            let all: u64 = card.edges.iter().map(|edge| edge.count).sum();
            let own = card.edges.iter().filter(|edge| match &edge.target {
                _ if statement.subject == *node => edge.class.as_deref().is_some_and(is_it),
                eruca_indexer::Target::Class(target) => is_it(target),
                _ => false,
            });
            own.map(|edge| edge.count).sum::<u64>() as f32 > all as f32 * MOST_LEFT
        };
        let touching = |statement: &&Statement| statement.subject == *node || statement.object == *node;
        let person = self.context.is_kind(&Kind::class(class), AnswerKind::Person) == Some(true);
        let asked = person && self.context.has_cue(eruca_language::Cue::Who);
        asked || self.parts.statements.iter().filter(touching).any(kept)
    }

    /// Whether a pattern of the glossary that the node meets is for things of the class alone.
    fn is_of_pattern(&self, node: &Node, class: &str) -> bool {
        let own = self.parts.classes.iter().filter(|(typed, ..)| typed == node);
        let mut patterns = own.filter_map(|(_, name, _)| self.context.schema.pattern(name));
        patterns.any(|pattern| pattern.of() == Some(class))
    }

    /// Doubts a class if there are others whose names end with its name and no axiom relates them to it.
    fn narrow(&mut self, node: &Node, class: &str) {
        let schema = &self.context.schema;
        let Some(own) = schema.class(class) else { return };
        let names = self.class_names(own);
        let has = |statement: &&Statement| statement.subject == *node && statement.mode == Mode::Required;
        let mut left: Vec<&str> = Vec::new();
        for statement in self.parts.statements.iter().filter(has) {
            let Some(card) = schema.property(&statement.property) else { continue };
            left.extend(card.edges.iter().filter_map(|edge| edge.class.as_deref()));
        }
        left.truncate(MAX_CLASSES);
        let apart = |other: &&str| !schema.related(other, own) && schema.class(other).is_some();
        let called = |other: &&str| {
            schema.class(other).is_some_and(|other| {
                self.class_names(other).iter().any(|name| {
                    name.len() > 1 && names.iter().any(|own| !own.is_empty() && name.ends_with(own))
                })
            })
        };
        if left.iter().filter(|other| apart(other)).any(called) {
            self.doubt(Doubt::Narrow(own.to_owned()));
        }
    }

    /// Doubts a relation that only restricts things to a kind, among unrelated classes: "vessels" are not only those that a
    /// contract is about. Relations named after persons are exempt.
    pub(super) fn narrow_relations(&mut self) {
        let schema = &self.context.schema;
        let parts = self.parts;
        let mentions = |node: &Node| {
            let ends = parts.statements.iter().filter(|one| one.subject == *node || one.object == *node);
            ends.count() + parts.classes.iter().filter(|(typed, ..)| typed == node).count()
        };
        let alone = |node: &Node| {
            matches!(node, Node::Variable(name) if !parts.columns.contains(name) && !parts.groups.contains(name))
                && mentions(node) == 1
        };
        let apart = |kind: &Kind<'k>| {
            let own = kind.classes();
            own.iter().any(|one| own.iter().any(|other| !schema.related(one, other)))
        };
        let only_kind = |statement: &&Statement| {
            let Some(end) = schema.forward(&statement.property).map(|step| schema.end(step)) else {
                return false;
            };
            statement.mode == Mode::Required
                && alone(&statement.subject)
                && mentions(&statement.object) > 1
                && apart(&end)
                && !self.context.names_agent(&statement.property)
        };
        let found: Vec<String> =
            parts.statements.iter().filter(only_kind).map(|one| one.property.clone()).collect();
        found.into_iter().for_each(|property| self.doubt(Doubt::Narrow(property)));
    }

    pub(super) fn class_names(&self, class: &str) -> Vec<Vec<String>> {
        let names = &self.context.schema.index.names;
        let own = names.terms.iter().find(|term| term.iri == class);
        let word = |number: &usize| names.words.get(*number).cloned();
        own.map_or_else(Vec::new, |term| {
            term.names.iter().map(|name| name.iter().filter_map(word).collect()).collect()
        })
    }
}
