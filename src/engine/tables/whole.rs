//! Whether a file of a table is whole, as far as that shows without reading all of it.
//!
//! An empty or cut file would otherwise be a table without rows: the engine leaves out files of no length, and takes the
//! end of an Arrow stream for its end wherever that comes. A CSV file is read by position: one that has lost its header,
//! or a column, is another table.

use super::options::Reading;
use super::sample::{HEAD, Sample};
use crate::project::{Compression, FileFormat};
use object_store::path::Path;
use object_store::{Error, GetRange, ObjectMeta, ObjectStore, Result};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// What an Arrow file begins and ends with (<https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format>).
const ARROW_MAGIC: &[u8] = b"ARROW1";
/// What an Arrow stream ends with; before version 0.15, only the second half.
const END_OF_STREAM: [u8; 8] = [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// A file that is not what it should be.
#[derive(Debug)]
pub(super) struct Damaged {
    /// The path of the file below the table's folder.
    pub(super) file: String,
    /// What is wrong with it.
    pub(super) why: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {}", self.file, self.why)
    }
}

impl std::error::Error for Damaged {}

impl Damaged {
    /// The error of a store that gives out such a file.
    pub(super) fn error(location: &Path, why: impl Into<String>) -> Error {
        let damaged = Damaged { file: location.to_string(), why: why.into() };
        Error::Generic { store: "table", source: Box::new(damaged) }
    }
}

/// What every file of a table must be.
#[derive(Debug)]
pub(super) struct Wholeness {
    reading: Reading,
    /// The columns that every CSV file has, once they are known.
    columns: OnceLock<Vec<String>>,
}

impl Wholeness {
    /// What files that are read so must be.
    pub(super) fn of(reading: &Reading) -> Wholeness {
        Wholeness { reading: reading.clone(), columns: OnceLock::new() }
    }

    /// Says which columns the files have.
    pub(super) fn expect(&self, columns: impl Iterator<Item = String>) {
        // Known already: the table is opened once.
        let _ = self.columns.set(columns.collect());
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
            FileFormat::Json | FileFormat::Parquet | FileFormat::Arrow | FileFormat::Avro => false,
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
            FileFormat::Arrow => true,
            FileFormat::Avro | FileFormat::Json => begins,
            FileFormat::Csv | FileFormat::Tsv => begins && self.reading.header && self.columns.get().is_some(),
            FileFormat::Ndjson | FileFormat::Parquet => false,
        }
    }

    /// Checks what shows at the ends of a file.
    ///
    /// Errors: an Arrow or Avro file or a list of JSON without its end, a CSV file with another header.
    pub(super) async fn check_content(&self, store: &Arc<dyn ObjectStore>, file: &ObjectMeta) -> Result<()> {
        match self.reading.format {
            FileFormat::Arrow => check_arrow(store, file).await,
            FileFormat::Avro => check_avro(store, file).await,
            FileFormat::Json => check_list(store, file, self.reading.compression).await,
            FileFormat::Csv | FileFormat::Tsv => self.check_header(store, file).await,
            _ => Ok(()),
        }
    }

    async fn check_header(&self, store: &Arc<dyn ObjectStore>, file: &ObjectMeta) -> Result<()> {
        let Some(columns) = self.columns.get() else { return Ok(()) };
        let damaged = |why: String| Damaged::error(&file.location, why);
        let head = Sample::take(store, file, self.reading.compression, HEAD).await;
        let mut head = head.map_err(|error| damaged(error.strip_backtrace()))?;
        head.keep_whole_csv_lines();
        let found = self.reading.csv().infer_schema(head.text.as_slice(), Some(0));
        let (found, _) = found.map_err(|error| damaged(error.to_string()))?;
        let names = || found.fields().iter().map(|field| field.name());
        if names().eq(columns) {
            return Ok(());
        }
        let missing: Vec<String> =
            columns.iter().filter(|name| !names().any(|one| one == *name)).map(|name| format!("`{name}`")).collect();
        Err(damaged(match missing.as_slice() {
            _ if names().next().is_none() => "the file has no header".to_owned(),
            [] => "its columns have another order, or there are more of them".to_owned(),
            missing => format!("its header lacks {}", missing.join(", ")),
        }))
    }
}

async fn check_arrow(store: &Arc<dyn ObjectStore>, file: &ObjectMeta) -> Result<()> {
    let length = END_OF_STREAM.len() as u64;
    let cut = || cut_off(file);
    if file.size < length {
        return Err(cut());
    }
    let ranges = [0..length, file.size - length..file.size];
    let ends = store.get_ranges(&file.location, &ranges).await?;
    let [head, tail] = ends.as_slice() else { return Err(cut()) };
    let is_whole = if head.starts_with(ARROW_MAGIC) {
        tail.ends_with(ARROW_MAGIC)
    } else {
        tail.ends_with(END_OF_STREAM.get(4..).unwrap_or_default())
    };
    if is_whole { Ok(()) } else { Err(cut()) }
}

/// An Avro file is blocks, each with the marker of the file behind it (<https://avro.apache.org/docs/1.12.0/specification/>,
/// "Object Container Files"). One that is cut between two of them cannot be told from a whole one.
async fn check_avro(store: &Arc<dyn ObjectStore>, file: &ObjectMeta) -> Result<()> {
    let ranges = [0..file.size.min(HEAD), file.size.saturating_sub(MARKER)..file.size];
    let ends = store.get_ranges(&file.location, &ranges).await?;
    let [head, tail] = ends.as_slice() else { return Err(cut_off(file)) };
    if avro_marker(head).is_some_and(|marker| tail.as_ref() == marker) { Ok(()) } else { Err(cut_off(file)) }
}

/// A list of JSON ends with its bracket. Of one that is compressed and large the end is not looked for: the compression has
/// an end of its own.
async fn check_list(store: &Arc<dyn ObjectStore>, file: &ObjectMeta, compression: Compression) -> Result<()> {
    let is_plain = compression == Compression::None;
    let end = if is_plain {
        let end = file.size.saturating_sub(LONGEST_BLANK)..file.size;
        store.get_ranges(&file.location, std::slice::from_ref(&end)).await?.concat()
    } else {
        let sample = Sample::take(store, file, compression, HEAD).await;
        let sample = sample.map_err(|error| Damaged::error(&file.location, error.strip_backtrace()))?;
        if !sample.whole {
            return Ok(());
        }
        sample.text
    };
    if end.trim_ascii_end().ends_with(b"]") { Ok(()) } else { Err(cut_off(file)) }
}

/// The most white space behind a list.
const LONGEST_BLANK: u64 = 4096;

/// The length of an Avro file's marker.
const MARKER: u64 = 16;

/// The marker behind the header of an Avro file: a map, in blocks of entries.
fn avro_marker(file: &[u8]) -> Option<&[u8]> {
    let mut rest = file.strip_prefix(b"Obj\x01")?;
    loop {
        let entries = long(&mut rest)?;
        if entries == 0 {
            return rest.get(..usize::try_from(MARKER).ok()?);
        }
        if entries < 0 {
            // The length of the block, for those who skip it.
            long(&mut rest)?;
        }
        // A name and a value each.
        for _ in 0..entries.checked_abs()?.checked_mul(2)? {
            let length = usize::try_from(long(&mut rest)?).ok()?;
            rest = rest.get(length..)?;
        }
    }
}

/// Takes a number off: in base 128, the lowest digits first, the sign in the lowest bit.
fn long(rest: &mut &[u8]) -> Option<i64> {
    let mut bits = 0_u64;
    for at in 0..10 {
        let (byte, behind) = rest.split_first()?;
        *rest = behind;
        bits |= u64::from(byte & 0x7f).checked_shl(7 * at)?;
        if byte & 0x80 == 0 {
            return Some((bits >> 1).cast_signed() ^ -(bits & 1).cast_signed());
        }
    }
    None
}

fn cut_off(file: &ObjectMeta) -> Error {
    Damaged::error(&file.location, "the file is cut off: it lacks its end")
}
