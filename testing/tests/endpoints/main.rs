//! Graphs of which only an endpoint is there: stand-ins with the bad manners of real ones, and a real one where it is installed.
#![cfg(test)]

mod case;
mod endpoint_index;
mod public;
mod virtuoso;
