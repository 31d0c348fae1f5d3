//! Files with faults: what is reported, and what is kept of them.

use super::*;
use crate::source::literal_limits::{Bounded, ScannedSyntax};
use crate::source::rdfxml_recovery::Elements;
use std::fmt::Write as _;
use std::io::Read;

const HEAD: &str =
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://ex.org/'>\n";

/// A text that no parser accepts.
fn long(megabytes: usize) -> String {
    "x y ".repeat(megabytes << 18)
}

fn objects(quads: &[Quad]) -> Vec<String> {
    quads.iter().map(|quad| quad.object.to_string()).collect()
}

/// The error of reading a file, and what is kept of it if errors are skipped.
fn both(path: &Path) -> (String, Vec<Quad>, ReadSummary) {
    let error = read(path, false).unwrap_err().to_string();
    let (quads, summary) = read(path, true).unwrap_or_else(|error| panic!("not skipped: {error}"));
    (error, quads, summary)
}

#[test]
fn a_byte_order_mark_is_no_part_of_any_format() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("a.ttl", TURTLE),
        ("a.nt", LINES),
        ("a.nq", NAMED),
        ("a.trig", GRAPHS),
        ("a.n3", TURTLE),
        ("a.rdf", XML),
        ("a.jsonld", JSON),
    ];
    for (name, text) in cases {
        let marked = format!("\u{feff}{text}");
        let (quads, summary) = read(&write(folder.path(), name, marked.as_bytes()), false)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((quads.len(), summary.notes.len()), (2, 0), "{name}");
        let (quads, _) = read(&write(folder.path(), &format!("{name}.gz"), &gzip(&marked)), false).unwrap();
        assert_eq!(quads.len(), 2, "{name}.gz");
    }
}

#[test]
fn a_literal_of_sixty_megabytes_is_told_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let turtle = format!(
        "@prefix e: <http://ex.org/> .\ne:a e:p \"before\" ;\n  e:p \"{}\"@en ;\n  e:p \"beside\" .\ne:b e:p \"after\" .\n",
        long(60)
    );
    let (error, quads, summary) = both(&write(folder.path(), "long.ttl", turtle.as_bytes()));
    assert!(error.contains("long.ttl:3:7: a text or IRI longer than 15 MiB"), "{error}");
    assert_eq!(objects(&quads), ["\"before\"", "\"beside\"", "\"after\""]);
    assert_eq!(summary.skipped, 1);
    assert!(summary.reasons[0].contains("long.ttl:3:7"), "{:?}", summary.reasons);
}

#[test]
fn a_long_text_of_any_form_is_left_out_alone() {
    let folder = tempfile::tempdir().unwrap();
    let long = long(17);
    let quoted = format!("\"\"\"\n\\\"\"{long}\"\"\\\"\"\"\"^^<http://ex.org/t>");
    let single = format!("'''{long}'''");
    let iri = format!("<http://ex.org/{}>", long.replace(' ', "_"));
    for (at, object) in [quoted, single, iri].iter().enumerate() {
        let text = format!(
            "<http://ex.org/a> <http://ex.org/p> {object} .\n<http://ex.org/a> <http://ex.org/p> \"it's #1 \\\\\" . # \"\n\
             <http://ex.org/a> <http://ex.org/p> ''  .\n"
        );
        let (quads, summary) =
            read(&write(folder.path(), &format!("{at}.ttl"), text.as_bytes()), true).unwrap();
        assert_eq!(objects(&quads), ["\"it's #1 \\\\\"", "\"\""], "{at}");
        assert_eq!(summary.skipped, 1, "{at}");
    }
    let json = format!(
        "[{{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":[\"x\\\"\",\"{long}\"]}},\n{{\"@id\":\"http://ex.org/b\",\"http://ex.org/p\":\"y\"}}]"
    );
    let (error, quads, _) = both(&write(folder.path(), "a.jsonld", json.as_bytes()));
    assert!(error.contains("a.jsonld:1:"), "{error}");
    assert_eq!(objects(&quads), ["\"x\\\"\"", "\"y\""]);
}

#[test]
fn a_text_that_is_not_in_utf_8_costs_its_statement_alone() {
    let folder = tempfile::tempdir().unwrap();
    let statement = |object: &str| format!("<http://ex.org/a> <http://ex.org/p> {object} .\n");
    let lines = [
        "# J\u{fc}rgen's\n".to_owned(),
        statement("\"before\""),
        statement("\"J\u{fc}rgen\u{fc}\""),
        statement("<http://ex.org/\u{fc}1>"),
        statement("\"after\""),
    ];
    let latin = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect::<Vec<u8>>();
    for name in ["a.nt", "a.nq", "a.ttl", "a.trig", "a.n3"] {
        let (error, quads, summary) = both(&write(folder.path(), name, &latin(&lines.concat())));
        assert!(error.contains(&format!("{name}:3:")) && error.contains("iconv"), "{error}");
        assert_eq!(objects(&quads), ["\"before\"", "\"after\""], "{name}");
        assert_eq!(summary.skipped, 2, "{name}: {:?}", summary.reasons);
    }
    let turtle = "@prefix e: <http://ex.org/> .\ne:a e:p '''J\u{fc}''' , \"kept\" ; e:q \"kept too\" .\n";
    let (_, quads, summary) = both(&write(folder.path(), "b.ttl", &latin(turtle)));
    assert_eq!(objects(&quads), ["\"kept\"", "\"kept too\""]);
    assert_eq!(summary.skipped, 1, "{:?}", summary.reasons);
    let json = "[{\"@id\":\"http://ex.org/a\",\"http://ex.org/p\":[\"J\u{fc}\",\"kept\"]}]";
    let (_, quads, summary) = both(&write(folder.path(), "b.jsonld", &latin(json)));
    assert_eq!((objects(&quads), summary.skipped), (vec!["\"kept\"".to_owned()], 1));
}

#[test]
fn where_a_line_is_a_statement_a_stray_quote_costs_its_line_alone() {
    let folder = tempfile::tempdir().unwrap();
    let good = "<http://ex.org/a> <http://ex.org/p> \"good\" .\n";
    for broken in ["\"Jo\"hn\" .", "\"Jo", "\"Jo\" \" .", "'Jo\" .", "\"\"\"Jo ."] {
        for end in ["\n", "\r\n"] {
            let text = format!("{good}<http://ex.org/a> <http://ex.org/p> {broken}{end}{good}{good}");
            let (error, quads, summary) = both(&write(folder.path(), "a.nt", text.as_bytes()));
            assert!(error.contains("a.nt:2:"), "{broken}: {error}");
            assert_eq!(objects(&quads), ["\"good\""; 3], "{broken}: {summary:?}");
            assert!(summary.skipped > 0, "{broken}");
        }
    }
}

#[test]
fn json_ld_that_cannot_be_gone_on_with_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let thing =
        |name: &str, value: &str| format!("{{\"@id\":\"http://ex.org/{name}\",\"http://ex.org/p\":{value}}}");
    let text = format!("[{},\n{},\n{}]", thing("a", "\"kept\""), thing("b", "oops"), thing("c", "\"lost\""));
    let (error, quads, summary) = both(&write(folder.path(), "a.jsonld", text.as_bytes()));
    assert!(error.contains("a.jsonld:2:"), "{error}");
    assert_eq!(objects(&quads), ["\"kept\""]);
    assert!(summary.unread[1].contains("nothing is read from line 2 on"), "{:?}", summary.unread);
    assert_eq!(summary.unread.len(), 2);
}

#[test]
fn a_context_that_stands_elsewhere_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = |context: &str| {
        format!(
            "{{\"@context\":{context},\"@id\":\"http://ex.org/a\",\"name\":\"x\",\"http://ex.org/p\":\"y\"}}"
        )
    };
    let remote = write(folder.path(), "remote.jsonld", text("\"https://context.example/v1\"").as_bytes());
    for skip in [false, true] {
        let said = read(&remote, skip).unwrap_err().to_string();
        assert!(said.contains("remote.jsonld") && said.contains("'https://context.example/v1'"), "{said}");
        assert!(said.contains("save it beside the file"), "{said}");
    }
    // A copy beside the file, and a context that refers to another location.
    write(folder.path(), "names.jsonld", b"{\"@context\":{\"name\":\"http://ex.org/name\"}}");
    let local = write(folder.path(), "local.jsonld", text("[\"names.jsonld\",{}]").as_bytes());
    let mut found = objects(&read(&local, false).unwrap().0);
    found.sort();
    assert_eq!(found, ["\"x\"", "\"y\""]);
    write(folder.path(), "onward.jsonld", b"{\"@context\":\"https://context.example/v2\"}");
    let onward = write(folder.path(), "a.jsonld", text("\"onward.jsonld\"").as_bytes());
    assert!(read(&onward, true).unwrap_err().to_string().contains("'https://context.example/v2'"));
    for (context, reason) in
        [("../names.jsonld", "not in the file's folder"), ("no.jsonld", "cannot be read")]
    {
        let inner = folder.path().join("inner");
        std::fs::create_dir_all(&inner).unwrap();
        let file = write(&inner, "a.jsonld", text(&format!("\"{context}\"")).as_bytes());
        let said = read(&file, false).unwrap_err().to_string();
        assert!(said.contains(context.trim_start_matches("../")) && said.contains(reason), "{said}");
    }
}

#[test]
fn rdf_xml_goes_on_behind_a_broken_element() {
    let folder = tempfile::tempdir().unwrap();
    let thing = |name: &str, inner: &str| {
        format!("<rdf:Description rdf:about='http://ex.org/{name}'>{inner}</rdf:Description>\n")
    };
    let broken = [
        thing(
            "b c",
            "<e:p>lost</e:p><e:q><e:Thing rdf:about='http://ex.org/d'><e:p>lost</e:p></e:Thing></e:q>",
        ),
        thing("b", "<e:p xml:lang='no tag'>lost</e:p>"),
        thing("b", "<rdf:li><rdf:li/></rdf:li><e:p>lost</e:p>"),
        thing("b", "<e:p>lost</e:q><e:p>lost</e:p>"),
        thing("b", "<e:p>lost<e:p></e:p>"),
        thing("b", "<e:p>lost &unknown; text</e:p>"),
    ];
    for (at, broken) in broken.iter().enumerate() {
        let text = format!(
            "{HEAD}{}<!-- <a> -->{broken}{}</rdf:RDF>",
            thing("a", "<e:p rdf:nodeID='n'/>"),
            thing("c", "<e:p rdf:nodeID='n'/><e:p>kept</e:p>")
        );
        let (error, quads, summary) = both(&write(folder.path(), &format!("{at}.rdf"), text.as_bytes()));
        assert!(error.contains(&format!("{at}.rdf:3")), "the line of the element: {error}");
        let subjects: Vec<_> = quads.iter().map(|quad| quad.subject.to_string()).collect();
        let objects = objects(&quads);
        let of_others: Vec<_> = subjects.iter().filter(|subject| !subject.starts_with("_:")).collect();
        assert_eq!(of_others, ["<http://ex.org/a>", "<http://ex.org/c>", "<http://ex.org/c>"], "{at}");
        assert_eq!(objects.first(), objects.get(objects.len() - 2), "{at}: one blank node");
        assert_eq!(objects.last().unwrap(), "\"kept\"", "{at}");
        assert!(!objects.iter().any(|object| object.contains("lost")), "{at}: {quads:?}");
        assert_eq!(summary.skipped, 1, "{at}: {:?}", summary.reasons);
    }
}

#[test]
fn rdf_xml_loses_the_broken_property_alone_where_its_element_has_a_name() {
    let folder = tempfile::tempdir().unwrap();
    let element = |name: &str, inside: &str| {
        format!(
            "{HEAD}<e:Cat {name} e:size='small'><e:p>before</e:p>{inside}<e:p>after</e:p></e:Cat>\n</rdf:RDF>"
        )
    };
    let named = ["rdf:about='http://ex.org/a'", "rdf:ID='a'", "rdf:nodeID='a'"];
    let broken = [
        "<e:q rdf:nodeID='_:a'/>",
        "<e:q xml:lang='no tag'>lost</e:q>",
        "<e:q rdf:resource='b c'/>",
        "<e:q>lost &unknown; text</e:q>",
        "<e:q><e:Dog rdf:about='http://ex.org/d'><e:r rdf:nodeID='1'/><e:p>lost</e:p></e:Dog></e:q>",
        "<e:q rdf:parseType='Triple'><rdf:Description rdf:about='http://ex.org/x'/></e:q>",
    ];
    for (at, (name, inside)) in
        named.iter().flat_map(|name| broken.iter().map(move |broken| (name, broken))).enumerate()
    {
        let path = write(folder.path(), &format!("{at}.rdf"), element(name, inside).as_bytes());
        let (error, quads, summary) = both(&path);
        assert!(error.contains(&format!("{at}.rdf:2")), "{error}");
        let kept = |object: &str| quads.iter().filter(|quad| quad.object.to_string() == object).count();
        let own = ["<http://ex.org/Cat>", "\"small\"", "\"before\"", "\"after\""];
        assert_eq!(own.map(kept), [1; 4], "{inside}: {quads:?}");
        assert!(quads.iter().all(|quad| !quad.object.to_string().contains("lost")), "{quads:?}");
        let of_it = quads.iter().filter(|quad| quad.subject == quads[0].subject).count() as u64;
        assert!(of_it >= 4 && summary.quads == quads.len() as u64 && summary.skipped == 1, "{summary:?}");
    }
    // Without a name, or if members are counted, the rest would belong to another node or get another number.
    let nameless = element("e:x='y'", "<e:q rdf:resource='b c'/>");
    let members = element(named[0], "<rdf:li>1</rdf:li><e:q rdf:resource='b c'/><rdf:li>2</rdf:li>");
    for text in [nameless, members] {
        let (_, quads, summary) = both(&write(folder.path(), "whole.rdf", text.as_bytes()));
        assert!(!objects(&quads).contains(&"\"after\"".to_owned()), "{quads:?}");
        assert_eq!(summary.skipped, 1);
    }
}

#[test]
fn rdf_xml_that_cannot_be_gone_on_with_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let head = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://ex.org/'";
    let cases = [
        format!(
            "<e:Thing {head} rdf:about='http://ex.org/a'>\n<e:p>kept</e:p>\n<e:q rdf:resource='b c'/>\n<e:p>lost</e:p></e:Thing>"
        ),
        format!(
            "<rdf:RDF {head}>\n<e:Thing rdf:about='http://ex.org/a'><e:p>kept</e:p></e:Thing>\n<e:Thing rdf:about=\"x></e:Thing>\n</rdf:RDF>"
        ),
    ];
    for (at, text) in cases.iter().enumerate() {
        let (error, quads, summary) = both(&write(folder.path(), &format!("{at}.rdf"), text.as_bytes()));
        assert!(error.contains(&format!("{at}.rdf:3")), "{error}");
        assert_eq!((quads.len(), summary.skipped), (2, 1), "{at}: {quads:?}");
        assert!(summary.unread[1].contains("from line 3 on"), "{at}: {:?}", summary.unread);
    }
}

/// Each restart would lead to the same error again.
#[test]
fn rdf_xml_with_a_broken_root_is_told_and_left() {
    let folder = tempfile::tempdir().unwrap();
    for root in ["xmlns:rdf='http://ex.org/\u{1}#'", "xmlns:rdf='http://ex.org/ #'", "xml:lang='no tag'"] {
        let text = format!("<?xml version='1.0'?><rdf:RDF {root}><rdf:T><rdf:p>x</rdf:p></rdf:T></rdf:RDF>");
        let (_, quads, summary) = both(&write(folder.path(), "root.rdf", text.as_bytes()));
        assert!(quads.is_empty() && summary.skipped > 0, "{root}: {summary:?}");
        assert!(summary.unread[1].contains("from line 1 on"), "{root}: {summary:?}");
    }
}

#[test]
fn rdf_xml_that_ends_too_early_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = HEAD.to_owned();
    for number in 0..2_000 {
        let thing = "<rdf:Description rdf:about='http://ex.org/a'><e:p>";
        writeln!(text, "{thing}{number}</e:p></rdf:Description>").unwrap();
    }
    let ends = ["", "<rdf:Description rdf:about='http://ex.org/b'>", "<rdf:Description rdf:ab", "<!-- "];
    for (at, end) in ends.iter().enumerate() {
        let (error, quads, summary) =
            both(&write(folder.path(), &format!("{at}.rdf"), format!("{text}{end}").as_bytes()));
        assert!(error.contains(&format!("{at}.rdf:2002")), "{error}");
        assert_eq!((quads.len(), summary.skipped), (2_000, 1), "{at}");
    }
}

#[test]
fn triple_terms_are_refused_by_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let plain = "<http://ex.org/a> <http://ex.org/p> \"<<( \" .\n";
    let triple = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b>";
    let cases = [
        ("term.ttl", format!("<http://ex.org/a> <http://ex.org/says> <<( {triple} )>> .")),
        ("reified.ttl", format!("<< {triple} >> <http://ex.org/says> \"x\" .")),
        ("annotated.ttl", format!("{triple} {{| <http://ex.org/says> \"x\" |}} .")),
        ("term.nt", format!("<http://ex.org/a> <http://ex.org/says> <<( {triple} )>> .")),
        ("reified.nq", format!("<< {triple} >> <http://ex.org/says> \"x\" <http://ex.org/g> .")),
        (
            "term.trig",
            format!("<http://ex.org/g> {{ <http://ex.org/a> <http://ex.org/says> <<( {triple} )>> }}"),
        ),
    ];
    for (name, statement) in cases {
        let text = format!("{plain}{statement}\n{plain}");
        let (error, quads, summary) = both(&write(folder.path(), name, text.as_bytes()));
        assert!(error.contains(&format!("{name}:2")) && error.contains("RDF 1.2"), "{error}");
        assert!(summary.skipped > 0 && summary.reasons[0].contains("RDF 1.2"), "{:?}", summary.reasons);
        assert!(
            objects(&quads).iter().filter(|object| *object == "\"<<( \"").count() == 2,
            "{name}: {quads:?}"
        );
    }
    let (error, ..) = both(&write(folder.path(), "other.nt", format!("{plain}oops\n").as_bytes()));
    assert!(!error.contains("RDF 1.2"), "{error}");
}

#[test]
fn triple_terms_and_annotations_of_rdf_xml_are_refused_by_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let thing = |name: &str, inside: &str| {
        format!("<rdf:Description rdf:about='http://ex.org/{name}'>{inside}</rdf:Description>\n")
    };
    let triple = thing("x", "<e:p rdf:resource='http://ex.org/y'/>");
    for (name, odd) in [
        ("term.rdf", format!("<e:says rdf:parseType=\"Triple\">{triple}</e:says>")),
        ("spaced.rdf", format!("<e:says e:q='1' rdf:parseType = 'Triple' >{triple}</e:says>")),
        (
            "annotated.rdf",
            "<e:p rdf:annotation='http://ex.org/r' rdf:resource='http://ex.org/y'/>".to_owned(),
        ),
    ] {
        let (before, after) = (thing("a", "<e:p>before</e:p>"), thing("c", "<e:p>after</e:p>"));
        let text = format!("{HEAD}{before}{}{after}</rdf:RDF>", thing("b", &odd));
        let (error, quads, summary) = both(&write(folder.path(), name, text.as_bytes()));
        assert!(error.contains(&format!("{name}:3")) && error.contains("RDF 1.2"), "{error}");
        assert_eq!(objects(&quads), ["\"before\"", "\"after\""], "{name}");
        assert!(summary.skipped == 1 && summary.reasons[0].contains("RDF 1.2"), "{:?}", summary.reasons);
    }
    let plain = thing("b", "<e:p rdf:parseType='Literal'>Triple</e:p><e:q e:annotation='Triple'/>");
    let (quads, summary) =
        read(&write(folder.path(), "plain.rdf", format!("{HEAD}{plain}</rdf:RDF>").as_bytes()), false)
            .unwrap();
    assert!(quads.len() == 3 && summary.skipped == 0, "{quads:?}");
}

proptest! {
    #[test]
    fn what_is_not_too_long_is_handed_on_as_it_is(
        parts in prop::collection::vec(prop::sample::select(vec![
            "<", ">", "<<", "{", "|", "\"", "\"\"\"", "'", "'''", "\\", "\\u00e9", "#", "\n", "\r", "\r\n", " ", "é", "word",
            "<a b='>'>", "</a>", "<r:RDF x=\"'\">", "<b/>", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE r [", "<?", "?>",
        ]), 0..60),
        piece in 1_usize..9,
    ) {
        let text = parts.concat();
        for language in [ScannedSyntax::Turtle, ScannedSyntax::Json] {
            prop_assert_eq!(&text, &through(Bounded::new(text.as_bytes(), language), piece));
        }
        prop_assert_eq!(&text, &through(Elements::new(text.as_bytes()), piece));
    }
}

/// The output of a reader, read in pieces of this size.
fn through(mut reader: impl Read, piece: usize) -> String {
    let (mut all, mut buffer) = (Vec::new(), vec![0; piece]);
    loop {
        match reader.read(&mut buffer).unwrap() {
            0 => return String::from_utf8(all).unwrap(),
            count => all.extend_from_slice(&buffer[..count]),
        }
    }
}
