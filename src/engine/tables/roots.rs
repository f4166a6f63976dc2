//! The folders that a project's tables may lie in, and local paths inside them.

use super::place::{Place, Shape, compile};
use super::store::Confined;
use super::{TableError, failure, glob};
use crate::name::nearest;
use bytes::Bytes;
use futures::FutureExt;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path as Location;
use object_store::{ObjectStoreExt, PutPayload};
use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Of a folder with more entries, not all are compared with a misspelt name.
const MOST_NAMES: usize = 1_000;

/// Where a project's tables may lie.
#[derive(Debug, Clone)]
pub struct Roots {
    /// What paths are relative to.
    project: PathBuf,
    /// What they may not leave, links followed.
    allowed: Arc<[PathBuf]>,
    /// The files that need no folder: they are part of the executable. By their path as it is written.
    embedded: Arc<Embedded>,
}

/// The content of files by their path, as `qtool.yaml` has it.
pub type Embedded = BTreeMap<String, Bytes>;

impl Roots {
    /// The declared folders, relative to the project; the project itself where none is declared.
    ///
    /// Errors: a folder that does not exist or cannot be opened.
    pub fn new(project_dir: &Path, declared: &[String]) -> Result<Roots, TableError> {
        let project = project_dir.canonicalize().map_err(|error| failure::io(".", &error))?;
        let mut allowed = Vec::new();
        for root in declared {
            let path = project.join(root).canonicalize().map_err(|error| failure::io(root, &error))?;
            if !path.is_dir() {
                return Err(TableError::option("roots", format!("`{root}` is not a folder")));
            }
            allowed.push(path);
        }
        if allowed.is_empty() {
            allowed.push(project.clone());
        }
        Ok(Roots { project, allowed: allowed.into(), embedded: Arc::default() })
    }

    /// The same with files that are read from memory.
    #[must_use]
    pub fn with_embedded(self, embedded: Arc<Embedded>) -> Roots {
        Roots { embedded, ..self }
    }

    /// Where a file in memory is: in a store of its own.
    fn in_memory(&self, written: &str) -> Option<Place> {
        let content = self.embedded.get(written)?;
        let start = Location::from(written.rsplit('/').next().unwrap_or(written));
        let store = InMemory::new();
        // It is ready at once: nothing is waited for.
        store.put(&start, PutPayload::from(content.clone())).now_or_never()?.ok()?;
        Some(Place {
            store: Arc::new(store),
            confined: None,
            embedded: Some(content.len() as u64),
            start,
            pattern: None,
            shape: Shape::File,
            shown: written.to_owned(),
        })
    }

    /// Where a local path leads.
    pub(super) fn place(&self, written: &str) -> Result<Place, TableError> {
        if let Some(place) = self.in_memory(written) {
            return Ok(place);
        }
        // A file whose name holds a bracket is that file.
        let exists = self.project.join(written).symlink_metadata().is_ok();
        let (start, pattern) = if exists { (written, None) } else { glob::split(written) };
        let pattern = pattern.map(compile).transpose()?;
        let path = self.resolve(start, written)?;
        if pattern.is_some() && !path.is_dir() {
            return Err(TableError::NotFound { path: written.to_owned() });
        }
        let outside = || TableError::OutsideRoots { path: written.to_owned() };
        let root = self.root_of(&path).ok_or_else(outside)?;
        let files = LocalFileSystem::new_with_prefix(root).map_err(|error| failure::store(written, &error))?;
        Ok(Place {
            store: Arc::new(files.clone()),
            confined: Some(Confined::new(files, root.clone(), Arc::clone(&self.allowed))),
            embedded: None,
            start: location(root, &path, written)?,
            pattern,
            shape: if path.is_dir() { Shape::Folder } else { Shape::File },
            shown: written.to_owned(),
        })
    }

    /// Where a path leads to as it is written. Nothing of it was looked at.
    pub(in crate::engine) fn written_path(&self, written: &str) -> PathBuf {
        self.project.join(written)
    }

    /// The file that a path leads to, links followed. It is looked for anew each time: a link may have been turned.
    ///
    /// Errors: there is none, or it lies outside.
    pub(in crate::engine) fn resolve_file(&self, written: &str) -> Result<PathBuf, TableError> {
        let path = self.resolve(written, written)?;
        let real = path.canonicalize().map_err(|error| self.missing(&path, written, &error))?;
        match self.root_of(&real) {
            Some(_) => Ok(real),
            None => Err(TableError::OutsideRoots { path: written.to_owned() }),
        }
    }

    /// The path with every link but the last resolved: a link that is later turned to other data is followed there.
    fn resolve(&self, start: &str, written: &str) -> Result<PathBuf, TableError> {
        let path = self.project.join(start);
        let real = path.canonicalize().map_err(|error| self.missing(&path, written, &error))?;
        if self.root_of(&real).is_none() {
            return Err(TableError::OutsideRoots { path: written.to_owned() });
        }
        let kept = parent_resolved(&path).filter(|kept| self.root_of(kept).is_some());
        Ok(kept.unwrap_or(real))
    }

    fn missing(&self, path: &Path, written: &str, error: &io::Error) -> TableError {
        // Not to tell what lies outside the roots and what does not.
        if self.root_of(&without_dots(path)).is_none() {
            return TableError::OutsideRoots { path: written.to_owned() };
        }
        match (failure::io(written, error), self.similar(written)) {
            (TableError::NotFound { path }, Some(near)) => TableError::Misspelt { path, near },
            (error, _) => error,
        }
    }

    /// The path that a misspelt one probably stands for: one name in it is like one that lies there.
    fn similar(&self, written: &str) -> Option<String> {
        let parts: Vec<&str> = written.split('/').collect();
        let mut folder = self.project.clone();
        for (at, part) in parts.iter().enumerate() {
            if folder.join(part).exists() {
                folder.push(part);
                continue;
            }
            let real = folder.canonicalize().ok().filter(|real| self.root_of(real).is_some())?;
            let names = real.read_dir().ok()?.take(MOST_NAMES).flatten();
            let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            let near = nearest(part, names.iter().map(String::as_str).filter(|name| !name.starts_with('.')))?;
            let whole = [parts.get(..at)?, &[near], parts.get(at + 1..)?].concat().join("/");
            return self.project.join(&whole).exists().then_some(whole);
        }
        None
    }

    /// What no path may leave, links followed.
    pub(super) fn allowed(&self) -> Arc<[PathBuf]> {
        Arc::clone(&self.allowed)
    }

    fn root_of(&self, path: &Path) -> Option<&PathBuf> {
        self.allowed.iter().find(|root| path.starts_with(root))
    }
}

fn parent_resolved(path: &Path) -> Option<PathBuf> {
    Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))
}

/// The path with `.` and `..` taken out as they are written; links are not followed.
pub fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

fn location(root: &Path, path: &Path, written: &str) -> Result<Location, TableError> {
    let invalid = || TableError::option("path", format!("`{written}` is not a valid file name"));
    let below = path.strip_prefix(root).map_err(|_| invalid())?;
    let segments: Option<Vec<&str>> = below.components().map(|component| component.as_os_str().to_str()).collect();
    Location::parse(segments.ok_or_else(invalid)?.join("/")).map_err(|_| invalid())
}
