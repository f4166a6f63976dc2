//! What a program writes or a service answers, read as the columns of its tool: each value is checked against the type of its column.

mod row;

use crate::project::OutputForm;
use crate::tool::OutputColumn;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName};
use datafusion::arrow::array::{ArrayRef, new_null_array};
use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::common::{DataFusionError, ScalarValue};
use row::Row;
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use std::str::Utf8Error;
use std::sync::Arc;

/// The most rows that are read of an output; a program that writes more is asked too much.
const MOST_ROWS: usize = 1_000_000;

/// Why an output cannot be read.
#[derive(Debug)]
pub(super) enum Flaw {
    NotUtf8(Utf8Error),
    /// It is no JSON, or not the JSON that was expected.
    Json(Option<usize>, serde_json::Error),
    Csv(csv::Error),
    /// A quoted cell of CSV that does not end, or goes on behind its end.
    Quotes,
    /// There is nothing at the place that `rows` names.
    NoRows(String),
    /// It is another kind of value than rows.
    NotRows,
    /// A row has a column that is not declared.
    UnknownColumn {
        row: usize,
        name: String,
    },
    /// A CSV output has no column of that name.
    NoColumn(String),
    /// A name stands twice in the first line of a CSV output.
    ColumnTwice(String),
    /// A value is not of its column's type.
    Value {
        row: usize,
        column: String,
        expected: String,
        got: String,
    },
    /// A document is not what its schema says.
    Schema(String),
    TooManyRows,
    Engine(DataFusionError),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::NotUtf8(error) => write!(f, "the output is not UTF-8: {error}"),
            Flaw::Json(Some(line), error) => write!(f, "line {line} of the output is not a JSON object: {error}"),
            Flaw::Json(None, error) => write!(f, "the output is not the JSON that was expected: {error}"),
            Flaw::Csv(error) => write!(f, "the output is no CSV: {error}"),
            Flaw::Quotes => {
                f.write_str("the output is no CSV: a quote is not closed, or something follows a closed one")
            }
            Flaw::NoRows(pointer) => write!(f, "the output has nothing at `{pointer}`"),
            Flaw::NotRows => f.write_str("the output is neither a list of objects nor an object"),
            Flaw::UnknownColumn { row, name } => {
                write!(f, "row {row} of the output has `{name}`, which `columns` does not declare")
            }
            Flaw::NoColumn(name) => write!(f, "the output has no column `{name}`"),
            Flaw::ColumnTwice(name) => write!(f, "the output has the column `{name}` twice"),
            Flaw::Value { row, column, expected, got } => {
                write!(f, "`{column}` in row {row} of the output is {got}, and not {expected}")
            }
            Flaw::Schema(why) => write!(f, "the output is not what `output_schema` says: {why}"),
            Flaw::TooManyRows => write!(f, "the output has more than {MOST_ROWS} rows"),
            Flaw::Engine(error) => write!(f, "{error}"),
        }
    }
}

/// How an output is read.
pub(super) struct Reading<'a> {
    pub(super) columns: &'a [OutputColumn],
    /// Rows at most that anybody will see: those behind them are checked, and not kept.
    pub(super) most: Option<u64>,
    pub(super) time_zone: &'a TimeZoneName,
}

impl Reading<'_> {
    /// The rows of an output.
    pub(super) fn batches(
        &self,
        form: OutputForm,
        rows: Option<&str>,
        output: &[u8],
    ) -> Result<Vec<RecordBatch>, Flaw> {
        let text = std::str::from_utf8(output).map_err(Flaw::NotUtf8)?;
        // Some programs begin with a mark of their encoding.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut table = Table::new(self)?;
        match form {
            OutputForm::Text => table.push(vec![Some(ScalarValue::from(text.trim_end_matches(['\n', '\r'])))])?,
            OutputForm::Json => self.json(found(text, rows)?, &mut table)?,
            OutputForm::Document => {
                // That it has no name twice is none of its reader's business: the last one counts, as in JSON.
                let value: Value =
                    serde_json::from_str(found(text, rows)?.get()).map_err(|error| Flaw::Json(None, error))?;
                table.document(&value)?;
            }
            OutputForm::Any => {
                let value = match found(text, rows) {
                    Ok(raw) => serde_json::from_str(raw.get()).map_err(|error| Flaw::Json(None, error))?,
                    Err(Flaw::Json(..)) => Value::from(text.trim_end_matches(['\n', '\r'])),
                    Err(flaw) => return Err(flaw),
                };
                table.document(&value)?;
            }
            OutputForm::Ndjson => {
                let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
                for (at, line) in lines {
                    let row: Row<'_> = serde_json::from_str(line).map_err(|error| Flaw::Json(Some(at + 1), error))?;
                    self.row(&row, &mut table)?;
                }
            }
            OutputForm::Csv => self.csv(text, &mut table)?,
        }
        table.finish()
    }

    fn json(&self, found: &RawValue, table: &mut Table<'_>) -> Result<(), Flaw> {
        let json = |error| Flaw::Json(None, error);
        match found.get().trim_start().chars().next() {
            Some('[') => {
                let rows: Vec<Row<'_>> = serde_json::from_str(found.get()).map_err(json)?;
                rows.iter().try_for_each(|row| self.row(row, table))
            }
            Some('{') => self.row(&serde_json::from_str(found.get()).map_err(json)?, table),
            _ => Err(Flaw::NotRows),
        }
    }

    /// Takes in an object; what it does not have is null.
    fn row(&self, row: &Row<'_>, table: &mut Table<'_>) -> Result<(), Flaw> {
        let number = table.read + 1;
        if let Some(name) = row.0.keys().find(|name| !self.columns.iter().any(|column| column.name == **name)) {
            return Err(Flaw::UnknownColumn { row: number, name: name.clone() });
        }
        let cells = self.columns.iter().map(|column| match row.0.get(&column.name) {
            Some(raw) => self.cell(column, value_of(raw, &column.ty)?, number),
            None => Ok(None),
        });
        let cells = cells.collect::<Result<Vec<_>, _>>()?;
        table.push(cells)
    }

    fn cell(&self, column: &OutputColumn, value: Value, row: usize) -> Result<Option<ScalarValue>, Flaw> {
        if value.is_null() && column.ty != Type::Json {
            return Ok(None);
        }
        let coercion = Coercion { strictness: Strictness::Lax, time_zone: self.time_zone.clone() };
        let wrong = |expected: String, got: String| Flaw::Value { row, column: column.name.clone(), expected, got };
        column.ty.coerce(&value, &coercion).map(Some).map_err(|mismatch| wrong(mismatch.expected, mismatch.got))
    }

    fn csv(&self, text: &str, table: &mut Table<'_>) -> Result<(), Flaw> {
        if !is_well_quoted(text) {
            return Err(Flaw::Quotes);
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(true).from_reader(text.as_bytes());
        let names: Vec<String> = reader.headers().map_err(Flaw::Csv)?.iter().map(str::to_owned).collect();
        for (at, name) in names.iter().enumerate() {
            if names.iter().take(at).any(|other| other == name) {
                return Err(Flaw::ColumnTwice(name.clone()));
            }
            if !self.columns.iter().any(|column| column.name == *name) {
                return Err(Flaw::UnknownColumn { row: 0, name: name.clone() });
            }
        }
        let place = |column: &OutputColumn| names.iter().position(|name| *name == column.name);
        let missing = self.columns.iter().find(|column| place(column).is_none());
        if let Some(column) = missing {
            return Err(Flaw::NoColumn(column.name.clone()));
        }
        let places: Vec<Option<usize>> = self.columns.iter().map(place).collect();
        for record in reader.records() {
            let record = record.map_err(Flaw::Csv)?;
            let number = table.read + 1;
            let cells = self.columns.iter().zip(&places).map(|(column, at)| {
                let text = at.and_then(|at| record.get(at)).unwrap_or_default();
                match (&column.ty, text) {
                    // As in tables of CSV.
                    (_, "") => Ok(None),
                    (Type::Text, text) => Ok(Some(ScalarValue::from(text))),
                    (Type::Json, text) => match serde_json::from_str(text) {
                        Ok(value) => self.cell(column, value, number),
                        Err(_) => self.cell(column, Value::from(text), number),
                    },
                    (_, text) => self.cell(column, Value::from(text), number),
                }
            });
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            table.push(cells)?;
        }
        Ok(())
    }
}

/// Whether every quoted cell of CSV ends, and nothing follows before the next comma or line (RFC 4180).
fn is_well_quoted(text: &str) -> bool {
    let (mut inside, mut is_start) = (false, true);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (inside, letter) {
            (true, '"') if letters.peek() == Some(&'"') => drop(letters.next()),
            (true, '"') => {
                inside = false;
                if !matches!(letters.peek(), None | Some(',' | '\n' | '\r')) {
                    return false;
                }
            }
            (true, _) => {}
            (false, '"') if is_start => inside = true,
            (false, _) => {}
        }
        is_start = !inside && matches!(letter, ',' | '\n' | '\r');
    }
    !inside
}

/// What a document has at a pointer.
fn found<'a>(text: &'a str, pointer: Option<&str>) -> Result<&'a RawValue, Flaw> {
    let mut found: &RawValue = serde_json::from_str(text.trim()).map_err(|error| Flaw::Json(None, error))?;
    for name in pointer.unwrap_or_default().split('/').skip(1) {
        let name = name.replace("~1", "/").replace("~0", "~");
        found = step(found, &name).ok_or_else(|| Flaw::NoRows(pointer.unwrap_or_default().to_owned()))?;
    }
    Ok(found)
}

/// What an object or a list has under a name.
fn step<'a>(value: &'a RawValue, name: &str) -> Option<&'a RawValue> {
    match value.get().trim_start().chars().next()? {
        '{' => serde_json::from_str::<Row<'a>>(value.get()).ok()?.0.get(name).copied(),
        '[' => {
            let is_number = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_digit());
            let is_plain = name == "0" || !name.starts_with('0');
            let at: usize = name.parse().ok().filter(|_| is_number && is_plain)?;
            serde_json::from_str::<Vec<&'a RawValue>>(value.get()).ok()?.get(at).copied()
        }
        _ => None,
    }
}

/// The value of a cell. A number that is read as a decimal keeps all of its digits.
fn value_of(raw: &RawValue, ty: &Type) -> Result<Value, Flaw> {
    let text = raw.get();
    let is_number = text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '-');
    match ty {
        Type::Decimal(..) if is_number && !text.contains(['e', 'E']) => Ok(Value::from(text)),
        _ => serde_json::from_str(text).map_err(|error| Flaw::Json(None, error)),
    }
}

/// The rows that are kept.
struct Table<'a> {
    columns: &'a [OutputColumn],
    /// What a document is held to.
    schema: Option<jsonschema::Validator>,
    most: Option<u64>,
    cells: Vec<Vec<ScalarValue>>,
    read: usize,
}

impl<'a> Table<'a> {
    fn new(reading: &Reading<'a>) -> Result<Table<'a>, Flaw> {
        let cells = reading.columns.iter().map(|_| Vec::new()).collect();
        let schema = reading.columns.first().and_then(|column| column.schema.as_ref());
        let schema = schema.map(jsonschema::validator_for).transpose();
        let schema = schema.map_err(|error| Flaw::Schema(error.to_string()))?;
        Ok(Table { columns: reading.columns, schema, most: reading.most, cells, read: 0 })
    }

    /// Takes in a document, which is the one row.
    fn document(&mut self, value: &Value) -> Result<(), Flaw> {
        if let Some(error) = self.schema.as_ref().and_then(|schema| schema.validate(value).err()) {
            let place = error.instance_path().to_string();
            return Err(Flaw::Schema(if place.is_empty() { error.to_string() } else { format!("`{place}`: {error}") }));
        }
        self.push(vec![Some(ScalarValue::from(value.to_string()))])
    }

    fn push(&mut self, row: Vec<Option<ScalarValue>>) -> Result<(), Flaw> {
        self.read += 1;
        if self.read > MOST_ROWS {
            return Err(Flaw::TooManyRows);
        }
        if self.most.is_some_and(|most| self.read as u64 > most) {
            return Ok(());
        }
        for ((cells, value), column) in self.cells.iter_mut().zip(row).zip(self.columns) {
            let null = || ScalarValue::try_from(&column.ty.to_arrow()).map_err(Flaw::Engine);
            cells.push(value.map_or_else(null, Ok)?);
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<RecordBatch>, Flaw> {
        let arrow = |error: ArrowError| Flaw::Engine(DataFusionError::ArrowError(Box::new(error), None));
        let field = |column: &OutputColumn| Field::new(&column.name, column.ty.to_arrow(), true);
        let schema = Arc::new(Schema::new(self.columns.iter().map(field).collect::<Vec<_>>()));
        let array = |(cells, column): (Vec<ScalarValue>, &OutputColumn)| -> Result<ArrayRef, Flaw> {
            if cells.is_empty() {
                return Ok(new_null_array(&column.ty.to_arrow(), 0));
            }
            ScalarValue::iter_to_array(cells).map_err(Flaw::Engine)
        };
        let arrays = self.cells.into_iter().zip(self.columns).map(array).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![RecordBatch::try_new(schema, arrays).map_err(arrow)?])
    }
}

#[cfg(test)]
mod tests {
    use super::is_well_quoted;

    #[test]
    fn quotes_of_csv_are_closed() {
        for text in ["a,b\n1,2\n", "\"a\",\"b \"\"c\"\"\"\r\n\"x\ny\",2", "", "a\"b,c", "\"\",\"\""] {
            assert!(is_well_quoted(text), "{text}");
        }
        for text in ["a,\"b\n2,3\n", "\"x\"y,1", "\""] {
            assert!(!is_well_quoted(text), "{text}");
        }
    }
}
