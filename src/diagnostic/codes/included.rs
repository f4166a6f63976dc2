//! The constructors of what is said about databases whose tables are tables of the project by themselves.

use super::{invalid_source_option, invalid_value, unreadable_file, unreadable_source, unreadable_table};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::name::{is_legal_table, shown_name, snake_case};
use crate::source::Span;

/// A pattern of tables that is none. `meant` is the one that was probably meant.
pub fn invalid_table_pattern(place: Span, written: &str, has_schemas: bool, meant: Option<String>) -> Diagnostic {
    let expected = match has_schemas {
        true => "a pattern of tables with their schema, such as `public.*`",
        false => "a pattern of tables, such as `orders` or `*`",
    };
    let diagnostic = invalid_value(place, expected, &format!("`{}`", shown_name(written)));
    let diagnostic = match has_schemas {
        true => diagnostic.note("`*` stands for any letters, and a part with a point in it is in double quotes"),
        false => diagnostic.note("names of tables stand without a schema here; `*` stands for any letters"),
    };
    match meant {
        Some(meant) => diagnostic.fix("this was probably meant", place, format!("'{}'", meant.replace('\'', "''"))),
        None => diagnostic,
    }
}

/// A pattern that no table of the database has. `near` is one of a similar name.
pub fn no_table_of_pattern(place: Span, source: &str, pattern: &str, near: Option<&str>) -> Diagnostic {
    let diagnostic = unreadable_source(place, source, &format!("it has no table like `{}`", shown_name(pattern)));
    match near {
        Some(near) => diagnostic.help(format!("it has `{}`", shown_name(near))),
        None => diagnostic.help(format!("`qtool describe --source {source}` shows the tables that there are")),
    }
}

/// A pattern of tables to leave out that leaves none out.
pub fn unused_exclusion(place: Span, source: &str, pattern: &str, near: Option<&str>) -> Diagnostic {
    let why = format!("`exclude` has `{}`, and no table that is included is called so", shown_name(pattern));
    let diagnostic = Diagnostic { severity: Severity::Warning, ..invalid_source_option(place, source, &why) };
    match near {
        Some(near) => diagnostic.help(format!("there is `{}`", shown_name(near))),
        None => diagnostic,
    }
}

/// Says of a pattern why it may have no table: the partitions of a table are none.
pub fn partitions_are_no_tables(diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.note("the partitions of a table are no tables here: they are read by the table that they are parts of")
}

/// Two tables of databases, or one and a table of `qtool.yaml`, that would have one name. `both` are what they are.
pub fn two_tables_of_one_name(place: Span, source: &str, table: &str, (first, second): (&str, &str)) -> Diagnostic {
    let why = format!("{first} and {second} would both be table `{}`", shown_name(table));
    invalid_source_option(place, source, &why)
}

/// What is done about two tables of one name. `there` is the name in the database of the one that is included.
pub fn with_another_name(diagnostic: Diagnostic, source: &str, table: &str, there: &str) -> Diagnostic {
    let there = shown_name(there);
    diagnostic.help(format!("leave it out: `exclude: ['{there}']`")).help(format!(
        "or give it another name: `tables: {{ {source}_{}: {{ source: {source}, table: '{there}' }} }}`",
        shown_name(table)
    ))
}

/// A table of a database that is included, and becomes none of the project. `there` is its name in the database.
pub fn table_left_out(place: Span, source: &str, there: &str, why: &str) -> Diagnostic {
    let shown = shown_name(there);
    let diagnostic = unreadable_table(place, &shown, &format!("{why}; it is left out"));
    let diagnostic = Diagnostic { severity: Severity::Warning, ..diagnostic };
    let name = Some(snake_case(there.rsplit('.').next().unwrap_or(there))).filter(|name| is_legal_table(name));
    let name = name.unwrap_or_else(|| "t".to_owned());
    diagnostic
        .help(format!(
            "say more of it in a line of its own: `tables: {{ {name}: {{ source: {source}, table: '{}' }} }}`",
            shown.replace('\'', "''")
        ))
        .help(format!("or leave it out: `exclude: ['{}']`", shown.replace('\'', "''")))
}

/// A database whose list of tables is not locked, where the data may not be touched.
pub fn tables_not_listed(place: Span, source: &str) -> Diagnostic {
    Diagnostic::at(Code::TableNotLocked, place, format!("the tables of source `{source}` are not locked"))
        .note(format!(
            "`snapshots/sources/{source}.snap` is missing, or of other patterns, and this command does not touch the data"
        ))
        .help("`qtool lock` asks the database for them; commit the snapshots")
}

/// The locked list of the tables of a database that is damaged.
pub fn damaged_list(path: &str, source: &str, why: &str) -> Diagnostic {
    unreadable_file(None, path, why)
        .note(format!("it says which tables of source `{source}` are tables of the project"))
        .help("`qtool lock` asks the database for them and writes the file anew")
        .help(format!("or take the file from where it was whole, e.g. `git checkout -- {path}`"))
}
