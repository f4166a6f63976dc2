//! Servers and watchers for the tests.

use crate::upstreams::{
    Address, Answer, Command, Config, Content, Failure, Progress, Reach, Restart, Secret, Upstream, Watch,
};
use serde_json::{Map, Value};
use std::pin::Pin;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub(super) const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fakes/mcp_server.py");

pub(super) fn config(flags: &[&str]) -> Config {
    let arguments = std::iter::once(SERVER).chain(flags.iter().copied()).map(Into::into).collect();
    let command = Command {
        program: python().into(),
        arguments,
        environment: vec![("GIVEN".into(), Secret::new("yes"))],
        folder: None,
    };
    quick(Config::new("fake", Reach::Command(command)))
}

pub(super) fn quick(mut config: Config) -> Config {
    config.restart =
        Restart { first: Duration::from_millis(300), longest: Duration::from_secs(1), steady: Duration::from_secs(60) };
    config
}

pub(super) fn pipes(flags: &[&str]) -> Upstream {
    Upstream::new(config(flags))
}

/// Whether there is no Python here, which is told.
pub(super) fn lacks_python() -> bool {
    let is_missing = std::process::Command::new("python3").arg("--version").output().is_err();
    if is_missing {
        // Nobody may read it.
        let _ = std::io::Write::write_all(
            &mut std::io::stderr(),
            b"left out: a test of clients of other servers needs python3\n",
        );
    }
    is_missing
}

/// The real executable: a shim would stand between the tests and the server.
pub(super) fn python() -> String {
    let output =
        std::process::Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(super) struct Web {
    child: Child,
    pub(super) port: u16,
}

impl Web {
    pub(super) fn start(flags: &[&str]) -> Web {
        let mut child = std::process::Command::new(python())
            .arg(SERVER)
            .arg("--http")
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.take().unwrap()), &mut line).unwrap();
        Web { child, port: line.trim().parse().unwrap() }
    }

    pub(super) fn config(&self) -> Config {
        let address = Address {
            url: format!("http://127.0.0.1:{}/mcp", self.port),
            headers: vec![("Authorization".to_owned(), Secret::new("Bearer secret"))],
        };
        quick(Config::new("fake", Reach::Http(address)))
    }

    pub(super) fn upstream(&self) -> Upstream {
        Upstream::new(self.config())
    }

    pub(super) fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Default)]
pub(super) struct Watcher {
    pub(super) steps: Mutex<Vec<Progress>>,
    pub(super) stop: CancellationToken,
}

impl Watch for Watcher {
    fn progress(&self, progress: Progress) {
        self.steps.lock().unwrap().push(progress);
    }

    fn cancelled(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.stop.cancelled())
    }
}

pub(super) async fn call(upstream: &Upstream, tool: &str, arguments: Value) -> Result<Answer, Failure> {
    upstream.call(tool, object(arguments), &(), (None, None)).await
}

pub(super) async fn text(upstream: &Upstream, tool: &str, arguments: Value) -> String {
    match call(upstream, tool, arguments).await.unwrap().content.as_slice() {
        [Content::Text(text)] => text.clone(),
        other => panic!("{other:?}"),
    }
}

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

pub(super) fn is_alive(pid: &str) -> bool {
    // What was killed and not yet waited for by its parent is as good as gone.
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

pub(super) async fn eventually(mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..500 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not come");
}
