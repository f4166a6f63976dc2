//! The Messages API of Anthropic.
//!
//! Source: <https://platform.claude.com/docs/en/api/messages>.

use super::dialogue::{Answer, Asked, Dialogue, Opening, Stop, Turn, Usage};
use serde_json::{Map, Value, json};

/// The most tokens of an answer; the API asks for a number, and every model takes this one.
const MAX_TOKENS: u32 = 4096;

/// A conversation: all that was said goes with every request.
pub(super) struct Messages {
    model: String,
    system: Option<String>,
    tools: Value,
    messages: Vec<Value>,
}

impl Messages {
    pub(super) fn new(opening: &Opening<'_>) -> Messages {
        Messages {
            model: opening.model.to_owned(),
            system: opening.system.map(str::to_owned),
            tools: opening.tools.clone(),
            messages: vec![json!({"role": "user", "content": opening.question})],
        }
    }
}

impl Dialogue for Messages {
    fn request(&self) -> Value {
        let mut body = Map::new();
        body.insert("model".to_owned(), self.model.clone().into());
        body.insert("max_tokens".to_owned(), MAX_TOKENS.into());
        if let Some(system) = &self.system {
            body.insert("system".to_owned(), system.clone().into());
        }
        body.insert("tools".to_owned(), self.tools.clone());
        body.insert("messages".to_owned(), self.messages.clone().into());
        Value::Object(body)
    }

    fn take(&mut self, reply: &Value) -> Result<Turn, String> {
        let content = reply.get("content").and_then(Value::as_array).ok_or("it has no `content`")?;
        let of_type = |wanted: &'static str| {
            let is_wanted = move |block: &&Value| block.get("type").and_then(Value::as_str) == Some(wanted);
            content.iter().filter(is_wanted)
        };
        let texts = of_type("text").filter_map(|block| block.get("text")?.as_str());
        let text: String = texts.collect();
        let calls = of_type("tool_use").map(call).collect::<Result<Vec<_>, _>>()?;
        let stop = match reply.get("stop_reason").and_then(Value::as_str) {
            Some("max_tokens" | "model_context_window_exceeded") => Stop::CutOff,
            Some("refusal") => Stop::Refused,
            _ => Stop::Done,
        };
        // As it came: blocks of thought must go back unchanged. An empty message is refused.
        if !content.is_empty() {
            self.messages.push(json!({"role": "assistant", "content": content}));
        }
        Ok(Turn { text, calls, stop, usage: Usage::of(reply, "input_tokens", "output_tokens") })
    }

    fn answer(&mut self, answers: Vec<Answer>) {
        let block = |Answer { id, text }| {
            let is_error = text.is_err();
            let content = text.unwrap_or_else(|error| error);
            json!({"type": "tool_result", "tool_use_id": id, "content": content, "is_error": is_error})
        };
        let blocks: Vec<Value> = answers.into_iter().map(block).collect();
        self.messages.push(json!({"role": "user", "content": blocks}));
    }
}

fn call(block: &Value) -> Result<Asked, String> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned);
    let id = text("id").ok_or("a `tool_use` has no `id`")?;
    let tool = text("name").ok_or("a `tool_use` has no `name`")?;
    let arguments = match block.get("input") {
        Some(Value::Object(input)) => Ok(input.clone()),
        None | Some(Value::Null) => Ok(Map::new()),
        Some(other) => Err(other.to_string()),
    };
    Ok(Asked { id, tool, arguments })
}
