//! `POST /v1/chat/completions`: the last question of a conversation, answered.

use super::address::RunAddress;
use super::answer::whole_text;
use super::body::Sent;
use super::error::{ChatErrors, OpenAiError};
use super::request::ChatRequestDto;
use super::response::{ChatCompletionDto, ChatSaidDto, ModelDto, Stamp, UsageDto};
use super::stream::{self, StreamShape, usage};
use super::{choice, client_tasks, history, models, steps};
use crate::http::App;
use crate::http::error::HostErrors;
use crate::http::gate::Cost;
use crate::http::questions::Asker;
use crate::http::request_id::id_of;
use crate::http::runs;
use crate::service::{Ask, Question, Run, Wanted};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::AnswerStyle;

/// Answers the last question of a conversation, as OpenAI's API answers the last message. The model is a dataset; earlier
/// questions of the user are what it may follow. The answer is Markdown: a sentence (an article with `style`), the first rows, the query, and a link to
/// the page of the run; its steps are `reasoning_content`. Where several properties may be meant, it ends with the question which
/// one, and a numbered list: a message that is a number or a label of it asks the question before again. With `stream` it comes piece by piece, and closing the connection
/// ends the work. Requests of front ends for titles, tags, follow-up questions, searches and completions are answered at once
/// from what they hold: a lone message with a conversation in it (in an element `<chat_history>`, or in lines that begin with
/// roles), or a schema of known keys that the answer must have.
#[utoipa::path(
    post,
    path = "/v1/chat/completions",
    tag = "questions",
    request_body = ChatRequestDto,
    responses(
        (
            status = 200,
            description = "The answer; with `stream` as server-sent events, each a chunk as JSON, and `[DONE]` at last.",
            content((ChatCompletionDto = "application/json"), (String = "text/event-stream")),
            headers(("Eruca-Run" = String, description = "The name of the run, for /runs/{id}; of questions alone."))
        ),
        HostErrors,
        ChatErrors,
    )
)]
pub(in crate::http) async fn chat(
    request: HttpRequest,
    Sent(asked): Sent,
    app: Data<App>,
) -> Result<HttpResponse, OpenAiError> {
    let model = asked.model()?;
    let ModelDto { id: dataset, name, .. } = models::known(&app, model)?;
    let (text, before) = asked.question()?;
    if let Some(done) = client_tasks::done(&asked, &name) {
        return Ok(at_once(&request, &asked, model, done.into()));
    }
    let asker = Asker::of(&request, app.gate.admit(&request, Cost::Question)?);
    let (text, before, prefers) = match choice::chosen(&app, &dataset, &text, before).await {
        Some(again) => (again.question, again.before, vec![again.property]),
        None => (text, before, Vec::new()),
    };
    let history = history::past(&app, &dataset, before).await;
    let question = Question { dataset, text };
    let wanted = if asked.claims == Some(true) { Wanted::Claims } else { Wanted::Words };
    let style = asked.style.unwrap_or_default();
    let ask = Ask { history, prefers, wanted, style, alternatives: false, ..Ask::alone(question) };
    let begun = app.begin(ask, asker)?;
    let handle = begun.handle.clone();
    let stamp = Stamp::new(&handle.id().to_string(), model);
    let address = RunAddress::of(&app, &request, handle.id());
    if asked.is_streamed() {
        let telling = StreamShape { stamp, address, with_usage: asked.includes_usage(), style };
        return stream::response(&handle, begun.reader, telling).await;
    }
    begun.finished().await?;
    let completion = completion(handle.run(), stamp, &address);
    Ok(HttpResponse::Ok().insert_header((runs::HEADER, handle.id().to_string())).json(completion))
}

/// Answers a request that is not a question; it has no run and does not count against the limit of questions.
fn at_once(request: &HttpRequest, asked: &ChatRequestDto, model: &str, said: ChatSaidDto) -> HttpResponse {
    let stamp = Stamp::new(&id_of(request), model);
    if asked.is_streamed() {
        let with_usage = asked.includes_usage();
        let style = AnswerStyle::Short;
        return stream::at_once(
            StreamShape { stamp, address: RunAddress::default(), with_usage, style },
            said,
        );
    }
    HttpResponse::Ok().json(stamp.completion(said, UsageDto::default()))
}

fn completion(run: Run, stamp: Stamp, address: &RunAddress) -> ChatCompletionDto {
    let told = run.trace.as_ref().map_or(&run.steps, |trace| &trace.steps);
    let reasoning: String = told.iter().map(steps::reasoning).collect();
    let run = eruca_api::Run::from(run);
    let content = Some(whole_text(&run, address));
    let reasoning_content = Some(reasoning).filter(|text| !text.is_empty());
    let said = ChatSaidDto { content, reasoning_content, ..ChatSaidDto::default() };
    ChatCompletionDto { claims: run.claims.clone(), ..stamp.completion(said, usage(&run)) }
}
