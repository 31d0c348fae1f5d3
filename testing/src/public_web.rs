//! Public servers under their own names, for a program that is tested from outside: a proxy in this process, to which its
//! environment points, with a certificate for the names. The program takes the stand-ins for the real servers: it applies its
//! limits for public hosts, recognises services by their address, and speaks TLS and HTTP/2.
//!
//! It runs on a thread of its own, because tests wait for programs without leaving theirs to others.

use crate::helpers::install_tls;
use rustls::ServerConfig;
use rustls::pki_types::PrivatePkcs8KeyDer;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// Longest beginning of a request that is read.
const MAX_HEAD: usize = 65_536;

/// What is sent over HTTP/1.1, as Wikimedia does
/// ([seen in 2026](https://github.com/NatLibFi/Skosmos/issues/1911)).
const NO_HTTP1: &str =
    "Please respect our robots policy https://wikitech.wikimedia.org/wiki/Robot_policy (1e30f7b)";

/// The servers, until it is dropped.
pub struct PublicWeb {
    proxy: SocketAddr,
    folder: TempDir,
    shared: Arc<Shared>,
    /// The thread ends when it is dropped.
    _over: tokio::sync::oneshot::Sender<()>,
}

struct Shared {
    hosts: HashMap<String, SocketAddr>,
    acceptor: TlsAcceptor,
    /// The connections, each with its host and whether it speaks HTTP/2.
    connections: Mutex<Vec<(String, bool)>>,
}

impl PublicWeb {
    /// Servers with these names, each with the address of its stand-in, which need not know of TLS.
    pub fn start(hosts: &[(&str, SocketAddr)]) -> Self {
        install_tls();
        let names: Vec<String> = hosts.iter().map(|(name, _)| (*name).to_owned()).collect();
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cert.pem"), made.cert.pem()).unwrap();
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let config = ServerConfig::builder().with_no_client_auth();
        let mut config = config.with_single_cert(vec![made.cert.der().clone()], key.into()).unwrap();
        config.alpn_protocols = ["h2", "http/1.1"].map(|name| name.as_bytes().to_vec()).to_vec();
        let shared = Arc::new(Shared {
            hosts: hosts.iter().map(|(name, address)| ((*name).to_owned(), *address)).collect(),
            acceptor: TlsAcceptor::from(Arc::new(config)),
            connections: Mutex::default(),
        });
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let proxy = listener.local_addr().unwrap();
        let (over, ended) = tokio::sync::oneshot::channel();
        let served = shared.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                tokio::select! {
                    () = serve(TcpListener::from_std(listener).unwrap(), served) => {}
                    _ = ended => {}
                }
            });
        });
        Self { proxy, folder, shared, _over: over }
    }

    /// Lets a program take the stand-ins for the real servers.
    pub fn seen_by<'a>(&self, program: &'a mut Command) -> &'a mut Command {
        let proxy = format!("http://{}", self.proxy);
        program.env("https_proxy", proxy).env("SSL_CERT_FILE", self.folder.path().join("cert.pem"))
    }

    /// A client that takes the stand-ins for the real servers.
    pub fn client(&self) -> reqwest::ClientBuilder {
        let pem = std::fs::read(self.folder.path().join("cert.pem")).unwrap();
        let proxy = reqwest::Proxy::all(format!("http://{}", self.proxy)).unwrap();
        reqwest::Client::builder()
            .proxy(proxy)
            .tls_certs_only([reqwest::Certificate::from_pem(&pem).unwrap()])
    }

    /// Whether each connection to this host so far spoke HTTP/2.
    pub fn spoke_http2(&self, host: &str) -> Vec<bool> {
        let connections = self.shared.connections.lock().unwrap();
        connections.iter().filter(|(name, _)| name == host).map(|(_, http2)| *http2).collect()
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((socket, _)) = listener.accept().await {
        let shared = shared.clone();
        // A connection that breaks is the business of the one who asked.
        tokio::spawn(async move { tunnel(socket, &shared).await.ok() });
    }
}

/// What is behind a `CONNECT`.
async fn tunnel(mut socket: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let head = head(&mut socket).await?;
    let name = head.strip_prefix("CONNECT ").and_then(|rest| rest.split(':').next()).unwrap_or_default();
    let Some(address) = shared.hosts.get(name) else {
        return socket.write_all(b"HTTP/1.1 502 No Such Host\r\nContent-Length: 0\r\n\r\n").await;
    };
    socket.write_all(b"HTTP/1.1 200 Connected\r\n\r\n").await?;
    let mut stream = shared.acceptor.accept(socket).await?;
    let http2 = stream.get_ref().1.alpn_protocol() == Some(b"h2");
    shared.connections.lock().unwrap().push((name.to_owned(), http2));
    if http2 {
        copy_bidirectional(&mut stream, &mut TcpStream::connect(address).await?).await?;
        return Ok(());
    }
    self::head(&mut stream).await?;
    let length = NO_HTTP1.len();
    let reply = format!(
        "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{NO_HTTP1}"
    );
    stream.write_all(reply.as_bytes()).await?;
    stream.shutdown().await
}

/// The first line of a request, whose head is read.
async fn head(stream: &mut (impl AsyncReadExt + Unpin)) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") && bytes.len() < MAX_HEAD {
        bytes.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8_lossy(&bytes).lines().next().unwrap_or_default().to_owned())
}
