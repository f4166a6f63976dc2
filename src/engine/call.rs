//! A call from its arguments to its result: it is admitted ([`admit`](super::admit)), run by what its body has for a
//! runner ([`runners`](super::runners)), and its rows are made a result ([`present`](super::present)).

use super::Engine;
use super::admit::Admitted;
use super::bind::{Arguments, Caller};
use super::changed::Commit;
use super::code::CallCode;
use super::deadline::Deadline;
use super::error::CallError;
use super::failure::without_arguments;
use super::gate::{Counted, Gate, Turn, Whose};
use super::hurry::Quick;
use super::open_table::Wants;
use super::prepared::Prepared;
use super::result::CallResult;
use super::results::{Place, Results};
use super::runners::RunOutput;
use crate::tool::Contract;
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

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
        self.call_watched(name, arguments, caller, &Commit::default()).await
    }

    /// The same; `commit` tells somebody else, while it runs, whether anybody knows what becomes of its changes.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn call_watched(
        &self,
        name: &str,
        arguments: &Arguments,
        caller: &Caller,
        commit: &Commit,
    ) -> Result<CallResult, CallError> {
        if let Some(kept) = self.kept(name, arguments, caller) {
            return Ok(kept);
        }
        let told = |error| self.told(name, error);
        let admitted = match self.at_once(name, arguments, caller).await {
            AtOnce::Over(outcome) => return (*outcome).map_err(told),
            AtOnce::Admitted(call) => Some(*call),
            AtOnce::NotTried => None,
        };
        let results = Arc::clone(&self.results);
        let run =
            self.on_a_thread(name, (arguments, caller), (admitted, commit), move |call| call.run_and_keep(results));
        // Who calls gets an answer, whatever goes wrong.
        let called = AssertUnwindSafe(run).catch_unwind().await;
        called.unwrap_or_else(|_| Err(CallError::internal("a call panicked"))).map_err(told)
    }

    /// An error as it is told of a tool.
    fn told(&self, name: &str, error: CallError) -> CallError {
        let takes_none = |contract: &Contract| contract.parameters().is_empty() && contract.schema().is_none();
        match self.tools.get(name) {
            Some(prepared) if takes_none(&prepared.tool().contract) => without_arguments(error),
            _ => error,
        }
    }

    /// The result of an equal call, where its tool says that results are kept.
    fn kept(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Option<CallResult> {
        let prepared = self.tools.get(name)?;
        prepared.tool().contract.cache_ttl?;
        // Nothing is kept of a tool that was never planned, and planning takes a stack of its own.
        prepared.planned()?;
        let bound = Admitted::bound(&self.core, prepared, arguments, caller).ok()?;
        self.results.get(&bound.place()?)
    }

    /// Runs a call where it is, if there is a plan for it whose steps are short whatever the arguments are, and calls of
    /// the tool take little time: handing it to other threads would take longer. A call that was admitted for that is handed
    /// on where it needs threads of its own. It takes no turn: there are never more of them than threads of the protocol, and
    /// they are over before any query that takes long. Where a server is waited for, it does.
    async fn at_once(&self, name: &str, arguments: &Arguments, caller: &Caller) -> AtOnce {
        let Some(prepared) = self.tools.get(name).filter(|prepared| prepared.is_plan_alone) else {
            return AtOnce::NotTried;
        };
        let runner = prepared.planned().map(|plans| &plans.runner);
        let Some((runner, quick)) = runner.and_then(|runner| Some((runner, runner.quick()?))) else {
            return AtOnce::NotTried;
        };
        let timeout = prepared.tool().contract.timeout.0;
        let deadline = Instant::now() + timeout;
        let run = async {
            let _turn = match quick {
                Quick::Here => None,
                Quick::Awaited => {
                    match turn(&self.awaited, &self.counted(prepared, caller), (deadline, timeout)).await {
                        Ok(turn) => Some(turn),
                        Err(error) => return AtOnce::over(Err(error)),
                    }
                }
            };
            let mut call = match Admitted::new(&self.core, prepared, arguments, caller) {
                Ok(call) => call,
                Err(error) => return AtOnce::over(Err(error)),
            };
            call.call.deadline = Some(Deadline(deadline.into_std()));
            let place = call.place();
            match runner.run_at_once(call.order()).await {
                Some(Ok(output)) => AtOnce::over(call.present_and_keep(output, place, &self.results)),
                Some(Err(error)) => AtOnce::over(Err(error)),
                None => AtOnce::Admitted(Box::new(call)),
            }
        };
        match tokio::time::timeout_at(deadline, AssertUnwindSafe(run).catch_unwind()).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) => AtOnce::over(Err(CallError::internal("a query panicked"))),
            Err(_) => AtOnce::over(Err(late(timeout))),
        }
    }

    /// The physical plan of a call, for its author: which filters reach the scans, what is read of which file.
    ///
    /// Errors: as [`Engine::call_as`].
    pub async fn explain_as(&self, name: &str, arguments: &Arguments, caller: &Caller) -> Result<String, CallError> {
        let explain =
            |call: Admitted| async move { call.prepared.plans(&call.core)?.runner.explain(call.order()).await };
        self.on_a_thread(name, (arguments, caller), (None, &Commit::default()), explain).await
    }

    /// Admits a call on threads of its own, and does something with it. `admitted` is the call where that is done already.
    async fn on_a_thread<T: Send + 'static, F: Future<Output = Result<T, CallError>> + Send>(
        &self,
        name: &str,
        (arguments, caller): (&Arguments, &Caller),
        (admitted, commit): (Option<Admitted>, &Commit),
        finish: impl FnOnce(Admitted) -> F + Send + 'static,
    ) -> Result<T, CallError> {
        let Some(prepared) = self.tools.get(name).cloned() else {
            return Err(CallError::no_such_tool());
        };
        let timeout = prepared.tool().contract.timeout.0;
        let late = || late(timeout);
        // What was tried before is a part of the call.
        let begun = admitted.as_ref().and_then(|call| call.call.deadline).map(|deadline| deadline.0.into());
        let deadline = begun.unwrap_or_else(|| Instant::now() + timeout);
        let whose = self.counted(&prepared, caller);
        let turn = turn(&self.gate, &whose, (deadline, timeout)).await?;
        let whose = whose.whose;
        let core = Arc::clone(&self.core);
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let query = {
            let (prepared, committing) = (Arc::clone(&prepared), commit.clone());
            async move {
                let mut call = match admitted {
                    Some(call) => call,
                    None => {
                        prepared.refresh(&core, false).await;
                        Admitted::new(&core, &prepared, &arguments, &caller)?
                    }
                };
                call.call.deadline = Some(Deadline(deadline.into_std()));
                call.call.commit = committing;
                finish(call).await
            }
        };
        let outcome = match tokio::time::timeout_at(deadline, self.core.threads.run(query, whose, turn)).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) | Err(_) if !commit.give_up() => Err(CallError::outcome_unknown()),
            Ok(Err(failed)) => Err(failed.into()),
            Err(_) => Err(late()),
        };
        self.keep_tables(&prepared);
        outcome
    }

    /// Whom a call counts for, and which servers it asks.
    fn counted(&self, prepared: &Prepared, caller: &Caller) -> Counted {
        let servers = self.core.servers(&prepared.tables, prepared.source.as_deref());
        Counted { servers, whose: prepared.whose(caller) }
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
        self.gate.waiting() + self.awaited.waiting()
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
    Over(Box<Result<CallResult, CallError>>),
    /// It is admitted, and needs threads of its own.
    Admitted(Box<Admitted>),
    /// Calls of this tool have threads of their own.
    NotTried,
}

impl AtOnce {
    fn over(outcome: Result<CallResult, CallError>) -> AtOnce {
        AtOnce::Over(Box::new(outcome))
    }
}

/// Waits for a turn as long as a call has time. What comes to nothing is no fault of its arguments.
///
/// Errors: `busy`.
async fn turn(gate: &Gate, whose: &Counted, (deadline, timeout): (Instant, Duration)) -> Result<Turn, CallError> {
    tokio::time::timeout_at(deadline, gate.enter(whose)).await.unwrap_or_else(|_| {
        let message = format!("the call had no turn within {} s: too many others are under way", timeout.as_secs_f32());
        Err(CallError::new(CallCode::Busy, message).hint("try again in a moment"))
    })
}

fn late(timeout: Duration) -> CallError {
    CallError::new(CallCode::Timeout, format!("the call took longer than {} s", timeout.as_secs_f32()))
        .hint("narrow the arguments")
}

impl Admitted {
    /// The result of the call, or that of an equal one, where the tool says that results are kept.
    async fn run_and_keep(self, results: Arc<Results>) -> Result<CallResult, CallError> {
        let place = self.place();
        if let Some(kept) = place.as_ref().and_then(|place| results.get(place)) {
            return Ok(kept);
        }
        let output = self.prepared.plans(&self.core)?.runner.run(self.order()).await?;
        self.present_and_keep(output, place, &results)
    }

    /// The result of what a runner gave. It is kept unless the tables have changed meanwhile: then nobody knows which rows
    /// these are.
    fn present_and_keep(
        &self,
        output: RunOutput,
        place: Option<Place>,
        results: &Results,
    ) -> Result<CallResult, CallError> {
        let result = self.present(output)?;
        if let Some(place) = place.filter(|place| place.holds(&self.prepared, &self.core)) {
            results.keep(&place, &result);
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests;
