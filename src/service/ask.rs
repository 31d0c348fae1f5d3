//! Asking a question and following it: the work belongs to the service, continues as long as somebody reads, and emits
//! events.

use super::asking::{Asking, Event, QuestionReading};
use super::follow::{Among, PastQuestion, StandAlone, earlier, left_open, stand_alone};
use super::richer::richer;
use super::run::{ReadWord, Rows, Run};
use super::similar::similar;
use super::types::{Answered, Question, ServiceError};
use super::{Posed, QuestionTime, Service, emptiness, fault, shown};
use crate::dataset::Dataset;
use crate::trace::{Doubtful, Insight, Observer, Step, StepKind, StopReason};
use crate::why::explained;
use crate::why::why;
use crate::words::{Said, Words, sentence, told_by_model};
use eruca_language::{Language, language};
use eruca_planner::Confidence;
use eruca_planner::follow::{Again, dangling};
use eruca_planner::question::Question as Read;
use eruca_sparql::{Answer, CheckedQuery, Results};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Time for a model to put the answer into words; without it the plain sentence is the answer.
const WORDS_TIME: Duration = Duration::from_secs(20);

/// A question with how it is to be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The question.
    pub question: Question,
    /// What was asked before, the newest last.
    pub history: Vec<PastQuestion>,
    /// The language of labels and words; that of the question without one.
    pub lang: Option<String>,
    /// The language of the reader, for a question that does not tell its own.
    pub reader: Option<String>,
    /// Properties, by IRI, that the reader prefers where another would do as well: the choices of earlier answers.
    pub prefers: Vec<String>,
    /// Time for the question, if it is less than the configured one.
    pub deadline: Option<Duration>,
    /// Whether the answer is told in words.
    pub answer: bool,
    /// Whether other readings are told.
    pub alternatives: bool,
}

impl Ask {
    /// A question by itself, with its answer in words and other readings.
    pub fn alone(question: Question) -> Self {
        Self {
            question,
            history: Vec::new(),
            lang: None,
            reader: None,
            prefers: Vec::new(),
            deadline: None,
            answer: true,
            alternatives: true,
        }
    }
}

impl Service {
    /// Begins to answer a question. The work ends early when all readers have gone for a while; so does work that nobody
    /// has begun to read.
    ///
    /// # Errors
    /// When the question is not well-formed or the dataset is unknown; every other failure is an event.
    pub fn ask(self: &Arc<Self>, ask: Ask) -> Result<Arc<Asking>, ServiceError> {
        let dataset = self.validate(&ask.question)?;
        let read = read_for(&dataset, &ask, &ask.question.text);
        let lang = ask.lang.clone().unwrap_or_else(|| spoken(&dataset, &read));
        let mut run = Run::begin(dataset.id.clone(), ask.question.text.clone(), lang);
        run.alternatives = ask.alternatives;
        let asking = Asking::begin(run);
        let supervised = supervise(self.clone(), (dataset, Arc::new(read)), ask, asking.clone());
        tokio::spawn(supervised.in_current_span());
        Ok(asking)
    }

    async fn answer_aloud(
        self: &Arc<Self>,
        (dataset, read): (&Arc<Dataset>, Arc<Read>),
        ask: &Ask,
        asking: &Asking,
    ) -> Result<Answered, ServiceError> {
        let ReadAloud { reading, read, among, again, at_most } =
            self.read_aloud(dataset, ask, read, asking)?;
        let allowed = ask.deadline.unwrap_or(self.limits.deadline).min(self.limits.deadline);
        let time = QuestionTime::from_now(allowed);
        // Earlier questions are for the model alone.
        let earlier = if self.model.is_some() { earlier(&ask.history) } else { Vec::new() };
        let question = Question { text: reading.asked.clone(), ..ask.question.clone() };
        self.within_bounds(&question)?;
        let posed = Posed {
            question: &question,
            read: Some(&read),
            earlier: &earlier,
            time,
            place: None,
            among: &among,
            again: again.as_ref().map(|(query, _)| query.as_str()),
            prefers: &ask.prefers,
        };
        let mut answered = self.answer_posed(dataset, posed, asking).await?;
        answered.trace.steps = asking.run().steps;
        if self.model.is_none()
            && let Some(insight) = &mut answered.trace.insight
        {
            not_dropped(insight, &read);
            no_surer(insight, at_most, &read);
        }
        let insight = answered.trace.insight.clone();
        let words = insight.as_ref().map_or_else(Vec::new, |insight| words(&read, insight));
        let lang = reading.lang.clone();
        asking.push(Event::Reading(QuestionReading { insight, words, ..reading }));
        asking.amend(|run| run.trace = Some(answered.trace.clone()));
        asking.amend(|run| {
            run.editor = dataset.editor(&answered.query);
            run.missing = dataset.unread().to_vec();
        });
        let dataset = Arc::new(dataset.spoken_to(&lang));
        let query = dataset.check(&answered.query);
        let tongue = language(&lang).unwrap_or(read.language);
        let explanation = query.as_ref().map(|query| explained(&dataset, query, tongue)).unwrap_or_default();
        asking.push(Event::Query { query: answered.query.clone(), explanation });
        if let (Some(answer), Ok(query)) = (answered.results.clone(), query) {
            let telling = Telling {
                dataset: &dataset,
                read: spoken_in(&read, &lang),
                query,
                answer,
                time,
                asking,
                again: again.map(|(_, how)| how),
            };
            self.tell(&telling, &mut answered, ask.answer).await;
        }
        if let Some(insight) = &answered.trace.insight {
            let near = similar(&self.workers, &dataset, &read, insight, time.left()).await;
            asking.amend(|run| run.similar = near);
        }
        Ok(answered)
    }

    /// Emits the rows of the query, or why there are none, and the answer in words.
    async fn tell(self: &Arc<Self>, telling: &Telling<'_>, answered: &mut Answered, in_words: bool) {
        let Telling { dataset, query, answer, time, asking, .. } = telling;
        let more = richer(dataset, query, answer, time.left()).await;
        if let Some((more, _)) = &more {
            asking.amend(|run| run.rows_query = Some(more.text().to_owned()));
        }
        let (from, found) = more.as_ref().map_or((query, answer), |(query, answer)| (query, answer));
        let rows = shown::rows(dataset, from, found).await;
        asking.push(Event::Rows(rows.clone()));
        let mut reason = None;
        if answer.is_empty() && answered.trace.not_in_graph.is_none() {
            let empty = emptiness::explain(dataset, query, self.limits.helps, time.left()).await;
            reason = Some(empty.reason.clone());
            asking.amend(|run| run.empty = Some(empty));
        }
        if in_words {
            let words = self.words(telling, (from, found, &rows), reason.as_deref(), answered).await;
            asking.push(Event::Answer(words));
        }
    }

    /// The answer in words: a model's, if there is one and it finds some, or those of the reading and the rows.
    async fn words(
        self: &Arc<Self>,
        telling: &Telling<'_>,
        (query, answer, rows): (&CheckedQuery, &Arc<Answer>, &Rows),
        empty: Option<&str>,
        answered: &mut Answered,
    ) -> Words {
        let Telling { dataset, read, time, asking, .. } = telling;
        if telling.again == Some(Again::Why)
            && let Some(why) = reasons(dataset, query, answer, time.left()).await
        {
            return Words::plain(why, read);
        }
        let (insight, absence) = (answered.trace.insight.clone(), answered.trace.not_in_graph.clone());
        let (labels, columns) = (&rows.labels, rows.columns.as_slice());
        let orientation = self.orientation(dataset, read, &answered.trace).await;
        let said = Said {
            dataset,
            question: read,
            query,
            answer,
            insight: insight.as_ref(),
            absence: absence.as_deref(),
            labels,
            empty,
            orientation: orientation.as_ref(),
            unit: match telling.again {
                Some(Again::Unit(unit)) => Some(unit),
                Some(Again::Why | Again::View) | None => None,
            },
            added: rows.columns.len().saturating_sub(telling.columns()),
            columns,
        };
        // A model that has just failed for good is not asked again, nor one that has said what there is to say.
        let done =
            answered.trace.stop == StopReason::ModelFailed || absence.is_some() || orientation.is_some();
        let Some(model) = self.model.as_ref().filter(|_| !done) else { return sentence(&said) };
        let until = time.deadline.min(Instant::now() + WORDS_TIME);
        let mut tokens = |piece: &str| asking.push(Event::Token(piece.to_owned()));
        match told_by_model(&said, model.as_ref(), &mut tokens, until).await {
            Ok((words, usage)) => {
                answered.trace.model_calls += 1;
                answered.trace.usage += usage;
                answered.trace.cost = self.limits.prices.map(|prices| prices.cost(&answered.trace.usage));
                asking.amend(|run| run.trace = Some(answered.trace.clone()));
                words
            }
            Err(error) => {
                tracing::debug!(%error, "the model could not phrase the answer; fixed phrases are used");
                sentence(&said)
            }
        }
    }
}

/// Time for the reasons of a row.
const WHY_TIME: Duration = Duration::from_secs(5);

/// What is told in the end.
struct Telling<'a> {
    dataset: &'a Arc<Dataset>,
    read: Read,
    query: CheckedQuery,
    answer: Arc<Answer>,
    time: QuestionTime,
    asking: &'a Asking,
    /// How the last answer is wanted again, if it is.
    again: Option<Again>,
}

impl Telling<'_> {
    /// Columns of the final query.
    fn columns(&self) -> usize {
        match &self.answer.results {
            Results::Solutions(found) => found.variables.len(),
            Results::Boolean(_) | Results::Graph(_) => usize::MAX,
        }
    }
}

/// Does the work, and ends the question whatever its outcome.
async fn supervise(
    service: Arc<Service>,
    (dataset, read): (Arc<Dataset>, Arc<Read>),
    ask: Ask,
    asking: Arc<Asking>,
) {
    let (answering, told) = (service.clone(), asking.clone());
    let work = async move { answering.answer_aloud((&dataset, read), &ask, &told).await };
    let work = AssertUnwindSafe(service.workers.run(work)).catch_unwind();
    let outcome = tokio::select! {
        outcome = work => outcome.unwrap_or_else(|panic| Err(fault(panic.as_ref(), asking.run().steps))),
        () = asking.abandoned() => Err(ServiceError::Cancelled),
    };
    asking.end(outcome);
}

/// A question with what it takes over from earlier ones.
struct ReadAloud {
    reading: QuestionReading,
    read: Arc<Read>,
    among: Among,
    again: Option<(String, Again)>,
    /// The probability of the earlier answer that the question rests on.
    at_most: Option<f32>,
}

impl Service {
    /// Tells how the question was read, with what it takes over from earlier ones: then it is another one, which is read anew.
    fn read_aloud(
        &self,
        dataset: &Arc<Dataset>,
        ask: &Ask,
        read: Arc<Read>,
        asking: &Asking,
    ) -> Result<ReadAloud, ServiceError> {
        // A model is told the earlier queries, and knows itself what "them" stands for.
        let for_planner = |found: &StandAlone| found.among.is_all() || self.model.is_none();
        let (mut wanted, mut believed) = (None, None);
        let found = stand_alone(dataset, &ask.history, &read)?;
        let follows = match &found {
            Some(found) => found.follows.clone(),
            None if self.model.is_some() => left_open(&ask.history, &read),
            None => Vec::new(),
        };
        asking.amend(|run| run.follows = follows);
        let (asked, taken_over, read, among) = match found.filter(for_planner) {
            Some(StandAlone { text, taken_over, follows: _, among, again, at_most }) => {
                (wanted, believed) = (again, at_most);
                let read = Arc::new(read_for(dataset, ask, &text));
                (text, taken_over, read, among)
            }
            None => (ask.question.text.clone(), Vec::new(), read, Among::default()),
        };
        let reading = begun(dataset, ask, &read, (asked, taken_over), asking);
        Ok(ReadAloud { reading, read, among, again: wanted, at_most: believed })
    }
}

/// Tells the question as it is asked.
fn begun(
    dataset: &Dataset,
    ask: &Ask,
    read: &Read,
    (asked, taken_over): (String, Vec<String>),
    asking: &Asking,
) -> QuestionReading {
    let lang = ask.lang.clone().unwrap_or_else(|| spoken(dataset, read));
    let reading = QuestionReading { lang, asked, taken_over, insight: None, words: Vec::new() };
    asking.push(Event::Reading(reading.clone()));
    if !reading.taken_over.is_empty() {
        let note = format!("understood as '{}': {}", reading.asked, reading.taken_over.join("; "));
        asking.step(&Step {
            at: Duration::ZERO,
            elapsed: Duration::ZERO,
            kind: StepKind::Controller { note },
        });
    }
    reading
}

/// A question as it is read for whoever asks: what tells no language is in theirs.
/// Within a conversation it is in that of the question before, if nobody says another one.
fn read_for(dataset: &Dataset, ask: &Ask, text: &str) -> Read {
    let last = || ask.history.last().map(|last| dataset.read(&last.question).language);
    let spoken = || last().filter(|language| !language.is_unknown()).map(Language::tag);
    match ask.reader.as_deref().or_else(spoken) {
        Some(reader) => dataset.spoken_to(reader).read(text),
        None => dataset.read(text),
    }
}

/// The language in which the asker of a question is spoken to.
fn spoken(dataset: &Dataset, read: &Read) -> String {
    let own = Some(read.language).filter(|language| !language.is_unknown());
    let preferred = || dataset.languages.first().cloned().unwrap_or_else(|| "en".to_owned());
    own.map_or_else(preferred, |language| language.tag().to_owned())
}

/// A question whose answer is given in another language, if that language is known.
fn spoken_in(read: &Read, lang: &str) -> Read {
    let language = language(lang).unwrap_or(read.language);
    Read { language, ..read.clone() }
}

/// The probability at most where nobody knows what a pronoun stands for.
const DANGLING: f32 = 0.3;

/// A pronoun that stands for nothing that was said is told as a word without a part in the query: somebody was meant by it.
fn not_dropped(insight: &mut Insight, read: &Read) {
    let known = |word: &String| insight.unused.contains(word);
    if let Some(pronoun) = dangling(read).filter(|word| !known(word)) {
        insight.unused.push(pronoun);
        insight.probability = insight.probability.min(DANGLING);
    }
}

/// What speaks of the things of an earlier answer is right only if that was.
fn no_surer(insight: &mut Insight, at_most: Option<f32>, read: &Read) {
    let Some(at_most) = at_most.filter(|at_most| *at_most < insight.probability) else { return };
    insight.probability = at_most;
    if insight.confidence() != Confidence::Sure {
        insight.evidence.doubts.push(Doubtful::said("earlier", String::new(), read.language));
    }
}

/// Why the first row is one.
async fn reasons(dataset: &Dataset, query: &CheckedQuery, answer: &Answer, left: Duration) -> Option<String> {
    why(dataset, query, answer, 0, left.min(WHY_TIME)).await.ok().map(|why| why.text)
}

/// The words of a question, each with whether it found a place.
fn words(read: &Read, insight: &Insight) -> Vec<ReadWord> {
    let unused = |word: &str| insight.unused.iter().any(|other| other == word);
    let words = read.words.iter().map(|word| ReadWord { used: !unused(&word.raw), text: word.raw.clone() });
    words.collect()
}
