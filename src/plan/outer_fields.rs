//! Fields of records of the rows around a subquery: `(SELECT … WHERE o.id = line.product)`, where `line` is a column of
//! the query around it.
//!
//! DataFusion's planner finds the column and then refuses the field behind it. It does take `line['product']`, which is
//! the same field. Which names are a column and which a field it alone knows, so it is asked: what it refuses is written
//! in the other form, until it refuses none.

use super::engine_words::outer_record;
use super::unnested::unnested_lists;
use crate::syntax::ast::{exposed_name, normalized};
use datafusion::common::{Column, DataFusionError, Result};
use datafusion::logical_expr::LogicalPlan;
use sqlparser::ast::{
    AccessExpr, Expr, Ident, Query, Statement, Subscript, TableFactor, Value, Visit, VisitMut, Visitor, VisitorMut,
};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Plans a statement with such fields in it.
pub(super) fn planned_with_fields(
    mut statement: Statement,
    plan: &dyn Fn(Statement) -> Result<LogicalPlan>,
) -> Result<LogicalPlan> {
    if statement.visit(&mut Paths::default()).is_continue() {
        return plan(statement);
    }
    loop {
        let error = match plan(statement.clone()) {
            Ok(plan) => return Ok(plan),
            Err(error) => error,
        };
        // Each time there are fewer paths left.
        match record_of(&error) {
            Some(column) if write_out(&mut statement, &column) => {}
            _ => return Err(error),
        }
    }
}

/// The column of an outer row whose field was refused.
fn record_of(error: &DataFusionError) -> Option<Column> {
    let DataFusionError::NotImplemented(why) = error.find_root() else { return None };
    Some(Column::from_qualified_name(outer_record(why)?))
}

/// Looks for a path of names in a query in a query.
#[derive(Default)]
struct Paths {
    queries: usize,
}

impl Visitor for Paths {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::CompoundIdentifier(_) if self.queries > 1 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Writes the fields of a column in brackets, in all queries in queries; whether there were any.
fn write_out(statement: &mut Statement, column: &Column) -> bool {
    let mut relations = Relations::default();
    let _ = Visit::visit(&*statement, &mut relations);
    let mut fields = Fields { column, relations: &relations, queries: 0, found: false };
    let _ = VisitMut::visit(statement, &mut fields);
    fields.found
}

/// What stands in FROM anywhere, with its columns where they are written beside its name.
#[derive(Default)]
struct Relations(HashMap<String, Vec<Option<Vec<String>>>>);

impl Relations {
    /// Whether something of that name may have a column of this one: then the two are no record and its field.
    fn may_have(&self, relation: &str, column: &str) -> bool {
        let is_known_without = |columns: &Option<Vec<String>>| {
            columns.as_ref().is_some_and(|columns| columns.iter().all(|name| name != column))
        };
        self.0.get(relation).is_some_and(|all| !all.iter().all(is_known_without))
    }
}

impl Visitor for Relations {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        let (name, columns) = match unnested_lists(factor) {
            Some(lists) => (Some(lists.table()), lists.columns()),
            None => (exposed_name(factor).or_else(|| alias_of(factor)), None),
        };
        if let Some(name) = name {
            self.0.entry(name).or_default().push(columns);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        // `x -> x.a`: the parameter covers a column of that name.
        if let Expr::Lambda(lambda) = expr {
            for parameter in lambda.params.iter() {
                self.0.entry(normalized(&parameter.name)).or_default().push(None);
            }
        }
        ControlFlow::Continue(())
    }
}

/// The alias of a part of FROM that is neither a table nor a query.
fn alias_of(factor: &TableFactor) -> Option<String> {
    let alias = match factor {
        TableFactor::Function { alias, .. }
        | TableFactor::TableFunction { alias, .. }
        | TableFactor::NestedJoin { alias, .. } => alias.as_ref()?,
        _ => return None,
    };
    Some(normalized(&alias.name))
}

struct Fields<'a> {
    column: &'a Column,
    relations: &'a Relations,
    queries: usize,
    found: bool,
}

impl Fields<'_> {
    /// How many of the names are the column; `None` where they are something else, or nothing follows.
    fn column_length(&self, path: &[Ident]) -> Option<usize> {
        let name = |at: usize| path.get(at).map(normalized);
        let relation = self.column.relation.as_ref().map(|relation| relation.table().to_owned());
        let is_qualified = relation.is_some() && name(0) == relation && name(1).as_ref() == Some(&self.column.name);
        if is_qualified && path.len() > 2 {
            return Some(2);
        }
        let (first, second) = (name(0)?, name(1)?);
        (first == self.column.name && !self.relations.may_have(&first, &second)).then_some(1)
    }
}

impl VisitorMut for Fields<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &mut Query) -> ControlFlow<()> {
        self.queries -= 1;
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        let Expr::CompoundIdentifier(path) = expr else { return ControlFlow::Continue(()) };
        if self.queries < 2 {
            return ControlFlow::Continue(());
        }
        let Some((column, fields)) = self.column_length(path).and_then(|length| path.split_at_checked(length)) else {
            return ControlFlow::Continue(());
        };
        let root = match column {
            [name] => Expr::Identifier(name.clone()),
            names => Expr::Nested(Box::new(Expr::CompoundIdentifier(names.to_vec()))),
        };
        let access_chain = fields.iter().map(field_access).collect();
        *expr = Expr::CompoundFieldAccess { root: Box::new(root), access_chain };
        self.found = true;
        ControlFlow::Continue(())
    }
}

/// `['field']`
fn field_access(field: &Ident) -> AccessExpr {
    let name = Value::SingleQuotedString(normalized(field)).with_span(field.span);
    AccessExpr::Subscript(Subscript::Index { index: Expr::Value(name) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::link::parse_text;

    #[track_caller]
    fn becomes(text: &str, column: &str, form: Option<&str>) {
        let mut statement = parse_text(text, &|_| None).unwrap();
        let is_other = write_out(&mut statement, &Column::from_qualified_name(column));
        assert_eq!(is_other.then(|| statement.to_string()).as_deref(), form, "{text}");
    }

    #[test]
    fn fields_of_outer_rows_are_in_brackets() {
        becomes(
            "SELECT d.line.a FROM d WHERE EXISTS (SELECT 1 FROM o WHERE o.id = d.line.a.b)",
            "d.line",
            Some("SELECT d.line.a FROM d WHERE EXISTS (SELECT 1 FROM o WHERE o.id = (d.line)['a']['b'])"),
        );
        becomes(
            "SELECT (SELECT 1 FROM o WHERE o.id = Line.A AND o.x = d.line) FROM d",
            "d.line",
            Some("SELECT (SELECT 1 FROM o WHERE o.id = Line['a'] AND o.x = d.line) FROM d"),
        );
        becomes(
            "SELECT 1 FROM d, unnest(d.lines) AS l WHERE EXISTS (SELECT 1 FROM unnest(l.marks) AS m (x) WHERE l.l > 1)",
            "l.l",
            Some(
                "SELECT 1 FROM d, UNNEST(d.lines) AS l \
                 WHERE EXISTS (SELECT 1 FROM UNNEST(l['marks']) AS m (x) WHERE l.l > 1)",
            ),
        );
    }

    #[test]
    fn a_table_that_is_called_like_the_record_is_not_touched() {
        becomes("SELECT (SELECT 1 FROM line WHERE line.id = 1) FROM d", "d.line", None);
        becomes("SELECT (SELECT 1 FROM o WHERE o.id = d.line) FROM d", "d.line", None);
        becomes("SELECT d.line.a FROM d", "d.line", None);
    }
}
