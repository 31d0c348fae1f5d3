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
    BetweenAnswered = "between-answered",
    BetweenLeft = "between-left",
    BetweenNarrowed = "between-narrowed",
    AcrossComma = "across-comma",
    AcrossSentences = "across-sentences",
    Age = "age",
    AgeThen = "age-then",
    Aggregated = "aggregated",
    AnswerIsNamed = "answer-is-named",
    AnswerIsValue = "answer-is-value",
    AskAsAsk = "ask-as-ask",
    AskAsList = "ask-as-list",
    AttributeOfValue = "attribute-of-value",
    AskOfThing = "ask-of-thing",
    BareNode = "bare-node",
    BareNumber = "bare-number",
    BothOfMany = "both-of-many",
    BothOfOne = "both-of-one",
    BothSaid = "both-said",
    BothUnsaid = "both-unsaid",
    Bridge = "bridge",
    BridgeCost = "bridge-cost",
    BridgeLength = "bridge-length",
    BridgeRank = "bridge-rank",
    ByPart = "by-part",
    ByRelatedWord = "by-related-word",
    ByStem = "by-stem",
    BySynonym = "by-synonym",
    ByTranslation = "by-translation",
    ByTypo = "by-typo",
    ChainByPreposition = "chain-by-preposition",
    ChainInOrder = "chain-in-order",
    ClassAsColumn = "class-as-column",
    ClassAsRelation = "class-as-relation",
    ClassAsThing = "class-as-thing",
    ClassMisfit = "class-misfit",
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
    Compared = "compared",
    ComparedMisfit = "compared-misfit",
    ComparedWithThing = "compared-with-thing",
    CompoundHead = "compound-head",
    CompoundTail = "compound-tail",
    ConceptAsKind = "concept-as-kind",
    CountAgainstRelation = "count-against-relation",
    CountBridge = "count-bridge",
    CountForEachUnsaid = "count-for-each-unsaid",
    CountOfRanked = "count-of-ranked",
    CountOfRelation = "count-of-relation",
    Counted = "counted",
    Difference = "difference",
    Either = "either",
    EitherOfMany = "either-of-many",
    EitherForBoth = "either-for-both",
    EmptyAnswer = "empty-answer",
    EveryOne = "every-one",
    ForeignRelation = "foreign-relation",
    Flag = "flag",
    GradeMisfit = "grade-misfit",
    GradeOfRelation = "grade-of-relation",
    GroupUnsaid = "group-unsaid",
    GroupWithoutAggregate = "group-without-aggregate",
    Grouped = "grouped",
    Had = "had",
    HadItself = "had-itself",
    HalfOfAnswer = "half-of-answer",
    Halves = "halves",
    HeadLeft = "head-left",
    HeadLeftOfClause = "head-left-of-clause",
    HeadLeftOfPossessive = "head-left-of-possessive",
    HeadLeftOfPreposition = "head-left-of-preposition",
    HeadRight = "head-right",
    HeadRightOfClause = "head-right-of-clause",
    HeadRightOfPossessive = "head-right-of-possessive",
    HeadRightOfPreposition = "head-right-of-preposition",
    HowManyNumber = "how-many-number",
    HowManyOther = "how-many-other",
    HowMeasured = "how-measured",
    KindByThing = "kind-by-thing",
    KindsOfClass = "kinds-of-class",
    KeyColumn = "key-column",
    Lifted = "lifted",
    Link = "link",
    ListAsAsk = "list-as-ask",
    ListAsEither = "list-as-either",
    ListedColumns = "listed-columns",
    LongName = "long-name",
    ManyRows = "many-rows",
    ManyRowsForSingular = "many-rows-for-singular",
    MeasureAsked = "measure-asked",
    MeasureBridge = "measure-bridge",
    MeasuredByText = "measured-by-text",
    Meet = "meet",
    MemberAsked = "member-asked",
    MixedUnits = "mixed-units",
    MoreColumns = "more-columns",
    MoreColumnsUnsaid = "more-columns-unsaid",
    NameAsText = "name-as-text",
    NameBounded = "name-bounded",
    NameInLowerCase = "name-in-lower-case",
    NameIsAlias = "name-is-alias",
    NameLeftOut = "name-left-out",
    NameMisfit = "name-misfit",
    NameNarrowed = "name-narrowed",
    NameOfOther = "name-of-other",
    NameRank = "name-rank",
    NamesakeHas = "namesake-has",
    NameThenClass = "name-then-class",
    Negated = "negated",
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
    OnlySaid = "only-said",
    OnlyMeasure = "only-measure",
    Ordered = "ordered",
    OwnedColumns = "owned-columns",
    Placed = "placed",
    PlaceByOther = "place-by-other",
    PropertyMisfit = "property-misfit",
    RankBeforeJoin = "rank-before-join",
    Quantified = "quantified",
    Ranked = "ranked",
    Relation = "relation",
    RelationAsSet = "relation-as-set",
    RelationBridge = "relation-bridge",
    RelationOfClass = "relation-of-class",
    RelationOfOpen = "relation-of-open",
    RelationOfValue = "relation-of-value",
    RepeatsQuestion = "repeats-question",
    SaidAgain = "said-again",
    SameAs = "same-as",
    SetNounBackward = "set-noun-backward",
    SetNounForward = "set-noun-forward",
    SetThenColumns = "set-then-columns",
    SetThenTop = "set-then-top",
    SetVerbBackward = "set-verb-backward",
    SetVerbForward = "set-verb-forward",
    SetWithColumns = "set-with-columns",
    SetsColumns = "sets-columns",
    Share = "share",
    SkippedAll = "skipped-all",
    SkippedAsked = "skipped-asked",
    SkippedCue = "skipped-cue",
    SkippedDeed = "skipped-deed",
    SkippedGrade = "skipped-grade",
    SkippedHalf = "skipped-half",
    SkippedName = "skipped-name",
    SkippedNot = "skipped-not",
    SkippedNoun = "skipped-noun",
    SkippedNumber = "skipped-number",
    SkippedOnly = "skipped-only",
    SkippedPredicate = "skipped-predicate",
    SkippedVerb = "skipped-verb",
    TextLike = "text-like",
    TextLikeName = "text-like-name",
    ThingLink = "thing-link",
    TopThenSet = "top-then-set",
    TotalUnsaid = "total-unsaid",
    TwoClasses = "two-classes",
    Unanchored = "unanchored",
    Unmeasured = "unmeasured",
    UnnamedPerson = "unnamed-person",
    UnnamedNumber = "unnamed-number",
    UnnamedPlace = "unnamed-place",
    UnnamedTime = "unnamed-time",
    UnnamedTimeRank = "unnamed-time-rank",
    UnsaidHolder = "unsaid-holder",
    ValueLink = "value-link",
    ValueOfOtherLanguage = "value-of-other-language",
    ValuesCompared = "values-compared",
    VerbBySetBackward = "verb-by-set-backward",
    VerbBySetForward = "verb-by-set-forward",
    VerbSetBackward = "verb-set-backward",
    VerbSetForward = "verb-set-forward",
    WhenOther = "when-other",
    WhenTime = "when-time",
    WhereOther = "where-other",
    WherePlace = "where-place",
    WhichNamed = "which-named",
    WhichOther = "which-other",
    WhichValue = "which-value",
    WhoMeasured = "who-measured",
    WhoOther = "who-other",
    WhoPerson = "who-person",
    Winner = "winner",
    Wordless = "wordless",
    YearAsked = "year-asked",
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
