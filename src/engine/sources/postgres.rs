//! PostgreSQL: a server, asked over its protocol.

mod address;
mod alone;
mod change;
mod confirmed;
#[cfg(test)]
mod connection_tests;
mod decode;
mod describe;
mod encode;
mod ending;
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
mod transaction;
mod types;
mod volatile;
mod wire;
mod written;

pub(super) use types::{NONDETERMINISTIC, bare, can_be, column_type, comes_as_text, row_of};

use super::driver::{Described, Driver, FEW, Reading, Request, Rows, Transaction, Work};
use super::error::SourceError;
use super::io;
use super::server;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, StatementAnswer};
use crate::engine::tables::Roots;
use crate::project::{PostgresConfig, RefusedStatement, UnpreparedStatement};
use async_trait::async_trait;
use change::Changing;
use futures::{FutureExt, StreamExt, stream};
use server::connections::{ALL, ONE};
use session::Server;
use std::sync::Arc;

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

/// Begins a transaction that something is asked in.
async fn begin(lease: &Lease, source: &str, begin: &str) -> Result<(), SourceError> {
    lease.client().batch_execute(begin).await.map_err(|error| error::source_error(&error, source, ""))
}

#[async_trait]
impl Driver for Postgres {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let (source, name) = (self.connections.source().to_owned(), name.to_vec());
        let asked = self.connections.ask(ONE, move |lease| {
            async move {
                // A table and the number of its state are those of one moment.
                begin(lease, &source, &lease.sessions().begin_in_one_state()).await?;
                describe::table(lease.client(), &source, &name).await
            }
            .boxed()
        });
        asked.await
    }

    async fn acts_by_itself(&self, table: &[String]) -> Result<bool, SourceError> {
        let (source, table) = (self.connections.source().to_owned(), describe::written(table));
        let asked = self.connections.ask(ONE, move |lease| {
            async move {
                begin(lease, &source, &lease.sessions().begin()).await?;
                describe::acts_by_itself(lease.client(), &source, &table).await
            }
            .boxed()
        });
        asked.await
    }

    fn is_reachable(&self) -> bool {
        self.connections.is_reachable()
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        let source = self.connections.source().to_owned();
        let asked = self.connections.ask(ALL, move |lease| {
            async move {
                let begin = lease.sessions().begin();
                survey::tables(lease.client(), &source, &begin).await
            }
            .boxed()
        });
        asked.await
    }

    async fn names(&self) -> Result<Vec<ListedTable>, SourceError> {
        let source = self.connections.source().to_owned();
        let asked = self.connections.ask(ONE, move |lease| {
            async move {
                begin(lease, &source, &lease.sessions().begin()).await?;
                describe::names(lease.client()).await.map_err(|error| error::source_error(&error, &source, ""))
            }
            .boxed()
        });
        asked.await
    }

    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let (source, text, of) = (self.connections.source().to_owned(), text.to_owned(), of.clone());
        let asked = self.connections.ask(ONE, move |lease| {
            async move { prepare::Asked { session: &*lease, source: &source, text: &text, of: &of }.answer().await }
                .boxed()
        });
        asked.await
    }

    fn reading(&self, most: Option<usize>) -> Reading {
        if most.is_some_and(|most| most <= FEW) { Reading::Awaited } else { Reading::Long }
    }

    async fn begin(self: Arc<Self>, work: Work) -> Result<Box<dyn Transaction>, SourceError> {
        let is_told = |wanted: &String| work.session.iter().any(|(setting, _)| setting == wanted);
        if !self.session.iter().all(is_told) {
            return Err(SourceError::Anonymous { source: self.connections.source().to_owned() });
        }
        Ok(Box::new(Changing::begin(&self.connections, &work).await?))
    }

    fn rows(self: Arc<Self>, request: Request) -> Rows {
        let is_told = |wanted: &String| request.session.iter().any(|(setting, _)| setting == wanted);
        if !self.session.iter().all(is_told) {
            let anonymous = SourceError::Anonymous { source: self.connections.source().to_owned() };
            return stream::once(async { Err(anonymous) }).boxed();
        }
        let source = self.connections.source().to_owned();
        let Some(runtime) = io::runtime() else {
            return stream::once(async { Err(SourceError::Busy { source }) }).boxed();
        };
        let are_few = self.reading(request.most) == Reading::Awaited;
        server::rows::rows(&source, runtime, are_few, |sender| {
            async move { run::rows(&self.connections, &request, &sender).await }.boxed()
        })
    }
}
