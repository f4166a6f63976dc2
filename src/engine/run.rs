//! Runs one call: checks it here, gets its rows in [`execute`], and makes a result of them in [`answer`].

mod answer;
mod execute;
mod failure;
mod identity;
mod steady;

use super::bind::{Arguments, BoundCall, Caller, automatic_argument, bind};
use super::core::Core;
use super::cursor::{Position, Sent};
use super::error::CallError;
use super::gate::Whose;
use super::open_table::Wants;
use super::result::CallResult;
use super::results::{Place, Results};
use super::{Engine, Planned, Plans, Prepared, Runner};
use crate::engine::code::CallCode;
use crate::plan::total_order::{self, Known};
use crate::project::AutomaticParameter;
use crate::tool::Tool;
use datafusion::common::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use execute::Ready;
use failure::engine_error;
use futures::FutureExt;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

impl Engine {
    /// Calls a tool. Dropping the future stops the query; a panic inside it becomes an error of this call alone.
    ///
    /// Errors: `unknown-tool`, what is wrong with the arguments, `timeout`, `internal-error`.
    pub async fn call(&self, name: &str, arguments: &Arguments) -> Result<CallResult, CallError> {
        self.call_as(name, arguments, &Caller::default()).await
    }

    /// Calls a tool on behalf of somebody: parameters that are bound to the caller take their values from there.
    ///
    /// Errors: as [`Engine::call`], and `not-permitted` where the caller lacks what a parameter is bound to.
    pub async fn call_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<CallResult, CallError> {
        if let Some(kept) = self.kept(name, arguments, caller) {
            return Ok(kept);
        }
        let bound = match self.at_once(name, arguments, caller).await {
            AtOnce::Over(outcome) => return outcome,
            AtOnce::Bound(run) => Some(*run),
            AtOnce::NotTried => None,
        };
        let results = Arc::clone(&self.results);
        let run = self.on_a_thread(name, (arguments, caller), bound, move |run| run.finish_and_keep(results));
        // Who calls gets an answer, whatever goes wrong.
        let called = AssertUnwindSafe(run).catch_unwind().await;
        called.unwrap_or_else(|_| Err(CallError::internal("a call panicked")))
    }

    /// The result of an equal call, where its tool says that results are kept.
    fn kept(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Option<CallResult> {
        let prepared = self.tools.get(name)?;
        prepared.tool().contract.cache_ttl?;
        // Nothing is kept of a tool that was never planned, and planning takes a stack of its own.
        prepared.plans.get()?;
        let checked = Checked::of(&self.core, prepared, arguments, caller).ok()?;
        self.results.get(&checked.place(prepared, &self.core)?)
    }

    /// Runs a call where it is, if there is a plan for it whose steps are short whatever the arguments are, and calls of
    /// the tool take little time: handing it to other threads would take longer. What is bound for that is handed on where
    /// it needs threads of its own. It takes no turn: there are never more of them than threads of the protocol, and they are over before any query
    /// that takes long.
    async fn at_once(&self, name: &str, arguments: &Arguments, caller: &Caller) -> AtOnce {
        let prepared = self.tools.get(name).filter(|prepared| prepared.quick.load(Ordering::Relaxed));
        let Some(prepared) = prepared else { return AtOnce::NotTried };
        let run = async {
            let run = match Run::of(Arc::clone(&self.core), prepared, arguments, caller).await {
                Ok(run) => run,
                Err(error) => return AtOnce::Over(Err(error)),
            };
            let Some(ready) = run.ready() else {
                prepared.quick.store(false, Ordering::Relaxed);
                return AtOnce::Bound(Box::new(run));
            };
            AtOnce::Over(run.at_once_and_keep(ready, &self.results).await)
        };
        let timeout = prepared.tool().contract.timeout.0;
        match tokio::time::timeout(timeout, AssertUnwindSafe(run).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => AtOnce::Over(Err(CallError::internal("a query panicked"))),
            Err(_) => AtOnce::Over(Err(late(timeout))),
        }
    }

    /// The physical plan of a call, for its author: which filters reach the scans, what is read of which file.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn explain_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<String, CallError> {
        self.on_a_thread(name, (arguments, caller), None, Run::explain).await
    }

    /// Plans a call on threads of its own, and does something with it. `bound` is the call where its arguments are checked
    /// already.
    async fn on_a_thread<T: Send + 'static, F: Future<Output = Result<T, CallError>> + Send>(
        &self,
        name: &str,
        (arguments, caller): (&Arguments, &Caller),
        bound: Option<Run>,
        finish: impl FnOnce(Run) -> F + Send + 'static,
    ) -> Result<T, CallError> {
        let Some(prepared) = self.tools.get(name).cloned() else {
            return Err(CallError::new(CallCode::UnknownTool, "there is no tool of this name"));
        };
        let timeout = prepared.tool().contract.timeout.0;
        let late = || late(timeout);
        let deadline = tokio::time::Instant::now() + timeout;
        let whose = caller.principal.clone().map_or_else(|| Whose::Tool(name.into()), Whose::Principal);
        let turn = tokio::time::timeout_at(deadline, self.gate.enter(&whose)).await.map_err(|_| late())??;
        let core = Arc::clone(&self.core);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let query = {
            let prepared = Arc::clone(&prepared);
            async move {
                let run = match bound {
                    Some(run) => run,
                    None => {
                        prepared.refresh(&core, false).await;
                        Run::of(core, &prepared, &arguments, &caller).await?
                    }
                };
                finish(run).await
            }
        };
        let outcome = match tokio::time::timeout_at(deadline, self.core.threads.run(query, whose, turn)).await {
            Ok(Ok(result)) => result,
            Ok(Err(failed)) => Err(failed.into()),
            Err(_) => Err(late()),
        };
        self.keep_tables(&prepared);
        outcome
    }

    /// Reads the tables of a tool into memory that are worth it and large, beside the calls.
    fn keep_tables(&self, prepared: &Prepared) {
        for table in self.core.opened(&prepared.tables).filter(|table| table.wants() == Wants::Later) {
            let (table, core) = (Arc::clone(table), Arc::clone(&self.core));
            tokio::spawn(async move {
                let threads = core.threads.clone();
                let read = async move { table.read_ahead(&core.session().template_state).await };
                // Where that fails, calls go on reading the files, and say what is wrong with them.
                let _ = threads.run(read, Whose::Tool("".into()), ()).await;
            });
        }
    }

    /// How many calls wait for their turn.
    pub fn waiting(&self) -> usize {
        self.gate.waiting()
    }

    /// How many queries that nobody waits for any more were told to stop and have not.
    pub fn lost(&self) -> usize {
        self.core.threads.lost()
    }

    /// Whether so many queries do not stop that calls are refused until they do.
    pub fn is_exhausted(&self) -> bool {
        self.core.threads.are_exhausted()
    }
}

/// What came of trying to run a call where it is.
enum AtOnce {
    /// It is over.
    Over(Result<CallResult, CallError>),
    /// It needs threads of its own.
    Bound(Box<Run>),
    /// Calls of this tool have threads of their own.
    NotTried,
}

fn late(timeout: Duration) -> CallError {
    CallError::new(CallCode::Timeout, format!("the query took longer than {} s", timeout.as_secs_f32()))
        .hint("narrow the arguments")
}

/// A call whose arguments are checked.
struct Checked {
    tool: Arc<Tool>,
    arguments: Arguments,
    caller: Caller,
    call: BoundCall,
    /// The page that it asks for; `None` for the first.
    page: Option<Position>,
}

impl Checked {
    /// Checks the arguments, and whether the cursor is of this call.
    fn of(core: &Core, prepared: &Prepared, arguments: &Arguments, caller: &Caller) -> Result<Checked, CallError> {
        let tool = prepared.tool();
        let defaults = &prepared.plans(core)?.defaults;
        let sent = sent_cursor(&tool, arguments);
        let page = sent.as_ref().map_err(Clone::clone).map(|sent| sent.as_ref().map(|sent| sent.at));
        let at = page.as_ref().ok().copied().flatten();
        let call = match tool.contract.schema() {
            // Its own arguments are checked against its schema.
            Some(_) => bind(&tool.contract, &automatic(arguments), caller, defaults, page)?,
            None => bind(&tool.contract, arguments, caller, defaults, page)?,
        };
        let checked = Checked { tool, arguments: arguments.clone(), caller: caller.clone(), call, page: at };
        let is_of_this = |sent: &Sent| {
            let identity = checked.identity(prepared, core);
            identity.is_some_and(|identity| sent.is_of(&core.key, &identity))
        };
        match sent.ok().flatten() {
            Some(sent) if !is_of_this(&sent) => Err(no_cursor(arguments.get("cursor").unwrap_or(&Value::Null))),
            _ => Ok(checked),
        }
    }
}

/// A call whose arguments are checked, and what it takes to run it.
struct Run {
    core: Arc<Core>,
    prepared: Arc<Prepared>,
    checked: Checked,
    /// Which combination of choices.
    choices: usize,
    /// The plan of a tool that is not written in SQL.
    native: Option<LogicalPlan>,
    /// Whether a page can follow another.
    has_pages: bool,
    notes: Vec<String>,
}

impl Run {
    async fn of(
        core: Arc<Core>,
        prepared: &Arc<Prepared>,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Result<Run, CallError> {
        let checked = Checked::of(&core, prepared, arguments, caller)?;
        let Plans { runner, rules, defaults } = prepared.plans(&core)?;
        let (tool, bound) = (&checked.tool, &checked.call);
        bound.check_clauses(&tool.contract, arguments, defaults)?;
        bound.check_rules(&tool.contract, rules, defaults)?;
        let choices = Prepared::choices(tool, &|name| bound.text(name));
        let notes = bound.notes.clone();
        let (native, has_pages) = match runner {
            Runner::Native(native) => {
                let plan = native.plan(arguments, caller, Arc::clone(&core)).await?;
                let (plan, has_pages) = in_order(plan, tool, &core)?;
                (Some(plan), has_pages)
            }
            Runner::Query(_) => (None, tool.contract.expose.contains(&AutomaticParameter::Cursor)),
        };
        Ok(Run { core, prepared: Arc::clone(prepared), checked, choices, native, has_pages, notes })
    }

    /// The plan for the call's choices.
    fn planned(&self) -> Option<&Planned> {
        match &self.prepared.plans(&self.core).ok()?.runner {
            Runner::Query(plans) => plans.get(self.choices),
            Runner::Native(_) => None,
        }
    }

    /// The plan with the values of the call.
    fn plan(&self) -> Result<LogicalPlan, CallError> {
        let internal = |error: DataFusionError| CallError::internal(error.strip_backtrace());
        let (call, tool) = (&self.checked.call, self.checked.tool.as_ref());
        match (&self.native, self.planned()) {
            (Some(plan), _) => Ok(plan.clone()),
            (None, Some(Planned::Once(plan))) => call.apply(&tool.contract, plan).map_err(internal),
            (None, Some(Planned::PerCall(per_call))) => {
                let plan = per_call
                    .plan(&|at| {
                        let sent = call.slot(&tool.contract, at).cloned();
                        sent.or_else(|| per_call.typical.get(at).cloned().flatten())
                    })
                    .map_err(engine_error)?;
                call.apply(&tool.contract, &plan).map_err(internal)
            }
            (None, _) => Err(CallError::internal("no such choice")),
        }
    }

    /// The result of the call, or that of an equal one, where the tool says that results are kept.
    async fn finish_and_keep(self, results: Arc<Results>) -> Result<CallResult, CallError> {
        let place = self.checked.place(&self.prepared, &self.core);
        if let Some(kept) = place.as_ref().and_then(|place| results.get(place)) {
            return Ok(kept);
        }
        let (core, prepared) = (Arc::clone(&self.core), Arc::clone(&self.prepared));
        let rows = self.rows().await?;
        let result = self.result(&rows).await?;
        keep(place.as_ref(), &result, &results, (&prepared, &core));
        Ok(result)
    }

    /// The same by a plan that is there.
    async fn at_once_and_keep(self, ready: Ready, results: &Results) -> Result<CallResult, CallError> {
        let place = self.checked.place(&self.prepared, &self.core);
        let (core, prepared) = (Arc::clone(&self.core), Arc::clone(&self.prepared));
        let rows = self.run(ready).await.map_err(engine_error)?;
        let result = self.result(&rows).await?;
        keep(place.as_ref(), &result, results, (&prepared, &core));
        Ok(result)
    }
}

/// Keeps a result, unless the tables have changed meanwhile: then nobody knows which rows these are.
fn keep(place: Option<&Place>, result: &CallResult, results: &Results, (prepared, core): (&Prepared, &Core)) {
    if let Some(place) = place.filter(|place| place.holds(prepared, core)) {
        results.keep(place, result);
    }
}

/// The plan of a tool that is written in Rust, in a total order where it offers pages; whether it has them.
fn in_order(plan: LogicalPlan, tool: &Tool, core: &Core) -> Result<(LogicalPlan, bool), CallError> {
    if !tool.contract.expose.contains(&AutomaticParameter::Cursor) {
        return Ok((plan, false));
    }
    let key = |table: &str| core.primary_key(table).to_vec();
    let known = Known { keys: &key, volatile: &|_| None };
    let ordered = total_order::apply(plan.clone(), known).map_err(engine_error)?;
    Ok(ordered.map_or((plan, false), |ordered| (ordered, true)))
}

/// The arguments that qtool adds.
fn automatic(arguments: &Arguments) -> Arguments {
    let is_automatic = |name: &&String| crate::name::RESERVED.contains(&name.as_str());
    arguments.iter().filter(|(name, _)| is_automatic(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The cursor that a call was sent with; none for the first page.
fn sent_cursor(tool: &Tool, arguments: &Arguments) -> Result<Option<Sent>, CallError> {
    let Some(sent) = automatic_argument(&tool.contract, AutomaticParameter::Cursor, arguments) else { return Ok(None) };
    sent.as_str().and_then(Sent::read).map(Some).ok_or_else(|| no_cursor(sent))
}

fn no_cursor(sent: &Value) -> CallError {
    let message = "the argument `cursor` must be `next_cursor` of an earlier page of the same call";
    CallError::about(CallCode::InvalidArgument, "cursor", message)
        .expected("`next_cursor` of an earlier page", crate::ty::coerce::shortened(sent))
        .hint("send the arguments of that call again, or leave out `cursor` to begin anew")
}

#[cfg(test)]
mod tests;
