//! Why a tool of MCC has no form here.

use super::super::jinja::TemplateFlaw;
use super::super::shell_words::ShellFlaw;
use super::parameter::ParameterFlaw;
use std::fmt;

/// Why a tool has no form here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flaw {
    /// Its template.
    Template(TemplateFlaw),
    /// Its command.
    Shell(ShellFlaw),
    /// One of its parameters.
    Parameter(ParameterFlaw),
    /// Anything else, in words.
    Other(String),
}

impl Flaw {
    /// Anything else.
    pub(super) fn other(why: impl Into<String>) -> Flaw {
        Flaw::Other(why.into())
    }

    /// A template uses a parameter that is not there.
    pub(super) fn unknown(name: &str) -> Flaw {
        Flaw::Other(format!("`{name}` is none of its parameters"))
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Template(flaw) => flaw.fmt(f),
            Flaw::Shell(flaw) => flaw.fmt(f),
            Flaw::Parameter(flaw) => flaw.fmt(f),
            Flaw::Other(why) => f.write_str(why),
        }
    }
}

impl From<TemplateFlaw> for Flaw {
    fn from(flaw: TemplateFlaw) -> Flaw {
        Flaw::Template(flaw)
    }
}

impl From<ShellFlaw> for Flaw {
    fn from(flaw: ShellFlaw) -> Flaw {
        Flaw::Shell(flaw)
    }
}

impl From<ParameterFlaw> for Flaw {
    fn from(flaw: ParameterFlaw) -> Flaw {
        Flaw::Parameter(flaw)
    }
}
