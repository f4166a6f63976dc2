//! The configurations of MCP clients: where they lie, and what a server is in them.
//!
//! - Claude Desktop: <https://modelcontextprotocol.io/docs/develop/connect-local-servers>
//! - Claude Code: <https://code.claude.com/docs/en/mcp>
//! - VS Code: <https://code.visualstudio.com/docs/copilot/reference/mcp-configuration>
//! - Cursor: <https://cursor.com/docs/context/mcp>

mod edit;

pub use edit::{EditError, edit, remove};

use super::{Package, Secret, System};
use serde_json::{Map, Value};
use std::fmt;
use std::path::PathBuf;

/// A client that starts servers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code.
    ClaudeCode,
    /// VS Code.
    VsCode,
    /// Cursor.
    Cursor,
}

/// Whom a configuration is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Everything that the user opens.
    User,
    /// Everybody who opens the project: the file lies in it.
    Project,
}

/// Why a client has no configuration of a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoConfig {
    /// The client knows no projects.
    NoProjects(Client),
    /// An environment variable is not set that says where the user's files are.
    NotSet(&'static str),
}

impl fmt::Display for NoConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoConfig::NoProjects(client) => write!(f, "{client} has no configuration for a single project"),
            NoConfig::NotSet(variable) => {
                write!(f, "where the user's files are is not known: the variable {variable} is not set")
            }
        }
    }
}

impl std::error::Error for NoConfig {}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Client::ClaudeDesktop => "Claude Desktop",
            Client::ClaudeCode => "Claude Code",
            Client::VsCode => "VS Code",
            Client::Cursor => "Cursor",
        })
    }
}

impl Client {
    /// The key of the configuration under which its servers are.
    pub fn servers_key(self) -> &'static str {
        match self {
            Client::VsCode => "servers",
            Client::ClaudeDesktop | Client::ClaudeCode | Client::Cursor => "mcpServers",
        }
    }

    /// What stands for the project's folder in a configuration that lies in it, if anything does.
    pub fn project_folder(self) -> Option<&'static str> {
        match self {
            Client::VsCode | Client::Cursor => Some("${workspaceFolder}"),
            Client::ClaudeDesktop | Client::ClaudeCode => None,
        }
    }

    /// What stands for the value of an environment variable in a configuration. Empty where nothing does: it is for the
    /// user to fill in. Never the value itself.
    fn variable(self, name: &str) -> String {
        match self {
            Client::ClaudeDesktop => String::new(),
            // Without a default, a variable that is not set makes the whole file unreadable to it.
            Client::ClaudeCode => format!("${{{name}:-}}"),
            Client::VsCode | Client::Cursor => format!("${{env:{name}}}"),
        }
    }

    /// Whether an entry has to be filled in by hand: the client hands on no variables of the environment.
    pub fn is_to_be_filled_in(self, secrets: &[Secret]) -> bool {
        self == Client::ClaudeDesktop && !secrets.is_empty()
    }
}

/// The file of a client's configuration: a path of the user's, or one in the project's folder. `env` gives the values of
/// environment variables.
///
/// Errors: the client has none of that scope, or the environment does not say where the user's files are.
pub fn config_path(
    client: Client,
    scope: Scope,
    env: &dyn Fn(&str) -> Option<String>,
    system: System,
) -> Result<PathBuf, NoConfig> {
    if scope == Scope::Project {
        return match client {
            Client::ClaudeDesktop => Err(NoConfig::NoProjects(client)),
            Client::ClaudeCode => Ok(PathBuf::from(".mcp.json")),
            Client::VsCode => Ok(PathBuf::from(".vscode").join("mcp.json")),
            Client::Cursor => Ok(PathBuf::from(".cursor").join("mcp.json")),
        };
    }
    let set = |name: &str| env(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    match client {
        Client::ClaudeDesktop => Ok(applications(&set, system)?.join("Claude").join("claude_desktop_config.json")),
        Client::ClaudeCode => {
            let dir = set("CLAUDE_CONFIG_DIR").map_or_else(|| home(&set, system), Ok)?;
            Ok(dir.join(".claude.json"))
        }
        Client::VsCode => Ok(applications(&set, system)?.join("Code").join("User").join("mcp.json")),
        Client::Cursor => Ok(home(&set, system)?.join(".cursor").join("mcp.json")),
    }
}

fn home(set: &dyn Fn(&str) -> Option<PathBuf>, system: System) -> Result<PathBuf, NoConfig> {
    let variable = if system == System::Windows { "USERPROFILE" } else { "HOME" };
    set(variable).ok_or(NoConfig::NotSet(variable))
}

/// Where desktop programs keep what is the user's: `appData` of
/// <https://www.electronjs.org/docs/latest/api/app#appgetpathname>.
fn applications(set: &dyn Fn(&str) -> Option<PathBuf>, system: System) -> Result<PathBuf, NoConfig> {
    match system {
        System::Windows => set("APPDATA").ok_or(NoConfig::NotSet("APPDATA")),
        System::MacOs => Ok(home(set, system)?.join("Library").join("Application Support")),
        System::Linux => match set("XDG_CONFIG_HOME") {
            Some(dir) => Ok(dir),
            None => Ok(home(set, system)?.join(".config")),
        },
    }
}

/// What a server is in a client's configuration: what is started, with the variables that it needs, named and not told.
pub fn entry(client: Client, secrets: &[Secret], command: &str, args: &[String]) -> Value {
    let mut entry = Map::new();
    if client != Client::ClaudeDesktop {
        entry.insert("type".to_owned(), "stdio".into());
    }
    entry.insert("command".to_owned(), command.into());
    entry.insert("args".to_owned(), args.into());
    if !secrets.is_empty() {
        let env = secrets.iter().map(|secret| (secret.name.clone(), Value::from(client.variable(&secret.name))));
        entry.insert("env".to_owned(), Value::Object(env.collect()));
    }
    Value::Object(entry)
}

/// A whole configuration with a package's server, as an example to go by.
pub fn example(client: Client, package: &Package<'_>, command: &str, args: &[String]) -> String {
    let servers = Map::from_iter([(package.executable.to_owned(), entry(client, package.secrets, command, args))]);
    let config = Map::from_iter([(client.servers_key().to_owned(), Value::Object(servers))]);
    format!("{:#}\n", Value::Object(config))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn configurations_are_where_the_clients_look() {
        let env = |name: &str| match name {
            "HOME" => Some("/home/u".to_owned()),
            "APPDATA" => Some("/appdata".to_owned()),
            "USERPROFILE" => Some("/users/u".to_owned()),
            "XDG_CONFIG_HOME" => Some(String::new()),
            _ => None,
        };
        let path = |client, system| config_path(client, Scope::User, &env, system).unwrap();
        for (client, linux, mac, windows) in [
            (
                Client::ClaudeDesktop,
                "/home/u/.config/Claude/claude_desktop_config.json",
                "/home/u/Library/Application Support/Claude/claude_desktop_config.json",
                "/appdata/Claude/claude_desktop_config.json",
            ),
            (Client::ClaudeCode, "/home/u/.claude.json", "/home/u/.claude.json", "/users/u/.claude.json"),
            (
                Client::VsCode,
                "/home/u/.config/Code/User/mcp.json",
                "/home/u/Library/Application Support/Code/User/mcp.json",
                "/appdata/Code/User/mcp.json",
            ),
            (Client::Cursor, "/home/u/.cursor/mcp.json", "/home/u/.cursor/mcp.json", "/users/u/.cursor/mcp.json"),
        ] {
            assert_eq!(path(client, System::Linux), PathBuf::from(linux));
            assert_eq!(path(client, System::MacOs), PathBuf::from(mac));
            assert_eq!(path(client, System::Windows), PathBuf::from(windows));
        }
    }

    #[test]
    fn what_cannot_be_known_is_said() {
        let nothing = |_: &str| None;
        let found = |client, scope, system| config_path(client, scope, &nothing, system).unwrap_err();
        assert_eq!(found(Client::Cursor, Scope::User, System::Windows), NoConfig::NotSet("USERPROFILE"));
        assert_eq!(
            found(Client::ClaudeDesktop, Scope::Project, System::Linux),
            NoConfig::NoProjects(Client::ClaudeDesktop)
        );
    }

    #[test]
    fn an_entry_names_variables_and_has_no_values() {
        let secrets = [Secret { name: "KEY".into(), description: None }];
        let of = |client| entry(client, &secrets, "/a/flights", &["serve".to_owned()]);
        assert_eq!(of(Client::ClaudeDesktop), json!({"command": "/a/flights", "args": ["serve"], "env": {"KEY": ""}}));
        assert_eq!(of(Client::ClaudeCode)["env"]["KEY"], "${KEY:-}");
        assert_eq!(of(Client::VsCode)["env"]["KEY"], "${env:KEY}");
        assert_eq!(of(Client::Cursor)["type"], "stdio");
    }
}
