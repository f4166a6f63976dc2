//! The same rows in a database and in Parquet give the same answers to every condition that is sent to the database, and to
//! those beside it that are not. `QTOOL_SOURCES_CASES=50` asks fifty queries of each kind, the gate three.

mod data;
mod keys;
mod queries;
mod values;
mod written;

use super::{Compiled, cases, shown, told};
use crate::cases::block_on;
use crate::hostile_values::Random;
use data::{Column, Datum, EVERYWHERE, IN_MARIADB, MARIADB_PROJECT, POSTGRES_PROJECT, PROJECT};
use keys::Keyed;
use qtool::engine::Engine;
use qtool::engine::bind::Arguments;
use queries::Query;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

const SEED: u64 = 0x50A9_CE5D;
/// Queries under way at once.
const WORKERS: usize = 2;
/// Queries of one project, each of them twice.
const BATCH: usize = 250;
/// Differences that are shrunk and told; more are counted.
const TOLD: usize = 8;
/// Queries of each kind, in the gate.
const IN_THE_GATE: usize = 3;
/// At most one of so many queries may be one that does not compile.
const WRONG: usize = 10;

/// A query that is answered differently in one of its calls.
struct Difference {
    query: usize,
    call: usize,
    what: String,
}

/// What became of queries.
#[derive(Default)]
struct Asked {
    calls: usize,
    /// Calls that gave rows, and not the same error twice.
    answered: usize,
    wrong: Vec<String>,
    differences: Vec<Difference>,
}

/// Asks SQLite and Parquet.
pub(crate) fn run() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(SEED);
    let rows = values::rows(&mut random, EVERYWHERE);
    written::write(folder.path(), &rows, &keys::tables(&mut random))?;
    compare(folder.path(), &format!("{PROJECT}{}", Keyed::lines("")), (EVERYWHERE, &rows), random)
}

/// Asks PostgreSQL and Parquet.
pub(crate) fn run_over_postgres() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(SEED ^ 1);
    let mut rows = values::rows(&mut random, EVERYWHERE);
    written::write_served(folder.path(), &mut rows, &keys::tables(&mut random))?;
    compare(folder.path(), &format!("{POSTGRES_PROJECT}{}", Keyed::lines("differential.")), (EVERYWHERE, &rows), random)
}

/// Asks MariaDB and Parquet.
pub(crate) fn run_over_mariadb() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let mut random = Random::new(SEED ^ 2);
    let mut rows = values::rows(&mut random, IN_MARIADB);
    written::write_served_by_mariadb(folder.path(), &mut rows, &keys::tables(&mut random))?;
    compare(folder.path(), &format!("{MARIADB_PROJECT}{}", Keyed::lines_of_mariadb()), (IN_MARIADB, &rows), random)
}

/// The columns and their rows.
type Held<'a> = (&'static [Column], &'a [Vec<Datum>]);

fn compare(dir: &Path, project: &str, held: Held, mut random: Random) -> crate::Outcome {
    let started = Instant::now();
    let queries = queries::queries(&mut random, held.0, cases(IN_THE_GATE)?);
    let mut all = Asked::default();
    for (at, batch) in queries.chunks(BATCH).enumerate() {
        let asked = ask((dir, project), batch)?;
        all.calls += asked.calls;
        all.answered += asked.answered;
        all.wrong.extend(asked.wrong);
        all.differences.extend(asked.differences.into_iter().map(|difference| {
            let query = difference.query + at * BATCH;
            Difference { query, ..difference }
        }));
    }
    told(&format!(
        "sources beside files: {} queries, {} calls, {} with rows; {} queries are none; {} differences; {} s",
        queries.len(),
        all.calls,
        all.answered,
        all.wrong.len(),
        all.differences.len(),
        started.elapsed().as_secs()
    ));
    if all.wrong.len() * WRONG > queries.len() {
        return Err(format!("{} queries do not compile, as\n{}", all.wrong.len(), all.wrong.join("\n")).into());
    }
    if all.answered * 2 < all.calls {
        return Err(format!("only {} of {} calls are answered", all.answered, all.calls).into());
    }
    if all.differences.is_empty() {
        return Ok(());
    }
    let mut problems = format!("{} differences, the first of them:\n", all.differences.len());
    for difference in all.differences.iter().take(TOLD) {
        problems.push_str(&shrunk((dir, project), held, &queries[difference.query], difference)?);
    }
    Err(problems.into())
}

/// Compiles and calls queries over both tables.
fn ask((dir, project): (&Path, &str), queries: &[Query]) -> Result<Asked, Box<dyn Error>> {
    let texts = queries.iter().enumerate().flat_map(|(at, query)| {
        [(format!("stored_{at}"), query.sql("stored")), (format!("filed_{at}"), query.sql("filed"))]
    });
    let compiled = Compiled::of(dir, project, texts)?;
    let names = compiled.names();
    let mut asked = Asked::default();
    let mut calls: Vec<(usize, Vec<Arguments>)> = Vec::new();
    for (at, query) in queries.iter().enumerate() {
        let both = [format!("stored_{at}"), format!("filed_{at}")].map(|name| names.contains(name.as_str()));
        match both {
            [true, true] => calls.push((at, query.calls())),
            [false, false] => asked.wrong.push(query.sql("stored")),
            _ => asked.differences.push(Difference { query: at, call: 0, what: "one does not compile".to_owned() }),
        }
    }
    let engine = compiled.engine()?;
    let calls = Arc::new(calls);
    let workers = (0..WORKERS).map(|worker| {
        let (engine, calls) = (Arc::clone(&engine), Arc::clone(&calls));
        async move { tokio::spawn(async move { work(&engine, &calls, worker).await }).await }
    });
    let workers: Vec<_> = workers.collect();
    for more in block_on(futures::future::join_all(workers)) {
        let more = more?;
        asked.calls += more.calls;
        asked.answered += more.answered;
        asked.differences.extend(more.differences);
    }
    asked.differences.sort_by_key(|difference| (difference.query, difference.call));
    Ok(asked)
}

/// Makes every [`WORKERS`]th of the calls.
async fn work(engine: &Engine, calls: &[(usize, Vec<Arguments>)], worker: usize) -> Asked {
    let mut asked = Asked::default();
    for (query, calls) in calls.iter().skip(worker).step_by(WORKERS) {
        for (call, arguments) in calls.iter().enumerate() {
            let stored = answer(engine, &format!("stored_{query}"), arguments).await;
            let filed = answer(engine, &format!("filed_{query}"), arguments).await;
            asked.calls += 1;
            asked.answered += usize::from(filed.is_ok());
            if let Some(what) = difference(&stored, &filed) {
                asked.differences.push(Difference { query: *query, call, what });
                break;
            }
        }
    }
    asked
}

/// The rows as an agent reads them, else the code of the error and what the log says of it.
async fn answer(engine: &Engine, tool: &str, arguments: &Arguments) -> Result<String, (String, String)> {
    match engine.call(tool, arguments).await {
        Ok(result) => Ok(result.table().to_owned()),
        Err(error) => {
            let detail = error.detail.as_ref().map(|detail| detail.text().to_owned()).unwrap_or_default();
            Err((error.code.as_str().to_owned(), format!("{} {detail}", error.line())))
        }
    }
}

/// The first line in which two answers differ.
fn difference(stored: &Result<String, (String, String)>, filed: &Result<String, (String, String)>) -> Option<String> {
    match (stored, filed) {
        (Ok(stored), Ok(filed)) if stored == filed => None,
        (Err((stored, _)), Err((filed, _))) if stored == filed => None,
        (Ok(stored), Ok(filed)) => {
            let (mut stored, mut filed) = (stored.lines(), filed.lines());
            loop {
                match (stored.next(), filed.next()) {
                    (None, None) => break Some("they differ in their ends of lines".to_owned()),
                    (one, other) if one == other => {}
                    (one, other) => {
                        let line = |line: Option<&str>| line.unwrap_or("(no row)").to_owned();
                        break Some(format!("Database: {}\nParquet:  {}", line(one), line(other)));
                    }
                }
            }
        }
        // Where no row of the database is left, nobody needs the value.
        // Of several conditions, the one that has no value may be asked first: where no row passes, nobody needs it.
        (Err((code, _)), Ok(filed)) if code == "overflow" && filed.lines().count() == 2 => None,
        (Ok(_), Err((code, _))) if ["overflow", "cast-failed"].contains(&code.as_str()) => None,
        _ => Some(format!("Database: {}\nParquet:  {}", shown(&format!("{stored:?}")), shown(&format!("{filed:?}")))),
    }
}

/// The simplest part of a query that still differs, with the row that the difference is about.
fn shrunk(at: (&Path, &str), held: Held, query: &Query, found: &Difference) -> Result<String, Box<dyn Error>> {
    let (mut simplest, mut what) = (query.alone(found.call), found.what.clone());
    'simpler: loop {
        for simpler in simplest.simpler() {
            if let Some(still) = ask(at, std::slice::from_ref(&simpler))?.differences.pop() {
                (simplest, what) = (simpler, still.what);
                continue 'simpler;
            }
        }
        break;
    }
    let arguments: Vec<String> =
        simplest.calls().into_iter().map(|arguments| serde_json::Value::Object(arguments).to_string()).collect();
    let row = row_of(&what).and_then(|id| Some((id, held.1.get(id)?)));
    let row = row.map(|(id, row)| {
        let values: BTreeMap<&str, String> =
            held.0.iter().zip(row).map(|(column, value)| (column.name, value.shown())).collect();
        format!("row {id}: {values:?}\n")
    });
    Ok(format!("\n{}\nwith {}\n{what}\n{}", simplest.sql("stored"), arguments.join(", "), row.unwrap_or_default()))
}

/// The number of the row in the first line that has one.
fn row_of(what: &str) -> Option<usize> {
    what.lines().find_map(|line| line.split('|').nth(1)?.trim().parse().ok())
}
