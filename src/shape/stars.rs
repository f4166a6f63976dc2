//! The `*` that make columns of the result.
//!
//! A star over a common table expression or a subquery stands for the stars in there: what is listed by name inside is
//! listed by name outside.

use super::projection;
use crate::diagnostic::codes::ColumnList;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{exposed_name, joined_name, last_part, normalized, place};
use crate::syntax::lexer::Lexed;
use sqlparser::ast::{
    ObjectName, Query, Select, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, Statement,
    TableFactor, TableWithJoins, WildcardAdditionalOptions,
};

/// A `*` or `t.*` over a table or another query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Star {
    /// Where it stands, with what it leaves out.
    pub span: Span,
    /// The tables and queries.
    pub tables: Vec<String>,
    /// How the names of the columns take its place, where it is all that the statement selects.
    pub list: Option<ColumnList>,
}

/// Every star over a table or another query whose columns the statement returns.
pub(super) fn find(statement: &Statement, file: &SourceFile, tokens: &[Lexed]) -> Vec<Star> {
    let Statement::Query(query) = statement else { return Vec::new() };
    let result = query.body.as_select();
    let mut search = Search { file, tokens, result, tables: Vec::new(), seen: Vec::new(), found: Vec::new() };
    search.query(query);
    search.found
}

/// How the columns of the result can be written instead of its only item.
fn column_list(select: &Select) -> Option<ColumnList> {
    match select.projection.as_slice() {
        [] if is_bare(select) => Some(ColumnList::BeforeFrom),
        [SelectItem::Wildcard(options)] if keeps_columns(options) => Some(ColumnList::Plain),
        [SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), options)]
            if keeps_columns(options) =>
        {
            match name.0.as_slice() {
                [table] => table.as_ident().map(|table| ColumnList::Of(normalized(table))),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `FROM t`, which selects all of it.
fn is_bare(select: &Select) -> bool {
    select.flavor == SelectFlavor::FromFirstNoSelect
}

/// Whether the columns of a star are columns of its tables, under their own names.
fn keeps_columns(options: &WildcardAdditionalOptions) -> bool {
    options.opt_replace.is_none() && options.opt_rename.is_none() && options.opt_alias.is_none()
}

/// A common table expression in sight.
struct Common<'a> {
    name: String,
    body: &'a Query,
    recursive: bool,
}

struct Search<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexed],
    /// The SELECT whose columns are those of the result.
    result: Option<&'a Select>,
    tables: Vec<Common<'a>>,
    /// The queries that were searched, by their addresses, which are never followed: each once, and a recursive one
    /// comes to an end.
    seen: Vec<*const Query>,
    found: Vec<Star>,
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
        if is_bare(select) {
            self.star(select, None, place(self.file, select.select_token.0.span));
        }
        if !select.projection.iter().any(|item| star_table(item).is_some()) {
            return;
        }
        let spans = projection::items(select, self.file, self.tokens);
        for (item, span) in select.projection.iter().zip(spans) {
            if let Some(table) = star_table(item) {
                self.star(select, table.as_deref(), span);
            }
        }
    }

    /// Looks at all that a star stands for; `table` is the name in front of it.
    fn star(&mut self, select: &'a Select, table: Option<&str>, span: Span) {
        let mut factors = Vec::new();
        collect(&select.from, &mut factors);
        factors.retain(|factor| table.is_none() || exposed_name(factor).as_deref() == table);
        let mut tables = Vec::new();
        for factor in factors {
            match factor {
                TableFactor::Derived { subquery, .. } => self.query(subquery),
                TableFactor::Table { name, args: None, .. } => match self.common(name) {
                    Some(at) => self.follow(at),
                    None => tables.extend(joined_name(name)),
                },
                _ => {}
            }
        }
        if !tables.is_empty() {
            let is_result = self.result.is_some_and(|result| std::ptr::eq(result, select));
            let list = if is_result { column_list(select) } else { None };
            self.found.push(Star { span, tables, list });
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

/// The name in front of a star, if there is one; nothing for what is no star.
fn star_table(item: &SelectItem) -> Option<Option<String>> {
    match item {
        SelectItem::Wildcard(_) => Some(None),
        SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(name), _) => Some(last_part(name)),
        _ => None,
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
