//! Rows for a test: some of those that the SELECT reads, and what it gives over them.

use crate::cli::draft::Draft;
use crate::cli::saved::Saved;
use crate::cli::workspace::block_on;
use crate::cli::{Global, Outcome};
use crate::engine::bind::{Arguments, Caller};
use crate::engine::fixture::{Row, batch};
use crate::engine::{Engine, Tables};
use crate::project::ResultLimit;
use crate::syntax::link::parse_text;
use crate::syntax::outline_of_expression;
use crate::ty::coerce::TimeZoneName;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value};
use sqlparser::ast::{Select, SelectItem, SetExpr, Statement, TableFactor, Visit, Visitor};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Rows of a table that the SELECT finds, and others.
const FOUND: usize = 3;
const OTHERS: usize = 2;

/// What the tool gives over them.
pub(super) struct SampleAnswer {
    pub(super) rows: Vec<Value>,
    /// Whether they have an order.
    pub(super) is_ordered: bool,
    /// What `now()` was, where it is asked for.
    pub(super) now: Option<String>,
}

/// Some rows of each table that the SELECT reads, with the columns that it names.
pub(super) fn rows_by_table(global: &Global, saved: &Saved, sql: &str) -> Result<Vec<(String, Vec<Row>)>, Outcome> {
    let words: BTreeSet<String> =
        outline_of_expression(sql).map(|outline| outline.words.into_iter().collect()).unwrap_or_default();
    let statement = parse_text(sql, &|_| None).ok();
    let select = statement.as_ref().and_then(plain_select);
    let project = &saved.workspace.project;
    let mut all = Vec::new();
    for table in &saved.tool.contract.tables {
        let Some(schema) = project.catalog.tables.get(table) else { continue };
        let seen: Vec<&str> = schema.columns.iter().map(|column| column.name.as_str()).collect();
        let named: Vec<&str> = seen.iter().copied().filter(|name| words.contains(&name.to_lowercase())).collect();
        // A star names all of them.
        let columns = match statement.as_ref().is_some_and(has_star) {
            true => seen,
            // A row is counted by any of its columns.
            false if named.is_empty() => seen.into_iter().take(1).collect(),
            false => named,
        };
        let mut rows: Vec<Row> = Vec::new();
        for one in selects(table, &columns, select) {
            let limit = Some(ResultLimit::Rows(u64::try_from(FOUND + OTHERS).unwrap_or(1)));
            let found = Draft::to_run(global, limit)?.compile(&one)?.rows()?;
            let found = found.rows.structured();
            let objects = found.as_array().into_iter().flatten().filter_map(Value::as_object);
            let new: Vec<Row> = objects.filter(|row| !rows.contains(*row)).cloned().collect();
            rows.extend(new);
        }
        // They come in any order.
        rows.sort_by_cached_key(|row| Value::Object(row.clone()).to_string());
        all.push((table.clone(), rows));
    }
    Ok(all)
}

/// Whether a statement asks for all columns of a table.
fn has_star(statement: &Statement) -> bool {
    struct Stars(bool);
    impl Visitor for Stars {
        type Break = ();

        fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
            let is_star =
                |item: &SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
            self.0 |= select.projection.iter().any(is_star);
            ControlFlow::Continue(())
        }
    }
    let mut stars = Stars(false);
    let _ = statement.visit(&mut stars);
    stars.0
}

/// The SELECT that a statement is, where that is all there is to it: no common table expressions, no other SELECT in it.
fn plain_select(statement: &Statement) -> Option<&Select> {
    let Statement::Query(query) = statement else { return None };
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let has_others = statement.to_string().matches("SELECT ").count() > 1;
    (query.with.is_none() && !has_others && !select.from.is_empty()).then_some(select)
}

/// The SELECTs that give rows of a table.
fn selects(table: &str, columns: &[&str], select: Option<&Select>) -> Vec<String> {
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let listed = |of: &str| columns.iter().map(|name| format!("{of}{}", quoted(name))).collect::<Vec<_>>().join(", ");
    let Some((select, alias)) = select.and_then(|select| Some((select, alias_of(select, table)?))) else {
        return vec![format!("SELECT {} FROM {} LIMIT {}", listed(""), quoted(table), FOUND + OTHERS)];
    };
    let from = select.from.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let of = format!("{alias}.");
    let condition = select.selection.as_ref().map(ToString::to_string);
    let found = condition.as_ref().map(|condition| format!(" WHERE {condition}")).unwrap_or_default();
    let mut all = vec![format!("SELECT DISTINCT {} FROM {from}{found} LIMIT {FOUND}", listed(&of))];
    if let Some(condition) = condition {
        let others = format!("WHERE NOT coalesce(({condition}), false)");
        all.push(format!("SELECT DISTINCT {} FROM {from} {others} LIMIT {OTHERS}", listed(&of)));
    }
    all
}

/// What a SELECT calls a table that it selects from once.
fn alias_of(select: &Select, table: &str) -> Option<String> {
    let factors = select
        .from
        .iter()
        .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)));
    let mut found = factors.filter_map(|factor| match factor {
        TableFactor::Table { name, alias, args: None, .. } if name.to_string().trim_matches('"') == table => {
            Some(alias.as_ref().map_or_else(|| name.to_string(), |alias| alias.name.to_string()))
        }
        _ => None,
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// What the tool gives over these rows; `None` where it fails over them.
pub(super) fn answer(
    saved: &Saved,
    fixtures: &[(String, Vec<Row>)],
    arguments: &Map<String, Value>,
) -> Result<Option<SampleAnswer>, Outcome> {
    let project = &saved.workspace.project;
    let zone = project.file.time_zone.as_deref().and_then(TimeZoneName::parse).unwrap_or_default();
    let mut batches = Vec::new();
    for (name, rows) in fixtures {
        let Some(table) = project.catalog.tables.get(name) else { return Ok(None) };
        match batch(table, rows, &zone) {
            Ok(batch) => batches.push((name.clone(), batch)),
            // A value that no file of tests can hold.
            Err(_) => return Ok(None),
        }
    }
    let statement = saved.tool.statement().to_lowercase();
    let asks_for_now = ["now(", "current_date", "current_time", "today("].iter().any(|word| statement.contains(word));
    let now: DateTime<Utc> = Utc::now();
    let (tool, file, catalog) = (saved.tool.clone(), project.file.clone(), project.catalog.clone());
    let (dir, sent): (_, Arguments) = (saved.workspace.dir.clone(), arguments.clone());
    let caller = Caller { now: asks_for_now.then_some(now), tries_only: true, ..Caller::default() };
    let is_ordered = statement.contains("order by");
    let answer = block_on(async move {
        let names: Vec<&str> = tool.contract.tables.iter().map(String::as_str).collect();
        let tables = Tables::open_some(&dir, &file, &catalog, &names).await.ok()?;
        let engine = Engine::prepare(tables.with_rows(batches).ok()?, vec![tool.clone()]);
        engine.call_as(&tool.contract.name, &sent, &caller).await.ok()
    })
    .flatten();
    let Some(result) = answer else { return Ok(None) };
    let mut rows = result.rows.structured().as_array().cloned().unwrap_or_default();
    if !is_ordered {
        rows.sort_by_cached_key(ToString::to_string);
    }
    let now = asks_for_now.then(|| now.to_rfc3339_opts(SecondsFormat::Micros, true));
    Ok(Some(SampleAnswer { rows, is_ordered, now }))
}
