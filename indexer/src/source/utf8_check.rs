//! Finds bytes that are not valid UTF-8.

use std::borrow::Cow;

/// Replaces each invalid byte. This byte does not occur in UTF-8.
pub(super) const INVALID_BYTE: u8 = 0xff;

/// A text that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Utf8Check {
    /// An incomplete character at the end of the last piece.
    begun: Vec<u8>,
}

impl Utf8Check {
    /// The next piece, with invalid bytes replaced by [`INVALID_BYTE`]. `is_last` if nothing follows.
    pub(super) fn next<'a>(&mut self, piece: &'a [u8], is_last: bool) -> Cow<'a, [u8]> {
        if self.begun.is_empty() && std::str::from_utf8(piece).is_ok() {
            return Cow::Borrowed(piece);
        }
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(piece);
        let mut rest = bytes.as_slice();
        let mut valid = Vec::with_capacity(bytes.len());
        while let Err(error) = std::str::from_utf8(rest) {
            let (good, bad) = rest.split_at(error.valid_up_to());
            valid.extend_from_slice(good);
            match error.error_len() {
                None if !is_last => {
                    self.begun = bad.to_vec();
                    return Cow::Owned(valid);
                }
                length => {
                    valid.push(INVALID_BYTE);
                    rest = bad.get(length.unwrap_or(bad.len())..).unwrap_or_default();
                }
            }
        }
        valid.extend_from_slice(rest);
        Cow::Owned(valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The whole text, processed in pieces of this size.
    fn through(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut check = Utf8Check::default();
        let mut all: Vec<u8> =
            bytes.chunks(piece).flat_map(|piece| check.next(piece, false).into_owned()).collect();
        all.extend_from_slice(&check.next(&[], true));
        all
    }

    #[test]
    fn what_is_no_letter_is_told_apart() {
        assert_eq!(through(b"J\xfcrgen \xe2\x82", 3), b"J\xffrgen \xff");
        assert_eq!(through("\u{fc}\u{20ac}\u{1f600}".as_bytes(), 1), "\u{fc}\u{20ac}\u{1f600}".as_bytes());
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(bytes in prop::collection::vec(any::<u8>(), 0..60), piece in 1_usize..9) {
            let whole = through(&bytes, 100);
            prop_assert_eq!(&through(&bytes, piece), &whole);
            let lossy = String::from_utf8_lossy(&bytes).replace('\u{fffd}', "?");
            let told: Vec<u8> = whole.iter().map(|byte| if *byte == INVALID_BYTE { b'?' } else { *byte }).collect();
            prop_assert_eq!(lossy.as_bytes(), told.as_slice());
        }
    }
}
