//! What the values of JSON are written as. A column whose values are numbers here and texts there has no type.

use super::whole::exact::quoted;
use serde_json::Value;
use std::collections::HashMap;

/// Where a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    /// The place of its file among the files.
    pub(super) file: usize,
    /// The byte of its file.
    pub(super) at: usize,
    /// Its number in its file, counted from 1.
    pub(super) number: usize,
}

/// What a value is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Number,
    Text,
    List,
    Object,
}

impl Kind {
    /// `None` for null, which is of no kind.
    fn of(value: &Value) -> Option<Kind> {
        match value {
            Value::Null => None,
            Value::Bool(_) => Some(Kind::Boolean),
            Value::Number(_) => Some(Kind::Number),
            Value::String(_) => Some(Kind::Text),
            Value::Array(_) => Some(Kind::List),
            Value::Object(_) => Some(Kind::Object),
        }
    }

    fn is_scalar(self) -> bool {
        !matches!(self, Kind::List | Kind::Object)
    }

    fn shown(self) -> &'static str {
        match self {
            Kind::Boolean => "true or false",
            Kind::Number => "a number",
            Kind::Text => "a text",
            Kind::List => "a list",
            Kind::Object => "an object",
        }
    }
}

/// Two values of a column that are of different kinds.
#[derive(Debug)]
pub(super) struct Mixed {
    /// The row of the second.
    pub(super) at: Row,
    /// The row of the first value of the column.
    pub(super) first: Row,
    column: String,
    value: String,
    kinds: (Kind, Kind),
    /// Whether it is inside of values that are all lists, or all objects.
    is_inside: bool,
}

impl Mixed {
    /// What stands in which record.
    pub(super) fn kinds_told(&self) -> String {
        let (one, other) = (self.kinds.0.shown(), self.kinds.1.shown());
        format!("{one} in record {}, {other} in the same place of record {}", self.first.number, self.at.number)
    }

    /// What is wrong, and what to do, where the rows are in those places.
    pub(super) fn told(&self, at: &str, first: &str) -> String {
        let (column, value, before) = (quoted(&self.column), quoted(&self.value), self.kinds.0.shown());
        let (one, other) = self.kinds;
        let what_to_do = match self.kinds {
            _ if self.is_inside || !one.is_scalar() || !other.is_scalar() => {
                "write all its values alike, or declare its type `json`"
            }
            (Kind::Number, Kind::Text) | (Kind::Text, Kind::Number) => {
                "write all alike, or declare its type, for numbers or `text`"
            }
            _ => "write all its values alike, or declare its type `text`",
        };
        format!("column {column} holds {value} in {at}, but {before} in {first}: {what_to_do}")
    }
}

/// The kinds of all rows' values.
pub(super) struct Kinds<'a> {
    /// The columns whose type is declared: it may be read of numbers and of texts.
    declared: &'a [String],
    columns: HashMap<String, Seen>,
}

impl<'a> Kinds<'a> {
    /// Nothing is seen yet.
    pub(super) fn new(declared: &'a [String]) -> Kinds<'a> {
        Kinds { declared, columns: HashMap::new() }
    }

    /// Adds the values of a row.
    ///
    /// Errors: one of another kind than that of the same place in a row before.
    pub(super) fn add(&mut self, row: &Value, at: Row) -> Result<(), Mixed> {
        row.as_object().into_iter().flatten().try_for_each(|(name, value)| self.add_value(name, value, at))
    }

    /// Adds a value of a column.
    ///
    /// Errors: it, or a part of it, is of another kind than that of the same place in a row before.
    pub(super) fn add_value(&mut self, name: &String, value: &Value, at: Row) -> Result<(), Mixed> {
        let scalars_are_alike = self.declared.contains(name);
        let added = add_field(&mut self.columns, (name, value), at, scalars_are_alike);
        added.map_err(|mixed| {
            let before = self.columns.get(name).and_then(|seen| seen.first);
            let is_inside = before.is_none_or(|(kind, _)| Kind::of(value) == Some(kind));
            Mixed { column: name.clone(), is_inside, ..mixed }
        })
    }
}

/// What was seen in one place of all rows.
#[derive(Default)]
struct Seen {
    first: Option<(Kind, Row)>,
    fields: HashMap<String, Seen>,
    items: Option<Box<Seen>>,
}

impl Seen {
    fn add(&mut self, value: &Value, at: Row, scalars_are_alike: bool) -> Result<(), Mixed> {
        let Some(kind) = Kind::of(value) else { return Ok(()) };
        let (before, first) = *self.first.get_or_insert((kind, at));
        let is_alike = before == kind || (scalars_are_alike && before.is_scalar() && kind.is_scalar());
        if !is_alike {
            let value = value.to_string();
            let kinds = (before, kind);
            return Err(Mixed { at, first, column: String::new(), value, kinds, is_inside: false });
        }
        match value {
            Value::Array(items) => {
                let seen = self.items.get_or_insert_default();
                items.iter().try_for_each(|item| seen.add(item, at, scalars_are_alike))
            }
            Value::Object(fields) => {
                let seen = &mut self.fields;
                fields.iter().try_for_each(|field| add_field(seen, field, at, scalars_are_alike))
            }
            _ => Ok(()),
        }
    }
}

/// Adds what stands under a name, which is copied where it is new.
fn add_field(
    seen: &mut HashMap<String, Seen>,
    (name, value): (&String, &Value),
    at: Row,
    scalars_are_alike: bool,
) -> Result<(), Mixed> {
    if let Some(seen) = seen.get_mut(name) {
        return seen.add(value, at, scalars_are_alike);
    }
    let mut new = Seen::default();
    new.add(value, at, scalars_are_alike)?;
    seen.insert(name.clone(), new);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn added(rows: &[Value], declared: &[String]) -> Result<(), String> {
        let mut kinds = Kinds::new(declared);
        let mut rows = rows.iter().enumerate();
        let added = rows.try_for_each(|(number, row)| kinds.add(row, Row { file: 0, at: 0, number }));
        added.map_err(|mixed| mixed.told(&format!("row {}", mixed.at.number), &format!("row {}", mixed.first.number)))
    }

    #[test]
    fn values_of_one_kind_pass() {
        let rows = [json!({"a": 1, "b": [{"c": null}]}), json!({"a": 2.5, "b": null}), json!({"b": [{"c": "x"}]})];
        assert_eq!(added(&rows, &[]), Ok(()));
        let rows = [json!({"a": 1}), json!({"a": "2"}), json!({"a": true})];
        assert_eq!(added(&rows, &["a".to_owned()]), Ok(()));
    }

    #[test]
    fn values_of_two_kinds_are_told() {
        let told = added(&[json!({"a": 1}), json!({"a": null}), json!({"a": "x"})], &[]).unwrap_err();
        let expected = "column `a` holds `\"x\"` in row 2, but a number in row 0: write all alike, or declare its type, for \
                        numbers or `text`";
        assert_eq!(told, expected);
        let told = added(&[json!({"a": {"b": [1, [2]]}})], &["a".to_owned()]).unwrap_err();
        assert_eq!(
            told,
            "column `a` holds `[2]` in row 0, but a number in row 0: write all its values alike, or declare its type `json`"
        );
        let told = added(&[json!({"a": [1]}), json!({"a": {"b": 1}})], &[]).unwrap_err();
        let expected = "column `a` holds `{\"b\":1}` in row 1, but a list in row 0: write all its values alike, or declare its \
                        type `json`";
        assert_eq!(told, expected);
        let told = added(&[json!({"a": [1]}), json!({"a": ["x"]})], &[]).unwrap_err();
        assert!(told.ends_with("or declare its type `json`"), "{told}");
    }
}
