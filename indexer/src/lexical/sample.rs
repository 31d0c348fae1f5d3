//! Documents for the tests in this folder.

use super::{NameDocument, NameIndexWriter, Named, PreparedDocument};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A name and its uses.
#[derive(Serialize, Deserialize)]
pub(super) struct Thing(pub(super) String, pub(super) u64);

impl Named for Thing {
    fn names(&self) -> Vec<&str> {
        vec![&self.0]
    }

    fn uses(&self) -> u64 {
        self.1
    }
}

/// Writes an index as a build does; a third each of the documents has the filter `f0`, `f1`, `f2`.
pub(super) fn write(folder: &Path, things: &[(String, u64)], text: Option<&str>) {
    let mut writer = NameIndexWriter::create(folder).unwrap();
    for batch in things.chunks(512) {
        let document = |(number, (name, uses)): (usize, &(String, u64))| NameDocument {
            id: number.to_string(),
            text: text.map(str::to_owned),
            filters: vec![format!("f{}", uses % 3)],
            record: Thing(name.clone(), *uses),
        };
        let mut batch: Vec<_> =
            batch.iter().enumerate().map(|d| PreparedDocument::new(&document(d)).unwrap()).collect();
        PreparedDocument::sort(&mut batch);
        batch.into_iter().for_each(|document| writer.push(document).unwrap());
    }
    writer.finish().unwrap();
}
