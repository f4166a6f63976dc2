//! What functions in Python and programs in Fractalic's convention say of themselves, as it is locked: read beside manifests that do not
//! say it.

use super::files::Files;
use super::{FUNCTION_LOCKS, PROGRAM_LOCKS, no_file_name, slashed, write_atomically};
use crate::diagnostic::Diagnostics;
use crate::name::is_legal;
use crate::project::{PythonConfig, QueryFile, QueryForm, RunsKind, SimpleJsonConfig};
use crate::source::{FileId, Sources};
use crate::yaml::Document;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A manifest of something that says itself what it takes.
#[derive(Debug, Clone)]
pub struct SelfDescribed {
    /// The manifest.
    pub file: FileId,
    /// Its path below `tools/` without the ending.
    pub stem: String,
    /// What says it.
    pub by: Describes,
}

/// What says itself what it takes.
#[derive(Debug, Clone)]
pub enum Describes {
    /// A function in Python.
    Function(Box<PythonConfig>),
    /// A program in Fractalic's convention.
    Program(Box<SimpleJsonConfig>),
}

impl Describes {
    /// The kind of manifest.
    pub fn kind(&self) -> RunsKind {
        match self {
            Describes::Function(_) => RunsKind::Python,
            Describes::Program(_) => RunsKind::SimpleJson,
        }
    }

    /// What it is, in one word: a key of its lock.
    pub fn what(&self) -> &'static str {
        match self {
            Describes::Function(_) => "function",
            Describes::Program(_) => "program",
        }
    }

    /// What it is told from others by: the name of the function, or the program with its arguments.
    pub fn value(&self) -> Value {
        match self {
            Describes::Function(python) => Value::from(python.python.as_str()),
            Describes::Program(program) => Value::from(program.texts().to_vec()),
        }
    }

    /// The same for people.
    pub fn shown(&self) -> String {
        match self {
            Describes::Function(python) => python.python.clone(),
            Describes::Program(program) => program.texts().join(" "),
        }
    }

    /// Whether a locked signature is its.
    fn is_in(&self, text: &str) -> bool {
        let line = format!("{}: {}", self.what(), self.value());
        text.lines().any(|one| one == line)
    }
}

/// The manifests of what says itself what it takes.
pub fn self_described(queries: &[QueryFile], sources: &Sources) -> Vec<SelfDescribed> {
    let manifests = queries.iter().filter(|query| query.form == QueryForm::Manifest);
    let described = manifests.filter_map(|query| {
        let file = sources.get(query.file)?;
        // Most are of another kind, and this is asked of every file.
        let may_be_one = [RunsKind::Python, RunsKind::SimpleJson].iter().any(|kind| file.text.contains(kind.key()));
        let document = may_be_one.then(|| Document::parse(file, file.whole(), &mut Diagnostics::default()))??;
        Some(SelfDescribed { file: query.file, stem: query.stem.clone(), by: described_by(&document)? })
    });
    described.collect()
}

/// What of a manifest says itself what it takes.
fn described_by(document: &Document) -> Option<Describes> {
    let has = |key: &str| document.has(&[key]);
    if has(RunsKind::Python.key()) {
        // What the manifest says is the whole.
        return if has("params") { None } else { own(document, RunsKind::Python).map(Describes::Function) };
    }
    let is_alone = !has(RunsKind::Program.key()) && !has(RunsKind::Request.key());
    if !has(RunsKind::SimpleJson.key()) || !is_alone {
        return None;
    }
    let program: Box<SimpleJsonConfig> = own(document, RunsKind::SimpleJson)?;
    program.texts().first().is_some_and(|text| !text.trim().is_empty()).then_some(Describes::Program(program))
}

/// The keys of a kind in a manifest.
fn own<T: DeserializeOwned>(document: &Document, kind: RunsKind) -> Option<T> {
    let keys = kind.keys();
    let own = document.value.as_object()?.iter().filter(|(key, _)| keys.contains(*key));
    let own: Map<String, Value> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
    serde_json::from_value(Value::Object(own)).ok()
}

/// Reads the locked signatures; the manifests that have none, or that of something else.
pub(super) fn locked(files: &dyn Files, queries: &mut [QueryFile], sources: &mut Sources) -> Vec<SelfDescribed> {
    let mut unlocked = Vec::new();
    for of in self_described(queries, sources) {
        let path = signature_path(Path::new(""), &of);
        let text = path.as_ref().ok().and_then(|path| super::locked_text(files, path));
        match (path, text.filter(|text| of.by.is_in(text))) {
            (Ok(path), Some(text)) => {
                let id = sources.add(slashed(&path), text);
                let query = queries.iter_mut().find(|query| query.file == of.file);
                query.into_iter().for_each(|query| query.sidecar = Some(id));
            }
            _ => unlocked.push(of),
        }
    }
    unlocked
}

/// The file that a signature is locked in.
///
/// Errors: the name is none of a manifest, and might lead anywhere.
pub fn signature_path(dir: &Path, of: &SelfDescribed) -> std::io::Result<PathBuf> {
    let name = crate::name::snake_case(&of.stem);
    let folder = match of.by {
        Describes::Function(_) => FUNCTION_LOCKS,
        Describes::Program(_) => PROGRAM_LOCKS,
    };
    is_legal(&name).then(|| dir.join(folder).join(format!("{name}.yaml"))).ok_or_else(no_file_name)
}

/// Locks a signature.
pub fn write_signature(dir: &Path, of: &SelfDescribed, text: &str) -> std::io::Result<()> {
    write_atomically(&signature_path(dir, of)?, text.as_bytes())
}
