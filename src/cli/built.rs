//! The command line of a server that was built: it speaks of its own project, and needs no file of it.

use super::install::{Install, Launch, this_executable};
use super::workspace::{block_on, count};
use super::{Colour, Outcome, call, ended, list, said_by_clap, serve, show, terminal};
use crate::bundle::{Bundle, Manifest};
use crate::engine::keep_connections_here;
use crate::package;
use crate::project::ProjectFile;
use crate::tool::Tool;
use crate::workspace::{Application, Opened};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// The environment variable that says where the tables are.
const DATA_DIR: &str = "QTOOL_DATA_DIR";
/// How many tools `--help` names.
const NAMED: usize = 30;

#[derive(Parser)]
#[command(max_term_width = 100, arg_required_else_help = true, subcommand_required = true)]
struct Arguments {
    /// The folder that the paths of tables are relative to [default: $QTOOL_DATA_DIR, else this one]
    #[arg(long, value_name = "DIR", global = true)]
    data_dir: Option<PathBuf>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    color: Colour,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    Call(call::Call),
    Serve(Serve),
    Install(Install),
}

/// Serve the tools over MCP, on standard input and output or over HTTP
#[derive(clap::Args)]
struct Serve {
    #[command(flatten)]
    options: serve::Options,
    /// Do not start where the data no longer fits a tool; without it, that tool alone is out of service
    #[arg(long)]
    strict: bool,
}

/// Runs the server's command line.
pub(super) fn run(bundle: Bundle, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let read = |arguments| Arguments::from_arg_matches(&command(&bundle).try_get_matches_from(arguments)?);
    let arguments = match read(arguments.into_iter().collect::<Vec<_>>()) {
        Ok(arguments) => arguments,
        Err(error) => {
            return said_by_clap(&error);
        }
    };
    terminal::set_colour(arguments.color.into());
    let from_environment = || std::env::var_os(DATA_DIR).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let given = arguments.data_dir.or_else(from_environment);
    if let Some(dir) = given.as_deref().filter(|dir| !dir.is_dir()) {
        terminal::error(&format!("`{}` is no folder", dir.display()), &["`--data-dir` says where the tables are"]);
        return Outcome::CouldNotRun.into();
    }
    let written = bundle.file.clone();
    let dir = given.clone().unwrap_or_else(|| PathBuf::from("."));
    let application = match Application::of_bundle(bundle, dir, &|name| std::env::var(name).ok()) {
        Ok(application) => application,
        Err(flaws) => {
            for flaw in flaws {
                let helps: Vec<&str> = flaw.help.iter().map(String::as_str).collect();
                terminal::error(&format!("this server cannot start: {}: {}", flaw.at.join("."), flaw.why), &helps);
            }
            return Outcome::CouldNotRun.into();
        }
    };
    let outcome = match arguments.command {
        Command::List(list) => list.run_in(&application.tools),
        Command::Show(show) => show.run_in(&application),
        Command::Call(call) => call.run_in(application),
        Command::Serve(serve) => serve.run(application),
        Command::Install(install) => match launch(&application, &written, given) {
            Ok(launch) => install.run_for(launch),
            Err(outcome) => outcome,
        },
    };
    ended(outcome)
}

/// The command line with the project's name, version and tools in it.
fn command(bundle: &Bundle) -> clap::Command {
    let Manifest { qtool, contract, .. } = &bundle.manifest;
    let version = bundle.file.version.as_deref().unwrap_or("0.0.0");
    let command = Arguments::command()
        .name(bundle.executable_name())
        .version(format!("{version}\ncontract {contract}\nqtool {qtool}"))
        .after_help(tools(&bundle.tools));
    match &bundle.file.description {
        Some(description) => command.about(description.trim().to_owned()),
        None => command.about(format!("Serves the tools of {}", bundle.file.name)),
    }
}

/// The tools in lines of `--help`.
fn tools(tools: &[Tool]) -> String {
    let widest = tools.iter().take(NAMED).map(|tool| tool.contract.name.len()).max().unwrap_or(0);
    let line = |tool: &Tool| {
        let said = tool.contract.description.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
        format!("  {:widest$}  {}", tool.contract.name, list::shortened(said, 76usize.saturating_sub(widest).max(20)))
            .trim_end()
            .to_owned()
    };
    let mut lines: Vec<String> = tools.iter().take(NAMED).map(line).collect();
    lines.insert(0, "Tools:".to_owned());
    if tools.len() > NAMED {
        lines.push(format!("  and {} more: see `list`", tools.len() - NAMED));
    }
    lines.join("\n")
}

/// How a client starts this executable.
fn launch(application: &Application, written: &ProjectFile, data_dir: Option<PathBuf>) -> Result<Launch, Outcome> {
    let mut arguments = vec!["serve".to_owned()];
    if application.needs_data() {
        let dir = data_dir.unwrap_or_else(|| PathBuf::from("."));
        let dir = dir.canonicalize().ok().and_then(|dir| dir.to_str().map(str::to_owned)).ok_or_else(|| {
            terminal::error("the folder of the data has no name that a configuration can hold", &[]);
            Outcome::CouldNotRun
        })?;
        arguments.extend(["--data-dir".to_owned(), dir]);
    }
    Ok(Launch {
        name: application.file.name.clone(),
        folder: PathBuf::from("."),
        command: this_executable()?,
        arguments,
        secrets: package::secrets(written, &application.tools),
    })
}

impl Serve {
    fn run(self, application: Application) -> Outcome {
        self.options.log_to_stderr();
        let access = match self.options.access(&application) {
            Ok(access) => access,
            Err(outcome) => return outcome,
        };
        let served = block_on(async move {
            keep_connections_here();
            let Opened { engine, quarantined, notes } = application.open(&application.tools).await;
            for note in &notes {
                tracing::warn!("{note}");
            }
            serve::tell_quarantined(&quarantined);
            if self.strict && !quarantined.is_empty() {
                let number = count(quarantined.len(), "tool");
                terminal::error(&format!("the data does not fit {number}, and --strict is given"), &[]);
                return Err(Outcome::Problems);
            }
            self.options.serve(application, engine, quarantined, access, |_| Ok(())).await
        });
        match served {
            Some(Ok(())) => Outcome::Fine,
            Some(Err(outcome)) => outcome,
            None => Outcome::CouldNotRun,
        }
    }
}
