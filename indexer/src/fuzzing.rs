//! Entry points for fuzzers: untrusted RDF files, read like configured ones. Not part of the program;
//! compiled for tests and with `--cfg fuzzing`.

use crate::source::{SourceError, read_bytes};
use oxrdfio::{JsonLdProfileSet, RdfFormat};

/// Maximum size of all texts in a file's quads per byte of the file, and in addition to that: bounds before parsing limit
/// whatever grows faster.
const PER_BYTE: usize = 20_000;
const BEYOND: usize = 80 << 20;

/// Parses bytes as JSON-LD.
///
/// # Panics
/// When the result depends on how the bytes are divided into pieces, or exceeds the bounds.
pub fn json_ld(data: &[u8]) {
    read(data, RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() });
}

/// Parses bytes as RDF/XML.
///
/// # Panics
/// As [`json_ld`].
pub fn rdf_xml(data: &[u8]) {
    read(data, RdfFormat::RdfXml);
}

fn read(data: &[u8], format: RdfFormat) {
    for skip_errors in [false, true] {
        let [whole, pieces] = [1 << 16, 7].map(|piece| read_bytes(data, format, piece, skip_errors));
        let (Ok((quads, summary)), Ok((others, _))) = (&whole, &pieces) else {
            // Whether a bound after the error is reached depends on how far the parser has read ahead.
            let is_bound = |read: &Result<_, _>| matches!(read, Err(SourceError::TooMuch { .. }));
            let is_alike = whole.is_err() == pieces.is_err();
            assert!(is_alike || is_bound(&whole) || is_bound(&pieces), "{whole:?} {pieces:?}");
            continue;
        };
        // Where an invalid part ends for a parser that continues after it may differ.
        assert!(
            quads.len() == others.len() || summary.skipped > 0,
            "{} and {} quads",
            quads.len(),
            others.len()
        );
        assert_eq!(summary.quads, quads.len() as u64);
        let bytes: usize = quads.iter().map(|quad| quad.to_string().len()).sum();
        assert!(bytes <= BEYOND + PER_BYTE * data.len(), "{bytes} bytes from {}", data.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const JSON: &[&str] = &[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"@context\"",
        "\"@id\"",
        "\"@graph\"",
        "\"@list\"",
        "\"@set\"",
        "\"@type\"",
        "\"@value\"",
        "\"@nest\"",
        "\"@included\"",
        "\"@reverse\"",
        "\"@container\"",
        "\"@index\"",
        "\"@vocab\"",
        "\"a\"",
        "\"b:x\"",
        "\"b\"",
        "\"http://ex.org/\"",
        "null",
        "true",
        "1e9",
        " ",
        "\n",
        "\\",
    ];
    const XML: &[&str] = &[
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://ex.org/'>",
        "</rdf:RDF>",
        "<!DOCTYPE r [",
        "<!ENTITY a \"b\">",
        "<!ENTITY b \"&a;&a;\">",
        "]>",
        "<e:T>",
        "</e:T>",
        "<e:p",
        " rdf:about='&b;'",
        " rdf:parseType='Literal'",
        ">",
        "/>",
        "</e:p>",
        "&a;",
        "&b;",
        "text",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "'",
        "\"",
    ];

    proptest! {
        #[test]
        fn any_json_is_read(words in prop::collection::vec(prop::sample::select(JSON), 0..40)) {
            json_ld(words.concat().as_bytes());
        }

        #[test]
        fn any_xml_is_read(words in prop::collection::vec(prop::sample::select(XML), 0..40)) {
            rdf_xml(words.concat().as_bytes());
        }
    }
}
