//! Comparisons with a placeholder outside of an optional clause: NULL where the parameter is absent, so no row matches.
//!
//! Read off the tokens, because the edit that helps needs the exact extent of a condition, and the parser's places leave
//! out brackets and keywords. What follows WHERE, HAVING, ON or QUALIFY is cut at its ANDs and ORs; each piece is parsed
//! by itself to see what it compares. A piece that does not parse is none of these comparisons.

use super::lexer::{Lexed, Written};
use super::placeholder::Placeholder;
use super::statement::parse_expression;
use crate::diagnostic::codes::Connective;
use crate::source::Span;
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::ops::Range;

/// A condition that is NULL where one of its placeholders is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The placeholders, by their positions in [`super::ParsedQuery::placeholders`].
    pub placeholders: Vec<usize>,
    /// The whole condition.
    pub span: Span,
    /// How to make it an optional clause, where that leaves the other conditions as they are.
    pub clause: Option<ClauseEdit>,
}

/// The two insertions that make an optional clause of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClauseEdit {
    /// Where the clause opens.
    pub open: Span,
    /// What is inserted there.
    pub opening: &'static str,
    /// Where ` ]]` closes it.
    pub close: Span,
}

/// Every comparison of a statement, but those beside which an `OR` asks whether the parameter is NULL.
pub(super) fn find(tokens: &[Lexed], placeholders: &[Placeholder]) -> Vec<Comparison> {
    let mut search = Search { tokens, placeholders, found: Vec::new() };
    for at in 0..tokens.len() {
        if search.begins_conditions(at) {
            let end = search.end_of_conditions(at + 1);
            search.conditions(at + 1..end, &[]);
        }
    }
    search.found
}

struct Search<'a> {
    tokens: &'a [Lexed],
    placeholders: &'a [Placeholder],
    found: Vec<Comparison>,
}

/// One of the conditions that ANDs and ORs join.
struct Piece {
    /// The word before it and its place; none before the first.
    joined_by: Option<(usize, Connective)>,
    range: Range<usize>,
}

impl<'a> Search<'a> {
    fn token(&self, at: usize) -> Option<&'a Token> {
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

    /// How a token changes the depth. CASE … END are brackets too: what stands between is a condition of its own.
    fn nesting(&self, at: usize) -> i32 {
        match self.token(at) {
            Some(Token::LParen | Token::LBracket | Token::LBrace) => 1,
            Some(Token::RParen | Token::RBracket | Token::RBrace) => -1,
            _ => match self.keyword(at) {
                Some(Keyword::CASE) => 1,
                Some(Keyword::END) => -1,
                _ => 0,
            },
        }
    }

    /// `FILTER (WHERE …)` empties an aggregate and not the result; `DISTINCT ON (…)` is no condition.
    fn begins_conditions(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        match self.keyword(at) {
            Some(Keyword::HAVING | Keyword::QUALIFY) => true,
            Some(Keyword::WHERE) => before.and_then(|before| self.token(before)) != Some(&Token::LParen),
            Some(Keyword::ON) => before.and_then(|before| self.keyword(before)) != Some(Keyword::DISTINCT),
            _ => false,
        }
    }

    fn end_of_conditions(&self, start: usize) -> usize {
        let mut depth = 0;
        for at in start..self.tokens.len() {
            let step = self.nesting(at);
            if depth == 0 && (step < 0 || self.ends_conditions(at)) {
                return at;
            }
            depth += step;
        }
        self.tokens.len()
    }

    fn ends_conditions(&self, at: usize) -> bool {
        match self.keyword(at) {
            // Functions, too.
            Some(Keyword::LEFT | Keyword::RIGHT) => self.token(at + 1) != Some(&Token::LParen),
            Some(keyword) => ends_conditions(keyword),
            None => matches!(self.token(at), Some(Token::Comma | Token::SemiColon)),
        }
    }

    /// Cuts at ANDs and ORs that stand in no brackets; the AND of a BETWEEN belongs to it.
    fn pieces(&self, range: Range<usize>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let (mut depth, mut betweens) = (0, 0_usize);
        let (mut joined_by, mut start) = (None, range.start);
        for at in range.clone() {
            depth += self.nesting(at);
            let connective = match self.keyword(at).filter(|_| depth == 0) {
                Some(Keyword::AND) if betweens == 0 => Connective::And,
                Some(Keyword::OR) => Connective::Or,
                Some(Keyword::AND) => {
                    betweens -= 1;
                    continue;
                }
                Some(Keyword::BETWEEN) => {
                    betweens += 1;
                    continue;
                }
                _ => continue,
            };
            pieces.push(Piece { joined_by, range: start..at });
            joined_by = Some((at, connective));
            start = at + 1;
        }
        pieces.push(Piece { joined_by, range: start..range.end });
        pieces
    }

    /// What is left of a piece without NOT and brackets around the whole.
    fn core(&self, piece: &Piece) -> Range<usize> {
        let mut range = piece.range.clone();
        loop {
            if range.len() > 1 && self.keyword(range.start) == Some(Keyword::NOT) {
                range.start += 1;
                continue;
            }
            match self.inside(&range) {
                Some(inside) => range = inside,
                None => return range,
            }
            if self.pieces(range.clone()).len() > 1 {
                return range;
            }
        }
    }

    /// The inside of brackets that hold all of a range, and no query.
    fn inside(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let mut depth = 0;
        let close = range.clone().find(|at| {
            depth += self.nesting(*at);
            depth == 0
        })?;
        let inside = range.start + 1..close;
        let is_query = matches!(
            self.keyword(inside.start),
            Some(Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::FROM)
        );
        let holds_all = self.token(range.start) == Some(&Token::LParen) && close + 1 == range.end;
        (holds_all && !is_query && !inside.is_empty()).then_some(inside)
    }

    /// Looks at every condition of a range. `tested` are the parameters that an OR around it asks about.
    fn conditions(&mut self, range: Range<usize>, tested: &[&'a str]) {
        let pieces = self.pieces(range.clone());
        let mut tested = tested.to_vec();
        if pieces.iter().any(|piece| matches!(piece.joined_by, Some((_, Connective::Or)))) {
            tested.extend(self.tested_for_null(range));
        }
        for (at, piece) in pieces.iter().enumerate() {
            let core = self.core(piece);
            if self.pieces(core.clone()).len() > 1 {
                self.conditions(core, &tested);
                continue;
            }
            let next = pieces.get(at + 1).and_then(|next| next.joined_by).map(|(_, connective)| connective);
            let found = self.comparison(piece, core, next, &tested);
            self.found.extend(found);
        }
    }

    /// The parameters of which a range says `IS NULL` or `IS NOT NULL`.
    fn tested_for_null(&self, range: Range<usize>) -> Vec<&'a str> {
        let placeholders = self.placeholders;
        range
            .filter_map(|at| {
                let Written::Placeholder(index) = self.tokens.get(at)?.written else { return None };
                let not = usize::from(self.keyword(at + 2) == Some(Keyword::NOT));
                let tests =
                    self.keyword(at + 1) == Some(Keyword::IS) && self.keyword(at + 2 + not) == Some(Keyword::NULL);
                placeholders.get(index).filter(|_| tests).map(|placeholder| placeholder.name.value.as_str())
            })
            .collect()
    }

    fn comparison(
        &self,
        piece: &Piece,
        core: Range<usize>,
        next: Option<Connective>,
        tested: &[&str],
    ) -> Option<Comparison> {
        let counts = |index: &usize| {
            let placeholder = self.placeholders.get(*index);
            placeholder.is_some_and(|one| one.clause.is_none() && !tested.contains(&one.name.value.as_str()))
        };
        let tokens = self.tokens.get(core)?;
        if !tokens.iter().any(|token| matches!(&token.written, Written::Placeholder(index) if counts(index))) {
            return None;
        }
        let mut placeholders = compared(&parse_expression(tokens)?);
        placeholders.retain(counts);
        if placeholders.is_empty() {
            return None;
        }
        let whole = self.tokens.get(piece.range.clone())?;
        let span = whole.first()?.span.to(whole.last()?.span);
        Some(Comparison { placeholders, span, clause: self.clause(piece, span, next) })
    }

    /// `[[ AND x = << p >> ]]` where a condition stands before; else `true [[ AND x = << p >> ]]`, where `true` changes
    /// nothing: not beside an OR.
    fn clause(&self, piece: &Piece, span: Span, next: Option<Connective>) -> Option<ClauseEdit> {
        let close = span.after();
        let (open, opening) = match (piece.joined_by, next) {
            (Some((at, Connective::And)), _) | (Some((at, Connective::Or)), None | Some(Connective::Or)) => {
                (self.tokens.get(at)?.span.before(), "[[ ")
            }
            (_, None | Some(Connective::And)) => (span.before(), "true [[ AND "),
            (None, Some(Connective::Or)) => return None,
        };
        Some(ClauseEdit { open, opening, close })
    }
}

fn ends_conditions(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::WHERE
            | Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::WINDOW
            | Keyword::ORDER
            | Keyword::LIMIT
            | Keyword::OFFSET
            | Keyword::FETCH
            | Keyword::UNION
            | Keyword::EXCEPT
            | Keyword::INTERSECT
            | Keyword::MINUS
            | Keyword::JOIN
            | Keyword::INNER
            | Keyword::FULL
            | Keyword::CROSS
            | Keyword::NATURAL
            | Keyword::ON
            | Keyword::FOR
    )
}

/// The placeholders whose absence makes a comparison NULL; none of what is no comparison.
fn compared(condition: &Expr) -> Vec<usize> {
    match condition {
        Expr::Nested(inner) | Expr::UnaryOp { op: UnaryOperator::Not, expr: inner } => compared(inner),
        Expr::BinaryOp { left, op, right } if compares(op) => operands(&[left, right]),
        Expr::Like { expr, pattern, .. }
        | Expr::ILike { expr, pattern, .. }
        | Expr::SimilarTo { expr, pattern, .. }
        | Expr::RLike { expr, pattern, .. } => operands(&[expr, pattern]),
        Expr::AnyOp { left, right, .. } | Expr::AllOp { left, right, .. } => operands(&[left, right]),
        Expr::Between { expr, low, high, .. } => operands(&[expr, low, high]),
        Expr::InSubquery { expr, .. } => operand(expr),
        // Among other items an absent one is no loss, but NOT IN a list with NULL holds for nothing.
        Expr::InList { expr, list, negated } => {
            let items = if *negated || list.len() == 1 { list.as_slice() } else { &[] };
            operand(expr).into_iter().chain(items.iter().flat_map(operand)).collect()
        }
        _ => Vec::new(),
    }
}

fn operands(all: &[&Expr]) -> Vec<usize> {
    all.iter().flat_map(|one| operand(one)).collect()
}

/// The placeholders that make an operand NULL: functions may do otherwise, as `coalesce` does.
fn operand(expr: &Expr) -> Vec<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Value::Placeholder(written) => {
                let number: Option<usize> = written.strip_prefix('$').and_then(|number| number.parse().ok());
                number.and_then(|number| number.checked_sub(1)).into_iter().collect()
            }
            _ => Vec::new(),
        },
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => operand(inner),
        Expr::UnaryOp { op: UnaryOperator::Plus | UnaryOperator::Minus, expr: inner } => operand(inner),
        Expr::BinaryOp { left, op, right } if computes(op) => operands(&[left, right]),
        _ => Vec::new(),
    }
}

fn compares(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::PGRegexMatch
            | BinaryOperator::PGRegexIMatch
            | BinaryOperator::PGRegexNotMatch
            | BinaryOperator::PGRegexNotIMatch
            | BinaryOperator::PGLikeMatch
            | BinaryOperator::PGILikeMatch
            | BinaryOperator::PGNotLikeMatch
            | BinaryOperator::PGNotILikeMatch
    )
}

fn computes(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::StringConcat
    )
}
