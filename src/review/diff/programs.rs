//! What a program runs, what it may reach, and what it may take.

use super::Found;
use crate::project::{ByteSize, ProgramConfig, ProgramLimits, RequestConfig};
use crate::review::change::Kind;
use crate::tool::Tool;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// Compares two programs, or a program with what is none.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    other_runs(before, after, found);
    let (old, new) = (reached(before), reached(after));
    if old == new {
        return;
    }
    let (old, new) = (old.as_ref(), new.as_ref());
    let (Some(old), Some(new)) = (old, new) else {
        let what = |of: Option<&ProgramConfig>| of.map_or_else(|| "no program".to_owned(), run_of);
        found.push_texts(Kind::ProgramChanged, None, Some(&what(old)), Some(&what(new)));
        new.into_iter().for_each(|new| by_new_program(new, found));
        return;
    };
    reach(old, new, found);
    uses(old, new, found);
    for (what, was, is) in runs(old).into_iter().zip(runs(new)).map(|((what, was), (_, is))| (what, was, is)) {
        if was != is {
            found.push_texts(Kind::ProgramChanged, Some(what), Some(&was), Some(&is));
        }
    }
}

/// What a new tool reaches.
pub(super) fn by_new_tool(tool: &Tool, found: &mut Found<'_>) {
    reached(tool).iter().for_each(|program| by_new_program(program, found));
}

/// A program, or a function as one.
fn reached(tool: &Tool) -> Option<ProgramConfig> {
    tool.program().cloned().or_else(|| {
        let python = tool.python()?;
        Some(python.as_program(python.interpreter.as_deref().unwrap_or("python3")))
    })
}

/// What is asked of a web service, and what of a function is not what it reaches.
fn other_runs(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let (old, new) = (before.request(), after.request());
    if old != new {
        let private = |request: Option<&RequestConfig>| request.is_some_and(|one| one.http.private);
        if private(new) && !private(old) {
            found.push_texts(Kind::ReachesMore, Some("private"), None, Some("addresses that are not public"));
        }
        found.push_texts(Kind::ProgramChanged, Some("http"), Some(&text(&old)), Some(&text(&new)));
    }
    let of_function = |tool: &Tool| {
        let python = tool.python()?;
        let own = (&python.python, &python.interpreter, &python.output, &python.rows, &python.tells);
        Some(text(&own))
    };
    let (old, new) = (of_function(before), of_function(after));
    if old != new {
        found.push_texts(Kind::ProgramChanged, Some("python"), old.as_deref(), new.as_deref());
    }
}

/// What a new tool reaches, of one that is a program.
fn by_new_program(program: &ProgramConfig, found: &mut Found<'_>) {
    for (what, all) in reaches(program) {
        if !all.is_empty() {
            found.push_texts(Kind::ReachesMore, Some(what), None, Some(&listed(&all)));
        }
    }
}

/// What runs, without what it reaches and takes.
fn runs(program: &ProgramConfig) -> Vec<(&'static str, String)> {
    vec![
        ("run", run_of(program)),
        ("json_argument", text(&program.json_argument)),
        ("stdin", text(&program.stdin)),
        ("output", text(&program.output.unwrap_or_default())),
        ("rows", program.rows.clone().unwrap_or_default()),
        ("success", text(&program.success)),
        ("exit_codes", text(&program.exit_codes)),
        ("cwd", program.cwd.clone().unwrap_or_default()),
        ("env", text(&program.env)),
    ]
}

/// A value as JSON has it; a text as it is.
fn text(value: &impl Serialize) -> String {
    match serde_json::to_value(value).unwrap_or_default() {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

fn run_of(program: &ProgramConfig) -> String {
    serde_json::to_string(&program.run).unwrap_or_default()
}

/// What a program reaches, by the keys of a manifest.
fn reaches(program: &ProgramConfig) -> Vec<(&'static str, BTreeSet<String>)> {
    let set = |all: &[String]| all.iter().cloned().collect::<BTreeSet<String>>();
    vec![
        ("reads", set(&program.reads)),
        ("writes", set(&program.writes)),
        ("network", program.network.then(|| "the network".to_owned()).into_iter().collect()),
        ("passthrough", set(&program.passthrough)),
        ("env_file", program.env_file.iter().cloned().collect()),
    ]
}

fn reach(old: &ProgramConfig, new: &ProgramConfig, found: &mut Found<'_>) {
    for ((what, was), (_, is)) in reaches(old).into_iter().zip(reaches(new)) {
        if was == is {
            continue;
        }
        let kind = if is.is_subset(&was) { Kind::ReachesLess } else { Kind::ReachesMore };
        found.push_texts(kind, Some(what), Some(&listed(&was)), Some(&listed(&is)));
    }
}

fn listed(all: &BTreeSet<String>) -> String {
    if all.is_empty() { "nothing".to_owned() } else { all.iter().cloned().collect::<Vec<_>>().join(", ") }
}

/// What calls may take. A limit that is not said is that of the server: to say one may be more or less, and is told.
fn uses(old: &ProgramConfig, new: &ProgramConfig, found: &mut Found<'_>) {
    let (was, is) = (&old.limits, &new.limits);
    let cpu = |limits: &ProgramLimits| limits.cpu.map(|time| time.0.as_millis());
    let size = |size: Option<ByteSize>| size.map(|size| u128::from(size.0));
    let number = |number: Option<u64>| number.map(u128::from);
    let all = [
        ("cpu", cpu(was), cpu(is)),
        ("memory", size(was.memory), size(is.memory)),
        ("files", number(was.files), number(is.files)),
        ("processes", number(was.processes), number(is.processes)),
        ("file_size", size(was.file_size), size(is.file_size)),
        ("output", size(was.output), size(is.output)),
    ];
    let limits = |limits: &ProgramLimits| serde_json::to_value(limits).unwrap_or_default();
    let (shown_before, shown_after) = (limits(was), limits(is));
    for (what, was, is) in all {
        if was == is {
            continue;
        }
        let is_less = matches!((was, is), (Some(was), Some(is)) if is < was);
        let shown = |all: &Value| all.get(what).map_or_else(|| "the usual".to_owned(), super::plain_value);
        let kind = if is_less { Kind::UsesLess } else { Kind::UsesMore };
        found.push_texts(kind, Some(what), Some(&shown(&shown_before)), Some(&shown(&shown_after)));
    }
}
