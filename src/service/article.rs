//! The article of an answer: one more round of queries for what the graph says of the answer's first things, and what texts say
//! of them. Where the endpoint fails then, there is no article, and the short answer stands.

use super::cite::passages_about;
use super::named::{MAX_STATEMENTS, query_about};
use super::verbalize::CLAIMS_TIME;
use eruca_api::{Article, Citation, Words};
use eruca_dataset::Dataset;
use eruca_indexer::media::MediaKind;
use eruca_sparql::{Answer, Results, Term};
use eruca_verbalize::words::{
    AboutThings, AnswerContext, ArticleMaterial, SupportedSentence, article, article_things, claims, sentence,
};
use futures_util::future::join_all;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time limit for reading what the graph says of the things, and for their names.
const READ_TIME: Duration = Duration::from_secs(5);
/// Things that are read of.
const MAX_THINGS: usize = 3;
/// Passages about the things.
const MAX_PASSAGES: usize = 3;
/// Values of a property whose names are looked up.
const MAX_NAMED: usize = 5;
/// Names that are looked up in all.
const MAX_NAMES: usize = 600;

/// An answer that becomes an article.
pub(super) struct Told<'a> {
    pub said: &'a AnswerContext<'a>,
    pub answer: &'a Arc<Answer>,
    pub words: &'a Words,
    pub sentences: Vec<SupportedSentence>,
    pub citations: &'a [Citation],
    pub deadline: Instant,
}

impl Told<'_> {
    /// The article; `None` if nothing could be read of the things of the answer.
    pub(super) async fn article(self) -> Option<Article> {
        let things = article_things(self.said, self.words);
        let found = self.found(&things).await;
        if found.is_empty() && !things.is_empty() {
            return None;
        }
        let sentences = self.supported().await;
        let labels = self.labels(&things, &found).await;
        let said = AnswerContext { labels: &labels, ..*self.said };
        let citations = self.citations(&things).await;
        let material =
            ArticleMaterial { sentences: &sentences, found: &found, things: &things, citations: &citations };
        Some(article(&said, &material))
    }

    /// What the graph says of the first things: what it has said already, or what queries find.
    async fn found(&self, things: &[String]) -> Vec<AboutThings> {
        if self.said.insight.is_some_and(|insight| !insight.about.is_empty()) {
            return match things.is_empty() {
                true => Vec::new(),
                false => vec![about(things.to_vec(), self.answer.clone())],
            };
        }
        let time = self.left().min(READ_TIME);
        let read = things.iter().take(MAX_THINGS).map(|thing| read(self.said.dataset, thing, time));
        join_all(read).await.into_iter().flatten().collect()
    }

    /// The sentences of the short answer; those that the rows give, if a model's are not all supported.
    async fn supported(&self) -> Vec<SupportedSentence> {
        if self.sentences.iter().all(|sentence| sentence.claim.supported != Some(false)) {
            return self.sentences.clone();
        }
        claims(self.said, &sentence(self.said), self.left().min(CLAIMS_TIME)).await
    }

    /// The names of the things and of what is said of them.
    async fn labels(&self, things: &[String], found: &[AboutThings]) -> BTreeMap<String, String> {
        let mut iris: Vec<String> = things.iter().take(MAX_THINGS).cloned().collect();
        iris.extend(found.iter().flat_map(|found| named(&found.answer)));
        iris.truncate(MAX_NAMES);
        let dataset = self.said.dataset;
        let names = dataset.fetch_names(iris.iter().map(String::as_str));
        let _late = tokio::time::timeout(self.left().min(READ_TIME), names).await;
        let known = iris.into_iter().filter_map(|iri| dataset.label(&iri).map(|label| (iri, label)));
        self.said.labels.iter().map(|(iri, label)| (iri.clone(), label.clone())).chain(known).collect()
    }

    /// The citations that the answer has, and passages about its first things.
    async fn citations(&self, things: &[String]) -> Vec<Citation> {
        let mut citations = self.citations.to_vec();
        let first = things.iter().take(MAX_THINGS);
        let each = MAX_PASSAGES / first.len().max(1);
        for thing in first {
            for citation in passages_about(thing, each, &self.said.question.text, self.said.dataset).await {
                if citations.iter().all(|known| known.name != citation.name) {
                    citations.push(citation);
                }
            }
        }
        citations
    }

    fn left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}

async fn read(dataset: &Dataset, thing: &str, time: Duration) -> Option<AboutThings> {
    let things = [thing.to_owned()];
    let query = dataset.check(&query_about(dataset, &things)?).ok()?;
    let answer = dataset.run(&query, time).await;
    let answer =
        answer.inspect_err(|error| tracing::debug!(%error, "a thing could not be read for an article"));
    Some(about(things.into(), answer.ok()?))
}

fn about(things: Vec<String>, answer: Arc<Answer>) -> AboutThings {
    let cut = answer.incomplete.is_some() || answer.row_count() >= MAX_STATEMENTS;
    AboutThings { about: things, answer, cut }
}

/// The properties and their first values that may have names.
fn named(answer: &Answer) -> Vec<String> {
    let Results::Solutions(found) = &answer.results else { return Vec::new() };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut iris = Vec::new();
    for row in &found.rows {
        let [.., Some(Term::NamedNode(property)), Some(value)] = row.as_slice() else { continue };
        let count = counts.entry(property.as_str()).or_default();
        *count += 1;
        if *count == 1 {
            iris.push(property.as_str().to_owned());
        }
        if let Term::NamedNode(node) = value
            && *count <= MAX_NAMED * MAX_THINGS
            && MediaKind::of(node.as_str()).is_none()
        {
            iris.push(node.as_str().to_owned());
        }
    }
    iris
}
