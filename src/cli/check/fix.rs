//! `qtool check --fix`: carries out the corrections that are certain, round by round, because a file that reads again
//! shows its next problems. What is no improvement is taken back, file by file.

use super::Checked;
use crate::cli::terminal;
use crate::cli::workspace::{Data, count};
use crate::diagnostic::fix::mend;
use crate::diagnostic::{Code, Severity};
use crate::load::io_reason;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Permissions};
use std::io::Write;
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
            let (worse, better): (Vec<Rewrite>, Vec<Rewrite>) =
                written.into_iter().partition(|rewrite| is_worse(&rewrite.path, &checked, &after));
            for rewrite in better {
                *fixes.problems.entry(rewrite.path).or_default() += rewrite.problems;
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
            };
            if self.succeeds(&rewrite, dir) {
                written.push(rewrite);
            }
        }
        written
    }

    fn take_back(&mut self, worse: Vec<Rewrite>, dir: &Path) {
        for rewrite in worse {
            let back = Rewrite { before: rewrite.after, after: rewrite.before, ..rewrite };
            if self.succeeds(&back, dir) {
                let why = "its corrections would lead to other errors";
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
            return Err("it has changed in the meantime".to_owned());
        }
        let permissions = std::fs::metadata(&target).map_err(reason)?.permissions();
        if permissions.readonly() {
            return Err("it is read-only".to_owned());
        }
        write_whole(&target, &self.after, permissions).map_err(reason)
    }
}

/// Writes beside the file and renames, so that it is never half there.
fn write_whole(target: &Path, text: &str, permissions: Permissions) -> std::io::Result<()> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let beside = target.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let mut file = File::create_new(&beside)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    drop(file);
    let moved = written
        .and_then(|()| std::fs::set_permissions(&beside, permissions))
        .and_then(|()| std::fs::rename(&beside, target));
    if moved.is_err() {
        // The error to tell is the first one.
        let _ = std::fs::remove_file(&beside);
    }
    moved
}

/// Whether a file has more errors than before, or YAML that cannot be read any more (a key that was there already, say).
fn is_worse(path: &str, before: &Checked, after: &Checked) -> bool {
    if !before.is_loaded && after.is_loaded {
        // There is more to be said of a project that can be loaded.
        return false;
    }
    let (before, after) = (errors_in(path, before), errors_in(path, after));
    after.len() > before.len() || (after.contains(&Code::InvalidYaml) && !before.contains(&Code::InvalidYaml))
}

fn errors_in(path: &str, checked: &Checked) -> Vec<Code> {
    let errors = checked.compilation.diagnostics.iter().filter(|diagnostic| {
        let file = diagnostic.primary.as_ref().and_then(|label| checked.sources.get(label.span.file));
        diagnostic.severity == Severity::Error && file.is_some_and(|file| file.path == path)
    });
    errors.map(|diagnostic| diagnostic.code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(path: &str, before: &str, after: &str) -> Rewrite {
        Rewrite { path: path.to_owned(), before: before.into(), after: after.into(), problems: 1 }
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
