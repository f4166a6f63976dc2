//! Texts that are written in another way than the engine's readers know: in another encoding, with a decimal comma, with
//! days as `31.12.2024`. They are rewritten as they are opened, into UTF-8 and CSV as the readers have it, a line for each
//! line; all that reads a table (the look for damage, the inference, the engine) sees the rewritten text alone. A sheet of a
//! workbook is rewritten as an Arrow file (`sheet`).
//!
//! Only columns whose type is declared are rewritten value by value: what is inferred of one file is not to change what a
//! text in another one says. What becomes of values that cannot be read is said of those whose type is locked as well.

mod dialect;
mod format;
mod header;
mod joined;
mod json;
mod numbers;
mod records;
mod repairs;
mod sheet;
mod store;
mod wanted;
mod workbook;

pub(super) use dialect::Dialect;
pub(super) use format::TimeFormat;
pub(super) use header::numbered_names;
pub(super) use numbers::Separators;
pub(super) use records::{Record, records};
pub(super) use repairs::Repairs;
pub(super) use store::RewritingStore;
use wanted::Wanted;
pub(super) use workbook::{Cell, Value, Workbook};

use super::endings::Ending;
use super::nature;
use super::options::{compression_type, delimiter_byte};
use super::separator_line::{separator_of, separator_told};
use super::whole::exact;
use super::whole::forms::{self, Form, Misfit};
use super::whole::{CUT_OFF, Flaw};
use super::{TableError, columns};
use crate::catalog::Table;
use crate::project::{Compression, FileFormat, FilesSource, OnError};
use crate::ty::Type;
use arrow::datatypes::{DataType, Field, Schema};
use bytes::Bytes;
use encoding_rs::{Encoding, UTF_8};
use sheet::SheetReading;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};

/// The most text that is rewritten of a file.
const MOST: u64 = 512 << 20;

/// How much is unpacked at once.
const PIECE: u64 = 1 << 20;

/// How the files of a table are rewritten.
#[derive(Debug)]
pub(super) struct Rewrite {
    /// What the files are.
    ending: Ending,
    encoding: &'static Encoding,
    content: Content,
}

/// What is rewritten in a text.
#[derive(Debug)]
enum Content {
    /// The values of CSV.
    Rows(Box<Rows>),
    /// The values of these columns of JSON.
    Json(HashSet<String>),
    /// A sheet of a workbook, as Arrow.
    Sheet(Box<SheetReading>),
}

/// How the rows of a CSV file are rewritten.
#[derive(Debug)]
struct Rows {
    dialect: Dialect,
    header: bool,
    skipped_lines: usize,
    nulls: Vec<String>,
    separators: Separators,
    day: Option<TimeFormat>,
    time: Option<TimeFormat>,
    on_error: OnError,
    /// The columns whose type is known, by their names in the data.
    columns: HashMap<String, Known>,
}

#[derive(Debug)]
struct Known {
    /// The declared type; `None` where it is locked alone, of values as the readers have them.
    ty: Option<Type>,
    field: Field,
}

/// A file that was rewritten.
#[derive(Debug, Default)]
pub(super) struct Rewritten {
    pub(super) text: Vec<u8>,
    pub(super) repairs: Repairs,
}

impl Rewrite {
    /// How files of that ending are rewritten; `None` where they are read as they are.
    ///
    /// Errors: an option that says nothing that can be done.
    pub(super) fn of(
        ending: Ending,
        source: &FilesSource,
        locked: Option<&Table>,
    ) -> Result<Option<Rewrite>, TableError> {
        let encoding = encoding_of_source(source)?;
        let is_csv = matches!(ending.format, FileFormat::Csv | FileFormat::Tsv);
        // A mark at the beginning of JSON goes where somebody says what the encoding is.
        let is_decoded = encoding != UTF_8 || (!is_csv && source.encoding.is_some());
        let content = match ending.format {
            FileFormat::Csv | FileFormat::Tsv if is_decoded || rewrites_rows(source) => {
                Content::Rows(Box::new(Rows::of(ending, source, locked)?))
            }
            FileFormat::Json | FileFormat::Ndjson => match json_columns(source)? {
                columns if columns.is_empty() && !is_decoded => return Ok(None),
                columns => Content::Json(columns),
            },
            FileFormat::Excel => Content::Sheet(Box::new(SheetReading::of(source)?)),
            _ => return Ok(None),
        };
        Ok(Some(Rewrite { ending, encoding, content }))
    }

    /// Rewrites a file. `opened` are the columns of the files, where the table is open already.
    ///
    /// Errors: what is wrong with it, or nobody wants it any more.
    pub(super) fn rewritten(&self, bytes: &Bytes, opened: Option<&Schema>, wanted: &Wanted) -> Result<Rewritten, Flaw> {
        if let Some(why) = nature::unlike(nature::head(bytes), self.ending) {
            return Err(why.to_string().into());
        }
        let columns = match &self.content {
            Content::Rows(rows) => {
                let unpacked = self.unpacked(bytes, wanted)?;
                return rows.rewritten(&decode(&unpacked, self.encoding)?, wanted);
            }
            Content::Json(columns) => columns,
            Content::Sheet(sheet) => {
                check_length(bytes)?;
                let (text, repairs) = sheet.rewritten(bytes, opened)?;
                return Ok(Rewritten { text, repairs });
            }
        };
        let unpacked = self.unpacked(bytes, wanted)?;
        let text = decode(&unpacked, self.encoding)?;
        let text = match columns.is_empty() {
            true => text.into_owned(),
            // A list stands around all records, where it is none of lines.
            false => json::with_texts(&text, columns, if text.trim_start().starts_with('[') { 2 } else { 1 }),
        };
        Ok(Rewritten { text: text.into_bytes(), repairs: Repairs::default() })
    }

    fn unpacked<'a>(&self, bytes: &'a Bytes, wanted: &Wanted) -> Result<Cow<'a, [u8]>, Flaw> {
        if self.ending.compression == Compression::None {
            check_length(bytes)?;
            return Ok(Cow::Borrowed(bytes));
        }
        let read = compression_type(self.ending.compression).convert_read(Cursor::new(bytes.clone()));
        let read = read.map_err(|error| Flaw::from(error.strip_backtrace()))?;
        let (mut read, mut plain) = (read.take(MOST + 1), Vec::new());
        while read.by_ref().take(PIECE).read_to_end(&mut plain).map_err(not_unpacked)? > 0 {
            wanted.check()?;
        }
        check_length(&plain)?;
        Ok(Cow::Owned(plain))
    }
}

fn check_length(bytes: &[u8]) -> Result<(), Flaw> {
    check_size(bytes.len() as u64)
}

/// Errors: so many bytes are too many, packed or not.
pub(super) fn check_size(bytes: u64) -> Result<(), Flaw> {
    if bytes <= MOST {
        return Ok(());
    }
    let most = MOST >> 20;
    Err(format!("with these options at most {most} MiB of text are read; write it as Parquet").into())
}

fn not_unpacked(error: std::io::Error) -> Flaw {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => CUT_OFF.into(),
        _ => error.to_string().into(),
    }
}

/// The text of bytes in an encoding, without a mark at its beginning.
///
/// Errors: the first line that is not in it.
pub(super) fn decode<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Result<Cow<'a, str>, Flaw> {
    let (text, _, had_errors) = encoding.decode(bytes);
    if !had_errors {
        return Ok(text);
    }
    let line = text.split(char::REPLACEMENT_CHARACTER).next().unwrap_or_default().matches('\n').count() + 1;
    let name = encoding.name().to_lowercase();
    let other = if encoding == UTF_8 { "windows-1252" } else { "utf-8" };
    Err(format!("line {line} holds bytes that are no {name}; say with `encoding` what it is, such as `{other}`").into())
}

/// The encoding that is declared, or else UTF-8.
///
/// Errors: it is none.
pub(super) fn encoding_of_source(source: &FilesSource) -> Result<&'static Encoding, TableError> {
    let Some(label) = &source.encoding else { return Ok(UTF_8) };
    Encoding::for_label_no_replacement(label.as_bytes()).ok_or_else(|| {
        let known = "`utf-8`, `utf-16le`, `windows-1252`, `iso-8859-15`, `shift_jis`, `gb18030`";
        TableError::option("encoding", format!("`{label}` is no encoding of the Encoding Standard, such as {known}"))
    })
}

fn rewrites_rows(source: &FilesSource) -> bool {
    source.quote.as_deref().is_some_and(|quote| quote != "\"")
        || source.skip_lines.is_some_and(|lines| lines > 0)
        || source.decimal_separator.as_deref().is_some_and(|separator| separator != ".")
        || source.thousands_separator.is_some()
        || source.date_format.is_some()
        || source.timestamp_format.is_some()
        || source.null_values().len() > 1
        || source.on_error.is_some_and(|on_error| on_error != OnError::Fail)
        || source.rename.keys().any(|name| header::numbered(name).is_some())
}

/// The columns of the data that are declared `json`.
fn json_columns(source: &FilesSource) -> Result<HashSet<String>, TableError> {
    let declared = columns::declared_in_data(source)?;
    Ok(declared.into_iter().filter(|(_, ty)| *ty == Type::Json).map(|(name, _)| name).collect())
}

impl Rows {
    fn of(ending: Ending, source: &FilesSource, locked: Option<&Table>) -> Result<Rows, TableError> {
        let default = if ending.format == FileFormat::Tsv { b'\t' } else { b',' };
        let delimiter = source.delimiter.as_deref().map_or(Ok(default), delimiter_byte)?;
        let dialect = Dialect::of(delimiter, source.quote.as_deref())?;
        let declared = columns::declared(source)?;
        let mut named: HashMap<String, Known> = HashMap::new();
        let on_error = source.on_error.unwrap_or_default();
        for column in locked.iter().flat_map(|table| &table.columns).filter(|_| on_error != OnError::Fail) {
            let field = Field::new(&column.name, column.arrow.clone(), true);
            named.insert(source.name_in_data(&column.name).to_owned(), Known { ty: None, field });
        }
        for (name, ty) in declared {
            let field = forms::declared_as(&Field::new(&name, ty.to_arrow(), true), &ty);
            let in_data = source.rename.iter().find(|(_, new)| **new == name).map_or(&name, |(old, _)| old);
            named.insert(in_data.clone(), Known { ty: Some(ty), field });
        }
        let rows = Rows {
            dialect,
            header: source.header.unwrap_or(true),
            skipped_lines: source.skip_lines.unwrap_or(0) as usize,
            nulls: source.null_values().into_iter().map(str::to_owned).collect(),
            separators: Separators::of(source)?,
            day: source.date_format.as_deref().map(TimeFormat::of_days).transpose()?,
            time: source.timestamp_format.as_deref().map(TimeFormat::of_times).transpose()?,
            on_error,
            columns: named,
        };
        rows.refuse_idle(source)?;
        Ok(rows)
    }

    /// Refuses what concerns declared columns only, where there are none.
    fn refuse_idle(&self, source: &FilesSource) -> Result<(), TableError> {
        let is_any = |is: fn(&Type) -> bool| self.columns.values().any(|column| column.ty.as_ref().is_some_and(is));
        let is_time = |ty: &Type| matches!(ty, Type::Timestamp(_) | Type::Timestamptz(_));
        let has_numbers = is_any(Type::is_numeric);
        let is_comma = source.decimal_separator.as_deref().is_some_and(|separator| separator != ".");
        let idle = [
            ("decimal_separator", is_comma && !has_numbers, "a number, such as `double`"),
            ("thousands_separator", source.thousands_separator.is_some() && !has_numbers, "a number, such as `bigint`"),
            ("date_format", source.date_format.is_some() && !is_any(|ty| *ty == Type::Date), "`date`"),
            ("timestamp_format", source.timestamp_format.is_some() && !is_any(is_time), "`timestamp`"),
        ];
        match idle.iter().find(|(_, idle, _)| *idle) {
            Some((option, _, what)) => {
                let message = format!("`{option}` is for columns that are declared {what}, and none is");
                Err(TableError::option(*option, message))
            }
            None => Ok(()),
        }
    }

    fn rewritten(&self, text: &str, wanted: &Wanted) -> Result<Rewritten, Flaw> {
        if let Some(sign) = separator_of(text.as_bytes()).filter(|_| self.skipped_lines == 0) {
            return Err(separator_told(sign).into());
        }
        let mut out = Rewritten { text: Vec::with_capacity(text.len()), repairs: Repairs::default() };
        let mut names: Vec<String> = Vec::new();
        for record in records(text, self.dialect, self.skipped_lines) {
            let record = record?;
            wanted.check()?;
            if record.values.is_empty() {
                out.text.push(b'\n');
                continue;
            }
            if names.is_empty() && self.header {
                names = numbered_names(&record.values);
                write_row(&mut out.text, &names);
                continue;
            }
            if names.is_empty() {
                names = (1..=record.values.len()).map(|number| format!("column_{number}")).collect();
            }
            self.row(record, &names, &mut out)?;
        }
        Ok(out)
    }

    fn row(&self, record: Record, names: &[String], out: &mut Rewritten) -> Result<(), Flaw> {
        let Record { mut values, line, ends } = record;
        if values.len() != names.len() {
            let why = format!("line {line} has {} values where there are {} columns", values.len(), names.len());
            match self.on_error {
                OnError::Fail => return Err(why.into()),
                OnError::Null if values.len() < names.len() => {
                    out.repairs.add_null(why);
                    values.resize(names.len(), String::new());
                }
                // Which of too many values is whose, nobody knows.
                OnError::Null | OnError::Skip => {
                    out.leave_out(names, ends, why);
                    return Ok(());
                }
            }
        }
        for (value, name) in values.iter_mut().zip(names) {
            let read = match self.value(value, name) {
                Ok(Cow::Borrowed(_)) => continue,
                Ok(Cow::Owned(read)) => read,
                Err(why) => {
                    let why = format!("column `{name}` holds {} in line {line}, {why}", exact::quoted(value));
                    match self.on_error {
                        OnError::Fail => return Err(why.into()),
                        OnError::Null => out.repairs.add_null(why),
                        OnError::Skip => {
                            out.leave_out(names, ends, why);
                            return Ok(());
                        }
                    }
                    String::new()
                }
            };
            *value = read;
        }
        write_row(&mut out.text, &values);
        Ok(())
    }

    /// A value as the readers have it.
    ///
    /// Errors: it is none of its column's type.
    fn value<'a>(&self, value: &'a str, name: &str) -> Result<Cow<'a, str>, Misfit> {
        if value.is_empty() {
            return Ok(Cow::Borrowed(value));
        }
        if self.nulls.iter().any(|null| null == value) {
            return Ok(Cow::Owned(String::new()));
        }
        let Some(Known { ty, field }) = self.columns.get(name) else { return Ok(Cow::Borrowed(value)) };
        let read = match ty {
            Some(ty) if ty.is_numeric() => self.separators.rewritten(value)?,
            Some(Type::Date) => self.day.as_ref().map_or(Ok(Cow::Borrowed(value)), |day| day.rewritten(value))?,
            Some(Type::Timestamp(_) | Type::Timestamptz(_)) => {
                self.time.as_ref().map_or(Ok(Cow::Borrowed(value)), |time| time.rewritten(value))?
            }
            _ => Cow::Borrowed(value),
        };
        // Where all is to be right, whoever looks the rewritten text through says what is not.
        if self.on_error != OnError::Fail {
            check(&read, field)?;
        }
        Ok(read)
    }
}

fn check(value: &str, field: &Field) -> Result<(), Misfit> {
    let is_boolean = || value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false");
    match field.data_type() {
        DataType::Boolean if is_boolean() => Ok(()),
        DataType::Boolean => Err("which is not a value of type boolean".into()),
        ty => exact::check_unpadded(value, ty).and_then(|()| exact::check(value, Form::Text, field)),
    }
}

impl Rewritten {
    /// Leaves a row out; the lines behind it keep their numbers.
    fn leave_out(&mut self, names: &[String], ends: usize, why: String) {
        self.repairs.add_skipped(why);
        // In a file of one column, an empty line is a row that has gone missing.
        if names.len() > 1 {
            self.text.extend(std::iter::repeat_n(b'\n', ends));
        }
    }
}

/// Writes a row as the engine's reader takes it.
fn write_row(out: &mut Vec<u8>, values: &[String]) {
    if let [only] = values
        && only.is_empty()
    {
        out.extend(b"\"\"");
    }
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        if value.contains([',', '"', '\n', '\r']) {
            out.push(b'"');
            out.extend(value.replace('"', "\"\"").into_bytes());
            out.push(b'"');
        } else {
            out.extend(value.as_bytes());
        }
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests;
