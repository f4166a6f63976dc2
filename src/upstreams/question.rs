//! What a server asks of whoever has called one of its tools.

use serde_json::{Map, Value};

/// A question of a server, as the protocol has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked for.
    pub kind: QuestionKind,
    /// The parameters of `elicitation/create` or of `sampling/createMessage`.
    pub params: Map<String, Value>,
}

/// What a server asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuestionKind {
    /// Input of a person, by a form. Its answer is an `ElicitResult`.
    Form,
    /// What a model says. Its answer is a `CreateMessageResult`.
    Sample,
}

/// Which questions are passed on to whoever calls; all others are declined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOn {
    /// Those that ask a person, by a form.
    pub forms: bool,
    /// Those that ask a model.
    pub samples: bool,
}

impl PassedOn {
    /// Whether any are.
    pub fn any(self) -> bool {
        self.forms || self.samples
    }

    /// Whether those of a kind are.
    pub fn takes(self, kind: QuestionKind) -> bool {
        match kind {
            QuestionKind::Form => self.forms,
            QuestionKind::Sample => self.samples,
        }
    }
}
