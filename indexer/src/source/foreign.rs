//! Files that are certainly not RDF, whatever their names say: what they are, and how to convert them.

use std::path::{Path, PathBuf};

/// Position of the magic bytes in a tar archive.
const TAR_MARK: std::ops::Range<usize> = 257..262;
const OWL_NAMESPACE: &[u8] = b"http://www.w3.org/2002/07/owl#";
/// Attributes that make an element of OWL a node in RDF/XML.
const NODE_ATTRIBUTES: [&[u8]; 3] = [b":about", b":ID", b":nodeID"];

/// What a file with this beginning is, and what to do, if it is not RDF.
pub(super) fn foreign(head: &[u8], path: &Path) -> Option<(&'static str, String)> {
    let file = path.display();
    if let Some((what, command)) = packed(head) {
        return Some((what, format!("unpack it ({command} '{file}') and name the RDF files that are in it")));
    }
    let text = without_comments(head);
    let root = root_tag(text);
    if is_web_page(text, root) {
        let remedy = "a server has sent a page in the place of the file; download the file itself (on GitHub behind \"Raw\"), or ask \
                      for RDF: curl -L -H 'Accept: text/turtle' -o graph.ttl ADDRESS";
        return Some(("a web page", remedy.to_owned()));
    }
    let what = if root.is_some_and(is_owl_xml) { "OWL/XML" } else { ontology_in_words(text)? };
    let converted = converted(path);
    let converted = converted.display();
    Some((
        what,
        format!(
            "convert it: robot convert --input '{file}' --output '{converted}' (or save it as Turtle in Protégé)"
        ),
    ))
}

/// An archive or unsupported compression format, and the command that unpacks it.
fn packed(head: &[u8]) -> Option<(&'static str, &'static str)> {
    match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(("a zip archive", "unzip")),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(("compressed with xz", "xz -dk")),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(("a 7z archive", "7z x")),
        _ if head.get(TAR_MARK) == Some(b"ustar") => Some(("a tar archive", "tar -xf")),
        _ => None,
    }
}

/// A text without leading comment lines.
fn without_comments(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii_start();
    while rest.first() == Some(&b'#') {
        rest = after(rest, b"\n").trim_ascii_start();
    }
    rest
}

/// The text after the first occurrence of a mark; empty if there is none.
fn after<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let at = text.windows(mark.len()).position(|window| window == mark);
    at.and_then(|at| text.get(at + mark.len()..)).unwrap_or_default()
}

/// The first tag of an XML text, from its name to its end.
fn root_tag(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        rest = rest.trim_ascii_start();
        rest = match rest.strip_prefix(b"<")? {
            [b'?', inside @ ..] => after(inside, b"?>"),
            [b'!', b'-', b'-', inside @ ..] => after(inside, b"-->"),
            [b'!', inside @ ..] => match inside.iter().find(|byte| matches!(byte, b'[' | b'>'))? {
                b'[' => after(after(inside, b"]"), b">"),
                _ => after(inside, b">"),
            },
            tag => return tag.split(|byte| *byte == b'>').next(),
        };
    }
}

fn is_web_page(text: &[u8], root: Option<&[u8]>) -> bool {
    let begins = |text: &[u8], with: &[u8]| {
        text.get(..with.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(with))
    };
    // An IRI in Turtle contains no spaces.
    let inside = after(text, b">").trim_ascii_start();
    begins(text, b"<!doctype html")
        || root.is_some_and(|root| begins(root, b"html") && root.get(4).is_some_and(u8::is_ascii_whitespace))
        || (begins(text, b"<html>") && (begins(inside, b"<head") || begins(inside, b"<body")))
}

/// Whether the root is that of an OWL/XML ontology rather than a node in RDF/XML.
fn is_owl_xml(root: &[u8]) -> bool {
    let holds = |part: &[u8]| root.windows(part.len()).any(|window| window == part);
    let name = root.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let is_ontology = name == b"Ontology" || name.ends_with(b":Ontology");
    is_ontology && holds(OWL_NAMESPACE) && !NODE_ATTRIBUTES.iter().any(|attribute| holds(attribute))
}

/// Ontology languages other than XML. In Turtle, no name with a colon precedes the declaration of its prefix.
fn ontology_in_words(text: &[u8]) -> Option<&'static str> {
    let word = |word: &[u8]| text.strip_prefix(word).map(<[u8]>::trim_ascii_start);
    let is_call = |name: &[u8]| word(name).is_some_and(|rest| rest.starts_with(b"("));
    if is_call(b"Prefix") || is_call(b"Ontology") {
        return Some("OWL in functional syntax");
    }
    let is_named =
        |rest: &[u8]| rest.split(u8::is_ascii_whitespace).next().is_some_and(|name| name.ends_with(b":"));
    if word(b"Prefix:").is_some_and(is_named) || word(b"Ontology:").is_some() {
        return Some("OWL in Manchester syntax");
    }
    word(b"format-version:").map(|_| "an ontology in OBO format")
}

/// A path beside this file, with the extension of Turtle.
fn converted(path: &Path) -> PathBuf {
    let turtle = path.with_extension("ttl");
    if turtle == path { path.with_extension("converted.ttl") } else { turtle }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(text: &str) -> Option<&'static str> {
        foreign(text.as_bytes(), Path::new("a.owl")).map(|(what, _)| what)
    }

    #[test]
    fn what_is_no_rdf_is_called_by_its_name() {
        let owl =
            "xmlns='http://www.w3.org/2002/07/owl#' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";
        let cases = [
            ("<!DOCTYPE html>\n<html lang='en'>", "a web page"),
            ("<!-- a page -->\n<HTML xmlns='http://www.w3.org/1999/xhtml'>", "a web page"),
            ("<html>\n<body>404</body></html>", "a web page"),
            (
                &format!(
                    "<?xml version='1.0'?>\n<!DOCTYPE Ontology [\n<!ENTITY a 'b'>]>\n<Ontology {owl} ontologyIRI='http://e.x/'>"
                ),
                "OWL/XML",
            ),
            ("# a comment\nPrefix(:=<http://e.x/>)\nOntology(<http://e.x/>)", "OWL in functional syntax"),
            ("Ontology (<http://e.x/>)", "OWL in functional syntax"),
            ("Prefix: : <http://e.x/>\nOntology: <http://e.x/>", "OWL in Manchester syntax"),
            ("format-version: 1.2\n[Term]\nid: X:1\n", "an ontology in OBO format"),
            ("PK\u{3}\u{4}\u{14}\0", "a zip archive"),
            (&format!("{}ustar\0", "graph.ttl".to_owned() + &"\0".repeat(248)), "a tar archive"),
        ];
        for (text, name) in cases {
            assert_eq!(what(text), Some(name), "{text}");
        }
    }

    #[test]
    fn what_may_be_rdf_is_let_through() {
        let owl = "xmlns:owl='http://www.w3.org/2002/07/owl#' xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'";
        let cases = [
            "",
            "# a comment",
            "<html> a <http://e.x/Page> .",
            "<Ontology> a <http://www.w3.org/2002/07/owl#Ontology> .",
            "PREFIX : <http://e.x/>\n:a a :B .",
            "Prefix e: <http://e.x/>\ne:a a e:B .",
            &format!("<owl:Ontology {owl} rdf:about='http://e.x/'/>"),
            &format!("<rdf:RDF {owl}><owl:Ontology rdf:about=''/></rdf:RDF>"),
            "{\"@id\": \"http://e.x/a\"}",
            "PK",
        ];
        for text in cases {
            assert_eq!(what(text), None, "{text}");
        }
    }
}
