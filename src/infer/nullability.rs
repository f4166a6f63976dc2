//! Which columns of a result may be null.
//!
//! The engine's schemas tell it of single expressions and forget what a `WHERE` or a join leaves out; in places they
//! are surer than the rows are (the fields of an unnested struct, the parts of a date far away). So it is worked out
//! here, from the columns of the tables upwards: for every operator of the analysed plan, what is known of its rows
//! ([`Facts`]). A column that nothing is known of may be null; "not null" is said only of one that never is.

mod aggregate;
mod bare;
mod expression;
mod facts;
mod functions;
mod join;
mod predicate;
mod rows;

use datafusion::datasource::DefaultTableSource;
use datafusion::datasource::cte_worktable::CteWorkTable;
use datafusion::logical_expr::{
    Distinct, Expr, Filter, Limit, LogicalPlan, RecursiveQuery, Repartition, Sort, TableScan, Unnest, Values,
};
use expression::Scope;
use facts::Facts;
use predicate::Outcome;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// How often a recursive query is gone through in search of what holds for all its rows.
const MOST_GUESSES: usize = 3;

/// Whether each column of an analysed plan, before it is optimised, may be null. `may_be_null` tells it of a
/// placeholder by its `$n`; in an optional clause that applies none is.
pub(super) fn of_columns(plan: &LogicalPlan, may_be_null: &dyn Fn(&str) -> bool) -> Vec<bool> {
    let plans = Plans { may_be_null, work_tables: Vec::new(), found: RefCell::default() };
    plans.facts(plan).columns().to_vec()
}

/// The operators of one plan.
struct Plans<'p> {
    may_be_null: &'p dyn Fn(&str) -> bool,
    /// The recursive queries around, the innermost last.
    work_tables: Vec<WorkTable<'p>>,
    /// By the operator's address: plans share operators, and an expression may ask for its subquery more than once.
    found: RefCell<HashMap<usize, Rc<Facts<'p>>>>,
}

/// The rows so far of a recursive query, as it reads them itself.
#[derive(Clone)]
struct WorkTable<'p> {
    name: &'p str,
    nullable: Vec<bool>,
}

impl<'p> Plans<'p> {
    /// What is known of the rows of an operator.
    fn facts(&self, plan: &'p LogicalPlan) -> Rc<Facts<'p>> {
        let address = std::ptr::from_ref(plan).addr();
        if let Some(found) = self.found.borrow().get(&address) {
            return Rc::clone(found);
        }
        let facts = self.derive(plan);
        let width = plan.schema().fields().len();
        // An operator that nothing is derived for: nothing is known of its columns, but there are so many.
        let facts = Rc::new(if facts.width() == width { facts } else { Facts::unknown(width) });
        self.found.borrow_mut().insert(address, Rc::clone(&facts));
        facts
    }

    fn derive(&self, plan: &'p LogicalPlan) -> Facts<'p> {
        match plan {
            LogicalPlan::TableScan(scan) => self.scan(scan),
            LogicalPlan::Values(values) => self.values(values),
            LogicalPlan::Projection(projection) => self.evaluated(&projection.expr, &projection.input),
            // Without an expression to tell rows apart by it is one row, which is all null where there is none.
            LogicalPlan::Distinct(Distinct::On(distinct)) if !distinct.on_expr.is_empty() => {
                self.evaluated(&distinct.select_expr, &distinct.input)
            }
            LogicalPlan::Filter(filter) => self.filter(filter),
            LogicalPlan::Sort(Sort { input, .. })
            | LogicalPlan::Limit(Limit { input, .. })
            | LogicalPlan::Repartition(Repartition { input, .. })
            | LogicalPlan::Distinct(Distinct::All(input)) => Facts::clone(&self.facts(input)),
            LogicalPlan::SubqueryAlias(alias) => self.renamed(&alias.input),
            // What a correlated one returns depends on how it is turned into a join.
            LogicalPlan::Subquery(subquery) if subquery.outer_ref_columns.is_empty() => {
                self.renamed(&subquery.subquery)
            }
            LogicalPlan::Aggregate(aggregate) => self.aggregate(aggregate),
            LogicalPlan::Window(window) => self.window(window),
            LogicalPlan::Join(join) => self.join(join),
            LogicalPlan::Union(union) => self.union(&union.inputs, union.schema.fields().len()),
            LogicalPlan::Unnest(unnest) => self.unnest(unnest),
            LogicalPlan::RecursiveQuery(query) => self.recursion(query),
            _ => Facts::default(),
        }
    }

    /// A table. The queries that are selected from are no tables: the planner has put their plans in their places.
    fn scan(&self, scan: &'p TableScan) -> Facts<'p> {
        let declared = || scan.projected_schema.fields().iter().map(|field| field.is_nullable()).collect();
        Facts::of(self.work_table(scan).unwrap_or_else(declared))
    }

    /// The columns of a recursive query that reads itself.
    fn work_table(&self, scan: &TableScan) -> Option<Vec<bool>> {
        let source = scan.source.downcast_ref::<DefaultTableSource>()?;
        let table = source.table_provider.downcast_ref::<CteWorkTable>()?;
        let known = self.work_tables.iter().rev().find(|known| known.name == table.name())?;
        match &scan.projection {
            None => Some(known.nullable.clone()),
            Some(columns) => columns.iter().map(|at| known.nullable.get(*at).copied()).collect(),
        }
    }

    fn values(&self, values: &'p Values) -> Facts<'p> {
        let nothing = Facts::default();
        let scope = Scope::new(self, &values.schema, &nothing);
        let cell = |row: &'p Vec<Expr>, at: usize| row.get(at).is_none_or(|expr| scope.nullable(expr));
        let column = |at: usize| values.values.iter().any(|row| cell(row, at));
        Facts::of((0..values.schema.fields().len()).map(column).collect())
    }

    fn evaluated(&self, exprs: &'p [Expr], input: &'p LogicalPlan) -> Facts<'p> {
        let facts = self.facts(input);
        let scope = Scope::new(self, input.schema(), &facts);
        Facts::of(exprs.iter().map(|expr| scope.nullable(expr)).collect())
    }

    fn filter(&self, filter: &'p Filter) -> Facts<'p> {
        let facts = self.facts(&filter.input);
        let implied = Scope::new(self, filter.input.schema(), &facts).implied(&filter.predicate, Outcome::True);
        facts.with(implied)
    }

    /// The columns under other names: what is known of expressions is written with the old ones.
    fn renamed(&self, input: &'p LogicalPlan) -> Facts<'p> {
        Facts::of(self.facts(input).columns().to_vec())
    }

    fn union(&self, inputs: &'p [Arc<LogicalPlan>], width: usize) -> Facts<'p> {
        let inputs: Vec<Rc<Facts<'p>>> = inputs.iter().map(|input| self.facts(input)).collect();
        Facts::of((0..width).map(|at| inputs.iter().any(|facts| facts.may_be_null(at))).collect())
    }

    fn unnest(&self, unnest: &'p Unnest) -> Facts<'p> {
        let input = self.facts(&unnest.input);
        let taken_apart = |at: &usize| {
            unnest.list_type_columns.iter().any(|(list, _)| list == at) || unnest.struct_type_columns.contains(at)
        };
        let columns = unnest.dependency_indices.iter();
        Facts::of(columns.map(|at| taken_apart(at) || input.may_be_null(*at)).collect())
    }

    /// What holds of the rows to begin with, and of all rows that follow from rows it holds of, holds of all.
    fn recursion(&self, query: &'p RecursiveQuery) -> Facts<'p> {
        let first = self.facts(&query.static_term);
        let step = |assumed: Vec<bool>| -> Vec<bool> {
            let mut work_tables = self.work_tables.clone();
            work_tables.push(WorkTable { name: &query.name, nullable: assumed });
            // A memory of its own: what is found holds as far as the assumption does.
            let inner = Plans { may_be_null: self.may_be_null, work_tables, found: RefCell::default() };
            let next = inner.facts(&query.recursive_term);
            (0..first.width()).map(|at| first.may_be_null(at) || next.may_be_null(at)).collect()
        };
        // Not in a recursion in a recursion, where the guesses would multiply.
        if self.work_tables.is_empty() {
            let mut assumed = first.columns().to_vec();
            for _ in 0..MOST_GUESSES {
                let found = step(assumed.clone());
                if found == assumed {
                    return Facts::of(found);
                }
                assumed = found;
            }
        }
        Facts::of(step(vec![true; first.width()]))
    }
}

#[cfg(test)]
mod tests;
