//! The wrapper of a function of one row.

use super::batch::Batch;
use super::bounds::Cap;
use super::{patterns, steps};
use crate::plan::stop;
use arrow::array::{AsArray, Int64Array};
use arrow::datatypes::{DataType, FieldRef, Int64Type};
use datafusion::common::{ExprSchema, Result, ScalarValue};
use datafusion::config::ConfigOptions;
use datafusion::logical_expr::interval_arithmetic::Interval;
use datafusion::logical_expr::preimage::PreimageResult;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::sort_properties::{ExprProperties, SortProperties};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ExpressionPlacement, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, StructFieldMapping,
};
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
}

// A wrapper has to hand on every method: the lint finds one that a new version adds.
#[warn(clippy::missing_trait_methods)]
impl ScalarUDFImpl for Capped {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn aliases(&self) -> &[String] {
        self.inner.aliases()
    }

    #[expect(deprecated)]
    fn display_name(&self, args: &[Expr]) -> Result<String> {
        self.inner.display_name(args)
    }

    fn schema_name(&self, args: &[Expr]) -> Result<String> {
        self.inner.schema_name(args)
    }

    fn signature(&self) -> &Signature {
        self.inner.signature()
    }

    fn return_type(&self, arg_types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(arg_types)
    }

    fn with_updated_config(&self, config: &ConfigOptions) -> Option<ScalarUDF> {
        let inner = self.inner.inner().with_updated_config(config)?;
        Some(ScalarUDF::from(Capped { inner: Arc::new(inner), cap: self.cap }))
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        self.inner.return_field_from_args(args)
    }

    #[expect(deprecated)]
    fn is_nullable(&self, args: &[Expr], schema: &dyn ExprSchema) -> bool {
        self.inner.is_nullable(args, schema)
    }

    fn is_strict(&self) -> bool {
        self.inner.is_strict()
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
            && pattern.try_as_str().flatten().is_some_and(patterns::is_heavy_pattern)
        {
            return Ok(ExprSimplifyResult::Original(args));
        }
        self.inner.simplify(args, info)
    }

    fn preimage(&self, args: &[Expr], lit_expr: &Expr, info: &SimplifyContext) -> Result<PreimageResult> {
        self.inner.preimage(args, lit_expr, info)
    }

    fn short_circuits(&self) -> bool {
        self.inner.short_circuits()
    }

    fn conditional_arguments<'a>(&self, args: &'a [Expr]) -> Option<(Vec<&'a Expr>, Vec<&'a Expr>)> {
        self.inner.conditional_arguments(args)
    }

    fn evaluate_bounds(&self, input: &[&Interval]) -> Result<Interval> {
        self.inner.evaluate_bounds(input)
    }

    fn propagate_constraints(&self, interval: &Interval, inputs: &[&Interval]) -> Result<Option<Vec<Interval>>> {
        self.inner.propagate_constraints(interval, inputs)
    }

    fn output_ordering(&self, inputs: &[ExprProperties]) -> Result<SortProperties> {
        self.inner.output_ordering(inputs)
    }

    fn preserves_lex_ordering(&self, inputs: &[ExprProperties]) -> Result<bool> {
        self.inner.preserves_lex_ordering(inputs)
    }

    fn strictly_order_preserving(&self, inputs: &[ExprProperties]) -> Result<bool> {
        self.inner.strictly_order_preserving(inputs)
    }

    fn coerce_types(&self, arg_types: &[DataType]) -> Result<Vec<DataType>> {
        self.inner.coerce_types(arg_types)
    }

    fn struct_field_mapping(&self, literal_args: &[Option<ScalarValue>]) -> Option<StructFieldMapping> {
        self.inner.struct_field_mapping(literal_args)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.inner.documentation()
    }

    fn placement(&self, args: &[ExpressionPlacement]) -> ExpressionPlacement {
        self.inner.placement(args)
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
