//! What every call of an engine shares: the tables, what plans are made and run with, limits and threads.

use super::allowed_values::TableSources;
use super::cursor::Key;
use super::limits::Limits;
use super::session::Session;
use super::tables::cache::{CachedTable, Version};
use super::threads::Threads;
use crate::ty::coerce::TimeZoneName;
use datafusion::execution::TaskContext;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// What all calls share.
pub(super) struct Core {
    /// What opened the tables.
    pub files: SessionContext,
    /// What plans are made with: nothing before the first of them.
    pub session: OnceLock<Session>,
    pub tables: TableSources,
    pub time_zone: TimeZoneName,
    pub limits: Limits,
    pub key: Key,
    /// The tables of files that may be kept in memory.
    pub cached: HashMap<String, Arc<CachedTable>>,
    pub threads: Threads,
    /// The declared primary keys of all tables.
    pub keys: HashMap<String, Vec<String>>,
}

impl Core {
    /// What plans are made with.
    pub(super) fn session(&self) -> &Session {
        self.session.get_or_init(|| Session::over(&self.files))
    }

    /// Those of the named tables that may be kept.
    pub(super) fn cached<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a Arc<CachedTable>> {
        names.iter().filter_map(|name| self.cached.get(name))
    }

    /// The columns of a table's declared primary key; none where none is declared, or its files are not on this machine.
    pub(super) fn primary_key(&self, table: &str) -> &[String] {
        self.cached.get(table).map(|table| table.primary_key()).unwrap_or_default()
    }

    /// The columns of a table's declared primary key, wherever its data lies; none where none is declared.
    pub(super) fn declared_key(&self, table: &str) -> &[String] {
        self.keys.get(table).map(Vec::as_slice).unwrap_or_default()
    }

    /// What plans over these tables depend on; `None` where that cannot be told.
    pub(super) fn versions(&self, names: &[String]) -> Option<Vec<Version>> {
        names.iter().map(|name| self.cached.get(name)?.version()).collect()
    }

    /// What a plan runs in. Its functions are in it already.
    pub(super) fn task_context(&self, environment: Arc<RuntimeEnv>) -> Arc<TaskContext> {
        let state = &self.session().template_state;
        let (id, config) = (state.session_id().to_owned(), state.config().clone());
        Arc::new(TaskContext::new(
            None,
            id,
            config,
            HashMap::new(),
            HashMap::new(),
            HashMap::new(),
            HashMap::new(),
            environment,
        ))
    }
}
