//! Where parts of the syntax tree stand in the tokens, as long as they are written.
//!
//! The parser's places leave out brackets and most keywords: `count(*)` is `count` there. But they name a token of each
//! part. The keyword that joins two parts is the nearest before the second, and a part reaches to the next of them.

use crate::source::{SourceFile, Span};
use crate::syntax::ast::{begins_clause, place};
use crate::syntax::lexer::Lexed;
use sqlparser::ast::{Expr, Spanned as _};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::collections::HashMap;
use std::ops::Range;

/// The tokens of a statement, and how they stand in brackets. CASE … END are brackets too: what stands between is an
/// expression of its own.
pub(super) struct Extents<'a> {
    pub file: &'a SourceFile,
    pub tokens: &'a [Lexed],
    /// For each token the bracket that it stands in. A bracket itself stands outside of what it opens and closes.
    around: Vec<Option<usize>>,
    /// For each bracket the one that it belongs to.
    pairs: HashMap<usize, usize>,
    /// The first token that begins at a byte, and the last that ends there.
    starts: HashMap<usize, usize>,
    ends: HashMap<usize, usize>,
}

impl<'a> Extents<'a> {
    pub(super) fn of(file: &'a SourceFile, tokens: &'a [Lexed]) -> Extents<'a> {
        let (around, pairs) = (Vec::with_capacity(tokens.len()), HashMap::new());
        let mut all = Extents { file, tokens, around, pairs, starts: HashMap::new(), ends: HashMap::new() };
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.token {
                Token::RParen | Token::RBracket | Token::RBrace => {
                    // A column may be called CASE: then no END follows.
                    while open.last().is_some_and(|open| all.keyword(*open) == Some(Keyword::CASE)) {
                        open.pop();
                    }
                    all.close(&mut open, at);
                }
                _ if all.keyword(at) == Some(Keyword::END)
                    && open.last().is_some_and(|open| all.keyword(*open) == Some(Keyword::CASE)) =>
                {
                    all.close(&mut open, at);
                }
                _ => {}
            }
            all.around.push(open.last().copied());
            if matches!(token.token, Token::LParen | Token::LBracket | Token::LBrace)
                || all.keyword(at) == Some(Keyword::CASE)
            {
                open.push(at);
            }
            if token.span.start < token.span.end {
                all.starts.entry(token.span.start).or_insert(at);
                all.ends.insert(token.span.end, at);
            }
        }
        all
    }

    fn close(&mut self, open: &mut Vec<usize>, at: usize) {
        if let Some(opened) = open.pop() {
            self.pairs.insert(opened, at);
            self.pairs.insert(at, opened);
        }
    }

    pub(super) fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at).map(|token| &token.token)
    }

    /// The keyword at a place; a name behind a dot is none.
    pub(super) fn keyword(&self, at: usize) -> Option<Keyword> {
        let behind_dot = at.checked_sub(1).is_some_and(|before| self.token(before) == Some(&Token::Period));
        self.tokens.get(at)?.keyword().filter(|_| !behind_dot)
    }

    /// The place of a range of tokens.
    pub(super) fn span(&self, range: &Range<usize>) -> Option<Span> {
        let tokens = self.tokens.get(range.clone())?;
        Some(tokens.first()?.span.to(tokens.last()?.span))
    }

    /// The bracket that a token stands in.
    pub(super) fn level(&self, at: usize) -> Option<usize> {
        self.around.get(at).copied().flatten()
    }

    /// The bracket that belongs to the one at a place.
    pub(super) fn pair(&self, at: usize) -> Option<usize> {
        self.pairs.get(&at).copied()
    }

    /// The token at which a place of the parser begins.
    pub(super) fn first_at(&self, span: sqlparser::tokenizer::Span) -> Option<usize> {
        let written = (span.start.line > 0).then(|| place(self.file, span))?;
        self.starts.get(&written.start).copied()
    }

    /// The token at which a place of the parser ends.
    pub(super) fn last_at(&self, span: sqlparser::tokenizer::Span) -> Option<usize> {
        let written = (span.start.line > 0).then(|| place(self.file, span))?;
        self.ends.get(&written.end).copied()
    }

    /// The first token of an expression that the parser knows the place of.
    pub(super) fn first(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::BinaryOp { left, right, .. } => self.first(left).or_else(|| self.first(right)),
            Expr::RLike { expr: inner, .. } | Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => {
                self.first(inner)
            }
            other => self.first_at(other.span()),
        }
    }

    /// The last one.
    pub(super) fn last(&self, expr: &Expr) -> Option<usize> {
        match expr {
            Expr::BinaryOp { left, right, .. } => self.last(right).or_else(|| self.last(left)),
            Expr::RLike { pattern: inner, .. } | Expr::Nested(inner) | Expr::UnaryOp { expr: inner, .. } => {
                self.last(inner)
            }
            other => self.last_at(other.span()),
        }
    }

    /// The nearest token before `behind`, in a range and in the same brackets as its beginning, that is wanted.
    pub(super) fn before(&self, behind: usize, range: &Range<usize>, wanted: impl Fn(usize) -> bool) -> Option<usize> {
        let level = self.level(range.start);
        let until = behind.min(range.end);
        (range.start..until).rev().find(|at| self.level(*at) == level && wanted(*at))
    }

    /// The tokens of a condition behind the keyword of its clause.
    pub(super) fn condition(&self, keyword: Keyword, condition: &Expr) -> Option<Range<usize>> {
        let first = self.first(condition)?;
        let at = (0..first).rev().find(|at| self.keyword(*at) == Some(keyword))?;
        Some(at + 1..self.end(self.last(condition)?, self.level(at))?)
    }

    /// Where that ends which has its last known token at `last` and stands in the bracket `level`.
    pub(super) fn end(&self, last: usize, level: Option<usize>) -> Option<usize> {
        let mut at = last;
        while self.level(at) != level {
            at = self.pair(self.level(at)?)?;
        }
        // The last token itself may open a bracket.
        at = self.behind(at);
        while self.level(at) == level && at < self.tokens.len() && !self.is_boundary(at) {
            at = self.behind(at);
        }
        Some(at)
    }

    /// Where the expressions begin that are joined up to a token: behind the bracket, comma or keyword before them.
    pub(super) fn start(&self, at: usize) -> usize {
        let level = self.level(at);
        let mut start = at;
        while let Some(before) = start.checked_sub(1) {
            let is_outside = self.level(before) != level || Some(before) == level;
            if is_outside || self.is_boundary(before) || self.precedes_condition(before) {
                break;
            }
            start = self.pair(before).filter(|pair| *pair < before).unwrap_or(before);
        }
        start
    }

    /// The token behind one, and behind the bracket that it opens.
    fn behind(&self, at: usize) -> usize {
        self.pair(at).filter(|close| *close > at).unwrap_or(at) + 1
    }

    fn precedes_condition(&self, at: usize) -> bool {
        matches!(self.keyword(at), Some(Keyword::BY | Keyword::WHEN | Keyword::THEN | Keyword::ELSE))
    }

    /// Whether an item or a clause ends at a token.
    fn is_boundary(&self, at: usize) -> bool {
        match self.keyword(at) {
            // Functions, too.
            Some(Keyword::LEFT | Keyword::RIGHT) => self.token(at + 1) != Some(&Token::LParen),
            // Behind a star it leaves out columns.
            Some(Keyword::EXCEPT) => at.checked_sub(1).and_then(|before| self.token(before)) != Some(&Token::Mul),
            Some(keyword) => begins_clause(keyword),
            None => {
                matches!(self.token(at), Some(Token::Comma | Token::SemiColon | Token::VerticalBarRightAngleBracket))
            }
        }
    }
}

/// Whether an AND is written as that word.
pub(super) fn is_written(and: &Lexed) -> bool {
    matches!(&and.token, Token::Word(word) if word.value.eq_ignore_ascii_case("and"))
}

/// Whether a word stands before a token, and nothing between.
pub(super) fn follows_word(tokens: &[Lexed], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let touches = |before: &Lexed| tokens.get(at).is_some_and(|token| before.span.end == token.span.start);
    before.is_some_and(|before| matches!(before.token, Token::Word(_)) && touches(before))
}
