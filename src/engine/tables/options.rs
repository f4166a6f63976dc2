//! How the files of a table are read.

use super::TableError;
use super::endings::{self, Ending};
use super::json_list::UncutJsonFormat;
use super::json_texts::{JsonTextFormat, Rows};
use crate::project::{Compression, FileFormat, FilesSource};
use crate::ty::Type;
use arrow::datatypes::DataType;
use datafusion::datasource::file_format::FileFormat as Reader;
use datafusion::datasource::file_format::arrow::ArrowFormat;
use datafusion::datasource::file_format::avro::AvroFormat;
use datafusion::datasource::file_format::csv::CsvFormat;
use datafusion::datasource::file_format::file_compression_type::FileCompressionType;
use datafusion::datasource::file_format::json::JsonFormat;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::prelude::SessionContext;
use indexmap::IndexMap;
use regex::Regex;
use std::sync::Arc;

/// How the files of a table are read.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) format: FileFormat,
    pub(super) compression: Compression,
    /// CSV: the byte between values.
    pub(super) delimiter: u8,
    /// CSV: whether the first line names the columns.
    pub(super) header: bool,
    /// CSV: the text that stands for null beside the empty one.
    pub(super) null_value: Option<String>,
    /// The columns of the files whose type is declared.
    pub(super) declared: Vec<String>,
    /// Other names for columns of the files.
    rename: IndexMap<String, String>,
    /// JSON: whether any of them is a text, or holds texts.
    has_declared_text: bool,
    /// JSON: whether objects go over several lines, so that the end of a line is none of an object.
    spans_lines: bool,
}

/// Whether objects of JSON go over several lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpansLines {
    Yes,
    No,
}

impl Reading {
    /// What is declared, and defaults.
    ///
    /// Errors: a delimiter that is no single byte.
    pub(super) fn of(ending: Ending, source: &FilesSource) -> Result<Reading, TableError> {
        let default = if ending.format == FileFormat::Tsv { b'\t' } else { b',' };
        Ok(Reading {
            format: ending.format,
            compression: ending.compression,
            delimiter: source.delimiter.as_deref().map_or(Ok(default), delimiter_byte)?,
            header: source.header.unwrap_or(true),
            // Several are rewritten as empty texts.
            null_value: source.null_values().first().map(|text| (*text).to_owned()),
            declared: source
                .columns
                .iter()
                .filter(|(_, column)| column.ty().is_some())
                .map(|(name, _)| source.name_in_data(name).to_owned())
                .collect(),
            rename: source.rename.clone(),
            has_declared_text: source
                .columns
                .values()
                .filter_map(|column| Type::parse(column.ty()?).ok())
                .any(|ty| holds_text(&ty.to_arrow())),
            spans_lines: false,
        })
    }

    /// The same of files of which somebody has looked at how their objects lie.
    pub(super) fn spanning_lines(self, spans_lines: SpansLines) -> Reading {
        Reading { spans_lines: spans_lines == SpansLines::Yes, ..self }
    }

    /// How the files are read once they are rewritten (`rewrite`).
    pub(super) fn rewritten(self) -> Reading {
        Reading { delimiter: b',', null_value: None, ..self }
    }

    /// The name in the table of a column of the files.
    pub(super) fn renamed<'a>(&'a self, column: &'a str) -> &'a str {
        self.rename.get(column).map_or(column, String::as_str)
    }

    /// What the files are.
    pub(super) fn ending(&self) -> Ending {
        Ending { format: self.format, compression: self.compression }
    }

    pub(super) fn is_text(&self) -> bool {
        endings::is_text(self.format)
    }

    pub(super) fn is_csv(&self) -> bool {
        matches!(self.format, FileFormat::Csv | FileFormat::Tsv)
    }

    /// The dialect for reading CSV without DataFusion.
    pub(super) fn csv(&self) -> arrow::csv::reader::Format {
        let format = arrow::csv::reader::Format::default().with_header(self.header).with_delimiter(self.delimiter);
        let null =
            self.null_value.as_ref().and_then(|text| Regex::new(&format!("^(?:{})?$", regex::escape(text))).ok());
        match null {
            Some(null) => format.with_null_regex(null),
            None => format,
        }
    }

    /// DataFusion's reader.
    pub(super) fn file_format(&self, ctx: &SessionContext) -> Arc<dyn Reader> {
        let compression = compression_type(self.compression);
        match self.format {
            FileFormat::Csv | FileFormat::Tsv => Arc::new(
                CsvFormat::default()
                    .with_has_header(self.header)
                    .with_delimiter(self.delimiter)
                    // A large file is otherwise cut at line ends for several threads, within quotes too.
                    .with_newlines_in_values(true)
                    .with_file_compression_type(compression),
            ),
            FileFormat::Ndjson if self.has_declared_text => Arc::new(JsonTextFormat::new(compression, Rows::Lines)),
            FileFormat::Json if self.has_declared_text => Arc::new(JsonTextFormat::new(compression, Rows::List)),
            FileFormat::Ndjson if self.spans_lines => Arc::new(UncutJsonFormat::of_objects(compression)),
            FileFormat::Ndjson => Arc::new(JsonFormat::default().with_file_compression_type(compression)),
            FileFormat::Json => Arc::new(UncutJsonFormat::of_list(compression)),
            FileFormat::Parquet => Arc::new(ParquetFormat::default().with_options(ctx.copied_table_options().parquet)),
            // A sheet is rewritten as Arrow.
            FileFormat::Arrow | FileFormat::Excel => Arc::new(ArrowFormat),
            FileFormat::Avro => Arc::new(AvroFormat),
        }
    }
}

fn holds_text(ty: &DataType) -> bool {
    match ty {
        DataType::Utf8 => true,
        DataType::List(item) => holds_text(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| holds_text(field.data_type())),
        _ => false,
    }
}

/// DataFusion's name of a compression.
pub(super) fn compression_type(compression: Compression) -> FileCompressionType {
    match compression {
        Compression::None => FileCompressionType::UNCOMPRESSED,
        Compression::Gzip => FileCompressionType::GZIP,
        Compression::Bzip2 => FileCompressionType::BZIP2,
        Compression::Xz => FileCompressionType::XZ,
        Compression::Zstd => FileCompressionType::ZSTD,
    }
}

/// Refuses an option that the format does not have.
pub(super) fn refuse_foreign(format: FileFormat, source: &FilesSource) -> Result<(), TableError> {
    let csv = matches!(format, FileFormat::Csv | FileFormat::Tsv);
    let excel = format == FileFormat::Excel;
    let compressed = source.compression.is_some_and(|compression| compression != Compression::None);
    let foreign = [
        ("sheet", source.sheet.is_some() && !excel),
        ("delimiter", source.delimiter.is_some() && !csv),
        ("header", source.header.is_some() && !csv && !excel),
        ("null_value", source.null_value.is_some() && !csv && !excel),
        ("quote", source.quote.is_some() && !csv),
        ("skip_lines", source.skip_lines.is_some() && !csv && !excel),
        ("decimal_separator", source.decimal_separator.is_some() && !csv),
        ("thousands_separator", source.thousands_separator.is_some() && !csv),
        ("date_format", source.date_format.is_some() && !csv),
        ("timestamp_format", source.timestamp_format.is_some() && !csv),
        ("on_error", source.on_error.is_some() && !csv && !excel),
        ("encoding", source.encoding.is_some() && !endings::is_text(format)),
        ("compression", compressed && !endings::is_text(format)),
    ];
    match foreign.iter().find(|(_, foreign)| *foreign) {
        Some((option, _)) => {
            Err(TableError::option(*option, format!("{} files have no `{option}`", endings::name(format))))
        }
        None => Ok(()),
    }
}

/// The byte that is declared as the delimiter.
///
/// Errors: it is no single byte, or one that ends lines or values.
pub(super) fn delimiter_byte(written: &str) -> Result<u8, TableError> {
    match written.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(*byte),
        _ => Err(TableError::option("delimiter", "a delimiter is one ASCII character, not a quote or a line end")),
    }
}
