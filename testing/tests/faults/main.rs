//! What breaks in the middle: builds that are killed, models and endpoints that fail.
#![cfg(test)]

mod kills;
mod models;
