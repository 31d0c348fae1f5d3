//! The form of the answer, derived from cues in the question.

use super::statement::StatedForm;
use eruca_language::text::words;
use eruca_planner::question::ParsedQuestion;

/// The kind of result asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// Yes or no.
    Ask,
    /// The number of something.
    Count,
    /// Entities or values of one kind: one column.
    Things,
    /// Literals of one kind: one column. Stated only by a model, since the wording does not distinguish it from `Things`.
    Values,
    /// Several columns: attributes asked for by name, a value for each of several entities, pairs.
    Table,
}

/// The form of the answer, as far as the question's wording determines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerForm {
    /// The kind of result.
    pub kind: FormKind,
    /// The question asks for a name, so a label is a better answer than an IRI.
    pub names: bool,
    /// The question contains a number of results or a superlative, so a LIMIT is justified.
    pub limited: bool,
    /// The form that the model stated.
    pub stated: StatedForm,
    /// The question's words, normalized.
    words: Vec<String>,
}

impl FormKind {
    /// The word with which a model states the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Count => "count",
            Self::Things => "things",
            Self::Values => "values",
            Self::Table => "table",
        }
    }

    /// The kind for a word that a model wrote.
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
    /// The same with the model's statement, which takes precedence: a model understands more than the wording.
    #[must_use]
    pub fn stated_as(self, stated: StatedForm) -> Self {
        let kind = match stated.kind.unwrap_or(self.kind) {
            FormKind::Things | FormKind::Values if stated.columns.len() > 1 => FormKind::Table,
            kind => kind,
        };
        let stated = StatedForm { kind: stated.kind.map(|_| kind), ..stated };
        Self { kind, limited: self.limited || stated.limit.is_some(), stated, ..self }
    }

    /// Derives the form from a question.
    pub fn read(question: &ParsedQuestion) -> Self {
        let counts = question.asks_how_many();
        let kind = if question.asks_yes_or_no() && !counts {
            FormKind::Ask
        } else if question.asks_for_rows() {
            FormKind::Table
        } else if counts {
            FormKind::Count
        } else {
            FormKind::Things
        };
        Self {
            kind,
            names: question.asks_for_names(),
            limited: question.asks_for_few(),
            stated: StatedForm::default(),
            words: question.words.iter().map(|word| word.norm.clone()).collect(),
        }
    }

    /// Whether the question contains one of the words of a text.
    pub(super) fn says(&self, text: &str) -> bool {
        words(text).iter().any(|token| self.words.contains(&token.text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(question: &str) -> AnswerForm {
        AnswerForm::read(&ParsedQuestion::read(question, &[]))
    }

    fn kind(question: &str) -> FormKind {
        read(question).kind
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
            ("What are the names of rivers and lakes?", Things),
            ("Who works here? I need name, e-mail, and phone", Table),
            ("What are the country and the name of each?", Table),
            ("Per continent, what is the longest river?", Table),
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
        let form = read("What are the population and the area of France?");
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
        assert!(read("What are the names of the rivers?").names);
        assert!(!read("Which rivers are there?").names);
        for limited in [
            "What is the cheapest coil?",
            "The 5 longest rivers",
            "Was ist der höchste Berg?",
            "El país más grande",
            "Who is older, Ann or Bob?",
            "Which lake has more fish: the Upper or the Lower one?",
        ] {
            assert!(read(limited).limited, "{limited}");
        }
        for all in [
            "Which rivers flow through Germany?",
            "Which films are longer than books or plays?",
            "red or blue cars",
        ] {
            assert!(!read(all).limited, "{all}");
        }
    }
}
