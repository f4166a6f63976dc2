//! Runs one call: checks it here, gets its rows in [`execute`], and makes a result of them in [`answer`].

mod answer;
mod execute;
mod failure;
mod steady;

use super::bind::{Arguments, BoundCall, Caller, automatic_argument, bind};
use super::cursor::Position;
use super::error::CallError;
use super::refresh::Source;
use super::result::CallResult;
use super::stop::Stop;
use super::tables::cache::Wants;
use super::{Engine, Planned, Plans, Prepared};
use crate::project::AutomaticParameter;
use crate::tool::Tool;
use datafusion::common::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use failure::engine_error;
use futures::FutureExt;
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
        let place = || self.results.place(self.tools.get(name)?, &self.source, arguments, caller);
        let Some(before) = place() else { return self.call_anew(name, arguments, caller).await };
        if let Some(kept) = self.results.get(&before) {
            return Ok(kept);
        }
        let outcome = self.call_anew(name, arguments, caller).await;
        // Where the tables have changed meanwhile, nobody knows which rows these are.
        if let Ok(result) = &outcome
            && place().is_some_and(|after| after == before)
        {
            self.results.keep(before, result);
        }
        outcome
    }

    /// Calls a tool, whatever is kept of earlier results.
    async fn call_anew(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<CallResult, CallError> {
        if let Some(outcome) = self.at_once(name, arguments, caller).await {
            return outcome;
        }
        self.on_a_thread(name, arguments, caller, Run::finish).await
    }

    /// Runs a call where it is, if there is a plan for it whose steps are short whatever the arguments are, and calls of
    /// the tool take little time: handing it to other threads would take longer. `None` where it needs threads of its own.
    /// It takes no turn: there are never more of them than threads of the protocol, and they are over before any query
    /// that takes long.
    async fn at_once(
        &self,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Option<Result<CallResult, CallError>> {
        let prepared = self.tools.get(name).filter(|prepared| prepared.quick.load(Ordering::Relaxed))?;
        let run = async {
            let run = match Run::of(Arc::clone(&self.source), prepared, arguments, caller, Stop::default()).await {
                Ok(run) => run,
                Err(error) => return Some(Err(error)),
            };
            let Some(ready) = run.ready() else {
                prepared.quick.store(false, Ordering::Relaxed);
                return None;
            };
            Some(match run.run(ready).await {
                Ok(batches) => run.result(&batches).await,
                Err(error) => Err(engine_error(error)),
            })
        };
        let timeout = prepared.tool().timeout.0;
        match tokio::time::timeout(timeout, AssertUnwindSafe(run).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => Some(Err(CallError::internal("a query panicked"))),
            Err(_) => Some(Err(late(timeout))),
        }
    }

    /// The physical plan of a call, for its author: which filters reach the scans, what is read of which file.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn explain_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<String, CallError> {
        self.on_a_thread(name, arguments, caller, Run::explain).await
    }

    /// Plans a call on threads of its own, and does something with it.
    async fn on_a_thread<T: Send + 'static, F: Future<Output = Result<T, CallError>> + Send>(
        &self,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
        finish: impl FnOnce(Run) -> F + Send + 'static,
    ) -> Result<T, CallError> {
        let Some(prepared) = self.tools.get(name).cloned() else {
            return Err(CallError::new("unknown-tool", "there is no tool of this name"));
        };
        let timeout = prepared.tool().timeout.0;
        let late = || late(timeout);
        let deadline = tokio::time::Instant::now() + timeout;
        let turn = tokio::time::timeout_at(deadline, self.gate.enter()).await.map_err(|_| late())??;
        let source = Arc::clone(&self.source);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let stop = Stop::default();
        let query = {
            let (prepared, stop) = (Arc::clone(&prepared), stop.clone());
            async move {
                prepared.refresh(&source, false).await;
                finish(Run::of(source, &prepared, &arguments, &caller, stop).await?).await
            }
        };
        let outcome = match tokio::time::timeout_at(deadline, self.source.threads.run(query, stop, turn)).await {
            Ok(Ok(result)) => result,
            Ok(Err(failed)) => Err(failed.into()),
            Err(_) => Err(late()),
        };
        self.keep_tables(&prepared);
        outcome
    }

    /// Reads the tables of a tool into memory that are worth it and large, beside the calls.
    fn keep_tables(&self, prepared: &Prepared) {
        for table in self.source.cached(&prepared.tables) {
            let (wants, wants_order) = (table.wants(), table.wants_order());
            if wants != Wants::Later && !wants_order {
                continue;
            }
            let (table, source) = (Arc::clone(table), Arc::clone(&self.source));
            tokio::spawn(async move {
                let threads = source.threads.clone();
                let read = async move {
                    let state = &source.session().template_state;
                    if wants_order { table.find_order(state).await } else { table.load(state).await }
                };
                // Where that fails, calls go on reading the files, and say what is wrong with them.
                let _ = threads.run(read, Stop::default(), ()).await;
            });
        }
    }

    /// How many calls wait for their turn.
    pub fn waiting(&self) -> usize {
        self.gate.waiting()
    }
}

fn late(timeout: Duration) -> CallError {
    CallError::new("timeout", format!("the query took longer than {} s", timeout.as_secs_f32()))
        .hint("narrow the arguments")
}

/// A call whose arguments are checked.
struct Run {
    source: Arc<Source>,
    prepared: Arc<Prepared>,
    tool: Arc<Tool>,
    arguments: Arguments,
    caller: Caller,
    call: BoundCall,
    /// Which combination of choices.
    choices: usize,
    /// The plan of a tool that is not written in SQL.
    native: Option<LogicalPlan>,
    notes: Vec<String>,
    stop: Stop,
}

impl Run {
    async fn of(
        source: Arc<Source>,
        prepared: &Arc<Prepared>,
        arguments: &Arguments,
        caller: &Caller,
        stop: Stop,
    ) -> Result<Run, CallError> {
        let tool = prepared.tool();
        let Plans { plans, rules, clauses, defaults } = prepared.plans(&source)?;
        let page = page(&source, prepared, &tool, arguments, caller);
        let bound = match &tool.native_input {
            // Its own arguments are checked against its schema.
            Some(_) => bind(&tool, &automatic(arguments), caller, defaults, page)?,
            None => bind(&tool, arguments, caller, defaults, page)?,
        };
        bound.check_clauses(&tool, clauses, arguments, defaults)?;
        bound.check_rules(&tool, rules, defaults)?;
        let choices = Prepared::choices(&tool, &|name| bound.text(name));
        let native = match plans.get(choices) {
            Some(Planned::Native(native)) => Some(native.plan(arguments, caller, Arc::clone(&source)).await?),
            Some(_) => None,
            None => return Err(CallError::internal("no such choice")),
        };
        let (arguments, caller, prepared) = (arguments.clone(), caller.clone(), Arc::clone(prepared));
        let mut call = bound;
        let notes = std::mem::take(&mut call.notes);
        Ok(Run { source, prepared, tool, arguments, caller, call, choices, native, notes, stop })
    }

    /// The plan for the call's choices.
    fn planned(&self) -> Option<&Planned> {
        self.prepared.plans(&self.source).ok()?.plans.get(self.choices)
    }

    /// The plan with the values of the call.
    fn plan(&self) -> Result<LogicalPlan, CallError> {
        let internal = |error: DataFusionError| CallError::internal(error.strip_backtrace());
        let (call, tool) = (&self.call, self.tool.as_ref());
        match (&self.native, self.planned()) {
            (Some(plan), _) => Ok(plan.clone()),
            (None, Some(Planned::Once(plan))) => call.apply(tool, plan).map_err(internal),
            (None, Some(Planned::PerCall(per_call))) => {
                let plan = per_call
                    .plan(&|at| {
                        let sent = call.slot(tool, at).cloned();
                        sent.or_else(|| per_call.typical.get(at).cloned().flatten())
                    })
                    .map_err(engine_error)?;
                call.apply(tool, &plan).map_err(internal)
            }
            (None, _) => Err(CallError::internal("no such choice")),
        }
    }

    async fn finish(self) -> Result<CallResult, CallError> {
        let rows = self.rows().await?;
        self.result(&rows).await
    }
}

/// The arguments that qtool adds.
fn automatic(arguments: &Arguments) -> Arguments {
    let is_automatic = |name: &&String| crate::name::RESERVED.contains(&name.as_str());
    arguments.iter().filter(|(name, _)| is_automatic(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The page that a call asks for; the first where it asks for none.
fn page(
    source: &Source,
    prepared: &Prepared,
    tool: &Tool,
    arguments: &Arguments,
    caller: &Caller,
) -> Result<Option<Position>, CallError> {
    let Some(sent) = automatic_argument(tool, AutomaticParameter::Cursor, arguments) else { return Ok(None) };
    let page = sent.as_str().and_then(|text| source.key.read(text, &prepared.contract, arguments, caller));
    page.map(Some).ok_or_else(|| {
        let message = "the argument `cursor` must be `next_cursor` of an earlier page of the same call";
        CallError::about("invalid-argument", "cursor", message)
            .expected("`next_cursor` of an earlier page", crate::ty::coerce::shortened(sent))
            .hint("send the arguments of that call again, or leave out `cursor` to begin anew")
    })
}

#[cfg(test)]
mod tests;
