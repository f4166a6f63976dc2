//! Patterns of tables that are none.

use super::Checked;
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::name_parts;
use serde_json::{Map, Value};

/// Reports them.
pub(super) fn check_inclusion(
    checked: &Checked<'_>,
    source: &Map<String, Value>,
    kind: DatabaseKind,
    sink: &mut Diagnostics,
) {
    for key in ["include", "exclude"] {
        let patterns = source.get("tables").and_then(|tables| tables.get(key)).and_then(Value::as_array);
        for (at, pattern) in patterns.into_iter().flatten().enumerate() {
            let Some(pattern) = pattern.as_str() else { continue };
            let parts = name_parts(pattern);
            let has_parts = match kind {
                DatabaseKind::Sqlite => parts.len() == 1,
                DatabaseKind::Postgres => parts.len() == 2,
                // Those of the database that the address names, or of another one.
                DatabaseKind::Mysql => parts.len() <= 2,
            };
            if has_parts && parts.iter().all(|part| !part.is_empty()) && is_closed(pattern) {
                continue;
            }
            let place = ["sources", checked.name, "tables", key, &at.to_string()];
            let meant = meant(pattern, &parts, kind);
            let place = checked.document.value_span(&place);
            sink.push(codes::invalid_table_pattern(place, pattern, kind.has_schemas(), meant));
        }
    }
}

/// Whether each of its quotes has another one.
fn is_closed(pattern: &str) -> bool {
    pattern.matches('"').count().is_multiple_of(2)
}

/// The pattern that was probably meant.
fn meant(pattern: &str, parts: &[String], kind: DatabaseKind) -> Option<String> {
    if !is_closed(pattern) {
        return None;
    }
    match (kind.has_schemas(), parts) {
        (true, [table]) if !table.is_empty() && kind == DatabaseKind::Postgres => Some(format!("public.{pattern}")),
        (true, [schema, empty]) if !schema.is_empty() && empty.is_empty() => Some(format!("{pattern}*")),
        (false, [schema, empty]) if kind == DatabaseKind::Mysql && !schema.is_empty() && empty.is_empty() => {
            Some(format!("{pattern}*"))
        }
        (false, [_, .., table]) if !table.is_empty() => Some(table.clone()),
        _ => None,
    }
}
