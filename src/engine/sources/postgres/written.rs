//! The columns of tables that statements of an author write into.

use super::rules::allowed_texts;
use crate::catalog::WrittenColumn;
use std::collections::HashMap;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, Error, Row};

/// Names without a schema are looked for there.
const PUBLIC: &str = "public";

/// More texts are not listed.
const MOST_TEXTS: usize = 100;

/// The columns of a table: whether each may be null, what stands in it where nothing is written, whether the server alone writes
/// it, whether it counts by itself, and the labels of its enum.
const COLUMNS: &str = "SELECT n.nspname::text || '.' || c.relname::text, a.attname::text, NOT a.attnotnull, \
     pg_catalog.pg_get_expr(d.adbin, d.adrelid), a.attgenerated <> '' OR a.attidentity = 'a', a.attidentity = 'd', \
     (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e \
     JOIN pg_catalog.pg_type t ON e.enumtypid IN (t.oid, t.typbasetype) WHERE t.oid = a.atttypid) \
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
     LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum \
     WHERE lower(n.nspname) = lower($1) AND lower(c.relname) = lower($2) AND c.relkind IN ('r', 'p') ORDER BY a.attnum";

/// What each row of a table is checked by.
const RULES: &str = "SELECT pg_catalog.pg_get_constraintdef(o.oid) FROM pg_catalog.pg_constraint o \
     JOIN pg_catalog.pg_class c ON c.oid = o.conrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     WHERE o.contype = 'c' AND pg_catalog.cardinality(o.conkey) = 1 \
     AND lower(n.nspname) = lower($1) AND lower(c.relname) = lower($2)";

/// The columns of these tables. One that is not there has none: the statement says so itself.
pub(super) async fn columns(client: &Client, tables: &[Vec<String>]) -> Result<Vec<WrittenColumn>, Error> {
    let mut found = Vec::new();
    for name in tables {
        let Some((table, schema)) = name.split_last() else { continue };
        let schema = schema.last().map_or(PUBLIC, String::as_str);
        let values: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
            [(&schema, Type::TEXT), (table, Type::TEXT)];
        let rules = client.query_typed(RULES, &values).await?;
        let rules = rules.iter().map(|row| row.try_get::<_, String>(0)).collect::<Result<Vec<_>, _>>()?;
        let allowed: HashMap<String, Vec<String>> = rules.iter().filter_map(|rule| allowed_texts(rule)).collect();
        for row in client.query_typed(COLUMNS, &values).await? {
            found.push(column(&row, &allowed)?);
        }
    }
    Ok(found)
}

fn column(row: &Row, allowed: &HashMap<String, Vec<String>>) -> Result<WrittenColumn, Error> {
    let column: String = row.try_get(1)?;
    let (default, counts): (Option<String>, bool) = (row.try_get(3)?, row.try_get(5)?);
    let labels: Option<Vec<String>> = row.try_get(6)?;
    let labels = labels.filter(|labels| labels.len() <= MOST_TEXTS);
    Ok(WrittenColumn {
        table: row.try_get(0)?,
        nullable: row.try_get(2)?,
        default: default.or(counts.then(|| "DEFAULT".to_owned())),
        is_generated: row.try_get(4)?,
        allowed: labels.or_else(|| allowed.get(&column).cloned()).unwrap_or_default(),
        column,
    })
}
