//! Text of any kind comes out of a table as it went in.
#![allow(clippy::string_slice)]

use super::super::Rows;
use super::{csv, markdown, rows_of, toon};
use crate::ty::Type;
use proptest::prelude::*;
use serde_json::Value;

const COLUMNS: usize = 3;

/// Text in which the characters that formats give a meaning are frequent.
fn text() -> impl Strategy<Value = String> {
    let special = proptest::sample::select(vec!['|', '\\', '\n', '\r', '"', ',', '\'', '=', '\t', ' ', '<', '{']);
    proptest::collection::vec(prop_oneof![special, any::<char>()], 0..12).prop_map(String::from_iter)
}

fn rows() -> impl Strategy<Value = Rows> {
    let cell = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
        proptest::collection::vec(text(), 0..3).prop_map(Value::from),
    ];
    proptest::collection::vec(proptest::collection::vec(cell, COLUMNS), 0..6)
        .prop_map(|rows| rows_of(&["c0", "c1", "c2"].map(|name| (name, Type::Json)), &rows))
}

proptest! {
    #[test]
    fn csv_reads_back_as_the_same_cells(rows in rows()) {
        let text = csv(&rows);
        let mut reader = ::csv::ReaderBuilder::new().from_reader(text.as_bytes());
        prop_assert_eq!(reader.headers().unwrap(), vec!["c0", "c1", "c2"]);
        let read: Vec<Vec<String>> =
            reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let expected: Vec<Vec<String>> = rows.values().iter().map(|row| row.iter().map(cell).collect()).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn a_csv_of_one_column_keeps_its_empty_rows(cells in proptest::collection::vec(text(), 0..6)) {
        let rows: Vec<Vec<Value>> = cells.iter().map(|cell| vec![Value::from(cell.as_str())]).collect();
        let text = csv(&rows_of(&[("c", Type::Text)], &rows));
        let mut reader = ::csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let read: Vec<String> = reader.records().map(|record| record.unwrap().get(0).unwrap().to_owned()).collect();
        prop_assert_eq!(read, cells);
    }

    #[test]
    fn a_markdown_table_has_one_line_per_row_and_one_cell_per_column(rows in rows()) {
        let text = markdown(&rows);
        prop_assert_eq!(text.split(['\n', '\r']).count(), rows.len() + 2);
        for line in text.lines() {
            let bars = line.char_indices().filter(|(at, bar)| *bar == '|' && !line[..*at].ends_with('\\')).count();
            prop_assert_eq!(bars, COLUMNS + 1);
        }
    }

    #[test]
    fn toon_has_one_line_per_row(rows in rows()) {
        prop_assert_eq!(toon(&rows).split(['\n', '\r']).count(), rows.len() + 1);
    }
}
