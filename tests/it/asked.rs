//! Questions that other servers ask during a call, and arguments that a person is asked for, by clients of both eras.

use crate::http::{Running, post};
use crate::stdio::Client;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const TOKEN: &str = "a-secret-of-ours";

fn expect<T: PartialEq + std::fmt::Debug>(what: &str, found: T, wanted: T) -> Outcome {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}").into()) }
}

/// Makes a project with a server that asks, and accepts its tools.
fn project(dir: &Path, arguments: &[&str], more: &str) -> Outcome {
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/asker.py");
    std::fs::copy(fake, dir.join("asker.py"))?;
    let command = json!([&["python3", "asker.py", "--log", "asked.log"], arguments].concat());
    let yaml = format!(
        "name: asking\nresources: {{ enabled: false }}\nupstreams:\n  asker:\n    command: {command}\n    env: {{ ASKER_TOKEN: \"${{ASKER_TOKEN}}\" }}\n    \
         include: ['*']\n    overrides: {{ weather: {{ ask: true }} }}\n{more}"
    );
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    for arguments in [&["lock"][..], &["review", "--accept"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_qtool"))
            .args(arguments)
            .current_dir(dir)
            .env("ASKER_TOKEN", TOKEN)
            .output()?;
        if !output.status.success() {
            let said = [output.stdout, output.stderr].concat();
            return Err(format!("{arguments:?}: {}", String::from_utf8_lossy(&said)).into());
        }
    }
    Ok(())
}

/// What a person or a model says: the answer to a question, by its method and its words.
type Says<'a> = &'a mut dyn FnMut(&str, &Value) -> Outcome<Value>;

/// The text of an answer, or the code of its error.
fn told(answer: &Value) -> String {
    let result = &answer["result"];
    match result["_meta"]["qtool/error"]["code"].as_str() {
        Some(code) => code.to_owned(),
        None => result["content"][0]["text"].as_str().map_or_else(|| answer.to_string(), str::to_owned),
    }
}

fn call(client: &mut Client, name: &str, arguments: &Value, says: Says<'_>) -> Outcome<String> {
    let params = json!({"name": name, "arguments": arguments});
    client.send(&json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}))?;
    loop {
        let message = client.receive()?;
        let Some(method) = message["method"].as_str() else { return Ok(told(&message)) };
        let result = says(method, &message["params"])?;
        client.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}))?;
    }
}

fn named(name: &str) -> Value {
    json!({"action": "accept", "content": {"name": name}})
}

/// What a person says to each question, in turn.
fn in_turn(answers: Vec<Value>) -> impl FnMut(&str, &Value) -> Outcome<Value> {
    let mut answers = answers.into_iter();
    move |_, _| answers.next().ok_or_else(|| "more was asked".into())
}

const BOTH: &str = "    elicitation: true\n    sampling: true\n";

fn sampled(words: &str) -> Value {
    json!({"role": "assistant", "model": "m", "content": {"type": "text", "text": words}})
}

fn asked_over_stdio(arguments: &[&str]) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, arguments, BOTH)?;
    let able = json!({"elicitation": {}, "sampling": {}});
    let mut client = Client::start_with(dir, &able, &[("ASKER_TOKEN", TOKEN)])?;
    let nothing = json!({});
    let mut question = Value::Null;
    let mut says = |method: &str, params: &Value| {
        expect("the method", method, "elicitation/create")?;
        question = params.clone();
        Ok(named("Ada"))
    };
    expect("greeted", call(&mut client, "greet", &nothing, &mut says)?, "hello Ada".to_owned())?;
    expect("who asks", question["message"].as_str(), Some("The server `asker` asks: Who are you? …"))?;
    expect("the form", question["requestedSchema"]["required"].clone(), json!(["name"]))?;
    let both = in_turn(vec![named("Ada"), named("Lovelace")]);
    expect("twice", call(&mut client, "twice", &nothing, &mut { both })?, "Ada Lovelace".to_owned())?;
    let declines = json!({"action": "decline"});
    let declined = call(&mut client, "greet", &nothing, &mut in_turn(vec![declines]))?;
    expect("declined", declined, "no: {\"action\": \"decline\"}".to_owned())?;
    // What does not fit the form is not passed on.
    let unfit = call(&mut client, "greet", &nothing, &mut in_turn(vec![named("A")]))?;
    expect("unfit", unfit, "no: {\"action\": \"cancel\"}".to_owned())?;
    let mut model = |method: &str, params: &Value| {
        expect("the method", method, "sampling/createMessage")?;
        // What others have said is no business of that server.
        expect("context", params.get("includeContext").cloned(), None)?;
        Ok(sampled("short"))
    };
    expect("sampled", call(&mut client, "sum_up", &nothing, &mut model)?, "short".to_owned())?;
    let nobody = &mut |_: &str, _: &Value| Err("a person was asked".into());
    let link = call(&mut client, "link", &nothing, nobody)?;
    expect("a page somewhere else", link, "{\"action\": \"decline\"}".to_owned())?;
    // Arguments that are missing.
    let all = json!({"town": "Oslo", "days": 2});
    let sent = "{\"days\": 2, \"town\": \"Oslo\"}".to_owned();
    expect("nothing is missing", call(&mut client, "weather", &all, nobody)?, sent.clone())?;
    let mut question = Value::Null;
    let mut says = |_: &str, params: &Value| {
        question = params.clone();
        Ok(json!({"action": "accept", "content": {"town": "Oslo", "more": 1}}))
    };
    expect("filled", call(&mut client, "weather", &json!({"days": 2}), &mut says)?, sent)?;
    expect("what is missing", question["message"].as_str(), Some("`weather` needs `town`"))?;
    let wrong = json!({"action": "accept", "content": {"town": "Oslo", "days": 9}});
    let refused = call(&mut client, "weather", &nothing, &mut in_turn(vec![wrong]))?;
    expect("checked as what an agent sends", refused, "invalid-argument".to_owned())?;
    // A person is not asked for what must fail in any case.
    let wrong = call(&mut client, "weather", &json!({"days": 9}), nobody)?;
    expect("a value that does not fit", wrong, "invalid-arguments".to_owned())?;
    let cancels = json!({"action": "cancel"});
    let cancelled = call(&mut client, "weather", &nothing, &mut in_turn(vec![cancels]))?;
    expect("nobody says it", cancelled, "missing-argument".to_owned())?;
    client.end()?;
    let mut silent = Client::start_with(dir, &json!({}), &[("ASKER_TOKEN", TOKEN)])?;
    let silently = call(&mut silent, "greet", &nothing, nobody)?;
    expect("nobody to ask", silently, "no: {\"action\": \"decline\"}".to_owned())?;
    expect("missing", call(&mut silent, "weather", &json!({"days": 2}), nobody)?, "missing-argument".to_owned())?;
    silent.end()
}

pub(crate) fn servers_that_ask_by_requests_ask_over_stdio() -> crate::Outcome {
    asked_over_stdio(&[])
}

pub(crate) fn servers_that_ask_by_results_ask_over_stdio() -> crate::Outcome {
    asked_over_stdio(&["--stateless"])
}

pub(crate) fn questions_are_declined_where_nothing_is_said() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, &[], "")?;
    let able = json!({"elicitation": {}, "sampling": {}});
    let mut client = Client::start_with(dir, &able, &[("ASKER_TOKEN", TOKEN)])?;
    let nobody = &mut |_: &str, _: &Value| Err("somebody was asked".into());
    let declined = call(&mut client, "greet", &json!({}), nobody)?;
    expect("declined", declined, "no: {\"action\": \"decline\"}".to_owned())?;
    expect("nothing is declared", call(&mut client, "capabilities", &json!({}), nobody)?, "{}".to_owned())?;
    let model = call(&mut client, "sum_up", &json!({}), nobody)?;
    expect("no model", model.starts_with("no: ") && model.contains("-32601"), true)?;
    client.end()
}

pub(crate) fn a_call_that_is_given_up_leaves_no_question_behind() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, &[], &format!("    concurrency: 1\n{BOTH}"))?;
    let mut client = Client::start_with(dir, &json!({"elicitation": {}}), &[("ASKER_TOKEN", TOKEN)])?;
    let nobody = &mut |_: &str, _: &Value| Err("somebody was asked".into());
    let before = call(&mut client, "pid", &json!({}), nobody)?;
    let params = json!({"name": "late", "arguments": {}});
    client.send(&json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": params}))?;
    std::thread::sleep(std::time::Duration::from_millis(500));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 8}}))?;
    // What it would have asked late is not asked in the next call, which has a connection of its own.
    let mut says = in_turn(vec![named("Ada")]);
    expect("the next call", call(&mut client, "greet", &json!({}), &mut says)?, "hello Ada".to_owned())?;
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let after = call(&mut client, "pid", &json!({}), nobody)?;
    expect("another program", before == after, false)?;
    client.end()?;
    let log = std::fs::read_to_string(dir.join("asked.log"))?;
    expect("asked", log.lines().filter(|line| line.starts_with("late")).count(), 0)
}

/// No form stays before a person whose call is over.
pub(crate) fn a_question_of_a_call_that_is_given_up_is_withdrawn() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, &[], BOTH)?;
    let mut client = Client::start_with(dir, &json!({"elicitation": {}}), &[("ASKER_TOKEN", TOKEN)])?;
    for (id, (tool, arguments)) in [("greet", json!({})), ("weather", json!({"days": 2}))].into_iter().enumerate() {
        let params = json!({"name": tool, "arguments": arguments});
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))?;
        let question = client.receive()?;
        expect("a question", question["method"].as_str(), Some("elicitation/create"))?;
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}))?;
        let withdrawn = loop {
            let message = client.receive_any()?;
            if message["method"] == "notifications/cancelled" {
                break message;
            }
        };
        expect("which", &withdrawn["params"]["requestId"], &question["id"])?;
    }
    client.end()
}

/// A call of the newest revision; `reply` is what is sent again with an answer.
fn newest((address, tool): (&str, &str), arguments: &Value, (capabilities, reply): (&Value, &Value)) -> Outcome<Value> {
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

fn asked_over_http(arguments: &[&str]) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, arguments, BOTH)?;
    let server = Running::start_with(dir, &[], &[("ASKER_TOKEN", TOKEN)])?;
    let address = server.address.as_str();
    let (able, none) = (json!({"elicitation": {"form": {}}, "sampling": {}}), json!({}));
    let key_of = |question: &Value| {
        let all = question["result"]["inputRequests"].as_object();
        all.and_then(|all| all.keys().next().cloned()).unwrap_or_default()
    };
    let reply = |question: &Value, answer: Value| {
        let mut reply = json!({"inputResponses": {key_of(question): answer}});
        if let Some(state) = question["result"].get("requestState") {
            reply["requestState"] = state.clone();
        }
        reply
    };
    let greet = |reply: &Value| newest((address, "greet"), &none, (&able, reply));
    let question = greet(&none)?;
    let form = &question["result"]["inputRequests"][key_of(&question)];
    expect("the method", form["method"].as_str(), Some("elicitation/create"))?;
    expect("who asks", form["params"]["message"].as_str(), Some("The server `asker` asks: Who are you? …"))?;
    // The answer to another call is none of this one, and takes nothing away from it.
    let stolen = newest((address, "twice"), &none, (&able, &reply(&question, named("Eve"))))?;
    expect("another call", told(&stolen), "invalid-request".to_owned())?;
    expect("greeted", told(&greet(&reply(&question, named("Ada")))?), "hello Ada".to_owned())?;
    expect("answered once", told(&greet(&reply(&question, named("Ada")))?), "invalid-request".to_owned())?;
    let made_up = json!({"inputResponses": {"question_1": named("Eve")}, "requestState": "0123456789abcdef"});
    expect("made up", told(&greet(&made_up)?), "invalid-request".to_owned())?;
    let twice = |reply: &Value| newest((address, "twice"), &none, (&able, reply));
    let first = twice(&none)?;
    let second = twice(&reply(&first, named("Ada")))?;
    expect("twice", told(&twice(&reply(&second, named("Lovelace")))?), "Ada Lovelace".to_owned())?;
    let unanswered = greet(&none)?;
    let bare = json!({"requestState": unanswered["result"]["requestState"]});
    expect("no answer", told(&greet(&bare)?), "no: {\"action\": \"decline\"}".to_owned())?;
    let sum_up = |reply: &Value| newest((address, "sum_up"), &none, (&able, reply));
    let question = sum_up(&none)?;
    expect("sampled", told(&sum_up(&reply(&question, sampled("short")))?), "short".to_owned())?;
    let weather = |arguments: &Value, reply: &Value| newest((address, "weather"), arguments, (&able, reply));
    let days = json!({"days": 2});
    let question = weather(&days, &none)?;
    expect("what is missing", key_of(&question).as_str(), "arguments")?;
    let said = reply(&question, json!({"action": "accept", "content": {"town": "Oslo"}}));
    expect("filled", told(&weather(&days, &said)?), "{\"days\": 2, \"town\": \"Oslo\"}".to_owned())?;
    let refused = weather(&days, &reply(&question, json!({"action": "decline"})))?;
    expect("declined", told(&refused), "missing-argument".to_owned())?;
    let silent = newest((address, "greet"), &none, (&none, &none))?;
    expect("nobody to ask", told(&silent), "no: {\"action\": \"decline\"}".to_owned())?;
    let older =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "greet", "arguments": {}}});
    let older = post(address, "/mcp", "", &older.to_string())?;
    expect("an older revision", older.contains("decline"), true)?;
    let plain = post(address, "/tools/weather", "", "{\"days\": 2}")?;
    expect("plain HTTP", plain.contains("missing-argument"), true)
}

/// What is asked when its call is over belongs to nobody else.
pub(crate) fn a_question_that_comes_late_is_nobody_elses() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir, &[], &format!("    concurrency: 1\n{BOTH}"))?;
    let server = Running::start_with(dir, &[], &[("ASKER_TOKEN", TOKEN)])?;
    let (able, none) = (json!({"elicitation": {"form": {}}}), json!({}));
    let call = |tool: &str| newest((server.address.as_str(), tool), &none, (&able, &none));
    expect("the first", told(&call("trailing")?), "done".to_owned())?;
    // It is not known who calls: it may be somebody else.
    expect("the next", told(&call("slow")?), "slow".to_owned())
}

/// A server that says a secret of its own is not locked: agents would read it, and it would be in files.
pub(crate) fn a_secret_that_a_server_says_of_itself_is_not_locked() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/upstream.py");
    std::fs::copy(fake, dir.join("upstream.py"))?;
    let tool =
        json!({"name": "do", "description": format!("Does it with {TOKEN}."), "inputSchema": {"type": "object"}});
    std::fs::write(dir.join("notes.json"), json!({"tools": [tool]}).to_string())?;
    let yaml = "name: n\nupstreams:\n  notes: { command: [python3, upstream.py, notes.json], include: [do], env: { TOKEN: \"${ASKER_TOKEN}\" } }\n";
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    let output =
        Command::new(env!("CARGO_BIN_EXE_qtool")).arg("lock").current_dir(dir).env("ASKER_TOKEN", TOKEN).output()?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    expect("it is refused", (output.status.success(), said.contains("has a secret in it")), (false, true))?;
    expect("it is not told", said.contains(TOKEN), false)?;
    expect("it is in no file", dir.join("snapshots/upstreams/notes.json").exists(), false)
}

/// A server that refuses whoever asks what it has, with the secret in its words: they are told without it, wherever they are told.
pub(crate) fn a_server_that_refuses_with_a_secret_is_told_without_it() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/upstream.py");
    std::fs::copy(fake, dir.join("upstream.py"))?;
    let yaml = "name: n\nupstreams:\n  notes: { command: [python3, upstream.py, notes.json], include: [do], prompts: ['*'], env: { TOKEN: \"${ASKER_TOKEN}\" } }\n";
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    let says = |refuses: Value| {
        let tool = json!({"name": "do", "description": "Does it.", "inputSchema": {"type": "object"}});
        let says = json!({"tools": [tool], "prompts": [{"name": "hello"}], "refuses": refuses});
        std::fs::write(dir.join("notes.json"), says.to_string())
    };
    let run = |arguments: &[&str]| -> Outcome<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        let output = command.args(arguments).current_dir(dir).env("ASKER_TOKEN", TOKEN).output()?;
        Ok(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    // Where nothing is locked, these ask too.
    says(json!({"initialize": "bad token [token]"}))?;
    let unlocked = [&["check"][..], &["list"]];
    let expect_hidden = |said: &str, arguments: &[&str]| {
        expect(
            &format!("`{arguments:?}` said {said}"),
            (said.contains("bad token …"), said.contains(TOKEN)),
            (true, false),
        )
    };
    for arguments in unlocked {
        expect_hidden(&run(arguments)?, arguments)?;
    }
    says(json!({}))?;
    run(&["lock"])?;
    run(&["review", "--accept"])?;
    for method in ["initialize", "tools/list", "prompts/list"] {
        says(json!({method: "bad token [token]"}))?;
        for arguments in [&["call", "do"][..], &["lock"], &["drift"], &["drift", "--json"]] {
            expect_hidden(&run(arguments)?, arguments)?;
        }
    }
    Ok(())
}

pub(crate) fn servers_that_ask_by_requests_ask_over_http() -> crate::Outcome {
    asked_over_http(&[])
}

pub(crate) fn servers_that_ask_by_results_ask_over_http() -> crate::Outcome {
    asked_over_http(&["--stateless"])
}

const NOTES: &str = "\
name: notes
sources: { app: { type: sqlite, path: app.sqlite } }
tables: { notes: { source: app, description: A row per note., writable: true } }
";
const REMOVE: &str = "\
/*---
description: Removes notes.
source: app
confirm: true
ask: true
max_changes: 20
---*/
DELETE FROM notes WHERE title = << title >>
";

pub(crate) fn what_is_missing_is_asked_for_before_a_change_is_agreed_to() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), NOTES)?;
    std::fs::write(dir.join("queries/remove.sql"), REMOVE)?;
    rusqlite::Connection::open(dir.join("app.sqlite"))?.execute_batch(
        "CREATE TABLE notes (id integer PRIMARY KEY NOT NULL, title text NOT NULL);
         INSERT INTO notes VALUES (1, 'milk'), (2, 'oil');",
    )?;
    let server = Running::start(dir, &[])?;
    let (able, none) = (json!({"elicitation": {"form": {}}}), json!({}));
    let remove = |reply: &Value| newest((server.address.as_str(), "remove"), &none, (&able, reply));
    let question = remove(&none)?;
    expect("the form", question["result"]["inputRequests"]["arguments"].is_object(), true)?;
    let said = json!({"action": "accept", "content": {"title": "milk"}});
    let question = remove(&json!({"inputResponses": {"arguments": said}}))?;
    let shown = question["result"]["inputRequests"]["confirm"]["params"]["message"].as_str();
    expect("the change", shown.is_some_and(|shown| shown.starts_with("`remove` would change 1 row.")), true)?;
    let agreed = json!({"inputResponses": {"confirm": {"action": "accept", "content": {}}},
        "requestState": question["result"]["requestState"]});
    let answer = remove(&agreed)?;
    expect("changed", answer["result"]["structuredContent"]["changed"].clone(), json!(1))?;
    let again = remove(&agreed)?;
    expect("agreed to once", told(&again), "not-confirmed".to_owned())?;
    let connection = rusqlite::Connection::open(dir.join("app.sqlite"))?;
    let left: i64 = connection.query_row("SELECT count(*) FROM notes", [], |row| row.get(0))?;
    expect("left", left, 1)
}
