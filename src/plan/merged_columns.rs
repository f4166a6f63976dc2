//! `USING` and `NATURAL` give one column for both sides, whichever of them has a row.
//!
//! DataFusion keeps both columns and takes the left one for the name: of a RIGHT or FULL JOIN it was null where the left
//! side has no row. It does not know the name at all behind a second join by it. Such joins are planned here, as SQL has
//! it: the column stands before the others, is that of the left side for an inner or LEFT JOIN, that of the right side
//! for a RIGHT JOIN and `coalesce` of both for a FULL JOIN. The columns it was made of are gone: who asks for that of one
//! side gets an error, and no row that is wrong.

use crate::syntax::ast::{exposed_name, join_constraint, last_part};
use crate::syntax::normalized;
use datafusion::common::{Column, Result, TableReference, plan_datafusion_err, plan_err};
use datafusion::logical_expr::planner::{PlannedRelation, RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::logical_expr::{Expr, JoinType, LogicalPlan, LogicalPlanBuilder};
use sqlparser::ast::{
    Expr as SqlExpr, Ident, Join, JoinConstraint, JoinOperator, Query, Select, SelectItem, Statement, TableFactor,
    TableWithJoins, Visit, VisitMut, Visitor, VisitorMut,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Which side the column is that a join makes of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// The left one's, which has a row wherever there is one.
    Left,
    /// The right one's.
    Right,
    /// Either's.
    Both,
}

/// Which column a join with USING or NATURAL makes; `None` for another join.
pub(crate) fn side(operator: &JoinOperator) -> Option<Side> {
    let side = match operator {
        JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => {
            Side::Left
        }
        JoinOperator::Right(_) | JoinOperator::RightOuter(_) => Side::Right,
        JoinOperator::FullOuter(_) => Side::Both,
        _ => return None,
    };
    matches!(join_constraint(operator), Some(JoinConstraint::Using(_) | JoinConstraint::Natural)).then_some(side)
}

/// Whether the columns of these joins are made here: one of them is not the left side's, a name is joined by twice, or
/// they are joined by what they have in common.
pub(crate) fn are_made(joins: &[Join]) -> bool {
    let mut seen = BTreeSet::new();
    joins.iter().any(|join| match (side(&join.join_operator), join_constraint(&join.join_operator)) {
        (None, _) => false,
        (Some(Side::Right | Side::Both), _) => true,
        (Some(Side::Left), Some(JoinConstraint::Using(names))) => {
            names.iter().filter_map(last_part).any(|name| !seen.insert(name))
        }
        // Which names they are is not written, so that nobody could be asked to put a table in front of one.
        (Some(Side::Left), Some(JoinConstraint::Natural)) => true,
        (Some(Side::Left), _) => false,
    })
}

/// Puts each such join into brackets of its own, with a mark that [`MergedColumns`] finds.
///
/// Errors: `table.*` beside one, which would lack a column.
pub(super) fn mark(statement: &mut Statement) -> Result<()> {
    if let ControlFlow::Break(name) = Visit::visit(&*statement, &mut Stars) {
        return plan_err!(
            "`{name}.*` is not known where USING or NATURAL makes one column of two; name its columns, or join with ON"
        );
    }
    let _ = VisitMut::visit(statement, &mut Joins);
    Ok(())
}

/// `table.*` of a SELECT with such a join.
struct Stars;

impl Visitor for Stars {
    type Break = String;

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<String> {
        if select.from.iter().any(is_made_in) {
            for item in &select.projection {
                if let SelectItem::QualifiedWildcard(kind, _) = item {
                    return ControlFlow::Break(kind.to_string().trim_end_matches(".*").to_owned());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

fn is_made_in(tables: &TableWithJoins) -> bool {
    let inside = |factor: &TableFactor| match factor {
        TableFactor::NestedJoin { table_with_joins, alias: None } => is_made_in(table_with_joins),
        _ => false,
    };
    are_made(&tables.joins) || inside(&tables.relation) || tables.joins.iter().any(|join| inside(&join.relation))
}

struct Joins;

impl VisitorMut for Joins {
    type Break = ();

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        if let Some(mut named) = OfLeft::of(&select.from) {
            let _ = VisitMut::visit(&mut select.selection, &mut named);
        }
        select.from.iter_mut().for_each(in_brackets);
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let TableFactor::NestedJoin { table_with_joins, .. } = factor {
            in_brackets(table_with_joins);
        }
        ControlFlow::Continue(())
    }
}

/// Puts the left table in front of the columns that a plain join goes by: the planner finds them by their name alone, but
/// not in WHERE.
struct OfLeft {
    table: String,
    columns: Vec<String>,
    /// How many queries are open.
    below: usize,
}

impl OfLeft {
    fn of(from: &[TableWithJoins]) -> Option<OfLeft> {
        let [TableWithJoins { relation, joins }] = from else { return None };
        let [join] = joins.as_slice() else { return None };
        let Some(JoinConstraint::Using(names)) = join_constraint(&join.join_operator) else { return None };
        let is_function = matches!(relation, TableFactor::Table { args: Some(_), .. });
        if side(&join.join_operator) != Some(Side::Left) || are_made(joins) || is_function {
            return None;
        }
        let columns = names.iter().filter_map(last_part).collect();
        Some(OfLeft { table: exposed_name(relation)?, columns, below: 0 })
    }
}

impl VisitorMut for OfLeft {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.below += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.below = self.below.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut SqlExpr) -> ControlFlow<()> {
        if let SqlExpr::Identifier(name) = expr
            && self.below == 0
            && self.columns.contains(&normalized(name))
        {
            *expr = SqlExpr::CompoundIdentifier(vec![Ident::with_quote('"', &self.table), name.clone()]);
        }
        ControlFlow::Continue(())
    }
}

/// `a JOIN b USING (id) JOIN c ON …` → `(a JOIN b USING (id)) JOIN c ON …`
fn in_brackets(tables: &mut TableWithJoins) {
    if !are_made(&tables.joins) {
        return;
    }
    let mut relation = tables.relation.clone();
    let mut joins = Vec::new();
    for mut join in std::mem::take(&mut tables.joins) {
        let is_made = side(&join.join_operator).is_some();
        // Nobody can write it: it is refused where it stands.
        join.global |= is_made;
        if is_made {
            relation = nested(relation, std::mem::take(&mut joins));
            relation = nested(relation, vec![join]);
        } else {
            joins.push(join);
        }
    }
    *tables = TableWithJoins { relation, joins };
}

fn nested(relation: TableFactor, joins: Vec<Join>) -> TableFactor {
    if joins.is_empty() {
        return relation;
    }
    let table_with_joins = Box::new(TableWithJoins { relation, joins });
    TableFactor::NestedJoin { table_with_joins, alias: None }
}

/// Plans the joins that are marked.
#[derive(Debug)]
pub(super) struct MergedColumns;

impl RelationPlanner for MergedColumns {
    fn plan_relation(
        &self,
        relation: TableFactor,
        context: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        match relation {
            TableFactor::NestedJoin { table_with_joins, alias } if is_marked(&table_with_joins) => {
                let plan = joined(*table_with_joins, context)?;
                Ok(RelationPlanning::Planned(Box::new(PlannedRelation::new(plan, alias))))
            }
            other => Ok(RelationPlanning::Original(Box::new(other))),
        }
    }
}

fn is_marked(tables: &TableWithJoins) -> bool {
    matches!(tables.joins.as_slice(), [only] if only.global)
}

fn joined(tables: TableWithJoins, context: &mut dyn RelationPlannerContext) -> Result<LogicalPlan> {
    let Some(join) = tables.joins.into_iter().next() else { return plan_err!("a join of nothing") };
    if matches!(
        join.relation,
        TableFactor::Derived { lateral: true, .. }
            | TableFactor::Function { lateral: true, .. }
            | TableFactor::UNNEST { .. }
    ) {
        return plan_err!("LATERAL is not supported behind USING or NATURAL here; join with ON");
    }
    let Some(side) = side(&join.join_operator) else { return plan_err!("a join without USING") };
    let left = context.plan(tables.relation)?;
    let right = context.plan(join.relation)?;
    let names = match join_constraint(&join.join_operator) {
        Some(JoinConstraint::Using(names)) => {
            let names = names.iter().map(|name| match name.0.as_slice() {
                [part] => part.as_ident().map(normalized),
                _ => None,
            });
            let names: Option<Vec<String>> = names.collect();
            names.ok_or_else(|| plan_datafusion_err!("USING takes names of columns, without a table in front"))?
        }
        _ => shared(&left, &right),
    };
    let kind = match (&join.join_operator, side) {
        (_, Side::Both) => JoinType::Full,
        (_, Side::Right) => JoinType::Right,
        (JoinOperator::Left(_) | JoinOperator::LeftOuter(_), Side::Left) => JoinType::Left,
        (_, Side::Left) => JoinType::Inner,
    };
    if names.is_empty() {
        // NATURAL without a name in common pairs all rows. An outer join has some of an empty side as well.
        return LogicalPlanBuilder::from(left).join_on(right, kind, [])?.build();
    }
    merged(Sides { left, right, names }, (kind, side), context)
}

/// The names that both sides have, in the order of the left one.
fn shared(left: &LogicalPlan, right: &LogicalPlan) -> Vec<String> {
    let has = |name: &str| right.schema().fields().iter().any(|field| field.name() == name);
    let mut names: Vec<String> = Vec::new();
    for field in left.schema().fields() {
        if has(field.name()) && !names.contains(field.name()) {
            names.push(field.name().clone());
        }
    }
    names
}

struct Sides {
    left: LogicalPlan,
    right: LogicalPlan,
    names: Vec<String>,
}

fn merged(
    sides: Sides,
    (kind, side): (JoinType, Side),
    context: &mut dyn RelationPlannerContext,
) -> Result<LogicalPlan> {
    let keys = |plan: &LogicalPlan| sides.names.iter().map(|name| key(plan, name)).collect::<Result<Vec<Column>>>();
    let (lefts, rights) = (keys(&sides.left)?, keys(&sides.right)?);
    let mut columns = Vec::new();
    for (left, right) in lefts.iter().zip(&rights) {
        columns.push(match side {
            Side::Left => Expr::Column(left.clone()),
            Side::Right => Expr::Column(right.clone()),
            Side::Both => {
                let Some(coalesce) = context.context_provider().get_function_meta("coalesce") else {
                    return plan_err!("`coalesce` is not known");
                };
                let both = coalesce.call(vec![Expr::Column(left.clone()), Expr::Column(right.clone())]);
                both.alias_qualified(Some(of_both(left, right)), left.name.clone())
            }
        });
    }
    let rest = |plan: &LogicalPlan, keys: &[Column]| {
        let columns = plan.schema().columns().into_iter().filter(|column| !keys.contains(column));
        columns.map(Expr::Column).collect::<Vec<Expr>>()
    };
    columns.extend(rest(&sides.left, &lefts));
    columns.extend(rest(&sides.right, &rights));
    let joined = LogicalPlanBuilder::from(sides.left).join(sides.right, kind, (lefts, rights), None)?;
    joined.project(columns)?.build()
}

/// A qualifier that nobody writes. With one, the name of another table's column is ambiguous beside it, as it has to be;
/// without, the planner would refuse the two.
fn of_both(left: &Column, right: &Column) -> TableReference {
    let of = |column: &Column| column.relation.as_ref().map(|table| table.table().to_owned()).unwrap_or_default();
    TableReference::bare(format!("{} and {}", of(left), of(right)))
}

fn key(plan: &LogicalPlan, name: &str) -> Result<Column> {
    let found = plan.schema().qualified_field_with_unqualified_name(name);
    found.map(Column::from).map_err(|_| {
        let times = plan.schema().fields().iter().filter(|field| field.name() == name).count();
        match times {
            0 => plan_datafusion_err!("a side of the join has no column `{name}`"),
            _ => plan_datafusion_err!("a side of the join has several columns `{name}`"),
        }
    })
}
