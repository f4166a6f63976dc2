//! The shape of JSON values, read from a JSON Schema (draft 2020-12): as much of it as type systems can say.

use serde_json::{Map, Value};

/// What values look like.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::emit) enum Shape {
    /// Anything.
    Any,
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A text.
    Text,
    /// Exactly this value: none that is a list or an object.
    Literal(Value),
    /// A list.
    List(Box<Shape>),
    /// An object with these fields.
    Record(Vec<Field>),
    /// An object with any keys.
    Mapping(Box<Shape>),
    /// Any of them, each once.
    Union(Vec<Shape>),
}

/// A field of an object.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::emit) struct Field {
    /// The key.
    pub(in crate::emit) name: String,
    /// Its values.
    pub(in crate::emit) shape: Shape,
    /// Whether it is always there.
    pub(in crate::emit) required: bool,
    /// What it means.
    pub(in crate::emit) description: Option<String>,
}

impl Shape {
    /// The shape of what a schema accepts; anything where the schema says more than shapes can.
    pub(in crate::emit) fn of(schema: &Value) -> Shape {
        let Some(schema) = schema.as_object() else { return Shape::Any };
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        if let Some(value) = schema.get("const") {
            return literals(std::slice::from_ref(value)).unwrap_or(Shape::Any);
        }
        if let Some(shape) = list("enum").and_then(|values| literals(values)) {
            return shape;
        }
        if let Some(shapes) = list("anyOf").or_else(|| list("oneOf")) {
            return union(shapes.iter().map(Shape::of).collect());
        }
        match schema.get("type") {
            Some(Value::String(name)) => named(name, schema),
            Some(Value::Array(names)) => {
                union(names.iter().filter_map(Value::as_str).map(|name| named(name, schema)).collect())
            }
            _ => Shape::Any,
        }
    }
}

fn named(name: &str, schema: &Map<String, Value>) -> Shape {
    match name {
        "null" => Shape::Null,
        "boolean" => Shape::Boolean,
        "integer" => Shape::Integer,
        "number" => Shape::Number,
        "string" => Shape::Text,
        "array" => Shape::List(Box::new(schema.get("items").map_or(Shape::Any, Shape::of))),
        "object" => object(schema),
        _ => Shape::Any,
    }
}

fn object(schema: &Map<String, Value>) -> Shape {
    let Some(properties) = schema.get("properties").and_then(Value::as_object).filter(|map| !map.is_empty()) else {
        return Shape::Mapping(Box::new(schema.get("additionalProperties").map_or(Shape::Any, Shape::of)));
    };
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        shape: Shape::of(schema),
        required: is_required(name),
        description: schema.get("description").and_then(Value::as_str).map(str::to_owned),
    };
    Shape::Record(properties.iter().map(field).collect())
}

/// The values one by one; `None` where one is a list or an object.
fn literals(values: &[Value]) -> Option<Shape> {
    let literal = |value: &Value| match value {
        Value::Null => Some(Shape::Null),
        Value::Array(_) | Value::Object(_) => None,
        value => Some(Shape::Literal(value.clone())),
    };
    values.iter().map(literal).collect::<Option<Vec<_>>>().filter(|shapes| !shapes.is_empty()).map(union)
}

fn union(shapes: Vec<Shape>) -> Shape {
    if shapes.contains(&Shape::Any) {
        return Shape::Any;
    }
    let mut once: Vec<Shape> = Vec::with_capacity(shapes.len());
    for shape in shapes {
        if !once.contains(&shape) {
            once.push(shape);
        }
    }
    match once.pop() {
        Some(only) if once.is_empty() => only,
        Some(last) => Shape::Union(once.into_iter().chain([last]).collect()),
        None => Shape::Any,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_schema_is_read_as_far_as_types_can_say_it() {
        let or_null = |shape: Shape| Shape::Union(vec![shape, Shape::Null]);
        let text = |value: &str| Shape::Literal(json!(value));
        for (schema, shape) in [
            (json!({}), Shape::Any),
            (json!({"type": ["number", "null"]}), or_null(Shape::Number)),
            (json!({"type": "string", "enum": ["a", "b", "a"]}), Shape::Union(vec![text("a"), text("b")])),
            (json!({"type": "array", "enum": [[1]], "items": {"type": "integer"}}), Shape::List(Shape::Integer.into())),
            (json!({"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}]}), Shape::Any),
            (json!({"type": "object", "properties": {}}), Shape::Mapping(Shape::Any.into())),
        ] {
            assert_eq!(Shape::of(&schema), shape, "{schema}");
        }
    }
}
