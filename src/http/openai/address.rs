//! The URLs of a run: based on the configured URL, or on the host name that the request used.

use crate::config::Authority;
use crate::http::App;
use crate::service::RunId;
use actix_web::HttpRequest;

/// Where a run is found.
#[derive(Debug, Clone, Default)]
pub(super) struct RunAddress {
    /// Its URL, if the client has told a usable host name.
    pub(super) run: Option<String>,
    /// Whether people see a page there.
    pub(super) has_page: bool,
}

impl RunAddress {
    pub(super) fn of(app: &App, request: &HttpRequest, run: RunId) -> Self {
        let base = app.public_url.clone().or_else(|| called(request, app.tls));
        Self { run: base.map(|base| format!("{base}/runs/{run}")), has_page: app.page.is_some() }
    }

    /// The URL of its page, if the page is served.
    pub(super) fn page(&self) -> Option<&str> {
        self.run.as_deref().filter(|_| self.has_page)
    }
}

/// The base URL used by the client, or by the proxy in front of this service.
fn called(request: &HttpRequest, tls: bool) -> Option<String> {
    let info = request.connection_info();
    let scheme = match info.scheme() {
        "http" if tls => "https",
        scheme @ ("http" | "https") => scheme,
        _ => return None,
    };
    // A header may contain anything; only a host name and port are accepted.
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    Authority::parse(info.host()).filter(|_| info.host().chars().all(plain))?;
    Some(format!("{scheme}://{}", info.host()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn the_address_is_the_one_that_was_called() {
        let of = |headers: &[(&'static str, &'static str)]| {
            let request =
                headers.iter().fold(TestRequest::get(), |request, header| request.insert_header(*header));
            called(&request.to_http_request(), false)
        };
        assert_eq!(of(&[("host", "localhost:8080")]).as_deref(), Some("http://localhost:8080"));
        let proxied = [
            ("host", "eruca:8080"),
            ("x-forwarded-proto", "https"),
            ("x-forwarded-host", "eruca.example.org"),
        ];
        assert_eq!(of(&proxied).as_deref(), Some("https://eruca.example.org"));
        for hostile in ["a/b", "a)b", "a b", "a@b", "<a>"] {
            assert_eq!(of(&[("host", "localhost"), ("x-forwarded-host", hostile)]), None, "{hostile}");
        }
        assert_eq!(of(&[("host", "localhost"), ("x-forwarded-proto", "javascript")]), None);
    }
}
