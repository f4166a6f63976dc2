//! Who may read rows by one tool only does not get them by another one that anybody may call.
//!
//! Bad: `SELECT id FROM salaries_of_all` without `scopes`, where the query `salaries_of_all` has `scopes: [hr.read]`.

use crate::diagnostic::{Diagnostics, codes};
use crate::project::Kind;
use crate::syntax::link::LinkedQuery;

/// Says of which query the scopes are left behind: of the first, where there are several.
pub(super) fn check(linked: &LinkedQuery<'_>, sink: &mut Diagnostics) {
    let Some((own, others)) = linked.parts.split_last() else { return };
    let header = &own.query.header;
    if header.kind == Some(Kind::View) || header.enabled == Some(false) || !header.scopes.is_empty() {
        return;
    }
    if let Some(other) =
        others.iter().find(|other| !other.query.header.scopes.is_empty() && other.query.called.is_none())
    {
        let scopes: Vec<&str> = other.query.header.scopes.iter().map(String::as_str).collect();
        sink.push(codes::dropped_scopes(own.query.head, &other.query.name.value, &scopes));
    }
}
