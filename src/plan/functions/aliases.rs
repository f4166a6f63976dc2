//! What functions are called elsewhere, where they take the same arguments and give the same answers.
//!
//! What takes other arguments is rewritten in the tree, before it gets here.

/// Functions of one row: what they are called elsewhere, and here.
const SCALAR: &[(&str, &str)] = &[
    ("lcase", "lower"),
    ("ucase", "upper"),
    ("prefix", "starts_with"),
    ("suffix", "ends_with"),
    ("regexp_matches", "regexp_like"),
    ("mid", "substr"),
    ("replicate", "repeat"),
    ("ceiling", "ceil"),
    ("split", "string_split"),
    ("str_split", "string_split"),
    ("list_min", "array_min"),
    ("list_value", "make_array"),
    ("list_pack", "make_array"),
    ("datediff", "date_diff"),
];

/// Functions of many rows.
const AGGREGATE: &[(&str, &str)] = &[
    ("list", "array_agg"),
    ("every", "bool_and"),
    ("logical_and", "bool_and"),
    ("logical_or", "bool_or"),
    ("approx_count_distinct", "approx_distinct"),
    ("first", "first_value"),
    ("last", "last_value"),
    ("variance", "var_samp"),
];

/// The aliases of functions of one row, and the functions that they stand for.
pub(super) fn scalar_aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCALAR.iter().copied()
}

/// The same of functions of many rows.
pub(super) fn aggregate_aliases() -> impl Iterator<Item = (&'static str, &'static str)> {
    AGGREGATE.iter().copied()
}
