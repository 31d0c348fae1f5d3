//! What can be asked of a graph: for each way in which questions are built, the classes and properties that have what it needs.

use super::names::{Names, Subject};
use crate::service::browse::shares_a_word;
use eruca_indexer::media::coordinate_role;
use eruca_indexer::{Attribute, Hop, ValueKind};
use eruca_language::AnswerKind;
use eruca_language::text::{fold, normalize_word};

/// Things of a class whose list a person can judge, at most.
const MAX_LISTED: u64 = 40;
/// The least share of the instances of a class that have a property.
const MIN_SHARE: f64 = 0.3;
/// The share from which on a property is had by nearly all.
const NEARLY_ALL: f64 = 0.97;
/// Properties of a class that are looked at.
const MAX_PROPERTIES: usize = 12;

/// How a question is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Construct {
    Value,
    Count,
    Filter,
    Superlative,
    Truth,
    Bound,
    List,
    Steps,
    Comparison,
    Group,
    Negation,
    Average,
    Date,
    FilterCount,
    Within,
    Sum,
}

/// All of them, in the order in which they take turns: what people ask most comes first.
pub(super) const CONSTRUCTS: [Construct; 16] = [
    Construct::Value,
    Construct::Count,
    Construct::Filter,
    Construct::Superlative,
    Construct::Truth,
    Construct::Bound,
    Construct::List,
    Construct::Steps,
    Construct::Comparison,
    Construct::Group,
    Construct::Negation,
    Construct::Average,
    Construct::Date,
    Construct::FilterCount,
    Construct::Within,
    Construct::Sum,
];

impl Construct {
    /// Its name in files.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Count => "count",
            Self::Filter => "filter",
            Self::Superlative => "superlative",
            Self::Truth => "truth",
            Self::Bound => "bound",
            Self::List => "list",
            Self::Steps => "steps",
            Self::Comparison => "comparison",
            Self::Group => "group",
            Self::Negation => "negation",
            Self::Average => "average",
            Self::Date => "date",
            Self::FilterCount => "filter_count",
            Self::Within => "within",
            Self::Sum => "sum",
        }
    }

    /// How many questions with other values may be asked of the same property.
    pub(super) fn variants(self) -> u8 {
        match self {
            Self::Value | Self::Filter | Self::Truth | Self::Steps | Self::Comparison | Self::FilterCount => {
                3
            }
            Self::Superlative | Self::Bound | Self::Date | Self::Within => 2,
            Self::List | Self::Count | Self::Group | Self::Negation | Self::Average | Self::Sum => 1,
        }
    }
}

/// A property in a question.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub iri: String,
    pub name: String,
}

/// A question that can be asked, without its values.
pub(super) struct Choice<'a> {
    pub construct: Construct,
    pub subject: &'a Subject,
    /// The property that is asked for, unless the class alone is.
    pub property: Option<Named>,
    /// The property that leads to the thing whose property is asked for.
    pub link: Option<Named>,
    /// The class that the property leads to, with its name.
    pub kind: Option<Named>,
    /// Whether it may read badly: others come first.
    pub is_doubtful: bool,
}

impl<'a> Choice<'a> {
    fn of(construct: Construct, subject: &'a Subject, property: Option<Named>) -> Self {
        Self { construct, subject, property, link: None, kind: None, is_doubtful: false }
    }
}

/// A link of a class that reads as a noun.
struct Link<'a> {
    hop: &'a Hop,
    named: Named,
    kind: Option<String>,
    is_noun: bool,
}

impl Names<'_> {
    /// The questions of one construct about a class.
    pub(super) fn choices<'a>(&self, construct: Construct, subject: &'a Subject) -> Vec<Choice<'a>> {
        let of = |named: Named| Choice::of(construct, subject, Some(named));
        match construct {
            Construct::List if subject.instances > MAX_LISTED => Vec::new(),
            Construct::List | Construct::Count => vec![Choice::of(construct, subject, None)],
            Construct::Value => {
                let attributes = self.attributes(subject, |kind| kind != ValueKind::Text);
                attributes.into_iter().map(of).chain(self.linked(construct, subject)).collect()
            }
            Construct::Filter | Construct::FilterCount => {
                let texts = self.attributes(subject, |kind| kind == ValueKind::Text);
                texts.into_iter().map(of).chain(self.linked(construct, subject)).collect()
            }
            Construct::Truth => self.linked(construct, subject),
            Construct::Superlative
            | Construct::Bound
            | Construct::Comparison
            | Construct::Average
            | Construct::Sum => {
                let numbers = self.attributes(subject, |kind| kind == ValueKind::Number);
                numbers.into_iter().map(of).collect()
            }
            Construct::Date => {
                self.attributes(subject, |kind| kind == ValueKind::Time).into_iter().map(of).collect()
            }
            Construct::Negation => self.lacking(subject).into_iter().map(of).collect(),
            Construct::Steps => self.steps(subject),
            Construct::Group => self.kinds(construct, subject, |_| true),
            Construct::Within => self.kinds(construct, subject, |name| self.is_place(name)),
        }
    }

    fn attributes(&self, subject: &Subject, fits: impl Fn(ValueKind) -> bool) -> Vec<Named> {
        self.attributes_of(&subject.iri, |one| fits(one.kind) && share(subject, one.count) >= MIN_SHARE)
    }

    fn attributes_of(&self, class: &str, fits: impl Fn(&Attribute) -> bool) -> Vec<Named> {
        let all = self.dataset.index.graph.attributes(class).iter();
        let fitting = all.filter(|one| {
            // Names and descriptions are not what anybody asks for.
            coordinate_role(&one.property).is_none()
                && !self.is_naming(&one.property)
                && !one.tagged
                && fits(one)
        });
        fitting.filter_map(|one| self.named(&one.property)).take(MAX_PROPERTIES).collect()
    }

    fn is_naming(&self, property: &str) -> bool {
        let vocabulary = self.dataset.vocabulary();
        vocabulary.is_schema(property)
            || self.dataset.index.card.naming_properties.iter().any(|one| one == property)
    }

    fn named(&self, iri: &str) -> Option<Named> {
        Some(Named { iri: iri.to_owned(), name: self.property(iri)? })
    }

    fn links<'b>(&'b self, class: &'b str, least: u64) -> Vec<Link<'b>> {
        let hops = self.dataset.index.graph.hops(class).iter();
        let mut found: Vec<Link<'_>> = Vec::new();
        for hop in hops.filter(|hop| hop.forward && hop.count >= least) {
            // The first class that a property leads to has most of its links.
            if found.len() == MAX_PROPERTIES || found.iter().any(|link| link.named.iri == hop.property) {
                continue;
            }
            let Some(named) = self.named(&hop.property) else { continue };
            let kind = self.class(&hop.class);
            let is_noun = kind.as_deref().is_some_and(|kind| shares_a_word(&named.name, kind));
            found.push(Link { hop, named, kind, is_noun });
        }
        found
    }

    fn linked<'a>(&self, construct: Construct, subject: &'a Subject) -> Vec<Choice<'a>> {
        let links = self.links(&subject.iri, least(subject));
        let choice = |link: Link<'_>| Choice {
            is_doubtful: !link.is_noun && self.language.ends_as_verb(&link.named.name),
            ..Choice::of(construct, subject, Some(link.named))
        };
        links.into_iter().map(choice).collect()
    }

    fn kinds<'a>(
        &self,
        construct: Construct,
        subject: &'a Subject,
        fits: impl Fn(&str) -> bool,
    ) -> Vec<Choice<'a>> {
        let hops = self.dataset.index.graph.hops(&subject.iri).iter();
        let common = hops
            .filter(|hop| hop.forward && share(subject, hop.count) >= MIN_SHARE && hop.class != subject.iri);
        let mut found: Vec<Choice<'_>> = Vec::new();
        for hop in common {
            let Some(name) = self.class(&hop.class).filter(|name| fits(name)) else { continue };
            let is_of =
                |choice: &Choice<'_>, iri: &str| choice.property.as_ref().is_some_and(|one| one.iri == iri);
            let is_known =
                |choice: &Choice<'_>| choice.kind.as_ref().is_some_and(|kind| kind.iri == hop.class);
            // Of two properties to one class, or two classes of one property, nobody knows which "per" means.
            if found.iter().any(|choice| is_of(choice, &hop.property) || is_known(choice)) {
                continue;
            }
            let property = Named { iri: hop.property.clone(), name: String::new() };
            let kind = Some(Named { iri: hop.class.clone(), name });
            found.push(Choice { kind, ..Choice::of(construct, subject, Some(property)) });
        }
        found
    }

    fn steps<'a>(&self, subject: &'a Subject) -> Vec<Choice<'a>> {
        let links = self.links(&subject.iri, least(subject));
        let nouns = links.into_iter().filter(|link| link.is_noun);
        let of_link = |link: Link<'_>| {
            let target = link.hop.class.as_str();
            let attributes = self.attributes_of(target, |one| one.kind != ValueKind::Text);
            let further = self
                .links(target, 1)
                .into_iter()
                .filter(|next| next.is_noun && next.hop.class != subject.iri);
            let ends: Vec<Named> = attributes.into_iter().chain(further.map(|next| next.named)).collect();
            let (first, doubtful) = (link.named, link.kind.is_none());
            let choice = move |end: Named| Choice {
                link: Some(first.clone()),
                is_doubtful: doubtful,
                ..Choice::of(Construct::Steps, subject, Some(end))
            };
            ends.into_iter().filter(|end| end.iri != link.hop.property).map(choice).collect::<Vec<_>>()
        };
        nouns.flat_map(of_link).collect()
    }

    /// Properties that some instances have and others not.
    fn lacking(&self, subject: &Subject) -> Vec<Named> {
        let some = |count: u64| count > 0 && share(subject, count) < NEARLY_ALL;
        let attributes = self.attributes_of(&subject.iri, |one| some(one.count));
        let links =
            self.links(&subject.iri, 1).into_iter().filter(|link| link.is_noun && some(link.hop.count));
        attributes.into_iter().chain(links.map(|link| link.named)).collect()
    }

    fn is_place(&self, name: &str) -> bool {
        let last = fold(name).split_whitespace().next_back().map(normalize_word);
        last.and_then(|word| self.language.kind_of_noun(&word)) == Some(AnswerKind::Place)
    }
}

fn share(subject: &Subject, count: u64) -> f64 {
    count as f64 / subject.instances.max(1) as f64
}

/// Links that a property needs, so that it is one of the class.
fn least(subject: &Subject) -> u64 {
    (subject.instances / 10).max(2)
}
