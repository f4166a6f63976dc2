//! Tools that ask a person for required arguments that are missing (`ask: true`), where the client can ask. What the person says is
//! checked as what an agent sends.

use super::Server;
use super::confirm::Reply;
use super::front::Arrived;
use super::open_question::put_form;
use super::state::{Published, Served};
use super::way::{Can, Way};
use crate::engine::bind::Arguments;
use crate::engine::code::CallCode;
use crate::engine::error::CallError;
use rmcp::RoleServer;
use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, InputRequest,
    InputRequests, InputRequiredResult,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};

/// The key of the question among those of a call.
const QUESTION: &str = "arguments";
/// What of a schema a form may say.
const OF_FORMS: [&str; 9] =
    ["type", "title", "description", "enum", "format", "minLength", "maxLength", "minimum", "maximum"];
/// The types that a form asks for.
const TYPES: [&str; 4] = ["string", "number", "integer", "boolean"];
/// The formats that a form knows.
const FORMATS: [&str; 4] = ["date", "date-time", "email", "uri"];

/// What came of asking for arguments.
pub(super) enum Filled {
    /// Nothing is missing, or nobody can be asked for it.
    AsTheyAre,
    /// The arguments with what a person has said.
    With(Arguments),
    /// The question that the client must answer first.
    Asks(InputRequiredResult),
}

impl Server {
    /// Asks for what is missing of the arguments of a call.
    ///
    /// Errors: the person does not say it, or there were too many calls.
    pub(super) async fn filled(
        &self,
        (served, published): (&Served, &Published),
        arrived: &Arrived<'_>,
        reply: &Reply,
        context: &RequestContext<RoleServer>,
    ) -> Result<Filled, CallError> {
        let Some(way) = Way::of(context, self.transport).filter(|_| Can::of(context).forms) else {
            return Ok(Filled::AsTheyAre);
        };
        let missing = missing(&published.tool.input_schema, arrived.arguments);
        let Some(form) = form(&published.tool.input_schema, &missing) else { return Ok(Filled::AsTheyAre) };
        // A person is not asked for a call that must fail whatever they say.
        let caller = self.caller(arrived, published);
        if !fits_so_far(&published.tool.input_schema, arrived.arguments)
            || served.engine.is_lacking(arrived.name, &caller)
        {
            return Ok(Filled::AsTheyAre);
        }
        // Whoever calls too often is told so, and nobody is asked.
        self.admit(arrived.arguments, arrived.principal)?;
        let asked = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message(arrived.name, &missing),
            requested_schema: form,
        };
        let answer = match way {
            Way::Result => match reply.responses.as_ref().and_then(|responses| responses.get(QUESTION)) {
                Some(answer) => serde_json::from_value::<ElicitResult>(answer.clone()).ok(),
                None => {
                    let request = InputRequest::Elicitation(ElicitRequest::new(asked));
                    let requests = InputRequests::from([(QUESTION.to_owned(), request)]);
                    return Ok(Filled::Asks(InputRequiredResult::from_input_requests(requests)));
                }
            },
            Way::Request(peer) => put_form(peer, asked).await,
        };
        match answer {
            Some(ElicitResult {
                action: ElicitationAction::Accept, content: Some(Value::Object(mut said)), ..
            }) => {
                let mut arguments = arrived.arguments.clone();
                for name in missing {
                    let value = said.remove(&name).filter(|value| !value.is_null());
                    arguments.extend(value.map(|value| (name, value)));
                }
                Ok(Filled::With(arguments))
            }
            _ => {
                let first = missing.first().map(String::as_str).unwrap_or_default();
                let error = CallError::about(
                    CallCode::MissingArgument,
                    first,
                    format!("the person who was asked for {} has not said it", listed(&missing)),
                );
                Err(error)
            }
        }
    }
}

/// The names of required arguments that are not there.
fn missing(schema: &Map<String, Value>, arguments: &Arguments) -> Vec<String> {
    let required = schema.get("required").and_then(Value::as_array);
    let names = required.into_iter().flatten().filter_map(Value::as_str);
    names.filter(|name| !arguments.contains_key(*name)).map(str::to_owned).collect()
}

/// Whether what is there of the arguments is as the tool takes it.
fn fits_so_far(schema: &Map<String, Value>, arguments: &Arguments) -> bool {
    let mut schema = schema.clone();
    for key in ["required", "dependentRequired", "minProperties"] {
        schema.remove(key);
    }
    let validator = jsonschema::validator_for(&Value::Object(schema));
    validator.is_ok_and(|validator| validator.is_valid(&Value::Object(arguments.clone())))
}

/// The form that asks for some arguments; `None` where there are none, or one of them is nothing that a form asks for.
fn form(schema: &Map<String, Value>, names: &[String]) -> Option<ElicitationSchema> {
    if names.is_empty() {
        return None;
    }
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let mut asked = Map::new();
    for name in names {
        let said = properties.get(name)?.as_object()?;
        let ty = said.get("type").and_then(Value::as_str).filter(|ty| TYPES.contains(ty))?;
        let mut field: Map<String, Value> = said
            .iter()
            .filter(|(key, _)| OF_FORMS.contains(&key.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let is_known = |format: &Value| format.as_str().is_some_and(|format| FORMATS.contains(&format));
        if field.get("format").is_some_and(|format| !is_known(format)) {
            field.remove("format");
        }
        if field.contains_key("enum") && ty != "string" {
            return None;
        }
        asked.insert(name.clone(), Value::Object(field));
    }
    serde_json::from_value(json!({"type": "object", "properties": asked, "required": names})).ok()
}

fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn message(tool: &str, missing: &[String]) -> String {
    format!("`{tool}` needs {}", listed(missing))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schema() -> Map<String, Value> {
        let schema = json!({"type": "object", "required": ["day", "carrier", "ids"], "properties": {
            "day": {"type": "string", "format": "date", "description": "The day", "pattern": "^2013"},
            "carrier": {"type": "string", "enum": ["AA", "UA"], "examples": ["AA"]},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "most": {"type": "integer"},
        }});
        schema.as_object().cloned().unwrap()
    }

    #[test]
    fn what_is_required_and_not_there_is_asked_for() {
        let schema = schema();
        let arguments = json!({"ids": [1]}).as_object().cloned().unwrap();
        let names = missing(&schema, &arguments);
        assert_eq!(names, ["day", "carrier"]);
        let form = serde_json::to_value(form(&schema, &names).unwrap()).unwrap();
        assert_eq!(form["required"], json!(["day", "carrier"]));
        assert_eq!(form["properties"]["day"], json!({"type": "string", "format": "date", "description": "The day"}));
        assert_eq!(form["properties"]["carrier"], json!({"type": "string", "enum": ["AA", "UA"]}));
    }

    #[test]
    fn nobody_is_asked_for_a_call_that_fails_in_any_case() {
        let mut schema = schema();
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
        let fits = |sent: Value| fits_so_far(&schema, sent.as_object().unwrap());
        assert!(fits(json!({})) && fits(json!({"most": 3, "carrier": "AA"})));
        assert!(!fits(json!({"most": "many"})) && !fits(json!({"carrier": "XX"})) && !fits(json!({"moost": 3})));
    }

    #[test]
    fn lists_are_not_asked_for_and_nothing_where_nothing_is_missing() {
        let schema = schema();
        assert!(form(&schema, &missing(&schema, &Arguments::new())).is_none());
        assert!(form(&schema, &[]).is_none());
    }
}
