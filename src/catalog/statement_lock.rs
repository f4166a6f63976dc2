//! The locked answer of a database about a query in its own SQL: `snapshots/statements/<query>.snap`.
//!
//! insta's file format, as of the locks of tables. The header has the hash of what was asked, so that the answer about
//! another statement is not taken for this one's; the content is one line a column: name, SQL type and `not null`, and where
//! it shows a column of a table as it is, that one's names in braces, with `key` behind them for a part of the table's key.

use super::Column;
use super::lock::{column, json, line};
use arrow::datatypes::DataType;

/// A column of the result of a statement, as its database tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementColumn {
    /// Its name, its type, and whether it may be null. The type is [`DataType::Null`] where the database does not tell it.
    pub column: Column,
    /// The column of a table that it shows, where it shows one as it is.
    pub origin: Option<Origin>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The table, by its name in the database.
    pub table: String,
    /// The column, by its name there.
    pub column: String,
    /// Whether it is a part of the key that tells the table's rows apart, and all other parts are columns of the result.
    pub is_key: bool,
}

impl StatementColumn {
    /// Whether the database tells its type.
    pub fn has_type(&self) -> bool {
        self.column.arrow != DataType::Null
    }
}

const STATEMENT: &str = "statement: ";
const COLUMNS: &str = "columns: ";
/// What a column's line ends with that is a part of a key.
const KEY: &str = " key";

/// Writes the answer about the query of that name, which stands in the file `source`.
pub fn write(source: &str, name: &str, hash: &str, columns: &[StatementColumn]) -> String {
    let count = columns.len();
    let mut out =
        format!("---\nsource: {source}\nexpression: statements.{name}\n{STATEMENT}{hash}\n{COLUMNS}{count}\n---\n");
    for StatementColumn { column, origin } in columns {
        out.push_str(&with_unknown(&line(column)));
        if let Some(Origin { table, column, is_key }) = origin {
            out.push_str(&format!(" {{{} {}}}{}", json(table), json(column), if *is_key { KEY } else { "" }));
        }
        out.push('\n');
    }
    out
}

/// How a line says that the database tells no type, and how [`line`] says it.
const UNTYPED: [(&str, &str); 2] =
    [(" unknown", " unsupported [Null]"), (" unknown not null", " unsupported not null [Null]")];

/// The line of a column with `unknown` for a type that the database does not tell.
fn with_unknown(line: &str) -> String {
    let found = UNTYPED.iter().find_map(|(ours, written)| Some(format!("{}{ours}", line.strip_suffix(written)?)));
    found.unwrap_or_else(|| line.to_owned())
}

/// Reads the answer, where it is one about that statement, whole.
pub fn read(text: &str, name: &str, hash: &str) -> Option<Vec<StatementColumn>> {
    // git may have written it with the line ends of another system.
    let text = text.replace("\r\n", "\n");
    let (head, content) = text.strip_prefix("---\n")?.split_once("\n---\n")?;
    let value = |key: &str| head.lines().find_map(|line| line.strip_prefix(key));
    if value("expression: ")? != format!("statements.{name}") || value(STATEMENT)? != hash {
        return None;
    }
    let columns: Vec<StatementColumn> = content.lines().map(statement_column).collect::<Option<_>>()?;
    (value(COLUMNS)?.parse() == Ok(columns.len()) && content.ends_with('\n')).then_some(columns)
}

fn statement_column(line: &str) -> Option<StatementColumn> {
    let (head, origin) = match line.find(" {\"") {
        Some(at) => line.split_at_checked(at).map(|(head, tail)| (head, Some(tail)))?,
        None => (line, None),
    };
    let written = UNTYPED.iter().find_map(|(ours, written)| Some(format!("{}{written}", head.strip_suffix(ours)?)));
    let (column, _) = column(written.as_deref().unwrap_or(head))?;
    let origin = match origin {
        Some(tail) => Some(self::origin(tail)?),
        None => None,
    };
    Some(StatementColumn { column, origin })
}

fn origin(tail: &str) -> Option<Origin> {
    let (inside, is_key) = match tail.strip_suffix(KEY) {
        Some(inside) => (inside, true),
        None => (tail, false),
    };
    let inside = inside.strip_prefix(" {")?.strip_suffix('}')?;
    let names: Vec<String> = serde_json::Deserializer::from_str(inside).into_iter().collect::<Result<_, _>>().ok()?;
    let [table, column] = <[String; 2]>::try_from(names).ok()?;
    Some(Origin { table, column, is_key })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_reads_back_as_itself_and_of_its_own_statement_only() {
        let column = |name: &str, arrow, nullable| Column { name: name.to_owned(), arrow, nullable };
        let origin = |table: &str, column: &str, is_key| {
            Some(Origin { table: table.to_owned(), column: column.to_owned(), is_key })
        };
        let columns = vec![
            StatementColumn { column: column("id", DataType::Int64, false), origin: origin("Order \"s", "Id", true) },
            StatementColumn { column: column("a {\"b", DataType::Utf8, true), origin: origin("o", "x} key", false) },
            StatementColumn { column: column("count(*)", DataType::Null, true), origin: None },
            StatementColumn { column: column("kept", DataType::Null, false), origin: origin("o", "kept", false) },
        ];
        let text = write("queries/q.sql", "q", "abc", &columns);
        assert_eq!(read(&text, "q", "abc").as_deref(), Some(columns.as_slice()), "{text}");
        assert_eq!(read(&text, "q", "abd"), None);
        assert_eq!(read(&text, "p", "abc"), None);
        for (at, _) in text.char_indices() {
            assert_eq!(read(text.get(..at).unwrap(), "q", "abc"), None, "{at}");
        }
        assert_eq!(read(&text.replace('\n', "\r\n"), "q", "abc"), Some(columns));
    }
}
