//! Looks a CSV file through, as the engine's reader takes it to pieces: for a quote that never ends, and for values
//! that would be changed.

use super::exact::{self, Form};
use super::flaw::Flaw;
use arrow::datatypes::{DataType, FieldRef, Schema};

/// What spreadsheets put before a text in UTF-8.
const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// The longest value that is checked: no number or time is longer.
const LONGEST: usize = 256;

/// How far a CSV file is read.
pub(super) struct Csv {
    delimiter: u8,
    null: Option<String>,
    /// The columns whose values are checked.
    columns: Vec<Option<FieldRef>>,
    state: State,
    /// Whether the record that is read is the one with the columns' names.
    is_header: bool,
    /// The place of the value's column.
    column: usize,
    value: Vec<u8>,
    /// How many bytes were read, up to where a mark ends.
    begun: usize,
    line: u64,
    /// The line that the record begins in, and that of the last quote that began a value.
    record: u64,
    quote: u64,
}

/// Where in a value the reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Plain,
    Quoted,
    /// Behind a quote within quotes: it ends them unless another one follows.
    Closed,
}

impl Csv {
    /// A file of that dialect whose columns are read as those of the schema.
    pub(super) fn new(delimiter: u8, header: bool, null: Option<String>, schema: &Schema) -> Csv {
        // With a text for null the values are cast, which does not say where one is that cannot be.
        let is_cast = null.is_some();
        let is_checked = |ty: &DataType| exact::may_change(ty) || (is_cast && *ty != DataType::Utf8);
        let checked = |field: &FieldRef| is_checked(field.data_type()).then(|| field.clone());
        Csv {
            delimiter,
            null,
            columns: schema.fields().iter().map(checked).collect(),
            state: State::Before,
            is_header: header,
            column: 0,
            value: Vec::new(),
            begun: 0,
            line: 1,
            record: 1,
            quote: 1,
        }
    }

    /// Reads the next bytes.
    ///
    /// Errors: a value that would be changed.
    pub(super) fn go_on(&mut self, part: &[u8]) -> Result<(), Flaw> {
        for byte in part {
            if self.begun < MARK.len() {
                let is_mark = MARK.get(self.begun) == Some(byte);
                self.begun = if is_mark { self.begun + 1 } else { MARK.len() };
                if is_mark {
                    continue;
                }
            }
            self.byte(*byte)?;
            self.line += u64::from(*byte == b'\n');
        }
        Ok(())
    }

    fn byte(&mut self, byte: u8) -> Result<(), Flaw> {
        let is_end = byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        match (self.state, byte) {
            (State::Before, b'"') => {
                self.begin();
                (self.state, self.quote) = (State::Quoted, self.line);
            }
            (State::Quoted, b'"') => self.state = State::Closed,
            (State::Closed, b'"') => {
                self.state = State::Quoted;
                self.keep(byte);
            }
            (State::Quoted, _) => self.keep(byte),
            _ if is_end => return self.end_value(byte),
            (State::Before, _) => {
                self.begin();
                self.state = State::Plain;
                self.keep(byte);
            }
            _ => {
                self.state = State::Plain;
                self.keep(byte);
            }
        }
        Ok(())
    }

    fn begin(&mut self) {
        if self.column == 0 {
            self.record = self.line;
        }
    }

    fn keep(&mut self, byte: u8) {
        let is_checked = self.columns.get(self.column).is_some_and(Option::is_some);
        if is_checked && self.value.len() < LONGEST {
            self.value.push(byte);
        }
    }

    /// Ends a value at a delimiter or a line end.
    fn end_value(&mut self, byte: u8) -> Result<(), Flaw> {
        if self.state == State::Before {
            self.begin();
        }
        let is_blank = self.state == State::Before && self.column == 0;
        self.state = State::Before;
        if byte == self.delimiter {
            self.check()?;
            self.column += 1;
        } else if !is_blank {
            self.check()?;
            self.column = 0;
            self.is_header = false;
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Flaw> {
        let Some(Some(field)) = self.columns.get(self.column) else { return Ok(()) };
        let value = String::from_utf8_lossy(&self.value);
        let is_null = value.is_empty() || self.null.as_deref() == Some(&*value);
        let checked = if self.is_header || is_null {
            Ok(())
        } else {
            exact::check(&value, Form::Text, field).map_err(|why| {
                let (column, line, value) = (field.name(), self.record, exact::quoted(&value));
                format!("column `{column}` holds {value} in line {line}, {why}").into()
            })
        };
        self.value.clear();
        checked
    }

    /// Checks the end of the file.
    ///
    /// Errors: it lies within quotes.
    pub(super) fn end(&mut self) -> Result<(), Flaw> {
        if self.state == State::Quoted {
            return Err(format!("the quote that begins in line {} never ends", self.quote).into());
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::{Field, TimeUnit};

    fn looked_through(text: &str) -> Result<(), String> {
        let fields = vec![
            Field::new("id", DataType::Utf8, true),
            Field::new("cost", DataType::Decimal128(10, 2), true),
            Field::new("at", DataType::Timestamp(TimeUnit::Second, None), true),
        ];
        let looked = |size: usize| {
            let mut csv = Csv::new(b',', true, Some("NA".to_owned()), &Schema::new(fields.clone()));
            text.as_bytes().chunks(size).try_for_each(|part| csv.go_on(part)).and_then(|()| csv.end())
        };
        assert_eq!(looked(1), looked(1000));
        looked(3).map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn values_that_are_kept_pass() {
        let fine =
            "\u{feff}\"id\",cost,at\r\n\r\n1,1.25,2024-01-01 10:00:00\r\n\"a \"\"b\"\"\",NA,\n5\" pipe,,NA\n1,\"1.5\",";
        assert_eq!(looked_through(fine), Ok(()));
        assert_eq!(looked_through(""), Ok(()));
    }

    #[test]
    fn a_value_that_would_be_changed_is_told_with_its_line() {
        let why = looked_through("id,cost,at\n2,1.2,\n\"a\nb\",1.255,\n").unwrap_err();
        assert_eq!(
            why,
            "column `cost` holds `1.255` in line 3, which has more digits than type decimal(10,2) has places for"
        );
        let why = looked_through("id,cost,at\n2,,2024-01-01T00:00:00+02:00").unwrap_err();
        assert!(
            why.starts_with("column `at` holds `2024-01-01T00:00:00+02:00` in line 2, which has an offset"),
            "{why}"
        );
    }

    #[test]
    fn a_quote_that_never_ends_is_told() {
        let why = looked_through("id,cost,at\n1,2,\n\"a,3,\nb,4,\n").unwrap_err();
        assert_eq!(why, "the quote that begins in line 3 never ends");
        assert_eq!(looked_through("id,cost,at\n\"a\"\"\",3,"), Ok(()));
    }
}
