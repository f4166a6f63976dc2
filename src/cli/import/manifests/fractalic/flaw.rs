//! Why a tool of Fractalic has no form here.

use crate::project::schema_params::NoParameters;
use std::fmt;

/// Why a tool has no form here, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Flaw(String);

impl Flaw {
    /// The reason.
    pub(super) fn other(why: impl Into<String>) -> Flaw {
        Flaw(why.into())
    }
}

impl From<NoParameters> for Flaw {
    fn from(why: NoParameters) -> Flaw {
        Flaw(why.to_string())
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
