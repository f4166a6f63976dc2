//! The files that every project over data begins with.

use crate::load::{PROJECT_FILE, io_reason, write_atomically};
use serde_json::json;
use std::io::Error;
use std::path::Path;

/// Why no project is made, and what to do.
pub(super) type Refused = (String, Vec<String>);

/// Refuses a folder that is a project already; `help` says what to do there.
pub(super) fn refuse_project(dir: &Path, help: &str) -> Result<(), Refused> {
    match dir.join(PROJECT_FILE).exists() {
        true => Err((format!("`{}` has a qtool.yaml already", dir.display()), vec![help.to_owned()])),
        false => Ok(()),
    }
}

/// That a file could not be written.
pub(super) fn not_written(path: &str, error: &Error) -> Refused {
    (format!("cannot write `{path}`: {}", io_reason(error)), Vec::new())
}

/// Writes `qtool.yaml`, named by its folder, and what version control is to know. `root` is the folder of the data, where
/// that does not lie in the project; `rest` are further lines.
pub(super) fn write_project(dir: &Path, root: Option<&str>, rest: &str) -> Result<(), Refused> {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let name = absolute.file_name().map_or_else(|| "tools".into(), |name| name.to_string_lossy());
    let roots = root.map(|root| format!("roots: [., {}]\n", json!(root))).unwrap_or_default();
    let files = [
        (PROJECT_FILE, format!("name: {}\n{roots}{rest}", json!(name))),
        (".gitattributes", "snapshots/** text eol=lf\n".to_owned()),
        (".gitignore", "/dist/\n*.snap.new\n".to_owned()),
    ];
    for (path, text) in files {
        let file = dir.join(path);
        // The folder may be under version control already.
        if path == PROJECT_FILE || !file.exists() {
            write_atomically(&file, text.as_bytes()).map_err(|error| not_written(path, &error))?;
        }
    }
    Ok(())
}
