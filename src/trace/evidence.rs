//! The ledger of evidence as it stands in traces, and in short sentences.

/// What speaks for a query, word by word, and what does not; names of the graph in the language of the question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The words of the question with what they stand for, in their order.
    pub because: Vec<Because>,
    /// What is not accounted for.
    pub doubts: Vec<Doubtful>,
}

/// Words of the question, what they stand for, and by what right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Because {
    /// The words.
    pub words: String,
    /// What is called so: a class, a property, a thing, a value; nothing where the words ask for a form of the query.
    pub name: Option<String>,
    /// The part of the query: `term`, `thing`, `value`, `comparison`, `order` ….
    pub part: &'static str,
    /// The right: `exact`, `lemma`, `dimension` ….
    pub right: &'static str,
    /// Whether the right is no proof by itself.
    pub weak: bool,
}

/// Something that nothing accounts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// The kind: `unused`, `weak`, `dimension`, `turned` …; of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`.
    pub kind: &'static str,
    /// The words of the question or the name that it is about; empty where it is about the answer.
    pub about: String,
}

impl Because {
    /// What the words stand for, and by what right, in a sentence.
    pub fn text(&self) -> String {
        let Because { words, name, part, right, .. } = self;
        let Some(name) = name else {
            let asked = match *part {
                "comparison" => "a comparison",
                "order" => "an order",
                "count" => "a number",
                "computed" => "a calculation",
                "negation" => "what is not there",
                "alternatives" => "alternatives",
                "group" => "a row for each",
                _ => "this form of answer",
            };
            return format!("\"{words}\" asks for {asked}");
        };
        match *right {
            "exact" => format!("\"{words}\" names {name}"),
            "lemma" => format!("\"{words}\" is a form of the name {name}"),
            "synonym" => format!("\"{words}\" is another word for {name}"),
            "translation" => format!("\"{words}\" translates {name}"),
            "type" => format!("\"{words}\" is what it is: {name}"),
            "dimension" => format!("\"{words}\" is measured by {name}"),
            "name-part" => format!("\"{words}\" is only a part of the name {name}"),
            "related" => format!("\"{words}\" is only related to {name}"),
            "typo" => format!("\"{words}\" is only written like {name}"),
            _ => format!("\"{words}\" may mean {name}, and something else fits better"),
        }
    }
}

impl Doubtful {
    /// What is not accounted for, in a sentence.
    pub fn text(&self) -> String {
        let about = &self.about;
        match self.kind {
            "unused" => format!("nothing in the query stands for \"{about}\""),
            "weak" => format!("\"{about}\" is not proven to mean what was taken"),
            "form" => format!("the query has no form for \"{about}\""),
            "dimension" => format!("nothing is known to measure \"{about}\""),
            "turned" => format!("{about} may be meant the other way round"),
            "unsaid" => format!("no word asks for {about}"),
            "not-returned" => format!("\"{about}\" is asked for, and something else is returned"),
            "narrow" => format!("other things than {about} are called so as well"),
            "nameless" => "the answer has nodes without a name, or rows without a value".to_owned(),
            "unsure" => format!("the model is not certain: {about}"),
            "not-run" => "the query has not been run to its end".to_owned(),
            "stopped" => "the work ended before the model had stated this answer for good".to_owned(),
            "tie" => "rows that are equal to the last one are cut".to_owned(),
            "partial" => "things without a value that is shown are left out".to_owned(),
            "cut" => "the rows are only a part of the result".to_owned(),
            "empty" => "there is no row".to_owned(),
            _ => "another reading is as well founded and gives another result".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_rights_become_sentences() {
        let mut because = Because {
            words: "boss".to_owned(),
            name: Some("manager".to_owned()),
            part: "term",
            right: "synonym",
            weak: false,
        };
        assert_eq!(because.text(), "\"boss\" is another word for manager");
        because.name = None;
        because.part = "order";
        assert_eq!(because.text(), "\"boss\" asks for an order");
        let doubt = Doubtful { kind: "turned", about: "manager".to_owned() };
        assert_eq!(doubt.text(), "manager may be meant the other way round");
    }
}
