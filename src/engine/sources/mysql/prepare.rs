//! What a server of MySQL says of a statement in its own SQL: its columns, with the tables that they come from. Of parameters it
//! says nothing: every value may stand everywhere.

use super::error::{connect_failure, is_of_the_statement, source_error};
use super::session::END;
use super::types::{bare, can_be, column_type, is_of_integers};
use super::written;
use crate::catalog::{Column, Origin, StatementAnswer, StatementColumn, is_of_places};
use crate::project::{AskedChange, ForeignColumn, RefusedStatement, UnpreparedStatement};
use crate::ty::Type;
use mysql_async::consts::{ColumnFlags, ColumnType};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, ServerError};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The columns of the primary key of a table.
const KEY: &str = "SELECT COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE \
     WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND CONSTRAINT_NAME = 'PRIMARY'";

/// The character set of what is no text.
const BYTES: u16 = 63;

/// What a statement is prepared with, of what the server is set up with.
const AS_THE_SERVER: &str = "SET sql_mode = IF(FIND_IN_SET('ONLY_FULL_GROUP_BY', @@GLOBAL.sql_mode), \
                             'STRICT_ALL_TABLES,ONLY_FULL_GROUP_BY', 'STRICT_ALL_TABLES')";

/// Begins a transaction that may change data.
pub(super) const WRITING: &str = "START TRANSACTION READ WRITE";

/// What the session has besides.
const AS_ALWAYS: &str = "SET sql_mode = 'STRICT_ALL_TABLES'";

/// The answer about one of the texts of a statement.
///
/// Errors: the server cannot be asked, or refuses the statement; or a column is of a type that is not read.
pub(super) async fn answer(
    conn: &mut Conn,
    source: &str,
    text: &str,
    of: &UnpreparedStatement,
) -> Result<StatementAnswer, RefusedStatement> {
    let lost = |error: Error| RefusedStatement::from(source_error(&error, source, &of.name));
    // A server that wants its groups whole refuses a column that stands for any of them, which its own users would see.
    conn.query_drop(AS_THE_SERVER).await.map_err(lost)?;
    if let Some(change) = &of.change {
        begin_changing(conn, text, change, &lost).await?;
    }
    let statement = conn.prep(unmistaken(text)).await.map_err(|error| refused(&error, source, of));
    conn.query_drop(AS_ALWAYS).await.map_err(lost)?;
    let statement = statement?;
    let (columns, values) = (statement.columns(), statement.num_params());
    let closed = conn.close(statement).await;
    closed.map_err(lost)?;
    if of.change.is_some() {
        conn.query_drop(END).await.map_err(lost)?;
    }
    if columns.is_empty() && of.change.as_ref().is_none_or(|change| change.gives_rows) {
        let is_returning = of.change.as_ref().is_some_and(|change| change.returned_of.is_some());
        let why = match is_returning {
            true => {
                "the server does not say which columns RETURNING gives before it is run; read them by a SELECT behind it, with `;` between them"
            }
            false => "it gives no columns",
        };
        let word = is_returning.then(|| "RETURNING".to_owned());
        return Err(RefusedStatement::Statement { why: why.to_owned(), word });
    }
    let mut keys: HashMap<(String, String), Vec<String>> = HashMap::new();
    for column in columns.iter().filter(|column| column.flags().contains(ColumnFlags::PRI_KEY_FLAG)) {
        let table = table_of(column);
        if let Entry::Vacant(entry) = keys.entry(table) {
            let (schema, name) = entry.key();
            let key = conn.exec(KEY, (schema, name)).await.map_err(lost)?;
            entry.insert(key);
        }
    }
    let (mut told, mut foreign) = (Vec::with_capacity(columns.len()), Vec::new());
    for column in columns.iter() {
        match column_type_of(column, of, values) {
            Ok(ty) => {
                let origin = origin(column, &columns, &keys);
                let is_not_null = origin.is_some() && column.flags().contains(ColumnFlags::NOT_NULL_FLAG);
                let name = column.name_str().into_owned();
                let column = Column { name, arrow: ty.to_arrow(), nullable: !is_not_null };
                told.push(StatementColumn { column, origin });
            }
            Err(one) => foreign.push(one),
        }
    }
    match foreign.is_empty() {
        true => {
            let written = match &of.change {
                Some(change) => written::columns(conn, &change.tables).await.map_err(lost)?,
                None => Vec::new(),
            };
            Ok(StatementAnswer { columns: told, parameters: Vec::new(), written })
        }
        false => Err(RefusedStatement::Columns(foreign)),
    }
}

/// Begins a transaction that a statement is prepared in which changes data. None is run.
///
/// Errors: the server cannot be asked, or what the statement changes could not be taken back, or not counted.
async fn begin_changing(
    conn: &mut Conn,
    text: &str,
    change: &AskedChange,
    lost: &(dyn Fn(Error) -> RefusedStatement + Sync),
) -> Result<(), RefusedStatement> {
    let tables: Vec<Vec<String>> = change.tables.iter().chain(&change.keys).cloned().collect();
    if let Some((why, word)) = written::refusal(conn, &tables, text).await.map_err(lost)? {
        return Err(RefusedStatement::Statement { why, word });
    }
    // In a transaction that only reads, a statement that changes data is not even prepared.
    conn.query_drop(END).await.map_err(lost)?;
    conn.query_drop(WRITING).await.map_err(lost)
}

/// The database and the name of the table that a column comes from; empty where it comes from none.
fn table_of(column: &mysql_async::Column) -> (String, String) {
    (column.schema_str().into_owned(), column.org_table_str().into_owned())
}

/// The column of a table that a column of the result shows as it is.
fn origin(
    column: &mysql_async::Column,
    all: &[mysql_async::Column],
    keys: &HashMap<(String, String), Vec<String>>,
) -> Option<Origin> {
    let (table, name) = (table_of(column), column.org_name_str().into_owned());
    if table.0.is_empty() || table.1.is_empty() || name.is_empty() {
        return None;
    }
    let is_shown = |part: &String| all.iter().any(|one| table_of(one) == table && one.org_name_str() == *part);
    let key = keys.get(&table).map(Vec::as_slice).unwrap_or_default();
    let is_key = key.contains(&name) && key.iter().all(is_shown);
    Some(Origin { table: format!("{}.{}", table.0, table.1), column: name, is_key })
}

/// The type of a column: the one that is declared, else its own. `values` are those that the statement takes.
fn column_type_of(column: &mysql_async::Column, of: &UnpreparedStatement, values: u16) -> Result<Type, ForeignColumn> {
    let own = declared(column);
    // Before there are values, what is computed with one is a floating-point number, and one itself is a text.
    let is_open = values > 0 && column.org_table_str().is_empty() && matches!(own.as_str(), "double" | "text");
    let wanted = of.columns.iter().find(|(name, _)| column.name_str() == *name).map(|(_, ty)| ty);
    let read = match wanted {
        // A tree of the server is no text, and what makes one of it stands in the statement.
        _ if is_of_places(&own) => None,
        // Times come as times: only a cast makes texts of them.
        Some(Type::Text) if column_type(&own) != Some(Type::Text) && !is_written(&own) => None,
        Some(ty) => (is_open || may_be_read_as(&own, ty)).then(|| ty.clone()),
        None => column_type(&own),
    };
    let foreign = || ForeignColumn {
        name: column.name_str().into_owned(),
        ty: own.clone(),
        declared: wanted.filter(|_| !is_of_places(&own)).cloned(),
    };
    read.ok_or_else(foreign)
}

/// Whether a column of a result may be read as a type. What compares gives whole numbers, which are 0 and 1.
pub(super) fn may_be_read_as(own: &str, ty: &Type) -> bool {
    can_be(own, ty) || *ty == Type::Boolean && is_of_integers(own)
}

/// Whether the values of a type come as they are written.
fn is_written(own: &str) -> bool {
    matches!(bare(own), "decimal" | "json" | "uuid")
}

/// The type of a column of a result, in the words of `COLUMN_TYPE`.
pub(super) fn declared(column: &mysql_async::Column) -> String {
    let sign = if column.flags().contains(ColumnFlags::UNSIGNED_FLAG) { " unsigned" } else { "" };
    let (length, places) = (column.column_length(), column.decimals());
    let is_bytes = column.character_set() == BYTES;
    match column.column_type() {
        ColumnType::MYSQL_TYPE_TINY => format!("tinyint{sign}"),
        ColumnType::MYSQL_TYPE_SHORT => format!("smallint{sign}"),
        ColumnType::MYSQL_TYPE_INT24 => format!("mediumint{sign}"),
        ColumnType::MYSQL_TYPE_LONG => format!("int{sign}"),
        ColumnType::MYSQL_TYPE_LONGLONG => format!("bigint{sign}"),
        ColumnType::MYSQL_TYPE_FLOAT => "float".to_owned(),
        ColumnType::MYSQL_TYPE_DOUBLE => "double".to_owned(),
        ColumnType::MYSQL_TYPE_DECIMAL | ColumnType::MYSQL_TYPE_NEWDECIMAL => {
            // The length has room for a sign and a point.
            let others = u32::from(sign.is_empty()) + u32::from(places > 0);
            format!("decimal({},{places}){sign}", length.saturating_sub(others))
        }
        ColumnType::MYSQL_TYPE_DATE | ColumnType::MYSQL_TYPE_NEWDATE => "date".to_owned(),
        ColumnType::MYSQL_TYPE_DATETIME | ColumnType::MYSQL_TYPE_DATETIME2 => "datetime(6)".to_owned(),
        ColumnType::MYSQL_TYPE_TIMESTAMP | ColumnType::MYSQL_TYPE_TIMESTAMP2 => "timestamp(6)".to_owned(),
        ColumnType::MYSQL_TYPE_TIME | ColumnType::MYSQL_TYPE_TIME2 => "time(6)".to_owned(),
        ColumnType::MYSQL_TYPE_YEAR => "year".to_owned(),
        ColumnType::MYSQL_TYPE_BIT => format!("bit({length})"),
        ColumnType::MYSQL_TYPE_JSON => "json".to_owned(),
        ColumnType::MYSQL_TYPE_GEOMETRY => "geometry".to_owned(),
        // NULL is of no type, and comes as a text that is none.
        ColumnType::MYSQL_TYPE_NULL => "text".to_owned(),
        _ if is_bytes => "blob".to_owned(),
        _ => "text".to_owned(),
    }
}

/// What the server says of a text that it does not prepare: its own words, which are about the author's text.
fn refused(error: &Error, source: &str, of: &UnpreparedStatement) -> RefusedStatement {
    match error {
        Error::Server(told) if matches!(told.code, 1044 | 1142 | 1143 | 1370) => {
            RefusedStatement::Statement { why: "its user may not read what is named in it".to_owned(), word: None }
        }
        Error::Server(_) if is_of_the_statement(error) && connect_failure(error).is_refusal => {
            RefusedStatement::Source(connect_failure(error).why)
        }
        Error::Server(told) if is_of_the_statement(error) => {
            let quoted =
                told.message.split_once('\'').and_then(|(_, rest)| rest.split_once('\'')).map(|(quoted, _)| quoted);
            // What begins there is the rest of the statement as it is sent, with a limit of ours.
            let first = quoted.and_then(|quoted| quoted.split_whitespace().next());
            let word = first.and_then(|word| word.rsplit('.').next()).map(str::to_owned);
            let why = match (quoted, first) {
                (Some(quoted), Some(first)) if is_grammar(told) => told.message.replace(quoted, first),
                _ => told.message.clone(),
            };
            RefusedStatement::Statement { why, word }
        }
        error => source_error(error, source, &of.name).into(),
    }
}

/// Whether the server cannot read the statement.
fn is_grammar(told: &ServerError) -> bool {
    told.code == 1064
}

/// The text of an author so that the driver does not take a part of a literal for a parameter of its own, which it does where
/// a sign of arithmetic touches the quote.
pub(super) fn unmistaken(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut quote, mut is_escaped, mut before) = (None, false, ' ');
    for letter in text.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(sign) if letter == '\\' => is_escaped = sign != '`',
            Some(sign) if letter == sign => quote = None,
            Some(_) => {}
            None => {
                let begins = matches!(letter, '\'' | '"' | '`');
                if matches!(before, '-' | '/') && (begins || letter == '-') {
                    out.push(' ');
                }
                quote = begins.then_some(letter);
            }
        }
        out.push(letter);
        before = letter;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_stay_what_they_are() {
        for (text, sent) in [
            ("SELECT a -'12:ab' / \"x:y\"", "SELECT a - '12:ab' / \"x:y\""),
            ("SELECT 1--'a'", "SELECT 1- - 'a'"),
            ("SELECT '--''-' , `a-``b`, \"\\\"-'\" ->'$.a'", "SELECT '--''-' , `a-``b`, \"\\\"-'\" ->'$.a'"),
        ] {
            assert_eq!(unmistaken(text), sent);
        }
    }
}
