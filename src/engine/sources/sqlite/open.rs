//! Connections to a file of SQLite: read-only, and good for nothing but reading its tables.

use super::super::error::SourceError;
use super::guard;
use crate::engine::hurry;
use crate::engine::open_table::DataVersion;
use crate::engine::tables::{Roots, TableError};
use crate::plan::stop;
use crate::project::SqliteConfig;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, ffi};
use std::collections::hash_map::DefaultHasher;
use std::fs::Metadata;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// How many steps of its program a statement makes between two looks whether anybody waits: some tens of microseconds.
const STEPS: i32 = 4_000;

/// How long is waited for somebody who writes.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often it is looked whether they are done.
const MOST_WAITS: u32 = 200;

/// The longest value that is read.
const LONGEST: i32 = 64 << 20;

/// The statements of a connection that are kept.
const STATEMENTS: usize = 64;

/// Connections of one file.
#[derive(Debug)]
pub(super) struct Connections {
    source: String,
    /// The path as it is written.
    written: String,
    roots: Roots,
    most_idle: usize,
    purpose: Purpose,
    idle: Mutex<Vec<Open>>,
    /// A connection that nothing is asked over: it sees what others commit.
    watcher: Mutex<Option<Open>>,
}

/// What connections are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// What is written here is sent: tables are read and described.
    Tables,
    /// What authors have written is sent: SQLite asks for each of its parts whether it may be.
    Statements,
    /// The same of what changes data.
    Changes,
}

/// How long ago a file was written at the least, for its time to tell the next writing: clocks of file systems are coarse.
const SETTLED: Duration = Duration::from_millis(100);

/// A connection, and which file it is to: one that takes its place is another.
#[derive(Debug)]
struct Open {
    connection: Connection,
    file: Identity,
    seen: Seen,
}

/// How a file was when its connection was last used, and what SQLite called that. Whoever writes through SQLite changes both;
/// who copies another file over this one may change the first alone, and SQLite would go on with the pages that it has.
#[derive(Debug, Clone, Copy)]
struct Seen {
    stamp: Stamp,
    version: i64,
}

/// How a file is from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Stamp {
    length: u64,
    written: Option<SystemTime>,
}

impl Stamp {
    fn of_file(metadata: &Metadata) -> Stamp {
        Stamp { length: metadata.len(), written: metadata.modified().ok() }
    }

    /// Whether the next writing will have another time.
    fn is_settled(self) -> bool {
        self.written.and_then(|written| written.elapsed().ok()).is_some_and(|age| age >= SETTLED)
    }
}

impl Open {
    /// A connection that was made just now, to a file that was so before.
    fn new(connection: Connection, (file, stamp): (Identity, Stamp)) -> rusqlite::Result<Open> {
        let version = data_version(&connection)?;
        Ok(Open { connection, file, seen: Seen { stamp, version } })
    }

    /// Whether what it has of its file is of the file as it is now. A file that was written without SQLite is read anew.
    fn is_current(&mut self, stamp: Stamp) -> bool {
        if self.seen.stamp == stamp && stamp.is_settled() {
            return true;
        }
        let version = match hurry::without_waiting(|| data_version(&self.connection)) {
            Ok(version) => version,
            // Somebody writes through SQLite, and changes what it calls the state. They are waited for once, by the query.
            Err(rusqlite::Error::SqliteFailure(
                ffi::Error { code: ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, .. },
                _,
            )) => return true,
            Err(_) => return false,
        };
        let is_told = self.seen.version != version;
        self.seen = Seen { stamp, version };
        is_told
    }
}

/// A number that changes when another connection commits.
fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// What tells a file from another that has its name later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Identity {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
}

impl Identity {
    #[cfg(unix)]
    fn of_file(metadata: &Metadata) -> Identity {
        use std::os::unix::fs::MetadataExt;
        Identity { device: metadata.dev(), inode: metadata.ino() }
    }

    /// Elsewhere a file that is open is not replaced.
    #[cfg(not(unix))]
    fn of_file(_: &Metadata) -> Identity {
        Identity {}
    }
}

/// A connection as long as it is used.
pub(super) struct Lease<'a> {
    connections: &'a Connections,
    open: Option<Open>,
    /// What stands in for a connection that is gone, which is never.
    source: &'a str,
}

impl Lease<'_> {
    /// The connection.
    pub(super) fn connection(&self) -> Result<&Connection, SourceError> {
        match &self.open {
            Some(open) => Ok(&open.connection),
            None => Err(SourceError::Busy { source: self.source.to_owned() }),
        }
    }

    /// The connection, to be changed.
    pub(super) fn connection_mut(&mut self) -> Result<&mut Connection, SourceError> {
        match &mut self.open {
            Some(open) => Ok(&mut open.connection),
            None => Err(SourceError::Busy { source: self.source.to_owned() }),
        }
    }

    /// A number for each state of the schema, as this connection sees it. In a transaction, it takes the lock of readers, for as
    /// long as that lasts: somebody else who holds all of the file is waited for once, here.
    pub(super) fn schema_state(&self) -> rusqlite::Result<u64> {
        let open = self.open.as_ref().ok_or(rusqlite::Error::InvalidQuery)?;
        let mut statement = open.connection.prepare_cached("PRAGMA schema_version")?;
        let version: i64 = statement.query_row([], |row| row.get(0))?;
        let mut hasher = DefaultHasher::new();
        (open.file, version).hash(&mut hasher);
        Ok(hasher.finish())
    }

    /// Begins a transaction that nobody else writes beside. It ends with `COMMIT`, or where it is given up.
    pub(super) fn begin(&self) -> rusqlite::Result<()> {
        let open = self.open.as_ref().ok_or(rusqlite::Error::InvalidQuery)?;
        // Whoever reads is waited for now, and not when it is to last: then nobody would know for a while what becomes of it.
        execute(&open.connection, "BEGIN EXCLUSIVE")
    }

    /// Makes such a transaction last.
    pub(super) fn commit(&mut self) -> rusqlite::Result<()> {
        let open = self.open.as_mut().ok_or(rusqlite::Error::InvalidQuery)?;
        execute(&open.connection, "COMMIT")?;
        // What was written just now is nobody else's.
        if let Some((_, stamp)) = self.connections.looked_at() {
            open.seen.stamp = stamp;
        }
        Ok(())
    }

    /// Takes it back.
    pub(super) fn roll_back(&self) {
        if let Some(open) = self.open.as_ref().filter(|open| !open.connection.is_autocommit()) {
            // Where it cannot be ended, the connection says so to who has it next.
            let _ = execute(&open.connection, "ROLLBACK");
        }
    }

    /// What is kept of it, to be leased again.
    pub(super) fn kept(mut self) -> Kept {
        Kept(self.open.take())
    }

    /// Begins a transaction that ends with what is returned. Both statements are kept: to prepare them takes as long as a row.
    pub(super) fn reading(&self) -> rusqlite::Result<Snapshot<'_>> {
        let open = self.open.as_ref().ok_or(rusqlite::Error::InvalidQuery)?;
        execute(&open.connection, "BEGIN")?;
        Ok(Snapshot(&open.connection))
    }

    /// Ends statements of the connection from now on where nobody waits for them.
    pub(super) fn watch(&mut self, is_given_up: impl Fn() -> bool + Send + 'static) -> Result<(), SourceError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        // On the threads of a call, they know themselves whether anybody waits for it.
        let handler = Some(move || stop::check().is_err() || hurry::is_late() || is_given_up());
        open.connection.progress_handler(STEPS, handler).map_err(|_| SourceError::Cancelled)
    }

    /// The name of the database.
    pub(super) fn source(&self) -> &str {
        self.source
    }

    /// Whether the file was written without SQLite since the connection was looked for: pages of two files may have been read.
    /// Who writes through SQLite waits until nobody reads, but for the pages of a log that are written back.
    pub(super) fn is_overwritten(&self) -> bool {
        let (Some(open), Some((file, stamp))) = (&self.open, self.connections.looked_at()) else { return false };
        if file != open.file || stamp == open.seen.stamp {
            return false;
        }
        let is_committed = data_version(&open.connection).is_ok_and(|version| version != open.seen.version);
        let has_log = || {
            let mode = open.connection.query_row("PRAGMA journal_mode", [], |row| row.get::<_, String>(0));
            mode.is_ok_and(|mode| mode.eq_ignore_ascii_case("wal"))
        };
        !is_committed && !has_log()
    }

    /// What came of a query. Where the file could not be read, nobody uses the connection again: what it holds of it is wrong,
    /// though the file may be whole by now.
    pub(super) fn judged<T>(&mut self, outcome: Result<T, SourceError>) -> Result<T, SourceError> {
        if matches!(outcome, Err(SourceError::Down { .. })) {
            self.open = None;
        }
        outcome
    }
}

/// A connection between two uses of it.
pub(super) struct Kept(Option<Open>);

/// A transaction, which nothing is kept of.
pub(super) struct Snapshot<'a>(&'a Connection);

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Where it cannot be ended, the connection says so to who has it next.
        let _ = execute(self.0, "ROLLBACK");
    }
}

fn execute(connection: &Connection, statement: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(statement)?.execute([]).map(drop)
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        // What it asks belongs to the query that is over: a receiver would wait for its sender.
        if open.connection.progress_handler(0, None::<fn() -> bool>).is_err() {
            return;
        }
        let mut idle = self.connections.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.connections.most_idle {
            idle.push(open);
        }
    }
}

impl Connections {
    pub(super) fn new(name: &str, config: &SqliteConfig, roots: Roots, purpose: Purpose) -> Connections {
        let most_idle = config.max_idle_connections();
        Connections {
            source: name.to_owned(),
            written: config.path.clone(),
            roots,
            most_idle,
            purpose,
            idle: Mutex::default(),
            watcher: Mutex::default(),
        }
    }

    /// The name of the database.
    pub(super) fn source(&self) -> &str {
        &self.source
    }

    /// Where the file is.
    ///
    /// Errors: there is no such file any more.
    pub(super) fn path(&self) -> Result<PathBuf, SourceError> {
        self.file().map(|(path, _)| path)
    }

    /// A connection: one that rests, or a new one.
    ///
    /// Errors: there is no such file any more, or it cannot be opened.
    pub(super) fn lease(&self) -> Result<Lease<'_>, SourceError> {
        let open = match self.looked_at().and_then(|look| self.resting(look)) {
            Some(open) => open,
            None => {
                let (path, look) = self.file()?;
                match self.resting(look) {
                    Some(open) => open,
                    None => self.opened(&path, look)?,
                }
            }
        };
        Ok(Lease { connections: self, open: Some(open), source: &self.source })
    }

    /// The connection that was kept.
    pub(super) fn again(&self, kept: Kept) -> Lease<'_> {
        Lease { connections: self, open: kept.0, source: &self.source }
    }

    /// A connection to a file that rests. What the file has replaced is closed.
    fn resting(&self, (file, stamp): (Identity, Stamp)) -> Option<Open> {
        loop {
            let mut open = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
            if open.file == file && open.is_current(stamp) {
                return Some(open);
            }
        }
    }

    /// Which file has the name now, at the cost of one look. A connection to the same file was made when all of its path was
    /// looked at; where it lies since, and by which links, does not make it another.
    fn looked_at(&self) -> Option<(Identity, Stamp)> {
        let metadata = self.roots.written_path(&self.written).metadata().ok()?;
        (metadata.is_file() && metadata.len() > 0).then(|| (Identity::of_file(&metadata), Stamp::of_file(&metadata)))
    }

    /// A number for each state of the data, which the next one will not have. Where somebody holds the file, nobody can tell: it is
    /// asked where calls come in, one behind the other, before any of them has a deadline.
    pub(super) fn data_version(&self) -> DataVersion {
        match hurry::without_waiting(|| self.watched()) {
            Some((stamp, version)) if stamp.is_settled() => DataVersion::Of(version),
            _ => DataVersion::Unsettled,
        }
    }

    /// A number for the state of the data now. Another file that is copied over this one in the same moment may have the same.
    pub(super) fn data_state(&self) -> DataVersion {
        hurry::without_waiting(|| self.watched())
            .map_or(DataVersion::Unsettled, |(_, version)| DataVersion::Of(version))
    }

    fn watched(&self) -> Option<(Stamp, u64)> {
        let mut watcher = self.watcher.lock().unwrap_or_else(PoisonError::into_inner);
        let looked = self.looked_at();
        if watcher.as_ref().is_none_or(|open| looked.is_none_or(|(file, _)| file != open.file)) {
            let (path, look) = self.file().ok()?;
            *watcher = self.opened(&path, look).ok();
        }
        let (open, (_, stamp)) = (watcher.as_ref()?, looked?);
        // What other connections commit changes it, as it is seen by this one; another file in its place has another time.
        let version = data_version(&open.connection).ok()?;
        let mut hasher = DefaultHasher::new();
        (open.file, stamp, version).hash(&mut hasher);
        Some((stamp, hasher.finish()))
    }

    /// Where the file is, and which it is.
    fn file(&self) -> Result<(PathBuf, (Identity, Stamp)), SourceError> {
        let path = self.roots.resolve_file(&self.written).map_err(|error| self.missing(&error))?;
        let metadata = path.metadata().map_err(|error| self.down(format!("`{}`: {}", self.written, error.kind())))?;
        if !metadata.is_file() {
            return Err(self.down(format!("`{}` is no file", self.written)));
        }
        // SQLite takes it for a database without tables.
        if metadata.len() == 0 {
            return Err(self.down(format!("`{}` is empty", self.written)));
        }
        Ok((path, (Identity::of_file(&metadata), Stamp::of_file(&metadata))))
    }

    /// Why there is no file.
    fn missing(&self, error: &TableError) -> SourceError {
        match error {
            TableError::OutsideRoots { path } => {
                SourceError::OutsideRoots { source: self.source.clone(), path: path.clone() }
            }
            TableError::Misspelt { near, .. } => self.down(format!("{}; there is `{near}`", error.message())),
            other => self.down(other.message()),
        }
    }

    fn down(&self, why: String) -> SourceError {
        SourceError::Down { source: self.source.clone(), why }
    }

    /// A new connection to a file, which looked so before.
    fn opened(&self, path: &Path, look: (Identity, Stamp)) -> Result<Open, SourceError> {
        // Nobody but SQLite opens the file: closing it would take away the locks that all other connections of the process
        // hold on it (<https://sqlite.org/howtocorrupt.html>, 2.2).
        let opened = open(path, self.purpose).and_then(|mut connection| {
            match self.purpose {
                Purpose::Statements => guard::install(&mut connection)?,
                // Nothing may be written before it is said what.
                Purpose::Changes => guard::install_changing(&mut connection, Vec::new())?,
                // Else SQLite looks at values while it plans, and plans anew with each of them.
                Purpose::Tables => {
                    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
                }
            }
            Open::new(connection, look)
        });
        opened.map_err(|error| match &error {
            rusqlite::Error::SqliteFailure(failure, _) if failure.extended_code == ffi::SQLITE_READONLY_ROLLBACK => {
                self.down(format!("`{}`: {CUT_OFF}", self.written))
            }
            // It says that it cannot write where it may not make that file.
            rusqlite::Error::SqliteFailure(
                ffi::Error { code: ErrorCode::CannotOpen | ErrorCode::ReadOnly, .. },
                _,
            ) => {
                let why = "its journal is in WAL mode, for which SQLite writes a file beside it, and its folder cannot be \
                     written to: let it be writable, or run `PRAGMA journal_mode = DELETE` once";
                self.down(format!("`{}` cannot be opened; where {why}", self.written))
            }
            rusqlite::Error::SqliteFailure(
                ffi::Error { code: ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked, .. },
                _,
            ) => SourceError::Busy { source: self.source.clone() },
            _ => self.down(format!("`{}`: {}", self.written, reason(&error))),
        })
    }
}

/// What is told of a file with the journal of a transaction beside it that nobody has ended.
pub(super) const CUT_OFF: &str = "who wrote was cut off in the midst of it, and what was written is to be taken back first: \
     whoever opens the file for writing does so";

/// What SQLite says of a failure, without its message: that may hold parts of a file.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::NotADatabase => "it is no database of SQLite, or is encrypted".to_owned(),
            ErrorCode::DatabaseCorrupt => "it is damaged".to_owned(),
            ErrorCode::PermissionDenied | ErrorCode::AuthorizationForStatementDenied => "permission denied".to_owned(),
            _ => format!("SQLite fails with code {}", failure.extended_code),
        },
        _ => "SQLite fails".to_owned(),
    }
}

/// Waits for somebody who writes, and says whether to try again. Where others wait for the thread, nobody is waited for.
fn waits(tries: i32) -> bool {
    let tries = u32::try_from(tries).unwrap_or(u32::MAX);
    if hurry::is_hurrying() || tries >= MOST_WAITS || stop::check().is_err() {
        return false;
    }
    std::thread::sleep(PATIENCE / MOST_WAITS);
    true
}

/// Opens a file. The path is absolute: SQLite takes one that begins with `file:` for a URI, which may ask for anything.
fn open(path: &Path, purpose: Purpose) -> rusqlite::Result<Connection> {
    let is_change = purpose == Purpose::Changes;
    let access = if is_change { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_handler(Some(waits))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    for (config, wanted) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        // A quoted name that no column has is a mistake, and not a text: a column that is gone would be one otherwise.
        (DbConfig::SQLITE_DBCONFIG_DQS_DML, false),
        (DbConfig::SQLITE_DBCONFIG_DQS_DDL, false),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
        // They see to it that what is written is sound.
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, purpose != Purpose::Tables),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_FKEY, purpose != Purpose::Tables),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_CREATE, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_ATTACH_WRITE, false),
    ] {
        connection.set_db_config(config, wanted)?;
    }
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
    // A file that another program cuts would end this one, were it read as memory.
    connection.execute_batch(
        "PRAGMA cell_size_check = 1; PRAGMA mmap_size = 0; PRAGMA cache_size = -8000; PRAGMA temp_store = 2;",
    )?;
    // What was said to be done is on the disk by then.
    connection.execute_batch(if is_change { "PRAGMA synchronous = FULL;" } else { "PRAGMA query_only = 1;" })?;
    // The file is read now, and not when the first row is wanted.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(connection)
}
