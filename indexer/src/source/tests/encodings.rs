//! Files in other encodings than UTF-8, and files that are not RDF: read if they declare their encoding, else refused by name.

use super::*;

/// A graph in RDF/XML with this declaration.
fn xml(declaration: &str) -> String {
    format!(
        "<?xml version=\"1.0\"{declaration}?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:e=\"http://ex.org/\">\n<rdf:Description rdf:about=\"http://ex.org/J\u{fc}rgen\"><e:p>\u{20ac} \u{fc}</e:p>\
         </rdf:Description></rdf:RDF>"
    )
}

fn utf_16(text: &str, turned: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| if turned { unit.to_be_bytes() } else { unit.to_le_bytes() })
        .collect()
}

/// Encoded as Windows-1252, which differs from Latin-1 here only by the euro sign.
fn windows(text: &str) -> Vec<u8> {
    text.chars().map(|c| if c == '\u{20ac}' { 0x80 } else { u8::try_from(u32::from(c)).unwrap() }).collect()
}

#[test]
fn xml_is_read_in_the_encoding_that_it_declares() {
    let folder = tempfile::tempdir().unwrap();
    let declared = xml(" encoding=\"UTF-16\"");
    let cases = [
        ("little.rdf", utf_16(&format!("\u{feff}{declared}"), false)),
        ("big.owl", utf_16(&format!("\u{feff}{declared}"), true)),
        ("unmarked.xml", utf_16(&declared, false)),
        ("marked.rdf", utf_16(&format!("\u{feff}{}", xml("")), false)),
        ("latin.rdf", windows(&xml(" encoding='ISO-8859-1'"))),
        ("windows.rdf", windows(&xml(" encoding = \"windows-1252\" standalone='yes'"))),
        // The declaration was true before the file was converted.
        ("untrue.rdf", declared.clone().into_bytes()),
        ("utf-8.rdf", xml(" encoding='utf-8'").into_bytes()),
    ];
    for (name, bytes) in cases {
        let (quads, summary) = read(&write(folder.path(), name, &bytes), false)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(quads.len(), 1, "{name}");
        assert_eq!(quads[0].subject.to_string(), "<http://ex.org/J\u{fc}rgen>", "{name}");
        assert_eq!(quads[0].object.to_string(), "\"\u{20ac} \u{fc}\"", "{name}");
        assert_eq!(summary.notes, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_long_file_in_another_encoding_is_read_whole_and_compressed_too() {
    let folder = tempfile::tempdir().unwrap();
    let things: String = (0..5_000)
        .map(|at| {
            format!("<rdf:Description rdf:about='http://ex.org/{at}'><e:p>\u{fc}</e:p></rdf:Description>\n")
        })
        .collect();
    let text = xml(" encoding='windows-1252'").replace("</rdf:RDF>", &format!("{things}</rdf:RDF>"));
    let (quads, _) = read(&write(folder.path(), "long.rdf.gz", &gzip_bytes(&windows(&text))), false).unwrap();
    assert_eq!(quads.len(), 5_001);
    assert!(quads.iter().skip(1).all(|quad| quad.object.to_string() == "\"\u{fc}\""));
    let broken = text.replacen("\u{fc}</e:p></rdf:Description>\n", "\u{fc}</e:q></rdf:Description>\n", 1);
    let error = read(&write(folder.path(), "broken.rdf", &windows(&broken)), false).unwrap_err().to_string();
    assert!(error.contains("broken.rdf:3:"), "the line stays: {error}");
}

#[test]
fn other_formats_in_utf_16_are_read_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("a.ttl", TURTLE), ("a.nt", LINES), ("a.jsonld", JSON)] {
        let bytes = utf_16(&format!("\u{feff}{text}"), false);
        let (quads, summary) = read(&write(folder.path(), name, &bytes), false).unwrap();
        assert_eq!(quads.len(), 2, "{name}");
        assert!(summary.notes[0].contains("is read as UTF-16LE, though"), "{name}: {:?}", summary.notes);
    }
    let mut cut = utf_16(&format!("\u{feff}{LINES}"), false);
    cut.pop();
    for skip in [false, true] {
        let said = read(&write(folder.path(), "cut.nt", &cut), skip).unwrap_err().to_string();
        assert!(said.contains("cut.nt") && said.contains("bytes that are not UTF-16LE"), "{said}");
    }
}

#[test]
fn an_encoding_that_is_not_told_is_named_with_what_converts_it() {
    let folder = tempfile::tempdir().unwrap();
    let quoted = "<http://ex.org/a> <http://ex.org/p> \"J\u{fc}rgen\" .\n";
    let cases = [
        ("a.ttl", windows(quoted)),
        ("a.nt", windows(&format!("{LINES}{quoted}"))),
        ("a.rdf", windows(&xml("").replace('\u{20ac}', ""))),
        ("a.jsonld", windows("{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":\"J\u{fc}rgen\"}")),
    ];
    for (name, bytes) in cases {
        let path = write(folder.path(), name, &bytes);
        let said = read(&path, false).unwrap_err().to_string();
        let command = format!("iconv -f WINDOWS-1252 -t UTF-8 '{}'", path.display());
        assert!(said.contains("not in UTF-8") && said.contains(&command), "{name}: {said}");
    }
    for (encoding, bytes) in [
        ("ebcdic", xml(" encoding='ebcdic'").into_bytes()),
        ("UTF-32", b"\xff\xfe\0\0<\0\0\0r\0\0\0".to_vec()),
    ] {
        let said = read(&write(folder.path(), "odd.rdf", &bytes), true).unwrap_err().to_string();
        assert!(said.contains(&format!("iconv -f {encoding} -t UTF-8")), "{said}");
    }
}

#[test]
fn what_is_no_rdf_is_refused_by_its_name_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let owl = "<Ontology xmlns='http://www.w3.org/2002/07/owl#' ontologyIRI='http://ex.org/'></Ontology>";
    let cases: [(&str, &[u8], &str, &str); 8] = [
        (
            "page.owl",
            b"<!DOCTYPE html>\n<html><head></head></html>",
            "a web page",
            "download the file itself",
        ),
        ("page.ttl", b"<html>\n<body>404</body></html>", "a web page", "Accept: text/turtle"),
        ("a.owl", owl.as_bytes(), "OWL/XML", "robot convert --input"),
        ("b.owl", b"Prefix(:=<http://ex.org/>)\nOntology(<http://ex.org/>)", "functional", "robot convert"),
        ("c.owl", b"Prefix: : <http://ex.org/>\nClass: A", "Manchester", "robot convert"),
        ("a.obo", b"format-version: 1.2\n[Term]\n", "OBO", "robot convert"),
        ("a.zip", b"PK\x03\x04\x14\0\0\0", "a zip archive", "unzip"),
        ("b.ttl", b"PK\x03\x04\x14\0\0\0", "a zip archive", "unzip"),
    ];
    for (name, bytes, what, remedy) in cases {
        let path = write(folder.path(), name, bytes);
        for skip in [false, true] {
            let said = read(&path, skip).unwrap_err().to_string();
            assert!(said.contains(&path.display().to_string()) && said.contains("not RDF"), "{said}");
            assert!(said.contains(what) && said.contains(remedy), "{name}: {said}");
        }
    }
    let mut archive = b"graph.ttl".to_vec();
    archive.resize(257, 0);
    archive.extend(b"ustar\0");
    let said = read(&write(folder.path(), "a.tar.gz", &gzip_bytes(&archive)), false).unwrap_err().to_string();
    assert!(said.contains("a tar archive") && said.contains("tar -xf"), "{said}");
}

fn gzip_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}
