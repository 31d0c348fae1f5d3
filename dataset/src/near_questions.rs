//! Verified questions that are near to one that is asked: by their words and, where there is an embedding model, by their meaning.
//! Vectors are made when they are first needed, and kept while the dataset is open; until then, and if the model fails, words are
//! enough.

use super::Dataset;
use eruca_indexer::embedding::{Embedder, EmbeddingError, Purpose};
use eruca_indexer::fuse;
use eruca_knowledge::questions::{MAX_NEAR, Questions, VerifiedQuestion};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

/// Texts sent to the model at once.
const BATCH: usize = 64;
/// How long a question waits for vectors.
const PATIENCE: Duration = Duration::from_secs(5);

type Vector = Arc<[f32]>;

/// The vectors of verified questions.
pub struct QuestionMeanings {
    embedder: Arc<dyn Embedder>,
    /// Only one task makes vectors at a time.
    made: tokio::sync::Mutex<Made>,
}

/// The vectors that there are.
#[derive(Default)]
struct Made {
    by_text: HashMap<String, Vector>,
    /// The questions that they are of, and the vectors with the places of these; none while some are missing.
    of: Option<(Arc<Questions>, Placed)>,
}

/// Vectors with the places of their questions.
type Placed = Arc<[(usize, Vector)]>;

impl Made {
    /// The vectors of these questions; those that are missing are made.
    async fn of(
        &mut self,
        questions: &Arc<Questions>,
        embedder: &dyn Embedder,
    ) -> Result<Placed, EmbeddingError> {
        if let Some((of, placed)) = &self.of
            && Arc::ptr_eq(of, questions)
        {
            return Ok(placed.clone());
        }
        let texts: Vec<(usize, &str)> = used(questions).collect();
        let wanted: HashSet<&str> = texts.iter().map(|(_, text)| *text).collect();
        let missing: Vec<&str> =
            wanted.iter().copied().filter(|text| !self.by_text.contains_key(*text)).collect();
        for batch in missing.chunks(BATCH) {
            let batch: Vec<String> = batch.iter().map(|text| (*text).to_owned()).collect();
            let vectors = embedder.embed(batch.clone(), Purpose::Document).await?;
            self.by_text.extend(batch.into_iter().zip(vectors.into_iter().map(Vector::from)));
        }
        let vector = |(at, text): (usize, &str)| Some((at, self.by_text.get(text)?.clone()));
        let placed: Placed = texts.iter().copied().filter_map(vector).collect();
        self.by_text.retain(|text, _| wanted.contains(text.as_str()));
        self.of = Some((questions.clone(), placed.clone()));
        Ok(placed)
    }
}

impl QuestionMeanings {
    /// No vectors yet.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>) -> Arc<Self> {
        Arc::new(Self { embedder, made: tokio::sync::Mutex::default() })
    }

    /// The places of the questions that mean what is most like this, best first.
    async fn nearest(
        self: &Arc<Self>,
        questions: &Arc<Questions>,
        text: &str,
    ) -> Result<Vec<usize>, EmbeddingError> {
        let (meanings, all) = (self.clone(), questions.clone());
        // A task of its own goes on when the question no longer waits.
        let made =
            tokio::spawn(
                async move { meanings.made.lock().await.of(&all, meanings.embedder.as_ref()).await },
            );
        let Ok(made) = made.await else { return Ok(Vec::new()) };
        let placed = made?;
        let vector = self.embedder.embed(vec![text.to_owned()], Purpose::Query).await?.into_iter().next();
        let vector = vector.unwrap_or_default();
        let mut found: Vec<(f32, usize)> =
            placed.iter().map(|(at, other)| (product(&vector, other), *at)).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        Ok(found.into_iter().take(MAX_NEAR).map(|(_, at)| at).collect())
    }
}

/// The texts of the questions that count, with their places.
fn used(questions: &Questions) -> impl Iterator<Item = (usize, &str)> {
    let all = questions.entries().iter().map(|entry| &entry.question).enumerate();
    all.filter(|(_, question)| question.aside.is_none())
        .map(|(at, question)| (at, question.question.as_str()))
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Dataset {
    /// The same with an embedding model, by which near questions are found as well.
    #[must_use]
    pub fn with_question_meanings(self, meanings: Option<Arc<QuestionMeanings>>) -> Self {
        Self { meanings, ..self }
    }

    /// The verified questions nearest to this one, best first; of several datasets as one there are none.
    pub async fn near_questions(&self, text: &str, lang: &str) -> Vec<VerifiedQuestion> {
        let questions = self.questions().now();
        if self.is_several() || questions.is_empty() {
            return Vec::new();
        }
        let by_words = questions.near(text, lang);
        let found = match &self.meanings {
            None => by_words,
            Some(meanings) => {
                let nearest = tokio::time::timeout(PATIENCE, meanings.nearest(&questions, text)).await;
                let by_meaning = match nearest {
                    Ok(Ok(found)) => found,
                    Ok(Err(error)) => {
                        tracing::warn!(dataset = self.id, %error, "verified questions are not compared by meaning");
                        Vec::new()
                    }
                    Err(_) => {
                        tracing::info!(dataset = self.id, "the vectors of verified questions are being made");
                        Vec::new()
                    }
                };
                fuse(&[by_words, by_meaning]).into_iter().map(|(at, _)| at).collect()
            }
        };
        let entries = found.into_iter().take(MAX_NEAR).filter_map(|at| questions.entries().get(at));
        entries.map(|entry| entry.question.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::graph_of;
    use eruca_knowledge::questions::{WatchedQuestions, add};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Knows that some words mean the same; fails where it has no meanings.
    struct Twins {
        meanings: Vec<[&'static str; 2]>,
        asked: AtomicUsize,
    }

    #[async_trait::async_trait]
    impl Embedder for Twins {
        async fn embed(&self, texts: Vec<String>, _: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
            self.asked.fetch_add(texts.len(), Ordering::Relaxed);
            if self.meanings.is_empty() {
                return Err(EmbeddingError::Server { url: "u".to_owned(), reason: "gone".to_owned() });
            }
            let vector = |text: &String| {
                let means =
                    |twins: &[&str; 2]| f32::from(u8::from(twins.iter().any(|word| text.contains(word))));
                self.meanings.iter().map(means).collect()
            };
            Ok(texts.iter().map(vector).collect())
        }

        fn model(&self) -> &str {
            "twins"
        }

        fn dimension(&self) -> usize {
            self.meanings.len()
        }
    }

    fn verified(question: &str) -> VerifiedQuestion {
        VerifiedQuestion {
            question: question.to_owned(),
            query: "ASK { ?s ?p ?o }".to_owned(),
            by: "Ada".to_owned(),
            at: "2026-01-31".to_owned(),
            ..VerifiedQuestion::default()
        }
    }

    #[tokio::test]
    async fn questions_with_other_words_of_the_same_meaning_are_near_where_there_is_a_model() {
        let graph = graph_of("cars", "<http://c.example/a> <http://c.example/p> 1 .").await;
        let folder = tempfile::tempdir().unwrap();
        let known =
            [verified("Who owns the jalopy?"), verified("Which boats are blue?"), verified("Red boats?")];
        add(folder.path(), "a.toml", &known).unwrap();
        let dataset = graph.dataset.clone().with_questions(WatchedQuestions::open(folder.path().to_owned()));
        let near = async |dataset: &Dataset, text: &str| {
            let found = dataset.near_questions(text, "en").await.into_iter();
            found.map(|one| one.question).collect::<Vec<_>>()
        };
        let asked = "What are old cars worth?";
        assert_eq!(near(&dataset, asked).await, [""; 0]);
        let twins = |meanings| Arc::new(Twins { meanings, asked: AtomicUsize::new(0) });
        let model = twins(vec![["jalopy", "old car"], ["boat", "ship"]]);
        let meant = dataset.clone().with_question_meanings(Some(QuestionMeanings::new(model.clone())));
        assert_eq!(near(&meant, asked).await.first().map(String::as_str), Some("Who owns the jalopy?"));
        assert_eq!(
            near(&meant, "Blue ships?").await.first().map(String::as_str),
            Some("Which boats are blue?")
        );
        assert_eq!(model.asked.load(Ordering::Relaxed), 3 + 2, "each vector is made once");
        let failing = dataset.with_question_meanings(Some(QuestionMeanings::new(twins(Vec::new()))));
        assert_eq!(near(&failing, "Blue boats?").await.len(), 2, "words are enough");
    }
}
