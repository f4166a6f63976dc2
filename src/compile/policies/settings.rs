//! What a policy says fits its table, hides something, and leaves nothing to an agent.

use crate::catalog::{Column, Table};
use crate::compile::guest_text::asks_for;
use crate::diagnostic::{Diagnostics, codes};
use crate::name::shown_name;
use crate::project::{BoundFrom, ColumnPolicy, MaskConfig, PolicyConfig, Project, is_scope};
use crate::source::Span;
use crate::syntax::outline_of_expression;
use arrow::array::StringArray;
use arrow::compute::{CastOptions, cast_with_options};

/// A policy, with the name of its table.
type Named<'a> = (&'a str, &'a PolicyConfig);

/// Checks a policy, but for its SQL.
pub(super) fn check(project: &Project, policy: Named<'_>, table: &Table, sink: &mut Diagnostics) {
    let (name, config) = policy;
    for (column, said) in &config.columns {
        if !table.columns.iter().any(|known| known.name == *column) {
            let known = table.columns.iter().map(|known| known.name.as_str());
            sink.push(codes::unknown_policy_column(
                place(project, name, &["columns", column]).0,
                (column, name),
                known,
            ));
        }
        if let ColumnPolicy::Mask(said) = said {
            mask(project, policy, (column, said), sink);
            let known = table.columns.iter().find(|known| known.name == *column);
            known.into_iter().for_each(|known| masking_text(project, name, (known, said), sink));
        }
    }
    let is_denied = |column: &Column| config.columns.get(&column.name) == Some(&ColumnPolicy::Deny);
    if !table.columns.is_empty() && table.columns.iter().all(is_denied) {
        let why = "every column is denied: nothing is left to read";
        sink.push(codes::invalid_policy(place(project, name, &["columns"]).0, why));
    }
    conditions(project, policy, table, sink);
    placeholders(project, policy, sink);
    parameters(project, policy, sink);
}

/// Where the key, and the value, at a way below a policy stand.
fn place(project: &Project, table: &str, below: &[&str]) -> (Span, Span) {
    let path: Vec<&str> = ["policies", table].into_iter().chain(below.iter().copied()).collect();
    (project.document.key_span(&path), project.document.value_span(&path))
}

/// A mask hides its column, shows no other that is hidden, and asks for scopes that a token can have.
fn mask(project: &Project, (name, config): Named<'_>, (column, said): (&str, &MaskConfig), sink: &mut Diagnostics) {
    for (at, scope) in said.unless.iter().enumerate().filter(|(_, scope)| !is_scope(scope)) {
        let (_, place) = place(project, name, &["columns", column, "unless", &at.to_string()]);
        let why = format!("no token can have the scope `{scope}`: a scope has no blanks, quotes or backslashes");
        sink.push(codes::invalid_policy(place, &why));
    }
    let (_, place) = place(project, name, &["columns", column, "mask"]);
    if said.mask.trim().trim_matches('"').eq_ignore_ascii_case(column) {
        sink.push(codes::invalid_policy(place, "the mask is the value itself: nothing is hidden"));
    }
    let words = outline_of_expression(&said.mask).map(|outline| outline.names).unwrap_or_default();
    let is_hidden =
        |word: &&String| config.columns.keys().any(|other| other != column && other.eq_ignore_ascii_case(word));
    if let Some(other) = words.iter().find(is_hidden) {
        let why = format!("the mask shows something of `{}`, which is hidden itself", shown_name(other));
        sink.push(codes::invalid_policy(place, &why));
        return;
    }
    let declared = project.file.tables.get(name).into_iter().flat_map(|source| source.columns());
    let mut personal = declared.filter(|(other, said)| said.pii().is_some() && *other != column);
    if let Some((other, _)) = personal.find(|(other, _)| words.iter().any(|word| other.eq_ignore_ascii_case(word))) {
        let why = format!("the mask shows something of `{}`, which is declared as personal data", shown_name(other));
        sink.push(codes::invalid_policy(place, &why));
    }
}

/// A text that stands in the place of values is one of their type: else every call would fail.
fn masking_text(project: &Project, table: &str, (column, said): (&Column, &MaskConfig), sink: &mut Diagnostics) {
    let sql = said.mask.trim();
    let text = sql.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).filter(|text| !text.contains('\''));
    let Some((text, ty)) = text.zip(column.ty()) else { return };
    let options = CastOptions { safe: false, ..CastOptions::default() };
    if cast_with_options(&StringArray::from(vec![text]), &column.arrow, &options).is_err() {
        let (_, place) = place(project, table, &["columns", &column.name, "mask"]);
        let why = format!("the column `{}` is of type {ty}, and {sql} is none of its values", shown_name(&column.name));
        sink.push(codes::invalid_policy(place, &why).help("write a value of its type, or `NULL`"));
    }
}

/// Every condition looks at a column or at the caller: one that does not shows all rows to everybody, or none to anybody.
fn conditions(project: &Project, (name, config): Named<'_>, table: &Table, sink: &mut Diagnostics) {
    let is_column = |word: &String| table.columns.iter().any(|column| column.name.eq_ignore_ascii_case(word));
    for (at, sql) in config.rows.iter().enumerate() {
        let is_of_caller = |word: &String| {
            let said = config.params.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
            // Of one that is not declared is told elsewhere.
            said.is_none_or(|(_, said)| matches!(said.from, Some(BoundFrom::Claim(_) | BoundFrom::Header(_))))
        };
        let looks_at_nothing = outline_of_expression(sql).is_ok_and(|outline| {
            !outline.names.iter().any(is_column) && !outline.placeholders.iter().any(is_of_caller)
        });
        if looks_at_nothing {
            let (_, place) = place(project, name, &["rows", &at.to_string()]);
            let why =
                "the condition looks neither at a column nor at the caller: it is the same for every row and everybody";
            sink.push(codes::invalid_policy(place, why));
        }
    }
}

/// Every placeholder is declared: one that is not would be an agent's to fill.
fn placeholders(project: &Project, (name, config): Named<'_>, sink: &mut Diagnostics) {
    for (path, sql) in config.expressions() {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let used = outline_of_expression(sql).map(|outline| outline.placeholders).unwrap_or_default();
        let is_declared = |used: &&String| config.params.keys().any(|known| known.eq_ignore_ascii_case(used));
        for used in used.iter().filter(|used| !is_declared(used)).map(|used| shown_name(used)) {
            let why = format!("`{used}` is not declared: no agent sends the values of policies");
            let help = format!("say under `params` where it comes from, such as `{used}: {{ from: claim.tenant_id }}`");
            sink.push(codes::invalid_policy(place(project, name, &path).1, &why).help(help));
        }
    }
}

/// Every parameter is used, and comes from somewhere.
fn parameters(project: &Project, (name, config): Named<'_>, sink: &mut Diagnostics) {
    for (parameter, said) in &config.params {
        let (place, _) = place(project, name, &["params", parameter]);
        if !config.expressions().into_iter().any(|(_, sql)| asks_for(sql, parameter)) {
            sink.push(codes::invalid_policy(place, &format!("`{parameter}` is used nowhere")));
        }
        if said.from.is_some() == said.fixed.is_some() {
            let why = format!("`{parameter}` needs either `from` or `fixed`: no agent sends the values of policies");
            let help = "bind it to the caller, such as `from: claim.tenant_id`";
            sink.push(codes::invalid_policy(place, &why).help(help));
        }
    }
}
