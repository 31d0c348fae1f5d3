//! The ledger of evidence in short sentences.

use crate::trace::{Because, Doubtful};

/// What words stand for, and by what right.
pub(crate) fn because_text(because: &Because) -> String {
    let Because { words, name, part, right, .. } = because;
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

/// What is not accounted for.
pub(crate) fn doubt_text(doubt: &Doubtful) -> String {
    let about = &doubt.about;
    match doubt.kind {
        "unused" => format!("nothing in the query stands for \"{about}\""),
        "weak" => format!("\"{about}\" is not proven to mean what was taken"),
        "form" => format!("the query has no form for \"{about}\""),
        "dimension" => format!("nothing is known to measure \"{about}\""),
        "turned" => format!("{about} may be meant the other way round"),
        "unsaid" => format!("no word asks for {about}"),
        "not-returned" => format!("\"{about}\" is asked for, and something else is returned"),
        "narrow" => format!("other things than {about} are called so as well"),
        "nameless" => "the answer has nodes without a name, or rows without a value".to_owned(),
        "empty" => "there is no row".to_owned(),
        _ => "another reading is as well founded and gives another result".to_owned(),
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
        assert_eq!(because_text(&because), "\"boss\" is another word for manager");
        because.name = None;
        because.part = "order";
        assert_eq!(because_text(&because), "\"boss\" asks for an order");
        let doubt = Doubtful { kind: "turned", about: "manager".to_owned() };
        assert_eq!(doubt_text(&doubt), "manager may be meant the other way round");
    }
}
