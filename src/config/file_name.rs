//! Folder names for ids of datasets.

use uuid::Uuid;

/// The id itself if it is a plain lower-case name, otherwise a readable form with a suffix that makes it unique.
pub(super) fn safe_file_name(id: &str) -> String {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
    if id.chars().all(plain) && !id.starts_with(['.', '-']) && id.len() <= 64 {
        return id.to_owned();
    }
    let mut name = String::new();
    for c in id.to_lowercase().chars().take(64) {
        match c {
            c if plain(c) => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    // Two ids may have the same readable form ("A b" and "a-b"); a hash of the id distinguishes them.
    let hash = Uuid::new_v5(&Uuid::NAMESPACE_URL, id.as_bytes()).simple().to_string();
    let hash = hash.get(..8).unwrap_or_default();
    format!("{}-{hash}", name.trim_matches(['-', '.'])).trim_start_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_of_ids_are_safe_stable_and_distinct() {
        assert_eq!(safe_file_name("demo"), "demo");
        let iri = safe_file_name("https://text2sparql.aksw.org/2025/dbpedia/");
        assert!(iri.starts_with("https-text2sparql.aksw.org-2025-dbpedia-"), "{iri}");
        assert_eq!(iri, safe_file_name("https://text2sparql.aksw.org/2025/dbpedia/"));
        assert_ne!(safe_file_name("Demo"), safe_file_name("demo"));
        assert_ne!(safe_file_name("A b"), safe_file_name("a-b"));
        for id in ["..", "../x", "/", "-", "猫", &"x".repeat(500)] {
            let name = safe_file_name(id);
            assert!(!name.is_empty() && name.len() <= 80 && !name.contains('/'), "{id}: {name}");
            assert!(!name.starts_with(['.', '-']), "{id}: {name}");
        }
    }
}
