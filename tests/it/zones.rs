//! Local times in zones whose clocks change: the same expressions as PostgreSQL and DuckDB were asked, with their answers.
//!
//! `tests/zones/obtain.py` asks them and writes `tests/zones/expected.json`. One query has several expressions, so that a
//! zone is compiled and called a few times only.

use crate::cases::{Outcome, block_on};
use qtool::diagnostic::render::{Format, render};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// Expressions of one query.
const GROUP: usize = 12;

#[derive(Deserialize)]
struct Entry {
    /// The expression; `$` is the name of its parameter.
    sql: String,
    #[serde(default)]
    args: Map<String, Value>,
    /// By zone, for each row.
    expected: BTreeMap<String, Vec<Value>>,
}

impl Entry {
    fn written(&self, at: usize) -> String {
        if self.args.is_empty() { self.sql.clone() } else { self.sql.replace('$', &format!("p{at}")) }
    }
}

pub(crate) fn run() -> crate::Outcome {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/zones");
    let entries: Vec<Entry> = serde_json::from_str(&std::fs::read_to_string(root.join("expected.json"))?)?;
    let moments = std::fs::read_to_string(root.join("data/moments.csv"))?;
    let zones: Vec<String> = entries.first().ok_or("no expressions")?.expected.keys().cloned().collect();
    assert!(entries.len() >= 200 && zones.len() >= 3);
    let mut wrong = Vec::new();
    for zone in &zones {
        let all: Vec<(usize, &Entry)> = entries.iter().enumerate().collect();
        for ((at, entry), answer) in all.iter().zip(answers(zone, &moments, &all)?) {
            let expected = &entry.expected[zone];
            match answer {
                Ok(answer) if same(&answer, expected) => {}
                Ok(answer) => wrong.push(format!("{zone}: {}\n{}", entry.written(*at), differences(&answer, expected))),
                Err(why) => wrong.push(format!("{zone}: {}\n    {why}", entry.written(*at))),
            }
        }
    }
    let tried = entries.len() * zones.len();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} of {tried}:\n{}", wrong.len(), wrong.join("\n")).into()) }
}

fn same(answer: &[Value], expected: &[Value]) -> bool {
    answer.len() == expected.len() && answer.iter().zip(expected).all(|(one, other)| value(one) == value(other))
}

/// Fractions that are zero are written or not.
fn value(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| value.clone(), Value::from),
        other => other.clone(),
    }
}

fn differences(answer: &[Value], expected: &[Value]) -> String {
    let lines = answer.iter().zip(expected).enumerate().filter(|(_, (one, other))| value(one) != value(other));
    let lines: Vec<String> =
        lines.map(|(at, (one, other))| format!("    row {}: {one}, expected {other}", at + 1)).collect();
    format!("{} rows\n{}", answer.len(), lines.join("\n"))
}

type Answer = Result<Vec<Value>, String>;

/// What every expression gives in a zone. Where a query fails, each of its expressions is tried alone.
fn answers(zone: &str, moments: &str, entries: &[(usize, &Entry)]) -> Result<Vec<Answer>, Box<dyn std::error::Error>> {
    let groups: Vec<&[(usize, &Entry)]> = entries.chunks(GROUP).collect();
    let mut found = Vec::new();
    for (group, answers) in groups.iter().zip(asked(zone, moments, &groups)?) {
        match answers {
            Ok(answers) => found.extend(answers.into_iter().map(Ok)),
            Err(why) if group.len() == 1 => found.push(Err(why)),
            Err(_) => {
                let alone: Vec<&[(usize, &Entry)]> = group.chunks(1).collect();
                for answers in asked(zone, moments, &alone)? {
                    found.push(answers.map(|mut answers| answers.pop().unwrap_or_default()));
                }
            }
        }
    }
    Ok(found)
}

/// The columns of every query.
type Columns = Result<Vec<Vec<Value>>, String>;

fn asked(zone: &str, moments: &str, groups: &[&[(usize, &Entry)]]) -> Result<Vec<Columns>, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("data/moments.csv"), moments)?;
    std::fs::write(
        dir.join("qtool.yaml"),
        format!(
            "name: zones\ntime_zone: {zone}\ntables:\n  moments:\n    path: data/moments.csv\n    \
             columns: {{ id: int, t: timestamptz, l: timestamp, d: date, s: text }}\n"
        ),
    )?;
    for (at, group) in groups.iter().enumerate() {
        let columns: Vec<String> =
            group.iter().map(|(at, entry)| format!("    {} AS e{at}", entry.written(*at))).collect();
        let sql = format!("SELECT\n{}\nFROM moments\nORDER BY id\n", columns.join(",\n"));
        std::fs::write(dir.join(format!("queries/group_{at}.sql")), sql)?;
    }
    let outcome = Outcome::of(dir);
    let project = outcome.project.as_ref().ok_or("the project does not load")?;
    let (path, file, catalog) = (dir.to_path_buf(), project.file.clone(), project.catalog.clone());
    let tools = outcome.compilation.as_ref().map(|made| made.tools.clone()).unwrap_or_default();
    let errors = render(&outcome.diagnostics, &outcome.sources, Format::Text, false);
    let calls: Vec<Result<Arguments, String>> = groups
        .iter()
        .enumerate()
        .map(|(at, group)| {
            if !tools.iter().any(|tool| tool.contract.name == format!("group_{at}")) {
                return Err(format!("does not compile: {errors}"));
            }
            let arguments = group.iter().flat_map(|(at, entry)| {
                entry.args.iter().map(move |(name, value)| (name.replace('$', &format!("p{at}")), value.clone()))
            });
            Ok(arguments.collect())
        })
        .collect();
    let answered: Result<Vec<Columns>, String> = block_on(async move {
        let tables = Tables::open(&path, &file, &catalog).await.map_err(|errors| format!("{errors:?}"))?;
        let engine = Engine::prepare(tables, tools);
        let mut answered = Vec::new();
        for (at, arguments) in calls.into_iter().enumerate() {
            answered.push(match arguments {
                Ok(arguments) => columns(&engine, &format!("group_{at}"), &arguments).await,
                Err(why) => Err(why),
            });
        }
        Ok(answered)
    });
    Ok(answered?)
}

async fn columns(engine: &Engine, tool: &str, arguments: &Arguments) -> Columns {
    let result = engine.call(tool, arguments).await;
    let result = result.map_err(|error| format!("fails: {} {:?}", error.line(), error.detail))?;
    let rows = result.rows.values();
    let width = result.rows.columns.len();
    Ok((0..width).map(|at| rows.iter().map(|row| row[at].clone()).collect()).collect())
}
