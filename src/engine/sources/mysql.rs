//! MySQL and MariaDB: a server, asked over its protocol.

mod address;
#[cfg(test)]
mod connection_tests;
mod decode;
mod describe;
mod encode;
mod error;
mod prepare;
mod rules;
mod run;
mod session;
mod survey;
mod tls;
mod types;
mod values;

pub(super) use types::{
    bare, can_be, column_type, is_of_bytes, is_of_integers, is_of_texts, longest_text, may_misfit, row_of,
};

use super::driver::{Described, Driver, FEW, Reading, Request, Rows};
use super::error::SourceError;
use super::io;
use super::server;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, StatementAnswer};
use crate::engine::tables::Roots;
use crate::project::{MysqlConfig, RefusedStatement, UnpreparedStatement};
use async_trait::async_trait;
use futures::{StreamExt, stream};
use mysql_async::prelude::Queryable;
use session::Server;
use std::future::Future;
use std::sync::Arc;
use tokio::sync::mpsc;

/// How many batches may wait for who reads them.
const WAITING: usize = 2;

/// The connections to such a server.
type Connections = server::connections::Connections<Server>;

/// One of them, as long as it is used.
type Lease = server::connections::Lease<Server>;

/// A server of MySQL or MariaDB.
#[derive(Debug, Clone)]
pub(super) struct Mysql {
    connections: Arc<Connections>,
}

impl Mysql {
    /// Nothing is connected before it is asked for.
    pub(super) fn new(name: &str, config: &MysqlConfig, roots: Roots) -> Mysql {
        Mysql { connections: Arc::new(Connections::new(name, Server::new(config, roots))) }
    }

    /// Looks at something in the server, where connections live: it is looked at to the end, whoever waits for it.
    async fn looked<T: Send + 'static>(
        &self,
        looking: impl Future<Output = Result<T, SourceError>> + Send + 'static,
    ) -> Result<T, SourceError> {
        let source = self.connections.source();
        let down = |why: &str| SourceError::Down { source: source.to_owned(), why: why.to_owned() };
        let Some(runtime) = io::runtime() else { return Err(down("this machine has no more threads")) };
        runtime.spawn(looking).await.unwrap_or_else(|_| Err(down("it was not read to the end")))
    }
}

/// Ends what was looked at over a connection, and gives that back.
async fn looked_over<T>(mut lease: Lease, found: Result<T, SourceError>) -> Result<T, SourceError> {
    if lease.connection().query_drop(session::END).await.is_ok() {
        lease.give_back();
    }
    found
}

#[async_trait]
impl Driver for Mysql {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Mysql
    }

    async fn describe(&self, name: &[String]) -> Result<Described, SourceError> {
        let (connections, name) = (Arc::clone(&self.connections), name.to_vec());
        let described = async move {
            let mut lease = connections.lease().await?;
            let described = describe::table(lease.connection(), connections.source(), &name).await;
            looked_over(lease, described).await
        };
        self.looked(described).await
    }

    fn is_reachable(&self) -> bool {
        self.connections.is_reachable()
    }

    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError> {
        let connections = Arc::clone(&self.connections);
        let surveyed = async move {
            let mut lease = connections.lease().await?;
            let surveyed = survey::tables(lease.connection(), connections.source()).await;
            looked_over(lease, surveyed).await
        };
        self.looked(surveyed).await
    }

    async fn names(&self) -> Result<Vec<ListedTable>, SourceError> {
        let connections = Arc::clone(&self.connections);
        let listed = async move {
            let mut lease = connections.lease().await?;
            let names = describe::names(lease.connection(), connections.source()).await;
            looked_over(lease, names).await
        };
        self.looked(listed).await
    }

    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement> {
        let (connections, text, of) = (Arc::clone(&self.connections), text.to_owned(), of.clone());
        let asked = async move {
            let mut lease = connections.lease().await?;
            let answer = prepare::answer(lease.connection(), connections.source(), &text, &of).await;
            looked_over(lease, Ok(answer)).await
        };
        self.looked(asked).await?
    }

    fn reading(&self, most: Option<usize>) -> Reading {
        if most.is_some_and(|most| most <= FEW) { Reading::Awaited } else { Reading::Long }
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
