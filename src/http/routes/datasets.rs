//! `GET /datasets`: the datasets that can be queried.

use crate::http::App;
use crate::http::error::{ApiError, HostErrors, KeyErrors};
use crate::http::gate::Cost;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json};
use eruca_api::Datasets;

/// The datasets that can be asked, with their sizes.
#[utoipa::path(
    get,
    path = "/datasets",
    tag = "operation",
    responses((status = 200, description = "Every dataset.", body = Datasets), HostErrors, KeyErrors)
)]
pub(in crate::http) async fn datasets(
    request: HttpRequest,
    app: Data<App>,
) -> Result<Json<Datasets>, ApiError> {
    app.gate.admit(&request, Cost::Lookup)?;
    let datasets = app.service.datasets();
    Ok(Json(Datasets { datasets }))
}
