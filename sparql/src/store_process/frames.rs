//! Length-prefixed messages on a byte stream: a four-byte little-endian length, then that many bytes.

use std::io::{self, Read, Write};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// Maximum message length in bytes. Results are limited far below it; a greater length means that the stream is corrupt.
const MAX_BYTES: u32 = 1 << 30;

/// Writes a message.
pub(super) fn write(stream: &mut impl Write, message: &[u8]) -> io::Result<()> {
    stream.write_all(&length(message)?)?;
    stream.write_all(message)?;
    stream.flush()
}

/// Reads a message; end of file is an error.
pub(super) fn read(stream: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = [0; 4];
    stream.read_exact(&mut head)?;
    let mut message = vec![0; size(head)?];
    stream.read_exact(&mut message)?;
    Ok(message)
}

/// Like [`write()`], but async.
pub(super) async fn send(stream: &mut UnixStream, message: &[u8]) -> io::Result<()> {
    stream.write_all(&length(message)?).await?;
    stream.write_all(message).await
}

/// Like [`read`], but async.
pub(super) async fn receive(stream: &mut UnixStream) -> io::Result<Vec<u8>> {
    let mut head = [0; 4];
    stream.read_exact(&mut head).await?;
    let mut message = vec![0; size(head)?];
    stream.read_exact(&mut message).await?;
    Ok(message)
}

fn length(message: &[u8]) -> io::Result<[u8; 4]> {
    let length = u32::try_from(message.len()).ok().filter(|length| *length <= MAX_BYTES);
    length.map(u32::to_le_bytes).ok_or_else(too_long)
}

fn size(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_le_bytes(head);
    if length > MAX_BYTES { Err(too_long()) } else { Ok(length as usize) }
}

fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a message between processes is longer than 1 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_through_one_by_one() {
        let mut bytes = Vec::new();
        write(&mut bytes, b"first").unwrap();
        write(&mut bytes, b"").unwrap();
        let mut stream = bytes.as_slice();
        assert_eq!(read(&mut stream).unwrap(), b"first");
        assert_eq!(read(&mut stream).unwrap(), b"");
        assert_eq!(read(&mut stream).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_cut_message_and_an_absurd_length_are_errors() {
        assert!(read(&mut [5, 0, 0, 0, b'x'].as_slice()).is_err());
        assert_eq!(read(&mut [0xFF; 8].as_slice()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
