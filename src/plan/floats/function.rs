//! The function that makes floating-point numbers alike in their bits where they are equal.

use datafusion::arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, PrimitiveArray, make_array};
use datafusion::arrow::datatypes::{DataType, Float16Type, Float32Type, Float64Type};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static FUNCTION: LazyLock<Arc<ScalarUDF>> = LazyLock::new(|| {
    let signature = Signature::any(1, Volatility::Immutable);
    Arc::new(ScalarUDF::new_from_impl(FloatKey { signature }))
});

/// Whether a type is one of floating-point numbers, or has some inside.
pub(super) fn has_floats(ty: &DataType) -> bool {
    match ty {
        DataType::Dictionary(_, values) => has_floats(values),
        ty if ty.is_floating() => true,
        ty => is_nested_with_floats(ty),
    }
}

/// Whether floating-point numbers are inside of something else.
pub(super) fn is_nested_with_floats(ty: &DataType) -> bool {
    match ty {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => has_floats(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_floats(field.data_type())),
        _ => false,
    }
}

/// The same numbers, alike in their bits where they are equal.
pub(super) fn key(expr: Expr) -> Expr {
    match expr {
        Expr::Literal(value, metadata) if value.data_type().is_floating() => Expr::Literal(canonical(value), metadata),
        expr if is_key(&expr) => expr,
        expr => Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(&FUNCTION), vec![expr])),
    }
}

/// Whether an expression is such a key already.
pub(super) fn is_key(expr: &Expr) -> bool {
    matches!(expr, Expr::ScalarFunction(call) if is_float_key(&call.func))
}

/// What an expression is a key of, or the expression itself: the same numbers in the same order, with bits of their own.
pub(crate) fn inside_key(expr: &Expr) -> &Expr {
    match expr {
        Expr::ScalarFunction(call) if is_float_key(&call.func) => call.args.first().unwrap_or(expr),
        expr => expr,
    }
}

/// A number with the bits that all that are equal to it get.
fn canonical(value: ScalarValue) -> ScalarValue {
    match value {
        ScalarValue::Float32(Some(number)) => ScalarValue::Float32(Some(single(number))),
        ScalarValue::Float64(Some(number)) => ScalarValue::Float64(Some(double(number))),
        other => other,
    }
}

/// Whether a function is the one that makes keys: it takes a bounded time.
pub(in crate::plan) fn is_float_key(function: &ScalarUDF) -> bool {
    function.inner().is::<FloatKey>()
}

/// A number with the bits that all that are equal to it get.
pub(super) fn single(number: f32) -> f32 {
    if number.is_nan() { f32::NAN } else { number + 0.0 }
}

/// The same for the longer numbers.
pub(super) fn double(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number + 0.0 }
}

/// The array, or another one where some numbers have other bits than those they get.
fn keys(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Float32 => mapped::<Float32Type>(array, single, |a, b| a.to_bits() == b.to_bits()),
        DataType::Float64 => mapped::<Float64Type>(array, double, |a, b| a.to_bits() == b.to_bits()),
        DataType::Float16 => {
            let half = |number: <Float16Type as ArrowPrimitiveType>::Native| {
                <Float16Type as ArrowPrimitiveType>::Native::from_f32(single(number.to_f32()))
            };
            mapped::<Float16Type>(array, half, |a, b| a.to_bits() == b.to_bits())
        }
        ty if has_floats(ty) => {
            let data = array.to_data();
            let children = data.child_data().iter().map(|child| keys(&make_array(child.clone())).into_data()).collect();
            data.into_builder().child_data(children).build().map_or_else(|_| Arc::clone(array), make_array)
        }
        _ => Arc::clone(array),
    }
}

fn mapped<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    key: impl Fn(T::Native) -> T::Native,
    is_same: impl Fn(T::Native, T::Native) -> bool,
) -> ArrayRef {
    let Some(numbers) = array.as_primitive_opt::<T>() else { return Arc::clone(array) };
    if numbers.values().iter().all(|number| is_same(*number, key(*number))) {
        return Arc::clone(array);
    }
    let mapped: PrimitiveArray<T> = numbers.unary(key);
    Arc::new(mapped)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct FloatKey {
    signature: Signature,
}

impl ScalarUDFImpl for FloatKey {
    fn name(&self) -> &str {
        "qtool_float_key"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, arguments: &[DataType]) -> Result<DataType> {
        match arguments {
            [ty] => Ok(ty.clone()),
            _ => plan_err!("qtool_float_key has one argument"),
        }
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match args.args.first() {
            Some(ColumnarValue::Array(array)) => Ok(ColumnarValue::Array(keys(array))),
            Some(ColumnarValue::Scalar(value)) if value.data_type().is_floating() => {
                Ok(ColumnarValue::Scalar(canonical(value.clone())))
            }
            Some(ColumnarValue::Scalar(value)) => {
                let mapped = keys(&value.to_array()?);
                ScalarValue::try_from_array(&mapped, 0).map(ColumnarValue::Scalar)
            }
            None => plan_err!("qtool_float_key has one argument"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::array::{Float64Array, ListArray};

    #[test]
    fn equal_numbers_get_the_same_bits() {
        let odd_nan = f64::from_bits(0xfff8_0000_0000_0001);
        let array: ArrayRef = Arc::new(Float64Array::from(vec![Some(-0.0), None, Some(odd_nan), Some(1.5)]));
        let keyed = keys(&array);
        let keyed = keyed.as_primitive::<Float64Type>();
        let bits: Vec<_> = keyed.iter().map(|number| number.map(f64::to_bits)).collect();
        assert_eq!(bits, [Some(0), None, Some(f64::NAN.to_bits()), Some(1.5_f64.to_bits())]);
    }

    #[test]
    fn numbers_in_lists_do_too() {
        let lists = vec![Some(vec![Some(-0.0), Some(2.0)]), None, Some(vec![None])];
        let array: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(lists));
        let equal = vec![Some(vec![Some(0.0), Some(2.0)]), None, Some(vec![None])];
        let expected: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Float64Type, _, _>(equal));
        assert_eq!(&keys(&array), &expected);
    }

    #[test]
    fn an_array_without_such_numbers_stays() {
        let array: ArrayRef = Arc::new(Float64Array::from(vec![0.0, 1.0, f64::NAN]));
        assert!(Arc::ptr_eq(&keys(&array), &array));
    }
}
