#![allow(clippy::unwrap_used)]

mod classes;
mod steps;

use super::*;
use arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, Float64Array, Int64Array, ListArray, StringArray, StringViewArray,
    UInt32Array,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int32Type, Int64Type, IntervalMonthDayNanoType, Schema};
use datafusion::common::{Result, ScalarValue};
use datafusion::config::ConfigOptions;
use datafusion::functions::{regex, string, unicode};
use datafusion::functions_aggregate::array_agg::array_agg_udaf;
use datafusion::functions_aggregate::string_agg::string_agg_udaf;
use datafusion::functions_nested::range::{gen_series_udf, range_udf};
use datafusion::functions_nested::repeat::array_repeat_udf;
use datafusion::functions_nested::resize::array_resize_udf;
use datafusion::functions_nested::string::array_to_string_udf;
use datafusion::logical_expr::function::AccumulatorArgs;
use datafusion::logical_expr::{ColumnarValue, ReturnFieldArgs, ReversedUDAF, ScalarFunctionArgs};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Column, Literal};

const LARGE: i64 = 10_000_000_000;

fn call_with(function: Arc<ScalarUDF>, args: Vec<ColumnarValue>, literal_rows: usize) -> Result<ArrayRef> {
    let number_rows = args
        .iter()
        .find_map(|arg| match arg {
            ColumnarValue::Array(array) => Some(array.len()),
            ColumnarValue::Scalar(_) => None,
        })
        .unwrap_or(literal_rows);
    let arg_fields: Vec<FieldRef> =
        args.iter().map(|arg| Arc::new(Field::new("argument", arg.data_type(), true))).collect();
    let scalar_arguments = vec![None; args.len()];
    let function = capped(function);
    let return_field = function
        .return_field_from_args(ReturnFieldArgs { arg_fields: &arg_fields, scalar_arguments: &scalar_arguments })?;
    let config_options = Arc::new(ConfigOptions::default());
    let args = ScalarFunctionArgs { args, arg_fields, number_rows, return_field, config_options };
    function.invoke_with_args(args)?.into_array(number_rows)
}

fn call(function: Arc<ScalarUDF>, args: Vec<ColumnarValue>) -> Result<ArrayRef> {
    call_with(function, args, 1)
}

fn text(value: &str) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::Utf8(Some(value.to_owned())))
}

fn number(value: i64) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::Int64(Some(value)))
}

fn date(day: i32) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::Date32(Some(day)))
}

fn second(second: i64) -> ColumnarValue {
    ColumnarValue::Scalar(ScalarValue::TimestampSecond(Some(second), None))
}

fn interval(months: i32, days: i32, nanoseconds: i64) -> ColumnarValue {
    let value = IntervalMonthDayNanoType::make_value(months, days, nanoseconds);
    ColumnarValue::Scalar(ScalarValue::IntervalMonthDayNano(Some(value)))
}

fn texts(values: Vec<Option<&str>>) -> ColumnarValue {
    ColumnarValue::Array(Arc::new(StringArray::from(values)))
}

fn numbers(values: Vec<Option<i64>>) -> ColumnarValue {
    ColumnarValue::Array(Arc::new(Int64Array::from(values)))
}

fn strings(array: &ArrayRef) -> Vec<Option<&str>> {
    array.as_string::<i32>().iter().collect()
}

fn list_length(array: &ArrayRef) -> usize {
    let list: &ListArray = array.as_list::<i32>();
    list.value(0).len()
}

fn list(values: Vec<Option<i64>>) -> ColumnarValue {
    let values: Vec<ScalarValue> = values.into_iter().map(ScalarValue::Int64).collect();
    ColumnarValue::Scalar(ScalarValue::List(ScalarValue::new_list(&values, &DataType::Int64, true)))
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T>, message: &str) {
    match result {
        Err(DataFusionError::ResourcesExhausted(found)) => assert_eq!(found, message),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn other_functions_stay_what_they_are() {
    let upper = string::upper();
    assert!(Arc::ptr_eq(&upper, &capped(Arc::clone(&upper))));
    let once = capped(string::repeat());
    assert!(Arc::ptr_eq(&once, &capped(Arc::clone(&once))));
    assert_eq!(once, capped(string::repeat()));
    assert_ne!(once, string::repeat());
}

#[test]
fn repeat_is_limited() {
    assert_eq!(strings(&call(string::repeat(), vec![text("ab"), number(2)]).unwrap()), [Some("abab")]);
    assert_eq!(strings(&call(string::repeat(), vec![text("ab"), number(-LARGE)]).unwrap()), [Some("")]);
    assert_eq!(strings(&call(string::repeat(), vec![text(""), number(LARGE)]).unwrap()), [Some("")]);
    let null = ColumnarValue::Scalar(ScalarValue::Utf8(None));
    assert_eq!(strings(&call(string::repeat(), vec![null, number(LARGE)]).unwrap()), [None::<&str>]);
    let whole = "the result of repeat is larger than 64 MiB";
    refused(call(string::repeat(), vec![text("x"), number(LARGE)]), whole);
    refused(call(string::repeat(), vec![text("xx"), number(i64::MAX)]), whole);
    let one = "the result of repeat is larger than 16 MiB";
    refused(call(string::repeat(), vec![text("x"), number(20_000_000)]), one);
}

#[test]
fn the_rows_of_a_batch_count_together() {
    let counts = numbers(vec![Some(2), Some(LARGE), None, Some(-1)]);
    let values = texts(vec![Some("ab"), None, Some("c"), Some("d")]);
    assert_eq!(strings(&call(string::repeat(), vec![values, counts]).unwrap()), [Some("abab"), None, None, Some("")]);
    let counts = || numbers(vec![Some(10_000_000); 10]);
    let whole = "the result of repeat is larger than 64 MiB";
    refused(call(string::repeat(), vec![text("x"), counts()]), whole);
    refused(call_with(string::repeat(), vec![text("x"), number(1_000_000)], 100), whole);
}

#[test]
fn padding_is_limited() {
    for (function, name) in [(unicode::lpad(), "lpad"), (unicode::rpad(), "rpad")] {
        let padded = call(Arc::clone(&function), vec![text("x"), number(20_000)]).unwrap();
        assert_eq!(padded.as_string::<i32>().value(0).len(), 20_000);
        let whole = format!("the result of {name} is larger than 64 MiB");
        refused(call(Arc::clone(&function), vec![text("x"), number(LARGE)]), &whole);
        // A character of four bytes.
        refused(call(Arc::clone(&function), vec![text("x"), number(20_000_000), text("𝄞")]), &whole);
        refused(call(Arc::clone(&function), vec![text("x"), number(LARGE), text("")]), &whole);
        let one = format!("the result of {name} is larger than 16 MiB");
        refused(call(function, vec![texts(vec![Some("x")]), numbers(vec![Some(20_000_000)])]), &one);
    }
}

#[test]
fn a_negative_length_pads_nothing() {
    let values = || texts(vec![Some("abc"), Some("abc"), None]);
    let lengths = numbers(vec![Some(-1), Some(5), Some(-LARGE)]);
    assert_eq!(strings(&call(unicode::lpad(), vec![values(), lengths]).unwrap()), [Some(""), Some("  abc"), None]);
    let fills = texts(vec![Some("-"); 3]);
    assert_eq!(strings(&call(unicode::rpad(), vec![values(), number(-1), fills]).unwrap()), [Some(""), Some(""), None]);
}

#[test]
fn replace_counts_matches_only_where_it_must() {
    let long = "a".repeat(10_000);
    let longer = "b".repeat(10_000);
    let whole = "the result of replace is larger than 64 MiB";
    refused(call(string::replace(), vec![text(&long), text("a"), text(&longer)]), whole);
    // Every character could match, and one does.
    let rare = format!("{long}x");
    let replaced = call(string::replace(), vec![text(&rare), text("x"), text(&longer)]).unwrap();
    assert_eq!(replaced.as_string::<i32>().value(0).len(), 20_000);
    let unchanged = call(string::replace(), vec![text(&long), text(""), text(&longer)]).unwrap();
    assert_eq!(unchanged.as_string::<i32>().value(0), long);
    let null = ColumnarValue::Scalar(ScalarValue::Utf8(None));
    assert_eq!(strings(&call(string::replace(), vec![null, text("a"), text(&longer)]).unwrap()), [None::<&str>]);
}

#[test]
fn regexp_replace_is_limited() {
    let call = |args: Vec<ColumnarValue>| call(regex::regexp_replace(), args);
    let whole = "the result of regexp_replace is larger than 64 MiB";
    let replaced = call(vec![text("foobar"), text("o"), text("0"), text("g")]).unwrap();
    assert_eq!(strings(&replaced), [Some("f00bar")]);
    let (long, longer) = ("a".repeat(10_000), "b".repeat(10_000));
    refused(call(vec![text(&long), text("A"), text(&longer), text("gi")]), whole);
    // An empty pattern matches everywhere.
    refused(call(vec![text(&long), text(""), text(&longer), text("g")]), whole);
    refused(call(vec![texts(vec![Some(&long)]), text("."), text(&longer), text("g")]), whole);
    // Only the first match, or no match at all.
    for flags in [vec![], vec![text("i")]] {
        let args = [text(&long), text("a"), text(&longer)].into_iter().chain(flags);
        assert_eq!(call(args.collect()).unwrap().as_string::<i32>().value(0).len(), 19_999);
    }
    let unchanged = call(vec![text(&long), text("A"), text(&longer), text("g")]).unwrap();
    assert_eq!(unchanged.as_string::<i32>().value(0), long);
    let null = ColumnarValue::Scalar(ScalarValue::Utf8(None));
    assert_eq!(strings(&call(vec![text(&long), null, text(&longer), text("g")]).unwrap()), [None::<&str>]);
    let wrong = call(vec![text(&long), text("("), text(&longer), text("g")]).unwrap_err();
    assert!(!matches!(wrong, DataFusionError::ResourcesExhausted(_)));
}

#[test]
fn a_replacement_may_repeat_what_it_replaces() {
    let call = |args: Vec<ColumnarValue>| call(regex::regexp_replace(), args);
    let long = "a".repeat(100_000);
    for reference in ["$0", "${0}", r"\0", r"\\0", "$0-"] {
        let replacement = reference.repeat(1_000);
        let whole = "the result of regexp_replace is larger than 64 MiB";
        refused(call(vec![text(&long), text(".*"), text(&replacement)]), whole);
        let one = call(vec![text(&long), text("^a"), text(&replacement)]).unwrap();
        assert!(one.as_string::<i32>().value(0).len() < 110_000);
    }
    let swapped = call(vec![text("ab"), text("(a)(b)"), text(r"\2$1")]).unwrap();
    assert_eq!(strings(&swapped), [Some("ba")]);
}

#[test]
fn array_repeat_is_limited() {
    assert_eq!(list_length(&call(array_repeat_udf(), vec![number(1), number(3)]).unwrap()), 3);
    assert_eq!(list_length(&call(array_repeat_udf(), vec![number(1), number(-LARGE)]).unwrap()), 0);
    let whole = "the result of array_repeat is larger than 64 MiB";
    refused(call(array_repeat_udf(), vec![number(1), number(LARGE)]), whole);
    refused(call(array_repeat_udf(), vec![text(&"x".repeat(10_000)), number(10_000)]), whole);
    let counts = || numbers(vec![Some(1_000)]);
    let list = |length: usize| {
        let values: Vec<ScalarValue> = vec![ScalarValue::Int64(Some(1)); length];
        ColumnarValue::Array(ScalarValue::new_list(&values, &DataType::Int64, true))
    };
    assert_eq!(list_length(&call(array_repeat_udf(), vec![list(10), counts()]).unwrap()), 1_000);
    refused(call(array_repeat_udf(), vec![list(10_000), counts()]), whole);
}

#[test]
fn array_resize_is_limited() {
    let call = |args: Vec<ColumnarValue>| call(array_resize_udf(), args);
    let short = || list(vec![Some(1), Some(2)]);
    assert_eq!(list_length(&call(vec![short(), number(5)]).unwrap()), 5);
    assert_eq!(list_length(&call(vec![short(), number(1), number(7)]).unwrap()), 1);
    let whole = "the result of array_resize is larger than 64 MiB";
    refused(call(vec![short(), number(LARGE)]), whole);
    refused(call(vec![short(), number(i64::MAX), number(7)]), whole);
    refused(call(vec![short(), number(3_000_000)]), "the result of array_resize is larger than 16 MiB");
    refused(call(vec![short(), numbers(vec![Some(10), Some(LARGE)])]), whole);
    let negative = call(vec![short(), number(-1)]).unwrap_err();
    assert!(!matches!(negative, DataFusionError::ResourcesExhausted(_)), "{negative}");
    let words = || {
        let word = ScalarValue::Utf8(Some("a".to_owned()));
        ColumnarValue::Array(ScalarValue::new_list(&[word], &DataType::Utf8, true))
    };
    let long = "x".repeat(10_000);
    refused(call(vec![words(), number(10_000), text(&long)]), whole);
    refused(call(vec![words(), number(10_000), texts(vec![Some(&long)])]), whole);
    assert_eq!(list_length(&call(vec![words(), number(100), text(&long)]).unwrap()), 100);
    let null =
        ColumnarValue::Array(Arc::new(ListArray::new_null(Arc::new(Field::new_list_field(DataType::Int64, true)), 1)));
    assert!(call(vec![null, number(LARGE)]).unwrap().is_null(0));
}

#[test]
fn array_to_string_is_limited() {
    let call = |args: Vec<ColumnarValue>| call(array_to_string_udf(), args);
    let three = || list(vec![Some(1), None, Some(3)]);
    assert_eq!(strings(&call(vec![three(), text(",")]).unwrap()), [Some("1,3")]);
    assert_eq!(strings(&call(vec![three(), text(","), text("-")]).unwrap()), [Some("1,-,3")]);
    let whole = "the result of array_to_string is larger than 64 MiB";
    let long = "x".repeat(10_000);
    refused(call(vec![list(vec![Some(1); 10_000]), text(&long)]), whole);
    refused(call(vec![list(vec![None; 10_000]), text(","), text(&long)]), whole);
    refused(call(vec![list(vec![Some(1); 10_000]), texts(vec![Some(&long)])]), whole);
    refused(call(vec![list(vec![Some(1); 3_000]), text(&long)]), "the result of array_to_string is larger than 16 MiB");
    // NULL is left out.
    assert_eq!(strings(&call(vec![list(vec![None; 10_000]), text(&long)]).unwrap()), [Some("")]);
    let none = ColumnarValue::Scalar(ScalarValue::Utf8(None));
    assert_eq!(strings(&call(vec![list(vec![Some(1); 10_000]), none]).unwrap()), [None::<&str>]);
}

#[test]
fn array_to_string_counts_what_is_short_in_memory_only() {
    let lists = |values: ArrayRef| {
        let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
        let offsets = OffsetBuffer::from_lengths([values.len()]);
        ListArray::new(field, offsets, values, None)
    };
    let call = |list: ListArray, delimiter: &str| {
        call(array_to_string_udf(), vec![ColumnarValue::Array(Arc::new(list)), text(delimiter)])
    };
    let whole = "the result of array_to_string is larger than 64 MiB";
    let long = "x".repeat(10_000);
    let words: DictionaryArray<Int32Type> = vec![long.as_str(); 10_000].into_iter().collect();
    refused(call(lists(Arc::new(words)), ","), whole);
    let few: DictionaryArray<Int32Type> = vec![Some("a"), None, Some("a")].into_iter().collect();
    assert_eq!(strings(&call(lists(Arc::new(few)), ",").unwrap()), [Some("a,a")]);
    let huge: ArrayRef = Arc::new(Float64Array::from(vec![1e300; 300_000]));
    refused(call(lists(huge), ","), whole);
    let nested = lists(Arc::new(lists(Arc::new(Int64Array::from(vec![1; 10_000])))));
    refused(call(nested, &long), whole);
}

#[test]
fn literals_that_are_written_out_for_each_row_count() {
    let rows = 8_192;
    let long = "x".repeat(10_000);
    let patterns = || texts(vec![Some("a"); rows]);
    let whole = "the result of regexp_replace is larger than 64 MiB";
    refused(call(regex::regexp_replace(), vec![text("b"), patterns(), text(&long)]), whole);
    call(regex::regexp_replace(), vec![texts(vec![Some("b"); rows]), text("a"), text(&long)]).unwrap();
    let empty = ColumnarValue::Array(Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(vec![
        Some(Vec::<
            Option<i64>,
        >::new(
        ));
        rows
    ])));
    let whole = "the result of array_to_string is larger than 64 MiB";
    refused(call(array_to_string_udf(), vec![empty, text(&long)]), whole);
    let whole = "the result of array_resize is larger than 64 MiB";
    refused(call(array_resize_udf(), vec![list(vec![Some(1); 10_000]), numbers(vec![Some(0); rows])]), whole);
}

#[test]
fn ranges_of_integers_are_limited() {
    for (function, name, length) in [(range_udf(), "range", 5), (gen_series_udf(), "generate_series", 6)] {
        let call = |args: &[i64]| call(Arc::clone(&function), args.iter().copied().map(number).collect());
        assert_eq!(list_length(&call(&[5]).unwrap()), length);
        assert_eq!(list_length(&call(&[10, 0, -2]).unwrap()), length);
        assert_eq!(list_length(&call(&[LARGE, 0]).unwrap()), 0);
        assert_eq!(list_length(&call(&[0, LARGE, -1]).unwrap()), 0);
        assert_eq!(list_length(&call(&[0, i64::MAX, i64::MAX / 2]).unwrap()), 3);
        let whole = format!("the result of {name} is larger than 64 MiB");
        refused(call(&[LARGE]), &whole);
        refused(call(&[i64::MIN, i64::MAX]), &whole);
        refused(call(&[i64::MAX, i64::MIN, -1]), &whole);
        refused(call(&[3_000_000]), &format!("the result of {name} is larger than 16 MiB"));
        let zero = call(&[0, LARGE, 0]).unwrap_err().to_string();
        assert!(zero.contains("step can't be 0"), "{zero}");
    }
    let stops = numbers(vec![Some(2), None, Some(-LARGE)]);
    assert_eq!(list_length(&call(range_udf(), vec![stops]).unwrap()), 2);
}

#[test]
fn ranges_of_dates_are_limited() {
    let call = |stop: i32, step: ColumnarValue| call(range_udf(), vec![date(0), date(stop), step]);
    assert_eq!(list_length(&call(365, interval(0, 1, 0)).unwrap()), 365);
    assert_eq!(list_length(&call(365, interval(1, 0, 0)).unwrap()), 12);
    assert_eq!(list_length(&call(-365, interval(0, -1, 0)).unwrap()), 365);
    refused(call(3_000_000, interval(0, 1, 0)), "the result of range is larger than 16 MiB");
    // February is where it was after a month less 28 days.
    refused(call(365, interval(1, -28, 0)), "the result of range is larger than 64 MiB");
    assert!(!matches!(call(365, interval(0, 0, 1)).unwrap_err(), DataFusionError::ResourcesExhausted(_)));
}

#[test]
fn ranges_of_instants_are_limited() {
    let call = |stop: i64, step: ColumnarValue| call(gen_series_udf(), vec![second(0), second(stop), step]);
    assert_eq!(list_length(&call(3_600, interval(0, 0, 1_000_000_000)).unwrap()), 3_601);
    let whole = "the result of generate_series is larger than 64 MiB";
    refused(call(3_600, interval(0, 0, 1)), whole);
    refused(call(3_600, interval(0, 1, -86_400_000_000_000)), whole);
    assert!(!matches!(call(3_600, interval(0, 0, 0)).unwrap_err(), DataFusionError::ResourcesExhausted(_)));
}

/// Calls with the arguments of an aggregate over one column of text, or of numbers if there is no delimiter.
fn with_args<T>(delimiter: Option<&str>, then: impl FnOnce(AccumulatorArgs) -> T) -> T {
    let input = if delimiter.is_some() { DataType::Utf8 } else { DataType::Int64 };
    let schema = Schema::new(vec![Field::new("a", input.clone(), true)]);
    let mut exprs: Vec<Arc<dyn PhysicalExpr>> = vec![Arc::new(Column::new("a", 0))];
    let mut expr_fields: Vec<FieldRef> = vec![Arc::new(Field::new("a", input.clone(), true))];
    let mut returned = DataType::new_list(input, true);
    if let Some(delimiter) = delimiter {
        exprs.push(Arc::new(Literal::new(ScalarValue::from(delimiter))));
        expr_fields.push(Arc::new(Field::new("delimiter", DataType::Utf8, true)));
        returned = DataType::LargeUtf8;
    }
    then(AccumulatorArgs {
        return_field: Arc::new(Field::new("result", returned, true)),
        schema: &schema,
        ignore_nulls: false,
        order_bys: &[],
        is_reversed: false,
        name: "result",
        is_distinct: false,
        exprs: &exprs,
        expr_fields: &expr_fields,
    })
}

#[test]
fn string_agg_is_limited() {
    let function = capped_aggregate(string_agg_udaf());
    assert!(Arc::ptr_eq(&function, &capped_aggregate(Arc::clone(&function))));
    assert!(!with_args(Some(","), |args| function.groups_accumulator_supported(args)));
    let mut accumulator = with_args(Some(","), |args| function.accumulator(args)).unwrap();
    let delimiters: ArrayRef = Arc::new(StringArray::from(vec![","; 2]));
    let small: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    accumulator.update_batch(&[small, Arc::clone(&delimiters)]).unwrap();
    assert_eq!(accumulator.evaluate().unwrap(), ScalarValue::LargeUtf8(Some("a".to_owned())));
    let long = "x".repeat(10_000_000);
    let large: ArrayRef = Arc::new(StringArray::from(vec![long.as_str(); 2]));
    refused(accumulator.update_batch(&[large, delimiters]), "the result of string_agg is larger than 16 MiB");
}

#[test]
fn views_cannot_hide_how_much_text_there_is() {
    let function = capped_aggregate(string_agg_udaf());
    let mut accumulator = with_args(Some(","), |args| function.accumulator(args)).unwrap();
    let one: ArrayRef = Arc::new(StringViewArray::from(vec!["x".repeat(1_000_000).as_str()]));
    let views = take(&one, &UInt32Array::from(vec![0; 8_192]), None).unwrap();
    refused(accumulator.update_batch(&[views]), "the result of string_agg is larger than 64 MiB");
}

#[test]
fn a_delimiter_is_limited() {
    let function = capped_aggregate(string_agg_udaf());
    let long = "x".repeat(10_000);
    let accumulator = with_args(Some(&long), |args| function.accumulator(args));
    refused(accumulator, "the delimiter of string_agg is larger than 8 KiB");
}

#[test]
fn array_agg_is_limited_in_what_it_returns() {
    let function = capped_aggregate(array_agg_udaf());
    assert!(with_args(None, |args| function.groups_accumulator_supported(args)));
    let mut accumulator = with_args(None, |args| function.accumulator(args)).unwrap();
    let values: ArrayRef = Arc::new(Int64Array::from(vec![1; 1_000_000]));
    accumulator.update_batch(&[values]).unwrap();
    for _ in 0..8 {
        accumulator.evaluate().unwrap();
    }
    refused(accumulator.evaluate(), "the result of array_agg is larger than 64 MiB");
}

#[test]
fn a_reversed_or_ordered_aggregate_keeps_its_limit() {
    let function = capped_aggregate(array_agg_udaf());
    let ReversedUDAF::Reversed(reversed) = function.reverse_udf() else { panic!("not reversed") };
    assert!(reversed.inner().is::<CappedAggregate>());
    let ordered = AggregateUDF::clone(&function).with_beneficial_ordering(true).unwrap().unwrap();
    assert!(ordered.inner().is::<CappedAggregate>());
}
