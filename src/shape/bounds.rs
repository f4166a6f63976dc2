//! What a query's LIMIT, OFFSET, FETCH and ORDER BY say by themselves.

use super::calls::{is_distinct, is_grouped};
use super::operands::operand;
use crate::source::{SourceFile, Span};
use crate::syntax::ast::{exposed_name, normalized, place};
use crate::syntax::lexer::Lexed;
use sqlparser::ast::{Expr, LimitClause, OrderBy, OrderByKind, Query, SelectItem, SetExpr, Spanned as _, Value};
use sqlparser::keywords::Keyword;

/// What bounds and orders the rows of one query.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Whether it takes only so many of its rows; an OFFSET alone takes all that are left.
    pub has_limit: bool,
    /// Whether it takes one row at the most.
    pub is_one: bool,
    /// What tells how many it takes.
    pub count: Count,
    /// The clause that cuts its rows.
    pub cut: Option<Span>,
    /// Whether it has an ORDER BY itself.
    pub is_sorted: bool,
    /// Whether its rows have an order: one of its own, that of the query in its brackets, or the one that VALUES writes.
    pub has_order: bool,
    /// Its ORDER BY, where it cuts rows by plain columns of one table.
    pub sorted: Option<Sorted>,
}

/// What tells how many rows a query takes.
#[derive(Debug)]
pub(super) enum Count {
    /// Nothing.
    Nothing,
    /// A number at every call.
    Always,
    /// A number, unless a placeholder is NULL: those, by their positions.
    Unless(Vec<usize>),
}

/// An ORDER BY of plain columns of a SELECT over one table.
#[derive(Debug)]
pub(super) struct Sorted {
    /// The columns.
    pub columns: Vec<String>,
    /// The names that mean something else than a column of the table in the ORDER BY.
    pub taken: Vec<String>,
    /// Where it ends.
    pub end: Span,
}

impl Bounds {
    pub(super) fn of(query: &Query, file: &SourceFile, tokens: &[Lexed]) -> Bounds {
        let is_cut = query.limit_clause.is_some() || query.fetch.is_some();
        let cut = is_cut.then(|| clause(query, file, tokens));
        Bounds {
            has_limit: row_count(query).is_some() || query.fetch.is_some(),
            is_one: is_one(query),
            count: count(query),
            cut,
            is_sorted: query.order_by.is_some(),
            has_order: has_order(query),
            sorted: cut.zip(query.order_by.as_ref()).and_then(|(cut, by)| sorted(query, by, cut, tokens)),
        }
    }
}

/// The place of the expressions that a query is sorted by.
pub(super) fn order_of(query: &Query, file: &SourceFile) -> Option<Span> {
    let OrderByKind::Expressions(keys) = &query.order_by.as_ref()?.kind else { return None };
    let written = keys.iter().map(|key| key.expr.span()).filter(|span| span.start.line > 0);
    written.map(|span| place(file, span)).reduce(Span::to)
}

fn count(query: &Query) -> Count {
    match row_count(query) {
        Some(count) if is_null(count) => Count::Nothing,
        Some(count) => match operand(count) {
            always if always.is_empty() => Count::Always,
            absent => Count::Unless(absent),
        },
        // FETCH FIRST ROW ONLY.
        None if query.fetch.is_some() => Count::Always,
        None => Count::Nothing,
    }
}

fn sorted(query: &Query, order_by: &OrderBy, cut: Span, tokens: &[Lexed]) -> Option<Sorted> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let OrderByKind::Expressions(written) = &order_by.kind else { return None };
    let [from] = select.from.as_slice() else { return None };
    if is_grouped(select) || is_distinct(select) {
        return None;
    }
    let outputs = Outputs { items: &select.projection, table: exposed_name(&from.relation)? };
    let columns = written.iter().map(|item| outputs.sorted(&item.expr)).collect::<Option<Vec<String>>>()?;
    let end = tokens.iter().rev().find(|token| token.span.end <= cut.start)?.span.after();
    Some(Sorted { columns, taken: outputs.taken(), end })
}

/// From the keyword to the last number; the parser keeps the places of the numbers only.
fn clause(query: &Query, file: &SourceFile, tokens: &[Lexed]) -> Span {
    let limit = query.limit_clause.iter().map(|clause| clause.span());
    let fetch = query.fetch.iter().map(|clause| clause.span());
    let written = limit.chain(fetch).filter(|span| span.start.line > 0);
    let numbers = written.map(|span| place(file, span)).reduce(Span::to);
    let before = |token: &&Lexed| numbers.is_none_or(|numbers| token.span.end <= numbers.start);
    let keywords = [Keyword::LIMIT, Keyword::OFFSET, Keyword::FETCH];
    let is_keyword = |token: &&Lexed| keywords.iter().any(|keyword| token.is_keyword(*keyword));
    let keyword = tokens.iter().rev().filter(is_keyword).find(before).map(|token| token.span);
    match (keyword, numbers) {
        (Some(keyword), Some(numbers)) => keyword.to(numbers),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => file.whole().before(),
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
