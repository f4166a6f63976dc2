//! The parameters of tools that are made of tables: tables and columns are listed, so that a client has menus for them.
//!
//! Which column belongs to which table no list can say: a call whose table has not the column is told so.

use crate::project::TableToolKind;
use crate::tool::{Constraints, Parameter, TableSet};
use crate::ty::Type;
use serde_json::{Value, json};

/// The longest text or pattern that is searched for, in characters.
const LONGEST_PATTERN: u64 = 200;
/// The longest SELECT of an agent, in characters.
const LONGEST_SQL: u64 = 10_000;

/// What an agent may send to a tool.
pub(in crate::compile) fn parameters_of(set: &TableSet) -> Vec<Parameter> {
    match set.does {
        TableToolKind::Schema => vec![optional_table(set, "Only the columns of this table.")],
        TableToolKind::Profile => vec![optional_table(set, "Only the columns of this table.")],
        TableToolKind::Read => vec![table(set), columns(set), order_by(set)],
        TableToolKind::SearchSummary => {
            let [pattern, mode, case_sensitive] = search();
            vec![pattern, tables(set), mode, case_sensitive]
        }
        TableToolKind::SearchContent => {
            let [pattern, mode, case_sensitive] = search();
            vec![table(set), pattern, text_columns(set), mode, case_sensitive]
        }
        TableToolKind::Analyze => vec![sql(set), explain()],
    }
}

/// A parameter that may be left out.
fn optional(name: &str, ty: Type, description: &str) -> Parameter {
    Parameter {
        name: name.to_owned(),
        ty,
        also: Vec::new(),
        description: Some(description.to_owned()),
        required: false,
        default: None,
        default_expression: None,
        constraints: Constraints::default(),
        examples: Vec::new(),
        choices: Vec::new(),
        allowed_query: None,
        from: None,
        fields: Vec::new(),
    }
}

/// One of these values. Where there is none, a list of them would be no schema: each call is told then.
fn one_of(parameter: Parameter, values: Vec<Value>) -> Parameter {
    let allowed_values = Some(values).filter(|values| !values.is_empty());
    let constraints = Constraints { allowed_values, ..parameter.constraints };
    Parameter { constraints, ..parameter }
}

fn list_of(name: &str, description: &str, values: Vec<Value>) -> Parameter {
    one_of(optional(name, Type::List(Box::new(Type::Text)), description), values)
}

fn texts<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<Value> {
    names.into_iter().map(Value::from).collect()
}

fn table_names(set: &TableSet) -> Vec<Value> {
    texts(set.described.iter().map(|table| table.name.as_str()))
}

/// The one table that is asked; where there is no other, it need not be named.
fn table(set: &TableSet) -> Parameter {
    let table = one_of(optional("table", Type::Text, "The table."), table_names(set));
    match set.described.as_slice() {
        [only] => Parameter { default: Some(Value::from(only.name.as_str())), ..table },
        _ => Parameter { required: true, ..table },
    }
}

fn optional_table(set: &TableSet, description: &str) -> Parameter {
    one_of(optional("table", Type::Text, description), table_names(set))
}

fn tables(set: &TableSet) -> Parameter {
    list_of("tables", "The tables that are searched. Without it, all of them.", table_names(set))
}

fn columns(set: &TableSet) -> Parameter {
    list_of("columns", "The columns that are returned. Without it, all of the table.", texts(set.column_names()))
}

fn text_columns(set: &TableSet) -> Parameter {
    let description = "The columns that are searched. Without it, all with texts.";
    list_of("columns", description, texts(set.text_column_names()))
}

/// A column by its name, and in the other direction with `desc` behind it.
fn order_by(set: &TableSet) -> Parameter {
    let both = set.sortable_column_names().into_iter().flat_map(|name| [name.to_owned(), format!("{name} desc")]);
    let mut values: Vec<Value> = Vec::new();
    for value in both.map(Value::from) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    list_of("order_by", "What rows are sorted by: columns, with ` desc` behind those from the largest down.", values)
}

/// What is searched for, and how.
fn search() -> [Parameter; 3] {
    let pattern = optional("pattern", Type::Text, "What is searched for.");
    let length = Constraints { min_length: Some(1), max_length: Some(LONGEST_PATTERN), ..Constraints::default() };
    let mode = optional("mode", Type::Text, "Whether `pattern` is a text as it stands, or a regular expression.");
    let case_sensitive =
        optional("case_sensitive", Type::Boolean, "Whether small letters and capitals are told apart.");
    [
        Parameter { required: true, constraints: length, ..pattern },
        Parameter { default: Some(json!("literal")), ..one_of(mode, texts(["literal", "regex"])) },
        Parameter { default: Some(json!(false)), ..case_sensitive },
    ]
}

fn sql(set: &TableSet) -> Parameter {
    let sql = optional("sql", Type::Text, "One SELECT over the tables.");
    let is_plain = |name: &&String| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let names = set.described.iter().map(|table| &table.name);
    let example = names.filter(is_plain).map(|name| json!(format!("SELECT count(*) AS n FROM {name}"))).next();
    let length = Constraints { min_length: Some(1), max_length: Some(LONGEST_SQL), ..Constraints::default() };
    Parameter { required: true, constraints: length, examples: example.into_iter().collect(), ..sql }
}

fn explain() -> Parameter {
    let explain = optional("explain", Type::Boolean, "Return the plan of the SELECT, and do not run it.");
    Parameter { default: Some(json!(false)), ..explain }
}
