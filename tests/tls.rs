//! HTTPS by the service itself, with a certificate made for the test.

use crate::cli::{eruca, run, serve};
use eruca_testing::helpers::{CITIES, folder, install_tls, with_certificate};
use eruca_testing::programs::{self, stderr};
use reqwest::Client;

#[tokio::test]
async fn a_certificate_and_its_key_make_it_https() {
    install_tls();
    let folder = folder();
    let certificate = with_certificate(folder.path(), "");
    let (_child, said) = serve(folder.path());
    assert!(said.contains("listens on https://127.0.0.1:") && said.contains("docs: https://"), "{said}");
    let (_, url) = said.lines().find_map(|line| line.split_once("curl '")).unwrap();
    let url = url.trim_end_matches('\'');
    let trusting = Client::builder().tls_certs_only([certificate]).build().unwrap();
    let response = trusting.get(url).send().await.unwrap();
    assert_eq!(response.status(), 200, "{said}");
    assert!(response.text().await.unwrap().contains(CITIES));
    assert!(
        Client::new().get(url).send().await.is_err(),
        "nobody trusts such a certificate without being told"
    );
    assert!(reqwest::get(url.replacen("https", "http", 1)).await.is_err(), "no plain HTTP on the same port");
    let port = url.trim_start_matches("https://127.0.0.1:").split('/').next().unwrap();
    let health = run(folder.path(), &["health", "--port", port]);
    assert_eq!(health.status.code(), Some(0), "it asks by TLS, too: {}", stderr(&health));
}

#[test]
fn files_that_cannot_be_used_are_told_before_anything_is_done() {
    let folder = folder();
    let _certificate = with_certificate(folder.path(), "");
    std::fs::remove_file(folder.path().join("key.pem")).unwrap();
    let output = run(folder.path(), &["serve", "--port", "0"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.contains("server.tls_key: the file '") && said.contains("key.pem' cannot be read"),
        "{said}"
    );
    assert!(!folder.path().join("index").exists(), "no index is built before");
    let mut half = eruca(folder.path());
    let half = half.args(["serve"]).env("ERUCA__SERVER__TLS_KEY", "key.pem").current_dir("/");
    let said = stderr(&programs::output(half));
    assert!(said.contains("'server.tls_certificate' is empty while server.tls_key is set"), "{said}");
}
