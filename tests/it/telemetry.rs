//! What the server tells a collector of traces and metrics: a collector on this machine keeps the bytes that come.

use crate::http::{Running, post};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const PROJECT: &str = "name: traced-project\nversion: 4.5.6\n";
const ECHO: &str = "/*--- { description: An echo. } ---*/\nSELECT << s: text >> AS s\n";
const FAILING: &str = "/*--- { description: A quotient. } ---*/\nSELECT 1 / << n: bigint >> AS n, << s: text >> AS s\n";
/// Must stay here.
const ARGUMENT: &str = "an-argument-that-stays-here";
/// As a header.
const IN_HEADER: (&str, &str) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
/// In the message.
const IN_MESSAGE: (&str, &str) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

/// The path and the body of every request.
type Received = Arc<Mutex<Vec<(String, Vec<u8>)>>>;

/// A collector: the path and the body of every request.
#[derive(Clone, Default)]
struct Collector {
    received: Received,
}

impl Collector {
    /// Begins to listen; its address.
    fn start() -> std::io::Result<(Collector, String)> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let collector = Collector::default();
        let shared = collector.clone();
        // Ends with the process: nobody waits for it.
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let collector = shared.clone();
                std::thread::spawn(move || collector.answer(stream));
            }
        });
        Ok((collector, address))
    }

    /// Answers the requests of one connection until it ends.
    fn answer(&self, stream: TcpStream) -> Option<()> {
        let mut answers = stream.try_clone().ok()?;
        let mut requests = BufReader::new(stream);
        loop {
            let mut line = String::new();
            requests.read_line(&mut line).ok().filter(|read| *read > 0)?;
            let path = line.split(' ').nth(1)?.to_owned();
            let mut length = 0;
            while !line.trim().is_empty() {
                line.clear();
                requests.read_line(&mut line).ok()?;
                if let Some(("content-length", value)) = line.to_lowercase().split_once(':') {
                    length = value.trim().parse().ok()?;
                }
            }
            let mut body = vec![0; length];
            requests.read_exact(&mut body).ok()?;
            self.received.lock().unwrap_or_else(PoisonError::into_inner).push((path, body));
            answers.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").ok()?;
        }
    }

    /// Everything that came to a path.
    fn bytes(&self, path: &str) -> Vec<u8> {
        let received = self.received.lock().unwrap_or_else(PoisonError::into_inner);
        received.iter().filter(|(to, _)| to == path).flat_map(|(_, body)| body.clone()).collect()
    }
}

fn project(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)?;
    std::fs::write(dir.join("queries/echo.sql"), ECHO)?;
    std::fs::write(dir.join("queries/failing.sql"), FAILING)
}

fn start(dir: &Path, collector: &str) -> Result<Running, Box<dyn std::error::Error>> {
    let endpoint = format!("http://{collector}");
    // Not through a proxy of the machine that runs the tests.
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()), ("NO_PROXY", "127.0.0.1")];
    Running::start_with(dir, &["--otlp"], &variables)
}

fn call(address: &str, headers: &str, params: &Value) -> Result<String, Box<dyn std::error::Error>> {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    Ok(post(address, "/mcp", headers, &body.to_string())?)
}

fn traceparent((trace, span): (&str, &str)) -> String {
    format!("00-{trace}-{span}-01")
}

/// Spans and measurements arrive, in the traces of who called, and without what was called with.
pub(crate) fn calls_are_traced() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let (collector, endpoint) = Collector::start()?;
    let server = start(folder.path(), &endpoint)?;
    let headers = format!("traceparent: {}", traceparent(IN_HEADER));
    let echo = json!({"name": "echo", "arguments": {"s": ARGUMENT}});
    let first = call(&server.address, &headers, &echo)?;
    let meta = json!({"traceparent": traceparent(IN_MESSAGE)});
    let echo = json!({"name": "echo", "arguments": {"s": ARGUMENT}, "_meta": meta});
    let second = call(&server.address, "", &echo)?;
    let failing = json!({"name": "failing", "arguments": {"n": 0, "s": ARGUMENT}});
    let third = call(&server.address, "", &failing)?;
    for (answer, holds) in [(first, ARGUMENT), (second, ARGUMENT), (third, "division-by-zero")] {
        if !answer.contains(holds) {
            return Err(format!("a call was answered with {answer}").into());
        }
    }
    let took = server.stop()?;
    if took > Duration::from_secs(5) {
        return Err(format!("stopping took {took:?}").into());
    }
    let (traces, metrics) = (collector.bytes("/v1/traces"), collector.bytes("/v1/metrics"));
    let mut expected: Vec<(&str, &[u8], Vec<u8>)> = Vec::new();
    for text in [
        "tools/call echo",
        "tools/call failing",
        "mcp.method.name",
        "gen_ai.tool.name",
        "execute_tool",
        "qtool.rows",
        "error.type",
        "division-by-zero",
        "traced-project",
        "4.5.6",
    ] {
        expected.push(("traces", &traces, text.into()));
    }
    for hex in [IN_HEADER.0, IN_HEADER.1, IN_MESSAGE.0, IN_MESSAGE.1] {
        expected.push(("traces", &traces, bytes_of(hex)?));
    }
    for text in ["mcp.server.operation.duration", "gen_ai.tool.name", "failing", "division-by-zero", "traced-project"] {
        expected.push(("metrics", &metrics, text.into()));
    }
    for (signal, sent, what) in expected {
        if !holds(sent, &what) {
            let what = String::from_utf8_lossy(&what).into_owned();
            return Err(format!("{what:?} is not in the {} bytes of {signal}", sent.len()).into());
        }
    }
    for secret in [ARGUMENT, "SELECT"] {
        if holds(&traces, secret.as_bytes()) || holds(&metrics, secret.as_bytes()) {
            return Err(format!("{secret:?} was sent").into());
        }
    }
    Ok(())
}

/// Without a collector, or with one that never answers, calls and the end take no longer.
pub(crate) fn a_missing_collector_delays_nothing() -> crate::Outcome {
    // It is closed again: nobody listens there.
    let nobody = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    // The system takes the connections, and that is all that happens.
    let silent = TcpListener::bind("127.0.0.1:0")?;
    for endpoint in [nobody, silent.local_addr()?.to_string()] {
        let folder = tempfile::tempdir()?;
        project(folder.path())?;
        let server = start(folder.path(), &endpoint)?;
        let started = Instant::now();
        for _ in 0..20 {
            let answer = call(&server.address, "", &json!({"name": "echo", "arguments": {"s": ARGUMENT}}))?;
            if !answer.contains(ARGUMENT) {
                return Err(format!("a call was answered with {answer}").into());
            }
        }
        let (called, stopped) = (started.elapsed(), server.stop()?);
        if called > Duration::from_secs(5) || stopped > Duration::from_secs(5) {
            return Err(format!("20 calls took {called:?}, and the end {stopped:?}").into());
        }
    }
    Ok(())
}

fn holds(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}

/// Ids are sent as bytes.
fn bytes_of(hex: &str) -> Result<Vec<u8>, std::num::ParseIntError> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2).unwrap_or_default(), 16)).collect()
}
