//! `qtool check --fix`: carries out the corrections that are certain, round by round, because a file that reads again
//! shows its next problems. What leads to a file that cannot be read, or mends nothing, is taken back, file by file.

use super::Checked;
use crate::cli::replaced_file::{CHANGED, replace_file};
use crate::cli::terminal;
use crate::cli::workspace::{Data, count};
use crate::diagnostic::fix::{Replaced, mend};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::load::io_reason;
use crate::source::{SourceFile, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// More than any file needs; a round that brings to light what the next one changes back must end.
const ROUNDS: usize = 10;

/// What was carried out.
#[derive(Default)]
pub(super) struct Fixes {
    /// The number of problems by the path of the file.
    problems: BTreeMap<String, usize>,
    /// Files that are not touched again.
    left: BTreeSet<String>,
    /// Whether a file could not be written; why was printed.
    pub(super) failed: bool,
}

/// A file that is written in a round.
struct Rewrite {
    path: String,
    before: Arc<str>,
    after: Arc<str>,
    problems: usize,
    replaced: Vec<Replaced>,
}

/// What speaks against the corrections of a file.
struct Objection {
    /// The error that they lead to.
    code: Code,
    /// Where, in the corrected file.
    line: usize,
}

impl Fixes {
    /// Mends the files of the project in a folder until there is nothing left that is certain. `checked` is the project
    /// as it is; the project as it is then is given back.
    pub(super) fn carry_out(mut checked: Checked, dir: &Path, data: Data) -> (Checked, Fixes) {
        let mut fixes = Fixes::default();
        for _ in 0..ROUNDS {
            let written = fixes.write(&checked, dir);
            if written.is_empty() {
                break;
            }
            let after = Checked::of(dir, data);
            let mut worse = Vec::new();
            for rewrite in written {
                match objection(&rewrite, &checked, &after) {
                    Some(objection) => worse.push((rewrite, objection)),
                    None => *fixes.problems.entry(rewrite.path).or_default() += rewrite.problems,
                }
            }
            checked = if worse.is_empty() {
                after
            } else {
                fixes.take_back(worse, dir);
                Checked::of(dir, data)
            };
        }
        (checked, fixes)
    }

    /// Writes every file with certain corrections.
    fn write(&mut self, checked: &Checked, dir: &Path) -> Vec<Rewrite> {
        let mut written = Vec::new();
        for mended in mend(&checked.compilation.diagnostics, &checked.sources) {
            let Some(file) = checked.sources.get(mended.file).filter(|file| !self.left.contains(&file.path)) else {
                continue;
            };
            let rewrite = Rewrite {
                path: file.path.clone(),
                before: file.text.clone(),
                after: mended.text.into(),
                problems: mended.problems,
                replaced: mended.replaced,
            };
            if self.succeeds(&rewrite, dir) {
                written.push(rewrite);
            }
        }
        written
    }

    fn take_back(&mut self, worse: Vec<(Rewrite, Objection)>, dir: &Path) {
        for (rewrite, Objection { code, line }) in worse {
            let back = Rewrite { before: rewrite.after, after: rewrite.before, ..rewrite };
            if self.succeeds(&back, dir) {
                let why = format!("its corrections lead to error[{code}] in line {line}");
                terminal::err(&format!("note: `{}` is left as it was: {why}\n", back.path));
            }
            self.left.insert(back.path);
        }
    }

    /// Writes a file. Where that fails, why is printed, and the file is left alone from then on.
    fn succeeds(&mut self, rewrite: &Rewrite, dir: &Path) -> bool {
        let result = rewrite.carry_out(dir);
        if let Err(why) = &result {
            terminal::error(&format!("cannot write `{}`: {why}", rewrite.path), &[]);
            self.left.insert(rewrite.path.clone());
            self.failed = true;
        }
        result.is_ok()
    }

    /// Says how much was done.
    pub(super) fn print(&self) {
        let problems: usize = self.problems.values().sum();
        if problems == 0 {
            terminal::err("nothing was fixed\n");
        } else {
            let files = count(self.problems.len(), "file");
            terminal::err(&format!("fixed {} in {files}\n", count(problems, "problem")));
        }
    }
}

impl Rewrite {
    /// Writes the file, if it lies in the project and still has the text that was read.
    fn carry_out(&self, dir: &Path) -> Result<(), String> {
        let reason = |error: std::io::Error| io_reason(&error);
        let target = dir.join(&self.path).canonicalize().map_err(reason)?;
        let root = dir.canonicalize().map_err(reason)?;
        if !target.starts_with(&root) {
            return Err("it is a link that leads out of the project".to_owned());
        }
        if std::fs::read(&target).map_err(reason)? != self.before.as_bytes() {
            return Err(CHANGED.to_owned());
        }
        replace_file(&target, &self.after)
    }
}

/// Why a corrected file is no better: its YAML or its statement can no longer be read (a key that was there already,
/// say), or the same is wrong with what was written. That it has more errors is no reason: a file that is read further
/// shows errors that were hidden.
fn objection(rewrite: &Rewrite, before: &Checked, after: &Checked) -> Option<Objection> {
    let path = rewrite.path.as_str();
    let is_new = |error: &Diagnostic| before.errors_in(path).all(|(known, _)| known.code != error.code);
    let is_further_back = after.is_unread(path) && !before.is_unread(path);
    let mut reasons = after.errors_in(path).filter(|(error, place)| {
        let is_unreadable = is_further_back || error.code == Code::InvalidYaml;
        (is_unreadable && is_new(error)) || rewrite.replaced.iter().any(|one| is_wrong(one, error.code, *place))
    });
    let (error, place) = reasons.next().or_else(|| after.errors_in(path).next().filter(|_| is_further_back))?;
    let line = after.sources.get(place.file).map_or(1, |file| file.location(place.start).line);
    Some(Objection { code: error.code, line })
}

/// Whether an error says of a text that was written what was to be mended by it.
fn is_wrong(replaced: &Replaced, code: Code, place: Span) -> bool {
    replaced.code == code && place.start < replaced.place.end && replaced.place.start < place.end
}

impl Checked {
    /// The errors in a file, by place.
    fn errors_in<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a Diagnostic, Span)> + 'a {
        let errors = self.compilation.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.filter_map(move |error| {
            let place = error.primary.as_ref()?.span;
            (self.sources.get(place.file)?.path == path).then_some((error, place))
        })
    }

    /// Whether it is a query file whose statement cannot be read.
    fn is_unread(&self, path: &str) -> bool {
        let is_it = |file: &SourceFile| file.path == path && self.compilation.unread.contains(&file.id);
        self.sources.iter().any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::Compilation;
    use crate::source::Sources;
    use std::collections::HashSet;

    fn rewrite(path: &str, before: &str, after: &str) -> Rewrite {
        let (path, before, after) = (path.to_owned(), before.into(), after.into());
        Rewrite { path, before, after, problems: 1, replaced: Vec::new() }
    }

    /// A project of one query file, with an error of a code at the first occurrence of a text each.
    fn checked(text: &str, errors: &[(Code, &str)], is_read: bool) -> Checked {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", text);
        let file = sources.get(id).unwrap();
        let at = |wanted: &str| {
            let start = file.text.find(wanted).unwrap();
            file.span(start, start + wanted.len())
        };
        let diagnostics: Vec<Diagnostic> =
            errors.iter().map(|(code, place)| Diagnostic::at(*code, at(place), "wrong")).collect();
        let unread = if is_read { HashSet::new() } else { HashSet::from([id]) };
        let errors = diagnostics.len();
        let compilation = Compilation {
            tools: Vec::new(),
            prompts: Vec::new(),
            offered: Vec::new(),
            no_tools: HashSet::new(),
            lineage: Default::default(),
            views: 0,
            errors,
            warnings: 0,
            diagnostics,
            unread,
        };
        Checked { name: String::new(), sources, compilation }
    }

    /// What speaks against an edit of an unknown column that wrote the bytes 7 to 12.
    fn objected(before: &Checked, after: &Checked) -> Option<(Code, usize)> {
        let replaced = vec![Replaced { code: Code::UnknownColumn, place: 7..12 }];
        let rewrite = Rewrite { replaced, ..rewrite("queries/a.sql", "", "") };
        objection(&rewrite, before, after).map(|objection| (objection.code, objection.line))
    }

    #[test]
    fn errors_that_come_to_light_are_no_reason_to_take_a_correction_back() {
        let before = checked("SELECT totl", &[(Code::UnknownColumn, "totl")], true);
        let after = [(Code::ConflictingTypes, "total"), (Code::UnknownColumn, "x"), (Code::InvalidDefault, "x")];
        assert_eq!(objected(&before, &checked("SELECT total, x", &after, true)), None);
        let before = checked("SELECT :a", &[(Code::RawPlaceholder, ":a")], false);
        let after = [(Code::SyntaxError, ")")];
        assert_eq!(objected(&before, &checked("SELECT << a >> )", &after, false)), None, "it was not read before");
    }

    #[test]
    fn a_file_that_can_no_longer_be_read_is_put_back() {
        let before = checked("SELECT totl\n, 1", &[(Code::UnknownColumn, "totl")], true);
        let after = [(Code::SyntaxError, "1")];
        let found = objected(&before, &checked("SELECT total\n, 1", &after, false));
        assert_eq!(found, Some((Code::SyntaxError, 2)));
        let after = [(Code::InvalidYaml, "total")];
        let found = objected(&before, &checked("SELECT total\n, 1", &after, true));
        assert_eq!(found, Some((Code::InvalidYaml, 1)));
    }

    #[test]
    fn a_correction_that_is_as_wrong_is_taken_back() {
        let before = checked("SELECT totl", &[(Code::UnknownColumn, "totl")], true);
        let after = [(Code::UnknownColumn, "total")];
        assert_eq!(objected(&before, &checked("SELECT total", &after, true)), Some((Code::UnknownColumn, 1)));
        let after = [(Code::AmbiguousColumn, "total")];
        assert_eq!(objected(&before, &checked("SELECT total", &after, true)), None, "another error is news");
    }

    #[test]
    fn a_file_is_written_whole_and_byte_for_byte() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sql");
        std::fs::write(&file, "\u{feff}SELECT 1\r\n").unwrap();
        rewrite("a.sql", "\u{feff}SELECT 1\r\n", "\u{feff}SELECT 2\r\n").carry_out(folder.path()).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), "\u{feff}SELECT 2\r\n".as_bytes());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_file_that_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sql");
        std::fs::write(&file, "SELECT 3").unwrap();
        rewrite("a.sql", "SELECT 1", "SELECT 2").carry_out(folder.path()).unwrap_err();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "SELECT 3");
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_a_read_only_file_is_left_alone() {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.sql");
        std::fs::write(&file, "SELECT 1").unwrap();
        let mode = |mode| std::fs::set_permissions(&file, Permissions::from_mode(mode)).unwrap();
        mode(0o640);
        rewrite("a.sql", "SELECT 1", "SELECT 2").carry_out(folder.path()).unwrap();
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        mode(0o440);
        rewrite("a.sql", "SELECT 2", "SELECT 3").carry_out(folder.path()).unwrap_err();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "SELECT 2");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_inside_of_the_project_stays_one_and_a_link_out_of_it_is_left_alone() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for dir in [&folder, &outside] {
            std::fs::write(dir.path().join("real.sql"), "SELECT 1").unwrap();
        }
        let link = folder.path().join("inside.sql");
        std::os::unix::fs::symlink("real.sql", &link).unwrap();
        rewrite("inside.sql", "SELECT 1", "SELECT 2").carry_out(folder.path()).unwrap();
        assert!(link.is_symlink());
        assert_eq!(std::fs::read_to_string(folder.path().join("real.sql")).unwrap(), "SELECT 2");

        let file = outside.path().join("real.sql");
        std::os::unix::fs::symlink(&file, folder.path().join("outside.sql")).unwrap();
        rewrite("outside.sql", "SELECT 1", "SELECT 2").carry_out(folder.path()).unwrap_err();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "SELECT 1");
    }
}
