//! Words that require a query form: negation, quantifiers, alternatives, aggregates, grouping, and the type of the answer.

use super::parts::{Mode, Node, Statement, holds_call};
use super::quantities::COMPARING;
use super::{Audit, Doubt, Grounds, Part};
use crate::phrase::leaves_no_exception;
use crate::question::{CueAt, GradeAt, Span, WordKind};
use crate::schema::Kind;
use eruca_language::{AnswerKind, Cue, Degree};
use eruca_sparql::Formula;

/// Function calls that exclude something.
const NEGATING: &[&str] = &["not_equal", "not_in", "not", "not_exists"];
/// Maximum number of classes examined for whether a graph has persons.
const MAX_CLASSES: usize = 200;
/// Function calls that do arithmetic.
const WORKING: &[&str] = &["divide", "multiply", "subtract", "add"];

impl<'k> Audit<'_, 'k> {
    /// Enters the query forms that words ask for.
    pub(super) fn forms(&mut self) {
        let cues = self.context.question.cues.clone();
        for cue in &cues {
            let within = |other: &CueAt| other.span.contains(cue.span) && other.span.len() > cue.span.len();
            if !self.is_named(cue.span) && !cues.iter().any(within) && !self.is_particle(cue.span) {
                self.cue(*cue);
            }
        }
        let negated = self.parts.has_negation && !cues.iter().any(|cue| negates(cue.cue));
        if negated {
            let all = self.context.question.all();
            self.doubt(Doubt::Form(all, self.said(all)));
        }
        self.asked(&cues);
        self.kind_asked(&cues);
    }

    fn cue(&mut self, CueAt { cue, span }: CueAt) {
        let parts = self.parts;
        let wanted = match cue {
            Cue::Not => Some((self.negates(), Part::Negation)),
            // "Without a foreman" does not mean "not being a foreman".
            Cue::Without => Some((!self.lacks_a_class(), Part::Negation)),
            // "Only the longest" asks for a single one.
            Cue::Only if self.is_before_superlative(span) => None,
            Cue::Only => Some((parts.has_negation || parts.calls(&["count"]), Part::Negation)),
            Cue::Or => Some((self.offers(), Part::Alternatives)),
            Cue::Both => Some((!self.widens(), Part::Form)),
            Cue::And => self.widens().then_some((false, Part::Form)),
            Cue::All => self.without_exception(span),
            Cue::Each => self.grouped(span),
            Cue::Average => Some((parts.calls(&["avg", "divide"]), Part::Computed)),
            // "How much in total" does not ask for a count.
            Cue::Sum if self.context.has_cue(Cue::HowMuch) && !self.context.has_cue(Cue::HowMany) => {
                Some((parts.calls(&["sum", "add"]), Part::Computed))
            }
            Cue::Sum => Some((parts.calls(&["sum", "count", "add"]), Part::Computed)),
            Cue::Maximum => Some((parts.calls(&["max"]) || !parts.orders.is_empty(), Part::Order)),
            Cue::Minimum => Some((parts.calls(&["min"]) || !parts.orders.is_empty(), Part::Order)),
            Cue::Percentage => Some((parts.calls(&["divide"]), Part::Computed)),
            Cue::Difference => Some((parts.calls(&["subtract"]), Part::Computed)),
            Cue::HowMany | Cue::Count => Some((self.gives_number(), Part::Count)),
            // "How much is the cake?" does not ask for a count.
            Cue::Price => Some((!parts.calls(&["count"]), Part::Count)).filter(|(met, _)| !met),
            // "Than the one with the most …" still needs the maximum.
            Cue::Most | Cue::Fewest if self.context.cues(Cue::Than).any(|than| than.from >= span.to) => {
                Some((parts.calls(COMPARING) || parts.calls(WORKING), Part::Comparison))
            }
            Cue::Most | Cue::Fewest | Cue::Commonest | Cue::Rarest => self.most(),
            Cue::AsWell => (parts.columns.len() > 1).then_some((true, Part::Form)),
            Cue::Contains | Cue::Begins | Cue::Ends => {
                let like = parts.calls(&["contains", "strstarts", "strends", "regex"]);
                self.letters(span);
                like.then_some((true, Part::Comparison))
            }
            Cue::KindOf => parts.asks_subclasses.then_some((true, Part::Form)),
            Cue::Ascending | Cue::Descending | Cue::FirstInRow if self.sorts(span) => Some((
                !parts.orders.is_empty() && !parts.limits.iter().any(|(most, _)| *most == Some(1)),
                Part::Order,
            )),
            Cue::NameOf if self.names_behind(span) => Some((true, Part::Form)),
            Cue::OrderBy | Cue::Sorting | Cue::Alphabetical | Cue::Ascending | Cue::Descending => {
                (!parts.orders.is_empty()).then_some((true, Part::Order))
            }
            Cue::FirstInRow => (!parts.limits.is_empty()).then_some((true, Part::Order)),
            Cue::Optional => parts.has_optional.then_some((true, Part::Form)),
            Cue::Same | Cue::Other | Cue::Mutual => {
                Some((parts.calls(&["not_equal", "equal", "not_in"]), Part::Comparison))
                    .filter(|(met, _)| *met)
            }
            Cue::Old => parts.calls(WORKING).then_some((true, Part::Computed)),
            _ => None,
        };
        match wanted {
            Some((true, part)) => self.enter(span, part, Grounds::Form),
            Some((false, _)) if !self.is_claimed(span) => self.doubt(Doubt::Form(span, self.said(span))),
            _ => {}
        }
    }

    /// "Cheapest first" asks for all rows in order.
    fn sorts(&self, span: Span) -> bool {
        let question = self.question();
        let graded = |grade: &GradeAt| {
            grade.grade.degree == Degree::Superlative
                && (span.contains(grade.span) || question.follows(grade.span, span))
                && question.is_first_of_rows(grade.span)
        };
        question.grades.iter().any(graded)
    }

    /// "Called Ada": the name follows the word.
    fn names_behind(&self, span: Span) -> bool {
        let named = |part: &Part| matches!(part, Part::Thing(_) | Part::Value(_));
        self.entries.iter().any(|entry| entry.span.from == span.to && named(&entry.part))
    }

    /// Whether a word is a separated verb particle: "finden … statt".
    fn is_particle(&self, span: Span) -> bool {
        let question = self.question();
        let last = usize::from(span.to) == question.len() || question.begins_sentence(span.to);
        span.len() == 1
            && last
            && question.word(span.from).is_some_and(|word| question.language.is_particle(&word.folded))
    }

    fn is_claimed(&self, span: Span) -> bool {
        (span.from..span.to).any(|at| {
            self.question().word(at).is_some_and(|word| word.kind > WordKind::Function)
                && self.right_at(at).is_some_and(|right| !right.is_weak())
        })
    }

    /// Whether the query excludes something, or requires it to be false, zero or below a value.
    fn negates(&self) -> bool {
        let parts = self.parts;
        let nothing = |text: &String| text == "false" || text == "0";
        parts.has_negation
            || parts.calls(NEGATING)
            || parts.calls(&["less", "at_most"])
            || parts.constants().iter().any(nothing)
    }

    fn is_before_superlative(&self, span: Span) -> bool {
        self.question().grades.iter().any(|grade| {
            grade.grade.degree == Degree::Superlative && self.question().follows(span, grade.span)
        })
    }

    /// Whether the query excludes instances of a class rather than things that have one of them.
    fn lacks_a_class(&self) -> bool {
        let classes = &self.parts.classes;
        let left_out = classes.iter().filter(|(.., mode)| *mode == Mode::Negated);
        left_out
            .into_iter()
            .any(|(node, ..)| classes.iter().any(|(other, _, mode)| other == node && *mode != Mode::Negated))
    }

    fn offers(&self) -> bool {
        let parts = self.parts;
        parts.has_alternatives
            || parts.calls(&["or", "in"])
            || parts.values.iter().any(|(_, values)| values.len() > 1)
    }

    /// Whether one of several things is enough, and the result does not show which.
    fn widens(&self) -> bool {
        let or = self.context.has_cue(Cue::Or);
        let shown = self.parts.shown();
        let wide = |(name, values): &(String, Vec<_>)| values.len() > 1 && !shown.contains(name);
        !or && self.parts.values.iter().any(wide) && self.parts.orders.is_empty()
    }

    /// "Each" asks for a row per thing; in a yes/no question, for no exceptions.
    fn grouped(&mut self, span: Span) -> Option<(bool, Part)> {
        let parts = self.parts;
        if parts.asks {
            return Some((parts.has_negation || parts.calls(&["count"]), Part::Negation));
        }
        let commands =
            self.context.question.cues.iter().any(|cue| cue.cue == Cue::Command && cue.span.contains(span));
        if commands {
            return None;
        }
        if let Some(property) = self.rate_of(span) {
            let whole = Span { to: span.to + 1, ..span };
            self.enter(whole, Part::Term(property), Grounds::Lemma);
            return None;
        }
        if let Some(whole) = self.per_unit(span) {
            self.enter(whole, Part::Group, Grounds::Form);
            return None;
        }
        if let Some(all) = self.context.cues(Cue::All).find(|all| span.contains(*all))
            && (parts.has_negation || leaves_no_exception(self.question(), all.from))
        {
            return Some((parts.has_negation || parts.calls(&["count"]), Part::Negation));
        }
        let first = parts.limits.iter().any(|(most, _)| most.is_some());
        let rows = !parts.groups.is_empty() || parts.columns.len() > 1;
        let several = self.groups_single_values() || self.lists_amounts();
        Some((rows && !first && !several, Part::Group))
    }

    /// "Earns per month", where a property is called monthly salary: the words give the rate, not a grouping.
    fn rate_of(&self, span: Span) -> Option<String> {
        let is = |part: &Part, iri: &str| matches!(part, Part::Term(own) if own == iri);
        let elsewhere =
            |iri: &str| self.entries.iter().any(|entry| is(&entry.part, iri) && !entry.span.has(span.to));
        let named = self.entries.iter().filter(|entry| entry.span.from == span.to);
        let properties = named.filter_map(|entry| match &entry.part {
            Part::Term(iri) if self.context.schema.property(iri).is_some() => Some(iri),
            _ => None,
        });
        properties.into_iter().find(|iri| elsewhere(iri)).cloned()
    }

    /// Whether amounts are listed individually although they belong to something that is not shown: their sum was asked for.
    fn lists_amounts(&self) -> bool {
        let parts = self.parts;
        let asked = [Cue::HowMany, Cue::HowMuch, Cue::How].into_iter().any(|cue| self.context.has_cue(cue));
        let shown = |node: &Node| matches!(node, Node::Variable(name) if parts.columns.contains(name));
        let amount = |statement: &Statement| {
            shown(&statement.object)
                && self.kind_of(&statement.object).is_number()
                && matches!(&statement.subject, Node::Variable(_))
                && !shown(&statement.subject)
        };
        asked && parts.groups.is_empty() && parts.aggregates.is_empty() && parts.statements.iter().any(amount)
    }

    /// Whether a yes/no question excludes exceptions; elsewhere "all" usually just means each.
    fn without_exception(&self, span: Span) -> Option<(bool, Part)> {
        let parts = self.parts;
        let commands =
            self.context.question.cues.iter().any(|cue| cue.cue == Cue::Command && cue.span.contains(span));
        let exception = parts.has_negation || parts.calls(&["count"]);
        let wanted = !commands && leaves_no_exception(self.question(), span.from);
        (wanted || parts.has_negation).then_some((exception, Part::Negation))
    }

    /// Whether an aggregate is over the single value of each group.
    fn groups_single_values(&self) -> bool {
        let parts = self.parts;
        let single = |statement: &&Statement| {
            let card = self.context.schema.property(&statement.property);
            card.is_some_and(|card| card.usage > 0 && card.usage == card.subjects)
                && matches!(&statement.subject, Node::Variable(name) if parts.groups.contains(name))
        };
        let aggregated =
            parts.aggregates.iter().filter(|formula| holds_call(formula, &["sum", "avg", "max", "min"]));
        let of_one = |formula: &Formula| parts.statements_in(formula).iter().any(single);
        aggregated.into_iter().any(of_one)
    }

    fn most(&self) -> Option<(bool, Part)> {
        let parts = self.parts;
        if parts.asks {
            let counted = parts.calls(&["count"])
                && parts.conditions.iter().any(|(formula, _)| holds_call(formula, WORKING));
            return Some((counted, Part::Comparison));
        }
        Some((!parts.orders.is_empty() || parts.calls(&["max", "min"]), Part::Order))
    }

    /// Whether the answer is a number, computed or stored.
    fn gives_number(&self) -> bool {
        let parts = self.parts;
        let numeric = |name: &String| self.kind_of(&Node::Variable(name.clone())).is_number();
        parts.asks && parts.calls(&["count"])
            || parts.columns.iter().any(|column| {
                let counted = parts.named.iter().any(|(name, formula)| {
                    name == column
                        && (holds_call(formula, &["count", "sum", "avg", "max", "min"])
                            || holds_call(formula, WORKING))
                });
                (counted && !self.counts_numbers(column)) || numeric(column)
            })
            || !parts.orders.is_empty()
    }

    /// Whether the query counts numbers that are themselves the answer: "how many inhabitants".
    fn counts_numbers(&self, column: &str) -> bool {
        let parts = self.parts;
        let count =
            parts.named.iter().filter(|(name, formula)| name == column && holds_call(formula, &["count"]));
        let mut variables = Vec::new();
        count.for_each(|(_, formula)| parts.variables_in(formula, &mut variables, 0));
        variables.iter().any(|name| self.kind_of(&Node::Variable(name.clone())).is_number())
    }

    /// "Who" needs a person, "where" a place, "when" a time, as far as the graph tells.
    fn kind_asked(&mut self, cues: &[CueAt]) {
        let parts = self.parts;
        if parts.asks || parts.columns.iter().any(|column| parts.named.iter().any(|(name, _)| name == column))
        {
            return;
        }
        let kinds: Vec<Kind<'k>> =
            parts.columns.iter().map(|column| self.kind_of(&Node::Variable(column.clone()))).collect();
        for cue in cues.iter().filter(|cue| cue.span.from == 0) {
            let fits = |kind: &Kind<'k>| match cue.cue {
                Cue::Who => {
                    self.is_agent(kind)
                        || !kind.is_measurable() && parts.columns.iter().any(|column| self.is_doer(column))
                }
                Cue::When => !matches!(kind, Kind::Classes(_)),
                Cue::Where => !kind.is_measurable(),
                _ => true,
            };
            if !kinds.is_empty() && !kinds.iter().any(fits) {
                self.doubt(Doubt::NotReturned(cue.span, self.said(cue.span)));
            }
        }
    }

    /// Whether a column is the object of a property named after an agent: the builder built it, even a shipyard.
    fn is_doer(&self, column: &str) -> bool {
        let shown = |node: &Node| matches!(node, Node::Variable(name) if name == column);
        self.parts
            .statements
            .iter()
            .any(|statement| shown(&statement.object) && self.context.names_agent(&statement.property))
    }

    /// Whether things of a kind may be agents: persons, organizations, or named things in a graph without classes for those.
    fn is_agent(&self, kind: &Kind<'k>) -> bool {
        let is = |kind: &Kind<'k>, wanted| self.context.is_kind(kind, wanted);
        let agent = |kind: &Kind<'k>| {
            is(kind, AnswerKind::Person) == Some(true) || is(kind, AnswerKind::Organization) == Some(true)
        };
        let classes = &self.context.schema.index.card.classes;
        let told = || {
            classes
                .iter()
                .take(MAX_CLASSES)
                .any(|class| !class.is_unused() && agent(&Kind::class(&class.iri)))
        };
        let graph = &self.context.schema.index.graph;
        let above = |own: &str| {
            classes.iter().any(|class| graph.is_a(own, &class.iri) && agent(&Kind::class(&class.iri)))
        };
        let named = || {
            let attributes = self.context.schema.attributes(kind);
            attributes.iter().any(|(property, _)| self.context.naming(property).is_some())
        };
        match kind {
            Kind::Values(_) => !kind.is_measurable(),
            Kind::Unknown => true,
            Kind::Classes(own) => {
                agent(kind)
                    || own.iter().any(|own| above(own))
                    || self.context.does_something(kind)
                    || (is(kind, AnswerKind::Person).is_none() && (named() || !told()))
            }
        }
    }
}

/// Whether a query may express a cue by a negation.
fn negates(cue: Cue) -> bool {
    matches!(cue, Cue::Not | Cue::Only | Cue::Each | Cue::All | Cue::Other | Cue::Both)
}
