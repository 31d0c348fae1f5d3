//! Spans of words.

/// A half-open range of words, by index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first word.
    pub from: u16,
    /// The word after the last.
    pub to: u16,
}

impl Span {
    /// From one word up to, but excluding, another.
    pub fn new(from: usize, to: usize) -> Self {
        let number = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        Self { from: number(from), to: number(to) }
    }

    /// The number of words.
    pub fn len(self) -> usize {
        usize::from(self.to.saturating_sub(self.from))
    }

    /// Whether it contains no word.
    pub fn is_empty(self) -> bool {
        self.to <= self.from
    }

    /// Whether it contains all words of another span.
    pub fn contains(self, other: Self) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Whether it contains a word.
    pub fn has(self, at: u16) -> bool {
        self.from <= at && at < self.to
    }

    /// Whether both share a word.
    pub fn overlaps(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// The shortest span that contains both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}
