//! One JSON object a line, for programs.

use super::{Place, path_of};
use crate::diagnostic::{Applicability, Code, Diagnostic, Help, Severity};
use crate::source::Sources;
use serde::Serialize;

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: Code,
    severity: Severity,
    message: &'a str,
    /// Only where it is about a file and there is no label.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    labels: Vec<JsonLabel<'a>>,
    notes: &'a [String],
    helps: Vec<JsonHelp<'a>>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct JsonHelp<'a> {
    text: &'a str,
    edits: Vec<JsonEdit<'a>>,
    /// Only where there are edits.
    #[serde(skip_serializing_if = "Option::is_none")]
    applicability: Option<Applicability>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

/// The object, without a line break.
pub(super) fn object(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let primary = diagnostic.primary.iter().map(|label| (label, true));
    let secondary = diagnostic.secondary.iter().map(|label| (label, false));
    let labels = primary.chain(secondary).filter_map(|(label, primary)| {
        Some(JsonLabel { place: Place::of(label.span, sources)?, text: &label.text, primary })
    });
    let object = JsonDiagnostic {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        path: path_of(diagnostic, sources),
        labels: labels.collect(),
        notes: &diagnostic.notes,
        helps: diagnostic.helps.iter().map(|one| help(one, sources)).collect(),
    };
    // Strings, numbers and lists only: this serialisation has no way to fail.
    serde_json::to_string(&object).unwrap_or_default()
}

fn help<'a>(help: &'a Help, sources: &'a Sources) -> JsonHelp<'a> {
    let edits = help
        .edits
        .iter()
        .filter_map(|edit| Some(JsonEdit { place: Place::of(edit.span, sources)?, replacement: &edit.replacement }));
    JsonHelp {
        text: &help.text,
        edits: edits.collect(),
        applicability: (!help.edits.is_empty()).then_some(help.applicability),
    }
}
