//! Where parts of a statement stand in their files.

use super::Context;
use crate::source::Span;
use crate::syntax::link;
use sqlparser::tokenizer;

/// The place of a part of a statement.
pub(super) fn place(part: tokenizer::Span, context: Context<'_>) -> Option<Span> {
    let (start, end) = (part.start, part.end);
    link::place(context.sources, (start.line, start.column), (end.line, end.column))
}

/// The place with the brackets that it opens and does not close: the last one of a call does not count among its parts.
pub(super) fn closed(span: Span, context: Context<'_>) -> Span {
    let text = context.sources.get(span.file).and_then(|file| file.text.get(span.start..)).unwrap_or_default();
    let length = span.end.saturating_sub(span.start);
    let (mut depth, mut is_quoted) = (0_usize, false);
    for (at, sign) in text.char_indices() {
        if at >= length && depth == 0 {
            break;
        }
        match sign {
            '\'' => is_quoted = !is_quoted,
            '(' if !is_quoted => depth += 1,
            ')' if !is_quoted => {
                depth = depth.saturating_sub(1);
                if at >= length && depth == 0 {
                    return Span { end: span.start + at + 1, ..span };
                }
            }
            _ => {}
        }
    }
    span
}
