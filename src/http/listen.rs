//! How connections are accepted: a place, the TLS handshake, then HTTP; and how requests report the state of their connection.
//!
//! Actix's own server offers no hook before the handshake, nor the state of a connection. Uses [`super::connections`].

use super::connections::{Connections, Phase, Place};
use actix_http::HttpService;
use actix_service::{IntoServiceFactory, ServiceFactoryExt, apply_fn_factory, map_config};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{
    AppConfig, Response, Server, Service, ServiceFactory, ServiceRequest, ServiceResponse, fn_service,
};
use actix_web::middleware::Next;
use actix_web::rt::net::TcpStream;
use actix_web::web::Bytes;
use std::fmt::Debug;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsAcceptor;

/// Connections beyond its share that a thread accepts briefly, until others have been closed.
const ARRIVING: usize = 32;
/// Time for the last response of a connection to reach its client.
const LAST_WORDS: Duration = Duration::from_secs(1);

tokio::task_local! {
    /// The place of the connection being served.
    static PLACE: Arc<Place>;
}

/// A byte stream in both directions.
trait Bidirectional: AsyncRead + AsyncWrite + Unpin {}
impl<T: AsyncRead + AsyncWrite + Unpin> Bidirectional for T {}
type Io = Box<dyn Bidirectional>;

/// The byte stream of a connection, which reports to its place whether the client reads.
struct Watched {
    io: Io,
    place: Arc<Place>,
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, into)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.place.takes(written.is_ready());
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        self.place.takes(flushed.is_ready());
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

/// How connections are accepted.
#[derive(Clone)]
pub(super) struct Listening {
    pub(super) connections: Arc<Connections>,
    /// Number of places.
    pub(super) most: usize,
    /// Timeout for a handshake, for a request head, and until the next request.
    pub(super) client_timeout: Duration,
    pub(super) stop_timeout: Duration,
    pub(super) tls: Option<Arc<rustls::ServerConfig>>,
}

/// A server for an application, not running yet.
///
/// # Errors
/// When the system rejects the listener.
pub(super) fn server<F, I, S, B>(
    listening: Listening,
    listener: TcpListener,
    app: F,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<Server>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, actix_http::Request>,
    S: ServiceFactory<actix_http::Request, Config = AppConfig> + 'static,
    S::Error: Into<actix_web::Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>> + 'static,
    B: MessageBody + 'static,
{
    let address = listener.local_addr()?;
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let server = Server::build()
        .workers(workers)
        // More than there are places: a further connection replaces another one.
        .max_concurrent_connections(listening.most / workers + ARRIVING)
        .shutdown_timeout(listening.stop_timeout.as_secs())
        // Actix's default would abort running questions at SIGINT.
        .shutdown_signal(stop);
    let stopping = server.graceful_shutdown_signal();
    let server = server.listen("eruca", listener, move || {
        let app = map_config(app(), |()| AppConfig::default()).map_err(|error| error.into().error_response());
        let http = HttpService::build()
            .keep_alive(listening.client_timeout)
            .client_request_timeout(listening.client_timeout)
            // The rest of a refused body is read meanwhile: closing earlier would deprive the client of the response.
            .client_disconnect_timeout(LAST_WORDS)
            // A request is abandoned if its client has closed the connection. Without this, only the next write would notice.
            .h1_allow_half_closed(false)
            .local_addr(address)
            .h1(app);
        let (entering, patience, stopping) =
            (listening.clone(), 2 * listening.client_timeout, stopping.clone());
        let http =
            apply_fn_factory(http, move |(place, io, peer): (Arc<Place>, Io, SocketAddr), http: &_| {
                let io: Io = Box::new(Watched { io, place: place.clone() });
                let (served, stopping) = (Service::call(http, (io, Some(peer))), stopping.clone());
                async move {
                    tokio::select! {
                        _served = PLACE.scope(place.clone(), served) => {}
                        () = place.lost() => {}
                        () = place.tired(patience) => {}
                        () = async { stopping.notified().await; place.tired(LAST_WORDS).await } => {}
                    }
                    Ok::<_, actix_http::error::DispatchError>(())
                }
            });
        let entered = fn_service(move |stream: TcpStream| entered(entering.clone(), stream));
        entered.map_err(|_refused: Refused| actix_http::error::DispatchError::InternalError).and_then(http)
    })?;
    Ok(server.run())
}

/// A connection that is closed without a response.
struct Refused;

/// A connection with its place, after the handshake if it uses TLS.
async fn entered(listening: Listening, stream: TcpStream) -> Result<(Arc<Place>, Io, SocketAddr), Refused> {
    let peer = stream.peer_addr().map_err(|_| Refused)?;
    let place = listening.connections.enter(Some(peer.ip())).ok_or(Refused)?;
    let Some(tls) = listening.tls else { return Ok((place, Box::new(stream), peer)) };
    let shaken = tokio::select! {
        shaken = TlsAcceptor::from(tls).accept(stream) => shaken.map_err(|_| Refused)?,
        () = place.lost() => return Err(Refused),
        () = tokio::time::sleep(listening.client_timeout) => return Err(Refused),
    };
    Ok((place, Box::new(shaken), peer))
}

/// Tells the connection of a request when handling starts, and when the response is complete.
pub(super) async fn with_place(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let served = Served(current());
    served.now(Phase::Serving);
    let response = next.call(request).await?;
    served.now(Phase::Responding);
    Ok(response.map_body(|_, body| Followed { body: body.boxed(), _served: served }))
}

/// Marks the connection as receiving a body until the returned guard is dropped.
pub(super) fn receiving() -> Receiving {
    let place = current();
    if let Some(place) = &place {
        place.now(Phase::Receiving);
    }
    Receiving(place)
}

pub(super) struct Receiving(Option<Arc<Place>>);

impl Drop for Receiving {
    fn drop(&mut self) {
        if let Some(place) = &self.0 {
            place.now(Phase::Serving);
        }
    }
}

/// The place of the connection whose request is being handled; `None` without a connection, as in tests.
fn current() -> Option<Arc<Place>> {
    PLACE.try_with(Arc::clone).ok()
}

struct Served(Option<Arc<Place>>);

impl Served {
    fn now(&self, phase: Phase) {
        if let Some(place) = &self.0 {
            place.now(phase);
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.now(Phase::Waiting);
    }
}

/// A body at whose end the connection is waiting for its client again.
struct Followed {
    body: BoxBody,
    _served: Served,
}

impl MessageBody for Followed {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(cx)
    }
}
