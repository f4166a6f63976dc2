//! What the place of each occurrence says of its type.
//!
//! DataFusion types a placeholder from its neighbour. In a comparison that is right; in arithmetic it is not
//! (`day >= << s >> + interval '1 day'` would make `s` an interval), so only places known to be right count. Where a
//! place says nothing, the author declares the type.

use super::unify::weak_evidence;
use super::{Context, Declaration, named, planner};
use crate::syntax::Placeholder;
use crate::syntax::link::LinkedQuery;
use crate::ty::Type;
use arrow::datatypes::{DataType, IntervalUnit};
use datafusion::common::DataFusionError;
use sqlparser::ast::{BinaryOperator, Expr, LimitClause, Query, Value, Visit, Visitor};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// What occurrences ask for, by their number.
pub(super) struct Evidence {
    /// Their types; one that asks for nothing is absent.
    pub types: HashMap<usize, Type>,
    /// Those that are a number of rows.
    pub row_counts: HashSet<usize>,
    /// Those that stand in arithmetic, where text is never right.
    pub arithmetic: HashSet<usize>,
}

/// Gathers what every occurrence of the linked query asks for.
///
/// Errors: the statement refers to something that does not exist, whatever types its parameters may have.
pub(crate) fn gather(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    context: Context<'_>,
) -> Result<Evidence, DataFusionError> {
    let mut places = Places::default();
    for part in &linked.parts {
        let _ = part.by_occurrence.visit(&mut places);
    }
    let mut types: HashMap<usize, Type> = planned(linked, declarations, &places, context)?
        .into_iter()
        .filter(|(at, _)| places.comparisons.contains(at))
        .filter_map(|(at, places)| Some((at, joined(&places)?)))
        .collect();
    types.extend(places.patterns.iter().map(|at| (*at, Type::Text)));
    types.extend(places.row_counts.iter().map(|at| (*at, Type::Bigint)));
    Ok(Evidence { types, row_counts: places.row_counts, arithmetic: places.arithmetic })
}

/// Types for placeholders that nothing is asked of: NULL fits nearly everywhere, an interval beside a date, a number in
/// other arithmetic, text in functions that want nothing else.
const STAND_INS: [DataType; 4] =
    [DataType::Null, DataType::Interval(IntervalUnit::MonthDayNano), DataType::Int64, DataType::Utf8];

/// What the planner gives each occurrence that stands in a comparison.
fn planned(
    linked: &LinkedQuery<'_>,
    declarations: &[Declaration],
    places: &Places,
    context: Context<'_>,
) -> Result<HashMap<usize, Vec<DataType>>, DataFusionError> {
    let catalog = context.catalog;
    let declared = |name: &str, list: bool| {
        let declaration = declarations.iter().find(|declaration| declaration.name == name)?;
        // A default speaks for its parameter where nothing else does: its neighbours must be typed beside that type.
        let declared = declaration.ty.as_ref().map(|ty| ty.value.clone());
        Some(match declared.or_else(|| weak_evidence(declaration))? {
            Type::List(item) if list => item.to_arrow(),
            ty => ty.to_arrow(),
        })
    };
    // A comparison is to speak for itself, whatever is declared. Everything else has its declared type, or one that lets
    // the statement be planned: an untyped placeholder in the select list would keep the others from being typed.
    for stand_in in STAND_INS {
        let types: Vec<Option<DataType>> = linked
            .occurrences
            .iter()
            .enumerate()
            .map(|(at, one)| {
                let elsewhere = || declared(&one.name.value, one.list).or(Some(stand_in.clone()));
                if places.comparisons.contains(&at) { None } else { elsewhere() }
            })
            .collect();
        if let Ok(plan) = planner::plan(&named(linked, |part| &part.by_occurrence), &types, catalog) {
            return Ok(planner::placeholder_types(&plan));
        }
    }
    // With one number per occurrence a grouped expression no longer equals the selected one: one number per name.
    let statements = named(linked, |part| &part.statement);
    let compared = |at: usize| {
        let of_slot = |(_, one): &(usize, &&Placeholder)| linked.slot_of(one) == Some(at);
        linked.occurrences.iter().enumerate().filter(of_slot).any(|(at, _)| places.comparisons.contains(&at))
    };
    let untyped: Vec<Option<DataType>> = linked
        .slots
        .iter()
        .enumerate()
        .map(|(at, slot)| if compared(at) { None } else { declared(&slot.name, slot.list).or(Some(DataType::Null)) })
        .collect();
    let typed: Vec<Option<DataType>> = linked.slots.iter().map(|slot| declared(&slot.name, slot.list)).collect();
    for types in [&untyped, &typed] {
        if let Ok(plan) = planner::plan(&statements, types, catalog) {
            return Ok(spread(linked, &planner::placeholder_types(&plan)));
        }
    }
    // Is it for want of types? What NULL everywhere does not mend is wrong whatever the types are.
    let anything: Vec<Option<DataType>> = typed.into_iter().map(|ty| ty.or(Some(DataType::Null))).collect();
    match planner::plan(&statements, &anything, catalog) {
        Err(error) if !speaks_of_null(&error) => Err(error),
        _ => Ok(HashMap::new()),
    }
}

/// Whether the engine names the null type; a column may be called so, but not alone and in this spelling.
fn speaks_of_null(error: &DataFusionError) -> bool {
    error.to_string().split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "Null")
}

/// The type that takes all of them; none where they do not go together, and the author is asked.
fn joined(places: &[DataType]) -> Option<Type> {
    places.iter().map(Type::from_arrow).reduce(|a, b| a?.join(&b?))?
}

/// What is known by name, for every occurrence of that name.
fn spread(linked: &LinkedQuery<'_>, found: &HashMap<usize, Vec<DataType>>) -> HashMap<usize, Vec<DataType>> {
    let occurrences = linked.occurrences.iter().enumerate();
    occurrences.filter_map(|(at, one)| Some((at, found.get(&linked.slot_of(one)?)?.clone()))).collect()
}

/// Which occurrences stand where.
#[derive(Default)]
struct Places {
    comparisons: HashSet<usize>,
    patterns: HashSet<usize>,
    arithmetic: HashSet<usize>,
    row_counts: HashSet<usize>,
}

impl Places {
    fn compared<'a>(&mut self, operands: impl IntoIterator<Item = &'a Expr>) {
        self.comparisons.extend(operands.into_iter().filter_map(placeholder));
    }
}

impl Visitor for Places {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op, right } if is_comparison(op) => self.compared([left.as_ref(), right.as_ref()]),
            Expr::BinaryOp { left, op, right } if is_arithmetic(op) => {
                self.arithmetic.extend([left.as_ref(), right.as_ref()].into_iter().filter_map(placeholder));
            }
            Expr::IsDistinctFrom(left, right) | Expr::IsNotDistinctFrom(left, right) => {
                self.compared([left.as_ref(), right.as_ref()]);
            }
            Expr::Between { expr, low, high, .. } => self.compared([expr.as_ref(), low.as_ref(), high.as_ref()]),
            Expr::InList { list, .. } => self.compared(list),
            Expr::InSubquery { expr, .. } => self.compared([expr.as_ref()]),
            Expr::Like { pattern, .. } | Expr::ILike { pattern, .. } | Expr::SimilarTo { pattern, .. } => {
                // A pattern is text, whatever it is matched against.
                self.patterns.extend(placeholder(pattern));
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

fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator::{Divide, Minus, Modulo, Multiply, Plus};
    matches!(op, Plus | Minus | Multiply | Divide | Modulo)
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
