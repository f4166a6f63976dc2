//! Tables in an object store, against a server on loopback: what works, and what is said when it does not.

use crate::expect;
use crate::object_store;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// One table and one query over it.
#[derive(Deserialize)]
struct Case {
    /// The table's settings in `qtool.yaml`; `[http]` stands for the server's address.
    table: serde_json::Value,
    /// The statement.
    query: String,
    /// Files of the store by key.
    files: BTreeMap<String, String>,
}

/// Serves the case's files, and runs the program against them.
pub(crate) fn run(path: &Path) -> crate::Outcome {
    let case: Case = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let store = tempfile::tempdir()?;
    for (key, content) in &case.files {
        let file = store.path().join(key);
        std::fs::create_dir_all(file.parent().ok_or("a key has a folder")?)?;
        std::fs::write(file, content)?;
    }
    let (address, _server) = object_store::serve(store.path().to_path_buf());
    let address = format!("http://{address}");
    let folder = tempfile::tempdir()?;
    let table = case.table.to_string().replace("[http]", &address);
    std::fs::write(folder.path().join("qtool.yaml"), format!("name: remote\ntables:\n  remote: {table}\n"))?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("queries/query.sql"), &case.query)?;
    let output = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .args(["call", "query", "--format", "csv"])
        .current_dir(folder.path())
        .env("AWS_ENDPOINT", &address)
        .env("AWS_ALLOW_HTTP", "true")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "a-secret-that-must-not-appear")
        .env("AWS_REGION", "us-east-1")
        .output()?;
    let text = format!(
        "{}{}exit code {}\n",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
        output.status.code().unwrap_or(-1)
    )
    .replace(&address, "[http]");
    if text.contains("a-secret-that-must-not-appear") {
        return Err("the secret key is in the output".into());
    }
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let dir = path.with_extension("expected");
    std::fs::create_dir_all(&dir)?;
    expect::compare(&dir, &BTreeMap::from([(format!("expected.{name}.txt"), text)]))?;
    Ok(())
}
