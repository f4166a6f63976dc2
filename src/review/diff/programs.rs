//! What a program, a request or a function runs, what it may reach, and what it may take.

use super::Found;
use crate::project::{ByteSize, Execution, HttpRequest, ProgramLimits, variables_of};
use crate::review::change::Kind;
use crate::tool::{Tool, UpstreamCall};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use url::Url;

/// Compares what two tools run that are not queries, or that are one no more.
pub(super) fn compare(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    reach(before, after, found);
    if let (Some(old), Some(new)) = (execution(before), execution(after)) {
        uses(&old.limits, &new.limits, found);
    }
    called(before, after, found);
    let (old, new) = (runs(before), runs(after));
    if old.first().map(|(what, _)| what) != new.first().map(|(what, _)| what) {
        let what = |of: &[(&str, String)]| {
            of.first().map_or_else(|| "no program".to_owned(), |(what, value)| format!("{what}: {value}"))
        };
        found.push_texts(Kind::ProgramChanged, None, Some(&what(&old)), Some(&what(&new)));
        return;
    }
    for ((what, was), (_, is)) in old.iter().zip(&new) {
        if was != is {
            found.push_texts(Kind::ProgramChanged, Some(what), Some(was), Some(is));
        }
    }
}

/// Compares the programs that queries select from, by their names.
fn called(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    let by_name = |tool: &Tool| -> BTreeMap<String, BTreeSet<String>> {
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for called in tool.programs() {
            let what = format!("{} {}", text(&called.arguments), text(&called.tool.body));
            all.entry(called.tool.contract.name.clone()).or_default().insert(what);
        }
        all
    };
    let (old, new) = (by_name(before), by_name(after));
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
        let shown = |all: &BTreeMap<String, BTreeSet<String>>| {
            all.get(name)
                .map_or_else(|| "nothing".to_owned(), |uses| uses.iter().cloned().collect::<Vec<_>>().join(", "))
        };
        found.push_texts(Kind::ProgramChanged, Some(name), Some(&shown(&old)), Some(&shown(&new)));
    }
}

/// What a new tool reaches.
pub(super) fn by_new_tool(tool: &Tool, found: &mut Found<'_>) {
    for (what, all) in reaches(tool) {
        if !all.is_empty() {
            found.push_texts(Kind::Reaches, Some(what), None, Some(&listed(&all)));
        }
    }
}

/// Where a program or a function runs.
fn execution(tool: &Tool) -> Option<&Execution> {
    let of_program = tool.program().map(|program| &program.execution);
    let of_function = || tool.python().map(|python| &python.execution);
    of_program.or_else(of_function).or_else(|| tool.simple_json().map(|program| &program.execution))
}

/// What runs, by the keys of a manifest, without what it reaches and takes: first the key that says its kind. Nothing of a query.
fn runs(tool: &Tool) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    let output = match (tool.program(), tool.request(), tool.python(), tool.simple_json()) {
        (Some(program), ..) => {
            all.extend([
                ("run", text(&program.run)),
                ("json_argument", text(&program.json_argument)),
                ("stdin", text(&program.stdin)),
                ("success", text(&program.success)),
                ("exit_codes", text(&program.exit_codes)),
            ]);
            &program.output
        }
        (_, Some(request), ..) => {
            let http = &request.http;
            all.extend([
                ("http", http.url.clone()),
                ("method", http.effective_method().as_str().to_owned()),
                ("query", text(&http.query)),
                ("headers", text(&http.headers)),
                ("body", text(&http.body)),
                ("form", text(&http.form)),
                ("redirects", text(&http.redirects)),
                ("max_answer", text(&http.max_answer)),
                ("statuses", text(&request.statuses)),
                ("empty", text(&request.empty)),
            ]);
            &request.output
        }
        (_, _, Some(python), _) => {
            all.extend([
                ("python", python.python.clone()),
                ("interpreter", text(&python.interpreter)),
                ("tells", text(&python.tells)),
            ]);
            &python.output
        }
        (.., Some(program)) => {
            all.extend([
                ("simple_json", text(&program.texts())),
                ("interpreter", text(&program.interpreter)),
                ("stdin", text(&program.stdin)),
                ("success", text(&program.success)),
                ("exit_codes", text(&program.exit_codes)),
            ]);
            &program.output
        }
        (None, None, None, None) => return all,
    };
    all.extend([("output", text(&output.form)), ("rows", text(&output.rows))]);
    if let Some(execution) = execution(tool) {
        all.extend([("cwd", text(&execution.cwd)), ("env", text(&execution.env))]);
    }
    all
}

/// A value as JSON has it; a text as it is.
fn text(value: &impl Serialize) -> String {
    match serde_json::to_value(value).unwrap_or_default() {
        Value::Null => String::new(),
        Value::String(text) => text,
        value => value.to_string(),
    }
}

/// What a tool reaches, itself or by what makes fields for it.
fn reaches(tool: &Tool) -> Vec<(&'static str, BTreeSet<String>)> {
    let mut all = reaches_itself(tool);
    for maker in tool.makers() {
        for ((_, own), (_, more)) in all.iter_mut().zip(reaches_itself(maker)) {
            own.extend(more);
        }
    }
    all
}

fn reaches_itself(tool: &Tool) -> Vec<(&'static str, BTreeSet<String>)> {
    let set = |all: &[String]| all.iter().cloned().collect::<BTreeSet<String>>();
    let only = |is: bool, what: &str| is.then(|| what.to_owned()).into_iter().collect::<BTreeSet<String>>();
    let (usual, execution) = (Execution::default(), execution(tool));
    let (execution, http) = (execution.unwrap_or(&usual), tool.request().map(|request| &request.http));
    let texts = http.iter().flat_map(|http| http.texts()).map(|(_, text)| text);
    let texts = texts.chain(execution.env.values().map(String::as_str));
    vec![
        ("reads", set(&execution.reads)),
        ("writes", set(&execution.writes)),
        ("network", only(execution.network, "the network")),
        ("hosts", http.map(hosts).unwrap_or_default()),
        ("private", only(http.is_some_and(|http| http.private), "addresses that are not public")),
        ("variables", texts.flat_map(variables_of).collect()),
        ("passthrough", set(&execution.passthrough)),
        ("env_file", execution.env_file.iter().cloned().collect()),
        ("server", tool.upstream().map(server).into_iter().collect()),
    ]
}

/// Where another server is: the program that is started, or the address.
fn server(call: &UpstreamCall) -> String {
    call.url.clone().unwrap_or_else(|| call.command.join(" "))
}

/// Where a request goes, or may be sent on to. An address without TLS is another place than one with it.
fn hosts(http: &HttpRequest) -> BTreeSet<String> {
    let origin = Url::parse(&http.url).map_or_else(|_| http.url.clone(), |url| url.origin().ascii_serialization());
    http.hosts.iter().cloned().chain([origin]).collect()
}

fn reach(before: &Tool, after: &Tool, found: &mut Found<'_>) {
    for ((what, was), (_, is)) in reaches(before).into_iter().zip(reaches(after)) {
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
fn uses(was: &ProgramLimits, is: &ProgramLimits, found: &mut Found<'_>) {
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
