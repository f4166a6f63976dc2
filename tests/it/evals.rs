//! `qtool eval` against a scripted model on this machine.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Command;

/// Answers requests with these bodies, one after the other; what it was sent.
fn scripted(answers: Vec<Value>) -> std::io::Result<(String, std::thread::JoinHandle<Vec<Value>>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}/v1", listener.local_addr()?);
    let thread = std::thread::spawn(move || {
        let mut sent = Vec::new();
        for answer in answers {
            let Ok((stream, _)) = listener.accept() else { break };
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            loop {
                let mut line = String::new();
                if reader.read_line(&mut line).is_err() || line.trim().is_empty() {
                    break;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap_or(0);
                }
            }
            let mut body = vec![0; length];
            let _ = reader.read_exact(&mut body);
            sent.push(serde_json::from_slice(&body).unwrap_or_default());
            let text = answer.to_string();
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
            let _ = write!(reader.get_mut(), "{head}content-length: {}\r\n\r\n{text}", text.len());
        }
        sent
    });
    Ok((url, thread))
}

/// A model's answer that calls a tool.
fn calls(tool: &str, arguments: &Value) -> Value {
    let call = json!({"id": "c1", "type": "function", "function": {"name": tool, "arguments": arguments.to_string()}});
    json!({"choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]})
}

fn says(text: &str) -> Value {
    json!({"choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text}}]})
}

fn eval(arguments: &[&str]) -> std::io::Result<(Option<i32>, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .args(["eval", "-C", env!("CARGO_MANIFEST_DIR")])
        .args(arguments)
        .env("NO_PROXY", "127.0.0.1")
        .env("SECRET_OF_A_TEST", "a-key-that-nobody-sees")
        .output()?;
    let said = [output.stdout, output.stderr].concat();
    Ok((output.status.code(), String::from_utf8_lossy(&said).into_owned()))
}

/// The example's questions are checked without a model; a model that calls the right tool passes, another one does not.
pub(crate) fn models_are_judged_by_their_calls() -> crate::Outcome {
    let expected = |found: (Option<i32>, String), code: i32, words: &[&str]| match words
        .iter()
        .find(|words| !found.1.contains(*words))
    {
        None if found.0 == Some(code) => Ok(found.1),
        missing => Err(format!("expected {code} and {missing:?}: {:?}\n{}", found.0, found.1)),
    };
    expected(eval(&["--dry-run"])?, 0, &["3 evaluations"])?;

    let good = vec![calls("busiest_hours", &json!({"origin": "JFK"})), says("At eight in the morning.")];
    let (url, model) = scripted(good)?;
    let arguments = ["rush_hour", "--url", &url, "--model", "m", "--key-env", "SECRET_OF_A_TEST"];
    let said = expected(eval(&arguments)?, 0, &["rush_hour"])?;
    if said.contains("a-key-that-nobody-sees") {
        return Err(format!("the key is in the report: {said}").into());
    }
    let sent = model.join().map_err(|_| "the scripted server failed")?;
    // The second request has the rows that the tool returned.
    let rows = sent.get(1).map(Value::to_string).unwrap_or_default();
    let tools = sent.first().and_then(|first| first["tools"].as_array()).map_or(0, Vec::len);
    if !rows.contains("10644") || tools < 20 {
        return Err(format!("the model was not given tools and rows: {rows}").into());
    }

    let wrong = vec![calls("busiest_hours", &json!({"origin": "LGA"})), says("At eight.")];
    let (url, model) = scripted(wrong)?;
    expected(eval(&["rush_hour", "--url", &url, "--model", "m"])?, 1, &["origin"])?;
    model.join().map_err(|_| "the scripted server failed")?;

    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("evals"))?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("qtool.yaml"), "name: e\n")?;
    std::fs::write(
        folder.path().join("queries/one.sql"),
        "/*--- { description: One. } ---*/\nSELECT << n: int >> AS n\n",
    )?;
    let text = "question: What?\nmust_call: [on]\narguments: { one: { m: 1 } }\n";
    std::fs::write(folder.path().join("evals/bad.yaml"), text)?;
    let bad =
        Command::new(env!("CARGO_BIN_EXE_qtool")).args(["eval", "--dry-run", "-C"]).arg(folder.path()).output()?;
    let said = String::from_utf8_lossy(&bad.stderr).into_owned();
    expected((bad.status.code(), said), 1, &["bad.yaml:2", "bad.yaml:3"])?;
    Ok(())
}
