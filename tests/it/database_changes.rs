//! Databases that change while they are served.

use crate::cases::block_on;
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::workspace::{Locking, Workspace};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

const PROJECT: &str =
    "name: shop\nsources: { shop: { type: sqlite, path: shop.sqlite } }\ntables: { t: { source: shop } }\n";
const BY_NAME: &str = "/*---\ndescription: By name.\ntable_format: csv\n---*/\nSELECT id, name FROM t WHERE name = << name >> ORDER BY id";
const BY_ID: &str = "/*---\ndescription: By number.\ntable_format: csv\n---*/\nSELECT id FROM t WHERE id = << id >>";
const TABLE: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO t VALUES (1, 'Ann'), (2, 'ann'), (3, 'Bob');";

fn run(dir: &Path, statements: &str) {
    let connection = rusqlite::Connection::open(dir.join("shop.sqlite")).unwrap();
    connection.execute_batch(statements).unwrap();
}

/// A project over a database of these statements, ready to be called.
fn served(dir: &Path, statements: &str) -> Arc<Engine> {
    served_with(dir, statements, PROJECT)
}

fn served_with(dir: &Path, statements: &str, project: &str) -> Arc<Engine> {
    run(dir, statements);
    std::fs::create_dir_all(dir.join("queries")).unwrap();
    std::fs::write(dir.join("qtool.yaml"), project).unwrap();
    std::fs::write(dir.join("queries/by_name.sql"), BY_NAME).unwrap();
    std::fs::write(dir.join("queries/by_id.sql"), BY_ID).unwrap();
    open(dir, Locking::Write)
}

fn open(dir: &Path, locking: Locking) -> Arc<Engine> {
    let dir = dir.to_path_buf();
    block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(locking, |_| {}).await;
        let compiled = workspace.compile();
        assert!(compiled.diagnostics.iter().all(|one| one.code.to_string() == "missing-description"));
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.unwrap();
        Arc::new(Engine::prepare(tables, compiled.tools))
    })
}

/// The tools that are out of service where a project is served anew.
pub(crate) fn out_of_service(dir: &Path) -> Vec<String> {
    let dir = dir.to_path_buf();
    block_on(async move {
        let mut workspace = Workspace::load(&dir).unwrap();
        workspace.read_data(Locking::ReadOnly, |_| {}).await;
        let tools = workspace.compile().tools;
        let (now, _) = workspace.schemas_now().await;
        let locked = &workspace.project.catalog;
        let changes = qtool::engine::drift::changes(locked, &now);
        qtool::engine::drift::broken(&tools, locked, &now, &changes).into_iter().map(|one| one.tool).collect()
    })
}

/// The rows of a call without their names, or the code of its error.
fn call(engine: &Arc<Engine>, tool: &'static str, arguments: serde_json::Value) -> String {
    let engine = Arc::clone(engine);
    let arguments: Arguments = arguments.as_object().cloned().unwrap();
    block_on(async move {
        match engine.call(tool, &arguments).await {
            Ok(result) => result.text().lines().skip(1).collect::<Vec<_>>().join(" "),
            Err(error) => error.code.to_string(),
        }
    })
}

/// The rows of a call without arguments, and not what is said beside them.
fn rows_of(engine: &Arc<Engine>, tool: &'static str) -> String {
    let said = call(engine, tool, json!({}));
    said.split_once("  (").map_or(said.as_str(), |(rows, _)| rows).to_owned()
}

/// A file that another one is copied over is read anew, though SQLite itself cannot tell the two: they have the same size and the
/// same number of changes. What was kept of the first is not given for the second.
pub(crate) fn a_file_that_is_copied_over_is_read_anew() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    for (name, header) in [("own", "source: shop"), ("kept", "cache_ttl: 60s")] {
        let query = format!(
            "/*---\ndescription: x.\ntable_format: csv\n{header}\n---*/\nSELECT id FROM t WHERE name = << name >>"
        );
        std::fs::write(dir.join(format!("queries/{name}.sql")), query)?;
    }
    let statements = |word: &str| {
        format!(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
             WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000)
             INSERT INTO t SELECT n, '{word}' || n FROM r;"
        )
    };
    let file = dir.join("shop.sqlite");
    run(dir, &statements("two"));
    let other = std::fs::read(&file)?;
    std::fs::remove_file(&file)?;
    let engine = served(dir, &statements("one"));
    let own = std::fs::read(&file)?;
    assert_eq!(own.len(), other.len());
    for (bytes, here, gone) in [(&own, "one", "two"), (&other, "two", "one"), (&own, "one", "two")] {
        std::fs::write(&file, bytes)?;
        std::thread::sleep(std::time::Duration::from_millis(20));
        for _ in 0..2 {
            for tool in ["by_name", "own", "kept"] {
                let one = call(&engine, tool, json!({"name": format!("{here}1999")}));
                assert!(one.starts_with("1999"), "{tool}, {here}: {one}");
                let none = call(&engine, tool, json!({"name": format!("{gone}7")}));
                assert!(none.contains("(0 rows)"), "{tool}, {gone}: {none}");
            }
        }
        // Longer than the clock of a file system is coarse.
        std::thread::sleep(std::time::Duration::from_millis(150));
        assert_eq!(call(&engine, "kept", json!({"name": format!("{here}1999")})), "1999", "{here}");
    }
    Ok(())
}

/// A file that another one is written over page by page, without the locks of SQLite, is read as one of both, or not at all: never in
/// parts of either.
pub(crate) fn a_file_that_is_written_over_is_not_read_in_parts() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    std::fs::create_dir_all(dir.join("queries"))?;
    let query = "/*---\ndescription: x.\ntable_format: csv\nsource: shop\n---*/\n\
                 SELECT min(name) || max(name) AS both FROM t WHERE id > 0 AND hex(name || id) <> 'x'";
    std::fs::write(dir.join("queries/both.sql"), query)?;
    let statements = |word: &str| {
        format!(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
             WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300000)
             INSERT INTO t SELECT n, '{word}' FROM r;"
        )
    };
    let file = dir.join("shop.sqlite");
    run(dir, &statements("two"));
    let other = std::fs::read(&file)?;
    std::fs::remove_file(&file)?;
    let engine = served(dir, &statements("one"));
    let own = std::fs::read(&file)?;
    assert_eq!(own.len(), other.len());
    let (mut said, mut refused) = (std::collections::BTreeSet::new(), 0);
    for bytes in [&other, &own, &other, &own] {
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut target = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
                // Reading all takes longer than there is between two of them: else a reader that begins and ends there sees
                // parts of both, and nobody can know.
                for page in bytes.chunks(64 << 10) {
                    std::io::Write::write_all(&mut target, page).unwrap();
                    std::thread::sleep(std::time::Duration::from_millis(12));
                }
            });
            while !writer.is_finished() {
                match call(&engine, "both", json!({})).as_str() {
                    "source-unavailable" => refused += 1,
                    rows => _ = said.insert(rows.to_owned()),
                }
            }
        });
    }
    assert!(said.iter().all(|both| both == "oneone" || both == "twotwo"), "{said:?}");
    assert!(refused > 0, "nobody read while it was written");
    Ok(())
}

/// A file that was not whole is read again when it is.
pub(crate) fn a_file_that_was_damaged_is_read_again() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    let engine = served(dir, &format!("{TABLE} CREATE TABLE more (x); INSERT INTO more VALUES (zeroblob(20000));"));
    let file = dir.join("shop.sqlite");
    let whole = std::fs::read(&file)?;
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    for _ in 0..2 {
        // Its first page, and nothing behind it.
        let damaged: Vec<u8> = whole.iter().enumerate().map(|(at, byte)| if at < 4096 { *byte } else { 0 }).collect();
        std::fs::write(&file, damaged)?;
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "source-unavailable");
        std::fs::write(&file, &whole)?;
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    }
    Ok(())
}

/// The columns of `*` in a statement of SQLite's own are those that it was compiled with, from the first call on, and are
/// found again when they are back.
pub(crate) fn a_star_is_what_it_was() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let query = "/*---\ndescription: All.\ntable_format: csv\nsource: shop\n---*/\nSELECT * FROM t WHERE id < << below: bigint >>";
    std::fs::write(folder.path().join("queries/star.sql"), query)?;
    let engine = served(folder.path(), TABLE);
    let other =
        "DROP TABLE t; CREATE TABLE t (name TEXT NOT NULL, id INTEGER PRIMARY KEY); INSERT INTO t VALUES ('Ann', 1);";
    for _ in 0..3 {
        for _ in 0..2 {
            assert_eq!(call(&engine, "star", json!({"below": 2})), "1,Ann");
        }
        run(folder.path(), other);
        for _ in 0..2 {
            assert_eq!(call(&engine, "star", json!({"below": 2})), "data-changed");
        }
        run(folder.path(), &format!("DROP TABLE t; {TABLE}"));
    }
    Ok(())
}

/// A statement in SQLite's own SQL whose columns are declared otherwise is told to be another, where a value is none of what it
/// was compiled with; a value that is none of the column's own type is told as such.
pub(crate) fn statements_are_held_to_their_types() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let query = "/*---\ndescription: Own.\ntable_format: csv\nsource: shop\n---*/\nSELECT name FROM t WHERE id = << id: bigint >>";
    std::fs::write(folder.path().join("queries/own.sql"), query)?;
    let engine = served(folder.path(), TABLE);
    let as_before = format!("DROP TABLE t; {TABLE}");
    for (change, told) in [
        (
            "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name REAL NOT NULL); INSERT INTO t VALUES (1, 5.5);",
            "data-changed",
        ),
        (
            "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (1, NULL);",
            "data-changed",
        ),
        ("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name); INSERT INTO t VALUES (1, 1.5);", "data-changed"),
        (
            "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name ANY NOT NULL); INSERT INTO t VALUES (1, 'Ann');",
            "Ann",
        ),
        ("UPDATE t SET name = x'ff' WHERE id = 1;", "unreadable-data"),
    ] {
        assert_eq!(call(&engine, "own", json!({"id": 1})), "Ann");
        run(folder.path(), change);
        for _ in 0..2 {
            assert_eq!(call(&engine, "own", json!({"id": 1})), told, "{change}");
        }
        run(folder.path(), &as_before);
    }
    Ok(())
}

/// Who asks for rows without a value in a column that had none is not told that there are none: the database is asked.
pub(crate) fn nulls_are_asked_for_where_none_were() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let query = "/*---\ndescription: Nameless ones.\ntable_format: csv\n---*/\nSELECT id FROM t WHERE name IS NULL";
    std::fs::write(folder.path().join("queries/nameless.sql"), query)?;
    let engine = served(folder.path(), TABLE);
    let nobody = call(&engine, "nameless", json!({}));
    assert!(nobody.ends_with("(0 rows)"), "{nobody}");
    run(
        folder.path(),
        "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO t VALUES (7, NULL);",
    );
    assert_eq!(call(&engine, "nameless", json!({})), "data-changed");
    assert_eq!(call(&open(folder.path(), Locking::ReadOnly), "nameless", json!({})), "7");
    Ok(())
}

/// What a plan was made for is what it reads: a column that tells letters from capitals no more is asked otherwise.
pub(crate) fn columns_are_asked_as_they_are_now() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), TABLE);
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
    }
    run(
        folder.path(),
        "DROP TABLE t; CREATE TABLE t (extra TEXT, name TEXT NOT NULL COLLATE NOCASE, id INTEGER PRIMARY KEY);
         INSERT INTO t VALUES ('x', 'ANN', 1), ('y', 'ann', 2), ('z', 'ann ', 3);",
    );
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    }
    Ok(())
}

/// Columns that come are nobody's, with a type or without, while it is served and when it is served anew.
pub(crate) fn columns_that_come_are_nobodys() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), TABLE);
    for statements in ["ALTER TABLE t ADD COLUMN note TEXT;", "ALTER TABLE t ADD COLUMN z;"] {
        run(folder.path(), statements);
        for engine in [&engine, &open(folder.path(), Locking::ReadOnly)] {
            for _ in 0..2 {
                assert_eq!(call(engine, "by_name", json!({"name": "Bob"})), "3,Bob");
                assert_eq!(call(engine, "by_id", json!({"id": 3})), "3");
            }
        }
    }
    let dir = folder.path().to_path_buf();
    let (problems, unreadable, new) = block_on(async move {
        let workspace = Workspace::load(&dir).unwrap();
        let problems = workspace.open_tables(&["t"]).await.problems(&workspace.project).errors();
        let (now, unreadable) = workspace.schemas_now().await;
        let changes = qtool::engine::drift::changes(&workspace.project.catalog, &now);
        (problems, unreadable.len(), changes.iter().map(|change| change.words()).collect::<Vec<_>>())
    });
    assert_eq!((problems, unreadable), (0, 0));
    assert_eq!(new, ["column `note` of table `t` is new", "column `z` of table `t` is new"]);
    Ok(())
}

/// Somebody who holds the whole file is waited for once by a call, and when it is served anew the lock stands in; when they
/// are done, all is as before.
pub(crate) fn who_holds_the_file_is_waited_for_once() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), TABLE);
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    let other = rusqlite::Connection::open(folder.path().join("shop.sqlite"))?;
    other.execute_batch("BEGIN EXCLUSIVE")?;
    let began = std::time::Instant::now();
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "data-changed");
    assert!(began.elapsed() < std::time::Duration::from_secs(4), "{:?}", began.elapsed());
    let anew = open(folder.path(), Locking::ReadOnly);
    assert_eq!(call(&anew, "by_name", json!({"name": "Bob"})), "data-changed");
    other.execute_batch("ROLLBACK")?;
    for engine in [engine, anew] {
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
        assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "3,Bob");
    }
    Ok(())
}

/// Somebody who holds the file holds up no tool that does not read it, though those that read it keep their results: whether
/// what is kept holds is asked where calls come in.
pub(crate) fn who_holds_the_file_holds_up_nobody_else() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let header = |more: &str| format!("/*---\ndescription: Something.\ntable_format: csv\n{more}---*/\n");
    let kept = header("cache_ttl: 10m\n") + "SELECT id FROM t WHERE id = << id >>";
    std::fs::write(folder.path().join("queries/kept.sql"), kept)?;
    std::fs::write(folder.path().join("queries/nothing.sql"), header("") + "SELECT << n: int >> AS n")?;
    let engine = served(folder.path(), TABLE);
    assert_eq!(call(&engine, "kept", json!({"id": 3})), "3");
    assert_eq!(call(&engine, "nothing", json!({"n": 7})), "7");
    let other = rusqlite::Connection::open(folder.path().join("shop.sqlite"))?;
    other.execute_batch("BEGIN EXCLUSIVE")?;
    let arguments = |value: serde_json::Value| -> Arguments { value.as_object().cloned().unwrap() };
    let [id, n] = [json!({"id": 3}), json!({"n": 7})].map(arguments);
    block_on(async move {
        let held: Vec<_> = (0..8)
            .map(|_| {
                let (engine, id) = (Arc::clone(&engine), id.clone());
                tokio::spawn(async move { engine.call("kept", &id).await.is_ok() })
            })
            .collect();
        let began = std::time::Instant::now();
        for _ in 0..5 {
            assert!(engine.call("nothing", &n).await.is_ok());
        }
        let took = began.elapsed();
        assert!(took < std::time::Duration::from_secs(1), "calls beside those that wait took {took:?}");
        for call in held {
            // Those that wait are told that they did.
            let _ = call.await.unwrap();
        }
    });
    Ok(())
}

/// A tool whose column is gone fails and says so, the others are served; so is it, when the column is back.
pub(crate) fn a_column_that_is_gone_concerns_who_reads_it() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), TABLE);
    assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "3,Bob");
    run(folder.path(), "ALTER TABLE t RENAME COLUMN name TO title;");
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "data-changed");
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    }
    run(folder.path(), "ALTER TABLE t RENAME COLUMN title TO name;");
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "3,Bob");
        assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    }
    run(
        folder.path(),
        "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, name INT NOT NULL); INSERT INTO t VALUES (1, 5);",
    );
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_name", json!({"name": "5"})), "data-changed");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1");
    }
    // A column that nothing is known of, and one that is none of the type that is declared of it.
    for column in ["name", "name GEOMETRY"] {
        let other =
            format!("DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, {column}); INSERT INTO t VALUES (1, 5);");
        run(folder.path(), &other);
        assert_eq!(call(&engine, "by_name", json!({"name": "5"})), "data-changed", "{column}");
        assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1", "{column}");
    }
    run(folder.path(), "DROP TABLE t;");
    assert_eq!(call(&engine, "by_id", json!({"id": 1})), "data-changed");
    run(folder.path(), TABLE);
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "3,Bob");
    Ok(())
}

/// What the project says of a column that is gone concerns who reads it as well, and what is made of groups, orders and
/// other tables is as exact as rows are.
pub(crate) fn who_does_not_read_what_is_gone_is_answered() -> crate::Outcome {
    const TOLD: &str = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, day TEXT, u INTEGER);
        INSERT INTO t VALUES (1, 'Ann', '2024-05-01', 7), (2, 'ann', '2024-05-01', 8), (3, 'Bob', NULL, 7);
        CREATE TABLE u (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
        INSERT INTO u VALUES (7, 70), (8, 80);";
    // Each with what it says while there is no `day`, and while `u` has lost `n`.
    let queries = [
        ("days", "SELECT count(*) AS n FROM t WHERE day = DATE '2024-05-01'", "2", [false, true]),
        ("all", "SELECT count(*) AS n FROM t", "3", [true, true]),
        ("groups", "SELECT u, count(*) AS n FROM t GROUP BY u ORDER BY u LIMIT 9", "7,2 8,1", [true, true]),
        ("of_days", "SELECT count(day) AS n FROM t", "2", [false, true]),
        ("top", "SELECT id FROM t ORDER BY title DESC, id LIMIT 1", "2", [true, true]),
        ("top_day", "SELECT id FROM t ORDER BY day DESC NULLS LAST, id LIMIT 1", "1", [false, true]),
        ("joined", "SELECT t.id, u.n FROM t JOIN u ON t.u = u.id WHERE t.id = 3", "3,70", [true, false]),
        ("pairs", "SELECT t.id, u.id AS other FROM t JOIN u ON t.u = u.id WHERE t.id = 3", "3,7", [true, true]),
        ("everything", "SELECT id, title, day, u FROM t WHERE id = 3", "3,Bob,,7", [false, true]),
    ];
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    for (name, query, ..) in &queries {
        let text = format!("/*---\ndescription: Some.\ntable_format: csv\n---*/\n{query}");
        std::fs::write(folder.path().join(format!("queries/{name}.sql")), text)?;
    }
    let project = "name: shop\nsources: { shop: { type: sqlite, path: shop.sqlite } }\ntables:\n  u: { source: shop }\n\
                   \x20 t: { source: shop, rename: { name: title }, columns: { day: date } }\n";
    let by_title = BY_NAME.replace("id, name", "id, title").replace("WHERE name", "WHERE title");
    run(folder.path(), TOLD);
    std::fs::write(folder.path().join("qtool.yaml"), project)?;
    std::fs::write(folder.path().join("queries/by_title.sql"), by_title)?;
    let engine = open(folder.path(), Locking::Write);
    let check = |what: &str, is_answered: &dyn Fn(&[bool; 2]) -> bool| {
        for _ in 0..3 {
            for (name, _, rows, answered) in &queries {
                let expected = if is_answered(answered) { *rows } else { "data-changed" };
                assert_eq!(rows_of(&engine, name), expected, "{name}, {what}");
            }
        }
    };
    check("as it was", &|_| true);
    run(folder.path(), "ALTER TABLE t RENAME COLUMN day TO placed;");
    check("without a day", &|answered| answered[0]);
    assert_eq!(call(&open(folder.path(), Locking::ReadOnly), "groups", json!({})), "7,2 8,1", "served anew");
    run(folder.path(), "ALTER TABLE t RENAME COLUMN placed TO day;");
    check("with the day", &|_| true);
    run(folder.path(), "ALTER TABLE u RENAME COLUMN n TO m;");
    check("without a number", &|answered| answered[1]);
    run(folder.path(), "ALTER TABLE u RENAME COLUMN m TO n; ALTER TABLE t RENAME COLUMN name TO other;");
    for _ in 0..3 {
        assert_eq!(call(&engine, "by_title", json!({"name": "Bob"})), "data-changed");
        assert_eq!(rows_of(&engine, "top"), "data-changed");
        assert_eq!(rows_of(&engine, "top_day"), "1");
    }
    run(folder.path(), "ALTER TABLE t RENAME COLUMN other TO name;");
    assert_eq!(call(&engine, "by_title", json!({"name": "Bob"})), "3,Bob");
    check("as it was once more", &|_| true);
    Ok(())
}

/// A key that is gone concerns whose pages fit together by it, and who groups by it; the rows of all others are those that
/// there are.
pub(crate) fn a_key_that_is_gone_concerns_who_relies_on_it() -> crate::Outcome {
    const OTHER: &str = "DROP TABLE t; CREATE TABLE t (id INTEGER NOT NULL, name TEXT NOT NULL);
        INSERT INTO t VALUES (1, 'Ann'), (1, 'ann'), (3, 'Bob');";
    let queries = [
        ("grouped", "SELECT id, name, count(*) AS n FROM t GROUP BY id"),
        ("counted", "SELECT id, count(*) AS n FROM t GROUP BY id"),
        ("joined", "SELECT log.n, t.name FROM log JOIN t ON log.n = t.id WHERE log.n = 1"),
        ("first", "SELECT id FROM t ORDER BY id LIMIT 2"),
        ("names", "SELECT name FROM t ORDER BY name"),
    ];
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    for (name, query) in queries {
        let text = format!("/*---\ndescription: Some.\ntable_format: csv\n---*/\n{query}");
        std::fs::write(folder.path().join(format!("queries/{name}.sql")), text)?;
    }
    run(folder.path(), "CREATE TABLE log (id INTEGER PRIMARY KEY, n INT NOT NULL); INSERT INTO log VALUES (1, 1);");
    let engine = served_with(folder.path(), TABLE, &PROJECT.replace("{ t: ", "{ log: { source: shop }, t: "));
    let sorted = |tool| {
        let rows = rows_of(&engine, tool);
        let mut rows: Vec<String> = rows.split(' ').map(str::to_owned).collect();
        rows.sort();
        rows.join(" ")
    };
    for _ in 0..2 {
        for _ in 0..3 {
            assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
            assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1");
            assert_eq!(sorted("grouped"), "1,Ann,1 2,ann,1 3,Bob,1");
            assert_eq!(sorted("counted"), "1,1 2,1 3,1");
            assert_eq!(sorted("joined"), "1,Ann");
            assert_eq!(rows_of(&engine, "first"), "1 2");
            assert_eq!(rows_of(&engine, "names"), "Ann Bob ann");
        }
        run(folder.path(), OTHER);
        for _ in 0..3 {
            assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "data-changed");
            assert_eq!(call(&engine, "by_id", json!({"id": 1})), "1 1");
            assert_eq!(sorted("grouped"), "data-changed");
            assert_eq!(sorted("counted"), "1,2 3,1");
            assert_eq!(sorted("joined"), "1,Ann 1,ann");
            assert_eq!(rows_of(&engine, "first"), "1 1");
            assert_eq!(rows_of(&engine, "names"), "data-changed");
        }
        assert_eq!(out_of_service(folder.path()), ["by_name", "grouped", "names"]);
        run(folder.path(), &format!("DROP TABLE t; {TABLE}"));
    }
    // A column of the key is the key.
    run(folder.path(), "ALTER TABLE t RENAME COLUMN id TO number;");
    let all = ["by_id", "by_name", "counted", "first", "grouped", "joined", "names"];
    assert_eq!(out_of_service(folder.path()), all);
    assert_eq!(rows_of(&engine, "names"), "data-changed");
    Ok(())
}

/// A file in the place of another is another database; where there is none, calls say so, and go on when it is back.
pub(crate) fn a_database_goes_and_comes_back() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = served(folder.path(), TABLE);
    let file = folder.path().join("shop.sqlite");
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), "3");
    let other = tempfile::tempdir()?;
    run(other.path(), &TABLE.replace("(3, 'Bob')", "(4, 'Bob')"));
    std::fs::copy(other.path().join("shop.sqlite"), folder.path().join("new.sqlite"))?;
    std::fs::rename(folder.path().join("new.sqlite"), &file)?;
    assert_eq!(call(&engine, "by_id", json!({"id": 3})), " (0 rows)");
    assert_eq!(call(&engine, "by_name", json!({"name": "Bob"})), "4,Bob");
    std::fs::rename(&file, folder.path().join("away.sqlite"))?;
    assert_eq!(call(&engine, "by_id", json!({"id": 4})), "source-unavailable");
    // So it is where it was away from the start: the lock says what its columns are.
    let later = open(folder.path(), Locking::ReadOnly);
    assert_eq!(call(&later, "by_id", json!({"id": 4})), "source-unavailable");
    std::fs::rename(folder.path().join("away.sqlite"), &file)?;
    for engine in [engine, later] {
        assert_eq!(call(&engine, "by_id", json!({"id": 4})), "4");
        assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann");
    }
    std::fs::write(
        &file,
        "no database at all, but a text of some length that stands in its place, as a mistake leaves it",
    )?;
    let engine = open(folder.path(), Locking::ReadOnly);
    assert_eq!(call(&engine, "by_id", json!({"id": 4})), "source-unavailable");
    Ok(())
}

/// Readers hold the locks that they need, whoever else opens and closes the file: a writer beside them changes nothing of
/// what they read, and its own file stays whole.
pub(crate) fn a_writer_beside_readers_harms_nobody() -> crate::Outcome {
    for journal in ["wal", "delete"] {
        let folder = tempfile::tempdir()?;
        run(folder.path(), &format!("PRAGMA journal_mode = {journal};"));
        let engine = served(folder.path(), TABLE);
        for round in 0..20 {
            // Another process as far as locks go: each opens the file, writes, and closes it.
            let script =
                format!("UPDATE t SET name = 'n{round}' WHERE id = 3; INSERT INTO t (name) VALUES ('x{round}');");
            let written = std::process::Command::new(std::env::current_exe()?)
                .env("QTOOL_TEST_STATEMENTS", script)
                .arg(folder.path().join("shop.sqlite"))
                .status()?;
            assert!(written.success());
            let name = format!("n{round}");
            assert_eq!(
                call(&engine, "by_name", json!({"name": name})),
                format!("3,{name}"),
                "{journal}, round {round}"
            );
            assert_eq!(call(&engine, "by_name", json!({"name": "ann"})), "2,ann", "{journal}, round {round}");
        }
        let connection = rusqlite::Connection::open(folder.path().join("shop.sqlite"))?;
        let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        assert_eq!(said, "ok");
    }
    Ok(())
}

/// Pages of a log that are written back into the file while it is read are no other file.
pub(crate) fn pages_that_are_written_back_harm_nobody() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    for (name, header) in [("of_tables", "table_format: csv"), ("own", "table_format: csv\nsource: shop")] {
        let query = format!(
            "/*---\ndescription: x.\n{header}\n---*/\nSELECT count(*) AS n FROM t WHERE name || id <> 'x' AND id <= 60000"
        );
        std::fs::write(folder.path().join(format!("queries/{name}.sql")), query)?;
    }
    run(folder.path(), "PRAGMA journal_mode = wal;");
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
         WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 60000) INSERT INTO t SELECT n, 'ann' FROM r;";
    let engine = served(folder.path(), table);
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let connection = rusqlite::Connection::open(folder.path().join("shop.sqlite")).unwrap();
            connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                connection.execute_batch("UPDATE t SET name = name || 'a' WHERE id = 7").unwrap();
                let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
                std::thread::sleep(std::time::Duration::from_millis(3));
            }
        });
        let said: Vec<String> =
            (0..40).map(|round| call(&engine, if round % 2 == 0 { "of_tables" } else { "own" }, json!({}))).collect();
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(said.iter().all(|rows| rows == "60000"), "{said:?}");
    });
    Ok(())
}

/// A query that reads two tables, or one twice, sees one state of the database, however busy its writer is; else it says so.
pub(crate) fn one_query_sees_one_state() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    run(folder.path(), "PRAGMA journal_mode = wal; CREATE TABLE log (id INTEGER PRIMARY KEY, n INT NOT NULL);");
    std::fs::create_dir_all(folder.path().join("queries"))?;
    let both = "/*---\ndescription: Both.\ntable_format: csv\n---*/\nSELECT (SELECT sum(id) FROM t) AS a, (SELECT sum(n) FROM log) AS b";
    std::fs::write(folder.path().join("queries/both.sql"), both)?;
    let engine = served_with(folder.path(), TABLE, &PROJECT.replace("{ t: ", "{ log: { source: shop }, t: "));
    run(folder.path(), "INSERT INTO log VALUES (1, 6);");
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (writing, dir) = (Arc::clone(&stop), folder.path().to_path_buf());
    let writer = std::thread::spawn(move || {
        let connection = rusqlite::Connection::open(dir.join("shop.sqlite")).unwrap();
        connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
        let mut next = 100;
        while !writing.load(std::sync::atomic::Ordering::Relaxed) {
            let script =
                format!("BEGIN; INSERT INTO t VALUES ({next}, 'x'); INSERT INTO log (n) VALUES ({next}); COMMIT;");
            connection.execute_batch(&script).unwrap();
            next += 1;
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
    });
    let mut same = 0;
    for _ in 0..60 {
        let said = call(&engine, "both", json!({}));
        match said.split_once(',') {
            Some((a, b)) => {
                assert_eq!(a, b, "two states in one answer");
                same += 1;
            }
            None => assert_eq!(said, "data-changed"),
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    writer.join().unwrap();
    let said = call(&engine, "both", json!({}));
    assert!(said.split_once(',').is_some_and(|(a, b)| a == b), "{said} after {same} answers");
    Ok(())
}

/// Runs the statements of the environment in the database that the first argument names: what another process does.
pub(crate) fn run_as_another_process(statements: &str) {
    let path = std::env::args().nth(1).unwrap();
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(10)).unwrap();
    connection.execute_batch(statements).unwrap();
}
