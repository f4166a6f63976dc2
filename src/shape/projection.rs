//! Where the items of a SELECT stand, as long as they are written, and which of them have no name.
//!
//! The parser's places leave out brackets: `count(*)` is `count` there. Between the commas of the tokens nothing is lost.

use crate::source::{SourceFile, Span};
use crate::syntax::ast::{begins_clause, normalized, place};
use crate::syntax::lexer::Lexed;
use sqlparser::ast::{
    Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, ObjectNamePart, Select, SelectItem, SetExpr,
    Spanned as _, Statement,
};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// An expression of the result that has no name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unnamed {
    /// Where it stands.
    pub span: Span,
    /// A name that would do.
    pub name: Option<String>,
}

/// The places of a SELECT's items, in order.
pub(super) fn items(select: &Select, file: &SourceFile, tokens: &[Lexed]) -> Vec<Span> {
    let begin = place(file, select.select_token.0.span);
    let start = tokens.iter().position(|token| token.span == begin).map_or(tokens.len(), |at| at + 1);
    let behind = tokens.get(start..).unwrap_or_default();
    let mut written = between_commas(behind.get(quantifier(behind)..).unwrap_or_default()).into_iter();
    let span_of = |item: &SelectItem| {
        let known = place(file, item.span());
        // Where the tokens were not understood, the parser knows better; where it keeps no place, it does not.
        let holds = |span: &Span| known.start == known.end || (span.start <= known.start && known.end <= span.end);
        written.next().flatten().filter(holds).unwrap_or(known)
    };
    select.projection.iter().map(span_of).collect()
}

/// The expressions of the result that have no name. Of a set operation the first query names the columns.
pub(super) fn find(statement: &Statement, file: &SourceFile, tokens: &[Lexed]) -> Vec<Unnamed> {
    let Statement::Query(query) = statement else { return Vec::new() };
    let mut body = query.body.as_ref();
    loop {
        match body {
            SetExpr::Select(select) => return unnamed(select, &items(select, file, tokens)),
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
    let of_item = |((_, name), span): ((&SelectItem, &Option<String>), &Span)| Unnamed {
        span: *span,
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

/// How many tokens ALL, DISTINCT or DISTINCT ON (…) take.
fn quantifier(tokens: &[Lexed]) -> usize {
    let is = |at: usize, keyword| tokens.get(at).is_some_and(|token: &Lexed| token.is_keyword(keyword));
    if is(0, Keyword::DISTINCT) && is(1, Keyword::ON) {
        let mut depth = 0;
        let close = tokens.iter().skip(2).position(|token| {
            depth += nesting(token);
            depth == 0
        });
        return close.map_or(2, |close| close + 3);
    }
    usize::from(is(0, Keyword::DISTINCT) || is(0, Keyword::ALL))
}

fn nesting(token: &Lexed) -> i32 {
    match token.token {
        Token::LParen | Token::LBracket | Token::LBrace => 1,
        Token::RParen | Token::RBracket | Token::RBrace => -1,
        _ => 0,
    }
}

/// The places of what commas separate, up to what ends a list of columns; nothing where nothing stands between two.
fn between_commas(tokens: &[Lexed]) -> Vec<Option<Span>> {
    let mut found = Vec::new();
    let (mut depth, mut first, mut last) = (0, None, None);
    let mut before: Option<&Lexed> = None;
    for token in tokens {
        let step = nesting(token);
        if depth == 0 && (step < 0 || token.token == Token::SemiColon || ends_items(token, before)) {
            break;
        }
        depth += step;
        before = Some(token);
        if depth == 0 && token.token == Token::Comma {
            found.push(extent(first.take(), last));
        } else {
            first = first.or(Some(token.span));
            last = Some(token.span);
        }
    }
    found.push(extent(first, last));
    found
}

fn extent(first: Option<Span>, last: Option<Span>) -> Option<Span> {
    Some(first?.to(last?))
}

/// Whether a word ends a list of columns; behind a dot it is a name, and behind a star EXCEPT leaves out columns.
fn ends_items(token: &Lexed, before: Option<&Lexed>) -> bool {
    let Token::Word(word) = &token.token else { return false };
    let before = before.map(|before| &before.token);
    match word.keyword {
        _ if word.quote_style.is_some() || before == Some(&Token::Period) => false,
        Keyword::EXCEPT => before != Some(&Token::Mul),
        keyword => begins_clause(keyword),
    }
}
