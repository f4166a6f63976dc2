//! What `qtool.yaml` may not say of databases, and of the tables in them, though its shape allows it.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::TableSource;
use crate::yaml::Document;
use serde_json::{Map, Value};

/// Reports it.
pub(super) fn check(document: &Document, sink: &mut Diagnostics) {
    let of = |key: &str| document.value.get(key).and_then(Value::as_object);
    let sources: Vec<&str> = of("sources").into_iter().flat_map(|all| all.keys().map(String::as_str)).collect();
    for (name, table) in of("tables").into_iter().flatten() {
        if let Some(table) = table.as_object() {
            Checked { document, name, table }.check(&sources, sink);
        }
    }
}

/// A table that is looked at.
struct Checked<'a> {
    document: &'a Document,
    name: &'a str,
    table: &'a Map<String, Value>,
}

impl Checked<'_> {
    fn check(&self, sources: &[&str], sink: &mut Diagnostics) {
        let place = |key: &str| self.document.key_span(&["tables", self.name, key]);
        let whole = self.document.key_span(&["tables", self.name]);
        match (self.table.contains_key("path"), self.table.get("source")) {
            (true, Some(_)) => {
                let why = "it has both `path` and `source`: its rows lie in files, or in a database";
                sink.push(codes::invalid_table_option(place("source"), self.name, why));
            }
            (false, None) => {
                let diagnostic = codes::missing_key(whole, "path");
                sink.push(diagnostic.note("a table has the `path` of its files, or the `source` that it lies in"));
            }
            (false, Some(source)) => {
                for key in TableSource::keys_of_files().iter().filter(|key| self.table.contains_key(*key)) {
                    let why = format!("`{key}` is of tables in files, and this one lies in a database");
                    sink.push(codes::invalid_table_option(place(key), self.name, &why));
                }
                if let Some(source) = source.as_str().filter(|source| !sources.contains(source)) {
                    let place = self.document.value_span(&["tables", self.name, "source"]);
                    sink.push(codes::unknown_source(place, source, sources));
                }
            }
            (true, None) => {
                for key in TableSource::keys_of_databases().iter().filter(|key| self.table.contains_key(*key)) {
                    let why = format!("`{key}` is of tables in a database, and this one lies in files");
                    sink.push(codes::invalid_table_option(place(key), self.name, &why));
                }
            }
        }
    }
}
