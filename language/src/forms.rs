//! Word forms of a language: endings, stems, irregular forms, compounds.
//!
//! Two steps, each a list of endings in the pack: removing inflection (plural, tense, case) gives the base form, removing
//! derivation (agent, action) the stem that "director", "directed" and "direction" share. Snowball was considered, but it needs
//! the accents that folding removes, does not unify "director" and "directed", and would require code for each language.

use super::Language;
use super::files::Files;
use super::grade::Degree;
use super::pack::FormRules;
use super::phrases::{WordSet, normal, phrases};
use crate::text::fold;
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::num::ParseIntError;
use std::sync::Arc;

/// Minimum length of a stem, unless the pack sets a higher one.
const MIN_STEM: usize = 3;
/// Maximum number of derivation endings removed in a row.
const MAX_DERIVATIONS: usize = 3;
/// Minimum length of a part of a compound.
const MIN_PART: usize = 3;
/// Maximum number of parts of a compound.
const MAX_PARTS: usize = 4;
/// Maximum length of a compound to split, since the work grows with it.
const MAX_COMPOUND: usize = 48;

/// An ending and its replacement.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct WordEnding {
    /// A prefix removed at the same time: "ge" of "gegründet".
    beginning: String,
    ending: String,
    replacement: String,
    /// Minimum number of letters left before it.
    keeps: usize,
}

impl TryFrom<String> for WordEnding {
    type Error = ParseIntError;

    /// `ending`, `ending>replacement`, `beginning+ending`, each optionally with `/4` for the minimum number of letters left.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (text, keeps) = match text.split_once('/') {
            Some((text, number)) => (text, number.parse()?),
            None => (text.as_str(), MIN_STEM),
        };
        let (ending, replacement) = text.split_once('>').unwrap_or((text, ""));
        let (beginning, ending) = ending.split_once('+').unwrap_or(("", ending));
        let [beginning, ending, replacement] = [beginning, ending, replacement].map(str::to_owned);
        Ok(Self { beginning, ending, replacement, keeps })
    }
}

impl WordEnding {
    /// The same without accents.
    fn folded(self) -> Self {
        let [beginning, ending, replacement] =
            [self.beginning, self.ending, self.replacement].map(|part| fold(&part));
        Self { beginning, ending, replacement, keeps: self.keeps }
    }

    fn last(&self) -> Option<char> {
        self.ending.chars().next_back()
    }

    fn apply(&self, word: &str) -> Option<String> {
        // Most rules fail on their ending, so that is checked first.
        let rest = word.strip_suffix(self.ending.as_str())?.strip_prefix(self.beginning.as_str())?;
        (rest.chars().count() >= self.keeps).then(|| format!("{rest}{}", self.replacement))
    }
}

/// Endings, of which the longest match applies. They are grouped by last letter, since thousands of words are reduced when a
/// language is loaded.
#[derive(Debug, Default)]
struct Endings {
    of_letter: FxHashMap<char, Vec<Arc<WordEnding>>>,
    /// Rules with only a prefix.
    of_any: Vec<Arc<WordEnding>>,
}

impl Endings {
    fn of(mut all: Vec<WordEnding>) -> Self {
        all.sort_by_key(|rule| std::cmp::Reverse(rule.beginning.len() + rule.ending.len()));
        let all: Vec<Arc<WordEnding>> = all.into_iter().map(Arc::new).collect();
        let of = |letter: Option<char>| {
            let fits = |rule: &&Arc<WordEnding>| rule.last().is_none() || rule.last() == letter;
            all.iter().filter(fits).cloned().collect()
        };
        let letters = all.iter().filter_map(|rule| rule.last());
        Self { of_letter: letters.map(|letter| (letter, of(Some(letter)))).collect(), of_any: of(None) }
    }

    /// The word without its longest matching ending.
    fn take_off(&self, word: &str) -> Option<String> {
        let rules = self.of_letter.get(&word.chars().next_back()?).unwrap_or(&self.of_any);
        rules.iter().find_map(|rule| rule.apply(word))
    }
}

/// The inflection and derivation rules of a language.
#[derive(Debug, Default)]
pub(super) struct Forms {
    inflection: Endings,
    derivation: Endings,
    whole: WordSet,
    adjective: Vec<WordEnding>,
    comparative: Vec<WordEnding>,
    superlative: Vec<WordEnding>,
    name: Vec<WordEnding>,
    verb: Vec<WordEnding>,
    links: Vec<String>,
    separable: WordSet,
    irregular: FxHashMap<String, String>,
}

impl Forms {
    pub(super) fn of(rules: FormRules, files: &mut Files) -> Self {
        let folded =
            |endings: Vec<WordEnding>| endings.into_iter().map(WordEnding::folded).collect::<Vec<_>>();
        let mut found = Self {
            inflection: Endings::of(folded(rules.inflection)),
            derivation: Endings::of(folded(rules.derivation)),
            whole: rules.whole,
            // Accents matter in verbs and adjectives.
            adjective: rules.adjective,
            comparative: rules.comparative,
            superlative: rules.superlative,
            name: folded(rules.name),
            verb: rules.verb,
            links: phrases(&rules.link).map(fold).collect(),
            separable: rules.separable,
            irregular: FxHashMap::default(),
        };
        found.read_irregular(files);
        found
    }

    fn read_irregular(&mut self, files: &mut Files) {
        let mut bases = Vec::new();
        files.each_pair("irregular.txt", |base, forms| {
            let base = fold(base);
            for form in forms.split_whitespace() {
                // The first line that contains a form decides.
                self.irregular.entry(fold(form)).or_insert_with(|| base.clone());
                // Also in the form normalized for the indexes; but "news" itself is not a plural of "new".
                if fold(form) != base {
                    self.irregular.entry(normal(form)).or_insert_with(|| base.clone());
                }
            }
            bases.push(base);
            Some(())
        });
        // An irregular base keeps its ending: "building" is not reduced to "build".
        for base in bases {
            self.irregular.entry(base.clone()).or_insert(base);
        }
    }

    /// The word without inflectional endings (number, case, tense); irregular forms are listed.
    pub(super) fn base(&self, folded: &str) -> String {
        if let Some(base) = self.irregular.get(folded) {
            return base.clone();
        }
        self.inflection.take_off(folded).unwrap_or_else(|| folded.to_owned())
    }

    /// The common stem of a word family.
    pub(super) fn stem(&self, folded: &str) -> String {
        if folded.contains(|c: char| c.is_ascii_digit()) {
            return folded.to_owned();
        }
        let mut stem = self.base(folded);
        for _ in 0..MAX_DERIVATIONS {
            let Some(shorter) = self.shortened(&stem) else { break };
            stem = shorter;
        }
        undouble(stem)
    }

    fn shortened(&self, stem: &str) -> Option<String> {
        if self.whole.contains(stem) {
            return None;
        }
        self.derivation.take_off(stem).filter(|shorter| shorter != stem)
    }

    /// Irregular forms.
    pub(super) fn listed(&self) -> impl Iterator<Item = &String> {
        self.irregular.keys()
    }

    /// The forms that a comparative and a superlative of an adjective may have by rule.
    pub(super) fn compared(&self, adjective: &str) -> Vec<(String, Degree)> {
        let degrees = [(&self.comparative, Degree::Comparative), (&self.superlative, Degree::Superlative)];
        let made = degrees.into_iter().flat_map(|(endings, degree)| {
            endings.iter().filter_map(move |ending| Some((ending.apply(adjective)?, degree)))
        });
        made.flat_map(|(form, degree)| {
            self.adjective_forms(&form).into_iter().map(move |form| (form, degree))
        })
        .collect()
    }

    /// All regular forms of a listed adjective, starting with itself.
    pub(super) fn adjective_forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned()];
        forms.extend(self.adjective.iter().filter_map(|ending| ending.apply(word)));
        forms
    }

    fn split_rest(
        &self,
        rest: &str,
        is_word: &dyn Fn(&str) -> bool,
        parts: &mut Vec<String>,
        found: &mut Vec<Vec<String>>,
    ) {
        if parts.len() >= MAX_PARTS {
            return;
        }
        if rest.chars().count() >= MIN_PART && is_word(rest) {
            found.push(parts.iter().cloned().chain([rest.to_owned()]).collect());
        }
        for (at, _) in rest.char_indices().skip(MIN_PART) {
            let Some((head, tail)) = rest.split_at_checked(at) else { continue };
            if !is_word(head) {
                continue;
            }
            parts.push(head.to_owned());
            let linked = self.links.iter().filter_map(|link| tail.strip_prefix(link.as_str()));
            for tail in std::iter::once(tail).chain(linked) {
                self.split_rest(tail, is_word, parts, found);
            }
            parts.pop();
        }
    }
}

impl Language {
    /// Whether a word as written has a verb ending; a rough guess.
    pub fn ends_as_verb(&self, word: &str) -> bool {
        let (lower, folded) = (word.to_lowercase(), fold(word));
        self.forms.verb.iter().any(|ending| match ending.ending.is_ascii() {
            true => ending.apply(&folded).is_some(),
            false => ending.apply(&lower).is_some(),
        })
    }

    /// Whether a separable particle may end a clause, apart from its verb: "kennt … aus".
    pub fn is_separable(&self, folded: &str) -> bool {
        self.forms.separable.contains(folded)
    }

    /// Possible base forms of a folded word in a name: "москве" in a sentence is "москва".
    pub fn name_forms(&self, folded: &str) -> Vec<String> {
        let mut forms: Vec<String> =
            self.forms.name.iter().filter_map(|ending| ending.apply(folded)).collect();
        forms.sort_unstable();
        forms.dedup();
        forms.retain(|form| form != folded);
        forms
    }

    /// Whether the language has compound words.
    pub fn has_compounds(&self) -> bool {
        !self.forms.links.is_empty()
    }

    /// The ways to split a folded compound into words that the caller knows, fewest parts first.
    pub fn splits(&self, compound: &str, is_word: &dyn Fn(&str) -> bool) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        if compound.chars().count() <= MAX_COMPOUND {
            self.forms.split_rest(compound, is_word, &mut Vec::new(), &mut found);
        }
        found.retain(|parts| parts.len() > 1);
        found.sort_by_key(Vec::len);
        found
    }
}

/// Removes a doubled final consonant, which belongs to the ending: "shipp-ed", "programm-er".
fn undouble(mut stem: String) -> String {
    let mut ends = stem.chars().rev();
    if let (Some(last), Some(before)) = (ends.next(), ends.next())
        && last == before
        && stem.chars().count() > MIN_STEM
    {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use crate::language;

    #[test]
    fn a_name_within_a_sentence_may_be_several_names() {
        let russian = language("ru").unwrap();
        for (written, name) in [
            ("москве", "москва"),
            ("рима", "рим"),
            ("китая", "китаи"),
            ("казани", "казань"),
            ("россии", "россия"),
            ("толстого", "толстои"),
            ("штатов", "штаты"),
            ("павла", "павел"),
        ] {
            assert!(russian.name_forms(written).iter().any(|form| form == name), "{written}");
        }
        assert!(language("en").unwrap().name_forms("moskva").is_empty());
    }

    #[test]
    fn cases_of_a_noun_share_a_base_and_its_family_a_stem() {
        let russian = language("ru").unwrap();
        for (form, other) in
            [("городов", "город"), ("странах", "страна"), ("рекои", "река"), ("людеи", "человек")]
        {
            assert_eq!(russian.base(form), russian.base(other), "{form}");
        }
        for (form, other) in [("основанные", "основал"), ("островов", "остров"), ("писатель", "писал")]
        {
            assert_eq!(russian.stem(form), russian.stem(other), "{form}");
        }
        assert_ne!(russian.stem("города"), russian.stem("горы"));
    }
}
