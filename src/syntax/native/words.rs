//! The tokens of MySQL in the words that the parser knows, for the tree that tells types and what conditions do: `||` is OR
//! there, `&&` is AND, DIV and MOD bind as `*` does, and `MATCH (…) AGAINST (…)` is a function of what it is given.
//!
//! The text that is sent is what the author has written.

use crate::catalog::DatabaseKind;
use crate::syntax::lexer::Lexed;
use crate::syntax::operand::leaves_operand;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

/// A token with a place.
pub(super) trait Placed: Clone {
    fn token(&self) -> &Token;

    /// Another token in the same place.
    fn saying(&self, token: Token) -> Self;
}

impl Placed for Lexed {
    fn token(&self) -> &Token {
        &self.token
    }

    fn saying(&self, token: Token) -> Lexed {
        Lexed { token, ..self.clone() }
    }
}

impl Placed for TokenWithSpan {
    fn token(&self) -> &Token {
        &self.token
    }

    fn saying(&self, token: Token) -> TokenWithSpan {
        TokenWithSpan::new(token, self.span)
    }
}

/// The tokens in words that the parser knows.
pub(super) fn in_known_words<T: Placed>(tokens: Vec<T>, kind: DatabaseKind) -> Vec<T> {
    if kind != DatabaseKind::Mysql {
        return tokens;
    }
    let mut out: Vec<T> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(one) = tokens.get(at) {
        if let Some((call, behind)) = matched(&tokens, at) {
            out.extend(call);
            at = behind;
            continue;
        }
        let said = match one.token() {
            Token::StringConcat => Some(word("||", Keyword::OR)),
            Token::Overlap => Some(word("&&", Keyword::AND)),
            Token::Word(said) if said.quote_style.is_none() => {
                // `mod(a, b)` is a function, and `a MOD (b)` is none.
                let is_call = tokens.get(at + 1).is_some_and(|next| *next.token() == Token::LParen);
                match said.value.to_uppercase().as_str() {
                    "DIV" => Some(Token::Div),
                    "MOD" if !is_call || out.last().is_some_and(|last| !leaves_operand(Some(last.token()))) => {
                        Some(Token::Mod)
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        out.push(said.map_or_else(|| one.clone(), |said| one.saying(said)));
        at += 1;
    }
    out
}

fn word(text: &str, keyword: Keyword) -> Token {
    Token::Word(Word { value: text.to_owned(), quote_style: None, keyword })
}

/// `match_against(a, b, 'x')` of `MATCH (a, b) AGAINST ('x' IN BOOLEAN MODE)`, and where it ends.
fn matched<T: Placed>(tokens: &[T], at: usize) -> Option<(Vec<T>, usize)> {
    let is = |at: usize, text: &str| match tokens.get(at).map(Placed::token) {
        Some(Token::Word(word)) => word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text),
        _ => false,
    };
    if !is(at, "MATCH") || tokens.get(at + 1)?.token() != &Token::LParen {
        return None;
    }
    let columns_end = closing(tokens, at + 1)?;
    if !is(columns_end + 1, "AGAINST") || tokens.get(columns_end + 2)?.token() != &Token::LParen {
        return None;
    }
    let end = closing(tokens, columns_end + 2)?;
    let sought = columns_end + 3;
    let mode = (sought..end).find(|at| is(*at, "IN") || is(*at, "WITH")).unwrap_or(end);
    let mut call = vec![tokens.get(at)?.saying(word("match_against", Keyword::NoKeyword))];
    call.extend_from_slice(tokens.get(at + 1..columns_end)?);
    call.push(tokens.get(columns_end)?.saying(Token::Comma));
    call.extend_from_slice(tokens.get(sought..mode)?);
    call.push(tokens.get(end)?.clone());
    Some((call, end + 1))
}

/// Where a bracket closes that opens at a place.
fn closing<T: Placed>(tokens: &[T], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, one) in tokens.iter().enumerate().skip(open) {
        match one.token() {
            Token::LParen => depth += 1,
            Token::RParen if depth == 1 => return Some(at),
            Token::RParen => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::native::dialect;
    use sqlparser::tokenizer::Tokenizer;

    fn said(sql: &str) -> String {
        let tokens = Tokenizer::new(dialect::of_tokens(DatabaseKind::Mysql), sql).tokenize_with_location().unwrap();
        let tokens = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
        let words = in_known_words::<TokenWithSpan>(tokens, DatabaseKind::Mysql);
        words.iter().map(|one| one.token.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operators_are_those_that_the_parser_knows() {
        assert_eq!(
            said("id DIV 2 = mod(b, 3) AND 7 MOD (c) = id MOD 2"),
            "id / 2 = mod ( b , 3 ) AND 7 % ( c ) = id % 2"
        );
        assert_eq!(said("match(a, b) against ('x' in boolean mode) > 0"), "match_against ( a , b , 'x' ) > 0");
        assert_eq!(said("a LIKE 'x' AND `match` = 1"), "a LIKE 'x' AND `match` = 1");
    }
}
