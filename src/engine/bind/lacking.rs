//! Whether a caller has all that the values of a tool are bound to, before there are arguments.

use super::Caller;
use crate::project::BoundFrom;
use crate::tool::Tool;

/// Whether a call of this caller is refused whatever its arguments are: it has not what something is bound to.
pub(in crate::engine) fn is_lacking(tool: &Tool, caller: &Caller) -> bool {
    // A default is nothing that a caller has; without what a policy asks for, there are no rows of its table.
    let own = tool.contract.parameters().iter().filter(|parameter| parameter.policy().is_none());
    let own = own.filter_map(|parameter| parameter.from.as_ref());
    let of_server = tool.upstream().into_iter().flat_map(|call| &call.arguments);
    let mut all = own.chain(of_server.filter_map(|argument| argument.from.as_ref()));
    all.any(|from| *from != BoundFrom::Default && caller.value(from).is_none())
}
