//! Output columns have names: an agent reads them, and the planner's rendering of an expression is none.
//!
//! Bad: `SELECT total * << rate >>`. Good: `SELECT total * << rate >> AS converted`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::syntax::ParsedQuery;

/// Reports each expression of the result without a name; of a view only those that name a column after a placeholder.
pub(super) fn check(query: &ParsedQuery, sink: &mut Diagnostics) {
    for span in &query.unnamed {
        let inside = |place: crate::source::Span| span.start <= place.start && place.end <= span.end;
        if query.placeholders.iter().any(|placeholder| inside(placeholder.span)) {
            sink.push(codes::unnamed_column_with_placeholder(*span));
        } else if query.header.kind != Some(Kind::View) {
            sink.push(codes::unnamed_column(*span));
        }
    }
}
