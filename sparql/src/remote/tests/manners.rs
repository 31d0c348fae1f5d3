//! Irregular responses: their content is read anyway, or the error names what is wrong.

use super::*;
use std::io::Write;

const XML: &str = "<?xml version=\"1.0\"?><sparql xmlns=\"http://www.w3.org/2005/sparql-results#\"><head><variable name=\"s\"/>\
    </head><results><result><binding name=\"s\"><uri>http://ex.org/a</uri></binding></result></results></sparql>";

fn body(bytes: impl Into<Vec<u8>>, content_type: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(bytes.into(), content_type)
}

fn in_utf_16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn deflated(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn marks_encodings_and_deflate_are_read() {
    let marked = |text: &str| format!("\u{feff}{text}");
    let packed = |bytes: Vec<u8>| body(bytes, JSON).insert_header("content-encoding", "deflate");
    let tsv = "?s\t?o\n<http://ex.org/a>\t\n";
    let cases = [
        ("a mark before JSON", body(marked(ONE_ROW), JSON)),
        ("a mark before XML", body(marked(XML), "text/xml")),
        ("a mark before a table", body(marked(tsv), "text/tab-separated-values")),
        ("UTF-16 with a mark", body(in_utf_16(&marked(ONE_ROW)), JSON)),
        ("UTF-16 without one", body(in_utf_16(ONE_ROW), JSON)),
        ("deflate without its head", packed(deflated(ONE_ROW))),
    ];
    for (name, response) in cases {
        let answer = outcome(SELECT, response).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((answer.row_count(), answer.incomplete), (1, None), "{name}");
    }
    let graph = "\u{feff}<http://ex.org/a> <http://ex.org/p> \"\u{e4}\" .\n";
    let construct = "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }";
    let answer = outcome(construct, body(in_utf_16(graph), "application/n-triples")).await.unwrap();
    assert_eq!(answer.row_count(), 1);
    let latin = b"?s\t?o\n\"J\xfcrgen\"\t\n".to_vec();
    let answer = outcome(SELECT, body(latin, "text/tab-separated-values; charset=ISO-8859-1")).await.unwrap();
    assert!(format!("{:?}", answer.results).contains("J\u{fc}rgen"), "{:?}", answer.results);
}

#[tokio::test]
async fn what_is_no_result_is_called_by_its_name() {
    let cases = [
        (body("null", JSON), "the word null instead of a SPARQL result"),
        (
            body("s,o\r\nhttp://ex.org/a,x\r\n", "text/csv"),
            "results in CSV, which does not tell things from texts",
        ),
        (body("\u{feff}\"s\",\"o\"\n", "text/csv; charset=utf-8"), "results in CSV"),
        (
            body("x", JSON).insert_header("content-encoding", "br"),
            "compressed with br, which was not asked for",
        ),
        (
            body("no", JSON).insert_header("content-encoding", "deflate"),
            "not what its compression, deflate, says",
        ),
        (body(b"\xff\xfe{\0x".to_vec(), JSON), "begins as text in UTF-16LE and is not"),
        (body(in_utf_16("\u{feff}<html><body>Welcome</body></html>"), JSON), "a web page instead"),
    ];
    for (response, words) in cases {
        let error = outcome(SELECT, response).await.unwrap_err();
        assert!(matches!(error, QueryError::Unavailable { .. }), "{error:?}");
        assert!(error.to_string().contains(words), "{words}: {error}");
    }
}

#[tokio::test]
async fn words_with_a_good_status_are_the_error_that_they_are() {
    let words = "Error: query timed out after 30 seconds";
    for (text, content_type) in [
        (words.to_owned(), "text/plain"),
        (words.to_owned(), JSON),
        (format!("\u{feff}{words}\ncontact: admin"), "text/plain"),
        ("error\nquery timed out\n".to_owned(), "text/csv"),
    ] {
        let error = outcome(SELECT, body(text, content_type)).await.unwrap_err();
        assert!(matches!(error, QueryError::Timeout { .. }), "{content_type}: {error:?}");
        assert!(error.to_string().starts_with("no answer within the endpoint's own time"), "{error}");
    }
    let error = outcome(SELECT, body("This query is not for guests.", "text/plain")).await.unwrap_err();
    assert_eq!(error, QueryError::Rejected { message: "This query is not for guests.".into() });
}

#[tokio::test]
async fn words_of_a_failure_are_read_in_their_encoding() {
    let words = in_utf_16("\u{feff}Not enough memory for so many rows: \u{fc}ber alles");
    let response = ResponseTemplate::new(400).set_body_raw(words, "text/plain");
    let error = outcome(SELECT, response).await.unwrap_err().to_string();
    assert!(error.contains("\u{fc}ber alles"), "{error}");
}
