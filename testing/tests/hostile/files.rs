//! The real program with graphs that want to end it, or to take its memory: each is refused with its place and the bound, and a
//! service whose graph is such a file says so.

use super::eruca;
use eruca_testing::programs::{Watch, stderr};
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Stdio;

/// What reading such a file may take at most, in MB. A debug build takes some 70 for a small graph.
const MOST_MB: u64 = 500;

/// A name, the file, and what is said of it.
fn files() -> Vec<(&'static str, String, &'static str)> {
    let nodes = |times: usize, end: &str| {
        format!(
            "{}{end}{}",
            "{\"@id\":\"http://ex.org/x\",\"http://ex.org/p\":".repeat(times),
            "}".repeat(times)
        )
    };
    let graphs = format!("{}1{}", "{\"@graph\":".repeat(1_200), "}".repeat(1_200));
    let chain: String = (0..5_000).map(|at| format!("\"t{at}\":\"t{}:x\",", at + 1)).collect();
    let terms: String = (0..20_000).map(|at| format!("\"term{at}\":\"http://ex.org/{at}\",")).collect();
    let long =
        format!("{{\"@context\":{{{terms}\"p\":{{\"@id\":\"http://ex.org/p\",\"@context\":{{}}}}}},{}}}", {
            let inside = "\"p\":{".repeat(100);
            format!("{inside}\"@id\":\"http://ex.org/x\"{}", "}".repeat(100))
        });
    let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://ex.org/'";
    let entities = |count: usize, first: &str| {
        (1..=count).fold(format!("<!ENTITY e0 \"{first}\">\n"), |mut all, at| {
            let _written = writeln!(all, "<!ENTITY e{at} \"{}\">", format!("&e{};", at - 1).repeat(10));
            all
        })
    };
    let xml = |entities: String, inside: String| {
        format!(
            "<!DOCTYPE r [\n{entities}]><rdf:RDF {rdf}><rdf:Description {inside}</rdf:Description></rdf:RDF>"
        )
    };
    let often = "&e0;".repeat(2_000);
    vec![
        ("nodes.jsonld", nodes(1_200, "1"), "more than 128 deep"),
        ("graphs.jsonld", graphs, "more than 128 deep"),
        (
            "terms.jsonld",
            format!("{{\"@context\":{{{chain}\"t5000\":\"http://ex.org/\"}}}}"),
            "more than 128 steps",
        ),
        ("long.jsonld", long, "the contexts of objects in each other"),
        ("laughs.rdf", xml(entities(9, "aaaaaaaaaa"), "><e:p>&e9;</e:p>".to_owned()), "stand for more than"),
        (
            "laughs-in-iri.rdf",
            xml(entities(9, "aaaaaaaaaa"), "rdf:about='http://ex.org/&e9;'>".to_owned()),
            "stand for",
        ),
        (
            "often.rdf",
            xml(entities(0, &"a".repeat(1_000_000)), format!("><e:p>{often}</e:p>")),
            "add to a text",
        ),
        ("deep.rdf", format!("<rdf:RDF {rdf}>{}", "<e:T>".repeat(100_000)), "10000 tags in each other"),
    ]
}

/// Indexes a file; how it ends, what it says, and its most memory in MB.
fn index(folder: &Path, file: &str) -> (Option<i32>, Option<i32>, String, u64) {
    let mut command = eruca(folder);
    command.args(["index", "--out", "index", file]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let watch = Watch::over(&child);
    let status = format!("/proc/{}/status", child.id());
    let looks = std::thread::spawn(move || {
        let mut most = 0;
        while let Ok(text) = std::fs::read_to_string(&status) {
            let Some(peak) = text.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { break };
            most = most.max(peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10);
            std::thread::yield_now();
        }
        most
    });
    let output = child.wait_with_output().unwrap();
    watch.ends(file);
    (output.status.code(), output.status.signal(), stderr(&output), looks.join().unwrap())
}

#[test]
fn a_file_that_would_end_the_program_or_take_its_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, reason) in files() {
        std::fs::write(folder.path().join(name), text).unwrap();
        let (code, signal, said, megabytes) = index(folder.path(), name);
        assert_eq!((code, signal), (Some(1), None), "{name}: {said}");
        assert!(said.contains(name) && said.contains(reason), "{name}: {said}");
        assert!(megabytes < MOST_MB, "{name}: {megabytes} MB");
    }
}
