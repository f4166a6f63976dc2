//! Makes tools of what was analysed: what is sound is put into the form that is published and executed.

use super::analysis::{Analysis, Reached};
use super::called_programs::CalledPrograms;
use super::derivations::{self, Compile};
use super::row_lists;
use super::session;
use super::shown;
use super::simple_json::any_arguments;
use super::{Compilation, DEFAULT_TIMEOUT, LinkInput};
use crate::diagnostic::Diagnostics;
use crate::infer::{Lineage, Pages, TypedParameter, TypedQuery};
use crate::name::snake_case;
use crate::project::{
    AnnotationsConfig, AutomaticParameter, BoundFrom, DEFAULT_RESULT_LIMIT, Defaults, Header, Kind, OutputConfig,
    OutputForm, Project, ResultLimit, TableFormat, Timeout,
};
use crate::rules;
use crate::source::FileId;
use crate::syntax::clauses::clauses_of;
use crate::syntax::link::LinkedChoice;
use crate::syntax::{ManifestText, ParsedQuery};
use crate::tool::{
    Annotations, Body, Clauses, Contract, Input, Output, Parameter, Query, Statement, Tool, ToolAllowedQuery,
    ToolChoice,
};
use crate::ty::ExactNumbers;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};

/// Publishes what is sound of a project. `compile` compiles another one, for what stands in it as a query of its own.
pub(super) fn publish(project: &Project, analysis: &Analysis, compile: Compile<'_>) -> Compilation {
    let (mut tools, mut no_tools, mut views) = (analysis.made_tools.clone(), HashSet::new(), 0);
    let mut lineage: BTreeMap<String, Lineage> = BTreeMap::new();
    for tool in &mut tools {
        let shown = shown::by_table_tool(project, tool);
        tool.contract.shows = shown::of_note(project, &shown);
        lineage.insert(tool.contract.name.clone(), shown);
    }
    let manifests = analysis.queries.iter().filter_map(|query| match &query.reached {
        Reached::Typed(input, typed) if input.query.manifest.is_some() => Some(into_tool(project, input, typed)),
        _ => None,
    });
    let programs = CalledPrograms::new(manifests);
    for query in &analysis.queries {
        match &query.reached {
            Reached::Unread | Reached::Parsed(_) | Reached::Linked(_) => {}
            Reached::Untyped(_) => views += 1,
            Reached::Typed(input, typed) => {
                let header = &input.query.header;
                let is_view = header.kind == Some(Kind::View);
                views += usize::from(is_view);
                if is_view || header.enabled == Some(false) {
                    no_tools.insert(input.query.name.value.clone());
                } else {
                    let mut tool = into_tool(project, input, typed);
                    let called = programs.called_by(input, &mut tool.contract);
                    if let Body::Query(query) = &mut tool.body {
                        query.programs = called;
                    }
                    analysis.policies.apply(&mut tool.contract);
                    tool.contract.shows = shown::of_note(project, &typed.lineage);
                    lineage.insert(tool.contract.name.clone(), typed.lineage.clone());
                    tools.extend(header.aliases.iter().map(|alias| alias_of(&tool, alias)));
                    tools.push(tool);
                }
            }
        }
    }
    tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
    let mut found = all_diagnostics(analysis);
    programs.check_values(analysis, &mut found);
    derivations::resolve(project, compile, &mut tools, &mut found);
    Compilation {
        tools,
        prompts: analysis.prompts.clone(),
        offered: analysis.offered.clone(),
        no_tools,
        lineage,
        views,
        errors: found.errors(),
        warnings: found.warnings(),
        diagnostics: found.into_sorted(),
        unread: unread(analysis),
    }
}

/// The query files whose statement cannot be read.
fn unread(analysis: &Analysis) -> HashSet<FileId> {
    let unread = analysis.queries.iter().filter(|query| matches!(query.reached, Reached::Unread));
    unread.map(|query| query.file).collect()
}

/// Everything there is to say. What is said of one place twice is said in the order of the analysis.
fn all_diagnostics(analysis: &Analysis) -> Diagnostics {
    let mut found = analysis.diagnostics.clone();
    let in_order: HashSet<usize> = analysis.order.iter().copied().collect();
    let others = (0..analysis.queries.len()).filter(|at| !in_order.contains(at));
    for at in analysis.order.iter().copied().chain(others) {
        found.extend(analysis.queries.get(at).map(|query| query.diagnostics.clone()).unwrap_or_default());
    }
    found
}

/// Puts a checked query into the form that is published and executed.
fn into_tool(project: &Project, input: &LinkInput, typed: &TypedQuery) -> Tool {
    let query = input.query.as_ref();
    let header = &query.header;
    let defaults = &project.file.defaults;
    let result_limit = result_limit_of(typed, header, defaults);
    let mut tables = typed.tables.clone();
    // Those that a server reads again.
    let queries = typed.parameters.iter().filter_map(|parameter| parameter.declaration.allowed_query.as_ref());
    let again = queries.filter(|(_, query)| query.refresh.is_some()).flat_map(|(_, query)| &query.tables);
    tables.extend(again.map(|table| table.value.clone()));
    tables.sort();
    tables.dedup();
    let mut columns = typed.columns.clone();
    for column in &mut columns {
        let configs = || input.column_configs(&column.name);
        let usual = ExactNumbers::default();
        let numbers = ExactNumbers {
            bigint: configs().find_map(|config| config.bigint).or(defaults.bigint).unwrap_or(usual.bigint),
            decimal: configs().find_map(|config| config.decimal).or(defaults.decimal).unwrap_or(usual.decimal),
        };
        column.numbers = numbers.of_type(&column.ty);
        column.description = configs().find_map(|config| config.description.clone());
    }
    let parameters = parameters(project, input, typed, &tables);
    let contract = Contract {
        name: query.name.value.clone(),
        alias_of: None,
        title: header.title.clone().unwrap_or_else(|| title(query)),
        description: header.description.clone().map(|text| text.trim().to_owned()),
        tags: header.tags.clone(),
        version: header.version.clone(),
        scopes: scopes(project, header, typed),
        meta: header.meta.clone(),
        icons: header.icons.clone(),
        input: Input::Parameters(parameters),
        output: Output::Columns(columns),
        placeholders: typed.placeholders.clone(),
        rules: typed.rules.clone(),
        clauses: Clauses::default(),
        tables,
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit,
        default_limit: header.default_limit,
        table_format: header.table_format.or(defaults.table_format).unwrap_or(TableFormat::Markdown),
        changes: typed.change.as_ref().map(|change| change.changes.clone()),
        expose: exposed(header.expose.as_deref(), typed),
        timeout: header.timeout.or(defaults.timeout).unwrap_or(Timeout(DEFAULT_TIMEOUT)),
        max_bytes: header.max_bytes,
        calls_per_second: header.calls_per_second,
        cache_ttl: header.cache_ttl,
        count_total: header.count_total.unwrap_or(false),
        strict: header.strict.or(defaults.strict).unwrap_or(false),
        definition: header.definition.or(defaults.definition).unwrap_or_default(),
        structured_output: header.structured_output.or(defaults.structured_output).unwrap_or(true),
        ask: header.ask.unwrap_or(false),
        parameters_in_description: header
            .parameters_in_description
            .or(defaults.parameters_in_description)
            .unwrap_or(false),
        annotations: claimed(typed.annotations, header.annotations),
    };
    let mut tool = Tool { contract, body: body(query, typed) };
    take_any(&mut tool.contract, query);
    tool.contract.clauses = clauses_of(&tool);
    tool
}

/// Takes any arguments, where a program does.
fn take_any(contract: &mut Contract, query: &ParsedQuery) {
    if let Some(ManifestText::SimpleJson(program)) = query.manifest.as_deref()
        && program.any_arguments
    {
        contract.input = Input::Schema(any_arguments());
        // All names are those of the program.
        contract.expose.clear();
    }
}

/// What a caller's token must be good for: where the header says nothing, what is asked of those who use the tools over the records that
/// it writes.
fn scopes(project: &Project, header: &Header, typed: &TypedQuery) -> Vec<String> {
    let written = typed.change.iter().flat_map(|change| &change.body.records);
    let of_records = written.filter_map(|records| project.file.records.get(&records.name)).flat_map(|one| &one.scopes);
    if !header.scopes.is_empty() {
        return header.scopes.clone();
    }
    let mut scopes: Vec<String> = Vec::new();
    for scope in of_records {
        if !scopes.contains(scope) {
            scopes.push(scope.clone());
        }
    }
    scopes
}

/// The parameters: those of the query, and those that its sources need to know whose call it is.
fn parameters(project: &Project, input: &LinkInput, typed: &TypedQuery, tables: &[String]) -> Vec<Parameter> {
    let query = input.query.as_ref();
    let choices = input.choices();
    let parameters = typed.parameters.iter().map(|typed| into_parameter(typed, &choices));
    let own = query.native.as_ref().map(|native| native.source.value.as_str());
    let parameters = parameters.chain(session::parameters(project, tables, own)).collect();
    match (&query.native, &typed.change) {
        (Some(native), Some(change)) => row_lists::gathered(parameters, query, native, &change.changes),
        _ => parameters,
    }
}

/// How many rows a call returns at most. Of what was changed, nothing is left out.
fn result_limit_of(typed: &TypedQuery, header: &Header, defaults: &Defaults) -> ResultLimit {
    match &typed.change {
        // Those of a query behind the changes are as many as of any.
        Some(change) if change.body.steps.last().is_some_and(|last| !last.writes) => header.effective_limit(defaults),
        Some(change) => ResultLimit::Rows(change.changes.max_changes.max(DEFAULT_RESULT_LIMIT)),
        None => header.effective_limit(defaults),
    }
}

/// What runs.
fn body(query: &ParsedQuery, typed: &TypedQuery) -> Body {
    let statement = typed.statement.clone();
    if let Some(change) = &typed.change {
        return Body::Change(Box::new(change.body.clone()));
    }
    // JSON without columns is one document.
    let settled = |output: &mut OutputConfig, usual: OutputForm| {
        if output.form.unwrap_or(usual) == OutputForm::Json && query.header.columns.is_empty() {
            output.form = Some(OutputForm::Document);
        }
    };
    match query.manifest.as_deref() {
        Some(ManifestText::Program(program)) => {
            let mut config = program.config.clone();
            settled(&mut config.output, OutputForm::Text);
            return Body::Program(Box::new(config));
        }
        Some(ManifestText::Request(request)) => {
            let mut config = request.config.clone();
            settled(&mut config.output, OutputForm::Json);
            return Body::Request(Box::new(config));
        }
        Some(ManifestText::Python(python)) => {
            let mut config = python.as_ref().clone();
            settled(&mut config.output, OutputForm::Json);
            return Body::Python(Box::new(config));
        }
        Some(ManifestText::SimpleJson(program)) => {
            let mut config = program.as_ref().clone();
            let usual = if query.header.columns.is_empty() { OutputForm::Any } else { OutputForm::Json };
            config.output.form.get_or_insert(usual);
            settled(&mut config.output, usual);
            // The schema of its arguments says so.
            config.any_arguments = false;
            return Body::SimpleJson(Box::new(config));
        }
        None => {}
    }
    match &query.native {
        Some(native) => Body::Statement(Statement {
            source: native.source.value.clone(),
            database: native.kind,
            statement,
            end: native.end,
            sent_as: typed.sent_as.clone(),
            as_told: typed.as_told.clone(),
        }),
        None => Body::Query(Query { views: typed.views.clone(), statement, programs: Vec::new() }),
    }
}

/// The tool under a name that it had before: the same in all but what it is called.
fn alias_of(tool: &Tool, alias: &str) -> Tool {
    let mut old = tool.clone();
    let name = &tool.contract.name;
    old.contract.name = snake_case(alias);
    old.contract.alias_of = Some(name.clone());
    old.contract.title = format!("{} (deprecated)", tool.contract.title);
    let said = tool.contract.description.as_ref().map(|text| format!("\n\n{text}")).unwrap_or_default();
    old.contract.description = Some(format!("Deprecated: the same as `{name}`.{said}"));
    old
}

/// What the plan shows of a tool's effects, and what its author adds. That nothing is denied was checked.
fn claimed(shown: Annotations, said: AnnotationsConfig) -> Annotations {
    Annotations {
        idempotent: said.idempotent.unwrap_or(shown.idempotent),
        open_world: said.open_world.unwrap_or(shown.open_world),
        ..shown
    }
}

/// The automatic parameters that agents see. There is no cursor where pages would not fit together, whoever asks for it.
fn exposed(said: Option<&[AutomaticParameter]>, typed: &TypedQuery) -> Vec<AutomaticParameter> {
    if typed.change.is_some() {
        return exposed_of_change(said, !typed.columns.is_empty());
    }
    let pages = &typed.pages;
    let all = [AutomaticParameter::Limit, AutomaticParameter::TableFormat, AutomaticParameter::Cursor];
    let is_there = |one: &AutomaticParameter| *one != AutomaticParameter::Cursor || *pages == Pages::Fit;
    said.unwrap_or(&all).iter().copied().filter(is_there).collect()
}

/// The same of a tool that changes data: those that are asked for, and how rows are written where it gives some.
fn exposed_of_change(said: Option<&[AutomaticParameter]>, gives_rows: bool) -> Vec<AutomaticParameter> {
    let usual: &[AutomaticParameter] = if gives_rows { &[AutomaticParameter::TableFormat] } else { &[] };
    said.unwrap_or(usual).to_vec()
}

/// The name as its author spelt it; one that comes from a path, in words.
fn title(query: &ParsedQuery) -> String {
    let is_older = snake_case(&query.raw_name) != query.name.value;
    match (&query.header.version, query.header.name.is_some()) {
        // A newer version has the plain name.
        (Some(version), true) if is_older => return format!("{} (version {version})", query.raw_name),
        (_, true) => return query.raw_name.clone(),
        _ => {}
    }
    let words = query.name.value.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or(words)
}

fn into_parameter(typed: &TypedParameter, choices: &[LinkedChoice<'_>]) -> Parameter {
    let constraints = rules::constraints_of(typed).canonical(&typed.ty);
    let required = typed.declaration.is_required();
    let canonical = |value: &Value| rules::canonical(typed, value);
    let default = typed.declaration.config.default.as_ref().map(canonical);
    let examples = typed.declaration.config.examples.iter().flatten().map(canonical).collect();
    let chosen = choices.iter().find(|choice| choice.name == typed.declaration.name);
    let choices = chosen.iter().flat_map(|choice| choice.all);
    let choices = choices.map(|one| ToolChoice { key: one.key.clone(), sql: one.text.clone() }).collect();
    let default_expression = typed.declaration.expression.as_ref().map(|expression| expression.text.clone());
    let allowed_query = typed.declaration.allowed_query.as_ref().map(|(_, query)| query);
    let allowed_query =
        allowed_query.map(|query| ToolAllowedQuery { query: query.text.clone(), refresh: query.refresh });
    let config = &typed.declaration.config;
    Parameter {
        name: typed.declaration.name.clone(),
        description: config.description.as_deref().map(|text| text.trim().to_owned()),
        required,
        default,
        default_expression,
        allowed_query,
        constraints,
        from: config.from.as_ref().map(|from| match from {
            BoundFrom::Fixed(value) => BoundFrom::Fixed(canonical(value)),
            from => from.clone(),
        }),
        choices,
        examples,
        ty: typed.ty.clone(),
        also: typed.declaration.also.clone(),
        fields: Vec::new(),
    }
}
