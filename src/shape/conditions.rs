//! The conditions of a statement, cut at their ANDs and ORs, each with its extent in the tokens.

use super::extent::Extents;
use super::operands::{Sense, compared, operand};
use super::outside::outside_of_queries;
use super::restriction::optional_sides;
use crate::source::Span;
use crate::syntax::OPTIONAL_OR;
use crate::syntax::ast::join_constraint;
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, ObjectNamePart, PipeOperator, Query, Select, TableFactor,
    TableWithJoins, UnaryOperator,
};
use sqlparser::keywords::Keyword;
use std::ops::{ControlFlow, Range};

/// The condition of a WHERE, HAVING, ON or QUALIFY.
#[derive(Debug)]
pub(super) struct FilterClause {
    pub keyword: Keyword,
    /// Whether rows that do not pass are there all the same, as those of an outer join.
    pub is_of_partners: bool,
    pub range: Range<usize>,
    pub alternatives: Alternatives,
}

/// Conditions of which one must hold, each made of some that must all hold.
pub(super) type Alternatives = Vec<Vec<Piece>>;

/// One of the conditions that ANDs join.
#[derive(Debug)]
pub(super) struct Piece {
    /// The AND before it; none before the first.
    pub and: Option<usize>,
    pub range: Range<usize>,
    /// What is left of it without NOT and brackets around the whole.
    pub core: Range<usize>,
    pub sense: Sense,
    pub inside: Inside,
}

/// What is left of a condition.
#[derive(Debug)]
pub(super) enum Inside {
    /// More than one condition.
    Several(Alternatives),
    Single(Single),
}

/// One condition.
#[derive(Debug, Default)]
pub(super) struct Single {
    /// The placeholders whose absence makes it NULL or false.
    pub dead: Vec<usize>,
    pub kind: SingleKind,
    /// What more rows of the queries in it mean.
    pub queries: Queries,
}

#[derive(Debug, Default)]
pub(super) enum SingleKind {
    /// An optional clause that OR joins.
    OptionalOr,
    /// It says whether something is NULL.
    NullTest,
    List,
    /// A BETWEEN with a placeholder for a bound; its parts, where it can be taken apart.
    Between(Option<Between>),
    #[default]
    Other,
}

/// What more rows of the queries in a condition mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Queries {
    /// More rows of the result.
    Rows,
    /// Other values.
    Values,
    /// Less, or nobody knows: nothing is said of them.
    #[default]
    Unknown,
}

/// `x BETWEEN low AND high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    /// What is compared.
    pub operand: Span,
    /// The word `BETWEEN`.
    pub between: Span,
    /// The word `AND`.
    pub and: Span,
    /// The lower bound.
    pub low: Span,
    /// The upper bound.
    pub high: Span,
}

/// Those of a SELECT.
pub(super) fn of_select(select: &Select, extents: &Extents<'_>) -> Vec<FilterClause> {
    let mut found = Vec::new();
    for table in &select.from {
        of_table(table, extents, &mut found);
    }
    found.extend(select.selection.as_ref().and_then(|condition| filter(Keyword::WHERE, condition, extents)));
    found.extend(select.having.as_ref().and_then(|condition| filter(Keyword::HAVING, condition, extents)));
    found.extend(select.qualify.as_ref().and_then(|condition| filter(Keyword::QUALIFY, condition, extents)));
    found
}

/// Those behind a query's `|>`.
pub(super) fn of_query(query: &Query, extents: &Extents<'_>) -> Vec<FilterClause> {
    let of_operator = |operator: &PipeOperator| match operator {
        PipeOperator::Where { expr } => filter(Keyword::WHERE, expr, extents),
        PipeOperator::Join(join) => of_join(&join.join_operator, extents),
        _ => None,
    };
    query.pipe_operators.iter().filter_map(of_operator).collect()
}

fn of_table(table: &TableWithJoins, extents: &Extents<'_>, found: &mut Vec<FilterClause>) {
    of_factor(&table.relation, extents, found);
    for join in &table.joins {
        of_factor(&join.relation, extents, found);
        found.extend(of_join(&join.join_operator, extents));
    }
}

fn of_factor(factor: &TableFactor, extents: &Extents<'_>, found: &mut Vec<FilterClause>) {
    if let TableFactor::NestedJoin { table_with_joins, .. } = factor {
        of_table(table_with_joins, extents, found);
    }
}

fn of_join(operator: &JoinOperator, extents: &Extents<'_>) -> Option<FilterClause> {
    let JoinConstraint::On(condition) = join_constraint(operator)? else { return None };
    let is_of_partners = optional_sides(operator) != (false, false);
    Some(FilterClause { is_of_partners, ..filter(Keyword::ON, condition, extents)? })
}

fn filter(keyword: Keyword, condition: &Expr, extents: &Extents<'_>) -> Option<FilterClause> {
    let range = extents.condition(keyword, condition)?;
    let alternatives = alternatives(condition, range.clone(), extents)?;
    Some(FilterClause { keyword, is_of_partners: false, range, alternatives })
}

/// Cuts at ORs and ANDs that stand in no brackets; `None` where their places cannot be told, as in a choice of SQL.
fn alternatives(condition: &Expr, range: Range<usize>, extents: &Extents<'_>) -> Option<Alternatives> {
    let mut found = Vec::new();
    let mut rest = (condition, range);
    while let (Expr::BinaryOp { left, op: BinaryOperator::Or, right }, range) = rest {
        let at = connective(Keyword::OR, right, &range, extents)?;
        found.push(conjuncts(right, at + 1..range.end, extents)?);
        rest = (left, range.start..at);
    }
    found.push(conjuncts(rest.0, rest.1, extents)?);
    found.reverse();
    Some(found)
}

fn conjuncts(condition: &Expr, range: Range<usize>, extents: &Extents<'_>) -> Option<Vec<Piece>> {
    let mut found = Vec::new();
    let mut rest = (condition, range);
    while let (Expr::BinaryOp { left, op: BinaryOperator::And, right }, range) = rest {
        let at = connective(Keyword::AND, right, &range, extents)?;
        found.push(piece(right, Some(at), at + 1..range.end, extents));
        rest = (left, range.start..at);
    }
    found.push(piece(rest.0, None, rest.1, extents));
    found.reverse();
    Some(found)
}

fn connective(keyword: Keyword, right: &Expr, range: &Range<usize>, extents: &Extents<'_>) -> Option<usize> {
    let at = extents.before(extents.first(right)?, range, |at| extents.keyword(at) == Some(keyword))?;
    (range.start < at && at + 1 < range.end).then_some(at)
}

fn piece(condition: &Expr, and: Option<usize>, range: Range<usize>, extents: &Extents<'_>) -> Piece {
    let (mut core, mut sense, mut rest) = (range.clone(), Sense::AsWritten, condition);
    let inside = loop {
        match rest {
            Expr::UnaryOp { op: UnaryOperator::Not, expr } if extents.keyword(core.start) == Some(Keyword::NOT) => {
                core.start += 1;
                sense = sense.flipped();
                rest = expr;
            }
            Expr::Nested(expr) if extents.pair(core.start).is_some_and(|close| close + 1 == core.end) => {
                core = core.start + 1..core.end - 1;
                rest = expr;
            }
            Expr::BinaryOp { op: BinaryOperator::And | BinaryOperator::Or, .. } => {
                // Where it cannot be cut, nothing is known of it.
                let cut = alternatives(rest, core.clone(), extents);
                break cut.map_or_else(|| Inside::Single(Single::default()), Inside::Several);
            }
            _ => break Inside::Single(single(rest, &core, sense, extents)),
        }
    };
    Piece { and, range, core, sense, inside }
}

fn single(condition: &Expr, core: &Range<usize>, sense: Sense, extents: &Extents<'_>) -> Single {
    Single { dead: compared(condition, sense), kind: kind(condition, core, extents), queries: queries(condition) }
}

fn kind(condition: &Expr, core: &Range<usize>, extents: &Extents<'_>) -> SingleKind {
    match condition {
        Expr::IsNull(_) | Expr::IsNotNull(_) => SingleKind::NullTest,
        Expr::InList { .. } => SingleKind::List,
        Expr::Between { expr, low, high, .. } if !(operand(low).is_empty() && operand(high).is_empty()) => {
            let is_apart = operand(expr).is_empty();
            SingleKind::Between(between(low, high, core, extents).filter(|_| is_apart))
        }
        Expr::Function(function) => match function.name.0.as_slice() {
            [ObjectNamePart::Identifier(name)] if name.value == OPTIONAL_OR => SingleKind::OptionalOr,
            _ => SingleKind::Other,
        },
        _ => SingleKind::Other,
    }
}

/// The parts of a BETWEEN.
fn between(low: &Expr, high: &Expr, range: &Range<usize>, extents: &Extents<'_>) -> Option<Between> {
    let is = |keyword: Keyword| move |at: usize| extents.keyword(at) == Some(keyword);
    let between = extents.before(extents.first(low)?, range, is(Keyword::BETWEEN))?;
    let and = extents.before(extents.first(high)?, range, is(Keyword::AND)).filter(|and| *and > between)?;
    let word = |at: usize| extents.span(&(at..at + 1));
    Some(Between {
        operand: extents.span(&(range.start..between))?,
        between: word(between)?,
        and: word(and)?,
        low: extents.span(&(between + 1..and))?,
        high: extents.span(&(and + 1..range.end))?,
    })
}

/// What more rows of the queries in a condition mean: beside a NOT, an IS or a CASE nobody knows.
fn queries(condition: &Expr) -> Queries {
    let look = |expr: &Expr| if turns(expr) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    if outside_of_queries(condition, look).is_break() {
        return Queries::Unknown;
    }
    match condition {
        Expr::Exists { .. } | Expr::InSubquery { .. } => Queries::Rows,
        _ => Queries::Values,
    }
}

/// Whether less may pass where more rows are read.
fn turns(expr: &Expr) -> bool {
    match expr {
        Expr::Exists { negated, .. }
        | Expr::InSubquery { negated, .. }
        | Expr::InList { negated, .. }
        | Expr::InUnnest { negated, .. }
        | Expr::Between { negated, .. }
        | Expr::Like { negated, .. }
        | Expr::ILike { negated, .. }
        | Expr::SimilarTo { negated, .. }
        | Expr::RLike { negated, .. } => *negated,
        Expr::UnaryOp { op, .. } => *op == UnaryOperator::Not,
        Expr::AllOp { .. }
        | Expr::Case { .. }
        | Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsUnknown(_)
        | Expr::IsNotUnknown(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..) => true,
        _ => false,
    }
}
