//! Whom a call counts for, and what those hear for whom there is no room.

use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use std::sync::Arc;

/// Whom a call counts for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::engine) enum Whose {
    /// Who has said so with a token.
    Principal(Arc<str>),
    /// Those who call a tool, where nobody says who they are.
    Tool(Arc<str>),
}

/// What those are told who are refused.
pub(in crate::engine) fn busy() -> CallError {
    CallError::new(CallCode::Busy, "too many calls are under way").hint("try again in a moment")
}
