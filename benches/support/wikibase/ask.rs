//! Names of a Wikibase that are asked for, each with what is right.

use super::{LANGUAGES, Wikibase};
use crate::support::graph::{Random, misspelt};
use std::collections::HashMap;

/// A homonym's best known bearer has so many pages, and so many times those of the next one.
const LEAST_PAGES: usize = 10;
const LEAD: usize = 4;

/// How an item is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Its label in this language.
    Label(usize),
    /// The first label with a typo.
    Typo,
    Alias,
    /// A name that several items have, of which one is much better known.
    Homonym,
}

/// A text and what is right: the item or, where its name is all that tells, another of that name.
pub struct Question {
    pub text: String,
    pub item: usize,
    pub name: Option<String>,
}

impl Asking {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(Self::Label).chain([Self::Typo, Self::Alias, Self::Homonym])
    }

    pub fn name(self) -> String {
        match self {
            Self::Label(language) => format!("label in {}", LANGUAGES[language]),
            Self::Typo => "typo".to_owned(),
            Self::Alias => "alias".to_owned(),
            Self::Homonym => "homonym".to_owned(),
        }
    }

    /// Questions of this kind, as many as are wanted or there are.
    pub fn questions(self, graph: &Wikibase, count: usize) -> Vec<Question> {
        if self == Self::Homonym {
            return homonyms(graph, count);
        }
        let mut random = Random::new(0xBEEF);
        let ask = |_: usize| {
            let item = random.below(graph.items);
            let names = graph.names(item);
            let name = match self {
                Self::Label(language) => names.labels.into_iter().nth(language)??,
                Self::Alias => names.aliases.into_iter().next()?,
                Self::Typo | Self::Homonym => names.labels.into_iter().next()??,
            };
            let text = if self == Self::Typo { misspelt(&name, &mut random) } else { name.clone() };
            Some(Question { text, item, name: Some(name) })
        };
        (0..100 * count).filter_map(ask).take(count).collect()
    }
}

/// Items much better known than all others of the same name.
fn homonyms(graph: &Wikibase, count: usize) -> Vec<Question> {
    let first = |item: usize| {
        let names = graph.names(item);
        (names.labels.into_iter().next().flatten().unwrap_or_default(), names.pages)
    };
    // Those that are known well enough, then all others of their names.
    let mut best: HashMap<String, (usize, usize, usize)> = HashMap::new();
    for item in 0..graph.items {
        let (name, pages) = first(item);
        if pages >= LEAST_PAGES && best.len() < 20 * count {
            best.entry(name).or_insert((pages, item, 0));
        }
    }
    let mut next: HashMap<String, usize> = HashMap::new();
    for item in 0..graph.items {
        let (name, pages) = first(item);
        let Some((most, known, others)) = best.get_mut(&name) else { continue };
        if *known == item {
            continue;
        }
        *others += 1;
        let second = next.entry(name).or_default();
        *second = (*second).max(pages.min(*most));
        if pages > *most {
            (*most, *known) = (pages, item);
        }
    }
    let clear = |(name, (pages, item, others)): (String, (usize, usize, usize))| {
        let second = next.get(&name).copied().unwrap_or(0);
        (others > 0 && pages >= LEAD * second.max(1)).then_some(Question { text: name, item, name: None })
    };
    let mut questions: Vec<Question> = best.into_iter().filter_map(clear).collect();
    questions.sort_by_key(|question| question.item);
    questions.truncate(count);
    questions
}
