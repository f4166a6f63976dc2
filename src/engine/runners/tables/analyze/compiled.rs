//! SQL of an agent, compiled: exactly one SELECT, without placeholders and settings, that calls functions of a list.

use super::project::project_of_guest;
use super::refused::{refused, told_diagnostics};
use crate::compile::{Analysis, compile_apart};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::code::CallCode;
use crate::engine::core::Core;
use crate::engine::error::CallError;
use crate::name::shown_name;
use crate::plan::functions;
use crate::project::Project;
use crate::syntax::ParsedQuery;
use crate::tool::{TableSet, Tool};

/// What begins the settings of a query file.
const HEADER: &str = "/*---";

/// The tool that the SQL would be.
///
/// Errors: `invalid-argument` with all that is wrong with it; `busy` where it cannot be compiled at the moment.
pub(super) fn compile_guest(core: &Core, set: &TableSet, sql: &str) -> Result<Tool, CallError> {
    // Settings are an author's: where it runs, how many rows it gives, who may call it.
    if sql.contains(HEADER) {
        return Err(refused("a comment begins with `/*---`, which opens the settings of a file").hint("leave it out"));
    }
    let (project, name) = project_of_guest(core, set, sql)?;
    let Some((analysis, compilation)) = compile_apart(&project) else {
        return Err(CallError::new(CallCode::Busy, "there are too many calls at once").hint("try again in a moment"));
    };
    if let Some(query) = written(&analysis) {
        check_placeholders(query)?;
        check_functions(query)?;
    }
    let errors: Vec<&Diagnostic> =
        compilation.diagnostics.iter().filter(|one| one.severity == Severity::Error).collect();
    if !errors.is_empty() {
        return Err(told_diagnostics(&errors, &project, (set, written(&analysis))));
    }
    let tool = compilation.tools.into_iter().find(|tool| tool.contract.name == name);
    let tool = tool.filter(|tool| tool.contract.parameters().is_empty() && tool.source().is_none());
    let mut tool = tool.ok_or_else(|| nothing(&project))?;
    // The order of the rows is the SELECT's own: there are no pages.
    tool.contract.expose.clear();
    Ok(tool)
}

fn nothing(project: &Project) -> CallError {
    CallError::internal(format!("{} queries became no tool, without an error", project.queries.len()))
}

/// What was read of the text.
fn written(analysis: &Analysis) -> Option<&ParsedQuery> {
    analysis.queries.first()?.reached.parsed()
}

/// An agent writes values, and no parameters: nobody would send their values.
fn check_placeholders(query: &ParsedQuery) -> Result<(), CallError> {
    match query.placeholders.first() {
        Some(one) => {
            let name = shown_name(&one.name.value);
            Err(refused(format!("`<< {name} >>` stands for a value that nobody sends")).hint("write the value itself"))
        }
        None => Ok(()),
    }
}

/// The functions are those that guests may call. One that is not there at all is told with the nearest, later.
fn check_functions(query: &ParsedQuery) -> Result<(), CallError> {
    let called = query.functions.iter().chain(&query.table_functions);
    let known = functions::all();
    match called.map(|name| name.value.as_str()).find(|name| known.is_kept_from_guests(name)) {
        Some(name) => {
            let why = format!("the function `{}` cannot be called here", shown_name(name));
            Err(refused(why).hint("write the SELECT without it"))
        }
        None => Ok(()),
    }
}
