//! Golden files: a result as an agent reads it, kept below `snapshots/golden`.

use crate::engine::result::CallResult;
use crate::project::TableFormat;
use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};

/// Where golden files lie.
pub const GOLDEN: &str = "snapshots/golden";

/// What stands for a cursor: it is another one in every run.
const CURSOR: &str = "[cursor]";

/// The format that a golden file's name stands for; `None` where it names none, or leads out of the folder.
pub fn format(name: &str) -> Option<TableFormat> {
    let path = Path::new(name);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_))) && !name.contains('\\');
    match path.extension()?.to_str()? {
        _ if !is_below => None,
        "md" => Some(TableFormat::Markdown),
        "csv" => Some(TableFormat::Csv),
        "toon" => Some(TableFormat::Toon),
        "json" => Some(TableFormat::Structured),
        _ => None,
    }
}

/// The text that a golden file of that name holds of a result: the same for equal results.
pub fn text(name: &str, result: &CallResult) -> String {
    let mut result = result.clone();
    result.next_cursor = result.next_cursor.map(|_| CURSOR.to_owned());
    let format = format(name).unwrap_or_default();
    let mut text = match format {
        TableFormat::Structured => {
            result.format = format;
            serde_json::to_string_pretty(&result.object()).unwrap_or_default()
        }
        format => {
            result.rewrite(format);
            result.text()
        }
    };
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Where a golden file lies.
pub fn path(dir: &Path, name: &str) -> PathBuf {
    dir.join(GOLDEN).join(name)
}

/// What was accepted; `None` where nothing was. Line ends are as this project writes them.
pub fn accepted(dir: &Path, name: &str) -> Option<String> {
    std::fs::read_to_string(path(dir, name)).ok().map(|text| text.replace("\r\n", "\n"))
}

/// The golden files that no test speaks of, relative to the project.
pub fn left_over<'a>(dir: &Path, named: impl Iterator<Item = &'a str>) -> Vec<String> {
    let named: HashSet<PathBuf> = named.map(|name| path(dir, name)).collect();
    let (mut open, mut found) = (vec![(dir.join(GOLDEN), 0)], Vec::new());
    while let Some((folder, depth)) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && depth < 16 {
                open.push((path, depth + 1));
            } else if !path.is_dir() && !named.contains(&path) {
                let below = path.strip_prefix(dir).unwrap_or(&path).components();
                found.push(below.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"));
            }
        }
    }
    found.sort();
    found
}
