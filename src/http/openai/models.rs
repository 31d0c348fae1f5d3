//! `GET /v1/models`: a model for each dataset.

use super::error::{ModelErrors, OpenAiError, UnknownModel};
use super::response::{ModelDto, ModelsDto};
use crate::http::App;
use crate::http::error::HostErrors;
use crate::http::gate::Cost;
use crate::service::AUTO;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::DatasetSummary;

/// The datasets that can be asked, as OpenAI lists models.
#[utoipa::path(
    get,
    path = "/v1/models",
    tag = "questions",
    responses((status = 200, description = "A model for each dataset.", body = ModelsDto), HostErrors, ModelErrors)
)]
pub(in crate::http) async fn models(
    request: HttpRequest,
    app: Data<App>,
) -> Result<Json<ModelsDto>, OpenAiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let mut data: Vec<ModelDto> = app.service.datasets().into_iter().map(dto).collect();
    data.extend(is_auto(&app, AUTO).then(auto));
    Ok(Json(ModelsDto { object: "list", data }))
}

/// A dataset in the form of OpenAI's models.
#[utoipa::path(
    get,
    path = "/v1/models/{id}",
    tag = "questions",
    params(("id" = String, Path, description = "The dataset's id or one of its aliases.")),
    responses((status = 200, description = "The model.", body = ModelDto), HostErrors, ModelErrors, UnknownModel)
)]
pub(in crate::http) async fn model(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<ModelDto>, OpenAiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    Ok(Json(known(&app, &id)?))
}

/// The model with an id or alias: a dataset, several of them (with commas between their ids), or `auto`.
///
/// # Errors
/// When there is none.
pub(super) fn known(app: &App, name: &str) -> Result<ModelDto, OpenAiError> {
    if is_auto(app, name) {
        return Ok(auto());
    }
    match app.service.dataset(name).filter(|dataset| dataset.is_several()) {
        Some(several) => Ok(model_dto(several.id.clone(), several.name.clone())),
        None => Ok(dto(app.service.summary_of(name)?)),
    }
}

/// Whether a name is that of the model that chooses the dataset, which needs several.
fn is_auto(app: &App, name: &str) -> bool {
    app.service.is_open_choice(name) && app.service.datasets().len() > 1
}

/// The model that chooses the dataset.
fn auto() -> ModelDto {
    model_dto(AUTO.to_owned(), "The dataset that knows most words of the question".to_owned())
}

fn dto(dataset: DatasetSummary) -> ModelDto {
    model_dto(dataset.id, dataset.name)
}

fn model_dto(id: String, name: String) -> ModelDto {
    ModelDto { id, object: "model", created: 0, owned_by: "eruca", name }
}
