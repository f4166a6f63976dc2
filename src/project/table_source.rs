//! `tables` of `qtool.yaml`: where a table's data lies, by its kind.
//!
//! What is asked of every table is asked here. Only what opens a kind of table looks into it.

use super::column_source::ColumnSource;
use super::database_source::DatabaseSource;
use super::files_source::FilesSource;
use crate::catalog::Table;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Where a table's data lies and how to read it.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum TableSource {
    /// In files: on this machine, in an object store or on a web server.
    Files(Box<FilesSource>),
    /// In a database.
    Database(Box<DatabaseSource>),
}

/// A kind of table is told by a key that no other has: databases by this one.
const SOURCE: &str = "source";

impl<'de> Deserialize<'de> for TableSource {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TableSource, D::Error> {
        let map = Map::deserialize(deserializer)?;
        let is_database = map.contains_key(SOURCE);
        let value = Value::Object(map);
        match is_database {
            true => Box::deserialize(value).map(TableSource::Database),
            false => Box::deserialize(value).map(TableSource::Files),
        }
        .map_err(D::Error::custom)
    }
}

/// One object with the keys of all kinds, for editors and for the words of mistakes: a list of alternatives would tell of
/// all of them at once. Which keys go together is checked when the project is loaded.
impl JsonSchema for TableSource {
    fn schema_name() -> Cow<'static, str> {
        "TableSource".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = FilesSource::json_schema(generator);
        let of_databases = DatabaseSource::json_schema(generator);
        let properties = of_databases.get("properties").and_then(Value::as_object).cloned();
        if let Some(known) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            for (key, value) in properties.unwrap_or_default() {
                known.entry(key).or_insert(value);
            }
        }
        schema.remove("required");
        schema
    }
}

impl TableSource {
    /// The keys that tables of files alone have.
    pub fn keys_of_files() -> Vec<String> {
        keys_of_one::<FilesSource, DatabaseSource>()
    }

    /// The keys that tables of databases alone have.
    pub fn keys_of_databases() -> Vec<String> {
        keys_of_one::<DatabaseSource, FilesSource>()
    }

    /// What a row is.
    pub fn description(&self) -> Option<&str> {
        match self {
            TableSource::Files(files) => files.description.as_deref(),
            TableSource::Database(database) => database.description.as_deref(),
        }
    }

    /// The columns that something is declared of.
    pub fn columns(&self) -> &IndexMap<String, ColumnSource> {
        match self {
            TableSource::Files(files) => &files.columns,
            TableSource::Database(database) => &database.columns,
        }
    }

    /// Every column whose type is declared, with its SQL type name. Those that are left out have none.
    pub fn declared_types(&self) -> impl Iterator<Item = (&str, &str)> {
        let partitions = match self {
            TableSource::Files(files) => Some(&files.partitioned_by),
            TableSource::Database(_) => None,
        };
        let columns = self.columns().iter().filter(|(_, declared)| !declared.is_left_out());
        let columns = columns.filter_map(|(column, declared)| Some((column.as_str(), declared.ty()?)));
        columns.chain(partitions.into_iter().flatten().map(|(column, ty)| (column.as_str(), ty.as_str())))
    }

    /// Whether it is so large that queries must filter it.
    pub fn is_large(&self) -> bool {
        match self {
            TableSource::Files(files) => files.large == Some(true),
            TableSource::Database(database) => database.large == Some(true),
        }
    }

    /// The columns that identify a row, as declared, or as its database says of a table with this schema.
    pub fn known_key(&self, schema: Option<&Table>) -> Vec<String> {
        match (self.primary_key(), schema) {
            ([], Some(schema)) => schema.native_key(),
            (declared, _) => declared.to_vec(),
        }
    }

    /// The columns that are declared to identify a row; none where none are.
    pub fn primary_key(&self) -> &[String] {
        match self {
            TableSource::Files(files) => &files.primary_key,
            TableSource::Database(database) => &database.primary_key,
        }
    }

    /// Forgets which columns identify a row.
    pub fn forget_primary_key(&mut self) {
        match self {
            TableSource::Files(files) => files.primary_key.clear(),
            TableSource::Database(database) => database.primary_key.clear(),
        }
    }

    /// The database that it lies in, by its name in `sources`; `None` where it lies in files.
    pub fn source(&self) -> Option<&str> {
        match self {
            TableSource::Files(_) => None,
            TableSource::Database(database) => Some(&database.source),
        }
    }

    /// The database because of which it is a table, where it has no line of its own.
    pub fn including_source(&self) -> Option<&str> {
        match self {
            TableSource::Database(database) if database.is_included => Some(&database.source),
            TableSource::Database(_) | TableSource::Files(_) => None,
        }
    }

    /// Where the data lies, as it is written.
    pub fn place(&self) -> Cow<'_, str> {
        match self {
            TableSource::Files(files) => Cow::Borrowed(&files.path),
            TableSource::Database(database) => match &database.table {
                Some(table) => Cow::Owned(format!("{}: {table}", database.source)),
                None => Cow::Borrowed(&database.source),
            },
        }
    }

    /// The file, folder or pattern that the data is read from, as it is written; `None` where that is not on this machine.
    pub fn local_path(&self) -> Option<&str> {
        match self {
            TableSource::Files(files) => files.is_local().then_some(files.path.as_str()),
            TableSource::Database(_) => None,
        }
    }

    /// Whether the data is to be part of the executable that is built.
    pub fn is_to_be_embedded(&self) -> bool {
        match self {
            TableSource::Files(files) => files.embed == Some(true),
            TableSource::Database(_) => false,
        }
    }

    /// The file that can be part of an executable, as it is written; `None` where the data is no file on this machine.
    pub fn embeddable(&self) -> Option<&str> {
        match self {
            TableSource::Files(_) => self.local_path(),
            TableSource::Database(_) => None,
        }
    }
}

/// The keys of a format that another does not have.
fn keys_of_one<T: JsonSchema, U: JsonSchema>() -> Vec<String> {
    let others = keys_of_format::<U>();
    keys_of_format::<T>().into_iter().filter(|key| !others.contains(key)).collect()
}

fn keys_of_format<T: JsonSchema>() -> Vec<String> {
    let schema = schemars::schema_for!(T);
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|map| map.keys().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_lies_behind_a_url_is_not_on_this_machine() {
        let source = |path: &str| TableSource::deserialize(json!({ "path": path, "embed": true })).unwrap();
        for path in ["data/a.csv", "/srv/*.csv", "a:b.csv"] {
            let source = source(path);
            assert_eq!((source.local_path(), source.embeddable()), (Some(path), Some(path)));
        }
        for path in ["s3://bucket/a.csv", "https://host/a.csv"] {
            let source = source(path);
            assert_eq!((source.local_path(), source.embeddable(), source.place().as_ref()), (None, None, path));
        }
    }

    #[test]
    fn a_source_is_written_as_it_was_read() {
        let written = json!({
            "path": "t", "columns": {"n": "int", "said": {"description": "A text."}},
            "primary_key": ["n"], "partitioned_by": {"day": "date"},
        });
        let source = TableSource::deserialize(&written).unwrap();
        assert_eq!(source.declared_types().collect::<Vec<_>>(), [("n", "int"), ("day", "date")]);
        assert_eq!(serde_json::to_value(&source).unwrap(), written);
        let written = json!({"source": "shop", "table": "orders", "columns": {"n": "int"}, "rename": {"N": "n"}});
        let source = TableSource::deserialize(&written).unwrap();
        assert_eq!((source.source(), source.place().as_ref()), (Some("shop"), "shop: orders"));
        assert_eq!(serde_json::to_value(&source).unwrap(), written);
    }

    #[test]
    fn kinds_of_tables_are_told_by_their_keys() {
        let (files, databases) = (TableSource::keys_of_files(), TableSource::keys_of_databases());
        assert_eq!(databases, ["source", "table", "writable"]);
        assert!(files.contains(&"path".to_owned()) && files.contains(&"delimiter".to_owned()), "{files:?}");
        assert!(!files.contains(&"columns".to_owned()), "{files:?}");
    }
}
