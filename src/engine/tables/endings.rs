//! What the ending of a file's name says: its format and how it is compressed.

use crate::project::{Compression, FileFormat};

/// A format and a compression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    pub(super) format: FileFormat,
    pub(super) compression: Compression,
}

/// Whether files of the format are text, which has no schema of its own and may be compressed as a whole.
pub(super) fn is_text(format: FileFormat) -> bool {
    matches!(format, FileFormat::Csv | FileFormat::Tsv | FileFormat::Ndjson | FileFormat::Json)
}

/// The format's name, as `qtool.yaml` writes it.
pub(super) fn name(format: FileFormat) -> &'static str {
    match format {
        FileFormat::Csv => "csv",
        FileFormat::Tsv => "tsv",
        FileFormat::Ndjson => "ndjson",
        FileFormat::Json => "json",
        FileFormat::Parquet => "parquet",
        FileFormat::Arrow => "arrow",
        FileFormat::Avro => "avro",
        FileFormat::Excel => "excel",
    }
}

/// The format that the ending says, seen through the ending of a compression.
pub(super) fn format_of(path: &str) -> Option<FileFormat> {
    let (stem, compression) = split(path);
    let (_, ending) = stem.rsplit_once('.')?;
    let format = match ending.to_ascii_lowercase().as_str() {
        "csv" => FileFormat::Csv,
        "tsv" | "tab" => FileFormat::Tsv,
        "ndjson" | "jsonl" | "jsonlines" => FileFormat::Ndjson,
        "json" => FileFormat::Json,
        "parquet" | "parq" | "pq" => FileFormat::Parquet,
        "arrow" | "arrows" | "ipc" | "feather" => FileFormat::Arrow,
        "avro" => FileFormat::Avro,
        "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => FileFormat::Excel,
        _ => return None,
    };
    (compression == Compression::None || is_text(format)).then_some(format)
}

/// The compression that the ending says.
pub(super) fn compression_of(path: &str) -> Compression {
    split(path).1
}

/// Whether the file's name has no ending but that of a compression, as Spark names its parts.
pub(super) fn is_bare(path: &str) -> bool {
    !split(path).0.contains('.')
}

/// The file's name without the ending of its compression, and the compression.
fn split(path: &str) -> (&str, Compression) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return (name, Compression::None);
    };
    match ending.to_ascii_lowercase().as_str() {
        "gz" | "gzip" => (stem, Compression::Gzip),
        "bz2" => (stem, Compression::Bzip2),
        "xz" => (stem, Compression::Xz),
        "zst" | "zstd" => (stem, Compression::Zstd),
        _ => (name, Compression::None),
    }
}
