//! Modules know only those below them; ARCHITECTURE.md draws the picture, this test holds it.

use crate::helpers::repository;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every top-level module and what it may use.
const MAY_USE: [(&str, &[&str]); 24] = [
    ("main", &["cli", "config", "lines", "startup", "telemetry"]),
    ("cli", &["config", "eval", "http", "lines", "mcp", "service", "startup", "trace"]),
    ("eval", &["dataset", "http", "service", "trace"]),
    ("startup", &["agent", "cache", "config", "dataset", "llm", "service", "tools"]),
    ("http", &["config", "lines", "llm", "mcp", "service", "trace", "why"]),
    ("mcp", &["service", "trace"]),
    ("telemetry", &["config", "lines"]),
    (
        "service",
        &[
            "agent",
            "cache",
            "dataset",
            "form",
            "grounding",
            "helps",
            "llm",
            "tools",
            "trace",
            "why",
            "words",
            "work",
        ],
    ),
    ("agent", &["dataset", "form", "grounding", "helps", "llm", "tools", "trace", "work"]),
    ("fuzzing", &["agent", "llm", "tools"]),
    ("form", &["dataset"]),
    ("grounding", &["dataset", "tools"]),
    ("tools", &["dataset", "helps", "llm"]),
    ("words", &["dataset", "llm", "titles", "trace"]),
    ("trace", &["llm"]),
    ("why", &["dataset", "titles"]),
    ("titles", &["dataset"]),
    ("dataset", &["cache"]),
    ("cache", &[]),
    ("llm", &[]),
    ("config", &["helps"]),
    ("helps", &[]),
    ("lines", &[]),
    ("work", &[]),
];

#[test]
fn modules_use_only_those_below_them() {
    let mut faults = Vec::new();
    for file in sources(&repository().join("src")) {
        let module = top_module(&file);
        if module == "lib" {
            continue;
        }
        let allowed = MAY_USE.iter().find(|(name, _)| *name == module);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{module} is not in the table of layers"));
        let text = std::fs::read_to_string(&file).unwrap();
        let root = if module == "main" { "eruca::" } else { "crate::" };
        for used in used_modules(&text, root) {
            if used != module && !allowed.contains(&used.as_str()) {
                faults.push(format!("{} uses {used}", file.strip_prefix(repository()).unwrap().display()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// The planner can know no benchmark, no HTTP and no model: it is below them.
#[test]
fn the_planner_knows_the_index_and_nothing_above_it() {
    let manifest = std::fs::read_to_string(repository().join("planner/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
    let (dependencies, _) = dependencies.split_once("[dev-dependencies]").unwrap();
    let own: Vec<&str> = dependencies.lines().filter(|line| line.starts_with("eruca")).collect();
    assert_eq!(own, ["eruca-indexer.workspace = true", "eruca-sparql.workspace = true"]);
}

#[test]
fn every_module_says_what_it_is_for() {
    for folder in ["src", "planner/src", "indexer/src", "sparql/src"] {
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
    for folder in ["src", "planner/src", "indexer/src", "sparql/src"] {
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
    let inside = file.strip_prefix(repository().join("src")).unwrap();
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
