//! Requests over HTTP to the real binary: `requests.txt` holds them as they go over the wire, `expected.txt` what came
//! back.
//!
//! A request is `POST /mcp`, header lines, an empty line and a body; `===` and a title stand between requests. What every
//! client sends (`Host`, `Content-Type`, `Accept`, `Content-Length`) is added where it is not written; a header written
//! without a value is left out.

use crate::cases::{add_upstream, copy_all};
use crate::expect;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server that is stopped when it is no longer needed.
pub(crate) struct Running {
    child: Child,
    /// Its address, `127.0.0.1:1234`.
    pub address: String,
}

impl Running {
    /// Starts `qtool serve` in a project's folder, and waits until it listens.
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Result<Running, Box<dyn std::error::Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        Running::of(command, dir)
    }

    /// The same with variables of the environment.
    pub(crate) fn start_with(
        dir: &Path,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Running, Box<dyn std::error::Error>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_qtool"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OTEL_")) {
            command.env_remove(name);
        }
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments).envs(variables.iter().copied());
        Running::of(command, dir)
    }

    /// The same with at most so many KiB of address space.
    pub(crate) fn start_within(dir: &Path, kib: u64) -> Result<Running, Box<dyn std::error::Error>> {
        let mut command = Command::new("sh");
        let script = format!("ulimit -v {kib}; exec \"$0\" serve --listen 127.0.0.1:0");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_qtool")]);
        Running::of(command, dir)
    }

    pub(crate) fn of(mut command: Command, dir: &Path) -> Result<Running, Box<dyn std::error::Error>> {
        let mut child =
            command.current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
        let mut said = String::new();
        let address = loop {
            let Some(line) = lines.next().transpose()? else { return Err(format!("the server ended: {said}").into()) };
            if let Some((_, address)) = line.split_once("http://") {
                break address.trim_end_matches("/mcp").to_owned();
            }
            said.push_str(&line);
            said.push('\n');
        };
        // What else it says must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Running { child, address })
    }

    /// The memory that it takes, in KiB; `None` where the system does not tell.
    pub(crate) fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// How many files it has open; `None` where the system does not tell.
    pub(crate) fn files(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?.count())
    }

    /// How many of them are connections over IP, its listener included.
    pub(crate) fn files_of_sockets(&self) -> Option<usize> {
        let table = std::fs::read_to_string(format!("/proc/{}/net/tcp", self.child.id())).ok()?;
        let inodes: Vec<&str> = table.lines().skip(1).filter_map(|line| line.split_whitespace().nth(9)).collect();
        let open = std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?;
        let links = open.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
        let is_of_ip = |link: &std::path::PathBuf| {
            inodes.iter().any(|inode| link.as_os_str() == format!("socket:[{inode}]").as_str())
        };
        Some(links.filter(is_of_ip).count())
    }

    /// The time that its threads have worked in all; `None` where the system does not tell.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let (_, behind) = stat.rsplit_once(')')?;
        // In hundredths of a second: proc_pid_stat(5), utime and stime.
        let worked: u64 = behind.split_whitespace().skip(11).take(2).filter_map(|time| time.parse::<u64>().ok()).sum();
        Some(Duration::from_millis(worked * 10))
    }

    /// Tells it to stop, and waits; how long that took.
    pub(crate) fn stop(mut self) -> std::io::Result<Duration> {
        let started = std::time::Instant::now();
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        self.child.wait()?;
        Ok(started.elapsed())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the requests of a folder.
pub(crate) fn run(requests: &Path) -> crate::Outcome {
    let case = requests.parent().ok_or("a case is a folder")?;
    let folder = tempfile::tempdir()?;
    copy_all(case, folder.path())?;
    add_upstream(folder.path())?;
    let arguments = std::fs::read_to_string(case.join("arguments.txt")).unwrap_or_default();
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let server = Running::start(folder.path(), &arguments)?;
    let mut out = String::new();
    for part in std::fs::read_to_string(requests)?.split("=== ").skip(1) {
        let (title, request) = part.split_once('\n').ok_or("a request has a title")?;
        let answer = exchange(&server.address, &wire(request, &server.address))?;
        out.push_str(&format!("=== {title}\n{}\n", shown(&answer, &server.address)));
    }
    expect::compare(case, &BTreeMap::from([("expected.txt".to_owned(), out)]))?;
    Ok(())
}

/// A plain call is answered without the SDK, and one whose length is not told by it: both in the same words.
pub(crate) fn calls_are_answered_alike_with_the_sdk_and_without() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    copy_all(Path::new("tests/http/beyond_tools"), folder.path())?;
    let server = Running::start(folder.path(), &[])?;
    let sent = [
        (json!(1), "list_orders", json!({})),
        (json!("ü \"quoted\""), "list_orders", json!({"limit": 1, "table_format": "structured"})),
        (json!(9_007_199_254_740_991_i64), "list_orders", json!({"table_format": "csv"})),
        (json!("a"), "list_orders", json!({"table_format": "toon", "limit": 2})),
        (json!(2), "list_orders", json!({"limit": 0})),
        (json!(3), "list_orders", json!({"limti": 1})),
        (json!(4), "list_orders", json!({"table_format": "xml", "limit": "many"})),
        (json!(5), "sum_of_totals", json!({})),
        (json!(6), "sum_of_totals", Value::Null),
        (json!(7), "no_such_tool", json!({})),
        (json!(8), "retired", json!({})),
        (json!(9), "list_orders", json!([1])),
        (json!(10), "list_orders", json!({"cursor": "AAAA"})),
    ];
    for (id, tool, arguments) in sent {
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool}});
        if !arguments.is_null() {
            message["params"]["arguments"] = arguments;
        }
        let body = message.to_string();
        let known = exchange(&server.address, &wire(&format!("POST /mcp\n\n{body}"), &server.address))?;
        let chunked = format!(
            "POST /mcp\nContent-Length:\nTransfer-Encoding: chunked\n\n{:x}\r\n{body}\r\n0\r\n\r\n",
            body.len()
        );
        let unknown = exchange(&server.address, &wire_untrimmed(&chunked, &server.address))?;
        // Where a page ends is written with the time of the call.
        let told = |answer: &str| without_cursors(&shown(answer, &server.address));
        if told(&known) != told(&unknown) {
            return Err(format!("{body}\n--- directly\n{}--- by the SDK\n{}", told(&known), told(&unknown)).into());
        }
    }
    Ok(())
}

/// The text with the same word for every cursor.
pub(crate) fn without_cursors(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("next_cursor") {
        let start = behind.find(|c: char| c.is_ascii_alphanumeric()).unwrap_or(behind.len());
        let value = behind.get(start..).unwrap_or_default();
        let end = value.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(value.len());
        out.extend([before, "next_cursor", behind.get(..start).unwrap_or_default(), "[cursor]"]);
        rest = value.get(end..).unwrap_or_default();
    }
    out + rest
}

/// The bytes of a request.
fn wire(request: &str, address: &str) -> Vec<u8> {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    bytes_of(head, &body.trim_end().replace("{large}", &"x".repeat(2 << 20)), address)
}

/// The bytes of a request whose body is written as it is.
fn wire_untrimmed(request: &str, address: &str) -> Vec<u8> {
    let (head, body) = request.split_once("\n\n").unwrap_or((request, ""));
    bytes_of(head, body, address)
}

fn bytes_of(head: &str, body: &str, address: &str) -> Vec<u8> {
    let mut lines = head.trim().lines();
    let first = lines.next().unwrap_or_default();
    let mut headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_owned(), value.trim().replace("{address}", address)))
        .collect();
    let length = body.len().to_string();
    let usual = [
        ("Host", address),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Length", length.as_str()),
    ];
    for (name, value) in usual {
        if !headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name)) {
            headers.push((name.to_owned(), value.to_owned()));
        }
    }
    headers.push(("Connection".to_owned(), "close".to_owned()));
    let mut text = format!("{first} HTTP/1.1\r\n");
    for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// Sends bytes and reads until the server closes.
pub(crate) fn exchange(address: &str, bytes: &[u8]) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    // A server that refuses a large body may close before it has read all of it.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// A POST of a JSON-RPC message to a path, with further headers.
pub(crate) fn post(address: &str, path: &str, headers: &str, body: &str) -> std::io::Result<String> {
    let request = format!("POST {path}\n{headers}\n\n{body}");
    exchange(address, &wire(request.trim_start(), address))
}

/// The status, what a client looks at, and the body; JSON in lines.
fn shown(answer: &str, address: &str) -> String {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let mut lines = head.lines();
    let mut out = lines.next().unwrap_or("no answer").to_owned() + "\n";
    let told = ["content-type", "www-authenticate", "allow", "location", "retry-after"];
    let mut headers: Vec<String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_lowercase(), value))
        .filter(|(name, _)| {
            told.contains(&name.as_str()) || ["qtool-", "access-control-"].iter().any(|start| name.starts_with(start))
        })
        // A cursor is written with the time of the call.
        .map(|(name, value)| (if name == "qtool-next-cursor" { " [cursor]" } else { value }, name))
        .map(|(value, name)| format!("{name}:{value}\n"))
        .collect();
    headers.sort();
    out.extend(headers);
    let is_chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if is_chunked { unchunked(body) } else { body.to_owned() };
    match serde_json::from_str::<serde_json::Value>(&body) {
        Ok(json) => out.push_str(&serde_json::to_string_pretty(&json).unwrap_or_default()),
        Err(_) => out.push_str(body.trim_end()),
    }
    out.replace(address, "[address]").trim_end().to_owned() + "\n"
}

fn unchunked(body: &str) -> String {
    let mut out = String::new();
    let mut rest = body;
    while let Some((size, behind)) = rest.split_once("\r\n") {
        let Ok(size) = usize::from_str_radix(size.trim(), 16) else { break };
        let Some(chunk) = behind.get(..size).filter(|_| size > 0) else { break };
        out.push_str(chunk);
        rest = behind.get(size + 2..).unwrap_or_default();
    }
    out
}
