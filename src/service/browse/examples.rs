//! Example questions for a graph, generated from its schema and entities. Each one has been understood by the planner
//! and returned rows. They are generated once per language, in the background, when first requested.
//!
//! An example is shown only if the planner is sure of its own reading. Test: `tests/browse.rs`.

use super::templates::questions;
use super::{LOOK_TIME, number, rows};
use crate::cpu_pool::CpuPool;
use crate::service::Service;
use crate::service::planned::{ToPlan, plan};
use eruca_api::Confidence;
use eruca_dataset::Dataset;
use eruca_indexer::media::coordinate_role;
use eruca_indexer::vocabulary::is_meta;
use eruca_indexer::{Attribute, ClassCard, Hop, Label};
use eruca_language::text::{fold, humanize, normalize_word, words};
use eruca_language::{AnswerKind, Language, Role, fallback, language};
use eruca_sparql::{Term, local_name};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// Time limits for all questions of a graph in one language, and for one of them.
const ALL_TIME: Duration = Duration::from_secs(30);
const TRY_TIME: Duration = Duration::from_secs(4);
/// Maximum time a request waits; questions generated later are available to the next request.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// Number of classes that questions are about, and of questions of one kind that are tried.
const MAX_CLASSES: usize = 8;
const MAX_TRIES: usize = 6;
/// Minimum number of instances of a class that questions are about.
const MIN_INSTANCES: u64 = 3;
/// Minimum share of a class's instances that must have a property.
const MIN_SHARE: f64 = 0.5;
/// Maximum length of a name, so that questions stay short.
const MAX_NAME_CHARS: usize = 32;
/// Rows fetched to choose a bound.
const MAX_VALUES: usize = 1_000;
/// With fewer questions than this in the wanted language, those in the graph's own language are shown.
const ENOUGH: usize = 2;

/// The kinds of questions: keys of the phrases, in the order in which they are tried and shown.
const KINDS: [&str; 8] = ["within", "property", "group", "most", "relation", "bound", "count", "list"];
/// Maximum number of questions shown.
const MAX_QUESTIONS: usize = 6;

/// The questions of all datasets, generated or in progress.
pub(in crate::service) struct Examples {
    made: Mutex<HashMap<(String, &'static str), Making>>,
    /// One graph at a time, so that generating examples delays no answers.
    turn: Arc<Semaphore>,
}

type Making = Shared<BoxFuture<'static, Arc<Vec<String>>>>;

impl Default for Examples {
    fn default() -> Self {
        Self { made: Mutex::default(), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Examples {
    /// Discards the questions of a dataset that was reopened.
    pub(in crate::service) fn forget(&self, dataset: &str) {
        self.made().retain(|(id, _), _| id != dataset);
    }

    fn made(&self) -> MutexGuard<'_, HashMap<(String, &'static str), Making>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Example questions of a dataset, in this language or else in its own, and whether more are still being
    /// generated.
    pub(in crate::service) async fn examples(
        self: &Arc<Self>,
        dataset: &Arc<Dataset>,
        lang: Option<&str>,
    ) -> (Vec<String>, bool) {
        if !dataset.is_indexed() {
            return (Vec::new(), false);
        }
        let own = own_language(dataset);
        let wanted = lang.and_then(language).unwrap_or(own);
        let found = self.made(dataset, wanted).await;
        match found {
            Some(found) if found.len() < ENOUGH && wanted.tag() != own.tag() => {
                let others = self.made(dataset, own).await;
                (others.as_deref().cloned().unwrap_or_default(), others.is_none())
            }
            Some(found) => (found.to_vec(), false),
            None => (Vec::new(), true),
        }
    }

    /// The questions in one language; `None` while they are being generated.
    async fn made(
        self: &Arc<Self>,
        dataset: &Arc<Dataset>,
        language: &'static Language,
    ) -> Option<Arc<Vec<String>>> {
        let making = {
            let mut made = self.examples.made();
            let key = (dataset.id.clone(), language.tag());
            made.entry(key).or_insert_with(|| self.clone().make(dataset.clone(), language)).clone()
        };
        tokio::time::timeout(PATIENCE, making).await.ok()
    }

    /// Starts generating questions; continues even if no request waits.
    fn make(self: Arc<Self>, dataset: Arc<Dataset>, language: &'static Language) -> Making {
        let turn = self.examples.turn.clone();
        let task = tokio::spawn(async move {
            let _turn = turn.acquire().await;
            let cpu_pool = self.cpu_pool.clone();
            self.cpu_pool.aside(async move { made(&cpu_pool, &dataset, language).await }).await
        });
        async move { Arc::new(task.await.unwrap_or_default()) }.boxed().shared()
    }
}

/// The most frequent label language of a graph that has a language pack.
pub(in crate::service) fn own_language(dataset: &Dataset) -> &'static Language {
    let preferred = dataset.languages.iter().map(String::as_str);
    let counted = dataset.index.card.languages.iter().map(|(tag, _)| tag.as_str());
    // The first preferred language is the reader's, which the graph need not have.
    let has = |tag: &&str| dataset.index.card.languages.iter().any(|(known, _)| known == *tag);
    let found = counted.chain(preferred.filter(has)).filter(|tag| !tag.is_empty()).find_map(language);
    found.unwrap_or_else(fallback)
}

/// One question of each kind, about different classes as far as possible.
async fn made(cpu_pool: &CpuPool, dataset: &Dataset, language: &'static Language) -> Vec<String> {
    let deadline = Instant::now() + ALL_TIME;
    let dataset = dataset.for_language(language.tag());
    let maker = QuestionMaker { dataset: &dataset, language, classes: subjects(&dataset, language) };
    let mut found = Vec::new();
    let mut used: Vec<String> = Vec::new();
    for kind in KINDS {
        if found.len() == MAX_QUESTIONS {
            break;
        }
        let mut candidates = maker.candidates(kind).await;
        // A stable sort: among unused classes, the largest stays first.
        candidates.sort_by_key(|candidate| used.iter().filter(|class| **class == candidate.class).count());
        for candidate in candidates.into_iter().take(MAX_TRIES) {
            if Instant::now() >= deadline {
                return found;
            }
            if let Some(text) = understood(cpu_pool, &dataset, &candidate).await {
                found.push(text);
                used.push(candidate.class);
                break;
            }
        }
    }
    found
}

/// The first text that the planner reads as intended, with a sure reading and a non-empty result.
async fn understood(cpu_pool: &CpuPool, dataset: &Dataset, candidate: &ExampleCandidate) -> Option<String> {
    for text in &candidate.texts {
        let question = Arc::new(dataset.read(text));
        let asked = Arc::new(dataset.asked(&question));
        let Ok(named) = asked.link(&question, None) else { continue };
        let to_plan = ToPlan::alone(question, named);
        let planned = plan(cpu_pool, None, &asked, &to_plan, Instant::now() + TRY_TIME).await;
        let Some(insight) = planned.insight else { continue };
        let sure = insight.confidence == Confidence::Sure;
        let Some(best) = planned.best else { continue };
        let meant = candidate.property.as_ref().is_none_or(|iri| best.query.text().contains(iri));
        let gives = best.result.is_ok_and(|answer| !answer.gives_nothing());
        if sure && meant && gives {
            return Some(text.clone());
        }
    }
    None
}

/// A question in several wordings, and the class it is about.
struct ExampleCandidate {
    class: String,
    /// The property used in its query.
    property: Option<String>,
    texts: Vec<String>,
}

/// A class that questions may be about, with its names.
struct Subject<'a> {
    class: &'a ClassCard,
    one: String,
    many: Option<String>,
}

/// The largest classes with a name in the language.
fn subjects<'a>(dataset: &'a Dataset, language: &Language) -> Vec<Subject<'a>> {
    let fits = |class: &&ClassCard| class.instances >= MIN_INSTANCES && !is_meta(&class.iri);
    let mut classes: Vec<&ClassCard> = dataset.index.card.classes.iter().filter(fits).collect();
    classes.sort_by_key(|class| std::cmp::Reverse(class.instances));
    let subject = |class: &'a ClassCard| {
        let one = name_in(&class.labels, &class.iri, language)?;
        Some(Subject { class, many: language.plural(&one), one })
    };
    classes.into_iter().filter_map(subject).take(MAX_CLASSES).collect()
}

/// The label in a language. Labels without a language tag and readable local names count as the fallback language.
fn name_in(labels: &[Label], iri: &str, language: &Language) -> Option<String> {
    let is_fallback = language.tag() == fallback().tag();
    let speaks = |label: &&Label| label.language.split('-').next() == Some(language.tag());
    let own = labels.iter().find(speaks).map(|label| label.text.clone());
    let untagged = || labels.iter().find(|label| label.language.is_empty()).map(|label| label.text.clone());
    let local = || labels.is_empty().then(|| humanize(local_name(iri)).to_lowercase());
    let name = own.or_else(|| if is_fallback { untagged().or_else(local) } else { None })?;
    is_plain(&name).then(|| name.trim().to_owned())
}

/// Whether a name fits into a question: short, and without digits or special characters.
fn is_plain(name: &str) -> bool {
    let fits = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '’' | '.');
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    letters >= 2 && name.chars().count() <= MAX_NAME_CHARS && name.chars().all(fits)
}

/// The property that a question is about, if any, and the values of the phrase's placeholders.
type Meant = (Option<String>, Vec<(&'static str, String)>);

/// Generates questions for one graph in one language.
struct QuestionMaker<'a> {
    dataset: &'a Dataset,
    language: &'static Language,
    classes: Vec<Subject<'a>>,
}

impl QuestionMaker<'_> {
    /// Questions of one kind, about the largest classes first.
    async fn candidates(&self, kind: &str) -> Vec<ExampleCandidate> {
        let mut found = Vec::new();
        for subject in &self.classes {
            let meant = match kind {
                "list" | "count" => Some((None, Vec::new())),
                "property" => self.property(subject),
                "within" => self.within(subject).await,
                "group" => self.group(subject),
                "relation" => self.relation(subject).await,
                "bound" => self.bound(subject).await,
                _ => self.measure(subject).map(|(iri, name)| (Some(iri), vec![("property", name)])),
            };
            let Some((property, mut values)) = meant else { continue };
            let needs_many = kind != "property";
            values.push(("class", subject.one.clone()));
            match &subject.many {
                Some(many) => values.push(("classes", many.clone())),
                None if needs_many => continue,
                None => {}
            }
            let values: Vec<(&str, &str)> =
                values.iter().map(|(key, value)| (*key, value.as_str())).collect();
            let texts = questions(self.language, kind, &values);
            found.push(ExampleCandidate { class: subject.class.iri.clone(), property, texts });
        }
        found
    }

    fn is_common(&self, subject: &Subject<'_>, count: u64) -> bool {
        count as f64 >= MIN_SHARE * subject.class.instances_with_subclasses as f64
    }

    fn property_name(&self, iri: &str) -> Option<String> {
        let card = self.dataset.index.card.property(iri)?;
        name_in(&card.labels, iri, self.language)
    }

    /// The numeric property that most instances have, and its name.
    fn measure(&self, subject: &Subject<'_>) -> Option<(String, String)> {
        let attributes = self.dataset.index.graph.attributes(&subject.class.iri).iter();
        let fits = |attribute: &&Attribute| {
            attribute.kind.is_number()
                && self.is_common(subject, attribute.count)
                && coordinate_role(&attribute.property).is_none()
        };
        let mut fitting = attributes.filter(fits);
        fitting.find_map(|attribute| {
            Some((attribute.property.clone(), self.property_name(&attribute.property)?))
        })
    }

    /// A property linking to entities that it is named after ("capital" links to capital cities), so that its name is
    /// a noun in any language.
    fn noun(&self, subject: &Subject<'_>) -> Option<(String, String)> {
        let hops = self.dataset.index.graph.hops(&subject.class.iri).iter();
        let fits = |hop: &&Hop| hop.forward && self.is_common(subject, hop.count);
        let mut named = hops.filter(fits).filter_map(|hop| {
            let name = self.property_name(&hop.property)?;
            let kind = self.dataset.index.card.class(&hop.class)?;
            let kind = name_in(&kind.labels, &kind.iri, self.language)?;
            let is_noun = shares_a_word(&name, &kind) && !self.is_phrase(&name);
            is_noun.then(|| (hop.property.clone(), name))
        });
        named.next()
    }

    /// Whether a name contains a preposition, like "located in country", and so is not a noun.
    fn is_phrase(&self, name: &str) -> bool {
        let mut roles = name.split(' ').filter_map(|word| self.language.role(&fold(word)));
        roles.any(|role| !matches!(role, Role::Of | Role::Kind))
    }

    /// The property that links the class to a matching kind of entity, and the name of that kind.
    fn to_kind(&self, subject: &Subject<'_>, fits: impl Fn(&str) -> bool) -> Option<(String, String)> {
        let hops = self.dataset.index.graph.hops(&subject.class.iri).iter();
        let mut found =
            hops.filter(|hop| hop.forward && self.is_common(subject, hop.count)).filter_map(|hop| {
                let kind = self.dataset.index.card.class(&hop.class)?;
                let name = name_in(&kind.labels, &kind.iri, self.language).filter(|name| fits(name))?;
                (hop.class != subject.class.iri).then(|| (hop.property.clone(), name))
            });
        found.next()
    }

    /// The place in which most instances are located.
    async fn within(&self, subject: &Subject<'_>) -> Option<Meant> {
        let is_place = |name: &str| {
            let last = fold(name).split_whitespace().next_back().map(normalize_word);
            last.and_then(|word| self.language.kind_of_noun(&word)) == Some(AnswerKind::Place)
        };
        let (iri, _) = self.to_kind(subject, is_place)?;
        let thing = self.usual(subject, &iri).await?;
        Some((Some(iri), vec![("thing", thing)]))
    }

    /// A kind of entity that most instances link to.
    fn group(&self, subject: &Subject<'_>) -> Option<Meant> {
        let (iri, kind) = self.to_kind(subject, |_| true)?;
        Some((Some(iri), vec![("kind", kind)]))
    }

    fn property(&self, subject: &Subject<'_>) -> Option<Meant> {
        let (iri, property) = self.noun(subject).or_else(|| self.measure(subject))?;
        let things = self.dataset.index.entities.best_of_class(&subject.class.iri, MAX_CLASSES).ok()?;
        let thing = things.iter().find_map(|thing| name_in(&thing.labels, &thing.iri, self.language));
        let thing =
            thing.or_else(|| things.first().map(|thing| thing.label(&self.dataset.languages).to_owned()))?;
        is_plain(&thing).then(|| (Some(iri), vec![("property", property), ("thing", thing)]))
    }

    async fn relation(&self, subject: &Subject<'_>) -> Option<Meant> {
        let (iri, property) = self.noun(subject)?;
        let thing = self.usual(subject, &iri).await?;
        Some((Some(iri), vec![("property", property), ("thing", thing)]))
    }

    /// The most frequent value of a property, by label.
    async fn usual(&self, subject: &Subject<'_>, iri: &str) -> Option<String> {
        let found = self
            .rows(&format!(
                "SELECT ?o (COUNT(?s) AS ?n) WHERE {{ ?s {} <{}> . ?s <{iri}> ?o }} GROUP BY ?o ORDER BY DESC(?n) ?o LIMIT 5",
                self.dataset.vocabulary().type_path(true),
                subject.class.iri
            ))
            .await?;
        let several = found.iter().filter(|row| number(row.get(1)).is_some_and(|count| count >= 2.0));
        let mut named = several.filter_map(|row| match row.first() {
            Some(Some(Term::NamedNode(node))) => self.dataset.label(node.as_str()),
            _ => None,
        });
        named.find(|name| is_plain(name))
    }

    /// A number that splits the instances into those above and those below it.
    async fn bound(&self, subject: &Subject<'_>) -> Option<Meant> {
        let (iri, property) = self.measure(subject)?;
        let found = self
            .rows(&format!(
                "SELECT ?v WHERE {{ ?s {} <{}> . ?s <{iri}> ?v }} LIMIT {MAX_VALUES}",
                self.dataset.vocabulary().type_path(true),
                subject.class.iri
            ))
            .await?;
        let mut values: Vec<f64> = found.iter().filter_map(|row| number(row.first())).collect();
        values.sort_by(f64::total_cmp);
        let bound = rounded(*values.get(values.len() * 2 / 3)?)?;
        let above = values.iter().filter(|value| **value > bound).count();
        let parts = above > 0 && above < values.len();
        parts.then(|| (Some(iri), vec![("property", property), ("value", bound.to_string())]))
    }

    async fn rows(&self, query: &str) -> Option<Vec<Vec<Option<Term>>>> {
        let query = self.dataset.check(query).ok()?;
        let answer = self.dataset.run(&query, LOOK_TIME.min(TRY_TIME)).await.ok()?;
        Some(rows(&answer).to_vec())
    }
}

/// Rounds down to one significant digit: 1,094 becomes 1,000. `None` below ten, where no bound reads well.
pub(in crate::service) fn rounded(value: f64) -> Option<f64> {
    if !(10.0..1e15).contains(&value) {
        return None;
    }
    let unit = 10_f64.powf(value.log10().floor());
    Some((value / unit).floor() * unit)
}

/// Whether the names share a word, also as the last part of a compound.
pub(in crate::service) fn shares_a_word(property: &str, class: &str) -> bool {
    let folded = |name: &str| words(&fold(name)).into_iter().map(|word| word.text).collect::<Vec<_>>();
    let (property, class) = (folded(property), folded(class));
    let meets = |one: &String, other: &String| one.chars().count() >= 3 && other.ends_with(one.as_str());
    property.iter().any(|one| class.iter().any(|other| meets(one, other) || meets(other, one)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_round_and_below_the_value() {
        let bounds: Vec<_> = [1_094.0, 67_000_000.0, 99.9, 10.0].into_iter().filter_map(rounded).collect();
        assert_eq!(bounds, [1_000.0, 60_000_000.0, 90.0, 10.0]);
        for value in [9.9, -50.0, 0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(rounded(value), None, "{value}");
        }
    }

    #[test]
    fn a_property_that_is_called_after_its_kind_is_a_noun() {
        assert!(shares_a_word("capital", "capital city"));
        assert!(shares_a_word("Amtssprache", "Sprache"));
        assert!(shares_a_word("official language", "language"));
        assert!(!shares_a_word("borders", "country"));
        assert!(!shares_a_word("flows through", "country"));
    }

    #[test]
    fn names_that_do_not_read_well_are_left_out() {
        assert!(is_plain("Côte d'Ivoire") && is_plain("St. Gallen"));
        for name in ["x", "Q42", "a <b>", "mean\u{202e}", "{thing}", "a, b", &"a".repeat(40)] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
