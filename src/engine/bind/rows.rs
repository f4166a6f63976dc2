//! Lists of rows: each field of each row is read like an argument of its own.

use super::{BoundCall, value_of_argument};
use crate::engine::code::CallCode;
use crate::engine::defaults::Defaults;
use crate::engine::error::CallError;
use crate::name::nearest;
use crate::tool::{Contract, Parameter};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, shortened};
use chrono::{DateTime, Utc};
use datafusion::common::ScalarValue;
use serde_json::{Map, Value};

/// More rows with errors are not told one by one.
const MOST_ERRORS: usize = 10;

/// A row of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    /// The values of the fields, in their order; `None` is NULL, or a field left out.
    pub values: Vec<Option<ScalarValue>>,
    /// Which of them are sent, if as null.
    pub sent: Vec<bool>,
}

/// The rows of a list.
///
/// Errors: all that is wrong with them, up to some number.
pub(super) fn rows_of_argument(
    list: &Parameter,
    sent: Option<&Value>,
    coercion: &Coercion,
    defaults: (&Defaults, DateTime<Utc>),
) -> Result<Vec<Row>, Vec<CallError>> {
    let name = list.name.as_str();
    let Some(sent) = sent else {
        let message = format!("the argument `{name}` is required");
        let error = CallError::about(CallCode::MissingArgument, name, message);
        return Err(vec![CallError { expected: Some(expected_rows(list)), ..error }]);
    };
    // Several models send the text of a list.
    let decoded = Type::List(Box::new(Type::Json)).decoded(sent, coercion, Value::is_array);
    let decoded = decoded.map_err(|mismatch| vec![misfit(list, "", &mismatch.expected, sent)])?;
    let Some(items) = decoded.as_ref().unwrap_or(sent).as_array() else {
        return Err(vec![misfit(list, "", &expected_rows(list), sent)]);
    };
    let (least, most) = (list.constraints.min_items.unwrap_or(0), list.constraints.max_items.unwrap_or(u64::MAX));
    let count = items.len() as u64;
    if count < least || count > most {
        let (word, bound) = if count < least { ("at least", least) } else { ("at most", most) };
        let rows = if bound == 1 { "row" } else { "rows" };
        let expected = format!("a list of {word} {bound} {rows}");
        let message = format!("the argument `{name}` must be {expected}, got {count}");
        return Err(vec![
            CallError::about(CallCode::InvalidArgument, name, message).expected(expected, count.to_string()),
        ]);
    }
    let (mut rows, mut errors) = (Vec::with_capacity(items.len()), Vec::new());
    for (at, item) in items.iter().enumerate() {
        match row(list, at, item, coercion, defaults) {
            Ok(row) => rows.push(row),
            Err(wrong) => errors.extend(wrong),
        }
        if errors.len() >= MOST_ERRORS {
            break;
        }
    }
    if errors.is_empty() { Ok(rows) } else { Err(errors) }
}

fn row(
    list: &Parameter,
    at: usize,
    item: &Value,
    coercion: &Coercion,
    defaults: (&Defaults, DateTime<Utc>),
) -> Result<Row, Vec<CallError>> {
    let step = format!("[{at}]");
    let of_record = Type::Struct(Vec::new()).decoded(item, coercion, Value::is_object);
    let decoded = of_record.map_err(|mismatch| vec![misfit(list, &step, &mismatch.expected, item)])?;
    let Some(object) = decoded.as_ref().unwrap_or(item).as_object() else {
        return Err(vec![misfit(list, &step, &expected_row(list), item)]);
    };
    let mut errors = unknown_fields(list, &step, object);
    let mut row = Row::default();
    for field in &list.fields {
        let value =
            value_of_argument(field, object.get(&field.name), coercion, &|| defaults.0.value(field, defaults.1));
        match value {
            Ok(value) => {
                row.values.push(value);
                row.sent.push(object.contains_key(&field.name));
            }
            Err(_) => {
                // Under the name that says where it stands.
                let placed = Parameter { name: format!("{}{step}.{}", list.name, field.name), ..field.clone() };
                let told = value_of_argument(&placed, object.get(&field.name), coercion, &|| {
                    defaults.0.value(field, defaults.1)
                })
                .err();
                errors.extend(told);
            }
        }
    }
    if errors.is_empty() { Ok(row) } else { Err(errors) }
}

fn unknown_fields(list: &Parameter, step: &str, object: &Map<String, Value>) -> Vec<CallError> {
    let known: Vec<&str> = list.fields.iter().map(|field| field.name.as_str()).collect();
    let unknown = object.keys().filter(|key| !known.contains(&key.as_str())).take(MOST_ERRORS);
    let told = unknown.map(|key| {
        let shown = format!("{}{step}.{}", list.name, super::shown_name(key));
        let error = CallError::about(CallCode::UnknownArgument, &shown, format!("a row has no field `{shown}`"));
        match nearest(key, known.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("the fields are {}", known.join(", "))),
        }
    });
    told.collect()
}

fn expected_rows(list: &Parameter) -> String {
    format!("a list of rows, each {}", expected_row(list))
}

/// The keys of a row, those in brackets that may be left out.
fn expected_row(list: &Parameter) -> String {
    let name = |field: &Parameter| if field.required { field.name.clone() } else { format!("[{}]", field.name) };
    format!("an object with the keys {}", list.fields.iter().map(name).collect::<Vec<_>>().join(", "))
}

fn misfit(list: &Parameter, step: &str, expected: &str, sent: &Value) -> CallError {
    let (name, got) = (list.name.as_str(), shortened(sent));
    let message = format!("the argument `{name}{step}` must be {expected}, got {got}");
    CallError::about(CallCode::InvalidArgument, name, message).expected(expected.to_owned(), got)
}

impl BoundCall {
    /// How many rows the list has whose field a slot is; one where it is none.
    pub(in crate::engine) fn rows_of(&self, tool: &Contract, slot: usize) -> usize {
        let list = tool.slot(slot).and_then(|one| tool.list_of(&one.parameter));
        list.and_then(|(list, _)| self.rows.get(&list.name)).map_or(1, Vec::len)
    }

    /// How many rows a list has.
    pub(in crate::engine) fn count_of_rows(&self, list: &str) -> usize {
        self.rows.get(list).map_or(0, Vec::len)
    }

    /// The value of a field of a row; `None` where it is NULL, or left out.
    pub(in crate::engine) fn value_in_row(&self, list: &str, row: usize, field: usize) -> Option<&ScalarValue> {
        self.rows.get(list)?.get(row)?.values.get(field)?.as_ref()
    }

    /// Whether a field of a row is sent, if as null.
    pub(in crate::engine) fn is_sent_in_row(&self, list: &str, row: usize, field: usize) -> bool {
        let row = self.rows.get(list).and_then(|rows| rows.get(row));
        row.and_then(|row| row.sent.get(field)) == Some(&true)
    }

    /// The value of `$n`, counted from 0; of a field of a list of rows, that of a row.
    pub(in crate::engine) fn slot_in(&self, tool: &Contract, at: usize, row: Option<usize>) -> Option<&ScalarValue> {
        match tool.list_of(&tool.slot(at)?.parameter) {
            Some((list, field)) => self.value_in_row(&list.name, row?, field),
            None => self.slot(tool, at),
        }
    }
}
