//! The ledger of evidence as it stands in traces.

/// What speaks for a query, word by word, and what does not; names of the graph and sentences in the language of the question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The words of the question with what they stand for, in their order.
    pub because: Vec<Because>,
    /// What is not accounted for.
    pub doubts: Vec<Doubtful>,
}

/// Words of the question, what they stand for, and by what right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Because {
    /// The words.
    pub words: String,
    /// What is called so: a class, a property, a thing, a value; nothing where the words ask for a form of the query.
    pub name: Option<String>,
    /// The part of the query: `term`, `thing`, `value`, `comparison`, `order` ….
    pub part: &'static str,
    /// The right: `exact`, `lemma`, `dimension` ….
    pub right: &'static str,
    /// Whether the right is no proof by itself.
    pub weak: bool,
    /// What the words stand for, and by what right, in a sentence.
    pub text: String,
}

/// Something that nothing accounts for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// The kind: `unused`, `weak`, `dimension`, `turned` …; of a follow-up `earlier`; of a model's answer also `unsure`, `not-run`, `stopped`, `tie`, `partial`, `cut`.
    pub kind: &'static str,
    /// The words of the question or the name that it is about; empty where it is about the answer.
    pub about: String,
    /// What is not accounted for, in a sentence.
    pub text: String,
}
