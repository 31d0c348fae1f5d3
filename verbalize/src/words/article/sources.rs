//! What the lines of an article rest on: a bounded list, each source once.

use super::super::columns::kind_of;
use super::super::{Verbalizer, names};
use eruca_api::{ArticleSource, Citation, ColumnKind, ShownTerm};
use eruca_dataset::MAX_NAME_CHARS;
use eruca_sparql::{Term, one_line};

/// Sources of an article.
pub(super) const MAX_SOURCES: usize = 60;
/// Maximum length of a literal in a source, in characters.
const MAX_VALUE: usize = 1_000;

/// A statement: subject, property, value.
pub(super) type Statement = [Term; 3];

/// The sources of an article so far.
pub(super) struct Sources<'a> {
    teller: Verbalizer<'a>,
    list: Vec<ArticleSource>,
}

impl<'a> Sources<'a> {
    pub fn new(teller: Verbalizer<'a>) -> Self {
        Self { teller, list: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn list(self) -> Vec<ArticleSource> {
        self.list
    }

    /// The place of a statement in the list, from 1; `None` if there is no room.
    pub fn statement(&mut self, [subject, property, value]: &Statement) -> Option<usize> {
        let [subject, property, value] = [subject, property, value].map(|term| self.shown(term));
        self.place(ArticleSource::Triple { subject, property: self.property(property), value })
    }

    /// That of a passage.
    pub fn passage(&mut self, citation: &Citation) -> Option<usize> {
        self.place(ArticleSource::Passage { passage: citation.clone() })
    }

    /// That of the query of the answer.
    pub fn query(&mut self) -> Option<usize> {
        let query = self.teller.context.query.text().to_owned();
        self.place(ArticleSource::Query { query })
    }

    fn place(&mut self, source: ArticleSource) -> Option<usize> {
        let known = self.list.iter().position(|known| *known == source);
        if known.is_none() && self.list.len() >= MAX_SOURCES {
            return None;
        }
        let at = known.unwrap_or(self.list.len());
        if known.is_none() {
            self.list.push(source);
        }
        Some(at + 1)
    }

    fn shown(&self, term: &Term) -> ShownTerm {
        let mut shown = ShownTerm::from(term);
        match term {
            Term::NamedNode(node) if kind_of(term) != ColumnKind::Picture => {
                let context = &self.teller.context;
                shown.label = Some(names::name(context.dataset, context.labels, node.as_str()));
            }
            Term::Literal(literal) => shown.value = one_line(literal.value(), MAX_VALUE),
            Term::NamedNode(_) | Term::BlankNode(_) => {}
        }
        shown
    }

    fn property(&self, mut property: ShownTerm) -> ShownTerm {
        let name = self.teller.context.dataset.schema_name(&property.value);
        property.label = Some(one_line(name.trim(), MAX_NAME_CHARS)).filter(|name| !name.is_empty());
        property
    }
}
