//! `[page]` and `[feedback]`: what people look at, and what they say to it.

use crate::config::error::ConfigError;
use crate::config::places::Places;
use crate::config::values::{megabytes, optional, path};
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use url::Url;

/// What stands in the address of a tile for its place.
const TILE_PLACES: [&str; 3] = ["{z}", "{x}", "{y}"];
/// Longest attribution, in characters.
const MAX_ATTRIBUTION: usize = 300;

/// What the page to ask loads from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PageSettings {
    /// Where maps come from; `None` draws coastlines alone.
    #[serde(deserialize_with = "tiles")]
    pub tiles: Option<TilesSettings>,
    /// Who is to be named beside them.
    pub tiles_attribution: String,
    /// Whether pictures of things are loaded from where they are.
    pub pictures: bool,
}

/// Tiles of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TilesSettings {
    /// Their address, with `{z}`, `{x}` and `{y}`.
    pub url: String,
    /// The origin of that address, which the page may load from.
    pub origin: String,
}

/// Where reports on answers go.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FeedbackSettings {
    /// The file; `None` takes none.
    #[serde(deserialize_with = "path")]
    pub file: Option<PathBuf>,
    /// The file grows to so many bytes.
    #[serde(rename = "max_mb", deserialize_with = "megabytes")]
    pub max_bytes: u64,
}

impl PageSettings {
    /// Checks that whoever makes the maps is named.
    pub(in crate::config) fn check(&self, places: &Places) -> Result<(), ConfigError> {
        let attribution = &self.tiles_attribution;
        let is_good = !attribution.trim().is_empty() && attribution.chars().count() <= MAX_ATTRIBUTION;
        match self.tiles.is_none() || is_good {
            true => Ok(()),
            false => places
                .invalid("page.tiles_attribution", "must name who makes the maps, in at most 300 characters"),
        }
    }
}

fn tiles<'de, D: Deserializer<'de>>(setting: D) -> Result<Option<TilesSettings>, D::Error> {
    optional(setting, |url| {
        let has_places = TILE_PLACES.iter().all(|place| url.contains(place));
        let parsed =
            Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let origin = parsed.map(|url| url.origin().ascii_serialization());
        // The origin becomes a part of a header, so that it must be plain; one with a place in it could be anything.
        let origin = origin.filter(|origin| {
            let is_plain = !origin.contains(['{', '%', '*', ';', ',', '\'', ' ']);
            has_places && is_plain && url.starts_with(&format!("{origin}/"))
        });
        match origin {
            Some(origin) => Ok(TilesSettings { url: url.to_owned(), origin }),
            None => Err("must be an address like \"https://tiles.example.org/{z}/{x}/{y}.png\""),
        }
    })
}
