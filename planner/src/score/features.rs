//! The features of readings: counts of the steps taken from the words to a query.

use smallvec::SmallVec;

macro_rules! features {
    ($($feature:ident = $name:literal),+ $(,)?) => {
        /// A feature for or against a reading.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names say it; what they weigh and why stands in weights.txt")]
        pub enum Feature { $($feature),+ }

        /// The number of features.
        pub const FEATURE_COUNT: usize = [$($name),+].len();

        impl Feature {
            /// All features.
            pub const ALL: [Self; FEATURE_COUNT] = [$(Self::$feature),+];

            /// The name in the weights file.
            pub fn name(self) -> &'static str {
                match self { $(Self::$feature => $name),+ }
            }

            /// The feature with a name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|feature| feature.name() == name)
            }
        }
    };
}

features! {
    Aggregated = "aggregated",
    AnswerIsNamed = "answer-is-named",
    AnswerIsValue = "answer-is-value",
    AskedFits = "asked-fits",
    AskedOther = "asked-other",
    BareNumber = "bare-number",
    BothOfMany = "both-of-many",
    BothOfOne = "both-of-one",
    Bridge = "bridge",
    BridgeCost = "bridge-cost",
    ByRelatedWord = "by-related-word",
    BySynonym = "by-synonym",
    ChainInOrder = "chain-in-order",
    ColumnBridge = "column-bridge",
    ColumnsBesideSet = "columns-beside-set",
    ColumnsOfClass = "columns-of-class",
    ColumnsOfSet = "columns-of-set",
    ColumnsOfTwoKinds = "columns-of-two-kinds",
    ColumnsOfValues = "columns-of-values",
    ColumnsThenSet = "columns-then-set",
    ConceptAsKind = "concept-as-kind",
    CountBridge = "count-bridge",
    Cued = "cued",
    EmptyAnswer = "empty-answer",
    GradeOfRelation = "grade-of-relation",
    Had = "had",
    KeyColumn = "key-column",
    KindsOfClass = "kinds-of-class",
    Link = "link",
    ListedColumns = "listed-columns",
    MeasureBridge = "measure-bridge",
    MeasuredByText = "measured-by-text",
    Meet = "meet",
    Misfit = "misfit",
    MoreColumns = "more-columns",
    NameInLowerCase = "name-in-lower-case",
    NameIsAlias = "name-is-alias",
    NameNarrowed = "name-narrowed",
    NameOfOther = "name-of-other",
    NameRank = "name-rank",
    NamesakeHas = "namesake-has",
    NegatedBackward = "negated-backward",
    NounOfSetForward = "noun-of-set-forward",
    NounSetForward = "noun-set-forward",
    NumberOfRelation = "number-of-relation",
    OddHead = "odd-head",
    OwnedColumns = "owned-columns",
    Relation = "relation",
    RelationAsSet = "relation-as-set",
    RelationBridge = "relation-bridge",
    RelationOfClass = "relation-of-class",
    RepeatsQuestion = "repeats-question",
    SetNounForward = "set-noun-forward",
    SetWithColumns = "set-with-columns",
    SkippedAll = "skipped-all",
    SkippedCue = "skipped-cue",
    SkippedHalf = "skipped-half",
    SkippedName = "skipped-name",
    SkippedNoun = "skipped-noun",
    SkippedNumber = "skipped-number",
    SkippedOnly = "skipped-only",
    SkippedVerb = "skipped-verb",
    TopThenSet = "top-then-set",
    Unanchored = "unanchored",
    Unnamed = "unnamed",
    UnnamedPerson = "unnamed-person",
    UnnamedTimeRank = "unnamed-time-rank",
    Unsaid = "unsaid",
    ValueLink = "value-link",
    VerbBySetBackward = "verb-by-set-backward",
    Wordless = "wordless",
}

/// The count of each feature in a reading. A phrase has few of them, so only those are stored: there are thousands of phrases.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Features(SmallVec<[(Feature, f32); 6]>);

impl Features {
    /// Adds to a feature.
    pub fn add(&mut self, feature: Feature, value: f32) {
        if value == 0.0 {
            return;
        }
        match self.0.iter_mut().find(|(known, _)| *known == feature) {
            Some((_, known)) => *known += value,
            None => self.0.push((feature, value)),
        }
    }

    /// Adds other features.
    pub fn add_all(&mut self, other: &Self) {
        for (feature, value) in other.iter() {
            self.add(feature, value);
        }
    }

    /// The same with one more feature.
    #[must_use]
    pub fn and(mut self, feature: Feature, value: f32) -> Self {
        self.add(feature, value);
        self
    }

    /// The value of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.iter().find(|(known, _)| *known == feature).map_or(0.0, |(_, value)| value)
    }

    /// The non-zero features, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Feature, f32)> + '_ {
        self.0.iter().copied()
    }

    /// All values in the order of [`Feature::ALL`].
    pub fn values(&self) -> Vec<f32> {
        let mut values = vec![0.0; FEATURE_COUNT];
        for (feature, value) in self.iter() {
            if let Some(known) = values.get_mut(feature as usize) {
                *known = value;
            }
        }
        values
    }
}
