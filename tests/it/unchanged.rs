//! A table at an address of a web server: another state of its file is seen by the next call, and the same one is not
//! downloaded again.

use crate::cases::block_on;
use crate::object_store;
use crate::refresh::engine;
use qtool::engine::Engine;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub(crate) fn run() -> crate::Outcome {
    let (web, folder) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let (address, server) = object_store::serve(web.path().to_path_buf());
    rates(web.path(), "EUR,1.5\nUSD,2.5\n")?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    let path = format!("http://{address}/files/rates.csv");
    let tables = format!(
        "name: web\ntables:\n  plain: {{ path: \"{path}\" }}\n  mended: {{ path: \"{path}\", on_error: null, columns: {{ rate: \
         double }} }}\n"
    );
    std::fs::write(dir.join("qtool.yaml"), tables)?;
    for table in ["plain", "mended"] {
        let query = format!("SELECT code, rate FROM {table} ORDER BY code\n");
        std::fs::write(dir.join(format!("queries/{table}_rates.sql")), query)?;
    }
    let engine = engine(dir)?;
    for tool in ["plain_rates", "mended_rates"] {
        rates(web.path(), "EUR,1.5\nUSD,2.5\n")?;
        let first = call(&engine, tool)?;
        server.methods();
        same(&call(&engine, tool)?, &first)?;
        same(&call(&engine, tool)?, &first)?;
        downloads(&server, 0)?;
        // Of the same length: the name of its state tells.
        std::thread::sleep(Duration::from_millis(20));
        rates(web.path(), "EUR,1.5\nUSD,3.5\n")?;
        let second = call(&engine, tool)?;
        if !second.contains("3.5") || second.contains("2.5") {
            return Err(format!("{tool}: the change was not seen: {second}").into());
        }
        downloads(&server, 1)?;
        same(&call(&engine, tool)?, &second)?;
        downloads(&server, 0)?;
    }
    std::fs::remove_file(web.path().join("rates.csv"))?;
    match call(&engine, "plain_rates") {
        Ok(rows) => Err(format!("a file that is gone still has rows: {rows}").into()),
        Err(_) => Ok(()),
    }
}

fn rates(web: &Path, rows: &str) -> std::io::Result<()> {
    std::fs::write(web.join("rates.csv"), format!("code,rate\n{rows}"))
}

fn same(rows: &str, expected: &str) -> crate::Outcome {
    if rows == expected { Ok(()) } else { Err(format!("{rows}\ninstead of {expected}").into()) }
}

fn downloads(server: &object_store::Server, expected: usize) -> crate::Outcome {
    let methods = server.methods();
    let count = methods.iter().filter(|method| *method == "GET").count();
    if count == expected { Ok(()) } else { Err(format!("{count} downloads, not {expected}: {methods:?}").into()) }
}

fn call(engine: &Arc<Engine>, tool: &'static str) -> Result<String, Box<dyn std::error::Error>> {
    let engine = Arc::clone(engine);
    let arguments = json!({}).as_object().cloned().unwrap_or_default();
    let result = block_on(async move { engine.call(tool, &arguments).await });
    Ok(result.map(|result| result.table().to_owned()).map_err(|error| error.line())?)
}
