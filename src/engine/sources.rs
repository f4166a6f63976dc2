//! Databases: tables whose rows another engine holds.
//!
//! A [`table`] says which filters its database evaluates exactly as they are evaluated here ([`pushed`]); what is asked of
//! it is data ([`remote_query`]) until the rows are wanted ([`exec`]). Then the values are evaluated, made binds ([`bind`]),
//! and the text is written ([`render`]): it holds keywords, quoted identifiers of the lock and placeholders, and nothing of
//! a caller. A [`driver`] sends it. Only the module of a database names its crate.

mod batch;
mod bind;
mod columns;
mod described;
mod dialect;
mod driver;
mod error;
mod exec;
mod facts;
mod fixture_rows;
mod guards;
mod identity;
mod io;
mod joint;
mod keyed;
mod learnt;
mod mysql;
mod names;
mod postgres;
mod pushdown;
mod pushed;
mod remote_query;
mod render;
mod request;
mod server;
mod shaped;
mod sqlite;
mod statement;
mod survey;
mod table;
mod witness;
mod written;

pub(super) use dialect::identifier;
pub(super) use driver::{CommitError, Ran, Reading, Transaction, Work};
pub(super) use error::{Rule, SourceError};
pub(super) use exec::{SOURCE, reading, reads_rows, states_of_shared};
pub use fixture_rows::{FixtureCell, FixtureError, FixtureRows};
pub(super) use identity::Identity;
pub(super) use keyed::{relying_on_keys, size_of_table};
pub(super) use pushdown::push;
pub use server::typed::use_address;
pub use statement::prepare_statement;
pub(super) use statement::{CallValue, StatementCall, StatementColumns};
pub use survey::{
    ForeignKey, ListedTable, Proposal, ProposalReason, RowEstimate, Surveyed, SurveyedColumn, SurveyedKind,
};

use super::open_table::{DataVersion, OpenTable};
use super::tables::{Roots, TableError};
use crate::catalog::{Catalog, Table};
use crate::project::record_ddl::HISTORY;
use crate::project::{DatabaseSource, ProjectFile, RecordsConfig, SourceConfig, TableSource};
use driver::Driver;
use futures::future::join_all;
use indexmap::IndexMap;
use mysql::Mysql;
use postgres::Postgres;
use sqlite::Sqlite;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// How many tables of servers are opened at once: fewer than there are connections, mostly.
const AT_ONCE: usize = 4;

/// The databases of a project. Each is opened when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Databases {
    drivers: IndexMap<String, Arc<dyn Driver>>,
    /// Those that somebody else held locked when a table was opened.
    held: Mutex<HashSet<String>>,
}

impl Databases {
    /// Those that a project declares. Nothing is opened.
    pub(super) fn declared(file: &ProjectFile, roots: &Roots) -> Databases {
        let driver = |(name, config): (&String, &SourceConfig)| (name.clone(), driver_of(name, config, roots));
        Databases { drivers: file.sources.iter().map(driver).collect(), held: Mutex::default() }
    }

    /// One that this statement makes, in a file that nobody else has.
    ///
    /// Errors: it cannot be made, in words.
    pub(super) fn image(name: &str, ddl: &str) -> Result<Databases, String> {
        let driver: Arc<dyn Driver> = Arc::new(Sqlite::image(name, ddl)?);
        Ok(Databases { drivers: IndexMap::from_iter([(name.to_owned(), driver)]), held: Mutex::default() })
    }

    /// The same, where tables of one of them hold other rows; `None` where there can be no copy of it.
    ///
    /// Errors: it cannot be copied, or a row does not fit its table.
    pub(super) fn with_rows(&self, source: &str, tables: &[FixtureRows]) -> Option<Result<Databases, FixtureError>> {
        let copy = self.drivers.get(source)?.with_rows(tables)?;
        Some(copy.map(|copy| {
            let mut drivers = self.drivers.clone();
            drivers.insert(source.to_owned(), copy);
            Databases { drivers, held: Mutex::default() }
        }))
    }

    /// Opens a table. `locked` is what is known of it where the database is down; where it is to be looked at whole, that is
    /// no help, and all its values are read.
    ///
    /// Errors: there is no such database or table, it cannot be read, or what is declared of it does not fit.
    pub(super) async fn open(
        &self,
        name: &str,
        source: &DatabaseSource,
        locked: Option<&Table>,
        is_whole: bool,
    ) -> Result<Arc<dyn OpenTable>, TableError> {
        let Some(driver) = self.drivers.get(&source.source) else {
            return Err(TableError::Unreadable { message: format!("there is no source `{}`", source.source) });
        };
        // One is waited for who holds the file, and not once for each of its tables.
        let held = || self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let is_held = held().contains(&source.source);
        let described = match is_held && locked.is_some() && !is_whole {
            true => Err(SourceError::Busy { source: source.source.clone() }),
            false => driver.describe(&source.native_name(name)).await,
        };
        if matches!(described, Err(SourceError::Busy { .. })) {
            held().insert(source.source.clone());
        }
        table::open(name, source, locked, described, (driver, is_whole)).await
    }

    /// Whether a change of some rows of a table may change others of it.
    ///
    /// Errors: the database cannot be reached.
    pub(super) async fn acts_by_itself(&self, source: &str, table: &[String]) -> Result<bool, SourceError> {
        match self.drivers.get(source) {
            Some(driver) => driver.acts_by_itself(table).await,
            None => Ok(false),
        }
    }

    /// What is done to records of a database can be told beside them. Of one that is down, nothing is said.
    ///
    /// Errors: there is no such table, or it has other columns.
    pub(super) async fn check_history(&self, name: &str, source: &DatabaseSource) -> Result<(), TableError> {
        let Some(driver) = self.drivers.get(&source.source) else { return Ok(()) };
        let table = RecordsConfig::history_table(&source.native_name(name));
        let has = |described: &driver::Described, wanted: &str| {
            described.native.columns.iter().any(|column| column.name == wanted)
        };
        let ddl = format!("`qtool records ddl {name}` prints it");
        match driver.describe(&table).await {
            Ok(described) => match HISTORY.iter().chain(&["line"]).find(|wanted| !has(&described, wanted)) {
                None => Ok(()),
                Some(missing) => {
                    let table = table.join(".");
                    let message = format!("its history, the table `{table}`, has no column `{missing}`: {ddl}");
                    Err(TableError::Unreadable { message })
                }
            },
            Err(SourceError::NoTable { .. }) => {
                let message =
                    format!("its history is told in the table `{}`, which is not there: {ddl}", table.join("."));
                Err(TableError::Unreadable { message })
            }
            Err(_) => Ok(()),
        }
    }

    /// Opens those of the named tables that lie in servers, a few at a time, because most of that is waiting. Their values are
    /// not looked at: that takes a connection for as long as it takes.
    pub(super) async fn open_of_servers<'a>(
        &self,
        file: &ProjectFile,
        catalog: &Catalog,
        names: &[&'a str],
    ) -> HashMap<&'a str, Result<Arc<dyn OpenTable>, TableError>> {
        let of_server = |name: &&'a str| match file.tables.get(*name)? {
            TableSource::Database(source) if self.server(&source.source).is_some() => Some((*name, source.as_ref())),
            _ => None,
        };
        let tables: Vec<(&str, &DatabaseSource)> = names.iter().filter_map(of_server).collect();
        let mut opened = HashMap::with_capacity(tables.len());
        for few in tables.chunks(AT_ONCE) {
            let open = |(name, source): &(&'a str, &DatabaseSource)| {
                let (name, source) = (*name, (*source).clone());
                async move { (name, self.open(name, &source, catalog.tables.get(name), false).await) }
            };
            opened.extend(join_all(few.iter().map(open)).await);
        }
        opened
    }

    /// What asks the database of that name.
    fn driver(&self, source: &str) -> Option<&Arc<dyn Driver>> {
        self.drivers.get(source)
    }

    /// The name of a database, where that is a server, which may keep a call waiting.
    pub(super) fn server(&self, source: &str) -> Option<Arc<str>> {
        self.driver(source).filter(|driver| driver.kind().is_server()).map(|_| source.into())
    }

    /// Whether a database can be reached now.
    pub(super) fn is_reachable(&self, source: &str) -> bool {
        self.driver(source).is_some_and(|driver| driver.is_reachable())
    }

    /// A number for each state of the data of a database, where it can be told at little cost.
    pub(super) fn data_version(&self, source: &str) -> DataVersion {
        self.driver(source).map_or(DataVersion::Untold, |driver| driver.data_version())
    }
}

/// What asks a database. Nothing is opened.
fn driver_of(name: &str, config: &SourceConfig, roots: &Roots) -> Arc<dyn Driver> {
    match config {
        SourceConfig::Sqlite(config) => Arc::new(Sqlite::new(name, config, roots.clone())),
        SourceConfig::Postgres(config) => Arc::new(Postgres::new(name, config, roots.clone())),
        SourceConfig::Mysql(config) => Arc::new(Mysql::new(name, config, roots.clone())),
    }
}

/// What a database has. Paths are relative to `dir`, and lie in it or in one of `roots`.
///
/// Errors: it cannot be reached or opened.
pub async fn survey_database(
    dir: &Path,
    roots: &[String],
    name: &str,
    config: &SourceConfig,
) -> Result<Vec<Surveyed>, TableError> {
    let roots = Roots::new(dir, roots)?;
    driver_of(name, config, &roots).survey().await.map_err(|error| table::table_error(&error))
}

/// The names of the tables that a database has. Paths are relative to `dir`, and lie in it or in one of `roots`.
///
/// Errors: it cannot be reached or opened.
pub async fn list_tables(
    dir: &Path,
    roots: &[String],
    name: &str,
    config: &SourceConfig,
) -> Result<Vec<ListedTable>, TableError> {
    let roots = Roots::new(dir, roots)?;
    driver_of(name, config, &roots).names().await.map_err(|error| table::table_error(&error))
}
