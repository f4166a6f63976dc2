//! `qtool build`: one executable that is the server, and what is shipped beside it.

mod artefacts;
mod executable;
mod inputs;

use super::workspace::{self, Data, count, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::bundle::{self, Bundle, Manifest, contract, published, scan, sha256};
use crate::compile::Compilation;
use crate::diagnostic::Code;
use crate::load::{self, io_reason};
use crate::tool::Needs;
use crate::workspace::Workspace;
use artefacts::Artefacts;
use executable::Executable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// How much of a project's files may be embedded.
const MOST_EMBEDDED: u64 = 256 << 20;
/// How many problems of a kind are told.
const TOLD: usize = 20;

/// Build the server: one executable with the compiled project inside, and every client's format
#[derive(clap::Args)]
pub(super) struct Build {
    /// The folder to write to [default: dist, in the project]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The qtool executable that the server is a copy of, of another system or version [default: this one]
    #[arg(long, value_name = "PATH")]
    runtime: Option<PathBuf>,
    /// Write an MCPB bundle as well, which desktop hosts install
    #[arg(long)]
    mcpb: bool,
}

impl Build {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let started = Instant::now();
        let workspace = workspace::open(global, Data::MayBeReadWithoutAsking)?;
        let compilation = workspace.compile();
        if compilation.errors > 0 {
            print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
            terminal::error("a project with errors is not built", &[]);
            return Err(Outcome::Problems);
        }
        // What was a warning to its author is for others to read from now on.
        let poisoned: Vec<_> =
            compilation.diagnostics.iter().filter(|one| one.code == Code::InstructingDescription).cloned().collect();
        if !poisoned.is_empty() {
            print(&poisoned, &workspace.project.sources);
            terminal::error("texts that instruct agents or hide something are not built", &[]);
            return Err(Outcome::Problems);
        }
        let flaws = published::flaws(&compilation.tools, &compilation.prompts, &compilation.offered);
        told_problems(flaws.iter().map(ToString::to_string), &[])?;
        super::stats::within_budget(&workspace.project.file, &compilation.tools)?;
        all_accepted(&workspace, &compilation)?;
        let missing = workspace.missing_files(&compilation.tools);
        told_problems(missing.into_iter(), &["a server needs the files of its programs; see `tools/`"])?;
        let files = inputs::embedded(&workspace, &compilation.tools, MOST_EMBEDDED)?;
        let catalog = workspace.project.catalog.clone();
        let bundle = Bundle {
            manifest: Manifest {
                qtool: env!("CARGO_PKG_VERSION").to_owned(),
                contract: contract::contract_hash(&compilation.tools, &compilation.prompts, &compilation.offered),
                inputs: inputs::hashes(&workspace, &catalog, &files),
                needs: Needs::of(&compilation.tools).with_upstreams(&compilation.tools, &workspace.written),
            },
            file: workspace.written.clone(),
            tools: compilation.tools,
            prompts: compilation.prompts,
            offered: compilation.offered,
            catalog,
            files,
        };
        let bytes = bundle.write().map_err(|error| failed(&format!("the bundle cannot be written: {error}")))?;
        leaks(&workspace, &bundle.files, &bytes)?;
        let runtime = self.runtime()?;
        let out = self.out.clone().unwrap_or_else(|| workspace.dir.join("dist"));
        let (name, system) = (bundle.executable_name(), artefacts::system(&runtime));
        let executable = Executable::write(&out.join(artefacts::file_name(&name, system)), &|file| {
            bundle::write_executable(&runtime, &bytes, file)
        })?;
        drop(runtime);
        let artefacts = Artefacts::new(&bundle, system, self.mcpb.then_some(&executable))?;
        artefacts.write(&out)?;
        let size = executable.publish()? as f64 / 1e6;
        let tools = count(bundle.tools.len(), "tool");
        let version = bundle.file.version.as_deref().unwrap_or("0.0.0");
        let short: String = bundle.manifest.contract.chars().take(12).collect();
        if let Some(note) = told_needs(&bundle.manifest.needs) {
            terminal::err(&format!("note: {note}\n"));
        }
        artefacts.notes.iter().for_each(|note| terminal::err(&format!("note: {note}\n")));
        let at = out.join(artefacts::file_name(&name, system));
        terminal::err(&format!(
            "built {name} {version} in {:.1} s: {tools}, contract {short}, {size:.0} MB\n",
            started.elapsed().as_secs_f64()
        ));
        terminal::out(&format!("{}\n", at.display()));
        Ok(Outcome::Fine)
    }

    /// The bytes of the qtool that is copied.
    fn runtime(&self) -> Result<Vec<u8>, Outcome> {
        let path = match &self.runtime {
            Some(path) => path.clone(),
            None => {
                std::env::current_exe().map_err(|error| failed(&format!("where qtool is: {}", io_reason(&error))))?
            }
        };
        std::fs::read(&path)
            .map_err(|error| failed(&format!("cannot read `{}`: {}", path.display(), io_reason(&error))))
    }
}

/// Looks for what must stay on this machine, first in the files that people write, where the place can be told.
fn leaks(workspace: &Workspace, files: &BTreeMap<String, Vec<u8>>, bundle: &[u8]) -> Result<(), Outcome> {
    let dir = workspace.dir.canonicalize().unwrap_or_else(|_| workspace.dir.clone());
    let home = std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).ok();
    let folders = [dir.to_str().map(str::to_owned), home].into_iter().flatten();
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let machine = scan::Machine::of(folders, variables);
    let mut found = Vec::new();
    for source in workspace.project.sources.iter() {
        for leak in scan::scan(&source.text, &machine) {
            let place = source.location(leak.start);
            found.push(format!("{}:{}:{} holds {}", source.shown(), place.line, place.column, leak.what));
        }
    }
    if found.is_empty() {
        for (path, bytes) in files {
            let text = String::from_utf8_lossy(bytes);
            found.extend(scan::scan(&text, &machine).iter().map(|leak| format!("{path} holds {}", leak.what)));
        }
    }
    if found.is_empty() {
        // From elsewhere: a locked schema, allowed values.
        let text = String::from_utf8_lossy(bundle);
        found.extend(scan::scan(&text, &machine).iter().map(|leak| format!("what is built holds {}", leak.what)));
    }
    found.dedup();
    let helps = [
        "secrets come from the environment when the server runs: `from: env.NAME`",
        "paths are relative to the project",
    ];
    told_problems(found.into_iter(), &helps)
}

/// Refuses what other servers say and nobody has accepted.
fn all_accepted(workspace: &Workspace, compilation: &Compilation) -> Result<(), Outcome> {
    let tools = workspace.unaccepted(&compilation.tools);
    let tools = tools.iter().map(|one| format!("tool `{}`: {}", one.tool, one.reason));
    let offers = workspace.accepted_offers(compilation.offered.clone()).1;
    let offers = offers.iter().map(|what| format!("{what}: nobody has accepted it as it is"));
    told_problems(tools.chain(offers), &["`qtool review` shows what other servers say of themselves, and accepts it"])
}

/// Prints problems; an error where there are any.
fn told_problems(problems: impl Iterator<Item = String>, helps: &[&str]) -> Result<(), Outcome> {
    let problems: Vec<String> = problems.collect();
    for problem in problems.iter().take(TOLD) {
        terminal::error(problem, helps);
    }
    if problems.len() > TOLD {
        terminal::err(&format!("and {} more\n", problems.len() - TOLD));
    }
    if problems.is_empty() { Ok(()) } else { Err(Outcome::Problems) }
}

/// What the server needs where it runs, in words; `None` of nothing.
fn told_needs(needs: &Needs) -> Option<String> {
    let list = |all: &BTreeSet<String>| all.iter().cloned().collect::<Vec<_>>().join(", ");
    let mut told = Vec::new();
    if !needs.programs.is_empty() {
        told.push(format!("it runs {}, which the image of `dist/Dockerfile` has not", list(&needs.programs)));
    }
    if !needs.files.is_empty() {
        told.push(format!("it needs {} in the folder of `--data-dir`", list(&needs.files)));
    }
    if !needs.variables.is_empty() {
        told.push(format!("it reads {} of its environment", list(&needs.variables)));
    }
    (!told.is_empty()).then(|| told.join("; "))
}

/// Says why nothing was built.
fn failed(why: &str) -> Outcome {
    terminal::error(why, &[]);
    Outcome::CouldNotRun
}

/// Writes a file of `dist/`, whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Outcome> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    load::remove_left_over(path, &format!("{stem}.tmp"));
    load::write_atomically(path, bytes)
        .map_err(|error| failed(&format!("cannot write `{}`: {}", path.display(), io_reason(&error))))
}

/// The hash of a file's content.
fn hash(bytes: &[u8]) -> String {
    sha256(bytes)
}
