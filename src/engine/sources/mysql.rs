//! MySQL and MariaDB: a server, asked over its protocol.

mod decode;
mod describe;
mod encode;
mod error;
mod rules;
mod survey;
mod types;
mod values;

pub(super) use types::{
    bare, can_be, column_type, is_of_bytes, is_of_integers, is_of_places, is_of_texts, longest_text, may_misfit, row_of,
};

use super::driver::{Described, Driver, Request, Rows};
use super::error::SourceError;
use super::survey::Surveyed;
use crate::catalog::{DatabaseKind, StatementColumn};
use crate::engine::tables::Roots;
use crate::project::MysqlConfig;
use async_trait::async_trait;
use futures::{StreamExt, stream};
use std::sync::Arc;

/// A server of MySQL or MariaDB.
#[derive(Debug)]
pub(super) struct Mysql {
    source: String,
}

impl Mysql {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, _config: &MysqlConfig, _roots: Roots) -> Mysql {
        Mysql { source: name.to_owned() }
    }

    fn down(&self) -> SourceError {
        SourceError::Down { source: self.source.clone(), why: "there is no connection".to_owned() }
    }
}

#[async_trait]
impl Driver for Mysql {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Mysql
    }

    async fn describe(&self, _name: &[String]) -> Result<Described, SourceError> {
        Err(self.down())
    }

    fn is_reachable(&self) -> bool {
        false
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        Err(self.down())
    }

    async fn prepare(&self, _text: &str, _values: usize) -> Result<Vec<StatementColumn>, SourceError> {
        let why = "statements in a database's own SQL are those of SQLite; over MySQL, select from tables of the project";
        Err(SourceError::Refused { source: self.source.clone(), why: why.to_owned() })
    }

    fn rows(self: Arc<Self>, _request: Request) -> Rows {
        let down = self.down();
        stream::once(async { Err(down) }).boxed()
    }
}
