//! Programs of `simple_json` are asked what they take while locks are written, and never else.

use crate::cases::block_on;
use qtool::engine::Engine;
use qtool::engine::bind::Arguments;
use qtool::serve::Server;
use qtool::workspace::{Locking, Workspace};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// It writes down what it is run with, whoever runs it.
const PROGRAM: &str = "\
printf '%.40s\\n' \"$1\" >> logs/asked.txt
case \"$1\" in
  --fractalic-dump-schema) echo '{\"parameters\": {\"properties\": {\"word\": {\"type\": \"string\"}}, \"required\": [\"word\"]}}' ;;
  *) echo true ;;
esac
";

/// A server asks no program, whether what it says is locked or not, and neither does a call.
pub(crate) fn programs_are_asked_while_locking_alone() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let asked = || std::fs::read_to_string(dir.join("logs/asked.txt")).unwrap_or_default();
    std::fs::create_dir(dir.join("tools"))?;
    std::fs::create_dir(dir.join("logs"))?;
    std::fs::write(dir.join("qtool.yaml"), "name: asked\nprograms: { require_sandbox: false }\n")?;
    std::fs::write(dir.join("program.sh"), PROGRAM)?;
    std::fs::write(dir.join("tools/say.yaml"), "description: Says.\nsimple_json: [sh, program.sh]\nwrites: [logs]\n")?;
    is("an embedded server", &refusal(dir), "not locked")?;
    is("what was asked by it", &asked(), "")?;

    let mut workspace = load(dir)?;
    workspace.forgo_asking_programs();
    let mut workspace = block_on(async move {
        workspace.read_data(Locking::Write, |_| {}).await;
        workspace
    });
    let tools = workspace.compile().tools.len();
    is("what was asked of a project that only calls", &format!("{tools} tools\n{}", asked()), "0 tools\n")?;

    workspace = load(dir)?;
    let locked = block_on(async move { workspace.relock_signatures(|_| {}).await });
    is("what was locked", &format!("{locked:?}"), "[(\"say\", true)]")?;
    let both = "{\"__test__\": true}\n--fractalic-dump-schema\n";
    is("what was asked while locking", &asked(), both)?;

    let workspace = load(dir)?;
    let served = workspace.dir.clone();
    is("an embedded server", &refusal(&served), "it is served")?;
    let tools = workspace.compile().tools;
    let engine = block_on(async move { workspace.engine(tools).await.map_err(|errors| format!("{errors:?}")) })?;
    let engine = Arc::new(engine);
    is("what was asked by a server", &asked(), both)?;
    let long = answer(&engine, json!({"word": "x".repeat(131_061)}))?;
    is("an argument that no program takes", &long, "131072 bytes long as JSON")?;
    is("what was asked of it", &asked(), both)?;
    is("a call", &answer(&engine, json!({"word": "x"}))?, "true")?;
    is("what was asked by a call", &asked(), &format!("{both}{{\"word\":\"x\"}}\n"))?;
    let longest = answer(&engine, json!({"word": "x".repeat(131_060)}))?;
    is("the longest argument that a program takes", &longest, "true")
}

fn load(dir: &Path) -> Result<Workspace, String> {
    Workspace::load(dir).map_err(|failed| format!("{failed:?}"))
}

/// Why a project is not served by a program that embeds it.
fn refusal(dir: &Path) -> String {
    let dir = dir.to_owned();
    block_on(async move {
        match Server::of_project(&dir, Vec::new()).await {
            Ok(_) => "it is served".to_owned(),
            Err(error) => error.to_string(),
        }
    })
}

/// What a call answers, or why it does not.
fn answer(engine: &Arc<Engine>, arguments: Value) -> Result<String, Box<dyn std::error::Error>> {
    let arguments: Arguments = serde_json::from_value(arguments)?;
    let engine = Arc::clone(engine);
    Ok(block_on(async move {
        match engine.call("say", &arguments).await {
            Ok(result) => result.table,
            Err(error) => error.message,
        }
    }))
}

/// Whether something says what it must; with nothing to say, it says nothing.
fn is(what: &str, said: &str, expected: &str) -> crate::Outcome {
    let fits = if expected.is_empty() { said.is_empty() } else { said.contains(expected) };
    if fits { Ok(()) } else { Err(format!("{what}: {said:?}, and not {expected:?}").into()) }
}
