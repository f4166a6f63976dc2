//! `qtool add`

mod entry;
mod named;
mod place;

use super::workspace::{self, Data, block_on, count, print};
use super::{Global, Outcome, terminal};
use crate::catalog::Table;
use crate::diagnostic::Diagnostic;
use crate::engine::tables::{TableError, sniff::Guess};
use crate::load::{self, Disk, Memory, Overlay};
use crate::name::{is_legal_table, shown_name};
use crate::project::{FilesSource, OnError};
use crate::source::Sources;
use crate::workspace::{Added, Workspace};
use clap::{Args, Subcommand, ValueEnum};
use entry::Entry;
pub(super) use entry::{comment, yaml};
pub(super) use named::plain_name;
pub(super) use place::{DataFolder, below_project, tables_of_data};
use serde::Deserialize;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Add something to the project
#[derive(Args)]
pub(super) struct Add {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Table(AddTable),
}

/// Add tables to qtool.yaml: looks at the data for how it is to be read, and says why
#[derive(Args)]
struct AddTable {
    /// Files, folders, patterns and addresses; each becomes a table
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    options: TableOptions,
    /// The table's name [default: that of the file]
    #[arg(long)]
    name: Option<String>,
}

/// What may be said of tables that are added.
#[derive(Args, Clone, Default)]
pub(super) struct TableOptions {
    /// Keep the columns' names, also those that need quotes in SQL
    #[arg(long)]
    keep_names: bool,
    /// What becomes of values and rows that cannot be read
    #[arg(long, value_name = "WHAT")]
    on_error: Option<OnErrorOption>,
    /// The encoding of texts, where they do not say it
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Print what would be added, and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnErrorOption {
    /// A value is null
    Null,
    /// A row is left out
    Skip,
}

impl Add {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let What::Table(add) = self.what;
        if add.name.is_some() && add.paths.len() > 1 {
            terminal::error("`--name` is for one table", &["add the tables one by one"]);
            return Outcome::CouldNotRun;
        }
        let dir = match workspace::find(global) {
            Ok(dir) => dir,
            Err(outcome) => return outcome,
        };
        let mut outcome = Outcome::Fine;
        for path in &add.paths {
            let tables = match place::tables_at(&dir, path) {
                Ok(tables) => tables,
                Err(why) => {
                    terminal::error(&why.to_string(), &[]);
                    outcome = Outcome::CouldNotRun;
                    continue;
                }
            };
            for mut wanted in tables {
                wanted.name = add.name.clone().unwrap_or(wanted.name);
                if let Err(failed) = add_table(&dir, &wanted, &add.options) {
                    outcome = failed;
                }
            }
        }
        outcome
    }
}

/// A table that is to be added.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) name: String,
    /// The path or address, as `qtool.yaml` is to have it.
    pub(super) path: String,
    /// The format, where the file's ending does not say it, and why it is that one.
    pub(super) format: Option<(&'static str, String)>,
}

/// A table that was added.
pub(super) struct TableAdded {
    /// Its columns.
    pub(super) table: Table,
    /// The column that tells its rows apart.
    pub(super) key: Option<String>,
}

/// Adds a table to `qtool.yaml` and locks its schema. What keeps it from being added is printed.
pub(super) fn add_table(dir: &Path, wanted: &Wanted, options: &TableOptions) -> Result<TableAdded, Outcome> {
    refuse_illegal(&wanted.name)?;
    let workspace = load_project(dir)?;
    refuse_taken(&workspace, wanted)?;
    let before = workspace.project.file.clone();
    let guess = guess(workspace, wanted, options)?;
    let mut entry = Entry::new(wanted, &guess, options.on_error());
    if let Some(header) = &guess.header {
        entry.rename(header, options.renames());
    }
    let (mut text, mut added) = tried(dir, &before, &entry)?;
    let is_keyed = entry.take_key(&added);
    // A column that is never null may be named by folders.
    let names = added.table.columns.iter().filter(|column| column.nullable);
    let names: Vec<String> = names.map(|column| column.name.clone()).collect();
    // Of other formats the names are known only now.
    let mut renamed = entry.clone();
    let is_renamed = guess.header.is_none() && renamed.rename(&names, options.renames());
    if is_renamed || is_keyed {
        (text, added) = tried(dir, &before, &renamed)?;
        entry = renamed;
    }
    if !options.dry_run {
        written(dir, &text, &wanted.name, &added)?;
    }
    let outcome = if options.dry_run { Told::WouldBe } else { Told::Was };
    terminal::out_data(&entry.summary(&added, terminal::width(), outcome));
    Ok(TableAdded { key: entry.key().map(str::to_owned), table: added.table })
}

impl TableOptions {
    fn on_error(&self) -> Option<OnError> {
        self.on_error.map(|on_error| match on_error {
            OnErrorOption::Null => OnError::Null,
            OnErrorOption::Skip => OnError::Skip,
        })
    }

    fn renames(&self) -> Renames {
        if self.keep_names { Renames::Needed } else { Renames::Usable }
    }
}

/// What is told of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// It was added.
    Was,
    /// It would be, with these lines.
    WouldBe,
}

/// Which columns get other names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Renames {
    /// Those that have none, or that of another column.
    Needed,
    /// Those as well whose names need quotes in SQL.
    Usable,
}

fn load_project(dir: &Path) -> Result<Workspace, Outcome> {
    workspace::load(dir, Data::Untouched).map_err(|failed| {
        print(&failed.diagnostics.into_sorted(), &failed.sources);
        Outcome::Problems
    })
}

fn refuse_illegal(name: &str) -> Result<(), Outcome> {
    if is_legal_table(name) {
        let plain = plain_name(name);
        if plain == name {
            return Ok(());
        }
        let help = format!("`--name {plain}` adds it under a name that is written as it is");
        terminal::error(
            &format!("the table name `{name}` would need quotes wherever a query writes it"),
            &[help.as_str()],
        );
        return Err(Outcome::CouldNotRun);
    }
    let message = format!("`{}` cannot be a table name", shown_name(name).escape_debug());
    let rule =
        "names of tables are letters, digits and `_`, and do not begin with a digit, 64 bytes at most: `--name NAME`";
    terminal::error(&message, &[rule]);
    Err(Outcome::CouldNotRun)
}

fn refuse_taken(workspace: &Workspace, wanted: &Wanted) -> Result<(), Outcome> {
    let name = &wanted.name;
    let Some(table) = workspace.project.file.tables.get(name) else { return Ok(()) };
    let message = format!("there is a table `{name}` already, of `{}`", table.place());
    let again = format!("to have its data looked at again, take `{name}` out of qtool.yaml first");
    let helps = ["`--name NAME` adds it under another name", again.as_str()];
    terminal::error(&message, &helps);
    Err(Outcome::CouldNotRun)
}

fn guess(workspace: Workspace, wanted: &Wanted, options: &TableOptions) -> Result<Guess, Outcome> {
    let mut value = json!({ "path": wanted.path });
    if let (Some((format, _)), Some(keys)) = (&wanted.format, value.as_object_mut()) {
        keys.insert("format".to_owned(), json!(format));
    }
    if let (Some(encoding), Some(keys)) = (&options.encoding, value.as_object_mut()) {
        keys.insert("encoding".to_owned(), json!(encoding));
    }
    let Ok(source) = FilesSource::deserialize(value) else { return Err(Outcome::CouldNotRun) };
    let guessed = block_on(async move { workspace.guess(&source).await });
    let refused = |error: TableError| {
        let help = match &error {
            TableError::OutsideRoots { .. } => {
                Some("tables lie in the project's folder: move the data there, or list its folder under `roots`")
            }
            TableError::InvalidOption { option, .. } if option == "encoding" => {
                Some("`qtool add table --encoding NAME` says it, by a name of the Encoding Standard")
            }
            _ => None,
        };
        terminal::error(&error.to_string(), help.as_slice());
        Outcome::CouldNotRun
    };
    guessed.ok_or(Outcome::CouldNotRun)?.map_err(refused)
}

/// The text of `qtool.yaml` with the entry, and the table as it is read then.
fn tried(dir: &Path, before: &crate::project::ProjectFile, entry: &Entry) -> Result<(String, Added), Outcome> {
    let text = std::fs::read_to_string(dir.join(load::PROJECT_FILE)).map_err(|error| {
        terminal::error(&format!("cannot read qtool.yaml: {}", load::io_reason(&error)), &[]);
        Outcome::CouldNotRun
    })?;
    let block = entry.block();
    let by_hand = |why: &str| {
        terminal::error(&format!("{why}, where no lines can be added"), &["put this below `tables` yourself"]);
        terminal::err(&block);
        Outcome::CouldNotRun
    };
    let text = load::with_table(&text, &block).map_err(|why| by_hand(&why.to_string()))?;
    let mut over = Memory::default();
    over.insert(PathBuf::from(load::PROJECT_FILE), text.clone());
    let disk = Disk::new(dir);
    let loaded = Workspace::of_files(dir, &Overlay::new(over, &disk));
    let workspace = loaded.map_err(|_| by_hand("qtool.yaml is written in a way"))?;
    let mut expected = before.clone();
    if let Some(table) = workspace.project.file.tables.get(entry.name()) {
        expected.tables.insert(entry.name().to_owned(), table.clone());
    }
    if serde_json::to_value(&expected).ok() != serde_json::to_value(&workspace.project.file).ok() {
        return Err(by_hand("qtool.yaml is written in a way"));
    }
    let (name, sources) = (entry.name().to_owned(), workspace.project.sources.clone());
    let added = block_on(async move { workspace.try_table(&name).await });
    let added = added.ok_or(Outcome::CouldNotRun)?.map_err(|problems| failed(problems, &sources, entry))?;
    Ok((text, added))
}

/// Says why a table cannot be read with what was found out, and what was noticed.
fn failed(problems: Vec<Diagnostic>, sources: &Sources, entry: &Entry) -> Outcome {
    // They speak of lines that nobody has written.
    let without_place = |problem| Diagnostic { primary: None, secondary: Vec::new(), ..problem };
    let problems: Vec<Diagnostic> = problems.into_iter().map(without_place).collect();
    print(&problems, sources);
    let remarks: Vec<&str> = entry.remarks().collect();
    terminal::error(&format!("table `{}` was not added", entry.name()), &remarks);
    Outcome::Problems
}

fn written(dir: &Path, text: &str, name: &str, added: &Added) -> Result<(), Outcome> {
    let could_not = |what: String, error: std::io::Error| {
        terminal::error(&format!("cannot write {what}: {}", load::io_reason(&error)), &[]);
        Outcome::CouldNotRun
    };
    load::write_lock(dir, name, None, &added.table)
        .map_err(|error| could_not(format!("the lock of `{name}`"), error))?;
    let path = dir.join(load::PROJECT_FILE);
    load::write_atomically(&path, text.as_bytes()).map_err(|error| could_not("qtool.yaml".to_owned(), error))
}

/// `1 column`, `2 columns`.
fn columns(added: &Added) -> String {
    count(added.table.columns.len(), "column")
}
