//! `[llm]`: the chat model.

use crate::config::error::ConfigError;
use crate::config::places::Places;
use crate::config::values::{Count, Seconds, Within};
use secrecy::SecretString;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::time::Duration;

/// An OpenAI-compatible chat model.
#[derive(Debug, Clone, Deserialize)]
pub struct LlmSettings {
    /// Base URL, without a trailing slash.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// Bearer token.
    pub api_key: Option<SecretString>,
    /// Sampling temperature; `None` leaves it out of the requests.
    #[serde(deserialize_with = "temperature")]
    pub temperature: Option<f64>,
    /// Timeout of one attempt.
    #[serde(rename = "timeout_seconds", with = "Seconds::<1>")]
    pub timeout: Duration,
    /// Attempts after the first.
    #[serde(with = "Within::<0, 20>")]
    pub retries: u32,
    /// Maximum length of a completion in tokens.
    #[serde(with = "Count")]
    pub max_completion_tokens: u32,
    #[serde(deserialize_with = "price")]
    price_prompt: f64,
    #[serde(deserialize_with = "price")]
    price_completion: f64,
    price_cached: f64,
}

/// The price of a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriceSettings {
    /// Per million prompt tokens.
    pub prompt: f64,
    /// Per million prompt tokens that the server had in its cache.
    pub cached: f64,
    /// Per million completion tokens.
    pub completion: f64,
}

impl LlmSettings {
    /// The prices, if they are known.
    pub fn prices(&self) -> Option<PriceSettings> {
        let (prompt, completion) = (self.price_prompt, self.price_completion);
        let has_own = self.price_cached.is_finite() && self.price_cached >= 0.0;
        let cached = if has_own { self.price_cached } else { prompt };
        (prompt > 0.0 || completion > 0.0).then_some(PriceSettings { prompt, cached, completion })
    }

    /// The model, if it is configured, here or by the variables that other programs use too.
    pub(in crate::config) fn switched_on(
        self,
        variables: &[(String, String)],
        places: &Places,
    ) -> Result<Option<Self>, ConfigError> {
        let other =
            |name: &str| variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let or =
            |own: &str, name| if own.is_empty() { other(name).unwrap_or_default() } else { own.to_owned() };
        let (url, model) = (or(&self.base_url, "OPENAI_BASE_URL"), or(&self.model, "OPENAI_MODEL"));
        match (url.is_empty(), model.is_empty()) {
            (true, _) if !self.model.is_empty() => {
                return places.invalid("llm.base_url", "is empty while llm.model is set");
            }
            (_, true) if !self.base_url.is_empty() => {
                return places.invalid("llm.model", "is empty while llm.base_url is set");
            }
            // Variables meant for other programs must not lead to an error about an incomplete model.
            (true, _) | (_, true) => return Ok(None),
            (false, false) => {}
        }
        let key = || other("OPENAI_API_KEY").filter(|key| !key.is_empty()).map(SecretString::from);
        let (base_url, api_key) = (places.base_url("llm.base_url", &url)?, self.api_key.or_else(key));
        Ok(Some(Self { base_url, model, api_key, ..self }))
    }
}

fn temperature<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<f64>, D::Error> {
    match f64::deserialize(setting)? {
        value if value > 2.0 || value.is_nan() => {
            Err(D::Error::custom("must be at most 2; a negative number leaves it out"))
        }
        value => Ok((value >= 0.0).then_some(value)),
    }
}

fn price<'de, D: Deserializer<'de>>(setting: D) -> Result<f64, D::Error> {
    match f64::deserialize(setting)? {
        price if price.is_finite() && price >= 0.0 => Ok(price),
        _ => Err(D::Error::custom("must be the price of a million tokens; 0 if it is not known")),
    }
}
