//! Numbers, times, comparisons and superlatives: what the query compares or orders must measure what the words ask for.

use super::parts::{Node, Statement, holds_call};
use super::{Audit, Doubt, Grounds, Part};
use crate::compose::ages::LIFE;
use crate::compose::measures::names_other_time;
use crate::question::{GradeAt, Numeral, Period, Span};
use crate::units::Unit;
use eruca_indexer::SchemaKind;
use eruca_language::text::normalize_word;
use eruca_language::{AnswerKind, Cue, Degree, Grade, fallback};
use eruca_sparql::{Formula, Term};

/// Function calls that compare.
pub(super) const COMPARING: &[&str] = &["greater", "at_least", "less", "at_most", "equal", "not_equal", "in"];
/// Maximum number of words between a comparison and its number: "more than about 5".
const NEAR: u16 = 2;
/// Maximum number of words between a superlative and its noun: "highest average salary".
const MAX_BETWEEN: u16 = 2;

impl Audit<'_, '_> {
    /// Enters numbers and comparisons.
    pub(super) fn quantities(&mut self) {
        let question = self.context.question.clone();
        self.ages();
        self.amounts();
        question.numerals.iter().for_each(|numeral| self.number(numeral));
        question.periods.iter().for_each(|period| self.period(period));
        for ordinal in &question.ordinals {
            let place = ordinal.place.saturating_sub(1) as usize;
            let cut = self.parts.limits.iter().any(|(most, after)| most.is_some() && *after == place);
            let sorts = ordinal.place == 1
                && question.grades.iter().any(|grade| question.is_first_of_rows(grade.span))
                && !self.parts.orders.is_empty()
                && !self.parts.limits.iter().any(|(most, _)| *most == Some(1));
            let placed = self.parts.places.contains(&ordinal.place);
            if sorts
                || cut
                || placed
                || self.parts.constants().iter().any(|text| *text == ordinal.place.to_string())
            {
                self.enter(ordinal.span, Part::Order, Grounds::Form);
            }
        }
        // "From the oldest to the youngest" describes the order of rows.
        let orders = |span: Span| {
            question.cues.iter().any(|cue| {
                matches!(cue.cue, Cue::Ascending | Cue::Descending | Cue::Greater | Cue::Less)
                    && cue.span.contains(span)
            })
        };
        for grade in &question.grades {
            if orders(grade.span) {
                continue;
            }
            match self.is_named(grade.span) {
                false => self.grade(grade),
                true if self.is_extreme_unshown(grade) => {
                    self.doubt(Doubt::Form(grade.span, self.said(grade.span)));
                }
                true => {}
            }
        }
        for cue in question.cues.iter().filter(|cue| compares(cue.cue)) {
            if !self.is_named(cue.span) {
                self.comparison(cue.span);
            }
        }
    }

    /// Whether a span is part of the name of something in the query.
    pub(super) fn is_named(&self, span: Span) -> bool {
        let naming = |part: &Part| matches!(part, Part::Term(_) | Part::Thing(_) | Part::Value(_));
        self.entries.iter().any(|entry| {
            entry.span.contains(span) && entry.span.len() > span.len() && self.has_word_of(&entry.part, span)
        }) || self
            .entries
            .iter()
            .any(|entry| entry.span == span && entry.right == Grounds::Exact && naming(&entry.part))
    }

    /// Whether a superlative is part of a number's name, but the query neither orders by the number nor shows it: "the flyby with
    /// the closest approach" still asks for the minimum.
    fn is_extreme_unshown(&self, at: &GradeAt) -> bool {
        let parts = self.parts;
        if at.grade.degree != Degree::Superlative || !parts.orders.is_empty() || parts.calls(&["max", "min"])
        {
            return false;
        }
        let shown = parts.shown();
        let held = |statement: &Statement| {
            let named = self.entries.iter().any(|entry| {
                entry.span.contains(at.span) && entry.part == Part::Term(statement.property.clone())
            });
            named && !matches!(&statement.object, Node::Variable(name) if shown.contains(name))
        };
        let number = |statement: &Statement| self.kind_of(&statement.object).is_number();
        parts.statements.iter().any(|statement| held(statement) && number(statement))
    }

    /// Whether a name contains the words of a span inside it: "shows no works" is not a form of the name "shows works".
    fn has_word_of(&self, part: &Part, span: Span) -> bool {
        let Part::Term(iri) = part else { return matches!(part, Part::Thing(_) | Part::Value(_)) };
        let names = self.context.names_of(iri);
        let held = |at: u16| {
            let word = self.question().word(at);
            word.is_some_and(|word| {
                names.iter().flatten().any(|own| *own == word.norm || *own == word.folded)
            })
        };
        let negates =
            self.context.cues(Cue::Not).chain(self.context.cues(Cue::Without)).any(|cue| cue == span);
        !negates || (span.from..span.to).all(held)
    }

    /// Enters ages, which are computed from times.
    fn ages(&mut self) {
        let spans: Vec<Span> = self.context.cues(Cue::Old).collect();
        let worked = self.parts.named.iter().map(|(_, formula)| formula);
        let all = worked.chain(self.parts.conditions.iter().map(|(formula, _)| formula));
        let times = all
            .filter(|formula| holds_call(formula, &["subtract"]))
            .flat_map(|formula| self.parts.properties_in(formula));
        let times: Vec<String> = times.map(ToOwned::to_owned).collect();
        let idle = self.parts.calls(&["now"]).then(|| self.idle_time()).flatten();
        if let (false, Some(span)) = (spans.is_empty(), idle) {
            self.doubt(Doubt::Form(span, self.said(span)));
        }
        for span in spans.into_iter().filter(|_| !times.is_empty()) {
            // A person's age is counted from birth, up to any time.
            if times.iter().all(|time| self.is_no_age(span, time)) {
                self.doubt(Doubt::Dimension(span, self.said(span)));
                continue;
            }
            for time in &times {
                self.enter(span, Part::Term(time.clone()), Grounds::Dimension);
            }
        }
    }

    /// Words for a time that the query contains but never computes with: "how old was she when she died" is not today's age.
    fn idle_time(&self) -> Option<Span> {
        let used = |node: &Node| {
            let Node::Variable(name) = node else { return true };
            let parts = self.parts;
            let named = parts.named.iter().map(|(_, formula)| formula);
            let all = named.chain(parts.conditions.iter().map(|(formula, _)| formula));
            let mut found = Vec::new();
            all.for_each(|formula| parts.variables_in(formula, &mut found, 0));
            let told = self.context.has_cue(Cue::And) && parts.columns.contains(name);
            found.contains(name) || told
        };
        let idle =
            |statement: &&Statement| !used(&statement.object) && self.kind_of(&statement.object).is_time();
        let idle: Vec<&Statement> = self.parts.statements.iter().filter(idle).collect();
        let says = |part: &Part| matches!(part, Part::Term(iri) if idle.iter().any(|statement| statement.property == *iri));
        self.entries.iter().find(|entry| says(&entry.part)).map(|entry| entry.span)
    }

    fn number(&mut self, numeral: &Numeral) {
        let same = |text: &String| {
            text == &numeral.text
                || text
                    .parse::<f64>()
                    .is_ok_and(|value| (value - numeral.value).abs() <= f64::EPSILON * value.abs())
        };
        let cut =
            self.parts.limits.iter().any(|(most, _)| most.is_some_and(|most| most as f64 == numeral.value));
        let hundredth = |text: &String| {
            numeral.percent
                && text.parse::<f64>().is_ok_and(|value| (value * 100.0 - numeral.value).abs() < 1e-9)
        };
        let constants = self.parts.constants();
        if self.is_scaled(numeral.value) {
            self.doubt(Doubt::Dimension(numeral.span, self.said(numeral.span)));
        }
        if cut {
            self.enter(numeral.span, Part::Order, Grounds::Form);
        } else if constants.iter().any(|text| same(text) || hundredth(text)) {
            self.enter(numeral.span, Part::Comparison, Grounds::Exact);
            self.unit(numeral.span.to);
        }
        self.converted(numeral);
    }

    /// The unit after a number, if what is compared is given in it or has no other unit: inhabitants.
    fn unit(&mut self, at: u16) {
        let question = self.question();
        let Some(word) = question.word(at) else { return };
        let Some(nouns) = question.language.unit(&word.folded) else { return };
        let compared =
            self.parts.conditions.iter().flat_map(|(formula, _)| self.parts.properties_in(formula));
        let properties: Vec<String> = compared.map(ToOwned::to_owned).collect();
        let names: Vec<String> = properties
            .iter()
            .flat_map(|property| self.context.names_of(property).to_vec())
            .flatten()
            .collect();
        let called = names.contains(&word.norm) || names.contains(&word.folded);
        let countless =
            Unit::find(&word.raw).is_none() && nouns.iter().any(|noun| names.contains(&normalize_word(noun)));
        let span = Span { from: at, to: at + 1 };
        if called || countless {
            self.enter(span, Part::Comparison, Grounds::Dimension);
        }
        // "More than 100 seats" means a capacity.
        for property in properties.into_iter().filter(|_| countless) {
            self.enter(span, Part::Term(property), Grounds::Dimension);
        }
    }

    /// Whether a number is compared with values given in thousands or millions according to their property's name, and is large
    /// enough to be the full number.
    fn is_scaled(&self, value: f64) -> bool {
        let languages = [self.context.question.language, fallback()];
        let compared =
            self.parts.conditions.iter().flat_map(|(formula, _)| self.parts.properties_in(formula));
        let mut words = compared.flat_map(|property| self.context.names_of(property).to_vec()).flatten();
        words.any(|word| {
            languages.iter().filter_map(|language| language.scale(&word)).any(|scale| value >= scale)
        })
    }

    fn period(&mut self, period: &Period) {
        let year = |day: &crate::question::Day| format!("{:04}", day.year);
        let (from, to) = (year(&period.from), year(&period.to));
        let begins = |text: &String| {
            text.starts_with(&from) || text.starts_with(&to) || *text == period.from.year.to_string()
        };
        let month = |text: &String| *text == period.from.month.to_string();
        if self.parts.constants().iter().any(|text| begins(text) || month(text)) {
            self.enter(period.span, Part::Comparison, Grounds::Exact);
        }
    }

    fn grade(&mut self, at: &GradeAt) {
        match at.grade.degree {
            Degree::Superlative => self.superlative(at),
            Degree::Comparative => self.comparative(at),
            Degree::Positive => self.positive(at),
        }
    }

    /// "How tall is …": what is shown must measure it.
    fn positive(&mut self, at: &GradeAt) {
        let asked = self.question().cues.iter().any(|cue| {
            let before = matches!(cue.cue, Cue::How | Cue::HowMuch) && cue.span.to == at.span.from;
            cue.span.from == 0 && before || cue.cue == Cue::Price && cue.span == at.span
        });
        let parts = self.parts;
        for statement in &parts.statements {
            let property = &statement.property;
            let of_house = self.house_measures(statement, &at.grade);
            if of_house.iter().any(|(known, _)| known == property) {
                self.enter(at.span, Part::Term(property.clone()), Grounds::Glossary);
            } else if of_house.is_empty() && self.measures(property, &at.grade).is_some() {
                self.enter(at.span, Part::Term(property.clone()), Grounds::Dimension);
            }
        }
        if asked && self.right_at(at.span.from).is_none() {
            self.doubt(Doubt::Dimension(at.span, self.said(at.span)));
        }
    }

    /// Whether one of the named things that a node stands for has no value of a property.
    pub(super) fn lacks(&self, node: &Node, property: &str) -> bool {
        let Some(step) = self.context.schema.forward(property) else { return false };
        let lacks = |iri: &str| self.context.links.has(iri, step) == Some(false);
        match node {
            Node::Iri(iri) => lacks(iri),
            Node::Variable(name) => self.parts.values_of(name).any(|term| match term {
                Term::NamedNode(node) => lacks(node.as_str()),
                _ => false,
            }),
            Node::Literal(_) => false,
        }
    }

    fn superlative(&mut self, at: &GradeAt) {
        let extremes = |call, down| {
            let held = self.parts.aggregates.iter().filter(move |formula| holds_call(formula, &[call]));
            held.map(move |formula| (formula.clone(), Some(down)))
        };
        let ordered: Vec<(Formula, Option<bool>)> =
            self.parts.orders.iter().map(|(formula, down)| (formula.clone(), Some(*down))).collect();
        let keys: Vec<(Formula, Option<bool>)> =
            ordered.into_iter().chain(extremes("max", true)).chain(extremes("min", false)).collect();
        if keys.is_empty() {
            return self.doubt(Doubt::Form(at.span, self.said(at.span)));
        }
        self.measured(at, &keys, Part::Order);
    }

    fn comparative(&mut self, at: &GradeAt) {
        let compared = self.parts.conditions.iter().filter(|(formula, _)| holds_call(formula, COMPARING));
        let keys: Vec<(Formula, Option<bool>)> =
            compared.map(|(formula, _)| (formula.clone(), None)).collect();
        let ordered = self.parts.orders.iter().map(|(formula, down)| (formula.clone(), Some(*down)));
        let worked = self
            .parts
            .named
            .iter()
            .filter(|(_, formula)| holds_call(formula, &["subtract", "greater", "less"]));
        let keys: Vec<_> = keys
            .into_iter()
            .chain(ordered)
            .chain(worked.map(|(_, formula)| (formula.clone(), None)))
            .collect();
        if keys.is_empty() {
            return self.doubt(Doubt::Form(at.span, self.said(at.span)));
        }
        self.measured(at, &keys, Part::Comparison);
    }

    /// Whether one of the sort keys measures what the adjective does, or is named by the words after it.
    fn measured(&mut self, at: &GradeAt, keys: &[(Formula, Option<bool>)], part: Part) {
        let parts = self.parts;
        let mut fits = false;
        for (formula, down) in keys {
            for statement in parts.statements_in(formula) {
                fits |= self.fits(at, statement, *down);
            }
            // "The largest number of …"
            fits |= holds_call(formula, &["count"]) && self.counts_behind(at.span);
        }
        let texts = keys.iter().any(|(formula, _)| self.are_texts(formula));
        let lacked = keys
            .iter()
            .flat_map(|(formula, _)| parts.statements_in(formula))
            .any(|one| self.lacks(&one.subject, &one.property));
        match fits && !texts && !lacked {
            true => self.enter(at.span, part, Grounds::Dimension),
            false => {
                self.enter(at.span, part, Grounds::Form);
                self.doubt(Doubt::Dimension(at.span, self.said(at.span)));
            }
        }
    }

    /// Whether what a statement states is what an adjective measures, in the direction of the sort key, or is named by the words
    /// after it.
    fn fits(&mut self, at: &GradeAt, statement: &Statement, down: Option<bool>) -> bool {
        let property = statement.property.as_str();
        let of_house = self.house_measures(statement, &at.grade);
        let turned = match of_house.is_empty() {
            true => self.measures(property, &at.grade),
            false => of_house.iter().find(|(known, _)| known == property).map(|(_, turned)| *turned),
        };
        let meant = |turned: bool| down.is_none_or(|down| down == (at.grade.up != turned));
        if self.is_said_beside(property, at.span) && meant(turned.unwrap_or(false)) {
            return true;
        }
        let owners = !of_house.is_empty();
        let outdone = || {
            self.is_outmeasured(statement, &at.grade)
                || (turned == Some(true) && self.is_other_age(statement, &at.grade))
        };
        if !turned.is_some_and(meant) || (!owners && outdone()) {
            return false;
        }
        let grounds = if owners { Grounds::Glossary } else { Grounds::Dimension };
        self.enter(at.span, Part::Term(property.to_owned()), grounds);
        true
    }

    /// Whether a property measures what an adjective says; if so, whether in the opposite direction.
    fn measures(&self, property: &str, grade: &Grade) -> Option<bool> {
        let names = self.context.names_of(property);
        let called = |nouns: &[String]| {
            nouns
                .iter()
                .map(|noun| normalize_word(noun))
                .any(|noun| names.iter().any(|name| name.contains(&noun)))
        };
        if called(&grade.nouns) {
            return Some(false);
        }
        if called(&grade.reversed) {
            return Some(true);
        }
        self.context.time_turned(property, grade)
    }

    /// Whether a person's time is used as an age although its name does not say so: the date of employment does not make anyone
    /// older.
    fn is_other_age(&self, statement: &Statement, grade: &Grade) -> bool {
        let kind = self.kind_of(&statement.subject);
        // A person's age counts from birth, not from the release of their song.
        let birth = self.question().language.measure(LIFE).and_then(|life| life.factors.last());
        let nouns = birth.map_or(&grade.reversed[..], |birth| &birth[..]);
        let nouns: Vec<String> = nouns.iter().map(|noun| normalize_word(noun)).collect();
        self.context.is_kind(&kind, AnswerKind::Person) == Some(true)
            && names_other_time(self.context, &kind, &statement.property, &nouns)
    }

    /// The same for a computed age.
    fn is_no_age(&self, span: Span, property: &str) -> bool {
        let grades = self.question().grades.iter().filter(|grade| grade.span.overlaps(span));
        let held = |grade: &GradeAt| {
            let mut statements =
                self.parts.statements.iter().filter(|statement| statement.property == property);
            statements.any(|statement| self.is_other_age(statement, &grade.grade))
        };
        grades.into_iter().any(held)
    }

    /// Whether another attribute of the same things has a name that fits the adjective better: for "older", birth rather than
    /// death.
    fn is_outmeasured(&self, statement: &Statement, grade: &Grade) -> bool {
        let Some(own) = self.rank(&statement.property, grade) else { return false };
        let kind = self.kind_of(&statement.subject);
        let attributes = self.context.schema.attributes(&kind);
        attributes.iter().any(|(property, _)| {
            !self.uses(SchemaKind::Property, property)
                && self.rank(property, grade).is_some_and(|rank| rank < own)
        })
    }

    /// The index of the first noun in a property's name, among all nouns that an adjective measures.
    fn rank(&self, property: &str, grade: &Grade) -> Option<usize> {
        let names = self.context.names_of(property);
        let place = |nouns: &[String]| {
            nouns
                .iter()
                .map(|noun| normalize_word(noun))
                .position(|noun| names.iter().any(|name| name.contains(&noun)))
        };
        [place(&grade.nouns), place(&grade.reversed)].into_iter().flatten().min()
    }

    /// Texts are not quantities, even if they contain numbers, unless they are parsed as numbers.
    fn are_texts(&self, formula: &Formula) -> bool {
        let statements = self.parts.statements_in(formula);
        let text = |statement: &&&Statement| {
            self.context.schema.forward(&statement.property).is_some_and(|step| {
                let end = self.context.schema.end(step);
                end.is_values() && !end.is_measurable()
            })
        };
        let plain = matches!(formula, Formula::Variable { .. }) || holds_call(formula, COMPARING);
        plain && statements.iter().filter(text).count() > 0
    }

    /// Whether words next to a superlative name a property: "the highest budget", "whose budget is the highest".
    fn is_said_beside(&self, property: &str, span: Span) -> bool {
        let little = |at: u16| self.question().is_function_word(at);
        self.entries.iter().filter(|entry| matches!(&entry.part, Part::Term(own) if own == property)).any(
            |entry| {
                let behind = entry.span.from >= span.to && entry.span.from <= span.to + MAX_BETWEEN;
                behind || (entry.span.to <= span.from && (entry.span.to..span.from).all(little))
            },
        )
    }

    fn counts_behind(&self, span: Span) -> bool {
        let question = &self.context.question;
        question.cues.iter().any(|cue| {
            (matches!(cue.cue, Cue::Count | Cue::Most | Cue::Fewest)
                && cue.span.from <= span.to
                && cue.span.to > span.from)
                || (cue.cue == Cue::Count && cue.span.from == span.to)
        })
    }

    /// A comparison directly before a number, a time or an average must be in the query.
    fn comparison(&mut self, span: Span) {
        let question = &self.context.question;
        let spans = question.numerals.iter().map(|numeral| numeral.span);
        let near = |other: Span| other.from >= span.to && other.from < span.to + NEAR;
        let spans = spans.chain(question.periods.iter().map(|period| period.span));
        let mut spans = spans.chain(self.context.cues(Cue::Average));
        if !spans.any(near) {
            return;
        }
        let compares = self.parts.calls(COMPARING);
        match compares {
            true => self.enter(span, Part::Comparison, Grounds::Form),
            false => self.doubt(Doubt::Form(span, self.said(span))),
        }
    }
}

fn compares(cue: Cue) -> bool {
    matches!(
        cue,
        Cue::Greater
            | Cue::AtLeast
            | Cue::Less
            | Cue::AtMost
            | Cue::After
            | Cue::Before
            | Cue::Since
            | Cue::Until
    )
}
