//! Well-known text ([OGC 06-103r4](https://www.ogc.org/standard/sfa/), as in GeoSPARQL): the centre of a geometry.

/// Reference systems with points as longitude and latitude, and those with the reverse order.
const LONGITUDE_FIRST: &[&str] =
    &["http://www.opengis.net/def/crs/OGC/1.3/CRS84", "http://www.opengis.net/def/crs/OGC/0/CRS84"];
const LATITUDE_FIRST: &[&str] =
    &["http://www.opengis.net/def/crs/EPSG/0/4326", "http://www.opengis.net/def/crs/EPSG/0/4258"];
/// Maximum number of points read of a geometry.
const MAX_POINTS: usize = 100_000;

/// The point, or the centre of a geometry's bounding box, as latitude and longitude; `None` for other planets, unknown
/// reference systems and anything that is not a geometry.
pub(super) fn middle(text: &str) -> Option<(f64, f64)> {
    let text = text.trim();
    let (latitude_first, text) = match text.strip_prefix('<') {
        Some(rest) => {
            let (system, rest) = rest.split_once('>')?;
            (order(system)?, rest)
        }
        None => (false, text),
    };
    // Extended well-known text of databases: 4326 is the number of the usual system, whose points are written longitude first.
    let text = text.trim().strip_prefix("SRID=4326;").unwrap_or(text.trim());
    let (name, numbers) = text.split_once('(')?;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic() || c == ' ') {
        return None;
    }
    let (first, second) = middle_of(numbers)?;
    Some(if latitude_first { (first, second) } else { (second, first) })
}

/// Whether the latitude comes first; `None` for an unknown system.
fn order(system: &str) -> Option<bool> {
    if LONGITUDE_FIRST.contains(&system) {
        return Some(false);
    }
    LATITUDE_FIRST.contains(&system).then_some(true)
}

/// The centre of the bounding box of points separated by commas.
fn middle_of(numbers: &str) -> Option<(f64, f64)> {
    let points = numbers.split(',').take(MAX_POINTS).map(|point| {
        let inner = point.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
        let mut parts = inner.split_whitespace().map(str::parse::<f64>);
        Some((parts.next()?.ok()?, parts.next()?.ok()?))
    });
    let mut bounds: Option<[f64; 4]> = None;
    for point in points {
        let (x, y) = point?;
        let [west, south, east, north] = bounds.unwrap_or([x, y, x, y]);
        bounds = Some([west.min(x), south.min(y), east.max(x), north.max(y)]);
    }
    bounds.map(|[west, south, east, north]| ((west + east) / 2.0, (south + north) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_each_order() {
        assert_eq!(middle("POINT(2.35 48.86)"), Some((48.86, 2.35)));
        assert_eq!(middle(" Point ( 2.35   48.86 ) "), Some((48.86, 2.35)));
        assert_eq!(middle("POINT Z (2.35 48.86 35)"), Some((48.86, 2.35)));
        assert_eq!(middle("SRID=4326;POINT(2.35 48.86)"), Some((48.86, 2.35)));
        let named = |system: &str| middle(&format!("<http://www.opengis.net/def/crs/{system}> POINT(1 2)"));
        assert_eq!(named("OGC/1.3/CRS84"), Some((2.0, 1.0)));
        assert_eq!(named("EPSG/0/4326"), Some((1.0, 2.0)));
        assert_eq!(named("EPSG/0/25832"), None);
    }

    #[test]
    fn the_middle_of_what_is_larger() {
        assert_eq!(middle("POLYGON((0 0, 4 0, 4 2, 0 2, 0 0))"), Some((1.0, 2.0)));
        assert_eq!(middle("MULTIPOLYGON(((0 0, 2 2)), ((8 8, 10 10)))"), Some((5.0, 5.0)));
    }

    #[test]
    fn what_is_no_geometry_of_the_earth_gives_nothing() {
        for text in [
            "",
            "POINT",
            "POINT()",
            "POINT(x y)",
            "POINT(1)",
            "POINT EMPTY",
            "(1 2)",
            "<http://www.wikidata.org/entity/Q405> POINT(1 2)",
            "1,2",
            "<unclosed POINT(1 2)",
            "GEOMETRYCOLLECTION(POINT(1 2))",
        ] {
            assert_eq!(middle(text), None, "{text}");
        }
    }
}
