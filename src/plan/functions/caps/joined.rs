//! `||` of two texts, as a function that knows how large they become.

use super::batch::Batch;
use crate::plan::stop;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, Operator, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::physical_expr::PhysicalExpr as _;
use datafusion::physical_expr::expressions::{BinaryExpr, Column};
use std::sync::{Arc, LazyLock};

/// The function that the operator is made, for texts of one type.
pub(crate) fn joined_texts() -> Arc<ScalarUDF> {
    static JOINED: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
        let signature = Signature::user_defined(Volatility::Immutable);
        Arc::new(ScalarUDF::new_from_impl(Joined { signature }))
    });
    Arc::clone(&JOINED)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Joined {
    signature: Signature,
}

impl ScalarUDFImpl for Joined {
    fn name(&self) -> &str {
        "||"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(types.to_vec())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [one, other] if one == other => Ok(one.clone()),
            _ => plan_err!("`||` takes two texts of one type"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        stop::check()?;
        Batch::of(self.name(), &args).put_together(&args.args)?;
        let is_constant = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if is_constant { 1 } else { args.number_rows };
        let columns = args.args.iter().map(|arg| arg.to_array(rows)).collect::<Result<Vec<_>>>()?;
        let field = |(at, column): (usize, &arrow::array::ArrayRef)| {
            Field::new(at.to_string(), column.data_type().clone(), true)
        };
        let schema = Schema::new(columns.iter().enumerate().map(field).collect::<Vec<_>>());
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::new(schema), columns, &options)?;
        let side = |at: usize| Arc::new(Column::new(&at.to_string(), at));
        let joined = BinaryExpr::new(side(0), Operator::StringConcat, side(1)).evaluate(&batch)?;
        match (is_constant, joined) {
            (true, ColumnarValue::Array(array)) => ScalarValue::try_from_array(&array, 0).map(ColumnarValue::Scalar),
            (_, joined) => Ok(joined),
        }
    }
}
