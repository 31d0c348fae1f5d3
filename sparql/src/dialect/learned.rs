//! The dialect of one endpoint: set in its settings, or detected from its URL and responses.

use super::{ALL, Dialect, Response};
use std::sync::{PoisonError, RwLock};
use url::Url;

/// What is known of an endpoint. No extra requests are made: an engine that does not identify itself in its results is plain
/// until its first error message.
#[derive(Debug)]
pub(crate) struct Learned {
    known: RwLock<&'static Dialect>,
    is_named: bool,
}

impl Learned {
    /// The dialect from the settings, or the one detected from the URL.
    pub(crate) fn new(named: Option<&'static Dialect>, url: &Url) -> Self {
        let by_address = || ALL.iter().copied().find(|dialect| dialect.is_at(url));
        let known = named.or_else(by_address).unwrap_or(Dialect::plain());
        Self { known: RwLock::new(known), is_named: named.is_some() }
    }

    /// The dialect as currently known.
    pub(crate) fn get(&self) -> &'static Dialect {
        *self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Detects the dialect from a response. A service may change its engine, so later responses override earlier ones. If a response
    /// fits several engines, the known one is kept; headers take precedence over bodies.
    /// Returns the new dialect if it has changed.
    pub(crate) fn hear(&self, response: &Response<'_>) -> Option<&'static Dialect> {
        if self.is_named {
            return None;
        }
        let known = self.get();
        let first = |fits: &dyn Fn(&Dialect) -> bool| {
            if fits(known) { Some(known) } else { ALL.iter().copied().find(|dialect| fits(dialect)) }
        };
        let found = first(&|dialect| dialect.is_named_in(response.headers))
            .or_else(|| first(&|dialect| dialect.wrote(response)));
        let other = found.filter(|found| *found != known)?;
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = other;
        Some(other)
    }
}
