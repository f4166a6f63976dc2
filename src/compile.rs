//! The pipeline, from top to bottom: a [`Project`] is analysed, file by file, and what is sound of it is published as
//! tools.
//!
//! Pure: no file, clock, environment or network. A query with errors drops out, and those that select from it with it;
//! all others go on.

mod analysis;
mod analyze;
mod called_programs;
mod changes;
mod choices;
mod context;
mod derivations;
mod derived_models;
mod evidence;
mod functions;
mod guest_text;
mod known_columns;
mod levels;
mod link_input;
mod order;
mod policies;
mod programs;
mod publish;
mod record_statements;
mod record_tools;
mod requests;
mod row_lists;
mod schema_cost;
mod session;
mod shown;
mod simple_json;
mod statements;
mod table_tools;
mod upstreams;
mod uses;

pub use analysis::{AnalysedQuery, Analysis, Reached};
pub use evidence::Evidence;
pub use link_input::LinkInput;
pub use statements::unprepared_statements;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::infer::Lineage;
use crate::plan::stop;
use crate::project::{Project, QueryFile, UnreadValues};
use crate::prompts::Prompt;
use crate::source::FileId;
use crate::syntax;
use crate::tool::{Offered, Tool};
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// How long a call may take where nobody says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
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
    /// What is passed on of other servers beside their tools.
    pub offered: Vec<Offered>,
    /// The queries that compiled and are no tools: views, and what is out of service.
    pub no_tools: HashSet<String>,
    /// By tool, the columns of tables whose values it shows.
    pub lineage: BTreeMap<String, Lineage>,
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

/// Compiles all queries of a project. `found` is what loading it had to say.
pub fn compile(project: &Project, found: Diagnostics) -> Compilation {
    on_a_deep_stack(|| {
        publish::publish(project, &analyze::analyze(project).behind(found.clone()), &analyze::compile_guest)
    })
}

/// Finds out what all files of a project mean, and what is wrong with them.
pub fn analyze(project: &Project) -> Analysis {
    on_a_deep_stack(|| analyze::analyze(project))
}

/// Makes tools of what was analysed of a project.
pub fn publish(project: &Project, analysis: &Analysis) -> Compilation {
    on_a_deep_stack(|| publish::publish(project, analysis, &analyze::compile_guest))
}

/// What the stages made of the query of that name, as text. `None` where it was not linked.
pub fn evidence(project: &Project, analysis: &Analysis, name: &str) -> Option<Evidence> {
    on_a_deep_stack(|| evidence::of_query(project, analysis, name))
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
    // The rows of some sources are a caller's: that they are asked for here is told as such.
    let is_of_callers = |table: &String| project.file.caller_source(table).is_some() || project.file.is_policied(table);
    let may_be_read = |of: &UnreadValues| !of.tables.iter().any(is_of_callers);
    project.queries.iter().flat_map(of_file).filter(may_be_read).collect()
}

/// Analyses and publishes a project whose text is nobody's yet, such as an agent's: never on a smaller stack than that which
/// bounds what is read. `None` where there is no thread to be had.
pub fn compile_apart(project: &Project) -> Option<(Analysis, Compilation)> {
    on_its_own_stack(&|| {
        let analysis = analyze::analyze(project);
        let compilation = publish::publish(project, &analysis, &analyze::compile_guest);
        (analysis, compilation)
    })
}

/// Does what recurses over statements and plans.
fn on_a_deep_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    // No thread to be had: what fits on this stack still compiles.
    on_its_own_stack(&work).unwrap_or_else(|| stop::compiling(&work))
}

/// The same where there is a thread for it.
fn on_its_own_stack<T: Send>(work: &(impl Fn() -> T + Sync)) -> Option<T> {
    let work = || stop::compiling(work);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("compile".to_owned()).stack_size(STACK_SIZE);
        match thread.spawn_scoped(scope, work).map(|handle| handle.join()) {
            Ok(Ok(done)) => Some(done),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    })
}
