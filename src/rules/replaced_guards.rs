//! A header that extends another says nothing that lets callers do what that one keeps from them, unnoticed.
//!
//! Bad: `extends: orders` with `scopes: [orders.open]`, where the header of `orders` has `scopes: [orders.read]`.

use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::ParsedQuery;

/// Says of each key that it stands in the place of one that guards the query which is extended.
pub(super) fn check(query: &ParsedQuery, sink: &mut Diagnostics) {
    for replaced in &query.replaced {
        sink.push(codes::replaced_guard(replaced.place, replaced.key, &replaced.base, &replaced.gone));
    }
}
