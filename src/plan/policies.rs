//! What could fail, or take long, sees no row that a policy hides.
//!
//! A policy is a filter over its table, and the optimizer puts the conditions of a query beside it: `WHERE 10 / quantity > 1`
//! would divide by zero over a row of somebody else, and tell of it. So the filter is marked ([`marked`]) where plans are
//! made. Where no condition above it can fail, the mark goes, and the conditions may go below and to a database. Else the
//! columns above the filter are made ones of a function that is never the same twice ([`APART`]), past which no condition is
//! moved: they are evaluated over the rows that are left.

use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::expr::{Cast, Like, ScalarFunction};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, Filter, LogicalPlan, LogicalPlanBuilder, Operator, ReturnFieldArgs,
    ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use std::sync::{Arc, LazyLock};

/// The name of the function around the condition of a policy.
const MARK: &str = "qtool_policy";
/// The name of the function that nothing goes past.
const APART: &str = "qtool_seen";

static MARKING: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| function(MARK, Volatility::Immutable));
static SETTING_APART: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| function(APART, Volatility::Volatile));

fn function(name: &'static str, volatility: Volatility) -> Arc<ScalarUDF> {
    Arc::new(ScalarUDF::new_from_impl(Itself { name, signature: Signature::any(1, volatility) }))
}

/// Gives what it is given.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Itself {
    name: &'static str,
    signature: Signature,
}

impl ScalarUDFImpl for Itself {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [ty] => Ok(ty.clone()),
            _ => plan_err!("a value is missing"),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        match args.arg_fields {
            [field] => Ok(Arc::clone(field)),
            _ => plan_err!("a value is missing"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.into_iter().next() {
            Some(value) => Ok(value),
            None => plan_err!("a value is missing"),
        }
    }
}

/// The plan of a policy with its filter marked.
pub(crate) fn marked(plan: LogicalPlan) -> Result<LogicalPlan> {
    let marked = plan.transform_down(|node| match node {
        LogicalPlan::Filter(Filter { predicate, input, .. }) => {
            let condition = Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&MARKING), vec![predicate]));
            let filter = Filter::try_new(condition, input)?;
            Ok(Transformed::new(LogicalPlan::Filter(filter), true, TreeNodeRecursion::Stop))
        }
        other => Ok(Transformed::no(other)),
    })?;
    Ok(marked.data)
}

/// Whether a function is one of these.
pub(super) fn is_own(function: &ScalarUDF) -> bool {
    [MARK, APART].contains(&function.name())
}

/// The rule. It comes first: the others move conditions.
#[derive(Debug)]
pub(super) struct Policies;

impl OptimizerRule for Policies {
    fn name(&self) -> &str {
        "qtool_policies"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        let mut is_marked = false;
        plan.apply_with_subqueries(|node| {
            is_marked |= condition(node).is_some();
            Ok(TreeNodeRecursion::Continue)
        })?;
        if !is_marked {
            return Ok(Transformed::no(plan));
        }
        let may_fail = may_fail(&plan, false)?;
        plan.transform_up_with_subqueries(|node| match node {
            LogicalPlan::Filter(filter) => match marked_condition(&filter.predicate) {
                Some(condition) => {
                    let filter = LogicalPlan::Filter(Filter::try_new(condition.clone(), filter.input)?);
                    Ok(Transformed::yes(if may_fail { apart(filter)? } else { filter }))
                }
                None => Ok(Transformed::no(LogicalPlan::Filter(filter))),
            },
            other => Ok(Transformed::no(other)),
        })
    }
}

/// The condition of a policy, where an operator is its filter.
fn condition(node: &LogicalPlan) -> Option<&Expr> {
    match node {
        LogicalPlan::Filter(filter) => marked_condition(&filter.predicate),
        _ => None,
    }
}

fn marked_condition(predicate: &Expr) -> Option<&Expr> {
    match predicate {
        Expr::ScalarFunction(call) if call.name() == MARK => call.args.first(),
        _ => None,
    }
}

/// The rows with columns that no condition is moved past.
fn apart(filter: LogicalPlan) -> Result<LogicalPlan> {
    let columns: Vec<Expr> = filter
        .schema()
        .columns()
        .into_iter()
        .map(|column| {
            let (relation, name) = (column.relation.clone(), column.name.clone());
            let value = ScalarFunction::new_udf(Arc::clone(&SETTING_APART), vec![Expr::Column(column)]);
            Expr::ScalarFunction(value).alias_qualified(relation, name)
        })
        .collect();
    LogicalPlanBuilder::from(filter).project(columns)?.build()
}

/// Whether a condition above the filters of policies could fail or take long. `is_asked`: whether conditions of the operators
/// above may be about what an operator computes.
fn may_fail(node: &LogicalPlan, is_asked: bool) -> Result<bool> {
    if condition(node).is_some() {
        return Ok(false);
    }
    let is_condition = match node {
        LogicalPlan::Filter(_) | LogicalPlan::Join(_) | LogicalPlan::TableScan(_) | LogicalPlan::Extension(_) => true,
        LogicalPlan::Sort(_) | LogicalPlan::Limit(_) => false,
        _ => is_asked,
    };
    let mut found = false;
    let schemas = node.inputs();
    let schema = datafusion::logical_expr::utils::merge_schema(&schemas);
    node.apply_expressions(|expr| {
        found |= is_condition && !is_safe(expr, &schema)?;
        Ok(TreeNodeRecursion::Continue)
    })?;
    let is_asked =
        is_asked || matches!(node, LogicalPlan::Filter(_) | LogicalPlan::Join(_) | LogicalPlan::Extension(_));
    for input in node.inputs() {
        found = found || may_fail(input, is_asked)?;
    }
    // They become joins.
    node.apply_subqueries(|subquery| {
        found = found || may_fail(subquery, true)?;
        Ok(TreeNodeRecursion::Stop)
    })?;
    Ok(found)
}

/// The functions that have a value for every argument, in a time that its length bounds.
const SAFE: [&str; 17] = [
    "lower",
    "upper",
    "btrim",
    "ltrim",
    "rtrim",
    "character_length",
    "octet_length",
    "coalesce",
    "nullif",
    "starts_with",
    "ends_with",
    "contains",
    "strpos",
    "left",
    "right",
    "date_part",
    "date_trunc",
];

/// Whether an expression has a value for every row.
fn is_safe(expr: &Expr, schema: &datafusion::common::DFSchema) -> Result<bool> {
    let mut is_safe = true;
    expr.apply(|expr| {
        is_safe &= match expr {
            Expr::Column(_)
            | Expr::OuterReferenceColumn(..)
            | Expr::Literal(..)
            | Expr::Placeholder(_)
            | Expr::Alias(_)
            | Expr::Not(_)
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::IsTrue(_)
            | Expr::IsFalse(_)
            | Expr::IsUnknown(_)
            | Expr::IsNotTrue(_)
            | Expr::IsNotFalse(_)
            | Expr::IsNotUnknown(_)
            | Expr::Between(_)
            | Expr::InList(_)
            | Expr::Case(_)
            | Expr::TryCast(_)
            | Expr::Exists(_)
            | Expr::InSubquery(_)
            | Expr::ScalarSubquery(_)
            | Expr::AggregateFunction(_)
            | Expr::WindowFunction(_) => true,
            Expr::BinaryExpr(binary) => {
                binary.op.is_logic_operator() || binary.op.supports_propagation() || is_whole(binary.op)
            }
            Expr::Like(Like { pattern, .. }) => matches!(pattern.as_ref(), Expr::Literal(..) | Expr::Placeholder(_)),
            Expr::Cast(Cast { expr, field }) => {
                matches!(expr.as_ref(), Expr::Literal(..) | Expr::Placeholder(_))
                    || keeps_every_value(&expr.get_type(schema)?, field.data_type())
            }
            Expr::ScalarFunction(call) => {
                SAFE.contains(&call.name()) || super::is_plain(&call.func) && !super::arithmetic::is_checked(&call.func)
            }
            _ => false,
        };
        Ok(if is_safe { TreeNodeRecursion::Continue } else { TreeNodeRecursion::Stop })
    })?;
    Ok(is_safe)
}

/// Other operators that have a value for every two values.
fn is_whole(op: Operator) -> bool {
    matches!(op, Operator::IsDistinctFrom | Operator::IsNotDistinctFrom | Operator::NotEq | Operator::StringConcat)
}

/// Whether every value of a type is one of another.
fn keeps_every_value(from: &DataType, to: &DataType) -> bool {
    let is_text = |ty: &DataType| matches!(ty, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let bits = |ty: &DataType| ty.primitive_width().unwrap_or(usize::MAX);
    let is_wider = bits(to) >= bits(from);
    from == to
        || is_text(from) && is_text(to)
        || from.is_signed_integer() && to.is_signed_integer() && is_wider
        || from.is_integer() && matches!(to, DataType::Float64)
        || from.is_floating() && to.is_floating() && is_wider
}
