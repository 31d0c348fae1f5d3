//! Deserializes values with rules beyond their type: ranges, times, paths, URLs, texts that may be empty.
//!
//! Each function reads one value, for serde's `with` and `deserialize_with`, and reports what is wrong with it.
//! [`Setting`](super::setting::Setting) adds the place.

use super::setting::{FilePath, LibraryPath};
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::fmt::Display;
use std::path::PathBuf;
use std::time::Duration;
use url::Url;

/// A whole number in a range.
pub(super) struct Within<const MIN: i64, const MAX: i64>;

impl<const MIN: i64, const MAX: i64> Within<MIN, MAX> {
    pub(super) fn deserialize<'de, T: TryFrom<i64>, D: Deserializer<'de>>(setting: D) -> Result<T, D::Error> {
        let number = i64::deserialize(setting)?;
        let fitting = if (MIN..=MAX).contains(&number) { T::try_from(number).ok() } else { None };
        fitting.ok_or_else(|| D::Error::custom(format_args!("must be between {MIN} and {MAX}")))
    }
}

/// A whole number that is not zero.
pub(super) type Count = Within<1, 1_000_000_000>;

/// A time in seconds, at most a day.
pub(super) struct Seconds<const MIN: i64>;

impl<const MIN: i64> Seconds<MIN> {
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(setting: D) -> Result<Duration, D::Error> {
        Within::<MIN, 86_400>::deserialize(setting).map(Duration::from_secs)
    }
}

/// A whole number; zero means `None`.
pub(super) struct UnlessZero<const MAX: i64>;

impl<const MAX: i64> UnlessZero<MAX> {
    pub(super) fn deserialize<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<u32>, D::Error> {
        Ok(Some(Within::<0, MAX>::deserialize(setting)?).filter(|number| *number > 0))
    }
}

/// A number of megabytes, in bytes.
pub(super) fn megabytes<'de, T: TryFrom<i64>, D: Deserializer<'de>>(setting: D) -> Result<T, D::Error> {
    let megabytes: i64 = Within::<1, 100_000>::deserialize(setting)?;
    T::try_from(megabytes * 1_000_000).map_err(|_| D::Error::custom("is more than this machine can address"))
}

/// The text converted by `read`; `None` if it is empty.
pub(super) fn optional<'de, T, P: Display, D: Deserializer<'de>>(
    setting: D,
    read: impl FnOnce(&str) -> Result<T, P>,
) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(setting)?.filter(|text| !text.is_empty());
    text.as_deref().map(read).transpose().map_err(D::Error::custom)
}

/// A text that is valid or empty.
pub(super) fn fitting<'de, D: Deserializer<'de>>(
    setting: D,
    fits: impl FnOnce(&str) -> bool,
    problem: &str,
) -> Result<Option<String>, D::Error> {
    optional(setting, |text| if fits(text) { Ok(text.to_owned()) } else { Err(problem) })
}

/// A list of valid texts.
pub(super) fn all<'de, D: Deserializer<'de>>(
    setting: D,
    fits: impl Fn(&str) -> bool,
    problem: &str,
) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<String>::deserialize(setting)?;
    if texts.iter().all(|text| fits(text)) { Ok(texts) } else { Err(D::Error::custom(problem)) }
}

/// A text that must not be empty.
pub(super) fn filled<'de, D: Deserializer<'de>>(setting: D, why: &str) -> Result<String, D::Error> {
    let text = String::deserialize(setting)?;
    is_filled(&text, why).map_err(D::Error::custom).map(|()| text)
}

pub(super) fn is_filled(text: &str, why: &str) -> Result<(), String> {
    if text.trim().is_empty() { Err(format!("is empty; {why}")) } else { Ok(()) }
}

/// A path; `None` if it is empty.
pub(super) fn path<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Option::<FilePath>::deserialize(setting)?.map(|FilePath(path)| path))
}

/// A path, or a bare file name that the system looks up; `None` if it is empty.
pub(super) fn library<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Option::<LibraryPath>::deserialize(setting)?.map(|LibraryPath(path)| path))
}

/// Paths and patterns.
pub(super) fn paths<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<PathBuf>, D::Error> {
    Ok(Vec::<FilePath>::deserialize(setting)?.into_iter().map(|FilePath(path)| path).collect())
}

/// The error for something that is not a full IRI.
pub(super) const NO_IRI: &str = "must hold full IRIs like \"http://xmlns.com/foaf/0.1/name\", without <>";

/// Full IRIs.
pub(super) fn iris<'de, D: Deserializer<'de>>(setting: D) -> Result<Vec<String>, D::Error> {
    all(setting, is_iri, NO_IRI)
}

pub(super) fn is_iri(text: &str) -> bool {
    Url::parse(text).is_ok()
}

/// A web URL that is used as it is.
pub(super) fn web_url(value: &str) -> Result<String, String> {
    match Url::parse(value) {
        Ok(url) if !matches!(url.scheme(), "http" | "https") => {
            Err("must be a URL that starts with http:// or https://".to_owned())
        }
        Ok(url) if !url.username().is_empty() || url.password().is_some() => {
            Err("must not hold credentials: URLs are shown to users; there are other keys for them"
                .to_owned())
        }
        Ok(_) => Ok(value.to_owned()),
        Err(error) => Err(format!("must be a URL like https://example.org/path: {error}")),
    }
}

/// A base URL, without a trailing slash.
pub(super) fn base_url(value: &str) -> Result<String, String> {
    web_url(value).map(|url| url.trim_end_matches('/').to_owned())
}
