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
    /// Base URL, without a slash at the end.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// Bearer token.
    pub api_key: Option<SecretString>,
    /// Randomness; `None` leaves it out of the requests.
    #[serde(deserialize_with = "temperature")]
    pub temperature: Option<f64>,
    /// Time for one attempt.
    #[serde(rename = "timeout_seconds", with = "Seconds::<1>")]
    pub timeout: Duration,
    /// Attempts after the first.
    #[serde(with = "Within::<0, 20>")]
    pub retries: u32,
    /// Longest completion in tokens.
    #[serde(with = "Count")]
    pub max_completion_tokens: u32,
    #[serde(deserialize_with = "price")]
    price_prompt: f64,
    #[serde(deserialize_with = "price")]
    price_completion: f64,
    price_cached: f64,
}

/// What a million tokens cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriceSettings {
    /// Of the prompt.
    pub prompt: f64,
    /// Of the prompt, where the server had them in its cache.
    pub cached: f64,
    /// Of the completion.
    pub completion: f64,
}

impl LlmSettings {
    /// What tokens cost, if it is known.
    pub fn prices(&self) -> Option<PriceSettings> {
        let (prompt, completion) = (self.price_prompt, self.price_completion);
        let has_own = self.price_cached.is_finite() && self.price_cached >= 0.0;
        let cached = if has_own { self.price_cached } else { prompt };
        (prompt > 0.0 || completion > 0.0).then_some(PriceSettings { prompt, cached, completion })
    }

    /// The model, if it is switched on, here or by the variables that other programs use too.
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
            // Variables that other programs use must not half-configure ours.
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
