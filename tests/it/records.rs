//! Records through the real binary: processes that are killed, files that others write, and a model.

use crate::servers::{POSTGRES, asked_of_postgres, run_in_postgres};
use crate::stdio::Client;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const PROJECT: &str = "\
name: things
records:
  todo:
    path: todo
    actor: 'agent:a'
    max_changes: 50
    result_limit: 1000
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
      - { name: id, logicalType: string, primaryKey: true, required: true }
      - { name: title, logicalType: string, required: true }
      - { name: stars, logicalType: integer }
      - { name: tags, logicalType: array }
";

fn project(dir: &Path) -> Outcome {
    Kept::Folder.project(dir, "", "")
}

/// Where records lie.
#[derive(Clone, Copy)]
pub(crate) enum Kept {
    Folder,
    Sqlite,
    /// In a schema of that name.
    Postgres(&'static str),
}

impl Kept {
    /// A project of records without any; with further fields, and how they are made.
    pub(crate) fn project(self, dir: &Path, fields: &str, derived: &str) -> Outcome {
        std::fs::create_dir_all(dir.join("todo"))?;
        let (source, place) = match self {
            Kept::Folder => (String::new(), String::new()),
            Kept::Sqlite => {
                ("sources: { app: { type: sqlite, path: app.sqlite } }\n".to_owned(), "    source: app\n".to_owned())
            }
            Kept::Postgres(schema) => {
                let source = format!("sources: {{ app: {{ type: postgres, url_env: {POSTGRES} }} }}\n");
                (source, format!("    source: app\n    table: {schema}.todo\n"))
            }
        };
        let project = PROJECT.replacen("records:", &format!("{source}records:"), 1);
        std::fs::write(dir.join("qtool.yaml"), format!("{project}{place}{derived}"))?;
        std::fs::write(dir.join("todo/contract.yaml"), format!("{CONTRACT}{fields}"))?;
        let tables = || -> Outcome<String> {
            let printed =
                Command::new(env!("CARGO_BIN_EXE_qtool")).current_dir(dir).args(["records", "ddl", "todo"]).output()?;
            Ok(String::from_utf8(printed.stdout)?)
        };
        match self {
            Kept::Folder => Ok(()),
            Kept::Sqlite => self.run(dir, &tables()?),
            Kept::Postgres(schema) => run_in_postgres(&format!(
                "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; {}",
                tables()?
            )),
        }
    }

    /// Runs statements where they lie.
    fn run(self, dir: &Path, statements: &str) -> Outcome {
        match self {
            Kept::Folder => Ok(()),
            Kept::Sqlite => Ok(rusqlite::Connection::open(dir.join("app.sqlite"))?.execute_batch(statements)?),
            Kept::Postgres(schema) => run_in_postgres(&format!("SET search_path = {schema}; {statements}")),
        }
    }

    /// The keys that there are.
    fn ids(self, dir: &Path) -> Outcome<BTreeSet<String>> {
        match self {
            Kept::Folder => Ok(records(dir)?.into_keys().collect()),
            Kept::Sqlite => {
                let connection = rusqlite::Connection::open(dir.join("app.sqlite"))?;
                let mut statement = connection.prepare("SELECT id FROM todo")?;
                Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
            }
            Kept::Postgres(schema) => {
                let all = asked_of_postgres(&format!("SELECT coalesce(json_agg(id), '[]')::text FROM {schema}.todo"))?;
                Ok(serde_json::from_str(&all)?)
            }
        }
    }

    /// Writes a record past qtool.
    fn edit(self, dir: &Path, model: &Model, id: &str) -> Outcome {
        if let Kept::Folder = self {
            let text: String = model.values().map(|record| format!("{}\n", Value::Object(record.clone()))).collect();
            return Ok(std::fs::write(dir.join("todo/records.jsonl"), text)?);
        }
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "''"));
        let value = |name: &str| match &model[id].get(name) {
            None => "NULL".to_owned(),
            Some(Value::String(text)) => quoted(text),
            Some(other) => quoted(&other.to_string()),
        };
        let values = ["id", "title", "stars", "tags"].map(value).join(", ");
        self.run(
            dir,
            &format!(
                "DELETE FROM todo WHERE id = {}; INSERT INTO todo (id, title, stars, tags) VALUES ({values});",
                value("id")
            ),
        )
    }
}

/// A server of the project in a folder.
pub(crate) struct Server(Client);

impl Server {
    pub(crate) fn start(dir: &Path) -> Outcome<Server> {
        Ok(Server(Client::start(dir, &json!({}))?))
    }

    /// The result object of a call, or the code of its error.
    fn call(&mut self, tool: &str, arguments: &Value) -> Outcome<Result<Value, String>> {
        let mut arguments = arguments.clone();
        arguments["table_format"] = json!("structured");
        self.change(tool, &arguments)
    }

    /// The same of a tool that may give no rows.
    pub(crate) fn change(&mut self, tool: &str, arguments: &Value) -> Outcome<Result<Value, String>> {
        let request = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        self.0.send(&request)?;
        let answer = self.0.receive()?;
        let result = &answer["result"];
        if result["isError"] == json!(true) {
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            return Ok(Err(text.split(':').next().unwrap_or_default().to_owned()));
        }
        match result.get("structuredContent") {
            Some(structured) => Ok(Ok(structured.clone())),
            None => Err(format!("no result: {answer}").into()),
        }
    }

    /// The rows of a call.
    pub(crate) fn rows(&mut self, tool: &str, arguments: &Value) -> Outcome<Vec<Value>> {
        let result = self.call(tool, arguments)?.map_err(|code| format!("{tool} {arguments}: {code}"))?;
        Ok(result["rows"].as_array().cloned().ok_or_else(|| format!("no rows: {result}"))?)
    }
}

fn call(id: usize, tool: &str, arguments: &Value) -> Value {
    let mut arguments = arguments.clone();
    arguments["table_format"] = json!("structured");
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
}

/// The records of the file, by key; an error where a line is none.
fn records(dir: &Path) -> Outcome<BTreeMap<String, Map<String, Value>>> {
    let text = std::fs::read_to_string(dir.join("todo/records.jsonl")).unwrap_or_default();
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let record: Map<String, Value> = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
        let id = record["id"].as_str().ok_or("a record has no key")?.to_owned();
        if found.insert(id, record).is_some() {
            return Err(format!("a key is there twice: {line}").into());
        }
    }
    Ok(found)
}

/// Calls that were answered have lasted, the others are there whole or not at all, and nothing is left behind.
pub(crate) fn kills_lose_no_record() -> crate::Outcome {
    killed_in_rounds(Kept::Folder, 60)
}

pub(crate) fn kills_lose_no_record_in_sqlite() -> crate::Outcome {
    killed_in_rounds(Kept::Sqlite, 40)
}

pub(crate) fn kills_lose_no_record_in_postgres() -> crate::Outcome {
    killed_in_rounds(Kept::Postgres("records_kills"), 40)
}

fn killed_in_rounds(kept: Kept, usual: u64) -> crate::Outcome {
    let kills = std::env::var("QTOOL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    kept.project(dir, "", "")?;
    let (mut answered, mut cut_off) = (0, 0);
    for round in 0..kills {
        let mut server = Server::start(dir)?;
        const CALLS: usize = 30;
        for at in 1..=CALLS {
            let id = |part: &str| format!("{round}-{at}-{part}");
            let pair =
                json!({"records": [{"id": id("a"), "title": "x".repeat(at * 40)}, {"id": id("b"), "title": "y"}]});
            server.0.send(&call(at, "todo_upsert", &pair))?;
        }
        let Client { child, stdout, .. } = &mut server.0;
        let (sender, receiver) = mpsc::channel();
        let acknowledged = std::thread::scope(|scope| -> Outcome<Vec<u64>> {
            scope.spawn(move || {
                for line in stdout.lines().map_while(Result::ok) {
                    let message: Value = serde_json::from_str(&line).unwrap_or_default();
                    let is_done = message["result"]["isError"] != json!(true) && message.get("result").is_some();
                    if let Some(id) = message["id"].as_u64().filter(|_| is_done) {
                        let _ = sender.send(id);
                    }
                }
            });
            // Behind the first answer, for a while that is another one in each round.
            let first = receiver.recv_timeout(Duration::from_secs(30))?;
            let until = Instant::now() + Duration::from_micros(round % 20 * 700);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
            child.kill()?;
            child.wait()?;
            Ok(std::iter::once(first).chain(receiver.iter()).collect())
        })?;
        let there = kept.ids(dir)?;
        for at in 1..=CALLS as u64 {
            let [a, b] = ["a", "b"].map(|part| there.contains(&format!("{round}-{at}-{part}")));
            if a != b {
                return Err(format!("round {round}: half of call {at} is there").into());
            }
            if acknowledged.contains(&at) && !a {
                return Err(format!("round {round}: call {at} was answered, and is lost").into());
            }
        }
        answered += acknowledged.len();
        cut_off += CALLS - acknowledged.len();
    }
    // The next writer takes away what the killed have left.
    let mut server = Server::start(dir)?;
    server.rows("todo_upsert", &json!({"records": [{"id": "last", "title": "x"}]}))?;
    let names = std::fs::read_dir(dir.join("todo"))?.flatten().map(|entry| entry.file_name().into_string());
    let left: Vec<String> = names.flatten().filter(|name| name.ends_with(".tmp")).collect();
    if !left.is_empty() {
        return Err(format!("left behind: {left:?}").into());
    }
    let verified = Command::new(env!("CARGO_BIN_EXE_qtool")).current_dir(dir).args(["records", "verify"]).output()?;
    if !verified.status.success() {
        return Err(String::from_utf8_lossy(&verified.stdout).into_owned().into());
    }
    let figures = format!("{kills} kills: {answered} calls were answered and have lasted, {cut_off} were cut off");
    let _ = writeln!(std::io::stderr(), "{figures}");
    if cut_off == 0 { Err("no call was cut off".into()) } else { Ok(()) }
}

/// Who edits the file while it is served is heard by the next call, and is never written over.
pub(crate) fn edits_of_others_are_seen_and_kept() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir)?;
    let mut server = Server::start(dir)?;
    for round in 0..40 {
        let own = json!({"records": [{"id": "own", "title": "o", "stars": round}]});
        server.rows("todo_upsert", &own)?;
        let path = dir.join("todo/records.jsonl");
        let mut text = std::fs::read_to_string(&path)?;
        // Of the same length as the last one, and within the same moment of the clock.
        text = text.lines().filter(|line| !line.contains("other")).map(|line| format!("{line}\n")).collect();
        text.push_str(&format!("{{\"id\": \"other\", \"title\": \"by hand {:02}\"}}\n", round));
        std::fs::write(&path, text)?;
        let rows = server.rows("todo_list", &json!({"fields": ["id", "title", "stars"]}))?;
        let wanted = json!([
            {"id": "other", "title": format!("by hand {round:02}"), "stars": null},
            {"id": "own", "title": "o", "stars": round},
        ]);
        if Value::from(rows.clone()) != wanted {
            return Err(format!("round {round}: {rows:?}").into());
        }
    }
    Ok(())
}

/// What a model of the records does.
#[derive(Debug, Clone)]
enum Act {
    Upsert(Vec<Map<String, Value>>),
    Delete(Vec<String>),
    Edit(String, Map<String, Value>),
    Restart,
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-c]{0,2}",
        Just("'; DROP TABLE todo; --".to_owned()),
        Just("\u{2028}\u{85}\u{feff}\"\\\n".to_owned()),
        Just("🐟<< x >>$1".to_owned()),
    ]
}

fn sent() -> impl Strategy<Value = Map<String, Value>> {
    let title = proptest::option::of(prop_oneof![texts().prop_map(Value::from), Just(Value::Null)]);
    let stars = proptest::option::of(prop_oneof![any::<i64>().prop_map(Value::from), Just(Value::Null)]);
    let tags = proptest::option::of(proptest::collection::vec(texts(), 0..3).prop_map(Value::from));
    ("[a-e]", title, stars, tags).prop_map(|(id, title, stars, tags)| {
        let fields = [("id", Some(id.into())), ("title", title), ("stars", stars), ("tags", tags)];
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    })
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        6 => proptest::collection::vec(sent(), 1..4).prop_map(Act::Upsert),
        2 => proptest::collection::vec("[a-e]".prop_map(String::from), 1..3).prop_map(Act::Delete),
        1 => ("[a-e]".prop_map(String::from), sent()).prop_map(|(id, record)| Act::Edit(id, record)),
        1 => Just(Act::Restart),
    ];
    proptest::collection::vec(act, 1..14)
}

/// The records as the model has them.
type Model = BTreeMap<String, Map<String, Value>>;

/// What an upsert makes of a model; `None` where a record has no title.
fn upserted(model: &Model, sent: &[Map<String, Value>]) -> Option<(Model, usize, usize)> {
    let mut after = model.clone();
    for record in sent {
        let id = record["id"].as_str()?.to_owned();
        let merged = after.entry(id).or_default();
        merged.extend(record.clone());
        merged.get("title").filter(|title| !title.is_null())?;
    }
    let inserted = after.len() - model.len();
    Some((after, inserted, sent.len() - inserted))
}

fn listed(model: &Model) -> Vec<Value> {
    let value = |record: &Map<String, Value>, name: &str| record.get(name).cloned().unwrap_or_default();
    let row = |record: &Map<String, Value>| {
        json!({"id": value(record, "id"), "title": value(record, "title"), "stars": value(record, "stars"),
               "tags": value(record, "tags")})
    };
    model.values().map(row).collect()
}

/// Any sequence of writes, removals, edits of others and restarts leaves what a model has, in every way to read it.
pub(crate) fn any_writes_are_those_of_a_model() -> crate::Outcome {
    writes_beside_a_model(Kept::Folder, 40)
}

pub(crate) fn any_writes_in_sqlite_are_those_of_a_model() -> crate::Outcome {
    writes_beside_a_model(Kept::Sqlite, 20)
}

pub(crate) fn any_writes_in_postgres_are_those_of_a_model() -> crate::Outcome {
    writes_beside_a_model(Kept::Postgres("records_model"), 20)
}

fn writes_beside_a_model(kept: Kept, cases: u32) -> crate::Outcome {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let failed = |error: Box<dyn std::error::Error>| TestCaseError::fail(error.to_string());
    let outcome = runner.run(&acts(), |acts| run_beside_a_model(kept, &acts).map_err(failed));
    Ok(outcome.map_err(|error| error.to_string())?)
}

fn run_beside_a_model(kept: Kept, acts: &[Act]) -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    kept.project(dir, "", "")?;
    let mut server = Server::start(dir)?;
    let mut model = Model::new();
    for act in acts {
        match act {
            Act::Upsert(sent) => {
                let outcome = server.call("todo_upsert", &json!({"records": sent}))?;
                match (upserted(&model, sent), outcome) {
                    (None, Err(_)) => {}
                    (Some((after, inserted, updated)), Ok(result)) => {
                        let counts = json!([{"inserted": inserted, "updated": updated, "total": after.len()}]);
                        same("what was done", &result["rows"], &counts)?;
                        model = after;
                    }
                    (wanted, found) => return Err(format!("{act:?}: {wanted:?}, and was {found:?}").into()),
                }
            }
            Act::Delete(ids) => {
                let before = model.len();
                model.retain(|id, _| !ids.contains(id));
                let counts = json!([{"deleted": before - model.len(), "remaining": model.len()}]);
                same("what was removed", &server.rows("todo_delete", &json!({"ids": ids}))?.into(), &counts)?;
            }
            Act::Edit(id, record) => {
                let mut record = record.clone();
                record.insert("id".to_owned(), Value::from(id.as_str()));
                record.retain(|_, value| !value.is_null());
                model.insert(id.clone(), record);
                kept.edit(dir, &model, id)?;
            }
            Act::Restart => server = Server::start(dir)?,
        }
        same("all of them", &server.rows("todo_list", &json!({}))?.into(), &listed(&model).into())?;
        let count = json!([{"n": model.len()}]);
        same(
            "their number",
            &server.rows("todo_query", &json!({"sql": "SELECT count(*) AS n FROM todo"}))?.into(),
            &count,
        )?;
        for (id, record) in &model {
            let one = listed(&Model::from([(id.clone(), record.clone())]));
            same("one of them", &server.rows("todo_get", &json!({"id": id}))?.into(), &one.into())?;
        }
    }
    Ok(())
}

fn same(what: &str, found: &Value, wanted: &Value) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: {found}, and not {wanted}").into()) }
}

/// Values are made while others write what they are made of: nothing of either is lost, and in the end each value is that of its record.
pub(crate) fn values_are_made_beside_writers() -> crate::Outcome {
    made_beside_writers(Kept::Folder)
}

pub(crate) fn values_are_made_beside_writers_in_sqlite() -> crate::Outcome {
    made_beside_writers(Kept::Sqlite)
}

pub(crate) fn values_are_made_beside_writers_in_postgres() -> crate::Outcome {
    made_beside_writers(Kept::Postgres("records_made"))
}

fn made_beside_writers(kept: Kept) -> crate::Outcome {
    const RECORDS: usize = 20;
    const ROUNDS: usize = 25;
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let fields = "      - { name: twice, logicalType: integer, x-derived: true }\n      - { name: shout, logicalType: string, x-derived: true }\n";
    let derived = "    derived:\n      twice: { sql: 2 * << stars >> }\n      shout: { sql: \"upper(<< title >>) || << twice >>\" }\n";
    kept.project(dir, fields, derived)?;
    let write = |name: &'static str| -> Result<(), String> {
        let told = |error: Box<dyn std::error::Error>| error.to_string();
        let mut server = Server::start(dir).map_err(told)?;
        for round in 0..ROUNDS {
            let record = |at: usize| json!({"id": format!("{name}{at}"), "title": format!("{name}{round}"), "stars": round * RECORDS + at});
            let sent: Vec<Value> =
                (0..RECORDS).filter(|at| (at + round) % 3 != 0 || round + 1 == ROUNDS).map(record).collect();
            server.rows("todo_upsert", &json!({"records": sent})).map_err(told)?;
        }
        Ok(())
    };
    let mut server = Server::start(dir)?;
    std::thread::scope(|scope| -> Outcome {
        let writers = ["p", "q"].map(|name| scope.spawn(move || write(name)));
        while writers.iter().any(|writer| !writer.is_finished()) {
            let done = server.rows("todo_materialize", &json!({}))?;
            let failures = done[0]["failures"].as_array().cloned().unwrap_or_default();
            if let Some(other) = failures.iter().find(|failure| failure["error_type"] != "RecordChanged") {
                return Err(format!("a value is not made: {other}").into());
            }
        }
        for writer in writers {
            writer.join().map_err(|_| "a writer panicked")??;
        }
        Ok(())
    })?;
    server.rows("todo_materialize", &json!({}))?;
    let stands = server.rows("todo_status", &json!({}))?;
    if let Some(stale) = stands.iter().find(|one| one["fresh_count"] != json!(2 * RECORDS)) {
        return Err(format!("not all values are fresh: {stale}").into());
    }
    let rows = server.rows("todo_list", &json!({"fields": ["id", "title", "stars", "twice", "shout"]}))?;
    let found: BTreeMap<String, Value> =
        rows.into_iter().map(|row| (row["id"].as_str().unwrap_or_default().to_owned(), row)).collect();
    server.0.end()?;
    for (name, at) in ["p", "q"].iter().flat_map(|name| (0..RECORDS).map(move |at| (name, at))) {
        let stars = (ROUNDS - 1) * RECORDS + at;
        let title = format!("{name}{}", ROUNDS - 1);
        let shout = format!("{}{}", title.to_uppercase(), 2 * stars);
        let wanted =
            json!({"id": format!("{name}{at}"), "title": title, "stars": stars, "twice": 2 * stars, "shout": shout});
        let record = found.get(&format!("{name}{at}")).cloned().unwrap_or_default();
        same("a record", &record, &wanted)?;
    }
    Ok(())
}

/// Values that never come are failures, however many: the others are made, and written.
pub(crate) fn values_that_never_come_are_failures() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let fields = "      - { name: n, logicalType: integer, x-derived: true }\n";
    let derived = "    timeout: 12s\n    derived:\n      n: { sql: \"SELECT count(*) FROM generate_series(1, 100000000000) AS a WHERE << id >> < 'f' AND a.value % 7 = 1\" }\n";
    Kept::Folder.project(dir, fields, derived)?;
    let lines: String =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|id| format!("{{\"id\":\"{id}\",\"title\":\"x\"}}\n")).concat();
    std::fs::write(dir.join("todo/records.jsonl"), lines)?;
    let mut server = Server::start(dir)?;
    let done = server.rows("todo_materialize", &json!({}))?;
    same("how many", &json!([done[0]["materialized"], done[0]["failed"]]), &json!([3, 5]))?;
    let failure = &done[0]["failures"][4];
    same("which", &json!([failure["record_id"], failure["error_type"]]), &json!(["e", "QueryFailed"]))?;
    server.0.end()?;
    let made: Vec<String> =
        records(dir)?.into_iter().filter(|(_, one)| one.contains_key("n")).map(|(id, _)| id).collect();
    same("what is written", &made.into(), &json!(["f", "g", "h"]))
}

/// A key that is a number is a text in the history of a database: what was made is told there all the same.
pub(crate) fn the_history_of_numbers_is_verified() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let fields = "      - { name: urgency, logicalType: string, x-derived: true, x-inputs: [stars] }\n";
    Kept::Sqlite.project(
        dir,
        fields,
        "    derived: { urgency: { sql: \"CASE WHEN << stars >> > 2 THEN 'high' ELSE 'low' END\" } }\n",
    )?;
    let contract = std::fs::read_to_string(dir.join("todo/contract.yaml"))?;
    std::fs::write(
        dir.join("todo/contract.yaml"),
        contract.replace("name: id, logicalType: string", "name: id, logicalType: integer"),
    )?;
    let binary = || Command::new(env!("CARGO_BIN_EXE_qtool"));
    let ddl = binary().current_dir(dir).args(["records", "ddl", "todo"]).output()?;
    std::fs::remove_file(dir.join("app.sqlite"))?;
    Kept::Sqlite.run(dir, &String::from_utf8(ddl.stdout)?)?;
    let mut server = Server::start(dir)?;
    server.rows("todo_upsert", &json!({"records": [{"id": 1, "title": "a", "stars": 3}, {"id": 20, "title": "b"}]}))?;
    server.rows("todo_materialize", &json!({}))?;
    let verified = binary().current_dir(dir).args(["records", "verify"]).output()?;
    let said = String::from_utf8(verified.stdout)?;
    match verified.status.success() && said.contains("2 records") {
        true => Ok(()),
        false => Err(said.into()),
    }
}
