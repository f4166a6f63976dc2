//! The lineage of columns: which columns of tables the values of a result come from.
//!
//! A column of a result carries a column of a table where it shows its values, as they are or computed with. What only decides
//! which rows there are, and in which order, is not carried: a condition, a key of a join, what rows are grouped or ordered by
//! without being returned. Neither is what is merely counted, or asked whether it is null.

use crate::catalog::Catalog;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DFSchema, JoinType};
use datafusion::datasource::DefaultTableSource;
use datafusion::datasource::cte_worktable::CteWorkTable;
use datafusion::logical_expr::{Aggregate, Distinct, Expr, Join, LogicalPlan, RecursiveQuery, TableScan};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// A column of a table: the table's name, and its own.
pub(super) type TableColumn = (String, String);

/// By column of a table, the columns of the result that carry it.
pub type Lineage = BTreeMap<TableColumn, BTreeSet<String>>;

/// The columns of tables that one column of a plan carries.
type Origins = BTreeSet<TableColumn>;

/// What was found of operators, by their addresses and those of what is around them.
type Known = HashMap<(usize, usize), Rc<Vec<Origins>>>;

/// How often a recursive query is gone through until nothing is added. Each time a column takes over those of another one.
const MOST_ROUNDS: usize = 8;

/// What the columns of an analysed plan carry, before it is optimised.
pub(super) fn of_plan(plan: &LogicalPlan, catalog: &Catalog) -> Lineage {
    let plans = Plans { catalog, work_tables: Vec::new(), found: RefCell::default() };
    let mut lineage = Lineage::new();
    for (field, origins) in plan.schema().fields().iter().zip(plans.origins(plan, None).iter()) {
        for origin in origins {
            lineage.entry(origin.clone()).or_default().insert(field.name().clone());
        }
    }
    lineage
}

/// The operators of one plan.
struct Plans<'p> {
    catalog: &'p Catalog,
    /// The recursive queries around, the innermost last, with what their columns carry so far.
    work_tables: Vec<(&'p str, Vec<Origins>)>,
    /// By the addresses of the operator and of what is around it: plans share operators.
    found: RefCell<Known>,
}

/// The columns that an expression may name.
struct Scope<'s> {
    schema: &'s DFSchema,
    origins: &'s [Origins],
    outer: Option<&'s Scope<'s>>,
}

impl Scope<'_> {
    /// What a column carries; where it is not found, all that there is.
    fn column(&self, column: &Column) -> Origins {
        self.known(column).unwrap_or_else(|| everything(self.origins))
    }

    fn known(&self, column: &Column) -> Option<Origins> {
        self.schema.maybe_index_of_column(column).and_then(|at| self.origins.get(at)).cloned()
    }

    /// What a column of what is around carries: the nearest that has it.
    fn outer_column(&self, column: &Column) -> Option<Origins> {
        let outer = self.outer?;
        outer.known(column).or_else(|| outer.outer_column(column))
    }
}

impl<'p> Plans<'p> {
    /// What each column of an operator carries.
    fn origins(&self, plan: &'p LogicalPlan, outer: Option<&Scope<'_>>) -> Rc<Vec<Origins>> {
        let around = outer.map_or(0, |outer| std::ptr::from_ref(outer.schema).addr());
        let key = (std::ptr::from_ref(plan).addr(), around);
        if let Some(found) = self.found.borrow().get(&key) {
            return Rc::clone(found);
        }
        let width = plan.schema().fields().len();
        let mut found = self.derived(plan, outer);
        if found.len() != width {
            // An operator that is not known: any of its columns may carry whatever comes in.
            let inputs = plan.inputs().into_iter().map(|input| everything(&self.origins(input, outer)));
            found = vec![inputs.flatten().collect(); width];
        }
        let found = Rc::new(found);
        self.found.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// The same, with another number of columns where the operator is not known.
    fn derived(&self, plan: &'p LogicalPlan, outer: Option<&Scope<'_>>) -> Vec<Origins> {
        let evaluated = |exprs: &'p [Expr], input: &'p LogicalPlan| {
            let origins = self.origins(input, outer);
            let scope = Scope { schema: input.schema(), origins: &origins, outer };
            exprs.iter().map(|expr| self.expression(expr, &scope)).collect::<Vec<_>>()
        };
        match plan {
            LogicalPlan::TableScan(scan) => self.scan(scan),
            LogicalPlan::Values(_) | LogicalPlan::EmptyRelation(_) => {
                vec![Origins::new(); plan.schema().fields().len()]
            }
            LogicalPlan::Projection(projection) => evaluated(&projection.expr, &projection.input),
            LogicalPlan::Distinct(Distinct::On(distinct)) => evaluated(&distinct.select_expr, &distinct.input),
            LogicalPlan::Aggregate(aggregate) => self.aggregate(aggregate, outer),
            LogicalPlan::Window(window) => {
                let mut columns = self.origins(&window.input, outer).to_vec();
                columns.extend(evaluated(&window.window_expr, &window.input));
                columns
            }
            LogicalPlan::Join(join) => self.join(join, outer),
            LogicalPlan::Union(union) => {
                let inputs: Vec<_> = union.inputs.iter().map(|input| self.origins(input, outer)).collect();
                let of = |at: usize| inputs.iter().filter_map(|input| input.get(at)).flatten().cloned().collect();
                (0..union.schema.fields().len()).map(of).collect()
            }
            LogicalPlan::Unnest(unnest) => {
                let input = self.origins(&unnest.input, outer);
                unnest.dependency_indices.iter().map(|at| input.get(*at).cloned().unwrap_or_default()).collect()
            }
            LogicalPlan::RecursiveQuery(query) => self.recursion(query, outer),
            LogicalPlan::Subquery(subquery) => self.origins(&subquery.subquery, outer).to_vec(),
            // All others hand the columns of their only input on, each at its place.
            _ => match plan.inputs().as_slice() {
                [input] => self.origins(input, outer).to_vec(),
                _ => Vec::new(),
            },
        }
    }

    fn scan(&self, scan: &TableScan) -> Vec<Origins> {
        if let Some(so_far) = self.work_table(scan) {
            return so_far;
        }
        let table = scan.table_name.table();
        let is_known = self.catalog.has_own(table);
        let column = |name: &String| is_known.then(|| (table.to_owned(), name.clone())).into_iter().collect();
        scan.projected_schema.fields().iter().map(|field| column(field.name())).collect()
    }

    /// The columns of a recursive query that reads itself.
    fn work_table(&self, scan: &TableScan) -> Option<Vec<Origins>> {
        let source = scan.source.downcast_ref::<DefaultTableSource>()?;
        let table = source.table_provider.downcast_ref::<CteWorkTable>()?;
        let (_, columns) = self.work_tables.iter().rev().find(|(name, _)| *name == table.name())?;
        match &scan.projection {
            None => Some(columns.clone()),
            Some(picked) => picked.iter().map(|at| columns.get(*at).cloned()).collect(),
        }
    }

    fn aggregate(&self, aggregate: &'p Aggregate, outer: Option<&Scope<'_>>) -> Vec<Origins> {
        let input = self.origins(&aggregate.input, outer);
        let scope = Scope { schema: aggregate.input.schema(), origins: &input, outer };
        let mut columns = Vec::new();
        for group in &aggregate.group_expr {
            match group {
                Expr::GroupingSet(sets) => {
                    columns.extend(sets.distinct_expr().into_iter().map(|expr| self.expression(expr, &scope)));
                    // Which of them a row is of.
                    columns.push(Origins::new());
                }
                expr => columns.push(self.expression(expr, &scope)),
            }
        }
        columns.extend(aggregate.aggr_expr.iter().map(|expr| self.expression(expr, &scope)));
        columns
    }

    fn join(&self, join: &'p Join, outer: Option<&Scope<'_>>) -> Vec<Origins> {
        let left = self.origins(&join.left, outer);
        // What is lateral sees the columns that stand before it.
        let before = Scope { schema: join.left.schema(), origins: &left, outer };
        let right = self.origins(&join.right, Some(&before));
        let mark = || std::iter::once(Origins::new());
        match join.join_type {
            JoinType::Inner | JoinType::Left | JoinType::Right | JoinType::Full => {
                left.iter().chain(right.iter()).cloned().collect()
            }
            JoinType::LeftSemi | JoinType::LeftAnti => left.to_vec(),
            JoinType::RightSemi | JoinType::RightAnti => right.to_vec(),
            JoinType::LeftMark => left.iter().cloned().chain(mark()).collect(),
            JoinType::RightMark => right.iter().cloned().chain(mark()).collect(),
        }
    }

    fn recursion(&self, query: &'p RecursiveQuery, outer: Option<&Scope<'_>>) -> Vec<Origins> {
        let first = self.origins(&query.static_term, outer).to_vec();
        let step = |so_far: &[Origins]| -> Vec<Origins> {
            let mut work_tables = self.work_tables.clone();
            work_tables.push((&query.name, so_far.to_vec()));
            // A memory of its own: what is found holds as far as the assumption does.
            let inner = Plans { catalog: self.catalog, work_tables, found: RefCell::default() };
            let next = inner.origins(&query.recursive_term, outer);
            so_far.iter().zip(next.iter()).map(|(one, other)| one.union(other).cloned().collect()).collect()
        };
        let mut found = first;
        // Not in a recursion in a recursion, where the rounds would multiply.
        let rounds = if self.work_tables.is_empty() { MOST_ROUNDS } else { 1 };
        for _ in 0..rounds {
            let next = step(&found);
            if next == found {
                return found;
            }
            found = next;
        }
        vec![everything(&found); found.len()]
    }

    /// All columns of tables that are called so.
    fn columns_of_name(&self, name: &str) -> Origins {
        let tables = self.catalog.tables.iter();
        let having = tables
            .filter(|(name, _)| self.catalog.has_own(name))
            .filter(|(_, table)| table.columns.iter().any(|column| column.name == name));
        having.map(|(table, _)| (table.clone(), name.to_owned())).collect()
    }

    /// What the values of an expression carry.
    fn expression(&self, expr: &'p Expr, scope: &Scope<'_>) -> Origins {
        let mut found = Origins::new();
        // The walk does not fail.
        let _ = expr.apply(|part| {
            Ok(match part {
                Expr::Column(column) => {
                    found.extend(scope.column(column));
                    TreeNodeRecursion::Continue
                }
                Expr::OuterReferenceColumn(_, column) => {
                    found.extend(scope.outer_column(column).unwrap_or_else(|| self.columns_of_name(column.name())));
                    TreeNodeRecursion::Continue
                }
                Expr::IsNull(_) | Expr::IsNotNull(_) | Expr::Exists(_) => TreeNodeRecursion::Jump,
                // Their order, their filter and their partitions are no values of theirs.
                Expr::AggregateFunction(call) => {
                    self.arguments(call.func.name(), &call.params.args, scope, &mut found);
                    TreeNodeRecursion::Jump
                }
                Expr::WindowFunction(call) => {
                    self.arguments(call.fun.name(), &call.params.args, scope, &mut found);
                    TreeNodeRecursion::Jump
                }
                Expr::ScalarSubquery(subquery) => {
                    found.extend(everything(&self.origins(&subquery.subquery, Some(scope))));
                    TreeNodeRecursion::Continue
                }
                Expr::InSubquery(of) => {
                    found.extend(everything(&self.origins(&of.subquery.subquery, Some(scope))));
                    TreeNodeRecursion::Continue
                }
                Expr::SetComparison(of) => {
                    found.extend(everything(&self.origins(&of.subquery.subquery, Some(scope))));
                    TreeNodeRecursion::Continue
                }
                _ => TreeNodeRecursion::Continue,
            })
        });
        found
    }

    fn arguments(&self, function: &str, arguments: &'p [Expr], scope: &Scope<'_>, found: &mut Origins) {
        if function != "count" {
            arguments.iter().for_each(|one| found.extend(self.expression(one, scope)));
        }
    }
}

fn everything(columns: &[Origins]) -> Origins {
    columns.iter().flatten().cloned().collect()
}

#[cfg(test)]
mod tests;
