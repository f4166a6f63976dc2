//! Round brackets among tokens.

use sqlparser::tokenizer::Token;

/// The index of the innermost round bracket that is open behind these tokens.
pub(super) fn innermost_open<'t>(
    mut tokens: impl DoubleEndedIterator<Item = &'t Token> + ExactSizeIterator,
) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.rposition(|token| match token {
        Token::RParen => {
            depth += 1;
            false
        }
        Token::LParen if depth == 0 => true,
        Token::LParen => {
            depth -= 1;
            false
        }
        _ => false,
    })
}
