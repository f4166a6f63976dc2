//! What every database is asked for.

use super::bind::Bind;
use super::error::SourceError;
use super::fixture_rows::{FixtureError, FixtureRows};
use super::identity::Setting;
use super::pushed::StandIn;
use super::survey::{ListedTable, Surveyed};
use crate::catalog::{DatabaseKind, Native, StatementAnswer};
use crate::engine::deadline::Deadline;
use crate::engine::open_table::DataVersion;
use crate::project::{Isolation, RefusedStatement, UnpreparedStatement};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use async_trait::async_trait;
use futures::Stream;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

/// Rows as they come. Dropped, they end the query in the database.
pub(in crate::engine) type Rows = Pin<Box<dyn Stream<Item = Result<RecordBatch, SourceError>> + Send>>;

/// A database.
#[async_trait]
pub(in crate::engine) trait Driver: fmt::Debug + Send + Sync {
    /// What kind it is.
    fn kind(&self) -> DatabaseKind;

    /// A table as it is now. `name` has as many parts as were written.
    ///
    /// Errors: the database cannot be reached, or has no such table.
    async fn describe(&self, name: &[String]) -> Result<Described, SourceError>;

    /// Whether it can be reached now.
    fn is_reachable(&self) -> bool;

    /// All tables as they are now, with more than it takes to read them.
    ///
    /// Errors: the database cannot be reached. A table that cannot be read says so itself.
    async fn survey(&self) -> Result<Vec<Surveyed>, SourceError>;

    /// The names of all tables as they are now.
    ///
    /// Errors: the database cannot be reached.
    async fn names(&self) -> Result<Vec<ListedTable>, SourceError>;

    /// What a statement of an author takes and gives, with one of its texts.
    ///
    /// Errors: the database cannot be reached, refuses it, or it is none that only reads.
    async fn prepare(&self, text: &str, of: &UnpreparedStatement) -> Result<StatementAnswer, RefusedStatement>;

    /// How a query of so many rows at most is read.
    fn reading(&self, _most: Option<usize>) -> Reading {
        Reading::Long
    }

    /// Begins a query.
    fn rows(self: Arc<Self>, request: Request) -> Rows;

    /// Whether a change of some rows of a table may change others of it, or other columns of theirs: by triggers, rules, and what foreign
    /// keys and keys say.
    ///
    /// Errors: the database cannot be reached.
    async fn acts_by_itself(&self, _table: &[String]) -> Result<bool, SourceError> {
        Ok(false)
    }

    /// Begins to change data.
    ///
    /// Errors: the database cannot be reached, or somebody else changes it for too long.
    async fn begin(self: Arc<Self>, work: Work) -> Result<Box<dyn Transaction>, SourceError>;

    /// A copy of it, in which tables hold other rows; `None` where there can be none.
    ///
    /// Errors: it cannot be copied, or a row does not fit its table.
    fn with_rows(&self, _tables: &[FixtureRows]) -> Option<Result<Arc<dyn Driver>, FixtureError>> {
        None
    }

    /// A number for each state of the schema, where it can be told at little cost.
    ///
    /// Errors: the database cannot be reached, or somebody else holds it locked.
    fn schema_version(&self) -> Result<Option<u64>, SourceError> {
        Ok(None)
    }

    /// A number for each state of the data, where it can be told at little cost: that of a state which is settled.
    fn data_version(&self) -> DataVersion {
        DataVersion::Untold
    }

    /// The same of the state now, whether or not another one may be called so a moment later.
    fn data_state(&self) -> DataVersion {
        self.data_version()
    }
}

/// A transaction that changes data. Dropped, it is as if it had never been.
#[async_trait]
pub(in crate::engine) trait Transaction: Send {
    /// Runs a statement: its rows, and how many it has changed.
    ///
    /// Errors: the database refuses it. Then nothing is left to be done but to drop the transaction.
    async fn run(&mut self, request: Request) -> Result<Ran, SourceError>;

    /// Checks all that is checked when it is made to last, as far as the database does so before.
    ///
    /// Errors: a rule of the database is against it.
    async fn check(&mut self) -> Result<(), SourceError> {
        Ok(())
    }

    /// Makes it last.
    ///
    /// Errors: the database refuses it, and nothing has changed; or nobody knows what has become of it.
    async fn commit(self: Box<Self>) -> Result<(), CommitError>;
}

/// What a statement has done.
#[derive(Debug, Default)]
pub(in crate::engine) struct Ran {
    /// The rows that it gives.
    pub batches: Vec<RecordBatch>,
    /// How many rows it has changed.
    pub changed: u64,
}

/// Why a transaction does not last.
#[derive(Debug)]
pub(in crate::engine) enum CommitError {
    /// The database refuses it: nothing has changed.
    Refused(SourceError),
    /// The connection was lost before the database answered.
    Unknown(SourceError),
}

/// What a transaction is begun for.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Work {
    /// What it sees of others.
    pub isolation: Isolation,
    /// The tables that may be written into, by the parts of their names there.
    pub targets: Vec<Vec<String>>,
    /// Who it is for: its settings.
    pub session: Vec<Setting>,
    /// Until when somebody waits for it, where that is known.
    pub deadline: Option<Deadline>,
}

/// So many rows are few.
pub(super) const FEW: usize = 8_192;

/// How the rows of a query are read, for whoever polls them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::engine) enum Reading {
    /// Where they are polled: what takes longer than the thread has for it, or would be waited for, ends with an error there.
    AtOnce,
    /// Elsewhere: the thread is free while they are waited for.
    Awaited,
    /// They may be many, or take long.
    Long,
}

/// A table as its database describes it.
#[derive(Debug, Clone)]
pub(in crate::engine) struct Described {
    /// Its names and types there. The columns are in the order of the next.
    pub native: Native,
    /// Whether each column may hold nulls.
    pub nullable: Vec<bool>,
    /// What the values of columns without a type are, where some were looked at: "integers".
    pub seen: Vec<Option<&'static str>>,
    /// About how many rows there are.
    pub rows: Option<usize>,
    /// The state of the schema that this is.
    pub version: Option<u64>,
    /// Whether the bytes of texts sort as the texts do here: SQLite may keep them in UTF-16.
    pub sorts_bytes: bool,
    /// Whether to read it may call functions of the database's own people, as a view and a policy of its rows do.
    pub calls_functions: bool,
}

/// What is sent.
#[derive(Debug)]
pub(in crate::engine) struct Request {
    /// What is the same of all requests of a query.
    pub outline: Arc<Outline>,
    /// Keywords, identifiers of the lock, and placeholders.
    pub sql: String,
    /// The values of the placeholders, from the first on.
    pub binds: Vec<Bind>,
    /// How many rows come at most, where that is known.
    pub most: Option<usize>,
    /// How many rows a batch has at most.
    pub batch: usize,
    /// Who it is for: the settings of the transaction.
    pub session: Vec<Setting>,
    /// Until when somebody waits for the rows, where that is known.
    pub deadline: Option<Deadline>,
}

/// What is asked for, whatever the values are.
#[derive(Debug)]
pub(in crate::engine) struct Outline {
    /// The table, by its name here: for errors.
    pub table: Arc<str>,
    /// Its name there, by which its state is asked for; nothing of a statement that an author has written.
    pub native: Vec<String>,
    /// The columns that rows are made of, in order.
    pub schema: SchemaRef,
    /// What they are called in messages.
    pub names: Vec<String>,
    /// What may stand in each of them for a value of its type.
    pub stand_ins: Vec<StandIn>,
    /// The names of what follows them in the text's list: columns that tell which row it is.
    pub key: Vec<String>,
    /// Behind those, counts of values that are none of their column's type, each of the column with this name: all must
    /// be 0.
    pub guarded: Vec<String>,
    /// The state of the schema that the text is written for; in another, the rows are not read.
    pub version: Option<u64>,
    /// The other tables that it reads: their names there, and the states of their schemas.
    pub others: Vec<(Vec<String>, Option<u64>)>,
    /// Whether all columns that rows are compared and sorted by stand in them, if without their values: a server that keeps
    /// the statement then sees for itself whether they are what they were.
    pub is_witnessed: bool,
    /// Whether the text is an author's own: then nothing is known of it but that it was prepared once.
    pub is_authored: bool,
    /// Whether the type of each column of such a text is the one that the database said of it when it was prepared.
    pub as_told: Vec<bool>,
    /// Whether it changes data.
    pub writes: bool,
    /// Whether functions of somebody else may run in it, which may change the session: those of views, and of an author.
    pub has_functions: bool,
}
