//! Whether a file of a table is whole, as far as that shows without reading all of it.
//!
//! An empty or cut file would otherwise be a table without rows: the engine leaves out files of no length, and takes the
//! end of an Arrow stream or of a list for that of the file. A damaged Avro file would keep it busy for ever. So those
//! are looked through before they are read, once for every state of a file ([`Seen`]): of Arrow the messages, of the
//! others all. A CSV file is read by position: one that has lost its header, or a column, is another table.
//!
//! Text files are looked through in the same way, for quotes that never end, for values that their reader would change
//! without a word ([`exact`]), and in JSON for names that stand twice and for values of another type than their column's.

mod avro;
mod content;
mod csv;
pub(super) mod exact;
mod flaw;
pub(super) mod forms;
mod ipc;
pub(super) mod json;
mod list;
mod names;
mod seen;
#[cfg(test)]
mod tests;
mod text;
mod times;

use super::cache::OpenStamp;
use super::endings::Ending;
use super::options::Reading;
use super::sample::{HEAD, Sample};
use crate::project::{Compression, FileFormat};
use arrow::datatypes::{Schema, SchemaRef};
pub(super) use content::CUT_OFF;
use content::Content;
use datafusion::common::DataFusionError;
pub(super) use flaw::{Flaw, MARKED};
use futures::{StreamExt, TryStreamExt};
use object_store::path::Path;
use object_store::{Error, GetRange, GetResultPayload, ObjectMeta, ObjectStore, ObjectStoreExt, Result};
use seen::{Look, Seen};
use std::fmt;
use std::sync::{Arc, OnceLock};
use text::Text;

/// A file that is not what it should be.
#[derive(Debug)]
pub(super) struct Damaged {
    /// The path of the file below the table's folder.
    pub(super) file: String,
    /// What is wrong with it.
    pub(super) why: Flaw,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.file, self.why)
    }
}

impl std::error::Error for Damaged {}

impl Damaged {
    /// The error of a store that gives out such a file.
    pub(super) fn error(location: &Path, why: impl Into<Flaw>) -> Error {
        let damaged = Damaged { file: location.to_string(), why: why.into() };
        Error::Generic { store: "table", source: Box::new(damaged) }
    }
}

/// What every file of a table must be.
#[derive(Debug)]
pub(super) struct Wholeness {
    reading: Reading,
    /// The columns that every text file has, once they are known, with the types that its values are to be of.
    columns: OnceLock<SchemaRef>,
    seen: Seen,
    /// The text files whose values are fine.
    read: Arc<Seen>,
}

impl Wholeness {
    /// What files that are read so must be.
    pub(super) fn of(reading: &Reading) -> Wholeness {
        Wholeness { reading: reading.clone(), columns: OnceLock::new(), seen: Seen::default(), read: Arc::default() }
    }

    /// Says which columns the files have, and of which types the texts in them are to be.
    pub(super) fn expect(&self, columns: Schema) {
        // Known already: the table is opened once.
        let _ = self.columns.set(Arc::new(columns));
    }

    /// Checks the length of a file.
    ///
    /// Errors: an empty one, where that cannot be a table without rows.
    pub(super) fn check_length(&self, file: &ObjectMeta) -> Result<()> {
        if file.size > 0 || self.may_be_empty() {
            return Ok(());
        }
        Err(Damaged::error(&file.location, "the file is empty"))
    }

    /// Whether a file without a byte is a table without rows: of lines, of which there are none.
    fn may_be_empty(&self) -> bool {
        match self.reading.format {
            FileFormat::Ndjson => self.reading.compression == Compression::None,
            FileFormat::Csv | FileFormat::Tsv => !self.reading.header && self.reading.compression == Compression::None,
            FileFormat::Json | FileFormat::Parquet | FileFormat::Arrow | FileFormat::Avro | FileFormat::Excel => false,
        }
    }

    /// Whether a part of a file is looked at before it is given out: its beginning, or of Arrow any.
    pub(super) fn looks_into(&self, part: Option<&GetRange>) -> bool {
        let begins = match part {
            None => true,
            Some(GetRange::Bounded(range)) => range.start == 0,
            Some(GetRange::Offset(start)) => *start == 0,
            Some(GetRange::Suffix(_)) => false,
        };
        match self.reading.format {
            FileFormat::Arrow | FileFormat::Excel => true,
            FileFormat::Avro | FileFormat::Json => begins,
            FileFormat::Csv | FileFormat::Tsv => begins && self.columns.get().is_some(),
            // Parts are read at the same time, and rows of any may be returned before the first is looked at.
            FileFormat::Ndjson => self.columns.get().is_some(),
            FileFormat::Parquet => false,
        }
    }

    /// Checks a file.
    ///
    /// Errors: an Arrow or Avro file or a list of JSON that is damaged, lacks its end, or goes on behind it; a CSV file
    /// with another header, or a quote that never ends; a text with a value that its reader would change, or JSON with one
    /// that is none of its column's type.
    pub(super) async fn check_content(&self, store: &Arc<dyn ObjectStore>, file: &ObjectMeta) -> Result<()> {
        match (self.reading.format, self.columns.get()) {
            (FileFormat::Arrow, Some(columns)) => {
                let names = columns.fields().iter().map(|field| field.name().clone()).collect();
                self.look_through(store, file, (&self.read, names)).await
            }
            (FileFormat::Arrow | FileFormat::Avro, _) | (FileFormat::Json, None) => {
                self.look_through(store, file, (&self.seen, Vec::new())).await
            }
            (FileFormat::Csv | FileFormat::Tsv, Some(columns)) => {
                if self.reading.header {
                    self.check_header(store, file, columns).await?;
                }
                self.check_values(store, file, columns).await
            }
            (FileFormat::Ndjson | FileFormat::Json, Some(columns)) => self.check_values(store, file, columns).await,
            _ => Ok(()),
        }
    }

    /// Looks through a text whose values were not fine before as it is now.
    async fn check_values(&self, store: &Arc<dyn ObjectStore>, file: &ObjectMeta, columns: &Schema) -> Result<()> {
        let elsewhere = Look::Elsewhere(file.clone());
        let Some(text) = Text::of(&self.reading, columns) else { return Ok(()) };
        let location = file.location.clone();
        if self.read.has(&location, &elsewhere) {
            return Ok(());
        }
        let turn = self.read.turn(&location).lock_owned().await;
        let got = store.get(&location).await?;
        let ending = self.reading.ending();
        let checked = match got.payload {
            GetResultPayload::File(open, _) => {
                let look = OpenStamp::of(&open);
                let content = Content::of_file(open, look.as_ref().map_or(got.meta.size, OpenStamp::length));
                let look = look.map(Look::Here);
                if look.as_ref().is_some_and(|look| self.read.has(&location, look)) {
                    return Ok(());
                }
                let (read, location) = (Arc::clone(&self.read), location.clone());
                // A call whose time is over leaves the look to the next one, which waits for it.
                let look_through = move || {
                    let _turn = turn;
                    text.read(content, ending)?;
                    look.into_iter().for_each(|look| read.add(location.clone(), look));
                    Ok(())
                };
                let looked = tokio::task::spawn_blocking(look_through).await;
                looked.unwrap_or_else(|_| Err("it cannot be looked through".into()))
            }
            GetResultPayload::Stream(_) if self.read.has(&location, &elsewhere) => Ok(()),
            GetResultPayload::Stream(parts) => {
                let parts = parts.map_err(|error| DataFusionError::ObjectStore(Box::new(error))).boxed();
                let checked = text.receive(parts, ending.compression).await;
                if checked.is_ok() {
                    self.read.add(location.clone(), elsewhere);
                }
                checked
            }
        };
        checked.map_err(|why| Damaged::error(&location, why))
    }

    /// Looks a file through that was not whole before as it is now. An Arrow file must begin with the named columns.
    async fn look_through(
        &self,
        store: &Arc<dyn ObjectStore>,
        file: &ObjectMeta,
        (seen, names): (&Seen, Vec<String>),
    ) -> Result<()> {
        let elsewhere = Look::Elsewhere(file.clone());
        if seen.has(&file.location, &elsewhere) {
            return Ok(());
        }
        let got = store.get(&file.location).await?;
        let (look, content) = match got.payload {
            GetResultPayload::File(open, _) => {
                let stamp = OpenStamp::of(&open);
                let length = stamp.as_ref().map_or(got.meta.size, OpenStamp::length);
                (stamp.map(Look::Here), Content::of_file(open, length))
            }
            // As the engine reads it, too.
            GetResultPayload::Stream(_) => (Some(elsewhere), Content::of_bytes(got.bytes().await?)),
        };
        if look.as_ref().is_some_and(|look| seen.has(&file.location, look)) {
            return Ok(());
        }
        let ending = self.reading.ending();
        let checked = tokio::task::spawn_blocking(move || check(content, ending, &names)).await;
        let damaged = |why: Flaw| Damaged::error(&file.location, why);
        checked.map_err(|_| damaged("it cannot be looked through".into()))?.map_err(damaged)?;
        if let Some(look) = look {
            seen.add(file.location.clone(), look);
        }
        Ok(())
    }

    async fn check_header(&self, store: &Arc<dyn ObjectStore>, file: &ObjectMeta, columns: &Schema) -> Result<()> {
        let damaged = |why: String| Damaged::error(&file.location, why);
        let head = Sample::take(store, file, self.reading.ending(), HEAD).await;
        let mut head = head.map_err(|error| damaged(error.strip_backtrace()))?;
        head.keep_whole_csv_lines();
        let found = self.reading.csv().infer_schema(head.text.as_slice(), Some(0));
        let (found, _) = found.map_err(|error| damaged(error.to_string()))?;
        let names = || found.fields().iter().map(|field| field.name());
        let expected = || columns.fields().iter().map(|field| field.name());
        if names().eq(expected()) {
            return Ok(());
        }
        let missing: Vec<String> =
            expected().filter(|name| !names().any(|one| one == *name)).map(|name| format!("`{name}`")).collect();
        Err(damaged(match missing.as_slice() {
            _ if names().next().is_none() => "the file has no header".to_owned(),
            [] => "its columns have another order, or there are more of them".to_owned(),
            missing => format!("its header lacks {}", missing.join(", ")),
        }))
    }
}

fn check(mut content: Content, ending: Ending, names: &[String]) -> std::result::Result<(), Flaw> {
    match ending.format {
        FileFormat::Arrow => ipc::check(&mut content, names),
        FileFormat::Avro => avro::check(&mut content),
        _ => Text::list().read(content, ending),
    }
}
