//! Where in the text a constant stands that no call can compute, and what such a constant is.

use super::super::{Context, planner};
use super::computed::{self, Failure};
use super::place;
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::link::{self, LinkedQuery};
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr as logical;
use datafusion::logical_expr::LogicalPlan;
use sqlparser::ast::{
    Expr, LimitClause, Query, Select, SelectItem, SetExpr, Spanned, Statement, UnaryOperator, Value, Visit, Visitor,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer;
use std::ops::ControlFlow;

const HELP: &str = "no call can compute it, whatever its arguments are: write another value";
/// More parts of a statement are not tried to find the one that fails.
const MOST_TRIED: usize = 1000;

/// Reports constants that cannot be computed, and numbers of rows that are none; `None` where there are any.
pub(in crate::infer) fn check(
    linked: &LinkedQuery<'_>,
    plan: &LogicalPlan,
    context: Context<'_>,
    sink: &mut Diagnostics,
) -> Option<()> {
    let errors = sink.errors();
    row_counts(linked, context, sink);
    let head = linked.own()?.head;
    for failure in computed::failures(plan) {
        let why = super::super::errors::sentence(&failure.error, &linked.slots, context);
        let (span, help) = found(&failure, linked, context)
            .map_or_else(|| place::of(&failure.error, linked, head, context), |span| (span, HELP));
        sink.push(codes::cannot_run(span, &why).help(help));
    }
    (sink.errors() == errors).then_some(())
}

/// Reports numbers of rows that are below 0.
fn row_counts(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) {
    let mut counts = RowCounts::default();
    for part in &linked.parts {
        let _ = part.statement.visit(&mut counts);
    }
    for (clause, expr) in counts.0 {
        let Ok(Some(value)) = value(&expr) else { continue };
        let number = value.cast_to(&arrow::datatypes::DataType::Int64).ok();
        if let Some(ScalarValue::Int64(Some(number @ ..0))) = number
            && let Some(span) = span(expr.span(), context)
        {
            let span = with_sign(span, &expr, context);
            let why = format!("{clause} takes a number of rows, and this is {number}");
            sink.push(codes::invalid_query(span, &why).help(format!("write 0 or more, or leave {clause} out")));
        }
    }
}

/// The numbers of rows of a statement that have to be computed.
#[derive(Default)]
struct RowCounts(Vec<(&'static str, Expr)>);

impl Visitor for RowCounts {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let (limit, offset) = match &query.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => (Some(limit), Some(offset)),
            None => (None, None),
        };
        for (clause, count) in [("LIMIT", limit), ("OFFSET", offset)] {
            self.0.extend(count.filter(|count| !matches!(count, Expr::Value(_))).map(|count| (clause, count.clone())));
        }
        ControlFlow::Continue(())
    }
}

/// The place of a part that fails: the smallest constant that fails in the same way by itself, else the text in it, else
/// the function.
fn found(failure: &Failure, linked: &LinkedQuery<'_>, context: Context<'_>) -> Option<Span> {
    let statements = || linked.parts.iter().rev().map(|part| &part.statement);
    let why = failure.error.find_root().strip_backtrace();
    for statement in statements() {
        let mut search = Search { why: &why, tried: 0, lazy: 0 };
        if let ControlFlow::Break(expr) = statement.visit(&mut search) {
            let place = span(expr.span(), context)?;
            return Some(with_sign(place, &expr, context));
        }
    }
    let texts = texts(&failure.expr);
    for statement in statements() {
        let mut search = Texts { texts: &texts, found: Vec::new() };
        let _ = statement.visit(&mut search);
        if let [only] = search.found.as_slice() {
            return span(*only, context);
        }
    }
    None
}

/// The texts in an expression.
fn texts(expr: &logical::Expr) -> Vec<String> {
    let mut texts = Vec::new();
    // Looking at an expression does not fail.
    let _ = expr.apply(|expr| {
        if let logical::Expr::Literal(value, _) = expr
            && let Some(Some(text)) = value.try_as_str()
        {
            texts.push(text.to_owned());
        }
        Ok(TreeNodeRecursion::Continue)
    });
    texts
}

/// Looks for a constant that fails with these words, from the inside out.
struct Search<'a> {
    why: &'a str,
    tried: usize,
    /// How many branches are open that may never be taken.
    lazy: usize,
}

impl Visitor for Search<'_> {
    type Break = Expr;

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Expr> {
        self.lazy += usize::from(matches!(expr, Expr::Case { .. }));
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<Expr> {
        self.lazy -= usize::from(matches!(expr, Expr::Case { .. }));
        let is_plain = matches!(
            expr,
            Expr::Value(_) | Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::Case { .. } | Expr::Subquery(_)
        );
        if is_plain || self.lazy > 0 || self.tried >= MOST_TRIED {
            return ControlFlow::Continue(());
        }
        self.tried += 1;
        match value(expr) {
            Err(error) if error.find_root().strip_backtrace() == self.why => ControlFlow::Break(expr.clone()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Looks for texts in quotes.
struct Texts<'a> {
    texts: &'a [String],
    found: Vec<tokenizer::Span>,
}

impl Visitor for Texts<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Value(value) = expr
            && let Value::SingleQuotedString(text) = &value.value
            && self.texts.contains(text)
        {
            self.found.push(value.span);
        }
        ControlFlow::Continue(())
    }
}

/// The value of an expression by itself; none where it has none before a call.
///
/// Errors: also what is no constant, in words that no constant has.
fn value(expr: &Expr) -> Result<Option<ScalarValue>> {
    let Some(statement) = selected(expr) else { return Ok(None) };
    let plan = planner::plan(vec![("constant", statement)], &[], &Catalog::default()).and_then(planner::analyze)?;
    planner::value(&plan).map_or(Ok(None), |expr| computed::value(&expr))
}

/// `SELECT expr`.
fn selected(expr: &Expr) -> Option<Statement> {
    let mut statement = Parser::parse_sql(&GenericDialect {}, "SELECT 1").ok()?.pop()?;
    if let Statement::Query(query) = &mut statement
        && let SetExpr::Select(select) = query.body.as_mut()
    {
        let select: &mut Select = select;
        select.projection = vec![SelectItem::UnnamedExpr(expr.clone())];
    }
    Some(statement)
}

fn span(place: tokenizer::Span, context: Context<'_>) -> Option<Span> {
    link::place(context.sources, (place.start.line, place.start.column), (place.end.line, place.end.column))
}

/// The place of an expression, whose sign does not count among its parts, nor the bracket that closes it.
fn with_sign(span: Span, expr: &Expr, context: Context<'_>) -> Span {
    let Some(file) = context.sources.get(span.file) else { return span };
    if let Expr::UnaryOp { op: UnaryOperator::Minus, .. } = expr {
        let before = file.text.get(..span.start).unwrap_or_default().trim_end();
        return before.strip_suffix('-').map_or(span, |before| Span { start: before.len(), ..span });
    }
    let open = file.slice(span).matches('(').count().saturating_sub(file.slice(span).matches(')').count());
    let behind = file.text.get(span.end..).unwrap_or_default();
    let closing = open.checked_sub(1).and_then(|last| behind.match_indices(')').nth(last));
    Span { end: span.end + closing.map_or(0, |(at, _)| at + 1), ..span }
}
