//! Tools as OpenAI's function calling has them: the Responses API, and Chat Completions.
//!
//! Sources: <https://platform.openai.com/docs/api-reference/responses/create> (`tools`),
//! <https://platform.openai.com/docs/api-reference/chat/create> (`tools`).

use super::description;
use super::profile::{Profile, lower_tool};
use crate::tool::Contract;
use serde_json::{Map, Value, json};

/// Whether the model can say nothing that the schema refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The schema is a hint.
    Lenient,
    /// The schema is enforced while the model writes. Tools that strict mode has no schema for stay lenient; every tool
    /// says which it is.
    Strict,
}

/// The tools of the Responses API: an array of `{type, name, description, parameters, strict}`.
pub fn tools(tools: &[Contract], mode: Mode) -> Value {
    let typed = |tool| {
        let mut object = Map::from_iter([("type".to_owned(), "function".into())]);
        object.extend(function(tool, mode));
        Value::Object(object)
    };
    tools.iter().map(typed).collect()
}

/// The tools of Chat Completions: an array of `{type, function: {name, description, parameters, strict}}`.
pub fn chat_tools(tools: &[Contract], mode: Mode) -> Value {
    tools.iter().map(|tool| json!({"type": "function", "function": function(tool, mode)})).collect()
}

fn function(tool: &Contract, mode: Mode) -> Map<String, Value> {
    let strict = (mode == Mode::Strict)
        .then(|| lower_tool(tool, Profile::OpenAiStrict))
        .filter(|lowered| lowered.unsayable.is_empty());
    let is_strict = strict.is_some();
    let parameters = strict.unwrap_or_else(|| lower_tool(tool, Profile::OpenAi)).schema;
    let mut function = Map::from_iter([("name".to_owned(), tool.name.clone().into())]);
    if let Some(description) = description::description_of(tool) {
        function.insert("description".to_owned(), description.into());
    }
    function.insert("parameters".to_owned(), parameters);
    // Said in any case: the Responses API is strict where a tool does not say.
    function.insert("strict".to_owned(), is_strict.into());
    function
}

#[cfg(test)]
mod tests {
    use super::super::profile::fixture::{native, tool};
    use super::*;

    #[test]
    fn both_apis_get_the_same_function() {
        let described =
            Contract { description: Some("What.".to_owned()), ..tool("t", &[json!({"name": "a", "type": "int"})]) };
        let function = json!({
            "name": "t",
            "description": "What.",
            "parameters": {
                "type": "object",
                "properties": {"a": {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX}},
                "required": ["a"],
                "additionalProperties": false,
            },
            "strict": true,
        });
        let mut flat = function.clone();
        flat["type"] = "function".into();
        assert_eq!(tools(std::slice::from_ref(&described), Mode::Strict), json!([flat]));
        assert_eq!(chat_tools(&[described], Mode::Strict), json!([{"type": "function", "function": function}]));
    }

    #[test]
    fn a_tool_that_strict_mode_has_no_schema_for_stays_lenient() {
        let schema = json!({"counts": {"type": "object", "additionalProperties": {"type": "integer"}}});
        let both = [native(schema.clone()), tool("t", &[])];
        let emitted = tools(&both, Mode::Strict);
        assert_eq!((&emitted[0]["strict"], &emitted[1]["strict"]), (&json!(false), &json!(true)));
        assert_eq!(emitted[0]["parameters"]["properties"], schema);
        assert_eq!(tools(&both, Mode::Lenient)[1]["strict"], false);
    }
}
