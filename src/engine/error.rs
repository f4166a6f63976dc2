//! What an agent is told when a call fails: what was wrong, what was expected, what to do. Never a path, SQL or the
//! engine's own words.

use super::code::CallCode;
use crate::tool::constraints::MAX_TOLD;
use serde::Serialize;
use serde_json::Value;

/// A failed call.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallError {
    /// What kind of failure.
    pub code: CallCode,
    /// The parameter it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// One line that stands alone.
    pub message: String,
    /// What would have been accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was sent, shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The values that are accepted, the nearest first, at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<Value>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// After how many seconds it is worth another try, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// All of them, where several arguments are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<CallError>,
    /// What is behind it; for the log and for authors, never sent.
    #[serde(skip)]
    pub detail: Option<Detail>,
}

/// What is behind an error, in whose words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// The engine's.
    Engine(String),
    /// Ours.
    Own(String),
    /// Ours, and what a database says, which may hold values of the call.
    Database {
        /// Ours.
        told: String,
        /// What the database says.
        says: String,
    },
}

impl Detail {
    /// The words alone, as far as they are good for a log.
    pub fn text(&self) -> &str {
        match self {
            Detail::Engine(text) | Detail::Own(text) | Detail::Database { told: text, .. } => text,
        }
    }

    /// The words for who makes the call, and whose they are where they are not ours.
    pub fn told(&self) -> String {
        match self {
            Detail::Engine(text) => format!("the engine says: {text}"),
            Detail::Own(text) => text.clone(),
            Detail::Database { told, says } => format!("{told}; it says: {says}"),
        }
    }
}

/// The most of them that the one-line form names.
const MAX_SHOWN: usize = 8;

impl CallError {
    /// An error that is about no parameter.
    pub fn new(code: CallCode, message: impl Into<String>) -> CallError {
        CallError {
            code,
            parameter: None,
            message: message.into(),
            expected: None,
            got: None,
            allowed: Vec::new(),
            hint: None,
            retry_after: None,
            errors: Vec::new(),
            detail: None,
        }
    }

    /// An error about one parameter.
    pub fn about(code: CallCode, parameter: &str, message: impl Into<String>) -> CallError {
        CallError { parameter: Some(parameter.to_owned()), ..CallError::new(code, message) }
    }

    /// A call of a tool that is not there, or not for this caller: nothing tells the two apart.
    pub fn no_such_tool() -> CallError {
        CallError::new(CallCode::UnknownTool, "there is no tool of this name")
    }

    /// A name that stands more than once in arguments, or in the text of one: which of its values counts is not clear.
    pub fn repeated(parameter: &str, name: &str) -> CallError {
        let message = format!("the argument `{name}` is there more than once");
        let error = CallError::about(CallCode::InvalidArgument, parameter, message);
        error.hint(format!("send `{name}` once, with the value that counts"))
    }

    /// Adds what was expected and what came instead.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>, got: impl Into<String>) -> CallError {
        self.expected = Some(expected.into());
        self.got = Some(got.into());
        self
    }

    /// Adds the values that are accepted.
    #[must_use]
    pub fn allowed(mut self, mut allowed: Vec<Value>) -> CallError {
        allowed.truncate(MAX_TOLD);
        self.allowed = allowed;
        self
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> CallError {
        self.hint = Some(hint.into());
        self
    }

    /// Puts several into one; one stays itself.
    pub fn all(mut errors: Vec<CallError>) -> Option<CallError> {
        if errors.len() < 2 {
            return errors.pop();
        }
        let messages: Vec<String> = errors.iter().map(CallError::told).collect();
        let mut all = CallError::new(CallCode::InvalidArguments, messages.join("; "));
        all.errors = errors;
        Some(all)
    }

    /// A person must agree to a change, and nobody could be asked.
    pub(super) fn confirmation_outdated() -> CallError {
        let message = "the rows that the call would change are no longer those that a person has agreed to change";
        let error = CallError::new(CallCode::ConfirmationOutdated, message);
        error.hint("nothing was changed: call again, and the rows of now are shown")
    }

    /// A person must agree to the change of a call, and nobody was asked.
    pub(super) fn unconfirmed() -> CallError {
        CallError::new(
            CallCode::NotConfirmed,
            "a person must agree to what this tool changes, and nobody can be asked here",
        )
        .hint("nothing was changed: a client that puts questions to its user (elicitation) can call it")
    }

    /// Nobody knows whether a change was made.
    pub(super) fn outcome_unknown() -> CallError {
        CallError::new(CallCode::OutcomeUnknown, "the database was told to make the change last, and has not answered")
            .hint("look whether it was made before you call again")
    }

    /// A failure of ours: logged in full, told in few words.
    pub fn internal(detail: impl Into<String>) -> CallError {
        CallError::failed(Detail::Own(detail.into()))
    }

    /// A failure inside the engine, in its words.
    pub fn internal_of_engine(detail: impl Into<String>) -> CallError {
        CallError::failed(Detail::Engine(detail.into()))
    }

    /// A failure that nobody can do anything about but who reads the log.
    pub(super) fn failed(detail: Detail) -> CallError {
        CallError {
            detail: Some(detail),
            ..CallError::new(CallCode::InternalError, "the query failed; the server's log says why")
        }
    }

    /// The error in one line: some clients show nothing else.
    pub fn line(&self) -> String {
        format!("{}: {}", self.code, self.told())
    }

    /// The values that are accepted, as they are read; a text without letters has quotes.
    pub fn allowed_words(&self) -> Vec<String> {
        let word = |value: &Value| match value.as_str() {
            Some("") => "''".to_owned(),
            Some(text) => text.to_owned(),
            None => value.to_string(),
        };
        self.allowed.iter().map(word).collect()
    }

    /// The message with its hint, and the values to choose from.
    fn told(&self) -> String {
        let mut told = self.message.clone();
        if let Some(hint) = &self.hint {
            told.push_str(&format!("; {hint}"));
        }
        let is_listed = |value: &Value| value.as_str().is_some_and(|text| self.message.contains(text));
        if !self.allowed.is_empty() && !self.allowed.iter().all(is_listed) {
            let mut shown = self.allowed_words();
            shown.truncate(MAX_SHOWN);
            let more = if self.allowed.len() > MAX_SHOWN { ", …" } else { "" };
            told.push_str(&format!("; allowed are {}{more}", shown.join(", ")));
        }
        told
    }
}
