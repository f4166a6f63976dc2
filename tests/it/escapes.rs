//! Attempts to get out of the sandbox of programs: `tests/escapes/cases/<class>.yaml`, each a piece of Python or shell that is the
//! program. One that gets out fails the class. Some of each class are run without the sandbox too, and do get out there:
//! else nobody would know that they try.

use qtool::programs::{Confinement, Launch, Most, NotRun, ProcessLimits, Sandbox, run, sandbox};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// With this variable, the executable of the tests runs a launch that it is given.
pub(crate) const LAUNCH: &str = "QTOOL_TEST_LAUNCH";
/// Every so many attempts are run without the sandbox too.
const CONTROLS: usize = 5;
/// How many attempts of a class are under way at once.
const AT_ONCE: usize = 2;
/// How often something is tried whose outcome depends on what else the machine does: also an answer that is late and nothing else.
const TRIES: usize = 3;
/// What is told by the time that something takes.
const OF_TIME: [&str; 5] = ["exceeds-time", "exceeds-cpu", "exceeds-memory", "exceeds-processes", "outlives"];

#[derive(Deserialize)]
struct Class {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    attempts: Vec<Attempt>,
    #[serde(default)]
    values: Vec<Argument>,
}

#[derive(Deserialize)]
struct Attempt {
    name: String,
    code: String,
    escaped: String,
    kind: Option<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    input: u64,
    #[serde(default)]
    network: bool,
    #[serde(default = "yes")]
    control: bool,
}

#[derive(Deserialize)]
struct Argument {
    name: String,
    value: Option<String>,
    #[serde(default = "once")]
    repeat: usize,
}

fn yes() -> bool {
    true
}

fn once() -> usize {
    1
}

/// Runs the attempts of a class.
pub(crate) fn class(file: &Path) -> crate::Outcome {
    if !sandbox().is_enough() || !has("python3") {
        // Nobody may read it.
        let _ = writeln!(std::io::stderr(), "{} is left out: there is no sandbox or no Python here", file.display());
        return Ok(());
    }
    let class: Class = serde_yaml::from_str(&std::fs::read_to_string(file)?)?;
    arguments(&class.values)?;
    let wanted = Mutex::new(class.attempts.iter().enumerate().collect::<Vec<_>>());
    let problems = Mutex::new(Vec::new());
    let controls = Mutex::new((0, 0));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((at, attempt)) = wanted.lock().unwrap().pop() else { return };
                    if attempt.needs.iter().any(|program| !has(program)) {
                        continue;
                    }
                    problems.lock().unwrap().extend(confined(attempt, &class.kind));
                    if at % CONTROLS == 0 && attempt.control {
                        let got_out = answer(attempt, &class.kind, "control").is_ok_and(|answer| escaped(&answer));
                        let mut controls = controls.lock().unwrap();
                        controls.0 += 1;
                        controls.1 += usize::from(got_out);
                    }
                }
            });
        }
    });
    let (tried, got_out) = controls.into_inner().unwrap();
    let mut problems = problems.into_inner().unwrap();
    if got_out * 2 < tried {
        problems.push(format!("without the sandbox, {got_out} of {tried} get out: the others say nothing"));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// What is wrong with an attempt in the sandbox: it gets out, or nobody can tell.
fn confined(attempt: &Attempt, kind: &str) -> Option<String> {
    let is_of_time = OF_TIME.contains(&attempt.escaped.as_str());
    let mut told = None;
    for _ in 0..TRIES {
        let answer = match answer(attempt, kind, "room") {
            Ok(answer) => answer,
            Err(why) => {
                told = Some(format!("{}: {why}", attempt.name));
                continue;
            }
        };
        let besides = answer["besides"].as_object().cloned().unwrap_or_default();
        let is_late_alone = besides.keys().all(|key| key == "late");
        let is_out = escaped(&answer) || !besides.is_empty();
        if !is_out && answer["broken"].is_null() {
            return None;
        }
        told = Some(format!("{} got out: {answer}", attempt.name));
        if !is_of_time && (!is_late_alone || escaped(&answer)) {
            return told;
        }
    }
    told
}

fn escaped(answer: &Value) -> bool {
    answer["escaped"] == Value::Bool(true)
}

/// Runs an attempt and judges it.
fn answer(attempt: &Attempt, kind: &str, mode: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/escapes");
    let asked = json!({
        "kind": attempt.kind.as_deref().unwrap_or(kind),
        "code": attempt.code,
        "escaped": attempt.escaped,
        "mode": mode,
        "binary": std::env::current_exe()?,
        "input": attempt.input,
        "network": attempt.network,
    });
    let secret = format!("SECRET-{}", uuid::Uuid::new_v4().simple());
    let mut child = Command::new("python3")
        .arg("-B")
        .arg(folder.join("attempt.py"))
        .env("ESCAPES_SERVER_SECRET", secret)
        .env(LAUNCH, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    child.stdin.take().ok_or("no input")?.write_all(asked.to_string().as_bytes())?;
    let output = child.wait_with_output()?;
    serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("no answer: {}", String::from_utf8_lossy(&output.stderr)).into())
}

/// Whether a program is there.
fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Each value reaches a program as the one argument that it is, or is refused.
fn arguments(values: &[Argument]) -> crate::Outcome {
    for argument in values {
        let Some(value) = argument.value.as_deref().map(|value| value.repeat(argument.repeat)) else { continue };
        let launch = Launch { arguments: vec!["%s".into(), value.clone().into()], ..launch_of("/usr/bin/printf") };
        // What begins with `-` is an option of `printf` itself only before its form.
        match run(&launch, &|| false) {
            Ok(ended) if ended.output == value.as_bytes() => {}
            Err(NotRun::TooLong) if value.len() > 100_000 => {}
            Err(_) if value.contains('\0') => {}
            other => return Err(format!("{}: {other:?}", argument.name).into()),
        }
    }
    Ok(())
}

fn launch_of(program: &str) -> Launch {
    Launch {
        program: program.into(),
        arguments: Vec::new(),
        environment: Vec::new(),
        folder: "/".into(),
        input: None,
        confinement: Confinement {
            sandbox: Sandbox::Required,
            reads: Vec::new(),
            writes: Vec::new(),
            network: false,
            limits: ProcessLimits::default(),
        },
        most: Most { time: Duration::from_secs(20), output: 1 << 20, errors: 1 << 16 },
    }
}

/// A launch as `attempt.py` asks for it.
#[derive(Deserialize)]
struct Asked {
    program: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    folder: PathBuf,
    input: Option<String>,
    sandbox: Sandbox,
    #[serde(default)]
    reads: Vec<PathBuf>,
    #[serde(default)]
    writes: Vec<PathBuf>,
    #[serde(default)]
    network: bool,
    cpu_ms: Option<u64>,
    memory: Option<u64>,
    files: Option<u64>,
    processes: Option<u64>,
    file_size: Option<u64>,
    time_ms: u64,
    output: usize,
    errors: usize,
}

/// Runs the launch that stands on the standard input, and says what came of it.
pub(crate) fn run_launch() -> std::io::Result<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let asked: Asked = serde_json::from_str(&text)?;
    let launch = Launch {
        program: asked.program,
        arguments: asked.arguments.into_iter().map(Into::into).collect(),
        environment: asked.environment.into_iter().map(|(name, value)| (name.into(), value.into())).collect(),
        folder: asked.folder,
        input: asked.input.map(String::into_bytes),
        confinement: Confinement {
            sandbox: asked.sandbox,
            reads: asked.reads,
            writes: asked.writes,
            network: asked.network,
            limits: ProcessLimits {
                cpu: asked.cpu_ms.map(Duration::from_millis),
                memory: asked.memory,
                files: asked.files,
                processes: asked.processes,
                file_size: asked.file_size,
            },
        },
        most: Most { time: Duration::from_millis(asked.time_ms), output: asked.output, errors: asked.errors },
    };
    let answer = match run(&launch, &|| false) {
        Ok(ended) => json!({
            "how": format!("{:?}", ended.how),
            "output": String::from_utf8_lossy(&ended.output),
            "errors": String::from_utf8_lossy(&ended.errors),
            "errors_cut": ended.errors_cut,
        }),
        Err(why) => json!({ "not_run": format!("{why:?}") }),
    };
    writeln!(std::io::stdout(), "{answer}")
}
