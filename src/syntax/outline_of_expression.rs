//! What a text has in it that is to be one SQL expression: enough to tell that it keeps within the brackets around it.

use super::dialect::QueryDialect;
use super::lexer::lower_first;
use crate::in_words::in_words;
use sqlparser::tokenizer::{Token, Tokenizer};

in_words! {
    /// Why a text does not keep within brackets that are put around it, in words for its author.
    pub struct NoExpression;
}

/// What is in an expression.
#[derive(Debug, Default)]
pub struct ExpressionOutline {
    /// Its words that are not in quotes, in lower case.
    pub words: Vec<String>,
    /// Its words as names: in lower case, or as they are in quotes.
    pub names: Vec<String>,
    /// The names of its placeholders.
    pub placeholders: Vec<String>,
}

/// What is in a text; why it does not keep within brackets that are put around it.
///
/// Errors: a text or a comment in it has no end, a bracket closes what it has not opened, or a statement ends in it.
pub fn outline_of_expression(sql: &str) -> Result<ExpressionOutline, NoExpression> {
    let tokens = Tokenizer::new(&QueryDialect, sql).tokenize();
    let tokens =
        tokens.map_err(|error| NoExpression::from(lower_first(&error.message).trim_end_matches('.').to_owned()))?;
    let mut outline = ExpressionOutline::default();
    let mut open = Vec::new();
    let mut last: Option<&Token> = None;
    for token in tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))) {
        match token {
            Token::LParen => open.push(Token::RParen),
            Token::LBracket => open.push(Token::RBracket),
            Token::LBrace => open.push(Token::RBrace),
            Token::RParen | Token::RBracket | Token::RBrace if open.pop().as_ref() != Some(token) => {
                return Err(format!("`{token}` closes a bracket that is not opened").into());
            }
            Token::SemiColon => return Err("a statement ends in it".to_owned().into()),
            Token::Word(word) if last == Some(&Token::ShiftLeft) => outline.placeholders.push(word.value.clone()),
            Token::Word(word) if word.quote_style.is_none() => {
                outline.words.push(word.value.to_lowercase());
                outline.names.push(word.value.to_lowercase());
            }
            Token::Word(word) => outline.names.push(word.value.clone()),
            _ => {}
        }
        last = Some(token);
    }
    match open.last() {
        Some(bracket) => Err(format!("a bracket is not closed: `{bracket}` is missing").into()),
        None => Ok(outline),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_an_expression_is_told() {
        let outline = outline_of_expression("tenant = << Tenant : int >> AND \"Select\" IN ('(', max(a[1]))").unwrap();
        assert_eq!(outline.placeholders, ["Tenant"]);
        assert_eq!(outline.words, ["tenant", "int", "and", "in", "max", "a"]);
    }

    #[test]
    fn what_leaves_its_brackets_is_refused() {
        for sql in ["true) OR (true", "a = 1;", "(a = 1", "'a", "a /* b", "a[1)"] {
            assert!(outline_of_expression(sql).is_err(), "{sql}");
        }
    }
}
