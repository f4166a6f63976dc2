//! The methods that the wrapper of a function hands on to the function in it, `self.inner`.

/// Hands on the named methods of [`datafusion::logical_expr::ScalarUDFImpl`]. A wrapper names all that it does not write
/// itself, with clippy's `missing_trait_methods` switched on: it finds one that a new version of the engine adds.
macro_rules! hand_on_scalar {
    ($($method:ident)+) => {
        $($crate::plan::functions::hand_on::hand_on_scalar!(@ $method);)+
    };
    (@ name) => {
        fn name(&self) -> &str {
            self.inner.name()
        }
    };
    (@ aliases) => {
        fn aliases(&self) -> &[String] {
            self.inner.aliases()
        }
    };
    (@ display_name) => {
        #[expect(deprecated)]
        fn display_name(&self, args: &[datafusion::logical_expr::Expr]) -> datafusion::common::Result<String> {
            self.inner.display_name(args)
        }
    };
    (@ schema_name) => {
        fn schema_name(&self, args: &[datafusion::logical_expr::Expr]) -> datafusion::common::Result<String> {
            self.inner.schema_name(args)
        }
    };
    (@ signature) => {
        fn signature(&self) -> &datafusion::logical_expr::Signature {
            self.inner.signature()
        }
    };
    (@ return_type) => {
        fn return_type(&self, arg_types: &[arrow::datatypes::DataType]) -> datafusion::common::Result<arrow::datatypes::DataType> {
            self.inner.return_type(arg_types)
        }
    };
    (@ return_field_from_args) => {
        fn return_field_from_args(&self, args: datafusion::logical_expr::ReturnFieldArgs) -> datafusion::common::Result<arrow::datatypes::FieldRef> {
            self.inner.return_field_from_args(args)
        }
    };
    (@ is_nullable) => {
        #[expect(deprecated)]
        fn is_nullable(&self, args: &[datafusion::logical_expr::Expr], schema: &dyn datafusion::common::ExprSchema) -> bool {
            self.inner.is_nullable(args, schema)
        }
    };
    (@ is_strict) => {
        fn is_strict(&self) -> bool {
            self.inner.is_strict()
        }
    };
    (@ invoke_with_args) => {
        fn invoke_with_args(&self, args: datafusion::logical_expr::ScalarFunctionArgs) -> datafusion::common::Result<datafusion::logical_expr::ColumnarValue> {
            self.inner.invoke_with_args(args)
        }
    };
    (@ simplify) => {
        fn simplify(&self, args: Vec<datafusion::logical_expr::Expr>, info: &datafusion::logical_expr::simplify::SimplifyContext) -> datafusion::common::Result<datafusion::logical_expr::simplify::ExprSimplifyResult> {
            self.inner.simplify(args, info)
        }
    };
    (@ preimage) => {
        fn preimage(&self, args: &[datafusion::logical_expr::Expr], lit_expr: &datafusion::logical_expr::Expr, info: &datafusion::logical_expr::simplify::SimplifyContext) -> datafusion::common::Result<datafusion::logical_expr::preimage::PreimageResult> {
            self.inner.preimage(args, lit_expr, info)
        }
    };
    (@ short_circuits) => {
        fn short_circuits(&self) -> bool {
            self.inner.short_circuits()
        }
    };
    (@ conditional_arguments) => {
        fn conditional_arguments<'a>(&self, args: &'a [datafusion::logical_expr::Expr]) -> Option<(Vec<&'a datafusion::logical_expr::Expr>, Vec<&'a datafusion::logical_expr::Expr>)> {
            self.inner.conditional_arguments(args)
        }
    };
    (@ evaluate_bounds) => {
        fn evaluate_bounds(&self, input: &[&datafusion::logical_expr::interval_arithmetic::Interval]) -> datafusion::common::Result<datafusion::logical_expr::interval_arithmetic::Interval> {
            self.inner.evaluate_bounds(input)
        }
    };
    (@ propagate_constraints) => {
        fn propagate_constraints(&self, interval: &datafusion::logical_expr::interval_arithmetic::Interval, inputs: &[&datafusion::logical_expr::interval_arithmetic::Interval]) -> datafusion::common::Result<Option<Vec<datafusion::logical_expr::interval_arithmetic::Interval>>> {
            self.inner.propagate_constraints(interval, inputs)
        }
    };
    (@ output_ordering) => {
        fn output_ordering(&self, inputs: &[datafusion::logical_expr::sort_properties::ExprProperties]) -> datafusion::common::Result<datafusion::logical_expr::sort_properties::SortProperties> {
            self.inner.output_ordering(inputs)
        }
    };
    (@ preserves_lex_ordering) => {
        fn preserves_lex_ordering(&self, inputs: &[datafusion::logical_expr::sort_properties::ExprProperties]) -> datafusion::common::Result<bool> {
            self.inner.preserves_lex_ordering(inputs)
        }
    };
    (@ strictly_order_preserving) => {
        fn strictly_order_preserving(&self, inputs: &[datafusion::logical_expr::sort_properties::ExprProperties]) -> datafusion::common::Result<bool> {
            self.inner.strictly_order_preserving(inputs)
        }
    };
    (@ struct_field_mapping) => {
        fn struct_field_mapping(&self, literal_args: &[Option<datafusion::common::ScalarValue>]) -> Option<datafusion::logical_expr::StructFieldMapping> {
            self.inner.struct_field_mapping(literal_args)
        }
    };
    (@ documentation) => {
        fn documentation(&self) -> Option<&datafusion::logical_expr::Documentation> {
            self.inner.documentation()
        }
    };
    (@ placement) => {
        fn placement(&self, args: &[datafusion::logical_expr::ExpressionPlacement]) -> datafusion::logical_expr::ExpressionPlacement {
            self.inner.placement(args)
        }
    };
    (@ coerce_types) => {
        fn coerce_types(&self, arg_types: &[arrow::datatypes::DataType]) -> datafusion::common::Result<Vec<arrow::datatypes::DataType>> {
            self.inner.coerce_types(arg_types)
        }
    };
}

pub(super) use hand_on_scalar;

/// Hands on the named methods of [`datafusion::logical_expr::AggregateUDFImpl`], as [`hand_on_scalar`] does.
macro_rules! hand_on_aggregate {
    ($($method:ident)+) => {
        $($crate::plan::functions::hand_on::hand_on_aggregate!(@ $method);)+
    };
    (@ name) => {
        fn name(&self) -> &str {
            self.inner.name()
        }
    };
    (@ aliases) => {
        fn aliases(&self) -> &[String] {
            self.inner.aliases()
        }
    };
    (@ schema_name) => {
        fn schema_name(&self, params: &datafusion::logical_expr::expr::AggregateFunctionParams) -> datafusion::common::Result<String> {
            self.inner.schema_name(params)
        }
    };
    (@ human_display) => {
        fn human_display(&self, params: &datafusion::logical_expr::expr::AggregateFunctionParams) -> datafusion::common::Result<String> {
            self.inner.human_display(params)
        }
    };
    (@ window_function_schema_name) => {
        fn window_function_schema_name(&self, params: &datafusion::logical_expr::expr::WindowFunctionParams) -> datafusion::common::Result<String> {
            self.inner.window_function_schema_name(params)
        }
    };
    (@ display_name) => {
        fn display_name(&self, params: &datafusion::logical_expr::expr::AggregateFunctionParams) -> datafusion::common::Result<String> {
            self.inner.display_name(params)
        }
    };
    (@ window_function_display_name) => {
        fn window_function_display_name(&self, params: &datafusion::logical_expr::expr::WindowFunctionParams) -> datafusion::common::Result<String> {
            self.inner.window_function_display_name(params)
        }
    };
    (@ signature) => {
        fn signature(&self) -> &datafusion::logical_expr::Signature {
            self.inner.signature()
        }
    };
    (@ return_type) => {
        fn return_type(&self, arg_types: &[arrow::datatypes::DataType]) -> datafusion::common::Result<arrow::datatypes::DataType> {
            self.inner.return_type(arg_types)
        }
    };
    (@ return_field) => {
        fn return_field(&self, arg_fields: &[arrow::datatypes::FieldRef]) -> datafusion::common::Result<arrow::datatypes::FieldRef> {
            self.inner.return_field(arg_fields)
        }
    };
    (@ is_nullable) => {
        fn is_nullable(&self) -> bool {
            self.inner.is_nullable()
        }
    };
    (@ accumulator) => {
        fn accumulator(&self, acc_args: datafusion::logical_expr::function::AccumulatorArgs) -> datafusion::common::Result<Box<dyn datafusion::logical_expr::Accumulator>> {
            self.inner.accumulator(acc_args)
        }
    };
    (@ state_fields) => {
        fn state_fields(&self, args: datafusion::logical_expr::function::StateFieldsArgs) -> datafusion::common::Result<Vec<arrow::datatypes::FieldRef>> {
            self.inner.state_fields(args)
        }
    };
    (@ groups_accumulator_supported) => {
        fn groups_accumulator_supported(&self, args: datafusion::logical_expr::function::AccumulatorArgs) -> bool {
            self.inner.groups_accumulator_supported(args)
        }
    };
    (@ create_groups_accumulator) => {
        fn create_groups_accumulator(&self, args: datafusion::logical_expr::function::AccumulatorArgs) -> datafusion::common::Result<Box<dyn datafusion::logical_expr::GroupsAccumulator>> {
            self.inner.create_groups_accumulator(args)
        }
    };
    (@ order_sensitivity) => {
        fn order_sensitivity(&self) -> datafusion::logical_expr::utils::AggregateOrderSensitivity {
            self.inner.order_sensitivity()
        }
    };
    (@ simplify) => {
        fn simplify(&self) -> Option<datafusion::logical_expr::function::AggregateFunctionSimplification> {
            self.inner.simplify()
        }
    };
    (@ simplify_expr_op_literal) => {
        fn simplify_expr_op_literal(&self, agg_function: &datafusion::logical_expr::expr::AggregateFunction, arg: &datafusion::logical_expr::Expr, op: datafusion::logical_expr::Operator, lit: &datafusion::logical_expr::Expr, arg_is_left: bool) -> datafusion::common::Result<Option<datafusion::logical_expr::Expr>> {
            self.inner.simplify_expr_op_literal(agg_function, arg, op, lit, arg_is_left)
        }
    };
    (@ coerce_types) => {
        fn coerce_types(&self, arg_types: &[arrow::datatypes::DataType]) -> datafusion::common::Result<Vec<arrow::datatypes::DataType>> {
            self.inner.coerce_types(arg_types)
        }
    };
    (@ is_descending) => {
        fn is_descending(&self) -> Option<bool> {
            self.inner.is_descending()
        }
    };
    (@ value_from_stats) => {
        fn value_from_stats(&self, statistics_args: &datafusion::logical_expr::StatisticsArgs) -> Option<datafusion::common::ScalarValue> {
            self.inner.value_from_stats(statistics_args)
        }
    };
    (@ default_value) => {
        fn default_value(&self, data_type: &arrow::datatypes::DataType) -> datafusion::common::Result<datafusion::common::ScalarValue> {
            self.inner.default_value(data_type)
        }
    };
    (@ supports_null_handling_clause) => {
        fn supports_null_handling_clause(&self) -> bool {
            self.inner.supports_null_handling_clause()
        }
    };
    (@ supports_within_group_clause) => {
        fn supports_within_group_clause(&self) -> bool {
            self.inner.supports_within_group_clause()
        }
    };
    (@ documentation) => {
        fn documentation(&self) -> Option<&datafusion::logical_expr::Documentation> {
            self.inner.documentation()
        }
    };
    (@ set_monotonicity) => {
        fn set_monotonicity(&self, data_type: &arrow::datatypes::DataType) -> datafusion::logical_expr::SetMonotonicity {
            self.inner.inner().set_monotonicity(data_type)
        }
    };
}

pub(super) use hand_on_aggregate;
