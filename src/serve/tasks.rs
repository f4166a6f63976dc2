//! Calls that take long, for clients that would rather ask how they are: the extension `io.modelcontextprotocol/tasks` (SEP-2663).
//!
//! A call is waited for as any other. One that has not ended after a while becomes a task, if its client knows them: it goes on, and
//! its client asks for it by an id that it alone has.

use super::{Principal, Server};
use crate::engine::Progress;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CreateTaskResult, DetailedTask, ErrorCode, Task,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// How long a call is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much longer than a call may take its task is kept.
const KEPT: Duration = Duration::from_secs(300);
/// How often its client is told how far a task has come.
const TOLD: Duration = Duration::from_secs(1);
/// More tasks are not kept at once: further calls are waited for.
const MOST_TASKS: usize = 1000;

/// The tasks of a server.
#[derive(Default)]
pub(super) struct Tasks {
    manager: TaskManager,
    owners: Mutex<HashMap<String, Owner>>,
}

/// Whose a task is.
struct Owner {
    /// Who has called, and what for, where there are tokens.
    caller: Option<String>,
    /// When it is forgotten, whatever becomes of it.
    until: Instant,
}

/// A call that goes on by itself, and ends with this.
struct Running(JoinHandle<Result<CallToolResponse, ErrorData>>);

impl Running {
    async fn answered(&mut self) -> Result<CallToolResponse, ErrorData> {
        (&mut self.0).await.unwrap_or_else(|_| Err(ErrorData::internal_error("a call panicked", None)))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Tasks {
    fn owners<T>(&self, look: impl FnOnce(&mut HashMap<String, Owner>) -> T) -> T {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.retain(|_, owner| owner.until > Instant::now());
        look(&mut owners)
    }

    /// Whether one more can be kept.
    fn has_place(&self) -> bool {
        self.owners(|owners| owners.len() < MOST_TASKS)
    }

    /// Makes a task of a call that goes on. `timeout` is how long it may take.
    fn keep(&self, mut running: Running, progress: Progress, timeout: Duration, who: Option<&Principal>) -> Task {
        let ttl = timeout.saturating_add(KEPT);
        let options = TaskOptions::new()
            .with_ttl_ms(u64::try_from(ttl.as_millis()).ok())
            .with_poll_interval_ms(1000)
            .with_status_message(told_progress(&progress));
        let task = self.manager.spawn(options, |task| {
            Box::pin(async move {
                let answered = tokio::select! {
                    answered = running.answered() => answered,
                    () = task.cancelled() => return Err(TaskExit::Cancelled),
                    never = tell_progress(&task, &progress) => never,
                };
                only_result(answered?)
            })
        });
        // Its result is kept for as long again.
        let owner = Owner { caller: who.map(caller_of), until: Instant::now() + ttl * 2 };
        self.owners(|owners| owners.insert(task.task_id.clone(), owner));
        task
    }

    /// Whether there is such a task for a caller.
    ///
    /// Errors: there is none. That another one has one of this id is not told.
    fn check(&self, id: &str, who: Option<&Principal>) -> Result<(), ErrorData> {
        let who = who.map(caller_of);
        let is_own = self.owners(|owners| owners.get(id).is_some_and(|owner| owner.caller == who));
        is_own.then_some(()).ok_or_else(|| ErrorData::new(ErrorCode::INVALID_PARAMS, "unknown task", None))
    }

    /// How a task of a caller stands.
    ///
    /// Errors: there is none.
    pub(super) fn task(&self, id: &str, who: Option<&Principal>) -> Result<DetailedTask, ErrorData> {
        self.check(id, who)?;
        self.manager.get_task(id)
    }

    /// Ends a task of a caller, if it goes on.
    ///
    /// Errors: there is none.
    pub(super) fn cancel(&self, id: &str, who: Option<&Principal>) -> Result<(), ErrorData> {
        self.check(id, who)?;
        self.manager.cancel_task(id)
    }

    /// Takes what a client answers to a task of its own: none asks for anything.
    ///
    /// Errors: there is none.
    pub(super) fn update(&self, id: &str, who: Option<&Principal>) -> Result<(), ErrorData> {
        self.check(id, who)
    }
}

/// What tells a caller from others: who it is, and all that its token is good for, but for what is another one in each token.
fn caller_of(principal: &Principal) -> String {
    const OF_ONE_TOKEN: [&str; 5] = ["exp", "iat", "nbf", "jti", "auth_time"];
    let claims = principal.claims.iter().filter(|(name, _)| !OF_ONE_TOKEN.contains(&name.as_str()));
    let mut claims: Value = claims.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>().into();
    claims.sort_all_objects();
    json!([principal.name, principal.scopes, claims]).to_string()
}

/// Tells how far a call has come, for as long as it goes on.
async fn tell_progress<T>(task: &TaskContext, progress: &Progress) -> T {
    loop {
        tokio::time::sleep(TOLD).await;
        task.set_status_message(told_progress(progress));
    }
}

/// How far a call has come, in words.
fn told_progress(progress: &Progress) -> String {
    progress.so_far().map_or_else(|| "running".to_owned(), |(done, total)| format!("{done} of {total}"))
}

/// What a task ends with.
fn only_result(answered: CallToolResponse) -> Result<CallToolResult, TaskExit> {
    match answered {
        CallToolResponse::Complete(result) => Ok(result),
        // No task is made of a call that may ask for something.
        _ => Err(TaskExit::Error(ErrorData::internal_error("the call has no result", None))),
    }
}

impl Server {
    /// Makes a call for a client that knows tasks: its result, or the task that it became.
    ///
    /// Errors: those of the call.
    pub(super) async fn answered_or_task(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        (timeout, who): (Duration, Option<&Principal>),
    ) -> Result<CallToolResponse, ErrorData> {
        let progress = Progress::default();
        let (server, own, shared) = (self.clone(), context.clone(), progress.clone());
        let mut running = Running(tokio::spawn(async move { server.answer(request, &own, &shared).await }));
        tokio::select! {
            answered = running.answered() => return answered,
            () = tokio::time::sleep(PATIENCE), if self.tasks.has_place() => {}
        }
        Ok(CallToolResponse::Task(CreateTaskResult::new(self.tasks.keep(running, progress, timeout, who))))
    }
}
