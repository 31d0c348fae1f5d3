//! What servers of chat models read as the border of a message, of a turn or of a call, when it stands in a text: known by its
//! form, as every family of models has its own.

/// Characters of the longest marker in square brackets.
const MAX_BRACKETED: usize = 24;
/// Capitals of one: `[INST]`, `[gMASK]`, `[CLS]`.
const MIN_CAPITALS: usize = 3;

/// Whether a text begins with a marker. `<|im_start|>`, `<｜User｜>`, `</s>`, `<start_of_turn>`, `<<SYS>>`, `<0x0A>`: whatever
/// stands in angle brackets and is no IRI. `[INST]`, `[/TOOL_CALLS]`; `]~b]`, `[e~[`; `>>ANSWER<<`.
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

/// Comparisons of SPARQL have a space, a variable or a number behind the sign.
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

/// Whether the inside of angle brackets is an absolute IRI.
fn is_iri(inside: &str) -> bool {
    let is_legal = |c: char| c > ' ' && !matches!(c, '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`');
    names_iri(inside) && inside.chars().all(is_legal)
}

/// Whether a text begins as an absolute IRI, and has not the form of a marker with a colon (`seed:bos`).
pub(super) fn names_iri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let of_iri = |c: char| matches!(c, '/' | ':' | '.' | '#' | '@' | '%') || c.is_ascii_digit();
    is_scheme && rest.contains(of_iri)
}
