//! Makes the tools of `records`: each an ordinary tool, whose parameters and columns follow from the contract.

mod outputs;
mod parameters;

pub(super) use parameters::writable;

use super::DEFAULT_TIMEOUT;
use super::policies::Policies;
use super::table_tools::{described_table, title_of};
use crate::catalog::{Column, Table};
use crate::diagnostic::{Diagnostics, codes};
use crate::name::{is_legal, shown_name, snake_case};
use crate::project::{
    AutomaticParameter, ColumnPolicy, DEFAULT_RESULT_LIMIT, Project, RecordContract, RecordToolKind, RecordsConfig,
    RecordsTable, ResultLimit, TableFormat, TableSource, TableToolKind, Timeout, WriteOperation, is_scope,
};
use crate::syntax::ParsedQuery;
use crate::tool::{
    ANY_CHANGES, Annotations, Body, Changes, Clauses, Contract, Input, Output, RecordDerivation, RecordSet,
    RecordStore, TableSet, TableWrite, Tool,
};
use crate::ty::Type;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Most rows of a call where the author says `none`.
const MOST_ROWS: u64 = 10_000;
/// How long derived fields are made where nobody says: there may be many, and each may be asked for elsewhere.
const MOST_MAKING: Duration = Duration::from_secs(600);

/// The tools of all records that are sound; what is wrong with the others is in the sink. One that a query is called like is left
/// to the query.
pub(super) fn record_tools(
    project: &Project,
    queries: &[Arc<ParsedQuery>],
    policies: &Policies,
    sink: &mut Diagnostics,
) -> Vec<Tool> {
    let mut tools = Vec::new();
    check_names(project, sink);
    for (name, config) in &project.file.records {
        let Some(known) = project.records.get(name) else { continue };
        let errors = sink.errors();
        check(project, name, config, sink);
        check_table(project, name, &known.contract, sink);
        // That a schema cannot be read was told.
        let Some(table) = described_table(project, name).filter(|_| sink.errors() == errors) else { continue };
        let is_taken = |tool: &str| {
            let of = |query: &&Arc<ParsedQuery>| {
                query.name.value == tool || query.header.aliases.iter().any(|alias| snake_case(alias) == tool)
            };
            queries.iter().any(|query| of(&query))
        };
        let set = TableSet { does: TableToolKind::Analyze, described: vec![table] };
        let kinds = config.kinds().into_iter().filter(|kind| !is_taken(&config.tool_name(*kind, name)));
        tools.extend(kinds.map(|kind| tool(project, (name, config, known), kind, &set)));
    }
    for tool in tools.iter_mut().filter(|tool| reads(tool)) {
        policies.apply(&mut tool.contract);
    }
    tools
}

/// No two tools that are made of tables and records have one name.
fn check_names(project: &Project, sink: &mut Diagnostics) {
    let of_sets = project.file.table_tools.iter().flat_map(|(prefix, set)| {
        set.kinds().into_iter().map(move |kind| (kind.tool_name(prefix), vec!["table_tools", prefix.as_str()]))
    });
    let of_records = project.file.records.iter().flat_map(|(records, config)| {
        let named = |kind: RecordToolKind| {
            let path = vec!["records", records.as_str()];
            let own = config.described(kind).and_then(|tool| tool.name.as_ref());
            let own = own.map(|_| [path.as_slice(), &["tools", kind.as_str(), "name"]].concat());
            (config.tool_name(kind, records), own.unwrap_or(path))
        };
        config.kinds().into_iter().map(named).collect::<Vec<_>>()
    });
    let place = |path: &[&str]| match path.len() {
        2 => project.document.key_span(path),
        _ => project.document.value_span(path),
    };
    let mut seen: HashMap<String, Vec<&str>> = HashMap::new();
    for (name, path) in of_sets.chain(of_records) {
        match seen.get(&name) {
            Some(first) => sink.push(codes::name_collision(place(&path), &name, "another tool", place(first))),
            None => drop(seen.insert(name, path)),
        }
    }
}

fn reads(tool: &Tool) -> bool {
    tool.record_set().is_none_or(RecordSet::reads)
}

/// What is said of records fits together.
fn check(project: &Project, name: &str, config: &RecordsConfig, sink: &mut Diagnostics) {
    let document = &project.document;
    let place = document.key_span(&["records", name]);
    if config.kinds().is_empty() {
        let why = format!("it names no tool over the records `{name}`");
        sink.push(codes::invalid_setting(document.key_span(&["records", name, "tools"]), &why));
    }
    if let Some(long) = config.tool_names(name).find(|tool| !is_legal(tool)) {
        let why =
            format!("`{long}` cannot be the name of a tool: small letters, digits and `_`, and not too many of them");
        sink.push(codes::invalid_setting(place, &why));
    }
    for (at, scope) in config.scopes.iter().enumerate().filter(|(_, scope)| !is_scope(scope)) {
        let place = document.value_span(&["records", name, "scopes", &at.to_string()]);
        let why = format!("no token can have the scope `{scope}`: a scope has no blanks, quotes or backslashes");
        sink.push(codes::invalid_setting(place, &why));
    }
    let denied = project.file.policies.get(name).into_iter().flat_map(|policy| &policy.columns);
    let key = project.records.get(name).and_then(|known| known.contract.key()).map(|key| key.name.as_str());
    for (column, policy) in denied {
        let is_key = key == Some(column.as_str());
        if is_key || *policy == ColumnPolicy::Deny {
            let place = document.value_span(&["policies", name, "columns", column]);
            let why = match is_key {
                true => format!("`{column}` tells the records of `{name}` apart: the tools over them need it as it is"),
                false => format!("the tools over the records of `{name}` have the field `{column}`"),
            };
            sink.push(
                codes::invalid_setting(place, &why).help("mask a field with a value, such as `{ mask: \"NULL\" }`"),
            );
        }
    }
    let has = |kind: RecordToolKind| config.kinds().contains(&kind);
    let is_written = RecordToolKind::ALL.into_iter().any(|kind| kind.writes() && has(kind));
    if is_written && config.actor.is_none() && project.file.auth.is_none() {
        sink.push(codes::nobody_writes(place, name));
    }
    let is_closed = project.file.is_policied(name);
    let is_past_it =
        |kind: &RecordToolKind| kind.writes() || matches!(kind, RecordToolKind::History | RecordToolKind::Status);
    if let Some(kind) = RecordToolKind::ALL.into_iter().find(|kind| is_closed && has(*kind) && is_past_it(kind)) {
        let why = format!("`{}` goes past the policy of table `{name}`", config.tool_name(kind, name));
        let told = codes::invalid_setting(place, &why);
        sink.push(told.help("say which tools there are: `tools: [get_contract, list, get, query]`"));
    }
}

fn tool(
    project: &Project,
    (name, config, known): (&str, &RecordsConfig, &RecordsTable),
    kind: RecordToolKind,
    table: &TableSet,
) -> Tool {
    let contract = &known.contract;
    let derivations = known.derivations.iter().filter(|_| kind.is_of_derived());
    let body = match kind {
        RecordToolKind::Query => Body::Tables(table.clone()),
        _ => Body::Records(Box::new(RecordSet {
            acts: kind,
            folder: config.path.clone(),
            actor: config.actor.clone(),
            contract: contract.clone(),
            filters: match kind {
                RecordToolKind::List => {
                    let named = parameters::filters(contract).into_iter();
                    named.map(|(parameter, filter)| (parameter.name, filter)).collect()
                }
                _ => Default::default(),
            },
            table: table.clone(),
            derivations: derivations
                .map(|derivation| RecordDerivation { derivation: derivation.clone(), query: None })
                .collect(),
            store: store(project, name),
        })),
    };
    Tool { contract: published(project, (name, config, known), kind, table), body }
}

/// Where records lie in a database; `None` where that is their folder.
pub(super) fn store(project: &Project, name: &str) -> Option<RecordStore> {
    let TableSource::Database(declared) = project.file.tables.get(name)? else { return None };
    let table = project.catalog.tables.get(name)?;
    let native = table.native.as_ref()?;
    let names = table.columns.iter().zip(&native.columns);
    Some(RecordStore {
        source: declared.source.clone(),
        database: project.file.sources.get(&declared.source)?.kind(),
        history: RecordsConfig::history_table(&native.name),
        table: native.name.clone(),
        columns: names.map(|(column, native)| (column.name.clone(), native.name.clone())).collect(),
    })
}

/// A table of a database has a column for each field, of its type.
fn check_table(project: &Project, name: &str, contract: &RecordContract, sink: &mut Diagnostics) {
    let (Some(TableSource::Database(_)), Some(table)) =
        (project.file.tables.get(name), project.catalog.tables.get(name))
    else {
        return;
    };
    let place = project.document.key_span(&["records", name]);
    let help = format!("`qtool records ddl {name}` prints the tables as the contract has them");
    for property in contract.properties() {
        let (field, ty) = (&property.name, property.logical_type.ty());
        let column = table.columns.iter().find(|column| column.name == *field);
        // Documents are texts in a table, and moments have digits enough in any.
        let is_as_good =
            |found: &Type| matches!((found, &ty), (Type::Timestamp(_), Type::Timestamp(_)) | (Type::Text, Type::Json));
        let why = match column.map(Column::ty) {
            None => {
                format!("the table of `{name}` has no column `{}`, which is a field of the contract", shown_name(field))
            }
            Some(Some(found)) if found == ty || is_as_good(&found) => continue,
            Some(found) => {
                let found = found.map_or_else(|| "another type".to_owned(), |found| found.to_string());
                format!("the column `{field}` of `{name}` is of type {found}, and the field of {ty}")
            }
        };
        sink.push(codes::invalid_setting(place, &why).help(help.clone()));
    }
    let native = table.native.as_ref();
    let name_there = |field: &str| {
        let at = table.columns.iter().position(|column| column.name == field)?;
        Some(native?.columns.get(at)?.name.as_str())
    };
    let key = contract.key().map(|key| key.name.as_str()).unwrap_or_default();
    let is_key = |keys: &[String]| matches!(keys, [only] if Some(only.as_str()) == name_there(key));
    if name_there(key).is_some() && !native.is_some_and(|native| is_key(&native.key)) {
        let why =
            format!("`{key}` is not the primary key of the table of `{name}`: one key may stand for several records");
        sink.push(codes::invalid_setting(place, &why).help(help));
    }
    check_others(project, (name, table), sink);
}

/// Nothing else of the project writes into the tables of records, or shows them in another way: their contract would hold for some ways in.
fn check_others(project: &Project, (name, table): (&str, &Table), sink: &mut Diagnostics) {
    let source = project.file.tables.get(name).and_then(TableSource::source);
    let Some(native) = &table.native else { return };
    let own = [native.name.clone(), RecordsConfig::history_table(&native.name)];
    let is_same = |parts: &[String]| {
        let shown = |parts: &[String]| parts.last().map(|name| name.to_lowercase());
        own.iter().any(|own| {
            let both = own.len().min(parts.len());
            shown(own) == shown(parts)
                && own.iter().rev().zip(parts.iter().rev()).take(both).all(|(a, b)| a.eq_ignore_ascii_case(b))
        })
    };
    for (other, declared) in project.file.tables.iter().filter(|(other, _)| *other != name) {
        let TableSource::Database(declared) = declared else { continue };
        let parts = project.catalog.tables.get(other).and_then(|table| Some(table.native.as_ref()?.name.clone()));
        if Some(declared.source.as_str()) != source || !is_same(&parts.unwrap_or_else(|| declared.native_name(other))) {
            continue;
        }
        let why = match project.file.records.contains_key(other) {
            true => format!("the records `{other}` lie in a table of the records `{name}`"),
            false if project.file.is_policied(other) => {
                format!("`{other}` is the same table as `{name}`, and only one of them has its policy")
            }
            false if declared.writable.is_some() => {
                format!("`{other}` is a table of the records `{name}`, and would be written past their contract")
            }
            false => continue,
        };
        sink.push(codes::invalid_setting(project.document.key_span(&["records", name]), &why));
    }
}

fn published(
    project: &Project,
    (records, config, known): (&str, &RecordsConfig, &RecordsTable),
    kind: RecordToolKind,
    table: &TableSet,
) -> Contract {
    let contract = &known.contract;
    let defaults = &project.file.defaults;
    let name = config.tool_name(kind, records);
    let own = config.described(kind).and_then(|tool| tool.description.as_deref()).map(|text| text.trim().to_owned());
    let asked = config.result_limit.or(defaults.result_limit).unwrap_or(ResultLimit::Rows(DEFAULT_RESULT_LIMIT));
    let asked = if asked == ResultLimit::None { ResultLimit::Rows(MOST_ROWS) } else { asked };
    let fields = u64::try_from(contract.properties().len()).unwrap_or(u64::MAX);
    let result_limit = match kind {
        RecordToolKind::GetContract => ResultLimit::Rows(fields.max(1)),
        RecordToolKind::Upsert | RecordToolKind::Delete | RecordToolKind::Get | RecordToolKind::Materialize => {
            ResultLimit::Rows(1)
        }
        RecordToolKind::Status => ResultLimit::Rows(fields.max(1)),
        RecordToolKind::List | RecordToolKind::Query | RecordToolKind::History => asked,
    };
    Contract {
        alias_of: None,
        title: title_of(&name),
        description: Some(own.unwrap_or_else(|| parameters::description_of(kind, records, known))),
        tags: config.tags.clone(),
        version: None,
        scopes: config.scopes.clone(),
        meta: None,
        icons: Vec::new(),
        input: Input::Parameters(parameters::parameters_of(kind, known, config, table)),
        output: outputs::output_of(kind, contract).map_or(Output::Rows, Output::Columns),
        placeholders: Vec::new(),
        rules: Vec::new(),
        clauses: Clauses::default(),
        tables: vec![records.to_owned()],
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit,
        default_limit: None,
        table_format: defaults.table_format.unwrap_or(TableFormat::Markdown),
        changes: kind.writes().then(|| changes(kind, records, config, known)),
        expose: exposed(kind),
        timeout: match kind {
            RecordToolKind::Materialize => config.timeout.unwrap_or(Timeout(MOST_MAKING)),
            _ => config.timeout.or(defaults.timeout).unwrap_or(Timeout(DEFAULT_TIMEOUT)),
        },
        max_bytes: None,
        calls_per_second: None,
        cache_ttl: None,
        count_total: false,
        strict: defaults.strict.unwrap_or(false),
        ask: false,
        parameters_in_description: defaults.parameters_in_description.unwrap_or(false),
        structured_output: defaults.structured_output.unwrap_or(true),
        definition: defaults.definition.unwrap_or_default(),
        annotations: Annotations {
            read_only: !kind.writes(),
            destructive: kind.writes(),
            // The same again changes nothing more.
            idempotent: true,
            open_world: false,
        },
        name,
    }
}

/// What is written.
fn changes(kind: RecordToolKind, records: &str, config: &RecordsConfig, known: &RecordsTable) -> Changes {
    let mut columns: Vec<String> = match kind {
        RecordToolKind::Materialize => parameters::made(known).map(str::to_owned).collect(),
        _ => parameters::writable(&known.contract).map(|property| property.name.clone()).collect(),
    };
    columns.sort();
    let write =
        |operation, columns: &[String]| TableWrite { table: records.to_owned(), operation, columns: columns.to_vec() };
    let writes = match kind {
        RecordToolKind::Delete => vec![write(WriteOperation::Delete, &[])],
        RecordToolKind::Materialize => vec![write(WriteOperation::Update, &columns)],
        _ => vec![write(WriteOperation::Insert, &columns), write(WriteOperation::Update, &columns)],
    };
    let max_changes = match kind {
        // Whoever has a thousand records has a thousand values to be made.
        RecordToolKind::Materialize => ANY_CHANGES,
        _ => config.most_changes(),
    };
    Changes { writes, max_changes, expect: None, confirm: config.confirm == Some(true) }
}

/// The automatic parameters that agents see.
fn exposed(kind: RecordToolKind) -> Vec<AutomaticParameter> {
    use AutomaticParameter::{Cursor, DryRun, Limit, TableFormat};
    match kind {
        RecordToolKind::GetContract | RecordToolKind::Get | RecordToolKind::Status => vec![TableFormat],
        RecordToolKind::List => vec![Limit, TableFormat, Cursor],
        RecordToolKind::Query | RecordToolKind::History => vec![Limit, TableFormat],
        RecordToolKind::Upsert | RecordToolKind::Delete | RecordToolKind::Materialize => vec![DryRun, TableFormat],
    }
}
