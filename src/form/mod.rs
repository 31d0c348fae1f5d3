//! The form of an answer: which kind of result a question asks for, and how a query is adapted to it.
//!
//! ```text
//! question ──► read ──► AnswerForm ──► prune (which columns, DISTINCT, LIMIT, ASK, COUNT) ──► verified rewrites
//!    model ──► statement ──┘  └──► differences, for the model to fix
//! ```
//! Published systems lose most of their points on columns that the question did not ask for. Each change is verified
//! against the results: a rewrite that changes the content of the kept columns is not made. Depends on the dataset.

mod apply;
mod prune;
mod read;
mod statement;

pub use apply::{Fitted, fit};
pub use read::{AnswerForm, FormKind};
pub use statement::{StatedForm, differences};
