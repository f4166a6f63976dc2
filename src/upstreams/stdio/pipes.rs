//! Messages over the standard input and output of a program, one a line.

use super::lines::{Line, Lines};
use super::probe::Probe;
use super::process::{Ends, Process};
use super::said::Said;
use super::writer::Writer;
use crate::upstreams::local_error::LocalError;
use crate::upstreams::send_failure::{Reached, SendFailure};
use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, RequestId, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::ChildStdout;

/// The longest line that is read, in bytes, unless messages may have half of it; a longer one ends the program.
const LONGEST_LINE: usize = 16 << 20;
/// How many lines that are no messages are passed over.
const MOST_RUBBISH: usize = 100;

/// The pipes of a program.
pub(crate) struct Pipes {
    process: Arc<Process>,
    lines: Lines<ChildStdout>,
    out: Option<Writer>,
    probe: Probe,
    queued: VecDeque<ServerJsonRpcMessage>,
    most_bytes: usize,
    rubbish: usize,
    said: Said,
}

/// What can be read of a message that is not understood as a whole.
#[derive(Deserialize)]
struct Outline {
    id: Option<RequestId>,
    #[serde(default)]
    method: Option<IgnoredAny>,
}

impl Pipes {
    /// Speaks over the pipes of a process: messages of so many bytes, and an answer to the first question within some time.
    pub(crate) fn new(
        process: Arc<Process>,
        ends: Ends,
        (most_bytes, patience): (usize, Duration),
        said: Said,
    ) -> Pipes {
        Pipes {
            process,
            lines: Lines::new(ends.output, LONGEST_LINE.max(most_bytes.saturating_mul(2))),
            out: Some(Writer::new(ends.input)),
            probe: Probe::new(patience),
            queued: VecDeque::new(),
            most_bytes,
            rubbish: 0,
            said,
        }
    }

    /// What a line says; nothing where it says nothing that is of use.
    fn understand(&mut self, line: &[u8]) -> Option<ServerJsonRpcMessage> {
        if line.is_empty() {
            return None;
        }
        if line.len() > self.most_bytes {
            return stand_in(line, LocalError::TooLarge);
        }
        if let Ok(message) = serde_json::from_slice::<ServerJsonRpcMessage>(line) {
            return Some(message);
        }
        // Revision 2025-03-26 has batches.
        if line.starts_with(b"[")
            && let Ok(batch) = serde_json::from_slice::<Vec<ServerJsonRpcMessage>>(line)
        {
            self.queued.extend(batch);
            return self.queued.pop_front();
        }
        if let Some(message) = stand_in(line, LocalError::Unreadable) {
            return Some(message);
        }
        self.rubbish += 1;
        self.said.add(line.get(..256).unwrap_or(line));
        None
    }

    /// The next line, or the answer to a probe that has none. Nothing at the end.
    async fn next_line(&mut self) -> Option<Result<ServerJsonRpcMessage, bytes::BytesMut>> {
        tokio::select! {
            line = self.lines.next() => match line {
                Ok(Some(Line::Whole(line))) => Some(Err(line)),
                Ok(Some(Line::Part(_))) => {
                    self.process.blame("a line of its output is too long");
                    None
                }
                Ok(None) | Err(_) => None,
            },
            message = self.probe.answer_in_place() => Some(Ok(message)),
        }
    }
}

impl Transport<RoleClient> for Pipes {
    type Error = SendFailure;

    fn send(&mut self, item: ClientJsonRpcMessage) -> impl Future<Output = Result<(), SendFailure>> + Send + 'static {
        self.probe.note_sent(&item);
        let sent = match (&self.out, serde_json::to_vec(&item)) {
            (Some(out), Ok(mut line)) => {
                line.push(b'\n');
                Ok(out.send(line))
            }
            (None, _) => Err(never("its pipes are closed")),
            (_, Err(error)) => Err(never(error.to_string())),
        };
        async move { sent?.await }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        loop {
            let message = match self.queued.pop_front() {
                Some(message) => message,
                None => match self.next_line().await? {
                    Ok(stand_in) => return Some(stand_in),
                    Err(line) => match self.understand(&line) {
                        Some(message) => message,
                        None if self.rubbish > MOST_RUBBISH => {
                            self.process.blame("its output is not that of an MCP server");
                            return None;
                        }
                        None => continue,
                    },
                },
            };
            if self.probe.lets_through(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), SendFailure> {
        self.out = None;
        // A program that ends by itself tells how.
        self.process.ending().await;
        self.process.kill();
        Ok(())
    }
}

/// What stands in for a message that is not read: the server, or whoever waits for it, gets an answer.
fn stand_in(line: &[u8], error: LocalError) -> Option<ServerJsonRpcMessage> {
    let outline = serde_json::from_slice::<Outline>(line).ok()?;
    match (outline.id, outline.method) {
        (Some(id), None) => Some(error.answer_to(id)),
        (Some(id), Some(_)) => Some(error.request_of(id)),
        (None, _) => None,
    }
}

fn never(words: impl Into<String>) -> SendFailure {
    SendFailure { reached: Reached::Never, words: words.into() }
}
