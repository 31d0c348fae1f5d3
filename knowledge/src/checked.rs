//! The rules for what an entry may say: its words, its terms, and that it has one meaning.

use crate::written::{Entry, Hidden as WrittenHidden, Note as WrittenNote};
use crate::{GlossaryEntry, Hidden, MAX_PHRASE_WORDS, Meaning, Note, Origin, Pattern};
use eruca_language::text::words;
use eruca_sparql::{NamedNode, Prefixes, is_language_tag, one_line};

/// Maximum number of words and phrases of an entry, and of characters of each.
const MAX_WORDS: usize = 100;
pub(crate) const MAX_WORD_CHARS: usize = 100;
/// Maximum number of characters of a note, and of a value.
pub(crate) const MAX_NOTE_CHARS: usize = 1_000;
pub(crate) const MAX_VALUE_CHARS: usize = 500;

type Read<T> = Result<T, String>;

/// Checks entries.
#[derive(Clone, Copy)]
pub(crate) struct Checked<'a> {
    pub(crate) prefixes: &'a Prefixes,
}

impl Checked<'_> {
    pub(crate) fn glossary(self, entry: Entry, origin: Origin) -> Read<GlossaryEntry> {
        let meaning = self.meaning(&entry)?;
        let needs_none = matches!(meaning, Meaning::Prefer { .. } | Meaning::Unit { .. });
        if entry.words.is_empty() && !needs_none {
            return Err("has no 'words'; name the words that mean this".to_owned());
        }
        if entry.words.len() > MAX_WORDS {
            return Err(format!("has more than {MAX_WORDS} 'words'; divide it into several entries"));
        }
        entry.words.iter().try_for_each(|phrase| checked_phrase(phrase))?;
        if let Some(tag) = entry.lang.as_deref().filter(|tag| !is_language_tag(tag)) {
            return Err(format!("'lang' is '{tag}', which is no language tag; write one like \"en\""));
        }
        if entry.descending.is_some() && entry.measure.is_none() {
            return Err("has 'descending' without 'measure', the property that it is about".to_owned());
        }
        if !entry.over.is_empty() && entry.prefer.is_none() {
            return Err("has 'over' without 'prefer', the property that is meant".to_owned());
        }
        let of = entry.of.as_deref().map(|class| self.iri("of", class)).transpose()?;
        Ok(GlossaryEntry { words: entry.words, lang: entry.lang, meaning, of, origin })
    }

    fn meaning(self, entry: &Entry) -> Read<Meaning> {
        let property = || match &entry.property {
            Some(property) => self.iri("property", property),
            None => Err("has no 'property'; name the one that it is about".to_owned()),
        };
        let owns = entry.value.is_some() || entry.unit.is_some();
        let alone = entry.property.as_ref().filter(|_| !owns);
        let meanings = [
            entry.class.as_ref().map(|iri| self.iri("class", iri).map(Meaning::Class)),
            alone.map(|iri| self.iri("property", iri).map(Meaning::Property)),
            entry.thing.as_ref().map(|iri| self.iri("thing", iri).map(Meaning::Thing)),
            entry.value.as_ref().map(|text| self.value(text, property)),
            entry
                .pattern
                .as_ref()
                .map(|text| Pattern::read(text, &entry.words, self.prefixes).map(Meaning::Pattern)),
            entry.measure.as_ref().map(|iri| self.measure(iri, entry.descending)),
            entry.prefer.as_ref().map(|iri| self.preference(iri, &entry.over)),
            entry.unit.as_ref().map(|unit| unit_of(unit, property)),
        ];
        let mut given = meanings.into_iter().flatten();
        match (given.next(), given.next()) {
            (Some(one), None) => one,
            (None, _) => Err(format!("says nothing of what is meant; it needs one of {MEANINGS}")),
            _ => Err(format!("has more than one meaning; it needs exactly one of {MEANINGS}")),
        }
    }

    fn measure(self, property: &str, descending: Option<bool>) -> Read<Meaning> {
        Ok(Meaning::Measure { property: self.iri("measure", property)?, descending })
    }

    fn value(self, text: &str, property: impl Fn() -> Read<String>) -> Read<Meaning> {
        if text.is_empty() || text.chars().count() > MAX_VALUE_CHARS {
            return Err(format!("'value' must have 1 to {MAX_VALUE_CHARS} characters"));
        }
        Ok(Meaning::Value { property: property()?, text: text.to_owned() })
    }

    fn preference(self, property: &str, over: &[String]) -> Read<Meaning> {
        if over.is_empty() {
            return Err("has 'prefer' without 'over', the properties that are not meant".to_owned());
        }
        let over = over.iter().map(|iri| self.iri("over", iri)).collect::<Read<Vec<String>>>()?;
        Ok(Meaning::Prefer { property: self.iri("prefer", property)?, over })
    }

    pub(crate) fn note(self, note: WrittenNote, origin: Origin) -> Read<Note> {
        if note.text.trim().is_empty() || note.text.chars().count() > MAX_NOTE_CHARS {
            return Err(format!("'text' must have 1 to {MAX_NOTE_CHARS} characters"));
        }
        let about = note.about.as_deref().map(|iri| self.iri("about", iri)).transpose()?;
        Ok(Note { text: one_line(note.text.trim(), MAX_NOTE_CHARS), about, origin })
    }

    pub(crate) fn hide(self, written: WrittenHidden, hidden: &mut Hidden) -> Read<()> {
        for term in &written.terms {
            hidden.terms.insert(self.iri("terms", term)?);
        }
        for namespace in &written.namespaces {
            let namespace = self.iri("namespaces", namespace)?;
            if !hidden.namespaces.contains(&namespace) {
                hidden.namespaces.push(namespace);
            }
        }
        Ok(())
    }

    /// The IRI of `<…>`, a bare IRI, or a prefixed name.
    fn iri(self, key: &str, written: &str) -> Read<String> {
        let trimmed = written.trim();
        let bare = trimmed.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let whole =
            bare.or_else(|| Some(trimmed).filter(|iri| iri.contains("://") || iri.starts_with("urn:")));
        let iri = whole.map(str::to_owned).or_else(|| self.prefixes.expand(trimmed));
        iri.filter(|iri| NamedNode::new(iri.as_str()).is_ok()).ok_or_else(|| {
            format!(
                "'{key}' is '{}', which is neither an IRI nor a prefixed name with a known prefix; write <IRI>, or \
                 add the prefix to the dataset's 'prefixes'",
                one_line(written, MAX_WORD_CHARS)
            )
        })
    }
}

/// The keys of which an entry has one.
const MEANINGS: &str = "class, property, thing, value (with property), pattern, measure, prefer (with over), unit (with property)";

fn unit_of(unit: &str, property: impl Fn() -> Read<String>) -> Read<Meaning> {
    if unit.trim().is_empty() || unit.chars().count() > MAX_WORD_CHARS {
        return Err(format!("'unit' must have 1 to {MAX_WORD_CHARS} characters"));
    }
    Ok(Meaning::Unit { property: property()?, unit: one_line(unit.trim(), MAX_WORD_CHARS) })
}

pub(crate) fn checked_phrase(phrase: &str) -> Read<()> {
    let count = words(phrase).len();
    let fits = (1..=MAX_PHRASE_WORDS).contains(&count) && phrase.chars().count() <= MAX_WORD_CHARS;
    let spaced = count > MAX_PHRASE_WORDS && phrase.contains(eruca_language::text::is_unspaced);
    match fits || (spaced && phrase.chars().count() <= MAX_WORD_CHARS) {
        true => Ok(()),
        false => Err(format!(
            "'{}' must have 1 to {MAX_PHRASE_WORDS} words and at most {MAX_WORD_CHARS} characters",
            one_line(phrase, MAX_WORD_CHARS)
        )),
    }
}
