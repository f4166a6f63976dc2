//! Whether a caller has all that the values of a tool are bound to, before there are arguments.

use super::Caller;
use crate::engine::code::CallCode;
use crate::engine::error::{CallError, Detail};
use crate::project::BoundFrom;
use crate::tool::Tool;

/// Whether a call of this caller is refused whatever its arguments are: it has not what something is bound to.
pub(in crate::engine) fn is_lacking(tool: &Tool, caller: &Caller) -> bool {
    // Without what a policy asks for, there are no rows of its table, and there may be others.
    let own = tool.contract.parameters().iter().filter(|parameter| parameter.policy().is_none());
    let mut own = own.filter_map(|parameter| parameter.from.as_ref());
    own.any(|from| is_missing(from, caller)) || refused_of_server(tool, caller).is_some()
}

/// Why a call of a tool of another server is refused whatever its arguments are: that is told before what is wrong with them.
pub(in crate::engine) fn refused_of_server(tool: &Tool, caller: &Caller) -> Option<CallError> {
    tool.upstream()?.arguments.iter().find_map(|argument| {
        let from = argument.from.as_ref().filter(|from| is_missing(from, caller))?;
        let why = format!("parameter `{}` is bound to `{from}`, which the call does not have", argument.name);
        let error = CallError::new(CallCode::NotPermitted, "the caller may not use this tool");
        Some(CallError { detail: Some(Detail::Own(why)), ..error })
    })
}

/// Whether a value comes from a caller who has none. A default is nothing that a caller has.
fn is_missing(from: &BoundFrom, caller: &Caller) -> bool {
    *from != BoundFrom::Default && caller.value(from).is_none()
}
