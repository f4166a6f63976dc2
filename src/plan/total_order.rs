//! Rows in an order that leaves nothing to chance, so that pages of them fit together.
//!
//! SQL says which of two rows comes first only as far as its ORDER BY tells them apart. A page is the query run again
//! without the rows before it, and with several threads rows that are equal come in another order each time: some would be
//! on two pages and others on none. So behind the author's keys come tie-breakers: a key that the result holds (the
//! declared primary key of a table, the columns of a GROUP BY), or else all columns of the result. Rows that are equal in
//! all of these are the same to whoever reads them.
//!
//! The same is done wherever the order decides which rows there are or what is in them: below a LIMIT in a subquery, in
//! DISTINCT ON, in `row_number()`. Any choice is right there, and it is the same each time.
//!
//! Where an order cannot be told ([`Obstacle`]), there are no pages. The compiler asks, and the engine plans accordingly.

mod chance;
mod facts;
mod walk;
mod windows;

pub use chance::Obstacle;

use crate::ty::Type;
use chance::worse;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::{
    Distinct, Expr, ExprSchemable, Filter, Limit, LogicalPlan, Projection, Sort, SortExpr, SubqueryAlias,
};
use facts::{Columns, Facts, is_ordered};
use std::sync::Arc;

/// What is declared and shows in no plan.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The primary key of a table; none is no columns.
    pub keys: &'a dyn Fn(&str) -> Vec<String>,
    /// The parameter of a placeholder, by its `$n`, whose value may be another one on each page: one with the default
    /// `random()`.
    pub volatile: &'a dyn Fn(&str) -> Option<String>,
}

/// The rows of an analysed plan in a total order; or why there is none.
///
/// Errors: those of the planner, of a plan that it did not make.
pub fn apply(plan: LogicalPlan, known: Known<'_>) -> Result<Result<LogicalPlan, Obstacle>> {
    let outputs = columns(&plan);
    let (plan, _, why) = TotalOrder { known, settles: true }.ordered(plan, outputs)?;
    Ok(why.map_or(Ok(plan), Err))
}

/// One walk through a plan.
struct TotalOrder<'a> {
    known: Known<'a>,
    /// Whether what is left to chance is settled on the way, or only told.
    settles: bool,
}

/// An operator, what is known of its rows, and why they have no total order, if they have none.
type Ordered = (LogicalPlan, Facts, Option<Obstacle>);

impl TotalOrder<'_> {
    /// The rows of an operator in a total order: the one that they have, with tie-breakers. `outputs` are what rows are
    /// told apart by where there is no key, over its columns.
    fn ordered(&self, plan: LogicalPlan, outputs: Vec<Expr>) -> Result<Ordered> {
        let is_settled_below = !has_order(&plan);
        match if is_settled_below || !self.settles { plan } else { self.with_subqueries(plan)? } {
            LogicalPlan::Projection(mut it) if has_order(&it.input) => {
                let below = outputs.iter().map(|output| computed(output, it.schema.as_ref(), &it.expr)).collect();
                let (input, facts, why) = self.ordered(Arc::unwrap_or_clone(it.input), below)?;
                let facts = self.projected(&it.expr, input.schema(), &facts)?;
                it.input = Arc::new(input);
                Ok((LogicalPlan::Projection(it), facts, why))
            }
            LogicalPlan::SubqueryAlias(mut it) if has_order(&it.input) => {
                let names = columns(&it.input);
                let below = outputs.iter().map(|output| computed(output, it.schema.as_ref(), &names)).collect();
                let (input, facts, why) = self.ordered(Arc::unwrap_or_clone(it.input), below)?;
                it.input = Arc::new(input);
                Ok((LogicalPlan::SubqueryAlias(it), facts, why))
            }
            LogicalPlan::Filter(it) if has_order(&it.input) => {
                let (input, facts, why) = self.ordered(Arc::unwrap_or_clone(it.input), outputs)?;
                let facts = self.filtered(&it.predicate, input.schema(), facts)?;
                let why = worse(why, facts.rows.clone());
                Ok((LogicalPlan::Filter(Filter::try_new(it.predicate, Arc::new(input))?), facts, why))
            }
            LogicalPlan::Limit(it) if has_order(&it.input) => {
                let (input, facts, why) = self.ordered(Arc::unwrap_or_clone(it.input), outputs)?;
                let facts = facts.with_rows(why.clone());
                Ok((LogicalPlan::Limit(Limit { input: Arc::new(input), ..it }), facts, why))
            }
            LogicalPlan::Sort(it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                let mut it = Sort { input, ..it };
                let why = self.break_ties(&mut it.expr, it.input.schema(), &facts, &outputs)?;
                Ok((LogicalPlan::Sort(it), facts, why))
            }
            // It is sorted by what it is distinct in when it is carried out.
            LogicalPlan::Distinct(Distinct::On(it)) if it.sort_expr.is_some() => {
                let (plan, facts) = self.distinct_on(it)?;
                let why = facts.rows.clone();
                Ok((plan, facts, why))
            }
            other => {
                let (input, facts) = self.walk(other)?;
                let mut expr = Vec::new();
                let why = self.break_ties(&mut expr, input.schema(), &facts, &outputs)?;
                if expr.is_empty() {
                    return Ok((input, facts, why));
                }
                Ok((LogicalPlan::Sort(Sort { expr, input: Arc::new(input), fetch: None }), facts, why))
            }
        }
    }

    /// Rows that are cut, in a total order.
    fn limited(&self, it: Limit) -> Result<(LogicalPlan, Facts)> {
        let outputs = columns(&it.input);
        let (input, facts, why) = self.ordered(Arc::unwrap_or_clone(it.input), outputs)?;
        Ok((LogicalPlan::Limit(Limit { input: Arc::new(input), ..it }), facts.with_rows(why)))
    }

    /// Adds to an order what it lacks to tell all rows apart; why that cannot be.
    fn break_ties(
        &self,
        order: &mut Vec<SortExpr>,
        schema: &DFSchema,
        facts: &Facts,
        outputs: &[Expr],
    ) -> Result<Option<Obstacle>> {
        let written = order.len();
        let why = self.complete(order, schema, facts, outputs)?;
        let lacks = !self.settles && order.len() > written;
        Ok(why.or_else(|| lacks.then(|| Obstacle::Ties("LIMIT".to_owned()))))
    }

    fn complete(
        &self,
        order: &mut Vec<SortExpr>,
        schema: &DFSchema,
        facts: &Facts,
        outputs: &[Expr],
    ) -> Result<Option<Obstacle>> {
        if facts.rows.is_some() {
            return Ok(facts.rows.clone());
        }
        let mut sum = None;
        for key in order.iter() {
            match self.chance(&key.expr, schema, facts)? {
                Some(Obstacle::FloatSum(name)) => sum = sum.or(Some(Obstacle::FloatSum(name))),
                Some(why) => return Ok(Some(why)),
                None => {}
            }
            // The first rows by a list or a record are not those of a sort where there are nulls inside.
            let why = without_order(&key.expr, schema, |ty| !ty.is_nested());
            if why.is_some() {
                return Ok(why);
            }
        }
        let sorted: Columns = order.iter().filter_map(|key| walk::column_of(&key.expr, schema)).collect();
        if facts.identifies(&sorted) {
            return Ok(None);
        }
        let held: Vec<usize> = outputs.iter().filter_map(|output| walk::column_of(output, schema)).collect();
        let usable = |at: &usize| is_ordered(schema.field(*at).data_type()) && facts.chance.get(*at) == Some(&None);
        if let Some(key) = facts.missing(&sorted, &held).filter(|key| key.iter().all(usable)) {
            // In the direction of the last key: so a file that is sorted by both can be read from its end.
            let (asc, nulls_first) = order.last().map_or((true, false), |last| (last.asc, last.nulls_first));
            let names = columns_of(schema);
            let ties = key.into_iter().filter_map(|at| names.get(at).cloned());
            order.extend(ties.map(|column| column.sort(asc, nulls_first)));
            return Ok(None);
        }
        if sum.is_some() {
            return Ok(sum);
        }
        self.by_all(order, schema, facts, outputs)
    }

    /// Adds all columns of the result to an order.
    fn by_all(
        &self,
        order: &mut Vec<SortExpr>,
        schema: &DFSchema,
        facts: &Facts,
        outputs: &[Expr],
    ) -> Result<Option<Obstacle>> {
        // What equals another in an order may be written otherwise: `0.0` and `-0.0`.
        let is_exact = |at: &usize| !schema.field(*at).data_type().is_floating();
        let sorted: Columns =
            order.iter().filter_map(|key| walk::column_of(&key.expr, schema)).filter(is_exact).collect();
        let mut settled = facts.closure(&sorted);
        let mut ties: Vec<SortExpr> = Vec::new();
        for output in outputs {
            let output = output.clone().unalias();
            let at = walk::column_of(&output, schema);
            if at.is_some_and(|at| settled.contains(&at)) || walk::is_constant(&output) {
                continue;
            }
            if let Some(why) = self.chance(&output, schema, facts)? {
                return Ok(Some(why));
            }
            if let Some(why) = without_order(&output, schema, is_ordered) {
                return Ok(Some(why));
            }
            // A list is compared with the nulls in it first, whatever is said of those beside it.
            let is_nested = output.get_type(schema).is_ok_and(|ty| ty.is_nested());
            let tie = output.sort(true, is_nested);
            if !ties.contains(&tie) {
                ties.push(tie);
                settled.extend(at);
                settled = facts.closure(&settled);
            }
        }
        // The last key is sorted by as it is written, and those before it by what they equal.
        let is_inexact = |tie: &SortExpr| tie.expr.get_type(schema).is_ok_and(|ty| ty.is_floating() || ty.is_nested());
        ties.sort_by_key(is_inexact);
        order.extend(ties);
        Ok(None)
    }

    /// Columns that tell all rows of an operator apart, as far as that matters to what is made of them; `None` where that
    /// cannot be.
    fn all_ties(&self, facts: &Facts, schema: &DFSchema) -> Result<Option<Vec<SortExpr>>> {
        let mut order = Vec::new();
        let why = self.break_ties(&mut order, schema, facts, &columns_of(schema))?;
        Ok((self.settles && why.is_none()).then_some(order))
    }
}

/// Why an expression cannot be sorted by, if it is of no type that `is_sorted` is true of.
fn without_order(expr: &Expr, schema: &DFSchema, is_sorted: fn(&DataType) -> bool) -> Option<Obstacle> {
    let ty = expr.get_type(schema).ok().filter(|ty| !is_sorted(ty))?;
    let (_, column) = expr.qualified_name();
    let ty = Type::from_arrow(&ty).map_or_else(|| ty.to_string(), |ty| ty.to_string());
    Some(Obstacle::NoOrder { column, ty })
}

/// Whether the rows of an operator come in the order of a Sort below it.
fn has_order(plan: &LogicalPlan) -> bool {
    match plan {
        LogicalPlan::Sort(_) => true,
        LogicalPlan::Distinct(Distinct::On(it)) => it.sort_expr.is_some(),
        LogicalPlan::Projection(Projection { input, .. })
        | LogicalPlan::SubqueryAlias(SubqueryAlias { input, .. })
        | LogicalPlan::Limit(Limit { input, .. }) => has_order(input),
        LogicalPlan::Filter(it) => has_order(&it.input),
        _ => false,
    }
}

fn columns(plan: &LogicalPlan) -> Vec<Expr> {
    columns_of(plan.schema())
}

fn columns_of(schema: &DFSchema) -> Vec<Expr> {
    schema.columns().into_iter().map(Expr::Column).collect()
}

/// An expression over the columns of an operator, over those that it is computed of.
fn computed(output: &Expr, schema: &DFSchema, by: &[Expr]) -> Expr {
    use datafusion::common::tree_node::{Transformed, TreeNode};
    let put_in = output.clone().transform_down(|expr| {
        let Expr::Column(column) = &expr else { return Ok(Transformed::no(expr)) };
        let below = schema.maybe_index_of_column(column).and_then(|at| by.get(at)).cloned();
        Ok(below.map_or_else(
            || Transformed::no(expr.clone()),
            |below| Transformed::new(below.unalias(), true, datafusion::common::tree_node::TreeNodeRecursion::Jump),
        ))
    });
    put_in.map_or_else(|_| output.clone(), |put_in| put_in.data)
}

#[cfg(test)]
mod tests;
