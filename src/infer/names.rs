//! Tables and functions that do not exist, and columns named twice: all of them at once, before the planner stops at
//! the first.

use super::signature::Callee;
use super::{Context, counted_records, fetches, function_clauses, functions, written_intervals};
use crate::catalog::Table;
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::name::nearest;
use crate::project::name_parts;
use crate::source::{SourceFile, Spanned};
use crate::syntax::synonyms::written_forms;
use crate::syntax::{OPTIONAL_AND, OPTIONAL_OR, ParsedQuery};

/// The table that its database calls so, and that has another name here.
fn called_so_there<'a>(name: &str, context: Context<'a>) -> Option<&'a str> {
    let name = name_parts(name);
    let is_it = |(_, table): &(&String, &Table)| table.native.as_ref().is_some_and(|native| native.is_named(&name));
    context.catalog.tables.iter().find(is_it).map(|(here, _)| here.as_str())
}

/// Reports every reference to nothing.
pub(super) fn check(query: &ParsedQuery, context: Context<'_>, sink: &mut Diagnostics) {
    for reference in &query.references {
        let is_table = context.catalog.tables.contains_key(&reference.query);
        let known = is_table || context.queries.binary_search(&reference.query).is_ok();
        if is_table && !reference.renames.is_empty() {
            let why = format!("`{}` is a table, and has no parameters", reference.query);
            sink.push(codes::invalid_query(reference.span, &why));
        }
        if !known {
            // Not the query itself: that would be a circle.
            let others = context.queries.iter().filter(|name| **name != query.name.value);
            let tables = context.catalog.tables.keys().filter(|name| context.catalog.has_own(name));
            let candidates = tables.chain(others);
            let candidates = candidates.map(String::as_str);
            sink.push(match context.statements.binary_search(&reference.query) {
                Ok(_) => codes::table_is_a_statement(reference.span, &reference.query),
                Err(_) => match called_so_there(&reference.query, context) {
                    Some(here) => codes::table_of_database(reference.span, &reference.query, here),
                    None => codes::unknown_table(reference.span, &reference.query, candidates),
                },
            });
        }
    }
    for (at, output) in query.outputs.iter().enumerate() {
        let earlier = query.outputs.get(..at).unwrap_or_default();
        if let Some(first) = earlier.iter().find(|one| one.value == output.value) {
            sink.push(codes::duplicate_column(output.span, &output.value, Some(first.span)));
        }
    }
    let functions = functions::all();
    for function in &query.table_functions {
        let is_query = function.value != query.name.value && context.queries.binary_search(&function.value).is_ok();
        if is_query {
            let why = format!("parameters of a query are named: `{}(parameter => << name >>)`", function.value);
            let help = format!("without parameters, it is a table: `{}`", function.value);
            sink.push(codes::invalid_query(function.span, &why).help(help));
        } else if !functions.table.contains_key(&function.value) {
            let others = context.queries.iter().filter(|name| **name != query.name.value);
            let candidates = functions.table.keys().chain(others).map(String::as_str);
            sink.push(codes::unknown_function(function.span, &function.value, candidates));
        }
    }
    for function in &query.functions {
        let written = context.sources.get(query.file).map(|file| file.slice(function.span));
        // The markers of optional clauses are inserted, never written.
        let is_marker = function.value == OPTIONAL_AND || function.value == OPTIONAL_OR;
        let called_marker = is_marker && written.is_some_and(|text| text.eq_ignore_ascii_case(&function.value));
        if called_marker || !functions.knows(&function.value) {
            sink.push(unknown(context.sources.get(query.file), function));
        }
    }
    function_clauses::check(&query.function_clauses, sink);
    counted_records::check(query, context, sink);
    fetches::check(query, context, sink);
    written_intervals::check(query, context, sink);
}

/// What is said of a call of nothing.
pub(super) fn unknown(file: Option<&SourceFile>, function: &Spanned<String>) -> Diagnostic {
    let name = function.value.as_str();
    let args = file.and_then(|file| codes::written_arguments(file, function.span));
    let forms = written_forms(name);
    if let Some(args) = &args
        && !forms.is_empty()
        && forms.iter().all(|(count, ..)| *count != args.len())
    {
        return codes::arguments_of_others(function.span, name, args.len(), &forms);
    }
    let functions = functions::all();
    let fits = |known: &&str| args.as_ref().is_none_or(|args| nearest(name, [*known]).is_some() && takes(known, args));
    codes::unknown_call(file, function.span, name, functions.names().filter(fits))
}

/// Whether a function may be called with such arguments, as far as can be told without their types.
fn takes(name: &str, args: &[&str]) -> bool {
    let functions = functions::all();
    if functions.higher_order.contains_key(name) || args.iter().any(|arg| is_function(arg)) {
        return functions.higher_order.contains_key(name) && args.iter().any(|arg| is_function(arg));
    }
    let callee = (functions.scalar.get(name).cloned().map(Callee::Scalar))
        .or_else(|| functions.aggregate.get(name).cloned().map(Callee::Aggregate))
        .or_else(|| functions.window.get(name).cloned().map(Callee::Window));
    let numbers = callee.map(|callee| callee.arities()).unwrap_or_default();
    numbers.is_empty() || numbers.contains(&args.len())
}

/// Whether an argument is a function itself: `x -> x + 1`, and not a path into a document.
fn is_function(arg: &str) -> bool {
    let is_sign = |c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | ')' | ',' | ' ');
    arg.split_once("->").is_some_and(|(names, body)| {
        names.chars().all(is_sign)
            && !body.trim_start().starts_with(|c: char| c == '\'' || c == '>' || c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::functions;
    use crate::diagnostic::codes;

    #[test]
    fn what_is_written_for_functions_of_other_databases_exists() {
        for name in codes::named_functions() {
            assert!(functions::all().knows(name), "{name}");
        }
    }
}
