//! Kinds of literals: datatype, language, and whether the text was cut. There are few kinds; the kind of each literal
//! stays in memory, since it is needed far more often than the text, which is in a file.

use super::graph::NodeId;
use hashbrown::HashTable;
use std::hash::{BuildHasher, RandomState};

/// The properties that literals of one kind share.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LiteralType {
    /// The datatype's IRI.
    pub datatype: NodeId,
    /// The language tag, lower case; empty when there is none.
    pub language: String,
    /// Whether the lexical form was cut.
    pub cut: bool,
}

/// Number of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u32);

/// Numbers kinds.
#[derive(Debug, Default)]
pub(super) struct KindWriter {
    known: Vec<LiteralType>,
    ids: HashTable<KindId>,
    hasher: RandomState,
}

impl KindWriter {
    /// The number of a kind; a new one if the kind is new.
    pub(super) fn intern(&mut self, datatype: NodeId, language: &str, cut: bool) -> KindId {
        let (known, hasher) = (&self.known, &self.hasher);
        let kind = |id: &KindId| known.get(id.0 as usize);
        let same = |id: &KindId| {
            kind(id)
                .is_some_and(|kind| kind.datatype == datatype && kind.language == language && kind.cut == cut)
        };
        let hash = hasher.hash_one((datatype, language, cut));
        if let Some(id) = self.ids.find(hash, same) {
            return *id;
        }
        // Cannot overflow: there are fewer kinds than literals, whose number is checked.
        let id = KindId(known.len() as u32);
        let hash_of =
            |id: &KindId| kind(id).map_or(0, |k| hasher.hash_one((k.datatype, &*k.language, k.cut)));
        self.ids.insert_unique(hash, id, hash_of);
        self.known.push(LiteralType { datatype, language: language.to_owned(), cut });
        id
    }

    /// The kinds in number order.
    pub(super) fn finish(self) -> Vec<LiteralType> {
        self.known
    }
}

/// The kind of each literal by number, in as few bytes as the largest kind number needs.
#[derive(Debug)]
pub(super) enum KindsOf {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
    Widest(Vec<u32>),
}

impl Default for KindsOf {
    fn default() -> Self {
        Self::Narrow(Vec::new())
    }
}

impl KindsOf {
    pub(super) fn push(&mut self, KindId(kind): KindId) {
        match (&mut *self, u8::try_from(kind), u16::try_from(kind)) {
            (Self::Narrow(kinds), Ok(kind), _) => kinds.push(kind),
            (Self::Wide(kinds), _, Ok(kind)) => kinds.push(kind),
            (Self::Widest(kinds), ..) => kinds.push(kind),
            (Self::Narrow(kinds), Err(_), _) => {
                *self = Self::Wide(kinds.iter().copied().map(u16::from).collect());
                self.push(KindId(kind));
            }
            (Self::Wide(kinds), _, Err(_)) => {
                *self = Self::Widest(kinds.iter().copied().map(u32::from).collect());
                self.push(KindId(kind));
            }
        }
    }

    pub(super) fn get(&self, literal: u32) -> Option<KindId> {
        let at = literal as usize;
        let kind = match self {
            Self::Narrow(kinds) => kinds.get(at).copied().map(u32::from),
            Self::Wide(kinds) => kinds.get(at).copied().map(u32::from),
            Self::Widest(kinds) => kinds.get(at).copied(),
        };
        kind.map(KindId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_found_again_however_many_there_are() {
        let mut kinds = KindWriter::default();
        for round in 0..2 {
            for number in 0..200 {
                let id = kinds.intern(NodeId(0), &format!("x{number}"), false);
                assert_eq!(id, KindId(number), "round {round}");
            }
        }
        assert_eq!(kinds.finish().len(), 200);
    }

    #[test]
    fn kinds_of_literals_come_back_however_high_their_numbers() {
        let kinds = [0, 255, 7, 256, 65_535, 65_536, 1, u32::MAX];
        for count in 0..=kinds.len() {
            let (pushed, mut of) = (&kinds[..count], KindsOf::default());
            pushed.iter().for_each(|kind| of.push(KindId(*kind)));
            let back: Vec<u32> = (0..).map_while(|at| of.get(at)).map(|KindId(kind)| kind).collect();
            assert_eq!(back, pushed);
        }
    }
}
