//! What answers are worth: floors for the scores on our own questions, and on what others published.
#![cfg(test)]

mod form_peers;
mod neutral;
