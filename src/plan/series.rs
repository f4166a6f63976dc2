//! Series that differ in their arguments only, made to differ in their names as well.
//!
//! DataFusion takes two scans of one name for the same plan, so that the second of two subqueries over `generate_series`
//! would get the rows of the first. Where there are several, each is put into a subquery whose name says its arguments.

use sqlparser::ast::{Ident, Statement, TableAlias, TableFactor, Visit, VisitMut, Visitor, VisitorMut};
use std::ops::ControlFlow;

/// Puts the series of a statement into subqueries, where there are several of them.
pub(super) fn tell_apart(statement: &mut Statement) {
    let mut count = Count(0);
    let _ = Visit::visit(statement, &mut count);
    if count.0 > 1 {
        let _ = VisitMut::visit(statement, &mut Wrap);
    }
}

/// The name of a function in FROM that gives a series.
fn series(factor: &TableFactor) -> Option<String> {
    let TableFactor::Table { name, args: Some(args), .. } = factor else { return None };
    let function = name.to_string().to_lowercase();
    let is_series = matches!(function.as_str(), "generate_series" | "range");
    let shown: Vec<String> = args.args.iter().map(ToString::to_string).collect();
    is_series.then(|| format!("{function}({})", shown.join(", ")))
}

struct Count(usize);

impl Visitor for Count {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.0 += usize::from(series(factor).is_some());
        ControlFlow::Continue(())
    }
}

struct Wrap;

impl VisitorMut for Wrap {
    type Break = ();

    // Behind what is inside: the series is not met again in its subquery.
    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        if let Some(shown) = series(factor)
            && let Some(wrapped) = wrapped(factor, shown)
        {
            *factor = wrapped;
        }
        ControlFlow::Continue(())
    }
}

fn wrapped(factor: &TableFactor, shown: String) -> Option<TableFactor> {
    let mut inner = factor.clone();
    let TableFactor::Table { alias, name, .. } = &mut inner else { return None };
    let plain = format!("{}()", name.to_string().to_lowercase());
    let outer = alias.take().unwrap_or_else(|| named(plain));
    *alias = Some(named(shown));
    let mut all = crate::syntax::link::parse_text("SELECT * FROM series", &|_| None).ok()?;
    let Statement::Query(query) = &mut all else { return None };
    let select = query.body.as_select().cloned()?;
    let mut select = select;
    select.from.first_mut()?.relation = inner;
    *query.body = sqlparser::ast::SetExpr::Select(Box::new(select));
    let Statement::Query(subquery) = all else { return None };
    Some(TableFactor::Derived { lateral: false, subquery, alias: Some(outer), sample: None })
}

fn named(name: String) -> TableAlias {
    TableAlias { explicit: true, name: Ident::with_quote('"', name), columns: Vec::new(), at: None }
}
