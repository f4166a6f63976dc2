//! The rows that a subquery is asked for, one after the other, in a form that they can be carried through it.

use datafusion::common::alias::AliasGenerator;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, Result, not_impl_err};
use datafusion::functions_window::row_number::row_number_udwf;
use datafusion::logical_expr::expr::{Case, Exists, InSubquery, Sort, WindowFunction};
use datafusion::logical_expr::{
    Expr, ExprFunctionExt, LogicalPlan, LogicalPlanBuilder, Projection, Subquery, Window, WindowFunctionDefinition,
};
use std::sync::Arc;

/// Outer rows under names that no subquery has.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The rows.
    pub plan: LogicalPlan,
    /// The names that the subquery has for their columns, and those that they have here.
    pub names: Vec<(Column, Column)>,
    /// A number that tells the rows apart, where that is needed.
    pub key: Option<Column>,
}

impl Frame {
    /// The rows of a plan, numbered where that is asked for.
    pub(super) fn of(plan: LogicalPlan, is_numbered: Numbered, unique: &AliasGenerator) -> Result<Frame> {
        let columns = plan.schema().columns();
        let names: Vec<(Column, Column)> =
            columns.into_iter().map(|column| (column, Column::new_unqualified(unique.next("qtool_outer")))).collect();
        let own = names.iter().map(|(from, to)| Expr::Column(from.clone()).alias(&to.name)).collect();
        let plan = projected(own, plan)?;
        let frame = Frame { plan, names, key: None };
        match is_numbered {
            Numbered::Yes => frame.numbered(unique),
            Numbered::No => Ok(frame),
        }
    }

    /// The same rows, each with a number of its own.
    pub(super) fn numbered(self, unique: &AliasGenerator) -> Result<Frame> {
        let key = Column::new_unqualified(unique.next("qtool_row"));
        let plan = with_number(self.plan, Vec::new(), Vec::new(), &key)?;
        Ok(Frame { plan, names: self.names, key: Some(key) })
    }

    /// The columns that are carried along.
    pub(super) fn columns(&self) -> Vec<Expr> {
        self.plan.schema().columns().into_iter().map(Expr::Column).collect()
    }

    /// The columns as they were called before.
    pub(super) fn given(&self) -> Vec<Expr> {
        let given = |(from, to): &(Column, Column)| {
            Expr::Column(to.clone()).alias_qualified(from.relation.clone(), from.name.clone())
        };
        self.names.iter().map(given).collect()
    }

    fn name_of(&self, column: &Column) -> Option<&Column> {
        self.names.iter().find(|(from, _)| from == column).map(|(_, to)| to)
    }

    /// Whether anything in a plan goes by these rows.
    pub(super) fn ties(&self, plan: &LogicalPlan) -> bool {
        let mut found = false;
        // Looking at a plan does not fail.
        let _ = plan.apply_with_subqueries(|node| {
            node.apply_expressions(|expr| {
                found |= self.ties_directly(expr);
                Ok(TreeNodeRecursion::Continue)
            })?;
            Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
        });
        found
    }

    /// Whether an expression goes by these rows, in whatever is inside it.
    pub(super) fn ties_expr(&self, expr: &Expr) -> bool {
        let inside = |expr: &Expr| subquery_of(expr).is_some_and(|subquery| self.ties(&subquery.subquery));
        self.ties_directly(expr) || expr.exists(|expr| Ok(inside(expr))).unwrap_or(true)
    }

    fn ties_directly(&self, expr: &Expr) -> bool {
        let is_tie = |expr: &Expr| match expr {
            Expr::OuterReferenceColumn(_, column) => self.name_of(column).is_some(),
            _ => false,
        };
        expr.exists(|expr| Ok(is_tie(expr))).unwrap_or(true)
    }

    /// An expression of the subquery over the rows that are carried through it. `inner` is what it stands over.
    ///
    /// Errors: subqueries in it that are nested too deep to tell whose columns they mean.
    pub(super) fn inside(&self, expr: Expr, inner: &LogicalPlan) -> Result<Expr> {
        let replaced = expr.transform_up(|expr| match expr {
            Expr::OuterReferenceColumn(field, column) => Ok(match self.name_of(&column) {
                Some(own) => Transformed::yes(Expr::Column(own.clone())),
                None => Transformed::no(Expr::OuterReferenceColumn(field, column)),
            }),
            Expr::ScalarSubquery(subquery) => {
                Ok(Transformed::yes(Expr::ScalarSubquery(self.inside_subquery(subquery, inner)?)))
            }
            Expr::Exists(Exists { subquery, negated }) => {
                let subquery = self.inside_subquery(subquery, inner)?;
                Ok(Transformed::yes(Expr::Exists(Exists { subquery, negated })))
            }
            Expr::InSubquery(InSubquery { expr, subquery, negated }) => {
                let subquery = self.inside_subquery(subquery, inner)?;
                Ok(Transformed::yes(Expr::InSubquery(InSubquery { expr, subquery, negated })))
            }
            other => Ok(Transformed::no(other)),
        })?;
        Ok(replaced.data)
    }

    /// A subquery in the subquery: what it means by a name is first what is around it.
    fn inside_subquery(&self, subquery: Subquery, inner: &LogicalPlan) -> Result<Subquery> {
        if !self.ties(&subquery.subquery) {
            return Ok(subquery);
        }
        let own = |column: &Column| {
            let is_nearer = inner.schema().has_column(column);
            if is_nearer { None } else { self.name_of(column).cloned() }
        };
        let rename = |expr: Expr| {
            expr.transform_up(|expr| match expr {
                Expr::OuterReferenceColumn(field, column) => Ok(match own(&column) {
                    Some(own) => Transformed::yes(Expr::OuterReferenceColumn(field, own)),
                    None => Transformed::no(Expr::OuterReferenceColumn(field, column)),
                }),
                other if subquery_of(&other).is_some_and(|deeper| self.ties(&deeper.subquery)) => {
                    not_impl_err!("a correlated subquery three levels below the rows that it goes by")
                }
                other => Ok(Transformed::no(other)),
            })
        };
        let plan = Arc::unwrap_or_clone(subquery.subquery).transform_up(|node| node.map_expressions(rename))?.data;
        let outer = subquery.outer_ref_columns.into_iter().map(|expr| rename(expr).map(|expr| expr.data));
        let outer_ref_columns = outer.collect::<Result<Vec<_>>>()?;
        Ok(Subquery { subquery: Arc::new(plan), outer_ref_columns, spans: subquery.spans })
    }

    /// An expression over the outer rows themselves.
    pub(super) fn of_outer(&self, expr: Expr) -> Result<Expr> {
        renamed_columns(expr, &self.names)
    }
}

/// An expression over columns that are called differently.
pub(super) fn renamed_columns(expr: Expr, names: &[(Column, Column)]) -> Result<Expr> {
    let own = |column: &Column| names.iter().find(|(from, _)| from == column).map(|(_, to)| to.clone());
    let renamed = expr.transform_up(|expr| match &expr {
        Expr::Column(column) => Ok(match own(column) {
            Some(own) => Transformed::yes(Expr::Column(own)),
            None => Transformed::no(expr),
        }),
        _ => Ok(Transformed::no(expr)),
    })?;
    Ok(renamed.data)
}

/// Whether rows get numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbered {
    /// Each its own.
    Yes,
    /// None.
    No,
}

/// A plan with a further column: the number of each row among those of its part, in an order.
pub(super) fn with_number(plan: LogicalPlan, parts: Vec<Expr>, order: Vec<Sort>, name: &Column) -> Result<LogicalPlan> {
    let mut columns: Vec<Expr> = plan.schema().columns().into_iter().map(Expr::Column).collect();
    let function = WindowFunction::new(WindowFunctionDefinition::WindowUDF(row_number_udwf()), Vec::new());
    let number = Expr::from(function).partition_by(parts).order_by(order).build()?;
    let number = Window::try_new(vec![number], Arc::new(plan))?;
    if let Some(counted) = number.schema.columns().pop() {
        columns.push(Expr::Column(counted).alias(&name.name));
    }
    projected(columns, LogicalPlan::Window(number))
}

/// These columns of a plan.
pub(super) fn projected(columns: Vec<Expr>, plan: LogicalPlan) -> Result<LogicalPlan> {
    Ok(LogicalPlan::Projection(Projection::try_new(columns, Arc::new(plan))?))
}

/// The rows of a plan that hold.
pub(super) fn filtered(plan: LogicalPlan, condition: Expr) -> Result<LogicalPlan> {
    LogicalPlanBuilder::from(plan).filter(condition)?.build()
}

/// An expression where something is there, and NULL elsewhere. It is not evaluated there.
pub(super) fn where_there(there: &Column, expr: Expr) -> Expr {
    let there = Expr::Column(there.clone()).is_not_null();
    Expr::Case(Case { expr: None, when_then_expr: vec![(Box::new(there), Box::new(expr))], else_expr: None })
}

/// The subquery that an expression is.
pub(super) fn subquery_of(expr: &Expr) -> Option<&Subquery> {
    match expr {
        Expr::ScalarSubquery(subquery)
        | Expr::Exists(Exists { subquery, .. })
        | Expr::InSubquery(InSubquery { subquery, .. }) => Some(subquery),
        Expr::SetComparison(comparison) => Some(&comparison.subquery),
        _ => None,
    }
}
