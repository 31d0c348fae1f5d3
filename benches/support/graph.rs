//! Graphs of any size with the skew of real ones: words of names, classes, values and links follow Zipf's law.
//!
//! Every entity is made from the seed and its own number alone, so that a graph is the same on every machine
//! and its names are known without reading it.

use std::io::Write;

const NAMESPACE: &str = "http://bench.example/";
const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const RDFS: &str = "http://www.w3.org/2000/01/rdf-schema#";
const OWL: &str = "http://www.w3.org/2002/07/owl#";
const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

const WORDS: usize = 60_000;
const CLASSES: usize = 60;
const LINKS: usize = 24;
const CATEGORIES: usize = 2_000;

/// A generator of numbers (SplitMix64, Steele et al. 2014): small, fast, and the same everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    pub fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }
}

/// Ranks by Zipf's law: rank r with a chance that falls as 1/(r+1).
pub struct Zipf(Vec<f64>);

impl Zipf {
    pub fn new(ranks: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=ranks).map(|rank| {
            sum += 1.0 / rank as f64;
            sum
        });
        Self(sums.collect())
    }

    pub fn draw(&self, random: &mut Random) -> usize {
        let at = random.unit() * self.0.last().copied().unwrap_or(0.0);
        self.0.partition_point(|sum| *sum < at).min(self.0.len().saturating_sub(1))
    }
}

/// What is told of one entity.
pub struct Entity {
    pub class: usize,
    pub name: String,
    german: Option<String>,
    alternative: Option<String>,
    code: Option<String>,
    category: usize,
    links: Vec<(usize, usize)>,
}

/// A graph of a number of entities.
pub struct Graph {
    pub entities: usize,
    seed: u64,
    words: Vec<String>,
    word_ranks: Zipf,
    classes: Zipf,
    categories: Zipf,
    links: Zipf,
}

impl Graph {
    pub fn new(entities: usize, seed: u64) -> Self {
        let words = (0..WORDS).map(|rank| word(seed, rank)).collect();
        Self {
            entities,
            seed,
            words,
            word_ranks: Zipf::new(WORDS),
            classes: Zipf::new(CLASSES),
            categories: Zipf::new(CATEGORIES),
            links: Zipf::new(LINKS),
        }
    }

    /// The IRI of a class.
    pub fn class_iri(class: usize) -> String {
        format!("{NAMESPACE}onto/Class{class}")
    }

    /// The IRI of an entity.
    pub fn entity_iri(number: usize) -> String {
        format!("{NAMESPACE}e/{number}")
    }

    /// An entity by its number.
    pub fn entity(&self, number: usize) -> Entity {
        let mut random = Random::new(self.seed ^ (number as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93));
        let class = self.classes.draw(&mut random);
        let name = self.name(&mut random);
        let german = random.chance(0.25).then(|| self.name(&mut random));
        let alternative = random.chance(0.1).then(|| self.name(&mut random));
        let code = random.chance(0.3).then(|| {
            let letters = |random: &mut Random| char::from(b'A' + random.below(26) as u8);
            format!("{}{}-{:06}", letters(&mut random), letters(&mut random), random.below(1_000_000))
        });
        let category = self.categories.draw(&mut random);
        // Few entities have many links, and few are the target of many.
        let degree = ((1.0 / (1.0 - random.unit())).sqrt() - 0.4).min(40.0) as usize;
        let links = (0..degree)
            .map(|_| {
                let target = random.unit().powi(3) * self.entities as f64;
                (self.links.draw(&mut random), target as usize)
            })
            .collect();
        Entity { class, name, german, alternative, code, category, links }
    }

    fn name(&self, random: &mut Random) -> String {
        let count = [1, 1, 2, 2, 2, 3, 3, 4][random.below(8)];
        let words = (0..count).map(|_| self.words[self.word_ranks.draw(random)].as_str());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Words of the twelve that most names hold.
    fn frequent_words(&self, random: &mut Random) -> String {
        let words: Vec<&str> = (0..=random.below(3)).map(|_| self.words[random.below(12)].as_str()).collect();
        let text = words.join(" ");
        if random.chance(0.5) { misspelt(&text, random) } else { text }
    }

    /// Writes the graph as N-Triples; returns the number of triples.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<u64> {
        let mut triples = self.write_ontology(out)?;
        for number in 0..self.entities {
            triples += self.write_entity(number, out)?;
        }
        Ok(triples)
    }

    fn write_ontology(&self, out: &mut dyn Write) -> std::io::Result<u64> {
        let mut triples = 0;
        for class in 0..CLASSES {
            let iri = Self::class_iri(class);
            writeln!(out, "<{iri}> <{RDF}type> <{OWL}Class> .")?;
            writeln!(out, "<{iri}> <{RDFS}label> \"{}\"@en .", self.words[class * 7])?;
            triples += 2;
            if class > 0 {
                let above = Self::class_iri((class - 1) / 4);
                writeln!(out, "<{iri}> <{RDFS}subClassOf> <{above}> .")?;
                triples += 1;
            }
        }
        for link in 0..LINKS {
            writeln!(out, "<{NAMESPACE}onto/link{link}> <{RDF}type> <{OWL}ObjectProperty> .")?;
            writeln!(
                out,
                "<{NAMESPACE}onto/link{link}> <{RDFS}label> \"{} of\"@en .",
                self.words[link * 11 + 3]
            )?;
            triples += 2;
        }
        Ok(triples)
    }

    fn write_entity(&self, number: usize, out: &mut dyn Write) -> std::io::Result<u64> {
        let entity = self.entity(number);
        let iri = Self::entity_iri(number);
        writeln!(out, "<{iri}> <{RDF}type> <{}> .", Self::class_iri(entity.class))?;
        writeln!(out, "<{iri}> <{RDFS}label> \"{}\" .", entity.name)?;
        writeln!(out, "<{iri}> <{NAMESPACE}onto/category> \"{}\" .", self.words[entity.category * 13])?;
        let mut triples = 3;
        if let Some(german) = entity.german {
            writeln!(out, "<{iri}> <{RDFS}label> \"{german}\"@de .")?;
            triples += 1;
        }
        if let Some(alternative) = entity.alternative {
            writeln!(out, "<{iri}> <{SKOS}altLabel> \"{alternative}\" .")?;
            triples += 1;
        }
        if let Some(code) = entity.code {
            writeln!(out, "<{iri}> <{NAMESPACE}onto/code> \"{code}\" .")?;
            writeln!(out, "<{iri}> <{NAMESPACE}onto/size> \"{}\"^^<{XSD}integer> .", number % 1_000)?;
            triples += 2;
        }
        for (link, target) in &entity.links {
            writeln!(out, "<{iri}> <{NAMESPACE}onto/link{link}> <{}> .", Self::entity_iri(*target))?;
        }
        Ok(triples + entity.links.len() as u64)
    }
}

/// A word that looks like one: frequent words are short.
pub fn word(seed: u64, rank: usize) -> String {
    const ONSETS: [&str; 20] = [
        "b", "br", "d", "f", "g", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "tr", "v", "w",
        "z",
    ];
    const VOWELS: [&str; 8] = ["a", "e", "i", "o", "u", "ai", "ou", "ö"];
    const CODAS: [&str; 8] = ["", "", "n", "r", "l", "s", "nd", "m"];
    let mut random = Random::new(seed ^ 0xA5A5 ^ ((rank as u64) << 20));
    let syllables = 2 + usize::from(rank > 300) + usize::from(rank > 20_000);
    let mut word = String::new();
    for _ in 0..syllables {
        word.push_str(ONSETS[random.below(ONSETS.len())]);
        word.push_str(VOWELS[random.below(VOWELS.len())]);
        word.push_str(CODAS[random.below(CODAS.len())]);
    }
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// How an entity is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    Exact,
    Typo,
    Prefix,
    Filtered,
    /// One to three of the most frequent words, half of the time with a typo: the worst case.
    Frequent,
}

impl Asking {
    pub const ALL: [Self; 5] = [Self::Exact, Self::Typo, Self::Prefix, Self::Filtered, Self::Frequent];

    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Typo => "typo",
            Self::Prefix => "prefix",
            Self::Filtered => "filtered",
            Self::Frequent => "frequent words",
        }
    }

    /// Questions of this kind: the text, and the class if one is asked for.
    pub fn questions(self, graph: &Graph, count: usize) -> Vec<(String, Option<String>)> {
        let mut random = Random::new(0xBEEF);
        let ask = |_| {
            let entity = graph.entity(random.below(graph.entities));
            match self {
                Self::Exact => (entity.name, None),
                Self::Typo => (misspelt(&entity.name, &mut random), None),
                Self::Prefix => (begun(&entity.name), None),
                Self::Filtered => (entity.name, Some(Graph::class_iri(entity.class))),
                Self::Frequent => (graph.frequent_words(&mut random), None),
            }
        };
        (0..count).map(ask).collect()
    }
}

/// The name with one letter left out, doubled, swapped with the next, or another.
pub fn misspelt(name: &str, random: &mut Random) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let at = 1 + random.below(letters.len().saturating_sub(2).max(1));
    match random.below(4) {
        0 => _ = letters.remove(at),
        1 => letters.insert(at, letters[at]),
        2 if at + 1 < letters.len() => letters.swap(at, at + 1),
        _ => letters[at] = 'x',
    }
    letters.into_iter().collect()
}

/// The name without the second half of its last word.
fn begun(name: &str) -> String {
    let last = name.rsplit(' ').next().unwrap_or(name).chars().count();
    name.chars().take(name.chars().count() - last / 2).collect()
}
