//! NULL as it is written is not compared: the result is NULL, which is never true.
//!
//! Bad: `org = NULL`; `org NOT IN ('a', NULL)`. Good: `org IS NULL`; `org IS NOT DISTINCT FROM << org? >>`.

use crate::diagnostic::{Diagnostics, codes};
use crate::shape::{ComparedNull, Shape};

/// Warns of each.
pub(super) fn check(shape: &Shape, sink: &mut Diagnostics) {
    for null in &shape.null_literals {
        sink.push(match null.compared {
            ComparedNull::Alone => codes::compared_null(null.span, null.instead),
            ComparedNull::Item => codes::null_item(null.span),
            ComparedNull::NegatedItem => codes::negated_null_item(null.span),
        });
    }
}
