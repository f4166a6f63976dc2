//! Tools that change data, beside models of what they are to do.

use crate::cases::block_on;
use crate::servers;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use qtool::engine::bind::Arguments;
use qtool::engine::{Engine, Tables};
use qtool::workspace::{Locking, Workspace};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Why a task has failed.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A database that changes are tried in.
#[derive(Clone, Copy)]
struct Server {
    /// Its line under `sources`, but for what is of all.
    source: &'static str,
    /// The types of its texts, as a key and elsewhere.
    texts: (&'static str, &'static str),
    /// What stands behind an INSERT whose row is in the way of another.
    instead: &'static str,
    run: fn(&Path, &str) -> crate::Outcome,
}

const SQLITE: Server = Server {
    source: "{ type: sqlite, path: app.sqlite, idempotency: { table: changes_calls } }",
    texts: ("text", "text"),
    instead: "ON CONFLICT (name) DO UPDATE SET n = excluded.n",
    run: in_sqlite,
};
const POSTGRES: Server = Server {
    source: "{ type: postgres, url_env: QTOOL_TEST_POSTGRES, idempotency: { table: changes_calls } }",
    texts: ("text COLLATE \"C\"", "text"),
    instead: "ON CONFLICT (name) DO UPDATE SET n = excluded.n",
    run: |_, statements| servers::run_in_postgres(statements),
};
const MARIADB: Server = Server {
    source: "{ type: mysql, url_env: QTOOL_TEST_MARIADB, idempotency: { table: changes_calls } }",
    texts: (
        "varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        "longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
    ),
    instead: "ON DUPLICATE KEY UPDATE n = VALUES(n)",
    run: |_, statements| servers::run_in_mariadb(statements),
};

fn in_sqlite(dir: &Path, statements: &str) -> crate::Outcome {
    let connection = rusqlite::Connection::open(dir.join("app.sqlite"))?;
    connection.execute_batch(statements)?;
    Ok(())
}

/// The tools: file, header and statement. `{T}` is the table, `{INSTEAD}` what becomes of a row that is in the way.
const TOOLS: [(&str, &str, &str); 12] = [
    ("add", "expect_changes: exactly 1", "INSERT INTO {T} (name, n) VALUES (<< name >>, << n >>)"),
    ("put", "", "INSERT INTO {T} (name, n) VALUES (<< name >>, << n >>) {INSTEAD}"),
    ("set", "expect_changes: exactly 1", "UPDATE {T} SET n = << n >> WHERE name = << name >>"),
    ("grow", "expose: [idempotency_key]", "UPDATE {T} SET n = n + 1 WHERE name = << name >>"),
    ("lower", "max_changes: 2\nexpose: [dry_run]", "UPDATE {T} SET n = n - 1 WHERE n >= << least >>"),
    ("cut", "max_changes: 2\nexpose: [dry_run]", "DELETE FROM {T} WHERE n < << below >> [[ AND name = << name >> ]]"),
    (
        "swap",
        "",
        "UPDATE {T} SET n = n + 10 WHERE name = << one >>;\nINSERT INTO {T} (name, n) VALUES (<< other >>, 0)",
    ),
    ("write", "max_changes: 1", "UPDATE {T} SET text = << text >> WHERE name = << name >>"),
    ("fill", "max_changes: 3\nexpose: [dry_run]", "INSERT INTO {T} (name, n, text) VALUES << rows >>"),
    ("merge", "max_changes: 3\nexpose: [dry_run]", "INSERT INTO {T} (name, n) VALUES << rows >> {INSTEAD}"),
    ("many", "max_changes: 5000", "INSERT INTO {T} (name, n, text) VALUES << rows >>"),
    ("all", "source:", "SELECT name, n, text FROM t ORDER BY name"),
];

fn make(dir: &Path, server: Server, table: &str) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    let (key, text) = server.texts;
    let id = if text == "text" { "text" } else { "varchar(64)" };
    (server.run)(
        dir,
        &format!(
            "DROP TABLE IF EXISTS {table};
             CREATE TABLE {table} (name {key} PRIMARY KEY NOT NULL, n bigint NOT NULL, text {text});
             CREATE TABLE IF NOT EXISTS changes_calls (id {id} PRIMARY KEY NOT NULL, arguments {text} NOT NULL, \
             answer {text} NOT NULL, at bigint NOT NULL);"
        ),
    )?;
    std::fs::create_dir_all(dir.join("queries"))?;
    let project = format!(
        "name: test\nsources: {{ app: {} }}\ntables: {{ t: {{ source: app, table: {table}, writable: true }} }}\n",
        server.source
    );
    std::fs::write(dir.join("qtool.yaml"), project)?;
    for (name, header, statement) in TOOLS {
        let statement = statement.replace("{T}", table).replace("{INSTEAD}", server.instead);
        let header =
            if header == "source:" { "result_limit: none".to_owned() } else { format!("source: app\n{header}") };
        let text = format!("/*---\ndescription: x.\n{header}\n---*/\n{statement}");
        std::fs::write(dir.join(format!("queries/{name}.sql")), text)?;
    }
    opened(dir)
}

fn opened(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    let dir = dir.to_path_buf();
    let opened: Result<Arc<Engine>, Failure> = block_on(async move {
        let mut workspace = Workspace::load(&dir).map_err(|error| format!("{error:?}"))?;
        workspace.read_data(Locking::Write, |_| {}).await;
        let compiled = workspace.compile();
        if compiled.errors > 0 {
            return Err(format!("{:#?}", compiled.diagnostics).into());
        }
        let project = workspace.project;
        let tables = Tables::open(&dir, &project.file, &project.catalog).await.map_err(|error| format!("{error:?}"))?;
        Ok(Arc::new(Engine::prepare(tables, compiled.tools)))
    });
    opened.map_err(|error| -> Box<dyn std::error::Error> { error })
}

/// How many rows a call has changed, or the code of its error.
async fn call(engine: &Engine, tool: &str, arguments: Value) -> Result<u64, String> {
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    let result = engine.call(tool, &arguments).await.map_err(|error| error.code.to_string())?;
    Ok(result.changed.map_or(0, |changed| changed.rows))
}

/// All rows, by name.
async fn rows(engine: &Engine) -> Result<BTreeMap<String, (i64, Option<String>)>, String> {
    let arguments = json!({"table_format": "structured"});
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    let result = engine.call("all", &arguments).await.map_err(|error| error.line())?;
    let object = result.object();
    let rows = object["rows"].as_array().cloned().unwrap_or_default();
    let row = |row: Value| {
        let text = row["text"].as_str().map(str::to_owned);
        (row["name"].as_str().unwrap_or_default().to_owned(), (row["n"].as_i64().unwrap_or_default(), text))
    };
    Ok(rows.into_iter().map(row).collect())
}

/// Of many increments at once, none is lost: there are as many as were answered to be made.
fn none_is_lost(server: Server, table: &str, calls: usize) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = make(folder.path(), server, table)?;
    // A server still has the keys of earlier runs.
    let run = folder.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let outcome: Result<(), Failure> = block_on(async move {
        call(&engine, "add", json!({"name": "a", "n": 0})).await?;
        let mut made = 0;
        let mut others: BTreeMap<String, usize> = BTreeMap::new();
        for round in 0..calls / 20 {
            let increments = (0..20).map(|one| {
                // Every second one is sent twice, with a key.
                let key = (one % 2 == 0).then(|| format!("{run}-{round}-{one}"));
                let engine = Arc::clone(&engine);
                tokio::spawn(async move {
                    let arguments = json!({"name": "a", "idempotency_key": key});
                    let first = call(&engine, "grow", arguments.clone()).await;
                    match (key, &first) {
                        (Some(_), Ok(_)) => {
                            assert_eq!(call(&engine, "grow", arguments).await, Ok(1));
                            first
                        }
                        _ => first,
                    }
                })
            });
            for outcome in futures::future::join_all(increments.collect::<Vec<_>>()).await {
                match outcome? {
                    Ok(_) => made += 1,
                    Err(code) => *others.entry(code).or_default() += 1,
                }
            }
        }
        let found = rows(&engine).await?.get("a").map(|(n, _)| *n);
        assert_eq!(found, Some(made), "{others:?}");
        // Under contention, some are told to come again, and no more than that.
        assert!(others.keys().all(|code| code == "busy"), "{others:?}");
        assert!(usize::try_from(made)? * 10 >= calls * 9, "{made} of {calls} were made: {others:?}");
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })
}

pub(crate) fn increments_at_once_lose_none() -> crate::Outcome {
    none_is_lost(SQLITE, "changes_grow", 1_000)
}

pub(crate) fn increments_in_postgres_lose_none() -> crate::Outcome {
    none_is_lost(POSTGRES, "changes_grow", 1_000)
}

pub(crate) fn increments_in_mariadb_lose_none() -> crate::Outcome {
    none_is_lost(MARIADB, "changes_grow", 1_000)
}

#[derive(Debug, Clone)]
enum Step {
    Add(u8, i64),
    Put(u8, i64),
    Set(u8, i64),
    Grow(u8, Option<u8>),
    Lower(i64, bool),
    Cut(i64, Option<u8>, bool),
    Swap(u8, u8),
    Fill(Vec<(u8, i64, Option<String>)>, bool),
    Merge(BTreeMap<u8, i64>, bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let (name, n) = (0..5_u8, -3..6_i64);
    let step = prop_oneof![
        (name.clone(), n.clone()).prop_map(|(name, n)| Step::Add(name, n)),
        (name.clone(), n.clone()).prop_map(|(name, n)| Step::Put(name, n)),
        (name.clone(), n.clone()).prop_map(|(name, n)| Step::Set(name, n)),
        (name.clone(), prop::option::of(0..4_u8)).prop_map(|(name, key)| Step::Grow(name, key)),
        (n.clone(), any::<bool>()).prop_map(|(least, dry)| Step::Lower(least, dry)),
        (n.clone(), prop::option::of(name.clone()), any::<bool>()).prop_map(|(n, name, dry)| Step::Cut(n, name, dry)),
        (name.clone(), name.clone()).prop_map(|(one, other)| Step::Swap(one, other)),
        (prop::collection::vec((name.clone(), n.clone(), prop::option::of("[a'?$]{0,2}")), 0..5), any::<bool>())
            .prop_map(|(rows, dry)| Step::Fill(rows, dry)),
        (prop::collection::btree_map(name, n, 0..5), any::<bool>()).prop_map(|(rows, dry)| Step::Merge(rows, dry)),
    ];
    prop::collection::vec(step, 1..25)
}

type Model = BTreeMap<String, (i64, Option<String>)>;

fn name_of(name: u8) -> String {
    ["a", "b", "ä'\"", "d\\", "E e"].get(usize::from(name)).copied().unwrap_or_default().to_owned()
}

/// What a step is to do, and how it is called.
fn expected(
    step: &Step,
    model: &mut Model,
    keys: &mut BTreeMap<u8, u8>,
    run: u64,
) -> (&'static str, Value, Result<u64, String>) {
    let refused = |code: &str| Err(code.to_owned());
    match step {
        Step::Add(name, n) => {
            let outcome = match model.contains_key(&name_of(*name)) {
                true => refused("change-refused"),
                false => {
                    model.insert(name_of(*name), (*n, None));
                    Ok(1)
                }
            };
            ("add", json!({"name": name_of(*name), "n": n}), outcome)
        }
        Step::Put(name, n) => {
            model.entry(name_of(*name)).or_insert((*n, None)).0 = *n;
            ("put", json!({"name": name_of(*name), "n": n}), Ok(1))
        }
        Step::Set(name, n) => {
            let outcome = match model.get_mut(&name_of(*name)) {
                Some(row) => {
                    row.0 = *n;
                    Ok(1)
                }
                None => refused("unexpected-changes"),
            };
            ("set", json!({"name": name_of(*name), "n": n}), outcome)
        }
        Step::Grow(name, key) => {
            let arguments = json!({"name": name_of(*name), "idempotency_key": key.map(|key| format!("{run}-{key}"))});
            if let Some(before) = key.and_then(|key| keys.get(&key).copied()) {
                // Kept with how many rows it has changed.
                let known = before & 0x7f;
                let outcome =
                    if known == *name { Ok(u64::from(before >> 7)) } else { refused("idempotency-key-reused") };
                return ("grow", arguments, outcome);
            }
            let row = model.get_mut(&name_of(*name));
            let changed = u64::from(row.is_some());
            row.into_iter().for_each(|row| row.0 += 1);
            key.iter().for_each(|key| {
                keys.insert(*key, *name | if changed == 1 { 0x80 } else { 0 });
            });
            ("grow", arguments, Ok(changed))
        }
        Step::Lower(least, dry) => {
            let meant: Vec<String> =
                model.iter().filter(|(_, (n, _))| n >= least).map(|(name, _)| name.clone()).collect();
            let outcome = if meant.len() > 2 { refused("too-many-changes") } else { Ok(meant.len() as u64) };
            if outcome.is_ok() && !dry {
                meant.iter().filter_map(|name| model.get_mut(name).map(|row| row.0 -= 1)).for_each(drop);
            }
            ("lower", json!({"least": least, "dry_run": dry}), outcome)
        }
        Step::Cut(below, name, dry) => {
            let name = name.map(name_of);
            let is_meant = |(one, (n, _)): &(&String, &(i64, Option<String>))| {
                n < below && name.as_ref().is_none_or(|name| name == *one)
            };
            let meant: Vec<String> = model.iter().filter(is_meant).map(|(name, _)| name.clone()).collect();
            let outcome = if meant.len() > 2 { refused("too-many-changes") } else { Ok(meant.len() as u64) };
            if outcome.is_ok() && !dry {
                model.retain(|name, _| !meant.contains(name));
            }
            ("cut", json!({"below": below, "name": name, "dry_run": dry}), outcome)
        }
        Step::Swap(one, other) => {
            let (one, other) = (name_of(*one), name_of(*other));
            let arguments = json!({"one": one, "other": other});
            if model.contains_key(&other) {
                return ("swap", arguments, refused("change-refused"));
            }
            let row = model.get_mut(&one);
            let changed = 1 + u64::from(row.is_some());
            row.into_iter().for_each(|row| row.0 += 10);
            model.insert(other, (0, None));
            ("swap", arguments, Ok(changed))
        }
        Step::Fill(rows, dry) => {
            let written: Model = rows.iter().map(|(name, n, text)| (name_of(*name), (*n, text.clone()))).collect();
            let outcome = match rows.len() {
                0 | 4.. => refused("invalid-argument"),
                count if written.len() < count || written.keys().any(|name| model.contains_key(name)) => {
                    refused("change-refused")
                }
                count => Ok(count as u64),
            };
            if outcome.is_ok() && !dry {
                model.extend(written);
            }
            // What is left out is null.
            let row = |(name, n, text): &(u8, i64, Option<String>)| match text {
                Some(text) => json!({"name": name_of(*name), "n": n, "text": text}),
                None => json!({"name": name_of(*name), "n": n}),
            };
            ("fill", json!({"rows": rows.iter().map(row).collect::<Vec<_>>(), "dry_run": dry}), outcome)
        }
        Step::Merge(rows, dry) => {
            let outcome =
                if rows.is_empty() || rows.len() > 3 { refused("invalid-argument") } else { Ok(rows.len() as u64) };
            if outcome.is_ok() && !dry {
                rows.iter().for_each(|(name, n)| model.entry(name_of(*name)).or_insert((*n, None)).0 = *n);
            }
            let row = |(name, n): (&u8, &i64)| json!({"name": name_of(*name), "n": n});
            ("merge", json!({"rows": rows.iter().map(row).collect::<Vec<_>>(), "dry_run": dry}), outcome)
        }
    }
}

/// Whatever is called in which order, the table holds what a model holds, and every answer is the one of the model.
fn a_model_agrees(server: Server, table: &str, cases: u32) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = make(folder.path(), server, table)?;
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let run = std::cell::Cell::new(u64::from(std::process::id()) << 20);
    let outcome = runner.run(&steps(), |steps| {
        let engine = Arc::clone(&engine);
        run.set(run.get() + 1);
        let run = run.get();
        (server.run)(folder.path(), &format!("DELETE FROM {table};"))
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        block_on(async move {
            let (mut model, mut keys) = (Model::new(), BTreeMap::new());
            for step in steps {
                let (tool, arguments, expected) = expected(&step, &mut model, &mut keys, run);
                let outcome = call(&engine, tool, arguments).await;
                if outcome != expected {
                    return Err(TestCaseError::fail(format!("{step:?} gave {outcome:?}, and not {expected:?}")));
                }
                let found = rows(&engine).await.map_err(TestCaseError::fail)?;
                if found != model {
                    return Err(TestCaseError::fail(format!("behind {step:?} there is {found:?}, and not {model:?}")));
                }
            }
            Ok(())
        })
    });
    outcome.map_err(|error| error.to_string().into())
}

pub(crate) fn any_changes_are_those_of_a_model() -> crate::Outcome {
    a_model_agrees(SQLITE, "changes_model", 60)
}

pub(crate) fn any_changes_in_postgres_are_those_of_a_model() -> crate::Outcome {
    a_model_agrees(POSTGRES, "changes_model", 40)
}

pub(crate) fn any_changes_in_mariadb_are_those_of_a_model() -> crate::Outcome {
    a_model_agrees(MARIADB, "changes_model", 40)
}

/// Texts that are something else in SQL, or in a placeholder.
const HOSTILE: [&str; 22] = [
    "'; DROP TABLE changes_texts; --",
    "\\'; DELETE FROM changes_texts; --",
    "\" OR 1=1 --",
    "$1",
    "?",
    ":name",
    "<< name >>",
    "${name}",
    "%s%n",
    "/* */ */",
    "qtool_optional_and(true)",
    "\u{0} zero",
    "é😀\u{202e}x",
    "' || (SELECT 1) || '",
    "\\x41\\u0041",
    "E'\\n'",
    "$$x$$",
    "",
    " ",
    "NULL",
    "0x41",
    "1e400",
];

/// Texts are written as they are sent, and change nothing else, whatever they look like.
fn texts_are_written_as_they_are(server: Server, table: &str) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = make(folder.path(), server, table)?;
    let outcome: Result<(), Failure> = block_on(async move {
        for name in ["kept", "other"] {
            call(&engine, "add", json!({"name": name, "n": 1})).await?;
        }
        for text in HOSTILE.into_iter().map(str::to_owned).chain(["x".repeat(100_000)]) {
            let outcome = call(&engine, "write", json!({"name": "kept", "text": text})).await;
            let found = rows(&engine).await?;
            assert_eq!(found.len(), 2, "{text:?}");
            assert_eq!(found.get("other"), Some(&(1, None)), "{text:?}");
            let kept = found.get("kept").and_then(|(_, text)| text.clone());
            match outcome {
                Ok(changed) => {
                    assert_eq!(changed, 1, "{text:?}");
                    assert_eq!(
                        kept.as_deref(),
                        (text != "NULL").then_some(text.as_str()).or(kept.as_deref()),
                        "{text:?}"
                    );
                }
                // PostgreSQL has no such letter in its texts, and SQLite ends a text there.
                Err(code) => assert!(text.contains('\u{0}'), "{text:?}: {code}"),
            }
            // As a key, nothing is found by it.
            let named = call(&engine, "set", json!({"name": text, "n": 5})).await;
            assert!(named.is_err(), "{text:?}: {named:?}");
        }
        assert_eq!(rows(&engine).await?.get("kept").map(|(n, _)| *n), Some(1));
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })
}

/// Rows of a list are written each with its own values, however many they are.
fn rows_are_written_as_they_are(server: Server, table: &str) -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let engine = make(folder.path(), server, table)?;
    let texts = HOSTILE.into_iter().filter(|text| !text.contains('\u{0}') && *text != "NULL");
    let texts: Vec<String> = texts.map(str::to_owned).collect();
    let outcome: Result<(), Failure> = block_on(async move {
        for count in [1_usize, 2, 19, 4_000] {
            let before = rows(&engine).await?;
            let mut expected = before.clone();
            let of = |at: usize| (format!("{count}-{at}"), at as i64 - 7, texts.get(at % (texts.len() + 1)).cloned());
            let sent: Vec<Value> =
                (0..count).map(of).map(|(name, n, text)| json!({"name": name, "n": n, "text": text})).collect();
            expected.extend((0..count).map(of).map(|(name, n, text)| (name, (n, text))));
            assert_eq!(call(&engine, "many", json!({"rows": sent})).await, Ok(count as u64));
            assert_eq!(rows(&engine).await?, expected, "{count}");
            // One that is there refuses all.
            let again = [sent.as_slice(), &[json!({"name": "new", "n": 1})]].concat();
            assert_eq!(call(&engine, "many", json!({"rows": again})).await, Err("change-refused".to_owned()));
            assert_eq!(rows(&engine).await?, expected, "{count}");
        }
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })
}

pub(crate) fn rows_of_a_list_are_written_as_they_are_sent() -> crate::Outcome {
    rows_are_written_as_they_are(SQLITE, "changes_rows")
}

pub(crate) fn rows_of_a_list_are_written_to_postgres_as_they_are_sent() -> crate::Outcome {
    rows_are_written_as_they_are(POSTGRES, "changes_rows")
}

pub(crate) fn rows_of_a_list_are_written_to_mariadb_as_they_are_sent() -> crate::Outcome {
    rows_are_written_as_they_are(MARIADB, "changes_rows")
}

pub(crate) fn texts_are_written_as_they_are_sent() -> crate::Outcome {
    texts_are_written_as_they_are(SQLITE, "changes_texts")
}

pub(crate) fn texts_are_written_to_postgres_as_they_are_sent() -> crate::Outcome {
    texts_are_written_as_they_are(POSTGRES, "changes_texts")
}

pub(crate) fn texts_are_written_to_mariadb_as_they_are_sent() -> crate::Outcome {
    texts_are_written_as_they_are(MARIADB, "changes_texts")
}

/// Of calls whose time ends, those that were told so have changed nothing: what may have been made is told as unknown.
pub(crate) fn a_call_that_is_told_to_be_late_has_changed_nothing() -> crate::Outcome {
    for timeout in ["3ms", "6ms", "10ms", "16ms"] {
        let folder = tempfile::tempdir()?;
        let engine = make(folder.path(), SQLITE, "changes_late")?;
        block_on({
            let engine = Arc::clone(&engine);
            async move { call(&engine, "add", json!({"name": "a", "n": 0})).await }
        })?;
        let header = format!("/*---\ndescription: x.\nsource: app\ntimeout: {timeout}\n---*/\n");
        let statement = "UPDATE changes_late SET n = n + 1 WHERE name = << name >>";
        std::fs::write(folder.path().join("queries/hurried.sql"), header + statement)?;
        let engine = opened(folder.path())?;
        let outcome: Result<(), Failure> = block_on(async move {
            let callers = (0..4).map(|_| {
                let engine = Arc::clone(&engine);
                tokio::spawn(async move {
                    let (mut made, mut unknown) = (0, 0);
                    for _ in 0..60 {
                        match call(&engine, "hurried", json!({"name": "a"})).await {
                            Ok(_) => made += 1,
                            Err(code) if code == "outcome-unknown" => unknown += 1,
                            Err(code) => assert!(code == "timeout" || code == "busy", "{code}"),
                        }
                    }
                    (made, unknown)
                })
            });
            let (mut made, mut unknown) = (0, 0);
            for caller in futures::future::join_all(callers.collect::<Vec<_>>()).await {
                let (one, other): (i64, i64) = caller?;
                (made, unknown) = (made + one, unknown + other);
            }
            // What nobody waits for any more may still be on its way.
            tokio::time::sleep(Duration::from_millis(200)).await;
            let found = rows(&engine).await?.get("a").map(|(n, _)| *n).unwrap_or_default();
            assert!((made..=made + unknown).contains(&found), "{found} were made, {made} told, {unknown} unknown");
            Ok(())
        });
        outcome.map_err(|error| -> Box<dyn std::error::Error> { error })?;
    }
    Ok(())
}

/// A call whose time ends, or that nobody waits for, changes nothing, and is in nobody's way.
pub(crate) fn changes_that_are_given_up_are_taken_back() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let slow = "/*---\ndescription: x.\nsource: app\ntimeout: 300ms\n---*/\nUPDATE changes_slow SET n = n + 100 WHERE name = << name >>;
        UPDATE changes_slow SET n = (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000000000) \
        SELECT count(*) FROM c) WHERE name = << name >>";
    let engine = make(folder.path(), SQLITE, "changes_slow")?;
    block_on({
        let engine = Arc::clone(&engine);
        async move { call(&engine, "add", json!({"name": "a", "n": 1})).await }
    })?;
    std::fs::write(folder.path().join("queries/slow.sql"), slow)?;
    let engine = opened(folder.path())?;
    let outcome: Result<(), Failure> = block_on(async move {
        for round in 0..4 {
            let arguments = json!({"name": "a"});
            match round % 2 {
                0 => assert_eq!(call(&engine, "slow", arguments).await, Err("timeout".to_owned())),
                _ => {
                    let given_up = tokio::time::timeout(Duration::from_millis(100), call(&engine, "slow", arguments));
                    assert!(given_up.await.is_err());
                }
            }
            // Who comes next waits until it has ended.
            assert_eq!(call(&engine, "grow", json!({"name": "a"})).await, Ok(1), "{round}");
            assert_eq!(rows(&engine).await?.get("a").map(|(n, _)| *n), Some(2 + round));
        }
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })
}
