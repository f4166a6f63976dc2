//! Tools of Fractalic: its manifests, and the scripts that have none. Scripts are read and never run; a tool that
//! cannot be carried over whole is listed with why, and nothing is written for it.

mod flags;
mod flaw;
mod script;

use super::carried::{Foreign, Imported};
use super::draft::Draft;
use super::found::Wanted;
use super::read_yaml::document;
use super::variable::is_name;
use crate::name::foreign::Naming;
use crate::name::{is_legal, snake_case};
use crate::project::schema_params::{Property, properties, takes_any};
use flaw::Flaw;
use script::Takes;
use serde_json::{Map, Value, json};

/// The files of a folder that Fractalic reads, and those that are taken for such.
pub(crate) const FILES: Wanted = Wanted { endings: &["yaml", "yml", "py", "sh"], deep: true };

/// The folder that scripts lie in, beside their manifests.
const FOLDER: &str = "tools";

/// What has a form here, or is Fractalic's own.
const KNOWN: [&str; 12] = [
    "name",
    "description",
    "title",
    "command",
    "type",
    "entry",
    "parameters",
    "annotations",
    "mcp_server",
    "_auto",
    "_simple",
    "_src",
];

/// Makes manifests of tools. Where two have one name the first stays, as there.
pub(crate) fn imported(files: &[Foreign]) -> Imported {
    let mut imported = Imported::default();
    for file in files.iter().filter(|file| is_yaml(&file.path)) {
        match manifest(file, files) {
            Ok(made) => add(made, &file.path, &mut imported),
            Err(why) => imported.leave_out(format!("`{}`", file.path), why.to_string()),
        }
    }
    for file in files.iter().filter(|file| !is_yaml(&file.path)) {
        let manifest = format!("{}.yaml", stem(&file.path));
        if files.iter().any(|other| other.path == manifest) {
            continue;
        }
        match from_script(file) {
            Ok(made) => add(made, &file.path, &mut imported),
            Err(why) => imported.leave_out(format!("`{}`", file.path), why.to_string()),
        }
    }
    imported.settle();
    if !imported.manifests.is_empty() {
        imported.notes.push("copy the scripts to where the manifests name them, below the project".to_owned());
        imported.notes.push(
            "programs reach no network, see no variables, write nowhere and read little else than the project: say \
             `network`, `env` or `passthrough`, `writes` and `reads` where they need more"
                .to_owned(),
        );
    }
    imported
}

/// A tool as it is written.
struct Made {
    name: String,
    draft: Draft,
    notes: Vec<String>,
}

fn add(made: Made, path: &str, imported: &mut Imported) {
    if imported.has(&made.name) {
        return imported.leave_out(format!("`{path}`"), format!("there is a tool `{}` already", made.name));
    }
    made.notes.into_iter().for_each(|note| imported.note_of(&made.name, note));
    imported.manifests.push((made.name, made.draft.text()));
}

fn is_yaml(path: &str) -> bool {
    path.ends_with(".yaml") || path.ends_with(".yml")
}

fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

fn legal_name(theirs: &str) -> Result<String, Flaw> {
    let name = snake_case(theirs);
    if is_legal(&name) { Ok(name) } else { Err(Flaw::other(format!("`{theirs}` cannot be the name of a tool"))) }
}

/// The tool of a manifest.
fn manifest(file: &Foreign, files: &[Foreign]) -> Result<Made, Flaw> {
    if file.path.ends_with(".yml") {
        return Err(Flaw::other("Fractalic reads `.yaml` alone"));
    }
    let Value::Object(said) = document(&file.text).map_err(|why| Flaw::other(why.to_string()))? else {
        return Err(Flaw::other("it is no manifest"));
    };
    let text = |key: &str| said.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let theirs = text("name").ok_or_else(|| Flaw::other("it has no `name`"))?;
    let mut made = Made { name: legal_name(theirs)?, draft: Draft::default(), notes: Vec::new() };
    made.draft.say("title", text("title").unwrap_or_default());
    made.draft.say("description", text("description").unwrap_or_default());
    say_annotations(said.get("annotations"), &mut made);
    let none = Value::Null;
    let parameters = said.get("parameters").unwrap_or(&none);
    match (text("command").unwrap_or("python"), text("entry")) {
        ("mcp", _) => return Err(Flaw::other("it is a tool of another MCP server: agents connect to that one too")),
        (_, None) => return Err(Flaw::other("it has no `entry`")),
        ("simple-json", Some(entry)) => say_json(entry, parameters, &mut made)?,
        ("python", Some(entry)) if entry.contains(':') => say_function(entry, parameters, &mut made)?,
        ("python-cli", Some(entry)) => say_script(entry, (parameters, files), &mut made)?,
        ("bash-cli", Some(_)) => return Err(Flaw::other("Fractalic finds no `bash-cli`: write what it runs as `run`")),
        (_, Some(entry)) if text("type") == Some("cli") => say_options(vec![json!(entry)], parameters, &mut made)?,
        (_, Some(entry)) => say_program(entry, parameters, &mut made)?,
    }
    for key in said.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        made.notes.push(format!("`{key}` has no form here"));
    }
    Ok(made)
}

/// The tool that a script without a manifest is.
fn from_script(file: &Foreign) -> Result<Made, Flaw> {
    if file.path.ends_with(".sh") {
        return Err(Flaw::other("Fractalic makes no tools of shell scripts: write what it runs as `run`"));
    }
    match script::takes(&file.text) {
        Takes::Json => {}
        Takes::Options => {
            return Err(Flaw::other(
                "it takes options, and says them only when it runs: write `run` with its `params`",
            ));
        }
        Takes::Unknown => {
            return Err(Flaw::other("it does not answer to Fractalic's `__test__`, and is no tool there"));
        }
    }
    let name = stem(&file.path).rsplit('/').next().unwrap_or_default();
    let mut made = Made { name: legal_name(name)?, draft: Draft::default(), notes: Vec::new() };
    // It says all else itself, as there.
    say_asked(&format!("{FOLDER}/{}", file.path), &mut made);
    Ok(made)
}

/// The kinds of tools, as tags, and what they say of their effects.
fn say_annotations(annotations: Option<&Value>, made: &mut Made) {
    let Some(said) = annotations.and_then(Value::as_object) else { return };
    let tags: Vec<Value> = match said.get("category").or_else(|| said.get("categories")) {
        Some(Value::Array(all)) => all.iter().filter(|one| one.is_string()).cloned().collect(),
        Some(Value::String(one)) => vec![one.as_str().into()],
        _ => Vec::new(),
    };
    made.draft.say("tags", tags);
    let hints = [
        ("readOnlyHint", "read_only"),
        ("destructiveHint", "destructive"),
        ("idempotentHint", "idempotent"),
        ("openWorldHint", "open_world"),
    ];
    let hint = |(theirs, ours): &(&str, &str)| {
        Some(((*ours).to_owned(), said.get(*theirs).filter(|is| is.is_boolean())?.clone()))
    };
    made.draft.say("annotations", Value::Object(hints.iter().filter_map(hint).collect()));
    let is_known = |key: &str| key.starts_with("categor") || hints.iter().any(|(theirs, _)| *theirs == key);
    let others = said.keys().filter(|key| !is_known(key));
    made.notes.extend(others.map(|key| format!("annotation `{key}` has no form here")));
}

fn say_params(properties: Vec<Property>, notes: Vec<String>, made: &mut Made) {
    made.notes.extend(notes);
    let params: Map<String, Value> =
        properties.into_iter().map(|one| (one.name, Value::Object(one.settings))).collect();
    made.draft.say("params", Value::Object(params));
}

/// A program that is asked what it takes while locks are written.
fn say_asked(entry: &str, made: &mut Made) {
    match entry.ends_with(".py") {
        true => made.draft.say("simple_json", entry),
        false => made.draft.say("simple_json", json!(["python3", entry])),
    }
    made.notes.push("`qtool lock` runs it to ask what it takes".to_owned());
}

/// A program that takes JSON: what its manifest says of its parameters holds, without asking it.
fn say_json(entry: &str, parameters: &Value, made: &mut Made) -> Result<(), Flaw> {
    if parameters.is_null() || takes_any(parameters) {
        say_asked(entry, made);
        return Ok(());
    }
    let (found, notes) = properties(parameters, Naming::Kept)?;
    made.draft.say("run", json!(["python3", entry]));
    made.draft.say("json_argument", true);
    made.draft.say("output", "any");
    say_params(found, notes, made);
    Ok(())
}

fn say_function(entry: &str, parameters: &Value, made: &mut Made) -> Result<(), Flaw> {
    if !entry.split([':', '.']).all(is_name) || entry.matches(':').count() != 1 {
        return Err(Flaw::other(format!("`{entry}` is no function in a module")));
    }
    let (found, notes) = properties(parameters, Naming::Kept)?;
    made.draft.say("python", entry);
    say_params(found, notes, made);
    Ok(())
}

/// A script that takes JSON or options, as its text tells.
fn say_script(entry: &str, (parameters, files): (&Value, &[Foreign]), made: &mut Made) -> Result<(), Flaw> {
    let is_it = |file: &&Foreign| file.path == entry || entry.ends_with(&format!("/{}", file.path));
    let text = files.iter().find(is_it).map(|file| file.text.as_str());
    let text = text.ok_or_else(|| Flaw::other(format!("`{entry}` is not there to tell how it takes arguments")))?;
    match script::takes(text) {
        Takes::Json => say_json(entry, parameters, made),
        Takes::Options if parameters.is_null() => {
            Err(Flaw::other("it says no `parameters`, and its script only when it runs"))
        }
        Takes::Options => {
            let names = parameters.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
            if let Some(missing) = names.map(|name| flags::option(name)).find(|option| !text.contains(option.as_str()))
            {
                return Err(Flaw::other(format!("its script has no option `{missing}`")));
            }
            say_options(vec![json!("python3"), json!(entry)], parameters, made)
        }
        Takes::Unknown => Err(Flaw::other("its script takes neither JSON nor options")),
    }
}

fn say_options(program: Vec<Value>, parameters: &Value, made: &mut Made) -> Result<(), Flaw> {
    let (mut found, notes) = properties(parameters, Naming::Free)?;
    let arguments = flags::arguments(&mut found)?;
    made.draft.say("run", program.into_iter().chain(arguments).collect::<Vec<_>>());
    say_params(found, notes, made);
    Ok(())
}

/// A program whose arguments are the values in the order that a model sends them: with one, there is one order.
fn say_program(entry: &str, parameters: &Value, made: &mut Made) -> Result<(), Flaw> {
    let (found, notes) = properties(parameters, Naming::Free)?;
    let mut run = vec![json!(entry)];
    match found.as_slice() {
        [] => {}
        [one] if ["text", "bigint", "double"].contains(&one.ty) => {
            let value = super::quoting::placeholder(&one.name);
            run.push(if one.has_value() { json!(value) } else { json!([value]) });
        }
        _ => return Err(Flaw::other("its arguments come in the order that a model sends them: write them as `run`")),
    }
    made.draft.say("run", run);
    say_params(found, notes, made);
    Ok(())
}

#[cfg(test)]
mod tests;
