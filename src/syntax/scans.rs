//! Which tables are read without a condition that restricts them.
//!
//! A condition counts where it holds at every call: one in an optional clause may be left out.

use super::statement::Reference;
use super::{OPTIONAL_AND, OPTIONAL_OR};
use sqlparser::ast::{
    BinaryOperator, Expr, GroupByExpr, JoinConstraint, JoinOperator, ObjectNamePart, Query, Select, SetExpr,
    TableFactor, TableWithJoins, Visit, Visitor,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What a FROM names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A table or query outside of the statement: the n-th reference.
    Reference(usize),
    /// A common table expression, by the address of its body, which is never followed.
    Common(*const Query),
}

/// One name in a FROM.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// What is read.
    pub source: Source,
    /// The innermost common table expression that it is read in, by the address of its body.
    pub within: Option<*const Query>,
    /// Whether a condition restricts it, there or around.
    pub filtered: bool,
}

/// Marks the references that are restricted: where they are read, or everywhere the common table expression is read
/// that reads them.
pub(super) fn mark(uses: &[Use], references: &mut [Reference]) {
    let mut known = HashMap::new();
    for one in uses {
        if let Source::Reference(at) = one.source
            && let Some(reference) = references.get_mut(at)
        {
            reference.filtered = is_filtered(one, uses, &mut known);
        }
    }
}

fn is_filtered(one: &Use, uses: &[Use], known: &mut HashMap<*const Query, bool>) -> bool {
    let Some(body) = one.within.filter(|_| !one.filtered) else {
        return one.filtered;
    };
    if let Some(filtered) = known.get(&body) {
        return *filtered;
    }
    // Until it is known: a recursive one that reads itself says nothing.
    known.insert(body, true);
    let mut readers = uses.iter().filter(|other| other.source == Source::Common(body));
    let filtered = readers.all(|other| is_filtered(other, uses, known));
    known.insert(body, filtered);
    filtered
}

/// Whether a limit ends the scan early: nothing has to see all rows first.
pub(super) fn stops_early(query: &Query) -> bool {
    let limited = query.limit_clause.is_some() || query.fetch.is_some();
    let plain = match query.body.as_ref() {
        SetExpr::Select(select) => {
            let grouped = match &select.group_by {
                GroupByExpr::All(_) => true,
                GroupByExpr::Expressions(by, _) => !by.is_empty(),
            };
            !grouped && select.distinct.is_none()
        }
        _ => false,
    };
    limited && plain && query.order_by.is_none()
}

/// Whether a SELECT restricts what it reads.
pub(super) fn filters(select: &Select) -> bool {
    select.selection.iter().chain(&select.prewhere).any(restricts) || select.from.iter().any(joins_on_a_condition)
}

fn joins_on_a_condition(table: &TableWithJoins) -> bool {
    let nested = |factor: &TableFactor| match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => joins_on_a_condition(table_with_joins),
        _ => false,
    };
    nested(&table.relation)
        || table.joins.iter().any(|join| nested(&join.relation) || is_conditional(&join.join_operator))
}

fn is_conditional(operator: &JoinOperator) -> bool {
    let constraint = match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint)
        | JoinOperator::Semi(constraint)
        | JoinOperator::LeftSemi(constraint)
        | JoinOperator::RightSemi(constraint)
        | JoinOperator::Anti(constraint)
        | JoinOperator::LeftAnti(constraint)
        | JoinOperator::RightAnti(constraint) => constraint,
        JoinOperator::AsOf { .. } => return true,
        _ => return false,
    };
    match constraint {
        JoinConstraint::On(condition) => restricts(condition),
        JoinConstraint::Using(_) | JoinConstraint::Natural => true,
        JoinConstraint::None => false,
    }
}

/// Whether a condition leaves out rows at every call: `true`, `1 = 1` and optional clauses do not.
fn restricts(condition: &Expr) -> bool {
    match condition {
        Expr::Nested(inner) => restricts(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => restricts(left) || restricts(right),
        // What stands behind OR may admit every row; a clause is left out at some calls.
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            restricts(left) && (restricts(right) || is_optional_clause(right))
        }
        _ => !is_optional_clause(condition) && names_a_column(condition),
    }
}

fn is_optional_clause(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return false };
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value == OPTIONAL_AND || name.value == OPTIONAL_OR,
        _ => false,
    }
}

fn names_a_column(expr: &Expr) -> bool {
    struct Columns;

    impl Visitor for Columns {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    expr.visit(&mut Columns).is_break()
}
