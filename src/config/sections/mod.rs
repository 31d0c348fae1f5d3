//! The sections: a struct for each, which serde reads. Its fields are the keys, their types and attributes the rules for one value;
//! what concerns several keys is checked by methods. The defaults are those of `config/default.toml`.

pub(super) mod index;
pub(super) mod limits;
pub(super) mod llm;
pub(super) mod operation;
pub(super) mod page;
pub(super) mod schema_search;
pub(super) mod server;
