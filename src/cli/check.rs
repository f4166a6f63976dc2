//! `qtool check`

use super::workspace::{Data, Workspace, count, errors_only};
use super::{Global, Outcome, terminal};
use crate::diagnostic::render::{Format, render};
use clap::ValueEnum;

/// Compile all queries and report every problem
#[derive(clap::Args)]
pub(super) struct Check {
    /// Compile against the locked schemas only; do not touch the data
    #[arg(long)]
    locked: bool,
    /// How problems are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: CheckFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// With the source, for people
    Text,
    /// One line each, for editors
    Short,
    /// One JSON object a line, for programs
    Json,
}

impl Check {
    pub(super) fn run(self, global: &Global) -> Outcome {
        let data = if self.locked { Data::Untouched } else { Data::MayBeRead };
        let workspace = match Workspace::open(global, data) {
            Ok(workspace) => workspace,
            Err(outcome) => return outcome,
        };
        let compilation = workspace.compile();
        let sources = &workspace.project.sources;
        match self.format {
            CheckFormat::Text => terminal::err(&render(&compilation.diagnostics, sources, Format::Text, true)),
            CheckFormat::Short => terminal::out(&render(&compilation.diagnostics, sources, Format::Short, false)),
            CheckFormat::Json => terminal::out(&render(&compilation.diagnostics, sources, Format::Json, false)),
        }
        let mut found = Vec::new();
        if compilation.errors > 0 {
            found.push(count(compilation.errors, "error"));
        }
        if compilation.warnings > 0 {
            found.push(count(compilation.warnings, "warning"));
        }
        let found = if found.is_empty() { "no problems".to_owned() } else { found.join(", ") };
        let views =
            if compilation.views > 0 { format!(", {}", count(compilation.views, "view")) } else { String::new() };
        terminal::err(&format!("{}{views}: {found}\n", count(compilation.tools.len(), "tool")));
        if self.format == CheckFormat::Text
            && let Some(first) = errors_only(&compilation.diagnostics).first()
        {
            terminal::err(&format!("`qtool explain {}` says more of a code\n", first.code));
        }
        if compilation.errors > 0 { Outcome::Problems } else { Outcome::Fine }
    }
}
