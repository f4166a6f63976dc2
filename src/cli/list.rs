//! `qtool list`

use super::workspace::{self, Data, errors_only, print};
use super::{Global, Outcome, terminal};
use crate::emit;
use crate::tool::Tool;

/// List the tools
#[derive(clap::Args)]
pub(super) struct List {
    /// Write the MCP `Tool` objects as a JSON list
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let workspace = match workspace::open(global, Data::MayBeRead) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let compilation = workspace.compile();
        print(&errors_only(&compilation.diagnostics), &workspace.project.sources);
        self.print(&compilation.tools);
        if compilation.errors > 0 { Outcome::Problems } else { Outcome::Fine }
    }

    /// Lists tools that are compiled already.
    pub(super) fn run_in(self, tools: &[Tool]) -> Outcome {
        self.print(tools);
        Outcome::Fine
    }

    fn print(&self, tools: &[Tool]) {
        if self.json {
            let tools: Vec<_> = tools.iter().map(|tool| emit::mcp::tool(&tool.contract)).collect();
            let text = serde_json::to_string_pretty(&tools).unwrap_or_default();
            terminal::out(&format!("{text}\n"));
        } else {
            let widest = tools.iter().map(|tool| tool.contract.name.len()).max().unwrap_or(0);
            // A pipe gets the whole line.
            let width = terminal::width().unwrap_or(usize::MAX);
            for tool in tools {
                let first = tool.contract.description.as_deref().unwrap_or_default().lines().next().unwrap_or_default();
                let room = width.saturating_sub(widest + 2).max(20);
                terminal::out(
                    &format!("{:widest$}  {}\n", tool.contract.name, shortened(first, room)).replace("  \n", "\n"),
                );
            }
        }
    }
}

/// The text in at most `room` characters, cut between words.
pub(super) fn shortened(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let head: String = text.chars().take(room - 1).collect();
    let cut = head.rfind(' ').unwrap_or(head.len());
    format!("{}…", head.get(..cut).unwrap_or_default().trim_end_matches([',', '.', ';', ':']))
}
