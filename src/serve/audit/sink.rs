//! Where the lines of the record are handed to: whole, one after the other, and never at the cost of a call.
//!
//! A disk may stop to take anything, and what reads standard error may stop to read. So lines are written by a thread of
//! their own, and nobody who answers calls waits for it.

mod file;
mod trouble;

use file::{LogFile, Written};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use trouble::{Losses, Seldom};

/// How many bytes of lines may wait to be written. What is beyond is lost, and told.
const WAITING: usize = 64 << 20;
/// How long a line may take to be written before the log is told.
const SLOW: Duration = Duration::from_secs(5);
/// How long whoever lets go of the record waits for the last lines.
const LAST: Duration = Duration::from_millis(300);
/// The stack of the thread that writes: it writes lines and the log.
const STACK: usize = 512 << 10;

/// Takes lines from any number of threads.
pub(super) struct Sink {
    queue: Arc<Queue>,
}

/// What is to be written.
struct Queue {
    state: Mutex<State>,
    /// A line has come, or no more will.
    more: Condvar,
    /// All is written.
    idle: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<String>,
    /// The bytes of those.
    bytes: usize,
    /// Since when the line before them is being written.
    writing: Option<Instant>,
    is_closed: bool,
    losses: Losses,
    /// That a line takes too long.
    slow: Seldom,
    /// That lines go to a file that was renamed.
    renamed: Seldom,
}

enum Target {
    Stderr,
    File(LogFile),
}

impl Sink {
    /// Writes to standard error.
    ///
    /// Errors: there is no thread to write.
    pub(super) fn stderr() -> io::Result<Sink> {
        Sink::to(Target::Stderr)
    }

    /// Appends to a file, which is made with its folder where it is missing, for its owner alone.
    ///
    /// Errors: the file or its folder cannot be made or written, or it is no regular file; there is no thread to write.
    pub(super) fn file(path: PathBuf, recheck: Duration) -> io::Result<Sink> {
        Sink::to(Target::File(LogFile::open(path, recheck)?))
    }

    fn to(target: Target) -> io::Result<Sink> {
        let queue = Arc::new(Queue { state: Mutex::default(), more: Condvar::new(), idle: Condvar::new() });
        let writes = Arc::clone(&queue);
        let thread = std::thread::Builder::new().name("audit".to_owned()).stack_size(STACK);
        thread.spawn(move || writes.write_to(target))?;
        Ok(Sink { queue })
    }

    /// Takes a line, to which its end is added. It is not waited for.
    pub(super) fn write(&self, mut line: String) {
        line.push('\n');
        let report = self.queue.state().take(line);
        self.queue.more.notify_one();
        if let Some(Report { lost, waiting }) = report {
            tracing::error!(
                lost,
                waiting,
                "calls cannot be recorded in the audit: what it is written to takes no lines"
            );
        }
    }

    /// How many lines were lost.
    pub(super) fn lost(&self) -> u64 {
        self.queue.state().losses.total()
    }

    /// Whether all lines are written, or lost.
    pub(super) fn is_idle(&self) -> bool {
        self.queue.state().is_idle()
    }

    /// Waits until they are, and not longer than that.
    pub(super) fn settle(&self, most: Duration) {
        let wait = self.queue.idle.wait_timeout_while(self.queue.state(), most, |state| !state.is_idle());
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.queue.state().is_closed = true;
        self.queue.more.notify_one();
        self.settle(LAST);
        let (lost, waiting) = {
            let state = self.queue.state();
            (state.losses.untold(), state.lines.len())
        };
        if lost.is_some() || waiting > 0 {
            tracing::error!(lost, waiting, "the record of calls ends before its last lines");
        }
    }
}

impl Queue {
    /// Writes what comes until no more will.
    fn write_to(&self, mut target: Target) {
        while let Some(line) = self.next() {
            let written = target.write(line.as_bytes());
            let told = self.state().written(written);
            self.idle.notify_all();
            match told {
                Told::Nothing => {}
                Told::Lost(error, lost) => tracing::error!(%error, lost, "calls cannot be recorded in the audit"),
                Told::Renamed(error) => tracing::error!(
                    %error,
                    "the file of the audit cannot be made again: lines go to the one that was renamed"
                ),
                Told::Recovered(lost) => tracing::warn!(lost, "calls are recorded in the audit again"),
            }
        }
    }

    /// The next line; `None` where none will come.
    fn next(&self) -> Option<String> {
        let waits = |state: &mut State| state.lines.is_empty() && !state.is_closed;
        let mut state = self.more.wait_while(self.state(), waits).unwrap_or_else(PoisonError::into_inner);
        let line = state.lines.pop_front()?;
        state.bytes -= line.len();
        state.writing = Some(Instant::now());
        Some(line)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic leaves nothing half done.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the log is told of a line.
#[derive(Debug)]
enum Told {
    Nothing,
    /// It is lost, and so many are since lines are.
    Lost(io::Error, u64),
    /// It is not where it belongs.
    Renamed(io::Error),
    /// It is the first that was written after so many that were not.
    Recovered(u64),
}

/// What the log is told where lines are not taken.
#[derive(Debug, PartialEq, Eq)]
struct Report {
    lost: u64,
    waiting: usize,
}

impl State {
    fn is_idle(&self) -> bool {
        self.lines.is_empty() && self.writing.is_none()
    }

    /// Takes a line, where there is room for it; what the log is to be told now.
    fn take(&mut self, line: String) -> Option<Report> {
        let has_room = self.bytes + line.len() <= WAITING || self.lines.is_empty();
        if has_room {
            self.bytes += line.len();
            self.lines.push_back(line);
            self.writing.filter(|since| since.elapsed() > SLOW)?;
            let lost = self.losses.now();
            return self.slow.is_due().then_some(Report { lost, waiting: self.lines.len() });
        }
        let lost = self.losses.add()?;
        Some(Report { lost, waiting: self.lines.len() })
    }

    /// A line is written, or not; what the log is to be told now.
    fn written(&mut self, written: io::Result<Written>) -> Told {
        self.writing = None;
        match written {
            Err(error) => self.losses.add().map_or(Told::Nothing, |lost| Told::Lost(error, lost)),
            Ok(Written::Renamed(error)) if self.renamed.is_due() => Told::Renamed(error),
            // As long as lines are lost for want of room, it is not over.
            Ok(Written::InPlace) if self.bytes <= WAITING / 2 => {
                self.losses.end().map_or(Told::Nothing, Told::Recovered)
            }
            Ok(_) => Told::Nothing,
        }
    }
}

impl Target {
    fn write(&mut self, line: &[u8]) -> io::Result<Written> {
        match self {
            // The lock is held for the whole line; the log writes its lines by the same lock.
            Target::Stderr => io::stderr().lock().write_all(line).map(|()| Written::InPlace),
            Target::File(file) => file.write(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    #[test]
    fn what_is_there_is_appended_to_in_order() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/audit.jsonl");
        let sink = || Sink::file(path.clone(), Duration::ZERO).unwrap();
        sink().write("first".to_owned());
        let second = sink();
        second.write("second".to_owned());
        second.write("third".to_owned());
        second.settle(SOON);
        assert!(second.is_idle());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\nsecond\nthird\n");
    }

    #[test]
    fn what_waits_is_bounded_and_told() {
        let mut state = State { writing: Some(Instant::now()), ..State::default() };
        let line = "x".repeat(WAITING / 2);
        assert_eq!([state.take(line.clone()), state.take(line.clone())], [None, None]);
        assert_eq!(state.take(line.clone()), Some(Report { lost: 1, waiting: 2 }));
        assert_eq!(state.take(line), Some(Report { lost: 2, waiting: 2 }));
        assert_eq!((state.lines.len(), state.losses.total()), (2, 2));
        state.bytes = 0;
        state.writing = Instant::now().checked_sub(2 * SLOW);
        assert_eq!(state.take("x".to_owned()), Some(Report { lost: 2, waiting: 3 }), "it takes too long");
        assert_eq!(state.take("x".to_owned()), None, "told a moment before");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_fails_no_call() {
        let sink = Sink::to(Target::File(LogFile::unchecked("/dev/full"))).unwrap();
        sink.write("lost".to_owned());
        sink.write("lost".to_owned());
        sink.settle(SOON);
        assert_eq!(sink.lost(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn lines_are_counted_while_a_folder_stands_in_the_place_of_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        let sink = Sink::file(path.clone(), Duration::from_secs(3600)).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        for _ in 0..5 {
            sink.write("lost".to_owned());
        }
        sink.settle(SOON);
        assert_eq!((sink.lost(), sink.queue.state().losses.now()), (5, 5));
        std::fs::remove_dir(&path).unwrap();
        sink.write("kept".to_owned());
        sink.settle(SOON);
        assert_eq!((sink.lost(), sink.queue.state().losses.now()), (5, 0));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "kept\n");
    }

    /// A pipe that nobody reads stands for a disk that takes nothing.
    #[cfg(target_os = "linux")]
    #[test]
    fn who_hands_over_a_line_does_not_wait_for_the_disk() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        // For both: neither waits for the other.
        let mut reader = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        let sink = Sink::to(Target::File(LogFile::unchecked(&path))).unwrap();
        let line = "x".repeat(50_000);
        let began = Instant::now();
        for _ in 0..100 {
            sink.write(line.clone());
        }
        assert!(began.elapsed() < SOON && !sink.is_idle());
        for _ in 0..100 {
            io::Read::read_exact(&mut reader, &mut vec![0; line.len() + 1]).unwrap();
        }
        sink.settle(SOON);
        assert!(sink.is_idle());
    }
}
