//! The file of the record, and what may stand in its place.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A file that is appended to, and made again where it was renamed or removed.
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    /// Whether the file ends in the middle of a line: the disk was full, or the machine stopped.
    torn: bool,
    checked: Instant,
    recheck: Duration,
    /// Why it could not be made again when that was tried last.
    fault: Option<(io::ErrorKind, String)>,
}

/// Where a line was written to.
#[derive(Debug)]
pub(super) enum Written {
    /// To the file of that path.
    InPlace,
    /// To the file that was renamed: another one cannot be made.
    Renamed(io::Error),
}

impl LogFile {
    /// Opens the file of that path, which is looked at so often.
    ///
    /// Errors: it or its folder cannot be made or written, or it is no regular file.
    pub(super) fn open(path: PathBuf, recheck: Duration) -> io::Result<LogFile> {
        let (file, torn) = append_to(&path).map_err(|error| about(&path, &error))?;
        Ok(LogFile { path, file, torn, checked: Instant::now(), recheck, fault: None })
    }

    /// Appends a line. What is at the path of the file is looked at before, now and then.
    ///
    /// Errors: the line is lost.
    pub(super) fn write(&mut self, line: &[u8]) -> io::Result<Written> {
        self.reopen_if_moved();
        let fault = self.fault.as_ref().map(|(kind, why)| about(&self.path, &io::Error::new(*kind, why.as_str())));
        match fault {
            // Nobody will find what is written to it.
            Some(error) if is_removed(&self.file) => Err(error),
            // Where the file cannot be made again, the old one is better than none.
            fault => {
                self.append(line).map_err(|error| about(&self.path, &error))?;
                Ok(fault.map_or(Written::InPlace, Written::Renamed))
            }
        }
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

    fn reopen_if_moved(&mut self) {
        // What a removed file takes is lost: it is tried again with every line.
        if self.checked.elapsed() < self.recheck && !is_removed(&self.file) {
            return;
        }
        self.checked = Instant::now();
        if is_at(&self.file, &self.path) {
            self.fault = None;
            return;
        }
        match append_to(&self.path) {
            Ok((file, torn)) => (self.file, self.torn, self.fault) = (file, torn, None),
            Err(error) => self.fault = Some((error.kind(), error.to_string())),
        }
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
    // To open a device may do something already.
    if let Ok(there) = std::fs::metadata(path) {
        is_regular(&there)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = at_once(&mut options).open(path)?;
    // What was there a moment ago may be something else by now.
    let metadata = file.metadata()?;
    is_regular(&metadata)?;
    // A file that may not be read is taken to be whole.
    let torn = metadata.len() > 0 && ends_torn(path).unwrap_or_default();
    Ok((file, torn))
}

/// Refuses what is no file of a disk: a pipe waits for its reader, and a device may take all lines and keep none.
fn is_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "the audit is written to regular files only, or to `stderr`"))
}

/// Opens without waiting for anybody, and never to become the terminal of the process.
#[cfg(unix)]
fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed())
}

/// Elsewhere a path is that of a file.
#[cfg(not(unix))]
fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn ends_torn(path: &Path) -> io::Result<bool> {
    let mut file = at_once(OpenOptions::new().read(true)).open(path)?;
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

/// Whether the file has no name any more.
#[cfg(unix)]
fn is_removed(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

/// Elsewhere a file that is written to is not removed.
#[cfg(not(unix))]
fn is_removed(_: &File) -> bool {
    false
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
impl LogFile {
    /// What stands for a disk that does something special.
    pub(super) fn unchecked(path: impl Into<PathBuf>) -> LogFile {
        let path = path.into();
        let file = OpenOptions::new().append(true).open(&path).unwrap();
        LogFile { path, file, torn: false, checked: Instant::now(), recheck: Duration::from_secs(3600), fault: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(path: &Path) -> LogFile {
        LogFile::open(path.to_owned(), Duration::ZERO).unwrap()
    }

    #[test]
    fn a_line_behind_a_torn_one_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        std::fs::write(&path, "whole\ntor").unwrap();
        let mut file = opened(&path);
        file.write(b"next\n").unwrap();
        file.write(b"last\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "whole\ntor\nnext\nlast\n");
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_for_its_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        let _file = opened(&path);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_was_renamed_or_removed_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("logs/audit.jsonl"), dir.path().join("old.jsonl"));
        let mut file = opened(&path);
        file.write(b"one\n").unwrap();
        std::fs::rename(&path, &old).unwrap();
        file.write(b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "one\n");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
        // With its folder.
        std::fs::remove_dir_all(dir.path().join("logs")).unwrap();
        file.write(b"three\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three\n");
    }

    #[cfg(unix)]
    #[test]
    fn the_old_file_is_kept_where_no_new_one_can_be_made() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("audit.jsonl"), dir.path().join("old.jsonl"));
        let mut file = opened(&path);
        std::fs::rename(&path, &old).unwrap();
        std::fs::create_dir(&path).unwrap();
        let written = file.write(b"kept\n").unwrap();
        assert!(matches!(written, Written::Renamed(error) if error.to_string().contains("audit.jsonl")));
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "kept\n");
        std::fs::remove_dir(&path).unwrap();
        assert!(matches!(file.write(b"new\n").unwrap(), Written::InPlace));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new\n");
    }

    #[cfg(unix)]
    #[test]
    fn it_is_not_looked_more_often_than_said() {
        let dir = tempfile::tempdir().unwrap();
        let (path, old) = (dir.path().join("audit.jsonl"), dir.path().join("old.jsonl"));
        let mut file = LogFile::open(path.clone(), Duration::from_secs(3600)).unwrap();
        std::fs::rename(&path, &old).unwrap();
        file.write(b"late\n").unwrap();
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "late\n");
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn no_line_goes_to_a_removed_file_though_it_is_seldom_looked() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("audit.jsonl");
        let mut file = LogFile::open(path.clone(), Duration::from_secs(3600)).unwrap();
        file.write(b"one\n").unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        for _ in 0..3 {
            assert!(file.write(b"lost\n").is_err());
        }
        std::fs::remove_dir(&path).unwrap();
        file.write(b"two\n").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
    }

    /// Puts what is no regular file at a path, which must be free.
    #[cfg(unix)]
    const OTHERS: [fn(&Path); 4] = [
        |path| assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success()),
        |path| {
            // It stays where it was bound.
            std::os::unix::net::UnixListener::bind(path).unwrap();
        },
        |path| std::os::unix::fs::symlink("/dev/null", path).unwrap(),
        |path| {
            let pipe = path.with_extension("pipe");
            assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
            std::os::unix::fs::symlink(pipe, path).unwrap();
        },
    ];

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_without_waiting() {
        for place in OTHERS {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("audit.jsonl");
            place(&path);
            let error = LogFile::open(path.clone(), Duration::ZERO).err().unwrap().to_string();
            assert!(error.contains("audit.jsonl") && error.contains("regular"), "{error}");
        }
        let error = LogFile::open("/dev/full".into(), Duration::ZERO).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    #[cfg(unix)]
    #[test]
    fn what_comes_in_the_place_of_the_file_is_told_and_the_next_file_is_written() {
        for place in OTHERS {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("audit.jsonl");
            let mut file = opened(&path);
            file.write(b"one\n").unwrap();
            std::fs::remove_file(&path).unwrap();
            place(&path);
            assert!(file.write(b"lost\n").is_err());
            std::fs::remove_file(&path).unwrap();
            file.write(b"two\n").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "two\n");
        }
    }
}
