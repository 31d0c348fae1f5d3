//! Web pages where something else was expected: errors of gateways and services are told in the words that a reader of the
//! page would see.

/// Whether a body is a web page.
#[must_use]
pub fn is_page(body: &str) -> bool {
    let start: String = body.trim_start().chars().take(200).collect::<String>().to_lowercase();
    start.starts_with('<') && (start.starts_with("<!doctype html") || start.contains("<html"))
}

/// The title and the text of a web page, without styles and scripts.
#[must_use]
pub fn page_words(html: &str) -> String {
    let html = without_code(html);
    // ASCII alone keeps its length in lower case.
    let lower = html.to_ascii_lowercase();
    let title = between(&lower, "<title>", "</title>");
    let body = lower.find("<body").or_else(|| title.clone().map(|title| title.end)).unwrap_or_default();
    let mut text = match title.and_then(|range| html.get(range)) {
        Some(title) => format!("{title}. "),
        None => String::new(),
    };
    let mut inside = false;
    for c in html.get(body..).unwrap_or_default().chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                text.push(' ');
            }
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

/// The page without what browsers do not show.
fn without_code(html: &str) -> String {
    let mut shown = html.to_owned();
    for (start, end) in [("<style", "</style>"), ("<script", "</script>")] {
        let lower = shown.to_ascii_lowercase();
        let (mut kept, mut from) = (String::new(), 0);
        while let Some(inside) = lower.get(from..).and_then(|rest| between(rest, start, end)) {
            kept.push_str(shown.get(from..from + inside.start - start.len()).unwrap_or_default());
            from += inside.end + end.len();
        }
        kept.push_str(shown.get(from..).unwrap_or_default());
        shown = kept;
    }
    shown
}

/// The byte range between two markers.
pub(crate) fn between(text: &str, start: &str, end: &str) -> Option<std::ops::Range<usize>> {
    let from = text.find(start)? + start.len();
    Some(from..from + text.get(from..)?.find(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_told_as_it_is_read() {
        let page = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Error</title>\n<STYLE>\n* { margin: 0 }\n\
            </STYLE><style>p { color: #333 }</style>\n<h1>Too many requests</h1><script>if (1 < 2) { a() }</script><p>Wait \
            a m\u{ef}nute.</p></html>";
        assert!(is_page(page));
        let words: Vec<String> = page_words(page).split_whitespace().map(str::to_owned).collect();
        assert_eq!(words.join(" "), "Error. Too many requests Wait a m\u{ef}nute.");
        assert_eq!(page_words("<html><body>Hi</body></html>").trim(), "Hi");
        assert!(!is_page("{\"html\": \"<html\"}") && !is_page(""));
    }

    #[test]
    fn an_unfinished_page_is_told_as_far_as_it_goes() {
        for page in
            ["<html><style>p {", "<html><title>x", "<html", "<script></style>\u{e9}", "</style><style>"]
        {
            let _ = page_words(page);
        }
        assert!(page_words("<html><body>Down<style>p {").contains("Down"));
    }
}
