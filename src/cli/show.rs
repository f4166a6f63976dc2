//! `qtool show`

use super::application;
use super::workspace::{self, Data};
use super::{Global, Outcome, terminal};
use crate::emit;
use crate::tool::Tool;
use crate::workspace::Application;

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
        let tool = match workspace::open(global, Data::MayBeRead)
            .and_then(|workspace| workspace::tool(&workspace, &self.tool))
        {
            Ok(tool) => tool,
            Err(outcome) => return outcome,
        };
        self.print(&tool)
    }

    /// Shows a tool of an application that is compiled already.
    pub(super) fn run_in(self, application: &Application) -> Outcome {
        application::tool(application, &self.tool).map_or_else(|outcome| outcome, |tool| self.print(tool))
    }

    fn print(&self, tool: &Tool) -> Outcome {
        if self.json {
            let text = serde_json::to_string_pretty(&emit::mcp::tool(&tool.contract)).unwrap_or_default();
            terminal::out(&format!("{text}\n"));
            return Outcome::Fine;
        }
        match emit::signature::signature(&tool.contract) {
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
