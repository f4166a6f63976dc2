//! Which tables are read without a condition that restricts them.
//!
//! A condition counts where it holds at every call: one in an optional clause may be left out. The ON of an outer join
//! restricts nothing of the side that it keeps. A condition around a subquery counts inside of it, unless the subquery
//! has to see all rows first: for GROUP BY, DISTINCT, LIMIT or a window.

use super::calls::{Calls, is_distinct, is_grouped};
use super::limits::has_limit;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{joined_name, place_of_name};
use crate::syntax::scopes::Scopes;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use sqlparser::ast::{
    BinaryOperator, Expr, JoinConstraint, JoinOperator, ObjectName, ObjectNamePart, Query, Select, SetExpr, Statement,
    TableFactor, TableWithJoins, Visit, Visitor,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::ControlFlow;

/// What restricts the rows that are read of a table. The functions are those that are called on all rows in between:
/// where one of them is an aggregate, nothing is restricted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// Nothing, and no condition around the statement either.
    Nothing,
    /// What restricts the result of the statement, if anything does.
    Reader(BTreeSet<String>),
    /// A condition, a join or a limit.
    Always(BTreeSet<String>),
}

impl Filter {
    /// What a query is restricted by that nothing stands around.
    fn of_reader() -> Filter {
        Filter::Reader(BTreeSet::new())
    }

    fn always() -> Filter {
        Filter::Always(BTreeSet::new())
    }

    /// The functions in between.
    pub fn calls(&self) -> impl Iterator<Item = &str> {
        let calls = match self {
            Filter::Nothing => None,
            Filter::Reader(calls) | Filter::Always(calls) => Some(calls),
        };
        calls.into_iter().flatten().map(String::as_str)
    }

    /// What is left of it inside of a query that calls functions on all rows.
    fn through(self, called: impl IntoIterator<Item = String>) -> Filter {
        match self {
            Filter::Nothing => Filter::Nothing,
            Filter::Reader(calls) => Filter::Reader(calls.into_iter().chain(called).collect()),
            Filter::Always(calls) => Filter::Always(calls.into_iter().chain(called).collect()),
        }
    }

    /// What restricts the rows that two read.
    fn and(self, other: Filter) -> Filter {
        match (self, other) {
            (Filter::Nothing, _) | (_, Filter::Nothing) => Filter::Nothing,
            (Filter::Always(calls), Filter::Always(others)) => Filter::Always(calls).through(others),
            (Filter::Reader(calls) | Filter::Always(calls), Filter::Reader(others) | Filter::Always(others)) => {
                Filter::Reader(calls).through(others)
            }
        }
    }
}

/// What a FROM names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    /// A table or query outside of the statement: the n-th reference.
    Reference(usize),
    /// A common table expression, by the address of its body, which is never followed.
    Common(*const Query),
}

/// One name in a FROM.
#[derive(Debug, Clone)]
struct Use {
    /// What is read.
    pub source: Source,
    /// The innermost common table expression that it is read in, by the address of its body.
    pub within: Option<*const Query>,
    /// What restricts it, there or around; its reader is that of the common table expression, where it is in one.
    pub filter: Filter,
}

/// What restricts the tables and queries that a statement names, by the places of their names: where they are read, or
/// everywhere the common table expression is read that reads them.
pub(super) fn find(statement: &Statement, file: &SourceFile) -> Vec<(Span, Filter)> {
    let mut walk = Walk {
        file,
        references: Vec::new(),
        uses: Vec::new(),
        joined: HashSet::new(),
        filters: Vec::new(),
        scopes: Scopes::default(),
    };
    let _ = statement.visit(&mut walk);
    let mut known = HashMap::new();
    let of_use = |one: &Use| match one.source {
        Source::Reference(at) => Some((*walk.references.get(at)?, filter_of(one, &walk.uses, &mut known))),
        Source::Common(_) => None,
    };
    walk.uses.iter().filter_map(of_use).collect()
}

struct Walk<'a> {
    file: &'a SourceFile,
    references: Vec<Span>,
    uses: Vec<Use>,
    /// The tables that a join has a condition on, by their addresses, which are never followed.
    joined: HashSet<*const TableFactor>,
    /// What restricts the rows that are read, for every query, SELECT and table that is open.
    filters: Vec<Filter>,
    scopes: Scopes,
}

impl Walk<'_> {
    fn filter(&self) -> Filter {
        self.filters.last().cloned().unwrap_or_else(Filter::of_reader)
    }

    fn named(&mut self, name: &ObjectName) {
        let Some(joined) = joined_name(name) else { return };
        let source = match self.scopes.common_table(&joined) {
            Some(body) => Source::Common(body),
            None => {
                self.references.push(place_of_name(self.file, name, &joined));
                Source::Reference(self.references.len() - 1)
            }
        };
        self.uses.push(Use { source, within: self.scopes.body(), filter: self.filter() });
    }
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        // What stands around a common table expression says nothing; those that read it do.
        let around = if self.scopes.is_body() { Filter::of_reader() } else { self.filter() };
        self.filters.push(inside_query(query, around));
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.scopes.leave();
        self.filters.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.filters.push(inside_select(select, self.filter()));
        joined(select, &mut self.joined);
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.filters.pop();
        ControlFlow::Continue(())
    }

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let is_joined = self.joined.contains(&std::ptr::from_ref(factor));
        self.filters.push(if is_joined { Filter::always() } else { self.filter() });
        if let TableFactor::Table { name, args: None, .. } = factor {
            self.named(name);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, _: &TableFactor) -> ControlFlow<()> {
        self.filters.pop();
        ControlFlow::Continue(())
    }
}

fn filter_of(one: &Use, uses: &[Use], known: &mut HashMap<*const Query, Filter>) -> Filter {
    let (Filter::Reader(calls), Some(body)) = (&one.filter, one.within) else {
        return one.filter.clone();
    };
    let around = match known.get(&body) {
        Some(filter) => filter.clone(),
        None => {
            // Until it is known: a recursive one that reads itself says nothing.
            known.insert(body, Filter::always());
            let readers = uses.iter().filter(|other| other.source == Source::Common(body));
            let filters: Vec<Filter> = readers.map(|other| filter_of(other, uses, known)).collect();
            let filter = filters.into_iter().fold(Filter::always(), Filter::and);
            known.insert(body, filter.clone());
            filter
        }
    };
    around.through(calls.iter().cloned())
}

/// What restricts the rows that a query reads. `around` is what restricts its own rows.
fn inside_query(query: &Query, around: Filter) -> Filter {
    if !has_limit(query) {
        return around;
    }
    match query.body.as_ref() {
        // A limit ends the scan early where nothing has to see all rows first.
        SetExpr::Select(select) if query.order_by.is_none() && !needs_all_rows(select) => {
            Filter::always().through(Calls::of(select).names)
        }
        _ => Filter::Nothing,
    }
}

/// The same of one SELECT.
fn inside_select(select: &Select, around: Filter) -> Filter {
    if select.selection.iter().chain(&select.prewhere).any(restricts) {
        Filter::always()
    } else if needs_all_rows(select) {
        Filter::Nothing
    } else {
        around.through(Calls::of(select).names)
    }
}

/// Whether its rows say nothing of the single rows that it reads. Aggregates of all rows are told by their names.
fn needs_all_rows(select: &Select) -> bool {
    is_grouped(select) || is_distinct(select) || select.qualify.is_some() || Calls::of(select).has_window
}

/// The tables of a FROM that a join has a condition on, by their addresses, which are never followed.
fn joined(select: &Select, found: &mut HashSet<*const TableFactor>) {
    for table in &select.from {
        joined_in(table, found);
    }
}

/// Looks at the joins of one table; its tables, those in brackets too.
fn joined_in(table: &TableWithJoins, found: &mut HashSet<*const TableFactor>) -> Vec<*const TableFactor> {
    let mut left = factors(&table.relation, found);
    for join in &table.joins {
        let right = factors(&join.relation, found);
        let (restricts_left, restricts_right) = restricted_sides(&join.join_operator);
        if restricts_left {
            found.extend(&left);
        }
        if restricts_right {
            found.extend(&right);
        }
        left.extend(right);
    }
    left
}

fn factors(factor: &TableFactor, found: &mut HashSet<*const TableFactor>) -> Vec<*const TableFactor> {
    match factor {
        TableFactor::NestedJoin { table_with_joins, .. } => joined_in(table_with_joins, found),
        other => vec![std::ptr::from_ref(other)],
    }
}

/// Whether a join has a condition that leaves out rows of its left and of its right side: an outer join keeps all.
fn restricted_sides(operator: &JoinOperator) -> (bool, bool) {
    match operator {
        JoinOperator::Join(constraint)
        | JoinOperator::Inner(constraint)
        | JoinOperator::StraightJoin(constraint)
        | JoinOperator::Semi(constraint)
        | JoinOperator::LeftSemi(constraint)
        | JoinOperator::RightSemi(constraint)
        | JoinOperator::Anti(constraint)
        | JoinOperator::LeftAnti(constraint)
        | JoinOperator::RightAnti(constraint) => (is_condition(constraint), is_condition(constraint)),
        JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => (false, is_condition(constraint)),
        JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => (is_condition(constraint), false),
        JoinOperator::AsOf { .. } => (true, true),
        _ => (false, false),
    }
}

fn is_condition(constraint: &JoinConstraint) -> bool {
    match constraint {
        JoinConstraint::On(condition) => restricts(condition),
        JoinConstraint::Using(_) | JoinConstraint::Natural => true,
        JoinConstraint::None => false,
    }
}

/// Whether a condition leaves out rows at every call: `true`, `1 = 1` and optional clauses do not.
fn restricts(condition: &Expr) -> bool {
    match condition {
        Expr::Nested(inner) => restricts(inner),
        Expr::BinaryOp { left, op: BinaryOperator::And, right } => restricts(left) || restricts(right),
        // What stands behind OR may admit every row; a clause is left out at some calls.
        Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
            restricts(left) && (restricts(right) || is_optional_clause(right))
        }
        _ => !is_optional_clause(condition) && names_a_column(condition),
    }
}

fn is_optional_clause(expr: &Expr) -> bool {
    let Expr::Function(function) = expr else { return false };
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => name.value == OPTIONAL_AND || name.value == OPTIONAL_OR,
        _ => false,
    }
}

fn names_a_column(expr: &Expr) -> bool {
    struct Columns;

    impl Visitor for Columns {
        type Break = ();

        fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
            match expr {
                Expr::Identifier(_) | Expr::CompoundIdentifier(_) => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        }
    }

    expr.visit(&mut Columns).is_break()
}
