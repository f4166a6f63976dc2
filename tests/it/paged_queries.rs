//! Pages of made-up queries: whatever the ORDER BY leaves open, all pages together are all rows, each of them once, in the
//! order that the author asks for. The judge is the same query in one piece and without a cursor, which is planned as it
//! is written.
//!
//! `QTOOL_PROPTEST_CASES` sets how many queries there are.

use crate::cases::{Outcome, block_on};
use arrow::array::{ArrayRef, Float64Array, Int32Array, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::project::AutomaticParameter;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Queries by default: each shape once, over kept tables and over files with other orders.
const QUERIES: usize = SHAPES.len();
const FORMATS: [&str; 4] = ["structured", "csv", "toon", "markdown"];

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A query without its order: its columns that can be sorted by, and expressions that only the order may have.
struct Shape {
    sql: &'static str,
    columns: &'static [&'static str],
    hidden: &'static [&'static str],
    /// Whether it leaves open which rows there are: then it is held to itself in one piece.
    is_free: bool,
}

type Names = &'static [&'static str];

const fn shape(sql: &'static str, columns: Names, hidden: Names) -> Shape {
    Shape { sql, columns, hidden, is_free: false }
}

const fn free(sql: &'static str, columns: Names, hidden: Names) -> Shape {
    Shape { sql, columns, hidden, is_free: true }
}

/// `keyed` has a primary key, `loose` has rows that are there several times, `many` is Parquet.
const SHAPES: [Shape; 29] = [
    shape("SELECT id, s, n, x FROM keyed", &["id", "s", "n", "x"], &["length(s)", "n % 2", "abs(x)"]),
    shape("SELECT s, n FROM keyed", &["s", "n"], &["id % 3", "x"]),
    shape("SELECT n, s AS t FROM keyed WHERE s = << which = 'a' >>", &["n", "t"], &["x"]),
    shape("SELECT s, n, x FROM loose", &["s", "n", "x"], &["n % 2", "d"]),
    shape("SELECT DISTINCT s, n FROM loose", &["s", "n"], &[]),
    free("SELECT DISTINCT ON (s) s, n, d FROM loose ORDER BY s LIMIT 100", &[], &[]),
    shape("SELECT s, n FROM keyed UNION ALL SELECT s, n FROM loose", &["s", "n"], &[]),
    shape("SELECT s, n FROM keyed UNION SELECT s, n FROM loose", &["s", "n"], &[]),
    shape("SELECT s, n FROM loose EXCEPT SELECT s, n FROM keyed WHERE n > 3", &["s", "n"], &[]),
    shape("SELECT s, n FROM loose INTERSECT SELECT s, n FROM keyed", &["s", "n"], &[]),
    shape("SELECT k.id AS i, l.s AS t FROM keyed AS k JOIN loose AS l ON k.n = l.n", &["i", "t"], &["l.x", "k.s"]),
    shape("SELECT k.id AS i, m.id AS o FROM keyed AS k LEFT JOIN many AS m ON k.n = m.id", &["i", "o"], &["k.s"]),
    shape("SELECT k.s AS t, l.n AS m FROM keyed AS k FULL JOIN loose AS l ON k.id = l.n", &["t", "m"], &[]),
    shape("SELECT m.s AS t, m.id AS i FROM many AS m, keyed AS k WHERE m.id = k.id", &["t", "i"], &["k.n"]),
    shape("SELECT s, count(*) AS c, sum(n) AS total FROM loose GROUP BY s", &["s", "c", "total"], &["max(x)"]),
    shape("SELECT s, sum(x) AS total FROM loose GROUP BY s", &["s", "total"], &["min(d)"]),
    shape("SELECT n, avg(x) AS mean FROM keyed GROUP BY n", &["n", "mean"], &["count(*)"]),
    shape("SELECT s, n, count(*) AS c FROM loose GROUP BY ROLLUP (s, n)", &["s", "n", "c"], &[]),
    free("SELECT s, row_number() OVER (PARTITION BY s ORDER BY n) AS r FROM loose", &["s", "r"], &[]),
    free(
        "SELECT s, n, rank() OVER (ORDER BY n) AS a, row_number() OVER (ORDER BY n) AS b, lag(d) OVER (ORDER BY n) AS c \
         FROM loose",
        &["s", "a", "b", "c"],
        &["d"],
    ),
    free("SELECT s, sum(n) OVER (ORDER BY s ROWS 2 PRECEDING) AS t FROM loose", &["s", "t"], &[]),
    free("SELECT s, n FROM (SELECT s, n, d FROM loose ORDER BY s LIMIT 40) AS cut", &["s", "n"], &["d"]),
    free("WITH w AS (SELECT s, n FROM loose LIMIT 50) SELECT s, n FROM w", &["s", "n"], &[]),
    free("SELECT id, s FROM keyed WHERE n IN (SELECT n FROM loose ORDER BY d LIMIT 30)", &["id", "s"], &["n"]),
    shape("SELECT s, make_array(n, 1) AS l, named_struct('a', s, 'b', x) AS p FROM loose", &["s"], &["n"]),
    shape(
        "SELECT n, l, p FROM (SELECT n, make_array(s) AS l, named_struct('a', d, 'b', s) AS p FROM loose) AS q",
        &["n"],
        &[],
    ),
    free("SELECT s, t FROM best", &["s", "t"], &[]),
    shape("SELECT id, s, n FROM many WHERE n < << most = 5 >>", &["id", "s", "n"], &["id % 10"]),
    shape("SELECT s, n, d FROM many", &["s", "n", "d"], &["n * n"]),
];
const VIEW: &str = "/*--- { description: A view., kind: view } ---*/\n\
    SELECT s, max(n) AS t FROM (SELECT s, n FROM loose ORDER BY n DESC LIMIT 70) AS q GROUP BY s, n\n";

/// An ORDER BY, and the place of the column that it begins with, if it does.
fn order(random: &mut Random, shape: &Shape) -> (String, Option<usize>) {
    let how = ["", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST", " ASC"];
    let (mut keys, mut first) = (Vec::new(), None);
    for _ in 0..1 + random.below(2) {
        let at = random.below(shape.columns.len() + shape.hidden.len());
        let key = match shape.columns.get(at) {
            Some(_) if random.below(4) == 0 => (position(shape, at) + 1).to_string(),
            Some(column) => (*column).to_owned(),
            None => shape.hidden[at - shape.columns.len()].to_owned(),
        };
        if keys.is_empty() {
            first = shape.columns.get(at).map(|_| position(shape, at));
        }
        keys.push(format!("{key}{}", random.of(&how)));
    }
    (keys.join(", "), first)
}

/// Where a column stands among those of the result; the names that can be sorted by come first in every shape.
fn position(shape: &Shape, at: usize) -> usize {
    let list = shape.sql.split(" FROM ").next().unwrap_or_default();
    let is_named = |item: &str| item.trim().split([' ', '.']).next_back() == Some(shape.columns[at]);
    list.split(',').position(is_named).unwrap_or_default()
}

/// Writes the project; every query twice, with a cursor and without. For each, the column that it is sorted by first.
fn project(dir: &Path, cache: &str, queries: usize) -> Result<Vec<Option<usize>>, Box<dyn std::error::Error>> {
    std::fs::create_dir_all(dir.join("queries"))?;
    let table = |name: &str, more: &str| format!("  {name}: {{ path: {name}{more}{cache} }}\n");
    let tables = [
        table("keyed", ".csv, primary_key: [id]"),
        table("loose", ".csv"),
        table("many", ".parquet, primary_key: [id]"),
    ];
    let text = format!("name: paged\nlimits: {{ max_bytes: 64KiB }}\ntables:\n{}", tables.concat());
    std::fs::write(dir.join("qtool.yaml"), text)?;
    std::fs::write(dir.join("queries/best.sql"), VIEW)?;
    let mut random = Random(7 + cache.len() as u64);
    rows(dir, &mut random)?;
    let mut sorted = Vec::new();
    for at in 0..queries {
        let shape = &SHAPES[at % SHAPES.len()];
        let sql = shape.sql;
        let write = |name: &str, header: &str, statement: &str| {
            let text = format!("/*--- {{ description: A query., result_limit: none, {header} }} ---*/\n{statement}\n");
            std::fs::write(dir.join(format!("queries/{name}_{at}.sql")), text)
        };
        if shape.columns.is_empty() {
            write("paged", "expose: [limit, table_format, cursor]", sql)?;
            write("whole", "expose: [limit]", sql)?;
            sorted.push(Some(0));
            continue;
        }
        let (by, first) = order(&mut random, shape);
        let (header, by) = if at % 5 == 4 {
            let other = order(&mut random, shape).0;
            let choices = format!("choices: {{ one: \"{other}\", other: \"{by}\" }}, default: other");
            (format!("params: {{ by: {{ {choices} }} }}, "), "<< by >>".to_owned())
        } else {
            (String::new(), by)
        };
        write("paged", &header, &format!("{sql} ORDER BY {by}"))?;
        write("whole", &format!("{header}expose: [limit]"), &format!("{sql} ORDER BY {by}"))?;
        sorted.push(first);
    }
    Ok(sorted)
}

/// Few values, so that many rows are equal in whatever they are sorted by, and nulls.
fn rows(dir: &Path, random: &mut Random) -> crate::Outcome {
    let texts = ["a", "b", "\"\"", "bb", ""];
    let days = ["2024-01-01", "2024-02-29", ""];
    let numbers = ["0.5", "-0.0", "0.0", "", "1e300"];
    let mut keyed = "id,s,n,x\n".to_owned();
    for at in 0..90 {
        keyed += &format!("{},{},{},{}\n", at * 37 % 90, random.of(&texts), random.below(9), random.of(&numbers));
    }
    std::fs::write(dir.join("keyed.csv"), keyed)?;
    let mut loose = "s,n,d,x\n".to_owned();
    for _ in 0..110 {
        let n = random.below(7);
        let n = if n == 6 { String::new() } else { n.to_string() };
        loose += &format!("{},{n},{},{}\n", random.of(&texts), random.of(&days), random.of(&numbers));
    }
    std::fs::write(dir.join("loose.csv"), loose)?;
    many(dir, random)
}

/// A Parquet file of several row groups.
fn many(dir: &Path, random: &mut Random) -> crate::Outcome {
    let count = 160;
    let ids = Int64Array::from_iter_values((0..count).map(|at| at * 77 % count));
    let texts = StringArray::from_iter((0..count).map(|_| random.of(&[Some("a"), Some("b"), None])));
    let numbers = Int32Array::from_iter((0..count).map(|_| Some(random.below(6) as i32).filter(|n| *n != 3)));
    let doubles =
        Float64Array::from_iter((0..count).map(|_| random.of(&[Some(0.0), Some(-0.0), Some(f64::NAN), None])));
    let columns: [(&str, ArrayRef); 4] =
        [("id", Arc::new(ids)), ("s", Arc::new(texts)), ("n", Arc::new(numbers)), ("d", Arc::new(doubles))];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))?;
    let mut writer = ArrowWriter::try_new(std::fs::File::create(dir.join("many.parquet"))?, batch.schema(), None)?;
    for from in (0..batch.num_rows()).step_by(40) {
        writer.write(&batch.slice(from, 40))?;
        writer.flush()?;
    }
    writer.close()?;
    Ok(())
}

/// Every made-up query in pages of several sizes and formats, over kept tables and over files.
pub(crate) fn run() -> crate::Outcome {
    let queries = std::env::var("QTOOL_PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(QUERIES);
    for cache in ["", ", cache: none"] {
        let folder = tempfile::tempdir()?;
        let sorted = project(folder.path(), cache, queries)?;
        let outcome = Outcome::of(folder.path());
        let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
            return Err("the project does not compile".into());
        };
        if compilation.errors > 0 {
            return Err(format!("{:#?}", compilation.diagnostics).into());
        }
        let pages = |name: &str| {
            let tool = compilation.tools.iter().find(|tool| tool.contract.name == name);
            tool.is_some_and(|tool| tool.contract.expose.contains(&AutomaticParameter::Cursor))
        };
        let without: Vec<String> = (0..queries).map(|at| format!("paged_{at}")).filter(|name| !pages(name)).collect();
        if !without.is_empty() {
            let text = |name: &String| std::fs::read_to_string(folder.path().join(format!("queries/{name}.sql")));
            let texts = without.iter().map(text).collect::<Result<Vec<_>, _>>()?;
            let said: Vec<&String> = compilation.diagnostics.iter().map(|one| &one.message).collect();
            return Err(format!("no cursor: {without:?}\n{texts:#?}\n{said:#?}").into());
        }
        let (dir, tools) = (folder.path().to_path_buf(), compilation.tools);
        let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await });
        let engine = Arc::new(Engine::prepare(tables.map_err(|errors| format!("{errors:?}"))?, tools));
        for (at, first) in sorted.into_iter().enumerate() {
            let engine = Arc::clone(&engine);
            let found = block_on(async move { judge(&engine, at, first).await });
            found.map_err(|why| {
                let text = std::fs::read_to_string(folder.path().join(format!("queries/paged_{at}.sql")));
                format!("{}\n{why} (tables{cache})", text.unwrap_or_default())
            })?;
        }
    }
    Ok(())
}

async fn judge(engine: &Engine, at: usize, first: Option<usize>) -> Result<(), String> {
    let is_free = SHAPES[at % SHAPES.len()].is_free;
    let name = format!("{}_{at}", if is_free { "paged" } else { "whole" });
    let told = |error: qtool::engine::error::CallError| format!("{}: {:?}", error.line(), error.detail);
    let whole = engine.call(&name, &Arguments::new()).await.map_err(told)?;
    if whole.truncated {
        return Err("the whole is more than an answer holds".to_owned());
    }
    let whole = whole.rows.values();
    let (rows, pages) = paged(engine, at, whole.len()).await?;
    let texts = |rows: &[Vec<Value>]| {
        let mut texts: Vec<String> = rows.iter().map(|row| json!(row).to_string()).collect();
        texts.sort();
        texts
    };
    if texts(&whole) != texts(&rows) {
        return Err(format!("{} rows in {pages} pages, {} in one piece", rows.len(), whole.len()));
    }
    let keys = |rows: &[Vec<Value>]| first.map(|at| rows.iter().map(|row| row[at].clone()).collect::<Vec<_>>());
    if keys(&whole) != keys(&rows) {
        return Err(format!("the {pages} pages are in another order"));
    }
    Ok(())
}

async fn paged(engine: &Engine, at: usize, whole: usize) -> Result<(Vec<Vec<Value>>, usize), String> {
    let name = format!("paged_{at}");
    let sizes = [3, 1, whole / 5 + 1, whole / 7 + 2, whole / 3 + 1];
    let mut arguments = Arguments::new();
    let (mut rows, mut pages) = (Vec::new(), 0);
    loop {
        arguments.insert("limit".to_owned(), json!(sizes[(at + pages) % sizes.len()]));
        arguments.insert("table_format".to_owned(), json!(FORMATS[(at + pages) % FORMATS.len()]));
        let result =
            engine.call(&name, &arguments).await.map_err(|error| format!("{}: {:?}", error.line(), error.detail))?;
        rows.extend(result.rows.values());
        pages += 1;
        match (&result.next_cursor, result.truncated) {
            (Some(cursor), true) if pages < 2_000 => drop(arguments.insert("cursor".to_owned(), json!(cursor))),
            (None, false) => return Ok((rows, pages)),
            other => return Err(format!("page {pages}: {other:?}")),
        }
    }
}
