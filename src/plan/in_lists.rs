//! Lists on the same value, `a IN (1, 2) AND a NOT IN (NULL, 3)`, stay apart.
//!
//! DataFusion makes one list of them as if they were sets, and forgets NULL: of a value that is NULL, or where a list holds
//! one, neither is true. So where a value has a list and another comparison, it stands in a function, which is the value:
//! what looks for lists on the same value finds none.

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::{InList, ScalarFunction};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::{
    ColumnarValue, Expr, LogicalPlan, Operator, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl,
    Signature, Volatility, lit,
};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::{Arc, LazyLock};

/// The rule. It comes before that which simplifies expressions.
#[derive(Debug)]
pub(super) struct InLists;

impl OptimizerRule for InLists {
    fn name(&self) -> &str {
        "qtool_in_lists"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        plan.transform_up_with_subqueries(|node| {
            let names = NamePreserver::new(&node);
            node.map_expressions(|expr| {
                let compared = Compared::of(&expr)?;
                if compared.lists == 0 || compared.values.len() < 2 {
                    return Ok(Transformed::no(expr));
                }
                let name = names.save(&expr);
                let mut lists = 0;
                let apart = |expr: Expr| compared.apart(expr, &mut lists);
                Ok(expr.transform_up(apart)?.update_data(|expr| name.restore(expr)))
            })
        })
    }
}

/// What is compared with values, or looked for in lists, in an expression.
#[derive(Default)]
struct Compared {
    values: Vec<Expr>,
    lists: usize,
}

impl Compared {
    fn of(expr: &Expr) -> Result<Compared> {
        let mut compared = Compared::default();
        expr.apply(|expr| {
            match expr {
                Expr::InList(list) => {
                    compared.lists += 1;
                    compared.values.push(list.expr.as_ref().clone());
                }
                Expr::BinaryExpr(binary) if matches!(binary.op, Operator::Eq | Operator::NotEq) => {
                    compared.values.push(binary.left.as_ref().clone());
                    compared.values.push(binary.right.as_ref().clone());
                }
                _ => {}
            }
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(compared)
    }

    /// A list on a value that is compared elsewhere too, on a value of its own. `lists` counts them.
    fn apart(&self, expr: Expr, lists: &mut i64) -> Result<Transformed<Expr>> {
        let Expr::InList(InList { expr, list, negated }) = expr else { return Ok(Transformed::no(expr)) };
        if self.values.iter().filter(|value| **value == *expr).count() < 2 {
            return Ok(Transformed::no(Expr::InList(InList { expr, list, negated })));
        }
        *lists += 1;
        let expr = Box::new(same(*expr, *lists));
        Ok(Transformed::yes(Expr::InList(InList { expr, list, negated })))
    }
}

static SAME: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let signature = Signature::any(2, Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(Same { signature }))
});

/// Whether a function is that of this rule.
pub(super) fn is_same(function: &ScalarUDF) -> bool {
    function.inner().is::<Same>()
}

/// The value that stands in a function of this rule, where one does.
pub fn bare_value(expr: &Expr) -> &Expr {
    match expr {
        Expr::ScalarFunction(call) if is_same(&call.func) => call.args.first().unwrap_or(expr),
        other => other,
    }
}

/// The value in a function, which tells it from others by the number.
pub(super) fn same(value: Expr, number: i64) -> Expr {
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&SAME), vec![value, lit(number)]))
}

/// The function that is its first argument; the second tells it from others.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Same {
    signature: Signature,
}

impl ScalarUDFImpl for Same {
    fn name(&self) -> &str {
        "qtool_same"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [ty, _] => Ok(ty.clone()),
            _ => plan_err!("a value is missing"),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        match args.arg_fields {
            [field, _] => Ok(Arc::clone(field)),
            _ => plan_err!("a value is missing"),
        }
    }

    fn is_strict(&self) -> bool {
        true
    }

    fn evaluate_bounds(&self, inputs: &[&Interval]) -> Result<Interval> {
        match inputs {
            [one, ..] => Ok((*one).clone()),
            [] => plan_err!("a value is missing"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.into_iter().next() {
            Some(value) => Ok(value),
            None => plan_err!("a value is missing"),
        }
    }
}
