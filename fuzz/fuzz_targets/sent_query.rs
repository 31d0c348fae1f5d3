//! Queries full of codepoint escapes, backslashes, comments and quotes: what is sent must be the query that was checked, whatever
//! an engine resolves first.
#![no_main]

libfuzzer_sys::fuzz_target!(|choices: &[u8]| eruca_sparql::fuzzing::sent_query(choices));
