//! The constructors of columns that are not clear.

use crate::diagnostic::{Code, Diagnostic};
use crate::name::shown_name;
use crate::source::Span;

/// A column that more than one table has.
pub fn ambiguous_column(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(Code::AmbiguousColumn, place, format!("column `{}` is ambiguous", shown_name(name)))
        .label("several tables have it")
        .help("write the table in front, as in `table.column`")
}

/// A column without a table, as of the result, that is called like one of a table.
pub fn ambiguous_output(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(Code::AmbiguousColumn, place, format!("column `{}` is ambiguous", shown_name(name)))
        .label("a table has it, and so has what belongs to no table, as the result")
        .help("give the one that belongs to no table another name with AS")
}

/// A name in an expression of ORDER BY that is both a column of the result and one of a table.
pub fn ambiguous_in_order(place: Span, name: &str) -> Diagnostic {
    let name = shown_name(name);
    Diagnostic::at(Code::AmbiguousColumn, place, format!("column `{name}` is ambiguous in an expression of ORDER BY"))
        .label("a column of the result, or that of a table")
        .note("a name that stands alone in ORDER BY is the column of the result")
        .help("put the table in front for its column, or give the column of the result another name with AS")
}

/// A column of one side of a join that makes one column of two.
pub fn merged_column(place: Span, table: &str, name: &str) -> Diagnostic {
    let (table, name) = (shown_name(table), shown_name(name));
    Diagnostic::at(Code::UnknownColumn, place, format!("column `{name}` of `{table}` is not known behind the join"))
        .label("one column with that of the other side")
        .help(format!("write `{name}` for the column of both sides, or join with ON to have one of each"))
}

/// What a SELECT computes under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Computed {
    /// Something of each row.
    Row,
    /// An aggregate.
    Groups,
    /// A window function.
    Window,
}

/// Adds that a SELECT uses a name which it gives itself. `edit` writes what it stands for.
pub fn named_beside(diagnostic: Diagnostic, expression: Span, edit: Option<(Span, String)>) -> Diagnostic {
    let text = "write what it stands for, or give it its name in a subquery";
    let diagnostic = diagnostic
        .also(expression, "gets its name here")
        .note("the names that a SELECT gives are known behind it, and not to its other columns");
    match edit {
        Some((place, expression)) => diagnostic.fix(text, place, expression),
        None => diagnostic.help(text),
    }
}

/// Adds that WHERE uses a name which the SELECT gives. `edits` write it where it is known.
pub fn named_later(
    diagnostic: Diagnostic,
    expression: Span,
    computed: Computed,
    edits: Vec<(Span, String)>,
) -> Diagnostic {
    let diagnostic = diagnostic.also(expression, "gets its name here").note(match computed {
        Computed::Row => "WHERE comes before the SELECT, and does not know the names that it gives",
        Computed::Groups => "WHERE chooses the rows that are put into groups; HAVING chooses groups",
        Computed::Window => "WHERE chooses the rows that windows are made of; QUALIFY chooses behind them",
    });
    let text = match computed {
        Computed::Row => "write what it stands for",
        Computed::Groups => "write the condition behind HAVING",
        Computed::Window => "write the condition behind QUALIFY",
    };
    if edits.is_empty() { diagnostic.help(text) } else { diagnostic.fixes(text, edits) }
}
