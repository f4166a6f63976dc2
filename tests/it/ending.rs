//! What becomes of calls that are open when their client leaves, and of answers that it has not read yet.

use crate::stdio::Client;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// How large a large answer is: many times what a pipe holds.
const LARGE: usize = 600_000;
/// How many calls there are of each tool.
const CALLS: u64 = 8;

fn project(dir: &Path) -> Outcome {
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/upstream.py");
    std::fs::copy(fake, dir.join("upstream.py"))?;
    let tool = |name: &str| json!({"name": name, "description": "Tells.", "inputSchema": {"type": "object"}});
    let large = json!({"content": [{"type": "text", "text": "x".repeat(LARGE)}]});
    let says = json!({"tools": [tool("large"), tool("never")], "answers": {"large": large, "never": "hangs"}});
    std::fs::write(dir.join("notes.json"), says.to_string())?;
    let yaml = "\
name: ending
resources: { enabled: false }
upstreams:
  notes: { command: [python3, upstream.py, notes.json], include: ['*'], concurrency: 64, max_bytes: 1MiB }
";
    std::fs::write(dir.join("qtool.yaml"), yaml)?;
    for arguments in [&["lock"][..], &["review", "--accept"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_qtool")).args(arguments).current_dir(dir).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into());
        }
    }
    Ok(())
}

/// The answers by their ids, all in whole lines, of what is left to be read.
fn answers(mut from: impl Read, mut read: Vec<u8>, pause: Duration) -> Outcome<BTreeMap<u64, Vec<Value>>> {
    let mut part = [0; 64 << 10];
    loop {
        match from.read(&mut part)? {
            0 => break,
            count => read.extend_from_slice(&part[..count]),
        }
        std::thread::sleep(pause);
    }
    if !read.is_empty() && !read.ends_with(b"\n") {
        return Err(format!("the last line is not whole: {} bytes", read.len()).into());
    }
    let mut answers: BTreeMap<u64, Vec<Value>> = BTreeMap::new();
    for line in read.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let message: Value = serde_json::from_slice(line)?;
        if let Some(id) = message["id"].as_u64() {
            answers.entry(id).or_default().push(message);
        }
    }
    Ok(answers)
}

/// Calls tools and leaves; every call has one answer, of that kind.
fn left(dir: &Path, name: &str, pause: Duration, is_answered: impl Fn(&Value) -> bool) -> Outcome<Duration> {
    let mut client = Client::start(dir, &json!({}))?;
    for id in 1..=CALLS {
        client.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name}}))?;
    }
    // Until the other server has them.
    std::thread::sleep(Duration::from_millis(1500));
    let start = Instant::now();
    client.leave();
    let buffered = client.stdout.buffer().to_vec();
    let found = answers(client.stdout.get_mut(), buffered, pause)?;
    for id in 1..=CALLS {
        match found.get(&id).map(Vec::as_slice) {
            Some([answer]) if is_answered(answer) => {}
            Some(all) => return Err(format!("call {id} of {name}: {:.300}", json!(all).to_string()).into()),
            None => return Err(format!("call {id} of {name} has no answer").into()),
        }
    }
    client.end()?;
    Ok(start.elapsed())
}

pub(crate) fn calls_of_a_client_that_leaves_have_one_answer_each() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let took = left(folder.path(), "never", Duration::ZERO, |answer| answer["error"]["code"] == -32603)?;
    if took > Duration::from_secs(4) {
        return Err(format!("the server ended after {took:?}").into());
    }
    // Read at a tenth of a second a part, that takes longer than calls may still take.
    let is_whole =
        |answer: &Value| answer["result"]["content"][0]["text"].as_str().is_some_and(|text| text.len() == LARGE);
    left(folder.path(), "large", Duration::from_millis(30), is_whole)?;
    Ok(())
}
