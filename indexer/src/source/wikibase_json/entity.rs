//! Entities with their names, sitelinks, and data specific to properties and lexemes.

use super::model::{JsonEntity, LexemeForm, Map, Sense, Sitelink, Term as Text};
use super::names::{ValuePath, WikibaseNames, dct, iri, ontolex, property_type, schema, skos, wikibase};
use super::values::tagged;
use oxrdf::vocab::{rdf, rdfs, xsd};
use oxrdf::{GraphName, Literal, NamedNode, Quad, Term};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The paths from a property entity to its predicates.
const WAYS: [(&str, ValuePath); 9] = [
    ("directClaim", ValuePath::Direct),
    ("claim", ValuePath::Claim),
    ("statementProperty", ValuePath::Statement),
    ("statementValue", ValuePath::StatementValue),
    ("qualifier", ValuePath::Qualifier),
    ("qualifierValue", ValuePath::QualifierValue),
    ("reference", ValuePath::Reference),
    ("referenceValue", ValuePath::ReferenceValue),
    ("novalue", ValuePath::NoValue),
];
/// Maximum number of kinds of omitted data that are counted separately.
const MAX_KINDS: usize = 20;

/// Converts entities into quads, one after the other.
pub(super) struct Converter {
    pub(super) names: WikibaseNames,
    quads: Vec<Quad>,
    /// Value and reference nodes of the current entity that have already been written.
    written: HashSet<NamedNode>,
    left_out: BTreeMap<String, u64>,
}

impl Converter {
    pub(super) fn new(base: &str) -> Option<Self> {
        let names = WikibaseNames::new(base)?;
        Some(Self { names, quads: Vec::new(), written: HashSet::new(), left_out: BTreeMap::new() })
    }

    /// The quads of an entity, or why it is invalid.
    pub(super) fn convert(&mut self, entity: &JsonEntity) -> Result<Vec<Quad>, String> {
        self.quads.clear();
        self.written.clear();
        if entity.missing.is_none() {
            self.entity(entity)?;
        }
        Ok(std::mem::take(&mut self.quads))
    }

    fn entity(&mut self, entity: &JsonEntity) -> Result<(), String> {
        let id = &entity.id;
        let node = self.names.entity(id).ok_or_else(|| format!("'{id}' is not the id of an entity"))?;
        match entity.kind.as_deref() {
            Some("item") => self.is_a(&node, wikibase("Item")),
            Some("property") => self.property_entity(&node, entity)?,
            Some("lexeme") => self.lexeme(&node, entity)?,
            Some(other) => {
                let kind: String = other.chars().take(40).collect();
                self.leave_out(format!("entities of the type '{kind}'"));
                return Ok(());
            }
            None => return Err(format!("{id} has no type")),
        }
        self.texts(&node, &[rdfs::LABEL.into_owned()], &entity.labels);
        self.texts(&node, &[schema("description")], &entity.descriptions);
        for alias in entity.aliases.values().flatten() {
            self.push(&node, skos("altLabel"), tagged(&alias.value, &alias.language));
        }
        let (statements, identifiers) = self.statements(&node, &entity.claims)?;
        self.count(&node, "statements", statements);
        if entity.kind.as_deref() == Some("item") {
            self.count(&node, "identifiers", identifiers);
            self.count(&node, "sitelinks", entity.sitelinks.0.len());
            entity.sitelinks.values().for_each(|link| self.sitelink(&node, link));
        }
        Ok(())
    }

    fn property_entity(&mut self, node: &NamedNode, entity: &JsonEntity) -> Result<(), String> {
        self.is_a(node, wikibase("Property"));
        if let Some(datatype) = &entity.datatype {
            self.push(node, wikibase("propertyType"), property_type(datatype));
        }
        for (name, way) in WAYS {
            let predicate = self.property(way, &entity.id)?;
            self.push(node, wikibase(name), predicate);
        }
        Ok(())
    }

    fn lexeme(&mut self, node: &NamedNode, entity: &JsonEntity) -> Result<(), String> {
        self.is_a(node, wikibase("Lexeme"));
        self.is_a(node, ontolex("LexicalEntry"));
        self.texts(node, &[wikibase("lemma"), rdfs::LABEL.into_owned()], &entity.lemmas);
        for (predicate, id) in
            [(wikibase("lexicalCategory"), &entity.lexical_category), (dct("language"), &entity.language)]
        {
            if let Some(id) = id {
                self.link(node, predicate, id)?;
            }
        }
        entity.forms.iter().try_for_each(|form| self.form(node, form))?;
        entity.senses.iter().try_for_each(|sense| self.sense(node, sense))
    }

    fn form(&mut self, lexeme: &NamedNode, form: &LexemeForm) -> Result<(), String> {
        let node = self.link(lexeme, ontolex("lexicalForm"), &form.id)?;
        self.is_a(&node, wikibase("Form"));
        self.is_a(&node, ontolex("Form"));
        self.texts(&node, &[ontolex("representation"), rdfs::LABEL.into_owned()], &form.representations);
        for feature in &form.grammatical_features {
            self.link(&node, wikibase("grammaticalFeature"), feature)?;
        }
        self.statements(&node, &form.claims).map(|_| ())
    }

    fn sense(&mut self, lexeme: &NamedNode, sense: &Sense) -> Result<(), String> {
        let node = self.link(lexeme, ontolex("sense"), &sense.id)?;
        self.is_a(&node, wikibase("Sense"));
        self.is_a(&node, ontolex("LexicalSense"));
        self.texts(&node, &[skos("definition"), rdfs::LABEL.into_owned()], &sense.glosses);
        self.statements(&node, &sense.claims).map(|_| ())
    }

    /// An article, if its URL is known: dumps contain no URLs.
    fn sitelink(&mut self, entity: &NamedNode, link: &Sitelink) {
        let Some(article) = link.url.as_deref().and_then(iri) else { return };
        self.is_a(&article, schema("Article"));
        self.push(&article, schema("about"), entity.clone());
        let address = article.as_str().split_once("://").and_then(|(scheme, rest)| {
            let host = rest.split('/').next()?;
            let language = host.split('.').next()?;
            Some((NamedNode::new(format!("{scheme}://{host}/")).ok()?, language.to_owned()))
        });
        let language = address.as_ref().map(|(_, language)| language.as_str());
        let language = language.filter(|language| names_language(language, &link.site));
        let title = match language {
            Some(language) => tagged(&link.title, language),
            None => Literal::new_simple_literal(&link.title),
        };
        if let Some(language) = title.language() {
            self.push(&article, schema("inLanguage"), Literal::new_simple_literal(language));
        }
        self.push(&article, schema("name"), title);
        if let Some((site, _)) = address {
            self.push(&article, schema("isPartOf"), site);
        }
        for badge in link.badges.iter().filter_map(|badge| self.names.entity(badge)).collect::<Vec<_>>() {
            self.push(&article, wikibase("badge"), badge);
        }
    }

    /// Writes a link to another entity, and returns that.
    fn link(&mut self, subject: &NamedNode, predicate: NamedNode, id: &str) -> Result<NamedNode, String> {
        let node = self.names.entity(id).ok_or_else(|| format!("'{id}' is not the id of an entity"))?;
        self.push(subject, predicate, node.clone());
        Ok(node)
    }

    fn texts(&mut self, subject: &NamedNode, predicates: &[NamedNode], texts: &Map<Text>) {
        for text in texts.values() {
            for predicate in predicates {
                self.push(subject, predicate.clone(), tagged(&text.value, &text.language));
            }
        }
    }

    fn count(&mut self, subject: &NamedNode, name: &str, count: usize) {
        self.push(subject, wikibase(name), Literal::new_typed_literal(count.to_string(), xsd::INTEGER));
    }

    fn is_a(&mut self, subject: &NamedNode, class: NamedNode) {
        self.push(subject, rdf::TYPE.into_owned(), class);
    }

    pub(super) fn property(&self, way: ValuePath, id: &str) -> Result<NamedNode, String> {
        self.names.property(way, id).ok_or_else(|| format!("'{id}' is not the id of a property"))
    }

    pub(super) fn push(&mut self, subject: &NamedNode, predicate: NamedNode, object: impl Into<Term>) {
        self.quads.push(Quad::new(subject.clone(), predicate, object, GraphName::DefaultGraph));
    }

    /// Whether a node has not been written for this entity yet.
    pub(super) fn is_new(&mut self, node: &NamedNode) -> bool {
        self.written.insert(node.clone())
    }

    pub(super) fn leave_out(&mut self, what: String) {
        if self.left_out.len() < MAX_KINDS || self.left_out.contains_key(&what) {
            *self.left_out.entry(what).or_default() += 1;
        }
    }

    pub(super) fn left_out(&self, path: &Path) -> Vec<String> {
        let told = self.left_out.iter();
        told.map(|(what, count)| format!("{}: {what} are not read ({count})", path.display())).collect()
    }

    pub(super) fn prefixes(&self) -> Vec<(String, String)> {
        self.names.prefixes()
    }
}

/// Whether the first part of a site's host is a language, as for `enwiki`, but not for `commonswiki`.
fn names_language(host: &str, site: &str) -> bool {
    let like_one = host.len() <= 3 || host.contains('-') || host == "simple";
    like_one && site.replace('_', "-").strip_prefix(host).is_some_and(|rest| rest.starts_with("wiki"))
}
