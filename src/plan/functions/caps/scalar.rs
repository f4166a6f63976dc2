//! The wrapper of a function of one row.

use super::batch::Batch;
use super::bounds::Cap;
use super::{MOST_PARTS_OF_A_TYPE, patterns, steps};
use crate::plan::functions::hand_on::hand_on_scalar;
use crate::plan::stop;
use arrow::array::{AsArray, Int64Array};
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl};
use std::sync::Arc;

/// A scalar function with a limit on its result, or on its time.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Capped {
    inner: Arc<ScalarUDF>,
    cap: Cap,
}

impl Capped {
    pub(super) fn new(inner: Arc<ScalarUDF>, cap: Cap) -> Capped {
        Capped { inner, cap }
    }

    fn check_type(&self, ty: &DataType) -> Result<()> {
        if self.cap == Cap::Whole && parts_of(ty, MOST_PARTS_OF_A_TYPE) > MOST_PARTS_OF_A_TYPE {
            return plan_err!("the type of {} has more than {MOST_PARTS_OF_A_TYPE} parts", self.inner.name());
        }
        Ok(())
    }
}

/// How many types a type is made of, counted until they are more than `most`.
fn parts_of(ty: &DataType, most: usize) -> usize {
    let of_fields = |fields: &[FieldRef]| {
        let mut sum = 1_usize;
        for field in fields {
            if sum > most {
                break;
            }
            sum = sum.saturating_add(parts_of(field.data_type(), most));
        }
        sum
    };
    match ty {
        DataType::Struct(fields) => of_fields(fields),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => of_fields(std::slice::from_ref(item)),
        _ => 1,
    }
}

// A wrapper has to hand on every method: the lint finds one that a new version adds.
#[warn(clippy::missing_trait_methods)]
impl ScalarUDFImpl for Capped {
    hand_on_scalar! {
        name aliases display_name schema_name signature is_nullable is_strict
        preimage short_circuits conditional_arguments evaluate_bounds propagate_constraints output_ordering
        preserves_lex_ordering strictly_order_preserving coerce_types struct_field_mapping documentation placement
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let ty = self.inner.return_type(types)?;
        self.check_type(&ty)?;
        Ok(ty)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let field = self.inner.return_field_from_args(args)?;
        self.check_type(field.data_type())?;
        Ok(field)
    }

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let inner = self.inner.inner().with_updated_config(config)?;
        Some(ScalarUDF::from(Capped { inner: Arc::new(inner), cap: self.cap }))
    }

    fn invoke_with_args(&self, mut args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        stop::check()?;
        let batch = Batch::of(self.inner.name(), &args);
        let (rows, parts) = (batch.rows(), steps::parts(self.cap, &batch, &args.args)?);
        if let Cap::Pattern(search) = self.cap
            && let Some(found) = patterns::instead(search, rows, &args)?
        {
            return Ok(found);
        }
        self.cap.check(&batch, &args.args)?;
        if self.cap == Cap::Pad
            && let Some(lengths) = args.args.get_mut(1)
        {
            clear_negatives(lengths);
        }
        steps::in_parts(&self.inner, parts, args)
    }

    // `regexp_like` makes an operator of itself, which has no limit. For simple patterns it needs none; for those that are
    // known later, the engine makes a function of it again.
    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        if let (Cap::Pattern(_), Some(Expr::Literal(pattern, _))) = (self.cap, args.get(1))
            && pattern.try_as_str().flatten().is_some_and(patterns::stays_a_search)
        {
            return Ok(ExprSimplifyResult::Original(args));
        }
        self.inner.simplify(args, info)
    }
}

/// `lpad` and `rpad` read a negative length as zero, but only after they have reserved memory for it as for a huge one.
fn clear_negatives(lengths: &mut ColumnarValue) {
    match lengths {
        ColumnarValue::Scalar(ScalarValue::Int64(Some(length))) => *length = (*length).max(0),
        ColumnarValue::Scalar(_) => {}
        ColumnarValue::Array(array) => {
            let cleared: Option<Int64Array> = array
                .as_primitive_opt::<Int64Type>()
                .filter(|lengths| lengths.iter().flatten().any(|length| length < 0))
                .map(|lengths| lengths.unary(|length| length.max(0)));
            if let Some(cleared) = cleared {
                *array = Arc::new(cleared);
            }
        }
    }
}
