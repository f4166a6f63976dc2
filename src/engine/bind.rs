//! Arguments → values: every argument checked and read as a value of its parameter's type.
//!
//! There is no way from an argument to SQL text: a value becomes a [`ScalarValue`], and [`plan`] puts that into the plan
//! that was made beforehand.

mod automatic;
mod identity;
mod idle;
mod lacking;
mod plan;
mod rows;
pub(super) mod schema;

pub use automatic::{automatic_argument, is_dry_run};
pub(super) use lacking::{is_lacking, refused_of_server};

use super::changed::Commit;
use super::consent::Consent;
use super::cursor::Position;
use super::deadline::Deadline;
use super::defaults::Defaults;
use super::error::{CallError, Detail};
use super::progress::Progress;
use super::questions::Questions;
use crate::engine::code::CallCode;
use crate::name::nearest;
use crate::project::{BoundFrom, TableFormat};
use crate::tool::{Contract, Parameter};
use crate::ty::Type;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName, is_visible, shortened};
use crate::ty::either;
use chrono::{DateTime, SubsecRound, Utc};
use datafusion::arrow::array::AsArray;
use datafusion::common::ScalarValue;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// What an agent sends: names and JSON values.
pub type Arguments = Map<String, Value>;

/// A call whose every argument is checked.
#[derive(Debug, Clone)]
pub struct BoundCall {
    /// Rows at most, and whether the tool's own limit was below what was asked for.
    pub limit: Option<u64>,
    /// How rows are written.
    pub format: TableFormat,
    /// What the agent should know of how its arguments were read.
    pub notes: Vec<String>,
    /// The moment of the call: what `now()` is in it; on a further page, that of the first.
    pub now: DateTime<Utc>,
    /// Rows before the page.
    pub skip: u64,
    /// Until when somebody waits for it, where that is known.
    pub(super) deadline: Option<Deadline>,
    /// Whether what would be changed is told, and nothing is changed.
    pub dry_run: bool,
    /// What tells the change of the call from others, where it is said.
    pub idempotency_key: Option<String>,
    /// Whether what it changes is being made to last.
    pub(super) commit: Commit,
    values: HashMap<String, Option<ScalarValue>>,
    /// The rows of lists of them.
    rows: HashMap<String, Vec<rows::Row>>,
    /// The parameters whose default is another one at every look.
    unsettled: HashSet<String>,
}

/// Who calls, and when: what bound parameters take their values from, and defaults that are SQL.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// Who it is, where callers say so: what a call takes counts for them.
    pub principal: Option<Arc<str>>,
    /// The claims of the token.
    pub claims: Map<String, Value>,
    /// The headers of the request, their names in lower case.
    pub headers: HashMap<String, String>,
    /// What the token is good for.
    pub scopes: BTreeSet<String>,
    /// What `now()` is; absent for the time of the clock.
    pub now: Option<DateTime<Utc>>,
    /// Whether what its calls change is taken back: who tests a tool changes nothing.
    pub tries_only: bool,
    /// What a person has said to what its call changes.
    pub consent: Consent,
    /// How far the call has come.
    pub progress: Progress,
    /// Where questions go that come up while it runs.
    pub questions: Questions,
}

impl Caller {
    /// The value that something is bound to; `None` where the call has none.
    pub(in crate::engine) fn value(&self, from: &BoundFrom) -> Option<Value> {
        match from {
            BoundFrom::Claim(path) => {
                let mut names = path.split('.');
                let first = self.claims.get(names.next()?)?;
                names.try_fold(first, |value, name| value.get(name)).cloned()
            }
            BoundFrom::Header(name) => self.headers.get(&name.to_lowercase()).cloned().map(Value::String),
            BoundFrom::Env(name) => std::env::var(name).ok().map(Value::String),
            BoundFrom::Fixed(value) => Some(value.clone()),
            BoundFrom::Default => None,
            BoundFrom::Scopes(all) => Some(all.iter().all(|scope| self.scopes.contains(scope)).into()),
        }
        .filter(|value| !value.is_null())
    }
}

/// The most bytes that the arguments of a call may have: texts and names, and eight at least for every value. So there are
/// 131,072 items at most, however short: each takes its time in every step of planning.
const MAX_ARGUMENTS: usize = 1 << 20;

fn argument_size(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len().max(8),
        Value::Array(items) => items.iter().map(argument_size).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + argument_size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

impl BoundCall {
    /// A call with these values that is made for another one, and has its time: all rows are wanted.
    pub(super) fn within(outer: &BoundCall, values: HashMap<String, Option<ScalarValue>>) -> BoundCall {
        BoundCall {
            limit: None,
            format: TableFormat::Structured,
            notes: Vec::new(),
            now: outer.now,
            skip: 0,
            deadline: outer.deadline,
            dry_run: false,
            idempotency_key: None,
            commit: Commit::default(),
            values,
            rows: HashMap::new(),
            unsettled: HashSet::new(),
        }
    }
}

/// Checks the arguments of a call. All that is wrong with them is in the one error.
pub fn bind(
    tool: &Contract,
    arguments: &Arguments,
    caller: &Caller,
    defaults: &Defaults,
    page: Result<Option<Position>, CallError>,
) -> Result<BoundCall, CallError> {
    if arguments.iter().map(|(name, value)| name.len() + argument_size(value)).sum::<usize>() > MAX_ARGUMENTS {
        let message = format!("the arguments are larger than {} KiB", MAX_ARGUMENTS >> 10);
        let error = CallError::new(CallCode::ArgumentsTooLarge, message);
        return Err(
            error.hint("every item of a list counts as 8 bytes at least; send fewer items in each of several calls")
        );
    }
    let strictness = if tool.strict { Strictness::Strict } else { Strictness::Lax };
    let time_zone = &defaults.time_zone;
    let coercion = Coercion { strictness, time_zone: time_zone.clone() };
    let mut errors = unknown_arguments(tool, arguments);
    let page = page.unwrap_or_else(|error| {
        errors.push(error);
        None
    });
    let now = page.map(|page| page.now).or(caller.now).unwrap_or_else(Utc::now);
    // As exact as a cursor keeps it.
    let now = now.trunc_subsecs(6);
    let mut call = BoundCall {
        limit: tool.result_limit.rows(),
        format: tool.table_format,
        notes: Vec::new(),
        now,
        skip: page.map_or(0, |page| page.skip),
        deadline: None,
        dry_run: false,
        idempotency_key: None,
        commit: Commit::default(),
        values: HashMap::new(),
        rows: HashMap::new(),
        unsettled: HashSet::new(),
    };
    errors.extend(read_parameters(tool, arguments, caller, (&coercion, defaults), &mut call));
    // Who may not call at all is told nothing else.
    if let Some(at) = errors.iter().position(|error| error.code == CallCode::NotPermitted) {
        return Err(errors.swap_remove(at));
    }
    automatic::read_limit(tool, arguments, &coercion, &mut call).unwrap_or_else(|error| errors.push(error));
    automatic::read_format(tool, arguments, &mut call).unwrap_or_else(|error| errors.push(error));
    automatic::read_of_changes(tool, arguments, (&coercion, caller), &mut call)
        .unwrap_or_else(|error| errors.push(error));
    CallError::all(errors).map_or(Ok(call), Err)
}

/// Reads the values of all parameters: those that are sent, those of the caller, and defaults.
fn read_parameters(
    tool: &Contract,
    arguments: &Arguments,
    caller: &Caller,
    (coercion, defaults): (&Coercion, &Defaults),
    call: &mut BoundCall,
) -> Vec<CallError> {
    let (mut errors, now, strictness) = (Vec::new(), call.now, coercion.strictness);
    for parameter in tool.parameters() {
        if parameter.is_list_of_rows() {
            match rows::rows_of_argument(parameter, arguments.get(&parameter.name), coercion, (defaults, now)) {
                Ok(rows) => drop(call.rows.insert(parameter.name.clone(), rows)),
                Err(wrong) => errors.extend(wrong),
            }
            continue;
        }
        let value = match &parameter.from {
            // Whatever was sent is refused above.
            Some(BoundFrom::Default) => {
                value_of_argument(parameter, None, coercion, &|| defaults.value(parameter, now))
            }
            Some(from) => value_of_caller(parameter, from, caller, &defaults.time_zone),
            None => {
                let sent =
                    arguments.get(&parameter.name).map(|sent| read_null(parameter, sent, &mut call.notes, strictness));
                value_of_argument(parameter, sent, coercion, &|| defaults.value(parameter, now))
            }
        };
        match value {
            Ok(value) => {
                if is_unsent(parameter, arguments, strictness) && defaults.is_volatile(parameter) {
                    call.unsettled.insert(parameter.name.clone());
                }
                call.values.insert(parameter.name.clone(), value);
            }
            Err(error) => errors.push(error),
        }
    }
    errors
}

/// Whether the value of a parameter is its default, if it has one.
fn is_unsent(parameter: &Parameter, arguments: &Arguments, strictness: Strictness) -> bool {
    let sent = arguments.get(&parameter.name);
    match &parameter.from {
        None => sent.is_none_or(|sent| is_null(parameter, sent, strictness)),
        Some(from) => *from == BoundFrom::Default,
    }
}

fn unknown_arguments(tool: &Contract, arguments: &Arguments) -> Vec<CallError> {
    // What is bound to the caller is nothing that an agent could know.
    let mut known: Vec<&str> = tool.published().map(|parameter| parameter.name.as_str()).collect();
    known.extend(tool.expose.iter().map(|parameter| parameter.as_str()));
    arguments
        .keys()
        .filter(|name| !known.contains(&name.as_str()))
        .take(MAX_UNKNOWN)
        .map(|name| {
            let shown = shown_name(name);
            let error = CallError::about(CallCode::UnknownArgument, &shown, format!("there is no parameter `{shown}`"));
            match nearest(&shown, known.iter().copied()) {
                Some(near) => error.hint(format!("did you mean `{near}`?")),
                None if known.is_empty() => error.hint("the tool takes no arguments"),
                None => error.hint(format!("the parameters are {}", known.join(", "))),
            }
        })
        .collect()
}

/// More misspelt names than that are not told one by one.
const MAX_UNKNOWN: usize = 10;

/// A name as an agent sent it: cut, and without what could start a line of its own.
fn shown_name(name: &str) -> String {
    let clean = |c: char| if is_visible(c) { c } else { '\u{fffd}' };
    let cut: String = name.chars().take(60).map(clean).collect();
    if name.chars().count() > 60 { cut + "…" } else { cut }
}

/// The value of a parameter that is bound to the caller. What is missing is told to the log: it is not the agent's affair.
fn value_of_caller(
    parameter: &Parameter,
    from: &BoundFrom,
    caller: &Caller,
    time_zone: &TimeZoneName,
) -> Result<Option<ScalarValue>, CallError> {
    let called = match parameter.setting() {
        Some((source, setting)) => format!("setting `{setting}` of source `{source}`"),
        None => format!("parameter `{}`", parameter.name),
    };
    let refused = |why: &str| CallError {
        detail: Some(Detail::Own(format!("{called} is bound to `{from}`, which {why}"))),
        ..CallError::new(CallCode::NotPermitted, "the caller may not use this tool")
    };
    let missing = match from {
        BoundFrom::Header(_) => "the call does not have, or has more than once",
        _ => "the call does not have",
    };
    let value = match caller.value(from) {
        Some(value) => value,
        // Who has not what a policy asks for sees nothing of its table, and may have the rest; the result says so.
        None if parameter.policy().is_some() => return Ok(None),
        None => return Err(refused(missing)),
    };
    let value = either::as_text(&parameter.also, &value).map_or(value, Value::String);
    let coercion = Coercion { strictness: Strictness::Lax, time_zone: time_zone.clone() };
    let read = parameter.ty.coerce(&value, &coercion).map_err(|_| refused("has no value of its type"))?;
    if parameter.setting().is_some() && matches!(&read, ScalarValue::Utf8(Some(text)) if text.contains('\0')) {
        return Err(refused("has a NUL in it, and no setting can"));
    }
    parameter
        .constraints
        .check(&parameter.ty, &value, &coercion)
        .map_err(|_| refused("has no value that is allowed"))?;
    Ok(Some(read))
}

/// Whether an argument is that of no value: null, or the text of it, which models write where they mean null. In strict
/// mode that is a text, and everywhere one that is listed as a value.
pub fn is_null(parameter: &Parameter, sent: &Value, strictness: Strictness) -> bool {
    let is_value = || {
        let listed = parameter.constraints.allowed_values.iter().flatten().any(|one| one == NULL);
        listed || parameter.choices.iter().any(|choice| choice.key == NULL)
    };
    match sent {
        Value::Null => true,
        Value::String(text) => text == NULL && !parameter.required && strictness == Strictness::Lax && !is_value(),
        _ => false,
    }
}

/// What models write for null.
const NULL: &str = "null";

/// What was sent, or null where that was meant. Of a text it is told: it might have been one.
fn read_null<'a>(parameter: &Parameter, sent: &'a Value, notes: &mut Vec<String>, strictness: Strictness) -> &'a Value {
    if !is_null(parameter, sent, strictness) {
        return sent;
    }
    if !sent.is_null() && parameter.ty == Type::Text && parameter.choices.is_empty() {
        notes.push(format!("`{}` was read as null, not as the text \"null\"", parameter.name));
    }
    &Value::Null
}

/// The value of one parameter; `None` is NULL, or a clause left out.
fn value_of_argument(
    parameter: &Parameter,
    sent: Option<&Value>,
    coercion: &Coercion,
    default: &dyn Fn() -> Option<Result<Option<ScalarValue>, CallError>>,
) -> Result<Option<ScalarValue>, CallError> {
    let name = parameter.name.as_str();
    let sent = match sent {
        // An explicit null for an optional parameter is the same as leaving it out.
        None | Some(Value::Null) => match default() {
            Some(default) => return default,
            None if !parameter.required => return Ok(None),
            None if sent.is_none() => {
                let message = format!("the argument `{name}` is required");
                let error = CallError::about(CallCode::MissingArgument, name, message).allowed(accepted(parameter));
                let expected = match error.allowed.is_empty() {
                    true => either::expected_types(parameter.ty.expectation(), &parameter.also),
                    false => "one of the allowed values".to_owned(),
                };
                return Err(CallError { expected: Some(expected), ..error });
            }
            None => &Value::Null,
        },
        Some(sent) => sent,
    };
    let text = either::as_text(&parameter.also, sent).map(Value::String);
    let sent = text.as_ref().unwrap_or(sent);
    let read = parameter.ty.coerce(sent, coercion).map_err(|mismatch| {
        if let Some(repeated) = &mismatch.repeated {
            return CallError::repeated(name, &shown_name(repeated));
        }
        let expected = either::expected_types(mismatch.expected, &parameter.also);
        let message = format!("the argument `{name}{}` must be {expected}, got {}", mismatch.path, mismatch.got);
        CallError::about(CallCode::InvalidArgument, name, message).expected(expected, mismatch.got)
    })?;
    parameter.constraints.check(&parameter.ty, sent, coercion).map_err(|violation| {
        let got = violation.item.as_ref().map_or_else(|| shortened(sent), shortened);
        let message = format!("the argument `{name}{}` must be {}, got {got}", violation.path, violation.expected);
        let error = CallError::about(CallCode::InvalidArgument, name, message)
            .expected(violation.expected, got)
            .allowed(violation.allowed);
        match (violation.nearest, violation.flaw) {
            (Some(near), _) => error.hint(format!("did you mean `{near}`?")),
            (None, Some(flaw)) => {
                error.hint(format!("correct it: {flaw}; a character that stands for itself is escaped, as in `\\(`"))
            }
            (None, None) => error,
        }
    })?;
    Ok(Some(read))
}

/// The values that a parameter accepts, where they are listed.
fn accepted(parameter: &Parameter) -> Vec<Value> {
    match &parameter.constraints.allowed_values {
        Some(values) => values.clone(),
        None => parameter.choices.iter().map(|choice| Value::from(choice.key.as_str())).collect(),
    }
}

impl BoundCall {
    /// The value of `$n`, counted from 0.
    pub fn slot(&self, tool: &Contract, at: usize) -> Option<&ScalarValue> {
        self.value(&tool.slot(at)?.parameter)
    }

    /// The value of a parameter that is a text.
    pub fn text(&self, name: &str) -> Option<String> {
        self.value(name)?.try_as_str().flatten().map(str::to_owned)
    }

    /// Whether a parameter is true.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.value(name) == Some(&ScalarValue::Boolean(Some(true)))
    }

    /// The values of a parameter that is a list of texts.
    pub(super) fn texts(&self, name: &str) -> Option<Vec<String>> {
        let ScalarValue::List(list) = self.value(name)? else { return None };
        let items = list.value(0);
        Some(items.as_string_opt::<i32>()?.iter().flatten().map(str::to_owned).collect())
    }

    /// The value of a parameter that is a boolean.
    pub(super) fn boolean(&self, name: &str) -> Option<bool> {
        match self.value(name)? {
            ScalarValue::Boolean(value) => *value,
            _ => None,
        }
    }

    /// The value of a parameter; `None` where it is NULL, or a clause left out.
    pub(super) fn value(&self, name: &str) -> Option<&ScalarValue> {
        self.values.get(name).and_then(Option::as_ref)
    }
}
