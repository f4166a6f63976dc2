//! What every call of an engine shares: the tables, what plans are made and run with, limits and threads.

use super::allowed_values::TableSources;
use super::cursor::Key;
use super::deadline::Deadline;
use super::limits::Limits;
use super::open_table::{OpenTable, OpenTables, PlanVersion, Pushdown};
use super::program_place::ProgramPlace;
use super::records_place::RecordsPlace;
use super::session::Session;
use super::sources::{Databases, Identity};
use super::tables::Roots;
use super::threads::Threads;
use super::upstreams::Upstreams;
use crate::ty::coerce::TimeZoneName;
use datafusion::execution::TaskContext;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

/// What all calls share.
pub(super) struct Core {
    /// What opened the tables.
    pub files: SessionContext,
    /// What plans are made with: nothing before the first of them.
    pub session: OnceLock<Session>,
    /// The tables as the planner takes them.
    pub tables: TableSources,
    /// The same tables, with what is known of their data.
    pub opened: OpenTables,
    /// The names of those of which callers see something else than they have.
    pub policied: HashSet<String>,
    /// Where records lie, by the folder as it is written.
    pub records: HashMap<String, RecordsPlace>,
    /// Where programs run.
    pub programs: ProgramPlace,
    /// The other servers of the project.
    pub upstreams: Upstreams,
    /// Where the project may read, where anything of it lies there.
    pub roots: Option<Roots>,
    /// The databases of the project.
    pub databases: Arc<Databases>,
    pub time_zone: TimeZoneName,
    pub limits: Limits,
    pub key: Key,
    pub threads: Threads,
}

impl Core {
    /// What plans are made with.
    pub(super) fn session(&self) -> &Session {
        self.session.get_or_init(|| Session::over(&self.files))
    }

    /// The named tables.
    pub(super) fn opened<'a>(&'a self, names: &'a [String]) -> impl Iterator<Item = &'a Arc<dyn OpenTable>> {
        names.iter().filter_map(|name| self.opened.get(name))
    }

    /// The columns of a table's declared primary key; none where none is declared.
    pub(super) fn primary_key(&self, table: &str) -> &[String] {
        self.opened.get(table).map(|table| table.primary_key()).unwrap_or_default()
    }

    /// The column of a table whose filters are worth evaluating while it is read.
    pub(super) fn pushed_column(&self, table: &str) -> Option<&str> {
        let table = self.opened.get(table).filter(|table| table.pushdown() == Pushdown::ByKey)?;
        table.primary_key().first().map(String::as_str)
    }

    /// What plans over these tables depend on; `None` where that cannot be told.
    pub(super) fn plan_versions(&self, names: &[String]) -> Option<Vec<PlanVersion>> {
        names.iter().map(|name| self.opened.get(name)?.plan_version()).collect()
    }

    /// The servers that calls of a tool over these tables ask, and those of a statement of a source, each once.
    pub(super) fn servers(&self, tables: &[String], source: Option<&str>) -> Vec<Arc<str>> {
        let of_tables = self.opened(tables).filter_map(|table| table.server());
        let own = source.and_then(|source| self.databases.server(source));
        let mut servers: Vec<Arc<str>> = of_tables.chain(own).collect();
        servers.sort_unstable();
        servers.dedup();
        servers
    }

    /// What a plan runs in, who it runs for, and until when. Its functions are in it already.
    pub(super) fn task_context(
        &self,
        environment: Arc<RuntimeEnv>,
        identity: Identity,
        deadline: Option<Deadline>,
    ) -> Arc<TaskContext> {
        let state = &self.session().template_state;
        let (id, mut config) = (state.session_id().to_owned(), state.config().clone());
        config.set_extension(Arc::new(identity));
        if let Some(deadline) = deadline {
            config.set_extension(Arc::new(deadline));
        }
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
