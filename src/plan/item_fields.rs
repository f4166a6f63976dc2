//! Fields of the items of a list that is called as another column is: `FROM orders, unnest(lines) AS lines` with
//! `lines.product` means the items, as in PostgreSQL.
//!
//! The planner looks for a column `product` of the table `lines`, and then for a column `lines` of any table, of which
//! there are two. With the table in front, `lines.lines.product`, there is one.

use super::unnested::unnested_lists;
use crate::syntax::ast::{exposed_name, normalized};
use sqlparser::ast::{
    Expr, Query, Select, SetExpr, Statement, TableFactor, TableWithJoins, Visit, VisitMut, Visitor, VisitorMut,
};
use std::ops::ControlFlow;

/// Writes the table in front of such fields.
pub(super) fn qualify(statement: &mut Statement) {
    let _ = VisitMut::visit(statement, &mut Queries);
}

struct Queries;

impl VisitorMut for Queries {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if let SetExpr::Select(select) = query.body.as_ref() {
            let names = names_of_items(select);
            if let Some(order) = &mut query.order_by
                && !names.is_empty()
            {
                let _ = VisitMut::visit(order, &mut Fields(names));
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let names = names_of_items(select);
        if !names.is_empty() {
            let _ = VisitMut::visit(select, &mut Fields(names));
        }
        ControlFlow::Continue(())
    }
}

/// The names that are those of a list of FROM and of its items, and of nothing else in a FROM in the query.
fn names_of_items(select: &Select) -> Vec<String> {
    let names = select.from.iter().flat_map(factors).filter_map(name_of_items);
    let mut names: Vec<String> = names.collect();
    if !names.is_empty() {
        let mut tables = Tables::default();
        let _ = Visit::visit(select, &mut tables);
        names.retain(|name| tables.0.iter().filter(|table| *table == name).count() == 1);
    }
    names
}

fn factors(from: &TableWithJoins) -> impl Iterator<Item = &TableFactor> {
    std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
}

/// The name of a list that its items have as well.
fn name_of_items(factor: &TableFactor) -> Option<String> {
    let lists = unnested_lists(factor)?;
    let table = lists.table();
    (lists.columns()?.contains(&table)).then_some(table)
}

/// What tables, queries and lists of FROM are called, here and in whatever is inside.
#[derive(Default)]
struct Tables(Vec<String>);

impl Visitor for Tables {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.0.extend(unnested_lists(factor).map(|lists| lists.table()).or_else(|| exposed_name(factor)));
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        // `x -> x.a`: the parameter covers a table of that name.
        if let Expr::Lambda(lambda) = expr {
            for parameter in lambda.params.iter() {
                let name = normalized(&parameter.name);
                self.0.extend([name.clone(), name]);
            }
        }
        ControlFlow::Continue(())
    }
}

/// Writes a name twice where a field follows it.
struct Fields(Vec<String>);

impl VisitorMut for Fields {
    type Break = ();

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if let Expr::CompoundIdentifier(path) = expr
            && let [first, second, ..] = path.as_slice()
            && self.0.contains(&normalized(first))
            && normalized(second) != normalized(first)
        {
            path.insert(1, first.clone());
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;

    #[track_caller]
    fn becomes(text: &str, form: &str) {
        let mut statement = parse_text(text, &|_| None).unwrap();
        qualify(&mut statement);
        assert_eq!(statement.to_string(), form, "{text}");
    }

    #[test]
    fn fields_of_items_have_their_table_in_front() {
        becomes(
            "SELECT l.a, L.b.c FROM d, UNNEST(d.l) AS l WHERE l.a > 1 AND l.l = l ORDER BY l.a",
            "SELECT l.l.a, L.L.b.c FROM d, UNNEST(d.l) AS l WHERE l.l.a > 1 AND l.l = l ORDER BY l.l.a",
        );
        becomes(
            "SELECT (SELECT max(l.a) FROM UNNEST(l) AS l) FROM d UNION ALL SELECT l.a FROM d",
            "SELECT (SELECT max(l.l.a) FROM UNNEST(l) AS l) FROM d UNION ALL SELECT l.a FROM d",
        );
    }

    #[test]
    fn columns_with_names_of_their_own_stay() {
        for text in [
            "SELECT t.n, n.a FROM d, UNNEST(d.l) AS t (n)",
            "SELECT l.a FROM d, UNNEST(d.l) AS l WHERE EXISTS (SELECT 1 FROM e AS l WHERE l.a = 1)",
        ] {
            becomes(text, text);
        }
    }
}
