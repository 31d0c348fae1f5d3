//! Recognises strings that chat model servers may read as the boundary of a message, turn or call, by their
//! form, because every model family has its own.

/// Maximum length of a marker in square brackets, in characters.
const MAX_BRACKETED: usize = 24;
/// Minimum number of capitals in such a marker: `[INST]`, `[gMASK]`, `[CLS]`.
const MIN_CAPITALS: usize = 3;

/// Whether a text starts with a marker: `<|im_start|>`, `<｜User｜>`, `</s>`, `<start_of_turn>`, `<<SYS>>`, `<0x0A>` and anything
/// else in angle brackets that is not an IRI; `[INST]`, `[/TOOL_CALLS]`; `]~b]`, `[e~[`; `>>ANSWER<<`.
pub(super) fn begin(text: &str) -> bool {
    let mut chars = text.chars();
    let first = chars.next();
    let rest = chars.as_str();
    match first {
        Some('<') => in_angle_brackets(rest),
        Some('[') => rest.starts_with("e~[") || in_square_brackets(rest),
        Some(']') => rest.starts_with('~'),
        Some('>') => {
            rest.strip_prefix('>').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        }
        _ => false,
    }
}

/// In SPARQL comparisons, the sign is followed by a space, a variable or a number.
fn in_angle_brackets(rest: &str) -> bool {
    match rest.chars().next() {
        Some('|' | '｜' | '/' | '_' | '[' | '▁') => true,
        Some(c) if c.is_ascii_alphabetic() => !rest.split_once('>').is_some_and(|(inside, _)| is_iri(inside)),
        _ => rest.starts_with("0x"),
    }
}

fn in_square_brackets(rest: &str) -> bool {
    let name = rest.strip_prefix('/').unwrap_or(rest);
    let length = name
        .bytes()
        .take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        .take(MAX_BRACKETED + 1)
        .count();
    let (name, end) = name.split_at_checked(length).unwrap_or_default();
    let capitals = name.bytes().filter(u8::is_ascii_uppercase).count();
    length <= MAX_BRACKETED && capitals >= MIN_CAPITALS && end.starts_with(']')
}

/// Whether the content of angle brackets is an absolute IRI.
fn is_iri(inside: &str) -> bool {
    let is_legal = |c: char| c > ' ' && !matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`');
    names_iri(inside) && inside.chars().all(is_legal)
}

/// Whether a text starts like an absolute IRI, and not like a marker with a colon (`seed:bos`).
pub(super) fn names_iri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let of_iri = |c: char| matches!(c, '/' | ':' | '.' | '#' | '@' | '%') || c.is_ascii_digit();
    is_scheme && rest.contains(of_iri)
}
