//! `FETCH FIRST n ROWS ONLY`, which the engine does not have: it is LIMIT.

use super::Context;
use crate::diagnostic::{Diagnostics, codes};
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::syntax::lexer::Lexed;
use sqlparser::keywords::Keyword;

/// Says of each what is written for it.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let tokens = query.trees.statement.tokens.as_slice();
    let fetches = (0..tokens.len()).filter_map(|at| fetch(tokens.get(at..)?));
    for Fetch { whole, count } in fetches {
        let text = |span: Span| context.sources.get(span.file).map_or("", |file| file.slice(span));
        let count = count.map_or("1", text);
        let diagnostic = codes::invalid_query(whole, "FETCH is not supported");
        let has_comment = ["--", "/*"].iter().any(|sign| text(whole).contains(sign));
        sink.push(match has_comment {
            false => diagnostic.certain_fix("write LIMIT", whole, format!("LIMIT {count}")),
            true => diagnostic.help(format!("write `LIMIT {count}`")),
        });
    }
}

struct Fetch {
    whole: Span,
    /// The number of rows; one where none stands there.
    count: Option<Span>,
}

/// A FETCH at the beginning of the tokens; none with a part or with ties, which LIMIT does not have.
fn fetch(tokens: &[Lexed]) -> Option<Fetch> {
    let is = |at: usize, words: &[Keyword]| {
        tokens.get(at).and_then(Lexed::keyword).is_some_and(|keyword| words.contains(&keyword))
    };
    if !is(0, &[Keyword::FETCH]) {
        return None;
    }
    let start = if is(1, &[Keyword::FIRST, Keyword::NEXT]) { 2 } else { 1 };
    // The parser takes a number or a placeholder, and nothing that is computed.
    let is_rows = |at: usize| is(at, &[Keyword::ROW, Keyword::ROWS]);
    let (count, rows) = if is_rows(start) { (None, start) } else { (tokens.get(start), start + 1) };
    if !is_rows(rows) || !is(rows + 1, &[Keyword::ONLY]) {
        return None;
    }
    let whole = tokens.first()?.span.to(tokens.get(rows + 1)?.span);
    Some(Fetch { whole, count: count.map(|count| count.span) })
}
