//! Output columns have names: an agent reads them, and the planner's rendering of an expression is none.
//!
//! Bad: `SELECT total * << rate >>`. Good: `SELECT total * << rate >> AS converted`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::shape::Shape;
use crate::source::Span;
use crate::syntax::ParsedQuery;

/// Reports each expression of the result without a name; of a view only those that name a column after a placeholder.
pub(super) fn check(query: &ParsedQuery, shape: &Shape, sink: &mut Diagnostics) {
    for unnamed in &shape.unnamed {
        let place = unnamed.span;
        let inside = |span: Span| place.start <= span.start && span.end <= place.end;
        if query.placeholders.iter().any(|placeholder| inside(placeholder.span)) {
            sink.push(codes::unnamed_column_with_placeholder(place));
        } else if query.header.kind != Some(Kind::View) {
            let diagnostic = codes::unnamed_column(place);
            sink.push(match &unnamed.name {
                Some(name) => codes::with_name(diagnostic, place, name),
                None => diagnostic,
            });
        }
    }
}
