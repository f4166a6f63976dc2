//! `GROUP BY` a declared primary key: the other columns of its table are those of the group's one row, and may stand in
//! SELECT, HAVING and ORDER BY, as in PostgreSQL.
//!
//! They are grouped by as well, in the tree. So a key that is declared and not unique gives a group for each of the rows
//! that differ, and never a value of any one of them.

use super::functions::Functions;
use crate::syntax::normalized;
use datafusion::logical_expr::TableSource;
use sqlparser::ast::{
    Distinct, Expr, Function, GroupByExpr, Ident, ObjectName, ObjectNamePart, OrderByKind, Query, Select, SelectItem,
    SelectItemQualifiedWildcardKind, SetExpr, Statement, TableFactor, Value, Visit, VisitMut, Visitor, VisitorMut,
    With,
};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is known of the keys of tables.
#[derive(Clone, Copy)]
pub enum Keys<'a> {
    /// The declared primary key of a table by its name; none is no columns.
    Declared(&'a dyn Fn(&str) -> Vec<String>),
    /// They are not at hand, and nothing but words is made of the plan: whatever is not grouped by belongs to a key.
    Unknown,
}

impl Keys<'_> {
    /// Of tables without keys.
    pub const NONE: Keys<'static> = Keys::Declared(&|_: &str| Vec::new());
}

/// What the statement is looked at with.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub tables: &'a dyn Fn(&str) -> Option<Arc<dyn TableSource>>,
    pub keys: Keys<'a>,
    pub functions: &'a Functions,
}

/// Groups by the columns that belong to a key that is grouped by.
pub(super) fn complete_groups(statement: &mut Statement, known: Known<'_>) {
    let mut names = CommonTables(BTreeSet::new());
    let _ = Visit::visit(&*statement, &mut names);
    let _ = VisitMut::visit(statement, &mut Groups { known, common: names.0 });
}

/// The names of all common table expressions: what is called so is no table.
struct CommonTables(BTreeSet<String>);

impl Visitor for CommonTables {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let Some(With { cte_tables, .. }) = &query.with {
            self.0.extend(cte_tables.iter().map(|table| normalized(&table.alias.name)));
        }
        ControlFlow::Continue(())
    }
}

struct Groups<'a> {
    known: Known<'a>,
    common: BTreeSet<String>,
}

impl VisitorMut for Groups<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let mut ordered = Vec::new();
        if let Some(order) = &query.order_by
            && let OrderByKind::Expressions(keys) = &order.kind
        {
            ordered.extend(keys.iter().map(|key| key.expr.clone()));
        }
        if let SetExpr::Select(select) = query.body.as_mut() {
            self.complete(select, &ordered);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.complete(select, &[]);
        ControlFlow::Continue(())
    }
}

/// A table of FROM: what its columns have in front, their names, and its key.
struct Relation {
    qualifier: Ident,
    columns: Vec<String>,
    key: Option<Vec<String>>,
}

/// A column of one of them.
type Place = (usize, String);

impl Groups<'_> {
    fn complete(&self, select: &mut Select, ordered: &[Expr]) {
        let GroupByExpr::Expressions(grouped, modifiers) = &select.group_by else { return };
        if grouped.is_empty() || !modifiers.is_empty() {
            return;
        }
        let relations = self.relations(select);
        let by: BTreeSet<Place> =
            grouped.iter().filter_map(|expr| place(by_number(expr, select), &relations)).collect();
        let is_keyed = |at: usize| match relations.get(at).and_then(|relation| relation.key.as_ref()) {
            Some(key) => !key.is_empty() && key.iter().all(|column| by.contains(&(at, column.clone()))),
            None => matches!(self.known.keys, Keys::Unknown),
        };
        let mut wanted = self.wanted(select, ordered, &relations);
        wanted.retain(|place| !by.contains(place) && is_keyed(place.0));
        let more: Vec<Expr> = wanted.into_iter().filter_map(|place| written(place, &relations)).collect();
        if let GroupByExpr::Expressions(grouped, _) = &mut select.group_by {
            grouped.extend(more);
        }
    }

    fn relations(&self, select: &Select) -> Vec<Relation> {
        let factors = select
            .from
            .iter()
            .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)));
        factors.filter_map(|factor| self.relation(factor)).collect()
    }

    fn relation(&self, factor: &TableFactor) -> Option<Relation> {
        let TableFactor::Table { name: ObjectName(parts), alias, args: None, .. } = factor else { return None };
        let [ObjectNamePart::Identifier(name)] = parts.as_slice() else { return None };
        // Columns with new names are not those of the key.
        if alias.as_ref().is_some_and(|alias| !alias.columns.is_empty()) {
            return None;
        }
        let table = normalized(name);
        if self.common.contains(&table) {
            return None;
        }
        let schema = (self.known.tables)(&table)?.schema();
        let key = match self.known.keys {
            Keys::Declared(key) => Some(key(&table)),
            Keys::Unknown => None,
        };
        Some(Relation {
            qualifier: alias.as_ref().map_or_else(|| name.clone(), |alias| alias.name.clone()),
            columns: schema.fields().iter().map(|field| field.name().clone()).collect(),
            key,
        })
    }

    /// The columns that are asked for outside of aggregates.
    fn wanted(&self, select: &Select, ordered: &[Expr], relations: &[Relation]) -> BTreeSet<Place> {
        let mut columns = Columns { functions: self.known.functions, relations, aside: 0, found: BTreeSet::new() };
        let mut named = BTreeSet::new();
        for item in &select.projection {
            if let SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) = item {
                let of = |relation: &Relation| {
                    name.0.last().and_then(|part| part.as_ident()).map(normalized)
                        == Some(normalized(&relation.qualifier))
                };
                if let Some(at) = relations.iter().position(of) {
                    let all = relations.get(at).map(|relation| relation.columns.as_slice()).unwrap_or_default();
                    columns.found.extend(all.iter().map(|column| (at, column.clone())));
                }
            }
            if let SelectItem::ExprWithAlias { alias, .. } = item {
                named.insert(normalized(alias));
            }
            let _ = item.visit(&mut columns);
        }
        let _ = select.having.visit(&mut columns);
        let _ = select.qualify.visit(&mut columns);
        if let Some(Distinct::On(exprs)) = &select.distinct {
            let _ = exprs.visit(&mut columns);
        }
        for expr in ordered {
            // The name of a column of the result.
            let is_output = matches!(expr, Expr::Identifier(ident) if named.contains(&normalized(ident)));
            if !is_output {
                let _ = expr.visit(&mut columns);
            }
        }
        columns.found
    }
}

/// What `GROUP BY 1` stands for.
fn by_number<'a>(expr: &'a Expr, select: &'a Select) -> &'a Expr {
    let Expr::Value(value) = expr else { return expr };
    let Value::Number(digits, _) = &value.value else { return expr };
    let at = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match at.and_then(|at| select.projection.get(at)) {
        Some(SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, .. }) => item,
        _ => expr,
    }
}

/// The column that an expression is; `None` where it is none, or one of several relations.
fn place(expr: &Expr, relations: &[Relation]) -> Option<Place> {
    let has = |relation: &Relation, column: &String| relation.columns.contains(column);
    match expr {
        Expr::Nested(inner) => place(inner, relations),
        Expr::Identifier(ident) => {
            let column = normalized(ident);
            let mut with = relations.iter().enumerate().filter(|(_, relation)| has(relation, &column));
            let (at, _) = with.next()?;
            with.next().is_none().then_some((at, column))
        }
        Expr::CompoundIdentifier(path) => {
            let (first, second) = (path.first()?, path.get(1)?);
            let is_named = |relation: &Relation| normalized(&relation.qualifier) == normalized(first);
            match relations.iter().position(is_named) {
                Some(at) => {
                    let column = normalized(second);
                    has(relations.get(at)?, &column).then_some((at, column))
                }
                // A field of a column.
                None => place(&Expr::Identifier(first.clone()), relations),
            }
        }
        _ => None,
    }
}

fn written((at, column): Place, relations: &[Relation]) -> Option<Expr> {
    let qualifier = relations.get(at)?.qualifier.clone();
    Some(Expr::CompoundIdentifier(vec![qualifier, Ident::with_quote('"', column)]))
}

/// Collects columns outside of aggregates and subqueries.
struct Columns<'a> {
    functions: &'a Functions,
    relations: &'a [Relation],
    /// How many aggregates and subqueries are around.
    aside: usize,
    found: BTreeSet<Place>,
}

impl Columns<'_> {
    fn is_aggregate(&self, expr: &Expr) -> bool {
        let Expr::Function(Function { name, over: None, .. }) = expr else { return false };
        let name = name.0.last().and_then(|part| part.as_ident()).map(normalized);
        name.is_some_and(|name| self.functions.aggregate.contains_key(&name))
    }
}

impl Visitor for Columns<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.aside += 1;
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _: &Query) -> ControlFlow<()> {
        self.aside -= 1;
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.is_aggregate(expr) {
            self.aside += 1;
        } else if self.aside == 0 && matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            self.found.extend(place(expr, self.relations));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if self.is_aggregate(expr) {
            self.aside -= 1;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::functions;
    use crate::syntax::link::parse_text;
    use arrow::datatypes::{DataType, Field, Schema};
    use datafusion::logical_expr::logical_plan::builder::LogicalTableSource;

    fn completed(sql: &str) -> String {
        let schema = |columns: &[&str]| {
            let field = |name: &&str| Field::new(*name, DataType::Int64, true);
            Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
        };
        let tables = |name: &str| -> Option<Arc<dyn TableSource>> {
            let columns: &[&str] = match name {
                "t" => &["id", "name", "n"],
                "pairs" => &["a", "b", "c"],
                _ => return None,
            };
            Some(Arc::new(LogicalTableSource::new(schema(columns))))
        };
        let key = |name: &str| {
            let key: &[&str] = if name == "t" { &["id"] } else { &["a", "b"] };
            key.iter().map(|column| (*column).to_owned()).collect::<Vec<String>>()
        };
        let mut statement = parse_text(sql, &|_| None).unwrap();
        complete_groups(
            &mut statement,
            Known { tables: &tables, keys: Keys::Declared(&key), functions: functions::all() },
        );
        statement.to_string()
    }

    #[track_caller]
    fn becomes(sql: &str, added: &str) {
        let (before, behind) = sql.split_once('|').unwrap();
        assert_eq!(completed(&format!("{before}{behind}")), format!("{before}{added}{behind}"));
    }

    #[test]
    fn columns_beside_a_key_are_grouped_by() {
        becomes("SELECT id, name, count(n) FROM t GROUP BY id|", ", t.\"name\"");
        becomes("SELECT x.name FROM t AS x GROUP BY x.id| ORDER BY x.n", ", x.\"n\", x.\"name\"");
        becomes("SELECT id, sum(n) FROM t GROUP BY 1| HAVING max(n) > 1 AND name > 2", ", t.\"name\"");
        becomes("SELECT c FROM pairs GROUP BY a, b|", ", pairs.\"c\"");
        becomes("SELECT t.*, count(*) FROM t GROUP BY id|", ", t.\"n\", t.\"name\"");
        becomes("SELECT rank() OVER (ORDER BY name) FROM t GROUP BY id|", ", t.\"name\"");
    }

    #[test]
    fn what_belongs_to_no_key_stays() {
        becomes("SELECT name, count(n) FROM t GROUP BY n|", "");
        becomes("SELECT c FROM pairs GROUP BY a|", "");
        becomes("SELECT id, count(n) AS n FROM t GROUP BY id| ORDER BY n", "");
        becomes("WITH t AS (SELECT 1 AS id, 2 AS name) SELECT name FROM t GROUP BY id|", "");
        becomes("SELECT u.name FROM t JOIN t AS u ON t.id = u.n GROUP BY t.id|", "");
        becomes("SELECT name FROM t AS x (name, id) GROUP BY id|", "");
    }
}
