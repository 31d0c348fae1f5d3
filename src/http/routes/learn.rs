//! `/datasets/{id}/proposals`: what readers and models propose, and what the owner of the graph decides.

use crate::http::App;
use crate::http::error::{
    ApiError, DatasetErrors, HostErrors, OperationKeyErrors, ParameterErrors, ProposalErrors,
};
use crate::http::gate::Cost;
use crate::http::post::Posted;
use crate::http::proposals::Proposals;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::{Decided, Decision, Trial};
use eruca_dataset::Dataset;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// What is tried.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TrialOf)]
pub(in crate::http) struct TrialDto {
    /// Another entry in the place of the proposed one, in TOML.
    #[serde(default)]
    entry: Option<String>,
}

/// What somebody who may decide has before them.
struct Desk<'a> {
    dataset: Arc<Dataset>,
    proposals: &'a Proposals,
    /// The name of the key, if keys are asked for.
    key: Option<&'a str>,
}

impl<'a> Desk<'a> {
    /// Accepts a request of somebody who may decide, within the limit of requests.
    fn of(app: &'a App, request: &HttpRequest, id: &str, cost: Cost) -> Result<Self, ApiError> {
        let key = app.decides(request)?;
        app.gate.admit_client(&app.gate.client(request), cost)?;
        Ok(Self { dataset: app.learning(id)?, proposals: app.proposals()?, key })
    }
}

/// The proposals about a dataset that nobody has decided. Needs a key for operation; without keys, only this machine is answered.
#[utoipa::path(
    get,
    path = "/datasets/{id}/proposals",
    tag = "operation",
    params(("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded.")),
    responses(
        (status = 200, description = "The proposals.", body = eruca_api::Proposals),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
    )
)]
pub(in crate::http) async fn proposals(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<eruca_api::Proposals>, ApiError> {
    let Desk { dataset, proposals, key } = Desk::of(&app, &request, &id, Cost::Lookup)?;
    let decider = proposals.decider(key);
    let open = proposals.open(dataset.id.clone()).await?;
    let shown = open.into_iter().map(|one| crate::service::proposal_shown(&dataset, one, &decider));
    Ok(Json(eruca_api::Proposals { dataset: dataset.id.clone(), proposals: shown.collect() }))
}

/// What accepting a proposal would change: the last 200 questions and the verified ones are asked again without a model.
#[utoipa::path(
    post,
    path = "/datasets/{id}/proposals/{proposal}/trial",
    tag = "operation",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("proposal" = String, Path, description = "The id of the proposal.")
    ),
    request_body = TrialDto,
    responses(
        (status = 200, description = "What would change.", body = Trial),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
        ParameterErrors,
        ProposalErrors,
    )
)]
pub(in crate::http) async fn trial(
    request: HttpRequest,
    app: Data<App>,
    path: Path<(String, String)>,
    Posted(TrialDto { entry }): Posted<TrialDto>,
) -> Result<Json<Trial>, ApiError> {
    let (id, proposal) = path.into_inner();
    let Desk { dataset, proposals, key } = Desk::of(&app, &request, &id, Cost::Question)?;
    let proposal = proposals.get(dataset.id.clone(), proposal).await?;
    let (learned, _) = proposals.decider(key).entry(&dataset, &proposal, entry.as_deref())?;
    let recent = app.recent(&dataset.id).await;
    Ok(Json(app.service.trial(&dataset, &learned, recent).await))
}

/// Accepts or rejects a proposal. What is accepted is written into the files of the dataset's knowledge and used at once.
#[utoipa::path(
    post,
    path = "/datasets/{id}/proposals/{proposal}",
    tag = "operation",
    params(
        ("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded."),
        ("proposal" = String, Path, description = "The id of the proposal.")
    ),
    request_body = Decision,
    responses(
        (status = 200, description = "It was decided.", body = Decided),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
        ParameterErrors,
        ProposalErrors,
        (status = 409, description = "It was decided before, or verified questions break.", body = eruca_api::ErrorBody),
    )
)]
pub(in crate::http) async fn decide(
    request: HttpRequest,
    app: Data<App>,
    path: Path<(String, String)>,
    Posted(Decision { accept, entry, force, by }): Posted<Decision>,
) -> Result<Json<Decided>, ApiError> {
    let (id, proposal) = path.into_inner();
    let Desk { dataset, proposals, key } = Desk::of(&app, &request, &id, Cost::Question)?;
    let named = by.as_deref().map(str::trim).filter(|by| !by.is_empty() && by.len() <= 200);
    let decider = proposals.decider(key.or(named));
    if !accept {
        return Ok(Json(app.service.reject(&decider, &dataset.id, &proposal)?));
    }
    let recent = if force { Vec::new() } else { app.recent(&dataset.id).await };
    let wish = (proposal.as_str(), entry.as_deref(), force);
    Ok(Json(app.service.accept(&decider, &dataset, wish, recent).await?))
}
