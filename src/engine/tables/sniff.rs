//! What files say of themselves: how their text is to be read, which columns need a declared type, which names would need
//! quotes in SQL, and which column is a key. A guess, of which everything is said with its reason: it is written down where
//! its author sees it, and nothing is guessed when a table is read.

mod column;
mod csv;
mod dates;
mod folders;
mod json;
mod key;
mod names;
mod workbook;

pub(in crate::engine) use key::key_of_rows;
pub use names::usable_names;

use super::endings::{self, Ending};
use super::files::Found;
use super::sample::{Sample, WHOLE};
use super::{Roots, TableError, failure, files, partitions, place, schema};
use crate::project::{FileFormat, FilesSource};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use object_store::ObjectStoreExt;
use serde_json::Value;

/// What was found out of the files of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Guess {
    /// Keys of the table, in the order they are written.
    pub settings: Vec<Setting>,
    /// Columns whose type is to be declared, by their names in the data.
    pub columns: Vec<ColumnGuess>,
    /// The column that tells rows apart, by its name in the data, and why.
    pub key: Option<(String, String)>,
    /// Names of the data that have to be told apart first: of columns without a name, and of the second of one name.
    pub header: Option<Vec<String>>,
    /// What is to be said beside.
    pub remarks: Vec<String>,
}

/// A key of a table with its value and the reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The key.
    pub key: &'static str,
    /// The value.
    pub value: Value,
    /// Why.
    pub why: String,
}

/// A column whose type is to be declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnGuess {
    /// Its name in the data.
    pub name: String,
    /// The type; `None` where there is something to say alone.
    pub ty: Option<String>,
    /// Why.
    pub why: String,
}

impl Guess {
    fn set(&mut self, key: &'static str, value: impl Into<Value>, why: impl Into<String>) {
        self.settings.push(Setting { key, value: value.into(), why: why.into() });
    }
}

/// How much of a table was looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// All of it.
    Whole,
    /// The beginning of a file, or one of several.
    Part,
}

/// Looks at the first file of a table.
///
/// Errors: the files cannot be found or read.
pub async fn guess(roots: &Roots, source: &FilesSource) -> Result<Guess, TableError> {
    let mut found = files::find(place(roots, source)?, source, files::address("sniffed")?).await?;
    let settled = schema::settle_json(&mut found, source).await;
    settled.map(|_| ()).or_else(|error| if found.size() > 0 { Ok(()) } else { Err(error) })?;
    let Ending { format, compression } = found.ending;
    if format == FileFormat::Excel {
        return of_workbook(&found).await;
    }
    let of_folders = partitions::columns_of_folders(&found);
    let Some(file) = found.files.first().filter(|_| endings::is_text(format)) else {
        let mut guess = Guess::default();
        folders::look(of_folders, &mut guess);
        return Ok(guess);
    };
    let sample = Sample::take(&found.store, file, compression, WHOLE).await;
    let sample = sample.map_err(|error| failure::engine(&found.shown, &error, &[]))?;
    let seen = if sample.whole && found.files.len() == 1 { Seen::Whole } else { Seen::Part };
    let shown = found.shown.clone();
    let look = move || {
        let mut guess = of_text(&sample, format, seen);
        folders::look(of_folders, &mut guess);
        guess
    };
    let guessed = tokio::task::spawn_blocking(look).await;
    guessed.map_err(|_| failure::unreadable(&shown, "it cannot be looked at"))
}

async fn of_workbook(found: &Found) -> Result<Guess, TableError> {
    let Some(file) = found.files.first() else { return Ok(Guess::default()) };
    let read = async { found.store.get(&file.location).await?.bytes().await };
    let bytes = read.await.map_err(|error| failure::store(&found.shown, &error))?;
    let seen = if found.files.len() == 1 { Seen::Whole } else { Seen::Part };
    let guessed = tokio::task::spawn_blocking(move || workbook::look(&bytes, seen)).await;
    let guessed = guessed.unwrap_or_else(|_| Err("it cannot be looked at".into()));
    guessed.map_err(|why| failure::unreadable(&found.shown, &why.to_string()))
}

/// What a text says of itself.
fn of_text(sample: &Sample, format: FileFormat, seen: Seen) -> Guess {
    let mut guess = Guess::default();
    let (encoding, why) = encoding_of(&sample.text);
    let is_json = matches!(format, FileFormat::Json | FileFormat::Ndjson);
    let has_mark = sample.text.starts_with(&[0xEF, 0xBB, 0xBF]);
    if encoding != UTF_8 {
        guess.set("encoding", encoding.name().to_lowercase(), why);
    } else if is_json && has_mark {
        guess.set("encoding", "utf-8", "a byte order mark stands at its beginning");
    }
    let (text, _, _) = encoding.decode(&sample.text);
    // A line that was cut off says nothing.
    let text = match text.rfind('\n') {
        Some(end) if !sample.whole => text.get(..end).unwrap_or_default(),
        _ => &text,
    };
    if is_json {
        json::look(text, format, seen, &mut guess);
    } else {
        csv::look(text, format, seen, &mut guess);
    }
    guess
}

fn encoding_of(bytes: &[u8]) -> (&'static Encoding, &'static str) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, "a byte order mark says so");
    }
    let head = bytes.get(..4096).unwrap_or(bytes);
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count() * 4 > head.len();
    match (zeros(0), zeros(1)) {
        (false, true) => return (UTF_16LE, "every second byte is zero"),
        (true, false) => return (UTF_16BE, "every second byte is zero"),
        _ => {}
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => (UTF_8, ""),
        // Cut off inside of a sign.
        Err(error) if error.error_len().is_none() => (UTF_8, ""),
        Err(_) => (WINDOWS_1252, "it is no UTF-8; a guess: look at a text with letters that are not English"),
    }
}

#[cfg(test)]
mod tests;
