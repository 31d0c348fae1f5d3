//! The index in the folder and the one in Qdrant return the same hits for the same questions.

use super::scenarios::options;
use super::*;
use crate::build::{BuildOptions, build};
use crate::card::DatasetCard;
use crate::dataset::{DatasetIndex, OpenOptions};
use crate::embedding::{Embedder, EmbeddingError, Purpose};
use crate::health::IntegrityAlarm;
use crate::progress::NoProgress;
use crate::qdrant::stand_in::InMemoryQdrant;
use crate::schema_index::{LocalSchemaIndex, SchemaSearch, documents};
use eruca_language::text::humanize;
use std::path::Path;
use std::sync::Arc;

const TOP: usize = 5;
/// Percentage of questions that must have the same first hits.
const SAME: usize = 95;

const QUESTIONS: [&str; 48] = [
    "capital",
    "Which city is the capital?",
    "population",
    "How many inhabitants does it have?",
    "area",
    "How large is it?",
    "river",
    "Which rivers flow through it?",
    "length in km",
    "longest river",
    "mountain",
    "height of a mountain",
    "elevation",
    "How high is the peak?",
    "lake",
    "depth of the lake",
    "country",
    "countries bordering",
    "neighbours",
    "currency",
    "Which money is used?",
    "official language",
    "Which languages are spoken?",
    "continent",
    "person",
    "born",
    "birth place",
    "date of birth",
    "head of state",
    "president",
    "mayor",
    "founded",
    "founding year",
    "located in",
    "mouth of the river",
    "source of the river",
    "Fluss",
    "Hauptstadt",
    "Einwohner",
    "Welche Sprache wird gesprochen?",
    "montaña",
    "ciudad",
    "idioma oficial",
    "populaton",
    "moutain",
    "place",
    "settlement",
    "geographic feature",
];

/// Vectors computed from the letters of a text: not a model, but similar for similar texts.
pub(super) struct Letters;

#[async_trait]
impl Embedder for Letters {
    async fn embed(&self, texts: Vec<String>, _: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        Ok(texts.iter().map(|text| letters(text)).collect())
    }

    fn model(&self) -> &str {
        "letters"
    }

    fn dimension(&self) -> usize {
        256
    }
}

fn letters(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; 256];
    let folded: Vec<char> = format!(" {} ", humanize(text).to_lowercase()).chars().collect();
    for part in folded.windows(3) {
        let number = part.iter().fold(17_u32, |sum, c| sum.wrapping_mul(31).wrapping_add(u32::from(*c)));
        vector[(number % 256) as usize] += 1.0;
    }
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-6);
    vector.iter().map(|value| value / length).collect()
}

/// The schema of the demo graph.
async fn card() -> DatasetCard {
    let folder = tempfile::tempdir().unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/world.ttl");
    build(&BuildOptions::new(&[file], folder.path()), &NoProgress).await.unwrap();
    let options = OpenOptions {
        folder: folder.path(),
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: "",
    };
    DatasetIndex::open(options).await.unwrap().card
}

async fn both(options: &QdrantOptions, folder: &Path, card: &DatasetCard, dense: bool) -> [SchemaSearch; 2] {
    let documents = documents(card);
    let texts: Vec<Vec<f32>> = documents.iter().map(|document| letters(&document.embedding_text())).collect();
    let vectors = dense.then_some(texts.as_slice());
    LocalSchemaIndex::write(folder, &documents, vectors).unwrap();
    let new = QdrantSchemaIndex::write(options, folder, &documents, vectors).await.unwrap();
    let name = new.name().to_owned();
    new.publish().await;
    let embedder = || dense.then(|| Arc::new(Letters) as Arc<dyn Embedder>);
    let local = LocalSchemaIndex::open(folder, &IntegrityAlarm::default()).unwrap();
    let remote = QdrantSchemaIndex::open(options, &name, &documents).await.unwrap();
    [
        SchemaSearch::new(Box::new(local), embedder(), card),
        SchemaSearch::new(Box::new(remote), embedder(), card),
    ]
}

async fn first(search: &SchemaSearch, kind: SchemaKind, question: &str) -> Vec<String> {
    let hits = search.search(kind, question, TOP).await.unwrap();
    hits.into_iter().map(|hit| hit.iri.rsplit(['#', '/']).next().unwrap().to_owned()).collect()
}

/// Sends all questions to both, and counts those with the same first hits.
pub(super) async fn compared(options: &QdrantOptions, dense: bool) {
    let folder = tempfile::tempdir().unwrap();
    let [local, remote] = both(options, folder.path(), &card().await, dense).await;
    let (mut same, mut all, mut differing) = (0, 0, Vec::new());
    for question in QUESTIONS {
        for kind in [SchemaKind::Class, SchemaKind::Property] {
            let (ours, theirs) = (first(&local, kind, question).await, first(&remote, kind, question).await);
            all += 1;
            let [mut a, mut b] = [ours.clone(), theirs.clone()];
            a.sort();
            b.sort();
            same += usize::from(a == b);
            if a != b {
                differing.push(format!("{question}: {ours:?} {theirs:?}"));
            }
        }
    }
    assert!(same * 100 >= all * SAME, "{same} of {all} (dense: {dense}): {differing:#?}");
}

#[tokio::test]
async fn the_stand_in_finds_what_the_folder_finds() {
    for dense in [false, true] {
        compared(&options(&InMemoryQdrant::start().url), dense).await;
    }
}
