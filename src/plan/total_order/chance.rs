//! What two runs of one plan over the same data may see differently.

use crate::plan::intervals::{LARGEST, SMALLEST};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::AggregateFunction;
use datafusion::logical_expr::{Expr, ExprSchemable};
use std::fmt;

/// Why pages of a result would not fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Obstacle {
    /// The rows are sorted or told apart by a sum of floating-point numbers, which depends on the order it is added up in.
    FloatSum(String),
    /// A value depends on which of some rows comes first, and nothing says which.
    Ties(String),
    /// A function has another value each time.
    Volatile(String),
    /// A column of a type that pages cannot be sorted by.
    NoOrder {
        /// The column.
        column: String,
        /// Its type.
        ty: String,
    },
    /// An operator of which nothing is known.
    Unknown,
}

impl Obstacle {
    /// A sum differs in its last digits only: what does not depend on them may have one.
    fn rank(&self) -> u8 {
        u8::from(!matches!(self, Obstacle::FloatSum(_)))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::FloatSum(name) => write!(f, "`{name}` adds up floating-point numbers in any order"),
            Obstacle::Ties(name) => write!(f, "`{name}` depends on the order that rows come in"),
            Obstacle::Volatile(name) => write!(f, "`{name}` has another value each time"),
            Obstacle::NoOrder { column, ty } => {
                write!(f, "`{column}` is of type {ty}, which pages cannot be sorted by")
            }
            Obstacle::Unknown => f.write_str("nothing is known of the order of its rows"),
        }
    }
}

/// The one that allows less.
pub(super) fn worse(one: Option<Obstacle>, other: Option<Obstacle>) -> Option<Obstacle> {
    match (one, other) {
        (Some(one), Some(other)) if other.rank() > one.rank() => Some(other),
        (one, other) => one.or(other),
    }
}

/// Whether which value it is depends on the order that rows come in, and on nothing else of theirs.
pub(super) fn is_float_sum(name: &str, args: &[Expr], schema: &DFSchema) -> Result<bool> {
    Ok(match name {
        "sum" => args.first().is_some_and(|arg| !is_exact_sum(arg, schema)),
        "avg" | "mean" => args.first().is_some_and(|arg| !is_decimal(arg, schema)),
        name => STATISTICS.contains(&name),
    })
}

fn is_exact_sum(arg: &Expr, schema: &DFSchema) -> bool {
    arg.get_type(schema).is_ok_and(|ty| !ty.is_floating())
}

fn is_decimal(arg: &Expr, schema: &DFSchema) -> bool {
    arg.get_type(schema).is_ok_and(|ty| ty.is_decimal() || matches!(ty, DataType::Duration(_) | DataType::Interval(_)))
}

/// Aggregates that add up floating-point numbers whatever they are given.
const STATISTICS: [&str; 23] = [
    "stddev",
    "stddev_samp",
    "stddev_pop",
    "var",
    "var_samp",
    "var_sample",
    "var_pop",
    "var_population",
    "corr",
    "covar",
    "covar_samp",
    "covar_pop",
    "regr_slope",
    "regr_intercept",
    "regr_r2",
    "regr_avgx",
    "regr_avgy",
    "regr_sxx",
    "regr_syy",
    "regr_sxy",
    "geometric_mean",
    "kurtosis_pop",
    "skewness",
];

/// Aggregates whose value does not depend on the order that rows come in.
const SETTLED: [&str; 21] = [
    "count",
    "sum",
    "avg",
    "mean",
    "min",
    "max",
    "median",
    "percentile_cont",
    "quantile_cont",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bool_and",
    "bool_or",
    "approx_distinct",
    "grouping",
    "regr_count",
    "every",
    "any_bool",
    // Which of some equal spans is shown is left open; in an order they are one.
    SMALLEST,
    LARGEST,
];

/// Why an aggregate may have another value when it is computed again, apart from what it is computed of. `is_told` says
/// whether rows that are equal in some expressions are equal in all that the aggregate sees.
pub(super) fn of_aggregate(
    call: &AggregateFunction,
    schema: &DFSchema,
    is_told: &dyn Fn(&[Expr]) -> bool,
) -> Result<Option<Obstacle>> {
    let name = call.func.name();
    if is_float_sum(name, &call.params.args, schema)? {
        return Ok(Some(Obstacle::FloatSum(call_in_words(name, &call.params.args))));
    }
    if SETTLED.contains(&name) {
        return Ok(None);
    }
    let sorted: Vec<Expr> = call.params.order_by.iter().map(|key| key.expr.clone()).collect();
    if !sorted.is_empty() && (is_told(&sorted) || call.params.args.iter().all(|arg| is_covered(arg, &sorted))) {
        return Ok(None);
    }
    Ok(Some(Obstacle::Ties(call_in_words(name, &call.params.args))))
}

/// Whether an argument follows from what is sorted by.
fn is_covered(arg: &Expr, sorted: &[Expr]) -> bool {
    sorted.contains(arg) || (arg.column_refs().is_empty() && !arg.is_volatile())
}

/// A call as people write it, without the names of tables.
pub(super) fn call_in_words(name: &str, args: &[Expr]) -> String {
    let args: Vec<String> = args.iter().map(argument).collect();
    format!("{name}({})", args.join(", "))
}

fn argument(arg: &Expr) -> String {
    match arg {
        Expr::Column(column) => column.name.clone(),
        Expr::Cast(cast) => argument(&cast.expr),
        Expr::Alias(alias) => argument(&alias.expr),
        Expr::Literal(value, _) => value.to_string(),
        _ => "…".to_owned(),
    }
}
