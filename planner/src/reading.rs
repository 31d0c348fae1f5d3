//! Readings of a whole question, best first: queries with the words used and unused, and a score before they are run.

use crate::chart::{Chart, Construct};
use crate::construct::CONSTRUCTS;
use crate::context::Context;
use crate::describe::{LocalizedText, described, returned};
use crate::link::{Links, Named, missing, not_found};
use crate::meaning::{Answer, Base, Rank, Set};
use crate::opened::IdentifyingProperties;
use crate::pace::AllowedTime;
use crate::phrase::{Item, says_only_form};
use crate::quantify::QUANTIFYING;
use crate::question::{ParsedQuestion, Span};
use crate::render::{Ties, render};
use crate::root::{finish, left_over};
use crate::schema::Schema;
use crate::score::{Features, Weights};
use eruca_indexer::DatasetIndex;
use eruca_sparql::CheckedQuery;

/// Maximum number of phrases considered as whole questions.
const MAX_ROOTS: usize = 60;

/// Maximum number of content words in a question; a quotation counts as one. Real questions have half as many.
pub const MAX_TELLING_WORDS: usize = 40;

/// One way to read a question.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The query.
    pub query: String,
    /// The query without the restriction to the things of an earlier answer, if it has one.
    pub unrestricted: Option<CheckedQuery>,
    /// The query that keeps ties of a superlative, if it is one.
    pub with_ties: Option<String>,
    /// The evidence for and against it.
    pub features: Features,
    /// The score before it is run.
    pub score: f32,
    /// Unused content words, in order.
    pub unused: Vec<String>,
    /// Names and nouns of the question that are not in the graph, in order; names only if unused.
    pub not_found: Vec<String>,
    /// IRIs of the named things used in the query.
    pub things: Vec<String>,
    /// The properties that identify unnamed nodes.
    pub telling: IdentifyingProperties,
    /// A description of the reading.
    pub told: LocalizedText,
    /// A description of what the query returns.
    pub returns: LocalizedText,
}

/// Whether a question has too many words, or too many content words.
pub fn is_too_long(question: &ParsedQuestion) -> bool {
    let quoted = |at: u16| question.quotes.iter().any(|quote| quote.span.has(at));
    let telling = (0..question.len() as u16).filter(|at| !question.is_function_word(*at) && !quoted(*at));
    question.cut || telling.count() + question.quotes.len() > MAX_TELLING_WORDS
}

/// The readings of a question, best first, without duplicate queries; none if the question is too long, and only those found so
/// far if time runs out.
pub fn readings(
    index: &DatasetIndex,
    question: &ParsedQuestion,
    named: &Named,
    weights: &Weights,
    time: AllowedTime<'_>,
) -> Vec<Reading> {
    if is_too_long(question) {
        return Vec::new();
    }
    let schema = Schema::new(index).knowing(&named.glossary);
    let question = named.read(question);
    let links = Links::find(&schema, &question, named);
    let context = Context::new(schema, question, links);
    let unknown = not_found(&context.question, &context.links);
    let grammar: Vec<&dyn Construct> = CONSTRUCTS.iter().chain(QUANTIFYING).copied().collect();
    let chart = Chart::parse(&context, &grammar, weights, time.most());
    let mut roots: Vec<(Answer<'_>, Item<'_>)> = Vec::new();
    for item in chart.items() {
        if !time.goes_on() {
            break;
        }
        let left = left_over(&context, item);
        for (answer, mut features) in finish(&context, item) {
            features.add_all(&left);
            roots.push((answer, chart.at_root(item, features)));
        }
    }
    roots.sort_by(|a, b| b.1.score.total_cmp(&a.1.score).then_with(|| a.1.span.cmp(&b.1.span)));
    let telling = IdentifyingProperties::of(index);
    let mut found: Vec<Reading> = Vec::new();
    for (answer, item) in roots.into_iter().take(MAX_ROOTS) {
        let query = render(&context.schema, &answer, Ties::Cut);
        if !found.iter().any(|known| known.query == query) {
            found.push(reading(&context, &answer, &item, query, (&unknown, &telling)));
        }
    }
    found
}

/// For a question that cannot be read: its names, all of which are unused, and the nouns that are not in the graph, in order.
pub fn unknown(index: &DatasetIndex, question: &ParsedQuestion, named: &Named) -> Vec<String> {
    let schema = Schema::new(index).knowing(&named.glossary);
    let question = named.read(question);
    let links = Links::find(&schema, &question, named);
    missing(&question, &links, &not_found(&question, &links), |_| false)
}

fn reading<'k>(
    context: &Context<'k>,
    answer: &Answer<'k>,
    item: &Item<'k>,
    query: String,
    (unknown, telling): (&[Span], &IdentifyingProperties),
) -> Reading {
    let tied = matches!(answer, Answer::List { of, .. } if of.rank.as_ref().is_some_and(is_single));
    let words = (0..).zip(&context.question.words);
    let left = words.filter(|(at, _)| !item.words.contains(*at) && says_something(&context.question, *at));
    Reading {
        with_ties: tied.then(|| render(&context.schema, answer, Ties::Kept)),
        query,
        unrestricted: None,
        features: item.derivation.features(),
        score: item.score,
        unused: left.map(|(_, word)| word.raw.clone()).collect(),
        not_found: missing(&context.question, &context.links, unknown, |at| item.words.contains(at)),
        things: things(answer),
        telling: telling.clone(),
        told: described(answer),
        returns: returned(answer),
    }
}

fn says_something(question: &ParsedQuestion, at: u16) -> bool {
    !question.is_function_word(at) && !says_only_form(question, at)
}

fn is_single(rank: &Rank<'_>) -> bool {
    rank.take == 1 && rank.skip == 0 && rank.per.is_empty()
}

fn things(answer: &Answer<'_>) -> Vec<String> {
    let mut found = Vec::new();
    answer.sets().into_iter().for_each(|set| collect(set, &mut found));
    found
}

fn collect(set: &Set<'_>, found: &mut Vec<String>) {
    let chosen = |things: &[_]| things.len() > 1 && set.rank.is_some();
    if let Base::Things(things) = &set.base
        && !chosen(things)
    {
        found.extend(things.iter().map(ToString::to_string));
    }
    for condition in &set.conditions {
        if let crate::meaning::Condition::Joined(_, inner) = condition {
            collect(inner, found);
        }
    }
}
