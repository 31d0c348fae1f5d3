//! Ten thousand verified questions: how long reading their files, and looking one up, takes.
//!
//! ```text
//! cargo bench -p eruca-knowledge --bench examples
//! ```

#![allow(clippy::print_stdout, clippy::indexing_slicing, reason = "a program that prints what it measures")]

use eruca_knowledge::questions::{Parameter, VerifiedQuestion, add, read_questions};
use std::time::{Duration, Instant};

/// Verified questions.
const QUESTIONS: usize = 10_000;
/// Questions that are looked up.
const ASKED: usize = 2_000;
const NOUNS: [&str; 10] =
    ["mill", "bridge", "tower", "pump", "clerk", "river", "barge", "market", "orchard", "kiln"];

fn text(number: usize) -> String {
    let noun = |at: usize| NOUNS[at % NOUNS.len()];
    format!(
        "Which {} number {} stands beside the {} of ward {}?",
        noun(number),
        number / 7,
        noun(number / 10),
        number / 100
    )
}

fn verified(number: usize) -> VerifiedQuestion {
    let parameter = Parameter { name: "ward".to_owned(), value: format!("<http://e.x/ward/{number}>") };
    VerifiedQuestion {
        question: text(number),
        lang: Some("en".to_owned()),
        query: format!("SELECT ?x {{ ?x <http://e.x/beside> <http://e.x/ward/{number}> }}"),
        by: "Ada".to_owned(),
        at: "2026-01-31".to_owned(),
        parameters: vec![parameter],
        ..VerifiedQuestion::default()
    }
}

fn told(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!("{what:<28} median {:>10.3?}  p99 {:>10.3?}  most {:>10.3?}", at(0.5), at(0.99), at(1.0));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let started = Instant::now();
    for file in 0..10 {
        let all: Vec<VerifiedQuestion> = (0..QUESTIONS / 10).map(|n| verified(n * 10 + file)).collect();
        add(folder.path(), &format!("{file}.toml"), &all)?;
    }
    println!("written {QUESTIONS} in {:.3?}", started.elapsed());
    let started = Instant::now();
    let (known, problems) = read_questions(folder.path());
    println!("read {} in {:.3?}, {} problems", known.entries().len(), started.elapsed(), problems.len());
    let (mut exact, mut filled, mut near) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..ASKED {
        let asked = text(number * 97).replace("Which", "What");
        let timed = |times: &mut Vec<Duration>, look: &dyn Fn() -> bool| {
            let started = Instant::now();
            std::hint::black_box(look());
            times.push(started.elapsed());
        };
        timed(&mut exact, &|| known.exact(&asked).is_some());
        timed(&mut filled, &|| known.filled(&asked).is_some());
        timed(&mut near, &|| known.near(&asked, "en").is_empty());
    }
    told("the same words", exact);
    told("other names", filled);
    told("near words", near);
    Ok(())
}
