//! What a database does beside filtering: it groups rows, and gives the first of them in an order.
//!
//! The plan is optimised already. Where a node is over the rows of one table, all of whose conditions are exact, and the
//! database does the same, the table below is replaced by one that has the groups, or the first rows. Conditions stay those
//! of the scan: values of calls are put into them as into all others.

use super::facts::Facts;
use super::pushed;
use super::remote_query::{Call, Function, RemoteQuery, Shape, SortKey};
use super::table::{SourceTable, exact_conditions};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use async_trait::async_trait;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::tree_node::Transformed;
use datafusion::common::{Column, DFSchema, DFSchemaRef, Result};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::logical_expr::expr::{AggregateFunction, Sort as SortExpr};
use datafusion::logical_expr::{
    Aggregate, Expr, LogicalPlan, Projection, Sort, TableProviderFilterPushDown, TableScan, TableType, lit,
};
use datafusion::physical_plan::ExecutionPlan;
use std::any::Any;
use std::sync::Arc;

/// More rows than that are not sorted there: they are sorted here anyway.
const MOST_SORTED: usize = 10_000;

/// Gives to databases what they do.
pub(in crate::engine) fn push(plan: LogicalPlan) -> Result<LogicalPlan> {
    let pushed = plan.transform_up_with_subqueries(|node| {
        let found = match &node {
            LogicalPlan::Aggregate(aggregate) => grouped(aggregate)?,
            LogicalPlan::Sort(sort) => sorted(sort)?,
            _ => None,
        };
        Ok(found.map_or_else(|| Transformed::no(node), Transformed::yes))
    })?;
    Ok(pushed.data)
}

/// A scan of a table of a database.
struct Found<'a> {
    scan: &'a TableScan,
    table: Arc<dyn TableProvider>,
    facts: Arc<Facts>,
    /// The place in the table of each column of the node above, by its name there.
    columns: Vec<(Column, usize)>,
}

impl Found<'_> {
    /// The scan below a node that changes nothing but names; `None` where there is another thing, or where the table is
    /// filtered here too.
    fn below(plan: &LogicalPlan) -> Option<Found<'_>> {
        match plan {
            LogicalPlan::TableScan(scan) if scan.fetch.is_none() => {
                let table = source_as_provider(&scan.source).ok()?;
                let facts = (table.as_ref() as &dyn Any).downcast_ref::<SourceTable>()?.facts();
                exact_conditions(&facts, &scan.filters, &mut Vec::new())?;
                let columns = scan.projected_schema.columns().into_iter();
                let columns = columns.map(|column| facts.place(&column.name).map(|at| (column, at)));
                let columns = columns.collect::<Option<Vec<_>>>()?;
                Some(Found { scan, table, facts, columns })
            }
            LogicalPlan::Projection(projection) => {
                let found = Found::below(&projection.input)?;
                let names = projection.schema.columns();
                let columns = projection.expr.iter().zip(names);
                let columns = columns.map(|(expr, name)| Some((name, found.place(expr)?)));
                let columns = columns.collect::<Option<Vec<_>>>()?;
                Some(Found { columns, ..found })
            }
            LogicalPlan::SubqueryAlias(alias) => {
                let found = Found::below(&alias.input)?;
                let columns = alias.schema.columns().into_iter().zip(&found.columns).map(|(name, (_, at))| (name, *at));
                Some(Found { columns: columns.collect(), ..found })
            }
            _ => None,
        }
    }

    /// The place in the table of the column that an expression is.
    fn place(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Column(column) => self.columns.iter().find(|(name, _)| name == column).map(|(_, at)| *at),
            Expr::Alias(alias) => self.place(&alias.expr),
            _ => None,
        }
    }
}

/// The groups of a table, if its database makes the same.
fn grouped(aggregate: &Aggregate) -> Result<Option<LogicalPlan>> {
    let Some(found) = Found::below(&aggregate.input) else { return Ok(None) };
    let keys = aggregate.group_expr.iter().map(|key| {
        let at = found.place(key)?;
        pushed::groups(&found.facts, at).then_some(at)
    });
    let calls = aggregate.aggr_expr.iter().zip(aggregate.schema.fields().iter().skip(aggregate.group_expr.len()));
    let calls = calls.map(|(call, field)| call_of(&found, call, field.data_type()));
    let (Some(keys), Some(calls)) = (keys.collect::<Option<Vec<_>>>(), calls.collect::<Option<Vec<_>>>()) else {
        return Ok(None);
    };
    if keys.len() + calls.len() != aggregate.schema.fields().len() {
        return Ok(None);
    }
    let shape = Shape::Grouped { keys, calls };
    replaced(&found, shape, &aggregate.schema).map(Some)
}

/// A call of an aggregate that a database makes the same of.
fn call_of(found: &Found<'_>, call: &Expr, ty: &DataType) -> Option<Call> {
    let call = match call {
        Expr::Alias(alias) => alias.expr.as_ref(),
        call => call,
    };
    let Expr::AggregateFunction(AggregateFunction { func, params }) = call else { return None };
    if params.filter.is_some() || !params.order_by.is_empty() || params.distinct || params.null_treatment.is_some() {
        return None;
    }
    let [arg] = params.args.as_slice() else { return None };
    if func.name() == "count" && (*arg == lit(1_i64) || matches!(arg, Expr::Literal(value, _) if !value.is_null())) {
        return Some(Call { function: Function::Count, column: None });
    }
    let column = found.place(arg)?;
    let (field, _) = found.facts.column(column)?;
    let is_same = field.data_type() == ty;
    let function = match func.name() {
        "count" if *ty == DataType::Int64 => Function::Count,
        "min" if is_same && pushed::orders(&found.facts, column) => Function::Min,
        "max" if is_same && pushed::orders(&found.facts, column) => Function::Max,
        "sum" if *ty == DataType::Int64 && pushed::sums(&found.facts, column) => Function::Sum,
        _ => return None,
    };
    Some(Call { function, column: Some(column) })
}

/// A sort with a limit over the first rows that the database gives in the same order.
fn sorted(sort: &Sort) -> Result<Option<LogicalPlan>> {
    let Some(fetch) = sort.fetch.filter(|fetch| *fetch <= MOST_SORTED) else { return Ok(None) };
    let Some(found) = Found::below(&sort.input) else { return Ok(None) };
    let keys = sort.expr.iter().map(|SortExpr { expr, asc, nulls_first }| {
        let column = found.place(expr)?;
        let key = SortKey { column, is_descending: !asc, nulls_first: *nulls_first };
        pushed::orders(&found.facts, column).then_some(key)
    });
    let Some(keys) = keys.collect::<Option<Vec<_>>>().filter(|keys| !keys.is_empty()) else { return Ok(None) };
    let table = ShapedTable::new(&found, Shape::Sorted { keys, fetch }, Arc::clone(&found.facts.schema));
    let source = provider_as_source(Arc::new(table));
    let input = sort.input.as_ref().clone().transform_down_with_subqueries(|node| {
        Ok(match node {
            LogicalPlan::TableScan(scan) => {
                Transformed::yes(LogicalPlan::TableScan(TableScan { source: Arc::clone(&source), ..scan }))
            }
            other => Transformed::no(other),
        })
    })?;
    // What the database gives is few rows; that they come in order is seen to here.
    Ok(Some(LogicalPlan::Sort(Sort { input: Arc::new(input.data), ..sort.clone() })))
}

/// The groups as a table, under the names that the aggregate has for them.
fn replaced(found: &Found<'_>, shape: Shape, schema: &DFSchemaRef) -> Result<LogicalPlan> {
    let name = |at: usize| format!("c{at}");
    let renamed = |(at, field): (usize, &Arc<Field>)| field.as_ref().clone().with_name(name(at));
    let fields: Vec<Field> = schema.fields().iter().enumerate().map(renamed).collect();
    let table = ShapedTable::new(found, shape, Arc::new(Schema::new(fields)));
    let relation = found.scan.table_name.clone();
    let projected = DFSchema::try_from_qualified_schema(relation.clone(), table.schema.as_ref())?;
    let scan = TableScan {
        table_name: relation.clone(),
        source: provider_as_source(Arc::new(table)),
        projection: None,
        projected_schema: Arc::new(projected),
        filters: found.scan.filters.clone(),
        fetch: None,
        statistics_requests: found.scan.statistics_requests.clone(),
    };
    let columns = schema.columns().into_iter().enumerate().map(|(at, column)| {
        let own = Expr::Column(Column::new(Some(relation.clone()), name(at)));
        own.alias_qualified(column.relation, column.name)
    });
    let input = Arc::new(LogicalPlan::TableScan(scan));
    Ok(LogicalPlan::Projection(Projection::try_new_with_schema(columns.collect(), input, Arc::clone(schema))?))
}

/// A table of which a database gives something else than its rows.
#[derive(Debug)]
struct ShapedTable {
    /// The table itself.
    table: Arc<dyn TableProvider>,
    shape: Shape,
    schema: SchemaRef,
}

impl ShapedTable {
    fn new(found: &Found<'_>, shape: Shape, schema: SchemaRef) -> ShapedTable {
        ShapedTable { table: Arc::clone(&found.table), shape, schema }
    }
}

#[async_trait]
impl TableProvider for ShapedTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // All were found to be exact. Nobody asks: the plan is optimised already.
        Ok(vec![TableProviderFilterPushDown::Exact; filters.len()])
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        _limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(table) = (self.table.as_ref() as &dyn Any).downcast_ref::<SourceTable>() else {
            return datafusion::common::internal_err!("what has a shape is a table of a database");
        };
        let all = || (0..self.schema.fields().len()).collect();
        let columns = projection.cloned().unwrap_or_else(all);
        let query = |table, conditions| RemoteQuery {
            table,
            columns,
            checked: Vec::new(),
            conditions,
            shape: self.shape.clone(),
        };
        table.shaped(state, filters, Arc::clone(&self.schema), query).await
    }
}
