//! Where a program lies and runs, and what it may see.

use super::environment::PATH;
use crate::engine::error::CallError;
use crate::engine::program_place::ProgramPlace;
use crate::engine::tables::Roots;
use crate::project::argument::{Piece, pieces};
use crate::project::{ProgramConfig, RunArgument};
use std::path::{Path, PathBuf};

/// Where a program lies and runs, and what it may see.
pub(super) struct Places {
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) reads: Vec<PathBuf>,
    pub(super) writes: Vec<PathBuf>,
}

impl Places {
    /// Looks for them. Each is looked for at each call: what was there may be gone, or lead elsewhere.
    ///
    /// Errors: one is not there, or lies outside of the roots.
    pub(super) fn found(program: &ProgramConfig, place: &ProgramPlace) -> Result<Places, CallError> {
        let roots = place.roots().map_err(|error| CallError::internal(error.to_string()))?;
        let project = place.folder().map_err(|error| CallError::internal(format!("the project's folder: {error}")))?;
        let first = match program.run.first() {
            Some(RunArgument::One(text)) => text.as_str(),
            _ => return Err(CallError::internal("there is no program")),
        };
        let file = file_of(first, &roots)?;
        let execution = &program.execution;
        let folder = match &execution.cwd {
            Some(path) => below(&roots, "cwd", path)?,
            None => project.clone(),
        };
        if !folder.is_dir() {
            return Err(CallError::internal("`cwd` is no folder"));
        }
        let mut reads = prefixes(&file);
        reads.extend(execution.cwd.as_ref().map(|_| folder.clone()));
        reads.extend(scripts(program, &roots, &project));
        for path in &execution.reads {
            reads.push(match Path::new(path).is_absolute() {
                true => PathBuf::from(path),
                false => below(&roots, "reads", path)?,
            });
        }
        let mut writes = Vec::new();
        for path in &execution.writes {
            let folder = below(&roots, "writes", path)?;
            if !folder.is_dir() {
                return Err(CallError::internal(format!("`{path}` of `writes` is no folder")));
            }
            writes.push(folder);
        }
        Ok(Places { program: file, folder, reads, writes })
    }
}

/// Whether the second text of a program is a file below the roots.
pub(super) fn is_there(program: &ProgramConfig, place: &ProgramPlace) -> bool {
    let Some(RunArgument::One(path)) = program.run.get(1) else { return false };
    place
        .roots()
        .is_ok_and(|roots| roots.resolve_file(&program.execution.in_folder(path)).is_ok_and(|file| file.is_file()))
}

/// A path of the manifest below the roots.
fn below(roots: &Roots, key: &str, path: &str) -> Result<PathBuf, CallError> {
    roots.resolve_file(path).map_err(|error| CallError::internal(format!("`{path}` of `{key}`: {error}")))
}

/// The file of a program: a path, or a name that is looked for where the system has its programs.
fn file_of(name: &str, roots: &Roots) -> Result<PathBuf, CallError> {
    if Path::new(name).is_absolute() {
        return Ok(PathBuf::from(name));
    }
    if name.contains('/') {
        // A link to an interpreter is run by its own name: a virtual environment is found by it, and it leads out of the project.
        let written = roots.written_path(name);
        if let Some((folder, file)) = name.rsplit_once('/').filter(|_| is_environment(&written)) {
            return Ok(below(roots, "run", folder)?.join(file));
        }
        return below(roots, "run", name);
    }
    let path = std::env::var("PATH").ok().filter(|path| !path.is_empty()).unwrap_or_else(|| PATH.to_owned());
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    let found = folders.map(|folder| folder.join(name)).find(|file| is_executable(file));
    found.ok_or_else(|| {
        CallError::internal(format!("the program `{name}` is not installed: `PATH` has none of that name"))
    })
}

/// Whether a file is a program of a virtual environment of Python.
fn is_environment(file: &Path) -> bool {
    let folder = file.parent().and_then(Path::parent);
    folder.is_some_and(|folder| folder.join("pyvenv.cfg").is_file())
}

pub(super) fn is_executable(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(file).is_ok_and(|of| of.is_file() && of.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.is_file()
    }
}

/// What a program needs to read that lies around it: where it was installed, and its virtual environment.
fn prefixes(file: &Path) -> Vec<PathBuf> {
    let real = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let mut found = vec![real.clone()];
    for path in [file, real.as_path()] {
        // `shims` are those of pyenv, rbenv and asdf: scripts that look for the program beside them.
        let is_of_prefix = |folder: &&Path| folder.file_name().is_some_and(|name| name == "bin" || name == "shims");
        let folder = path.parent().filter(is_of_prefix);
        // `/bin` and `/usr/bin` have nothing above that is a program's own.
        let prefix = folder.and_then(Path::parent).filter(|prefix| prefix.components().count() > 2);
        found.extend(prefix.map(Path::to_path_buf));
        // Where the interpreter of a virtual environment was installed, whose library it uses.
        let settings =
            folder.and_then(Path::parent).and_then(|prefix| std::fs::read_to_string(prefix.join("pyvenv.cfg")).ok());
        let home = settings
            .iter()
            .flat_map(|text| text.lines())
            .find_map(|line| line.strip_prefix("home")?.trim().strip_prefix('='));
        let home = home
            .map(|home| PathBuf::from(home.trim()))
            .filter(|home| home.is_absolute() && home.components().count() > 3);
        found.extend(home.as_deref().and_then(Path::parent).map(Path::to_path_buf));
    }
    found
}

/// The files of the project that are arguments as they stand: scripts and settings. With a script comes the folder that it lies
/// in, unless that is the project's own, or holds the project.
fn scripts(program: &ProgramConfig, roots: &Roots, project: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for (at, text) in program.run.iter().flat_map(RunArgument::texts).map(|(_, text)| text).enumerate() {
        let Ok(parts) = pieces(text) else { continue };
        let [Piece::Text(text)] = parts.as_slice() else { continue };
        if text.is_empty() || text.starts_with('-') || Path::new(text).is_absolute() {
            continue;
        }
        // They are meant as the program sees them, in the folder that it runs in.
        let path = if at == 0 { text.clone() } else { program.execution.in_folder(text) };
        let Ok(file) = roots.resolve_file(&path) else { continue };
        let folder = file.parent().filter(|folder| file.is_file() && !project.starts_with(folder));
        found.extend(folder.map(Path::to_path_buf));
        if file.is_file() || file != *project {
            found.push(file);
        }
    }
    found
}
