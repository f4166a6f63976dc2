//! Tools that a person must agree to, by clients of both eras.

use crate::http::{Running, post};
use crate::stdio::Client;
use serde_json::{Value, json};
use std::path::Path;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const PROJECT: &str = "\
name: notes
sources: { app: { type: sqlite, path: app.sqlite, idempotency: { table: calls } } }
tables: { notes: { source: app, description: A row per note., writable: true } }
audit: { to: log/calls.jsonl, arguments: values }
";
const REMOVE: &str = "\
/*---
description: Removes notes.
source: app
confirm: true
max_changes: 20
expose: [dry_run, idempotency_key]
---*/
DELETE FROM notes WHERE title = << title >>
";
const TOUCH: &str = "\
/*---
description: Notes when.
source: app
confirm: true
max_changes: 20
---*/
UPDATE notes SET body = strftime('%f', 'now') || CURRENT_TIMESTAMP WHERE title = << title >>
";
const TABLES: &str = "\
CREATE TABLE notes (id integer PRIMARY KEY NOT NULL, title text NOT NULL, body text);
CREATE TABLE calls (id text PRIMARY KEY NOT NULL, arguments text NOT NULL, answer text NOT NULL, at bigint NOT NULL);
INSERT INTO notes (id, title, body) VALUES (1, 'milk', 'two'), (2, 'milk', NULL), (3, 'oil', 'a
line'), (4, 'salt', NULL);
";

fn project(dir: &Path) -> Outcome {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/remove.sql"), REMOVE)?;
    std::fs::write(dir.join("queries/touch.sql"), TOUCH)?;
    run(dir, TABLES)
}

fn run(dir: &Path, statements: &str) -> Outcome {
    rusqlite::Connection::open(dir.join("app.sqlite"))?.execute_batch(statements)?;
    Ok(())
}

/// The ids that are left.
fn left(dir: &Path) -> Outcome<Vec<i64>> {
    let connection = rusqlite::Connection::open(dir.join("app.sqlite"))?;
    let mut statement = connection.prepare("SELECT id FROM notes ORDER BY id")?;
    let ids = statement.query_map([], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// How the calls were recorded to end.
fn recorded(dir: &Path) -> Outcome<Vec<String>> {
    let text = std::fs::read_to_string(dir.join("log/calls.jsonl"))?;
    let outcome = |line: &str| -> Outcome<String> {
        let record: Value = serde_json::from_str(line)?;
        Ok(record["outcome"].as_str().unwrap_or_default().to_owned())
    };
    text.lines().map(outcome).collect()
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}").into()) }
}

/// What came of a call: `changed 2`, `not-confirmed`.
fn told(answer: &Value) -> String {
    let result = &answer["result"];
    match result["_meta"]["qtool/error"]["code"].as_str() {
        Some(code) => code.to_owned(),
        None if result["resultType"] == "input_required" => "asks".to_owned(),
        None => match &result["structuredContent"] {
            Value::Object(content) if content.contains_key("dry_run") => format!("would change {}", content["changed"]),
            content => format!("changed {}", content["changed"]),
        },
    }
}

/// What a call of the tool comes to.
trait Asked {
    /// Calls the tool; `answers` is what a person says, and what is done before.
    fn call(&mut self, arguments: &Value, answers: &mut dyn FnMut(&str) -> Outcome<&'static str>) -> Outcome<String>;
}

impl Asked for Client {
    fn call(&mut self, arguments: &Value, answers: &mut dyn FnMut(&str) -> Outcome<&'static str>) -> Outcome<String> {
        self.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {
            "name": "remove", "arguments": arguments}}))?;
        loop {
            let message = self.receive()?;
            if message.get("method").is_none() {
                return Ok(told(&message));
            }
            expect("the question", message["method"].as_str(), Some("elicitation/create"))?;
            let action = answers(message["params"]["message"].as_str().unwrap_or_default())?;
            let result = json!({"action": action, "content": {}});
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))?;
        }
    }
}

pub(crate) fn a_client_over_stdio_is_asked() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir)?;
    let mut client = Client::start(dir, &json!({"elicitation": {}}))?;
    let mut question = String::new();
    let mut asked = |text: &str| {
        question = text.to_owned();
        Ok("decline")
    };
    expect("declined", client.call(&json!({"title": "oil"}), &mut asked)?, "not-confirmed".to_owned())?;
    let wanted = "`remove` would change 1 row.\n\nDELETE notes\n- {\"id\":3,\"title\":\"oil\",\"body\":\"a\\nline\"}\n\n\
                  Called with {\"title\":\"oil\"}\n";
    expect("the question", question.as_str(), wanted)?;
    expect("cancelled", client.call(&json!({"title": "oil"}), &mut |_| Ok("cancel"))?, "not-confirmed".to_owned())?;
    expect("left", left(dir)?, vec![1, 2, 3, 4])?;
    let mut meanwhile = |_: &str| {
        run(dir, "UPDATE notes SET body = 'three' WHERE id = 3")?;
        Ok("accept")
    };
    let outcome = client.call(&json!({"title": "oil"}), &mut meanwhile)?;
    expect("changed meanwhile", outcome, "confirmation-outdated".to_owned())?;
    let mut meanwhile = |_: &str| {
        run(dir, "INSERT INTO notes (id, title) VALUES (9, 'milk')")?;
        Ok("accept")
    };
    let outcome = client.call(&json!({"title": "milk"}), &mut meanwhile)?;
    expect("one more", outcome, "confirmation-outdated".to_owned())?;
    expect("left", left(dir)?, vec![1, 2, 3, 4, 9])?;
    let keyed = json!({"title": "milk", "idempotency_key": "k"});
    expect("accepted", client.call(&keyed, &mut |_| Ok("accept"))?, "changed 3".to_owned())?;
    expect("left", left(dir)?, vec![3, 4])?;
    let nobody = &mut |_: &str| Err("a person was asked".into());
    expect("the same key", client.call(&keyed, nobody)?, "changed 3".to_owned())?;
    expect("nothing to change", client.call(&json!({"title": "milk"}), nobody)?, "changed 0".to_owned())?;
    let tried = client.call(&json!({"title": "oil", "dry_run": true}), nobody)?;
    expect("tried", tried, "would change 1".to_owned())?;
    client.end()?;
    let mut silent = Client::start(dir, &json!({}))?;
    expect("nobody to ask", silent.call(&json!({"title": "oil"}), nobody)?, "not-confirmed".to_owned())?;
    silent.end()?;
    expect("left", left(dir)?, vec![3, 4])?;
    let declined = recorded(dir)?.iter().filter(|outcome| *outcome == "not-confirmed").count();
    expect("recorded as not confirmed", declined, 3)
}

/// A call of the newest revision; `reply` is what is sent again with an answer.
fn newest((address, tool): (&str, &str), arguments: &Value, capabilities: &Value, reply: &Value) -> Outcome<Value> {
    let mut params = json!({"name": tool, "arguments": arguments, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": capabilities}});
    for (key, value) in reply.as_object().into_iter().flatten() {
        params[key] = value.clone();
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let headers = format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n");
    let answer = post(address, "/mcp", &headers, &body.to_string())?;
    let json = answer.rsplit_once("\r\n\r\n").map_or("", |(_, body)| body);
    let json = json.lines().map(|line| line.trim_start_matches("data:").trim()).find(|line| line.starts_with('{'));
    Ok(serde_json::from_str(json.ok_or_else(|| format!("no answer: {answer}"))?)?)
}

fn reply(question: &Value, action: &str) -> Value {
    json!({
        "inputResponses": {"confirm": {"action": action, "content": {}}},
        "requestState": question["result"]["requestState"],
    })
}

pub(crate) fn a_client_of_the_newest_revision_is_asked() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir)?;
    let server = Running::start(dir, &[])?;
    let address = server.address.as_str();
    let (able, none) = (json!({"elicitation": {"form": {}}}), json!({}));
    let title = |title: &str| json!({"title": title});
    let call = |arguments: &Value, reply: &Value| newest((address, "remove"), arguments, &able, reply);
    let question = call(&title("milk"), &none)?;
    expect("asks", told(&question), "asks".to_owned())?;
    let form = &question["result"]["inputRequests"]["confirm"];
    expect("the method", form["method"].as_str(), Some("elicitation/create"))?;
    let text = form["params"]["message"].as_str().unwrap_or_default();
    if !text.starts_with("`remove` would change 2 rows.\n\nDELETE notes\n- {\"id\":1") {
        return Err(format!("the question: {question}").into());
    }
    expect("left", left(dir)?, vec![1, 2, 3, 4])?;
    // The answer to another call, and one that somebody has made up, are none: it asks again.
    expect("other arguments", told(&call(&title("oil"), &reply(&question, "accept"))?), "asks".to_owned())?;
    let mut forged = reply(&question, "accept");
    forged["requestState"] = json!(format!("{}x", question["result"]["requestState"].as_str().unwrap_or_default()));
    expect("forged", told(&call(&title("milk"), &forged)?), "asks".to_owned())?;
    let unanswered = json!({"requestState": question["result"]["requestState"]});
    expect("no answer", told(&call(&title("milk"), &unanswered)?), "asks".to_owned())?;
    let bare = json!({"inputResponses": {"confirm": {"action": "accept"}}});
    expect("no state", told(&call(&title("milk"), &bare)?), "asks".to_owned())?;
    let strange =
        json!({"inputResponses": {"confirm": {"action": "yes"}}, "requestState": question["result"]["requestState"]});
    expect("a strange answer", told(&call(&title("milk"), &strange)?), "asks".to_owned())?;
    expect("declined", told(&call(&title("milk"), &reply(&question, "decline"))?), "not-confirmed".to_owned())?;
    expect("a no is an answer", told(&call(&title("milk"), &reply(&question, "accept"))?), "not-confirmed".to_owned())?;
    expect("left", left(dir)?, vec![1, 2, 3, 4])?;
    let tried = json!({"title": "milk", "dry_run": "true"});
    expect("only tried", told(&call(&tried, &none)?), "would change 2".to_owned())?;
    let question = call(&title("milk"), &none)?;
    expect("accepted", told(&call(&title("milk"), &reply(&question, "accept"))?), "changed 2".to_owned())?;
    expect("left", left(dir)?, vec![3, 4])?;
    run(dir, "INSERT INTO notes (id, title, body) VALUES (1, 'milk', 'two'), (2, 'milk', NULL)")?;
    expect("taken before", told(&call(&title("milk"), &reply(&question, "accept"))?), "not-confirmed".to_owned())?;
    let question = call(&title("oil"), &none)?;
    run(dir, "UPDATE notes SET body = 'other' WHERE id = 3")?;
    let outdated = call(&title("oil"), &reply(&question, "accept"))?;
    expect("changed meanwhile", told(&outdated), "confirmation-outdated".to_owned())?;
    // What a clock says is another thing then, and nobody is asked for it again.
    let touched = |reply: &Value| newest((address, "touch"), &title("oil"), &able, reply);
    let question = touched(&none)?;
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    expect("at another time", told(&touched(&reply(&question, "accept"))?), "changed 1".to_owned())?;
    let silent = newest((address, "remove"), &title("oil"), &none, &none)?;
    expect("nobody to ask", told(&silent), "not-confirmed".to_owned())?;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "remove", "arguments": title("oil")}});
    let older = post(address, "/mcp", "", &body.to_string())?;
    expect("an older revision", older.contains("\"code\":\"not-confirmed\""), true)?;
    let plain = post(address, "/tools/remove", "", &title("oil").to_string())?;
    expect("plain HTTP", plain.starts_with("HTTP/1.1 403") && plain.contains("not-confirmed"), true)?;
    expect("left", left(dir)?, vec![1, 2, 3, 4])?;
    drop(server);
    let server = Running::start(dir, &["--allow-unconfirmed"])?;
    let plain = post(&server.address, "/tools/remove", "", &title("oil").to_string())?;
    expect("allowed", plain.starts_with("HTTP/1.1 200"), true)?;
    expect(
        "still asks who can be",
        told(&newest((server.address.as_str(), "remove"), &title("salt"), &able, &none)?),
        "asks".to_owned(),
    )?;
    expect("left", left(dir)?, vec![1, 2, 4])
}
