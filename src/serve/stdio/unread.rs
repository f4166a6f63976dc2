//! Lines that are no message, as they are handed on: by requests that nobody can send, which are refused.

use super::super::asked;
use super::super::batch;
use rmcp::model::{ErrorCode, ErrorData};
use serde_json::{Value, json};
use std::sync::LazyLock;
use uuid::Uuid;

/// Longer lines are refused. Arguments are shorter by far.
pub(super) const LONGEST: usize = 4 << 20;

/// Why a line is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is no JSON.
    NoJson,
    /// It is JSON, and no message.
    NoMessage,
    /// It is JSON with an id that is none.
    NoId,
    /// It is longer than any line may be.
    TooLong,
    /// It is an array, and the client speaks no revision that has batches.
    NoBatch,
    /// It is an array without messages, or with too many.
    NoMessages,
    /// It begins a connection, in a batch.
    Begins,
}

/// What makes the names below those of this process: drawn anew by each, and told to nobody.
fn secret() -> &'static str {
    static SECRET: LazyLock<String> = LazyLock::new(|| format!("qtool/unread/{}", Uuid::new_v4()));
    &SECRET
}

impl Unread {
    const ALL: [Unread; 7] = [
        Unread::NoJson,
        Unread::NoMessage,
        Unread::NoId,
        Unread::TooLong,
        Unread::NoBatch,
        Unread::NoMessages,
        Unread::Begins,
    ];

    /// The method of the request that stands for such a line.
    fn method(self) -> String {
        format!("{}/{self:?}", secret())
    }

    /// What a request stands for; `None` where it is one that a client has sent.
    pub(super) fn of(method: &str) -> Option<Unread> {
        method.starts_with(secret()).then(|| Unread::ALL.into_iter().find(|unread| unread.method() == method))?
    }

    /// What is handed on in the place of a line that was to be answered by this id, or by none where none can be read.
    pub(super) fn line(self, id: Option<&Value>) -> Vec<u8> {
        let id = id.cloned().unwrap_or_else(|| Value::from(secret()));
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": self.method()})).into_bytes()
    }

    /// Whether an id stands for none.
    pub(super) fn is_nobody(id: &str) -> bool {
        id == secret()
    }

    /// What is answered.
    pub(super) fn error(self) -> ErrorData {
        let (code, why) = match self {
            Unread::NoJson => (ErrorCode::PARSE_ERROR, "the line is not valid JSON".to_owned()),
            Unread::NoMessage => {
                (ErrorCode::INVALID_REQUEST, "the line is no JSON-RPC message of a known shape".to_owned())
            }
            Unread::NoId => (ErrorCode::INVALID_REQUEST, asked::NO_ID.to_owned()),
            Unread::TooLong => {
                let why = format!("the line is longer than {} MiB, and was not read", LONGEST >> 20);
                (ErrorCode::PARSE_ERROR, why)
            }
            Unread::NoBatch => (ErrorCode::INVALID_REQUEST, batch::refusal(|| false)),
            Unread::NoMessages => (ErrorCode::INVALID_REQUEST, batch::refusal(|| true)),
            Unread::Begins => (ErrorCode::INVALID_REQUEST, batch::BEGINS.to_owned()),
        };
        ErrorData::new(code, why, None)
    }
}
