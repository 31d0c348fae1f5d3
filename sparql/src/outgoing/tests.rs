//! Two local servers, one of which redirects.

use super::*;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that records every request, head and body, and answers with the result of `answer` for its path.
struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    async fn start(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let requests = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                let request = request(&mut socket).await;
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                requests.lock().unwrap().push(request);
                let _written = socket.write_all(answer(&path).as_bytes()).await;
            }
        });
        Self { address, seen }
    }

    /// Redirects everything except `/there` to `place`.
    async fn redirecting(status: u16, place: &str) -> Self {
        let place = place.to_owned();
        Self::start(move |path| if path == "/there" { ok() } else { redirect(status, &place) }).await
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn request(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return text;
            }
        }
        match socket.read(&mut buffer).await {
            Ok(count) if count > 0 => bytes.extend_from_slice(&buffer[..count]),
            _ => return text,
        }
    }
}

fn ok() -> String {
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhere".to_owned()
}

fn redirect(status: u16, place: &str) -> String {
    format!("HTTP/1.1 {status} X\r\nLocation: {place}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

fn client() -> Client {
    let _installed = rustls::crypto::ring::default_provider().install_default();
    client_builder().no_proxy().build().unwrap()
}

fn post(url: &str) -> RequestBuilder {
    let body = "query=ASK%7B%7D";
    let typed = client().post(url).header("content-type", "application/x-www-form-urlencoded");
    typed.bearer_auth("token").header("X-Secret-Key", "hush").body(body)
}

const STATUSES: [u16; 5] = [301, 302, 303, 307, 308];

#[tokio::test]
async fn within_an_origin_redirects_are_followed_with_method_body_and_headers() {
    for status in STATUSES {
        for place in ["/there", "there", "?again"] {
            let server = Server::start(move |path| match path {
                "/there" => ok(),
                "/sparql?again" => redirect(status, "/there"),
                _ => redirect(status, place),
            });
            let server = server.await;
            let response = send(post(&server.url("/sparql"))).await.unwrap();
            assert_eq!(read(response, 100).await.unwrap(), (b"here".to_vec(), false));
            let last = server.seen().pop().unwrap();
            let method = if status == 303 { "GET /there" } else { "POST /there" };
            assert!(last.starts_with(method), "{status}: {last}");
            assert_eq!(last.ends_with("query=ASK%7B%7D"), status != 303, "{last}");
            assert_eq!(last.contains("x-www-form-urlencoded"), status != 303, "{last}");
            assert!(last.contains("authorization: Bearer token") && last.contains("x-secret-key: hush"));
            assert!(!last.to_lowercase().contains("referer"), "{last}");
        }
    }
}

#[tokio::test]
async fn names_and_passwords_in_a_place_are_not_used() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = tokio::spawn(send(post(&format!("http://{address}/sparql"))));
    let mut last = String::new();
    for answer in [redirect(307, &format!("http://user:word@{address}/there")), ok()] {
        let (mut socket, _) = listener.accept().await.unwrap();
        last = request(&mut socket).await;
        socket.write_all(answer.as_bytes()).await.unwrap();
    }
    assert!(asked.await.unwrap().is_ok());
    assert!(last.contains("authorization: Bearer token"), "{last}");
}

#[tokio::test]
async fn no_redirect_leads_to_another_origin() {
    let stranger = Server::start(|_| ok()).await;
    let port = stranger.address.port();
    let places = [
        (stranger.url("/there?key=s3cret"), format!("http://127.0.0.1:{port}")),
        (format!("//user:s3cret@127.0.0.1:{port}/"), format!("http://127.0.0.1:{port}")),
        // The same machine, but a different origin.
        (format!("http://localhost:{port}/s3cret"), format!("http://localhost:{port}")),
        (format!("https://127.0.0.1:{port}/"), format!("https://127.0.0.1:{port}")),
        ("file:///etc/s3cret".to_owned(), "a file address".to_owned()),
        (format!("gopher://127.0.0.1:{port}/s3cret"), "a gopher address".to_owned()),
        ("data:text/plain,s3cret".to_owned(), "a data address".to_owned()),
    ];
    for (place, shown) in places {
        for status in STATUSES {
            let server = Server::redirecting(status, &place).await;
            let error = send(post(&server.url("/sparql"))).await.unwrap_err();
            let told = error.to_string();
            assert!(matches!(error, SendError::OtherOrigin { .. }), "{told}");
            assert!(
                told.contains(&format!("another server, {shown},")) && !told.contains("s3cret"),
                "{told}"
            );
            assert_eq!(error.status(), Some(status));
        }
    }
    assert_eq!(stranger.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn loops_end() {
    let server = Server::redirecting(302, "/again").await;
    let error = send(post(&server.url("/again"))).await.unwrap_err();
    assert!(error.to_string().contains("redirects more than 5 times"), "{error}");
    assert_eq!(server.seen().len(), 6);
}

#[tokio::test]
async fn what_names_no_place_is_the_response() {
    for response in
        ["HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 304 X\r\nLocation: /there\r\n\r\n"]
    {
        let server = Server::start(move |_| response.to_owned()).await;
        assert!(send(post(&server.url("/"))).await.unwrap().status().is_redirection());
    }
}

#[tokio::test]
async fn no_more_is_read_than_asked_for() {
    let server = Server::start(|_| ok()).await;
    for (most, expected) in [(4, (b"here".to_vec(), false)), (3, (b"her".to_vec(), true))] {
        let response = send(post(&server.url("/"))).await.unwrap();
        assert_eq!(read(response, most).await.unwrap(), expected);
    }
}

#[tokio::test]
async fn requests_name_the_program_and_its_contact() {
    let server = Server::start(|_| ok()).await;
    // The first client installs the crypto provider.
    let unnamed = client();
    let named = client_builder().user_agent(user_agent(" sparql@example.org ")).no_proxy().build().unwrap();
    for client in [unnamed, named] {
        assert!(send(client.get(server.url("/"))).await.is_ok());
    }
    let version = env!("CARGO_PKG_VERSION");
    let expected = [
        format!("user-agent: eruca/{version}\r"),
        format!("user-agent: eruca/{version} (sparql@example.org)\r"),
    ];
    for (seen, expected) in server.seen().iter().zip(expected) {
        assert!(seen.contains(&expected), "{seen}");
    }
}

#[tokio::test]
async fn a_public_file_is_followed_to_another_origin() {
    let elsewhere = Server::start(|_| ok()).await;
    let server = Server::redirecting(302, &elsewhere.url("/kept?signed=1")).await;
    let request = || client().get(server.url("/file")).header("range", "bytes=2-");
    let response = send_for_public_file(request()).await.unwrap();
    assert_eq!(read(response, 100).await.unwrap(), (b"here".to_vec(), false));
    let seen = elsewhere.seen().pop().unwrap();
    assert!(seen.starts_with("GET /kept?signed=1") && seen.contains("range: bytes=2-"), "{seen}");
    assert!(matches!(send(request()).await, Err(SendError::OtherOrigin { .. })));
}

#[test]
fn a_public_file_stays_encrypted() {
    let url = |text: &str| Url::parse(text).unwrap();
    let may = |from: &str, to: &str| may_fetch(&url(from), &url(to), 302);
    assert!(may("https://a.example/x", "https://b.example/y").is_ok());
    assert!(may("http://127.0.0.1/x", "https://b.example/y").is_ok());
    for to in ["http://a.example/x", "file:///etc/passwd"] {
        let said = may("https://a.example/x", to).unwrap_err().to_string();
        assert!(said.contains("from https"), "{said}");
    }
}
