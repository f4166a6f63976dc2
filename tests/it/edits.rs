//! Every edit that is suggested, of every case and every page, is carried out by itself and compiled: what it is about is
//! gone, and nothing is wrong with what it wrote.

use crate::book;
use crate::cases::{self, Outcome};
use qtool::diagnostic::{Diagnostic, Edit, Severity};
use qtool::source::Sources;
use std::collections::BTreeMap;
use std::path::Path;

/// Suggestions after which something is left in the same line, with the reason: what the edit does not claim to mend.
const LEFT: [(&str, &str); 3] = [
    (
        "a_default_is_no_column",
        "a bare word as a default is a text where texts are compared, and that is known only where types are",
    ),
    ("a_reserved_name_in_the_header_is_reserved", "nothing uses the parameter, under whatever name"),
    ("reserved-name", "the header and the query are told by themselves, each with its edit"),
];

/// Tries the edits of the case that a `query.sql` belongs to.
pub(crate) fn of_case(query: &Path) -> crate::Outcome {
    let case = query.parent().ok_or("a case is a folder")?;
    let folder = tempfile::tempdir()?;
    cases::lay_out(case, folder.path())?;
    try_all(folder.path(), false, &case.file_name().unwrap_or_default().to_string_lossy())
}

/// Tries the edits of the example on a page of the book.
pub(crate) fn of_page(page: &Path) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let Some(locked) = book::lay_out(page, folder.path())? else { return Ok(()) };
    try_all(folder.path(), locked, &page.file_stem().unwrap_or_default().to_string_lossy())
}

fn try_all(dir: &Path, locked: bool, name: &str) -> crate::Outcome {
    let before = Outcome::with(dir, locked);
    let mut problems = Vec::new();
    for diagnostic in &before.diagnostics {
        for help in diagnostic.helps.iter().filter(|help| !help.edits.is_empty()) {
            let Some(file) = help.edits.first().and_then(|edit| before.sources.get(edit.span.file)) else { continue };
            let path = dir.join(&file.path);
            let written = std::fs::read(&path)?;
            let (edited, lines) = carried_out(&file.text, &help.edits);
            std::fs::write(&path, &edited)?;
            let after = Outcome::with(dir, locked);
            std::fs::write(&path, &written)?;
            let wrong = wrong(&before, &after, diagnostic, (&file.path, &lines));
            if wrong.is_empty() || LEFT.iter().any(|(known, _)| *known == name) {
                continue;
            }
            let wrong: String = wrong.iter().map(|line| format!("  {line}\n")).collect();
            problems.push(format!("`{}` of {}\n{wrong}{edited}", help.text, told(diagnostic, &before.sources)));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// The text with all edits, and the lines that they wrote into, from 1.
fn carried_out(text: &str, edits: &[Edit]) -> (String, Vec<usize>) {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort_by_key(|edit| edit.span.start);
    let (mut out, mut at, mut lines) = (String::new(), 0, Vec::new());
    for edit in edits {
        out.push_str(text.get(at..edit.span.start).unwrap_or_default());
        let first = out.matches('\n').count() + 1;
        out.push_str(&edit.replacement);
        lines.extend(first..=out.matches('\n').count() + 1);
        at = edit.span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (out, lines)
}

/// What speaks against an edit that wrote into these lines of a file.
fn wrong(before: &Outcome, after: &Outcome, of: &Diagnostic, (path, lines): (&str, &[usize])) -> Vec<String> {
    let mut wrong = Vec::new();
    let all = |outcome: &Outcome| counted(&outcome.diagnostics, &outcome.sources);
    let (was, is) = (all(before), all(after));
    let key = key(of, &before.sources);
    if is.get(&key) >= was.get(&key) {
        wrong.push(format!("it is still there: {}", key.1));
    }
    let mut old = was;
    for diagnostic in after.diagnostics.iter().filter(|one| one.severity == Severity::Error) {
        let key = self::key(diagnostic, &after.sources);
        if let Some(left) = old.get_mut(&key).filter(|left| **left > 0) {
            *left -= 1;
            continue;
        }
        // What a mistake has hidden is told behind it: of other lines.
        let is_hidden = of.severity == Severity::Error
            && !place(diagnostic, &after.sources).is_some_and(|place| place.0 == path && lines.contains(&place.1));
        if !is_hidden {
            wrong.push(format!("new: {}", told(diagnostic, &after.sources)));
        }
    }
    wrong
}

type Key = (&'static str, String, String);

fn key(diagnostic: &Diagnostic, sources: &Sources) -> Key {
    let path = place(diagnostic, sources).map(|(path, _)| path).unwrap_or_default();
    (diagnostic.code.as_str(), diagnostic.message.clone(), path)
}

fn counted(diagnostics: &[Diagnostic], sources: &Sources) -> BTreeMap<Key, usize> {
    let mut all = BTreeMap::new();
    diagnostics.iter().for_each(|one| *all.entry(key(one, sources)).or_default() += 1);
    all
}

fn place(diagnostic: &Diagnostic, sources: &Sources) -> Option<(String, usize)> {
    let span = diagnostic.primary.as_ref()?.span;
    let file = sources.get(span.file)?;
    Some((file.path.clone(), file.location(span.start).line))
}

fn told(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let (path, line) = place(diagnostic, sources).unwrap_or_default();
    format!("{path}:{line}: [{}] {}", diagnostic.code, diagnostic.message)
}
