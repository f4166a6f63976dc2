//! Tools that are requests, over a server that says what it was asked.

use crate::cases::block_on;
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::error::CallError;
use qtool::engine::result::CallResult;
use qtool::workspace::Workspace;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A request as it came in.
#[derive(Debug, Clone, Default)]
struct Asked {
    line: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl Asked {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A server that answers what its path says, and remembers what it was asked.
struct Server {
    port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    fn start() -> std::io::Result<Server> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let seen = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                std::thread::spawn(move || serve(stream, &seen));
            }
        });
        Ok(Server { port, asked })
    }

    fn last(&self) -> Asked {
        self.asked.lock().unwrap().last().cloned().unwrap_or_default()
    }
}

fn serve(stream: TcpStream, seen: &Mutex<Vec<Asked>>) {
    let Ok(mut out) = stream.try_clone() else { return };
    let mut reader = BufReader::new(stream);
    loop {
        let mut asked = Asked::default();
        if reader.read_line(&mut asked.line).unwrap_or(0) == 0 {
            return;
        }
        let mut line = String::new();
        while reader.read_line(&mut line).unwrap_or(0) > 2 {
            let (name, value) = line.split_once(':').unwrap_or((&line, ""));
            asked.headers.push((name.to_lowercase(), value.trim().to_owned()));
            line.clear();
        }
        let length = asked.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        asked.body = String::from_utf8_lossy(&body).into_owned();
        asked.line = asked.line.trim_end().to_owned();
        let path = asked.line.split(' ').nth(1).unwrap_or_default().to_owned();
        seen.lock().unwrap().push(asked);
        let (status, more, body) = answer(&path);
        let head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n{more}\r\n", body.len());
        if out.write_all(format!("{head}{body}").as_bytes()).is_err() {
            return;
        }
    }
}

fn answer(path: &str) -> (u16, String, String) {
    let plain = |status: u16, body: &str| (status, String::new(), body.to_owned());
    match path.split('?').next().unwrap_or_default() {
        "/status/404" => plain(404, "no such city"),
        "/status/410" => plain(410, "gone"),
        "/status/429" => (429, "retry-after: 7\r\n".to_owned(), String::new()),
        "/status/503" => plain(503, ""),
        "/status/500" => plain(500, "a secret of the service"),
        "/status/elsewhere" => (302, "location: http://169.254.169.254/latest\r\n".to_owned(), String::new()),
        "/rows" => plain(200, r#"{"data":{"items":[{"name":"a","price":123456789012.123456},{"name":null}]}}"#),
        "/broken" => plain(200, r#"{"data":"#),
        _ => plain(200, r#"{"ok":true}"#),
    }
}

/// A project with these manifests.
fn project(manifests: &[(&str, String)]) -> std::io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("tools"))?;
    std::fs::write(folder.path().join("qtool.yaml"), "name: web\n")?;
    for (name, text) in manifests {
        std::fs::write(folder.path().join(format!("tools/{name}.yaml")), text)?;
    }
    Ok(folder)
}

/// Calls tools of a project, one after the other.
fn calls(folder: &Path, calls: Vec<(&'static str, Value)>) -> Vec<Result<CallResult, CallError>> {
    let workspace = Workspace::load(folder).unwrap();
    let compilation = workspace.compile();
    assert_eq!(compilation.errors, 0, "{:?}", compilation.diagnostics);
    block_on(async move {
        let engine = workspace.engine(compilation.tools).await.unwrap();
        let mut answers = Vec::new();
        for (tool, arguments) in calls {
            let arguments: Arguments = serde_json::from_value(arguments).unwrap();
            answers.push(engine.call_as(tool, &arguments, &Caller::default()).await);
        }
        answers
    })
}

const HOSTILE: [&str; 22] = [
    "Oslo", "a b", "a/b", "../x", "..", ".", "%2e%2e", "%2F", "a?b=c", "a#b", "a&b=c", "a;b", "a\\b", "ü", "日本",
    "\u{202e}", "a\tb", "//host", "@host", "a:b", "+", "*",
];

/// A value is one segment of the path, one value of the query, one text of the body, whatever is in it.
pub(crate) fn values_are_the_parts_that_they_stand_in() -> crate::Outcome {
    let server = Server::start()?;
    let manifest = format!(
        "description: d\nparams:\n  city: {{ type: text }}\n  days: {{ type: int, required: false }}\n  tags: {{ type: \"text[]\", required: false }}\n\
         http:\n  method: POST\n  url: \"http://127.0.0.1:{}/v1/<< city >>/x-<< city >>?fixed=1\"\n  private: true\n  query: {{ city: << city >>, days: << days >>, tag: << tags >> }}\n  \
         headers: {{ X-Days: \"<< days >>\" }}\n  body: {{ city: << city >>, days: << days >>, tags: << tags >>, text: \"in << city >>\", list: [<< days >>, 1] }}\n\
         annotations: {{ read_only: true }}\n",
        server.port
    );
    let folder = project(&[("ask", manifest)])?;
    for value in HOSTILE {
        let arguments = json!({"city": value, "days": 3, "tags": ["a b", value]});
        let answered = calls(folder.path(), vec![("ask", arguments)]).remove(0);
        if matches!(value, "." | "..") {
            let error = answered.unwrap_err();
            assert_eq!(
                (error.code.as_str(), error.parameter.as_deref()),
                ("invalid-argument", Some("city")),
                "{value}"
            );
            continue;
        }
        answered.unwrap();
        let asked = server.last();
        let path = asked.line.split(' ').nth(1).unwrap();
        let url = url::Url::parse(&format!("http://h{path}")).unwrap();
        let segments: Vec<String> = url
            .path_segments()
            .unwrap()
            .map(|segment| {
                url::form_urlencoded::parse(format!("v={}", segment.replace('+', "%2B")).as_bytes())
                    .next()
                    .unwrap()
                    .1
                    .into_owned()
            })
            .collect();
        assert_eq!(segments, ["v1", value, &format!("x-{value}")], "{path}");
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let wanted =
            vec![pair("fixed", "1"), pair("city", value), pair("days", "3"), pair("tag", "a b"), pair("tag", value)];
        assert_eq!(pairs, wanted, "{path}");
        let body: Value = serde_json::from_str(&asked.body)?;
        let wanted =
            json!({"city": value, "days": 3, "tags": ["a b", value], "text": format!("in {value}"), "list": [3, 1]});
        assert_eq!(body, wanted);
        assert_eq!(asked.header("x-days"), Some("3"));
        assert_eq!(asked.header("content-type"), Some("application/json"));
    }
    calls(folder.path(), vec![("ask", json!({"city": "Oslo"}))]).remove(0).unwrap();
    let asked = server.last();
    assert_eq!(asked.line, "POST /v1/Oslo/x-Oslo?fixed=1&city=Oslo HTTP/1.1");
    assert_eq!(serde_json::from_str::<Value>(&asked.body)?, json!({"city": "Oslo", "text": "in Oslo", "list": [1]}));
    assert_eq!(asked.header("x-days"), None);
    Ok(())
}

/// A header takes no line break, and no address that is not public is reached unless the manifest says so.
pub(crate) fn nothing_leads_elsewhere() -> crate::Outcome {
    let server = Server::start()?;
    let at = |path: &str, more: &str| {
        format!(
            "description: d\nparams: {{ word: {{ type: text, default: w }} }}\nhttp:\n  url: \"http://127.0.0.1:{}{path}\"\n  headers: {{ X-Word: << word >> }}\n{more}",
            server.port
        )
    };
    let folder = project(&[
        ("open", at("/ok", "  private: true\n")),
        ("closed", at("/ok", "")),
        ("elsewhere", at("/status/elsewhere", "  private: true\n")),
        ("named", at("/ok", "").replace("127.0.0.1", "localhost")),
    ])?;
    let answers = calls(
        folder.path(),
        vec![
            ("open", json!({"word": "a"})),
            ("open", json!({"word": "a\r\nX-Other: b"})),
            ("open", json!({"word": "ü"})),
            ("closed", json!({})),
            ("named", json!({})),
            ("elsewhere", json!({})),
        ],
    );
    let told: Vec<(&str, bool)> = answers
        .iter()
        .map(|answer| match answer {
            Ok(_) => ("ok", false),
            Err(error) => {
                (error.code.as_str(), error.message.contains("127.0.0.1") || error.message.contains("169.254"))
            }
        })
        .collect();
    let wanted = ["ok", "invalid-argument", "invalid-argument", "request-failed", "request-failed", "request-failed"];
    assert_eq!(told, wanted.map(|code| (code, false)));
    assert!(server.asked.lock().unwrap().len() == 2, "{:?}", server.asked.lock().unwrap());
    Ok(())
}

/// What a service refuses is told by its status, and what it answers is read as the columns.
pub(crate) fn statuses_and_answers_are_told_as_the_manifest_says() -> crate::Outcome {
    let server = Server::start()?;
    let manifest = format!(
        "description: d\nparams: {{ path: {{ type: text }} }}\nhttp: {{ url: \"http://127.0.0.1:{}/status/<< path >>\", private: true }}\n\
         output: text\nstatuses: {{ 404: \"there is no such city\" }}\nempty: [410]\nannotations: {{ read_only: true }}\n",
        server.port
    );
    let rows = |path: &str| {
        format!(
            "description: d\nhttp: {{ url: \"http://127.0.0.1:{}/{path}\", private: true }}\nrows: /data/items\n\
             columns: {{ name: {{ type: text }}, price: {{ type: \"decimal(20,6)\" }} }}\nannotations: {{ read_only: true }}\n",
            server.port
        )
    };
    let folder = project(&[("ask", manifest), ("rows", rows("rows")), ("broken", rows("broken"))])?;
    let ask = |path: &str| ("ask", json!({"path": path}));
    let answers = calls(
        folder.path(),
        vec![ask("404"), ask("410"), ask("429"), ask("503"), ask("500"), ("rows", json!({})), ("broken", json!({}))],
    );
    let error = |at: usize| answers[at].as_ref().err().unwrap();
    assert_eq!((error(0).code.as_str(), error(0).message.as_str()), ("query-failed", "there is no such city"));
    assert_eq!(answers[1].as_ref().unwrap().table.trim().lines().count(), 2, "the head of a table without rows");
    assert_eq!((error(2).code.as_str(), error(2).retry_after), ("busy", Some(7)));
    assert_eq!(error(3).code.as_str(), "source-unavailable");
    assert_eq!(error(4).code.as_str(), "request-failed");
    let told = serde_json::to_string(error(4))?;
    assert!(!told.contains("secret"), "{told}");
    let rows = &answers[5].as_ref().unwrap().table;
    assert!(rows.contains("123456789012.123456"), "{rows}");
    assert_eq!(error(6).code.as_str(), "invalid-output");
    Ok(())
}

/// A worker that dies takes its own call with it and no other; each call has one answer.
pub(crate) fn each_call_of_a_function_has_one_answer() -> crate::Outcome {
    if std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).all(|at| !at.join("python3").is_file()) {
        let _ = writeln!(std::io::stderr(), "functions in Python are left out: there is no Python here");
        return Ok(());
    }
    let folder = project(&[(
        "f",
        "description: d\nparams: { n: { type: int }, die: { type: boolean } }\npython: code/f.py:f\ncolumns: { n: { type: int } }\nannotations: { read_only: true }\n".to_owned(),
    )])?;
    std::fs::write(folder.path().join("qtool.yaml"), "name: web\nprograms: { require_sandbox: false }\n")?;
    std::fs::create_dir_all(folder.path().join("code"))?;
    let code = "import os\n\n\ndef f(n, die):\n    if die:\n        os._exit(9)\n    return {\"n\": n}\n";
    std::fs::write(folder.path().join("code/f.py"), code)?;
    let workspace = Workspace::load(folder.path()).unwrap();
    let compilation = workspace.compile();
    assert_eq!(compilation.errors, 0, "{:?}", compilation.diagnostics);
    let (good, bad) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counted = (Arc::clone(&good), Arc::clone(&bad));
    block_on(async move {
        let engine = Arc::new(workspace.engine(compilation.tools).await.unwrap());
        let mut all = Vec::new();
        for n in 0..200 {
            let (engine, good, bad) = (Arc::clone(&engine), Arc::clone(&counted.0), Arc::clone(&counted.1));
            all.push(tokio::spawn(async move {
                let die = n % 20 == 7;
                let arguments: Map<String, Value> = serde_json::from_value(json!({"n": n, "die": die})).unwrap();
                let caller = Caller { principal: Some(format!("{}", n % 3).into()), ..Caller::default() };
                match engine.call_as("f", &arguments, &caller).await {
                    Ok(result) => {
                        assert!(!die);
                        assert!(result.table.contains(&format!("|{n}|")), "{n}: {}", result.table);
                        good.fetch_add(1, Ordering::Relaxed)
                    }
                    Err(error) => {
                        assert!(die, "{n}: {error:?}");
                        assert_eq!(error.code.as_str(), "program-failed");
                        bad.fetch_add(1, Ordering::Relaxed)
                    }
                };
            }));
        }
        for one in all {
            one.await.unwrap();
        }
    });
    assert_eq!((good.load(Ordering::Relaxed), bad.load(Ordering::Relaxed)), (190, 10));
    Ok(())
}
