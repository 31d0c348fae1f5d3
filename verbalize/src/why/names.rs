//! Names of query variables in explanations, derived from the properties that bind them; variables with the same name
//! are numbered. Uses `variable_labels`.

use crate::variable_labels::{Titles, VariableTitle};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_sparql::CheckedQuery;
use std::collections::{BTreeMap, BTreeSet};

/// The display names of a query's variables.
#[derive(Debug, Clone, Default)]
pub(super) struct ReasonNames {
    /// Variables named after something in the graph.
    known: BTreeMap<String, VariableTitle>,
    /// Variables bound to RDF terms of the graph.
    bound: BTreeSet<String>,
}

impl ReasonNames {
    pub(super) fn of(dataset: &Dataset, query: &CheckedQuery, language: &'static Language) -> Self {
        let titles = Titles::of(dataset, query, language);
        let all = titles.variables().into_iter().map(|name| (titles.variable(&name), name));
        let named: Vec<(VariableTitle, String)> = all.filter(|(called, _)| called.named).collect();
        let same = |text: &str, among: &[(VariableTitle, String)]| {
            among.iter().filter(|(called, _)| called.text == text).count()
        };
        let mut known = BTreeMap::new();
        for (at, (called, name)) in named.iter().enumerate() {
            let number = same(&called.text, named.get(..=at).unwrap_or_default());
            let text = match same(&called.text, &named) {
                1 => called.text.clone(),
                _ => numbered(language, &called.text, number),
            };
            known.insert(name.clone(), VariableTitle { text, ..called.clone() });
        }
        Self { known, bound: titles.bound() }
    }

    /// The display name of a variable, if the graph provides one.
    pub(super) fn get(&self, variable: &str) -> Option<&VariableTitle> {
        self.known.get(variable)
    }

    /// Whether the variable is bound by a graph pattern rather than computed by an expression.
    pub(super) fn is_bound(&self, variable: &str) -> bool {
        self.bound.contains(variable)
    }
}

fn numbered(language: &Language, text: &str, number: usize) -> String {
    language.say(super::TABLE, "numbered", &[("name", text), ("n", &number.to_string())]).into_owned()
}
