//! Bytes that are no text reach no database: sent as they are, over HTTP in each form of a call and over standard input.

use super::classes::no_texts;
use crate::http::{Running, exchange};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// What a tool says that asked the database, which is gone.
const REACHED: &str = "source-unavailable";
/// What stands in requests where the bytes are to be.
const PLACE: &str = "@bytes@";

const PROJECT: &str = "\
name: bytes
sources:
  shop: { type: sqlite, path: data/shop.sqlite }
tables:
  names: { source: shop }
";

const TOOLS: [(&str, &str); 2] = [
    ("here", "/*--- { description: Names. } ---*/\nSELECT id FROM names WHERE name = << s >>\n"),
    ("there", "/*--- { description: Names., source: shop } ---*/\nSELECT id FROM names WHERE name = << s >>\n"),
];

/// Sends each of the strings to each tool in each way.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    lay_out(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let bytes = no_texts()?;
    over_stdio(folder.path(), &bytes)?;
    for (tool, _) in TOOLS {
        let body = json!({"s": PLACE}).to_string();
        let direct = ("POST", format!("/tools/{tool}"), body);
        let message = call(1, tool).to_string();
        for (method, path, body) in [direct, ("POST", "/mcp".to_owned(), message)] {
            let request = |bytes: &[u8]| {
                let body = filled(&body, bytes);
                let head = format!(
                    "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
                     Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n\
                     Content-Length: {}\r\nConnection: close\r\n\r\n",
                    server.address,
                    body.len()
                );
                [head.into_bytes(), body].concat()
            };
            let answer = exchange(&server.address, &request(b"Ann"))?;
            if !answer.contains(REACHED) {
                return Err(format!("{path}: a text does not reach the database: {answer}").into());
            }
            for bytes in &bytes {
                let answer = exchange(&server.address, &request(bytes))?;
                if !answer.starts_with("HTTP/1.1 400") || answer.contains(REACHED) {
                    return Err(format!("{path} with {bytes:?}: {answer}").into());
                }
            }
        }
    }
    Ok(())
}

/// Writes the project, whose tables are locked, and takes its database away.
fn lay_out(dir: &Path) -> crate::Outcome {
    for folder in ["data", "queries"] {
        std::fs::create_dir_all(dir.join(folder))?;
    }
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    for (name, sql) in TOOLS {
        std::fs::write(dir.join(format!("queries/{name}.sql")), sql)?;
    }
    let database = dir.join("data/shop.sqlite");
    let connection = rusqlite::Connection::open(&database)?;
    connection.execute_batch("CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")?;
    drop(connection);
    let locked = Command::new(env!("CARGO_BIN_EXE_qtool")).arg("lock").current_dir(dir).output()?;
    if !locked.status.success() {
        return Err(String::from_utf8_lossy(&locked.stderr).into());
    }
    Ok(std::fs::remove_file(database)?)
}

/// A call of a tool in MCP.
fn call(id: i64, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": {"s": PLACE}}})
}

/// A text with bytes in their place.
fn filled(text: &str, bytes: &[u8]) -> Vec<u8> {
    let (before, behind) = text.split_once(PLACE).unwrap_or((text, ""));
    [before.as_bytes(), bytes, behind.as_bytes()].concat()
}

/// Each line is refused, and the call behind it is carried out.
fn over_stdio(dir: &Path, strings: &[Vec<u8>]) -> Result<(), Box<dyn Error>> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .arg("serve")
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let mut answers = |until: &Value| -> Result<Vec<Value>, Box<dyn Error>> {
        let mut answers: Vec<Value> = Vec::new();
        while answers.last().is_none_or(|answer| answer["id"] != *until) {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                return Err("the server ended before its input".into());
            }
            answers.push(serde_json::from_str(&line)?);
        }
        Ok(answers)
    };
    let initialize = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    writeln!(input, "{initialize}\n{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    answers(&json!(0))?;
    for (at, bytes) in (1..).map(|at| at * 2).zip(strings) {
        for (tool, _) in TOOLS {
            input.write_all(&filled(&call(at, tool).to_string(), bytes))?;
            writeln!(input, "\n{}", filled_text(&call(at + 1, tool)))?;
            let answers = answers(&json!(at + 1))?;
            let reached = answers.iter().filter(|answer| answer.to_string().contains(REACHED)).count();
            // The last of them is that of the text.
            if reached != 1 || answers.len() > 2 {
                return Err(format!("over standard input, {bytes:?}: {}", json!(answers)).into());
            }
        }
    }
    drop(input);
    child.wait()?;
    Ok(())
}

fn filled_text(call: &Value) -> String {
    call.to_string().replace(PLACE, "Ann")
}
