//! The dialect of one endpoint: named in its settings, or learned from its address and from what it sends.

use super::{ALL, Dialect, Response};
use std::sync::{PoisonError, RwLock};
use url::Url;

/// What is known of an endpoint. Nothing is asked for it: an engine that does not name itself in its results is plain
/// until its first complaint.
#[derive(Debug)]
pub(crate) struct Learned {
    known: RwLock<&'static Dialect>,
    is_named: bool,
}

impl Learned {
    /// The one that was named, or what the address says.
    pub(crate) fn new(named: Option<&'static Dialect>, url: &Url) -> Self {
        let by_address = || ALL.iter().copied().find(|dialect| dialect.is_at(url));
        let known = named.or_else(by_address).unwrap_or(Dialect::plain());
        Self { known: RwLock::new(known), is_named: named.is_some() }
    }

    /// The dialect as far as it is known.
    pub(crate) fn get(&self) -> &'static Dialect {
        *self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Learns from a response. A service may change its engine, so that a later one counts more than an earlier one. What
    /// fits several engines says nothing against the known one; names in headers count more than the ways of bodies.
    /// Gives the engine if another one is known now.
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
