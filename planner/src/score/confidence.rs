//! Confidence: the probability that an answer is exactly right, by a logistic model (Platt 1999) over what is known of the best
//! reading, fitted on graphs that the weights were not learned on. Its weights stand with the others.

use super::{Feature, Features, Weights};

/// From here on an answer is called sure, and likely.
const SURE: f32 = 0.72;
const LIKELY: f32 = 0.5;

/// The probability of an answer that leaves a name out, at most.
const MAX_WITHOUT_NAME: f32 = 0.3;
/// The probability of an answer that leaves out what is asked to be done ("What do the pandas eat?"), or says it of something that the
/// question does not speak of.
const MAX_WITHOUT_PREDICATE: f32 = 0.6;
/// The probability of an answer that leaves a noun out, at most: it may be what the noun says that makes it another question. So it is
/// never sure.
const MAX_WITHOUT_NOUN: f32 = 0.7;
/// The probability of an answer that leaves the noun out that is asked for, and which nothing in the graph is called.
const MAX_WITHOUT_KIND: f32 = 0.45;
/// The probability of an answer that uses less than half of what was said, at most.
const MAX_BY_HALF: f32 = 0.45;
/// Scores beyond this say no more.
const LOW_SCORE: f32 = 10.0;

/// How far an answer is to be believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// It may well be wrong.
    Guess,
    /// Rather right than wrong.
    Likely,
    /// Right in nine of ten cases, as measured on graphs that nothing was fitted to.
    Sure,
}

impl Confidence {
    /// The name of a probability.
    pub fn of(probability: f32) -> Self {
        match probability {
            p if p >= SURE => Self::Sure,
            p if p >= LIKELY => Self::Likely,
            _ => Self::Guess,
        }
    }

    /// The name in traces and headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guess => "guess",
            Self::Likely => "likely",
            Self::Sure => "sure",
        }
    }
}

/// What is known of the best reading when it is judged.
#[derive(Debug, Clone, Copy)]
pub struct Evidenced<'a> {
    /// Its features, with those of its result.
    pub features: &'a Features,
    /// The share of all readings that have its result, each by its likelihood: from 0 to 1.
    pub agreement: f32,
    /// Words of the question that say something.
    pub words: usize,
    /// Its score, with its result.
    pub score: f32,
    /// Readings that ran.
    pub readings: usize,
}

/// The number of signs that confidence is made of.
pub const SIGN_COUNT: usize = 27;

/// The names of the signs in the file of weights, in the order of [`signs`].
pub const SIGNS: [&str; SIGN_COUNT] = [
    "confidence-base",
    "confidence-agreement",
    "confidence-doubt",
    "confidence-left-names",
    "confidence-left-nouns",
    "confidence-left-verbs",
    "confidence-left-cues",
    "confidence-misfit",
    "confidence-far-words",
    "confidence-bridges",
    "confidence-empty",
    "confidence-unknown",
    "confidence-words",
    "confidence-left-asked",
    "confidence-left-share",
    "confidence-score",
    "confidence-readings",
    "confidence-unnamed",
    "confidence-weak-names",
    "confidence-form",
    "confidence-unanchored",
    "confidence-left-deeds",
    "confidence-left-half",
    "confidence-left-grade",
    "confidence-counted-bridge",
    "confidence-left-predicate",
    "confidence-widened",
];

/// The signs of a reading.
pub fn signs(known: &Evidenced<'_>) -> [f32; SIGN_COUNT] {
    use Feature as F;
    let sum = |features: &[F]| features.iter().map(|feature| known.features.of(*feature)).sum::<f32>();
    let left = sum(&[F::SkippedName, F::SkippedNumber, F::SkippedNoun, F::SkippedVerb]);
    [
        1.0,
        known.agreement,
        (1.0 - known.agreement).max(1e-3).ln(),
        sum(&[F::SkippedName, F::SkippedNumber]),
        sum(&[F::SkippedNoun]),
        sum(&[F::SkippedVerb]),
        sum(&[F::SkippedCue]),
        sum(&[F::ClassMisfit, F::PropertyMisfit, F::NameMisfit]),
        sum(&[F::BySynonym, F::ByRelatedWord, F::ByPart, F::ByTypo]),
        sum(&[F::Bridge, F::RelationBridge, F::ColumnBridge, F::MeasureBridge]),
        sum(&[F::EmptyAnswer]),
        sum(&[F::NotFound]),
        known.words as f32,
        sum(&[F::SkippedAsked]),
        left / known.words.max(1) as f32,
        known.score.clamp(-LOW_SCORE, LOW_SCORE),
        known.readings as f32,
        sum(&[F::UnnamedPerson, F::UnnamedPlace, F::UnnamedTime, F::UnnamedTimeRank, F::UnnamedNumber]),
        sum(&[F::NameNarrowed, F::NameIsAlias, F::NameRank, F::NameInLowerCase, F::ValueOfOtherLanguage]),
        sum(&[F::WhoOther, F::WhereOther, F::WhenOther, F::WhichOther, F::HowManyOther, F::HowMeasured])
            + sum(&[
                F::BothUnsaid,
                F::EitherForBoth,
                F::CountForEachUnsaid,
                F::MoreColumnsUnsaid,
                F::GroupUnsaid,
            ]),
        sum(&[F::Unanchored]),
        sum(&[F::SkippedDeed]),
        sum(&[F::SkippedHalf]),
        sum(&[F::SkippedGrade]),
        sum(&[F::CountBridge]),
        sum(&[F::SkippedPredicate, F::UnsaidHolder, F::MixedUnits]),
        sum(&[F::SkippedAsked]) * sum(&[F::Ranked, F::Winner, F::Counted, F::Aggregated]).min(1.0)
            + sum(&[F::SkippedNot, F::WhoMeasured, F::Unmeasured, F::OnlyMeasure])
            + sum(&[F::UnnamedTime]) * sum(&[F::NameNarrowed]),
    ]
}

/// The probability that an answer is exactly right.
pub fn confidence(known: &Evidenced<'_>, weights: &Weights) -> f32 {
    probability(&signs(known), weights)
}

/// The probability that signs give. An answer without a name or number of the question is a guess, whatever else speaks for it.
pub fn probability(signs: &[f32; SIGN_COUNT], weights: &Weights) -> f32 {
    let odds: f32 = signs.iter().zip(weights.of_signs()).map(|(sign, weight)| sign * weight).sum();
    let probability = 1.0 / (1.0 + (-odds).exp());
    at_most(signs).into_iter().fold(probability, f32::min)
}

/// What the words that were left out leave of the probability.
fn at_most(signs: &[f32; SIGN_COUNT]) -> [f32; 6] {
    let most = |left: bool, most: f32| if left { most } else { 1.0 };
    let [_, _, _, names, nouns, _, _, _, _, _, _, unknown, _, asked, share, .., predicate, widened] = signs;
    [
        most(*names > 0.0, MAX_WITHOUT_NAME),
        most(*nouns > 0.0, MAX_WITHOUT_NOUN),
        most(*asked > 0.0 && *unknown > 0.0, MAX_WITHOUT_KIND),
        // "The largest lake in Africa": of all that is in Africa the largest is no lake. "For which songs is the length missing?": those
        // with a length are the others. "Since when has Ann been mayor of Ulm?": a time of Ann alone is another one. "Who lives in Ulm?" is not answered by a
        // number, and who is taller by no salary, though it may be the only number there is.
        most(*widened > 0.0, MAX_WITHOUT_KIND),
        most(*share >= 0.5, MAX_BY_HALF),
        most(*predicate > 0.0, MAX_WITHOUT_PREDICATE),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_to_be_done_is_not_left_out_for_sure() {
        let features = Features::default().and(Feature::SkippedPredicate, 1.0);
        let known = Evidenced { features: &features, agreement: 1.0, words: 3, score: 9.0, readings: 5 };
        assert_ne!(Confidence::of(confidence(&known, &Weights::default())), Confidence::Sure);
    }

    #[test]
    fn nouns_left_out_are_never_sure_and_the_one_that_is_asked_for_makes_a_guess() {
        let of = |features: &[Feature]| {
            let features = features.iter().fold(Features::default(), |all, one| all.and(*one, 1.0));
            let known = Evidenced { features: &features, agreement: 1.0, words: 6, score: 9.0, readings: 5 };
            Confidence::of(confidence(&known, &Weights::default()))
        };
        assert_eq!(of(&[]), Confidence::Sure);
        assert_eq!(of(&[Feature::SkippedNoun]), Confidence::Likely);
        let asked = [Feature::SkippedNoun, Feature::SkippedAsked];
        assert_eq!(of(&[asked[0], asked[1], Feature::NotFound]), Confidence::Guess);
        assert_eq!(of(&[asked[0], asked[1], Feature::Ranked]), Confidence::Guess);
    }

    #[test]
    fn answers_to_another_question_are_guesses() {
        let of = |features: &[Feature]| {
            let features = features.iter().fold(Features::default(), |all, one| all.and(*one, 1.0));
            let known = Evidenced { features: &features, agreement: 1.0, words: 6, score: 9.0, readings: 5 };
            Confidence::of(confidence(&known, &Weights::default()))
        };
        assert_eq!(of(&[Feature::SkippedNot]), Confidence::Guess);
        assert_eq!(of(&[Feature::WhoMeasured]), Confidence::Guess);
        assert_eq!(of(&[Feature::Unmeasured]), Confidence::Guess);
        assert_eq!(of(&[Feature::UnnamedTime, Feature::NameNarrowed]), Confidence::Guess);
        assert_eq!(of(&[Feature::UnnamedTime]), Confidence::Sure);
        assert_eq!(of(&[Feature::NameNarrowed]), Confidence::Sure);
    }

    #[test]
    fn names_left_out_take_confidence_away() {
        let of = |left: f32| {
            let features = Features::default().and(Feature::SkippedName, left);
            let known = Evidenced { features: &features, agreement: 0.95, words: 3, score: 0.0, readings: 5 };
            confidence(&known, &Weights::default())
        };
        assert!(of(0.0) > of(1.0));
        assert_eq!(Confidence::of(of(1.0)), Confidence::Guess);
    }
}
