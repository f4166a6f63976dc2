//! Where the lines of the record are written: whole, one after the other, and never at the cost of a call.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the log is told that lines cannot be written.
const REPORT: Duration = Duration::from_secs(60);

/// Takes lines from any number of threads.
pub(super) struct Sink {
    state: Mutex<State>,
}

struct State {
    target: Target,
    /// Writes that failed since the last report.
    failed: u64,
    reported: Option<Instant>,
}

enum Target {
    Stderr,
    File(LogFile),
}

impl Sink {
    /// Writes to standard error.
    pub(super) fn stderr() -> Sink {
        Sink::to(Target::Stderr)
    }

    /// Appends to a file, which is made with its folder where it is missing, for its owner alone.
    ///
    /// Errors: the file or its folder cannot be made or written.
    pub(super) fn file(path: PathBuf, recheck: Duration) -> io::Result<Sink> {
        Ok(Sink::to(Target::File(LogFile::open(path, recheck)?)))
    }

    fn to(target: Target) -> Sink {
        Sink { state: Mutex::new(State { target, failed: 0, reported: None }) }
    }

    /// Writes a line, to which its end is added.
    pub(super) fn write(&self, mut line: String) {
        line.push('\n');
        let report = {
            // A panic of another thread leaves nothing half done but a line, which `torn` is for.
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let written = state.target.write(line.as_bytes());
            written.err().and_then(|error| Some((error, state.due()?)))
        };
        if let Some((error, failed)) = report {
            tracing::error!(%error, failed, "calls cannot be recorded in the audit");
        }
    }
}

impl State {
    /// Counts a failure; the number of those that the log is to be told of now.
    fn due(&mut self) -> Option<u64> {
        self.failed += 1;
        if self.reported.is_some_and(|reported| reported.elapsed() < REPORT) {
            return None;
        }
        self.reported = Some(Instant::now());
        Some(std::mem::take(&mut self.failed))
    }
}

impl Target {
    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        match self {
            // The lock is held for the whole line; the log writes its lines by the same lock.
            Target::Stderr => io::stderr().lock().write_all(line),
            Target::File(file) => file.write(line),
        }
    }
}

/// A file that is appended to, and made again where it was renamed or removed.
struct LogFile {
    path: PathBuf,
    file: File,
    /// Whether the file ends in the middle of a line: the disk was full, or the machine stopped.
    torn: bool,
    checked: Instant,
    recheck: Duration,
}

impl LogFile {
    fn open(path: PathBuf, recheck: Duration) -> io::Result<LogFile> {
        let (file, torn) = append_to(&path).map_err(|error| about(&path, &error))?;
        Ok(LogFile { path, file, torn, checked: Instant::now(), recheck })
    }

    fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let reopened = self.reopen_if_moved();
        // Where the file cannot be made again, the old one is better than none.
        self.append(line).map_err(|error| about(&self.path, &error))?;
        reopened.map_err(|error| about(&self.path, &error))
    }

    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        // Otherwise this line would be lost with the torn one.
        let mended = if self.torn { [b"\n", line].concat() } else { Vec::new() };
        let mut file = Counted { file: &self.file, written: 0 };
        let result = file.write_all(if self.torn { &mended } else { line });
        match &result {
            Ok(()) => self.torn = false,
            Err(_) => self.torn |= file.written > 0,
        }
        result
    }

    fn reopen_if_moved(&mut self) -> io::Result<()> {
        if self.checked.elapsed() < self.recheck {
            return Ok(());
        }
        self.checked = Instant::now();
        if is_at(&self.file, &self.path) {
            return Ok(());
        }
        (self.file, self.torn) = append_to(&self.path)?;
        Ok(())
    }
}

/// A file that tells how much of a line was written before a failure.
struct Counted<'a> {
    file: &'a File,
    written: usize,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.written += written;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Opens a file to append to, and tells whether it ends in the middle of a line.
fn append_to(path: &Path) -> io::Result<(File, bool)> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    // A pipe has no end to look at, and a file that may not be read is taken to be whole.
    let torn = metadata.is_file() && metadata.len() > 0 && ends_torn(path).unwrap_or_default();
    Ok((file, torn))
}

fn ends_torn(path: &Path) -> io::Result<bool> {
    let mut file = File::open(path)?;
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Whether the file is still the one of that path. What cannot be told is no reason to let go of it.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        (_, Err(error)) => error.kind() != io::ErrorKind::NotFound,
        (Err(_), _) => true,
    }
}

/// Elsewhere a file that is written to is not renamed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink(path: &Path) -> Sink {
        Sink::file(path.to_owned(), Duration::ZERO).unwrap()
    }

    #[test]
    fn what_is_there_is_appended_to() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a/b/audit.jsonl");
        sink(&path).write("first".to_owned());
        sink(&path).write("second".to_owned());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\nsecond\n");
    }

    #[test]
    fn a_line_behind_a_torn_one_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        std::fs::write(&path, "whole\ntor").unwrap();
        let sink = sink(&path);
        sink.write("next".to_owned());
        sink.write("last".to_owned());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\ntor\nnext\nlast\n");
    }

    #[test]
    fn failures_are_counted_and_reported_once_a_minute() {
        let mut state = State { target: Target::Stderr, failed: 0, reported: None };
        assert_eq!(state.due(), Some(1));
        assert_eq!(state.due(), None);
        assert_eq!(state.due(), None);
        state.reported = Instant::now().checked_sub(REPORT);
        assert_eq!(state.due(), Some(3));
        assert_eq!(state.due(), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_fails_no_call() {
        let file = OpenOptions::new().append(true).open("/dev/full").unwrap();
        let log = LogFile {
            path: "/dev/full".into(),
            file,
            torn: false,
            checked: Instant::now(),
            recheck: Duration::from_secs(3600),
        };
        let sink = Sink::to(Target::File(log));
        sink.write("lost".to_owned());
        sink.write("lost".to_owned());
        let state = sink.state.lock().unwrap();
        assert!(state.reported.is_some());
        assert_eq!(state.failed, 1);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        let _sink = sink(&path);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_renamed_or_removed_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("logs/audit.jsonl"), dir.path().join("old.jsonl"));
        let sink = sink(&path);
        sink.write("one".to_owned());
        std::fs::rename(&path, &old).unwrap();
        sink.write("two".to_owned());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "one\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
        // With its folder.
        std::fs::remove_dir_all(dir.path().join("logs")).unwrap();
        sink.write("three".to_owned());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three\n");
    }

    #[cfg(unix)]
    #[test]
    fn the_old_file_is_kept_where_no_new_one_can_be_made() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("audit.jsonl"), dir.path().join("old.jsonl"));
        let sink = sink(&path);
        std::fs::rename(&path, &old).unwrap();
        std::fs::create_dir(&path).unwrap();
        sink.write("kept".to_owned());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept\n");
        assert!(sink.state.lock().unwrap().reported.is_some());
    }

    #[cfg(unix)]
    #[test]
    fn it_is_not_looked_more_often_than_said() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("audit.jsonl"), dir.path().join("old.jsonl"));
        let sink = Sink::file(path.clone(), Duration::from_secs(3600)).unwrap();
        std::fs::rename(&path, &old).unwrap();
        sink.write("late".to_owned());
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "late\n");
        assert!(!path.exists());
    }
}
