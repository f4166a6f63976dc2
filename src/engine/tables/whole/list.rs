//! Whether a file is one list of JSON: the reader stops at the end of the first.

use super::super::options::compression_type;
use super::content::{CUT_OFF, Content};
use crate::project::Compression;
use std::io::{BufRead, BufReader};

/// Checks a file from its first bracket to its last.
///
/// Errors: what is wrong with it.
pub(super) fn check(content: Content, compression: Compression) -> Result<(), String> {
    let failed = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => CUT_OFF.to_owned(),
        _ => error.to_string(),
    };
    let read = compression_type(compression).convert_read(content.into_read());
    let mut read = BufReader::new(read.map_err(|error| error.strip_backtrace())?);
    let mut list = List::default();
    loop {
        let part = read.fill_buf().map_err(failed)?;
        if part.is_empty() {
            return list.end();
        }
        list.go_on(part)?;
        let length = part.len();
        read.consume(length);
    }
}

/// How far a list is read.
#[derive(Debug, Default)]
pub(super) struct List {
    /// How many brackets are open.
    depth: u64,
    /// Whether it has begun.
    begun: bool,
    /// Whether a text is open, and its next character means itself.
    in_text: bool,
    escaped: bool,
}

impl List {
    /// Reads the next bytes.
    ///
    /// Errors: more behind the end.
    pub(super) fn go_on(&mut self, part: &[u8]) -> Result<(), String> {
        for byte in part {
            if self.in_text {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_text = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b'[' if !self.begun => (self.begun, self.depth) = (true, 1),
                _ if !self.begun => return Err("it does not hold one list".to_owned()),
                _ if self.depth == 0 => return Err("more follows its list: a file holds one".to_owned()),
                b'[' | b'{' => self.depth += 1,
                b']' | b'}' => self.depth -= 1,
                b'"' => self.in_text = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the end of the file.
    ///
    /// Errors: the list is not at its own.
    pub(super) fn end(&self) -> Result<(), String> {
        match (self.begun, self.depth) {
            (false, _) => Err("the file is empty".to_owned()),
            (true, 0) => Ok(()),
            (true, _) => Err(CUT_OFF.to_owned()),
        }
    }
}
