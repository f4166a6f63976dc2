//! A function without arguments that stands for a value nobody knows before a call.

use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A function of the type of a literal, for the placeholder of that id.
pub(super) fn opaque(id: &str, literal: Expr) -> Expr {
    let Expr::Literal(value, _) = literal else { return literal };
    let function = StandIn { id: id.to_owned(), value, signature: Signature::nullary(Volatility::Stable) };
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(ScalarUDF::new_from_impl(function)), Vec::new()))
}

#[derive(Debug)]
struct StandIn {
    id: String,
    value: ScalarValue,
    signature: Signature,
}

impl PartialEq for StandIn {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.value == other.value
    }
}

impl Eq for StandIn {}

impl Hash for StandIn {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.id, &self.value).hash(state);
    }
}

impl ScalarUDFImpl for StandIn {
    fn name(&self) -> &str {
        "qtool_value"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.value.data_type())
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        exec_err!("a value is known only in a call")
    }
}
