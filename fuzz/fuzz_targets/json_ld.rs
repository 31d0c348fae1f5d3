//! Bytes as a file of JSON-LD: reading it ends, in bounded memory, and gives the same however the bytes come.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| eruca_indexer::fuzzing::json_ld(data));
