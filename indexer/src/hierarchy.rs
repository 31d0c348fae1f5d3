//! The superclasses of a class. Hierarchies are untrusted: they may be cyclic, thousands of classes deep, or
//! give one class thousands of superclasses, so only the nearest ones are used. Uses nothing else of this package.

use rustc_hash::FxHashSet;
use std::hash::Hash;

/// A class and its superclasses, nearest first, without duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Above<T> {
    /// The class itself and at most the requested number of superclasses.
    pub(crate) classes: Vec<T>,
    /// Whether there are more.
    pub(crate) cut: bool,
}

/// A class and its `most` nearest superclasses.
pub(crate) fn and_above<'a, T: Copy + Eq + Hash + 'a>(
    class: T,
    most: usize,
    superclasses: impl Fn(T) -> &'a [T],
) -> Above<T> {
    let mut classes = vec![class];
    let mut seen: FxHashSet<T> = FxHashSet::from_iter([class]);
    let mut next = 0;
    while let Some(current) = classes.get(next).copied() {
        next += 1;
        for above in superclasses(current) {
            if !seen.insert(*above) {
                continue;
            }
            if classes.len() > most {
                return Above { classes, cut: true };
            }
            classes.push(*above);
        }
    }
    Above { classes, cut: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn above(superclasses: &[Vec<usize>], class: usize, most: usize) -> Above<usize> {
        and_above(class, most, |class| superclasses.get(class).map_or(&[], Vec::as_slice))
    }

    #[test]
    fn the_nearest_come_first_and_cycles_end() {
        let diamond = [vec![1, 2], vec![3], vec![3], vec![0]];
        assert_eq!(above(&diamond, 0, 10), Above { classes: vec![0, 1, 2, 3], cut: false });
        assert_eq!(above(&diamond, 0, 3), Above { classes: vec![0, 1, 2, 3], cut: false });
        assert_eq!(above(&diamond, 0, 2), Above { classes: vec![0, 1, 2], cut: true });
    }

    #[test]
    fn deep_and_wide_hierarchies_are_cut() {
        let deep: Vec<Vec<usize>> = (0..100_000).map(|class| vec![class + 1]).collect();
        let wide = [(1..100_000).collect::<Vec<usize>>()];
        for hierarchy in [&deep[..], &wide[..]] {
            let found = above(hierarchy, 0, 1_000);
            assert_eq!((found.classes.len(), found.cut), (1_001, true));
        }
    }
}
