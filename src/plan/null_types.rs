//! Columns of a result of which nothing is known but that they are NULL: `SELECT NULL AS note`, `[]`. They are texts, as in
//! PostgreSQL. Inside of a query they stay what they are, so that they go beside anything.

use arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::{Expr, LogicalPlan, Projection, cast};
use std::sync::Arc;

/// The plan with texts in the place of such columns.
pub(super) fn with_texts(plan: LogicalPlan) -> Result<LogicalPlan> {
    if plan.schema().fields().iter().all(|field| typed(field.data_type()).is_none()) {
        return Ok(plan);
    }
    let columns = plan.schema().iter().map(|(qualifier, field)| {
        let column = Expr::from((qualifier, field));
        match typed(field.data_type()) {
            Some(ty) => cast(column, ty).alias_qualified(qualifier.cloned(), field.name()),
            None => column,
        }
    });
    Ok(LogicalPlan::Projection(Projection::try_new(columns.collect(), Arc::new(plan.clone()))?))
}

/// The type with texts in it; `None` where it is one already, or none of the kind.
fn typed(ty: &DataType) -> Option<DataType> {
    let item = |field: &Arc<Field>| Some(Arc::new(field.as_ref().clone().with_data_type(typed(field.data_type())?)));
    match ty {
        DataType::Null => Some(DataType::Utf8),
        DataType::List(field) => Some(DataType::List(item(field)?)),
        DataType::LargeList(field) => Some(DataType::LargeList(item(field)?)),
        DataType::FixedSizeList(field, length) => Some(DataType::FixedSizeList(item(field)?, *length)),
        DataType::Struct(fields) if fields.iter().any(|field| item(field).is_some()) => {
            let fields: Fields = fields.iter().map(|field| item(field).unwrap_or_else(|| Arc::clone(field))).collect();
            Some(DataType::Struct(fields))
        }
        _ => None,
    }
}
