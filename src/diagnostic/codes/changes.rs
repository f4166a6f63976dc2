//! The constructors of what is said about statements that change data.

use super::{list, near, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::shown_name;
use crate::source::Span;

/// A table that is written into, of which the project has no table. `source` is its database.
pub fn no_table_to_write(place: Span, table: &str, source: &str, near: Option<&str>) -> Diagnostic {
    let shown = shown_name(table);
    let told = Diagnostic::at(
        Code::NotWritable,
        place,
        format!("`{shown}` is no table of the project: nothing says that it may be changed"),
    )
    .label("not declared");
    match near {
        Some(near) => told.fix("a table with a similar name exists", place, near.to_owned()),
        None => told.help(format!("declare it under `tables`: `{shown}: {{ source: {source}, writable: true }}`")),
    }
}

/// A table that is written into beside records of a folder.
pub fn no_table_of_records(place: Span, table: &str, records: &str) -> Diagnostic {
    let message = format!(
        "`{}` is no table that the statement has: over a folder, there are its records alone",
        shown_name(table)
    );
    let told = Diagnostic::at(Code::NotWritable, place, message).label("not there");
    told.fix("the table has the name of the records", place, records.to_owned())
}

/// A table that is written into, which nobody may change. `declared` is where it is declared, `edit` what says that it may be.
pub fn table_of_no_tool(place: Span, table: &str, declared: Span, edit: Option<(Span, String)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::NotWritable, place, format!("table `{table}` is not writable"))
        .label("no tool may change it")
        .also(declared, "declared here, without `writable`");
    let help = "say that it is, or which columns and operations are";
    match edit {
        Some((span, text)) => diagnostic.fix(help, span, text),
        None => diagnostic.help(format!("{help}: `writable: true`")),
    }
}

/// A view that is written into.
pub fn view_of_no_tool(place: Span, table: &str, said: Span) -> Diagnostic {
    Diagnostic::at(Code::NotWritable, place, format!("`{table}` is a view: nobody counts what is changed through it"))
        .label("no tool may change it")
        .also(said, "said to be writable")
        .help("change the table that it shows")
}

/// Something that is done with rows of a table and may not be: a keyword of SQL.
pub fn operation_of_no_tool(place: Span, table: &str, operation: &str, said: Span) -> Diagnostic {
    let told = format!("`{}` is none of the operations that table `{table}` is writable by", operation);
    Diagnostic::at(Code::NotWritable, place, told)
        .label("not allowed")
        .also(said, "what is allowed")
        .help(format!("add `{}` to its `operations`", operation.to_lowercase()))
}

/// A column that is written and may not be. `known` are those that may.
pub fn column_of_no_tool(place: Span, (column, table): (&str, &str), known: &[String], said: Span) -> Diagnostic {
    let diagnostic = Diagnostic::at(
        Code::NotWritable,
        place,
        format!("column `{}` of table `{table}` is not writable", shown_name(column)),
    )
    .label("no tool may write it")
    .also(said, "what is writable");
    match near(column, known.iter().map(String::as_str)) {
        Some(near) => diagnostic.similar_name("a writable column", near, place, quoted(near.name)),
        None => diagnostic.note(format!("writable are {}", list(known.iter().map(String::as_str)))),
    }
}

/// An INSERT without a list of columns, into a table of which some are writable.
pub fn every_column_is_written(place: Span, table: &str, known: &[String], said: Span) -> Diagnostic {
    Diagnostic::at(
        Code::NotWritable,
        place,
        format!("every column of table `{table}` is written, and not all are writable"),
    )
    .also(said, "what is writable")
    .help(format!("name the columns: `({})`", known.join(", ")))
}

/// A column that is written, which the database computes.
pub fn generated_column(place: Span, column: &str, table: &str) -> Diagnostic {
    let told = format!("column `{}` of table `{table}` is generated: the database computes it", shown_name(column));
    Diagnostic::at(Code::NotWritable, place, told).label("nobody can write it").help("leave it out")
}

/// A change of all rows that there are, or of those that no call speaks of.
pub fn unbounded_change(place: Span, operation: &str) -> Diagnostic {
    let told = format!("`{}` has no condition on a parameter: every call changes the same rows", operation);
    Diagnostic::at(Code::UnboundedChange, place, told)
        .label("nothing that a call says bounds it")
        .note("a condition that an optional clause leaves out, or an OR goes around, is none")
        .help("add a condition on a column and a parameter: `WHERE id = << id >>`")
}

/// A change of nobody knows how many rows. `edit` is what says how many it may be.
pub fn number_of_changes(place: Span, edit: Option<(Span, String)>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnboundedChange, place, "nothing says how many rows a call changes at most")
        .label("any number of them")
        .note("without a word, it is 1 where the condition names the whole primary key, and the rows that VALUES writes out");
    let help = "say how many: where a call would change more, it changes none";
    match edit {
        Some((span, text)) => diagnostic.fix(help, span, text),
        None => diagnostic.help(format!("{help}: `max_changes: 10`")),
    }
}

/// A tool over records that changes them, which somebody wants to hear of.
pub fn changes_records(place: Span, tool: &str, records: &str) -> Diagnostic {
    Diagnostic::at(Code::ChangesData, place, format!("tool `{tool}` changes the records `{}`", shown_name(records)))
        .label("changed by calls")
        .help("say which tools there are: `tools: [get_contract, list, get, query, history]`")
}

/// A tool that changes data, which somebody wants to hear of. `operation` is a keyword of SQL.
pub fn changes_data(place: Span, tool: &str, operation: &str, table: &str) -> Diagnostic {
    Diagnostic::at(
        Code::ChangesData,
        place,
        format!("tool `{tool}` changes data: `{operation}` of `{}`", shown_name(table)),
    )
    .label("changed by calls")
    .help("where it may, say `lints: { changes-data: allow }` in its header")
}
