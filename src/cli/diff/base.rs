//! What tools are compared with: what was accepted, a revision, a folder, or a built server.

use crate::bundle::{Bundle, BundleError, of_executable};
use crate::cli::review::pending::{FOLDER, Snapshots};
use crate::cli::workspace::{self, Data};
use crate::cli::{Outcome, terminal};
use crate::load::{PROJECT_FILE, io_reason};
use crate::project::ProjectFile;
use crate::review::snapshot;
use crate::tool::Tool;
use std::path::Path;
use std::process::Command;

const RESTORE: &str = "take the file from where it was whole, e.g. `git checkout -- snapshots/tools`";

/// The tools of the other side, and the version that they had.
pub(super) struct Base {
    pub(super) tools: Vec<Tool>,
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
    for (name, why) in &unread {
        let help = format!("`qtool review {name}` shows the tool as it compiles, and writes it anew");
        terminal::error(&format!("{FOLDER}/{name}.snap cannot be read: {why}"), &[RESTORE, help.as_str()]);
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
    Ok(Base { tools: snapshots.tools(), version })
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
    Ok(Base { tools: compilation.tools, version: workspace.project.file.version })
}

fn built(path: &Path) -> Result<Base, Outcome> {
    let read = std::fs::read(path).map_err(|error| BundleError::Executable(io_reason(&error)));
    let Bundle { tools, file, .. } = read
        .and_then(|bytes| of_executable(&bytes))
        .map_err(|error| refuse(&format!("`{}` is no server that qtool built: {error}", path.display()), &[]))?;
    Ok(Base { tools, version: file.version })
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
    let listed = git(project, &["ls-tree", "--name-only", "-z", &commit, &format!("{FOLDER}/")]).unwrap_or_default();
    let mut tools = Vec::new();
    for path in listed.split('\0').filter(|path| path.ends_with(".snap")) {
        let text = git(project, &["show", &format!("{commit}:./{path}")]).unwrap_or_default();
        let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_prefix('/')?.strip_suffix(".snap"));
        let tool = snapshot::read_named(name.unwrap_or_default(), &text)
            .map_err(|why| refuse(&format!("{path} of {revision} cannot be read: {why}"), &[]))?;
        tools.push(tool);
    }
    if tools.is_empty() {
        return Err(refuse(
            &format!("{revision} has no accepted snapshots in {FOLDER}"),
            &["`qtool review --accept` makes them"],
        ));
    }
    let version = git(project, &["show", &format!("{commit}:./{PROJECT_FILE}")]).and_then(|yaml| version(&yaml));
    Ok(Base { tools, version })
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
