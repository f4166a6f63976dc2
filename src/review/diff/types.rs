//! Which type takes, or gives, all values of another.

use crate::ty::Type;

/// On which side of a tool a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// An argument: what matters is which JSON values are accepted.
    Input,
    /// A value of a result: what matters is which JSON values a reader may meet.
    Output,
}

/// How the values of a type have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same values.
    Same,
    /// Some are gone, none is new.
    Narrower,
    /// Some are new, none is gone.
    Wider,
    /// Some are gone, and some are new.
    Other,
}

impl Relation {
    /// From what is within what: the new in the old, and the old in the new.
    pub(super) fn of(new_in_old: bool, old_in_new: bool) -> Relation {
        match (new_in_old, old_in_new) {
            (true, true) => Relation::Same,
            (true, false) => Relation::Narrower,
            (false, true) => Relation::Wider,
            (false, false) => Relation::Other,
        }
    }
}

/// How a type has changed.
pub(super) fn relation(before: &Type, after: &Type, side: Side) -> Relation {
    Relation::of(is_within(after, before, side), is_within(before, after, side))
}

/// Whether every JSON value of the first type is one of the second.
///
/// Of arguments this must hold however they are read, strictly (by the published schema) or leniently: a decimal is
/// within no text and an integer within no decimal, because one of the two readings takes numbers where the other takes
/// texts. More digits of a second are within fewer years (nanoseconds in 64 bits end in 2262), so that neither of
/// `timestamp` and `timestamp(9)` takes all of the other. A day is written as a point in time may be, but never
/// printed as one. A result has numbers of the same value in one form, whatever their type, and every type but numbers,
/// booleans and containers as a text.
pub(super) fn is_within(narrow: &Type, wide: &Type, side: Side) -> bool {
    use Type::*;
    let digits_within = |narrow: u8, wide: u8| narrow == wide || (narrow < wide && wide < 9) || side == Side::Output;
    match (narrow, wide) {
        (narrow, wide) if narrow == wide => true,
        (Map(..), Json) => side == Side::Output,
        (_, Json) => true,
        (Smallint, Int | Bigint | Real | Double)
        | (Int, Bigint | Real | Double)
        | (Bigint | Ubigint, Real | Double) => true,
        (Real, Double) => true,
        (Decimal(p1, s1), Decimal(p2, s2)) => {
            s1 <= s2 && i16::from(*p1) - i16::from(*s1) <= i16::from(*p2) - i16::from(*s2)
        }
        (Timestamp(from), Timestamp(to)) | (Timestamptz(from), Timestamptz(to)) => {
            digits_within(*from, *to) && from <= to
        }
        (Date, Timestamp(digits)) => side == Side::Input && *digits < 9,
        (Decimal(..), Text) => side == Side::Output,
        (Date | Time | Timestamp(_) | Timestamptz(_) | Interval | Uuid | Bytea, Text) => true,
        (List(narrow), List(wide)) => is_within(narrow, wide, side),
        (Map(key, narrow), Map(other, wide)) => is_within(key, other, side) && is_within(narrow, wide, side),
        (Struct(narrow), Struct(wide)) => {
            narrow.len() == wide.len()
                && narrow
                    .iter()
                    .all(|(name, ty)| wide.iter().any(|(other, wide)| other == name && is_within(ty, wide, side)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
    use serde_json::{Value, json};

    fn types() -> Vec<Type> {
        let names = [
            "boolean",
            "smallint",
            "int",
            "bigint",
            "real",
            "double",
            "decimal(4,2)",
            "decimal(6,2)",
            "decimal(6,4)",
            "decimal(3,0)",
            "decimal(38,10)",
            "text",
            "date",
            "time",
            "timestamp(0)",
            "timestamp(3)",
            "timestamp",
            "timestamp(9)",
            "timestamptz(0)",
            "timestamptz",
            "timestamptz(9)",
            "interval",
            "uuid",
            "bytea",
            "json",
            "int[]",
            "bigint[]",
            "text[]",
            "date[]",
            "struct(a int, b text)",
            "struct(b text, a int)",
            "struct(a bigint, b text)",
            "struct(a int)",
            "struct(a int, b json)",
        ];
        names.iter().map(|name| Type::parse(name).unwrap()).collect()
    }

    fn values() -> Vec<Value> {
        vec![
            json!(null),
            json!(true),
            json!("true"),
            json!(0),
            json!(-0.0),
            json!(5),
            json!(5.0),
            json!(5.5),
            json!(40_000),
            json!(3_000_000_000_i64),
            json!(9_007_199_254_740_993_i64),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(1e39),
            json!(1e300),
            json!(1.23),
            json!(99.99),
            json!(999),
            json!("5"),
            json!("+5"),
            json!(" 5 "),
            json!("5.5"),
            json!("1.23"),
            json!("1.2345"),
            json!("9999.99"),
            json!("999"),
            json!("0"),
            json!("-0.01"),
            json!("1e2"),
            json!("12345678901234567890"),
            json!(""),
            json!("abc"),
            json!("2024-03-31"),
            json!("1500-01-01"),
            json!("0001-01-01"),
            json!("9999-12-31"),
            json!("2024-03-31T17:45"),
            json!("2024-03-31 17:45:00"),
            json!("2024-03-31T17:45:00.123"),
            json!("2024-03-31T17:45:00.123456"),
            json!("2024-03-31T17:45:00.123456789"),
            json!("1500-01-01T00:00:00"),
            json!("1500-01-01T00:00:00.5"),
            json!("2024-03-31T17:45:00Z"),
            json!("2024-03-31T17:45:00.123+02:00"),
            json!("1500-01-01T00:00:00Z"),
            json!("2024-03-31T17:45:00.123456789Z"),
            json!("17:45"),
            json!("17:45:00.123456"),
            json!("24:00:00"),
            json!("P1DT2H"),
            json!("1 day"),
            json!("PT0.5S"),
            json!("123e4567-e89b-12d3-a456-426614174000"),
            json!("aGk="),
            json!([]),
            json!([1]),
            json!([1.5]),
            json!(["a"]),
            json!(["2024-03-31"]),
            json!([null]),
            json!("[1]"),
            json!("[\"a\"]"),
            json!([3_000_000_000_i64]),
            json!({"a": 1, "b": "x"}),
            json!({"b": "x", "a": 1}),
            json!({"a": 1}),
            json!({"a": 3_000_000_000_i64, "b": "x"}),
            json!({"a": 1, "b": null}),
            json!({"a": 1, "b": [1]}),
            json!("{\"a\": 1, \"b\": \"x\"}"),
            json!({}),
        ]
    }

    #[test]
    fn what_is_within_another_type_is_accepted_by_it_strictly_and_leniently() {
        let mut within = 0;
        for strictness in [Strictness::Lax, Strictness::Strict] {
            let coercion = Coercion { strictness, time_zone: TimeZoneName::default() };
            for narrow in types() {
                for wide in types().iter().filter(|wide| is_within(&narrow, wide, Side::Input)) {
                    within += 1;
                    for value in values().iter().filter(|value| narrow.coerce(value, &coercion).is_ok()) {
                        let accepted = wide.coerce(value, &coercion);
                        assert!(accepted.is_ok(), "{narrow} in {wide}: {value} ({strictness:?}): {accepted:?}");
                    }
                }
            }
        }
        assert!(within > 150, "{within}");
    }

    /// The other direction: where a type is said not to be within another, some value shows it.
    #[test]
    fn what_is_not_within_another_type_has_a_value_that_the_other_refuses() {
        let accepts = |ty: &Type, value: &Value, strictness| {
            ty.coerce(value, &Coercion { strictness, time_zone: TimeZoneName::default() }).is_ok()
        };
        for narrow in types() {
            for wide in types().iter().filter(|wide| !is_within(&narrow, wide, Side::Input)) {
                let witness = values().into_iter().find(|value| {
                    [Strictness::Lax, Strictness::Strict]
                        .iter()
                        .any(|mode| accepts(&narrow, value, *mode) && !accepts(wide, value, *mode))
                });
                assert!(witness.is_some(), "{narrow} seems to be within {wide}");
            }
        }
    }

    #[test]
    fn what_comes_out_of_a_narrower_type_is_described_by_the_wider_one() {
        use crate::ty::ExactNumbers;
        use crate::ty::json_schema::Nullability;
        for narrow in types() {
            for wide in types().iter().filter(|wide| is_within(&narrow, wide, Side::Output)) {
                let kind =
                    |ty: &Type| ty.output_schema(Nullability::Nullable, ExactNumbers::default()).get("type").cloned();
                let (from, to) = (kind(&narrow), kind(wide));
                let number = from == Some(json!(["integer", "null"])) && to == Some(json!(["number", "null"]));
                assert!(from == to || to.is_none() || number, "{narrow} in {wide}: {from:?}, {to:?}");
            }
        }
        assert_eq!(relation(&Type::Int, &Type::Bigint, Side::Output), Relation::Wider);
        assert_eq!(relation(&Type::Text, &Type::Date, Side::Output), Relation::Narrower);
        assert_eq!(relation(&Type::Date, &Type::Timestamp(6), Side::Output), Relation::Other);
    }
}
