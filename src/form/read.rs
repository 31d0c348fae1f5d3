//! Reading the form of the answer off the question's words, in English, German and Spanish.

use super::statement::StatedForm;
use eruca_indexer::lexicon::{Degree, gradable};
use eruca_indexer::text::{fold, words};

/// What kind of result is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// Yes or no.
    Ask,
    /// One number of things.
    Count,
    /// Things or values of one kind: one column.
    Things,
    /// Literals of one kind: one column. Only a model states it; words do not tell it from things.
    Values,
    /// Several columns: attributes asked for by name, something for each of something else, pairs.
    Table,
}

/// The form of the answer, as far as the question's words tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerForm {
    /// The kind of result.
    pub kind: FormKind,
    /// The text of a name is asked for, so a label answers better than an IRI.
    pub names: bool,
    /// The question names a number of results or a superlative, so a LIMIT belongs to the query.
    pub limited: bool,
    /// The question asks for a number of things, whatever else it asks for.
    pub counts: bool,
    /// What the model states of it.
    pub stated: StatedForm,
    /// The question's words, normalized.
    words: Vec<String>,
}

/// Questions for a yes or no begin with one of these words.
const ASK_WORDS: &[&str] = &[
    "is", "are", "was", "were", "does", "do", "did", "has", "have", "had", "can", "could", "will", "ist",
    "sind", "war", "waren", "hat", "haben", "hatte", "gibt", "gab", "kann", "konnen", "wird", "werden",
    "wurde", "wurden", "es", "son", "era", "fue", "fueron", "esta", "estan", "hay", "tiene", "tienen",
    "existe", "existen", "puede", "pueden",
];

/// Words that tell the German "was" (what) from the English one.
const GERMAN_WORDS: &[&str] = &[
    "ist", "sind", "der", "die", "das", "den", "dem", "ein", "eine", "hat", "kostet", "fur", "von", "im",
    "wird",
];

/// "Can you list …" begins like a yes/no question and is none.
const POLITE: &[&str] = &[
    "can you",
    "could you",
    "do you know",
    "will you",
    "kannst du",
    "konnen sie",
    "puedes",
    "puede decirme",
    "podrias",
];

const COUNT_PHRASES: &[&str] = &[
    "how many",
    "number of",
    "count of",
    "count the",
    "wie viele",
    "wieviele",
    "anzahl",
    "cuantos",
    "cuantas",
    "numero de",
];

/// Something for each of something else.
const GROUP_PHRASES: &[&str] = &[
    "for each",
    "for every",
    "per",
    "of each",
    "by each",
    "each of",
    "in each",
    "jede",
    "jeden",
    "jeder",
    "jedes",
    "pro",
    "je",
    "cada",
    "por cada",
];

/// Attributes asked for beside the things themselves.
const ATTRIBUTE_PHRASES: &[&str] = &[
    "i need",
    "list their",
    "with their",
    "and their",
    "along with",
    "together with",
    "as well as",
    "including the",
    "show their",
    "with its",
    "and its",
    "pairs",
    "cycles",
    "combinations",
    "directory",
    "ich brauche",
    "mit ihren",
    "mit ihrem",
    "mit ihrer",
    "und ihre",
    "samt",
    "inklusive",
    "paare",
    "zyklen",
    "verzeichnis",
    "necesito",
    "con su",
    "con sus",
    "y su",
    "y sus",
    "junto con",
    "pares",
    "ciclos",
    "percentage",
    "prozent",
    "porcentaje",
];

const NAME_WORDS: &[&str] = &[
    "name", "names", "named", "called", "title", "titles", "namen", "heisst", "heissen", "titel", "nombre",
    "nombres", "llama", "llaman", "titulo", "titulos",
];

const LIMIT_WORDS: &[&str] = &[
    "top",
    "first",
    "last",
    "most",
    "least",
    "best",
    "worst",
    "maximum",
    "minimum",
    "one",
    "two",
    "three",
    "five",
    "ten",
    "erste",
    "ersten",
    "letzte",
    "letzten",
    "meisten",
    "wenigsten",
    "beste",
    "schlechteste",
    "zwei",
    "drei",
    "funf",
    "zehn",
    "primero",
    "primeros",
    "ultimo",
    "ultimos",
    "mas",
    "menos",
    "mejor",
    "peor",
    "mayor",
    "menor",
    "dos",
    "tres",
    "cinco",
    "diez",
];

impl FormKind {
    /// The word by which a model states the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Count => "count",
            Self::Things => "things",
            Self::Values => "values",
            Self::Table => "table",
        }
    }

    /// The kind that a model states in a word.
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim().to_lowercase().as_str() {
            "ask" => Some(Self::Ask),
            "count" => Some(Self::Count),
            "things" | "entities" => Some(Self::Things),
            "values" | "literals" => Some(Self::Values),
            "table" => Some(Self::Table),
            _ => None,
        }
    }
}

impl AnswerForm {
    /// The same question with what the model states: it understands more than words.
    #[must_use]
    pub fn stated_as(self, stated: StatedForm) -> Self {
        let kind = match stated.kind.unwrap_or(self.kind) {
            FormKind::Things | FormKind::Values if stated.columns.len() > 1 => FormKind::Table,
            kind => kind,
        };
        let stated = StatedForm { kind: stated.kind.map(|_| kind), ..stated };
        Self { kind, limited: self.limited || stated.limit.is_some(), stated, ..self }
    }

    /// The same form, of another kind.
    #[must_use]
    pub fn of_kind(self, kind: FormKind) -> Self {
        Self { kind, ..self }
    }

    /// Reads the form off a question.
    pub fn read(question: &str) -> Self {
        let plain: Vec<String> = fold(question)
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let text = format!(" {} ", plain.join(" "));
        let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(&format!(" {phrase} ")));
        let counts = has(COUNT_PHRASES);
        let attributes = has(GROUP_PHRASES) || has(ATTRIBUTE_PHRASES);
        let begins = |phrases: &[&str]| phrases.iter().any(|phrase| text.starts_with(&format!(" {phrase} ")));
        let german_what = begins(&["was"]) && has(GERMAN_WORDS);
        let kind = if begins(ASK_WORDS) && !german_what && !begins(POLITE) && !counts {
            FormKind::Ask
        } else if attributes {
            FormKind::Table
        } else if counts {
            FormKind::Count
        } else {
            FormKind::Things
        };
        Self {
            kind,
            counts,
            names: has(NAME_WORDS),
            limited: has(LIMIT_WORDS) || plain.iter().any(|word| asks_for_extreme(word)) || chooses(&plain),
            stated: StatedForm::default(),
            words: words(question).into_iter().map(|token| token.text).collect(),
        }
    }

    /// Whether the question says one of the words of a text.
    pub(super) fn says(&self, text: &str) -> bool {
        words(text).iter().any(|token| self.words.contains(&token.text))
    }
}

/// A number, or a superlative: "cheapest", "teuerste".
fn asks_for_extreme(word: &str) -> bool {
    let long = word.chars().count() > 4;
    let superlative = ["est", "ste", "sten", "ster", "stes"].iter().any(|ending| word.ends_with(ending));
    word.chars().any(|c| c.is_ascii_digit()) || (long && superlative)
}

/// "Who is older, Ann or Bob?" asks for one of them.
fn chooses(words: &[String]) -> bool {
    let compares = |word: &String| gradable(word).is_some_and(|found| found.degree == Degree::Comparative);
    let more = |word: &String| ["more", "less", "mehr", "weniger", "mas", "menos"].contains(&word.as_str());
    let Some(or) = words.iter().rposition(|word| ["or", "oder", "o"].contains(&word.as_str())) else {
        return false;
    };
    words.iter().take(or).any(|word| compares(word) || more(word))
        && !words.iter().any(|word| ["than", "als", "que"].contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(question: &str) -> FormKind {
        AnswerForm::read(question).kind
    }

    #[test]
    fn kinds_are_read_in_three_languages() {
        use FormKind::{Ask, Count, Table, Things};
        let cases = [
            ("Is the Nile longer than the Amazon?", Ask),
            ("Gibt es Flüsse ohne Mündung?", Ask),
            ("¿Es Lima la capital de Perú?", Ask),
            ("Can you list all rivers?", Things),
            ("How many rivers are there?", Count),
            ("Wie viele Einwohner hat Berlin?", Count),
            ("¿Cuántos países hay en Europa?", Count),
            ("How many cities are there per country?", Table),
            ("Which mountains are in Nepal? List their height.", Table),
            ("What is the capital of France?", Things),
            ("Was ist der höchste Berg?", Things),
            ("Was Hillary the first on Mount Everest?", Ask),
            ("Für jeden Kontinent: die Zahl der Länder", Table),
        ];
        for (question, expected) in cases {
            assert_eq!(kind(question), expected, "{question}");
        }
    }

    #[test]
    fn what_the_model_states_wins() {
        let form = AnswerForm::read("What are the population and the area of France?");
        let stated = |kind: &str, columns: &[&str]| StatedForm {
            kind: FormKind::parse(kind),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            ..StatedForm::default()
        };
        assert_eq!(form.clone().stated_as(stated(" Table ", &[])).kind, FormKind::Table);
        assert_eq!(form.clone().stated_as(stated("poem", &[])).kind, form.kind);
        assert_eq!(form.clone().stated_as(stated("values", &["area"])).kind, FormKind::Values);
        assert_eq!(form.stated_as(stated("values", &["population", "area"])).kind, FormKind::Table);
    }

    #[test]
    fn names_and_limits_are_noticed() {
        assert!(AnswerForm::read("What are the names of the rivers?").names);
        assert!(!AnswerForm::read("Which rivers are there?").names);
        for limited in [
            "What is the cheapest coil?",
            "The 5 longest rivers",
            "Was ist der höchste Berg?",
            "El país más grande",
            "Who is older, Ann or Bob?",
            "Which lake has more fish: the Upper or the Lower one?",
        ] {
            assert!(AnswerForm::read(limited).limited, "{limited}");
        }
        for all in [
            "Which rivers flow through Germany?",
            "Which films are longer than books or plays?",
            "red or blue cars",
        ] {
            assert!(!AnswerForm::read(all).limited, "{all}");
        }
    }
}
