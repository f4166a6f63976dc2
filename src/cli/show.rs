//! `qtool show`

use super::workspace::{Data, Workspace};
use super::{Global, Outcome, terminal};
use crate::emit;

/// Show a tool's signature
#[derive(clap::Args)]
pub(super) struct Show {
    /// The tool's name
    tool: String,
    /// Write the MCP `Tool` object
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let tool = match Workspace::open(global, Data::MayBeRead).and_then(|workspace| workspace.tool(&self.tool)) {
            Ok(tool) => tool,
            Err(outcome) => return outcome,
        };
        if self.json {
            let text = serde_json::to_string_pretty(&emit::mcp::tool(&tool)).unwrap_or_default();
            terminal::out(&format!("{text}\n"));
            return Outcome::Fine;
        }
        match emit::signature::signature(&tool) {
            Ok(text) => {
                terminal::out(&text);
                Outcome::Fine
            }
            Err(error) => {
                terminal::error(&format!("the signature cannot be written: {error}"), &[]);
                Outcome::CouldNotRun
            }
        }
    }
}
