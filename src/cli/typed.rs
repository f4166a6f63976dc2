//! What is typed at a terminal, as the JSON that a client sends.

use super::Outcome;
use super::terminal;
use crate::project::BoundFrom;
use crate::tool::Contract;
use crate::ty::Type;
use serde_json::{Map, Value};

/// What was typed, as the JSON an agent would send for that type.
pub(super) fn value(ty: Option<&Type>, text: &str) -> Value {
    match ty {
        Some(Type::List(item)) => match serde_json::from_str(text) {
            Ok(Value::Array(items)) => Value::Array(items),
            _ if text.is_empty() => Value::Array(Vec::new()),
            Ok(record @ Value::Object(_)) => Value::Array(vec![record]),
            // A comma ends nothing in a record.
            _ if matches!(**item, Type::Struct(_)) => text.into(),
            _ => Value::Array(text.split(',').map(|one| value(Some(item), one)).collect()),
        },
        Some(ty) if takes_json(ty) => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        _ => text.into(),
    }
}

/// What was typed for a property of a schema, as JSON where its values are no texts.
pub(super) fn value_of_schema(schema: &Value, name: &str, text: &str) -> Value {
    let types = schema.get("properties").and_then(|all| all.get(name)?.get("type"));
    let takes_texts = match types {
        Some(Value::String(ty)) => ty == "string",
        Some(Value::Array(types)) => types.iter().any(|ty| ty == "string"),
        // Nothing is said of it: what reads as an object, a list or a number is one.
        _ => false,
    };
    match serde_json::from_str(text) {
        Ok(value) if !takes_texts => value,
        _ => text.into(),
    }
}

/// Types whose values are no JSON texts. A decimal is one, because a JSON number may not hold it.
fn takes_json(ty: &Type) -> bool {
    ty.is_integer() || matches!(ty, Type::Real | Type::Double | Type::Boolean | Type::Struct(_) | Type::Json)
}

/// The name and the value of `NAME=VALUE`; that it is none is printed.
pub(super) fn pair(written: &str) -> Result<(&str, &str), Outcome> {
    let pair = written.split_once('=').filter(|(name, _)| !name.is_empty());
    pair.ok_or_else(|| refused(&format!("`{written}` is not of the form name=value")))
}

/// Claims as they are typed: `org.id=1` leads into an object, `org={"id":1}` is one. A value is of the type of a
/// parameter of the tools that is bound to the claim; else an object or a list as JSON, or a text.
pub(super) fn claims<'t>(
    written: &[String],
    tools: impl IntoIterator<Item = &'t Contract> + Clone,
) -> Result<Map<String, Value>, Outcome> {
    let mut claims = Map::new();
    for one in written {
        let (path, text) = pair(one)?;
        let of_type = tools.clone().into_iter().flat_map(|tool| tool.parameters()).find_map(|parameter| {
            let is_it = matches!(&parameter.from, Some(BoundFrom::Claim(claim)) if claim == path);
            is_it.then(|| value(Some(&parameter.ty), text))
        });
        let value = of_type.or_else(|| {
            let is_json = text.trim_start().starts_with(['{', '[']);
            serde_json::from_str(text).ok().filter(|_| is_json)
        });
        let value = value.unwrap_or_else(|| text.into());
        put(&mut claims, path, value).map_err(|()| refused(&format!("the claim `{path}` is given twice")))?;
    }
    Ok(claims)
}

/// Puts a value where a path of names leads to; an error where something stands there.
fn put(claims: &mut Map<String, Value>, path: &str, value: Value) -> Result<(), ()> {
    match path.split_once('.') {
        Some((first, rest)) => {
            let inside = claims.entry(first).or_insert_with(|| Value::Object(Map::new()));
            put(inside.as_object_mut().ok_or(())?, rest, value)
        }
        None if claims.contains_key(path) => Err(()),
        None => {
            claims.insert(path.to_owned(), value);
            Ok(())
        }
    }
}

fn refused(message: &str) -> Outcome {
    terminal::error(message, &["for example: --claim tenant=7, --claim org.id=1, --claim 'org={\"id\":1}'"]);
    Outcome::CouldNotRun
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(written: &[&str]) -> Option<Value> {
        let written: Vec<String> = written.iter().map(|one| (*one).to_owned()).collect();
        claims(&written, []).ok().map(Value::Object)
    }

    #[test]
    fn a_dot_leads_into_an_object() {
        assert_eq!(
            read(&["org.id=1", "org.name=a=b", "x="]),
            Some(json!({"org": {"id": "1", "name": "a=b"}, "x": ""}))
        );
        assert_eq!(read(&["org={\"id\":1}"]), Some(json!({"org": {"id": 1}})));
        assert_eq!(read(&["roles=[\"a\"]", "open={"]), Some(json!({"roles": ["a"], "open": "{"})));
        for wrong in [&["org"][..], &["=1"], &["a=1", "a=2"], &["a=1", "a.b=2"], &["a.b=1", "a=2"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }
}
