//! What is cut has an order: else two calls return different rows of the same data.
//!
//! Bad: `SELECT id FROM orders LIMIT 10`. Good: `SELECT id FROM orders ORDER BY placed_at DESC, id LIMIT 10`.

use super::is_aggregate;
use crate::diagnostic::{Diagnostics, codes};
use crate::syntax::ParsedQuery;

/// Warns of each cut through rows in no order; one row is in order.
pub(super) fn check(query: &ParsedQuery, sink: &mut Diagnostics) {
    for limit in &query.unordered_limits {
        if !limit.calls.iter().any(|name| is_aggregate(name)) {
            sink.push(codes::unordered_limit(limit.span));
        }
    }
}
