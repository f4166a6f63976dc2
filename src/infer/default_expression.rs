//! Defaults that are SQL: planned over nothing, typed, and evaluated at every call.

use super::functions;
use super::{Asked, Context, Declaration, TypedParameter, errors, nullability, planner};
use crate::catalog::Catalog;
use crate::diagnostic::{Diagnostics, codes};
use crate::plan::zones::{Zone, in_zone};
use crate::ty::Type;
use crate::ty::coerce::TimeZoneName;
use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::datatypes::{DataType, Schema};
use chrono::{DateTime, Utc};
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, Result, ScalarValue};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::execution_props::ExecutionProps;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Cast, ColumnarValue, Expr, ExprSchemable, Volatility};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_expr::create_physical_expr;
use std::sync::Arc;

/// Plans the defaults that are SQL, and notes what types they have; that is evidence as weak as that of a literal.
pub(super) fn check(declarations: &mut [Declaration], context: Context<'_>, sink: &mut Diagnostics) {
    for declaration in declarations {
        let Some(default) = &declaration.expression else { continue };
        let name = declaration.name.as_str();
        let head = default.span;
        if declaration.config.choices.is_some() {
            sink.push(codes::invalid_default(head, name, "it is the name of one of the choices"));
            continue;
        }
        if declaration.config.allowed_values.is_some() {
            let why = "it is one of the allowed values, and not SQL, which may give another one at any call";
            sink.push(codes::invalid_default(head, name, why));
            continue;
        }
        if default.functions.iter().any(|function| !functions::all().knows(&function.value)) {
            // Said with those of the statement.
            continue;
        }
        let planned = planner::plan(vec![("default", default.statement.clone())], &[], &Catalog::default());
        let plan = match planned.and_then(planner::analyze) {
            Ok(plan) => plan,
            Err(error) => {
                errors::report(&error, Asked { head, slots: &[] }, context, sink);
                continue;
            }
        };
        if planner::value(&plan).is_none() {
            sink.push(codes::invalid_default(head, name, "a default sees no rows that it could count or put together"));
            continue;
        }
        let field = plan.schema().field(0);
        match (field.data_type(), Type::from_arrow(field.data_type())) {
            (DataType::Null, _) => {
                let why = "it is always NULL: `default: null`, or a `?`, makes a parameter optional";
                sink.push(codes::invalid_default(head, name, why));
            }
            (_, Some(ty)) => {
                declaration.default_type = Some(ty);
                declaration.default_may_be_null = nullability::of_columns(&plan, &|_| true).contains(&true);
            }
            (other, None) => {
                let why = format!("its type {other} is none that a parameter can have");
                sink.push(codes::invalid_default(head, name, &why));
            }
        }
    }
}

/// Why the value of a default expression cannot be a parameter's.
pub struct Misfit {
    /// What is wrong.
    pub text: String,
    /// What to do.
    pub help: Option<String>,
}

/// Why the value of a default expression cannot be the parameter's; `None` where it can, as far as can be told before a
/// call.
pub fn misfit(parameter: &TypedParameter, time_zone: &TimeZoneName) -> Option<Misfit> {
    let default = parameter.declaration.expression.as_ref()?;
    let ty = parameter.declaration.default_type.as_ref()?;
    let without_help = |text: String| Misfit { text, help: None };
    if !ty.fits(&parameter.ty) {
        let text = format!("expected a value of type {}, and it is of type {ty}", parameter.ty);
        return Some(without_help(text));
    }
    let statement = default.statement.clone();
    let plan = planner::plan(vec![("default", statement)], &[], &Catalog::default()).and_then(planner::analyze).ok()?;
    let options = Arc::new(functions::all().options.clone());
    let written = planner::value(&plan)?;
    let expr = typed(written.clone(), &parameter.ty, time_zone).ok()?;
    if !is_constant(&expr) {
        return None;
    }
    let Ok(value) = evaluate(&expr, DateTime::UNIX_EPOCH, &options) else {
        return Some(without_help(format!("it has no value of type {}", parameter.ty)));
    };
    let written = evaluate(&written, DateTime::UNIX_EPOCH, &options).ok()?;
    is_rounded(&written, &value).then(|| rounded(&written, &parameter.ty))
}

/// Whether a decimal is another number than what was cast to it. Of a double, the digits beyond the 15 that it keeps of
/// any decimal say nothing.
fn is_rounded(written: &ScalarValue, decimal: &ScalarValue) -> bool {
    if !matches!(decimal, ScalarValue::Decimal128(Some(_), ..)) {
        return false;
    }
    let shown = |value: &ScalarValue| match value.cast_to(&DataType::Float64) {
        Ok(ScalarValue::Float64(Some(value))) => Some(format!("{value:.14e}")),
        _ => None,
    };
    match written {
        ScalarValue::Float32(_) | ScalarValue::Float64(_) => shown(written) != shown(decimal),
        ScalarValue::Decimal128(..) => decimal.cast_to(&written.data_type()).is_ok_and(|back| back != *written),
        _ => false,
    }
}

/// As values that are sent: digits that the type does not keep are refused, not cut.
fn rounded(written: &ScalarValue, ty: &Type) -> Misfit {
    let shown = match written.cast_to(&DataType::Utf8) {
        Ok(ScalarValue::Utf8(Some(shown))) => shown,
        _ => written.to_string(),
    };
    let scale = if let Type::Decimal(_, scale) = ty { *scale } else { 0 };
    Misfit {
        text: format!("its value {shown} has more than the {scale} digits behind the point that {ty} keeps"),
        help: Some(format!("round it where that is meant: `round(…, {scale})`")),
    }
}

/// Whether it is the same at every call.
fn is_constant(expr: &Expr) -> bool {
    let varies = |expr: &Expr| {
        Ok(matches!(expr, Expr::ScalarFunction(call) if call.func.signature().volatility != Volatility::Immutable))
    };
    !expr.exists(varies).unwrap_or(true)
}

/// The expression with a value of that type: points in time without a zone are those of the project's.
pub fn typed(expr: Expr, ty: &Type, time_zone: &TimeZoneName) -> Result<Expr> {
    let to = ty.to_arrow();
    let expr = if type_of(&expr)? == to { expr } else { Expr::Cast(Cast::new(Box::new(expr), to)) };
    Ok(in_zone(expr, &DFSchema::empty(), &Zone::from(time_zone))?.data)
}

fn type_of(expr: &Expr) -> Result<DataType> {
    Ok(expr.to_field(&DFSchema::empty())?.1.data_type().clone())
}

/// The value at that moment.
pub fn evaluate(expr: &Expr, now: DateTime<Utc>, options: &Arc<ConfigOptions>) -> Result<ScalarValue> {
    let context = SimplifyContext::builder()
        .with_config_options(Arc::clone(options))
        .with_query_execution_start_time(Some(now))
        .build();
    let expr = match ExprSimplifier::new(context).simplify(expr.clone())? {
        Expr::Literal(value, _) => return Ok(value),
        // `random()` is not simplified.
        expr => expr,
    };
    let properties = ExecutionProps::new().with_query_execution_start_time(now);
    let physical = create_physical_expr(&expr, &DFSchema::empty(), &properties, &Default::default())?;
    let one_row = RecordBatchOptions::new().with_row_count(Some(1));
    let nothing = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &one_row)?;
    match physical.evaluate(&nothing)? {
        ColumnarValue::Scalar(value) => Ok(value),
        ColumnarValue::Array(values) => ScalarValue::try_from_array(&values, 0),
    }
}
