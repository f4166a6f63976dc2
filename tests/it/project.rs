//! The example project, which is the repository's root: it compiles without a problem against its locked schemas, its
//! locks are those of the data, and every tool answers every call of `tests/example/calls.json` with the rows given
//! there.

use crate::cases::{Outcome, block_on};
use qtool::emit;
use qtool::engine::fixture::Keeps;
use qtool::engine::{ANSWERS, Engine, Tables};
use qtool::project::Timeout;
use qtool::review::snapshot;
use qtool::tool::Tool;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// A call and what is known of its answer.
#[derive(Debug, Deserialize)]
struct Call {
    tool: String,
    arguments: qtool::engine::bind::Arguments,
    /// Rows returned.
    rows: usize,
    /// The values of the first row, in the order of the columns.
    first: Option<Vec<Value>>,
}

/// Calls every tool of the example project.
pub(crate) fn every_tool_answers(calls: &Path) -> crate::Outcome {
    let calls: Vec<Call> = serde_json::from_str(&std::fs::read_to_string(calls)?)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let outcome = Outcome::with(root, true);
    if let Some(problem) = outcome.diagnostics.first() {
        return Err(format!("the example project has a problem: {}", problem.message).into());
    }
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the example project does not load".into());
    };
    let tools = compilation.tools;
    snapshots(root, &tools)?;
    let called: BTreeSet<&str> = calls.iter().map(|call| call.tool.as_str()).collect();
    if let Some(tool) = tools.iter().find(|tool| !called.contains(tool.contract.name.as_str())) {
        return Err(format!("no call of `{}`", tool.contract.name).into());
    }
    block_on(async move {
        let tables =
            Tables::open(root, &project.file, &project.catalog).await.map_err(|errors| format!("{errors:?}"))?;
        if tables.catalog() != project.catalog {
            return Err("the locked schemas are not those of the data; run `qtool lock`".to_owned());
        }
        // Web services are not asked.
        let tables = tables.with_answers(root.join(ANSWERS), Keeps::Uses);
        // A debug build beside other tests is slow; how long a query takes is not what is tested here.
        let patient = |tool: &Tool| {
            let mut tool = tool.clone();
            tool.contract.timeout = Timeout(Duration::from_secs(600));
            tool
        };
        let engine = Engine::prepare(tables, tools.iter().map(patient).collect());
        for call in calls.iter().filter(|call| runs_here(&tools, &call.tool)) {
            check(&engine, call).await.map_err(|problem| format!("{} {:?}: {problem}", call.tool, call.arguments))?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Whether a tool has here what it needs: a program needs a sandbox, a function in Python that too, and the answers of web services were kept.
fn runs_here(tools: &[Tool], name: &str) -> bool {
    let Some(tool) = tools.iter().find(|tool| tool.contract.name == name) else { return true };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has_python = std::env::split_paths(&path).any(|folder| folder.join("python3").is_file());
    let runs = !tool.is_foreign()
        || tool.request().is_some()
        || tool.upstream().is_none()
            && qtool::programs::sandbox().is_enough()
            && (tool.python().is_none() || has_python);
    if !runs {
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "calls of `{name}` are left out: there is no sandbox, or no Python here");
    }
    runs
}

/// The accepted snapshots are those of the tools (`qtool review` accepts), and insta reads them.
fn snapshots(root: &Path, tools: &[Tool]) -> crate::Outcome {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(root.join("snapshots/tools"));
    settings.set_prepend_module_to_snapshot(false);
    for tool in tools {
        let accepted = std::fs::read_to_string(root.join(format!("snapshots/tools/{}.snap", tool.contract.name)))?;
        let before = snapshot::read(&accepted).map_err(|why| format!("{}: {why}", tool.contract.name))?;
        if snapshot::contract(&before) != snapshot::contract(tool) {
            return Err(format!("`{}` is not as it was accepted: run `qtool review`", tool.contract.name).into());
        }
        settings.bind(|| insta::assert_snapshot!(tool.contract.name.as_str(), snapshot::content(&accepted)));
    }
    Ok(())
}

async fn check(engine: &Engine, call: &Call) -> Result<(), String> {
    let tool = engine.tool(&call.tool).ok_or("there is no such tool")?;
    let schema = emit::mcp::input_schema(&tool.contract);
    let sent = Value::Object(call.arguments.clone());
    jsonschema::validate(&schema, &sent).map_err(|error| format!("the call breaks the published schema: {error}"))?;
    let result = engine.call(&call.tool, &call.arguments).await.map_err(|error| format!("{error:?}"))?;
    jsonschema::validate(&emit::mcp::output_schema(&tool.contract), &result.object())
        .map_err(|error| format!("the result breaks the published schema: {error}"))?;
    if result.rows.len() != call.rows {
        return Err(format!("{} rows, not {}", result.rows.len(), call.rows));
    }
    let first = result.rows.values().into_iter().next();
    if call.first.is_some() && call.first != first {
        return Err(format!("the first row is {first:?}"));
    }
    Ok(())
}
