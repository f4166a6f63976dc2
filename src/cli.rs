//! The command line: one file per subcommand, each its arguments and a `run`.
//!
//! Exit codes: 0 fine, 1 problems found, 2 could not run, 130 ended by Ctrl-C at a question.

mod add;
mod aligned;
mod application;
mod build;
mod built;
mod call;
mod check;
mod completions;
mod describe;
mod diff;
mod draft;
mod drift;
mod emit;
mod eval;
mod explain;
mod import;
mod install;
mod list;
mod lock;
mod new;
mod policies;
mod promote;
mod question;
mod records;
mod replaced_file;
mod review;
mod saved;
mod schema;
mod serve;
mod show;
mod sql;
mod stats;
mod stored_records;
mod terminal;
mod test;
mod typed;
mod workspace;

use crate::bundle;
use clap::{Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compiles SQL files with typed placeholders into tools for agents
#[derive(Parser)]
#[command(name = "qtool", version, max_term_width = 100, arg_required_else_help = true, subcommand_required = true)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(clap::Args)]
pub(crate) struct Global {
    /// The project's folder [default: the nearest with a qtool.yaml, this one or above]
    #[arg(long, short = 'C', value_name = "DIR", global = true)]
    project: Option<PathBuf>,
    /// The environment of qtool.yaml whose overrides hold
    #[arg(long, value_name = "NAME", global = true)]
    env: Option<String>,
    /// When to use colours
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto")]
    color: Colour,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

impl From<Colour> for anstream::ColorChoice {
    fn from(colour: Colour) -> anstream::ColorChoice {
        match colour {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        }
    }
}

#[derive(Subcommand)]
enum Command {
    New(new::New),
    Add(add::Add),
    Import(import::Import),
    Check(check::Check),
    List(list::List),
    Show(show::Show),
    Call(call::Call),
    Serve(serve::Serve),
    Build(build::Build),
    Emit(emit::Emit),
    Stats(stats::Stats),
    Install(install::Install),
    Review(review::Review),
    Diff(diff::Diff),
    Drift(drift::Drift),
    Test(test::Test),
    Eval(eval::EvalCommand),
    Lock(lock::Lock),
    Describe(describe::Describe),
    Sql(sql::Sql),
    Promote(promote::Promote),
    Policies(policies::Policies),
    Records(records::RecordsCommand),
    Explain(explain::Explain),
    Schema(schema::Schema),
    Completions(completions::Completions),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Fine,
    /// The project, or the call, has problems; they were printed.
    Problems,
    /// The command could not do its work; why was printed.
    CouldNotRun,
    /// The person ended it; the exit code that says so.
    Ended(u8),
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Problems => 1,
            Outcome::CouldNotRun => 2,
            Outcome::Ended(code) => code,
        })
    }
}

/// Runs the program with its arguments, the program's name first: qtool, or the server that the executable holds.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match bundle::embedded() {
        Ok(None) => run_qtool(arguments),
        Ok(Some(bundle)) => built::run(bundle, arguments),
        Err(error) => {
            terminal::error(&format!("this server cannot start: {error}"), &["build it again, or copy it again"]);
            Outcome::CouldNotRun.into()
        }
    }
}

fn run_qtool(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            return said_by_clap(&error);
        }
    };
    let global = &arguments.global;
    terminal::set_colour(global.color.into());
    if let Some(environment) = &global.env {
        crate::load::choose_environment(environment);
    }
    let outcome = match arguments.command {
        Command::New(command) => command.run(),
        Command::Add(command) => command.run(global),
        Command::Check(command) => command.run(global),
        Command::List(command) => command.run(global),
        Command::Show(command) => command.run(global),
        Command::Call(command) => command.run(global),
        Command::Serve(command) => command.run(global),
        Command::Describe(command) => command.run(global),
        Command::Sql(command) => command.run(global),
        Command::Promote(command) => command.run(global),
        Command::Policies(command) => command.run(global),
        Command::Records(command) => command.run(global),
        Command::Explain(command) => command.run(),
        Command::Import(command) => command.run(global),
        Command::Build(command) => command.run(global),
        Command::Diff(command) => command.run(global),
        Command::Drift(command) => command.run(global),
        Command::Review(command) => command.run(global),
        Command::Emit(command) => command.run(global),
        Command::Test(command) => command.run(global),
        Command::Eval(command) => command.run(global),
        Command::Install(command) => command.run(global),
        Command::Stats(command) => command.run(global),
        Command::Lock(command) => command.run(global),
        Command::Schema(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    ended(outcome)
}

/// Says what clap has to say of the arguments, and how the command ended by that.
fn said_by_clap(error: &clap::Error) -> ExitCode {
    terminal::usage(error);
    ended(if error.use_stderr() { Outcome::CouldNotRun } else { Outcome::Fine })
}

/// The exit code of a command that ended so, and whose output may have been lost.
fn ended(outcome: Outcome) -> ExitCode {
    match outcome {
        Outcome::Fine | Outcome::Problems if terminal::is_output_lost() => Outcome::CouldNotRun.into(),
        outcome => outcome.into(),
    }
}

/// The whole command line, for shell completions.
fn command() -> clap::Command {
    <Arguments as clap::CommandFactory>::command()
}
