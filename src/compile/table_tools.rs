//! Makes the tools of `table_tools`: each an ordinary tool, whose parameters and columns follow from the schemas of its
//! tables.

mod outputs;
mod parameters;
mod texts;

pub(super) use parameters::parameters_of;
pub(super) use texts::title_of;

use super::policies::Policies;
use super::{DEFAULT_TIMEOUT, session};
use crate::diagnostic::Diagnostics;
use crate::project::{
    AutomaticParameter, DEFAULT_RESULT_LIMIT, Project, ResultLimit, TableFormat, TableSource, TableToolKind,
    TableToolsConfig, Timeout,
};
use crate::rules;
use crate::syntax::ParsedQuery;
use crate::tool::{Annotations, Body, Clauses, Contract, DescribedColumn, DescribedTable, Input, TableSet, Tool};
use std::sync::Arc;

/// Most rows of a call where the author says `none`.
const MOST_ROWS: u64 = 10_000;

/// The tools of all sets that are sound, sorted by set and kind; what is wrong with the others is in the sink.
pub(super) fn table_tools(
    project: &Project,
    queries: &[Arc<ParsedQuery>],
    policies: &Policies,
    sink: &mut Diagnostics,
) -> Vec<Tool> {
    let sound = rules::table_tools::check(project, queries, sink);
    let sets = sound.into_iter().filter_map(|prefix| Some((prefix, project.file.table_tools.get(prefix)?)));
    let mut tools: Vec<Tool> = sets.flat_map(|(prefix, config)| of_set(project, prefix, config)).collect();
    // What columns there are is known without a row.
    let reads = |tool: &&mut Tool| tool.table_set().is_some_and(|set| set.does != TableToolKind::Schema);
    tools.iter_mut().filter(reads).for_each(|tool| policies.apply(&mut tool.contract));
    tools
}

/// The tools of a set.
fn of_set(project: &Project, prefix: &str, config: &TableToolsConfig) -> Vec<Tool> {
    let described: Vec<DescribedTable> =
        config.distinct_tables().into_iter().filter_map(|table| described_table(project, table)).collect();
    let has_texts = described.iter().any(|table| table.text_column_names().next().is_some());
    let kinds = config.kinds().into_iter().filter(|kind| has_texts || !kind.is_search());
    let tool = |does: TableToolKind| {
        let set = TableSet { does, described: described.clone() };
        Tool { contract: contract(project, (prefix, config), &set), body: Body::Tables(set) }
    };
    kinds.map(tool).collect()
}

/// A table as agents are told of it.
pub(super) fn described_table(project: &Project, name: &str) -> Option<DescribedTable> {
    let (source, table) = (project.file.tables.get(name)?, project.catalog.tables.get(name)?);
    let column = |column: &crate::catalog::Column| {
        Some(DescribedColumn {
            name: column.name.clone(),
            ty: column.ty()?,
            nullable: column.nullable,
            description: description_of_column(source, &column.name),
        })
    };
    Some(DescribedTable {
        name: name.to_owned(),
        description: source.description().unwrap_or_default().trim().to_owned(),
        columns: table.columns.iter().filter_map(column).collect(),
    })
}

fn description_of_column(source: &TableSource, column: &str) -> Option<String> {
    source.columns().get(column)?.description().map(|text| text.trim().to_owned())
}

fn contract(project: &Project, (prefix, config): (&str, &TableToolsConfig), set: &TableSet) -> Contract {
    let defaults = &project.file.defaults;
    let mut tables: Vec<String> = set.described.iter().map(|table| table.name.clone()).collect();
    tables.sort();
    let name = set.does.tool_name(prefix);
    let parameters =
        parameters::parameters_of(set).into_iter().chain(session::parameters(project, &tables, None)).collect();
    let asked = config.result_limit.or(defaults.result_limit).unwrap_or(ResultLimit::Rows(DEFAULT_RESULT_LIMIT));
    Contract {
        alias_of: None,
        title: texts::title_of(&name),
        description: Some(texts::description_of(set)),
        tags: config.tags.clone(),
        version: None,
        scopes: config.scopes.clone(),
        meta: None,
        icons: Vec::new(),
        input: Input::Parameters(parameters),
        output: outputs::output_of(set.does),
        placeholders: Vec::new(),
        rules: Vec::new(),
        clauses: Clauses::default(),
        tables,
        policies: Vec::new(),
        shows: Vec::new(),
        result_limit: result_limit(set, asked),
        default_limit: None,
        table_format: defaults.table_format.unwrap_or(TableFormat::Markdown),
        changes: None,
        expose: exposed(set.does),
        timeout: config.timeout.or(defaults.timeout).unwrap_or(Timeout(DEFAULT_TIMEOUT)),
        max_bytes: None,
        calls_per_second: None,
        cache_ttl: None,
        count_total: false,
        strict: defaults.strict.unwrap_or(false),
        ask: false,
        parameters_in_description: defaults.parameters_in_description.unwrap_or(false),
        structured_output: defaults.structured_output.unwrap_or(true),
        definition: defaults.definition.unwrap_or_default(),
        annotations: Annotations { read_only: true, destructive: false, idempotent: true, open_world: false },
        name,
    }
}

/// Most rows of a call. Of those tools that have a row a column, all of them.
fn result_limit(set: &TableSet, asked: ResultLimit) -> ResultLimit {
    let columns: usize = set.described.iter().map(|table| table.columns.len()).sum();
    match set.does {
        TableToolKind::Schema | TableToolKind::Profile | TableToolKind::SearchSummary => {
            ResultLimit::Rows(u64::try_from(columns).unwrap_or(u64::MAX).max(1))
        }
        // What an agent asks for, nobody has bounded.
        TableToolKind::Read | TableToolKind::SearchContent | TableToolKind::Analyze => match asked {
            ResultLimit::None => ResultLimit::Rows(MOST_ROWS),
            ResultLimit::Rows(_) => asked,
        },
    }
}

/// The automatic parameters that agents see. SQL says itself where its rows begin.
fn exposed(does: TableToolKind) -> Vec<AutomaticParameter> {
    use AutomaticParameter::{Cursor, Limit, TableFormat};
    match does {
        TableToolKind::Schema | TableToolKind::Profile | TableToolKind::SearchSummary => vec![TableFormat],
        TableToolKind::Read | TableToolKind::SearchContent => vec![Limit, TableFormat, Cursor],
        TableToolKind::Analyze => vec![Limit, TableFormat],
    }
}
