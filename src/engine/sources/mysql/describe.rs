//! What a server of MySQL says of a table.

use super::super::driver::Described;
use super::super::error::SourceError;
use super::super::names::{TableName, near_table, written_table};
use super::super::survey::ListedTable;
use super::error::source_error;
use super::types::is_of_texts;
use crate::catalog::{DatabaseKind, Native, NativeColumn};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Row, Value};

/// What a table is that has no rows of its own.
pub(super) const VIEWS: [&str; 2] = ["VIEW", "SYSTEM VIEW"];

/// The table of a name; without a database before it, the one of the database that the session is in.
const TABLE: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS FROM information_schema.TABLES \
     WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?";

/// Its columns that may be read, also those that `*` leaves out.
const COLUMNS: &str = "SELECT COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLLATION_NAME FROM information_schema.COLUMNS \
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION";

/// The columns of its primary key.
const KEY: &str = "SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE \
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND CONSTRAINT_NAME = 'PRIMARY' ORDER BY ORDINAL_POSITION";

/// A number for what the columns of a table are; 0 where there are none.
const VERSION: &str = "SELECT BIT_XOR(CAST(CONV(LEFT(SHA2(CONCAT_WS('/', ORDINAL_POSITION, HEX(COLUMN_NAME), COLUMN_TYPE, \
     IS_NULLABLE, COALESCE(COLLATION_NAME, ''), COLUMN_KEY = 'PRI'), 256), 16), 16, 10) AS UNSIGNED)) FROM information_schema.COLUMNS \
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?";

/// The tables that may be read, for the one that a mistyped name is near to, each with whether the session is in its
/// database.
const NAMES: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, COALESCE(TABLE_SCHEMA = DATABASE(), 0) FROM information_schema.TABLES \
     WHERE TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') \
     ORDER BY TABLE_SCHEMA, TABLE_NAME";

/// The tables that may be seen, each with whether the session is in its database.
const LISTED: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, COALESCE(TABLE_SCHEMA = DATABASE(), 0) FROM information_schema.TABLES \
     WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') \
     AND TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') ORDER BY TABLE_SCHEMA, TABLE_NAME";

/// The names of all tables that may be seen; those of the database that the session is in go by their names alone.
pub(super) async fn names(conn: &mut Conn, source: &str) -> Result<Vec<ListedTable>, SourceError> {
    let failed = |error| source_error(&error, source, "");
    let rows: Vec<Row> = conn.query(LISTED).await.map_err(failed)?;
    let listed = |row: &Row| {
        let schema = text(row, 0).filter(|_| number(row, 2) != Some(1));
        let name = schema.into_iter().chain([text(row, 1)?]).collect();
        Some(ListedTable { name, unreadable: None })
    };
    Ok(rows.iter().filter_map(listed).collect())
}

/// Describes a table as it is now.
pub(super) async fn table(conn: &mut Conn, source: &str, name: &[String]) -> Result<Described, SourceError> {
    let near = match asked(conn, name).await {
        Ok(Asked::Table(described)) if described.native.columns.is_empty() => {
            let table = described.native.name.join(".");
            return Err(SourceError::Forbidden { source: source.to_owned(), table });
        }
        Ok(Asked::Table(described)) => return Ok(*described),
        Ok(Asked::Nothing(near)) => near,
        Err(error) => return Err(source_error(&error, source, &name.join("."))),
    };
    Err(SourceError::NoTable { source: source.to_owned(), table: name.join("."), near })
}

/// What is answered to a name.
enum Asked {
    Table(Box<Described>),
    /// There is no such table, or there are several; a name that is one of them.
    Nothing(Option<String>),
}

async fn asked(conn: &mut Conn, name: &[String]) -> Result<Asked, Error> {
    let (schema, table) = match name {
        [table] => (None, table),
        [schema, table] => (Some(schema), table),
        _ => return Ok(Asked::Nothing(None)),
    };
    if let Some(found) = conn.exec_first::<Row, _, _>(TABLE, (schema, table)).await? {
        return described(conn, &found).await;
    }
    let listed: Vec<Row> = conn.query(NAMES).await?;
    let names: Vec<TableName> = listed.iter().filter_map(|row| Some((text(row, 0)?, text(row, 1)?))).collect();
    let own = listed.iter().find(|row| number(row, 2) == Some(1)).and_then(|row| text(row, 0));
    // Letters and capitals are told apart where the server's files are; without a database, the only one is meant.
    let is_meant = |(of, other): &&TableName| {
        let schema = schema.or(own.as_ref());
        schema.is_none_or(|schema| of.eq_ignore_ascii_case(schema)) && other.eq_ignore_ascii_case(table)
    };
    let mut meant = names.iter().filter(is_meant);
    let near = match (meant.next(), meant.next()) {
        (Some(only), None) => {
            let found: Option<Row> = conn.exec_first(TABLE, only).await?;
            return match found {
                Some(found) => described(conn, &found).await,
                None => Ok(Asked::Nothing(None)),
            };
        }
        (Some((schema, table)), Some(_)) => Some(written_table(schema, table)),
        _ => near_table(&names, name, own.as_deref()),
    };
    Ok(Asked::Nothing(near))
}

/// Describes the table that was found.
async fn described(conn: &mut Conn, found: &Row) -> Result<Asked, Error> {
    let name: Vec<String> = [text(found, 0), text(found, 1)].into_iter().flatten().collect();
    let is_view = text(found, 2).is_some_and(|kind| VIEWS.contains(&kind.as_str()));
    let rows = number(found, 3).filter(|rows| !is_view && *rows > 0);
    // Before the columns: where they change between, the number is one that no table has any more.
    let version = version(conn, &name).await?;
    let of_table = || name.iter().map(|part| Value::from(part.as_str())).collect::<Vec<_>>();
    let told: Vec<Row> = conn.exec(COLUMNS, of_table()).await?;
    let key: Vec<Row> = conn.exec(KEY, of_table()).await?;
    let columns: Vec<NativeColumn> = told.iter().filter_map(column).collect();
    // What a view computes may be NULL whatever the server says.
    let nullable = told.iter().map(|row| is_view || text(row, 2).as_deref() != Some("NO")).collect();
    let native = Native {
        kind: DatabaseKind::Mysql,
        name,
        key: key.iter().filter_map(|row| text(row, 0)).collect(),
        is_view,
        is_strict: true,
        columns,
    };
    let seen = vec![None; native.columns.len()];
    let rows = rows.and_then(|rows| usize::try_from(rows).ok());
    let calls_functions = is_view;
    Ok(Asked::Table(Box::new(Described { native, nullable, seen, rows, version, sorts_bytes: true, calls_functions })))
}

fn column(row: &Row) -> Option<NativeColumn> {
    let declared = text(row, 1)?;
    let collation = text(row, 3).filter(|_| is_of_texts(&declared));
    Some(NativeColumn { name: text(row, 0)?, declared, collation })
}

/// A number for what the columns of a table are; `None` where there is no such table. It is asked in the transaction that
/// has read the rows.
pub(super) async fn version(conn: &mut Conn, name: &[String]) -> Result<Option<u64>, Error> {
    let name: Vec<Value> = name.iter().map(|part| Value::from(part.as_str())).collect();
    let row: Option<Row> = conn.exec_first(VERSION, name).await?;
    Ok(row.and_then(|row| number(&row, 0)).filter(|version| *version != 0))
}

/// A text of an answer.
pub(super) fn text(row: &Row, at: usize) -> Option<String> {
    match row.as_ref(at)? {
        Value::Bytes(bytes) => String::from_utf8(bytes.clone()).ok(),
        _ => None,
    }
}

/// A whole number of an answer, in either of the forms in which it may come.
pub(super) fn number(row: &Row, at: usize) -> Option<u64> {
    match row.as_ref(at)? {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::UInt(number) => Some(*number),
        Value::Bytes(_) => text(row, at)?.parse().ok(),
        _ => None,
    }
}
