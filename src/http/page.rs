//! The web page: its files, which are compiled into the program, and the content security policy.
//!
//! The page loads nothing from elsewhere except what `[page]` names, and runs no script other than its own files.
//! Tests: `tests`, `tests/page.rs`.

use super::frames;
use crate::config::PageSettings;
use actix_web::http::header::{self, ETag, EntityTag, Header, HeaderValue, IfNoneMatch};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::sync::LazyLock;
use uuid::Uuid;

/// The file that is the page itself.
const INDEX: &str = "index.html";

/// Name, media type and content of a file.
type File = (&'static str, &'static str, &'static [u8]);

/// Files of `ui/dist` by their names, each with its media type.
macro_rules! files {
    ($($name:literal as $kind:literal),* $(,)?) => {
        &[$(($name, $kind, include_bytes!(concat!("../../ui/dist/", $name)))),*]
    };
}

/// Every file of the page. A new file needs a line here; a test checks that none is missing.
const FILES: &[File] = files![
    "index.html" as "text/html; charset=utf-8",
    "app.css" as "text/css; charset=utf-8",
    "app.js" as "text/javascript; charset=utf-8",
    "editor.js" as "text/javascript; charset=utf-8",
    "icon.svg" as "image/svg+xml",
    "map.css" as "text/css; charset=utf-8",
    "map.js" as "text/javascript; charset=utf-8",
    "more.js" as "text/javascript; charset=utf-8",
    "shared.js" as "text/javascript; charset=utf-8",
    "words-de.js" as "text/javascript; charset=utf-8",
    "words-es.js" as "text/javascript; charset=utf-8",
    "words-fr.js" as "text/javascript; charset=utf-8",
    "words-it.js" as "text/javascript; charset=utf-8",
    "words-nl.js" as "text/javascript; charset=utf-8",
    "words-pt.js" as "text/javascript; charset=utf-8",
];

/// The compressed files, shared by all servers of the process, because compressing takes a while.
static PREPARED: LazyLock<io::Result<Vec<Prepared>>> =
    LazyLock::new(|| FILES.iter().map(|file| Prepared::new(*file)).collect());

/// The page as sent to browsers.
pub(super) struct Page {
    files: &'static [Prepared],
    policy: String,
    /// The policy of pages that others may frame.
    framed: Option<String>,
}

/// A file ready to be sent.
struct Prepared {
    name: &'static str,
    kind: &'static str,
    plain: Bytes,
    packed: Bytes,
    hash: String,
}

impl Page {
    /// Compresses the files, once.
    ///
    /// # Errors
    /// When they cannot be compressed.
    pub(super) fn new(settings: &PageSettings, embed_origins: &[String]) -> io::Result<Self> {
        let files = PREPARED.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
        let framed = |origins: String| policy(settings, &origins);
        let framed = (!embed_origins.is_empty()).then(|| framed(embed_origins.join(" ")));
        Ok(Self { files, policy: policy(settings, "'none'"), framed })
    }

    /// The page itself, for every URL at which it shows something.
    pub(super) fn index(&self, request: &HttpRequest) -> HttpResponse {
        self.file(request, INDEX).unwrap_or_else(|| HttpResponse::NotFound().finish())
    }

    /// The page itself, at a URL that configured pages of other sites may show in a frame.
    pub(super) fn framed(&self, request: &HttpRequest) -> HttpResponse {
        let mut response = self.index(request);
        if let Some(policy) = self.framed.as_deref().and_then(|policy| HeaderValue::from_str(policy).ok()) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
            frames::mark(&mut response);
        }
        response
    }

    /// A file of the page; `None` if there is none with this name.
    pub(super) fn file(&self, request: &HttpRequest, name: &str) -> Option<HttpResponse> {
        let file = self.files.iter().find(|file| file.name == name)?;
        let packed = takes_gzip(request);
        // The compressed and the uncompressed file differ, so they need different tags.
        let tag = EntityTag::new_strong(format!("{}{}", file.hash, if packed { "-gz" } else { "" }));
        let known = is_known(request, &tag);
        let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
        response
            .insert_header(ETag(tag))
            .insert_header((header::VARY, "accept, accept-encoding"))
            // Browsers revalidate each time, and get 304 as long as the program is the same.
            .insert_header((header::CACHE_CONTROL, "no-cache"))
            .insert_header((header::CONTENT_SECURITY_POLICY, self.policy.as_str()));
        if known {
            return Some(response.finish());
        }
        response.content_type(file.kind);
        Some(match packed {
            true => response.insert_header((header::CONTENT_ENCODING, "gzip")).body(file.packed.clone()),
            false => response.body(file.plain.clone()),
        })
    }
}

impl Prepared {
    fn new((name, kind, plain): File) -> io::Result<Self> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::best());
        packer.write_all(plain)?;
        let packed = Bytes::from(packer.finish()?);
        let hash = Uuid::new_v5(&Uuid::NAMESPACE_OID, plain).simple().to_string();
        Ok(Self { name, kind, plain: Bytes::from_static(plain), packed, hash })
    }
}

/// The content security policy: nothing from elsewhere except what is configured.
fn policy(settings: &PageSettings, frame_ancestors: &str) -> String {
    let PageSettings { tiles, pictures, .. } = settings;
    let mut images = "'self' data: blob:".to_owned();
    let recordings = if *pictures { "'self' https:" } else { "'self'" };
    if let Some(tiles) = tiles {
        images.push_str(&format!(" {}", tiles.origin));
    }
    if *pictures {
        images.push_str(" https:");
    }
    format!(
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src {images}; media-src {recordings}; connect-src 'self'; object-src 'none'; \
         base-uri 'none'; form-action 'self'; frame-ancestors {frame_ancestors}"
    )
}

/// Whether the client accepts gzip and does not prefer the uncompressed form.
fn takes_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get_all(header::ACCEPT_ENCODING).filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_none_or(|weight| weight > 0.0)
    })
}

/// Whether the client already has this form of the file.
pub(super) fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => request.headers().contains_key(header::IF_NONE_MATCH),
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}

/// Whether a browser requests a page to show.
pub(super) fn wants_html(request: &HttpRequest) -> bool {
    let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TilesSettings;
    use actix_web::body::to_bytes;
    use actix_web::http::StatusCode;
    use actix_web::test::TestRequest;
    use std::collections::BTreeSet;
    use std::io::Read;

    const PLAIN: PageSettings =
        PageSettings { tiles: None, tiles_attribution: String::new(), pictures: false };

    #[test]
    fn every_file_of_the_page_is_in_the_table() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/dist");
        let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let there: BTreeSet<String> = std::fs::read_dir(folder).unwrap().map(name).collect();
        let listed: BTreeSet<String> = FILES.iter().map(|(name, _, _)| (*name).to_owned()).collect();
        assert_eq!(there, listed);
    }

    #[test]
    fn only_what_is_configured_may_be_loaded_from_elsewhere() {
        let images = |settings: &PageSettings| {
            let policy = policy(settings, "'none'");
            let images = policy.split("; ").find_map(|part| part.strip_prefix("img-src ")).unwrap();
            images.to_owned()
        };
        assert_eq!(images(&PLAIN), "'self' data: blob:");
        let policy = |settings: &PageSettings| policy(settings, "'none'");
        assert!(!policy(&PLAIN).contains("http") && !policy(&PLAIN).contains("unsafe"));
        let tiles = TilesSettings {
            url: "https://tiles.example/{z}/{x}/{y}.png".to_owned(),
            origin: "https://tiles.example".to_owned(),
        };
        let all = PageSettings { tiles: Some(tiles), tiles_attribution: "Maps".to_owned(), pictures: true };
        assert_eq!(images(&all), "'self' data: blob: https://tiles.example https:");
        assert!(
            policy(&all).contains("; media-src 'self' https:;")
                && policy(&PLAIN).contains("; media-src 'self';")
        );
    }

    #[tokio::test]
    async fn files_come_packed_to_those_who_take_it_and_once_to_those_who_have_them() {
        let page = Page::new(&PLAIN, &[]).unwrap();
        let ask = |headers: &[(&'static str, String)]| {
            let mut request = TestRequest::default();
            for (name, value) in headers {
                request = request.insert_header((*name, value.as_str()));
            }
            page.file(&request.to_http_request(), "app.js").unwrap()
        };
        let plain = ask(&[]);
        let tag = plain.headers().get("etag").unwrap().to_str().unwrap().to_owned();
        let packed = ask(&[("accept-encoding", "br, gzip;q=0.5".to_owned())]);
        assert_eq!(packed.headers().get("content-encoding").unwrap(), "gzip");
        assert_ne!(packed.headers().get("etag").unwrap().to_str().unwrap(), tag);
        let (plain, packed) = (to_bytes(plain.into_body()).await, to_bytes(packed.into_body()).await);
        let (plain, packed) = (plain.ok().unwrap(), packed.ok().unwrap());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain && packed.len() < plain.len());
        assert_eq!(ask(&[("if-none-match", tag)]).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(ask(&[("if-none-match", "\"other\"".to_owned())]).status(), StatusCode::OK);
        assert!(
            ask(&[("accept-encoding", "gzip;q=0".to_owned())]).headers().get("content-encoding").is_none()
        );
        assert!(page.file(&TestRequest::default().to_http_request(), "../page.rs").is_none());
    }
}
