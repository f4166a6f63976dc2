//! What an upstream server answered: a tool, a prompt, a resource.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// Whether the tool says that it failed.
    pub is_error: bool,
    /// The answer as data.
    pub structured: Option<Value>,
    /// The answer as blocks.
    pub content: Vec<Content>,
}

/// One block of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Text; a block of an unknown kind is told as its JSON.
    Text(String),
    /// A picture.
    Image {
        /// Its media type.
        mime: String,
        /// Its bytes in Base64.
        data: String,
    },
    /// A sound.
    Audio {
        /// Its media type.
        mime: String,
        /// Its bytes in Base64.
        data: String,
    },
    /// A resource with what it holds.
    Resource {
        /// Its address.
        uri: String,
        /// Its media type.
        mime: Option<String>,
        /// What it holds.
        body: Body,
    },
    /// A resource that can be read.
    ResourceLink {
        /// Its address.
        uri: String,
        /// Its name.
        name: String,
        /// What it holds.
        description: Option<String>,
        /// Its media type.
        mime: Option<String>,
    },
}

/// What a resource holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Text.
    Text(String),
    /// Bytes in Base64.
    Blob(String),
}

/// A prompt with its blanks filled in.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct FilledPrompt {
    /// What it is for.
    pub description: Option<String>,
    /// Its messages.
    pub messages: Vec<Message>,
}

/// A message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// What is said.
    pub content: Content,
}

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// What was read of a resource: one part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its address.
    pub uri: String,
    /// Its media type.
    pub mime: Option<String>,
    /// What it holds.
    pub body: Body,
}
