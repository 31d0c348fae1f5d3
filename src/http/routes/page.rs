//! The web page, its files, and its configuration.

use crate::http::App;
use crate::http::dto::{DatasetNameDto, PageAbilitiesDto, PageConfigDto, TilesDto};
use crate::http::error::{ApiError, HostErrors};
use crate::http::page::Page;
use actix_web::web::{Data, Json, Path};
use actix_web::{HttpRequest, HttpResponse};
use eruca_api::DatasetSummary;

/// What the page needs to know about this service.
#[utoipa::path(
    get,
    path = "/config.json",
    tag = "operation",
    responses((status = 200, description = "What it may do.", body = PageConfigDto), HostErrors)
)]
pub(in crate::http) async fn config(app: Data<App>) -> Json<PageConfigDto> {
    let page = app.page_settings.as_ref();
    let tiles = page.and_then(|page| Some((page.tiles.as_ref()?, &page.tiles_attribution)));
    let key = app.gate.asks_for_keys();
    Json(PageConfigDto {
        name: "Eruca",
        version: env!("CARGO_PKG_VERSION"),
        pages: PageAbilitiesDto {
            queries: app.queries,
            feedback: app.feedback.is_some(),
            proposals: app.proposals.is_some(),
            key,
            tiles: tiles
                .map(|(tiles, named)| TilesDto { url: tiles.url.clone(), attribution: named.clone() }),
            boards: app.service.has_boards(),
            pictures: page.is_some_and(|page| page.pictures),
        },
        datasets: (!key).then(|| app.service.datasets().into_iter().map(named).collect()),
    })
}

fn named(DatasetSummary { id, name, aliases, .. }: DatasetSummary) -> DatasetNameDto {
    DatasetNameDto { id, name, aliases }
}

/// A file of the page.
pub(in crate::http) async fn file(
    request: HttpRequest,
    app: Data<App>,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    page(&app)?.file(&request, &name).ok_or(ApiError::NoRoute)
}

/// The page, at a URL that returns something else to programs.
pub(in crate::http) async fn index(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(page(&app)?.index(&request))
}

/// The page of verified questions, which pages of other sites may show in a frame where that is configured.
pub(in crate::http) async fn framed(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    Ok(page(&app)?.framed(&request))
}

fn page(app: &App) -> Result<&Page, ApiError> {
    app.page.as_deref().ok_or(ApiError::NoRoute)
}
