//! A bound on how deep a statement's tree can be, before it is built.
//!
//! The parser, the planner and the optimizer recurse over the tree, and so does dropping it: 20,000 `OR`s in a row would
//! overflow any stack and abort the process. The bound is taken on the tokens: brackets nest, and every operator of a
//! chain may add a level.

use super::lexer::Lexed;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// Most levels of brackets; sqlparser's own limit of recursion is of the same order.
const MAX_BRACKETS: usize = 40;
/// Most levels altogether. Eight times what a hand-written query was ever seen to need, and an eighth of what the
/// planner's stack holds in a debug build.
const MAX_DEPTH: usize = 800;

#[derive(Default)]
struct Level {
    /// Operators since the last comma: a chain of them is a tree as deep as it is long.
    chain: usize,
    /// Set operations and joins, which no comma ends.
    relations: usize,
}

/// `None` where the statement may be too deep; the place is in the sink.
pub(super) fn check(tokens: &[Lexed], sink: &mut Diagnostics) -> Option<()> {
    let mut levels = vec![Level::default()];
    let mut below = 0;
    for token in tokens {
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                below += depth_of(levels.last());
                levels.push(Level::default());
            }
            Token::RParen | Token::RBracket | Token::RBrace if levels.len() > 1 => {
                levels.pop();
                below -= depth_of(levels.last());
            }
            Token::Comma => {
                if let Some(level) = levels.last_mut() {
                    level.chain = 0;
                }
            }
            other => {
                if let Some(level) = levels.last_mut() {
                    count(other, level);
                }
            }
        }
        if levels.len() > MAX_BRACKETS {
            return refuse(token.span, "brackets are nested", MAX_BRACKETS, sink);
        }
        if below + depth_of(levels.last()) > MAX_DEPTH {
            return refuse(token.span, "operators are chained", MAX_DEPTH, sink);
        }
    }
    Some(())
}

fn depth_of(level: Option<&Level>) -> usize {
    level.map_or(0, |level| 1 + level.chain + level.relations)
}

fn count(token: &Token, level: &mut Level) {
    match token {
        Token::Word(word) if word.quote_style.is_none() => match word.keyword {
            Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::JOIN | Keyword::WITH => {
                level.relations += 1
            }
            Keyword::AND | Keyword::OR | Keyword::NOT | Keyword::IS | Keyword::CASE | Keyword::WHEN => level.chain += 1,
            Keyword::SELECT | Keyword::FROM | Keyword::WHERE | Keyword::HAVING => level.chain = 0,
            _ => {}
        },
        Token::Plus
        | Token::Minus
        | Token::Mul
        | Token::Div
        | Token::Mod
        | Token::Eq
        | Token::Neq
        | Token::Lt
        | Token::Gt
        | Token::LtEq
        | Token::GtEq
        | Token::StringConcat
        | Token::ShiftLeft
        | Token::ShiftRight
        | Token::Pipe
        | Token::Ampersand
        | Token::Caret
        | Token::DoubleColon
        | Token::Tilde
        | Token::ExclamationMark => level.chain += 1,
        _ => {}
    }
}

fn refuse(span: Span, what: &str, limit: usize, sink: &mut Diagnostics) -> Option<()> {
    sink.push(codes::query_too_deep(span, &format!("{what} more than {limit} levels deep")));
    None
}
