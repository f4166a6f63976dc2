//! The header's settings fit the query: described columns exist, limits agree.

use crate::diagnostic::{Diagnostics, codes};
use crate::infer::TypedQuery;
use crate::project::{Project, ResultLimit};
use crate::syntax::ParsedQuery;

/// Checks `columns`, `annotations` and `default_limit`.
pub(super) fn check(query: &ParsedQuery, typed: &TypedQuery, project: &Project, sink: &mut Diagnostics) {
    let known: Vec<String> = typed.columns.iter().map(|column| column.name.clone()).collect();
    for (name, config) in &query.header.columns {
        let Some(column) = typed.columns.iter().find(|column| column.name == *name) else {
            // A program's are those that it declares; what it cannot have is told with its output.
            if query.manifest.is_some() {
                continue;
            }
            let span = query.document.key_span(&["columns", name]);
            sink.push(codes::unknown_output_column(span, name, &known));
            continue;
        };
        if config.ty.is_some() && query.native.is_none() && query.manifest.is_none() {
            let span = query.document.key_span(&["columns", name, "type"]);
            let why = "the type of a column is what the query gives; it is declared in a database's own SQL alone";
            sink.push(codes::invalid_setting(span, why).help(format!("cast it: `CAST(… AS {})`", column.ty)));
        }
        let numbers =
            [("bigint", config.bigint, column.ty.has_bigint()), ("decimal", config.decimal, column.ty.has_decimal())];
        for (key, _, _) in numbers.into_iter().filter(|(_, said, has_such)| said.is_some() && !has_such) {
            let span = query.document.key_span(&["columns", name, key]);
            sink.push(codes::numbers_of_another_type(span, (name, &column.ty), key));
        }
    }
    check_annotations(query, typed, sink);
    check_default_limit(query, project, sink);
}

/// What a statement shows of its effects is not denied. Of a program, its author alone can tell.
fn check_annotations(query: &ParsedQuery, typed: &TypedQuery, sink: &mut Diagnostics) {
    if query.manifest.is_some() {
        return;
    }
    let (said, shown) = (query.header.annotations, typed.annotations);
    for (key, said, shown, why) in [
        (
            "read_only",
            said.read_only,
            shown.read_only,
            if shown.read_only { "every query only reads" } else { "it changes data" },
        ),
        (
            "destructive",
            said.destructive,
            shown.destructive,
            match (shown.read_only, shown.destructive) {
                (true, _) => "no query deletes or overwrites",
                (false, true) => "it deletes or overwrites",
                (false, false) => "it neither deletes nor overwrites",
            },
        ),
        // What a plan promises may be taken back: of a table that changes all the time, say.
        (
            "idempotent",
            said.idempotent.filter(|said| *said),
            shown.idempotent,
            if shown.read_only { "it calls a function such as `random()`" } else { "the same again changes more" },
        ),
    ] {
        if let Some(said) = said.filter(|said| *said != shown) {
            let span = query.document.value_span(&["annotations", key]);
            sink.push(codes::invalid_setting(span, &format!("`{key}: {said}` is not what the query shows: {why}")));
        }
    }
}

fn check_default_limit(query: &ParsedQuery, project: &Project, sink: &mut Diagnostics) {
    if let (ResultLimit::Rows(most), Some(default)) =
        (query.header.effective_limit(&project.file.defaults), query.header.default_limit)
        && default > most
    {
        let span = query.document.value_span(&["default_limit"]);
        let of_project = ["defaults", "result_limit"];
        let limit = if query.header.result_limit.is_some() {
            Some(query.document.value_span(&["result_limit"]))
        } else {
            project.document.has(&of_project).then(|| project.document.value_span(&of_project))
        };
        sink.push(codes::default_limit_above(span, default, most, limit));
    }
}
