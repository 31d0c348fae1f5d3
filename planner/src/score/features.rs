//! The features of readings: counts of what was done to get from words to a query.

use smallvec::SmallVec;

macro_rules! features {
    ($($feature:ident = $name:literal),+ $(,)?) => {
        /// What speaks for or against a reading.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "the names say it; what they weigh and why stands in weights.txt")]
        pub enum Feature { $($feature),+ }

        /// The number of features.
        pub const FEATURE_COUNT: usize = [$($name),+].len();

        impl Feature {
            /// All features.
            pub const ALL: [Self; FEATURE_COUNT] = [$(Self::$feature),+];

            /// The name in the file of weights.
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
    AcrossComma = "across-comma",
    AcrossSentences = "across-sentences",
    Aggregated = "aggregated",
    AnswerIsNamed = "answer-is-named",
    AnswerIsValue = "answer-is-value",
    AskedFits = "asked-fits",
    AskedOther = "asked-other",
    AttributeOfValue = "attribute-of-value",
    BareNode = "bare-node",
    BareNumber = "bare-number",
    BetweenAnswered = "between-answered",
    BetweenLeft = "between-left",
    Bridge = "bridge",
    BridgeCost = "bridge-cost",
    BridgeLength = "bridge-length",
    BridgeRank = "bridge-rank",
    ByPart = "by-part",
    ByRelatedWord = "by-related-word",
    ByStem = "by-stem",
    BySynonym = "by-synonym",
    ByTranslation = "by-translation",
    ChainByPreposition = "chain-by-preposition",
    ChainInOrder = "chain-in-order",
    ClassAsColumn = "class-as-column",
    ClassAsRelation = "class-as-relation",
    ClassAsThing = "class-as-thing",
    ClassThenName = "class-then-name",
    ColumnBridge = "column-bridge",
    ColumnIsKnown = "column-is-known",
    ColumnsBesideSet = "columns-beside-set",
    ColumnsOfClass = "columns-of-class",
    ColumnsOfClause = "columns-of-clause",
    ColumnsOfSet = "columns-of-set",
    ColumnsOfTwoKinds = "columns-of-two-kinds",
    ColumnsOfValues = "columns-of-values",
    ColumnsSaidAgain = "columns-said-again",
    ColumnsThenSet = "columns-then-set",
    ComparedWithThing = "compared-with-thing",
    CompoundHead = "compound-head",
    CompoundTail = "compound-tail",
    ConceptAsKind = "concept-as-kind",
    CountAgainstRelation = "count-against-relation",
    CountBridge = "count-bridge",
    CountOfRanked = "count-of-ranked",
    CountOfRelation = "count-of-relation",
    Cued = "cued",
    EmptyAnswer = "empty-answer",
    ForeignRelation = "foreign-relation",
    GradeMisfit = "grade-misfit",
    GradeOfRelation = "grade-of-relation",
    GroupWithoutAggregate = "group-without-aggregate",
    HeadLeft = "head-left",
    HeadLeftOfClause = "head-left-of-clause",
    HeadLeftOfPossessive = "head-left-of-possessive",
    HeadLeftOfPreposition = "head-left-of-preposition",
    HeadRight = "head-right",
    HeadRightOfClause = "head-right-of-clause",
    HeadRightOfPossessive = "head-right-of-possessive",
    HeadRightOfPreposition = "head-right-of-preposition",
    KeyColumn = "key-column",
    KindByThing = "kind-by-thing",
    KindsOfClass = "kinds-of-class",
    Link = "link",
    ListedColumns = "listed-columns",
    LongName = "long-name",
    ManyRows = "many-rows",
    ManyRowsForSingular = "many-rows-for-singular",
    MeasureAsked = "measure-asked",
    MeasureBridge = "measure-bridge",
    MeasuredByText = "measured-by-text",
    Meet = "meet",
    Misfit = "misfit",
    MixedUnits = "mixed-units",
    MoreColumns = "more-columns",
    NameAsText = "name-as-text",
    NameBounded = "name-bounded",
    NameInLowerCase = "name-in-lower-case",
    NameIsAlias = "name-is-alias",
    NameLeftOut = "name-left-out",
    NameNarrowed = "name-narrowed",
    NameOfOther = "name-of-other",
    NameRank = "name-rank",
    NameThenClass = "name-then-class",
    NamesakeHas = "namesake-has",
    NegatedBackward = "negated-backward",
    NegatedOfAll = "negated-of-all",
    NoAnswer = "no-answer",
    NotFound = "not-found",
    NounOfSetBackward = "noun-of-set-backward",
    NounOfSetForward = "noun-of-set-forward",
    NounSetBackward = "noun-set-backward",
    NounSetForward = "noun-set-forward",
    NumberOfRelation = "number-of-relation",
    OneRowForPlural = "one-row-for-plural",
    OnlyMeasure = "only-measure",
    OwnedColumns = "owned-columns",
    PlaceByOther = "place-by-other",
    RankBeforeJoin = "rank-before-join",
    Relation = "relation",
    RelationAsSet = "relation-as-set",
    RelationBridge = "relation-bridge",
    RelationOfClass = "relation-of-class",
    RelationOfOpen = "relation-of-open",
    RelationOfValue = "relation-of-value",
    RepeatsQuestion = "repeats-question",
    SetNounBackward = "set-noun-backward",
    SetNounForward = "set-noun-forward",
    SetThenColumns = "set-then-columns",
    SetThenTop = "set-then-top",
    SetVerbBackward = "set-verb-backward",
    SetVerbForward = "set-verb-forward",
    SetWithColumns = "set-with-columns",
    SetsColumns = "sets-columns",
    SkippedAsked = "skipped-asked",
    SkippedCue = "skipped-cue",
    SkippedDeed = "skipped-deed",
    SkippedGrade = "skipped-grade",
    SkippedHalf = "skipped-half",
    SkippedName = "skipped-name",
    SkippedNot = "skipped-not",
    SkippedNoun = "skipped-noun",
    SkippedNumber = "skipped-number",
    SkippedPredicate = "skipped-predicate",
    SkippedVerb = "skipped-verb",
    ThingLink = "thing-link",
    TopThenSet = "top-then-set",
    TotalUnsaid = "total-unsaid",
    TwoClasses = "two-classes",
    Unanchored = "unanchored",
    Unmeasured = "unmeasured",
    UnnamedNumber = "unnamed-number",
    UnnamedPerson = "unnamed-person",
    UnnamedPlace = "unnamed-place",
    UnnamedTime = "unnamed-time",
    UnnamedTimeRank = "unnamed-time-rank",
    Unsaid = "unsaid",
    ValueLink = "value-link",
    ValueOfOtherLanguage = "value-of-other-language",
    ValuesCompared = "values-compared",
    VerbBySetBackward = "verb-by-set-backward",
    VerbBySetForward = "verb-by-set-forward",
    VerbSetBackward = "verb-set-backward",
    VerbSetForward = "verb-set-forward",
    Wordless = "wordless",
}

/// How often each feature holds of a reading. Few of them hold of a phrase, so only these are kept: phrases are made by the
/// thousand.
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

    /// The same with a feature.
    #[must_use]
    pub fn and(mut self, feature: Feature, value: f32) -> Self {
        self.add(feature, value);
        self
    }

    /// The value of a feature.
    pub fn of(&self, feature: Feature) -> f32 {
        self.iter().find(|(known, _)| *known == feature).map_or(0.0, |(_, value)| value)
    }

    /// Those that hold, in the order in which they were added.
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
