//! Arrow arrays of every type and encoding as JSON values.

use super::super::Rows;
use super::{column, reference};
use crate::project::TableFormat;
use crate::tool::OutputColumn;
use crate::ty::json_schema::Nullability;
use crate::ty::{ExactNumbers, JsonNumber, Type};
use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The values of one column; all of them are what the type publishes.
fn column_of(ty: Type, array: ArrayRef) -> Rows {
    column_with(ty, array, ExactNumbers::default())
}

/// The same with exact numbers in another form.
fn column_with(ty: Type, array: ArrayRef, numbers: ExactNumbers) -> Rows {
    let batch = RecordBatch::try_from_iter_with_nullable([("x", array, true)]).unwrap();
    let column = OutputColumn { numbers, ..column("x", ty.clone()) };
    let rows = Rows::from_batches(&[column], &[batch]).unwrap();
    let schema = ty.output_schema(Nullability::Nullable, numbers);
    for value in rows.values().iter().flatten() {
        assert!(jsonschema::is_valid(&schema, value), "{value} is no {ty}");
    }
    reference::assert_same(&rows);
    rows
}

fn notes(rows: &Rows) -> Vec<String> {
    rows.write(TableFormat::Markdown, usize::MAX).notes
}

fn encode(array: impl Array + 'static) -> Rows {
    column_of(Type::from_arrow(array.data_type()).unwrap(), Arc::new(array))
}

fn values(array: impl Array + 'static) -> Value {
    encode(array).values().concat().into()
}

/// The same array in another encoding has the same values.
fn values_as(array: &dyn Array, encoding: DataType) -> Value {
    let array = cast(array, &encoding).unwrap();
    column_of(Type::from_arrow(&encoding).unwrap(), array).values().concat().into()
}

#[test]
fn booleans_and_integers() {
    assert_eq!(values(BooleanArray::from(vec![Some(true), None, Some(false)])), json!([true, null, false]));
    assert_eq!(values(Int8Array::from(vec![i8::MIN])), json!([-128]));
    assert_eq!(values(UInt32Array::from(vec![Some(u32::MAX), None])), json!([4_294_967_295_u32, null]));
    assert_eq!(values(UInt64Array::from(vec![u64::MAX])), json!([u64::MAX]));
    assert_eq!(column_of(Type::Text, Arc::new(NullArray::new(2))).values(), [[Value::Null], [Value::Null]]);
}

const OTHERWISE: ExactNumbers = ExactNumbers { bigint: JsonNumber::String, decimal: JsonNumber::Number };

#[test]
fn integers_may_be_strings_of_all_digits() {
    let rows = column_with(Type::Bigint, Arc::new(Int64Array::from(vec![Some(i64::MIN), None])), OTHERWISE);
    assert_eq!(rows.structured().to_string(), r#"[{"x":"-9223372036854775808"},{"x":null}]"#);
    assert!(notes(&rows).is_empty());
    // What is no bigint has no digits to lose.
    let rows = column_with(Type::Int, Arc::new(Int32Array::from(vec![7])), OTHERWISE);
    assert_eq!(rows.structured(), json!([{"x": 7}]));
    let ty = Type::List(Box::new(Type::Bigint));
    let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some(vec![Some(1), None])]);
    assert_eq!(column_with(ty, Arc::new(list), OTHERWISE).structured(), json!([{"x": ["1", null]}]));
}

#[test]
fn decimals_may_be_numbers_without_zeros_at_the_end() {
    let number = |unscaled: i128, scale: i8| {
        let array = Decimal128Array::from(vec![unscaled]).with_precision_and_scale(38, scale).unwrap();
        column_with(Type::Decimal(38, scale), Arc::new(array), OTHERWISE)
    };
    for (unscaled, scale, expected) in [
        (1_700, 2, "17"),
        (2_471_035, 2, "24710.35"),
        (-50, 2, "-0.5"),
        (0, 2, "0"),
        (12, -2, "1200"),
        (1, 5, "0.00001"),
        (999_999_999_999_999, 3, "999999999999.999"),
        (1_000_000_000_000_000_000, 10, "100000000"),
    ] {
        let rows = number(unscaled, scale);
        assert_eq!(rows.write(TableFormat::Csv, usize::MAX).text, format!("x\n{expected}\n"));
        assert_eq!(rows.structured().to_string(), format!("[{{\"x\":{expected}}}]"));
        assert!(notes(&rows).is_empty(), "{expected}");
    }
    let long = number(12_345_678_901_234_567_890, 3);
    assert_eq!(long.structured().to_string(), r#"[{"x":1.2345678901234568e+16}]"#);
    assert_eq!(notes(&long), ["`x` holds decimals of more than 15 digits, returned as the nearest double"]);
    assert_eq!(notes(&number(1 << 53, 0)), ["`x` holds integers beyond 2^53 that JavaScript clients round"]);
    // More digits than 128 bits have.
    let wide = Decimal256Array::from(vec![i256::from_string(&"9".repeat(70)).unwrap()]);
    let wide = wide.with_precision_and_scale(76, 30).unwrap();
    assert_eq!(column_with(Type::Decimal(76, 30), Arc::new(wide), OTHERWISE).structured(), json!([{"x": 1e40}]));
}

#[test]
fn integers_that_clients_round_are_exact_and_noted() {
    let safe = (1 << 53) - 1;
    assert!(notes(&encode(Int64Array::from(vec![safe, -safe]))).is_empty());
    let rows = encode(Int64Array::from(vec![i64::MAX, i64::MIN, safe + 1]));
    assert_eq!(
        rows.structured().to_string(),
        r#"[{"x":9223372036854775807},{"x":-9223372036854775808},{"x":9007199254740992}]"#
    );
    assert_eq!(notes(&rows), ["`x` holds integers beyond 2^53 that JavaScript clients round"]);
    let nested = ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(i64::MAX)])]);
    assert_eq!(notes(&encode(nested)).len(), 1);
}

#[test]
fn reals_are_short_and_not_a_number_is_null() {
    let rows = encode(Float32Array::from(vec![0.1, 1e30, f32::MIN_POSITIVE, f32::NAN]));
    let text = r#"[{"x":0.1},{"x":1e30},{"x":1.1754944e-38},{"x":null}]"#;
    assert_eq!(rows.structured().to_string().replace("e+", "e"), text);
    assert_eq!(notes(&rows), ["`x` holds NaN or infinite numbers, returned as null"]);
    assert_eq!(values(Float64Array::from(vec![0.1, f64::INFINITY, -0.5])), json!([0.1, null, -0.5]));
    assert_eq!(values_as(&Float32Array::from(vec![0.5]), DataType::Float16), json!([0.5]));
}

#[test]
fn decimals_keep_every_digit() {
    let cents =
        Decimal128Array::from(vec![Some(-5), Some(0), Some(123_450), None]).with_precision_and_scale(10, 2).unwrap();
    let expected = json!(["-0.05", "0.00", "1234.50", null]);
    assert_eq!(values_as(&cents, DataType::Decimal64(10, 2)), expected);
    assert_eq!(values_as(&cents, DataType::Decimal256(50, 2)), expected);
    assert_eq!(values(cents), expected);
    assert_eq!(values(Decimal32Array::from(vec![7]).with_precision_and_scale(4, 4).unwrap()), json!(["0.0007"]));
    let wide = i256::from_string(&"9".repeat(76)).unwrap();
    assert_eq!(
        values(Decimal256Array::from(vec![wide]).with_precision_and_scale(76, 0).unwrap()),
        json!(["9".repeat(76)])
    );
    let hundreds = Decimal128Array::from(vec![0, -12]).with_precision_and_scale(5, -2).unwrap();
    assert_eq!(values(hundreds), json!(["0", "-1200"]));
    let beyond_precision = Decimal128Array::from(vec![1_234_567]).with_precision_and_scale(5, 2).unwrap();
    assert_eq!(values(beyond_precision), json!(["12345.67"]));
}

#[test]
fn text_bytes_and_json() {
    let text = StringArray::from(vec![Some("a"), None, Some("")]);
    for encoding in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
        assert_eq!(values_as(&text, encoding), json!(["a", null, ""]));
    }
    let bytes = BinaryArray::from(vec![Some(b"\x00\xff".as_slice()), None]);
    for encoding in [DataType::Binary, DataType::LargeBinary, DataType::BinaryView, DataType::FixedSizeBinary(2)] {
        assert_eq!(values_as(&bytes, encoding), json!(["AP8=", null]));
    }
    let parsed = column_of(Type::Json, Arc::new(StringArray::from(vec![r#"{"b":[1],"a":null}"#, "{broken"])));
    assert_eq!(parsed.structured().to_string(), r#"[{"x":{"b":[1],"a":null}},{"x":"{broken"}]"#);
}

#[test]
fn days_before_and_after_all_calendars() {
    let days = vec![Some(0), Some(-1), Some(19_782), Some(-719_528), Some(-719_529), Some(2_932_897), None];
    let expected = json!(["1970-01-01", "1969-12-31", "2024-02-29", "0000-01-01", "-0001-12-31", "+10000-01-01", null]);
    assert_eq!(values(Date32Array::from(days.clone())), expected);
    let millis = days.into_iter().map(|day| day.map(|day| i64::from(day) * 86_400_000 + 1));
    assert_eq!(values(millis.collect::<Date64Array>()), expected);
    assert_eq!(values(Date32Array::from(vec![i32::MAX, i32::MIN])), json!(["+5881580-07-11", "-5877641-06-23"]));
}

#[test]
fn timestamps_have_as_many_digits_as_they_need() {
    let micros = TimestampMicrosecondArray::from(vec![0, -1, -1_500_000, 1_711_907_100_250_000]);
    let expected =
        ["1970-01-01T00:00:00", "1969-12-31T23:59:59.999999", "1969-12-31T23:59:58.500", "2024-03-31T17:45:00.250"];
    assert_eq!(values(micros.clone()), json!(expected));
    assert_eq!(values(micros.with_timezone("America/New_York")), json!(expected.map(|local| format!("{local}Z"))));
    assert_eq!(values(TimestampNanosecondArray::from(vec![-1])), json!(["1969-12-31T23:59:59.999999999"]));
    assert_eq!(values(TimestampMillisecondArray::from(vec![-1])), json!(["1969-12-31T23:59:59.999"]));
    assert_eq!(values(TimestampSecondArray::from(vec![253_402_300_800])), json!(["+10000-01-01T00:00:00"]));
    assert_eq!(values(TimestampSecondArray::from(vec![i64::MIN, i64::MAX])).as_array().unwrap().len(), 2);
}

#[test]
fn times_of_day() {
    assert_eq!(values(Time32SecondArray::from(vec![Some(86_399), None])), json!(["23:59:59", null]));
    assert_eq!(values(Time32MillisecondArray::from(vec![500])), json!(["00:00:00.500"]));
    assert_eq!(values(Time64MicrosecondArray::from(vec![63_900_000_001])), json!(["17:45:00.000001"]));
    assert_eq!(values(Time64NanosecondArray::from(vec![1])), json!(["00:00:00.000000001"]));
}

#[test]
fn spans_of_time_are_iso_8601() {
    let span = IntervalMonthDayNano::new;
    let (second, hour) = (1_000_000_000, 3_600_000_000_000);
    let all = IntervalMonthDayNanoArray::from(vec![
        span(14, 3, 4 * hour + 306 * second + second / 2),
        span(0, 0, 0),
        span(-14, 3, -second / 2),
        span(12, 1, hour + second),
        span(0, -1, hour - 1),
        span(i32::MIN, i32::MIN, i64::MIN),
    ]);
    let expected = json!([
        "P1Y2M3DT4H5M6.5S",
        "PT0S",
        "P-1Y-2M3DT-0.5S",
        "P1Y0M1DT1H0M1S",
        "P-1DT59M59.999999999S",
        "P-178956970Y-8M-2147483648DT-2562047H-47M-16.854775808S",
    ]);
    assert_eq!(values(all), expected);
    assert_eq!(values(IntervalYearMonthArray::from(vec![25, -1])), json!(["P2Y1M", "P-1M"]));
    let day_times = vec![IntervalDayTime::new(1, -1_500), IntervalDayTime::new(0, 60_000)];
    assert_eq!(values(IntervalDayTimeArray::from(day_times)), json!(["P1DT-1.5S", "PT1M"]));
    assert_eq!(values(DurationSecondArray::from(vec![90_000])), json!(["PT25H"]));
    assert_eq!(values(DurationMillisecondArray::from(vec![-1])), json!(["PT-0.001S"]));
    assert_eq!(values(DurationMicrosecondArray::from(vec![1_000_000])), json!(["PT1S"]));
    assert_eq!(values(DurationNanosecondArray::from(vec![Some(1), None])), json!(["PT0.000000001S", null]));
}

#[test]
fn whole_spans_are_durations_of_json_schema() {
    let schema = jsonschema::options().should_validate_formats(true).build(&json!({"format": "duration"})).unwrap();
    let span = |months, days, seconds: i64| IntervalMonthDayNano::new(months, days, seconds * 1_000_000_000);
    let spans = [span(12, 1, 3_601), span(0, 0, 0), span(14, 3, 14_706), span(1, 0, 5), span(0, 2, 3_600)];
    for value in values(IntervalMonthDayNanoArray::from(spans.to_vec())).as_array().unwrap() {
        assert!(schema.is_valid(value), "{value}");
    }
}

#[test]
fn lists_in_every_encoding() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([
        Some(vec![Some(1), None]),
        None,
        Some(vec![Some(2), Some(3)]),
    ]);
    let item = Arc::new(Field::new_list_field(DataType::Int32, true));
    let expected = json!([[1, null], null, [2, 3]]);
    for encoding in [
        DataType::List(item.clone()),
        DataType::LargeList(item.clone()),
        DataType::ListView(item.clone()),
        DataType::LargeListView(item.clone()),
        DataType::FixedSizeList(item, 2),
    ] {
        assert_eq!(values_as(&list, encoding), expected);
    }
    assert_eq!(values(list.slice(1, 2)), json!([null, [2, 3]]));
}

#[test]
fn records_and_maps() {
    let names: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
    let days: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Date32Type, _, _>([None, Some([Some(0)])]));
    let record = StructArray::try_from(vec![("name", names), ("days", days)]).unwrap();
    let text = r#"[{"x":{"name":"a","days":null}},{"x":{"name":null,"days":["1970-01-01"]}}]"#;
    assert_eq!(encode(record).structured().to_string(), text);
    let entries = vec![Some(vec![(2, Some("b")), (1, None)]), None, Some(vec![])];
    let map = MapArray::from_vec_of_maps::<Int32Array, StringArray, i32, &str>(entries, false);
    assert_eq!(encode(map).structured().to_string(), r#"[{"x":{"2":"b","1":null}},{"x":null},{"x":{}}]"#);
}

#[test]
fn dictionaries_and_runs_are_looked_through() {
    let words = StringArray::from(vec![Some("a"), None, Some("a"), Some("b")]);
    let keyed = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    assert_eq!(values_as(&words, keyed), json!(["a", null, "a", "b"]));
    let null_value = StringArray::from(vec![None, Some("z")]);
    let keys = Int8Array::from(vec![Some(1), Some(0), None]);
    assert_eq!(values(DictionaryArray::new(keys, Arc::new(null_value))), json!(["z", null, null]));
    let without_values = DictionaryArray::new(Int8Array::new_null(2), Arc::new(StringArray::new_null(0)));
    assert_eq!(values(without_values), json!([null, null]));
    let runs: Int16RunArray = [Some("a"), Some("a"), None, Some("b")].into_iter().collect();
    assert_eq!(values(runs.slice(1, 3)), json!(["a", null, "b"]));
    let numbers = RunArray::try_new(&Int64Array::from(vec![2, 3]), &Float64Array::from(vec![0.5, f64::NAN])).unwrap();
    let rows = encode(numbers);
    assert_eq!(rows.values().concat(), [json!(0.5), json!(0.5), Value::Null]);
    assert_eq!(notes(&rows).len(), 1);
}
