//! Client profiles: what a provider or a client takes of a tool's definition, as a lint and as a rewriting.
//!
//! Every profile has a table of the keywords that it documents. What a schema says beyond them is moved into the
//! description of its parameter, in words ([`lower_tool`]); the server enforces it all the same. What no rewriting
//! mends is told by [`check`].

mod check;
mod finding;
mod limits;
mod lower;
mod measure;
mod names;
mod subset;
mod words;

#[cfg(test)]
pub(super) mod fixture;
#[cfg(test)]
mod tests;

pub use check::check;
pub use finding::{Finding, Severity};
pub use lower::{Lowered, Moved, lower, lower_tool};

use super::mcp;
use crate::in_words::in_words;
use crate::tool::Contract;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// Whose rules tools are held to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// OpenAI's function calling without strict mode.
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenAI's function calling in strict mode: the model can say nothing that the schema refuses.
    #[serde(rename = "openai-strict")]
    OpenAiStrict,
    /// The Claude API, Claude Code and Claude Desktop.
    Claude,
    /// The Gemini API.
    Gemini,
    /// Cursor, which hands tools to models of all the others.
    Cursor,
}

/// A tool as MCP publishes it, with a schema that a client of the profile takes. Where the profile has none that says
/// what the tool takes, it keeps its own.
pub fn definition(tool: &Contract, profile: Option<Profile>) -> Value {
    let mut definition = mcp::tool(tool);
    let lowered = profile.map(|profile| lower_tool(tool, profile)).filter(|lowered| lowered.unsayable.is_empty());
    if let (Some(lowered), Some(schema)) = (lowered, definition.get_mut("inputSchema")) {
        *schema = lowered.schema;
    }
    definition
}

impl Profile {
    /// All profiles.
    pub const ALL: [Profile; 5] =
        [Profile::OpenAi, Profile::OpenAiStrict, Profile::Claude, Profile::Gemini, Profile::Cursor];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::OpenAi => "openai",
            Profile::OpenAiStrict => "openai-strict",
            Profile::Claude => "claude",
            Profile::Gemini => "gemini",
            Profile::Cursor => "cursor",
        }
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

in_words! {
    /// That no profile has a name, and which there are.
    pub struct UnknownProfile;
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    /// Errors: no profile has that name; the message lists those there are.
    fn from_str(name: &str) -> Result<Profile, UnknownProfile> {
        let found = Profile::ALL.into_iter().find(|profile| profile.as_str() == name);
        found.ok_or_else(|| format!("the profiles are {}", Profile::ALL.map(Profile::as_str).join(", ")).into())
    }
}
