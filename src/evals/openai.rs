//! Chat Completions, the API of OpenAI that most servers of models speak.
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat/create>.

use super::dialogue::{Answer, Asked, Dialogue, Opening, Stop, Turn, Usage};
use serde_json::{Map, Value, json};

/// A conversation: all that was said goes with every request.
pub(super) struct Chat {
    model: String,
    tools: Value,
    messages: Vec<Value>,
}

impl Chat {
    pub(super) fn new(opening: &Opening<'_>) -> Chat {
        let system = opening.system.map(|text| json!({"role": "system", "content": text}));
        let question = json!({"role": "user", "content": opening.question});
        let messages = system.into_iter().chain([question]).collect();
        Chat { model: opening.model.to_owned(), tools: opening.tools.clone(), messages }
    }
}

impl Dialogue for Chat {
    fn request(&self) -> Value {
        let mut body = json!({"model": self.model, "messages": self.messages});
        // An empty list is refused.
        if self.tools.as_array().is_some_and(|tools| !tools.is_empty())
            && let Some(body) = body.as_object_mut()
        {
            body.insert("tools".to_owned(), self.tools.clone());
        }
        body
    }

    fn take(&mut self, reply: &Value) -> Result<Turn, String> {
        let choice = reply.pointer("/choices/0").ok_or("it has no `choices`")?;
        let message = choice.get("message").filter(|message| message.is_object()).ok_or("it has no `message`")?;
        let text = message.get("content").map(text).unwrap_or_default();
        let asked = message.get("tool_calls").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let calls = asked.iter().enumerate().map(|(at, call)| self.call(at, call)).collect::<Result<Vec<_>, _>>()?;
        let refusal = message.get("refusal").and_then(Value::as_str).filter(|refusal| !refusal.is_empty());
        let stop = match choice.get("finish_reason").and_then(Value::as_str) {
            Some("length") => Stop::CutOff,
            Some("content_filter") => Stop::Refused,
            _ if refusal.is_some() => Stop::Refused,
            _ => Stop::Done,
        };
        self.messages.push(said(&text, &calls));
        let text = refusal.map_or(text, str::to_owned);
        Ok(Turn { text, calls, stop, usage: Usage::of(reply, "prompt_tokens", "completion_tokens") })
    }

    fn answer(&mut self, answers: Vec<Answer>) {
        // The API has no place for whether it is an error: the text says so.
        let message = |Answer { id, text }| {
            let content = text.unwrap_or_else(|error| format!("error: {error}"));
            json!({"role": "tool", "tool_call_id": id, "content": content})
        };
        self.messages.extend(answers.into_iter().map(message));
    }
}

impl Chat {
    fn call(&self, at: usize, call: &Value) -> Result<Asked, String> {
        let function = call.get("function").ok_or("a call has no `function`")?;
        let tool = function.get("name").and_then(Value::as_str).ok_or("a call has no name")?.to_owned();
        let arguments = match function.get("arguments") {
            Some(Value::Object(arguments)) => Ok(arguments.clone()),
            None | Some(Value::Null) => Ok(Map::new()),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(Map::new()),
            Some(Value::String(text)) => serde_json::from_str(text).map_err(|_| text.clone()),
            Some(other) => Err(other.to_string()),
        };
        // Some servers leave the id out where there is one call.
        let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = id.map_or_else(|| format!("call_{}_{at}", self.messages.len()), str::to_owned);
        Ok(Asked { id, tool, arguments })
    }
}

/// What the model said, as it is sent back: servers add keys of their own to replies that they do not take in requests.
fn said(text: &str, calls: &[Asked]) -> Value {
    let call = |asked: &Asked| {
        let arguments = match &asked.arguments {
            Ok(arguments) => Value::Object(arguments.clone()).to_string(),
            // What is no JSON is refused by some servers.
            Err(_) => "{}".to_owned(),
        };
        json!({"id": asked.id, "type": "function", "function": {"name": asked.tool, "arguments": arguments}})
    };
    let content = if text.is_empty() { Value::Null } else { text.into() };
    let mut message = json!({"role": "assistant", "content": content});
    if !calls.is_empty()
        && let Some(message) = message.as_object_mut()
    {
        message.insert("tool_calls".to_owned(), calls.iter().map(call).collect());
    }
    message
}

/// A content: a text, or a list of parts some of which are texts.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        _ => String::new(),
    }
}
