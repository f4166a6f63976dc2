//! What is read off the tokens of a statement in a database's own SQL: that it is one query, where its rows end, what they
//! are sorted by.

use super::dialect;
use crate::catalog::DatabaseKind;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::shown_name;
use crate::source::{SourceFile, Span, Spanned};
use crate::syntax::lexer::Lexed;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use crate::tool::StatementEnd;
use sqlparser::tokenizer::Token;

/// A column that rows are sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderKey {
    /// The name, without what stands before it.
    pub name: String,
    /// Whether a table's name stands before it: then it is no column of the result.
    pub is_qualified: bool,
}

/// The words that change data, or read what no query is to read; where they are names, they stand in quotes.
const WRITES: [&str; 5] = ["INSERT", "UPDATE", "DELETE", "MERGE", "INTO"];

/// Words that a bracket follows though they are no functions.
const NO_FUNCTIONS: [&str; 27] = [
    "IN", "AND", "OR", "NOT", "ON", "WHERE", "USING", "AS", "BETWEEN", "WHEN", "THEN", "ELSE", "CASE", "SELECT",
    "DISTINCT", "FROM", "BY", "LIMIT", "OFFSET", "JOIN", "LIKE", "GLOB", "MATCH", "IS", "HAVING", "FILTER", "ALL",
];

/// The unquoted word that a token is, in capitals. The markers of optional clauses are none.
fn word(token: &Lexed) -> Option<String> {
    match &token.token {
        Token::Word(word)
            if word.quote_style.is_none() && ![OPTIONAL_AND, OPTIONAL_OR].contains(&word.value.as_str()) =>
        {
            Some(word.value.to_uppercase())
        }
        _ => None,
    }
}

/// The words outside of all brackets, with their places among the tokens.
fn outermost(tokens: &[Lexed]) -> Vec<(usize, String)> {
    let mut depth = 0_usize;
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth == 0 => found.extend(word(token).map(|word| (at, word))),
            _ => {}
        }
    }
    found
}

/// Checks that there is one statement and that it only reads; its span, and that of its first word.
pub(super) fn extent(
    file: &SourceFile,
    tokens: &[Lexed],
    kind: DatabaseKind,
    sink: &mut Diagnostics,
) -> Option<(Span, Span)> {
    let mut statements =
        tokens.split(|token| token.token == Token::SemiColon).filter_map(|part| Some((part.first()?, part.last()?)));
    let Some((first, last)) = statements.next() else {
        sink.push(codes::empty_query(file.span(0, 0)));
        return None;
    };
    let errors = sink.errors();
    if let Some((second, _)) = statements.next() {
        sink.push(codes::second_foreign_statement(second.span, first.span));
    }
    // The first of several SELECTs may stand in brackets.
    let head = tokens.iter().find(|token| token.token != Token::LParen).unwrap_or(first);
    let begins = word(head).is_some_and(|word| match word.as_str() {
        "SELECT" | "WITH" | "VALUES" => true,
        "TABLE" => kind == DatabaseKind::Postgres,
        _ => false,
    });
    if !begins {
        sink.push(codes::foreign_statement_begins(head.span, &shown_name(&file.slice(head.span).to_uppercase())));
    } else if let Some((span, what)) = written(tokens) {
        sink.push(codes::foreign_statement_writes(span, &what, dialect::quote(kind)));
    }
    (sink.errors() == errors).then(|| (first.span.to(last.span), head.span))
}

/// Whether there are words that change data.
pub(super) fn is_change(tokens: &[Lexed]) -> bool {
    let begins = |part: &[Lexed]| part.first().and_then(word).is_some_and(|word| word == "REPLACE");
    let is_into = |what: &str| what == "INTO";
    tokens.split(|token| token.token == Token::SemiColon).any(begins)
        || written(tokens).is_some_and(|(_, what)| !is_into(&what))
}

/// The span of all statements, and that of the first word.
pub(super) fn whole(file: &SourceFile, tokens: &[Lexed], sink: &mut Diagnostics) -> Option<(Span, Span)> {
    let is_end = |token: &&Lexed| token.token != Token::SemiColon;
    let (first, last) = (tokens.iter().find(is_end), tokens.iter().rfind(is_end));
    let Some((first, last)) = first.zip(last) else {
        sink.push(codes::empty_query(file.span(0, 0)));
        return None;
    };
    Some((first.span.to(last.span), first.span))
}

/// Reports the first word that changes data in what is to be a query.
pub(super) fn check_reads(tokens: &[Lexed], kind: DatabaseKind, sink: &mut Diagnostics) {
    if let Some((span, what)) = written(tokens) {
        sink.push(codes::foreign_statement_writes(span, &what, dialect::quote(kind)));
    }
}

/// The first word that changes data.
fn written(tokens: &[Lexed]) -> Option<(Span, String)> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let word = word(token).filter(|word| WRITES.contains(&word.as_str()))?;
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        let is_column = before.is_some_and(|before| before.token == Token::Period);
        let is_function = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
        (!is_column && !is_function).then_some((token.span, word))
    })
}

/// What stands in the brackets that tokens begin with; `None` where they begin with none.
fn inside_first(tokens: &[Lexed]) -> Option<&[Lexed]> {
    let (first, behind) = tokens.split_first()?;
    (first.token == Token::LParen).then(|| behind.get(..closed_at(behind))).flatten()
}

/// The same where that is all that the rows are of: none come from another SELECT beside it.
fn only_inside(tokens: &[Lexed]) -> Option<&[Lexed]> {
    let joins = |word: &str| ["UNION", "EXCEPT", "INTERSECT", "MINUS"].contains(&word);
    inside_first(tokens).filter(|_| !outermost(tokens).iter().any(|(_, word)| joins(word)))
}

/// Where the rows end by themselves.
pub(super) fn end(tokens: &[Lexed]) -> StatementEnd {
    let words = outermost(tokens);
    let is_limit = |word: &str| ["LIMIT", "FETCH", "OFFSET"].contains(&word);
    if let Some((at, first)) = words.iter().find(|(_, word)| is_limit(word)) {
        let number = tokens.get(at + 1).and_then(|token| match &token.token {
            Token::Number(digits, _) => digits.parse().ok(),
            _ => None,
        });
        // No second number behind a comma, and no sum of several.
        let is_alone = tokens.get(at + 2).is_none_or(|token| matches!(token.token, Token::Word(_)));
        return match number {
            Some(rows) if first == "LIMIT" && is_alone => StatementEnd::After(rows),
            _ => StatementEnd::Closed,
        };
    }
    // No second limit can be written behind brackets with one in them.
    if let Some(inside) = only_inside(tokens) {
        return end(inside);
    }
    let last = words.iter().rev().find(|(_, word)| word == "SELECT" || word == "VALUES");
    match last {
        // Nothing can be written behind a list of values.
        Some((_, word)) if word == "VALUES" => StatementEnd::Closed,
        _ => StatementEnd::Open,
    }
}

/// What the rows are sorted by, of what is a column and nothing more.
pub(super) fn order(tokens: &[Lexed], kind: DatabaseKind) -> Vec<OrderKey> {
    let words = outermost(tokens);
    let at = words.windows(2).rev().find_map(|pair| match pair {
        [(at, order), (by, word)] if order == "ORDER" && word == "BY" && *by == at + 1 => Some(by + 1),
        _ => None,
    });
    let Some(start) = at else {
        return only_inside(tokens).map_or_else(Vec::new, |inside| order(inside, kind));
    };
    let end = words.iter().find(|(at, word)| *at >= start && ["LIMIT", "OFFSET", "FETCH"].contains(&word.as_str()));
    let list = tokens.get(start..end.map_or(tokens.len(), |(at, _)| *at)).unwrap_or_default();
    items(list).into_iter().filter_map(|item| order_key(item, kind)).collect()
}

fn order_key(item: &[Lexed], kind: DatabaseKind) -> Option<OrderKey> {
    let is_way = |token: &Lexed| {
        word(token).is_some_and(|word| ["ASC", "DESC", "NULLS", "FIRST", "LAST"].contains(&word.as_str()))
    };
    let length = item.iter().skip(1).position(is_way).map_or(item.len(), |at| at + 1);
    column(item.get(..length)?, kind)
}

/// A column that is all of what stands there.
fn column(item: &[Lexed], kind: DatabaseKind) -> Option<OrderKey> {
    let name = |token: &Lexed| match &token.token {
        Token::Word(word) => Some(dialect::name(word, kind)),
        _ => None,
    };
    match item {
        [column] => Some(OrderKey { name: name(column)?, is_qualified: false }),
        [_, point, column] if point.token == Token::Period => {
            Some(OrderKey { name: name(column)?, is_qualified: true })
        }
        _ => None,
    }
}

/// The columns of tables that are shown as they are, under their own names, with their places.
pub(super) fn bare_outputs(tokens: &[Lexed], kind: DatabaseKind) -> Vec<Spanned<String>> {
    let bare = |item: &[Lexed]| {
        let (first, last) = (item.first()?, item.last()?);
        Some(Spanned::new(column(item, kind)?.name, first.span.to(last.span)))
    };
    items(output_list(tokens)).into_iter().filter_map(bare).collect()
}

/// Whether a row of a table may be several of the result: what a function gives may be a set.
pub(super) fn may_multiply(tokens: &[Lexed], chosen: &[&Lexed], kind: DatabaseKind) -> bool {
    let list: Vec<&Lexed> = output_list(tokens).iter().chain(chosen.iter().copied()).collect();
    list.windows(2).any(|pair| match pair {
        [name, open] if open.token == Token::LParen => match &name.token {
            Token::Word(written) => {
                let is_function = word(name).is_none_or(|word| !NO_FUNCTIONS.contains(&word.as_str()));
                is_function && !dialect::gives_one_value(&dialect::name(written, kind), kind)
            }
            _ => false,
        },
        _ => false,
    })
}

/// The functions whose values the columns of the result are, in small letters, from the first on; `None` for what is no call
/// of a function. Behind a `*` nobody can tell which column is which.
pub(super) fn output_calls(tokens: &[Lexed]) -> Vec<Option<String>> {
    let is_star = |item: &&[Lexed]| item.last().is_none_or(|last| last.token != Token::Mul);
    items(output_list(tokens)).into_iter().take_while(is_star).map(output_call).collect()
}

/// What stands between the first SELECT outside of all brackets and what follows its list.
fn output_list(tokens: &[Lexed]) -> &[Lexed] {
    // The first of several SELECTs names the columns.
    if let Some(inside) = inside_first(tokens) {
        return output_list(inside);
    }
    let words = outermost(tokens);
    let Some((start, _)) = words.iter().find(|(_, word)| word == "SELECT") else { return &[] };
    let ends = ["FROM", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW"];
    let end = words.iter().find(|(at, word)| at > start && ends.contains(&word.as_str()));
    tokens.get(start + 1..end.map_or(tokens.len(), |(at, _)| *at)).unwrap_or_default()
}

/// The parts of a list.
fn items(list: &[Lexed]) -> Vec<&[Lexed]> {
    let mut depth = 0_usize;
    let items = list.split(|token| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(token.token, Token::Comma | Token::SemiColon)
    });
    items.collect()
}

/// The function of `count(*) FILTER (WHERE paid) OVER () AS n`, where nothing else is computed with it; `||` where all that is
/// computed is a text of several, and `cast as text` where it is cast.
fn output_call(item: &[Lexed]) -> Option<String> {
    if adds_texts(item) {
        return Some("||".to_owned());
    }
    let name = called(item)?;
    if name != "cast" {
        return Some(name);
    }
    let inside = item.get(2..)?;
    let outer = outermost(inside);
    let (at, _) = outer.iter().rev().find(|(at, word)| word == "AS" && *at < closed_at(inside))?;
    let ty: Vec<String> = inside.get(at + 1..closed_at(inside))?.iter().filter_map(word).collect();
    Some(format!("cast as {}", ty.join(" ").to_lowercase()))
}

/// Where the bracket closes that is open before these tokens.
fn closed_at(tokens: &[Lexed]) -> usize {
    let mut depth = 0_usize;
    let closes = tokens.iter().position(|token| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen if depth == 0 => return true,
            Token::RParen => depth -= 1,
            _ => {}
        }
        false
    });
    closes.unwrap_or(tokens.len())
}

/// Whether an item of the list is texts that are put together, and nothing else: no operator binds stronger.
fn adds_texts(item: &[Lexed]) -> bool {
    let mut depth = 0_usize;
    let mut adds = false;
    for token in item {
        match &token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            Token::StringConcat if depth == 0 => adds = true,
            Token::Word(_) if depth == 0 => match word(token).as_deref() {
                Some("AS") => return adds,
                Some("CASE" | "END" | "ISNULL" | "NOTNULL" | "REGEXP" | "ESCAPE" | "COLLATE") => return false,
                Some(word) if NO_FUNCTIONS.contains(&word) => return false,
                _ => {}
            },
            Token::SingleQuotedString(_) | Token::Number(..) | Token::Period | Token::Placeholder(_) => {}
            _ if depth == 0 => return false,
            _ => {}
        }
    }
    adds
}

/// The function that an item of the list calls, in small letters.
fn called(item: &[Lexed]) -> Option<String> {
    let [name, open, ..] = item else { return None };
    let mut depth = 0_usize;
    for token in item.iter().skip(1) {
        match &token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.checked_sub(1)?,
            Token::Word(_) => {}
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    let outer = outermost(item.get(1..)?);
    let is_of_call = |word: &str| ["FILTER", "OVER", "WINDOW"].contains(&word);
    let others = outer.iter().position(|(_, word)| word == "AS").unwrap_or(outer.len());
    // Behind OVER, a word is the name of a window.
    let names_window =
        |at: usize| at.checked_sub(1).and_then(|at| outer.get(at)).is_some_and(|(_, word)| word == "OVER");
    let is_part = |(at, (_, word)): (usize, &(usize, String))| is_of_call(word) || names_window(at);
    let is_bare = outer.iter().take(others).enumerate().all(is_part) || outer.len() == 1;
    (open.token == Token::LParen && is_bare).then(|| word(name)).flatten().map(|name| name.to_lowercase())
}

/// How often a word stands there.
fn count(tokens: &[&Lexed], wanted: &[&str]) -> usize {
    tokens.iter().filter(|token| word(token).is_some_and(|word| wanted.contains(&word.as_str()))).count()
}

/// Whether each row is one of a single table. Where there is a comma between FROM and what follows it, there may be two.
pub(super) fn is_of_one_table(tokens: &[&Lexed]) -> bool {
    let is = |token: &&&Lexed, wanted: &[&str]| word(token).is_some_and(|word| wanted.contains(&word.as_str()));
    let from = tokens.iter().position(|token| is(&token, &["FROM"])).unwrap_or(tokens.len());
    let behind = || tokens.iter().skip(from);
    let of_from = behind().take_while(|token| !is(token, &["WHERE", "ORDER", "LIMIT", "OFFSET"]));
    let has_comma = of_from.into_iter().any(|token| token.token == Token::Comma);
    count(tokens, &["SELECT", "VALUES"]) == 1 && count(tokens, &["JOIN", "GROUP", "UNION"]) == 0 && !has_comma
}

/// Whether columns are null only where they are in their tables: not for want of a partner, nor in a summary of no rows.
pub(super) fn keeps_not_null(tokens: &[&Lexed]) -> bool {
    let is_function = |pair: &[&Lexed]| match pair {
        [name, open] if open.token == Token::LParen => {
            word(name).is_some_and(|word| !NO_FUNCTIONS.contains(&word.as_str()))
        }
        _ => false,
    };
    let may_be_summary = count(tokens, &["GROUP"]) == 0 && tokens.windows(2).any(is_function);
    count(tokens, &["SELECT", "VALUES"]) == 1
        && count(tokens, &["LEFT", "RIGHT", "FULL", "OUTER", "ROLLUP", "CUBE", "SETS"]) == 0
        && !may_be_summary
}

/// Whether one of these words stands there, in no quotes.
pub(super) fn has_word(tokens: &[&Lexed], words: &[&str]) -> bool {
    tokens.iter().filter_map(|token| word(token)).any(|word| words.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

/// Whether one of these functions is called.
pub(super) fn calls(tokens: &[&Lexed], functions: &[&str]) -> bool {
    tokens.windows(2).any(|pair| match pair {
        [name, open] if open.token == Token::LParen => {
            word(name).is_some_and(|word| functions.iter().any(|function| word.eq_ignore_ascii_case(function)))
        }
        _ => false,
    })
}
