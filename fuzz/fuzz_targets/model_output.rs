//! Texts as what chat models and their servers say.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| eruca::fuzzing::model_output(text));
