//! The header's settings fit the query: described columns exist, limits agree.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{Defaults, ResultLimit};
use crate::syntax::ParsedQuery;

/// Checks `columns` and `default_limit`.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, defaults: &Defaults, sink: &mut Diagnostics) {
    let known: Vec<String> = typed.columns.iter().map(|column| column.name.clone()).collect();
    for name in query.header.columns.keys() {
        if !known.contains(name) {
            let span = query.document.key_span(&["columns", name]);
            sink.push(codes::unknown_output_column(span, name, &known));
        }
    }
    if let (ResultLimit::Rows(most), Some(default)) =
        (query.header.effective_limit(defaults), query.header.default_limit)
        && default > most
    {
        let span = query.document.value_span(&["default_limit"]);
        sink.push(codes::invalid_setting(
            span,
            &format!("`default_limit` {default} is more than `result_limit` {most}"),
        ));
    }
}
