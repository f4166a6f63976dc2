//! The records of a JSON text: one object after the other, or one list of them.

use super::sample::Sample;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use arrow::json::reader::infer_json_schema_from_iterator;
use serde_json::Value;

/// How records follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// With white space between.
    Lines,
    /// In square brackets, with commas between.
    List,
}

impl Layout {
    /// How a text is laid out, by its first character.
    pub(super) fn of(text: &[u8]) -> Layout {
        if text.trim_ascii_start().starts_with(b"[") { Layout::List } else { Layout::Lines }
    }
}

/// The schema of all records. A column is where it first appears.
pub(super) fn schema(samples: &[Sample], layout: Layout) -> Result<Schema, ArrowError> {
    infer_json_schema_from_iterator(samples.iter().flat_map(|sample| Records::new(sample, layout)))
}

/// Reads one record after the other.
struct Records<'a> {
    text: &'a [u8],
    at: usize,
    layout: Layout,
    whole: bool,
    done: bool,
}

impl<'a> Records<'a> {
    fn new(sample: &'a Sample, layout: Layout) -> Records<'a> {
        Records { text: &sample.text, at: 0, layout, whole: sample.whole, done: false }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_ascii_start().len();
    }

    /// Skips what stands before a record; false where no further one can come.
    fn skip_to_record(&mut self) -> Result<bool, ArrowError> {
        let first = self.at == 0;
        self.skip_space();
        if self.layout == Layout::List {
            match (first, self.rest().first()) {
                (true, Some(b'[')) | (false, Some(b',')) => self.at += 1,
                (false, Some(b']')) => return Ok(false),
                (true, Some(_)) => return Err(ArrowError::JsonError("the file does not hold one list".to_owned())),
                (false, Some(_)) => return Err(self.malformed(0)),
                (_, None) if self.whole => return Err(ArrowError::JsonError("the list does not end".to_owned())),
                (_, None) => return Ok(false),
            }
            self.skip_space();
            if first && self.rest().starts_with(b"]") {
                return Ok(false);
            }
        }
        Ok(!self.rest().is_empty())
    }

    fn malformed(&self, lines: usize) -> ArrowError {
        let before = self.text.get(..self.at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + lines.max(1);
        ArrowError::JsonError(format!("line {line} is not valid JSON"))
    }

    fn read(&mut self) -> Result<Option<Value>, ArrowError> {
        if !self.skip_to_record()? {
            return Ok(None);
        }
        let mut values = serde_json::Deserializer::from_slice(self.rest()).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) => {
                self.at += values.byte_offset();
                Ok(Some(value))
            }
            // The record at which the sample was cut off.
            Some(Err(error)) if error.is_eof() && !self.whole => Ok(None),
            Some(Err(error)) => Err(self.malformed(error.line())),
            None => Ok(None),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Value, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.read().transpose();
        self.done = !matches!(read, Some(Ok(_)));
        read
    }
}
