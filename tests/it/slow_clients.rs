//! Clients that send half of what they announce, or do not read what they asked for: the others do not notice.

use crate::http::{Running, post};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

const PROJECT: &str = "\
name: patient
http: { header_timeout: 8s, body_timeout: 8s, answer_timeout: 2s, idle_timeout: 60s }
limits: { max_bytes: 1MiB }
";
const ECHO: &str = "/*--- { description: An echo. } ---*/\nSELECT << s: text >> AS s\n";
const LARGE: &str = "/*--- { description: Much., result_limit: none } ---*/\nSELECT repeat('x', 1000) AS s, value FROM range(1000) ORDER BY value\n";
/// Connections of one address, where a project says nothing else.
const OF_ONE: usize = 256;

fn project(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/echo.sql"), ECHO)?;
    std::fs::write(dir.join("queries/large.sql"), LARGE)
}

fn message(tool: &str, arguments: &serde_json::Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        .to_string()
}

/// A connection on which so much was sent.
fn begun(address: &str, sent: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(sent.as_bytes()).ok()?;
    Some(stream)
}

fn head(address: &str, length: usize) -> String {
    format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {length}\r\n\r\n"
    )
}

/// A thousand halves of a head and five hundred halves of a body: small calls are answered, from the same address, and
/// the server neither grows nor runs out of descriptors.
pub(crate) fn halves_of_requests_hold_up_nobody() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let echo = |n: usize| post(address, "/mcp", "", &message("echo", &json!({"s": format!("call {n}")})));
    for n in 0..200 {
        echo(n)?;
    }
    let before = server.memory();
    let mut halves: Vec<TcpStream> = Vec::new();
    for at in 0..1_500_usize {
        let half = if at % 3 == 2 {
            head(address, 1_000) + &"x".repeat(500)
        } else {
            format!("POST /mcp HTTP/1.1\r\nHost: {address}\r\nX-Half: {}", "x".repeat(1_000))
        };
        halves.extend(begun(address, &half));
    }
    let held = server.files();
    let mut times = Vec::new();
    for n in 0..300 {
        let started = Instant::now();
        let answer = echo(n)?;
        times.push(started.elapsed());
        if !answer.contains(&format!("call {n}")) {
            return Err(format!("{n}: {answer:?}").into());
        }
    }
    times.sort();
    let p99 = times[times.len() * 99 / 100];
    let (files, after) = (server.files(), server.memory());
    told(&format!(
        "beside {} halves: p99 {p99:?}, {held:?} and {files:?} files, {before:?} and {after:?} KiB",
        halves.len()
    ));
    // A debug build, beside other tests.
    if p99 > Duration::from_secs(1) {
        return Err(format!("p99 was {p99:?}").into());
    }
    // At the end of the rush those are still open that were told to go and had no turn yet; then no more than there is room for.
    if held.is_some_and(|held| held > 2 * OF_ONE) || files.is_some_and(|files| files > OF_ONE + 60) {
        return Err(format!("{held:?} and then {files:?} files are open").into());
    }
    if let (Some(before), Some(after)) = (before, after)
        && after > before + 20 * 1024
    {
        return Err(format!("{before} KiB before, {after} KiB after").into());
    }
    // Every one of them is ended by the server: the first to make room, the last when their time is over.
    let late = Duration::from_secs(30);
    for (at, half) in halves.iter_mut().enumerate() {
        half.set_read_timeout(Some(late))?;
        let mut answer = Vec::new();
        if let Err(error) = half.read_to_end(&mut answer)
            && error.kind() == std::io::ErrorKind::WouldBlock
        {
            return Err(format!("the half {at} of a request is still waited for").into());
        }
    }
    let metrics = get(address, "/metrics")?;
    if !metrics.lines().any(|line| line == "qtool_http_connections 1") {
        return Err(format!("connections are left over:\n{metrics}").into());
    }
    Ok(())
}

/// A body that does not come is answered so; a head that does not come is not answered.
pub(crate) fn what_does_not_come_is_given_up() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let audit = "audit: { to: log/calls.jsonl, arguments: none }\n";
    std::fs::write(folder.path().join("qtool.yaml"), format!("{PROJECT}{audit}"))?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    for (sent, status) in [
        (head(address, 100) + "{", "HTTP/1.1 408 "),
        (head(address, 100).replace("/mcp", "/tools/echo") + "{", "HTTP/1.1 408 "),
        ("POST /mcp HT".to_owned(), ""),
        (String::new(), ""),
    ] {
        let started = Instant::now();
        let mut stream = begun(address, &sent).ok_or("no connection")?;
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let took = started.elapsed();
        let is_right = if status.is_empty() { answer.is_empty() } else { answer.starts_with(status) };
        if !is_right || took < Duration::from_secs(3) {
            return Err(format!("after {took:?}, {sent:?} is answered with {answer:?}").into());
        }
    }
    // None of them has arrived.
    match std::fs::read_to_string(folder.path().join("log/calls.jsonl"))? {
        record if record.is_empty() => Ok(()),
        record => Err(record.into()),
    }
}

/// Who asks and asks and reads nothing is cut off, and one that reads slowly but does is not.
pub(crate) fn who_does_not_read_is_cut_off() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let large = message("large", &json!({"limit": 1000}));
    let request = head(address, large.len()) + &large;
    // More than the buffers of any system hold.
    let mut greedy = begun(address, &request.repeat(60)).ok_or("no connection")?;
    let started = Instant::now();
    let mut most = 0;
    let ends = loop {
        // The listener is one of them.
        let Some(sockets) = server.files_of_sockets() else { return Ok(()) };
        most = most.max(sockets);
        if most > 1 && sockets == 1 {
            break true;
        }
        if started.elapsed() > Duration::from_secs(60) {
            break false;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    if !ends {
        return Err("who does not read is still served".into());
    }
    let mut rest = Vec::new();
    // What was on its way, and then the end.
    let _ = greedy.read_to_end(&mut rest);
    let whole = rest.windows(15).filter(|window| window == b"\"isError\":false").count();
    if whole >= 60 {
        return Err("all was sent to who did not read".into());
    }
    let mut slow = begun(address, &request.replace("Content-Length", "Connection: close\r\nContent-Length"))
        .ok_or("no connection")?;
    let (mut read, mut piece) = (0, [0; 64 * 1024]);
    loop {
        match slow.read(&mut piece)? {
            0 => break,
            some => read += some,
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    if read < 1_000_000 { Err(format!("only {read} bytes came").into()) } else { Ok(()) }
}

fn get(address: &str, path: &str) -> std::io::Result<String> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    crate::http::exchange(address, request.as_bytes())
}

/// What was measured, for who looks at the test's output.
fn told(figures: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "slow clients: {figures}");
}
