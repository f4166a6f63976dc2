//! Runs a program to its end.

use super::children;
use super::ended::{Ended, How, Limit, NotRun};
use super::launch::{Launch, Most};
use super::pipes::{Reader, Writer};
use super::report::{self, Told, take_reports};
use super::start::{Started, Tied, start};
use super::watch::Watch;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::process::{Signal, WaitStatus};
use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long nothing is asked at most: whether it is to stop, and, on systems that do not tell by themselves, whether it
/// has ended.
const TURN: Duration = if cfg!(target_os = "linux") { Duration::from_millis(20) } else { Duration::from_millis(4) };

/// How much is read of one pipe before the next has its turn, in pieces.
const PIECES: usize = 16;

/// The most that a pipe can still hold when nobody writes to it any more, in pieces.
const REST: usize = 64;

/// Runs a program to its end, with all that it starts. It blocks; `stop` is asked about fifty times a second.
///
/// Errors: it has not started.
pub fn run(launch: &Launch, stop: &dyn Fn() -> bool) -> Result<Ended, NotRun> {
    let began = Instant::now();
    let mut started = start(launch, Tied::Thread)?;
    let mut running = Running::new(&mut started, launch)?;
    let why = running.wait(began.checked_add(launch.most.time), stop)?;
    let status = running.started.end()?;
    running.read_rest();
    running.ended(why, status, launch.most)
}

/// A program that runs.
struct Running<'a> {
    started: &'a mut Started,
    input: Writer<'a>,
    output: Reader,
    errors: Reader,
    watch: Watch,
    /// Tells that the first process has ended, where the system can.
    end: Option<OwnedFd>,
    buffer: Vec<u8>,
}

impl<'a> Running<'a> {
    fn new(started: &'a mut Started, launch: &'a Launch) -> io::Result<Running<'a>> {
        Ok(Running {
            input: Writer::new(started.input.take(), launch.input.as_deref().unwrap_or_default())?,
            output: Reader::new(started.output.take(), launch.most.output)?,
            errors: Reader::new(started.errors.take(), launch.most.errors.saturating_add(report::MOST))?,
            watch: Watch::new(started.group, launch.confinement.limits),
            end: told_end(started),
            buffer: Vec::new(),
            started,
        })
    }

    /// Waits until the program has ended, which is `None`, or is to be ended.
    fn wait(&mut self, until: Option<Instant>, stop: &dyn Fn() -> bool) -> io::Result<Option<How>> {
        loop {
            let now = Instant::now();
            let next = [until, self.watch.next()].into_iter().flatten().min();
            let pause = next.map_or(TURN, |next| next.saturating_duration_since(now).min(TURN));
            self.turn(pause)?;
            if self.output.is_over {
                return Ok(Some(How::OutputTooLarge));
            }
            if children::has_ended(self.started.group)? {
                return Ok(None);
            }
            let now = Instant::now();
            if until.is_some_and(|until| now >= until) {
                return Ok(Some(How::TimedOut));
            }
            if stop() {
                return Ok(Some(How::Stopped));
            }
            if let Some(limit) = self.watch.look(now) {
                return Ok(Some(How::Limit(limit)));
            }
        }
    }

    /// Waits until something can be read or written, or the first process has ended.
    fn turn(&mut self, pause: Duration) -> io::Result<()> {
        let pipes = [self.output.waits(), self.errors.waits(), self.input.waits()];
        let end = self.end.as_ref().map(|end| PollFd::new(end, PollFlags::IN));
        let mut waits: Vec<PollFd<'_>> = pipes.into_iter().flatten().chain(end).collect();
        let pause = Timespec::try_from(pause).map_err(io::Error::other)?;
        match rustix::event::poll(&mut waits, Some(&pause)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        self.output.read(&mut self.buffer, PIECES);
        self.errors.read(&mut self.buffer, PIECES);
        self.input.write();
        Ok(())
    }

    /// Reads what lies in the pipes when nobody is left to write. Whoever holds them still is not waited for.
    fn read_rest(&mut self) {
        self.output.read(&mut self.buffer, REST);
        self.errors.read(&mut self.buffer, REST);
    }

    fn ended(self, why: Option<How>, status: WaitStatus, most: Most) -> Result<Ended, NotRun> {
        let mut errors = self.errors.bytes;
        match take_reports(&self.started.nonce, &mut errors) {
            Told::NotRun(why) => return Err(why),
            Told::Nothing if why.is_none() => {
                let text = format!("the launcher has ended early: {}", String::from_utf8_lossy(&errors));
                return Err(NotRun::Other(io::Error::other(text)));
            }
            Told::Nothing | Told::Ready => {}
        }
        let how = match why {
            Some(how) => how,
            None if self.output.is_over => How::OutputTooLarge,
            None => by_itself(status),
        };
        let errors_cut = self.errors.is_over || errors.len() > most.errors;
        errors.truncate(most.errors);
        Ok(Ended { how, output: self.output.bytes, errors, errors_cut })
    }
}

#[cfg(target_os = "linux")]
fn told_end(started: &Started) -> Option<OwnedFd> {
    rustix::process::pidfd_open(started.group, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn told_end(_started: &Started) -> Option<OwnedFd> {
    None
}

fn by_itself(status: WaitStatus) -> How {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => How::Exited(code),
        (None, Some(signal)) if signal == Signal::XCPU.as_raw() => How::Limit(Limit::Cpu),
        (None, Some(signal)) if signal == Signal::XFSZ.as_raw() => How::Limit(Limit::FileSize),
        (None, signal) => How::Signalled(signal.unwrap_or_default()),
    }
}
