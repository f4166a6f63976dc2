//! What is asked of a server that changes nothing: prompts and resources.

use super::answer::{Body, FilledPrompt, Message, Part, Speaker};
use super::decode;
use super::failure::Failure;
use super::upstream::Upstream;
use rmcp::model::{
    ClientRequest, GetPromptRequest, GetPromptRequestParams, ReadResourceRequest, ReadResourceRequestParams,
};
use serde_json::{Map, Value};
use std::time::Instant;

impl Upstream {
    /// A prompt with these arguments, over a connection of that number or not at all.
    ///
    /// Errors: any failure; `Anew` where there is another connection by now.
    pub async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        within: (Instant, u64),
    ) -> Result<FilledPrompt, Failure> {
        let params = GetPromptRequestParams::new(name);
        // Some servers want none where there are none.
        let params = if arguments.is_empty() { params } else { params.with_arguments(arguments) };
        filled(self.asked(ClientRequest::GetPromptRequest(GetPromptRequest::new(params)), within).await?)
    }

    /// What a resource holds, over a connection of that number or not at all.
    ///
    /// Errors: as of a prompt.
    pub async fn resource(&self, uri: &str, within: (Instant, u64)) -> Result<Vec<Part>, Failure> {
        let params = ReadResourceRequestParams::new(uri);
        parts(self.asked(ClientRequest::ReadResourceRequest(ReadResourceRequest::new(params)), within).await?)
    }

    /// The fields of a result.
    async fn asked(
        &self,
        request: ClientRequest,
        (deadline, connection): (Instant, u64),
    ) -> Result<Map<String, Value>, Failure> {
        let work = async {
            let _turn = self.turn().await?;
            self.link(connection).await?.ask(request).await
        };
        let result = tokio::time::timeout_at(deadline.into(), work).await.unwrap_or(Err(Failure::TimedOut))?;
        match serde_json::to_value(result) {
            Ok(Value::Object(fields)) => Ok(fields),
            _ => Err(unfit("the result is no object")),
        }
    }
}

fn unfit(words: &str) -> Failure {
    Failure::Protocol(words.to_owned())
}

fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The prompt that a result is.
fn filled(mut fields: Map<String, Value>) -> Result<FilledPrompt, Failure> {
    let Some(Value::Array(messages)) = fields.remove("messages") else {
        return Err(unfit("the result is not that of a prompt"));
    };
    let messages = messages.into_iter().map(message).collect::<Result<_, Failure>>()?;
    Ok(FilledPrompt { description: text(&fields, "description"), messages })
}

fn message(message: Value) -> Result<Message, Failure> {
    let Value::Object(mut message) = message else { return Err(unfit("a message of the prompt is no object")) };
    let speaker = match message.get("role").and_then(Value::as_str) {
        Some("user") => Speaker::User,
        Some("assistant") => Speaker::Assistant,
        _ => return Err(unfit("a message of the prompt is of nobody that is known")),
    };
    let content = message.remove("content").ok_or_else(|| unfit("a message of the prompt says nothing"))?;
    Ok(Message { speaker, content: decode::loose_block(content) })
}

/// What a result says that a resource holds.
fn parts(mut fields: Map<String, Value>) -> Result<Vec<Part>, Failure> {
    let Some(Value::Array(contents)) = fields.remove("contents") else {
        return Err(unfit("the result is not that of a resource"));
    };
    let part = |part: Value| {
        let Value::Object(part) = part else { return Err(unfit("a part of the resource is no object")) };
        let body = match (text(&part, "text"), text(&part, "blob")) {
            (Some(text), None) => Body::Text(text),
            (None, Some(blob)) => Body::Blob(blob),
            _ => return Err(unfit("a part of the resource is neither text nor bytes")),
        };
        let uri = text(&part, "uri").ok_or_else(|| unfit("a part of the resource has no address"))?;
        Ok(Part { uri, mime: text(&part, "mimeType"), body })
    };
    contents.into_iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::super::answer::Content;
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn messages_are_told_in_their_order_with_who_says_them() {
        let told = filled(fields(json!({"description": "d", "messages": [
            {"role": "user", "content": {"type": "text", "text": "a"}},
            {"role": "assistant", "content": {"type": "image", "mimeType": "image/png", "data": "AA=="}},
        ]})))
        .unwrap();
        assert_eq!(told.description.as_deref(), Some("d"));
        assert_eq!(told.messages[0].content, Content::Text("a".to_owned()));
        assert_eq!(told.messages[1].speaker, Speaker::Assistant);
    }

    #[test]
    fn a_message_of_nobody_is_none() {
        for message in [json!(1), json!({"role": "system", "content": "a"}), json!({"role": "user"})] {
            assert!(matches!(filled(fields(json!({"messages": [message]}))), Err(Failure::Protocol(_))));
        }
        assert!(filled(fields(json!({"contents": []}))).is_err());
    }

    #[test]
    fn a_part_is_text_or_bytes_and_not_both() {
        let told = parts(fields(json!({"contents": [
            {"uri": "x://1", "mimeType": "text/plain", "text": "a"}, {"uri": "x://2", "blob": "AA=="},
        ]})))
        .unwrap();
        assert_eq!((&told[0].body, &told[1].body), (&Body::Text("a".to_owned()), &Body::Blob("AA==".to_owned())));
        for part in [json!({"uri": "x://1"}), json!({"uri": "x", "text": "a", "blob": "AA=="}), json!({"text": "a"})] {
            assert!(matches!(parts(fields(json!({"contents": [part]}))), Err(Failure::Protocol(_))));
        }
    }
}
