//! Calls whose clients leave, at any moment and by any way: each has its line in the record.

use crate::http::{Running, post};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PROJECT: &str = "\
name: given_up
audit: { to: log/calls.jsonl, arguments: values }
limits: { queue: 2000 }
";
const SMALL: &str = "/*--- { description: A number. } ---*/\nSELECT << n: int >> + 1 AS n\n";
/// Goes on until nobody waits.
const LONG: &str = "/*--- { description: Takes long., timeout: 60s } ---*/
SELECT count(*) + << n: int >> AS n FROM range(100000) AS a CROSS JOIN range(100000) AS b WHERE a.value * b.value = 7919\n";

fn project(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/small.sql"), SMALL)?;
    std::fs::write(dir.join("queries/long.sql"), LONG)
}

/// The numbers of the calls, by how they ended: each was sent a number of its own.
fn recorded(dir: &Path) -> Result<BTreeMap<i64, Vec<String>>, Box<dyn std::error::Error>> {
    let mut recorded: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for line in std::fs::read_to_string(dir.join("log/calls.jsonl"))?.lines() {
        let record: Value = serde_json::from_str(line)?;
        let n = record["arguments"]["n"].as_i64().ok_or_else(|| format!("no number: {line}"))?;
        recorded.entry(n).or_default().push(record["outcome"].as_str().unwrap_or_default().to_owned());
    }
    Ok(recorded)
}

/// Says which of the calls have not exactly one line.
fn all_once(recorded: &BTreeMap<i64, Vec<String>>, calls: i64) -> crate::Outcome {
    let wrong: Vec<String> = (0..calls)
        .filter(|n| recorded.get(n).is_none_or(|lines| lines.len() != 1))
        .map(|n| format!("{n}: {:?}", recorded.get(&n)))
        .collect();
    match wrong.as_slice() {
        [] => Ok(()),
        _ => Err(format!("{} of {calls} calls have not one line: {}", wrong.len(), wrong.join(", ")).into()),
    }
}

/// A call of that number, in one of the ways that a call can come.
fn request(address: &str, tool: &str, n: i64, way: i64) -> String {
    let mut message =
        json!({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": {"n": n}}});
    let (path, headers, body) = match way {
        0 => ("/mcp".to_owned(), "", message.to_string()),
        // The SDK answers what asks for progress, and the newest revision.
        1 => {
            message["params"]["_meta"] = json!({"progressToken": 1});
            ("/mcp".to_owned(), "", message.to_string())
        }
        2 => {
            message["params"]["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}});
            let headers = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n";
            ("/mcp".to_owned(), headers, message.to_string())
        }
        _ => (format!("/tools/{tool}"), "", json!({"n": n}).to_string()),
    };
    format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{}Content-Length: {}\r\n\r\n{body}",
        headers.replace("{tool}", tool),
        body.len()
    )
}

/// Sends a call and leaves after a while, which may be none.
fn give_up(address: &str, n: i64) {
    let Ok(mut stream) = TcpStream::connect(address) else { return };
    // Whoever leaves does not look at errors.
    let _ = stream.write_all(request(address, "long", n, n / 10 % 4).as_bytes());
    match n / 40 % 4 {
        0 => {}
        1 => drop(stream.shutdown(Shutdown::Write)),
        2 => std::thread::sleep(Duration::from_millis(u64::try_from(n % 7).unwrap_or_default())),
        _ => std::thread::sleep(Duration::from_millis(100)),
    }
}

/// Of a thousand calls, two hundred are given up: at once, in the middle, by each of the ways.
pub(crate) fn calls_that_are_given_up_are_recorded() -> crate::Outcome {
    const CALLS: i64 = 1_000;
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    std::thread::scope(|scope| {
        for worker in 0..10 {
            scope.spawn(move || {
                for n in (worker * 100)..(worker * 100 + 100) {
                    if n % 5 == 0 {
                        give_up(address, n);
                    } else {
                        let body = request(address, "small", n, n % 4)
                            .replace("Content-Length", "Connection: close\r\nContent-Length");
                        drop(crate::http::exchange(address, body.as_bytes()));
                    }
                }
            });
        }
    });
    server.stop()?;
    let recorded = recorded(folder.path())?;
    all_once(&recorded, CALLS)?;
    let not = |wanted: &str, given_up: bool| {
        let ended = recorded.iter().filter(|(n, _)| (*n % 5 == 0) == given_up);
        ended.filter(|(_, lines)| !lines.iter().all(|line| line == wanted)).count()
    };
    match (not("ok", false), not("cancelled", true)) {
        (0, 0) => Ok(()),
        (failed, answered) => Err(format!("{failed} were not answered, {answered} were not cancelled").into()),
    }
}

/// A server that is told to stop records those that it does not answer any more.
pub(crate) fn a_server_that_stops_records_what_it_drops() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let streams: Vec<TcpStream> = (0..8)
        .map(|n| {
            let mut stream = TcpStream::connect(&server.address)?;
            stream.write_all(request(&server.address, "long", n, n % 4).as_bytes())?;
            Ok(stream)
        })
        .collect::<std::io::Result<_>>()?;
    // Until they are under way: one that comes after them is answered.
    post(&server.address, "/mcp", "", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?;
    std::thread::sleep(Duration::from_millis(300));
    let took = server.stop()?;
    drop(streams);
    if took > Duration::from_secs(6) {
        return Err(format!("stopping took {took:?}").into());
    }
    all_once(&recorded(folder.path())?, 8)
}

/// Over standard input: calls that are cancelled, and those under way when the client is gone.
pub(crate) fn calls_over_stdio_are_recorded_to_the_end() -> crate::Outcome {
    const CALLS: i64 = 60;
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .arg("serve")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let initialize = json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    writeln!(input, "{initialize}")?;
    output.read_line(&mut String::new())?;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    for n in 0..CALLS {
        let tool = if n % 3 == 0 { "small" } else { "long" };
        let call =
            json!({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": {"n": n}}});
        writeln!(input, "{call}")?;
        if n % 3 == 1 {
            let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": n}});
            writeln!(input, "{cancel}")?;
        }
    }
    // All of it has been read when what was sent last is answered.
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": "last", "method": "ping"}))?;
    let mut line = String::new();
    while !line.contains("\"last\"") {
        line.clear();
        if output.read_line(&mut line)? == 0 {
            return Err("the server ended before its input".into());
        }
    }
    drop(input);
    child.wait()?;
    all_once(&recorded(folder.path())?, CALLS)
}

/// What is refused before a call begins has its line too.
pub(crate) fn refused_calls_are_recorded() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let yaml = format!("{PROJECT}discovery: {{ above: 1 }}\n").replace("arguments: values", "arguments: none");
    std::fs::write(folder.path().join("qtool.yaml"), yaml)?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let call = |params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
        post(address, "/mcp", "", &body).map(drop)
    };
    call(json!({"name": "small", "arguments": [1]}))?;
    call(json!({"name": "small", "arguments": {"m": 1}}))?;
    call(json!({"name": "call_tool", "arguments": {"name": "none"}}))?;
    call(json!({"name": "call_tool", "arguments": {"arguments": {}}}))?;
    call(json!({"name": "search_tools", "arguments": {"q": 1}}))?;
    call(json!({"name": "none"}))?;
    post(address, "/tools/small", "Accept: image/png", "{}")?;
    post(address, "/tools/small", "", "[1]")?;
    post(address, "/tools/small", "", "{\"n\":")?;
    post(address, "/tools/small", "", "{\"table_format\": \"csv\"}")?;
    post(address, "/tools/small", "", &"x".repeat(2 << 20))?;
    post(address, "/tools/none", "", "{}")?;
    // What is wrong with a call does not matter where there is no tool.
    post(address, "/tools/none", "", "{\"n\":")?;
    post(address, "/tools/none", "Accept: image/png", "{}")?;
    call(json!({"name": "call_tool", "arguments": {"name": "small", "arguments": [1]}}))?;
    // Nor what is wrong with a call of one that is not there.
    call(json!({"name": "call_tool", "arguments": {"name": "none", "arguments": [1]}}))?;
    call(json!({"name": "call_tool", "arguments": {"name": "none", "arguments": "n"}}))?;
    call(json!({"name": "call_tool", "arguments": {"name": "none", "further": 1}}))?;
    for twice in [
        r#"{"name":"none","arguments":{},"arguments":{}}"#,
        r#"{"name":"none","arguments":{"n":1,"n":2}}"#,
        r#"{"name":"small","arguments":{"n":1,"n":2}}"#,
    ] {
        let params = format!(r#"{{"name":"call_tool","arguments":{twice}}}"#);
        let message = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        post(address, "/mcp", "", &message)?;
    }
    // What only `qtool` itself leaves in arguments is a name like any other.
    call(json!({"name": "small", "arguments": {"n": 1, "qtool/repeated": "n"}}))?;
    let message = request_of(1, "small").to_string();
    post(address, "/mcp", "Content-Type: text/plain", &message)?;
    post(address, "/mcp", "Content-Type: application/json\nContent-Encoding: gzip", &message)?;
    post(address, "/mcp", "Accept: application/json", &message)?;
    let found = json!({"name": "call_tool", "arguments": {"name": "small", "arguments": {"n": 1}}});
    let by_search = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": found}).to_string();
    post(address, "/mcp", "Accept: application/json", &by_search)?;
    post(address, "/mcp", "MCP-Protocol-Version: 1999-01-01", &message)?;
    post(address, "/mcp", "MCP-Protocol-Version: 2025-06-18\nMCP-Protocol-Version: 2025-11-25", &message)?;
    post(address, "/mcp", "Content-Type: application/json; charset=utf-16", &message)?;
    post(address, "/mcp", "Accept: application/json;q=0, text/event-stream", &message)?;
    // What nobody can tell the tool of.
    post(address, "/mcp", "Accept: application/json", "[1]")?;
    post(address, "/mcp", "", &"x".repeat(2 << 20))?;
    post(address, "/mcp", "", "{\"jsonrpc\":")?;
    post(address, "/mcp", "", &format!("[{message}]"))?;
    post(address, "/mcp", "", r#"["2.0",1,"tools/call",{"name":"small","arguments":{"n":1}}]"#)?;
    post(address, "/mcp", "", r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["small",{"n":1},null]}"#)?;
    let chunked = "Content-Length:\nTransfer-Encoding: chunked";
    post(address, "/mcp", chunked, "no size\r\n{}")?;
    post(address, "/tools/small", chunked, "no size\r\n{}")?;
    post(address, "/tools/small", "Content-Encoding: gzip", "{\"n\": 1}")?;
    post(address, "/tools/%ff", "", "{}")?;
    // What asks for something else has no line, and neither has what was never sent to its end.
    post(address, "/mcp", "Content-Type: text/plain", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?;
    post(address, "/mcp", "", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#)?;
    post(address, "/mcp", "", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)?;
    for way in [0, 3] {
        let whole = request(address, "small", 1, way);
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(whole.get(..whole.len() - 2).ok_or("too short")?.as_bytes())?;
        stream.shutdown(Shutdown::Both)?;
    }
    server.stop()?;
    let text = std::fs::read_to_string(folder.path().join("log/calls.jsonl"))?;
    let found: Vec<String> = text
        .lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line)?;
            Ok(format!("{} {}", record["tool"].as_str().unwrap_or("?"), record["outcome"].as_str().unwrap_or("?")))
        })
        .collect::<Result<_, serde_json::Error>>()?;
    let expected = [
        "small invalid-request",
        "small invalid-arguments",
        "none unknown-tool",
        "call_tool missing-argument",
        "search_tools unknown-argument",
        "none unknown-tool",
        "small not-acceptable",
        "small invalid-json",
        "small invalid-json",
        "small unknown-argument",
        "small arguments-too-large",
        "none unknown-tool",
        "none unknown-tool",
        "none unknown-tool",
        "small invalid-argument",
        "none unknown-tool",
        "none unknown-tool",
        "none unknown-tool",
        "none unknown-tool",
        "none unknown-tool",
        "small invalid-argument",
        "small unknown-argument",
        "small unsupported-media-type",
        "small unsupported-media-type",
        "small not-acceptable",
        "small not-acceptable",
        "small invalid-request",
        "small invalid-request",
        "small unsupported-media-type",
        "small not-acceptable",
        " not-acceptable",
        " arguments-too-large",
        " invalid-json",
        // A batch of one call, and one of four things that are no message.
        "small ok",
        " invalid-request",
        " invalid-request",
        " invalid-request",
        " invalid-request",
        " invalid-request",
        " invalid-request",
        "small invalid-request",
        "small unsupported-media-type",
        " unknown-tool",
    ];
    if found == expected { Ok(()) } else { Err(format!("{found:#?}").into()) }
}

/// A call as a message.
fn request_of(n: i64, tool: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": {"name": tool, "arguments": {"n": n}}})
}

/// Who has sent several calls at once and leaves is noticed at the first of them; none of them goes on.
pub(crate) fn calls_that_wait_behind_one_that_is_given_up_are_recorded() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let all: String = (0..4).map(|n| request(&server.address, "long", n, n)).collect();
    let mut stream = TcpStream::connect(&server.address)?;
    stream.write_all(all.as_bytes())?;
    std::thread::sleep(Duration::from_millis(300));
    drop(stream);
    let began = std::time::Instant::now();
    loop {
        let recorded = recorded(folder.path()).unwrap_or_default();
        if recorded.len() == 4 {
            all_once(&recorded, 4)?;
            return match recorded.values().flatten().all(|outcome| outcome == "cancelled") {
                true => Ok(()),
                false => Err(format!("{recorded:?}").into()),
            };
        }
        // Each of them takes a minute where nobody gives it up.
        if began.elapsed() > Duration::from_secs(15) {
            return Err(format!("only these were recorded: {recorded:?}").into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Who has sent many calls in one piece and closes the connection at once, with answers that are not read: what was sent
/// is read to its end, though the first answers cannot be written any more.
pub(crate) fn pipelined_calls_of_a_client_that_leaves_are_recorded() -> crate::Outcome {
    const CLIENTS: i64 = 6;
    const CALLS: i64 = 20;
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    for client in 0..CLIENTS {
        let numbers = client * CALLS..(client + 1) * CALLS;
        let all: String = numbers.map(|n| request(&server.address, "small", n, n % 4)).collect();
        // Rows as lines are written as they come: an answer whose length is not known.
        let all = match client % 2 {
            0 => all,
            _ => all.replace(
                "application/json, text/event-stream",
                "application/x-ndjson, application/json, text/event-stream",
            ),
        };
        let mut stream = TcpStream::connect(&server.address)?;
        stream.write_all(all.as_bytes())?;
        drop(stream);
    }
    let began = std::time::Instant::now();
    let all_are_there = || recorded(folder.path()).is_ok_and(|recorded| recorded.len() == 120);
    while !all_are_there() && began.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(50));
    }
    server.stop()?;
    all_once(&recorded(folder.path())?, CLIENTS * CALLS)
}

/// Lines that are no calls though they may have been meant for one, each with its line in the record.
const MALFORMED: [(&str, &str); 15] = [
    ("garbage", " invalid-json"),
    (r#"{"jsonrpc":"2.0","id":1,"#, " invalid-json"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\ud800"}}"#, " invalid-json"),
    (r#"{"a":1}"#, " invalid-request"),
    ("[1]", " invalid-request"),
    (
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"small","arguments":{"n":1}}}]"#,
        " invalid-request",
    ),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, " invalid-request"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"n":1}}}"#, " invalid-request"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, " invalid-request"),
    (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["small",{"n":1}]}"#, " invalid-request"),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"small","arguments":[1]}}"#,
        "small invalid-request",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"small","arguments":"n"}}"#,
        "small invalid-request",
    ),
    (
        r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"small","arguments":{"n":1}}}"#,
        "small invalid-request",
    ),
    (
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"small","arguments":{"n":1}}}"#,
        "small invalid-request",
    ),
    (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7}}"#, " invalid-request"),
];

/// What is refused of standard input has its line, and the next call is answered.
pub(crate) fn malformed_calls_over_stdio_are_recorded() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    std::fs::write(folder.path().join("qtool.yaml"), PROJECT.replace("arguments: values", "arguments: none"))?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .arg("serve")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let mut exchange = |line: &str, id: &Value| -> Result<Value, Box<dyn std::error::Error>> {
        writeln!(input, "{line}")?;
        loop {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                return Err("the server ended before its input".into());
            }
            let answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == *id {
                return Ok(answer);
            }
        }
    };
    // A client that has not said what it speaks is refused, by the SDK.
    let early = exchange(&request_of(7, "small").to_string(), &json!(7))?;
    let initialize = json!({"jsonrpc": "2.0", "id": "first", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    exchange(&initialize.to_string(), &json!("first"))?;
    let long = "x".repeat(17 << 20);
    let mut expected = vec!["small invalid-request", " arguments-too-large"];
    let mut sent = vec![long.as_str()];
    for (line, outcome) in MALFORMED {
        expected.push(outcome);
        sent.push(line);
    }
    for (n, line) in (100..).zip(&sent) {
        let answer = exchange(&format!("{line}\n{}", request_of(n, "small")), &json!(n))?;
        if answer["result"]["isError"] != json!(false) {
            return Err(format!("after {}: {answer}", line.get(..100).unwrap_or(line)).into());
        }
    }
    for (line, id) in [
        (r#"{"jsonrpc":"2.0","id":"list","method":"tools/list","params":[]}"#, "list"),
        (r#"{"jsonrpc":"2.0","id":"twice","method":"ping","method":"ping"}"#, "twice"),
        (r#"{"jsonrpc":"2.0","id":"half","method":"tools/list","params":{"cursor":"\ud800"}}"#, "half"),
    ] {
        let answer = exchange(line, &json!(id))?;
        if !answer["error"].is_object() {
            return Err(format!("{line}: {answer}").into());
        }
    }
    // Of these two nobody can tell whether they were meant for calls.
    expected.extend([" invalid-request", " invalid-json"]);
    drop(input);
    child.wait()?;
    let mut found: Vec<String> = std::fs::read_to_string(folder.path().join("log/calls.jsonl"))?
        .lines()
        .map(|line| {
            let record: Value = serde_json::from_str(line)?;
            Ok(format!("{} {}", record["tool"].as_str().unwrap_or("?"), record["outcome"].as_str().unwrap_or("?")))
        })
        .collect::<Result<_, serde_json::Error>>()?;
    // What is refused by the SDK is recorded beside the call that comes next.
    found.sort();
    expected.extend(std::iter::repeat_n("small ok", sent.len()));
    expected.sort_unstable();
    match found == expected && early["error"].is_object() {
        true => Ok(()),
        false => Err(format!("{early}\n{found:#?}\n{expected:#?}").into()),
    }
}
