//! Packages depend, and modules use, only what the tables of ARCHITECTURE.md under "Layers" allow.

use eruca_testing::helpers::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders with the sources of the packages.
pub(crate) const SOURCES: [&str; 13] = [
    "src",
    "api/src",
    "compute/src",
    "dataset/src",
    "documents/src",
    "eval/src",
    "indexer/src",
    "knowledge/src",
    "language/src",
    "planner/src",
    "sparql/src",
    "store/src",
    "verbalize/src",
];

/// The table of ARCHITECTURE.md whose first column has this title: each name in backquotes of the first column of a row with those
/// of the second.
fn table(title: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = std::fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let (_, after) = text.split_once(&format!("\n| {title} |")).unwrap();
    let rows = after.lines().skip(2).take_while(|line| line.starts_with('|'));
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<BTreeSet<_>>();
    let mut table = BTreeMap::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').collect();
        for name in names(cells[1]) {
            assert!(table.insert(name, names(cells[2])).is_none(), "{row}: stands twice");
        }
    }
    table
}

#[test]
fn modules_use_only_those_below_them() {
    let allowed = table("Module | May use");
    let (mut faults, mut seen) = (Vec::new(), BTreeSet::new());
    for file in sources(&repository().join("src")) {
        let module = top_module(&file);
        if module == "lib" {
            continue;
        }
        let allowed =
            allowed.get(&module).unwrap_or_else(|| panic!("{module} is not in the table of layers"));
        let text = std::fs::read_to_string(&file).unwrap();
        let root = if module == "main" { "eruca::" } else { "crate::" };
        for used in used_modules(&text, root) {
            if used != module && !allowed.contains(&used) {
                faults.push(format!("{} uses {used}", file.strip_prefix(repository()).unwrap().display()));
            }
        }
        seen.insert(module);
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(
        allowed.into_keys().collect::<BTreeSet<_>>(),
        seen,
        "modules that are gone stand in the table"
    );
}

/// So phrases, context and chart can be read and tested without the constructs, and each construct without the others.
#[test]
fn the_grammar_goes_one_way() {
    let planner = repository().join("planner/src");
    let allowed = table("Module of the grammar | May use in the planner");
    let mut faults = Vec::new();
    for file in sources(&planner) {
        let module = first_folder(&file, &planner);
        let Some(allowed) = allowed.get(&module) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        let own = module != "construct";
        for used in used_modules(&text, "crate::") {
            if !((own && used == module) || allowed.contains(&used)) {
                faults.push(format!("{} uses {used}", file.display()));
            }
        }
        let code = text.split("#[cfg(test)]").next().unwrap();
        if !own && code.contains("super::") {
            faults.push(format!("{} uses its neighbours", file.display()));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// So the planner knows no benchmark, no HTTP and no model, and the benchmarks know no service.
#[test]
fn packages_depend_only_on_those_below_them() {
    for (package, allowed) in table("Package | May depend on") {
        let folder = package.strip_prefix("eruca-").unwrap_or_default();
        let manifest = std::fs::read_to_string(repository().join(folder).join("Cargo.toml")).unwrap();
        let (_, dependencies) = manifest.split_once("\n[dependencies]").unwrap();
        let (dependencies, _) = dependencies.split_once("\n[dev-dependencies]").unwrap();
        let names = dependencies.lines().filter_map(|line| line.split(['.', ' ']).next());
        let own: BTreeSet<String> =
            names.filter(|name| name.starts_with("eruca")).map(str::to_owned).collect();
        assert_eq!(own, allowed, "{package}");
    }
}

#[test]
fn every_module_says_what_it_is_for() {
    for folder in SOURCES.into_iter().chain(["testing/src", "testing/tests", "tests"]) {
        for file in sources(&repository().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("//! "), "{} does not start with //!", file.display());
        }
    }
}

#[test]
fn http_and_the_command_line_alone_know_the_wire() {
    for file in sources(&repository().join("src")) {
        let module = top_module(&file);
        let text = std::fs::read_to_string(&file).unwrap();
        let knows = ["actix_web::", "utoipa::"].iter().any(|name| text.contains(name));
        assert!(!knows || module == "http", "{} knows the HTTP server", file.display());
    }
}

/// A client that is made elsewhere might follow a redirect to a stranger, with the question and the key.
#[test]
fn one_function_makes_the_client_of_all_requests() {
    let makes = ["Client::builder", "Client::new", "ClientBuilder::new", "reqwest::get", "Client::default"];
    for folder in SOURCES {
        for file in sources(&repository().join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let made = makes.iter().any(|name| code.contains(name));
            assert!(!made || file.ends_with("sparql/src/outgoing.rs"), "{} makes a client", file.display());
        }
    }
}

/// All Rust files of a folder and its folders, but for those that are nothing but tests.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn top_module(file: &Path) -> String {
    first_folder(file, &repository().join("src"))
}

fn first_folder(file: &Path, sources: &Path) -> String {
    let inside = file.strip_prefix(sources).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

/// The names after `crate::` (`eruca::` in the program), also those in braces; tests may use anything.
fn used_modules(text: &str, root: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let mut used = BTreeSet::new();
    for (at, _) in code.match_indices(root) {
        let before = code[..at].chars().next_back();
        if !before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            used.extend(first_names(&code[at + root.len()..]));
        }
    }
    used
}

/// `a` of `a::b`, and `a` and `c` of `{a::{b, d}, c}`.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(inside) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut names = vec![name(inside.trim_start())];
    let mut depth = 1;
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(inside[at + 1..].trim_start())),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn names_in_braces_are_seen() {
    let code = "use crate::{cli::{a, b}, config};\nuse crate::http::x;\nmy_crate::no;\n#[cfg(test)]\nuse crate::tools;";
    assert_eq!(used_modules(code, "crate::").into_iter().collect::<Vec<_>>(), ["cli", "config", "http"]);
}
