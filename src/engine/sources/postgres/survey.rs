//! What a server of PostgreSQL has, for those who look at it before there are tables of it.

use super::super::dialect::quoted;
use super::super::error::SourceError;
use super::super::survey::{
    ForeignKey, MOST_TEXTS, Proposal, ProposalReason, RowEstimate, Surveyed, SurveyedColumn, SurveyedKind, description,
    is_category,
};
use super::describe::{OF_USERS, Told, ToldColumn, all_tables};
use super::error::source_error;
use super::rules::allowed_texts;
use super::transaction::END;
use super::types::{bare, column_type, is_time};
use crate::ty::Type;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, Error, Row};

/// The digits of a number that is a key, of which the database says none.
const KEY_DIGITS: u8 = 38;

/// How many rows of a table are looked at, and how many milliseconds that may take.
const LOOKED_AT: u32 = 1_000;
const PATIENCE: u32 = 2_000;

/// How long all tables are looked at, once for the digits of numbers, and once for values that are none here.
const LONGEST_LOOK: Duration = Duration::from_secs(10);

/// How many places a number has at least that is no key.
const LEAST_PLACES: i32 = 2;

/// What is said of tables and their columns; a column without a name is the table itself.
const SAID: &str = "SELECT n.nspname::text, c.relname::text, a.attname::text, d.description, \
     (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_catalog.pg_enum e \
     JOIN pg_catalog.pg_type t ON e.enumtypid IN (t.oid, t.typbasetype) WHERE t.oid = a.atttypid), s.n_distinct::float8 \
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     CROSS JOIN LATERAL (SELECT attname, attnum, atttypid FROM pg_catalog.pg_attribute \
     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped UNION ALL SELECT NULL, 0, 0) a \
     LEFT JOIN pg_catalog.pg_description d ON d.objoid = c.oid AND d.classoid = 'pg_catalog.pg_class'::regclass \
     AND d.objsubid = a.attnum \
     LEFT JOIN (SELECT schemaname, tablename, attname, max(n_distinct) AS n_distinct FROM pg_catalog.pg_stats \
     GROUP BY schemaname, tablename, attname) s \
     ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname \
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ";

/// The rules of tables: foreign keys, and what each row is checked by, also because a column is of a domain.
const RULES: &str = "SELECT n.nspname::text, c.relname::text, \
     (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(o.conkey) WITH ORDINALITY AS k(number, place) \
     JOIN pg_catalog.pg_attribute a ON a.attrelid = o.conrelid AND a.attnum = k.number), \
     CASE WHEN o.contype = 'c' THEN pg_catalog.pg_get_constraintdef(o.oid) END, p.nspname::text, f.relname::text, \
     (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(o.confkey) WITH ORDINALITY AS k(number, place) \
     JOIN pg_catalog.pg_attribute a ON a.attrelid = o.confrelid AND a.attnum = k.number) \
     FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_class c ON c.oid = o.conrelid \
     JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     LEFT JOIN pg_catalog.pg_class f ON f.oid = o.confrelid \
     LEFT JOIN pg_catalog.pg_namespace p ON p.oid = f.relnamespace \
     WHERE (o.contype = 'c' OR o.contype = 'f' AND o.conparentid = 0) AND ";

/// The rules of domains, with the columns that are of them.
const DOMAINS: &str = "SELECT n.nspname::text, c.relname::text, ARRAY[a.attname::text], \
     pg_catalog.pg_get_constraintdef(o.oid), NULL::text, NULL::text, NULL::text[] \
     FROM pg_catalog.pg_constraint o JOIN pg_catalog.pg_attribute a ON a.atttypid = o.contypid AND a.attnum > 0 \
     JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
     WHERE o.contypid <> 0 AND o.contype = 'c' AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND ";

/// A table by its schema and its name.
type TableName = (String, String);

/// All tables and views that somebody has made. `begin` is what a transaction begins with.
pub(super) async fn tables(client: &Client, source: &str, begin: &str) -> Result<Vec<Surveyed>, SourceError> {
    looked(client, begin).await.map_err(|error| source_error(&error, source, ""))
}

async fn looked(client: &Client, begin: &str) -> Result<Vec<Surveyed>, Error> {
    client.batch_execute(begin).await?;
    let told = all_tables(client).await?;
    let mut said: HashMap<TableName, SaidOfTable> = HashMap::new();
    for row in client.query_typed(&[SAID, OF_USERS].concat(), &[]).await? {
        said.entry((row.try_get(0)?, row.try_get(1)?)).or_default().add_said(&row)?;
    }
    for rules in [RULES, DOMAINS] {
        for row in client.query_typed(&[rules, OF_USERS].concat(), &[]).await? {
            said.entry((row.try_get(0)?, row.try_get(1)?)).or_default().add_rule(&row)?;
        }
    }
    let surveyed = |table: Told| {
        let said = said.remove(&(table.schema.clone(), table.name.clone())).unwrap_or_default();
        surveyed(table, said)
    };
    let mut tables: Vec<Surveyed> = told.into_iter().map(surveyed).collect();
    client.batch_execute(END).await?;
    let began = Instant::now();
    for table in &mut tables {
        if began.elapsed() < LONGEST_LOOK {
            settle_numbers(client, table, begin).await?;
        }
    }
    let began = Instant::now();
    for table in &mut tables {
        if began.elapsed() < LONGEST_LOOK {
            settle_values(client, table, begin).await?;
        }
    }
    Ok(tables)
}

/// Says of numbers without digits how many those that there are have. Nobody waits long for it: a view may be a query that takes
/// any time. As texts they have all their digits, but nobody adds texts up.
async fn settle_numbers(client: &Client, table: &mut Surveyed, begin: &str) -> Result<(), Error> {
    let name = table.schema.iter().chain([&table.name]).map(|part| quoted(part)).collect::<Vec<_>>().join(".");
    let is_open = |column: &&mut SurveyedColumn| matches!(&column.proposal, Some(Proposal { ty: Type::Text, .. }));
    for column in table.columns.iter_mut().filter(is_open) {
        let own = quoted(&column.name);
        let looked = format!(
            "SELECT max(pg_catalog.scale({own}))::int4, max(pg_catalog.length(pg_catalog.trunc(pg_catalog.abs({own}))::text))::int4 \
             FROM (SELECT {own} FROM {name} LIMIT {LOOKED_AT}) AS looked"
        );
        client.batch_execute(&format!("{begin}; SET LOCAL statement_timeout = {PATIENCE}")).await?;
        let row = client.query_typed_one(&looked, &[]).await;
        client.batch_execute(END).await?;
        // One that cannot be read now is none that can be said more of.
        let Ok(row) = row else { continue };
        let (places, whole): (Option<i32>, Option<i32>) = (row.try_get(0)?, row.try_get(1)?);
        if let Some(ty) = places.zip(whole).and_then(|(places, whole)| decimal(places, whole)) {
            column.proposal = Some(Proposal { ty, why: ProposalReason::NoDigits });
        }
    }
    Ok(())
}

/// The last day that there is here.
const LAST_DAY: &str = "262142-12-31";

/// Whether a column is one of lists.
fn is_list(column: &SurveyedColumn) -> bool {
    column.declared.ends_with("[]")
}

/// Whether some values of a column may be none here.
fn may_hold_others(column: &SurveyedColumn) -> bool {
    let is_read_as_declared = match &column.proposal {
        None => true,
        Some(proposal) => proposal.why == ProposalReason::NoDigits && matches!(proposal.ty, Type::Decimal(..)),
    };
    // Those that are read as texts are read whatever they are.
    let is_decimal = || matches!(column.ty, Some(Type::Decimal(..))) || column.proposal.is_some();
    let is_number = || bare(&column.declared) == "numeric" && is_decimal();
    is_read_as_declared && (is_time(&column.declared) || is_list(column) || is_number())
}

/// What a value is that is none here.
fn is_none_here(column: &SurveyedColumn) -> String {
    let own = quoted(&column.name);
    let Some(item) = column.declared.strip_suffix("[]") else { return is_no_value(&own, &column.declared) };
    let is_nested = format!("pg_catalog.array_ndims({own}) > 1");
    let is_of_decimals = matches!(&column.ty, Some(Type::List(item)) if matches!(**item, Type::Decimal(..)));
    match is_time(item) || is_of_decimals {
        true => {
            let is_none = is_no_value("item", item);
            format!("({is_nested} OR EXISTS (SELECT FROM pg_catalog.unnest({own}) AS item WHERE {is_none}))")
        }
        false => is_nested,
    }
}

/// The condition that a value, which is no list, is none here.
fn is_no_value(value: &str, declared: &str) -> String {
    match bare(declared).as_str() {
        "numeric" => format!("{value}::pg_catalog.text IN ('NaN', 'Infinity', '-Infinity')"),
        "time without time zone" => format!("{value} = '24:00'"),
        _ => format!("(NOT pg_catalog.isfinite({value}) OR {value} > '{LAST_DAY}')"),
    }
}

/// Says of days, times and numbers that some of them are none here: as texts, all of them can be read. Lists of lists are of no
/// type. All rows are looked at, and the first of them where that takes long.
async fn settle_values(client: &Client, table: &mut Surveyed, begin: &str) -> Result<(), Error> {
    let name = table.schema.iter().chain([&table.name]).map(|part| quoted(part)).collect::<Vec<_>>().join(".");
    let is_open = |column: &&mut SurveyedColumn| may_hold_others(column);
    let mut columns: Vec<&mut SurveyedColumn> = table.columns.iter_mut().filter(is_open).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let asked: Vec<String> =
        columns.iter().map(|column| format!("coalesce(pg_catalog.bool_or({}), false)", is_none_here(column))).collect();
    let own: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
    let first = format!("(SELECT {} FROM {name} LIMIT {LOOKED_AT}) AS looked", own.join(", "));
    for rows in [name, first] {
        client.batch_execute(&format!("{begin}; SET LOCAL statement_timeout = {PATIENCE}")).await?;
        let row = client.query_typed_one(&format!("SELECT {} FROM {rows}", asked.join(", ")), &[]).await;
        client.batch_execute(END).await?;
        let Ok(row) = row else { continue };
        for (at, column) in columns.iter_mut().enumerate() {
            if row.try_get(at)? {
                let why = if is_list(column) { ProposalReason::Nested } else { ProposalReason::Endless };
                column.proposal = Some(Proposal { ty: Type::Text, why });
            }
        }
        break;
    }
    Ok(())
}

/// A number that has room for as many places and digits, and for more digits.
fn decimal(places: i32, whole: i32) -> Option<Type> {
    // Of amounts that are all whole, the next may have cents.
    let places = i8::try_from(places.max(LEAST_PLACES)).ok()?;
    (i32::from(places) + whole <= i32::from(KEY_DIGITS)).then_some(Type::Decimal(KEY_DIGITS, places))
}

/// What is said of a table beside its columns.
#[derive(Default)]
struct SaidOfTable {
    comment: Option<String>,
    columns: HashMap<String, SaidOfColumn>,
    foreign_keys: Vec<ForeignKey>,
}

/// What is said of a column.
#[derive(Default)]
struct SaidOfColumn {
    comment: Option<String>,
    /// The only texts that it may hold.
    allowed: Vec<String>,
    /// How many different values it has; below 0 as a part of the rows.
    distinct: Option<f64>,
}

impl SaidOfTable {
    fn add_said(&mut self, row: &Row) -> Result<(), Error> {
        let (name, comment): (Option<String>, Option<String>) = (row.try_get(2)?, row.try_get(3)?);
        let comment = comment.and_then(|comment| description(&comment));
        let Some(name) = name else {
            self.comment = comment;
            return Ok(());
        };
        let labels: Option<Vec<String>> = row.try_get(4)?;
        let allowed = labels.filter(|labels| labels.len() <= MOST_TEXTS).unwrap_or_default();
        self.columns.insert(name, SaidOfColumn { comment, allowed, distinct: row.try_get(5)? });
        Ok(())
    }

    fn add_rule(&mut self, row: &Row) -> Result<(), Error> {
        let (columns, rule): (Option<Vec<String>>, Option<String>) = (row.try_get(2)?, row.try_get(3)?);
        let (schema, table, others): (_, Option<String>, Option<Vec<String>>) =
            (row.try_get(4)?, row.try_get(5)?, row.try_get(6)?);
        let columns = columns.unwrap_or_default();
        if let (Some(table), Some(others)) = (table, others) {
            self.foreign_keys.push(ForeignKey { columns, schema, table, others });
        } else if let ([column], Some((_, texts))) = (columns.as_slice(), rule.as_deref().and_then(allowed_texts)) {
            // A rule about one column that says a list says it of this one.
            self.columns.entry(column.clone()).or_default().allowed = texts;
        }
        Ok(())
    }
}

fn surveyed(told: Told, mut said: SaidOfTable) -> Surveyed {
    let kind = if told.is_view() { SurveyedKind::View } else { SurveyedKind::Table };
    let rows = told.estimate();
    let mut table = Surveyed::named(told.name.clone(), kind);
    table.key = told.key();
    table.comment = said.comment.take();
    table.rows = rows.map(RowEstimate::About);
    if told.columns.is_empty() && !said.columns.is_empty() {
        table.unreadable = Some("the user of the connection may not read it".to_owned());
    }
    let place = |key: &ForeignKey| told.columns.iter().position(|column| key.columns.first() == Some(&column.name));
    said.foreign_keys.sort_by_key(place);
    // A key of a column that may not be read is of no use.
    let is_read = |name: &String| told.columns.iter().any(|column| column.name == *name);
    said.foreign_keys.retain(|key| key.columns.iter().all(is_read));
    let is_key =
        |name: &String| table.key.contains(name) || said.foreign_keys.iter().any(|key| key.columns.contains(name));
    let column = |column: ToldColumn| {
        let own = said.columns.remove(&column.name).unwrap_or_default();
        surveyed_column(column, own, rows, &is_key)
    };
    table.columns = told.columns.into_iter().map(column).collect();
    table.foreign_keys = said.foreign_keys;
    table.schema = Some(told.schema);
    table
}

fn surveyed_column(
    column: ToldColumn,
    said: SaidOfColumn,
    rows: Option<u64>,
    is_key: &dyn Fn(&String) -> bool,
) -> SurveyedColumn {
    let ty = column_type(&column.declared);
    let distinct = said.distinct.and_then(|distinct| number_of(distinct, rows));
    let proposal = (column.declared == "numeric").then(|| {
        // What is a key is whole. Of others, their values tell more.
        let ty = if is_key(&column.name) { Type::Decimal(KEY_DIGITS, 0) } else { Type::Text };
        Proposal { ty, why: ProposalReason::NoDigits }
    });
    SurveyedColumn {
        is_category: ty == Some(Type::Text) && is_category(distinct, rows),
        ty,
        proposal,
        name: column.name,
        declared: column.declared,
        is_not_null: column.is_not_null,
        allowed: said.allowed,
        comment: said.comment,
    }
}

/// How many different values a column has. Below 0, the server tells a part of the rows.
#[allow(clippy::cast_precision_loss, reason = "an estimate")]
fn number_of(distinct: f64, rows: Option<u64>) -> Option<f64> {
    if distinct < 0.0 { rows.map(|rows| -distinct * rows as f64) } else { Some(distinct) }
}
