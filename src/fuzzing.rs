//! What fuzzers feed: whatever a chat model may send. Not part of the program; compiled for tests and with
//! `--cfg fuzzing`.

use crate::agent::fuzz_completion;
use crate::llm::fuzz_reply;
use crate::tools::Arguments;

/// Reads a text as the reply of a model's server, as a completion, and as the arguments of a tool call.
///
/// # Panics
/// When the sentence for the model about unreadable arguments is long.
pub fn model_output(text: &str) {
    fuzz_reply(text);
    fuzz_completion(text);
    match Arguments::parse(text) {
        Ok(arguments) => {
            let _read = (arguments.text("query").is_ok(), arguments.list("types"), arguments.count("limit"));
            assert_eq!(arguments.canonical(), arguments.clone().canonical());
        }
        Err(sentence) => assert!(sentence.len() < 1_000, "{sentence}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PARTS: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "\n",
        "```",
        "```json\n",
        "```sparql\n",
        "<think>",
        "</think>",
        "\"choices\"",
        "\"message\"",
        "\"content\"",
        "\"tool_calls\"",
        "\"function\"",
        "\"name\"",
        "\"arguments\"",
        "\"execute_sparql\"",
        "\"query\"",
        "SELECT ?x WHERE { ?x ?y ?z }",
        "null",
        "true",
        "1e999",
        "-0",
        "\\u0000",
        "ü",
        " ",
    ];

    proptest! {
        #[test]
        fn any_text_is_read(text: String) {
            model_output(&text);
        }

        #[test]
        fn parts_of_replies_are_read(parts in prop::collection::vec(prop::sample::select(PARTS), 0..40)) {
            model_output(&parts.concat());
        }
    }
}
