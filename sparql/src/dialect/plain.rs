//! An endpoint assumed to support only SPARQL 1.1. The other dialects define the differences.

use super::{Cut, Dialect, Signs, Wordings};

pub(super) static DIALECT: Dialect = DIALECT_ITSELF;

/// As a constant, the base of the other dialects.
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

/// Matches nothing.
pub(super) const SIGNS: Signs = Signs { url: |_| false, headers: &[], complaints: &[], body: |_| false };

/// No engine-specific messages.
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

/// No truncation is reported.
pub(super) const CUT: Cut = |_, _, _| None;
