//! Any kind of damage to any file of an index: the error when opening it, and the effect on searches if it happens
//! later. `ERUCA_TEST_DAMAGES` sets the number of trials, `ERUCA_TEST_SEED` repeats the draws of a reported failure.

use super::*;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Number of trials: several for each kind of damage.
const TRIALS: u64 = 21;
const KINDS: [&str; 7] = ["flip", "zero", "garble", "cut", "extend", "swap", "delete"];

/// Numbers from a seed (SplitMix64, Steele et al. 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end.max(1)
    }

    fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len() as u64) as usize]
    }
}

fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Every file below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A copy whose files have old modification times, so that any change is visible in them.
fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, &target).unwrap();
        let old = SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().append(true).open(&target).unwrap().set_modified(old).unwrap();
    }
}

/// Damages a file in place, as a failing disk does.
fn damage(kind: &str, file: &Path, other: &Path, random: &mut Random) {
    let bytes = fs::read(file).unwrap();
    let length = bytes.len() as u64;
    let open = || fs::File::options().write(true).open(file).unwrap();
    let write_at = |at: u64, part: &[u8]| {
        let mut file = open();
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(part).unwrap();
    };
    match kind {
        "flip" => (0..40.min(length)).for_each(|_| {
            let at = random.below(length);
            write_at(at, &[bytes[at as usize] ^ (1 + random.below(255) as u8)]);
        }),
        "zero" | "garble" => {
            let part = length.min(4096);
            let at = random.below(length - part + 1);
            let zero = kind == "zero";
            let with: Vec<u8> = (0..part).map(|_| if zero { 0 } else { random.below(256) as u8 }).collect();
            write_at(at, &with);
        }
        "cut" => open().set_len(random.below(length)).unwrap(),
        "extend" => write_at(length, &[7; 100]),
        "swap" => {
            let theirs = fs::read(other).unwrap();
            fs::write(other, &bytes).unwrap();
            fs::write(file, theirs).unwrap();
        }
        "delete" => fs::remove_file(file).unwrap(),
        other => panic!("{other}"),
    }
}

/// The results of some searches.
async fn answers(index: &DatasetIndex) -> Vec<String> {
    let mut found = Vec::new();
    for text in ["thing number 17", "thing", "nummer", "wage", "thimg", "code-250", "kind"] {
        found.push(format!("{:?}", index.entities.search(text, Some("http://e.x/Kind1"), 20)));
        found.push(format!("{:?}", index.entities.search_strict(text, 5, &|_| false)));
        found.push(format!("{:?}", index.entities.namesakes(text, None)));
        found.push(format!("{:?}", index.values.search(text, None, 20)));
        for kind in [SchemaKind::Class, SchemaKind::Property] {
            found.push(format!("{:?}", index.schema.search(kind, text, 10).await));
        }
    }
    found.push(format!("{:?}", index.entities.get("http://e.x/thing299")));
    found
}

struct Trial {
    whole: Workshop,
    answers: Vec<String>,
}

impl Trial {
    async fn start() -> Self {
        let whole = Workshop::with_embedder(Meanings::new("meanings", 64));
        let things: String = (0..300)
            .map(|n| {
                format!(
                    ":thing{n} a :Kind{} ; rdfs:label \"thing number {n}\" , \"Ding Nummer {n}\"@de ; :wage {n} ; :code \"code-{n}\" .\n",
                    n % 3
                )
            })
            .collect();
        whole.build("graph.ttl", &format!("{PREFIXES}{things}")).await.unwrap();
        let answers = answers(&whole.open().await.unwrap()).await;
        assert!(answers.iter().all(|answer| !answer.contains("Err")), "{answers:?}");
        Self { whole, answers }
    }

    fn copy(&self) -> Workshop {
        let copied = Workshop::with_embedder(self.whole.embedder.clone().unwrap());
        copy(&self.whole.index(), &copied.index());
        copied
    }
}

/// Draws a kind of damage, and non-empty files.
fn draw(number: u64, workshop: &Workshop, random: &mut Random) -> (&'static str, PathBuf, PathBuf) {
    let kind = KINDS[(number % KINDS.len() as u64) as usize];
    let mut parts = files(&workshop.index());
    parts.retain(|file| fs::metadata(file).unwrap().len() > 0);
    (kind, random.pick(&parts).clone(), random.pick(&parts).clone())
}

fn seed() -> u64 {
    let seed = setting("ERUCA_TEST_SEED", uuid::Uuid::new_v4().as_u64_pair().0);
    // Printed if the test fails.
    println!("ERUCA_TEST_SEED={seed}");
    seed
}

#[tokio::test]
async fn damage_of_any_kind_is_found_when_the_index_is_opened_or_does_not_matter() {
    let mut random = Random(seed());
    let trial = Trial::start().await;
    let mut told = 0;
    for number in 0..setting("ERUCA_TEST_DAMAGES", TRIALS) {
        let workshop = trial.copy();
        let (kind, file, other) = draw(number, &workshop, &mut random);
        let what = format!("{kind} {} {}", file.display(), other.display());
        damage(kind, &file, &other, &mut random);
        match workshop.open().await {
            Ok(index) => assert_eq!(answers(&index).await, trial.answers, "{what}"),
            Err(error) => {
                let said = error.to_string();
                let gone = said.contains("there is no index") && !workshop.index().join("current").exists();
                assert!(said.contains("is damaged") || gone, "{what}: {said}");
                assert!(said.contains(COMMAND), "{what}: {said}");
                told += 1;
            }
        }
    }
    assert!(told > 0);
}

#[tokio::test]
async fn damage_that_comes_later_is_seen_before_a_file_is_read_again() {
    let mut random = Random(seed());
    let trial = Trial::start().await;
    for number in 0..setting("ERUCA_TEST_DAMAGES", TRIALS) {
        let workshop = trial.copy();
        let index = workshop.open().await.unwrap();
        let (kind, file, other) = draw(number, &workshop, &mut random);
        let what = format!("{kind} {} {}", file.display(), other.display());
        damage(kind, &file, &other, &mut random);
        index.examine();
        if index.damage().is_none() {
            assert_eq!(answers(&index).await, trial.answers, "{what}");
        }
    }
}

#[tokio::test]
async fn searches_over_bytes_that_change_under_them_never_panic_and_the_damage_is_told() {
    let mut random = Random(seed());
    let trial = Trial::start().await;
    for number in 0..setting("ERUCA_TEST_DAMAGES", TRIALS) {
        let workshop = trial.copy();
        let index = workshop.open().await.unwrap();
        let kind = KINDS[(number % 3) as usize];
        let mut parts = files(&workshop.version());
        // Searches do not read the graph; queries do, and verify its checksums themselves.
        parts.retain(|file| !file.starts_with(workshop.version().join("graph")));
        parts.retain(|file| fs::metadata(file).unwrap().len() > 8);
        let file = random.pick(&parts).clone();
        let before = fs::read(&file).unwrap();
        damage(kind, &file, &file, &mut random);
        let found = answers(&index).await;
        let summed =
            !file.file_name().unwrap().to_string_lossy().starts_with('.') && !file.ends_with("manifest.json");
        index.examine();
        let changed = fs::read(&file).unwrap() != before;
        assert_eq!(index.damage().is_some(), summed && changed, "{kind} {}", file.display());
        assert!(index.damage().is_some() || found == trial.answers);
        assert!(!index.is_alarmed() || index.damage().is_some());
    }
}

#[tokio::test]
async fn a_search_that_panics_over_whole_files_costs_that_search_alone() {
    let (index, _workshop) = index_of(":a rdfs:label \"Alpha\" .").await;
    let alarm = index.health.alarm();
    let failed: Result<(), String> = alarm.guard(|reason| reason, || panic!("a fault of the program"));
    assert_eq!(failed.unwrap_err(), "a fault of the program");
    assert!(index.is_alarmed());
    index.examine();
    assert!(!index.is_alarmed() && index.damage().is_none());
    assert_eq!(entities(&index, "alpha", None), ["a"]);
}

#[tokio::test]
async fn an_index_that_is_replaced_or_removed_is_noticed_and_still_answers() {
    let workshop = Workshop::new();
    let graph = |name: &str| format!("{PREFIXES}:{name} a :Thing ; rdfs:label \"{name}\" .");
    workshop.build("graph.ttl", &graph("alpha")).await.unwrap();
    let old = workshop.open().await.unwrap();
    workshop.build("graph.ttl", &graph("beta")).await.unwrap();
    let new = workshop.open().await.unwrap();
    let newer = Outdated::Newer { version: new.version.clone(), built_at: Some(new.manifest.built_at) };
    assert_eq!((old.outdated(), old.outdated_now()), (Some(newer.clone()), Some(newer)));
    assert_eq!(new.outdated(), None);
    let third = workshop.open().await.unwrap();
    fs::remove_dir_all(workshop.index()).unwrap();
    assert_eq!(third.outdated(), Some(Outdated::Gone));
    third.examine();
    assert_eq!((third.damage(), entities(&third, "beta", None)), (None, vec!["beta".to_owned()]));
}
