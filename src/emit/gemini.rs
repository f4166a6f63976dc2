//! Tools as the Gemini API has them.
//!
//! Sources: <https://ai.google.dev/api/caching#FunctionDeclaration>,
//! <https://googleapis.github.io/python-genai/genai.html#genai.types.FunctionDeclaration>.

use super::description;
use super::profile::{Profile, lower_tool};
use crate::tool::Contract;
use serde_json::{Map, Value, json};

/// One `Tool` of a request: `{functionDeclarations: [{name, description, parametersJsonSchema}]}`.
pub fn declarations(tools: &[Contract]) -> Value {
    json!({"functionDeclarations": tools.iter().map(declaration).collect::<Value>()})
}

fn declaration(tool: &Contract) -> Value {
    // The REST API requires a description.
    let description = description::description_of(tool).unwrap_or_else(|| tool.title.clone());
    let mut declaration =
        Map::from_iter([("name".to_owned(), tool.name.clone().into()), ("description".to_owned(), description.into())]);
    // A function without parameters leaves them unset.
    let schema = lower_tool(tool, Profile::Gemini).schema;
    if schema.get("properties").and_then(Value::as_object).is_some_and(|properties| !properties.is_empty()) {
        // The other field, `parameters`, is OpenAPI's schema: it lists texts only, and excludes this one.
        declaration.insert("parametersJsonSchema".to_owned(), schema);
    }
    Value::Object(declaration)
}

#[cfg(test)]
mod tests {
    use super::super::profile::fixture::tool;
    use super::*;

    #[test]
    fn a_declaration_always_describes_and_names_parameters_only_where_there_are_any() {
        let tools = [tool("t", &[json!({"name": "a", "type": "boolean"})]), tool("empty", &[])];
        let schema = json!({
            "type": "object",
            "properties": {"a": {"type": "boolean"}},
            "required": ["a"],
            "additionalProperties": false,
        });
        let expected = json!({"functionDeclarations": [
            {"name": "t", "description": "A tool", "parametersJsonSchema": schema},
            {"name": "empty", "description": "A tool"},
        ]});
        assert_eq!(declarations(&tools), expected);
    }
}
