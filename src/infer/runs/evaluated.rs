//! Expressions that need no call: what of them can be computed, and what the engine says of it.

use crate::infer::{default_expression, functions, is_test};
use crate::plan::functions::{CONSTANTS, Constants, counting_constants};
use chrono::{DateTime, Utc};
use datafusion::arrow::array::{RecordBatch, RecordBatchOptions};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::tree_node::TreeNode;
use datafusion::common::{DFSchema, DFSchemaRef, DataFusionError, ExprSchema, Result, ScalarValue};
use datafusion::logical_expr::execution_props::ExecutionProps;
use datafusion::logical_expr::simplify::SimplifyContext;
use datafusion::logical_expr::{Expr, Operator};
use datafusion::optimizer::simplify_expressions::ExprSimplifier;
use datafusion::physical_expr::create_physical_expr;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

/// The functions that evaluate their first argument, and the others where they need them.
pub(super) const LAZY: [&str; 4] = ["coalesce", "ifnull", "nvl", "nvl2"];

/// Whether all of an expression is evaluated for every row, and needs nothing but the row.
pub(super) fn is_computed(expr: &Expr) -> bool {
    let needs_more = |expr: &Expr| {
        Ok(match expr {
            Expr::Column(_)
            | Expr::Literal(..)
            | Expr::Like(_)
            | Expr::SimilarTo(_)
            | Expr::Not(_)
            | Expr::Negative(_)
            | Expr::Between(_)
            | Expr::Cast(_)
            | Expr::TryCast(_)
            | Expr::InList(_) => false,
            test if is_test::is_test(test) => false,
            // Their right side may never be evaluated.
            Expr::BinaryExpr(binary) => matches!(binary.op, Operator::And | Operator::Or),
            Expr::ScalarFunction(call) => LAZY.contains(&call.name()) || super::marker(expr).is_some(),
            _ => true,
        })
    };
    !expr.is_volatile() && !expr.exists(needs_more).unwrap_or(true)
}

/// What could be computed, by its hash: projects have many queries that are alike.
static COMPUTED: Mutex<BTreeSet<u64>> = Mutex::new(BTreeSet::new());
/// More than that are not kept.
const MOST_KEPT: usize = 1 << 16;

/// Errors: what the engine says of the values. What it does not have is found where it makes its plan.
pub(super) fn compute(expr: &Expr, schema: &DFSchemaRef) -> Result<()> {
    let key = key(expr, schema);
    if COMPUTED.lock().unwrap_or_else(PoisonError::into_inner).contains(&key) {
        return Ok(());
    }
    match catch_unwind(AssertUnwindSafe(|| evaluate(expr, schema))) {
        Ok(Err(error)) if is_about_values(&error) => return Err(error),
        Ok(_) | Err(_) => {}
    }
    let mut computed = COMPUTED.lock().unwrap_or_else(PoisonError::into_inner);
    if computed.len() >= MOST_KEPT {
        computed.clear();
    }
    computed.insert(key);
    Ok(())
}

fn key(expr: &Expr, schema: &DFSchema) -> u64 {
    // Not the hasher of maps, which has other keys in every process.
    let mut hasher = DefaultHasher::new();
    expr.hash(&mut hasher);
    let mut columns: Vec<_> = expr.column_refs().into_iter().collect();
    columns.sort();
    for column in columns {
        schema.field_from_column(column).ok().map(|field| field.data_type()).hash(&mut hasher);
    }
    hasher.finish()
}

/// Whether an error is about values, and not about what the engine has.
fn is_about_values(error: &DataFusionError) -> bool {
    matches!(
        error.find_root(),
        DataFusionError::ArrowError(..)
            | DataFusionError::Execution(_)
            | DataFusionError::External(_)
            | DataFusionError::ResourcesExhausted(_)
    ) && !error.to_string().contains(CONSTANTS)
}

fn evaluate(expr: &Expr, schema: &DFSchemaRef) -> Result<()> {
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let context = SimplifyContext::builder()
        .with_config_options(Arc::new(functions::all().options.clone()))
        .with_schema(Arc::clone(schema))
        .with_query_execution_start_time(Some(now))
        .build();
    let expr = counting_constants(Constants::Part, || ExprSimplifier::new(context).simplify(expr.clone()))?;
    if matches!(expr, Expr::Literal(..)) {
        return Ok(());
    }
    let properties = ExecutionProps::new().with_query_execution_start_time(now);
    let physical = create_physical_expr(&expr, schema, &properties, &Default::default())?;
    let rows = rows(&expr, schema)?;
    counting_constants(Constants::Batch, || physical.evaluate(&rows)).map(|_| ())
}

/// No rows for what has columns, one for what has none.
fn rows(expr: &Expr, schema: &DFSchemaRef) -> Result<RecordBatch> {
    if expr.any_column_refs() {
        return Ok(RecordBatch::new_empty(Arc::new(schema.as_arrow().clone())));
    }
    let one = RecordBatchOptions::new().with_row_count(Some(1));
    Ok(RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &one)?)
}

/// What the engine says of an expression of constants that has no value.
pub(super) fn refusal(expr: &Expr) -> Option<DataFusionError> {
    let nothing: DFSchemaRef = Arc::new(DFSchema::empty());
    match catch_unwind(AssertUnwindSafe(|| evaluate(expr, &nothing))) {
        // What is internal is no word on a value.
        Ok(Err(error)) if !matches!(error.find_root(), DataFusionError::Internal(_)) => Some(error),
        Ok(_) | Err(_) => None,
    }
}

/// The value of a constant; none where an expression is none.
///
/// Errors: why it has no value.
pub(super) fn value(expr: &Expr) -> Result<Option<ScalarValue>> {
    let options = Arc::new(functions::all().options.clone());
    if !is_computed(expr) || expr.any_column_refs() {
        return Ok(None);
    }
    default_expression::evaluate(expr, DateTime::<Utc>::UNIX_EPOCH, &options).map(Some)
}
