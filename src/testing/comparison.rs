//! Whether a value of a result is the one that an author wrote.

use crate::ty::Type;
use crate::ty::coerce::{Coercion, TimeZoneName};
use serde_json::{Number, Value};

/// Compares what an author wrote with what a column of a type holds: as values of the type (`2024-03-31 12:00` is
/// `2024-03-31T12:00:00`, `12.5` is the decimal `12.50`), numbers exactly, null with null only.
pub struct Comparison {
    coercion: Coercion,
}

impl Comparison {
    /// Points in time that are written without a zone are read in this one.
    pub fn new(time_zone: &TimeZoneName) -> Comparison {
        Comparison { coercion: Coercion { time_zone: time_zone.clone(), ..Coercion::default() } }
    }

    /// Whether they are equal.
    pub fn equal(&self, ty: &Type, written: &Value, found: &Value) -> bool {
        if same(written, found) {
            return true;
        }
        let is_scalar = !matches!(ty, Type::Text | Type::Json | Type::List(_) | Type::Struct(_) | Type::Map(..));
        match (ty, written, found) {
            (_, Value::Null, _) | (_, _, Value::Null) => false,
            (Type::List(item), Value::Array(written), Value::Array(found)) => {
                written.len() == found.len()
                    && written.iter().zip(found).all(|(written, found)| self.equal(item, written, found))
            }
            (Type::Struct(fields), Value::Object(written), Value::Object(found)) => {
                written.len() == found.len()
                    && fields.iter().all(|(name, ty)| match (written.get(name), found.get(name)) {
                        (Some(written), Some(found)) => self.equal(ty, written, found),
                        _ => false,
                    })
            }
            // As doubles, two whole numbers may be one.
            (_, Value::Number(_), Value::Number(_)) => false,
            // A number is not the text of it.
            (ty, Value::String(_), _) if matches!(ty, Type::Boolean | Type::Real | Type::Double) || ty.is_integer() => {
                false
            }
            (ty, written, found) if is_scalar => {
                let read = |value| ty.coerce(value, &self.coercion).ok();
                read(written).is_some_and(|written| Some(written) == read(found))
            }
            _ => false,
        }
    }
}

/// Whether two JSON values are the same; numbers are by what they are worth, objects whatever their order.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => same_number(one, other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

fn same_number(one: &Number, other: &Number) -> bool {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.as_f64() == other.as_f64(),
        _ => false,
    }
}

/// The number, where it is a whole one.
fn whole(number: &Number) -> Option<i128> {
    if let Some(whole) = number.as_i64() {
        return Some(whole.into());
    }
    if let Some(whole) = number.as_u64() {
        return Some(whole.into());
    }
    // Every double of this size is exact as an integer of 128 bits.
    number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e38).map(|number| number as i128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_compared_as_values_of_their_type() {
        let comparison = Comparison::new(&TimeZoneName::parse("America/New_York").unwrap());
        let equal =
            |ty: &str, written: Value, found: Value| comparison.equal(&Type::parse(ty).unwrap(), &written, &found);
        for (ty, written, found) in [
            ("double", json!(1), json!(1.0)),
            ("bigint", json!(9007199254740993_i64), json!(9007199254740993_i64)),
            ("decimal(12,2)", json!(12.5), json!("12.50")),
            ("decimal(12,2)", json!("12.5"), json!("12.50")),
            ("timestamp", json!("2024-03-31 12:00"), json!("2024-03-31T12:00:00")),
            ("timestamptz", json!("2024-03-31 12:00"), json!("2024-03-31T16:00:00Z")),
            ("timestamptz", json!("2024-03-31T18:00:00+02:00"), json!("2024-03-31T16:00:00Z")),
            ("interval", json!("1 day"), json!("P1D")),
            ("decimal(4,1)[]", json!([1, null]), json!(["1.0", null])),
            ("struct(a int, b decimal(4,1))", json!({"b": 2, "a": 1}), json!({"a": 1, "b": "2.0"})),
            ("json", json!({"b": 1, "a": [1.0]}), json!({"a": [1], "b": 1})),
        ] {
            assert!(equal(ty, written.clone(), found.clone()), "{ty}: {written} {found}");
        }
        for (ty, written, found) in [
            ("double", json!(0.3), json!(0.1 + 0.2)),
            ("double", json!(9007199254740993_i64), json!(9007199254740992.0)),
            ("bigint", json!("1"), json!(1)),
            ("text", json!(1), json!("1")),
            ("text", json!("a"), json!("A")),
            ("text", json!(null), json!("")),
            ("int", json!(null), json!(0)),
            ("decimal(12,2)", json!(12.505), json!("12.50")),
            ("timestamptz", json!("2024-03-31 12:00"), json!("2024-03-31T12:00:00Z")),
            ("int[]", json!([1]), json!([1, 1])),
        ] {
            assert!(!equal(ty, written.clone(), found.clone()), "{ty}: {written} {found}");
        }
    }
}
