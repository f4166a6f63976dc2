//! SQL in a YAML scalar: its tokens with their places.

use super::dialect::QueryDialect;
use super::lexer::{self, Lexed, Written};
use crate::diagnostic::{Diagnostics, codes};
use crate::source::{SourceFile, Span};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, Tokenizer};

/// The text of a YAML scalar without its quotes.
pub(super) fn inside(file: &SourceFile, written: Span, value: &str) -> Span {
    let text = file.slice(written);
    match text.find(value.trim()) {
        Some(at) => file.span(written.start + at, written.start + at + value.trim().len()),
        None => written,
    }
}

/// The tokens of a scalar that was written at `span`, without its quotes.
pub(super) fn tokenize(file: &SourceFile, span: Span, text: &str, sink: &mut Diagnostics) -> Option<Vec<Lexed>> {
    if file.slice(span) == text.trim() {
        return lexer::tokenize(file, span.start, span.end, sink);
    }
    // YAML has folded or unescaped it: everything stands at the whole of it.
    match Tokenizer::new(&QueryDialect, text).tokenize() {
        Ok(tokens) => Some(
            tokens
                .into_iter()
                .filter(|token| !matches!(token, Token::Whitespace(_)))
                .map(|token| Lexed { token, span, written: Written::Inserted })
                .collect(),
        ),
        Err(error) => {
            sink.push(codes::syntax_error(span, lexer::lower_first(&error.message).trim_end_matches('.')));
            None
        }
    }
}

/// Tokens as text, without comments: one could reach beyond what is written here.
pub(super) fn text(file: &SourceFile, tokens: &[Lexed]) -> String {
    let mut out = String::new();
    let mut last: Option<&Lexed> = None;
    for token in tokens {
        let touches = last.is_some_and(|last| {
            last.written == Written::AsIs && token.written == Written::AsIs && last.span.end == token.span.start
        });
        if last.is_some() && !touches {
            out.push(' ');
        }
        match token.written {
            Written::AsIs => out.push_str(file.slice(token.span)),
            Written::Placeholder(_) | Written::Inserted => out.push_str(&token.token.to_string()),
        }
        last = Some(token);
    }
    out
}

/// Where tokens have something like a placeholder: `<<` before a word, and a `>>` anywhere.
pub(super) fn placeholder(tokens: &[Lexed]) -> Option<Span> {
    let closes = tokens.iter().any(|token| token.token == Token::ShiftRight);
    let opens = |pair: &[Lexed]| matches!(pair, [first, second] if first.token == Token::ShiftLeft && matches!(second.token, Token::Word(_)));
    let at = tokens.windows(2).position(opens).filter(|_| closes)?;
    tokens.get(at).map(|token| token.span)
}

/// Where tokens have an optional clause: `[[` before AND or OR.
pub(super) fn optional_clause(tokens: &[Lexed]) -> Option<Span> {
    let connective = |token: &Lexed| token.is_keyword(Keyword::AND) || token.is_keyword(Keyword::OR);
    let opens = |three: &[Lexed]| matches!(three, [a, b, c] if a.token == Token::LBracket && b.token == Token::LBracket && connective(c));
    let at = tokens.windows(3).position(opens)?;
    tokens.get(at).map(|token| token.span)
}
