//! `[page]` and `[feedback]`: the web page and the readers' feedback.

use crate::config::error::ConfigError;
use crate::config::places::Places;
use crate::config::values::{megabytes, optional, path};
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;
use url::Url;

/// Placeholders for the position in the URL of a tile.
const TILE_PLACES: [&str; 3] = ["{z}", "{x}", "{y}"];
/// Maximum length of the attribution in characters.
const MAX_ATTRIBUTION: usize = 300;

/// What the web page loads from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PageSettings {
    /// The source of map tiles; `None` to draw only coastlines.
    #[serde(deserialize_with = "tiles")]
    pub tiles: Option<TilesSettings>,
    /// The attribution shown with the tiles.
    pub tiles_attribution: String,
    /// Whether pictures, sounds and films of entities are loaded from their original location.
    pub pictures: bool,
}

/// Map tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TilesSettings {
    /// Their URL, with `{z}`, `{x}` and `{y}`.
    pub url: String,
    /// The origin of that URL, which the page may load from.
    pub origin: String,
}

/// Where reports on answers and corrections are stored.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FeedbackSettings {
    /// The file; `None` disables reports.
    #[serde(deserialize_with = "path")]
    pub file: Option<PathBuf>,
    /// Maximum size of the file in bytes.
    #[serde(rename = "max_mb", deserialize_with = "megabytes")]
    pub max_bytes: u64,
    /// Whether corrections become proposals for what the owner of a graph knows.
    pub proposals: bool,
    /// Folder of the proposals, if it is not the one beside the indexes.
    #[serde(deserialize_with = "path")]
    pub proposals_folder: Option<PathBuf>,
}

impl PageSettings {
    /// Checks that the provider of the tiles is named.
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
        // The origin becomes part of a header, so it must be plain; with a placeholder in it, it could be anything.
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
