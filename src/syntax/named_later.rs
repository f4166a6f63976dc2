//! Names that a SELECT gives, used in its WHERE: what is meant is written there, or in the clause that comes behind.
//!
//! Told by the tokens of the outermost SELECT: where they leave a doubt, there is no edit.

use super::ParsedQuery;
use super::lexer::{Lexed, Written};
use crate::diagnostic::codes::Computed;
use crate::source::{SourceFile, Span};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// The functions that make one value of many rows, where no window stands behind them.
const AGGREGATES: [&str; 14] = [
    "sum",
    "count",
    "avg",
    "min",
    "max",
    "median",
    "stddev",
    "var_samp",
    "array_agg",
    "string_agg",
    "bool_and",
    "bool_or",
    "first_value",
    "last_value",
];

/// A name of the SELECT in its WHERE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedLater {
    /// The expression that has the name.
    pub expression: Span,
    /// What that is.
    pub computed: Computed,
    /// What writes the condition where it belongs; empty where that is in doubt.
    pub edits: Vec<(Span, String)>,
}

impl ParsedQuery {
    /// What the name at `place` stands for, where that is in WHERE and the SELECT gives the name.
    pub fn named_later(&self, file: &SourceFile, place: Span, name: &str) -> Option<NamedLater> {
        let clauses = Clauses::of(&self.tokens)?;
        let condition = clauses.condition();
        let is_there = condition.first()?.span.start <= place.start && place.end <= condition.last()?.span.end;
        if !is_there || condition.iter().any(|token| token.is_keyword(Keyword::SELECT)) {
            return None;
        }
        let expression = clauses.named(name)?;
        let computed = computed(expression);
        let span = expression.first()?.span.to(expression.last()?.span);
        let is_plain = condition.iter().chain(expression).all(|token| token.written != Written::Inserted);
        let edits = match computed {
            _ if !is_plain => None,
            Computed::Row => Some(vec![(place, operand(expression, file.slice(span)))]),
            Computed::Groups => clauses.behind_groups(file, place),
            Computed::Window => clauses.behind_windows(place),
        };
        Some(NamedLater { expression: span, computed, edits: edits.unwrap_or_default() })
    }
}

impl ParsedQuery {
    /// The expression that the name at `place` stands for, where both stand in one SELECT; and what writes it there, but
    /// where that is in doubt.
    pub fn named_beside(&self, file: &SourceFile, place: Span, name: &str) -> Option<(Span, Option<(Span, String)>)> {
        let words: Vec<(usize, Keyword)> =
            top_level(&self.tokens).filter_map(|(at, token)| Some((at, token.keyword()?))).collect();
        let (select, _) = words.iter().find(|(_, word)| *word == Keyword::SELECT)?;
        let ends = |word: Keyword| word == Keyword::FROM || is_set_operation(word) || ends_condition(word);
        let end = words.iter().find(|(at, word)| at > select && ends(*word)).map_or(self.tokens.len(), |(at, _)| *at);
        let items = columns(self.tokens.get(select + 1..end)?);
        let holds = |item: &&[Lexed]| item.iter().any(|token| token.span == place);
        let user = items.iter().find(|item| holds(item))?;
        let expression = items.iter().filter(|item| !holds(item)).find_map(|item| expression_named(item, name))?;
        let span = expression.first()?.span.to(expression.last()?.span);
        let is_plain = user.iter().chain(expression).all(|token| token.written != Written::Inserted);
        // An aggregate or a window within another call may be one too many.
        let is_free = computed(expression) == Computed::Row || top_level(user).any(|(_, token)| token.span == place);
        let is_subquery = user.iter().any(|token| token.is_keyword(Keyword::SELECT));
        let edit = (is_plain && is_free && !is_subquery).then(|| (place, operand(expression, file.slice(span))));
        Some((span, edit))
    }
}

/// Where the clauses of the outermost SELECT begin, by the indices of their words.
struct Clauses<'t> {
    tokens: &'t [Lexed],
    select: usize,
    from: usize,
    condition: usize,
    /// The words of the clauses behind the condition, and the end.
    behind: Vec<(Keyword, usize)>,
}

impl<'t> Clauses<'t> {
    fn of(tokens: &'t [Lexed]) -> Option<Clauses<'t>> {
        let words = top_level(tokens).filter_map(|(at, token)| Some((token.keyword()?, at)));
        let mut words = words.skip_while(|(word, _)| *word != Keyword::SELECT);
        let (_, select) = words.next()?;
        let (_, from) = words.by_ref().find(|(word, _)| *word == Keyword::FROM)?;
        let (_, condition) = words.by_ref().find(|(word, _)| *word == Keyword::WHERE || is_set_operation(*word))?;
        let rest: Vec<(Keyword, usize)> =
            words.filter(|(word, _)| is_set_operation(*word) || ends_condition(*word)).collect();
        let is_one =
            tokens.get(condition)?.is_keyword(Keyword::WHERE) && !rest.iter().any(|(word, _)| is_set_operation(*word));
        is_one.then_some(Clauses { tokens, select, from, condition, behind: rest })
    }

    /// Where the clause ends that begins before `at`.
    fn end(&self, at: usize) -> usize {
        let semicolon = self.tokens.iter().position(|token| token.token == Token::SemiColon);
        let next = self.behind.iter().map(|(_, next)| *next).find(|next| *next > at);
        next.or(semicolon).unwrap_or(self.tokens.len())
    }

    fn condition(&self) -> &'t [Lexed] {
        self.tokens.get(self.condition + 1..self.end(self.condition)).unwrap_or_default()
    }

    /// The expression that the SELECT gives that name.
    fn named(&self, name: &str) -> Option<&'t [Lexed]> {
        let items = columns(self.tokens.get(self.select + 1..self.from)?);
        items.into_iter().find_map(|item| expression_named(item, name))
    }

    /// The condition that the place belongs to, if it is the last of those joined by AND, and what stands before it: AND
    /// or WHERE.
    fn last_condition(&self, place: Span) -> Option<(usize, &'t [Lexed])> {
        let mut start = self.condition;
        let mut has_between = false;
        for (at, token) in top_level(self.condition()) {
            match token.keyword() {
                Some(Keyword::OR) => {
                    return (start == self.condition && !self.has_and()).then(|| (start, self.condition()));
                }
                Some(Keyword::BETWEEN) => has_between = true,
                Some(Keyword::AND) if has_between => has_between = false,
                Some(Keyword::AND) => start = self.condition + 1 + at,
                _ => {}
            }
        }
        let last = self.tokens.get(start + 1..self.end(self.condition))?;
        (last.first()?.span.start <= place.start).then_some((start, last))
    }

    fn has_and(&self) -> bool {
        top_level(self.condition()).any(|(_, token)| token.is_keyword(Keyword::AND))
    }

    fn behind_windows(&self, place: Span) -> Option<Vec<(Span, String)>> {
        let (start, _) = self.last_condition(place)?;
        let is_free =
            !self.behind.iter().any(|(word, _)| matches!(word, Keyword::GROUP | Keyword::HAVING | Keyword::QUALIFY));
        is_free.then_some(vec![(self.tokens.get(start)?.span, "QUALIFY".to_owned())])
    }

    fn behind_groups(&self, file: &SourceFile, place: Span) -> Option<Vec<(Span, String)>> {
        let (start, condition) = self.last_condition(place)?;
        let (_, group) = self.behind.iter().find(|(word, _)| *word == Keyword::GROUP)?;
        if self.behind.iter().any(|(word, _)| *word == Keyword::HAVING) {
            return None;
        }
        let text = file.slice(condition.first()?.span.to(condition.last()?.span));
        let (from, to) = (self.tokens.get(start)?.span, self.tokens.get(*group)?.span);
        let gone = Span { end: to.start, ..from };
        let last = self.tokens.get(self.end(*group).checked_sub(1)?)?.span;
        Some(vec![(gone, String::new()), (last.after(), format!(" HAVING {text}"))])
    }
}

/// The columns of a SELECT, each as its tokens.
fn columns(items: &[Lexed]) -> Vec<&[Lexed]> {
    let commas = top_level(items).filter(|(_, token)| token.token == Token::Comma).map(|(at, _)| at);
    let mut start = 0;
    let mut found = Vec::new();
    for end in commas.chain([items.len()]) {
        found.push(items.get(start..end).unwrap_or_default());
        start = end + 1;
    }
    found
}

/// The expression of a column, if that is its name.
fn expression_named<'t>(item: &'t [Lexed], name: &str) -> Option<&'t [Lexed]> {
    let [expression @ .., last] = item else { return None };
    let expression = match expression {
        [expression @ .., word] if word.is_keyword(Keyword::AS) => expression,
        other => other,
    };
    (!expression.is_empty() && is_named(last, name)).then_some(expression)
}

/// What an expression computes.
fn computed(expression: &[Lexed]) -> Computed {
    if expression.iter().any(|token| token.is_keyword(Keyword::OVER)) {
        return Computed::Window;
    }
    let is_aggregate = |pair: (&Lexed, &Lexed)| match &pair.0.token {
        Token::Word(word) => pair.1.token == Token::LParen && AGGREGATES.contains(&word.value.to_lowercase().as_str()),
        _ => false,
    };
    let mut pairs = expression.iter().zip(expression.iter().skip(1));
    if pairs.any(is_aggregate) { Computed::Groups } else { Computed::Row }
}

/// An expression as an operand.
fn operand(expression: &[Lexed], text: &str) -> String {
    let is_call = matches!(expression, [name, open, .., close]
        if matches!(name.token, Token::Word(_)) && open.token == Token::LParen && close.token == Token::RParen
            && top_level(expression).count() == 3);
    if expression.len() == 1 || is_call { text.to_owned() } else { format!("({text})") }
}

fn is_named(token: &Lexed, name: &str) -> bool {
    match &token.token {
        Token::Word(word) if word.quote_style.is_none() => word.value.to_lowercase() == name.to_lowercase(),
        Token::Word(word) => word.value == name,
        _ => false,
    }
}

/// The tokens outside of brackets, with the brackets themselves, by their indices.
fn top_level(tokens: &[Lexed]) -> impl Iterator<Item = (usize, &Lexed)> {
    let mut depth = 0_usize;
    tokens.iter().enumerate().filter(move |(_, token)| match token.token {
        Token::LParen | Token::LBracket | Token::LBrace => {
            depth += 1;
            depth == 1
        }
        Token::RParen | Token::RBracket | Token::RBrace => {
            depth = depth.saturating_sub(1);
            depth == 0
        }
        _ => depth == 0,
    })
}

fn is_set_operation(word: Keyword) -> bool {
    matches!(word, Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT)
}

fn ends_condition(word: Keyword) -> bool {
    matches!(
        word,
        Keyword::GROUP
            | Keyword::HAVING
            | Keyword::QUALIFY
            | Keyword::WINDOW
            | Keyword::ORDER
            | Keyword::LIMIT
            | Keyword::OFFSET
            | Keyword::FETCH
    )
}
