//! The pipeline, from top to bottom: a [`Project`] becomes tools and diagnostics.
//!
//! Pure: no file, clock, environment or network. A query with errors drops out, and those that select from it with it;
//! all others go on.

mod choices;
mod levels;
mod uses;

use crate::diagnostic::{Code, Diagnostic, Diagnostics, codes};
use crate::infer::{self, Pages, Stages, TypedParameter, TypedQuery};
use crate::plan::stop;
use crate::project::{
    AnnotationsConfig, AutomaticParameter, Kind, Project, QueryFile, TableFormat, Timeout, UnreadValues,
};
use crate::prompts::{self, Prompt};
use crate::rules;
use crate::shape::Shapes;
use crate::source::{FileId, Spanned};
use crate::syntax::clauses::clauses_of;
use crate::syntax::link::{self, LinkedQuery};
use crate::syntax::{self, HeaderFault, ParsedQuery};
use crate::tool::{
    Annotations, Body, Clauses, Contract, Input, Output, Parameter, Query, Tool, ToolAllowedQuery, ToolChoice,
};
use crate::ty::ExactNumbers;
use levels::Levels;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use uses::Uses;

/// How long a call may take where nobody says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
/// Most queries that one selects from, directly or not: each is planned with it.
const MAX_USES: usize = 100;
/// Parser, planner and optimizer recurse over the statement's tree; `syntax::depth` bounds it to what fits here even in
/// a debug build.
pub const STACK_SIZE: usize = 256 << 20;

/// What came of a project.
#[derive(Debug)]
pub struct Compilation {
    /// The tools that compiled, sorted by name.
    pub tools: Vec<Tool>,
    /// The prompts that compiled, sorted by name.
    pub prompts: Vec<Prompt>,
    /// The queries that compiled and are no tools: views, and what is out of service.
    pub no_tools: HashSet<String>,
    /// The number of views that compiled.
    pub views: usize,
    /// The numbers of errors.
    pub errors: usize,
    /// The numbers of warnings.
    pub warnings: usize,
    /// Everything there is to say, by place.
    pub diagnostics: Vec<Diagnostic>,
    /// The query files whose statement cannot be read.
    pub unread: HashSet<FileId>,
}

/// What the stages made of one query, as text.
#[derive(Debug, Clone, Default)]
pub struct Inspected {
    /// What was read: placeholders, names, and the statement with `$n` for every occurrence.
    pub parsed: String,
    /// What inference made of it.
    pub stages: Stages,
}

/// The queries of a project that give allowed values.
pub fn allowed_queries(project: &Project) -> Vec<UnreadValues> {
    let of_file = |file: &QueryFile| {
        let name = syntax::declared_name(file, &project.sources);
        let queries = syntax::allowed_queries(file, &project.document, &project.sources);
        let key = file.file;
        queries.into_iter().map(move |(parameter, query)| {
            let mut tables: Vec<String> = query.tables.into_iter().map(|table| table.value).collect();
            tables.sort();
            tables.dedup();
            UnreadValues { key: (key, parameter), name: name.clone(), query: query.text, tables }
        })
    };
    project.queries.iter().flat_map(of_file).collect()
}

/// Compiles all queries of a project. `found` is what loading it had to say.
pub fn compile(project: &Project, found: Diagnostics) -> Compilation {
    compile_with(project, found, None).0
}

/// Compiles, and writes down what the stages make of the query `inspect`.
pub fn compile_with(project: &Project, found: Diagnostics, inspect: Option<&str>) -> (Compilation, Option<Inspected>) {
    let work = || stop::compiling(|| Compiler { project, sink: found.clone(), inspect, inspected: None }.run());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("compile".to_owned()).stack_size(STACK_SIZE);
        match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(compilation)) => compilation,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // No thread to be had: what fits on this stack still compiles.
            Err(_) => work(),
        }
    })
}

struct Compiler<'a> {
    project: &'a Project,
    sink: Diagnostics,
    inspect: Option<&'a str>,
    inspected: Option<Inspected>,
}

impl Compiler<'_> {
    fn run(mut self) -> (Compilation, Option<Inspected>) {
        let project = self.project;
        let (parsed, faults): (Vec<ParsedQuery>, Vec<Option<HeaderFault>>) = project
            .queries
            .iter()
            .filter_map(|query| syntax::parse(query, &project.document, &project.sources, &mut self.sink))
            .unzip();
        let read: HashSet<FileId> = parsed.iter().map(|query| query.file).collect();
        let unread = project.queries.iter().map(|query| query.file).filter(|file| !read.contains(file)).collect();
        let levels = Levels::of(project, &parsed);
        let shapes = Shapes::of(&parsed, &project.sources);
        let facts = rules::Context { project, shapes: &shapes };
        let mut found = Diagnostics::default();
        if project.queries.is_empty() {
            found.push(codes::empty_project(project.document.key_span(&["name"])));
        }
        rules::check_project(project, &parsed, &faults, &mut found);
        levels.report(found, &mut self.sink);
        let table = |name: &String| Spanned::new(name.clone(), project.document.key_span(&["tables", name]));
        let tables: Vec<Spanned<String>> = project.file.tables.keys().map(table).collect();
        let taken = rules::collisions::check(&parsed, &tables, &mut self.sink);

        let order = Order::of(&parsed, &tables, &mut self.sink);
        let unparsed = self.unparsed_names(&parsed, &faults);
        let names = query_names(&parsed, &unparsed);
        let context = infer::Context {
            catalog: &project.catalog,
            queries: &names,
            allowed_values: &project.allowed_values,
            sources: &project.sources,
            primary_keys: &|table| {
                project.file.tables.get(table).map(|source| source.primary_key.clone()).unwrap_or_default()
            },
        };
        let all_uses = Uses::of(&parsed, index(&parsed, &tables), &order.sequence);
        let mut compiled = vec![false; parsed.len()];
        let mut tools = Vec::new();
        let mut views = 0;
        let mut untyped_views = Vec::new();
        let mut no_tools = HashSet::new();
        for at in order.sequence.iter().copied() {
            let (Some(query), Some(fault)) = (parsed.get(at), faults.get(at)) else { continue };
            let errors = self.sink.errors();
            let mut found = Diagnostics::default();
            rules::check_text(query, &mut found);
            levels.report(found, &mut self.sink);
            if *fault == Some(HeaderFault::Settings) {
                infer::check_names(query, context, &mut self.sink);
                continue;
            }
            if self.sink.errors() > errors {
                // What is meant in its place would have told names and types.
                continue;
            }
            if taken.contains(&at) || self.reads_what_is_broken(query, &unparsed) {
                continue;
            }
            let uses = order.uses(at);
            let fine = |used: &usize| compiled.get(*used).copied().unwrap_or(false);
            if !uses.iter().all(fine) {
                // A query below it has errors, which are reported there.
                continue;
            }
            let errors = self.sink.errors();
            all_uses.check(query, &mut self.sink);
            let uses = all_uses.below(query, &mut self.sink);
            if uses.len() > MAX_USES {
                let what = format!(
                    "it selects from {} other queries, directly or not, and {MAX_USES} at most are read",
                    uses.len()
                );
                self.sink.push(codes::query_too_large(query.head, &what, None));
            }
            if self.sink.errors() > errors {
                continue;
            }
            let uses: Vec<&ParsedQuery> = uses.iter().map(AsRef::as_ref).collect();
            let Some(linked) = link::link(query, &uses, &[], &project.sources) else { continue };
            if self.inspect == Some(query.name.value.as_str()) {
                let stages = infer::stages(&linked, context);
                self.inspected = Some(Inspected { parsed: linked.listing(&project.sources), stages });
            }
            let mut found = Diagnostics::default();
            let typed = if linked.choices.is_empty() {
                infer::infer(&linked, context, &mut found)
            } else {
                choices::infer(&linked, query, &uses, context, &mut found)
            };
            if let Some(typed) = &typed {
                rules::check(&linked, typed, facts, &mut found);
            }
            // The column that is meant has no type to tell.
            let keys = rules::check_keys(&linked, &shapes, &mut found);
            found.forget_at(Code::CannotInferType, &keys);
            if *fault == Some(HeaderFault::Sql) {
                // What is missing would have told types.
                found.forget(Code::CannotInferType);
                levels.report(found, &mut self.sink);
                continue;
            }
            if query.header.kind == Some(Kind::View) && typed.is_none() && only_lacks_types(&found) {
                let (errors, mut lints) = (self.sink.errors(), Diagnostics::default());
                rules::check_untyped(&linked, facts, &mut lints);
                levels.report(lints, &mut self.sink);
                if self.sink.errors() > errors {
                    continue;
                }
                // Those who select from it may tell what it lacks.
                if let Some(flag) = compiled.get_mut(at) {
                    *flag = true;
                }
                untyped_views.push((at, found));
                continue;
            }
            let errors = self.sink.errors();
            levels.report(found, &mut self.sink);
            let Some(typed) = typed.filter(|_| self.sink.errors() == errors) else { continue };
            if let Some(flag) = compiled.get_mut(at) {
                *flag = true;
            }
            match query.header.kind {
                Some(Kind::View) => {
                    views += 1;
                    no_tools.insert(query.name.value.clone());
                }
                _ if query.header.enabled == Some(false) => {
                    no_tools.insert(query.name.value.clone());
                }
                _ => tools.push(into_tool(project, query, &linked, typed)),
            }
        }
        for (at, found) in untyped_views {
            // Its users have said what even they cannot tell.
            if order.is_used(at) {
                views += 1;
            } else {
                levels.report(found, &mut self.sink);
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (prompts, found) = prompts::compile(&project.prompts, &project.sources, &names);
        self.sink.extend(found);
        tools.sort_by(|a, b| a.contract.name.cmp(&b.contract.name));
        let compilation = Compilation {
            tools,
            prompts,
            no_tools,
            views,
            errors: self.sink.errors(),
            warnings: self.sink.warnings(),
            diagnostics: self.sink.into_sorted(),
            unread,
        };
        (compilation, self.inspected)
    }

    /// Whether it reads a table that is declared but has no schema, or a query that did not parse: that was reported
    /// where it was found.
    fn reads_what_is_broken(&self, query: &ParsedQuery, unparsed: &HashSet<String>) -> bool {
        let project = self.project;
        let tables = query.allowed_queries.values().flat_map(|query| &query.tables).map(|table| &table.value);
        query.references.iter().map(|reference| &reference.query).chain(tables).any(|name| {
            let declared = project.file.tables.contains_key(name);
            let known = project.catalog.tables.contains_key(name);
            !known && (declared || unparsed.contains(name))
        })
    }

    /// The names of files that did not parse, or whose header has errors.
    fn unparsed_names(&self, parsed: &[ParsedQuery], faults: &[Option<HeaderFault>]) -> HashSet<String> {
        let sound = parsed.iter().zip(faults).filter(|(_, fault)| fault.is_none());
        let fine: HashSet<FileId> = sound.map(|(one, _)| one.file).collect();
        let queries = self.project.queries.iter().filter(|query| !fine.contains(&query.file));
        queries.map(|query| syntax::declared_name(query, &self.project.sources)).collect()
    }
}

/// Names that can be selected from, sorted; also of queries that did not parse: their users are not to blame.
fn query_names(parsed: &[ParsedQuery], unparsed: &HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = parsed.iter().map(|query| query.name.value.clone()).collect();
    names.extend(unparsed.iter().cloned());
    names.sort();
    names.dedup();
    names
}

/// The queries by the names that they are selected from by. A table has its name for itself.
fn index<'a>(parsed: &'a [ParsedQuery], tables: &[Spanned<String>]) -> HashMap<&'a str, usize> {
    let named = parsed.iter().enumerate().rev().map(|(at, query)| (query.name.value.as_str(), at));
    named.filter(|(name, _)| !tables.iter().any(|table| table.value == *name)).collect()
}

/// Which query selects from which, and an order in which every query comes after those it selects from.
struct Order {
    edges: Vec<Vec<usize>>,
    sequence: Vec<usize>,
}

impl Order {
    fn of(parsed: &[ParsedQuery], tables: &[Spanned<String>], sink: &mut Diagnostics) -> Order {
        let index = index(parsed, tables);
        let edges: Vec<Vec<usize>> = parsed
            .iter()
            .map(|query| {
                let mut below: Vec<usize> = query
                    .references
                    .iter()
                    .filter_map(|reference| index.get(reference.query.as_str()).copied())
                    .collect();
                below.sort_unstable();
                below.dedup();
                below
            })
            .collect();
        let mut order = Order { edges, sequence: Vec::new() };
        let mut state = vec![Visit::New; parsed.len()];
        for at in 0..parsed.len() {
            order.visit(at, parsed, &mut state, &mut Vec::new(), sink);
        }
        order
    }

    /// Depth first; a query that is met again on the way to itself closes a cycle and never enters the sequence.
    fn visit(
        &mut self,
        at: usize,
        parsed: &[ParsedQuery],
        state: &mut [Visit],
        way: &mut Vec<usize>,
        sink: &mut Diagnostics,
    ) -> bool {
        match state.get(at) {
            Some(Visit::Done(fine)) => return *fine,
            Some(Visit::Open) => {
                self.report_cycle(at, parsed, way, sink);
                return false;
            }
            _ => {}
        }
        set(state, at, Visit::Open);
        way.push(at);
        let below = self.edges.get(at).cloned().unwrap_or_default();
        let mut fine = true;
        for next in below {
            fine &= self.visit(next, parsed, state, way, sink);
        }
        way.pop();
        set(state, at, Visit::Done(fine));
        if fine {
            self.sequence.push(at);
        }
        fine
    }

    fn report_cycle(&self, at: usize, parsed: &[ParsedQuery], way: &[usize], sink: &mut Diagnostics) {
        let start = way.iter().position(|step| *step == at).unwrap_or(0);
        let round = way.get(start..).unwrap_or_default();
        let names: Vec<String> = round
            .iter()
            .chain([&at])
            .filter_map(|step| parsed.get(*step))
            .map(|query| query.name.value.clone())
            .collect();
        let last = way.last().and_then(|last| parsed.get(*last));
        let reference = last.and_then(|last| {
            let name = names.last()?;
            last.references.iter().find(|reference| reference.query == *name)
        });
        if let Some(reference) = reference {
            sink.push(codes::query_cycle(reference.span, &names));
        }
    }

    /// Whether a query selects from it.
    fn is_used(&self, at: usize) -> bool {
        self.edges.iter().any(|below| below.contains(&at))
    }

    /// All queries below one, each after those it selects from itself.
    fn uses(&self, at: usize) -> Vec<usize> {
        let mut wanted = vec![false; self.edges.len()];
        let mut open = self.edges.get(at).cloned().unwrap_or_default();
        while let Some(next) = open.pop() {
            if let Some(flag) = wanted.get_mut(next)
                && !*flag
            {
                *flag = true;
                open.extend(self.edges.get(next).into_iter().flatten());
            }
        }
        self.sequence.iter().copied().filter(|one| wanted.get(*one).copied().unwrap_or(false)).collect()
    }
}

/// Whether all that is wrong is that parameters have no type.
fn only_lacks_types(found: &Diagnostics) -> bool {
    found.errors() > 0 && found.errors() == found.count_of(Code::CannotInferType)
}

#[derive(Clone, Copy)]
enum Visit {
    New,
    Open,
    Done(bool),
}

fn set(state: &mut [Visit], at: usize, to: Visit) {
    if let Some(slot) = state.get_mut(at) {
        *slot = to;
    }
}

/// Puts a checked query into the form that is published and executed.
fn into_tool(project: &Project, query: &ParsedQuery, linked: &LinkedQuery<'_>, typed: TypedQuery) -> Tool {
    let header = &query.header;
    let defaults = &project.file.defaults;
    let result_limit = header.effective_limit(defaults);
    let mut tables = typed.tables;
    // Those that a server reads again.
    let queries = typed.parameters.iter().filter_map(|parameter| parameter.declaration.allowed_query.as_ref());
    let again = queries.filter(|(_, query)| query.refresh.is_some()).flat_map(|(_, query)| &query.tables);
    tables.extend(again.map(|table| table.value.clone()));
    tables.sort();
    tables.dedup();
    let mut columns = typed.columns;
    for column in &mut columns {
        let configs = || linked.column_configs(&column.name);
        let usual = ExactNumbers::default();
        let numbers = ExactNumbers {
            bigint: configs().find_map(|config| config.bigint).or(defaults.bigint).unwrap_or(usual.bigint),
            decimal: configs().find_map(|config| config.decimal).or(defaults.decimal).unwrap_or(usual.decimal),
        };
        column.numbers = numbers.of_type(&column.ty);
        column.description = linked.column_description(&column.name).map(str::to_owned);
    }
    let parameters = typed.parameters.into_iter().map(|typed| into_parameter(typed, linked)).collect();
    let contract = Contract {
        name: query.name.value.clone(),
        title: header.title.clone().unwrap_or_else(|| title(query)),
        description: header.description.clone().map(|text| text.trim().to_owned()),
        tags: header.tags.clone(),
        version: header.version.clone(),
        scopes: header.scopes.clone(),
        meta: header.meta.clone(),
        icons: header.icons.clone(),
        input: Input::Parameters(parameters),
        output: Output::Columns(columns),
        placeholders: typed.placeholders,
        rules: typed.rules,
        clauses: Clauses::default(),
        tables,
        result_limit,
        default_limit: header.default_limit,
        table_format: header.table_format.or(defaults.table_format).unwrap_or(TableFormat::Markdown),
        expose: exposed(header.expose.as_deref(), &typed.pages),
        timeout: header.timeout.or(defaults.timeout).unwrap_or(Timeout(DEFAULT_TIMEOUT)),
        cache_ttl: header.cache_ttl,
        count_total: header.count_total.unwrap_or(false),
        strict: header.strict.or(defaults.strict).unwrap_or(false),
        definition: header.definition.or(defaults.definition).unwrap_or_default(),
        structured_output: header.structured_output.or(defaults.structured_output).unwrap_or(true),
        parameters_in_description: header
            .parameters_in_description
            .or(defaults.parameters_in_description)
            .unwrap_or(false),
        annotations: claimed(typed.annotations, header.annotations),
    };
    let body = Body::Query(Query { views: typed.views, statement: typed.statement });
    let mut tool = Tool { contract, body };
    tool.contract.clauses = clauses_of(&tool);
    tool
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
fn exposed(said: Option<&[AutomaticParameter]>, pages: &Pages) -> Vec<AutomaticParameter> {
    let all = [AutomaticParameter::Limit, AutomaticParameter::TableFormat, AutomaticParameter::Cursor];
    let is_there = |one: &AutomaticParameter| *one != AutomaticParameter::Cursor || *pages == Pages::Fit;
    said.unwrap_or(&all).iter().copied().filter(is_there).collect()
}

/// The name as its author spelt it; one that comes from a path, in words.
fn title(query: &ParsedQuery) -> String {
    if query.header.name.is_some() {
        return query.raw_name.clone();
    }
    let words = query.name.value.replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or(words)
}

fn into_parameter(typed: TypedParameter, linked: &LinkedQuery<'_>) -> Parameter {
    let constraints = rules::constraints_of(&typed).canonical(&typed.ty);
    let required = typed.declaration.is_required();
    let canonical = |value: &Value| rules::canonical(&typed, value);
    let default = typed.declaration.config.default.as_ref().map(canonical);
    let examples = typed.declaration.config.examples.iter().flatten().map(canonical).collect();
    let chosen = linked.choices.iter().find(|choice| choice.name == typed.declaration.name);
    let choices = chosen.iter().flat_map(|choice| choice.all);
    let choices = choices.map(|one| ToolChoice { key: one.key.clone(), sql: one.text.clone() }).collect();
    let default_expression = typed.declaration.expression.map(|expression| expression.text);
    let allowed_query = typed.declaration.allowed_query.map(|(_, query)| query);
    let allowed_query = allowed_query.map(|query| ToolAllowedQuery { query: query.text, refresh: query.refresh });
    let config = typed.declaration.config;
    Parameter {
        name: typed.declaration.name,
        description: config.description.map(|text| text.trim().to_owned()),
        required,
        default,
        default_expression,
        allowed_query,
        constraints,
        from: config.from,
        choices,
        examples,
        ty: typed.ty,
    }
}
