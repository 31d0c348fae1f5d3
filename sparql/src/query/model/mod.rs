//! What a parsed query says: its atoms, its columns and variables, and which of them are bound.

pub(crate) mod atoms;
pub(crate) mod columns;
pub(crate) mod patterns;
pub(crate) mod scope;
