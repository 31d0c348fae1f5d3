//! The evidence ledger for people and models: labels instead of IRIs, and each line as a sentence from the language
//! packs (`readings`). Uses the labels of the dataset.

use eruca_api::{Because, Doubtful};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_planner::{Doubt, Entry, Ledger, Part};
use eruca_sparql::one_line;

/// The language-pack table with the sentences.
const TABLE: &str = "readings";
/// Maximum length, in characters, of words and names.
const MAX_CHARS: usize = 80;

/// The evidence for and against a query from its ledger, word by word, as sentences in a language.
pub(super) fn evidence(
    dataset: &Dataset,
    ledger: &Ledger,
    language: &Language,
) -> (Vec<Because>, Vec<Doubtful>) {
    // What weak grounds say of words is of no interest beside better ones.
    let is_better = |entry: &Entry, other: &Entry| other.span == entry.span && !other.right.is_weak();
    let outdone =
        |entry: &&Entry| entry.right.is_weak() && ledger.entries.iter().any(|other| is_better(entry, other));
    let entries = ledger.entries.iter().filter(|entry| !outdone(entry));
    let because = entries.map(|entry| because(dataset, entry, language));
    let doubts = ledger.doubts.iter().map(|doubt| doubtful(dataset, doubt, language));
    (because.collect(), doubts.collect())
}

fn because(dataset: &Dataset, entry: &Entry, language: &Language) -> Because {
    let name = match &entry.part {
        Part::Term(iri) | Part::Thing(iri) => Some(dataset.schema_name(iri)),
        Part::Value(text) => Some(text.clone()),
        _ => None,
    };
    let words = one_line(&entry.words, MAX_CHARS);
    let name = name.map(|name| one_line(&name, MAX_CHARS));
    let (part, right) = (entry.part.key(), entry.right.key());
    let key = if name.is_some() { format!("right_{right}") } else { format!("asks_{part}") };
    let places = [("words", words.as_str()), ("name", name.as_deref().unwrap_or_default())];
    let text = language.say(TABLE, &key, &places).into_owned();
    Because { words, name, part: part.into(), right: right.into(), weak: entry.right.is_weak(), text }
}

fn doubtful(dataset: &Dataset, doubt: &Doubt, language: &Language) -> Doubtful {
    let about = match doubt.is_about_iri() {
        true => dataset.schema_name(doubt.about()),
        false => doubt.about().to_owned(),
    };
    said(doubt.key(), one_line(&about, MAX_CHARS), language)
}

/// A doubt as a sentence in a language.
pub(super) fn said(kind: &'static str, about: String, language: &Language) -> Doubtful {
    let text = language.say(TABLE, &format!("doubt_{kind}"), &[("about", &about)]).into_owned();
    Doubtful { kind: kind.into(), about, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_dataset::testing::graph_of;
    use eruca_language::{language, languages};
    use eruca_planner::Grounds;
    use eruca_planner::question::Span;

    fn entry(words: &str, part: Part, right: Grounds) -> Entry {
        Entry { span: Span::new(0, 1), words: words.to_owned(), part, right }
    }

    #[tokio::test]
    async fn words_and_rights_become_sentences_of_the_language() {
        let turtle = r#"<http://staff.example/a> <http://staff.example/manager> <http://staff.example/b> ."#;
        let graph = graph_of("staff", turtle).await;
        let manager = "http://staff.example/manager".to_owned();
        let ledger = Ledger {
            entries: vec![
                entry("boss", Part::Term(manager.clone()), Grounds::Synonym),
                entry("boss", Part::Term("http://staff.example/bossOf".to_owned()), Grounds::NamePart),
                entry("most", Part::Order, Grounds::Form),
            ],
            doubts: vec![
                Doubt::Turned(manager),
                Doubt::Unused(Span::new(0, 1), "red".to_owned()),
                Doubt::Rival,
            ],
        };
        let told = |tag: &str| {
            let (because, doubts) =
                evidence(&graph.dataset, &ledger, language(tag).unwrap_or_else(|| panic!("no {tag}")));
            let because = because.into_iter().map(|because| because.text);
            because.chain(doubts.into_iter().map(|doubt| doubt.text)).collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(told("en"), @r#"
        "boss" is another word for manager
        "most" asks for an order
        manager may be meant the other way round
        nothing in the query stands for "red"
        another reading is as well founded and gives another result
        "#);
        insta::assert_snapshot!(told("de"), @r"
        „boss“ ist ein anderes Wort für manager
        „most“ fragt nach einer Reihenfolge
        manager kann umgekehrt gemeint sein
        nichts in der Abfrage steht für „red“
        eine andere Lesart ist ebenso gut begründet und liefert ein anderes Ergebnis
        ");
        insta::assert_snapshot!(told("es"), @r"
        «boss» es otra palabra para manager
        «most» pide un orden
        manager puede entenderse al revés
        nada en la consulta representa «red»
        otra lectura está igual de fundada y da otro resultado
        ");
        insta::assert_snapshot!(told("fr"), @r"
        « boss » est un autre mot pour manager
        « most » demande un ordre
        manager peut être pris dans l'autre sens
        rien dans la requête ne représente « red »
        une autre lecture est aussi bien fondée et donne un autre résultat
        ");
    }

    #[test]
    fn every_pack_says_every_right_part_and_doubt() {
        use Doubt as D;
        use Grounds as R;
        let rights = [
            R::Glossary,
            R::Exact,
            R::Lemma,
            R::Synonym,
            R::Translation,
            R::Type,
            R::Dimension,
            R::Form,
            R::NamePart,
            R::Related,
            R::Typo,
            R::Outdone,
        ];
        let rights = rights.iter().map(|right| format!("right_{}", right.key()));
        let (at, text) = (Span::new(0, 1), String::new);
        let of_words = [D::Unused as fn(_, _) -> _, D::Weak, D::Form, D::Dimension, D::NotReturned];
        let of_words = of_words.map(|doubt| doubt(at, text()));
        let of_names = [D::Turned as fn(_) -> _, D::Unsaid, D::Narrow].map(|doubt| doubt(text()));
        let doubts = of_words.iter().chain(&of_names).chain(&[D::Nameless, D::Empty, D::Rival]);
        let forms = [Part::Comparison, Part::Order, Part::Count, Part::Computed, Part::Negation]
            .into_iter()
            .chain([Part::Alternatives, Part::Group, Part::Form]);
        let keys = rights
            .chain(doubts.map(|doubt| format!("doubt_{}", doubt.key())))
            .chain(forms.map(|part| format!("asks_{}", part.key())));
        for key in keys {
            let lacking: Vec<_> = languages()
                .filter(|language| language.phrase(TABLE, &key).is_none())
                .map(Language::tag)
                .collect();
            assert!(lacking.is_empty(), "{key}: {lacking:?}");
        }
    }
}
