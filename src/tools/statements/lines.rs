//! Lines within a character limit: the least informative ones are left out, none is cut in the middle.

/// Lines of text within a character limit.
#[derive(Debug)]
pub(super) struct BoundedLines {
    lines: Vec<String>,
    left: usize,
}

impl BoundedLines {
    /// An empty list with room for `max_chars` characters.
    pub(super) fn within(max_chars: usize) -> Self {
        Self { lines: Vec::new(), left: max_chars }
    }

    /// Reserves room for a line that is added later.
    pub(super) fn reserve(&mut self, line: &str) {
        self.left = self.left.saturating_sub(length(line));
    }

    /// Adds a line if there is room for it, leaving `kept` characters for others.
    pub(super) fn add(&mut self, line: String, kept: usize) -> bool {
        let fits = length(&line).saturating_add(kept) <= self.left;
        if fits {
            self.left -= length(&line);
            self.lines.push(line);
        }
        fits
    }

    /// Replaces a line by a longer one if there is room, leaving `kept` characters for others.
    pub(super) fn replace(&mut self, line: &mut String, longer: String, kept: usize) -> bool {
        let more = length(&longer).saturating_sub(length(line));
        let fits = more.saturating_add(kept) <= self.left;
        if fits {
            self.left -= more;
            *line = longer;
        }
        fits
    }

    /// Characters of room left.
    pub(super) fn left(&self) -> usize {
        self.left
    }

    /// Adds a line for which room was reserved.
    pub(super) fn add_reserved(&mut self, line: String) {
        self.lines.push(line);
    }

    pub(super) fn text(self) -> String {
        self.lines.join("\n")
    }
}

/// Length of a line in characters, including its line break.
fn length(line: &str) -> usize {
    line.chars().count() + 1
}

/// As many items as fit, joined by commas, with the number of those left out.
pub(super) fn joined(items: &[String], max_chars: usize) -> String {
    let mut text = String::new();
    for (shown, item) in items.iter().enumerate() {
        if shown > 0 && text.chars().count() + item.chars().count() > max_chars {
            return format!("{text} and {} more", items.len() - shown);
        }
        text = if text.is_empty() { item.clone() } else { format!("{text}, {item}") };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out_whole() {
        let mut lines = BoundedLines::within(12);
        lines.reserve("end");
        assert!(lines.add("first".to_owned(), 0));
        assert!(!lines.add("second".to_owned(), 0) && !lines.add("a".to_owned(), 1));
        assert!(lines.add("a".to_owned(), 0));
        lines.add_reserved("end".to_owned());
        assert_eq!(lines.text(), "first\na\nend");
        let (mut lines, mut line) = (BoundedLines::within(8), "abc".to_owned());
        assert!(lines.add(line.clone(), 0));
        assert!(!lines.replace(&mut line, "abc, and more".to_owned(), 0));
        assert!(lines.replace(&mut line, "abc, d".to_owned(), 1) && lines.left() == 1);
        let items: Vec<String> = ["one", "two", "three"].map(str::to_owned).to_vec();
        assert_eq!(joined(&items, 8), "one, two and 1 more");
        assert_eq!(joined(&items, 0), "one and 2 more");
        assert_eq!(joined(&[], 8), "");
    }
}
