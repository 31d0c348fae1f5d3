//! Texts as questions: reading one must end, whatever it holds, and reads a bounded part.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    let question = eruca_planner::question::ParsedQuestion::read(text, &[]);
    assert!(question.words.len() <= 80 && question.all().len() == question.words.len());
});
