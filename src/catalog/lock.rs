//! The locked form of a table's schema: `snapshots/tables/<table>.snap`.
//!
//! insta's file format (a header, `---`, the content), so that the tools people have for snapshots read it. The header
//! says how many columns follow, so that a file that was cut is not taken for a smaller table. The content is one line a
//! column: name, SQL type, `not null`, and the Arrow type in brackets where the SQL type alone does not say it. Of a table in
//! a database the header says which it is there, and each line ends with the column's own name and type in braces. Made
//! for reading in a pull request and read back exactly.

use super::{Column, DatabaseKind, Native, NativeColumn, Table};
use crate::in_words::in_words;
use crate::ty::Type;
use arrow::datatypes::DataType;

in_words! {
    /// Why the lock of a table cannot be read: "its line 6 is no column".
    pub struct BadLock;
}

const SOURCE: &str = "source";
const EXPRESSION: &str = "expression";
const COLUMNS: &str = "columns";
/// What the expressions of tables begin with, and of databases, before that of a table which is there because of them.
const TABLES: &str = "tables.";
const SOURCES: &str = "sources.";
/// Of tables in a database: the kind of database, the table's name there, its key, and what else is to be known of it.
const ENGINE: &str = "engine";
const TABLE: &str = "table";
const KEY: &str = "key";
const IS: &str = "is";
const VIEW: &str = "view";
const STRICT: &str = "strict";

/// How much of a line that is no column is shown.
const SHOWN: usize = 40;

/// Writes a table's lock.
pub fn write(name: &str, table: &Table) -> String {
    write_as(&format!("{TABLES}{name}"), table)
}

/// Writes the lock of a table that is there because its database is included.
pub fn write_included(source: &str, name: &str, table: &Table) -> String {
    write_as(&format!("{SOURCES}{source}.{TABLES}{name}"), table)
}

fn write_as(expression: &str, table: &Table) -> String {
    let count = table.columns.len();
    let mut out = format!("---\n{SOURCE}: qtool.yaml\n{EXPRESSION}: {expression}\n{COLUMNS}: {count}\n");
    let native = table.native.as_deref();
    if let Some(native) = native {
        out.push_str(&head_of(native));
    }
    out.push_str("---\n");
    for (at, column) in table.columns.iter().enumerate() {
        out.push_str(&line(column));
        if let Some(own) = native.and_then(|native| native.columns.get(at)) {
            out.push_str(&native_part(own));
        }
        out.push('\n');
    }
    out
}

/// What the header says of a table in a database.
fn head_of(native: &Native) -> String {
    let mut head = format!("{ENGINE}: {}\n{TABLE}: {}\n", native.kind.as_str(), json(&native.name));
    if !native.key.is_empty() {
        head.push_str(&format!("{KEY}: {}\n", json(&native.key)));
    }
    for is in [(native.is_view, VIEW), (native.is_strict, STRICT)].into_iter().filter(|(is, _)| *is) {
        head.push_str(&format!("{IS}: {}\n", is.1));
    }
    head
}

/// What the line of a column in a database ends with: its own name, its type, and its collation where it has one.
fn native_part(column: &NativeColumn) -> String {
    let parts = [Some(&column.name), Some(&column.declared), column.collation.as_ref()];
    let parts: Vec<String> = parts.into_iter().flatten().map(json).collect();
    format!(" {{{}}}", parts.join(" "))
}

pub(super) fn json<T: serde::Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A column as a line: name, type, and `not null`.
pub(super) fn line(column: &Column) -> String {
    let name = quoted(&column.name);
    let null = if column.nullable { "" } else { " not null" };
    match column.ty() {
        Some(ty) if ty.to_arrow() == column.arrow && is_read(&ty) => format!("{name} {ty}{null}"),
        Some(ty) => format!("{name} {ty}{null} [{}]", column.arrow),
        None => format!("{name} unsupported{null} [{}]", column.arrow),
    }
}

/// Whether the words for a type are read back as it: nobody can write a map down.
fn is_read(ty: &Type) -> bool {
    Type::parse(&ty.to_string()).is_ok_and(|read| read == *ty)
}

/// A name bare where it is a plain word, else as a JSON string.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { serde_json::Value::from(name).to_string() }
}

/// Reads the lock of the table of that name.
///
/// Errors: it is not what [`write`] writes of that table, whole. What is not understood may be a column that is gone.
pub fn read(name: &str, text: &str) -> Result<Table, BadLock> {
    // git may have written it with the line ends of another system.
    let text = text.replace("\r\n", "\n");
    if text.trim().is_empty() {
        return Err("it is empty".into());
    }
    let parts = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
    let (head, content) = parts.ok_or("it has no header between two lines `---`")?;
    let count = count(name, head)?;
    let mut native = native(head)?;
    if !content.is_empty() && !content.ends_with('\n') {
        return Err("it is cut: its last line has no end".into());
    }
    let before = head.lines().count() + 2;
    let mut columns: Vec<Column> = Vec::new();
    for (at, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = before + at + 1;
        let no_column = || format!("its line {at} is no column: `{}`", shown_line(line));
        let (column, own) = column(line.trim_end()).ok_or_else(no_column)?;
        if columns.iter().any(|known| known.name == column.name) {
            return Err(format!("its line {at} has the column `{}` for the second time", column.name).into());
        }
        match (&mut native, own) {
            (Some(native), Some(own)) => native.columns.push(own),
            (None, None) => {}
            _ => return Err(no_column().into()),
        }
        columns.push(column);
    }
    match count {
        Some(count) if count != columns.len() => {
            Err(format!("it says `{COLUMNS}: {count}` and has {}: it is cut, or was changed by hand", columns.len())
                .into())
        }
        None if columns.is_empty() => Err("it has no columns".into()),
        _ => Ok(Table { columns, native: native.map(Box::new) }),
    }
}

/// What the header says of a table in a database, without its columns; `None` of any other.
fn native(head: &str) -> Result<Option<Native>, BadLock> {
    let values = |key: &'static str| head.lines().filter_map(move |line| line.strip_prefix(key)?.strip_prefix(": "));
    let Some(kind) = values(ENGINE).next() else { return Ok(None) };
    let kind =
        DatabaseKind::parse(kind.trim()).ok_or_else(|| format!("its header says `{ENGINE}: {}`", shown_line(kind)))?;
    let names = |key: &'static str| -> Result<Option<Vec<String>>, BadLock> {
        let bad = |value: &str| BadLock::from(format!("its header says `{key}: {}`", shown_line(value)));
        values(key).next().map(|value| serde_json::from_str(value).map_err(|_| bad(value))).transpose()
    };
    let name = names(TABLE)?.filter(|name| !name.is_empty()).ok_or("its header has no `table`")?;
    let key = names(KEY)?.unwrap_or_default();
    let is = |what: &str| values(IS).any(|is| is.trim() == what);
    if let Some(other) = values(IS).find(|is| ![VIEW, STRICT].contains(&is.trim())) {
        return Err(format!("its header says `{IS}: {}`", shown_line(other)).into());
    }
    Ok(Some(Native { kind, name, key, is_view: is(VIEW), is_strict: is(STRICT), columns: Vec::new() }))
}

/// The table that an expression is of. Whether it has a line of its own makes no other schema of it.
fn named(expression: &str) -> Option<&str> {
    let of_source = expression.strip_prefix(SOURCES).and_then(|rest| rest.split_once('.'));
    of_source.map_or(expression, |(_, table)| table).strip_prefix(TABLES)
}

/// How many columns the header says there are; earlier versions did not write it.
fn count(name: &str, head: &str) -> Result<Option<usize>, BadLock> {
    let value = |key: &str| {
        let of = |line: &'_ str| Some(line.strip_prefix(key)?.strip_prefix(':')?.trim().trim_matches('"').to_owned());
        head.lines().find_map(of)
    };
    for key in [SOURCE, EXPRESSION] {
        if value(key).is_none_or(|value| value.is_empty()) {
            return Err(format!("its header has no `{key}`").into());
        }
    }
    if let Some(other) = value(EXPRESSION).filter(|of| named(of) != Some(name)) {
        return Err(format!("it is the snapshot of `{other}`, not of `tables.{name}`").into());
    }
    let bad = |count: String| BadLock::from(format!("its header says `{COLUMNS}: {count}`"));
    value(COLUMNS).map(|count| count.parse().map_err(|_| bad(count))).transpose()
}

/// The beginning of a line, without characters that a terminal would act on.
pub(super) fn shown_line(line: &str) -> String {
    let plain = |c: char| if matches!(c, '"' | '\'') { c.to_string() } else { c.escape_debug().to_string() };
    let start: String = line.chars().take(SHOWN).map(plain).collect();
    if line.chars().nth(SHOWN).is_some() { format!("{start}…") } else { start }
}

/// A line of the content: the column, and what its database says of it.
pub(super) fn column(line: &str) -> Option<(Column, Option<NativeColumn>)> {
    let (name, rest) = if line.starts_with('"') {
        let mut stream = serde_json::Deserializer::from_str(line).into_iter::<String>();
        let name = stream.next()?.ok()?;
        (name, line.get(stream.byte_offset()..)?)
    } else {
        let (name, rest) = line.split_once(' ')?;
        (name.to_owned(), rest)
    };
    let (rest, own) = match rest.find(" {\"") {
        Some(at) => (rest.get(..at)?, Some(native_column(rest.get(at..)?)?)),
        None => (rest, None),
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
    Some((Column { name, arrow, nullable }, own))
}

/// What [`native_part`] writes.
fn native_column(text: &str) -> Option<NativeColumn> {
    let text = text.strip_prefix(" {")?.strip_suffix('}')?;
    let parts: Vec<String> =
        serde_json::Deserializer::from_str(text).into_iter::<String>().collect::<Result<_, _>>().ok()?;
    let mut parts = parts.into_iter();
    let (name, declared, collation) = (parts.next()?, parts.next()?, parts.next());
    parts.next().is_none().then_some(NativeColumn { name, declared, collation })
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
            ("counts", Type::Map(Box::new(Type::Text), Box::new(Type::Bigint)).to_arrow(), true),
            ("nothing", DataType::Null, true),
        ];
        let table = Table::of_columns(
            columns
                .into_iter()
                .map(|(name, arrow, nullable)| Column { name: name.to_owned(), arrow, nullable })
                .collect(),
        );
        let text = write("t", &table);
        assert_eq!(read("t", &text), Ok(table), "{text}");
    }

    /// A table in a database.
    fn of_database() -> Table {
        let column = |name: &str, arrow| Column { name: name.to_owned(), arrow, nullable: true };
        let own = |name: &str, declared: &str, collation: Option<&str>| NativeColumn {
            name: name.to_owned(),
            declared: declared.to_owned(),
            collation: collation.map(str::to_owned),
        };
        let native = Native {
            kind: DatabaseKind::Sqlite,
            name: vec!["main".to_owned(), "Order \"s".to_owned()],
            key: vec!["Id".to_owned(), "a {\"b".to_owned()],
            is_view: false,
            is_strict: true,
            columns: vec![own("Id", "INTEGER", None), own("a {\"b", "", Some("NOCASE")), own("]", "x\"}\n", None)],
        };
        let columns = vec![
            column("id", DataType::Int64),
            column("a {\"b", DataType::Utf8View),
            column("at", DataType::Timestamp(TimeUnit::Nanosecond, None)),
        ];
        Table { columns, native: Some(Box::new(native)) }
    }

    #[test]
    fn a_table_of_a_database_reads_back_as_itself() {
        let text = write("t", &of_database());
        assert_eq!(read("t", &text), Ok(of_database()), "{text}");
        for end in 0..text.len() {
            if let Some(cut) = text.get(..end) {
                assert!(read("t", cut).is_err(), "{cut}");
            }
        }
        // What is of one kind is not read as the other.
        let without = text.lines().filter(|line| !line.starts_with("engine:")).map(|line| format!("{line}\n"));
        assert!(read("t", &without.collect::<String>()).is_err());
        assert!(read("t", &text.replace("{\"Id\" \"INTEGER\"}", "")).is_err());
        assert!(read("t", &text.replace("is: strict", "is: loose")).is_err());
    }

    fn why(text: &str) -> String {
        read("t", text).unwrap_err().to_string()
    }

    #[test]
    fn a_broken_line_is_named() {
        let head = "---\nsource: x\nexpression: tables.t\n---\n";
        assert_eq!(why(&format!("{head}id bigint\nname wordy\n")), "its line 6 is no column: `name wordy`");
        assert_eq!(why(&format!("{head}<<<<<<< HEAD\nid bigint\n")), "its line 5 is no column: `<<<<<<< HEAD`");
        assert_eq!(why(&format!("{head}\u{1}\u{1b}[2J\n")), "its line 5 is no column: `\\u{1}\\u{1b}[2J`");
        assert_eq!(why(&format!("{head}\"a b\" wordy\n")), "its line 5 is no column: `\"a b\" wordy`");
        let twice = why(&format!("{head}id bigint\nid text\n"));
        assert_eq!(twice, "its line 6 has the column `id` for the second time");
    }

    #[test]
    fn no_part_of_a_lock_is_a_lock() {
        let column = |name: &str, nullable| Column { name: name.to_owned(), arrow: DataType::Int64, nullable };
        let text = write("t", &Table::of_columns(vec![column("a", true), column("b", true), column("c", false)]));
        for end in 0..text.len() {
            let cut = text.get(..end).unwrap();
            assert!(read("t", cut).is_err(), "{cut}");
        }
        assert_eq!(why(""), "it is empty");
        assert_eq!(why(text.strip_suffix("c bigint not null\n").unwrap()).split(':').next(), Some("it says `columns"));
        assert_eq!(read("t", &text.replace('\n', "\r\n")), read("t", &text));
    }

    #[test]
    fn the_header_says_whose_lock_it_is() {
        assert_eq!(why("id bigint\n"), "it has no header between two lines `---`");
        assert_eq!(why("---\nsource: x\n---\nid bigint\n"), "its header has no `expression`");
        assert_eq!(why("---\nexpression: tables.t\n---\nid bigint\n"), "its header has no `source`");
        let other = why("---\nsource: x\nexpression: tables.u\n---\nid bigint\n");
        assert_eq!(other, "it is the snapshot of `tables.u`, not of `tables.t`");
        let none = Table::default();
        assert_eq!(read("t", &write_included("shop", "t", &none)), Ok(none));
        assert!(read("u", &write_included("shop", "t", &Table::default())).is_err());
        // As earlier versions wrote it.
        assert!(read("t", "---\nsource: x\nexpression: tables.t\n---\nid bigint\n").is_ok());
        assert_eq!(why("---\nsource: x\nexpression: tables.t\n---\n"), "it has no columns");
        // A table without columns is one.
        let none = Table::default();
        assert_eq!(read("t", &write("t", &none)), Ok(none));
    }
}
