//! Databases: tables whose rows another engine holds.
//!
//! A [`table`] says which filters its database evaluates exactly as they are evaluated here ([`pushed`]); what is asked of
//! it is data ([`remote_query`]) until the rows are wanted ([`exec`]). Then the values are evaluated, made binds ([`bind`]),
//! and the text is written ([`render`]): it holds keywords, quoted identifiers of the lock and placeholders, and nothing of
//! a caller. A [`driver`] sends it. Only the module of a database names its crate.

mod bind;
mod driver;
mod error;
mod exec;
mod facts;
mod io;
mod pushdown;
mod pushed;
mod remote_query;
mod render;
mod sqlite;
mod table;

pub(super) use error::SourceError;
pub(super) use exec::{SOURCE, reads_rows};
pub(super) use pushdown::push;

use super::open_table::OpenTable;
use super::tables::{Roots, TableError};
use crate::catalog::Table;
use crate::project::{DatabaseSource, ProjectFile, SourceConfig};
use driver::Driver;
use indexmap::IndexMap;
use sqlite::Sqlite;
use std::sync::Arc;

/// The databases of a project. Each is opened when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Databases {
    drivers: IndexMap<String, Arc<dyn Driver>>,
}

impl Databases {
    /// Those that a project declares. Nothing is opened.
    pub(super) fn declared(file: &ProjectFile, roots: &Roots) -> Databases {
        let driver = |(name, config): (&String, &SourceConfig)| -> (String, Arc<dyn Driver>) {
            let driver = match config {
                SourceConfig::Sqlite(config) => Sqlite::new(name, config, roots.clone()),
            };
            (name.clone(), Arc::new(driver))
        };
        Databases { drivers: file.sources.iter().map(driver).collect() }
    }

    /// Opens a table. `locked` is what is known of it where the database is down.
    ///
    /// Errors: there is no such database or table, it cannot be read, or what is declared of it does not fit.
    pub(super) async fn open(
        &self,
        name: &str,
        source: &DatabaseSource,
        locked: Option<&Table>,
    ) -> Result<Arc<dyn OpenTable>, TableError> {
        let Some(driver) = self.drivers.get(&source.source) else {
            return Err(TableError::Unreadable { message: format!("there is no source `{}`", source.source) });
        };
        table::open(name, source, locked, driver).await
    }
}
