//! Answers without a model: reads a question about an RDF graph and ranks the queries that it may mean.

// A question may hold anything: no position in a text or list is taken for granted.
#![warn(clippy::indexing_slicing)]
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod question;
