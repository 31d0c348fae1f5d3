//! Streamed completions from an OpenAI-compatible server. If a server does not stream, or fails before the first piece, the
//! request is sent again without streaming, with the usual retries.

use super::openai::{AttemptFailure, OpenAiModel};
use super::wire::{Broken, ChatBody, StreamReader, prompt_bytes};
use super::{ChatRequest, Completion, ModelError, Tokens};
use eruca_sparql::outgoing::reason;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;

/// Maximum number of bytes read of a stream, including everything around the text.
const MAX_STREAM_BYTES: usize = 4 << 20;

impl OpenAiModel {
    /// A completion whose text is passed on as it arrives.
    pub(super) async fn streamed(
        &self,
        request: &ChatRequest,
        tokens: &mut Tokens<'_>,
    ) -> Result<Completion, ModelError> {
        let mut said = false;
        let mut tell = |text: &str| {
            said = true;
            tokens(text);
        };
        match self.pieces(request, &mut tell).await {
            Ok(completion) => Ok(completion),
            // Text that was passed on cannot be taken back, so there is no retry.
            Err(failure) if said => Err(self.error(failure, 1)),
            Err(failure) => {
                tracing::debug!(?failure, "streaming failed; requesting the whole response");
                let completion = self.persist(request).await?;
                if let Some(text) = &completion.text {
                    tokens(text);
                }
                Ok(completion)
            }
        }
    }

    async fn pieces(
        &self,
        request: &ChatRequest,
        tokens: &mut Tokens<'_>,
    ) -> Result<Completion, AttemptFailure> {
        let body = ChatBody::new(self.model_name(), request, self.sampling()).streamed();
        let response = self.in_time(self.post(&body)).await??;
        if !response.status().is_success() || !is_stream(&response) {
            let reply = self.in_time(self.whole(response)).await??;
            let completion = self.understood(reply, request).await?;
            if let Some(text) = &completion.text {
                tokens(text);
            }
            return Ok(completion);
        }
        self.read_pieces(response, StreamReader::new(prompt_bytes(request)), tokens).await
    }

    async fn read_pieces(
        &self,
        mut response: Response,
        mut reader: StreamReader,
        tokens: &mut Tokens<'_>,
    ) -> Result<Completion, AttemptFailure> {
        let mut bytes = 0;
        while !reader.is_done() {
            let next = self.in_time(response.chunk()).await?;
            let next = next.map_err(|error| AttemptFailure::transient(self.presentable(&reason(error))))?;
            let Some(chunk) = next else { break };
            bytes += chunk.len();
            if bytes > MAX_STREAM_BYTES {
                return Err(AttemptFailure::Garbled(format!("it is longer than {MAX_STREAM_BYTES} bytes")));
            }
            reader.push(&chunk, tokens).map_err(|broken| self.broken(broken))?;
        }
        reader.finish(tokens).map_err(|broken| self.broken(broken))
    }

    fn broken(&self, broken: Broken) -> AttemptFailure {
        match broken {
            Broken::Complaint(complaint) => self.refusal(complaint.status.unwrap_or(500), complaint, None),
            Broken::Garbled(reason) => AttemptFailure::Garbled(self.presentable(&reason)),
        }
    }
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/event-stream"))
}

#[cfg(test)]
mod tests;
