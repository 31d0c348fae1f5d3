//! What is known of the gold answers: the questions that do not count, and how far published answers hold.

use super::html::{HtmlPage, score};
use crate::summary::Summary;

pub(super) fn render(page: &mut HtmlPage, summary: &Summary) {
    if let Some(overlap) = &summary.gold_overlap {
        page.element("p", "", &format!("Published answers and gold queries: {}.", overlap.told()));
    }
    if summary.gold_excluded.is_empty() {
        return;
    }
    page.element("h2", "", "Left out");
    if let Some(official) = &summary.official_failed_as_empty {
        let note = format!(
            "The gold answers of these questions are not known, so no mean has them. Counted as empty, as the official client does, set F is {}, set P {}, set recall {}.",
            score(official.set_f),
            score(official.set_p),
            score(official.set_recall)
        );
        page.element("p", "", &note);
    }
    page.raw("<table><thead><tr>").element("th", "", "Question").element("th", "", "Reason");
    page.raw("</tr></thead><tbody>\n");
    for left_out in &summary.gold_excluded {
        page.raw("<tr><td>").element("code", "", &left_out.id).raw("</td>");
        page.element("td", "", &left_out.reason).raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}
