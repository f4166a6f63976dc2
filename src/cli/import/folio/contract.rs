//! `contract.yaml` of a sheet, as far as an import must know it, and why qtool would refuse one that Folio takes.

use super::super::manifests::read_yaml::{as_bool, document};
use super::flaw::Flaw;
use serde_json::{Map, Value};

const OF_SCHEMAS: [&str; 3] = ["name", "physicalType", "properties"];
const OF_PROPERTIES: [&str; 9] =
    ["name", "logicalType", "primaryKey", "required", "description", "enum", "x-derived", "x-inputs", "x-editable-by"];
const TYPES: [&str; 8] = ["string", "integer", "number", "boolean", "date", "timestamp", "array", "object"];

/// What an import must know of a contract.
#[derive(Debug)]
pub(super) struct Contract {
    /// What programs call it: prompts of Folio begin with it.
    pub(super) id: String,
    /// Whether it says what a record is.
    pub(super) is_described: bool,
    /// The fields.
    pub(super) fields: Vec<Field>,
}

/// A field.
#[derive(Debug)]
pub(super) struct Field {
    /// What it is called.
    pub(super) name: String,
    /// Whether its values are made.
    pub(super) derived: bool,
}

impl Contract {
    /// The field of that name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Reads a contract.
///
/// Errors: it is none, or none for qtool.
pub(super) fn contract(text: &str) -> Result<Contract, Flaw> {
    let Value::Object(said) = document(text).map_err(|why| Flaw::from(why.to_string()))? else {
        return Err("it is no mapping".into());
    };
    for key in ["apiVersion", "id", "name", "version"] {
        words(&said, key)?;
    }
    if said.get("kind").and_then(Value::as_str) != Some("DataContract") {
        return Err("its `kind` is not `DataContract`".into());
    }
    let schema = match said.get("schema").and_then(Value::as_array).map(Vec::as_slice) {
        Some([Value::Object(schema)]) => schema,
        _ => return Err("its `schema` has not exactly one entry".into()),
    };
    known(schema, &OF_SCHEMAS, "of a schema")?;
    words(schema, "name")?;
    if schema.get("physicalType").is_some_and(|kind| kind != "jsonl") {
        return Err("its `physicalType` is not `jsonl`".into());
    }
    let properties = schema.get("properties").and_then(Value::as_array).filter(|all| !all.is_empty());
    let properties = properties.ok_or_else(|| Flaw::from("it has no `properties`"))?;
    let fields = properties.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    check(properties, &fields)?;
    let description = said.get("description").filter(|text| !text.is_null());
    if description.is_some_and(|text| !text.is_string()) {
        return Err("its `description` is no text".into());
    }
    Ok(Contract { id: words(&said, "id")?.to_owned(), is_described: description.is_some(), fields })
}

fn field(property: &Value) -> Result<Field, Flaw> {
    let Value::Object(said) = property else { return Err("a property is no mapping".into()) };
    let name = words(said, "name")?;
    known(said, &OF_PROPERTIES, &format!("of `{name}`"))?;
    let ty = words(said, "logicalType")?;
    if !TYPES.contains(&ty) {
        return Err(format!("`{name}` is of the type `{ty}`, which is none").into());
    }
    let is_key = flag(said, "primaryKey")?;
    flag(said, "required")?;
    let derived = flag(said, "x-derived")?;
    if is_key && (derived || matches!(ty, "array" | "object")) {
        return Err(format!("`{name}` cannot tell records apart: it is derived, a list or an object").into());
    }
    for key in ["x-inputs", "x-editable-by", "enum"] {
        texts(said, key).ok_or_else(|| Flaw::from(format!("`{key}` of `{name}` is no list of texts")))?;
    }
    if let Some(allowed) = texts(said, "enum").flatten() {
        if ty != "string" {
            return Err(format!("`{name}` has an `enum`, which is of texts, and is of the type `{ty}`").into());
        }
        let is_twice = |at: usize, text: &&str| allowed.iter().take(at).any(|other| other == text);
        if allowed.is_empty() || allowed.iter().enumerate().any(|(at, text)| is_twice(at, text)) {
            return Err(format!("the `enum` of `{name}` is empty, or has a text twice").into());
        }
    }
    Ok(Field { name: name.to_owned(), derived })
}

/// What fields are to each other.
fn check(properties: &[Value], fields: &[Field]) -> Result<(), Flaw> {
    let is_key = |property: &&Value| property.get("primaryKey").and_then(Value::as_bool) == Some(true);
    match properties.iter().filter(is_key).count() {
        0 => return Err("no field tells records apart: one of them says `primaryKey: true`".into()),
        1 => {}
        _ => return Err("several fields say `primaryKey: true`".into()),
    }
    for (at, field) in fields.iter().enumerate() {
        if fields.iter().take(at).any(|other| other.name == field.name) {
            return Err(format!("it has the field `{}` twice", field.name).into());
        }
    }
    for (property, field) in properties.iter().zip(fields) {
        let inputs = property.as_object().and_then(|said| texts(said, "x-inputs")).flatten().unwrap_or_default();
        if let Some(unknown) = inputs.into_iter().find(|input| !fields.iter().any(|field| field.name == *input)) {
            return Err(format!("`{}` is made of `{unknown}`, which is no field", field.name).into());
        }
    }
    Ok(())
}

/// No other keys than these.
fn known(said: &Map<String, Value>, keys: &[&str], whose: &str) -> Result<(), Flaw> {
    match said.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("`{key}` is no key {whose}").into()),
        None => Ok(()),
    }
}

fn words<'a>(said: &'a Map<String, Value>, key: &str) -> Result<&'a str, Flaw> {
    let text = said.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    text.ok_or_else(|| Flaw::from(format!("it has no text as `{key}`")))
}

fn flag(said: &Map<String, Value>, key: &str) -> Result<bool, Flaw> {
    match said.get(key) {
        None => Ok(false),
        Some(Value::Bool(is)) => Ok(*is),
        Some(other) => match as_bool(other) {
            Some(is) => Err(format!("write `{key}: {is}`: another word for it is a text here").into()),
            None => Err(format!("`{key}` is neither `true` nor `false`").into()),
        },
    }
}

/// The texts of a list; `None` in `Some` where there is none, `None` where it is something else.
fn texts<'a>(said: &'a Map<String, Value>, key: &str) -> Option<Option<Vec<&'a str>>> {
    match said.get(key) {
        None => Some(None),
        Some(Value::Null) if key != "x-inputs" => Some(None),
        Some(Value::Array(items)) => items.iter().map(Value::as_str).collect::<Option<Vec<_>>>().map(Some),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(properties: &str) -> Result<Contract, Flaw> {
        contract(&format!(
            "apiVersion: v3.0.0\nkind: DataContract\nid: todo\nname: To do\nversion: 1.0.0\nslaProperties: []\nschema:\n  \
             - name: items\n    properties:\n{properties}"
        ))
    }

    #[test]
    fn fields_are_read() {
        let found = read(
            "      - { name: id, logicalType: string, primaryKey: true, required: true }\n      - { name: prio, logicalType: string, enum: [P1, on], x-editable-by: null }\n      - { name: made, logicalType: number, x-derived: true, x-inputs: [prio] }\n",
        )
        .unwrap();
        assert_eq!(found.id, "todo");
        let fields: Vec<_> = found.fields.iter().map(|field| (field.name.as_str(), field.derived)).collect();
        assert_eq!(fields, [("id", false), ("prio", false), ("made", true)]);
    }

    #[test]
    fn what_qtool_has_not_is_told() {
        let id = "      - { name: id, logicalType: string, primaryKey: true }\n";
        for (properties, why) in [
            ("      - { name: id, logicalType: string }\n".to_owned(), "no field tells records apart"),
            ("      - { name: id, logicalType: string, primaryKey: yes }\n".to_owned(), "write `primaryKey: true`"),
            ("      - { name: id, logicalType: object, primaryKey: true }\n".to_owned(), "cannot tell"),
            (format!("{id}{id}"), "several fields"),
            (format!("{id}      - {{ name: id, logicalType: string }}\n"), "twice"),
            (format!("{id}      - {{ name: n, logicalType: integer, enum: ['1'] }}\n"), "`enum`"),
            (format!("{id}      - {{ name: n, logicalType: string, enum: [a, a] }}\n"), "twice"),
            (format!("{id}      - {{ name: n, logicalType: text }}\n"), "which is none"),
            (format!("{id}      - {{ name: n, logicalType: string, unique: true }}\n"), "`unique` is no key"),
            (format!("{id}      - {{ name: n, logicalType: string, x-inputs: [gone] }}\n"), "`gone`"),
        ] {
            let told = read(&properties).unwrap_err().to_string();
            assert!(told.contains(why), "{properties}: {told}");
        }
        assert!(contract("[]").is_err() && contract("kind: DataContract").is_err());
    }
}
