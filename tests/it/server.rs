//! The running server under load, under attack, and at its end.

use crate::cases::copy_all;
use crate::http::{Running, post};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const PROJECT: &str = "\
name: server
tables: { flights: { path: data/flights.parquet, primary_key: [date, carrier, flight, origin] } }
audit: { to: log/calls.jsonl, arguments: values }
";
const SMALL: &str = "/*--- { description: A number. } ---*/\nSELECT << n: int >> + 1 AS n\n";
const FAILING: &str = "/*--- { description: A quotient. } ---*/\nSELECT 1 / << n: bigint >> AS n\n";
/// Joins that look at a hundred billion pairs of flights, each in a way of its own.
const HOSTILE: [&str; 8] = [
    "SELECT count(*) AS n FROM flights AS a, flights AS b WHERE a.arr_delay + b.dep_delay > << n: bigint >>",
    "SELECT count(*) AS n FROM flights AS a JOIN flights AS b ON a.arr_delay * b.dep_delay > << n: bigint >>",
    "SELECT max(a.flight + b.flight) AS n FROM flights AS a, flights AS b WHERE a.flight <> b.flight + << n: bigint >>",
    "SELECT count(DISTINCT a.flight * b.flight) AS n FROM flights AS a, flights AS b WHERE a.distance > b.distance + << n: bigint >>",
    "SELECT sum(a.flight) AS n FROM flights AS a JOIN flights AS b ON a.carrier = b.carrier AND a.flight > b.flight + << n: bigint >>",
    "SELECT count(*) AS n FROM flights AS a LEFT JOIN flights AS b ON a.air_time < b.air_time - << n: bigint >>",
    "SELECT count(*) AS n FROM flights AS a WHERE EXISTS (SELECT 1 FROM flights AS b WHERE b.flight * a.flight = << n: bigint >> - 999999937)",
    "SELECT count(DISTINCT a.tailnum || b.tailnum || CAST(<< n: bigint >> AS text)) AS n FROM flights AS a, flights AS b",
];

fn project(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/small.sql"), SMALL)?;
    std::fs::write(dir.join("queries/failing.sql"), FAILING)?;
    for (at, sql) in HOSTILE.iter().enumerate() {
        let text = format!("/*--- {{ description: A join., timeout: 1s }} ---*/\n{sql}\n");
        std::fs::write(dir.join(format!("queries/hostile_{at}.sql")), text)?;
    }
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data"), &dir.join("data"))
}

fn call(address: &str, tool: &str, arguments: &Value) -> Result<Value, String> {
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
    let answer = post(address, "/mcp", "", &body.to_string()).map_err(|error| error.to_string())?;
    let json = answer.rsplit_once("\r\n\r\n").map_or("", |(_, body)| body);
    let json = json.lines().find(|line| line.starts_with('{')).unwrap_or(json);
    serde_json::from_str(json).map_err(|error| format!("{error}: {answer}"))
}

fn code(answer: &Value) -> &str {
    answer["result"]["_meta"]["qtool/error"]["code"].as_str().unwrap_or("ok")
}

/// While joins that do not end use up their second, again and again, a small tool answers at once.
pub(crate) fn small_calls_are_not_kept() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let over = AtomicBool::new(false);
    let (times, outcomes) = std::thread::scope(|scope| {
        let attackers: Vec<_> = (0..HOSTILE.len())
            .map(|at| {
                let over = &over;
                scope.spawn(move || {
                    let mut codes = Vec::new();
                    while !over.load(Ordering::Relaxed) {
                        let answer = call(address, &format!("hostile_{at}"), &json!({"n": 1}));
                        codes.push(answer.map_or_else(|error| error, |answer| code(&answer).to_owned()));
                    }
                    codes
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(500));
        let mut times = Vec::new();
        for n in 0..200 {
            let started = Instant::now();
            let answer = call(address, "small", &json!({"n": n}));
            times.push(started.elapsed());
            if answer.as_ref().ok().map(code) != Some("ok") {
                over.store(true, Ordering::Relaxed);
                return Err(format!("the small tool: {answer:?}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        over.store(true, Ordering::Relaxed);
        let outcomes: Vec<String> = attackers.into_iter().filter_map(|one| one.join().ok()).flatten().collect();
        Ok((times, outcomes))
    })?;
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    outcomes.iter().for_each(|code| *codes.entry(code).or_default() += 1);
    if codes.keys().any(|code| !["timeout", "out-of-memory"].contains(code))
        || codes.get("timeout") < Some(&HOSTILE.len())
    {
        return Err(format!("the joins did not run into their limits: {codes:?}").into());
    }
    let mut times = times;
    times.sort();
    let p99 = times[times.len() * 99 / 100];
    told("small calls", &format!("p99 {p99:?}, median {:?}, joins {codes:?}", times[times.len() / 2]));
    let median = times[times.len() / 2];
    // A debug build, on a machine that runs other tests as well. On two cores the joins are as many as there are turns:
    // where they have started in one moment, who comes then waits for them to end, which is a second; who is kept waits
    // longer, or again and again.
    let (p95, longest) = (times[times.len() * 95 / 100], times.last().copied().unwrap_or_default());
    if median > Duration::from_millis(150) || p95 > Duration::from_secs(1) || longest > Duration::from_secs(2) {
        return Err(format!("the small tool took {median:?} (median), {p95:?} (p95), {longest:?} at most").into());
    }
    Ok(())
}

/// Where the queue is full, who comes next is told at once.
pub(crate) fn calls_beyond_the_queue_are_refused() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let limits = "limits: { concurrency: 1, queue: 1 }\n";
    std::fs::write(folder.path().join("qtool.yaml"), format!("{PROJECT}{limits}"))?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let codes: Vec<String> = std::thread::scope(|scope| {
        let start = |tool: &'static str| {
            let answer = scope.spawn(move || call(address, tool, &json!({"n": 1})));
            std::thread::sleep(Duration::from_millis(250));
            answer
        };
        let calls = [start("hostile_0"), start("small"), start("small")];
        let code = |answer: Result<Value, String>| answer.map_or_else(|error| error, |answer| code(&answer).to_owned());
        calls.into_iter().filter_map(|call| call.join().ok()).map(code).collect()
    });
    if codes == ["timeout", "ok", "busy"] { Ok(()) } else { Err(format!("{codes:?}").into()) }
}

/// A call under way is answered, and then the server is gone.
pub(crate) fn a_server_that_is_stopped_finishes_its_calls() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.clone();
    let slow = std::thread::spawn({
        let address = address.clone();
        move || call(&address, "hostile_0", &json!({"n": 1}))
    });
    std::thread::sleep(Duration::from_millis(300));
    let took = server.stop()?;
    let answer = slow.join().map_err(|_| "the caller panicked")??;
    if code(&answer) != "timeout" {
        return Err(format!("the call under way was answered with {answer}").into());
    }
    if took > Duration::from_secs(5) {
        return Err(format!("stopping took {took:?}").into());
    }
    Ok(())
}

/// When the client closes standard input, the process ends, though a query does not.
pub(crate) fn the_process_ends_with_its_input() -> crate::Outcome {
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
    let mut output = std::io::BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    writeln!(input, "{initialize}")?;
    let mut line = String::new();
    std::io::BufRead::read_line(&mut output, &mut line)?;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    writeln!(
        input,
        "{}",
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "hostile_0", "arguments": {"n": 1}}})
    )?;
    std::thread::sleep(Duration::from_millis(200));
    let started = Instant::now();
    drop(input);
    child.wait()?;
    let took = started.elapsed();
    if took > Duration::from_millis(1500) {
        return Err(format!("it took {took:?}").into());
    }
    Ok(())
}

/// Every call leaves one line, whether it went well, failed, or was given up.
pub(crate) fn every_call_is_recorded() -> crate::Outcome {
    const CALLS: usize = 1_000;
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    std::thread::scope(|scope| {
        for worker in 0..20_usize {
            scope.spawn(move || {
                for at in 0..CALLS / 20 {
                    match (worker + at) % 10 {
                        0 => drop(call(address, "failing", &json!({"n": 0}))),
                        1 => drop(call(address, "small", &json!({"m": 1}))),
                        // Given up before the answer.
                        2 => give_up(address),
                        _ => drop(call(address, "small", &json!({"n": at}))),
                    }
                }
            });
        }
    });
    // What is refused, and what is read, leaves a line as well.
    drop(call(address, "no_such_tool", &json!({})));
    let read = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "qtool://nothing"}});
    post(address, "/mcp", "", &read.to_string())?;
    // Those that were given up end by themselves within their second.
    std::thread::sleep(Duration::from_millis(2500));
    server.stop()?;
    let text = std::fs::read_to_string(folder.path().join("log/calls.jsonl"))?;
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line)?;
        *outcomes.entry(record["outcome"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    let all: usize = outcomes.values().sum();
    let given_up =
        outcomes.get("cancelled").copied().unwrap_or_default() + outcomes.get("timeout").copied().unwrap_or_default();
    if all != CALLS + 2
        || outcomes.get("unknown-tool") != Some(&1)
        || given_up != CALLS / 10
        || outcomes.get("division-by-zero") != Some(&(CALLS / 10))
        || outcomes.get("ok") != Some(&(CALLS / 10 * 7))
    {
        return Err(format!("{all} records: {outcomes:?}").into());
    }
    Ok(())
}

/// Sends a call that takes long, and leaves.
fn give_up(address: &str) {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "hostile_1", "arguments": {"n": 1}}}).to_string();
    let request = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let Ok(mut stream) = std::net::TcpStream::connect(address) else { return };
    // Whoever leaves does not look at errors.
    let _ = stream.write_all(request.as_bytes());
    std::thread::sleep(Duration::from_millis(300));
}

/// Files that change are compiled again; what is broken keeps its last good tool.
pub(crate) fn a_watched_project_is_served_as_it_is() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &["--watch"])?;
    let address = server.address.as_str();
    let file = folder.path().join("queries/small.sql");
    let value = || {
        call(address, "small", &json!({"n": 1, "table_format": "structured"}))
            .map(|answer| answer["result"]["structuredContent"]["rows"][0]["n"].clone())
    };
    let becomes = |expected: i64| {
        let started = Instant::now();
        loop {
            let found = value()?;
            if found == json!(expected) {
                return Ok(());
            }
            if started.elapsed() > Duration::from_secs(20) {
                return Err(format!("{found}, not {expected}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    becomes(2)?;
    std::fs::write(&file, SMALL.replace("+ 1", "+ 10"))?;
    becomes(11)?;
    std::fs::write(&file, SMALL.replace("AS n", "AS"))?;
    std::thread::sleep(Duration::from_secs(2));
    becomes(11)?;
    std::fs::write(&file, SMALL.replace("+ 1", "+ 100"))?;
    becomes(101)?;
    std::fs::write(folder.path().join("queries/more.sql"), SMALL)?;
    let started = Instant::now();
    while call(address, "more", &json!({"n": 1}))?.get("error").is_some() {
        if started.elapsed() > Duration::from_secs(20) {
            return Err("a new file is no tool".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::remove_file(&file)?;
    let started = Instant::now();
    while call(address, "small", &json!({"n": 1}))?.get("error").is_none() {
        if started.elapsed() > Duration::from_secs(20) {
            return Err("a file that is gone is still a tool".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// A query that is written while the data does not fit is a tool once the data does: nothing else has to change.
pub(crate) fn a_reload_waits_for_data_that_fits() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    project(dir)?;
    let tables = "tables: { late: { path: data/late.csv }, flights:";
    std::fs::write(dir.join("qtool.yaml"), PROJECT.replace("tables: { flights:", tables))?;
    std::fs::write(dir.join("data/late.csv"), "id,total\n1,10\n")?;
    let query = "/*--- { description: Totals. } ---*/\nSELECT id, total FROM late ORDER BY id LIMIT 5\n";
    std::fs::write(dir.join("queries/totals.sql"), query)?;
    let server = Running::start(dir, &["--watch"])?;
    let address = server.address.as_str();
    std::fs::write(dir.join("data/late.csv"), "id,total\n1,much\n")?;
    std::fs::write(dir.join("queries/again.sql"), query)?;
    std::thread::sleep(Duration::from_secs(3));
    if call(address, "again", &json!({}))?.get("error").is_none() {
        return Err("a query over data that does not fit is a tool".into());
    }
    std::fs::write(dir.join("data/late.csv"), "id,total\n1,10\n")?;
    let started = Instant::now();
    while call(address, "again", &json!({}))?.get("error").is_some() {
        if started.elapsed() > Duration::from_secs(30) {
            return Err("the data fits again, and the query is no tool".into());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Functions that make much of little.
const GROWING: [&str; 8] = [
    "SELECT repeat(<< s: text >>, << n: bigint >>) AS r FROM generate_series(1, 100)",
    "SELECT lpad(<< s: text >>, << n: bigint >>, 'ab') AS r FROM generate_series(1, 100)",
    "SELECT rpad(<< s: text >>, << n: bigint >>) AS r",
    "SELECT array_repeat(<< s: text >>, << n: bigint >>) AS r",
    "SELECT range(0, << n: bigint >>) AS r, << s: text >> AS s",
    "SELECT replace(<< s: text >>, 'x', repeat('y', << n: bigint >>)) AS r",
    "SELECT string_agg(<< s: text >>, ',') AS r, max(<< n: bigint >>) AS n FROM generate_series(1, 1000000)",
    "SELECT << s: text >> AS s, value + << n: bigint >> AS n FROM generate_series(1, 1000000)",
];

/// Whatever the arguments, with little memory to be had, the server answers and stays.
pub(crate) fn no_argument_ends_the_server() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    for (at, sql) in GROWING.iter().enumerate() {
        let text = format!("/*--- {{ description: Grows., timeout: 5s }} ---*/\n{sql}\n");
        std::fs::write(folder.path().join(format!("queries/grow_{at}.sql")), text)?;
    }
    // 4 GiB.
    let server = Running::start_within(folder.path(), 4 << 20)?;
    let texts = ["".to_owned(), "x".to_owned(), "x".repeat(1000), "\u{1f600}".repeat(50_000), "x".repeat(900_000)];
    let numbers = [0, 1, -1, 1000, i64::from(i32::MAX), i64::MAX, i64::MIN, 100_000_000];
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for tool in 0..GROWING.len() {
        for text in &texts {
            for n in numbers {
                let arguments = json!({"s": text, "n": n, "limit": 100});
                let answer = call(&server.address, &format!("grow_{tool}"), &arguments)
                    .map_err(|error| format!("grow_{tool} of {} bytes and {n}: {error}", text.len()))?;
                *outcomes.entry(code(&answer).to_owned()).or_default() += 1;
            }
        }
    }
    let all: usize = outcomes.values().sum();
    let answer = call(&server.address, "small", &json!({"n": 1}))?;
    if all < 300 || code(&answer) != "ok" || outcomes.len() < 2 {
        return Err(format!("{outcomes:?}, and then {answer}").into());
    }
    told("arguments", &format!("{outcomes:?}"));
    Ok(())
}

/// Who knocks and goes away leaves nothing behind.
pub(crate) fn knocking_costs_nothing() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x".repeat(1000), "version": "0"}}});
    let knock = |times: usize| -> crate::Outcome {
        for _ in 0..times {
            post(&server.address, "/mcp", "", &body.to_string())?;
        }
        Ok(())
    };
    // What is made once is made.
    knock(500)?;
    let Some(before) = server.memory() else {
        told("memory", "the system does not tell how much memory a process takes");
        return Ok(());
    };
    knock(5_000)?;
    let after = server.memory().unwrap_or_default();
    if after > before + 20 * 1024 {
        return Err(format!("{before} KiB before, {after} KiB after").into());
    }
    Ok(())
}

/// A client on standard input is told when the tools change.
pub(crate) fn clients_are_told_of_changes() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let mut child = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .args(["serve", "--watch"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let output = std::io::BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        std::io::BufRead::lines(output).map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    writeln!(input, "{initialize}")?;
    lines.recv_timeout(Duration::from_secs(20))?;
    writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    // The server notes who is to be told when it has read that.
    std::thread::sleep(Duration::from_millis(300));
    std::fs::write(folder.path().join("queries/small.sql"), SMALL.replace("+ 1", "+ 10"))?;
    let told = lines.recv_timeout(Duration::from_secs(20));
    std::fs::create_dir_all(folder.path().join("prompts"))?;
    std::fs::write(folder.path().join("prompts/sum.md"), "---\ndescription: A sum.\n---\nCall `small`.\n")?;
    // The tools are published anew with it.
    let of_prompts = (0..3).find_map(|_| {
        let line = lines.recv_timeout(Duration::from_secs(20)).ok()?;
        line.contains("notifications/prompts/list_changed").then_some(line)
    });
    // Whatever came of it, the process is not left behind.
    drop(input);
    child.wait()?;
    let told = told?;
    let message: Value = serde_json::from_str(&told)?;
    if message["method"] != "notifications/tools/list_changed" {
        return Err(told.into());
    }
    of_prompts.map(drop).ok_or_else(|| "nobody was told of the new prompt".into())
}

/// A client that has closed standard output is gone, though standard input is open.
pub(crate) fn who_reads_nothing_more_ends_the_process() -> crate::Outcome {
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
    drop(child.stdout.take());
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
    writeln!(input, "{initialize}")?;
    let started = Instant::now();
    while child.try_wait()?.is_none() {
        if started.elapsed() > Duration::from_secs(20) {
            child.kill()?;
            child.wait()?;
            return Err("nobody reads what it writes, and it goes on".into());
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// What was measured, for who looks at the test's output.
fn told(what: &str, figures: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "{what}: {figures}");
}
