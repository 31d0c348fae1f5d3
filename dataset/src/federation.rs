//! Several datasets as one: queries may join them by `SERVICE`, and names are looked up in all of them. The first one is the
//! home: what stands outside of `SERVICE` is asked there, and its index is that of the whole.

use super::{Dataset, RunQuery};
use async_trait::async_trait;
use eruca_sparql::{
    ALL_BUT_UNRESERVED, Answer, CheckedQuery, FederatedEndpoint, FederationMember, FederationPart, Limits,
    Prefixes, QueryError,
};
use percent_encoding::utf8_percent_encode;
use std::sync::Arc;
use std::time::Duration;

/// What separates the ids of several datasets.
pub const ID_SEPARATOR: char = ',';

/// The members of several datasets that are asked as one.
#[derive(Clone)]
pub(super) struct Federation {
    /// Each with the IRI that names it in `SERVICE`, the home first.
    members: Vec<(String, Arc<Dataset>)>,
    endpoint: Arc<FederatedEndpoint>,
}

/// A dataset as a member of a federation.
struct Member(Arc<Dataset>);

#[async_trait]
impl FederationMember for Member {
    async fn part(&self, query: &str, limits: Limits) -> Result<Arc<Answer>, QueryError> {
        let Self(dataset) = self;
        let query = dataset.check(query)?;
        let limits = Limits { timeout: limits.timeout.min(dataset.rules.limits.timeout), ..limits };
        dataset.endpoint.query(&query, limits).await.map(|answer| Arc::new(dataset.seen(answer)))
    }
}

impl Dataset {
    /// Several datasets as one, the home first; a single one is itself.
    #[must_use]
    pub fn together(home: &Arc<Self>, others: &[Arc<Self>]) -> Arc<Self> {
        let all: Vec<Arc<Self>> = std::iter::once(home).chain(others).cloned().collect();
        if others.is_empty() {
            return home.clone();
        }
        let members = with_service_iris(&all);
        let named = members.iter().map(|(iri, member)| {
            (iri.clone(), Arc::new(Member(member.clone())) as Arc<dyn FederationMember>)
        });
        let is_own = all.iter().all(|member| member.endpoint.is_own());
        let joined = |separator: &str, name: &dyn Fn(&Self) -> String| {
            all.iter().map(|member| name(member)).collect::<Vec<_>>().join(separator)
        };
        let name = joined(" and ", &|member| member.endpoint.name().to_owned());
        let endpoint = Arc::new(FederatedEndpoint::new(name, named.collect(), is_own));
        let mut rules = home.rules.clone();
        rules.policy.service = members.iter().map(|(iri, _)| iri.clone()).collect();
        // A prefix that two of them have is that of the home.
        let prefixes = all.iter().rev().fold(Prefixes::default(), |all, member| all.merged(&member.prefixes));
        Arc::new(Self {
            id: joined(&ID_SEPARATOR.to_string(), &|member| member.id.clone()),
            aliases: Vec::new(),
            name: joined(", ", &|member| member.name.clone()),
            rules,
            prefixes,
            endpoint: endpoint.clone(),
            federation: Some(Federation { members, endpoint }),
            ..home.as_ref().clone()
        })
    }

    /// The datasets that are asked as one, each with the IRI that names it in `SERVICE`, the home first; none for a single
    /// dataset.
    #[must_use]
    pub fn members(&self) -> &[(String, Arc<Self>)] {
        self.federation.as_ref().map_or(&[], |federation| &federation.members)
    }

    /// The members beside the home; none for a single dataset.
    pub fn other_members(&self) -> impl Iterator<Item = &Arc<Self>> {
        self.members().iter().skip(1).map(|(_, member)| member)
    }

    /// Whether it is several datasets.
    #[must_use]
    pub fn is_several(&self) -> bool {
        self.federation.is_some()
    }

    /// The same datasets with another one as the home; `None` if it is none of them.
    #[must_use]
    pub fn with_home(&self, name: &str) -> Option<Arc<Self>> {
        let (home, others): (Vec<_>, Vec<_>) = self
            .members()
            .iter()
            .map(|(_, member)| member.clone())
            .partition(|member| member.answers_to(name));
        Some(Self::together(home.first()?, &others))
    }

    /// Where a query that has run was sent: to a member, or to all of them as one where it joins them.
    #[must_use]
    pub fn asked_by(self: &Arc<Self>, run: &RunQuery) -> Arc<Self> {
        let asked = run.at.as_deref().and_then(|at| self.with_home(at)).unwrap_or_else(|| self.clone());
        match asked.members().first() {
            Some((_, home)) if !run.query.calls_services() => home.clone(),
            _ => asked,
        }
    }

    /// The member with this id, or all of them with the order of ids that makes it.
    #[must_use]
    pub fn called(self: &Arc<Self>, id: &str) -> Arc<Self> {
        let each = self.members().iter().map(|(_, member)| member);
        let turned = each.clone().filter_map(|member| self.with_home(&member.id));
        let found = each.cloned().chain(turned).find(|dataset| dataset.id == id);
        found.unwrap_or_else(|| self.clone())
    }

    /// For a query that joins several datasets: what each part of it returned, in the order in which they were asked. None for
    /// other queries, and if a part fails.
    pub async fn parts_of(&self, query: &CheckedQuery, timeout: Duration) -> Vec<FederationPart> {
        let Some(federation) = self.federation.as_ref().filter(|_| query.calls_services()) else {
            return Vec::new();
        };
        let limits = Limits { timeout: timeout.min(self.rules.limits.timeout), ..self.rules.limits };
        federation.endpoint.parts(query, limits).await.unwrap_or_default()
    }

    /// The same with the names of its members in this language.
    pub(super) fn members_for_language(&self, language: &str) -> Option<Federation> {
        let federation = self.federation.as_ref()?;
        let members = federation.members.iter();
        let members = members.map(|(iri, member)| (iri.clone(), Arc::new(member.for_language(language))));
        Some(Federation { members: members.collect(), endpoint: federation.endpoint.clone() })
    }
}

/// Datasets with the IRIs that name them in `SERVICE`: the URL of their endpoint, so that the query also runs elsewhere, or else
/// one made of the id. What a dataset is called does not depend on their order.
fn with_service_iris(datasets: &[Arc<Dataset>]) -> Vec<(String, Arc<Dataset>)> {
    let is_only = |name: &str| datasets.iter().filter(|other| other.endpoint.name() == name).count() == 1;
    let iri = |dataset: &Dataset| {
        let name = dataset.endpoint.name();
        if !dataset.endpoint.is_own() && name.starts_with("http") && is_only(name) {
            return name.to_owned();
        }
        format!("urn:dataset:{}", utf8_percent_encode(&dataset.id, ALL_BUT_UNRESERVED))
    };
    datasets.iter().map(|dataset| (iri(dataset), dataset.clone())).collect()
}
