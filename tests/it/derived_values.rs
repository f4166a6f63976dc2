//! Fields of records that programs, functions, web services and language models make, beside a server that says what it is asked.

use qtool::tool::Needs;
use qtool::workspace::{Locking, Workspace};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// What is sent as the key, and must be found nowhere.
const KEY: &str = "sk-a-key-that-nobody-sees-0123456789";
/// How long the slow answer takes; the projects wait for a shorter time.
const SLOW: Duration = Duration::from_secs(6);

/// A request as it came in.
#[derive(Debug, Clone, Default)]
struct Asked {
    path: String,
    authorization: Option<String>,
    body: Value,
}

impl Asked {
    /// What a model is asked.
    fn prompt(&self) -> &str {
        let messages = self.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        messages.last().and_then(|message| message["content"].as_str()).unwrap_or_default()
    }
}

/// A server of a model, and of numbers, which remembers what it was asked.
struct Server {
    url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    fn start() -> Outcome<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let url = format!("http://{}", listener.local_addr()?);
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                std::thread::spawn(move || serve(stream, &seen));
            }
        });
        Ok(Server { url, asked })
    }

    fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// How often it was asked since the last time.
    fn taken(&self) -> usize {
        std::mem::take(&mut *self.asked.lock().unwrap()).len()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Asked>>) {
    let Ok(read) = stream.try_clone() else { return };
    let mut reader = BufReader::new(read);
    loop {
        let (mut line, mut asked, mut length) = (String::new(), Asked::default(), 0);
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        asked.path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        line.clear();
        while reader.read_line(&mut line).unwrap_or(0) > 2 {
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            match name.to_lowercase().as_str() {
                "content-length" => length = value.trim().parse().unwrap_or(0),
                "authorization" => asked.authorization = Some(value.trim().to_owned()),
                _ => {}
            }
            line.clear();
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        asked.body = serde_json::from_slice(&body).unwrap_or_default();
        let times = {
            let mut seen = seen.lock().unwrap();
            seen.push(asked.clone());
            seen.iter().filter(|one| one.path == asked.path && one.body == asked.body).count()
        };
        let (status, more, body) = answer(&asked, times);
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{more}\r\n", body.len());
        if stream.write_all(format!("{head}{body}").as_bytes()).is_err() {
            return;
        }
    }
}

/// What is answered to a request that has come so often.
fn answer(asked: &Asked, times: usize) -> (u16, &'static str, String) {
    if let Some(title) = asked.path.strip_prefix("/rates/") {
        return match title {
            "gone" => (500, "", "a secret of the service".to_owned()),
            "none" => (404, "", String::new()),
            title => (200, "", json!({"rate": title.len()}).to_string()),
        };
    }
    let reply = |text: &str, end: &str| {
        let choice = json!({"finish_reason": end, "message": {"role": "assistant", "content": text}});
        let usage = json!({"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100});
        (200, "", json!({"choices": [choice], "usage": usage}).to_string())
    };
    let (what, title) = asked.prompt().split_once(": ").unwrap_or_default();
    match (what, title) {
        (_, "busy") if times == 1 => (429, "retry-after: 1\r\n", String::new()),
        (_, "closed") => (429, "retry-after: 9999\r\n", String::new()),
        (_, "slow") => {
            std::thread::sleep(SLOW);
            reply("late", "stop")
        }
        (_, "cut") => reply("half of an", "length"),
        (_, "echo") => (401, "", format!("no such key: {}", asked.authorization.clone().unwrap_or_default())),
        (_, "elsewhere") => (302, "location: /v1/chat/completions\r\n", String::new()),
        (_, "large") => reply(&"x".repeat(2 << 20), "stop"),
        ("stars", "bad") => reply("four", "stop"),
        ("stars", _) => reply(" 4\n", "stop"),
        ("good", _) => reply("True", "stop"),
        ("tags", _) => reply("```json\n[\"a\", \"b\"]\n```", "stop"),
        ("prio", "bad") => reply("P9", "stop"),
        ("prio", _) => reply("P1", "stop"),
        (_, title) => reply(&format!("About {title}."), "stop"),
    }
}

const CONTRACT: &str = "\
apiVersion: v3.0.0
kind: DataContract
id: todo
name: To do
version: 1.0.0
schema:
  - name: todo
    properties:
      - { name: id, logicalType: string, primaryKey: true }
      - { name: title, logicalType: string }
";

/// A project over records with these titles, whose derived fields are of these types.
fn project(yaml: &str, fields: &[(&str, &str)], titles: &[(&str, Option<&str>)]) -> Outcome<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("todo"))?;
    std::fs::create_dir_all(dir.join("tools"))?;
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    let fields = fields.iter().map(|(name, ty)| format!("      - {{ name: {name}, {ty}, x-derived: true }}\n"));
    std::fs::write(dir.join("todo/contract.yaml"), CONTRACT.to_owned() + &fields.collect::<String>())?;
    let records = titles.iter().map(|(id, title)| match title {
        Some(title) => json!({"id": id, "title": title}).to_string() + "\n",
        None => json!({"id": id}).to_string() + "\n",
    });
    std::fs::write(dir.join("todo/records.jsonl"), records.collect::<String>())?;
    Ok(folder)
}

/// Calls a tool: its one row, and all that was said.
fn call(dir: &Path, tool: &str, arguments: &Value) -> Outcome<(Value, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .args(["call", tool, "--yes", "--format", "structured", "--json", &arguments.to_string(), "-C"])
        .arg(dir)
        .env("KEY_OF_A_TEST", KEY)
        .env_remove("KEY_THAT_IS_NOT_SET")
        .output()?;
    let said = String::from_utf8_lossy(&[output.stdout.clone(), output.stderr].concat()).into_owned();
    let found: Value = serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}: {said}"))?;
    Ok((found["rows"][0].clone(), said))
}

fn materialize(dir: &Path, arguments: &Value) -> Outcome<Value> {
    let (row, said) = call(dir, "todo_materialize", arguments)?;
    if said.contains(KEY) || said.contains(&dir.display().to_string()) {
        return Err(format!("a secret is told: {said}").into());
    }
    Ok(row)
}

fn get(dir: &Path, id: &str) -> Outcome<Value> {
    Ok(call(dir, "todo_get", &json!({"id": id}))?.0)
}

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}").into()) }
}

/// How many values were made, skipped, and failed.
fn counts(row: &Value) -> [Option<u64>; 3] {
    ["materialized", "skipped", "failed"].map(|key| row[key].as_u64())
}

/// The failures, by record and field: of which type.
fn failures(row: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let one = |failure: &Value| {
        (format!("{}.{}", text(&failure["record_id"]), text(&failure["field"])), text(&failure["error_type"]))
    };
    let mut all: Vec<_> = row["failures"].as_array().into_iter().flatten().map(one).collect();
    all.sort();
    all
}

fn failed(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(cell, kind)| ((*cell).to_owned(), (*kind).to_owned())).collect()
}

/// About what is asked for in dollars: sums of doubles.
fn cost(row: &Value, wanted: f64) -> Outcome {
    let found = row["total_cost"].as_f64().unwrap_or(-1.0);
    if (found - wanted).abs() < 1e-9 { Ok(()) } else { Err(format!("it cost {found}, and not {wanted}").into()) }
}

const FIELDS: [(&str, &str); 5] = [
    ("label", "logicalType: string"),
    ("stars", "logicalType: integer"),
    ("good", "logicalType: boolean"),
    ("tags", "logicalType: array"),
    ("prio", "logicalType: string, enum: [P1, P2]"),
];

/// A project whose fields a model makes.
fn asking(server: &Server, more: &str, label: &str) -> String {
    let mut yaml = String::from("name: m\nrecords:\n  todo:\n    path: todo\n    actor: somebody\n    derived:\n");
    for (name, _) in FIELDS {
        let prompt = if name == "label" { label.to_owned() } else { format!("{name}: << title >>") };
        yaml.push_str(&format!(
            "      {name}:\n        ai:\n          url: {}/v1\n          model: m-1\n          key: \"${{KEY_OF_A_TEST}}\"\n          \
             private: true\n          system: Be short.\n          temperature: 0.5\n          prompt: \"{prompt}\"\n{more}",
            server.url
        ));
    }
    yaml
}

/// What a model answers is a value of the field or a failure, is paid for once, and is made anew where what it is made of is another.
pub(crate) fn models_make_fields() -> crate::Outcome {
    let server = Server::start()?;
    let price = "          price: { input: 1, output: 10 }\n";
    let titles = [("a", Some("tea")), ("b", Some("bad")), ("c", None)];
    let folder = project(&asking(&server, price, "label: << title >>"), &FIELDS, &titles)?;
    let dir = folder.path();

    let mut workspace = Workspace::load(dir).map_err(|error| format!("{error:?}"))?;
    let tools = crate::cases::block_on(async move {
        workspace.read_data(Locking::ReadOnly, |_| {}).await;
        workspace.compile().tools
    });
    expect("a server needs the key", Needs::of(&tools).variables.contains("KEY_OF_A_TEST"), true)?;
    let making = tools.iter().find(|tool| tool.contract.name == "todo_materialize").ok_or("no such tool")?;
    expect("it asks somebody", making.contract.annotations.open_world, true)?;

    let tried = materialize(dir, &json!({"dry_run": true}))?;
    expect("what would be made", counts(&tried), [Some(15), Some(0), Some(0)])?;
    cost(&tried, 0.0)?;
    expect("a dry run asks nobody", server.taken(), 0)?;
    expect("nothing is written", get(dir, "a")?["label"].clone(), Value::Null)?;

    let made = materialize(dir, &json!({}))?;
    expect("what is made", counts(&made), [Some(13), Some(0), Some(2)])?;
    expect("why", failures(&made), failed(&[("b.prio", "TypeMismatch"), ("b.stars", "TypeMismatch")]))?;
    cost(&made, 10.0 * 0.002)?;
    let asked = server.asked();
    expect("how often it was asked", asked.len(), 10)?;
    let label = asked.iter().find(|one| one.prompt() == "label: tea").ok_or("it was not asked")?;
    expect("where", label.path.as_str(), "/v1/chat/completions")?;
    expect("by whom", label.authorization.clone(), Some(format!("Bearer {KEY}")))?;
    let messages = json!([{"role": "system", "content": "Be short."}, {"role": "user", "content": "label: tea"}]);
    expect("what", label.body.clone(), json!({"model": "m-1", "messages": messages, "temperature": 0.5}))?;
    let record = get(dir, "a")?;
    let wanted = json!({"id": "a", "title": "tea", "label": "About tea.", "stars": 4, "good": true, "tags": ["a", "b"], "prio": "P1"});
    expect("the record", record, wanted)?;
    let history = std::fs::read_to_string(dir.join("todo/provenance.jsonl"))?;
    let line: Value = serde_json::from_str(history.lines().next().unwrap_or_default())?;
    let told = ["source", "model", "cost_usd", "input_tokens", "output_tokens"].map(|key| line[key].clone());
    expect("the history", told, [json!("ai"), json!("m-1"), json!(0.002), json!(1000), json!(100)])?;
    let everything = history + &std::fs::read_to_string(dir.join("todo/records.jsonl"))?;
    expect("the key is nowhere", everything.contains(KEY), false)?;
    let (status, _) = call(dir, "todo_status", &json!({"targets": ["label"]}))?;
    expect("its kind", (status["derivation_kind"].as_str(), status["ai_count"].as_u64()), (Some("ai"), Some(3)))?;

    server.taken();
    let again = materialize(dir, &json!({}))?;
    expect("only what failed is asked again", (counts(&again), server.taken()), ([Some(0), Some(13), Some(2)], 2))?;
    cost(&again, 2.0 * 0.002)?;
    call(dir, "todo_upsert", &json!({"records": [{"id": "b", "title": "cake"}]}))?;
    let other = materialize(dir, &json!({}))?;
    expect("another title", (counts(&other), server.taken()), ([Some(5), Some(10), Some(0)], 5))?;
    let dearer = "          price: { input: 2, output: 10 }\n          timeout: 9s\n";
    std::fs::write(dir.join("qtool.yaml"), asking(&server, dearer, "label: << title >>"))?;
    expect("another price", counts(&materialize(dir, &json!({}))?), [Some(0), Some(15), Some(0)])?;
    std::fs::write(dir.join("qtool.yaml"), asking(&server, dearer, "name: << title >>"))?;
    let other = materialize(dir, &json!({}))?;
    expect("another prompt", (counts(&other), server.taken()), ([Some(3), Some(12), Some(0)], 2))?;
    cost(&other, 2.0 * 0.003)?;

    // Whoever agrees beforehand has it asked once.
    let confirmed =
        asking(&server, "", "again: << title >>").replace("actor: somebody", "actor: somebody\n    confirm: true");
    std::fs::write(dir.join("qtool.yaml"), confirmed)?;
    let agreed = materialize(dir, &json!({"record_ids": ["a"]}))?;
    expect("what was agreed to", (counts(&agreed), server.taken()), ([Some(1), Some(4), Some(0)], 1))?;

    let yaml = asking(&server, "", "other: << title >>").replace("KEY_OF_A_TEST", "KEY_THAT_IS_NOT_SET");
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    let unset = materialize(dir, &json!({"targets": ["label"], "record_ids": ["a"]}))?;
    expect("without a key", (failures(&unset), server.taken()), (failed(&[("a.label", "RequestFailed")]), 0))?;
    Ok(())
}

/// A model that does not answer, or not as it should, is a failure of its record: soon, and without a secret.
pub(crate) fn models_that_do_not_answer_are_told() -> crate::Outcome {
    let server = Server::start()?;
    let names = ["busy", "closed", "slow", "cut", "echo", "elsewhere", "large", "plain"];
    let titles = names.map(|name| (name, Some(name)));
    let more = "          timeout: 3s\n          price: { input: 1, output: 10 }\n";
    let folder = project(&asking(&server, more, "label: << title >>"), &FIELDS, &titles)?;
    let dir = folder.path();
    let made = materialize(dir, &json!({"targets": ["label"]}))?;
    let wanted = [
        ("closed.label", "RequestFailed"),
        ("cut.label", "NoAnswer"),
        ("echo.label", "RequestFailed"),
        ("elsewhere.label", "RequestFailed"),
        ("large.label", "RequestFailed"),
        ("slow.label", "RequestFailed"),
    ];
    expect("why", failures(&made), failed(&wanted))?;
    // What is half of an answer is paid for as a whole one.
    cost(&made, 3.0 * 0.002)?;
    let asked = server.asked();
    let times = |name: &str| asked.iter().filter(|one| one.prompt().ends_with(name)).count();
    expect("who is busy is asked again", (times("busy"), times("closed")), (2, 1))?;
    expect("and answers then", get(dir, "busy")?["label"].clone(), json!("About busy."))?;
    Ok(())
}

const CODE: &str = "\
def score(title):
    if title == 'bad':
        raise ValueError('a secret of the function')
    return {'score': 'many' if title == 'text' else len(title)}


def share(title):
    return 'much' if title == 'text' else len(title) / 2
";

/// Programs, functions and requests make fields; what they do wrong is told, and nothing of what is behind it.
pub(crate) fn programs_functions_and_requests_make_fields() -> crate::Outcome {
    if std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).all(|at| !at.join("python3").is_file()) {
        let _ = writeln!(std::io::stderr(), "fields that functions make are left out: there is no Python here");
        return Ok(());
    }
    let server = Server::start()?;
    let made = |tool: &str| format!("{{ tool: {tool}, arguments: {{ title: title }} }}");
    let yaml = format!(
        "name: m\nprograms: {{ require_sandbox: false }}\nrecords:\n  todo:\n    path: todo\n    actor: somebody\n    derived:\n      \
         score: {}\n      share: {}\n      shout: {}\n      rate: {}\n      sent: {}\n      twice: {{ sql: << sent >> * 2 }}\n",
        made("score"),
        made("share"),
        made("shout"),
        made("rate"),
        made("send")
    );
    let fields = [
        ("score", "logicalType: integer"),
        ("share", "logicalType: number"),
        ("shout", "logicalType: string"),
        ("rate", "logicalType: integer"),
        ("sent", "logicalType: integer"),
        ("twice", "logicalType: integer"),
    ];
    let titles = [
        ("a", Some("tea")),
        ("b", Some("bad")),
        ("c", None),
        ("d", Some("text")),
        ("e", Some("gone")),
        ("f", Some("none")),
    ];
    let folder = project(&yaml, &fields, &titles)?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("code"))?;
    std::fs::write(dir.join("code/f.py"), CODE)?;
    std::fs::write(dir.join("code/shout.py"), "import sys\nprint(sys.argv[-1].upper())\n")?;
    let reads = "annotations: { read_only: true }\n";
    let head = "description: d\nparams: { title: { type: text } }\n";
    let request = format!(
        "http: {{ url: \"{}/rates/<< title >>\", private: true }}\nempty: [404]\ncolumns: {{ rate: {{ type: int }} }}\n",
        server.url
    );
    let manifests = [
        ("score", format!("{head}python: code/f.py:score\ncolumns: {{ score: {{ type: int }} }}\n{reads}")),
        ("share", format!("{head}python: code/f.py:share\n{reads}")),
        ("shout", format!("{head}run: [python3, code/shout.py, --, << title >>]\n{reads}")),
        ("rate", format!("{head}{request}{reads}")),
        ("send", format!("{head}{request}")),
    ];
    for (name, text) in manifests {
        std::fs::write(dir.join(format!("tools/{name}.yaml")), text)?;
    }

    let tried = materialize(dir, &json!({"dry_run": true, "record_ids": ["a", "b"]}))?;
    expect("a dry run asks no service", server.taken(), 0)?;
    expect(
        "and tells what would be",
        (counts(&tried), failures(&tried)),
        ([Some(11), Some(0), Some(1)], failed(&[("b.score", "ProgramFailed")])),
    )?;

    let all = materialize(dir, &json!({}))?;
    let wanted = [
        ("b.score", "ProgramFailed"),
        ("d.score", "ProgramFailed"),
        ("d.share", "TypeMismatch"),
        ("e.rate", "RequestFailed"),
        ("e.sent", "RequestFailed"),
    ];
    expect("why", failures(&all), failed(&wanted))?;
    expect("nothing behind it is told", all.to_string().contains("secret"), false)?;
    let record = |id: &str, title: Value, made: [Value; 6]| {
        let [score, share, shout, rate, sent, twice] = made;
        json!({"id": id, "title": title, "score": score, "share": share, "shout": shout, "rate": rate, "sent": sent, "twice": twice})
    };
    let made = [json!(3), json!(1.5), json!("TEA"), json!(3), json!(3), json!(6)];
    expect("a record", get(dir, "a")?, record("a", json!("tea"), made))?;
    expect("one without a title", get(dir, "c")?, record("c", Value::Null, [const { Value::Null }; 6]))?;
    let none = get(dir, "f")?;
    expect("no row", (none["shout"].clone(), none["rate"].clone()), (json!("NONE"), Value::Null))?;
    let history = std::fs::read_to_string(dir.join("todo/provenance.jsonl"))?;
    let source = |field: &str| {
        let lines = history.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut own = lines.filter(|line| line["field"] == field);
        own.next().map(|line| line["source"].clone())
    };
    let sources = ["score", "shout", "rate", "twice"].map(source);
    expect("the history", sources, ["python", "python", "http", "sql"].map(|kind| Some(json!(kind))))?;

    server.taken();
    let again = materialize(dir, &json!({}))?;
    expect("what failed is asked again", (failures(&again), server.taken()), (failed(&wanted), 2))?;
    call(dir, "todo_upsert", &json!({"records": [{"id": "a", "title": "coffee"}]}))?;
    let other = materialize(dir, &json!({"record_ids": ["a"]}))?;
    expect("another title", (counts(&other), server.taken()), ([Some(6), Some(0), Some(0)], 2))?;
    Ok(())
}
