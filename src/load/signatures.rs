//! What functions in Python say of themselves, as it is locked: read beside manifests that do not say it.

use super::files::Files;
use super::{FUNCTION_LOCKS, no_file_name, slashed, write_atomically};
use crate::diagnostic::Diagnostics;
use crate::name::is_legal;
use crate::project::{PythonConfig, QueryFile, QueryForm, RunsKind};
use crate::source::{FileId, Sources};
use crate::yaml::Document;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A manifest whose function says itself what it takes.
#[derive(Debug, Clone)]
pub struct SelfDescribed {
    /// The manifest.
    pub file: FileId,
    /// Its path below `tools/` without the ending.
    pub stem: String,
    /// The function.
    pub python: PythonConfig,
}

/// The manifests whose functions say themselves what they take.
pub fn self_described(queries: &[QueryFile], sources: &Sources) -> Vec<SelfDescribed> {
    let manifests = queries.iter().filter(|query| query.form == QueryForm::Manifest);
    let described = manifests.filter_map(|query| {
        let file = sources.get(query.file)?;
        // Most are of another kind, and this is asked of every file.
        let may_be_one = file.text.contains("python");
        let document = may_be_one.then(|| Document::parse(file, file.whole(), &mut Diagnostics::default()))??;
        let has = |key: &str| document.has(&[key]);
        if !has(RunsKind::Python.key()) || has("params") {
            return None;
        }
        let keys = RunsKind::Python.keys();
        let own = document.value.as_object()?.iter().filter(|(key, _)| keys.contains(*key));
        let own: Map<String, Value> = own.map(|(key, value)| (key.clone(), value.clone())).collect();
        let python = serde_json::from_value(Value::Object(own)).ok()?;
        Some(SelfDescribed { file: query.file, stem: query.stem.clone(), python })
    });
    described.collect()
}

/// Reads the locked signatures of functions; those that have none, or that of another function.
pub(super) fn locked(files: &dyn Files, queries: &mut [QueryFile], sources: &mut Sources) -> Vec<SelfDescribed> {
    let mut unlocked = Vec::new();
    for of in self_described(queries, sources) {
        let path = signature_path(Path::new(""), &of.stem);
        let text = path.as_ref().ok().and_then(|path| super::locked_text(files, path));
        match (path, text.filter(|text| is_of(text, &of.python.python))) {
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

/// Whether a locked signature is that of a function.
fn is_of(text: &str, function: &str) -> bool {
    text.lines().any(|line| line.strip_prefix("function: ") == Some(Value::from(function).to_string().as_str()))
}

/// The file that a signature is locked in.
///
/// Errors: the name is none of a manifest, and might lead anywhere.
pub fn signature_path(dir: &Path, stem: &str) -> std::io::Result<PathBuf> {
    let name = crate::name::snake_case(stem);
    is_legal(&name).then(|| dir.join(FUNCTION_LOCKS).join(format!("{name}.yaml"))).ok_or_else(no_file_name)
}

/// Locks a signature.
pub fn write_signature(dir: &Path, stem: &str, text: &str) -> std::io::Result<()> {
    write_atomically(&signature_path(dir, stem)?, text.as_bytes())
}
