//! Output columns have names: an agent reads them, and the planner's rendering of an expression is none.
//!
//! Bad: `SELECT total * << rate >>`. Good: `SELECT total * << rate >> AS converted`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::shape::Shape;
use crate::source::Span;
use crate::syntax::ParsedQuery;
use crate::tool::OutputColumn;

/// What the planner calls an item of a list begins so.
const UNNESTED: &str = "UNNEST(";

/// Reports each expression of the result without a name; of a view only those that name a column after a placeholder.
///
/// `columns` are those of the result, where they are known: what is unnested is a list where one of them is called so.
pub(super) fn check(query: &ParsedQuery, shape: &Shape, columns: Option<&[OutputColumn]>, sink: &mut Diagnostics) {
    let has_lists = columns.unwrap_or_default().iter().any(|column| column.name.starts_with(UNNESTED));
    for unnamed in shape.unnamed.iter().filter(|unnamed| has_lists || !unnamed.is_unnested) {
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
