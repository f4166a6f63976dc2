//! What was wrong with a conversation.

use super::expectation::{Expected, Published};
use super::transcript::{Broken, Call, Transcript};
use super::{Eval, plain_line};
use crate::name::shown_name;
use crate::tool::Tool;
use crate::ty::coerce::{Coercion, Strictness, TimeZoneName, shortened};
use serde::Serialize;

/// One thing that was wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// What kind: `not-called`, `refused`, `called`, `wrong-argument`, `too-many-calls` or `unfinished`.
    pub code: &'static str,
    /// The same for a person.
    pub message: String,
}

impl Failure {
    fn new(code: &'static str, message: String) -> Failure {
        Failure { code, message }
    }
}

/// Judges a conversation; nothing is wrong with one that passes.
///
/// A call that was answered with an error is none where a call is asked for, and one where none is.
pub fn judge(eval: &Eval, tools: &[Tool], time_zone: &TimeZoneName, transcript: &Transcript) -> Vec<Failure> {
    let mut failures = Vec::new();
    for tool in &eval.must_call {
        failures.extend(not_called(tool, &transcript.calls));
    }
    for tool in &eval.must_not_call {
        if let Some(call) = transcript.calls.iter().find(|call| call.tool == *tool) {
            let message = format!("`{tool}` was called, with {}", plain_line(&call.arguments.to_string(), 200));
            failures.push(Failure::new("called", message));
        }
    }
    for expected in &eval.arguments {
        if let Some(tool) = tools.iter().find(|tool| tool.contract.name == expected.tool) {
            failures.extend(wrong_arguments(expected, tool, time_zone, &transcript.calls));
        }
    }
    let count = transcript.calls.len() as u64;
    if let Some(most) = eval.max_calls.filter(|most| count > *most) {
        failures.push(Failure::new("too-many-calls", format!("{count} calls were made, {most} at most are expected")));
    }
    failures.extend(transcript.broken.and_then(|broken| unfinished(broken, eval)));
    failures
}

fn not_called(tool: &str, calls: &[Call]) -> Option<Failure> {
    let of_tool = || calls.iter().filter(|call| call.tool == tool);
    if of_tool().any(|call| call.error.is_none()) {
        return None;
    }
    if let Some(error) = of_tool().find_map(|call| call.error.as_deref()) {
        let message = format!("`{tool}` was called and refused: {}", plain_line(error, 200));
        return Some(Failure::new("refused", message));
    }
    let mut others: Vec<String> = Vec::new();
    for call in calls {
        let name = format!("`{}`", plain_line(&shown_name(&call.tool), 64));
        if !others.contains(&name) {
            others.push(name);
        }
    }
    let others = if others.is_empty() { "no tool was".to_owned() } else { format!("but {}", others.join(", ")) };
    Some(Failure::new("not-called", format!("`{tool}` was not called, {others}")))
}

/// What is wrong with the call that has most of what is expected.
fn wrong_arguments(expected: &Expected, tool: &Tool, time_zone: &TimeZoneName, calls: &[Call]) -> Vec<Failure> {
    let strictness = if tool.contract.strict { Strictness::Strict } else { Strictness::Lax };
    let coercion = Coercion { strictness, time_zone: time_zone.clone() };
    let wrong = |call: &Call| -> Vec<Failure> {
        let check = |(name, expectation): &(String, super::Expectation)| {
            let sent = call.arguments.get(name);
            let parameter = Published::of(tool, name)?;
            if expectation.is_met(&parameter, sent, &coercion) {
                return None;
            }
            let was = sent.map_or_else(|| "left out".to_owned(), shortened);
            let message = format!("`{}`: `{name}` was {was}, expected {expectation}", tool.contract.name);
            Some(Failure::new("wrong-argument", message))
        };
        expected.arguments.iter().filter_map(check).collect()
    };
    let answered = calls.iter().filter(|call| call.tool == tool.contract.name && call.error.is_none());
    answered.map(wrong).min_by_key(Vec::len).unwrap_or_default()
}

fn unfinished(broken: Broken, eval: &Eval) -> Option<Failure> {
    let message = match broken {
        Broken::Turns => format!("the model still called tools in its last answer, number {}", eval.max_turns),
        Broken::Calls => "the model made too many calls at once".to_owned(),
        Broken::CutOff => "the model's answer was cut off: it is longer than the server lets it be".to_owned(),
        // Who must not call anything may refuse.
        Broken::Refused if eval.must_call.is_empty() => return None,
        Broken::Refused => "the model refused to answer".to_owned(),
    };
    Some(Failure::new("unfinished", message))
}
