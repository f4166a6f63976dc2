//! Calls that a server of revision 2026-07-28 answers with questions (SEP-2322): they are answered, and the call is made again with
//! the answers.

use super::client::{form_answer, params};
use super::failure::Failure;
use super::question::{PassedOn, Question, QuestionKind};
use super::watch::Watch;
use rmcp::model::{CallToolRequest, InputRequest, InputRequiredResult, InputResponses};
use serde_json::Value;

/// How often a call is made again.
pub(super) const MOST_ROUNDS: usize = 10;
/// How many questions there are at a time.
const MOST_QUESTIONS: usize = 16;

/// The call with the answers to what is asked.
///
/// Errors: something is asked for which there is no way to decline.
pub(super) async fn answered(
    request: &CallToolRequest,
    wanted: InputRequiredResult,
    (passed_on, watch): (PassedOn, &dyn Watch),
) -> Result<CallToolRequest, Failure> {
    let questions = wanted.input_requests.unwrap_or_default();
    if questions.len() > MOST_QUESTIONS {
        return Err(Failure::Protocol(format!("it asks {} questions at once", questions.len())));
    }
    let mut answers = InputResponses::new();
    for (key, question) in questions {
        answers.insert(key, answer(question, passed_on, watch).await?);
    }
    let mut again = request.clone();
    again.params.input_responses = (!answers.is_empty()).then_some(answers);
    again.params.request_state = wanted.request_state;
    Ok(again)
}

async fn answer(question: InputRequest, passed_on: PassedOn, watch: &dyn Watch) -> Result<Value, Failure> {
    let (kind, params) = match &question {
        InputRequest::Elicitation(request) => (QuestionKind::Form, params(&request.params)),
        InputRequest::CreateMessage(request) => (QuestionKind::Sample, params(&request.params)),
        _ => return Err(Failure::Protocol("it asks for roots, which are not offered".to_owned())),
    };
    // A page somewhere else is nothing that was said to be passed on.
    let is_form = kind != QuestionKind::Form || params.contains_key("requestedSchema");
    let answer = match is_form && passed_on.takes(kind) {
        true => watch.ask(Question { kind, params: params.clone() }).await,
        false => None,
    };
    match kind {
        // A "no" is an answer, too.
        QuestionKind::Form => Ok(serde_json::to_value(form_answer(&params, answer)).unwrap_or_default()),
        QuestionKind::Sample => answer.ok_or_else(|| Failure::Protocol("it was given no sample of a model".to_owned())),
    }
}
