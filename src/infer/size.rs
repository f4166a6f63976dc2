//! How large a statement is once all that it reads is written out where it is read, before anything is planned.
//!
//! The planner puts the plan of a common table expression, and that of a query, in the place of every use. Twenty of
//! them that join themselves to themselves, one after the other, are a million; and what walks a plan walks all of it.

use super::Context;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::link::LinkedQuery;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, normalized};
use sqlparser::ast::{
    Expr, GroupByExpr, GroupByWithModifier, Join, JoinConstraint, JoinOperator, ObjectName, Query, Select, SelectItem,
    Visit, Visitor,
};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

/// Most parts of a plan: operators, their columns and their expressions. A release build plans as many in less than a
/// second, with a wide margin for kinds that take longer.
pub(super) const MAX_PARTS: u64 = 50_000;
/// Most pairs of columns of one SELECT, for all of them together: the planner compares each column with those before it.
/// A release build takes about half a second for so many.
const MAX_PAIRS: u64 = 12_000_000;
/// Most parts of all plans that are tried: with all optional clauses, with none, and with each alone.
const MAX_TRIED: u64 = 300_000;
/// A function among the columns is compared with every other in all its parts.
const PAIRS_OF_FUNCTIONS: u64 = 8;
/// Most grouping sets of one SELECT. Each row of a batch is grouped by all of them before anybody looks at the memory that its
/// groups take, or at the time.
const MOST_SETS: u64 = 128;
/// Most common table expressions and queries that read one another. Each has two operators, of which the deepest plan
/// has [`super::planner::MAX_PLAN_DEPTH`].
pub(super) const MAX_LEVELS: usize = super::planner::MAX_PLAN_DEPTH / 2;

/// `None` where a linked query is too large to be planned; why is in the sink.
pub(super) fn check(linked: &LinkedQuery<'_>, context: Context<'_>, sink: &mut Diagnostics) -> Option<()> {
    let own = linked.own()?;
    let mut walk = Walk {
        context,
        views: HashMap::new(),
        open: Vec::new(),
        selects: Vec::new(),
        last: Extent::default(),
        pairs: 0,
        sets: 0,
        clauses: 0,
    };
    for part in &linked.parts {
        let _ = part.statement.visit(&mut walk);
        walk.views.insert(&part.query.name.value, walk.last.clone());
    }
    let (pairs, plans, sets) = (walk.pairs, walk.clauses.saturating_add(2), walk.sets);
    let Extent { parts, levels, largest, .. } = walk.last;
    if levels > MAX_LEVELS {
        let what = format!("common table expressions and queries read one another more than {MAX_LEVELS} levels deep");
        sink.push(codes::query_too_deep(own.head, &what));
    } else if pairs > MAX_PAIRS {
        sink.push(codes::query_too_large(own.head, "its SELECTs have thousands of columns", None));
    } else if sets > MOST_SETS {
        let what = format!("its GROUP BY has more than {MOST_SETS} grouping sets");
        sink.push(codes::query_too_large(own.head, &what, None));
    } else if parts > MAX_PARTS {
        let what = format!("written out, it has more than {MAX_PARTS} columns, expressions and operators");
        let largest = largest.filter(|(_, all)| *all > parts / 2).map(|(name, _)| name);
        sink.push(codes::query_too_large(own.head, &what, largest.as_deref()));
    } else if plans > 2 && plans.saturating_mul(parts) > MAX_TRIED {
        let what = "it is planned with each of its optional clauses alone, and they are too many for what it reads";
        sink.push(codes::query_too_large(own.head, what, None));
    } else {
        return Some(());
    }
    None
}

/// What a query comes to.
#[derive(Debug, Clone, Default)]
struct Extent {
    columns: u64,
    parts: u64,
    levels: usize,
    /// What most of it comes from that is read by a name, with all its uses.
    largest: Option<(String, u64)>,
}

/// A query that is open.
#[derive(Default)]
struct Frame {
    extent: Extent,
    /// Its own common table expressions: the addresses of their bodies, which tell them apart and are never followed.
    bodies: Vec<(String, *const Query)>,
    tables: HashMap<String, Extent>,
    /// What is read by name, with the parts of all uses.
    read: HashMap<String, u64>,
}

/// What stands in a SELECT.
#[derive(Default)]
struct Seen {
    /// The columns that a star stands for.
    columns: u64,
    functions: u64,
    /// The windows that functions are calculated over.
    windows: HashSet<String>,
}

struct Walk<'a> {
    context: Context<'a>,
    views: HashMap<&'a str, Extent>,
    open: Vec<Frame>,
    /// What is seen in every SELECT that is open.
    selects: Vec<Seen>,
    /// The pairs of columns of all that were left.
    pairs: u64,
    /// The grouping sets of the SELECT that has most of them.
    sets: u64,
    /// The optional clauses.
    clauses: u64,
    /// The query that was left last.
    last: Extent,
}

impl Walk<'_> {
    /// What a name in a FROM comes to.
    fn named(&self, name: &str) -> Extent {
        if let Some(table) = self.open.iter().rev().find_map(|frame| frame.tables.get(name)) {
            return table.clone();
        }
        if let Some(view) = self.views.get(name) {
            return view.clone();
        }
        let columns = self.context.catalog.scanned(name).map_or(1, |(_, table)| table.columns.len() as u64);
        // A scan has its columns by reference.
        Extent { columns, parts: 1, levels: 0, largest: None }
    }

    /// Adds what stands in the innermost query.
    fn add(&mut self, parts: u64) {
        if let Some(frame) = self.open.last_mut() {
            frame.extent.parts = frame.extent.parts.saturating_add(parts);
        }
    }

    /// Adds columns to those that a star stands for.
    fn see(&mut self, columns: u64) {
        if let Some(select) = self.selects.last_mut() {
            select.columns = select.columns.saturating_add(columns);
        }
    }
}

impl Visitor for Walk<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        let bodies: Vec<(String, *const Query)> =
            tables.map(|table| (normalized(&table.alias.name), std::ptr::from_ref(table.query.as_ref()))).collect();
        self.open.push(Frame { bodies, ..Frame::default() });
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let Some(Frame { mut extent, read, .. }) = self.open.pop() else { return ControlFlow::Continue(()) };
        extent.parts = extent.parts.saturating_add(1);
        extent.largest = read.into_iter().max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)));
        if let Some(around) = self.open.last_mut() {
            let body = around.bodies.iter().find(|(_, body)| std::ptr::eq(*body, query));
            match body.map(|(name, _)| name.clone()) {
                Some(name) => {
                    extent.levels += 1;
                    around.tables.insert(name, extent);
                }
                None => {
                    around.extent.parts = around.extent.parts.saturating_add(extent.parts);
                    around.extent.levels = around.extent.levels.max(extent.levels);
                    self.see(extent.columns);
                }
            }
            return ControlFlow::Continue(());
        }
        extent.levels += 1;
        self.last = extent;
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, _: &Select) -> ControlFlow<()> {
        self.selects.push(Seen::default());
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        let seen = self.selects.pop().unwrap_or_default();
        let is_star = |item: &&SelectItem| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..));
        let stars = select.projection.iter().filter(is_star).count() as u64;
        let columns = stars.saturating_mul(seen.columns).saturating_add(select.projection.len() as u64 - stars);
        let square = |number: u64| number.saturating_mul(number);
        let joins = select.from.iter().flat_map(|table| &table.joins).filter(|join| is_natural(join)).count() as u64;
        let pairs = square(columns)
            .saturating_add(square(seen.functions).saturating_mul(PAIRS_OF_FUNCTIONS))
            .saturating_add(square(seen.columns).saturating_mul(joins));
        self.pairs = self.pairs.saturating_add(pairs);
        if let Some(frame) = self.open.last_mut() {
            frame.extent.columns = frame.extent.columns.max(columns);
        }
        // Each window is an operator, with the columns of those below it.
        let windows = square(seen.windows.len() as u64) / 2;
        let (sets, of_sets) = grouping_sets(&select.group_by);
        self.sets = self.sets.max(sets);
        self.add(columns.saturating_add(1).saturating_add(of_sets).saturating_add(windows));
        ControlFlow::Continue(())
    }

    fn pre_visit_relation(&mut self, relation: &ObjectName) -> ControlFlow<()> {
        let Some(name) = relation.0.last().and_then(|part| part.as_ident()).map(normalized) else {
            return ControlFlow::Continue(());
        };
        let Extent { columns, parts, levels, .. } = self.named(&name);
        self.see(columns);
        self.add(parts.saturating_add(1));
        if let Some(frame) = self.open.last_mut() {
            frame.extent.levels = frame.extent.levels.max(levels);
            let of_all = frame.read.entry(name).or_default();
            *of_all = of_all.saturating_add(parts);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        self.add(1);
        if let Expr::Function(function) = expr {
            let name = function.name.to_string();
            self.clauses = self.clauses.saturating_add(u64::from(name == OPTIONAL_AND || name == OPTIONAL_OR));
            if let Some(select) = self.selects.last_mut() {
                select.functions = select.functions.saturating_add(1);
                select.windows.extend(function.over.as_ref().map(ToString::to_string));
            }
        }
        ControlFlow::Continue(())
    }
}

/// The grouping sets that are meant by CUBE, ROLLUP and their like, and the expressions of all of them: each set is written out.
fn grouping_sets(group_by: &GroupByExpr) -> (u64, u64) {
    let (GroupByExpr::All(modifiers) | GroupByExpr::Expressions(_, modifiers)) = group_by;
    let by = match group_by {
        GroupByExpr::Expressions(by, _) => by.as_slice(),
        GroupByExpr::All(_) => &[],
    };
    let cube = |of: usize| u32::try_from(of).ok().and_then(|of| 2_u64.checked_pow(of)).unwrap_or(u64::MAX);
    let sets = by.iter().map(|expr| match expr {
        Expr::Cube(of) => cube(of.len()),
        Expr::Rollup(of) => of.len() as u64 + 1,
        Expr::GroupingSets(sets) => sets.len() as u64,
        _ => 1,
    });
    let of_modifiers = modifiers.iter().map(|modifier| match modifier {
        GroupByWithModifier::Cube => cube(by.len()),
        GroupByWithModifier::Rollup => by.len() as u64 + 1,
        _ => 1,
    });
    let sets = sets.chain(of_modifiers).fold(1, u64::saturating_mul);
    let names = by.iter().map(|expr| match expr {
        Expr::Cube(of) | Expr::Rollup(of) | Expr::GroupingSets(of) => of.iter().map(Vec::len).sum(),
        _ => 1,
    });
    (sets, if sets > 1 { sets.saturating_mul(names.sum::<usize>() as u64) } else { 0 })
}

/// Whether a join is one by all columns of the same names.
fn is_natural(join: &Join) -> bool {
    let (JoinOperator::Join(constraint)
    | JoinOperator::Inner(constraint)
    | JoinOperator::Left(constraint)
    | JoinOperator::LeftOuter(constraint)
    | JoinOperator::Right(constraint)
    | JoinOperator::RightOuter(constraint)
    | JoinOperator::FullOuter(constraint)) = &join.join_operator
    else {
        return false;
    };
    *constraint == JoinConstraint::Natural
}
