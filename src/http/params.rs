//! Query parameters. Those of questions are parsed and validated as FastAPI does, so that clients of the challenge's own server see
//! the same bodies; of the others, what several routes read in the same way is here.

use super::App;
use super::dto::ValidationError;
use super::error::ApiError;
use crate::service::PAGE_ROWS;
use actix_web::HttpRequest;
use url::form_urlencoded;
use utoipa::IntoParams;

/// Maximum length of a dataset name in characters; ids are often IRIs.
const MAX_DATASET_CHARS: usize = 2000;
/// Maximum number of rows in a JSON response.
const MAX_ROWS: usize = 1_000;

impl App {
    /// The dataset of a request that names none. If there are several, the error lists them after `several`.
    pub(super) fn only_dataset(&self, several: &str) -> Result<String, ApiError> {
        let mut ids: Vec<String> = self.service.datasets().into_iter().map(|dataset| dataset.id).collect();
        match (ids.len(), ids.pop()) {
            (1, Some(only)) => Ok(only),
            (_, last) => {
                ids.extend(last);
                let message = format!("{several} {}", ids.join(", "));
                Err(ApiError::Parameters(vec![ValidationError::of_body(&["dataset"], &message, "missing")]))
            }
        }
    }
}

/// The parameters of a question.
#[derive(Debug, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QuestionParams {
    /// The question in plain language.
    #[param(example = "What is the capital of France?", min_length = 1)]
    pub(super) question: String,
    /// The dataset's id or one of its aliases; see /datasets.
    #[param(example = "demo", min_length = 1)]
    pub(super) dataset: String,
    /// Whether to include how the query came about, with its results.
    #[param(required = false, default = false)]
    pub(super) trace: bool,
}

impl QuestionParams {
    /// Parses the query part of a URL; all errors in it are reported at once.
    pub(super) fn parse(query: &str, max_question_chars: usize) -> Result<Self, ApiError> {
        let mut errors = Vec::new();
        let dataset = text(query, "dataset", MAX_DATASET_CHARS, &mut errors);
        let question = text(query, "question", max_question_chars, &mut errors);
        let trace = flag(query, "trace", &mut errors);
        match (dataset, question, trace) {
            (Some(dataset), Some(question), Some(trace)) => Ok(Self { dataset, question, trace }),
            _ => Err(ApiError::Parameters(errors)),
        }
    }
}

/// The last value of a parameter, which counts if there are several.
fn last(query: &str, name: &str) -> Option<String> {
    let values = form_urlencoded::parse(query.as_bytes()).filter(|(known, _)| known == name);
    values.last().map(|(_, value)| value.into_owned())
}

/// The last value of a parameter, unless it is empty.
pub(super) fn parameter(request: &HttpRequest, name: &str) -> Option<String> {
    last(request.query_string(), name).filter(|value| !value.is_empty())
}

/// The value of a boolean parameter, `false` by default.
///
/// # Errors
/// When it is neither `true` nor `false`.
pub(super) fn flag_of(query: &str, name: &str) -> Result<bool, ApiError> {
    let given = form_urlencoded::parse(query.as_bytes()).find(|(known, _)| known == name);
    let value = given.map(|(_, value)| value.parse::<bool>()).transpose();
    value
        .map(Option::unwrap_or_default)
        .map_err(|_| ApiError::wrong_parameter(name, "must be 'true' or 'false'"))
}

/// The rows that are wanted of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) offset: usize,
    pub(super) limit: usize,
}

impl Window {
    /// What the query part of a URL says.
    ///
    /// # Errors
    /// When a value is no number, or too large.
    pub(super) fn parse(query: &str) -> Result<Self, ApiError> {
        let number = |name: &'static str, default: usize, max: usize| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let Some((_, value)) = pairs.find(|(known, _)| known == name) else { return Ok(default) };
            let read = value.parse().ok().filter(|number| *number <= max);
            read.ok_or_else(|| ApiError::wrong_parameter(name, &format!("must be a number up to {max}")))
        };
        let offset = number("offset", 0, usize::MAX)?;
        Ok(Self { offset, limit: number("limit", PAGE_ROWS, MAX_ROWS)? })
    }
}

fn text(query: &str, name: &'static str, max: usize, errors: &mut Vec<ValidationError>) -> Option<String> {
    let error = match last(query, name) {
        None => ValidationError::missing(name),
        Some(value) if value.trim().is_empty() => {
            ValidationError::of_query(name, "String should have at least 1 character", "string_too_short")
        }
        Some(value) if value.chars().count() > max => {
            let message = format!("String should have at most {max} characters");
            ValidationError::of_query(name, &message, "string_too_long")
        }
        Some(value) => return Some(value),
    };
    errors.push(error);
    None
}

fn flag(query: &str, name: &'static str, errors: &mut Vec<ValidationError>) -> Option<bool> {
    let Some(value) = last(query, name) else { return Some(false) };
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "y" | "on" | "t" => Some(true),
        "false" | "0" | "no" | "n" | "off" | "f" => Some(false),
        _ => {
            let message = "Input should be a valid boolean, unable to interpret input";
            errors.push(ValidationError::of_query(name, message, "bool_parsing"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds(query: &str) -> Vec<(String, &'static str)> {
        match QuestionParams::parse(query, 10) {
            Ok(_) => Vec::new(),
            Err(ApiError::Parameters(errors)) => {
                errors.into_iter().map(|error| (error.loc.join("."), error.kind)).collect()
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn everything_wrong_is_reported_at_once() {
        assert_eq!(
            kinds("question=12345678901&trace=perhaps"),
            [
                ("query.dataset".to_owned(), "missing"),
                ("query.question".to_owned(), "string_too_long"),
                ("query.trace".to_owned(), "bool_parsing"),
            ]
        );
        assert_eq!(
            kinds("dataset=&question=%20"),
            [
                ("query.dataset".to_owned(), "string_too_short"),
                ("query.question".to_owned(), "string_too_short"),
            ]
        );
    }

    #[test]
    fn length_counts_characters_and_the_last_value_counts() {
        let params =
            QuestionParams::parse("dataset=a&dataset=b&question=%E7%8C%AB+%E7%8C%AB&trace=ON", 3).unwrap();
        assert_eq!(params, QuestionParams { dataset: "b".into(), question: "猫 猫".into(), trace: true });
    }

    proptest! {
        #[test]
        fn any_text_comes_through_url_encoding_unchanged(question in "\\PC{0,8}x\\PC{0,8}") {
            let query = form_urlencoded::Serializer::new(String::new())
                .append_pair("question", &question).append_pair("dataset", "d").finish();
            prop_assert_eq!(QuestionParams::parse(&query, 100).unwrap().question, question);
        }

        #[test]
        fn any_query_string_is_read_without_a_fault(query in ".{0,80}") {
            let _outcome = QuestionParams::parse(&query, 100);
        }
    }
}
