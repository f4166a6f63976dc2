//! The `*` that make columns of the result.
//!
//! A star over a common table expression or a subquery stands for the stars in there: what is listed by name inside is
//! listed by name outside.

use super::statement::{normalized, place};
use crate::source::{SourceFile, Span};
use sqlparser::ast::{
    ObjectName, Query, Select, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, Spanned as _,
    Statement, TableFactor, TableWithJoins, WildcardAdditionalOptions,
};

/// A `*` or `t.*` over a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Star {
    /// Where it stands.
    pub span: Span,
    /// Whether it is all that the statement selects: then its columns are those of the result.
    pub alone: bool,
}

/// Every star over a table whose columns the statement returns.
pub(super) fn find(statement: &Statement, file: &SourceFile) -> Vec<Star> {
    let Statement::Query(query) = statement else { return Vec::new() };
    let mut search = Search { file, tables: Vec::new(), seen: Vec::new(), found: Vec::new() };
    search.query(query);
    let alone = only_star(&query.body).map(|star| place(file, star.span()));
    search.found.into_iter().map(|span| Star { span, alone: alone == Some(span) }).collect()
}

/// The item, where it is the only one and plain. (Where the star's token stands does not tell two options apart.)
fn only_star(body: &SetExpr) -> Option<&SelectItem> {
    let select = body.as_select().filter(|select| select.exclude.is_none())?;
    match select.projection.as_slice() {
        [item @ SelectItem::Wildcard(options)] if *options == WildcardAdditionalOptions::default() => Some(item),
        _ => None,
    }
}

/// A common table expression in sight.
struct Common<'a> {
    name: String,
    body: &'a Query,
    recursive: bool,
}

struct Search<'a> {
    file: &'a SourceFile,
    tables: Vec<Common<'a>>,
    /// The queries that were searched, by their addresses, which are never followed: each once, and a recursive one
    /// comes to an end.
    seen: Vec<*const Query>,
    found: Vec<Span>,
}

impl<'a> Search<'a> {
    fn query(&mut self, query: &'a Query) {
        if self.seen.iter().any(|known| std::ptr::eq(*known, query)) {
            return;
        }
        self.seen.push(std::ptr::from_ref(query));
        let visible = self.tables.len();
        if let Some(with) = &query.with {
            self.tables.extend(with.cte_tables.iter().map(|table| Common {
                name: normalized(&table.alias.name),
                body: &table.query,
                recursive: with.recursive,
            }));
        }
        self.body(&query.body);
        self.tables.truncate(visible);
    }

    fn body(&mut self, body: &'a SetExpr) {
        match body {
            SetExpr::Select(select) => self.select(select),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, right, .. } => {
                self.body(left);
                self.body(right);
            }
            _ => {}
        }
    }

    fn select(&mut self, select: &'a Select) {
        if select.flavor == SelectFlavor::FromFirstNoSelect {
            self.star(select, None, place(self.file, select.select_token.0.span));
        }
        for item in &select.projection {
            let table = match item {
                SelectItem::Wildcard(_) => None,
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => last_part(name),
                _ => continue,
            };
            self.star(select, table.as_deref(), place(self.file, item.span()));
        }
    }

    /// Looks at all that a star stands for; `table` is the name in front of it.
    fn star(&mut self, select: &'a Select, table: Option<&str>, span: Span) {
        let mut factors = Vec::new();
        collect(&select.from, &mut factors);
        factors.retain(|factor| table.is_none() || exposed_name(factor).as_deref() == table);
        let mut over_a_table = false;
        for factor in factors {
            match factor {
                TableFactor::Derived { subquery, .. } => self.query(subquery),
                TableFactor::Table { name, args: None, .. } => match self.common(name) {
                    Some(at) => self.follow(at),
                    None => over_a_table = true,
                },
                _ => {}
            }
        }
        if over_a_table {
            self.found.push(span);
        }
    }

    fn common(&self, name: &ObjectName) -> Option<usize> {
        let [part] = name.0.as_slice() else { return None };
        let name = normalized(part.as_ident()?);
        self.tables.iter().rposition(|table| table.name == name)
    }

    /// Searches a common table expression, which sees those before it, and itself where it is recursive.
    fn follow(&mut self, at: usize) {
        let Some(table) = self.tables.get(at) else { return };
        let (body, visible) = (table.body, at + usize::from(table.recursive));
        let hidden = self.tables.split_off(visible);
        self.query(body);
        self.tables.extend(hidden);
    }
}

/// The tables of a FROM, those in brackets too.
fn collect<'a>(tables: &'a [TableWithJoins], factors: &mut Vec<&'a TableFactor>) {
    for table in tables {
        for factor in std::iter::once(&table.relation).chain(table.joins.iter().map(|join| &join.relation)) {
            match factor {
                TableFactor::NestedJoin { table_with_joins, .. } => {
                    collect(std::slice::from_ref(table_with_joins.as_ref()), factors);
                }
                other => factors.push(other),
            }
        }
    }
}

/// The name that columns of a table may have in front.
fn exposed_name(factor: &TableFactor) -> Option<String> {
    match factor {
        TableFactor::Table { alias: Some(alias), .. } | TableFactor::Derived { alias: Some(alias), .. } => {
            Some(normalized(&alias.name))
        }
        TableFactor::Table { name, .. } => last_part(name),
        _ => None,
    }
}

fn last_part(name: &ObjectName) -> Option<String> {
    name.0.last()?.as_ident().map(normalized)
}
