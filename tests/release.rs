//! The papers of a release, without a build: the bill of materials and the licences.

use eruca_testing::helpers::repository;
use eruca_testing::programs::{is_installed, skipped};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes the papers into a folder, at this time.
fn papers(folder: &Path) {
    let mut release = Command::new(repository().join(".ci/release"));
    release.arg("--papers").arg(folder).env("SOURCE_DATE_EPOCH", "1700000000");
    let output = release.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_papers_of_a_release_name_everything_and_are_the_same_each_time() {
    if !is_installed("python3", "--version") {
        return skipped("python3 is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    papers(&first);
    papers(&second);
    for name in ["eruca.cdx.json", "THIRD-PARTY-LICENSES.txt"] {
        assert_eq!(fs::read(first.join(name)).unwrap(), fs::read(second.join(name)).unwrap(), "{name}");
    }
    let bill: Value = serde_json::from_slice(&fs::read(first.join("eruca.cdx.json")).unwrap()).unwrap();
    assert_eq!((&bill["bomFormat"], &bill["specVersion"]), (&"CycloneDX".into(), &"1.6".into()));
    assert_eq!(bill["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
    assert_eq!(bill["metadata"]["component"]["version"], env!("CARGO_PKG_VERSION"));
    let licences = fs::read_to_string(first.join("THIRD-PARTY-LICENSES.txt")).unwrap();
    let components = bill["components"].as_array().unwrap();
    let mut known: BTreeSet<&str> =
        BTreeSet::from([bill["metadata"]["component"]["bom-ref"].as_str().unwrap()]);
    for component in components {
        let (name, version) = (component["name"].as_str().unwrap(), component["version"].as_str().unwrap());
        assert!(known.insert(component["bom-ref"].as_str().unwrap()), "{name} stands twice");
        assert!(component["licenses"][0].is_object(), "{name}");
        let own = name.starts_with("eruca-");
        assert!(own || component["hashes"][0]["content"].is_string(), "{name}");
        let told = licences.contains(&format!("\n{name} {version}: "));
        assert!(own || component["scope"] == "excluded" || told, "{name} {version} has no licence");
    }
    for needed in ["pkg:cargo/oxigraph@", "pkg:cargo/tantivy@", "pkg:npm/leaflet@"] {
        assert!(known.iter().any(|reference| reference.starts_with(needed)), "{needed}");
    }
    for needs in bill["dependencies"].as_array().unwrap() {
        let on = needs["dependsOn"].as_array().unwrap().iter().map(|other| other.as_str().unwrap());
        assert!(on.chain(needs["ref"].as_str()).all(|reference| known.contains(reference)), "{needs}");
    }
}

/// What the Dockerfile lacks so that an image could be built of a workspace with this member.
fn missing_in_image(dockerfile: &str, member: &str) -> Vec<String> {
    let touched = dockerfile.lines().filter(|line| line.contains("touch ")).collect::<Vec<_>>();
    let source = format!(" {member}/src/lib.rs ");
    let mut missing = Vec::new();
    if !dockerfile.contains(&format!("\nCOPY {member}/Cargo.toml {member}/\n")) {
        missing.push(format!("{member}/Cargo.toml is not copied"));
    }
    if touched.len() != 2 || !touched.iter().all(|line| line.contains(&source)) {
        missing.push(format!("{member}/src/lib.rs is not touched twice"));
    }
    missing
}

#[test]
fn the_image_is_built_of_all_members_of_the_workspace() {
    let read = |name: &str| fs::read_to_string(repository().join(name)).unwrap();
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let members = manifest["workspace"]["members"].as_array().unwrap();
    let members = members.iter().map(|member| member.as_str().unwrap()).filter(|member| *member != ".");
    let dockerfile = read("Dockerfile");
    let missing: Vec<String> = members.flat_map(|member| missing_in_image(&dockerfile, member)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(missing_in_image(&dockerfile, "other").len(), 2);
}
