//! What a function in Python, or a program in Fractalic's convention, says of itself, as the keys of a manifest: `params`,
//! `description` and `columns`.

use super::python::Returns;
use super::schema_params::{NoParameters, properties, takes_any};
use crate::name::foreign::Naming;
use serde_json::{Map, Value, json};

/// What a function or a program says of itself that a manifest can say.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signature {
    /// What it does.
    pub description: Option<String>,
    /// Its parameters by name, as settings under `params`.
    pub params: Map<String, Value>,
    /// The columns of what it returns, as settings under `columns`; none where that is neither a record nor a plain value.
    pub columns: Map<String, Value>,
    /// What the columns do not say of what it returns.
    pub returns: Returns,
    /// Whether nobody says what it takes: any arguments are handed on.
    pub any_arguments: bool,
    /// What of its parameters has no form, a line each.
    pub notes: Vec<String>,
}

impl Signature {
    /// Reads what the introspector says of a function.
    pub fn of(described: &Value) -> Signature {
        let description = described.pointer("/doc/description").and_then(Value::as_str);
        let description = description.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let parameters = described.get("parameters").and_then(Value::as_array);
        let mut params = Map::new();
        for parameter in parameters.into_iter().flatten() {
            let is_injected = parameter.get("injected").is_some_and(|injected| !injected.is_null());
            if let Some(name) = parameter.get("name").and_then(Value::as_str).filter(|_| !is_injected) {
                params.insert(name.to_owned(), Value::Object(settings(parameter)));
            }
        }
        let (columns, returns) = described.get("returns").map(columns).unwrap_or_default();
        Signature { description, params, columns, returns, ..Signature::default() }
    }

    /// What a program says: an object with `parameters`, which is a JSON Schema, and `description`; `None` where it says nothing.
    ///
    /// Errors: a parameter has no form.
    pub fn of_program(dumped: Option<&Value>) -> Result<Signature, NoParameters> {
        let none = || Signature { any_arguments: true, ..Signature::default() };
        let Some(dumped) = dumped else { return Ok(none()) };
        let description = dumped.get("description").and_then(Value::as_str).map(str::trim);
        let description = description.filter(|text| !text.is_empty()).map(str::to_owned);
        let Some(schema) = dumped.get("parameters").filter(|schema| !schema.is_null() && !takes_any(schema)) else {
            return Ok(Signature { description, ..none() });
        };
        let (found, mut notes) = properties(schema, Naming::Kept)?;
        if schema.get("additionalProperties").is_some_and(|more| *more != Value::Bool(false)) {
            notes.push("it takes more arguments than it names, which have no form here".to_owned());
        }
        let params = found.into_iter().map(|one| (one.name, Value::Object(one.settings))).collect();
        Ok(Signature { description, params, notes, ..Signature::default() })
    }

    /// The text of the file that it is locked in: what it is of, and how that is named.
    pub fn text(&self, what: &str, name: &Value) -> String {
        let mut out = format!("# What the {what} says of itself: written by `qtool lock`.\n");
        for note in &self.notes {
            out.push_str(&format!("# {}\n", note.replace(['\n', '\r'], " ")));
        }
        out.push_str(&format!("{what}: {name}\n"));
        if let Some(description) = &self.description {
            out.push_str(&format!("description: {}\n", Value::from(description.as_str())));
        }
        for (key, map) in [("params", &self.params), ("columns", &self.columns)] {
            if !map.is_empty() {
                out.push_str(&format!("{key}:\n"));
                map.iter()
                    .for_each(|(name, value)| out.push_str(&format!("  {}: {value}\n", Value::from(name.as_str()))));
            }
        }
        if !self.returns.is_usual() {
            out.push_str(&format!("returns: {}\n", self.returns.key()));
        }
        if self.any_arguments {
            out.push_str("any_arguments: true\n");
        }
        out
    }
}

/// The constraints of the introspector that `params` has by the same name.
const CONSTRAINTS: [&str; 10] = [
    "minimum",
    "maximum",
    "exclusive_minimum",
    "exclusive_maximum",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "min_items",
    "max_items",
];

fn settings(parameter: &Value) -> Map<String, Value> {
    let ty = parameter.get("type").unwrap_or(&Value::Null);
    let (name, allowed) = type_of(ty);
    let mut settings = Map::new();
    settings.insert("type".to_owned(), name.into());
    if let Some(text) = parameter.get("description").and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
        settings.insert("description".to_owned(), text.trim().into());
    }
    if let Some(allowed) = allowed {
        settings.insert("allowed_values".to_owned(), allowed);
    }
    let constraints = ty.get("constraints").and_then(Value::as_object);
    let known = constraints.into_iter().flatten().filter(|(key, _)| CONSTRAINTS.contains(&key.as_str()));
    settings.extend(known.map(|(key, value)| (key.clone(), value.clone())));
    // What may be `None` may be left out: then that is what the function gets.
    let may_be_none = ty.get("nullable") == Some(&Value::Bool(true));
    let is_required = parameter.get("required") == Some(&Value::Bool(true)) && !may_be_none;
    match parameter.get("default").filter(|default| !default.is_null()) {
        Some(default) if !is_required => drop(settings.insert("default".to_owned(), default.clone())),
        _ if !is_required => drop(settings.insert("required".to_owned(), Value::Bool(false))),
        _ => {}
    }
    settings
}

/// The type of SQL for one of Python, and its allowed values where it has such.
fn type_of(ty: &Value) -> (String, Option<Value>) {
    let kind = ty.get("type").and_then(Value::as_str).unwrap_or_default();
    let plain = match kind {
        "text" => "text",
        "integer" => "bigint",
        "number" => "double",
        "boolean" => "boolean",
        "date" => "date",
        "time" => "time",
        "timestamp" => "timestamptz",
        "decimal" => "decimal(38,10)",
        "bytes" => "bytea",
        "uuid" => "uuid",
        "enum" => return of_values(ty.get("values").and_then(Value::as_array).map_or(&[], Vec::as_slice)),
        "list" => {
            let (item, allowed) = type_of(ty.get("items").unwrap_or(&Value::Null));
            let is_plain = item != "json" && !item.ends_with("[]") && allowed.is_none();
            return (if is_plain { format!("{item}[]") } else { "json".to_owned() }, None);
        }
        _ => "json",
    };
    (plain.to_owned(), None)
}

fn of_values(values: &[Value]) -> (String, Option<Value>) {
    let all = || Some(Value::from(values.to_vec()));
    if values.iter().all(Value::is_string) {
        ("text".to_owned(), all())
    } else if values.iter().all(Value::is_i64) {
        ("bigint".to_owned(), all())
    } else {
        ("json".to_owned(), None)
    }
}

/// The column of a value that is no record.
pub const RESULT: &str = "result";
/// The types of values that stand alone.
const SCALARS: [&str; 9] =
    ["text", "bigint", "double", "boolean", "date", "time", "timestamptz", "decimal(38,10)", "uuid"];

/// The columns of a record, or of a list of some; of a plain value, the one of [`RESULT`]. None of anything else.
fn columns(returns: &Value) -> (Map<String, Value>, Returns) {
    let kind = |ty: &Value| ty.get("type").and_then(Value::as_str).map(str::to_owned);
    let record = match kind(returns).as_deref() {
        Some("object") => Some(returns),
        Some("list") => returns.get("items").filter(|items| kind(items).as_deref() == Some("object")),
        _ => None,
    };
    let fields = record.and_then(|record| record.get("fields")).and_then(Value::as_array);
    let mut columns = Map::new();
    if record.is_none()
        && let (ty, _) = type_of(returns)
        && SCALARS.contains(&ty.as_str())
    {
        columns.insert(RESULT.to_owned(), json!({"type": ty}));
        return (columns, Returns::Value);
    }
    for field in fields.into_iter().flatten() {
        let Some(name) = field.get("name").and_then(Value::as_str) else { continue };
        let (ty, _) = type_of(field.get("type").unwrap_or(&Value::Null));
        let mut settings = Map::from_iter([("type".to_owned(), Value::from(ty))]);
        if let Some(text) = field.get("description").and_then(Value::as_str) {
            settings.insert("description".to_owned(), json!(text));
        }
        columns.insert(name.to_owned(), Value::Object(settings));
    }
    let may_be_none = returns.get("nullable") == Some(&Value::Bool(true));
    let returns = if may_be_none && !columns.is_empty() { Returns::Optional } else { Returns::Rows };
    (columns, returns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_written_as_a_manifest() {
        let described = json!({
            "doc": {"description": "The forecast.\n"},
            "parameters": [
                {"name": "city", "type": {"type": "text", "constraints": {"max_length": 80}}, "required": true, "description": "A city"},
                {"name": "days", "type": {"type": "integer"}, "required": false, "default": 3},
                {"name": "units", "type": {"type": "enum", "values": ["C", "F"], "nullable": true}, "required": false, "default": null},
                {"name": "tags", "type": {"type": "list", "items": {"type": "text"}}, "required": true},
                {"name": "item", "type": {"type": "object", "fields": []}, "required": true},
                {"name": "context", "type": {"type": "missing"}, "injected": "context"}
            ],
            "returns": {"type": "list", "items": {"type": "object", "fields": [
                {"name": "day", "type": {"type": "date"}}, {"name": "degrees", "type": {"type": "number"}, "description": "Warm"}
            ]}}
        });
        let text = "# What the function says of itself: written by `qtool lock`.\nfunction: \"m:f\"\ndescription: \"The forecast.\"\nparams:\n  \
                    \"city\": {\"type\":\"text\",\"description\":\"A city\",\"max_length\":80}\n  \"days\": {\"type\":\"bigint\",\"default\":3}\n  \
                    \"units\": {\"type\":\"text\",\"allowed_values\":[\"C\",\"F\"],\"required\":false}\n  \"tags\": {\"type\":\"text[]\"}\n  \
                    \"item\": {\"type\":\"json\"}\ncolumns:\n  \"day\": {\"type\":\"date\"}\n  \"degrees\": {\"type\":\"double\",\"description\":\"Warm\"}\n";
        assert_eq!(Signature::of(&described).text("function", &json!("m:f")), text);
    }

    #[test]
    fn what_a_program_dumps_is_written_as_a_manifest() {
        let dumped = json!({"description": " Greets. ", "parameters": {"type": "object", "properties": {
            "name": {"type": "string", "description": "Whom."}, "times": {"type": "integer", "default": 1, "format": "int32"}
        }, "required": ["name"], "additionalProperties": {}}});
        let signature = Signature::of_program(Some(&dumped)).unwrap();
        assert_eq!(
            signature.text("program", &json!(["greet.py"])),
            "# What the program says of itself: written by `qtool lock`.\n# `format` of parameter `times` has no form here\n\
             # it takes more arguments than it names, which have no form here\n\
             program: [\"greet.py\"]\ndescription: \"Greets.\"\nparams:\n  \"name\": {\"type\":\"text\",\"description\":\"Whom.\"}\n  \
             \"times\": {\"type\":\"bigint\",\"default\":1}\n"
        );
        let any = [None, Some(json!({"description": ""})), Some(json!({"parameters": {"additionalProperties": true}}))];
        for dumped in any {
            assert!(Signature::of_program(dumped.as_ref()).unwrap().any_arguments, "{dumped:?}");
        }
        let none = Signature::of_program(Some(&json!({"parameters": {"properties": {}}}))).unwrap();
        assert_eq!(none, Signature::default());
        assert!(Signature::of_program(Some(&json!({"parameters": {"properties": {"maxRows": {}}}}))).is_err());
    }
}
