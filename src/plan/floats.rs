//! Floating-point numbers that are equal are one value: 0.0 and -0.0, and all that are not a number.
//!
//! DataFusion compares and groups them so, but works by their bits in `IN` lists and `CASE x WHEN`, in windows, in orders
//! of several keys, in the filters that joins give to scans, in aggregates of DISTINCT values, and wherever they are inside
//! of lists and records. There the
//! numbers are made alike first ([`function`]), and so are those that are computed, wherever they are compared. The
//! extremes of groups are those of integers ([`extremes`]). An order by a column alone is left as it is: of rows that are
//! equal, any may come first.

mod extremes;
mod function;
mod stored;

pub(crate) use function::inside_key;
pub(super) use function::is_float_key;

use super::names;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, Result, ScalarValue};
use datafusion::logical_expr::expr::{AggregateFunction, InList, ScalarFunction, WindowFunction};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    Aggregate, BinaryExpr, Case, Expr, ExprSchemable, Join, LogicalPlan, SortExpr, lit, when,
};
use datafusion::optimizer::{OptimizerConfig, OptimizerRule};
use function::{has_floats, is_key, is_nested_with_floats, key};
use std::collections::HashSet;

/// Functions that look for an item in a list, or compare items of lists.
const LOOK_INTO_LISTS: [&str; 15] = [
    "array_distinct",
    "array_except",
    "array_has",
    "array_has_all",
    "array_has_any",
    "array_intersect",
    "array_position",
    "array_positions",
    "array_remove",
    "array_remove_all",
    "array_remove_n",
    "array_replace",
    "array_replace_all",
    "array_replace_n",
    "array_union",
];

/// The rule. It comes behind those that make joins and groups of other things.
#[derive(Debug)]
pub(super) struct Floats;

impl OptimizerRule for Floats {
    fn name(&self) -> &str {
        "qtool_floats"
    }

    fn supports_rewrite(&self) -> bool {
        true
    }

    fn rewrite(&self, plan: LogicalPlan, _: &dyn OptimizerConfig) -> Result<Transformed<LogicalPlan>> {
        if has_any(&plan)? { plan.transform_up_with_subqueries(rewrite) } else { Ok(Transformed::no(plan)) }
    }
}

/// Whether there are such numbers at all.
fn has_any(plan: &LogicalPlan) -> Result<bool> {
    let mut found = false;
    plan.apply_with_subqueries(|node| {
        found |= node.schema().fields().iter().any(|field| has_floats(field.data_type()));
        node.apply_expressions(|expr| {
            found |= expr.exists(|expr| {
                Ok(match expr {
                    Expr::Literal(value, _) => value.data_type().is_floating(),
                    Expr::Cast(cast) => has_floats(cast.field.data_type()),
                    _ => false,
                })
            })?;
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(found)
}

fn rewrite(node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
    let schema = match &node {
        LogicalPlan::TableScan(scan) => {
            DFSchema::try_from_qualified_schema(scan.table_name.clone(), &scan.source.schema())?
        }
        node => merge_schema(&node.inputs()),
    };
    if !schema.fields().iter().any(|field| has_floats(field.data_type())) && !computes_floats(&node) {
        return Ok(Transformed::no(node));
    }
    let types = Types { made: stored::made_columns(&node, &schema), schema };
    let node = names::map_expressions(node, &|expr| expr.transform_up(|expr| types.expression(expr)))?;
    node.transform_data(|node| types.keys(node))?.transform_data(|node| types.extremes(node))
}

/// Whether an operator may have floating-point numbers without a column of them.
fn computes_floats(node: &LogicalPlan) -> bool {
    matches!(node, LogicalPlan::Projection(_) | LogicalPlan::Filter(_) | LogicalPlan::Sort(_) | LogicalPlan::Window(_))
}

/// What an operator's expressions are evaluated over.
struct Types {
    schema: DFSchema,
    /// The columns that are computed below: what is not a number may have a sign there, as where it is computed.
    made: HashSet<Column>,
}

impl Types {
    fn is_float(&self, expr: &Expr) -> bool {
        expr.get_type(&self.schema).is_ok_and(|ty| has_floats(&ty))
    }

    fn is_nested(&self, expr: &Expr) -> bool {
        expr.get_type(&self.schema).is_ok_and(|ty| is_nested_with_floats(&ty))
    }

    /// The expression, as a key where it has floating-point numbers.
    fn key(&self, expr: Expr) -> Transformed<Expr> {
        if is_key(&expr) || !self.is_float(&expr) { Transformed::no(expr) } else { Transformed::yes(key(expr)) }
    }

    fn expression(&self, expr: Expr) -> Result<Transformed<Expr>> {
        Ok(match expr {
            Expr::InList(list) => self.in_list(list),
            Expr::Case(Case { expr: Some(base), when_then_expr, else_expr })
                if !is_key(&base) && self.is_float(&base) =>
            {
                let branches = when_then_expr.into_iter().map(|(when, then)| (Box::new(key(*when)), then)).collect();
                Transformed::yes(Expr::Case(Case {
                    expr: Some(Box::new(key(*base))),
                    when_then_expr: branches,
                    else_expr,
                }))
            }
            Expr::BinaryExpr(BinaryExpr { left, op, right })
                if op.supports_propagation() && !is_key(&left) && self.is_nested(&left) =>
            {
                Transformed::yes(Expr::BinaryExpr(BinaryExpr::new(Box::new(key(*left)), op, Box::new(key(*right)))))
            }
            Expr::BinaryExpr(BinaryExpr { left, op, right }) if op.supports_propagation() => {
                let (left, right) = (self.computed(*left), self.computed(*right));
                let is_changed = left.transformed || right.transformed;
                let compared = BinaryExpr::new(Box::new(left.data), op, Box::new(right.data));
                Transformed::new_transformed(Expr::BinaryExpr(compared), is_changed)
            }
            Expr::ScalarFunction(call) if LOOK_INTO_LISTS.contains(&call.name()) => {
                let ScalarFunction { func, args } = call;
                self.all(args)?.update_data(|args| Expr::ScalarFunction(ScalarFunction { func, args }))
            }
            Expr::ScalarFunction(call)
                if call.name() == "nullif" && call.args.first().is_some_and(|one| self.is_float(one)) =>
            {
                self.null_if(call)?
            }
            Expr::AggregateFunction(call) => self.aggregate(call)?,
            Expr::WindowFunction(call) => self.window(*call)?,
            other => Transformed::no(other),
        })
    }

    /// `nullif(a, b)` of numbers, which compares bits: `CASE WHEN a = b THEN NULL ELSE a END`.
    fn null_if(&self, call: ScalarFunction) -> Result<Transformed<Expr>> {
        let [one, other] = call.args.as_slice() else { return Ok(Transformed::no(Expr::ScalarFunction(call))) };
        let nothing = ScalarValue::try_from(&one.get_type(&self.schema)?)?;
        let equal = key(one.clone()).eq(key(other.clone()));
        Ok(Transformed::yes(when(equal, lit(nothing)).otherwise(one.clone())?))
    }

    /// The expression, as a key where it is computed: what is not a number has a sign then, by which it would be compared.
    /// A column stays a column, which statistics are kept of.
    fn computed(&self, expr: Expr) -> Transformed<Expr> {
        if self.is_computed(&expr) { self.key(expr) } else { Transformed::no(expr) }
    }

    /// Whether an expression is more than a stored column or a value.
    fn is_computed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Alias(alias) => self.is_computed(&alias.expr),
            Expr::Cast(cast) => self.is_computed(&cast.expr),
            Expr::Column(column) => self.made.contains(column),
            Expr::Literal(..) | Expr::OuterReferenceColumn(..) | Expr::Placeholder(_) => false,
            expr => !is_key(expr),
        }
    }

    /// A list with one zero gets the other: so the column stays a column, which statistics are kept of.
    fn in_list(&self, mut list: InList) -> Transformed<Expr> {
        if is_key(&list.expr) || !self.is_float(&list.expr) {
            return Transformed::no(Expr::InList(list));
        }
        if list.list.iter().all(is_plain) {
            let missing: Vec<Expr> = zeros(&list.list).into_iter().filter(|zero| !list.list.contains(zero)).collect();
            let is_changed = !missing.is_empty();
            list.list.extend(missing);
            return Transformed::new_transformed(Expr::InList(list), is_changed);
        }
        let InList { expr, list, negated } = list;
        let list = list.into_iter().map(key).collect();
        Transformed::yes(Expr::InList(InList { expr: Box::new(key(*expr)), list, negated }))
    }

    fn all(&self, exprs: Vec<Expr>) -> Result<Transformed<Vec<Expr>>> {
        let mut is_changed = false;
        let exprs = exprs.into_iter().map(|expr| {
            let expr = self.key(expr);
            is_changed |= expr.transformed;
            expr.data
        });
        let exprs = exprs.collect();
        Ok(Transformed::new_transformed(exprs, is_changed))
    }

    /// The keys of an order; the last stays as it is where it decides nothing but what is equal.
    fn order(&self, order: Vec<SortExpr>, last_too: bool) -> Transformed<Vec<SortExpr>> {
        let count = order.len();
        let mut is_changed = false;
        let one = |(at, sort): (usize, SortExpr)| {
            let is_last = at + 1 == count && !last_too;
            let expr = if is_last { self.computed(sort.expr) } else { self.key(sort.expr) };
            is_changed |= expr.transformed;
            SortExpr { expr: expr.data, ..sort }
        };
        let order = order.into_iter().enumerate().map(one).collect();
        Transformed::new_transformed(order, is_changed)
    }

    fn aggregate(&self, call: AggregateFunction) -> Result<Transformed<Expr>> {
        let AggregateFunction { func, mut params } = call;
        let distinct = params.distinct;
        let mut is_changed = false;
        if distinct {
            let args = self.all(params.args)?;
            is_changed |= args.transformed;
            params.args = args.data;
        }
        if matches!(func.name(), "min" | "max") {
            params.args = params
                .args
                .into_iter()
                .map(|arg| self.computed(arg))
                .map(|arg| {
                    is_changed |= arg.transformed;
                    arg.data
                })
                .collect();
        }
        let order = self.order(params.order_by, distinct);
        is_changed |= order.transformed;
        params.order_by = order.data;
        Ok(Transformed::new_transformed(Expr::AggregateFunction(AggregateFunction { func, params }), is_changed))
    }

    fn window(&self, call: WindowFunction) -> Result<Transformed<Expr>> {
        let WindowFunction { fun, mut params } = call;
        let partition = self.all(params.partition_by)?;
        let order = self.order(params.order_by, true);
        let mut is_changed = partition.transformed || order.transformed;
        (params.partition_by, params.order_by) = (partition.data, order.data);
        if params.distinct {
            let args = self.all(params.args)?;
            is_changed |= args.transformed;
            params.args = args.data;
        }
        Ok(Transformed::new_transformed(Expr::WindowFunction(Box::new(WindowFunction { fun, params })), is_changed))
    }

    /// What an operator orders, groups or joins by.
    fn keys(&self, node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        Ok(match node {
            LogicalPlan::Sort(mut sort) => {
                let order = self.order(sort.expr, false);
                sort.expr = order.data;
                Transformed::new_transformed(LogicalPlan::Sort(sort), order.transformed)
            }
            LogicalPlan::Aggregate(aggregate)
                if aggregate.group_expr.iter().any(|expr| self.is_group_by_bits(expr)) =>
            {
                let names = NamePreserver::new_for_projection();
                let group = |expr: Expr| {
                    if !self.is_group_by_bits(&expr) {
                        return expr;
                    }
                    let name = names.save(&expr);
                    name.restore(key(expr))
                };
                let groups = aggregate.group_expr.into_iter().map(group).collect();
                let rebuilt = Aggregate::try_new(aggregate.input, groups, aggregate.aggr_expr)?;
                Transformed::yes(LogicalPlan::Aggregate(rebuilt))
            }
            LogicalPlan::Join(mut join) => {
                let is_changed = self.join(&mut join);
                Transformed::new_transformed(LogicalPlan::Join(join), is_changed)
            }
            other => Transformed::no(other),
        })
    }

    fn extremes(&self, node: LogicalPlan) -> Result<Transformed<LogicalPlan>> {
        let LogicalPlan::Aggregate(aggregate) = &node else { return Ok(Transformed::no(node)) };
        Ok(match extremes::in_groups(aggregate, &self.schema)? {
            Some(rewritten) => Transformed::yes(rewritten),
            None => Transformed::no(node),
        })
    }

    /// Whether a key of groups may have several bits for what is equal.
    fn is_group_by_bits(&self, expr: &Expr) -> bool {
        let is_told_apart = self.is_nested(expr) || self.is_float(expr) && self.is_computed(expr);
        !is_key(&expr.clone().unalias()) && is_told_apart && !matches!(expr, Expr::GroupingSet(_))
    }

    /// Columns too: the join finds the one zero for the other, but what it tells a scan of its keys while it runs is a
    /// list of values that are looked up by their bits, and that filter dropped rows whenever it was ready in time.
    fn join(&self, join: &mut Join) -> bool {
        let mut is_changed = false;
        for (left, right) in &mut join.on {
            if self.is_float(left) && !is_key(left) {
                (*left, *right) = (key(left.clone()), key(right.clone()));
                is_changed = true;
            }
        }
        is_changed
    }
}

/// Whether an item of a list is a value whose bits are those of all that are equal to it, or a zero.
fn is_plain(item: &Expr) -> bool {
    match item {
        Expr::Literal(ScalarValue::Float32(value), _) => value.is_none_or(|value| !value.is_nan()),
        Expr::Literal(ScalarValue::Float64(value), _) => value.is_none_or(|value| !value.is_nan()),
        Expr::Literal(value, _) => value.is_null(),
        _ => false,
    }
}

/// Both zeros, where a list has one.
fn zeros(list: &[Expr]) -> Vec<Expr> {
    let both = |item: &Expr| match item {
        Expr::Literal(ScalarValue::Float32(Some(value)), _) if *value == 0.0 => {
            Some([ScalarValue::from(0.0_f32), ScalarValue::from(-0.0_f32)])
        }
        Expr::Literal(ScalarValue::Float64(Some(value)), _) if *value == 0.0 => {
            Some([ScalarValue::from(0.0_f64), ScalarValue::from(-0.0_f64)])
        }
        _ => None,
    };
    let both = list.iter().find_map(both);
    both.into_iter().flatten().map(|zero| Expr::Literal(zero, None)).collect()
}
