//! One folder, one case: its files become a project, the project is compiled, and where there are arguments, called.

use crate::{databases, expect, markers};
use qtool::compile::Compilation;
use qtool::diagnostic::render::{Format, render};
use qtool::diagnostic::{Code, Diagnostic, codes};
use qtool::emit;
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::error::CallError;
use qtool::engine::{Engine, STACK_SIZE, Tables};
use qtool::load;
use qtool::project::{Project, TableFormat};
use qtool::source::Sources;
use qtool::tool::Tool;
use qtool::workspace::{Locking, Workspace};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

type Produced = BTreeMap<String, String>;

/// Runs the case that a `query.sql` belongs to.
pub(crate) fn run(query: &Path) -> crate::Outcome {
    let dir = query.parent().ok_or("a case is a folder")?;
    // `tests/cases/<stage>/<case>`, with a folder for the topic between them where a stage has many.
    let below = dir.strip_prefix(shared())?;
    let stage = below.iter().next().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = tempfile::tempdir()?;
    lay_out(dir, folder.path())?;
    let outcome = Outcome::of(folder.path());
    markers::check(&outcome.sources, &outcome.diagnostics)?;
    let again = Outcome::of(folder.path());
    if outcome.compilation.as_ref().map(|c| &c.tools) != again.compilation.as_ref().map(|c| &c.tools)
        || outcome.stderr() != again.stderr()
    {
        return Err("compiled twice, with two outcomes".into());
    }
    let mut produced = Produced::new();
    let stderr = outcome.stderr();
    if !stderr.is_empty() {
        produced.insert("expected.stderr".into(), stderr);
    }
    if let Some(tool) = outcome.tool() {
        match stage {
            "emit" => {
                let json = serde_json::to_string_pretty(&emit::mcp::tool(&tool.contract))?;
                produced.insert("expected.tool.json".into(), json + "\n");
            }
            "infer" | "link" | "header" | "names" | "rules" => {
                produced.insert("expected.signature".into(), emit::signature::signature(&tool.contract)?);
            }
            _ => {}
        }
        if matches!(stage, "link" | "syntax") {
            let views = tool.views().iter().map(|view| format!("{}:\n{}\n\n", view.name, view.statement));
            produced.insert("expected.statement".into(), views.collect::<String>() + tool.statement() + "\n");
        }
        if let Ok(text) = std::fs::read_to_string(dir.join("args.json")) {
            let calls: Vec<Arguments> = serde_json::from_str(&text)?;
            produced.insert("expected.rows".into(), answers(folder.path(), &outcome, tool.clone(), calls)?);
        }
    } else if dir.join("args.json").exists() {
        return Err(format!("the case has arguments, but no tool:\n{}", outcome.stderr()).into());
    }
    if matches!(stage, "table_tools" | "policies") || dir.join("calls.json").exists() {
        tools_of_tables(dir, folder.path(), &outcome, &mut produced)?;
    }
    expect::compare(dir, &produced)?;
    Ok(())
}

/// The tools that are made of tables: what is published of them, or the answers to calls of `calls.json`, a list of names of
/// tools with arguments.
fn tools_of_tables(
    case: &Path,
    project: &Path,
    outcome: &Outcome,
    produced: &mut Produced,
) -> Result<(), Box<dyn std::error::Error>> {
    let tools: &[Tool] =
        outcome.compilation.as_ref().map(|compilation| compilation.tools.as_slice()).unwrap_or_default();
    if let Ok(text) = std::fs::read_to_string(case.join("calls.json")) {
        let calls: Vec<(String, Arguments)> = serde_json::from_str(&text)?;
        let mut answered = String::new();
        for (name, arguments) in calls {
            let tool = tools.iter().find(|tool| tool.contract.name == name);
            let tool = tool.ok_or_else(|| format!("there is no tool {name}:\n{}", outcome.stderr()))?;
            answered.push_str(&format!("{name} {}", answers(project, outcome, tool.clone(), vec![arguments])?));
        }
        produced.insert("expected.calls".into(), answered);
    } else if case.join("published").exists() {
        let made = tools.iter().filter(|tool| tool.table_set().is_some() || tool.record_set().is_some());
        let made: Vec<_> = made.map(|tool| emit::mcp::tool(&tool.contract)).collect();
        produced.insert("expected.tools.json".into(), serde_json::to_string_pretty(&made)? + "\n");
    }
    Ok(())
}

/// Writes the case's files as a project: `.sql` and `.yaml` under `queries/`, and the shared tables where the case
/// brings none of its own.
pub(crate) fn lay_out(case: &Path, project: &Path) -> std::io::Result<()> {
    let shared = shared();
    std::fs::create_dir_all(project.join("queries"))?;
    for entry in std::fs::read_dir(case)?.flatten() {
        let path = entry.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let name = entry.file_name();
        if (ending == "sql" || ending == "yaml") && name != "qtool.yaml" {
            std::fs::copy(&path, project.join("queries").join(name))?;
        }
    }
    let of_the_root = case.join("root");
    if of_the_root.exists() {
        // What lies at the root of the project, all of it.
        std::fs::copy(case.join("qtool.yaml"), project.join("qtool.yaml"))?;
        copy_all(&of_the_root, project)?;
        return add_upstream(project);
    }
    let own = case.join("qtool.yaml");
    if own.exists() {
        std::fs::copy(own, project.join("qtool.yaml"))?;
        copy_all(&case.join("data"), &project.join("data"))?;
    } else {
        std::fs::copy(shared.join("qtool.yaml"), project.join("qtool.yaml"))?;
        copy_all(&shared.join("snapshots"), &project.join("snapshots"))?;
    }
    // A case with tables of its own may use the shared data as well.
    copy_all(&shared.join("data"), &project.join("data"))
}

/// Adds the program that other servers are in cases, where a project has such.
pub(crate) fn add_upstream(project: &Path) -> std::io::Result<()> {
    if project.join("snapshots/upstreams").exists() || project.join("notes.json").exists() {
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fakes/upstream.py");
        std::fs::copy(server, project.join("upstream.py"))?;
    }
    Ok(())
}

fn shared() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Copies a folder; what is there already stays.
pub(crate) fn copy_all(from: &Path, to: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_all(&entry.path(), &target)?;
        } else if !target.exists() {
            std::fs::create_dir_all(to)?;
            if let Some(run) = databases::server_of(&target) {
                run_once(run, &std::fs::read_to_string(entry.path())?).map_err(std::io::Error::other)?;
                continue;
            }
            match databases::of_dump(&target) {
                Some(database) => databases::make(&std::fs::read_to_string(entry.path())?, &database)?,
                None => drop(std::fs::copy(entry.path(), target)?),
            }
        }
    }
    Ok(())
}

/// Runs what sets a server up. Copies of a case run beside each other, and all of them read what the first one has made.
fn run_once(run: databases::Run, statements: &str) -> Result<(), String> {
    static DONE: std::sync::Mutex<BTreeMap<String, Result<(), String>>> = std::sync::Mutex::new(BTreeMap::new());
    let mut done = DONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let make = || run(statements).map_err(|error| error.to_string());
    done.entry(statements.to_owned()).or_insert_with(make).clone()
}

/// What loading and compiling a folder gave.
pub(crate) struct Outcome {
    pub project: Option<Project>,
    pub sources: Sources,
    pub compilation: Option<Compilation>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Outcome {
    /// Loads and compiles; tables without a lock are read from their data.
    pub(crate) fn of(dir: &Path) -> Outcome {
        Outcome::with(dir, false)
    }

    /// The same, with the data untouched where `locked`.
    pub(crate) fn with(dir: &Path, locked: bool) -> Outcome {
        let mut workspace = match Workspace::load(dir) {
            Ok(workspace) => workspace,
            Err(failed) => {
                let diagnostics = failed.diagnostics.into_sorted();
                return Outcome { project: None, sources: failed.sources, compilation: None, diagnostics };
            }
        };
        if locked {
            workspace.forgo_data();
        } else if workspace.needs_data() {
            workspace = block_on(async move {
                workspace.read_data(Locking::ReadOnly, |_| {}).await;
                workspace
            });
        }
        let compilation = workspace.compile();
        let project = workspace.project;
        Outcome {
            sources: project.sources.clone(),
            diagnostics: compilation.diagnostics.clone(),
            project: Some(project),
            compilation: Some(compilation),
        }
    }

    /// The diagnostics as text. `missing-description` only where a marker is about it: most cases describe nothing.
    fn stderr(&self) -> String {
        let described = markers::names(&self.sources, Code::MissingDescription.as_str());
        let shown: Vec<Diagnostic> = self
            .diagnostics
            .iter()
            .filter(|diagnostic| described || diagnostic.code != Code::MissingDescription)
            .cloned()
            .collect();
        render(&shown, &self.sources, Format::Text, false)
    }

    /// The tool of `queries/query.sql`.
    fn tool(&self) -> Option<&Tool> {
        let project = self.project.as_ref()?;
        let query = project.queries.iter().find(|query| query.stem == "query")?;
        let name = qtool::syntax::declared_name(query, &project.sources);
        self.compilation.as_ref()?.tools.iter().find(|tool| tool.contract.name == name)
    }
}

impl Outcome {
    /// The diagnostics of opening the tables: what `call` and `serve` say where the data is not as it was locked.
    /// What would keep its programs from running here.
    pub(crate) fn unrunnable_programs(&self, dir: &Path) -> Vec<Diagnostic> {
        let tools = self.compilation.as_ref().map(|compilation| compilation.tools.as_slice()).unwrap_or_default();
        Workspace::load(dir).map(|workspace| workspace.unrunnable_programs(tools)).unwrap_or_default()
    }

    pub(crate) fn of_opening(&self, dir: &Path) -> Vec<Diagnostic> {
        let Some(project) = &self.project else { return Vec::new() };
        let (path, file, catalog) = (dir.to_path_buf(), project.file.clone(), project.catalog.clone());
        let names: Vec<String> = catalog.tables.keys().cloned().collect();
        let changes = block_on(async move {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let opened = Tables::open_some(&path, &file, &catalog, &names).await;
            opened.map(|tables| tables.changes(&catalog)).unwrap_or_default()
        });
        let changed =
            |(name, what): (String, String)| codes::table_changed(load::table_span(project, &name), &name, &what);
        changes.into_iter().map(changed).collect()
    }
}

/// Runs a future on threads as large as the program's own.
pub(crate) fn block_on<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    static RUNTIME: std::sync::LazyLock<tokio::runtime::Runtime> = std::sync::LazyLock::new(|| {
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK_SIZE).build().unwrap()
    });
    RUNTIME.block_on(RUNTIME.spawn(future)).unwrap()
}

/// What a call says of its caller, and when it happens: under `@claims`, `@headers` and `@now` beside the arguments.
fn caller(arguments: &mut Arguments) -> Caller {
    let mut taken = |key: &str| match arguments.remove(key) {
        Some(serde_json::Value::Object(map)) => map,
        _ => serde_json::Map::new(),
    };
    let claims = taken("@claims");
    let text = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let headers = taken("@headers").into_iter().map(|(name, value)| (name, text(value))).collect();
    let scopes = arguments.remove("@scopes").map(|scopes| serde_json::from_value(scopes).expect("a list"));
    let now = arguments.remove("@now").map(|now| text(now).parse().expect("an instant"));
    Caller { claims, headers, scopes: scopes.unwrap_or_default(), now, ..Caller::default() }
}

/// Calls the tool with each of the arguments; what an agent would read, one after the other.
fn answers(
    dir: &Path,
    outcome: &Outcome,
    tool: Tool,
    calls: Vec<Arguments>,
) -> Result<String, Box<dyn std::error::Error>> {
    let mut out = String::new();
    for (arguments, answer) in calls.iter().zip(call(dir, outcome, tool, calls.clone())?) {
        out.push_str(&format!("> {}\n", serde_json::Value::Object(arguments.clone())));
        match answer {
            Ok(text) => out.push_str(&format!("{text}\n\n")),
            Err(error) => {
                let json = serde_json::to_string_pretty(&error)?;
                let detail = error.detail.as_ref().map(|detail| logged(detail.text())).unwrap_or_default();
                out.push_str(&format!("{}\n{json}{detail}\n\n", error.line()));
            }
        }
    }
    Ok(out)
}

/// Calls the tool with each of the arguments: the text that an agent reads, or the error.
pub(crate) fn call(
    dir: &Path,
    outcome: &Outcome,
    tool: Tool,
    calls: Vec<Arguments>,
) -> Result<Vec<Result<String, CallError>>, Box<dyn std::error::Error>> {
    let project = outcome.project.as_ref().ok_or("no project")?;
    let (dir, file, catalog) = (dir.to_path_buf(), project.file.clone(), project.catalog.clone());
    let schema = emit::mcp::output_schema(&tool.contract);
    let validator = jsonschema::validator_for(&schema)?;
    let answers: Result<_, String> = block_on(async move {
        let names: Vec<&str> = tool.contract.tables.iter().map(String::as_str).collect();
        let tables = Tables::open_some(&dir, &file, &catalog, &names).await.map_err(|errors| format!("{errors:?}"))?;
        let engine = Engine::prepare(tables, vec![tool.clone()]);
        engine.plan_all().map_err(|errors| format!("{errors:?}"))?;
        let mut answers = Vec::new();
        for mut arguments in calls {
            let caller = caller(&mut arguments);
            let answer = engine.call_as(&tool.contract.name, &arguments, &caller).await;
            if let Ok(result) = &answer
                && let Err(error) = validator.validate(&result.object())
            {
                return Err(format!("the result breaks the published schema: {error} at {}", error.instance_path()));
            }
            answers.push(answer.map(|result| match result.format {
                TableFormat::Structured => result.text(),
                _ if result.changed.as_ref().is_some_and(|changed| changed.is_dry || !changed.gives_rows()) => {
                    result.text()
                }
                _ => result.annotated(),
            }));
        }
        Ok(answers)
    });
    Ok(answers?)
}

/// What the log says of a failed call. Whether a pattern is looked at first by a filter or where a scan is pruned is left
/// to the engine's threads, and each says it in its own words.
fn logged(detail: &str) -> String {
    if detail.contains("regex parse error") {
        "\n(log: a regex parse error)".to_owned()
    } else {
        format!("\n(log: {detail})")
    }
}
