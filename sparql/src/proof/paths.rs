//! Property paths as the triples along one matching path. Uses the rest of this module.

use super::Statement;
use super::explain::{Explainer, Later};
use oxrdf::{NamedNode, Term};
use spargebra::algebra::PropertyPathExpression;

/// Maximum length searched for a variable-length path (`*`, `+`).
const MAX_STEPS: usize = 8;

impl<'a> Explainer<'a> {
    /// The triples of one matching path, the shortest if its length is variable; `None` if none was found.
    pub(super) fn unfold<'s>(
        &'s mut self,
        from: &'s Term,
        path: &'s PropertyPathExpression,
        to: &'s Term,
    ) -> Later<'s, Option<Vec<Statement>>>
    where
        'a: 's,
    {
        use PropertyPathExpression as P;
        Box::pin(async move {
            match path {
                P::NamedNode(property) => {
                    let there = self.joins(from, path, to).await?;
                    there.then(|| vec![[from.clone(), property.clone().into(), to.clone()]])
                }
                P::Reverse(inner) => self.unfold(to, inner, from).await,
                P::Sequence(first, second) => self.sequence(from, (first, second), to).await,
                P::Alternative(first, second) => match self.unfold(from, first, to).await {
                    Some(found) => Some(found),
                    None => self.unfold(from, second, to).await,
                },
                P::ZeroOrMore(_) | P::ZeroOrOne(_) if from == to => Some(Vec::new()),
                P::ZeroOrOne(inner) => self.unfold(from, inner, to).await,
                P::ZeroOrMore(inner) | P::OneOrMore(inner) => self.chain(from, inner, to).await,
                P::NegatedPropertySet(refused) => self.other(from, refused, to).await,
            }
        })
    }

    async fn joins(&mut self, from: &Term, path: &PropertyPathExpression, to: &Term) -> Option<bool> {
        let (from, to) = (written(from)?, written(to)?);
        self.asking.holds(&format!("ASK {{ {from} {path} {to} }}")).await.ok()
    }

    async fn sequence(
        &mut self,
        from: &Term,
        (first, second): (&PropertyPathExpression, &PropertyPathExpression),
        to: &Term,
    ) -> Option<Vec<Statement>> {
        let (start, end) = (written(from)?, written(to)?);
        let query = format!("SELECT ?m WHERE {{ {start} {first} ?m . ?m {second} {end} }} LIMIT 1");
        let middle = self.asking.rows(&query).await.ok()?.pop()?.remove("m")??;
        let mut all = self.unfold(from, first, &middle).await?;
        all.extend(self.unfold(&middle, second, to).await?);
        Some(all)
    }

    /// Tries paths of one step, two steps and so on: the first match is a shortest path.
    async fn chain(
        &mut self,
        from: &Term,
        step: &PropertyPathExpression,
        to: &Term,
    ) -> Option<Vec<Statement>> {
        let (start, end) = (written(from)?, written(to)?);
        // If there is no path at all, no length needs to be tried.
        if !self.asking.holds(&format!("ASK {{ {start} ({step})+ {end} }}")).await.ok()? {
            return None;
        }
        for length in 1..=MAX_STEPS {
            if let Some(nodes) = self.nodes(&start, step, &end, length).await? {
                let mut all = Vec::new();
                let stops: Vec<Term> =
                    std::iter::once(from.clone()).chain(nodes).chain([to.clone()]).collect();
                for (a, b) in stops.iter().zip(stops.iter().skip(1)) {
                    match step {
                        // The query has matched these triples, even between blank nodes.
                        PropertyPathExpression::NamedNode(property) => {
                            all.push([a.clone(), property.clone().into(), b.clone()]);
                        }
                        _ => all.extend(self.unfold(a, step, b).await?),
                    }
                }
                return Some(all);
            }
        }
        None
    }

    /// The intermediate nodes of a path with `length` steps, if there is one; the outer `None` means the query failed.
    async fn nodes(
        &mut self,
        start: &str,
        step: &PropertyPathExpression,
        end: &str,
        length: usize,
    ) -> Option<Option<Vec<Term>>> {
        if length == 1 {
            let there = self.asking.holds(&format!("ASK {{ {start} {step} {end} }}")).await.ok()?;
            return Some(there.then(Vec::new));
        }
        let between: Vec<String> = (1..length).map(|at| format!("?m{at}")).collect();
        let stops: Vec<&str> =
            std::iter::once(start).chain(between.iter().map(String::as_str)).chain([end]).collect();
        let steps = stops.iter().zip(stops.iter().skip(1)).map(|(a, b)| format!("{a} {step} {b} ."));
        let query = format!(
            "SELECT {} WHERE {{ {} }} LIMIT 1",
            between.join(" "),
            steps.collect::<Vec<_>>().join(" ")
        );
        let Some(mut row) = self.asking.rows(&query).await.ok()?.pop() else { return Some(None) };
        Some(between.iter().map(|name| row.remove(name.trim_start_matches('?'))?).collect())
    }

    async fn other(&mut self, from: &Term, refused: &[NamedNode], to: &Term) -> Option<Vec<Statement>> {
        let (start, end) = (written(from)?, written(to)?);
        let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
        let query = format!(
            "SELECT ?p WHERE {{ {start} ?p {end} FILTER(?p NOT IN ({})) }} LIMIT 1",
            refused.join(", ")
        );
        let property = self.asking.rows(&query).await.ok()?.pop()?.remove("p")??;
        Some(vec![[from.clone(), property, to.clone()]])
    }
}

/// A term in SPARQL syntax; `None` for blank nodes, which a query cannot refer to.
fn written(term: &Term) -> Option<String> {
    match term {
        Term::NamedNode(_) | Term::Literal(_) => Some(term.to_string()),
        _ => None,
    }
}
