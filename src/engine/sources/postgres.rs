//! PostgreSQL: a server, asked over its protocol.

mod address;
mod columns;
mod connections;
mod decode;
mod describe;
mod encode;
mod error;
mod numeric;
mod rules;
mod survey;
#[cfg(test)]
mod tests;
mod tls;
mod typed;
mod types;
mod wire;

pub use typed::use_address;
pub(super) use types::{NONDETERMINISTIC, can_be, column_type, is_read_as_text, row_of};

use super::driver::{Described, Driver, Request, Rows};
use super::error::SourceError;
use super::survey::Surveyed;
use crate::catalog::DatabaseKind;
use crate::engine::tables::Roots;
use crate::project::PostgresConfig;
use async_trait::async_trait;
use futures::{StreamExt, stream};
use std::sync::Arc;

/// A server of PostgreSQL.
#[derive(Debug)]
pub(super) struct Postgres {
    name: String,
}

impl Postgres {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, _config: &PostgresConfig, _roots: Roots) -> Postgres {
        Postgres { name: name.to_owned() }
    }

    fn down(&self) -> SourceError {
        SourceError::Down { source: self.name.clone(), why: "it cannot be reached".to_owned() }
    }
}

#[async_trait]
impl Driver for Postgres {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
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

    fn rows(self: Arc<Self>, _request: Request) -> Rows {
        let down = self.down();
        stream::once(async { Err(down) }).boxed()
    }
}
