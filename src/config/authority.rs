//! A host with an optional port, as used in settings and requests. Uses url and serde alone.

use serde::Deserialize;
use url::Host;

/// A host, by name or address, with an optional port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// The host; names are in lower case and without a trailing dot.
    pub host: Host,
    /// The port.
    pub port: Option<u16>,
}

impl Authority {
    /// Parses `HOST` or `HOST:PORT` of [RFC 3986, section 3.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2), without
    /// user information. Hosts are parsed as browsers do.
    pub fn parse(text: &str) -> Option<Self> {
        let (host, port) = match text.rfind(':') {
            // A colon inside brackets belongs to an IPv6 address.
            Some(colon) if !text.ends_with(']') => text.split_at(colon),
            _ => (text, ""),
        };
        let port = match port.strip_prefix(':').unwrap_or_default() {
            "" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse().ok()?),
            _ => return None,
        };
        let host = match Host::parse(host).ok()? {
            Host::Domain(name) => Host::Domain(name.strip_suffix('.').unwrap_or(&name).to_owned()),
            address => address,
        };
        Some(Self { host, port }).filter(|read| read.host != Host::Domain(String::new()))
    }
}

/// The names accepted for the service, beside its addresses and `localhost`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub enum AllowedHosts {
    /// Any name.
    Any,
    /// These names; one without a port is accepted with any port.
    These(Vec<Authority>),
}

impl TryFrom<Vec<String>> for AllowedHosts {
    type Error = &'static str;

    fn try_from(names: Vec<String>) -> Result<Self, Self::Error> {
        if names.iter().any(|name| name == "*") {
            return Ok(Self::Any);
        }
        let read: Option<Vec<Authority>> = names.iter().map(|name| Authority::parse(name)).collect();
        read.map(Self::These).ok_or(
            "must hold names like \"eruca.example.org\" or \"eruca:8080\" (no https://, no path) or \"*\"",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<(String, Option<u16>)> {
        Authority::parse(text).map(|read| (read.host.to_string(), read.port))
    }

    #[test]
    fn hosts_are_read_with_and_without_ports() {
        let cases = [
            ("localhost", "localhost", None),
            ("Eruca.Example.:8080", "eruca.example", Some(8080)),
            ("eruca:", "eruca", None),
            ("127.0.0.1:80", "127.0.0.1", Some(80)),
            ("[::1]", "[::1]", None),
            ("[::1]:8080", "[::1]", Some(8080)),
            ("bücher.example", "xn--bcher-kva.example", None),
        ];
        for (text, host, port) in cases {
            assert_eq!(read(text), Some((host.to_owned(), port)), "{text}");
        }
    }

    #[test]
    fn what_is_no_host_is_not_read() {
        for text in
            ["", ":80", ".", "a b", "a/b", "user@host", "a:b", "a:70000", "a:+8", "::1", "[::1", "a:1:2"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_fault(text in "\\PC{0,20}(:[0-9]{0,6})?") {
            if let Some(read) = Authority::parse(&text) {
                prop_assert_eq!(Authority::parse(&read.host.to_string()).unwrap().host, read.host);
            }
        }
    }
}
