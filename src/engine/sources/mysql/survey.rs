//! What a server of MySQL has, for those who look at it before there are tables of it.

use super::super::error::SourceError;
use super::super::names::TableName;
use super::super::survey::{ForeignKey, RowEstimate, Surveyed, SurveyedColumn, SurveyedKind, description, is_category};
use super::describe::{VIEWS, number, text};
use super::error::source_error;
use super::looked;
use super::rules::{allowed_texts, labels};
use super::session::Session;
use super::types::column_type;
use crate::ty::Type;
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Row};
use std::collections::HashMap;

/// Which tables somebody has made for rows of their own: those of the database that the session is in, or of all.
const OF_USERS: &str = "TABLE_SCHEMA = COALESCE(DATABASE(), TABLE_SCHEMA) \
     AND TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys') ";

/// The tables, and whether the session is in their database.
const TABLES: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT, \
     COALESCE(TABLE_SCHEMA = DATABASE(), 0) FROM information_schema.TABLES \
     WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') AND ";

/// Their columns.
const COLUMNS: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT \
     FROM information_schema.COLUMNS WHERE ";

/// Their keys, and whose rows their rows belong to.
const KEYS: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, \
     REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE \
     WHERE (CONSTRAINT_NAME = 'PRIMARY' OR REFERENCED_TABLE_NAME IS NOT NULL) AND ";

/// How many different values begin their indexes.
const DISTINCT: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, CARDINALITY FROM information_schema.STATISTICS \
     WHERE SEQ_IN_INDEX = 1 AND SUB_PART IS NULL AND CARDINALITY IS NOT NULL AND ";

/// What each row is checked by, as MariaDB tells it.
const RULES_OF_MARIADB: &str =
    "SELECT CONSTRAINT_SCHEMA, TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS";

/// The same, as MySQL tells it.
const RULES_OF_MYSQL: &str = "SELECT t.TABLE_SCHEMA, t.TABLE_NAME, c.CHECK_CLAUSE \
     FROM information_schema.TABLE_CONSTRAINTS t JOIN information_schema.CHECK_CONSTRAINTS c \
     ON c.CONSTRAINT_SCHEMA = t.CONSTRAINT_SCHEMA AND c.CONSTRAINT_NAME = t.CONSTRAINT_NAME \
     WHERE t.CONSTRAINT_TYPE = 'CHECK'";

const ORDER: &str = "ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION";
const ORDER_OF_KEYS: &str = "ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION";
const ORDER_OF_TABLES: &str = "ORDER BY TABLE_SCHEMA, TABLE_NAME";

/// The tables of the database that the session is in; of all that it may see, where it is in none.
pub(super) async fn tables(session: &mut Session, source: &str) -> Result<Vec<Surveyed>, SourceError> {
    let failed = |error: Error| source_error(&error, source, "");
    let mut tables = told_tables(session.connection()).await.map_err(failed)?;
    looked::propose(session, &mut tables).await.map_err(failed)?;
    Ok(tables)
}

/// The tables as the catalog of the server has them.
async fn told_tables(conn: &mut Conn) -> Result<Vec<Surveyed>, Error> {
    let tables: Vec<Row> = conn.query([TABLES, OF_USERS, ORDER_OF_TABLES].concat()).await?;
    let columns: Vec<Row> = conn.query([COLUMNS, OF_USERS, ORDER].concat()).await?;
    let keys: Vec<Row> = conn.query([KEYS, OF_USERS, ORDER_OF_KEYS].concat()).await?;
    let distinct: Vec<Row> = conn.query([DISTINCT, OF_USERS].concat()).await?;
    let mut said: HashMap<TableName, SaidOfTable> = HashMap::new();
    let mut add = |rows: &[Row], add: fn(&mut SaidOfTable, &Row) -> Option<()>| {
        for row in rows {
            if let Some(table) = table_of(row) {
                // An answer without a name says nothing.
                let _ = add(said.entry(table).or_default(), row);
            }
        }
    };
    add(&columns, SaidOfTable::add_column);
    add(&keys, SaidOfTable::add_key);
    add(&distinct, SaidOfTable::add_distinct);
    add(&rules(conn).await?, SaidOfTable::add_rule);
    let surveyed = |row: &Row| {
        let table = table_of(row)?;
        let said = said.remove(&table).unwrap_or_default();
        Some(surveyed(row, table, said))
    };
    Ok(tables.iter().filter_map(surveyed).collect())
}

/// What rows are checked by; nothing of a server that is too old to check.
async fn rules(conn: &mut Conn) -> Result<Vec<Row>, Error> {
    for asked in [RULES_OF_MARIADB, RULES_OF_MYSQL] {
        match conn.query(asked).await {
            Err(Error::Server(_)) => {}
            answered => return answered,
        }
    }
    Ok(Vec::new())
}

fn table_of(row: &Row) -> Option<TableName> {
    Some((text(row, 0)?, text(row, 1)?))
}

/// What is said of a table beside its name.
#[derive(Default)]
struct SaidOfTable {
    columns: Vec<SurveyedColumn>,
    key: Vec<String>,
    /// By the names of the rules that they are of, which come one after the other.
    foreign_keys: Vec<(String, ForeignKey)>,
    /// How many different values a column has.
    distinct: HashMap<String, u64>,
    allowed: HashMap<String, Vec<String>>,
}

impl SaidOfTable {
    fn add_column(&mut self, row: &Row) -> Option<()> {
        let declared = text(row, 3)?;
        self.columns.push(SurveyedColumn {
            name: text(row, 2)?,
            ty: column_type(&declared),
            proposal: None,
            is_not_null: text(row, 4).as_deref() == Some("NO"),
            allowed: labels(&declared),
            is_category: false,
            comment: text(row, 5).and_then(|comment| description(&comment)),
            declared,
        });
        Some(())
    }

    fn add_key(&mut self, row: &Row) -> Option<()> {
        let (rule, column) = (text(row, 2)?, text(row, 3)?);
        let Some(table) = text(row, 5) else {
            self.key.push(column);
            return Some(());
        };
        if self.foreign_keys.last().is_none_or(|(last, _)| *last != rule) {
            let key = ForeignKey { columns: Vec::new(), schema: text(row, 4), table, others: Vec::new() };
            self.foreign_keys.push((rule, key));
        }
        let (_, key) = self.foreign_keys.last_mut()?;
        key.columns.push(column);
        key.others.push(text(row, 6)?);
        Some(())
    }

    fn add_distinct(&mut self, row: &Row) -> Option<()> {
        self.distinct.insert(text(row, 2)?, number(row, 3)?);
        Some(())
    }

    fn add_rule(&mut self, row: &Row) -> Option<()> {
        let (column, texts) = allowed_texts(&text(row, 2)?)?;
        self.allowed.insert(column, texts);
        Some(())
    }
}

#[allow(clippy::cast_precision_loss, reason = "an estimate")]
fn surveyed(row: &Row, (schema, name): TableName, mut said: SaidOfTable) -> Surveyed {
    let is_view = text(row, 2).is_some_and(|kind| VIEWS.contains(&kind.as_str()));
    let is_here = number(row, 5) == Some(1);
    let rows = number(row, 3).filter(|rows| !is_view && *rows > 0);
    let mut table = Surveyed::named(name, if is_view { SurveyedKind::View } else { SurveyedKind::Table });
    // The server says of each view that it is one.
    table.comment = text(row, 4).filter(|_| !is_view).and_then(|comment| description(&comment));
    table.rows = rows.map(RowEstimate::About);
    table.key = said.key;
    if said.columns.is_empty() {
        table.unreadable = Some("the user of the connection may not read it".to_owned());
    }
    let place = |key: &ForeignKey| said.columns.iter().position(|column| key.columns.first() == Some(&column.name));
    let mut keys: Vec<ForeignKey> = said.foreign_keys.into_iter().map(|(_, key)| key).collect();
    keys.sort_by_key(place);
    for key in &mut keys {
        // A table of the same database is called by its name alone.
        key.schema = key.schema.take().filter(|other| !is_here || *other != schema);
    }
    table.foreign_keys = keys;
    for column in &mut said.columns {
        let distinct = said.distinct.get(&column.name).map(|distinct| *distinct as f64);
        column.is_category = column.ty == Some(Type::Text) && is_category(distinct, rows);
        column.is_not_null &= !is_view;
        if let Some(texts) = said.allowed.remove(&column.name) {
            column.allowed = texts;
        }
    }
    table.columns = said.columns;
    table.schema = Some(schema).filter(|_| !is_here);
    table
}
