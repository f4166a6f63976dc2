//! `tables` of `qtool.yaml`: tables that lie in files.

use super::column_source::ColumnSource;
use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

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
    /// Excel: the sheet that the table is. Default: the only one that holds anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub sheet: Option<String>,
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
    /// CSV and Excel: whether the first line names the columns. Default: true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// CSV and Excel: the text that stands for null beside the empty one, e.g. `NA`; or a list of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub null_value: Option<NullValue>,
    /// CSV: the character around values that hold a delimiter. Default: `"`; the empty text for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1))]
    pub quote: Option<String>,
    /// CSV and Excel: how many lines stand before the one that names the columns. Default: 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_lines: Option<u32>,
    /// CSV and JSON: the encoding of the text, e.g. `windows-1252`. Default: `utf-8`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// CSV: what stands before the fraction of a number, in columns that are declared as numbers: `.` or `,`. Default: `.`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1))]
    pub decimal_separator: Option<String>,
    /// CSV: what stands between groups of three digits, in columns that are declared as numbers. Default: nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1))]
    pub thousands_separator: Option<String>,
    /// CSV: how columns that are declared `date` are written, e.g. `%d.%m.%Y`. Default: `2024-03-31`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub date_format: Option<String>,
    /// CSV: how columns that are declared `timestamp` or `timestamptz` are written, e.g. `%d.%m.%Y %H:%M`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub timestamp_format: Option<String>,
    /// CSV and Excel: what becomes of values that are none of their column's declared type, and of rows with too few or too many.
    /// Default: `fail`.
    #[serde(default, deserialize_with = "on_error", skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "on_error_schema")]
    pub on_error: Option<OnError>,
    /// Other names for columns of the data, by the names that they have there.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub rename: IndexMap<String, String>,
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
    /// That of a path, of which nothing else is said.
    pub fn of_path(path: String) -> FilesSource {
        FilesSource {
            path,
            format: None,
            sheet: None,
            description: None,
            columns: IndexMap::new(),
            large: None,
            primary_key: Vec::new(),
            partitioned_by: IndexMap::new(),
            delimiter: None,
            header: None,
            null_value: None,
            quote: None,
            skip_lines: None,
            encoding: None,
            decimal_separator: None,
            thousands_separator: None,
            date_format: None,
            timestamp_format: None,
            on_error: None,
            rename: IndexMap::new(),
            compression: None,
            embed: None,
            cache: None,
        }
    }

    /// The texts that stand for null beside the empty one.
    pub fn null_values(&self) -> Vec<&str> {
        self.null_value.as_ref().map(NullValue::texts).unwrap_or_default()
    }

    /// The name in the table of a column that the data calls so.
    pub fn renamed<'a>(&'a self, column: &'a str) -> &'a str {
        self.rename.get(column).map_or(column, String::as_str)
    }

    /// The name in the data of a column that the table calls so.
    pub fn name_in_data<'a>(&'a self, column: &'a str) -> &'a str {
        self.rename.iter().find(|(_, new)| *new == column).map_or(column, |(old, _)| old)
    }

    /// Whether the files are on this machine, and not behind a URL.
    pub fn is_local(&self) -> bool {
        !self.path.contains("://")
    }
}

/// What is kept of a table's files between calls. Whatever it is, a file that changes is read anew by the next call.
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

/// The texts that stand for null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NullValue {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl NullValue {
    /// All of them, without the empty one, which always is.
    pub fn texts(&self) -> Vec<&str> {
        let all = match self {
            NullValue::One(text) => std::slice::from_ref(text),
            NullValue::Several(texts) => texts,
        };
        all.iter().map(String::as_str).filter(|text| !text.is_empty()).collect()
    }
}

/// What becomes of a value that is none of its column's declared type.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The table cannot be read.
    #[default]
    Fail,
    /// The value is null; they are counted.
    Null,
    /// Its row is left out; they are counted.
    Skip,
}

/// One that was written: `null` without quotes is a null of YAML.
fn on_error<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OnError>, D::Error> {
    Ok(Some(Option::deserialize(deserializer)?.unwrap_or(OnError::Null)))
}

fn on_error_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"oneOf": [{"enum": ["fail", "null", "skip"]}, {"const": null}]})
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
    /// A sheet of a workbook: `.xlsx`, `.xlsm`, `.xlsb`, `.xls` and `.ods`.
    Excel,
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
