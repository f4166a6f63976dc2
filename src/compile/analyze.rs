//! Finds out what every query of a project means: all are read, then each is taken as far as it goes, behind those that
//! it selects from.

use super::Compilation;
use super::analysis::{AnalysedQuery, Analysis, Reached};
use super::changes;
use super::choices;
use super::context::{Names, context, primary_keys};
use super::functions;
use super::levels::Levels;
use super::link_input::LinkInput;
use super::order::{self, Order};
use super::policies::{self, Policies};
use super::programs;
use super::publish::publish;
use super::simple_json;
use super::statements;
use super::uses::Uses;
use super::{record_statements, record_tools, requests, table_tools, upstreams};
use crate::catalog::{Catalog, Column, ROWS_OF_PROGRAM, Table};
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::infer::{self, AskedStatement, Context, TypedQuery};
use crate::project::{Kind, Project, QueryFile};
use crate::prompts;
use crate::rules;
use crate::shape::Shapes;
use crate::source::{FileId, Spanned};
use crate::syntax::link::LinkedQuery;
use crate::syntax::{self, HeaderFault, ManifestText, NativeStatement, ParsedQuery};
use std::collections::HashSet;
use std::sync::Arc;

/// Most queries that one selects from, directly or not: each is planned with it.
const MAX_USES: usize = 100;

/// Analyses a project.
pub(super) fn analyze(project: &Project) -> Analysis {
    if project.file.policies.is_empty() {
        return analyze_shown(project, Policies::default());
    }
    let mut found = Diagnostics::default();
    let policies = Policies::compile(project, &compile_guest, &mut found);
    let shown = policies.shown(project);
    analyze_shown(&shown, policies).behind(found)
}

/// Compiles a project that is made of another one, on the same stack.
pub(super) fn compile_guest(guest: &Project) -> Compilation {
    publish(guest, &analyze(guest), &compile_guest)
}

/// Analyses a project whose tables are what callers see of them.
fn analyze_shown(project: &Project, policies: Policies) -> Analysis {
    let (mut queries, read) = read_all(project);
    // Files that cannot be read are in nobody's way.
    let Read { places, parsed, faults } = read;
    let levels = Levels::of(project, &parsed);
    let shapes = Shapes::of(&parsed, &project.sources);
    let mut diagnostics = Diagnostics::default();
    levels.report(of_project(project, &parsed, &faults), &mut diagnostics);
    let mut found = Diagnostics::default();
    let mut made_tools = table_tools::table_tools(project, &parsed, &policies, &mut found);
    made_tools.extend(record_tools::record_tools(project, &parsed, &policies, &mut found));
    let others = upstreams::upstream_tools(project, &parsed, &made_tools, &mut found);
    made_tools.extend(others);
    levels.report(found, &mut diagnostics);
    let table = |name: &String| Spanned::new(name.clone(), project.table_span(name));
    let tables: Vec<Spanned<String>> = project.file.tables.keys().map(table).collect();
    let taken = rules::collisions::check(&parsed, &tables, &mut diagnostics);
    let index = order::index(&parsed, &tables);
    let order = Order::of(&parsed, &index, &mut diagnostics);
    let unparsed = unparsed_names(project, &parsed, &faults);
    let names = query_names(&parsed, &unparsed);
    let primary_keys = primary_keys(project);
    let catalog = with_rows_of_programs(project, &parsed);
    let context = Context { catalog: &catalog, ..context(project, &names, &primary_keys) };
    let uses = Uses::new(&parsed, index);
    let is_sound = vec![false; parsed.len()];
    let mut analyzer = Analyzer { project, context, shapes, levels, order, uses, faults, taken, unparsed, is_sound };
    for at in analyzer.order.sequence.clone() {
        let place = places.get(at).and_then(|place| queries.get_mut(*place));
        let (Some(query), Some(place)) = (parsed.get(at), place) else { continue };
        place.reached = analyzer.query(at, query, &mut place.diagnostics);
        if place.reached.is_sound() {
            analyzer.has_proved_sound(at);
        }
    }
    let order = analyzer.order.sequence.iter().filter_map(|at| places.get(*at).copied()).collect();
    let made = made_tools.iter().map(|tool| &tool.contract.name);
    let prompt_names: Vec<&str> =
        names.queries.iter().chain(&names.statements).chain(made).map(String::as_str).collect();
    let (placed, found) = prompts::compile(&project.prompts, &project.sources, &prompt_names);
    diagnostics.extend(found);
    let own: Vec<_> = placed.iter().map(|(prompt, place)| (prompt.name.as_str(), *place)).collect();
    let mut found = Diagnostics::default();
    let offered = upstreams::offered::offered(project, &own, &mut found);
    analyzer.levels.report(found, &mut diagnostics);
    let prompts = placed.into_iter().map(|(prompt, _)| prompt).collect();
    Analysis { queries, order, prompts, offered, made_tools, diagnostics, names, policies }
}

/// The queries that can be read.
#[derive(Default)]
struct Read {
    /// Their numbers among all query files.
    places: Vec<usize>,
    parsed: Vec<Arc<ParsedQuery>>,
    /// What is wrong with their headers.
    faults: Vec<Option<HeaderFault>>,
}

/// Reads all query files, each by itself.
fn read_all(project: &Project) -> (Vec<AnalysedQuery>, Read) {
    let mut read = Read::default();
    let one = |(at, query): (usize, &QueryFile)| {
        let mut diagnostics = Diagnostics::default();
        let parsed = syntax::parse(query, &project.document, &project.sources, &mut diagnostics);
        let reached = parsed.map_or(Reached::Unread, |(parsed, fault)| {
            let parsed = Arc::new(parsed);
            read.places.push(at);
            read.parsed.push(Arc::clone(&parsed));
            read.faults.push(fault);
            Reached::Parsed(parsed)
        });
        AnalysedQuery { file: query.file, reached, diagnostics }
    };
    let queries = project.queries.iter().enumerate().map(one).collect();
    (queries, read)
}

/// What there is to say of the project as a whole.
fn of_project(project: &Project, parsed: &[Arc<ParsedQuery>], faults: &[Option<HeaderFault>]) -> Diagnostics {
    let mut found = Diagnostics::default();
    if project.queries.is_empty() && project.file.makes_no_tools() {
        found.push(codes::empty_project(project.document.key_span(&["name"])));
    }
    rules::check_project(project, parsed, faults, &mut found);
    found
}

/// The tables of a project, with those that the rows of its programs are, under names that no table has.
fn with_rows_of_programs(project: &Project, parsed: &[Arc<ParsedQuery>]) -> Catalog {
    let mut catalog = project.catalog.clone();
    for query in parsed {
        let Some(manifest) = &query.manifest else { continue };
        let column = |column: crate::tool::OutputColumn| Column {
            arrow: column.ty.to_arrow(),
            name: column.name,
            nullable: column.nullable,
        };
        let columns = infer::columns_of_manifest(query, manifest).into_iter().map(column).collect();
        let name = format!("{}{ROWS_OF_PROGRAM}", query.name.value);
        catalog.tables.insert(name, Table::of_columns(columns));
    }
    catalog
}

/// The names of files that did not parse, or whose header has errors.
fn unparsed_names(project: &Project, parsed: &[Arc<ParsedQuery>], faults: &[Option<HeaderFault>]) -> HashSet<String> {
    let sound = parsed.iter().zip(faults).filter(|(_, fault)| fault.is_none());
    let fine: HashSet<FileId> = sound.map(|(one, _)| one.file).collect();
    let queries = project.queries.iter().filter(|query| !fine.contains(&query.file));
    queries.map(|query| syntax::declared_name(query, &project.sources)).collect()
}

/// The names of the queries. Those of queries that did not parse can be selected from: their users are not to blame.
fn query_names(parsed: &[Arc<ParsedQuery>], unparsed: &HashSet<String>) -> Names {
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names.dedup();
        names
    };
    let (statements, queries): (Vec<_>, Vec<_>) = parsed.iter().partition(|query| query.native.is_some());
    let name = |query: &Arc<ParsedQuery>| query.name.value.clone();
    let queries = queries.into_iter().map(name).chain(unparsed.iter().cloned()).collect();
    Names { queries: sorted(queries), statements: sorted(statements.into_iter().map(name).collect()) }
}

/// What queries are analysed with.
struct Analyzer<'a> {
    project: &'a Project,
    context: Context<'a>,
    shapes: Shapes,
    levels: Levels<'a>,
    order: Order,
    uses: Uses<'a>,
    /// By query: what is wrong with its header.
    faults: Vec<Option<HeaderFault>>,
    /// Those that have the name of another.
    taken: HashSet<usize>,
    /// The names of files that did not parse, or whose header has errors.
    unparsed: HashSet<String>,
    /// By query: whether others may select from it, as far as that is known.
    is_sound: Vec<bool>,
}

impl Analyzer<'_> {
    /// Takes a query as far as it goes. Those that it selects from were taken before.
    fn query(&self, at: usize, query: &Arc<ParsedQuery>, sink: &mut Diagnostics) -> Reached {
        let only_parsed = || Reached::Parsed(Arc::clone(query));
        let fault = self.faults.get(at).copied().flatten();
        if !self.is_well_written(query, fault, sink) || !self.stands_on_sound_ones(at, query) {
            return only_parsed();
        }
        if let Some(native) = &query.native {
            return self.statement(query, native, fault, sink);
        }
        if let Some(manifest) = &query.manifest {
            return self.manifest(query, manifest, fault, sink);
        }
        let Some(input) = self.gather(query, sink) else { return only_parsed() };
        let Some(linked) = input.link(&[], &self.project.sources) else { return only_parsed() };
        let (typed, found) = self.infer(&linked, &input, fault);
        if fault == Some(HeaderFault::Sql) {
            self.levels.report(found, sink);
            return Reached::Linked(input);
        }
        if query.header.kind == Some(Kind::View) && typed.is_none() && only_lacks_types(&found) {
            return match self.may_be_typed_by_users(at, &linked, found, sink) {
                true => Reached::Untyped(input),
                false => Reached::Linked(input),
            };
        }
        match (typed, self.reports_no_error(found, sink)) {
            (Some(typed), true) => Reached::Typed(input, Box::new(typed)),
            _ => Reached::Linked(input),
        }
    }

    /// What the rules look at beside a query.
    fn facts(&self) -> rules::Context<'_> {
        rules::Context { project: self.project, shapes: &self.shapes }
    }

    /// Takes over what was found, and tells whether none of it is an error.
    fn reports_no_error(&self, found: Diagnostics, sink: &mut Diagnostics) -> bool {
        let errors = sink.errors();
        self.levels.report(found, sink);
        sink.errors() == errors
    }

    /// Whether header and text let the rest be looked at. Of a broken header, at least the names are.
    fn is_well_written(&self, query: &ParsedQuery, fault: Option<HeaderFault>, sink: &mut Diagnostics) -> bool {
        let mut found = Diagnostics::default();
        rules::check_text(query, &mut found);
        // What is meant in the place of what is wrong would have told names and types.
        let is_fine = self.reports_no_error(found, sink);
        let is_broken = fault == Some(HeaderFault::Settings);
        if is_broken {
            infer::check_names(query, self.context, sink);
        }
        is_fine && !is_broken
    }

    /// Whether its name is its own, and all that it reads has no errors: those are reported where they are.
    fn stands_on_sound_ones(&self, at: usize, query: &ParsedQuery) -> bool {
        let is_sound = |used: &usize| self.is_sound.get(*used).copied().unwrap_or(false);
        !self.taken.contains(&at) && !self.reads_what_is_broken(query) && self.order.below(at).iter().all(is_sound)
    }

    /// Whether it reads a table that is declared but has no schema, or a query that did not parse.
    fn reads_what_is_broken(&self, query: &ParsedQuery) -> bool {
        let project = self.project;
        let tables = query.allowed_queries.values().flat_map(|query| &query.tables).map(|table| &table.value);
        query.references.iter().map(|reference| &reference.query).chain(tables).any(|name| {
            let declared = project.file.tables.contains_key(name);
            let known = project.catalog.tables.contains_key(name);
            !known && (declared || self.unparsed.contains(name))
        })
    }

    /// The query with all that it selects from; `None` where it gives names to what is not there, or there are too many.
    fn gather(&self, query: &Arc<ParsedQuery>, sink: &mut Diagnostics) -> Option<LinkInput> {
        let errors = sink.errors();
        self.uses.check(query, sink);
        let uses = self.uses.below(query, sink);
        if uses.len() > MAX_USES {
            let what = format!(
                "it selects from {} other queries, directly or not, and {MAX_USES} at most are read",
                uses.len()
            );
            sink.push(codes::query_too_large(query.head, &what, None));
        }
        (sink.errors() == errors).then(|| LinkInput { query: Arc::clone(query), uses })
    }

    /// The types of a query, and what is wrong with it.
    fn infer(
        &self,
        linked: &LinkedQuery<'_>,
        input: &LinkInput,
        fault: Option<HeaderFault>,
    ) -> (Option<TypedQuery>, Diagnostics) {
        let mut found = Diagnostics::default();
        let typed = if linked.choices.is_empty() {
            infer::infer(linked, self.context, &mut found)
        } else {
            choices::infer(linked, input, self.context, &mut found)
        };
        infer::explain_names(linked, &self.project.sources, &mut found);
        found.reword(|one| policies::explained(one, self.project));
        if let Some(typed) = &typed {
            rules::check(linked, typed, self.facts(), &mut found);
        }
        changes::check_reading(&input.query, &mut found);
        // The column that is meant has no type to tell.
        let keys = rules::check_keys(linked, &self.shapes, &mut found);
        found.forget_at(Code::CannotInferType, &keys);
        if fault == Some(HeaderFault::Sql) {
            // What is missing would have told types.
            found.forget(Code::CannotInferType);
        }
        (typed, found)
    }

    /// Takes a statement in a database's own SQL as far as it goes: it selects from no other query.
    fn statement(
        &self,
        query: &Arc<ParsedQuery>,
        native: &NativeStatement,
        fault: Option<HeaderFault>,
        sink: &mut Diagnostics,
    ) -> Reached {
        // What is wrong with their contract was told.
        if record_statements::is_broken(self.project, &native.source.value) {
            return Reached::Parsed(Arc::clone(query));
        }
        if record_statements::reads_image(self.project, query, native, sink) {
            return Reached::Parsed(Arc::clone(query));
        }
        let input = LinkInput { query: Arc::clone(query), uses: Vec::new() };
        let Some(linked) = input.link(&[], &self.project.sources) else { return Reached::Parsed(Arc::clone(query)) };
        let mut found = Diagnostics::default();
        let seen = (native.is_change() && !self.project.records.is_empty())
            .then(|| record_statements::as_they_see(self.project, query, native));
        let project = seen.as_ref().unwrap_or(self.project);
        let context = Context { catalog: &project.catalog, file: &project.file, ..self.context };
        policies::check_statement(project, native, query.head, &mut found);
        let answer = match project.statements.get(&query.file) {
            Some(Ok(answer)) => Some(answer),
            Some(Err(refused)) => {
                let is_image = record_statements::is_image(self.project, &native.source.value);
                let told = statements::refused(query, native, refused, (&self.project.sources, is_image));
                told.into_iter().for_each(|one| found.push(one));
                None
            }
            // That they are not locked was told.
            None => None,
        };
        let is_of_records = record_statements::is_of_records(project, query, native);
        let asked = AskedStatement { answer, file: &project.file, is_of_records };
        let mut typed = infer::infer_statement(&linked, native, asked, context, &mut found);
        if let Some(typed) = &typed {
            rules::check_statement(&linked, typed, rules::Context { project, shapes: &self.shapes }, &mut found);
        }
        let statement = changes::Statement { project, query, native };
        match native.is_change() {
            true => {
                let allowed = statement.check(&mut found);
                typed.iter_mut().for_each(|typed| statement.settle_documents(typed));
                // A table that the project does not know tells no types.
                if found.count_of(Code::NotWritable) > 0 {
                    found.forget(Code::CannotInferType);
                }
                if let Some((typed, allowed)) = typed.as_mut().zip(allowed) {
                    typed.change = Some(Box::new(statement.body(&linked, typed, allowed, &mut found)));
                }
            }
            false => changes::check_reading(query, &mut found),
        }
        let keys = rules::check_keys(&linked, &self.shapes, &mut found);
        found.forget_at(Code::CannotInferType, &keys);
        drop(linked);
        self.reached(input, typed, fault, found, sink)
    }

    /// How far what was linked has come: to types, where nothing that was found is an error.
    fn reached(
        &self,
        input: LinkInput,
        typed: Option<TypedQuery>,
        fault: Option<HeaderFault>,
        mut found: Diagnostics,
        sink: &mut Diagnostics,
    ) -> Reached {
        if fault == Some(HeaderFault::Sql) {
            // What is missing would have told types.
            found.forget(Code::CannotInferType);
        }
        match (typed, self.reports_no_error(found, sink)) {
            (Some(typed), true) if fault.is_none() => Reached::Typed(input, Box::new(typed)),
            _ => Reached::Linked(input),
        }
    }

    /// Takes a manifest as far as it goes: it selects from no query.
    fn manifest(
        &self,
        query: &Arc<ParsedQuery>,
        manifest: &ManifestText,
        fault: Option<HeaderFault>,
        sink: &mut Diagnostics,
    ) -> Reached {
        let input = LinkInput { query: Arc::clone(query), uses: Vec::new() };
        let Some(linked) = input.link(&[], &self.project.sources) else { return Reached::Parsed(Arc::clone(query)) };
        let mut found = Diagnostics::default();
        let typed = infer::infer_manifest(&linked, manifest, self.context, &mut found);
        if let Some(typed) = &typed {
            rules::check_program(&linked, typed, self.facts(), &mut found);
            match manifest {
                ManifestText::Program(program) => {
                    programs::Manifest { project: self.project, query, program, typed }.check(&mut found);
                }
                ManifestText::Request(request) => requests::Request { query, request, typed }.check(&mut found),
                ManifestText::Python(python) => {
                    functions::Function { project: self.project, query, python, typed }.check(&mut found)
                }
                ManifestText::SimpleJson(program) => {
                    simple_json::SimpleJson { project: self.project, query, program, typed }.check(&mut found)
                }
            }
            programs::check_columns(query, manifest.output(), typed, &mut found);
        }
        drop(linked);
        self.reached(input, typed, fault, found, sink)
    }

    /// Whether a view that lacks types may get them from those who select from it. They say what even they cannot tell;
    /// where there are none, `found` says what is missing.
    fn may_be_typed_by_users(
        &self,
        at: usize,
        linked: &LinkedQuery<'_>,
        found: Diagnostics,
        sink: &mut Diagnostics,
    ) -> bool {
        let mut lints = Diagnostics::default();
        rules::check_untyped(linked, self.facts(), &mut lints);
        if !self.reports_no_error(lints, sink) {
            return false;
        }
        if !self.order.is_used(at) {
            self.levels.report(found, sink);
            return false;
        }
        true
    }

    /// From now on, others may select from that query.
    fn has_proved_sound(&mut self, at: usize) {
        self.is_sound.get_mut(at).into_iter().for_each(|flag| *flag = true);
        self.uses.learn_parameters(at);
    }
}

/// Whether all that is wrong is that parameters have no type.
fn only_lacks_types(found: &Diagnostics) -> bool {
    found.errors() > 0 && found.errors() == found.count_of(Code::CannotInferType)
}
