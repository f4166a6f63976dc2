//! What a database does beside filtering: it joins its tables, groups rows, and gives the first of them in an order.
//!
//! The plan is optimised already. Where a node is over rows of one database, all of whose conditions are exact, and the
//! database does the same, the tables below are replaced by one that has the joined rows, the groups, or the first rows
//! ([`ShapedTable`]). Conditions stay those of the scan: values of calls are put into them as into all others.

use super::facts::Facts;
use super::pushed;
use super::remote_query::{Call, Function, Shape, SortKey};
use super::shaped::{ShapedPart, ShapedTable, joined_facts};
use super::table::{SourceTable, exact_conditions};
use crate::plan::inside_key;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, DFSchemaRef, JoinType, NullEquality, Result, internal_err};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::logical_expr::expr::{AggregateFunction, Cast, Sort as SortExpr};
use datafusion::logical_expr::{Aggregate, Expr, Join, LogicalPlan, Projection, Sort, TableScan, lit};
use std::any::Any;
use std::sync::Arc;

/// More rows than that are not sorted there: they are sorted here anyway.
const MOST_SORTED: usize = 10_000;

/// Gives to databases what they do.
pub(in crate::engine) fn push(plan: LogicalPlan) -> Result<LogicalPlan> {
    // From above: what a database does is the more, the more of a plan it is asked for at once.
    let pushed = plan.transform_down_with_subqueries(|node| {
        let found = match &node {
            LogicalPlan::Aggregate(aggregate) => grouped(aggregate)?,
            LogicalPlan::Sort(sort) => sorted(sort)?,
            LogicalPlan::Join(join) => {
                Found::of_join(join).map(|found| rows(&found, None, &join.schema)).transpose()?
            }
            _ => None,
        };
        Ok(found.map_or_else(|| Transformed::no(node), |found| Transformed::new(found, true, TreeNodeRecursion::Jump)))
    })?;
    Ok(pushed.data)
}

/// Rows of a table of a database, or of some of its tables that are joined.
struct Found<'a> {
    scans: Vec<&'a TableScan>,
    parts: Vec<ShapedPart>,
    /// What is known of all tables together.
    facts: Arc<Facts>,
    /// The place among their columns of each column of the node above, by its name there.
    columns: Vec<(Column, usize)>,
    /// Sets of columns, each of which tells a row.
    keys: Vec<Vec<usize>>,
}

impl<'a> Found<'a> {
    /// The scan below a node that changes nothing but names; `None` where there is another thing, or where the table is
    /// filtered here too.
    fn below(plan: &'a LogicalPlan) -> Option<Found<'a>> {
        Found::of_plan(plan).filter(|found| !found.is_cut())
    }

    /// The same, of which not all rows may be wanted.
    fn of_plan(plan: &'a LogicalPlan) -> Option<Found<'a>> {
        match plan {
            LogicalPlan::TableScan(scan) => Found::of_scan(scan),
            LogicalPlan::Projection(projection) => {
                let found = Found::of_plan(&projection.input)?;
                let names = projection.schema.columns();
                let columns = projection.expr.iter().zip(names);
                let columns = columns.map(|(expr, name)| Some((name, found.place(expr)?)));
                let columns = columns.collect::<Option<Vec<_>>>()?;
                Some(Found { columns, ..found })
            }
            LogicalPlan::SubqueryAlias(alias) => {
                let found = Found::of_plan(&alias.input)?;
                let columns = alias.schema.columns().into_iter().zip(&found.columns).map(|(name, (_, at))| (name, *at));
                Some(Found { columns: columns.collect(), ..found })
            }
            LogicalPlan::Join(join) => Found::of_join(join),
            _ => None,
        }
    }

    fn of_scan(scan: &'a TableScan) -> Option<Found<'a>> {
        let table = source_as_provider(&scan.source).ok()?;
        let own = (table.as_ref() as &dyn Any).downcast_ref::<SourceTable>()?;
        let facts = own.facts();
        exact_conditions(&facts, &scan.filters, &mut Vec::new())?;
        let columns = scan.projected_schema.columns().into_iter();
        let columns = columns.map(|column| facts.place(&column.name).map(|at| (column, at)));
        let columns = columns.collect::<Option<Vec<_>>>()?;
        let filtered = scan.filters.iter().flat_map(Expr::column_refs).filter_map(|column| facts.place(&column.name));
        let read: Vec<usize> = columns.iter().map(|(_, at)| *at).chain(filtered).collect();
        // Its own scan says so, once it has asked whether what was lost is back.
        if own.refuses(&facts, &read) {
            return None;
        }
        let key = facts.native.key.iter().map(|name| facts.native.columns.iter().position(|own| own.name == *name));
        let keys = key.collect::<Option<Vec<usize>>>().filter(|key| !key.is_empty()).into_iter().collect();
        let (judged, filters, on) = (Arc::clone(&facts), scan.filters.len(), Vec::new());
        let part = ShapedPart { table, judged, filters, first: 0, on, is_outer: false, fetch: scan.fetch };
        Some(Found { scans: vec![scan], parts: vec![part], facts, columns, keys })
    }

    /// Whether its rows are some of one table, so that nothing else may be made of them but a join that keeps them all.
    fn is_cut(&self) -> bool {
        matches!(self.parts.as_slice(), [only] if only.fetch.is_some())
    }

    /// Tables that are joined by equal columns, where the columns of one of them are its key: then there are no more rows
    /// than the other has.
    fn of_join(join: &'a Join) -> Option<Found<'a>> {
        if join.filter.is_some() || join.null_equality != NullEquality::NullEqualsNothing {
            return None;
        }
        let (left, right) = (Found::of_plan(&join.left)?, Found::of_plan(&join.right)?);
        let on: Vec<(&Expr, &Expr)> = join.on.iter().map(|(left, right)| (left, right)).collect();
        let names = join.schema.columns();
        let (left_names, right_names) = names.split_at_checked(left.columns.len())?;
        match join.join_type {
            JoinType::Inner => left.joined((right, false), &on, (left_names, right_names)),
            JoinType::Left => left.joined((right, true), &on, (left_names, right_names)),
            JoinType::Right => {
                let on: Vec<(&Expr, &Expr)> = on.into_iter().map(|(left, right)| (right, left)).collect();
                let mut found = right.joined((left, true), &on, (right_names, left_names))?;
                found.columns.rotate_left(right_names.len());
                Some(found)
            }
            _ => None,
        }
    }

    /// These rows with those of others; `is_outer` says that those stay that have none. `names` are those of the columns of
    /// each side.
    fn joined(
        self,
        (other, is_outer): (Found<'a>, bool),
        on: &[(&Expr, &Expr)],
        names: (&[Column], &[Column]),
    ) -> Option<Found<'a>> {
        let pairs = on.iter().map(|(one, another)| {
            let pair = (self.kept_place(one)?, other.kept_place(another)?);
            pushed::joins((&self.facts, pair.0), (&other.facts, pair.1)).then_some(pair)
        });
        let pairs = pairs.collect::<Option<Vec<_>>>().filter(|pairs| !pairs.is_empty())?;
        // What is cut stands first, and keeps all its rows.
        let is_cut = other.is_cut() || self.is_cut() && !is_outer;
        let is_plain = !other.parts.iter().any(|part| part.is_outer || part.fetch.is_some());
        let is_plain = is_plain && !is_cut && (!is_outer || other.parts.len() == 1);
        if self.facts.source != other.facts.source || !is_plain {
            return None;
        }
        let holds = |keys: &[Vec<usize>], of: &dyn Fn(&(usize, usize)) -> usize| {
            keys.iter().any(|key| key.iter().all(|at| pairs.iter().any(|pair| of(pair) == *at)))
        };
        let (is_one, are_others_one) = (holds(&self.keys, &|pair| pair.0), holds(&other.keys, &|pair| pair.1));
        let width = self.facts.schema.fields().len();
        let (mut keys, mut rows) = (Vec::new(), None);
        if are_others_one {
            keys.extend(self.keys.iter().cloned());
            rows = self.facts.rows;
        }
        if is_one && !is_outer {
            keys.extend(other.keys.iter().map(|key| key.iter().map(|at| width + at).collect::<Vec<_>>()));
            rows = [rows, other.facts.rows].into_iter().flatten().min();
        }
        if !are_others_one && (!is_one || is_outer) {
            return None;
        }
        let (before, mut parts) = (self.parts.len(), self.parts);
        for part in other.parts {
            let on = part.on.into_iter().map(|(one, another)| (width + one, width + another)).collect();
            parts.push(ShapedPart { first: width + part.first, on, is_outer, ..part });
        }
        for (one, another) in pairs {
            let at = parts.iter().rposition(|part| part.first <= width + another).filter(|at| *at >= before)?;
            parts.get_mut(at)?.on.push((one, width + another));
        }
        let columns = |names: &[Column], columns: Vec<(Column, usize)>, first: usize| {
            names.iter().cloned().zip(columns).map(|(name, (_, at))| (name, first + at)).collect::<Vec<_>>()
        };
        let columns = [columns(names.0, self.columns, 0), columns(names.1, other.columns, width)].concat();
        let facts = Arc::new(joined_facts(&parts, &keys, rows)?);
        Some(Found { scans: [self.scans, other.scans].concat(), parts, facts, columns, keys })
    }

    /// The place in the table of the column that an expression is.
    fn place(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::Column(column) => self.columns.iter().find(|(name, _)| name == column).map(|(_, at)| *at),
            Expr::Alias(alias) => self.place(&alias.expr),
            _ => None,
        }
    }

    /// The same, also of a column that is cast so that all its values stay what they are.
    fn kept_place(&self, expr: &Expr) -> Option<usize> {
        let Expr::Cast(Cast { expr: inner, field }) = expr else { return self.place(expr) };
        let at = self.kept_place(inner)?;
        let (own, _) = self.facts.column(at)?;
        pushed::keeps_values(own.data_type(), field.data_type()).then_some(at)
    }

    /// Something else than the rows, as a table of these columns.
    fn shaped(&self, shape: Shape, schema: SchemaRef) -> ShapedTable {
        ShapedTable::new(self.parts.clone(), (self.keys.clone(), self.facts.rows), shape, schema)
    }

    /// The filters of all tables.
    fn filters(&self) -> Vec<Expr> {
        self.scans.iter().flat_map(|scan| scan.filters.iter().cloned()).collect()
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
    if let ("sum", DataType::Decimal128(digits, scale)) = (func.name(), ty) {
        let column = found.kept_place(arg).filter(|column| pushed::totals(&found.facts, *column))?;
        return Some(Call { function: Function::Total(*digits, *scale), column: Some(column) });
    }
    if let ("sum", DataType::Int64) = (func.name(), ty) {
        let column = found.kept_place(arg).filter(|column| pushed::sums(&found.facts, *column))?;
        return Some(Call { function: Function::Sum, column: Some(column) });
    }
    let column = found.place(arg)?;
    let (field, _) = found.facts.column(column)?;
    let is_same = field.data_type() == ty;
    let function = match func.name() {
        "count" if *ty == DataType::Int64 => Function::Count,
        "min" if is_same && pushed::orders(&found.facts, column) => Function::Min,
        "max" if is_same && pushed::orders(&found.facts, column) => Function::Max,
        _ => return None,
    };
    Some(Call { function, column: Some(column) })
}

/// A sort with a limit over the first rows that the database gives in the same order.
fn sorted(sort: &Sort) -> Result<Option<LogicalPlan>> {
    let Some(fetch) = sort.fetch.filter(|fetch| *fetch <= MOST_SORTED) else { return Ok(None) };
    let Some(found) = Found::below(&sort.input) else { return Ok(None) };
    let keys = sort.expr.iter().map(|SortExpr { expr, asc, nulls_first }| {
        // The database holds numbers for equal that have one key, and what it gives is sorted by their keys here.
        let column = found.place(inside_key(expr))?;
        let key = SortKey { column, is_descending: !asc, nulls_first: *nulls_first };
        pushed::orders(&found.facts, column).then_some(key)
    });
    let Some(keys) = keys.collect::<Option<Vec<_>>>().filter(|keys| !keys.is_empty()) else { return Ok(None) };
    let input = rows(&found, Some((keys, fetch)), sort.input.schema())?;
    // What the database gives is few rows; that they come in order is seen to here.
    Ok(Some(LogicalPlan::Sort(Sort { input: Arc::new(input), ..sort.clone() })))
}

/// The rows as a table, under the names of a schema: the first of them in an order, or all.
fn rows(found: &Found<'_>, first: Option<(Vec<SortKey>, usize)>, schema: &DFSchemaRef) -> Result<LogicalPlan> {
    let shape = first.map_or(Shape::Rows(None), |(keys, fetch)| Shape::Sorted { keys, fetch });
    let mut places: Vec<usize> = Vec::new();
    for (_, at) in &found.columns {
        if !places.contains(at) {
            places.push(*at);
        }
    }
    let table = found.shaped(shape, Arc::clone(&found.facts.schema));
    let names = found.columns.iter().map(|(_, at)| found.facts.schema.field(*at).name().clone()).collect();
    scanned(found, table, Some(places), (names, schema))
}

/// The groups as a table, under the names that the aggregate has for them.
fn replaced(found: &Found<'_>, shape: Shape, schema: &DFSchemaRef) -> Result<LogicalPlan> {
    let names: Vec<String> = (0..schema.fields().len()).map(|at| format!("c{at}")).collect();
    let renamed = |(field, name): (&Arc<Field>, &String)| field.as_ref().clone().with_name(name);
    let fields: Vec<Field> = schema.fields().iter().zip(&names).map(renamed).collect();
    let table = found.shaped(shape, Arc::new(Schema::new(fields)));
    scanned(found, table, None, (names, schema))
}

/// A scan of a table, and above it its columns under the names of a schema. `names` are those of the table for each of them.
fn scanned(
    found: &Found<'_>,
    table: ShapedTable,
    projection: Option<Vec<usize>>,
    (names, schema): (Vec<String>, &DFSchemaRef),
) -> Result<LogicalPlan> {
    let Some(first) = found.scans.first() else { return internal_err!("what is found has a table") };
    let relation = first.table_name.clone();
    let read = match &projection {
        Some(places) => Arc::new(table.schema().project(places)?),
        None => table.schema(),
    };
    let projected = DFSchema::try_from_qualified_schema(relation.clone(), read.as_ref())?;
    let scan = TableScan {
        table_name: relation.clone(),
        source: provider_as_source(Arc::new(table)),
        projection,
        projected_schema: Arc::new(projected),
        filters: found.filters(),
        fetch: None,
        statistics_requests: first.statistics_requests.clone(),
    };
    let columns = schema.columns().into_iter().zip(names).map(|(column, name)| {
        let own = Expr::Column(Column::new(Some(relation.clone()), name));
        own.alias_qualified(column.relation, column.name)
    });
    let input = Arc::new(LogicalPlan::TableScan(scan));
    Ok(LogicalPlan::Projection(Projection::try_new_with_schema(columns.collect(), input, Arc::clone(schema))?))
}
