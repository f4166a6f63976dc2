//! [Workflow commands] of GitHub Actions, which become annotations of a pull request.
//!
//! [Workflow commands]: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands

use super::{Place, in_words, path_of, severity_name};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// The command, without its line break. GitHub shows it by its title and words alone where it has no place.
pub(super) fn command(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.primary.as_ref().and_then(|label| Place::of(label.span, sources));
    let file = || Some(vec![("file", path_of(diagnostic, sources)?), ("line", "1".to_owned())]);
    let mut properties = place.map(|place| position(&place)).or_else(file).unwrap_or_default();
    properties.push(("title", format!("[{}]", diagnostic.code)));
    let properties: Vec<String> =
        properties.iter().map(|(name, value)| format!("{name}={}", escaped_property(value))).collect();

    let mut words = in_words(diagnostic);
    for label in &diagnostic.secondary {
        // An annotation has one place; the others are told.
        if let Some(place) = Place::of(label.span, sources) {
            words.push_str(&format!("\n{}:{}:{}: {}", place.path, place.line, place.column, label.text));
        }
    }
    format!("::{} {}::{}", severity_name(diagnostic.severity), properties.join(","), escaped(&words))
}

/// File, lines and columns. Of a place on several lines the runner takes no columns: it drops them with a complaint.
fn position(place: &Place<'_>) -> Vec<(&'static str, String)> {
    let mut properties = vec![
        ("file", place.path.to_owned()),
        ("line", place.line.to_string()),
        ("endLine", place.end_line.to_string()),
    ];
    if place.line == place.end_line {
        properties.push(("col", place.column.to_string()));
        properties.push(("endColumn", place.end_column.to_string()));
    }
    properties
}

/// What follows `::`: a command ends with its line, and `%` begins an escape.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property's value also ends at a colon or a comma.
fn escaped_property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn a_command_has_its_place_in_characters_and_its_words_on_one_line() {
        let mut sources = Sources::default();
        let id = sources.add("queries/a,b: 5%.sql", "SELECT 'größe', statuss FROM orders");
        let at = sources.get(id).unwrap().text.find("statuss").unwrap();
        let place = sources.get(id).unwrap().span(at, at + 7);
        let diagnostic = Diagnostic::at(Code::UnknownColumn, place, "column `statuss` not found: 100%")
            .label("unknown column")
            .fix("a column with a similar name exists", place, "status")
            .also(place.before(), "here");
        assert_eq!(
            command(&diagnostic, &sources),
            "::error file=queries/a%2Cb%3A 5%25.sql,line=1,endLine=1,col=17,endColumn=24,title=[unknown-column]::\
             column `statuss` not found: 100%25%0Aunknown column%0A\
             help: a column with a similar name exists: `status`%0A\
             queries/a,b: 5%25.sql:1:17: here"
        );
    }

    #[test]
    fn a_place_on_several_lines_has_no_columns_and_some_have_no_place() {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", "SELECT\n1");
        let whole = sources.get(id).unwrap().whole();
        assert_eq!(
            command(&Diagnostic::at(Code::MissingDescription, whole, "none"), &sources),
            "::warning file=queries/a.sql,line=1,endLine=2,title=[missing-description]::none"
        );
        assert_eq!(
            command(&Diagnostic::nowhere(Code::NotUtf8, "`a\r\nb` is not UTF-8"), &sources),
            "::error title=[not-utf8]::`a␍%0Ab` is not UTF-8"
        );
    }

    #[test]
    fn paths_are_seen_from_the_working_directory_also_of_files_without_a_text() {
        let mut sources = Sources::default();
        let id = sources.add("queries/a.sql", "SELECT 1");
        sources.show_below("shop/");
        let place = sources.get(id).unwrap().span(7, 8);
        assert_eq!(
            command(&Diagnostic::at(Code::UnnamedColumn, place, "none"), &sources),
            "::warning file=shop/queries/a.sql,line=1,endLine=1,col=8,endColumn=9,title=[unnamed-column]::none"
        );
        assert_eq!(
            command(&Diagnostic::in_file(Code::NotUtf8, "queries/b.sql", "not UTF-8"), &sources),
            "::error file=shop/queries/b.sql,line=1,title=[not-utf8]::not UTF-8"
        );
    }
}
