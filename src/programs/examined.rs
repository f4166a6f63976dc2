//! The file of a program: what it needs beside itself, and why it was not executed.

use super::report::Report;
use rustix::fs::Access;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The kernel reads no more of the first line of a script.
const FIRST_LINE: u64 = 256;

/// The kernel follows no more scripts that are the interpreters of others.
const NESTED: usize = 5;

/// The file of a program.
#[derive(Debug, Default)]
pub(super) struct Examined {
    /// What it is to read and execute: itself, its interpreters, and the libraries that lie beside them.
    pub(super) needed: Vec<PathBuf>,
    /// Whether it is there.
    is_there: bool,
    /// Whether it is a file that this user may execute.
    is_executable: bool,
    /// Whether the kernel knows what it is. The C library has a shell read what the kernel does not know, which nobody
    /// asked for.
    pub(super) is_program: bool,
    /// What its first line names, or `None` where it is no script.
    interpreter: Option<PathBuf>,
}

/// Looks at a file.
pub(super) fn examined(program: &Path) -> Examined {
    let is_executable = program.is_file() && rustix::fs::access(program, Access::EXEC_OK).is_ok();
    let mut examined = Examined { is_there: program.exists(), is_executable, ..Examined::default() };
    // What cannot be read may be executed all the same.
    examined.is_program = !is_executable || beginning(program).is_none_or(|bytes| is_program(&bytes));
    let mut file = program.to_owned();
    for _ in 0..NESTED {
        need(&mut examined.needed, &file);
        let Some(interpreter) = named_interpreter(&file) else { break };
        examined.interpreter.get_or_insert_with(|| interpreter.clone());
        file = interpreter;
    }
    examined
}

impl Examined {
    /// Why it was not executed.
    pub(super) fn why_not(&self, error: &io::Error) -> Report {
        let interpreter = || match &self.interpreter {
            Some(name) => name.to_string_lossy().into_owned(),
            None => "the loader of programs".to_owned(),
        };
        match error.kind() {
            io::ErrorKind::NotFound if self.is_there => Report::NoInterpreter(interpreter()),
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Report::NotFound,
            io::ErrorKind::PermissionDenied if self.is_executable && self.interpreter.is_some() => {
                Report::NoInterpreter(interpreter())
            }
            io::ErrorKind::PermissionDenied => Report::NotExecutable,
            _ => match error.raw_os_error() {
                Some(code) if code == rustix::io::Errno::NOEXEC.raw_os_error() => Report::NotExecutable,
                Some(code) => Report::Failed(code),
                None => Report::Failed(rustix::io::Errno::INVAL.raw_os_error()),
            },
        }
    }
}

#[allow(clippy::disallowed_methods)]
fn beginning(file: &Path) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    if !file.is_file() {
        return None;
    }
    File::open(file).ok()?.take(FIRST_LINE).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Whether it is a script, or a program for this processor as this executable is one.
fn is_program(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"#!") {
        return true;
    }
    if !cfg!(target_os = "linux") {
        return bytes.contains(&0);
    }
    let ours = super::children::executable().ok().and_then(|file| beginning(&file)).unwrap_or_default();
    let kind = |bytes: &[u8]| Some((bytes.get(..6)?.to_vec(), bytes.get(18..20)?.to_vec()));
    kind(bytes).is_some() && kind(bytes) == kind(&ours)
}

fn named_interpreter(file: &Path) -> Option<PathBuf> {
    let line = beginning(file)?;
    let rest = line.strip_prefix(b"#!")?;
    let rest = rest.split(|byte| *byte == b'\n').next()?;
    let name = rest.split(|byte| matches!(byte, b' ' | b'\t' | 0)).find(|word| !word.is_empty())?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
}

/// A file is needed by the name that it is called by and by that of what a link leads to.
fn need(needed: &mut Vec<PathBuf>, file: &Path) {
    let Ok(real) = file.canonicalize() else { return };
    for place in [file, &real] {
        needed.extend(beside(place));
    }
    needed.push(real);
}

/// The libraries of a runtime that is installed in a folder of its own: `bin/` lies beside them. The folder as a whole
/// may be the home of a user.
fn beside(file: &Path) -> Vec<PathBuf> {
    let Some(folder) = file.parent().filter(|folder| folder.ends_with("bin")).and_then(Path::parent) else {
        return Vec::new();
    };
    let settings = folder.join("pyvenv.cfg");
    let libraries = folder.join("lib");
    let is_runtime = |name: &std::ffi::OsStr| {
        let name = name.as_bytes();
        [&b"python"[..], b"node_modules", b"ruby", b"perl5", b"R", b"jvm"].iter().any(|start| name.starts_with(start))
    };
    let mut entries = libraries.read_dir().into_iter().flatten().flatten();
    if !settings.is_file() && !entries.any(|entry| is_runtime(&entry.file_name())) {
        return Vec::new();
    }
    vec![folder.join("bin"), libraries, folder.join("lib64"), settings]
}
