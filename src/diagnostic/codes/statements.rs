//! The constructors of what is said about statements in a database's own SQL.

use super::types::type_of_field;
use super::unknown_table;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::ty::Type;

/// What such a statement may be.
const READS: &str =
    "a tool reads by one SELECT, WITH … SELECT or VALUES, or changes rows by INSERT, UPDATE, DELETE or MERGE";

/// Why a database says nothing of a column's type.
const OF_EXPRESSIONS: &str = "it knows the types of columns that are shown as they are, and of some functions, and not those of other expressions";

/// A second statement behind the first.
pub fn second_foreign_statement(second: Span, first: Span) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, second, "a query file has one statement")
        .label("a second statement")
        .also(first, "the first statement")
        .note(READS)
        .help("move it to a file of its own")
}

/// A statement that begins with a word that no query begins with.
pub fn foreign_statement_begins(place: Span, what: &str) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, format!("`{what}` begins no query"))
        .label("only reads are allowed")
        .note(READS)
}

/// A word in a statement that changes something. `quote` is what a name may stand in.
pub fn foreign_statement_writes(place: Span, what: &str, quote: char) -> Diagnostic {
    // As Markdown has it: a mark that is in the text is in more of them.
    let marks = if quote == '`' { ("`` ", " ``") } else { ("`", "`") };
    let quoted = format!("{}{quote}{}{quote}{}", marks.0, what.to_lowercase(), marks.1);
    Diagnostic::at(Code::ForeignStatement, place, format!("`{what}` is no part of a query"))
        .label("only reads are allowed")
        .note(READS)
        .help(format!("where it is a name, write it in quotes: {quoted}"))
}

/// A statement that its database refuses. `why` is what it says.
pub fn foreign_statement(place: Span, source: &str, why: &str) -> Diagnostic {
    foreign_statement_over(place, (source, &format!("qtool describe --source {source}")), why)
}

/// The same where `shows` is the command that shows what there is.
pub fn foreign_statement_over(place: Span, (source, shows): (&str, &str), why: &str) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::ForeignStatement, place, format!("source `{source}` refuses the statement: {why}"));
    if why.starts_with("no such function") {
        return diagnostic.note("the statement is in the database's own SQL: it calls the functions that are there");
    }
    diagnostic
        .note("the statement is in the database's own SQL: its tables and columns have the names that they have there")
        .help(format!("`{shows}` shows them"))
}

/// A column of such a statement that the database tells no type of. `edits` are types that it may have, each with where it is
/// declared and what is written there.
pub fn column_without_type(place: Span, column: &str, edits: Vec<(&str, Span, String)>) -> Diagnostic {
    let told = format!("the database does not say of which type column `{column}` is");
    let diagnostic = Diagnostic::at(Code::UnsupportedType, place, told).note(OF_EXPRESSIONS);
    let help = "declare its type in the header";
    if edits.is_empty() {
        let name = serde_json::Value::from(column);
        return diagnostic.help(format!("{help}: `columns: {{ {name}: {{ type: text }} }}`"));
    }
    edits.into_iter().enumerate().fold(diagnostic, |diagnostic, (at, (ty, place, entry))| {
        let told = if at == 0 { help.to_owned() } else { format!("or `{ty}`") };
        diagnostic.fix(told, place, entry)
    })
}

/// Several such columns of a statement whose header declares none. `edit` declares all of them.
pub fn columns_without_type(first: Span, others: &[Span], names: &[&str], edit: Option<(Span, String)>) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let told = format!("the database does not say of which types columns {} are", names.join(", "));
    let diagnostic = Diagnostic::at(Code::UnsupportedType, first, told);
    let diagnostic = others.iter().fold(diagnostic, |diagnostic, place| diagnostic.also(*place, "and this one"));
    let help = "declare their types in the header, each as what it holds: `text`, `bigint`, `double` or another";
    match edit {
        Some((place, entry)) => diagnostic.note(OF_EXPRESSIONS).fix(help, place, entry),
        None => diagnostic.note(OF_EXPRESSIONS).help(help),
    }
}

/// A column that is declared of a type which a column of the database cannot be read as.
pub fn column_of_other_type(place: Span, column: &str, (ty, database): (&Type, &str)) -> Diagnostic {
    let told = format!("column `{column}` of {database} cannot be {ty}");
    let diagnostic = Diagnostic::at(Code::UnsupportedType, place, told).label("no value there is one");
    let instead = match ty {
        Type::Ubigint => "bigint",
        Type::Uuid | Type::Interval => "text",
        _ => "json",
    };
    diagnostic.fix(format!("declare it {instead}"), place, instead)
}

/// A column of such a statement that is of a type which is not read, or not as what is declared of it. `item` is what it is
/// in the statement, where that is a column of a table and nothing more; `cast` makes a text of it, behind it or in words.
pub fn column_of_foreign_type(
    place: Span,
    column: &str,
    (ty, declared): (&str, Option<&Type>),
    (item, cast): (Option<Span>, &str),
) -> Diagnostic {
    let told = match declared {
        Some(declared) => format!("column `{column}` is of the database's type {ty}, which is not read as {declared}"),
        None => format!("column `{column}` is of the database's type {ty}, which is not read"),
    };
    let diagnostic = Diagnostic::at(Code::UnsupportedType, place, told);
    let help = "let the database write it as text";
    match (declared, item) {
        (Some(declared), _) => {
            diagnostic.help(format!("cast it in the statement, or declare another type than {declared} in the header"))
        }
        (None, Some(item)) if cast.starts_with("::") => diagnostic.fix(help, item.after(), cast.to_owned()),
        (None, _) if cast.starts_with("::") => diagnostic.help(format!("{help}: `CAST(… AS text)`")),
        (None, _) => diagnostic.help(format!("{help}: {cast}")),
    }
}

/// A function in a statement that does more than compute: `why` is what.
pub fn foreign_statement_calls(place: Span, function: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, format!("`{function}` is not called by a tool: it {why}"))
        .label("only reads are allowed")
        .note(READS)
}

/// The same behind a point, where PostgreSQL calls it with what stands before the point, unless it is a column.
pub fn foreign_statement_calls_behind(place: Span, function: &str, why: &str) -> Diagnostic {
    foreign_statement_calls(place, function, why)
        .note("behind a point, the name of a function calls it with what stands before")
        .help("where it is a column, write it without what stands before the point")
}

/// A view in a statement that shows more than data.
pub fn foreign_statement_reads(place: Span, view: &str) -> Diagnostic {
    Diagnostic::at(
        Code::ForeignStatement,
        place,
        format!("`{view}` is not read by a tool: it shows files of the server"),
    )
    .label("only data is read")
    .note(READS)
}

/// A word in a statement that keeps others from its rows.
pub fn foreign_statement_locks(place: Span) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, "a tool locks no rows").label("only reads are allowed").note(READS)
}

/// A variable of a session in a statement, which the next statement would find.
pub fn foreign_statement_assigns(place: Span) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, "a tool has no variables of its session")
        .label("only reads are allowed")
        .note(READS)
        .help("a value of a call is a placeholder: `<< name >>`")
}

/// A statement that changes data in a way that no tool does; `instead` says what is done in its place.
pub fn foreign_change(place: Span, why: &str, instead: Option<&str>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::ForeignStatement, place, format!("the statement is refused: {why}"));
    instead.map_or(diagnostic.clone(), |instead| diagnostic.help(instead))
}

/// A comment in a statement that the database reads as a part of it.
pub fn foreign_statement_comments(place: Span) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, "a comment that the server runs cannot be checked")
        .help("write what is in it as a part of the statement, or leave it out")
}

/// A name that is written so that its letters cannot be read.
pub fn foreign_statement_escapes(place: Span) -> Diagnostic {
    Diagnostic::at(Code::ForeignStatement, place, "a name whose letters are escaped cannot be checked")
        .help("write its letters as they are: `\"name\"`")
}

/// A parameter of a type that cannot be sent to a database.
pub fn parameter_of_foreign_type(place: Span, name: &str, ty: &Type, database: &str) -> Diagnostic {
    let told = format!("parameter `{name}` is of type {ty}, which cannot be sent to {database}");
    let diagnostic = Diagnostic::at(Code::UnsupportedType, place, told);
    match ty {
        Type::List(_) => diagnostic.help(format!("a list stands behind IN alone: `IN << {name} >>`")),
        _ => diagnostic.help("take it as text, and let the database convert it"),
    }
}

/// A parameter that stands beside points in time, which its database compares as texts. `edit` is where `: type` belongs.
pub fn time_compared_as_text(place: Span, edit: Span, name: &str, (ty, database): (&Type, &str)) -> Diagnostic {
    let (text, sent) = match ty {
        Type::List(item) => (Type::List(Box::new(Type::Text)), item.as_ref()),
        ty => (Type::Text, ty),
    };
    let written = match sent {
        Type::Time => "12:30:00",
        Type::Timestamptz(_) => "2024-03-31 12:30:00Z",
        _ => "2024-03-31 12:30:00",
    };
    let asked =
        Diagnostic::at(Code::CannotInferType, place, format!("cannot infer how parameter `{name}` is to be written"))
            .label(format!("{database} compares texts here"))
            .note(format!(
                "{database} has no type for points in time: `2024-03-31T12:30:00` comes behind `2024-03-31 23:59:59`"
            ));
    if name.contains('.') {
        return asked
            .help(type_of_field(name, "text"))
            .help(format!("or `{ty}`, where all values are stored as `{written}`, which is how it is sent"));
    }
    asked.fix("take a text, which is compared as it is written", edit, format!(": {text}")).fix(
        format!("or a {ty}, where all values are stored as `{written}`, which is how it is sent"),
        edit,
        format!(": {ty}"),
    )
}

/// What a database says of a statement is not locked, where the data may not be touched.
pub fn statement_not_locked(place: Span, query: &str) -> Diagnostic {
    Diagnostic::at(Code::StatementNotLocked, place, format!("the columns of `{query}` are not locked"))
        .note(format!(
            "`snapshots/statements/{query}.snap` is missing, or of another text of the statement, and this command does not touch the data"
        ))
        .help("`qtool lock` asks the database; commit the snapshot")
}

/// A query that selects from a statement of a database.
pub fn table_is_a_statement(place: Span, name: &str) -> Diagnostic {
    unknown_table(place, name, std::iter::empty())
        .note(format!(
            "`{name}` is a tool that runs no SQL of the project: a statement in a database's own SQL, or a manifest; no query can \
             select from it"
        ))
}
