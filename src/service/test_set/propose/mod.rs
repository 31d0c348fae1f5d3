//! Questions made from a graph, for its owner to judge the answers: spread over the ways in which questions are built, over classes,
//! properties and languages.
//!
//! ```text
//! schema ─► options (what can be asked) ─► spread (whose turn it is) ─► make (real values, wording, query)
//! ```
//! Unlike example questions, these are not chosen by whether they are understood. The same graph, seed and languages give the same
//! questions; more of them begin with the same ones. Names come from the index, which has none that are hidden.

mod make;
mod names;
mod options;
mod spread;
mod values;

use crate::service::browse::own_language;
use eruca_api::TestProposal;
use eruca_dataset::Dataset;
use eruca_indexer::vocabulary::is_meta;
use eruca_knowledge::questions::question_key;
use eruca_knowledge::test_set::id_of;
use eruca_language::{Language, language};
use make::{Made, Maker};
use names::{Names, Subject};
use options::{CONSTRUCTS, Choice, Construct};
use spread::Spread;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Questions of one set, at most.
pub const MAX_PROPOSALS: usize = 300;
/// Time for all of them.
const ALL_TIME: Duration = Duration::from_secs(60);
/// Classes that questions are about.
const MAX_CLASSES: usize = 24;
/// Things of such a class, at least.
const MIN_INSTANCES: u64 = 3;
/// Languages of questions.
const MAX_LANGUAGES: usize = 3;
/// The share of texts that a language has, at least.
const MIN_TEXTS: f64 = 0.05;
/// Choices of one construct that are tried for one question.
const MAX_TRIES: usize = 8;

/// What is wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// How many questions.
    pub count: usize,
    /// In this language alone.
    pub lang: Option<String>,
    /// What is drawn: another seed gives other questions.
    pub seed: u64,
}

/// The languages of a graph that have a pack, that of most texts first.
pub(super) fn languages(dataset: &Dataset) -> Vec<&'static Language> {
    let own = own_language(dataset);
    let texts: u64 =
        dataset.index.card.languages.iter().filter(|(tag, _)| !tag.is_empty()).map(|(_, n)| n).sum();
    let frequent = |count: u64| count as f64 >= texts as f64 * MIN_TEXTS;
    let others =
        dataset.index.card.languages.iter().filter(|(tag, count)| !tag.is_empty() && frequent(*count));
    let mut found = vec![own];
    for other in others.filter_map(|(tag, _)| language(tag)) {
        if found.iter().all(|known| known.tag() != other.tag()) {
            found.push(other);
        }
    }
    found.truncate(MAX_LANGUAGES);
    found
}

/// As many questions as are wanted, or as the graph and the time allow.
pub(super) async fn proposals(dataset: &Dataset, wish: &Wish) -> Vec<TestProposal> {
    if !dataset.is_indexed() {
        return Vec::new();
    }
    let own = own_language(dataset).tag();
    let all = languages(dataset);
    let wanted: Vec<&'static Language> = match wish.lang.as_deref().and_then(language) {
        Some(only) => vec![only],
        None => all,
    };
    let views: Vec<(Dataset, &'static Language)> =
        wanted.into_iter().map(|language| (dataset.for_language(language.tag()), language)).collect();
    let mut proposer = Proposer {
        sides: views.iter().map(|(view, language)| Side::of(view, language, own, wish.seed)).collect(),
        spread: Spread::new(wish.seed),
        texts: HashSet::new(),
        until: Instant::now() + ALL_TIME,
    };
    proposer.propose(wish.count.min(MAX_PROPOSALS)).await
}

/// What can be asked in one language.
struct Side<'a> {
    maker: Maker<'a>,
    subjects: Vec<Subject>,
}

impl<'a> Side<'a> {
    fn of(dataset: &'a Dataset, language: &'static Language, own: &str, seed: u64) -> Self {
        let names = Names { dataset, language, is_own: language.tag() == own };
        let fits = |class: &&eruca_indexer::ClassCard| {
            class.instances_with_subclasses >= MIN_INSTANCES && !is_meta(&class.iri)
        };
        let mut classes: Vec<_> = dataset.index.card.classes.iter().filter(fits).collect();
        classes.sort_by(|a, b| {
            b.instances_with_subclasses.cmp(&a.instances_with_subclasses).then_with(|| a.iri.cmp(&b.iri))
        });
        let subjects =
            classes.into_iter().filter_map(|class| names.subject(class)).take(MAX_CLASSES).collect();
        Self { maker: Maker { names, seed }, subjects }
    }

    fn choices(&self, construct: Construct) -> Vec<Choice<'_>> {
        self.subjects.iter().flat_map(|subject| self.maker.names.choices(construct, subject)).collect()
    }
}

struct Proposer<'a> {
    sides: Vec<Side<'a>>,
    spread: Spread,
    texts: HashSet<String>,
    until: Instant,
}

impl Proposer<'_> {
    async fn propose(&mut self, count: usize) -> Vec<TestProposal> {
        let mut found: Vec<TestProposal> = Vec::new();
        let mut open: Vec<Construct> = CONSTRUCTS.to_vec();
        while !open.is_empty() && found.len() < count {
            let mut left = Vec::new();
            for construct in open {
                if found.len() == count || Instant::now() >= self.until {
                    return found;
                }
                if let Some(one) = self.one(construct, found.len()).await {
                    found.push(one);
                    left.push(construct);
                }
            }
            open = left;
        }
        found
    }

    /// The next question of a construct, in the language whose turn it is, or else in another one.
    async fn one(&mut self, construct: Construct, turn: usize) -> Option<TestProposal> {
        let Self { sides, spread, texts, until } = self;
        for at in 0..sides.len() {
            let side = sides.get((turn + turn / CONSTRUCTS.len() + at) % sides.len())?;
            let choices = side.choices(construct);
            for (choice, variant) in spread.next(&choices, construct.variants()).into_iter().take(MAX_TRIES) {
                if Instant::now() >= *until {
                    return None;
                }
                spread.tried(choice, variant);
                let Some(Made { text, query }) = side.maker.make(choice, variant).await else { continue };
                if !texts.insert(question_key(&text)) {
                    continue;
                }
                spread.used(choice);
                let lang = side.maker.names.language.tag();
                let id = id_of(&[construct.name(), lang, &query]);
                let (lang, construct) = (lang.to_owned(), construct.name().to_owned());
                return Some(TestProposal { id, question: text, lang, construct, query });
            }
        }
        None
    }
}
