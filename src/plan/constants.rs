//! Placeholders where the planner itself needs the value: the bounds of a window frame, the arguments of a function in
//! FROM, the unit of `date_part`, the zone of AT TIME ZONE.
//!
//! They are replaced in the parsed statement, by nodes of the syntax tree that are literals: there is no text that a
//! value could break out of. The compiler puts a typical value there, the engine the value of each call.

use crate::syntax::link::number;
use crate::ty::Type;
use arrow::datatypes::IntervalMonthDayNano;
use datafusion::common::ScalarValue;
use sqlparser::ast::{
    self, CastKind, DateTimeField, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, NamedWindowExpr, Select,
    Statement, TableFactor, UnaryOperator, Value, VisitMut, VisitorMut, WindowFrameBound, WindowSpec, WindowType,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Replaces those placeholders by values, `$1` being number 0; whether there were any. One without a value becomes NULL.
pub fn replace(statement: &mut Statement, value: &dyn Fn(usize) -> Option<ScalarValue>) -> bool {
    let mut constants = Constants { value, inside: 0, found: false, all: true };
    let _ = statement.visit(&mut constants);
    constants.found
}

/// The numbers of those that must not be NULL; functions in FROM take NULL, and give no rows.
pub fn never_null(statement: &Statement) -> BTreeSet<usize> {
    let found = RefCell::new(BTreeSet::new());
    let note = |at: usize| {
        found.borrow_mut().insert(at);
        None
    };
    let mut constants = Constants { value: &note, inside: 0, found: false, all: false };
    let _ = statement.clone().visit(&mut constants);
    found.into_inner()
}

/// A value of a type that stands for all others while a statement is planned without a call.
pub fn typical(ty: &Type, units: bool) -> ScalarValue {
    match ty {
        Type::Text if units => ScalarValue::from("day"),
        // The one text that some places are particular about is that behind AT TIME ZONE.
        Type::Text => ScalarValue::from("UTC"),
        Type::Interval => ScalarValue::new_interval_mdn(0, 1, 0),
        Type::Date => ScalarValue::Date32(Some(0)),
        ty => ScalarValue::new_one(&ty.to_arrow())
            .or_else(|_| ScalarValue::new_default(&ty.to_arrow()))
            .unwrap_or(ScalarValue::Null),
    }
}

struct Constants<'a> {
    value: &'a dyn Fn(usize) -> Option<ScalarValue>,
    /// How many surrounding expressions are to be constant.
    inside: usize,
    found: bool,
    /// Whether functions in FROM count as well.
    all: bool,
}

impl Constants<'_> {
    /// Replaces the placeholders in an expression that has to be constant.
    fn constant(&mut self, expr: &mut Expr) {
        self.inside += 1;
        let _ = expr.visit(self);
        self.inside -= 1;
    }

    fn frame(&mut self, spec: &mut WindowSpec) {
        let Some(frame) = &mut spec.window_frame else { return };
        for bound in [Some(&mut frame.start_bound), frame.end_bound.as_mut()].into_iter().flatten() {
            if let WindowFrameBound::Preceding(Some(expr)) | WindowFrameBound::Following(Some(expr)) = bound {
                self.constant(expr);
            }
        }
    }

    fn arguments<'e>(&mut self, args: impl Iterator<Item = &'e mut FunctionArg>) {
        for arg in args {
            if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))
            | FunctionArg::Named { arg: FunctionArgExpr::Expr(expr), .. } = arg
            {
                self.constant(expr);
            }
        }
    }
}

impl VisitorMut for Constants<'_> {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        match expr {
            Expr::Value(of) if self.inside > 0 => {
                if let Value::Placeholder(id) = &of.value
                    && let Some(at) = number(id)
                {
                    self.found = true;
                    *expr = literal((self.value)(at).unwrap_or(ScalarValue::Null));
                }
            }
            Expr::AtTimeZone { time_zone, .. } => self.constant(time_zone),
            Expr::Function(function) => {
                if let Some(WindowType::WindowSpec(spec)) = &mut function.over {
                    self.frame(spec);
                }
                let name = function.name.to_string().to_lowercase();
                let constant = match name.as_str() {
                    "date_part" | "datepart" => Some(0),
                    "from_unixtime" => Some(1),
                    _ => None,
                };
                if let (Some(at), FunctionArguments::List(list)) = (constant, &mut function.args) {
                    self.arguments(list.args.iter_mut().skip(at).take(1));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        for window in &mut select.named_window {
            if let NamedWindowExpr::WindowSpec(spec) = &mut window.1 {
                self.frame(spec);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        match factor {
            _ if !self.all => {}
            TableFactor::Table { args: Some(args), .. } => self.arguments(args.args.iter_mut()),
            TableFactor::Function { args, .. } => self.arguments(args.iter_mut()),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// A value as a node of the syntax tree.
fn literal(value: ScalarValue) -> Expr {
    let text = |text: String| Expr::value(Value::SingleQuotedString(text));
    let number = |digits: String| match digits.strip_prefix('-') {
        Some(positive) => Expr::UnaryOp {
            op: UnaryOperator::Minus,
            expr: Box::new(Expr::value(Value::Number(positive.to_owned(), false))),
        },
        None => Expr::value(Value::Number(digits, false)),
    };
    if value.is_null() {
        return Expr::value(Value::Null);
    }
    match value {
        ScalarValue::Boolean(Some(value)) => Expr::value(Value::Boolean(value)),
        ScalarValue::Int16(_) | ScalarValue::Int32(_) | ScalarValue::Int64(_) => number(value.to_string()),
        ScalarValue::Float32(_) | ScalarValue::Float64(_) | ScalarValue::Decimal128(..) => number(value.to_string()),
        ScalarValue::IntervalMonthDayNano(Some(span)) => interval(span),
        ScalarValue::Date32(_) => cast(text(value.to_string()), ast::DataType::Date),
        ScalarValue::TimestampSecond(..)
        | ScalarValue::TimestampMillisecond(..)
        | ScalarValue::TimestampMicrosecond(..)
        | ScalarValue::TimestampNanosecond(..) => {
            let zone = match value.data_type() {
                arrow::datatypes::DataType::Timestamp(_, Some(_)) => ast::TimezoneInfo::WithTimeZone,
                _ => ast::TimezoneInfo::None,
            };
            let shown = value.cast_to(&arrow::datatypes::DataType::Utf8).map(|text| text.to_string());
            let ty = ast::DataType::Timestamp(None, zone);
            cast(text(shown.unwrap_or_default()), ty)
        }
        other => text(other.to_string()),
    }
}

fn cast(expr: Expr, data_type: ast::DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, array: false, format: None }
}

fn interval(span: IntervalMonthDayNano) -> Expr {
    let value = format!("{} months {} days {} nanoseconds", span.months, span.days, span.nanoseconds);
    Expr::Interval(ast::Interval {
        value: Box::new(Expr::value(Value::SingleQuotedString(value))),
        leading_field: None::<DateTimeField>,
        leading_precision: None,
        last_field: None,
        fractional_seconds_precision: None,
    })
}
