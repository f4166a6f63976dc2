//! The engine says every one of the words that are known: what fails here after an upgrade is said in other words now.

use super::*;
use crate::plan::session_sql::select;
use arrow::array::{
    Array, ArrayData, ArrayRef, BinaryViewArray, Date32Array, Decimal128Array, Int64Array, RecordBatch, StringArray,
    StringViewArray,
};
use arrow::buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow::compute::CastOptions;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use arrow::error::ArrowError;
use arrow::ipc::reader::{FileReader, StreamReader, read_footer_length};
use datafusion::datasource::MemTable;
use datafusion::error::DataFusionError;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use regex::Regex;
use std::io::Cursor;
use std::sync::Arc;

/// What the engine says to a query over the tables `a` and `b`.
pub(super) async fn refusal(sql: &str) -> DataFusionError {
    let config = SessionConfig::new().with_target_partitions(1);
    let rules = crate::plan::analyzer().rules;
    let builder = SessionStateBuilder::new().with_config(config).with_default_features().with_analyzer_rules(rules);
    let ctx = SessionContext::new_with_state(builder.build());
    let fields = [("id", DataType::Int64), ("k", DataType::Int64), ("s", DataType::Utf8)];
    let schema = Arc::new(Schema::new(fields.map(|(name, ty)| Field::new(name, ty, true)).to_vec()));
    for table in ["a", "b"] {
        let numbers = |values: [i64; 2]| Arc::new(Int64Array::from_iter_values(values)) as ArrayRef;
        let texts = Arc::new(StringArray::from_iter_values(["x", "y"]));
        let rows = RecordBatch::try_new(Arc::clone(&schema), vec![numbers([1, 2]), numbers([2, 3]), texts]).unwrap();
        let table_of_rows = MemTable::try_new(Arc::clone(&schema), vec![vec![rows]]).unwrap();
        ctx.register_table(table, Arc::new(table_of_rows)).unwrap();
    }
    match select(&ctx, sql).await {
        Ok(frame) => frame.collect().await.map(|rows| format!("{sql}: {rows:?}")).unwrap_err(),
        Err(error) => error,
    }
}

/// Every one of the words is in a text, and every text has some.
#[track_caller]
fn assert_said(words: &[&str], texts: &[String]) {
    let unsaid: Vec<&&str> = words.iter().filter(|words| !texts.iter().any(|text| text.contains(**words))).collect();
    assert!(unsaid.is_empty(), "nobody says {unsaid:?}: {texts:#?}");
    let other: Vec<&String> = texts.iter().filter(|text| !words.iter().any(|words| text.contains(words))).collect();
    assert!(other.is_empty(), "these are not known: {other:#?}");
}

#[tokio::test]
async fn patterns() {
    let queries = [
        "SELECT s ~ '(' FROM a",
        "SELECT regexp_like(s, '(' || s) FROM a",
        "SELECT regexp_replace(s, '(', '') FROM a",
        "SELECT s LIKE repeat('_', 1000000 + id) FROM a",
    ];
    let mut texts = Vec::new();
    for sql in queries {
        texts.push(refusal(sql).await.strip_backtrace());
    }
    assert_said(&OF_PATTERNS, &texts);
}

#[tokio::test]
async fn formats() {
    let queries = [
        "SELECT to_char(TIMESTAMP '2024-01-05 10:30:00', '%Q ' || s) FROM a",
        "SELECT to_char(DATE '2024-01-05', '%Y %J' || s) FROM a",
    ];
    for sql in queries {
        let text = refusal(sql).await.strip_backtrace();
        assert!(is_about_a_writing_format(&text), "{sql}: {text}");
    }
}

#[tokio::test]
async fn times_beyond_timestamps() {
    let queries = [
        "SELECT CAST(DATE '9999-12-31' AS timestamp) FROM a",
        "SELECT CAST(concat('9999-12-1', id) AS timestamp) FROM a",
        "SELECT to_timestamp(concat('9999-12-1', id)) FROM a",
        "SELECT date_trunc('year', TIMESTAMP '1677-09-22 00:00:00') FROM a",
        "SELECT value FROM generate_series(DATE '9999-12-01', DATE '9999-12-31', INTERVAL '1 day')",
    ];
    let mut texts = Vec::new();
    for sql in queries {
        texts.push(refusal(sql).await.strip_backtrace());
    }
    assert_said(&OF_RANGE, &texts);
    let days = Date32Array::from(vec![2_932_896]);
    let text = arrow::compute::cast_with_options(
        &days,
        &DataType::Timestamp(TimeUnit::Nanosecond, None),
        &CastOptions { safe: false, ..CastOptions::default() },
    );
    assert!(is_about_the_range_of_timestamps(&text.unwrap_err().to_string()));
}

#[tokio::test]
async fn numbers_that_do_not_fit() {
    let queries = [
        "SELECT factorial(20 + id) FROM a",
        "SELECT avg(CAST('9999999999999999999999999999999999999' AS decimal(38, 0))) FROM a",
        "SELECT ceil(CAST('9999999999999999999999999999999999999.9' AS decimal(38, 1)) + 0 * id) FROM a",
        "SELECT abs(-9223372036854775806 - id) FROM a",
        "SELECT gcd(-9223372036854775806 - id, 0) FROM a",
    ];
    let mut texts = Vec::new();
    for sql in queries {
        texts.push(refusal(sql).await.strip_backtrace());
    }
    assert_said(&OF_OVERFLOW, &texts);
}

#[tokio::test]
async fn values_that_functions_refuse() {
    let width = "SELECT date_bin(INTERVAL '1 month 1 day', TIMESTAMP '2024-01-05 10:30:00', \
                 TIMESTAMP '2000-01-01 00:00:00') FROM a";
    type IsSaid = fn(&str) -> bool;
    let said: [(IsSaid, &str); 4] = [
        (is_beyond_its_digits, "SELECT CAST(concat(id, '99') AS decimal(3, 2)) FROM a"),
        (is_about_a_mixed_width, width),
        (is_about_a_size, "SELECT array_resize(make_array(id), -id) FROM a"),
        (is_about_a_step, "SELECT array_slice(make_array(id), 1, 2, 99999999999 * id) FROM a"),
    ];
    for (is_said, sql) in said {
        let text = refusal(sql).await.strip_backtrace();
        assert!(is_said(&text), "{sql}: {text}");
    }
}

/// An array of a file that is not what its type says.
fn array(ty: DataType, len: usize, buffers: Vec<Buffer>) -> Result<ArrayRef, ArrowError> {
    ArrayData::try_new(ty, len, None, 0, buffers, Vec::new()).map(arrow::array::make_array)
}

fn texts(offsets: &[i32], bytes: &[u8]) -> Result<ArrayRef, ArrowError> {
    array(DataType::Utf8, offsets.len() - 1, vec![Buffer::from_slice_ref(offsets), Buffer::from(bytes)])
}

fn with_nulls(count: usize) -> Result<ArrayRef, ArrowError> {
    let builder = ArrayData::builder(DataType::Int8).len(2).add_buffer(Buffer::from(&[0_u8, 0]));
    let built = builder.null_bit_buffer(Some(Buffer::from(&[0_u8]))).null_count(count).build();
    built.map(arrow::array::make_array)
}

#[test]
fn arrays_of_files() {
    let offsets = || OffsetBuffer::new(ScalarBuffer::from(vec![0_i32, 1]));
    let view = ScalarBuffer::from(vec![u128::from(20_u32) | (5_u128 << 64)]);
    let four = Buffer::from_slice_ref([1_i32, 2]);
    let keys = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let named = StringArray::from(vec!["x"]).into_data();
    let dictionary = ArrayData::try_new(keys, 2, None, 0, vec![four.clone()], vec![named]);
    let few_nulls = ArrayData::try_new(DataType::Int8, 20, Some(Buffer::from(&[0_u8])), 0, vec![], vec![]);
    let made: Vec<Result<ArrayRef, ArrowError>> = vec![
        texts(&[0, 3, 2, 3], b"abc"),
        array(DataType::Int32, 9, vec![four.clone()]),
        array(DataType::Int32, 1, vec![four.slice(1)]),
        texts(&[-1, 3], b"abc"),
        with_nulls(1),
        with_nulls(3),
        StringArray::try_new(offsets(), Buffer::from(&[0xff_u8]), None).map(|array| Arc::new(array) as ArrayRef),
        texts(&[0, 1], &[0xff]),
        texts(&[0, 1, 2], "ü".as_bytes()),
        StringViewArray::try_new(ScalarBuffer::from(vec![1_u128 | (0xff_u128 << 32)]), Vec::<Buffer>::new(), None)
            .map(|array| Arc::new(array) as ArrayRef),
        texts(&[9, 9], b"abc"),
        texts(&[0, 9], b"abc"),
        BinaryViewArray::try_new(view, Vec::<Buffer>::new(), None).map(|array| Arc::new(array) as ArrayRef),
        dictionary.map(arrow::array::make_array),
        few_nulls.map(arrow::array::make_array),
    ];
    let texts: Vec<String> = made.into_iter().map(|array| array.unwrap_err().to_string()).collect();
    assert_said(&OF_ARRAYS, &texts);
}

#[test]
fn decimals() {
    let beyond = |number: i128| {
        let numbers = Decimal128Array::from(vec![number]).with_precision_and_scale(38, 0).unwrap();
        numbers.validate_decimal_precision(2).unwrap_err().to_string()
    };
    assert_said(&BEYOND_DIGITS, &[beyond(100), beyond(-100)]);
}

#[test]
fn arrow_files() {
    let footer = [b"ARROW1\0\0".as_slice(), &[0xff; 8], &8_i32.to_le_bytes(), b"ARROW1"].concat();
    let below_zero: [u8; 10] = [&(-1_i32).to_le_bytes(), b"ARROW1".as_slice()].concat().try_into().unwrap();
    let errors = [
        FileReader::try_new(Cursor::new(footer), None).map(drop),
        StreamReader::try_new(Cursor::new([0xff; 8]), None).map(drop),
        read_footer_length(below_zero).map(drop),
        read_footer_length([0; 10]).map(drop),
    ];
    assert_said(&OF_ARROW_FILES, &errors.map(|read| read.unwrap_err().to_string()));
}

#[test]
fn rows_of_text_files() {
    let schema: SchemaRef = Arc::new(Schema::new(vec![Field::new("a", DataType::Int64, true)]));
    let csv =
        |text: &'static str| arrow::csv::ReaderBuilder::new(Arc::clone(&schema)).build(Cursor::new(text)).unwrap();
    let first = |text| csv(text).next().unwrap().unwrap_err().to_string();
    let lengths = arrow::csv::reader::Format::default().infer_schema(Cursor::new("a,b\n1\n"), None);
    let latin = Cursor::new(b"a\nK\xF6ln\n");
    let inferred = arrow::csv::reader::Format::default().infer_schema(latin.clone(), None).unwrap_err().to_string();
    let texts: SchemaRef = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
    let read = arrow::csv::ReaderBuilder::new(texts).build(latin).unwrap().next().unwrap().unwrap_err().to_string();
    for (pattern, text) in CSV_ENCODING.iter().zip([inferred, read]) {
        assert!(Regex::new(pattern).unwrap().is_match(&text), "{pattern} does not match {text}");
    }
    let json = arrow::json::ReaderBuilder::new(Arc::clone(&schema)).build(Cursor::new(r#"{"a": "x"}"#)).unwrap();
    let json = json.into_iter().next().unwrap().unwrap_err().to_string();
    assert!(first("x\n").contains(ROW_DATA), "{}", first("x\n"));
    for (pattern, text) in [
        (CSV_VALUE, first("x\n")),
        (CSV_FIELDS, first("1,2\n")),
        (CSV_LENGTH, lengths.unwrap_err().to_string()),
        (JSON_FIELD, json),
    ] {
        assert!(Regex::new(pattern).unwrap().is_match(&text), "{pattern} does not match {text}");
    }
}

#[tokio::test]
async fn conditions() {
    let (before, place) = PARSER;
    let text = crate::syntax::link::parse_text("SELECT ) FROM a", &|_| None).unwrap_err().to_string();
    assert!(text.starts_with(before) && text.contains(place), "{text}");
    let mut texts = Vec::new();
    for sql in ["SELECT nope FROM a", "SELECT sum(id, 'x', true) FROM a", "SELECT s RLIKE 'x' FROM a"] {
        texts.push(refusal(sql).await.strip_backtrace());
    }
    assert_said(&KINDS_OF_CONDITIONS, &texts);
}

#[tokio::test]
async fn refusals_of_joins_and_values() {
    let said = [
        (MISPLACED_VALUE, "SELECT a.id FROM a JOIN b ON a.id = (SELECT max(c.id) FROM b AS c WHERE c.k = a.k)"),
        (JOINED_SUBQUERY, "SELECT a.id FROM a LEFT JOIN b ON EXISTS (SELECT 1 FROM b AS c WHERE c.id = a.id)"),
        (NO_INTERVAL, "SELECT interval '3 fortnights' FROM a"),
        (NO_DATE, "SELECT make_date(2024, 2, id + 29) FROM a"),
        (POSITION_ZERO, "SELECT nth_value(id, 0) FROM a"),
        (
            OUTER_RECORD,
            // What is called `o` beside the record keeps the path from being written otherwise.
            "SELECT (SELECT max(b.id) FROM b WHERE b.id = o.n) FROM (SELECT named_struct('n', id) AS o FROM a) AS r \
             WHERE EXISTS (SELECT 1 FROM b AS o)",
        ),
    ];
    for (words, sql) in said {
        let text = refusal(sql).await.strip_backtrace();
        assert!(text.contains(words), "{sql}: {text}");
    }
}
