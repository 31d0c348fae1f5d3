//! Whether a request is addressed to this service. A web page can point a domain name of its own to an address inside its
//! reader's network ("DNS rebinding"); the browser then treats the service there as part of that page. The host name of
//! the request reveals this.
//!
//! A request is handled only if it uses one of the service's own names. Test: `tests/hosts.rs`.

use super::App;
use super::error::ApiError;
use crate::config::{AllowedHosts, Authority, ServerSettings};
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Version, header};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest, ResponseError};
use url::Host;

/// Default ports of the two schemes, which URLs may leave out.
const DEFAULT_PORTS: [u16; 2] = [80, 443];

/// The names of this service, in addition to its addresses and `localhost`.
pub(super) struct HostNames {
    allowed: AllowedHosts,
    own: Option<Host>,
}

impl HostNames {
    pub(super) fn new(settings: &ServerSettings) -> Self {
        let own = Authority::parse(&settings.host).map(|own| own.host);
        Self { allowed: settings.allowed_hosts.clone(), own }
    }

    /// Accepts a request that is addressed to this service.
    ///
    /// # Errors
    /// `BadHost` when the host is missing or ambiguous, `UnknownHost` when it is another one.
    fn check(&self, request: &HttpRequest) -> Result<(), ApiError> {
        match named(request)? {
            Some(asked) if !self.holds(&asked) => Err(ApiError::UnknownHost(asked.host.to_string())),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether an origin has a configured name; if any name is allowed, none is known to be this service's.
    pub(super) fn is_configured(&self, page: &Authority) -> bool {
        match &self.allowed {
            AllowedHosts::Any => false,
            AllowedHosts::These(hosts) => hosts.iter().any(|allowed| fits(allowed, page)),
        }
    }

    fn holds(&self, asked: &Authority) -> bool {
        let Host::Domain(name) = &asked.host else {
            // A request to an IP address cannot be the result of DNS rebinding.
            return true;
        };
        let is_local = name == "localhost" || name.ends_with(".localhost");
        is_local
            || self.own.as_ref() == Some(&asked.host)
            || match &self.allowed {
                AllowedHosts::Any => true,
                AllowedHosts::These(hosts) => hosts.iter().any(|allowed| fits(allowed, asked)),
            }
    }
}

fn fits(allowed: &Authority, asked: &Authority) -> bool {
    let same_port = match (allowed.port, asked.port) {
        (None, _) => true,
        (Some(port), None) => DEFAULT_PORTS.contains(&port),
        (Some(port), Some(asked)) => port == asked,
    };
    allowed.host == asked.host && same_port
}

/// The host of a request, by [RFC 9112, section 3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2): one Host header
/// line, optional in HTTP/1.0; if the target is an absolute URL, its host takes precedence.
pub(super) fn named(request: &HttpRequest) -> Result<Option<Authority>, ApiError> {
    let mut lines = request.headers().get_all(header::HOST);
    let line = lines.next();
    if lines.next().is_some() {
        return Err(ApiError::BadHost("has several Host headers"));
    }
    let line = line.map(|line| line.to_str().ok().and_then(Authority::parse));
    let target = request.uri().authority().map(|target| Authority::parse(target.as_str()));
    match (line, target) {
        (Some(None), _) | (_, Some(None)) => Err(ApiError::BadHost("names a host that cannot be read")),
        (None, None) if request.version() > Version::HTTP_10 => Err(ApiError::BadHost("has no Host header")),
        (None, Some(_)) if request.version() == Version::HTTP_11 => {
            Err(ApiError::BadHost("has no Host header"))
        }
        (_, Some(target)) => Ok(target),
        (line, None) => Ok(line.flatten()),
    }
}

/// Refuses requests that are not addressed to this service, before anything else is done.
pub(super) async fn only_own_names<B: MessageBody>(
    app: Data<App>,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    match app.names.check(request.request()) {
        Ok(()) => next.call(request).await.map(ServiceResponse::map_into_left_body),
        Err(error) => {
            tracing::debug!(%error, "refused");
            Ok(request.into_response(error.error_response()).map_into_right_body())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    fn status(names: &HostNames, request: TestRequest) -> u16 {
        names.check(&request.to_http_request()).map_or_else(|error| error.status_code().as_u16(), |()| 200)
    }

    fn names(own: &str, allowed: &[&str]) -> HostNames {
        let allowed = allowed.iter().map(|name| Authority::parse(name).unwrap()).collect();
        HostNames { allowed: AllowedHosts::These(allowed), own: Authority::parse(own).map(|own| own.host) }
    }

    #[test]
    fn addresses_localhost_and_configured_names_are_its_own() {
        let names = names("Own.example", &["eruca", "port.example:8443", "plain.example:80"]);
        let cases = [
            ("127.0.0.1:8080", 200),
            ("203.0.113.7", 200),
            ("[::1]:8080", 200),
            ("LOCALHOST", 200),
            ("app.localhost.:1", 200),
            ("own.example:1", 200),
            ("eruca", 200),
            ("ERUCA.:8080", 200),
            ("port.example:8443", 200),
            ("plain.example", 200),
            ("port.example", 421),
            ("port.example:8080", 421),
            ("evil.example", 421),
            ("eruca.evil.example", 421),
            ("localhost.evil.example", 421),
            ("notlocalhost", 421),
            ("127.0.0.1.evil.example", 421),
            ("", 400),
            ("user@localhost", 400),
            ("localhost, evil.example", 400),
        ];
        for (host, expected) in cases {
            let request = TestRequest::get().insert_header((header::HOST, host));
            assert_eq!(status(&names, request), expected, "{host}");
        }
        let any = HostNames { allowed: AllowedHosts::Any, own: None };
        assert_eq!(status(&any, TestRequest::get().insert_header((header::HOST, "evil.example"))), 200);
    }

    #[test]
    fn what_a_request_names_follows_the_standard() {
        let names = names("127.0.0.1", &[]);
        let host = |host| TestRequest::get().insert_header((header::HOST, host));
        assert_eq!(status(&names, TestRequest::get()), 400, "HTTP/1.1 must name a host");
        assert_eq!(status(&names, TestRequest::get().version(Version::HTTP_10)), 200, "HTTP/1.0 need not");
        assert_eq!(status(&names, host("evil.example").version(Version::HTTP_10)), 421);
        assert_eq!(status(&names, host("localhost").append_header((header::HOST, "localhost"))), 400);
        assert_eq!(
            status(&names, host("localhost").uri("http://evil.example/docs")),
            421,
            "the target counts"
        );
        assert_eq!(status(&names, host("evil.example").uri("http://localhost/docs")), 200);
        assert_eq!(status(&names, host("localhost").uri("http://user@localhost/docs")), 400);
        assert_eq!(
            status(&names, TestRequest::get().uri("http://localhost/docs")),
            400,
            "Host is needed even so"
        );
    }
}
