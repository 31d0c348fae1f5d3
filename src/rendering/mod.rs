//! Classes, properties, things, values and terms of a graph as text: a line each, with prefixed names, for models and for
//! whoever explores a graph with their tools.
//!
//! Knows the dataset, and nothing of who shows the lines.

mod classes;
mod entities;
mod facts;
mod house;
mod live;
mod properties;
mod terms;

pub(crate) use classes::class_line;
pub(crate) use entities::{entity_line, value_line};
pub(crate) use facts::{named, owners, predicate, property_word, qualifiers, units};
pub(crate) use house::{glossary_line, notes_about_graph, owner_notes};
pub(crate) use live::live_line;
pub(crate) use properties::{property_line, samples, target_text};
pub(crate) use terms::{MAX_TERM_CHARS, cell_text, iri_text, term_text};
