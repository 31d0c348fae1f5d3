//! Whether a server complains that a conversation does not fit into the model's context. No standard says how: most send a
//! code, some only words, and the status may be any.

/// Codes and types of errors.
const CODES: [&str; 2] = ["context_length_exceeded", "exceed_context_size_error"];
/// What servers say, in small letters: OpenAI, vLLM, SGLang, Mistral, LM Studio and Ollama; llama.cpp; its Python server;
/// vLLM; Anthropic; Gemini; Text Generation Inference; servers that follow OpenAI.
const WORDS: [&str; 10] = [
    "context length",
    "context size",
    "context window",
    "maximum model length",
    "prompt is too long",
    "input token count",
    "max_new_tokens` must be",
    "tokens. given:",
    "reduce the length of the messages",
    "reduce the length of your prompt",
];
/// What they say when the completion is allowed more tokens than are left for it.
const COMPLETION: [&str; 4] = ["max_tokens", "max_completion_tokens", "max_new_tokens", "in the completion"];

/// Whether an error with this code or type, or with these words, says that the conversation is too long.
pub(super) fn is_too_long(code: Option<&str>, words: &str) -> bool {
    let words = words.to_lowercase();
    code.is_some_and(|code| CODES.contains(&code)) || WORDS.iter().any(|known| words.contains(known))
}

/// Whether a complaint about the length may be about the room for the completion.
pub(super) fn counts_completion(words: &str) -> bool {
    COMPLETION.iter().any(|known| words.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_servers_words_are_understood() {
        for words in [
            "request (4031 tokens) exceeds the available context size (2048 tokens), try increasing it",
            "Requested tokens (3297) exceed context window of 2048",
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
            "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
            "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
            "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
            "prompt is too long: 210000 tokens > 200000 maximum",
            "The input token count (40000) exceeds the maximum number of tokens allowed (32768).",
            "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
            "`inputs` must have less than 1024 tokens. Given: 5000",
            "Please reduce the length of the messages or completion.",
        ] {
            assert!(is_too_long(None, words), "{words}");
        }
        assert!(is_too_long(Some("context_length_exceeded"), "no"));
        for other in
            ["no such model", "max_tokens is too large", "Unrecognized argument: max_tokens", "slow down"]
        {
            assert!(!is_too_long(Some("invalid_request_error"), other), "{other}");
        }
    }

    #[test]
    fn the_room_for_the_completion_is_told_from_the_length_of_the_messages() {
        assert!(counts_completion("you requested 5000 tokens (904 in the messages, 4096 in the completion)"));
        assert!(counts_completion("'max_tokens' or 'max_completion_tokens' is too large: 4096"));
        assert!(!counts_completion("request (4031 tokens) exceeds the available context size (2048 tokens)"));
    }
}
