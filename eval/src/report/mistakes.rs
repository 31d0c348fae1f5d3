//! The table of what the answers are.

use super::html::{HtmlPage, percent, score};
use crate::mistakes::{Counted, Outcome};
use std::collections::BTreeMap;

pub(super) fn render(page: &mut HtmlPage, found: &BTreeMap<Outcome, Counted>) {
    let all: usize = found.values().map(|counted| counted.answers).sum();
    if all == 0 {
        return;
    }
    page.element("h2", "", "Right and wrong");
    page.element(
        "p",
        "",
        "Of the questions whose answer is known. The last columns: how many queries have all terms of the gold query, and how many lack some.",
    );
    page.raw("<table><thead><tr>").element("th", "", "Answer");
    for name in ["n", "share", "all terms", "terms missing"] {
        page.element("th", "number", name);
    }
    page.raw("</tr></thead><tbody>\n");
    for outcome in Outcome::ALL {
        let Some(Counted { answers, same_terms, other_terms }) = found.get(&outcome) else { continue };
        let share = *answers as f64 / all as f64;
        page.raw("<tr>").element("td", "", outcome.name()).element("td", "number", &answers.to_string());
        page.raw(&format!("<td class=\"number bar\" style=\"--part:{}\">", percent(share)));
        page.text(&score(share)).raw("</td>");
        page.element("td", "number", &same_terms.to_string());
        page.element("td", "number", &other_terms.to_string()).raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}
