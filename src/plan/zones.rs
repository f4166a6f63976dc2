//! One rule for local times: they are those of the project's zone, as PostgreSQL's are those of the session's.
//!
//! An instant is the same instant, whatever zone its type carries. A day, a local time or a text beside it is read in the
//! zone of the project, and so are the days, hours and texts that are made of it. DataFusion goes by the zone of the type
//! instead, by UTC where there is none, and knows no answer where clocks are changed. No rewriting changes a type. In UTC
//! a plan over instants that carry no other zone stays as it is.

mod at_zone;
mod calendar;
mod calls;
mod convert;
mod differences;
mod series;
mod zone;

use super::mentions::{calls_temporal, mentions};
use super::names;
pub use at_zone::{NAME as AT_ZONE, at_zone};
use calendar::{ByCalendar, Does, by_calendar};
use convert::{Convert, convert, crosses};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{DFSchema, Result};
use datafusion::logical_expr::expr::WindowFunction;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    BinaryExpr, Cast, Expr, ExprSchemable, LogicalPlan, Operator, ScalarUDF, WindowFrameUnits,
};
use datafusion::optimizer::AnalyzerRule;
pub use differences::date_diff;
pub use series::series;
pub use zone::Zone;

/// Has local times read in the zone of the options. Runs behind the coercion of types.
#[derive(Debug)]
pub struct LocalTimes;

impl AnalyzerRule for LocalTimes {
    fn name(&self) -> &str {
        "local_times"
    }

    fn analyze(&self, plan: LogicalPlan, options: &ConfigOptions) -> Result<LogicalPlan> {
        let zone = Zone::of(options)?;
        if zone.is_utc() && !mentions(&plan, &|ty| !carries_utc(ty)) && !calls_temporal(&plan) {
            return Ok(plan);
        }
        let rewritten = plan.transform_up_with_subqueries(|plan| {
            let schema = merge_schema(&plan.inputs());
            names::map_expressions(plan, &|expr| in_zone(expr, &schema, &zone))
        })?;
        Ok(rewritten.data)
    }
}

/// The expression with local times of a zone.
pub fn in_zone(expr: Expr, schema: &DFSchema, zone: &Zone) -> Result<Transformed<Expr>> {
    let place = Place { schema, zone };
    expr.transform_up(|expr| place.rewritten(expr))
}

/// Whether a function is one of this rule's.
pub(super) fn is_own(function: &ScalarUDF) -> bool {
    function.inner().is::<Convert>() || function.inner().is::<ByCalendar>()
}

/// Whether a function of this rule's is null where an argument is and nowhere else.
pub(super) fn is_plain(function: &ScalarUDF) -> bool {
    function.inner().downcast_ref::<Convert>().is_some_and(|convert| !convert.is_safe())
        || function.inner().downcast_ref::<ByCalendar>().is_some_and(|calendar| !calendar.bins())
}

struct Place<'a> {
    schema: &'a DFSchema,
    zone: &'a Zone,
}

impl Place<'_> {
    fn rewritten(&self, expr: Expr) -> Result<Transformed<Expr>> {
        Ok(match expr {
            Expr::Cast(cast) if self.depends(&cast.expr, cast.field.data_type()) => {
                Transformed::yes(convert(*cast.expr, self.zone, cast.field.data_type(), false))
            }
            Expr::TryCast(cast) if self.depends(&cast.expr, cast.field.data_type()) => {
                Transformed::yes(convert(*cast.expr, self.zone, cast.field.data_type(), true))
            }
            Expr::BinaryExpr(binary) => self.sum(binary),
            Expr::ScalarFunction(call) => self.call(call),
            Expr::WindowFunction(call) => self.window(*call),
            other => Transformed::no(other),
        })
    }

    fn ty(&self, expr: &Expr) -> DataType {
        expr.get_type(self.schema).unwrap_or(DataType::Null)
    }

    /// Whether a value is an instant that DataFusion would take to pieces by other clocks than those of the project.
    fn is_foreign(&self, ty: &DataType) -> bool {
        matches!(ty, DataType::Timestamp(_, Some(carried)) if !(self.zone.is_utc() && zone::is_utc(carried)))
    }

    /// Whether a cast depends on the zone, in another way than DataFusion would have it.
    fn depends(&self, expr: &Expr, to: &DataType) -> bool {
        let from = self.ty(expr);
        crosses(&from, to) && !(self.zone.is_utc() && carries_utc(&from) && carries_utc(to))
    }

    /// An instant and a span of time.
    fn sum(&self, binary: BinaryExpr) -> Transformed<Expr> {
        let (left, right) = (self.ty(&binary.left), self.ty(&binary.right));
        let is_span = |ty: &DataType| matches!(ty, DataType::Interval(_));
        match binary.op {
            Operator::Plus if self.is_foreign(&left) && is_span(&right) => {
                Transformed::yes(by_calendar(Does::Adds, self.zone, vec![*binary.left, *binary.right]))
            }
            Operator::Plus if is_span(&left) && self.is_foreign(&right) => {
                Transformed::yes(by_calendar(Does::Adds, self.zone, vec![*binary.right, *binary.left]))
            }
            Operator::Minus if self.is_foreign(&left) && is_span(&right) => {
                Transformed::yes(by_calendar(Does::Subtracts, self.zone, vec![*binary.left, *binary.right]))
            }
            _ => Transformed::no(Expr::BinaryExpr(binary)),
        }
    }

    /// A frame of days around an instant is one of local days.
    fn window(&self, mut call: WindowFunction) -> Transformed<Expr> {
        if call.params.window_frame.units != WindowFrameUnits::Range {
            return Transformed::no(Expr::from(call));
        }
        let before = call.params.order_by.clone();
        for key in &mut call.params.order_by {
            key.expr = self.carrying(key.expr.clone());
        }
        let changed = call.params.order_by != before;
        Transformed::new_transformed(Expr::from(call), changed)
    }
}

fn cast(expr: Expr, to: DataType) -> Expr {
    Expr::Cast(Cast::new(Box::new(expr), to))
}

/// Whether no instant in a type carries another zone than UTC.
fn carries_utc(ty: &DataType) -> bool {
    match ty {
        DataType::Timestamp(_, Some(carried)) => zone::is_utc(carried),
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            carries_utc(item.data_type())
        }
        DataType::Struct(fields) => fields.iter().all(|field| carries_utc(field.data_type())),
        DataType::Dictionary(_, plain) => carries_utc(plain),
        _ => true,
    }
}
