//! MySQL and MariaDB: a server, asked over its protocol.

mod address;
mod change;
#[cfg(test)]
mod connection_tests;
mod decode;
mod describe;
mod encode;
mod error;
mod looked;
mod prepare;
mod rules;
mod run;
mod session;
mod survey;
mod tls;
mod types;
mod values;
mod written;

pub(super) use types::{
    bare, can_be, column_type, is_of_bytes, is_of_integers, is_of_texts, longest_text, may_misfit, row_of,
};

use super::driver::{Described, Driver, FEW, Reading, Request, Rows, Transaction, Work};
use super::error::SourceError;
use super::io;
use super::server;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, StatementAnswer};
use crate::engine::tables::Roots;
use crate::project::{MysqlConfig, RefusedStatement, UnpreparedStatement};
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

/// A server of MySQL or MariaDB.
#[derive(Debug)]
pub(super) struct Mysql {
    connections: Connections,
}

impl Mysql {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, config: &MysqlConfig, roots: Roots) -> Mysql {
        Mysql { connections: Connections::new(name, Server::new(config, roots)) }
    }
}

#[async_trait]
impl Driver for Mysql {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Mysql
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let (source, name) = (self.connections.source().to_owned(), name.to_vec());
        let asked = self
            .connections
            .ask(ONE, move |lease| async move { describe::table(lease.connection(), &source, &name).await }.boxed());
        asked.await
    }

    fn is_reachable(&self) -> bool {
        self.connections.is_reachable()
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        let source = self.connections.source().to_owned();
        let asked = self.connections.ask(ALL, move |lease| async move { survey::tables(lease, &source).await }.boxed());
        asked.await
    }

    async fn names(&self) -> Result<Vec<ListedTable>, SourceError> {
        let source = self.connections.source().to_owned();
        let asked = self
            .connections
            .ask(ONE, move |lease| async move { describe::names(lease.connection(), &source).await }.boxed());
        asked.await
    }

    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let (source, text, of) = (self.connections.source().to_owned(), text.to_owned(), of.clone());
        let asked = self.connections.ask(ONE, move |lease| {
            async move { prepare::answer(lease.connection(), &source, &text, &of).await }.boxed()
        });
        asked.await
    }

    fn reading(&self, most: Option<usize>) -> Reading {
        if most.is_some_and(|most| most <= FEW) { Reading::Awaited } else { Reading::Long }
    }

    async fn begin(self: Arc<Self>, work: Work) -> Result<Box<dyn Transaction>, SourceError> {
        Ok(Box::new(Changing::begin(&self.connections, &work).await?))
    }

    fn rows(self: Arc<Self>, request: Request) -> Rows {
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
