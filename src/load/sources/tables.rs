//! Tables whose rows lie in files and in a database at once, or in neither, or in a database that is none.

use super::mapping;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::project::TableSource;
use crate::source::Span;
use crate::yaml::Document;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The keys of tables of one kind that those of the other do not have.
static OF_FILES: LazyLock<Vec<String>> = LazyLock::new(TableSource::keys_of_files);
static OF_DATABASES: LazyLock<Vec<String>> = LazyLock::new(TableSource::keys_of_databases);

/// What other programs call the database of a table.
const DATABASES: [&str; 5] = ["database", "db", "connection", "datasource", "data_source"];
/// What others call the schema that a table lies in.
const SCHEMAS: [&str; 5] = ["schema", "database", "catalog", "dataset", "namespace"];

/// Reports what is wrong with all tables. `sources` are the databases that there are.
pub(super) fn check_tables(document: &Document, sources: &[&str], sink: &mut Diagnostics) {
    for (name, table) in mapping(document, "tables") {
        if let Some(table) = table.as_object() {
            Checked { document, sources, name, table }.check(sink);
        }
    }
}

/// A table that is looked at.
struct Checked<'a> {
    document: &'a Document,
    sources: &'a [&'a str],
    name: &'a str,
    table: &'a Map<String, Value>,
}

impl Checked<'_> {
    fn check(&self, sink: &mut Diagnostics) {
        match (self.table.contains_key("path"), self.table.get("source")) {
            (true, Some(_)) => self.check_both(sink),
            (false, None) => self.check_neither(sink),
            (false, Some(source)) => {
                self.check_keys_of_files(sink);
                self.check_schemas(sink);
                if let Some(source) = source.as_str().filter(|source| !self.sources.contains(source)) {
                    let place = self.document.value_span(&self.path("source"));
                    sink.push(codes::unknown_source(place, source, self.sources));
                }
            }
            (true, None) => {
                self.check_keys_of_databases(sink);
                self.check_columns_left_out(sink);
            }
        }
    }

    fn check_both(&self, sink: &mut Diagnostics) {
        let written = OF_DATABASES.iter().filter(|key| self.table.contains_key(*key));
        let edits: Option<Vec<(Span, String)>> = written.map(|key| self.removing_edit(key)).collect();
        sink.push(codes::path_and_source(self.key("source"), self.name, edits));
    }

    fn check_neither(&self, sink: &mut Diagnostics) {
        let names_source = |key: &&&str| {
            let named = self.table.get(**key).and_then(Value::as_str);
            named.is_some_and(|named| self.sources.contains(&named))
        };
        if let Some(key) = DATABASES.iter().find(names_source) {
            sink.forget_at(Code::UnknownKey, &[self.key(key)]);
            sink.push(codes::source_by_another_key(self.key(key), key));
            return;
        }
        let place = self.document.key_span(&["tables", self.name]);
        let missing = if self.table.contains_key("table") { "source" } else { "path" };
        let only = if let [only] = self.sources { Some(format!("source: {only}")) } else { None };
        let edit = only.and_then(|entry| self.document.inserting_edit(&["tables", self.name], &entry));
        sink.push(codes::neither_path_nor_source(place, missing, edit));
    }

    fn check_keys_of_files(&self, sink: &mut Diagnostics) {
        for key in OF_FILES.iter().filter(|key| self.table.contains_key(*key)) {
            let is_embedded = key == "embed" && self.table.get(key) == Some(&Value::Bool(true));
            let why = match is_embedded {
                true => "puts a file into the executable, and a database is none: write its table to Parquet",
                false => "is of tables in files, and this one lies in a database",
            };
            let edit = self.removing_edit(key);
            sink.push(codes::key_of_other_kind((self.key(key), key), self.name, why, edit));
        }
    }

    fn check_keys_of_databases(&self, sink: &mut Diagnostics) {
        for key in OF_DATABASES.iter().filter(|key| self.table.contains_key(*key)) {
            let why = "is of tables in a database, and this one lies in files";
            let edit = self.removing_edit(key);
            sink.push(codes::key_of_other_kind((self.key(key), key), self.name, why, edit));
        }
    }

    /// Files are read whole: a column that no query selects costs nothing.
    fn check_columns_left_out(&self, sink: &mut Diagnostics) {
        let columns = self.table.get("columns").and_then(Value::as_object);
        for (name, column) in columns.into_iter().flatten() {
            if column.get("leave_out").is_some() {
                let path = ["tables", self.name, "columns", name.as_str(), "leave_out"];
                let (place, edit) = (self.document.key_span(&path), self.document.removing_edit(&path));
                let why = "is of tables in a database, and this one lies in files";
                sink.push(codes::key_of_other_kind((place, "leave_out"), self.name, why, edit));
            }
        }
    }

    /// The schema has no key of its own.
    fn check_schemas(&self, sink: &mut Diagnostics) {
        for key in SCHEMAS.iter().filter(|key| self.table.contains_key(**key)) {
            let place = self.key(key);
            let schema = self.table.get(*key).and_then(Value::as_str).unwrap_or("public");
            let table = self.table.get("table").and_then(Value::as_str).unwrap_or(self.name);
            sink.forget_at(Code::UnknownKey, &[place]);
            let last = table.rsplit('.').next().unwrap_or(table);
            let whole = format!("{schema}.{last}");
            let is_schema = !self.sources.contains(&schema);
            sink.push(codes::schema_of_table(place, key, is_schema.then_some(whole.as_str())));
        }
    }

    fn path<'k>(&'k self, key: &'k str) -> [&'k str; 3] {
        ["tables", self.name, key]
    }

    fn key(&self, key: &str) -> Span {
        self.document.key_span(&self.path(key))
    }

    fn removing_edit(&self, key: &str) -> Option<(Span, String)> {
        self.document.removing_edit(&self.path(key))
    }
}
