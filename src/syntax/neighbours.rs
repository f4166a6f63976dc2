//! What stands beside a placeholder, told by the tokens alone: the column that it is compared with, and texts that are
//! added to it.

use super::lexer::{Lexed, Written};
use super::{ParsedQuery, Placeholder};
use crate::name::{RESERVED, is_legal, snake_case};
use crate::source::Span;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// A name for a placeholder without one that follows these tokens: that of the column it is compared with.
pub(super) fn name_for(before: &[Lexed]) -> Option<String> {
    let [.., column, operator] = before else { return None };
    let Token::Word(word) = &column.token else { return None };
    let prefix = match (&operator.token, operator.keyword()) {
        (Token::Eq, _) | (_, Some(Keyword::LIKE | Keyword::ILIKE)) => "",
        (Token::Gt | Token::GtEq, _) => "min_",
        (Token::Lt | Token::LtEq, _) => "max_",
        _ => return None,
    };
    let name = snake_case(&format!("{prefix}{}", word.value));
    let is_column = word.quote_style.is_some() || !matches!(word.keyword, Keyword::NOT | Keyword::ANY | Keyword::ALL);
    (is_column && is_legal(&name) && !RESERVED.contains(&name.as_str())).then_some(name)
}

impl ParsedQuery {
    /// The column that a placeholder of this query is compared with.
    pub fn column_beside(&self, placeholder: &Placeholder) -> Option<Span> {
        let at = self.index_of(placeholder)?;
        // In `IN << ids >>` a bracket was put before it.
        let skip = |token: &&Lexed| token.written == Written::Inserted;
        let before: Vec<&Lexed> = self.tokens.get(..at)?.iter().rev().filter(|token| !skip(token)).take(6).collect();
        let behind: Vec<&Lexed> = self.tokens.get(at + 1..)?.iter().filter(|token| !skip(token)).take(6).collect();
        if before.first().is_some_and(|token| compares(token)) {
            // `NOT IN`, `NOT LIKE`.
            let rest = before.iter().skip(1).skip_while(|token| token.is_keyword(Keyword::NOT));
            return column(rest.copied().collect(), Direction::Back);
        }
        match behind.split_first() {
            Some((operator, rest)) if compares(operator) => column(rest.to_vec(), Direction::Forth),
            _ => None,
        }
    }

    /// The column that a placeholder of this query is a sum or a product with.
    pub fn column_computed_with(&self, placeholder: &Placeholder) -> Option<Span> {
        let at = self.index_of(placeholder)?;
        let before: Vec<&Lexed> = self.tokens.get(..at)?.iter().rev().take(6).collect();
        let behind: Vec<&Lexed> = self.tokens.get(at + 1..)?.iter().take(6).collect();
        let beside = |tokens: Vec<&Lexed>, direction| {
            let (operator, rest) = tokens.split_first()?;
            if computes(operator) { column(rest.to_vec(), direction) } else { None }
        };
        beside(before, Direction::Back).or_else(|| beside(behind, Direction::Forth))
    }

    /// The `+` between a placeholder and the texts beside it.
    pub fn added_texts(&self, placeholder: &Placeholder) -> Vec<Span> {
        let Some(at) = self.index_of(placeholder) else { return Vec::new() };
        let pair = |sign: Option<usize>, text: Option<usize>| {
            let (sign, text) = (self.tokens.get(sign?)?, self.tokens.get(text?)?);
            let is_text =
                matches!(&text.token, Token::SingleQuotedString(text) if !text.contains(|c: char| c.is_ascii_digit()));
            (sign.token == Token::Plus && is_text).then_some(sign.span)
        };
        let before = pair(at.checked_sub(1), at.checked_sub(2));
        let behind = pair(at.checked_add(1), at.checked_add(2));
        before.into_iter().chain(behind).collect()
    }

    /// Where a word stands that is not in quotes.
    pub fn places_of(&self, word: &str) -> impl Iterator<Item = Span> {
        let is_it = move |token: &&Lexed| match &token.token {
            Token::Word(one) => one.quote_style.is_none() && one.value.eq_ignore_ascii_case(word),
            _ => false,
        };
        self.tokens.iter().filter(is_it).map(|token| token.span)
    }

    fn index_of(&self, placeholder: &Placeholder) -> Option<usize> {
        let is_it = |token: &Lexed| token.span == placeholder.span && matches!(token.written, Written::Placeholder(_));
        self.tokens.iter().position(is_it)
    }
}

fn compares(token: &Lexed) -> bool {
    matches!(token.token, Token::Eq | Token::Neq | Token::Lt | Token::LtEq | Token::Gt | Token::GtEq)
        || matches!(token.keyword(), Some(Keyword::LIKE | Keyword::ILIKE | Keyword::BETWEEN | Keyword::IN))
}

fn computes(token: &Lexed) -> bool {
    matches!(token.token, Token::Plus | Token::Minus | Token::Mul | Token::Mod)
}

/// Which way tokens are read.
#[derive(Clone, Copy)]
enum Direction {
    Back,
    Forth,
}

/// The column that the tokens begin with: a name, or a name behind that of its table. A call is none, and neither is a
/// part of a calculation.
fn column(tokens: Vec<&Lexed>, direction: Direction) -> Option<Span> {
    let is_name = |token: &Lexed| match &token.token {
        Token::Word(word) => {
            word.quote_style.is_some() || word.keyword == Keyword::NoKeyword || !begins_other(word.keyword)
        }
        _ => false,
    };
    let mut end = usize::from(tokens.first().is_some_and(|token| is_name(token)));
    while end > 0
        && tokens.get(end).is_some_and(|token| token.token == Token::Period)
        && tokens.get(end + 1).is_some_and(|token| is_name(token))
    {
        end += 2;
    }
    let (first, last) = (tokens.first()?, tokens.get(end.checked_sub(1)?)?);
    let ends = match tokens.get(end) {
        None => true,
        Some(token) => {
            matches!(token.token, Token::LParen | Token::RParen | Token::Comma | Token::SemiColon)
                && !matches!((direction, &token.token), (Direction::Forth, Token::LParen))
                || token.keyword().is_some()
        }
    };
    let span = match direction {
        Direction::Back => last.span.to(first.span),
        Direction::Forth => first.span.to(last.span),
    };
    ends.then_some(span)
}

/// Whether the keyword is no name of a column beside a comparison.
fn begins_other(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::NOT
            | Keyword::NULL
            | Keyword::TRUE
            | Keyword::FALSE
            | Keyword::CASE
            | Keyword::END
            | Keyword::AND
            | Keyword::OR
    )
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Diagnostics;
    use crate::source::Sources;
    use crate::syntax::lexer::tokenize;

    #[test]
    fn a_placeholder_is_called_as_its_column() {
        let named = |text: &str| {
            let mut sources = Sources::default();
            let id = sources.add("queries/a.sql", text);
            let tokens = tokenize(sources.get(id).unwrap(), 0, text.len(), &mut Diagnostics::default()).unwrap();
            super::name_for(&tokens)
        };
        assert_eq!(named("WHERE o.total >=").as_deref(), Some("min_total"));
        assert_eq!(named("WHERE \"Total\" <").as_deref(), Some("max_total"));
        assert_eq!(named("status =").as_deref(), Some("status"));
        assert_eq!(named("status LIKE").as_deref(), Some("status"));
        assert_eq!(named("status NOT LIKE"), None);
        assert_eq!(named("status IN ("), None);
        assert_eq!(named("limit ="), None);
    }
}
