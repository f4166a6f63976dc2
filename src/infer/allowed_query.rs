//! Queries that give allowed values: planned over the project's tables, their values taken from where they were read.

use super::{Asked, Context, Declaration, errors, function_clauses, functions, names, planner};
use crate::diagnostic::{Diagnostic, Diagnostics, codes};
use crate::project::AllowedValues;
use crate::syntax::AllowedQuery;
use crate::ty::Type;

/// What is said to be invalid.
const WHAT: &str = "query of allowed values";

/// Plans the queries, and puts the values that they gave into the declarations.
pub(super) fn check(declarations: &mut [Declaration], context: Context<'_>, sink: &mut Diagnostics) {
    for declaration in declarations {
        let Some((file, query)) = &declaration.allowed_query else { continue };
        let name = declaration.name.as_str();
        let errors = sink.errors();
        let tables = || context.catalog.tables.keys().map(String::as_str).filter(|name| context.catalog.has_own(name));
        for table in query.tables.iter().filter(|table| !context.catalog.tables.contains_key(&table.value)) {
            let diagnostic = codes::unknown_table(table.span, &table.value, tables());
            let is_query = context.queries.binary_search(&table.value).is_ok();
            sink.push(if is_query {
                diagnostic.note("allowed values come from tables, not from other query files")
            } else {
                diagnostic
            });
        }
        let known = functions::all();
        for function in query.table_functions.iter().filter(|one| !known.table.contains_key(&one.value)) {
            let candidates = known.table.keys().map(String::as_str);
            sink.push(codes::unknown_function(function.span, &function.value, candidates));
        }
        for function in query.functions.iter().filter(|one| !known.knows(&one.value)) {
            sink.push(names::unknown(context.sources.get(*file), function));
        }
        function_clauses::check(&query.function_clauses, sink);
        if sink.errors() > errors {
            continue;
        }
        let asked = Asked { head: query.span, slots: &[] };
        let planned = planner::plan(vec![("values", query.statement.clone())], &[], context.catalog);
        let plan = match planned.and_then(planner::analyze) {
            Ok(plan) => plan,
            Err(error) => {
                errors::report(&error, asked, context, sink);
                continue;
            }
        };
        let fields = plan.schema().fields();
        let [field] = fields.iter().as_slice() else {
            let why = format!("it has {} columns; expected one, the values", fields.len());
            sink.push(codes::invalid_allowed_value(query.span, name, WHAT, &why));
            continue;
        };
        declaration.allowed_type = Type::from_arrow(field.data_type());
        if declaration.allowed_type.is_none() {
            let why = format!("its type {} is none that a parameter can have", field.data_type());
            sink.push(codes::invalid_allowed_value(query.span, name, WHAT, &why));
            continue;
        }
        if let Some(told) = rows_of_callers(query, context) {
            sink.push(told);
            continue;
        }
        match context.allowed_values.get(&(*file, query.parameter.clone())) {
            Some(Ok(values)) => declaration.config.allowed_values = Some(AllowedValues::List(values.clone())),
            Some(Err(why)) => sink.push(codes::invalid_allowed_value(query.span, name, WHAT, &why.to_string())),
            None => sink.push(codes::values_not_locked(query.span, name)),
        }
    }
}

/// What is said of a query over rows that are a caller's: nobody calls when it is read.
fn rows_of_callers(query: &AllowedQuery, context: Context<'_>) -> Option<Diagnostic> {
    query.tables.iter().find_map(|table| {
        if context.file.is_policied(&table.value) {
            return Some(codes::values_of_a_policied_table(table.span, &table.value));
        }
        let source = context.file.caller_source(&table.value)?;
        Some(codes::rows_of_a_caller(table.span, &table.value, source))
    })
}
