//! Graphs of any size in the form of a Wikibase: items with names in five languages, claims of all datatypes, classes.
//!
//! Every item is made from the seed and its own number alone, so that a graph is the same on every machine and its names
//! are known without reading it. `dump` writes it as a dump of a real Wikibase stands in its file, `ask` asks for its names.

pub mod ask;
pub mod dump;

use super::graph::{Random, Zipf, word};

/// What all IRIs of the Wikibase begin with.
pub const BASE: &str = "https://wiki.bench.example/";
/// The languages of names, the first of which nearly every item has.
pub const LANGUAGES: [&str; 5] = ["en", "de", "fr", "ru", "zh"];

/// Items with the lowest numbers are classes.
pub const CLASSES: usize = 1_000;
const PROPERTIES: usize = 300;
/// Properties by number: what a thing is, and what is above a class.
const INSTANCE_OF: usize = 1;
const SUBCLASS_OF: usize = 2;
/// Properties of which qualifiers and references are made are among the first.
const QUALIFYING: usize = 20;
const WORDS: usize = 60_000;
const REFERENCES: usize = 1_000_000;
const UNITS: usize = 20;

const ALL_LANGUAGES: f64 = 0.3;
/// How often an item with not all languages has each of those behind the first.
const FURTHER_LANGUAGE: f64 = 0.464;
/// Names of people and places are the same in languages of one script.
const PROPER_NAME: f64 = 0.6;
const WITH_ALIAS: f64 = 0.2;
const WITH_PAGES: f64 = 0.15;
const UNKNOWN_VALUE: f64 = 0.005;

/// The kinds of values, in the words of the vocabulary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datatype {
    WikibaseItem,
    ExternalId,
    String,
    Quantity,
    Time,
    Monolingualtext,
    GlobeCoordinate,
    CommonsMedia,
    Url,
}

/// The datatypes of properties, again and again: many are of items and of identifiers.
const DATATYPES: [Datatype; 18] = [
    Datatype::WikibaseItem,
    Datatype::Time,
    Datatype::ExternalId,
    Datatype::WikibaseItem,
    Datatype::Quantity,
    Datatype::WikibaseItem,
    Datatype::ExternalId,
    Datatype::String,
    Datatype::CommonsMedia,
    Datatype::GlobeCoordinate,
    Datatype::ExternalId,
    Datatype::WikibaseItem,
    Datatype::Time,
    Datatype::Monolingualtext,
    Datatype::ExternalId,
    Datatype::Url,
    Datatype::ExternalId,
    Datatype::Quantity,
];

/// The kind of values that a property has.
pub fn datatype(property: usize) -> Datatype {
    match property {
        INSTANCE_OF | SUBCLASS_OF => Datatype::WikibaseItem,
        other => DATATYPES[(other - SUBCLASS_OF - 1) % DATATYPES.len()],
    }
}

/// A value; numbers stand for what its text is made of.
#[derive(Debug, Clone)]
enum Value {
    Item(usize),
    Text(String),
    Mono(String, &'static str),
    Quantity { amount: u64, unit: usize },
    Time { year: u64, month: u64, day: u64 },
    Place(u64, u64),
    Media(String),
    Url(u64),
    Unknown(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rank {
    Preferred,
    Normal,
    Deprecated,
}

#[derive(Debug)]
struct Claim {
    property: usize,
    value: Value,
    rank: Rank,
    /// Of the statement's node.
    id: [u64; 2],
    qualifier: Option<(usize, Value)>,
    reference: Option<usize>,
}

/// The names of an item.
pub struct Names {
    pub labels: [Option<String>; 5],
    pub aliases: Vec<String>,
    /// Pages about it elsewhere.
    pub pages: usize,
}

/// A Wikibase with a number of items.
pub struct Wikibase {
    pub items: usize,
    seed: u64,
    /// Words of each language.
    words: [Vec<String>; 5],
    word_ranks: Zipf,
    classes: Zipf,
    properties: Zipf,
    references: Zipf,
}

impl Wikibase {
    pub fn new(items: usize, seed: u64) -> Self {
        let latin = |own: u64| (0..WORDS).map(|rank| word(seed ^ own, rank)).collect::<Vec<_>>();
        let first = latin(0);
        let cyrillic = first.iter().map(|word| in_cyrillic(word)).collect();
        let han = (0..WORDS).map(|rank| in_han(seed, rank)).collect();
        Self {
            items,
            seed,
            words: [first, latin(0x0DE), latin(0x0F4), cyrillic, han],
            word_ranks: Zipf::new(WORDS),
            classes: Zipf::new(CLASSES),
            properties: Zipf::new(PROPERTIES - SUBCLASS_OF),
            references: Zipf::new(REFERENCES),
        }
    }

    /// The IRI of an item.
    pub fn item_iri(number: usize) -> String {
        format!("{BASE}entity/Q{}", number + 1)
    }

    fn random(&self, number: usize, purpose: u64) -> Random {
        Random::new(self.seed ^ purpose ^ (number as u64).wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    /// The names of an item and how well known it is.
    pub fn names(&self, number: usize) -> Names {
        let mut random = self.random(number, 0);
        let ranks = self.name_ranks(&mut random);
        let proper = random.chance(PROPER_NAME);
        let all = random.chance(ALL_LANGUAGES);
        let label = |language: usize| {
            let table = if proper && language < 3 { 0 } else { language };
            let has = language == 0 || all || random.chance(FURTHER_LANGUAGE);
            has.then(|| self.text(&ranks, table))
        };
        let labels = [0, 1, 2, 3, 4].map(label);
        let count = if random.chance(WITH_ALIAS) { 1 + random.below(2) } else { 0 };
        let aliases = (0..count)
            .map(|_| {
                let ranks = self.name_ranks(&mut random);
                self.text(&ranks, 0)
            })
            .collect();
        // Few things are known to many.
        let pages =
            if random.chance(WITH_PAGES) { (1.0 / (1.0 - random.unit())).min(200.0) as usize } else { 0 };
        Names { labels, aliases, pages }
    }

    fn name_ranks(&self, random: &mut Random) -> Vec<usize> {
        let count = [1, 2, 2, 2, 2, 3, 3, 4][random.below(8)];
        (0..count).map(|_| self.word_ranks.draw(random)).collect()
    }

    fn text(&self, ranks: &[usize], language: usize) -> String {
        let words: Vec<&str> = ranks.iter().map(|rank| self.words[language][*rank].as_str()).collect();
        words.join(if LANGUAGES[language] == "zh" { "" } else { " " })
    }

    /// What is said of an item, first what it is.
    fn claims(&self, number: usize) -> Vec<Claim> {
        let mut random = self.random(number, 0xC1A1);
        let mut claims = Vec::new();
        if number >= CLASSES {
            let class = self.classes.draw(&mut random);
            claims.push(self.claim(INSTANCE_OF, Value::Item(class), &mut random));
        } else if number > 0 {
            claims.push(self.claim(SUBCLASS_OF, Value::Item((number - 1) / 4), &mut random));
        }
        // Few items have many claims.
        let further = ((1.0 / (1.0 - random.unit())).sqrt() * 2.0 - 0.6).min(60.0) as usize;
        for _ in 0..further {
            let property = SUBCLASS_OF + 1 + self.properties.draw(&mut random);
            let value = self.value(property, &mut random);
            claims.push(self.claim(property, value, &mut random));
        }
        // A Wikibase writes the statements of one property together.
        claims.sort_by_key(|claim| claim.property);
        claims
    }

    fn claim(&self, property: usize, value: Value, random: &mut Random) -> Claim {
        let rank = match random.below(100) {
            0..3 => Rank::Preferred,
            3..5 => Rank::Deprecated,
            _ => Rank::Normal,
        };
        let qualifier = random.chance(1.0 / 3.0).then(|| {
            let property = SUBCLASS_OF + 1 + random.below(QUALIFYING);
            (property, self.value(property, random))
        });
        let reference = random.chance(1.0 / 3.0).then(|| self.references.draw(random));
        Claim { property, value, rank, id: [random.next(), random.next()], qualifier, reference }
    }

    fn value(&self, property: usize, random: &mut Random) -> Value {
        if random.chance(UNKNOWN_VALUE) {
            return Value::Unknown(random.next());
        }
        match datatype(property) {
            // Few are the target of many.
            Datatype::WikibaseItem => Value::Item((random.unit().powi(3) * self.items as f64) as usize),
            Datatype::ExternalId => Value::Text(format!("{:09}-{}", random.next() % 1_000_000_000, property)),
            Datatype::String => {
                let word = self.word_ranks.draw(random);
                Value::Text(format!("{} {}", self.words[0][word], random.below(100)))
            }
            Datatype::Quantity => Value::Quantity {
                amount: 10_u64.pow(random.below(6) as u32) + random.next() % 1_000,
                unit: random.below(UNITS),
            },
            Datatype::Time => Value::Time {
                year: 1_500 + random.next() % 520,
                month: 1 + random.next() % 12,
                day: 1 + random.next() % 28,
            },
            Datatype::Monolingualtext => {
                let ranks = self.name_ranks(random);
                let language = random.below(LANGUAGES.len());
                Value::Mono(self.text(&ranks, language), LANGUAGES[language])
            }
            Datatype::GlobeCoordinate => Value::Place(random.next() % 180_000, random.next() % 90_000),
            Datatype::CommonsMedia => {
                let ranks = self.name_ranks(random);
                Value::Media(self.text(&ranks, 0))
            }
            Datatype::Url => Value::Url(random.next() % 100_000_000),
        }
    }
}

/// A Latin word letter by letter.
fn in_cyrillic(word: &str) -> String {
    const LATIN: &str = "abdefghiklmnoprstuvwzö";
    const CYRILLIC: &str = "абдефгхиклмнопрстувйзё";
    let letter = |letter: char| {
        let lower = letter.to_lowercase().next().unwrap_or(letter);
        let at = LATIN.chars().position(|latin| latin == lower);
        let found = at.and_then(|at| CYRILLIC.chars().nth(at)).unwrap_or(lower);
        if letter.is_uppercase() { found.to_uppercase().next().unwrap_or(found) } else { found }
    };
    word.chars().map(letter).collect()
}

/// One to three of the 3,000 first characters; frequent words are short.
fn in_han(seed: u64, rank: usize) -> String {
    let mut random = Random::new(seed ^ 0x1BA7 ^ ((rank as u64) << 20));
    let length = 1 + usize::from(rank > 200) + usize::from(rank > 20_000);
    let character = |_| char::from_u32(0x4E00 + random.below(3_000) as u32).unwrap_or('一');
    (0..length).map(character).collect()
}
