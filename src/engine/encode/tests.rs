//! What every type and every format looks like, and what no data may break.

mod properties;
mod values;

use super::Rows;
use crate::project::TableFormat;
use crate::tool::OutputColumn;
use crate::ty::Type;
use arrow::array::{Int32Array, RecordBatch, StringArray};
use serde_json::{Value, json};
use std::sync::Arc;

/// Rows of JSON objects; columns in the order they first appear, a missing key is null.
fn records(records: Value) -> Rows {
    let records: Vec<_> =
        records.as_array().unwrap().iter().map(|record| record.as_object().unwrap().clone()).collect();
    let mut columns: Vec<(String, Type)> = Vec::new();
    for name in records.iter().flat_map(|record| record.keys()) {
        if columns.iter().all(|(seen, _)| seen != name) {
            columns.push((name.clone(), Type::Json));
        }
    }
    let rows = records
        .iter()
        .map(|record| columns.iter().map(|(name, _)| record.get(name).cloned().unwrap_or_default()).collect())
        .collect();
    Rows { columns, rows, notes: Vec::new() }
}

fn column(name: &str, ty: Type) -> OutputColumn {
    OutputColumn { name: name.to_owned(), ty, nullable: true, description: None }
}

/// The nine cases of folio's `tests/test_toon.py`.
#[test]
fn toon_is_byte_for_byte_that_of_folio() {
    for (rows, expected) in [
        (json!([]), "[0]{}:"),
        (json!([{"id": "cust_001", "n": 1}]), "[1]{id, n}:\ncust_001, 1"),
        (
            json!([{"id": "cust_001", "name": "Acme Inc"}, {"id": "cust_002", "name": "DataFlow"}]),
            "[2]{id, name}:\ncust_001, \"Acme Inc\"\ncust_002, DataFlow",
        ),
        (
            json!([{"a": null, "b": true, "c": false, "d": 42, "e": 3.5}]),
            "[1]{a, b, c, d, e}:\nnull, true, false, 42, 3.5",
        ),
        (json!([{"v": "null"}]), "[1]{v}:\n\"null\""),
        (
            json!([{"id": "x", "tags": ["a", "b"], "meta": {"k": 1}}]),
            "[1]{id, tags, meta}:\nx, [\"a\", \"b\"], {\"k\": 1}",
        ),
        (json!([{"a": 1, "b": 2}, {"c": 3, "a": 4}]), "[2]{a, b, c}:\n1, 2, null\n4, null, 3"),
        (json!([{"a": 1, "b": 2}, {"a": 3}]), "[2]{a, b}:\n1, 2\n3, null"),
        (json!([{"v": "a, \"b\""}]), "[1]{v}:\n\"a, \\\"b\\\"\""),
    ] {
        assert_eq!(records(rows).toon(), expected);
    }
}

#[test]
fn toon_writes_cells_as_python_does() {
    for (cell, expected) in [
        (json!("true"), "\"true\""),
        (json!(""), "\"\""),
        (json!("1x"), "\"1x\""),
        (json!("é"), "\"é\""),
        (json!("a:b.c-d_9"), "a:b.c-d_9"),
        (json!("a\nb"), "\"a\\nb\""),
        (json!("\u{1}"), "\"\\u0001\""),
        (json!(1.0), "1.0"),
        (json!(-0.0), "-0.0"),
        (json!(1e15), "1000000000000000.0"),
        (json!(1e16), "1e+16"),
        (json!(1.5e300), "1.5e+300"),
        (json!(0.0001), "0.0001"),
        (json!(0.00001), "1e-05"),
        (json!(-0.000015), "-1.5e-05"),
        (json!(2.5e-7), "2.5e-07"),
        (json!(1e-10), "1e-10"),
        (json!(564_515_305_610_160.2), "564515305610160.2"),
        (json!(i64::MAX), "9223372036854775807"),
        (json!([]), "[]"),
        (json!({"b": {"z": 1e16, "é": "ü"}, "a": []}), "{\"a\": [], \"b\": {\"z\": 1e+16, \"é\": \"ü\"}}"),
    ] {
        assert_eq!(records(json!([{"v": cell}])).toon(), format!("[1]{{v}}:\n{expected}"));
    }
}

#[test]
fn toon_quotes_names_that_would_break_the_head() {
    assert_eq!(records(json!([{"corr(a,b)": 1, "count(*)": 2}])).toon(), "[1]{\"corr(a,b)\", count(*)}:\n1, 2");
}

#[test]
fn markdown_escapes_what_would_end_a_cell_or_a_row() {
    let rows = Rows {
        columns: vec![("a|b".to_owned(), Type::Text), ("n".to_owned(), Type::Int)],
        rows: vec![
            vec![json!("x|y\r\nz\rw\n\tv\\"), json!(1)],
            vec![json!(null), json!(null)],
            vec![json!(["p|q", {"k": "\n"}]), json!(-1.5)],
        ],
        notes: Vec::new(),
    };
    let expected = "| a\\|b | n |\n| --- | ---: |\n| x\\|y<br>z<br>w<br> v\\ | 1 |\n|  |  |\n| [\"p\\|q\",{\"k\":\"\\n\"}] | -1.5 |";
    assert_eq!(rows.markdown(), expected);
}

#[test]
fn csv_quotes_where_it_must_and_keeps_formulas() {
    let rows = records(json!([
        {"a": "x,y", "b": "say \"hi\"", "c": "two\nlines"},
        {"a": "=1+1", "b": null, "c": [1, {"k": null}]},
        {"a": true, "b": 0.1, "c": ""},
    ]));
    assert_eq!(
        rows.csv(),
        "a,b,c\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\"\n=1+1,,\"[1,{\"\"k\"\":null}]\"\ntrue,0.1,\n"
    );
}

#[test]
fn an_empty_result_keeps_its_columns() {
    let columns = [column("day", Type::Date), column("n", Type::Bigint)];
    let rows = Rows::from_batches(&columns, &[]).unwrap();
    assert_eq!(rows.structured(), json!([]));
    assert_eq!(rows.markdown(), "| day | n |\n| --- | ---: |");
    assert_eq!(rows.toon(), "[0]{}:");
    assert_eq!(rows.csv(), "day,n\n");
    assert_eq!(rows.columns, [("day".to_owned(), Type::Date), ("n".to_owned(), Type::Bigint)]);
}

#[test]
fn rows_of_several_batches_follow_each_other() {
    let batch = |n: i32, text: &str| {
        RecordBatch::try_from_iter([
            ("b", Arc::new(Int32Array::from(vec![n])) as _),
            ("a", Arc::new(StringArray::from(vec![text])) as _),
        ])
        .unwrap()
    };
    let columns = [column("b", Type::Int), column("a", Type::Text)];
    let rows = Rows::from_batches(&columns, &[batch(1, "x"), batch(2, "y")]).unwrap();
    assert_eq!(rows.structured().to_string(), r#"[{"b":1,"a":"x"},{"b":2,"a":"y"}]"#);
}

#[test]
fn a_batch_that_is_not_what_the_tool_publishes_is_an_error() {
    let batch = RecordBatch::try_from_iter([("a", Arc::new(StringArray::from(vec!["x"])) as _)]).unwrap();
    let error = Rows::from_batches(&[column("a", Type::Int)], std::slice::from_ref(&batch)).unwrap_err();
    assert_eq!(error.to_string(), "column `a` is published as int but holds Utf8");
    let error = Rows::from_batches(&[], &[batch]).unwrap_err();
    assert_eq!(error.to_string(), "the result has 1 columns, the tool 0");
}

#[test]
fn fitting_counts_whole_rows_and_the_head() {
    let rows = records(json!([{"a": "x", "b": 1}, {"a": "y, z", "b": 2}, {"a": null, "b": 3}]));
    let text = |rows: &Rows, format| match format {
        TableFormat::Markdown => rows.markdown(),
        TableFormat::Structured => rows.structured().to_string(),
        TableFormat::Toon => rows.toon(),
        TableFormat::Csv => rows.csv(),
    };
    for format in TableFormat::ALL {
        for count in 1..=3 {
            let mut cut = rows.clone();
            cut.rows.truncate(count);
            let size = text(&cut, format).len();
            assert_eq!(rows.fitting(size, format), count, "{format:?}");
            assert_eq!(rows.fitting(size - 1, format), count - 1, "{format:?}");
        }
        assert_eq!(rows.fitting(0, format), 0);
        assert_eq!(rows.fitting(usize::MAX, format), 3);
    }
}
