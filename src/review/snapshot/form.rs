//! A tool as the mapping that its snapshot shows, and back.
//!
//! The mapping is the tool's own serialised form, made short: parameters and columns by their names, statements with
//! names in them, no nulls. A field that this file does not know is shown as it is.

use super::statement::{Reader, shown_statement};
use crate::review::sql;
use crate::tool::{OutputColumn, Parameter, PlaceholderUse, Tool, flat};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The keys in the order in which they are shown; others come before the statements.
const FIRST: [&str; 16] = [
    "name",
    SIGNATURE,
    "title",
    "description",
    "tags",
    "version",
    "scopes",
    "icons",
    "meta",
    "parameters",
    "native_input",
    "output_schema",
    "columns",
    "result_limit",
    "default_limit",
    "table_format",
];
const LAST: [&str; 5] = ["annotations", "tables", "rules", "views", "statement"];
/// How it is called, at a glance; follows from the parameters.
const SIGNATURE: &str = "signature";
/// What is done with tables, where that is no statement.
const OF_TABLES: &str = "does";
/// Which statements have `$n` in them, because names would not read back.
const PLACEHOLDERS: &str = "placeholders";
/// What is worked out anew from the rest when a snapshot is written.
pub(super) const FOLLOWS: [&str; 2] = [SIGNATURE, PLACEHOLDERS];
/// Settings that are shown only where they are true.
const SWITCHES: [&str; 2] = ["count_total", "strict"];

/// The mapping of a tool.
pub(super) fn write(tool: &Tool) -> Map<String, Value> {
    let mut all = flat::write(tool);
    all.insert(
        "parameters".into(),
        named(tool.contract.parameters().iter().map(|one| (one.name.clone(), parameter(one)))),
    );
    all.insert("columns".into(), named(tool.contract.columns().iter().map(|one| (one.name.clone(), column(one)))));
    let hints = all.get("annotations").and_then(Value::as_object).into_iter().flatten();
    let hints: Vec<Value> =
        hints.filter(|(_, is)| **is == Value::Bool(true)).map(|(name, _)| name.as_str().into()).collect();
    all.insert("annotations".into(), hints.into());
    for key in SWITCHES {
        all.retain(|name, value| name != key || *value == Value::Bool(true));
    }
    for key in ["meta", "native_input", "output_schema"] {
        if let Some(value) = all.get_mut(key) {
            // The order of keys says nothing.
            value.sort_all_objects();
        }
    }
    all.insert(SIGNATURE.into(), signature(tool).into());
    if tool.table_set().is_none() {
        statements(tool, &mut all);
    }
    if tool.is_foreign() {
        all.shift_remove("statement");
    }
    all.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|items| !items.is_empty()));
    all.retain(|key, value| {
        !["parameters", "columns"].contains(&key.as_str()) || value.as_object().is_none_or(|map| !map.is_empty())
    });
    ordered(all)
}

/// The tool that a mapping shows.
///
/// Errors: it shows none.
pub(super) fn read(value: Value) -> Result<Tool, String> {
    let mut all = object(value);
    if all.is_empty() {
        return Err("it is no mapping".to_owned());
    }
    all.remove(SIGNATURE);
    match all.contains_key(OF_TABLES) {
        // There is no statement in it.
        true => all.extend([PLACEHOLDERS, "rules"].map(|key| (key.to_owned(), json!([])))),
        false => read_statements(&mut all)?,
    }
    let parameters = object(all.remove("parameters").unwrap_or_default()).into_iter();
    let parameters = parameters.map(|(name, value)| read_parameter(name, object(value)));
    all.insert("parameters".into(), parameters.collect::<Vec<_>>().into());
    let columns = object(all.remove("columns").unwrap_or_default()).into_iter();
    let columns = columns.map(|(name, value)| read_column(name, value));
    all.insert("columns".into(), columns.collect::<Vec<_>>().into());
    let hints = all.remove("annotations").unwrap_or_default();
    let has = |hint: &str| hints.as_array().is_some_and(|hints| hints.iter().any(|one| one == hint));
    let hints =
        ["read_only", "destructive", "idempotent", "open_world"].map(|hint| (hint.to_owned(), has(hint).into()));
    all.insert("annotations".into(), Value::Object(hints.into_iter().collect()));
    for key in ["tags", "tables", "expose"] {
        all.entry(key).or_insert_with(|| json!([]));
    }
    for key in SWITCHES {
        all.entry(key).or_insert(Value::Bool(false));
    }
    flat::read(Value::Object(all)).map_err(|error| error.to_string())
}

/// `late_flights(carrier, min_delay = 60, origin?)`: what an agent sends, with what holds where it does not.
fn signature(tool: &Tool) -> String {
    let one = |parameter: &Parameter| match (&parameter.default, &parameter.default_expression) {
        (Some(Value::String(text)), _) => format!("{} = {text}", parameter.name),
        (Some(value), _) => format!("{} = {value}", parameter.name),
        (None, Some(sql)) => format!("{} = {sql}", parameter.name),
        (None, None) if parameter.required => parameter.name.clone(),
        (None, None) => format!("{}?", parameter.name),
    };
    let parameters: Vec<String> = match tool.contract.schema() {
        Some(schema) => of_schema(schema),
        None => tool.contract.published().map(one).collect(),
    };
    format!("{}({})", tool.contract.name, parameters.join(", "))
}

/// The same of properties of a schema that is not ours.
fn of_schema(schema: &Value) -> Vec<String> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name));
    let one = |(name, property): (&String, &Value)| match property.get("default") {
        Some(Value::String(text)) => format!("{name} = {text}"),
        Some(value) if !value.is_null() => format!("{name} = {value}"),
        _ if is_required(name) => name.clone(),
        _ => format!("{name}?"),
    };
    // In the order of the alphabet, as a snapshot has the properties: it says nothing.
    let properties = schema.get("properties").and_then(Value::as_object);
    let sorted: BTreeMap<&String, &Value> = properties.into_iter().flatten().collect();
    sorted.into_iter().map(one).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn named(entries: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(entries.collect())
}

fn ordered(mut all: Map<String, Value>) -> Map<String, Value> {
    let mut take = |keys: &[&str]| -> Vec<(String, Value)> {
        keys.iter().filter_map(|key| all.shift_remove_entry(*key)).collect()
    };
    let (first, last) = (take(&FIRST), take(&LAST));
    first.into_iter().chain(all).chain(last).collect()
}

/// The type first, then whether it must be sent, what it means, and what is accepted.
fn parameter(parameter: &Parameter) -> Value {
    let mut all = object(serde_json::to_value(parameter).unwrap_or_default());
    let constraints = object(all.remove("constraints").unwrap_or_default());
    let mut shown = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value.filter(|value| !value.is_null()) {
            shown.insert(key.to_owned(), value);
        }
    };
    put("type", all.remove("type"));
    put("required", all.remove("required").filter(|required| *required == Value::Bool(true)));
    for key in ["default", "default_expression", "from", "description"] {
        put(key, all.remove(key));
    }
    // The query stands before the values that it gave.
    put("allowed_query", all.remove("allowed_query"));
    constraints.into_iter().for_each(|(key, value)| put(&key, Some(value)));
    let choices = parameter.choices.iter().map(|one| (one.key.clone(), Value::from(one.sql.as_str())));
    put("choices", (!parameter.choices.is_empty()).then(|| named(choices)));
    let examples = all.remove("examples").filter(|examples| *examples != json!([]));
    put("examples", examples);
    let fields = parameter.fields.iter().map(|field| (field.name.clone(), self::parameter(field)));
    put("fields", parameter.is_list_of_rows().then(|| named(fields)));
    for (key, value) in all.into_iter().filter(|(key, _)| !["name", "choices", "fields"].contains(&key.as_str())) {
        put(&key, Some(value));
    }
    Value::Object(shown)
}

/// What says something of the parameter itself; all else is a constraint.
const OF_PARAMETERS: [&str; 11] = [
    "type",
    "also",
    "required",
    "default",
    "default_expression",
    "from",
    "description",
    "allowed_query",
    "choices",
    "examples",
    "fields",
];

fn read_parameter(name: String, shown: Map<String, Value>) -> Value {
    let (own, constraints): (Map<String, Value>, Map<String, Value>) =
        shown.into_iter().partition(|(key, _)| OF_PARAMETERS.contains(&key.as_str()));
    let mut all = own;
    if let Some(choices) = all.remove("choices") {
        let choices = object(choices).into_iter().map(|(key, sql)| json!({"key": key, "sql": sql}));
        all.insert("choices".into(), choices.collect::<Vec<_>>().into());
    }
    if let Some(fields) = all.remove("fields") {
        let fields = object(fields).into_iter().map(|(name, field)| read_parameter(name, object(field)));
        all.insert("fields".into(), fields.collect::<Vec<_>>().into());
    }
    all.insert("name".into(), name.into());
    all.entry("required").or_insert(Value::Bool(false));
    all.entry("examples").or_insert_with(|| json!([]));
    all.insert("constraints".into(), Value::Object(constraints));
    Value::Object(all)
}

/// `int not null`, and the description where there is one.
fn column(column: &OutputColumn) -> Value {
    let ty = format!("{}{}", column.ty, if column.nullable { "" } else { NOT_NULL });
    let mut shown = Map::from_iter([("type".to_owned(), Value::from(ty.as_str()))]);
    shown.extend(column.numbers.unusual().map(|(name, form)| (name.to_owned(), form.to_string().into())));
    shown.extend(column.description.as_ref().map(|text| ("description".to_owned(), text.as_str().into())));
    if shown.len() == 1 { ty.into() } else { shown.into() }
}

const NOT_NULL: &str = " not null";

fn read_column(name: String, shown: Value) -> Value {
    let (ty, mut column) = match shown {
        Value::Object(mut map) => (map.remove("type").unwrap_or_default(), map),
        ty => (ty, Map::new()),
    };
    let ty = ty.as_str().unwrap_or_default();
    let bare = ty.strip_suffix(NOT_NULL);
    column.insert("name".into(), name.into());
    column.insert("type".into(), bare.unwrap_or(ty).into());
    column.insert("nullable".into(), bare.is_none().into());
    column.into()
}

/// The statements with names; with numbers, and what they stand for, where names would not read back as the same.
fn statements(tool: &Tool, all: &mut Map<String, Value>) {
    let with_names = Statements::of(tool).shown(&tool.contract.placeholders);
    let statements = match says_the_same(tool, &with_names) {
        true => {
            all.remove(PLACEHOLDERS);
            with_names
        }
        false => {
            let uses = tool
                .contract
                .placeholders
                .iter()
                .map(|used| format!("{}{}", used.parameter, if used.list { LIST } else { "" }));
            all.insert(PLACEHOLDERS.into(), uses.collect::<Vec<_>>().into());
            Statements::of(tool).shown(&[])
        }
    };
    let views = tool.views().iter().zip(&statements.views);
    let views = views.map(|(view, text)| (view.name.clone(), text.as_str().into()));
    all.insert("views".into(), if statements.views.is_empty() { Value::Null } else { named(views) });
    let rules = tool.contract.rules.iter().zip(&statements.rules);
    let rules = rules.map(|(rule, check)| json!({"check": condition(check), "message": rule.message}));
    all.insert("rules".into(), rules.collect::<Vec<_>>().into());
    all.insert("statement".into(), statements.statement.into());
}

/// Whether what reads back runs as the tool does.
fn says_the_same(tool: &Tool, with_names: &Statements) -> bool {
    let Some((numbered, placeholders)) = with_names.clone().read() else { return false };
    let named = |of: &Statements, placeholders: &[PlaceholderUse]| {
        let one = |text: &String| sql::named(&sql::canonical(text), placeholders, &BTreeMap::new());
        let all = of.views.iter().chain([&of.statement]).chain(&of.rules);
        all.map(one).collect::<Vec<_>>()
    };
    named(&Statements::of(tool), &tool.contract.placeholders) == named(&numbered, &placeholders)
}

const LIST: &str = "[]";

/// The statements of a tool: of its views, its own, and of its rules.
#[derive(Debug, Clone, PartialEq)]
struct Statements {
    views: Vec<String>,
    statement: String,
    rules: Vec<String>,
}

impl Statements {
    fn of(tool: &Tool) -> Statements {
        Statements {
            views: tool.views().iter().map(|view| view.statement.clone()).collect(),
            statement: tool.statement().to_owned(),
            rules: tool.contract.rules.iter().map(|rule| rule.statement.clone()).collect(),
        }
    }

    fn shown(&self, placeholders: &[PlaceholderUse]) -> Statements {
        self.map(&mut |text| Some(shown_statement(text, placeholders))).unwrap_or_else(|| self.clone())
    }

    fn read(self) -> Option<(Statements, Vec<PlaceholderUse>)> {
        let mut reader = Reader::default();
        let read = self.map(&mut |text| reader.read(text))?;
        Some((read, reader.placeholders))
    }

    /// Each, in the order in which placeholders are numbered.
    fn map(&self, with: &mut dyn FnMut(&str) -> Option<String>) -> Option<Statements> {
        let views = self.views.iter().map(|text| with(text)).collect::<Option<_>>()?;
        let statement = with(&self.statement)?;
        let rules = self.rules.iter().map(|text| with(text)).collect::<Option<_>>()?;
        Some(Statements { views, statement, rules })
    }
}

fn read_statements(all: &mut Map<String, Value>) -> Result<(), String> {
    let text = |value: Option<Value>| value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
    let views: Vec<(String, String)> = object(all.remove("views").unwrap_or_default())
        .into_iter()
        .map(|(name, sql)| (name, text(Some(sql))))
        .collect();
    let rules: Vec<Value> = all.remove("rules").and_then(|rules| rules.as_array().cloned()).unwrap_or_default();
    let statements = Statements {
        views: views.iter().map(|(_, sql)| sql.clone()).collect(),
        statement: text(all.remove("statement")),
        rules: rules.iter().map(|rule| selected(&text(rule.get("check").cloned()))).collect(),
    };
    let (statements, placeholders) = match all.remove(PLACEHOLDERS) {
        Some(uses) => (statements, uses.as_array().into_iter().flatten().filter_map(Value::as_str).map(used).collect()),
        None => statements.read().ok_or("a statement cannot be read")?,
    };
    let views = views.iter().zip(&statements.views).map(|((name, _), sql)| json!({"name": name, "statement": sql}));
    all.insert("views".into(), views.collect::<Vec<_>>().into());
    all.insert("statement".into(), statements.statement.into());
    let message = |rule: &Value| text(rule.get("message").cloned());
    let rules = rules.iter().zip(&statements.rules);
    let rules = rules.map(|(rule, check)| json!({"statement": check, "message": message(rule)}));
    all.insert("rules".into(), rules.collect::<Vec<_>>().into());
    let placeholders = serde_json::to_value(placeholders).map_err(|error| error.to_string())?;
    all.insert(PLACEHOLDERS.into(), placeholders);
    Ok(())
}

/// What a rule's statement is around its condition, as it prints.
const AROUND: [&str; 2] = ["SELECT\n  (", ") AS holds"];

fn condition(statement: &str) -> &str {
    let [before, behind] = AROUND;
    let inner = statement.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind));
    inner.filter(|inner| !inner.starts_with("SELECT")).unwrap_or(statement)
}

fn selected(condition: &str) -> String {
    let [before, behind] = AROUND;
    if condition.starts_with("SELECT") { condition.to_owned() } else { format!("{before}{condition}{behind}") }
}

fn used(text: &str) -> PlaceholderUse {
    let name = text.strip_suffix(LIST);
    PlaceholderUse { parameter: name.unwrap_or(text).to_owned(), list: name.is_some() }
}
