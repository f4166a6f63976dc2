//! Optional clauses without AND and OR at their beginning: `[[ status = << status >> ]]`.
//!
//! Two brackets open an array in an array as well. A condition is told by its place, where no array can stand, and by the
//! placeholder in it.

use super::super::ast::{begins_clause, begins_condition};
use super::super::lexer::Lexed;
use super::super::operand::leaves_operand;
use crate::diagnostic::{Diagnostic, codes};
use crate::source::Span;
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::Token;

/// Most tokens in such a clause: a file may be full of brackets.
const LONGEST: usize = 400;

/// The brackets of such a clause at token `at`, and what is to be said of it. `last` stands before it.
pub(super) fn find(tokens: &[Lexed], at: usize, last: Option<&Lexed>) -> Option<(Span, Diagnostic)> {
    let (first, second) = (tokens.get(at)?, tokens.get(at + 1)?);
    let is_pair = second.token == Token::LBracket && first.span.end == second.span.start;
    let before = last.filter(|last| last.keyword().is_some_and(precedes_condition));
    let is_array = last.is_some_and(|last| last.is_keyword(Keyword::ARRAY));
    let is_place = before.is_some() || !leaves_operand(last.map(|last| &last.token));
    if !is_pair || is_array || !is_place || !holds_placeholder(tokens.get(at + 2..)?) {
        return None;
    }
    let open = first.span.to(second.span);
    let inside = tokens.get(at + 2)?;
    let place = match (last, before) {
        (Some(_), None) => place(tokens.get(..at)?),
        _ => Place::Condition,
    };
    Some((open, codes::clause_without_connective(open, edits((open, place), inside, before))))
}

/// What stands before a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A condition.
    Condition,
    /// The tables of FROM, without a WHERE.
    Tables,
    /// Something that no condition follows.
    Other,
}

/// What stands before a clause behind these tokens: the nearest word that begins a clause tells.
fn place(before: &[Lexed]) -> Place {
    let mut depth = 0_usize;
    for token in before.iter().rev().take(LONGEST) {
        match &token.token {
            Token::RParen | Token::RBracket => depth += 1,
            // The clause stands inside of brackets.
            Token::LParen | Token::LBracket if depth == 0 => return Place::Condition,
            Token::LParen | Token::LBracket => depth -= 1,
            _ if depth > 0 => {}
            _ => match token.keyword() {
                Some(word) if begins_condition(word) => return Place::Condition,
                Some(Keyword::FROM | Keyword::JOIN) => return Place::Tables,
                Some(word) if begins_clause(word) || word == Keyword::SELECT => return Place::Other,
                _ => {}
            },
        }
    }
    Place::Other
}

/// Whether the two brackets before these tokens are closed by two that touch, with a placeholder between them.
fn holds_placeholder(tokens: &[Lexed]) -> bool {
    let mut depth = 0_usize;
    let mut has_placeholder = false;
    for (token, next) in tokens.iter().zip(tokens.iter().skip(1)).take(LONGEST) {
        match token.token {
            Token::LBracket | Token::LParen => depth += 1,
            Token::RBracket if depth == 0 => {
                return has_placeholder && next.token == Token::RBracket && token.span.end == next.span.start;
            }
            Token::RBracket | Token::RParen => depth = depth.saturating_sub(1),
            Token::ShiftLeft => has_placeholder = true,
            Token::SemiColon => return false,
            _ => {}
        }
    }
    false
}

/// What writes AND or OR at the beginning of the clause, as texts and edits. `before` is the word of conditions that
/// stands before it, `inside` the first token in it.
fn edits<'t>(
    (open, place): (Span, Place),
    inside: &Lexed,
    before: Option<&Lexed>,
) -> Vec<(&'t str, Vec<(Span, String)>)> {
    let is_no_condition = inside.token == Token::Comma || inside.keyword().is_some_and(begins_no_condition);
    if is_no_condition
        || place == Place::Other
        || place == Place::Condition && inside.is_keyword(Keyword::WHERE) && before.is_none()
    {
        return Vec::new();
    }
    let all = [
        ("AND", "true", "leave rows out where the agent sends it"),
        ("OR", "false", "add rows where the agent sends it"),
    ];
    let written = all.into_iter().filter_map(|(word, neutral, text)| {
        let edits = match before {
            // The connective stands before the brackets.
            Some(before) if before.is_keyword(Keyword::AND) || before.is_keyword(Keyword::OR) => {
                let is_this = before.is_keyword(if word == "AND" { Keyword::AND } else { Keyword::OR });
                is_this.then(|| vec![(before.span.to(open), format!("[[ {word}"))])?
            }
            Some(_) => vec![(open.before(), format!("{neutral} ")), (open.after(), format!(" {word}"))],
            None if inside.is_keyword(Keyword::WHERE) => {
                vec![(open.to(inside.span), format!("WHERE {neutral} [[ {word}"))]
            }
            None if place == Place::Tables => {
                vec![(open.before(), format!("WHERE {neutral} ")), (open.after(), format!(" {word}"))]
            }
            None => vec![(open.after(), format!(" {word}"))],
        };
        Some((text, edits))
    });
    written.collect()
}

/// Whether conditions begin or go on behind the keyword.
fn precedes_condition(keyword: Keyword) -> bool {
    begins_condition(keyword) || matches!(keyword, Keyword::AND | Keyword::OR)
}

/// Whether no condition begins with the keyword; the one behind WHERE is written into the clause with it.
fn begins_no_condition(keyword: Keyword) -> bool {
    keyword == Keyword::LEFT || begins_clause(keyword) && keyword != Keyword::WHERE
}
