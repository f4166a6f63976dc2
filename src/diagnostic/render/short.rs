//! One line each, for editors: `path:line:column: severity[code]: message`.

use super::{Place, severity_name};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use annotate_snippets::normalize_untrusted_str;

/// The line, without its line break.
pub(super) fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic
        .primary
        .as_ref()
        .and_then(|label| Place::of(label.span, sources))
        .map(|place| format!("{}:{}:{}: ", place.path, place.line, place.column))
        .unwrap_or_default();
    let severity = severity_name(diagnostic.severity);
    let message = normalize_untrusted_str(&diagnostic.message);
    format!("{place}{severity}[{}]: {message}", diagnostic.code)
}
