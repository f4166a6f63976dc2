//! Conditions that go with an optional clause though they do not stand in it.
//!
//! AND binds closer than OR: in `a [[ OR b ]] [[ AND c ]]` the `c` belongs to `b`, and where the clause of `b` is left out,
//! `c` goes with it. Read off the tokens, for the edit needs the exact place where the alternatives begin.

use crate::source::Span;
use crate::syntax::OPTIONAL_OR;
use crate::syntax::ast::begins_clause;
use crate::syntax::lexer::{Lexed, Written};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// A condition behind an optional OR clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swallowed {
    /// The AND before it.
    pub and: Span,
    /// The optional clause that it goes with.
    pub clause: Span,
    /// Where the bracket around the alternatives opens.
    pub open: Span,
    /// Where it closes.
    pub close: Span,
}

/// Every such condition: of several behind one clause, the first.
pub(super) fn find(tokens: &[Lexed]) -> Vec<Swallowed> {
    let mut search = Search { tokens, open: Vec::new(), here: Alternatives::from(0), found: Vec::new() };
    for at in 0..tokens.len() {
        search.step(at);
    }
    search.found
}

/// What is joined by ANDs and ORs, as far as it was read.
#[derive(Clone, Copy)]
struct Alternatives {
    start: usize,
    /// How many BETWEENs wait for their AND.
    betweens: usize,
    /// The optional clause that is the beginning of the last alternative: its first token, and its last once it is closed.
    clause: Option<(usize, usize)>,
}

impl Alternatives {
    fn from(start: usize) -> Alternatives {
        Alternatives { start, betweens: 0, clause: None }
    }
}

struct Search<'a> {
    tokens: &'a [Lexed],
    /// What stands around the brackets that are open.
    open: Vec<Alternatives>,
    here: Alternatives,
    found: Vec<Swallowed>,
}

impl Search<'_> {
    fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at).map(|token| &token.token)
    }

    /// The keyword at a place; a name behind a dot is none.
    fn keyword(&self, at: usize) -> Option<Keyword> {
        let behind_dot = at.checked_sub(1).is_some_and(|before| self.token(before) == Some(&Token::Period));
        match self.token(at)? {
            Token::Word(word) if word.quote_style.is_none() && !behind_dot => Some(word.keyword),
            _ => None,
        }
    }

    fn step(&mut self, at: usize) {
        match self.token(at) {
            Some(Token::LParen | Token::LBracket | Token::LBrace) => self.enter(at),
            Some(Token::RParen | Token::RBracket | Token::RBrace) => self.leave(at),
            Some(Token::Comma | Token::SemiColon) => self.here = Alternatives::from(at + 1),
            _ => match self.keyword(at) {
                Some(Keyword::CASE) => self.enter(at),
                Some(Keyword::END) => self.leave(at),
                Some(Keyword::BETWEEN) => self.here.betweens += 1,
                Some(Keyword::AND) if self.here.betweens > 0 => self.here.betweens -= 1,
                Some(Keyword::AND) => self.and(at),
                Some(Keyword::OR) => self.here.clause = self.is_optional(at).then_some((at, at)),
                Some(keyword) if begins_conditions(keyword) => self.here = Alternatives::from(at + 1),
                _ => {}
            },
        }
    }

    fn enter(&mut self, at: usize) {
        self.open.push(self.here);
        self.here = Alternatives::from(at + 1);
    }

    fn leave(&mut self, at: usize) {
        if let Some(around) = self.open.pop() {
            self.here = around;
            let is_clause = self.tokens.get(at).is_some_and(|token| token.written == Written::Inserted);
            if let Some((first, last)) = &mut self.here.clause
                && is_clause
                && first == last
            {
                *last = at;
            }
        }
    }

    fn is_optional(&self, or: usize) -> bool {
        let marker = self.tokens.get(or + 1).filter(|token| token.written == Written::Inserted);
        marker.is_some_and(|token| matches!(&token.token, Token::Word(word) if word.value == OPTIONAL_OR))
    }

    fn and(&mut self, at: usize) {
        let Some((first, last)) = self.here.clause.take() else { return };
        let span = |at: usize| self.tokens.get(at).map(|token| token.span);
        let places = || {
            let before = span(at.checked_sub(1)?)?;
            // The marker stands where the clause opens.
            let clause = span(first + 1)?.to(span(last)?);
            Some(Swallowed { and: span(at)?, clause, open: span(self.here.start)?.before(), close: before.after() })
        };
        self.found.extend(places());
    }
}

/// Keywords behind which a condition begins anew.
fn begins_conditions(keyword: Keyword) -> bool {
    begins_clause(keyword) || matches!(keyword, Keyword::BY | Keyword::WHEN | Keyword::THEN | Keyword::ELSE)
}
