//! Questions to small graphs of our own: what comes back counts, not how the query is written.

mod conditions;
mod graph;
