//! Keys of ORDER BY, GROUP BY, PARTITION BY and DISTINCT ON that are made of parameters alone.
//!
//! A parameter is a value and never a name, so `ORDER BY << column >>` sorts by one text for all rows: by nothing.

use crate::syntax::ast::{normalized, number};
use sqlparser::ast::{
    Distinct, Expr, Function, FunctionArgumentClause, FunctionArguments, GroupByExpr, NamedWindowExpr, ObjectNamePart,
    OrderBy, OrderByExpr, OrderByKind, Query, Select, Statement, Value, Visit, Visitor, WindowSpec, WindowType,
};
use std::ops::ControlFlow;

/// A key that is the same for all rows, unless one of its parameters is a choice of SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConstantKey {
    /// The clause that has it: `ORDER BY`.
    pub clause: &'static str,
    /// The placeholders in it, by their positions in [`crate::syntax::ParsedQuery::placeholders`].
    pub placeholders: Vec<usize>,
    /// Whether it is one for the rows of the result, and that placeholder alone.
    pub sorts_result: bool,
}

/// All of a statement, in the order of their placeholders.
pub(super) fn find(statement: &Statement) -> Vec<ConstantKey> {
    let mut search = Search { is_inside: false, found: Vec::new() };
    let _ = statement.visit(&mut search);
    search.found.sort_by(|one, other| one.placeholders.cmp(&other.placeholders));
    search.found.dedup();
    search.found
}

struct Search {
    /// Whether the outermost query was met, which comes first.
    is_inside: bool,
    found: Vec<ConstantKey>,
}

impl Visitor for Search {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let sorts_result = !std::mem::replace(&mut self.is_inside, true);
        if let Some(OrderBy { kind: OrderByKind::Expressions(keys), .. }) = &query.order_by {
            keys.iter().for_each(|key| self.key("ORDER BY", &key.expr, sorts_result));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        if let GroupByExpr::Expressions(keys, _) = &select.group_by {
            keys.iter().for_each(|key| self.group(key));
        }
        if let Some(Distinct::On(keys)) = &select.distinct {
            self.keys("DISTINCT ON", keys);
        }
        for window in &select.named_window {
            if let NamedWindowExpr::WindowSpec(window) = &window.1 {
                self.window(window);
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Function(function) = expr {
            self.function(function);
        }
        ControlFlow::Continue(())
    }
}

impl Search {
    fn function(&mut self, function: &Function) {
        if let Some(WindowType::WindowSpec(window)) = &function.over {
            self.window(window);
        }
        self.orders(&function.within_group);
        if let FunctionArguments::List(list) = &function.args {
            for clause in &list.clauses {
                if let FunctionArgumentClause::OrderBy(keys) = clause {
                    self.orders(keys);
                }
            }
        }
    }

    fn window(&mut self, window: &WindowSpec) {
        self.keys("PARTITION BY", &window.partition_by);
        self.orders(&window.order_by);
    }

    /// The sets of GROUPING SETS, ROLLUP and CUBE are lists of keys.
    fn group(&mut self, key: &Expr) {
        match key {
            Expr::GroupingSets(sets) | Expr::Rollup(sets) | Expr::Cube(sets) => {
                sets.iter().flatten().for_each(|key| self.key("GROUP BY", key, false));
            }
            Expr::Tuple(keys) => self.keys("GROUP BY", keys),
            key => self.key("GROUP BY", key, false),
        }
    }

    fn orders(&mut self, keys: &[OrderByExpr]) {
        keys.iter().for_each(|key| self.key("ORDER BY", &key.expr, false));
    }

    fn keys(&mut self, clause: &'static str, keys: &[Expr]) {
        keys.iter().for_each(|key| self.key(clause, key, false));
    }

    fn key(&mut self, clause: &'static str, key: &Expr, sorts_result: bool) {
        let mut parts = Parts::default();
        let _ = key.visit(&mut parts);
        if !parts.placeholders.is_empty() && !parts.varies {
            let sorts_result = sorts_result && matches!(key, Expr::Value(_));
            self.found.push(ConstantKey { clause, placeholders: parts.placeholders, sorts_result });
        }
    }
}

/// What an expression is made of.
#[derive(Default)]
struct Parts {
    placeholders: Vec<usize>,
    /// Whether it may differ from row to row: it has a column, a subquery, or a function of which only its values tell, such
    /// as `random()` and `count(1)`.
    varies: bool,
}

impl Visitor for Parts {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.varies = true;
        ControlFlow::Break(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::Identifier(_)
            | Expr::CompoundIdentifier(_)
            | Expr::CompoundFieldAccess { .. }
            | Expr::Wildcard(_) => {
                self.varies = true;
            }
            Expr::Function(function) => {
                self.varies |= function.over.is_some() || !is_of_its_arguments(function);
            }
            _ => {}
        }
        if self.varies { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pre_visit_value(&mut self, value: &sqlparser::ast::ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(id) = &value.value {
            self.placeholders.extend(number(id));
        }
        ControlFlow::Continue(())
    }
}

/// Whether a function gives nothing but what it makes of its arguments: aggregates count rows, and others may do anything.
fn is_of_its_arguments(function: &Function) -> bool {
    const NAMES: [&str; 26] = [
        "abs",
        "btrim",
        "ceil",
        "ceiling",
        "coalesce",
        "concat",
        "date",
        "date_trunc",
        "floor",
        "greatest",
        "ifnull",
        "initcap",
        "least",
        "left",
        "length",
        "lower",
        "ltrim",
        "nullif",
        "nvl",
        "replace",
        "right",
        "round",
        "rtrim",
        "substr",
        "trim",
        "upper",
    ];
    let has_arguments = matches!(&function.args, FunctionArguments::List(list) if !list.args.is_empty());
    match function.name.0.as_slice() {
        [ObjectNamePart::Identifier(name)] => has_arguments && NAMES.contains(&normalized(name).as_str()),
        _ => false,
    }
}
