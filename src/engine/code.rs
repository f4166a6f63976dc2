//! The codes of calls that fail: one for each way, kebab-case. An agent reads them, the record of calls and the metrics have
//! them, and each has a page in the book.

use serde::{Serialize, Serializer};
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal;)*) => {
        /// A way a call fails.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum CallCode { $($(#[$doc])* $variant,)* }

        impl CallCode {
            /// Every code.
            pub const ALL: &'static [CallCode] = &[$(CallCode::$variant,)*];

            /// The name that is sent and recorded.
            pub fn as_str(self) -> &'static str {
                match self { $(CallCode::$variant => $name,)* }
            }

            /// The code's page of the book, in Markdown.
            pub fn page(self) -> &'static str {
                match self {
                    $(CallCode::$variant => include_str!(concat!("../../book/src/call-errors/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    // Arguments.
    /// A required argument is absent, or one without which another does nothing.
    MissingArgument "missing-argument";
    /// An argument is not of its type, or not among what is accepted.
    InvalidArgument "invalid-argument";
    /// There is no parameter of that name.
    UnknownArgument "unknown-argument";
    /// Several arguments are wrong.
    InvalidArguments "invalid-arguments";
    /// The arguments take more room than a call may.
    ArgumentsTooLarge "arguments-too-large";
    /// A default breaks a constraint at the moment.
    DefaultNotAllowed "default-not-allowed";
    /// A default cannot be evaluated at the moment.
    DefaultFailed "default-failed";
    /// A rule across parameters does not hold.
    RuleBroken "rule-broken";
    // Who calls, what, and how often.
    /// The caller lacks what a parameter is bound to, or may not call at all.
    NotPermitted "not-permitted";
    /// There is no token, or one that is not accepted.
    Unauthenticated "unauthenticated";
    /// The caller sees no tool of that name.
    UnknownTool "unknown-tool";
    /// The tool is out of service.
    ToolUnavailable "tool-unavailable";
    /// The caller sees no prompt of that name.
    UnknownPrompt "unknown-prompt";
    /// The caller sees no resource of that address.
    UnknownResource "unknown-resource";
    /// The caller calls too often.
    RateLimited "rate-limited";
    /// There are too many calls at once.
    Busy "busy";
    // The message.
    /// It is no JSON.
    InvalidJson "invalid-json";
    /// It is no request, or one of the wrong shape.
    InvalidRequest "invalid-request";
    /// Its body is of another type than JSON.
    UnsupportedMediaType "unsupported-media-type";
    /// It asks for a format that there is not.
    NotAcceptable "not-acceptable";
    /// It is of another method than is answered here.
    WrongMethod "wrong-method";
    /// Its body did not come in time.
    TooSlow "too-slow";
    // The query.
    /// It took longer than it may.
    Timeout "timeout";
    /// It needed more memory than it may.
    OutOfMemory "out-of-memory";
    /// A function would take too long for these values.
    TooExpensive "too-expensive";
    /// A division by zero.
    DivisionByZero "division-by-zero";
    /// A number that does not fit.
    Overflow "overflow";
    /// A value that is none of the type that the query makes of it.
    CastFailed "cast-failed";
    /// A regular expression that is none.
    InvalidPattern "invalid-pattern";
    /// The query refuses these arguments.
    QueryFailed "query-failed";
    // Programs and web services.
    /// A program has failed, or could not be started.
    ProgramFailed "program-failed";
    /// A web service has refused a request, or answered wrongly.
    RequestFailed "request-failed";
    /// Another server has refused a call, or its tool has failed.
    UpstreamFailed "upstream-failed";
    /// A program or a web service gave something else than its tool says.
    InvalidOutput "invalid-output";
    // Changes.
    /// A call would change more rows than it may.
    TooManyChanges "too-many-changes";
    /// A call would change another number of rows than its tool must.
    UnexpectedChanges "unexpected-changes";
    /// A change needs the word of a person, who has not given it.
    NotConfirmed "not-confirmed";
    /// A person has agreed to a change of rows that are others by now.
    ConfirmationOutdated "confirmation-outdated";
    /// A rule of the database is against a change.
    ChangeRefused "change-refused";
    /// The key of a change was sent for another one.
    IdempotencyKeyReused "idempotency-key-reused";
    /// Nobody knows whether a change was made.
    OutcomeUnknown "outcome-unknown";
    // The data, and the server.
    /// The data was being rewritten.
    DataChanged "data-changed";
    /// A database cannot be reached.
    SourceUnavailable "source-unavailable";
    /// A file is damaged, or gone.
    UnreadableData "unreadable-data";
    /// A fault inside the server.
    InternalError "internal-error";
}

impl CallCode {
    /// The code of that name.
    pub fn parse(name: &str) -> Option<CallCode> {
        CallCode::ALL.iter().copied().find(|code| code.as_str() == name)
    }
}

impl Serialize for CallCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl fmt::Display for CallCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_page_that_says_more_than_its_name() {
        for code in CallCode::ALL {
            let page = code.page();
            assert!(page.starts_with(&format!("# {code}\n\n")), "{code}");
            assert!(page.len() > 300 && page.contains("\n## Over HTTP\n"), "{code}");
            assert_eq!(CallCode::parse(code.as_str()), Some(*code));
        }
    }
}
