//! Whether a file is one list of JSON: the reader stops at the end of the first.

use super::content::CUT_OFF;
use super::flaw::{Flaw, MARK, MARKED};

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
    pub(super) fn go_on(&mut self, part: &[u8]) -> Result<(), Flaw> {
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
                &MARK if !self.begun => return Err(MARKED.into()),
                _ if !self.begun => return Err("it does not hold one list".into()),
                _ if self.depth == 0 => return Err("more follows its list: a file holds one".into()),
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
    pub(super) fn end(&self) -> Result<(), Flaw> {
        match (self.begun, self.depth) {
            (false, _) => Err("the file is empty".into()),
            (true, 0) => Ok(()),
            (true, _) => Err(CUT_OFF.into()),
        }
    }
}
