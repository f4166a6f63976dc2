//! Optional clauses that are written out: `(<< s >> IS NULL OR a = << s >>)`, and `a = coalesce(<< s >>, a)`.
//!
//! Only what is a whole condition of a filter, joined to others by AND: there a clause that is left out says the same.

use super::arena::Arena;
use super::conditions::{FilterClause, Inside, Piece};
use super::extent::{Extents, follows_word, is_written};
use super::operands::Sense;
use crate::source::Span;
use crate::syntax::Placeholder;
use crate::syntax::lexer::{Lexed, Written};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::ops::Range;

/// A condition that applies where a parameter is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandWritten {
    /// The placeholder that decides, by its position in [`crate::syntax::ParsedQuery::placeholders`].
    pub placeholder: usize,
    /// The whole condition.
    pub span: Span,
    /// The column that is compared with itself where the parameter is absent.
    pub column: Option<Span>,
    /// The edits that write the clause, in order; none where a comment would be lost.
    pub edits: Vec<(Span, String)>,
}

/// Every such condition of a statement.
pub(super) fn find(arena: &Arena, extents: &Extents<'_>, placeholders: &[Placeholder]) -> Vec<HandWritten> {
    let search = Search { extents, placeholders };
    let filters = arena.outside_in().flat_map(|id| arena.filters(id));
    filters.flat_map(|filter| search.filter(filter)).collect()
}

struct Search<'a> {
    extents: &'a Extents<'a>,
    placeholders: &'a [Placeholder],
}

/// A condition, and the AND before it.
struct Place<'a> {
    and: Option<usize>,
    range: &'a Range<usize>,
}

/// What an optional clause keeps of a condition.
struct Kept {
    range: Range<usize>,
    /// Whether they are alternatives, and need brackets to be read as such.
    several: bool,
    /// Edits within, in order.
    inside: Vec<(Span, String)>,
}

impl Search<'_> {
    fn filter(&self, filter: &FilterClause) -> Vec<HandWritten> {
        match filter.alternatives.as_slice() {
            [conjuncts] => self.conjuncts(conjuncts),
            several => self.tested(several, &Place { and: None, range: &filter.range }).into_iter().collect(),
        }
    }

    fn conjuncts(&self, pieces: &[Piece]) -> Vec<HandWritten> {
        let mut found = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.sense == Sense::AsWritten) {
            let place = Place { and: piece.and, range: &piece.range };
            match &piece.inside {
                Inside::Single(_) => found.extend(self.fallen_back(&piece.core, &place)),
                Inside::Several(inside) => match inside.as_slice() {
                    [conjuncts] => found.extend(self.conjuncts(conjuncts)),
                    several => found.extend(self.tested(several, &place)),
                },
            }
        }
        found
    }

    /// `<< s >> IS NULL OR …`, where nothing else is asked for behind it; the test may stand at the end.
    fn tested(&self, alternatives: &[Vec<Piece>], place: &Place<'_>) -> Option<HandWritten> {
        let ends = (self.null_test(alternatives.first()?), self.null_test(alternatives.last()?));
        let (test, rest) = match ends {
            (Some(test), None) => (test, alternatives.get(1..)?),
            (None, Some(test)) => (test, alternatives.get(..alternatives.len() - 1)?),
            _ => return None,
        };
        let range = rest.first()?.first()?.range.start..rest.last()?.last()?.range.end;
        let first = self.only_of(&range, test)?;
        let inside = self.moved(test, first).into_iter().collect();
        let kept = Kept { range, several: rest.len() > 1, inside };
        self.found(test, None, place, kept)
    }

    /// The placeholder that a condition tests for NULL.
    fn null_test(&self, conjuncts: &[Piece]) -> Option<usize> {
        let [piece] = conjuncts else { return None };
        let [tested @ .., is, null] = self.extents.tokens.get(piece.core.clone())? else { return None };
        let is_test = is.is_keyword(Keyword::IS) && null.is_keyword(Keyword::NULL);
        cast(tested).filter(|_| is_test && piece.sense == Sense::AsWritten)
    }

    /// The first placeholder of a range, where all of them are of the parameter of another one, stand in no clause of
    /// their own, and are not asked whether they are NULL.
    fn only_of(&self, range: &Range<usize>, other: usize) -> Option<usize> {
        let name = &self.placeholders.get(other)?.name.value;
        let mut first = None;
        for at in range.clone() {
            let Some(index) = self.extents.tokens.get(at).and_then(placeholder) else { continue };
            let one = self.placeholders.get(index)?;
            let is_tested = self.extents.keyword(at + 1) == Some(Keyword::IS);
            if one.name.value != *name || one.clause.is_some() || is_tested {
                return None;
            }
            first = first.or(Some(index));
        }
        first
    }

    /// What a placeholder that goes away says of its parameter is said by another one.
    fn moved(&self, gone: usize, kept: usize) -> Option<(Span, String)> {
        let (gone, kept) = (self.placeholders.get(gone)?, self.placeholders.get(kept)?);
        (says_more(gone) && !says_more(kept)).then(|| (kept.span, self.extents.file.slice(gone.span).to_owned()))
    }

    /// `a = coalesce(<< s >>, a)`, or its sides the other way round.
    fn fallen_back(&self, core: &Range<usize>, place: &Place<'_>) -> Option<HandWritten> {
        // The column twice, the operator, the name of the function, two brackets, the placeholder and a comma.
        let length = core.len().checked_sub(6).filter(|rest| rest % 2 == 0)? / 2;
        let behind = (core.start, core.start + length, core.start + length + 1);
        let before = (core.start + length + 6, core.start + length + 5, core.start);
        [behind, before].into_iter().find_map(|(column, operator, call)| {
            let written = column..column + length;
            if !self.compares_again(operator) || !self.is_fallback(call, &written) {
                return None;
            }
            let span = |range: Range<usize>| self.extents.span(&range);
            let (name, value, close) = (span(call..call + 1)?, span(call + 2..call + 3)?, call + length + 4);
            let inside = vec![
                (Span { end: value.start, ..name }, String::new()),
                (Span { start: value.end, ..span(close..close + 1)? }, String::new()),
            ];
            let test = self.extents.tokens.get(call + 2).and_then(placeholder)?;
            let kept = Kept { range: core.clone(), several: false, inside };
            self.found(test, Some(span(written)?), place, kept)
        })
    }

    /// Whether a value compared with itself by an operator is true.
    fn compares_again(&self, operator: usize) -> bool {
        matches!(self.extents.token(operator), Some(Token::Eq | Token::DoubleEq | Token::GtEq | Token::LtEq))
    }

    /// Whether a call is that of a placeholder or else a column.
    fn is_fallback(&self, call: usize, column: &Range<usize>) -> bool {
        const NAMES: [&str; 3] = ["coalesce", "ifnull", "nvl"];
        let is_name = match self.extents.token(call) {
            Some(Token::Word(word)) => NAMES.iter().any(|name| word.value.eq_ignore_ascii_case(name)),
            _ => false,
        };
        let token = |at: usize| self.extents.token(at);
        let is_value = self.extents.tokens.get(call + 2).is_some_and(|value| placeholder(value).is_some());
        let is_part = |at: usize| matches!(token(at), Some(Token::Word(_) | Token::Period));
        let is_same = |at: usize| is_part(column.start + at) && token(column.start + at) == token(call + 4 + at);
        is_name
            && is_value
            && token(call + 1) == Some(&Token::LParen)
            && token(call + 3) == Some(&Token::Comma)
            && !column.is_empty()
            && (0..column.len()).all(is_same)
            && token(call + 4 + column.len()) == Some(&Token::RParen)
    }

    fn found(&self, test: usize, column: Option<Span>, place: &Place<'_>, kept: Kept) -> Option<HandWritten> {
        let span = self.extents.span(place.range)?;
        let edits = self.edits(place, span, kept).unwrap_or_default();
        Some(HandWritten { placeholder: test, span, column, edits })
    }

    /// The edits that leave a clause of what is kept.
    fn edits(&self, place: &Place<'_>, whole: Span, kept: Kept) -> Option<Vec<(Span, String)>> {
        let condition = self.extents.span(&kept.range)?;
        let (open, close) = if kept.several { ("(", ")") } else { ("", "") };
        let mut edits = Vec::new();
        let opening = match place.and {
            Some(and) => {
                self.extents.tokens.get(and).filter(|and| is_written(and))?;
                edits.push((self.extents.span(&(and..and + 1))?.before(), "[[ ".to_owned()));
                ""
            }
            None => "true [[ AND ",
        };
        // The bracket that goes may be all that parts it from the word before.
        let gap = if follows_word(self.extents.tokens, place.range.start) { " " } else { "" };
        edits.push((Span { end: condition.start, ..whole }, format!("{gap}{opening}{open}")));
        edits.extend(kept.inside);
        edits.push((Span { start: condition.end, ..whole }, format!("{close} ]]")));
        let is_comment = |text: &str| text.contains("--") || text.contains("/*");
        let loses = edits.iter().any(|(gone, _)| is_comment(self.extents.file.slice(*gone)));
        (!loses).then(|| joined(edits))
    }
}

/// Edits of which none touches another.
fn joined(edits: Vec<(Span, String)>) -> Vec<(Span, String)> {
    let mut all: Vec<(Span, String)> = Vec::new();
    for (span, text) in edits {
        match all.last_mut() {
            Some((before, written)) if before.end == span.start => {
                before.end = span.end;
                written.push_str(&text);
            }
            _ => all.push((span, text)),
        }
    }
    all.retain(|(span, text)| span.start < span.end || !text.is_empty());
    all
}

/// The placeholder of these tokens, with a cast around it: `<< s >>`, `<< s >>::text` or `CAST(<< s >> AS text)`.
fn cast(tokens: &[Lexed]) -> Option<usize> {
    let is_type = |token: &Lexed| {
        let is_word = matches!(&token.token, Token::Word(_) | Token::Number(..) | Token::Comma);
        is_word || matches!(token.token, Token::LParen | Token::RParen | Token::LBracket | Token::RBracket)
    };
    match tokens {
        [value] => placeholder(value),
        [value, sign, ty @ ..] if sign.token == Token::DoubleColon && !ty.is_empty() => {
            placeholder(value).filter(|_| ty.iter().all(|token| is_type(token) && placeholder(token).is_none()))
        }
        [word, open, value, behind, .., close]
            if word.is_keyword(Keyword::CAST)
                && open.token == Token::LParen
                && behind.is_keyword(Keyword::AS)
                && close.token == Token::RParen =>
        {
            placeholder(value)
        }
        _ => None,
    }
}

fn placeholder(token: &Lexed) -> Option<usize> {
    match token.written {
        Written::Placeholder(index) => Some(index),
        Written::AsIs | Written::Inserted => None,
    }
}

/// Whether a placeholder says more than the name.
fn says_more(one: &Placeholder) -> bool {
    one.declared.is_some() || one.default.is_some() || one.optional || !one.also.is_empty()
}
