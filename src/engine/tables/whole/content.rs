//! The bytes of a file, read from the first to the last.

use super::flaw::Flaw;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use tokio_util::bytes::Bytes;

/// What the author of a file is told whose last part is missing.
pub(in crate::engine::tables) const CUT_OFF: &str = "the file is cut off: it lacks its end";

/// What a file can be read from.
trait Source: Read + Seek + Send {}
impl<T: Read + Seek + Send> Source for T {}

/// A file, and how far it is read.
pub(super) struct Content {
    source: BufReader<Box<dyn Source>>,
    at: u64,
    length: u64,
}

impl Content {
    /// The content of a file on this machine.
    pub(super) fn of_file(file: File, length: u64) -> Content {
        Content { source: BufReader::new(Box::new(file)), at: 0, length }
    }

    /// Content that was brought here.
    pub(super) fn of_bytes(bytes: Bytes) -> Content {
        let length = bytes.len() as u64;
        Content { source: BufReader::new(Box::new(Cursor::new(bytes))), at: 0, length }
    }

    /// How many bytes were read.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    /// How many bytes there are.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> u64 {
        self.length.saturating_sub(self.at)
    }

    /// The next bytes, which stay to be read: as many as are here.
    pub(super) fn peek(&mut self) -> Result<&[u8], Flaw> {
        self.source.fill_buf().map_err(|error| error.kind().to_string().into())
    }

    /// All that is left, for those who read it as it comes.
    pub(super) fn into_read(self) -> impl Read + Send + 'static {
        self.source
    }

    /// Goes on at another byte.
    ///
    /// Errors: it lies behind the end.
    pub(super) fn go_to(&mut self, at: u64) -> Result<(), Flaw> {
        if at > self.length {
            return Err(CUT_OFF.into());
        }
        // Without giving up what was read ahead, where it lies there.
        let moved = match i64::try_from(i128::from(at) - i128::from(self.at)) {
            Ok(by) => self.source.seek_relative(by),
            Err(_) => self.source.seek(SeekFrom::Start(at)).map(|_| ()),
        };
        moved.map_err(|error| error.kind().to_string())?;
        self.at = at;
        Ok(())
    }

    /// Appends the next bytes to `taken`.
    ///
    /// Errors: there are fewer.
    pub(super) fn take(&mut self, count: u64, taken: &mut Vec<u8>) -> Result<(), Flaw> {
        if count > self.left() {
            return Err(CUT_OFF.into());
        }
        let read = self.source.by_ref().take(count).read_to_end(taken).map_err(|error| error.kind().to_string())?;
        self.at += read as u64;
        // It may become shorter while it is read.
        if read as u64 == count { Ok(()) } else { Err(CUT_OFF.into()) }
    }

    /// The next `N` bytes.
    ///
    /// Errors: there are fewer.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let mut bytes = [0; N];
        if N as u64 > self.left() {
            return Err(CUT_OFF.into());
        }
        self.source.read_exact(&mut bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => CUT_OFF.to_owned(),
            kind => kind.to_string(),
        })?;
        self.at += N as u64;
        Ok(bytes)
    }
}
