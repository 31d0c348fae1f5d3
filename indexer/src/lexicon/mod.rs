//! Words of languages, not of graphs: function words that name nothing, and the nouns behind adjectives and
//! question words ("how heavy" asks for a weight). English, German and Spanish; other languages do without.

mod countries;
mod cues;
mod gradable;
mod language;

pub use countries::country_names;
pub use cues::{Cue, MAX_CUE_WORDS, cue};
pub use gradable::{Degree, Gradable, Measure, gradable, measure};
pub use language::{language_of, language_of_script};

use crate::text::normalize_word;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// Weight of a noun that stands for an adjective, against 1 for the word itself.
const RELATED_WEIGHT: f32 = 0.8;

/// Function words by language.
const FUNCTION_WORDS: &[(&str, &str)] = &[("en", "
a an the this that these those there here it its he she they them their his her we us our i me my you your
is are was were be been being am do does did done has have had can could will would shall should may might must
of in on at by to from for with without within into onto over under about as than then and or not no nor but if
what which who whom whose when where why how all any each every some both either neither other another such
many much more most less least few several also only just very so too up down out off between among during per
mr mrs ms dr prof sir madam please tell show give list find get name me let know
"), ("de", "
der die das den dem des ein eine einen einem einer eines und oder nicht kein keine keinen ist sind war waren sein
hat haben hatte wird werden wurde wurden kann können mit ohne von vom zu zum zur im in am an auf aus bei beim nach
für über unter um durch gegen als wie was wer wen wem wessen welche welcher welches welchen welchem wo wann warum
wieviel wieviele viele mehr alle alles jede jeder jedes es er sie wir ihr ich du sich auch nur noch schon gibt
herr frau bitte nenne zeige liste
"), ("es", "
el la los las un una unos unas lo al del de y o u e no ni es son era eran ser fue fueron está están estar ha han
hay tiene tienen con sin por para en entre sobre bajo desde hasta hacia qué que cuál cuáles cual quién quiénes
quien cuándo cuando dónde donde cómo como cuánto cuánta cuántos cuántas su sus nuestro nuestra se me te le les más
menos muy también todo toda todos todas cada otro otra señor señora dime muestra lista
")];

/// Lines of `adjectives and verbs : nouns they ask for`.
const RELATED: &str = "
heavy heavier heaviest light lighter lightest weigh weighs weighing heavyweight : weight mass
expensive cheap cheaper cheapest costly costliest pricey affordable cost costs pay : price cost amount
price : cost amount
tall taller tallest high higher highest low lowest shortest : height elevation altitude
long longer longest short shorter shortest : length duration
wide wider widest broad broadest narrow narrowest : width
deep deeper deepest shallow shallowest : depth
big bigger biggest large larger largest small smaller smallest huge tiny : area size surface population
populous populated inhabitants inhabited people live lives living residents : population inhabitants
old older oldest young younger youngest age aged : birth born age date founding
born birthday birthplace : birth
begin begins began beginning starts starting : start beginning
ends ended ending finish finished : end
died dead death killed : death
when : date year time
where located situated lies : location place country city
fast faster fastest slow slower slowest : speed velocity
hot hottest warm cold coldest : temperature
founded founder established created started : founding foundation founder
wrote written write author writer : author writer
married wife husband spouse : spouse
boss chief head leader leads : manager head leader
reports report subordinate : manager report
mail e-mail email : email mail
phone telephone call mobile cell : phone telephone number
expert experts expertise specialist knows : expertise expert
works work working employed staff employee : member employer department works
bought buy sold sell sells vendor seller : supplier product
flows flow mouth empties : mouth outflow
schwer schwerer schwerste schwersten leicht leichter leichteste wiegt wiegen : weight gewicht masse
teuer teurer teuerste teuersten billig billigste günstig günstigste kostet kosten : price preis amount
hoch höher höchste höchsten höhe : height elevation höhe
lang länger längste längsten kurz kürzeste : length länge
breit breiter breiteste : width breite
tief tiefer tiefste : depth tiefe
groß größer größte größten klein kleinste : area size fläche größe population
einwohner einwohnerzahl leben wohnen : population einwohnerzahl
geboren geburtstag : birth geburtsdatum
gestorben tot : death todesdatum
wann : date datum
chef leiter vorgesetzter vorgesetzte : manager leiter
hauptstadt : capital
telefon telefonnummer : phone telefon
abteilung : department
lieferant lieferanten : supplier
land länder : country land
fluss flüsse : river fluss
pesado pesada pesa peso liviano : weight peso
caro cara barato barata cuesta precio : price precio
alto alta altura bajo : height elevation altura
largo larga longitud corto : length longitud
ancho anchura : width
profundo profundidad : depth
grande mayor pequeño menor : area size superficie population
habitantes población viven : population población
nació nacido nacimiento : birth nacimiento
murió muerte : death
capital : capital
país países : country
";

/// Phrases that ask for the year alone, folded.
const YEAR_PHRASES: &[&str] = &[
    "what year",
    "which year",
    "the year when",
    "the year in which",
    "welchem jahr",
    "welches jahr",
    "que ano",
    "каком году",
    "哪一年",
];

/// Whether a question asks for a year rather than for a date.
pub fn asks_for_year(question: &str) -> bool {
    let folded = crate::text::fold(question);
    YEAR_PHRASES.iter().any(|phrase| folded.contains(phrase))
}

/// Whether a normalized word names nothing by itself.
pub fn is_function_word(word: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<String>> = OnceLock::new();
    let all = || {
        FUNCTION_WORDS.iter().flat_map(|(_, words)| words.split_whitespace()).map(normalize_word).collect()
    };
    WORDS.get_or_init(all).contains(word)
}

/// Nouns that a normalized word may ask for, each with its weight.
pub fn related_words(word: &str) -> Vec<(String, f32)> {
    static TABLE: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    let table = TABLE.get_or_init(related_table);
    let nouns = table.get(word).map_or(&[][..], Vec::as_slice);
    nouns.iter().map(|noun| (noun.clone(), RELATED_WEIGHT)).collect()
}

/// Lines of `words : English words` for German and Spanish, folded.
const TRANSLATIONS: &str = include_str!("translations.txt");
/// Lines of `word near near ...` for English.
const SYNONYMS: &str = include_str!("synonyms.txt");

/// English words for a normalized German or Spanish one: names in a graph are mostly English.
pub fn translations(word: &str) -> &'static [String] {
    static TABLE: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    let table =
        TABLE.get_or_init(|| word_table(TRANSLATIONS.lines().filter_map(|line| line.split_once(" : "))));
    table.get(word).map_or(&[], Vec::as_slice)
}

/// English words that often stand for a normalized one in names of classes and properties.
pub fn synonyms(word: &str) -> &'static [String] {
    static TABLE: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| word_table(SYNONYMS.lines().filter_map(|line| line.split_once(' '))));
    table.get(word).map_or(&[], Vec::as_slice)
}

/// Every normalized word of the left side with the normalized words of the right side.
fn word_table<'a>(lines: impl Iterator<Item = (&'a str, &'a str)>) -> FxHashMap<String, Vec<String>> {
    let mut table: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for (words, meanings) in lines {
        for word in words.split_whitespace().map(normalize_word) {
            let known = table.entry(word.clone()).or_default();
            for meaning in meanings.split_whitespace().map(normalize_word) {
                if meaning != word && !known.contains(&meaning) {
                    known.push(meaning);
                }
            }
        }
    }
    table
}

fn related_table() -> FxHashMap<String, Vec<String>> {
    let mut table: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in RELATED.lines() {
        let Some((words, nouns)) = line.split_once(':') else { continue };
        let nouns: Vec<String> = nouns.split_whitespace().map(normalize_word).collect();
        for word in words.split_whitespace().map(normalize_word) {
            let known = table.entry(word.clone()).or_default();
            for noun in nouns.iter().filter(|noun| **noun != word) {
                if !known.contains(noun) {
                    known.push(noun.clone());
                }
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjectives_lead_to_nouns_in_three_languages() {
        for (word, noun) in
            [("heavy", "weight"), ("teuer", "price"), ("höchste", "height"), ("habitantes", "population")]
        {
            let related = related_words(&normalize_word(word));
            assert!(related.iter().any(|(text, _)| *text == normalize_word(noun)), "{word}: {related:?}");
        }
    }

    #[test]
    fn function_words_are_known_in_their_normalized_form() {
        for word in ["The", "ms", "Für", "dónde", "how"] {
            assert!(is_function_word(&normalize_word(word)), "{word}");
        }
        assert!(!is_function_word("department"));
    }
}
