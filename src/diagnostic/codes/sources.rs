//! The constructors of what is said about databases.

use super::did_you_mean;
use crate::diagnostic::{Code, Diagnostic};
use crate::name::{nearest, shown_name};
use crate::source::Span;

/// A database that `sources` does not have. `place` is the name's.
pub fn unknown_source(place: Span, name: &str, known: &[&str]) -> Diagnostic {
    let message = format!("source `{}` not found", shown_name(name));
    let diagnostic = Diagnostic::at(Code::UnknownSource, place, message).label("no database of this name");
    match nearest(name, known.iter().copied()) {
        Some(near) => did_you_mean(diagnostic, Some(name), Some(near)),
        None if known.is_empty() => diagnostic.help(format!(
            "declare it: `sources: {{ {}: {{ type: sqlite, path: data/{0}.sqlite }} }}`",
            shown_name(name)
        )),
        None => diagnostic.note(format!("the sources are {}", known.join(", "))),
    }
}

/// A database that cannot be opened, or asked what is in it.
pub fn unreadable_source(place: Span, source: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnreadableSource, place, format!("cannot read source `{source}`: {why}"))
}

/// A column whose values lose something when they are read.
pub fn lossy_type(place: Span, table: &str, column: &str, why: &str) -> Diagnostic {
    let (table, column) = (shown_name(table), shown_name(column));
    Diagnostic::at(Code::LossyType, place, format!("column `{column}` of table `{table}` {why}"))
}
