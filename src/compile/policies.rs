//! Compiles `policies`: each becomes a SELECT from its table, which stands between the table and all that reads it.
//!
//! It is compiled as a query file is, in a project that has nothing but the table: the same parser, the same inference, the
//! same messages, told where the policy is written. What queries see of the table from then on are the columns of that
//! SELECT. A table whose policy has errors is in nobody's reach.

mod guest;
mod policy_text;
mod settings;
mod statements;

pub(super) use statements::check_statement;

use super::Compilation;
use super::guest_text::asks_for;
use crate::catalog::{Column, Table};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Severity, codes};
use crate::name::shown_name;
use crate::project::{BoundFrom, ColumnPolicy, PolicyConfig, Project, TableSource};
use crate::tool::{Contract, OutputColumn, Parameter, PlaceholderUse, TablePolicy, Tool};
use policy_text::PolicyText;
use std::collections::{BTreeMap, BTreeSet};

/// The policies of a project that compiled, by table.
#[derive(Debug, Default)]
pub(super) struct Policies {
    sound: BTreeMap<String, Policy>,
    /// The tables whose policies have errors.
    broken: BTreeSet<String>,
    /// Whether one is of a table that there is not: any may be meant.
    is_misnamed: bool,
}

/// A policy that compiled.
#[derive(Debug)]
struct Policy {
    statement: String,
    /// What it asks for, under the names that tools have it by.
    parameters: Vec<Parameter>,
    /// What its `$1`, `$2`, … stand for.
    placeholders: Vec<PlaceholderUse>,
    columns: Vec<OutputColumn>,
}

/// What compiles a project, on the stack that this one is compiled on.
type Compile<'a> = &'a dyn Fn(&Project) -> Compilation;

impl Policies {
    /// Compiles all policies; what is wrong with them is in the sink.
    pub(super) fn compile(project: &Project, compile: Compile<'_>, sink: &mut Diagnostics) -> Policies {
        let mut policies = Policies::default();
        for (table, config) in &project.file.policies {
            match compile_one(project, (table, config), compile, sink) {
                Some(policy) if config.rewrites() => _ = policies.sound.insert(table.clone(), policy),
                // Its database alone holds to it.
                Some(_) => {}
                None => _ = policies.broken.insert(table.clone()),
            }
            policies.is_misnamed |= !project.file.tables.contains_key(table);
        }
        policies
    }

    /// The project as queries see it: without denied columns, and without tables whose policies have errors.
    pub(super) fn shown(&self, project: &Project) -> Project {
        let mut shown = Project {
            sources: project.sources.clone(),
            file: project.file.clone(),
            document: project.document.clone(),
            queries: project.queries.clone(),
            prompts: project.prompts.clone(),
            catalog: project.catalog.clone(),
            allowed_values: project.allowed_values.clone(),
            statements: project.statements.clone(),
            records: project.records.clone(),
            upstreams: project.upstreams.clone(),
        };
        // What is not understood is refused: nothing is shown that somebody meant to hide.
        let is_refused = |name: &String| self.is_misnamed || self.broken.contains(name);
        shown.catalog.tables.retain(|name, _| !is_refused(name));
        for (name, config) in project.file.policies.iter().filter(|(_, config)| config.rewrites()) {
            if let (Some(policy), Some(table)) = (self.sound.get(name), shown.catalog.tables.get_mut(name)) {
                policy.show(table);
            }
            // A column that is no longer what it was tells no rows apart.
            let is_other = |key: &[String]| key.iter().any(|column| config.columns.contains_key(column));
            let source = shown.file.tables.get_mut(name);
            source
                .filter(|source| is_other(source.primary_key()))
                .into_iter()
                .for_each(TableSource::forget_primary_key);
            let raw = project.catalog.tables.get(name).map(Table::native_key).unwrap_or_default();
            let native = shown.catalog.tables.get_mut(name).and_then(|table| table.native.as_mut());
            native.filter(|_| is_other(&raw)).into_iter().for_each(|native| native.key.clear());
        }
        shown
    }

    /// Puts between a tool and its tables what callers see of them.
    pub(super) fn apply(&self, contract: &mut Contract) {
        for table in contract.tables.clone() {
            let Some(policy) = self.sound.get(&table) else { continue };
            let (statement, placeholders) = (policy.statement.clone(), policy.placeholders.clone());
            contract.policies.push(TablePolicy { table, statement, placeholders });
            contract.add_parameters(&policy.parameters);
        }
    }
}

impl Policy {
    /// Leaves of a table what callers see of it.
    fn show(&self, table: &mut Table) {
        let seen = |name: &str| self.columns.iter().find(|column| column.name == name);
        let is_seen: Vec<bool> = table.columns.iter().map(|column| seen(&column.name).is_some()).collect();
        if let Some(native) = &mut table.native {
            let mut kept = is_seen.iter();
            native.columns.retain(|_| kept.next().copied().unwrap_or(false));
        }
        table.columns.retain(|column| seen(&column.name).is_some());
        for column in &mut table.columns {
            column.nullable |= seen(&column.name).is_none_or(|seen| seen.nullable);
        }
    }
}

/// With the policy that denies a column, where that is why it is not there.
pub(super) fn explained(found: Diagnostic, project: &Project) -> Diagnostic {
    if found.code != Code::UnknownColumn {
        return found;
    }
    let is_missed = |table: &str, column: &str| {
        let of_table = format!("column `{column}` not found in table `{table}`");
        found.message == of_table || found.message == format!("column `{column}` not found")
    };
    let denied = project.file.policies.iter().find_map(|(table, config)| {
        let denied = config.columns.iter().filter(|(_, policy)| **policy == ColumnPolicy::Deny);
        let (column, _) = denied.into_iter().find(|(column, _)| is_missed(table, column))?;
        Some((table, column))
    });
    match denied {
        Some((table, column)) => {
            let place = project.document.key_span(&["policies", table, "columns", column]);
            found.also(place, "its policy denies it to every caller")
        }
        None => found,
    }
}

/// Compiles a policy; `None` where it has errors, or its table is none.
fn compile_one(
    project: &Project,
    (name, config): (&str, &PolicyConfig),
    compile: Compile<'_>,
    sink: &mut Diagnostics,
) -> Option<Policy> {
    let errors = sink.errors();
    let place = project.document.key_span(&["policies", name]);
    let Some(source) = project.file.tables.get(name) else {
        sink.push(codes::unknown_policy_table(place, name, project.file.tables.keys().map(String::as_str)));
        return None;
    };
    // That it is not locked was told.
    let table = project.catalog.tables.get(name)?;
    settings::check(project, (name, config), table, sink);
    if config.enforced_by.is_some() && source.source().is_none() {
        let span = project.document.value_span(&["policies", name, "enforced_by"]);
        sink.push(codes::invalid_policy(span, &format!("`{name}` lies in files, and no database stands before them")));
    }
    if !config.rewrites() && config.enforced_by.is_none() {
        let why = "it has neither `rows` nor `columns`: every caller would see everything";
        sink.push(codes::invalid_policy(place, why));
    }
    let text = PolicyText::of_policy(project, (name, config), table, sink);
    let is_sound = sink.errors() == errors;
    let tool = compile_text(project, (name, &text, is_sound), compile, sink)?;
    check_types((name, config), &tool, (project, table), sink);
    // Whatever is not declared was told with its place; nothing else may come from an agent either.
    if let Some(open) = tool.contract.published().next().filter(|_| sink.errors() == errors) {
        let why = format!("`{}` comes from nowhere: no agent sends the values of policies", shown_name(&open.name));
        sink.push(codes::invalid_policy(place, &why));
    }
    if sink.errors() > errors {
        return None;
    }
    policy_of_tool((name, config), tool, &text)
}

/// The tool that the text becomes by itself.
fn compile_text(
    project: &Project,
    (name, text, is_sound): (&str, &PolicyText, bool),
    compile: Compile<'_>,
    sink: &mut Diagnostics,
) -> Option<Tool> {
    let guest = guest::project_of_policy(project, name, text)?;
    let compilation = compile(&guest);
    // What a mask is that is no value of its column was told.
    let is_told = |found: &Diagnostic| !is_sound && found.code == Code::CannotRun;
    let errors = compilation.diagnostics.into_iter();
    let errors = errors.filter(|found| found.severity == Severity::Error && !is_told(found));
    let before = sink.errors();
    for error in errors {
        sink.push(text.text.told(error, &guest));
    }
    let tool = compilation.tools.into_iter().next();
    if tool.is_none() && sink.errors() == before && is_sound {
        let place = project.document.key_span(&["policies", name]);
        sink.push(codes::invalid_policy(place, "it cannot be compiled"));
    }
    let tool = tool?;
    if !tool.contract.annotations.idempotent {
        let place = project.document.key_span(&["policies", name]);
        sink.push(codes::invalid_policy(
            place,
            "it calls a function such as `random()`: callers would see other rows at every look",
        ));
    }
    Some(tool)
}

/// Every column is of the type that it has in the table.
fn check_types(
    (name, config): (&str, &PolicyConfig),
    tool: &Tool,
    (project, table): (&Project, &Table),
    sink: &mut Diagnostics,
) {
    for column in tool.contract.columns().iter().filter(|column| config.columns.contains_key(&column.name)) {
        let of_table = table.columns.iter().find(|known| known.name == column.name).and_then(Column::ty);
        if let Some(ty) = of_table.filter(|ty| *ty != column.ty) {
            let place = project.document.value_span(&["policies", name, "columns", &column.name, "mask"]);
            let why = format!(
                "the column `{}` is of type {ty}, and what stands in its place of type {}",
                column.name, column.ty
            );
            sink.push(codes::invalid_policy(place, &why).help(format!("cast it: `CAST(… AS {ty})`")));
        }
    }
}

/// The policy with its parameters under the names that tools have them by.
fn policy_of_tool((name, config): (&str, &PolicyConfig), tool: Tool, text: &PolicyText) -> Option<Policy> {
    let statement = tool.statement().to_owned();
    let renamed = |parameter: &str| Parameter::name_of_policy(name, parameter);
    let columns = tool.contract.columns().to_vec();
    let parameters = tool.contract.parameters().iter().map(|parameter| {
        let unmasked = text.unmasking.iter().find(|(known, _)| *known == parameter.name);
        let scopes = unmasked.and_then(|(_, column)| match config.columns.get(column)? {
            ColumnPolicy::Mask(mask) => Some(mask.unless.clone()),
            ColumnPolicy::Deny => None,
        });
        let from = scopes.map(BoundFrom::Scopes).or_else(|| parameter.from.clone());
        let of_table =
            unmasked.map_or_else(|| renamed(&parameter.name), |(_, column)| Parameter::name_of_unmasked(name, column));
        // Without the others, a row is seen with what stands in the place of its values.
        let required = config.rows.iter().any(|sql| asks_for(sql, &parameter.name));
        Parameter { name: of_table, from, required, ..parameter.clone() }
    });
    let parameters: Vec<Parameter> = parameters.collect();
    let place = |name: &str| tool.contract.parameters().iter().position(|known| known.name == name);
    // `$1`, `$2`, … are counted: one that was left out would put a value in the place of another.
    let placeholder = |one: &PlaceholderUse| {
        let parameter = parameters.get(place(&one.parameter)?)?.name.clone();
        Some(PlaceholderUse { parameter, list: one.list })
    };
    let placeholders = tool.contract.placeholders.iter().map(placeholder).collect::<Option<_>>()?;
    Some(Policy { statement, placeholders, parameters, columns })
}
