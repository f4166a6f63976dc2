//! A call returns a bounded number of rows.
//!
//! Bad: `result_limit: none` over `SELECT … FROM orders`. Good: `result_limit: 500`; a LIMIT; an aggregate of all rows.

use super::is_aggregate;
use crate::diagnostic::{Diagnostics, codes};
use crate::project::{Kind, Project, ResultLimit};
use crate::syntax::ParsedQuery;

/// Warns of a tool that neither its header nor its statement bounds; a view is bounded where it is read.
pub(super) fn check(query: &ParsedQuery, project: &Project, sink: &mut Diagnostics) {
    let is_view = query.header.kind == Some(Kind::View);
    let is_one_row = |calls: &Vec<String>| calls.iter().any(|name| is_aggregate(name));
    if is_view
        || query.header.effective_limit(&project.file.defaults) != ResultLimit::None
        || query.unbounded.iter().all(is_one_row)
    {
        return;
    }
    let name = &query.name.value;
    if query.header.result_limit.is_some() {
        sink.push(codes::unbounded_result(query.document.value_span(&["result_limit"]), name, None));
    } else {
        let default = project.document.value_span(&["defaults", "result_limit"]);
        sink.push(codes::unbounded_result(query.head, name, Some(default)));
    }
}
