//! Simulates how engines resolve codepoint escapes before parsing, and checks that a checked query means the same to all of them.

use crate::check::key_of;
use crate::{CheckedQuery, Prefixes, QueryPolicy, check};

/// Pieces of queries that combine escapes, backslashes, comments and quotes.
pub(super) const PIECES: &[&str] = &[
    "\\u000a",
    "\\u000D",
    "\\u0022",
    "\\u0027",
    "\\u005c",
    "\\U0000005C",
    "\\u003e",
    "\\u003C",
    "\\u0023",
    "\\u007d",
    "\\u0041",
    "\\u0020",
    "\\u+00a",
    "\\u00",
    "\\uD83D\\uDE00",
    "\\U0001F600",
    "\\Users",
    "\\u",
    "u0022",
    "u000a",
    "000a",
    "\\",
    "\\\\",
    "\\n",
    "\\\"",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "# ",
    "#",
    "\n",
    "\r",
    " ",
    "<",
    ">",
    "<http://e.x/a",
    "SERVICE SILENT <http://e.x/s> { ?s ?p ?o } ",
    "?s ?p ",
    "?x ",
    "xsd:",
    "xsd:int(?x) ",
    "{ ",
    "} ",
    ". ",
    "a",
    "FILTER(?x = ",
    ") ",
    "BIND(",
    " AS ?y) ",
    "@en ",
    "FILTER(<java:a.b>(?x)) ",
    "?s <bif:contains> ?x ",
    "PREFIX e: <http://e.x/>\n",
    "e:a\\_b ",
];

/// The text of these pieces, alone or inside a query.
pub(super) fn text(choices: &[u8]) -> String {
    let (kind, pieces) = choices.split_first().unwrap_or((&0, &[]));
    let text: String = pieces.iter().map(|piece| PIECES[usize::from(*piece) % PIECES.len()]).collect();
    match kind % 6 {
        0 => text,
        1 => format!("SELECT * {{ {text} }}"),
        2 => format!("SELECT * {{ ?s ?p \"{text}\" . {text} }}"),
        3 => format!("SELECT * {{ ?s ?p ?x {text}\n }} # {text}"),
        4 => format!("ASK {{ ?s <http://e.x/{text}> ?o # {text}\n }}"),
        _ => format!("SELECT * {{ ?s ?p '''{text}''' FILTER(?o = \"{text}\") }}"),
    }
}

/// The text sent is the checked query, however an engine resolves escapes.
pub(super) fn assert_same_for_all(checked: &CheckedQuery) {
    let sent = checked.text();
    for (name, reading) in READINGS {
        let read = reading(sent);
        assert_eq!(key_of(&read).as_deref(), Some(checked.key().as_str()), "{name} reads {read} in {sent}");
    }
    let policy = QueryPolicy { max_length: usize::MAX, ..QueryPolicy::default() };
    let again = check(sent, &Prefixes::default(), &policy).map(|again| again.text().to_owned());
    assert_eq!(again.as_deref(), Ok(sent));
}

type Reading = fn(&str) -> String;

const READINGS: [(&str, Reading); 4] = [
    ("an engine that knows escapes in strings and IRIs", str::to_owned),
    ("an engine that resolves all", |text| resolved(text, false, false)),
    ("an engine that resolves those behind no backslash", |text| resolved(text, true, false)),
    ("an engine that reads numbers as they come", |text| resolved(text, false, true)),
];

/// The text with its escapes resolved. `pairs`: a double backslash is skipped as a pair; `generous`: digits are anything that
/// parses as a number.
pub(crate) fn resolved(text: &str, pairs: bool, generous: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut at) = (String::new(), 0);
    while at < chars.len() {
        if let Some((c, len)) = escape(&chars[at..], generous) {
            out.push(c);
            at += len;
            continue;
        }
        let step = if pairs && chars[at] == '\\' { 2 } else { 1 };
        out.extend(chars.iter().skip(at).take(step));
        at += step;
    }
    out
}

fn escape(chars: &[char], generous: bool) -> Option<(char, usize)> {
    let len = match chars {
        ['\\', 'u', ..] => 6,
        ['\\', 'U', ..] => 10,
        _ => return None,
    };
    let digits: String = chars.get(2..len)?.iter().collect();
    let digits = if generous { digits.trim() } else { digits.as_str() };
    let strict = digits.chars().all(|c| c.is_ascii_hexdigit());
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| strict || generous)?;
    Some((char::from_u32(number)?, len))
}
