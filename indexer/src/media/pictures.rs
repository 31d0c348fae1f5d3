//! Pictures of entities: which properties lead to them, and the URL that a page can show; and the URLs of sounds and films.

use super::kind::MediaKind;
use crate::card::PropertyCard;
use crate::vocabulary::wikibase_values as values;
use eruca_sparql::Term;
use url::Url;

/// Properties of common vocabularies that lead to a picture of their subject.
const PICTURE_PROPERTIES: &[&str] = &[
    "http://xmlns.com/foaf/0.1/depiction",
    "http://xmlns.com/foaf/0.1/img",
    "http://xmlns.com/foaf/0.1/thumbnail",
    "http://xmlns.com/foaf/0.1/logo",
    "http://schema.org/image",
    "https://schema.org/image",
    "http://schema.org/photo",
    "https://schema.org/photo",
    "http://schema.org/logo",
    "https://schema.org/logo",
    "http://schema.org/thumbnailUrl",
    "https://schema.org/thumbnailUrl",
    "http://www.w3.org/2006/vcard/ns#hasPhoto",
    "http://www.w3.org/2006/vcard/ns#photo",
    "http://www.w3.org/2006/vcard/ns#hasLogo",
    "http://ogp.me/ns#image",
    "http://www.europeana.eu/schemas/edm/object",
    values::PICTURE,
    values::LOGO,
];

/// Classes of pictures: a property with such a declared range leads to pictures.
const PICTURE_CLASSES: &[&str] = &[
    "http://xmlns.com/foaf/0.1/Image",
    "http://schema.org/ImageObject",
    "https://schema.org/ImageObject",
    "http://purl.org/dc/dcmitype/StillImage",
    "http://purl.org/dc/dcmitype/Image",
];

/// The Wikibase datatype of values that are files of Wikimedia Commons.
const COMMONS_FILE: &str = "CommonsMedia";
/// Host and path of Commons' files by name; with a width in the query, it scales pictures down.
const COMMONS_HOST: &str = "commons.wikimedia.org";
const COMMONS_FILES: &str = "/wiki/Special:FilePath/";
const COMMONS_WIDTH: &str = "width=480";
/// Extensions of pictures that browsers show.
const ENDINGS: &[&str] = &["jpg", "jpeg", "png", "gif", "svg", "webp", "avif"];
/// Extensions of other files of Commons: sounds, films, documents, map data.
const OTHER_ENDINGS: &[&str] = &[
    "ogg", "oga", "ogv", "opus", "wav", "flac", "mp3", "mid", "webm", "mpg", "pdf", "djvu", "stl", "map",
    "tab",
];
/// Maximum length in characters of a URL that is used.
const MAX_ADDRESS: usize = 2_000;

/// Whether a property leads to pictures, judged by its IRI and card.
pub fn is_picture_property(iri: &str, card: Option<&PropertyCard>) -> bool {
    let declared = |card: &PropertyCard| {
        card.declared_range.iter().any(|range| PICTURE_CLASSES.contains(&range.as_str()))
            || card.statements.as_ref().is_some_and(|facts| facts.datatype.as_deref() == Some(COMMONS_FILE))
    };
    PICTURE_PROPERTIES.contains(&iri) || card.is_some_and(declared)
}

/// The URL of a picture, if a value is one: for a property that leads to pictures, any web URL except
/// that of another kind of file; otherwise, those with the extension of a picture.
pub fn picture(value: &Term, of_picture_property: bool) -> Option<String> {
    let address = web_address(value)?;
    let ending = ending(&address);
    let fits = match of_picture_property {
        true => !ending.is_some_and(|ending| OTHER_ENDINGS.contains(&ending.as_str())),
        false => ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())),
    };
    fits.then(|| shown(address))
}

/// The sound or film that a value is, by the extension of its web address.
pub fn recording(value: &Term) -> Option<(MediaKind, String)> {
    let address = web_address(value)?;
    match MediaKind::of(address.as_str())? {
        MediaKind::Picture => None,
        kind => Some((kind, secured(address).into())),
    }
}

/// The web address that a value is, if a page can safely load it.
fn web_address(value: &Term) -> Option<Url> {
    let written = match value {
        Term::NamedNode(node) => node.as_str(),
        Term::Literal(literal) if literal.language().is_none() => literal.value().trim(),
        Term::Literal(_) | Term::BlankNode(_) => return None,
    };
    let starts = written.starts_with("http://") || written.starts_with("https://");
    if !starts
        || written.len() > MAX_ADDRESS
        || written.contains(|c: char| c.is_whitespace() || c.is_control())
    {
        return None;
    }
    Url::parse(written).ok().filter(|url| url.has_host() && url.username().is_empty())
}

/// The extension of the file name, in lower case.
fn ending(address: &Url) -> Option<String> {
    let file = address.path_segments()?.next_back()?;
    file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// The URL adapted for the page: for a file of Commons, a smaller size, and https to avoid a redirect.
fn shown(address: Url) -> String {
    let mut address = secured(address);
    if is_of_commons(&address) && address.query().is_none() {
        address.set_query(Some(COMMONS_WIDTH));
    }
    address.into()
}

/// The address with https for Wikimedia Commons, which supports nothing else.
fn secured(mut address: Url) -> Url {
    if is_of_commons(&address) {
        let _changed = address.set_scheme("https");
    }
    address
}

fn is_of_commons(address: &Url) -> bool {
    address.host_str() == Some(COMMONS_HOST) && address.path().starts_with(COMMONS_FILES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::PropertyFacts;
    use eruca_sparql::{Literal, NamedNode};

    fn iri(iri: &str) -> Term {
        NamedNode::new_unchecked(iri).into()
    }

    #[test]
    fn properties_are_known_by_iri_range_or_kind_of_value() {
        assert!(is_picture_property("http://xmlns.com/foaf/0.1/depiction", None));
        assert!(!is_picture_property("http://example.org/image", None));
        let ranged = PropertyCard {
            declared_range: vec!["http://schema.org/ImageObject".to_owned()],
            ..PropertyCard::default()
        };
        assert!(is_picture_property("http://example.org/x", Some(&ranged)));
        let facts = PropertyFacts { datatype: Some("CommonsMedia".to_owned()), ..PropertyFacts::default() };
        let commons = PropertyCard { statements: Some(facts), ..PropertyCard::default() };
        assert!(is_picture_property("http://example.org/P9", Some(&commons)));
        assert!(!is_picture_property("http://example.org/P9", Some(&PropertyCard::default())));
    }

    #[test]
    fn files_of_commons_come_in_a_size_for_a_page() {
        let file = iri("http://commons.wikimedia.org/wiki/Special:FilePath/Paris%20Night.jpg");
        let shown = "https://commons.wikimedia.org/wiki/Special:FilePath/Paris%20Night.jpg?width=480";
        assert_eq!(picture(&file, true).as_deref(), Some(shown));
        let sound = iri("http://commons.wikimedia.org/wiki/Special:FilePath/Anthem.ogg");
        assert_eq!(picture(&sound, true), None);
    }

    #[test]
    fn sounds_and_films_are_recordings_and_pictures_are_not() {
        let sound = iri("http://commons.wikimedia.org/wiki/Special:FilePath/Anthem.ogg");
        let address = "https://commons.wikimedia.org/wiki/Special:FilePath/Anthem.ogg".to_owned();
        assert_eq!(recording(&sound), Some((MediaKind::Sound, address)));
        let film = Literal::new_simple_literal("https://a.example/f.webm").into();
        assert!(matches!(recording(&film), Some((MediaKind::Film, _))));
        for other in
            ["https://a.example/a.png", "javascript:x.mp3", "http://u:p@a.example/x.mp3", "urn:x.ogg"]
        {
            assert_eq!(recording(&iri(other)), None, "{other}");
        }
    }

    #[test]
    fn elsewhere_the_ending_decides() {
        assert!(picture(&iri("https://example.org/a/B.PNG?size=2"), false).is_some());
        assert!(picture(&Literal::new_simple_literal("https://example.org/b.svg").into(), false).is_some());
        assert_eq!(picture(&iri("https://example.org/page"), false), None);
        assert!(picture(&iri("https://example.org/images/7"), true).is_some());
    }

    #[test]
    fn nothing_but_addresses_on_the_web_is_a_picture() {
        for hostile in [
            "javascript:alert(1)//a.png",
            "data:image/png;base64,AAAA.png",
            "file:///etc/a.png",
            "http://user:secret@example.org/a.png",
            "https://example.org/a b.png",
            "https:///a.png\u{0}",
        ] {
            assert_eq!(picture(&iri(hostile), true), None, "{hostile}");
            assert_eq!(picture(&Literal::new_simple_literal(hostile).into(), false), None, "{hostile}");
        }
    }
}
