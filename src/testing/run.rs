//! Runs tests: one engine for all that have the same rows in the place of data, calls side by side.

use super::comparison::Comparison;
use super::expectation::{self, Answer, Failure};
use super::file::Case;
use super::fixture::Fixture;
use super::golden;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::fixture::{Keeps, Row};
use crate::engine::{ANSWERS, Engine, FixtureError, FixtureRows, Tables};
use crate::project::Project;
use crate::tool::Tool;
use crate::ty::coerce::TimeZoneName;
use crate::workspace::{OpenedTables, Workspace};
use arrow::array::RecordBatch;
use futures::StreamExt;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What tests run against.
#[derive(Debug)]
pub struct Bench {
    /// The project, with the locked schemas.
    pub workspace: Arc<Workspace>,
    /// The tools that compiled.
    pub tools: Vec<Tool>,
    /// Why others did not, by name: `it does not compile`.
    pub missing: HashMap<String, String>,
}

/// How they run.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Calls side by side.
    pub jobs: usize,
    /// Whether golden files are written anew.
    pub update: bool,
    /// Whether answers of programs, web services and functions are asked for and kept; else those that were kept hold.
    pub record: bool,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All holds.
    Passed,
    /// The tool gave something else.
    Failed(Vec<Failure>),
    /// It could not be run; why, in a few words.
    NotRun(String),
}

/// A test that was run.
#[derive(Debug, Clone)]
pub struct Ran {
    /// What came of it.
    pub verdict: Verdict,
    /// How long the call took.
    pub took: Duration,
    /// Whether the call returned a result: then it has tried what it was called with.
    pub answered: bool,
    /// The text of its golden file, where that is to be written.
    pub golden: Option<String>,
}

impl Ran {
    fn not_run(why: impl Into<String>) -> Ran {
        Ran { verdict: Verdict::NotRun(why.into()), took: Duration::ZERO, answered: false, golden: None }
    }
}

/// Tests with the same rows.
struct Group {
    rows: Vec<(String, RecordBatch)>,
    /// The same as they are written.
    fixtures: Vec<Fixture>,
    /// The numbers of the tests.
    cases: Vec<usize>,
}

/// What all runs share.
struct Shared {
    bench: Bench,
    cases: Vec<Case>,
    settings: Settings,
    comparison: Comparison,
    calls: Semaphore,
    done: Box<dyn Fn() + Send + Sync>,
}

/// Runs the tests; what came of each, in their order, and what is wrong with their rows and the tables. `done` is
/// called after each. Run it on threads whose stack holds a plan ([`crate::engine::STACK_SIZE`]).
pub async fn run(
    bench: Bench,
    (cases, settings): (Vec<Case>, Settings),
    done: impl Fn() + Send + Sync + 'static,
) -> (Vec<Ran>, Vec<Diagnostic>) {
    let workspace = Arc::clone(&bench.workspace);
    let project = &workspace.project;
    let mut sink = Diagnostics::default();
    let mut ran: Vec<Option<Ran>> = cases.iter().map(|_| None).collect();
    let groups = groups(project, &bench, (&cases, settings.record), &mut ran, &mut sink);
    let zone = project.file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
    let (calls, done) = (Semaphore::new(settings.jobs), Box::new(done));
    let shared = Arc::new(Shared { bench, cases, settings, comparison: Comparison::new(&zone), calls, done });
    ran.iter().flatten().for_each(|_| (shared.done)());
    // Spawned as the stream asks for them: no more engines are there at once than calls.
    let running = groups.into_iter().map(|group| tokio::spawn(run_group(Arc::clone(&shared), group)));
    let mut outcomes = futures::stream::iter(running).buffer_unordered(settings.jobs);
    while let Some(outcome) = outcomes.next().await {
        // A test that is missing then says so.
        let Ok((of_group, problems)) = outcome else { continue };
        for (at, one) in of_group {
            ran.get_mut(at).into_iter().for_each(|place| *place = Some(one.clone()));
        }
        sink.extend(problems);
    }
    let ran = ran.into_iter().map(|ran| ran.unwrap_or_else(|| Ran::not_run("it failed inside the engine"))).collect();
    (ran, sink.into_sorted())
}

/// Puts tests with equal rows together, or each apart; those that cannot be run are noted in `ran`.
fn groups(
    project: &Project,
    bench: &Bench,
    (cases, apart): (&[Case], bool),
    ran: &mut [Option<Ran>],
    sink: &mut Diagnostics,
) -> Vec<Group> {
    let mut by_rows: BTreeMap<(Option<usize>, String), Vec<usize>> = BTreeMap::new();
    for (at, (case, ran)) in cases.iter().zip(ran.iter_mut()).enumerate() {
        let Some(tool) = bench.tools.iter().find(|tool| tool.contract.name == case.tool) else {
            let why = bench.missing.get(&case.tool).map_or("there is no such tool", String::as_str);
            *ran = Some(Ran::not_run(why));
            continue;
        };
        if let Some(source) = tool.source() {
            let is_unread = |one: &&Fixture| {
                let is_changed = tool.change().is_some_and(|change| change.writes_folder(&one.table));
                let is_there = project.file.tables.contains_key(&one.table);
                is_there && !is_changed && one.of_database(project, source).is_none()
            };
            let unread: Vec<&Fixture> = case.fixtures.iter().filter(is_unread).collect();
            if !unread.is_empty() {
                unread.iter().for_each(|one| sink.push(one.not_read(&case.tool, source, project)));
                *ran = Some(Ran::not_run("its fixtures have errors"));
                continue;
            }
        }
        let rows: Vec<_> = case.fixtures.iter().map(|one| (&one.table, one.rows.as_ref())).collect();
        // What is answered to a test is recorded by that test alone.
        let own = apart.then_some(at);
        by_rows.entry((own, serde_json::to_string(&rows).unwrap_or_default())).or_default().push(at);
    }
    let mut groups = Vec::new();
    for group in by_rows.into_values() {
        let fixtures = group.first().and_then(|at| cases.get(*at)).map(|case| case.fixtures.as_slice());
        let batches: Vec<Option<(String, RecordBatch)>> = fixtures
            .unwrap_or_default()
            .iter()
            .map(|one| Some((one.table.clone(), one.batch(project, sink)?)))
            .collect();
        match batches.into_iter().collect::<Option<Vec<_>>>() {
            Some(rows) => groups.push(Group { rows, fixtures: fixtures.unwrap_or_default().to_vec(), cases: group }),
            None => {
                for at in group {
                    ran.get_mut(at).into_iter().for_each(|ran| *ran = Some(Ran::not_run("its fixtures have errors")));
                }
            }
        }
    }
    // In the order of the tests.
    groups.sort_by_key(|group| group.cases.first().copied());
    groups
}

/// Runs the tests of a group; what came of each, by its number, and what is wrong with the tables.
async fn run_group(shared: Arc<Shared>, group: Group) -> (Vec<(usize, Ran)>, Diagnostics) {
    let case = |at: &usize| shared.cases.get(*at);
    let wanted: BTreeSet<&str> = group.cases.iter().filter_map(case).map(|case| case.tool.as_str()).collect();
    let tools: Vec<Tool> = shared
        .bench
        .tools
        .iter()
        .filter(|tool| wanted.contains(tool.contract.name.as_str()))
        .map(with_locked_values)
        .collect();
    let opened = open(&shared.bench, &tools, &group.rows).await;
    let mut problems = opened.problems(&shared.bench.workspace.project);
    let bad: BTreeMap<&str, &str> = opened
        .unopened
        .iter()
        .map(|failed| (failed.table.as_str(), "cannot be read"))
        .chain(opened.changed.iter().map(|(table, _)| (table.as_str(), "is not as it was locked")))
        .collect();
    let broken = |case: &Case| {
        let tool = tools.iter().find(|tool| tool.contract.name == case.tool)?;
        let (table, why) = tool.contract.tables.iter().find_map(|table| bad.get_key_value(table.as_str()))?;
        Some(format!("table `{table}` {why}"))
    };
    let (mut ran, mut ready) = (Vec::new(), Vec::new());
    for at in group.cases {
        match shared.cases.get(at).map(broken) {
            Some(None) => ready.push(at),
            why => ran.push((at, Ran::not_run(why.flatten().unwrap_or_default()))),
        }
    }
    ran.iter().for_each(|_| (shared.done)());
    let tables = opened.tables.and_then(|tables| tables.with_rows(group.rows).ok());
    // A test writes no records.
    let records = &shared.bench.workspace.project.file.records;
    let of_folder = |one: &Fixture| Some((records.get(&one.table)?.path.clone(), one.rows.as_ref().clone()));
    let rows: HashMap<String, Vec<Row>> = group.fixtures.iter().filter_map(of_folder).collect();
    let (keeps, answers) =
        (if shared.settings.record { Keeps::Writes } else { Keeps::Uses }, shared.bench.workspace.dir.join(ANSWERS));
    let tables = tables.map(|tables| tables.with_copied_records(&rows).with_answers(answers, keeps));
    let tables = tables.ok_or_else(|| "its tables cannot be opened".to_owned());
    let project = &shared.bench.workspace.project;
    match tables.and_then(|tables| over_copies(tables, &tools, (&group.fixtures, project), &mut problems)) {
        Ok(tables) => {
            let engine = Arc::new(Engine::prepare(tables, tools));
            // Each on a task of its own: conditions are planned where they are asked for.
            let calls =
                ready.into_iter().map(|at| tokio::spawn(run_case(Arc::clone(&shared), Arc::clone(&engine), at)));
            let mut ended = futures::stream::iter(calls).buffer_unordered(shared.settings.jobs);
            while let Some(one) = ended.next().await {
                // A test that is missing then says so.
                ran.extend(one);
            }
        }
        Err(why) => {
            ran.extend(ready.into_iter().map(|at| (at, Ran::not_run(why.clone()))));
        }
    }
    (ran, problems)
}

/// Puts rows in the place of those that statements in a database's own SQL run over.
///
/// Errors: why that cannot be done, in words for who has written them.
fn over_copies(
    mut tables: Tables,
    tools: &[Tool],
    (fixtures, project): (&[Fixture], &Project),
    sink: &mut Diagnostics,
) -> Result<Tables, String> {
    let sources: BTreeSet<&str> = tools.iter().filter_map(Tool::source).collect();
    for source in sources {
        let (own, rows): (Vec<&Fixture>, Vec<FixtureRows>) =
            fixtures.iter().filter_map(|one| Some((one, one.of_database(project, source)?))).unzip();
        if rows.is_empty() {
            continue;
        }
        let copy = tables.with_database_rows(source, &rows).ok_or_else(|| format!("`{source}` is not copied"))?;
        tables = copy.map_err(|error| match error {
            FixtureError::NoCopy(why) => format!("`{source}` cannot be copied: {why}"),
            FixtureError::Row { table, row, why } => {
                own.get(table).into_iter().for_each(|one| sink.push(one.refused(row, &why)));
                "its fixtures have errors".to_owned()
            }
        })?;
    }
    Ok(tables)
}

/// A tool whose allowed values are those that are locked: they are read neither from data nor from rows in its place.
fn with_locked_values(tool: &Tool) -> Tool {
    let mut tool = tool.clone();
    for query in tool.contract.parameters_mut().iter_mut().filter_map(|parameter| parameter.allowed_query.as_mut()) {
        query.refresh = None;
    }
    tool
}

/// Opens the tables of the tools that no rows stand in for.
async fn open(bench: &Bench, tools: &[Tool], rows: &[(String, RecordBatch)]) -> OpenedTables {
    let is_read = |name: &&str| !rows.iter().any(|(table, _)| table == name);
    let names: BTreeSet<&str> =
        tools.iter().flat_map(|tool| &tool.contract.tables).map(String::as_str).filter(is_read).collect();
    let names: Vec<&str> = names.into_iter().collect();
    bench.workspace.open_tables(&names).await
}

/// Runs one test.
async fn run_case(shared: Arc<Shared>, engine: Arc<Engine>, at: usize) -> (usize, Ran) {
    let Some(case) = shared.cases.get(at) else { return (at, Ran::not_run("there is no such test")) };
    // Never closed.
    let _turn = shared.calls.acquire().await;
    let start = Instant::now();
    let outcome = engine.call_as(&case.tool, &case.arguments, &case.caller).await;
    let took = start.elapsed();
    let mut held = Vec::new();
    if let Ok(result) = &outcome {
        for condition in expectation::conditions(case) {
            let holds = engine.holds(&result.rows, &condition.sql, case.caller.now).await;
            held.push((condition, holds));
        }
    }
    let name = case.expect.golden.as_deref();
    let accepted = name.and_then(|name| golden::accepted(&shared.bench.workspace.dir, name));
    let text = match (name, &outcome) {
        (Some(name), Ok(result)) if shared.settings.update => Some(golden::text(name, result)),
        _ => None,
    };
    let golden = text.as_deref().or(accepted.as_deref());
    let failures = expectation::check(case, &Answer { outcome: &outcome, held: &held, golden }, &shared.comparison);
    // What is accepted of a test that fails otherwise is hardly what is meant.
    let golden = text.filter(|text| failures.is_empty() && accepted.as_deref() != Some(text.as_str()));
    // What was answered to a call that failed, and was not to, is hardly what its author wants to have again.
    let is_kept = shared.settings.record && (outcome.is_ok() || failures.is_empty());
    let verdict = match is_kept.then(|| engine.write_answers()) {
        Some(Err(error)) => {
            Verdict::NotRun(format!("its answers cannot be recorded: {}", crate::load::io_reason(&error)))
        }
        _ if failures.is_empty() => Verdict::Passed,
        _ => Verdict::Failed(failures),
    };
    (shared.done)();
    (at, Ran { verdict, took, answered: outcome.is_ok(), golden })
}
