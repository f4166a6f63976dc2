//! The record of calls: one line of JSON for each, whatever becomes of it.
//!
//! A [`Record`] is begun before a call and holds a place in the file from then on: a call that is finished says how it
//! ended, and one that is dropped — because the client left, or a panic went through it — is written by `Drop`. So there
//! are exactly as many lines as calls. What keeps a line from being written is told to the log; it never fails a call, and
//! no call waits for it.

mod arguments;
mod sink;

use crate::engine::Changed;
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::project::{AuditConfig, AuditTarget};
use arguments::Recorded;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};
use sink::Sink;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked whether the file was renamed. That it was removed is seen with the next line.
const RECHECK: Duration = Duration::from_secs(1);

/// Where calls are recorded. Clones share the file and the sequence of numbers.
#[derive(Clone)]
pub struct Audit {
    shared: Arc<Shared>,
}

struct Shared {
    sink: Sink,
    recorded: Recorded,
    begun: AtomicU64,
    written: AtomicU64,
}

/// A call as it comes in.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The tool that is called.
    pub tool: &'a str,
    /// The hash of what is published of it, in hex.
    pub contract: &'a str,
    /// Who calls, where that is known.
    pub principal: Option<&'a str>,
    /// How the call came.
    pub transport: Transport,
    /// What was sent.
    pub arguments: &'a Arguments,
    /// The W3C trace id, where the client sent one.
    pub trace: Option<&'a str>,
}

/// How a call came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    /// Over standard input.
    Stdio,
    /// Over HTTP.
    Http,
}

impl Transport {
    /// The name in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Transport::Stdio => "stdio",
            Transport::Http => "http",
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With rows.
    Ok,
    /// With an error of that code.
    Error(CallCode),
    /// Nobody waited for its end.
    Cancelled,
    /// With a panic.
    Panicked,
}

impl Outcome {
    /// The name in the record and in the metrics: that of an error is its code.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Error(code) => code.as_str(),
            Outcome::Cancelled => "cancelled",
            Outcome::Panicked => "panicked",
        }
    }
}

impl Audit {
    /// Opens what calls are recorded in; paths are relative to `dir`.
    ///
    /// Errors: the file or its folder cannot be made or written, or it is no regular file; the variable of the key is not
    /// set, is empty, or there are no digests to key; there is no thread to write.
    pub fn open(config: &AuditConfig, dir: &Path) -> io::Result<Audit> {
        Audit::rechecking(config, dir, RECHECK)
    }

    fn rechecking(config: &AuditConfig, dir: &Path, recheck: Duration) -> io::Result<Audit> {
        // First the key: a wrong configuration leaves no file behind.
        let recorded = Recorded::of(config.arguments, config.key_env.as_deref())?;
        let sink = match &config.to {
            AuditTarget::Stderr => Sink::stderr()?,
            AuditTarget::File(path) => Sink::file(dir.join(path), recheck)?,
        };
        Ok(Audit { shared: Arc::new(Shared { sink, recorded, begun: AtomicU64::new(0), written: AtomicU64::new(0) }) })
    }

    /// How many records could not be written.
    pub fn lost(&self) -> u64 {
        self.shared.sink.lost()
    }

    /// Waits until every record that was begun is written, and not longer than that.
    pub async fn settled(&self, most: Duration) {
        let until = Instant::now() + most;
        let shared = &self.shared;
        let is_open =
            || shared.written.load(Ordering::Acquire) < shared.begun.load(Ordering::Acquire) || !shared.sink.is_idle();
        while is_open() && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Begins the record of a call. It is written when the call is over, by [`Record::finish`] or by dropping it.
    pub fn begin(&self, call: Call<'_>) -> Record {
        let entry = Entry {
            began: Instant::now(),
            time: Utc::now(),
            id: self.shared.begun.fetch_add(1, Ordering::Relaxed) + 1,
            tool: call.tool.to_owned(),
            contract: call.contract.to_owned(),
            principal: call.principal.map(str::to_owned),
            transport: call.transport,
            arguments: self.shared.recorded.arguments(call.arguments),
            trace: call.trace.map(str::to_owned),
            changes: None,
        };
        Record { shared: Arc::clone(&self.shared), open: Some(entry) }
    }
}

/// The record of a call that runs.
#[must_use = "a record that is dropped says that the call was cancelled"]
pub struct Record {
    shared: Arc<Shared>,
    /// Until it is written.
    open: Option<Entry>,
}

/// What is known of a call before it ends.
struct Entry {
    began: Instant,
    time: DateTime<Utc>,
    id: u64,
    tool: String,
    contract: String,
    principal: Option<String>,
    transport: Transport,
    arguments: Value,
    trace: Option<String>,
    /// What was changed.
    changes: Option<Value>,
}

/// What a call returned.
#[derive(Default)]
struct Returned {
    rows: u64,
    bytes: u64,
    truncated: bool,
}

impl Record {
    /// Writes how the call ended: with how many rows, and how many bytes of answer.
    pub fn finish(mut self, outcome: Outcome, rows: u64, bytes: u64, truncated: bool) {
        self.write(outcome, Returned { rows, bytes, truncated });
    }

    /// Takes down what was changed: how many rows, and the keys of those that can be told, as the arguments are.
    pub fn note_changes(&mut self, changed: &Changed) {
        let Some(entry) = &mut self.open else { return };
        let keys: Arguments = [("rows".to_owned(), changed.keys())].into_iter().collect();
        let keys = match self.shared.recorded.arguments(&keys) {
            Value::Object(mut keys) => keys.remove("rows").unwrap_or(Value::Object(keys)),
            other => other,
        };
        entry.changes = Some(json!({"changed": changed.rows, "dry_run": changed.is_dry, "keys": keys}));
    }

    /// Hands the line over, once.
    fn write(&mut self, outcome: Outcome, returned: Returned) {
        if let Some(entry) = self.open.take() {
            self.shared.sink.write(entry.line(outcome, returned));
            self.shared.written.fetch_add(1, Ordering::Release);
        }
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let outcome = if std::thread::panicking() { Outcome::Panicked } else { Outcome::Cancelled };
        self.write(outcome, Returned::default());
    }
}

impl Entry {
    /// The line, without its end.
    fn line(self, outcome: Outcome, returned: Returned) -> String {
        // Whole microseconds: never more than three decimals.
        let ms = self.began.elapsed().as_micros() as f64 / 1_000.0;
        let mut line = json!({
            "time": self.time.to_rfc3339_opts(SecondsFormat::Millis, true),
            "id": self.id,
            "tool": self.tool,
            "contract": self.contract,
            "principal": self.principal,
            "transport": self.transport.as_str(),
            "arguments": self.arguments,
            "outcome": outcome.as_str(),
            "rows": returned.rows,
            "bytes": returned.bytes,
            "truncated": returned.truncated,
            "ms": ms,
            "trace": self.trace,
        });
        if let (Some(line), Some(changes)) = (line.as_object_mut(), self.changes) {
            line.insert("changes".to_owned(), changes);
        }
        escape(line.to_string())
    }
}

/// Escapes what JSON leaves as it is, and a reader may take for the end of a line, an order to the terminal, or another
/// order of the text. All of it stands inside of strings.
fn escape(line: String) -> String {
    let harmful = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if !line.contains(harmful) {
        return line;
    }
    let mut escaped = String::with_capacity(line.len() + 16);
    for c in line.chars() {
        match c {
            _ if harmful(c) => escaped.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
