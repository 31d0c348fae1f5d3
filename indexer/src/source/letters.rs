//! Finds bytes that are not valid UTF-8.

use std::borrow::Cow;

/// Replaces each invalid byte. This byte does not occur in UTF-8.
pub(super) const NO_LETTER: u8 = 0xff;

/// A text that arrives in pieces.
#[derive(Debug, Default)]
pub(super) struct Letters {
    /// An incomplete character at the end of the last piece.
    begun: Vec<u8>,
}

impl Letters {
    /// The next piece, with invalid bytes replaced by [`NO_LETTER`]. `is_last` if nothing follows.
    pub(super) fn next<'a>(&mut self, piece: &'a [u8], is_last: bool) -> Cow<'a, [u8]> {
        if self.begun.is_empty() && std::str::from_utf8(piece).is_ok() {
            return Cow::Borrowed(piece);
        }
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(piece);
        let mut rest = bytes.as_slice();
        let mut letters = Vec::with_capacity(bytes.len());
        while let Err(error) = std::str::from_utf8(rest) {
            let (good, bad) = rest.split_at(error.valid_up_to());
            letters.extend_from_slice(good);
            match error.error_len() {
                None if !is_last => {
                    self.begun = bad.to_vec();
                    return Cow::Owned(letters);
                }
                length => {
                    letters.push(NO_LETTER);
                    rest = bad.get(length.unwrap_or(bad.len())..).unwrap_or_default();
                }
            }
        }
        letters.extend_from_slice(rest);
        Cow::Owned(letters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The whole text, processed in pieces of this size.
    fn through(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut letters = Letters::default();
        let mut all: Vec<u8> =
            bytes.chunks(piece).flat_map(|piece| letters.next(piece, false).into_owned()).collect();
        all.extend_from_slice(&letters.next(&[], true));
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
            let told: Vec<u8> = whole.iter().map(|byte| if *byte == NO_LETTER { b'?' } else { *byte }).collect();
            prop_assert_eq!(lossy.as_bytes(), told.as_slice());
        }
    }
}
