//! What GERBIL takes for an IRI and for a URL.

/// Schemes of URLs in GERBIL's validator (`UrlValidator` of Apache Commons).
const URL_SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Whether a text has a colon between other characters, and Java's `URI` accepts it: a scheme, and no character that must be
/// percent-encoded.
pub(super) fn is_java_uri(text: &str) -> bool {
    let around = |at: usize| {
        let (before, after) = text.split_at(at);
        let is_word = |c: Option<char>| c.is_some_and(|c| !is_java_space(c));
        is_word(before.chars().next_back()) && is_word(after.chars().nth(1))
    };
    text.match_indices(':').any(|(at, _)| around(at)) && is_scheme_and_rest(text)
}

/// The white space of Java's regular expressions: that of ASCII alone.
fn is_java_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

fn is_scheme_and_rest(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    if !has_legal_characters(text) || !has_legal_characters(fragment) {
        return false;
    }
    let colon = text.find(':');
    let slash = text.find(['/', '?']);
    let Some(colon) = colon.filter(|colon| slash.is_none_or(|slash| *colon < slash)) else {
        // A relative one: its colon stands behind a slash.
        return !text.contains(['[', ']']);
    };
    let (scheme, rest) = text.split_at(colon);
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let path = rest.split('?').next().unwrap_or(rest);
    // Brackets stand for addresses alone, which are rare: they count as wrong in paths, but not where there is none.
    is_scheme(scheme) && !rest.is_empty() && !(path.starts_with('/') && path.contains(['[', ']']))
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

fn has_legal_characters(text: &str) -> bool {
    let escapes = text.split('%').skip(1);
    let mut escapes = escapes.map(|after| after.chars().take(2).filter(char::is_ascii_hexdigit).count());
    let legal = |c: char| match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || "-_.!~*'();/?:@&=+$,[]%".contains(c),
        false => !c.is_control() && !c.is_whitespace(),
    };
    text.chars().all(legal) && escapes.all(|digits| digits == 2)
}

/// Whether a text is a URL: a scheme of the web, a host with a domain, a path of the usual characters.
pub(super) fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let known = URL_SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let (rest, _) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = match rest.find('/') {
        Some(slash) => rest.split_at(slash),
        None => (rest, ""),
    };
    let in_path = |c: char| c.is_ascii_alphanumeric() || "-_:@&?=+,.!/~*'%$;()".contains(c);
    known && is_authority(authority) && path.chars().all(in_path) && !query.contains(char::is_whitespace)
}

/// A domain of two labels or more, or an address of four numbers, with or without a port.
fn is_authority(authority: &str) -> bool {
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let labels: Vec<&str> = host.split('.').collect();
    let label = |label: &&str| {
        let inside = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        inside && !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
    };
    let named = matches!(labels.as_slice(), [.., _, top] if top.len() > 1 && top.chars().all(|c| c.is_ascii_alphabetic()));
    let numbered = labels.len() == 4 && labels.iter().all(|part| part.parse::<u8>().is_ok());
    port.chars().all(|c| c.is_ascii_digit()) && labels.iter().all(label) && (named || numbered)
}
