//! What files say of themselves: how their text is to be read, which columns need a declared type, which names would need
//! quotes in SQL, and which column is a key. A guess, of which everything is said with its reason: it is written down where
//! its author sees it, and nothing is guessed when a table is read.

mod column;
mod csv;
mod dates;
mod encoding;
mod folders;
mod json;
mod key;
mod names;
mod numbers;
mod undressed;
mod workbook;

pub(in crate::engine) use key::key_of_rows;
pub use names::usable_names;

use super::endings;
use super::files::Found;
use super::nature::{self, Instead};
use super::rewrite::encoding_of_source;
use super::sample::{Sample, WHOLE};
use super::{Roots, TableError, failure, files, partitions, place, schema};
use crate::project::{FileFormat, FilesSource};
use encoding::{Untold, encoding_of};
use encoding_rs::{Encoding, UTF_8};
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

/// Looks at the files of a table, as far as their schema is read of them.
///
/// Errors: the files cannot be found or read, or are none that can be.
pub async fn guess(roots: &Roots, source: &FilesSource) -> Result<Guess, TableError> {
    let mut found = files::find(place(roots, source)?, source, files::address("sniffed")?).await?;
    let mut guess = Guess::default();
    settle_kind(&mut found, &mut guess).await?;
    let settled = schema::settle_json(&mut found, source).await;
    settled.map(|_| ()).or_else(|error| if found.size() > 0 { Ok(()) } else { Err(error) })?;
    let format = found.ending.format;
    if format == FileFormat::Excel {
        let of_workbook = of_workbook(&found).await?;
        guess.settings.extend(of_workbook.settings);
        return Ok(Guess { settings: guess.settings, ..of_workbook });
    }
    let of_folders = partitions::columns_of_folders(&found);
    if found.files.is_empty() || !endings::is_text(format) {
        folders::look(of_folders, &mut guess);
        return Ok(guess);
    }
    let known = source.encoding.as_ref().map(|_| encoding_of_source(source)).transpose()?;
    let samples = samples(&found).await?;
    let is_all = samples.len() == found.files.len() && samples.iter().all(|sample| sample.whole);
    let seen = if is_all { Seen::Whole } else { Seen::Part };
    let shown = found.shown.clone();
    let look = move || {
        of_text((&samples, format), seen, known, &mut guess)?;
        folders::look(of_folders, &mut guess);
        Ok(guess)
    };
    let guessed: Result<Result<Guess, Untold>, _> = tokio::task::spawn_blocking(look).await;
    let guessed = guessed.map_err(|_| failure::unreadable(&shown, "it cannot be looked at"))?;
    guessed.map_err(|why| TableError::option("encoding", format!("`{shown}` cannot be read: {why}")))
}

/// Takes the files for what their bytes are, where their names say otherwise.
async fn settle_kind(found: &mut Found, guess: &mut Guess) -> Result<(), TableError> {
    let Some(file) = found.files.first() else { return Ok(()) };
    let Some(head) = found.head(file).await else { return Ok(()) };
    let shown = if found.single { found.shown.as_str() } else { file.location.as_ref() };
    let instead = nature::instead(&head, found.ending).map_err(|why| failure::unreadable(shown, &why.to_string()))?;
    let Some(Instead { ending, key, value, why }) = instead else { return Ok(()) };
    if key == "format" && !found.single {
        // The files of a folder are those whose names have the ending.
        let why = format!("{why}: give the files the ending of what they are");
        return Err(failure::unreadable(shown, &why));
    }
    guess.set(key, value, why);
    found.ending = ending;
    Ok(())
}

/// The texts of the files, as many as their schema is read of; of JSON, that of the first.
async fn samples(found: &Found) -> Result<Vec<Sample>, TableError> {
    let most = if matches!(found.ending.format, FileFormat::Csv | FileFormat::Tsv) { found.files.len() } else { 1 };
    let (mut samples, mut read) = (Vec::new(), 0);
    for file in found.files.iter().take(most) {
        if read >= schema::SAMPLES {
            break;
        }
        let shown = if found.single { found.shown.as_str() } else { file.location.as_ref() };
        let sample = Sample::take(&found.store, file, found.ending, WHOLE).await;
        samples.push(sample.map_err(|error| failure::engine(shown, &error, &[]))?);
        read += file.size.min(WHOLE);
    }
    Ok(samples)
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

/// What texts say of themselves. `known` is their encoding, where somebody has said it.
///
/// Errors: nobody has, and it cannot be told.
fn of_text(
    (samples, format): (&[Sample], FileFormat),
    seen: Seen,
    known: Option<&'static Encoding>,
    guess: &mut Guess,
) -> Result<(), Untold> {
    let bytes: Vec<&[u8]> = samples.iter().map(|sample| sample.text.as_slice()).collect();
    let (encoding, why) = match known {
        Some(known) => (known, "asked for"),
        None => encoding_of(&bytes)?,
    };
    let is_json = matches!(format, FileFormat::Json | FileFormat::Ndjson);
    let has_mark = bytes.first().is_some_and(|bytes| bytes.starts_with(&[0xEF, 0xBB, 0xBF]));
    if encoding != UTF_8 {
        guess.set("encoding", encoding.name().to_lowercase(), why);
    } else if is_json && has_mark {
        guess.set("encoding", "utf-8", "a byte order mark stands at its beginning");
    }
    let text = |sample: &Sample| {
        let mut text = encoding.decode(&sample.text).0.into_owned();
        // A line that was cut off says nothing.
        if let Some(end) = text.rfind('\n').filter(|_| !sample.whole) {
            text.truncate(end);
        }
        text
    };
    let texts: Vec<String> = samples.iter().map(text).collect();
    if is_json {
        texts.first().into_iter().for_each(|text| json::look(text, format, seen, guess));
    } else {
        csv::look(&texts, format, seen, guess);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
