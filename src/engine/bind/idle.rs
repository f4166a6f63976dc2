//! Arguments that were sent and do nothing, because all of their optional clauses lack another one.

use super::{Arguments, BoundCall};
use crate::engine::code::CallCode;
use crate::engine::defaults::Defaults;
use crate::engine::error::CallError;
use crate::tool::Contract;

impl BoundCall {
    /// Checks that every argument does something. A default that is sent is the same as none.
    ///
    /// Errors: `missing-argument` for each that does nothing, with what it lacks.
    pub fn check_clauses(&self, tool: &Contract, arguments: &Arguments, defaults: &Defaults) -> Result<(), CallError> {
        let clauses = &tool.clauses;
        if clauses.is_empty() {
            return Ok(());
        }
        let idle = clauses.idle(|name| self.value(name).is_some());
        let sent = idle.filter(|(name, _)| arguments.contains_key(*name) && !self.is_default(tool, name, defaults));
        let errors = sent.map(|(name, ways)| idle_argument(tool, name, &ways)).collect();
        CallError::all(errors).map_or(Ok(()), Err)
    }

    fn is_default(&self, tool: &Contract, name: &str, defaults: &Defaults) -> bool {
        let default = tool.parameter(name).and_then(|parameter| defaults.value(parameter, self.now));
        matches!(default, Some(Ok(default)) if default.as_ref() == self.value(name))
    }
}

/// An argument that does nothing without others: all of one list.
fn idle_argument(tool: &Contract, name: &str, ways: &[Vec<&str>]) -> CallError {
    let all = |way: &Vec<&str>| way.iter().map(|one| format!("`{one}`")).collect::<Vec<_>>().join(" and ");
    let lists: Vec<String> = ways.iter().map(all).collect();
    let message = format!("the argument `{name}` does nothing without {}", lists.join(", or "));
    let first = ways.iter().flatten().next().copied().unwrap_or(name);
    let error = CallError::about(CallCode::MissingArgument, first, message);
    let expected = tool.parameter(first).map(|parameter| parameter.ty.expectation());
    let send = if lists.len() == 1 { lists.concat() } else { "what is missing".to_owned() };
    CallError { expected, ..error }.hint(format!("send {send} as well, or leave out `{name}`"))
}
