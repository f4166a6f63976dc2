//! Thousands of everything: each statement compiles in bounded time, or is told to be too large.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PROJECT: &str = "\
name: large
tables: { orders: { path: data/orders.csv }, wide: { path: data/wide.csv } }
lints: { missing-description: allow, select-star: allow, unbounded-result: allow, large-definition: allow }
";
/// The time that all of them may take together: a second each in a release build, some twenty times as long in a debug
/// build beside other tests.
const MOST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 300 } else { 35 });

/// A statement of `n` parts, and what it is called.
type Shape = (&'static str, usize, fn(usize) -> String);

const SHAPES: [Shape; 29] = [
    ("literals_too_many", 100_000, |n| {
        format!("SELECT id FROM orders WHERE id IN ({})", listed(n, |at| at.to_string()))
    }),
    ("literals", 45_000, |n| format!("SELECT id FROM orders WHERE id IN ({})", listed(n, |at| at.to_string()))),
    ("texts", 20_000, |n| format!("SELECT id FROM orders WHERE status IN ({})", listed(n, |at| format!("'ü{at}'")))),
    ("values", 10_000, |n| format!("SELECT column1 AS x FROM (VALUES {}) AS t", listed(n, |at| format!("({at})")))),
    ("items", 20_000, |n| format!("SELECT [{}] AS x FROM orders", listed(n, |at| at.to_string()))),
    ("tables_too_many", 5_000, chained),
    ("tables_in_a_chain", 190, chained),
    ("tables_side_by_side_too_many", 5_000, |n| {
        format!("WITH {} SELECT id FROM c1", listed(n, |at| format!("c{at} AS (SELECT id FROM orders)")))
    }),
    ("tables_that_join_themselves_too_often", 16, joined),
    ("tables_that_join_themselves", 11, joined),
    ("tables_in_subqueries_too_often", 24, |n| {
        let more = (1..n)
            .map(|at| format!(", c{at} AS (SELECT max(id) + (SELECT max(id) FROM c{0}) AS id FROM c{0})", at - 1));
        format!("WITH c0 AS (SELECT id FROM orders){} SELECT id FROM c{}", more.collect::<String>(), n - 1)
    }),
    ("columns_too_many", 5_000, |n| format!("SELECT {} FROM orders", listed(n, |at| format!("id + {at} AS c{at}")))),
    ("parameters_too_many", 20_000, |n| {
        format!("SELECT id FROM orders WHERE id IN ({})", listed(n, |at| format!("<< p{at} >>")))
    }),
    ("parameters", 2_000, |n| {
        format!("SELECT id FROM orders WHERE id IN ({})", listed(n, |at| format!("<< p{at} >>")))
    }),
    ("list_parameters", 1_000, |n| {
        format!("SELECT {} FROM orders", listed(n, |at| format!("id IN << p{at} >> AS c{at}")))
    }),
    ("clauses_too_many", 1_000, |n| {
        let clauses: String = (0..n).map(|at| format!(" [[ AND id > << p{at} >> ]]")).collect();
        format!("SELECT id FROM orders WHERE true{clauses}")
    }),
    ("clauses", 100, |n| {
        let clauses: String = (0..n).map(|at| format!(" [[ AND id > << p{at} >> ]]")).collect();
        format!("SELECT id FROM orders WHERE true{clauses}")
    }),
    ("union_too_long", 5_000, |n| vec!["SELECT id FROM orders"; n].join(" UNION ALL ")),
    ("union", 300, |n| vec!["SELECT id FROM orders"; n].join(" UNION ALL ")),
    ("joins", 120, |n| {
        let joins: String = (1..n).map(|at| format!(" JOIN orders AS t{at} ON t{at}.id = t0.id")).collect();
        format!("SELECT t0.id FROM orders AS t0{joins}")
    }),
    ("subqueries", 1_000, |n| {
        format!("SELECT {} FROM orders", listed(n, |at| format!("(SELECT max(id) FROM orders) AS c{at}")))
    }),
    ("windows_too_many", 500, |n| {
        format!("SELECT {} FROM orders", listed(n, |at| format!("sum(id) OVER (ORDER BY total + {at}) AS c{at}")))
    }),
    ("cube_too_large", 24, cube),
    ("cube", 7, cube),
    ("cubes_too_many", 8, |n| {
        format!("SELECT count(*) AS n FROM orders GROUP BY {}", vec!["CUBE (id, status, total)"; n].join(", "))
    }),
    ("searches", 4_000_000, |n| {
        let one = format!("repeat('a', {n} + << n: int >>), 'a*b|a'");
        format!("SELECT regexp_count({one}) AS a, length(regexp_replace({one}, 'x', 'g')) AS b")
    }),
    ("unknown_columns", 3_000, |n| format!("SELECT {} FROM orders", listed(n, |at| format!("nope{at} AS c{at}")))),
    ("placeholders_in_texts", 3_000, |n| {
        format!("SELECT {} FROM orders", listed(n, |at| format!("'<< p{at} >>' AS c{at}")))
    }),
    ("signs", 1_000_000, |n| format!("SELECT '{}' AS x FROM orders", "<< x ".repeat(n / 5))),
];

fn listed(n: usize, one: impl Fn(usize) -> String) -> String {
    (1..=n).map(one).collect::<Vec<_>>().join(", ")
}

fn chained(n: usize) -> String {
    let more: String = (1..n).map(|at| format!(", c{at} AS (SELECT id FROM c{})", at - 1)).collect();
    format!("WITH c0 AS (SELECT id FROM orders){more} SELECT id FROM c{}", n - 1)
}

fn cube(n: usize) -> String {
    format!("SELECT count(*) AS n FROM orders GROUP BY CUBE ({})", listed(n, |at| format!("id + {at}")))
}

fn joined(n: usize) -> String {
    let more =
        (1..n).map(|at| format!(", c{at} AS (SELECT a.id FROM c{0} AS a JOIN c{0} AS b ON a.id = b.id)", at - 1));
    format!("WITH c0 AS (SELECT id FROM orders){} SELECT count(*) AS n FROM c{}", more.collect::<String>(), n - 1)
}

/// What `qtool check` says of a folder, and how long it takes.
fn checked(dir: &Path) -> Result<(Duration, String), Box<dyn std::error::Error>> {
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_qtool"))
        .args(["check", "--format", "short"])
        .current_dir(dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    // Whoever takes too long is not waited for.
    let id = child.id();
    let (over, ended) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if ended.recv_timeout(MOST) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            // It may have ended in this moment.
            let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
        }
    });
    let mut said = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut said)?;
    }
    let status = child.wait()?;
    drop(over);
    let _ = watch.join();
    match status.code() {
        Some(_) => Ok((started.elapsed(), said)),
        None => Err(format!("it took more than {MOST:?}, or broke: {status}").into()),
    }
}

fn project(dir: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::create_dir_all(dir.join("data"))?;
    std::fs::write(dir.join("data/orders.csv"), "id,status,total\n1,open,2.5\n")?;
    let wide: Vec<String> = (0..4_000).map(|at| format!("c{at}")).collect();
    std::fs::write(dir.join("data/wide.csv"), format!("{}\n{}\n", wide.join(","), vec!["1"; wide.len()].join(",")))?;
    std::fs::write(dir.join("qtool.yaml"), PROJECT)
}

/// Queries that select from one another, a hundred times or more.
fn chains() -> Vec<(String, String)> {
    let view = |body: String| format!("/*--- {{ kind: view }} ---*/ {body}");
    let chain = |name: &str, n: usize, body: fn(String) -> String| -> Vec<(String, String)> {
        let first = (format!("{name}0"), view("SELECT id FROM orders".to_owned()));
        let more = (1..n).map(|at| (format!("{name}{at}"), view(body(format!("{name}{}", at - 1)))));
        std::iter::once(first).chain(more).collect()
    };
    let mut all = chain("chained", 150, |below| format!("SELECT id FROM {below}"));
    all.extend(chain("joined", 30, |below| format!("SELECT a.id FROM {below} AS a JOIN {below} AS b ON a.id = b.id")));
    all
}

/// Headers and tables with thousands of everything.
fn further() -> [(&'static str, String); 6] {
    let params: String = (0..20_000).map(|at| format!("  p{at}: {{ description: x }}\n")).collect();
    let values: Vec<String> = (0..20_000).map(|at| format!("v{at}")).collect();
    let of_values = format!("params: {{ p: {{ allowed_values: [{}] }} }}", values.join(", "));
    [
        ("parameters_of_a_header_too_many", format!("/*---\nparams:\n{params}---*/\nSELECT id FROM orders")),
        ("allowed_values", format!("/*---\n{of_values}\n---*/\nSELECT id FROM orders WHERE status = << p >>")),
        ("default", "SELECT << n = regexp_count(repeat('a', 4000000), 'a*b|a') >> AS x".to_owned()),
        (
            "columns_of_a_table_too_many",
            "WITH a AS (SELECT * FROM wide), b AS (SELECT * FROM a) SELECT * FROM b".to_owned(),
        ),
        ("columns_that_join_too_many", "SELECT a.c1 FROM wide AS a NATURAL JOIN wide AS b".to_owned()),
        ("columns_of_a_table_that_are_named", "SELECT c1, c3999 FROM wide".to_owned()),
    ]
}

/// Each of them becomes a tool, or is told to be too large, within the time that the whole may take.
pub(crate) fn statements_compile_in_bounded_time() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path())?;
    let write = |name: &str, sql: &str| std::fs::write(folder.path().join(format!("queries/{name}.sql")), sql);
    for (name, n, shape) in SHAPES {
        write(name, &shape(n))?;
    }
    for (name, sql) in chains() {
        write(&name, &sql)?;
    }
    for (name, sql) in further() {
        write(name, &sql)?;
    }
    let (took, said) = checked(folder.path())?;
    told(&format!("checked in {took:?}"));
    let refused = |name: &str| {
        let of_file = said.lines().filter(|line| line.starts_with(&format!("queries/{name}.sql:")));
        of_file.filter(|line| line.contains("error[")).map(str::to_owned).next()
    };
    let names = SHAPES.iter().map(|(name, ..)| *name).chain(further().map(|(name, _)| name));
    let mut wrong = Vec::new();
    for name in names {
        let found = refused(name);
        let is_large =
            |line: &String| line.contains("error[query-too-large]") || line.contains("error[query-too-deep]");
        let is_right = match name.rsplit_once("_too_") {
            Some(_) => found.as_ref().is_some_and(is_large),
            None => found.as_ref().is_none_or(|line| !is_large(line)),
        };
        if !is_right {
            wrong.push(format!("{name}: {}", found.unwrap_or_else(|| "no error".to_owned())));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// What was measured, for who looks at the test's output.
fn told(figures: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "large statements: {figures}");
}
