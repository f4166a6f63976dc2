//! What is found of a tool that does not suit a provider or a client.

use serde::Serialize;
use std::fmt;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing is lost: the definition is rewritten, and the server enforces what the client cannot.
    Note,
    /// Some versions or models refuse it, cut it or leave it out.
    Warning,
    /// It is refused or dropped.
    Error,
}

/// Something about a tool that does not suit a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The tool's name; absent where it is about all tools together.
    pub tool: Option<String>,
    /// How much it matters.
    pub severity: Severity,
    /// What it is: one line, lower case, without a full stop.
    pub what: String,
    /// What may be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl fmt::Display for Finding {
    /// One line: `warning: busiest_hours: the name …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.severity {
            Severity::Note => "note: ",
            Severity::Warning => "warning: ",
            Severity::Error => "error: ",
        })?;
        if let Some(tool) = &self.tool {
            write!(f, "{tool}: ")?;
        }
        f.write_str(&self.what)?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " ({hint})"))
    }
}
