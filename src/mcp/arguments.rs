//! Tool arguments as sent by clients. Error messages say what to send instead.

use crate::service::{MAX_IRI, MAX_PREFERS, Service};
use eruca_api::AnswerStyle;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::time::Duration;

/// The arguments of a tool call.
pub(super) struct CallArguments(JsonObject);

impl CallArguments {
    pub(super) fn new(arguments: Option<JsonObject>) -> Self {
        Self(arguments.unwrap_or_default())
    }

    /// A required, non-empty string.
    pub(super) fn text(&self, key: &str) -> Result<String, String> {
        let text = self.0.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        let missing = || format!("the argument `{key}` is missing; give it as a text that is not empty");
        text.map(str::to_owned).ok_or_else(missing)
    }

    /// An optional number of seconds.
    pub(super) fn seconds(&self, key: &str) -> Result<Option<Duration>, String> {
        let seconds = match self.0.get(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::Number(number)) => number.as_f64(),
            // Models sometimes send numbers as strings.
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let wrong = || format!("the argument `{key}` must be a number of seconds above 0");
        time.filter(|time| !time.is_zero()).map(Some).ok_or_else(wrong)
    }

    /// An optional truth value, `false` without it.
    pub(super) fn flag(&self, key: &str) -> Result<bool, String> {
        match self.0.get(key) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            // Models sometimes send truth values as strings.
            Some(Value::String(text)) if ["true", "false"].contains(&text.trim()) => {
                Ok(text.trim() == "true")
            }
            Some(_) => Err(format!("the argument `{key}` must be true or false")),
        }
    }

    /// How long the answer is, `short` without it.
    pub(super) fn style(&self) -> Result<AnswerStyle, String> {
        match self.0.get("style") {
            None | Some(Value::Null) => Ok(AnswerStyle::Short),
            Some(given) => {
                let known = AnswerStyle::ALL.map(|style| format!("\"{}\"", style.name())).join(" or ");
                let wrong = || format!("the argument `style` must be {known}");
                given.as_str().and_then(AnswerStyle::parse).ok_or_else(wrong)
            }
        }
    }

    /// IRIs of the properties that are meant where others would do as well; none without it.
    pub(super) fn prefers(&self) -> Result<Vec<String>, String> {
        let wrong = || {
            format!(
                "the argument `prefers` must be a list of at most {MAX_PREFERS} IRIs of at most {MAX_IRI} bytes, as an answer names them"
            )
        };
        let iri = |value: &Value| value.as_str().map(|iri| iri.trim().to_owned());
        let iris = match self.0.get("prefers") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Array(values)) if values.len() <= MAX_PREFERS => values.iter().map(iri).collect(),
            // Models sometimes send one where a list is wanted.
            Some(one) => iri(one).map(|iri| vec![iri]),
        };
        let is_bounded = |iris: &Vec<String>| iris.iter().all(|iri| iri.len() <= MAX_IRI);
        iris.filter(is_bounded).ok_or_else(wrong)
    }

    /// The dataset of the call: the named one, or the only one.
    pub(super) fn dataset(&self, service: &Service) -> Result<String, String> {
        if self.0.get("dataset").is_some_and(|given| !given.is_null()) {
            let named = self.text("dataset")?;
            let known = service.dataset(&named).is_some();
            return if known {
                Ok(named)
            } else {
                Err(format!("there is no dataset '{named}'; {}", ids(service)))
            };
        }
        match service.datasets().as_slice() {
            [only] => Ok(only.id.clone()),
            _ => Err(format!("there are several datasets: give `dataset`; {}", ids(service))),
        }
    }

    /// The dataset of a question, which may also be left open.
    pub(super) fn dataset_of_question(&self, service: &Service) -> Result<String, String> {
        match self.text("dataset") {
            Ok(named) if service.is_open_choice(&named) => Ok(named),
            _ => self.dataset(service),
        }
    }

    /// The remaining arguments, for the tool itself.
    pub(super) fn rest(mut self) -> JsonObject {
        self.0.shift_remove("dataset");
        self.0
    }
}

fn ids(service: &Service) -> String {
    let ids: Vec<String> =
        service.datasets().into_iter().map(|dataset| format!("'{}'", dataset.id)).collect();
    format!("known datasets: {}", ids.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(arguments: Value) -> CallArguments {
        CallArguments::new(arguments.as_object().cloned())
    }

    #[test]
    fn times_are_numbers_above_zero() {
        let seconds = |value: Value| given(json!({"s": value})).seconds("s");
        assert_eq!(seconds(json!(2)), Ok(Some(Duration::from_secs(2))));
        assert_eq!(seconds(json!("0.5")), Ok(Some(Duration::from_millis(500))));
        assert_eq!(seconds(Value::Null), Ok(None));
        assert_eq!(given(json!({})).seconds("s"), Ok(None));
        for wrong in [json!(0), json!(-1), json!("soon"), json!([1]), json!(1e300)] {
            assert!(seconds(wrong.clone()).is_err_and(|error| error.contains("above 0")), "{wrong}");
        }
    }

    #[test]
    fn flags_are_true_or_false() {
        let flag = |value: Value| given(json!({"f": value})).flag("f");
        assert_eq!(
            (flag(json!(true)), flag(json!("false")), flag(Value::Null)),
            (Ok(true), Ok(false), Ok(false))
        );
        assert!(flag(json!(1)).is_err_and(|error| error.contains("true or false")));
    }

    #[test]
    fn a_style_is_one_that_is_known() {
        let style = |value: Value| given(json!({"style": value})).style();
        assert_eq!(style(json!("article")), Ok(AnswerStyle::Article));
        assert_eq!(
            (style(json!("short")), style(Value::Null)),
            (Ok(AnswerStyle::Short), Ok(AnswerStyle::Short))
        );
        for wrong in [json!("long"), json!(1), json!(["article"])] {
            assert!(style(wrong).is_err_and(|error| error.contains("\"short\" or \"article\"")));
        }
    }

    #[test]
    fn preferences_are_a_bounded_list() {
        let prefers = |value: Value| given(json!({"prefers": value})).prefers();
        assert_eq!(prefers(json!(["urn:a", " urn:b "])), Ok(vec!["urn:a".to_owned(), "urn:b".to_owned()]));
        assert_eq!(prefers(json!("urn:a")), Ok(vec!["urn:a".to_owned()]));
        assert_eq!((prefers(Value::Null), given(json!({})).prefers()), (Ok(Vec::new()), Ok(Vec::new())));
        let many = Value::from(vec!["urn:a"; MAX_PREFERS + 1]);
        for wrong in [json!(1), json!([1]), json!({}), many, json!(["x".repeat(MAX_IRI + 1)])] {
            assert!(prefers(wrong).is_err_and(|error| error.contains("`prefers`")));
        }
    }

    #[test]
    fn texts_are_given_and_not_empty() {
        assert_eq!(given(json!({"q": " a "})).text("q"), Ok("a".to_owned()));
        for wrong in [json!({}), json!({"q": ""}), json!({"q": " "}), json!({"q": 1}), json!({"q": null})] {
            assert!(given(wrong.clone()).text("q").is_err_and(|error| error.contains("`q`")), "{wrong}");
        }
    }
}
