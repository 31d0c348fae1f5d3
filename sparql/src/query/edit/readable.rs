//! Makes serialized algebra readable: prefixed names, short names for the parser's generated names, renamed variables.

use crate::terms::Prefixes;

/// Replaces IRIs in serialized algebra with prefixed names, with their PREFIX declarations in front.
pub(crate) fn readable(text: &str, prefixes: &Prefixes) -> String {
    let (mut body, mut used) = (String::with_capacity(text.len()), Prefixes::default());
    let mut names = ShortNames { text, blank_nodes: Vec::new(), variables: Vec::new() };
    for (between, token) in pieces(text) {
        body.push_str(&names.piece(between));
        match prefixed(token, prefixes, &mut used) {
            Some(name) => body.push_str(&name),
            None => body.push_str(token),
        }
    }
    let head: String = used.iter().map(|(name, iri)| format!("PREFIX {name}: <{iri}>\n")).collect();
    head + &body
}

/// Renames the variables in serialized algebra.
pub(crate) fn renamed_variables(text: &str, mut name: impl FnMut(&str) -> String) -> String {
    let piece = |(between, token)| renamed(between, "?", |old| Some(name(old))) + token;
    pieces(text).into_iter().map(piece).collect()
}

/// Splits a text into pieces between IRIs and strings, each with the IRI or string that follows it.
pub(super) fn pieces(text: &str) -> Vec<(&str, &str)> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find(['<', '"']) {
        let (between, from) = rest.split_at_checked(start).unwrap_or((rest, ""));
        let end = if from.starts_with('<') { iri_end(from) } else { string_end(from) };
        let (token, after) = from.split_at_checked(end).unwrap_or((from, ""));
        found.push((between, token));
        rest = after;
    }
    found.push((rest, ""));
    found
}

/// Short names for names that the parser generates at random: blank nodes and aggregate variables.
struct ShortNames<'a> {
    /// The whole query, whose own names must not be reused.
    text: &'a str,
    blank_nodes: Vec<String>,
    variables: Vec<(String, String)>,
}

impl ShortNames<'_> {
    /// Formats a piece without strings and IRIs: a space after each `.`, and short names.
    fn piece(&mut self, piece: &str) -> String {
        let piece = piece.replace(" .", " . ").replace("  ", " ");
        let piece = renamed(&piece, "_:", |name| Some(self.blank_node(name)));
        renamed(&piece, "?", |name| is_random(name).then(|| self.variable(name)))
    }

    fn blank_node(&mut self, name: &str) -> String {
        let known = self.blank_nodes.iter().position(|known| known == name);
        let number = known.unwrap_or_else(|| {
            self.blank_nodes.push(name.to_owned());
            self.blank_nodes.len() - 1
        });
        format!("b{number}")
    }

    fn variable(&mut self, name: &str) -> String {
        if let Some((_, short)) = self.variables.iter().find(|(known, _)| known == name) {
            return short.clone();
        }
        let is_taken = |short: &String| {
            self.text.contains(&format!("?{short}")) || self.variables.iter().any(|(_, taken)| taken == short)
        };
        let short = (1..).map(|number| format!("value{number}")).find(|short| !is_taken(short));
        let short = short.unwrap_or_else(|| name.to_owned());
        self.variables.push((name.to_owned(), short.clone()));
        short
    }
}

/// Renames the names after `mark` in a piece; `None` keeps a name.
fn renamed(piece: &str, mark: &str, mut short: impl FnMut(&str) -> Option<String>) -> String {
    let mut parts = piece.split(mark);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at_checked(end).unwrap_or((part, ""));
        text.push_str(mark);
        text.push_str(&short(name).unwrap_or_else(|| name.to_owned()));
        text.push_str(rest);
    }
    text
}

/// Whether spargebra has generated the name: 128 bits in hexadecimal.
fn is_random(name: &str) -> bool {
    (24..=32).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

fn prefixed(token: &str, prefixes: &Prefixes, used: &mut Prefixes) -> Option<String> {
    let iri = token.strip_prefix('<')?.strip_suffix('>')?;
    let short = prefixes.shorten(iri)?;
    let (name, _) = short.split_once(':')?;
    used.insert(name, prefixes.get(name)?);
    Some(short)
}

/// The end of an IRI; a `<` that does not start one is an operator.
fn iri_end(text: &str) -> usize {
    match text.find(['>', ' ']) {
        Some(at) if text.as_bytes().get(at) == Some(&b'>') => at + 1,
        _ => 1,
    }
}

/// The end of a string in double quotes, the only kind in serialized algebra.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\\' if !escaped => escaped = true,
            '"' if !escaped => return at + 1,
            _ => escaped = false,
        }
    }
    text.len()
}
