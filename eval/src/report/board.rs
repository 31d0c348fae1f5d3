//! A page of several runs: where they stand, how sure the differences are, and the tables of papers.

use super::charts;
use super::html::HtmlPage;
use crate::error::EvalError;
use crate::leaderboard::{Leaderboard, NamedRun, leaderboard, pair_table};
use crate::table::Table;
use crate::tables::tables;
use std::path::Path;

/// Writes a page of several runs.
///
/// # Errors
/// When it cannot be written.
pub fn write_board(path: &Path, title: &str, runs: &[NamedRun<'_>]) -> Result<(), EvalError> {
    std::fs::write(path, board(title, runs)).map_err(|reason| EvalError::write(path, reason))
}

/// The page as HTML.
pub fn board(title: &str, runs: &[NamedRun<'_>]) -> String {
    let mut page = HtmlPage::begin("Eruca eval", title);
    standings(&mut page, &leaderboard(runs));
    for titled in tables(runs) {
        page.element("h2", "", &titled.title);
        render_table(&mut page, &titled.table);
    }
    page.raw("</body>\n</html>\n");
    page.finish()
}

fn standings(page: &mut HtmlPage, board: &Leaderboard) {
    let Leaderboard { common, gold_unknown, left_out, standings, pairs } = board;
    page.element("h2", "", "Standings");
    let about = format!(
        "set_F with its 95 % interval over the {common} questions of all runs; {left_out} others are left out, and {gold_unknown} whose gold \
         answer is not known."
    );
    page.element("p", "", &about);
    page.raw("<div class=\"charts\">");
    for one in standings {
        let [low, high] = one.set_f.interval;
        page.raw("<figure>").raw(&charts::interval(one.set_f.mean, low, high));
        page.element("figcaption", "", &format!("{}: {:.4}", one.run, one.set_f.mean)).raw("</figure>\n");
    }
    page.raw("</div>\n");
    if !pairs.is_empty() {
        page.element("h2", "", "Pairs");
        page.element("p", "", "A difference whose corrected p-value is above .05 may be chance.");
        render_table(page, &pair_table(pairs));
    }
}

fn render_table(page: &mut HtmlPage, table: &Table) {
    page.raw("<table><thead><tr>");
    table.head.iter().for_each(|name| _ = page.element("th", "", name));
    page.raw("</tr></thead><tbody>\n");
    for row in &table.rows {
        page.raw("<tr>");
        for (at, cell) in row.iter().enumerate() {
            page.element("td", if at == 0 { "" } else { "number" }, cell);
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::record;

    #[test]
    fn several_runs_are_one_page_that_loads_nothing() {
        let runs = [vec![record("a", 1.0), record("b", 1.0)], vec![record("a", 0.5), record("b", 0.0)]];
        let page = board("<b>two</b>", &[("good", &runs[0]), ("bad & worse", &runs[1])]);
        assert!(
            page.contains("&lt;b&gt;two&lt;/b&gt;") && page.contains("bad &amp; worse: 0.2500"),
            "{page}"
        );
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(page.contains("<h2>Pairs</h2>") && page.contains("<h2>Scores</h2>"), "{page}");
        for outside in ["src=\"", "href=", "url(", "@import", "<link", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
