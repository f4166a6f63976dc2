//! Calls a function in Python: a worker, a process of the project's own interpreter that stays, is given the arguments and
//! answers with what the function returns.

use super::output::Reading;
use super::program::{SANDBOX, Surroundings, looks_refused, not_run, python_interpreter, too_much};
use super::values::json_of;
use super::{Order, RunOutput};
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::{CallError, Detail};
use crate::engine::program_place::ProgramPlace;
use crate::engine::progress::Progress;
use crate::engine::workers::{Answered, Broken, NotStarted, Said, Worker};
use crate::programs::{Killer, Launch, Most, python};
use crate::project::{OutputForm, PythonConfig, RESULT, Returns};
use crate::tool::OutputColumn;
use crate::ty::coerce::TimeZoneName;
use datafusion::arrow::record_batch::RecordBatch;
use serde_json::{Map, Value, json};
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// After how many calls a worker is started anew, where the manifest does not say.
const CALLS: u64 = 1_000;

/// What runs a tool that is a function in Python.
pub(in crate::engine) struct PythonRunner {
    python: PythonConfig,
    place: ProgramPlace,
    time_zone: TimeZoneName,
    /// What workers have in common that may carry out its calls.
    kind: String,
}

impl PythonRunner {
    pub(super) fn new(python: &PythonConfig, core: &Core) -> PythonRunner {
        let of_workers = python.as_program(python.interpreter.as_deref().unwrap_or_default());
        let kind = serde_json::to_string(&of_workers).unwrap_or_default();
        PythonRunner { python: python.clone(), place: core.programs.clone(), time_zone: core.time_zone.clone(), kind }
    }

    /// The rows of a call. The thread that asks only waits.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let mut arguments = Map::new();
        for parameter in order.contract.parameters() {
            if let Some(value) = json_of(order, parameter)? {
                arguments.insert(parameter.name.clone(), value);
            }
        }
        let whose = order.caller.principal.clone().unwrap_or_else(|| order.contract.name.as_str().into());
        let turn = self.place.turn(&whose).await.ok_or_else(|| CallError::internal("no turn for a worker"))?;
        let work = Work {
            python: self.python.clone(),
            place: self.place.clone(),
            kind: self.kind.clone(),
            tool: order.contract.name.clone(),
            arguments,
            columns: order.contract.columns().to_vec(),
            most: order.call.limit.map(|limit| limit.saturating_add(1)),
            time_zone: self.time_zone.clone(),
            progress: order.caller.progress.clone(),
        };
        let held = KillOnDrop::default();
        let slot = held.0.clone();
        let (sender, receiver) = oneshot::channel();
        let run = move || {
            let _turn = turn;
            drop(sender.send(work.done(&slot)));
        };
        std::thread::Builder::new()
            .name("python".to_owned())
            .spawn(run)
            .map_err(|error| CallError::internal(error.to_string()))?;
        let batches = receiver.await.map_err(|_| CallError::internal("a worker's thread panicked"))??;
        Ok(RunOutput { batches, ..RunOutput::default() })
    }

    /// What would be called, for the author of the tool.
    pub(super) fn explain(&self, _order: Order<'_>) -> Result<String, CallError> {
        Ok(format!("call {}\n", self.python.python))
    }
}

/// What a call that is given up ends: the worker that carries it out.
#[derive(Clone, Default)]
struct Slot(Arc<Mutex<State>>);

#[derive(Default)]
enum State {
    #[default]
    Waiting,
    Under(Killer),
    GivenUp,
    Done,
}

#[derive(Default)]
struct KillOnDrop(Slot);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Under(killer) => killer.kill(),
            State::Done => return,
            State::Waiting | State::GivenUp => {}
        }
        *state = State::GivenUp;
    }
}

impl Slot {
    /// A worker carries out the call; whether anybody waits for it.
    fn hold(&self, killer: Killer) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::GivenUp) {
            return false;
        }
        *state = State::Under(killer);
        true
    }

    /// The worker has answered; whether anybody waits for it.
    fn release(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_given_up = matches!(*state, State::GivenUp);
        if !is_given_up {
            *state = State::Done;
        }
        !is_given_up
    }
}

/// A call of a function, on a thread of its own.
struct Work {
    python: PythonConfig,
    place: ProgramPlace,
    kind: String,
    tool: String,
    arguments: Map<String, Value>,
    columns: Vec<OutputColumn>,
    most: Option<u64>,
    time_zone: TimeZoneName,
    progress: Progress,
}

impl Work {
    fn done(self, slot: &Slot) -> Result<Vec<RecordBatch>, CallError> {
        let value = match self.answered(slot)? {
            Answered::Value(value) => value,
            Answered::Failed { kind, class, message, traceback } => {
                return Err(self.failed((&kind, &class), &message, &traceback));
            }
        };
        let reading = Reading { columns: &self.columns, most: self.most, time_zone: &self.time_zone };
        let form = self.python.output.form.unwrap_or(OutputForm::Json);
        let output = match (form, &value) {
            (OutputForm::Text, Value::String(text)) => text.clone(),
            (OutputForm::Text, other) => {
                return Err(invalid(format!("the function returned {}, and no text", kind_of(other))));
            }
            (OutputForm::Csv | OutputForm::Ndjson, Value::String(text)) => text.clone(),
            (OutputForm::Json, Value::Null) if self.python.returns == Returns::Optional => "[]".to_owned(),
            (OutputForm::Json, value) if self.is_value(value) => {
                let name = self.columns.first().map_or(RESULT, |column| column.name.as_str());
                json!({name: value}).to_string()
            }
            (_, value) => value.to_string(),
        };
        let read = reading.batches(form, self.python.output.rows.as_deref(), output.as_bytes());
        read.map_err(|flaw| invalid(flaw.to_string()))
    }

    /// Whether what was returned is the value of the one column.
    fn is_value(&self, returned: &Value) -> bool {
        let is_plain = !returned.is_object() && !returned.is_array();
        match self.columns.as_slice() {
            [column] => self.python.returns == Returns::Value || is_plain && column.name == RESULT,
            _ => false,
        }
    }

    /// What a worker answers. One that has ended meanwhile, and was given nothing, is replaced by another.
    fn answered(&self, slot: &Slot) -> Result<Answered, CallError> {
        let asked = Value::Object(self.arguments.clone());
        if let Some(kept) = self.place.answers.kept(&self.tool, &asked)? {
            slot.release();
            return Ok(kept);
        }
        let request = json!({"target": self.python.python, "roots": roots_of(&self.python, &self.place)?, "arguments": self.arguments});
        let mut is_second = false;
        loop {
            let mut worker = match self.place.workers.take(&self.kind).filter(|_| !is_second) {
                Some(worker) => worker,
                None => self.start()?,
            };
            if !slot.hold(worker.killer()) {
                return Err(CallError::internal("nobody waits for the call"));
            }
            match worker.call(request.clone(), &mut |said| self.heard(&said)) {
                Ok(answered) => {
                    if slot.release() && self.is_still_good(&worker) {
                        self.place.workers.give_back(&self.kind, worker);
                    }
                    self.place.answers.keep(&self.tool, &asked, &answered);
                    return Ok(answered);
                }
                Err(Broken::NotSent) if !is_second => is_second = true,
                Err(Broken::NotSent) => return Err(ended("the worker took no call".to_owned())),
                Err(Broken::TooMuch(limit)) => {
                    let message = format!("the function took {}", too_much(limit));
                    return Err(CallError::new(CallCode::ProgramFailed, message));
                }
                Err(Broken::Ended(says)) => return Err(ended(format!("the worker ended; {says}"))),
            }
        }
    }

    fn is_still_good(&self, worker: &Worker) -> bool {
        let most = self.python.execution.limits.memory.map_or(super::program::MEMORY, |size| size.0);
        let has_grown = worker.memory().is_some_and(|memory| memory > most / 4 * 3);
        worker.calls < self.python.worker_calls.unwrap_or(CALLS) && !has_grown
    }

    fn start(&self) -> Result<Worker, CallError> {
        let interpreter = python_interpreter(self.python.interpreter.as_deref(), &self.place)?;
        let program = self.python.as_program(&interpreter);
        let surroundings = Surroundings { program: &program, place: &self.place };
        let text = python::WORKER;
        let launch = surroundings.launch_of_worker(start_arguments(text))?;
        Worker::start(&launch, text).map_err(|why| match why {
            NotStarted::NotRun(why) => not_run(why),
            NotStarted::Ended(says) => ended(format!("the worker did not start; {says}")),
        })
    }

    fn heard(&self, said: &Said) {
        match said {
            Said::Progress { done, total } => self.progress.reach(*done, *total),
            Said::Log { level, message } => match level.as_str() {
                "critical" | "error" => tracing::error!(tool = %self.tool, "{message}"),
                "warning" => tracing::warn!(tool = %self.tool, "{message}"),
                "debug" => tracing::debug!(tool = %self.tool, "{message}"),
                _ => tracing::info!(tool = %self.tool, "{message}"),
            },
        }
    }

    /// What a caller is told of an exception: its message, where the manifest says so.
    fn failed(&self, (kind, class): (&str, &str), message: &str, traceback: &str) -> CallError {
        let last = class.rsplit('.').next().unwrap_or(class);
        let last_of = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
        let is_told =
            kind == "exception" && self.python.tells.iter().any(|told| told == class || last_of(told) == last);
        let class_or_kind = if class.is_empty() { kind } else { class };
        let mut detail = format!("{class_or_kind}: {message}\n{traceback}");
        if looks_refused(&detail) {
            detail.push_str(SANDBOX);
        }
        if let Ok(project) = self.place.folder() {
            // Where the project lies is nobody's business, not even in a log.
            detail = detail.replace(&format!("{}/", project.display()), "");
        }
        let error = match kind {
            _ if is_told => CallError::new(CallCode::QueryFailed, message.trim()),
            "argument" => CallError::new(CallCode::InvalidArguments, message.trim()),
            "result" => CallError::new(
                CallCode::InvalidOutput,
                "what the function returned cannot be read; the server's log says why",
            ),
            _ => CallError::new(CallCode::ProgramFailed, "the function failed; the server's log says why"),
        };
        CallError { detail: Some(Detail::Own(detail.trim().to_owned())), ..error }
    }
}

crate::in_words::in_words! {
    /// Why nobody knows what a function takes, in words for its author.
    pub struct NotDescribed;
}

/// How long a function has to say what it takes: importing it may take a while.
const ASKING: Duration = Duration::from_secs(60);

/// What a function says of itself.
///
/// Errors: why it does not, in words for its author.
pub(in crate::engine) fn describe_function(python: &PythonConfig, place: &ProgramPlace) -> Result<Value, NotDescribed> {
    let told = |error: CallError| -> NotDescribed {
        error.detail.as_ref().map_or(error.message.clone(), |detail| detail.text().to_owned()).into()
    };
    let interpreter = python_interpreter(python.interpreter.as_deref(), place).map_err(told)?;
    let program = python.as_program(&interpreter);
    let roots = roots_of(python, place).map_err(told)?;
    let asked = json!({"entries": [{"id": "f", "target": python.python, "roots": roots}]});
    let text = python::INTROSPECT;
    let surroundings = Surroundings { program: &program, place };
    let launch = surroundings.launch_of_worker(start_arguments(text)).map_err(told)?;
    let launch = Launch {
        input: Some(format!("{text}{asked}").into_bytes()),
        most: Most { time: ASKING, ..launch.most },
        ..launch
    };
    let ended = crate::programs::run(&launch, &|| false).map_err(|error| NotDescribed::from(error.to_string()))?;
    let answer = serde_json::from_slice::<Value>(&ended.output).ok();
    let Some(answer) = answer.as_ref().and_then(|all| all.get(0)) else {
        let says = String::from_utf8_lossy(&ended.errors);
        let last = says.trim().lines().last().unwrap_or("it says nothing").to_owned();
        return Err(format!("the interpreter ended without an answer ({:?}): {last}", ended.how).into());
    };
    match (answer.get("ok"), answer.pointer("/error/message").and_then(Value::as_str)) {
        (Some(described), _) => Ok(described.clone()),
        (None, Some(message)) => Err(match place_in(answer.get("error"), &roots) {
            Some(place) => format!("{message} ({place})").into(),
            None => message.into(),
        }),
        (None, None) => Err("the interpreter gave no answer".into()),
    }
}

/// The file of the project and its line that an error is about, where it is about a line.
fn place_in(error: Option<&Value>, roots: &[String]) -> Option<String> {
    let file = error?.get("file")?.as_str()?;
    let below = roots.iter().find_map(|root| file.strip_prefix(root.as_str())?.strip_prefix('/'))?;
    let line = error?.get("line").and_then(Value::as_u64)?;
    Some(format!("{below}, line {line}"))
}

/// The folders that modules are found in.
fn roots_of(python: &PythonConfig, place: &ProgramPlace) -> Result<Vec<String>, CallError> {
    let project = place.folder().map_err(|error| CallError::internal(error.to_string()))?;
    let own = python.execution.cwd.as_ref().map(|folder| project.join(folder));
    Ok(own.into_iter().chain([project]).map(|folder| folder.to_string_lossy().into_owned()).collect())
}

/// What an interpreter is started with, to read a program of ours first.
fn start_arguments(text: &str) -> Vec<OsString> {
    let arguments = ["-I", "-B", "-X", "utf8", "-c", python::START].map(str::to_owned);
    arguments.into_iter().chain([text.len().to_string()]).map(Into::into).collect()
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "None",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn ended(why: String) -> CallError {
    let error = CallError::new(CallCode::ProgramFailed, "the function failed; the server's log says why");
    CallError { detail: Some(Detail::Own(why)), ..error }
}

fn invalid(why: String) -> CallError {
    let message = "what the function returned cannot be read; the server's log says why";
    CallError { detail: Some(Detail::Own(why)), ..CallError::new(CallCode::InvalidOutput, message) }
}
