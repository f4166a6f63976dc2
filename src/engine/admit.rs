//! What a call must pass before anything runs: its arguments fit the contract, whatever the body of the tool is, and it is
//! the call that its cursor was made for.

mod identity;

use super::bind::{Arguments, BoundCall, Caller, automatic_argument, bind, refused_of_server};
use super::code::CallCode;
use super::core::Core;
use super::cursor::{Position, Sent};
use super::error::CallError;
use super::prepared::Prepared;
use super::runners::Order;
use crate::project::AutomaticParameter;
use crate::tool::{Contract, Tool};
use crate::ty::coerce::shortened;
use serde_json::Value;
use std::sync::Arc;

/// A call whose arguments are checked, with all that running it takes.
pub(super) struct Admitted {
    pub core: Arc<Core>,
    pub prepared: Arc<Prepared>,
    pub tool: Arc<Tool>,
    pub arguments: Arguments,
    pub caller: Caller,
    pub call: BoundCall,
    /// The page that it asks for; `None` for the first.
    page: Option<Position>,
}

impl Admitted {
    /// Checks a call.
    ///
    /// Errors: what is wrong with the arguments, each by itself or all together, and `not-permitted` where the caller lacks
    /// what a parameter is bound to.
    pub(super) fn new(
        core: &Arc<Core>,
        prepared: &Arc<Prepared>,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Result<Admitted, CallError> {
        let admitted = Admitted::bound(core, prepared, arguments, caller)?;
        let plans = prepared.plans(core)?;
        let (contract, call) = (&admitted.tool.contract, &admitted.call);
        call.check_clauses(contract, arguments, &plans.defaults)?;
        call.check_rules(contract, &plans.rules, &plans.defaults)?;
        plans.schema.as_ref().map_or(Ok(()), |schema| schema.check(contract, arguments))?;
        Ok(admitted)
    }

    /// Checks each argument by itself, and the cursor: enough to know which call it is.
    pub(super) fn bound(
        core: &Arc<Core>,
        prepared: &Arc<Prepared>,
        arguments: &Arguments,
        caller: &Caller,
    ) -> Result<Admitted, CallError> {
        let tool = prepared.tool();
        let contract = &tool.contract;
        refused_of_server(&tool, caller).map_or(Ok(()), Err)?;
        let defaults = &prepared.plans(core)?.defaults;
        let sent = sent_cursor(contract, arguments);
        let at = sent.as_ref().map_err(Clone::clone).map(|sent| sent.as_ref().map(|sent| sent.at));
        let page = at.as_ref().ok().copied().flatten();
        let call = match contract.schema() {
            // Its own arguments are checked against its schema.
            Some(_) => bind(contract, &automatic_arguments(contract, arguments), caller, defaults, at)?,
            None => bind(contract, arguments, caller, defaults, at)?,
        };
        let (core, prepared) = (Arc::clone(core), Arc::clone(prepared));
        let (arguments, caller) = (arguments.clone(), caller.clone());
        let admitted = Admitted { core, prepared, tool, arguments, caller, call, page };
        match sent.ok().flatten() {
            Some(sent) if !admitted.is_of(&sent) => {
                Err(no_cursor(admitted.arguments.get("cursor").unwrap_or(&Value::Null)))
            }
            _ => Ok(admitted),
        }
    }

    /// What a runner is told of it.
    pub(super) fn order(&self) -> Order<'_> {
        let Admitted { call, arguments, caller, .. } = self;
        Order { contract: &self.tool.contract, call, arguments, caller }
    }

    /// Whether a cursor was made for this call.
    fn is_of(&self, sent: &Sent) -> bool {
        self.identity().is_some_and(|identity| sent.is_of(&self.core.key, &identity))
    }
}

/// The arguments that qtool adds.
fn automatic_arguments(contract: &Contract, arguments: &Arguments) -> Arguments {
    arguments
        .iter()
        .filter(|(name, _)| contract.is_automatic(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The cursor that a call was sent with; none for the first page.
fn sent_cursor(contract: &Contract, arguments: &Arguments) -> Result<Option<Sent>, CallError> {
    let Some(sent) = automatic_argument(contract, AutomaticParameter::Cursor, arguments) else { return Ok(None) };
    sent.as_str().and_then(Sent::read).map(Some).ok_or_else(|| no_cursor(sent))
}

fn no_cursor(sent: &Value) -> CallError {
    let message = "the argument `cursor` must be `next_cursor` of an earlier page of the same call";
    CallError::about(CallCode::InvalidArgument, "cursor", message)
        .expected("`next_cursor` of an earlier page", shortened(sent))
        .hint("send the arguments of that call again, or leave out `cursor` to begin anew")
}
