//! `qtool install`: puts the server into the configuration of an MCP client, shows the difference first, and keeps the rest
//! of the file.

mod diff;
mod file;

use super::workspace::{self, Data};
use super::{Global, Outcome, question, terminal};
use crate::load;
use crate::name::snake_case;
use crate::package::clients::{self, Client, Scope};
use crate::package::{self, Secret, System};
use clap::ValueEnum;
use file::ConfigFile;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// This program, as it is found in PATH.
const PROGRAM: &str = "qtool";
/// The longest name of a server in a client: names of tools are shown behind it.
const MAX_NAME: usize = 64;

/// Put the server into the configuration of an MCP client
#[derive(clap::Args)]
pub(crate) struct Install {
    /// The client
    client: ClientName,
    /// Whom it is for
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    scope: ScopeName,
    /// The server's name in the client [default: the project's]
    #[arg(long, value_name = "NAME", value_parser = server_name)]
    name: Option<String>,
    /// The executable that the client starts: qtool, or a server that was built [default: this one]
    #[arg(long, value_name = "PATH", conflicts_with = "remove")]
    command: Option<PathBuf>,
    /// Take the server out of the configuration
    #[arg(long)]
    remove: bool,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Write without asking
    #[arg(long, short)]
    yes: bool,
    /// What `serve` is given
    #[arg(value_name = "ARGUMENT", last = true, conflicts_with = "remove")]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ClientName {
    /// Claude Desktop
    ClaudeDesktop,
    /// Claude Code
    ClaudeCode,
    /// Visual Studio Code
    #[value(name = "vscode", alias = "vs-code")]
    VsCode,
    /// Cursor
    Cursor,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScopeName {
    /// You, in all that you open
    User,
    /// Everybody who opens this project: the file lies in it
    Project,
}

/// A server as a client is to start it.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The project's name: any text.
    pub(crate) name: String,
    /// The folder that a configuration for the project lies in.
    pub(crate) folder: PathBuf,
    /// The executable.
    pub(crate) command: String,
    /// What it is started with.
    pub(crate) arguments: Vec<String>,
    /// The environment variables that it needs.
    pub(crate) secrets: Vec<Secret>,
}

impl Install {
    /// Installs this program with the project that it finds.
    pub(crate) fn run(self, global: &Global) -> Outcome {
        let launch = workspace::find(global).and_then(|dir| self.launch(&dir));
        launch.and_then(|launch| self.carry_out(launch)).unwrap_or_else(|outcome| outcome)
    }

    /// Installs a server that is an executable of its own.
    pub(crate) fn run_for(self, launch: Launch) -> Outcome {
        self.carry_out(launch).unwrap_or_else(|outcome| outcome)
    }

    /// How a client starts this program for a project. A file that others get has no paths of this machine in it.
    fn launch(&self, dir: &Path) -> Result<Launch, Outcome> {
        let workspace = workspace::load(dir, Data::Untouched).map_err(|failed| {
            workspace::print(&failed.diagnostics.into_sorted(), &failed.sources);
            Outcome::Problems
        })?;
        let folder = dir.canonicalize().map_err(|error| {
            terminal::error(&format!("cannot use `{}`: {}", dir.display(), load::io_reason(&error)), &[]);
            Outcome::CouldNotRun
        })?;
        let file = &workspace.project.file;
        let secrets = package::secrets(&workspace.written, &workspace.compile().tools);
        let command = match self.scope {
            ScopeName::Project => PROGRAM.to_owned(),
            ScopeName::User => this_executable()?,
        };
        let project = match self.scope {
            _ if self.is_of_its_own() => None,
            ScopeName::Project => Client::from(self.client).project_folder().map(str::to_owned),
            ScopeName::User => Some(plain_path(&folder)?),
        };
        let project = project.map(|project| ["--project".to_owned(), project]);
        let environment = load::chosen_environment().filter(|_| !self.is_of_its_own());
        let environment = environment.map(|name| ["--env".to_owned(), name.to_owned()]);
        let mut arguments: Vec<String> = project.into_iter().chain(environment).flatten().collect();
        arguments.push("serve".to_owned());
        Ok(Launch { name: file.name.clone(), folder, command, arguments, secrets })
    }

    /// Whether the executable that was asked for is a server that knows its project.
    fn is_of_its_own(&self) -> bool {
        self.command.as_deref().is_some_and(|command| command.file_stem().is_none_or(|name| name != PROGRAM))
    }

    fn carry_out(self, mut launch: Launch) -> Result<Outcome, Outcome> {
        let client = Client::from(self.client);
        if let Some(command) = &self.command {
            launch.command = self.given(command)?;
        }
        launch.arguments.extend(self.arguments.iter().cloned());
        let name = self.name.clone().unwrap_or_else(|| name_in_clients(&launch.name));
        let path = self.path(client, &launch.folder)?;
        let file = ConfigFile::open(&path).map_err(|why| refuse(&path, &why, "it was not changed"))?;
        let changed = if self.remove {
            clients::remove(file.text(), client, &name)
        } else {
            let entry = clients::entry(client, &launch.secrets, &launch.command, &launch.arguments);
            clients::edit(file.text(), client, &name, &entry)
        };
        let changed = changed.map_err(|error| refuse(&path, &error.to_string(), "correct the file, then try again"))?;
        if changed == file.text() {
            let is = if self.remove { "is not in" } else { "is as it should be in" };
            terminal::out(&format!("`{name}` {is} {}: nothing to change\n", path.display()));
            return Ok(Outcome::Fine);
        }
        terminal::out(&diff::shown_diff(&path, file.text(), &changed));
        if self.dry_run {
            return Ok(Outcome::Fine);
        }
        if !self.yes && !is_wanted(&path)? {
            terminal::err("nothing was changed\n");
            return Ok(Outcome::Fine);
        }
        file.write(&changed).map_err(|why| refuse(&path, &why, "it was not changed; try again"))?;
        self.conclude(client, &name, &path, &launch);
        Ok(Outcome::Fine)
    }

    fn conclude(&self, client: Client, name: &str, path: &Path, launch: &Launch) {
        let what = if self.remove { "removed" } else { "installed" };
        terminal::out(&format!("{what} `{name}` in {}; restart {client} to see it\n", path.display()));
        if !self.remove && client.is_to_be_filled_in(&launch.secrets) {
            let names: Vec<String> = launch.secrets.iter().map(|secret| format!("`{}`", secret.name)).collect();
            let names = names.join(", ");
            terminal::err(&format!(
                "note: {client} hands on no variables of the environment: fill in {names} under `env`\n"
            ));
        }
    }

    /// The client's file. A project's own lies in the folder.
    fn path(&self, client: Client, folder: &Path) -> Result<PathBuf, Outcome> {
        let Some(system) = System::of(std::env::consts::OS) else {
            let help = "run this on Linux, macOS or Windows, or use `--scope project`";
            terminal::error(&format!("{client} is not known to run on {}", std::env::consts::OS), &[help]);
            return Err(Outcome::CouldNotRun);
        };
        let env = |name: &str| std::env::var(name).ok();
        let path = clients::config_path(client, self.scope.into(), &env, system).map_err(|error| {
            let help = match error {
                clients::NoConfig::NoProjects(_) => "leave `--scope project` out to install it for you",
                clients::NoConfig::NotSet(_) => "set it, or use `--scope project`",
            };
            terminal::error(&error.to_string(), &[help]);
            Outcome::CouldNotRun
        })?;
        Ok(folder.join(path))
    }

    /// The command that was asked for: a file as an absolute path, for clients start servers anywhere; a bare name is left
    /// to the client to find.
    fn given(&self, command: &Path) -> Result<String, Outcome> {
        let is_bare = command.components().count() == 1 && !command.is_file();
        if is_bare || self.scope == ScopeName::Project {
            return plain_path(command);
        }
        if !command.is_file() {
            let help = "`--command` names an executable: a file, or a name that is found in PATH";
            terminal::error(&format!("there is no file `{}`", command.display()), &[help]);
            return Err(Outcome::CouldNotRun);
        }
        plain_path(&std::path::absolute(command).unwrap_or_else(|_| command.to_path_buf()))
    }
}

/// The path of the program that runs.
pub(crate) fn this_executable() -> Result<String, Outcome> {
    let path = std::env::current_exe().map_err(|error| {
        let why = format!("the path of this program is not known: {}", load::io_reason(&error));
        terminal::error(&why, &["name the executable with `--command PATH`"]);
        Outcome::CouldNotRun
    })?;
    plain_path(&path)
}

/// JSON is Unicode, and not every path is.
fn plain_path(path: &Path) -> Result<String, Outcome> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let why = format!("the path `{}` is not Unicode, and cannot be written as JSON", path.display());
        terminal::error(&why, &["rename it, or make a link to it with another name"]);
        Outcome::CouldNotRun
    })
}

/// Says why a client's file is left alone.
fn refuse(path: &Path, why: &str, help: &str) -> Outcome {
    terminal::error(&format!("cannot change `{}`: {why}", path.display()), &[help]);
    Outcome::CouldNotRun
}

/// Asks, where there is somebody to ask.
fn is_wanted(path: &Path) -> Result<bool, Outcome> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let help = "`--yes` writes without asking, `--dry-run` only shows what would change";
        terminal::error("nothing was changed: there is no terminal to ask at", &[help]);
        return Err(Outcome::CouldNotRun);
    }
    let answer = question::confirm(&format!("write {}?", path.display()), "`--yes` does not ask")?;
    Ok(answer == Some(true))
}

/// Clients put it in front of names of tools, which are of the same characters.
fn server_name(name: &str) -> Result<String, String> {
    let is_legal = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_legal) {
        return Err(format!("expected 1 to {MAX_NAME} letters, digits, `_` and `-`, such as flight-data"));
    }
    Ok(name.to_owned())
}

/// The name of a project as clients take it.
fn name_in_clients(project: &str) -> String {
    let name: String = snake_case(project).chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let name: String = name.trim_matches('_').chars().take(MAX_NAME).collect();
    if name.is_empty() { "qtool".to_owned() } else { name }
}

impl From<ClientName> for Client {
    fn from(name: ClientName) -> Client {
        match name {
            ClientName::ClaudeDesktop => Client::ClaudeDesktop,
            ClientName::ClaudeCode => Client::ClaudeCode,
            ClientName::VsCode => Client::VsCode,
            ClientName::Cursor => Client::Cursor,
        }
    }
}

impl From<ScopeName> for Scope {
    fn from(name: ScopeName) -> Scope {
        match name {
            ScopeName::User => Scope::User,
            ScopeName::Project => Scope::Project,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_project_has_a_name_that_clients_take() {
        for (project, name) in [
            ("Flight Data", "flight_data"),
            ("航班", "qtool"),
            ("Größe & Gewicht", "gre_gewicht"),
            ("---", "qtool"),
            (&"a".repeat(100), &"a".repeat(64)),
        ] {
            assert_eq!(name_in_clients(project), name);
            assert!(server_name(name).is_ok());
        }
        assert!(server_name("a b").is_err() && server_name("").is_err() && server_name(&"a".repeat(65)).is_err());
    }
}
