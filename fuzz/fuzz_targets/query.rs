//! Texts as queries: the check must end, and what passes it must hold nothing that is forbidden.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| eruca_sparql::fuzzing::query(text));
