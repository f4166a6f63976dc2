//! What a file of SQLite says of its tables.

use super::super::dialect::quoted;
use super::super::driver::Described;
use super::super::error::SourceError;
use super::super::survey::ListedTable;
use super::ddl;
use super::open::Lease;
use super::run::source_error;
use super::types::column_type;
use crate::catalog::{DatabaseKind, Native, NativeColumn, WrittenColumn};
use crate::name::nearest;
use rusqlite::{Connection, OptionalExtension as _, Result};
use std::collections::BTreeMap;

/// How many rows are looked at to see what columns without a type hold.
const LOOKED_AT: u32 = 1_000;

/// The schema that all tables of a file are in.
const MAIN: &str = "main";

/// Describes a table as it is now.
pub(super) fn table(lease: &Lease<'_>, name: &[String]) -> std::result::Result<Described, SourceError> {
    let connection = lease.connection()?;
    let failed = |error| source_error(&error, lease.source(), name.last().map_or("", String::as_str));
    let no_table =
        |near: Option<String>| SourceError::NoTable { source: lease.source().to_owned(), table: name.join("."), near };
    let (wanted, schema) = match name {
        [table] => (table, None),
        [schema, table] => (table, Some(schema)),
        _ => return Err(no_table(None)),
    };
    let listed = listed(connection).map_err(failed)?;
    let is_main = schema.is_none_or(|schema| schema.eq_ignore_ascii_case(MAIN));
    let found = listed.iter().find(|table| is_main && table.name.eq_ignore_ascii_case(wanted));
    match found {
        Some(table) => described(connection, table).map_err(failed),
        None => {
            let names = listed.iter().map(|table| table.name.as_str());
            Err(no_table(nearest(wanted, names).map(str::to_owned)))
        }
    }
}

/// The names of all tables, sorted.
pub(super) fn names(lease: &Lease<'_>) -> std::result::Result<Vec<ListedTable>, SourceError> {
    let listed = listed(lease.connection()?).map_err(|error| source_error(&error, lease.source(), ""))?;
    let why = || "the types of the columns of a virtual table cannot be told".to_owned();
    let named = |table: Listed| ListedTable { name: vec![table.name], unreadable: table.is_virtual.then(why) };
    Ok(listed.into_iter().map(named).collect())
}

/// Which tables SQLite itself changes where rows of these are changed: those whose foreign keys say so, and so on; with
/// these themselves. It asks for them as for what the statement names.
pub(super) fn with_dependents(
    lease: &Lease<'_>,
    tables: &[Vec<String>],
) -> std::result::Result<Vec<String>, SourceError> {
    let mut found: Vec<String> = tables.iter().filter_map(|table| table.last().cloned()).collect();
    let connection = lease.connection()?;
    let failed = |error| source_error(&error, lease.source(), "");
    let edges = dependents(connection).map_err(failed)?;
    let mut at = 0;
    while let Some(parent) = found.get(at).cloned() {
        for (child, _) in edges.iter().filter(|(_, other)| other.eq_ignore_ascii_case(&parent)) {
            if !found.iter().any(|one| one.eq_ignore_ascii_case(child)) {
                found.push(child.clone());
            }
        }
        at += 1;
    }
    found.extend(shadows(connection).map_err(failed)?);
    Ok(found)
}

/// Whether a change of some rows of a table may change others of it: by triggers, by foreign keys that lead back to it, and by keys that
/// take the place of others.
pub(super) fn acts_by_itself(lease: &Lease<'_>, table: &[String]) -> std::result::Result<bool, SourceError> {
    let reached = with_dependents(lease, &[table.to_vec()])?;
    let Some(own) = table.last() else { return Ok(false) };
    let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let told = || -> Result<bool> {
        let connection = lease.connection().map_err(|_| rusqlite::Error::InvalidQuery)?;
        let mut statement = connection.prepare_cached(
            "SELECT type = 'trigger', tbl_name, coalesce(sql, '') LIKE '%ON CONFLICT%' FROM sqlite_schema",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        for row in rows {
            let (is_trigger, of, has_clause): (bool, String, bool) = row?;
            if is_trigger && reached.iter().any(|one| is(one, &of)) || has_clause && is(&of, own) {
                return Ok(true);
            }
        }
        let leads_back =
            |(child, parent): &(String, String)| is(child, own) && reached.iter().any(|one| is(one, parent));
        Ok(dependents(connection)?.iter().any(leads_back))
    };
    told().map_err(|error| source_error(&error, lease.source(), ""))
}

/// The tables that virtual tables keep what they have in: a full-text index that a trigger writes, say. SQLite asks for them as for
/// what a statement names; an author cannot name them, for nobody declares them.
fn shadows(connection: &Connection) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached("SELECT name FROM pragma_table_list WHERE type = 'shadow'")?;
    let rows = statement.query_map([], |row| row.get(0))?;
    rows.collect()
}

/// The tables that change with another, and that other.
fn dependents(connection: &Connection) -> Result<Vec<(String, String)>> {
    let mut statement = connection.prepare_cached(
        "SELECT s.name, f.\"table\" FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f \
         WHERE s.type = 'table' AND (f.on_delete NOT IN ('NO ACTION', 'RESTRICT') OR f.on_update NOT IN ('NO ACTION', 'RESTRICT'))",
    )?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// The columns of tables that are written into.
pub(super) fn written(
    lease: &Lease<'_>,
    tables: &[Vec<String>],
) -> std::result::Result<Vec<WrittenColumn>, SourceError> {
    let connection = lease.connection()?;
    let mut found = Vec::new();
    for table in tables {
        // One that is not there is told by the statement.
        let Ok(described) = self::table(lease, table) else { continue };
        let Some(name) = described.native.name.last() else { continue };
        let failed = |error| source_error(&error, lease.source(), name);
        found.extend(written_columns(connection, name, &described).map_err(failed)?);
    }
    Ok(found)
}

fn written_columns(connection: &Connection, table: &str, described: &Described) -> Result<Vec<WrittenColumn>> {
    let sql: Option<String> = connection
        .query_row("SELECT sql FROM sqlite_schema WHERE name = ?1 AND type = 'table'", [table], |row| row.get(0))
        .optional()?;
    let names: Vec<&str> = described.native.columns.iter().map(|column| column.name.as_str()).collect();
    let mut said = ddl::read_statement(sql.as_deref().unwrap_or_default(), &names);
    let mut statement =
        connection.prepare("SELECT name, dflt_value, hidden FROM pragma_table_xinfo(?1) WHERE hidden <> 1")?;
    let told = statement.query_map([table], |row| {
        let (name, default, hidden): (String, Option<String>, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
        Ok((name, default, hidden))
    })?;
    // The number of a row is one that SQLite finds.
    let row_id = |name: &String| {
        let is_only = described.native.key.as_slice() == std::slice::from_ref(name);
        let column = described.native.columns.iter().find(|column| column.name == *name);
        is_only && column.is_some_and(|column| column.declared.eq_ignore_ascii_case("INTEGER"))
    };
    let mut found = Vec::new();
    for (one, nullable) in told.zip(&described.nullable) {
        let (name, default, hidden) = one?;
        let default = if row_id(&name) { Some("NULL".to_owned()) } else { default };
        found.push(WrittenColumn {
            table: table.to_owned(),
            nullable: *nullable,
            default,
            is_generated: hidden >= 2,
            allowed: said.allowed.remove(&name).unwrap_or_default(),
            column: name,
        });
    }
    Ok(found)
}

/// A table of the list that SQLite has of them.
struct Listed {
    name: String,
    is_view: bool,
    is_virtual: bool,
    without_row_id: bool,
    is_strict: bool,
}

fn listed(connection: &Connection) -> Result<Vec<Listed>> {
    let mut statement = connection.prepare(
        "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow' \
         AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )?;
    let rows = statement.query_map([], |row| {
        let kind: String = row.get(1)?;
        Ok(Listed {
            name: row.get(0)?,
            is_view: kind == "view",
            is_virtual: kind == "virtual",
            without_row_id: row.get(2)?,
            is_strict: row.get(3)?,
        })
    })?;
    rows.collect()
}

/// A column as the pragma tells it.
struct Told {
    name: String,
    declared: String,
    is_not_null: bool,
    /// Its place in the primary key, from 1.
    of_key: u32,
}

fn described(connection: &Connection, table: &Listed) -> Result<Described> {
    let columns = columns_told(connection, &table.name)?;
    let mut of_key: Vec<&Told> = columns.iter().filter(|column| column.of_key > 0).collect();
    of_key.sort_by_key(|column| column.of_key);
    let key: Vec<String> = of_key.iter().map(|column| column.name.clone()).collect();
    // The number of the row itself is never NULL; other columns of a key may be, by an old mistake that stays.
    let row_id = match of_key.as_slice() {
        [only] if !table.without_row_id && only.declared.eq_ignore_ascii_case("INTEGER") => Some(only.name.clone()),
        _ => None,
    };
    let nullable = columns.iter().map(|column| {
        let is_key = column.of_key > 0 && (table.without_row_id || table.is_strict);
        !(column.is_not_null || is_key || row_id.as_ref() == Some(&column.name))
    });
    let nullable = nullable.collect();
    let native = |column: &Told| {
        let collation = match table.is_view || table.is_virtual {
            // Those of the columns that it shows, which it does not tell.
            true => Some("?".to_owned()),
            false => connection.column_metadata(None, table.name.as_str(), column.name.as_str()).ok().and_then(
                |(_, collation, ..)| {
                    let collation = collation?.to_string_lossy().into_owned();
                    (!collation.eq_ignore_ascii_case("BINARY")).then_some(collation)
                },
            ),
        };
        NativeColumn { name: column.name.clone(), declared: column.declared.clone(), collation }
    };
    let native = Native {
        kind: DatabaseKind::Sqlite,
        name: vec![table.name.clone()],
        key,
        is_view: table.is_view || table.is_virtual,
        is_strict: table.is_strict,
        columns: columns.iter().map(native).collect(),
    };
    let rows = about_rows(connection, table);
    let encoding: String = connection.query_row("PRAGMA encoding", [], |row| row.get(0))?;
    // The last: where it takes too long, or its view is broken, nothing is proposed.
    let seen = seen(connection, &native).unwrap_or_default();
    let (sorts_bytes, calls_functions) = (encoding == "UTF-8", false);
    Ok(Described { native, nullable, seen, rows, version: None, sorts_bytes, calls_functions })
}

fn columns_told(connection: &Connection, table: &str) -> Result<Vec<Told>> {
    // Hidden are the arguments of virtual tables; columns that are computed are shown.
    let mut statement =
        connection.prepare("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1")?;
    let rows = statement.query_map([table], |row| {
        let declared: Option<String> = row.get(1)?;
        Ok(Told {
            name: row.get(0)?,
            declared: declared.unwrap_or_default().replace("GENERATED ALWAYS", "").trim().to_owned(),
            is_not_null: row.get(2)?,
            of_key: row.get(3)?,
        })
    })?;
    rows.collect()
}

/// What the first rows hold in columns that are declared as of no type that is known.
fn seen(connection: &Connection, native: &Native) -> Result<Vec<Option<&'static str>>> {
    let mut seen = Vec::new();
    for column in &native.columns {
        if column_type(&column.declared).is_some() {
            seen.push(None);
            continue;
        }
        let (name, table) = (quoted(&column.name), native.name.iter().map(|part| quoted(part)).collect::<Vec<_>>());
        let sql = format!("SELECT typeof({name}) FROM (SELECT {name} FROM {} LIMIT {LOOKED_AT})", table.join("."));
        let mut statement = connection.prepare(&sql)?;
        let kinds = statement.query_map([], |row| row.get::<_, String>(0))?;
        let mut counted: BTreeMap<String, u32> = BTreeMap::new();
        for kind in kinds {
            *counted.entry(kind?).or_default() += 1;
        }
        let has = |kind: &str| counted.contains_key(kind);
        seen.push(match (has("text"), has("blob"), has("real"), has("integer")) {
            (true, false, false, false) => Some("text"),
            (false, true, false, false) => Some("bytea"),
            (false, false, true, _) => Some("double"),
            (false, false, false, true) => Some("bigint"),
            _ => None,
        });
    }
    Ok(seen)
}

/// About how many rows a table has: what is found at once. Counting them would read all.
fn about_rows(connection: &Connection, table: &Listed) -> Option<usize> {
    if table.is_view || table.is_virtual || table.without_row_id {
        return None;
    }
    let sql = format!("SELECT max(rowid) FROM {}", quoted(&table.name));
    let most: Option<i64> = connection.query_row(&sql, [], |row| row.get(0)).ok()?;
    usize::try_from(most.unwrap_or_default()).ok()
}
