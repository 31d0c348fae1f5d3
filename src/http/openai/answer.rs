//! The answer to a question in Markdown: the sentence, the first rows, the query, how reliable it is, a link to the run, and
//! what the reader is asked back. The words around it come from the language packs (`say`).

use super::address::RunAddress;
use eruca_api::{Belief, Column, ColumnKind, Rows, Run, ShownTerm, Table, WordedBy, Words};
use eruca_language::{Language, fallback, language};
use eruca_verbalize::markdown::{
    HeadCell, MAX_CHARS, MAX_SENTENCE, article, fence, line, link, paragraph, piece, table, text,
};

/// Maximum number of rows and columns shown; the page of the run shows all.
const MAX_ROWS: usize = 20;
const MAX_COLUMNS: usize = 12;

/// The sentence.
pub(super) fn sentence(words: &Words) -> String {
    if words.parts.is_empty() { paragraph(&words.text, MAX_SENTENCE) } else { line(&words.parts) }
}

/// Everything after the sentence.
pub(super) fn rest(run: &Run, address: &RunAddress) -> String {
    let tongue = language(&run.lang).unwrap_or_else(fallback);
    let rows = run.rows.as_ref().and_then(|rows| shown_rows(rows, tongue));
    let query = run.query.as_ref().map(|query| fence("sparql", query));
    let missing = (!run.missing.is_empty()).then(|| piece(&run.missing.join("; ")));
    let page = address.page().map(|page| whole(page, tongue));
    let parts = [rows, query, doubts(run, tongue), missing, page, clarify(run, address)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")
}

/// The whole answer; an article stands in the place of the sentence, which it begins with.
pub(super) fn whole_text(run: &Run, address: &RunAddress) -> String {
    let sentence = || run.answer.as_ref().map(sentence).unwrap_or_default();
    let parts = [run.article.as_ref().map_or_else(sentence, article), rest(run, address)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn shown_rows(rows: &Rows, tongue: &Language) -> Option<String> {
    let Rows::Table(rows) = rows else { return None };
    if rows.rows.is_empty() || rows.columns.is_empty() {
        return None;
    }
    let head: Vec<HeadCell> = rows.columns.iter().take(MAX_COLUMNS).map(title).collect();
    let cells = |row: &Vec<Option<ShownTerm>>| row.iter().take(MAX_COLUMNS).map(cell).collect();
    let shown: Vec<Vec<String>> = rows.rows.iter().take(MAX_ROWS).map(cells).collect();
    let notes = notes(rows, shown.len(), tongue);
    let table = table(&head, &shown);
    Some(if notes.is_empty() { table } else { format!("{table}\n\n{notes}") })
}

/// Notes about parts of the result that are not shown, or missing.
fn notes(rows: &Table, shown: usize, tongue: &Language) -> String {
    let mut notes = Vec::new();
    if rows.row_count > shown {
        let (n, all) = (shown.to_string(), rows.row_count.to_string());
        notes.push(tongue.say("say", "first_rows", &[("n", &n), ("all", &all)]).into_owned());
    }
    if rows.incomplete.is_some() {
        notes.push(tongue.say("say", "cut", &[]).into_owned());
    }
    notes.join(" ")
}

fn title(column: &Column) -> HeadCell {
    let unit = column.unit.as_ref().map(|unit| format!(" ({})", text(unit))).unwrap_or_default();
    HeadCell { title: format!("{}{unit}", text(&column.title)), is_number: column.kind == ColumnKind::Number }
}

fn cell(term: &Option<ShownTerm>) -> String {
    let Some(term) = term else { return String::new() };
    let shown = term.label.as_ref().filter(|label| !label.trim().is_empty()).unwrap_or(&term.value);
    match &term.href {
        Some(href) => link(&eruca_sparql::one_line(shown.trim(), MAX_CHARS), href),
        None => text(shown),
    }
}

/// How reliable the answer is; and what was not understood, unless the sentence says so.
fn doubts(run: &Run, tongue: &Language) -> Option<String> {
    let by_model = run.answer.as_ref().is_none_or(|words| words.by == WordedBy::Model);
    let said = [("unknown", "names", &run.not_found), ("unplaced", "words", &run.unused)];
    let said = said.into_iter().filter(|(_, _, words)| by_model && !words.is_empty());
    let said = said
        .map(|(key, place, words)| tongue.say("say", key, &[(place, &quoted(words, tongue))]).into_owned());
    let verified = run.trace.iter().filter_map(|trace| trace.verified.as_ref()).map(|one| text(&one.text));
    let lines: Vec<String> =
        run.confidence.iter().map(|belief| confidence(belief, tongue)).chain(verified).chain(said).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

fn confidence(belief: &Belief, tongue: &Language) -> String {
    let percent = format!("{:.0}", belief.probability * 100.0);
    let percent = tongue.say("say", "percent", &[("n", &percent)]);
    tongue.say("say", "confidence", &[("n", &percent)]).into_owned()
}

fn quoted(words: &[String], tongue: &Language) -> String {
    let words = words.iter().map(|word| tongue.say("say", "quoted", &[("x", &text(word))]).into_owned());
    words.collect::<Vec<_>>().join(", ")
}

fn whole(page: &str, tongue: &Language) -> String {
    link(&tongue.say("say", "whole_run", &[]), page)
}

/// What the reader is asked back, with numbers to answer with. By the run that is linked to, the answer is known again.
fn clarify(run: &Run, address: &RunAddress) -> Option<String> {
    let asked = run.clarify.as_ref().filter(|asked| asked.is_open())?;
    let question = match (&address.run, address.has_page) {
        (Some(url), false) => link(&asked.text, url),
        _ => text(&asked.text),
    };
    let options = asked.options.iter().zip(1..);
    let options = options.map(|(option, number)| format!("{number}. {}", text(&option.label)));
    Some(format!("{question}\n\n{}", options.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service;
    use eruca_api::{Clarify, ClarifyOption, PartOfText, TermKind, WordsKind};
    use eruca_language::languages;

    fn term(value: &str, label: Option<&str>, href: Option<&str>) -> Option<ShownTerm> {
        Some(ShownTerm {
            kind: if href.is_some() { TermKind::Uri } else { TermKind::Literal },
            value: value.to_owned(),
            datatype: None,
            lang: None,
            label: label.map(str::to_owned),
            href: href.map(str::to_owned),
        })
    }

    fn column(title: &str, kind: ColumnKind, unit: Option<&str>) -> Column {
        Column {
            name: "x".to_owned(),
            title: title.to_owned(),
            kind,
            unit: unit.map(str::to_owned),
            named: true,
        }
    }

    fn run() -> Run {
        let mut run = Run::from(service::Run::begin("demo".to_owned(), "Who?".to_owned(), "en".to_owned()));
        let part = |text: &str, href: Option<&str>| PartOfText {
            text: text.to_owned(),
            iri: href.map(str::to_owned),
            href: href.map(str::to_owned),
            ..PartOfText::default()
        };
        run.answer = Some(Words {
            text: "1. The city: Paris.".to_owned(),
            parts: vec![
                part("1. The city: ", None),
                part("Par[is](x)", Some("https://e.x/a(b)")),
                part(".", None),
            ],
            lang: "en".to_owned(),
            by: WordedBy::Model,
            unverified: Vec::new(),
            kind: WordsKind::Answer,
        });
        let href = Some("https://e.x/a|b");
        run.rows = Some(Rows::Table(Table {
            columns: vec![
                column("city | x", ColumnKind::Thing, None),
                column("area", ColumnKind::Number, Some("km²")),
            ],
            rows: (0..25)
                .map(|_| vec![term("https://e.x/a|b", Some("<b>Köln</b>\n| x"), href), term("5", None, None)])
                .collect(),
            row_count: 130,
            incomplete: Some("cut".to_owned()),
            places: std::collections::BTreeMap::new(),
        }));
        run.query = Some("SELECT * { ?s ?p \"```\" }".to_owned());
        run.confidence = Some(Belief { name: eruca_api::Confidence::Likely, probability: 0.634 });
        run.unused = vec!["old*".to_owned()];
        run.missing = vec!["3 statements of a*.ttl could not be read and are missing".to_owned()];
        run
    }

    fn address(has_page: bool) -> RunAddress {
        RunAddress { run: Some("http://localhost:8080/runs/0".to_owned()), has_page }
    }

    #[test]
    fn it_ends_with_what_the_reader_is_asked() {
        let option = |label: &str| ClarifyOption {
            iri: String::new(),
            label: label.to_owned(),
            reading: String::new(),
            query: String::new(),
            rows: 1,
        };
        let options = vec![option("date*"), option("[x](y)")];
        let asked = Clarify { text: "Which?".to_owned(), options, chosen: false };
        let with = |asked: Clarify| Run { clarify: Some(asked), ..run() };
        let text = whole_text(&with(asked.clone()), &address(true));
        assert!(
            text.ends_with("(http://localhost:8080/runs/0)\n\nWhich?\n\n1. date\\*\n2. [x\\](y)"),
            "{text}"
        );
        let text = whole_text(&with(asked.clone()), &address(false));
        assert!(text.contains("\n\n[Which?](http://localhost:8080/runs/0)\n\n1. "), "{text}");
        let text = whole_text(&with(Clarify { chosen: true, ..asked }), &address(true));
        assert!(!text.contains("Which?"), "{text}");
    }

    #[test]
    fn everything_has_its_place_and_nothing_of_the_graph_is_markup() {
        let text = whole_text(&run(), &address(true));
        assert_eq!(text.matches("Köln").count(), MAX_ROWS);
        let short: Vec<&str> = text.lines().filter(|line| !line.contains("Köln")).collect();
        insta::assert_snapshot!(short.join("\n"), @r#"
        1\. The city: [Par[is\](x)](https://e.x/a%28b%29).

        | city \| x | area (km²) |
        | --- | ---: |

        The first 20 of 130 rows. The result is incomplete.

        ````sparql
        SELECT * { ?s ?p "```" }
        ````

        Confidence: 63%. The query does not use “old\*”.

        3 statements of a\*.ttl could not be read and are missing

        [All rows, the steps and the query](http://localhost:8080/runs/0)
        "#);
        let row = text.lines().find(|line| line.contains("Köln")).unwrap();
        assert_eq!(row, "| [\\<b\\>Köln\\</b\\> \\| x](https://e.x/a%7Cb) | 5 |");
    }

    #[test]
    fn what_the_sentence_says_is_not_said_again() {
        let mut run = run();
        run.answer.as_mut().unwrap().by = WordedBy::Reading;
        assert!(!rest(&run, &RunAddress::default()).contains("old"));
        run.answer = None;
        run.rows = None;
        let text = whole_text(&run, &RunAddress::default());
        assert!(text.starts_with("````sparql\n") && text.contains("old\\*"), "{text}");
    }

    #[test]
    fn every_language_has_the_words() {
        for tongue in languages() {
            for key in [
                "verified",
                "verified_changed",
                "verified_other",
                "verified_near",
                "confidence",
                "first_rows",
                "whole_run",
                "which_meant",
                "cut",
                "unknown",
                "unplaced",
                "percent",
                "quoted",
            ] {
                assert!(tongue.phrase("say", key).is_some(), "{}: {key}", tongue.tag());
            }
        }
    }
}
