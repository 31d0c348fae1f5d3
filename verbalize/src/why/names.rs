//! What the variables of a query are called where reasons are told: as people call what binds them; where two are called the
//! same, they have numbers. Uses `variable_labels`.

use crate::variable_labels::{Titles, VariableTitle};
use eruca_dataset::Dataset;
use eruca_language::Language;
use eruca_sparql::CheckedQuery;
use std::collections::{BTreeMap, BTreeSet};

/// The names of a query's variables.
#[derive(Debug, Clone, Default)]
pub(super) struct ReasonNames {
    /// Those that the graph has a name for.
    known: BTreeMap<String, VariableTitle>,
    /// Those that stand for something in the graph.
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

    /// What a variable is called, where the graph has a name for what it holds.
    pub(super) fn get(&self, variable: &str) -> Option<&VariableTitle> {
        self.known.get(variable)
    }

    /// Whether it stands for something in the graph, and not for what the query works out.
    pub(super) fn is_bound(&self, variable: &str) -> bool {
        self.bound.contains(variable)
    }
}

fn numbered(language: &Language, text: &str, number: usize) -> String {
    language.say(super::TABLE, "numbered", &[("name", text), ("n", &number.to_string())]).into_owned()
}
