//! `tables` of `qtool.yaml`: tables that lie in files.

use super::column_source::ColumnSource;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a table's data lies and how to read it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FilesSource {
    /// A file, a folder or a glob, relative to the project; or a URL: `s3://`, `gs://`, `az://`, `http://`, `https://`.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The file format. Default: what the file's ending says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FileFormat>,
    /// What a row is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Columns whose type or description is declared; the type overrides what is inferred from the data.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub columns: IndexMap<String, ColumnSource>,
    /// Whether it is so large that queries must filter it. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large: Option<bool>,
    /// The columns that identify a row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(min = 1))]
    pub primary_key: Vec<String>,
    /// Columns that the folders of the data are named by (`day=2024-03-31/`), with their types.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub partitioned_by: IndexMap<String, String>,
    /// CSV: the character between values. Default: `,`, and a tab for `.tsv`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1))]
    pub delimiter: Option<String>,
    /// CSV: whether the first line names the columns. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// CSV: the text that stands for null beside the empty one, e.g. `NA`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null_value: Option<String>,
    /// CSV and JSON: how the file is compressed. Default: what the file's ending says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compression: Option<Compression>,
    /// Whether the file is put into the executable that `qtool build` writes. Default: false.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embed: Option<bool>,
    /// What is kept of local files between calls. Default: the rows, where they fit into `limits.cache`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheMode>,
}

impl FilesSource {
    /// Whether the files are on this machine, and not behind a URL.
    pub fn is_local(&self) -> bool {
        !self.path.contains("://")
    }
}

/// What is kept of a table's local files between calls. Whatever it is, a file that changes is read anew by the next call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CacheMode {
    /// The rows, where there is room for them; else what the files say of themselves.
    #[default]
    #[serde(skip)]
    Auto,
    /// The rows, also where they may take all the room there is.
    Memory,
    /// What the files say of themselves: where their parts are, and how they are sorted.
    Metadata,
    /// Nothing; every call is planned anew.
    None,
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Values with commas between.
    Csv,
    /// Values with tabs between.
    Tsv,
    /// One JSON object a line.
    Ndjson,
    /// One JSON list of objects.
    Json,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, file or stream.
    Arrow,
    /// Apache Avro.
    Avro,
}

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// Not at all.
    None,
    /// gzip (`.gz`).
    Gzip,
    /// bzip2 (`.bz2`).
    Bzip2,
    /// xz (`.xz`).
    Xz,
    /// Zstandard (`.zst`).
    Zstd,
}
