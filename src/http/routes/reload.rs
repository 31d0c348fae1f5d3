//! `POST /datasets/{id}/reload`: switches to a new index immediately.

use crate::config::KeyScope;
use crate::http::App;
use crate::http::error::{ApiError, DatasetErrors, HostErrors, OperationKeyErrors};
use crate::http::gate::Cost;
use actix_web::HttpRequest;
use actix_web::web::{Data, Json, Path};
use eruca_api::Reload;

/// Opens a dataset anew if its index was built anew, is damaged, or could not be opened before. Questions that are being
/// answered end with the old one; if the new one cannot be opened, the old one goes on. Where keys are asked for, one that
/// opens the metrics is needed.
#[utoipa::path(
    post,
    path = "/datasets/{id}/reload",
    tag = "operation",
    params(("id" = String, Path, description = "The dataset's id or one of its aliases, percent-encoded.")),
    responses(
        (status = 200, description = "The current index answers, whether it was opened just now or before.", body = Reload),
        HostErrors,
        OperationKeyErrors,
        DatasetErrors,
    )
)]
pub(in crate::http) async fn reload(
    request: HttpRequest,
    app: Data<App>,
    id: Path<String>,
) -> Result<Json<Reload>, ApiError> {
    app.gate.check_key(&request, KeyScope::Operation)?;
    app.gate.admit_client(&app.gate.client(&request), Cost::Question)?;
    Ok(Json(app.service.reload(&id).await?))
}
