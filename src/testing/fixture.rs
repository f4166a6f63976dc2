//! Rows that stand in for the data of a table: where they are written, and what of them does not fit.

use crate::catalog::DatabaseKind;
use crate::diagnostic::codes::{self, Scope};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::engine::fixture::{Misfit, Row, batch};
use crate::engine::{FixtureCell, FixtureRows};
use crate::load;
use crate::project::{LogicalType, Project, Property, SourceConfig, TableSource};
use crate::ty::coerce::TimeZoneName;
use crate::yaml::Document;
use arrow::array::RecordBatch;
use arrow::datatypes::DataType;
use chrono::NaiveDateTime;
use indexmap::IndexMap;
use serde_json::Value;
use std::sync::Arc;

/// The rows of one table.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// The table.
    pub table: String,
    /// What it holds.
    pub rows: Arc<Vec<Row>>,
    document: Arc<Document>,
    path: Vec<String>,
}

impl Fixture {
    /// Those of a mapping that stands at `path` of a document.
    pub(super) fn of(tables: &IndexMap<String, Vec<Row>>, document: &Arc<Document>, path: &[&str]) -> Vec<Fixture> {
        let one = |(table, rows): (&String, &Vec<Row>)| Fixture {
            table: table.clone(),
            rows: Arc::new(rows.clone()),
            document: Arc::clone(document),
            path: path.iter().chain([&table.as_str()]).map(|step| (*step).to_owned()).collect(),
        };
        tables.iter().map(one).collect()
    }

    /// The rows typed by the table's locked schema; `None` where they have errors, which are told at their places.
    pub fn batch(&self, project: &Project, sink: &mut Diagnostics) -> Option<RecordBatch> {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let place = self.document.key_span(&path);
        if !project.file.tables.contains_key(&self.table) {
            let known = project.file.tables.keys().map(String::as_str);
            sink.push(codes::unknown_table(place, &self.table, known));
            return None;
        }
        let Some(table) = project.catalog.tables.get(&self.table) else {
            sink.push(codes::table_not_locked(load::table_span(project, &self.table), &self.table));
            return None;
        };
        let zone = project.file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
        // Documents of records are texts in a table.
        let as_text = |(name, value): (&String, &Value)| match value {
            Value::Array(_) | Value::Object(_) => (name.clone(), Value::from(value.to_string())),
            _ => (name.clone(), value.clone()),
        };
        let rows: Option<Vec<Row>> = project
            .records
            .contains_key(&self.table)
            .then(|| self.rows.iter().map(|row| row.iter().map(as_text).collect()).collect());
        match batch(table, rows.as_ref().unwrap_or(&self.rows), &zone) {
            Ok(batch) => Some(batch),
            Err(misfits) => {
                let columns: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
                misfits.iter().for_each(|misfit| sink.push(self.told(misfit, &path, &columns)));
                None
            }
        }
    }

    /// The rows as they stand in for those of a database, which it lies in, for statements in its own SQL; `None` where it lies in
    /// none of which there can be a copy.
    pub(super) fn of_database(&self, project: &Project, source: &str) -> Option<FixtureRows> {
        let declared = match project.file.tables.get(&self.table)? {
            TableSource::Database(own) if own.source == source => own,
            _ => return None,
        };
        let kind = project.file.sources.get(&declared.source)?.kind();
        let table = project.catalog.tables.get(&self.table)?;
        let native = table.native.as_ref().filter(|_| kind == DatabaseKind::Sqlite)?;
        let cell = |(name, value): (&String, &Value)| {
            let at = table.columns.iter().position(|column| column.name == *name)?;
            let is_binary =
                matches!(table.columns.get(at)?.arrow, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
            let field = project.records.get(&self.table).and_then(|known| known.contract.property(name));
            let value = field.map_or_else(|| value.clone(), |field| as_kept(field, value));
            Some(FixtureCell { column: native.columns.get(at)?.name.clone(), value, is_binary })
        };
        let rows = self.rows.iter().map(|row| row.iter().filter_map(cell).collect());
        Some(FixtureRows { table: native.name.last()?.clone(), rows: rows.collect() })
    }

    /// What is said where the database refuses a row.
    pub(super) fn refused(&self, row: usize, why: &str) -> Diagnostic {
        let row = row.to_string();
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain([row.as_str()]).collect();
        codes::invalid_setting(self.document.value_span(&path), &format!("the database refuses this row: {why}"))
    }

    /// What is said where the tool never sees the rows.
    pub(super) fn not_read(&self, tool: &str, source: &str, project: &Project) -> Diagnostic {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        let why = format!("`{tool}` does not read these rows: it is in the own SQL of `{source}`");
        let told = codes::invalid_setting(self.document.key_span(&path), &why);
        match project.file.sources.get(source).map(SourceConfig::kind) {
            Some(DatabaseKind::Sqlite) => told.help(format!("give rows of tables that lie in `{source}`")),
            _ => told
                .note("the database runs its statement over the rows that it has")
                .help("leave the fixtures out, and let `sources` of an environment name a database of rows for tests"),
        }
    }

    fn told(&self, misfit: &Misfit, path: &[&str], columns: &[String]) -> Diagnostic {
        let row = misfit.row().to_string();
        let (Misfit::UnknownColumn { column, .. } | Misfit::Value { column, .. }) = misfit;
        let place: Vec<&str> = path.iter().copied().chain([row.as_str(), column]).collect();
        match misfit {
            Misfit::UnknownColumn { column, .. } => {
                let scope = Scope { table: Some(&self.table), qualifier: None, columns };
                codes::unknown_column(self.document.key_span(&place), column, scope)
            }
            Misfit::Value { expected, found, .. } => {
                codes::invalid_value(self.document.value_span(&place), expected, &format!("`{found}`"))
            }
        }
    }
}

/// A value of a field of records, as it is kept in SQLite.
fn as_kept(field: &Property, value: &Value) -> Value {
    match (field.logical_type, value) {
        (_, Value::Null) => Value::Null,
        (LogicalType::Timestamp, Value::String(text)) => {
            let moment = ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"]
                .iter()
                .find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
            moment.map_or_else(|| value.clone(), |at| at.format("%Y-%m-%d %H:%M:%S%.f").to_string().into())
        }
        (LogicalType::Array | LogicalType::Object, Value::String(_)) => value.to_string().into(),
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_of_records_stand_as_they_are_kept() {
        let field = |ty: &str| -> Property { serde_json::from_value(json!({"name": "f", "logicalType": ty})).unwrap() };
        for (ty, written, kept) in [
            ("timestamp", json!("2026-01-01T10:00:00.5"), json!("2026-01-01 10:00:00.500")),
            ("timestamp", json!("2026-01-01 10:00:00"), json!("2026-01-01 10:00:00")),
            ("timestamp", json!("soon"), json!("soon")),
            ("object", json!("{}"), json!("\"{}\"")),
            ("object", json!({"a": 1}), json!({"a": 1})),
            ("array", Value::Null, Value::Null),
            ("string", json!("2026-01-01T10:00:00"), json!("2026-01-01T10:00:00")),
        ] {
            assert_eq!(as_kept(&field(ty), &written), kept, "{ty} {written}");
        }
    }
}
