//! What the black-box tests of `tests/` and of this package share: a running service, the built program, stand-ins for models
//! and endpoints. The tests that take long, or need other programs, are in `testing/tests/`, so that `cargo test` is quick.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper fails as the test that uses it")]

pub mod events;
pub mod helpers;
pub mod programs;
pub mod public_web;
pub mod scripted;
pub mod shared;
pub mod sparql_server;
pub mod tools;
#[cfg(target_os = "linux")]
pub mod workers;
