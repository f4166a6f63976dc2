//! Runs tools: a project's tables in a DataFusion session, every tool planned once against them.
//!
//! Arguments reach a plan as literals only ([`bind`]); what comes out is capped and encoded here ([`result`]). This
//! module knows neither MCP nor HTTP.

pub mod allowed_values;
pub mod bind;
mod check_rows;
pub mod code;
mod core;
pub mod cursor;
mod data;
pub mod defaults;
pub mod drift;
pub mod encode;
pub mod error;
pub mod fixture;
mod gate;
mod join_order;
pub mod limits;
pub mod native;
pub mod outline;
mod refresh;
pub mod result;
mod results;
mod run;
mod session;
mod stop;
pub mod tables;
mod template;
mod threads;

use crate::catalog::{Catalog, Table};
use crate::infer::functions::Functions;
use crate::infer::{constants, planner};
use crate::plan::total_order::{self, Known};
use crate::project::{AutomaticParameter, ProjectFile};
use crate::syntax::choice;
use crate::syntax::link::parse_text;
use crate::tool::{Parameter, PlaceholderUse, Tool, ToolRule};
use crate::ty::Type;
use crate::ty::coerce::TimeZoneName;
use arrow::datatypes::DataType;
use core::Core;
use cursor::Key;
use datafusion::catalog::TableProvider;
use datafusion::common::{ScalarValue, plan_err};
use datafusion::logical_expr::{Expr, LogicalPlan, TableSource};
use datafusion::prelude::SessionContext;
use defaults::Defaults;
use error::CallError;
use gate::Gate;
use indexmap::IndexMap;
use limits::Limits;
use native::NativeTool;
use refresh::Refreshed;
use results::Results;
use session::Session;
use sqlparser::ast::Statement;
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use tables::cache::{Budget, CachedTable};
use tables::{Embedded, Extent, Opener, Roots, TableError};
use template::Templates;
use threads::Threads;
pub use threads::serving_runtime;

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
    tables: IndexMap<String, Arc<dyn TableProvider>>,
    cached: HashMap<String, Arc<CachedTable>>,
    /// The declared primary keys.
    keys: HashMap<String, Vec<String>>,
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
        let time_zone = file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
        let limits = Limits::of(&file.limits);
        let files = session::of_files(&time_zone, &limits);
        let failed = |table: &str, error| OpenError { table: table.to_owned(), error };
        let first = names.first().copied().unwrap_or_default();
        let roots = Roots::new(dir, &file.roots).map_err(|error| vec![failed(first, error)])?;
        let roots = roots.with_embedded(Arc::clone(embedded));
        let opener = Opener { ctx: &files, roots: &roots, extent };
        let mut tables: IndexMap<String, Arc<dyn TableProvider>> = IndexMap::new();
        let mut cached = HashMap::new();
        let budget = Budget::new(limits.cache);
        let mut errors = Vec::new();
        for name in names {
            let Some(source) = file.tables.get(*name) else { continue };
            let locked = catalog.tables.get(*name);
            match opener.open(source, locked).await {
                Ok(mut table) => {
                    let kept = table.keep(name, source, &budget);
                    let provider = kept.clone().map_or(table.provider, |kept| kept);
                    tables.insert((*name).to_owned(), provider);
                    cached.extend(kept.map(|kept| ((*name).to_owned(), kept)));
                }
                Err(error) => errors.push(failed(name, error)),
            }
        }
        let session = OnceLock::new();
        if !errors.is_empty() {
            return Err(errors);
        }
        let key = |name: &str| file.tables.get(name).map(|source| (name.to_owned(), source.primary_key.clone()));
        let keys = names.iter().filter_map(|name| key(name)).collect();
        Ok(Tables { files, session, time_zone, limits, tables, cached, keys })
    }

    fn session(&self) -> &Session {
        self.session.get_or_init(|| Session::over(&self.files))
    }

    /// The schemas as the data has them.
    pub fn catalog(&self) -> Catalog {
        let tables =
            self.tables.iter().map(|(name, table)| (name.clone(), Table::from_arrow(&table.schema()))).collect();
        Catalog { tables }
    }

    /// The tables whose data no longer has the schema that the tools were compiled for, with the first difference.
    pub fn changes(&self, compiled_for: &Catalog) -> Vec<(String, String)> {
        let now = self.catalog();
        let differs =
            |(name, locked): (&String, &Table)| Some((name.clone(), locked.difference(now.tables.get(name)?)?));
        compiled_for.tables.iter().filter_map(differs).collect()
    }
}

/// Tools ready to be called.
pub struct Engine {
    core: Arc<Core>,
    tools: HashMap<String, Arc<Prepared>>,
    gate: Gate,
    results: Arc<Results>,
}

/// A tool, and what is made of it by its first call.
struct Prepared {
    /// The tool; another one where allowed values were read again.
    tool: RwLock<Arc<Tool>>,
    /// Made by the first call: a server of a thousand tools starts as fast as one of five.
    plans: OnceLock<Result<Plans, String>>,
    /// The hash of what was compiled.
    contract: Arc<str>,
    /// The columns as every result names them.
    table_schema: Arc<str>,
    /// The tables that it reads.
    tables: Vec<String>,
    /// Physical plans for further calls.
    templates: Templates,
    /// Whether the last call took so little that the next needs no threads of its own.
    quick: AtomicBool,
    /// The allowed values that are read again.
    refreshed: Vec<Refreshed>,
}

/// What a tool's calls are checked and run with.
struct Plans {
    runner: Runner,
    /// The conditions that every call must meet, with what is said where one does not.
    rules: Vec<Condition>,
    defaults: Defaults,
}

/// A rule's condition, and what is said where it does not hold.
type Condition = (Expr, String);

/// What runs a call, by the body of its tool.
enum Runner {
    /// A statement, with a plan for every combination of choices.
    Query(Vec<Planned>),
    /// A function, which gives a plan or rows.
    Native(Box<NativeTool>),
}

/// When a statement is planned.
enum Planned {
    /// Once: values are put into the plan.
    Once(LogicalPlan),
    /// At every call, because the planner itself needs values ([`constants`]).
    PerCall(Box<PerCall>),
}

/// What planning at a call takes.
struct PerCall {
    parts: Vec<(String, Statement)>,
    types: Vec<Option<DataType>>,
    /// What stands in for a value that a call does not have: its clause is left out, but planned before.
    typical: Vec<Option<ScalarValue>>,
    tables: HashMap<String, Arc<dyn TableSource>>,
    functions: Arc<Functions>,
    /// The primary keys of the tables, where pages of the result must fit together.
    paged_by: Option<HashMap<String, Vec<String>>>,
}

impl PerCall {
    /// The condition of a rule.
    fn rule(&self, rule: &ToolRule) -> Result<(Expr, String), String> {
        let statement = parse_text(&rule.statement, &|_| None).map_err(|error| error.to_string())?;
        let planner = planner::Planner { tables: &|_| None, functions: &self.functions };
        let plan = planner.plan(vec![("rule", statement)], &self.types).and_then(|plan| planner.analyze(plan));
        let plan = plan.map_err(|error| error.strip_backtrace())?;
        let condition = planner::condition(&plan).ok_or("a rule is no condition")?;
        Ok((condition, rule.message.clone()))
    }

    /// Plans with values of the kind that calls have.
    fn plan_typical(&self) -> datafusion::common::Result<LogicalPlan> {
        self.plan(&|at| self.typical.get(at).cloned().flatten())
    }

    /// Plans with these values.
    fn plan(&self, value: &dyn Fn(usize) -> Option<ScalarValue>) -> datafusion::common::Result<LogicalPlan> {
        let parts = self.parts.iter().map(|(name, statement)| {
            let mut statement = statement.clone();
            constants::replace(&mut statement, value);
            (name.as_str(), statement)
        });
        let source = |name: &str| self.tables.get(name).cloned();
        let planner = planner::Planner { tables: &source, functions: &self.functions };
        let plan = planner.plan(parts.collect(), &self.types).and_then(|plan| planner.analyze(plan))?;
        let Some(keys) = &self.paged_by else { return Ok(plan) };
        let key = |table: &str| keys.get(table).cloned().unwrap_or_default();
        match total_order::apply(plan, Known { keys: &key, volatile: &|_| None })? {
            Ok(plan) => Ok(plan),
            // The compiler publishes no cursor then.
            Err(why) => plan_err!("its rows have no order: {why}"),
        }
    }
}

impl Engine {
    /// Makes tools ready that were compiled for these tables. Each is planned by its first call.
    pub fn prepare(tables: Tables, tools: Vec<Tool>) -> Engine {
        let sources = tables.sources();
        let prepared = |tool: Tool| (tool.contract.name.clone(), Arc::new(Prepared::new(tool)));
        let tools = tools.into_iter().map(prepared).collect();
        let Tables { files, session, time_zone, limits, cached, keys, .. } = tables;
        let threads = Threads::new(&limits);
        let gate = Gate::new(&limits, threads.clone());
        let core = Core { files, session, tables: sources, time_zone, limits, key: Key::new(), cached, threads, keys };
        let results = Arc::new(Results::new(&limits));
        Engine { core: Arc::new(core), tools, gate, results }
    }

    /// Plans every tool now, and not at its first call.
    ///
    /// Errors: the tools that do not plan, because the data no longer has the schema they were compiled for.
    pub fn plan_all(&self) -> Result<(), Vec<PrepareError>> {
        let failed = |(name, prepared): (&String, &Arc<Prepared>)| {
            let why = prepared.plans(&self.core).err()?.detail.unwrap_or_default();
            Some(PrepareError { tool: name.clone(), why })
        };
        let mut errors: Vec<PrepareError> = self.tools.iter().filter_map(failed).collect();
        errors.sort_by(|a, b| a.tool.cmp(&b.tool));
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Adds a tool that is written in Rust. One of the same name is replaced.
    pub fn add(&mut self, native: NativeTool) {
        let prepared = Prepared::new(native.tool.clone());
        let (name, defaults) = (native.tool.contract.name.clone(), Defaults::none(&self.core.time_zone));
        let plans = Plans { runner: Runner::Native(Box::new(native)), rules: Vec::new(), defaults };
        // It is new: nobody has planned it.
        let _ = prepared.plans.set(Ok(plans));
        self.tools.insert(name, Arc::new(prepared));
    }

    /// The tool of that name, as it is now: allowed values may be read again.
    pub fn tool(&self, name: &str) -> Option<Arc<Tool>> {
        self.tools.get(name).map(|prepared| prepared.tool())
    }

    /// The hash of what a tool was compiled to.
    pub fn contract(&self, name: &str) -> Option<Arc<str>> {
        self.tools.get(name).map(|prepared| Arc::clone(&prepared.contract))
    }
}

impl Prepared {
    fn new(tool: Tool) -> Prepared {
        Prepared {
            contract: cursor::contract(&tool).into(),
            table_schema: encode::table_schema(tool.contract.columns()),
            tables: tool.contract.tables.clone(),
            refreshed: Refreshed::of(&tool),
            tool: RwLock::new(Arc::new(tool)),
            plans: OnceLock::new(),
            templates: Templates::default(),
            quick: AtomicBool::default(),
        }
    }

    /// What calls are checked and run with.
    ///
    /// Errors: `internal-error` where the tool does not plan, which compiling it and comparing the tables' schemas rule
    /// out.
    fn plans(&self, core: &Core) -> Result<&Plans, CallError> {
        let plans = self.plans.get_or_init(|| Plans::make(&self.tool(), core));
        plans.as_ref().map_err(CallError::internal)
    }

    /// The tool as it is now.
    fn tool(&self) -> Arc<Tool> {
        Arc::clone(&self.tool.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes another one with the same plans.
    fn replace(&self, tool: Tool) {
        *self.tool.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tool);
    }

    /// Which combination of choices a call has made. Where a choice is not made, its clause is left out, and any will do.
    fn choices(tool: &Tool, chosen: &dyn Fn(&str) -> Option<String>) -> usize {
        tool.contract.choosing().fold(0, |at, parameter| {
            let key = chosen(&parameter.name);
            let pick = parameter.choices.iter().position(|choice| Some(&choice.key) == key.as_ref());
            at * parameter.choices.len() + pick.unwrap_or(0)
        })
    }
}

impl Plans {
    /// Plans with every combination of choices, and the rules.
    fn make(tool: &Tool, core: &Core) -> Result<Plans, String> {
        let Session { ctx, functions, .. } = core.session();
        let options = Arc::clone(ctx.state().config_options());
        let defaults = Defaults::plan(&tool.contract, &core.time_zone, &options, functions)?;
        let with = PlanWith { tables: &core.tables, functions, keys: Some(&core.keys) };
        let (plans, rules) = plan_every_choice(tool, with)?;
        Ok(Plans { runner: Runner::Query(plans), rules, defaults })
    }
}

/// What tools are planned with.
#[derive(Clone, Copy)]
struct PlanWith<'a> {
    tables: &'a HashMap<String, Arc<dyn TableSource>>,
    functions: &'a Arc<Functions>,
    /// The declared primary keys, where plans are made for calls: pages of a result must fit together.
    keys: Option<&'a HashMap<String, Vec<String>>>,
}

/// Plans with every combination of choices, and the rules.
fn plan_every_choice(tool: &Tool, with: PlanWith<'_>) -> Result<(Vec<Planned>, Vec<Condition>), String> {
    let choosing: Vec<&Parameter> = tool.contract.choosing().collect();
    let counts: Vec<usize> = choosing.iter().map(|parameter| parameter.choices.len()).collect();
    let (mut plans, mut rules) = (Vec::new(), Vec::new());
    for picks in choice::combinations(&counts) {
        let chosen = |at: usize| {
            let name = &tool.contract.placeholders.get(at)?.parameter;
            let which = choosing.iter().position(|parameter| parameter.name == *name)?;
            choosing.get(which)?.choices.get(*picks.get(which)?).map(|choice| choice.sql.clone())
        };
        let (plan, conditions) = plan_one(tool, &chosen, with)?;
        plans.push(plan);
        rules = conditions;
    }
    Ok((plans, rules))
}

fn plan_one(
    tool: &Tool,
    chosen: &dyn Fn(usize) -> Option<String>,
    with: PlanWith<'_>,
) -> Result<(Planned, Vec<Condition>), String> {
    let parts: Vec<(String, Statement)> = tool
        .statements()
        .map(|(name, text)| Ok((name.to_owned(), parse_text(text, chosen).map_err(|error| error.to_string())?)))
        .collect::<Result<_, String>>()?;
    let slot_type = |at: usize| {
        let placeholder = tool.contract.placeholders.get(at)?;
        let ty = &tool.contract.parameter(&placeholder.parameter)?.ty;
        Some(match ty {
            Type::List(item) if placeholder.list => item.as_ref(),
            ty => ty,
        })
    };
    let types = (0..tool.contract.placeholders.len()).map(|at| Some(slot_type(at)?.to_arrow())).collect();
    let early = parts.iter().any(|(_, statement)| constants::replace(&mut statement.clone(), &|_| None));
    let typical = |at: usize| {
        let units = |placeholder: &PlaceholderUse| {
            tool.contract.parameter(&placeholder.parameter).is_some_and(|one| one.constraints.allowed_values.is_some())
        };
        Some(constants::typical(slot_type(at)?, tool.contract.placeholders.get(at).is_some_and(units)))
    };
    let typical = (0..tool.contract.placeholders.len()).map(typical).collect();
    let paged_by = with.keys.filter(|_| tool.contract.expose.contains(&AutomaticParameter::Cursor)).cloned();
    let (tables, functions) = (with.tables.clone(), Arc::clone(with.functions));
    let per_call = PerCall { parts, types, typical, tables, functions, paged_by };
    let plan = per_call.plan_typical().map_err(|error| error.strip_backtrace())?;
    let rules = tool.contract.rules.iter().map(|rule| per_call.rule(rule)).collect::<Result<Vec<_>, String>>()?;
    Ok((if early { Planned::PerCall(Box::new(per_call)) } else { Planned::Once(plan) }, rules))
}
