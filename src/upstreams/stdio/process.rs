//! A program in a process group of its own, which is killed as a whole.

use super::lines::{Line, Lines};
use super::said::Said;
use crate::programs::{GuardedGroup, guarded_group};
use crate::upstreams::config::Command;
use crate::upstreams::failure::Failure;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The variables that programs need to run at all. Others may hold secrets of this process.
const INHERITED: [&str; 21] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "APPDATA",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
];

/// The longest line of standard error that is passed on in one piece, in bytes.
const LONGEST_SAID: usize = 8 << 10;

/// How long a program that has closed its output is waited for before it is killed.
const TO_END: Duration = Duration::from_millis(200);

/// A running program. It is killed, with all that it has started, when this is dropped.
pub(crate) struct Process {
    number: Option<u32>,
    is_over: Arc<AtomicBool>,
    ended: watch::Receiver<Option<String>>,
    stop: CancellationToken,
    fault: OnceLock<&'static str>,
    ended_at: Arc<OnceLock<Instant>>,
    /// The program is ended where this process is, and cannot do it.
    _guarded: Option<GuardedGroup>,
}

/// The two ends that are spoken over.
pub(crate) struct Ends {
    /// What the program reads.
    pub(super) input: ChildStdin,
    /// What it writes.
    pub(super) output: ChildStdout,
}

impl Process {
    /// Starts a program.
    ///
    /// Errors: it cannot be started.
    pub(crate) fn start(command: &Command, said: Said) -> Result<(Process, Ends), Failure> {
        let mut child = prepared(command).spawn().map_err(|error| {
            Failure::Unreachable(format!("`{}` cannot be started: {error}", command.program.display()))
        })?;
        let (Some(input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Failure::Unreachable("the program has no pipes".to_owned()));
        };
        let number = child.id();
        let (told, ended) = watch::channel(None);
        let is_over = Arc::new(AtomicBool::new(false));
        let stop = CancellationToken::new();
        tokio::spawn(listen(errors, said));
        let looked_after = LookedAfter { child, number, is_over: is_over.clone(), stop: stop.clone() };
        let ended_at: Arc<OnceLock<Instant>> = Arc::default();
        let noted = ended_at.clone();
        tokio::spawn(async move {
            let status = looked_after.until_its_end().await;
            noted.get_or_init(Instant::now);
            told.send_replace(Some(status));
        });
        let fault = OnceLock::new();
        let guarded = number.and_then(guarded_group);
        Ok((Process { number, is_over, ended, stop, fault, ended_at, _guarded: guarded }, Ends { input, output }))
    }

    /// Kills the program and all that it has started.
    pub(crate) fn kill(&self) {
        // Once it was waited for, its number may be that of another group.
        if !self.is_over.load(Ordering::Acquire) {
            kill_group(self.number);
        }
        self.stop.cancel();
    }

    /// Notes what is wrong with what it writes, for which it is ended.
    pub(super) fn blame(&self, fault: &'static str) {
        // The first fault ends it.
        let _ = self.fault.set(fault);
    }

    /// When it ended; nothing of one that runs.
    pub(crate) fn ended_at(&self) -> Option<Instant> {
        self.ended_at.get().copied()
    }

    /// Why nothing more comes from it.
    pub(crate) async fn words_of_its_end(&self) -> String {
        if let Some(fault) = self.fault.get() {
            return (*fault).to_owned();
        }
        match self.ending().await {
            Some(status) => format!("the program ended: {status}"),
            None => "the program closed its output".to_owned(),
        }
    }

    /// How it ended; nothing where it does not end soon.
    pub(super) async fn ending(&self) -> Option<String> {
        let mut ended = self.ended.clone();
        let status = tokio::time::timeout(TO_END, ended.wait_for(Option::is_some)).await;
        status.ok()?.ok()?.clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

struct LookedAfter {
    child: Child,
    number: Option<u32>,
    is_over: Arc<AtomicBool>,
    stop: CancellationToken,
}

impl LookedAfter {
    /// Waits for the program, and kills what it leaves behind: a pipe that is held open would never end.
    async fn until_its_end(mut self) -> String {
        let status = tokio::select! {
            status = self.child.wait() => status,
            () = self.stop.cancelled() => {
                let _ = self.child.start_kill();
                self.child.wait().await
            }
        };
        self.is_over.store(true, Ordering::Release);
        kill_group(self.number);
        match status {
            Ok(status) => status.to_string(),
            Err(error) => format!("its end is not known: {error}"),
        }
    }
}

fn prepared(command: &Command) -> tokio::process::Command {
    let mut prepared = tokio::process::Command::new(&command.program);
    prepared.args(&command.arguments).env_clear();
    for name in INHERITED {
        if let Some(value) = std::env::var_os(name) {
            prepared.env(name, value);
        }
    }
    prepared.envs(command.environment.iter().map(|(name, value)| (name, value.exposed())));
    if let Some(folder) = &command.folder {
        prepared.current_dir(folder);
    }
    prepared.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    #[cfg(unix)]
    prepared.process_group(0);
    prepared
}

async fn listen(errors: ChildStderr, said: Said) {
    let mut lines = Lines::new(errors, LONGEST_SAID);
    while let Ok(Some(Line::Whole(line) | Line::Part(line))) = lines.next().await {
        said.add(&line);
    }
}

#[cfg(unix)]
fn kill_group(number: Option<u32>) {
    let group = number.and_then(|number| i32::try_from(number).ok()).and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // All of it may have ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_number: Option<u32>) {}
