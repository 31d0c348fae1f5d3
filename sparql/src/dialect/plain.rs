//! An endpoint of which only SPARQL 1.1 is assumed. The other dialects say what differs from it.

use super::{Cut, Dialect, Signs, Wordings};

pub(super) static DIALECT: Dialect = DIALECT_ITSELF;

/// As a value, from which others are made.
pub(super) const DIALECT_ITSELF: Dialect = Dialect {
    name: "plain",
    title: "SPARQL 1.1",
    hints: &[],
    functions: &[],
    signs: SIGNS,
    time_limit: None,
    wordings: WORDINGS,
    cut: CUT,
    editor: |_| None,
};

/// It is not recognised by anything.
pub(super) const SIGNS: Signs = Signs { url: |_| false, headers: &[], complaints: &[], body: |_| false };

/// It says nothing but what all may say.
pub(super) const WORDINGS: Wordings = Wordings {
    timeout: &[],
    too_large: &[],
    syntax: &[],
    prefix: &[],
    tokens: &[],
    json_key: None,
    own: |words| words,
    place: |_, _| None,
    blames_query: |_| false,
    verdict: |_, _| None,
    after_output: |_| None,
};

/// Its results are whole.
pub(super) const CUT: Cut = |_, _, _| None;
