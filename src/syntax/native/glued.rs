//! Operators of PostgreSQL that touch a placeholder: `id>=<< n >>` and `<< a >>+<< b >>`.
//!
//! There, anybody may make an operator of any signs, so that `>=<<` is one token. What ends with `<<` before a name, and what
//! begins with `>>` behind one, is two or three here: nobody has such operators.

use super::dialect;
use crate::catalog::DatabaseKind;
use crate::diagnostic::Diagnostics;
use crate::source::SourceFile;
use crate::syntax::lexer::{self, Lexed, Written};
use crate::syntax::operand::leaves_operand;
use sqlparser::tokenizer::Token;

const OPEN: &str = "<<";
const CLOSE: &str = ">>";

/// The tokens with the signs of placeholders apart from the operators around them.
pub(super) fn parted(file: &SourceFile, tokens: Vec<Lexed>) -> Vec<Lexed> {
    let is_glued = |token: &Lexed| matches!(&token.token, Token::CustomBinaryOperator(_));
    if !tokens.iter().any(is_glued) {
        return tokens;
    }
    let mut out: Vec<Lexed> = Vec::with_capacity(tokens.len());
    let mut is_open = false;
    for (at, token) in tokens.iter().enumerate() {
        let opens = matches!(tokens.get(at + 1).map(|next| &next.token), Some(Token::Word(_)))
            && tokens.iter().skip(at + 1).any(|later| file.slice(later.span).starts_with(CLOSE));
        match &token.token {
            Token::ShiftLeft => is_open |= leaves_operand(out.last().map(|last| &last.token)),
            Token::ShiftRight => is_open = false,
            Token::CustomBinaryOperator(written) => {
                let (mut start, mut end) = (token.span.start, token.span.end);
                let closes = is_open && written.starts_with(CLOSE);
                let rest = if closes { written.get(CLOSE.len()..).unwrap_or_default() } else { written.as_str() };
                let opens = opens && rest.ends_with(OPEN);
                if closes || opens {
                    let sign = |token: Token, start: usize| Lexed {
                        token,
                        span: file.span(start, start + OPEN.len()),
                        written: Written::AsIs,
                    };
                    if closes {
                        out.push(sign(Token::ShiftRight, start));
                        start += CLOSE.len();
                    }
                    if opens {
                        end -= OPEN.len();
                    }
                    // What stands between is signs, and no text that could be wrong.
                    let between = lexer::tokenize_as(
                        dialect::of_tokens(DatabaseKind::Postgres),
                        file,
                        (start, end),
                        &mut Diagnostics::default(),
                    );
                    out.extend(between.unwrap_or_default());
                    if opens {
                        out.push(sign(Token::ShiftLeft, end));
                    }
                    is_open = opens;
                    continue;
                }
            }
            _ => {}
        }
        out.push(token.clone());
    }
    out
}
