//! From the leaves of a plan upwards: what is known of every operator's rows. What is left to chance on the way is
//! settled where any choice will do.

use super::TotalOrder;
use super::chance::{self, Obstacle, worse};
use super::facts::{Columns, Facts, is_exact};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchema, JoinType, Result};
use datafusion::logical_expr::expr::Exists;
use datafusion::logical_expr::utils::split_conjunction;
use datafusion::logical_expr::{
    Aggregate, Distinct, Expr, Filter, Join, LogicalPlan, Operator, RecursiveQuery, Repartition, Sort, Subquery,
    TableScan, Union, Unnest,
};
use std::sync::Arc;

impl TotalOrder<'_> {
    /// An operator whose rows are the same each time, as far as that can be, and what is known of them.
    pub(super) fn walk(&self, plan: LogicalPlan) -> Result<(LogicalPlan, Facts)> {
        let plan = if self.settles { self.with_subqueries(plan)? } else { plan };
        Ok(match plan {
            LogicalPlan::TableScan(scan) => {
                let facts = self.table(&scan);
                (LogicalPlan::TableScan(scan), facts)
            }
            LogicalPlan::Projection(mut it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                it.input = input;
                let facts = self.projected(&it.expr, it.input.schema(), &facts)?;
                (LogicalPlan::Projection(it), facts)
            }
            LogicalPlan::Filter(it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                let facts = self.filtered(&it.predicate, input.schema(), facts)?;
                (LogicalPlan::Filter(Filter::try_new(it.predicate, input)?), facts)
            }
            LogicalPlan::Sort(it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                (LogicalPlan::Sort(Sort { input, ..it }), facts)
            }
            LogicalPlan::SubqueryAlias(mut it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                it.input = input;
                (LogicalPlan::SubqueryAlias(it), facts)
            }
            LogicalPlan::Subquery(it) => {
                let (subquery, facts) = self.walk_arc(it.subquery)?;
                (LogicalPlan::Subquery(Subquery { subquery, ..it }), facts)
            }
            LogicalPlan::Limit(it) => self.limited(it)?,
            LogicalPlan::Aggregate(mut it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                it.input = input;
                let facts = self.grouped(&it, &facts)?;
                (LogicalPlan::Aggregate(it), facts)
            }
            LogicalPlan::Window(it) => self.windows(it)?,
            LogicalPlan::Join(it) => self.joined(it)?,
            LogicalPlan::Union(it) => self.united(it)?,
            LogicalPlan::Distinct(Distinct::All(input)) => {
                let (input, facts) = self.walk_arc(input)?;
                let all = (0..facts.chance.len()).collect();
                (LogicalPlan::Distinct(Distinct::All(input)), facts.identified_by(all))
            }
            LogicalPlan::Distinct(Distinct::On(it)) => self.distinct_on(it)?,
            LogicalPlan::Unnest(it) => self.unnested(it)?,
            LogicalPlan::RecursiveQuery(it) => self.recursive(it)?,
            LogicalPlan::Values(it) => {
                let mut facts = Facts::of_width(it.schema.fields().len());
                for row in &it.values {
                    for (at, cell) in row.iter().enumerate() {
                        let found = self.chance(cell, &it.schema, &Facts::default())?;
                        if let Some(column) = facts.chance.get_mut(at) {
                            *column = worse(column.take(), found);
                        }
                    }
                }
                (LogicalPlan::Values(it), facts)
            }
            LogicalPlan::EmptyRelation(it) => {
                let facts = Facts::of_width(it.schema.fields().len()).identified_by(Columns::new());
                (LogicalPlan::EmptyRelation(it), facts)
            }
            LogicalPlan::Repartition(it) => {
                let (input, facts) = self.walk_arc(it.input)?;
                (LogicalPlan::Repartition(Repartition { input, ..it }), facts)
            }
            other => {
                let facts = Facts::unknown(other.schema().fields().len(), Obstacle::Unknown);
                (other, facts)
            }
        })
    }

    pub(super) fn walk_arc(&self, plan: Arc<LogicalPlan>) -> Result<(Arc<LogicalPlan>, Facts)> {
        let (plan, facts) = self.walk(Arc::unwrap_or_clone(plan))?;
        Ok((Arc::new(plan), facts))
    }

    /// Settles the subqueries of an operator's expressions. Of EXISTS any row will do, and one that depends on the row
    /// around it is planned in ways that a further order could stand in.
    pub(super) fn with_subqueries(&self, plan: LogicalPlan) -> Result<LogicalPlan> {
        let settled = |subquery: Subquery| -> Result<Subquery> {
            if !subquery.outer_ref_columns.is_empty() {
                return Ok(subquery);
            }
            let (plan, _) = self.walk_arc(subquery.subquery)?;
            Ok(Subquery { subquery: plan, ..subquery })
        };
        let plan = plan.map_expressions(|expr| {
            expr.transform_down(|expr| {
                Ok(match expr {
                    Expr::ScalarSubquery(subquery) => Transformed::yes(Expr::ScalarSubquery(settled(subquery)?)),
                    Expr::InSubquery(mut is_in) => {
                        is_in.subquery = settled(is_in.subquery)?;
                        Transformed::yes(Expr::InSubquery(is_in))
                    }
                    Expr::SetComparison(mut compares) => {
                        compares.subquery = settled(compares.subquery)?;
                        Transformed::yes(Expr::SetComparison(compares))
                    }
                    other => Transformed::no(other),
                })
            })
        })?;
        Ok(plan.data)
    }

    /// A table's rows are told apart by its declared primary key.
    fn table(&self, scan: &TableScan) -> Facts {
        let schema = scan.projected_schema.as_ref();
        let facts = Facts::of_width(schema.fields().len());
        let key = (self.known.keys)(scan.table_name.table());
        let places: Option<Columns> = key.iter().map(|name| schema.index_of_column_by_name(None, name)).collect();
        match places.filter(|places| !places.is_empty()) {
            Some(key) => facts.identified_by(key),
            None => facts,
        }
    }

    /// Why an expression over some rows may have another value when it is computed again.
    pub(super) fn chance(&self, expr: &Expr, schema: &DFSchema, facts: &Facts) -> Result<Option<Obstacle>> {
        let mut found = None;
        expr.apply(|expr| {
            let here = match expr {
                Expr::Column(column) => {
                    let at = schema.maybe_index_of_column(column);
                    at.and_then(|at| facts.chance.get(at)).cloned().flatten()
                }
                Expr::ScalarFunction(call) if expr.is_volatile_node() => {
                    Some(Obstacle::Volatile(chance::call_in_words(call.name(), &call.args)))
                }
                Expr::Placeholder(one) => {
                    (self.known.volatile)(&one.id).map(|name| Obstacle::Volatile(format!("<< {name} >>")))
                }
                Expr::Exists(Exists { subquery, .. }) => self.of_subquery(subquery)?.rows,
                Expr::ScalarSubquery(subquery) => of_one_column(self.of_subquery(subquery)?),
                Expr::InSubquery(is_in) => of_one_column(self.of_subquery(&is_in.subquery)?),
                Expr::SetComparison(compares) => of_one_column(self.of_subquery(&compares.subquery)?),
                _ => None,
            };
            found = worse(found.take(), here);
            Ok(TreeNodeRecursion::Continue)
        })?;
        Ok(found)
    }

    /// What is known of a subquery as it is.
    fn of_subquery(&self, subquery: &Subquery) -> Result<Facts> {
        let as_it_is = TotalOrder { known: self.known, settles: false };
        Ok(as_it_is.walk(subquery.subquery.as_ref().clone())?.1)
    }

    /// Columns that are computed of others.
    pub(super) fn projected(&self, exprs: &[Expr], schema: &DFSchema, facts: &Facts) -> Result<Facts> {
        let sources: Vec<Option<usize>> = exprs.iter().map(|expr| column_of(expr, schema)).collect();
        let mut mapped = facts.mapped(&sources);
        for (at, (expr, source)) in exprs.iter().zip(&sources).enumerate() {
            if source.is_some() {
                continue;
            }
            let found = self.chance(expr, schema, facts)?;
            if is_constant(expr) {
                mapped.constant.insert(at);
            }
            if let Some(column) = mapped.chance.get_mut(at) {
                *column = found;
            }
        }
        Ok(mapped)
    }

    /// Rows that a condition holds for.
    pub(super) fn filtered(&self, predicate: &Expr, schema: &DFSchema, facts: Facts) -> Result<Facts> {
        let why = firm(self.chance(predicate, schema, &facts)?);
        let mut facts = facts.with_rows(why);
        learn(&mut facts, split_conjunction(predicate).into_iter(), schema);
        Ok(facts)
    }

    fn grouped(&self, it: &Aggregate, facts: &Facts) -> Result<Facts> {
        let schema = it.input.schema();
        let groups = match it.group_expr.as_slice() {
            [Expr::GroupingSet(_)] => None,
            exprs => Some(exprs),
        };
        let width = it.schema.fields().len();
        let first = width.saturating_sub(it.aggr_expr.len());
        let mut sources: Vec<Option<usize>> = match groups {
            Some(exprs) => exprs.iter().map(|expr| column_of(expr, schema)).collect(),
            None => Vec::new(),
        };
        sources.resize(width, None);
        let mut found = facts.mapped(&sources);
        // Whatever identified a row of before identifies a group; one that holds all of them is one group.
        for (at, expr) in it.group_expr.iter().enumerate() {
            let why = self.chance(expr, schema, facts)?;
            found = found.with_rows(why.clone());
            if groups.is_some() && why.is_none() && is_constant(expr) {
                found.constant.insert(at);
            }
        }
        for (at, expr) in it.aggr_expr.iter().enumerate() {
            let why = worse(self.chance(expr, schema, facts)?, of_aggregate(expr, schema, facts)?);
            if let Some(column) = found.chance.get_mut(first + at) {
                *column = why;
            }
        }
        Ok(if groups.is_some() {
            found.identified_by((0..first).collect())
        } else {
            Facts { keys: Vec::new(), ..found }
        })
    }

    fn joined(&self, it: Join) -> Result<(LogicalPlan, Facts)> {
        let (left, of_left) = self.walk_arc(it.left)?;
        let (right, of_right) = self.walk_arc(it.right)?;
        let it = Join { left, right, ..it };
        let by = of_left.chance.len();
        let pairs: Vec<Expr> = it.on.iter().map(|(one, other)| one.clone().eq(other.clone())).collect();
        let conditions: Vec<&Expr> =
            pairs.iter().chain(it.filter.iter().flat_map(|filter| split_conjunction(filter))).collect();
        let Ok(schema) = it.left.schema().join(it.right.schema()) else {
            let facts = Facts::unknown(it.schema.fields().len(), Obstacle::Unknown);
            return Ok((LogicalPlan::Join(it), facts));
        };
        let both = of_left.clone().beside(of_right.clone());
        let mut why = None;
        for condition in &conditions {
            why = worse(why, firm(self.chance(condition, &schema, &both)?));
        }
        // The right side of a lateral join is another one for each row of the left.
        let is_lateral = matches!(it.right.as_ref(), LogicalPlan::Subquery(_));
        let mut matched = both.clone();
        learn(&mut matched, conditions.iter().copied(), &schema);
        let left_all: Columns = of_left.keys.first().map(|_| (0..by).collect()).unwrap_or_default();
        let right_all: Columns = (by..matched.chance.len()).collect();
        let one_right = !of_left.keys.is_empty() && matched.identifies(&left_all);
        let one_left = !is_lateral && !of_right.keys.is_empty() && matched.identifies(&right_all);
        let shifted = |key: &Columns| key.iter().map(|at| at + by).collect::<Columns>();
        let mut facts = match it.join_type {
            JoinType::Inner => matched,
            JoinType::Left => Facts {
                determined: of_left.determined.clone(),
                constant: of_left.constant.clone(),
                equal: of_left.equal.clone(),
                ..both
            },
            JoinType::Right | JoinType::Full => both.loosened(),
            JoinType::LeftSemi | JoinType::LeftAnti => of_left.clone(),
            JoinType::RightSemi | JoinType::RightAnti => of_right.clone(),
            JoinType::LeftMark | JoinType::RightMark => {
                let mut side = if it.join_type == JoinType::LeftMark { of_left.clone() } else { of_right.clone() };
                side.chance.push(worse(of_left.rows.clone(), of_right.rows.clone()));
                side
            }
        };
        if it.join_type == JoinType::Full {
            // Rows without a match on either side are null in the other's key, as a group of nulls is.
            facts.keys.clear();
        }
        if one_right && matches!(it.join_type, JoinType::Inner | JoinType::Left) {
            facts = of_left.keys.iter().fold(facts, |facts, key| facts.identified_by(key.clone()));
        }
        if one_left && matches!(it.join_type, JoinType::Inner | JoinType::Right) {
            facts = of_right.keys.iter().fold(facts, |facts, key| facts.identified_by(shifted(key)));
        }
        if is_lateral && matches!(it.join_type, JoinType::Inner) {
            // What the right side's keys determine, they determine for one row of the left.
            facts.determined.retain(|(these, _)| these.iter().all(|at| *at < by));
        }
        let facts = facts.with_rows(worse(worse(of_left.rows, of_right.rows), why));
        Ok((LogicalPlan::Join(it), facts))
    }

    fn united(&self, it: Union) -> Result<(LogicalPlan, Facts)> {
        let mut facts = Facts::of_width(it.schema.fields().len());
        let mut inputs = Vec::with_capacity(it.inputs.len());
        for input in it.inputs {
            let (input, of_input) = self.walk_arc(input)?;
            for (column, found) in facts.chance.iter_mut().zip(of_input.chance) {
                *column = worse(column.take(), found);
            }
            facts = facts.with_rows(of_input.rows);
            inputs.push(input);
        }
        Ok((LogicalPlan::Union(Union { inputs, ..it }), facts))
    }

    fn unnested(&self, it: Unnest) -> Result<(LogicalPlan, Facts)> {
        let (input, of_input) = self.walk_arc(it.input)?;
        let chance = it.dependency_indices.iter().map(|at| of_input.chance.get(*at).cloned().flatten()).collect();
        // A list is taken apart in its order, and one that is another one each time gives other rows.
        let rows = of_input.chance.iter().cloned().fold(of_input.rows, worse);
        let facts = Facts { chance, rows, ..Facts::default() };
        Ok((LogicalPlan::Unnest(Unnest { input, ..it }), facts))
    }

    fn recursive(&self, it: RecursiveQuery) -> Result<(LogicalPlan, Facts)> {
        let (static_term, first) = self.walk_arc(it.static_term)?;
        let (recursive_term, next) = self.walk_arc(it.recursive_term)?;
        let chance: Vec<_> = first
            .chance
            .iter()
            .cloned()
            .zip(next.chance.iter().cloned())
            .map(|(one, other)| worse(one, other))
            .collect();
        // Rows follow from rows: what is chance in one column may be in the next round's filter.
        let rows = chance.iter().cloned().fold(worse(first.rows, next.rows), worse);
        let facts = Facts { chance, rows, ..Facts::default() };
        Ok((LogicalPlan::RecursiveQuery(RecursiveQuery { static_term, recursive_term, ..it }), facts))
    }
}

/// The column that an expression is, under whatever name, or as a larger integer.
pub(super) fn column_of(expr: &Expr, schema: &DFSchema) -> Option<usize> {
    match expr {
        Expr::Column(column) => schema.maybe_index_of_column(column),
        Expr::Alias(alias) => column_of(&alias.expr, schema),
        Expr::Cast(cast) => {
            let at = column_of(&cast.expr, schema)?;
            let (from, to) = (schema.field(at).data_type(), cast.field.data_type());
            let is_text = |ty| is_exact(ty) && ty.is_string();
            let is_wider =
                from.is_signed_integer() && to.is_signed_integer() && to.primitive_width() >= from.primitive_width();
            (is_wider || (is_text(from) && is_text(to))).then_some(at)
        }
        _ => None,
    }
}

/// Whether an expression has one value in a call, whatever the row.
pub(super) fn is_constant(expr: &Expr) -> bool {
    let varies = expr.exists(|expr| {
        Ok(expr.is_volatile_node()
            || matches!(expr, Expr::Column(_) | Expr::OuterReferenceColumn(..) | Expr::LambdaVariable(_))
            || matches!(expr, Expr::ScalarSubquery(_) | Expr::Exists(_) | Expr::InSubquery(_) | Expr::SetComparison(_))
            || matches!(expr, Expr::AggregateFunction(_) | Expr::WindowFunction(_) | Expr::Unnest(_)))
    });
    !varies.unwrap_or(true)
}

/// What follows from conditions that hold: columns of one value, and columns that are equal.
fn learn<'e>(facts: &mut Facts, conditions: impl Iterator<Item = &'e Expr>, schema: &DFSchema) {
    let column = |expr: &Expr| column_of(expr, schema).filter(|at| is_exact(schema.field(*at).data_type()));
    for condition in conditions {
        let Expr::BinaryExpr(binary) = condition else { continue };
        if binary.op != Operator::Eq {
            continue;
        }
        match (column(&binary.left), column(&binary.right)) {
            (Some(one), Some(other)) => facts.equal.push((one, other)),
            (Some(one), None) if is_constant(&binary.right) => drop(facts.constant.insert(one)),
            (None, Some(other)) if is_constant(&binary.left) => drop(facts.constant.insert(other)),
            _ => {}
        }
    }
}

fn of_aggregate(expr: &Expr, schema: &DFSchema, facts: &Facts) -> Result<Option<Obstacle>> {
    let mut expr = expr;
    while let Expr::Alias(alias) = expr {
        expr = &alias.expr;
    }
    let Expr::AggregateFunction(call) = expr else { return Ok(Some(Obstacle::Unknown)) };
    let is_told = |sorted: &[Expr]| facts.tells_all(&sorted.iter().filter_map(|key| column_of(key, schema)).collect());
    chance::of_aggregate(call, schema, &is_told)
}

fn of_one_column(facts: Facts) -> Option<Obstacle> {
    let column = facts.chance.into_iter().next().flatten();
    worse(facts.rows, column)
}

/// A condition on a sum hardly ever hangs on its last digit.
fn firm(why: Option<Obstacle>) -> Option<Obstacle> {
    why.filter(|why| !matches!(why, Obstacle::FloatSum(_)))
}
