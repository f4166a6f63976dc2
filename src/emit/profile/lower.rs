//! Rewrites a schema into the part of JSON Schema that a profile takes, without losing what it demands.

use super::subset::{Listed, Numbers, Objects, Patterns, Subset};
use super::{Profile, words};
use crate::emit::mcp;
use crate::tool::Contract;
use crate::ty::Type;
use serde_json::{Map, Value, json};

/// The largest whole number that a double and its neighbours hold exactly (RFC 8259, section 6).
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// A schema that was rewritten.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The schema, within the profile's subset.
    pub schema: Value,
    /// The keywords that are now said in words.
    pub moved: Vec<Moved>,
    /// The parameters that the profile has no schema for; it must not be used for this tool where there are any.
    pub unsayable: Vec<String>,
}

/// A keyword that is said in words only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The parameter, with what lies below it: `tags[]`, `area.north`.
    pub parameter: String,
    /// The keyword.
    pub keyword: String,
}

impl Moved {
    /// Whether the keyword restricts values; others only inform.
    pub fn restricts(&self) -> bool {
        !matches!(self.keyword.as_str(), "default" | "examples" | "type")
    }
}

/// The input schema of a tool, rewritten.
pub fn lower_tool(tool: &Contract, profile: Profile) -> Lowered {
    let mut lowered = lower(&mcp::input_schema(tool), profile);
    if let Some(native) = tool.schema().filter(|_| profile == Profile::OpenAiStrict) {
        let refused = refused_by_native(native, &lowered.moved);
        lowered.unsayable.extend(refused);
        lowered.unsayable.sort();
        lowered.unsayable.dedup();
    }
    lowered
}

/// What a tool that is written in Rust does not take of a call in strict mode, for it is checked by its own schema:
/// null for what was left out, and JSON as its text.
fn refused_by_native(native: &Value, moved: &[Moved]) -> Vec<String> {
    let required = required(native);
    let properties = native.get("properties").and_then(Value::as_object).into_iter().flatten();
    let optional = properties.filter(|(name, _)| !required.contains(&name.as_str()));
    let not_null = optional.filter(|(_, schema)| !schema.as_object().is_some_and(accepts_null));
    let as_text = moved.iter().filter(|moved| moved.keyword == "type").map(|moved| moved.parameter.clone());
    not_null.map(|(name, _)| name.clone()).chain(as_text).collect()
}

fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Rewrites an input schema. A schema that is within the subset already comes back as it was.
pub fn lower(schema: &Value, profile: Profile) -> Lowered {
    let mut lowering = Lowering { subset: profile.subset(), moved: Vec::new(), unsayable: Vec::new() };
    let schema = lowering.schema(schema, "");
    Lowered { schema, moved: lowering.moved, unsayable: lowering.unsayable }
}

struct Lowering {
    subset: &'static Subset,
    moved: Vec<Moved>,
    unsayable: Vec<String>,
}

impl Lowering {
    fn schema(&mut self, schema: &Value, path: &str) -> Value {
        let Value::Object(map) = schema else {
            // `true` is the schema of any value; `false`, of none, describes no parameter.
            return self.schema(&json!({}), path);
        };
        let mut out = Map::new();
        let mut said = Vec::new();
        for (keyword, value) in map {
            match self.keyword(keyword, value, path) {
                Kept::As(keyword, value) => {
                    out.insert(keyword.to_owned(), value);
                }
                Kept::InWords => {
                    if let Some(sentence) = words::words_of_keyword(keyword, value) {
                        said.push(sentence);
                        self.moved.push(Moved { parameter: path.to_owned(), keyword: keyword.clone() });
                    }
                }
                Kept::Not => {}
            }
        }
        if self.subset.objects == Objects::Closed {
            said.extend(self.typed(&mut out, path));
            self.closed(schema, &mut out, path);
        }
        let description = words::joined(map.get("description").and_then(Value::as_str), &said);
        if let Some(description) = description {
            out.insert("description".to_owned(), description.into());
        }
        Value::Object(out)
    }

    fn keyword<'a>(&mut self, keyword: &'a str, value: &Value, path: &str) -> Kept<'a> {
        let subset = self.subset;
        let known = subset.has(keyword);
        match (keyword, value) {
            ("properties", Value::Object(properties)) => Kept::As(keyword, self.properties(properties, path)),
            ("$defs" | "definitions", Value::Object(schemas)) if known => {
                Kept::As(keyword, self.properties(schemas, keyword))
            }
            ("items", _) => Kept::As(keyword, self.schema(value, &format!("{path}[]"))),
            ("additionalProperties", Value::Object(_)) if subset.objects == Objects::AsTheyAre => {
                Kept::As(keyword, self.schema(value, &below(path, "*")))
            }
            ("anyOf" | "prefixItems", Value::Array(schemas)) if known => Kept::As(keyword, self.each(schemas, path)),
            // Whether more than one of them fits is for the server to judge.
            ("oneOf", Value::Array(schemas)) if subset.keywords.is_some() => {
                Kept::As("anyOf", self.each(schemas, path))
            }
            ("allOf" | "oneOf", Value::Array(schemas)) if known => Kept::As(keyword, self.each(schemas, path)),
            ("const", Value::String(_) | Value::Number(_)) if !known => Kept::As("enum", json!([value])),
            ("enum", Value::Array(listed)) if !self.lists(listed) => Kept::InWords,
            ("format", _) if subset.formats.is_some_and(|known| !is_among(known, value)) => Kept::InWords,
            ("pattern", _) if subset.patterns == Patterns::WithoutLookAround && looks_around(value) => Kept::InWords,
            ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", _) => self.bound(keyword, value),
            _ if known => Kept::As(keyword, value.clone()),
            _ => Kept::InWords,
        }
    }

    fn properties(&mut self, properties: &Map<String, Value>, path: &str) -> Value {
        properties.iter().map(|(name, schema)| (name.clone(), self.schema(schema, &below(path, name)))).collect()
    }

    fn each(&mut self, schemas: &[Value], path: &str) -> Value {
        schemas.iter().map(|schema| self.schema(schema, path)).collect()
    }

    fn lists(&self, listed: &[Value]) -> bool {
        self.subset.listed == Listed::Any || listed.iter().all(|one| one.is_string() || one.is_number())
    }

    fn bound<'a>(&self, keyword: &'a str, value: &Value) -> Kept<'a> {
        let exact = value.as_f64().is_some_and(|number| number.abs() <= LARGEST_EXACT);
        if self.subset.numbers == Numbers::Any || exact {
            return if self.subset.has(keyword) { Kept::As(keyword, value.clone()) } else { Kept::InWords };
        }
        // The range of a type of 64-bit integers or 32-bit reals tells nobody anything.
        let of_type = [Type::Bigint, Type::Real].iter().any(|ty| ty.input_schema().get(keyword) == Some(value));
        if of_type { Kept::Not } else { Kept::InWords }
    }

    /// Gives a schema without a type one: strict mode refuses "any value". A parameter of type `json` reads a text as
    /// the JSON that it holds.
    fn typed(&mut self, out: &mut Map<String, Value>, path: &str) -> Option<String> {
        if ["type", "anyOf", "$ref", "const"].iter().any(|keyword| out.contains_key(*keyword)) {
            return None;
        }
        for (keyword, ty) in [("properties", "object"), ("items", "array")] {
            if out.contains_key(keyword) {
                out.insert("type".to_owned(), ty.into());
                return None;
            }
        }
        let listed = out.get("enum").and_then(Value::as_array);
        if let Some(listed) = listed.filter(|listed| listed.iter().all(|one| !one.is_object() && !one.is_array())) {
            let mut kinds: Vec<&str> = listed.iter().map(kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let kinds = if let [one] = kinds.as_slice() { json!(one) } else { json!(kinds) };
            out.insert("type".to_owned(), kinds);
            return None;
        }
        out.insert("type".to_owned(), "string".into());
        self.moved.push(Moved { parameter: path.to_owned(), keyword: "type".to_owned() });
        Some("Any JSON value, written as JSON text.".to_owned())
    }

    /// Objects as strict mode wants them: every property required, no other accepted.
    fn closed(&mut self, schema: &Value, out: &mut Map<String, Value>, path: &str) {
        if ["allOf", "not", "if", "patternProperties"].iter().any(|keyword| schema.get(*keyword).is_some())
            || schema.get("enum").and_then(Value::as_array).is_some_and(|all| all.iter().any(is_composite))
        {
            self.unsayable.push(path.to_owned());
        }
        if !is_of(out, "object") {
            return;
        }
        let open = schema.get("additionalProperties").is_some_and(|more| more.as_bool() != Some(false));
        let properties = out.get_mut("properties").and_then(Value::as_object_mut);
        if open || properties.is_none() {
            self.unsayable.push(path.to_owned());
        }
        let required = required(schema);
        let mut names = Vec::new();
        for (name, schema) in properties.into_iter().flatten() {
            if !required.contains(&name.as_str()) {
                // A model in strict mode sends every property, and null for what it would have left out. The server
                // takes null for an optional argument as none at all; below an argument, null is a value.
                if !path.is_empty() && !schema.as_object().is_some_and(accepts_null) {
                    self.unsayable.push(below(path, name));
                }
                *schema = or_null(schema.take());
            }
            names.push(name.clone());
        }
        out.insert("required".to_owned(), names.into());
        out.insert("additionalProperties".to_owned(), false.into());
    }
}

/// What becomes of a keyword.
enum Kept<'a> {
    As(&'a str, Value),
    InWords,
    Not,
}

fn below(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn is_among(known: &[&str], value: &Value) -> bool {
    value.as_str().is_some_and(|text| known.contains(&text))
}

/// Whether a regular expression looks ahead or back: `(?=`, `(?!`, `(?<=`, `(?<!`.
fn looks_around(pattern: &Value) -> bool {
    let text = pattern.as_str().unwrap_or_default();
    ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|group| text.contains(group))
}

fn is_composite(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

/// The type of a value that is neither an object nor an array.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        _ => "string",
    }
}

/// Whether the type is the given one, or that is among those it may be.
fn is_of(schema: &Map<String, Value>, wanted: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(ty)) => ty == wanted,
        Some(Value::Array(types)) => types.iter().any(|ty| ty == wanted),
        _ => false,
    }
}

/// The schema, or null. The description stays where clients look for it.
fn or_null(schema: Value) -> Value {
    let Value::Object(mut map) = schema else { return schema };
    if accepts_null(&map) {
        return Value::Object(map);
    }
    let description = map.shift_remove("description");
    let mut out = match map.get_mut("anyOf").and_then(Value::as_array_mut) {
        Some(branches) => {
            branches.push(json!({"type": "null"}));
            map
        }
        None => Map::from_iter([("anyOf".to_owned(), json!([map, {"type": "null"}]))]),
    };
    out.extend(description.map(|description| ("description".to_owned(), description)));
    Value::Object(out)
}

fn accepts_null(schema: &Map<String, Value>) -> bool {
    let branches = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    is_of(schema, "null") || branches.filter_map(Value::as_object).any(accepts_null)
}
