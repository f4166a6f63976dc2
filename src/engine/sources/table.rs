//! Tables of a database as the engine takes them.

use super::bind::{MOST_VALUES, Sent};
use super::described::{can_be_text, facts_anew, facts_as_locked, locked_facts, whole_facts};
use super::driver::{Described, Driver};
use super::error::SourceError;
use super::exec::SourceExec;
use super::facts::{Facts, changed};
use super::guards::checked;
use super::pushed;
use super::remote_query::{RemoteQuery, Shape, Sought};
use super::request::Asked;
use crate::catalog::{DatabaseKind, Table};
use crate::engine::open_table::{DataVersion, OpenTable, PlanVersion};
use crate::engine::tables::TableError;
use crate::project::DatabaseSource;
use arrow::datatypes::{DataType, FieldRef, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::stats::Precision;
use datafusion::common::{DFSchema, DataFusionError, Result, Statistics};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{PhysicalExpr, conjunction};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::empty::EmptyExec;
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::projection::ProjectionExec;
use futures::StreamExt;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long the values of a table are looked at when it is locked.
const LONGEST_LOOK: Duration = Duration::from_secs(60);

/// How many rows are read at once then.
const BATCH: usize = 8_192;

/// A number for each state that a table of a database is ever described in.
static STATES: AtomicU64 = AtomicU64::new(0);

/// Opens a table of a database that has described it, or has not.
pub(super) async fn open(
    name: &str,
    source: &DatabaseSource,
    locked: Option<&Table>,
    described: Result<Described, SourceError>,
    (driver, is_whole): (&Arc<dyn Driver>, bool),
) -> Result<Arc<dyn OpenTable>, TableError> {
    let facts = match described {
        Ok(described) if is_whole => whole_facts(name, source, described, locked)?,
        Ok(described) => facts_as_locked(name, source, described, locked)?,
        Err(
            error @ (SourceError::Down { .. }
            | SourceError::Refusing { .. }
            | SourceError::Forbidden { .. }
            | SourceError::OutsideRoots { .. }
            | SourceError::Busy { .. }),
        ) => {
            match locked.filter(|_| !is_whole).and_then(|locked| locked_facts(name, source, locked)) {
                // Its calls say so, and all others are served.
                Some(facts) => {
                    tracing::warn!(table = name, "{error}; until it can be, calls that read it fail");
                    facts
                }
                None => return Err(table_error(&error)),
            }
        }
        Err(error) => return Err(table_error(&error)),
    };
    let primary_key = match source.primary_key.as_slice() {
        [] => table_of(&facts).native_key(),
        declared => declared.to_vec(),
    };
    let facts = Arc::new(facts);
    if is_whole && !facts.native.is_view {
        read_whole(&facts, driver).await?;
    }
    let asked = with_nulls(&facts.schema);
    let state = Arc::new(RwLock::new(State::new(facts)));
    let (source, driver, primary_key) = (Arc::new(source.clone()), Arc::clone(driver), primary_key.into());
    Ok(Arc::new(SourceTable { asked, state, source, driver, primary_key, relies_on_key: false }))
}

/// The columns, each of which may hold nulls.
fn with_nulls(schema: &SchemaRef) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Reads all values, so that one that is none of its column's type is found now and not by a call.
async fn read_whole(facts: &Arc<Facts>, driver: &Arc<dyn Driver>) -> Result<(), TableError> {
    let has_type = |at: &usize| *facts.schema.field(*at).data_type() != DataType::Null;
    // No condition of these is pushed, so that nothing else looks at them: `24:00`, lists of lists.
    let is_read_alone = |at: usize| {
        let ty = facts.schema.field(at).data_type();
        facts.native.kind == DatabaseKind::Postgres && matches!(ty, DataType::Time64(_) | DataType::List(_))
    };
    let is_looked_at = |at: &usize| pushed::may_misfit(facts, *at) || is_read_alone(*at);
    let columns = (0..facts.schema.fields().len()).filter(has_type).filter(is_looked_at);
    let columns: Vec<usize> = columns.collect();
    if columns.is_empty() {
        return Ok(());
    }
    let query = RemoteQuery::rows(Arc::clone(facts), columns);
    let Ok(request) = Asked::new(query).request(&|_| Sent::LeftOut, BATCH) else { return Ok(()) };
    let began = Instant::now();
    let mut rows = Arc::clone(driver).rows(request);
    loop {
        // A server may say nothing for as long as it likes.
        let Ok(next) = tokio::time::timeout(LONGEST_LOOK.saturating_sub(began.elapsed()), rows.next()).await else {
            tracing::info!(table = %facts.name, "its values were looked at for {LONGEST_LOOK:?}, and not to the end");
            return Ok(());
        };
        match next {
            None => return Ok(()),
            Some(Ok(_)) => {}
            // Its rows are a caller's, and nobody calls.
            Some(Err(SourceError::Anonymous { .. })) => return Ok(()),
            Some(Err(SourceError::Misfit(misfit))) => {
                let column = serde_json::Value::from(misfit.column.as_str());
                let as_text = match facts.place(&misfit.column).is_some_and(|at| can_be_text(facts, at)) {
                    true => format!("; as texts, all of its values are read: say `columns: {{ {column}: text }}`"),
                    false => String::new(),
                };
                let message = format!(
                    "{misfit}{as_text}; without the column, say `columns: {{ {column}: {{ leave_out: true }} }}`"
                );
                return Err(TableError::Unreadable { message });
            }
            Some(Err(error)) => return Err(table_error(&error)),
        }
    }
}

/// The table as the catalog has it.
fn table_of(facts: &Facts) -> Table {
    let mut table = Table::from_arrow(&facts.schema);
    table.native = Some(Box::new(facts.native.clone()));
    table
}

/// What is wrong with a table whose database says so.
pub(super) fn table_error(error: &SourceError) -> TableError {
    match error {
        SourceError::NoTable { source, table, near } => {
            TableError::NoSuchTable { source: source.clone(), table: table.clone(), near: near.clone() }
        }
        SourceError::OutsideRoots { path, .. } => TableError::OutsideRoots { path: path.clone() },
        SourceError::Down { source, why } | SourceError::Refusing { source, why } => {
            TableError::SourceDown { source: source.clone(), why: why.clone() }
        }
        other => TableError::Unreadable { message: other.to_string() },
    }
}

/// A table of a database.
#[derive(Clone)]
pub(super) struct SourceTable {
    /// Its columns, as they were when it was opened, as queries are planned over them: the database alone knows whether a
    /// column without nulls has some now, so that who asks for them asks it.
    asked: SchemaRef,
    state: Arc<RwLock<State>>,
    source: Arc<DatabaseSource>,
    driver: Arc<dyn Driver>,
    /// Its key when it was opened.
    primary_key: Arc<[String]>,
    /// Whether its rows must be told by that key, for who reads it.
    relies_on_key: bool,
}

/// What is known of a table now.
struct State {
    facts: Arc<Facts>,
    /// A number that no other state has.
    number: u64,
}

impl State {
    fn new(facts: Arc<Facts>) -> State {
        // Each has a second one for when it is known to hold no more.
        State { facts, number: STATES.fetch_add(2, Ordering::Relaxed) }
    }
}

impl SourceTable {
    /// What reads it.
    pub(super) fn driver(&self) -> Arc<dyn Driver> {
        Arc::clone(&self.driver)
    }

    /// What is known of it.
    pub(super) fn facts(&self) -> Arc<Facts> {
        Arc::clone(&self.state.read().unwrap_or_else(PoisonError::into_inner).facts)
    }

    /// What is known of the table, asked anew where the database says that its schema is another.
    ///
    /// Errors: it cannot be asked.
    pub(super) async fn fresh(&self) -> Result<Arc<Facts>> {
        let known = self.facts();
        let told = |error: SourceError| DataFusionError::External(Box::new(error));
        let is_known = !known.is_locked && !known.is_stale.load(Ordering::Relaxed);
        let is_current = match known.native.kind {
            DatabaseKind::Sqlite => is_known && self.driver.schema_version().map_err(told)? == known.version,
            // A server is asked beside each statement, which is not worth a round trip here.
            DatabaseKind::Postgres | DatabaseKind::Mysql => true,
        };
        if is_known && is_current {
            return Ok(known);
        }
        self.described(&known).await
    }

    /// The same for who reads some of its columns.
    ///
    /// Errors: it cannot be asked, or what is read is not what it was.
    async fn fresh_for(&self, read: &[usize]) -> Result<Arc<Facts>> {
        let (known, mut now) = (self.facts(), self.fresh().await?);
        // No statement is sent that a server would be asked beside: what was lost may be back.
        if self.refuses(&now, read) && Arc::ptr_eq(&known, &now) && self.driver.kind().is_server() {
            now = self.described(&known).await?;
        }
        if self.refuses(&now, read) { Err(changed(&now)) } else { Ok(now) }
    }

    /// The table as its database describes it now.
    async fn described(&self, known: &Arc<Facts>) -> Result<Arc<Facts>> {
        let described = self.driver.describe(&self.source.native_name(&known.name)).await;
        let described = described.map_err(|error| DataFusionError::External(Box::new(error)))?;
        let now = facts_anew(known, &self.source, described);
        let is_known = !known.is_locked && !known.is_stale.load(Ordering::Relaxed);
        // Plans that are kept for it are good for as long as it is the same.
        if is_known && known.version == now.version && known.is_like(&now) {
            return Ok(Arc::clone(known));
        }
        self.tell_what_is_lost(known, &now);
        let now = Arc::new(now);
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = State::new(Arc::clone(&now));
        Ok(now)
    }

    /// Tells the operator what has gone since.
    fn tell_what_is_lost(&self, known: &Facts, now: &Facts) {
        let table = now.name.as_ref();
        for (field, _) in now.lost.difference(&known.lost).filter_map(|at| now.column(*at)) {
            let column = field.name();
            tracing::warn!(
                table,
                "column `{column}` is gone, of another type, or may be null; until it is back, calls that read it fail"
            );
        }
        if self.keeps_key(known) && !self.keeps_key(now) {
            tracing::warn!(table, "its primary key is gone, or another; until it is back, calls that rely on it fail");
        }
    }

    /// Whether who reads some of its columns does not get what was compiled for any more.
    pub(super) fn refuses(&self, facts: &Facts, read: &[usize]) -> bool {
        read.iter().any(|at| facts.lost.contains(at)) || self.relies_on_key && !self.keeps_key(facts)
    }

    /// Whether rows are told by the key that there was. What the project declares holds by its author's word.
    fn keeps_key(&self, facts: &Facts) -> bool {
        if self.primary_key.is_empty() || !self.source.primary_key.is_empty() {
            return true;
        }
        let is_lost = |name: &String| facts.place(name).is_none_or(|at| facts.lost.contains(&at));
        table_of(facts).native_key() == *self.primary_key && !self.primary_key.iter().any(is_lost)
    }

    /// The same table for who relies on its key.
    pub(super) fn to_keyed(&self) -> SourceTable {
        SourceTable { relies_on_key: true, ..self.clone() }
    }

    /// About how many rows it has, as far as anybody knows.
    pub(super) fn size(&self) -> Statistics {
        let all = RemoteQuery::rows(self.facts(), Vec::new());
        Statistics::new_unknown(&self.asked).with_num_rows(Precision::Inexact(all.about()))
    }
}

/// Conditions that are all the database's alone; `None` where one is not.
pub(super) fn exact_conditions(facts: &Facts, filters: &[Expr], values: &mut Vec<Expr>) -> Option<Vec<Sought>> {
    let found = filters.iter().map(|filter| pushed::condition(filter, facts, values).filter(|found| found.is_exact));
    found.collect::<Option<Vec<_>>>().filter(|_| values.len() <= MOST_VALUES)
}

/// What conditions compare with, without columns.
pub(super) fn physical_values(state: &dyn Session, values: Vec<Expr>) -> Result<Vec<Arc<dyn PhysicalExpr>>> {
    let none = DFSchema::empty();
    values.into_iter().map(|value| state.create_physical_expr(value, &none)).collect()
}

impl fmt::Debug for SourceTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceTable({})", self.source.source)
    }
}

impl OpenTable for SourceTable {
    fn provider(self: Arc<Self>) -> Arc<dyn TableProvider> {
        self
    }

    fn primary_key(&self) -> &[String] {
        &self.primary_key
    }

    fn plan_version(&self) -> Option<PlanVersion> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let is_stale = state.facts.is_stale.load(Ordering::Relaxed);
        Some(PlanVersion::of(state.number + u64::from(is_stale)))
    }

    fn data_version(&self) -> DataVersion {
        self.driver.data_version()
    }

    fn unreachable_source(&self) -> Option<String> {
        (!self.driver.is_reachable()).then(|| self.source.source.clone())
    }

    fn server(&self) -> Option<Arc<str>> {
        self.driver.kind().is_server().then(|| Arc::clone(&self.facts().source))
    }

    fn table(self: Arc<Self>) -> Table {
        table_of(&self.facts())
    }
}

#[async_trait]
impl TableProvider for SourceTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.asked)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // What the database does not evaluate exactly is filtered again by the scan itself, which alone knows what has become
        // of a condition until then.
        let facts = self.facts();
        let judge = |filter: &&Expr| match pushed::condition(filter, &facts, &mut Vec::new()) {
            Some(_) => TableProviderFilterPushDown::Exact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(judge).collect())
    }

    fn statistics(&self) -> Option<Statistics> {
        let rows = self.facts().rows?;
        Some(Statistics::new_unknown(&self.asked).with_num_rows(Precision::Inexact(rows)))
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let schema = &self.asked;
        let wanted: Vec<usize> = projection.cloned().unwrap_or_else(|| (0..schema.fields().len()).collect());
        let facts = self.fresh_for(&with_columns_of(&filters.iter().collect::<Vec<_>>(), schema, &wanted)).await?;
        if limit == Some(0) {
            return Ok(Arc::new(EmptyExec::new(Arc::new(schema.project(&wanted)?))));
        }
        let (mut conditions, mut values, mut here) = (Vec::new(), Vec::new(), Vec::new());
        for filter in filters {
            let before = values.len();
            let mut found = pushed::condition(filter, &facts, &mut values);
            if values.len() > MOST_VALUES {
                values.truncate(before);
                found = None;
            }
            if found.as_ref().is_none_or(|found| !found.is_exact) {
                here.push(filter);
            }
            conditions.extend(found);
        }
        let values = physical_values(state, values)?;
        let needed = with_columns_of(&here, schema, &wanted);
        let fetch = limit.filter(|_| here.is_empty());
        let mut query = RemoteQuery { conditions, shape: Shape::Rows(fetch), ..RemoteQuery::rows(facts, needed) };
        query.checked = checked(&query);
        let rows: Arc<dyn ExecutionPlan> = Arc::new(SourceExec::new(Arc::clone(&self.driver), query, schema, values)?);
        if here.is_empty() {
            return Ok(rows);
        }
        let read = DFSchema::try_from(rows.schema())?;
        let filters = here.into_iter().map(|filter| state.create_physical_expr(filter.clone(), &read));
        let filtered = FilterExec::try_new(conjunction(filters.collect::<Result<Vec<_>>>()?), rows)?;
        first_columns(Arc::new(filtered), wanted.len())
    }
}

/// The columns that are wanted, and behind them those of conditions.
fn with_columns_of(conditions: &[&Expr], schema: &SchemaRef, wanted: &[usize]) -> Vec<usize> {
    let mut needed = wanted.to_vec();
    for column in conditions.iter().flat_map(|condition| condition.column_refs()) {
        if let Ok(at) = schema.index_of(&column.name)
            && !needed.contains(&at)
        {
            needed.push(at);
        }
    }
    needed
}

/// The first columns of an operator.
fn first_columns(input: Arc<dyn ExecutionPlan>, count: usize) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = input.schema();
    if schema.fields().len() == count {
        return Ok(input);
    }
    let column = |(at, field): (usize, &FieldRef)| -> (Arc<dyn PhysicalExpr>, String) {
        (Arc::new(Column::new(field.name(), at)), field.name().clone())
    };
    let columns: Vec<_> = schema.fields().iter().enumerate().take(count).map(column).collect();
    Ok(Arc::new(ProjectionExec::try_new(columns, input)?))
}
