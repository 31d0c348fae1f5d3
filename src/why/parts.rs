//! What makes a row an answer, with the words for it.

use super::words::{FormulaDetail, Wording};
use eruca_sparql::proof::{self, Members, Note, Proof, RowRank, Statement, Wanted};
use eruca_sparql::{Formula, Term};

/// Why a row is an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The row, from 0.
    pub row: usize,
    /// One sentence.
    pub text: String,
    /// What makes it an answer, in the order of the query.
    pub parts: Vec<ReasonPart>,
    /// What could not be shown, and why.
    pub notes: Vec<String>,
}

/// One thing that makes a row an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ReasonPart {
    /// A statement of the graph.
    Triple {
        /// The statement.
        triple: Statement,
        /// Not needed, but there.
        optional: bool,
    },
    /// A way through the graph.
    Path {
        /// Where it begins.
        subject: Term,
        /// What it may be made of, in words.
        path: String,
        /// Where it ends.
        object: Term,
        /// One shortest way.
        triples: Vec<Statement>,
    },
    /// A condition.
    Condition {
        /// With the values put in.
        words: String,
        /// Whether it is met.
        holds: bool,
    },
    /// What was looked for and not found.
    Absent {
        /// In words.
        words: String,
        /// In SPARQL with prefixed names.
        pattern: String,
    },
    /// What a number is made of.
    Members {
        /// The aggregate in words.
        of: String,
        /// `count`, `sum`, `avg`, `min`, `max`, `sample`, `group_concat`.
        function: String,
        /// The first members.
        members: Vec<Vec<Term>>,
        /// The statements that make each of them a member.
        triples: Vec<Vec<Statement>>,
        /// How many there are, if that could be found out.
        total: Option<usize>,
        /// The value over all members.
        value: Option<Term>,
        /// Why the first member is one.
        example: Vec<ReasonPart>,
    },
    /// The place of the row in an order.
    Rank {
        /// In words.
        words: String,
        /// From 1, if it could be found out.
        place: Option<usize>,
    },
    /// Which one of several ways holds.
    Either {
        /// In words.
        words: String,
    },
    /// A value that the query gives or works out.
    Named {
        /// In words.
        words: String,
    },
    /// What would be taken but is not there.
    OptionalMissing {
        /// In words.
        words: String,
    },
}

impl Why {
    /// The IRIs of all things and properties in it, each once: whoever shows them wants their names.
    #[must_use]
    pub fn iris(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for term in terms(&self.parts) {
            if let Term::NamedNode(node) = term
                && !found.contains(&node.as_str())
            {
                found.push(node.as_str());
            }
        }
        found
    }
}

fn terms(parts: &[ReasonPart]) -> Vec<&Term> {
    let mut found = Vec::new();
    for part in parts {
        match part {
            ReasonPart::Triple { triple, .. } => found.extend(triple),
            ReasonPart::Path { subject, object, triples, .. } => {
                found.extend([subject, object]);
                found.extend(triples.iter().flatten());
            }
            ReasonPart::Members { members, triples, value, example, .. } => {
                found.extend(members.iter().flatten());
                found.extend(triples.iter().flatten().flatten());
                found.extend(value);
                found.extend(terms(example));
            }
            _ => {}
        }
    }
    found
}

impl Wording<'_> {
    pub(super) fn why(&self, row: usize, wanted: &Wanted, proof: &Proof) -> Why {
        Why {
            row,
            text: self.sentence(wanted, &proof.parts),
            parts: self.parts(&proof.parts),
            notes: proof.notes.iter().map(|note| self.note(note)).collect(),
        }
    }

    /// A way from a thing to itself says nothing, unless there is nothing else.
    fn parts(&self, parts: &[proof::Part]) -> Vec<ReasonPart> {
        let says = |part: &&proof::Part| !matches!(part, proof::Part::Path { triples, found: true, .. } if triples.is_empty());
        let told: Vec<ReasonPart> = parts.iter().filter(says).map(|part| self.part(part)).collect();
        if told.is_empty() { parts.iter().map(|part| self.part(part)).collect() } else { told }
    }

    fn part(&self, part: &proof::Part) -> ReasonPart {
        match part {
            proof::Part::Triple { triple, optional } => {
                ReasonPart::Triple { triple: triple.clone(), optional: *optional }
            }
            proof::Part::Path { subject, path, object, triples, .. } => ReasonPart::Path {
                subject: subject.clone(),
                path: self.formula(path, FormulaDetail::Written),
                object: object.clone(),
                triples: triples.clone(),
            },
            proof::Part::Condition { formula, holds } => {
                ReasonPart::Condition { words: self.formula(formula, FormulaDetail::Value), holds: *holds }
            }
            proof::Part::Absent { clauses, pattern } => ReasonPart::Absent {
                words: self.say("absent", &[("what", &self.clauses(clauses))]),
                pattern: self.dataset.compact_text(pattern),
            },
            proof::Part::OptionalMissing { clauses, .. } => ReasonPart::OptionalMissing {
                words: self.say("optional_missing", &[("what", &self.clauses(clauses))]),
            },
            proof::Part::Members(members) => self.members(members),
            proof::Part::Rank(rank) => ReasonPart::Rank { words: self.rank(rank), place: rank.place },
            proof::Part::Either { branch, of, clauses } => {
                let (n, of) = (branch.to_string(), of.to_string());
                let what = self.clauses(clauses);
                ReasonPart::Either {
                    words: self.say("either_branch", &[("n", &n), ("of", &of), ("what", &what)]),
                }
            }
            proof::Part::Named { name, formula, value } => {
                ReasonPart::Named { words: self.named(name, formula, value.as_ref()) }
            }
        }
    }

    fn members(&self, members: &Members) -> ReasonPart {
        ReasonPart::Members {
            of: self.formula(&members.aggregate, FormulaDetail::Written),
            function: members.function.clone(),
            members: members.members.clone(),
            triples: members.triples.clone(),
            total: members.total,
            value: members.value.clone(),
            example: self.parts(&members.example),
        }
    }

    fn named(&self, name: &str, formula: &Formula, value: Option<&Term>) -> String {
        let name = self.variable(name);
        let (formula, unit) = (self.formula(formula, FormulaDetail::Worked), self.unit(formula));
        let value = value.map_or_else(String::new, |value| self.measured(value, unit));
        // A constant is its own value.
        let key = if value.is_empty() || value == formula { "named_plain" } else { "named_value" };
        self.say(key, &[("name", &name), ("formula", &formula), ("value", &value)])
    }

    fn rank(&self, rank: &RowRank) -> String {
        let list = self.keys(&rank.keys, FormulaDetail::Value);
        let place = rank.place.map(|place| place.to_string());
        let limit = rank.limit.unwrap_or_default().to_string();
        let rows = match (&place, rank.keys.is_empty()) {
            (Some(place), false) => self.say("rank", &[("n", place), ("list", &list)]),
            (Some(place), true) => self.say("rank_plain", &[("n", place)]),
            (None, false) => self.say("rank_first", &[("n", &limit), ("list", &list)]),
            (None, true) => self.say("rank_any", &[("n", &limit)]),
        };
        if rank.tied { self.say("rank_tied", &[("rank", &rows)]) } else { rows }
    }

    fn sentence(&self, wanted: &Wanted, parts: &[proof::Part]) -> String {
        let refused = parts.iter().find_map(|part| match part {
            proof::Part::Condition { formula, holds: false } => Some(formula),
            _ => None,
        });
        let key = match (wanted, refused) {
            (Wanted::Truth(false), Some(condition)) => {
                let condition = self.formula(condition, FormulaDetail::Value);
                return self.say("text_refused", &[("condition", &condition)]);
            }
            (Wanted::Truth(false), None) => return self.say("text_no", &[]),
            (Wanted::Truth(true), _) => "text_yes",
            (Wanted::Row { .. }, _) => "text",
        };
        let counted = ProofCounts::of(parts).in_words(self);
        if counted.is_empty() {
            return self.say("text_unknown", &[]);
        }
        self.say(key, &[("list", &self.list(&counted, "list_and"))])
    }

    fn note(&self, note: &Note) -> String {
        let key = match note {
            Note::Failed(words) => return self.say("note_failed", &[("words", words)]),
            Note::Gone => "note_gone",
            Note::Changed => "note_changed",
            Note::NoTime => "note_no_time",
            Note::TooMuch => "note_too_much",
            Note::Nameless => "note_nameless",
            Note::NoWay => "note_no_way",
            Note::Elsewhere => "note_elsewhere",
            Note::NotRows => "note_not_rows",
        };
        self.say(key, &[])
    }
}

/// How much of each kind a proof is made of.
#[derive(Default)]
struct ProofCounts {
    statements: usize,
    members: usize,
    conditions: usize,
    absent: usize,
    given: usize,
}

impl ProofCounts {
    fn of(parts: &[proof::Part]) -> Self {
        let mut all = Self::default();
        for part in parts {
            match part {
                proof::Part::Triple { .. } => all.statements += 1,
                proof::Part::Path { triples, .. } => all.statements += triples.len(),
                proof::Part::Members(members) => {
                    all.members = all.members.max(members.total.unwrap_or(members.members.len()));
                }
                proof::Part::Condition { holds: true, .. } => all.conditions += 1,
                proof::Part::Absent { .. } => all.absent += 1,
                proof::Part::Named { .. } => all.given += 1,
                _ => {}
            }
        }
        all
    }

    fn in_words(&self, wording: &Wording<'_>) -> Vec<String> {
        let kinds = [
            (self.statements, "statements_one", "statements_many"),
            (self.members, "members_one", "members_many"),
            (self.conditions, "conditions_one", "conditions_many"),
            (self.absent, "absent_one", "absent_many"),
            (self.given, "given_one", "given_many"),
        ];
        let said = |(count, one, many): (usize, &str, &str)| match count {
            0 => None,
            1 => Some(wording.say(one, &[])),
            _ => Some(wording.say(many, &[("n", &count.to_string())])),
        };
        kinds.into_iter().filter_map(said).collect()
    }
}
