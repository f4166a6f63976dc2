//! The constructors of what is said about policies of tables.

use super::{list, near, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::name::shown_name;
use crate::source::Span;

/// A policy that says something else than who sees what.
pub fn invalid_policy(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidPolicy, place, why).note("a table whose policy has errors is read by no tool")
}

/// A policy of a table that there is not.
pub fn unknown_policy_table<'a>(place: Span, table: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::InvalidPolicy, place, format!("table `{}` not found", shown_name(table)))
        .label("no table of this name");
    match near(table, known) {
        Some(near) => diagnostic.help(format!("did you mean `{}`?", near.name)),
        None => diagnostic.help("declare a table under `tables`"),
    }
}

/// A column of a policy that its table does not have.
pub fn unknown_policy_column<'a>(
    place: Span,
    (column, table): (&str, &str),
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let diagnostic = Diagnostic::at(
        Code::InvalidPolicy,
        place,
        format!("column `{}` not found in table `{}`", shown_name(column), shown_name(table)),
    )
    .label("unknown column");
    match near(column, known.iter().copied()) {
        Some(near) => diagnostic.similar_name("a column", near, place, quoted(near.name)),
        None => diagnostic.note(format!("there are {}", list(known.iter().copied()))),
    }
}

/// A query of allowed values over a table of which callers see different rows.
pub fn values_of_a_policied_table(place: Span, table: &str) -> Diagnostic {
    let told = format!("`{table}` has a policy, and allowed values are told to every caller");
    Diagnostic::at(Code::BypassedPolicy, place, told)
        .help("write the values down as `allowed_values`, or read them from another table")
}

/// A statement in the own SQL of a database, of which a table has a policy.
pub fn statement_past_a_policy(place: Span, (table, source): (&str, &str), policy: Span) -> Diagnostic {
    let told = format!("the statement is sent to `{source}`, where it may read `{table}` past its policy");
    Diagnostic::at(Code::BypassedPolicy, place, told)
        .also(policy, "the policy")
        .note("a statement in a database's own SQL is sent to it as it is: nothing here stands between it and the rows, and its views and functions may read every table")
        .help("write the query over the project's tables, without `source`")
        .help("or let the database hold to the policy, by row-level security and `session`, and say `enforced_by: database` in it")
}

/// A tool that returns personal data to every caller. `output` is the column of its result, where it is known.
pub fn unmasked_pii(
    place: Span,
    (tool, output): (&str, Option<&str>),
    (table, column): (&str, &str),
    pii: &str,
) -> Diagnostic {
    let what = format!("`{}.{}`", shown_name(table), shown_name(column));
    let shown = match output {
        Some(output) => format!("`{}` of `{tool}` shows {what} to every caller", shown_name(output)),
        None => format!("`{tool}` shows {what} to every caller"),
    };
    Diagnostic::at(Code::UnmaskedPii, place, shown)
        .note(format!("it is declared as personal data: `pii: {}`", shown_name(pii)))
        .help(format!("say under `policies` of `{}` in `qtool.yaml` who sees it, or leave it out", shown_name(table)))
}
