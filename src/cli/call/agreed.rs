//! Calls of tools whose changes a person must agree to: the one at the terminal.

use crate::cli::{Outcome, question, terminal};
use crate::engine::bind::{Arguments, Caller, is_dry_run};
use crate::engine::error::CallError;
use crate::engine::result::CallResult;
use crate::engine::{Consent, Engine};
use crate::tool::Contract;
use std::io::{IsTerminal, stderr, stdin};

/// What is said where nobody can be asked.
const HELP: &str = "`--yes` agrees to what the call changes";

/// Calls a tool, and asks before it changes what a person must agree to.
///
/// Errors: nobody is there to be asked, or they do not agree.
pub(super) async fn call(
    engine: &Engine,
    tool: &Contract,
    arguments: &Arguments,
    (caller, yes): (Caller, bool),
) -> Result<Result<CallResult, CallError>, Outcome> {
    let asks = tool.changes.as_ref().is_some_and(|changes| changes.confirm) && !is_dry_run(tool, arguments);
    if !asks || yes {
        let consent = if yes { Consent::Waived } else { Consent::None };
        return Ok(engine.call_as(&tool.name, arguments, &Caller { consent, ..caller }).await);
    }
    if !stdin().is_terminal() || !stderr().is_terminal() {
        terminal::error(&format!("a person must agree to what `{}` changes, and nobody is there", tool.name), &[HELP]);
        return Err(Outcome::CouldNotRun);
    }
    let sought = Caller { consent: Consent::Sought, ..caller.clone() };
    let tried = match engine.call_as(&tool.name, arguments, &sought).await {
        Ok(tried) => tried,
        Err(error) => return Ok(Err(error)),
    };
    let Some(changed) = tried.changed.as_deref().filter(|changed| changed.is_dry) else { return Ok(Ok(tried)) };
    if changed.rows > 0 {
        terminal::err(&changed.preview(&tool.name, arguments));
        if question::confirm("Change that?", HELP)? != Some(true) {
            terminal::error("nothing was changed", &[]);
            return Err(Outcome::CouldNotRun);
        }
    }
    let given = Caller { consent: Consent::Given(changed.fingerprint()), ..caller };
    Ok(engine.call_as(&tool.name, arguments, &given).await)
}
