//! `count(*) FILTER (status = 'open')`, as DuckDB takes it: `WHERE` may be left out.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The tokens with a `WHERE` in every filter that has none; `None` where none is missing.
pub(super) fn tokens_with_where(tokens: &[TokenWithSpan]) -> Option<Vec<TokenWithSpan>> {
    let is_missing = |at: usize| {
        let [call, filter, open, first] = tokens.get(at..at + 4).unwrap_or_default() else { return false };
        call.token == Token::RParen
            && keyword(filter) == Some(Keyword::FILTER)
            && open.token == Token::LParen
            && keyword(first) != Some(Keyword::WHERE)
    };
    let missing: Vec<usize> = (0..tokens.len()).filter(|at| is_missing(*at)).map(|at| at + 3).collect();
    if missing.is_empty() {
        return None;
    }
    let mut complete = Vec::with_capacity(tokens.len() + missing.len());
    for (at, token) in tokens.iter().enumerate() {
        if missing.contains(&at) {
            complete.push(TokenWithSpan::new(Token::make_keyword("WHERE"), token.span));
        }
        complete.push(token.clone());
    }
    Some(complete)
}

fn keyword(token: &TokenWithSpan) -> Option<Keyword> {
    match &token.token {
        Token::Word(word) => Some(word.keyword),
        _ => None,
    }
}
