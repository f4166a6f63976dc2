//! Catalogs of MCC (model-context-catalog): `exec` becomes `run`, `fn` becomes `python`, `curl` becomes `http`. A
//! tool that cannot be carried over whole is listed with why, and nothing is written for it.

mod address;
mod body;
mod command;
mod curl;
mod flaw;
mod kind;
mod parameter;
mod signature;
mod surroundings;
mod uses;

use super::carried::{Foreign, Imported};
use super::draft::Draft;
use super::found::Wanted;
use super::read_yaml::{as_bool, document};
use super::variable::{has_variable, is_name};
use crate::name::foreign::Naming;
use crate::name::{is_legal, snake_case};
use flaw::Flaw;
use serde_json::{Map, Value};
use signature::Signature;

/// The files of a folder that MCC reads.
pub(crate) const FILES: Wanted = Wanted { endings: &["yaml", "yml"], deep: false };

/// What has a form here, or says nothing of how a tool is called.
const KNOWN: [&str; 19] = [
    "groups",
    "name",
    "fn",
    "exec",
    "curl",
    "python",
    "stdin",
    "limits",
    "timeout",
    "cwd",
    "env",
    "env_file",
    "env_passthrough",
    "transform",
    "cache_ttl",
    "description",
    "example",
    "params",
    "return_type",
];

/// Programs that are of no use without the network.
const OF_THE_NETWORK: [&str; 20] = [
    "curl",
    "wget",
    "nmap",
    "ping",
    "dig",
    "nslookup",
    "host",
    "whois",
    "traceroute",
    "ssh",
    "scp",
    "rsync",
    "nc",
    "ftp",
    "psql",
    "mysql",
    "redis-cli",
    "kubectl",
    "aws",
    "gcloud",
];

/// Makes manifests of catalogs.
pub(crate) fn imported(files: &[Foreign]) -> Imported {
    let mut reader = Reader { imported: Imported::default(), keys: Vec::new() };
    files.iter().for_each(|file| reader.file(file));
    let mut imported = reader.imported;
    imported.settle();
    let says = |key: &str| imported.manifests.iter().any(|(_, text)| text.lines().any(|line| line.starts_with(key)));
    let (has_programs, has_scopes) = (says("run:") || says("python:"), says("scopes:"));
    if has_programs {
        imported.notes.push(
            "programs and functions reach no network, write nowhere and read little else than the project: say \
             `network`, `writes` and `reads` where they need more"
                .to_owned(),
        );
    }
    if has_scopes {
        imported.notes.push("groups are scopes here: say under `auth` in qtool.yaml whose tokens are taken".to_owned());
    }
    imported
}

struct Reader {
    imported: Imported,
    /// The names of the tools with their groups, as MCC tells them apart.
    keys: Vec<String>,
}

impl Reader {
    fn file(&mut self, file: &Foreign) {
        let said = match document(&file.text) {
            Ok(Value::Object(said)) => said,
            Ok(_) => Map::new(),
            Err(why) => return self.imported.leave_out(format!("`{}`", file.path), why.to_string()),
        };
        let Some(tools) = said.get("tools").and_then(Value::as_array) else {
            return self.imported.leave_out(format!("`{}`", file.path), "it has no `tools`");
        };
        for (at, tool) in tools.iter().enumerate() {
            let none = Map::new();
            let tool = tool.as_object().unwrap_or(&none);
            let theirs = name_of(tool);
            let shown = match theirs.as_str() {
                "" => format!("tool {} of `{}`", at + 1, file.path),
                name => format!("tool `{name}` of `{}`", file.path),
            };
            let named = self.free_name(&theirs, surroundings::groups(said.get("groups"), tool.get("groups")));
            match named.and_then(|name| Ok((name, read_tool(&said, tool)?))) {
                Ok((name, (text, notes))) => {
                    self.imported.manifests.push((name, text));
                    notes.into_iter().for_each(|note| self.imported.note_of(&theirs, note));
                }
                Err(why) => self.imported.leave_out(shown, why.to_string()),
            }
        }
    }

    /// A name that no other tool has; where another group has one of this name, the groups stand in front.
    fn free_name<'a>(&mut self, theirs: &'a str, mut groups: Vec<&'a str>) -> Result<String, Flaw> {
        if theirs.is_empty() {
            return Err(Flaw::other("it has no name"));
        }
        groups.sort_unstable();
        let key = format!("{}.{theirs}", groups.join("."));
        if self.keys.contains(&key) {
            return Err(Flaw::other("there is another tool of that name in its groups"));
        }
        self.keys.push(key);
        groups.retain(|group| *group != "public");
        groups.push(theirs);
        let names = [snake_case(theirs), snake_case(&groups.join("_"))];
        let mut legal = names.into_iter().filter(|name| is_legal(name)).peekable();
        if legal.peek().is_none() {
            return Err(Flaw::other("the name cannot be one of a tool"));
        }
        legal.find(|name| !self.imported.has(name)).ok_or_else(|| Flaw::other("another tool has that name"))
    }
}

/// The name of a tool: that of its function, where it has none of its own.
fn name_of(tool: &Map<String, Value>) -> String {
    let text = |key: &str| tool.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let of_function = || text("fn").and_then(|path| path.rsplit([':', '.']).next());
    text("name").or_else(of_function).unwrap_or_default().to_owned()
}

/// The text of a manifest, and what is otherwise in it.
fn read_tool(file: &Map<String, Value>, tool: &Map<String, Value>) -> Result<(String, Vec<String>), Flaw> {
    let text = |key: &str| tool.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
    let mut draft = Draft::default();
    draft.say("description", described(text("description"), text("example")));
    let mut notes = surroundings::say_groups(surroundings::groups(file.get("groups"), tool.get("groups")), &mut draft);
    let (mut signature, only_reads) = match (text("fn"), text("exec"), text("curl")) {
        (Some(function), None, None) => (say_function(function, tool, &mut draft)?, false),
        (None, Some(command), None) => (say_command(command, tool, &mut draft)?, false),
        (None, None, Some(curl)) => say_request(curl, (file, tool), &mut draft)?,
        (None, None, None) => return Err(Flaw::other("it says neither `fn` nor `exec` nor `curl`")),
        _ => return Err(Flaw::other("it says more than one of `fn`, `exec` and `curl`")),
    };
    draft.say("params", Value::Object(signature.settings()));
    notes.append(&mut signature.notes);
    let is_program = text("curl").is_none();
    if is_program {
        notes.extend(surroundings::say_environment(file, tool, &mut draft));
    }
    notes.extend(surroundings::say_limits(tool, is_program, &mut draft));
    notes.extend(surroundings::say_cache(tool, only_reads, &mut draft));
    let is_said = |value: &Value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty());
    if tool.get("transform").is_some_and(is_said) {
        notes.push("`transform` is a pipe of a shell and is left out: the result is all that was written".to_owned());
    }
    for key in tool.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        notes.push(format!("`{key}` has no form here"));
    }
    Ok((draft.text(), notes))
}

fn described(description: Option<&str>, example: Option<&str>) -> String {
    let example = example.map(|example| format!("Example: {}", example.trim()));
    let parts: Vec<String> = description.map(|text| text.trim().to_owned()).into_iter().chain(example).collect();
    parts.join("\n\n")
}

fn sends_all(tool: &Map<String, Value>) -> bool {
    tool.get("stdin").and_then(as_bool) == Some(true)
}

fn say_function(function: &str, tool: &Map<String, Value>, draft: &mut Draft) -> Result<Signature, Flaw> {
    let target = match function.split_once(':') {
        Some(_) => function.to_owned(),
        None => match function.rsplit_once('.') {
            Some((module, name)) => format!("{module}:{name}"),
            None => return Err(Flaw::other(format!("`{function}` is no function in a module"))),
        },
    };
    if !target.split([':', '.']).all(is_name) {
        return Err(Flaw::other(format!("`{function}` is no function in a module")));
    }
    draft.say("python", target);
    draft.say("interpreter", tool.get("python").and_then(Value::as_str).unwrap_or_default());
    let mut signature = Signature::read(tool.get("params"), Naming::Kept)?;
    let before = signature.parameters.len();
    signature.parameters.retain(|one| one.theirs != "context");
    if signature.parameters.len() < before {
        signature.note("`context` is filled in by what runs the function, and no parameter".to_owned());
    }
    signature.take_all();
    Ok(signature)
}

fn say_command(command: &str, tool: &Map<String, Value>, draft: &mut Draft) -> Result<Signature, Flaw> {
    if tool.get("python").is_some_and(|python| !python.is_null()) {
        return Err(Flaw::other("`python` is for functions"));
    }
    let sends_all = sends_all(tool);
    let naming = if sends_all { Naming::Kept } else { Naming::Free };
    let mut signature = Signature::read(tool.get("params"), naming)?;
    let run = command::run(command, &mut signature)?;
    if sends_all {
        signature.take_all();
        draft.say("stdin", "json");
    }
    let program = command::program(&run).rsplit('/').next().unwrap_or_default().to_owned();
    if OF_THE_NETWORK.contains(&program.as_str()) {
        draft.say("network", true);
    }
    draft.say("run", run);
    Ok(signature)
}

fn say_request(
    curl: &str,
    (file, tool): (&Map<String, Value>, &Map<String, Value>),
    draft: &mut Draft,
) -> Result<(Signature, bool), Flaw> {
    let mut signature = Signature::read(tool.get("params"), Naming::Free)?;
    let request = curl::request(curl, sends_all(tool), &mut signature)?;
    let method = request.get("method").and_then(Value::as_str);
    let only_reads = method.is_some_and(|method| ["GET", "HEAD"].contains(&method));
    let uses_variables = request.values().any(|value| has_variable(&value.to_string()));
    let has_own = |said: &Map<String, Value>| ["env", "env_file"].iter().any(|key| said.contains_key(*key));
    if uses_variables && (has_own(file) || has_own(tool)) {
        signature.note("its variables are those of the server, and not those of `env` and `env_file`".to_owned());
    }
    draft.say("http", Value::Object(request));
    Ok((signature, only_reads))
}

#[cfg(test)]
mod tests;
