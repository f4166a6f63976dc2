//! What a file of SQLite has.

use super::super::dialect::quoted;
use super::super::error::SourceError;
use super::super::survey::{ForeignKey, RowEstimate, Surveyed, SurveyedColumn, SurveyedKind};
use super::ddl;
use super::describe;
use super::looked::Looked;
use super::open::Lease;
use super::run::source_error;
use super::types::column_type;
use crate::catalog::NativeColumn;
use rusqlite::{Connection, Result};
use std::time::{Duration, Instant};

/// How many rows are looked at to see what columns hold.
const LOOKED_AT: u32 = 20_000;

/// How long that may take: after it, what was seen has to do.
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// How many rows are counted.
const MOST_COUNTED: u64 = 100_000;

/// How long a table is looked at: a view may be a query that takes any time.
const PATIENCE: Duration = Duration::from_secs(2);

/// All tables, in the order in which they were made.
pub(super) fn tables(lease: &mut Lease<'_>) -> std::result::Result<Vec<Surveyed>, SourceError> {
    let listed = listed(lease.connection()?).map_err(|error| source_error(&error, lease.source(), ""))?;
    let mut tables = Vec::new();
    for table in listed {
        tables.push(surveyed(lease, table)?);
    }
    resolve_foreign_keys(&mut tables);
    Ok(tables)
}

/// A table of the list that SQLite has of them.
struct Listed {
    name: String,
    kind: SurveyedKind,
    sql: String,
}

fn listed(connection: &Connection) -> Result<Vec<Listed>> {
    let mut statement = connection.prepare(
        "SELECT l.name, l.type, s.sql FROM pragma_table_list AS l LEFT JOIN sqlite_schema AS s \
         ON s.name = l.name AND s.type IN ('table', 'view') WHERE l.schema = 'main' \
         AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY s.rowid, l.name",
    )?;
    let rows = statement.query_map([], |row| {
        let (kind, sql): (String, Option<String>) = (row.get(1)?, row.get(2)?);
        let sql = sql.unwrap_or_default();
        let kind = match kind.as_str() {
            "view" => SurveyedKind::View,
            "virtual" => SurveyedKind::Virtual(module(&sql)),
            "shadow" => SurveyedKind::Shadow,
            _ => SurveyedKind::Table,
        };
        Ok(Listed { name: row.get(0)?, kind, sql })
    })?;
    rows.collect()
}

/// The module of a virtual table: `fts5` in `CREATE VIRTUAL TABLE t USING fts5(x)`.
fn module(sql: &str) -> String {
    let mut words = sql.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let found = words.by_ref().any(|word| word.eq_ignore_ascii_case("using"));
    words.next().filter(|_| found).unwrap_or("unknown").to_owned()
}

/// Looks at a table. One that cannot be read says so, and keeps nobody from the others.
fn surveyed(lease: &mut Lease<'_>, listed: Listed) -> std::result::Result<Surveyed, SourceError> {
    let mut table = Surveyed::named(listed.name, listed.kind);
    if table.kind == SurveyedKind::Shadow {
        return Ok(table);
    }
    watch(lease)?;
    match look(lease, &mut table, &listed.sql) {
        Ok(()) => {
            watch(lease)?;
            table.rows = rows(lease.connection()?, &table);
        }
        Err(error @ (SourceError::Down { .. } | SourceError::Busy { .. })) => return Err(error),
        Err(error) => table.unreadable = Some(reason(&error)),
    }
    Ok(table)
}

fn watch(lease: &mut Lease<'_>) -> std::result::Result<(), SourceError> {
    let begin = Instant::now();
    lease.watch(move || begin.elapsed() > PATIENCE)
}

fn reason(error: &SourceError) -> String {
    match error {
        SourceError::Changed { .. } => "it reads a table or a column that is not there".to_owned(),
        SourceError::Cancelled => format!("its first rows take longer than {} s", PATIENCE.as_secs()),
        SourceError::NoTable { .. } => "SQLite does not describe it".to_owned(),
        other => other.to_string(),
    }
}

fn look(lease: &Lease<'_>, table: &mut Surveyed, sql: &str) -> std::result::Result<(), SourceError> {
    let name = table.name.clone();
    let failed = |error: rusqlite::Error| source_error(&error, lease.source(), &name);
    let told = describe::table(lease, std::slice::from_ref(&name))?;
    let connection = lease.connection()?;
    let columns = &told.native.columns;
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut said = ddl::read_statement(sql, &names);
    let looked = looked(connection, &name, columns).map_err(failed)?;
    table.foreign_keys = foreign_keys(connection, &name).map_err(failed)?;
    table.key.clone_from(&told.native.key);
    for ((column, looked), nullable) in columns.iter().zip(looked).zip(told.nullable) {
        let is_own = |name: &String| name.eq_ignore_ascii_case(&column.name);
        let is_key = table.key.iter().chain(table.foreign_keys.iter().flat_map(|key| &key.columns)).any(is_own);
        table.columns.push(SurveyedColumn {
            name: column.name.clone(),
            declared: column.declared.clone(),
            ty: column_type(&column.declared),
            proposal: looked.proposal(&column.declared, is_key),
            is_not_null: !nullable,
            allowed: said.allowed.remove(&column.name).unwrap_or_default(),
            is_category: looked.is_category(),
            comment: said.comments.remove(&column.name),
        });
    }
    Ok(())
}

/// What the first rows hold, by column.
fn looked(connection: &Connection, table: &str, columns: &[NativeColumn]) -> Result<Vec<Looked>> {
    let mut looked: Vec<Looked> = columns.iter().map(|column| Looked::declared(&column.declared)).collect();
    if columns.is_empty() {
        return Ok(looked);
    }
    let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    let sql = format!("SELECT {} FROM {} LIMIT {LOOKED_AT}", names.join(", "), quoted(table));
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    let began = Instant::now();
    while let Some(row) = rows.next()? {
        if began.elapsed() > LONGEST_LOOK {
            break;
        }
        for (at, column) in looked.iter_mut().enumerate() {
            column.push(row.get_ref(at)?);
        }
    }
    Ok(looked)
}

/// The foreign keys as they are written: the columns of the other table may be missing.
fn foreign_keys(connection: &Connection, table: &str) -> Result<Vec<ForeignKey>> {
    let mut statement = connection
        .prepare("SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1) ORDER BY id, seq")?;
    let mut rows = statement.query([table])?;
    let mut keys: Vec<(i64, ForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        if keys.last().is_none_or(|(last, _)| *last != id) {
            keys.push((id, ForeignKey { columns: Vec::new(), schema: None, table: row.get(1)?, others: Vec::new() }));
        }
        if let Some((_, key)) = keys.last_mut() {
            key.columns.push(row.get(2)?);
            key.others.extend(row.get::<_, Option<String>>(3)?);
        }
    }
    Ok(keys.into_iter().map(|(_, key)| key).collect())
}

/// Names of foreign keys are written in any letters, and those of a primary key may be left out. Keys to nowhere are none.
fn resolve_foreign_keys(tables: &mut [Surveyed]) {
    let others: Vec<(String, Vec<String>, Vec<String>)> =
        tables.iter().map(|table| (table.name.clone(), table.key.clone(), names_of(table))).collect();
    for table in tables {
        let own = names_of(table);
        table.foreign_keys.retain_mut(|key| {
            let Some((name, primary, names)) = others.iter().find(|other| other.0.eq_ignore_ascii_case(&key.table))
            else {
                return false;
            };
            let written = if key.others.is_empty() { primary } else { &key.others };
            let spelt = |columns: &[String], known: &[String]| -> Option<Vec<String>> {
                let known = |column: &String| known.iter().find(|name| name.eq_ignore_ascii_case(column)).cloned();
                columns.iter().map(known).collect()
            };
            let (Some(columns), Some(found)) = (spelt(&key.columns, &own), spelt(written, names)) else { return false };
            let is_whole = !columns.is_empty() && columns.len() == found.len();
            *key = ForeignKey { columns, schema: None, table: name.clone(), others: found };
            is_whole
        });
        let place = |key: &ForeignKey| own.iter().position(|column| key.columns.first() == Some(column));
        table.foreign_keys.sort_by_key(place);
    }
}

fn names_of(table: &Surveyed) -> Vec<String> {
    table.columns.iter().map(|column| column.name.clone()).collect()
}

/// How many rows there are; of many, what can be told at once.
fn rows(connection: &Connection, table: &Surveyed) -> Option<RowEstimate> {
    let name = quoted(&table.name);
    let number = |sql: &str| -> Option<u64> {
        let number: Option<i64> = connection.query_row(sql, [], |row| row.get(0)).ok()?;
        u64::try_from(number?).ok()
    };
    let counted = number(&format!("SELECT count(*) FROM (SELECT 1 FROM {name} LIMIT {})", MOST_COUNTED + 1))?;
    if counted <= MOST_COUNTED {
        return Some(RowEstimate::Exactly(counted));
    }
    // There is no such column in a table without it, nor in a view.
    let most = number(&format!("SELECT max(rowid) FROM {name}")).filter(|most| *most > MOST_COUNTED);
    Some(most.map_or(RowEstimate::MoreThan(MOST_COUNTED), RowEstimate::About))
}
