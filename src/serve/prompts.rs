//! Prompts as MCP publishes them.

use crate::prompts::{Prompt, PromptError};
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, PromptArgument, PromptMessage, Role};

/// A prompt as it is listed.
pub(super) fn published(prompt: &Prompt) -> rmcp::model::Prompt {
    let argument = |argument: &crate::prompts::PromptArgument| {
        let published = PromptArgument::new(argument.name.clone()).with_required(argument.required);
        match described(argument) {
            Some(description) => published.with_description(description),
            None => published,
        }
    };
    let arguments: Vec<PromptArgument> = prompt.arguments.iter().map(argument).collect();
    let arguments = (!arguments.is_empty()).then_some(arguments);
    rmcp::model::Prompt::new(prompt.name.clone(), prompt.description.clone(), arguments)
        .with_title(prompt.title.clone())
}

/// The description, with the default: the protocol has no other place for it.
fn described(argument: &crate::prompts::PromptArgument) -> Option<String> {
    let default = argument.default.as_ref().map(|text| format!("Default: {text}"));
    match (argument.description.clone(), default) {
        (Some(mut description), Some(default)) => {
            if !description.ends_with(['.', '!', '?']) {
                description.push('.');
            }
            Some(format!("{description} {default}"))
        }
        (description, default) => description.or(default),
    }
}

/// A prompt with its blanks filled in: one message of the user.
///
/// Errors: `-32602` for arguments that the prompt does not take, `-32603` where it fails with them.
pub(super) fn filled(prompt: &Prompt, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    match prompt.render(arguments) {
        Ok(text) => {
            let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
            Ok(match &prompt.description {
                Some(description) => result.with_description(description.clone()),
                None => result,
            })
        }
        Err(error @ PromptError::Arguments(_)) => Err(ErrorData::invalid_params(error.to_string(), None)),
        Err(error) => {
            tracing::error!(prompt = prompt.name.as_str(), detail = %error, "prompt failed");
            Err(ErrorData::internal_error("the prompt cannot be written with these arguments", None))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::ErrorCode;
    use serde_json::{Value, json};

    fn prompt() -> Prompt {
        serde_json::from_value(json!({
            "name": "report",
            "title": "Report",
            "description": "A report on one region.",
            "arguments": [
                {"name": "region", "description": "The region", "required": true},
                {"name": "weeks", "description": "How many weeks", "required": false, "default": "4"},
                {"name": "tone", "required": false},
            ],
            "template": "On {{ region }}, {{ weeks|int }} weeks.{{ tone }}",
        }))
        .unwrap()
    }

    fn filled_with(arguments: Value) -> Result<Value, (ErrorCode, String)> {
        let result = filled(&prompt(), arguments.as_object().unwrap());
        result
            .map(|result| serde_json::to_value(result).unwrap())
            .map_err(|error| (error.code, error.message.into_owned()))
    }

    #[test]
    fn a_prompt_is_listed_with_its_arguments() {
        assert_eq!(
            serde_json::to_value(published(&prompt())).unwrap(),
            json!({
                "name": "report",
                "title": "Report",
                "description": "A report on one region.",
                "arguments": [
                    {"name": "region", "description": "The region", "required": true},
                    {"name": "weeks", "description": "How many weeks. Default: 4", "required": false},
                    {"name": "tone", "required": false},
                ],
            })
        );
        let bare = Prompt { arguments: Vec::new(), description: None, ..prompt() };
        assert_eq!(serde_json::to_value(published(&bare)).unwrap(), json!({"name": "report", "title": "Report"}));
    }

    #[test]
    fn a_filled_prompt_is_one_message_of_the_user() {
        let result = filled_with(json!({"region": "north"})).unwrap();
        assert_eq!(result["description"], "A report on one region.");
        let message = json!([{"role": "user", "content": {"type": "text", "text": "On north, 4 weeks."}}]);
        assert_eq!(result["messages"], message);
    }

    #[test]
    fn wrong_arguments_are_the_callers_fault_and_a_failing_template_is_not() {
        let (code, message) = filled_with(json!({"regoin": "north"})).unwrap_err();
        assert_eq!(code, ErrorCode::INVALID_PARAMS);
        assert_eq!(message, "unknown argument `regoin`, did you mean `region`?; missing argument `region`");
        let (code, message) = filled_with(json!({"region": "north", "weeks": "four"})).unwrap_err();
        assert_eq!(code, ErrorCode::INTERNAL_ERROR);
        assert_eq!(message, "the prompt cannot be written with these arguments");
    }
}
