//! Runs a program: its arguments are made of those of the call, and its output is read as the columns of the tool.

mod arguments;
mod environment;
mod places;

use super::output::{Flaw, Reading};
use super::values::object_of;
use super::{Order, RunOutput};
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::{CallError, Detail};
use crate::engine::program_place::ProgramPlace;
use crate::programs::{Confinement, Ended, How, Launch, Limit, Most, NotRun, ProcessLimits, Sandbox};
use crate::project::{ProgramConfig, SimpleJsonConfig};
use crate::tool::{Needs, OutputColumn, Tool};
use crate::ty::coerce::TimeZoneName;
use datafusion::arrow::record_batch::RecordBatch;
use places::Places;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// How long before its deadline a program is ended.
const MOMENT: Duration = Duration::from_millis(30);
/// What one call of a program may take where its manifest does not say.
pub(super) const MEMORY: u64 = 512 << 20;
const FILES: u64 = 256;
const PROCESSES: u64 = 64;
const FILE_SIZE: u64 = 64 << 20;
const OUTPUT: usize = 8 << 20;
/// How much of its standard error is kept, and how much of that is logged.
const ERRORS: usize = 64 << 10;
const LOGGED: usize = 2_000;

/// What runs a tool that is a program.
pub(in crate::engine) struct ProgramRunner {
    runs: Runs,
    place: ProgramPlace,
    time_zone: TimeZoneName,
}

/// What it runs.
enum Runs {
    Program(ProgramConfig),
    /// A program in Fractalic's convention, whose interpreter is looked for at each call.
    SimpleJson(SimpleJsonConfig),
}

impl ProgramRunner {
    pub(super) fn new(program: &ProgramConfig, core: &Core) -> ProgramRunner {
        ProgramRunner::of(Runs::Program(program.clone()), core)
    }

    pub(super) fn of_simple_json(program: &SimpleJsonConfig, core: &Core) -> ProgramRunner {
        ProgramRunner::of(Runs::SimpleJson(program.clone()), core)
    }

    fn of(runs: Runs, core: &Core) -> ProgramRunner {
        ProgramRunner { runs, place: core.programs.clone(), time_zone: core.time_zone.clone() }
    }

    fn program(&self) -> Result<Cow<'_, ProgramConfig>, CallError> {
        Ok(match &self.runs {
            Runs::Program(program) => Cow::Borrowed(program),
            Runs::SimpleJson(simple) => {
                let interpreter = python_interpreter(simple.interpreter.as_deref(), &self.place)?;
                Cow::Owned(simple.as_program(&interpreter))
            }
        })
    }

    /// The rows of a call. The thread that asks only waits: the program is started, read and ended by another one.
    pub(super) async fn run(&self, order: Order<'_>) -> Result<RunOutput, CallError> {
        let program = self.program()?;
        let arguments = arguments::of_call(&program, order)?;
        let input = arguments::input_of_call(&program, order)?;
        let whose = order.caller.principal.clone().unwrap_or_else(|| order.contract.name.as_str().into());
        let turn = self.place.turn(&whose).await.ok_or_else(|| CallError::internal("no turn for a program"))?;
        let time = match order.call.deadline {
            // It is ended a moment before nobody waits for it any more, and says why.
            Some(deadline) => deadline.0.saturating_duration_since(Instant::now() + MOMENT),
            None => order.contract.timeout.0,
        };
        let work = Work {
            tool: order.contract.name.clone(),
            asked: object_of(order)?,
            program: program.into_owned(),
            place: self.place.clone(),
            arguments,
            input,
            time,
            allowed: order.contract.timeout.0,
            columns: order.contract.columns().to_vec(),
            most: order.call.limit.map(|limit| limit.saturating_add(1)),
            time_zone: self.time_zone.clone(),
        };
        let stopped = StopOnDrop(Arc::new(AtomicBool::new(false)));
        let (sender, receiver) = oneshot::channel();
        let stop = Arc::clone(&stopped.0);
        let run = move || {
            let _turn = turn;
            drop(sender.send(work.done(&stop)));
        };
        std::thread::Builder::new()
            .name("program".to_owned())
            .spawn(run)
            .map_err(|error| CallError::internal(error.to_string()))?;
        let batches = receiver.await.map_err(|_| CallError::internal("a program's thread panicked"))??;
        Ok(RunOutput { batches, ..RunOutput::default() })
    }

    /// What would run, for the author of the tool.
    pub(super) fn explain(&self, order: Order<'_>) -> Result<String, CallError> {
        let arguments = arguments::of_call(&*self.program()?, order)?;
        let shown = arguments.iter().map(|argument| format!("{:?}", argument.to_string_lossy()));
        Ok(format!("run {}\n", shown.collect::<Vec<_>>().join(" ")))
    }
}

/// What would keep a tool from running here, in words for the author.
pub(in crate::engine) fn flaws(tool: &Tool, place: &ProgramPlace) -> Vec<String> {
    let mut flaws = Vec::new();
    let told =
        |error: CallError| error.detail.as_ref().map_or_else(|| error.message.clone(), |one| one.text().to_owned());
    let program = match (tool.program(), tool.python(), tool.simple_json()) {
        (Some(program), ..) => program.clone(),
        (_, _, Some(simple)) => match python_interpreter(simple.interpreter.as_deref(), place) {
            Ok(interpreter) => {
                let program = simple.as_program(&interpreter);
                if simple.is_python() && !places::is_there(&program, place) {
                    flaws.push(format!("there is no file `{}`", simple.texts().join(" ")));
                }
                program
            }
            Err(error) => return vec![told(error)],
        },
        (_, Some(python), _) => match python_interpreter(python.interpreter.as_deref(), place) {
            Ok(interpreter) => {
                if python.is_of_file() && !places::is_there(&python.as_program(&interpreter), place) {
                    flaws.push(format!("there is no file for `{}`", python.python));
                }
                python.as_program(&interpreter)
            }
            Err(error) => return vec![told(error)],
        },
        (None, None, None) => return variables_not_set(tool),
    };
    match Places::found(&program, place) {
        Ok(places) if !places::is_executable(&places.program) => {
            flaws.push("the program is not there, or is no file that may be executed".to_owned());
        }
        Ok(_) => {}
        Err(error) => flaws.push(told(error)),
    }
    flaws.extend(environment::of_program(&program.execution, place).err().map(told));
    if place.requires_sandbox && !crate::programs::sandbox().is_enough() {
        let has = crate::programs::sandbox();
        flaws.push(format!(
            "it runs only in a sandbox, and this system has {has}; `programs: {{ require_sandbox: false }}` runs it without"
        ));
    }
    flaws
}

/// The variables that a request needs and that are not set.
fn variables_not_set(tool: &Tool) -> Vec<String> {
    let needed = Needs::of(std::slice::from_ref(tool)).variables;
    let unset = needed.into_iter().filter(|name| std::env::var_os(name).is_none());
    unset.map(|name| format!("the variable `{name}` is not set")).collect()
}

/// The interpreter of a function or a script: that of its manifest (`own`), of a virtual environment of the project, or of the system.
pub(super) fn python_interpreter(own: Option<&str>, place: &ProgramPlace) -> Result<String, CallError> {
    if let Some(interpreter) = own {
        return Ok(interpreter.to_owned());
    }
    let project = place.folder().map_err(|error| CallError::internal(format!("the project's folder: {error}")))?;
    let own = [".venv/bin/python", "venv/bin/python", ".venv/Scripts/python.exe", "venv/Scripts/python.exe"];
    let found = own.into_iter().find(|path| project.join(path).is_file());
    Ok(found.unwrap_or("python3").to_owned())
}

/// What a program is started in.
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a ProgramConfig,
    pub(super) place: &'a ProgramPlace,
}

impl Surroundings<'_> {
    /// How a worker is started: it stays, and no time of its own ends it.
    pub(super) fn launch_of_worker(&self, arguments: Vec<OsString>) -> Result<Launch, CallError> {
        let launch = self.launch(arguments, None, Duration::from_secs(u64::from(u32::MAX)))?;
        // It would count all calls together: the time of a call bounds each.
        let limits = ProcessLimits { cpu: None, ..launch.confinement.limits };
        Ok(Launch { confinement: Confinement { limits, ..launch.confinement }, ..launch })
    }

    /// How a program is started.
    pub(super) fn launch(
        &self,
        arguments: Vec<OsString>,
        input: Option<Vec<u8>>,
        time: Duration,
    ) -> Result<Launch, CallError> {
        self.found(arguments, input, time).map_err(|error| {
            let told =
                CallError::new(CallCode::ProgramFailed, "the program cannot be started; the server's log says why");
            CallError { detail: error.detail.or(Some(Detail::Own(error.message))), ..told }
        })
    }

    fn found(&self, arguments: Vec<OsString>, input: Option<Vec<u8>>, time: Duration) -> Result<Launch, CallError> {
        let places = Places::found(self.program, self.place)?;
        let limits = &self.program.execution.limits;
        let confinement = Confinement {
            sandbox: if self.place.requires_sandbox { Sandbox::Required } else { Sandbox::WhereThereIsOne },
            reads: places.reads,
            writes: places.writes,
            network: self.program.execution.network,
            limits: ProcessLimits {
                cpu: Some(limits.cpu.map_or(time, |time| time.0)),
                memory: Some(limits.memory.map_or(MEMORY, |size| size.0)),
                files: Some(limits.files.unwrap_or(FILES)),
                processes: Some(limits.processes.unwrap_or(PROCESSES)),
                file_size: Some(limits.file_size.map_or(FILE_SIZE, |size| size.0)),
            },
        };
        Ok(Launch {
            program: places.program,
            arguments,
            environment: environment::of_program(&self.program.execution, self.place)?,
            folder: places.folder,
            input,
            confinement,
            most: Most { time, output: limits.output.map_or(OUTPUT, |size| size.bytes()), errors: ERRORS },
        })
    }
}

/// Tells a thread that nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How a program ended by itself, as it is kept.
#[derive(Serialize, Deserialize)]
struct Finished {
    exit_code: i32,
    output: String,
}

/// A call of a program, on a thread of its own.
struct Work {
    tool: String,
    /// The values of the parameters.
    asked: Value,
    program: ProgramConfig,
    place: ProgramPlace,
    arguments: Vec<OsString>,
    input: Option<Vec<u8>>,
    /// What is left of the time of the call.
    time: Duration,
    /// The time of a call.
    allowed: Duration,
    columns: Vec<OutputColumn>,
    /// Rows at most that anybody will see.
    most: Option<u64>,
    time_zone: TimeZoneName,
}

impl Work {
    fn done(self, stop: &AtomicBool) -> Result<Vec<RecordBatch>, CallError> {
        let ended = self.ended(stop)?;
        self.check(&ended, crate::programs::sandbox().is_enough())?;
        let reading = Reading { columns: &self.columns, most: self.most, time_zone: &self.time_zone };
        let form = self.program.output.form.unwrap_or_default();
        reading
            .batches(form, self.program.output.rows.as_deref(), &ended.output)
            .map_err(|flaw| output_error(&flaw, &ended))
    }

    /// How the program ends, or ended when a test kept it.
    fn ended(&self, stop: &AtomicBool) -> Result<Ended, CallError> {
        let answers = &self.place.answers;
        if let Some(Finished { exit_code, output }) = answers.kept(&self.tool, &self.asked)? {
            let output = output.into_bytes();
            return Ok(Ended { how: How::Exited(exit_code), output, errors: Vec::new(), errors_cut: false });
        }
        let ended = crate::programs::run(&self.launch()?, &|| stop.load(Ordering::Relaxed)).map_err(not_run)?;
        if let (How::Exited(exit_code), Ok(output)) = (ended.how, std::str::from_utf8(&ended.output)) {
            answers.keep(&self.tool, &self.asked, Finished { exit_code, output: output.to_owned() });
        }
        Ok(ended)
    }

    fn launch(&self) -> Result<Launch, CallError> {
        let surroundings = Surroundings { program: &self.program, place: &self.place };
        let arguments = self.arguments.get(1..).unwrap_or_default().to_vec();
        surroundings.launch(arguments, self.input.clone(), self.time)
    }

    /// Whether a program has done what it was asked for.
    fn check(&self, ended: &Ended, is_confined: bool) -> Result<(), CallError> {
        let limits = &self.program.execution.limits;
        let code = match ended.how {
            How::Exited(code) => code,
            How::TimedOut => {
                let message = format!("the program took longer than {} s", self.allowed.as_secs_f32());
                return Err(CallError::new(CallCode::Timeout, message).hint("narrow the arguments"));
            }
            How::OutputTooLarge => {
                let most = limits.output.map_or(OUTPUT, |size| size.bytes());
                return Err(failed(
                    &format!("the program wrote more than {most} bytes"),
                    ended,
                    "too much was written",
                ));
            }
            How::Limit(limit) => {
                return Err(failed(&format!("the program took {}", too_much(limit)), ended, "too much was taken"));
            }
            How::Signalled(signal) => {
                return Err(failed("the program was ended", ended, &format!("by signal {signal}")));
            }
            How::Stopped => return Err(CallError::internal("the program was stopped")),
        };
        let is_success = self.program.success.as_ref().map_or(code == 0, |codes| codes.contains(&code));
        if is_success {
            return Ok(());
        }
        let detail = detail(ended, &format!("exit code {code}"), is_confined);
        let told = self.program.exit_codes.get(&code.to_string());
        let error = match told {
            Some(message) => CallError::new(CallCode::QueryFailed, message.trim()),
            None => CallError::new(CallCode::ProgramFailed, "the program failed; the server's log says why"),
        };
        Err(CallError { detail: Some(Detail::Own(detail)), ..error })
    }
}

fn failed(message: &str, ended: &Ended, how: &str) -> CallError {
    let error = CallError::new(CallCode::ProgramFailed, message);
    CallError { detail: Some(Detail::Own(detail(ended, how, false))), ..error }
}

/// An output that is not what the manifest says.
fn output_error(flaw: &Flaw, ended: &Ended) -> CallError {
    let error =
        CallError::new(CallCode::InvalidOutput, "what the program wrote cannot be read; the server's log says why");
    let why = match ended.errors.is_empty() {
        true => flaw.to_string(),
        false => detail(ended, &flaw.to_string(), false),
    };
    CallError { detail: Some(Detail::Own(why)), ..error }
}

/// What the log says of a failure: never a value of the call that is not in what the program says itself.
fn detail(ended: &Ended, how: &str, is_confined: bool) -> String {
    let errors = String::from_utf8_lossy(&ended.errors);
    let errors = errors.trim();
    let start = errors.char_indices().rev().nth(LOGGED).map_or(0, |(at, _)| at);
    let mut told = how.to_owned();
    match errors.get(start..).filter(|text| !text.is_empty()) {
        Some(text) if start > 0 || ended.errors_cut => told.push_str(&format!("; it says: … {text}")),
        Some(text) => told.push_str(&format!("; it says: {text}")),
        None => match end_of_output(ended) {
            Some(text) => told.push_str(&format!("; it wrote: {text}")),
            None => told.push_str("; it says nothing"),
        },
    }
    if is_confined && looks_refused(errors) {
        told.push_str(SANDBOX);
    }
    told
}

/// The end of what a program wrote, of one that says nothing of its failure.
fn end_of_output(ended: &Ended) -> Option<String> {
    // What was cut says nothing of why.
    let said_all = matches!(ended.how, How::Exited(_));
    let output = String::from_utf8_lossy(if said_all { &ended.output } else { &[] });
    let output = output.trim();
    let start = output.char_indices().rev().nth(LOGGED).map_or(0, |(at, _)| at);
    output.get(start..).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// What is said where the sandbox may be why something fails.
pub(super) const SANDBOX: &str = "; the sandbox may be why: `reads`, `writes` and `network` say what may be used";

/// Whether a program speaks of something that it was refused.
pub(super) fn looks_refused(says: &str) -> bool {
    let words = ["ermission denied", "not permitted", "ermissionError", "EACCES", "EPERM", "unreachable"];
    words.iter().any(|word| says.contains(word))
}

/// What was taken too much of, in words.
pub(super) fn too_much(limit: Limit) -> &'static str {
    match limit {
        Limit::Cpu => "more processor time than it may",
        Limit::Memory => "more memory than it may",
        Limit::Processes => "more processes than it may",
        Limit::FileSize => "a larger file than it may",
    }
}

pub(super) fn not_run(error: NotRun) -> CallError {
    if matches!(error, NotRun::TooLong) {
        let error = CallError::new(CallCode::InvalidArguments, "the arguments are longer than a program can take");
        return error.hint("send shorter ones");
    }
    let told = CallError::new(CallCode::ProgramFailed, "the program cannot be started; the server's log says why");
    CallError { detail: Some(Detail::Own(error.to_string())), ..told }
}
