//! The constructors of what is said about a file as a whole: that it is one query, and not too much of one.

use super::dialects;
use crate::diagnostic::{Code, Diagnostic};
use crate::name::shown_name;
use crate::source::Span;

/// SQL that does not parse.
pub fn syntax_error(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::SyntaxError, place, format!("syntax error: {why}"))
}

/// A file without SQL.
pub fn empty_query(place: Span) -> Diagnostic {
    Diagnostic::at(Code::EmptyQuery, place, "the file has no statement").help("write one SELECT")
}

/// A second statement.
pub fn multiple_statements(second: Span, first: Span) -> Diagnostic {
    Diagnostic::at(Code::MultipleStatements, second, "a query file has one statement")
        .label("a second statement")
        .also(first, "the first statement")
        .help("move it to a file of its own")
}

/// A statement that is no query.
pub fn not_a_query(place: Span, what: &str) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::NotAQuery, place, format!("{what} is not a query"))
        .label("only reads are allowed")
        .note("a tool reads: its statement is a SELECT, WITH … SELECT or VALUES");
    match dialects::command(what) {
        Some(command) => diagnostic.help(command),
        None if matches!(what, "INSERT" | "UPDATE" | "DELETE" | "MERGE") => diagnostic
            .help("a tool that changes data says what it changes: `source: NAME` in its header, a database or records"),
        None => diagnostic,
    }
}

/// A statement too deep to plan safely.
pub fn query_too_deep(place: Span, what: &str) -> Diagnostic {
    Diagnostic::at(Code::QueryTooDeep, place, format!("the query is too deep: {what}")).help(
        "replace a chain of ORs by IN, a chain of UNIONs by VALUES or a table; move what is nested into WITH or a view",
    )
}

/// A statement with too much in it. `largest` is read by that name, and most of it comes from there.
pub fn query_too_large(place: Span, what: &str, largest: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::QueryTooLarge, place, format!("the query is too large: {what}"));
    let help =
        "put values into a table, or pass them as a list; keep what is read again and again in a table of its own";
    match largest {
        Some(name) => {
            diagnostic.note(format!("most of it is `{}`, as often as it is read", shown_name(name))).help(help)
        }
        None => diagnostic.help(help),
    }
}
