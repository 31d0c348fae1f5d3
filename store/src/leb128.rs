//! Numbers in as few bytes as possible: unsigned LEB128, seven bits per byte, the lowest first.
//!
//! The index build uses this encoding, too.

/// Appends a number to the bytes.
pub fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads the number at the beginning of the bytes and advances past it.
pub fn take_number(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_any_size_come_back(number in any::<u64>()) {
            for number in [number, number >> 32, 0, 127, 128, u64::MAX] {
                let mut bytes = Vec::new();
                push_number(&mut bytes, number);
                let mut rest = bytes.as_slice();
                prop_assert_eq!(take_number(&mut rest), Some(number));
                prop_assert!(rest.is_empty());
                prop_assert_eq!(take_number(&mut &bytes[..bytes.len() - 1]), None);
            }
        }
    }
}
