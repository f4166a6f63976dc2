//! A tool in an engine, and what its first call makes of it.

use super::bind::Caller;
use super::bind::schema::InputSchema;
use super::core::Core;
use super::cursor;
use super::defaults::Defaults;
use super::encode::table_schema;
use super::error::CallError;
use super::gate::Whose;
use super::native::NativeTool;
use super::refresh::Refreshed;
use super::rules::{Condition, plan_rules};
use super::runners::Runner;
use super::session::Session;
use super::unplanned::Unplanned;
use crate::tool::{Families, Tool};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// A tool, and what is made of it by its first call.
pub(super) struct Prepared {
    /// The tool; another one where allowed values were read again.
    tool: RwLock<Arc<Tool>>,
    /// Made by the first call: a server of a thousand tools starts as fast as one of five.
    plans: OnceLock<Result<Plans, CallError>>,
    /// The hash of what was compiled.
    pub contract: Arc<str>,
    /// That of the tool behind an alias, whose results and cursors are those of the alias too; else the same.
    pub meant: Arc<str>,
    /// Whom calls count for where nobody says who they are: the same under all names of a tool.
    pub counted: Arc<str>,
    /// The columns as every result names them.
    pub table_schema: Arc<str>,
    /// The tables that it reads.
    pub tables: Vec<String>,
    /// The database that it sends its statement to.
    pub source: Option<String>,
    /// The allowed values that are read again.
    refreshed: Vec<Refreshed>,
    /// Whether running its plan is all that a call takes time for: no rule is evaluated, nothing is counted or read anew.
    pub is_plan_alone: bool,
}

/// What a tool's calls are checked and run with.
pub(super) struct Plans {
    pub runner: Runner,
    /// The conditions that every call must meet.
    pub rules: Vec<Condition>,
    /// What the arguments must be, where they are no parameters.
    pub schema: Option<InputSchema>,
    pub defaults: Defaults,
}

impl Prepared {
    /// Whom a call counts for.
    pub(super) fn whose(&self, caller: &Caller) -> Whose {
        caller.principal.clone().map_or_else(|| Whose::Tool(Arc::clone(&self.counted)), Whose::Principal)
    }

    pub(super) fn new(tool: Tool) -> Prepared {
        let refreshed = Refreshed::of(&tool);
        let contract = &tool.contract;
        let hash: Arc<str> = cursor::contract(&tool).into();
        Prepared {
            meant: Arc::clone(&hash),
            counted: contract.name.as_str().into(),
            contract: hash,
            table_schema: table_schema(contract.columns()),
            tables: contract.tables.clone(),
            source: tool.source().map(str::to_owned),
            is_plan_alone: contract.rules.is_empty() && refreshed.is_empty() && !contract.count_total,
            refreshed,
            tool: RwLock::new(Arc::new(tool)),
            plans: OnceLock::new(),
        }
    }

    /// A tool whose plans are there.
    pub(super) fn with(tool: Tool, plans: Plans) -> Prepared {
        Prepared { plans: OnceLock::from(Ok(plans)), ..Prepared::new(tool) }
    }

    /// All tools by their names. An alias counts as what it stands for.
    pub(super) fn all(tools: Vec<Tool>) -> HashMap<String, Arc<Prepared>> {
        let families = Families::of_tools(&tools);
        let prepared =
            |tool: Tool| Prepared { counted: families.counted_name(&tool.contract).into(), ..Prepared::new(tool) };
        let (aliases, tools): (Vec<Tool>, Vec<Tool>) =
            tools.into_iter().partition(|tool| tool.contract.alias_of.is_some());
        let named = |tool: Tool| (tool.contract.name.clone(), prepared(tool));
        let tools: HashMap<String, Prepared> = tools.into_iter().map(named).collect();
        let behind = |tool: &Tool| tool.contract.alias_of.as_ref().and_then(|name| tools.get(name));
        let alias = |tool: Tool| {
            let meant = behind(&tool).map(|prepared| Arc::clone(&prepared.contract));
            let (name, alias) = named(tool);
            (name, Prepared { meant: meant.unwrap_or_else(|| Arc::clone(&alias.contract)), ..alias })
        };
        let aliases: Vec<(String, Prepared)> = aliases.into_iter().map(alias).collect();
        tools.into_iter().chain(aliases).map(|(name, prepared)| (name, Arc::new(prepared))).collect()
    }

    /// What calls are checked and run with.
    ///
    /// Errors: `internal-error` where the tool does not plan, which compiling it and comparing the tables' schemas rule
    /// out.
    pub(super) fn plans(&self, core: &Arc<Core>) -> Result<&Plans, CallError> {
        let made = || Plans::of(&self.tool(), core).map_err(|why| CallError::internal(why.to_string()));
        self.plans.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    /// The same where a call has made them.
    pub(super) fn planned(&self) -> Option<&Plans> {
        self.plans.get()?.as_ref().ok()
    }

    /// The tool as it is now.
    pub(super) fn tool(&self) -> Arc<Tool> {
        Arc::clone(&self.tool.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads values again that are older than they may be.
    pub(super) async fn refresh(&self, core: &Core, starting: bool) {
        for one in &self.refreshed {
            if let Some(tool) = one.read_again(core, starting, &|| self.tool()).await {
                self.replace(tool);
            }
        }
    }

    /// Takes another one with the same plans.
    fn replace(&self, tool: Tool) {
        *self.tool.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(tool);
    }
}

impl Plans {
    /// Those of a tool that was compiled.
    fn of(tool: &Tool, core: &Arc<Core>) -> Result<Plans, Unplanned> {
        let Session { ctx, functions, .. } = core.session();
        let options = Arc::clone(ctx.state().config_options());
        let defaults = Defaults::plan(&tool.contract, &core.time_zone, &options, functions)?;
        let rules = plan_rules(&tool.contract, functions)?;
        let schema = tool.contract.schema().map(InputSchema::of).transpose();
        let schema = schema.map_err(|error| Unplanned::Schema(error.to_string()))?;
        Ok(Plans { runner: Runner::of(tool, core)?, rules, schema, defaults })
    }

    /// Those of a tool that is written in Rust, which has neither rules nor defaults of its own.
    pub(super) fn of_native(native: NativeTool, core: &Arc<Core>) -> Plans {
        let (schema, defaults) = (Some(native.schema.clone()), Defaults::none(&core.time_zone));
        Plans { runner: Runner::native(native, core), rules: Vec::new(), schema, defaults }
    }
}
