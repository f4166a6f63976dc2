//! The locked form of a table's schema: `snapshots/tables/<table>.snap`.
//!
//! insta's file format (a header, `---`, the content), so that the tools people have for snapshots read it. The content
//! is one line a column: name, SQL type, `not null`, and the Arrow type in brackets where the SQL type alone does not
//! say it. Made for reading in a pull request and read back exactly.

use super::{Column, Table};
use crate::ty::Type;
use arrow::datatypes::DataType;

/// A line of a locked table that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// First byte of the line in the file.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// Writes a table's lock.
pub fn write(name: &str, table: &Table) -> String {
    let mut out = format!("---\nsource: qtool.yaml\nexpression: tables.{name}\n---\n");
    for column in &table.columns {
        out.push_str(&line(column));
        out.push('\n');
    }
    out
}

fn line(column: &Column) -> String {
    let name = quoted(&column.name);
    let null = if column.nullable { "" } else { " not null" };
    match column.ty() {
        Some(ty) if ty.to_arrow() == column.arrow => format!("{name} {ty}{null}"),
        Some(ty) => format!("{name} {ty}{null} [{}]", column.arrow),
        None => format!("{name} unsupported{null} [{}]", column.arrow),
    }
}

/// A name bare where it is a plain word, else as a JSON string.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}

/// Reads a table's lock.
pub fn read(text: &str) -> Result<Table, BadLine> {
    let content = content_start(text).unwrap_or(0);
    let mut at = content;
    let mut columns = Vec::new();
    for raw in text.get(content..).unwrap_or_default().split_inclusive('\n') {
        let bad = BadLine { start: at, end: at + raw.trim_end().len() };
        at += raw.len();
        if !raw.trim().is_empty() {
            columns.push(column(raw.trim_end()).ok_or(bad)?);
        }
    }
    Ok(Table { columns })
}

fn content_start(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("---\n")?;
    Some("---\n".len() + rest.find("\n---\n")? + "\n---\n".len())
}

fn column(line: &str) -> Option<Column> {
    let (name, rest) = if line.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(line).into_iter::<String>();
        let name = stream.next()?.ok()?;
        (name, line.get(stream.byte_offset()..)?)
    } else {
        let (name, rest) = line.split_once(' ')?;
        (name.to_owned(), rest)
    };
    let (rest, arrow) = match rest.split_once(" [") {
        Some((rest, arrow)) => (rest, Some(arrow.strip_suffix(']')?)),
        None => (rest, None),
    };
    let (ty, nullable) = match rest.trim().strip_suffix(" not null") {
        Some(ty) => (ty, false),
        None => (rest.trim(), true),
    };
    let arrow = match arrow {
        Some(arrow) => arrow.parse::<DataType>().ok()?,
        None => Type::parse(ty).ok()?.to_arrow(),
    };
    Some(Column { name, arrow, nullable })
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::{Field, TimeUnit};
    use std::sync::Arc;

    #[test]
    fn a_locked_table_reads_back_as_itself() {
        let columns = [
            ("id", DataType::Int64, false),
            ("name with space", DataType::Utf8View, true),
            ("größe", DataType::Utf8, true),
            ("at", DataType::Timestamp(TimeUnit::Nanosecond, None), true),
            ("seen", DataType::Timestamp(TimeUnit::Millisecond, Some("Europe/Berlin".into())), true),
            ("small", DataType::UInt8, true),
            ("tags", DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))), true),
            ("kind", DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)), true),
            ("price", DataType::Decimal128(10, 2), false),
            (
                "place",
                DataType::Struct(
                    vec![Field::new("lat", DataType::Float64, true), Field::new("x y", DataType::Int8, false)].into(),
                ),
                true,
            ),
            ("nothing", DataType::Null, true),
        ];
        let table = Table {
            columns: columns
                .into_iter()
                .map(|(name, arrow, nullable)| Column { name: name.to_owned(), arrow, nullable })
                .collect(),
        };
        let text = write("t", &table);
        assert_eq!(read(&text), Ok(table), "{text}");
    }

    #[test]
    fn a_broken_line_is_named() {
        let text = "---\nsource: x\n---\nid bigint\nname wordy\n";
        let bad = read(text).unwrap_err();
        assert_eq!(text.get(bad.start..bad.end), Some("name wordy"));
    }
}
