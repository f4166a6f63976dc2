//! What every type and every format looks like, and what no data may break.

mod direct;
mod properties;
mod reference;
mod stream;
mod values;

use super::{Rows, Written, table_schema};
use crate::project::TableFormat;
use crate::tool::OutputColumn;
use crate::ty::Type;
use arrow::array::{ArrayRef, Int32Array, Int64Array, RecordBatch, RecordBatchOptions, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Rows of JSON objects; columns in the order they first appear, a missing key is null.
fn records(records: Value) -> Rows {
    let records: Vec<_> =
        records.as_array().unwrap().iter().map(|record| record.as_object().unwrap().clone()).collect();
    let mut columns: Vec<(&str, Type)> = Vec::new();
    for name in records.iter().flat_map(|record| record.keys()) {
        if columns.iter().all(|(seen, _)| seen != name) {
            columns.push((name, Type::Json));
        }
    }
    let cell = |record: &Map<String, Value>, name: &str| record.get(name).cloned().unwrap_or_default();
    let rows: Vec<Vec<Value>> =
        records.iter().map(|record| columns.iter().map(|(name, _)| cell(record, name)).collect()).collect();
    rows_of(&columns, &rows)
}

/// Rows of given values: columns of JSON and text are as they are in a table, others of 64-bit numbers.
fn rows_of(columns: &[(&str, Type)], rows: &[Vec<Value>]) -> Rows {
    let array = |at: usize, ty: &Type| -> ArrayRef {
        let cells = rows.iter().map(|row| Some(&row[at]).filter(|cell| !cell.is_null()));
        match ty {
            Type::Json => Arc::new(cells.map(|cell| cell.map(Value::to_string)).collect::<StringArray>()),
            Type::Text => Arc::new(cells.map(|cell| cell.map(|cell| cell.as_str().unwrap())).collect::<StringArray>()),
            _ => Arc::new(cells.map(|cell| cell.map(|cell| cell.as_i64().unwrap())).collect::<Int64Array>()),
        }
    };
    let published: Vec<OutputColumn> = columns.iter().map(|(name, ty)| column(name, ty.clone())).collect();
    if columns.is_empty() {
        return Rows::from_batches(&published, &[]).unwrap();
    }
    let arrays = columns.iter().enumerate().map(|(at, (name, ty))| (*name, array(at, ty), true));
    Rows::from_batches(&published, &[RecordBatch::try_from_iter_with_nullable(arrays).unwrap()]).unwrap()
}

/// All rows in a format.
fn text(rows: &Rows, format: TableFormat) -> String {
    rows.write(format, usize::MAX).text
}

fn markdown(rows: &Rows) -> String {
    text(rows, TableFormat::Markdown)
}

fn toon(rows: &Rows) -> String {
    text(rows, TableFormat::Toon)
}

fn csv(rows: &Rows) -> String {
    text(rows, TableFormat::Csv)
}

fn column(name: &str, ty: Type) -> OutputColumn {
    OutputColumn::new(name, ty)
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
        assert_eq!(toon(&records(rows)), expected);
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
        assert_eq!(toon(&records(json!([{"v": cell}]))), format!("[1]{{v}}:\n{expected}"));
    }
}

#[test]
fn toon_quotes_names_that_would_break_the_head() {
    assert_eq!(toon(&records(json!([{"corr(a,b)": 1, "count(*)": 2}]))), "[1]{\"corr(a,b)\", count(*)}:\n1, 2");
}

#[test]
fn markdown_escapes_what_would_end_a_cell_or_a_row() {
    let rows = rows_of(
        &[("a|b", Type::Json), ("n", Type::Int)],
        &[
            vec![json!("x|y\r\nz\rw\n\tv\\"), json!(1)],
            vec![json!(null), json!(null)],
            vec![json!(["p|q", {"k": "\n"}]), json!(-1)],
        ],
    );
    let expected = "|a\\|b|n|\n|---|---:|\n|x\\|y<br>z<br>w<br>␉v\\ |1|\n|||\n|[\"p\\|q\",{\"k\":\"\\n\"}]|-1|";
    assert_eq!(markdown(&rows), expected);
}

#[test]
fn csv_quotes_where_it_must_and_keeps_formulas() {
    let rows = records(json!([
        {"a": "x,y", "b": "say \"hi\"", "c": "two\nlines"},
        {"a": "=1+1", "b": null, "c": [1, {"k": null}]},
        {"a": true, "b": 0.1, "c": ""},
    ]));
    assert_eq!(
        csv(&rows),
        "a,b,c\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\"\n=1+1,,\"[1,{\"\"k\"\":null}]\"\ntrue,0.1,\n"
    );
}

#[test]
fn an_empty_result_keeps_its_columns() {
    let columns = [column("day", Type::Date), column("n", Type::Bigint)];
    let rows = Rows::from_batches(&columns, &[]).unwrap();
    assert_eq!(rows.structured(), json!([]));
    assert_eq!(markdown(&rows), "|day|n|\n|---|---:|");
    assert_eq!(toon(&rows), "[0]{}:");
    assert_eq!(csv(&rows), "day,n\n");
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
fn whole_rows_are_written_as_far_as_they_fit() {
    let all = records(json!([{"a": "x", "b": 1}, {"a": "y, z", "b": 2}, {"a": null, "b": 3}]));
    for format in TableFormat::ALL {
        for count in 1..=3 {
            let mut cut = all.clone();
            cut.truncate(count);
            let text = text(&cut, format);
            let size = text.len();
            let fitting = all.write(format, size);
            assert_eq!((fitting.rows, &fitting.text), (count, &text), "{format:?}");
            assert_eq!(all.write(format, size - 1).rows, count - 1, "{format:?}");
        }
        let mut none = all.clone();
        none.truncate(0);
        assert_eq!(all.write(format, 0).text, text(&none, format));
        assert_eq!(all.write(format, usize::MAX).rows, 3);
    }
}

#[test]
fn the_head_of_toon_counts_all_rows_until_they_are_cut() {
    let rows = rows_of(&[("a", Type::Int)], &vec![vec![json!(1)]; 10]);
    let full = toon(&rows);
    let written = rows.write(TableFormat::Toon, full.len() - 1);
    assert_eq!((written.rows, written.text.len()), (9, full.len() - 3));
    assert!(written.text.starts_with("[9]{a}:\n1"));
}

#[test]
fn notes_are_about_the_rows_that_are_written() {
    let mut rows = rows_of(&[("n", Type::Bigint)], &[vec![json!(1)], vec![json!(i64::MAX)], vec![json!(2)]]);
    assert_eq!(rows.write(TableFormat::Csv, usize::MAX).notes.len(), 1);
    assert_eq!(rows.write(TableFormat::Csv, 5), Written { text: "n\n1\n".to_owned(), rows: 1, notes: Vec::new() });
    rows.truncate(1);
    assert!(rows.write(TableFormat::Csv, usize::MAX).notes.is_empty());
    assert_eq!((rows.len(), rows.values()), (1, vec![vec![json!(1)]]));
}

#[test]
fn rows_without_columns_are_counted() {
    let options = RecordBatchOptions::new().with_row_count(Some(2));
    let batch = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options).unwrap();
    let rows = Rows::from_batches(&[], &[batch]).unwrap();
    let texts = TableFormat::ALL.map(|format| text(&rows, format));
    assert_eq!(texts, ["|\n|\n|\n|", "[{},{}]", "[2]{}:", "\"\"\n\"\"\n\"\"\n"]);
}

#[test]
fn of_columns_with_one_name_an_object_has_the_last() {
    let columns = [column("a", Type::Int), column("b", Type::Int), column("a", Type::Int)];
    let fields = ["a", "b", "a"].map(|name| Field::new(name, DataType::Int32, true));
    let arrays = [1, 2, 3].map(|n| Arc::new(Int32Array::from(vec![n])) as ArrayRef);
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields.to_vec())), arrays.to_vec()).unwrap();
    let rows = Rows::from_batches(&columns, &[batch]).unwrap();
    assert_eq!(text(&rows, TableFormat::Structured), r#"[{"a":3,"b":2}]"#);
    assert_eq!(rows.structured(), json!([{"a": 3, "b": 2}]));
    assert_eq!(csv(&rows), "a,b,a\n1,2,3\n");
}

#[test]
fn the_schema_of_a_table_is_a_list_of_names_and_types() {
    let columns = [column("a\"b", Type::Decimal(15, 2)), column("c", Type::List(Box::new(Type::Text)))];
    let expected = json!([{"name": "a\"b", "type": "decimal(15,2)"}, {"name": "c", "type": "text[]"}]);
    assert_eq!(*table_schema(&columns), expected.to_string());
    assert_eq!(*table_schema(&[]), *"[]");
}
