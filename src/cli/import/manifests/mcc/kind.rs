//! The types of MCC's parameters, and values of them.

use super::super::read_yaml::as_bool;
use serde_json::Value;

/// The type of a parameter of MCC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `str`
    Text,
    /// `int`
    Integer,
    /// `float`
    Float,
    /// `bool`
    Boolean,
    /// `list`, whose items may be anything.
    List,
    /// `list[str]` and the like.
    ListOf(&'static str),
    /// `dict`
    Dict,
}

impl Kind {
    /// The type of that name; `None` where MCC has none.
    pub(super) fn named(name: &str) -> Option<Kind> {
        Some(match name {
            "str" => Kind::Text,
            "int" => Kind::Integer,
            "float" => Kind::Float,
            "bool" => Kind::Boolean,
            "list" => Kind::List,
            "list[str]" => Kind::ListOf("text[]"),
            "list[int]" => Kind::ListOf("bigint[]"),
            "list[float]" => Kind::ListOf("double[]"),
            "list[bool]" => Kind::ListOf("boolean[]"),
            "dict" => Kind::Dict,
            _ => return None,
        })
    }

    /// Its type here. `as_arguments`: each item of a list is an argument, and so a text.
    pub(super) fn sql(self, as_arguments: bool) -> &'static str {
        match self {
            Kind::Text => "text",
            Kind::Integer => "bigint",
            Kind::Float => "double",
            Kind::Boolean => "boolean",
            Kind::List if as_arguments => "text[]",
            Kind::ListOf(ty) => ty,
            Kind::List | Kind::Dict => "json",
        }
    }

    /// Whether it is a list.
    pub(super) fn is_list(self) -> bool {
        matches!(self, Kind::List | Kind::ListOf(_))
    }

    /// The value as one of this type, as MCC reads it; `None` where it is none.
    pub(super) fn value(self, value: &Value) -> Option<Value> {
        match (self, value) {
            (Kind::Text, Value::String(_)) | (Kind::Dict, Value::Object(_)) => Some(value.clone()),
            (Kind::List | Kind::ListOf(_), Value::Array(_)) => Some(value.clone()),
            // What YAML reads as a number was meant as a text.
            (Kind::Text, Value::Number(_) | Value::Bool(_)) => Some(Value::from(value.to_string())),
            (Kind::Integer, Value::Number(number)) => number.is_i64().then(|| value.clone()),
            (Kind::Float, Value::Number(_)) => Some(value.clone()),
            (Kind::Integer, Value::String(text)) => text.trim().parse::<i64>().ok().map(Value::from),
            (Kind::Float, Value::String(text)) => {
                text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(Value::from)
            }
            (Kind::Boolean, _) => as_bool(value).map(Value::from),
            _ => None,
        }
    }

    /// The value that a text shows, as examples are written; `None` where it shows none.
    pub(super) fn shown_in(self, text: &str) -> Option<Value> {
        match self {
            Kind::Text => Some(Value::from(text)),
            Kind::List | Kind::ListOf(_) | Kind::Dict => self.value(&serde_json::from_str(text).ok()?),
            _ => self.value(&Value::from(text)),
        }
    }
}

/// Whether Jinja takes a value for true.
pub(super) fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is) => *is,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(map) => !map.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_mcc_reads_them() {
        let value = |name: &str, value: Value| Kind::named(name).unwrap().value(&value);
        assert_eq!(value("int", json!("7")), Some(json!(7)));
        assert_eq!(value("int", json!(7.5)), None);
        assert_eq!(value("float", json!(2)), Some(json!(2)));
        assert_eq!(value("str", json!(2024)), Some(json!("2024")));
        assert_eq!(value("bool", json!("off")), Some(json!(false)));
        assert_eq!(value("bool", json!("maybe")), None);
        assert_eq!(value("list", json!(["a"])), Some(json!(["a"])));
        assert_eq!(value("dict", json!([])), None);
        assert_eq!(Kind::named("date"), None);
        assert_eq!(Kind::List.shown_in("[1, 2]"), Some(json!([1, 2])));
        assert_eq!(Kind::Integer.shown_in("ten"), None);
        assert_eq!((Kind::List.sql(true), Kind::List.sql(false)), ("text[]", "json"));
        assert!(is_true(&json!("0")) && !is_true(&json!(0)) && !is_true(&json!([])));
    }
}
