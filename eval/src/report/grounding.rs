//! The report of what was found of gold terms: tables, and each question with its terms.

use super::html::HtmlPage;
use crate::EvalError;
use crate::grounding::Lost;
use crate::grounding::record::{FoundTerm, GroundingRecord};
use crate::grounding::summary::GroundingSummary;
use crate::grounding::tables::{lost_table, prompt_table, recall_table};
use crate::table::Table;
use std::path::Path;

/// The name of the report of a run of `--grounding`.
pub const GROUNDING_REPORT_FILE: &str = "grounding.html";

/// Writes the report into a folder.
///
/// # Errors
/// When it cannot be written.
pub fn write_grounding_report(
    title: &str,
    summary: &GroundingSummary,
    records: &[GroundingRecord],
    folder: &Path,
) -> Result<(), EvalError> {
    let path = folder.join(GROUNDING_REPORT_FILE);
    let html = render(title, summary, records);
    std::fs::write(&path, html).map_err(|reason| EvalError::write(&path, reason))
}

fn render(title: &str, summary: &GroundingSummary, records: &[GroundingRecord]) -> String {
    let mut page = HtmlPage::begin("Eruca eval, grounding", title);
    page.element("p", "", &about(summary));
    let tables = [
        ("Recall of the gold terms", recall_table(summary)),
        ("In the first prompt", prompt_table(summary)),
        ("Where terms were lost", lost_table(summary)),
    ];
    for (title, table) in &tables {
        page.element("h2", "", title);
        figures(&mut page, table);
    }
    page.element("h2", "", "Questions");
    records.iter().for_each(|record| question(&mut page, record));
    page.raw("</body>\n</html>\n");
    page.finish()
}

fn about(summary: &GroundingSummary) -> String {
    let GroundingSummary { questions, failed, without_terms, models, .. } = summary;
    let vectors = match models.as_slice() {
        [] => "words alone, without vectors".to_owned(),
        models => format!("words, and vectors of {}", models.join(", ")),
    };
    format!(
        "{questions} questions, {failed} not measured, {without_terms} without terms to be found; searched by {vectors}."
    )
}

fn figures(page: &mut HtmlPage, Table { head, rows }: &Table) {
    page.raw("<div class=\"wide\"><table><thead><tr>");
    head.iter().for_each(|cell| _ = page.element("th", "", cell));
    page.raw("</tr></thead><tbody>\n");
    for row in rows {
        page.raw("<tr>");
        row.iter().for_each(|cell| _ = page.element("td", "", cell));
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table></div>\n");
}

fn question(page: &mut HtmlPage, record: &GroundingRecord) {
    let GroundingRecord { id, question, lang, error, terms, .. } = record;
    let lost = terms.iter().filter(|term| term.lost.is_some()).count();
    page.raw("<details><summary>");
    let lang = lang.as_deref().unwrap_or_default();
    page.element("span", "question", question);
    page.element("small", "", &format!(" {id} {lang}: {} terms, {lost} lost", terms.len()));
    page.raw("</summary>\n");
    if let Some(error) = error {
        page.element("p", "error", error);
    }
    let head = ["term", "kind", "names", "ranks", "first prompt", "lost"].map(str::to_owned).to_vec();
    figures(page, &Table { head, rows: terms.iter().map(term_row).collect() });
    page.raw("</details>\n");
}

fn term_row(term: &FoundTerm) -> Vec<String> {
    let rank = |(search, rank): (&String, &Option<usize>)| {
        format!("{search}: {}", rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()))
    };
    let ranks: Vec<String> = term.ranks.iter().map(rank).collect();
    let prompt = match (term.told, term.shown) {
        (true, _) => "told of the words",
        (false, true) => "in the graph's part",
        (false, false) => "–",
    };
    let lost = term.lost.as_ref().map_or_else(String::new, |Lost { reason, rank }| {
        let rank = rank.map_or_else(String::new, |rank| format!(", rank {rank}"));
        format!("{}{rank}", reason.told())
    });
    let names = term.names.join(", ");
    vec![term.term.clone(), term.kind.name().to_owned(), names, ranks.join("; "), prompt.to_owned(), lost]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grounding::summary::summarize_grounding;
    use crate::grounding::summary::tests::records;

    #[test]
    fn the_report_is_one_file_and_texts_stay_texts() {
        let records = records();
        let html = render("q.jsonl", &summarize_grounding(&records, &[1, 5]), &records);
        for outside in ["src=\"", "href=", "url(", "@import", "<link", "<script"] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("&lt;b&gt;question&lt;/b&gt; a") && !html.contains("<b>question"));
        for part in ["vectors of small", "no gold query", "rank 9", "spans, words: –", "http://e/Elbe"] {
            assert!(html.contains(part), "{part}");
        }
        assert_eq!(html.matches("<details>").count(), 5);
    }
}
