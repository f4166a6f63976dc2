//! Which arguments a function takes some values of only, whatever its others are: units, patterns, steps, encodings.

use crate::plan::zones::AT_ZONE;
use datafusion::common::tree_node::TreeNode;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{Expr, Operator};

/// The functions of one row, with the places of such arguments.
const JUDGED: [(&str, &[usize]); 25] = [
    (AT_ZONE, &[0]),
    ("array_slice", &[3]),
    ("date_bin", &[0]),
    ("date_diff", &[0]),
    ("date_part", &[0]),
    ("date_trunc", &[0]),
    ("decode", &[1]),
    ("digest", &[1]),
    ("encode", &[1]),
    ("generate_series", &[2]),
    ("json_exists", &[1]),
    ("json_extract", &[1]),
    ("json_extract_string", &[1]),
    ("make_date", &[0, 1, 2]),
    ("make_time", &[0, 1, 2]),
    ("range", &[2]),
    ("regexp_count", &[1, 2, 3]),
    ("regexp_extract", &[1, 2]),
    ("regexp_instr", &[1, 4]),
    ("regexp_like", &[1, 2]),
    ("regexp_match", &[1, 2]),
    ("regexp_replace", &[1, 3]),
    ("split_part", &[2]),
    ("substr", &[2]),
    ("to_char", &[1]),
];

/// The name that a function is written with. One that goes by a zone has that in its own.
pub(super) fn name(call: &ScalarFunction) -> &str {
    call.name().split_once(" in ").map_or(call.name(), |(name, _)| name)
}

/// The arguments of a call that are judged by themselves, where they are constants beside others that are none.
pub(super) fn constants(call: &ScalarFunction) -> Vec<usize> {
    let name = name(call);
    let Some((_, places)) = JUDGED.iter().find(|(known, _)| *known == name) else { return Vec::new() };
    if call.args.iter().all(is_constant) {
        return Vec::new();
    }
    places.iter().copied().filter(|at| call.args.get(*at).is_some_and(is_constant)).collect()
}

/// Texts that a function takes as such an argument, at least one of them beside any others that it takes.
pub(super) fn taken(call: &ScalarFunction) -> &'static [&'static str] {
    match name(call) {
        AT_ZONE => &["UTC"],
        "date_diff" | "date_part" | "date_trunc" => &["day", "hour"],
        "decode" | "encode" => &["hex"],
        "digest" => &["md5"],
        "to_char" => &["%Y", "%H", ""],
        // Of patterns and their flags.
        _ => &[""],
    }
}

/// A text that a function takes beside such arguments.
pub(super) fn text_beside(call: &ScalarFunction) -> &'static str {
    // Some functions of patterns do nothing for a text without letters, which alone is of every encoding.
    match name(call) {
        "decode" => "",
        "json_exists" | "json_extract" | "json_extract_string" => "{}",
        _ => "a",
    }
}

/// Whether such an argument may be within an expression, or a constant that operators judge.
pub(super) fn are_within(expr: &Expr) -> bool {
    let is_judged = |expr: &Expr| match expr {
        Expr::ScalarFunction(call) => !constants(call).is_empty(),
        Expr::BinaryExpr(binary) => judges(binary.op) && is_constant(&binary.right) && !is_constant(&binary.left),
        Expr::SimilarTo(like) => is_constant(&like.pattern) && !is_constant(&like.expr),
        _ => false,
    };
    expr.exists(|expr| Ok(is_judged(expr))).unwrap_or(true)
}

/// Whether an operator divides by its right side.
pub(super) fn divides(op: Operator) -> bool {
    matches!(op, Operator::Divide | Operator::Modulo)
}

/// Whether the right side of an operator is a pattern.
pub(super) fn matches_pattern(op: Operator) -> bool {
    use Operator::{RegexIMatch, RegexMatch, RegexNotIMatch, RegexNotMatch};
    matches!(op, RegexMatch | RegexIMatch | RegexNotMatch | RegexNotIMatch)
}

fn judges(op: Operator) -> bool {
    divides(op) || matches_pattern(op)
}

/// Whether nothing that only a row or a call knows is in an expression.
pub(super) fn is_constant(expr: &Expr) -> bool {
    let needs_more = |expr: &Expr| {
        Ok(matches!(
            expr,
            Expr::Column(_)
                | Expr::Placeholder(_)
                | Expr::OuterReferenceColumn(..)
                | Expr::ScalarSubquery(_)
                | Expr::Exists(_)
                | Expr::InSubquery(_)
                | Expr::SetComparison(_)
        ))
    };
    !expr.is_volatile() && !expr.exists(needs_more).unwrap_or(true)
}
