//! `document -> 'key'` and `document ->> 'key'`, told apart from the functions `item -> item + 1`.
//!
//! sqlparser takes every name in front of an arrow for the argument of a function. An arrow is one where such a function
//! may stand: behind a comma of a call that takes functions. All others look into a document, and become calls.

use super::written_call::call;
use sqlparser::ast::{BinaryOperator, Expr, Ident, Spanned as _, Value};
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// What an arrow that looks into a document is for the parser.
const LOOKS_INTO: &str = "->";

/// The function that `->` stands for.
const EXTRACT: &str = "json_extract";
/// The function that `->>` stands for.
const EXTRACT_STRING: &str = "json_extract_string";

/// Whether the parser has marked a token as one that looks into a document.
pub(super) fn is_arrow(token: &Token) -> bool {
    matches!(token, Token::LongArrow) || matches!(token, Token::CustomBinaryOperator(sign) if sign == LOOKS_INTO)
}

/// Marks the arrows that look into documents.
pub(super) fn mark(tokens: &mut [TokenWithSpan]) {
    let documents: Vec<usize> = (0..tokens.len())
        .filter(|at| tokens.get(*at).is_some_and(|one| one.token == Token::Arrow) && !is_function(tokens, *at))
        .collect();
    for at in documents {
        if let Some(one) = tokens.get_mut(at) {
            one.token = Token::CustomBinaryOperator(LOOKS_INTO.to_owned());
        }
    }
}

/// Whether the arrow at a place stands behind the arguments of a function that is itself an argument.
fn is_function(tokens: &[TokenWithSpan], arrow: usize) -> bool {
    let before = tokens.get(..arrow).unwrap_or_default();
    let Some(arguments) = start_of_arguments(before) else { return false };
    let Some((Token::Comma, first)) = before.get(..arguments).and_then(split_last) else { return false };
    called(first).is_some_and(takes_functions)
}

fn split_last(tokens: &[TokenWithSpan]) -> Option<(&Token, &[TokenWithSpan])> {
    tokens.split_last().map(|(last, rest)| (&last.token, rest))
}

/// Where `x` or `(x, y)` begins, which ends with these tokens.
fn start_of_arguments(tokens: &[TokenWithSpan]) -> Option<usize> {
    match tokens.last().map(|one| &one.token)? {
        Token::Word(_) => tokens.len().checked_sub(1),
        Token::RParen => {
            let open = tokens.iter().rposition(|one| one.token == Token::LParen)?;
            let inside = tokens.get(open + 1..tokens.len() - 1)?;
            let are_names = inside.iter().all(|one| matches!(one.token, Token::Word(_) | Token::Comma));
            are_names.then_some(open)
        }
        _ => None,
    }
}

/// The function whose call is open at the end of these tokens.
fn called(tokens: &[TokenWithSpan]) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, one) in tokens.iter().enumerate().rev() {
        match one.token {
            Token::RParen | Token::RBracket | Token::RBrace => depth += 1,
            Token::LParen if depth == 0 => {
                return match &tokens.get(at.checked_sub(1)?)?.token {
                    Token::Word(word) => Some(&word.value),
                    _ => None,
                };
            }
            Token::LParen | Token::LBracket | Token::LBrace => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Whether a function takes functions, by its name: those of lists and maps do.
fn takes_functions(name: &str) -> bool {
    let name = name.to_lowercase();
    ["array_", "list_", "map_", "transform", "any_match", "all_match", "reduce", "filter"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// The call that an arrow stands for.
pub(super) fn to_call(expr: &mut Expr) {
    let span = expr.span();
    let Expr::BinaryOp { left, op, right } = expr else { return };
    let function = match op {
        BinaryOperator::LongArrow => EXTRACT_STRING,
        BinaryOperator::Custom(sign) if sign == LOOKS_INTO => EXTRACT,
        _ => return,
    };
    let args = [left, right].map(|side| std::mem::replace(side.as_mut(), Expr::value(Value::Null)));
    *expr = call(Ident::with_span(span, function), args);
}
