//! A streamed completion: server-sent events with a JSON chunk each, read line by line.

use super::{Complaint, bounded, complaint, estimated_tokens, usage, without_thoughts};
use crate::llm::{Completion, Tokens, Usage};
use serde_json::Value;

/// Maximum length of a streamed text in bytes: only texts of a few sentences are streamed.
const MAX_TEXT: usize = 65_536;
/// Maximum length of a line in bytes.
const MAX_LINE: usize = 262_144;
/// Tags around the model's reasoning; text at the end that may be the start of one is held back.
const TAGS: [&str; 2] = ["<think>", "</think>"];

/// The state of a stream so far.
#[derive(Default)]
pub(crate) struct StreamReader {
    prompt_bytes: usize,
    line: Vec<u8>,
    text: String,
    /// Bytes of the text without reasoning that were passed on.
    told: usize,
    usage: Option<Usage>,
    /// Bytes that cost tokens without being part of the text.
    hidden: usize,
    cut: bool,
    done: bool,
}

/// Why a stream cannot be read.
#[derive(Debug)]
pub(crate) enum Broken {
    /// The server reports an error.
    Complaint(Complaint),
    /// It is not a stream of a completion.
    Garbled(String),
}

impl StreamReader {
    /// An empty state; the prompt's length is used where the server sends no token count.
    pub(crate) fn new(prompt_bytes: usize) -> Self {
        Self { prompt_bytes, ..Self::default() }
    }

    /// Reads the next bytes and passes on the text in them.
    pub(crate) fn push(&mut self, bytes: &[u8], tokens: &mut Tokens<'_>) -> Result<(), Broken> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if self.line.len() > MAX_LINE {
                return Err(Broken::Garbled(format!("a line is longer than {MAX_LINE} bytes")));
            }
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.line(&String::from_utf8_lossy(&line))?;
                self.tell(tokens, false);
            }
        }
        Ok(())
    }

    /// Whether the server has marked the end.
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// The completion, once the stream has ended.
    pub(crate) fn finish(mut self, tokens: &mut Tokens<'_>) -> Result<Completion, Broken> {
        let line = std::mem::take(&mut self.line);
        self.line(&String::from_utf8_lossy(&line))?;
        self.tell(tokens, true);
        if !self.done {
            return Err(Broken::Garbled("it ended before its end".to_owned()));
        }
        let completion = self.text.len() + self.hidden;
        let usage = self.usage.unwrap_or_else(|| Usage {
            prompt_tokens: estimated_tokens(self.prompt_bytes),
            cached_tokens: 0,
            completion_tokens: estimated_tokens(completion),
            estimated: true,
        });
        let text = Some(without_thoughts(&self.text)).filter(|text| !text.is_empty());
        Ok(Completion { text, calls: Vec::new(), usage, cut: self.cut, attempts: 1 })
    }

    fn line(&mut self, line: &str) -> Result<(), Broken> {
        let line = line.trim_start_matches('\u{feff}').trim();
        let Some(data) = line.strip_prefix("data:") else { return Ok(()) };
        match data.trim() {
            "" => Ok(()),
            "[DONE]" => {
                self.done = true;
                Ok(())
            }
            data => self.chunk(data),
        }
    }

    fn chunk(&mut self, data: &str) -> Result<(), Broken> {
        let chunk = bounded::value(data).map_err(|error| Broken::Garbled(format!("{error} in: {data}")))?;
        let choice = chunk.pointer("/choices/0");
        if choice.is_none() && chunk.get("error").is_some_and(|error| !error.is_null()) {
            return Err(Broken::Complaint(complaint(data)));
        }
        if chunk.get("usage").is_some_and(Value::is_object) {
            self.usage = Some(usage(&chunk, self.prompt_bytes, self.text.len() + self.hidden));
        }
        let Some(choice) = choice else { return Ok(()) };
        let text = |name: &str| choice.pointer(name).and_then(Value::as_str);
        self.text.push_str(text("/delta/content").unwrap_or_default());
        self.hidden += text("/delta/reasoning_content").map_or(0, str::len);
        if self.text.len() > MAX_TEXT {
            return Err(Broken::Garbled(format!("it is longer than {MAX_TEXT} bytes")));
        }
        if let Some(reason) = text("/finish_reason") {
            self.cut = matches!(reason, "length" | "max_tokens");
            self.done = true;
        }
        Ok(())
    }

    /// Passes on new text that can no longer change.
    fn tell(&mut self, tokens: &mut Tokens<'_>, all: bool) {
        let sure = if all { self.text.as_str() } else { before_tag(&self.text) };
        let shown = without_thoughts(sure);
        if let Some(new) = shown.get(self.told..).filter(|new| !new.is_empty()) {
            tokens(new);
            self.told = shown.len();
        }
    }
}

/// The text without an incomplete tag at its end.
fn before_tag(text: &str) -> &str {
    let Some(at) = text.rfind('<') else { return text };
    let (before, begun) = text.split_at(at);
    if TAGS.iter().any(|tag| tag.starts_with(begun)) { before } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> (String, Result<Completion, Broken>) {
        let mut told = String::new();
        let mut tokens = |text: &str| told.push_str(text);
        let mut reader = StreamReader::new(40);
        let mut broken = None;
        for piece in pieces {
            if let Err(error) = reader.push(piece, &mut tokens) {
                broken = Some(error);
            }
        }
        let completion = broken.map_or_else(|| reader.finish(&mut tokens), Err);
        (told, completion)
    }

    fn chunk(text: &str) -> String {
        format!("data: {}\n\n", serde_json::json!({"choices": [{"delta": {"content": text}}]}))
    }

    const END: &str =
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\ndata: [DONE]\n\n";

    #[test]
    fn pieces_are_put_together_wherever_they_are_cut() {
        let stream = format!(": hello\n\n{}{}{END}", chunk("Zürich "), chunk("lies <b>here</b>."));
        for size in [1, 2, 3, 7, 1000] {
            let pieces: Vec<&[u8]> = stream.as_bytes().chunks(size).collect();
            let (told, completion) = read(&pieces);
            assert_eq!(told, "Zürich lies <b>here</b>.");
            let completion = completion.unwrap();
            assert_eq!(completion.text.as_deref(), Some("Zürich lies <b>here</b>."));
            assert!(completion.usage.estimated && completion.usage.prompt_tokens == 10 && !completion.cut);
        }
    }

    #[test]
    fn thoughts_are_not_told() {
        let stream = ["<thi", "nk>Hm", "m.</th", "ink>\n\nOne", " thing."].map(chunk).concat() + END;
        let (told, completion) = read(&[stream.as_bytes()]);
        assert_eq!((told.as_str(), completion.unwrap().text.as_deref()), ("One thing.", Some("One thing.")));
    }

    #[test]
    fn complaints_ends_that_are_missing_and_nonsense_are_failures() {
        let complaint = "data: {\"error\": {\"message\": \"no stream\"}}\n\n";
        assert!(
            matches!(read(&[complaint.as_bytes()]).1, Err(Broken::Complaint(said)) if said.words == "no stream")
        );
        for stream in [chunk("Half"), "data: {\n\n".to_owned(), String::new(), chunk(&"x".repeat(70_000))] {
            assert!(matches!(read(&[stream.as_bytes()]).1, Err(Broken::Garbled(_))), "{stream:.40}");
        }
    }

    #[test]
    fn counts_of_the_server_are_taken_and_a_cut_is_told() {
        let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":3}}\n\ndata: [DONE]\n\n";
        let completion = read(&[chunk("A").as_bytes(), end.as_bytes()]).1.unwrap();
        assert!(completion.cut && !completion.usage.estimated && completion.usage.total() == 10);
    }

    proptest! {
        #[test]
        fn no_bytes_end_the_program(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..8)) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            let _read = read(&pieces);
        }
    }
}
