//! Where the items of a SELECT stand, as long as they are written, and which of them have no name.

use super::extent::Extents;
use crate::source::Span;
use crate::syntax::ast::{last_part, normalized, place};
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart, Select, SelectItem, SetExpr,
    Spanned as _, Statement,
};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::ops::Range;

/// An expression of the result that has no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnamed {
    /// Where it stands.
    pub span: Span,
    /// A name that would do.
    pub name: Option<String>,
    /// Whether something is taken apart: the fields of a record have names of their own.
    pub is_unnested: bool,
}

/// The places of a SELECT's items, in order.
pub(super) fn items(select: &Select, extents: &Extents<'_>) -> Vec<Span> {
    let exact = ranges(select, extents).unwrap_or_default();
    let mut exact = exact.iter().map(|range| extents.span(range));
    let span_of = |item: &SelectItem| {
        let known = place(extents.file, item.span());
        // Where the parser keeps no place of an item, nobody knows where the next begins.
        exact.next().flatten().unwrap_or(known)
    };
    select.projection.iter().map(span_of).collect()
}

/// The tokens of each item.
fn ranges(select: &Select, extents: &Extents<'_>) -> Option<Vec<Range<usize>>> {
    let word = extents.first_at(select.select_token.0.span)?;
    let mut start = behind_quantifier(word + 1, extents);
    let end = extents.end(last(select.projection.last()?, extents)?, extents.level(word))?;
    let mut found = Vec::new();
    for next in select.projection.iter().skip(1) {
        let is_comma = |at: usize| extents.token(at) == Some(&Token::Comma);
        let comma = extents.before(first(next, extents)?, &(start..end), is_comma)?;
        found.push(start..comma);
        start = comma + 1;
    }
    found.push(start..end);
    Some(found)
}

fn first(item: &SelectItem, extents: &Extents<'_>) -> Option<usize> {
    match item {
        SelectItem::UnnamedExpr(expr)
        | SelectItem::ExprWithAlias { expr, .. }
        | SelectItem::ExprWithAliases { expr, .. } => extents.first(expr),
        SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => extents.first_at(item.span()),
    }
}

fn last(item: &SelectItem, extents: &Extents<'_>) -> Option<usize> {
    match item {
        SelectItem::UnnamedExpr(expr) => extents.last(expr),
        _ => extents.last_at(item.span()),
    }
}

/// The expressions of the result that have no name. Of a set operation the first query names the columns.
pub(super) fn find(statement: &Statement, extents: &Extents<'_>) -> Vec<Unnamed> {
    let Statement::Query(query) = statement else { return Vec::new() };
    let mut body = query.body.as_ref();
    loop {
        match body {
            SetExpr::Select(select) => return unnamed(select, &items(select, extents)),
            SetExpr::Query(query) => body = &query.body,
            SetExpr::SetOperation { left, .. } => body = left,
            _ => return Vec::new(),
        }
    }
}

/// The expressions of a SELECT that have no name. `spans` are the places of its items.
fn unnamed(select: &Select, spans: &[Span]) -> Vec<Unnamed> {
    let names: Vec<Option<String>> = select.projection.iter().map(name).collect();
    let is_free = |name: &String| names.iter().flatten().filter(|other| *other == name).count() == 1;
    // Nobody knows here which names are behind a star.
    let has_star = names.contains(&None);
    let items = select.projection.iter().zip(&names).zip(spans);
    let unnamed = items.filter(|((item, _), _)| is_unnamed(item));
    let of_item = |((item, name), span): ((&SelectItem, &Option<String>), &Span)| Unnamed {
        span: *span,
        is_unnested: is_unnested(item),
        name: name.clone().filter(|name| !has_star && !name.is_empty() && is_free(name)),
    };
    unnamed.map(of_item).collect()
}

fn is_unnamed(item: &SelectItem) -> bool {
    match item {
        SelectItem::UnnamedExpr(expr) => !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)),
        _ => false,
    }
}

fn is_unnested(item: &SelectItem) -> bool {
    matches!(item, SelectItem::UnnamedExpr(Expr::Function(call)) if last_part(&call.name).as_deref() == Some("unnest"))
}

/// The name that an item has or could have, empty where there is none; nothing for a star.
fn name(item: &SelectItem) -> Option<String> {
    match item {
        SelectItem::ExprWithAlias { alias, .. } => Some(normalized(alias)),
        SelectItem::UnnamedExpr(expr) => {
            Some(column(expr).map(normalized).or_else(|| called(expr)).unwrap_or_default())
        }
        SelectItem::ExprWithAliases { .. } | SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => None,
    }
}

fn column(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Identifier(column) => Some(column),
        Expr::CompoundIdentifier(parts) => parts.last(),
        _ => None,
    }
}

/// `count` for `count(*)`, `sum_price` for `sum(price)`.
fn called(expr: &Expr) -> Option<String> {
    let Expr::Function(function) = expr else { return None };
    let ([ObjectNamePart::Identifier(name)], FunctionArguments::List(list)) =
        (function.name.0.as_slice(), &function.args)
    else {
        return None;
    };
    let is_plain = function.filter.is_none()
        && function.over.is_none()
        && function.null_treatment.is_none()
        && function.within_group.is_empty()
        && list.duplicate_treatment.is_none()
        && list.clauses.is_empty();
    let name = normalized(name);
    let suggested = match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => name,
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => format!("{name}_{}", normalized(column(argument)?)),
        _ => return None,
    };
    let is_word = suggested.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    (is_plain && is_word).then_some(suggested)
}

/// The token behind ALL, DISTINCT or DISTINCT ON (…), if there is one at a place.
fn behind_quantifier(at: usize, extents: &Extents<'_>) -> usize {
    match (extents.keyword(at), extents.keyword(at + 1)) {
        (Some(Keyword::DISTINCT), Some(Keyword::ON)) => extents.pair(at + 2).map_or(at + 2, |close| close + 1),
        (Some(Keyword::DISTINCT | Keyword::ALL), _) => at + 1,
        _ => at,
    }
}
