//! Long calls: how far they have come, and tasks for clients that know them.

use crate::http::{Running, post};
use crate::stdio::Client;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::{Duration, Instant};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// Values of records that each take a while.
const PROJECT: &str = "\
name: slow
audit: { to: log/calls.jsonl }
records:
  todo:
    path: todo
    actor: somebody
    derived:
      n: { sql: 'SELECT count(*) FROM generate_series(1, 1500) AS a CROSS JOIN generate_series(1, 1500) AS b WHERE a.value * b.value % 97 = << id >>' }
";
const CONTRACT: &str = "\
apiVersion: v3.0.0
kind: DataContract
id: todo
name: To do
version: 1.0.0
schema:
  - name: todo
    properties:
      - { name: id, logicalType: integer, primaryKey: true }
      - { name: n, logicalType: integer, x-derived: true }
";
/// How many there are.
const RECORDS: u64 = 60;
/// Nothing here takes longer on any machine.
const PATIENCE: Duration = Duration::from_secs(300);

fn project(dir: &Path, auth: &str) -> Outcome {
    std::fs::create_dir_all(dir.join("todo"))?;
    std::fs::write(dir.join("qtool.yaml"), format!("{PROJECT}{auth}"))?;
    std::fs::write(dir.join("todo/contract.yaml"), CONTRACT)?;
    let records: String = (1..=RECORDS).map(|id| format!("{{\"id\":{id}}}\n")).collect();
    Ok(std::fs::write(dir.join("todo/records.jsonl"), records)?)
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}").into()) }
}

/// How many values there are by now.
fn made(dir: &Path) -> Outcome<usize> {
    Ok(std::fs::read_to_string(dir.join("todo/records.jsonl"))?.matches("\"n\":").count())
}

pub(crate) fn progress_is_told_in_steps() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, "")?;
    const ASKED: u64 = 15;
    let ids: Vec<u64> = (1..=ASKED).collect();
    let mut client = Client::start(dir, &json!({}))?;
    client.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "todo_materialize", "arguments": {"dry_run": true, "record_ids": ids}, "_meta": {"progressToken": "p"}}}))?;
    let mut last = 0.0;
    let mut steps = 0;
    loop {
        let message = client.receive_any()?;
        if message["id"] == 1 {
            break;
        }
        expect("what is told", message["method"].as_str(), Some("notifications/progress"))?;
        let params = &message["params"];
        let done = params["progress"].as_f64().ok_or("no progress")?;
        expect("it grows", done > last && params["total"] == ASKED as f64, true)?;
        expect("in words", params["message"].as_str(), Some(format!("{done} of {ASKED}").as_str()))?;
        (last, steps) = (done, steps + 1);
    }
    expect("something is told", steps > 0, true)?;
    expect("nothing is written", made(dir)?, 0)?;
    client.end()
}

/// A request of the newest revision, by somebody.
fn asked(address: &str, token: &str, (method, name, params): (&str, &str, Value), knows_tasks: bool) -> Outcome<Value> {
    let mut params = params;
    let extensions = if knows_tasks { json!({"io.modelcontextprotocol/tasks": {}}) } else { json!({}) };
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {"extensions": extensions}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    let headers = format!(
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\nMcp-Name: {name}\r\nAuthorization: Bearer {token}\r\n"
    );
    let answer = post(address, "/mcp", &headers, &body.to_string())?;
    let json = answer.rsplit_once("\r\n\r\n").map_or("", |(_, body)| body);
    let json = json.lines().map(|line| line.trim_start_matches("data:").trim()).find(|line| line.starts_with('{'));
    Ok(serde_json::from_str(json.ok_or_else(|| format!("no answer: {answer}"))?)?)
}

fn called(arguments: Value) -> (&'static str, &'static str, Value) {
    let mut arguments = arguments;
    arguments["table_format"] = json!("structured");
    ("tools/call", "todo_materialize", json!({"name": "todo_materialize", "arguments": arguments}))
}

pub(crate) fn a_long_call_becomes_a_task_of_its_caller() -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let token = |name: &str| format!("{name}-0123456789-0123456789");
    let hash = |name: &str| hex::encode(Sha256::digest(token(name)));
    let auth = format!(
        "auth:\n  resource: https://tools.example.com/mcp\n  tokens:\n    - {{ sha256: {}, principal: ann }}\n    - {{ sha256: {}, principal: bob }}\n",
        hash("ann"),
        hash("bob")
    );
    project(dir, &auth)?;
    let server = Running::start(dir, &[])?;
    let (address, ann, bob) = (server.address.as_str(), token("ann"), token("bob"));
    // What is over soon is answered.
    let soon = asked(address, &ann, called(json!({"record_ids": [1]})), true)?;
    expect("soon", soon["result"]["structuredContent"]["rows"][0]["materialized"].as_u64(), Some(1))?;
    let began = Instant::now();
    let answer = asked(address, &ann, called(json!({})), true)?;
    expect("a task", answer["result"]["resultType"].as_str(), Some("task"))?;
    expect("it was waited for", began.elapsed() >= Duration::from_secs(4), true)?;
    let id = answer["result"]["taskId"].as_str().ok_or("no id")?.to_owned();
    let about = |method: &'static str| (method, id.as_str(), json!({"taskId": id}));
    expect("of nobody else", asked(address, &bob, about("tasks/get"), true)?["error"]["code"].as_i64(), Some(-32602))?;
    expect("nor ended", asked(address, &bob, about("tasks/cancel"), true)?["error"]["code"].as_i64(), Some(-32602))?;
    let unknowing = asked(address, &ann, about("tasks/get"), false)?;
    expect("by who does not know them", unknowing["error"]["code"].as_i64(), Some(-32021))?;
    let mut told = Vec::new();
    let ended = loop {
        let stands = asked(address, &ann, about("tasks/get"), true)?["result"].clone();
        if stands["status"] != "working" {
            break stands;
        }
        told.extend(stands["statusMessage"].as_str().map(str::to_owned));
        expect("it ends", began.elapsed() < PATIENCE, true)?;
        std::thread::sleep(Duration::from_millis(500));
    };
    expect("completed", ended["status"].as_str(), Some("completed"))?;
    let row = &ended["result"]["structuredContent"]["rows"][0];
    expect("all of them", (row["materialized"].as_u64(), row["skipped"].as_u64()), (Some(RECORDS - 1), Some(1)))?;
    expect("they are there", made(dir)?, RECORDS as usize)?;
    let is_step = |text: &String| text.ends_with(&format!(" of {RECORDS}"));
    expect("how far it was", told.iter().all(is_step) && !told.is_empty(), true)?;
    // What is ended stops.
    let answer = asked(address, &ann, called(json!({"force": true})), true)?;
    let id = answer["result"]["taskId"].as_str().ok_or("no second task")?.to_owned();
    let about = |method: &'static str| (method, id.as_str(), json!({"taskId": id}));
    asked(address, &ann, about("tasks/cancel"), true)?;
    std::thread::sleep(Duration::from_millis(300));
    expect("ended", asked(address, &ann, about("tasks/get"), true)?["result"]["status"].as_str(), Some("cancelled"))?;
    let none = ("tasks/get", "none", json!({"taskId": "none"}));
    expect("none", asked(address, &ann, none, true)?["error"]["code"].as_i64(), Some(-32602))?;
    drop(server);
    let recorded = std::fs::read_to_string(dir.join("log/calls.jsonl"))?;
    let outcomes: Vec<Value> = recorded.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let outcomes: Vec<&str> = outcomes.iter().filter_map(|one| one["outcome"].as_str()).collect();
    expect("recorded", outcomes.len() == 3 && outcomes.starts_with(&["ok", "ok"]), true)
}
