//! How many rows a relation has, and what is known of its columns. `None` wherever that would be made up.

use super::selectivity::selectivity;
use super::sizes::{Sizes, TableSize};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column, ColumnStatistics, JoinType, ScalarValue};
use datafusion::logical_expr::logical_plan::{Aggregate, FetchType, Join, TableScan};
use datafusion::logical_expr::utils::conjunction;
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan, TableProviderFilterPushDown};
use std::collections::HashMap;

/// What is known of a column.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnEstimate {
    /// How many distinct values it has before any filter.
    pub(super) distinct: Option<f64>,
    /// Its least and greatest values, as places on a line.
    pub(super) range: Option<(f64, f64)>,
    /// The type of these values.
    pub(super) data_type: Option<DataType>,
}

/// What is known of a relation.
#[derive(Debug, Clone)]
pub(super) struct Estimate {
    /// Its rows.
    pub(super) rows: f64,
    /// The rows before any filter: as many as its key has values.
    pub(super) base: f64,
    /// Its columns; those that are missing are not known.
    pub(super) columns: HashMap<Column, ColumnEstimate>,
    /// Columns whose values name one row.
    pub(super) key: Vec<Column>,
}

impl Estimate {
    fn of_rows(rows: f64) -> Estimate {
        Estimate { rows, base: rows, columns: HashMap::new(), key: Vec::new() }
    }

    /// What is known of a plan; `None` where its rows are not.
    pub(super) fn of(plan: &LogicalPlan, sizes: &Sizes) -> Option<Estimate> {
        match plan {
            LogicalPlan::TableScan(scan) => of_scan(scan, sizes),
            LogicalPlan::Filter(filter) => {
                Some(Estimate::of(&filter.input, sizes)?.filtered(Some(filter.predicate.clone())))
            }
            LogicalPlan::Projection(projection) => {
                let input = Estimate::of(&projection.input, sizes)?;
                let output = projection.schema.columns();
                Some(input.renamed(output.into_iter().zip(projection.expr.iter().filter_map(plain_column))))
            }
            LogicalPlan::SubqueryAlias(alias) => {
                let input = Estimate::of(&alias.input, sizes)?;
                let inner = alias.input.schema().columns();
                Some(input.renamed(alias.schema.columns().into_iter().zip(inner.into_iter().map(Some))))
            }
            LogicalPlan::Sort(sort) => Some(Estimate::of(&sort.input, sizes)?.at_most(sort.fetch)),
            LogicalPlan::Limit(limit) => {
                let FetchType::Literal(fetch) = limit.get_fetch_type().ok()? else { return None };
                Some(Estimate::of(&limit.input, sizes)?.at_most(fetch))
            }
            LogicalPlan::Repartition(repartition) => Estimate::of(&repartition.input, sizes),
            LogicalPlan::Window(window) => Estimate::of(&window.input, sizes),
            LogicalPlan::Distinct(Distinct::All(input)) => Estimate::of(input, sizes),
            LogicalPlan::Aggregate(aggregate) => of_aggregate(aggregate, sizes),
            LogicalPlan::Join(join) => of_join(join, sizes),
            LogicalPlan::Union(union) => {
                let rows = union.inputs.iter().map(|input| Some(Estimate::of(input, sizes)?.rows));
                Some(Estimate::of_rows(rows.sum::<Option<f64>>()?))
            }
            LogicalPlan::Values(values) => Some(Estimate::of_rows(values.values.len() as f64)),
            LogicalPlan::EmptyRelation(empty) => Some(Estimate::of_rows(if empty.produce_one_row { 1.0 } else { 0.0 })),
            _ => None,
        }
    }

    /// Behind a filter.
    pub(super) fn filtered(mut self, filter: Option<Expr>) -> Estimate {
        self.rows *= filter.map_or(1.0, |filter| selectivity(&filter, &self));
        self
    }

    fn at_most(mut self, fetch: Option<usize>) -> Estimate {
        self.rows = fetch.map_or(self.rows, |fetch| self.rows.min(fetch as f64));
        self
    }

    /// With columns of other names; `None` stands for one that is calculated.
    fn renamed(self, names: impl Iterator<Item = (Column, Option<Column>)>) -> Estimate {
        let names: Vec<(Column, Column)> = names.filter_map(|(outer, inner)| Some((outer, inner?))).collect();
        let column = |(outer, inner): &(Column, Column)| Some((outer.clone(), self.columns.get(inner)?.clone()));
        let columns = names.iter().filter_map(column).collect();
        let outer = |key: &Column| names.iter().find(|(_, inner)| inner == key).map(|(outer, _)| outer.clone());
        let key = self.key.iter().map(outer).collect::<Option<Vec<Column>>>().unwrap_or_default();
        Estimate { columns, key, ..self }
    }

    /// How many distinct values a column has.
    pub(super) fn distinct(&self, column: &Column) -> Option<f64> {
        if let [key] = self.key.as_slice()
            && key == column
        {
            return Some(self.base);
        }
        self.columns.get(column)?.distinct
    }
}

/// A column under its own or another name; for every expression, whether or not it is one.
fn plain_column(expr: &Expr) -> Option<Option<Column>> {
    Some(match expr.clone().unalias() {
        Expr::Column(column) => Some(column),
        _ => None,
    })
}

fn of_scan(scan: &TableScan, sizes: &Sizes) -> Option<Estimate> {
    let TableSize { statistics, primary_key } = sizes.table(scan.table_name.table())?;
    let rows = *statistics.num_rows.get_value()? as f64;
    let named = |name: &String| Column::new(Some(scan.table_name.clone()), name);
    let schema = scan.source.schema();
    let columns = schema.fields().iter().zip(&statistics.column_statistics);
    let columns = columns.map(|(field, column)| (named(field.name()), of_column(column, rows))).collect();
    let estimate = Estimate { rows, base: rows, columns, key: primary_key.iter().map(named).collect() };
    // Filters that the table does not take on for good stand above the scan once more.
    let filters: Vec<&Expr> = scan.filters.iter().collect();
    let support = scan.source.supports_filters_pushdown(&filters).ok()?;
    let taken = scan.filters.iter().zip(support);
    let taken =
        taken.filter(|(_, support)| *support == TableProviderFilterPushDown::Exact).map(|(expr, _)| expr.clone());
    Some(estimate.filtered(conjunction(taken)).at_most(scan.fetch))
}

fn of_column(column: &ColumnStatistics, rows: f64) -> ColumnEstimate {
    let ends = column.min_value.get_value().zip(column.max_value.get_value());
    let range = ends.and_then(|(least, greatest)| Some((place(least)?, place(greatest)?)));
    let data_type = ends.map(|(least, _)| least.data_type());
    let steps = range.filter(|_| data_type.as_ref().is_some_and(is_stepped)).map(|(least, most)| most - least + 1.0);
    let letters = ends.and_then(|(least, greatest)| Some(letter(greatest)? - letter(least)? + 1.0));
    let counted = column.distinct_count.get_value().map(|count| *count as f64);
    ColumnEstimate {
        distinct: counted.or(steps).or(letters).map(|distinct| distinct.clamp(1.0, rows.max(1.0))),
        range,
        data_type,
    }
}

/// Whether neighbouring values are one apart.
fn is_stepped(data_type: &DataType) -> bool {
    data_type.is_integer() || matches!(data_type, DataType::Date32)
}

/// The place of a letter among all: a text column from one letter to another holds codes, and few of them.
fn letter(value: &ScalarValue) -> Option<f64> {
    let mut letters = value.try_as_str().flatten()?.chars();
    letters.next().filter(|_| letters.next().is_none()).map(|letter| f64::from(u32::from(letter)))
}

/// Where a value lies on a line, in the unit of its type.
pub(super) fn place(value: &ScalarValue) -> Option<f64> {
    let data_type = value.data_type();
    if !data_type.is_numeric() && !data_type.is_temporal() {
        return None;
    }
    let number = value.cast_to(&DataType::Float64);
    let number = number.or_else(|_| value.cast_to(&DataType::Int64)?.cast_to(&DataType::Float64));
    match number.ok()? {
        ScalarValue::Float64(Some(number)) if number.is_finite() => Some(number),
        _ => None,
    }
}

fn of_aggregate(aggregate: &Aggregate, sizes: &Sizes) -> Option<Estimate> {
    let input = Estimate::of(&aggregate.input, sizes)?;
    let groups: Option<Vec<&Column>> = aggregate.group_expr.iter().map(Expr::try_as_col).collect();
    let counts = |groups: &[&Column]| -> Option<f64> {
        groups.iter().map(|column| input.distinct(column)).product::<Option<f64>>()
    };
    // Without anything better, grouping is taken to leave a tenth.
    let most = groups.as_deref().and_then(counts).unwrap_or(input.rows * 0.1).max(1.0);
    let rows = most.min(input.rows.max(1.0));
    let key = groups.unwrap_or_default().into_iter().cloned().collect();
    Some(Estimate { rows, base: rows, key, columns: input.columns })
}

fn of_join(join: &Join, sizes: &Sizes) -> Option<Estimate> {
    let (left, right) = (Estimate::of(&join.left, sizes)?, Estimate::of(&join.right, sizes)?);
    let distinct = |(one, other): &(Expr, Expr)| {
        let of = |side: &Estimate, expr: &Expr| {
            expr.try_as_col().and_then(|column| side.distinct(column)).unwrap_or(side.base).max(1.0)
        };
        of(&left, one).max(of(&right, other))
    };
    let inner = join.on.iter().fold(left.rows * right.rows, |rows, pair| rows / distinct(pair));
    let inner = if join.filter.is_some() { inner * 0.3 } else { inner };
    let of_both = |rows: f64| {
        let columns = left.columns.iter().chain(&right.columns).map(|(name, column)| (name.clone(), column.clone()));
        Estimate { rows, base: rows, columns: columns.collect(), key: Vec::new() }
    };
    Some(match join.join_type {
        JoinType::Inner => of_both(inner),
        JoinType::Left => of_both(inner.max(left.rows)),
        JoinType::Right => of_both(inner.max(right.rows)),
        JoinType::Full => of_both(inner.max(left.rows + right.rows)),
        JoinType::LeftSemi | JoinType::LeftAnti => Estimate { rows: left.rows * 0.5, ..left },
        JoinType::RightSemi | JoinType::RightAnti => Estimate { rows: right.rows * 0.5, ..right },
        JoinType::LeftMark => left,
        JoinType::RightMark => right,
    })
}
