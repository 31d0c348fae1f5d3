//! Builds responses from the bytes of a fuzzer: well-formed enough to reach deep into the parsers, but otherwise hostile. Keys
//! come in any order and repeatedly, rows and variables in any number, with cells for variables that no head declares.

use crate::results::{MAX_COLUMNS, MAX_NAME_BYTES};

/// Decisions made by the fuzzer; when the bytes are used up, always the first choice.
pub(super) struct Choices<'a>(&'a [u8]);

impl<'a> Choices<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn next(&mut self) -> usize {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        usize::from(*first)
    }

    pub(super) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.next() % all.len()]
    }
}

/// Maximum length of a generated repetition, in bytes.
const MAX_BUILT: usize = 16_000;

/// `text` repeated `count` times, or as often as fits.
fn times(text: &str, count: usize, between: &str) -> String {
    let one = (text.len() + between.len()).max(1);
    vec![text; count.min(MAX_BUILT / one + 1)].join(between)
}

/// The parts joined by a separator, as many as fit.
fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    let mut all = String::new();
    for part in parts {
        if !all.is_empty() {
            all.push_str(between);
        }
        all.push_str(&part);
        if all.len() > MAX_BUILT {
            break;
        }
    }
    all
}

const FEW: &[usize] = &[0, 1, 2, 3, 5];
const WIDTHS: &[usize] = &[1, 0, 2, 3, 40, MAX_COLUMNS - 1, MAX_COLUMNS, MAX_COLUMNS + 1, 4 * MAX_COLUMNS];
const HEIGHTS: &[usize] = &[1, 0, 2, 6, 7, 100, 700];
const LENGTHS: &[usize] = &[1, 0, 20, 20, MAX_NAME_BYTES, MAX_NAME_BYTES + 1, 10_000];

/// JSON results.
pub(super) fn json(choices: &mut Choices<'_>) -> String {
    let entries: Vec<String> = (0..choices.of(FEW)).map(|_| json_entry(choices)).collect();
    format!("{{{}}}", entries.join(","))
}

fn json_entry(choices: &mut Choices<'_>) -> String {
    match choices.of(&[0, 1, 1, 2, 3, 4]) {
        0 => {
            let vars: Vec<String> = (0..choices.of(&[1, 0, 2])).map(|_| vars(choices)).collect();
            format!("\"head\":{{{}}}", vars.join(","))
        }
        1 => {
            let bindings: Vec<String> = (0..choices.of(&[1, 0, 2])).map(|_| bindings(choices)).collect();
            format!("\"results\":{{{}}}", bindings.join(","))
        }
        2 => format!("\"boolean\":{}", choices.of(&["true", "false", "null", "1"])),
        3 => "\"head\":{\"link\":[],\"vars\":[]}".to_owned(),
        _ => format!("\"other\":{}", nested(choices)),
    }
}

fn vars(choices: &mut Choices<'_>) -> String {
    let names = names(choices);
    format!("\"vars\":[{}]", joined(names.iter().map(|name| format!("\"{name}\"")), ","))
}

/// Variable names: numbered, possibly with the prefix of another list, all equal, or long.
fn names(choices: &mut Choices<'_>) -> Vec<String> {
    let (count, prefix) = (choices.of(WIDTHS), choices.of(&["v", "s", "w"]));
    match choices.of(&[0, 0, 0, 1, 2]) {
        0 => (0..count).map(|number| format!("{prefix}{number}")).collect(),
        1 => vec![prefix.to_owned(); count],
        _ => vec![prefix.repeat(choices.of(LENGTHS)); count.min(3)],
    }
}

fn bindings(choices: &mut Choices<'_>) -> String {
    let mut rows = Vec::new();
    for _ in 0..choices.of(FEW) {
        let row = row(choices);
        rows.push(times(&row, choices.of(HEIGHTS), ","));
    }
    rows.retain(|rows| !rows.is_empty());
    format!("\"bindings\":[{}]", rows.join(","))
}

fn row(choices: &mut Choices<'_>) -> String {
    let value = cell(choices);
    let all = names(choices);
    let most = choices.of(&[1, 0, 3, usize::MAX]);
    let cells = all.iter().take(most).map(|name| format!("\"{name}\":{value}"));
    format!("{{{}}}", joined(cells, ","))
}

fn cell(choices: &mut Choices<'_>) -> String {
    let text = "x".repeat(choices.of(LENGTHS));
    match choices.of(&[0, 1, 2, 3, 4, 5, 6]) {
        0 => format!("{{\"type\":\"uri\",\"value\":\"{text}\"}}"),
        1 => "null".to_owned(),
        2 => format!("{{\"value\":\"{text}\",\"type\":\"literal\",\"xml:lang\":\"en\"}}"),
        3 => format!("{{\"type\":\"typed-literal\",\"datatype\":\"{text}\",\"value\":-1}}"),
        4 => format!("{{\"type\":\"bnode\",\"value\":\"{text}-é\"}}"),
        5 => format!("{{\"type\":\"literal\",\"value\":{}}}", nested(choices)),
        _ => format!("{{\"type\":\"{text}\"}}"),
    }
}

/// Brackets, nested or side by side.
fn nested(choices: &mut Choices<'_>) -> String {
    let depth = choices.of(&[1, 2, 100, 5_000]);
    match choices.of(&[0, 1]) {
        0 => format!("{}{}", "[".repeat(depth), "]".repeat(depth)),
        _ => format!("[{}0]", "{},".repeat(depth)),
    }
}

/// XML results.
pub(super) fn xml(choices: &mut Choices<'_>) -> String {
    let prefix = choices.of(&["", "r:"]);
    let variables = names(choices);
    let variables = joined(variables.iter().map(|name| format!("<{prefix}variable name='{name}'/>")), "");
    let mut rows = String::new();
    for _ in 0..choices.of(FEW) {
        let text = "x".repeat(choices.of(LENGTHS));
        let names = names(choices);
        let most = choices.of(&[1, 0, 3, usize::MAX]);
        let kind = choices.of(&["literal", "uri", "bnode"]);
        let cell = |name: &String| format!("<binding name='{name}'><{kind}>{text}</{kind}></binding>");
        let cells = joined(names.iter().take(most).map(cell), "");
        rows.push_str(&times(&format!("<result>{cells}</result>"), choices.of(HEIGHTS), ""));
    }
    let rows = choices.of(&[rows.as_str(), "", "<boolean>true</boolean>"]).to_owned();
    format!("<sparql><head>{variables}</head><results>{rows}</results></sparql>")
}

/// TSV results.
pub(super) fn tsv(choices: &mut Choices<'_>) -> String {
    let head: Vec<String> = names(choices).iter().map(|name| format!("?{name}")).collect();
    let mut table = format!("{}\n", head.join("\t"));
    for _ in 0..choices.of(FEW) {
        let width = choices.of(&[head.len(), 0, 5_000]);
        let cell = choices.of(&["", "1", "\"a\"", "<x:y>", "_:b", "\"a\"@en"]);
        table.push_str(&times(&format!("{}\n", times(cell, width, "\t")), choices.of(HEIGHTS), ""));
    }
    table
}

/// A Turtle graph.
pub(super) fn turtle(choices: &mut Choices<'_>) -> String {
    let namespace = "x".repeat(choices.of(LENGTHS));
    let mut graph = format!("@prefix p: <http://e.x/{namespace}> . @base <http://e.x/{namespace}> .\n");
    for _ in 0..choices.of(FEW) {
        let depth = choices.of(&[1, 0, 50, 3_000]);
        let statement = match choices.of(&[0, 1, 2, 3]) {
            0 => "p:a p:b p:c .\n".to_owned(),
            1 => format!("<a> <b> {}{} .\n", "(".repeat(depth), ")".repeat(depth)),
            2 => format!("<a> <b> {}{} .\n", "[ a ".repeat(depth), "]".repeat(depth)),
            _ => format!("<a> <b> \"{}\" .\n", "x".repeat(choices.of(LENGTHS))),
        };
        graph.push_str(&times(&statement, choices.of(HEIGHTS), ""));
    }
    graph
}
