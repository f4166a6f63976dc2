//! The parameters that qtool adds to a tool: how many rows, how they are written, and what becomes of a change.

use super::{Arguments, BoundCall, Caller, NULL};
use crate::engine::code::CallCode;
use crate::engine::consent::Consent;
use crate::engine::error::CallError;
use crate::name::nearest;
use crate::project::{AutomaticParameter, TableFormat};
use crate::tool::Contract;
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, shortened};
use datafusion::common::ScalarValue;
use serde_json::Value;

/// What was sent for a parameter that qtool adds; none where it is not exposed, or null.
pub fn automatic_argument<'a>(
    tool: &Contract,
    parameter: AutomaticParameter,
    arguments: &'a Arguments,
) -> Option<&'a Value> {
    let sent = arguments.get(parameter.as_str()).filter(|_| tool.expose.contains(&parameter))?;
    let is_null = sent.is_null() || (!tool.strict && sent == NULL);
    (!is_null).then_some(sent)
}

pub(super) fn read_limit(
    tool: &Contract,
    arguments: &Arguments,
    coercion: &Coercion,
    call: &mut BoundCall,
) -> Result<(), CallError> {
    let asked = match automatic_argument(tool, AutomaticParameter::Limit, arguments) {
        Some(sent) => sent,
        None => {
            call.limit = tool.default_limit.or(call.limit);
            return Ok(());
        }
    };
    let rows = match Type::Bigint.coerce(asked, coercion) {
        Ok(ScalarValue::Int64(Some(rows))) if rows > 0 => rows as u64,
        _ => {
            let expected = match tool.result_limit.rows() {
                Some(most) => format!("an integer from 1 to {most}"),
                None => "an integer of at least 1".to_owned(),
            };
            let got = shortened(asked);
            let message = format!("the argument `limit` must be {expected}, got {got}");
            return Err(CallError::about(CallCode::InvalidArgument, "limit", message).expected(expected, got));
        }
    };
    call.limit = match tool.result_limit.rows() {
        // What is published is enforced.
        Some(most) if rows > most && tool.strict => {
            let expected = format!("an integer from 1 to {most}");
            let got = shortened(asked);
            let message = format!("the argument `limit` must be {expected}, got {got}");
            return Err(CallError::about(CallCode::InvalidArgument, "limit", message).expected(expected, got));
        }
        Some(most) if rows > most => {
            call.notes.push(format!("limit {rows} is more than the tool returns; capped at {most}"));
            Some(most)
        }
        _ => Some(rows),
    };
    Ok(())
}

pub(super) fn read_format(tool: &Contract, arguments: &Arguments, call: &mut BoundCall) -> Result<(), CallError> {
    let Some(sent) = automatic_argument(tool, AutomaticParameter::TableFormat, arguments) else { return Ok(()) };
    match sent.as_str().and_then(TableFormat::parse) {
        Some(format) => {
            call.format = format;
            Ok(())
        }
        None => {
            let names = TableFormat::ALL.map(TableFormat::as_str);
            let got = shortened(sent);
            let message = format!("the argument `table_format` must be one of {}, got {got}", names.join(", "));
            let error = CallError::about(CallCode::InvalidArgument, "table_format", message)
                .expected("one of the allowed values", got)
                .allowed(names.iter().map(|name| Value::from(*name)).collect());
            let near = sent.as_str().and_then(|sent| nearest(sent, names));
            Err(match near {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None => error,
            })
        }
    }
}

/// The longest key of a change, in characters.
const LONGEST_KEY: usize = 255;

/// What tells the change of a call from others.
fn read_key(tool: &Contract, arguments: &Arguments) -> Result<Option<String>, CallError> {
    let Some(sent) = automatic_argument(tool, AutomaticParameter::IdempotencyKey, arguments) else { return Ok(None) };
    match sent.as_str().filter(|key| !key.is_empty() && key.chars().count() <= LONGEST_KEY) {
        Some(key) => Ok(Some(key.to_owned())),
        None => {
            let (expected, got) = (format!("a text of 1 to {LONGEST_KEY} characters"), shortened(sent));
            let message = format!("the argument `idempotency_key` must be {expected}, got {got}");
            Err(CallError::about(CallCode::InvalidArgument, "idempotency_key", message).expected(expected, got))
        }
    }
}

/// What a call says of its changes.
pub(super) fn read_of_changes(
    tool: &Contract,
    arguments: &Arguments,
    (coercion, caller): (&Coercion, &Caller),
    call: &mut BoundCall,
) -> Result<(), CallError> {
    let (dry_run, key) = (read_dry_run(tool, arguments, coercion), read_key(tool, arguments));
    let errors: Vec<CallError> = [dry_run.as_ref().err(), key.as_ref().err()].into_iter().flatten().cloned().collect();
    if let Some(error) = CallError::all(errors) {
        return Err(error);
    }
    (call.dry_run, call.idempotency_key) = (dry_run? || caller.tries_only || caller.consent == Consent::Sought, key?);
    Ok(())
}

/// Whether the arguments of a call say that it only tries what it would change.
pub fn is_dry_run(tool: &Contract, arguments: &Arguments) -> bool {
    let strictness = if tool.strict { Strictness::Strict } else { Strictness::Lax };
    let coercion = Coercion { strictness, ..Coercion::default() };
    read_dry_run(tool, arguments, &coercion).unwrap_or(false)
}

/// Whether a call only tries what it would change.
fn read_dry_run(tool: &Contract, arguments: &Arguments, coercion: &Coercion) -> Result<bool, CallError> {
    let Some(sent) = automatic_argument(tool, AutomaticParameter::DryRun, arguments) else { return Ok(false) };
    match Type::Boolean.coerce(sent, coercion) {
        Ok(ScalarValue::Boolean(Some(dry_run))) => Ok(dry_run),
        _ => {
            let (expected, got) = ("true or false", shortened(sent));
            let message = format!("the argument `dry_run` must be {expected}, got {got}");
            Err(CallError::about(CallCode::InvalidArgument, "dry_run", message).expected(expected, got))
        }
    }
}
