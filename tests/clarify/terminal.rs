//! In the terminal it is answered with a number, and what was chosen can be proposed for all.

use super::{BOUGHT, EITHER, MADE, PLAIN};
use crate::talk::piped;
use eruca_testing::programs::{stderr, stdout};
use serde_json::Value;

fn talked(said: &str) -> (tempfile::TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("eruca.toml"), super::lamps()).unwrap();
    let output = piped(folder.path(), &["ask", "-i"], said);
    let (told, noted) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(0), "{noted}");
    (folder, told, noted)
}

/// The proposals of a folder, as they are kept.
fn proposals(folder: &std::path::Path) -> Vec<Value> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match std::fs::read_to_string(&entry) {
                _ if entry.is_dir() => folders.push(entry),
                Ok(text) if text.contains("\"prefer\"") => found.push(serde_json::from_str(&text).unwrap()),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn a_number_chooses_and_the_choice_is_proposed_for_all() {
    let (folder, told, noted) = talked(&format!("{EITHER}\n2\n:propose\n"));
    let list = "Which is meant? (type its number)\n  1  date made (shown)\n  2  date acquired\n";
    assert!(told.contains(list), "{told}");
    let (_, after) = told.split_once("2  date acquired\n").unwrap();
    assert!(after.contains("Arc is 2") && !after.contains("Which is meant?"), "{told}");
    assert!(after.contains("proposed; the owner of the graph decides"), "{told}\n{noted}");
    let [proposal] = proposals(folder.path()).try_into().unwrap();
    let text = proposal.to_string();
    assert!(text.contains(BOUGHT) && text.contains(MADE) && text.contains(EITHER), "{text}");
}

#[test]
fn nothing_is_proposed_that_was_not_chosen() {
    let (folder, told, noted) = talked(&format!("{EITHER}\n:propose\n{PLAIN}\n:propose\n"));
    assert_eq!(noted.matches("nothing was chosen yet").count(), 2, "{noted}");
    assert_eq!(told.matches("Which is meant?").count(), 1, "{told}");
    assert_eq!(proposals(folder.path()).len(), 0);
}
