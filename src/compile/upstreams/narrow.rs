//! What `narrow` makes of the schema of a parameter: a schema that asks for what both do.

use serde_json::{Map, Value, json};

/// The keys that bound values, by what the tighter one of two is.
const UPPER: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const LOWER: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
/// The other keys that narrow something.
const OTHERS: [&str; 12] = [
    "enum",
    "const",
    "pattern",
    "format",
    "multipleOf",
    "uniqueItems",
    "items",
    "properties",
    "required",
    "not",
    "allOf",
    "anyOf",
];

/// Why a schema cannot narrow that of a parameter; nothing of one that can.
pub(super) fn flaws(property: &Value, narrow: &Map<String, Value>) -> Vec<String> {
    let known = |key: &str| UPPER.contains(&key) || LOWER.contains(&key) || OTHERS.contains(&key);
    let mut flaws: Vec<String> = Vec::new();
    for key in narrow.keys().filter(|key| !known(key)) {
        let near = crate::name::nearest(key, UPPER.into_iter().chain(LOWER).chain(OTHERS));
        let meant = near.map(|near| format!(": is `{near}` meant?")).unwrap_or_default();
        flaws.push(format!("`{key}` narrows nothing{meant}"));
    }
    if let Err(error) = jsonschema::validator_for(&Value::Object(narrow.clone())) {
        flaws.push(format!("this is no JSON Schema: {error}"));
        return flaws;
    }
    let own = jsonschema::validator_for(property).ok();
    for value in narrow.get("enum").and_then(Value::as_array).into_iter().flatten().chain(narrow.get("const")) {
        if own.as_ref().is_some_and(|own| !own.is_valid(value)) {
            flaws.push(format!("the server does not take {value}"));
        }
    }
    let both = narrowed(property, Some(narrow));
    let number = |key: &str| both.get(key).and_then(Value::as_f64);
    for (lower, upper) in LOWER.iter().zip(UPPER) {
        if let (Some(least), Some(most)) = (number(lower), number(upper))
            && least > most
        {
            flaws.push(format!("no value is allowed: `{lower}` is {least}, and `{upper}` is {most}"));
        }
    }
    flaws
}

/// A schema that asks for what both do, key by key where that can be said, so that it reads as what it is.
pub(super) fn narrowed(property: &Value, narrow: Option<&Map<String, Value>>) -> Value {
    let Some(narrow) = narrow else { return property.clone() };
    let mut map = match property {
        Value::Object(map) => map.clone(),
        // `true`: anything.
        _ => Map::new(),
    };
    let mut rest = Map::new();
    for (key, value) in narrow {
        let Some(own) = map.get(key) else {
            map.insert(key.clone(), value.clone());
            continue;
        };
        match tighter(key, own, value) {
            Some(both) => drop(map.insert(key.clone(), both)),
            None => drop(rest.insert(key.clone(), value.clone())),
        }
    }
    if !rest.is_empty() {
        match map.get_mut("allOf") {
            Some(Value::Array(all)) => all.push(Value::Object(rest)),
            _ => drop(map.insert("allOf".to_owned(), json!([rest]))),
        }
    }
    Value::Object(map)
}

/// What two values of a key ask for together, where a value of it says that.
fn tighter(key: &str, own: &Value, narrow: &Value) -> Option<Value> {
    if own == narrow {
        return Some(own.clone());
    }
    if key == "enum" {
        return common(own, narrow);
    }
    let is_larger = own.as_f64()? > narrow.as_f64()?;
    match (UPPER.contains(&key), LOWER.contains(&key)) {
        (true, _) => Some(if is_larger { narrow.clone() } else { own.clone() }),
        (_, true) => Some(if is_larger { own.clone() } else { narrow.clone() }),
        _ => None,
    }
}

/// The values that two lists have in common.
fn common(own: &Value, narrow: &Value) -> Option<Value> {
    let (own, narrow) = (own.as_array()?, narrow.as_array()?);
    Some(narrow.iter().filter(|value| own.contains(value)).cloned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn both_schemas_hold_and_read_as_one() {
        let own = json!({"type": "string", "enum": ["all", "open", "closed"], "maxLength": 9});
        let narrow = object(json!({"enum": ["open", "closed"], "maxLength": 20, "pattern": "^o"}));
        let both = json!({"type": "string", "enum": ["open", "closed"], "maxLength": 9, "pattern": "^o"});
        assert_eq!(narrowed(&own, Some(&narrow)), both);
        let patterns = narrowed(&json!({"pattern": "a"}), Some(&object(json!({"pattern": "b"}))));
        assert_eq!(patterns, json!({"pattern": "a", "allOf": [{"pattern": "b"}]}));
        assert_eq!(narrowed(&json!(true), Some(&object(json!({"minimum": 1})))), json!({"minimum": 1}));
    }

    #[test]
    fn what_narrows_nothing_or_all_is_told() {
        let own = json!({"type": "integer", "minimum": 1, "enum": [1, 2, 3]});
        let told = |narrow: Value| flaws(&own, &object(narrow));
        assert_eq!(told(json!({"maximum": 2})), Vec::<String>::new());
        assert_eq!(told(json!({"enumm": [1]})), ["`enumm` narrows nothing: is `enum` meant?"]);
        assert_eq!(told(json!({"enum": [1, 9]})), ["the server does not take 9"]);
        assert_eq!(told(json!({"maximum": 0})), ["no value is allowed: `minimum` is 1, and `maximum` is 0"]);
    }
}
