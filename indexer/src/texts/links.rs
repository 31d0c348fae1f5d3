//! Which things a text is about: by a mapping, by IRIs in it, by names. A name that several things have links to none.

use crate::entity_index::EntityIndex;
use crate::lexical::LexicalError;
use eruca_language::text::name_key;
use rustc_hash::FxHashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Names looked up per passage.
const MAX_NAMES: usize = 16;
/// Words in a name that is looked up.
const MAX_WORDS: usize = 6;
/// Hits compared with a name.
const HITS: usize = 4;
/// Names remembered.
const MAX_KNOWN: usize = 200_000;
/// Maximum size of a mapping in bytes.
const MAX_MAPPING: u64 = 64 << 20;
/// Characters at which an IRI in a text ends.
const IRI_ENDS: [char; 9] = ['<', '>', '"', '\'', '(', ')', '[', ']', '|'];

/// Finds things of a graph in texts.
pub(super) struct Links<'a> {
    entities: &'a EntityIndex,
    known: FxHashMap<String, Option<String>>,
}

impl<'a> Links<'a> {
    pub(super) fn new(entities: &'a EntityIndex) -> Self {
        Self { entities, known: FxHashMap::default() }
    }

    /// The thing with an IRI.
    fn by_iri(&self, iri: &str) -> Result<Option<String>, LexicalError> {
        Ok(self.entities.get(iri)?.map(|entity| entity.iri))
    }

    /// The only thing with a name.
    fn by_name(&mut self, name: &str) -> Result<Option<String>, LexicalError> {
        let key = name_key(name);
        if key.chars().count() < 3 {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let hits = self.entities.search(name, None, HITS)?;
        let has_name = |labels: &[crate::Label]| labels.iter().any(|label| name_key(&label.text) == key);
        let mut named = hits.into_iter().map(|hit| hit.record).filter(|entity| has_name(&entity.labels));
        let found = match (named.next(), named.next()) {
            (Some(only), None) => Some(only.iri),
            _ => None,
        };
        if self.known.len() < MAX_KNOWN {
            self.known.insert(key, found.clone());
        }
        Ok(found)
    }

    /// The thing that an IRI or a name stands for.
    pub(super) fn of(&mut self, given: &str) -> Result<Option<String>, LexicalError> {
        match self.by_iri(given)? {
            Some(iri) => Ok(Some(iri)),
            None => self.by_name(given),
        }
    }

    /// The things of which some addresses are the IRIs.
    pub(super) fn among(&self, addresses: &[String]) -> Result<Vec<String>, LexicalError> {
        let found: Result<Vec<_>, _> = addresses.iter().map(|address| self.by_iri(address)).collect();
        Ok(found?.into_iter().flatten().collect())
    }

    /// The things that a text names, by their IRIs or by names with capital letters.
    pub(super) fn named_in(&mut self, text: &str) -> Result<Vec<String>, LexicalError> {
        let mut found = Vec::new();
        for iri in iris(text).take(MAX_NAMES) {
            found.extend(self.by_iri(iri)?);
        }
        for run in runs(text).into_iter().take(MAX_NAMES) {
            // The first word of a sentence has a capital without being part of a name, as may a last word of another name.
            let (first, last) =
                (run.get(1..).unwrap_or_default(), run.get(..run.len() - 1).unwrap_or_default());
            for name in [run.as_slice(), first, last].into_iter().filter(|name| !name.is_empty()) {
                if let Some(iri) = self.by_name(&name.join(" "))? {
                    found.push(iri);
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// The web addresses in a text.
fn iris(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || IRI_ENDS.contains(&c));
    let is_web = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
    words.filter(is_web).map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?']))
}

/// Runs of words that begin with a capital letter or a digit.
fn runs(text: &str) -> Vec<Vec<&str>> {
    let (mut found, mut run): (Vec<Vec<&str>>, Vec<&str>) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        let begins = inner.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric());
        // A mark before or after a word separates it from its neighbours.
        if !begins || !word.starts_with(inner) || run.len() == MAX_WORDS {
            found.extend((!run.is_empty()).then(|| std::mem::take(&mut run)));
        }
        if begins {
            run.push(inner);
            if !word.ends_with(inner) {
                found.push(std::mem::take(&mut run));
            }
        }
    }
    found.extend((!run.is_empty()).then_some(run));
    found.retain(|run| run.iter().any(|word| word.chars().any(char::is_alphabetic)));
    found
}

/// What a mapping says: which documents are about which things.
#[derive(Debug, Default)]
pub(super) struct Mapping {
    /// By the last part of a document's path: the whole path as given, and the IRI or name of a thing.
    by_name: FxHashMap<String, Vec<(PathBuf, String)>>,
}

impl Mapping {
    /// The IRIs or names of the things that a document is about.
    pub(super) fn of<'m>(&'m self, file: &'m Path) -> impl Iterator<Item = &'m str> {
        let name = file.file_name().and_then(|name| name.to_str());
        let lines = name.and_then(|name| self.by_name.get(name)).map_or(&[][..], Vec::as_slice);
        lines.iter().filter(|(given, _)| file.ends_with(given)).map(|(_, thing)| thing.as_str())
    }
}

/// Reads a mapping: lines with the name of a file, a tab, and the IRI or the name of a thing.
pub(super) fn mapping(file: &Path) -> io::Result<Mapping> {
    if fs::metadata(file)?.len() > MAX_MAPPING {
        return Err(io::Error::other("it is larger than 64 MB"));
    }
    let text = fs::read_to_string(file)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let mut mapping = Mapping::default();
    for (number, line) in lines {
        let Some((file, thing)) = line.split_once('\t') else {
            return Err(io::Error::other(format!("line {} has no tab between file and thing", number + 1)));
        };
        let file = PathBuf::from(file.trim());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        mapping.by_name.entry(name).or_default().push((file, thing.trim().to_owned()));
    }
    Ok(mapping)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_runs_of_capitals() {
        let found = runs("Yesterday the Old Mill, Anna and (New York) met. 12 men saw K2.");
        assert_eq!(
            found,
            [vec!["Yesterday"], vec!["Old", "Mill"], vec!["Anna"], vec!["New", "York"], vec!["K2"]]
        );
        assert!(runs("").is_empty() && runs("… – 1, 2").is_empty());
    }

    #[test]
    fn addresses_end_before_marks() {
        let found: Vec<_> = iris("See <http://a.example/x>, (https://b.example/y?z=1). no http").collect();
        assert_eq!(found, ["http://a.example/x", "https://b.example/y?z=1"]);
    }
}
