//! Runs tools: a project's tables in a DataFusion session, every tool planned once against them.
//!
//! Arguments reach a plan as literals only ([`bind`]); what comes out is capped and encoded here ([`result`]). This
//! module knows neither MCP nor HTTP.

mod admit;
pub mod allowed_values;
mod answers;
pub mod bind;
mod call;
mod called_programs;
mod changed;
pub mod check_rows;
pub mod code;
mod consent;
mod core;
pub mod cursor;
mod data;
mod deadline;
pub mod defaults;
mod described;
pub mod drift;
pub mod encode;
pub mod error;
mod executor;
mod failure;
pub mod fixture;
mod gate;
mod home;
mod hurry;
mod join_order;
pub mod limits;
pub mod native;
mod offered;
mod open_table;
pub mod outline;
mod planned;
mod policies;
mod prepared;
mod present;
mod preview;
mod program_place;
mod progress;
mod questions;
mod records_place;
mod refresh;
mod refused;
pub mod result;
mod results;
mod rules;
mod runners;
mod secret_variables;
mod secrets;
mod session;
mod sources;
mod stop;
pub mod tables;
mod template;
mod threads;
mod unplanned;
mod upstreams;
mod workers;

use crate::catalog::{Catalog, Table};
use crate::project::{ProjectFile, TableSource};
use crate::records::change::{Record, Records, Refused};
use crate::records::history::Event;
use crate::tool::Tool;
use crate::ty::coerce::TimeZoneName;
pub use answers::ANSWERS;
pub use changed::{Changed, Commit};
pub use consent::Consent;
use core::Core;
use cursor::Key;
use datafusion::prelude::SessionContext;
pub use described::{NotDescribed, ProgramDescribed, function_described, program_described};
use error::CallError;
use gate::Gate;
pub use home::keep_connections_here;
use indexmap::IndexMap;
use limits::Limits;
use native::NativeTool;
use open_table::OpenTable;
use prepared::{Plans, Prepared};
use program_place::ProgramPlace;
pub use progress::Progress;
pub use questions::{Put, Questions};
use records_place::RecordsPlace;
use results::Results;
use runners::RecordsRunner;
use session::Session;
use sources::Databases;
pub use sources::{
    FixtureCell, FixtureError, FixtureRows, ForeignKey, ListedTable, Proposal, ProposalReason, RowEstimate, Surveyed,
    SurveyedColumn, SurveyedKind, list_tables, prepare_statement, survey_database, use_address,
};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};
pub use tables::TableError;
use tables::cache::Budget;
use tables::sniff::key_of_rows;
use tables::{Embedded, Extent, Opener, Roots};
use threads::Threads;
pub use threads::serving_runtime;
use tokio::sync::watch;
use upstreams::{Item, Upstreams};
pub use upstreams::{NotAsked, ReadBy, asked_upstream};

/// The stack of the threads that plan and run: plans are walked recursively, and `syntax::depth` bounds how deep.
/// A debug build takes several times as much of it.
pub const STACK_SIZE: usize = if cfg!(debug_assertions) { 64 << 20 } else { 16 << 20 };

/// A table that cannot be opened.
#[derive(Debug, Clone)]
pub struct OpenError {
    /// Its name.
    pub table: String,
    /// Why.
    pub error: TableError,
}

/// A tool that does not plan against the tables as they are now.
#[derive(Debug, Clone)]
pub struct PrepareError {
    /// Its name.
    pub tool: String,
    /// Why, for logs: may hold engine text.
    pub why: String,
}

/// The tables of a project, opened.
pub struct Tables {
    files: SessionContext,
    session: OnceLock<Session>,
    time_zone: TimeZoneName,
    limits: Limits,
    opened: IndexMap<String, Arc<dyn OpenTable>>,
    databases: Arc<Databases>,
    records: HashMap<String, RecordsPlace>,
    /// Where programs run.
    programs: ProgramPlace,
    /// The other servers of the project.
    upstreams: Upstreams,
    /// Where the project may read, where anything of it lies there.
    roots: Option<Roots>,
    /// The names of those of which callers see something else than they have.
    policied: HashSet<String>,
}

impl Tables {
    /// Opens all tables of a project. `catalog` holds the schemas that are locked.
    ///
    /// Errors: every table that cannot be opened.
    pub async fn open(dir: &Path, file: &ProjectFile, catalog: &Catalog) -> Result<Tables, Vec<OpenError>> {
        let names: Vec<&str> = file.tables.keys().map(String::as_str).collect();
        Tables::open_some(dir, file, catalog, &names).await
    }

    /// Opens the named tables of a project.
    pub async fn open_some(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        names: &[&str],
    ) -> Result<Tables, Vec<OpenError>> {
        Tables::open_with(dir, file, catalog, names, &Arc::default()).await
    }

    /// The same where some files are part of the executable.
    pub async fn open_with(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        names: &[&str],
        embedded: &Arc<Embedded>,
    ) -> Result<Tables, Vec<OpenError>> {
        Tables::open_as(dir, file, catalog, names, (embedded, Extent::Cheap)).await
    }

    /// Opens the named tables of a project and reads text files to their end, which shows damage that a call would meet.
    pub async fn open_whole(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        names: &[&str],
    ) -> Result<Tables, Vec<OpenError>> {
        Tables::open_as(dir, file, catalog, names, (&Arc::default(), Extent::Whole)).await
    }

    async fn open_as(
        dir: &Path,
        file: &ProjectFile,
        catalog: &Catalog,
        names: &[&str],
        (embedded, extent): (&Arc<Embedded>, Extent),
    ) -> Result<Tables, Vec<OpenError>> {
        let mut tables = Tables::none(dir, file);
        let files = tables.files.clone();
        let failed = |table: &str, error| OpenError { table: table.to_owned(), error };
        if names.is_empty() && file.sources.is_empty() && file.records.is_empty() {
            return Ok(tables);
        }
        // Without the folder no table can be opened.
        let of_all = |error: TableError| names.iter().map(|name| failed(name, error.clone())).collect::<Vec<_>>();
        let roots = Roots::new(dir, &file.roots).map_err(of_all)?;
        let roots = roots.with_embedded(Arc::clone(embedded));
        let databases = Arc::new(Databases::declared(file, &roots));
        tables.databases = Arc::clone(&databases);
        let folders = file.records.values().map(|config| &config.path);
        tables.records = folders
            .filter_map(|path| Some((path.clone(), RecordsPlace::Own(roots.resolve_file(path).ok()?))))
            .collect();
        tables.roots = Some(roots.clone());
        let budget = Budget::new(tables.limits.cache);
        let opener = Opener { ctx: &files, roots: &roots, extent, budget };
        let mut of_servers = match extent {
            Extent::Cheap => databases.open_of_servers(file, catalog, names).await,
            Extent::Whole => HashMap::new(),
        };
        let mut errors = Vec::new();
        for name in names {
            let Some(source) = file.tables.get(*name) else { continue };
            let locked = catalog.tables.get(*name);
            let opened = match (source, file.records.get(*name)) {
                (TableSource::Files(source), Some(of)) if !source.primary_key.is_empty() => {
                    tables::records::open((name, &of.path), source, &roots, &opener.budget)
                }
                (TableSource::Files(source), _) => opener.open(name, source, locked).await,
                (TableSource::Database(source), _) => match of_servers.remove(name) {
                    Some(opened) => opened,
                    None => databases.open(name, source, locked, extent == Extent::Whole).await,
                },
            };
            let opened = match (opened, source) {
                (Ok(table), TableSource::Database(source)) if file.records.contains_key(*name) => {
                    databases.check_history(name, source).await.map(|()| table)
                }
                (Err(TableError::NoSuchTable { table, .. }), _) if file.records.contains_key(*name) => {
                    let message = format!(
                        "the table `{table}` of the records is not there: `qtool records ddl {name}` prints it"
                    );
                    Err(TableError::Unreadable { message })
                }
                (opened, _) => opened,
            };
            match opened {
                Ok(table) => tables.add(name, table),
                Err(error) => errors.push(failed(name, error)),
            }
        }
        if errors.is_empty() { Ok(tables) } else { Err(errors) }
    }

    /// No tables yet, with the zone and the limits of a project.
    fn none(dir: &Path, file: &ProjectFile) -> Tables {
        let time_zone = file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
        let limits = Limits::of(&file.limits);
        let files = session::of_files(&time_zone, &limits);
        Tables {
            files,
            session: OnceLock::new(),
            time_zone,
            limits,
            opened: IndexMap::new(),
            databases: Arc::default(),
            records: HashMap::new(),
            programs: ProgramPlace::new(dir, file),
            upstreams: Upstreams::new(dir, file),
            roots: None,
            policied: file.policies.keys().filter(|table| file.is_policied(table)).cloned().collect(),
        }
    }

    /// Registers a table of any kind. One of the same name is replaced.
    fn add(&mut self, name: &str, table: Arc<dyn OpenTable>) {
        self.opened.insert(name.to_owned(), table);
    }

    fn session(&self) -> &Session {
        self.session.get_or_init(|| Session::over(&self.files))
    }

    /// The schemas as the data has them.
    pub fn catalog(&self) -> Catalog {
        let schema = |table: &Arc<dyn OpenTable>| Arc::clone(table).table();
        Catalog { tables: self.opened.iter().map(|(name, table)| (name.clone(), schema(table))).collect() }
    }

    /// What is to be said of a table beside its rows.
    pub fn note(&self, table: &str) -> Option<String> {
        self.opened.get(table)?.note()
    }

    /// A column that all rows of a table were found to differ in, and how many there are; `None` where there is none, there
    /// are too many to look at, or they cannot be read.
    pub async fn key(&self, table: &str) -> Option<(String, usize)> {
        let provider = Arc::clone(self.opened.get(table)?).provider();
        key_of_rows(&self.files, provider).await.ok()?
    }

    /// The tables whose data no longer has the schema that the tools were compiled for, with the first difference.
    pub fn changes(&self, compiled_for: &Catalog) -> Vec<(String, String)> {
        let now = self.catalog();
        let differs =
            |(name, locked): (&String, &Table)| Some((name.clone(), locked.difference(now.tables.get(name)?)?));
        compiled_for.tables.iter().filter_map(differs).collect()
    }
}

/// What would keep programs of tools from running on this machine, in words for their authors: each with the name of its tool.
pub fn program_flaws(dir: &Path, file: &ProjectFile, tools: &[Tool]) -> Vec<(String, String)> {
    let place = ProgramPlace::new(dir, file);
    let own = tools.iter().filter(|tool| tool.contract.alias_of.is_none());
    let flaws = own.flat_map(|tool| {
        let found = runners::program_flaws(tool, &place);
        found.into_iter().map(|why| (tool.contract.name.clone(), why))
    });
    flaws.collect()
}

/// Tools ready to be called.
pub struct Engine {
    core: Arc<Core>,
    tools: HashMap<String, Arc<Prepared>>,
    gate: Gate,
    /// That of calls that wait for a server where they come in.
    awaited: Gate,
    results: Arc<Results>,
}

impl Engine {
    /// Makes tools ready that were compiled for these tables. Each is planned by its first call.
    pub fn prepare(tables: Tables, tools: Vec<Tool>) -> Engine {
        let sources = tables.sources();
        let tools = Prepared::all(tools);
        let Tables {
            files,
            session,
            time_zone,
            limits,
            opened,
            databases,
            records,
            programs,
            upstreams,
            roots,
            policied,
        } = tables;
        let opened = opened.into_iter().collect();
        let threads = Threads::new(&limits);
        let gate = Gate::new(&limits, threads.clone());
        let awaited = Gate::awaiting(&limits, threads.clone());
        let key = Key::new();
        let core = Core {
            files,
            session,
            tables: sources,
            opened,
            policied,
            records,
            programs,
            upstreams,
            roots,
            databases,
            time_zone,
            limits,
            key,
            threads,
        };
        let results = Arc::new(Results::new(&limits));
        Engine { core: Arc::new(core), tools, gate, awaited, results }
    }

    /// Plans every tool now, and not at its first call.
    ///
    /// Errors: the tools that do not plan, because the data no longer has the schema they were compiled for.
    pub fn plan_all(&self) -> Result<(), Vec<PrepareError>> {
        let failed = |(name, prepared): (&String, &Arc<Prepared>)| {
            let why =
                prepared.plans(&self.core).err()?.detail.map(|detail| detail.text().to_owned()).unwrap_or_default();
            Some(PrepareError { tool: name.clone(), why })
        };
        let mut errors: Vec<PrepareError> = self.tools.iter().filter_map(failed).collect();
        errors.sort_by(|a, b| a.tool.cmp(&b.tool));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Adds a tool that is written in Rust. One of the same name is replaced.
    pub fn add(&mut self, native: NativeTool) {
        let (tool, name) = (native.tool.clone(), native.tool.contract.name.clone());
        let plans = Plans::of_native(native, &self.core);
        self.tools.insert(name, Arc::new(Prepared::with(tool, plans)));
    }

    /// All records of a table of them that lie in a database, and all that was done to them; `None` where they lie in their folder, or
    /// there is no tool over them.
    ///
    /// Errors: the database fails.
    pub async fn stored_records(&self, records: &str) -> Result<Option<(Vec<Record>, Vec<Event>)>, CallError> {
        match self.records_runner(records)? {
            Some(runner) => runner.stored().await,
            None => Ok(None),
        }
    }

    /// Writes those of many records that fit the contract into a database, by somebody at some time; the last of the three says that
    /// it is only tried. How many are new, how many were there, and what is wrong with the others; `None` as of
    /// [`Engine::stored_records`].
    ///
    /// Errors: the database fails.
    pub async fn import_records(
        &self,
        records: &str,
        sent: &[Record],
        by: (&str, &str, bool),
    ) -> Result<Option<((usize, usize), Vec<Refused>)>, CallError> {
        match self.records_runner(records)? {
            Some(runner) => runner.import(sent, by).await,
            None => Ok(None),
        }
    }

    /// Writes records and what was done to them into the tables of a database, which have none yet; `None` as of
    /// [`Engine::stored_records`].
    ///
    /// Errors: there are some, or the database fails.
    pub async fn load_records(&self, name: &str, records: &Records, events: &[Event]) -> Result<Option<()>, CallError> {
        match self.records_runner(name)? {
            Some(runner) => runner.load(records, events).await,
            None => Ok(None),
        }
    }

    /// What runs one of the tools over some records.
    fn records_runner(&self, records: &str) -> Result<Option<&RecordsRunner>, CallError> {
        let is_over = |prepared: &&Arc<Prepared>| {
            let tool = prepared.tool();
            tool.record_set().is_some() && tool.contract.tables.first().is_some_and(|table| table == records)
        };
        let Some(prepared) = self.tools.values().find(is_over) else { return Ok(None) };
        Ok(prepared.plans(&self.core)?.runner.of_records())
    }

    /// The tool of that name, as it is now: allowed values may be read again.
    pub fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.tools.get(name).map(|prepared| prepared.tool())
    }

    /// Writes the answers of programs, functions and servers that are to be kept.
    ///
    /// Errors: a file cannot be written.
    pub fn write_answers(&self) -> std::io::Result<()> {
        self.core.programs.answers.write()
    }

    /// Whether a call of a tool by somebody is refused whatever its arguments are, for what they have not.
    pub fn is_lacking(&self, name: &str, caller: &bind::Caller) -> bool {
        self.tool(name).is_some_and(|tool| bind::is_lacking(&tool, caller))
    }

    /// Whether the server of a tool was heard to say something else of it than what was reviewed, or to have it no more.
    pub fn is_withdrawn(&self, name: &str) -> bool {
        let prepared = self.tools.get(name);
        prepared.is_some_and(|prepared| {
            let tool = prepared.tool();
            let server = tool.upstream().and_then(|call| Some((self.core.upstreams.get(&call.upstream)?, call)));
            server
                .is_some_and(|(server, call)| server.is_known_to_differ(&Item::Tool(call.remote.clone()), &call.digest))
        })
    }

    /// How often another server was heard to say something of itself that it had not said before. Who waits for it is told of a
    /// change.
    pub fn heard_of_upstreams(&self) -> watch::Receiver<u64> {
        self.core.upstreams.heard()
    }

    /// Looks at those other servers again that have told that they have changed, or were last asked some time ago.
    pub fn look_at_upstreams(&self) {
        self.core.upstreams.look_again();
    }

    /// The hash of what a tool was compiled to.
    pub fn contract(&self, name: &str) -> Option<Arc<str>> {
        self.tools.get(name).map(|prepared| Arc::clone(&prepared.contract))
    }
}
