//! The sections: one struct each, deserialized by serde. Its fields are the keys; their types and attributes are the rules for
//! single values, and methods check rules for several keys. The defaults are those of `config/default.toml`.

pub(super) mod index;
pub(super) mod limits;
pub(super) mod llm;
pub(super) mod operation;
pub(super) mod page;
pub(super) mod schema_search;
pub(super) mod server;
