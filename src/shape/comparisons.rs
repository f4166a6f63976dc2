//! Conditions that no row passes where a parameter is absent: a comparison with NULL is NULL.
//!
//! Read off the tokens, because the edit that helps needs the exact extent of a condition, and the parser's places leave
//! out brackets and keywords. What follows WHERE, HAVING, ON or QUALIFY is cut at its ANDs and ORs; each piece is parsed
//! by itself to see what it compares. A piece that does not parse is none of these comparisons.
//!
//! One of several alternatives is no such condition by itself: `a OR NULL` is `a`. Nothing is said of what stands under a
//! NOT with other conditions, or in a subquery whose rows count against a row.

mod operands;

pub(super) use operands::operand;

use crate::source::Span;
use crate::syntax::Placeholder;
use crate::syntax::ast::{begins_clause, joins_queries};
use crate::syntax::lexer::{Lexed, Written};
use crate::syntax::statement::parse_expression;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR};
use operands::compared;
use sqlparser::ast::Expr;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;
use std::collections::HashSet;
use std::ops::Range;

/// A condition that is NULL or false where one of its placeholders is NULL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// The placeholders, by their positions in [`crate::syntax::ParsedQuery::placeholders`].
    pub placeholders: Vec<usize>,
    /// The whole condition.
    pub span: Span,
    /// How to make it an optional clause, where that leaves the other conditions as they are.
    pub clause: Option<ClauseEdit>,
    /// Its parts, where it is a BETWEEN whose bounds are better asked for one by one.
    pub between: Option<Between>,
}

/// The two insertions that make an optional clause of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClauseEdit {
    /// Where the clause opens.
    pub open: Span,
    /// What is inserted there.
    pub opening: &'static str,
    /// Where the clause closes.
    pub close: Span,
    /// What is inserted there.
    pub closing: &'static str,
}

/// `x BETWEEN low AND high`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Between {
    /// What is compared.
    pub operand: Span,
    /// The word `BETWEEN`.
    pub between: Span,
    /// The word `AND`.
    pub and: Span,
    /// The lower bound.
    pub low: Span,
    /// The upper bound.
    pub high: Span,
}

/// Every such condition of a statement, but those beside which the same filter asks whether the parameter is NULL.
pub(super) fn find(tokens: &[Lexed], placeholders: &[Placeholder]) -> Vec<Comparison> {
    let mut search = Search { tokens, placeholders, found: Vec::new() };
    search.filters(0..tokens.len(), &Around::default());
    search.found
}

struct Search<'a> {
    tokens: &'a [Lexed],
    placeholders: &'a [Placeholder],
    found: Vec<Comparison>,
}

/// What stands around a filter or condition.
#[derive(Clone, Default)]
struct Around<'a> {
    /// The parameters of which a condition says whether they are NULL.
    tested: HashSet<&'a str>,
    edits: Edits,
}

/// Whether edits are suggested.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Edits {
    #[default]
    Given,
    /// To let more rows through might bring about the contrary of what is meant.
    Withheld,
}

/// One of the conditions that ANDs join.
struct Piece {
    /// The AND before it; none before the first.
    and: Option<usize>,
    range: Range<usize>,
}

/// What is left of a piece without NOT and brackets around the whole.
struct Core {
    range: Range<usize>,
    sense: Sense,
}

/// Whether a condition stands under an odd number of NOTs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    AsWritten,
    Negated,
}

impl Sense {
    fn flipped(self) -> Sense {
        match self {
            Sense::AsWritten => Sense::Negated,
            Sense::Negated => Sense::AsWritten,
        }
    }
}

impl<'a> Search<'a> {
    fn token(&self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at).map(|token| &token.token)
    }

    fn span(&self, range: &Range<usize>) -> Option<Span> {
        let tokens = self.tokens.get(range.clone())?;
        Some(tokens.first()?.span.to(tokens.last()?.span))
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

    /// The keywords of a range that stand in no brackets, with their places.
    fn outer_keywords(&self, range: &Range<usize>) -> Vec<(usize, Keyword)> {
        let mut depth = 0;
        let mut found = Vec::new();
        for at in range.clone() {
            let step = self.nesting(at);
            // CASE itself stands outside of what it opens.
            if depth == 0 && step >= 0 {
                found.extend(self.keyword(at).map(|keyword| (at, keyword)));
            }
            depth += step;
        }
        found
    }

    /// Looks at every filter of a range.
    fn filters(&mut self, range: Range<usize>, around: &Around<'a>) {
        let mut open = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let edits = open.last().copied().unwrap_or(around.edits);
            match self.token(at) {
                Some(Token::LParen) => {
                    let is_value = self.is_query(at + 1) && !self.is_relation(at);
                    open.push(if is_value { Edits::Withheld } else { edits });
                }
                Some(Token::RParen) => {
                    open.pop();
                }
                _ if self.begins_conditions(at) => {
                    let end = self.end_of_conditions(at + 1);
                    self.filter(at, end, &Around { tested: around.tested.clone(), edits });
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// Whether the query in a bracket is read as rows, and not as one value, or as what must not be there.
    fn is_relation(&self, bracket: usize) -> bool {
        let before = |steps: usize| bracket.checked_sub(steps).and_then(|at| self.keyword(at));
        match before(1) {
            Some(Keyword::EXISTS | Keyword::IN) => before(2) != Some(Keyword::NOT),
            Some(Keyword::ALL) => before(2).is_some_and(joins_queries),
            Some(Keyword::FROM | Keyword::JOIN | Keyword::LATERAL | Keyword::AS | Keyword::MATERIALIZED) => true,
            Some(keyword) => joins_queries(keyword),
            None => bracket == 0,
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

    /// Looks at the filter between a keyword and its end.
    fn filter(&mut self, keyword: usize, end: usize, around: &Around<'a>) {
        let range = keyword + 1..end;
        let alternatives = self.alternatives(range.clone());
        let mut around = around.clone();
        around.tested.extend(self.tested_for_null(&alternatives));
        if self.keyword(keyword) == Some(Keyword::ON) && !self.joins_without(&alternatives) {
            around.edits = Edits::Withheld;
        }
        match alternatives.as_slice() {
            [conjuncts] => self.conjuncts(conjuncts, &around),
            _ => {
                let clause = self.span(&range).map(|span| ClauseEdit {
                    open: span.before(),
                    opening: "true [[ AND (",
                    close: span.after(),
                    closing: ") ]]",
                });
                self.either(&range, self.span(&range), clause, &around);
            }
        }
    }

    /// Whether something is left to join on without the conditions that no row passes: else all is joined with all.
    fn joins_without(&self, alternatives: &[Vec<Piece>]) -> bool {
        match alternatives {
            [conjuncts] => conjuncts.iter().any(|piece| self.dead(piece).is_empty()),
            _ => false,
        }
    }

    /// Cuts at ORs and ANDs that stand in no brackets; the AND of a BETWEEN belongs to it.
    fn alternatives(&self, range: Range<usize>) -> Vec<Vec<Piece>> {
        let (mut alternatives, mut conjuncts) = (Vec::new(), Vec::new());
        let (mut and, mut start, mut betweens) = (None, range.start, 0_usize);
        for (at, keyword) in self.outer_keywords(&range) {
            match keyword {
                Keyword::BETWEEN => betweens += 1,
                Keyword::AND if betweens > 0 => betweens -= 1,
                Keyword::AND => {
                    conjuncts.push(Piece { and, range: start..at });
                    (and, start) = (Some(at), at + 1);
                }
                Keyword::OR => {
                    conjuncts.push(Piece { and, range: start..at });
                    alternatives.push(std::mem::take(&mut conjuncts));
                    (and, start) = (None, at + 1);
                }
                _ => {}
            }
        }
        conjuncts.push(Piece { and, range: start..range.end });
        alternatives.push(conjuncts);
        alternatives
    }

    fn core(&self, piece: &Piece) -> Core {
        let mut core = Core { range: piece.range.clone(), sense: Sense::AsWritten };
        loop {
            if core.range.len() > 1 && self.keyword(core.range.start) == Some(Keyword::NOT) {
                core.range.start += 1;
                core.sense = core.sense.flipped();
                continue;
            }
            match self.inside(&core.range) {
                Some(inside) => core.range = inside,
                None => return core,
            }
            if is_several(&self.alternatives(core.range.clone())) {
                return core;
            }
        }
    }

    /// The inside of brackets that hold all of a range, and no query.
    fn inside(&self, range: &Range<usize>) -> Option<Range<usize>> {
        if self.token(range.start) != Some(&Token::LParen) {
            return None;
        }
        let mut depth = 0;
        let close = range.clone().find(|at| {
            depth += self.nesting(*at);
            depth == 0
        })?;
        let inside = range.start + 1..close;
        (close + 1 == range.end && !self.is_query(inside.start) && !inside.is_empty()).then_some(inside)
    }

    fn is_query(&self, at: usize) -> bool {
        matches!(self.keyword(at), Some(Keyword::SELECT | Keyword::WITH | Keyword::VALUES | Keyword::FROM))
    }

    /// Whether a piece begins with one of the functions that optional clauses become.
    fn is_clause(&self, piece: &Piece, marker: &str) -> bool {
        let begins = self.tokens.get(piece.range.start);
        begins.is_some_and(|token| {
            token.written == Written::Inserted && matches!(&token.token, Token::Word(word) if word.value == marker)
        })
    }

    /// The parameters of which a condition says `IS NULL` or `IS NOT NULL`, on any level of its ANDs and ORs.
    fn tested_for_null(&self, alternatives: &[Vec<Piece>]) -> Vec<&'a str> {
        let mut found = Vec::new();
        for piece in alternatives.iter().flatten() {
            let core = self.core(piece);
            let inside = self.alternatives(core.range.clone());
            if is_several(&inside) {
                found.extend(self.tested_for_null(&inside));
            } else if self.tests_for_null(&core.range) {
                found.extend(core.range.filter_map(|at| self.name(self.placeholder(at)?)));
            }
        }
        found
    }

    fn tests_for_null(&self, range: &Range<usize>) -> bool {
        let back = |steps: usize| range.end.checked_sub(steps).filter(|at| range.contains(at));
        let is = |steps: usize, keyword| back(steps).and_then(|at| self.keyword(at)) == Some(keyword);
        is(1, Keyword::NULL) && (is(2, Keyword::IS) || (is(2, Keyword::NOT) && is(3, Keyword::IS)))
    }

    /// The placeholder that a token is, by its position.
    fn placeholder(&self, at: usize) -> Option<usize> {
        match self.tokens.get(at)?.written {
            Written::Placeholder(index) => Some(index),
            Written::AsIs | Written::Inserted => None,
        }
    }

    fn name(&self, placeholder: usize) -> Option<&'a str> {
        let placeholders = self.placeholders;
        placeholders.get(placeholder).map(|one| one.name.value.as_str())
    }

    /// Whether a placeholder stands in no optional clause, and nothing around says whether its parameter is NULL.
    fn counts(&self, placeholder: usize, tested: &HashSet<&'a str>) -> bool {
        let placeholder = self.placeholders.get(placeholder);
        placeholder.is_some_and(|one| one.clause.is_none() && !tested.contains(one.name.value.as_str()))
    }

    /// Looks at conditions that must all hold.
    fn conjuncts(&mut self, pieces: &[Piece], around: &Around<'a>) {
        for piece in pieces {
            let core = self.core(piece);
            let inside = self.alternatives(core.range.clone());
            match inside.as_slice() {
                inside if !is_several(inside) => self.condition(piece, core, around),
                // A NOT of several conditions may hold though one of them is NULL.
                _ if core.sense == Sense::Negated => {}
                [conjuncts] => self.conjuncts(conjuncts, around),
                _ => {
                    let span = self.span(&piece.range);
                    let clause = span.and_then(|span| self.clause(piece, span));
                    self.either(&core.range, span, clause, around);
                }
            }
        }
    }

    /// Looks at conditions of which one must hold: no row passes where none of them can.
    fn either(&mut self, range: &Range<usize>, span: Option<Span>, clause: Option<ClauseEdit>, around: &Around<'a>) {
        let mut placeholders = self.dead_together(&self.alternatives(range.clone()));
        placeholders.retain(|index| self.counts(*index, &around.tested));
        let Some(span) = span.filter(|_| !placeholders.is_empty()) else { return };
        let in_clause = |index: usize| self.placeholders.get(index).is_some_and(|one| one.clause.is_some());
        let has_clause = range.clone().filter_map(|at| self.placeholder(at)).any(in_clause);
        let clause = clause.filter(|_| around.edits == Edits::Given && !has_clause);
        self.found.push(Comparison { placeholders, span, clause, between: None });
    }

    /// The placeholders whose absence leaves nothing of the alternatives.
    fn dead_together(&self, alternatives: &[Vec<Piece>]) -> Vec<usize> {
        let dead = |conjuncts: &Vec<Piece>| conjuncts.iter().flat_map(|piece| self.dead(piece)).collect::<Vec<usize>>();
        let each: Vec<Vec<usize>> = alternatives.iter().map(dead).collect();
        let names = |placeholders: &Vec<usize>| -> HashSet<&str> {
            placeholders.iter().filter_map(|at| self.name(*at)).collect()
        };
        let named: Vec<HashSet<&str>> = each.iter().map(names).collect();
        let in_all = |at: &usize| self.name(*at).is_some_and(|name| named.iter().all(|names| names.contains(name)));
        each.into_iter().flatten().filter(in_all).collect()
    }

    /// The placeholders whose absence makes a condition NULL or false.
    fn dead(&self, piece: &Piece) -> Vec<usize> {
        if self.is_clause(piece, OPTIONAL_AND) {
            return Vec::new();
        }
        if self.is_clause(piece, OPTIONAL_OR) {
            // Left out where any of them is absent.
            return piece.range.clone().filter_map(|at| self.placeholder(at)).collect();
        }
        let core = self.core(piece);
        let inside = self.alternatives(core.range.clone());
        if !is_several(&inside) {
            self.parsed(&core).map(|expr| compared(&expr, core.sense)).unwrap_or_default()
        } else if core.sense == Sense::Negated {
            Vec::new()
        } else {
            self.dead_together(&inside)
        }
    }

    /// The expression of a condition that has a placeholder.
    fn parsed(&self, core: &Core) -> Option<Expr> {
        let has_placeholder = core.range.clone().any(|at| self.placeholder(at).is_some());
        parse_expression(self.tokens.get(core.range.clone()).filter(|_| has_placeholder)?)
    }

    /// Looks at one condition, and at the filters of the subqueries in it.
    fn condition(&mut self, piece: &Piece, core: Core, around: &Around<'a>) {
        let found = self.comparison(piece, &core, around);
        self.found.extend(found);
        let outer = self.outer_keywords(&core.range);
        let turns = |(_, keyword): &(usize, Keyword)| {
            matches!(keyword, Keyword::NOT | Keyword::ALL | Keyword::IS | Keyword::CASE)
        };
        if core.sense == Sense::Negated || outer.iter().any(turns) {
            return;
        }
        // More rows in the subquery are more rows of the result.
        let is_set = outer.iter().any(|(at, keyword)| match keyword {
            Keyword::EXISTS => *at == core.range.start,
            Keyword::IN => self.is_query(at + 2),
            _ => false,
        });
        let edits = if is_set { around.edits } else { Edits::Withheld };
        self.filters(core.range, &Around { tested: around.tested.clone(), edits });
    }

    fn comparison(&self, piece: &Piece, core: &Core, around: &Around<'a>) -> Option<Comparison> {
        let counts = |index: usize| self.counts(index, &around.tested);
        if !core.range.clone().filter_map(|at| self.placeholder(at)).any(counts) {
            return None;
        }
        let expr = self.parsed(core)?;
        let mut placeholders = compared(&expr, core.sense);
        placeholders.retain(|index| counts(*index));
        if placeholders.is_empty() {
            return None;
        }
        let span = self.span(&piece.range)?;
        let clause = self.clause(piece, span).filter(|_| around.edits == Edits::Given);
        let (clause, between) = match &expr {
            Expr::Between { expr, low, high, .. } if !(operand(low).is_empty() && operand(high).is_empty()) => {
                // One clause around both would ask for both, or leave out a bound that is given.
                let is_whole = core.range == piece.range && core.sense == Sense::AsWritten && operand(expr).is_empty();
                let between = self.between(&core.range).filter(|_| is_whole);
                (clause.filter(|_| between.is_some()), between)
            }
            // Likewise, of several items each may be given by itself.
            Expr::InList { .. } if self.several_names(&placeholders) => (None, None),
            _ => (clause, None),
        };
        Some(Comparison { placeholders, span, clause, between })
    }

    fn several_names(&self, placeholders: &[usize]) -> bool {
        let names: HashSet<&str> = placeholders.iter().filter_map(|at| self.name(*at)).collect();
        names.len() > 1
    }

    /// The parts of a range that is one BETWEEN.
    fn between(&self, range: &Range<usize>) -> Option<Between> {
        let outer = self.outer_keywords(range);
        let place = |wanted: Keyword| {
            let mut places = outer.iter().filter(|(_, keyword)| *keyword == wanted).map(|(at, _)| *at);
            places.next().filter(|_| places.next().is_none())
        };
        let (between, and) = (place(Keyword::BETWEEN)?, place(Keyword::AND)?);
        Some(Between {
            operand: self.span(&(range.start..between))?,
            between: self.tokens.get(between)?.span,
            and: self.tokens.get(and)?.span,
            low: self.span(&(between + 1..and))?,
            high: self.span(&(and + 1..range.end))?,
        })
    }

    /// `[[ AND x = << p >> ]]` where a condition stands before; else `true [[ AND x = << p >> ]]`, where `true` changes
    /// nothing: never beside an OR.
    fn clause(&self, piece: &Piece, span: Span) -> Option<ClauseEdit> {
        let (open, opening) = match piece.and {
            Some(and) => (self.tokens.get(and)?.span.before(), "[[ "),
            None => (span.before(), "true [[ AND "),
        };
        Some(ClauseEdit { open, opening, close: span.after(), closing: " ]]" })
    }
}

/// Whether there is more than one condition.
fn is_several(alternatives: &[Vec<Piece>]) -> bool {
    match alternatives {
        [conjuncts] => conjuncts.len() > 1,
        _ => true,
    }
}

/// FROM is left out: of `IS DISTINCT FROM` it is a part.
fn ends_conditions(keyword: Keyword) -> bool {
    begins_clause(keyword) && keyword != Keyword::FROM
}
