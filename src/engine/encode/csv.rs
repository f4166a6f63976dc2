//! CSV as RFC 4180 has it, with `\n` between the lines.
//!
//! Text that a spreadsheet would run as a formula stays as it is: what is returned is the data.

use crate::ty::Type;
use ::csv::WriterBuilder;
use serde_json::Value;
use std::borrow::Cow;

/// The line of names.
pub(super) fn head(columns: &[(String, Type)]) -> String {
    let mut out = String::new();
    push_line(columns.iter().map(|(name, _)| Cow::Borrowed(name.as_bytes())), &mut out);
    out
}

/// The line of a row.
pub(super) fn row(row: &[Value], out: &mut String) {
    push_line(row.iter().map(cell), out);
}

fn cell(value: &Value) -> Cow<'_, [u8]> {
    match value {
        Value::Null => Cow::Borrowed(b""),
        Value::String(text) => Cow::Borrowed(text.as_bytes()),
        other => Cow::Owned(other.to_string().into_bytes()),
    }
}

fn push_line<'a>(cells: impl Iterator<Item = Cow<'a, [u8]>>, out: &mut String) {
    match line(cells) {
        Some(line) => out.push_str(&line),
        None => unreachable!("writing UTF-8 to memory does not fail"),
    }
}

fn line<'a>(cells: impl Iterator<Item = Cow<'a, [u8]>>) -> Option<String> {
    // The default buffer is meant for files.
    let mut writer = WriterBuilder::new().buffer_capacity(256).from_writer(Vec::new());
    writer.write_record(cells).ok()?;
    String::from_utf8(writer.into_inner().ok()?).ok()
}
