//! `qtool promote`: an exploring SELECT becomes a query file, with a test over a few rows.

mod audited;
mod sample;

use super::saved::{self, Saved};
use super::{Global, Outcome, terminal, workspace};
use crate::load::{QUERIES, io_reason, write_atomically};
use crate::name::{is_legal, snake_case};
use crate::syntax::literals::FreeLiteral;
use crate::tool::{Parameter, Tool};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Make a reviewed tool of a SELECT that was explored: a query file with placeholders for its literals, and a test
#[derive(clap::Args)]
pub(super) struct Promote {
    /// One SELECT
    #[arg(required_unless_present = "audit")]
    sql: Option<String>,
    /// The SELECT of a call in the record of calls, by its `id` there
    #[arg(long, value_name = "ID", conflicts_with = "sql")]
    audit: Option<u64>,
    /// What the query is called [default: its table, and what it is asked by]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Promote {
    pub(super) fn run(self, global: &Global) -> Outcome {
        self.try_run(global).unwrap_or_else(|outcome| outcome)
    }

    fn try_run(self, global: &Global) -> Result<Outcome, Outcome> {
        let dir = workspace::find(global)?;
        let sql = match (self.sql, self.audit) {
            (Some(sql), _) => sql,
            (None, Some(id)) => audited::sql_of_call(&dir, id)?,
            // One of them is required.
            (None, None) => return Err(Outcome::CouldNotRun),
        };
        let sql = sql.trim().trim_end_matches(';').trim_end();
        let name = match self.name {
            Some(name) => name,
            None => free_name(&dir, &saved::preview(global, sql)?),
        };
        let saved = saved::save(global, &name, sql, Some(&description))?;
        saved.print();
        let test = format!("{QUERIES}/{}.test.yaml", saved.stem);
        match test_of(global, &saved, sql)? {
            Written::Test(text) => {
                write_atomically(&dir.join(Path::new(&test)), text.as_bytes()).map_err(|error| {
                    terminal::error(&format!("cannot write `{test}`: {}", io_reason(&error)), &[]);
                    Outcome::CouldNotRun
                })?;
                terminal::err(&format!("{test}: a test over some of the rows; `qtool test {}` runs it\n", saved.stem));
            }
            Written::Nothing(why) => terminal::warning(&format!("no test was written: {why}"), &[]),
        }
        terminal::err("next: say in the header what it is for, and accept it with `qtool review`\n");
        Ok(Outcome::Fine)
    }
}

/// What the tool is for, as far as the SELECT tells.
fn description(tool: &Tool) -> String {
    let tables = tool.contract.tables.join(", ");
    let by: Vec<String> = tool.contract.published().map(|parameter| parameter.name.replace('_', " ")).collect();
    match by.as_slice() {
        [] => format!("From {tables}."),
        [others @ .., last] if !others.is_empty() => format!("From {tables}, by {} and {last}.", others.join(", ")),
        by => format!("From {tables}, by {}.", by.join(", ")),
    }
}

/// A name that no file has: the table, and what the tool is asked by.
fn free_name(dir: &Path, (tool, literals): &(Tool, Vec<FreeLiteral>)) -> String {
    let table = tool.contract.tables.first().map_or("query", String::as_str);
    let by: Vec<&str> = literals.iter().take(2).map(|literal| literal.name.as_str()).collect();
    let name = if by.is_empty() { table.to_owned() } else { format!("{table}_by_{}", by.join("_and_")) };
    let name = snake_case(&name);
    let name = if is_legal(&name) { name } else { "promoted".to_owned() };
    // A table has its name for itself.
    let name = if tool.contract.tables.contains(&name) { format!("{name}_listed") } else { name };
    let is_free = |name: &String| !dir.join(QUERIES).join(format!("{name}.sql")).exists();
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(numbered).find(is_free).unwrap_or(name)
}

/// What became of the test.
enum Written {
    Test(String),
    /// There is none; why, in a few words.
    Nothing(String),
}

/// The test: the call that gives what was explored, over a few of the rows that it read.
fn test_of(global: &Global, saved: &Saved, sql: &str) -> Result<Written, Outcome> {
    let nothing = |why: &str| Ok(Written::Nothing(why.to_owned()));
    // Its rows are somebody's, and a file of tests is everybody's who has the project.
    if let Some(policy) = saved.tool.contract.policies.first() {
        return nothing(&format!("`{}` has a policy, and its rows are its callers' own", policy.table));
    }
    if let Some(table) = saved::personal_table(&saved.tool, &saved.workspace.project) {
        return nothing(&format!(
            "`{table}` has personal data, and a file of tests is everybody's who has the project"
        ));
    }
    let arguments: Map<String, Value> =
        saved.freed.iter().map(|literal| (literal.name.clone(), literal.value.clone())).collect();
    let is_open = |parameter: &&Parameter| parameter.required && !arguments.contains_key(&parameter.name);
    if let Some(parameter) = saved.tool.contract.published().find(is_open) {
        return nothing(&format!("`{}` has no value here", parameter.name));
    }
    let fixtures = sample::rows_by_table(global, saved, sql)?;
    if fixtures.iter().all(|(_, rows)| rows.is_empty()) {
        return nothing("the tables have no rows here");
    }
    let Some(answer) = sample::answer(saved, &fixtures, &arguments)? else {
        return nothing("the SELECT has no result over a few rows by themselves");
    };
    let mut text = "fixtures:\n".to_owned();
    for (table, rows) in &fixtures {
        text.push_str(&format!("  {}:\n", Value::from(table.as_str())));
        rows.iter().for_each(|row| text.push_str(&format!("    - {}\n", Value::Object(row.clone()))));
    }
    text.push_str("tests:\n  - name: as it was explored\n");
    if !arguments.is_empty() {
        text.push_str(&format!("    arguments: {}\n", Value::Object(arguments)));
    }
    if let Some(now) = &answer.now {
        text.push_str(&format!("    now: {}\n", json!(now)));
    }
    let key = if answer.is_ordered { "rows" } else { "contains" };
    text.push_str(&format!("    expect:\n      count: {}\n", answer.rows.len()));
    if !answer.rows.is_empty() {
        text.push_str(&format!("      {key}:\n"));
        answer.rows.iter().for_each(|row| text.push_str(&format!("        - {row}\n")));
    }
    Ok(Written::Test(text))
}
