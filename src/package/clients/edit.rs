//! Puts a server into a configuration, or takes it out, and leaves every other byte as it is: comments, the order, commas
//! and indentation are the user's.

use super::Client;
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};
use std::fmt;

/// JSON with comments and trailing commas, as the clients read it, and nothing looser.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// What an entry has only where its server is reached over the network.
const KEYS_OF_REMOTE_SERVERS: [&str; 3] = ["url", "serverUrl", "headers"];

/// Why a configuration is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditError {
    /// It is no JSON.
    Syntax {
        /// What is wrong.
        what: String,
        /// Where.
        place: Place,
    },
    /// Something is no object that must be one.
    NotAnObject {
        /// What: the file, or a key.
        what: String,
        /// What it is instead.
        found: &'static str,
        /// Where.
        place: Place,
    },
    /// A key is there twice, and clients differ in which one they take.
    Twice {
        /// The key.
        key: String,
        /// The second one.
        place: Place,
    },
    /// The file could not be changed without changing something else in it.
    Unsafe,
}

/// A place in a text. Both count from 1, columns in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Syntax { what, place } => write!(f, "it is no JSON: {what}, at {place}"),
            EditError::NotAnObject { what, found, place } => {
                write!(f, "{what} is {found} where an object is expected, at {place}")
            }
            EditError::Twice { key, place } => write!(f, "`{key}` is there twice, the second time at {place}"),
            EditError::Unsafe => write!(f, "it cannot be changed without changing something else in it"),
        }
    }
}

impl std::error::Error for EditError {}

/// The configuration with a server of that name. A server that is there already is brought to what `entry` says: other
/// keys of it and values of environment variables are kept. Doing it again changes nothing. An empty text becomes a whole
/// configuration.
///
/// Errors: the text is no configuration, or cannot be changed safely.
pub fn edit(text: &str, client: Client, name: &str, entry: &Value) -> Result<String, EditError> {
    change(text, client, name, |servers| put(servers, name, entry))
}

/// The configuration without a server of that name; where there is none, the same text.
///
/// Errors: as for [`edit`].
pub fn remove(text: &str, client: Client, name: &str) -> Result<String, EditError> {
    let (_, body) = without_mark(text);
    check(body, client.servers_key(), name)?;
    let there = value_of(body)?.get(client.servers_key()).is_some_and(|servers| servers.get(name).is_some());
    if !there {
        return Ok(text.to_owned());
    }
    change(text, client, name, |servers| {
        if let Some(entry) = servers.get(name) {
            entry.remove();
        }
    })
}

fn change(text: &str, client: Client, name: &str, make: impl FnOnce(&CstObject)) -> Result<String, EditError> {
    let key = client.servers_key();
    let (mark, body) = without_mark(text);
    check(body, key, name)?;
    let root = parsed(body)?;
    if root.to_string() != body {
        return Err(EditError::Unsafe);
    }
    let servers = root.object_value_or_create().and_then(|object| object.object_value_or_create(key));
    make(&servers.ok_or(EditError::Unsafe)?);
    let changed = root.to_string();
    if others(value_of(body)?, key, name) != others(value_of(&changed)?, key, name) {
        return Err(EditError::Unsafe);
    }
    Ok(format!("{mark}{changed}"))
}

/// The byte order mark, if there is one, and the rest.
fn without_mark(text: &str) -> (&str, &str) {
    text.strip_prefix('\u{feff}').map_or(("", text), |body| ("\u{feff}", body))
}

fn put(servers: &CstObject, name: &str, entry: &Value) {
    let Some(there) = servers.get(name) else {
        servers.append(name, input(entry));
        return;
    };
    match (there.object_value(), entry.as_object()) {
        (Some(object), Some(entry)) => merge(&object, entry),
        _ => there.set_value(input(entry)),
    }
}

/// Changes no more than what differs, so that comments in an entry stay.
fn merge(object: &CstObject, entry: &Map<String, Value>) {
    let is_remote = |prop: &CstObjectProp| match prop.decoded_name() {
        Some(name) if name == "type" => !entry.contains_key("type") && !says(prop, &Value::from("stdio")),
        Some(name) => KEYS_OF_REMOTE_SERVERS.contains(&name.as_str()),
        None => false,
    };
    for prop in object.properties().into_iter().filter(is_remote) {
        prop.remove();
    }
    for (key, value) in entry {
        match (object.get(key), value) {
            (None, _) => {
                object.append(key, input(value));
            }
            (Some(prop), Value::Object(variables)) if prop.object_value().is_some() => add(&prop, variables),
            (Some(prop), _) if says(&prop, value) => {}
            (Some(prop), _) => prop.set_value(input(value)),
        }
    }
}

/// Adds what is not there yet: the values are the user's.
fn add(prop: &CstObjectProp, variables: &Map<String, Value>) {
    let Some(object) = prop.object_value() else { return };
    for (name, value) in variables {
        if object.get(name).is_none() {
            object.append(name, input(value));
        }
    }
}

fn says(prop: &CstObjectProp, value: &Value) -> bool {
    prop.value().and_then(|there| there.to_serde_value()).as_ref() == Some(value)
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(map) => {
            CstInputValue::Object(map.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

/// The configuration without that server and, then, without servers that are none.
fn others(config: Value, key: &str, name: &str) -> Value {
    let Value::Object(mut config) = config else { return config };
    if let Some(Value::Object(servers)) = config.get_mut(key) {
        servers.shift_remove(name);
        if servers.is_empty() {
            config.shift_remove(key);
        }
    }
    Value::Object(config)
}

/// What a configuration says; an empty one is one without keys.
fn value_of(text: &str) -> Result<Value, EditError> {
    Ok(parsed(text)?.to_serde_value().unwrap_or_else(|| Value::Object(Map::new())))
}

fn parsed(text: &str) -> Result<CstRootNode, EditError> {
    CstRootNode::parse(text, &OPTIONS).map_err(|error| syntax(&error, text))
}

fn syntax(error: &ParseError, text: &str) -> EditError {
    let what = error.kind().to_string();
    let mut letters = what.chars();
    let what = letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default();
    EditError::Syntax { what, place: place(text, error.range().start) }
}

/// Finds what keeps the text from being changed.
fn check(text: &str, key: &str, name: &str) -> Result<(), EditError> {
    let read = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| syntax(&error, text))?;
    let Some(root) = &read.value else { return Ok(()) };
    let root = object(root, "the file", text)?;
    if let Some(servers) = single(root, key, text)? {
        single(object(&servers.value, &format!("`{key}`"), text)?, name, text)?;
    }
    Ok(())
}

fn object<'v, 't>(value: &'v ast::Value<'t>, what: &str, text: &str) -> Result<&'v ast::Object<'t>, EditError> {
    let found = match value {
        ast::Value::Object(object) => return Ok(object),
        ast::Value::StringLit(_) => "a text",
        ast::Value::NumberLit(_) => "a number",
        ast::Value::BooleanLit(_) => "a truth value",
        ast::Value::Array(_) => "a list",
        ast::Value::NullKeyword(_) => "null",
    };
    Err(EditError::NotAnObject { what: what.to_owned(), found, place: place(text, value.start()) })
}

/// The property of that name, if there is one.
fn single<'v, 't>(
    object: &'v ast::Object<'t>,
    key: &str,
    text: &str,
) -> Result<Option<&'v ast::ObjectProp<'t>>, EditError> {
    let mut found = object.properties.iter().filter(|prop| prop.name.as_str() == key);
    let first = found.next();
    match found.next() {
        Some(second) => Err(EditError::Twice { key: key.to_owned(), place: place(text, second.range.start) }),
        None => Ok(first),
    }
}

fn place(text: &str, offset: usize) -> Place {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Place { line, column }
}

#[cfg(test)]
mod tests;
