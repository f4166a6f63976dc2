//! What is known of single functions and operators. Every entry was looked up in the engine's source: a function that
//! is not listed may return null for anything.

use datafusion::logical_expr::Operator;

/// Never null, whatever the arguments.
const NEVER_NULL: [&str; 11] = [
    "concat",
    "current_date",
    "current_time",
    "make_array",
    "named_struct",
    "now",
    "pi",
    "random",
    "struct",
    "uuid",
    "version",
];

/// Null where an argument is and nowhere else, with the place of the argument that all the others belong to. Not
/// `date_bin`, which is null for days out of reach, nor `get_field`, which finds values in a struct that is null.
const PLAIN: [(&str, usize); 30] = [
    ("abs", 0),
    ("ascii", 0),
    ("bit_length", 0),
    ("btrim", 0),
    ("ceil", 0),
    ("character_length", 0),
    ("contains", 0),
    ("date_diff", 1),
    ("date_trunc", 1),
    ("ends_with", 0),
    ("floor", 0),
    ("left", 0),
    ("len", 0),
    ("lower", 0),
    ("ltrim", 0),
    ("octet_length", 0),
    ("regexp_extract", 0),
    ("repeat", 0),
    ("replace", 0),
    ("reverse", 0),
    ("right", 0),
    ("round", 0),
    ("rtrim", 0),
    ("split_part", 0),
    ("starts_with", 0),
    ("string_split", 0),
    ("strpos", 0),
    ("strptime", 0),
    ("substr", 0),
    ("upper", 0),
];

/// Null where this argument is, and elsewhere.
const NULL_WITH: [(&str, usize); 2] = [("date_part", 1), ("nullif", 0)];

/// Aggregates that are null only where no row has a value: not of the standard deviation, which takes two.
const OF_ANY_ROW: [&str; 16] = [
    "any_value",
    "array_agg",
    "avg",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "first_value",
    "interval_max",
    "interval_min",
    "last_value",
    "max",
    "min",
    "mode",
    "sum",
];

/// The same of a window of rows.
const OF_ANY_ROW_IN_A_WINDOW: [&str; 8] =
    ["avg", "first_value", "interval_max", "interval_min", "last_value", "max", "min", "sum"];

/// Window functions that have a value for every row.
const NUMBERING: [&str; 6] = ["cume_dist", "dense_rank", "ntile", "percent_rank", "rank", "row_number"];

/// Whether a function is never null.
pub(super) fn is_never_null(name: &str) -> bool {
    NEVER_NULL.contains(&name)
}

/// Whether a function is null where an argument is and nowhere else.
pub(super) fn is_plain(name: &str) -> bool {
    PLAIN.iter().any(|(plain, _)| *plain == name)
}

/// The place of an argument that is never null where the result is not.
pub(super) fn subject(name: &str) -> Option<usize> {
    PLAIN.iter().chain(&NULL_WITH).find(|(known, _)| *known == name).map(|(_, at)| *at)
}

/// Whether an aggregate has a value as soon as one row has.
pub(super) fn is_of_any_row(name: &str) -> bool {
    OF_ANY_ROW.contains(&name)
}

/// Whether a function of a window has a value as soon as one row of it has.
pub(super) fn is_of_any_row_in_a_window(name: &str) -> bool {
    OF_ANY_ROW_IN_A_WINDOW.contains(&name)
}

/// Whether a window function numbers rows.
pub(super) fn is_numbering(name: &str) -> bool {
    NUMBERING.contains(&name)
}

/// Whether an operator is null where an operand is and nowhere else. A division by zero is an error of the call, or no
/// number (NaN), never null.
pub(super) fn is_plain_operator(operator: Operator) -> bool {
    use Operator::{
        BitwiseAnd, BitwiseOr, BitwiseShiftLeft, BitwiseShiftRight, BitwiseXor, Divide, Eq, Gt, GtEq, ILikeMatch,
        LikeMatch, Lt, LtEq, Minus, Modulo, Multiply, NotEq, NotILikeMatch, NotLikeMatch, Plus, RegexIMatch,
        RegexMatch, RegexNotIMatch, RegexNotMatch, StringConcat,
    };
    matches!(
        operator,
        Eq | NotEq
            | Lt
            | LtEq
            | Gt
            | GtEq
            | Plus
            | Minus
            | Multiply
            | Divide
            | Modulo
            | RegexMatch
            | RegexIMatch
            | RegexNotMatch
            | RegexNotIMatch
            | LikeMatch
            | ILikeMatch
            | NotLikeMatch
            | NotILikeMatch
            | BitwiseAnd
            | BitwiseOr
            | BitwiseXor
            | BitwiseShiftRight
            | BitwiseShiftLeft
            | StringConcat
    )
}
