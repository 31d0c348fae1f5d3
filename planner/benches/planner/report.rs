//! Tables of scores, and the answers that are wrong.

use super::asked::Asked;
use eruca_planner::Confidence;
use std::collections::BTreeMap;

/// A line for every set: questions, set_F of the best answer, of the best candidate, exactly right, sure and right, milliseconds.
pub fn table(asked: &[Asked]) {
    let mut sets: BTreeMap<String, Vec<&Asked>> = BTreeMap::new();
    for one in asked {
        sets.entry(one.set.clone()).or_default().push(one);
        sets.entry(family(&one.set)).or_default().push(one);
        sets.entry("~~ALL".to_owned()).or_default().push(one);
    }
    println!(
        "{:<36} {:>4} {:>6} {:>6} {:>6} | sure right | likely right | guess right | p50 p99 max ms | planning p50 p99",
        "set", "n", "set_F", "oracle", "exact"
    );
    for (set, asked) in sets {
        println!("{}", line(&set, &asked));
    }
}

/// Sets that are told together: "SUM spider", "SUM neutral en".
pub fn family(set: &str) -> String {
    let first = set.split('-').next().unwrap_or(set);
    let language = set.rsplit('-').next().filter(|tag| tag.len() == 2).unwrap_or("");
    format!(
        "~SUM {first} {}",
        if first == "n" || first == "minidbp" || first == "wd" { language } else { "" }
    )
}

fn line(set: &str, asked: &[&Asked]) -> String {
    let answerable: Vec<&&Asked> = asked.iter().filter(|asked| asked.is_answerable()).collect();
    let count = answerable.len().max(1) as f64;
    let mean =
        |value: &dyn Fn(&Asked) -> f64| answerable.iter().map(|asked| value(asked)).sum::<f64>() / count;
    let (whole, planning) = (times(asked, |asked| asked.seconds), times(asked, |asked| asked.planning));
    let mut text = format!(
        "{set:<36} {:>4} {:>6.3} {:>6.3} {:>6.3}",
        asked.len(),
        mean(&Asked::f),
        mean(&Asked::best_f),
        mean(&|asked| f64::from(u8::from(asked.f() > 0.999))),
    );
    for name in [Confidence::Sure, Confidence::Likely, Confidence::Guess] {
        let of: Vec<&&Asked> = asked.iter().filter(|asked| asked.confidence() == name).collect();
        let right = of.iter().filter(|asked| asked.f() > 0.999).count();
        text += &format!(" | {:>3} {:>4.2}", of.len(), right as f64 / of.len().max(1) as f64);
    }
    let slowest = asked.iter().map(|asked| asked.seconds * 1000.0).fold(0.0, f64::max);
    text + &format!(" | {:.0} {:.0} {slowest:.0} | {:.0} {:.0}", whole.0, whole.1, planning.0, planning.1)
}

/// The median and the 99th of a hundred, in milliseconds.
fn times(asked: &[&Asked], seconds: impl Fn(&Asked) -> f64) -> (f64, f64) {
    let mut all: Vec<f64> = asked.iter().map(|asked| seconds(asked) * 1000.0).collect();
    all.sort_by(f64::total_cmp);
    let at = |share: f64| all.get(((all.len() as f64 - 1.0) * share) as usize).copied().unwrap_or(0.0);
    (at(0.5), at(0.99))
}

/// How often answers of a probability are right, over all and for each family of sets.
pub fn curve(asked: &[Asked]) {
    let all: Vec<&Asked> = asked.iter().collect();
    for bin in bins(&all) {
        let Bin { answers, mean, right, .. } = &bin;
        println!("confidence about {mean:.2}: {answers:>4} answers, {right:.2} right");
    }
    let mut families: BTreeMap<String, Vec<&Asked>> = BTreeMap::new();
    for one in asked {
        families.entry(family(&one.set)).or_default().push(one);
    }
    families.insert("~~ALL".to_owned(), all);
    for (name, asked) in families {
        let bins = bins(&asked);
        let sum = |of: &dyn Fn(&Bin) -> f64| {
            bins.iter().map(|bin| of(bin) * bin.answers).sum::<f64>() / asked.len() as f64
        };
        println!(
            "{name:<28} expected calibration error {:.3}, by chance alone {:.3}",
            sum(&|bin| (bin.mean - bin.right).abs()),
            sum(&Bin::by_chance)
        );
    }
}

/// Answers of about the same probability.
struct Bin {
    answers: f64,
    mean: f64,
    right: f64,
}

impl Bin {
    /// How far the share of right answers is from the probability, on average, where every probability is true: the mean deviation
    /// of a normal distribution. Small sets show so much error whatever their confidence.
    fn by_chance(&self) -> f64 {
        (2.0 * self.mean * (1.0 - self.mean) / (std::f64::consts::PI * self.answers)).sqrt()
    }
}

/// Ten bins of the same width, the empty ones left out.
fn bins(asked: &[&Asked]) -> Vec<Bin> {
    let of_bin = |bin: u8| asked.iter().filter(move |one| ((one.probability * 10.0) as u8).min(9) == bin);
    let made = (0..10).map(|bin| {
        let answers = of_bin(bin).count() as f64;
        let mean = of_bin(bin).map(|one| f64::from(one.probability)).sum::<f64>() / answers;
        let right = of_bin(bin).filter(|one| one.is_right()).count() as f64 / answers;
        Bin { answers, mean, right }
    });
    made.filter(|bin| bin.answers > 0.0).collect()
}

/// Every answer that is not exactly right, with the right candidate where there is one.
pub fn wrong(asked: &[Asked]) {
    for one in asked.iter().filter(|one| one.f() < 0.999 && one.is_answerable()) {
        println!("--- {} [{}] {}", one.line.id, one.set, one.line.question);
        println!(
            "    F {:.2}, best {:.2}, p {:.2}, {} readings, {:.0} of {:.0} ms, unused {:?}, not found {:?}",
            one.f(),
            one.best_f(),
            one.probability,
            one.found,
            one.planning * 1000.0,
            one.seconds * 1000.0,
            one.unused,
            one.not_found
        );
        println!("    gold {}", squeezed(one.line.sparql.as_deref().unwrap_or("")));
        for (rank, candidate) in
            one.candidates.iter().enumerate().filter(|(rank, candidate)| *rank == 0 || candidate.f > one.f())
        {
            println!(
                "    {rank}: {:.2} F {:.2} {}",
                candidate.score,
                candidate.f,
                squeezed(&candidate.query)
            );
        }
        if let Some(right) = one.candidates.iter().find(|candidate| candidate.f > one.f()) {
            let first = &one.candidates[0].features;
            let differ = eruca_planner::Feature::ALL
                .into_iter()
                .filter(|feature| first.of(*feature) != right.features.of(*feature));
            let told: Vec<String> = differ
                .map(|f| format!("{} {:.2}/{:.2}", f.name(), first.of(f), right.features.of(f)))
                .collect();
            println!("    differ: {}", told.join(", "));
        }
    }
    for one in asked.iter().filter(|one| !one.is_answerable()) {
        println!(
            "--- unanswerable {} {} p {:.2} unused {:?} not found {:?} missing {:?}",
            one.line.id, one.line.question, one.probability, one.unused, one.not_found, one.line.missing
        );
    }
}

fn squeezed(query: &str) -> String {
    let text = query.split_whitespace().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut short = String::new();
    for part in text.split_inclusive(['<', '>']) {
        match part.strip_suffix('>').filter(|iri| iri.contains("://") && !iri.contains(' ')) {
            Some(iri) => {
                short.push_str(iri.rsplit(['/']).next().unwrap_or(iri));
                short.push('>');
            }
            None => short.push_str(part),
        }
    }
    short
}

/// A JSON line for every question: its candidates with their features.
pub fn lines(asked: &[Asked]) -> String {
    let mut text = String::new();
    for one in asked {
        let candidates: Vec<serde_json::Value> = one
            .candidates
            .iter()
            .map(|candidate| {
                let features: serde_json::Map<String, serde_json::Value> = eruca_planner::Feature::ALL
                    .into_iter()
                    .filter(|feature| candidate.features.of(*feature) != 0.0)
                    .map(|feature| (feature.name().to_owned(), serde_json::json!(candidate.features.of(feature))))
                    .collect();
                serde_json::json!({ "f": candidate.f, "score": candidate.score, "query": candidate.query, "features": features, "doubts": doubts(&candidate.ledger) })
            })
            .collect();
        let because = one
            .ledger
            .entries
            .iter()
            .map(|entry| format!("{}: {:?} {}", entry.words, entry.part, entry.right.key()));
        let because: Vec<String> = because.collect();
        let line = serde_json::json!({
            "set": one.set, "group": one.group, "id": one.line.id, "question": one.line.question, "lang": one.line.lang,
            "answerable": one.is_answerable(), "p": one.probability, "signs": one.signs, "missing": one.line.missing, "unused": one.unused, "because": because, "doubts": doubts(&one.ledger), "candidates": candidates,
        });
        text += &format!("{line}\n");
    }
    text
}

pub fn doubts(ledger: &eruca_planner::Ledger) -> Vec<String> {
    ledger.doubts.iter().map(|doubt| format!("{} {}", doubt.key(), doubt.about())).collect()
}
