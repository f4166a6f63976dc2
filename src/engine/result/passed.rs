//! What another server answered to a call, as it is passed on.

use crate::upstreams::{Body, Content};
use serde_json::{Value, json};

/// What another server answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Passed {
    /// The answer as data.
    pub structured: Option<Value>,
    /// The answer as blocks: texts, pictures and more.
    pub content: Vec<Content>,
}

impl Passed {
    /// The answer as one object: its data, or its blocks where it has none.
    pub fn object(&self) -> Value {
        match &self.structured {
            Some(data) => data.clone(),
            None => json!({"content": self.content.iter().map(block).collect::<Vec<_>>()}),
        }
    }

    /// The answer as text: its texts, and what else there is in words; the data where there is no block.
    pub fn text(&self) -> String {
        match (self.content.as_slice(), &self.structured) {
            ([], Some(data)) => data.to_string(),
            (blocks, _) => blocks.iter().map(words).collect::<Vec<_>>().join("\n"),
        }
    }

    /// How many bytes it has, as JSON has them.
    pub fn size(&self) -> usize {
        let data = self.structured.as_ref().map_or(0, |data| data.to_string().len());
        data + self.content.iter().map(|one| block(one).to_string().len()).sum::<usize>()
    }
}

/// A block as the protocol has it.
fn block(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!({"type": "text", "text": text}),
        Content::Image { mime, data } => json!({"type": "image", "mimeType": mime, "data": data}),
        Content::Audio { mime, data } => json!({"type": "audio", "mimeType": mime, "data": data}),
        Content::Resource { uri, mime, body } => {
            let (key, held) = match body {
                Body::Text(text) => ("text", text),
                Body::Blob(bytes) => ("blob", bytes),
            };
            json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, key: held}})
        }
        Content::ResourceLink { uri, name, description, mime } => {
            json!({"type": "resource_link", "uri": uri, "name": name, "description": description, "mimeType": mime})
        }
    }
}

/// A block in words.
fn words(content: &Content) -> String {
    let bytes = |base64: &str| base64.len() / 4 * 3;
    match content {
        Content::Text(text) => text.clone(),
        Content::Image { mime, data } => format!("[a picture: {mime}, about {} bytes]", bytes(data)),
        Content::Audio { mime, data } => format!("[a sound: {mime}, about {} bytes]", bytes(data)),
        Content::Resource { body: Body::Text(text), .. } => text.clone(),
        Content::Resource { uri, body: Body::Blob(data), .. } => {
            format!("[a file: {uri}, about {} bytes]", bytes(data))
        }
        Content::ResourceLink { uri, name, .. } => format!("[{name}: {uri}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_its_data_or_its_blocks() {
        let blocks = vec![
            Content::Text("a".to_owned()),
            Content::Image { mime: "image/png".to_owned(), data: "AAAA".to_owned() },
        ];
        let passed = Passed { structured: None, content: blocks };
        assert_eq!(passed.text(), "a\n[a picture: image/png, about 3 bytes]");
        assert_eq!(passed.object().pointer("/content/1/mimeType"), Some(&json!("image/png")));
        let with_data = Passed { structured: Some(json!({"b": 1})), content: Vec::new() };
        assert_eq!((with_data.text().as_str(), with_data.object()), (r#"{"b":1}"#, json!({"b": 1})));
    }
}
