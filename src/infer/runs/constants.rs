//! Where in the text a constant stands that no call can compute, and what such a constant is.

use super::super::places::{closed, place};
use super::super::{Context, errors, units};
use super::by_itself::value;
use super::computed::{self, Failure, Why};
use super::place::place_of_error;
use super::samples::Blamed;
use super::written::{self, Written};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::name::near;
use crate::source::Span;
use crate::syntax::link::LinkedQuery;
use crate::ty::coerce::TimeZoneName;
use crate::ty::nearest_zone::nearest_zone;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, ScalarValue};
use datafusion::logical_expr as logical;
use datafusion::logical_expr::LogicalPlan;
use sqlparser::ast::{
    DataType, Expr, FunctionArg, FunctionArgExpr, LimitClause, Query, Spanned, TableFactor, UnaryOperator, Value,
    Visit, Visitor,
};
use sqlparser::tokenizer;
use std::ops::ControlFlow;

const HELP: &str = "no call can compute it, whatever its arguments are: write another value";
const NO_DIVISOR: &str = "nothing can be divided by 0: write another divisor, or NULL where there is to be no result";
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
    // The same constant may be wrong in several places, each of which fails.
    let mut blamed = Vec::new();
    for failure in computed::failures(plan) {
        for (span, diagnostic) in told_failure(&failure, linked, context) {
            if failure.blamed.is_none() || !blamed.contains(&span) {
                sink.push(diagnostic);
            }
            blamed.push(span);
        }
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
            && let Some(span) = place(expr.span(), context)
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

/// What is said of what fails, at all its places.
fn told_failure(failure: &Failure, linked: &LinkedQuery<'_>, context: Context<'_>) -> Vec<(Span, Diagnostic)> {
    let at = |span| match &failure.why {
        Why::Said(error) => codes::cannot_run(span, &errors::sentence(error, &linked.slots, context)),
        Why::Meant(why) => codes::invalid_query(span, why),
    };
    let blamed = failure.blamed.as_ref();
    let written = blamed.map(|blamed| written::places(blamed, linked)).unwrap_or_default();
    let spans: Vec<Span> = written.iter().filter_map(|written| of_written(written, context)).collect();
    if let (Some(blamed), false) = (blamed, spans.is_empty()) {
        return spans.into_iter().map(|span| (span, with_help(at(span), blamed, span, context))).collect();
    }
    let Some(head) = linked.own().map(|own| own.head) else { return Vec::new() };
    let (span, help) = match &failure.why {
        Why::Said(error) => found(failure, error, linked, context)
            .map_or_else(|| place_of_error(error, linked, head, context), |span| (span, HELP)),
        Why::Meant(_) => (head, HELP),
    };
    let diagnostic = at(span);
    vec![(span, with_zone(&diagnostic, span, context).unwrap_or_else(|| diagnostic.help(help)))]
}

/// Suggests the time zone that is meant by a text behind `ZONE` that is nearly the name of one.
fn with_zone(diagnostic: &Diagnostic, span: Span, context: Context<'_>) -> Option<Diagnostic> {
    let text = context.sources.get(span.file)?.slice(span);
    let mut start = text.to_ascii_lowercase().find("zone")?;
    loop {
        let open = start + text.get(start..)?.find('\'')? + 1;
        let written = text.get(open..)?.split('\'').next()?;
        let is_zone = TimeZoneName::parse(written).is_some();
        if let Some(zone) = nearest_zone(written).filter(|_| !is_zone) {
            let inside = Span { start: span.start + open, end: span.start + open + written.len(), ..span };
            let help = format!("a time zone with a similar name exists: `{zone}`");
            return Some(diagnostic.clone().fix(help, inside, zone));
        }
        start = open + written.len() + 1;
    }
}

/// Says what may stand there.
fn with_help(diagnostic: Diagnostic, blamed: &Blamed, span: Span, context: Context<'_>) -> Diagnostic {
    if matches!(blamed.of.as_str(), "/" | "%") {
        return diagnostic.help(NO_DIVISOR);
    }
    let text = blamed.value.try_as_str().flatten();
    let near = units::units_of(&blamed.of)
        .zip(text)
        .and_then(|((what, words), text)| Some((what, near(text, words.iter().copied())?)));
    match near {
        Some((what, near)) => diagnostic.similar_word(what, near, within_quotes(span, context)),
        None => with_zone(&diagnostic, span, context).unwrap_or_else(|| diagnostic.help(HELP)),
    }
}

fn within_quotes(span: Span, context: Context<'_>) -> Span {
    let text = context.sources.get(span.file).map(|file| file.slice(span)).unwrap_or_default();
    let is_quoted = text.len() > 1 && text.starts_with('\'') && text.ends_with('\'');
    if is_quoted { Span { start: span.start + 1, end: span.end - 1, ..span } } else { span }
}

fn of_written(written: &Written, context: Context<'_>) -> Option<Span> {
    match written {
        Written::Expr(expr) => Some(with_sign(place(expr.span(), context)?, expr, context)),
        Written::Word(field, expr) => {
            let behind = place(expr.span(), context)?;
            let before = context.sources.get(behind.file)?.text.get(..behind.start)?.to_ascii_lowercase();
            let word = field.to_string().to_ascii_lowercase();
            let start = before.rfind(&word)?;
            Some(Span { start, end: start + word.len(), ..behind })
        }
    }
}

/// The place of a part that fails: the smallest constant that fails in the same way by itself, else the text in it, else
/// the function.
fn found(failure: &Failure, error: &DataFusionError, linked: &LinkedQuery<'_>, context: Context<'_>) -> Option<Span> {
    let why = error.find_root().strip_backtrace();
    if let Some(span) = alone(&why, When::Computed, linked, context) {
        return Some(span);
    }
    let texts = texts(&failure.expr);
    for part in linked.parts.iter().rev() {
        let mut search = Texts { texts: &texts, found: Vec::new() };
        let _ = part.statement.visit(&mut search);
        if let [only] = search.found.as_slice() {
            return place(*only, context);
        }
    }
    None
}

/// The place of what the planner refuses with these words by itself.
pub(super) fn refused(error: &DataFusionError, linked: &LinkedQuery<'_>, context: Context<'_>) -> Option<Span> {
    alone(&error.find_root().strip_backtrace(), When::Planned, linked, context)
}

/// The place of the smallest part of which these words are said by itself.
fn alone(why: &str, when: When, linked: &LinkedQuery<'_>, context: Context<'_>) -> Option<Span> {
    for part in linked.parts.iter().rev() {
        let mut search = Search { why, when, tried: 0, lazy: 0 };
        if let ControlFlow::Break(expr) = part.statement.visit(&mut search) {
            let span = place(expr.span(), context)?;
            return match (when, &expr) {
                (When::Planned, Expr::Cast { data_type, .. }) => Some(of_type(data_type, span, context)),
                _ => Some(with_sign(span, &expr, context)),
            };
        }
    }
    None
}

/// The place of the type that what stands at a place is cast to.
fn of_type(ty: &DataType, cast: Span, context: Context<'_>) -> Span {
    let found = || {
        let behind = context.sources.get(cast.file)?.text.get(cast.end..)?.to_ascii_lowercase();
        let written = ty.to_string().to_ascii_lowercase();
        let (name, arguments) =
            written.split_once('(').map_or((written.as_str(), None), |(name, rest)| (name, Some(rest)));
        let start = behind.find(name)?;
        let length = match arguments {
            Some(_) => behind.get(start..)?.find(')')? + 1,
            None => name.len(),
        };
        Some(Span { start: cast.end + start, end: cast.end + start + length, ..cast })
    };
    found().unwrap_or(cast)
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

/// When something is said of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// When it is planned, wherever it stands.
    Planned,
    /// When it is computed: not in a branch that may never be taken.
    Computed,
}

/// Looks for a part of which these words are said, from the inside out.
struct Search<'a> {
    why: &'a str,
    when: When,
    tried: usize,
    /// How many branches are open that may never be taken.
    lazy: usize,
}

impl Search<'_> {
    fn is_it(&self, expr: &Expr) -> bool {
        let is_said = |expr: &Expr| match value(expr) {
            Err(error) => error.find_root().strip_backtrace() == self.why,
            Ok(_) => false,
        };
        if is_said(expr) {
            return true;
        }
        let mut of_nothing = expr.clone();
        match &mut of_nothing {
            // Only the type is constant there.
            Expr::Cast { expr, .. } if self.when == When::Planned => {
                **expr = Expr::value(Value::Null);
                is_said(&of_nothing)
            }
            _ => false,
        }
    }
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
        let is_lazy = self.lazy > 0 && self.when == When::Computed;
        if is_plain || is_lazy || self.tried >= MOST_TRIED {
            return ControlFlow::Continue(());
        }
        self.tried += 1;
        if self.is_it(expr) { ControlFlow::Break(expr.clone()) } else { ControlFlow::Continue(()) }
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<Expr> {
        // Of the arguments of a series, the engine names the step only.
        if self.when == When::Computed || !self.why.to_lowercase().contains("step") {
            return ControlFlow::Continue(());
        }
        let args = match factor {
            TableFactor::Table { args: Some(args), .. } => &args.args,
            TableFactor::Function { args, .. } => args,
            _ => return ControlFlow::Continue(()),
        };
        match args.get(2) {
            Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(step))) => ControlFlow::Break(step.clone()),
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

/// The place of an expression, whose sign does not count among its parts, nor the bracket that closes it.
fn with_sign(span: Span, expr: &Expr, context: Context<'_>) -> Span {
    let Some(file) = context.sources.get(span.file) else { return span };
    if let Expr::UnaryOp { op: UnaryOperator::Minus, .. } = expr {
        let before = file.text.get(..span.start).unwrap_or_default().trim_end();
        return before.strip_suffix('-').map_or(span, |before| Span { start: before.len(), ..span });
    }
    closed(span, context)
}
