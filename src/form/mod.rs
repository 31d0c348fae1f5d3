//! The form of an answer: what kind of result a question asks for, and how a query is brought to it.
//!
//! ```text
//! question ──► read ──► AnswerForm ──► prune (which columns, DISTINCT, LIMIT, ASK, COUNT) ──► verified rewrites
//!    model ──► statement ──┘  └──► differences, for the model to fix
//! ```
//! The published systems lose most of their points on columns nobody asked for. What is changed here is proved
//! harmless by the results: a rewrite that changes what the kept columns hold is not made. Knows the dataset.

mod apply;
mod prune;
mod read;
mod statement;

pub use apply::{Fitted, fit};
pub use read::{AnswerForm, FormKind};
pub use statement::{StatedForm, differences};
