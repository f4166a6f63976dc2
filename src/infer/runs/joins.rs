//! Subqueries in the condition of a join, which the engine takes in few forms.

use super::super::Context;
use super::super::places::place;
use crate::plan::engine_words;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use datafusion::common::DataFusionError;
use sqlparser::ast::{
    Expr, Join, JoinConstraint, JoinOperator, Select, Spanned, TableFactor, TableWithJoins, Visit, Visitor,
};
use sqlparser::tokenizer;
use std::ops::ControlFlow;

/// What is refused, and how else it is written.
pub(super) struct Refused {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub why: &'static str,
    /// How else it is written.
    pub help: &'static str,
}

const OUTER: &str = "the engine has no subquery in the ON of a join that keeps rows without a match";
const INNER: &str = "a subquery in the ON of a join cannot go by the rows of that join";
const JOINED_BEFORE: &str = "what it says of the joined table alone may stand inside: \
                             `LEFT JOIN (SELECT … FROM … WHERE … IN (SELECT …)) AS t ON …`; else join its rows before, \
                             `LEFT JOIN (SELECT DISTINCT key FROM …) AS found ON …`, and write \
                             `found.key IS NOT NULL` in its place";
const IN_WHERE: &str = "write this condition into WHERE: of a join that keeps no rows without a match, the result is the \
                        same";

/// The subquery in the condition of a join that an error is about.
pub(super) fn refused(error: &DataFusionError, linked: &LinkedQuery<'_>, context: Context<'_>) -> Option<Refused> {
    let text = error.to_string();
    let is_value = engine_words::is_about_a_misplaced_value(&text);
    let is_condition = engine_words::lacks_an_operator(&text) || engine_words::names_a_joined_subquery(&text);
    if !is_value && !is_condition {
        return None;
    }
    for part in linked.parts.iter().rev() {
        let mut search = Search { is_value };
        if let ControlFlow::Break((found, is_outer)) = part.statement.visit(&mut search) {
            let (why, help) = if is_outer { (OUTER, JOINED_BEFORE) } else { (INNER, IN_WHERE) };
            return Some(Refused { span: place(found, context)?, why, help });
        }
    }
    None
}

/// Looks for a join with a subquery in its condition, and whether it keeps rows without a match.
struct Search {
    /// Whether the subquery is a value, and not a condition.
    is_value: bool,
}

impl Search {
    fn joins(&self, tables: &TableWithJoins) -> ControlFlow<(tokenizer::Span, bool)> {
        if let TableFactor::NestedJoin { table_with_joins, .. } = &tables.relation {
            self.joins(table_with_joins)?;
        }
        for join in &tables.joins {
            if let TableFactor::NestedJoin { table_with_joins, .. } = &join.relation {
                self.joins(table_with_joins)?;
            }
            let Some((condition, is_outer)) = condition(join) else { continue };
            let mut within = Within { is_value: self.is_value };
            if let ControlFlow::Break(found) = condition.visit(&mut within) {
                return ControlFlow::Break((found, is_outer));
            }
        }
        ControlFlow::Continue(())
    }
}

impl Visitor for Search {
    type Break = (tokenizer::Span, bool);

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<Self::Break> {
        select.from.iter().try_for_each(|tables| self.joins(tables))
    }
}

/// The condition of a join, and whether the join keeps rows without a match.
fn condition(join: &Join) -> Option<(&Expr, bool)> {
    let (constraint, is_outer) = match &join.join_operator {
        JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) | JoinOperator::CrossJoin(constraint) => {
            (constraint, false)
        }
        JoinOperator::Left(constraint)
        | JoinOperator::LeftOuter(constraint)
        | JoinOperator::Right(constraint)
        | JoinOperator::RightOuter(constraint)
        | JoinOperator::FullOuter(constraint) => (constraint, true),
        _ => return None,
    };
    match constraint {
        JoinConstraint::On(condition) => Some((condition, is_outer)),
        _ => None,
    }
}

/// Looks for a subquery.
struct Within {
    is_value: bool,
}

impl Visitor for Within {
    type Break = tokenizer::Span;

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<tokenizer::Span> {
        match expr {
            Expr::Subquery(query) if self.is_value => ControlFlow::Break(query.span()),
            Expr::InSubquery { subquery, .. } | Expr::Exists { subquery, .. } if !self.is_value => {
                ControlFlow::Break(subquery.span())
            }
            Expr::AnyOp { right, .. } | Expr::AllOp { right, .. } if !self.is_value => match right.as_ref() {
                Expr::Subquery(query) => ControlFlow::Break(query.span()),
                _ => ControlFlow::Continue(()),
            },
            _ => ControlFlow::Continue(()),
        }
    }
}
