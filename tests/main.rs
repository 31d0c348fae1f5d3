//! Black-box tests of the whole package, in one binary so that they link once.
//!
//! The modules are marked as tests for clippy, which allows `unwrap` and `panic!` there and nowhere else.

#[cfg(test)]
mod answer_form;
#[cfg(test)]
mod any_graph;
#[cfg(test)]
mod ask;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod browse;
#[cfg(test)]
mod browser;
#[cfg(test)]
mod ck25;
#[cfg(test)]
mod cli;
#[cfg(test)]
mod confidence;
#[cfg(test)]
mod config;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod conversations;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod door;
#[cfg(test)]
mod drafts;
#[cfg(test)]
mod each_line;
#[cfg(test)]
mod endpoint_index;
#[cfg(test)]
mod endpoints;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod escapes;
#[cfg(test)]
mod eval;
#[cfg(test)]
mod events;
#[cfg(test)]
mod fair;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod form_peers;
#[cfg(test)]
mod gerbil;
#[cfg(test)]
mod graphs;
#[cfg(test)]
mod helpers;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod hostile_files;
#[cfg(test)]
mod hosts;
#[cfg(test)]
mod http;
#[cfg(test)]
mod index_command;
#[cfg(test)]
mod index_files;
#[cfg(test)]
mod keys;
#[cfg(test)]
mod kills;
#[cfg(test)]
mod layering;
#[cfg(test)]
mod link;
#[cfg(test)]
mod log_lines;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod model_servers;
#[cfg(test)]
mod named;
#[cfg(test)]
mod namesakes;
#[cfg(test)]
mod neutral;
#[cfg(test)]
mod newcomer;
#[cfg(test)]
mod no_names;
#[cfg(test)]
mod openai;
#[cfg(test)]
mod openapi;
#[cfg(test)]
mod openapi_shape;
#[cfg(test)]
mod operation;
#[cfg(test)]
mod outages;
#[cfg(test)]
mod outside;
#[cfg(test)]
mod page;
#[cfg(test)]
mod panics;
#[cfg(test)]
mod planner;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod prompts;
#[cfg(test)]
mod release;
#[cfg(test)]
mod reliability;
#[cfg(test)]
mod reload;
#[cfg(test)]
mod responses;
#[cfg(test)]
mod runs;
#[cfg(test)]
mod safety;
#[cfg(test)]
mod scripted;
#[cfg(test)]
mod setup;
#[cfg(test)]
mod shell;
#[cfg(test)]
mod signals;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod sparql_server;
#[cfg(test)]
mod startup;
#[cfg(test)]
mod statements;
#[cfg(test)]
mod talk;
#[cfg(test)]
mod tls;
#[cfg(test)]
mod virtuoso;
#[cfg(test)]
mod why;
#[cfg(test)]
mod wikibase_api;
#[cfg(test)]
mod words;
#[cfg(test)]
mod workers;
