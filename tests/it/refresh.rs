//! Allowed values that are read again while a server runs.

use crate::cases::{Outcome, block_on};
use qtool::engine::{Engine, Tables};
use serde_json::json;
use std::path::Path;

const PROJECT: &str = "name: shop\ntables:\n  orders: { path: data/orders.csv, columns: { id: int, status: text } }\n";

/// A tool whose allowed values are read again as `refresh` says; empty for never.
fn query(refresh: &str) -> String {
    let refresh = if refresh.is_empty() { String::new() } else { format!(", refresh: {refresh}") };
    format!(
        "/*---\nparams:\n  status: {{ allowed_values: {{ query: SELECT status FROM orders{refresh} }} }}\n---*/\n\
         SELECT count(*) AS n FROM orders WHERE status = << status >>\n"
    )
}

/// New data is seen where it is asked for, and former values hold where it cannot be read.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    for (name, refresh) in [("never", ""), ("at_start", "startup"), ("always", "1ms"), ("hourly", "1h")] {
        std::fs::write(dir.join(format!("queries/{name}.sql")), query(refresh))?;
    }
    orders(dir, &["open"])?;
    let engine = engine(dir)?;
    let accepts = |tool: &'static str, status: &'static str| accepts(&engine, tool, status);

    // Between compiling and starting.
    orders(dir, &["open", "lost"])?;
    block_on_ref(&engine, |engine| async move { engine.refresh().await });
    check("read at the start only", accepts("at_start", "lost"), true)?;
    check("read at the start as well", accepts("hourly", "lost"), true)?;
    check("never read again", accepts("never", "lost"), false)?;

    // While it runs.
    orders(dir, &["open", "lost", "found"])?;
    std::thread::sleep(std::time::Duration::from_millis(5));
    check("older than they may be", accepts("always", "found"), true)?;
    check("not older than they may be", accepts("hourly", "found"), false)?;
    check("read once", accepts("at_start", "found"), false)?;
    let listed =
        engine.tool("always").and_then(|tool| tool.contract.parameters()[0].constraints.allowed_values.clone());
    check(
        "what is published is what is enforced",
        listed == Some(vec![json!("found"), json!("lost"), json!("open")]),
        true,
    )?;

    // No values are no reason to accept or refuse everything.
    orders(dir, &[])?;
    std::thread::sleep(std::time::Duration::from_millis(5));
    check("the former ones hold", accepts("always", "found"), true)?;
    check("and no others", accepts("always", "gone"), false)
}

fn check(what: &str, is: bool, should_be: bool) -> crate::Outcome {
    if is == should_be { Ok(()) } else { Err(format!("{what}: {is}").into()) }
}

fn orders(dir: &Path, statuses: &[&str]) -> std::io::Result<()> {
    let rows = statuses.iter().enumerate().map(|(at, status)| format!("{at},{status}\n"));
    std::fs::write(dir.join("data/orders.csv"), "id,status\n".to_owned() + &rows.collect::<String>())
}

/// The engine of a project's folder.
pub(crate) fn engine(dir: &Path) -> Result<std::sync::Arc<Engine>, Box<dyn std::error::Error>> {
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    let (dir, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await })
        .map_err(|errors| format!("{errors:?}"))?;
    let engine = Engine::prepare(tables, tools);
    Ok(std::sync::Arc::new(engine))
}

fn accepts(engine: &std::sync::Arc<Engine>, tool: &'static str, status: &'static str) -> bool {
    block_on_ref(engine, move |engine| async move {
        let arguments = json!({"status": status}).as_object().cloned().unwrap_or_default();
        engine.call(tool, &arguments).await.is_ok()
    })
}

fn block_on_ref<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    engine: &std::sync::Arc<Engine>,
    run: impl FnOnce(std::sync::Arc<Engine>) -> F,
) -> T {
    block_on(run(std::sync::Arc::clone(engine)))
}
