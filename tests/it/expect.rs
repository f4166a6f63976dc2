//! Expected files: compared, or rewritten where `UPDATE_EXPECT` is set.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// Whether expected files are rewritten instead of compared.
pub(crate) fn update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares what a case produced, by file name, with the `expected.*` files of its folder. A file that is missing,
/// left over or different is an error.
pub(crate) fn compare(dir: &Path, produced: &BTreeMap<String, String>) -> Result<(), String> {
    let mut problems = Vec::new();
    for (name, text) in produced {
        let text = &without_cursors(text);
        let path = dir.join(name);
        let expected = std::fs::read_to_string(&path).ok();
        if expected.as_deref() == Some(text.as_str()) {
            continue;
        }
        if update() {
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        } else {
            problems.push(match expected {
                Some(expected) => format!("{} differs:\n{}", path.display(), difference(&expected, text)),
                None => format!("{} is missing; it would be:\n{text}", path.display()),
            });
        }
    }
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("expected.") && !produced.contains_key(&name) {
            if update() {
                std::fs::remove_file(entry.path()).map_err(|error| error.to_string())?;
            } else {
                problems.push(format!("{} is left over: the case no longer produces it", entry.path().display()));
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// A text in which the cursors of pages, which are new in every run, all look alike.
pub(crate) fn without_cursors(text: &str) -> String {
    static CURSOR: LazyLock<regex::Regex> =
        LazyLock::new(|| regex::Regex::new(r#"(next_cursor\\?"?: ?\\?"?)[A-Za-z0-9_-]{30,}"#).unwrap());
    CURSOR.replace_all(text, "${1}[cursor]").into_owned()
}

/// The lines that differ, in order.
fn difference(expected: &str, found: &str) -> String {
    let mut out = String::new();
    for change in similar::TextDiff::from_lines(expected, found).iter_all_changes() {
        let sign = match change.tag() {
            similar::ChangeTag::Delete => '-',
            similar::ChangeTag::Insert => '+',
            similar::ChangeTag::Equal => ' ',
        };
        out.push(sign);
        out.push_str(change.value());
    }
    out
}
