//! A call returns a bounded number of rows.
//!
//! Bad: `result_limit: none` over `SELECT … FROM orders`. Good: `result_limit: 500`; a LIMIT; an aggregate of all rows;
//! the row of a primary key.

use super::Context;
use super::row_counts::RowCounts;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{Kind, ResultLimit};
use crate::shape::Unbounded;
use crate::syntax::link::LinkedQuery;

/// Warns of a tool that neither its header nor its statement bounds; a view is bounded where it is read.
pub(super) fn check(linked: &LinkedQuery<'_>, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let Some(query) = linked.own().filter(|query| query.header.kind != Some(Kind::View)) else { return };
    let (project, Some(shape)) = (context.project, context.shapes.get(query)) else { return };
    if query.header.effective_limit(&project.file.defaults) != ResultLimit::None {
        return;
    }
    let is_absent = |name: &str| {
        let found = typed.parameters.iter().find(|parameter| parameter.declaration.name == name);
        found.is_some_and(|parameter| parameter.declaration.may_be_absent())
    };
    let absent = |limit: &Vec<usize>| {
        let placeholders = limit.iter().filter_map(|at| query.placeholders.get(*at));
        placeholders.map(|placeholder| placeholder.name.value.as_str()).find(|name| is_absent(name))
    };
    let counts = RowCounts::of(linked, context);
    let is_bounded =
        |select: &&Unbounded| counts.is_one(&select.rows) || select.limits.iter().any(|limit| absent(limit).is_none());
    let Some(open) = shape.unbounded.iter().find(|select| !is_bounded(select)) else { return };
    let limit = open.limits.iter().find_map(absent);
    let name = &query.name.value;
    if query.header.result_limit.is_some() {
        sink.push(codes::unbounded_result(query.document.value_span(&["result_limit"]), name, None, limit));
    } else {
        let default = project.document.value_span(&["defaults", "result_limit"]);
        sink.push(codes::unbounded_result(query.head, name, Some(default), limit));
    }
}
