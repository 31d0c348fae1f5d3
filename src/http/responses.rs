//! Responses being sent: their memory is bounded, per client and in total, however slowly they are read.
//!
//! A body is passed on in portions, so that unread parts stay in the body, where they are counted, and not in a connection's
//! buffer. Short bodies are not counted: there are no more of them than connections. Clients that read nothing are
//! disconnected by [`super::listen`], and those that read too slowly here. Rows that several clients read at once are in
//! memory once. Uses the gate to identify clients.
//!
//! Tests: `tests`, `tests/responses.rs`.

use super::App;
use super::error::ApiError;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, ResponseError};
use eruca_sparql::Answer;
use std::collections::{BTreeMap, HashMap};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// Maximum memory of all responses.
const MOST: usize = 256 << 20;
/// Maximum memory of the responses to one client.
const EACH: usize = 128 << 20;
/// A body, or a piece of a stream, of up to this size is not counted.
const FREE: usize = 64 << 10;
/// Size of the portions of a body that are passed to the connection.
const PORTION: usize = 16 << 10;
/// How long a client may delay a response, and the number of bytes for which it gets one more second.
const PATIENCE: Duration = Duration::from_secs(60);
const BYTES_A_SECOND: u64 = 4 << 10;
/// The memory that rows use, as a multiple of [`Answer::kept_bytes`].
const TIMES: usize = 3;
/// Memory of a name in addition to its text.
const NAME_BYTES: usize = 100;
/// How long rows are shared with other readers before they are read from the endpoint again.
const SHARED_FOR: Duration = Duration::from_secs(60);

/// Memory used by the responses being sent.
#[derive(Default)]
pub(super) struct Responses {
    taken: Mutex<HashMap<String, usize>>,
    rows: Mutex<HashMap<RowsKey, (Instant, Weak<SharedRows>)>>,
}

/// Identifies the rows of a query over a dataset, optionally with names in a reader's language.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct RowsKey {
    pub(super) dataset: String,
    pub(super) query: String,
    pub(super) names_in: Option<String>,
    /// What the readers see of the dataset.
    pub(super) seal: String,
}

/// Rows being sent, shared by all clients that read them.
pub(super) struct SharedRows {
    pub(super) answer: Arc<Answer>,
    pub(super) names: Option<Arc<BTreeMap<String, String>>>,
    _share: Share,
}

/// The client whose responses are counted.
#[derive(Clone)]
pub(super) struct Account {
    responses: Arc<Responses>,
    client: String,
}

/// Memory that is reserved until this is dropped.
pub(super) struct Share {
    account: Account,
    bytes: usize,
}

impl Responses {
    /// The rows, if another client is reading them.
    pub(super) fn shared(&self, key: &RowsKey) -> Option<Arc<SharedRows>> {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let (read, rows) = rows.get(key)?;
        rows.upgrade().filter(|_| read.elapsed() < SHARED_FOR)
    }

    /// Shares these rows with other readers as long as they are being read.
    pub(super) fn share(
        &self,
        key: RowsKey,
        answer: Arc<Answer>,
        names: Option<BTreeMap<String, String>>,
        share: Share,
    ) -> Arc<SharedRows> {
        let shared = Arc::new(SharedRows { answer, names: names.map(Arc::new), _share: share });
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.retain(|_, (_, rows)| rows.strong_count() > 0);
        rows.insert(key, (Instant::now(), Arc::downgrade(&shared)));
        shared
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Account {
    /// The account of the client that sent this request.
    pub(super) fn of(app: &App, request: &HttpRequest) -> Self {
        Self { responses: app.responses.clone(), client: app.gate.client(request) }
    }

    /// Reserves memory. A single response always gets it if there are no others, whatever its size.
    ///
    /// # Errors
    /// `ResponsesFull` when the responses have reached a limit.
    pub(super) fn take(&self, bytes: usize) -> Result<Share, ApiError> {
        let mut share = Share { account: self.clone(), bytes: 0 };
        share.grow(bytes).map(|()| share)
    }

    /// Reserves the memory for rows.
    ///
    /// # Errors
    /// Those of [`Self::take`].
    pub(super) fn take_rows(&self, answer: &Answer) -> Result<Share, ApiError> {
        self.take(answer.kept_bytes().saturating_mul(TIMES))
    }
}

impl Share {
    /// Reserves more memory.
    ///
    /// # Errors
    /// Those of [`Account::take`].
    fn grow(&mut self, bytes: usize) -> Result<(), ApiError> {
        if bytes == 0 {
            return Ok(());
        }
        let Account { responses, client } = &self.account;
        let mut taken = responses.taken();
        let (all, own) = (taken.values().sum::<usize>(), taken.get(client).copied().unwrap_or_default());
        let fits = |held: usize, most: usize| held == self.bytes || held.saturating_add(bytes) <= most;
        if !fits(all, MOST) || !fits(own, EACH) {
            return Err(ApiError::ResponsesFull);
        }
        taken.insert(client.clone(), own.saturating_add(bytes));
        self.bytes = self.bytes.saturating_add(bytes);
        Ok(())
    }

    /// Reserves the memory for names.
    ///
    /// # Errors
    /// Those of [`Account::take`].
    pub(super) fn grow_by_names(&mut self, names: &BTreeMap<String, String>) -> Result<(), ApiError> {
        self.grow(names.iter().map(|(iri, name)| iri.len() + name.len() + NAME_BYTES).sum())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.bytes == 0 {
            return;
        }
        let mut taken = self.account.responses.taken();
        let left = taken.get(&self.account.client).copied().unwrap_or_default().saturating_sub(self.bytes);
        match left {
            0 => drop(taken.remove(&self.account.client)),
            left => drop(taken.insert(self.account.client.clone(), left)),
        }
    }
}

/// Counts the memory of a response, and refuses one that exceeds the limit.
pub(super) async fn bounded(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let account = request.app_data::<Data<App>>().map(|app| Account::of(app, request.request()));
    let response = next.call(request).await?.map_into_boxed_body();
    let Some(account) = account else { return Ok(response) };
    let whole = match response.response().body().size() {
        BodySize::Sized(bytes) => usize::try_from(bytes).unwrap_or(usize::MAX),
        BodySize::None | BodySize::Stream => 0,
    };
    let share = match account.take(if whole > FREE { whole } else { 0 }) {
        Ok(share) => share,
        Err(full) => return Ok(response.into_response(full.error_response())),
    };
    Ok(response.map_body(|_, body| Portioned::new(body, share).boxed()))
}

/// A body in portions, counted until all of it has been passed on.
struct Portioned {
    body: BoxBody,
    /// The shares of the whole body, and of the current piece.
    share: Share,
    portions: Option<(Bytes, Option<Share>)>,
    /// When the last portion was passed on, and how long the client has delayed the following ones in total.
    taken: Option<Instant>,
    waited: Duration,
    sent: u64,
}

impl Portioned {
    fn new(body: BoxBody, share: Share) -> Self {
        Self { body, share, portions: None, taken: None, waited: Duration::ZERO, sent: 0 }
    }

    /// Whether the client reads too slowly, not counting the time until the body itself is ready.
    fn is_too_slow(&mut self) -> bool {
        self.waited += self.taken.take().map_or(Duration::ZERO, |taken| taken.elapsed());
        self.waited > PATIENCE + Duration::from_secs(self.sent / BYTES_A_SECOND)
    }

    /// The next portion of a piece.
    fn portion(&mut self, mut piece: Bytes, share: Option<Share>) -> Bytes {
        let portion = piece.split_to(piece.len().min(PORTION));
        if !piece.is_empty() {
            self.portions = Some((piece, share));
        }
        self.sent = self.sent.saturating_add(portion.len() as u64);
        self.taken = Some(Instant::now());
        portion
    }
}

impl MessageBody for Portioned {
    type Error = actix_web::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.is_too_slow() {
            return Poll::Ready(Some(Err(actix_web::error::ErrorRequestTimeout(
                "the response is read too slowly",
            ))));
        }
        if let Some((piece, share)) = self.portions.take() {
            return Poll::Ready(Some(Ok(self.portion(piece, share))));
        }
        match Pin::new(&mut self.body).poll_next(cx) {
            Poll::Ready(Some(Ok(piece))) => {
                // The sizes of a stream's pieces are not known in advance.
                let counted = piece.len() > FREE && self.body.size() == BodySize::Stream;
                let share =
                    if counted { Some(self.share.account.take(piece.len())).transpose() } else { Ok(None) };
                Poll::Ready(Some(share.map(|share| self.portion(piece, share)).map_err(Into::into)))
            }
            Poll::Ready(Some(Err(error))) => {
                Poll::Ready(Some(Err(actix_web::error::ErrorInternalServerError(error))))
            }
            Poll::Ready(None) => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::BodyStream;
    use eruca_sparql::Results;
    use futures_util::{FutureExt, StreamExt, stream};
    use std::convert::Infallible;

    fn account(responses: &Arc<Responses>, client: &str) -> Account {
        Account { responses: responses.clone(), client: client.to_owned() }
    }

    #[test]
    fn one_client_cannot_take_all_and_what_is_over_is_free_again() {
        let responses = Arc::new(Responses::default());
        let (one, other, third) =
            (account(&responses, "a"), account(&responses, "b"), account(&responses, "c"));
        let first = one.take(EACH - 10).unwrap();
        assert!(matches!(one.take(11), Err(ApiError::ResponsesFull)));
        let _second = other.take(EACH).unwrap();
        let rest = third.take(10).unwrap();
        assert!(third.take(1).is_err() && rest.bytes == 10, "all together");
        drop(first);
        let mut again = one.take(5).unwrap();
        assert!(again.grow(EACH - 5 - 10).is_ok() && again.grow(11).is_err());
        drop((again, rest, _second));
        assert!(responses.taken().is_empty());
        assert!(one.take(3 * MOST).is_ok(), "one alone");
        assert!(responses.taken().is_empty());
    }

    #[test]
    fn rows_are_shared_while_somebody_reads_them() {
        let responses = Arc::new(Responses::default());
        let key =
            RowsKey { dataset: "d".to_owned(), query: "q".to_owned(), names_in: None, seal: String::new() };
        let answer = Answer { results: Results::Boolean(true), incomplete: None, elapsed: Duration::ZERO };
        let share = account(&responses, "a").take_rows(&answer).unwrap();
        assert!(responses.shared(&key).is_none());
        let rows = responses.share(key.clone(), answer.into(), None, share);
        assert!(responses.shared(&key).is_some_and(|shared| Arc::ptr_eq(&shared, &rows)));
        let named = RowsKey { names_in: Some("en".to_owned()), ..key.clone() };
        assert!(responses.shared(&named).is_none());
        drop(rows);
        assert!(responses.shared(&key).is_none() && responses.taken().is_empty());
    }

    fn sent(responses: &Arc<Responses>, body: BoxBody) -> Portioned {
        Portioned::new(body, account(responses, "a").take(0).unwrap())
    }

    fn next(body: &mut Portioned) -> Option<Result<Bytes, actix_web::Error>> {
        std::future::poll_fn(|cx| Pin::new(&mut *body).poll_next(cx)).now_or_never().unwrap()
    }

    #[test]
    fn bodies_come_in_portions_and_are_whole() {
        let responses = Arc::new(Responses::default());
        let pieces = [3 * PORTION + 5, 7, FREE + 1].map(|length| Bytes::from(vec![b'x'; length]));
        let lengths: usize = pieces.iter().map(Bytes::len).sum();
        let pieces = stream::iter(pieces.map(Ok::<_, Infallible>));
        let mut body = sent(&responses, BodyStream::new(pieces).boxed());
        let (mut read, mut counted) = (0, false);
        while let Some(portion) = next(&mut body) {
            let portion = portion.unwrap();
            assert!(portion.len() <= PORTION);
            read += portion.len();
            counted |= responses.taken().get("a").is_some_and(|taken| *taken == FREE + 1);
        }
        assert!(read == lengths && counted, "{read} of {lengths}");
        drop(body);
        assert!(responses.taken().is_empty());
    }

    #[test]
    fn who_takes_too_little_is_let_go_and_who_waits_for_the_body_is_not() {
        let responses = Arc::new(Responses::default());
        let mut body = sent(&responses, Bytes::from(vec![b'x'; 20 * PORTION]).boxed());
        assert!(next(&mut body).unwrap().is_ok());
        body.waited = PATIENCE + Duration::from_secs(PORTION as u64 / BYTES_A_SECOND / 2);
        assert!(next(&mut body).unwrap().is_ok(), "what was taken earns time");
        body.waited += PATIENCE;
        assert!(next(&mut body).unwrap().is_err());

        let events = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"event"))]);
        let mut body = sent(&responses, BodyStream::new(events.chain(stream::pending())).boxed());
        assert!(next(&mut body).unwrap().is_ok() && body.taken.is_some());
        let waits = std::future::poll_fn(|cx| Pin::new(&mut body).poll_next(cx)).now_or_never();
        assert!(waits.is_none() && body.taken.is_none(), "from now on the client waits");
    }

    #[test]
    fn a_stream_breaks_off_where_there_is_no_room() {
        let responses = Arc::new(Responses::default());
        let _full = account(&responses, "a").take(EACH).unwrap();
        let piece = Bytes::from(vec![b'x'; FREE + 1]);
        let mut body = sent(&responses, BodyStream::new(stream::iter([Ok::<_, Infallible>(piece)])).boxed());
        assert!(next(&mut body).unwrap().is_err());
    }
}
