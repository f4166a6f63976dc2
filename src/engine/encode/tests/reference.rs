//! The formats written the plain way: every cell as a JSON value first, and one value after the other.

use super::super::Rows;
use crate::project::TableFormat;
use crate::ty::Type;
use ::csv::WriterBuilder;
use serde_json::{Number, Value};
use std::borrow::Cow;
use std::fmt::Write as _;

/// Asserts that rows look in every format, and at every size, as they do the plain way.
pub(super) fn assert_same(rows: &Rows) {
    let values = rows.values();
    for format in TableFormat::ALL {
        let expected = plain(rows, &values, format);
        let written = rows.write(format, usize::MAX);
        assert_eq!(written.text, expected, "{format:?}");
        assert_eq!(written.rows, values.len());
        let most = expected.len() / 2;
        let kept = fitting(rows, &values, (format, most));
        let cut = rows.write(format, most);
        assert_eq!(cut.rows, kept, "{format:?} at {most}");
        assert_eq!(cut.text, plain(rows, &values[..kept], format), "{format:?} at {most}");
    }
}

fn plain(rows: &Rows, values: &[Vec<Value>], format: TableFormat) -> String {
    let mut text = head(&rows.columns, values.len(), format);
    for row in values {
        push_row(rows, row, (format, &mut text));
    }
    if format == TableFormat::Structured {
        text = format!("{}]", text.strip_suffix(',').unwrap_or(&text));
    }
    text
}

fn fitting(rows: &Rows, values: &[Vec<Value>], (format, most): (TableFormat, usize)) -> usize {
    let mut text = head(&rows.columns, values.len(), format);
    let fits = |row: &&Vec<Value>| {
        push_row(rows, row, (format, &mut text));
        text.len() <= most
    };
    values.iter().take_while(fits).count()
}

fn head(columns: &[(String, Type)], rows: usize, format: TableFormat) -> String {
    match format {
        TableFormat::Markdown => markdown_head(columns),
        TableFormat::Structured => "[".to_owned(),
        TableFormat::Toon => toon_head(columns, rows),
        TableFormat::Csv => csv_line(columns.iter().map(|(name, _)| Cow::Borrowed(name.as_bytes()))),
    }
}

fn push_row(rows: &Rows, row: &[Value], (format, out): (TableFormat, &mut String)) {
    match format {
        TableFormat::Markdown => markdown_row(row, out),
        TableFormat::Structured => {
            let names = rows.columns.iter().map(|(name, _)| name.clone());
            let object = Value::Object(names.zip(row.iter().cloned()).collect());
            out.push_str(&format!("{object},"));
        }
        TableFormat::Toon => toon_row(row, out),
        TableFormat::Csv => out.push_str(&csv_line(row.iter().map(csv_cell))),
    }
}

fn markdown_head(columns: &[(String, Type)]) -> String {
    let mut out = String::from("|");
    for (name, _) in columns {
        push_escaped(name, &mut out);
        out.push('|');
    }
    out.push_str("\n|");
    for (_, ty) in columns {
        out.push_str(if ty.is_numeric() { "---:|" } else { "---|" });
    }
    out
}

fn markdown_row(row: &[Value], out: &mut String) {
    out.push_str("\n|");
    for value in row {
        match value {
            Value::Null => {}
            Value::String(text) => push_escaped(text, out),
            // Writing to a string does not fail.
            Value::Bool(_) | Value::Number(_) => _ = write!(out, "{value}"),
            Value::Array(_) | Value::Object(_) => push_escaped(&value.to_string(), out),
        }
        out.push('|');
    }
}

/// A line break would end the row and `|` the cell; any other control character is shown by its picture.
fn push_escaped(text: &str, out: &mut String) {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '|' => out.push_str("\\|"),
            '\r' => {
                _ = characters.next_if_eq(&'\n');
                out.push_str("<br>");
            }
            '\n' => out.push_str("<br>"),
            '\u{7f}' => out.push('\u{2421}'),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(character)).unwrap()),
            _ if character.is_control() => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    if text.ends_with('\\') {
        out.push(' ');
    }
}

fn toon_head(columns: &[(String, Type)], rows: usize) -> String {
    if rows == 0 {
        return "[0]{}:".to_owned();
    }
    let names: Vec<String> = columns.iter().map(|(name, _)| name_text(name)).collect();
    format!("[{rows}]{{{}}}:", names.join(", "))
}

fn toon_row(row: &[Value], out: &mut String) {
    for (at, value) in row.iter().enumerate() {
        out.push_str(if at == 0 { "\n" } else { ", " });
        match value {
            Value::String(text) if is_bare(text) => out.push_str(text),
            other => push_json(other, out),
        }
    }
}

fn name_text(name: &str) -> String {
    let unclear = |character: char| character.is_control() || matches!(character, ',' | '{' | '}' | '"');
    if name.contains(unclear) { quoted(name) } else { name.to_owned() }
}

/// Whether a text cannot be taken for anything else: `^[A-Za-z_][A-Za-z0-9_:.\-]*$`, but no literal of JSON.
fn is_bare(text: &str) -> bool {
    let starts = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'-'));
    starts && plain && !matches!(text, "null" | "true" | "false")
}

/// JSON with the spaces of Python's `json.dumps` and the keys sorted.
fn push_json(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                push_json(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (at, (key, item)) in entries.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                out.push_str(&quoted(key));
                out.push_str(": ");
                push_json(item, out);
            }
            out.push('}');
        }
        Value::Number(number) => out.push_str(&number_text(number)),
        Value::Null | Value::Bool(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Python's `repr`: the digits of `serde_json`, but exponents of two digits, and below 0.0001 always an exponent.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    let (sign, size) = text.strip_prefix('-').map_or(("", text.as_str()), |size| ("-", size));
    // It still writes 0.00001 so, and an exponent for anything smaller.
    if let Some((first, rest)) = size.strip_prefix("0.0000").and_then(|digits| digits.split_at_checked(1)) {
        let point = if rest.is_empty() { "" } else { "." };
        return format!("{sign}{first}{point}{rest}e-05");
    }
    match text.split_once("e-") {
        Some((mantissa, exponent)) => format!("{mantissa}e-{exponent:0>2}"),
        None => text,
    }
}

fn csv_cell(value: &Value) -> Cow<'_, [u8]> {
    match value {
        Value::Null => Cow::Borrowed(b""),
        Value::String(text) => Cow::Borrowed(text.as_bytes()),
        other => Cow::Owned(other.to_string().into_bytes()),
    }
}

fn csv_line<'a>(cells: impl Iterator<Item = Cow<'a, [u8]>>) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(cells).unwrap();
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}
