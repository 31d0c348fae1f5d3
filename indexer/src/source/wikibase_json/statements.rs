//! Statements with ranks, qualifiers and references.

use super::entity::Converter;
use super::model::{JsonRank, JsonStatement, Map, Reference, Snak, SnakKind};
use super::names::{ValuePath, wikibase};
use super::values::{Details, Unread, value};
use crate::vocabulary::DERIVED_FROM;
use oxrdf::vocab::rdf;
use oxrdf::{BlankNode, NamedNode, Term};
use uuid::Uuid;

/// Maximum number of characters shown of the name of a value kind.
const MAX_KIND_CHARS: usize = 40;

/// The content of a snak.
enum SnakValue {
    Value { term: Term, details: Option<Details> },
    Nothing,
    Unread,
}

impl Converter {
    /// Writes the statements of an entity, form or sense; returns their number, and how many are external identifiers.
    pub(super) fn statements(
        &mut self,
        subject: &NamedNode,
        claims: &Map<Vec<JsonStatement>>,
    ) -> Result<(usize, usize), String> {
        let (mut all, mut identifiers) = (0, 0);
        for (property, statements) in &claims.0 {
            let best = statements.iter().map(|statement| statement.rank).max().unwrap_or_default();
            for (at, statement) in statements.iter().enumerate() {
                // A deprecated statement never has the best rank, even if it is the only one.
                let best = statement.rank == best && best != JsonRank::Deprecated;
                let node = self.statement_node(subject, property, at, statement);
                self.statement(subject, &node, statement, best)?;
                all += 1;
                identifiers += usize::from(statement.mainsnak.datatype.as_deref() == Some("external-id"));
            }
        }
        Ok((all, identifiers))
    }

    /// The node of a statement; one without an id gets the same node in every build.
    fn statement_node(
        &self,
        subject: &NamedNode,
        property: &str,
        at: usize,
        statement: &JsonStatement,
    ) -> NamedNode {
        match &statement.id {
            Some(guid) => self.names.statement(guid),
            None => {
                let key = format!("{} {property} {at}", subject.as_str());
                let guid = Uuid::new_v5(&Uuid::NAMESPACE_URL, key.as_bytes()).simple().to_string();
                self.names.statement(&guid)
            }
        }
    }

    fn statement(
        &mut self,
        subject: &NamedNode,
        node: &NamedNode,
        statement: &JsonStatement,
        best: bool,
    ) -> Result<(), String> {
        let claim = self.property(ValuePath::Claim, &statement.mainsnak.property)?;
        self.push(subject, claim, node.clone());
        self.push(node, rdf::TYPE.into_owned(), wikibase("Statement"));
        let rank = match statement.rank {
            JsonRank::Deprecated => "DeprecatedRank",
            JsonRank::Normal => "NormalRank",
            JsonRank::Preferred => "PreferredRank",
        };
        self.push(node, wikibase("rank"), wikibase(rank));
        if best {
            self.push(node, rdf::TYPE.into_owned(), wikibase("BestRank"));
        }
        let said = self.said(&statement.mainsnak)?;
        if best {
            self.say(subject, ValuePath::Direct, &statement.mainsnak.property, &said)?;
        }
        self.say(node, ValuePath::Statement, &statement.mainsnak.property, &said)?;
        self.snaks(node, ValuePath::Qualifier, &statement.qualifiers)?;
        statement.references.iter().try_for_each(|reference| self.reference(node, reference))
    }

    fn reference(&mut self, statement: &NamedNode, reference: &Reference) -> Result<(), String> {
        let own = reference.hash.as_deref().filter(|hash| {
            (1..=64).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_alphanumeric())
        });
        let hash = own.map_or_else(|| Uuid::new_v4().simple().to_string(), str::to_owned);
        let node = self.names.reference(&hash);
        self.push(statement, NamedNode::new_unchecked(DERIVED_FROM), node.clone());
        if self.is_new(&node) {
            self.push(&node, rdf::TYPE.into_owned(), wikibase("Reference"));
            self.snaks(&node, ValuePath::Reference, &reference.snaks)?;
        }
        Ok(())
    }

    fn snaks(&mut self, subject: &NamedNode, way: ValuePath, snaks: &Map<Vec<Snak>>) -> Result<(), String> {
        for snak in snaks.values().flatten() {
            let said = self.said(snak)?;
            self.say(subject, way, &snak.property, &said)?;
        }
        Ok(())
    }

    fn said(&mut self, snak: &Snak) -> Result<SnakValue, String> {
        let data = match (snak.snaktype, &snak.datavalue) {
            (SnakKind::NoValue, _) => return Ok(SnakValue::Nothing),
            (SnakKind::SomeValue, _) => {
                return Ok(SnakValue::Value { term: BlankNode::default().into(), details: None });
            }
            (SnakKind::Value, None) => return Err(format!("{}: there is no datavalue", snak.property)),
            (SnakKind::Value, Some(data)) => data,
        };
        match value(&self.names, snak, data) {
            Ok(value) => Ok(SnakValue::Value { term: value.term, details: value.details }),
            Err(Unread::Kind(kind)) => {
                let kind: String = kind.chars().take(MAX_KIND_CHARS).collect();
                self.leave_out(format!("values of the kind '{kind}'"));
                Ok(SnakValue::Unread)
            }
            Err(Unread::Broken(reason)) => Err(reason),
        }
    }

    fn say(
        &mut self,
        subject: &NamedNode,
        way: ValuePath,
        property: &str,
        said: &SnakValue,
    ) -> Result<(), String> {
        match said {
            SnakValue::Unread => {}
            SnakValue::Nothing => {
                let class = self.property(ValuePath::NoValue, property)?;
                self.push(subject, rdf::TYPE.into_owned(), class);
            }
            SnakValue::Value { term, details } => {
                let predicate = self.property(way, property)?;
                self.push(subject, predicate, term.clone());
                if let (Some(detailed), Some(details)) = (way.detailed(), details) {
                    let predicate = self.property(detailed, property)?;
                    self.push(subject, predicate, details.node.clone());
                    self.details(details);
                }
            }
        }
        Ok(())
    }

    fn details(&mut self, details: &Details) {
        if self.is_new(&details.node) {
            self.push(&details.node, rdf::TYPE.into_owned(), wikibase(details.class));
            for (name, value) in &details.says {
                self.push(&details.node, wikibase(name), value.clone());
            }
        }
    }
}
