//! `SIMILAR TO` as SQL has it: a pattern for the whole text, in which `%` and `_` stand for characters.
//!
//! DataFusion searches for it as a regular expression, anywhere in the text. Here a pattern that is written in the query
//! becomes the regular expression that it stands for, and a function makes it of any other: what counts the steps of
//! regular expressions sees it then.

mod pattern;

use super::names;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err, plan_err};
use datafusion::logical_expr::expr::{Like, ScalarFunction};
use datafusion::logical_expr::{
    BinaryExpr, ColumnarValue, Expr, LogicalPlan, Operator, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility, lit,
};
use datafusion::optimizer::AnalyzerRule;
use pattern::{NoPattern, as_regular};
use regex::Regex;
use std::borrow::Cow;
use std::sync::Arc;

/// What escapes a character where the query says nothing.
const ESCAPE: char = '\\';

/// What is said of a pattern that is none.
pub(crate) const NO_PATTERN: &str = "a pattern of SIMILAR TO is no regular expression";

/// The most bytes that are made for a batch of rows.
const MOST: usize = 64 << 20;

/// The rule. Runs before types are coerced.
#[derive(Debug)]
pub(super) struct SimilarTo;

impl AnalyzerRule for SimilarTo {
    fn name(&self) -> &str {
        "qtool_similar_to"
    }

    fn analyze(&self, plan: LogicalPlan, _: &ConfigOptions) -> Result<LogicalPlan> {
        let operator = |plan: LogicalPlan| {
            if !plan.expressions().iter().any(is_within) {
                return Ok(Transformed::no(plan));
            }
            names::map_expressions(plan, &|expr| expr.transform_up(|expr| Ok(rewritten(expr))))
        };
        Ok(plan.transform_up_with_subqueries(operator)?.data)
    }
}

fn is_within(expr: &Expr) -> bool {
    expr.exists(|expr| Ok(matches!(expr, Expr::SimilarTo(_)))).unwrap_or(true)
}

fn rewritten(expr: Expr) -> Transformed<Expr> {
    let Expr::SimilarTo(Like { negated, expr, pattern, escape_char, case_insensitive }) = expr else {
        return Transformed::no(expr);
    };
    let escape = escape_char.unwrap_or(ESCAPE);
    let op = match (negated, case_insensitive) {
        (false, false) => Operator::RegexMatch,
        (false, true) => Operator::RegexIMatch,
        (true, false) => Operator::RegexNotMatch,
        (true, true) => Operator::RegexNotIMatch,
    };
    let known = match pattern.as_ref() {
        Expr::Literal(ScalarValue::Utf8(Some(pattern)), _) => {
            as_regular(pattern, escape).ok().filter(|regular| Regex::new(regular).is_ok())
        }
        _ => None,
    };
    let regular = match known {
        Some(regular) => lit(regular),
        // What is wrong with a pattern is said where it is evaluated.
        None => {
            let function = Arc::new(ScalarUDF::new_from_impl(Regular::of(escape)));
            Expr::ScalarFunction(ScalarFunction::new_udf(function, vec![*pattern]))
        }
    };
    Transformed::yes(Expr::BinaryExpr(BinaryExpr::new(expr, op, Box::new(regular))))
}

/// Whether a function is this one.
pub(super) fn is_regular(function: &ScalarUDF) -> bool {
    function.inner().is::<Regular>()
}

/// The pattern that a regular expression is made of, where it is made of one.
pub fn pattern_of(regular: &Expr) -> &Expr {
    match regular {
        Expr::ScalarFunction(call) if is_regular(&call.func) => call.args.first().unwrap_or(regular),
        other => other,
    }
}

/// The regular expression, where its text is known before a plan runs.
pub fn known(regular: &Expr) -> Option<Cow<'_, str>> {
    match regular {
        Expr::Literal(text, _) => text.try_as_str().flatten().map(Cow::Borrowed),
        Expr::ScalarFunction(call) => {
            let escape = call.func.inner().downcast_ref::<Regular>()?.escape;
            let Expr::Literal(pattern, _) = call.args.first()? else { return None };
            as_regular(pattern.try_as_str().flatten()?, escape).ok().map(Cow::Owned)
        }
        _ => None,
    }
}

/// Makes a regular expression of a pattern.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Regular {
    escape: char,
    signature: Signature,
}

impl Regular {
    fn of(escape: char) -> Regular {
        Regular { escape, signature: Signature::any(1, Volatility::Immutable) }
    }

    fn all(&self, patterns: &ArrayRef) -> Result<ArrayRef> {
        let ty = patterns.data_type().clone();
        let patterns = cast(patterns, &DataType::Utf8)?;
        let mut whole = 0;
        let one = |pattern: Option<&str>| {
            let regular = pattern.map(|pattern| as_regular(pattern, self.escape)).transpose()?;
            whole += regular.as_ref().map_or(0, String::len);
            if whole > MOST { Err(NoPattern::from("those of many rows are too long together")) } else { Ok(regular) }
        };
        let regular: Result<StringArray, _> = patterns.as_string::<i32>().iter().map(one).collect();
        let regular = regular.map_err(|why| exec_datafusion_err!("{NO_PATTERN}: {why}"))?;
        // A NULL without a type becomes a text.
        Ok(if ty.is_null() { Arc::new(regular) } else { cast(&regular, &ty)? })
    }
}

impl ScalarUDFImpl for Regular {
    fn name(&self) -> &str {
        "qtool_similar_to"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [text @ (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)] => Ok(text.clone()),
            [DataType::Null] => Ok(DataType::Utf8),
            _ => plan_err!("a pattern of SIMILAR TO is a text, and not {types:?}"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [patterns] = args.args.as_slice() else { return plan_err!("SIMILAR TO has one pattern") };
        Ok(match patterns {
            ColumnarValue::Array(patterns) => ColumnarValue::Array(self.all(patterns)?),
            ColumnarValue::Scalar(pattern) => {
                let regular = self.all(&pattern.to_array()?)?;
                ColumnarValue::Scalar(ScalarValue::try_from_array(&regular, 0)?)
            }
        })
    }
}
