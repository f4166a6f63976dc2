//! Files that are damaged while a server reads them: a call fails, and never returns no rows in silence.

use crate::cases::{Outcome, block_on, copy_all};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What becomes of a file.
enum Damage {
    /// It has no byte left.
    Emptied,
    /// It is another one, below `cut`.
    Cut(&'static str),
    /// It is not there.
    Gone,
    /// A folder, a link to nowhere, a pipe, or a link to one.
    Folder,
    NoLink,
    Pipe,
    PipeLink,
}
use Damage::*;

const PARTITION: &str = "data/sales/day=2024-01-02/b.parquet";

const CASES: [(&str, &str, Damage); 41] = [
    ("sales", PARTITION, Emptied),
    ("sales", PARTITION, Cut("footless.parquet")),
    ("sales", PARTITION, NoLink),
    ("sales", PARTITION, Pipe),
    ("sales", PARTITION, PipeLink),
    ("file", "data/file.arrow", Emptied),
    ("file", "data/file.arrow", Cut("file.arrow")),
    ("file", "data/file.arrow", Cut("file_zeroed.arrow")),
    ("file", "data/file.arrow", Cut("file_footer.arrow")),
    ("file", "data/file.arrow", Pipe),
    ("stream", "data/stream.arrows", Emptied),
    ("stream", "data/stream.arrows", Cut("stream.arrows")),
    ("stream", "data/stream.arrows", Cut("stream_endless.arrows")),
    ("stream", "data/stream.arrows", Cut("stream_huge.arrows")),
    ("stream", "data/stream.arrows", Cut("stream_length.arrows")),
    ("stream", "data/stream.arrows", Cut("stream_twice.arrows")),
    ("stream", "data/stream.arrows", Cut("stream_zeroed.arrows")),
    ("users", "data/users.avro", Emptied),
    ("users", "data/users.avro", Cut("users.avro")),
    ("users", "data/users.avro", Cut("users_fewer.avro")),
    ("users", "data/users.avro", Cut("users_marker.avro")),
    ("users", "data/users.avro", Cut("users_mid_block.avro")),
    ("users", "data/users.avro", Cut("users_more.avro")),
    ("users", "data/users.avro", Cut("users_zeroed.avro")),
    ("packed", "data/packed.csv.gz", Emptied),
    ("packed", "data/packed.csv.gz", Cut("packed.csv.gz")),
    ("plain", "data/plain.csv", Emptied),
    ("plain", "data/plain.csv", Cut("header_lost.csv")),
    ("plain", "data/plain.csv", Cut("column_lost.csv")),
    ("plain", "data/plain.csv", Cut("line_cut.csv")),
    ("plain", "data/plain.csv", Gone),
    ("plain", "data/plain.csv", Folder),
    ("plain", "data/plain.csv", NoLink),
    ("plain", "data/plain.csv", Pipe),
    ("plain", "data/plain.csv", PipeLink),
    ("list", "data/list.json", Emptied),
    ("list", "data/list.json", Cut("list.json")),
    ("list", "data/list.json", Cut("list_at_comma.json")),
    ("list", "data/list.json", Cut("list_blank.json")),
    ("list", "data/list.json", Cut("list_twice.json")),
    ("lines", "data/lines.ndjson", Cut("lines.ndjson")),
];

/// Every damage, to a table that was read before and to one that was not.
pub(crate) fn files_are_damaged_while_they_are_served() -> crate::Outcome {
    let mut silent = Vec::new();
    for (table, file, damage) in &CASES {
        for read_before in [false, true] {
            let folder = tempfile::tempdir()?;
            let engine = engine(folder.path())?;
            let whole = call(&engine, table);
            if read_before && whole.is_err() {
                return Err(format!("{table}: {whole:?}").into());
            }
            do_damage(folder.path(), &folder.path().join(file), damage)?;
            match call(&engine, table) {
                Ok(rows) => silent.push(format!("{file} in another state: {rows}")),
                Err(error) if is_vague(&error) => silent.push(format!("{file} in another state: {error}")),
                Err(_) => {}
            }
        }
    }
    if silent.is_empty() { Ok(()) } else { Err(silent.join("\n").into()) }
}

/// Whether an error does not say that the data is at fault.
fn is_vague(error: &str) -> bool {
    ["internal-error", "query-failed", "timeout"].iter().any(|code| error.starts_with(code))
}

/// A damaged file that is put right again is read by the next call.
pub(crate) fn a_file_that_is_put_right_is_read_again() -> crate::Outcome {
    for (table, file, damage) in &CASES {
        let Cut(name) = damage else { continue };
        let folder = tempfile::tempdir()?;
        let engine = engine(folder.path())?;
        let path = folder.path().join(file);
        let (good, before) = (fs::read(&path)?, call(&engine, table)?);
        fs::write(&path, fs::read(folder.path().join("cut").join(name))?)?;
        if let Ok(rows) = call(&engine, table) {
            return Err(format!("{name}: {rows}").into());
        }
        fs::write(&path, good)?;
        match call(&engine, table) {
            Ok(after) if after == before => {}
            other => return Err(format!("after {name}: {other:?}").into()),
        }
    }
    Ok(())
}

/// Lines of JSON may be no lines, where their columns are declared; a folder may lose a file, and not all of them.
pub(crate) fn what_is_empty_by_right_is_an_empty_table() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let served = engine(folder.path())?;
    fs::write(folder.path().join("data/lines.ndjson"), "")?;
    expect(&call(&served, "lines"), "|0||")?;
    expect(&call(&engine_of(folder.path())?, "lines"), "|0||")?;
    fs::remove_file(folder.path().join(PARTITION))?;
    expect(&call(&served, "sales"), "|3|")?;
    fs::remove_file(folder.path().join("data/sales/day=2024-01-01/a.parquet"))?;
    match call(&served, "sales") {
        Err(_) => Ok(()),
        Ok(rows) => Err(format!("no file is left: {rows}").into()),
    }
}

/// A file that is written in place again and again: each answer is that of the whole file, or an error that says so.
pub(crate) fn a_file_is_rewritten_while_it_is_read() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = engine(folder.path())?;
    let file = folder.path().join("data/plain.csv");
    let text: String = (0..3_000).fold("id,total\n".to_owned(), |text, id| text + &format!("{id},{id}.5\n"));
    fs::write(&file, &text)?;
    let (stop, writing) = (Arc::new(AtomicBool::new(false)), file.clone());
    let stopped = Arc::clone(&stop);
    let writer = std::thread::spawn(move || -> std::io::Result<()> {
        let (first, second) = text.as_bytes().split_at(text.len() / 2);
        while !stopped.load(Ordering::Relaxed) {
            let mut file = fs::File::create(&writing)?;
            std::thread::yield_now();
            file.write_all(first)?;
            std::thread::sleep(Duration::from_millis(1));
            file.write_all(second)?;
        }
        Ok(())
    });
    let answers: Vec<Result<String, String>> = (0..40).map(|_| call(&engine, "plain")).collect();
    stop.store(true, Ordering::Relaxed);
    writer.join().map_err(|_| "the writer failed")??;
    for answer in &answers {
        match answer {
            Ok(_) => expect(answer, "|3000|2999.5|")?,
            Err(error) if error.starts_with("data-changed") || error.starts_with("unreadable-data") => {}
            Err(error) => return Err(error.clone().into()),
        }
    }
    expect(&call(&engine, "plain"), "|3000|2999.5|")
}

fn do_damage(folder: &Path, file: &Path, damage: &Damage) -> crate::Outcome {
    if !matches!(damage, Emptied | Cut(_)) {
        fs::remove_file(file)?;
    }
    let make_pipe = |path: &Path| -> crate::Outcome {
        if Command::new("mkfifo").arg(path).status()?.success() { Ok(()) } else { Err("no pipe".into()) }
    };
    match damage {
        Emptied => fs::write(file, "")?,
        Cut(name) => fs::write(file, fs::read(folder.join("cut").join(name))?)?,
        Gone => {}
        Folder => fs::create_dir(file)?,
        NoLink => std::os::unix::fs::symlink("nowhere", file)?,
        Pipe => make_pipe(file)?,
        PipeLink => {
            let pipe = folder.join("pipe");
            make_pipe(&pipe)?;
            std::os::unix::fs::symlink(pipe, file)?;
        }
    }
    Ok(())
}

fn expect(answer: &Result<String, String>, part: &str) -> crate::Outcome {
    match answer {
        Ok(rows) if rows.contains(part) => Ok(()),
        other => Err(format!("not {part}: {other:?}").into()),
    }
}

fn engine(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    copy_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/damaged_files"), dir)?;
    engine_of(dir)
}

fn engine_of(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    let (dir, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await });
    let tables = tables.map_err(|errors| format!("{errors:?}"))?;
    Ok(Arc::new(Engine::prepare(tables, tools)))
}

/// The table's count, or why there is none. A call that hangs is one that ends well, and wrongly so.
fn call(engine: &Arc<Engine>, table: &str) -> Result<String, String> {
    let (engine, tool) = (Arc::clone(engine), format!("count_{table}"));
    let called =
        block_on(
            async move { tokio::time::timeout(Duration::from_secs(20), engine.call(&tool, &Arguments::new())).await },
        );
    match called {
        Ok(called) => called.map(|result| result.table().to_owned()).map_err(|error| error.line()),
        Err(_) => Ok("it hangs".to_owned()),
    }
}
