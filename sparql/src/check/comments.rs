//! Removes comments: they have no meaning, and engines differ in where one ends.

use super::tokens::{SparqlToken, SparqlTokenKind};

/// The tokens without comments, the spaces before them, and lines left empty by them.
pub(super) fn without<'a>(tokens: &[SparqlToken<'a>]) -> Vec<SparqlToken<'a>> {
    let mut kept: Vec<SparqlToken<'a>> = Vec::with_capacity(tokens.len());
    let mut after_lone = false;
    for token in tokens {
        let lone = std::mem::take(&mut after_lone);
        match token.kind {
            SparqlTokenKind::Comment => {
                trim_end(&mut kept);
                after_lone = kept.last().is_none_or(|last| last.text.ends_with(['\n', '\r']));
            }
            SparqlTokenKind::Space if lone => {
                let text = without_line_end(token.text);
                if !text.is_empty() {
                    kept.push(SparqlToken { text, ..*token });
                }
            }
            _ => kept.push(*token),
        }
    }
    kept
}

/// Removes trailing spaces.
fn trim_end(kept: &mut Vec<SparqlToken<'_>>) {
    let Some(last) = kept.last_mut().filter(|last| last.kind == SparqlTokenKind::Space) else { return };
    last.text = last.text.trim_end_matches([' ', '\t']);
    if last.text.is_empty() {
        kept.pop();
    }
}

fn without_line_end(text: &str) -> &str {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(['\n', '\r'])).unwrap_or(text)
}
