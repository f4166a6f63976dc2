//! The diff of tools: `before` and `after` are projects, `expected.txt` holds a line for every change between them.

use crate::cases::{Outcome, copy_all};
use crate::expect;
use qtool::review::{Contract, RULES, compare};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Compares the two sides of a case.
pub(crate) fn run(expected: &Path) -> crate::Outcome {
    let case = expected.parent().ok_or("a case is a folder")?;
    let (before, after) = (side(&case.join("before"))?, side(&case.join("after"))?);
    let lines: String = compare(&before, &after).iter().map(|change| format!("{change}\n")).collect();
    expect::compare(case, &BTreeMap::from([("expected.txt".to_owned(), lines)]))?;
    Ok(())
}

/// The book's page has every rule of the table, in its words.
pub(crate) fn the_book_lists_every_rule() -> crate::Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src/review.md");
    let page = std::fs::read_to_string(&path)?;
    let (before, rest) = page.split_once("<!-- rules -->\n").ok_or("the page has a place for the rules")?;
    let (_, after) = rest.split_once("<!-- /rules -->").ok_or("the place has an end")?;
    let mut table = String::from("| change | class | for | why |\n|---|---|---|---|\n");
    for rule in RULES {
        let audience = serde_json::to_value(rule.audience)?;
        let audience = audience.as_str().unwrap_or_default().to_owned();
        table.push_str(&format!("| `{}` | {} | {audience} | {} |\n", rule.code, rule.class, rule.why));
    }
    let expected = format!("{before}<!-- rules -->\n{table}<!-- /rules -->{after}");
    if page == expected {
        return Ok(());
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, expected)?;
        return Ok(());
    }
    Err("the table of rules in book/src/review.md is not that of the code: run with UPDATE_EXPECT=1".into())
}

/// The tools of one side; without a `qtool.yaml` of its own it is over the tables of all cases.
fn side(dir: &Path) -> Result<Contract, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    if !dir.join("qtool.yaml").is_file() {
        let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
        std::fs::copy(shared.join("qtool.yaml"), folder.path().join("qtool.yaml"))?;
        copy_all(&shared.join("snapshots"), &folder.path().join("snapshots"))?;
    }
    copy_all(dir, folder.path())?;
    let outcome = Outcome::with(folder.path(), true);
    let compilation = outcome.compilation.ok_or("the project does not load")?;
    if compilation.errors > 0 {
        let said: Vec<_> = compilation.diagnostics.iter().map(|one| one.message.clone()).collect();
        return Err(format!("{}: {said:?}", dir.display()).into());
    }
    Ok(Contract { tools: compilation.tools, offered: compilation.offered })
}

/// Runs qtool in a folder; the exit code, and all that it said.
fn qtool(dir: &Path, arguments: &[&str]) -> std::io::Result<(Option<i32>, String)> {
    let output = Command::new(env!("CARGO_BIN_EXE_qtool")).args(arguments).current_dir(dir).output()?;
    let said = [output.stdout, output.stderr].concat();
    Ok((output.status.code(), String::from_utf8_lossy(&said).into_owned()))
}

/// Runs qtool, and looks for an exit code and for words.
fn expect_of(dir: &Path, arguments: &[&str], code: i32, words: &[&str]) -> crate::Outcome {
    let (found, said) = qtool(dir, arguments)?;
    match words.iter().find(|words| !said.contains(*words)) {
        None if found == Some(code) => Ok(()),
        missing => Err(format!("qtool {arguments:?} ended with {found:?}, without {missing:?}:\n{said}").into()),
    }
}

/// A snapshot that was changed by hand, or is none, is not believed; nor is its tool taken for a new one.
fn tools_whose_snapshots_cannot_be_read_are_no_new_ones(dir: &Path) -> crate::Outcome {
    let snapshot = dir.join("snapshots/tools/late_flights.snap");
    let text = std::fs::read_to_string(&snapshot)?;
    std::fs::write(&snapshot, text.replacen("result_limit: ", "result_limit: 1", 1))?;
    let why = "its content was changed after it was written";
    expect_of(dir, &["check", "--locked"], 1, &[why])?;
    for arguments in [&["diff"][..], &["diff", "--format", "json", "--fail-on", "never"]] {
        expect_of(dir, arguments, 2, &["snapshots/tools/late_flights.snap cannot be read", why])?;
    }
    expect_of(dir, &["review", "--list"], 1, &[why, "1 tool to review"])?;
    expect_of(dir, &["review", "--html", "unread.html"], 2, &[why])?;
    if dir.join("unread.html").exists() {
        return Err("a page shows a tool as a new one whose snapshot cannot be read".into());
    }
    let other = std::fs::read_to_string(dir.join("snapshots/tools/busiest_hours.snap"))?;
    for (text, why) in
        [("", "there is no `contract` in it"), (other.as_str(), "the snapshot of the tool `busiest_hours`")]
    {
        std::fs::write(&snapshot, text)?;
        expect_of(dir, &["diff"], 2, &["snapshots/tools/late_flights.snap cannot be read", why])?;
        expect_of(dir, &["check", "--locked"], 1, &[why])?;
    }
    std::fs::remove_file(&snapshot)?;
    std::fs::create_dir(&snapshot)?;
    expect_of(dir, &["diff"], 2, &["snapshots/tools/late_flights.snap cannot be read", "it is a folder"])?;
    expect_of(dir, &["check", "--locked"], 1, &["it is a folder"])?;
    std::fs::remove_dir(&snapshot)?;
    std::fs::write(&snapshot, "no snapshot")?;
    Ok(())
}

/// A folder without what is expected of it would be run by nobody.
pub(crate) fn every_case_says_what_is_expected() -> crate::Outcome {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/review"))? {
        let folder = entry?.path();
        if folder.is_dir() && !folder.join("expected.txt").is_file() {
            return Err(format!("{} has no `expected.txt`", folder.display()).into());
        }
    }
    Ok(())
}

/// A change is seen, shown, refused, forgotten, accepted, and then holds; data that changes breaks the tools that use it.
pub(crate) fn changes_are_reviewed() -> crate::Outcome {
    let folder = tempfile::tempdir()?;
    let (root, dir) = (Path::new(env!("CARGO_MANIFEST_DIR")), folder.path());
    for part in ["queries", "tools", "scripts", "snapshots", "data"] {
        copy_all(&root.join(part), &dir.join(part))?;
    }
    std::fs::copy(root.join("qtool.yaml"), dir.join("qtool.yaml"))?;
    expect_of(dir, &["check", "--locked"], 0, &["no problems"])?;
    expect_of(dir, &["diff"], 0, &["no change"])?;
    expect_of(dir, &["review", "--list"], 0, &["nothing to review"])?;

    // Another layout is no change.
    let path = dir.join("queries/busiest_hours.sql");
    let query = std::fs::read_to_string(&path)?;
    std::fs::write(&path, format!("{query}\n-- A comment.\n"))?;
    expect_of(dir, &["check", "--locked"], 0, &["no problems"])?;

    std::fs::write(&path, query.replace("AS departures_per_day", "AS per_day"))?;
    std::fs::remove_file(dir.join("queries/worst_days.sql"))?;
    let words = ["column-renamed", "tool-removed", "2 tools not as accepted"];
    expect_of(dir, &["check", "--locked"], 1, &words)?;
    expect_of(dir, &["diff"], 1, &["2 breaking changes: a major version"])?;
    expect_of(
        dir,
        &["diff", "--fail-on", "never", "--format", "markdown"],
        0,
        &["#### Breaking (2)", "`busiest_hours`"],
    )?;
    expect_of(
        dir,
        &["diff", "--format", "sarif"],
        1,
        &["\"ruleId\": \"column-renamed\"", "queries/busiest_hours.sql"],
    )?;
    expect_of(dir, &["review", "--list"], 1, &["2 tools to review"])?;
    if !dir.join("snapshots/tools/busiest_hours.snap.new").is_file() {
        return Err("what is pending does not lie beside what was accepted".into());
    }
    expect_of(dir, &["review", "--html", "page.html"], 0, &["wrote page.html"])?;
    let page = std::fs::read_to_string(dir.join("page.html"))?;
    if !page.contains("departures_per_day") || !page.contains("worst_days") || page.contains("<script") {
        return Err("the page does not show the changes, or runs a script".into());
    }
    expect_of(dir, &["review", "--reject"], 1, &["rejected 2 tools"])?;
    expect_of(dir, &["check", "--locked"], 1, &words)?;
    expect_of(dir, &["review", "--accept", "busiest_hours"], 0, &["accepted 1 tool"])?;
    expect_of(dir, &["check", "--locked"], 1, &["1 tool not as accepted"])?;
    expect_of(dir, &["review", "--accept"], 0, &["accepted 1 tool"])?;
    expect_of(dir, &["check", "--locked"], 0, &["no problems"])?;
    if dir.join("snapshots/tools/worst_days.snap").exists() {
        return Err("a tool that is gone is still accepted".into());
    }

    tools_whose_snapshots_cannot_be_read_are_no_new_ones(dir)?;
    expect_of(dir, &["review", "--accept"], 0, &["accepted 1 tool"])?;

    // A description that hides something is flagged.
    std::fs::write(&path, query.replacen("description: ", "description: \"\\u202E\" #", 1))?;
    expect_of(dir, &["diff"], 1, &["U+202E", "text-hides-characters"])?;
    std::fs::write(&path, &query)?;

    expect_of(dir, &["drift"], 0, &["the schemas and the other servers are as locked"])?;
    let planes = dir.join("data/planes.ndjson");
    let text = std::fs::read_to_string(&planes)?;
    std::fs::write(&planes, text.replace("\"manufacturer\"", "\"maker\""))?;
    let (code, said) = qtool(dir, &["drift", "--json"])?;
    let found: serde_json::Value = serde_json::from_str(&said)?;
    let gone = found["changes"].as_array().into_iter().flatten().find(|change| change["column"] == "manufacturer");
    let breaks = gone.map(|change| change["breaks"].clone()).unwrap_or_default();
    let mut users: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(dir.join("queries"))? {
        let path = entry?.path();
        let is_query = path.extension().is_some_and(|ending| ending == "sql");
        if is_query && std::fs::read_to_string(&path)?.contains("manufacturer") {
            users.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    // Those that are made of the table have all of its columns.
    let kinds = ["analyze", "profile", "read", "schema", "search_content", "search_summary"];
    users.extend(kinds.map(|kind| format!("fleet_{kind}")));
    users.sort();
    if code != Some(1) || breaks != serde_json::json!(users) {
        return Err(format!("the tools that use the column are {users:?}: {said}").into());
    }
    expect_of(dir, &["drift"], 1, &["column `manufacturer` of table `planes` is gone", "unknown-column"])
}
