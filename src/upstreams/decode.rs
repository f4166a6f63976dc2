//! Results of tools as answers. What is not quite as the protocol has it is taken where its meaning is plain.

use super::answer::{Answer, Body, Content};
use super::failure::Failure;
use rmcp::model::{ContentBlock, ResourceContents, ServerResult};
use serde_json::{Map, Value};

/// The answer that a result is.
///
/// Errors: it is the result of something else, or asks for what this side does not offer.
pub(super) fn answer(result: ServerResult) -> Result<Answer, Failure> {
    match result {
        ServerResult::CallToolResult(result) => Ok(Answer {
            is_error: result.is_error.unwrap_or(false),
            structured: result.structured_content,
            content: result.content.into_iter().map(content).collect(),
        }),
        ServerResult::EmptyResult(_) | ServerResult::TaskAckResult(_) => Ok(Answer::default()),
        ServerResult::InputRequiredResult(_) => Err(unfit("it asks for input, which is not offered")),
        ServerResult::CreateTaskResult(_) => Err(unfit("it answers with a task, which was not asked for")),
        ServerResult::CustomResult(result) => match result.0 {
            Value::Object(fields) => loose(fields),
            _ => Err(unfit("the result of a tool is no object")),
        },
        _ => Err(unfit("the result is not that of a tool")),
    }
}

fn unfit(words: &str) -> Failure {
    Failure::Protocol(words.to_owned())
}

fn content(block: ContentBlock) -> Content {
    match block {
        ContentBlock::Text(text) => Content::Text(text.text),
        ContentBlock::Image(image) => Content::Image { mime: image.mime_type, data: image.data },
        ContentBlock::Audio(audio) => Content::Audio { mime: audio.mime_type, data: audio.data },
        ContentBlock::Resource(resource) => match resource.resource {
            ResourceContents::TextResourceContents { uri, mime_type, text, .. } => {
                Content::Resource { uri, mime: mime_type, body: Body::Text(text) }
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                Content::Resource { uri, mime: mime_type, body: Body::Blob(blob) }
            }
            other => unknown(&other),
        },
        ContentBlock::ResourceLink(link) => Content::ResourceLink {
            uri: link.uri,
            name: link.name,
            description: link.description,
            mime: link.mime_type,
        },
        other => unknown(&other),
    }
}

fn unknown(block: &impl serde::Serialize) -> Content {
    Content::Text(serde_json::to_string(block).unwrap_or_default())
}

/// Reads a result that has the fields of one, with blocks that are not all known.
fn loose(mut fields: Map<String, Value>) -> Result<Answer, Failure> {
    if !["content", "structuredContent", "isError"].iter().any(|name| fields.contains_key(*name)) {
        return Err(unfit("the result is not that of a tool"));
    }
    let blocks = match fields.remove("content") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(blocks)) => blocks,
        // Some servers forget the list around a single block.
        Some(block) => vec![block],
    };
    Ok(Answer {
        is_error: matches!(fields.get("isError"), Some(Value::Bool(true))),
        structured: fields.remove("structuredContent"),
        content: blocks.into_iter().map(loose_block).collect(),
    })
}

/// A block, whatever is wrong with it.
pub(super) fn loose_block(block: Value) -> Content {
    match block {
        Value::String(text) => Content::Text(text),
        block => match serde_json::from_value::<ContentBlock>(block.clone()) {
            Ok(block) => content(block),
            Err(_) => unknown(&block),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn decoded(result: Value) -> Result<Answer, Failure> {
        answer(serde_json::from_value(result).unwrap())
    }

    #[test]
    fn a_result_as_the_protocol_has_it() {
        let told = decoded(json!({
            "content": [
                {"type": "text", "text": "a"},
                {"type": "image", "mimeType": "image/png", "data": "AA=="},
                {"type": "resource", "resource": {"uri": "x://1", "mimeType": "text/plain", "text": "b"}},
                {"type": "resource_link", "uri": "x://2", "name": "two"},
            ],
            "structuredContent": {"b": 9_007_199_254_740_993_i64, "a": 1},
        }))
        .unwrap();
        assert!(!told.is_error);
        assert_eq!(told.structured.unwrap().to_string(), r#"{"b":9007199254740993,"a":1}"#);
        assert_eq!(told.content[0], Content::Text("a".to_owned()));
        assert_eq!(told.content.len(), 4);
    }

    #[test]
    fn a_block_of_an_unknown_kind_is_told_as_its_json() {
        let told = decoded(json!({"content": [{"type": "video", "x": 1}, {"type": "text", "text": "a"}]})).unwrap();
        assert_eq!(
            told.content,
            [Content::Text(r#"{"type":"video","x":1}"#.to_owned()), Content::Text("a".to_owned())]
        );
    }

    #[test]
    fn a_result_of_something_else_is_none_of_a_tool() {
        assert!(matches!(decoded(json!({"hello": 1})), Err(Failure::Protocol(_))));
        assert!(matches!(decoded(json!({"tools": []})), Err(Failure::Protocol(_))));
    }
}
