//! What a format says of itself.

use crate::ty::Type;
use serde_json::Value;

/// What is written once for all rows.
pub(super) struct Frame {
    /// The columns that are written, by position, each with the text before its cells.
    pub before: Vec<(usize, String)>,
    /// The text behind the last cell of a row.
    pub end: &'static str,
}

impl Frame {
    /// A guess at the bytes of a row, to reserve memory for.
    pub(super) fn row_bytes(&self) -> usize {
        let before: usize = self.before.iter().map(|(_, before)| before.len() + 12).sum();
        before + self.end.len()
    }

    /// The frame of a row whose cells have `first` before the first of them and `between` before all others.
    pub(super) fn of(columns: &[(String, Type)], [first, between, end]: [&'static str; 3]) -> Frame {
        let before = (0..columns.len()).map(|at| (at, if at == 0 { first } else { between }.to_owned()));
        Frame { before: before.collect(), end }
    }
}

/// How rows look.
pub(super) trait Format {
    /// Around text of digits and punctuation, which no format has to escape.
    const QUOTE: &'static str;
    /// A cell of null.
    const NULL: &'static str;
    /// A row whose cells have no text.
    const EMPTY_ROW: &'static str = "";

    /// What stands before `rows` rows.
    fn head(columns: &[(String, Type)], rows: usize) -> String;

    /// What stands around the cells of every row.
    fn frame(columns: &[(String, Type)]) -> Frame;

    /// Appends a cell of any text.
    fn text(text: &str, out: &mut String);

    /// Appends a cell of a list or an object.
    fn nested(value: &Value, out: &mut String);

    /// Appends a cell of a double, given in the digits of `serde_json`.
    fn double(digits: &str, out: &mut String) {
        out.push_str(digits);
    }

    /// Appends a cell of any value.
    fn value(value: &Value, out: &mut String) {
        match value {
            Value::Null => out.push_str(Self::NULL),
            Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) if number.is_f64() => Self::double(&number.to_string(), out),
            Value::Number(number) => out.push_str(&number.to_string()),
            Value::String(text) => Self::text(text, out),
            Value::Array(_) | Value::Object(_) => Self::nested(value, out),
        }
    }

    /// Whether a text is written as another one that a reader cannot tell from it.
    fn is_changed(_: &str) -> bool {
        false
    }

    /// Whether a text may have been, as far as what was written shows.
    fn may_be_changed(_: &str) -> bool {
        false
    }

    /// Ends the text.
    fn close(_: &mut String) {}
}
