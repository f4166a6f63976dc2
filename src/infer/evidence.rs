//! What the place of each occurrence says of its type.
//!
//! DataFusion types a placeholder from its neighbour. In a comparison that is right; in arithmetic it is not
//! (`day >= << s >> + interval '1 day'` would make `s` an interval), so only places known to be right count. Where a
//! place says nothing, the author declares the type.

use super::{Context, Declaration, planner};
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use arrow::datatypes::DataType;
use datafusion::common::DataFusionError;
use sqlparser::ast::{BinaryOperator, Expr, LimitClause, Query, Statement, Value, Visit, Visitor};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// What occurrences ask for, by their number.
pub(super) struct Evidence {
    /// Their types; one that asks for nothing is absent.
    pub types: HashMap<usize, Type>,
    /// Those that are a number of rows.
    pub row_counts: HashSet<usize>,
}

/// Gathers what every occurrence of the linked query asks for.
///
/// Errors: the statement refers to something that does not exist, whatever types its parameters may have.
pub(crate) fn gather(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
) -> Result<Evidence, DataFusionError> {
    let places = Places::of(&linked.by_occurrence);
    let mut types: HashMap<usize, Type> = planned(linked, declarations, context)?
        .into_iter()
        .filter(|(at, _)| places.comparisons.contains(at))
        .filter_map(|(at, arrow)| Some((at, Type::from_arrow(&arrow)?)))
        .collect();
    types.extend(places.row_counts.iter().map(|at| (*at, Type::Bigint)));
    Ok(Evidence { types, row_counts: places.row_counts })
}

/// What the planner gives each occurrence, without declared types where it can do without them.
fn planned(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
) -> Result<HashMap<usize, DataType>, DataFusionError> {
    let catalog = context.catalog;
    if let Ok(plan) = planner::plan(&linked.by_occurrence, &[], catalog) {
        return Ok(planner::placeholder_types(&plan));
    }
    // With one number per occurrence a grouped expression no longer equals the selected one: one number per name.
    let by_name = |types: &[Option<DataType>]| {
        planner::plan(&linked.statement, types, catalog).map(|plan| spread(linked, &planner::placeholder_types(&plan)))
    };
    let declared: Vec<Option<DataType>> = linked
        .slots
        .iter()
        .map(|slot| {
            let declaration = declarations.iter().find(|declaration| declaration.name == slot.name)?;
            let ty = &declaration.ty.as_ref()?.value;
            Some(match ty {
                Type::List(item) if slot.list => item.to_arrow(),
                ty => ty.to_arrow(),
            })
        })
        .collect();
    if let Ok(found) = by_name(&[]).or_else(|_| by_name(&declared)) {
        return Ok(found);
    }
    // Is it for want of types? NULL fits everywhere: what it does not mend is wrong whatever the types are.
    let anything: Vec<Option<DataType>> = declared.into_iter().map(|ty| ty.or(Some(DataType::Null))).collect();
    match by_name(&anything) {
        Err(error) if !error.to_string().contains("Null") => Err(error),
        _ => Ok(HashMap::new()),
    }
}

fn spread(linked: &LinkedQuery<'_>, found: &HashMap<usize, DataType>) -> HashMap<usize, DataType> {
    let slot_of = |occurrence: &crate::syntax::Placeholder| {
        linked.slots.iter().position(|slot| slot.name == occurrence.name.value && slot.list == occurrence.list)
    };
    linked
        .occurrences
        .iter()
        .enumerate()
        .filter_map(|(at, occurrence)| Some((at, found.get(&slot_of(occurrence)?)?.clone())))
        .collect()
}

/// Which occurrences stand where.
#[derive(Default)]
struct Places {
    comparisons: HashSet<usize>,
    row_counts: HashSet<usize>,
}

impl Places {
    fn of(statement: &Statement) -> Places {
        let mut places = Places::default();
        let _ = statement.visit(&mut places);
        places
    }

    fn compared<'a>(&mut self, operands: impl IntoIterator<Item = &'a Expr>) {
        self.comparisons.extend(operands.into_iter().filter_map(placeholder));
    }
}

impl Visitor for Places {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op, right } if is_comparison(op) => self.compared([left.as_ref(), right.as_ref()]),
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.compared([left.as_ref(), right.as_ref()]);
            }
            Expr::Between { expr, low, high, .. } => self.compared([expr.as_ref(), low.as_ref(), high.as_ref()]),
            Expr::InList { list, .. } => self.compared(list),
            Expr::InSubquery { expr, .. } => self.compared([expr.as_ref()]),
            Expr::Like { pattern, .. } | Expr::ILike { pattern, .. } | Expr::SimilarTo { pattern, .. } => {
                self.compared([pattern.as_ref()]);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (None, None),
        };
        let fetch = query.fetch.as_ref().and_then(|fetch| fetch.quantity.as_ref());
        self.row_counts.extend([limit, offset, fetch].into_iter().flatten().filter_map(placeholder));
        ControlFlow::Continue(())
    }
}

fn is_comparison(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::Spaceship
            | BinaryOperator::PGRegexMatch
            | BinaryOperator::PGRegexIMatch
            | BinaryOperator::PGRegexNotMatch
            | BinaryOperator::PGRegexNotIMatch
    )
}

/// The number of a placeholder, bare or in brackets.
fn placeholder(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Nested(inner) => placeholder(inner),
        Expr::Value(value) => match &value.value {
            Value::Placeholder(id) => planner::number(id),
            _ => None,
        },
        _ => None,
    }
}
