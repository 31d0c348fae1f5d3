//! The words of the names in an index, wherever they are kept: what a search asks about them.

/// The words of all names, with the number of documents that have each.
pub(super) trait Words {
    /// Number of documents with exactly this word in a name.
    fn documents(&self, word: &str) -> u64;

    /// Passes on the words some edits away from a word, with the same first `fixed` characters; some of them more than once.
    fn near(&self, word: &str, edits: u8, fixed: usize, take: &mut dyn FnMut(&str));

    /// Passes on words that start with `start`, at most `limit`, with their document counts.
    fn beginning(&self, start: &str, limit: usize, take: &mut dyn FnMut(&str, u64));
}
