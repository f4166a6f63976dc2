//! Regular expressions that are operators (`~`, `SIMILAR TO`) as functions, which know how long they search and look
//! between parts of the rows whether anybody waits.

use super::rewritten::rewritten;
use crate::plan::functions::{pattern_match, stays_a_search};
use crate::plan::similar_to;
use arrow::datatypes::DataType;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{BinaryExpr, Expr, ExprSchemable, LogicalPlan, Operator, lit, not};

/// The plan, already optimised, with functions for such operators.
pub(in crate::engine) fn watch_patterns(plan: LogicalPlan) -> Result<LogicalPlan> {
    watch_those(plan, |_| true)
}

/// The plan, not yet optimised, with functions for those whose pattern is known and that the optimizer is not to make anything
/// else of: heavy ones, because it works out what is constant, and those with a backslash. What it knows of simple patterns is
/// worth more.
pub(in crate::engine) fn keep_searches(plan: LogicalPlan) -> Result<LogicalPlan> {
    watch_those(plan, |asked| similar_to::known(asked.pattern).is_some_and(|pattern| stays_a_search(&pattern)))
}

fn watch_those(plan: LogicalPlan, is_wanted: fn(&Asked) -> bool) -> Result<LogicalPlan> {
    let is_asked = |expr: &Expr| Asked::of(expr).as_ref().is_some_and(is_wanted);
    rewritten(plan, &is_asked, &|expr, schema| watch(expr, schema, is_wanted))
}

/// What an operator asks of a pattern.
struct Asked<'a> {
    text: &'a Expr,
    pattern: &'a Expr,
    ignores_case: bool,
    is_negated: bool,
}

impl<'a> Asked<'a> {
    fn of(expr: &'a Expr) -> Option<Asked<'a>> {
        let (text, pattern, ignores_case, is_negated) = match expr {
            Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
                let (ignores_case, is_negated) = match op {
                    Operator::RegexMatch => (false, false),
                    Operator::RegexIMatch => (true, false),
                    Operator::RegexNotMatch => (false, true),
                    Operator::RegexNotIMatch => (true, true),
                    _ => return None,
                };
                (left, right, ignores_case, is_negated)
            }
            Expr::SimilarTo(like) if like.escape_char.is_none() => {
                (&like.expr, &like.pattern, like.case_insensitive, like.negated)
            }
            _ => return None,
        };
        Some(Asked { text, pattern, ignores_case, is_negated })
    }

    /// Whether the function takes the operands as they are: texts of one type, or a text and a value that is there once.
    fn is_of_texts(&self, schema: &DFSchema) -> bool {
        let text = |expr: &Expr| {
            let ty = expr.get_type(schema).ok()?;
            matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View).then_some(ty)
        };
        let (Some(left), Some(right)) = (text(self.text), text(self.pattern)) else { return false };
        left == right || self.pattern.column_refs().is_empty()
    }
}

fn watch(expr: Expr, schema: &DFSchema, is_wanted: fn(&Asked) -> bool) -> Transformed<Expr> {
    let Some(asked) = Asked::of(&expr).filter(|asked| is_wanted(asked) && asked.is_of_texts(schema)) else {
        return Transformed::no(expr);
    };
    let mut args = vec![asked.text.clone(), asked.pattern.clone()];
    if asked.ignores_case {
        args.push(lit("i"));
    }
    let matches = Expr::ScalarFunction(ScalarFunction::new_udf(pattern_match(), args));
    Transformed::yes(if asked.is_negated { not(matches) } else { matches })
}
