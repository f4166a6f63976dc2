//! `CAST(x AS STRUCT(a INT, b VARCHAR))`, as DuckDB writes it and as types are written here. sqlparser's generic dialect
//! takes `STRUCT<a INT, b VARCHAR>`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// Writes the brackets of records, where types stand, as the parser takes them.
pub(super) fn mark(tokens: &mut [TokenWithSpan]) {
    // For every bracket that is open, whether it is that of such a type.
    let mut open: Vec<bool> = Vec::new();
    for at in 0..tokens.len() {
        let is_type = begins(tokens, at, open.last().copied().unwrap_or_default());
        let Some(one) = tokens.get_mut(at) else { return };
        match one.token {
            Token::LParen => {
                open.push(is_type);
                if is_type {
                    one.token = Token::Lt;
                }
            }
            Token::RParen if open.pop() == Some(true) => one.token = Token::Gt,
            _ => {}
        }
    }
}

/// Whether a bracket begins the fields of a record's type: behind `AS STRUCT`, `:: STRUCT`, and, inside of another one,
/// behind `name STRUCT`.
fn begins(tokens: &[TokenWithSpan], bracket: usize, is_inside: bool) -> bool {
    let before = |back: usize| bracket.checked_sub(back).and_then(|at| tokens.get(at)).map(|one| &one.token);
    let keyword = |token: Option<&Token>| match token {
        Some(Token::Word(word)) if word.quote_style.is_none() => Some(word.keyword),
        _ => None,
    };
    if keyword(before(1)) != Some(Keyword::STRUCT) {
        return false;
    }
    match before(2) {
        Some(Token::DoubleColon) => true,
        Some(Token::Word(_)) if is_inside => true,
        word => keyword(word) == Some(Keyword::AS),
    }
}

#[cfg(test)]
mod tests {
    use super::super::statement::parse_tokens;
    use super::*;
    use crate::syntax::dialect::QueryDialect;
    use sqlparser::tokenizer::Tokenizer;

    fn parsed(text: &str) -> String {
        let tokens = Tokenizer::new(&QueryDialect, text).tokenize_with_location().unwrap_or_default();
        let tokens = tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
        parse_tokens(tokens).map_or_else(|error| error.to_string(), |statement| statement.to_string())
    }

    #[test]
    fn records_are_types_between_round_brackets() {
        for (text, form) in [
            ("CAST(x AS STRUCT(a INT, b VARCHAR))", "CAST(x AS STRUCT<a INT, b VARCHAR>)"),
            ("x::STRUCT(a STRUCT(b INT), c DECIMAL(10,2))", "x::STRUCT<a STRUCT<b INT>, c DECIMAL(10,2)>"),
            ("struct(1, 2)", "STRUCT(1, 2)"),
            ("CAST(struct(1) AS STRUCT(c0 INT))", "CAST(STRUCT(1) AS STRUCT<c0 INT>)"),
        ] {
            assert_eq!(parsed(&format!("SELECT {text}")), format!("SELECT {form}"), "{text}");
        }
    }
}
