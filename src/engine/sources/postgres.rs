//! PostgreSQL: a server, asked over its protocol.

mod address;
mod alone;
#[cfg(test)]
mod connection_tests;
mod decode;
mod describe;
mod encode;
mod error;
mod numeric;
mod prepare;
mod rules;
mod run;
mod sent_as;
mod session;
mod statements;
mod survey;
#[cfg(test)]
mod tests;
mod tls;
mod types;
mod volatile;
mod wire;

pub(super) use types::{NONDETERMINISTIC, bare, can_be, column_type, is_read_as_text, row_of};

use super::driver::{Described, Driver, FEW, Reading, Request, Rows};
use super::error::SourceError;
use super::io;
use super::server;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, StatementAnswer};
use crate::engine::tables::Roots;
use crate::project::{PostgresConfig, RefusedStatement, UnpreparedStatement};
use async_trait::async_trait;
use futures::{StreamExt, stream};
use session::Server;
use std::sync::Arc;
use tokio::sync::mpsc;

/// How many batches may wait for who reads them.
const WAITING: usize = 2;

/// What a description is asked for in: a table and the number of its state are those of one moment.
const ONE_STATE: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The connections to such a server.
type Connections = server::connections::Connections<Server>;

/// One of them, as long as it is used.
type Lease = server::connections::Lease<Server>;

/// A server of PostgreSQL.
#[derive(Debug)]
pub(super) struct Postgres {
    connections: Connections,
    /// The settings that say who a transaction is for: without them there are no rows.
    session: Vec<String>,
}

impl Postgres {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, config: &PostgresConfig, roots: Roots) -> Postgres {
        let session = config.session.keys().cloned().collect();
        Postgres { connections: Connections::new(name, Server { config: config.clone(), roots }), session }
    }
}

#[async_trait]
impl Driver for Postgres {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let lease = self.connections.lease().await?;
        let failed = |error| error::source_error(&error, self.connections.source(), "");
        lease.client().batch_execute(ONE_STATE).await.map_err(failed)?;
        let described = describe::table(lease.client(), self.connections.source(), name).await;
        lease.client().batch_execute(run::END).await.map_err(failed)?;
        lease.give_back();
        described
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

    async fn names(&self) -> Result<Vec<ListedTable>, SourceError> {
        let lease = self.connections.lease().await?;
        let failed = |error| error::source_error(&error, self.connections.source(), "");
        let names = describe::names(lease.client()).await.map_err(failed)?;
        lease.give_back();
        Ok(names)
    }

    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let lease = self.connections.lease().await?;
        let (source, keeps_settings) = (self.connections.source(), lease.keeps_statements());
        let asked = prepare::Asked { client: lease.client(), keeps_settings, source, text, of };
        let answer = asked.answer().await;
        lease.give_back();
        answer
    }

    fn reading(&self, most: Option<usize>) -> Reading {
        if most.is_some_and(|most| most <= FEW) { Reading::Awaited } else { Reading::Long }
    }

    fn rows(self: Arc<Self>, request: Request) -> Rows {
        let is_told = |wanted: &String| request.session.iter().any(|(setting, _)| setting == wanted);
        if !self.session.iter().all(is_told) {
            let anonymous = SourceError::Anonymous { source: self.connections.source().to_owned() };
            return stream::once(async { Err(anonymous) }).boxed();
        }
        let (sender, receiver) = mpsc::channel(WAITING);
        let Some(runtime) = io::runtime() else {
            let busy = SourceError::Busy { source: self.connections.source().to_owned() };
            return stream::once(async { Err(busy) }).boxed();
        };
        runtime.spawn(async move { run::rows(&self.connections, &request, &sender).await });
        stream::unfold(receiver, |mut receiver| async { receiver.recv().await.map(|rows| (rows, receiver)) }).boxed()
    }
}
