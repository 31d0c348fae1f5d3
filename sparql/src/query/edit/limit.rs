//! Builds a query that shows rows tied at a LIMIT. Uses spargebra.

use crate::check::CheckedQuery;
use crate::query::algebra::names;
use crate::query::select::{Duplicates, Select, WithKeys};
use crate::terms::Prefixes;
use spargebra::Query;

/// A query that returns rows beyond a LIMIT, including their sort keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeyondLimit {
    /// The query.
    pub query: String,
    /// The LIMIT of the original query.
    pub limit: usize,
    /// The columns that hold the sort keys.
    pub keys: Vec<String>,
}

impl CheckedQuery {
    /// The rows of a sorted SELECT and `more` rows beyond its LIMIT; `None` without an ORDER BY or a LIMIT.
    pub fn beyond_limit(&self, more: usize, prefixes: &Prefixes) -> Option<BeyondLimit> {
        let Query::Select { pattern, .. } = self.algebra() else { return None };
        let select = Select::of(pattern);
        let (start, Some(limit)) = select.slice? else { return None };
        if select.order.is_empty() {
            return None;
        }
        let WithKeys { body, columns, keys } = WithKeys::of(&select);
        let duplicates = match select.duplicates {
            Duplicates::Reduced => Duplicates::Kept,
            other => other,
        };
        let slice = Some((start, Some(limit.saturating_add(more))));
        let wider = Select { slice, duplicates, columns: Some(&columns), body: &body, ..select };
        Some(BeyondLimit { query: self.with_pattern(wider.pattern(), prefixes), limit, keys: names(&keys) })
    }
}

#[cfg(test)]
mod tests {
    use crate::Prefixes;
    use crate::query::checked as query;

    #[test]
    fn rows_behind_a_limit_show_what_they_are_ordered_by() {
        let shown = |text: &str| {
            let found = query(text).beyond_limit(50, &Prefixes::default())?;
            let checked = query(&found.query);
            assert_eq!(checked.model().limit, Some(found.limit + 50), "{}", found.query);
            Some((checked.model().variables.clone(), found.keys))
        };
        let (columns, keys) =
            shown("SELECT DISTINCT ?x { ?x e:p ?v } ORDER BY DESC(<http://www.w3.org/2001/XMLSchema#decimal>(?v)) ?x LIMIT 3").unwrap();
        assert_eq!(columns, ["x", "orderKey0"]);
        assert_eq!(keys, ["orderKey0", "x"]);
        let (columns, keys) =
            shown("SELECT ?x { ?x e:p ?v } GROUP BY ?x ORDER BY DESC(COUNT(?v)) LIMIT 1").unwrap();
        assert_eq!((columns.len(), keys.len()), (2, 1));
        for without in
            ["SELECT ?x { ?x e:p ?v } LIMIT 3", "SELECT ?x { ?x e:p ?v } ORDER BY ?v", "ASK { ?x e:p 1 }"]
        {
            assert_eq!(shown(without), None, "{without}");
        }
    }
}
