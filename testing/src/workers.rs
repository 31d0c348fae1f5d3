//! The worker processes of a program, and queries with which they have to be ended.

use std::time::{Duration, Instant};

/// How long an event is waited for that is sure to come.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The processes whose parent is `parent` and that have not ended.
pub fn children(parent: u32) -> Vec<u32> {
    of_parent(parent, |state| state != "Z")
}

/// Those that have ended, and that `parent` has not waited for.
pub fn zombies(parent: u32) -> Vec<u32> {
    of_parent(parent, |state| state == "Z")
}

fn of_parent(parent: u32, is_meant: impl Fn(&str) -> bool) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|number| is_child(*number, parent, &is_meant)).collect()
}

fn is_child(process: u32, parent: u32, is_meant: impl Fn(&str) -> bool) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{process}/stat")) else { return false };
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    is_meant(fields[0]) && fields[1] == parent.to_string()
}

/// Waits for what is sure to come.
pub async fn until(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        tokio::task::yield_now().await;
    }
}

/// Queries that loop over rows in memory without reading a triple, and others that never come to an end.
pub fn endless() -> Vec<String> {
    let values = |variable: &str| format!("VALUES ?{variable} {{ {} }}", "1 ".repeat(2_000));
    let (x, y, z) = (values("x"), values("y"), values("z"));
    vec![
        format!("SELECT (COUNT(*) AS ?n) {{ {x} OPTIONAL {{ {y} {z} FILTER(?x + ?y + ?z > 10) }} }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {x} {y} {z} FILTER(?x + ?y + ?z > 10) }}"),
        format!("SELECT (COUNT(*) AS ?n) {{ {x} {y} MINUS {{ {z} VALUES ?y {{ 2 3 }} }} {z} }}"),
        format!(
            "SELECT (COUNT(*) AS ?n) {{ {x} FILTER NOT EXISTS {{ {y} {z} FILTER(?x + ?y + ?z > 10) }} }}"
        ),
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i MINUS { ?a ?e ?i } }".to_owned(),
        "SELECT (COUNT(*) AS ?n) { ?a (!geo:x|^!geo:x)* ?b . ?c (!geo:x|^!geo:x)* ?d }".to_owned(),
        "SELECT * { ?a ?b ?x . ?c ?d ?y FILTER(regex(str(?x), CONCAT('(.*a){1,60}', str(?y)))) }".to_owned(),
    ]
}

/// Queries that need far more memory than they may take.
pub fn greedy() -> Vec<String> {
    [
        "SELECT (GROUP_CONCAT(?big) AS ?g) { ?a ?b ?c . ?d ?e ?f BIND(CONCAT(STR(?a), STR(?c), STR(?d)) AS ?big) }",
        "SELECT (COUNT(DISTINCT ?u) AS ?n) { ?a ?b ?c . ?d ?e ?f BIND(STRUUID() AS ?u) }",
        "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c ?f ?i",
        "SELECT (COUNT(*) AS ?n) { SELECT DISTINCT ?a ?d ?c ?f { ?a ?b ?c . ?d ?e ?f } }",
        "SELECT (COUNT(*) AS ?n) { ?a ?b ?c MINUS { ?a ?e ?f . ?g ?h ?i } }",
    ]
    .map(str::to_owned)
    .to_vec()
}
