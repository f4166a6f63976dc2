//! Windows that are defined by name are written out where they are used.
//!
//! DataFusion knows `OVER w` in the columns of a SELECT only, and of `OVER (w ORDER BY id)` and `WINDOW x AS (w …)` it
//! drops the `w`: the window had neither its partitions nor its order. The rules of what may be added are PostgreSQL's
//! (<https://www.postgresql.org/docs/current/sql-select.html#SQL-WINDOW>).

use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use sqlparser::ast::{
    Expr, Ident, NamedWindowDefinition, NamedWindowExpr, OrderBy, Query, Select, SetExpr, Statement, VisitMut,
    VisitorMut, WindowSpec, WindowType,
};
use std::ops::ControlFlow;

/// Writes out all of a statement.
///
/// Errors: a window that is not defined, is defined twice, or adds what it may not.
pub(super) fn write_out(statement: &mut Statement) -> Result<()> {
    match statement.visit(&mut Queries) {
        ControlFlow::Break(error) => Err(error),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Every SELECT, with the ORDER BY of its query.
struct Queries;

impl VisitorMut for Queries {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<DataFusionError> {
        let defined = match query.body.as_ref() {
            SetExpr::Select(select) => flow(definitions(&select.named_window))?,
            _ => Vec::new(),
        };
        of_order(query.order_by.as_mut(), &defined)
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<DataFusionError> {
        let defined = flow(definitions(&select.named_window))?;
        let mut uses = Uses { defined: &defined, below: 0 };
        select.projection.visit(&mut uses)?;
        select.distinct.visit(&mut uses)?;
        select.qualify.visit(&mut uses)?;
        // There is no window in them; the planner says so of one that is written out, and takes `OVER w` for none.
        select.selection.visit(&mut uses)?;
        select.having.visit(&mut uses)?;
        for (window, (_, spec)) in select.named_window.iter_mut().zip(&defined) {
            window.1 = NamedWindowExpr::WindowSpec(spec.clone());
        }
        ControlFlow::Continue(())
    }
}

fn of_order(order: Option<&mut OrderBy>, defined: &[(Ident, WindowSpec)]) -> ControlFlow<DataFusionError> {
    match order {
        Some(order) => order.visit(&mut Uses { defined, below: 0 }),
        None => ControlFlow::Continue(()),
    }
}

/// The windows of the functions of one SELECT, without those of queries in it.
struct Uses<'a> {
    defined: &'a [(Ident, WindowSpec)],
    /// How many queries are open.
    below: usize,
}

impl VisitorMut for Uses<'_> {
    type Break = DataFusionError;

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<DataFusionError> {
        self.below += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<DataFusionError> {
        self.below = self.below.saturating_sub(1);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<DataFusionError> {
        let Expr::Function(function) = expr else { return ControlFlow::Continue(()) };
        if self.below > 0 {
            return ControlFlow::Continue(());
        }
        match &mut function.over {
            Some(WindowType::NamedWindow(name)) => {
                let spec = flow(defined(self.defined, name))?.clone();
                function.over = Some(WindowType::WindowSpec(spec));
            }
            Some(WindowType::WindowSpec(spec)) => *spec = flow(written_out(spec, self.defined))?,
            None => {}
        }
        ControlFlow::Continue(())
    }
}

/// The windows that a SELECT defines, each written out.
fn definitions(windows: &[NamedWindowDefinition]) -> Result<Vec<(Ident, WindowSpec)>> {
    let mut known: Vec<(Ident, WindowSpec)> = Vec::with_capacity(windows.len());
    for NamedWindowDefinition(name, window) in windows {
        if known.iter().any(|(other, _)| is_same(other, name)) {
            return Err(plan_datafusion_err!("the window `{name}` is defined twice"));
        }
        let spec = match window {
            NamedWindowExpr::NamedWindow(other) => defined(&known, other)?.clone(),
            NamedWindowExpr::WindowSpec(spec) => written_out(spec, &known)?,
        };
        known.push((name.clone(), spec));
    }
    Ok(known)
}

fn is_same(one: &Ident, other: &Ident) -> bool {
    crate::syntax::normalized(one) == crate::syntax::normalized(other)
}

fn defined<'a>(known: &'a [(Ident, WindowSpec)], name: &Ident) -> Result<&'a WindowSpec> {
    let found = known.iter().find(|(other, _)| is_same(other, name)).map(|(_, spec)| spec);
    found.ok_or_else(|| plan_datafusion_err!("the window `{name}` is not defined"))
}

/// A window with what it takes from the one that it names.
fn written_out(spec: &WindowSpec, known: &[(Ident, WindowSpec)]) -> Result<WindowSpec> {
    let Some(name) = &spec.window_name else { return Ok(spec.clone()) };
    let base = defined(known, name)?;
    let wrong = if !spec.partition_by.is_empty() {
        "a window that names another one has its PARTITION BY, and none of its own"
    } else if !spec.order_by.is_empty() && !base.order_by.is_empty() {
        "a window that names another one with an ORDER BY has none of its own"
    } else if base.window_frame.is_some() {
        "a window that is named by another one has no frame"
    } else {
        let order_by = if spec.order_by.is_empty() { &base.order_by } else { &spec.order_by };
        return Ok(WindowSpec {
            window_name: None,
            partition_by: base.partition_by.clone(),
            order_by: order_by.clone(),
            window_frame: spec.window_frame.clone(),
        });
    };
    Err(plan_datafusion_err!("{wrong} (`{name}`)"))
}

fn flow<T>(found: Result<T>) -> ControlFlow<DataFusionError, T> {
    match found {
        Ok(found) => ControlFlow::Continue(found),
        Err(error) => ControlFlow::Break(error),
    }
}
