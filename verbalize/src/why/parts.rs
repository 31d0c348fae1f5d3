//! Verbalizes the proof of a row: the reasons why it is in the answer.

use super::words::{FormulaDetail, Wording};
use eruca_api::{Reason, ShownTerm, Why};
use eruca_sparql::proof::{self, Members, Note, Proof, RowRank, Wanted};
use eruca_sparql::{Formula, Term};

impl Wording<'_> {
    pub(super) fn why(&self, row: usize, wanted: &Wanted, proof: &Proof) -> Why {
        Why {
            row,
            text: self.sentence(wanted, &proof.parts),
            parts: self.parts(&proof.parts),
            notes: proof.notes.iter().map(|note| self.note(note)).collect(),
        }
    }

    /// The reasons for the parts. Zero-length paths are dropped unless nothing else is left.
    fn parts(&self, parts: &[proof::Part]) -> Vec<Reason> {
        let says = |part: &&proof::Part| !matches!(part, proof::Part::Path { triples, found: true, .. } if triples.is_empty());
        let told: Vec<Reason> = parts.iter().filter(says).map(|part| self.part(part)).collect();
        if told.is_empty() { parts.iter().map(|part| self.part(part)).collect() } else { told }
    }

    fn part(&self, part: &proof::Part) -> Reason {
        match part {
            proof::Part::Triple { triple, optional } => {
                let [subject, predicate, object] = triple.each_ref().map(ShownTerm::from);
                Reason::Triple { subject, predicate, object, optional: *optional }
            }
            proof::Part::Path { subject, path, object, triples, .. } => Reason::Path {
                subject: subject.into(),
                path: self.formula(path, FormulaDetail::Written),
                object: object.into(),
                triples: triples.iter().map(|triple| shown(triple)).collect(),
            },
            proof::Part::Condition { formula, holds } => {
                Reason::Condition { words: self.formula(formula, FormulaDetail::Value), holds: *holds }
            }
            proof::Part::Absent { clauses, pattern } => Reason::Absent {
                words: self.say("absent", &[("what", &self.clauses(clauses))]),
                pattern: self.dataset.compact_text(pattern),
            },
            proof::Part::OptionalMissing { clauses, .. } => Reason::OptionalMissing {
                words: self.say("optional_missing", &[("what", &self.clauses(clauses))]),
            },
            proof::Part::Members(members) => self.members(members),
            proof::Part::Rank(rank) => Reason::Rank { words: self.rank(rank), place: rank.place },
            proof::Part::Either { branch, of, clauses } => {
                let (n, of) = (branch.to_string(), of.to_string());
                let what = self.clauses(clauses);
                Reason::Either {
                    words: self.say("either_branch", &[("n", &n), ("of", &of), ("what", &what)]),
                }
            }
            proof::Part::Named { name, formula, value } => {
                Reason::Named { words: self.named(name, formula, value.as_ref()) }
            }
        }
    }

    fn members(&self, members: &Members) -> Reason {
        Reason::Members {
            of: self.formula(&members.aggregate, FormulaDetail::Written),
            function: members.function.clone(),
            shown: members.members.len(),
            members: members.members.iter().map(|member| shown(member)).collect(),
            triples: members
                .triples
                .iter()
                .map(|one| one.iter().map(|triple| shown(triple)).collect())
                .collect(),
            total: members.total,
            value: members.value.as_ref().map(ShownTerm::from),
            example: self.parts(&members.example),
        }
    }

    fn named(&self, name: &str, formula: &Formula, value: Option<&Term>) -> String {
        let name = self.variable(name);
        let (formula, unit) = (self.formula(formula, FormulaDetail::Worked), self.unit(formula));
        let value = value.map_or_else(String::new, |value| self.measured(value, unit));
        // A constant is equal to its value, so only one of them is shown.
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

fn shown(terms: &[Term]) -> Vec<ShownTerm> {
    terms.iter().map(ShownTerm::from).collect()
}

/// Counts of the parts of a proof by kind.
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
