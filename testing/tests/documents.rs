//! README.md, CONTRIBUTING.md and the pages in `docs/`: their commands run in an empty folder, what they show is printed, and
//! their links lead somewhere.
//!
//! A fenced block of `sh`, `bash` or `console` is run, or has a comment `<!-- not run: REASON -->` before it. The blocks of a
//! document share a folder with the files that a reader has ([`reader`]); `eruca serve` runs on until the document ends. A
//! command that ends with a comment `# exit code N` has to exit so. In a `console` block, lines that begin with `$ ` are
//! commands and the others what they print; `…` stands for anything, and seconds and percentages may differ.
#![cfg(test)]

use eruca::config::Settings;
use eruca_knowledge::Knowledge;
use eruca_knowledge::questions::read_questions;
use eruca_testing::helpers::{data, repository};
use eruca_testing::programs::{Running, lines_until, output, program_in, shows};
use std::collections::{HashMap, HashSet};
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What comes before every command: the first failure counts, both outputs as in a terminal, and an error of HTTP is one.
const BEFORE: &str = "set -euo pipefail; exec 2>&1 </dev/null\n\
    curl() { command curl --silent --show-error --fail-with-body --max-time 60 \"$@\"; }\n";
/// Where documents let the service listen, and where it does not here.
const ADDRESSES: [&str; 2] = ["http://127.0.0.1:8080", "http://localhost:8080"];

/// A fenced block.
struct Block {
    /// Of the line with the opening fence.
    line: usize,
    language: String,
    not_run: Option<String>,
    lines: Vec<String>,
}

impl Block {
    fn is_console(&self) -> bool {
        self.language == "console"
    }

    fn is_of_commands(&self) -> bool {
        ["sh", "bash", "console"].contains(&self.language.as_str())
    }
}

/// A command, what it is to exit with, and what is shown of it.
struct Shown<'a> {
    command: String,
    exit: i32,
    printed: Vec<&'a str>,
}

/// README.md, CONTRIBUTING.md and the pages in `docs/`.
fn documents() -> Vec<PathBuf> {
    let folders = ["docs", "docs/evidence"].map(|name| std::fs::read_dir(repository().join(name)).unwrap());
    let pages = folders.into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut found: Vec<PathBuf> =
        pages.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    found.extend(["README.md", "CONTRIBUTING.md"].map(|name| repository().join(name)));
    found.sort();
    found
}

/// The fenced blocks of a document.
fn blocks(text: &str) -> Vec<Block> {
    let (mut found, mut open, mut before): (Vec<Block>, bool, &str) = (Vec::new(), false, "");
    for (number, line) in text.lines().enumerate() {
        match line.trim().strip_prefix("```") {
            Some(_) if open => open = false,
            Some(language) => {
                open = true;
                let reason = before.strip_prefix("<!-- not run: ").and_then(|rest| rest.strip_suffix(" -->"));
                let (language, not_run) = (language.to_owned(), reason.map(str::to_owned));
                found.push(Block { line: number + 1, language, not_run, lines: Vec::new() });
            }
            None if open => found.last_mut().unwrap().lines.push(line.to_owned()),
            None => {}
        }
        if !line.trim().is_empty() {
            before = line.trim();
        }
    }
    found
}

/// The commands of a block; a line that ends with `\` goes on in the next.
fn commands(block: &Block) -> Vec<Shown<'_>> {
    let mut found: Vec<Shown> = Vec::new();
    let mut goes_on = false;
    for line in &block.lines {
        let begins = if block.is_console() { line.strip_prefix("$ ") } else { Some(line.as_str()) };
        match begins {
            Some(rest) if goes_on => found.last_mut().unwrap().command += &format!("\n{rest}"),
            Some(rest) if rest.trim().is_empty() || rest.starts_with('#') => {}
            Some(rest) => {
                found.push(Shown { command: rest.to_owned(), exit: 0, printed: Vec::new() });
            }
            None => found.last_mut().unwrap().printed.push(line),
        }
        goes_on = begins.is_some_and(|rest| rest.ends_with('\\'));
    }
    for shown in &mut found {
        if let Some((_, exit)) = shown.command.rsplit_once("# exit code ") {
            shown.exit = exit.trim().parse().unwrap();
        }
    }
    found
}

/// A reader: an empty folder with the files that documents speak of, and the service, once it is started.
struct Reader {
    folder: TempDir,
    /// With the program under its name.
    programs: TempDir,
    service: Option<(Running, String)>,
}

fn reader() -> Reader {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(data("library.ttl"), at("library.ttl")).unwrap();
    std::fs::write(at("questions.txt"), "What is the capital of France?\n").unwrap();
    std::fs::create_dir(at("examples")).unwrap();
    std::fs::copy(repository().join("examples/questions.jsonl"), at("examples/questions.jsonl")).unwrap();
    let programs = tempfile::tempdir().unwrap();
    symlink(env!("CARGO_BIN_EXE_eruca-tested"), programs.path().join("eruca")).unwrap();
    Reader { folder, programs, service: None }
}

impl Reader {
    /// Runs a command; what it printed.
    fn runs(&mut self, shown: &Shown<'_>, place: &str) -> String {
        let command = self.rewritten(&shown.command);
        if command.starts_with("eruca serve") {
            return self.serves(&command);
        }
        let mut bash = Command::new("bash");
        bash.current_dir(self.folder.path()).env_clear().env("HOME", self.folder.path());
        let others = std::env::var("PATH").unwrap();
        bash.env("PATH", format!("{}:{others}", self.programs.path().display()));
        if command.starts_with("eruca check") {
            // Who runs the tests may have a service on the usual port.
            bash.env("ERUCA__SERVER__PORT", "0");
        }
        let output = output(bash.args(["--norc", "-c", &format!("{BEFORE}{command}\n")]));
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(shown.exit), "{place}: {command}\n{said}");
        said
    }

    /// The one place where commands are changed: a service listens on any free port.
    fn rewritten(&self, command: &str) -> String {
        if let Some(arguments) = command.strip_prefix("eruca serve") {
            return format!("eruca serve --port 0{arguments}");
        }
        let Some((_, url)) = &self.service else { return command.to_owned() };
        ADDRESSES.iter().fold(command.to_owned(), |command, address| command.replace(address, url))
    }

    /// Starts the service; it ends with the document.
    fn serves(&mut self, command: &str) -> String {
        let mut program = program_in(env!("CARGO_BIN_EXE_eruca-tested"), self.folder.path());
        program.args(command.split_whitespace().skip(1)).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut running = Running(program.spawn().unwrap());
        let said = lines_until(&mut running.0, |line| line.trim_start().starts_with("try:"));
        let url = said.lines().find_map(|line| line.split_once("listens on ")).unwrap().1.to_owned();
        self.service = Some((running, url));
        said
    }
}

/// A line without what differs from run to run: seconds and percentages.
fn lasting(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = |at: usize| {
        words.get(at + 1).map(|next| next.trim_matches(|c: char| c.is_ascii_punctuation() && c != '%'))
    };
    let differs = |at: usize| {
        words[at].trim_start_matches('(').parse::<f64>().is_ok() && matches!(unit(at), Some("s" | "%"))
    };
    let lasting = words.iter().enumerate().map(|(at, word)| if differs(at) { "#" } else { word });
    lasting.collect::<Vec<_>>().join(" ")
}

/// Whether a line is printed as it is shown; `…` stands for anything.
fn fits(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first.trim_end())) else {
        return false;
    };
    let mut is_whole = true;
    for part in parts {
        is_whole = false;
        let Some(at) = rest.find(part.trim()) else { return false };
        rest = &rest[at + part.trim().len()..];
    }
    !is_whole || rest.is_empty()
}

/// The first line that is shown and not printed, in this order.
fn missing<'a>(shown: &[&'a str], printed: &str) -> Option<&'a str> {
    let printed: Vec<String> = printed.lines().map(lasting).collect();
    let mut rest = printed.iter();
    let mut lines = shown.iter().filter(|line| !["", "…"].contains(&line.trim()));
    lines.find(|line| !rest.any(|printed| fits(&lasting(line), printed))).copied()
}

#[test]
fn every_command_runs_and_prints_what_is_shown() {
    let (mut run, mut not_run) = (0, Vec::new());
    for document in documents() {
        let name = document.strip_prefix(repository()).unwrap().display().to_string();
        let text = std::fs::read_to_string(&document).unwrap();
        let mut reader = reader();
        for block in blocks(&text).into_iter().filter(Block::is_of_commands) {
            let place = format!("{name}:{}", block.line);
            if let Some(reason) = &block.not_run {
                not_run.push(format!("{place}: {reason}"));
                continue;
            }
            for shown in commands(&block) {
                let printed = reader.runs(&shown, &place);
                let missing = missing(&shown.printed, &printed);
                assert_eq!(missing, None, "{place}: {}\nprinted:\n{printed}", shown.command);
                run += 1;
            }
        }
    }
    shows(&format!("{run} commands were run, {} blocks were not:\n{}", not_run.len(), not_run.join("\n")));
    assert!(run > 20, "{run}");
}

/// What is shown of configuration files is taken by the program.
#[test]
fn every_configuration_that_is_shown_can_be_loaded() {
    let mut loaded = 0;
    for document in documents() {
        for block in blocks(&std::fs::read_to_string(&document).unwrap()) {
            if block.language == "toml" {
                let folder = tempfile::tempdir().unwrap();
                std::fs::write(folder.path().join("eruca.toml"), block.lines.join("\n")).unwrap();
                let settings = Settings::load_from(None, folder.path(), &[]);
                assert!(settings.is_ok(), "{}:{}: {:?}", document.display(), block.line, settings.err());
                loaded += 1;
            }
        }
    }
    assert!(loaded > 5, "{loaded}");
}

/// What is shown of files of knowledge is read; they use the prefixes of two made-up graphs.
#[test]
fn every_file_of_knowledge_that_is_shown_can_be_read() {
    let prefixes = [("shop", "http://shop.example/"), ("ex", "http://example.org/")].into_iter().collect();
    let mut read = 0;
    for document in documents() {
        for block in blocks(&std::fs::read_to_string(&document).unwrap()) {
            if block.language == "toml knowledge" {
                let folder = tempfile::tempdir().unwrap();
                let questions = folder.path().join("questions");
                std::fs::create_dir(&questions).unwrap();
                let text = block.lines.join("\n");
                let of = if text.contains("[[questions]]") { &questions } else { folder.path() };
                std::fs::write(of.join("a.toml"), text).unwrap();
                let known = Knowledge::read(folder.path(), &prefixes);
                let (_, problems) = read_questions(&questions);
                let place = format!("{}:{}", document.display(), block.line);
                assert!(known.is_ok() && problems.is_empty(), "{place}: {:?} {problems:?}", known.err());
                read += 1;
            }
        }
    }
    assert!(read > 3, "{read}");
}

/// The anchors of a document's headings, as code hosts make them.
fn anchors(text: &str) -> HashSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| -> String {
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// What a document links to, but for addresses elsewhere.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with("mailto:")).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = documents();
    let others = ["ARCHITECTURE.md", "CHANGELOG.md", "SECURITY.md", "examples/README.md", "ui/README.md"];
    all.extend(others.map(|name| repository().join(name)));
    let mut known: HashMap<PathBuf, HashSet<String>> = HashMap::new();
    for document in &all {
        let text = std::fs::read_to_string(document).unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", document.display());
            if anchor.is_empty() {
                continue;
            }
            let there = known
                .entry(target.clone())
                .or_insert_with(|| anchors(&std::fs::read_to_string(&target).unwrap()));
            assert!(there.contains(anchor), "{}: {link}", document.display());
        }
    }
}

/// What a newcomer reads first stays short, and every page is named there.
#[test]
fn the_readme_is_short_and_names_every_page() {
    let readme = std::fs::read_to_string(repository().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 250, "{} lines", readme.lines().count());
    for document in documents() {
        let name = document.strip_prefix(repository()).unwrap().to_str().unwrap().to_owned();
        assert!(name == "README.md" || readme.contains(&format!("]({name})")), "{name}");
    }
}

#[test]
fn a_block_is_run_or_says_why_not_and_output_is_compared() {
    let text = "<!-- not run: needs docker -->\n```sh\ndocker\n```\n```console\n$ a \\\n$ b  # exit code 3\nx … y\n```\n";
    let found = blocks(text);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].not_run.as_deref(), found[0].lines.len()), (Some("needs docker"), 1));
    assert_eq!((found[1].not_run.as_deref(), found[1].line), (None, 5));
    let shown = &commands(&found[1])[0];
    assert_eq!((shown.command.as_str(), shown.exit), ("a \\\nb  # exit code 3", 3));
    assert_eq!(shown.printed, ["x … y"]);
    assert!(fits("x … y", "x and y") && !fits("x … y", "x and z") && !fits("x", "x y"));
    assert_eq!(lasting("took 0.09 s; sure (96 %): 4 rows"), "took # s; sure # %): 4 rows");
    assert_eq!(missing(&["b", "…", "a"], "a\nb\nc"), Some("a"), "the order counts");
}
