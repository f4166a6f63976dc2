//! What other servers said of their tools, as it is locked.

use super::files::Files;
use super::{UPSTREAM_LOCKS, locked_text, no_file_name, slashed, write_atomically};
use crate::diagnostic::{Diagnostics, codes};
use crate::name::is_legal;
use crate::project::{LockedUpstream, ProjectFile};
use crate::yaml::Document;
use indexmap::IndexMap;
use std::path::{Path, PathBuf};

/// Reads the locks of all servers; those that have none are left out, and a damaged one is told.
pub(super) fn locked(
    files: &dyn Files,
    file: &ProjectFile,
    document: &Document,
    sink: &mut Diagnostics,
) -> IndexMap<String, LockedUpstream> {
    let mut all = IndexMap::new();
    for name in file.upstreams.keys() {
        let Ok(path) = upstream_path(Path::new(""), name) else { continue };
        let Some(text) = locked_text(files, &path) else { continue };
        match serde_json::from_str::<LockedUpstream>(&text) {
            Ok(locked) => drop(all.insert(name.clone(), locked)),
            Err(error) => {
                let why = format!("the lock `{}` is damaged: {error}", slashed(&path));
                let said = codes::invalid_upstream(document.key_span(&["upstreams", name]), &why);
                sink.push(said.help("`qtool lock` writes it anew"));
            }
        }
    }
    all
}

/// The file that a server is locked in.
///
/// Errors: the name is none of a server, and might lead anywhere.
pub fn upstream_path(dir: &Path, name: &str) -> std::io::Result<PathBuf> {
    is_legal(name).then(|| dir.join(UPSTREAM_LOCKS).join(format!("{name}.json"))).ok_or_else(no_file_name)
}

/// Locks what a server said.
///
/// Errors: the file cannot be written.
pub fn write_upstream(dir: &Path, name: &str, locked: &LockedUpstream) -> std::io::Result<()> {
    // Plain data, which always has a JSON text.
    let text = serde_json::to_string_pretty(locked).unwrap_or_default() + "\n";
    write_atomically(&upstream_path(dir, name)?, text.as_bytes())
}
