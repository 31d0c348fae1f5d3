//! Passages found by meaning as well as by words: ranked, filtered, and what happens without vectors.

use super::*;
use crate::embedding::{EmbeddingError, Meanings, Purpose};
use crate::health::IntegrityAlarm;
use crate::manifest::Manifest;
use async_trait::async_trait;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::{IndexWriter, TantivyDocument};

const DOCUMENTS: [(&str, &str); 4] = [
    ("Old Mill.txt", "An automobile was left in the yard."),
    ("barn.txt", "The jalopy of the miller rusts behind a shed."),
    ("pay.txt", "Each autumn brought a small stipend."),
    ("weather.txt", "It snowed on most days of that winter."),
];

fn workshop(documents: &[(&str, &str)]) -> (Workshop, Arc<Meanings>) {
    let meanings = Meanings::new("meanings", 512);
    (Workshop { embedder: Some(meanings.clone()), ..Workshop::new(documents) }, meanings)
}

async fn first_words(texts: &TextIndex, query: TextQuery<'_>) -> Vec<String> {
    let found = found(texts, query).await;
    found.into_iter().map(|(text, _)| text.split(' ').nth(1).unwrap().to_owned()).collect()
}

#[tokio::test]
async fn passages_are_found_without_a_word_of_the_question_and_both_rankings_are_fused() {
    let (workshop, _) = workshop(&DOCUMENTS);
    let summary = workshop.build().await.unwrap();
    assert_eq!(summary.text_search, "bm25+dense (meanings)");
    let texts = workshop.open().await.texts.unwrap();
    assert_eq!((texts.describe(), texts.has_vectors()), ("bm25+dense (meanings)".to_owned(), true));
    texts.check().await.unwrap();
    assert_eq!(first_words(&texts, words("remuneration")).await[0], "autumn");
    let hits = texts.search(&TextQuery { limit: 2, ..words("jalopy") }).await.unwrap();
    // Second by its longer text among the vectors, and the only one with the word.
    assert!(hits[0].passage.text.contains("jalopy") && hits[0].coverage > 0.9, "{hits:?}");
    assert!((hits[0].score - (1.0 / 61.0 + 1.0 / 62.0)).abs() < 1e-6, "{hits:?}");
    assert!(hits[1].passage.text.contains("automobile"), "{hits:?}");
    assert_eq!((hits[1].coverage, hits.len()), (0.0, 2));
}

#[tokio::test]
async fn what_passages_must_be_about_holds_for_both_rankings() {
    let (workshop, _) = workshop(&DOCUMENTS);
    let texts = workshop.texts().await;
    let about = vec!["http://e.x/mill".to_owned()];
    let only = TextQuery { about: &about, only_about: true, ..words("jalopy") };
    assert_eq!(first_words(&texts, only).await, ["automobile"]);
    let named = TextQuery { name: Some("miller"), only_about: true, ..words("vehicle") };
    assert_eq!(first_words(&texts, named).await, ["jalopy"]);
    assert!(found(&texts, TextQuery { only_about: true, ..words("jalopy") }).await.is_empty());
    let unknown = vec!["http://e.x/flood".to_owned()];
    let nothing = TextQuery { about: &unknown, only_about: true, ..words("jalopy") };
    assert!(found(&texts, nothing).await.is_empty());
    let preferred = TextQuery { about: &about, ..words("vehicle") };
    assert_eq!(first_words(&texts, preferred).await[..2], ["automobile", "jalopy"]);
}

/// Never answers.
struct Silent;

#[async_trait]
impl Embedder for Silent {
    async fn embed(&self, _: Vec<String>, _: Purpose) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        std::future::pending().await
    }

    fn model(&self) -> &str {
        "meanings"
    }

    fn dimension(&self) -> usize {
        512
    }
}

#[tokio::test]
async fn words_alone_are_enough_when_a_model_fails_or_is_late() {
    let (workshop, meanings) = workshop(&DOCUMENTS);
    let mut texts = workshop.texts().await;
    meanings.fails.store(true, Ordering::Relaxed);
    assert_eq!(first_words(&texts, words("jalopy")).await, ["jalopy"]);
    assert!(found(&texts, words("remuneration")).await.is_empty());
    let meaning = texts.meaning.as_mut().unwrap();
    (meaning.embedder, meaning.time) = (Arc::new(Silent), Duration::ZERO);
    assert_eq!(first_words(&texts, words("jalopy")).await, ["jalopy"]);
}

#[tokio::test]
async fn an_index_built_anew_has_the_vectors_of_its_own_passages() {
    let (mut workshop, meanings) = workshop(&DOCUMENTS);
    let before = workshop.texts().await;
    fs::remove_file(workshop.path("docs/Old Mill.txt")).unwrap();
    fs::write(workshop.path("docs/a.txt"), "No vehicle passed the bridge.").unwrap();
    let after = workshop.texts().await;
    assert_eq!(first_words(&before, words("automobile")).await[..2], ["automobile", "jalopy"]);
    assert_eq!(first_words(&after, words("automobile")).await[..2], ["vehicle", "jalopy"]);

    meanings.fails.store(true, Ordering::Relaxed);
    assert!(matches!(workshop.build().await, Err(BuildError::Embedding(_))));
    workshop.embedder = None;
    let by_words = workshop.open().await.texts.unwrap();
    assert_eq!((by_words.describe().as_str(), by_words.has_vectors()), ("bm25", false));
    assert!(found(&by_words, words("automobile")).await.is_empty());
}

#[tokio::test]
async fn a_dataset_can_do_without_vectors_of_its_texts() {
    let (mut workshop, _) = workshop(&DOCUMENTS);
    workshop.sources.vectors = false;
    assert_eq!(workshop.build().await.unwrap().text_search, "bm25");
    let index = workshop.open().await;
    assert_eq!(index.texts.as_ref().unwrap().describe(), "bm25");
    assert!(!workshop.version().join("texts/vectors.f32").exists());
    let differs = |stamp: &Option<TextsStamp>, vectors, embeds| {
        let sources = TextSources { vectors, ..workshop.sources.clone() };
        TextsStamp::differs(stamp.as_ref(), &sources, embeds)
    };
    let stamp = index.manifest.texts;
    assert!(!serde_json::to_string(&stamp).unwrap().contains("vectors"), "as it was before there were any");
    assert_eq!(differs(&stamp, false, true), None);
    assert_eq!(differs(&stamp, true, false), None);
    assert_eq!(differs(&stamp, true, true).unwrap(), "it was built without vectors of the texts");
    let too_many = stamp.map(|stamp| TextsStamp { vectors_left_out: true, ..stamp });
    assert_eq!(differs(&too_many, true, true), None);

    workshop.sources.vectors = true;
    workshop.build().await.unwrap();
    let stamp = workshop.open().await.manifest.texts;
    let switched_off = TextSources { vectors: false, ..workshop.sources.clone() };
    assert_eq!(TextsStamp::differs(stamp.as_ref(), &workshop.sources, true), None);
    assert!(TextsStamp::differs(stamp.as_ref(), &switched_off, true).unwrap().contains("switched off"));
}

#[tokio::test]
async fn damaged_vectors_and_those_of_another_format_are_refused() {
    let (workshop, _) = workshop(&DOCUMENTS);
    workshop.build().await.unwrap();
    let version = workshop.version();
    let mut manifest = Manifest::read(&version).unwrap();
    let vectors = version.join("texts/vectors.f32");
    let bytes = fs::read(&vectors).unwrap();
    assert_eq!(bytes.len(), 4 * 512 * 4);
    fs::write(&vectors, &bytes[..100]).unwrap();
    let told = workshop.opened().await.err().unwrap().to_string();
    assert!(told.contains("texts/vectors.f32") && told.contains("eruca index"), "{told}");

    // Whole, but not of these passages.
    fs::remove_file(version.join("manifest.json")).unwrap();
    manifest.files = crate::checksums::of_folder(&version, "graph").unwrap();
    manifest.write(&version).unwrap();
    let told = workshop.opened().await.err().unwrap().to_string();
    assert!(told.contains("100 bytes") && told.contains("4 vectors of 512 numbers"), "{told}");

    manifest.texts.as_mut().unwrap().vectors.as_mut().unwrap().format = 99;
    manifest.write(&version).unwrap();
    let told = workshop.opened().await.err().unwrap().to_string();
    assert!(told.contains("the format of another version") && told.contains("eruca index"), "{told}");
}

#[tokio::test]
async fn many_passages_are_embedded_some_at_a_time() {
    let names: Vec<String> = (0..300).map(|number| format!("{number}.txt")).collect();
    let texts: Vec<String> = (0..300).map(|number| format!("Note {number} is of no interest.")).collect();
    let mut documents: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    documents[299].1 = "One jalopy only.";
    let (workshop, _) = workshop(&documents);
    let texts = workshop.texts().await;
    assert_eq!(first_words(&texts, words("automobile")).await[0], "jalopy");
}

#[test]
fn a_passage_has_the_same_number_in_whatever_segment_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let index = Index::create_in_dir(folder.path(), schema()).unwrap();
    register_tokenizer(&index);
    let mut writer: IndexWriter = index.writer_with_num_threads(1, 15_000_000).unwrap();
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for number in 1..=5 {
        let source = PassageSource::Document { file: String::new(), title: String::new(), page: None };
        let (text, things, heading) = (format!("word{number}"), Vec::new(), String::new());
        let passage = Passage { source, heading, number, text, things };
        let mut document = TantivyDocument::default();
        document.add_bytes(FIELDS.passage, &serde_json::to_vec(&passage).unwrap());
        writer.add_document(document).unwrap();
        if number % 2 == 0 {
            writer.commit().unwrap();
        }
    }
    writer.commit().unwrap();
    writer.wait_merging_threads().unwrap();
    let texts = TextIndex::open(folder.path(), &IntegrityAlarm::default()).unwrap();
    let again = TextIndex::open(folder.path(), &IntegrityAlarm::default()).unwrap();
    assert_eq!(texts.passages(), 5);
    let mut all: Vec<String> = (0..5).map(|number| texts.numbered(number).unwrap().text).collect();
    assert_eq!(all, (0..5).map(|number| again.numbered(number).unwrap().text).collect::<Vec<_>>());
    all.sort();
    assert_eq!(all, ["word1", "word2", "word3", "word4", "word5"]);
    assert!(texts.numbered(5).is_err());
}
