//! Names in proposed questions: those of classes and properties in one language, as they read within a sentence, and those of things.

use eruca_dataset::Dataset;
use eruca_indexer::{ClassCard, Label};
use eruca_language::text::{fold, humanize};
use eruca_language::{Language, Role};
use eruca_sparql::{Term, local_name};

/// Longest name, in characters, so that questions stay short.
const MAX_NAME_CHARS: usize = 40;
/// Letters of a name, at least.
const MIN_LETTERS: usize = 2;

/// A class that questions are about, with its names.
pub(super) struct Subject {
    pub iri: String,
    pub instances: u64,
    pub one: String,
    pub many: Option<String>,
}

/// The names of a graph in one language.
pub(super) struct Names<'a> {
    pub dataset: &'a Dataset,
    pub language: &'static Language,
    /// Whether names without a language, and readable IRIs, are in this one.
    pub is_own: bool,
}

impl Names<'_> {
    pub(super) fn subject(&self, class: &ClassCard) -> Option<Subject> {
        let one = self.of(&class.labels, &class.iri)?;
        let many = self.language.plural(&one);
        Some(Subject { iri: class.iri.clone(), instances: class.instances_with_subclasses, one, many })
    }

    /// The name of a property, if it reads as a noun: of what is called "is located in" nobody asks "what is the …".
    pub(super) fn property(&self, iri: &str) -> Option<String> {
        let card = self.dataset.index.card.property(iri)?;
        let name = self.of(&card.labels, iri)?;
        let mut words: Vec<&str> = name.split(' ').collect();
        // "has height" is the height.
        while words.len() > 1 && words.first().is_some_and(|word| self.language.is_light_verb(&fold(word))) {
            words.remove(0);
        }
        // "located in", and "joined the union".
        let is_phrase = words.iter().any(|word| {
            let folded = fold(word);
            let role = self.language.role(&folded);
            role.is_some_and(|role| !matches!(role, Role::Of | Role::Kind))
                || (role.is_none() && self.language.is_function_word(&folded))
        });
        let is_verb = words.first().is_some_and(|word| self.language.is_light_verb(&fold(word)));
        (!is_phrase && !is_verb).then(|| words.join(" "))
    }

    pub(super) fn class(&self, iri: &str) -> Option<String> {
        let card = self.dataset.index.card.class(iri)?;
        self.of(&card.labels, iri)
    }

    fn of(&self, labels: &[Label], iri: &str) -> Option<String> {
        let speaks = |label: &&Label| label.language.split('-').next() == Some(self.language.tag());
        let own = labels.iter().find(speaks).map(|label| label.text.clone());
        let untagged =
            || labels.iter().find(|label| label.language.is_empty()).map(|label| label.text.clone());
        let local = || labels.is_empty().then(|| humanize(local_name(iri)).to_lowercase());
        let name = own.or_else(|| if self.is_own { untagged().or_else(local) } else { None })?;
        let name = name.trim();
        (is_readable(name) && !name.chars().any(|c| c.is_ascii_digit())).then(|| self.within(name))
    }

    /// A name as it is written within a sentence.
    fn within(&self, name: &str) -> String {
        if self.language.has_noun_capitals() {
            return name.to_owned();
        }
        let lowered = |word: &str| match word.chars().skip(1).all(char::is_lowercase) {
            true => word.to_lowercase(),
            false => word.to_owned(),
        };
        name.split(' ').map(lowered).collect::<Vec<_>>().join(" ")
    }

    /// The name of a thing, or the text of a value.
    pub(super) fn term(&self, term: &Term) -> Option<String> {
        let name = match term {
            Term::NamedNode(node) => self.dataset.label(node.as_str())?,
            Term::Literal(literal) => literal.value().trim().to_owned(),
            Term::BlankNode(_) => return None,
        };
        is_readable(&name).then_some(name)
    }
}

/// Whether a name fits into a question: short, on one line, and nothing that would end or change a sentence.
fn is_readable(name: &str) -> bool {
    let fits =
        |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '\'' | '’' | '.' | '&' | '/' | '(' | ')');
    let letters = name.chars().filter(|c| c.is_alphabetic()).count();
    letters >= MIN_LETTERS && name.chars().count() <= MAX_NAME_CHARS && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::is_readable;

    #[test]
    fn names_that_would_change_a_sentence_are_left_out() {
        assert!(is_readable("Coil 12-A (small)") && is_readable("Côte d'Ivoire"));
        for name in ["7", "a\nb", "{thing}", "a, b", "who?", "a <b>", "x\u{202e}y", &"a".repeat(41)] {
            assert!(!is_readable(name), "{name}");
        }
    }
}
