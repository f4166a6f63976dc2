//! A tool as MCP publishes it (revision 2026-07-28, `Tool`): schemas in JSON Schema 2020-12, flat.

use crate::project::{AutomaticParameter, Definition, Icon, TableFormat};
use crate::tool::{Constraints, Contract, Output, OutputColumn, Parameter};
use crate::ty::Type;
use crate::ty::json_schema::Nullability;
use serde_json::{Map, Value, json};

/// The most allowed values that are published; more are checked, and not listed.
pub const MAX_ENUM: usize = 100;

/// The whole `Tool` object.
pub fn tool(tool: &Contract) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), tool.name.clone().into());
    let is_full = tool.definition == Definition::Full;
    if is_full {
        object.insert("title".into(), tool.title.clone().into());
    }
    if let Some(description) = super::description::description_of(tool) {
        object.insert("description".into(), description.into());
    }
    if is_full && !tool.icons.is_empty() {
        object.insert("icons".into(), tool.icons.iter().map(icon).collect());
    }
    object.insert("inputSchema".into(), input_schema(tool));
    // What another server does not say of its answers, nobody knows.
    let is_known = !matches!(tool.output, Output::Passed { schema: None });
    if tool.structured_output && is_known {
        object.insert("outputSchema".into(), output_schema(tool));
    }
    if is_full {
        object.insert("annotations".into(), annotations(tool));
    }
    if let Some(meta) = meta(tool) {
        object.insert("_meta".into(), meta);
    }
    Value::Object(object)
}

/// What an agent may send.
pub fn input_schema(tool: &Contract) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for parameter in tool.published() {
        let mut schema = parameter_schema(parameter);
        if tool.definition == Definition::Compact {
            without_bounds_of_64_bits(&mut schema);
        }
        properties.insert(parameter.name.clone(), schema);
        if parameter.required {
            required.push(Value::from(parameter.name.clone()));
        }
    }
    if let (Some(schema), []) = (tool.schema(), tool.expose.as_slice()) {
        return schema.clone();
    }
    if let Some(Value::Object(native)) = tool.schema() {
        let own = native.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties.extend(own.map(|(name, schema)| (name.clone(), schema.clone())));
        required.extend(native.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    }
    for automatic in &tool.expose {
        let (name, schema) = automatic_schema(*automatic, tool);
        properties.insert(name.to_owned(), schema);
    }
    let mut schema = json!({"type": "object", "properties": properties});
    set(&mut schema, "required", (!required.is_empty()).then(|| required.into()));
    set(&mut schema, "additionalProperties", Some(false.into()));
    // What the properties of a tool in Rust refer to.
    let native = tool.schema();
    for definitions in ["$defs", "definitions"] {
        set(&mut schema, definitions, native.and_then(|native| native.get(definitions)).cloned());
    }
    schema
}

/// Takes bounds away that no number breaks which a program reads as an integer. They are enforced all the same.
fn without_bounds_of_64_bits(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    for (key, bound) in [("minimum", i64::MIN), ("maximum", i64::MAX)] {
        if map.get(key).and_then(Value::as_i64) == Some(bound) {
            map.shift_remove(key);
        }
    }
    if let Some(items) = map.get_mut("items") {
        without_bounds_of_64_bits(items);
    }
    let properties = map.get_mut("properties").and_then(Value::as_object_mut);
    properties.into_iter().flat_map(Map::values_mut).for_each(without_bounds_of_64_bits);
}

/// The schema of a row of a list.
fn row_schema(fields: &[Parameter]) -> Value {
    let properties: Map<String, Value> =
        fields.iter().map(|field| (field.name.clone(), parameter_schema(field))).collect();
    let required: Vec<&str> = fields.iter().filter(|one| one.required).map(|one| one.name.as_str()).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    set(&mut schema, "required", (!required.is_empty()).then(|| required.into()));
    set(&mut schema, "additionalProperties", Some(false.into()));
    schema
}

fn parameter_schema(parameter: &Parameter) -> Value {
    let mut schema = match &parameter.ty {
        _ if parameter.is_list_of_rows() => json!({"type": "array", "items": row_schema(&parameter.fields)}),
        Type::List(item) => {
            let mut items = item.input_schema();
            constrain(&mut items, item, &parameter.constraints);
            json!({"type": "array", "items": items})
        }
        ty => {
            let mut schema = ty.input_schema();
            constrain(&mut schema, ty, &parameter.constraints);
            schema
        }
    };
    let constraints = &parameter.constraints;
    // Listed values are texts.
    if !parameter.also.is_empty() && constraints.allowed_values.is_none() {
        set(&mut schema, "type", Some(kinds(parameter)));
    }
    set(&mut schema, "minItems", constraints.min_items.map(Value::from));
    set(&mut schema, "maxItems", constraints.max_items.map(Value::from));
    set(&mut schema, "description", described(parameter).map(Value::from));
    set(&mut schema, "default", parameter.default.clone());
    if !parameter.examples.is_empty() {
        set(&mut schema, "examples", Some(parameter.examples.clone().into()));
    }
    schema
}

/// The types of JSON that a text may be sent as.
fn kinds(parameter: &Parameter) -> Value {
    let mut kinds = vec!["string"];
    for ty in &parameter.also {
        let kind = match ty {
            Type::Boolean => "boolean",
            ty if ty.is_integer() => "integer",
            _ => "number",
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.into()
}

/// The description, with the bounds that JSON Schema cannot say: it bounds numbers only.
fn described(parameter: &Parameter) -> Option<String> {
    let ty = match &parameter.ty {
        Type::List(item) => item,
        ty => ty,
    };
    let constraints = &parameter.constraints;
    let bounds = [
        ("At least", &constraints.minimum),
        ("At most", &constraints.maximum),
        (if matches!(ty, Type::Decimal(..)) { "More than" } else { "Later than" }, &constraints.exclusive_minimum),
        (if matches!(ty, Type::Decimal(..)) { "Less than" } else { "Before" }, &constraints.exclusive_maximum),
    ];
    let mut words: Vec<String> = parameter.description.iter().cloned().collect();
    if !bounds_fit_schema(ty) {
        let bounded = constraints.multiple_of.is_some() || bounds.iter().any(|(_, bound)| bound.is_some());
        if bounded {
            end_sentence(&mut words);
        }
        words.extend(constraints.multiple_of.as_ref().map(|step| format!("A multiple of {step}.")));
        for (what, bound) in bounds {
            let bound = bound.as_ref().map(|bound| bound.as_str().map_or_else(|| bound.to_string(), str::to_owned));
            words.extend(bound.map(|bound| format!("{what} {bound}.")));
        }
    }
    if let Some(values) = constraints.allowed_values.as_ref().filter(|values| values.len() > MAX_ENUM) {
        end_sentence(&mut words);
        words.push(format!("One of {} values.", values.len()));
    }
    if let Some(sql) = &parameter.default_expression {
        end_sentence(&mut words);
        let quote = if sql.contains('`') { "``" } else { "`" };
        words.push(format!("Default: {quote}{sql}{quote}."));
    }
    (!words.is_empty()).then(|| words.join(" "))
}

fn end_sentence(words: &mut [String]) {
    if let Some(said) = words.last_mut().filter(|said| !said.ends_with(['.', '!', '?'])) {
        said.push('.');
    }
}

fn bounds_fit_schema(ty: &Type) -> bool {
    ty.is_integer() || matches!(ty, Type::Real | Type::Double)
}

fn constrain(schema: &mut Value, ty: &Type, constraints: &Constraints) {
    if bounds_fit_schema(ty) {
        set(schema, "minimum", constraints.minimum.clone());
        set(schema, "maximum", constraints.maximum.clone());
        set(schema, "exclusiveMinimum", constraints.exclusive_minimum.clone());
        set(schema, "exclusiveMaximum", constraints.exclusive_maximum.clone());
    }
    if bounds_fit_schema(ty) {
        set(schema, "multipleOf", constraints.multiple_of.clone().map(Value::Number));
    }
    set(schema, "format", constraints.format.map(|format| format.as_str().into()));
    set(schema, "minLength", constraints.min_length.map(Value::from));
    set(schema, "maxLength", constraints.max_length.map(Value::from));
    set(schema, "pattern", constraints.pattern.clone().map(Value::from));
    let listed = constraints.allowed_values.as_ref().filter(|values| values.len() <= MAX_ENUM);
    set(schema, "enum", listed.cloned().map(Value::from));
}

fn set(schema: &mut Value, key: &str, value: Option<Value>) {
    if let Some((map, value)) = schema.as_object_mut().zip(value) {
        map.insert(key.to_owned(), value);
    }
}

pub(super) fn automatic_schema(automatic: AutomaticParameter, tool: &Contract) -> (&'static str, Value) {
    match automatic {
        AutomaticParameter::Limit => {
            let mut schema = json!({"type": "integer", "minimum": 1, "description": "Most rows to return."});
            set(&mut schema, "maximum", tool.result_limit.rows().map(Value::from));
            set(&mut schema, "default", tool.default_limit.or(tool.result_limit.rows()).map(Value::from));
            ("limit", schema)
        }
        AutomaticParameter::Cursor => {
            ("cursor", json!({"type": "string", "description": "Where to go on: `next_cursor` of the page before."}))
        }
        AutomaticParameter::DryRun => {
            let description = "Tell what would be changed, and change nothing.";
            ("dry_run", json!({"type": "boolean", "description": description, "default": false}))
        }
        AutomaticParameter::IdempotencyKey => {
            let description = "A text of your own for this change: with the same one again, nothing is changed twice.";
            let schema = json!({"type": "string", "minLength": 1, "maxLength": 255, "description": description});
            ("idempotency_key", schema)
        }
        AutomaticParameter::TableFormat => (
            "table_format",
            json!({
                "type": "string",
                "enum": TableFormat::ALL.map(TableFormat::as_str),
                "description": "How rows are written.",
                "default": tool.table_format.as_str(),
            }),
        ),
    }
}

/// Where a schema has what it refers to.
const DEFINITIONS: &str = "$defs";

/// What a call returns: one object, in every format.
pub fn output_schema(tool: &Contract) -> Value {
    if let Output::Passed { schema } = &tool.output {
        return schema.clone().unwrap_or_else(|| json!({"type": "object"}));
    }
    if tool.changes.is_none() {
        return schema_of_rows(tool);
    }
    let mut schema = match tool.columns().is_empty() {
        true => json!({
            "type": "object",
            "properties": {"notes": {"type": "array", "items": {"type": "string"}}},
            "required": [],
            "additionalProperties": false,
        }),
        false => schema_of_rows(tool),
    };
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.push("changed".into());
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let changed = json!({"type": "integer", "minimum": 0, "description": "How many rows were changed."});
        properties.insert("changed".into(), changed);
        if tool.expose.contains(&AutomaticParameter::DryRun) {
            let rows = json!({"type": "array", "items": {"type": "object"}});
            let change = json!({
                "type": "object",
                "properties": {
                    "table": {"type": "string"},
                    "operation": {"type": "string", "enum": ["insert", "update", "delete"]},
                    "before": rows,
                    "after": rows,
                },
                "required": ["table", "operation"],
                "additionalProperties": false,
            });
            properties.insert("dry_run".into(), json!({"const": true}));
            properties.insert("changes".into(), json!({"type": "array", "items": change}));
        }
    }
    schema
}

fn schema_of_rows(tool: &Contract) -> Value {
    let properties: Map<String, Value> =
        tool.columns().iter().map(|column| (column.name.clone(), column_schema(column))).collect();
    let names: Vec<&str> = tool.columns().iter().map(|column| column.name.as_str()).collect();
    let row = if tool.output == Output::Rows {
        json!({"type": "object"})
    } else {
        json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
    };
    let list = json!({"type": "array", "items": row});
    let text = json!({"type": "string"});
    let rows = match (tool.expose.contains(&AutomaticParameter::TableFormat), tool.table_format) {
        (true, _) => json!({"anyOf": [list, text]}),
        (false, TableFormat::Structured) => list,
        (false, _) => text,
    };
    let mut schema = json!({
        "type": "object",
        "properties": {
            "table_schema": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "type": {"type": "string"}},
                    "required": ["name", "type"],
                    "additionalProperties": false,
                },
            },
            "rows": rows,
            "returned_result_count": {"type": "integer", "minimum": 0},
            "total_result_count": {"type": ["integer", "null"], "minimum": 0},
            "truncated": {"type": "boolean"},
            "notes": {"type": "array", "items": {"type": "string"}},
            "next_cursor": {"type": "string"},
        },
        "required": ["table_schema", "rows", "returned_result_count", "total_result_count", "truncated"],
        "additionalProperties": false,
    });
    if !tool.expose.contains(&AutomaticParameter::Cursor)
        && let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut)
    {
        properties.remove("next_cursor");
    }
    set(&mut schema, DEFINITIONS, definitions(tool));
    schema
}

/// The definitions of the schema of a column, which stand where those of the whole do.
fn definitions(tool: &Contract) -> Option<Value> {
    tool.columns().iter().find_map(|column| column.schema.as_ref()?.get(DEFINITIONS).cloned())
}

fn without_definitions(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|key, _| key != DEFINITIONS && key != "$schema");
    }
    schema
}

fn column_schema(column: &OutputColumn) -> Value {
    let nullability = if column.nullable { Nullability::Nullable } else { Nullability::NotNull };
    let mut schema = match &column.schema {
        Some(schema) => without_definitions(schema),
        None => column.ty.output_schema(nullability, column.numbers),
    };
    set(&mut schema, "description", column.description.clone().map(Value::from));
    schema
}

/// MCP's `Icon`.
pub(crate) fn icon(icon: &Icon) -> Value {
    let mut object = json!({"src": icon.src});
    set(&mut object, "mimeType", icon.mime_type.clone().map(Value::from));
    set(&mut object, "sizes", (!icon.sizes.is_empty()).then(|| icon.sizes.clone().into()));
    set(&mut object, "theme", icon.theme.map(|theme| json!(theme)));
    object
}

fn annotations(tool: &Contract) -> Value {
    json!({
        "readOnlyHint": tool.annotations.read_only,
        "destructiveHint": tool.annotations.destructive,
        "idempotentHint": tool.annotations.idempotent,
        "openWorldHint": tool.annotations.open_world,
    })
}

/// The author's data, with version and tags under qtool's own key prefix.
fn meta(tool: &Contract) -> Option<Value> {
    let mut meta = tool.meta.clone().unwrap_or_default();
    if let Some(version) = &tool.version {
        meta.insert("qtool/version".into(), version.clone().into());
    }
    if !tool.tags.is_empty() {
        meta.insert("qtool/tags".into(), tool.tags.clone().into());
    }
    (!meta.is_empty()).then_some(Value::Object(meta))
}
