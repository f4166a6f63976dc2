//! Files of a line each: what lines they have, and how records are written in one.

use super::change::{Record, Records, key_of};
use super::history;
use indexmap::IndexMap;
use serde_json::Value;
use serde_json::value::RawValue;
use std::io::ErrorKind;
use std::path::Path;

/// The records of a file, each of them with a key. Of two lines with one key, the last one counts. None where there is no file.
///
/// Errors: the file cannot be read, or a line of it is none; that names the line.
pub fn read_records(path: &Path, key: &str) -> std::io::Result<Vec<Record>> {
    let text = text_of(path)?;
    let mut records = Records::new();
    for (at, line) in lines_of(&text) {
        let flaw = |why: &str| std::io::Error::new(ErrorKind::InvalidData, format!("line {at} {why}"));
        let record: Record = serde_json::from_str(line).map_err(|_| flaw("is no object of JSON"))?;
        let id = record.get(key).filter(|id| !id.is_null()).map(key_of);
        records.insert(id.ok_or_else(|| flaw(&format!("has no `{key}`, which tells records apart")))?, record);
    }
    Ok(records.into_values().collect())
}

/// The text of a file of a folder; the empty one where there is none.
///
/// Errors: it cannot be read, or is no plain file: a link may lead anywhere, and a pipe never ends.
pub(super) fn text_of(path: &Path) -> std::io::Result<String> {
    match check_plain(path) {
        Ok(()) => std::fs::read_to_string(path),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// Whether a path is that of a plain file.
///
/// Errors: it is none, or there is none.
pub(super) fn check_plain(path: &Path) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path)?.is_file() {
        true => Ok(()),
        false => {
            Err(std::io::Error::new(ErrorKind::InvalidInput, "it is a link, a folder or a pipe, and no plain file"))
        }
    }
}

/// The lines of a file that say something, each with its number from 1.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // What ends with a carriage return stays so.
    text.split('\n').enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

/// The lines of records.
pub fn lines_of_records(records: &[Record]) -> String {
    records.iter().map(|record| line_of(record) + "\n").collect()
}

/// A line with the fields that are others now. Those that stay are written as they stood: what a number is read as may be less exact.
pub(super) fn changed_line(line: &str, before: &Record, record: &Record) -> String {
    let Ok(written) = serde_json::from_str::<IndexMap<String, Box<RawValue>>>(line) else { return line_of(record) };
    let field = |(name, value): (&String, &Value)| {
        let kept = written.get(name).filter(|_| before.get(name) == Some(value));
        let text = kept.map_or_else(|| value.to_string(), |kept| kept.get().to_owned());
        format!("{}:{text}", Value::from(name.as_str()))
    };
    let fields: Vec<String> = record.iter().map(field).collect();
    history::in_one_line(format!("{{{}}}", fields.join(",")))
}

/// The line of a record.
pub(super) fn line_of(record: &Record) -> String {
    history::in_one_line(serde_json::to_string(record).unwrap_or_default())
}
