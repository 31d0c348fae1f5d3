//! A set of numbers as a bit vector.

/// One bit for each number.
#[derive(Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    pub(super) fn set(&mut self, number: u32) {
        let at = (number / u64::BITS) as usize;
        self.0.resize(self.0.len().max(at + 1), 0);
        if let Some(bits) = self.0.get_mut(at) {
            *bits |= 1 << (number % u64::BITS);
        }
    }

    pub(super) fn get(&self, number: u32) -> bool {
        self.0.get((number / u64::BITS) as usize).is_some_and(|bits| bits >> (number % u64::BITS) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_told_apart() {
        let mut bits = Bits::default();
        let set = [3, 63, 64, 200];
        set.into_iter().for_each(|number| bits.set(number));
        assert!((0..400).all(|number| bits.get(number) == set.contains(&number)));
    }
}
