//! Runs of words.

/// A run of words: numbers of its first word and of the one behind its last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first word.
    pub from: u16,
    /// The one behind the last.
    pub to: u16,
}

impl Span {
    /// From one word to the one before another.
    pub fn new(from: usize, to: usize) -> Self {
        let number = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        Self { from: number(from), to: number(to) }
    }

    /// The number of words.
    pub fn len(self) -> usize {
        usize::from(self.to.saturating_sub(self.from))
    }

    /// Whether there is no word.
    pub fn is_empty(self) -> bool {
        self.to <= self.from
    }

    /// Whether all words of another span are in this one.
    pub fn contains(self, other: Self) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Whether a word is in this one.
    pub fn has(self, at: u16) -> bool {
        self.from <= at && at < self.to
    }

    /// Whether both have a word in common.
    pub fn overlaps(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }

    /// The shortest span that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), to: self.to.max(other.to) }
    }
}
