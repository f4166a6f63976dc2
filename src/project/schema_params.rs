//! The parameters that a JSON Schema says, as settings under `params`: of programs that say themselves what they take, and of tools of
//! others.

use crate::name::foreign::{Naming, no_name, parameter_name};
use serde_json::{Map, Value};

crate::in_words::in_words! {
    /// Why a JSON Schema has no form as parameters, in words.
    pub struct NoParameters;
}

/// The keys of a schema that have another name here, or the same, with those types that they are about.
const COPIED: [(&str, &str, About); 11] = [
    ("minimum", "minimum", About::Numbers),
    ("maximum", "maximum", About::Numbers),
    ("exclusiveMinimum", "exclusive_minimum", About::Numbers),
    ("exclusiveMaximum", "exclusive_maximum", About::Numbers),
    ("multipleOf", "multiple_of", About::Numbers),
    ("minLength", "min_length", About::Texts),
    ("maxLength", "max_length", About::Texts),
    ("pattern", "pattern", About::Texts),
    ("minItems", "min_items", About::Lists),
    ("maxItems", "max_items", About::Lists),
    ("examples", "examples", About::All),
];

/// The formats that texts have here.
const FORMATS: [&str; 7] = ["email", "uri", "hostname", "ipv4", "ipv6", "regex", "json-pointer"];

/// What needs no form of its own.
const KNOWN: [&str; 14] = [
    "type",
    "description",
    "title",
    "default",
    "enum",
    "const",
    "items",
    "format",
    "properties",
    "required",
    "additionalProperties",
    "nullable",
    "anyOf",
    "oneOf",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Numbers,
    Texts,
    Lists,
    All,
}

/// A parameter of a schema.
#[derive(Debug)]
pub(crate) struct Property {
    /// Its name there.
    pub(crate) theirs: String,
    /// Its name here.
    pub(crate) name: String,
    /// Its type here.
    pub(crate) ty: &'static str,
    /// Whether an agent must send it.
    pub(crate) required: bool,
    /// What the manifest says of it.
    pub(crate) settings: Map<String, Value>,
}

impl Property {
    /// Whether it has a value in every call.
    pub(crate) fn has_value(&self) -> bool {
        self.required || self.settings.contains_key("default")
    }
}

/// Whether a schema names no property, and says that there may be any.
pub(crate) fn takes_any(schema: &Value) -> bool {
    let names_none = schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty);
    let takes_more = schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false));
    names_none && takes_more
}

/// The parameters of a schema, and what is otherwise here, a line each.
///
/// Errors: it describes no object, or one of them has no form here.
pub(crate) fn properties(schema: &Value, naming: Naming) -> Result<(Vec<Property>, Vec<String>), NoParameters> {
    let none = Map::new();
    let said = match schema {
        Value::Null => &none,
        Value::Object(said) => said,
        _ => return Err(NoParameters::from("its `parameters` are no JSON Schema")),
    };
    let all = said.get("properties").and_then(Value::as_object).unwrap_or(&none);
    let required: Vec<&str> =
        said.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if let Some(missing) = required.iter().find(|name| !all.contains_key(**name)) {
        return Err(NoParameters::from(format!("`{missing}` is required and not described")));
    }
    let (mut found, mut notes) = (Vec::<Property>::new(), Vec::new());
    for (theirs, schema) in all {
        let name = parameter_name(theirs, naming).filter(|name| found.iter().all(|one| one.name != *name));
        let Some(name) = name else {
            return Err(NoParameters::from(no_name(theirs)));
        };
        if name != *theirs {
            notes.push(format!("parameter `{theirs}` is called `{name}` here"));
        }
        let required = required.contains(&theirs.as_str());
        found.push(property(theirs, name, (schema, required), &mut notes));
    }
    Ok((found, notes))
}

fn property(theirs: &str, name: String, (schema, required): (&Value, bool), notes: &mut Vec<String>) -> Property {
    let none = Map::new();
    let whole = schema.as_object().unwrap_or(&none);
    let said = first_that_is_not_null(whole);
    let ty = type_of(said);
    let text = |key: &str| [whole, said].into_iter().find_map(|map| map.get(key)?.as_str()).map(str::trim);
    let mut settings = Map::from_iter([("type".to_owned(), Value::from(ty))]);
    let mut say = |key: &str, value: Value| _ = settings.insert(key.to_owned(), value);
    if let Some(description) = text("description").or_else(|| text("title")).filter(|text| !text.is_empty()) {
        say("description", description.into());
    }
    let default = [whole, said].into_iter().find_map(|map| map.get("default")).filter(|default| !default.is_null());
    match default.filter(|_| !required) {
        Some(default) => say("default", default.clone()),
        None if !required => say("required", false.into()),
        None => {}
    }
    if let Some(allowed) = allowed(said).filter(|_| ty != "json") {
        say("allowed_values", allowed);
    }
    let mut left: Vec<&str> = Vec::new();
    for (theirs, ours, about) in COPIED {
        match said.get(theirs).filter(|value| !value.is_null()) {
            Some(value) if fits(about, ty) => say(ours, value.clone()),
            Some(_) => left.push(theirs),
            None => {}
        }
    }
    match text("format") {
        Some(format) if ty == "text" && FORMATS.contains(&format) => say("format", format.into()),
        Some(_) => left.push("format"),
        None => {}
    }
    let copied = |key: &str| COPIED.iter().any(|(theirs, ..)| *theirs == key);
    left.extend(said.keys().map(String::as_str).filter(|key| !KNOWN.contains(key) && !copied(key)));
    notes.extend(left.iter().map(|key| format!("`{key}` of parameter `{theirs}` has no form here")));
    Property { theirs: theirs.to_owned(), name, ty, required, settings }
}

/// The first schema of a choice of several that is not that of null, where there is such a choice of one.
fn first_that_is_not_null(said: &Map<String, Value>) -> &Map<String, Value> {
    let choice = ["anyOf", "oneOf"].iter().find_map(|key| said.get(*key)?.as_array());
    let is_null = |schema: &&Value| schema.get("type").and_then(Value::as_str) == Some("null");
    let others: Vec<&Value> = choice.into_iter().flatten().filter(|schema| !is_null(schema)).collect();
    match others.as_slice() {
        [Value::Object(one)] => one,
        _ => said,
    }
}

/// The name of the one type that a schema says beside null.
fn type_name(said: &Map<String, Value>) -> Option<&str> {
    match said.get("type") {
        Some(Value::String(name)) => Some(name),
        Some(Value::Array(names)) => {
            let others: Vec<&str> = names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect();
            match others.as_slice() {
                [one] => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}

fn type_of(said: &Map<String, Value>) -> &'static str {
    let items = || said.get("items").and_then(Value::as_object).and_then(type_name);
    match type_name(said) {
        Some("string") => "text",
        Some("integer") => "bigint",
        Some("number") => "double",
        Some("boolean") => "boolean",
        Some("array") => match items() {
            Some("string") => "text[]",
            Some("integer") => "bigint[]",
            Some("number") => "double[]",
            Some("boolean") => "boolean[]",
            _ => "json",
        },
        None if is_list_of_texts(said.get("enum")) => "text",
        _ => "json",
    }
}

fn is_list_of_texts(value: Option<&Value>) -> bool {
    value.and_then(Value::as_array).is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_string))
}

/// The values that are allowed, of a list those of its items.
fn allowed(said: &Map<String, Value>) -> Option<Value> {
    let of_items = || said.get("items").and_then(|items| items.get("enum"));
    let one = said.get("const").map(|value| vec![value.clone()]);
    let all = said.get("enum").or_else(of_items).and_then(Value::as_array).cloned().or(one)?;
    let all: Vec<Value> = all.into_iter().filter(|value| !value.is_null()).collect();
    (!all.is_empty()).then_some(Value::Array(all))
}

fn fits(about: About, ty: &str) -> bool {
    match about {
        About::Numbers => matches!(ty, "bigint" | "double"),
        About::Texts => ty == "text",
        About::Lists => ty.ends_with("[]"),
        About::All => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(property: Value, required: bool) -> (Value, Vec<String>) {
        let required = if required { json!(["p"]) } else { json!([]) };
        let (found, notes) =
            properties(&json!({"properties": {"p": property}, "required": required}), Naming::Kept).unwrap();
        (Value::Object(found.into_iter().next().unwrap().settings), notes)
    }

    #[test]
    fn schemas_become_settings() {
        for (schema, required, settings) in [
            (json!({"type": "string", "description": " Who. "}), true, json!({"type": "text", "description": "Who."})),
            (
                json!({"type": "string", "enum": ["open", "all"], "default": "open"}),
                false,
                json!({"type": "text", "default": "open", "allowed_values": ["open", "all"]}),
            ),
            (
                json!({"type": "integer", "minimum": 1, "maximum": 100, "default": 10}),
                false,
                json!({"type": "bigint", "default": 10, "minimum": 1, "maximum": 100}),
            ),
            (json!({"type": ["number", "null"]}), false, json!({"type": "double", "required": false})),
            (
                json!({"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": null, "title": "Deep"}),
                false,
                json!({"type": "boolean", "description": "Deep", "required": false}),
            ),
            (
                json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1}),
                true,
                json!({"type": "text[]", "allowed_values": ["a"], "min_items": 1}),
            ),
            (json!({"type": "array", "items": {"type": "object"}}), true, json!({"type": "json"})),
            (json!({"type": "object", "properties": {"a": {}}}), true, json!({"type": "json"})),
            (json!({"enum": ["a", "b"]}), true, json!({"type": "text", "allowed_values": ["a", "b"]})),
            (json!({}), true, json!({"type": "json"})),
            (json!({"type": "string", "format": "uri"}), true, json!({"type": "text", "format": "uri"})),
        ] {
            assert_eq!(read(schema.clone(), required), (settings, Vec::new()), "{schema}");
        }
        let (_, notes) = read(json!({"type": "string", "format": "date", "maximum": 3, "x-order": 1}), true);
        assert_eq!(notes.len(), 3, "{notes:?}");
    }

    #[test]
    fn what_has_no_form_is_told() {
        let flaw = |schema: Value| properties(&schema, Naming::Kept).unwrap_err().to_string();
        assert!(takes_any(&json!({"properties": {}, "additionalProperties": true})));
        assert!(!takes_any(&json!({"properties": {"a": {}}, "additionalProperties": true})));
        assert!(!takes_any(&json!({"properties": {}})) && !takes_any(&json!({"additionalProperties": false})));
        assert!(flaw(json!({"properties": {"maxRows": {}}})).contains("`maxRows`"));
        assert!(flaw(json!({"properties": {"limit": {}}})).contains("`limit`"));
        assert!(flaw(json!({"properties": {}, "required": ["a"]})).contains("not described"));
        assert!(flaw(json!([])).contains("no JSON Schema"));
        assert_eq!(properties(&json!({"properties": {"maxRows": {}}}), Naming::Free).unwrap().0[0].name, "max_rows");
        assert!(properties(&Value::Null, Naming::Kept).unwrap().0.is_empty());
    }
}
