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
mod run;
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
use super::io;
use super::survey::Surveyed;
use crate::catalog::DatabaseKind;
use crate::engine::tables::Roots;
use crate::project::PostgresConfig;
use async_trait::async_trait;
use connections::Connections;
use futures::{StreamExt, stream};
use std::sync::Arc;
use tokio::sync::mpsc;

/// How many batches may wait for who reads them.
const WAITING: usize = 2;

/// A server of PostgreSQL.
#[derive(Debug)]
pub(super) struct Postgres {
    connections: Connections,
}

impl Postgres {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, config: &PostgresConfig, roots: Roots) -> Postgres {
        Postgres { connections: Connections::new(name, config, roots) }
    }
}

#[async_trait]
impl Driver for Postgres {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let lease = self.connections.lease().await?;
        let described = describe::table(lease.client(), self.connections.source(), name).await?;
        lease.give_back();
        Ok(described)
    }

    fn is_reachable(&self) -> bool {
        self.connections.is_reachable()
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        let lease = self.connections.lease().await?;
        let tables = survey::tables(lease.client(), self.connections.source()).await?;
        lease.give_back();
        Ok(tables)
    }

    fn rows(self: Arc<Self>, request: Request) -> Rows {
        let (sender, receiver) = mpsc::channel(WAITING);
        let Some(runtime) = io::runtime() else {
            let busy = SourceError::Busy { source: self.connections.source().to_owned() };
            return stream::once(async { Err(busy) }).boxed();
        };
        runtime.spawn(async move { run::rows(&self.connections, &request, &sender).await });
        stream::unfold(receiver, |mut receiver| async { receiver.recv().await.map(|rows| (rows, receiver)) }).boxed()
    }
}
