//! One constructor per code: callers bring facts, the wording lives here.

mod changes;
mod clauses;
mod columns;
mod dialects;
mod headers;
mod included;
mod keys;
mod lints;
mod locks;
mod names;
mod parameters;
mod placeholders;
mod policies;
mod programs;
mod prompts;
mod queries;
mod reserved;
mod servers;
mod sources;
mod statements;
mod types;
mod upstreams;
mod written;
mod yaml;

pub use changes::{
    changes_data, changes_records, column_of_no_tool, every_column_is_written, generated_column, no_table_of_records,
    no_table_to_write, number_of_changes, operation_of_no_tool, table_of_no_tool, unbounded_change, view_of_no_tool,
};
pub use clauses::{
    Connective, clause_without_condition, clause_without_connective, clause_without_placeholder, unclosed_clause,
};
pub use columns::{
    Computed, ambiguous_column, ambiguous_in_order, ambiguous_output, merged_column, named_beside, named_later,
};
pub use dialects::{
    ROWS_OF_COLUMNS, arguments_of_others, help_of_query, syntax_of_others, text_in_quotes, written_arguments,
};
pub use headers::{
    header_behind_statement, header_in_comment, header_of_lines, misnamed_file, nearly_closed_header, nearly_header,
    second_header, unclosed_header,
};
pub use included::{
    damaged_list, invalid_table_pattern, no_table_of_pattern, partitions_are_no_tables, table_left_out,
    tables_not_listed, two_tables_of_one_name, unused_exclusion, with_another_name,
};
pub use lints::{
    ColumnList, HandWrittenClause, LargeScan, Share, ambiguous_limit, claim_without_auth, compared_null,
    dropped_scopes, hand_written_clause, header_without_auth, instructing_description, invisible_character,
    large_definition, negated_null_item, nobody_writes, null_comparison, null_item, parameter_as_column,
    policy_without_auth, replaced_guard, scopes_without_auth, select_star, swallowed_condition, unbounded_result,
    unfiltered_scan, unordered_limit, unstable_order, with_name,
};
pub use locks::{damaged_lock, table_changed, table_not_locked, values_not_locked};
pub use names::{
    invalid_parameter_name, invalid_table_name, invalid_tool_name, name_collision, reserved_name, reserved_tool_name,
};
pub use parameters::{
    added_texts, choices_differ, conflicting_configuration, constraint_of_another_type, default_not_allowed,
    did_you_mean, invalid_allowed_value, invalid_choice, invalid_constraint, invalid_default, meant, or_days,
    parameter_of_rules, repeated_allowed_value, unknown_group, unknown_parameter, unused_parameter,
};
pub use placeholders::{invalid_placeholder, name_in, raw_placeholder, unclosed_placeholder};
pub use policies::{
    invalid_policy, statement_past_a_policy, unknown_policy_column, unknown_policy_table, unmasked_pii,
    values_of_a_policied_table,
};
pub use programs::{
    argument_without_value, changed_function, invalid_program, key_of_other_runs, list_that_stays, nothing_runs,
    parameter_without_type, placeholder_with_type, program_column_without_type, two_that_run,
    unclosed_placeholder_of_manifest, undeclared_parameters, undescribed_function, undescribed_program,
    unrunnable_program, value_in_code,
};
pub use prompts::{
    default_of_required_argument, invalid_argument_name, invalid_prompt, invalid_prompt_name, nearly_front_matter,
    no_front_matter, unclosed_front_matter, undeclared_argument, unknown_tool_of_prompt, unused_argument,
};
pub use queries::{empty_query, multiple_statements, not_a_query, query_too_deep, query_too_large, syntax_error};
pub use servers::{
    address_twice, half_of_certificate, host_of_address, host_with_port, is_variable, key_of_other_database,
    missing_address, missing_part, no_variable, part_by_another_key, part_of_address, part_of_variable,
    secret_for_variable, several_hosts, tls_by_another_key, tls_of_value, unknown_key_of_source, unknown_tls_mode,
    unused_certificate, variable_of_address, variable_of_password,
};
pub use sources::{
    invalid_source_name, invalid_source_option, is_sqlite, key_of_other_kind, lossy_number, lossy_place,
    missing_type_of_source, neither_path_nor_source, no_own_setting, path_and_source, path_of_address,
    rows_of_a_caller, schema_of_table, secret_in_project, secret_in_value, setting_twice, source_by_another_key,
    source_of_text, type_meant, unknown_source, unknown_type_of_source, unreadable_source,
};
pub use statements::{
    column_of_foreign_type, column_of_other_type, column_without_type, columns_without_type, foreign_change,
    foreign_statement, foreign_statement_assigns, foreign_statement_begins, foreign_statement_calls,
    foreign_statement_calls_behind, foreign_statement_comments, foreign_statement_escapes, foreign_statement_locks,
    foreign_statement_over, foreign_statement_reads, foreign_statement_writes, parameter_of_foreign_type,
    second_foreign_statement, statement_not_locked, table_is_a_statement, time_compared_as_text,
};
pub use types::{cannot_infer_type, conflicting_types, declared_type_conflicts, unknown_type, with_meant};
pub use upstreams::{invalid_upstream, unreachable_upstream, upstream_not_locked};
pub use written::{
    ConstantKey, constant_key, counted_records, foreign_placeholder_in_text, half_closed_placeholder,
    nameless_placeholder, placeholder_behind_operand, placeholder_for_alias, placeholder_for_table,
    placeholder_in_comment, placeholder_in_name, placeholder_in_text, template_tag, written_interval,
};
pub use yaml::{is_address_of_database, of_database, parameter_of_text, quoted_text, table_of_text, text_of_stars};

use super::{Code, Diagnostic, Severity};
use crate::name::{Near, near, shown_name};
use crate::source::{SourceFile, Span};
use crate::ty::Type;

/// A file that cannot be opened. `place` is where it was asked for, if it was.
pub fn unreadable_file(place: Option<Span>, path: &str, why: &str) -> Diagnostic {
    let message = format!("cannot read `{path}`: {why}");
    match place {
        Some(span) => Diagnostic::at(Code::UnreadableFile, span, message),
        None => Diagnostic::in_file(Code::UnreadableFile, path, message),
    }
}

/// A text file with bytes that are no UTF-8.
pub fn not_utf8(path: &str, valid_up_to: usize) -> Diagnostic {
    Diagnostic::in_file(Code::NotUtf8, path, format!("`{path}` is not UTF-8"))
        .note(format!("the first invalid byte is number {}", valid_up_to + 1))
        .help("save the file in UTF-8")
}

/// A path that leads out of the project.
pub fn path_outside_roots(place: Span, path: &str) -> Diagnostic {
    Diagnostic::at(Code::PathOutsideRoots, place, format!("`{path}` lies outside of the project"))
        .label("leaves the declared roots")
        .help("move the data below the project, or declare its directory under `roots`")
}

/// YAML that cannot be parsed.
pub fn invalid_yaml(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidYaml, place, format!("invalid YAML: {why}"))
}

/// A key that does not exist there. `known` are those that do, `set` says which of them are written there already.
pub fn unknown_key(place: Span, key: &str, known: &[String], set: &dyn Fn(&str) -> bool) -> Diagnostic {
    // Where codes are keys, those of errors are none of them.
    if let Some(code) = Code::parse(key).filter(|_| known.iter().any(|name| Code::parse(name).is_some())) {
        return lints::error_is_no_lint(place, code, known);
    }
    let diagnostic =
        Diagnostic::at(Code::UnknownKey, place, format!("unknown key `{}`", shown_name(key))).label("unknown key");
    if let Some(import) = keys::import_of(key, known) {
        return diagnostic.help(import);
    }
    let all = || known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if let Some(ours) = keys::meant(key, known) {
        return match set(ours) {
            true => diagnostic.note(format!("here it is called `{ours}`, which is set already")),
            false => diagnostic.fix(format!("here it is called `{ours}`"), place, ours),
        };
    }
    match near(key, known.iter().map(String::as_str)) {
        // A key that is written twice is no YAML.
        Some(near) if set(near.name) => {
            diagnostic.note(format!("`{}` is set already; the keys are {}", near.name, all()))
        }
        Some(near) => diagnostic.similar_word("a key", unquoted(near, place), place),
        None => diagnostic.note(format!("the keys are {}", all())),
    }
}

/// A value of another shape than the format asks for.
pub fn invalid_value(place: Span, expected: &str, found: &str) -> Diagnostic {
    let found = if found.is_empty() { String::new() } else { format!(", found {found}") };
    Diagnostic::at(Code::InvalidValue, place, format!("expected {expected}{found}"))
}

/// A key without a value.
pub fn empty_value(key: Span, expected: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidValue, key, format!("expected {expected}, found nothing")).label("has no value")
}

/// A key that must be there and is not.
pub fn missing_key(place: Span, key: &str) -> Diagnostic {
    Diagnostic::at(Code::MissingKey, place, format!("missing key `{key}`"))
}

/// A project without queries.
pub fn empty_project(place: Span) -> Diagnostic {
    Diagnostic::at(Code::EmptyProject, place, "the project has no queries")
        .help("write a `.sql` file into `queries/`; each becomes a tool")
}

/// A table whose data cannot be read.
pub fn unreadable_table(place: Span, table: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::UnreadableTable, place, format!("cannot read table `{table}`: {why}"))
}

/// A setting of a table that does not fit its format or its data.
pub fn invalid_table_option(place: Span, table: &str, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidSetting, place, format!("invalid setting of table `{table}`: {why}"))
}

/// A table that does not exist.
pub fn unknown_table<'a>(place: Span, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let diagnostic = Diagnostic::at(Code::UnknownTable, place, format!("table `{}` not found", shown_name(name)))
        .label("no table or query of this name");
    if let Some((text, table)) = dialects::table_in(name, &known) {
        return diagnostic.fix(text, place, quoted(table));
    }
    match near(name, known.iter().copied()) {
        Some(near) => diagnostic.similar_name("a table or query", near, place, quoted(near.name)),
        None => {
            let help = match (dialects::is_place(name), known.is_empty()) {
                (true, _) => format!("`qtool add table {}` makes a table of it", shown_name(name)),
                (false, true) => "declare it under `tables` in qtool.yaml".to_owned(),
                (false, false) => "declare a table under `tables` in qtool.yaml".to_owned(),
            };
            let known = (!known.is_empty()).then(|| format!("there are {}", list(known)));
            known.into_iter().fold(diagnostic, Diagnostic::note).help(help)
        }
    }
}

/// A table by the name that its database has for it. `here` is the one that it has in the project.
pub fn table_of_database(place: Span, name: &str, here: &str) -> Diagnostic {
    Diagnostic::at(Code::UnknownTable, place, format!("table `{}` not found", shown_name(name)))
        .label("no table or query of this name")
        .note(format!("its database calls table `{}` so", shown_name(here)))
        .fix("write its name here", place, quoted(here))
}

/// Where a column was looked for.
#[derive(Debug, Clone, Copy)]
pub struct Scope<'a> {
    /// The only table in question, if there is only one.
    pub table: Option<&'a str>,
    /// The table's name as written in front of the column, if one was.
    pub qualifier: Option<&'a str>,
    /// The columns there are.
    pub columns: &'a [String],
}

/// A column that does not exist.
pub fn unknown_column(place: Span, name: &str, scope: Scope<'_>) -> Diagnostic {
    let within = scope.table.map(|table| format!(" in table `{}`", shown_name(table))).unwrap_or_default();
    let diagnostic =
        Diagnostic::at(Code::UnknownColumn, place, format!("column `{}` not found{within}", shown_name(name)))
            .label("unknown column");
    let known = || scope.columns.iter().map(String::as_str);
    if scope.qualifier.is_none()
        && let Some(told) = dialects::word(&diagnostic, place, name)
    {
        return told;
    }
    // Elsewhere the alias of a function in FROM is the name of its column as well.
    if let ([only], None, true) = (scope.columns, scope.qualifier, scope.table == Some(name)) {
        return diagnostic.fix(
            "this is the name of the table, and its column is called otherwise",
            place,
            quoted(only),
        );
    }
    match near(name, known()) {
        Some(near) => {
            // Without a table in front, a column that several have would be ambiguous.
            let is_clear = scope.qualifier.is_some() || known().filter(|column| *column == near.name).count() == 1;
            let near = if is_clear { near } else { near.doubtful() };
            let prefix = scope.qualifier.map(|table| format!("{}.", quoted(table))).unwrap_or_default();
            diagnostic.similar_name("a column", near, place, format!("{prefix}{}", quoted(near.name)))
        }
        None if scope.columns.is_empty() => diagnostic.note("no columns can be used here"),
        None => diagnostic.note(format!("there are {}", list(known()))),
    }
}

/// A column under the name that its database has for it, which is called `here` in the project.
pub fn renamed_column(place: Span, name: &str, here: &str) -> Diagnostic {
    Diagnostic::at(Code::UnknownColumn, place, format!("column `{}` not found", shown_name(name)))
        .label("the database calls it so")
        .fix(format!("here it is called `{}`", shown_name(here)), place, quoted(here))
}

/// A function that does not exist.
pub fn unknown_function<'a>(place: Span, name: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownFunction, place, format!("function `{}` not found", shown_name(name)))
        .label("unknown function");
    // A name that other databases have is no misspelt one: `len` is not `ln`.
    dialects::function(&diagnostic, place, name).unwrap_or_else(|| match near(name, known) {
        Some(near) => diagnostic.similar_name("a function", near, place, near.name),
        None => diagnostic,
    })
}

/// The same of a call in a file.
pub fn unknown_call<'a>(
    file: Option<&SourceFile>,
    place: Span,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    let diagnostic = Diagnostic::at(Code::UnknownFunction, place, format!("function `{}` not found", shown_name(name)))
        .label("unknown function");
    match file.and_then(|file| dialects::call(file, place, name)) {
        Some((call, operation)) => diagnostic.fix("here it is written as an operator", call, operation),
        None => unknown_function(place, name, known),
    }
}

/// The functions that are named for those of other databases.
#[cfg(test)]
pub(crate) fn named_functions() -> impl Iterator<Item = &'static str> {
    dialects::named()
}

/// Two output columns of one name. `first` is the place of the first, if it is known.
pub fn duplicate_column(place: Span, name: &str, first: Option<Span>) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::DuplicateColumn, place, format!("the result has two columns `{}`", shown_name(name)))
            .help("give one of them another name with AS");
    match first {
        Some(first) => {
            let name = shown_name(name);
            diagnostic.label(format!("named `{name}` too")).also(first, format!("the first `{name}`"))
        }
        None => diagnostic,
    }
}

/// An output column that is an expression without a name: the planner's rendering of it would be published.
pub fn unnamed_column(place: Span) -> Diagnostic {
    Diagnostic::at(Code::UnnamedColumn, place, "the column has no name of its own")
        .label("named by its expression")
        .help("name it with AS: agents see the name, and it changes with the expression")
}

/// The same of an expression with a placeholder, whose rendering would tell agents of the inside of the query.
pub fn unnamed_column_with_placeholder(place: Span) -> Diagnostic {
    Diagnostic { severity: Severity::Error, ..unnamed_column(place) }
        .note("the expression has a placeholder, which has no name that an agent could read")
}

/// Queries that select from each other. `names` is the way round.
pub fn query_cycle(place: Span, names: &[String]) -> Diagnostic {
    Diagnostic::at(Code::QueryCycle, place, format!("queries select from each other: {}", names.join(" → ")))
        .label("leads back to this query")
}

/// A statement that the planner refuses.
pub fn invalid_query(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidQuery, place, format!("invalid query: {why}"))
}

/// A statement that is well formed, but that the engine cannot run.
pub fn cannot_run(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::CannotRun, place, format!("the query cannot run: {why}"))
}

/// A rule across parameters that cannot be one.
pub fn invalid_rule(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidRule, place, format!("invalid rule: {why}"))
}

/// An output column that has no SQL type.
pub fn unsupported_type(place: Span, column: &str, ty: &str) -> Diagnostic {
    let told = format!("column `{column}` has type {ty}, which cannot be returned");
    let diagnostic = Diagnostic::at(Code::UnsupportedType, place, told);
    // A cast of a union keeps the values of one of its types.
    if ty.contains("Union(") { diagnostic } else { diagnostic.help("cast it, as in `CAST(… AS text)`") }
}

/// A setting of the header that does not fit the query.
pub fn invalid_setting(place: Span, why: &str) -> Diagnostic {
    Diagnostic::at(Code::InvalidSetting, place, format!("invalid setting: {why}"))
}

/// What the header says of the `bigint` or the `decimal` numbers of a column that has none.
pub fn numbers_of_another_type(place: Span, (column, ty): (&str, &Type), key: &str) -> Diagnostic {
    let diagnostic = invalid_setting(place, &format!("column `{column}` has type {ty}, and no {key} in it"));
    match (key, ty) {
        ("decimal", Type::Bigint) => diagnostic.help("say `bigint`"),
        ("bigint", Type::Decimal(..)) => diagnostic.help("say `decimal`"),
        _ => diagnostic.note(format!("`{key}` says what numbers of type {key} are in JSON")),
    }
}

/// A `default_limit` above the limit that holds. `limit` is where that one is written; else it holds by itself.
pub fn default_limit_above(place: Span, default: u64, most: u64, limit: Option<Span>) -> Diagnostic {
    let diagnostic = invalid_setting(place, &format!("`default_limit` {default} is more than `result_limit` {most}"));
    match limit {
        Some(limit) => diagnostic.also(limit, format!("at most {most} rows")),
        None => diagnostic.note(format!("`result_limit` is {most} where nothing is written")),
    }
}

/// An output column described in the header that the query does not have.
pub fn unknown_output_column(place: Span, name: &str, known: &[String]) -> Diagnostic {
    let diagnostic =
        Diagnostic::at(Code::UnknownColumn, place, format!("the result has no column `{}`", shown_name(name)))
            .label("unknown column");
    match near(name, known.iter().map(String::as_str)) {
        Some(near) => diagnostic.similar_name("a column", unquoted(near, place), place, near.name),
        None => diagnostic.note(format!("there are {}", list(known.iter().map(String::as_str)))),
    }
}

/// A tool or parameter without a description.
pub fn missing_description(place: Span, what: &str) -> Diagnostic {
    Diagnostic::at(Code::MissingDescription, place, format!("{what} has no description"))
        .help("add a `description`: agents choose and fill tools by it")
}

/// The same name, but a doubtful one where a key of YAML is written in quotes: without them, the text around it may be
/// read in another way.
fn unquoted<'w, 'c>(near: Near<'w, 'c>, place: Span) -> Near<'w, 'c> {
    let is_bare = place.end.checked_sub(place.start) == Some(near.written.len());
    if is_bare { near } else { near.doubtful() }
}

/// A name as SQL: quoted where it is not a plain lower-case word, or one that SQL has for itself.
fn quoted(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        && !reserved::is_reserved_word(name);
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// At most a dozen names in backticks.
fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let first: Vec<String> = names.iter().take(12).map(|name| format!("`{}`", shown_name(name))).collect();
    let more = names.len().saturating_sub(12);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{tail}", first.join(", "))
}
