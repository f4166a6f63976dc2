//! `qtool check --emit`: what a stage makes of one query.

use super::super::workspace::{self, Data, errors_only, print};
use super::super::{Outcome, terminal};
use super::Stage;
use crate::compile;
use std::path::Path;

/// Prints the stage on standard output, and what keeps the query from getting there on standard error.
pub(super) fn run(dir: &Path, data: Data, stage: Stage, query: &str) -> Outcome {
    let workspace = match workspace::load(dir, data) {
        Ok(workspace) => workspace,
        Err(failed) => {
            print(&failed.diagnostics.into_sorted(), &failed.sources);
            return Outcome::Problems;
        }
    };
    if !workspace.has_query(query) {
        workspace::no_such_query(&workspace, query);
        return Outcome::CouldNotRun;
    }
    let analysis = workspace.analyze();
    let evidence = compile::evidence(&workspace.project, &analysis, query).unwrap_or_default();
    let compilation = compile::publish(&workspace.project, &analysis);
    let text = match stage {
        Stage::Parsed => evidence.parsed,
        Stage::Constraints => evidence.stages.constraints,
        Stage::Typed => evidence.stages.typed,
        Stage::Plan => evidence.stages.plan,
        Stage::Tool => {
            let tool = compilation.tools.iter().find(|tool| tool.contract.name == query);
            let json = tool.and_then(|tool| serde_json::to_string_pretty(tool).ok());
            json.map(|json| json + "\n").unwrap_or_default()
        }
    };
    terminal::out(&text);
    let mut errors = workspace::errors_in(&workspace, query, &compilation);
    if errors.is_empty() && text.is_empty() {
        // What it selects from is to blame.
        errors = errors_only(&compilation.diagnostics);
    }
    print(&errors, &workspace.project.sources);
    if errors.is_empty() { Outcome::Fine } else { Outcome::Problems }
}
