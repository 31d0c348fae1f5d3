//! Requests with a form as their body: a question as sent by evaluation platforms, not by pages of other sites.
//!
//! GERBIL QA joins `query=`, the question, `&lang=` and the language without encoding any of it, and names two character sets
//! in its `Content-Type`. A body with a space or a non-ASCII character cannot be an encoded form, so it is taken literally;
//! everything else is decoded according to the standard.

use super::body;
use super::dto::ValidationError;
use super::error::ApiError;
use super::post::{MAX_BYTES, may_ask};
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::future::LocalBoxFuture;
use url::form_urlencoded;

/// The only content type accepted here.
const FORM: &str = "application/x-www-form-urlencoded";
/// The field of the question.
const QUERY: &str = "query=";
/// The field of the language.
const LANG: &str = "lang=";
/// Maximum length of a language tag; anything longer is ignored.
const MAX_TAG: usize = 35;

/// A question in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PostedQuestion {
    /// The question.
    pub(super) query: String,
    /// The tag of its language.
    pub(super) lang: Option<String>,
}

impl FromRequest for PostedQuestion {
    type Error = ApiError;
    type Future = LocalBoxFuture<'static, Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, mut payload) = (request.clone(), payload.take());
        Box::pin(async move {
            may_ask(&request)?;
            if !request.content_type().eq_ignore_ascii_case(FORM) {
                return Err(ApiError::NotForm);
            }
            read(&body::whole(&request, &mut payload, MAX_BYTES).await?).ok_or_else(missing)
        })
    }
}

fn missing() -> ApiError {
    let message = "expected the fields 'query' and 'lang' of a form";
    ApiError::Parameters(vec![ValidationError::of_body(&["query"], message, "missing")])
}

fn read(body: &[u8]) -> Option<PostedQuestion> {
    let body = body.trim_ascii_end();
    let plain = body.iter().any(|byte| !byte.is_ascii_graphic());
    let found = match std::str::from_utf8(body) {
        Ok(text) if plain => as_it_is(text),
        Ok(_) | Err(_) => decoded(body),
    };
    found.filter(|found| !found.query.trim().is_empty())
}

/// A question may contain an ampersand, a language cannot: the language is the last field, unless it is the first.
fn as_it_is(text: &str) -> Option<PostedQuestion> {
    let (query, lang) = match (text.strip_prefix(QUERY), text.strip_prefix(LANG)) {
        (Some(rest), _) => rest.rsplit_once(&format!("&{LANG}")).unwrap_or((rest, "")),
        (None, Some(rest)) => rest.split_once(&format!("&{QUERY}")).map(|(lang, query)| (query, lang))?,
        (None, None) => return None,
    };
    Some(PostedQuestion { query: query.to_owned(), lang: tag(lang) })
}

fn decoded(body: &[u8]) -> Option<PostedQuestion> {
    let field = |name: &str| {
        let values = form_urlencoded::parse(body).filter(|(known, _)| known == name);
        values.last().map(|(_, value)| value.into_owned())
    };
    Some(PostedQuestion { query: field("query")?, lang: field("lang").as_deref().and_then(tag) })
}

fn tag(lang: &str) -> Option<String> {
    Some(lang.trim().to_owned()).filter(|lang| (1..=MAX_TAG).contains(&lang.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn question(body: &str) -> Option<(String, Option<String>)> {
        read(body.as_bytes()).map(|PostedQuestion { query, lang }| (query, lang))
    }

    fn asked(query: &str, lang: &str) -> Option<(String, Option<String>)> {
        Some((query.to_owned(), Some(lang.to_owned())))
    }

    #[test]
    fn a_body_that_is_not_encoded_is_read_as_it_is() {
        assert_eq!(
            question("query=Who owns AT&T, and 50% of C++?&lang=en"),
            asked("Who owns AT&T, and 50% of C++?", "en")
        );
        assert_eq!(question("query=首都是哪里？&lang=zh"), asked("首都是哪里？", "zh"));
        assert_eq!(question("query=What is a&lang=b?&lang=en"), asked("What is a&lang=b?", "en"));
        assert_eq!(question("lang=en&query=Who is it & why?\n"), asked("Who is it & why?", "en"));
        assert_eq!(question("query=Who is it?"), Some(("Who is it?".to_owned(), None)));
    }

    #[test]
    fn an_encoded_form_is_decoded() {
        assert_eq!(question("query=Wer+kauft+%C3%96l%3F&lang=de"), asked("Wer kauft Öl?", "de"));
        assert_eq!(question("lang=en&query=AT%26T"), asked("AT&T", "en"));
        assert_eq!(question("query=AT%26T&lang=en\r\n"), asked("AT&T", "en"));
        assert_eq!(question("query=correct&lang="), Some(("correct".to_owned(), None)));
    }

    #[test]
    fn a_form_without_a_question_is_none() {
        for body in ["", "lang=en", "query=&lang=en", "query= &lang=en", "question=Who is it?"] {
            assert_eq!(question(body), None, "{body}");
        }
    }

    proptest! {
        #[test]
        fn any_question_comes_through_in_both_ways(text in "\\PC{0,20} \\PC{0,20}x", lang in "[a-z]{2}") {
            let encoded = form_urlencoded::Serializer::new(String::new())
                .append_pair("query", &text).append_pair("lang", &lang).finish();
            prop_assert_eq!(question(&encoded), asked(&text, &lang));
            prop_assert_eq!(question(&format!("query={text}&lang={lang}")), asked(&text, &lang));
        }

        #[test]
        fn any_bytes_are_read_without_a_fault(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _read = read(&bytes);
        }
    }
}
