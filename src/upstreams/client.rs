//! What this side is to a server: a client that offers nothing but what is said to be passed on. It has no roots.

#![expect(deprecated, reason = "samples are in the protocol until 2027-07-28 at least")]

use super::desk::Desk;
use super::question::{PassedOn, Question, QuestionKind};
use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult, ElicitRequestParams,
    ElicitResult, ElicitationAction, ElicitationCapability, ErrorCode, ErrorData, FormElicitationCapability,
    Implementation, ProtocolVersion, SamplingCapability,
};
use rmcp::service::{RequestContext, RoleClient};
use serde_json::{Map, Value};

/// A client that declines what servers ask of it, but for what is passed on.
pub(super) struct Client {
    passed_on: PassedOn,
    desk: Desk,
}

impl Client {
    /// Questions that are passed on are put on the desk.
    pub(super) fn new(passed_on: PassedOn, desk: Desk) -> Client {
        Client { passed_on, desk }
    }
}

fn declined() -> ErrorData {
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "this client does not offer that", None)
}

/// The parameters of a question, as they are sent on; without what is meant for this side alone.
pub(super) fn params(params: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(params) {
        Ok(Value::Object(mut params)) => {
            params.remove("_meta");
            params
        }
        _ => Map::new(),
    }
}

/// The answer to a form: one that is none of the protocol, or does not fit the form, is no answer.
pub(super) fn form_answer(params: &Map<String, Value>, answer: Option<Value>) -> ElicitResult {
    let Some(answer) = answer else { return ElicitResult::new(ElicitationAction::Decline) };
    let Ok(result) = serde_json::from_value::<ElicitResult>(answer) else {
        return ElicitResult::new(ElicitationAction::Cancel);
    };
    let fits = match (&result.action, params.get("requestedSchema")) {
        (ElicitationAction::Accept, Some(schema)) => {
            let content = result.content.clone().unwrap_or_else(|| Value::Object(Map::new()));
            jsonschema::validator_for(schema).is_ok_and(|validator| validator.is_valid(&content))
        }
        _ => true,
    };
    match (fits, result.action) {
        (false, _) => ElicitResult::new(ElicitationAction::Cancel),
        // What is said beside what was asked is not the server's.
        (true, ElicitationAction::Accept) => {
            let known = params.get("requestedSchema").and_then(|schema| schema.get("properties")?.as_object());
            let is_known = |name: &String| known.is_some_and(|known| known.contains_key(name));
            let mut content = result.content.unwrap_or_default();
            if let Some(fields) = content.as_object_mut() {
                fields.retain(|name, _| is_known(name));
            }
            ElicitResult::new(ElicitationAction::Accept).with_content(content)
        }
        (true, action) => ElicitResult::new(action),
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        let forms = || ElicitationCapability::new().with_form(FormElicitationCapability::new());
        capabilities.elicitation = self.passed_on.forms.then(forms);
        capabilities.sampling = self.passed_on.samples.then(SamplingCapability::default);
        ClientConfig::new(capabilities, Implementation::new("qtool", env!("CARGO_PKG_VERSION")))
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        // A page somewhere else is nothing that was said to be passed on.
        if !self.passed_on.forms || !matches!(request, ElicitRequestParams::FormElicitationParams { .. }) {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        }
        let params = params(&request);
        let answer = self.desk.ask(Question { kind: QuestionKind::Form, params: params.clone() }).await;
        Ok(form_answer(&params, answer))
    }

    async fn create_message(
        &self,
        request: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        if !self.passed_on.samples {
            return Err(declined());
        }
        let answer = self.desk.ask(Question { kind: QuestionKind::Sample, params: params(&request) }).await;
        let answer = answer.and_then(|answer| serde_json::from_value(answer).ok());
        answer.ok_or_else(|| ErrorData::new(ErrorCode::INVALID_REQUEST, "the request for a sample was declined", None))
    }

    // The library says that it has none, which is an answer.
    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<rmcp::model::ListRootsResult, ErrorData> {
        Err(declined())
    }
}
