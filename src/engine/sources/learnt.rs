//! What a join knows of its other side when the rows of a database are wanted: they are asked for with it.
//!
//! A hash join has read one of its sides before it asks for the other, and says of the columns that it joins by between
//! which values they lie, and which they are where they are few. That is a hint: the join looks at the rows that come
//! itself. So any part of it may be left out, and what is sent gives at least the rows that the join finds others for.

use super::bind::MOST_VALUES;
use super::pushed;
use super::remote_query::{RemoteQuery, Shape, Sought};
use datafusion::common::{Column as Named, ScalarValue};
use datafusion::logical_expr::{Expr, Operator, cast};
use datafusion::physical_expr::expressions::{
    BinaryExpr, CaseExpr, CastExpr, Column, DynamicFilterPhysicalExpr, InListExpr, Literal,
};
use datafusion::physical_expr::{PhysicalExpr, ScalarFunctionExpr};
use std::collections::HashSet;
use std::sync::Arc;

/// The conditions that filters come to now, and their values, which are numbered behind those that the query has; `None`
/// where no row is wanted.
pub(super) fn conditions(
    filters: &[Arc<dyn PhysicalExpr>],
    query: &RemoteQuery,
    values: usize,
) -> Option<(Vec<Sought>, Vec<ScalarValue>)> {
    // In the places of those that the query has.
    let mut all: Vec<Expr> = vec![Expr::Literal(ScalarValue::Null, None); values];
    let mut sought = Vec::new();
    for filter in filters {
        let Some(filter) = filter.downcast_ref::<DynamicFilterPhysicalExpr>() else { continue };
        // What cannot be told is a hint less.
        let Ok(filter) = filter.current() else { continue };
        let learning = Learning { query };
        for known in learning.parts(&filter)? {
            let before = all.len();
            let found = known.into_expr().and_then(|expr| pushed::condition(&expr, &query.table, &mut all));
            if all.len() > MOST_VALUES {
                all.truncate(before);
                continue;
            }
            sought.extend(found.map(|found| Sought { is_exact: false, ..found }));
        }
    }
    let literal = |value: Expr| match value {
        Expr::Literal(value, _) => value,
        _ => ScalarValue::Null,
    };
    Some((sought, all.into_iter().skip(values).map(literal).collect()))
}

/// Whether a query can be asked with more conditions on what it gives.
pub(super) fn can_learn(query: &RemoteQuery) -> bool {
    match &query.shape {
        Shape::Rows(None) => true,
        Shape::Grouped { keys, .. } => !keys.is_empty(),
        // The first rows are others then.
        Shape::Rows(Some(_)) | Shape::Sorted { .. } => false,
    }
}

/// What is known of a column, as an expression over those of the table.
#[derive(Debug, Clone, PartialEq)]
struct Known {
    column: Expr,
    what: What,
}

/// What is known of the values of a column.
#[derive(Debug, Clone, PartialEq)]
enum What {
    /// None is less.
    From(ScalarValue),
    /// None is larger.
    To(ScalarValue),
    /// They are some of these.
    Among(Vec<ScalarValue>),
}

impl Known {
    fn into_expr(self) -> Option<Expr> {
        let literal = |value: ScalarValue| Expr::Literal(value, None);
        Some(match self.what {
            What::From(least) => self.column.gt_eq(literal(least)),
            What::To(largest) => self.column.lt_eq(literal(largest)),
            What::Among(items) => {
                let mut seen = HashSet::new();
                let mut items: Vec<Expr> =
                    items.into_iter().filter(|item| seen.insert(item.clone())).map(literal).collect();
                let last = items.last()?.clone();
                // So that there are few statements: each is kept for the next call.
                items.resize(items.len().next_power_of_two(), last);
                self.column.in_list(items, false)
            }
        })
    }

    /// What is known where one of two holds.
    fn or(self, other: Known) -> Option<Known> {
        let what = match (self.what, other.what) {
            (What::From(one), What::From(other)) => What::From(if other < one { other } else { one }),
            (What::To(one), What::To(other)) => What::To(if other > one { other } else { one }),
            (What::Among(mut one), What::Among(other)) => {
                one.extend(other);
                What::Among(one)
            }
            _ => return None,
        };
        Some(Known { column: self.column, what })
    }

    fn is_like(&self, other: &Known) -> bool {
        self.column == other.column && std::mem::discriminant(&self.what) == std::mem::discriminant(&other.what)
    }
}

/// Reads filters over what a query gives.
struct Learning<'a> {
    query: &'a RemoteQuery,
}

impl Learning<'_> {
    /// All that is known where a filter is true; `None` where it never is.
    fn parts(&self, filter: &Arc<dyn PhysicalExpr>) -> Option<Vec<Known>> {
        if let Some(case) = filter.downcast_ref::<CaseExpr>() {
            return self.branches(case);
        }
        if let Some(binary) = filter.downcast_ref::<BinaryExpr>() {
            let known = match binary.op() {
                Operator::And => {
                    let mut both = self.parts(binary.left())?;
                    both.extend(self.parts(binary.right())?);
                    return Some(both);
                }
                Operator::GtEq => self.bound(binary, What::From),
                Operator::LtEq => self.bound(binary, What::To),
                _ => None,
            };
            return Some(known.into_iter().collect());
        }
        if let Some(list) = filter.downcast_ref::<InListExpr>().filter(|list| !list.negated()) {
            return Some(self.list(list));
        }
        match value(filter) {
            Some(ScalarValue::Boolean(Some(false))) => None,
            _ => Some(Vec::new()),
        }
    }

    /// A join in several parts has a branch for each of them.
    fn branches(&self, case: &CaseExpr) -> Option<Vec<Known>> {
        let branches = case.when_then_expr().iter().map(|(_, then)| then).chain(case.else_expr());
        let mut branches = branches.filter_map(|branch| self.parts(branch));
        let first = branches.next()?;
        Some(branches.fold(first, |all, branch| {
            let both = |known: Known| {
                let other = branch.iter().find(|other| known.is_like(other))?.clone();
                known.or(other)
            };
            all.into_iter().filter_map(both).collect()
        }))
    }

    fn bound(&self, binary: &BinaryExpr, what: fn(ScalarValue) -> What) -> Option<Known> {
        let bound = value(binary.right()).filter(|bound| is_told(bound))?;
        Some(Known { column: self.column(binary.left())?, what: what(bound.clone()) })
    }

    fn list(&self, list: &InListExpr) -> Vec<Known> {
        let items: Option<Vec<&ScalarValue>> = list.list().iter().map(value).collect();
        let Some(items) = items else { return Vec::new() };
        // By several columns, they are joined by structures of them.
        let Some(of_columns) = list.expr().downcast_ref::<ScalarFunctionExpr>() else {
            return self.among(list.expr(), items.into_iter().cloned().collect()).into_iter().collect();
        };
        if of_columns.name() != "struct" {
            return Vec::new();
        }
        let of_column = |(at, column): (usize, &Arc<dyn PhysicalExpr>)| {
            let item = |item: &&ScalarValue| match item {
                ScalarValue::Struct(fields) => ScalarValue::try_from_array(fields.columns().get(at)?, 0).ok(),
                _ => None,
            };
            self.among(column, items.iter().map(item).collect::<Option<Vec<_>>>()?)
        };
        of_columns.args().iter().enumerate().filter_map(of_column).collect()
    }

    fn among(&self, column: &Arc<dyn PhysicalExpr>, mut items: Vec<ScalarValue>) -> Option<Known> {
        // NULL is equal to nothing.
        items.retain(|item| !item.is_null());
        let is_known = !items.is_empty() && items.iter().all(is_told);
        let column = self.column(column).filter(|_| is_known)?;
        Some(Known { column, what: What::Among(items) })
    }

    /// A column of the table of a column of what the query gives, also where it is cast.
    fn column(&self, expr: &Arc<dyn PhysicalExpr>) -> Option<Expr> {
        if let Some(inner) = expr.downcast_ref::<CastExpr>() {
            return Some(cast(self.column(inner.expr())?, inner.cast_type().clone()));
        }
        let at = *self.query.columns.get(expr.downcast_ref::<Column>()?.index())?;
        let place = match &self.query.shape {
            Shape::Grouped { keys, .. } => *keys.get(at)?,
            _ => at,
        };
        let (field, _) = self.query.table.column(place)?;
        Some(Expr::Column(Named::new_unqualified(field.name())))
    }
}

fn value(expr: &Arc<dyn PhysicalExpr>) -> Option<&ScalarValue> {
    expr.downcast_ref::<Literal>().map(Literal::value)
}

/// Whether a value is sent as a hint. Of floating-point numbers, what is no number and minus zero have other places in
/// other orders.
fn is_told(value: &ScalarValue) -> bool {
    !value.is_null() && !value.data_type().is_floating()
}
