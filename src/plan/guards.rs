//! A CASE of conditions guards what stands in it: `CASE WHEN b <> 0 THEN a / b > 1 END` divides by no zero.
//!
//! DataFusion makes ANDs and ORs of a CASE of one or two conditions, and evaluates all of them; of COALESCE and its like it
//! makes such a CASE first. One with three stays as it is, so the last one is written three times, of which no more than
//! one is evaluated where it holds. A CASE whose results are all written out is taken apart whatever is compared with it,
//! unless it compares a value itself: `CASE true WHEN b <> 0 THEN …` means the same. What cannot fail is left to
//! DataFusion, which finds ranges of columns in it.

use super::{in_lists, names};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Case, Cast, Expr, ExprSchemable, LogicalPlan, Operator, lit};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};

/// The rule. It comes before that which simplifies expressions.
#[derive(Debug)]
pub(super) struct Guards;

impl OptimizerRule for Guards {
    fn name(&self) -> &str {
        "qtool_guards"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        plan.transform_up_with_subqueries(|node| {
            // A table has conditions from the operators above.
            if matches!(node, LogicalPlan::TableScan(_)) || !node.expressions().iter().any(chooses) {
                return Ok(Transformed::no(node));
            }
            let schema = merge_schema(&node.inputs());
            names::map_expressions(node, &|expr| expr.transform_up(|expr| Ok(guarded(expr, &schema))))
        })
    }
}

/// Whether there is what evaluates one of several.
fn chooses(expr: &Expr) -> bool {
    let is_one = |expr: &Expr| match expr {
        Expr::Case(case) => case.expr.is_none(),
        Expr::ScalarFunction(call) => choice(call).is_some(),
        _ => false,
    };
    expr.exists(|expr| Ok(is_one(expr))).unwrap_or(true)
}

fn guarded(expr: Expr, schema: &DFSchema) -> Transformed<Expr> {
    let case = match &expr {
        Expr::Case(case) => Some(case.clone()),
        Expr::ScalarFunction(call) => choice(call),
        _ => None,
    };
    match case {
        Some(mut case) if case.expr.is_none() && guards(&case, schema) => {
            if results(&case).all(|result| matches!(result, Expr::Literal(..))) {
                case.expr = Some(Box::new(lit(true)));
            } else if case.when_then_expr.len() < LEFT_ALONE
                && let Some(last) = case.when_then_expr.last().cloned()
            {
                case.when_then_expr.resize(LEFT_ALONE, last);
            } else {
                return Transformed::no(expr);
            }
            Transformed::yes(Expr::Case(case))
        }
        _ => Transformed::no(expr),
    }
}

/// How many conditions a CASE has that DataFusion makes no ANDs and ORs of.
const LEFT_ALONE: usize = 3;

fn results(case: &Case) -> impl Iterator<Item = &Expr> + Clone {
    case.when_then_expr.iter().map(|(_, then)| then).chain(&case.else_expr).map(AsRef::as_ref)
}

/// What a function that evaluates one of its arguments is.
fn choice(call: &ScalarFunction) -> Option<Case> {
    let when = |tested: &Expr, then: &Expr| (Box::new(tested.clone().is_not_null()), Box::new(then.clone()));
    let (when_then_expr, otherwise) = match (call.name(), call.args.as_slice()) {
        ("coalesce" | "nvl", [first @ .., last]) if !first.is_empty() => {
            (first.iter().map(|one| when(one, one)).collect(), last)
        }
        ("nvl2", [tested, then, otherwise]) => (vec![when(tested, then)], otherwise),
        _ => return None,
    };
    Some(Case { expr: None, when_then_expr, else_expr: Some(Box::new(otherwise.clone())) })
}

/// Whether a CASE is one of conditions or of literals, and something may fail in it that is not evaluated for each row.
fn guards(case: &Case, schema: &DFSchema) -> bool {
    let whens = || case.when_then_expr.iter().map(|(when, _)| when.as_ref());
    let is_condition = |branch: &Expr| branch.get_type(schema).is_ok_and(|ty| ty == DataType::Boolean);
    let is_literal = |branch: &Expr| matches!(branch, Expr::Literal(..));
    let is_taken_apart = results(case).any(is_condition) || results(case).all(is_literal);
    if !is_taken_apart || whens().all(is_written) {
        return false;
    }
    results(case).any(|branch| may_fail(branch, schema)) || whens().skip(1).any(|when| may_fail(when, schema))
}

/// Whether the value is there before any row is: the branch is chosen then.
fn is_written(expr: &Expr) -> bool {
    let asks = |expr: &Expr| {
        matches!(
            expr,
            Expr::Column(_)
                | Expr::OuterReferenceColumn(..)
                | Expr::ScalarFunction(_)
                | Expr::HigherOrderFunction(_)
                | Expr::LambdaVariable(_)
                | Expr::Exists(_)
                | Expr::InSubquery(_)
                | Expr::ScalarSubquery(_)
        )
    };
    !expr.exists(|expr| Ok(asks(expr))).unwrap_or(true)
}

/// Whether an expression may fail for a value. Those that are not known may.
fn may_fail(expr: &Expr, schema: &DFSchema) -> bool {
    expr.exists(|expr| Ok(!is_safe(expr, schema))).unwrap_or(true)
}

/// Whether an expression has a value wherever its parts have.
fn is_safe(expr: &Expr, schema: &DFSchema) -> bool {
    match expr {
        Expr::BinaryExpr(binary) => is_comparison(binary.op),
        Expr::Cast(cast) => has_room(cast, schema),
        // A placeholder is a function without arguments in a plan that is kept.
        Expr::ScalarFunction(call) => {
            call.args.is_empty() || call.name() == "get_field" || in_lists::is_same(&call.func)
        }
        Expr::Like(like) | Expr::SimilarTo(like) => matches!(like.pattern.as_ref(), Expr::Literal(..)),
        Expr::Alias(_)
        | Expr::Between(_)
        | Expr::Case(_)
        | Expr::Column(_)
        | Expr::Exists(_)
        | Expr::InList(_)
        | Expr::InSubquery(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsNotNull(_)
        | Expr::IsNotTrue(_)
        | Expr::IsNotUnknown(_)
        | Expr::IsNull(_)
        | Expr::IsTrue(_)
        | Expr::IsUnknown(_)
        | Expr::Literal(..)
        | Expr::Not(_)
        | Expr::OuterReferenceColumn(..)
        | Expr::ScalarSubquery(_)
        | Expr::TryCast(_) => true,
        _ => false,
    }
}

fn is_comparison(op: Operator) -> bool {
    use Operator::{And, Eq, Gt, GtEq, IsDistinctFrom, IsNotDistinctFrom, Lt, LtEq, NotEq, Or};
    matches!(op, And | Eq | Gt | GtEq | IsDistinctFrom | IsNotDistinctFrom | Lt | LtEq | NotEq | Or)
}

/// Whether the type of a cast has room for each value.
fn has_room(cast: &Cast, schema: &DFSchema) -> bool {
    // It is there before any row is.
    if matches!(cast.expr.as_ref(), Expr::Literal(..)) {
        return true;
    }
    let Ok(from) = cast.expr.get_type(schema) else { return false };
    let to = cast.field.data_type();
    let is_number = |ty: &DataType| ty.is_numeric() || *ty == DataType::Boolean;
    let bytes = |ty: &DataType| ty.primitive_width();
    *to == from
        || (is_number(&from) && (to.is_floating() || to.is_string()))
        || (from.is_string() && to.is_string())
        || (from.is_signed_integer() && to.is_signed_integer() && bytes(&from) <= bytes(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::datatypes::Field;
    use datafusion::logical_expr::{cast, col, when};

    fn is_guarded(expr: Expr) -> bool {
        let fields = ["a", "b"].map(|name| Field::new(name, DataType::Int64, true));
        let schema = DFSchema::from_unqualified_fields(fields.into_iter().collect(), Default::default()).unwrap();
        guarded(expr, &schema).transformed
    }

    #[test]
    fn what_may_fail_is_guarded() {
        let quotient = || (col("a") / col("b")).gt(lit(1_i64));
        let is_there = || col("b").not_eq(lit(0_i64));
        assert!(is_guarded(when(is_there(), quotient()).end().unwrap()));
        assert!(is_guarded(when(is_there(), lit(true)).when(quotient(), lit(false)).end().unwrap()));
        assert!(is_guarded(when(is_there(), lit(true)).otherwise(quotient()).unwrap()));
        let written = when(is_there(), lit("x")).when(quotient(), lit("y")).otherwise(lit("z"));
        assert!(is_guarded(written.unwrap()), "it is taken apart beside a text");
        let narrow = cast(col("a"), DataType::Int8).eq(lit(1_i8));
        assert!(is_guarded(when(is_there(), narrow).end().unwrap()));
    }

    #[test]
    fn what_cannot_fail_is_left_alone() {
        let is_there = || col("b").not_eq(lit(0_i64));
        assert!(!is_guarded(when(is_there(), col("a").gt(lit(1_i64))).end().unwrap()), "a comparison");
        assert!(!is_guarded(when(is_there(), col("a") / col("b")).end().unwrap()), "no condition");
        let three = when(is_there(), is_there())
            .when(is_there(), is_there())
            .when(is_there(), (col("a") / col("b")).gt(lit(1_i64)));
        assert!(!is_guarded(three.end().unwrap()), "three conditions");
        let wide = cast(col("a"), DataType::Float64).gt(lit(1.5));
        assert!(!is_guarded(when(is_there(), wide).end().unwrap()), "a cast with room");
        let quotient = (col("a") / col("b")).gt(lit(1_i64));
        assert!(!is_guarded(when(lit(1_i64).eq(lit(1_i64)), quotient).end().unwrap()), "a branch that is chosen");
    }
}
