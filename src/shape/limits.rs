//! What bounds the rows of a query, and in which order they are cut: LIMIT, OFFSET and FETCH.

use super::calls::{is_distinct, is_grouped};
use super::comparisons::operand;
use super::rows::{self, Known, Relation, RowSource, Rows};
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{exposed_name, normalized, place};
use crate::syntax::lexer::Lexed;
use crate::syntax::scopes::Scopes;
use sqlparser::ast::{
    Expr, LimitClause, OrderBy, OrderByKind, Query, Select, SelectItem, SetExpr, Spanned as _, Statement, Value, Visit,
    Visitor,
};
use sqlparser::keywords::Keyword;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A LIMIT, OFFSET or FETCH whose rows may be chance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The clause.
    pub span: Span,
    /// How many rows there are to cut at the most.
    pub rows: Rows,
    /// The columns that the rows are sorted by; `None` where there is no ORDER BY.
    pub order: Option<Order>,
}

/// An ORDER BY of plain columns of one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The table or query.
    pub table: String,
    /// Its columns that tell rows apart: those that are sorted by, and those that have one value.
    pub columns: Vec<String>,
    /// The names that mean something else than a column of the table in the ORDER BY.
    pub taken: Vec<String>,
    /// Where it ends.
    pub end: Span,
}

/// A SELECT of the result that no LIMIT bounds at every call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unbounded {
    /// How many rows it has at the most.
    pub rows: Rows,
    /// The LIMITs that bound it unless a placeholder is NULL: those placeholders, by their positions in
    /// [`crate::syntax::ParsedQuery::placeholders`].
    pub limits: Vec<Vec<usize>>,
}

/// What a statement's clauses say of the number of its rows.
#[derive(Default)]
pub(super) struct Limits {
    pub cuts: Vec<Cut>,
    /// What the result is sorted by.
    pub order: Option<Span>,
    pub unbounded: Vec<Unbounded>,
    pub rows: Option<Rows>,
}

/// Every cut of a statement, and what bounds its result. What EXISTS asks for has no order: any row will do.
pub(super) fn find(statement: &Statement, file: &SourceFile, tokens: &[Lexed]) -> Limits {
    let Statement::Query(query) = statement else { return Limits::default() };
    let mut search = Search {
        file,
        tokens,
        scopes: Scopes::default(),
        names: Vec::new(),
        exists: Vec::new(),
        selects: HashMap::new(),
        queries: HashMap::new(),
        cuts: Vec::new(),
    };
    let _ = statement.visit(&mut search);
    let mut unbounded = Vec::new();
    search.unbounded_of(query, &[], &mut unbounded);
    let rows = search.queries.remove(&std::ptr::from_ref(query.as_ref()));
    Limits { cuts: search.cuts, order: order_of(query, file), unbounded, rows }
}

/// The place of the expressions that a query is sorted by.
fn order_of(query: &Query, file: &SourceFile) -> Option<Span> {
    let OrderByKind::Expressions(keys) = &query.order_by.as_ref()?.kind else { return None };
    let written = keys.iter().map(|key| key.expr.span()).filter(|span| span.start.line > 0);
    written.map(|span| place(file, span)).reduce(Span::to)
}

struct Search<'a> {
    file: &'a SourceFile,
    tokens: &'a [Lexed],
    scopes: Scopes,
    /// The names of the tables of every SELECT that is open.
    names: Vec<Vec<String>>,
    /// The queries of EXISTS. The address of one tells it apart; it is never followed. So in all of these.
    exists: Vec<*const Query>,
    selects: HashMap<*const Select, Rows>,
    queries: HashMap<*const Query, Rows>,
    cuts: Vec<Cut>,
}

impl Visitor for Search<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.scopes.enter(query);
        ControlFlow::Continue(())
    }

    /// Inside out: what a query reads was looked at.
    fn post_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let rows = self.rows_in(&query.body);
        let any_will_do = self.exists.iter().any(|known| std::ptr::eq(*known, query));
        if (query.limit_clause.is_some() || query.fetch.is_some()) && !any_will_do {
            let found = self.cut(query, rows.clone());
            self.cuts.extend(found);
        }
        let rows = if is_one(query) { Rows::One } else { rows };
        self.queries.insert(std::ptr::from_ref(query), rows);
        self.scopes.leave();
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.names.push(rows::exposed_names(select));
        ControlFlow::Continue(())
    }

    fn post_visit_select(&mut self, select: &Select) -> ControlFlow<()> {
        self.names.pop();
        let known = Known { scopes: &self.scopes, queries: &self.queries, outer: &self.names };
        let rows = rows::of_select(select, &known);
        self.selects.insert(std::ptr::from_ref(select), rows);
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if let Expr::Exists { subquery, .. } = expr {
            self.exists.push(std::ptr::from_ref(subquery.as_ref()));
        }
        ControlFlow::Continue(())
    }
}

impl Search<'_> {
    fn rows_in(&self, body: &SetExpr) -> Rows {
        let known = match body {
            SetExpr::Select(select) => self.selects.get(&std::ptr::from_ref(select.as_ref())),
            SetExpr::Query(query) => self.queries.get(&std::ptr::from_ref(query.as_ref())),
            _ => None,
        };
        known.cloned().unwrap_or(Rows::Many)
    }

    /// The cut of a query, where its rows are in no order, or in one that is known by its columns.
    fn cut(&self, query: &Query, rows: Rows) -> Option<Cut> {
        let span = self.clause(query);
        match &query.order_by {
            None if has_order(query) => None,
            None => Some(Cut { span, rows, order: None }),
            Some(order_by) => {
                let order = self.order(query, order_by, &rows, span)?;
                Some(Cut { span, rows, order: Some(order) })
            }
        }
    }

    fn order(&self, query: &Query, order_by: &OrderBy, rows: &Rows, clause: Span) -> Option<Order> {
        let SetExpr::Select(select) = query.body.as_ref() else { return None };
        let (OrderByKind::Expressions(written), Rows::Select { sources, .. }) = (&order_by.kind, rows) else {
            return None;
        };
        let ([source], [from]) = (sources.as_slice(), select.from.as_slice()) else { return None };
        let RowSource { relation: Relation::Named(table), pins } = source else { return None };
        if is_grouped(select) || is_distinct(select) {
            return None;
        }
        let outputs = Outputs { items: &select.projection, table: exposed_name(&from.relation)? };
        let mut columns = written.iter().map(|item| outputs.sorted(&item.expr)).collect::<Option<Vec<String>>>()?;
        columns.extend(pins.iter().filter(|pin| pin.by.is_empty()).map(|pin| pin.column.clone()));
        let end = self.tokens.iter().rev().find(|token| token.span.end <= clause.start)?.span.after();
        Some(Order { table: table.clone(), columns, taken: outputs.taken(), end })
    }

    /// From the keyword to the last number; the parser keeps the places of the numbers only.
    fn clause(&self, query: &Query) -> Span {
        let limit = query.limit_clause.iter().map(|clause| clause.span());
        let fetch = query.fetch.iter().map(|clause| clause.span());
        let written = limit.chain(fetch).filter(|span| span.start.line > 0);
        let numbers = written.map(|span| place(self.file, span)).reduce(Span::to);
        let before = |token: &&Lexed| numbers.is_none_or(|numbers| token.span.end <= numbers.start);
        let keywords = [Keyword::LIMIT, Keyword::OFFSET, Keyword::FETCH];
        let is_keyword = |token: &&Lexed| keywords.iter().any(|keyword| token.is_keyword(*keyword));
        let keyword = self.tokens.iter().rev().filter(is_keyword).find(before).map(|token| token.span);
        match (keyword, numbers) {
            (Some(keyword), Some(numbers)) => keyword.to(numbers),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.file.whole().before(),
        }
    }

    /// The SELECTs of the result that no LIMIT or FETCH bounds. `limits` are those around.
    fn unbounded_of(&self, query: &Query, limits: &[Vec<usize>], found: &mut Vec<Unbounded>) {
        let mut limits = limits.to_vec();
        match row_count(query) {
            Some(count) if is_null(count) => {}
            Some(count) => match operand(count) {
                always if always.is_empty() => return,
                absent => limits.push(absent),
            },
            // FETCH FIRST ROW ONLY.
            None if query.fetch.is_some() => return,
            None => {}
        }
        self.unbounded_in(&query.body, &limits, found);
    }

    fn unbounded_in(&self, body: &SetExpr, limits: &[Vec<usize>], found: &mut Vec<Unbounded>) {
        match body {
            // What has no FROM is bounded by what is written.
            SetExpr::Select(select) if select.from.is_empty() => {}
            SetExpr::Select(_) | SetExpr::Table(_) => {
                found.push(Unbounded { rows: self.rows_in(body), limits: limits.to_vec() });
            }
            SetExpr::Query(query) => self.unbounded_of(query, limits, found),
            SetExpr::SetOperation { left, right, .. } => {
                self.unbounded_in(left, limits, found);
                self.unbounded_in(right, limits, found);
            }
            _ => {}
        }
    }
}

/// The columns of a SELECT over one table, as its ORDER BY may name them.
struct Outputs<'a> {
    items: &'a [SelectItem],
    /// The name that columns may have in front.
    table: String,
}

impl Outputs<'_> {
    /// The table's column that is sorted by, where it is one.
    fn sorted(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Nested(inner) => self.sorted(inner),
            Expr::Identifier(name) => {
                let name = normalized(name);
                match self.alias(&name) {
                    Some(expr) => self.column(expr),
                    None => Some(name),
                }
            }
            Expr::Value(value) => {
                let Value::Number(number, _) = &value.value else { return None };
                let at = number.parse::<usize>().ok()?.checked_sub(1)?;
                match self.items.get(at)? {
                    // Behind a star, nobody knows where a column stands.
                    _ if self.items.iter().take(at).any(is_star) => None,
                    SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => self.column(expr),
                    _ => None,
                }
            }
            other => self.column(other),
        }
    }

    /// The expression that an alias names.
    fn alias(&self, name: &str) -> Option<&Expr> {
        self.items.iter().find_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } if normalized(alias) == name => Some(expr),
            _ => None,
        })
    }

    /// A plain column of the table.
    fn column(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Nested(inner) => self.column(inner),
            Expr::Identifier(column) => Some(normalized(column)),
            Expr::CompoundIdentifier(parts) => match parts.as_slice() {
                [table, column] if normalized(table) == self.table => Some(normalized(column)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The aliases of what is not the column of that name.
    fn taken(&self) -> Vec<String> {
        let taken = self.items.iter().filter_map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => {
                Some(normalized(alias)).filter(|alias| self.column(expr).as_ref() != Some(alias))
            }
            _ => None,
        });
        taken.collect()
    }
}

fn is_star(item: &SelectItem) -> bool {
    matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..))
}

/// The number of rows behind LIMIT or FETCH.
fn row_count(query: &Query) -> Option<&Expr> {
    let limit = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, .. }) => limit.as_ref(),
        Some(LimitClause::OffsetCommaLimit { limit, .. }) => Some(limit),
        None => None,
    };
    limit.or_else(|| query.fetch.as_ref()?.quantity.as_ref())
}

/// Whether a query takes only so many of its rows; an OFFSET alone takes all that are left.
pub(super) fn has_limit(query: &Query) -> bool {
    row_count(query).is_some() || query.fetch.is_some()
}

fn is_null(count: &Expr) -> bool {
    matches!(count, Expr::Value(value) if value.value == Value::Null)
}

/// Whether LIMIT or FETCH takes one row at the most.
fn is_one(query: &Query) -> bool {
    match row_count(query) {
        Some(Expr::Value(value)) => match &value.value {
            Value::Number(number, _) => matches!(number.as_str(), "0" | "1"),
            _ => false,
        },
        Some(_) => false,
        None => query.fetch.as_ref().is_some_and(|fetch| !fetch.with_ties),
    }
}

/// Whether its rows have an order: one of its own, that of the query in its brackets, or the one that VALUES writes.
fn has_order(query: &Query) -> bool {
    query.order_by.is_some()
        || match query.body.as_ref() {
            SetExpr::Query(inner) => has_order(inner),
            SetExpr::Values(_) => true,
            _ => false,
        }
}
