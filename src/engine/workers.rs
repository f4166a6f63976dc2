//! Workers: processes that stay between calls, and are spoken to line by line. Each has one call at a time.

use crate::programs::{Killer, Launch, Limit, NotRun, Process};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How many workers of one kind wait for calls at most.
const MOST_IDLE: usize = 4;

/// How often it is looked at what a worker takes.
const LOOK: Duration = Duration::from_millis(20);

/// The workers that wait for calls, by their kind.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<HashMap<String, Vec<Worker>>>,
}

/// A process that carries out calls, one after the other.
#[derive(Debug)]
pub(super) struct Worker {
    process: Process,
    /// How many it has carried out.
    pub(super) calls: u64,
}

/// What a worker says of a call before its answer.
pub(super) enum Said {
    Progress { done: f64, total: Option<f64> },
    Log { level: String, message: String },
}

/// How a call of a worker ended.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answered {
    Value(Value),
    /// An exception, or arguments that it cannot take.
    Failed {
        kind: String,
        class: String,
        message: String,
        traceback: String,
    },
}

/// Why there is no answer. The worker is of no more use.
pub(super) enum Broken {
    /// It could not be given the call: it has not begun with it.
    NotSent,
    /// It has ended, or speaks no sense; what it says.
    Ended(String),
    /// It took more of something than it may, and was ended.
    TooMuch(Limit),
}

impl Workers {
    /// One that waits; `None` where there is none.
    pub(super) fn take(&self, kind: &str) -> Option<Worker> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = idle.get_mut(kind)?;
        while let Some(mut worker) = workers.pop() {
            if worker.process.is_alive() && worker.process.over_limit().is_none() {
                return Some(worker);
            }
        }
        None
    }

    /// Takes one back that has carried out a call.
    pub(super) fn give_back(&self, kind: &str, worker: Worker) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let workers = idle.entry(kind.to_owned()).or_default();
        if workers.len() < MOST_IDLE {
            workers.push(worker);
        }
    }
}

impl Worker {
    /// Starts one, which reads `text` first. It is ready when it says so.
    ///
    /// Errors: it cannot be started, or ends before it is ready: what it says.
    pub(super) fn start(launch: &Launch, text: &str) -> Result<Worker, NotStarted> {
        let mut process = Process::start(launch).map_err(NotStarted::NotRun)?;
        let mut ready = || {
            let input = process.input()?;
            input.write_all(text.as_bytes())?;
            input.flush()?;
            process.line()
        };
        let is_ready = matches!(ready(), Ok(Some(line)) if serde_json::from_slice::<Value>(&line).is_ok_and(|said| said.get("ready").is_some()));
        if is_ready {
            return Ok(Worker { process, calls: 0 });
        }
        process.kill();
        Err(match process.failure() {
            Some(why) => NotStarted::NotRun(why),
            None => NotStarted::Ended(says(&process)),
        })
    }

    /// What ends it from another thread.
    pub(super) fn killer(&self) -> Killer {
        self.process.killer()
    }

    /// The memory that it holds, in bytes, where that is known.
    pub(super) fn memory(&self) -> Option<u64> {
        self.process.resident_memory()
    }

    /// Carries out a call.
    pub(super) fn call(&mut self, mut request: Value, heard: &mut dyn FnMut(Said)) -> Result<Answered, Broken> {
        self.calls += 1;
        let number = self.calls;
        if let Some(map) = request.as_object_mut() {
            map.insert("call".to_owned(), json!(number));
        }
        let mut line = request.to_string();
        line.push('\n');
        let sent = self.process.input().and_then(|input| {
            input.write_all(line.as_bytes())?;
            input.flush()
        });
        sent.map_err(|_| Broken::NotSent)?;
        // Somebody else looks at what it takes meanwhile: to read its answer is to wait.
        let (mut watcher, is_over) = (self.process.watcher(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let watching = scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    if let Some(limit) = watcher.look() {
                        return Some(limit);
                    }
                    std::thread::park_timeout(LOOK);
                }
                None
            });
            let answered = self.answer(number, heard);
            is_over.store(true, Ordering::Relaxed);
            watching.thread().unpark();
            match watching.join() {
                Ok(Some(limit)) => Err(Broken::TooMuch(limit)),
                _ => answered,
            }
        })
    }

    /// Reads until the answer to a call is there.
    fn answer(&mut self, number: u64, heard: &mut dyn FnMut(Said)) -> Result<Answered, Broken> {
        loop {
            let line = match self.process.line() {
                Ok(Some(line)) => line,
                Ok(None) => return Err(Broken::Ended(says(&self.process))),
                Err(error) => return Err(Broken::Ended(error.to_string())),
            };
            let Ok(said) = serde_json::from_slice::<Value>(&line) else {
                return Err(Broken::Ended("it wrote what is no JSON".to_owned()));
            };
            if said.get("call").and_then(Value::as_u64) != Some(number) {
                continue;
            }
            if let Some(answered) = answered(&said, heard) {
                return Ok(answered);
            }
        }
    }
}

/// What a line says of a call; `None` where it is not the answer.
fn answered(said: &Value, heard: &mut dyn FnMut(Said)) -> Option<Answered> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(value) = said.get("ok") {
        return Some(Answered::Value(value.clone()));
    }
    if let Some(error) = said.get("error") {
        let (kind, class) = (text(error, "kind"), text(error, "type"));
        return Some(Answered::Failed {
            kind,
            class,
            message: text(error, "message"),
            traceback: text(error, "traceback"),
        });
    }
    if let Some(done) = said.get("progress").and_then(Value::as_f64) {
        heard(Said::Progress { done, total: said.get("total").and_then(Value::as_f64) });
    } else if let Some(log) = said.get("log") {
        heard(Said::Log { level: text(log, "level"), message: text(log, "message") });
    }
    None
}

/// Why a worker was not started.
pub(super) enum NotStarted {
    NotRun(NotRun),
    /// It ended before it was ready; what it says.
    Ended(String),
}

/// The end of what a process says.
fn says(process: &Process) -> String {
    let errors = process.errors();
    let errors = String::from_utf8_lossy(&errors);
    let errors = errors.trim();
    let start = errors.char_indices().rev().nth(2_000).map_or(0, |(at, _)| at);
    match errors.get(start..).filter(|text| !text.is_empty()) {
        Some(text) => format!("it says: {text}"),
        None => "it says nothing".to_owned(),
    }
}
