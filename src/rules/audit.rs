//! The record of calls has a file of its own: each line is appended to it.
//!
//! Bad: `audit: { to: data/orders.csv }` where a table is read from `data/orders.csv` or `data/`.
//!
//! Paths are compared as they are written: where links lead is not known here.

use crate::diagnostic::{Diagnostics, codes};
use crate::name::nearest;
use crate::project::{AuditTarget, Project, SourceConfig, TableSource};
use std::collections::BTreeSet;

/// The folders of a project that are read.
const FOLDERS: [&str; 4] = ["queries", "prompts", "evals", "snapshots"];

/// What the files of SQLite beside a database have behind its name.
const JOURNALS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A file that is suggested.
const OWN: &str = "logs/audit.jsonl";

/// Says what the record would be written into.
pub(super) fn check(project: &Project, sink: &mut Diagnostics) {
    let Some(AuditTarget::File(path)) = project.file.audit.as_ref().map(|audit| &audit.to) else { return };
    if let Some((why, meant)) = stream(path) {
        let diagnostic = codes::invalid_setting(project.document.value_span(&["audit", "to"]), why);
        sink.push(codes::meant(diagnostic, path, meant));
        return;
    }
    let Some(what) = damaged(path, project) else { return };
    let place = project.document.value_span(&["audit", "to"]);
    let why = format!("the record of calls would be written into {what}, and needs a file of its own");
    let diagnostic = codes::invalid_setting(place, &why);
    sink.push(match damaged(OWN, project) {
        None => diagnostic.fix("write it beside what is read", place, OWN),
        Some(_) => diagnostic.help("name a file that nothing is read from"),
    });
}

/// What is wrong with a path that is nearly the name of a stream, and what is meant where that is certain. Who means a
/// file of that name writes `./stdout`.
fn stream(path: &str) -> Option<(&'static str, Option<&'static str>)> {
    let word = path.trim().to_lowercase();
    match word.as_str() {
        "stderr" | "standard error" | "&2" | "/dev/stderr" => {
            Some(("standard error is written `stderr`", Some("stderr")))
        }
        "stdout" | "standard output" | "&1" | "/dev/stdout" | "-" => {
            Some(("standard output belongs to the protocol: the record goes to `stderr` or to a file", None))
        }
        "stdin" | "/dev/stdin" => Some(("nothing is written to standard input", None)),
        "" => Some(("the path of a file has a name in it", None)),
        word if !word.contains(['/', '.']) && nearest(word, ["stderr"]).is_some() => {
            Some(("standard error is written `stderr`; a file has an ending", Some("stderr")))
        }
        _ => None,
    }
}

/// What is read from a path, in words.
fn damaged(path: &str, project: &Project) -> Option<String> {
    let path = normal(path);
    let parts: Vec<&str> = path.split('/').collect();
    // A URL leads elsewhere.
    let is_read = |source: &TableSource| source.local_path().is_some_and(|path| holds(&normal(path), &parts));
    let table = project.file.tables.iter().find(|(_, source)| is_read(source));
    if let Some((name, _)) = table {
        return Some(format!("the data of table `{name}`"));
    }
    let is_database = |source: &SourceConfig| {
        let file = JOURNALS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(&path);
        source.local_path().is_some_and(|path| normal(path) == file)
    };
    if let Some((name, _)) = project.file.sources.iter().find(|(_, source)| is_database(source)) {
        return Some(format!("the database `{name}`"));
    }
    if project.sources.iter().any(|file| normal(&file.path) == path) || path == "qtool.yaml" {
        return Some(format!("the project's file `{path}`"));
    }
    let folder = FOLDERS.iter().find(|folder| parts.first() == Some(*folder));
    folder.map(|folder| format!("the project's folder `{folder}`"))
}

/// Whether a table's path is that of the file, of a folder that it lies in, or a pattern that it matches.
fn holds(table: &str, file: &[&str]) -> bool {
    if table.is_empty() {
        return !file.first().is_some_and(|first| first.is_empty() || *first == "..");
    }
    let table: Vec<&str> = table.split('/').collect();
    matches(&table, file)
}

/// Whether a pattern, part by part, is a path or a folder above it.
fn matches(table: &[&str], file: &[&str]) -> bool {
    let any = |at: usize| table.get(at) == Some(&"**");
    // Where in the pattern the path may have come to: `**` may be nothing.
    let mut at = BTreeSet::from([0]);
    for name in file.iter().map(Some).chain([None]) {
        for part in 0..table.len() {
            if any(part) && at.contains(&part) {
                at.insert(part + 1);
            }
        }
        if at.contains(&table.len()) {
            return true;
        }
        let Some(name) = name else { break };
        let fits = |part: usize| table.get(part).is_some_and(|part| fits(part, name));
        at = at
            .into_iter()
            .filter_map(|part| if any(part) { Some(part) } else { fits(part).then_some(part + 1) })
            .collect();
    }
    false
}

/// Whether one name fits one part of a pattern. What else a pattern may hold is taken to fit anything.
fn fits(part: &str, name: &str) -> bool {
    if part == name || part.contains(['[', '{', '?']) {
        return true;
    }
    let Some((begin, rest)) = part.split_once('*') else { return false };
    let Some(mut left) = name.strip_prefix(begin) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some((_, behind)) = left.split_once(piece) else { return false };
        left = behind;
    }
    left.ends_with(end)
}

/// A path without `.`, `..` and doubled slashes, as far as its text tells.
fn normal(path: &str) -> String {
    let path = path.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_table_is_read_from_is_seen() {
        let is_read = |table: &str, file: &str| {
            let file = normal(file);
            holds(&normal(table), &file.split('/').collect::<Vec<_>>())
        };
        for (table, file) in [
            ("data/a.csv", "./data/a.csv"),
            ("data/a.csv", "logs/../data/a.csv"),
            ("data", "data/audit.jsonl"),
            ("data/", "data/x/audit.jsonl"),
            ("data/*.ndjson", "data/audit.ndjson"),
            ("data/**/*.ndjson", "data/a/b/audit.ndjson"),
            ("data/**/*.ndjson", "data/audit.ndjson"),
            ("data/a*b*.csv", "data/a1b2.csv"),
            ("/srv/data", "/srv/data/a"),
            (".", "audit.jsonl"),
        ] {
            assert!(is_read(table, file), "{table} {file}");
        }
        for (table, file) in [
            ("data/a.csv", "data/b.csv"),
            ("data/a.csv", "a.csv"),
            ("data", "data2/audit.jsonl"),
            ("data/*.csv", "data/audit.jsonl"),
            ("data/*.csv", "audit.csv"),
            (".", "../audit.jsonl"),
            (".", "/var/log/audit.jsonl"),
            ("data/x/a.csv", "data"),
        ] {
            assert!(!is_read(table, file), "{table} {file}");
        }
    }
}
