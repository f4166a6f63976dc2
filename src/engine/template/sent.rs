//! The values of a call as functions without arguments: what stands in a plan that serves many calls.
//!
//! They have values only while a call runs. Whatever asks for one earlier, such as a rule that would put a constant in its
//! place, gets an error, and the plan is not kept: so the value of one call can never end up in the plan of another.

use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

/// The values of the call that runs, by the number of their placeholder.
#[derive(Default)]
pub(super) struct Sent(Mutex<Option<Vec<Option<ScalarValue>>>>);

impl Sent {
    /// Gives the functions their values.
    pub(super) fn set(&self, values: Vec<Option<ScalarValue>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(values);
    }

    /// Takes them away.
    pub(super) fn clear(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn get(&self, at: usize) -> Option<ScalarValue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.get(at)?.clone()
    }
}

impl fmt::Debug for Sent {
    // Values of calls are nothing for a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sent")
    }
}

/// The function that stands for a placeholder.
pub(super) fn function(at: usize, parameter: &str, ty: DataType, sent: &Arc<Sent>) -> Expr {
    let (signature, name) = (Signature::nullary(Volatility::Stable), format!("<< {parameter} >>"));
    let function = ScalarUDF::new_from_impl(Function { at, name, ty, sent: Arc::clone(sent), signature });
    Expr::ScalarFunction(ScalarFunction::new_udf(Arc::new(function), Vec::new()))
}

/// Whether a function is one of these.
pub(super) fn is_sent(function: &ScalarUDF) -> bool {
    function.inner().downcast_ref::<Function>().is_some()
}

#[derive(Debug)]
struct Function {
    at: usize,
    /// How plans show it.
    name: String,
    ty: DataType,
    sent: Arc<Sent>,
    signature: Signature,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.ty == other.ty && Arc::ptr_eq(&self.sent, &other.sent)
    }
}

impl Eq for Function {}

impl Hash for Function {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, &self.ty, Arc::as_ptr(&self.sent) as usize).hash(state);
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.ty.clone())
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match self.sent.get(self.at) {
            Some(value) if value.data_type() == self.ty => Ok(ColumnarValue::Scalar(value)),
            Some(value) => value.cast_to(&self.ty).map(ColumnarValue::Scalar),
            None => exec_err!("a placeholder has its value only while a call runs"),
        }
    }
}
