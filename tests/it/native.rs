//! Tools that are written in Rust are published, checked, capped and written like those in SQL.

use crate::cases::{block_on, copy_all};
use datafusion::prelude::{col, lit};
use qtool::engine::bind::Caller;
use qtool::engine::{Engine, Tables};
use qtool::{Answer, NativeTool, emit};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use std::path::Path;

#[derive(Deserialize, JsonSchema)]
struct OfStatus {
    /// The state of the orders.
    #[schemars(length(min = 1))]
    status: String,
    /// How many there must be at least.
    #[serde(default)]
    least: i64,
}

pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    std::fs::copy(shared.join("qtool.yaml"), folder.path().join("qtool.yaml"))?;
    copy_all(&shared.join("snapshots"), &folder.path().join("snapshots"))?;
    copy_all(&shared.join("data"), &folder.path().join("data"))?;
    let loaded = qtool::load::load(&qtool::load::Disk::new(folder.path())).map_err(|_| "the project does not load")?;
    let plan = NativeTool::new("orders_of", "Orders of one state.", |arguments: OfStatus, context| async move {
        let rows = context.table("orders")?.filter(col("status").eq(lit(arguments.status)))?;
        let rows = rows.filter(col("quantity").gt_eq(lit(arguments.least)))?;
        Ok(Answer::from(rows.select_columns(&["id", "status"])?.sort_by(vec![col("id")])?))
    })?
    .max_result_limit(3);
    let objects = NativeTool::new("words", "Some words.", |_: Nothing, _| async move {
        let rows = [json!({"word": "a", "n": 1}), json!({"word": "b|c", "n": null})];
        Ok(Answer::Objects(rows.iter().filter_map(|row| row.as_object().cloned()).collect()))
    })?
    .add_limit_parameter(false);
    let panics = NativeTool::new("panics", "Panics.", |_: Nothing, _| async move { panic!("on purpose") })?;
    let schema = emit::mcp::tool(&plan.tool.contract);
    if schema["inputSchema"]["required"] != json!(["status"])
        || schema["inputSchema"]["properties"]["limit"]["maximum"] != json!(3)
    {
        return Err(schema["inputSchema"].to_string().into());
    }
    let (dir, project) = (folder.path().to_path_buf(), loaded.project);
    let said: Result<Vec<String>, String> = block_on(async move {
        let tables =
            Tables::open(&dir, &project.file, &project.catalog).await.map_err(|errors| format!("{errors:?}"))?;
        let mut engine = Engine::prepare(tables, Vec::new());
        [plan, objects, panics].into_iter().for_each(|native| engine.add(native));
        let mut said = Vec::new();
        for (tool, arguments) in [
            ("orders_of", json!({"status": "open", "limit": 2, "table_format": "csv"})),
            ("orders_of", json!({"status": "open", "limit": 200, "table_format": "csv"})),
            ("orders_of", json!({"status": "", "least": "x"})),
            ("orders_of", json!({"state": "open"})),
            ("words", json!({})),
            ("words", json!({"limit": 1})),
            ("panics", json!({})),
        ] {
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            said.push(match engine.call_as(tool, &arguments, &Caller::default()).await {
                Ok(result) => result.text(),
                Err(error) => error.line(),
            });
        }
        Ok(said)
    });
    let said = said?.join("\n\n");
    insta::with_settings!({snapshot_path => "../native", prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("answers", said);
    });
    Ok(())
}

#[derive(Deserialize, JsonSchema)]
struct Nothing {}
