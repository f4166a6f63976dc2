//! What calls of other databases are here, by their names: a table.

use super::template::{ONE, THREE, TWO};

/// A call by its name, what its arguments are called in the form that it has here, and this form.
type Synonym = (&'static str, &'static [&'static str], &'static str);

/// The value of the row with the largest or the smallest of the other. Its arguments are written several times.
pub(super) const LARGEST: &str =
    "first_value(arg_0 ORDER BY arg_1 DESC) FILTER (WHERE arg_0 IS NOT NULL AND arg_1 IS NOT NULL)";
pub(super) const SMALLEST: &str =
    "first_value(arg_0 ORDER BY arg_1 ASC) FILTER (WHERE arg_0 IS NOT NULL AND arg_1 IS NOT NULL)";
const CHOSEN: &str = "CASE WHEN arg_0 THEN arg_1 ELSE arg_2 END";
const COUNTED: &str = "count(*) FILTER (WHERE arg_0)";

/// The calls that are written in another form.
pub(super) const SYNONYMS: &[Synonym] = &[
    // Parts of days and points in time.
    ("year", ONE, "date_part('year', arg_0)"),
    ("isoyear", ONE, "date_part('isoyear', arg_0)"),
    ("quarter", ONE, "date_part('quarter', arg_0)"),
    ("month", ONE, "date_part('month', arg_0)"),
    ("week", ONE, "date_part('week', arg_0)"),
    ("weekofyear", ONE, "date_part('week', arg_0)"),
    ("day", ONE, "date_part('day', arg_0)"),
    ("dayofmonth", ONE, "date_part('day', arg_0)"),
    ("dayofweek", ONE, "date_part('dow', arg_0)"),
    ("isodow", ONE, "date_part('isodow', arg_0)"),
    ("dayofyear", ONE, "date_part('doy', arg_0)"),
    ("hour", ONE, "date_part('hour', arg_0)"),
    ("minute", ONE, "date_part('minute', arg_0)"),
    ("second", ONE, "date_part('second', arg_0)"),
    ("epoch", ONE, "date_part('epoch', arg_0)"),
    ("dayname", ONE, "to_char(arg_0, '%A')"),
    ("monthname", ONE, "to_char(arg_0, '%B')"),
    ("last_day", ONE, "CAST(date_trunc('month', arg_0) + INTERVAL '1 month' - INTERVAL '1 day' AS date)"),
    ("date_add", TWO, "(arg_0 + arg_1)"),
    ("date_sub", TWO, "(arg_0 - arg_1)"),
    // Conditions.
    ("if", THREE, CHOSEN),
    ("iif", THREE, CHOSEN),
    ("iff", THREE, CHOSEN),
    // Many rows.
    ("count_if", ONE, COUNTED),
    ("countif", ONE, COUNTED),
    ("arg_max", TWO, LARGEST),
    ("argmax", TWO, LARGEST),
    ("max_by", TWO, LARGEST),
    ("arg_min", TWO, SMALLEST),
    ("argmin", TWO, SMALLEST),
    ("min_by", TWO, SMALLEST),
    ("group_concat", ONE, "string_agg(arg_0, ',')"),
    ("group_concat", TWO, "string_agg(arg_0, arg_1)"),
    ("listagg", ONE, "string_agg(arg_0, ',')"),
    ("listagg", TWO, "string_agg(arg_0, arg_1)"),
];
