//! A condition that applies where a parameter is given is an optional clause, and is written as one: a test for NULL by
//! hand makes nothing optional, and a column that is compared with itself loses the rows without a value.
//!
//! Bad: `AND (<< origin >> IS NULL OR origin = << origin >>)`; `AND origin = coalesce(<< origin? >>, origin)`. Good:
//! `[[ AND origin = << origin >> ]]`.

use super::Context;
use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::shape::HandWritten;
use crate::syntax::ParsedQuery;

/// Warns of each such condition, and shows the clause.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    let Some(shape) = context.shapes.get(query) else { return };
    for one in &shape.hand_written {
        if let Some(clause) = clause(one, query, typed, context) {
            sink.push(codes::hand_written_clause(one.span, clause));
        }
    }
}

/// What is to be said; nothing where the author has said otherwise that the parameter always has a value.
fn clause<'a>(
    one: &'a HandWritten,
    query: &'a ParsedQuery,
    typed: &TypedQuery,
    context: Context<'a>,
) -> Option<codes::HandWrittenClause<'a>> {
    let parameter = query.placeholders.get(one.placeholder)?.name.value.as_str();
    let declared = typed.parameters.iter().map(|one| &one.declaration).find(|one| one.name == parameter)?;
    let always = declared.config.from.is_some() || declared.config.required == Some(true) || declared.has_default();
    let written = |span| context.project.sources.get(query.file).map(|file| file.slice(span));
    (!always).then(|| codes::HandWrittenClause {
        parameter,
        is_required: declared.is_required(),
        column: one.column.and_then(written),
        edits: &one.edits,
    })
}
