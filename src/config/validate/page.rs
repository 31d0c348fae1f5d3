//! Settings of what people look at: `[page]`, `[feedback]`, and the editors of endpoints.

use super::{Check, Checked};
use crate::config::{FeedbackSettings, PageSettings, TilesSettings};
use eruca_sparql::Dialect;
use url::Url;

/// What stands in the address of a tile for its place.
const TILE_PLACES: [&str; 3] = ["{z}", "{x}", "{y}"];
/// Longest attribution, in characters.
const MAX_ATTRIBUTION: usize = 300;

impl Check<'_> {
    pub(super) fn page(&self) -> Checked<PageSettings> {
        Ok(PageSettings { tiles: self.tiles()?, pictures: self.get("page.pictures")? })
    }

    fn tiles(&self) -> Checked<Option<TilesSettings>> {
        let Some(url) = self.given("page.tiles")? else { return Ok(None) };
        let attribution: String = self.get("page.tiles_attribution")?;
        let places = TILE_PLACES.iter().all(|place| url.contains(place));
        // The origin becomes a part of a header, so that it must be plain; one with a place in it could be anything.
        let parsed =
            Url::parse(&url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let origin = parsed.map(|url| url.origin().ascii_serialization());
        let origin = origin.filter(|origin| {
            url.starts_with(&format!("{origin}/")) && !origin.contains(['{', '%', '*', ';', ',', '\'', ' '])
        });
        let (true, Some(origin)) = (places, origin) else {
            let problem = "must be an address like \"https://tiles.example.org/{z}/{x}/{y}.png\"";
            return self.invalid("page.tiles", problem);
        };
        if attribution.trim().is_empty() || attribution.chars().count() > MAX_ATTRIBUTION {
            return self.invalid(
                "page.tiles_attribution",
                "must name who makes the maps, in at most 300 characters",
            );
        }
        Ok(Some(TilesSettings { url, origin, attribution }))
    }

    pub(super) fn feedback(&self) -> Checked<Option<FeedbackSettings>> {
        let megabytes: u64 = self.number("feedback.max_mb", 1, 100_000)?;
        let max_bytes = megabytes.saturating_mul(1_000_000);
        let file = self.given("feedback.file")?;
        Ok(file.map(|file| FeedbackSettings { file: file.into(), max_bytes }))
    }

    pub(super) fn editor(&self, key: &str, address: String) -> Checked<Option<String>> {
        if address.is_empty() {
            return Ok(None);
        }
        let scheme = address.starts_with("https://") || address.starts_with("http://");
        let known = Url::parse(&address.replace(Dialect::QUERY, "q")).is_ok_and(|url| url.has_host());
        match scheme && known && address.matches(Dialect::QUERY).count() == 1 {
            true => Ok(Some(address)),
            false => self.invalid(
                key,
                "must be an address with {query} where the query goes, like \"https://example.org/sparql?query={query}\"",
            ),
        }
    }
}
