//! The probability that an agent's answer is exactly right: a logistic model (Platt 1999) over a few named features,
//! each with a weight and an upper bound on the probability. Pure functions; the features are extracted in
//! `agent_insight`.
//!
//! Every answer has a probability and a list of unused words, except the statement that the graph does not contain an
//! answer. An answer that was not run, is empty, or whose run was cut short is never `sure`. Tests: `tests`,
//! `tests/confidence.rs`.

/// How an answer compares with the planner's drafts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum DraftAgreement {
    /// There is no draft to compare with.
    #[default]
    Nothing,
    /// A sure draft has the same result.
    SameAsSure,
    /// A likely draft has the same result.
    SameAsLikely,
    /// A likely draft has a different result.
    OtherThanLikely,
    /// A sure draft has a different result.
    OtherThanSure,
}

/// The features of an agent's answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct AnswerSigns {
    /// Agreement with the planner's drafts.
    pub(super) drafts: DraftAgreement,
    /// The ledger has no doubts; also `false` if there was no time to create one.
    pub(super) full: bool,
    /// Number of question words that nothing in the query accounts for.
    pub(super) unused: usize,
    /// Number of other, minor doubts in the ledger.
    pub(super) doubts: usize,
    /// Number of doubts suggesting that the query answers a different question.
    pub(super) grave: usize,
    /// Another query tried by the model had the same result.
    pub(super) agrees: bool,
    /// The model stated a different answer before.
    pub(super) changed: bool,
    /// LIMIT cuts off tied rows.
    pub(super) tie: bool,
    /// The query leaves out entities without a value for what is shown, or a class of them.
    pub(super) partial: bool,
    /// The model says that it is uncertain about something.
    pub(super) unsure: bool,
    /// The model did not state the answer; it is the best query that was tried.
    pub(super) unstated: bool,
    /// Calls, tokens or time ran out, or the model failed.
    pub(super) stopped: bool,
    /// The query did not run.
    pub(super) unrun: bool,
    /// The result is empty.
    pub(super) empty: bool,
    /// Some cells are unbound.
    pub(super) unbound: bool,
    /// The endpoint returned only part of the result.
    pub(super) incomplete: bool,
}

/// A feature of the model.
struct Sign {
    /// The name used in the records of `eruca eval`.
    name: &'static str,
    /// Its contribution to the log-odds.
    weight: f32,
    /// Upper bound on the probability of an answer with this feature.
    most: f32,
    /// Extracts its value.
    value: fn(&AnswerSigns) -> f32,
}

/// No bound.
const ANY: f32 = 1.0;
/// At most likely, never sure: as for planner answers whose ledger has a doubt.
const IN_DOUBT: f32 = 0.7;
/// A guess: as for planner answers to a different question.
const GUESS: f32 = 0.45;
/// Cap on the number of doubts and unused words that are counted.
const MOST_COUNTED: usize = 3;
/// Probabilities are clamped to `LEAST..=1 - LEAST`, because no answer is certainly right or wrong.
const LEAST: f32 = 0.01;

/// The features with their weights.
///
/// The weights of drafts, ledger, ties and empty answers follow a ridge regression over 170 queries that seven
/// systems with models published for 25 questions, and over reference queries and alternative readings of 727 more
/// (assuming that seven of ten are right). They are rounded, and constrained so that no doubt increases the
/// probability. Those queries come without runs, so the weights of run features (tried another way, changed its mind,
/// unsure, unstated, stopped, not run) are set by hand. In 50 replayed questions, all 26 queries rated as guesses
/// were right, and one of the likely drafts that were used unchanged was wrong; therefore the base is higher, and a
/// likely draft adds less than is needed to make an answer sure. `eruca eval` records the features of every answer
/// under these names and reports the calibration of the probabilities, so that the weights can be refitted to a
/// user's own model and questions (docs/command-line.md).
const SIGNS: [Sign; 19] = [
    sign("base", 0.5, ANY, |_| 1.0),
    sign("same-as-sure-draft", 2.0, ANY, |signs| flag(signs.drafts == DraftAgreement::SameAsSure)),
    sign("same-as-likely-draft", 0.6, ANY, |signs| flag(signs.drafts == DraftAgreement::SameAsLikely)),
    sign("other-than-likely-draft", -0.8, ANY, |signs| flag(signs.drafts == DraftAgreement::OtherThanLikely)),
    sign("other-than-sure-draft", -2.4, IN_DOUBT, |signs| {
        flag(signs.drafts == DraftAgreement::OtherThanSure)
    }),
    sign("full-ledger", 0.6, ANY, |signs| flag(signs.full)),
    sign("unused-words", -0.3, ANY, |signs| counted(signs.unused)),
    sign("doubts", -0.1, ANY, |signs| counted(signs.doubts)),
    sign("grave-doubts", -0.4, IN_DOUBT, |signs| counted(signs.grave)),
    sign("tried-another-way", 0.2, ANY, |signs| flag(signs.agrees)),
    sign("changed-its-mind", -0.3, ANY, |signs| flag(signs.changed)),
    sign("tie", -0.7, IN_DOUBT, |signs| flag(signs.tie)),
    sign("partial", -0.3, ANY, |signs| flag(signs.partial)),
    sign("unsure", -0.9, IN_DOUBT, |signs| flag(signs.unsure)),
    sign("unstated", -0.6, IN_DOUBT, |signs| flag(signs.unstated)),
    sign("stopped", -0.6, IN_DOUBT, |signs| flag(signs.stopped)),
    sign("not-run", -1.5, GUESS, |signs| flag(signs.unrun)),
    sign("empty", -1.6, IN_DOUBT, |signs| flag(signs.empty)),
    sign("unbound-or-cut", -0.3, ANY, |signs| flag(signs.unbound || signs.incomplete)),
];

const fn sign(name: &'static str, weight: f32, most: f32, value: fn(&AnswerSigns) -> f32) -> Sign {
    Sign { name, weight, most, value }
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

fn counted(number: usize) -> f32 {
    number.min(MOST_COUNTED) as f32
}

impl AnswerSigns {
    /// The probability that the answer is exactly right.
    pub(super) fn probability(&self) -> f32 {
        let odds: f32 = SIGNS.iter().map(|sign| sign.weight * (sign.value)(self)).sum();
        let probability = (1.0 / (1.0 + (-odds).exp())).clamp(LEAST, 1.0 - LEAST);
        let bounds = SIGNS.iter().filter(|sign| (sign.value)(self) > 0.0).map(|sign| sign.most);
        bounds.fold(probability, f32::min)
    }

    /// The non-zero features by name.
    pub(super) fn named(&self) -> Vec<(&'static str, f32)> {
        let all = SIGNS.iter().map(|sign| (sign.name, (sign.value)(self)));
        all.filter(|(_, value)| *value != 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eruca_planner::Confidence;

    /// An answer with all evidence in its favor.
    fn proven() -> AnswerSigns {
        AnswerSigns { drafts: DraftAgreement::SameAsSure, full: true, ..AnswerSigns::default() }
    }

    fn confidence(signs: &AnswerSigns) -> Confidence {
        Confidence::of(signs.probability())
    }

    #[test]
    fn what_the_planner_reads_as_well_is_sure_and_a_models_word_alone_is_not() {
        let plain = AnswerSigns::default();
        assert_eq!(confidence(&proven()), Confidence::Sure);
        assert_eq!(confidence(&AnswerSigns { full: true, ..plain.clone() }), Confidence::Likely);
        assert_eq!(
            confidence(&AnswerSigns { drafts: DraftAgreement::SameAsSure, doubts: 1, ..plain.clone() }),
            Confidence::Sure
        );
        assert_eq!(confidence(&plain), Confidence::Likely);
        assert_eq!(confidence(&AnswerSigns { unused: 2, doubts: 1, ..plain.clone() }), Confidence::Guess);
        let likely = AnswerSigns { drafts: DraftAgreement::SameAsLikely, full: true, ..plain.clone() };
        assert_eq!(confidence(&likely), Confidence::Likely, "it was not looked at again");
        assert_eq!(
            confidence(&AnswerSigns { drafts: DraftAgreement::OtherThanSure, ..plain }),
            Confidence::Guess
        );
    }

    #[test]
    fn what_speaks_against_an_answer_lowers_it_and_is_never_sure_where_that_is_said() {
        type Change = fn(&mut AnswerSigns);
        let cases: [(Change, bool); 14] = [
            (|signs| signs.drafts = DraftAgreement::OtherThanSure, true),
            (|signs| signs.drafts = DraftAgreement::OtherThanLikely, false),
            (|signs| signs.unused = 1, false),
            (|signs| signs.doubts = 1, false),
            (|signs| signs.grave = 1, true),
            (|signs| signs.changed = true, false),
            (|signs| signs.tie = true, true),
            (|signs| signs.partial = true, false),
            (|signs| signs.unsure = true, true),
            (|signs| signs.unstated = true, true),
            (|signs| signs.stopped = true, true),
            (|signs| signs.unrun = true, true),
            (|signs| signs.empty = true, true),
            (|signs| signs.unbound = true, false),
        ];
        for (number, (change, never_sure)) in cases.into_iter().enumerate() {
            let mut signs = proven();
            change(&mut signs);
            assert!(signs.probability() < proven().probability(), "{number}");
            assert!(!never_sure || confidence(&signs) < Confidence::Sure, "{number}");
        }
        assert_eq!(confidence(&AnswerSigns { unrun: true, ..proven() }), Confidence::Guess);
    }

    #[test]
    fn what_speaks_for_an_answer_raises_it() {
        let plain = AnswerSigns::default();
        for better in [
            AnswerSigns { drafts: DraftAgreement::SameAsLikely, ..plain.clone() },
            AnswerSigns { drafts: DraftAgreement::SameAsSure, ..plain.clone() },
            AnswerSigns { full: true, ..plain.clone() },
            AnswerSigns { agrees: true, ..plain.clone() },
        ] {
            assert!(better.probability() > plain.probability(), "{better:?}");
        }
    }

    #[test]
    fn signs_have_names_of_their_own_and_only_what_there_is_is_kept() {
        let mut names: Vec<&str> = SIGNS.iter().map(|sign| sign.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SIGNS.len());
        let signs = AnswerSigns { unused: 9, ..AnswerSigns::default() };
        assert_eq!(signs.named(), [("base", 1.0), ("unused-words", 3.0)]);
    }
}
