//! The code knows languages and shapes of schemas, and no graph: nothing of the graphs with which it is measured stands in
//! it.

use crate::layering::{SOURCES, sources};
use eruca_testing::helpers::repository;
use eruca_testing::shared::shared;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Words of the longest name that is looked for.
const MAX_WORDS: usize = 6;
/// Namespaces that everyone uses.
const EVERYONES: &[&str] = &[
    "www.w3.org",
    "purl.org",
    "xmlns.com",
    "schema.org",
    "geonames.org",
    "creativecommons.org",
    "rdfs.org",
    "wikiba.se",
];

/// Its properties have the names that Wikidata gives them, which the profile of Wikibases knows.
const WIKIBASE: &str = "mini_wikibase.ttl";

/// The sources without their tests. Names of countries belong to languages.
fn code() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in SOURCES {
        for file in sources(&repository().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let is_test =
                file.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
            if !is_test {
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                found.push((file, code.to_owned()));
            }
        }
    }
    found.extend(packs());
    found
}

/// The files of the language packs.
fn packs() -> Vec<(PathBuf, String)> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let folders = entries(&repository().join("language/packs")).into_iter().filter(|path| path.is_dir());
    let tables = folders.flat_map(|folder| entries(&folder));
    let tables = tables.filter(|file| !file.ends_with("countries.txt"));
    tables.map(|file| (file.clone(), std::fs::read_to_string(&file).unwrap())).collect()
}

/// Tables of prefixes and of public vocabularies name their hosts.
fn lists_vocabularies(file: &Path) -> bool {
    file.ends_with("sparql/src/terms.rs") || file.ends_with("indexer/src/vocabulary/rdf.rs")
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_some_and(|end| end == "ttl" || end == "nt"))
        .filter(|path| !path.ends_with(WIKIBASE))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

/// Hosts of the IRIs, but for those of vocabularies that everyone uses.
fn hosts(text: &str) -> HashSet<String> {
    let iris = text.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(iri, _)| iri);
    let hosts = iris.filter_map(|iri| iri.split_once("://")?.1.split(['/', '#']).next());
    hosts.filter(|host| !EVERYONES.iter().any(|known| host.ends_with(known))).map(str::to_owned).collect()
}

/// Texts of several words with a capital: names of things.
fn names(text: &str) -> HashSet<String> {
    let literals = text.split('"').skip(1).step_by(2);
    let is_name = |text: &&str| {
        let words = text.split_whitespace().count();
        (2..=MAX_WORDS).contains(&words) && text.chars().next().is_some_and(char::is_uppercase)
    };
    literals.filter(is_name).map(str::to_owned).collect()
}

/// All runs of words in the code, as they stand.
fn phrases(code: &str) -> HashSet<String> {
    let words: Vec<&str> = code
        .split(|c: char| c.is_whitespace() || "\"|,;:()[]{}".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = HashSet::new();
    for count in 2..=MAX_WORDS {
        found.extend(words.windows(count).map(|run| run.join(" ")));
    }
    found
}

#[test]
fn no_graph_is_known_by_name() {
    let code = code();
    let phrases: Vec<(&PathBuf, HashSet<String>)> =
        code.iter().map(|(file, text)| (file, phrases(text))).collect();
    let mut faults = HashSet::new();
    for graph in graphs() {
        for host in hosts(&graph).into_iter().filter(|host| host.len() > 5) {
            let holds = code.iter().filter(|(file, text)| !lists_vocabularies(file) && text.contains(&host));
            faults.extend(holds.map(|(file, _)| format!("{host} in {}", file.display())));
        }
        for name in names(&graph) {
            let holds = phrases.iter().filter(|(_, known)| known.contains(&name));
            faults.extend(holds.map(|(file, _)| format!("{name} in {}", file.display())));
        }
    }
    assert!(faults.is_empty(), "the code names things of a graph: {faults:#?}");
}

/// The graphs of the repository on which the planner is measured, and those beside it where they are there.
fn graphs() -> Vec<String> {
    let own = files(&repository().join("tests/data/questions"));
    assert!(own.len() > 5 && own.iter().map(|graph| names(graph).len()).sum::<usize>() > 100);
    let beside = ["ck25", "minidbp", "spider4sparql"].into_iter().filter_map(shared);
    own.into_iter().chain(beside.flat_map(|folder| files(&folder))).collect()
}

/// One file knows Wikidata's own numbers; tables of prefixes and of presets name its host.
#[test]
fn wikidata_is_known_in_its_profile_alone() {
    let knows = |file: &Path| {
        ["indexer/src/vocabulary/wikibase.rs", "sparql/src/terms.rs", "src/config/presets.rs"]
            .iter()
            .any(|known| file.ends_with(known))
            // Engines are recognised by their addresses.
            || file.ends_with("sparql/src/dialect/wdqs.rs")
    };
    let number = |literal: &str| {
        let rest =
            literal.strip_prefix(['P', 'Q']).or_else(|| literal.rsplit_once(":P").map(|(_, rest)| rest));
        rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    for (file, code) in code() {
        let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let literals = code.split('"').skip(1).step_by(2);
        let found: Vec<&str> =
            literals.filter(|text| text.contains("wikidata.org") || number(text)).collect();
        assert!(found.is_empty() || knows(&file), "{} in {}", found.join(", "), file.display());
    }
}
