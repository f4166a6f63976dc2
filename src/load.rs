//! Reads a project's files. The only module that reads what the user wrote; it knows no SQL.

mod atomic;
mod derivations;
mod disk;
mod environments;
mod files;
mod included;
mod insert;
mod listing;
mod manifests;
mod memory;
mod misnamed;
mod others;
mod queries;
mod records;
mod signatures;
mod sources;
mod upstreams;

pub use atomic::{leads_out, remove_left_over, write_atomically};
pub use disk::{Disk, choose_environment, chosen_environment};
pub use files::{Entry, FileError, Files, Folder};
pub use included::{SOURCE_LOCKS, Unlisted, included_tables, locked_list, tables_without_line, write_list};
pub use insert::{NotInserted, with_entry, with_table};
pub use memory::{Memory, Overlay};
pub use signatures::{Describes, SelfDescribed, self_described, signature_path, write_signature};
pub use upstreams::{upstream_path, write_upstream};

use crate::catalog::lock::BadLock;
use crate::catalog::{Catalog, StatementAnswer, Table, lock, statement_lock, values};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::name::{is_legal, is_legal_table};
use crate::project::{
    ColumnSource, EvalFile, KnownUpstreams, Project, ProjectFile, SourceConfig, TableSource, UnpreparedStatement,
    UnreadValues,
};
use crate::source::{FileId, Sources, Span};
use crate::syntax::relatives::find_relatives;
use crate::ty::Type;
use crate::ty::nearest_zone::nearest_zone;
use crate::yaml::{Document, Shape};
use indexmap::IndexMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The file that makes a folder a project.
pub const PROJECT_FILE: &str = "qtool.yaml";
/// Where query files lie.
pub const QUERIES: &str = "queries";
/// Where manifests of programs lie.
pub const MANIFESTS: &str = "tools";
/// What a file of tests is called behind the name of its query.
pub const TESTS: &str = ".test.yaml";
/// Where prompt files lie.
pub const PROMPTS: &str = "prompts";
/// Where evaluation files lie.
pub const EVALS: &str = "evals";
/// Where the schemas of tables are locked.
pub const TABLE_LOCKS: &str = "snapshots/tables";
/// Where the values are locked that queries of allowed values gave.
pub const VALUE_LOCKS: &str = "snapshots/allowed_values";

/// Where the answers of databases are locked about queries in their own SQL.
pub const STATEMENT_LOCKS: &str = "snapshots/statements";

/// Where it is locked what other servers say of their tools.
pub const UPSTREAM_LOCKS: &str = "snapshots/upstreams";

/// Where the tools lie that were accepted.
pub const ACCEPTED: &str = "snapshots/tools";
/// The folder of what was accepted of other servers beside their tools, below the project's.
pub const ACCEPTED_OFFERS: &str = "snapshots/offered";

/// Where the signatures of functions in Python are locked.
pub const FUNCTION_LOCKS: &str = "snapshots/functions";

/// Where it is locked what programs in Fractalic's convention say of themselves.
pub const PROGRAM_LOCKS: &str = "snapshots/simple_json";

/// The largest text file that is read. A query of that size has other problems.
const MAX_FILE_SIZE: u64 = 4 << 20;

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::of::<ProjectFile>);

/// A project as far as its files go: the catalog holds the locked tables only.
#[derive(Debug)]
pub struct Loaded {
    /// The project.
    pub project: Project,
    /// `qtool.yaml` with variables as they are written: what leaves this machine.
    pub written: ProjectFile,
    /// Tables of `qtool.yaml` without a locked schema.
    pub unlocked: Vec<String>,
    /// Databases whose tables are included, and of which it is not locked which these are.
    pub unlisted: Vec<Unlisted>,
    /// Manifests whose functions or programs say themselves what they take, and of which that is not locked.
    pub undescribed: Vec<SelfDescribed>,
    /// Tables whose locked schema cannot be read, and why. They are not in the catalog.
    pub damaged: IndexMap<String, BadLock>,
    /// What there is to say so far.
    pub diagnostics: Diagnostics,
}

/// A project that cannot be loaded at all.
#[derive(Debug)]
pub struct LoadFailed {
    /// The texts that were read.
    pub sources: Sources,
    /// Why.
    pub diagnostics: Diagnostics,
}

/// The nearest folder, this one or above, that has a `qtool.yaml`.
pub fn find(start: &Path) -> Option<PathBuf> {
    start.ancestors().find(|dir| dir.join(PROJECT_FILE).is_file()).map(Path::to_path_buf)
}

/// Loads a project.
pub fn load(files: &dyn Files) -> Result<Loaded, LoadFailed> {
    let mut sources = Sources::default();
    let mut sink = Diagnostics::default();
    let Some((mut written, document)) = project_file(files, &mut sources, &mut sink) else {
        return Err(LoadFailed { sources, diagnostics: sink });
    };
    let Some(mut file) = with_variables(&written, &document, files, &mut sink) else {
        return Err(LoadFailed { sources, diagnostics: sink });
    };
    check_names(&file, &document, &mut sink);
    let unlisted = included::include_tables(files, (&mut file, &mut written), &document, &mut sink);
    let records = records::include_records(files, (&mut file, &mut written), &document, &mut sources, &mut sink);
    others::check_folder(files, &mut sink);
    let mut queries = queries::queries(files, &mut sources, &mut sink);
    queries.extend(manifests::manifests(files, &mut sources, &mut sink));
    let undescribed = signatures::locked(files, &mut queries, &mut sources);
    find_relatives(&mut queries, &sources);
    let mut prompts = others::prompts(files, &mut sources, &mut sink);
    prompts.extend(others::skills(files, &file.records, &mut sources, &mut sink));
    let mut catalog = Catalog::default();
    let mut unlocked = Vec::new();
    let mut damaged = IndexMap::new();
    for name in file.tables.keys() {
        match locked_table(files, name) {
            Ok(Some(table)) if has_declared_types(&table, &file, name) => {
                catalog.tables.insert(name.clone(), table);
            }
            Ok(_) => unlocked.push(name.clone()),
            Err(why) => {
                damaged.insert(name.clone(), why);
            }
        }
    }
    let upstreams =
        KnownUpstreams { locked: upstreams::locked(files, &file, &document, &mut sink), ..KnownUpstreams::default() };
    let (allowed_values, statements) = Default::default();
    let project =
        Project { sources, file, document, queries, prompts, catalog, allowed_values, statements, records, upstreams };
    Ok(Loaded { project, written, unlocked, unlisted, undescribed, damaged, diagnostics: sink })
}

fn project_file(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Option<(ProjectFile, Document)> {
    let id = read(files, Path::new(PROJECT_FILE), sources, sink)?;
    let source = sources.get(id)?;
    let document = Document::parse(source, source.whole(), sink)?;
    let has_secrets = sources::has_secrets(&document);
    let environment = files.environment();
    let read = read_project(&document, sink);
    let read = read.and_then(|file| environments::chosen(file, document, environment.as_deref(), sink));
    if has_secrets {
        sink.reword(Diagnostic::hides_line);
    }
    let (file, document) = read?;
    if let Some(zone) = &file.time_zone
        && crate::ty::coerce::TimeZoneName::parse(zone).is_none()
    {
        let span = document.value_span(&["time_zone"]);
        let expected = "the name of a time zone such as `Europe/Berlin`, or an offset";
        let diagnostic = codes::invalid_value(span, expected, &format!("`{zone}`"));
        sink.push(codes::meant(diagnostic, zone, nearest_zone(zone).as_deref()));
    }
    Some((file, document))
}

/// What `qtool.yaml` says, with all that is wrong in its form.
fn read_project(document: &Document, sink: &mut Diagnostics) -> Option<ProjectFile> {
    let errors = sink.errors();
    let rest = sources::without_secrets(document, sink);
    let file = rest.read_with(&SHAPE, sink, &|rest, sink| sources::check(rest, document, sink));
    file.filter(|_| sink.errors() == errors)
}

/// The project with variables of the environment in its paths and addresses.
fn with_variables(
    written: &ProjectFile,
    document: &Document,
    files: &dyn Files,
    sink: &mut Diagnostics,
) -> Option<ProjectFile> {
    let flaws = match written.with_variables(&|name| files.variable(name)) {
        Ok(file) => return Some(file),
        Err(flaws) => flaws,
    };
    for flaw in flaws {
        let path: Vec<&str> = flaw.at.iter().map(String::as_str).collect();
        let diagnostic = codes::invalid_setting(document.value_span(&path), &flaw.why);
        sink.push(flaw.help.into_iter().fold(diagnostic, Diagnostic::help));
    }
    None
}

fn check_names(file: &ProjectFile, document: &Document, sink: &mut Diagnostics) {
    for name in file.tables.keys() {
        if !is_legal_table(name) {
            sink.push(codes::invalid_table_name(document.key_span(&["tables", name]), name));
        }
    }
}

/// The evaluation files below `evals/`, sorted by path; what cannot be read is reported and left out.
pub fn eval_files(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<EvalFile> {
    others::evals(files, sources, sink)
}

/// The files of tests below `queries/` and `tools/`, sorted by path; what cannot be read is reported and left out.
pub fn test_files(files: &dyn Files, sources: &mut Sources, sink: &mut Diagnostics) -> Vec<FileId> {
    let mut tests = queries::tests_beside(files, sources, sink);
    tests.extend(manifests::tests_beside(files, sources, sink));
    tests
}

/// A file of a folder that is called nearly as the file of a project.
pub fn nearly_project(dir: &Path) -> Option<String> {
    others::nearly_project(&Disk::new(dir))
}

fn read(files: &dyn Files, path: &Path, sources: &mut Sources, sink: &mut Diagnostics) -> Option<FileId> {
    read_named(files, (path, None), sources, sink)
}

/// Reads a file that something names, at that place.
fn read_named(
    files: &dyn Files,
    (path, place): (&Path, Option<Span>),
    sources: &mut Sources,
    sink: &mut Diagnostics,
) -> Option<FileId> {
    let shown = slashed(path);
    match files.read(path, MAX_FILE_SIZE).map(String::from_utf8) {
        Ok(Ok(text)) => Some(sources.add(shown, text)),
        Ok(Err(error)) => {
            sink.push(codes::not_utf8(&shown, error.utf8_error().valid_up_to()));
            None
        }
        Err(error) => {
            let why = match error {
                FileError::NotAFile => "it is no file".to_owned(),
                FileError::TooLarge => format!("it is larger than {} MiB", MAX_FILE_SIZE >> 20),
                FileError::Unreadable(error) => io_reason(&error),
            };
            sink.push(codes::unreadable_file(place, &shown, &why));
            None
        }
    }
}

/// Why a file operation failed, in words without the operating system's numbers.
pub fn io_reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        kind => kind.to_string(),
    }
}

fn slashed(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The locked schema of a table; `None` where there is none.
///
/// Errors: there is a file, and it is not one. It is not read anew in silence: what compiled yesterday would be another
/// tool today.
fn locked_table(files: &dyn Files, name: &str) -> Result<Option<Table>, BadLock> {
    // The name is told to be none.
    let Ok(path) = lock_path(Path::new(""), name) else { return Ok(None) };
    let bytes = match files.read(&path, u64::MAX) {
        Ok(bytes) => bytes,
        Err(FileError::Unreadable(error)) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(FileError::Unreadable(error)) => return Err(io_reason(&error).into()),
        Err(FileError::NotAFile | FileError::TooLarge) => return Err("it is no file".into()),
    };
    let text = String::from_utf8(bytes).map_err(|_| BadLock::from("it is not UTF-8"))?;
    lock::read(name, &text).map(Some)
}

/// The text of a lock: qtool has written it itself, however large it is.
fn locked_text(files: &dyn Files, path: &Path) -> Option<String> {
    String::from_utf8(files.read(path, u64::MAX).ok()?).ok()
}

/// Whether a lock has the columns that `qtool.yaml` declares; else it is from before they were declared.
fn has_declared_types(table: &Table, file: &ProjectFile, name: &str) -> bool {
    let Some(source) = file.tables.get(name) else { return true };
    if !is_of_source(table, source, file, name) {
        return false;
    }
    let is_left_out = |column: &String| source.columns().get(column).is_some_and(ColumnSource::is_left_out);
    if table.columns.iter().any(|column| is_left_out(&column.name)) {
        return false;
    }
    // The contract has all the columns of records in a folder, and the data has no say.
    let names = || table.columns.iter().map(|column| column.name.as_str());
    let is_folder = file.records.get(name).is_some_and(|records| records.source.is_none());
    if is_folder && !names().eq(source.columns().keys().map(String::as_str)) {
        return false;
    }
    source.declared_types().all(|(column, declared)| {
        let locked = table.columns.iter().find(|known| known.name == column);
        match (locked, Type::parse(declared)) {
            // Text, UUID and JSON are one Arrow type.
            (Some(locked), Ok(declared)) => locked.ty() == Type::from_arrow(&declared.to_arrow()),
            _ => false,
        }
    })
}

/// Whether a lock is of the table that `qtool.yaml` names, in files or in that database.
fn is_of_source(table: &Table, source: &TableSource, file: &ProjectFile, name: &str) -> bool {
    match (source, &table.native) {
        (TableSource::Files(_), native) => native.is_none(),
        (TableSource::Database(source), Some(native)) => {
            let kind = file.sources.get(&source.source).map(SourceConfig::kind);
            kind == Some(native.kind) && native.is_named(&source.native_name(name))
        }
        (TableSource::Database(_), None) => false,
    }
}

/// The file that a table's schema is locked in.
///
/// Errors: the name is none of a table, and might lead anywhere.
fn lock_path(dir: &Path, table: &str) -> std::io::Result<PathBuf> {
    let is_legal = is_legal_table(table);
    is_legal.then(|| dir.join(TABLE_LOCKS).join(format!("{table}.snap"))).ok_or_else(no_file_name)
}

/// Locks a table's schema. Written beside and renamed, so that a lock is never half there. `source` is the database because
/// of which it is a table, where it has no line of its own.
pub fn write_lock(dir: &Path, name: &str, source: Option<&str>, table: &Table) -> std::io::Result<()> {
    let text = match source {
        Some(source) => lock::write_included(source, name, table),
        None => lock::write(name, table),
    };
    write_atomically(&lock_path(dir, name)?, text.as_bytes())
}

/// Removes the lock of a table that is none any more.
pub fn remove_lock(dir: &Path, name: &str) -> std::io::Result<()> {
    match std::fs::remove_file(lock_path(dir, name)?) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The file that the values of a parameter of a query are locked in.
///
/// Errors: the names are none of a tool and a parameter, and might lead anywhere.
fn values_path(dir: &Path, query: &str, parameter: &str) -> std::io::Result<PathBuf> {
    // A field of a list of rows has the list's name before a dot.
    let are_legal = is_legal(query) && parameter.split('.').all(is_legal);
    are_legal.then(|| dir.join(VALUE_LOCKS).join(format!("{query}.{parameter}.snap"))).ok_or_else(no_file_name)
}

fn no_file_name() -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidFilename, "no file is named so")
}

/// The locked values that a query of allowed values gave, where they are those of that query.
pub fn locked_values(files: &dyn Files, values: &UnreadValues) -> Option<Vec<serde_json::Value>> {
    let text = locked_text(files, &values_path(Path::new(""), &values.name, &values.key.1).ok()?)?;
    values::read(&text, &values.query)
}

/// Locks the values that a query of allowed values gave. `source` is the query file's path.
pub fn write_values(dir: &Path, source: &str, of: &UnreadValues, values: &[serde_json::Value]) -> std::io::Result<()> {
    let text = values::write(source, &of.query, values);
    write_atomically(&values_path(dir, &of.name, &of.key.1)?, text.as_bytes())
}

/// The file that the answer of a database about a query is locked in.
///
/// Errors: the name is none of a tool, and might lead anywhere.
fn statement_path(dir: &Path, query: &str) -> std::io::Result<PathBuf> {
    is_legal(query).then(|| dir.join(STATEMENT_LOCKS).join(format!("{query}.snap"))).ok_or_else(no_file_name)
}

/// The locked answer of a database about a query in its own SQL, where it is one about that text.
pub fn locked_statement(files: &dyn Files, of: &UnpreparedStatement) -> Option<StatementAnswer> {
    let text = locked_text(files, &statement_path(Path::new(""), &of.name).ok()?)?;
    statement_lock::read(&text, &of.name, &of.hash)
}

/// Removes the locked answers about queries that are none any more; their names.
pub fn remove_other_statements(dir: &Path, queries: &[String]) -> Vec<String> {
    let folder = Path::new(STATEMENT_LOCKS);
    let Ok(Some(found)) = Disk::new(dir).list(folder) else { return Vec::new() };
    let names = found.entries.iter().filter(|entry| !entry.is_folder).filter_map(|entry| entry.name.to_str());
    let is_other = |name: &&str| is_legal(name) && !queries.iter().any(|query| query == name);
    let others = names.filter_map(|name| name.strip_suffix(".snap")).filter(is_other);
    let is_removed = |name: &&str| std::fs::remove_file(dir.join(folder).join(format!("{name}.snap"))).is_ok();
    let mut removed: Vec<String> = others.filter(is_removed).map(str::to_owned).collect();
    removed.sort();
    removed
}

/// Locks the answer of a database about a query in its own SQL. `source` is the query file's path.
pub fn write_statement(
    dir: &Path,
    source: &str,
    of: &UnpreparedStatement,
    answer: &StatementAnswer,
) -> std::io::Result<()> {
    let text = statement_lock::write(source, &of.name, &of.hash, answer);
    write_atomically(&statement_path(dir, &of.name)?, text.as_bytes())
}

/// Writes a file that a person has named: a link stays a link, and what is no file (a pipe, a device) is written to.
pub fn write_output(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => std::fs::write(path, bytes),
        Ok(_) => write_atomically(&path.canonicalize()?, bytes),
        Err(_) => write_atomically(path, bytes),
    }
}

/// Where a table is declared in `qtool.yaml`.
pub fn table_span(project: &Project, table: &str) -> Span {
    project.table_span(table)
}

/// Where a table's path stands in `qtool.yaml`; of a table of a database, its name there, or else that of the database.
pub fn table_path_span(project: &Project, table: &str) -> Span {
    let is_written = |key: &&str| project.document.has(&["tables", table, key]);
    let key = ["path", "table", "source"].into_iter().find(is_written);
    key.map_or_else(|| project.table_span(table), |key| project.document.value_span(&["tables", table, key]))
}

/// Where a key of a table stands in `qtool.yaml`: `columns.speed`, say, or `roots` of the project itself.
pub fn table_option_span(project: &Project, table: &str, option: &str) -> Span {
    if option == "roots" {
        return project.document.value_span(&["roots"]);
    }
    if !project.document.has(&["tables", table]) {
        return project.table_span(table);
    }
    let mut path = vec!["tables", table];
    path.extend(option.split('.'));
    project.document.key_span(&path)
}
