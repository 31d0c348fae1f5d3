//! What every pack has to hold, and words of single ones.

use super::*;

#[test]
fn every_line_of_every_pack_can_be_read() {
    for language in languages() {
        assert!(language.faults().is_empty(), "{}: {:#?}", language.tag(), language.faults());
    }
}
