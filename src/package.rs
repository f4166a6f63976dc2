//! What a built server is shipped in: bundles, listings, images, units, and the configurations of clients.
//!
//! Pure: everything comes in as values; texts, JSON and bytes go out. Nothing of it holds a path of this machine or the
//! value of a secret. It does not know how the executable is made.

pub mod clients;
pub mod docker;
pub mod mcpb;
pub mod registry;
pub mod systemd;

use crate::project::{BoundFrom, ProjectFile};
use crate::tool::Tool;

/// A built server, as far as packaging is concerned.
#[derive(Debug, Clone, Copy)]
pub struct Package<'a> {
    /// The project's name: any text.
    pub name: &'a str,
    /// The file name of the executable, without `.exe`: `[a-z0-9_-]+`.
    pub executable: &'a str,
    /// The project's version.
    pub version: &'a str,
    /// What the server is for: any text, of any length.
    pub description: Option<&'a str>,
    /// Who publishes it.
    pub author: Option<&'a str>,
    /// The name it has in an MCP registry: `io.github.acme/flights`.
    pub registry_name: Option<&'a str>,
    /// What it serves.
    pub tools: &'a [Tool],
    /// How many prompts it serves.
    pub prompts: usize,
    /// The environment variables that it does not run without.
    pub secrets: &'a [Secret],
    /// Whether tables lie in files that are not in the executable: it is then told where by `--data-dir`.
    pub needs_data: bool,
}

/// An environment variable that a server needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The variable's name.
    pub name: String,
    /// What its value is.
    pub description: Option<String>,
}

impl Secret {
    /// What its value is, in one line, and in any case.
    fn described(&self) -> String {
        let text = one_line(self.description.as_deref().unwrap_or_default());
        if text.is_empty() {
            format!("The server reads it from the environment as {}.", one_line(&self.name))
        } else {
            text
        }
    }
}

/// The environment variables that a project's server needs, in the order of their names. Of the variables in paths and
/// addresses, those that a file has as it is written.
pub fn secrets(file: &ProjectFile, tools: &[Tool]) -> Vec<Secret> {
    let mut secrets: Vec<Secret> = Vec::new();
    if let Some(name) = file.audit.as_ref().and_then(|audit| audit.key_env.clone()) {
        let description = "The key of the digests of arguments in the audit.".to_owned();
        secrets.push(Secret { name, description: Some(description) });
    }
    for parameter in tools.iter().flat_map(|tool| tool.contract.parameters()) {
        if let Some(BoundFrom::Env(name)) = &parameter.from {
            secrets.push(Secret { name: name.clone(), description: parameter.description.clone() });
        }
    }
    for (source, config) in &file.sources {
        secrets.extend(config.variables().into_iter().map(|(name, what)| Secret {
            name: name.to_owned(),
            description: Some(format!("The {what} of the database `{source}`.")),
        }));
    }
    for name in file.needed_variables() {
        secrets.push(Secret { name, description: Some("A part of a path or an address of the project.".to_owned()) });
    }
    // Of several uses, the first one that is described.
    secrets.sort_by(|a, b| (&a.name, a.description.is_none()).cmp(&(&b.name, b.description.is_none())));
    secrets.dedup_by(|a, b| a.name == b.name);
    secrets
}

/// An operating system that servers and clients run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl System {
    /// By Rust's name for it ([`std::env::consts::OS`]); `None` for another.
    pub fn of(os: &str) -> Option<System> {
        match os {
            "linux" => Some(System::Linux),
            "macos" => Some(System::MacOs),
            "windows" => Some(System::Windows),
            _ => None,
        }
    }
}

impl Package<'_> {
    /// What it is, in one line of at most so many characters: the first sentence where that fits, else as many words as
    /// do. Never empty.
    fn summary(&self, most: usize) -> String {
        let text = one_line(self.description.unwrap_or_default());
        let text = if text.is_empty() { format!("Tools of {}", one_line(self.name)) } else { text };
        if text.chars().count() <= most {
            return text;
        }
        let kept: String = text.chars().take(most.saturating_sub(1)).collect();
        let sentence = kept.rfind(". ").and_then(|end| kept.get(..=end));
        let words = kept.rfind(' ').and_then(|end| kept.get(..end)).unwrap_or(&kept);
        sentence.map_or_else(|| format!("{words}…"), str::to_owned)
    }
}

/// The text in one line: every run of white space and control characters is one space. Formats that go by lines cannot be
/// broken out of by it.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package with a tool, a secret and data.
    pub(super) fn with_package<T>(test: impl FnOnce(Package<'_>) -> T) -> T {
        let tool = crate::tool::flat::read(serde_json::json!({
            "name": "late_flights", "title": "Late flights", "description": "Flights that were late.", "tags": [],
            "version": null, "meta": null, "parameters": [], "columns": [], "views": [], "statement": "SELECT 1",
            "placeholders": [], "tables": [], "result_limit": 100, "default_limit": null, "table_format": "markdown",
            "expose": [], "timeout": "30s", "count_total": false, "strict": false,
            "annotations": {"read_only": true, "destructive": false, "idempotent": true, "open_world": false},
        }));
        let tools: [Tool; 1] = [tool.unwrap()];
        let secrets = [Secret { name: "FLIGHTS_KEY".into(), description: Some("The key of the audit.".into()) }];
        test(Package {
            name: "Flight \"data\" 100%\n[Service]",
            executable: "flights",
            version: "1.2.3",
            description: Some(
                "Answers questions on flights. They come\nfrom the \"schedule\" of $YEAR, 100% of it. \\",
            ),
            author: Some("Acme"),
            registry_name: Some("io.github.acme/flights"),
            tools: &tools,
            prompts: 1,
            secrets: &secrets,
            needs_data: true,
        })
    }

    #[test]
    fn every_variable_is_asked_for_once() {
        let file = serde_json::from_value(serde_json::json!({
            "name": "a", "audit": {"to": "stderr", "key_env": "KEY"},
        }));
        with_package(|package| {
            let mut tool = package.tools[0].clone();
            let bound = |name: &str, from: &str, description: Option<&str>| {
                serde_json::from_value(serde_json::json!({
                    "name": name, "type": "TEXT", "description": description, "required": true, "default": null,
                    "constraints": {}, "examples": [], "from": from,
                }))
            };
            tool.contract.input = crate::tool::Input::Parameters(vec![
                bound("a", "env.REGION", None).unwrap(),
                bound("b", "claim.tenant", Some("No variable.")).unwrap(),
                bound("c", "env.REGION", Some("The region.")).unwrap(),
            ]);
            let found = secrets(&file.unwrap(), &[tool]);
            let found: Vec<_> = found.iter().map(|secret| (secret.name.as_str(), secret.described())).collect();
            let key = "The key of the digests of arguments in the audit.".to_owned();
            assert_eq!(found, [("KEY", key), ("REGION", "The region.".to_owned())]);
        });
    }

    #[test]
    fn a_summary_is_whole_sentences_or_whole_words_of_one_line() {
        with_package(|package| {
            assert_eq!(package.summary(40), "Answers questions on flights.");
            assert_eq!(package.summary(20), "Answers questions…");
            let package = Package { description: Some(" \n\t"), ..package };
            assert_eq!(package.summary(100), "Tools of Flight \"data\" 100% [Service]");
            let package = Package { description: Some("größer".repeat(40).leak()), ..package };
            assert_eq!(package.summary(100).chars().count(), 100, "cut between characters where there are no words");
        });
    }
}
