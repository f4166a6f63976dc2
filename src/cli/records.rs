//! `qtool records`: whether folders of records hold to their contracts, and their way to other programs and back.

use super::stored_records::{self, Copied};
use super::workspace::{self, count};
use super::{Global, Outcome, terminal};
use crate::load::{io_reason, write_atomically};
use crate::name::nearest;
use crate::project::record_ddl::create_tables;
use crate::project::{LogicalType, Project, RecordContract, RecordsConfig, name_parts};
use crate::records::change::{Record, Refused};
use crate::records::exchange::{package, record_of_texts};
use crate::records::folder::{Folder, FolderError, RECORDS, Writer};
use crate::records::lines::read_records;
use crate::records::verify::verify;
use chrono::Utc;
use clap::Subcommand;
use flate2::{Compression, GzBuilder};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long other writers are waited for.
const MOST_WAITING: Duration = Duration::from_secs(30);

/// Verify records, and carry them to other programs and from them
#[derive(clap::Args)]
pub(super) struct RecordsCommand {
    #[command(subcommand)]
    command: Act,
}

#[derive(Subcommand)]
enum Act {
    Verify(Verify),
    Export(Export),
    Import(Import),
    Ddl(Ddl),
    Load(Load),
}

/// Load the records of a folder, with their history, into the tables that they have in a database
#[derive(clap::Args)]
struct Load {
    /// The records, as qtool.yaml calls them
    #[arg(value_name = "NAME")]
    name: String,
}

/// Print the tables that records have in a database, as statements in its own SQL
#[derive(clap::Args)]
struct Ddl {
    /// The records, as qtool.yaml calls them
    #[arg(value_name = "NAME")]
    name: String,
}

/// Say what does not hold to the contract, of records and of their history
#[derive(clap::Args)]
struct Verify {
    /// The records of qtool.yaml that are looked at [default: all of them]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Write records as a Frictionless data package: rows of CSV, and datapackage.json beside them
#[derive(clap::Args)]
struct Export {
    /// The records, as qtool.yaml calls them
    #[arg(value_name = "NAME")]
    name: String,
    /// The folder to write into
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
    /// Do not compress the rows
    #[arg(long)]
    plain: bool,
}

/// Write rows of a CSV file into records, and say which of them do not fit
#[derive(clap::Args)]
struct Import {
    /// The records, as qtool.yaml calls them
    #[arg(value_name = "NAME")]
    name: String,
    /// The file: its first line names fields
    #[arg(value_name = "FILE.CSV")]
    file: PathBuf,
    /// Who writes, e.g. `human:ann` [default: the `actor` of qtool.yaml]
    #[arg(long, value_name = "WHO")]
    actor: Option<String>,
    /// The text that stands for no value; an empty cell is then an empty text where the field is one
    #[arg(long, value_name = "TEXT")]
    null: Option<String>,
    /// Say what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// Lines of a file, each with what is wrong with it.
type Flaws = Vec<(u64, String)>;

/// Records of the project.
struct Named<'a> {
    name: &'a str,
    config: &'a RecordsConfig,
    contract: &'a RecordContract,
    folder: PathBuf,
}

impl RecordsCommand {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let run = || {
            let dir = workspace::find(global)?;
            let workspace = workspace::load_files(&dir).map_err(workspace::not_loaded)?;
            match &self.command {
                Act::Verify(act) => act.run(global, &workspace.project, &dir),
                Act::Export(act) => act.run(global, &workspace.project, &dir),
                Act::Import(act) => act.run(global, &workspace.project, &dir),
                Act::Ddl(act) => act.run(&workspace.project, &dir),
                Act::Load(act) => act.run(global, &workspace.project, &dir),
            }
        };
        run().unwrap_or_else(|outcome| outcome)
    }
}

fn named<'a>(project: &'a Project, dir: &Path, name: &'a str) -> Result<Named<'a>, Outcome> {
    let known = || project.records.keys().map(String::as_str);
    match (project.file.records.get(name), project.records.get(name)) {
        (Some(config), Some(known)) => {
            Ok(Named { name, config, contract: &known.contract, folder: dir.join(&config.path) })
        }
        _ => {
            let near = nearest(name, known()).map(|near| format!("there is `{near}`"));
            let none = (known().next().is_none()).then(|| "qtool.yaml has no `records`".to_owned());
            let help = near.or(none).unwrap_or_else(|| format!("there is {}", known().collect::<Vec<_>>().join(", ")));
            terminal::error(&format!("there are no records `{name}`"), &[&help]);
            Err(Outcome::CouldNotRun)
        }
    }
}

fn failed(what: &str, error: &std::io::Error) -> Outcome {
    terminal::error(&format!("cannot read or write `{what}`: {}", io_reason(error)), &[]);
    Outcome::CouldNotRun
}

impl Verify {
    fn run(&self, global: &Global, project: &Project, dir: &Path) -> Result<Outcome, Outcome> {
        let all: Vec<&str> = match self.names.is_empty() {
            true => project.records.keys().map(String::as_str).collect(),
            false => self.names.iter().map(String::as_str).collect(),
        };
        if all.is_empty() {
            terminal::error("qtool.yaml has no `records`", &[]);
            return Err(Outcome::CouldNotRun);
        }
        let mut outcome = Outcome::Fine;
        for name in all {
            let own = named(project, dir, name)?;
            let copied = own.copied(global)?;
            let folder = copied.as_ref().map_or_else(|| own.folder.clone(), Copied::path);
            let found = verify(own.contract, &folder).map_err(|error| failed(&own.config.path, &error))?;
            for flaw in &found.flaws {
                let place = match &own.config.source {
                    // In a database they have no lines: they are counted in the order of their key.
                    Some(source) => format!("{source}: {name}, {} {}", row_of(flaw.file), flaw.line),
                    None => format!("{}/{}:{}", own.config.path, flaw.file, flaw.line),
                };
                terminal::out(&format!("{place}: {}\n", flaw.why));
            }
            let ended = match found.flaws.len() {
                0 => "no problems".to_owned(),
                flaws => count(flaws, "problem"),
            };
            let (records, events) = (count(found.records, "record"), count(found.events, "line"));
            terminal::out(&format!("{name}: {records}, {events} of history: {ended}\n"));
            if found.records > MANY_RECORDS && own.config.source.is_none() {
                terminal::out(&format!(
                    "note: each write of {name} writes all of them: more than {MANY_RECORDS} lie better in a database; `source` \
                     names it, and `qtool records load {name}` takes them there\n"
                ));
            }
            if !found.flaws.is_empty() {
                outcome = Outcome::Problems;
            }
        }
        Ok(outcome)
    }
}

impl Ddl {
    fn run(&self, project: &Project, dir: &Path) -> Result<Outcome, Outcome> {
        let own = named(project, dir, &self.name)?;
        let source = own.config.source.as_ref().and_then(|source| project.file.sources.get(source));
        let Some(source) = source else { return Err(in_no_database(own.name)) };
        let table = own.config.table.as_deref().map_or_else(|| vec![own.name.to_owned()], name_parts);
        terminal::out_data(&create_tables(own.contract, &table, source.kind()));
        Ok(Outcome::Fine)
    }
}

impl Load {
    fn run(&self, global: &Global, project: &Project, dir: &Path) -> Result<Outcome, Outcome> {
        let own = named(project, dir, &self.name)?;
        let Some(source) = &own.config.source else {
            return Err(in_no_database(own.name));
        };
        let path = &own.config.path;
        let found = verify(own.contract, &own.folder).map_err(|error| failed(path, &error))?;
        if let Some(flaw) = found.flaws.first() {
            let told = format!("`{path}` does not hold to its contract: {}:{}: {}", flaw.file, flaw.line, flaw.why);
            let more = found.flaws.len() - 1;
            let help = format!("nothing was loaded; {more} more like it: correct them first");
            terminal::error(&told, &[&help]);
            return Err(Outcome::Problems);
        }
        let (records, events) =
            Folder::new(&own.folder).whole(own.contract).map_err(|error| not_written(own.config, &error))?;
        let told = (count(records.len(), "record"), count(events.len(), "line"));
        stored_records::load(global, (own.name, own.config), records, events)?;
        terminal::out(&format!("loaded {}, and {} of their history, into {source}\n", told.0, told.1));
        terminal::out(&format!("the files of {path} are what they were, and are read no more\n"));
        Ok(Outcome::Fine)
    }
}

/// More records of a folder are told of: each write writes all of them.
const MANY_RECORDS: usize = 10_000;

fn in_no_database(name: &str) -> Outcome {
    let help = format!("say which: `{name}: {{ source: … }}`");
    terminal::error(&format!("the records `{name}` lie in no database"), &[&help]);
    Outcome::CouldNotRun
}

impl Named<'_> {
    /// A copy of records that lie in a database.
    fn copied(&self, global: &Global) -> Result<Option<Copied>, Outcome> {
        let is_stored = self.config.source.is_some();
        is_stored.then(|| stored_records::copied(global, (self.name, self.config))).transpose()
    }
}

/// What a line of a file is in a database.
fn row_of(file: &str) -> &'static str {
    if file == RECORDS { "record" } else { "row of the history" }
}

impl Export {
    fn run(&self, global: &Global, project: &Project, dir: &Path) -> Result<Outcome, Outcome> {
        let own = named(project, dir, &self.name)?;
        let copied = own.copied(global)?;
        let folder = copied.as_ref().map_or_else(|| own.folder.clone(), Copied::path);
        let key = own.contract.key().map(|key| key.name.as_str()).unwrap_or_default();
        let read = read_records(&folder.join(RECORDS), key);
        let records = read.map_err(|error| {
            let shown = format!("{}/{RECORDS}", own.config.path);
            terminal::error(&format!("`{shown}` cannot be read: {error}"), &["`qtool records verify` says all of it"]);
            Outcome::Problems
        })?;
        let file = match self.plain {
            true => format!("{}.csv", own.name),
            false => format!("{}.csv.gz", own.name),
        };
        let written = package(own.contract, &records, &file).map_err(std::io::Error::other).and_then(|made| {
            let (rows, mut descriptor) = (self.packed(&made.rows)?, made.descriptor);
            let hash = Sha256::digest(&rows).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            if let Some(resource) = descriptor.get_mut("resources").and_then(|all| all.get_mut(0)) {
                resource["bytes"] = json!(rows.len());
                resource["hash"] = json!(format!("sha256:{hash}"));
                if !self.plain {
                    resource["compression"] = json!("gz");
                }
            }
            let descriptor = serde_json::to_string_pretty(&descriptor)? + "\n";
            write_atomically(&self.output.join(&file), &rows)?;
            write_atomically(&self.output.join("datapackage.json"), descriptor.as_bytes())
        });
        written.map_err(|error| failed(&self.output.display().to_string(), &error))?;
        let shown = self.output.display();
        terminal::out(&format!("wrote {} to {shown}: {file}, datapackage.json\n", count(records.len(), "record")));
        Ok(Outcome::Fine)
    }

    /// The rows as they are written. The same rows are the same bytes at any time.
    fn packed(&self, rows: &[u8]) -> std::io::Result<Vec<u8>> {
        if self.plain {
            return Ok(rows.to_vec());
        }
        let mut packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::default());
        packer.write_all(rows)?;
        packer.finish()
    }
}

impl Import {
    fn run(&self, global: &Global, project: &Project, dir: &Path) -> Result<Outcome, Outcome> {
        let own = named(project, dir, &self.name)?;
        let actor = self.actor.as_deref().or(own.config.actor.as_deref());
        let Some(actor) = actor.filter(|actor| !actor.trim().is_empty()) else {
            terminal::error("nobody knows who writes", &["say `--actor human:…`, or `actor` in qtool.yaml"]);
            return Err(Outcome::CouldNotRun);
        };
        let (rows, mut refused) = self.rows(own.contract)?;
        let records: Vec<Record> = rows.iter().map(|(_, record)| record.clone()).collect();
        let at = Utc::now().format("%Y-%m-%dT%H:%M:%SZ").to_string();
        let ((inserted, updated), wrong) = match own.config.source {
            Some(_) => stored_records::import(global, (own.name, own.config), records, (actor, &at, self.dry_run))?,
            None => {
                let until = Instant::now() + MOST_WAITING;
                let writer = Writer { actor, at: &at, until, tries_only: self.dry_run };
                let written = Folder::new(&own.folder).upsert_what_fits(own.contract, &records, writer);
                let (done, wrong) = written.map_err(|error| not_written(own.config, &error))?;
                ((done.inserted, done.updated), wrong)
            }
        };
        let line_of = |one: &Refused| rows.get(one.record).map_or(0, |(line, _)| *line);
        refused.extend(wrong.iter().map(|one| (line_of(one), one.why.clone())));
        refused.sort();
        for (line, why) in &refused {
            terminal::out(&format!("{}:{line}: {why}\n", self.file.display()));
        }
        let mut lines: Vec<u64> = refused.iter().map(|(line, _)| *line).collect();
        lines.dedup();
        let would = if self.dry_run { "would be " } else { "" };
        let (new, there) = (count(inserted, "record"), updated);
        terminal::out(&format!("{new} {would}added, {there} {would}changed, {} refused\n", count(lines.len(), "row")));
        Ok(if refused.is_empty() { Outcome::Fine } else { Outcome::Problems })
    }

    /// The rows that can be read, each with its line, and what is wrong with the others.
    fn rows(&self, contract: &RecordContract) -> Result<(Vec<(u64, Record)>, Flaws), Outcome> {
        let shown = self.file.display().to_string();
        let unread = |error: csv::Error| {
            terminal::error(&format!("cannot read `{shown}`: {error}"), &[]);
            Outcome::CouldNotRun
        };
        let text = plain_file(&self.file).map_err(|error| failed(&shown, &error))?;
        if text.iter().filter(|byte| **byte == b'"').count() % 2 == 1 {
            terminal::error(&format!("a quote of `{shown}` is not closed"), &["write one in a value twice: `\"\"`"]);
            return Err(Outcome::CouldNotRun);
        }
        let mut lines = Lines { text: &text, at: 0, line: 1 };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_slice());
        let names: Vec<String> =
            reader.headers().map_err(unread)?.iter().map(|name| named_field(name).to_owned()).collect();
        check_fields(contract, &names, &shown)?;
        let (mut rows, mut wrong) = (Vec::new(), Vec::new());
        for row in reader.records() {
            let row = row.map_err(unread)?;
            let line = lines.line_at(row.position().map_or(0, csv::Position::byte));
            if row.len() != names.len() {
                wrong.push((line, format!("has {}, and the first line {}", count(row.len(), "value"), names.len())));
                continue;
            }
            let is_text =
                |name: &str| contract.property(name).is_some_and(|one| one.logical_type == LogicalType::String);
            // Where a text stands for nothing, the empty one is a text.
            let is_said = |name: &str, text: &str| match &self.null {
                Some(null) => text != null && (!text.is_empty() || is_text(name)),
                None => !text.is_empty(),
            };
            let texts = names.iter().map(String::as_str).zip(&row).filter(|(name, text)| is_said(name, text));
            match record_of_texts(contract, 0, texts) {
                Ok(record) => rows.push((line, record)),
                Err(flaws) => wrong.extend(flaws.into_iter().map(|flaw| (line, flaw.why))),
            }
        }
        Ok((rows, wrong))
    }
}

/// The bytes of a file: of a pipe or a device there may be no end.
fn plain_file(path: &Path) -> std::io::Result<Vec<u8>> {
    match std::fs::metadata(path)?.is_file() {
        true => std::fs::read(path),
        false => Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no plain file")),
    }
}

/// Counts lines: the reader is one behind where they end with a carriage return, too.
struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the first thing that stands at a byte, or behind it; bytes are asked for in their order.
    fn line_at(&mut self, byte: u64) -> u64 {
        let byte = usize::try_from(byte).unwrap_or(usize::MAX);
        while let Some(letter) = self.text.get(self.at) {
            if self.at >= byte && !matches!(letter, b'\r' | b'\n') {
                break;
            }
            self.line += u64::from(*letter == b'\n');
            self.at += 1;
        }
        self.line
    }
}

/// The name of a field, without the mark that some programs put before a file.
fn named_field(name: &str) -> &str {
    name.trim_start_matches('\u{feff}').trim()
}

/// All columns are fields, each once, and one of them is the key.
fn check_fields(contract: &RecordContract, names: &[String], shown: &str) -> Result<(), Outcome> {
    let known = || contract.properties().iter().map(|property| property.name.as_str());
    let twice = |at: usize, name: &String| names.iter().take(at).any(|other| other == name);
    let wrong = names.iter().enumerate().find(|(at, name)| contract.property(name).is_none() || twice(*at, name));
    let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
    let (why, help) = match wrong {
        Some((at, name)) if twice(at, name) => (format!("`{shown}` has two columns `{name}`"), String::new()),
        Some((_, name)) => {
            let near = nearest(name, known()).map(|near| format!("there is `{near}`"));
            let all = || format!("there are {}", known().collect::<Vec<_>>().join(", "));
            (format!("the contract has no field `{name}`, which is a column of `{shown}`"), near.unwrap_or_else(all))
        }
        None if !names.iter().any(|name| name == key) => {
            (format!("`{shown}` has no column `{key}`, which tells records apart"), String::new())
        }
        None => return Ok(()),
    };
    let helps: Vec<&str> = Some(help.as_str()).filter(|help| !help.is_empty()).into_iter().collect();
    terminal::error(&why, &helps);
    Err(Outcome::CouldNotRun)
}

fn not_written(config: &RecordsConfig, error: &FolderError) -> Outcome {
    let path = &config.path;
    let why = match error {
        FolderError::Io(file, error) => format!("cannot read or write `{path}/{file}`: {}", io_reason(error)),
        FolderError::BadLine(file, line) => format!("line {line} of `{path}/{file}` is no object of JSON"),
        FolderError::Busy => format!("others write the records of `{path}` for too long"),
        FolderError::Refused(_) => format!("the records of `{path}` do not fit"),
    };
    terminal::error(&why, &[]);
    Outcome::CouldNotRun
}
