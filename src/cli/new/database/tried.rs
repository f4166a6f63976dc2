//! The first queries are tried: one that does not compile without a word, or does not answer, is none.

use super::queries::{Asked, FirstQuery};
use crate::cli::Outcome;
use crate::cli::workspace::{self, Data, block_on, print};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::engine::Engine;
use crate::engine::bind::{Arguments, Caller};
use crate::load::Memory;
use crate::ty::Type;
use crate::workspace::Workspace;
use serde_json::{Value, json};
use std::path::Path;

/// What became of the queries.
pub(super) struct TriedQueries {
    /// Those that answer.
    pub(super) kept: Vec<FirstQuery>,
    /// The others by name, and why.
    pub(super) refused: Vec<(String, String)>,
    /// Whether the tables could be read: what is wrong with them was printed.
    pub(super) outcome: Outcome,
}

/// Loads the project with the queries, which locks its tables, and calls each query.
pub(super) fn tried_queries(dir: &Path, queries: Vec<FirstQuery>) -> TriedQueries {
    let mut unsaved = Memory::default();
    for query in &queries {
        unsaved.insert(query.path(), query.text.clone());
    }
    let workspace = match workspace::load_with(dir, unsaved, Data::MayBeRead) {
        Ok(workspace) => workspace,
        Err(failed) => {
            print(&failed.diagnostics.into_sorted(), &failed.sources);
            return TriedQueries { kept: Vec::new(), refused: Vec::new(), outcome: Outcome::Problems };
        }
    };
    let compilation = workspace.compile();
    let (mut kept, mut refused) = (Vec::new(), Vec::new());
    for query in queries {
        match compilation.diagnostics.iter().find(|diagnostic| is_about(&workspace, diagnostic, &query.name)) {
            Some(diagnostic) => refused.push((query.name, diagnostic.message.clone())),
            None => kept.push(query),
        }
    }
    let is_other = |diagnostic: &&Diagnostic| {
        // That there are none is told in another way.
        diagnostic.code != Code::EmptyProject
            && !kept.iter().any(|query| is_about(&workspace, diagnostic, &query.name))
            && !refused.iter().any(|(name, _)| is_about(&workspace, diagnostic, name))
    };
    let others: Vec<Diagnostic> = compilation.diagnostics.iter().filter(is_other).cloned().collect();
    print(&others, &workspace.project.sources);
    let is_wrong = others.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    let outcome = if is_wrong { Outcome::Problems } else { Outcome::Fine };
    let tools: Vec<_> = compilation
        .tools
        .into_iter()
        .filter(|tool| kept.iter().any(|query| query.name == tool.contract.name))
        .collect();
    let has_tool = |query: &FirstQuery| tools.iter().any(|tool| tool.contract.name == query.name);
    kept.retain(has_tool);
    let asked: Vec<Call> = kept.iter().map(Call::of_query).collect();
    let failures = block_on(async move {
        let engine = workspace::engine(&workspace, tools).await.ok()?;
        Some(failed_calls(&engine, asked).await)
    });
    let failures = failures.flatten().unwrap_or_default();
    kept.retain(|query| !failures.iter().any(|(name, _)| *name == query.name));
    refused.extend(failures);
    TriedQueries { kept, refused, outcome }
}

/// Whether a diagnostic stands in the file of a query.
fn is_about(workspace: &Workspace, diagnostic: &Diagnostic, name: &str) -> bool {
    let query = workspace.project.queries.iter().find(|query| query.stem == name);
    let file = diagnostic.primary.as_ref().map(|label| label.span.file);
    file.is_some() && file == query.map(|query| query.file)
}

/// A call of a query.
struct Call {
    name: String,
    table: String,
    asked: Vec<Asked>,
}

impl Call {
    fn of_query(query: &FirstQuery) -> Call {
        Call { name: query.name.clone(), table: query.table.clone(), asked: query.asked.clone() }
    }

    /// The key of a row that is there, or one that may be none.
    async fn arguments(&self, engine: &Engine) -> Arguments {
        if self.asked.is_empty() {
            return Arguments::new();
        }
        let row = engine.sample(&self.table, 1).await.and_then(|rows| rows.into_iter().next());
        let value = |asked: &Asked| {
            let found = row.as_ref().and_then(|row| row.get(&asked.column)).filter(|value| !value.is_null());
            (asked.column.clone(), found.cloned().unwrap_or_else(|| some_value(&asked.ty)))
        };
        self.asked.iter().map(value).collect()
    }
}

fn some_value(ty: &Type) -> Value {
    match ty {
        Type::Text => json!("a"),
        Type::Date => json!("2024-03-31"),
        Type::Uuid => json!("00000000-0000-0000-0000-000000000000"),
        _ => json!(1),
    }
}

/// Calls each; those that fail, and why.
async fn failed_calls(engine: &Engine, calls: Vec<Call>) -> Vec<(String, String)> {
    let mut failed = Vec::new();
    for call in calls {
        let arguments = call.arguments(engine).await;
        if let Err(error) =
            engine.call_as(&call.name, &arguments, &Caller { tries_only: true, ..Caller::default() }).await
        {
            // The author reads it: here the engine may speak.
            let why = error.detail.as_ref().map_or_else(|| error.message.clone(), |detail| detail.told());
            failed.push((call.name, why));
        }
    }
    failed
}
