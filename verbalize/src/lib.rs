//! Answers, queries and proofs in words, in the language of the question and without a model.
//!
//! [`words`] makes sentences of a question, its query and its rows; [`why`] says why a row is an answer and what a query
//! says part by part; [`markdown`] writes text of anybody in Markdown; `variable_labels` gives both the labels of variables. All words are in the language packs. Uses
//! datasets for the names of things and for the queries of a proof; knows nothing of chat models or HTTP.

#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod markdown;
mod variable_labels;
pub mod why;
pub mod words;
