//! Records in a folder: `records.jsonl`, a line for each, beside `contract.yaml` and `provenance.jsonl`.
//!
//! A write makes a file beside it, waits until that is on the disk, and renames it: whatever happens at whatever moment, the old
//! records are there or the new ones. Lines that a write is not about stay as they are, byte for byte. Who writes past the lock is
//! noticed: then all is read and done again.

use super::acts::{self, Author, Fitting};
use super::change::{Record, Records, Refused, Upserted, key_of};
use super::derived::MadeValues;
use super::disk::{Disk, OwnDisk};
use super::history::{self, Event, id_text};
use super::lines::{changed_line, check_plain, line_of, text_of};
use super::lock;
use crate::project::RecordContract;
use crate::yaml;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::fs::{Metadata, OpenOptions};
use std::io::{Read as _, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// The file of the records.
pub const RECORDS: &str = "records.jsonl";
/// The file of where values come from.
pub const HISTORY: &str = "provenance.jsonl";
/// The file of the contract.
pub const CONTRACT: &str = "contract.yaml";
/// The folder of what says how fields are made.
pub const DERIVATIONS: &str = "derivations";
const LOCK: &str = ".lock";
const OWN_LOCK: &str = ".qtool.lock";
/// What files are called that are not there yet, between these and some letters.
const STAGED: (&str, &str) = (".records.qtool-", ".jsonl.tmp");
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

impl<'a> Writer<'a> {
    fn author(self) -> Author<'a> {
        Author { actor: self.actor, at: self.at }
    }
}

/// What of a write lasts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The history: of a writer that is killed it tells more than has happened, and never less.
    HistoryFirst,
    /// The records: what the history does not tell of a value that was made is made again, and is the same. The other way round, an old
    /// value would be taken for what the history says of it.
    RecordsFirst,
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
#[derive(Debug)]
struct Read {
    lines: Vec<String>,
    /// Which record a line is, where it has a key.
    keys: Vec<Option<String>>,
    records: Records,
    stamp: Option<Stamp>,
}

/// A folder that others do not write into meanwhile, and the records that are there.
#[derive(Debug)]
pub struct Held {
    read: Read,
    _own: lock::Held,
    _shared: lock::Held,
}

impl Held {
    /// The records.
    pub fn records(&self) -> &Records {
        &self.read.records
    }
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
            let (done, events) = acts::upsert(contract, there, sent, writer.author()).map_err(FolderError::Refused)?;
            Ok(((done, there.len()), events))
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
        let mut fitting = Fitting::all(sent);
        loop {
            match self.upsert(contract, &fitting.records(), writer) {
                Err(FolderError::Refused(wrong)) => fitting.refuse(wrong),
                written => return Ok((written?.0, fitting.into_refused())),
            }
        }
    }

    /// Removes the records with these keys. Those that are not there are let be.
    ///
    /// Errors: as of writing.
    pub fn delete(&self, contract: &RecordContract, ids: &[Value], writer: Writer<'_>) -> Result<Deleted, FolderError> {
        self.write(contract, writer, |there| {
            let (before, events) = acts::delete(there, ids, writer.author());
            Ok((Deleted { deleted: before.len(), remaining: there.len(), before }, events))
        })
    }

    /// Writes values that were made, each where the record is still what it was; whether each was written.
    ///
    /// Errors: as of writing.
    pub fn put_made(
        &self,
        contract: &RecordContract,
        made: &[MadeValues],
        writer: Writer<'_>,
    ) -> Result<Vec<bool>, FolderError> {
        self.write_in(Order::RecordsFirst, contract, writer, |there| Ok(acts::put_made(there, made, writer.author())))
    }

    /// The records as they are, by their keys, and all that was done to them.
    ///
    /// Errors: a file cannot be read, or a line of it is none.
    pub fn whole(&self, contract: &RecordContract) -> Result<(Records, Vec<Event>), FolderError> {
        // What is written between both is newer than what is known of it, and is looked at again.
        let events = self.events()?;
        Ok((self.read(contract)?.records, events))
    }

    fn events(&self) -> Result<Vec<Event>, FolderError> {
        let text = text_of(&self.path.join(HISTORY)).map_err(|error| FolderError::Io(HISTORY, error))?;
        let (events, mut broken) = history::read(&text);
        // The beginning of a line that a killed writer has left: the next one takes it away.
        if !text.ends_with('\n') && broken.last() == Some(&text.lines().count()) {
            broken.pop();
        }
        match broken.first() {
            Some(line) => Err(FolderError::BadLine(HISTORY, *line)),
            None => Ok(events),
        }
    }

    /// What was done to a record, or to one field of it, in its order.
    ///
    /// Errors: the file cannot be read, or a line of it is none.
    pub fn history(&self, id: &Value, field: Option<&str>) -> Result<Vec<Event>, FolderError> {
        let events = self.events()?;
        let id = id_text(id);
        let is_it = |event: &Event| id_text(&event.record_id) == id;
        let is_meant = |event: &Event| {
            is_it(event) && field.is_none_or(|field| event.field == field || event.field == history::WHOLE)
        };
        Ok(events.into_iter().filter(is_meant).collect())
    }

    /// Keeps others from writing, until what this gives is dropped, and reads the records.
    ///
    /// Errors: others write for too long, or a line that is there is no record.
    pub fn hold(&self, contract: &RecordContract, until: Instant) -> Result<Held, FolderError> {
        // Folio removes its lock when it is done, so that two may hold one for a moment. Among writers of qtool, theirs tells.
        let _own = self.locked(OWN_LOCK, until)?;
        let _shared = self.locked(LOCK, until)?;
        self.remove_left_over();
        Ok(Held { read: self.read(contract)?, _own, _shared })
    }

    /// Puts records in the place of those that are held, and adds to the history what was done; whether they were still those: else
    /// somebody has written who takes no lock, and nothing was changed.
    ///
    /// Errors: the disk fails; then nothing has changed.
    pub fn put(&self, held: &Held, records: &Records, events: &[Event]) -> Result<bool, FolderError> {
        match records == held.records() && events.is_empty() {
            true => Ok(true),
            false => self.replace(&held.read, records, (Order::HistoryFirst, events)),
        }
    }

    fn write<T>(
        &self,
        contract: &RecordContract,
        writer: Writer<'_>,
        change: impl FnMut(&mut Records) -> Result<(T, Vec<Event>), FolderError>,
    ) -> Result<T, FolderError> {
        self.write_in(Order::HistoryFirst, contract, writer, change)
    }

    fn write_in<T>(
        &self,
        order: Order,
        contract: &RecordContract,
        writer: Writer<'_>,
        mut change: impl FnMut(&mut Records) -> Result<(T, Vec<Event>), FolderError>,
    ) -> Result<T, FolderError> {
        let mut held = self.hold(contract, writer.until)?;
        for attempt in 0..MOST_ATTEMPTS {
            if attempt > 0 {
                held.read = self.read(contract)?;
            }
            let read = &held.read;
            let mut records = read.records.clone();
            let (done, events) = change(&mut records)?;
            // What is made anew may be the same, and is told all the same.
            if writer.tries_only || records == read.records && events.is_empty() {
                return Ok(done);
            }
            if self.replace(read, &records, (order, &events))? {
                return Ok(done);
            }
        }
        Err(FolderError::Busy)
    }

    fn locked(&self, name: &'static str, until: Instant) -> Result<lock::Held, FolderError> {
        let failed = |error| FolderError::Io(name, error);
        let path = self.path.join(name);
        if path.symlink_metadata().is_ok() {
            check_plain(&path).map_err(failed)?;
        }
        lock::take(&path, until).map_err(failed)?.ok_or(FolderError::Busy)
    }

    /// What writers have left that were killed. No other one of qtool writes now: the lock is held.
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
        let stamp = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata));
        let text = text_of(&path).map_err(failed)?;
        let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
        let mut read = Read { lines: Vec::new(), keys: Vec::new(), records: Records::new(), stamp };
        for (at, line) in text.strip_suffix('\n').unwrap_or(&text).split('\n').enumerate() {
            let mut id = None;
            if !line.trim().is_empty() {
                let record: Record = serde_json::from_str(line).map_err(|_| FolderError::BadLine(RECORDS, at + 1))?;
                id = record.get(key).filter(|id| !id.is_null()).map(key_of);
                id.iter().for_each(|id| drop(read.records.insert(id.clone(), record.clone())));
            } else if text.is_empty() {
                break;
            }
            read.lines.push(line.to_owned());
            read.keys.push(id);
        }
        Ok(read)
    }

    /// Puts records in the place of those that were read, and adds to the history what was done; whether they were still those.
    ///
    /// The history is written first: of a writer that is killed between both it tells more than has happened, and never less.
    fn replace(&self, read: &Read, records: &Records, (order, events): (Order, &[Event])) -> Result<bool, FolderError> {
        let failed = |error| FolderError::Io(RECORDS, error);
        let text = text_with(read, records);
        let staged = self.path.join(format!("{}{}{}", STAGED.0, std::process::id(), STAGED.1));
        let path = self.path.join(RECORDS);
        let put = || {
            self.disk.write(&staged, text.as_bytes()).map_err(failed)?;
            if let Ok(there) = std::fs::metadata(&path) {
                // Who may read it is for its owner to say.
                std::fs::set_permissions(&staged, there.permissions()).map_err(failed)?;
            }
            self.disk.sync(&staged).map_err(failed)?;
            // Who does not take the lock may have written meanwhile.
            let now = std::fs::metadata(&path).ok().map(|metadata| Stamp::of(&metadata));
            if now != read.stamp {
                return Ok(false);
            }
            let history = self.path.join(HISTORY);
            let length = std::fs::metadata(&history).ok().map(|metadata| metadata.len());
            let rename = || self.disk.rename(&staged, &path).map_err(failed);
            if order == Order::RecordsFirst {
                rename()?;
                self.disk.sync_folder(&self.path).map_err(failed)?;
                return self.add_events(events).map(|()| true);
            }
            let outcome = self.add_events(events).and_then(|()| rename());
            if outcome.is_err() {
                // As well as it can be done: the disk fails.
                let _ = cut_off(&history, length);
            }
            outcome?;
            self.disk.sync_folder(&self.path).map_err(failed)?;
            Ok(true)
        };
        let outcome: Result<bool, FolderError> = put();
        if !matches!(outcome, Ok(true)) {
            let _ = std::fs::remove_file(&staged);
        }
        outcome
    }

    fn add_events(&self, events: &[Event]) -> Result<(), FolderError> {
        if events.is_empty() {
            return Ok(());
        }
        let failed = |error| FolderError::Io(HISTORY, error);
        let path = self.path.join(HISTORY);
        if path.symlink_metadata().is_ok() {
            check_plain(&path).and_then(|()| mend_end(&path)).map_err(failed)?;
        }
        self.disk.append(&path, history::lines(events).as_bytes()).map_err(failed)?;
        self.disk.sync(&path).map_err(failed)
    }

    /// Whether its contract is the one that is known of it. Folio, and people, change it while others read and write.
    ///
    /// Errors: it cannot be read.
    pub fn holds_to(&self, contract: &RecordContract) -> Result<bool, FolderError> {
        let text = text_of(&self.path.join(CONTRACT)).map_err(|error| FolderError::Io(CONTRACT, error))?;
        Ok(yaml::read_again::<RecordContract>(&text).is_some_and(|now| now == *contract))
    }

    /// Whether a file of `derivations` is the one that is known, by its SHA-256 in hexadecimal digits.
    ///
    /// Errors: it cannot be read.
    pub fn has_derivation(&self, file: &str, digest: &str) -> Result<bool, FolderError> {
        let path = self.path.join(DERIVATIONS).join(file);
        let text = text_of(&path).map_err(|error| FolderError::Io(DERIVATIONS, error))?;
        Ok(hex::encode(Sha256::digest(text)) == digest)
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

/// The lines of a file with other records: those that are as they were stay as they stand.
fn text_with(read: &Read, records: &Records) -> String {
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
        match read.records.get(key).filter(|_| is_other) {
            Some(before) => add(&changed_line(line, before, record)),
            None => add(line),
        }
    }
    records.iter().filter(|(key, _)| !written.contains(key.as_str())).for_each(|(_, record)| add(&line_of(record)));
    text
}

/// Takes back what was added to a file that had this length, or was not there.
fn cut_off(path: &Path, length: Option<u64>) -> std::io::Result<()> {
    check_plain(path)?;
    match length {
        Some(length) => OpenOptions::new().write(true).open(path)?.set_len(length),
        None => std::fs::remove_file(path),
    }
}
