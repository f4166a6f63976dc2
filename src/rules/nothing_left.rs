//! Constraints that leave no value, each of which is fine by itself: `exclusive_minimum: 1` and `exclusive_maximum: 2` of
//! an `int`, a `pattern` of five letters and `max_length: 3`.

use crate::project::ParamConfig;
use crate::tool::constraints::{characters, plain_value};
use crate::ty::Type;
use chrono::{Datelike, NaiveDate};
use serde_json::Value;

/// The key that is to blame, and why nothing is left.
pub(super) type Nothing = (&'static str, String);

/// What leaves no value of a type; `None` where some is left, or nobody can tell.
pub(super) fn nothing_left(item: &Type, config: &ParamConfig) -> Option<Nothing> {
    no_number(item, config).or_else(|| no_text(item, config))
}

/// A bound with its key and its words.
type Bound<'a> = (&'static str, &'a Value, &'static str);

fn no_number(item: &Type, config: &ParamConfig) -> Option<Nothing> {
    let of = |value: &Value| whole(item, value);
    let lows: [Option<(Bound<'_>, i128)>; 2] = [
        config.minimum.as_ref().and_then(|value| Some((("minimum", value, "at least"), of(value)?))),
        config
            .exclusive_minimum
            .as_ref()
            .and_then(|value| Some((("exclusive_minimum", value, "more than"), of(value)? + 1))),
    ];
    let highs: [Option<(Bound<'_>, i128)>; 2] = [
        config.maximum.as_ref().and_then(|value| Some((("maximum", value, "at most"), of(value)?))),
        config
            .exclusive_maximum
            .as_ref()
            .and_then(|value| Some((("exclusive_maximum", value, "less than"), of(value)? - 1))),
    ];
    let (low, least) = lows.into_iter().flatten().max_by_key(|(_, least)| *least)?;
    let (high, most) = highs.into_iter().flatten().min_by_key(|(_, most)| *most)?;
    let range = format!("{} {} and {} {}", low.2, plain_value(low.1), high.2, plain_value(high.1));
    if least > most {
        let what = if *item == Type::Date { "day" } else { "whole number" };
        return Some((high.0, format!("no {what} is {range}")));
    }
    let step =
        config.multiple_of.as_ref().and_then(serde_json::Number::as_i64).map(i128::from).filter(|step| *step > 0)?;
    let next = least + (step - least.rem_euclid(step)) % step;
    (next > most).then(|| ("multiple_of", format!("no multiple of {step} is {range}")))
}

/// A value of a type whose values are counted; `None` of all others, and of what is none of it.
fn whole(ty: &Type, value: &Value) -> Option<i128> {
    match ty {
        Type::Smallint | Type::Int | Type::Bigint | Type::Ubigint => match value {
            Value::Number(number) => number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from)),
            Value::String(text) => text.parse().ok(),
            _ => None,
        },
        Type::Date => {
            let day = NaiveDate::parse_from_str(value.as_str()?, "%Y-%m-%d").ok()?;
            Some(i128::from(day.num_days_from_ce()))
        }
        _ => None,
    }
}

fn no_text(item: &Type, config: &ParamConfig) -> Option<Nothing> {
    let (least, most) = characters(config.pattern.as_deref().filter(|_| *item == Type::Text)?)?;
    if let Some(longest) = config.max_length.filter(|longest| least > *longest) {
        return Some((
            "max_length",
            format!("a text that matches `pattern` has {least} characters or more, which is more than {longest}"),
        ));
    }
    let shortest = config.min_length?;
    let most = most.filter(|most| *most < shortest)?;
    Some((
        "min_length",
        format!("a text that matches `pattern` has {most} characters or less, which is less than {shortest}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(ty: &str, config: Value) -> Option<Nothing> {
        nothing_left(&Type::parse(ty).unwrap(), &serde_json::from_value(config).unwrap())
    }

    #[test]
    fn what_leaves_nothing_is_told() {
        let cases = [
            ("int", json!({"exclusive_minimum": 1, "exclusive_maximum": 2}), "exclusive_maximum"),
            ("bigint", json!({"minimum": 1, "exclusive_minimum": 4, "maximum": 4}), "maximum"),
            (
                "date",
                json!({"exclusive_minimum": "2024-01-31", "exclusive_maximum": "2024-02-01"}),
                "exclusive_maximum",
            ),
            ("int", json!({"minimum": 1, "maximum": 4, "multiple_of": 5}), "multiple_of"),
            ("int", json!({"minimum": -4, "maximum": -1, "multiple_of": 5}), "multiple_of"),
            ("text", json!({"pattern": "^[A-Z]{5}$", "max_length": 3}), "max_length"),
            ("text", json!({"pattern": "ä(bc|def)", "max_length": 2}), "max_length"),
            ("text", json!({"pattern": "^[A-Z]{2,5}$", "min_length": 6}), "min_length"),
        ];
        for (ty, config, key) in cases {
            assert_eq!(said(ty, config.clone()).map(|(key, _)| key), Some(key), "{config}");
        }
    }

    #[test]
    fn what_leaves_something_is_taken() {
        let cases = [
            ("int", json!({"exclusive_minimum": 1, "exclusive_maximum": 3})),
            ("double", json!({"exclusive_minimum": 1, "exclusive_maximum": 2})),
            ("date", json!({"exclusive_minimum": "2024-01-31", "exclusive_maximum": "2024-02-02"})),
            ("int", json!({"minimum": 1, "maximum": 5, "multiple_of": 5})),
            ("int", json!({"minimum": -5, "maximum": -1, "multiple_of": 5})),
            ("int", json!({"minimum": -1, "maximum": 1, "multiple_of": 5})),
            ("text", json!({"pattern": "^[A-Z]{5}$", "max_length": 5})),
            ("text", json!({"pattern": "^ä{3}$", "max_length": 3})),
            ("text", json!({"pattern": "[A-Z]{2,5}", "min_length": 6})),
            ("text", json!({"pattern": "^([A-Z]{2}|x+)$", "min_length": 6, "max_length": 9})),
            ("text", json!({"pattern": "^a|bc$", "min_length": 6})),
        ];
        for (ty, config) in cases {
            assert_eq!(said(ty, config.clone()), None, "{config}");
        }
    }
}
