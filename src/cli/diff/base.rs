//! What tools are compared with: what was accepted, a revision, a folder, or a built server.

use crate::bundle::{Bundle, BundleError, of_executable};
use crate::cli::review::pending::{FOLDER, OFFERS, Snapshots};
use crate::cli::workspace::{self, Data};
use crate::cli::{Outcome, terminal};
use crate::load::{PROJECT_FILE, io_reason};
use crate::project::ProjectFile;
use crate::review::{Contract, offered_snapshot, snapshot};
use std::path::Path;
use std::process::Command;

const RESTORE: &str = "take the file from where it was whole, e.g. `git checkout -- snapshots/tools`";

/// What the other side offers, and the version that it had.
pub(super) struct Base {
    pub(super) contract: Contract,
    pub(super) version: Option<String>,
}

impl Base {
    /// Reads it; why that cannot be is printed.
    pub(super) fn read(written: Option<&str>, project: &Path) -> Result<Base, Outcome> {
        match written {
            None => accepted(project),
            Some(written) if Path::new(written).is_dir() => folder(Path::new(written)),
            Some(written) if Path::new(written).is_file() => built(Path::new(written)),
            Some(written) => revision(written, project),
        }
    }
}

fn refuse(why: &str, helps: &[&str]) -> Outcome {
    terminal::error(why, helps);
    Outcome::CouldNotRun
}

/// What was accepted in this folder; the version is that of the last commit, where there is one.
fn accepted(project: &Path) -> Result<Base, Outcome> {
    let snapshots = Snapshots::read(project)
        .map_err(|error| refuse(&format!("{FOLDER} cannot be read: {}", io_reason(&error)), &[]))?;
    // A tool whose snapshot is damaged is no new one: what protected it before would be gone without a word.
    let unread = snapshots.unread();
    for (folder, name, why) in &unread {
        let help = format!("`qtool review {name}` shows it as it compiles, and writes it anew");
        terminal::error(&format!("{folder}/{name}.snap cannot be read: {why}"), &[RESTORE, help.as_str()]);
    }
    if !unread.is_empty() {
        return Err(Outcome::CouldNotRun);
    }
    if snapshots.is_empty() {
        let helps =
            ["`qtool review --accept` takes the tools as they are", "`--base` names something else to compare with"];
        return Err(refuse("nothing was accepted yet", &helps));
    }
    let version = git(project, &["show", &format!("HEAD:./{PROJECT_FILE}")]).and_then(|yaml| version(&yaml));
    Ok(Base { contract: Contract { tools: snapshots.tools(), offered: snapshots.offered() }, version })
}

fn folder(dir: &Path) -> Result<Base, Outcome> {
    if !dir.join(PROJECT_FILE).is_file() {
        return Err(refuse(&format!("`{}` has no {PROJECT_FILE}", dir.display()), &[]));
    }
    let workspace = workspace::load(dir, Data::Untouched).map_err(|failed| {
        workspace::print(&failed.diagnostics.into_sorted(), &failed.sources);
        Outcome::Problems
    })?;
    let compilation = workspace.compile();
    if compilation.errors > 0 {
        workspace::print(&workspace::errors_only(&compilation.diagnostics), &workspace.project.sources);
        return Err(refuse(&format!("the project in `{}` has errors", dir.display()), &[]));
    }
    let contract = Contract { tools: compilation.tools, offered: compilation.offered };
    Ok(Base { contract, version: workspace.project.file.version })
}

fn built(path: &Path) -> Result<Base, Outcome> {
    let read = std::fs::read(path).map_err(|error| BundleError::Executable(io_reason(&error)));
    let Bundle { tools, offered, file, .. } = read
        .and_then(|bytes| of_executable(&bytes))
        .map_err(|error| refuse(&format!("`{}` is no server that qtool built: {error}", path.display()), &[]))?;
    Ok(Base { contract: Contract { tools, offered }, version: file.version })
}

/// The accepted snapshots of a revision of git.
fn revision(revision: &str, project: &Path) -> Result<Base, Outcome> {
    // What begins with a hyphen would be an option.
    let is_plain = !revision.starts_with('-') && !revision.contains([':', '\n', '\0']);
    let commit =
        git(project, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")]);
    let Some(commit) = commit.filter(|_| is_plain).map(|commit| commit.trim().to_owned()) else {
        let helps = ["a base is a revision of git, a project's folder, or a built server"];
        return Err(refuse(&format!("there is no `{revision}` to compare with"), &helps));
    };
    let unreadable =
        |path: &str, why: &snapshot::Unread| refuse(&format!("{path} of {revision} cannot be read: {why}"), &[]);
    let mut tools = Vec::new();
    for (path, name, text) in kept(project, &commit, FOLDER) {
        tools.push(snapshot::read_named(&name, &text).map_err(|why| unreadable(&path, &why))?);
    }
    let mut offered = Vec::new();
    for (path, name, text) in kept(project, &commit, OFFERS) {
        offered.push(offered_snapshot::read_named(&name, &text).map_err(|why| unreadable(&path, &why))?);
    }
    if tools.is_empty() && offered.is_empty() {
        return Err(refuse(
            &format!("{revision} has no accepted snapshots in {FOLDER}"),
            &["`qtool review --accept` makes them"],
        ));
    }
    let version = git(project, &["show", &format!("{commit}:./{PROJECT_FILE}")]).and_then(|yaml| version(&yaml));
    Ok(Base { contract: Contract { tools, offered }, version })
}

/// The snapshots of a folder in a commit: their paths, what they are of, and their texts.
fn kept(project: &Path, commit: &str, folder: &str) -> Vec<(String, String, String)> {
    let listed = git(project, &["ls-tree", "--name-only", "-z", commit, &format!("{folder}/")]).unwrap_or_default();
    let paths = listed.split('\0').filter(|path| path.ends_with(".snap"));
    let read = paths.map(|path| {
        let text = git(project, &["show", &format!("{commit}:./{path}")]).unwrap_or_default();
        let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/')?.strip_suffix(".snap"));
        (path.to_owned(), name.unwrap_or_default().to_owned(), text)
    });
    read.collect()
}

/// What git says; `None` where it fails, or there is none.
fn git(dir: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(dir).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

/// The version in the text of a qtool.yaml.
fn version(yaml: &str) -> Option<String> {
    serde_yaml::from_str::<ProjectFile>(yaml).ok()?.version
}
