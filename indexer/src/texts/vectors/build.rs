//! Embeds the passages of an index that has just been written, some at a time: neither all passages nor all vectors are ever
//! in memory.

use super::local::LocalVectorsWriter;
use super::{MAX_LOCAL, TEXT_VECTORS_FORMAT, TextVectorsError, TextVectorsStamp};
use crate::embedding::{Embedder, EmbeddingError, Purpose};
use crate::health::IntegrityAlarm;
use crate::progress::Progress;
use crate::qdrant::{NewCollection, QdrantOptions};
use crate::schema_index::NewPassages;
use crate::texts::{Passage, TextIndex};
use std::path::Path;

/// Passages embedded between two progress reports.
const STEP: u32 = 128;

/// Where to write vectors.
pub(crate) enum VectorTarget<'a> {
    /// The folder of the passages.
    Folder,
    /// A Qdrant server; and the index folder, with the list of collections that were started.
    Qdrant(&'a QdrantOptions, &'a Path),
}

/// Why passages get no vectors although they should; `None` if they do.
pub(crate) fn left_out(passages: u64, target: &VectorTarget<'_>) -> Option<String> {
    let is_too_many = passages > MAX_LOCAL && matches!(target, VectorTarget::Folder);
    is_too_many.then(|| {
        format!(
            "the texts have {passages} passages, and vectors of more than {MAX_LOCAL} need a Qdrant server \
             ([schema_index] backend = \"qdrant\"); they are searched by words alone"
        )
    })
}

/// Embeds the passages in a folder. Returns what the manifest says of their vectors, and their new collection.
pub(crate) async fn write(
    passages: &Path,
    embedder: &dyn Embedder,
    target: &VectorTarget<'_>,
    progress: &dyn Progress,
) -> Result<(TextVectorsStamp, Option<NewCollection>), TextVectorsError> {
    let index = TextIndex::open(passages, &IntegrityAlarm::default())?;
    progress.begin("embedding passages", Some(u64::from(index.passages())));
    let mut sink = Sink::start(passages, target, embedder.dimension()).await?;
    if let Err(error) = embed(&index, embedder, &mut sink, progress).await {
        sink.discard().await;
        return Err(error);
    }
    let collection = sink.finish()?;
    progress.end(&format!("{} passages", index.passages()));
    let stamp = TextVectorsStamp {
        format: TEXT_VECTORS_FORMAT,
        dimension: embedder.dimension(),
        collection: collection.as_ref().map(|collection| collection.name().to_owned()),
    };
    Ok((stamp, collection))
}

async fn embed(
    index: &TextIndex,
    embedder: &dyn Embedder,
    sink: &mut Sink,
    progress: &dyn Progress,
) -> Result<(), TextVectorsError> {
    let mut first = 0;
    while first < index.passages() {
        let end = first.saturating_add(STEP).min(index.passages());
        let passages = (first..end).map(|number| index.numbered(number)).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<String> = passages.iter().map(Passage::embedding_text).collect();
        let vectors = embedder.embed(texts, Purpose::Document).await?;
        check_shape(&vectors, passages.len(), embedder.dimension())?;
        sink.add(first, &passages, vectors).await?;
        progress.advance(u64::from(end - first));
        first = end;
    }
    Ok(())
}

/// A vector too many or too few would give every later passage that of another one.
fn check_shape(vectors: &[Vec<f32>], count: usize, dimension: usize) -> Result<(), EmbeddingError> {
    if vectors.len() == count && vectors.iter().all(|vector| vector.len() == dimension) {
        return Ok(());
    }
    let got = format!("{} vectors of {} numbers", vectors.len(), vectors.first().map_or(0, Vec::len));
    Err(EmbeddingError::Shape { got, wanted: format!("{count} vectors of {dimension} numbers") })
}

/// What takes the vectors.
enum Sink {
    File(LocalVectorsWriter),
    Server(Box<NewPassages>),
}

impl Sink {
    async fn start(
        folder: &Path,
        target: &VectorTarget<'_>,
        dimension: usize,
    ) -> Result<Self, TextVectorsError> {
        Ok(match target {
            VectorTarget::Folder => Self::File(LocalVectorsWriter::create(folder)?),
            VectorTarget::Qdrant(options, index) => {
                Self::Server(Box::new(NewPassages::start(options, index, dimension).await?))
            }
        })
    }

    async fn add(
        &mut self,
        first: u32,
        passages: &[Passage],
        vectors: Vec<Vec<f32>>,
    ) -> Result<(), TextVectorsError> {
        match self {
            Self::File(writer) => writer.add(&vectors),
            Self::Server(new) => {
                let things = passages.iter().map(|passage| passage.things.as_slice());
                Ok(new.add((first..).zip(things).zip(vectors)).await?)
            }
        }
    }

    async fn discard(&self) {
        match self {
            Self::File(_) => {}
            Self::Server(new) => new.discard().await,
        }
    }

    fn finish(self) -> Result<Option<NewCollection>, TextVectorsError> {
        match self {
            Self::File(writer) => writer.finish().map(|()| None),
            Self::Server(new) => Ok(Some(new.finish())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::time::Duration;

    #[test]
    fn too_many_passages_for_the_folder_need_a_server() {
        assert_eq!(left_out(MAX_LOCAL, &VectorTarget::Folder), None);
        let said = left_out(MAX_LOCAL + 1, &VectorTarget::Folder).unwrap();
        assert!(said.contains("200001 passages") && said.contains("Qdrant"), "{said}");
        let options = QdrantOptions {
            url: String::new(),
            api_key: None,
            collection: String::new(),
            timeout: Duration::ZERO,
            search_timeout: Duration::ZERO,
            shard_number: None,
            replication_factor: None,
        };
        assert_eq!(left_out(MAX_LOCAL + 1, &VectorTarget::Qdrant(&options, Path::new(""))), None);
    }

    #[test]
    fn vectors_of_another_shape_are_refused() {
        assert!(check_shape(&[vec![0.0; 3]], 1, 3).is_ok());
        for (vectors, count) in [(vec![vec![0.0; 3]], 2), (vec![vec![0.0; 2]], 1), (vec![], 1)] {
            assert!(check_shape(&vectors, count, 3).is_err());
        }
    }
}
