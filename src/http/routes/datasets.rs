//! `GET /datasets`: what can be asked.

use crate::http::App;
use crate::http::dto::{DatasetDto, DatasetsDto};
use actix_web::web::{Data, Json};

/// The datasets that can be asked, with their sizes.
#[utoipa::path(
    get,
    path = "/datasets",
    tag = "operation",
    responses((status = 200, description = "Every dataset.", body = DatasetsDto))
)]
pub(in crate::http) async fn datasets(app: Data<App>) -> Json<DatasetsDto> {
    Json(DatasetsDto { datasets: app.service.datasets().into_iter().map(DatasetDto::from).collect() })
}
