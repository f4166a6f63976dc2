//! A bound on how deep a statement's tree can be, before it is built.
//!
//! The parser, the planner and the optimizer recurse over the tree, and so does dropping it: 20,000 `OR`s in a row would
//! overflow any stack and abort the process. The bound is taken on the tokens: brackets, `CASE`s and operators in front
//! of their operand nest, and every operator of a chain may add a level.

use super::lexer::Lexed;
use crate::diagnostic::{Diagnostics, codes};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// Most levels of what nests; sqlparser's own limit of recursion is of the same order.
const MAX_NESTED: usize = 40;
/// Most times that the time doubles which sqlparser takes, see [`readings`].
const MAX_DOUBLINGS: usize = 12;
/// Most levels altogether. Eight times what a hand-written query was ever seen to need, and an eighth of what the
/// planner's stack holds in a debug build.
const MAX_DEPTH: usize = 800;

/// What stands between two brackets, or from `CASE` to `END`.
#[derive(Default)]
struct Level {
    /// Whether `END` ends it.
    is_case: bool,
    /// Operators since the last comma: a chain of them is a tree as deep as it is long.
    chain: usize,
    /// Set operations and joins, which no comma ends.
    relations: usize,
    /// `NOT`s and signs directly before what is read next: each has the one behind it as its operand.
    prefixes: usize,
    /// How often it is read twice.
    doublings: usize,
}

impl Level {
    fn depth(&self) -> usize {
        1 + self.chain + self.relations
    }
}

/// The levels that are open, and what they come to.
#[derive(Default)]
struct Walk {
    around: Vec<Level>,
    innermost: Level,
    /// The depth of those around.
    depth: usize,
    /// How many there are around, with the operators before them.
    nested: usize,
    doublings: usize,
}

/// `None` where the statement may be too deep; the place is in the sink.
pub(super) fn check(tokens: &[Lexed], sink: &mut Diagnostics) -> Option<()> {
    let mut walk = Walk::default();
    let mut before = None;
    for token in tokens {
        walk.step(&token.token, before);
        if let Some(why) = walk.excess(&token.token) {
            sink.push(codes::query_too_deep(token.span, &why));
            return None;
        }
        before = Some(&token.token);
    }
    Some(())
}

impl Walk {
    fn step(&mut self, token: &Token, before: Option<&Token>) {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => {
                self.open(Level { doublings: before.map_or(0, readings), ..Level::default() });
            }
            Token::RParen | Token::RBracket | Token::RBrace => {
                // A column may be called so: then no `END` follows.
                while self.innermost.is_case {
                    self.close();
                }
                self.close();
            }
            Token::Comma => {
                self.innermost.chain = 0;
                self.innermost.prefixes = 0;
            }
            Token::Word(word) if word.quote_style.is_none() && word.keyword == Keyword::CASE => {
                self.open(Level { is_case: true, ..Level::default() });
            }
            Token::Word(word) if word.quote_style.is_none() && word.keyword == Keyword::END => {
                if self.innermost.is_case {
                    self.close();
                }
            }
            other => {
                count(other, &mut self.innermost);
                self.innermost.prefixes = if is_prefix(other) { self.innermost.prefixes + 1 } else { 0 };
            }
        }
    }

    fn open(&mut self, level: Level) {
        self.depth += self.innermost.depth();
        self.nested += 1 + self.innermost.prefixes;
        self.doublings += level.doublings;
        self.around.push(std::mem::replace(&mut self.innermost, level));
    }

    fn close(&mut self) {
        let Some(around) = self.around.pop() else { return };
        self.doublings -= self.innermost.doublings;
        self.innermost = around;
        self.depth -= self.innermost.depth();
        self.nested -= 1 + self.innermost.prefixes;
        self.innermost.prefixes = 0;
    }

    /// What there is too much of, now that a token was counted.
    fn excess(&self, token: &Token) -> Option<String> {
        let (what, limit) = if 1 + self.nested + self.innermost.prefixes > MAX_NESTED {
            (nesting(token), MAX_NESTED)
        } else if self.doublings > MAX_DOUBLINGS {
            return Some("`CAST`, `POSITION` and their like are nested in one another too often".to_owned());
        } else if self.depth + self.innermost.depth() > MAX_DEPTH {
            ("operators are chained", MAX_DEPTH)
        } else {
            return None;
        };
        Some(format!("{what} more than {limit} levels deep"))
    }
}

fn nesting(token: &Token) -> &'static str {
    match token {
        Token::LParen | Token::LBracket | Token::LBrace => "brackets are nested",
        Token::Word(word) if word.keyword == Keyword::CASE => "`CASE`s are nested",
        _ => "signs and `NOT`s are chained",
    }
}

/// How often the time doubles that sqlparser takes for the bracket behind a token: what follows one of these words, it
/// reads once more as an ordinary call or name where the first reading failed, all that is nested in it included.
fn readings(before: &Token) -> usize {
    match before {
        Token::Word(word) if word.quote_style.is_none() => match word.keyword {
            Keyword::POSITION => 2,
            Keyword::ARRAY
            | Keyword::CAST
            | Keyword::CEIL
            | Keyword::CONVERT
            | Keyword::EXTRACT
            | Keyword::FLOOR
            | Keyword::OVERLAY
            | Keyword::SAFE_CAST
            | Keyword::SUBSTR
            | Keyword::SUBSTRING
            | Keyword::TRY_CAST
            | Keyword::TRY_CONVERT => 1,
            _ => 0,
        },
        _ => 0,
    }
}

/// Whether the token may stand before its only operand.
fn is_prefix(token: &Token) -> bool {
    match token {
        Token::Plus | Token::Minus | Token::Tilde | Token::ExclamationMark => true,
        Token::Word(word) => word.quote_style.is_none() && word.keyword == Keyword::NOT,
        _ => false,
    }
}

fn count(token: &Token, level: &mut Level) {
    match token {
        Token::Word(word) if word.quote_style.is_none() => match word.keyword {
            Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::JOIN | Keyword::WITH => {
                level.relations += 1
            }
            Keyword::AND | Keyword::OR | Keyword::NOT | Keyword::IS | Keyword::WHEN => level.chain += 1,
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
