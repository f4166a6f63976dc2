//! Whatever callers send, nobody else waits for it: queries stop when their time is over, threads and memory that are not
//! to be had are an answer, and one caller has not all turns.

use crate::http::{Running, post};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Queries that take hours, each in an operator or a function of its own.
const ENDLESS: [(&str, &str); 18] = [
    (
        "sort",
        "SELECT a.value || '-' || b.value AS x FROM generate_series(1, 200000) AS a CROSS JOIN generate_series(1, 1000) AS b WHERE a.value > << n: bigint >> ORDER BY (a.value || '-' || b.value) DESC LIMIT 10",
    ),
    (
        "aggregate",
        "SELECT k, count(*) AS n FROM (SELECT (a.value * b.value) % 7 AS k FROM generate_series(1, 2000000) AS a CROSS JOIN generate_series(1, 1000) AS b WHERE a.value > << n: bigint >>) AS t GROUP BY k",
    ),
    (
        "window",
        "SELECT max(r) AS x FROM (SELECT row_number() OVER (ORDER BY a.value + b.value) AS r FROM generate_series(1, 200000) AS a CROSS JOIN generate_series(1, 1000) AS b WHERE a.value > << n: bigint >>) AS t",
    ),
    (
        "distinct",
        "SELECT count(DISTINCT a.value * 7919 % 10007 + b.value) AS x FROM generate_series(1, 2000000) AS a CROSS JOIN generate_series(1, 1000) AS b WHERE a.value > << n: bigint >>",
    ),
    (
        "keys",
        "SELECT sum(a.v + b.v) AS x FROM (SELECT value AS v, value % 2 AS k FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS a JOIN (SELECT value AS v, value % 2 AS k FROM generate_series(1, 300000) AS u(value)) AS b ON a.k = b.k",
    ),
    (
        "exists",
        "SELECT count(*) AS x FROM (SELECT value % 2 AS k, value AS v FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS a WHERE EXISTS (SELECT 1 FROM (SELECT value % 2 AS k, value AS v FROM generate_series(1, 300000) AS u(value)) AS b WHERE a.k = b.k AND a.v + b.v < 0)",
    ),
    (
        "not_exists",
        "SELECT count(*) AS x FROM (SELECT value % 2 AS k, value AS v FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS a WHERE NOT EXISTS (SELECT 1 FROM (SELECT value % 2 AS k, value AS v FROM generate_series(1, 300000) AS u(value)) AS b WHERE a.k = b.k AND a.v + b.v < 0)",
    ),
    ("series", "SELECT sum(value) AS x FROM generate_series(<< n: bigint >>, 1000000000000) AS t(value)"),
    (
        "recursion",
        "WITH RECURSIVE r AS (SELECT << n: bigint >> AS n UNION ALL SELECT n + 1 FROM r WHERE n < 1000000000000) SELECT count(*) AS x FROM r",
    ),
    (
        "lists",
        "SELECT count(*) AS x FROM (SELECT unnest(range(0, 10000)) AS u, value FROM generate_series(1, 2000000) AS t(value) WHERE value > << n: bigint >>) AS q WHERE u < 0",
    ),
    (
        "medians",
        "SELECT max(m) AS x FROM (SELECT median(value) OVER (ORDER BY value) AS m FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS q",
    ),
    (
        "distinct_sums",
        "SELECT max(m) AS x FROM (SELECT sum(DISTINCT value) OVER (ORDER BY value) AS m FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS q",
    ),
    (
        "estimates",
        "SELECT max(m) AS x FROM (SELECT approx_distinct(value) OVER (ORDER BY value) AS m FROM generate_series(1, 300000) AS t(value) WHERE value > << n: bigint >>) AS q",
    ),
    (
        "distances",
        "SELECT max(levenshtein(repeat('ab', 500 + value % 100), repeat('ba', 500 + << n: bigint >>))) AS x FROM generate_series(1, 1000000) AS t(value)",
    ),
    ("replacements", "SELECT length(regexp_replace(repeat('a', 4000000 + << n: bigint >>), 'a*b|a', 'x', 'g')) AS x"),
    ("matches", "SELECT regexp_count(repeat('a', 4000000 + << n: bigint >>), 'a*b|a') AS x"),
    (
        "pairs",
        "SELECT count(*) AS x FROM generate_series(1, 300000) AS a JOIN generate_series(1, 300000) AS b ON a.value * b.value = << n: bigint >> - 7",
    ),
    (
        "ranks",
        "SELECT max(r) AS x FROM (SELECT row_number() OVER (ORDER BY (a.value * 7919) % 1000003, a.value) AS r FROM generate_series(1, 1000000000 + << n: bigint >>) AS a) AS t",
    ),
];

/// Functions of long texts and lists that are refused before they begin.
const EXPENSIVE: [(&str, &str); 4] = [
    ("distance", "SELECT levenshtein(repeat('ab', 100000), repeat('ba', 100000 + << n: bigint >>)) AS x"),
    ("trimmed", "SELECT length(btrim(repeat('a', 20000 + << n: bigint >>), repeat('b', 20000) || 'a')) AS x"),
    ("contained", "SELECT array_has_all(range(0, 17000), range(1, 17000 + << n: bigint >>)) AS x"),
    ("heavy", "SELECT regexp_like(repeat('a', 1000000 + << n: bigint >>), '((a{40}){40}){10}b') AS x"),
];

const SMALL: (&str, &str) = ("small", "SELECT << n: bigint >> + 1 AS x");

fn project(dir: &Path, timeout: &str, settings: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("qtool.yaml"), format!("name: overload\n{settings}"))?;
    // What is refused is refused before it begins; a debug build takes a while to plan it.
    let refused = EXPENSIVE.iter().map(|query| (query, "20s"));
    for ((name, sql), timeout) in ENDLESS.iter().chain([&SMALL]).map(|query| (query, timeout)).chain(refused) {
        let text = format!("/*--- {{ description: A query., timeout: {timeout} }} ---*/\n{sql}\n");
        std::fs::write(dir.join(format!("queries/{name}.sql")), text)?;
    }
    Ok(())
}

fn request(tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {"n": 0}}})
        .to_string()
}

/// Each of these tests wants the machine for itself.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a call ends with: `ok`, the code of its error, or why there is no answer.
fn code(answer: &Value) -> String {
    let code = answer["result"]["_meta"]["qtool/error"]["code"].as_str();
    code.unwrap_or(if answer["result"].is_object() { "ok" } else { "no answer" }).to_owned()
}

fn call(address: &str, tool: &str, headers: &str) -> String {
    let answer = match post(address, "/mcp", headers, &request(tool)) {
        Ok(answer) => answer,
        Err(error) => return error.to_string(),
    };
    let body = answer.rsplit_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).map_or_else(|_| format!("no answer: {answer}"), |answer| code(&answer))
}

/// Calls tools at once, one after the other of the list, and tells how often each ending came.
fn calls(address: &str, tools: &[&str], times: usize) -> BTreeMap<String, usize> {
    let codes = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for at in 0..times {
            let codes = &codes;
            scope.spawn(move || {
                let code = call(address, tools[at % tools.len()], "");
                *codes.lock().unwrap().entry(code).or_default() += 1;
            });
        }
    });
    codes.into_inner().unwrap()
}

/// What the server answers to a request without a body.
fn get(address: &str, path: &str) -> Result<String, Box<dyn std::error::Error>> {
    let answer = crate::http::exchange(
        address,
        format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").as_bytes(),
    )?;
    Ok(answer.rsplit_once("\r\n\r\n").ok_or("no answer")?.1.to_owned())
}

fn lost(address: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let metrics = get(address, "/metrics")?;
    let line = metrics.lines().find_map(|line| line.strip_prefix("qtool_queries_lost ")).ok_or("not in the metrics")?;
    Ok(line.parse()?)
}

/// Waits until no query goes on.
fn comes_to_rest(server: &Running, within: Duration) -> crate::Outcome {
    let began = Instant::now();
    loop {
        let before = server.processor_time();
        std::thread::sleep(Duration::from_millis(200));
        let busy =
            server.processor_time().zip(before).map_or(Duration::ZERO, |(now, before)| now.saturating_sub(before));
        let lost = lost(&server.address)?;
        if lost == 0 && busy < Duration::from_millis(60) {
            return Ok(());
        }
        if began.elapsed() > within {
            return Err(format!("{lost} queries are lost, and {busy:?} of 200 ms are worked").into());
        }
    }
}

/// A query whose time is over is answered, and then it is gone: no operator and no function goes on.
pub(crate) fn queries_stop_when_their_time_is_over() -> crate::Outcome {
    let _alone = alone();
    let folder = tempfile::tempdir()?;
    project(folder.path(), "300ms", "")?;
    let server = Running::start(folder.path(), &[])?;
    let mut wrong = Vec::new();
    for (name, expected) in ENDLESS
        .iter()
        .map(|(name, _)| (name, "timeout"))
        .chain(EXPENSIVE.iter().map(|(name, _)| (name, "too-expensive")))
    {
        let ending = call(&server.address, name, "");
        if ending != expected {
            wrong.push(format!("{name}: {ending}"));
        }
        // Between two looks a debug build takes seconds at most; what does not look goes on for minutes.
        if let Err(why) = comes_to_rest(&server, Duration::from_secs(20)) {
            wrong.push(format!("{name} goes on: {why}"));
        }
    }
    // Two of each at once, on all threads that there are.
    let names: Vec<&str> = ENDLESS.iter().map(|(name, _)| *name).collect();
    let codes = calls(&server.address, &names, 2 * names.len());
    if codes.keys().any(|code| !["timeout", "busy", "out-of-memory"].contains(&code.as_str())) {
        wrong.push(format!("{codes:?}"));
    }
    comes_to_rest(&server, Duration::from_secs(60))?;
    if get(&server.address, "/readyz")? != "ready\n" || call(&server.address, "small", "") != "ok" {
        wrong.push("it is not ready".to_owned());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What is called where threads are few.
const MIXED: [&str; 6] = ["small", "sort", "keys", "small", "recursion", "distances"];

/// A user without processes of their own: root is exempt from the limit, and other users have other processes.
const NOBODY: u32 = 61_234;

#[cfg(target_os = "linux")]
fn is_root_of_linux() -> bool {
    rustix::process::getuid().is_root()
}

#[cfg(not(target_os = "linux"))]
fn is_root_of_linux() -> bool {
    false
}

/// The binary under limits of the shell, by another user where it is so wanted.
fn limited(dir: &Path, limit: &str, user: Option<u32>, arguments: &[&str]) -> std::io::Result<Command> {
    // Another user may not enter the folder that it was built in.
    let binary = dir.join("qtool");
    let built = Path::new(env!("CARGO_BIN_EXE_qtool"));
    if user.is_some() && !binary.exists() && std::fs::hard_link(built, &binary).is_err() {
        std::fs::copy(built, &binary)?;
    }
    let binary = if user.is_some() { &binary } else { built };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\"")]).arg(binary).args(arguments).current_dir(dir);
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    Ok(command)
}

fn open_to_all(dir: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for folder in [dir.to_owned(), dir.join("queries"), dir.join("snapshots")] {
        if folder.exists() {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// The calls of a round over HTTP: each has an answer, and afterwards a small one is answered.
fn answered_over_http(command: Command, dir: &Path) -> crate::Outcome {
    let server = Running::of(command, dir)?;
    for _ in 0..2 {
        let codes = calls(&server.address, &MIXED, 24);
        let known = |code: &String| ["ok", "busy", "timeout", "out-of-memory"].contains(&code.as_str());
        if !codes.keys().all(known) || codes.values().sum::<usize>() != 24 || !codes.contains_key("timeout") {
            return Err(format!("{codes:?}").into());
        }
        // As long as queries of the first round do not stop, those of the second are refused.
        comes_to_rest(&server, Duration::from_secs(60))?;
    }
    match call(&server.address, "small", "").as_str() {
        "ok" => Ok(()),
        ending => Err(format!("afterwards: {ending}").into()),
    }
}

/// The same over standard input and output.
fn answered_over_stdio(mut command: Command) -> crate::Outcome {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let outcome = (|| -> crate::Outcome {
        let initialize = json!({"jsonrpc": "2.0", "id": 1000, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "0"}}});
        writeln!(input, "{initialize}")?;
        lines.recv_timeout(Duration::from_secs(30))?;
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        for id in 0..18 {
            let tool = MIXED[id % MIXED.len()];
            let params = json!({"name": tool, "arguments": {"n": 0}});
            writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))?;
        }
        let mut answered = BTreeMap::new();
        while answered.len() < 18 {
            let line = lines.recv_timeout(Duration::from_secs(30)).map_err(|_| format!("answered: {answered:?}"))?;
            let answer: Value = serde_json::from_str(&line)?;
            let Some(id) = answer["id"].as_u64() else { continue };
            if answered.insert(id, code(&answer)).is_some() {
                return Err(format!("two answers: {line}").into());
            }
        }
        let known = |code: &String| ["ok", "busy", "timeout", "out-of-memory"].contains(&code.as_str());
        if answered.values().all(known) { Ok(()) } else { Err(format!("{answered:?}").into()) }
    })();
    // Whatever came of it, the process is not left behind.
    child.kill()?;
    child.wait()?;
    outcome
}

/// A process that may have 16 threads in all answers every call.
pub(crate) fn few_threads_are_no_reason_for_silence() -> crate::Outcome {
    if !is_root_of_linux() {
        told(
            "few threads",
            "skipped: only root can become a user without other processes, for whom the limit is known",
        );
        return Ok(());
    }
    let _alone = alone();
    let folder = tempfile::tempdir()?;
    project(folder.path(), "1s", "")?;
    open_to_all(folder.path())?;
    // `-u` in bash, `-p` in dash.
    let limit = "ulimit -u 16 2>/dev/null || ulimit -p 16 || exit 9";
    let command = |arguments: &[&str]| limited(folder.path(), limit, Some(NOBODY), arguments);
    answered_over_http(command(&["serve", "--listen", "127.0.0.1:0"])?, folder.path())?;
    answered_over_stdio(command(&["serve"])?)
}

/// 1.5 GiB of address space, in KiB. Stacks of a debug build are four times as large, and so is the program.
const LITTLE: u64 = if cfg!(debug_assertions) { 3 << 20 } else { 3 << 19 };

/// A process with little address space answers every call.
pub(crate) fn little_memory_is_no_reason_for_silence() -> crate::Outcome {
    if !cfg!(target_os = "linux") {
        told("little memory", "skipped: the limit on the address space is Linux's");
        return Ok(());
    }
    let _alone = alone();
    let folder = tempfile::tempdir()?;
    project(folder.path(), "1s", "")?;
    let limit = format!("ulimit -v {LITTLE}");
    let command = |arguments: &[&str]| limited(folder.path(), &limit, None, arguments);
    answered_over_http(command(&["serve", "--listen", "127.0.0.1:0"])?, folder.path())?;
    answered_over_stdio(command(&["serve"])?)
}

/// The tokens of [`one_caller_has_not_all_turns`], by their hashes.
const TOKENS: &str = "\
auth:
  resource: https://tools.example.com/mcp
  tokens:
    - { sha256: 19baf87afc915935a582e6c857b362af85afa50744c26a66eaf4eb9f276f8ba2, principal: greedy }
    - { sha256: 11f89fbb2931385551cebbaca3e79ae6c3a630e3d9680f1c870acbdd080d31e6, principal: modest }
limits: { concurrency: 4 }
";

/// While one caller has all the turns that it may have, and waits for more, another is answered.
pub(crate) fn one_caller_has_not_all_turns() -> crate::Outcome {
    let _alone = alone();
    let folder = tempfile::tempdir()?;
    project(folder.path(), "2s", TOKENS)?;
    let [greedy, modest] = ["greedy-0123456789-0123456789-012345", "modest-0123456789-0123456789-012345"];
    let server = Running::start(folder.path(), &[])?;
    let address = server.address.as_str();
    let bearer = |token: &str| format!("Authorization: Bearer {token}");
    let (endings, times) = std::thread::scope(|scope| {
        let held: Vec<_> =
            (0..12).map(|at| scope.spawn(move || call(address, ENDLESS[at % 5].0, &bearer(greedy)))).collect();
        std::thread::sleep(Duration::from_millis(700));
        // The first calls of a tool are planned on threads of their own, and take a turn.
        let times: Vec<(String, Duration)> = (0..5)
            .map(|_| {
                let began = Instant::now();
                (call(address, "small", &bearer(modest)), began.elapsed())
            })
            .collect();
        (held.into_iter().filter_map(|one| one.join().ok()).collect::<Vec<_>>(), times)
    });
    let slow = times.iter().any(|(ending, time)| ending != "ok" || *time > Duration::from_millis(1500));
    if slow || endings.len() != 12 || endings.iter().any(|ending| !["timeout", "busy"].contains(&ending.as_str())) {
        return Err(format!("{times:?} beside {endings:?}").into());
    }
    comes_to_rest(&server, Duration::from_secs(30))
}

/// What was measured, or was not, for who looks at the test's output.
fn told(what: &str, figures: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "{what}: {figures}");
}
