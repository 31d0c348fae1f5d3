//! The tables of what a model did.

use super::html::{HtmlPage, percent, score};
use crate::actions::{Actions, END};
use std::collections::BTreeMap;

pub(super) fn render(page: &mut HtmlPage, actions: &Actions) {
    if actions.calls == 0 {
        return;
    }
    page.element("h2", "", "What the model did");
    let (calls, questions) = (actions.calls, actions.questions);
    page.element("p", "", &format!("{calls} calls of tools for {questions} questions."));
    page.raw("<div class=\"columns\">\n");
    tools(page, actions);
    turns(page, actions);
    follows(page, actions);
    page.raw("</div>\n");
}

fn head(page: &mut HtmlPage, title: &str, columns: &[String]) {
    page.raw("<table><thead><tr>").element("th", "", title);
    columns.iter().for_each(|column| _ = page.element("th", "number", column));
    page.raw("</tr></thead><tbody>\n");
}

fn tools(page: &mut HtmlPage, actions: &Actions) {
    let columns = ["calls", "share", "questions", "set F"].map(str::to_owned);
    head(page, "Tool", &columns);
    for (tool, figures) in &actions.tools {
        page.raw("<tr>").element("td", "", &format!("{tool} ({})", listed(&figures.outcomes)));
        page.element("td", "number", &figures.calls.to_string());
        page.raw(&format!("<td class=\"number bar\" style=\"--part:{}\">", percent(figures.share)));
        page.text(&score(figures.share)).raw("</td>");
        page.element("td", "number", &figures.questions.to_string());
        page.element("td", "number", &score(figures.set_f)).raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

fn turns(page: &mut HtmlPage, actions: &Actions) {
    head(page, "Turn", &["questions", "ended by it"].map(str::to_owned));
    for turn in &actions.turns {
        page.raw("<tr>").element("td", "", &format!("{}: {}", turn.number, listed(&turn.tools)));
        page.element("td", "number", &turn.questions.to_string());
        page.element("td", "number", &score(turn.ended)).raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

/// A row for each tool with what followed it.
fn follows(page: &mut HtmlPage, actions: &Actions) {
    let columns: Vec<String> = actions.tools.keys().cloned().chain([END.to_owned()]).collect();
    head(page, "Followed by", &columns);
    for (from, to) in &actions.follows {
        page.raw("<tr>").element("td", "", from);
        for column in &columns {
            let count = to.get(column).copied().unwrap_or_default();
            page.element("td", "number", &if count == 0 { "–".to_owned() } else { count.to_string() });
        }
        page.raw("</tr>\n");
    }
    page.raw("</tbody></table>\n");
}

fn listed(counts: &BTreeMap<String, usize>) -> String {
    counts.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
}
