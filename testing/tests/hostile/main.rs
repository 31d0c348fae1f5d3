//! The real program with graphs, queries and connections that want to end it, or keep it from others.
#![cfg(test)]
#![cfg(target_os = "linux")]

mod connections;
mod files;
mod queries;

use eruca_testing::programs::program_in;
use std::path::Path;
use std::process::Command;

fn eruca(folder: &Path) -> Command {
    program_in(env!("CARGO_BIN_EXE_eruca-tested"), folder)
}
