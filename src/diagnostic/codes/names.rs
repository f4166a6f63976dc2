//! Names that cannot be had.

use super::super::{Code, Diagnostic};
use crate::name::{RESERVED, is_legal, shown_name, snake_case};
use crate::source::Span;

/// A tool name that has no legal form.
pub fn invalid_tool_name(place: Span, raw: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidName, place, format!("`{}` cannot be a tool name", shown_name(raw)))
        .note("a tool is called by the snake_case of its name: a letter a to z first, then letters, digits and `_`, 64 at most")
        .help("give a `name` in the header, and the wording as `title`")
}

/// A parameter name that is not legal.
pub fn invalid_parameter_name(place: Span, raw: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::InvalidName, place, format!("`{}` cannot be a parameter name", shown_name(raw)))
            .note("names are a letter a to z first, then letters a to z, digits and `_`, 64 at most");
    let snake = snake_case(raw);
    if is_legal(&snake) && !RESERVED.contains(&snake.as_str()) {
        diagnostic.certain_fix("write it in snake_case", place, snake)
    } else {
        diagnostic
    }
}

/// A table whose name cannot be used.
pub fn invalid_table_name(place: Span, raw: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidName, place, format!("`{}` cannot be a table name", shown_name(raw)))
        .note("names of tables are letters, digits and `_`, and do not begin with a digit")
}

/// A name that qtool uses itself.
pub fn reserved_name(place: Span, name: &str) -> Diagnostic {
    let other = if name == "limit" { "max_rows".to_owned() } else { format!("{name}_value") };
    Diagnostic::at(Code::ReservedName, place, format!("the name `{name}` is reserved"))
        .label("qtool adds a parameter of this name itself")
        .fix("use another name", place, other)
}

/// A tool with a name that qtool uses for one of its own.
pub fn reserved_tool_name(place: Span, name: &str) -> Diagnostic {
    Diagnostic::at(Code::ReservedName, place, format!("the name `{name}` is reserved"))
        .label("a server of many tools offers a tool of this name itself")
        .help("give the query another `name`")
}

/// Two queries, or a query and a table, of one name. `other` is where the other is named.
pub fn name_collision(place: Span, name: &str, what: &str, other: Span) -> Diagnostic {
    Diagnostic::at(Code::NameCollision, place, format!("the name `{name}` is taken by {what}"))
        .also(other, "named here")
        .help("give one of them another `name`")
}
