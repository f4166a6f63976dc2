//! One line each, for editors: `path:line:column: severity[code]: message`.

use super::{Place, path_of, severity_name};
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
        .or_else(|| Some(format!("{}:1:1: ", path_of(diagnostic, sources)?)))
        .unwrap_or_default();
    let severity = severity_name(diagnostic.severity);
    let message = normalize_untrusted_str(&diagnostic.message);
    format!("{place}{severity}[{}]: {message}", diagnostic.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn a_line_begins_with_the_place_as_seen_from_where_the_reader_stands() {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", "SELECT\n  totl");
        let place = sources.get(id).unwrap().span(9, 13);
        sources.show_below("shop/");
        let written = |diagnostic: Diagnostic| line(&diagnostic, &sources);
        assert_eq!(
            written(Diagnostic::at(Code::UnknownColumn, place, "column `totl` not found")),
            "shop/queries/a.sql:2:3: error[unknown-column]: column `totl` not found"
        );
        assert_eq!(
            written(Diagnostic::in_file(Code::NotUtf8, "queries/b.sql", "`queries/b.sql` is not UTF-8")),
            "shop/queries/b.sql:1:1: error[not-utf8]: `queries/b.sql` is not UTF-8"
        );
        assert_eq!(written(Diagnostic::nowhere(Code::NotUtf8, "no file")), "error[not-utf8]: no file");
    }
}
