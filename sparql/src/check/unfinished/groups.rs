//! The groups around the cursor: the one with it, and those whose triple patterns are joined with it.

use super::{Piece, SparqlTokenKind};

/// Maximum number of groups: no real query nests more.
const MAX_GROUPS: usize = 8;

/// What stands in braces.
#[derive(Debug, PartialEq, Eq)]
enum Braces {
    /// A group of patterns.
    Group,
    /// A query in a query: from outside, variables of the same name may be others.
    Subquery,
    /// Anything else: a template, data, patterns of another graph or server.
    Other,
}

/// The content of the groups around the piece number `at`, the innermost first; `None` if it is in no group.
pub(super) fn groups_around<'t, 'a>(pieces: &'t [Piece<'a>], at: usize) -> Option<Vec<&'t [Piece<'a>]>> {
    let mut groups = Vec::new();
    for open in open_braces(pieces, at).into_iter().take(MAX_GROUPS) {
        match braces(pieces, open) {
            Braces::Group => groups.push(content(pieces.get(open + 1..)?)),
            Braces::Subquery => break,
            Braces::Other => return None,
        }
    }
    (!groups.is_empty()).then_some(groups)
}

/// The braces that are open at a piece, the last one first.
fn open_braces(pieces: &[Piece<'_>], at: usize) -> Vec<usize> {
    let mut open = Vec::new();
    for (number, piece) in pieces.iter().take(at).enumerate() {
        if piece.token.is("{") {
            open.push(number);
        } else if piece.token.is("}") {
            open.pop();
        }
    }
    open.reverse();
    open
}

/// What stands up to the brace that closes an open one, or all if none does.
pub(super) fn content<'t, 'a>(pieces: &'t [Piece<'a>]) -> &'t [Piece<'a>] {
    let mut depth = 0_usize;
    for (number, piece) in pieces.iter().enumerate() {
        if piece.token.is("{") {
            depth += 1;
        } else if piece.token.is("}") {
            let Some(outer) = depth.checked_sub(1) else { return pieces.get(..number).unwrap_or(pieces) };
            depth = outer;
        }
    }
    pieces
}

fn braces(pieces: &[Piece<'_>], open: usize) -> Braces {
    if pieces.get(open + 1).is_some_and(|piece| piece.token.is_word("SELECT")) {
        return Braces::Subquery;
    }
    let before = pieces.get(..open).unwrap_or_default();
    let Some((last, rest)) = before.split_last() else { return Braces::Group };
    let is = |piece: Option<&Piece<'_>>, words: &[&str]| {
        piece.is_some_and(|piece| words.iter().any(|word| piece.token.is_word(word)))
    };
    let is_other = match last.token.kind {
        SparqlTokenKind::Word => is(Some(last), &["CONSTRUCT", "INSERT", "DELETE", "DATA"]),
        SparqlTokenKind::Variable | SparqlTokenKind::Iri | SparqlTokenKind::PrefixedName => {
            is(rest.last(), &["GRAPH", "SERVICE", "SILENT", "VALUES"])
        }
        _ if last.token.is(")") => is(before_bracket(rest), &["VALUES"]),
        _ => false,
    };
    if is_other { Braces::Other } else { Braces::Group }
}

/// The piece before the bracket that opens what is closed after these.
fn before_bracket<'t, 'a>(pieces: &'t [Piece<'a>]) -> Option<&'t Piece<'a>> {
    let mut depth = 0_usize;
    for (number, piece) in pieces.iter().enumerate().rev() {
        if piece.token.is(")") {
            depth += 1;
        } else if piece.token.is("(") {
            let Some(outer) = depth.checked_sub(1) else { return pieces.get(number.checked_sub(1)?) };
            depth = outer;
        }
    }
    None
}
