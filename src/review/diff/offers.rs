//! What is passed on of other servers beside their tools: prompts and resources, and how their servers are reached.

use super::Found;
use crate::review::change::{Change, Kind, Of};
use crate::rules::instructing_description::{instruction, invisible};
use crate::tool::Offered;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Compares what is passed on of all servers.
pub(super) fn compare(before: &[Offered], after: &[Offered]) -> Vec<Change> {
    let mut names: Vec<&str> = before.iter().chain(after).map(|one| one.upstream.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let of = |all: &'_ [Offered], name: &str| all.iter().position(|one| one.upstream == name);
    names
        .into_iter()
        .flat_map(|name| {
            let old = of(before, name).and_then(|at| before.get(at));
            compare_server(name, old, of(after, name).and_then(|at| after.get(at)))
        })
        .collect()
}

fn compare_server(name: &str, before: Option<&Offered>, after: Option<&Offered>) -> Vec<Change> {
    let mut found = Found { tool: name, changes: Vec::new() };
    if let (Some(before), Some(after)) = (before, after) {
        reach(before, after, &mut found);
    }
    let (old, new) = (items(before), items(after));
    for (subject, (here, said)) in &new {
        match old.get(subject) {
            None => {
                found.push_texts(Kind::OfferAdded, Some(subject), None, Some(&words(here, said)));
                flagged(subject, None, said, &mut found);
            }
            Some((was_here, was)) if (was_here, was) != (here, said) => {
                let (before, after) = (words(was_here, was), words(here, said));
                // Where all that is shown is the same, arguments differ.
                let (before, after) = match before == after {
                    true => (was.to_string(), said.to_string()),
                    false => (before, after),
                };
                found.push_texts(Kind::OfferChanged, Some(subject), Some(&before), Some(&after));
                flagged(subject, Some(was), said, &mut found);
            }
            Some(_) => {}
        }
    }
    for subject in old.keys().filter(|subject| !new.contains_key(*subject)) {
        found.push(Kind::OfferRemoved, Some(subject), (None, None));
    }
    found.changes
}

/// Compares how a server is reached, and by whom what it offers is had.
fn reach(before: &Offered, after: &Offered, found: &mut Found<'_>) {
    let keys = |offered: &Offered| match serde_json::to_value(offered.bare()) {
        Ok(Value::Object(keys)) => keys,
        _ => Map::new(),
    };
    let (old, new) = (keys(before), keys(after));
    let mut all: Vec<&String> = old.keys().chain(new.keys()).collect();
    all.sort_unstable();
    all.dedup();
    for key in all.into_iter().filter(|key| old.get(*key) != new.get(*key)) {
        let shown = |keys: &Map<String, Value>| keys.get(key).map_or_else(|| "nothing".to_owned(), Value::to_string);
        found.push_texts(Kind::OfferReachChanged, Some(key), Some(&shown(&old)), Some(&shown(&new)));
    }
}

/// All that is passed on, by what it is called there: what it is called here, and what the server says of it.
fn items(offered: Option<&Offered>) -> BTreeMap<String, (String, Value)> {
    let mut all = BTreeMap::new();
    let Some(Offered { prompts, resources, templates, .. }) = offered else { return all };
    for prompt in prompts {
        all.insert(format!("prompt {}", prompt.locked.name), (prompt.name.clone(), json!(prompt.locked)));
    }
    for resource in resources {
        all.insert(format!("resource {}", resource.uri), (resource.name.clone(), json!(resource)));
    }
    for template in templates {
        all.insert(format!("resources {}", template.uri_template), (template.name.clone(), json!(template)));
    }
    all
}

/// What something is called here, with its title and description.
fn words(here: &str, said: &Value) -> String {
    let texts = ["title", "description"].into_iter().filter_map(|key| said.get(key)?.as_str());
    std::iter::once(here).chain(texts).collect::<Vec<_>>().join(": ")
}

/// Tells of texts that instruct a model or hide something, where they were not there before.
fn flagged(subject: &str, before: Option<&Value>, after: &Value, found: &mut Found<'_>) {
    let mut old = Vec::new();
    before.into_iter().for_each(|before| texts_of(before, &mut old));
    let mut new = Vec::new();
    texts_of(after, &mut new);
    for text in new.into_iter().filter(|text| !old.contains(text)) {
        if let Some(words) = instruction(text) {
            found.push_texts(Kind::TextInstructsModel, Some(subject), None, Some(words));
        }
        if let Some((_, character)) = invisible(text) {
            let shown = format!("U+{:04X}", u32::from(character));
            let of = Of { subject: Some(subject.to_owned()), before: None, after: Some(shown) };
            found.changes.push(Change::new(Kind::TextHidesCharacters, found.tool, of));
        }
    }
}

fn texts_of<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, found)),
        Value::Object(map) => map.values().for_each(|value| texts_of(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
