//! What a server of PostgreSQL says of its tables.

use super::super::dialect::quoted;
use super::super::driver::{Described, Request};
use super::super::error::SourceError;
use super::super::names::{TableName, near_table, written_table};
use super::super::survey::ListedTable;
use super::error::source_error;
use super::statements::Kept;
use super::types::{NONDETERMINISTIC, is_read_as_text, money};
use crate::catalog::{DatabaseKind, Native, NativeColumn};
use futures::TryStreamExt;
use futures::future::try_join_all;
use std::pin::pin;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Row, RowStream};

/// The schema whose tables are meant by a name alone.
const PUBLIC: &str = "public";

/// The columns of the tables that may be meant, each with its table; the first of a table without any is NULL. A domain is
/// told as the type below it, which is what its values come as; types of others are told with their schema, whatever the
/// session finds without. Columns that may not be read are left out. The last is whether functions of the database's own people
/// may be called: by a view, a policy of its rows, or a cast to text, of whichever type that is.
const COLUMNS: &str = "SELECT n.nspname::text, c.relname::text, c.relkind::text, c.reltuples::float8, a.attname::text, \
     coalesce(own.words, ''), coalesce(a.attnotnull, false), \
     array_position((k.indkey::int2[])[0:k.indnkeyatts - 1], a.attnum)::int4 AS place, l.name, l.is_bytes, l.is_deterministic, \
     pg_catalog.current_setting('server_encoding') = 'UTF8', \
     c.relkind IN ('v', 'm', 'f') OR c.relrowsecurity OR EXISTS (SELECT FROM pg_catalog.pg_cast x \
     JOIN pg_catalog.pg_proc p ON p.oid = x.castfunc JOIN pg_catalog.pg_language g ON g.oid = p.prolang \
     WHERE x.casttarget = 'pg_catalog.text'::regtype AND g.lanname NOT IN ('internal', 'c')) \
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
     AND pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') \
     LEFT JOIN pg_catalog.pg_index k ON k.indrelid = c.oid AND k.indisprimary ";

/// The words for the type of each column of `a`: those of the type below a domain, with the schema of types that are none of the
/// server's own.
pub(super) const WORDS: &str = "LEFT JOIN LATERAL (WITH RECURSIVE base AS (\
         SELECT a.atttypid AS oid, a.atttypmod AS modifier \
         UNION ALL SELECT t.typbasetype, CASE WHEN base.modifier >= 0 THEN base.modifier ELSE t.typtypmod END \
         FROM base JOIN pg_catalog.pg_type t ON t.oid = base.oid AND t.typtype = 'd') \
         SELECT CASE WHEN s.nspname = 'pg_catalog' THEN pg_catalog.format_type(base.oid, base.modifier) \
         ELSE pg_catalog.quote_ident(s.nspname) || '.' || pg_catalog.quote_ident(e.typname) || \
         CASE WHEN e.oid = t.oid THEN '' ELSE '[]' END END AS words \
         FROM base JOIN pg_catalog.pg_type t ON t.oid = base.oid AND t.typtype <> 'd' \
         JOIN pg_catalog.pg_type e ON e.oid = CASE WHEN t.typcategory = 'A' AND t.typelem <> 0 THEN t.typelem ELSE t.oid END \
         JOIN pg_catalog.pg_namespace s ON s.oid = e.typnamespace) own ON true ";

/// How the texts of each are compared, and which of them are meant.
const COLLATIONS: &str = "LEFT JOIN LATERAL (SELECT \
         CASE WHEN o.collprovider = 'd' THEN coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', \
         d.datcollate::text) ELSE o.collname::text END AS name, \
         CASE WHEN o.collprovider = 'd' THEN \
         (coalesce(to_jsonb(d) ->> 'datlocprovider', 'c') = 'c' AND d.datcollate IN ('C', 'POSIX')) \
         OR (to_jsonb(d) ->> 'datlocprovider' = 'b') \
         ELSE (o.collprovider = 'c' AND o.collcollate IN ('C', 'POSIX')) OR o.collprovider = 'b' END AS is_bytes, \
         o.collisdeterministic AS is_deterministic \
         FROM pg_catalog.pg_collation o, pg_catalog.pg_database d \
         WHERE o.oid = a.attcollation AND d.datname = pg_catalog.current_database()) l ON true \
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ";

/// Which of them have a name, in any letters.
const NAMED: &str = "lower(c.relname) = lower($2) \
     AND CASE WHEN $1 = '' THEN n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' \
     ELSE lower(n.nspname) = lower($1) END ";

/// Which of them somebody has made for rows of their own: neither the server, nor an extension, nor parts of others.
pub(super) const OF_USERS: &str = "NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%' \
     AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') \
     AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend x WHERE x.classid = 'pg_catalog.pg_class'::regclass \
     AND x.objid = c.oid AND x.deptype = 'e') ";

/// In which order they come: that in which they were made.
const ORDER: &str = "ORDER BY c.oid, a.attnum";

/// Whether a change of some rows of a table may change others of it: by triggers, by rules, by foreign keys that lead back to it, and by
/// tables that inherit from it.
const ACTS_BY_ITSELF: &str = "WITH RECURSIVE reached AS (SELECT $1::text::regclass::oid AS oid \
     UNION SELECT f.conrelid FROM pg_catalog.pg_constraint f JOIN reached r ON f.confrelid = r.oid \
     WHERE f.contype = 'f' AND (f.confdeltype NOT IN ('a', 'r') OR f.confupdtype NOT IN ('a', 'r'))) \
     SELECT EXISTS (SELECT FROM pg_catalog.pg_trigger t JOIN reached r ON t.tgrelid = r.oid \
         WHERE NOT t.tgisinternal AND t.tgenabled <> 'D') \
     OR EXISTS (SELECT FROM pg_catalog.pg_rewrite w JOIN reached r ON w.ev_class = r.oid WHERE w.rulename <> '_RETURN') \
     OR EXISTS (SELECT FROM pg_catalog.pg_constraint f JOIN reached r ON f.confrelid = r.oid \
         WHERE f.contype = 'f' AND f.conrelid = $1::text::regclass \
         AND (f.confdeltype NOT IN ('a', 'r') OR f.confupdtype NOT IN ('a', 'r'))) \
     OR EXISTS (SELECT FROM pg_catalog.pg_inherits i JOIN reached r ON i.inhparent = r.oid)";

/// A number for what the columns of a table and its key are, and whether its rows have policies: each change of a column writes
/// its row of the catalog anew.
pub(super) const VERSION: &str = "SELECT pg_catalog.hashtextextended(pg_catalog.string_agg(a.attnum::text || ' ' || a.xmin::text, ',' \
     ORDER BY a.attnum) || COALESCE((SELECT ' ' || i.indexrelid::text || ' ' || i.xmin::text FROM pg_catalog.pg_index i \
     WHERE i.indrelid = a.attrelid AND i.indisprimary), '') || (SELECT c.relrowsecurity::text FROM pg_catalog.pg_class c \
     WHERE c.oid = a.attrelid), pg_catalog.int8(a.attrelid)) FROM pg_catalog.pg_attribute a \
     WHERE a.attrelid = pg_catalog.to_regclass($1) AND a.attnum > 0 GROUP BY a.attrelid";

/// The types of its values.
pub(super) const OF_VERSION: [Type; 1] = [Type::TEXT];

/// The tables that may be read, for the one that a mistyped name is near to.
const NAMES: &str = "SELECT n.nspname::text, c.relname::text FROM pg_catalog.pg_class c \
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') \
     AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT') AND ";

/// All tables, and whether they may be read.
const LISTED: &str = "SELECT n.nspname::text, c.relname::text, pg_catalog.has_any_column_privilege(c.oid, 'SELECT') \
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ";

/// How many places an amount of money has, which is for the server's locale to say.
const MONEY_PLACES: &str = "SELECT pg_catalog.scale('0'::money::numeric)::int4";

/// Describes a table as it is now.
pub(super) async fn table(client: &Client, source: &str, name: &[String]) -> Result<Described, SourceError> {
    let written = match name {
        [table] => Some((None, table)),
        [schema, table] => Some((Some(schema), table)),
        _ => None,
    };
    let no_table =
        |near: Option<String>| SourceError::NoTable { source: source.to_owned(), table: name.join("."), near };
    let Some((schema, table)) = written else { return Err(no_table(None)) };
    let failed = |error| source_error(&error, source, table);
    let wanted_schema = schema.map_or("", String::as_str);
    let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
        [(&wanted_schema, Type::TEXT), (table, Type::TEXT)];
    let rows =
        client.query_typed(&[COLUMNS, WORDS, COLLATIONS, NAMED, ORDER].concat(), &parameters).await.map_err(failed)?;
    let told = told_tables(&rows).map_err(failed)?;
    match chosen(told, schema, table) {
        Chosen::Table(mut found) => {
            settle_money(client, found.declared_mut()).await.map_err(failed)?;
            let described = described(found, source)?;
            let asked = client.query_typed_raw(VERSION, version_of(&described.native.name)).await;
            Ok(Described { version: version(asked).await.map_err(failed)?, ..described })
        }
        Chosen::OneOf(near) => Err(no_table(Some(near))),
        Chosen::Nothing => {
            let listed = client.query_typed(&[NAMES, OF_USERS].concat(), &[]).await.map_err(failed)?;
            let text = |row: &Row, at: usize| row.try_get::<_, String>(at).ok();
            let names: Vec<TableName> = listed.iter().filter_map(|row| Some((text(row, 0)?, text(row, 1)?))).collect();
            Err(no_table(near_table(&names, name, Some(PUBLIC))))
        }
    }
}

/// The values of [`VERSION`] for a table: its name, with its schema.
pub(super) fn version_of(name: &[String]) -> Vec<(String, Type)> {
    let parts: Vec<String> = name.iter().map(|part| quoted(part)).collect();
    OF_VERSION.into_iter().map(|ty| (parts.join("."), ty)).collect()
}

/// What is answered to [`VERSION`]; `None` where there is no such table.
pub(super) async fn version(
    asked: Result<RowStream, tokio_postgres::Error>,
) -> Result<Option<u64>, tokio_postgres::Error> {
    let mut rows = pin!(asked?);
    // Behind its end, a stream of the driver is a connection that is lost.
    let Some(row) = rows.try_next().await? else { return Ok(None) };
    let number = row.try_get::<_, i64>(0)?;
    // The rest of the answer is read: the statement is over then.
    while rows.try_next().await?.is_some() {}
    Ok(Some(number.cast_unsigned()))
}

/// Whether the tables of a request are what its statement was written for. `kept` is [`VERSION`] as the session keeps it. All
/// of them are asked for when this is first polled.
pub(super) async fn are_current(
    client: &Client,
    kept: Option<&Kept>,
    request: &Request,
) -> Result<bool, tokio_postgres::Error> {
    let is_current = |(native, known): (&[String], Option<u64>)| {
        let values = version_of(native);
        async move {
            if known.is_none() {
                return Ok(true);
            }
            let asked = match kept {
                Some(kept) => client.query_raw(&kept.statement, values.into_iter().map(|(value, _)| value)).await,
                None => client.query_typed_raw(VERSION, values).await,
            };
            Ok::<_, tokio_postgres::Error>(version(asked).await? == known)
        }
    };
    let others = request.outline.others.iter().map(|(native, version)| (native.as_slice(), *version));
    let tables = [(request.outline.native.as_slice(), request.outline.version)].into_iter().chain(others);
    Ok(try_join_all(tables.map(is_current)).await?.into_iter().all(|is_current| is_current))
}

/// A table that may be meant.
pub(super) struct Told {
    /// The schema that it is in.
    pub(super) schema: String,
    /// Its name.
    pub(super) name: String,
    /// What it is: `r` of a table, `v` of a view.
    kind: String,
    /// How many rows it has, as the server believes; below 0 where it does not.
    rows: f64,
    is_utf8: bool,
    /// Whether to read it may call functions of the database's own people.
    calls_functions: bool,
    /// The columns that may be read.
    pub(super) columns: Vec<ToldColumn>,
}

/// A column of it.
pub(super) struct ToldColumn {
    /// Its name.
    pub(super) name: String,
    /// The type that its values come as, in the words of the server.
    pub(super) declared: String,
    /// Whether it has no nulls.
    pub(super) is_not_null: bool,
    /// Its place in the primary key, from 1.
    place: Option<i32>,
    collation: Option<String>,
}

impl Told {
    /// Whether its rows are those of a query.
    pub(super) fn is_view(&self) -> bool {
        matches!(self.kind.as_str(), "v" | "m")
    }

    /// The types of its columns.
    fn declared_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.columns.iter_mut().map(|column| &mut column.declared)
    }

    /// The columns of the primary key, in their order there.
    pub(super) fn key(&self) -> Vec<String> {
        let place = |column: &ToldColumn| Some((column.place?, column.name.clone()));
        let mut key: Vec<(i32, String)> = self.columns.iter().filter_map(place).collect();
        key.sort();
        key.into_iter().map(|(_, name)| name).collect()
    }

    /// About how many rows there are. Before it has counted some, a server says -1, or 0 where it is an old one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, which is above 0")]
    pub(super) fn estimate(&self) -> Option<u64> {
        (self.kind != "v" && self.rows >= 1.0).then_some(self.rows as u64)
    }
}

/// The tables of the rows, each of which is a column.
fn told_tables(rows: &[Row]) -> Result<Vec<Told>, tokio_postgres::Error> {
    let mut told: Vec<Told> = Vec::new();
    for row in rows {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        if told.last().is_none_or(|last| (&last.schema, &last.name) != (&schema, &name)) {
            let (kind, rows, is_utf8) = (row.try_get(2)?, row.try_get(3)?, row.try_get(11)?);
            let calls_functions = row.try_get(12)?;
            told.push(Told { schema, name, kind, rows, is_utf8, calls_functions, columns: Vec::new() });
        }
        let column: Option<String> = row.try_get(4)?;
        if let (Some(table), Some(name)) = (told.last_mut(), column) {
            let column = ToldColumn {
                name,
                declared: row.try_get(5)?,
                is_not_null: row.try_get(6)?,
                place: row.try_get(7)?,
                collation: collation(row)?,
            };
            table.columns.push(column);
        }
    }
    Ok(told)
}

/// How the texts of a column are compared, where that is not certain to be byte by byte: what the C library calls `C.UTF-8`
/// is so in new ones alone.
fn collation(row: &Row) -> Result<Option<String>, tokio_postgres::Error> {
    let (name, is_bytes): (Option<String>, Option<bool>) = (row.try_get(8)?, row.try_get(9)?);
    let is_deterministic: Option<bool> = row.try_get(10)?;
    let suffix = if is_deterministic == Some(false) { NONDETERMINISTIC } else { "" };
    Ok(name.filter(|_| is_bytes != Some(true)).map(|name| name + suffix))
}

/// Which table a name means.
enum Chosen {
    Table(Told),
    /// One of several, which a schema before its name would tell.
    OneOf(String),
    Nothing,
}

/// The table whose name has the same letters, capitals told apart before they are not; without a schema, the one of
/// `public`, or the only one.
fn chosen(told: Vec<Told>, schema: Option<&String>, table: &str) -> Chosen {
    let rank = |one: &Told| {
        let is_schema = match schema {
            Some(schema) => one.schema == *schema,
            None => one.schema == PUBLIC,
        };
        match schema {
            Some(_) => (!is_schema, one.name != table),
            None => (one.name != table, !is_schema),
        }
    };
    let Some(best) = told.iter().map(rank).min() else { return Chosen::Nothing };
    let mut found = told.into_iter().filter(|one| rank(one) == best);
    match (found.next(), found.next()) {
        (Some(only), None) => Chosen::Table(only),
        (Some(one), Some(_)) => Chosen::OneOf(written_table(&one.schema, &one.name)),
        _ => Chosen::Nothing,
    }
}

/// The names of all tables that somebody has made.
pub(super) async fn names(client: &Client) -> Result<Vec<ListedTable>, tokio_postgres::Error> {
    let rows = client.query_typed(&[LISTED, OF_USERS].concat(), &[]).await?;
    let listed = |row: &Row| {
        let is_readable: bool = row.try_get(2)?;
        let why = || "the user of the connection may not read it".to_owned();
        Ok(ListedTable { name: vec![row.try_get(0)?, row.try_get(1)?], unreadable: (!is_readable).then(why) })
    };
    rows.iter().map(listed).collect()
}

/// All tables that somebody has made, in the order in which they were made.
pub(super) async fn all_tables(client: &Client) -> Result<Vec<Told>, tokio_postgres::Error> {
    let rows = client.query_typed(&[COLUMNS, WORDS, COLLATIONS, OF_USERS, ORDER].concat(), &[]).await?;
    let mut told = told_tables(&rows)?;
    settle_money(client, told.iter_mut().flat_map(Told::declared_mut)).await?;
    Ok(told)
}

/// Says of amounts of money among these types how many places they have.
pub(super) async fn settle_money(
    client: &Client,
    types: impl Iterator<Item = &mut String>,
) -> Result<(), tokio_postgres::Error> {
    let types: Vec<&mut String> = types.filter(|declared| is_money(declared)).collect();
    if types.is_empty() {
        return Ok(());
    }
    let places: i32 = client.query_typed_one(MONEY_PLACES, &[]).await?.try_get(0)?;
    for declared in types {
        *declared = declared.replace("money", &money(places));
    }
    Ok(())
}

fn described(told: Told, source: &str) -> Result<Described, SourceError> {
    let (key, rows, is_view) = (told.key(), told.estimate(), told.is_view());
    let Told { schema, name, is_utf8, calls_functions, columns, .. } = told;
    if columns.is_empty() {
        return Err(SourceError::Forbidden { source: source.to_owned(), table: written_table(&schema, &name) });
    }
    let nullable = columns.iter().map(|column| !column.is_not_null).collect();
    let seen = vec![None; columns.len()];
    let native = |column: ToldColumn| NativeColumn {
        // What comes as the server writes it is not compared there.
        collation: column.collation.filter(|_| !is_read_as_text(&column.declared)),
        name: column.name,
        declared: column.declared,
    };
    let native = Native {
        kind: DatabaseKind::Postgres,
        name: vec![schema, name],
        key,
        is_view,
        is_strict: true,
        columns: columns.into_iter().map(native).collect(),
    };
    Ok(Described {
        native,
        nullable,
        seen,
        rows: rows.and_then(|rows| usize::try_from(rows).ok()),
        version: None,
        sorts_bytes: is_utf8,
        calls_functions,
    })
}

fn is_money(declared: &str) -> bool {
    declared.strip_suffix("[]").unwrap_or(declared) == "money"
}

/// A name as it is written.
pub(super) fn written(parts: &[String]) -> String {
    parts.iter().map(|part| quoted(part)).collect::<Vec<_>>().join(".")
}

/// Whether a change of some rows of a table may change others of it.
pub(super) async fn acts_by_itself(client: &Client, source: &str, table: &str) -> Result<bool, SourceError> {
    let row = client.query_one(ACTS_BY_ITSELF, &[&table]).await;
    row.and_then(|row| row.try_get(0)).map_err(|error| source_error(&error, source, ""))
}
