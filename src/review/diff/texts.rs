//! What is written for people and models: descriptions, titles and the rest, and what such a text must not do.

use super::{Found, plain_value};
use crate::project::Icon;
use crate::review::change::{Change, Kind, Of};
use crate::rules::instructing_description::{instruction, invisible};
use crate::tool::Contract;
use serde_json::{Map, Value, json};

/// Compares the texts of a tool itself; those of parameters and columns are compared with these.
pub(super) fn compare(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    // All that a tool is: who adds to it is told here that it is compared nowhere.
    let Contract {
        name: _,
        alias_of,
        title,
        description,
        tags,
        version,
        scopes: _,
        meta,
        icons,
        input: _,
        output: _,
        placeholders: _,
        rules: _,
        clauses: _,
        tables: _,
        policies: _,
        changes: _,
        result_limit: _,
        default_limit: _,
        table_format: _,
        expose: _,
        timeout: _,
        max_bytes: _,
        calls_per_second: _,
        count_total: _,
        cache_ttl: _,
        strict: _,
        ask: _,
        parameters_in_description: _,
        structured_output: _,
        definition: _,
        annotations: _,
        shows: _,
    } = after;
    if before.alias_of != *alias_of {
        let kind = match alias_of {
            Some(_) if before.alias_of.is_none() => Kind::ToolDeprecated,
            Some(_) => Kind::AliasChanged,
            None => Kind::ToolRevived,
        };
        found.push(kind, None, (before.alias_of.clone(), alias_of.clone()));
    }
    if before.title != *title {
        found.push_texts(Kind::TitleChanged, None, Some(&before.title), Some(title));
    }
    if before.description != *description {
        found.push_texts(Kind::DescriptionChanged, None, before.description.as_deref(), description.as_deref());
    }
    if before.tags != *tags {
        let list = |tags: &[String]| (!tags.is_empty()).then(|| tags.join(", "));
        found.push_texts(Kind::TagsChanged, None, list(&before.tags).as_deref(), list(tags).as_deref());
    }
    if before.version != *version {
        found.push_texts(Kind::VersionChanged, None, before.version.as_deref(), version.as_deref());
    }
    if before.icons != *icons {
        let list = |icons: &[Icon]| (!icons.is_empty()).then(|| json!(icons).to_string());
        found.push_texts(Kind::IconsChanged, None, list(&before.icons).as_deref(), list(icons).as_deref());
    }
    meta_of(before.meta.as_ref(), meta.as_ref(), found);
    how_much(before, after, found);
}

/// How much of the tool is published.
fn how_much(before: &Contract, after: &Contract, found: &mut Found<'_>) {
    if before.definition != after.definition {
        let word = |one| serde_json::to_value(one).ok().map(|word| plain_value(&word));
        found.push(Kind::DefinitionChanged, Some("definition"), (word(before.definition), word(after.definition)));
    }
    if before.parameters_in_description != after.parameters_in_description {
        let words =
            |listed: bool| Some(if listed { "a line per parameter" } else { "the description alone" }.to_owned());
        let (old, new) = (words(before.parameters_in_description), words(after.parameters_in_description));
        found.push(Kind::DefinitionChanged, Some("parameters_in_description"), (old, new));
    }
}

fn meta_of(before: Option<&Map<String, Value>>, after: Option<&Map<String, Value>>, found: &mut Found<'_>) {
    if before == after {
        return;
    }
    let empty = Map::new();
    let (old, new) = (before.unwrap_or(&empty), after.unwrap_or(&empty));
    let gone = old.keys().filter(|key| !new.contains_key(*key));
    let mut differs = false;
    for key in gone.chain(new.keys()) {
        let (was, is) = (old.get(key), new.get(key));
        if was != is {
            differs = true;
            let (was, is) = (was.map(Value::to_string), is.map(Value::to_string));
            found.push_texts(Kind::MetaChanged, Some(key), was.as_deref(), is.as_deref());
        }
    }
    if !differs {
        // An empty mapping is not published.
        let shown = |of: Option<&Map<String, Value>>| of.map(|_| "{}".to_owned());
        found.push(Kind::SpellingChanged, Some("meta"), (shown(before), shown(after)));
    }
}

/// Every text that agents read, with what it belongs to.
fn read_by_agents(tool: &Contract) -> Vec<(&str, &str)> {
    let mut texts = vec![("title", tool.title.as_str())];
    texts.extend(tool.description.iter().map(|text| ("description", text.as_str())));
    texts.extend(tool.tags.iter().map(|text| ("tags", text.as_str())));
    texts.extend(tool.rules.iter().map(|rule| ("rules", rule.message.as_str())));
    for parameter in tool.parameters() {
        let name = parameter.name.as_str();
        texts.extend(parameter.description.iter().map(|text| (name, text.as_str())));
        let values = parameter.constraints.allowed_values.iter().flatten().chain(&parameter.examples);
        texts.extend(values.chain(&parameter.default).filter_map(Value::as_str).map(|text| (name, text)));
        texts.extend(parameter.constraints.pattern.iter().map(|text| (name, text.as_str())));
    }
    for column in tool.columns() {
        texts.push((column.name.as_str(), column.name.as_str()));
        texts.extend(column.description.iter().map(|text| (column.name.as_str(), text.as_str())));
    }
    for (key, value) in tool.meta.iter().flatten() {
        strings(key, value, &mut texts);
    }
    if let Some(schema) = tool.schema() {
        strings("input schema", schema, &mut texts);
    }
    texts
}

fn strings<'a>(what: &'a str, value: &'a Value, texts: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::String(text) => texts.push((what, text)),
        Value::Array(items) => items.iter().for_each(|item| strings(what, item, texts)),
        Value::Object(map) => map.iter().for_each(|(key, value)| {
            texts.push((what, key));
            strings(what, value, texts);
        }),
        _ => {}
    }
}

/// The texts that tell a model what to do, or hide something, and were not there before.
pub(super) fn flagged(before: Option<&Contract>, after: &Contract) -> Vec<Change> {
    let old = before.map(read_by_agents).unwrap_or_default();
    let mut found = Found { tool: &after.name, changes: Vec::new() };
    for (what, text) in read_by_agents(after) {
        if old.contains(&(what, text)) {
            continue;
        }
        if let Some(words) = instruction(text) {
            found.push_texts(Kind::TextInstructsModel, Some(what), None, Some(words));
        }
        if let Some((_, character)) = invisible(text) {
            let shown = format!("U+{:04X}", u32::from(character));
            let of = Of { subject: Some(what.to_owned()), before: None, after: Some(shown) };
            found.changes.push(Change::new(Kind::TextHidesCharacters, &after.name, of));
        }
    }
    found.changes
}
