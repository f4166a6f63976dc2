//! What becomes of a call where another server does not give what it is asked for, in words for who calls.

use super::code::CallCode;
use super::error::{CallError, Detail};
use super::upstreams::Refusal;
use crate::upstreams::Failure;
use std::fmt;

/// How much of what a server says to a failure is told, in characters.
const TOLD: usize = 4_000;

/// The code of an error that says that there is no such resource, up to revision 2025-11-25.
const RESOURCE_NOT_FOUND: i32 = -32002;
/// The code of an error that says that parameters are wrong; since 2026-07-28 also that there is no such resource.
const INVALID_PARAMS: i32 = -32602;

/// What another server was asked for.
pub(super) struct AskedFor<'a> {
    pub(super) thing: Thing<'a>,
    pub(super) server: &'a str,
}

/// A thing of another server, by what it is called there.
#[derive(Clone, Copy)]
pub(super) enum Thing<'a> {
    /// A call of a tool.
    Tool {
        name: &'a str,
        /// Whether a call that may have arrived can be made again.
        is_read_only: bool,
        /// Whether something of what it answers is masked: its own words may hold that.
        is_masked: bool,
    },
    /// A prompt.
    Prompt(&'a str),
    /// A resource, by URI.
    Resource(&'a str),
}

impl Thing<'_> {
    fn kind(self) -> &'static str {
        match self {
            Thing::Tool { .. } => "tool",
            Thing::Prompt(_) => "prompt",
            Thing::Resource(_) => "resource",
        }
    }
}

/// As the log has it.
impl fmt::Display for Thing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Thing::Tool { name, .. } | Thing::Prompt(name) | Thing::Resource(name)) = self;
        write!(f, "{} `{name}`", self.kind())
    }
}

impl AskedFor<'_> {
    /// The error of a call that was refused.
    pub(super) fn refused(&self, why: Refusal) -> CallError {
        let AskedFor { thing, server } = self;
        match why {
            Refusal::NotAsked(why) => CallError {
                detail: Some(Detail::Own(format!("server `{server}`: {why}"))),
                ..CallError::new(CallCode::SourceUnavailable, format!("{} cannot be asked", self.whose()))
            },
            Refusal::Failed(failure) => {
                let detail = Some(Detail::Own(format!("server `{server}`, {thing}: {failure}")));
                CallError { detail, ..self.failed(&failure) }
            }
            Refusal::Changed => self.out_of_service(
                "it is not what was reviewed",
                format!(
                    "server `{server}` says something else of {thing} than what is locked: `qtool lock` and `qtool review` show what"
                ),
            ),
            Refusal::Gone => self.out_of_service(
                "its server no longer has it",
                format!("server `{server}` has no {thing} any more, or lists different ones of that name"),
            ),
        }
    }

    /// The beginning of a sentence about the server.
    fn whose(&self) -> String {
        format!("the server of this {}", self.thing.kind())
    }

    fn out_of_service(&self, words: &str, detail: String) -> CallError {
        let message = format!("this {} is out of service: {words}", self.thing.kind());
        let hint = match self.thing {
            Thing::Tool { .. } => "use another tool; the server's log says more to its operator",
            Thing::Prompt(_) | Thing::Resource(_) => "the server's log says more to its operator",
        };
        CallError { detail: Some(Detail::Own(detail)), ..CallError::new(CallCode::ToolUnavailable, message) }.hint(hint)
    }

    fn failed(&self, failure: &Failure) -> CallError {
        let error = |code: CallCode, words: &str| CallError::new(code, format!("{} {words}", self.whose()));
        let unavailable = |words: &str| error(CallCode::SourceUnavailable, words).hint("try again later");
        match failure {
            Failure::Unreachable(_) => unavailable("cannot be reached"),
            Failure::Lost(_) if matches!(self.thing, Thing::Tool { is_read_only: false, .. }) => error(
                CallCode::OutcomeUnknown,
                "had the call, and has not answered: nobody knows whether it was carried out",
            )
            .hint("look whether it was before you call again"),
            Failure::Lost(_) => unavailable("went away before it answered"),
            Failure::Anew => unavailable("is started again and again"),
            Failure::TimedOut => error(CallCode::Timeout, "did not answer in time"),
            Failure::Busy => error(CallCode::Busy, "has too much to answer").hint("try again in a moment"),
            Failure::TooLarge => {
                CallError::new(CallCode::InvalidOutput, "the answer is larger than it may be").hint("ask for less")
            }
            Failure::Rpc { code, message } => self.refused_by_server(*code, message),
            Failure::Cancelled | Failure::Protocol(_) => {
                let code = match self.thing {
                    Thing::Tool { .. } => CallCode::UpstreamFailed,
                    Thing::Prompt(_) | Thing::Resource(_) => CallCode::InvalidOutput,
                };
                let message = format!("what {} answered cannot be passed on; the server's log says why", self.whose());
                CallError::new(code, message)
            }
        }
    }

    fn refused_by_server(&self, code: i32, message: &str) -> CallError {
        match (self.thing, code) {
            (Thing::Resource(_), RESOURCE_NOT_FOUND | INVALID_PARAMS) => {
                CallError::new(CallCode::UnknownResource, "its server has no such resource")
            }
            (Thing::Prompt(_), INVALID_PARAMS) => {
                let message = format!("{} refused the arguments: {}", self.whose(), on_one_line(message));
                CallError::new(CallCode::InvalidArgument, message)
            }
            (thing, code) => {
                let is_masked = matches!(thing, Thing::Tool { is_masked: true, .. });
                let message = if is_masked { String::new() } else { on_one_line(message) };
                let message = format!("{} refused the call: {message} ({code})", self.whose());
                CallError::new(CallCode::UpstreamFailed, message)
            }
        }
    }
}

/// The beginning of what a server says, without what would begin a line of its own or turn the direction of what follows.
pub(super) fn on_one_line(text: &str) -> String {
    let is_plain = |c: char| {
        !c.is_control() && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.trim().chars().take(TOLD).map(|c| if is_plain(c) { c } else { ' ' }).collect()
}
