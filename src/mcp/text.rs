//! Renders results as text for models: all facts, each once.

use super::output::{
    AnsweredOutput, Belief, CitedText, ClaimOutput, ClarifyOutput, DatasetFacts, DatasetList, Described,
    Emptiness, EmptyOutput, MeantProperty, Observed, OtherReading, QueryResult, ResultTable, ToolOutput,
    Without,
};
use eruca_sparql::quoted;
use eruca_verbalize::markdown;
use std::fmt::Write;

/// Maximum length, in characters, of a name and of a text.
const MAX_NAME: usize = 300;
const MAX_TEXT: usize = 4_000;

impl ToolOutput for DatasetList {
    fn text(&self) -> String {
        self.datasets.iter().map(dataset_line).collect::<Vec<_>>().join("\n")
    }
}

fn dataset_line(facts: &DatasetFacts) -> String {
    let DatasetFacts { id, name, aliases, triples, entities, classes, properties, languages, card } = facts;
    let mut line = format!(
        "- {id} {}: {triples} triples, {entities} entities, {classes} classes, {properties} properties",
        quoted(name, MAX_NAME)
    );
    for (what, list) in [("also", aliases), ("languages", languages)] {
        if !list.is_empty() {
            let _ = write!(line, "; {what}: {}", list.join(", "));
        }
    }
    let _ = write!(line, "; card: {card}");
    line
}

impl ToolOutput for Described {
    fn text(&self) -> String {
        let Self { dataset, card } = self;
        format!("{card}\n(dataset {dataset})")
    }
}

impl ToolOutput for Observed {
    fn text(&self) -> String {
        let Self { dataset, outcome, observation } = self;
        format!("{observation}\n(dataset {dataset}; outcome: {outcome})")
    }
}

impl ToolOutput for QueryResult {
    fn text(&self) -> String {
        let Self { dataset, outcome, query, result, empty, notes } = self;
        let mut text = table_text(result);
        text.push_str(&empty.as_ref().map(reason_text).unwrap_or_default());
        text.push_str(&notes_text(notes));
        let _ = write!(text, "Query that was run on {dataset} (outcome: {outcome}):\n{query}");
        text
    }
}

impl ToolOutput for Emptiness {
    fn text(&self) -> String {
        let Self { dataset, query, row_count, empty, notes } = self;
        let mut text = match empty {
            Some(reason) => reason_text(reason),
            None => "The query has results.\n".to_owned(),
        };
        text.push_str(&notes_text(notes));
        let _ = write!(text, "Query that was run on {dataset} (row_count: {row_count}):\n{query}");
        text
    }
}

impl ToolOutput for AnsweredOutput {
    fn text(&self) -> String {
        let Self { dataset, question, query, result, empty, answered_by, other_readings, run, .. } = self;
        let mut text = doubts_text(self) + &notes_text(&self.missing);
        text.push_str(&empty.as_ref().map(reason_text).unwrap_or_default());
        text.push_str(
            &result.as_ref().map_or_else(|| "The query was not run in time.\n".to_owned(), table_text),
        );
        let _ = writeln!(
            text,
            "Query, found by the {answered_by} for {} on {dataset}:\n{query}",
            quoted(question, MAX_TEXT)
        );
        if let Some(program) = &self.program {
            let _ = writeln!(text, "Program that computed the answer from rows of queries:\n{program}");
        }
        for CitedText { passage, place, .. } in &self.citations {
            let _ = writeln!(
                text,
                "From a text, not from the graph ({}): {}",
                quoted(place, MAX_TEXT),
                quoted(passage, MAX_TEXT)
            );
        }
        text.push_str(&self.claims.iter().map(claim_text).collect::<String>());
        if let Some(article) = &self.article {
            let _ = writeln!(
                text,
                "Article, made of data of the graph and of texts:\n{}",
                markdown::article(article)
            );
        }
        text.push_str(&self.clarify.as_ref().map(clarify_text).unwrap_or_default());
        for OtherReading { reading, query, rows } in other_readings {
            let _ = writeln!(text, "Another reading ({rows} rows): {}\n{query}", quoted(reading, MAX_TEXT));
        }
        let _ = write!(text, "Every step: {run}");
        text
    }
}

/// The verbalized answer, and how reliable it is.
fn doubts_text(answered: &AnsweredOutput) -> String {
    let AnsweredOutput {
        answer,
        unverified,
        confidence,
        verified,
        unused_words,
        not_in_graph,
        stopped_early,
        reading,
        ..
    } = answered;
    let said = |text: &String| quoted(text, MAX_TEXT);
    let list =
        |list: &Vec<String>| (!list.is_empty()).then(|| list.iter().map(said).collect::<Vec<_>>().join(", "));
    let lines = [
        ("Answer", answer.as_ref().map(said)),
        ("In no row, so doubtful", list(unverified)),
        ("Confidence", confidence.as_ref().map(belief_text)),
        ("Verified question", verified.as_ref().map(said)),
        ("Words of the question that were not used in the query", list(unused_words)),
        ("Names that the graph does not know", list(not_in_graph)),
        ("Stopped early", stopped_early.clone()),
        ("Read as", reading.as_ref().map(said)),
    ];
    let told = lines.into_iter().filter_map(|(what, said)| Some((what, said?)));
    told.map(|(what, said)| format!("{what}: {said}\n")).collect()
}

/// A sentence of the answer, on a line with what supports it.
fn claim_text(claim: &ClaimOutput) -> String {
    let ClaimOutput { sentence, supported, triples, more, counted, unverified } = claim;
    let said =
        |texts: &[String]| texts.iter().map(|text| quoted(text, MAX_TEXT)).collect::<Vec<_>>().join("; ");
    let mut text = format!("Supported: {supported}: {}", quoted(sentence, MAX_TEXT));
    if !triples.is_empty() {
        let _ = write!(text, "; triples: {}", triples.join("; "));
    }
    if *more > 0 {
        let _ = write!(text, " and {more} more");
    }
    if let Some(counted) = counted {
        let _ = write!(text, "; counted over {counted} solutions");
    }
    if !unverified.is_empty() {
        let _ = write!(text, "; in no row and no triple: {}", said(unverified));
    }
    text + "\n"
}

/// What to ask the person, and how to choose.
fn clarify_text(clarify: &ClarifyOutput) -> String {
    let ClarifyOutput { question, options } = clarify;
    let mut text = format!(
        "Several properties may be meant. Ask the person: {} Then call again with the IRI of what is meant in `prefers`:\n",
        quoted(question, MAX_TEXT)
    );
    for (MeantProperty { label, iri }, number) in options.iter().zip(1..) {
        let here = if number == 1 { ", as in this answer" } else { "" };
        let _ = writeln!(text, "{number}. {}{here}: {iri}", quoted(label, MAX_NAME));
    }
    text
}

fn belief_text(belief: &Belief) -> String {
    let Belief { level, percent } = belief;
    format!("{level} ({percent} %)")
}

fn notes_text(notes: &[String]) -> String {
    notes.iter().map(|note| format!("Note: {note}\n")).collect()
}

fn reason_text(reason: &EmptyOutput) -> String {
    let EmptyOutput { reason, without } = reason;
    let mut text = format!("Why it is empty: {}\n", quoted(reason, MAX_TEXT));
    for Without { condition, query, rows } in without {
        let _ = writeln!(text, "Without {} there are {rows} rows:\n{query}", quoted(condition, MAX_TEXT));
    }
    text
}

/// The name of a column, quoted unless it is a plain word, because endpoints may return any name.
fn column(name: &str) -> String {
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_word { name.to_owned() } else { quoted(name, MAX_NAME) }
}

/// One line per row, with labels after the IRIs.
fn table_text(table: &ResultTable) -> String {
    let ResultTable { boolean, columns, rows, names, prefixes, row_count, truncated } = table;
    if let Some(boolean) = boolean {
        return format!("Result: {boolean} (row_count: {row_count})\n");
    }
    let cell = |cell: &Option<String>| match cell {
        Some(cell) => names
            .get(cell)
            .map_or_else(|| cell.clone(), |name| format!("{cell} ({})", quoted(name, MAX_NAME))),
        None => "-".to_owned(),
    };
    let mut text = format!(
        "Result, row_count {row_count}:\n{}\n",
        columns.iter().map(|name| column(name)).collect::<Vec<_>>().join(" | ")
    );
    for row in rows {
        let _ = writeln!(text, "{}", row.iter().map(cell).collect::<Vec<_>>().join(" | "));
    }
    for (prefix, iri) in prefixes {
        let _ = writeln!(text, "PREFIX {prefix}: <{iri}>");
    }
    if let Some(truncated) = truncated {
        let _ = writeln!(text, "Truncated: {truncated}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::BTreeMap;

    /// Every string and number of a JSON value. Booleans are left out, because the text expresses them in words.
    fn leaves(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(map) => map.values().for_each(|value| leaves(value, found)),
            Value::Array(values) => values.iter().for_each(|value| leaves(value, found)),
            Value::String(text) => found.push(text.clone()),
            Value::Number(number) => found.push(number.to_string()),
            Value::Bool(boolean) => found.push(boolean.to_string()),
            Value::Null => {}
        }
    }

    fn assert_told(facts: &impl ToolOutput) {
        let (text, mut found) = (facts.text(), Vec::new());
        leaves(&serde_json::to_value(facts).unwrap(), &mut found);
        assert!(!found.is_empty());
        for leaf in found {
            assert!(text.contains(&leaf), "'{leaf}' is not in:\n{text}");
        }
    }

    fn table() -> ResultTable {
        ResultTable {
            boolean: None,
            columns: vec!["town".to_owned(), "size".to_owned()],
            rows: vec![
                vec![Some("e:a".to_owned()), None],
                vec![Some("\"b\"@en".to_owned()), Some("17".to_owned())],
            ],
            names: BTreeMap::from([("e:a".to_owned(), "Aach".to_owned())]),
            prefixes: BTreeMap::from([("e".to_owned(), "https://example.org/".to_owned())]),
            row_count: 53,
            truncated: Some("only the first 2 rows are shown".to_owned()),
        }
    }

    fn reason() -> EmptyOutput {
        let without = Without { condition: "is big".to_owned(), query: "SELECT 2".to_owned(), rows: 29 };
        EmptyOutput { reason: "none is big".to_owned(), without: vec![without] }
    }

    #[test]
    fn the_text_tells_every_fact_of_the_structure() {
        assert_told(&AnsweredOutput {
            dataset: "towns".to_owned(),
            question: "Which towns?".to_owned(),
            query: "SELECT ?town".to_owned(),
            result: Some(table()),
            citations: Vec::new(),
            program: Some("return sum(r1, 'n')".to_owned()),
            answer: Some("Two.".to_owned()),
            unverified: vec!["Nowhere".to_owned()],
            claims: vec![ClaimOutput {
                sentence: "There are two.".to_owned(),
                supported: "no".to_owned(),
                triples: vec!["<e:a> <e:size> <e:b>".to_owned()],
                more: 83,
                counted: Some(97),
                unverified: vec!["Somewhere".to_owned()],
            }],
            article: None,
            empty: Some(reason()),
            answered_by: "planner".to_owned(),
            verified: Some("Verified by Ada".to_owned()),
            stopped_early: Some("the deadline came".to_owned()),
            confidence: Some(Belief { level: "likely".to_owned(), percent: 63 }),
            reading: Some("all towns".to_owned()),
            unused_words: vec!["old".to_owned(), "grey".to_owned()],
            not_in_graph: vec!["Atlantis".to_owned()],
            missing: vec!["3 statements of a.ttl".to_owned()],
            clarify: Some(ClarifyOutput {
                question: "Which one?".to_owned(),
                options: vec![MeantProperty { label: "founded".to_owned(), iri: "urn:founded".to_owned() }],
            }),
            other_readings: vec![OtherReading {
                reading: "villages".to_owned(),
                query: "SELECT 3".to_owned(),
                rows: 71,
            }],
            run: "eruca://runs/0".to_owned(),
        });
        let (dataset, query) = ("towns".to_owned(), "SELECT 1".to_owned());
        assert_told(&QueryResult {
            dataset: dataset.clone(),
            outcome: "empty".to_owned(),
            query: query.clone(),
            result: ResultTable { boolean: Some(true), row_count: 1, ..ResultTable::default() },
            empty: Some(reason()),
            notes: vec!["no such property".to_owned()],
        });
        let notes = vec!["a note".to_owned()];
        assert_told(&Emptiness {
            dataset: dataset.clone(),
            query,
            row_count: 0,
            empty: Some(reason()),
            notes,
        });
        assert_told(&Observed { dataset, outcome: "ok".to_owned(), observation: "- e:a".to_owned() });
        assert_told(&DatasetList {
            datasets: vec![DatasetFacts {
                id: "https://e.x/".to_owned(),
                name: "Towns".to_owned(),
                aliases: vec!["towns".to_owned()],
                triples: 101,
                entities: 37,
                classes: 3,
                properties: 5,
                languages: vec!["en".to_owned()],
                card: "eruca://datasets/x/card".to_owned(),
            }],
        });
    }
}
