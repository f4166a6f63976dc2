//! A skill of a sheet: whether qtool reads it as a prompt.

use super::super::manifests::read_yaml::document;
use super::flaw::Flaw;
use super::front_matter::front_matter;
use crate::name::is_legal;
use serde_json::{Map, Value};

const KEYS: [&str; 6] = ["name", "description", "audience", "arguments", "tools", "allowed_actors"];
/// What Folio calls what is done with a sheet.
const TOOLS: [&str; 11] = [
    "get_contract",
    "list_records",
    "get_record",
    "query",
    "upsert_records",
    "delete_records",
    "provenance",
    "materialize",
    "materialization_status",
    "list_skills",
    "run_script",
];
/// What means something in a template, and can name no argument here.
const WORDS: [&str; 14] =
    ["and", "caller", "else", "false", "if", "in", "is", "loop", "none", "not", "or", "self", "super", "true"];

/// Why a skill is none, or none for qtool.
///
/// Errors: so it is.
pub(super) fn check(text: &str, stem: &str) -> Result<(), Flaw> {
    let (yaml, body) = front_matter(text).ok_or_else(|| Flaw::from("it has no front matter"))?;
    let Value::Object(said) = document(yaml).map_err(|why| Flaw::from(why.to_string()))? else {
        return Err("its front matter is no mapping".into());
    };
    if let Some(key) = said.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("`{key}` is no key of a skill").into());
    }
    let text = |key: &str| said.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let name = text("name").unwrap_or_default();
    let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name != stem || !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(is_sign) {
        return Err("its `name` is not that of the file, in small letters, digits and hyphens".into());
    }
    text("description").ok_or_else(|| Flaw::from("it has no `description`"))?;
    if said.get("audience").is_some_and(|whose| !["agent", "human", "both"].iter().any(|known| whose == known)) {
        return Err("its `audience` is not `agent`, `human` or `both`".into());
    }
    texts(&said, "allowed_actors")?;
    if let Some(unknown) = texts(&said, "tools")?.into_iter().find(|tool| !TOOLS.contains(tool)) {
        return Err(format!("it speaks of the tool `{unknown}`, which Folio has not").into());
    }
    let arguments = arguments(said.get("arguments"))?;
    match placeholders(body).into_iter().find(|name| !arguments.contains(name)) {
        Some(name) => Err(format!("its text has `{{{name}}}`, and there is no such argument").into()),
        None => Ok(()),
    }
}

fn texts<'a>(said: &'a Map<String, Value>, key: &str) -> Result<Vec<&'a str>, Flaw> {
    let why = || Flaw::from(format!("its `{key}` is no list of texts"));
    match said.get(key) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(why),
        Some(_) => Err(why()),
    }
}

fn arguments(said: Option<&Value>) -> Result<Vec<&str>, Flaw> {
    let why = || Flaw::from("its `arguments` are no list of `name`, `description` and `required`");
    let Some(said) = said else { return Ok(Vec::new()) };
    let mut names = Vec::new();
    for argument in said.as_array().ok_or_else(why)? {
        let argument = argument.as_object().ok_or_else(why)?;
        let is_fine = argument.iter().all(|(key, value)| match key.as_str() {
            "name" => value.is_string(),
            "description" => value.is_string() || value.is_null(),
            "required" => value.is_boolean(),
            _ => false,
        });
        let name = argument.get("name").and_then(Value::as_str).filter(|_| is_fine).ok_or_else(why)?;
        if !is_legal(name) || WORDS.contains(&name) || names.contains(&name) {
            return Err(format!("no argument can be called `{name}` here, or it is there twice").into());
        }
        names.push(name);
    }
    Ok(names)
}

/// The names in `{name}`.
fn placeholders(body: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in body.split('{').skip(1) {
        let name = part.split_once('}').map(|(name, _)| name).unwrap_or_default();
        let is_sign = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_sign) {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_of_both_are_told_from_others() {
        let fine = "---\nname: weekly-review\ndescription: Look.\naudience: both\narguments:\n  - { name: prio, required: true }\n\
                    tools: [list_records, run_script]\nallowed_actors: ['human:*']\n---\nOf {prio}, {\"x\": 1} and {}.\n";
        assert_eq!(check(fine, "weekly-review"), Ok(()));
        for (text, why) in [
            ("# no\n", "front matter"),
            ("---\nname: [\n---\n", ""),
            ("---\nname: other\ndescription: d\n---\n", "`name`"),
            ("---\nname: x\n---\n", "`description`"),
            ("---\nname: x\ndescription: d\nmore: 1\n---\n", "`more`"),
            ("---\nname: x\ndescription: d\naudience: all\n---\n", "`audience`"),
            ("---\nname: x\ndescription: d\ntools: [fly]\n---\n", "`fly`"),
            ("---\nname: x\ndescription: d\n---\n{gone}\n", "`{gone}`"),
            ("---\nname: x\ndescription: d\narguments: [{ name: loop }]\n---\n", "`loop`"),
            ("---\nname: x\ndescription: d\narguments: [{ name: a, kind: b }]\n---\n", "`arguments`"),
        ] {
            let told = check(text, "x").unwrap_err().to_string();
            assert!(told.contains(why), "{text}: {told}");
        }
    }
}
