//! Files of every format and compression, whatever their names say.

mod encodings;
mod faults;
mod too_much;

use super::sniff::{FileHead, Trial, sniff};
use super::*;
use crate::progress::NoProgress;
use oxrdf::Quad;
use proptest::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};

const TURTLE: &str = "@prefix ex: <http://ex.org/> .\nex:a ex:p \"x\"@en .\nex:b ex:p _:n .\n";

fn read(path: &Path, skip: bool) -> Result<(Vec<Quad>, ReadSummary), SourceError> {
    let mut quads = Vec::new();
    let summary = read_quads(path, skip, &NoProgress, &mut |quad| quads.push(quad))?;
    Ok((quads, summary))
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn every_compression_gives_the_same_quads() {
    let folder = tempfile::tempdir().unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(TURTLE.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(TURTLE.as_bytes()).unwrap();
    let zstandard = zstd::stream::encode_all(TURTLE.as_bytes(), 1).unwrap();
    let files = [
        write(folder.path(), "a.ttl", TURTLE.as_bytes()),
        write(folder.path(), "b.ttl.gz", &gzip.finish().unwrap()),
        write(folder.path(), "c.ttl.bz2", &bzip2.finish().unwrap()),
        write(folder.path(), "d.ttl.zst", &zstandard),
    ];
    for file in files {
        let (quads, summary) = read(&file, false).unwrap();
        assert_eq!(quads.len(), 2, "{}", file.display());
        assert_eq!(quads[0].object.to_string(), "\"x\"@en");
        assert_eq!(summary.prefixes, [("ex".to_owned(), "http://ex.org/".to_owned())]);
    }
}

#[test]
fn every_format_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let samples = [
        ("a.nt", "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."),
        ("a.nq", "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> <http://ex.org/g> ."),
        ("a.trig", "<http://ex.org/g> { <http://ex.org/a> <http://ex.org/p> <http://ex.org/b> }"),
        (
            "a.rdf",
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://ex.org/\"><rdf:Description rdf:about=\"http://ex.org/a\"><e:p rdf:resource=\"http://ex.org/b\"/></rdf:Description></rdf:RDF>",
        ),
        ("a.jsonld", "{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":{\"@id\":\"http://ex.org/b\"}}"),
    ];
    for (name, text) in samples {
        let (quads, _) = read(&write(folder.path(), name, text.as_bytes()), false).unwrap();
        assert_eq!(quads.len(), 1, "{name}");
        assert_eq!(quads[0].object.to_string(), "<http://ex.org/b>", "{name}");
    }
}

#[test]
fn xml_with_endless_tags_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let with = |attributes: usize| {
        let names: String = (0..attributes).map(|at| format!(" e:a{at}=\"\"")).collect();
        format!(
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e.x/'>\
             <e:C rdf:about='http://e.x/s'{names}/></rdf:RDF>"
        )
    };
    let few = write(folder.path(), "few.rdf", with(500).as_bytes());
    assert_eq!(read(&few, false).unwrap().1.quads, 501);
    let endless = write(folder.path(), "endless.rdf", with(1_001).as_bytes());
    let error = read(&endless, true).unwrap_err();
    assert!(error.to_string().contains("endless.rdf:1: an XML tag has more than 1000 attributes"), "{error}");
}

#[test]
fn a_broken_line_is_named_or_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<http://ex.org/a> <http://ex.org/p> \"1\" .\n<http://ex.org/a> oops .\n<http://ex.org/b> <http://ex.org/p> \"2\" .\n";
    let path = write(folder.path(), "broken.nt", text.as_bytes());
    match read(&path, false) {
        Err(SourceError::Syntax { line: 2, reason, .. }) => assert!(!reason.is_empty()),
        other => panic!("expected a syntax error on line 2, got {other:?}"),
    }
    let (quads, summary) = read(&path, true).unwrap();
    assert_eq!((quads.len(), summary.skipped), (2, 1));
    assert!(summary.reasons[0].contains("broken.nt:2"), "{:?}", summary.reasons);
    let missing = format!("1 statement of {} could not be read and is missing", path.display());
    assert_eq!(summary.unread, [missing]);
    assert_eq!(read(&write(folder.path(), "whole.nt", LINES.as_bytes()), true).unwrap().1.unread, [""; 0]);
}

#[test]
fn patterns_name_files_once_and_must_match() {
    let folder = tempfile::tempdir().unwrap();
    let a = write(folder.path(), "a.ttl", b"");
    let b = write(folder.path(), "b.ttl", b"");
    let patterns = [folder.path().join("*.ttl"), a.clone()];
    assert_eq!(expand_patterns(&patterns).unwrap(), [a, b]);
    let missing = expand_patterns(&[folder.path().join("none-*.ttl")]);
    assert!(matches!(missing, Err(SourceError::NoFile(_))));
    let odd = write(folder.path(), "c.csv", b"");
    assert!(matches!(read(&odd, false), Err(SourceError::UnknownFormat(_))));
}

#[test]
fn a_folder_stands_for_the_rdf_files_in_it() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["more/deep", ".git", "empty"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    let written = ["a.ttl", "b.NT.gz", "more/c.owl", "more/deep/d.jsonld.zst"];
    let wanted = written.map(|name| write(folder.path(), name, b""));
    for other in ["package.json", "pom.xml", "README.md", ".hidden.ttl", ".git/e.ttl"] {
        write(folder.path(), other, b"");
    }
    let whole = folder.path().to_owned();
    assert_eq!(expand_patterns(&[whole.clone(), whole]).unwrap(), wanted);
    let said = expand_patterns(&[folder.path().join("empty")]).unwrap_err().to_string();
    assert!(said.contains("contains no file ending in .ttl") && said.contains("*.xml"), "{said}");
}

#[test]
fn a_given_format_counts_whatever_name_and_content_say() {
    let folder = tempfile::tempdir().unwrap();
    let relative = write(folder.path(), "odd.txt", b"<a> <b> <c> .");
    let given = |name: &str| ReadOptions { format: GivenFormat::named(name), ..ReadOptions::default() };
    assert_eq!(given("ttl").format_of(&relative).unwrap(), "Turtle");
    let mut quads = 0;
    let summary = given("turtle").quads(&relative, &NoProgress, &mut |_| quads += 1).unwrap();
    assert_eq!((quads, summary.notes.len()), (1, 0));
    let error = given("rdfxml").quads(&relative, &NoProgress, &mut |_| {}).unwrap_err();
    assert!(matches!(error, SourceError::Syntax { .. }), "{error}");
    assert_eq!(GivenFormat::named("nonsense"), None);
    for format in GivenFormat::ALL {
        assert_eq!(GivenFormat::named(format.ending()), Some(format));
    }
}

const XML: &str = "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
    xmlns:e=\"http://ex.org/\">\n<rdf:Description rdf:about=\"http://ex.org/a\"><e:p>x</e:p><e:p>y</e:p></rdf:Description></rdf:RDF>";
const LINES: &str =
    "<http://ex.org/a> <http://ex.org/p> \"x\" .\n<http://ex.org/a> <http://ex.org/p> \"y\" .\n";
const NAMED: &str = "<http://ex.org/a> <http://ex.org/p> \"x\" <http://ex.org/g> .\n\
    <http://ex.org/a> <http://ex.org/p> \"y\" <http://ex.org/g> .\n";
const GRAPHS: &str = "@prefix e: <http://ex.org/> .\ne:g { e:a e:p \"x\" , \"y\" }\n";
const JSON: &str = "{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":[\"x\",\"y\"]}";

fn gzip(text: &str) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    gzip.finish().unwrap()
}

fn bzip2(text: &str) -> Vec<u8> {
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).unwrap();
    bzip2.finish().unwrap()
}

#[test]
fn the_content_decides_the_format_when_the_name_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("a.owl", TURTLE, "is read as Turtle, not RDF/XML as its name says"),
        ("a.rdf", LINES, "is read as Turtle, not RDF/XML as its name says"),
        ("a.xml", JSON, "is read as JSON-LD, not RDF/XML as its name says"),
        ("a.ttl", XML, "is read as RDF/XML, not Turtle as its name says"),
        ("a.nt", TURTLE, "is read as Turtle, not N-Triples as its name says"),
        ("b.nt", XML, "is read as RDF/XML, not N-Triples as its name says"),
        ("b.ttl", GRAPHS, "is read as TriG, not Turtle as its name says"),
        ("c.ttl", NAMED, "is read as N-Quads, not Turtle as its name says"),
        ("c.nt", NAMED, "is read as N-Quads, not N-Triples as its name says"),
        ("d.ttl", JSON, "is read as JSON-LD, not Turtle as its name says"),
        ("a.trig", NAMED, "is read as N-Quads, not TriG as its name says"),
        ("a.jsonld", TURTLE, "is read as Turtle, not JSON-LD as its name says"),
        ("b.json", XML, "is read as RDF/XML, not JSON-LD as its name says"),
        ("graph", TURTLE, "is read as Turtle, of which its name says nothing"),
        ("graph.dat", XML, "is read as RDF/XML, of which its name says nothing"),
    ];
    for (name, text, note) in cases {
        let (quads, summary) = read(&write(folder.path(), name, text.as_bytes()), false)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(quads.len(), 2, "{name}");
        assert!(matches!(&summary.notes[..], [told] if told.ends_with(note)), "{name}: {:?}", summary.notes);
        assert!(summary.notes[0].contains(name));
    }
}

#[test]
fn a_name_that_fits_the_content_is_believed() {
    let folder = tempfile::tempdir().unwrap();
    let marked = format!("\u{feff}{TURTLE}");
    let marked_lines = format!("\u{feff}{LINES}");
    let marked_xml = format!("\u{feff}{XML}");
    let cases = [
        ("a.ttl", TURTLE),
        ("b.ttl", LINES),
        ("a.nt", LINES),
        ("a.nq", LINES),
        ("b.nq", NAMED),
        ("a.trig", TURTLE),
        ("b.trig", GRAPHS),
        ("a.n3", TURTLE),
        ("a.owl", XML),
        ("a.xml", XML),
        ("a.json", JSON),
        ("marked.ttl", &marked),
        ("marked.nt", &marked_lines),
        ("marked.rdf", &marked_xml),
    ];
    for (name, text) in cases {
        let (quads, summary) = read(&write(folder.path(), name, text.as_bytes()), false)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((quads.len(), &summary.notes), (2, &Vec::new()), "{name}");
    }
}

#[test]
fn the_first_bytes_decide_the_compression_when_the_name_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let zstandard = zstd::stream::encode_all(TURTLE.as_bytes(), 1).unwrap();
    let cases = [
        ("a.ttl", gzip(TURTLE), "is compressed with gzip, of which its name says nothing"),
        ("b.ttl", bzip2(TURTLE), "is compressed with bzip2, of which its name says nothing"),
        ("c.ttl", zstandard, "is compressed with Zstandard, of which its name says nothing"),
        ("d.ttl.bz2", gzip(TURTLE), "is compressed with gzip, not with bzip2 as its name says"),
        ("e.ttl.gz", TURTLE.as_bytes().to_vec(), "is not compressed, though its name says gzip"),
    ];
    for (name, bytes, note) in cases {
        let (quads, summary) = read(&write(folder.path(), name, &bytes), false).unwrap();
        assert_eq!(quads.len(), 2, "{name}");
        assert!(matches!(&summary.notes[..], [told] if told.ends_with(note)), "{name}: {:?}", summary.notes);
    }
    let (_, summary) = read(&write(folder.path(), "f.owl", &gzip(TURTLE)), false).unwrap();
    assert_eq!(summary.notes.len(), 2, "both are told: {:?}", summary.notes);
}

#[test]
fn a_file_longer_than_what_is_looked_at_is_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text: String =
        (0..20_000).map(|at| format!("<http://ex.org/{at}> <http://ex.org/p> \"x\" .\n")).collect();
    let (quads, _) = read(&write(folder.path(), "long.owl", &gzip(&text)), false).unwrap();
    assert_eq!(quads.len(), 20_000);
    let one = format!("@prefix e: <http://ex.org/> .\ne:a e:p \"\"\"{}\"\"\" .", "x".repeat(300_000));
    let (quads, summary) = read(&write(folder.path(), "one.owl", one.as_bytes()), false).unwrap();
    assert_eq!(quads.len(), 1);
    assert!(summary.notes[0].contains("read as Turtle"), "its prefixes tell: {:?}", summary.notes);
}

#[test]
fn what_is_broken_is_told_with_both_readings_in_one_short_line() {
    let folder = tempfile::tempdir().unwrap();
    let packed = gzip(&TURTLE.repeat(100));
    let cases: [(&str, &[u8], &str); 9] = [
        (
            "a.rdf",
            b"just words",
            "read as RDF/XML, because of the file's name; its content is of no other known format",
        ),
        ("a.ttl", b"just words", "read as Turtle, because of the file's name"),
        ("b.ttl", b"<page><body>not found</body></page>", "read as Turtle, because of the file's name"),
        (
            "c.ttl",
            b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><",
            "it is not Turtle either",
        ),
        (
            "d.owl",
            b"@prefix e: <http://ex.org/> .\ne:a oops .",
            "it is not RDF/XML either, as its name says: ",
        ),
        ("e.ttl", b"caf\xe9 <a> <b> .", "e.ttl:1:"),
        ("a.ttl.gz", b"just words", "is it gzip, as its name says?"),
        ("b.ttl.gz", &packed[..packed.len() / 2], "is it whole, and is it gzip, as its name says?"),
        ("c.nt", &packed[..packed.len() / 2], "is it whole, and is it gzip, as its first bytes say?"),
    ];
    for (name, bytes, words) in cases {
        let said = read(&write(folder.path(), name, bytes), false).unwrap_err().to_string();
        assert!(said.contains(name) && said.contains(words), "{name}: {said}");
        let place = folder.path().display().to_string().len();
        assert!(said.len() < place + 500 && !said.contains('\n') && !said.contains(":0:"), "{name}: {said}");
    }
}

#[test]
fn a_broken_file_is_read_in_the_format_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let broken = "@prefix e: <http://ex.org/> .\ne:a e:p e:b .\ne:a oops .\n";
    let (quads, summary) = read(&write(folder.path(), "a.ttl", broken.as_bytes()), true).unwrap();
    assert_eq!((quads.len(), summary.notes.len()), (1, 0));
    assert!(summary.skipped > 0);
}

proptest! {
    #[test]
    fn no_content_makes_the_look_at_it_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        whole in any::<bool>(),
        name in "[a-z]{0,3}\\.(ttl|nt|rdf|json|trig|x)?",
    ) {
        let _format = sniff(FileHead { bytes: &bytes, whole }, format::Format::of_name(&name));
    }

    #[test]
    fn pieces_of_all_languages_make_no_panic(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<", ">", "{", "}", "[", "]", "\"", "@prefix e: <http://e/> .", "e:a e:b e:c .", "<?xml", "<a b='c'>", "\"type\"",
            ":", "\"item\"", "\"id\"", "\"entities\"", ",", "\n", " ", "_:b", "#", "\u{feff}", "GRAPH", "\"@id\"", "é",
        ]), 0..25),
        whole in any::<bool>(),
    ) {
        let text = parts.concat();
        let _format = sniff(FileHead { bytes: text.as_bytes(), whole }, None);
    }
}

#[test]
fn the_place_of_an_error_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let text = "<http://a/b> <http://a/c> \"x\" .\n<http://a/b> <http://a/c \"y\" .\n";
    let said = read(&write(folder.path(), "bad.nt", text.as_bytes()), false).unwrap_err().to_string();
    assert!(said.contains("bad.nt:2:14: ") && !said.contains("line 2"), "{said}");
    assert!(!said.contains("because of the file's name"), "its format is not in doubt: {said}");
}
