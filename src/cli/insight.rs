//! How reliable an answer is, in words for people.

use super::text::{counted, one_line};
use crate::trace::{Alternative, Doubtful, Insight, Trace};
use eruca_api::{Citation, Confidence};

/// Longest line, in characters.
const LINE_CHARS: usize = 150;
/// Prefix and maximum length in characters of the line that says which words stand for what.
const BECAUSE: &str = "because: ";
const BECAUSE_CHARS: usize = 600;
/// Maximum length of an alternative's query, which people may want to copy.
const QUERY_CHARS: usize = 2_000;

/// How reliable the answer is, and what was not understood; one line each. For a statement that there is no answer, only
/// that statement.
pub(super) fn doubts(trace: &Trace) -> Vec<String> {
    let mut lines = match (&trace.not_in_graph, &trace.insight) {
        (Some(reason), _) => {
            vec![one_line(&format!("the graph does not contain the answer: {reason}"), LINE_CHARS)]
        }
        (None, Some(insight)) => computed_lines(trace).into_iter().chain(insight_lines(insight)).collect(),
        (None, None) => Vec::new(),
    };
    lines.extend(trace.verified.iter().map(|verified| one_line(&verified.text, LINE_CHARS)));
    lines.extend(trace.citations.iter().map(citation_line));
    lines
}

/// What a text says, and where it stands.
fn citation_line(citation: &Citation) -> String {
    one_line(
        &format!("from a text, not from the graph: \"{}\" ({})", citation.quote, citation.place()),
        QUERY_CHARS,
    )
}

/// The program that computed the answer, on one line.
fn computed_lines(trace: &Trace) -> Option<String> {
    let program = &trace.computed.as_ref()?.program;
    Some(one_line(&format!("computed by: {program}"), QUERY_CHARS))
}

fn insight_lines(insight: &Insight) -> Vec<String> {
    let how = match insight.confidence {
        Confidence::Sure => "this is very likely what was asked",
        Confidence::Likely => "this is rather what was asked than not",
        Confidence::Guess => "this is a guess, and may well be wrong",
    };
    let percent = (insight.probability * 100.0).round();
    let mut lines = vec![format!("confidence: {} ({percent} %): {how}", insight.confidence.name())];
    lines.push(format!("read as: {}", insight.reading));
    lines.extend(list("not known in the graph", &insight.not_found));
    let rest: Vec<String> =
        insight.unused.iter().filter(|word| !is_told(word, &insight.not_found)).cloned().collect();
    lines.extend(list("not understood", &rest));
    let because: Vec<&str> = insight.because.iter().map(|because| because.text.as_str()).collect();
    lines.extend((!because.is_empty()).then(|| format!("{BECAUSE}{}", because.join("; "))));
    // What was not understood is already listed above.
    let told = |doubt: &&Doubtful| doubt.kind != "unused" || !insight.unused.contains(&doubt.about);
    lines.extend(insight.doubts.iter().filter(told).map(|doubt| format!("doubt: {}", doubt.text)));
    lines
        .iter()
        .map(|line| one_line(line, if line.starts_with(BECAUSE) { BECAUSE_CHARS } else { LINE_CHARS }))
        .collect()
}

/// Other interpretations with their results.
pub(super) fn alternatives(insight: &Insight) -> Vec<String> {
    let shown = insight.alternatives.iter().flat_map(|Alternative { reading, query, rows, .. }| {
        let rows = counted(u64::try_from(*rows).unwrap_or(u64::MAX), "row", "rows");
        [one_line(&format!("{reading}: {rows}"), LINE_CHARS), format!("  {}", one_line(query, QUERY_CHARS))]
    });
    shown.collect()
}

fn is_told(word: &str, names: &[String]) -> bool {
    names.iter().any(|name| name.split_whitespace().any(|part| part == word) || name == word)
}

fn list(title: &str, words: &[String]) -> Option<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    (!quoted.is_empty()).then(|| format!("{title}: {}", quoted.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_understood_is_said_in_words() {
        let insight = Insight {
            reading: "the population of Atlantis\u{1b}[2J".to_owned(),
            unused: ["old", "Port", "Royal"].map(str::to_owned).to_vec(),
            not_found: vec!["Port Royal".to_owned()],
            alternatives: vec![Alternative {
                reading: "city".to_owned(),
                query: "SELECT ?c\nWHERE { ?c a ex:City }".to_owned(),
                rows: 1,
                choice: None,
            }],
            ..Insight::of(0.214)
        };
        insta::assert_snapshot!(insight_lines(&insight).join("\n"), @r#"
        confidence: guess (21 %): this is a guess, and may well be wrong
        read as: the population of Atlantis [2J
        not known in the graph: "Port Royal"
        not understood: "old"
        "#);
        insta::assert_snapshot!(alternatives(&insight).join("\n"), @r"
        city: 1 row
          SELECT ?c WHERE { ?c a ex:City }
        ");
    }
}
