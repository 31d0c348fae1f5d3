//! Builds of an index that are killed when they have written so many bytes, drawn at random.
//!
//! `ERUCA_TEST_SEED` repeats the draws that a failure names.

use eruca_indexer::{DatasetIndex, OpenOptions};
use eruca_testing::programs::{Watch, output, program_in, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

fn eruca(folder: &Path) -> Command {
    program_in(env!("CARGO_BIN_EXE_eruca-tested"), folder)
}

const BUILD: [&str; 3] = ["index", "--dataset", "it"];
const ROUNDS: usize = 10;
const THINGS: usize = 600;
/// Looks at the folder, at most, between the last byte and the kill: files grow in steps, and moments between them count.
const LOOKS: u64 = 20;

/// A folder with a configured dataset `it` of so many things.
fn workshop() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let toml = "[[datasets]]\nid = \"it\"\nfiles = [\"graph.nt\"]\nindex = \"it\"\n";
    fs::write(folder.path().join("eruca.toml"), toml).unwrap();
    write_graph(folder.path(), THINGS);
    folder
}

fn write_graph(folder: &Path, things: usize) {
    let rdf = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";
    let label = "<http://www.w3.org/2000/01/rdf-schema#label>";
    let lines = (0..things).map(|n| {
        let (thing, next) = (format!("<http://e.x/thing{n}>"), format!("<http://e.x/thing{}>", (n + 1) % things));
        format!(
            "{thing} {rdf} <http://e.x/Kind{}> .\n{thing} {label} \"thing number {n}\" .\n{thing} <http://e.x/next> {next} .\n{thing} <http://e.x/code> \"C-{n}\" .\n",
            n % 7
        )
    });
    fs::write(folder.join("graph.nt"), lines.collect::<String>()).unwrap();
}

/// Numbers from a seed (SplitMix64, Steele et al. 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }
}

/// Version folders, finished or not.
fn versions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("it")).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("v-")).collect()
}

/// Bytes of the files below a folder; what goes away meanwhile counts nothing.
fn bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.filter_map(|entry| {
        let data = entry.metadata().ok()?;
        Some(if data.is_dir() { bytes(&entry.path()) } else { data.len() })
    });
    sizes.sum()
}

/// What became of a build.
struct Build {
    killed: bool,
    /// The most bytes that its version was seen to have.
    most: u64,
}

/// Starts a build, and kills it (SIGKILL) when its version has so many bytes and was looked at so often since.
fn build_until(folder: &Path, limit: u64, mut looks: u64) -> Build {
    let before = versions(folder);
    let mut child = eruca(folder).args(BUILD).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let watch = Watch::over(&child);
    let mut most = 0;
    let killed = loop {
        if child.try_wait().unwrap().is_some() {
            break false;
        }
        if let Some(new) = versions(folder).iter().find(|version| !before.contains(version)) {
            let now = bytes(new);
            most = most.max(now);
            if now >= limit && looks > 0 {
                looks -= 1;
            } else if now >= limit {
                child.kill().unwrap();
                break true;
            }
        }
        std::thread::yield_now();
    };
    child.wait().unwrap();
    watch.ends("a build");
    Build { killed, most }
}

async fn open(folder: &Path) -> DatasetIndex {
    let index = folder.join("it");
    let options = OpenOptions {
        folder: &index,
        embedder: None,
        schema_in: None,
        names_in: None,
        build_command: "eruca index",
    };
    DatasetIndex::open(options).await.unwrap()
}

/// Things in the index, all parts of which must give what they have.
async fn things(folder: &Path) -> u64 {
    let index = open(folder).await;
    let last = index.manifest.entities - 1;
    let found = index.entities.search_strict(&format!("thing number {last}"), 1, &|_| false).unwrap();
    assert_eq!(found[0].record.iri, format!("http://e.x/thing{last}"));
    assert_eq!(index.values.search(&format!("C-{last}"), None, 1).unwrap().len(), 1);
    assert_eq!(index.card.classes.len(), 7);
    index.manifest.entities
}

fn seed() -> u64 {
    match std::env::var("ERUCA_TEST_SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => uuid::Uuid::new_v4().as_u64_pair().0,
    }
}

#[tokio::test]
async fn a_build_killed_after_any_number_of_bytes_leaves_the_old_index_and_is_cleaned_up() {
    let seed = seed();
    // Shown with a failure.
    println!("ERUCA_TEST_SEED={seed}");
    let mut random = Random(seed);
    let folder = workshop();
    let whole = build_until(folder.path(), u64::MAX, 0).most;
    assert!(things(folder.path()).await == THINGS as u64 && whole > 10_000, "{whole} bytes");
    write_graph(folder.path(), THINGS + 1);
    let mut killed = 0;
    for round in 0..ROUNDS {
        let (limit, looks) = (random.below(whole), random.below(LOOKS));
        let build = build_until(folder.path(), limit, looks);
        println!(
            "round {round}: {limit} of {whole} bytes, {looks} looks: killed {} at {}",
            build.killed, build.most
        );
        let now = things(folder.path()).await;
        // The last bytes are written just before the new index is published, which may win the race.
        assert!(now == THINGS as u64 || now == THINGS as u64 + 1, "{now} things");
        assert!(versions(folder.path()).len() <= 2, "what was left is removed by the next build");
        killed += usize::from(build.killed);
    }
    assert!(killed >= ROUNDS / 2, "{killed} builds were killed");
    let built = output(eruca(folder.path()).args(BUILD));
    assert!(built.status.success(), "{}", stderr(&built));
    assert_eq!((versions(folder.path()).len(), things(folder.path()).await), (1, THINGS as u64 + 1));
    let asked = output(eruca(folder.path()).args(["ask", "What is next of thing number 600?"]));
    assert!(stdout(&asked).contains("http://e.x/thing600"), "{}\n{}", stdout(&asked), stderr(&asked));
}
