//! Looks a CSV file through, as the engine's reader takes it to pieces: for quotes that do not end a value, for rows that
//! would be left out, and for values that would be changed or are none of their column's type.

use super::super::quoting::{Broken, Place, Sign, Step};
use super::exact;
use super::flaw::Flaw;
use super::forms::{self, Form};
use arrow::datatypes::{DataType, FieldRef, Schema};
use std::mem;

/// What spreadsheets put before a text in UTF-8.
const MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// What can be done about a quote.
const QUOTES: &str = "write `\"\"` for one in it, or say `quote: \"\"` where quotes are signs as any other";

/// How far a CSV file is read.
pub(super) struct Csv {
    delimiter: u8,
    /// A text for null, with which the values are cast.
    null: Option<String>,
    /// The columns whose values are checked.
    columns: Vec<Option<FieldRef>>,
    place: Place,
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
    /// Whether the byte before was the first of a line end of two.
    after_return: bool,
    /// The first empty line behind the last record, in a file of one column.
    empty: Option<u64>,
    /// What is wrong with a value of the record. Whether it has all of its values shows at its end.
    wrong: Option<Flaw>,
}

impl Csv {
    /// A file of that dialect whose columns are read as those of the schema.
    pub(super) fn new(delimiter: u8, header: bool, null: Option<String>, schema: &Schema) -> Csv {
        let checked = |field: &FieldRef| (!forms::takes_any_text(field)).then(|| field.clone());
        Csv {
            delimiter,
            null,
            columns: schema.fields().iter().map(checked).collect(),
            place: Place::Before,
            is_header: header,
            column: 0,
            value: Vec::new(),
            begun: 0,
            line: 1,
            record: 1,
            quote: 1,
            after_return: false,
            empty: None,
            wrong: None,
        }
    }

    /// Reads the next bytes.
    ///
    /// Errors: a value that would be changed or is none of its column's type; a record of too few or too many values, or
    /// that follows an empty one; a quote inside of a value that begins with one.
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
        let after_return = mem::replace(&mut self.after_return, byte == b'\r');
        let is_before = self.place == Place::Before;
        if is_before && byte == b'\n' && after_return && self.column == 0 {
            return Ok(());
        }
        let sign = match byte {
            b'"' => Sign::Quote,
            b'\n' | b'\r' => Sign::LineEnd,
            _ if byte == self.delimiter => Sign::Delimiter,
            _ => Sign::Other,
        };
        let (step, behind) = self.place.step(sign).map_err(|Broken| {
            let line = self.quote;
            Flaw::from(format!("the quote that begins in line {line} ends within its value; {QUOTES}"))
        })?;
        if matches!(step, Step::EndsValue | Step::EndsRecord) {
            return self.end_value(byte);
        }
        if is_before {
            self.begin();
        }
        match step {
            Step::Quotes if is_before => self.quote = self.line,
            Step::Kept => self.keep(byte),
            _ => {}
        }
        self.place = behind;
        Ok(())
    }

    fn begin(&mut self) {
        if self.column == 0 {
            self.record = self.line;
        }
    }

    fn keep(&mut self, byte: u8) {
        let Some(Some(field)) = self.columns.get(self.column) else { return };
        if self.value.len() < forms::longest(field) {
            self.value.push(byte);
        }
    }

    /// Ends a value at a delimiter or a line end.
    fn end_value(&mut self, byte: u8) -> Result<(), Flaw> {
        let is_empty = self.place == Place::Before && self.column == 0 && byte != self.delimiter;
        if is_empty {
            let is_row = self.columns.len() == 1 && !self.is_header;
            self.empty = self.empty.or(is_row.then_some(self.line));
            return Ok(());
        }
        if self.place == Place::Before {
            self.begin();
        }
        self.place = Place::Before;
        self.check();
        if byte == self.delimiter {
            self.column += 1;
            return Ok(());
        }
        self.end_record()
    }

    fn end_record(&mut self) -> Result<(), Flaw> {
        let (values, columns) = (self.column + 1, self.columns.len());
        self.column = 0;
        self.is_header = false;
        let wrong = self.wrong.take();
        if let Some(line) = self.empty {
            let why = format!("line {line} is empty and would be left out; write `\"\"` for a row without a value");
            return Err(why.into());
        }
        if values != columns {
            let line = self.record;
            return Err(format!("line {line} has {values} values where there are {columns} columns").into());
        }
        wrong.map_or(Ok(()), Err)
    }

    fn check(&mut self) {
        let Some(Some(field)) = self.columns.get(self.column) else { return };
        let value = String::from_utf8_lossy(&self.value);
        let is_null = value.is_empty() || self.null.as_deref() == Some(&*value);
        if !self.is_header && !is_null && self.wrong.is_none() {
            self.wrong = self.check_value(&value, field).err();
        }
        self.value.clear();
    }

    fn check_value(&self, value: &str, field: &FieldRef) -> Result<(), Flaw> {
        let ty = field.data_type();
        // With a text for null a value is cast, which leaves blanks out.
        let padded = if self.null.is_none() { exact::check_unpadded(value, ty).err() } else { None };
        let checked = match (ty, &padded) {
            (_, Some(why)) => Err(why.clone()),
            (DataType::Boolean, _) if is_boolean(value, self.null.as_ref()) => Ok(()),
            (DataType::Boolean, _) => Err(exact::no_value(ty)),
            _ => exact::check(value, Form::Text, field),
        };
        checked.map_err(|why| {
            let (column, line, value) = (field.name(), self.record, exact::quoted(value));
            let is_none = padded.is_some() || why == exact::no_value(ty);
            let of_inferred = if is_none && !forms::is_declared(field) {
                ": nobody declared that type, it is that of values before; declare `text` to have all as they are"
            } else {
                ""
            };
            format!("column `{column}` holds {value} in line {line}, {why}{of_inferred}").into()
        })
    }

    /// Checks the end of the file.
    ///
    /// Errors: it lies within quotes.
    pub(super) fn end(&mut self) -> Result<(), Flaw> {
        if self.place == Place::Quoted {
            let why = format!("the quote that begins in line {} never ends; {QUOTES}", self.quote);
            return Err(why.into());
        }
        if self.place == Place::Before && self.column == 0 {
            return Ok(());
        }
        self.check();
        self.end_record()
    }
}

/// Whether a reader takes a text for true or false: with a text for null that is a cast, which knows more words.
fn is_boolean(text: &str, null: Option<&String>) -> bool {
    let is_one_of = |words: &[&str]| words.iter().any(|word| text.trim().eq_ignore_ascii_case(word));
    match null {
        None => text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false"),
        Some(_) => is_one_of(&[
            "t", "tr", "tru", "true", "y", "ye", "yes", "on", "1", "f", "fa", "fal", "fals", "false", "n", "no", "of",
            "off", "0",
        ]),
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

    fn of_one_column(text: &str, field: Field) -> Result<(), String> {
        let mut csv = Csv::new(b',', true, None, &Schema::new(vec![field]));
        csv.go_on(text.as_bytes()).and_then(|()| csv.end()).map_err(|flaw| flaw.to_string())
    }

    #[test]
    fn an_empty_line_is_no_row_of_one_column() {
        let looked = |text: &str| of_one_column(text, Field::new("a", DataType::Utf8, true));
        for fine in ["a\nx\n\n\n", "a\r\nx\r\n\r\n", "\na\nx\n\"\"\ny", "a\r\n\"x\"\r\ny", "a\n"] {
            assert_eq!(looked(fine), Ok(()), "{fine:?}");
        }
        for lost in ["a\n\nx\n", "a\r\n\r\nx", "a\r\n\r\n\"\"\r\n"] {
            let why = looked(lost).unwrap_err();
            assert_eq!(why, "line 2 is empty and would be left out; write `\"\"` for a row without a value");
        }
    }

    #[test]
    fn a_value_of_another_type_is_told_with_what_can_be_done() {
        let number = Field::new("a", DataType::Int64, true);
        let why = of_one_column("a\n1\nx7\n", number.clone()).unwrap_err();
        assert!(
            why.starts_with("column `a` holds `x7` in line 3, which is not a value of type bigint: nobody"),
            "{why}"
        );
        let why = of_one_column("a\n2.0\n", forms::declared(&number)).unwrap_err();
        assert_eq!(why, "column `a` holds `2.0` in line 2, which is not a value of type bigint");
        for more in ["01234", "-007", "+5"] {
            let text = format!("a\n1\n{more}\n");
            let why = of_one_column(&text, number.clone()).unwrap_err();
            let end = "does not keep as it is written; declare `text` to keep it, or `bigint` for the number alone";
            assert!(why.ends_with(end), "{why}");
            assert_eq!(of_one_column(&text, forms::declared(&number)), Ok(()));
        }
        let double = Field::new("a", DataType::Float64, true);
        assert!(of_one_column("a\n007.5\n", double.clone()).is_err());
        assert!(of_one_column("a\n1e-400\n", forms::declared(&double)).is_err());
        for fine in ["0.5", "0", "-0", "0e-400", "1e-300"] {
            assert_eq!(of_one_column(&format!("a\n{fine}\n"), double.clone()), Ok(()), "{fine}");
        }
        let boolean = Field::new("a", DataType::Boolean, true);
        assert_eq!(of_one_column("a\nTRUE\nfalse\n", boolean.clone()), Ok(()));
        assert!(of_one_column("a\nyes\n", boolean).is_err());
    }

    #[test]
    fn blanks_around_a_number_are_told_with_their_line() {
        let number = Field::new("a", DataType::Decimal128(5, 2), true);
        let why = of_one_column("a\n1.25\n 1.5\n", number.clone()).unwrap_err();
        assert!(why.starts_with("column `a` holds ` 1.5` in line 3, with blanks around it"), "{why}");
        let why = of_one_column("a\n1.5 \n", forms::declared(&number));
        assert_eq!(
            why.unwrap_err(),
            "column `a` holds `1.5 ` in line 2, with blanks around it, which is not a value of type decimal(5,2)"
        );
    }

    #[test]
    fn a_record_has_as_many_values_as_there_are_columns() {
        let why = looked_through("id,cost,at\na,b,1.5,\n").unwrap_err();
        assert_eq!(why, "line 2 has 4 values where there are 3 columns");
        assert_eq!(looked_through("id,cost,at\nx").unwrap_err(), "line 2 has 1 values where there are 3 columns");
    }

    #[test]
    fn a_quote_ends_its_value() {
        for text in ["id,cost,at\n\"x\"y\",2,\n", "id,cost,at\n\"x\" ,2,\n"] {
            let why = looked_through(text).unwrap_err();
            assert!(why.starts_with("the quote that begins in line 2 ends within its value; write `\"\"`"), "{why}");
        }
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
        assert!(why.starts_with("the quote that begins in line 3 never ends; "), "{why}");
        assert_eq!(looked_through("id,cost,at\n\"a\"\"\",3,"), Ok(()));
    }
}
