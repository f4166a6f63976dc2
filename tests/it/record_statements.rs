//! Statements that change records, wherever they lie, beside the same statements over a plain table of SQLite.

use crate::records::{Kept, Server};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rusqlite::{Connection, params_from_iter, types::Value as Stored};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

/// The tools: their names, what else their headers say, and statements with `{T}` for the table.
const TOOLS: [(&str, &str, &str); 8] = [
    ("add", "", "INSERT INTO {T} (id, title, stars) VALUES (<< id >>, << title >>, << stars >>)"),
    (
        "put",
        "max_changes: 1\n",
        "INSERT INTO {T} AS t (id, title, stars) VALUES (<< id >>, << title >>, << stars >>) \
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, stars = coalesce(t.stars, 0) + 1",
    ),
    (
        "keep",
        "max_changes: 1\n",
        "INSERT INTO {T} (id, title, stars) VALUES (<< id >>, << title >>, << stars >>) ON CONFLICT (id) DO NOTHING",
    ),
    ("grow", "max_changes: 3\n", "UPDATE {T} SET stars = stars + << by >> WHERE stars >= << least >>"),
    ("blank", "max_changes: 9\n", "UPDATE {T} SET title = nullif(title, << title >>) WHERE stars < << below >>"),
    ("cut", "max_changes: 2\n", "DELETE FROM {T} WHERE stars < << below >> OR id = << id >>"),
    (
        "move",
        "max_changes: 3\n",
        "UPDATE {T} SET stars = stars - 1 WHERE id = << id >>;\nDELETE FROM {T} WHERE id = << other >>;\n\
         INSERT INTO {T} (id, title, stars) VALUES (<< other >>, << title >>, 1)",
    ),
    (
        "copy",
        "max_changes: 9\n",
        "INSERT INTO {T} (id, title, stars) SELECT id || '+', title, stars FROM {T} WHERE stars = << stars >>",
    ),
];

/// A call of one of them.
#[derive(Debug, Clone)]
struct Step {
    tool: usize,
    arguments: BTreeMap<&'static str, Value>,
    is_dry: bool,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let id = || "[a-d]".prop_map(Value::from);
    let title = prop_oneof![
        "[x-z]".prop_map(Value::from),
        Just(Value::from("'; DELETE FROM todo; --\u{0}x".replace('\0', "")))
    ];
    let number = || (-2_i64..6).prop_map(Value::from);
    let stars = proptest::option::of(number());
    let step =
        (0..TOOLS.len(), (id(), id(), title, stars), (number(), number(), number()), proptest::bool::weighted(0.15));
    let step = step.prop_map(|(tool, (id, other, title, stars), (by, least, below), is_dry)| {
        let all = [
            ("id", Some(id)),
            ("other", Some(other)),
            ("title", Some(title)),
            ("stars", stars),
            ("by", Some(by)),
            ("least", Some(least)),
            ("below", Some(below)),
        ];
        let text = TOOLS[tool].2;
        let is_asked = |name: &&str| text.contains(&format!("<< {name} >>"));
        let mut arguments: BTreeMap<&'static str, Value> = all
            .into_iter()
            .filter(|(name, _)| is_asked(name))
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        if TOOLS[tool].0 == "copy" {
            arguments.entry("stars").or_insert(json!(1));
        }
        Step { tool, arguments, is_dry }
    });
    proptest::collection::vec(step, 1..16)
}

/// The same statements over a table that nothing but SQLite looks after.
struct Judge(Connection);

type Rows = BTreeMap<String, (Option<String>, Option<i64>)>;

impl Judge {
    fn new() -> Outcome<Judge> {
        let connection = Connection::open_in_memory()?;
        connection
            .execute_batch("CREATE TABLE todo (id text NOT NULL PRIMARY KEY, title text NOT NULL, stars bigint)")?;
        Ok(Judge(connection))
    }

    fn rows(&self) -> Outcome<Rows> {
        let mut statement = self.0.prepare("SELECT id, title, stars FROM todo")?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// How many rows a step changes; `None` where it is refused, and changes none.
    fn run(&self, step: &Step) -> Outcome<Option<u64>> {
        let (_, header, text) = TOOLS[step.tool];
        let most: u64 = header.trim().strip_prefix("max_changes: ").map_or(Ok(1), str::parse)?;
        self.0.execute_batch("BEGIN")?;
        let mut changed = Some(0);
        for statement in text.replace("{T}", "todo").split(';') {
            let mut statement = statement.to_owned();
            let mut values: Vec<Stored> = Vec::new();
            while let Some((before, rest)) = statement.split_once("<< ") {
                let (name, behind) = rest.split_once(" >>").ok_or("no end")?;
                values.push(match step.arguments.get(name) {
                    Some(Value::String(text)) => Stored::Text(text.clone()),
                    Some(Value::Number(number)) => Stored::Integer(number.as_i64().ok_or("no integer")?),
                    _ => Stored::Null,
                });
                statement = format!("{before}?{}{behind}", values.len());
            }
            let ran = self.0.execute(&statement, params_from_iter(values));
            changed = changed.zip(ran.ok()).map(|(sum, rows)| sum + rows as u64);
        }
        let changed = changed.filter(|changed| *changed <= most);
        let lasts = changed.is_some() && !step.is_dry;
        self.0.execute_batch(if lasts { "COMMIT" } else { "ROLLBACK" })?;
        Ok(changed)
    }
}

/// What the history is to tell of a change: one line for each cell that is another one, and one for a record that is gone.
fn told(before: &Rows, after: &Rows) -> BTreeMap<String, Vec<String>> {
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for id in before.keys().filter(|id| !after.contains_key(*id)) {
        told.entry(id.clone()).or_default().push("*".to_owned());
    }
    for (id, (title, stars)) in after {
        let was = before.get(id);
        let empty = (None, None);
        let (old_title, old_stars) = was.unwrap_or(&empty);
        let cells = [("id", was.is_none()), ("title", title != old_title), ("stars", stars != old_stars)];
        let cells: Vec<String> =
            cells.into_iter().filter(|(_, is_other)| *is_other).map(|(name, _)| name.to_owned()).collect();
        if !cells.is_empty() {
            told.entry(id.clone()).or_default().extend(cells);
        }
    }
    told
}

fn write_tools(dir: &Path, kept: Kept, extra: &str) -> Outcome {
    std::fs::create_dir_all(dir.join("queries"))?;
    let table = match kept {
        Kept::Postgres(schema) => format!("{schema}.todo"),
        Kept::Folder | Kept::Sqlite => "todo".to_owned(),
    };
    for (name, header, text) in TOOLS {
        let text = text.replace("{T}", &table);
        let header =
            format!("/*---\ndescription: Changes records.\nsource: todo\nexpose: [dry_run]\n{header}{extra}---*/\n");
        std::fs::write(dir.join(format!("queries/{name}.sql")), format!("{header}{text}\n"))?;
    }
    Ok(())
}

fn run_beside_a_judge(kept: Kept, steps: &[Step]) -> Outcome {
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    kept.project(dir, "", "")?;
    write_tools(dir, kept, "")?;
    let mut server = Server::start(dir)?;
    let judge = Judge::new()?;
    let mut history: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for step in steps {
        let (name, _, _) = TOOLS[step.tool];
        let before = judge.rows()?;
        let wanted = judge.run(step)?;
        let mut arguments: Map<String, Value> =
            step.arguments.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        if step.is_dry {
            arguments.insert("dry_run".to_owned(), json!(true));
        }
        let found = server.change(name, &arguments.into())?;
        let changed = found.as_ref().ok().and_then(|result| result["changed"].as_u64());
        if changed != wanted {
            return Err(format!("{step:?}: {found:?}, and not {wanted:?}").into());
        }
        let after = judge.rows()?;
        for (id, cells) in told(&before, &after) {
            history.entry(id).or_default().extend(cells);
        }
        let listed = server.rows("todo_list", &json!({}))?;
        let listed: Rows = listed
            .iter()
            .map(|row| {
                let id = row["id"].as_str().unwrap_or_default().to_owned();
                (id, (row["title"].as_str().map(str::to_owned), row["stars"].as_i64()))
            })
            .collect();
        if listed != after {
            return Err(format!("{step:?}: {listed:?}, and not {after:?}").into());
        }
    }
    for (id, cells) in history {
        let lines = server.rows("todo_history", &json!({"id": id}))?;
        let found: Vec<&str> = lines.iter().filter_map(|line| line["field"].as_str()).collect();
        if found != cells {
            return Err(format!("the history of {id}: {found:?}, and not {cells:?}").into());
        }
    }
    Ok(())
}

fn beside_a_judge(kept: Kept, cases: u32) -> crate::Outcome {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let failed = |error: Box<dyn std::error::Error>| TestCaseError::fail(error.to_string());
    let outcome = runner.run(&steps(), |steps| run_beside_a_judge(kept, &steps).map_err(failed));
    Ok(outcome.map_err(|error| error.to_string())?)
}

/// Any statements leave the rows that they leave in a table of SQLite, and the history tells each cell that they have changed.
pub(crate) fn any_statements_are_those_of_sqlite() -> crate::Outcome {
    beside_a_judge(Kept::Folder, 30)
}

pub(crate) fn any_statements_in_sqlite_are_those_of_sqlite() -> crate::Outcome {
    beside_a_judge(Kept::Sqlite, 25)
}

pub(crate) fn any_statements_in_postgres_are_those_of_sqlite() -> crate::Outcome {
    beside_a_judge(Kept::Postgres("records_judged"), 20)
}

/// Several servers count up one record: no step is lost.
fn counted_beside_others(kept: Kept) -> crate::Outcome {
    const SERVERS: usize = 3;
    const STEPS: usize = 20;
    let folder = tempfile::tempdir()?;
    let dir = folder.path();
    kept.project(dir, "", "")?;
    write_tools(dir, kept, "")?;
    let mut first = Server::start(dir)?;
    first.change("add", &json!({"id": "a", "title": "t", "stars": 0}))?.map_err(|code| format!("add: {code}"))?;
    let counted: Result<Vec<usize>, String> = std::thread::scope(|scope| {
        let one = || {
            let mut server = Server::start(dir).map_err(|error| error.to_string())?;
            let mut done = 0;
            while done < STEPS {
                match server.change("grow", &json!({"by": 1, "least": 0})).map_err(|error| error.to_string())? {
                    Ok(_) => done += 1,
                    // It was tried often enough, and changed nothing.
                    Err(code) if code == "busy" => {}
                    Err(code) => return Err(code),
                }
            }
            Ok(done)
        };
        let all: Vec<_> = (0..SERVERS).map(|_| scope.spawn(one)).collect();
        all.into_iter().map(|one| one.join().unwrap_or_else(|_| Err("a thread".to_owned()))).collect()
    });
    let sum: usize = counted?.iter().sum();
    let rows = first.rows("todo_list", &json!({"fields": ["stars"]}))?;
    let lines = first.rows("todo_history", &json!({"id": "a", "field": "stars", "limit": 1000}))?;
    if rows != [json!({"stars": sum})] || lines.len() != sum + 1 {
        return Err(format!("{sum} steps: {rows:?}, and {} lines of history", lines.len()).into());
    }
    Ok(())
}

pub(crate) fn statements_beside_others_lose_nothing() -> crate::Outcome {
    counted_beside_others(Kept::Folder)
}

pub(crate) fn statements_beside_others_lose_nothing_in_sqlite() -> crate::Outcome {
    counted_beside_others(Kept::Sqlite)
}

pub(crate) fn statements_beside_others_lose_nothing_in_postgres() -> crate::Outcome {
    counted_beside_others(Kept::Postgres("records_counted"))
}
