//! All rows of a result as a file: in which format, with names beside IRIs or not, with their memory counted. For runs and for pages of
//! verified questions alike.

use super::App;
use super::error::ApiError;
use super::params::flag_of;
use super::responses::{Account, RowsKey, SharedRows};
use crate::service::ServiceError;
use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use eruca_sparql::{Answer, Export, ExportFormat, ExportOptions};
use futures_util::stream;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The formats, each with the ending of its files, its media type, and the parameters of that.
const FORMATS: [(ExportFormat, &str, &str, &str); 3] = [
    (ExportFormat::Csv, "csv", "text/csv", "; charset=utf-8; header=present"),
    (ExportFormat::Tsv, "tsv", "text/tab-separated-values", "; charset=utf-8"),
    (ExportFormat::Json, "srj", "application/sparql-results+json", ""),
];

/// What a client wants of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FileWish {
    /// A column of names beside each column of IRIs.
    pub(super) labels: bool,
    /// An apostrophe before texts that a spreadsheet would take for formulas.
    pub(super) spreadsheet: bool,
}

impl FileWish {
    /// What the query part of a URL says.
    ///
    /// # Errors
    /// When a value is neither `true` nor `false`.
    pub(super) fn parse(query: &str) -> Result<Self, ApiError> {
        Ok(Self { labels: flag_of(query, "labels")?, spreadsheet: flag_of(query, "spreadsheet")? })
    }
}

/// The format of files with this ending.
pub(super) fn format_of_ending(ending: &str) -> Option<ExportFormat> {
    FORMATS.iter().find(|(_, known, ..)| *known == ending).map(|(format, ..)| *format)
}

/// The format of a media type.
pub(super) fn format_of_media(media: &str) -> Option<ExportFormat> {
    FORMATS.iter().find(|(_, _, known, _)| *known == media).map(|(format, ..)| *format)
}

/// Rows with their memory counted, and with names if they are wanted, shared with others who read them meanwhile.
///
/// # Errors
/// When too much is being sent already, or there are no names.
pub(super) async fn counted(
    (app, request): (&App, &HttpRequest),
    key: RowsKey,
    answer: Arc<Answer>,
    names: Option<impl Future<Output = Result<BTreeMap<String, String>, ServiceError>>>,
) -> Result<Arc<SharedRows>, ApiError> {
    let mut share = Account::of(app, request).take_rows(&answer)?;
    let names = match names {
        Some(names) => Some(names.await?),
        None => None,
    };
    if let Some(names) = &names {
        share.grow_by_names(names)?;
    }
    Ok(app.responses.share(key, answer, names, share))
}

/// The file.
///
/// # Errors
/// When the result has no rows that could be written.
pub(super) fn exported(
    rows: Arc<SharedRows>,
    format: ExportFormat,
    FileWish { spreadsheet, .. }: FileWish,
) -> Result<HttpResponse, ApiError> {
    let known = FORMATS.iter().find(|(known, ..)| *known == format).ok_or(ApiError::NoRoute)?;
    let (_, ending, media, parameters) = known;
    let options = ExportOptions { names: rows.names.clone(), spreadsheet };
    let pieces = Export::new(rows.answer.clone(), format, options)
        .map_err(|error| ServiceError::Internal(error.to_string()))?;
    let pieces = pieces.map(move |piece| {
        // Their memory is counted until they have been read.
        let _counted = &rows;
        piece.map(Bytes::from)
    });
    Ok(HttpResponse::Ok()
        .content_type(format!("{media}{parameters}"))
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"rows.{ending}\"")))
        .streaming(stream::iter(pieces)))
}
