//! Comparisons with NULL as it is written: they are true of no row.
//!
//! The tokens tell them: behind an operator, before one, and as an item of an IN list.

use super::extent::Extents;
use crate::source::Span;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// A NULL that something is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullLiteral {
    /// Where the NULL stands.
    pub span: Span,
    /// What it does there.
    pub compared: ComparedNull,
    /// Where a test for NULL can be written instead, and which.
    pub instead: Option<(Span, &'static str)>,
}

/// How a NULL is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedNull {
    /// By an operator, or as the only item of a list.
    Alone,
    /// As an item of `IN` among others: it finds nothing.
    Item,
    /// As an item of `NOT IN` among others: no row passes.
    NegatedItem,
}

/// Every such NULL, in the order of the text.
pub(super) fn find(extents: &Extents<'_>) -> Vec<NullLiteral> {
    let nulls = (0..extents.tokens.len()).filter(|at| extents.keyword(*at) == Some(Keyword::NULL));
    nulls.filter_map(|at| operand(extents, at).or_else(|| item(extents, at))).collect()
}

/// A NULL beside an operator that compares.
fn operand(extents: &Extents<'_>, at: usize) -> Option<NullLiteral> {
    let span = extents.span(&(at..at + 1))?;
    let found = |instead| Some(NullLiteral { span, compared: ComparedNull::Alone, instead });
    if let Some(before) = at.checked_sub(1).filter(|before| extents.token(*before).is_some_and(compares)) {
        let test = match extents.token(before)? {
            Token::Eq | Token::DoubleEq => Some("IS NULL"),
            Token::Neq => Some("IS NOT NULL"),
            _ => None,
        };
        let test = test.filter(|_| ends_at(extents, at + 1));
        return found(test.and_then(|test| Some((extents.span(&(before..at + 1))?, test))));
    }
    extents.token(at + 1).is_some_and(compares).then(|| found(None)).flatten()
}

/// A NULL among the items of an IN list.
fn item(extents: &Extents<'_>, at: usize) -> Option<NullLiteral> {
    let open = extents.level(at)?;
    let word = open.checked_sub(1).filter(|word| extents.keyword(*word) == Some(Keyword::IN))?;
    let close = extents.pair(open)?;
    if lists_columns(extents, word) {
        return None;
    }
    let begins = at == open + 1 || extents.token(at.checked_sub(1)?) == Some(&Token::Comma);
    let ends = at + 1 == close || extents.token(at + 1) == Some(&Token::Comma);
    if !begins || !ends {
        return None;
    }
    let not = word.checked_sub(1).filter(|not| extents.keyword(*not) == Some(Keyword::NOT));
    let span = extents.span(&(at..at + 1))?;
    if at == open + 1 && at + 1 == close {
        let test = if not.is_some() { "IS NOT NULL" } else { "IS NULL" };
        let instead = extents.span(&(not.unwrap_or(word)..close + 1)).map(|place| (place, test));
        return Some(NullLiteral { span, compared: ComparedNull::Alone, instead });
    }
    let compared = if not.is_some() { ComparedNull::NegatedItem } else { ComparedNull::Item };
    Some(NullLiteral { span, compared, instead: None })
}

/// Whether the list of an `IN` are the values of a pivot, as in `FOR status IN (…)`: each is a column, that of NULL too.
fn lists_columns(extents: &Extents<'_>, word: usize) -> bool {
    let mut at = word;
    while let Some(name) = at.checked_sub(1).filter(|name| matches!(extents.token(*name), Some(Token::Word(_)))) {
        let Some(before) = name.checked_sub(1) else { return false };
        if extents.token(before) != Some(&Token::Period) {
            return extents.keyword(before) == Some(Keyword::FOR);
        }
        at = before;
    }
    false
}

fn compares(token: &Token) -> bool {
    matches!(token, Token::Eq | Token::DoubleEq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq)
}

/// Whether an operand ends before a token: no operator goes on with it.
fn ends_at(extents: &Extents<'_>, at: usize) -> bool {
    match extents.token(at) {
        None | Some(Token::RParen | Token::RBracket | Token::Comma | Token::SemiColon | Token::EOF) => true,
        Some(_) => extents.keyword(at).is_some(),
    }
}
