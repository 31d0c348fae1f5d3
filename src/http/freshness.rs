//! How long a result may be kept by who has read it, and whether they have it already.

use super::page::is_known;
use actix_web::http::header::{
    self, CacheControl, CacheDirective, ETag, EntityTag, Header, HeaderMap, HttpDate, IfModifiedSince,
    LastModified, TryIntoHeaderValue,
};
use actix_web::{HttpRequest, HttpResponse};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, SystemTime};

/// A result's age and identity.
pub(super) struct Freshness {
    tag: EntityTag,
    made_at: SystemTime,
    fresh: Duration,
    is_private: bool,
}

impl Freshness {
    /// Of a result that was made at this time, counts for so long, and is identified by `what`; `is_private` if it needs a key.
    pub(super) fn new(made_at: SystemTime, fresh: Duration, is_private: bool, what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        let tag = EntityTag::new_strong(format!("{:016x}", hasher.finish()));
        Self { tag, made_at, fresh, is_private }
    }

    /// The answer to who has it already.
    pub(super) fn known(&self, request: &HttpRequest) -> Option<HttpResponse> {
        let known = match request.headers().contains_key(header::IF_NONE_MATCH) {
            true => is_known(request, &self.tag),
            false => self.is_seen(request),
        };
        known.then(|| {
            let mut response = HttpResponse::NotModified().finish();
            self.add(response.headers_mut());
            response
        })
    }

    fn is_seen(&self, request: &HttpRequest) -> bool {
        let has = request.headers().contains_key(header::IF_MODIFIED_SINCE);
        let since = IfModifiedSince::parse(request).ok().filter(|_| has);
        // Headers have whole seconds.
        let made_at = SystemTime::from(HttpDate::from(self.made_at));
        since
            .is_some_and(|IfModifiedSince(since)| made_at <= SystemTime::from(since) + Duration::from_secs(1))
    }

    /// Adds its headers to those of a response.
    pub(super) fn add(&self, headers: &mut HeaderMap) {
        let seconds = u32::try_from(self.fresh.as_secs()).unwrap_or(u32::MAX);
        let mut directives = vec![CacheDirective::MaxAge(seconds)];
        if self.is_private {
            directives.insert(0, CacheDirective::Private);
        }
        let values = [
            (header::ETAG, ETag(self.tag.clone()).try_into_value().ok()),
            (header::LAST_MODIFIED, LastModified(self.made_at.into()).try_into_value().ok()),
            (header::CACHE_CONTROL, CacheControl(directives).try_into_value().ok()),
        ];
        for (name, value) in values {
            value.map(|value| headers.insert(name, value));
        }
    }
}
