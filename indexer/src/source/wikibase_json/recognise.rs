//! Whether JSON consists of entities of a Wikibase, and in which layout. Uses only the beginning of a file.

use crate::source::json_scanner::JsonScanner;

/// Entity types that are read.
const KINDS: [&str; 3] = ["item", "property", "lexeme"];
/// Maximum number of keys of an object that are compared.
const MAX_KEYS: usize = 100;

/// The layout of entities in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Layout {
    /// One per line, in a list or not.
    Lines,
    /// Objects spanning several lines, or several on one line, nested in lists or objects.
    Objects {
        /// Number of lists and objects around an entity.
        within: usize,
    },
    /// In an object under the key `entities`, each under its id.
    Keyed,
}

/// The layout of the entities; `None` if the JSON is of another kind. `text` may be cut anywhere.
pub(in crate::source) fn recognise(text: &[u8]) -> Option<Layout> {
    let text = text.trim_ascii_start();
    let (list, object) = match text.split_first()? {
        (b'[', rest) => (true, rest.trim_ascii_start()),
        _ => (false, text),
    };
    let pairs = top_pairs(object);
    if pairs.iter().any(|(key, _)| key.starts_with('@')) {
        return None;
    }
    let of = |name: &str| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_deref());
    if let (Some(Some(kind)), Some(Some(_))) = (of("type"), of("id")) {
        return KINDS.contains(&kind).then(|| layout(object, usize::from(list)));
    }
    (!list && of("entities").is_some() && holds_entities(object)).then_some(Layout::Keyed)
}

/// An entity that ends before its line does is alone on it if only a comma follows.
fn layout(object: &[u8], within: usize) -> Layout {
    let mut scanner = JsonScanner::default();
    for (at, byte) in object.iter().enumerate() {
        if *byte == b'\n' {
            return Layout::Objects { within };
        }
        scanner.step(*byte);
        if scanner.depth() == 0 {
            let rest = object.get(at + 1..).unwrap_or_default();
            let mut line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
            line = line.strip_prefix(b",").unwrap_or(line);
            line = line.strip_suffix(b"]").unwrap_or(line);
            return if line.trim_ascii().is_empty() { Layout::Lines } else { Layout::Objects { within } };
        }
    }
    Layout::Lines
}

/// Whether an object under `entities` has keys that look like ids, or none.
fn holds_entities(object: &[u8]) -> bool {
    let key = b"\"entities\"";
    let Some(at) = object.windows(key.len()).position(|window| window == key) else { return false };
    let rest = object.get(at + key.len()..).unwrap_or_default().trim_ascii_start();
    let rest = rest.strip_prefix(b":").unwrap_or(rest).trim_ascii_start();
    let rest = match rest.split_first() {
        Some((b'{' | b'[', rest)) => rest.trim_ascii_start(),
        _ => return false,
    };
    match rest.split_first() {
        Some((b'}' | b']', _)) => true,
        Some((b'"', rest)) => {
            let id: Vec<u8> = rest.iter().copied().take_while(|byte| *byte != b'"').take(20).collect();
            matches!(id.split_first(), Some((b'A'..=b'Z', number))
                if !number.is_empty() && number.iter().all(u8::is_ascii_digit))
        }
        _ => false,
    }
}

/// The keys of an object, with those of their values that are strings, as far as the object goes.
fn top_pairs(object: &[u8]) -> Vec<(String, Option<String>)> {
    let (mut scanner, mut pairs) = (JsonScanner::default(), Vec::new());
    let (mut key, mut text) = (None, None);
    let mut open: Vec<u8> = Vec::new();
    for byte in object {
        let (inside, depth) = (scanner.in_string(), scanner.depth());
        scanner.step(*byte);
        match (inside, scanner.in_string()) {
            (false, true) => open.clear(),
            (true, true) => open.push(*byte),
            (true, false) if depth == 1 => text = Some(String::from_utf8_lossy(&open).into_owned()),
            _ => match byte {
                b':' if depth == 1 => key = text.take(),
                b',' | b'}' if depth == 1 => pairs.extend(key.take().map(|key| (key, text.take()))),
                _ => {}
            },
        }
        if scanner.depth() == 0 || pairs.len() == MAX_KEYS {
            break;
        }
    }
    pairs.extend(key.map(|key| (key, text)));
    pairs
}
