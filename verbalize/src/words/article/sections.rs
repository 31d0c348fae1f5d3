//! Chooses the lines of the sections about a thing: a line of each section in turn, as long as there is room for their
//! sources, so that no kind of property takes it all.

use super::super::Verbalizer;
use super::super::phrase::Phrase;
use super::MAX_LINES;
use super::sources::{Sources, Statement};
use eruca_api::{ArticleLine, ArticleSection, SectionKind};
use eruca_sparql::{NamedNode, Term};

/// Sections about a thing.
const MAX_SECTIONS: usize = 7;

/// A line that may be told, with the values that it rests on.
pub(super) struct Draft<'c> {
    pub kind: SectionKind,
    pub phrase: Phrase,
    pub property: &'c NamedNode,
    /// The values that it tells.
    pub values: Vec<&'c Term>,
    /// Further ones.
    pub more: usize,
    /// Whether it is a description, which goes before other properties.
    pub describes: bool,
}

impl<'c> Draft<'c> {
    /// A line that tells the first `shown` of `values`.
    pub fn new(
        kind: SectionKind,
        phrase: Phrase,
        property: &'c NamedNode,
        values: &[&'c Term],
        shown: usize,
    ) -> Self {
        let more = values.len().saturating_sub(shown);
        let values = values.iter().copied().take(shown).collect();
        Self { kind, phrase, property, values, more, describes: false }
    }
}

impl Verbalizer<'_> {
    /// The sections of the drafts with at most `room` sources, and the number of lines whose sections are left out.
    pub(super) fn sections(
        &self,
        subject: &NamedNode,
        drafts: Vec<Draft<'_>>,
        room: usize,
        sources: &mut Sources<'_>,
    ) -> (Vec<ArticleSection>, usize) {
        let mut kinds: Vec<SectionKind> = drafts.iter().map(|draft| draft.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.truncate(MAX_SECTIONS);
        let all = drafts.len();
        let chosen = chosen(drafts, &kinds, room);
        let mut told = 0;
        let mut sections = Vec::new();
        for (of_kind, kind) in chosen.into_iter().zip(kinds) {
            let count = of_kind.all;
            let lines: Vec<ArticleLine> =
                of_kind.lines.into_iter().filter_map(|draft| line(subject, draft, sources)).collect();
            let section = self.section(kind, lines, count);
            told += if section.is_some() { count } else { 0 };
            sections.extend(section);
        }
        (sections, all - told)
    }
}

/// The lines of a section, and how many there are with those left out.
#[derive(Default)]
struct OfKind<'c> {
    lines: Vec<Draft<'c>>,
    all: usize,
}

fn chosen<'c>(drafts: Vec<Draft<'c>>, kinds: &[SectionKind], mut room: usize) -> Vec<OfKind<'c>> {
    let mut waiting: Vec<std::collections::VecDeque<Draft<'c>>> = kinds.iter().map(|_| [].into()).collect();
    for draft in drafts {
        let place = kinds.iter().position(|kind| *kind == draft.kind);
        if let Some(queue) = place.and_then(|at| waiting.get_mut(at)) {
            queue.push_back(draft);
        }
    }
    let mut chosen: Vec<OfKind<'c>> =
        waiting.iter().map(|queue| OfKind { lines: Vec::new(), all: queue.len() }).collect();
    for _ in 0..MAX_LINES {
        for (queue, of_kind) in waiting.iter_mut().zip(&mut chosen) {
            let Some(draft) = queue.pop_front() else { continue };
            if draft.values.len() <= room {
                room -= draft.values.len();
                of_kind.lines.push(draft);
            }
        }
    }
    chosen
}

/// A line with its sources; `None` without any.
fn line(subject: &NamedNode, draft: Draft<'_>, sources: &mut Sources<'_>) -> Option<ArticleLine> {
    let (_, parts) = draft.phrase.into_parts();
    let statement = |value: &Term| -> Statement {
        [subject.clone().into(), draft.property.clone().into(), value.clone()]
    };
    let wanted = draft.values.len();
    let numbers: Vec<usize> =
        draft.values.iter().filter_map(|value| sources.statement(&statement(value))).collect();
    (!numbers.is_empty() && numbers.len() == wanted).then_some(ArticleLine {
        parts,
        sources: numbers,
        more_sources: draft.more,
    })
}
