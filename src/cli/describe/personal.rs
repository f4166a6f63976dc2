//! Columns whose values look like somebody's: what their author may want to declare with `pii`.

use super::super::Global;
use super::super::Outcome;
use super::super::draft::Draft;
use super::quoted;
use crate::catalog::{Column, Table};
use crate::name::kind_of_values;
use crate::project::{ResultLimit, TableSource};
use crate::ty::Type;
use serde_json::Value;

/// How many different values of a column are looked at.
const LOOKED_AT: u64 = 200;

/// A line for each column that is not declared as what it looks like; none where there is no such column.
pub(super) fn lines_of_table(
    global: &Global,
    name: &str,
    (table, source): (&Table, &TableSource),
) -> Result<String, Outcome> {
    let is_open = |column: &&Column| {
        column.ty() == Some(Type::Text) && source.columns().get(&column.name).is_none_or(|said| said.pii().is_none())
    };
    let mut lines = String::new();
    for column in table.columns.iter().filter(is_open) {
        let of = quoted(&column.name);
        let sql = format!("SELECT DISTINCT {of} AS value FROM {} WHERE {of} IS NOT NULL", quoted(name));
        let result = Draft::to_look(global, Some(ResultLimit::Rows(LOOKED_AT)))?.compile(&sql)?.rows()?;
        let rows = result.rows.structured();
        let rows = rows.as_array().into_iter().flatten();
        let values: Vec<&str> = rows.filter_map(|row| row.get("value").and_then(Value::as_str)).collect();
        if let Some(pii) = kind_of_values(&values) {
            lines.push_str(&format!(
                "`{0}` looks like personal data: declare it, `{0}: {{ pii: {pii} }}`\n",
                column.name
            ));
        }
    }
    Ok(lines)
}
