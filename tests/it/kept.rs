//! What is kept between calls: rows of tables and plans. No call may see of it anything but speed.

use crate::cases::{Outcome, block_on};
use qtool::engine::bind::{Arguments, Caller};
use qtool::engine::{Engine, Tables};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const QUERIES: [(&str, &str); 9] = [
    ("by_key", "SELECT id, city, size FROM places WHERE id = << id >>"),
    ("in_order", "SELECT id FROM places WHERE city = << city >> ORDER BY id LIMIT 3"),
    ("largest", "SELECT id, size FROM places WHERE city = << city >> ORDER BY size DESC, id LIMIT 3"),
    ("counted", "SELECT city, count(*) AS n FROM places WHERE size >= << size >> GROUP BY city ORDER BY city"),
    ("all", "SELECT count(*) AS n, sum(size) AS size FROM places"),
    (
        "clauses",
        "SELECT id FROM places WHERE size > 10 [[ AND city = << city >> ]] [[ AND id < << below >> ]] ORDER BY id",
    ),
    (
        "shifted",
        "SELECT << city: text >> AS asked, id + << id >> AS shifted FROM places WHERE id <= << id >> ORDER BY id",
    ),
    (
        "joined",
        "SELECT p.id, c.country FROM places AS p JOIN cities AS c ON p.city = c.city WHERE c.country = << country >> ORDER BY p.id LIMIT 5",
    ),
    (
        "below_average",
        "SELECT id FROM places WHERE size < (SELECT avg(size) FROM places WHERE city = << city >>) ORDER BY id LIMIT 5",
    ),
];
const CITIES: [&str; 3] = ["Oslo", "Lima", "Kyiv"];

/// Calls of all queries with many arguments give the same with tables and plans that are kept, and without.
pub(crate) fn kept_plans_give_the_same_rows() -> crate::Outcome {
    let (kept, plain) = (tempfile::tempdir()?, tempfile::tempdir()?);
    project(kept.path(), "")?;
    project(plain.path(), ", cache: none")?;
    let (kept, plain) = (engine(kept.path())?, engine(plain.path())?);
    let mut calls = Vec::new();
    // Twice over: by new plans, and by those that are kept, with other values between.
    for round in 0..3 {
        for at in 0..12_i64 {
            let city = CITIES.get((at % 3) as usize).copied().unwrap_or("nowhere");
            let city = if at == 7 { "nowhere" } else { city };
            calls.push(("by_key", json!({"id": at * 37 % 320 - 5 + round})));
            calls.push(("in_order", json!({"city": city})));
            calls.push(("largest", json!({"city": city})));
            calls.push(("counted", json!({"size": at * 11})));
            calls.push(("all", json!({})));
            calls.push(("clauses", json!({})));
            calls.push(("clauses", json!({"city": city})));
            calls.push(("clauses", json!({"below": at * 20})));
            calls.push(("clauses", json!({"city": city, "below": at * 20, "limit": at + 1})));
            calls.push(("shifted", json!({"city": city, "id": at})));
            calls.push(("joined", json!({"country": if at % 2 == 0 { "NO" } else { "PE" }})));
            calls.push(("below_average", json!({"city": city})));
        }
    }
    for (tool, arguments) in calls {
        let (kept, plain) = (call(&kept, tool, &arguments)?, call(&plain, tool, &arguments)?);
        if kept != plain {
            return Err(format!("{tool} {arguments}: {kept}\nwithout what is kept: {plain}").into());
        }
    }
    Ok(())
}

/// A file that changes in whatever way is seen by the very next call.
pub(crate) fn changed_files_are_seen_at_once() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    project(folder.path(), "")?;
    let engine = engine(folder.path())?;
    let path = folder.path().join("places.csv");
    let count = || call(&engine, "all", &json!({}));
    // Long enough ago for what is read to be kept.
    std::thread::sleep(Duration::from_millis(150));
    for _ in 0..5 {
        expect(&count()?, 300)?;
    }
    // Appended to, and at once again.
    let text = places(300);
    for more in 1..4 {
        std::fs::write(&path, format!("{text}{}", "9,Oslo,1\n".repeat(more)))?;
        expect(&count()?, 300 + more)?;
    }
    // Of the same length, with other rows.
    std::thread::sleep(Duration::from_millis(150));
    std::fs::write(&path, &text)?;
    expect(&count()?, 300)?;
    std::thread::sleep(Duration::from_millis(150));
    expect(&count()?, 300)?;
    expect(&count()?, 300)?;
    let sum = |answer: &str| answer.to_owned();
    let before = sum(&count()?);
    std::fs::write(&path, text.replacen(",Oslo,0\n", ",Oslo,7\n", 1))?;
    if count()? == before {
        return Err("a change that keeps the length was not seen".into());
    }
    // Replaced by another file.
    std::thread::sleep(Duration::from_millis(150));
    expect(&count()?, 300)?;
    std::fs::write(folder.path().join("new.csv"), places(120))?;
    std::fs::rename(folder.path().join("new.csv"), &path)?;
    expect(&count()?, 120)?;
    // Gone, and back.
    std::thread::sleep(Duration::from_millis(150));
    expect(&count()?, 120)?;
    std::fs::remove_file(&path)?;
    if let Ok(rows) = count() {
        return Err(format!("a file that is gone still has rows: {rows}").into());
    }
    std::fs::write(&path, places(7))?;
    expect(&count()?, 7)
}

/// A result is given again to an equal call of the same caller, until its time is over or a file has changed.
pub(crate) fn results_are_kept_as_long_as_is_said() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("places.csv"), places(300))?;
    std::fs::write(folder.path().join("qtool.yaml"), "name: kept\ntables:\n  places: { path: places.csv }\n")?;
    // Two calls never have the same by chance.
    let sql = "SELECT id, random() AS r FROM places WHERE id < << below >> AND city <> << who >> ORDER BY id";
    for (name, ttl) in [("long", "cache_ttl: 10m,"), ("short", "cache_ttl: 400ms,"), ("none", "")] {
        let who = "params: { who: { from: claim.sub, type: text }, below: { type: bigint } }";
        let text = format!("/*--- {{ description: A query., {ttl} {who} }} ---*/\n{sql}\n");
        std::fs::write(folder.path().join(format!("queries/{name}.sql")), text)?;
    }
    std::thread::sleep(Duration::from_millis(150));
    let engine = engine_of(folder.path(), 3)?;
    let call = |tool: &str, below: i64, who: &str| {
        let (engine, tool) = (Arc::clone(&engine), tool.to_owned());
        let arguments: Arguments = json!({"below": below}).as_object().cloned().unwrap_or_default();
        let claims = json!({"sub": who, "exp": below}).as_object().cloned().unwrap_or_default();
        let caller = Caller { claims, ..Caller::default() };
        let result = block_on(async move { engine.call_as(&tool, &arguments, &caller).await });
        result.map(|result| result.table().to_owned()).map_err(|error| error.line())
    };
    // The first reads the table into memory, which is another state of it.
    call("long", 5, "me")?;
    let first = call("long", 5, "me")?;
    let same = |again: &str, what: &str, expected: bool| match (again == first) == expected {
        true => Ok(()),
        false => Err(format!("{what}: {again}\n{first}")),
    };
    same(&call("long", 5, "me")?, "an equal call has the same result", true)?;
    same(&call("long", 6, "me")?, "another argument has its own", false)?;
    same(&call("long", 5, "you")?, "another caller has its own", false)?;
    same(&call("long", 5, "me")?, "the first is still there", true)?;
    if call("none", 5, "me")? == call("none", 5, "me")? {
        return Err("a result was kept that nobody asked for".into());
    }
    let short = call("short", 5, "me")?;
    if call("short", 5, "me")? != short {
        return Err("it was not kept".into());
    }
    std::thread::sleep(Duration::from_millis(500));
    if call("short", 5, "me")? == short {
        return Err("it was kept for longer than its time".into());
    }
    std::fs::write(folder.path().join("places.csv"), places(3))?;
    let after = call("long", 5, "me")?;
    // A head of two lines, and three rows.
    if after.trim_end().lines().count() != 5 {
        return Err(format!("the changed file was not seen: {after}").into());
    }
    same(&after, "a changed file is seen at once", false)?;
    Ok(())
}

/// What makes two calls equal is the values they are bound to: those of the caller among them, and however they were sent.
pub(crate) fn results_are_kept_for_equal_values() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("queries"))?;
    std::fs::write(folder.path().join("places.csv"), places(300))?;
    std::fs::write(folder.path().join("qtool.yaml"), "name: kept\ntables:\n  places: { path: places.csv }\n")?;
    let bound = [
        ("exp", "claim.exp"),
        ("nested", "claim.act.iat"),
        ("language", "header.accept-language"),
        ("view", "claim.jti"),
    ];
    for (name, from) in bound {
        let parameter = format!("params: {{ bound: {{ from: {from}, type: text }} }}");
        let sql = "SELECT id, city, << bound >> AS bound FROM places WHERE id < 9";
        let (kind, sql) = match name {
            "view" => {
                let view = format!("/*--- {{ description: A., kind: view, {parameter} }} ---*/\n{sql}\n");
                std::fs::write(folder.path().join("queries/below.sql"), view)?;
                ("", "SELECT id, city, bound FROM below".to_owned())
            }
            _ => (parameter.as_str(), sql.to_owned()),
        };
        let separator = if kind.is_empty() { "" } else { ", " };
        let text = format!("/*--- {{ description: A., cache_ttl: 10m{separator}{kind} }} ---*/\n{sql} ORDER BY city\n");
        std::fs::write(folder.path().join(format!("queries/{name}.sql")), text)?;
    }
    // Two runs never have the same by chance.
    let sent = "/*--- { description: A., cache_ttl: 10m, params: { day: { default: { sql: current_date } } } } ---*/\n\
        SELECT id, random() AS r, << day >> AS day FROM places WHERE id < << below: bigint = 9 >> [[ AND city = << city >> ]] \
        [[ AND size IN << sizes >> ]] ORDER BY id\n";
    std::fs::write(folder.path().join("queries/sent.sql"), sent)?;
    std::thread::sleep(Duration::from_millis(150));
    let engine = engine_of(folder.path(), 5)?;
    let call = |tool: &str, arguments: Value, caller: Caller| {
        let (engine, tool) = (Arc::clone(&engine), tool.to_owned());
        let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
        block_on(async move { engine.call_as(&tool, &arguments, &caller).await }).map_err(|error| error.line())
    };
    let caller = |value: &str| Caller {
        claims: json!({"sub": "me", "exp": value, "jti": value, "act": {"iat": value}})
            .as_object()
            .cloned()
            .unwrap_or_default(),
        headers: [("accept-language".to_owned(), value.to_owned())].into(),
        ..Caller::default()
    };
    for (tool, _) in bound {
        call(tool, json!({}), caller("first"))?;
        for who in ["one", "other", "one"] {
            let table = call(tool, json!({}), caller(who))?.table().to_owned();
            if !table.contains(&format!("|{who}|")) {
                return Err(format!("{tool} gave {who} the rows of somebody else: {table}").into());
            }
        }
        let page = call(tool, json!({"limit": 2}), caller("one"))?.next_cursor.ok_or("a page has no cursor")?;
        let next = json!({"limit": 2, "cursor": page});
        call(tool, next.clone(), caller("one"))?;
        if call(tool, next, caller("other")).is_ok() {
            return Err(format!("{tool}: a cursor of one caller was good for another").into());
        }
    }
    let now = |text: &str| Caller { now: text.parse().ok(), ..Caller::default() };
    let rows = |arguments: Value, at: &str| call("sent", arguments, now(at)).map(|result| result.table().to_owned());
    let morning = "2024-05-01T06:00:00Z";
    rows(json!({}), morning)?;
    let first = rows(json!({}), morning)?;
    for equal in [
        json!({"below": 9}),
        json!({"below": "9"}),
        json!({"below": 9.0, "city": null}),
        json!({"day": "2024-05-01"}),
        json!({"limit": 100}),
        json!({"table_format": "markdown"}),
    ] {
        if rows(equal.clone(), morning)? != first {
            return Err(format!("{equal} is the same call, and was run again").into());
        }
    }
    let others = [
        json!({"below": 8}),
        json!({"limit": 3}),
        json!({"table_format": "csv"}),
        json!({"day": "2024-05-02"}),
        json!({"city": "Oslo"}),
        json!({"sizes": [1, 2]}),
        json!({"sizes": []}),
    ];
    for other in others {
        if rows(other.clone(), morning)? == first {
            return Err(format!("{other} is another call").into());
        }
    }
    Ok(())
}

fn expect(answer: &str, rows: usize) -> crate::Outcome {
    if answer.contains(&format!("|{rows}|")) { Ok(()) } else { Err(format!("{rows} rows expected: {answer}").into()) }
}

fn places(rows: usize) -> String {
    let row = |at: usize| {
        let city = CITIES.get(at * 7 % 3).copied().unwrap_or_default();
        format!("{at},{city},{}\n", at * 31 % 97)
    };
    format!("id,city,size\n{}", (0..rows).map(row).collect::<String>())
}

fn project(dir: &Path, cache: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(dir.join("queries"))?;
    std::fs::write(dir.join("places.csv"), places(300))?;
    std::fs::write(dir.join("cities.csv"), "city,country\nOslo,NO\nLima,PE\nKyiv,UA\n")?;
    let tables = format!(
        "name: kept\ntables:\n  places: {{ path: places.csv, primary_key: [id]{cache} }}\n  cities: {{ path: cities.csv{cache} }}\n"
    );
    std::fs::write(dir.join("qtool.yaml"), tables)?;
    for (name, sql) in QUERIES {
        std::fs::write(
            dir.join(format!("queries/{name}.sql")),
            format!("/*--- {{ description: A query. }} ---*/\n{sql}\n"),
        )?;
    }
    Ok(())
}

fn engine(dir: &Path) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    engine_of(dir, QUERIES.len())
}

fn engine_of(dir: &Path, tools: usize) -> Result<Arc<Engine>, Box<dyn std::error::Error>> {
    let outcome = Outcome::of(dir);
    let (Some(project), Some(compilation)) = (outcome.project, outcome.compilation) else {
        return Err("the project does not compile".into());
    };
    if compilation.tools.len() != tools {
        return Err(format!("only {} tools compile", compilation.tools.len()).into());
    }
    let (dir, tools) = (dir.to_path_buf(), compilation.tools);
    let tables = block_on(async move { Tables::open(&dir, &project.file, &project.catalog).await });
    let tables = tables.map_err(|errors| format!("{errors:?}"))?;
    Ok(Arc::new(Engine::prepare(tables, tools)))
}

fn call(engine: &Arc<Engine>, tool: &str, arguments: &Value) -> Result<String, String> {
    let arguments: Arguments = arguments.as_object().cloned().unwrap_or_default();
    let (engine, tool) = (Arc::clone(engine), tool.to_owned());
    block_on(async move { engine.call(&tool, &arguments).await })
        .map(|result| format!("{}\n{:?}", result.table(), result.total))
        .map_err(|error| error.line())
}
