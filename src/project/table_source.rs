//! `tables` of `qtool.yaml`: where a table's data lies, by its kind.
//!
//! What is asked of every table is asked here. Only what opens a kind of table looks into it.

use super::column_source::ColumnSource;
use super::files_source::FilesSource;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Where a table's data lies and how to read it.
// A further kind is told by a key that no other has, as files are by `path`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged, from = "FilesSource")]
pub enum TableSource {
    /// In files: on this machine, in an object store or on a web server.
    Files(FilesSource),
}

impl From<FilesSource> for TableSource {
    fn from(files: FilesSource) -> TableSource {
        TableSource::Files(files)
    }
}

impl JsonSchema for TableSource {
    fn schema_name() -> Cow<'static, str> {
        "TableSource".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        FilesSource::json_schema(generator)
    }
}

impl TableSource {
    /// What a row is.
    pub fn description(&self) -> Option<&str> {
        match self {
            TableSource::Files(files) => files.description.as_deref(),
        }
    }

    /// The columns that something is declared of.
    pub fn columns(&self) -> &IndexMap<String, ColumnSource> {
        match self {
            TableSource::Files(files) => &files.columns,
        }
    }

    /// Every column whose type is declared, with its SQL type name.
    pub fn declared_types(&self) -> impl Iterator<Item = (&str, &str)> {
        let partitions = match self {
            TableSource::Files(files) => &files.partitioned_by,
        };
        let columns = self.columns().iter().filter_map(|(column, declared)| Some((column.as_str(), declared.ty()?)));
        columns.chain(partitions.iter().map(|(column, ty)| (column.as_str(), ty.as_str())))
    }

    /// Whether it is so large that queries must filter it.
    pub fn is_large(&self) -> bool {
        match self {
            TableSource::Files(files) => files.large == Some(true),
        }
    }

    /// The columns that identify a row; none where none are declared.
    pub fn primary_key(&self) -> &[String] {
        match self {
            TableSource::Files(files) => &files.primary_key,
        }
    }

    /// Where the data lies, as it is written.
    pub fn place(&self) -> &str {
        match self {
            TableSource::Files(files) => &files.path,
        }
    }

    /// The file, folder or pattern that the data is read from, as it is written; `None` where that is not on this machine.
    pub fn local_path(&self) -> Option<&str> {
        match self {
            TableSource::Files(files) => files.is_local().then_some(files.path.as_str()),
        }
    }

    /// Whether the data is to be part of the executable that is built.
    pub fn is_to_be_embedded(&self) -> bool {
        match self {
            TableSource::Files(files) => files.embed == Some(true),
        }
    }

    /// The file that can be part of an executable, as it is written; `None` where the data is no file on this machine.
    pub fn embeddable(&self) -> Option<&str> {
        match self {
            TableSource::Files(_) => self.local_path(),
        }
    }
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
            assert_eq!((source.local_path(), source.embeddable(), source.place()), (None, None, path));
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
    }
}
