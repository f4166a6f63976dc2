//! Records in a folder: `records.jsonl`, a line for each, beside `contract.yaml` and `provenance.jsonl`.
//!
//! A write makes a file beside it, waits until that is on the disk, and renames it: whatever happens at whatever moment, the old
//! records are there or the new ones. Lines that a write is not about stay as they are, byte for byte. Who writes past the lock is
//! noticed: then all is read and done again.

use super::change::{self, Record, Records, Refused, Upserted, key_of};
use super::disk::{Disk, OwnDisk};
use super::history::{self, Event};
use super::lock;
use crate::project::RecordContract;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::fs::{Metadata, OpenOptions};
use std::io::{ErrorKind, Read as _, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The file of the records.
pub const RECORDS: &str = "records.jsonl";
/// The file of where values come from.
pub const HISTORY: &str = "provenance.jsonl";
/// The file of the contract.
pub const CONTRACT: &str = "contract.yaml";
const LOCK: &str = ".lock";
/// What files are called that are not there yet, between these and some letters.
const STAGED: (&str, &str) = (".records.", ".jsonl.tmp");
/// How often a write is done again because of others who do not take the lock.
const MOST_ATTEMPTS: usize = 5;

/// A folder of records.
#[derive(Debug, Clone)]
pub struct Folder<D = OwnDisk> {
    path: PathBuf,
    disk: D,
}

/// Why nothing was written, or read.
#[derive(Debug)]
pub enum FolderError {
    /// A file cannot be read or written.
    Io(&'static str, std::io::Error),
    /// A line of a file is no object; counted from 1.
    BadLine(&'static str, usize),
    /// Others write for too long.
    Busy,
    /// What was sent does not fit the contract.
    Refused(Vec<Refused>),
}

/// Who writes, and when.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'a> {
    /// Who.
    pub actor: &'a str,
    /// When: UTC, to the second.
    pub at: &'a str,
    /// Until when others are waited for.
    pub until: Instant,
    /// Whether what would be done is told, and nothing is done.
    pub tries_only: bool,
}

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    /// Records that were removed.
    pub deleted: usize,
    /// Records that are left.
    pub remaining: usize,
    /// The records that were removed.
    pub before: Vec<Record>,
}

/// The file as it was read: its lines, and what tells it from another.
struct Read {
    lines: Vec<String>,
    /// Which record a line is, where it has a key.
    keys: Vec<Option<String>>,
    records: Records,
    stamp: Option<Stamp>,
}

/// What tells a file from one that was written since.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    size: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Stamp { size: metadata.len(), modified: metadata.modified().ok(), inode }
    }
}

impl Folder<OwnDisk> {
    /// The records below a folder.
    pub fn new(path: impl Into<PathBuf>) -> Folder<OwnDisk> {
        Folder { path: path.into(), disk: OwnDisk }
    }
}

impl<D: Disk> Folder<D> {
    /// The same over another disk.
    pub fn over(path: impl Into<PathBuf>, disk: D) -> Folder<D> {
        Folder { path: path.into(), disk }
    }

    /// Writes records: those with the key of one that is there change its fields, the others are new. All of them, or none.
    ///
    /// Errors: they do not fit the contract, others write for too long, a line that is there is no record, or the disk fails; then
    /// nothing has changed.
    pub fn upsert(
        &self,
        contract: &RecordContract,
        sent: &[Record],
        writer: Writer<'_>,
    ) -> Result<(Upserted, usize), FolderError> {
        self.write(contract, writer, |there| {
            let done = change::upsert(contract, there, sent, writer.actor).map_err(FolderError::Refused)?;
            let event = |(id, field): &(Value, String)| {
                let is_derived = contract.property(field).is_some_and(|property| property.derived);
                let source = if is_derived { history::OVERRIDDEN } else { history::SENT };
                event(id, field, source, writer)
            };
            let events = done.cells.iter().map(event).collect();
            let total = there.len();
            Ok(((done, total), events))
        })
    }

    /// Writes those of many records that fit the contract, all at once, and tells the others.
    ///
    /// Errors: as of writing, but for records that do not fit.
    pub fn upsert_what_fits(
        &self,
        contract: &RecordContract,
        sent: &[Record],
        writer: Writer<'_>,
    ) -> Result<(Upserted, Vec<Refused>), FolderError> {
        let mut left: Vec<(usize, &Record)> = sent.iter().enumerate().collect();
        let mut refused: Vec<Refused> = Vec::new();
        loop {
            let records: Vec<Record> = left.iter().map(|(_, record)| (*record).clone()).collect();
            // Without those that do not fit, others may fit no longer: what one adds to a record, another one needs.
            match self.upsert(contract, &records, writer) {
                Err(FolderError::Refused(wrong)) => {
                    let at = |one: &Refused| left.get(one.record).map_or(one.record, |(at, _)| *at);
                    let bad: HashSet<usize> = wrong.iter().map(at).collect();
                    refused.extend(wrong.iter().map(|one| Refused { record: at(one), ..one.clone() }));
                    left.retain(|(at, _)| !bad.contains(at));
                }
                written => {
                    refused.sort_by_key(|one| one.record);
                    return Ok((written?.0, refused));
                }
            }
        }
    }

    /// Removes the records with these keys. Those that are not there are let be.
    ///
    /// Errors: as of writing.
    pub fn delete(&self, contract: &RecordContract, ids: &[Value], writer: Writer<'_>) -> Result<Deleted, FolderError> {
        self.write(contract, writer, |there| {
            let gone = change::delete(there, ids);
            let events = gone.iter().map(|(id, _)| event(id, history::WHOLE, history::REMOVED, writer)).collect();
            let before: Vec<Record> = gone.into_iter().map(|(_, record)| record).collect();
            Ok((Deleted { deleted: before.len(), remaining: there.len(), before }, events))
        })
    }

    /// What was done to a record, or to one field of it, in its order.
    ///
    /// Errors: the file cannot be read, or a line of it is none.
    pub fn history(&self, id: &Value, field: Option<&str>) -> Result<Vec<Event>, FolderError> {
        let path = self.path.join(HISTORY);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(FolderError::Io(HISTORY, error)),
        };
        let (events, broken) = history::read(&text);
        if let Some(line) = broken.first() {
            return Err(FolderError::BadLine(HISTORY, *line));
        }
        // Of a number, the text may be written.
        let number = id.to_string();
        let is_it = |event: &Event| event.record_id == *id || event.record_id.as_str() == Some(number.as_str());
        let is_meant = |event: &Event| {
            is_it(event) && field.is_none_or(|field| event.field == field || event.field == history::WHOLE)
        };
        Ok(events.into_iter().filter(is_meant).collect())
    }

    fn write<T>(
        &self,
        contract: &RecordContract,
        writer: Writer<'_>,
        mut change: impl FnMut(&mut Records) -> Result<(T, Vec<Event>), FolderError>,
    ) -> Result<T, FolderError> {
        let held = lock::take(&self.path.join(LOCK), writer.until).map_err(|error| FolderError::Io(LOCK, error))?;
        let _held = held.ok_or(FolderError::Busy)?;
        self.remove_left_over();
        for _ in 0..MOST_ATTEMPTS {
            let read = self.read(contract)?;
            let mut records = read.records.clone();
            let (done, events) = change(&mut records)?;
            if writer.tries_only || records == read.records {
                return Ok(done);
            }
            if self.replace(&read, &records)? {
                self.add_events(&events)?;
                return Ok(done);
            }
        }
        Err(FolderError::Busy)
    }

    /// What writers have left that were killed. Nobody else writes now: the lock is held.
    fn remove_left_over(&self) {
        for entry in std::fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_staged = name.to_str().is_some_and(|name| name.starts_with(STAGED.0) && name.ends_with(STAGED.1));
            if is_staged {
                // Who may not remove it leaves it.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }

    fn read(&self, contract: &RecordContract) -> Result<Read, FolderError> {
        let failed = |error| FolderError::Io(RECORDS, error);
        let path = self.path.join(RECORDS);
        let stamp = match std::fs::metadata(&path) {
            Ok(metadata) => Some(Stamp::of(&metadata)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        let text = match stamp {
            Some(_) => std::fs::read_to_string(&path).map_err(failed)?,
            None => String::new(),
        };
        let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
        let mut read = Read { lines: Vec::new(), keys: Vec::new(), records: Records::new(), stamp };
        for (at, line) in lines_of(&text) {
            let record: Record = serde_json::from_str(line).map_err(|_| FolderError::BadLine(RECORDS, at))?;
            let id = record.get(key).filter(|id| !id.is_null()).map(key_of);
            if let Some(id) = &id {
                read.records.insert(id.clone(), record);
            }
            read.lines.push(line.to_owned());
            read.keys.push(id);
        }
        Ok(read)
    }

    /// Puts records in the place of those that were read; whether they were still those.
    fn replace(&self, read: &Read, records: &Records) -> Result<bool, FolderError> {
        let failed = |error| FolderError::Io(RECORDS, error);
        let mut text = String::new();
        let mut written: HashSet<&str> = HashSet::new();
        let mut add = |line: &str| text.extend([line, "\n"]);
        // Of two lines with one key, the last one counts.
        let last: HashMap<&str, usize> =
            read.keys.iter().enumerate().filter_map(|(at, key)| Some((key.as_deref()?, at))).collect();
        for (at, (line, key)) in read.lines.iter().zip(&read.keys).enumerate() {
            let Some(key) = key else {
                add(line);
                continue;
            };
            let Some(record) = records.get(key) else { continue };
            written.insert(key);
            let is_other = read.records.get(key) != Some(record) && last.get(key.as_str()) == Some(&at);
            match is_other {
                true => add(&line_of(record)),
                false => add(line),
            }
        }
        records.iter().filter(|(key, _)| !written.contains(key.as_str())).for_each(|(_, record)| add(&line_of(record)));
        let staged = self.path.join(format!("{}{}{}", STAGED.0, std::process::id(), STAGED.1));
        let path = self.path.join(RECORDS);
        let put = || {
            self.disk.write(&staged, text.as_bytes())?;
            self.disk.sync(&staged)?;
            // Who does not take the lock may have written meanwhile.
            let now = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata));
            if now != read.stamp {
                return Ok(false);
            }
            self.disk.rename(&staged, &path)?;
            self.disk.sync_folder(&self.path)?;
            Ok(true)
        };
        let outcome: std::io::Result<bool> = put();
        if !matches!(outcome, Ok(true)) {
            let _ = std::fs::remove_file(&staged);
        }
        outcome.map_err(failed)
    }

    fn add_events(&self, events: &[Event]) -> Result<(), FolderError> {
        if events.is_empty() {
            return Ok(());
        }
        let failed = |error| FolderError::Io(HISTORY, error);
        let path = self.path.join(HISTORY);
        let is_new = !path.exists();
        mend_end(&path).map_err(failed)?;
        self.disk.append(&path, history::lines(events).as_bytes()).map_err(failed)?;
        self.disk.sync(&path).map_err(failed)?;
        if is_new {
            self.disk.sync_folder(&self.path).map_err(failed)?;
        }
        Ok(())
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it lies on.
    pub fn disk(&self) -> &D {
        &self.disk
    }
}

/// The records of a file, each of them with a key. Of two lines with one key, the last one counts. None where there is no file.
///
/// Errors: the file cannot be read, or a line of it is none; that names the line.
pub fn read_records(path: &Path, key: &str) -> std::io::Result<Vec<Record>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut records = Records::new();
    for (at, line) in lines_of(&text) {
        let flaw = |why: &str| std::io::Error::new(ErrorKind::InvalidData, format!("line {at} {why}"));
        let record: Record = serde_json::from_str(line).map_err(|_| flaw("is no object of JSON"))?;
        let id = record.get(key).filter(|id| !id.is_null()).map(key_of);
        records.insert(id.ok_or_else(|| flaw(&format!("has no `{key}`, which tells records apart")))?, record);
    }
    Ok(records.into_values().collect())
}

/// The lines of a file that say something, each with its number from 1.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.trim().is_empty())
}

/// Takes away the beginning of a line that a killed writer has left: it says nothing, and Folio reads no file that has one.
fn mend_end(path: &Path) -> std::io::Result<()> {
    let Ok(mut file) = OpenOptions::new().read(true).write(true).open(path) else { return Ok(()) };
    let mut end = file.metadata()?.len();
    let mut tail: Vec<u8> = Vec::new();
    let mut byte = [0];
    while end > 0 {
        file.seek(SeekFrom::Start(end - 1))?;
        file.read_exact(&mut byte)?;
        if byte == *b"\n" {
            break;
        }
        tail.extend(byte);
        end -= 1;
    }
    tail.reverse();
    match serde_json::from_slice::<Event>(&tail) {
        _ if tail.is_empty() => Ok(()),
        // One that somebody has written by hand.
        Ok(_) => {
            file.seek(SeekFrom::End(0))?;
            file.write_all(b"\n")
        }
        Err(_) => file.set_len(end),
    }
}

/// The lines of records.
pub fn lines_of_records(records: &[Record]) -> String {
    records.iter().map(|record| line_of(record) + "\n").collect()
}

fn line_of(record: &Record) -> String {
    history::in_one_line(serde_json::to_string(record).unwrap_or_default())
}

fn event(id: &Value, field: &str, source: &str, writer: Writer<'_>) -> Event {
    Event {
        record_id: id.clone(),
        field: field.to_owned(),
        source: source.to_owned(),
        actor: writer.actor.to_owned(),
        at: writer.at.to_owned(),
        more: Map::new(),
    }
}
