//! Documents for the tests in this folder.

use super::{NameDocument, NameIndexWriter, Named, PreparedDocument};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A name, its uses, and prose about it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Thing(pub(super) String, pub(super) u64, pub(super) Option<String>);

impl Named for Thing {
    fn names(&self) -> Vec<&str> {
        vec![&self.0]
    }

    fn uses(&self) -> u64 {
        self.1
    }

    fn prose(&self) -> Option<&str> {
        self.2.as_deref()
    }
}

/// The document of a thing; a third each has the filter `f0`, `f1`, `f2`.
pub(super) fn document(
    (number, (name, uses)): (usize, &(String, u64)),
    text: Option<&str>,
) -> NameDocument<Thing> {
    NameDocument {
        id: number.to_string(),
        filters: vec![format!("f{}", uses % 3)],
        record: Thing(name.clone(), *uses, text.map(str::to_owned)),
    }
}

/// Writes an index as a build does.
pub(super) fn write(folder: &Path, things: &[(String, u64)], text: Option<&str>) {
    let mut writer = NameIndexWriter::create(folder).unwrap();
    for batch in things.chunks(512) {
        let prepare = |thing| PreparedDocument::new(document(thing, text)).unwrap();
        let mut batch: Vec<_> = batch.iter().enumerate().map(prepare).collect();
        PreparedDocument::sort(&mut batch);
        batch.into_iter().for_each(|document| writer.push(&document).unwrap());
    }
    writer.finish().unwrap();
}
