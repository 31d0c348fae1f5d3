//! Bytes as responses of endpoints.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| eruca_sparql::fuzzing::endpoint_body(data));
