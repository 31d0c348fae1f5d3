//! Lines of standard input, read on a thread that may block.

use std::io::{self, BufRead, Read};

/// Maximum length of a line in bytes; the rest is dropped. No question may be that long.
const MAX_LINE: u64 = 1 << 20;

/// The next line without its line break; `None` at the end.
pub(super) async fn next_line() -> io::Result<Option<String>> {
    tokio::task::spawn_blocking(|| read_line(&mut io::stdin().lock())).await.map_err(io::Error::other)?
}

/// Invalid UTF-8 is replaced: one bad line is no reason to refuse the following ones.
fn read_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if from.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        from.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_however_odd_they_are() {
        let mut text = b"one\r\n\n\xffwo\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', usize::try_from(MAX_LINE).unwrap() + 10));
        text.extend(b"\nlast");
        let mut from = text.as_slice();
        let lines: Vec<String> = std::iter::from_fn(|| read_line(&mut from).unwrap()).collect();
        let lengths: Vec<usize> = lines.iter().map(String::len).collect();
        assert_eq!(lines[..3], ["one", "", "\u{fffd}wo"]);
        assert_eq!(lengths[3..], [usize::try_from(MAX_LINE).unwrap(), 4]);
    }
}
