//! The records of a JSON text: one object after the other, or one list of them.

use super::json_kinds::{Kinds, Row};
use super::options::{Reading, SpansLines};
use super::sample::Sample;
use super::whole::MARKED;
use super::whole::json::{no_object, repeated};
use crate::ty::Told;
use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use arrow::json::reader::infer_json_schema_from_iterator;
use serde::de::IgnoredAny;
use serde_json::Value;

/// What some editors put before a text in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

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

    /// Where a row is, for its author.
    fn place(self, sample: &Sample, row: Row) -> String {
        match self {
            Layout::List => format!("row {}", row.number),
            Layout::Lines => {
                let before = sample.text.get(..row.at).unwrap_or_default();
                format!("line {}", before.iter().filter(|byte| **byte == b'\n').count() + 1)
            }
        }
    }
}

/// Whether any of the objects that a text begins with goes over several lines; one that is cut off counts as far as it is
/// there.
pub(super) fn spans_lines(text: &[u8]) -> SpansLines {
    let mut at = 0;
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    loop {
        let next = values.next();
        let end = if matches!(next, Some(Ok(_))) { values.byte_offset() } else { text.len() };
        let value = text.get(at..end).unwrap_or_default().trim_ascii();
        // Behind what cannot be read stand other lines.
        let is_told = matches!(next, Some(Ok(_))) || matches!(&next, Some(Err(error)) if error.is_eof());
        if is_told && value.contains(&b'\n') {
            return SpansLines::Yes;
        }
        if !matches!(next, Some(Ok(_))) {
            return SpansLines::No;
        }
        at = end;
    }
}

/// The schema of all records of files with those names. A column is where it first appears.
///
/// Errors: what is no record; a name that stands twice in one; a column whose values are of different kinds, unless one of
/// a type that is declared may be read of them.
pub(super) fn schema(
    samples: &[Sample],
    names: &[String],
    layout: Layout,
    reading: &Reading,
) -> Result<Schema, ArrowError> {
    let mut kinds = Kinds::new(&reading.declared);
    let files = samples.iter().enumerate();
    let records = files.flat_map(|(file, sample)| Records::new(sample, layout).map(move |record| (file, record)));
    infer_json_schema_from_iterator(records.map(|(file, record)| {
        let (value, row) = record?;
        kinds.add(&value, Row { file, ..row }).map_err(|mixed| {
            let place = |row: Row| {
                let place = samples.get(row.file).map_or_else(String::new, |sample| layout.place(sample, row));
                let of = names.get(row.file).filter(|_| mixed.at.file != mixed.first.file);
                of.map_or(place.clone(), |name| format!("{place} of `{name}`"))
            };
            ArrowError::JsonError(mixed.told(&place(mixed.at), &place(mixed.first)))
        })?;
        Ok(without_null_items(value))
    }))
}

/// The value without the nulls among the items of lists, which Arrow takes for a sign that all items are single values.
/// They say nothing of the items' type.
fn without_null_items(mut value: Value) -> Value {
    match &mut value {
        Value::Array(items) => {
            items.retain(|item| !item.is_null());
            items.iter_mut().for_each(|item| *item = without_null_items(item.take()));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| *field = without_null_items(field.take())),
        _ => {}
    }
    value
}

/// Reads one record after the other.
struct Records<'a> {
    sample: &'a Sample,
    at: usize,
    layout: Layout,
    /// How many records were read.
    count: usize,
    done: bool,
}

impl<'a> Records<'a> {
    fn new(sample: &'a Sample, layout: Layout) -> Records<'a> {
        Records { sample, at: 0, layout, count: 0, done: false }
    }

    fn rest(&self) -> &'a [u8] {
        self.sample.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        self.at = self.sample.text.len() - self.rest().trim_ascii_start().len();
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
                (_, None) if self.sample.whole => {
                    return Err(ArrowError::JsonError("the list does not end".to_owned()));
                }
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
        let before = self.sample.text.get(..self.at).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + lines.max(1);
        ArrowError::JsonError(format!("line {line} is not valid JSON"))
    }

    fn read(&mut self) -> Result<Option<(Value, Row)>, ArrowError> {
        if self.at == 0 && self.rest().starts_with(MARK) {
            return Err(ArrowError::JsonError(MARKED.to_owned()));
        }
        if !self.skip_to_record()? {
            return Ok(None);
        }
        let mut values = serde_json::Deserializer::from_slice(self.rest()).into_iter::<Told>();
        match values.next() {
            Some(Ok(told)) => {
                let length = values.byte_offset();
                self.count += 1;
                let row = Row { file: 0, at: self.at, number: self.count };
                self.at += length;
                self.checked(told, row).map(Some)
            }
            Some(Err(error)) if error.is_eof() && !self.sample.whole && self.count == 0 => {
                let read = self.sample.text.len() >> 20;
                Err(ArrowError::JsonError(format!("its first record goes on behind the first {read} MiB")))
            }
            // The record at which the sample was cut off.
            Some(Err(error)) if error.is_eof() && !self.sample.whole => Ok(None),
            Some(Err(error)) => Err(self.malformed(error.line())),
            None => Ok(None),
        }
    }

    fn checked(&self, told: Told, row: Row) -> Result<(Value, Row), ArrowError> {
        let place = || self.layout.place(self.sample, row);
        match told {
            Told { repeated: Some(name), .. } => Err(ArrowError::JsonError(repeated(&name, &place()).to_string())),
            Told { value, .. } if value.is_object() => Ok((value, row)),
            Told { value, .. } => Err(ArrowError::JsonError(no_object(&place(), &value.to_string()).to_string())),
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<(Value, Row), ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let read = self.read().transpose();
        self.done = !matches!(read, Some(Ok(_)));
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_over_several_lines_are_told_from_lines() {
        for text in ["{\"a\":\n1}", "{\"a\":1}\n{\"a\":\n2}\n", "{\n\"a\": [1,\n2", " \n{\"a\":1,\n\"b\":"] {
            assert_eq!(spans_lines(text.as_bytes()), SpansLines::Yes, "{text}");
        }
        for text in ["{\"a\":1}\n{\"a\":2}\n", "\n{\"a\":1}\n\n{\"a\"", "{\"a\":\"\\n\"}", "{\"a\":1}\nx\n{\n}", ""] {
            assert_eq!(spans_lines(text.as_bytes()), SpansLines::No, "{text}");
        }
    }
}
