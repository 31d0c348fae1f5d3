//! Measures how much work a JSON-LD context is for the parser. Terms may be defined by other terms, recursively, and terms may
//! have contexts of their own (*scoped* ones): the parser follows all of this by recursion, and copies the terms in use for
//! each scoped context.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// Maximum length of a chain of terms defined by each other, or of nested contexts. Real ones have two or three.
pub(super) const MAX_STEPS: usize = 128;
/// Maximum size in bytes of a context with all contexts that it refers to, counted once per reference.
const MAX_BYTES: usize = 64 << 20;
/// Maximum number of scoped contexts times the size of the context that they are in.
const MAX_COPIED: usize = 1 << 30;

/// The measure of one context, including those that it refers to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Measure {
    pub(super) bytes: usize,
    /// Depth of the parser's recursion.
    pub(super) steps: usize,
    /// Number of scoped contexts.
    pub(super) nested: usize,
    /// Whether there are scoped contexts.
    pub(super) scoped: bool,
}

impl Measure {
    /// Adds another context that is in use at the same time.
    fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            steps: self.steps.max(other.steps),
            nested: self.nested.saturating_add(other.nested),
            scoped: self.scoped || other.scoped,
        }
    }

    fn check(self) -> Result<Self, String> {
        if self.steps > MAX_STEPS {
            return Err(format!(
                "terms of a context are made of each other, or contexts stand in each other, in more than {MAX_STEPS} steps or in a circle"
            ));
        }
        if self.bytes > MAX_BYTES {
            return Err(format!("a context comes to more than {MAX_BYTES} bytes with all that it names"));
        }
        if self.nested.saturating_mul(self.bytes) > MAX_COPIED {
            return Err(format!(
                "a context of {} bytes has {} others for its terms, so that more than {MAX_COPIED} bytes would be copied",
                self.bytes, self.nested
            ));
        }
        Ok(self)
    }
}

/// Contexts referred to by IRI.
pub(super) trait Named {
    /// The measure of such a context; zero for one that cannot be read.
    fn measured(&mut self, reference: &str) -> Result<Measure, String>;
    /// Its terms, to be merged into those of another one.
    fn terms(&mut self, reference: &str) -> Map<String, Value>;
}

/// Measures the value of `@context`.
pub(super) fn measure(context: &Value, named: &mut dyn Named) -> Result<Measure, String> {
    match context {
        Value::String(reference) => named.measured(reference),
        Value::Array(all) => {
            let mut sum = Measure::default();
            for context in all {
                sum = sum.and(measure(context, named)?).check()?;
            }
            Ok(sum)
        }
        Value::Object(terms) => match terms.get("@import").and_then(Value::as_str) {
            Some(reference) => {
                let mut all = named.terms(reference);
                all.extend(terms.clone());
                of_terms(&all, named)
            }
            None => of_terms(terms, named),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(Measure::default()),
    }
}

fn of_terms(terms: &Map<String, Value>, named: &mut dyn Named) -> Result<Measure, String> {
    let mut sum = Measure::default();
    let mut scoped = HashMap::new();
    for (term, definition) in terms {
        sum.bytes = sum.bytes.saturating_add(term.len() + length(definition));
        if let Some(context) = definition.get("@context") {
            let of_term = measure(context, named)?;
            scoped.insert(term.as_str(), of_term.steps);
            // A scoped context is used together with those around it, in one place at a time.
            sum =
                sum.and(Measure { nested: of_term.nested + 1, scoped: true, steps: 0, ..of_term }).check()?;
        }
    }
    sum.steps = steps(terms, &scoped);
    sum.check()
}

/// Size of a definition without its own context, in bytes.
fn length(definition: &Value) -> usize {
    match definition {
        Value::String(text) => text.len(),
        Value::Object(entries) => {
            let texts = entries.iter().filter(|(key, _)| *key != "@context");
            texts.map(|(key, value)| key.len() + value.as_str().map_or(8, str::len)).sum()
        }
        Value::Array(_) | Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// The longest chain of terms defined by each other, including the scoped contexts at its end; more than [`MAX_STEPS`] for
/// a cycle.
fn steps(terms: &Map<String, Value>, scoped: &HashMap<&str, usize>) -> usize {
    let numbers: HashMap<&str, usize> =
        terms.keys().enumerate().map(|(at, term)| (term.as_str(), at)).collect();
    let own = |term: &str| 1 + scoped.get(term).copied().unwrap_or_default();
    let mut chains: Vec<usize> = terms.keys().map(|term| own(term)).collect();
    let needs: Vec<(usize, usize)> = terms
        .iter()
        .enumerate()
        .flat_map(|(at, (term, definition))| {
            let needed = needed(term, definition).filter_map(|name| numbers.get(name).copied());
            needed.filter(move |other| *other != at).map(move |other| (at, other)).collect::<Vec<_>>()
        })
        .collect();
    // Each round extends every chain by its known requirements; without cycles, this soon reaches a fixed point.
    for _ in 0..=MAX_STEPS {
        let mut changed = false;
        for (term, other) in &needs {
            let chain = chains.get(*other).map_or(0, |chain| chain + 1);
            if let Some(known) = chains.get_mut(*term)
                && *known < chain
            {
                (*known, changed) = (chain, true);
            }
        }
        let longest = chains.iter().copied().max().unwrap_or_default();
        if !changed || longest > MAX_STEPS {
            return longest;
        }
    }
    MAX_STEPS + 1
}

/// The terms that this one may be defined by: those in its definition, as a whole or as a prefix, and its own
/// prefix.
fn needed<'a>(term: &'a str, definition: &'a Value) -> impl Iterator<Item = &'a str> {
    let own = term.strip_prefix(':').unwrap_or(term).split_once(':').map(|(prefix, _)| prefix);
    let named = ["@id", "@reverse", "@type", "@index"].into_iter().filter_map(|key| definition.get(key));
    let named = named.chain([definition]).filter_map(Value::as_str).filter(move |name| *name != term);
    own.into_iter().chain(named.flat_map(|name| {
        let prefix = name.split_once(':').filter(|(_, rest)| !rest.starts_with("//"));
        [Some(name), prefix.map(|(prefix, _)| prefix)].into_iter().flatten()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    struct Nobody;

    impl Named for Nobody {
        fn measured(&mut self, _: &str) -> Result<Measure, String> {
            Ok(Measure::default())
        }

        fn terms(&mut self, _: &str) -> Map<String, Value> {
            Map::new()
        }
    }

    fn steps_of(context: Value) -> usize {
        measure(&context, &mut Nobody).map_or(usize::MAX, |measure| measure.steps)
    }

    #[test]
    fn chains_are_followed_by_every_way_in_which_terms_name_others() {
        let vocabulary = "http://ex.org/#";
        assert_eq!(steps_of(json!({"a": vocabulary, "b": vocabulary})), 1);
        for second in [
            json!({"b": "a:x"}),
            json!({"b": "a"}),
            json!({"b": {"@id": "a:x"}}),
            json!({"b": {"@reverse": "a:x"}}),
            json!({"b": {"@id": vocabulary, "@type": "a:x"}}),
            json!({"b": {"@id": vocabulary, "@index": "a:x", "@container": "@index"}}),
            json!({"a:b": {"@type": "@id"}}),
            json!({":a:b": {"@type": "@id"}}),
        ] {
            let mut context = second.clone();
            context["a"] = json!(vocabulary);
            assert_eq!(steps_of(context), 2, "{second}");
        }
        // A term that refers to itself is its own IRI, and a scheme is not a prefix.
        assert_eq!(steps_of(json!({"a:b": "a:b", "http": "http://ex.org/", "_": "_:a"})), 1);
        assert_eq!(steps_of(json!({"a": "b:x", "b": "a:x"})), usize::MAX);
    }

    #[test]
    fn contexts_of_terms_lengthen_a_chain() {
        let inner = json!({"c": "d:x", "d": "http://ex.org/"});
        let context = json!({"a": "b:x", "b": {"@id": "http://ex.org/", "@context": [null, inner]}});
        let found = measure(&context, &mut Nobody).unwrap();
        assert_eq!((found.steps, found.nested, found.scoped), (4, 1, true));
    }

    #[test]
    fn many_contexts_in_a_long_one_are_refused() {
        let terms = |count: usize| -> Value {
            (0..count)
                .map(|at| (format!("term{at}"), json!({"@id": "http://ex.org/", "@context": {}})))
                .collect()
        };
        assert!(measure(&terms(1_000), &mut Nobody).is_ok());
        let told = measure(&terms(20_000), &mut Nobody).unwrap_err();
        assert!(told.contains("others for its terms"), "{told}");
    }
}
