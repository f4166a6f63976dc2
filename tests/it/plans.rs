//! What an optional clause and a list cost: the plan of a call without a clause is that of the query without it, and with
//! it the filter reaches the scan. Of a table that is not kept, whose plans are made for each call.

use crate::cases::{Outcome, block_on, copy_all};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, Tables};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const PROJECT: &str =
    "name: plans\ntime_zone: America/New_York\ntables:\n  flights: { path: data/flights.parquet, cache: none }\n";

/// Queries with clauses, and the same without or as plain conditions.
const QUERIES: [(&str, &str); 7] = [
    (
        "clauses",
        "SELECT date, flight FROM flights WHERE arr_delay > 60 [[ AND dest = << dest >> ]] [[ AND origin = << origin >> \
         [[ AND distance BETWEEN << least >> AND << most >> ]] ]] [[ OR flight = << flight >> ]]",
    ),
    ("none", "SELECT date, flight FROM flights WHERE arr_delay > 60"),
    ("dest", "SELECT date, flight FROM flights WHERE arr_delay > 60 AND dest = << dest >>"),
    (
        "nested",
        "SELECT date, flight FROM flights WHERE arr_delay > 60 AND origin = << origin >> AND distance BETWEEN << least >> AND << most >>",
    ),
    ("or", "SELECT date, flight FROM flights WHERE arr_delay > 60 OR flight = << flight >>"),
    ("day", "SELECT count(*) AS n FROM flights WHERE time_hour >= << day: date >> AND time_hour < << day >> + 1"),
    ("list", "SELECT count(*) AS n FROM flights WHERE flight IN << flights >>"),
];

/// The plan of a call with a clause left out is the plan without it; put in, the plan with a plain condition.
pub(crate) fn optional_clauses() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = engine(folder.path())?;
    let same = |arguments: Value, plain: &'static str| -> crate::Outcome {
        let clauses = explain(&engine, "clauses", arguments.clone())?;
        let plain = explain(&engine, plain, arguments)?;
        if clauses == plain { Ok(()) } else { Err(format!("with the clause:\n{clauses}\nwithout:\n{plain}").into()) }
    };
    same(json!({}), "none")?;
    same(json!({"dest": "LAX"}), "dest")?;
    same(json!({"origin": "JFK", "least": 100, "most": 1000}), "nested")?;
    same(json!({"flight": 1545}), "or")?;
    // Of two bounds one is no clause, and to send it alone is a mistake.
    match explain(&engine, "clauses", json!({"least": 100})) {
        Err(error) if error.to_string().starts_with("missing-argument") => {}
        other => return Err(format!("a clause without all its values: {other:?}").into()),
    }
    let plan = explain(&engine, "clauses", json!({"dest": "LAX"}))?;
    let scan = plan.lines().find(|line| line.contains("DataSourceExec")).unwrap_or_default();
    for part in ["dest@", "= LAX", "pruning_predicate="] {
        if !scan.contains(part) {
            return Err(format!("`{part}` does not reach the scan:\n{plan}").into());
        }
    }
    Ok(())
}

/// A day beside instants becomes an instant, and the column stays as it is: statistics say which rows are read.
pub(crate) fn days_prune() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = engine(folder.path())?;
    let plan = explain(&engine, "day", json!({"day": "2013-03-10"}))?;
    let scan = plan.lines().find(|line| line.contains("DataSourceExec")).unwrap_or_default();
    if !scan.contains("pruning_predicate=time_hour_") {
        return Err(format!("a day does not prune: {}", scan.get(..600).unwrap_or(scan)).into());
    }
    // DuckDB's count, with this zone. That day had 23 hours.
    let rows = call(&engine, "day", json!({"day": "2013-03-10"}))?;
    if rows != [[json!(908)]] { Err(format!("{rows:?}").into()) } else { Ok(()) }
}

/// Ten thousand items are one membership test that prunes, planned and run in less than a second.
pub(crate) fn long_lists() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = engine(folder.path())?;
    let items: Vec<i64> = (1..=10_000).collect();
    let arguments = json!({ "flights": items });
    let plan = explain(&engine, "list", arguments.clone())?;
    if plan.matches(" OR ").count() > 1 {
        return Err("the list became a chain of OR".into());
    }
    // No flight has such a number: the statistics of the file say so, and nothing is read.
    for last in [100_010, 110_000] {
        let far: Vec<i64> = (100_000..last).collect();
        let plan = explain(&engine, "list", json!({ "flights": far }))?;
        let scan = plan.lines().find(|line| line.contains("DataSourceExec")).unwrap_or_default();
        if !scan.contains("pruning_predicate=flight_") {
            return Err(format!("a list does not prune: {}", scan.get(..400).unwrap_or(scan)).into());
        }
        if call(&engine, "list", json!({ "flights": far }))? != [[json!(0)]] {
            return Err("a flight has a number that there is none of".into());
        }
    }
    let started = Instant::now();
    let rows = call(&engine, "list", arguments)?;
    let took = started.elapsed();
    if rows != [[json!(336_776)]] {
        return Err(format!("{rows:?}").into());
    }
    // In a debug build, on a machine that does other things as well.
    if took > Duration::from_secs(20) {
        return Err(format!("10,000 items took {took:?}").into());
    }
    Ok(())
}

fn engine(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), &dir.join("data"))?;
    for (name, text) in QUERIES {
        std::fs::write(dir.join(format!("queries/{name}.sql")), text)?;
    }
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    let names: BTreeSet<&str> = compilation.tools.iter().map(|tool| tool.contract.name.as_str()).collect();
    if names.len() != QUERIES.len() {
        return Err(format!("only {names:?} compile").into());
    }
    let (dir, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await });
    let tables = tables.map_err(|errors| format!("{errors:?}"))?;
    Ok(Arc::new(Engine::prepare(tables, tools)))
}

fn explain(engine: &Arc<Engine>, tool: &'static str, arguments: Value) -> Result<String, Box<dyn std::error::Error>> {
    let (engine, arguments) = (Arc::clone(engine), of(tool, arguments));
    let plan = block_on(async move { engine.explain_as(tool, &arguments, &Caller::default()).await });
    Ok(plan.map_err(|error| error.line())?)
}

fn call(
    engine: &Arc<Engine>,
    tool: &'static str,
    arguments: Value,
) -> Result<Vec<Vec<Value>>, Box<dyn std::error::Error>> {
    let (engine, arguments) = (Arc::clone(engine), of(tool, arguments));
    let result = block_on(async move { engine.call(tool, &arguments).await });
    Ok(result.map_err(|error| error.line())?.rows.values())
}

/// The arguments that the tool has among these.
fn of(tool: &str, arguments: Value) -> Arguments {
    let mut arguments = arguments.as_object().cloned().unwrap_or_default();
    let text = QUERIES.iter().find(|(name, _)| *name == tool).map(|(_, text)| *text).unwrap_or_default();
    arguments.retain(|name, _| text.contains(&format!("<< {name} >>")));
    arguments
}
