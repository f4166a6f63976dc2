//! What the values of a table's columns are: how many, how many different ones, the smallest and the largest.

use super::super::draft::Draft;
use super::super::{Global, Outcome};
use super::{aligned, quoted};
use crate::catalog::{Column, Table};
use crate::ty::Type;
use serde_json::{Map, Value};

/// Columns of one query: each is up to four aggregates.
const AT_ONCE: usize = 50;
/// The most characters of a value that are shown.
const SHOWN: usize = 40;

/// The statistics of all columns as lines. What keeps them from being known is printed.
pub(super) fn of_table(global: &Global, name: &str, table: &Table) -> Result<String, Outcome> {
    let head = ["column", "values", "nulls", "different", "smallest", "largest"].map(str::to_owned).to_vec();
    let (mut lines, mut all_rows) = (vec![head], 0);
    for columns in table.columns.chunks(AT_ONCE) {
        let result = Draft::to_look(global, None)?.compile(&sql(name, columns))?.rows()?;
        let rows = result.rows.structured();
        let Some(row) = rows.as_array().and_then(|rows| rows.first()).and_then(Value::as_object) else { continue };
        all_rows = number(row.get("all_rows"));
        lines.extend(columns.iter().enumerate().map(|(at, column)| line(at, column, row, all_rows)));
    }
    Ok(format!("{all_rows} {}\n\n{}", if all_rows == 1 { "row" } else { "rows" }, aligned(lines, "  ")))
}

/// The query over some columns.
fn sql(name: &str, columns: &[Column]) -> String {
    let mut items = vec!["count(*) AS all_rows".to_owned()];
    for (at, column) in columns.iter().enumerate() {
        let of = quoted(&column.name);
        items.push(format!("count({of}) AS values_{at}"));
        if is_scalar(column) {
            items.push(format!("count(DISTINCT {of}) AS different_{at}"));
        }
        if has_order(column) {
            items.push(format!("min({of}) AS smallest_{at}, max({of}) AS largest_{at}"));
        }
    }
    format!("SELECT {} FROM {}", items.join(", "), quoted(name))
}

/// Whether different values can be counted.
fn is_scalar(column: &Column) -> bool {
    column.ty().is_some_and(|ty| !matches!(ty, Type::List(_) | Type::Struct(_) | Type::Map(..)))
}

/// Whether there is a smallest value that means something.
fn has_order(column: &Column) -> bool {
    column.ty().is_some_and(|ty| ty.is_ordered() || ty == Type::Text)
}

/// The line of a column.
fn line(at: usize, column: &Column, row: &Map<String, Value>, all_rows: u64) -> Vec<String> {
    let cell = |what: &str| row.get(&format!("{what}_{at}"));
    let values = number(cell("values"));
    let shown = |what: &str| match cell(what) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => cut(text),
        Some(value) => value.to_string(),
    };
    vec![
        column.name.clone(),
        values.to_string(),
        all_rows.saturating_sub(values).to_string(),
        shown("different"),
        shown("smallest"),
        shown("largest"),
    ]
}

/// A count, whatever the project makes of large numbers.
fn number(value: Option<&Value>) -> u64 {
    let of_text = |value: &Value| value.as_str().and_then(|text| text.parse().ok());
    value.and_then(|value| value.as_u64().or_else(|| of_text(value))).unwrap_or(0)
}

/// A text on a line, cut where it is long.
fn cut(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(SHOWN).collect();
    if text.chars().count() > SHOWN { format!("{one_line}…") } else { one_line }
}
