//! What was said and done in a conversation.

use super::dialogue::Usage;
use serde::Serialize;
use serde_json::Value;

/// What was said and done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Transcript {
    /// The calls, in their order.
    pub calls: Vec<Call>,
    /// The last words of the model.
    pub answer: String,
    /// Why the conversation ended otherwise than by them.
    pub broken: Option<Broken>,
    /// What it took.
    pub usage: Usage,
}

/// A call that a model made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    /// The tool, or what the model took for one.
    pub tool: String,
    /// What it sent; a text where that was no JSON object.
    pub arguments: Value,
    /// What was said to it instead of a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Why a conversation has no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// The model still called tools in the last answer that it had.
    Turns,
    /// It made more calls in one answer than are carried out.
    Calls,
    /// Its answer was cut off.
    CutOff,
    /// It, or its server, would not answer.
    Refused,
}
