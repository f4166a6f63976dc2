//! Writes sheets into a project: all of them and what `qtool.yaml` says of them, or nothing.

use super::super::manifests::carried::Imported;
use super::super::manifests::read_yaml::document;
use super::flaw::Flaw;
use super::sheet::{RECORDS, Sheet};
use crate::load::{io_reason, leads_out, with_entry, write_atomically};
use serde_json::Value;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The file of a project.
const PROJECT: &str = "qtool.yaml";
/// What is written to while a sheet is there.
const WRITTEN: [&str; 2] = [RECORDS, "provenance.jsonl"];

/// What was written.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The records, with their folders.
    pub(crate) records: Vec<(String, String)>,
    /// Whether there was no `qtool.yaml` before.
    pub(crate) made_project: bool,
    /// What could not be put into the `qtool.yaml` that is there, as it belongs below `records`.
    pub(crate) by_hand: Option<String>,
}

/// Writes sheets that are not there yet, and says of the others that they are.
///
/// Errors: a file cannot be read or written, or a sheet was changed meanwhile. Then nothing was written.
pub(crate) fn write(dir: &Path, sheets: Vec<Sheet>, said: &mut Imported) -> Result<Written, Flaw> {
    let project = dir.join(PROJECT);
    let text = match std::fs::read_to_string(&project) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed("read", &project, &error)),
    };
    let sheets = new_ones(dir, (sheets, text.as_deref()), said)?;
    if sheets.is_empty() {
        return Ok(Written::default());
    }
    let entries: String = sheets.iter().map(|sheet| sheet.entry.as_str()).collect();
    let before = text.clone().unwrap_or_else(|| format!("name: {}\n", Value::from(name_of(dir))));
    let after = with_entry(&before, "records", &entries);
    let mut staged = Staged { folder: dir.join(format!(".qtool-import-{}", std::process::id())), moved: Vec::new() };
    staged.copy(&sheets)?;
    staged.place(dir, &sheets)?;
    if let Ok(after) = &after {
        write_atomically(&project, after.as_bytes()).map_err(|error| failed("write", &project, &error))?;
    }
    // They stay.
    staged.moved.clear();
    Ok(Written {
        records: sheets.into_iter().map(|sheet| (sheet.name, sheet.path)).collect(),
        made_project: text.is_none(),
        by_hand: after.is_err().then_some(entries),
    })
}

/// The sheets that neither the project nor its folder has yet.
fn new_ones(dir: &Path, (sheets, text): (Vec<Sheet>, Option<&str>), said: &mut Imported) -> Result<Vec<Sheet>, Flaw> {
    let known = text.map_or(Ok(Value::Null), document);
    let known = known.map_err(|why| Flaw::from(format!("`{PROJECT}` of the project cannot be read: {why}")))?;
    let has = |key: &str, name: &str| known.get(key).is_some_and(|entries| entries.get(name).is_some());
    let records = known.get("records").and_then(Value::as_object);
    let path_of = |(name, config): (&String, &Value)| {
        let path = config.get("path").and_then(Value::as_str).map(str::to_owned);
        path.unwrap_or_else(|| format!("records/{name}"))
    };
    let paths: Vec<String> = records.into_iter().flatten().map(path_of).collect();
    let mut new = Vec::new();
    for sheet in sheets {
        let Sheet { name, path, .. } = &sheet;
        let is_there = sheet.files.is_some() && dir.join(path).symlink_metadata().is_ok();
        if leads_out(dir, Path::new(path)) {
            return Err(format!("`{path}` lies behind a link that leads out of the project").into());
        }
        if has("records", name) || paths.iter().any(|known| known.trim_end_matches('/') == path.as_str()) {
            said.leave_out(format!("`{path}`"), format!("`{PROJECT}` has these records already"));
        } else if has("tables", name) {
            said.leave_out(format!("`{path}`"), format!("`{PROJECT}` has a table `{name}`"));
        } else if is_there {
            said.leave_out(format!("`{path}`"), "it is there already, and stays as it is");
        } else {
            new.push(sheet);
        }
    }
    Ok(new)
}

/// Folders on their way: what is not told to stay is removed.
struct Staged {
    folder: PathBuf,
    /// Those that are in their place.
    moved: Vec<PathBuf>,
}

impl Drop for Staged {
    fn drop(&mut self) {
        // What cannot be removed stays, and is seen.
        for folder in self.moved.iter().chain([&self.folder]) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

impl Staged {
    /// Copies files beside the places of their folders.
    fn copy(&self, sheets: &[Sheet]) -> Result<(), Flaw> {
        for (at, sheet) in sheets.iter().enumerate() {
            let Some(files) = &sheet.files else { continue };
            let to = self.folder.join(at.to_string());
            let before = state(&sheet.from);
            for file in files {
                copy(&sheet.from.join(file), &to.join(file))?;
            }
            if !files.iter().any(|file| file == RECORDS) {
                copied(&mut io::empty(), &to.join(RECORDS))?;
            }
            if before != state(&sheet.from) {
                return Err(format!("`{}` was changed meanwhile: try again", sheet.from.display()).into());
            }
        }
        Ok(())
    }

    /// Puts them in their places.
    fn place(&mut self, dir: &Path, sheets: &[Sheet]) -> Result<(), Flaw> {
        for (at, sheet) in sheets.iter().enumerate().filter(|(_, sheet)| sheet.files.is_some()) {
            let to = dir.join(&sheet.path);
            let moved = to.parent().map_or(Ok(()), std::fs::create_dir_all);
            let moved = moved.and_then(|()| match to.symlink_metadata() {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => std::fs::rename(self.folder.join(at.to_string()), &to),
            });
            moved.map_err(|error| failed("write", &to, &error))?;
            self.moved.push(to);
        }
        Ok(())
    }
}

/// How the files that are written to stand.
fn state(folder: &Path) -> Vec<Option<(u64, Option<SystemTime>)>> {
    let of = |file: &&str| {
        let meta = folder.join(file).symlink_metadata().ok()?;
        Some((meta.len(), meta.modified().ok()))
    };
    WRITTEN.iter().map(of).collect()
}

fn copy(from: &Path, to: &Path) -> Result<(), Flaw> {
    let mut file = File::open(from).map_err(|error| failed("read", from, &error))?;
    copied(&mut file, to)
}

/// A new file with what is read.
fn copied(from: &mut impl io::Read, to: &Path) -> Result<(), Flaw> {
    let made = to.parent().map_or(Ok(()), std::fs::create_dir_all);
    let written = made.and_then(|()| {
        let mut file = File::create_new(to)?;
        io::copy(from, &mut file)?;
        file.sync_all()
    });
    written.map_err(|error| failed("write", to, &error))
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Flaw {
    format!("cannot {what} `{}`: {}", path.display(), io_reason(error)).into()
}

/// What a project in that folder is called.
fn name_of(dir: &Path) -> String {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    absolute.file_name().map_or_else(|| "tools".to_owned(), |name| name.to_string_lossy().into_owned())
}
