//! A conversation with a model, whatever API it is reached by.

use serde::Serialize;
use serde_json::{Map, Value};

/// What a model is told at the beginning.
pub(super) struct Opening<'a> {
    pub(super) model: &'a str,
    pub(super) system: Option<&'a str>,
    pub(super) question: &'a str,
    /// The tools in the form of the API.
    pub(super) tools: &'a Value,
}

/// A conversation in the form of one API: requests out, replies in.
pub(super) trait Dialogue: Send + Sync {
    /// The next request's body.
    fn request(&self) -> Value;

    /// Takes in the reply's body. The error says in what way it is none.
    fn take(&mut self, reply: &Value) -> Result<Turn, String>;

    /// Answers all calls of the last turn, in their order.
    fn answer(&mut self, answers: Vec<Answer>);
}

/// What a model said.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turn {
    pub(super) text: String,
    pub(super) calls: Vec<Asked>,
    pub(super) stop: Stop,
    pub(super) usage: Usage,
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) tool: String,
    /// The arguments; what was written where that is no JSON object.
    pub(super) arguments: Result<Map<String, Value>, String>,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// It has said all, or waits for answers.
    Done,
    /// The API cut it off: more tokens than it may write.
    CutOff,
    /// It, or the API, will not answer.
    Refused,
}

/// What comes of a call: the text that the model reads, of a result or of an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) id: String,
    pub(super) text: Result<String, String>,
}

/// Tokens, as the API counts them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Read by the model.
    pub input_tokens: u64,
    /// Written by it.
    pub output_tokens: u64,
}

impl Usage {
    /// Reads the counts under the names that an API has for them.
    pub(super) fn of(reply: &Value, input: &str, output: &str) -> Usage {
        let count = |name: &str| reply.get("usage").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or(0);
        Usage { input_tokens: count(input), output_tokens: count(output) }
    }

    /// Adds those of another turn.
    pub fn add(&mut self, other: Usage) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}
